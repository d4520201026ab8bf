"""Clearance: how far each cell is from the walls, which is the relief that is flooded.

The octile distance, straight steps 10 and diagonal ones 14, to the nearest wall, or to the k-th nearest, so that single
walls in a wide place don't count: D. Halldórsson and Y. Björnsson, "Automated decomposition of game maps", 2015, as
told by J. Pacovský, "Navigation of units in video games using flow networks", 2019. The two passes are those of
G. Borgefors, "Distance transformations in digital images", 1986.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.grid import Grid

__all__ = ["STRAIGHT", "clearance"]

STRAIGHT, DIAGONAL = 10, 14


def clearance(grid: Grid, walls: int = 1) -> NDArray[np.int32]:
    """Return int32[height, width]: the least octile radius within which each cell has `walls` wall cells, 0 in walls.

    Cells outside the map are walls. The unit is a tenth of a cell.
    """
    free = np.pad(grid.free, 1)
    depth = np.where(free, np.int32(2**30), np.int32(0))
    _two_passes(depth)
    if walls > 1:
        near = _near_first(int(depth.max()) // STRAIGHT + 2 * walls + 2)
        _to_kth_wall(free, depth, walls, *near)
    return depth[1:-1, 1:-1].copy()


def _near_first(radius: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return dx, dy and length of the steps to all cells within a radius, the nearest first."""
    dy, dx = (a.ravel() for a in np.mgrid[-radius : radius + 1, -radius : radius + 1])
    long, short = np.maximum(abs(dx), abs(dy)), np.minimum(abs(dx), abs(dy))
    length = STRAIGHT * long + (DIAGONAL - STRAIGHT) * short
    order = np.lexsort((dx, dy, length))
    return dx[order], dy[order], length[order]


@kernel
def _two_passes(depth: Any) -> None:
    """Write the distance to the nearest cell of depth 0; the border cells are of depth 0."""
    height, width = depth.shape
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            if depth[y, x]:
                straight = min(depth[y - 1, x], depth[y, x - 1])
                diagonal = min(depth[y - 1, x - 1], depth[y - 1, x + 1])
                depth[y, x] = min(depth[y, x], straight + STRAIGHT, diagonal + DIAGONAL)
    for y in range(height - 2, 0, -1):
        for x in range(width - 2, 0, -1):
            if depth[y, x]:
                straight = min(depth[y + 1, x], depth[y, x + 1])
                diagonal = min(depth[y + 1, x - 1], depth[y + 1, x + 1])
                depth[y, x] = min(depth[y, x], straight + STRAIGHT, diagonal + DIAGONAL)


@kernel
def _to_kth_wall(free: Any, depth: Any, walls: int, dx: Any, dy: Any, length: Any) -> None:
    """Raise the distance to the nearest wall to that to the k-th nearest, counting what lies outside as walls."""
    height, width = free.shape
    first = np.searchsorted(length, np.arange(depth.max() + 1))
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            if not free[y, x]:
                continue
            met, k = 0, first[depth[y, x]]
            while met < walls and k < len(length):
                there_y, there_x = y + dy[k], x + dx[k]
                if not (0 < there_y < height - 1 and 0 < there_x < width - 1 and free[there_y, there_x]):
                    met += 1
                k += 1
            depth[y, x] = length[k - 1]
