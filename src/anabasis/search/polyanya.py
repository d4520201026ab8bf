"""Polyanya: shortest ways of any angle on a navigation mesh, exact and online.

M. Cui, D. Harabor and A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh", 2017. A node of the search is a
root, the last corner of the way, and what the root sees through a portal. Here what it sees is kept as the two corners
that limit the view, not as points on the portal, so that every decision is about given coordinates and exact. Portals
that lead away from the goal are left out by blocks (see `decompose.mesh_blocks`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.mesh_rows import COUNT, FIRST, HIGH, LOW, NUMBER, TURNS, TWIN, VERTEX
from anabasis._kernel.mesh_ways import search_all
from anabasis._kernel.report import COST, GENERATE, LIMIT, SOLVED
from anabasis.decompose.mesh_blocks import mesh_blocks
from anabasis.errors import InputError
from anabasis.navmesh import NavMesh
from anabasis.noun import freeze
from anabasis.plan import Path
from anabasis.result import Result, SearchTrace, Status
from anabasis.search.mesh_place import MeshPlace, mesh_of
from anabasis.search.outcome import check_limit, log_for
from anabasis.world import World

__all__ = ["Polyanya", "PolyanyaBatch", "polyanya"]

Ints, Floats, Small = NDArray[np.int64], NDArray[np.float64], NDArray[np.int32]
Place = tuple[float, float]


def polyanya(
    world: World | NavMesh, start: Place, goal: Place, *, limit: int = 0, traced: bool = False
) -> Result[Path]:
    """Find a shortest way from one place to another in a world, or on a mesh.

    The way may touch corners and run along walls. Its cost is its Euclidean length and also the bound: no way is
    shorter. limit: most expansions, 0 for no limit. stats: expanded, generated; states, arcs and bytes of the mesh
    (polygons, portals in each direction). In the trace vertex 0 is the start, any other a node, at the middle of the
    portal that it looks through; its parent is the node that it was made from. Without a way: NO_SOLUTION and the
    reason, and nearest_x, nearest_y in stats, the place nearest to the goal that can be reached, unless the start is
    inside an obstacle.

    Raises InputError for a place that is not two numbers, or outside the bounds, and for a mesh with a polygon that is
    not convex and too thin to be cut (see `convex_parts`). For many queries make one `Polyanya`.
    """
    return Polyanya(world).find(start, goal, limit=limit, traced=traced)


class Polyanya:
    """Polyanya for many queries on one mesh; it keeps its working memory, so threads must not share one."""

    def __init__(self, world: World | NavMesh) -> None:
        """Make the mesh of a world by merging, or take the mesh, and prepare its tables."""
        self.mesh = mesh = mesh_of(world)
        self.place = MeshPlace(mesh, world.bounds if isinstance(world, World) else None)
        n = len(mesh.points)
        blocks = mesh_blocks(mesh)
        table = np.empty((mesh.corners.size, 8), np.int32)
        table[:, VERTEX], table[:, TWIN] = mesh.corners, mesh.twins
        table[:, LOW], table[:, HIGH] = mesh.indptr[:-1][mesh.owner], mesh.indptr[1:][mesh.owner]
        table[:, FIRST], table[:, COUNT] = blocks.first, blocks.count
        table[:, TURNS], table[:, NUMBER] = mesh.turns[mesh.corners], blocks.number[mesh.owner]
        self.part = blocks.part
        part = blocks.part[mesh.owner].astype(np.int32)
        self._mesh = table, mesh.points[mesh.corners], part, self.place.arrays
        self._most = int(np.diff(mesh.indptr).max(initial=0)) + 8  # nodes that one expansion makes
        self._points, self._roots = np.concatenate((mesh.points, np.zeros((2, 2)))), np.zeros((n + 2, 3))
        self._found, self._now = np.empty((2, self.place.most + 1), np.int64), 0
        self._start, self._goal = np.empty((1, 2)), np.empty((1, 2))
        self._room(1024 + 4 * self._most)
        arrays = (*self._mesh[:3], self._points, self._roots, *self.place.arrays)
        self.stats = {"states": mesh.size, "arcs": 2 * len(mesh.portals), "bytes": sum(a.nbytes for a in arrays)}

    def find(self, start: Place, goal: Place, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a shortest way from one place to another, exactly as `polyanya` does."""
        ends = self.place.one(start, "start"), self.place.one(goal, "goal")
        limit, log = check_limit(limit) if limit != 0 else 0, _NO_LOG
        self._start[0, 0], self._start[0, 1] = ends[0]
        self._goal[0, 0], self._goal[0, 1] = ends[1]
        rows, _, points = self._answer(self._start, self._goal, limit, log)
        if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
            log = log_for(rows[0])
            self._answer(self._start, self._goal, limit, log)
        return self._result(*ends, rows[0], points, log)

    def find_many(self, starts: ArrayLike, goals: ArrayLike, *, limit: int = 0) -> PolyanyaBatch:
        """Find a shortest way for each pair of places (float64[k, 2] both), exactly as one `find` after the other."""
        pairs = self.place.check(starts, "start"), self.place.check(goals, "goal")
        if len(pairs[0]) != len(pairs[1]):
            raise InputError(
                "number of goals", found=f"{len(pairs[1])}", expected=f"{len(pairs[0])}, one for each start"
            )
        return PolyanyaBatch(self, *pairs, *self._answer(*pairs, check_limit(limit), _NO_LOG))

    def _answer(self, starts: Floats, goals: Floats, limit: int, log: Floats) -> tuple[Floats, Ints, Floats]:
        while True:
            memory = self._points, self._roots, self._nodes, self._spans, self._heap, self._found
            rows, indptr, points, full = search_all(
                *self._mesh, *memory, self._most, self._now, limit, starts, goals, log
            )
            self._now += len(starts)
            if not full:
                for array in (rows, points):
                    array.flags.writeable = False
                return rows, indptr, points
            self._room(4 * len(self._heap))

    def _result(self, start: Place, goal: Place, row: Floats, points: Floats, log: Floats) -> Result[Path]:
        """Return the Result of a query from its row of the report and the corners of its way."""
        status, expanded, made, cost, least, _ = row.tolist()
        stats = {"expanded": int(expanded), "generated": int(made), **self.stats}
        trace = _trace(log, self.mesh, start) if len(log) else None
        if status == SOLVED:
            return Result(Status.SOLVED, Path(_NO_VERTICES, points, cost), "", cost, stats, trace)
        if status == LIMIT:
            return Result(Status.LIMIT, None, f"gave up after {int(expanded)} expansions", least, stats, trace)
        reason, where = self.place.no_way(start, goal, self.part)
        return Result(Status.NO_SOLUTION, None, reason, 0.0, {**stats, **where}, trace)

    def _room(self, nodes: int) -> None:
        """Make room for that many nodes."""
        self._nodes, self._spans = np.empty((nodes, 4), np.int32), np.empty((nodes, 5))
        self._heap = np.empty((nodes, 3))


@dataclass(frozen=True, eq=False)
class PolyanyaBatch:
    """The answers to k queries; `batch[i]` is the Result of query i, and the arrays hold the same for all at once.

    The way of query i has the corners points[indptr[i]:indptr[i + 1]], none if there is no way. rows: float64[k, 6],
    for each query the status (0 solved, 1 no solution, 2 limit), expansions, generations, cost (inf without a way) and
    the least open key at a limit.
    """

    search: Polyanya
    starts: NDArray[np.float64]
    goals: NDArray[np.float64]
    rows: NDArray[np.float64]
    indptr: NDArray[np.int64]
    points: NDArray[np.float64]

    @property
    def cost(self) -> NDArray[np.float64]:
        """float64[k]: the length of each way, inf where there is none."""
        return self.rows[:, COST]

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, query: int) -> Result[Path]:
        query = range(len(self))[query]  # also from the end
        start, goal = ((float(x), float(y)) for x, y in (self.starts[query], self.goals[query]))
        points = self.points[self.indptr[query] : self.indptr[query + 1]]
        return self.search._result(start, goal, self.rows[query], points, _NO_LOG)


_NO_VERTICES = freeze([], np.int64, (0,), "vertices")
_NO_LOG = log_for()


def _trace(log: Floats, mesh: NavMesh, start: Place) -> SearchTrace:
    """Return the trace of a log: vertex 0 is the start, the others are the nodes in the order in which they were made.

    The log names the edge of a node, the way to its root and the rest, not the node: nodes that are alike in all three
    lie on the same portal, so it does not matter which of them is opened first.
    """
    event, edge = log[:, 0].astype(np.int8), log[:, 1].astype(np.int64)
    way, ahead = log[:, 3], log[:, 4]
    waiting: dict[tuple[int, float, float], list[int]] = {}
    vertex, parent = np.zeros(len(log), np.int64), np.zeros(len(log), np.int64)
    opened, made, entered = 0, 0, [-1]
    for k in range(len(log)):
        if event[k] == GENERATE:
            made += 1
            vertex[k], parent[k] = made, opened
            entered.append(opened)
            rest = (way[k] + ahead[k]) - way[k]  # as it is when the node is opened
            waiting.setdefault((int(edge[k]), float(way[k]), float(rest)), []).append(made)
        else:
            opened = waiting[int(edge[k]), float(way[k]), float(ahead[k])].pop(0)
            vertex[k], parent[k] = opened, entered[opened]
    sides = edge[event == GENERATE]
    middles = (mesh.points[mesh.corners[sides]] + mesh.points[mesh.corners[mesh.twins[sides]]]) / 2
    return SearchTrace(event, vertex, parent, way, ahead, np.concatenate(([start], middles)))
