"""Mesh search: A* over the polygons of a navigation mesh or their sides, and a string pulled through what it finds.

States at centres or at sides of polygons: G. Snook, "Simplified 3D Movement and Pathfinding Using Navigation Meshes",
2000; the string: see `funnel`. Which polygons the way leads through is decided by the states, so it is not always the
shortest one; `polyanya` finds that one, on the same mesh.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.heap import heap_grown, heap_pop, heap_push
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
from anabasis.decompose.mesh_blocks import mesh_blocks
from anabasis.decompose.mesh_graph import mesh_graph
from anabasis.errors import InputError
from anabasis.navmesh import NavMesh
from anabasis.plan import Path
from anabasis.result import Result, SearchTrace, Status
from anabasis.search.funnel import funnel
from anabasis.search.mesh_place import MeshPlace, mesh_of
from anabasis.search.outcome import check_limit, log_for
from anabasis.world import World

__all__ = ["MeshSearch", "mesh_search"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]
Place = tuple[float, float]

_NOWHERE = np.empty((0, 2))


def mesh_search(
    world: World | NavMesh,
    start: Place,
    goal: Place,
    *,
    states: str = "centres",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a way from one place to another in a world, or on a mesh.

    states: "centres" of polygons or "sides" (middles of portals), as in `mesh_graph`. limit: most expansions, 0 for no
    limit. Complete: it finds a way if there is one; among the ways through the polygons that it chose, it is the
    shortest. The cost is its Euclidean length, the bound the straight distance. stats: expanded, generated; states,
    arcs and bytes of the graph; states_cost, the length of the way from state to state that A* found. In the trace
    vertices are states. Without a way: NO_SOLUTION, the reason, and nearest_x, nearest_y in stats, the place nearest to
    the goal that can be reached, unless the start is inside an obstacle.

    Raises InputError for unknown states and for a place that is not two numbers, or outside the bounds. For many
    queries make one `MeshSearch`.
    """
    return MeshSearch(world, states=states).find(start, goal, limit=limit, traced=traced)


class MeshSearch:
    """Mesh search for many queries on one mesh; it keeps its working memory, so threads must not share one."""

    def __init__(self, world: World | NavMesh, *, states: str = "centres") -> None:
        """Make the mesh of a world by merging, or take the mesh, and prepare its graph."""
        self.mesh, self.states = mesh_of(world), states
        self.place = MeshPlace(self.mesh, world.bounds if isinstance(world, World) else None)
        self.graph = graph = mesh_graph(self.mesh, states=states)
        self.part = mesh_blocks(self.mesh).part
        self._portal = np.full(self.mesh.corners.size, -1)  # the portal of each edge
        self._portal[self.mesh.portals] = np.arange(len(self.mesh.portals))
        self._portal[self.mesh.twins[self.mesh.portals]] = np.arange(len(self.mesh.portals))
        self._memory = np.empty(graph.size), np.zeros(graph.size, np.int64), np.empty(graph.size, np.int64)
        self._rest, self._now = np.full(graph.size, np.inf), 0
        arrays = (graph.points, graph.indptr, graph.indices, graph.weights, *self.place.arrays)
        self.stats = {
            "states": graph.size,
            "arcs": graph.indices.size,
            "bytes": sum(array.nbytes for array in arrays),
        }

    def find(self, start: Place, goal: Place, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a way from one place to another, exactly as `mesh_search` does."""
        s, g = self.place.one(start, "start"), self.place.one(goal, "goal")
        limit, log, row = check_limit(limit), log_for(), np.array([NO_SOLUTION, 0, 0, np.inf, 0, -1], np.float64)
        sources, targets = self.place.polygons(s), self.place.polygons(g)
        if np.intersect1d(sources, targets).size:
            row[STATUS], row[COST] = SOLVED, np.hypot(g[0] - s[0], g[1] - s[1])
            return self._result(s, g, row, funnel(s, _NOWHERE, _NOWHERE, g), log)
        joined = np.intersect1d(self.part[sources], self.part[targets])
        if not joined.size:
            return self._result(s, g, row, _NOWHERE, log)
        if len(sources) > 1 or len(targets) > 1:
            sources, targets = (p[np.isin(self.part[p], joined)] for p in (sources, targets))
        first, last = self._states(sources, s), self._states(targets, g)
        states = self._search(first, last, g, limit, row, log)
        if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
            log = log_for(row)
            self._search(first, last, g, limit, row, log)
        if row[STATUS] != SOLVED:
            return self._result(s, g, row, _NOWHERE, log)
        mesh, edges = self.mesh, self._corridor(states, sources, targets)
        way = funnel(s, mesh.points[mesh.ends[edges]], mesh.points[mesh.corners[edges]], g)
        return self._result(s, g, row, way, log)

    def find_many(self, starts: ArrayLike, goals: ArrayLike, *, limit: int = 0) -> list[Result[Path]]:
        """Find a way for each pair of places (float64[k, 2] both), exactly as one `find` after the other."""
        pairs = self.place.check(starts, "start"), self.place.check(goals, "goal")
        if len(pairs[0]) != len(pairs[1]):
            raise InputError(
                "number of goals", found=f"{len(pairs[1])}", expected=f"{len(pairs[0])}, one for each start"
            )
        return [self.find(tuple(s), tuple(g), limit=limit) for s, g in zip(*(p.tolist() for p in pairs), strict=True)]

    def _states(self, polygons: Ints, place: Place) -> tuple[Ints, Floats]:
        """Return the states of some polygons, and how far a place in them is from each."""
        if self.states == "sides":
            edges = [np.arange(int(self.mesh.indptr[p]), int(self.mesh.indptr[p + 1])) for p in polygons.tolist()]
            portals = self._portal[np.concatenate(edges)]
            polygons = np.unique(portals[portals >= 0])
        return polygons, np.hypot(*(self.graph.points[polygons] - place).T)

    def _search(
        self, first: tuple[Ints, Floats], last: tuple[Ints, Floats], goal: Place, limit: int, row: Floats, log: Floats
    ) -> Ints:
        graph, self._now = self.graph, self._now + 1
        self._rest[last[0]] = last[1]
        arcs = graph.indptr, graph.indices, graph.weights, graph.points
        states = _search(*arcs, *first, self._rest, np.array(goal), limit, self._now, *self._memory, row, log)
        self._rest[last[0]] = np.inf
        return states

    def _corridor(self, states: Ints, sources: Ints, targets: Ints) -> Ints:
        """Return the edges through which the way leads that visits the states, from a source polygon to a target."""
        mesh, edges = self.mesh, np.empty(len(states), np.int64)
        if self.states == "centres":
            count = _between_centres(mesh.indptr, mesh.neighbours, states, edges)
        else:
            portals = mesh.portals[states]
            count = _over_sides(mesh.owner, mesh.neighbours, mesh.twins, portals, sources, targets, edges)
        return edges[:count]

    def _result(self, start: Place, goal: Place, row: Floats, way: Floats, log: Floats) -> Result[Path]:
        """Return the Result of a query; way: the corners of the way, none if there is none."""
        stats: dict[str, float] = {"expanded": int(row[EXPANDED]), "generated": int(row[GENERATED]), **self.stats}
        trace = self._trace(log) if len(log) else None
        straight = float(np.hypot(goal[0] - start[0], goal[1] - start[1]))
        if len(way):
            cost = float(np.hypot(*np.diff(way, axis=0).T).sum())
            stats["states_cost"] = float(row[COST])
            return Result(Status.SOLVED, Path(np.empty(0, np.int64), way, cost), "", min(straight, cost), stats, trace)
        if row[STATUS] == LIMIT:
            return Result(Status.LIMIT, None, f"gave up after {stats['expanded']} expansions", straight, stats, trace)
        reason, where = self.place.no_way(start, goal, self.part)
        return Result(Status.NO_SOLUTION, None, reason, 0.0, {**stats, **where}, trace)

    def _trace(self, log: Floats) -> SearchTrace:
        event, vertex, parent, g, h = log.T
        return SearchTrace(
            event.astype(np.int8), vertex.astype(np.int64), parent.astype(np.int64), g, h, self.graph.points
        )


@kernel
def _search(
    indptr: Ints,
    indices: Ints,
    weights: Floats,
    points: Floats,
    first: Ints,
    ways: Floats,
    rest: Floats,
    goal: Floats,
    limit: int,
    now: int,
    g: Floats,
    mark: Ints,
    parent: Ints,
    row: Floats,
    log: Floats,
) -> Ints:
    """Search from the states in `first`, after the given ways, to any state from which the rest of the way is finite.

    Returns the states of the best way, none if there is none. mark is 2 · now for open states, 1 more for closed ones.
    """
    heap = np.empty((64 + 2 * len(first), 3), np.float64)
    size, expanded, generated, logged = 0, 0, 0, 0
    best, last = np.inf, -1
    row[STATUS] = NO_SOLUTION
    for k in range(len(first)):
        v = int(first[k])
        way, h = float(ways[k]), _distance(points, v, goal)
        g[v], mark[v], parent[v] = way, 2 * now, -1
        logged = note(log, logged, GENERATE, v, -1, way, h)
        generated += 1
        heap_push(heap, size, way + h, h, v)
        size += 1
    while size and heap[0, 0] < best:
        key = heap[0, 0]
        v = heap_pop(heap, size)
        size -= 1
        if mark[v] == 2 * now + 1:
            continue
        if limit and expanded == limit:
            row[STATUS], row[OPEN] = LIMIT, key
            break
        mark[v] = 2 * now + 1
        expanded += 1
        logged = note(log, logged, EXPAND, v, parent[v], g[v], key - g[v])
        if g[v] + rest[v] < best:
            best, last = g[v] + rest[v], v
        degree = int(indptr[v + 1] - indptr[v])
        if size + degree > len(heap):
            heap = heap_grown(heap, size, degree)
        for k in range(indptr[v], indptr[v + 1]):
            w, way = indices[k], g[v] + weights[k]
            if mark[w] == 2 * now + 1 or (mark[w] == 2 * now and way >= g[w]):
                continue
            h = _distance(points, w, goal)
            logged = note(log, logged, UPDATE if mark[w] == 2 * now else GENERATE, w, v, way, h)
            generated += 1
            g[w], mark[w], parent[w] = way, 2 * now, v
            heap_push(heap, size, way + h, h, w)
            size += 1
    row[EXPANDED], row[GENERATED], row[COST] = expanded, generated, best
    if row[STATUS] == LIMIT or last < 0:
        return np.empty(0, np.int64)
    row[STATUS] = SOLVED
    return walk(parent, last)


@kernel
def _between_centres(indptr: Ints, neighbours: Ints, polygons: Ints, edges: Ints) -> int:
    """Write the edges through which one polygon after the other is left; return how many."""
    for k in range(len(polygons) - 1):
        e = indptr[polygons[k]]
        while neighbours[e] != polygons[k + 1]:
            e += 1
        edges[k] = e
    return len(polygons) - 1


@kernel
def _over_sides(
    owner: Ints, neighbours: Ints, twins: Ints, portals: Ints, sources: Ints, targets: Ints, edges: Ints
) -> int:
    """Write the edges that are crossed by who walks from portal to portal; return how many.

    A portal is not crossed if the next one belongs to the polygon from which it was reached, and only to that.
    """
    count, here = 0, owner[portals[0]]
    if not (sources == here).any():
        here = neighbours[portals[0]]
    for k in range(len(portals)):
        e = portals[k] if owner[portals[k]] == here else twins[portals[k]]
        beyond = neighbours[e]
        if k + 1 < len(portals):
            f = portals[k + 1]
            stay = here in (owner[f], neighbours[f]) and beyond not in (owner[f], neighbours[f])
        else:
            stay = (targets == here).any() and not (targets == beyond).any()
        if not stay:
            edges[count] = e
            here = beyond
            count += 1
    return count


@kernel
def _distance(points: Floats, v: int, goal: Floats) -> float:
    dx, dy = points[v, 0] - goal[0], points[v, 1] - goal[1]
    return float(np.sqrt(dx * dx + dy * dy))
