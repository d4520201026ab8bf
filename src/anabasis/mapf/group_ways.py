"""Group ways: a group as agents of multi-agent path finding; the simulator follows the plan as well as it can.

The plan is that of J. Li et al., "MAPF-LNS2", 2022, with agents that vanish at the target, as units do that have
arrived.
"""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf.lns2 import lns2
from anabasis.options import check_kind, check_seed
from anabasis.plan import GroupPlan
from anabasis.result import Result, Status
from anabasis.scenario import Group
from anabasis.search.uncoordinated import plan_astar

__all__ = ["own_cells", "plan_cooperative"]

_VANISH = Rules(stay=False)
_REPAIRS = 1000


def plan_cooperative(grid: Grid, group: Group, *, seed: int = 0) -> Result[GroupPlan]:
    """Return a plan in which each unit has a way of its own that leaves the others room, cell by cell and step by step.

    Each unit goes to the nearest cell within the target's radius. Where several stand in one cell, all but one of them
    begin in the nearest cells that nobody has. Units are taken as wide as a cell, and all as fast; the simulator keeps
    to the ways and not to the times. Where no such plan is found, and for units without a way, the answer is that of
    `uncoordinated.plan_astar`, and stats say so: cooperative is 0. Raises InputError if the target or a unit is in a
    wall or outside the map.
    """
    check_kind(grid, Grid, "the map of a group")
    check_kind(group, Group, "who is planned for", "Group(positions, Target(x, y))")
    seed = check_seed(seed)
    alone = plan_astar(grid, group, seed=seed)
    if alone.value is None or alone.stats["without_way"]:
        return _as_it_is(alone)
    ways = _ways_to_own_cells(grid, group.vertices(grid))
    if ways is None:
        return _as_it_is(alone)
    homes = np.array([way[-1] for way in ways], np.int64)
    goal = group.goal(grid)
    inward = _inward(grid, group, goal)
    ends = np.array(list(inward), np.int64)
    near = ((grid.centres(homes)[:, None] - grid.centres(ends)[None]) ** 2).sum(axis=2).argmin(axis=1)
    result = lns2(Instance.of(grid, homes, ends[near], rules=_VANISH), limit=_REPAIRS, seed=seed)
    if result.value is None:
        return _as_it_is(alone)
    rows = result.value.vertices
    arrivals = result.value.arrivals(ends[near], stay=False)
    target = np.array([[group.target.x, group.target.y]])
    paths: list[ArrayLike] = []
    for unit, place in enumerate(group.positions):
        cells = [*ways[unit][:-1], *rows[: arrivals[unit] + 1, unit].tolist()]
        while cells[-1] != goal:
            cells.append(inward[cells[-1]])
        moved = [cells[0], *(there for here, there in pairwise(cells) if here != there)]
        paths.append(np.concatenate([place[None], grid.centres(moved), target]))
    plan = GroupPlan.of_paths(paths)
    stats = {**alone.stats, "cooperative": 1.0, "makespan": float(arrivals.max(initial=0))}
    return Result(Status.SOLVED, plan, stats=stats)


def _as_it_is(alone: Result[GroupPlan]) -> Result[GroupPlan]:
    return Result(alone.status, alone.value, alone.reason, alone.bound, {**alone.stats, "cooperative": 0.0})


def _inward(grid: Grid, group: Group, goal: int) -> dict[int, int]:
    """Return the target's cell and those around whose centres lie within its radius, each with the next one inward."""
    target = group.target
    inward, waiting = {goal: goal}, deque([goal])
    while waiting:
        here = waiting.popleft()
        for cell in _around(grid, here):
            x, y = grid.cell(cell)
            inside = (x + 0.5 - target.x) ** 2 + (y + 0.5 - target.y) ** 2 <= target.radius**2
            if inside and cell not in inward:
                inward[cell] = here
                waiting.append(cell)
    return inward


def _around(grid: Grid, cell: int) -> list[int]:
    """Return the free cells above, left, right and below."""
    x, y = grid.cell(cell)
    sides = (x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)
    return [grid.vertex(*side) for side in sides if grid.is_free(*side)]


def own_cells(grid: Grid, cells: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return int64[n]: the cell of each unit, or the nearest that nobody has; None if there are too few.

    cells: int64[n], the free vertices where units stand, several in one perhaps.
    """
    ways = _ways_to_own_cells(grid, cells)
    return None if ways is None else np.array([way[-1] for way in ways], np.int64)


def _ways_to_own_cells(grid: Grid, cells: NDArray[np.int64]) -> list[list[int]] | None:
    """Return the way of each unit from its cell to one of its own, as near as can be; None if there are too few."""
    taken = set[int]()
    ways: list[list[int]] = []
    for cell in cells.tolist():
        ways.append([cell] if cell not in taken else [])
        taken.add(cell)
    for unit, cell in enumerate(cells.tolist()):
        if not ways[unit]:
            way = _way_to_free_cell(grid, cell, taken)
            if not way:
                return None
            taken.add(way[-1])
            ways[unit] = way
    return ways


def _way_to_free_cell(grid: Grid, cell: int, taken: set[int]) -> list[int]:
    """Return the shortest way to a cell that nobody has, empty if there is none."""
    before, waiting = {cell: cell}, deque([cell])
    while waiting:
        here = waiting.popleft()
        if here not in taken:
            way = [here]
            while way[-1] != cell:
                way.append(before[way[-1]])
            return way[::-1]
        for there in _around(grid, here):
            if there not in before:
                before[there] = here
                waiting.append(there)
    return []
