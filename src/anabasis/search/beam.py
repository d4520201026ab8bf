"""Beam search: breadth first, but of each depth only the vertices that look best are kept; in vain, then more of them.

B. T. Lowerre, "The HARPY Speech Recognition System", 1976; with a beam that is widened until it is wide enough: W.
Zhang, "Complete Anytime Beam Search", 1998.
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
    NEAREST,
    NO_SOLUTION,
    SOLVED,
    STATUS,
    UPDATE,
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

__all__ = ["beam"]


def beam(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    width: int = 32,
    neighbours: int = 8,
    corners: str = "strict",
    metric: str | None = None,
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find some path from vertex `start` to vertex `goal` by a breadth-first search that forgets all but the best.

    width: how many vertices of each depth are kept, those for which the cost so far plus the estimate of the rest is
    least. A vertex is seen once. If the beam runs dry and something was forgotten, it begins anew twice as wide; so the
    search is complete. The other options and the errors are those of `astar`. Nothing is promised of the cost, and the
    bound is the distance by the default metric. stats: expanded, generated, and width, the last one.
    """
    wide = check_count(width, "width of the beam", 1)
    net = Space(space, neighbours, corners)
    start, goal = net.ends(start, goal)
    number, _ = net.estimate(metric)
    limit, log = check_limit(limit), log_for()
    row = blank_report()
    vertices = np.empty(0, np.int64)
    if not net.blocked(start):
        wide, parent, seen = _widen(net.arcs, start, goal, wide, number, limit, row, log)
        if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
            log = log_for(row)
            _widen(net.arcs, start, goal, int(width), number, limit, row, log)
        if row[STATUS] == SOLVED:
            vertices = walk(parent, goal)
            row[COST] = walked_cost(net.arcs, vertices)
        elif row[STATUS] == NO_SOLUTION:
            row[NEAREST] = net.nearest(seen, goal)
    result = outcome(net, start, goal, row, vertices, log, np.inf)
    return replace(result, stats={**result.stats, "width": wide})


@kernel
def _widen(
    arcs: Any, start: int, goal: int, wide: int, metric: int, limit: int, row: NDArray[np.float64], log: Any
) -> Any:
    """Search with wider and wider beams; return the last width, the tree, and which vertices were reached."""
    n = len(arcs[1]) + len(arcs[9])
    g, parent, place = np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64)
    row[EXPANDED], row[GENERATED], logged = 0, 0, 0
    while True:
        g[:], parent[:], place[:] = np.inf, -1, -1
        forgot, logged = _beam(arcs, start, goal, wide, metric, limit, g, parent, place, row, log, logged)
        if row[STATUS] != NO_SOLUTION or not forgot:
            return wide, parent, g < np.inf
        wide *= 2


@kernel
def _beam(
    arcs: Any,
    start: int,
    goal: int,
    wide: int,
    metric: int,
    limit: int,
    g: NDArray[np.float64],
    parent: NDArray[np.int64],
    place: NDArray[np.int64],
    row: NDArray[np.float64],
    log: Any,
    logged: int,
) -> tuple[bool, int]:
    """Search once; return whether something was forgotten, and the number of rows logged so far.

    place: of a vertex of the next layer its place there, of older ones less than 0, as before they are seen.
    """
    width, points = arcs[0], arcs[9]
    degree: int = arcs[10]
    heads, steps = np.empty(degree, np.int64), np.empty(degree, np.float64)
    layer, row[STATUS], forgot = np.array([start]), NO_SOLUTION, False
    g[start] = 0.0
    h = vertex_distance(points, width, start, goal, metric)
    logged = note(log, logged, GENERATE, start, -1, 0.0, h)
    row[GENERATED] += 1
    following, keys = np.empty(64, np.int64), np.empty(64, np.float64)
    while len(layer):
        size = 0
        for v in layer:
            if v == goal:
                row[STATUS] = SOLVED
                return forgot, logged
            if limit and row[EXPANDED] == limit:
                row[STATUS] = LIMIT
                return forgot, logged
            row[EXPANDED] += 1
            h = vertex_distance(points, width, v, goal, metric)
            logged = note(log, logged, EXPAND, v, int(parent[v]), float(g[v]), h)
            if size + degree > len(following):
                following = np.concatenate((following, np.empty(len(following) + degree, np.int64)))
                keys = np.concatenate((keys, np.empty(len(keys) + degree, np.float64)))
            for k in range(arcs_out(arcs, v, heads, steps)):
                w, way = heads[k], g[v] + steps[k]
                if g[w] <= way or (g[w] < np.inf and place[w] < 0):
                    continue
                h = vertex_distance(points, width, w, goal, metric)
                logged = note(log, logged, UPDATE if g[w] < np.inf else GENERATE, w, v, way, h)
                row[GENERATED] += 1
                if g[w] == np.inf:
                    following[size], place[w] = w, size
                    size += 1
                g[w], parent[w], keys[place[w]] = way, v, way + h
        order = np.argsort(keys[:size], kind="mergesort")
        layer = following[order[:wide]]
        forgot = forgot or size > wide
        for i in range(size):
            place[following[i]] = -1
    return forgot, logged
