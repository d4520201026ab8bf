"""The source's experiment: four units cross a map of 20 × 20 along its diagonals, and each step's search is timed.

The source is a Ukrainian master's thesis on path finding for several units in dynamic environments, 2021, with D* Lite
of S. Koenig and M. Likhachev, 2002. It runs the search that goes on from what it knows, and then the same program
without any data of earlier searches, on the same walk. The tiles of other units are blocked, but for a unit's own goal:
the goals are each other's starts. Shares of blocked tiles, mix of prices and seeds are not told, so they are chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
LINES = ("incremental", "from scratch", "from scratch, memory kept", "A*", "A*, tables ready")
"""What is timed at each step."""
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
    """Return ns of all searches of a step, float64[steps], for each line: medians over repeats after a warm-up."""
    made: dict[str, Floats] = {}
    for name in lines:
        once = _TIMED[name]
        once(walk)
        made[name] = np.median(np.array([once(walk) for _ in range(repeats)], np.float64), axis=0)
    return made


def _incremental(walk: Crossing) -> list[int]:
    """Time the search that goes on from what it knows: one call, `step_after`, takes the changes and gives the step."""
    goals, searches = walk.goals, list[DStarLite]()
    for view in walk.steps[0]:  # what makes a search is then as warm as where one is made at each step
        _first(walk, view)
    begin = perf_counter_ns()
    for view in walk.steps[0]:
        searches.append(DStarLite(view.grid, view.place, goals[view.unit], neighbours=4))
        searches[-1].next_step()
    times = [perf_counter_ns() - begin]
    for views in walk.steps[1:]:
        told = [(searches[view.unit], view.cells, view.prices) for view in views]
        for view in views:
            searches[view.unit].move_to(view.place)
        begin = perf_counter_ns()
        for search, cells, prices in told:
            search.step_after(cells, prices)
        times.append(perf_counter_ns() - begin)
    return times


def _scratch(walk: Crossing) -> list[int]:
    """Time a new search object at each step."""
    goals, times = walk.goals, list[int]()
    for views in walk.steps:
        begin = perf_counter_ns()
        for view in views:
            DStarLite(view.grid, view.place, goals[view.unit], neighbours=4).next_step()
        times.append(perf_counter_ns() - begin)
    return times


def _kept(walk: Crossing) -> list[int]:
    """Time one search object whose search begins anew at each step: its arrays are not made again.

    It is told the changes, begun anew and asked in three calls, for there is no one call that does so.
    """
    goals = walk.goals
    searches = [DStarLite(view.grid, view.place, goals[view.unit], neighbours=4) for view in walk.steps[0]]
    times: list[int] = []
    for views in walk.steps:
        told = [(searches[view.unit], goals[view.unit], view.cells, view.prices) for view in views]
        for view in views:
            searches[view.unit].move_to(view.place)
        begin = perf_counter_ns()
        for search, goal, cells, prices in told:
            search.change(cells, prices)
            search.set_goal(goal)
            search.next_step()
        times.append(perf_counter_ns() - begin)
    return times


def _astar(walk: Crossing) -> list[int]:
    """Time A* with its tables of the map of that step."""
    goals, times = walk.goals, list[int]()
    for views in walk.steps:
        begin = perf_counter_ns()
        for view in views:
            AStar(view.grid, neighbours=4).find(view.place, goals[view.unit])
        times.append(perf_counter_ns() - begin)
    return times


def _astar_ready(walk: Crossing) -> list[int]:
    """Time A* alone: its tables of the map of that step are there."""
    goals, times = walk.goals, list[int]()
    for views in walk.steps:
        told = [(AStar(view.grid, neighbours=4), view.place, goals[view.unit]) for view in views]
        begin = perf_counter_ns()
        for search, place, goal in told:
            search.find(place, goal)
        times.append(perf_counter_ns() - begin)
    return times


_TIMED: dict[str, Callable[[Crossing], list[int]]] = dict(
    zip(LINES, (_incremental, _scratch, _kept, _astar, _astar_ready), strict=True)
)
