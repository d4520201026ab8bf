"""Lines and ways in whole cells, as the study of generated terrain checks them: sharing no code with the path finder.

J. E. Bresenham, "Algorithm for Computer Control of a Digital Plotter", 1965. The best choice among the nodes of a path
is a shortest way in a graph without circuits, node after node.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["best_corners", "corridor_open", "deviation", "line_cells", "polyline_length", "turns", "visible"]

Bools, Floats, Ints = NDArray[np.bool_], NDArray[np.float64], NDArray[np.int64]


def line_cells(a: Ints, b: Ints) -> Ints:
    """Return int64[k, 2], the cells (x, y) of Bresenham's line from a to b.

    Along the longer side each cell once; across, the nearest cell, of two equally near ones that nearer to a.
    """
    away = b - a
    longer = int(np.abs(away).max())
    if longer == 0:
        return a[None].copy()
    steps = np.arange(longer + 1)[:, None]
    return a + np.sign(away) * ((2 * steps * np.abs(away) + longer - 1) // (2 * longer))


def visible(free: Bools, a: Ints, b: Ints) -> bool:
    """Return whether all cells of the line from a to b are free; it may pass between two that meet in a corner."""
    x, y = line_cells(a, b).T
    return bool(free[y, x].all())


def corridor_open(free: Bools, a: Ints, b: Ints) -> bool:
    """Return whether the whole rectangle between two cells is free."""
    (left, top), (right, bottom) = np.minimum(a, b), np.maximum(a, b)
    return bool(free[top : bottom + 1, left : right + 1].all())


def polyline_length(points: Floats | Ints) -> float:
    """Return the length of a line through points (x, y)."""
    return float(np.sqrt((np.diff(points, axis=0) ** 2).sum(axis=1)).sum())


def turns(points: Floats | Ints) -> int:
    """Return how often a way from cell to cell changes its direction."""
    steps = np.diff(points, axis=0)
    return int((steps[1:] != steps[:-1]).any(axis=1).sum())


def deviation(points: Floats | Ints) -> float:
    """Return how far a way leaves the straight line between its ends at most, as a share of their distance."""
    away = points[-1] - points[0]
    distance = float(np.hypot(*away))
    if distance == 0:
        return 0.0
    off = points - points[0]
    return float(np.abs(off[:, 0] * away[1] - off[:, 1] * away[0]).max()) / distance**2


def best_corners(free: Bools, nodes: Ints) -> Ints:
    """Return the rows of `nodes` that make the shortest line from first to last over lines that are free.

    Two nodes that follow each other are always joined.
    """
    count = len(nodes)
    length, before = np.full(count, np.inf), np.zeros(count, np.int64)
    length[0] = 0.0
    for j in range(1, count):
        reach = length[:j] + np.sqrt(((nodes[:j] - nodes[j]) ** 2).sum(axis=1))
        for i in np.argsort(reach, kind="stable").tolist():
            if i == j - 1 or visible(free, nodes[i], nodes[j]):
                length[j], before[j] = reach[i], i
                break
    way = [count - 1]
    while way[-1]:
        way.append(int(before[way[-1]]))
    return np.array(way[::-1], np.int64)
