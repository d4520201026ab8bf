"""Straight: the direction of a path at each vertex, its straight runs, and the fragments that end at its bends.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: fragmentation by bends.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze
from anabasis.options import check_count

__all__ = ["WINDOW", "directions", "fragments", "straight_prefix"]

WINDOW = 2
"""Edges back and ahead, by which the direction of a path is taken."""

_EPSILON = 1e-9  # degrees: what lattice directions are off by rounding is some 10⁻¹³
_ARC = 120.0  # degrees: three directions can be this far from one another all around, and then no arc holds them


def directions(points: ArrayLike, *, window: int = WINDOW) -> NDArray[np.float64]:
    """Return float64[n]: the azimuth of a path at each vertex, in degrees from 0 to below 360, clockwise from north.

    points float64[n, 2]: the places of its vertices, y downwards. The direction is that from the vertex `window` edges
    before to the one as many behind, at the ends as many as there are. Where both are one place, as in a turn on the
    spot, the window is made narrower; in the very vertex of the turn it is the next edge's direction. A path that
    never leaves its place has direction 0. Raises InputError for places that aren't finite and a window below 1.
    """
    places = freeze(points, np.float64, (None, 2), "points of a path")
    if not np.isfinite(places).all():
        raise InputError("points of a path", found="inf", expected="finite coordinates")
    widest = check_count(window, "window of a direction", 1)
    n = len(places)
    vertex = np.arange(n)
    way = np.zeros((n, 2))
    spans = [(w, w) for w in range(min(widest, max(n, 1)), 0, -1)]
    for back, ahead in [*spans, (0, 1), (1, 0)]:
        open_ = np.flatnonzero(~way.any(axis=1))
        if not open_.size:
            break
        way[open_] = places[np.minimum(vertex[open_] + ahead, n - 1)] - places[np.maximum(vertex[open_] - back, 0)]
    azimuth = np.degrees(np.arctan2(way[:, 0], -way[:, 1])) % 360
    return np.where(way.any(axis=1) & (azimuth < 360), azimuth, 0.0)  # 360: a little less than 0, rounded


def straight_prefix(directions: ArrayLike, bend: float) -> int:
    """Return the number of vertices at the beginning of a path that all pairs' directions differ by less than `bend`.

    directions float64[n]: degrees at each vertex; bend: degrees from 0 to 180. At least 1, unless there is no vertex;
    what is equal to `bend` but for rounding isn't less. Takes linear time for a bend of up to 120°. Raises InputError
    for a bend outside, and directions that aren't finite.
    """
    given = freeze(directions, np.float64, (None,), "directions of a path")
    if not np.isfinite(given).all():
        raise InputError("directions of a path", found="inf", expected="finite degrees")
    return _run_end(given.tolist(), 0, _checked(bend))


def fragments(points: ArrayLike, *, bend: float, shortest: int = 3) -> list[tuple[int, int]]:
    """Return the fragments of a path by its bends: (first, last) vertex of each, the last one the next one's first.

    points float64[n, 2]: the places of its vertices; bend: degrees from 0 to 180. Each fragment is the longest straight
    run from where the one before ended, or `shortest` edges where that is longer. What is left at the end, if shorter,
    belongs to the last fragment. Only a path that is shorter as a whole gives a shorter fragment; one of fewer than two
    vertices gives none. Raises InputError as `directions` and `straight_prefix` do, and for a `shortest` below 1.
    """
    azimuths = directions(points).tolist()
    limit = _checked(bend)
    least = check_count(shortest, "shortest fragment", 1)
    end = len(azimuths) - 1
    found: list[tuple[int, int]] = []
    first = 0
    while first < end:
        last = max(_run_end(azimuths, first, limit) - 1, first + least)
        if end - last < least:
            last = end
        found.append((first, last))
        first = last
    return found


def _run_end(azimuths: list[float], first: int, bend: float) -> int:
    """Return the first vertex that doesn't belong to the straight run from `first` on.

    Up to 120° a run's directions lie in an arc, whose ends are `low` and `high`; a direction outside becomes the end
    that it is nearer to. Directions farther apart may lie all around, so each is compared with all others.
    """
    limit = bend - _EPSILON
    if limit <= 0:  # not even equal directions differ by less
        return min(first + 1, len(azimuths))
    if first >= len(azimuths):
        return first
    if bend > _ARC:
        given = np.array(azimuths[first:])
        for i in range(1, given.size):
            apart = np.abs(given[:i] - given[i]) % 360
            if np.minimum(apart, 360 - apart).max() >= limit:
                return first + i
        return len(azimuths)
    low = high = azimuths[first]
    span = 0.0
    for i in range(first + 1, len(azimuths)):
        v = azimuths[i]
        to_low, to_high = _between(low, v), _between(high, v)
        if to_low + to_high <= span + _EPSILON:
            continue
        span = max(to_low, to_high)
        if span >= limit:
            return i
        if to_low < to_high:
            low = v
        else:
            high = v
    return len(azimuths)


def _between(a: float, b: float) -> float:
    """Return the angle of two directions, from 0 to 180."""
    apart = abs(a - b) % 360
    return min(apart, 360 - apart)


def _checked(bend: float) -> float:
    """Return a bend; raises InputError unless it is from 0 to 180."""
    limit = float(freeze(bend, np.float64, (), "bend of a path"))
    if not 0 <= limit <= 180:
        raise InputError("bend of a path", found=f"{limit:g}", expected="degrees from 0 to 180")
    return limit
