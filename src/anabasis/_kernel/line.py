"""Straight lines between any two vertices: whether they see each other, and what the way between them costs.

`lines` is a tuple (width, cost, corners, priced, points, space), made by `anabasis.search.any_angle`: on a grid width,
cost float64[height, width], the number of the corner rule and whether there are prices; on a graph width 0, the points
float64[n, 2] and the free space of the world around it (see `free_space`).
"""

from __future__ import annotations

import math
from typing import Any

from anabasis._kernel import kernel
from anabasis._kernel.free_space import sees
from anabasis._kernel.sight import segment_cost, visible

__all__ = ["SIGHT", "line_length", "line_price", "line_sees"]

SIGHT = 6  # the column, in the report of an any-angle search, of the number of tests of sight


@kernel
def line_sees(lines: Any, u: int, v: int) -> bool:
    """Whether the straight way between two vertices is free."""
    width, cost, corners, _priced, points, space = lines
    if width > 0:
        return visible(cost, u % width, u // width, v % width, v // width, corners)
    return sees(space, points[u, 0], points[u, 1], points[v, 0], points[v, 1])


@kernel
def line_length(lines: Any, u: int, v: int) -> float:
    """Return the distance of two vertices."""
    width, points = lines[0], lines[4]
    if width > 0:
        dx, dy = float(u % width - v % width), float(u // width - v // width)
    else:
        dx, dy = points[u, 0] - points[v, 0], points[u, 1] - points[v, 1]
    return math.sqrt(dx * dx + dy * dy)


@kernel
def line_price(lines: Any, u: int, v: int) -> float:
    """Return what the straight way between two vertices costs: its length, with prices their integral along it.

    With prices it is inf where the way leads through a blocked cell.
    """
    width, cost, priced = lines[0], lines[1], lines[3]
    if priced:
        return segment_cost(cost, u % width, u // width, v % width, v // width)
    return line_length(lines, u, v)
