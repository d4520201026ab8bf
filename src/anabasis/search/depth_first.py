"""Depth-first search: always on from the vertex found last; with a limit of depth, and with one that grows.

E. Lucas, "Récréations mathématiques", 1882, after C. P. Trémaux (depth first); R. E. Korf, "Depth-First Iterative-
Deepening: An Optimal Admissible Tree Search", 1985. All three remember with how few steps each vertex was reached, so
graphs with loops come to an end, and no way is searched twice that can't be better: memory grows with the map, which is
not the sparing search of the textbooks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
from anabasis._kernel.ways import walked_cost
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.options import check_count
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space
from anabasis.search.outcome import blank_report, check_limit, log_for, outcome
from anabasis.search.reach import settle

__all__ = ["depth_first", "depth_limited", "iterative_deepening"]

_ANY = 2**62  # a depth that no way has
_CUT = 4  # what a round leaves in the status if ways were cut off at the limit of depth


def depth_first(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find some path from vertex `start` to vertex `goal`, mostly a very long one.

    Arcs are tried in their order, on a grid east first, then clockwise; a vertex is expanded once. The options and the
    errors are those of `astar`. Complete; nothing is promised of the cost, and the bound is the distance by the default
    metric. stats: expanded, generated, steps. Without a way: NO_SOLUTION and the nearest reached vertex as in `astar`.
    """
    return _run(Space(space, neighbours, corners), start, goal, (_ANY, _ANY), limit, traced)


def depth_limited(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    depth: int = 0,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find some path of at most `depth` steps from vertex `start` to vertex `goal`, depth first.

    depth: 0 for any, and then this is `depth_first`, whose other options it has. A vertex is expanded again if it is
    reached with fewer steps than before, so that a path is found if one of so few steps exists. If there are only
    longer ways: LIMIT; if there is none: NO_SOLUTION.
    """
    most = check_count(depth, "limit of depth", expected="a count of steps, or 0 for any")
    return _run(Space(space, neighbours, corners), start, goal, (most, most) if most else (_ANY, _ANY), limit, traced)


def iterative_deepening(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a path with the fewest steps by depth-limited searches, each one step deeper than the one before.

    The options, the stats and the errors are those of `depth_first`, and rounds in stats is the number of searches. In
    each of them a vertex is expanded only at the least depth that the earlier ones found for it; still the time grows
    with the number of vertices times the depth of the goal. The cost is that of the path, which another may undercut.
    """
    return _run(Space(space, neighbours, corners), start, goal, (0, _ANY - 1), limit, traced)


def _run(net: Space, start: int, goal: int, depths: tuple[int, int], limit: int, traced: bool) -> Result[Path]:
    """Search with each limit of depth from the first to the last until one is enough."""
    start, goal = net.ends(start, goal)
    limit, log = check_limit(limit), log_for()
    row = blank_report()
    vertices, rounds = np.empty(0, np.int64), 0
    if not net.blocked(start):
        rounds, parent = _deepen(net.arcs, start, goal, *depths, limit, row, log)
        if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
            log = log_for(row)
            _deepen(net.arcs, start, goal, *depths, limit, row, log)
        if row[STATUS] == SOLVED:
            vertices = walk(parent, goal)
            row[COST] = walked_cost(net.arcs, vertices)
        elif row[STATUS] != LIMIT:
            cut = row[STATUS] == _CUT
            settle(net, start, goal, row)
            if cut and row[STATUS] == LIMIT:
                result = outcome(net, start, goal, row, vertices, log, np.inf)
                return replace(result, reason=f"every way has more than {depths[1]} steps")
    result = outcome(net, start, goal, row, vertices, log, np.inf)
    stats = {**result.stats, **({"steps": len(vertices) - 1} if result else {})}
    return replace(result, stats={**stats, "rounds": rounds} if depths[0] == 0 else stats)


@kernel
def _deepen(
    arcs: Any, start: int, goal: int, first: int, last: int, limit: int, row: NDArray[np.float64], log: Any
) -> Any:
    """Search with limits of depth from `first` to `last`; return the number of searches and the tree of the last."""
    size = len(arcs[1]) + len(arcs[9])
    least, seen = np.full(size, _ANY, np.int64), np.zeros(size, np.int64)
    parent = np.full(size, -1, np.int64)
    row[STATUS], row[EXPANDED], row[GENERATED], row[NEAREST] = _CUT, 0, 0, -1
    depth, rounds, logged = first, 0, 0
    while True:
        rounds += 1
        logged = _search(arcs, start, goal, depth, limit, rounds, least, seen, parent, row, log, logged)
        if row[STATUS] != _CUT or depth >= last:
            break
        depth += 1
    return rounds, parent


@kernel
def _search(
    arcs: Any,
    start: int,
    goal: int,
    depth: int,
    limit: int,
    now: int,
    least: NDArray[np.int64],
    seen: NDArray[np.int64],
    parent: NDArray[np.int64],
    row: NDArray[np.float64],
    log: Any,
    logged: int,
) -> int:
    """Search once, at most `depth` steps deep; return the number of rows logged so far.

    least: the fewest steps to a vertex known so far, over all rounds; seen: the round in which it was expanded last. A
    way that needs more steps to a vertex than known is not followed, nor one of as many in the same round.
    """
    degree: int = arcs[10]
    heads, steps = np.empty(degree, np.int64), np.empty(degree, np.float64)
    stack = np.empty((1024, 3), np.int64)  # vertex, the one before it, depth
    stack[0, 0], stack[0, 1], stack[0, 2] = start, -1, 0
    logged = note(log, logged, GENERATE, start, -1, 0.0, 0.0)
    size = 1
    row[STATUS] = NO_SOLUTION
    row[GENERATED] += 1
    while size:
        size -= 1
        v, before, d = stack[size, 0], stack[size, 1], stack[size, 2]
        if least[v] < d or (seen[v] == now and (depth == _ANY or least[v] == d)):
            continue
        least[v], seen[v], parent[v] = d, now, before
        if v == goal:
            row[STATUS] = SOLVED
            return logged
        if limit and row[EXPANDED] == limit:
            row[STATUS] = LIMIT
            return logged
        row[EXPANDED] += 1
        logged = note(log, logged, EXPAND, v, before, float(d), 0.0)
        if size + degree > len(stack):
            stack = np.concatenate((stack, np.empty((len(stack) + degree, 3), np.int64)))
        for k in range(arcs_out(arcs, v, heads, steps) - 1, -1, -1):  # the first arc comes to lie on top
            w = heads[k]
            if least[w] <= d + 1 and (least[w] <= d or seen[w] == now):
                continue
            if depth == _ANY and seen[w] == now:
                continue
            if d == depth:
                row[STATUS] = _CUT
                break
            stack[size, 0], stack[size, 1], stack[size, 2] = w, v, d + 1
            size += 1
            row[GENERATED] += 1
            logged = note(log, logged, GENERATE, w, v, float(d + 1), 0.0)
    return logged
