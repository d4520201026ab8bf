"""The source's experiment: four units cross a map of 20 × 20 along its diagonals, and each step's search is timed.

The source is a Ukrainian master's thesis on path finding for several units in dynamic environments, 2021, with D* Lite
of S. Koenig and M. Likhachev, 2002. It runs the search that goes on from what it knows, and then the same program
without any data of earlier searches, on the same walk. The tiles of other units are blocked, but for a unit's own goal:
the goals are each other's starts. Shares of blocked tiles, mix of prices and seeds are not told, so they are chosen.

A clock compares like with like only if both sides make the same calls, for a call from Python takes as long as dozens
of expansions. With reuse and without it is therefore one call for each unit and step, the very same, `step_after`. What
sets the two apart is done before the clock runs: without reuse each search is told to forget all but the prices. A*
gives whole ways, so it is held against the search that goes on and is asked for whole ways too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter_ns

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.random import random_fraction, stream_key
from anabasis.grid import Grid
from anabasis.lab.studies.incremental_steps import ground
from anabasis.search.astar import AStar
from anabasis.search.dstar_lite import DStarLite

__all__ = [
    "LINES",
    "SETTINGS",
    "SIDE",
    "Crossing",
    "Setting",
    "View",
    "count_crossing",
    "crossing",
    "crossing_map",
    "time_crossing",
]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

SIDE = 20
LINES = ("incremental", "from scratch", "new search", "incremental, whole way", "A*", "A*, tables ready")
"""What is timed at each step: the same call with and without reuse, a new search object, whole ways with reuse, A*."""
_MAPS = 4261  # a stream of random numbers
_PATIENCE = 8  # a map is left out if the walk takes more steps than so many sides
_NONE, _NO_PRICES = np.empty(0, np.int64), np.empty(0)


@dataclass(frozen=True)
class Setting:
    """A kind of map: its name, the share of its tiles that is blocked, and the prices of the others."""

    name: str
    blocked: float
    prices: tuple[float, ...] = (1.0,)


SETTINGS = (
    Setting("empty", 0.0),
    Setting("20 % blocked", 0.2),
    Setting("30 % blocked", 0.3),
    Setting("20 % blocked, prices 1, 2, 8", 0.2, (1.0, 2.0, 8.0)),
)


@dataclass(frozen=True, eq=False)
class View:
    """What a unit is told before a step: where it is, which tiles have changed since its last step, the whole map."""

    unit: int
    place: int
    cells: Ints
    prices: Floats
    grid: Grid


@dataclass(frozen=True, eq=False)
class Crossing:
    """A walk: starts and goals of the units, what each of them is told at each step; maps that were left out before."""

    grid: Grid
    starts: tuple[int, ...]
    goals: tuple[int, ...]
    steps: tuple[tuple[View, ...], ...]
    left_out: int


def crossing(setting: Setting, seed: int, *, side: int = SIDE) -> Crossing:
    """Return the walk on the first map of a seed that all four units cross. They move one after the other.

    A unit takes the next step of its shortest way; it stays where it is if it has none or its goal is occupied.
    """
    last = side - 1
    starts = (0, last, side * last, side * last + last)
    left_out = 0
    while True:
        grid = crossing_map(setting, seed, left_out, side)
        steps = _walk(grid, starts, starts[::-1])
        if steps is not None:
            return Crossing(grid, starts, starts[::-1], steps, left_out)
        left_out += 1


def crossing_map(setting: Setting, seed: int, attempt: int, side: int) -> Grid:
    """Return a random map of side × side whose corners are free."""
    key = int(stream_key(seed, _MAPS, attempt))
    cost = np.empty(side * side)
    for cell in range(side * side):
        kind = int(random_fraction(key, cell, 1) * len(setting.prices))
        cost[cell] = np.inf if random_fraction(key, cell, 0) < setting.blocked else setting.prices[kind]
    corners = np.array([0, side - 1, side * (side - 1), side * side - 1])
    cost[corners] = np.where(np.isinf(cost[corners]), setting.prices[0], cost[corners])
    return ground(cost, side)


def _walk(grid: Grid, starts: tuple[int, ...], goals: tuple[int, ...]) -> tuple[tuple[View, ...], ...] | None:
    """Return what the units are told at each step until all have arrived, None if that takes too long."""
    places, seen = list(starts), [grid.cost.reshape(-1)] * len(starts)
    searches: list[DStarLite] = []
    steps: list[tuple[View, ...]] = []
    while places != list(goals):
        if len(steps) == _PATIENCE * grid.width:
            return None
        views: list[View] = []
        for unit, goal in enumerate(goals):
            if places[unit] == goal:
                continue
            others = [place for other, place in enumerate(places) if other != unit and place != goal]
            cost = grid.cost.reshape(-1).copy()
            cost[others] = np.inf
            now = ground(cost, grid.width)
            if not steps:  # what is known at the start is no change
                searches.append(DStarLite(now, places[unit], goal, neighbours=4))
                view = View(unit, places[unit], _NONE, _NO_PRICES, now)
            else:
                cells = np.flatnonzero(cost != seen[unit])
                view = View(unit, places[unit], cells, cost[cells], now)
                searches[unit].change(cells, view.prices)
            seen[unit] = cost
            views.append(view)
            step = searches[unit].next_step()
            if step is not None and step not in places:
                searches[unit].move_to(step)
                places[unit] = step
        steps.append(tuple(views))
    return tuple(steps)


def count_crossing(walk: Crossing) -> Mapping[str, float]:
    """Return what does not differ from run to run: expansions of each search and whether all ways cost the same."""
    inherited = [DStarLite(view.grid, view.place, walk.goals[view.unit], neighbours=4) for view in walk.steps[0]]
    spent, equal, calls, idle = np.zeros(3), 0, 0, 0
    for views in walk.steps:
        for view in views:
            search, goal = inherited[view.unit], walk.goals[view.unit]
            search.move_to(view.place)
            search.change(view.cells, view.prices)
            before = search.total_expanded
            mended = search.path()
            fresh = DStarLite(view.grid, view.place, goal, neighbours=4)
            anew = fresh.path()
            other = AStar(view.grid, neighbours=4).find(view.place, goal)
            expanded = search.total_expanded - before, fresh.total_expanded, other.stats["expanded"]
            spent += expanded
            idle += expanded[0] == 0
            costs = [-1.0 if result.value is None else result.value.cost for result in (mended, anew, other)]
            equal += costs[0] == costs[1] == costs[2]
            calls += 1
    first = sum(search.total_expanded for search in [_first(walk, view) for view in walk.steps[0]])
    return {
        "steps": len(walk.steps),
        "searches": calls,
        "equal costs": equal,
        "without expansion": idle,
        "left out": walk.left_out,
        "expanded first": first,
        "expanded": spent[0],
        "expanded anew": spent[1],
        "expanded by A*": spent[2],
    }


def _first(walk: Crossing, view: View) -> DStarLite:
    search = DStarLite(view.grid, view.place, walk.goals[view.unit], neighbours=4)
    search.next_step()
    return search


def time_crossing(walk: Crossing, repeats: int, *, lines: Sequence[str] = LINES) -> dict[str, Floats]:
    """Return ns of each search for each line, float64[steps, units], 0 where a unit has arrived.

    They are medians over repeats after a warm-up.
    """
    made: dict[str, Floats] = {}
    for name in lines:
        once = _TIMED[name]
        once(walk)
        made[name] = np.median([once(walk) for _ in range(repeats)], axis=0)
    return made


def _asked(walk: Crossing, ask: Callable[[DStarLite, Ints, Floats], object], *, reuse: bool = True) -> Floats:
    """Time what is asked of a unit's search at each step; without reuse all but the prices is forgotten before."""
    goals, times = walk.goals, _no_times(walk)
    searches = [DStarLite(view.grid, view.place, goals[view.unit], neighbours=4) for view in walk.steps[0]]
    for step, views in enumerate(walk.steps):
        for view in views:
            searches[view.unit].move_to(view.place)
            if not reuse:
                searches[view.unit].set_goal(goals[view.unit])
        for view in views:
            search, cells, prices = searches[view.unit], view.cells, view.prices
            begin = perf_counter_ns()
            ask(search, cells, prices)
            times[step, view.unit] = perf_counter_ns() - begin
    return times


def _no_times(walk: Crossing) -> Floats:
    return np.zeros((len(walk.steps), len(walk.goals)))


def _whole_way(search: DStarLite, cells: Ints, prices: Floats) -> None:
    """Ask for the whole way after changes, which takes two calls."""
    search.change(cells, prices)
    search.path()


def _new(walk: Crossing) -> Floats:
    """Time a new search object at each step, which is made and asked."""
    goals, times = walk.goals, _no_times(walk)
    for step, views in enumerate(walk.steps):
        for view in views:
            begin = perf_counter_ns()
            DStarLite(view.grid, view.place, goals[view.unit], neighbours=4).next_step()
            times[step, view.unit] = perf_counter_ns() - begin
    return times


def _astar(walk: Crossing) -> Floats:
    """Time A* with its tables of the map of that step."""
    goals, times = walk.goals, _no_times(walk)
    for step, views in enumerate(walk.steps):
        for view in views:
            begin = perf_counter_ns()
            AStar(view.grid, neighbours=4).find(view.place, goals[view.unit])
            times[step, view.unit] = perf_counter_ns() - begin
    return times


def _astar_ready(walk: Crossing) -> Floats:
    """Time A* alone: its tables of the map of that step are there."""
    goals, times = walk.goals, _no_times(walk)
    for step, views in enumerate(walk.steps):
        for view in views:
            search = AStar(view.grid, neighbours=4)
            begin = perf_counter_ns()
            search.find(view.place, goals[view.unit])
            times[step, view.unit] = perf_counter_ns() - begin
    return times


_TIMED: dict[str, Callable[[Crossing], Floats]] = dict(
    zip(
        LINES,
        (
            partial(_asked, ask=DStarLite.step_after),
            partial(_asked, ask=DStarLite.step_after, reuse=False),
            _new,
            partial(_asked, ask=_whole_way),
            _astar,
            _astar_ready,
        ),
        strict=True,
    )
)
