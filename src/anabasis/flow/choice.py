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
from anabasis.flow.limits import limited_routes
from anabasis.flow.routes import successive_routes
from anabasis.network import FlowNetwork, Route

__all__ = ["Choice", "Leg", "choose", "only_part"]

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
    """The routes of the chosen set and how they are walked; the units on each leg, int64[m]; the last arrival's step.

    Leg k is how route k is walked; behind them come legs of parts that need no route, as they stand by the target.
    """

    routes: tuple[Route, ...]
    legs: tuple[Leg, ...]
    counts: NDArray[np.int64]
    steps: int


def choose(
    network: FlowNetwork,
    sizes: Sequence[int],
    walk: Callable[[Route], Leg],
    *,
    most: int | None = None,
    detour: float | None = None,
) -> Choice | None:
    """Return the fastest choice for parts of so many units, None if some part has no route.

    walk: tells how a route is walked. The edges from the source lead to the parts, in order. most: of routes, for each
    part. detour: by which share the way of a route may be longer than the shortest one of its part.
    """
    if most is not None or detour is not None:
        return _one_by_one(network, sizes, walk, most, detour)
    best: Choice | None = None
    for narrowed in _narrowed(network, sizes):
        for snapshot in successive_routes(narrowed).snapshots:
            choice = _split(snapshot, sizes, walk)
            if choice is not None and (best is None or choice.steps < best.steps):
                best = choice
    return best if best is not None or len(sizes) == 1 else _one_by_one(network, sizes, walk, None, None)


def _at_source(network: FlowNetwork) -> NDArray[np.int64]:
    """Return int64[parts]: the edges from the source, one for each part."""
    return np.flatnonzero(network.tail == network.source)


def only_part(network: FlowNetwork, part: int) -> FlowNetwork:
    """Return the network of one part of the group, as if the others were not there."""
    room = network.capacity.copy()
    room[np.delete(_at_source(network), part)] = 0
    return replace(network, capacity=room)


def _narrowed(network: FlowNetwork, sizes: Sequence[int]) -> list[FlowNetwork]:
    """Return the network itself, and with several parts also with less room for each from the source on."""
    if len(sizes) == 1:
        return [network]
    first = _at_source(network)
    gated = [route for route in successive_routes(network).snapshots[-1] if (network.gate[route.edges] >= 0).any()]
    total = sum(route.amount for route in gated)
    tail, head = network.tail, network.head
    at_target = np.concatenate([tail[head == network.sink], head[tail == network.sink]])
    behind = ~np.isin(head[first], at_target)  # gates; whoever stands in the target's region needs none of them
    units = np.array(sizes)
    if not behind.any():
        return [network]
    networks = [network]
    for times in _SHARES:
        limit = network.capacity.copy()
        limit[first] = np.ceil(total * times * units / units[behind].sum()).astype(np.int64)
        networks.append(replace(network, capacity=np.minimum(limit, network.capacity)))
    return networks


def _one_by_one(
    network: FlowNetwork,
    sizes: Sequence[int],
    walk: Callable[[Route], Leg],
    most: int | None,
    detour: float | None,
) -> Choice | None:
    """Choose for each part as if it were alone; together they may then take longer."""
    choices: list[Choice] = []
    for part, units in enumerate(sizes):
        alone = only_part(network, part)
        sets = successive_routes(alone)
        if not sets.augmentations:
            return None
        snapshots: Sequence[Sequence[Route]] = sets.snapshots
        if most is not None or detour is not None:
            longest = None if detour is None else int(sets.augmentations[0][0] * (1 + detour))
            limited = limited_routes(alone, units, most=most, longest=longest)
            snapshots = [] if limited is None else [limited.routes]
        splits = [_split(routes, [units], lambda route: replace(walk(route), part=0)) for routes in snapshots]
        found = min((split for split in splits if split is not None), key=lambda split: split.steps, default=None)
        if found is None:
            return None
        choices.append(replace(found, legs=tuple(replace(leg, part=part) for leg in found.legs)))
    return Choice(
        tuple(route for choice in choices for route in choice.routes),
        tuple(leg for choice in choices for leg in choice.legs),
        np.concatenate([choice.counts for choice in choices]),
        max(choice.steps for choice in choices),
    )


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
