"""Walls: where each movement class can stand, and how far the next wall is.

A layer is the clearance map of one movement class (see `_kernel.ray`): 0 in walls, else the distance to the next
wall cell in king's steps, by the two-pass distance transform (A. Rosenfeld, J. L. Pfaltz, Sequential Operations in
Digital Picture Processing, 1966). Timed changes make new layers; nouns are never changed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.grid import Grid
from anabasis.scenario import Change

__all__ = ["Walls", "clearance_map", "nearest_free"]


class Walls:
    """The map as the movement classes see it now: layers uint8[classes, height + 2, width + 2], and a grid for each."""

    def __init__(self, grid: Grid, classes: Sequence[str]) -> None:
        self.classes = list(classes)
        self.grids = [grid.with_movement(name) for name in self.classes]
        self.layers = np.stack([clearance_map(g.free) for g in self.grids])

    def change(self, changes: Sequence[Change]) -> list[int]:
        """Carry out changes of the terrain; return the numbers of the classes for which a price or wall changed."""
        touched: list[int] = []
        for number, name in enumerate(self.classes):
            before = grid = self.grids[number]
            for change in changes:
                grid = grid.with_terrain(change.cells, change.letter, name)
            self.grids[number] = grid
            if not np.array_equal(before.cost, grid.cost):
                touched.append(number)
                if not np.array_equal(before.free, grid.free):
                    self.layers[number] = clearance_map(grid.free)
        return touched


def clearance_map(free: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return uint8[height + 2, width + 2]: king's steps to the next wall cell, at most 255; the border is wall."""
    layer = np.zeros((free.shape[0] + 2, free.shape[1] + 2), np.uint8)
    layer[1:-1, 1:-1] = np.where(free, 255, 0)
    _clearance(layer)
    return layer


def nearest_free(layer: NDArray[np.uint8], x: float, y: float) -> tuple[float, float] | None:
    """Return the free cell centre nearest to (x, y), the first by rows among equals, or None on a map of walls."""
    rows, columns = np.nonzero(layer)
    if not rows.size:
        return None
    cx, cy = columns - 0.5, rows - 0.5
    best = int(np.argmin((cx - x) ** 2 + (cy - y) ** 2))
    return float(cx[best]), float(cy[best])


@kernel
def _clearance(layer: NDArray[np.uint8]) -> None:
    height, width = layer.shape
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            if layer[y, x] != 0:
                near = int(min(layer[y - 1, x - 1], layer[y - 1, x], layer[y - 1, x + 1], layer[y, x - 1]))
                if near < 254:
                    layer[y, x] = near + 1
    for y in range(height - 2, 0, -1):
        for x in range(width - 2, 0, -1):
            if layer[y, x] != 0:
                near = int(min(layer[y + 1, x + 1], layer[y + 1, x], layer[y + 1, x - 1], layer[y, x + 1]))
                layer[y, x] = min(layer[y, x], near + 1)
