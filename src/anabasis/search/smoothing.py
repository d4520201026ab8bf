"""Smoothing: shorten a path by straight ways between points that see each other.

From the current point go to the farthest point of the path with line of sight, and so on, as in the edge lengths of
J. Pacovský, "Navigation of units in video games using flow networks", 2019. A. Botea, M. Müller and J. Schaeffer, "Near
optimal hierarchical path-finding", 2004, smooth their paths in the same greedy way.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.sight import segment_cost, shorten_path
from anabasis.errors import InputError
from anabasis.grid import Grid, cell_text
from anabasis.plan import Path
from anabasis.search.moves import CORNERS, Space

__all__ = ["shorten"]


def shorten(grid: Grid, path: Path, *, corners: str = "strict") -> Path:
    """Return the path shortened by straight ways between its points; no vertices, cost = the price along the polyline.

    The points of `path` must be centres of free cells. The cost of the result is its walked cost: its Euclidean length
    where all cells cost 1, else the exact integral of the price along it, so that each cell is paid for by the length
    inside it. (A step along a grid is priced by the cell that it enters alone; on a map with prices the two measures
    differ even on the same way.) By that measure the result is never dearer than `path`, and to shorten it again
    changes nothing. Two neighbouring points of `path` that don't see each other under the corner rule are kept.
    Raises InputError for points that are no centres of free cells, and for an unknown corner rule.
    """
    space = Space(grid, corners=corners)
    cells = _cells(space.grid, path)
    k = len(cells)
    if k == 0:
        return Path(np.zeros(0, np.int64), path.points, 0.0)
    xs, ys = np.ascontiguousarray(cells[:, 0]), np.ascontiguousarray(cells[:, 1])
    kept = np.zeros(k, np.int64)
    count = shorten_path(grid.cost, xs, ys, CORNERS.index(corners), space.unit_cost, kept)
    cost = sum(segment_cost(grid.cost, *a, *b) for a, b in pairwise(cells[kept[:count]].tolist()))
    return Path(np.zeros(0, np.int64), path.points[kept[:count]], cost)


def _cells(grid: Grid, path: Path) -> NDArray[np.int64]:
    """Return int64[k, 2]: the cells (x, y) whose centres are the points of the path."""
    cells = np.floor(path.points).astype(np.int64)
    if (cells + 0.5 != path.points).any():
        x, y = path.points[(cells + 0.5 != path.points).any(axis=1)][0].tolist()
        raise InputError("a point of the path is not the centre of a cell", found=f"({x:g}, {y:g})")
    for x, y in cells.tolist():
        if not grid.is_free(x, y):
            raise InputError("the path leads through a wall or leaves the map", found=cell_text(x, y))
    return cells
