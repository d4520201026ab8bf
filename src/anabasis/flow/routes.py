"""Routes: sets of routes that can be used at once, from the shortest alone up to the greatest flow at the least length.

Successive shortest augmentations (R. G. Busacker, P. J. Gowen, "A procedure for determining a family of minimum-cost
network flow patterns", 1961) whose amounts are routes as long as nothing is taken back; an augmentation that takes flow
back is crossed into the routes, and the set before is kept, since it may be the faster one for few units (J. Pacovský,
"Navigation of units in video games using flow networks", 2019). Should crossing come to no end, which takes a route
that meets itself, the net flow is decomposed afresh.

Beyond the source, the search ends as soon as no further augmentation can help a given number of units: when a set that
there is brings them home in the time of a quickest flow (see `quickest`), no other set can be faster. That the next way
is longer than the time of the set alone proves nothing, since whole units are rounded otherwise on other routes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.flow.crossing import Walk, cross_all, without_loops
from anabasis.flow.distribution import distribute, fluid_steps
from anabasis.flow.residual import Arcs, Augmentation, Residual
from anabasis.network import PERIOD, FlowNetwork, Route
from anabasis.noun import summary

__all__ = ["RouteSets", "forward_routes", "net_flow", "successive_routes"]


@dataclass(frozen=True, eq=False)
class RouteSets:
    """Sets of routes that can be used at once: before each crossing, and at the end; each sorted by length.

    - flow: int64[m], the net flow at the end, positive from tail to head; its routes are the last snapshot.
    - augmentations: (length, amount) of each, by growing length.
    - crossings, splittings: pairs of routes crossed; runs of edges split since no route contained all of one.
    - merges: routes that came to be equal. loops: closed walks cut out. afresh: net flows decomposed afresh.
    - pruned: whether the search ended early for a given number of units.
    """

    snapshots: tuple[tuple[Route, ...], ...]
    flow: NDArray[np.int64]
    augmentations: tuple[tuple[int, int], ...]
    crossings: int = 0
    splittings: int = 0
    merges: int = 0
    loops: int = 0
    afresh: int = 0
    pruned: bool = False

    __repr__ = summary


def successive_routes(
    network: FlowNetwork, *, units: int | None = None, slack: int = 0, period: int = PERIOD
) -> RouteSets:
    """Return the sets of routes of the successive shortest augmentations, up to the maximum flow of minimum cost.

    No route uses an edge against the others, and no route visits a vertex twice. Without any way from source to sink
    the one set is empty.

    units: end as soon as no further set can bring so many home sooner by more than `slack` steps; with a slack of 0 the
    time of the fastest set is the same as without. A slack of a few steps, what rounding to whole units takes, ends the
    search much sooner.
    """
    residual = Residual(network)
    growing = _Growing(network, residual)
    snapshots: list[tuple[Route, ...]] = []
    augmentations: list[tuple[int, int]] = []
    ending = None if units is None else _Ending(units, slack, period)
    pruned = False
    while (found := residual.shortest()) is not None:
        if ending is not None and ending.reached(*growing.times_and_rates(), augmentations, found.length):
            pruned = True
            break
        if any(found.back):
            snapshots.append(growing.snapshot())
        residual.send(found)
        augmentations.append((found.length, found.amount))
        growing.add(found)
    snapshots.append(growing.snapshot())
    return RouteSets(
        tuple(snapshots),
        residual.flow,
        tuple(augmentations),
        growing.crossings,
        growing.splittings,
        growing.merges,
        growing.loops,
        growing.afresh,
        pruned,
    )


class _Ending:
    """Tells when no further augmentation can bring a number of units home sooner."""

    def __init__(self, units: int, slack: int, period: int) -> None:
        self.units, self.slack, self.period = units, slack, period
        self.best: int | None = None  # steps of the fastest set so far

    def reached(
        self, times: list[int], rates: list[int], augmentations: Sequence[tuple[int, int]], length: int
    ) -> bool:
        """Whether a set of these routes, or one before it, is as fast as any can be; the next way is so long."""
        if not times:
            return False
        lengths, amounts = zip(*augmentations, strict=True)
        bound = fluid_steps(lengths, amounts, self.units, period=self.period)
        if length < bound - 1:
            return False  # it may still lower the bound
        steps = distribute(times, rates, self.units, period=self.period).steps
        self.best = steps if self.best is None else min(self.best, steps)
        return self.best <= bound + self.slack


class _Growing:
    """The set of routes as it grows, and what it took."""

    def __init__(self, network: FlowNetwork, residual: Residual) -> None:
        self.network, self.residual = network, residual
        self.routes: dict[Walk, int] = {}
        self.made: dict[tuple[Walk, int], Route] = {}  # routes of snapshots, which share what stays the same
        self.crossings = self.splittings = self.merges = self.loops = self.afresh = 0

    def add(self, found: Augmentation) -> None:
        """Add an augmentation that has been sent."""
        walk = Walk.of(found)
        if not any(found.back):
            self.merges += walk in self.routes
            self.routes[walk] = self.routes.get(walk, 0) + found.amount
            return
        crossed = cross_all(self.routes, walk, found.amount)
        if crossed.complete:
            self.crossings += crossed.crossings
            self.splittings += crossed.splittings
            self.merges += crossed.merges
            self.routes = crossed.routes
            if any(len(set(walk.vertices)) < len(walk.vertices) for walk in self.routes):
                self._cut_loops()
        else:
            self.afresh += 1
            self.routes = forward_routes(self.network, self.residual.flow)
            self.residual.replace(net_flow(self.network, self.routes))

    def _cut_loops(self) -> None:
        """Cut the loops out of routes and of the flow; in a flow of least cost a loop has length 0."""
        routes, self.routes = self.routes, {}
        for route, amount in routes.items():
            simple, cut = without_loops(route)
            self.loops += len(cut)
            self.merges += simple in self.routes
            self.routes[simple] = self.routes.get(simple, 0) + amount
        self.residual.replace(net_flow(self.network, self.routes))

    def times_and_rates(self) -> tuple[list[int], list[int]]:
        """Return the lengths and the amounts of the routes as they are."""
        return [_length(self.network, walk) for walk in self.routes], list(self.routes.values())

    def snapshot(self) -> tuple[Route, ...]:
        """Return the routes as they are, the shortest first."""
        routes = [self._route(walk, amount) for walk, amount in self.routes.items()]
        return tuple(sorted(routes, key=lambda route: (route.length, route.edges.tolist())))

    def _route(self, walk: Walk, amount: int) -> Route:
        if (walk, amount) not in self.made:
            length = _length(self.network, walk)
            self.made[walk, amount] = Route(np.array(walk.vertices), np.array(walk.edges), amount, length)
        return self.made[walk, amount]


def _length(network: FlowNetwork, walk: Walk) -> int:
    return int(network.length[list(walk.edges)].sum())


def forward_routes(network: FlowNetwork, flow: NDArray[np.int64]) -> dict[Walk, int]:
    """Return forward routes with their amounts that make up a net flow, but for what circulates in it.

    flow: int64[m], positive from tail to head. The shortest route is taken out first with all that it can carry, so
    that the lengths lie far apart, which is the better the fewer the units are.
    """
    arcs = Arcs(network, np.maximum(np.stack([flow, -flow], axis=1).ravel(), 0))
    routes: dict[Walk, int] = {}
    while (found := arcs.shortest()) is not None:
        routes[Walk.of(found)] = found.amount
        for vertex, edge in zip(found.vertices, found.edges, strict=False):
            arcs.room[2 * edge + (network.tail[edge] != vertex)] -= found.amount
    return routes


def net_flow(network: FlowNetwork, routes: Mapping[Walk, int]) -> NDArray[np.int64]:
    """Return int64[m], the sum of routes on each edge, positive from tail to head."""
    flow = np.zeros(network.tail.size, np.int64)
    for walk, amount in routes.items():
        edges = np.array(walk.edges)
        flow[edges] += np.where(network.tail[edges] == np.array(walk.vertices[:-1]), amount, -amount)
    return flow
