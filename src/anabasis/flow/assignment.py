"""Assignment: which unit of a group takes which route, when it is known how many units each route gets.

The first four strategies, the tree of shared gates and the hidden dependency that it avoids are those of J. Pacovský,
"Navigation of units in video games using flow networks", 2019. Beyond it, units that share a first gate can take the
routes behind it by turns, as fast as each route lets them pass; the two optimal strategies are for comparison.

The gates of all routes make a tree with the group at its root; a unit chooses where routes part. How far it is to the
first gates is told by walking distances, how far to later ones by straight lines from where the unit stands at first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.random import random_word, stream_key
from anabasis.errors import InputError
from anabasis.flow.transport import least_longest, least_total
from anabasis.noun import freeze

__all__ = ["STRATEGIES", "TARGET", "assign"]

TARGET = -1  # stands for the target where a route has no more gates

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Share = Callable[[Floats, Ints], Ints]
"""(distance float64[n, k] of units to gates, units that each gate wants int64[k]) → the gate of each unit int64[n]."""


@dataclass(frozen=True, eq=False)
class _Task:
    """What a strategy is given; `walk` has a column of distances for each first gate, `beyond` a length for a route."""

    positions: Floats
    counts: Ints
    gates: tuple[tuple[int, ...], ...]
    points: Floats
    target: tuple[float, float]
    walk: Mapping[int, Floats]
    beyond: Floats
    rates: Floats
    seed: int

    def gate(self, route: int, depth: int) -> int:
        """Return the gate of a route at a depth of the tree, the target after the last one."""
        gates = self.gates[route]
        return gates[depth] if depth < len(gates) else TARGET

    def distance(self, units: Ints, gate: int, depth: int) -> Floats:
        """Return float64[k]: how far it is from units to a gate."""
        if depth == 0 and gate in self.walk:
            return self.walk[gate][units]
        x, y = self.target if gate == TARGET else self.points[gate]
        return np.hypot(self.positions[units, 0] - x, self.positions[units, 1] - y)


def assign(
    positions: ArrayLike,
    counts: ArrayLike,
    gates: Sequence[Sequence[int]],
    points: ArrayLike,
    target: tuple[float, float],
    *,
    walk: Mapping[int, ArrayLike] | None = None,
    beyond: ArrayLike | None = None,
    rates: ArrayLike | None = None,
    strategy: str = "shared-gates",
    seed: int = 0,
) -> NDArray[np.int64]:
    """Return int64[n]: the route of each unit, so that route r gets counts[r] units.

    - positions: float64[n, 2], x and y of the units. counts: int64[m] ≥ 0 with the sum n.
    - gates: for each route the numbers of its gates in order; points: float64[g, 2], the centres of all gates.
    - target: x and y, which stands for the next gate of a route that has none left.
    - walk: for first gates (TARGET for a route without gates) the walking distance of each unit to it, float64[n], inf
      where it can't get there; the straight line where it is left out.
    - beyond: float64[m], the way from the first gate of each route to the target; only `least-longest` looks at it.
    - rates: float64[m] > 0, units that a route lets pass in some time, by default as many as it gets; only `by-turns`
      looks at them.
    - strategy: one of STRATEGIES. seed: for `random` alone.

    Units are sent to a first gate that they can't reach only as far as the counts leave no other way. All but
    `in-order`, `random` and `nearest` give the same route to the same place whatever the numbers of the units, as long
    as no two units stand on one point. Raises InputError for numbers that don't fit together.
    """
    places = freeze(positions, np.float64, (None, 2), "positions of units")
    n, m = len(places), len(gates)
    wanted = freeze(counts, np.int64, (m,), "units for each route")
    if (wanted < 0).any() or wanted.sum() != n:
        raise InputError("units for each route", found=f"{wanted.tolist()}", expected=f"numbers with the sum {n}")
    centres = freeze(points, np.float64, (None, 2), "centres of gates")
    sequences = tuple(tuple(int(gate) for gate in route) for route in gates)
    for gate in {gate for route in sequences for gate in route}:
        if not 0 <= gate < len(centres):
            raise InputError("gate of a route", found=f"gate {gate}", expected=f"0 to {len(centres) - 1}")
    if strategy not in STRATEGIES:
        raise InputError("unknown strategy of assignment", found=repr(strategy), expected=" or ".join(STRATEGIES))
    choose, numbered = STRATEGIES[strategy]
    order = np.arange(n) if numbered else np.lexsort((places[:, 1], places[:, 0]))
    ways = {g: freeze(d, np.float64, (n,), f"distances to gate {g}")[order] for g, d in (walk or {}).items()}
    rest = freeze(np.zeros(m) if beyond is None else beyond, np.float64, (m,), "lengths beyond the first gates")
    rate = freeze(np.maximum(wanted, 1) if rates is None else rates, np.float64, (m,), "rates of routes")
    if not (rate > 0).all():
        raise InputError("rates of routes", found=f"{rate.tolist()}", expected="numbers above 0")
    end = (float(target[0]), float(target[1]))
    task = _Task(places[order], wanted, sequences, centres, end, ways, rest, rate, seed)
    route = np.empty(n, np.int64)
    route[order] = _within_reach(task, choose(task))
    return route


def in_order(task: _Task) -> Ints:
    """Return the routes of units in the order of their numbers: the first ones take route 0, the next ones route 1."""
    return np.repeat(np.arange(task.counts.size), task.counts)


def random(task: _Task) -> Ints:
    """Return the routes shuffled by the seed."""
    key = stream_key(task.seed, 0, 0)
    words = np.array([random_word(key, unit, 0) for unit in range(len(task.positions))], np.int64)
    route = np.empty(words.size, np.int64)
    route[np.argsort(words, kind="stable")] = in_order(task)
    return route


def nearest(task: _Task) -> Ints:
    """Let units choose in the order of their numbers: each the nearest gate that still wants units."""
    return _down_the_tree(task, _take_nearest, _take_nearest)


def farthest(task: _Task) -> Ints:
    """Let units choose from the nearest to any gate on: each the farthest gate that still wants units."""
    return _down_the_tree(task, _take_farthest, _take_farthest)


def shared_gates(task: _Task) -> Ints:
    """Let first gates take the units nearest to them, all at once; where routes part later, do as `farthest`.

    The source's choice. A unit that several gates would take goes to the nearest of them; what is still wanted then is
    taken in further rounds from the units that are left.
    """
    return _down_the_tree(task, _take_in_rounds, _take_farthest)


def by_turns(task: _Task) -> Ints:
    """Let first gates take units as `shared_gates` does; then their routes take them by turns, the nearest first.

    A route that lets twice as many units pass has twice as many turns, so behind the gate each route is fed just as
    fast as it can take units. The longer of two routes has fewer units for its rate and gets its last one earlier: both
    are done together. With `shared_gates` the units of one of them stand behind those of the other.
    """
    route = np.zeros(len(task.positions), np.int64)
    used = np.flatnonzero(task.counts)
    if not used.size:
        return route
    first = np.array([task.gate(r, 0) for r in used.tolist()])
    gates = list(dict.fromkeys(first.tolist()))
    distance = np.stack([task.distance(np.arange(route.size), gate, 0) for gate in gates], axis=1)
    demand = np.array([task.counts[used[first == gate]].sum() for gate in gates])
    taken = _take_in_rounds(distance, demand)
    for number, gate in enumerate(gates):
        units, routes = np.flatnonzero(taken == number), used[first == gate]
        turn = np.concatenate(
            [
                (np.arange(count) + 0.5) / task.rates[r]
                for r, count in zip(routes, task.counts[routes].tolist(), strict=True)
            ]
        )
        whose = np.repeat(routes, task.counts[routes])[np.argsort(turn, kind="stable")]
        route[units[np.argsort(distance[units, number], kind="stable")]] = whose
    return route


def total(task: _Task) -> Ints:
    """Share units out over first gates with the least sum of distances; where routes part later, as `farthest`."""
    return _down_the_tree(task, least_total, _take_farthest)


def longest(task: _Task) -> Ints:
    """Make the longest way of any unit, from where it stands through its first gate to the target, as short as can be.

    With that, the sum of the ways is the least. Routes that share their first gate differ by their length alone.
    """
    every = np.arange(len(task.positions))
    ways = [task.distance(every, task.gate(r, 0), 0) + task.beyond[r] for r in range(task.counts.size)]
    return least_longest(np.stack(ways, axis=1), task.counts) if ways else every


STRATEGIES: dict[str, tuple[Callable[[_Task], Ints], bool]] = {  # and whether the numbers of units matter
    "in-order": (in_order, True),
    "random": (random, True),
    "nearest": (nearest, True),
    "farthest": (farthest, False),
    "shared-gates": (shared_gates, False),
    "by-turns": (by_turns, False),
    "least-total": (total, False),
    "least-longest": (longest, False),
}


def _down_the_tree(task: _Task, first: Share, later: Share) -> Ints:
    """Share units out where routes part: by `first` over the first gates, by `later` further down."""
    route = np.zeros(len(task.positions), np.int64)
    branches = [(np.arange(route.size), np.arange(task.counts.size), 0)]
    while branches:
        units, routes, depth = branches.pop()
        routes = routes[task.counts[routes] > 0]
        if not units.size:
            continue
        if depth > max(len(task.gates[r]) for r in routes.tolist()):  # the same gates to the end
            route[units] = np.repeat(routes, task.counts[routes])
            continue
        at = [task.gate(r, depth) for r in routes.tolist()]
        children = list(dict.fromkeys(at))
        child_of_route = np.array([children.index(gate) for gate in at])
        child = np.zeros(units.size, np.int64)
        if len(children) > 1:
            demand = np.bincount(child_of_route, task.counts[routes]).astype(np.int64)
            distance = np.stack([task.distance(units, gate, depth) for gate in children], axis=1)
            child = (later if depth else first)(distance, demand)
        for number in range(len(children)):
            branches.append((units[child == number], routes[child_of_route == number], depth + 1))
    return route


def _take_nearest(distance: Floats, demand: Ints) -> Ints:
    return _take_turns(distance, demand)


def _take_farthest(distance: Floats, demand: Ints) -> Ints:
    turn = np.argsort(distance.min(axis=1), kind="stable")
    choice = np.empty(len(distance), np.int64)
    choice[turn] = _take_turns(np.where(np.isfinite(distance), -distance, np.inf)[turn], demand)
    return choice


def _take_turns(dislike: Floats, demand: Ints) -> Ints:
    """Let units choose in order, each what it dislikes least of what is still wanted."""
    choice = np.empty(len(dislike), np.int64)
    left, start = demand.copy(), 0
    while start < choice.size:
        wanted = np.flatnonzero(left)
        picks = dislike[start:, wanted].argmin(axis=1)
        # all choices stand until one of them has its fill
        fill = [np.flatnonzero(picks == i)[left[g] - 1 : left[g]] for i, g in enumerate(wanted.tolist())]
        done = min((int(f[0]) + 1 for f in fill if f.size), default=picks.size)
        choice[start : start + done] = wanted[picks[:done]]
        left -= np.bincount(wanted[picks[:done]], minlength=left.size)
        start += done
    return choice


def _take_in_rounds(distance: Floats, demand: Ints) -> Ints:
    """Let gates take the units nearest to them, as many as they want, all at once and in rounds (see `shared_gates`).

    With k gates a round places at least a k-th of the units that are left.
    """
    n, gates = distance.shape
    choice = np.full(n, -1)
    left = demand.copy()
    queues = [np.argsort(distance[:, g], kind="stable") for g in range(gates)]
    reachable = True  # gates take only units that can get to them, until there are none
    while left.any():
        hit, least = np.full(n, -1), np.full(n, np.inf)
        for g in np.flatnonzero(left).tolist():
            queues[g] = queues[g][choice[queues[g]] < 0]
            near = queues[g][: left[g]]
            away = distance[near, g]
            mine = ((away < least[near]) & np.isfinite(away)) | ((hit[near] < 0) & (not reachable))
            hit[near[mine]], least[near[mine]] = g, away[mine]
        taken = hit >= 0
        choice[taken] = hit[taken]
        left -= np.bincount(hit[taken], minlength=gates)
        reachable = reachable and bool(taken.any())
    return choice


def _within_reach(task: _Task, route: Ints) -> Ints:
    """Return the routes with as few changes as can be so that the fewest units are sent where they can't get."""
    if all(np.isfinite(d).all() for d in task.walk.values()):
        return route
    every = np.arange(route.size)
    reach = np.stack([np.isfinite(task.distance(every, task.gate(r, 0), 0)) for r in range(task.counts.size)], axis=1)
    if reach[every, route].all():
        return route
    change = np.where(reach, 1.0, np.inf)
    change[every, route] = np.where(reach[every, route], 0.0, np.inf)
    return least_total(change, task.counts)
