"""Polylines: what is wrong with a way through a polygonal world, checked in exact rationals.

The check knows only the even-odd rule of the rings: it shares no code with the planners or with `decompose`. Around
each place that matters the directions of edges part a small disc into sectors; a way may come from one direction and go
on in another if both lie in one connected run of free sectors, edges included. Every float is a rational, so there is
no tolerance; only costs are compared to within rounding.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from math import hypot, isclose

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.plan import Path
from anabasis.world import World

__all__ = ["polyline_length", "world_faults"]

Place = tuple[Fraction, Fraction]
Edge = tuple[Place, Place]
_OUTWARD = 1e-9  # by how much more than needed is looked at in floating point before the exact test


def world_faults(world: World, path: Path, *, start: ArrayLike, goal: ArrayLike) -> list[str]:
    """Return what is wrong with a way between two points (x, y) of a world, a sentence each; empty if nothing is.

    The way may touch obstacles and run along their edges; it may not enter one, leave the bounds, or pass where there
    is no width: between obstacles that touch, or between one and the bounds. A slanted edge that crosses the bounds is
    taken to go through the place of two floats nearest to there. The cost of a way must be its length. Each sentence
    begins with the kind of fault: empty, wrong start, wrong goal, outside, obstacle, no width, or cost.
    """
    if not len(path.points):
        return ["empty: the path has no points"]
    if not np.isfinite(path.points).all():
        return ["outside: a point is not finite"]
    points = [_place(p) for p in path.points]
    faults: list[str] = []
    for what, found, wanted in (("start", points[0], start), ("goal", points[-1], goal)):
        if found != _place(wanted):
            faults.append(f"wrong {what}: found {_text(found)}, not {_text(_place(wanted))}")
    edges = _edges(world)
    for number, point in enumerate(points):
        back = points[number - 1] if number else None
        ahead = points[number + 1] if number + 1 < len(points) else None
        fault = _fault_at(world, edges, point, _toward(point, back), _toward(point, ahead))
        if fault:
            faults.append(f"{fault}, at point {number}")
    for number, (a, b) in enumerate(pairwise(points)):
        fault = _fault_between(world, edges, a, b)
        if fault:
            faults.append(f"{fault}, in segment {number}")
    length = polyline_length(path.points)
    if not isclose(path.cost, length, rel_tol=1e-9, abs_tol=1e-9):
        faults.append(f"cost: the path says {path.cost:.12g}, its length is {length:.12g}")
    return faults


def polyline_length(points: ArrayLike) -> float:
    """Return the Euclidean length of a polyline float[k, 2]."""
    return sum(hypot(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(np.asarray(points, np.float64).tolist()))


def _place(point: ArrayLike) -> Place:
    x, y = np.asarray(point, np.float64).tolist()
    return Fraction(x), Fraction(y)


def _text(place: Place) -> str:
    return f"({float(place[0]):g}, {float(place[1]):g})"


def _toward(point: Place, other: Place | None) -> Place | None:
    """Return the direction to another point, None without one or to the same place."""
    if other is None or other == point:
        return None
    return other[0] - point[0], other[1] - point[1]


def _edges(world: World) -> NDArray[np.float64]:
    """Return float64[m, 4]: the ends x, y, x, y of all edges of the rings, bent where they cross the bounds."""
    after = np.arange(1, len(world.points) + 1)
    after[world.rings[1:] - 1] = world.rings[:-1]
    edges = np.concatenate([world.points, world.points[after]], axis=1)
    x0, y0, x1, y1 = edges.T
    slanted, crosses = (x0 != x1) & (y0 != y1), np.zeros(len(edges), bool)
    for one, other, lines in ((x0, x1, world.bounds[::2]), (y0, y1, world.bounds[1::2])):
        for line in lines:
            crosses |= (one < line) != (other < line)
    touched = np.flatnonzero(slanted & crosses)
    if not len(touched):
        return edges
    bent = [_bent(world, *ends) for ends in _exact(edges[touched])]
    rows = [(*p, *q) for places in bent for p, q in pairwise(places) if p != q]
    return np.concatenate([np.delete(edges, touched, axis=0), np.array(rows, np.float64).reshape(-1, 4)])


def _bent(world: World, a: Place, b: Place) -> list[Place]:
    """Return the places through which an edge goes: those where it crosses the bounds, rounded, and corners on it."""
    way = _minus(b, a)
    x0, y0, x1, y1 = map(Fraction, world.bounds)
    through: dict[Fraction, Place] = {}
    for share in ((x0 - a[0]) / way[0], (x1 - a[0]) / way[0], (y0 - a[1]) / way[1], (y1 - a[1]) / way[1]):
        x, y = a[0] + share * way[0], a[1] + share * way[1]
        if 0 < share < 1 and x0 <= x <= x1 and y0 <= y <= y1:
            through[share] = Fraction(float(x)), Fraction(float(y))
    if through:
        (low_x, high_x), (low_y, high_y) = (sorted((float(a[k]), float(b[k]))) for k in (0, 1))
        x, y = world.points.T
        for corner in world.points[(x > low_x) & (x < high_x) & (y > low_y) & (y < high_y)]:
            place = _place(corner)
            if _cross(way, _minus(place, a)) == 0:
                through[(place[0] - a[0]) / way[0]] = place
    return [a, *(through[share] for share in sorted(through)), b]


def _near(edges: NDArray[np.float64], low_x: float, low_y: float, high_x: float, high_y: float) -> list[Edge]:
    """Return the edges whose box meets a box, and maybe some that only come near it."""
    slack = _OUTWARD * max(1.0, abs(low_x), abs(low_y), abs(high_x), abs(high_y))
    x0, y0, x1, y1 = edges.T
    meets = (np.maximum(x0, x1) >= low_x - slack) & (np.minimum(x0, x1) <= high_x + slack)
    meets &= (np.maximum(y0, y1) >= low_y - slack) & (np.minimum(y0, y1) <= high_y + slack)
    return _exact(edges[meets])


def _exact(edges: NDArray[np.float64]) -> list[Edge]:
    rows = [tuple(map(Fraction, row)) for row in edges.tolist()]
    return [((r[0], r[1]), (r[2], r[3])) for r in rows]


def _row(edges: NDArray[np.float64], x: float, y: float) -> tuple[list[Edge], bool]:
    """Return the edges that a ray from near (x, y) to the right may pass or that may lie at the point.

    Those far to the right that it passes for certain are only counted: also returned is whether their number is odd.
    """
    slack = _OUTWARD * max(1.0, abs(x), abs(y))
    x0, y0, x1, y1 = edges.T
    low, high, left = np.minimum(y0, y1), np.maximum(y0, y1), np.minimum(x0, x1)
    met = (low <= y + slack) & (high >= y - slack) & (np.maximum(x0, x1) >= x - slack)
    apart = left > x + slack
    sure = met & apart & (low < y - slack) & (high > y + slack)
    level = apart & (low == high)  # never passed
    return _exact(edges[met & ~sure & ~level]), bool(np.count_nonzero(sure) % 2)


def _cross(u: Place, v: Place) -> Fraction:
    return u[0] * v[1] - u[1] * v[0]


def _minus(p: Place, q: Place) -> Place:
    return p[0] - q[0], p[1] - q[1]


def _fault_between(world: World, edges: NDArray[np.float64], a: Place, b: Place) -> str:
    """Check a segment at each place where it meets an edge or a line of the bounds, and between two such places."""
    way = _minus(b, a)
    if way == (0, 0):
        return ""
    xs, ys = sorted((float(a[0]), float(b[0]))), sorted((float(a[1]), float(b[1])))
    shares = {Fraction(0), Fraction(1)}
    for c, d in _near(edges, xs[0], ys[0], xs[1], ys[1]):
        shares.update(_meetings(a, way, c, d))
    x0, y0, x1, y1 = map(Fraction, world.bounds)
    for axis, lines in ((0, (x0, x1)), (1, (y0, y1))):
        if way[axis]:
            shares.update((line - a[axis]) / way[axis] for line in lines)
    places = sorted(t for t in shares if 0 <= t <= 1)
    for t, u in pairwise(places):
        for share in ((t + u) / 2, u):
            if share < 1:
                point = (a[0] + share * way[0], a[1] + share * way[1])
                fault = _fault_at(world, edges, point, (-way[0], -way[1]), way)
                if fault:
                    return fault
    return ""


def _meetings(a: Place, way: Place, c: Place, d: Place) -> list[Fraction]:
    """Return at what shares of the way from a an edge is met; the ends of what is run along."""
    side_c, side_d = _cross(way, _minus(c, a)), _cross(way, _minus(d, a))
    if side_c == side_d == 0:
        longer = 0 if way[0] else 1
        return [(p[longer] - a[longer]) / way[longer] for p in (c, d)]
    if side_c * side_d > 0:
        return []
    edge = _minus(d, c)
    return [_cross(_minus(c, a), edge) / _cross(way, edge)]


def _fault_at(world: World, edges: NDArray[np.float64], point: Place, back: Place | None, ahead: Place | None) -> str:
    """Say what is wrong with coming from direction `back` to a point and going on in direction `ahead`."""
    row, odd = _row(edges, float(point[0]), float(point[1]))
    rays = _rays(world, row, point)
    if not rays:
        return "" if _free(world, row, odd, point, (Fraction(1), Fraction(0))) else _kind(world, point, None)
    between = [_middle(u, v) for u, v in zip(rays, [*rays[1:], rays[0]], strict=True)]
    free = [_free(world, row, odd, point, w) for w in between]
    if not any(free):
        return _kind(world, point, back or ahead)
    runs = _runs(free)
    reached: list[set[int]] = []
    for way in (back, ahead):
        if way is not None:
            reached.append(_runs_at(rays, runs, way))
            if not reached[-1]:
                return _kind(world, point, way)
    if len(reached) == 2 and not reached[0] & reached[1]:
        return f"no width: the way squeezes through {_text(point)}"
    return ""


def _kind(world: World, point: Place, way: Place | None) -> str:
    """Say into what a way leads from a point in some direction, if not into free space."""
    x0, y0, x1, y1 = world.bounds
    dx, dy = way or (0, 0)
    if not (x0 <= point[0] <= x1 and y0 <= point[1] <= y1) or (
        (point[0] == x0 and dx < 0)
        or (point[0] == x1 and dx > 0)
        or (point[1] == y0 and dy < 0)
        or (point[1] == y1 and dy > 0)
    ):
        return f"outside: the way leaves the bounds at {_text(point)}"
    return f"obstacle: the way leads into one at {_text(point)}"


def _rays(world: World, row: list[Edge], point: Place) -> list[Place]:
    """Return the directions in which edges or lines of the bounds leave a point, in order of angle, none twice."""
    found: list[Place] = []
    for c, d in row:
        inside = all(min(c[k], d[k]) <= point[k] <= max(c[k], d[k]) for k in (0, 1))
        if inside and _cross(_minus(d, c), _minus(point, c)) == 0:
            found += [_minus(end, point) for end in (c, d) if end != point]
    x0, y0, x1, y1 = world.bounds
    one, none = Fraction(1), Fraction(0)
    if point[0] in (x0, x1):
        found += [(none, one), (none, -one)]
    if point[1] in (y0, y1):
        found += [(one, none), (-one, none)]
    found.sort(key=cmp_to_key(_by_angle))
    return [u for k, u in enumerate(found) if k == 0 or _by_angle(found[k - 1], u)]


def _half(u: Place) -> int:
    return 0 if u[1] > 0 or (u[1] == 0 and u[0] > 0) else 1


def _by_angle(u: Place, v: Place) -> int:
    """Compare two directions by their angle from the x axis towards the y axis, from 0 to a full turn."""
    if _half(u) != _half(v):
        return _half(u) - _half(v)
    turn = _cross(u, v)
    return -1 if turn > 0 else 1 if turn < 0 else 0


def _middle(u: Place, v: Place) -> Place:
    """Return a direction strictly between u and the next one v, in order of angle; v may be u, after a full turn."""
    turn = _cross(u, v)
    if turn == 0:
        same = u[0] * v[0] + u[1] * v[1] > 0
        return (-u[0], -u[1]) if same else (-u[1], u[0])
    return (u[0] + v[0], u[1] + v[1]) if turn > 0 else (-u[0] - v[0], -u[1] - v[1])


def _free(world: World, row: list[Edge], odd: bool, point: Place, w: Place) -> bool:
    """Whether what lies next to a point in direction w is free; no edge leaves the point in that direction.

    odd: whether a ray to the right passes an odd number of edges that are not in the row.
    """
    x0, y0, x1, y1 = world.bounds
    for place, step, low, high in ((point[0], w[0], x0, x1), (point[1], w[1], y0, y1)):
        if place < low or place > high or (place == low and step < 0) or (place == high and step > 0):
            return False
        if step == 0 and place in (low, high):
            return False  # can't be: the line of the bounds would be such an edge
    for c, d in row:  # edges that a ray to the right passes, from the point moved by a hair in direction w
        if _below(c, point, w) == _below(d, point, w):
            continue
        low, high = (c, d) if c[1] < d[1] else (d, c)
        along = _minus(high, low)
        side = _cross(along, _minus(point, low)) or _cross(along, w)
        odd ^= side > 0
    return not odd


def _below(end: Place, point: Place, w: Place) -> bool:
    """Whether the end of an edge has a greater y than the point moved by a hair."""
    return end[1] > point[1] or (end[1] == point[1] and w[1] < 0)


def _runs(free: list[bool]) -> list[int]:
    """Return to which run of free sectors each sector belongs, -1 if it is blocked; the last may go on in the first."""
    runs, number = list[int](), -1
    for k, open_ in enumerate(free):
        if open_ and (k == 0 or not free[k - 1]):
            number += 1
        runs.append(number if open_ else -1)
    if free[0] and free[-1]:
        last = runs[-1]
        runs = [0 if run == last else run for run in runs]
    return runs


def _runs_at(rays: list[Place], runs: list[int], way: Place) -> set[int]:
    """Return the runs of free sectors that a direction lies in or borders on."""
    for k, ray in enumerate(rays):
        if _by_angle(ray, way) == 0:
            return {runs[k], runs[k - 1]} - {-1}
    return {runs[sum(_by_angle(ray, way) < 0 for ray in rays) - 1]} - {-1}
