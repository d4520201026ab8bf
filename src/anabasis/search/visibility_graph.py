"""Visibility graph search: shortest ways among polygons, by A* over the corners that see each other.

T. Lozano-Pérez and M. Wesley, "An Algorithm for Planning Collision-Free Paths among Polyhedral Obstacles", 1979; arcs
that only touch obstacles: Y.-H. Liu and S. Arimoto, "Path Planning Using a Tangent Graph for Mobile Robots among
Polygonal and Curved Obstacles", 1992.

Start and goal are joined to the graph when they are asked for: sight is spread from both through a triangulation, and
the search goes over taut ways alone, those that bend around the obstacle at each corner.
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
    UPDATE,
    note,
)
from anabasis._kernel.tree import walk
from anabasis._kernel.view import view_from_place
from anabasis.decompose.free_space import free_space
from anabasis.decompose.visibility import full_arcs, sight_mesh, states_of, tangent_arcs
from anabasis.noun import freeze
from anabasis.plan import Path
from anabasis.result import Result, SearchTrace, Status
from anabasis.search.outcome import check_limit, log_for
from anabasis.world import World, check_place

__all__ = ["VisibilityGraph", "visibility_graph"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]
Place = tuple[float, float]


def visibility_graph(
    world: World, start: Place, goal: Place, *, tangent: bool = True, limit: int = 0, traced: bool = False
) -> Result[Path]:
    """Find a shortest way from one place to another among the obstacles of a world.

    The way may touch corners and run along edges. Its cost is its Euclidean length and also the bound: no way is
    shorter. tangent: search only over corners and arcs that a shortest way can take; the answer is the same, sooner.
    limit: most expansions, 0 for no limit. stats: expanded, generated; states, arcs and bytes of the
    graph. Without a way: NO_SOLUTION and the reason, and nearest_x, nearest_y in stats, the reached
    corner (or start) nearest to the goal, unless the start is inside an obstacle.

    Raises InputError for a place that is not two numbers, or outside the bounds. For many queries make one
    `VisibilityGraph`.
    """
    return VisibilityGraph(world, tangent=tangent).find(start, goal, limit=limit, traced=traced)


class VisibilityGraph:
    """The visibility graph of one world, made once for many queries; threads must not share one."""

    def __init__(self, world: World, *, tangent: bool = True) -> None:
        """Make the graph."""
        self.world, self.tangent, self.free = world, bool(tangent), free_space(world)
        free = self.free
        self.corner = states_of(world, free, tangent=self.tangent)
        self.points = free.corners[self.corner]
        self._ends = free.corners[free.before[self.corner]], free.corners[free.after[self.corner]]
        self._mesh = sight_mesh(world, free)
        self.indptr, self.indices = (
            tangent_arcs(self._mesh, self.corner) if self.tangent else full_arcs(free, self.corner)
        )
        tails = np.repeat(np.arange(len(self.points)), np.diff(self.indptr))
        self.weights = np.hypot(*(self.points[tails] - self.points[self.indices]).T)
        arrays = (self.points, *self._ends, self.indptr, self.indices, self.weights, *self._mesh[1:4])
        self.stats = {
            "states": len(self.points),
            "arcs": len(self.indices),
            "bytes": sum(array.nbytes for array in arrays),
        }
        n, m = free.size, len(self.points) + 2
        self._number = np.full(n, -1)
        self._number[self.corner] = np.arange(len(self.corner))
        # marks of what start and goal see, and a list of it; marks of what is reached, and how and at what cost
        self._memory = (
            np.zeros(n, np.int64),
            np.empty(n, np.int64),
            np.zeros(m, np.int64),
            np.empty(m, np.int64),
            np.empty(m),
        )
        self._now = 0

    def find(self, start: Place, goal: Place, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a shortest way, exactly as `visibility_graph` does."""
        s, g = check_place(self.world.bounds, start, "start"), check_place(self.world.bounds, goal, "goal")
        limit = check_limit(limit)
        if not all(self.free.free(np.array([s, g]))):
            return self._inside(s, g)
        if s == g:
            place, stats = np.array([s]), {"expanded": 0, "generated": 1, **self.stats}
            trace = _trace(np.array([[GENERATE, 0, -1, 0, 0]], np.float64), place) if traced else None
            return Result(Status.SOLVED, Path(_NOWHERE, place, 0.0), "", 0.0, stats, trace)
        ends = np.array([*s, *g])
        row, log = np.zeros(6), log_for()
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
        graph = (self.points, *self._ends, self.indptr, self.indices, self.weights, self.corner, self._number)
        self._now += 4
        return _search(
            self.free.arrays, self._mesh, graph, self._memory, self._now, self.tangent, ends, limit, row, log
        )

    def _inside(self, start: Place, goal: Place) -> Result[Path]:
        """Return the Result of a query with an end inside an obstacle."""
        role, (x, y) = ("goal", goal) if self.free.free(np.array([start]))[0] else ("start", start)
        return Result(
            Status.NO_SOLUTION,
            reason=f"the {role}, ({x:g}, {y:g}), is inside an obstacle",
            stats={"expanded": 0, "generated": 0, **self.stats},
        )

    def _result(self, ends: Floats, vertices: Ints, row: Floats, log: Floats) -> Result[Path]:
        places = np.concatenate((self.points, ends.reshape(2, 2)))
        stats: dict[str, float] = {"expanded": int(row[EXPANDED]), "generated": int(row[GENERATED])}
        stats |= self.stats
        trace = _trace(log, places) if len(log) else None
        straight = float(np.hypot(ends[2] - ends[0], ends[3] - ends[1]))
        if row[STATUS] == SOLVED:
            cost = float(row[COST])
            path = Path(_NOWHERE, places[vertices], cost)
            return Result(Status.SOLVED, path, "", cost, stats, trace)
        if row[STATUS] == LIMIT:
            reason = f"gave up after {int(row[EXPANDED])} expansions"
            return Result(Status.LIMIT, None, reason, max(straight, float(row[OPEN])), stats, trace)
        x, y = places[int(row[NEAREST])].tolist()
        sx, sy, gx, gy = ends.tolist()
        reason = f"the goal, ({gx:g}, {gy:g}), is not connected to the start, ({sx:g}, {sy:g})"
        return Result(Status.NO_SOLUTION, None, reason, 0.0, {**stats, "nearest_x": x, "nearest_y": y}, trace)


_NOWHERE = np.empty(0, np.int64)


def _trace(log: Floats, places: Floats) -> SearchTrace:
    event, vertex, parent, g, h = log.T
    return SearchTrace(event.astype(np.int8), vertex.astype(np.int64), parent.astype(np.int64), g, h, places)


@kernel
def _search(
    space: Any,
    mesh: Any,
    graph: Any,
    memory: Any,
    now: int,
    tangent: bool,
    ends: Floats,
    limit: int,
    row: Floats,
    log: Floats,
) -> Ints:
    """Search once; return the states from the start (number n) to the goal (n + 1), none if there is no way.

    Marks: now - 3 and now - 2 what start and goal see, now - 1 open, now closed; all of older queries are less.
    """
    points, before, after, indptr, indices, weights, corner, number = graph
    mark, seen, state, parent, g = memory
    n = len(points)
    place = np.concatenate((points, ends.reshape(2, 2)))
    start, goal = n, n + 1
    heap = np.empty((1024, 3), np.float64)
    size, expanded, generated = 0, 0, 1
    v = start
    g[v], parent[v], state[v] = 0.0, -1, now
    row[STATUS], row[COST], row[OPEN] = NO_SOLUTION, np.inf, 0.0
    logged = note(log, 0, GENERATE, v, -1, 0.0, _length(place, v, goal))
    while True:
        if v == goal:
            row[STATUS], row[COST] = SOLVED, g[v]
            break
        if limit and expanded == limit:
            row[STATUS], row[OPEN] = LIMIT, g[v] + _length(place, v, goal)
            break
        expanded += 1
        logged = note(log, logged, EXPAND, v, parent[v], g[v], _length(place, v, goal))
        first, last = (
            (0, _see(space, mesh, graph, tangent, ends[0], ends[1], mark, now - 3, seen))
            if v == start
            else (
                indptr[v],
                indptr[v + 1],
            )
        )
        if size + last - first + 1 > len(heap):
            heap = heap_grown(heap, size, last - first + 1)
        for k in range(first, last + 1):
            if k == last:  # on to the goal
                w = goal
                if v == start:
                    if not sees(space, ends[0], ends[1], ends[2], ends[3]):
                        continue
                elif mark[corner[v]] != now - 2:
                    continue
            else:
                w = number[seen[k]] if v == start else indices[k]
            way = g[v] + (_length(place, v, w) if v == start or w == goal else weights[k])
            if state[w] == now or (state[w] == now - 1 and way >= g[w]):
                continue
            if tangent and v != start:
                u = parent[v]
                if not taut(points, before, after, v, place[u, 0], place[u, 1], place[w, 0], place[w, 1]):
                    continue
            h = _length(place, w, goal)
            logged = note(log, logged, UPDATE if state[w] == now - 1 else GENERATE, w, v, way, h)
            g[w], parent[w], state[w] = way, v, now - 1
            heap_push(heap, size, way + h, h, w)
            size += 1
            generated += 1
        if v == start:
            _see(space, mesh, graph, tangent, ends[2], ends[3], mark, now - 2, seen)
        while size:
            v = heap_pop(heap, size)
            size -= 1
            if state[v] != now:
                break
        if state[v] == now:
            break
        state[v] = now
    row[EXPANDED], row[GENERATED] = expanded, generated
    if row[STATUS] == SOLVED:
        return walk(parent, goal)
    nearest = start
    for i in range(n):
        if state[i] == now and _length(place, i, goal) < _length(place, nearest, goal):
            nearest = i
    row[NEAREST] = nearest
    return np.empty(0, np.int64)


@kernel
def _see(
    space: Any, mesh: Any, graph: Any, tangent: bool, x: float, y: float, mark: Ints, stamp: int, seen: Ints
) -> int:
    """List the corners of the states that a place sees, and mark them; return how many there are."""
    if tangent:
        return view_from_place(mesh, space, x, y, mark, stamp, seen)
    points, before, after, corner = graph[0], graph[1], graph[2], graph[6]
    count = 0
    for v in range(len(points)):
        if points[v, 0] == x and points[v, 1] == y:
            continue
        if open_to(points, before, after, v, x, y, False) and sees(space, x, y, points[v, 0], points[v, 1]):
            mark[corner[v]] = stamp
            seen[count] = corner[v]
            count += 1
    return count


@kernel
def _length(place: Floats, u: int, v: int) -> float:
    return float(np.sqrt((place[u, 0] - place[v, 0]) ** 2 + (place[u, 1] - place[v, 1]) ** 2))
