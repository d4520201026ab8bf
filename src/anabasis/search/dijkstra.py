"""Dijkstra: shortest ways in the order of their cost, to one vertex or to all.

E. W. Dijkstra, "A Note on Two Problems in Connexion with Graphs", 1959.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import arcs_out
from anabasis._kernel.heap import heap_pop, heap_push
from anabasis._kernel.report import (
    COST,
    EXPAND,
    EXPANDED,
    GENERATE,
    GENERATED,
    LIMIT,
    NEAREST,
    NO_SOLUTION,
    OPEN,
    SOLVED,
    STATUS,
    UPDATE,
    note,
)
from anabasis._kernel.tree import walk
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space
from anabasis.search.outcome import check_limit, log_for, outcome

__all__ = ["dijkstra", "distances"]


def dijkstra(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a shortest path from vertex `start` to vertex `goal`, without an estimate of what is left.

    The options, the stats and the errors are those of `astar`; the path is always a shortest one and its cost the
    bound. The search ends as soon as the goal is settled.
    """
    net = Space(space, neighbours, corners)
    start, goal = int(net.check([start], "start")[0]), int(net.check([goal], "goal")[0])
    limit, log = check_limit(limit), log_for()
    distance, parent, row = _run(net, [start], [goal], limit, log)
    if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
        log = log_for(row)
        _run(net, [start], [goal], limit, log)
    vertices = np.empty(0, np.int64)
    if row[STATUS] == SOLVED:
        row[COST], vertices = distance[goal], walk(parent, goal)
    elif row[STATUS] == NO_SOLUTION and not net.blocked(start):
        row[NEAREST] = net.nearest(np.isfinite(distance), goal)
    return outcome(net, start, goal, row, vertices, log, 1.0)


def distances(
    space: Grid | Graph,
    sources: ArrayLike,
    *,
    targets: ArrayLike | None = None,
    neighbours: int = 8,
    corners: str = "strict",
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the distance of every vertex from the nearest source, and the vertex before it on the way.

    distance: float64[n], inf where no way leads; parent: int64[n], -1 there and at the sources. With targets the search
    ends when all of them are settled that can be; what is not settled by then counts as without a way. Blocked sources
    lead nowhere. Raises InputError for an unknown option or a vertex outside the map.
    """
    net = Space(space, neighbours, corners)
    goals = net.check([] if targets is None else targets, "target")
    if targets is not None and not len(goals):
        return np.full(net.size, np.inf), np.full(net.size, -1, np.int64)
    distance, parent, _ = _run(net, net.check(sources, "source"), goals, 0, log_for())
    return distance, parent


def _run(
    net: Space, sources: ArrayLike, targets: ArrayLike, limit: int, log: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Search from the sources; return distance, parent and the report."""
    wanted = np.zeros(net.size, np.bool_)
    wanted[np.asarray(targets, np.int64)] = True
    distance = np.full(net.size, np.inf)
    parent = np.full(net.size, -1, np.int64)
    row = np.array([NO_SOLUTION, 0, 0, np.inf, 0, -1], np.float64)
    open_sources = np.array([v for v in np.asarray(sources).tolist() if not net.blocked(v)], np.int64)
    _dijkstra(net.arcs, open_sources, wanted, int(wanted.sum()), limit, distance, parent, row, log)
    return distance, parent, row


@kernel
def _dijkstra(
    arcs: Any,
    sources: NDArray[np.int64],
    wanted: NDArray[np.bool_],
    missing: int,
    limit: int,
    distance: NDArray[np.float64],
    parent: NDArray[np.int64],
    row: NDArray[np.float64],
    log: NDArray[np.float64],
) -> None:
    """Settle vertices, nearest first, until the last of the `missing` wanted ones is settled; of 0, until no more."""
    degree: int = arcs[10]
    heads, steps = np.empty(degree, np.int64), np.empty(degree, np.float64)
    settled = np.zeros(len(distance), np.bool_)
    heap = np.empty((1024, 3), np.float64)
    size, expanded, generated, logged = 0, 0, 0, 0
    for v in sources:
        if distance[v] > 0:
            distance[v] = 0.0
            heap = heap_push(heap, size, 0.0, 0.0, v)
            logged = note(log, logged, GENERATE, v, -1, 0.0, 0.0)
            size += 1
            generated += 1
    while size:
        v = heap_pop(heap, size)
        size -= 1
        if settled[v]:
            continue  # a stale entry
        if wanted[v]:
            missing -= 1
            if missing == 0:
                settled[v] = True
                row[STATUS] = SOLVED
                break
        if limit and expanded == limit:
            row[STATUS], row[OPEN] = LIMIT, distance[v]
            break
        settled[v] = True
        expanded += 1
        logged = note(log, logged, EXPAND, v, parent[v], distance[v], 0.0)
        for k in range(arcs_out(arcs, v, heads, steps)):
            w, way = heads[k], distance[v] + steps[k]
            if distance[w] <= way:
                continue
            event = GENERATE if distance[w] == np.inf else UPDATE
            logged = note(log, logged, event, w, v, way, 0.0)
            distance[w], parent[w] = way, v
            heap = heap_push(heap, size, way, 0.0, w)
            size += 1
            generated += 1
    for v in range(len(distance)):
        if not settled[v]:
            distance[v], parent[v] = np.inf, -1
    row[EXPANDED], row[GENERATED] = expanded, generated
