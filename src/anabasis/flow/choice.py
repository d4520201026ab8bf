"""Choice: which set of routes a group takes, and how many units take each.

For each set of routes that can be used at once, and each part of the group, the units are distributed so that the last
one arrives soonest; the set with the earliest last arrival is taken (J. Pacovský, "Navigation of units in video games
using flow networks", 2019). A part of a group, which stands in a region of its own, may use the routes that begin
there. So that a part that stands nearer does not take all of a gate, the flow is also looked for with shares of it
reserved in proportion to the units.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from anabasis.flow.distribution import distribute
from anabasis.flow.routes import successive_routes
from anabasis.network import FlowNetwork, Route

__all__ = ["Choice", "Leg", "choose"]

_SHARES = (1.0, 1.5, 3.0)  # of its proportion, that a part may use


@dataclass(frozen=True)
class Leg:
    """A route as it is walked: the part of the group that takes it, its gates in order, its time and its rate."""

    part: int
    gates: tuple[int, ...]
    time: int
    rate: int


@dataclass(frozen=True, eq=False)
class Choice:
    """The routes of the chosen set, as walked; the units on each, int64[m]; the step of the last arrival."""

    routes: tuple[Route, ...]
    legs: tuple[Leg, ...]
    counts: NDArray[np.int64]
    steps: int


def choose(network: FlowNetwork, sizes: Sequence[int], walk: Callable[[Route], Leg]) -> Choice | None:
    """Return the fastest choice for parts of so many units, None if some part has no route.

    walk: tells how a route is walked. The edges from the source lead to the parts, so that they can be narrowed.
    """
    best: Choice | None = None
    for narrowed in _narrowed(network, sizes, walk):
        for snapshot in successive_routes(narrowed).snapshots:
            choice = _split(snapshot, sizes, walk)
            if choice is not None and (best is None or choice.steps < best.steps):
                best = choice
    return best


def _narrowed(network: FlowNetwork, sizes: Sequence[int], walk: Callable[[Route], Leg]) -> list[FlowNetwork]:
    """Return the network itself, and with several parts also with less room for each from the source on."""
    if len(sizes) == 1:
        return [network]
    at_source = (network.tail == network.source) | (network.head == network.source)
    most = sum(route.amount for route in successive_routes(network).snapshots[-1])
    share = np.zeros(network.tail.size)
    first = np.flatnonzero(at_source)
    share[first] = np.array(sizes) / sum(sizes)
    networks = [network]
    for times in _SHARES:
        limit = np.ceil(most * times * share).astype(np.int64)
        networks.append(replace(network, capacity=np.where(at_source, limit, network.capacity)))
    return networks


def _split(routes: Sequence[Route], sizes: Sequence[int], walk: Callable[[Route], Leg]) -> Choice | None:
    """Distribute the units of each part over its routes; None if a part has none."""
    legs = [walk(route) for route in routes]
    counts = np.zeros(len(legs), np.int64)
    steps = 0
    for part, units in enumerate(sizes):
        mine = [k for k, leg in enumerate(legs) if leg.part == part]
        if not mine:
            return None
        split = distribute([legs[k].time for k in mine], [legs[k].rate for k in mine], units)
        counts[mine] = split.counts
        steps = max(steps, split.steps)
    return Choice(tuple(routes), tuple(legs), counts, steps)
