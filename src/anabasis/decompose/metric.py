"""Metric: the greatest distance of places that no arc of a graph undercuts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["greatest_metric"]

_ROUNDING = 1e-12


def greatest_metric(
    points: NDArray[np.float64], tails: NDArray[np.int64], heads: NDArray[np.int64], weights: NDArray[np.float64]
) -> str:
    """Return the greatest of `graph.METRICS` that is at most the weight of each arc, so at most the cost of any way.

    points: float64[n, 2]; the arcs are three arrays of one length. Less than 1e-12 of a weight is rounding.
    """
    dx, dy = np.abs(points[tails] - points[heads]).T
    long, short = np.maximum(dx, dy), np.minimum(dx, dy)
    room = weights * (1 + _ROUNDING)
    rising = {"manhattan": dx + dy, "octile": long + (2**0.5 - 1) * short, "euclidean": np.hypot(dx, dy)}
    for name, distance in {**rising, "chebyshev": long}.items():
        if (distance <= room).all():
            return name
    return "zero"
