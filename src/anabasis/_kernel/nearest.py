"""Nearest: a growing set of places in square cells, asked for the nearest one and for all within a radius.

Uniform cells, whose number is doubled and more as the set grows: J. L. Bentley, B. W. Weide, A. C. Yao, "Optimal
expected-time algorithms for closest point problems", 1980. The set is `points`, of which the first `size` rows count;
`heads` holds a linked list for each cell (-1: none), `after` the next point in it; `frame` is (left, top, side of a
cell, columns, rows).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from anabasis._kernel import kernel, leaf

__all__ = ["cells_for", "enter_point", "nearest_point", "points_within"]


@kernel
def cells_for(points: Any, size: int, after: Any, x0: float, y0: float, x1: float, y1: float) -> tuple[Any, Any]:
    """Return heads and frame for the points (inside x0 … x1, y0 … y1), with room for four times as many; fill after."""
    count = max(16.0, 2.0 * size)
    side = max(math.sqrt((x1 - x0) * (y1 - y0) / count), max(x1 - x0, y1 - y0) / 4096.0)
    columns, rows = math.floor((x1 - x0) / side) + 1, math.floor((y1 - y0) / side) + 1
    frame = np.array([x0, y0, side, float(columns), float(rows)])
    heads = np.full(columns * rows, -1, np.int64)
    for i in range(size):
        enter_point(points, heads, after, frame, i)
    return heads, frame


@leaf
def enter_point(points: Any, heads: Any, after: Any, frame: Any, i: int) -> None:
    """Put point i into its cell."""
    column = min(max(math.floor((points[i, 0] - frame[0]) / frame[2]), 0), int(frame[3]) - 1)
    row = min(max(math.floor((points[i, 1] - frame[1]) / frame[2]), 0), int(frame[4]) - 1)
    cell = row * int(frame[3]) + column
    after[i] = heads[cell]
    heads[cell] = i


@leaf
def nearest_point(points: Any, heads: Any, after: Any, frame: Any, x: float, y: float) -> int:
    """Return the point nearest to (x, y), of equals the one entered first; -1 if there is none.

    Cells are looked through in rings; after ring r whatever has not been seen is at least r sides and the way to the
    border of the own cell away.
    """
    side, columns, rows = frame[2], int(frame[3]), int(frame[4])
    u, v = (x - frame[0]) / side, (y - frame[1]) / side
    column, row = min(max(math.floor(u), 0), columns - 1), min(max(math.floor(v), 0), rows - 1)
    border = max(0.0, min(u - column, column + 1 - u, v - row, row + 1 - v))
    nearest, least = -1, np.inf
    for ring in range(max(columns, rows)):
        left, right, top, bottom = column - ring, column + ring, row - ring, row + ring
        for j in range(max(top, 0), min(bottom, rows - 1) + 1):
            whole = j in (top, bottom)
            i = left if not whole or left >= 0 else 0
            while i <= min(right, columns - 1):
                if i >= 0:
                    p = heads[j * columns + i]
                    while p >= 0:
                        dx, dy = points[p, 0] - x, points[p, 1] - y
                        away = dx * dx + dy * dy
                        if away < least or (away == least and p < nearest):
                            nearest, least = p, away
                        p = after[p]
                i += 1 if whole else 2 * ring
        reach = (ring + border) * side
        if nearest >= 0 and least <= reach * reach:
            break
    return nearest


@leaf
def points_within(points: Any, heads: Any, after: Any, frame: Any, x: float, y: float, radius: float, out: Any) -> int:
    """Write the points at most `radius` from (x, y) to out, as many as it holds; return how many there are."""
    side, columns, rows = frame[2], int(frame[3]), int(frame[4])
    left = max(math.floor((x - radius - frame[0]) / side), 0)
    right = min(math.floor((x + radius - frame[0]) / side), columns - 1)
    top = max(math.floor((y - radius - frame[1]) / side), 0)
    bottom = min(math.floor((y + radius - frame[1]) / side), rows - 1)
    count = 0
    for j in range(top, bottom + 1):
        for i in range(left, right + 1):
            p = heads[j * columns + i]
            while p >= 0:
                dx, dy = points[p, 0] - x, points[p, 1] - y
                if dx * dx + dy * dy <= radius * radius:
                    if count < len(out):
                        out[count] = p
                    count += 1
                p = after[p]
    return count
