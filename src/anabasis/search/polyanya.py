"""Polyanya: shortest ways of any angle on a navigation mesh, exact and online.

M. Cui, D. Harabor and A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh", 2017. A node of the search is a
root, the last corner of the way, and what the root sees through a portal. Here what it sees is kept as the two corners
that limit the view, not as points on the portal, so that every decision is about given coordinates and exact. Portals
that lead away from the goal are left out by blocks (see `decompose.mesh_blocks`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.geometry import on_segment, orient
from anabasis._kernel.heap import heap_pop, heap_push
from anabasis._kernel.mesh_place import polygons_at
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
from anabasis.decompose.merging import merging
from anabasis.decompose.mesh_blocks import mesh_blocks
from anabasis.errors import InputError
from anabasis.navmesh import NavMesh
from anabasis.noun import freeze
from anabasis.plan import Path
from anabasis.result import Result, SearchTrace, Status
from anabasis.search.mesh_place import MeshPlace
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
    (polygons, portals in each direction). In the trace a vertex is a polygon that is entered. Without a way:
    NO_SOLUTION and the reason, and nearest_x, nearest_y in stats, the place nearest to the goal that can be reached,
    unless the start is inside an obstacle.

    Raises InputError for a place that is not two numbers, or outside the bounds. For many queries make one `Polyanya`.
    """
    return Polyanya(world).find(start, goal, limit=limit, traced=traced)


class Polyanya:
    """Polyanya for many queries on one mesh; it keeps its working memory, so threads must not share one."""

    def __init__(self, world: World | NavMesh) -> None:
        """Make the mesh of a world by merging, or take the mesh, and prepare its tables."""
        self.mesh = mesh = world if isinstance(world, NavMesh) else merging(world)
        self.place = MeshPlace(mesh, world.bounds if isinstance(world, World) else None)
        n = len(mesh.points)
        blocks = mesh_blocks(mesh)
        table = np.empty((mesh.corners.size, 8), np.int32)
        table[:, _VERTEX], table[:, _TWIN] = mesh.corners, mesh.twins
        table[:, _LOW], table[:, _HIGH] = mesh.indptr[:-1][mesh.owner], mesh.indptr[1:][mesh.owner]
        table[:, _FIRST], table[:, _COUNT] = blocks.first, blocks.count
        table[:, _TURNS], table[:, _NUMBER] = mesh.turns[mesh.corners], blocks.number[mesh.owner]
        self.part = blocks.part
        part = blocks.part[mesh.owner].astype(np.int32)
        self._mesh = table, mesh.points[mesh.corners], part, self.place.arrays
        self._most = int(np.diff(mesh.indptr).max(initial=0)) + 8  # nodes that one expansion makes
        self._points, self._roots = np.concatenate((mesh.points, np.zeros((2, 2)))), np.zeros((n + 2, 3))
        self._found, self._now = np.empty((2, self.place.most + 1), np.int64), 0
        self._room(1024 + 4 * self._most)
        arrays = (*self._mesh[:3], self._points, self._roots, *self.place.arrays)
        self.stats = {"states": mesh.size, "arcs": 2 * len(mesh.portals), "bytes": sum(a.nbytes for a in arrays)}

    def find(self, start: Place, goal: Place, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a shortest way from one place to another, exactly as `polyanya` does."""
        ends = freeze(start, np.float64, (2,), "start"), freeze(goal, np.float64, (2,), "goal")
        return self._run(ends[0][None], ends[1][None], limit, traced)[0]

    def find_many(self, starts: ArrayLike, goals: ArrayLike, *, limit: int = 0) -> PolyanyaBatch:
        """Find a shortest way for each pair of places (float64[k, 2] both), exactly as one `find` after the other."""
        return self._run(starts, goals, limit, False)

    def _run(self, starts: ArrayLike, goals: ArrayLike, limit: int, traced: bool) -> PolyanyaBatch:
        pairs = self.place.check(starts, "start"), self.place.check(goals, "goal")
        if len(pairs[0]) != len(pairs[1]):
            raise InputError(
                "number of goals", found=f"{len(pairs[1])}", expected=f"{len(pairs[0])}, one for each start"
            )
        limit, log = check_limit(limit), log_for()
        rows, indptr, points = self._answer(*pairs, limit, log)
        if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
            log = log_for(rows[0])
            self._answer(*pairs, limit, log)
        return PolyanyaBatch(self, *pairs, rows, indptr, points, log)

    def _answer(self, starts: Floats, goals: Floats, limit: int, log: Floats) -> tuple[Floats, Ints, Floats]:
        while True:
            memory = self._points, self._roots, self._nodes, self._spans, self._heap, self._found
            rows, indptr, points = _search_all(*self._mesh, *memory, self._most, self._now, limit, starts, goals, log)
            self._now += len(starts)
            if not (rows[:, STATUS] == _FULL).any():
                for array in (rows, points):
                    array.flags.writeable = False
                return rows, indptr, points
            self._room(4 * len(self._heap))

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
    log: NDArray[np.float64]

    @property
    def cost(self) -> NDArray[np.float64]:
        """float64[k]: the length of each way, inf where there is none."""
        return self.rows[:, COST]

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, query: int) -> Result[Path]:
        row, search = self.rows[query], self.search
        stats = {"expanded": int(row[EXPANDED]), "generated": int(row[GENERATED]), **search.stats}
        trace = _trace(self.log, search.mesh.owner) if len(self.log) else None
        cost = float(row[COST])
        if row[STATUS] == SOLVED:
            points = self.points[self.indptr[query] : self.indptr[query + 1]]
            return Result(Status.SOLVED, Path(_NONE, points, cost), "", cost, stats, trace)
        if row[STATUS] == LIMIT:
            reason = f"gave up after {int(row[EXPANDED])} expansions"
            return Result(Status.LIMIT, None, reason, float(row[OPEN]), stats, trace)
        reason, where = search.place.no_way(self.starts[query], self.goals[query], search.part)
        return Result(Status.NO_SOLUTION, None, reason, 0.0, {**stats, **where}, trace)


_NONE = freeze([], np.int64, (0,), "vertices")


def _trace(log: Floats, owner: Ints) -> SearchTrace:
    event, edge, before, g, h = log.T
    return SearchTrace(event.astype(np.int8), owner[edge.astype(np.int64)], owner[before.astype(np.int64)], g, h)


# The columns of the table of edges: where an edge starts, its twin, the first edge of its polygon and the one behind
# the last, where its portal leads (two columns), whether ways turn where it starts, the number of its polygon.
_VERTEX, _TWIN, _LOW, _HIGH, _FIRST, _COUNT, _TURNS, _NUMBER = range(8)
# The columns of a node: the edge of the polygon that is entered; the root; the corners that limit the view on the left
# and on the right. A limit below 0 is the straight line on from corner -1 - limit over the root: the way turns there.
# If the root is an end of the edge, it sees the whole polygon. A span is the way to the root and the two ends of what
# is seen of the edge, left and right.
_EDGE, _ROOT, _LEFT, _RIGHT = range(4)
# The columns of a root: the query in which it was reached, the way to it, the root before it.
_QUERY, _WAY, _BEFORE = range(3)
_FULL = 3  # a status: no room for more nodes
_SLACK = 1 + 1e-12  # ways to a root that are as long up to rounding are kept


@kernel
def _search_all(
    table: Small,
    xy: Floats,
    part: Small,
    place: Any,
    points: Floats,
    roots: Floats,
    nodes: Small,
    spans: Floats,
    heap: Floats,
    found: Ints,
    most: int,
    now: int,
    limit: int,
    starts: Floats,
    goals: Floats,
    log: Floats,
) -> tuple[Floats, Ints, Floats]:
    """Answer each query; return rows, indptr and points of a batch."""
    rows = np.zeros((len(starts), 6), np.float64)
    indptr = np.zeros(len(starts) + 1, np.int64)
    corners, n = np.empty((64, 2), np.float64), len(points) - 2
    for q in range(len(starts)):
        row, count = rows[q], indptr[q]
        row[STATUS], row[COST], row[NEAREST] = NO_SOLUTION, np.inf, -1
        points[n, 0], points[n, 1] = starts[q, 0], starts[q, 1]
        points[n + 1, 0], points[n + 1, 1] = goals[q, 0], goals[q, 1]
        last = _search(
            table, xy, part, place, points, roots, nodes, spans, heap, found, most, now + q + 1, limit, row, log
        )
        if row[STATUS] == _FULL:
            break
        if row[STATUS] == SOLVED:
            size, v = 2, last
            while v != n:
                size, v = size + 1, int(roots[v, _BEFORE])
            while count + size > len(corners):
                corners = np.concatenate((corners, corners))
            v = n + 1
            for k in range(count + size - 1, count - 1, -1):
                corners[k, 0], corners[k, 1] = points[v, 0], points[v, 1]
                v = last if v == n + 1 else int(roots[v, _BEFORE])
            cost = 0.0
            for k in range(count, count + size - 1):
                cost += _length(corners[k + 1, 0] - corners[k, 0], corners[k + 1, 1] - corners[k, 1])
            row[COST] = cost
            count += size
        indptr[q + 1] = count
    return rows, indptr, corners[: indptr[-1]].copy()


@kernel
def _search(
    table: Small,
    xy: Floats,
    part: Small,
    place: Any,
    points: Floats,
    roots: Floats,
    nodes: Small,
    spans: Floats,
    heap: Floats,
    found: Ints,
    most: int,
    now: int,
    limit: int,
    row: Floats,
    log: Floats,
) -> int:
    """Search once; return the last root of a shortest way, from which the column _BEFORE leads back to the start.

    Each expansion writes what is seen from a node behind the last node; of that the nodes are kept. The best of them is
    held back: if none in the queue is better it is expanded next.
    """
    n, last, best = len(points) - 2, -1, np.inf
    x, y, goal_x, goal_y = points[n, 0], points[n, 1], points[n + 1, 0], points[n + 1, 1]
    sources = polygons_at(place, xy, x, y, found[0])
    targets = polygons_at(place, xy, goal_x, goal_y, found[1])
    goals = found[1, :targets]
    roots[n, _QUERY], roots[n, _WAY], roots[n, _BEFORE] = now, 0.0, -1
    joined = False
    for j in range(targets):
        for k in range(sources):
            if found[0, k] == goals[j]:
                row[STATUS] = SOLVED
                return n
            joined = joined or part[found[0, k]] == part[goals[j]]
        goals[j] = table[goals[j], _NUMBER]
    if not joined:
        return last
    count, queued, made, expanded, logged = 0, 0, 0, 0, 0
    held, held_key = -1, np.inf
    source = 0
    while True:
        if count + most > len(nodes):
            row[STATUS] = _FULL
            break
        if source < sources:
            root, e = n, -1
            seen = _depart(table, xy, points, roots, nodes, spans, goals, now, found[0, source], count)
            source += 1
        else:
            node, key = held, held_key
            if queued and (node < 0 or heap[0, 0] < key):
                first = heap[0, 0]
                if node >= 0:
                    heap_push(heap, queued, key, -spans[node, 0], node)
                    queued += 1
                key = first
                node = heap_pop(heap, queued)
                queued -= 1
            held, held_key = -1, np.inf
            if node < 0 or key >= best:
                break
            root, e = int(nodes[node, _ROOT]), int(nodes[node, _EDGE])
            if spans[node, 0] > roots[root, _WAY] * _SLACK:
                continue  # a shorter way to the root was found since
            if limit and expanded == limit:
                row[STATUS], row[OPEN] = LIMIT, key
                break
            expanded += 1
            logged = note(log, logged, EXPAND, e, table[e, _TWIN], spans[node, 0], key - spans[node, 0])
            if root == table[e, _VERTEX] or root == table[_next(table, e), _VERTEX]:
                seen = _turn_on(table, xy, points, roots, nodes, spans, goals, now, e, root, count)
            else:
                left, right = int(nodes[node, _LEFT]), int(nodes[node, _RIGHT])
                seen = _look_on(table, xy, points, roots, nodes, spans, goals, now, e, root, left, right, count)
        for k in range(count, seen):
            e = int(nodes[k, _EDGE])
            root = int(nodes[k, _ROOT])
            way = roots[root, _WAY]
            reached = False
            for j in range(targets):
                reached = reached or table[e, _NUMBER] == goals[j]
            if reached:
                u = _arrive(table, points, nodes[k], e, root)
                if u < 0:
                    continue
                whole = way + _length(goal_x - points[u, 0], goal_y - points[u, 1])
                if u != root:
                    whole += _length(points[u, 0] - points[root, 0], points[u, 1] - points[root, 1])
                if whole < best and (u == root or _reach(points, roots, now, root, u)):
                    best, last = whole, u
                continue
            rest = _rest(table, xy, spans[k], e, points[root, 0], points[root, 1], goal_x, goal_y)
            key = way + rest
            if key >= best:
                continue
            if count != k:
                for j in range(4):
                    nodes[count, j] = nodes[k, j]
            spans[count, 0] = way
            logged = note(log, logged, GENERATE, e, table[e, _TWIN], way, rest)
            made += 1
            if key < held_key:
                if held >= 0:
                    heap_push(heap, queued, held_key, -spans[held, 0], held)
                    queued += 1
                held, held_key = count, key
            else:
                heap_push(heap, queued, key, -way, count)
                queued += 1
            count += 1
    row[EXPANDED], row[GENERATED] = expanded, made
    if last >= 0 and row[STATUS] == NO_SOLUTION:
        row[STATUS] = SOLVED
    return last


@kernel
def _rest(table: Small, xy: Floats, span: Floats, e: int, x: float, y: float, goal_x: float, goal_y: float) -> float:
    """Return the least way from the root (x, y) through what it sees of edge e to the goal.

    A goal on this side of the edge is as far as its image on the other side.
    """
    i = table[e, _TWIN]
    ax, ay = xy[i, 0], xy[i, 1]
    dx, dy = xy[e, 0] - ax, xy[e, 1] - ay
    side = dx * (goal_y - ay) - dy * (goal_x - ax)
    if side > 0.0:
        scale = 2.0 * side / (dx * dx + dy * dy)
        goal_x, goal_y = goal_x + scale * dy, goal_y - scale * dx
    gx, gy, lx, ly, rx, ry = goal_x - x, goal_y - y, span[1] - x, span[2] - y, span[3] - x, span[4] - y
    if lx * gy - ly * gx > 0.0:
        return _length(lx, ly) + _length(gx - lx, gy - ly)
    if rx * gy - ry * gx < 0.0:
        return _length(rx, ry) + _length(gx - rx, gy - ry)
    return _length(gx, gy)


@kernel
def _arrive(table: Small, points: Floats, node: Small, e: int, root: int) -> int:
    """Return the last root of a way that enters the goal's polygon through a node, -1 if it can't be a shortest one."""
    n = len(points) - 1
    left_end, right_end = table[e, _VERTEX], table[table[e, _TWIN], _VERTEX]
    if root in (left_end, right_end):
        return root
    if _side(points, root, int(node[_RIGHT]), points[n, 0], points[n, 1]) < 0.0:
        return right_end if node[_RIGHT] == right_end and table[table[e, _TWIN], _TURNS] else -1
    if _side(points, root, int(node[_LEFT]), points[n, 0], points[n, 1]) > 0.0:
        return left_end if node[_LEFT] == left_end and table[e, _TURNS] else -1
    return root


@kernel
def _side(points: Floats, root: int, limit: int, x: float, y: float) -> float:
    """Return on which side of a limit of the view a place lies: positive on the left."""
    a, b = (root, limit) if limit >= 0 else (-1 - limit, root)
    return orient(points[a, 0], points[a, 1], points[b, 0], points[b, 1], x, y)


@kernel
def _next(table: Small, i: int) -> int:
    """Return the next edge of the same polygon."""
    return i + 1 if i + 1 < table[i, _HIGH] else int(table[i, _LOW])


@kernel
def _length(dx: float, dy: float) -> float:
    return float(np.sqrt(dx * dx + dy * dy))


@kernel
def _leads(table: Small, i: int, goals: Ints) -> bool:
    """Whether edge i is a portal that may be used on the way to one of the goal's polygons."""
    if table[i, _TWIN] < 0:
        return False
    first, count = table[i, _FIRST], table[i, _COUNT]
    for goal in goals:  # noqa: SIM110 - kernels know no generators
        if (first <= goal < first + abs(count)) == (count > 0):
            return True
    return False


@kernel
def _reach(points: Floats, roots: Floats, now: int, before: int, u: int) -> bool:
    """Note the way over root `before` to corner u, unless a shorter one is known; return whether none is."""
    way = roots[before, _WAY] + _length(points[u, 0] - points[before, 0], points[u, 1] - points[before, 1])
    if roots[u, _QUERY] == now and way > roots[u, _WAY] * _SLACK:
        return False
    if roots[u, _QUERY] != now or way < roots[u, _WAY]:
        roots[u, _QUERY], roots[u, _WAY], roots[u, _BEFORE] = now, way, before
    return True


@kernel
def _add(nodes: Small, k: int, e: int, root: int, left: int, right: int) -> int:
    """Write node k without its span; return k + 1."""
    nodes[k, _EDGE], nodes[k, _ROOT], nodes[k, _LEFT], nodes[k, _RIGHT] = e, root, left, right
    return k + 1


@kernel
def _edge(
    table: Small,
    xy: Floats,
    points: Floats,
    roots: Floats,
    nodes: Small,
    spans: Floats,
    now: int,
    i: int,
    root: int,
    k: int,
) -> int:
    """Write what a root sees of the portal i, no end of which it is, and nothing hides it; return the number of nodes.

    If it sees the portal edge-on, the way may turn at the near end of it.
    """
    x, y, e = points[root, 0], points[root, 1], int(table[i, _TWIN])
    j = _next(table, i)
    if orient(xy[i, 0], xy[i, 1], xy[j, 0], xy[j, 1], x, y) > 0.0:
        spans[k, 1], spans[k, 2], spans[k, 3], spans[k, 4] = xy[j, 0], xy[j, 1], xy[i, 0], xy[i, 1]
        return _add(nodes, k, e, root, int(table[j, _VERTEX]), int(table[i, _VERTEX]))
    near = i if _length(xy[i, 0] - x, xy[i, 1] - y) < _length(xy[j, 0] - x, xy[j, 1] - y) else j
    u = int(table[near, _VERTEX])
    if table[near, _TURNS] and _reach(points, roots, now, root, u):
        return _around(points, nodes, spans, e, u, k)
    return k


@kernel
def _around(points: Floats, nodes: Small, spans: Floats, e: int, root: int, k: int) -> int:
    """Write the node behind a portal of which the root is an end; return the number of nodes."""
    spans[k, 1], spans[k, 2], spans[k, 3], spans[k, 4] = (
        points[root, 0],
        points[root, 1],
        points[root, 0],
        points[root, 1],
    )
    return _add(nodes, k, e, root, root, root)


@kernel
def _depart(
    table: Small,
    xy: Floats,
    points: Floats,
    roots: Floats,
    nodes: Small,
    spans: Floats,
    goals: Ints,
    now: int,
    low: int,
    k: int,
) -> int:
    """Write the nodes behind the portals of a polygon that holds the start, but those on which it lies."""
    n = len(points) - 2
    x, y = points[n, 0], points[n, 1]
    for i in range(low, table[low, _HIGH]):
        if _leads(table, i, goals):
            j = _next(table, i)
            on = on_segment(xy[i, 0], xy[i, 1], xy[j, 0], xy[j, 1], x, y)
            if not on:
                k = _edge(table, xy, points, roots, nodes, spans, now, i, n, k)
    return k


@kernel
def _turn_on(
    table: Small,
    xy: Floats,
    points: Floats,
    roots: Floats,
    nodes: Small,
    spans: Floats,
    goals: Ints,
    now: int,
    e: int,
    root: int,
    k: int,
) -> int:
    """Write the nodes behind a polygon that was entered through edge e, one of whose ends is the root.

    The root sees all of the polygon, and the way may turn on around it into the next one.
    """
    first = _next(table, e)
    at_left = root == table[e, _VERTEX]
    i = first
    while i != e:
        j = _next(table, i)
        if _leads(table, i, goals):
            if (j == e) if at_left else (i == first):
                k = _around(points, nodes, spans, int(table[i, _TWIN]), root, k)
            else:
                k = _edge(table, xy, points, roots, nodes, spans, now, i, root, k)
        i = j
    return k


@kernel
def _look_on(
    table: Small,
    xy: Floats,
    points: Floats,
    roots: Floats,
    nodes: Small,
    spans: Floats,
    goals: Ints,
    now: int,
    e: int,
    root: int,
    left: int,
    right: int,
    k: int,
) -> int:
    """Write the nodes behind a polygon that was entered through edge e with a limited view.

    From the right end of the edge around to its left end: what is hidden behind its right end, if ways turn there; what
    is seen; what is hidden behind its left end.
    """
    i = _next(table, e)
    a, b = (root, right) if right >= 0 else (-1 - right, root)
    rx, ry, rx1, ry1 = points[a, 0], points[a, 1], points[b, 0], points[b, 1]
    a, b = (root, left) if left >= 0 else (-1 - left, root)
    lx, ly, lx1, ly1 = points[a, 0], points[a, 1], points[b, 0], points[b, 1]
    u = int(table[i, _VERTEX])
    turns = u == right and table[i, _TURNS] and _reach(points, roots, now, root, u)
    first, side = i, orient(rx, ry, rx1, ry1, xy[i, 0], xy[i, 1])
    while True:
        j = _next(table, i)
        ahead = orient(rx, ry, rx1, ry1, xy[j, 0], xy[j, 1])
        if ahead > 0.0:
            break
        if turns and _leads(table, i, goals):
            if i == first:
                k = _around(points, nodes, spans, int(table[i, _TWIN]), u, k)
            else:
                k = _edge(table, xy, points, roots, nodes, spans, now, i, u, k)
        i, side = j, ahead
    cut_x, cut_y, limit = xy[i, 0], xy[i, 1], int(table[i, _VERTEX])
    if side < 0.0:
        part = side / (side - ahead)
        cut_x, cut_y, limit = cut_x + part * (xy[j, 0] - cut_x), cut_y + part * (xy[j, 1] - cut_y), right
        if turns and _leads(table, i, goals):
            spans[k, 1], spans[k, 2], spans[k, 3], spans[k, 4] = cut_x, cut_y, xy[i, 0], xy[i, 1]
            k = _add(nodes, k, int(table[i, _TWIN]), u, -1 - root, int(table[i, _VERTEX]))
    side = orient(lx, ly, lx1, ly1, xy[i, 0], xy[i, 1])
    while True:
        ahead = orient(lx, ly, lx1, ly1, xy[j, 0], xy[j, 1])
        if ahead >= 0.0:
            break
        if _leads(table, i, goals):
            spans[k, 1], spans[k, 2], spans[k, 3], spans[k, 4] = xy[j, 0], xy[j, 1], cut_x, cut_y
            k = _add(nodes, k, int(table[i, _TWIN]), root, int(table[j, _VERTEX]), limit)
        i, side = j, ahead
        j = _next(table, i)
        cut_x, cut_y, limit = xy[i, 0], xy[i, 1], int(table[i, _VERTEX])
    u = int(table[e, _VERTEX])
    turns = u == left and table[e, _TURNS] and _reach(points, roots, now, root, u)
    if _leads(table, i, goals):
        end_x, end_y, end = xy[j, 0], xy[j, 1], int(table[j, _VERTEX])
        if ahead > 0.0:
            part = side / (side - ahead)
            end_x, end_y, end = xy[i, 0] + part * (end_x - xy[i, 0]), xy[i, 1] + part * (end_y - xy[i, 1]), left
            if turns:
                spans[k, 1], spans[k, 2], spans[k, 3], spans[k, 4] = xy[j, 0], xy[j, 1], end_x, end_y
                k = _add(nodes, k, int(table[i, _TWIN]), u, int(table[j, _VERTEX]), -1 - root)
        spans[k, 1], spans[k, 2], spans[k, 3], spans[k, 4] = end_x, end_y, cut_x, cut_y
        k = _add(nodes, k, int(table[i, _TWIN]), root, end, limit)
    while turns and j != e:
        i, j = j, _next(table, j)
        if _leads(table, i, goals):
            if j == e:
                k = _around(points, nodes, spans, int(table[i, _TWIN]), u, k)
            else:
                k = _edge(table, xy, points, roots, nodes, spans, now, i, u, k)
    return k
