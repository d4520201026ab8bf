"""Funnel: the shortest way through a corridor of portals, as a string that is pulled tight.

D. T. Lee and F. P. Preparata, "Euclidean shortest paths in the presence of rectilinear barriers", 1984; B. Chazelle, "A
theorem on polygon cutting with applications", 1982. Only the last corner of the way and the two limits of the view from
there are kept; behind a new corner the portals are looked through again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.geometry import orient
from anabasis.noun import freeze

__all__ = ["funnel"]

Floats = NDArray[np.float64]


def funnel(start: ArrayLike, left: ArrayLike, right: ArrayLike, goal: ArrayLike) -> NDArray[np.float64]:
    """Return float64[k, 2]: the corners of the shortest way from start to goal through all portals in order.

    left, right: float64[p, 2], the two ends of each portal; for whoever walks through it towards a place c behind it,
    (left - right) × (c - right) > 0. From each portal to the next one, from the start to the first and from the last to
    the goal the corridor is what lies between them, so two in a row must be sides of one convex polygon. The way begins
    with the start and ends with the goal; a corner is there once, and only where the way turns.

    Raises InputError for arrays of the wrong shape.
    """
    ends = np.array([freeze(start, np.float64, (2,), "start"), freeze(goal, np.float64, (2,), "goal")])
    lefts = freeze(left, np.float64, (None, 2), "left ends of portals")
    rights = freeze(right, np.float64, lefts.shape, "right ends of portals")
    way = np.empty((len(lefts) + 2, 2))
    return way[: _pull(ends, lefts, rights, way)].copy()


@kernel
def _pull(ends: Floats, lefts: Floats, rights: Floats, way: Floats) -> int:
    """Write the corners of the way; return how many there are."""
    ax, ay = ends[0, 0], ends[0, 1]  # the last corner, and the limits of the view; a limit at the corner is none
    lx, ly, rx, ry = ax, ay, ax, ay
    way[0, 0], way[0, 1] = ax, ay
    count, i, at_left, at_right = 1, 0, -1, -1
    while i <= len(lefts):
        x, y = (rights[i, 0], rights[i, 1]) if i < len(lefts) else (ends[1, 0], ends[1, 1])
        back = -1  # the portal from which it goes on behind a new corner
        if orient(ax, ay, rx, ry, x, y) >= 0.0:
            if (rx == ax and ry == ay) or orient(ax, ay, lx, ly, x, y) <= 0.0:
                rx, ry, at_right = x, y, i
            else:
                ax, ay, back = lx, ly, at_left
        if back < 0:
            x, y = (lefts[i, 0], lefts[i, 1]) if i < len(lefts) else (ends[1, 0], ends[1, 1])
            if orient(ax, ay, lx, ly, x, y) <= 0.0:
                if (lx == ax and ly == ay) or orient(ax, ay, rx, ry, x, y) >= 0.0:
                    lx, ly, at_left = x, y, i
                else:
                    ax, ay, back = rx, ry, at_right
        if back < 0:
            i += 1
            continue
        count = _put(way, count, ax, ay)
        lx, ly, rx, ry = ax, ay, ax, ay
        i = back + 1
    return _put(way, count, ends[1, 0], ends[1, 1])


@kernel
def _put(way: Floats, count: int, x: float, y: float) -> int:
    """Add a corner; take out those before it where the way then goes straight on. Return how many there are."""
    if way[count - 1, 0] == x and way[count - 1, 1] == y:
        return count
    while count > 1 and (
        orient(way[count - 2, 0], way[count - 2, 1], way[count - 1, 0], way[count - 1, 1], x, y) == 0.0
    ):
        count -= 1
    way[count, 0], way[count, 1] = x, y
    return count + 1
