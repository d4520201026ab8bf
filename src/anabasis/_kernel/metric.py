"""Distances between places, by number: the metric of that place in `anabasis.graph.METRICS`."""

from __future__ import annotations

import math
from typing import Any

from anabasis._kernel import leaf

__all__ = ["distance", "vertex_distance"]


@leaf
def distance(metric: int, dx: float, dy: float) -> float:
    """Return the length of (dx, dy): 0 zero, 1 Manhattan, 2 octile, 3 Euclidean, 4 Chebyshev."""
    dx, dy = abs(dx), abs(dy)
    if metric == 0:
        return 0.0
    if metric == 1:
        return dx + dy
    if metric == 2:
        return max(dx, dy) + (math.sqrt(2.0) - 1.0) * min(dx, dy)
    if metric == 3:
        return math.sqrt(dx * dx + dy * dy)
    return max(dx, dy) + 0.0


@leaf
def vertex_distance(points: Any, width: int, u: int, v: int, metric: int) -> float:
    """Return the distance of two vertices: cells of a map of that width, or (width 0) rows of points."""
    if width > 0:
        return distance(metric, float(u % width - v % width), float(u // width - v // width))
    return distance(metric, points[u, 0] - points[v, 0], points[u, 1] - points[v, 1])
