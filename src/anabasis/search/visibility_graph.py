"""Visibility graph search: shortest ways among polygons, by A* over the corners that see each other.

T. Lozano-Pérez and M. Wesley, "An Algorithm for Planning Collision-Free Paths among Polyhedral Obstacles", 1979; arcs
that only touch obstacles: Y.-H. Liu and S. Arimoto, "Path Planning Using a Tangent Graph for Mobile Robots among
Polygonal and Curved Obstacles", 1992.

Start and goal are joined to the graph when they are asked for: what they see is looked at only when the search comes to
it, the nearest to the goal first, so that most of the corners are never looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.corner import open_to, taut
from anabasis._kernel.free_space import sees
from anabasis._kernel.heap import heap_grown, heap_pop, heap_push
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
    note,
)
from anabasis._kernel.tree import walk
from anabasis.decompose.free_space import free_space
from anabasis.decompose.visibility import corner_arcs
from anabasis.errors import InputError
from anabasis.noun import freeze
from anabasis.plan import Path
from anabasis.result import Result, SearchTrace, Status
from anabasis.search.outcome import check_limit, log_for
from anabasis.world import World

__all__ = ["VisibilityGraph", "visibility_graph"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]
Place = tuple[float, float]


def visibility_graph(
    world: World, start: Place, goal: Place, *, tangent: bool = True, limit: int = 0, traced: bool = False
) -> Result[Path]:
    """Find a shortest way from one place to another among the obstacles of a world.

    The way may touch corners and run along edges. Its cost is its Euclidean length and also the bound: no way is
    shorter. tangent: search only over corners and arcs that a shortest way can take; the answer is the same, sooner.
    limit: most expansions, 0 for no limit. stats: expanded, generated, tests (lines of sight looked at); states, arcs
    and bytes of the graph. Without a way: NO_SOLUTION and the reason, and nearest_x, nearest_y in stats, the reached
    corner (or start) nearest to the goal, unless the start is inside an obstacle.

    Raises InputError for a place that is not two numbers, or outside the bounds. For many queries make one
    `VisibilityGraph`.
    """
    return VisibilityGraph(world, tangent=tangent).find(start, goal, limit=limit, traced=traced)


class VisibilityGraph:
    """The visibility graph of one world, made once for many queries."""

    def __init__(self, world: World, *, tangent: bool = True) -> None:
        """Make the graph."""
        self.world, self.tangent, self.free = world, bool(tangent), free_space(world)
        free = self.free
        self.corner, self.indptr, self.indices = corner_arcs(world, free, tangent=self.tangent)
        self.points = free.corners[self.corner]
        self._ends = free.corners[free.before[self.corner]], free.corners[free.after[self.corner]]
        tails = np.repeat(np.arange(len(self.points)), np.diff(self.indptr))
        self.weights = np.hypot(*(self.points[tails] - self.points[self.indices]).T)
        arrays = (self.points, *self._ends, self.indptr, self.indices, self.weights)
        self.stats = {
            "states": len(self.points),
            "arcs": len(self.indices),
            "bytes": sum(array.nbytes for array in arrays),
        }

    def find(self, start: Place, goal: Place, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a shortest way, exactly as `visibility_graph` does."""
        s, g = self._place(start, "start"), self._place(goal, "goal")
        limit = check_limit(limit)
        if not all(self.free.free(np.array([s, g]))):
            return self._inside(s, g)
        ends = np.array([*s, *g])
        row, log = np.zeros(7), log_for()
        vertices = self._search(ends, limit, row, log)
        if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
            log = log_for(row)
            self._search(ends, limit, row, log)
        return self._result(ends, vertices, row, log)

    def find_many(self, starts: ArrayLike, goals: ArrayLike, *, limit: int = 0) -> list[Result[Path]]:
        """Find a shortest way for each pair of places (float64[k, 2] both), exactly as one `find` after the other."""
        sources = freeze(starts, np.float64, (None, 2), "starts")
        targets = freeze(goals, np.float64, sources.shape, "goals")
        return [self.find(tuple(s), tuple(g), limit=limit) for s, g in zip(sources, targets, strict=True)]

    def _search(self, ends: Floats, limit: int, row: Floats, log: Floats) -> Ints:
        arcs = self.indptr, self.indices, self.weights
        return _search(self.free.arrays, self.points, *self._ends, *arcs, self.tangent, ends, limit, row, log)

    def _place(self, place: Place, role: str) -> tuple[float, float]:
        x, y = freeze(place, np.float64, (2,), role).tolist()
        x0, y0, x1, y1 = self.world.bounds
        if not (x0 <= x <= x1 and y0 <= y <= y1):
            raise InputError(
                f"the {role} is outside the world",
                found=f"({x:g}, {y:g})",
                expected=f"x from {x0:g} to {x1:g}, y from {y0:g} to {y1:g}",
            )
        return x, y

    def _inside(self, start: Place, goal: Place) -> Result[Path]:
        """Return the Result of a query with an end inside an obstacle."""
        role, (x, y) = ("goal", goal) if self.free.free(np.array([start]))[0] else ("start", start)
        return Result(
            Status.NO_SOLUTION,
            reason=f"the {role}, ({x:g}, {y:g}), is inside an obstacle",
            stats={"expanded": 0, "generated": 0, "tests": 0, **self.stats},
        )

    def _result(self, ends: Floats, vertices: Ints, row: Floats, log: Floats) -> Result[Path]:
        places = np.concatenate((self.points, ends.reshape(2, 2)))
        stats = {"expanded": int(row[EXPANDED]), "generated": int(row[GENERATED]), "tests": int(row[_TESTS])}
        stats |= self.stats
        trace = _trace(log, places) if len(log) else None
        straight = float(np.hypot(ends[2] - ends[0], ends[3] - ends[1]))
        if row[STATUS] == SOLVED:
            cost = float(row[COST])
            path = Path(np.empty(0, np.int64), places[vertices], cost)
            return Result(Status.SOLVED, path, "", cost, stats, trace)
        if row[STATUS] == LIMIT:
            reason = f"gave up after {int(row[EXPANDED])} expansions"
            return Result(Status.LIMIT, None, reason, max(straight, float(row[OPEN])), stats, trace)
        x, y = places[int(row[NEAREST])].tolist()
        sx, sy, gx, gy = ends.tolist()
        reason = f"the goal, ({gx:g}, {gy:g}), is not connected to the start, ({sx:g}, {sy:g})"
        return Result(Status.NO_SOLUTION, None, reason, 0.0, {**stats, "nearest_x": x, "nearest_y": y}, trace)


_TESTS = 6  # a column of the row behind those of `report`


def _trace(log: Floats, places: Floats) -> SearchTrace:
    event, vertex, parent, g, h = log.T
    return SearchTrace(event.astype(np.int8), vertex.astype(np.int64), parent.astype(np.int64), g, h, places)


@kernel
def _search(
    arrays: Any,
    points: Floats,
    before: Floats,
    after: Floats,
    indptr: Ints,
    indices: Ints,
    weights: Floats,
    tangent: bool,
    ends: Floats,
    limit: int,
    row: Floats,
    log: Floats,
) -> Ints:
    """Search once; return the states from the start (number n) to the goal (n + 1), none if there is no way.

    An entry of the heap is an arc into a state. One from the start or to the goal is not known to be clear: that is
    tested when the entry is taken out, and only if the state was not reached by then.
    """
    n = len(points)
    place = np.concatenate((points, ends.reshape(2, 2)))
    g, closed, parent = np.full(n + 2, np.inf), np.zeros(n + 2, np.bool_), np.full(n + 2, -1, np.int64)
    heap = np.empty((1024, 3), np.float64)
    entry, way = np.empty((1024, 2), np.int64), np.empty(1024)  # tail and head; the cost of the head by this arc
    size, count, expanded, tests = 0, 0, 0, 0
    v, u, here = n, -1, 0.0
    row[STATUS], row[COST], row[OPEN] = NO_SOLUTION, np.inf, 0.0
    logged = note(log, 0, GENERATE, n, -1, 0.0, _length(place, n, n + 1))
    while True:
        g[v], parent[v], closed[v] = here, u, True
        if v == n + 1:
            row[STATUS], row[COST] = SOLVED, here
            break
        if limit and expanded == limit:
            row[STATUS], row[OPEN] = LIMIT, here + _length(place, v, n + 1)
            break
        expanded += 1
        logged = note(log, logged, EXPAND, v, u, here, _length(place, v, n + 1))
        first, last = (0, n) if v == n else (indptr[v], indptr[v + 1])
        while size + last - first + 1 > len(heap):
            heap = heap_grown(heap, size, last - first + 1)
        while count + last - first + 1 > len(way):
            entry, way = np.concatenate((entry, np.empty_like(entry))), np.concatenate((way, np.empty_like(way)))
        for k in range(first, last + 1):
            w = n + 1 if k == last else k if v == n else indices[k]
            if closed[w]:
                continue
            if v == n:
                step = _length(place, n, w)
                if w < n and (step == 0.0 or not open_to(points, before, after, w, place[n, 0], place[n, 1], tangent)):
                    continue
            elif w == n + 1:
                step = _length(place, v, w)
                if step == 0.0 or not open_to(points, before, after, v, place[w, 0], place[w, 1], tangent):
                    continue
            else:
                step = weights[k]
                if here + step >= g[w]:
                    continue
            if tangent and v < n:
                x, y = place[w, 0], place[w, 1]
                if not taut(points, before, after, v, place[u, 0], place[u, 1], x, y):
                    continue
            if v != n and w != n + 1:
                g[w] = here + step
            h = _length(place, w, n + 1)
            entry[count, 0], entry[count, 1], way[count] = v, w, here + step
            heap_push(heap, size, here + step + h, h, count)
            logged = note(log, logged, GENERATE, w, v, here + step, h)
            size += 1
            count += 1
        found = False
        while size and not found:
            k = heap_pop(heap, size)
            size -= 1
            u, v, here = entry[k, 0], entry[k, 1], way[k]
            if closed[v] or here > g[v]:
                continue
            found = True
            if u == n or v == n + 1:
                tests += 1
                found = sees(arrays, place[u, 0], place[u, 1], place[v, 0], place[v, 1])
        if not found:
            break
    row[EXPANDED], row[GENERATED], row[_TESTS] = expanded, count + 1, tests
    if row[STATUS] == SOLVED:
        return walk(parent, n + 1)
    nearest = n
    for i in range(n):
        if closed[i] and _length(place, i, n + 1) < _length(place, nearest, n + 1):
            nearest = i
    row[NEAREST] = nearest
    return np.empty(0, np.int64)


@kernel
def _length(place: Floats, u: int, v: int) -> float:
    return np.sqrt((place[u, 0] - place[v, 0]) ** 2 + (place[u, 1] - place[v, 1]) ** 2)
