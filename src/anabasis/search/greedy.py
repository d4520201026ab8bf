"""Greedy best-first search: always on from the vertex that looks nearest to the goal, whatever the way cost so far.

J. E. Doran and D. Michie, "Experiments with the Graph Traverser Program", 1966.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import arcs_out
from anabasis._kernel.heap import heap_grown, heap_pop, heap_push
from anabasis._kernel.metric import vertex_distance
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

__all__ = ["greedy"]


def greedy(
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
    """Find some path from vertex `start` to vertex `goal`, mostly fast, of any length.

    The options, the stats and the errors are those of `astar`. Complete: it finds a path if there is one; nothing is
    promised of its cost, and the bound is the distance by the default metric.
    """
    net = Space(space, neighbours, corners)
    start, goal = net.ends(start, goal)
    number, _ = net.estimate(metric)
    limit, log = check_limit(limit), log_for()
    g, parent = np.full(net.size, np.inf), np.full(net.size, -1, np.int64)
    row = blank_report()
    vertices = np.empty(0, np.int64)
    if not net.blocked(start):
        _greedy(net.arcs, start, goal, number, limit, g, parent, row, log)
        if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
            log = log_for(row)
            g[:] = np.inf
            _greedy(net.arcs, start, goal, number, limit, g, parent, row, log)
        if row[STATUS] == SOLVED:
            vertices = walk(parent, goal)
        elif row[STATUS] == NO_SOLUTION:
            row[NEAREST] = net.nearest(np.isfinite(g), goal)
    return outcome(net, start, goal, row, vertices, log, np.inf)


@kernel
def _greedy(
    arcs: Any,
    start: int,
    goal: int,
    metric: int,
    limit: int,
    g: NDArray[np.float64],
    parent: NDArray[np.int64],
    row: NDArray[np.float64],
    log: NDArray[np.float64],
) -> None:
    """Search once; every vertex keeps the first way on which it was seen (g is inf before)."""
    width, points = arcs[0], arcs[9]
    degree: int = arcs[10]
    heads, steps = np.empty(degree, np.int64), np.empty(degree, np.float64)
    h = vertex_distance(points, width, start, goal, metric)
    heap = np.empty((1024, 3), np.float64)
    heap_push(heap, 0, h, 0.0, start)
    logged = note(log, 0, GENERATE, start, -1, 0.0, h)
    size, expanded, generated = 1, 0, 1
    g[start], parent[start] = 0.0, -1
    row[STATUS] = NO_SOLUTION
    while size:
        h = heap[0, 0]
        v = heap_pop(heap, size)
        size -= 1
        if v == goal:
            row[STATUS], row[COST] = SOLVED, g[v]
            break
        if limit and expanded == limit:
            row[STATUS] = LIMIT
            break
        expanded += 1
        logged = note(log, logged, EXPAND, v, parent[v], g[v], h)
        if size + degree > len(heap):
            heap = heap_grown(heap, size, degree)
        for k in range(arcs_out(arcs, v, heads, steps)):
            w, way = heads[k], float(g[v] + steps[k])
            if g[w] < np.inf:
                if parent[w] == v:  # another arc between the two
                    g[w] = min(g[w], way)
                continue
            g[w], parent[w] = way, v
            h = vertex_distance(points, width, w, goal, metric)
            logged = note(log, logged, GENERATE, w, v, way, h)
            heap_push(heap, size, h, way, w)
            size += 1
            generated += 1
    row[EXPANDED], row[GENERATED] = expanded, generated
