"""Lazy Theta*: Theta* that takes sight for granted and tests it once, when a vertex is expanded.

A. Nash, S. Koenig and C. Tovey, "Lazy Theta*: Any-Angle Path Planning and Path Length Analysis in 3D", 2010.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import arcs_out
from anabasis._kernel.heap import heap_grown, heap_pop, heap_push
from anabasis._kernel.line import SIGHT, line_length, line_place, line_price, line_sees
from anabasis._kernel.report import (
    COST,
    EXPAND,
    EXPANDED,
    GENERATE,
    GENERATED,
    LIMIT,
    NO_SOLUTION,
    SOLVED,
    STATUS,
    UPDATE,
    note,
)
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.any_angle import AnyAngle
from anabasis.world import World

__all__ = ["LazyTheta", "lazy_theta"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


def lazy_theta(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    world: World | None = None,
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a short path from vertex `start` to vertex `goal` that may turn at any angle, with few tests of sight.

    A vertex that is not seen by the parent that it took on trust gets the best of its expanded neighbours instead, so
    there is at most one test for each expansion. Options, result, promises and errors are those of `theta`. For many
    queries on one map make one `LazyTheta`.
    """
    search = LazyTheta(space, neighbours=neighbours, corners=corners, world=world)
    return search.find(start, goal, limit=limit, traced=traced)


class LazyTheta(AnyAngle):
    """Lazy Theta* for many queries on one map or graph."""

    def _search(self, start: int, goal: int, limit: int, row: Floats, log: Floats) -> None:
        tree = self.mark, self.g, self.parent
        _lazy_theta(self.net.arcs, self.lines, start, goal, limit, self.now, *tree, row, log)


@kernel
def _lazy_theta(
    arcs: Any,
    lines: Any,
    start: int,
    goal: int,
    limit: int,
    now: int,
    mark: Ints,
    g: Floats,
    parent: Ints,
    row: Floats,
    log: Floats,
) -> None:
    """Search once; leave the tree in parent and the outcome in row. mark: now open, now + 1 closed, less unseen.

    An open vertex whose parent has been taken on trust holds it as -2 - parent.
    """
    degree: int = arcs[10]
    priced: bool = lines[4]
    goal_x, goal_y = line_place(lines, goal)
    heads, steps = np.empty(degree, np.int64), np.empty(degree, np.float64)
    h = line_length(lines, start, goal)
    heap = np.empty((1024, 3), np.float64)
    heap_push(heap, 0, h, 0.0, start)
    logged = note(log, 0, GENERATE, start, -1, 0.0, h)
    size, expanded, generated, sight = 1, 0, 1, 0
    mark[start], g[start], parent[start] = now, 0.0, -1
    row[STATUS] = NO_SOLUTION
    while size:
        v = heap_pop(heap, size)
        size -= 1
        if mark[v] > now:
            continue  # closed already
        if limit and expanded == limit:
            row[STATUS] = LIMIT
            break
        count = arcs_out(arcs, v, heads, steps)
        if parent[v] < -1:
            sight += 1
            if line_sees(lines, -2 - parent[v], v):
                parent[v] = -2 - parent[v]
            else:  # some neighbour has been expanded, the one that opened v
                g[v] = np.inf
                for k in range(count):
                    w = heads[k]
                    if mark[w] > now:
                        way = float(g[w] + (line_price(lines, w, v) if priced else steps[k]))
                        if way < g[v]:
                            g[v], parent[v] = way, w
        above = parent[v]
        above_x, above_y = line_place(lines, max(above, 0))
        if v == goal:
            row[STATUS], row[COST] = SOLVED, g[v]
            break
        mark[v] = now + 1
        expanded += 1
        logged = note(log, logged, EXPAND, v, above, g[v], line_length(lines, v, goal))
        if size + degree > len(heap):
            heap = heap_grown(heap, size, degree)
        for k in range(count):
            w = heads[k]
            if mark[w] > now:
                continue
            x, y = line_place(lines, w)
            way, origin = float(g[v] + (line_price(lines, v, w) if priced else steps[k])), v
            if above >= 0:
                dx, dy = x - above_x, y - above_y
                straight = float(g[above] + (line_price(lines, above, w) if priced else math.sqrt(dx * dx + dy * dy)))
                if straight <= way * (1.0 + 1e-12):
                    way, origin = straight, -2 - above
            if mark[w] == now and way >= g[w]:
                continue
            h = math.sqrt((x - goal_x) * (x - goal_x) + (y - goal_y) * (y - goal_y))
            event = UPDATE if mark[w] == now else GENERATE
            logged = note(log, logged, event, w, origin if origin >= 0 else above, way, h)
            mark[w], g[w], parent[w] = now, way, origin
            heap_push(heap, size, way + h, -way, w)  # of equal keys the one with the longer way first
            size += 1
            generated += 1
    row[EXPANDED], row[GENERATED], row[SIGHT] = expanded, generated, sight
