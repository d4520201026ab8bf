"""Detours: how wide the ways to a target are that units take by themselves, and how much wider with a detour.

A check of what a scenario is, that knows nothing of decompositions and flow networks: the width of all ways that are at
most D cells longer than a unit's shortest is the greatest number of ways that share no cell (K. Menger: Zur allgemeinen
Kurventheorie, 1927; maximum flow through the cells). From widths follows a rough forecast of the last arrival, with the
shortest ways alone and with all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.grid import Grid
from anabasis.lab.studies.flow_maps import parts
from anabasis.scenario import Group, Scenario, Target

__all__ = ["DETOURS", "Prospect", "forecast", "prospect", "turns", "width_within"]

DETOURS = (3.0, 8.0, 15.0, 25.0, 40.0, 60.0, 90.0, 130.0, 200.0)  # cells
_RATE = 0.53  # units a step through one cell of width, in shares of speed / diameter: measured at gaps 2 to 8 wide
_SAMPLE = 40  # units whose shortest ways are looked at
_APART = 6.0  # cells between units of two crowds
_LARGE = 40  # cells of an obstacle that makes two ways around it different ways


@dataclass(frozen=True)
class Prospect:
    """What there is to gain from splitting in a scenario with one group.

    widths, routes: for each of DETOURS the width of all ways that are at most so much longer, and how many routes they
    are: 1 more than the large obstacles that they surround. alone, all: forecast of the last arrival, if the routes are
    used that there are with DETOURS[0], and if all are. useful: how many routes begin to deliver before that.
    """

    widths: tuple[int, ...]
    routes: tuple[int, ...]
    alone: float
    all: float
    useful: int

    @property
    def gain(self) -> float:
        """How many times as long a group takes that does not use further routes."""
        return self.alone / self.all


def prospect(scenario: Scenario) -> Prospect:
    """Return the prospect of a scenario with one group."""
    group = scenario.groups[0]
    extra, own = _extra(scenario)
    widths = [width_within(scenario, extra <= detour) for detour in DETOURS]
    routes = [1 + _surrounded(extra <= detour) for detour in DETOURS]
    rate = _RATE * group.speed / (2 * group.radius)
    shortest = float(np.median(own)) - group.target.radius
    begin = [(shortest + detour * (k > 0)) / group.speed for k, detour in enumerate(DETOURS)]
    rates = (np.diff(widths, prepend=0) * rate).tolist()
    same = routes.count(routes[0])
    whole = forecast(group.size, begin, rates)
    useful = max(r for r, time in zip(routes, begin, strict=True) if time < whole)
    return Prospect(tuple(widths), tuple(routes), forecast(group.size, begin[:same], rates[:same]), whole, useful)


def _surrounded(cells: NDArray[np.bool_]) -> int:
    """Return how many large holes a set of cells (bool[h, w]) has."""
    label = parts(np.pad(~cells, 1, constant_values=True))
    size = np.bincount(label.ravel())
    size[[0, label[0, 0]]] = 0
    return int((size >= _LARGE).sum())


def forecast(units: int, begin: list[float], rates: list[float]) -> float:
    """Return when the last of the units arrives if ways begin to deliver at those times, and then at those rates."""
    rate = delivered = now = 0.0
    for time, more in zip(begin, rates, strict=True):
        if rate and delivered + rate * (time - now) >= units:
            break
        delivered += rate * (time - now)
        rate, now = rate + more, time
    return now + (units - delivered) / rate


def _extra(scenario: Scenario) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return float64[h, w], how much longer than a unit's shortest way the best way through each cell is, for the unit
    to whom it is least; and float64[n], the length of each unit's shortest way.
    """
    from anabasis.search.integration import integrate
    from anabasis.search.moves import Space

    grid, group = scenario.grid, scenario.groups[0]
    space, starts = Space(grid), group.vertices(grid)
    to_target = integrate(space, np.array([group.goal(grid)]))[0]
    own = to_target.ravel()[starts]
    extra = np.full(to_target.shape, np.inf)
    for unit in np.unique(np.linspace(0, group.size - 1, _SAMPLE).round().astype(np.int64)).tolist():
        extra = np.minimum(extra, integrate(space, starts[unit : unit + 1])[0] - own[unit])
    return extra + to_target, own


def width_within(scenario: Scenario, cells: NDArray[np.bool_]) -> int:
    """Return how many ways from the group's cells to its target share no cell, inside `cells` (bool[h, w])."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_flow

    grid, group = scenario.grid, scenario.groups[0]
    used = cells & grid.free
    y, x = np.mgrid[: grid.height, : grid.width]
    goal = used & (np.hypot(x + 0.5 - group.target.x, y + 0.5 - group.target.y) <= max(group.target.radius, 1.0))
    begin = np.zeros(used.shape, bool)
    begin.ravel()[group.vertices(grid)] = True
    n = grid.width * grid.height
    source, sink, many = 2 * n, 2 * n + 1, 1 << 20
    vertex = np.arange(n).reshape(used.shape)
    arcs: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]] = []

    def join(tail: NDArray[np.int64], head: NDArray[np.int64], capacity: NDArray[np.int64]) -> None:
        arcs.append((tail, head, capacity))

    v = vertex[used]
    join(v, v + n, np.where((begin | goal)[used], many, 1))
    for a, b in (((slice(None), slice(1, None)), (slice(None), slice(-1))), ((slice(1, None),), (slice(-1),))):
        both = used[a] & used[b]
        for tail, head in ((vertex[a][both], vertex[b][both]), (vertex[b][both], vertex[a][both])):
            join(tail + n, head, np.full(tail.size, 1))
    v = vertex[begin & used]
    join(np.full(v.size, source), v, np.full(v.size, many))
    v = vertex[goal]
    join(v + n, np.full(v.size, sink), np.full(v.size, many))
    tail, head, capacity = (np.concatenate(column) for column in zip(*arcs, strict=True))
    network = coo_array((capacity.astype(np.int32), (tail, head)), shape=(2 * n + 2, 2 * n + 2)).tocsr()
    return int(maximum_flow(network, source, sink).flow_value)


def turns(grid: Grid, ways: Iterable[NDArray[np.float64]]) -> Counter[tuple[int, ...]]:
    """Return how many ways (each float64[k, 2], to one target) pass the large obstacles on the same sides.

    The key of a way is the number of the crowd that it begins in and, for each large obstacle that is no part of the
    map's edge, how often the way crosses a ray from it to the right downward, less how often upward, having come to its
    beginning by the shortest way from the first beginning of its crowd.
    """
    lines = [way for way in ways if len(way)]
    if not lines:
        return Counter()
    blocked = np.pad(~grid.free, 1, constant_values=True)
    label = parts(blocked)
    size = np.bincount(label.ravel())
    size[[0, label[0, 0]]] = 0
    first = {int(number): at for at, number in reversed(list(enumerate(label.ravel().tolist())))}
    places = [divmod(first[number], blocked.shape[1]) for number in np.flatnonzero(size >= _LARGE).tolist()]
    origins = [(column - 0.5, row - 0.5 + 1e-4) for row, column in places]
    begin, end = np.array([way[0] for way in lines]), lines[0][-1]
    crowd = _crowds(begin)
    found: Counter[tuple[int, ...]] = Counter()
    for number in range(int(crowd.max()) + 1):
        mine = np.flatnonzero(crowd == number)
        for k, leg in zip(mine.tolist(), _legs(grid, begin[mine]), strict=True):
            whole = np.vstack([leg, lines[k], end])
            found[(number, *(_crossings(whole, x, y) for x, y in origins))] += 1
    return found


def _crowds(places: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return int64[n]: the number of the crowd of each place; crowds are more than _APART apart."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import KDTree

    pairs = KDTree(places).query_pairs(_APART, output_type="ndarray")
    near = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(places), len(places)))
    return connected_components(near, directed=False)[1].astype(np.int64)


def _legs(grid: Grid, places: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return shortest ways from the first place to each."""
    from anabasis.search.uncoordinated import plan_astar

    plan = plan_astar(grid, Group(places, Target(*places[0].tolist()))).value
    if plan is None:
        return [places[:1]] * len(places)
    return [np.vstack([plan.path(unit)[::-1], places[unit]]) for unit in range(plan.size)]


def _crossings(way: NDArray[np.float64], x: float, y: float) -> int:
    """Return how often a way crosses the ray from (x, y) to the right downward, less how often upward."""
    above = way[:, 1] < y
    k = np.flatnonzero(above[1:] != above[:-1])
    (x0, y0), (x1, y1) = way[k].T, way[k + 1].T
    right = x0 + (y - y0) / (y1 - y0) * (x1 - x0) > x
    return int(np.where(above[k], 1, -1)[right].sum())
