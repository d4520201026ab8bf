"""Theta*: A* in which the parent of a vertex may be any vertex that sees it.

A. Nash, K. Daniel, S. Koenig and A. Felner, "Theta*: Any-Angle Path Planning on Grids", 2007; K. Daniel, A. Nash,
S. Koenig and A. Felner, "Theta*: Any-Angle Path Planning on Grids", 2010. Sight is tested when a successor is relaxed.
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

__all__ = ["ThetaStar", "theta"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


def theta(
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
    """Find a short path from vertex `start` to vertex `goal` that may turn at any angle.

    On a Grid the path runs between centres of cells, and a segment passes a blocked cell's corner as the corner rule
    allows; prices are integrated along it. A Graph needs the `world` that says what its vertices see; its weights must
    be the lengths of its arcs, which are taken for ways in both directions. The other options are those of `astar`.

    The path has points and no vertices, and its cost is the walked one. Every two points in a row see each other. It is
    no shortest path in general, and the bound is the straight distance. Complete: a path is found if there is one along
    the arcs. stats: expanded, generated, sight (tests of sight), and nearest as in `astar`.

    Raises InputError for an unknown option, a vertex outside the map, a Graph without its world or not fitting it. For
    many queries on one map make one `ThetaStar`.
    """
    search = ThetaStar(space, neighbours=neighbours, corners=corners, world=world)
    return search.find(start, goal, limit=limit, traced=traced)


class ThetaStar(AnyAngle):
    """Theta* for many queries on one map or graph."""

    def _search(self, start: int, goal: int, limit: int, row: Floats, log: Floats) -> None:
        tree = self.mark, self.g, self.parent
        _theta(self.net.arcs, self.lines, start, goal, limit, self.now, *tree, row, log)


@kernel
def _theta(
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
    """Search once; leave the tree in parent and the outcome in row. mark: now open, now + 1 closed, less unseen."""
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
            continue  # closed already, by a shorter way
        if v == goal:
            row[STATUS], row[COST] = SOLVED, g[v]
            break
        if limit and expanded == limit:
            row[STATUS] = LIMIT
            break
        mark[v] = now + 1
        expanded += 1
        above = parent[v]
        above_x, above_y = line_place(lines, max(above, 0))
        logged = note(log, logged, EXPAND, v, above, g[v], line_length(lines, v, goal))
        if size + degree > len(heap):
            heap = heap_grown(heap, size, degree)
        for k in range(arcs_out(arcs, v, heads, steps)):
            w = heads[k]
            if mark[w] > now:
                continue
            best = g[w] if mark[w] == now else np.inf
            x, y = line_place(lines, w)
            way, origin = float(g[v] + (line_price(lines, v, w) if priced else steps[k])), v
            if above >= 0:
                dx, dy = x - above_x, y - above_y
                straight = float(g[above] + (line_price(lines, above, w) if priced else math.sqrt(dx * dx + dy * dy)))
                # without prices the straight way is never longer; rounding must not decide
                if straight <= way * (1.0 + 1e-12) and straight < best:
                    sight += 1
                    if line_sees(lines, above, w):
                        way, origin = straight, above
            if way >= best:
                continue
            h = math.sqrt((x - goal_x) * (x - goal_x) + (y - goal_y) * (y - goal_y))
            logged = note(log, logged, UPDATE if mark[w] == now else GENERATE, w, origin, way, h)
            mark[w], g[w], parent[w] = now, way, origin
            heap_push(heap, size, way + h, -way, w)  # of equal keys the one with the longer way first
            size += 1
            generated += 1
    row[EXPANDED], row[GENERATED], row[SIGHT] = expanded, generated, sight
