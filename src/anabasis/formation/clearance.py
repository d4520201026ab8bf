"""Clearance: how wide a unit may be that takes a step.

The ground of a vertex is its cell, or on a map of triangles the hexagon of places that are nearest to it; what is
closed, and all beyond the map's edge, are such cells, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["step_clearance"]

Floats, Longs = NDArray[np.float64], NDArray[np.int64]


def step_clearance(indptr: Longs, indices: Longs, points: Floats, land: Any) -> Floats:
    """Return float64[m]: the greatest radius that a unit can have on each step.

    indptr, indices: the steps; points float64[n, 2]: the vertices; land: cells or triangles, see `_kernel.standing`.

    Exact: from the middle and the ends of a step, which are its places nearest to any corner, a closed cell is nearest
    at a corner or at the middle of a side.
    """
    from scipy.spatial import KDTree

    tree = KDTree(_outlines(land))
    tails = np.repeat(np.arange(len(points)), np.diff(indptr))
    at_vertex = np.asarray(tree.query(points)[0])
    middle = np.asarray(tree.query((points[tails] + points[indices]) / 2)[0])
    return np.minimum(middle, np.minimum(at_vertex[tails], at_vertex[indices]))


def _outlines(land: Any) -> Floats:
    """Return float64[p, 2]: corners and middles of sides of all closed cells, a ring of them around the map."""
    raster, walkable, frame, triangles = land
    rows, columns = raster.shape
    closed = np.ones((rows + 2, columns + 4), bool)
    closed[1:-1, 2:-2] = ~((raster >= 0) & walkable[raster])
    row, column = np.nonzero(closed)
    row, column = row - 1, column - 2
    origin, pitch = frame[:2], frame[2:4]
    if triangles:
        there = (row + column) % 2 == 0
        middles = origin + np.stack((column, row), 1)[there] * pitch
        angle = np.radians(np.arange(12) * 30)  # to the middle of a side at 0°, to a corner at 30°
        reach = pitch[0] / np.where(np.arange(12) % 2, np.cos(np.radians(30)), 1.0)
        around = np.stack((np.cos(angle), np.sin(angle)), 1) * reach[:, None]
    else:
        middles = origin + (np.stack((column, row), 1) + 0.5) * pitch
        around = np.array([(x, y) for x in (-0.5, 0, 0.5) for y in (-0.5, 0, 0.5) if x or y]) * pitch
    return (middles[:, None] + around).reshape(-1, 2)
