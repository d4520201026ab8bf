"""Bidirectional A*: from the start and from the goal at once, until no way through the middle can be shorter.

W. Pijls and H. Post, "Yet Another Bidirectional Algorithm for Finding the Shortest Path", 2009 (New Bidirectional A*):
each vertex is expanded from one side only, and each side discards what the other side proves to be too long.
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
    NO_SOLUTION,
    OPEN,
    SOLVED,
    STATUS,
    UPDATE,
    note,
)
from anabasis._kernel.tree import walk
from anabasis._kernel.ways import arcs_into, walked_cost
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space
from anabasis.search.outcome import blank_report, check_limit, log_for, outcome
from anabasis.search.reach import arcs_against, settle

__all__ = ["bidirectional"]


def bidirectional(
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
    """Find a shortest path from vertex `start` to vertex `goal` by two searches that meet.

    The options, the stats and the errors are those of `astar`; expansions of both sides count. In a recorded search the
    parent of a vertex that was seen from the goal is the next vertex on the way there. The path is a shortest one and
    its cost the bound, unless the metric may overestimate; then nothing is promised of its cost.
    """
    net = Space(space, neighbours, corners)
    start, goal = net.ends(start, goal)
    number, factor = net.estimate(metric)
    limit, log = check_limit(limit), log_for()
    row = blank_report()
    vertices = np.empty(0, np.int64)
    if not net.blocked(start) and not net.blocked(goal):
        against = arcs_against(net)
        vertices = _bidirectional(net.arcs, against, start, goal, number, limit, row, log)
        if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
            log = log_for(row)
            _bidirectional(net.arcs, against, start, goal, number, limit, row, log)
    if row[STATUS] == SOLVED:
        row[COST] = walked_cost(net.arcs, vertices)
    elif row[STATUS] == NO_SOLUTION and not net.blocked(start):
        settle(net, start, goal, row)
    return outcome(net, start, goal, row, vertices, log, factor)


@kernel
def _bidirectional(
    arcs: Any,
    against: Any,
    start: int,
    goal: int,
    metric: int,
    limit: int,
    row: NDArray[np.float64],
    log: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Search from both sides and return the path, empty without one; side 0 begins at the start, side 1 at the goal."""
    width, points = arcs[0], arcs[9]
    n, degree = len(arcs[1]) + len(points), max(int(arcs[10]), int(against[10]))
    heads, steps = np.empty(degree, np.int64), np.empty(degree, np.float64)
    g, parent = np.full((2, n), np.inf), np.full((2, n), -1, np.int64)
    closed = np.zeros(n, np.bool_)
    ends = np.array([start, goal])
    least = np.full(2, vertex_distance(points, width, start, goal, metric))  # no open key of a side is less
    forward, backward = np.empty((1024, 3), np.float64), np.empty((1024, 3), np.float64)
    sizes = np.ones(2, np.int64)
    logged = 0
    for side in range(2):
        g[side, ends[side]] = 0.0
        heap_push(backward if side else forward, 0, least[0], 0.0, ends[side])
        logged = note(log, logged, GENERATE, ends[side], -1, 0.0, least[0])
    expanded, generated = 0, 2
    best, meeting = (0.0, start) if start == goal else (np.inf, -1)
    row[STATUS] = NO_SOLUTION
    while sizes[0] and sizes[1]:
        side = 1 if sizes[1] < sizes[0] else 0
        heap = backward if side else forward
        key = heap[0, 0]
        v = heap_pop(heap, sizes[side])
        sizes[side] -= 1
        if closed[v]:
            continue
        least[side] = max(least[side], key)
        if least[side] >= best:
            break
        if limit and expanded == limit:
            row[STATUS], row[OPEN] = LIMIT, min(best, max(least[0], least[1]))
            break
        closed[v] = True
        way = g[side, v]
        if way + least[1 - side] - vertex_distance(points, width, v, ends[side], metric) >= best:
            continue  # whatever goes on from here is met by ways too long from the other side
        expanded += 1
        h = vertex_distance(points, width, v, ends[1 - side], metric)
        logged = note(log, logged, EXPAND, v, parent[side, v], way, h)
        count = arcs_into(against, v, heads, steps) if side else arcs_out(arcs, v, heads, steps)
        if sizes[side] + degree > len(heap):
            heap = heap_grown(heap, sizes[side], degree)
            if side:
                backward = heap
            else:
                forward = heap
        for k in range(count):
            w, far = heads[k], way + steps[k]
            if closed[w] or far >= g[side, w]:
                continue
            h = vertex_distance(points, width, w, ends[1 - side], metric)
            logged = note(log, logged, UPDATE if g[side, w] < np.inf else GENERATE, w, v, far, h)
            g[side, w], parent[side, w] = far, v
            heap_push(heap, sizes[side], far + h, -far, w)
            sizes[side] += 1
            generated += 1
            if far + g[1 - side, w] < best:
                best, meeting = far + g[1 - side, w], w
    row[EXPANDED], row[GENERATED] = expanded, generated
    if meeting < 0 or row[STATUS] == LIMIT:
        return np.empty(0, np.int64)
    row[STATUS] = SOLVED
    return np.concatenate((walk(parent[0], meeting), walk(parent[1], meeting)[::-1][1:]))
