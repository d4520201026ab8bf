"""Breadth-first search: paths of fewest steps, on a grid or a graph.

E. F. Moore, "The shortest path through a maze", 1959.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import arcs_out
from anabasis._kernel.report import (
    COST,
    EXPAND,
    EXPANDED,
    GENERATE,
    GENERATED,
    LIMIT,
    NEAREST,
    NO_SOLUTION,
    SOLVED,
    STATUS,
    note,
)
from anabasis._kernel.tree import walk
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space
from anabasis.search.outcome import blank_report, check_limit, log_for, outcome

__all__ = ["breadth_first", "breadth_first_steps"]


def breadth_first(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a path with the fewest steps from vertex `start` to vertex `goal`; options as those of `astar`.

    The cost of the path is what walking it costs, which another path may undercut. stats: expanded, generated, steps,
    and on a map of equal prices straight and diagonal. Without a way: NO_SOLUTION, the reason and the nearest reached
    vertex as in `astar`. Raises InputError for an unknown option or a vertex outside the map.
    """
    net = Space(space, neighbours, corners)
    start, goal = net.ends(start, goal)
    limit, log = check_limit(limit), log_for()
    row = blank_report()
    steps, parent, vertices = np.full(net.size, -1, np.int64), np.empty(net.size, np.int64), np.empty(0, np.int64)
    if not net.blocked(start):
        memory = steps, parent, np.empty(net.size), row
        _breadth_first(net.arcs, np.array([start]), goal, limit, *memory, log)
        if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
            log = log_for(row)
            steps[:] = -1
            _breadth_first(net.arcs, np.array([start]), goal, limit, *memory, log)
        if row[STATUS] == SOLVED:
            vertices = walk(parent, goal)
            vertices.flags.writeable = False
        elif row[STATUS] == NO_SOLUTION:
            row[NEAREST] = net.nearest(steps >= 0, goal)
    result = outcome(net, start, goal, row, vertices, log, np.inf)
    if not result:
        return result
    stats = {**result.stats, "steps": len(vertices) - 1}
    return Result(result.status, result.value, "", result.bound, stats, result.trace)


def breadth_first_steps(
    space: Grid | Graph, starts: ArrayLike, *, neighbours: int = 8, corners: str = "strict"
) -> NDArray[np.int64]:
    """Return int64[n]: the fewest steps from the nearest of `starts` to each vertex, -1 where no way leads.

    Raises InputError for an unknown option or a vertex outside the map.
    """
    net = Space(space, neighbours, corners)
    sources = np.unique(net.check(np.atleast_1d(np.asarray(starts)), "start"))
    if net.width:
        sources = sources[np.isfinite(net.cost[sources])]
    steps, row = np.full(net.size, -1, np.int64), np.zeros(6)
    memory = steps, np.empty(net.size, np.int64), np.empty(net.size), row
    _breadth_first(net.arcs, sources, -1, 0, *memory, log_for())
    return steps


@kernel
def _breadth_first(
    arcs: Any, starts: Any, goal: int, limit: int, steps: Any, parent: Any, cost: Any, row: Any, log: Any
) -> None:
    """Search from all starts until the goal (-1: everywhere); steps: -1 = not reached; leave the outcome in row."""
    heads, weights = np.empty(arcs[10], np.int64), np.empty(arcs[10], np.float64)
    queue = np.empty(steps.size, np.int64)
    head, tail, logged = 0, 0, 0
    for start in starts:
        steps[start], parent[start], cost[start] = 0, -1, 0.0
        logged = note(log, logged, GENERATE, start, -1, 0.0, 0.0)
        queue[tail] = start
        tail += 1
    row[STATUS] = NO_SOLUTION
    while head < tail:
        v = queue[head]
        if v == goal:
            row[STATUS], row[COST] = SOLVED, cost[v]
            break
        if limit and head == limit:
            row[STATUS] = LIMIT
            break
        head += 1
        logged = note(log, logged, EXPAND, v, parent[v], cost[v], 0.0)
        for k in range(arcs_out(arcs, v, heads, weights)):
            w = heads[k]
            if steps[w] < 0:
                steps[w], parent[w], cost[w] = steps[v] + 1, v, cost[v] + weights[k]
                logged = note(log, logged, GENERATE, w, v, cost[w], 0.0)
                queue[tail] = w
                tail += 1
            elif parent[w] == v and w != v:  # another arc beside the first: the cheaper one is walked
                cost[w] = min(cost[w], cost[v] + weights[k])
    row[EXPANDED], row[GENERATED] = head, tail
