"""Straight lines between any two vertices: whether they see each other, and what the way between them costs.

`lines` is a tuple (width, share, cost, corners, priced, points, space), made by `anabasis.search.any_angle`: on a grid
width, 1 / width, cost float64[height, width], the number of the corner rule and whether there are prices; on a graph
width 0, the points float64[n, 2] and the free space of the world around it (see `free_space`).
"""

from __future__ import annotations

import math
from typing import Any

from anabasis._kernel import kernel, leaf
from anabasis._kernel.free_space import sees
from anabasis._kernel.sight import segment_cost, visible

__all__ = ["SIGHT", "line_length", "line_place", "line_price", "line_sees"]

SIGHT = 6  # the column, in the report of an any-angle search, of the number of tests of sight


@leaf
def line_place(lines: Any, v: int) -> tuple[float, float]:
    """Return the place (x, y) of a vertex; on a grid cells are counted, so it is half a cell from the centre."""
    if lines[0] > 0:
        y = int((v + 0.5) * lines[1])  # a product is much faster than a division, and exact: half a cell from the next
        return float(v - y * lines[0]), float(y)
    return lines[5][v, 0], lines[5][v, 1]


@kernel
def line_sees(lines: Any, u: int, v: int) -> bool:
    """Whether the straight way between two vertices is free."""
    ax, ay = line_place(lines, u)
    bx, by = line_place(lines, v)
    if lines[0] > 0:
        return visible(lines[2], int(ax), int(ay), int(bx), int(by), lines[3])
    return sees(lines[6], ax, ay, bx, by)


@leaf
def line_length(lines: Any, u: int, v: int) -> float:
    """Return the distance of two vertices."""
    ax, ay = line_place(lines, u)
    bx, by = line_place(lines, v)
    return math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))


@leaf
def line_price(lines: Any, u: int, v: int) -> float:
    """Return what the straight way between two vertices costs: its length, with prices their integral along it.

    With prices it is inf where the way leads through a blocked cell.
    """
    if lines[4]:
        ax, ay = line_place(lines, u)
        bx, by = line_place(lines, v)
        return segment_cost(lines[2], int(ax), int(ay), int(bx), int(by))
    return line_length(lines, u, v)
