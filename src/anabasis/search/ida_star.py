"""IDA*: depth-first search within a bound of the cost, which rises round by round to the least that went beyond it.

R. E. Korf, "Depth-First Iterative-Deepening: An Optimal Admissible Tree Search", 1985; with a table of the ways found,
kept from round to round: A. Reinefeld and T. A. Marsland, "Enhanced Iterative-Deepening Search", 1994; and with bounds
that rise faster where a round added little: U. K. Sarkar et al., "Reducing Reexpansions in Iterative-Deepening Search
by Controlling Cutoff Bounds", 1991.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import arcs_out
from anabasis._kernel.metric import vertex_distance
from anabasis._kernel.report import (
    COST,
    EXPAND,
    EXPANDED,
    GENERATE,
    GENERATED,
    LIMIT,
    NO_SOLUTION,
    OPEN,
    SOLVED,
    STATUS,
    note,
)
from anabasis._kernel.tree import walk
from anabasis._kernel.ways import walked_cost
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space
from anabasis.search.outcome import blank_report, check_limit, log_for, outcome
from anabasis.search.reach import settle

__all__ = ["ida_star"]

_HAIR = 1e-13  # of a bound: ways that differ by no more are equally long, added up in another order
_GROWTH = 1.5  # a round that expands less than so many times what the last one did makes the next bound leap


def ida_star(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    metric: str | None = None,
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a shortest path from vertex `start` to vertex `goal` without a queue, by depth-first searches.

    The options and the errors are those of `astar`; the path is a shortest one and its cost the bound, unless the
    metric may overestimate. stats: also rounds, the number of searches; expansions of all rounds count, and so do they
    towards the limit. The table of ways has an entry for each vertex: without it a map, where many ways lead to each
    cell, would take exponential time, and the little memory that is the point of the original is of no use. With it a
    query expands a few times to some hundred times what `astar` does, most in mazes and on maps with prices.
    """
    net = Space(space, neighbours, corners)
    start, goal = net.ends(start, goal)
    number, factor = net.estimate(metric)
    limit, log = check_limit(limit), log_for()
    row = blank_report()
    vertices, rounds = np.empty(0, np.int64), 0
    if not net.blocked(start):
        rounds, parent = _ida_star(net.arcs, start, goal, number, limit, row, log)
        if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
            log = log_for(row)
            _ida_star(net.arcs, start, goal, number, limit, row, log)
        if row[STATUS] == SOLVED:
            vertices = walk(parent, goal)
            row[COST] = walked_cost(net.arcs, vertices)
        elif row[STATUS] == NO_SOLUTION:
            settle(net, start, goal, row)
    result = outcome(net, start, goal, row, vertices, log, factor)
    return replace(result, stats={**result.stats, "rounds": rounds})


@kernel
def _ida_star(arcs: Any, start: int, goal: int, metric: int, limit: int, row: NDArray[np.float64], log: Any) -> Any:
    """Search with rising bounds; return the number of rounds and the tree.

    bounds: the least f that no earlier round reached, the bound of this round, and the least f beyond it.
    """
    n = len(arcs[1]) + len(arcs[9])
    g, seen, done = np.full(n, np.inf), np.zeros(n, np.int64), np.zeros(n, np.int64)
    parent = np.full(n, -1, np.int64)
    f = vertex_distance(arcs[9], arcs[0], start, goal, metric)
    bounds = np.array([f, f * (1 + _HAIR), np.inf])
    row[STATUS], row[EXPANDED], row[GENERATED] = NO_SOLUTION, 0, 0
    g[start] = 0.0
    rounds, logged, before, leap = 0, 0, 0.0, 0.0
    while True:
        rounds += 1
        count = row[EXPANDED]
        logged = _round(arcs, start, goal, metric, limit, rounds, bounds, g, seen, done, parent, row, log, logged)
        if row[STATUS] != NO_SOLUTION or bounds[2] == np.inf:
            break
        step = bounds[2] - bounds[0]
        if row[EXPANDED] - count < _GROWTH * before:
            leap = max(2 * leap, step)
        else:
            leap /= 2
        before = row[EXPANDED] - count
        bounds[0], bounds[1], bounds[2] = bounds[2], max(bounds[2], bounds[0] + leap) * (1 + _HAIR), np.inf
    row[OPEN] = bounds[0]
    return rounds, parent


@kernel
def _round(
    arcs: Any,
    start: int,
    goal: int,
    metric: int,
    limit: int,
    now: int,
    bounds: NDArray[np.float64],
    g: NDArray[np.float64],
    seen: NDArray[np.int64],
    done: NDArray[np.int64],
    parent: NDArray[np.int64],
    row: NDArray[np.float64],
    log: Any,
    logged: int,
) -> int:
    """Search once, depth first, within the bound, which falls to the length of each way to the goal that is found.

    g: the shortest ways known, over all rounds; seen and done: the last round in which a vertex was reached and
    expanded with that way. A longer way to a vertex than known, or one as long in the same round, is not followed.
    """
    width, points = arcs[0], arcs[9]
    degree: int = arcs[10]
    heads, steps = np.empty(degree, np.int64), np.empty(degree, np.float64)
    stack, keys = np.empty(1024, np.int64), np.empty(1024, np.float64)  # a vertex, and f when it was put there
    stack[0], keys[0] = start, g[start] + vertex_distance(points, width, start, goal, metric)
    seen[start] = now
    logged = note(log, logged, GENERATE, start, -1, 0.0, keys[0])
    size = 1
    row[GENERATED] += 1
    while size:
        size -= 1
        v = int(stack[size])
        if done[v] == now or keys[size] > bounds[1]:
            continue
        done[v] = now
        if v == goal:
            row[STATUS], bounds[1] = SOLVED, g[v]
            if g[v] <= bounds[0] * (1 + 2 * _HAIR):
                return logged  # no way can be shorter
            continue
        if limit and row[EXPANDED] == limit:
            row[STATUS] = LIMIT
            return logged
        row[EXPANDED] += 1
        logged = note(log, logged, EXPAND, v, int(parent[v]), float(g[v]), float(keys[size] - g[v]))
        if size + degree > len(stack):
            stack = np.concatenate((stack, np.empty(len(stack) + degree, np.int64)))
            keys = np.concatenate((keys, np.empty(len(keys) + degree, np.float64)))
        bottom = size
        for k in range(arcs_out(arcs, v, heads, steps)):
            w, way = heads[k], g[v] + steps[k]
            if way > g[w] or (way == g[w] and seen[w] == now):
                continue
            f = way + vertex_distance(points, width, w, goal, metric)
            if f > bounds[1]:
                bounds[2] = min(bounds[2], f)
                continue
            g[w], seen[w], done[w], parent[w] = way, now, 0, v
            i = size  # of the successors the one that looks nearest comes to lie on top
            while i > bottom and keys[i - 1] < f:
                stack[i], keys[i] = stack[i - 1], keys[i - 1]
                i -= 1
            stack[i], keys[i] = w, f
            size += 1
            row[GENERATED] += 1
            logged = note(log, logged, GENERATE, w, v, way, f - way)
    return logged
