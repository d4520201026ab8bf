"""A*: best-first search by cost so far plus estimated cost to go, on a grid or a graph.

P. Hart, N. Nilsson and B. Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968;
weighted: I. Pohl, "Heuristic Search Viewed as Path Finding in a Graph", 1970.

The kernel here does everything: any costs, graphs, any metric, weights. The commonest case, a map whose free cells all
cost 1, has a faster one of its own in `lattice`.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
    OPEN,
    SOLVED,
    STATUS,
    UPDATE,
    note,
)
from anabasis._kernel.tree import walk
from anabasis.errors import InputError
from anabasis.graph import METRICS, Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.batch import Batch, answer
from anabasis.search.lattice import CHARGE, Lattice
from anabasis.search.moves import Space

__all__ = ["AStar", "astar"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

_HEAVIEST = 1e6  # beyond it the estimate leaves no digits for the way so far; `greedy` is then meant


def astar(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    metric: str | None = None,
    weight: float = 1.0,
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a path from vertex `start` to vertex `goal`.

    On a Grid a step goes to one of 4 or 8 neighbours and costs its length (1 or √2) times the price of the cell that
    it enters. corners: when a diagonal step is allowed: "strict" if both cells beside it are free, "loose" if at
    least one is, "none" always. metric: one of `graph.METRICS`; by default octile for 8 neighbours, Manhattan for 4,
    and the graph's own. weight ≥ 1 multiplies the estimate. limit: most expansions, 0 for no limit. traced: record
    the search.

    The path is a shortest one if the weight is 1 and the metric never overestimates (the default never does; Manhattan
    with 8 neighbours may); its cost is then also the bound. With a greater weight the cost is at most weight × the
    optimum and the bound at least cost / weight. With a metric that may overestimate nothing is promised, and the
    bound is the distance by the default metric. stats: expanded, generated, and on a map of equal prices straight and
    diagonal, the steps of the path. Without a way: NO_SOLUTION, the reason, and nearest, nearest_x, nearest_y in
    stats, the reached vertex nearest to the goal as the crow flies (of equals the smallest; absent if the start is
    blocked).

    Raises InputError for an unknown option or a vertex outside the map. For many queries on one map make one `AStar`.
    """
    search = AStar(space, neighbours=neighbours, corners=corners, metric=metric, weight=weight)
    return search.find(start, goal, limit=limit, traced=traced)


class AStar:
    """A* for many queries on one map or graph; it keeps its working memory, so threads must not share one."""

    def __init__(
        self,
        space: Grid | Graph,
        *,
        neighbours: int = 8,
        corners: str = "strict",
        metric: str | None = None,
        weight: float = 1.0,
    ) -> None:
        """Check the options, which are those of `astar`, and prepare the tables of the map."""
        if not (isinstance(weight, Real) and 1 <= weight <= _HEAVIEST):
            raise InputError("weight of the estimate", found=f"{weight}", expected=f"1 to {_HEAVIEST:g}")
        self.space = Space(space, neighbours, corners)
        self.metric = self.space.best_metric() if metric is None else metric
        self.factor = float(weight) if self.space.admissible(self.metric) else np.inf
        exact = self.space.unit_cost and self.factor == 1 and self.metric in CHARGE
        self._memory = Lattice(self.space, self.metric) if exact else _Memory(self.space, self.metric, weight)

    def find(self, start: int, goal: int, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a path from vertex `start` to vertex `goal`, exactly as `astar` does."""
        return answer(self, [start], [goal], limit, traced)[0]

    def find_many(self, starts: ArrayLike, goals: ArrayLike, *, limit: int = 0) -> Batch:
        """Find a path for each pair of vertices, exactly as one `find` after the other would."""
        return answer(self, starts, goals, limit, False)

    def run(self, starts: Ints, goals: Ints, limit: int, log: Floats) -> tuple[Floats, Ints, Ints]:
        """Answer queries; return rows, indptr and vertices of a Batch."""
        return self._memory.run(starts, goals, limit, log)


class _Memory:
    """What `_astar` keeps between queries."""

    def __init__(self, space: Space, metric: str, weight: float) -> None:
        self.space, self.metric, self.weight = space, METRICS.index(metric), float(weight)
        self.mark = np.zeros(space.size, np.int64)
        self.parent = np.empty(space.size, np.int64)
        self.g = np.empty(space.size)
        self.now = 0  # the mark of the last query

    def run(self, starts: Ints, goals: Ints, limit: int, log: Floats) -> tuple[Floats, Ints, Ints]:
        """Answer queries; return rows, indptr and vertices of a Batch."""
        tree = self.mark, self.g, self.parent
        answers = _search_all(self.space.arcs, starts, goals, self.metric, self.weight, limit, self.now, *tree, log)
        self.now += 2 * len(starts)
        return answers


@kernel
def _search_all(
    arcs: Any,
    starts: Ints,
    goals: Ints,
    metric: int,
    weight: float,
    limit: int,
    now: int,
    mark: Ints,
    g: Floats,
    parent: Ints,
    log: Floats,
) -> tuple[Floats, Ints, Ints]:
    """Search for each pair of start and goal; return rows, indptr and vertices of a Batch."""
    width, cost, points = arcs[0], arcs[5], arcs[9]
    rows = np.zeros((len(starts), 6), np.float64)
    indptr = np.zeros(len(starts) + 1, np.int64)
    vertices = np.empty(256, np.int64)
    for q in range(len(starts)):
        row, start, goal, count = rows[q], starts[q], goals[q], indptr[q]
        row[STATUS], row[COST], row[NEAREST] = NO_SOLUTION, np.inf, -1
        now += 2
        if width == 0 or cost[start] < np.inf:
            _astar(arcs, start, goal, metric, weight, limit, now, mark, g, parent, row, log)
            if row[STATUS] == SOLVED:
                path = walk(parent, goal)
                while count + len(path) > len(vertices):
                    vertices = np.concatenate((vertices, vertices))
                vertices[count : count + len(path)] = path
                count += len(path)
            elif row[STATUS] == NO_SOLUTION:
                row[NEAREST] = _nearest(mark, now, points, width, goal)
        indptr[q + 1] = count
    return rows, indptr, vertices[: indptr[-1]].copy()


@kernel
def _nearest(mark: Ints, now: int, points: Floats, width: int, goal: int) -> int:
    """Return the vertex seen in this query that is nearest to the goal as the crow flies, of equals the smallest."""
    nearest, least = -1, np.inf
    for v in range(len(mark)):
        if mark[v] >= now:
            if width:
                x, y = float(v % width - goal % width), float(v // width - goal // width)
            else:
                x, y = points[v, 0] - points[goal, 0], points[v, 1] - points[goal, 1]
            if x * x + y * y < least:
                nearest, least = v, x * x + y * y
    return nearest


@kernel
def _astar(
    arcs: Any,
    start: int,
    goal: int,
    metric: int,
    weight: float,
    limit: int,
    now: int,
    mark: Ints,
    g: Floats,
    parent: Ints,
    row: Floats,
    log: Floats,
) -> None:
    """Search once; leave the tree in parent and the outcome in row. mark: now open, now + 1 closed, less unseen."""
    width, points = arcs[0], arcs[9]
    degree: int = arcs[10]
    heads, steps = np.empty(degree, np.int64), np.empty(degree, np.float64)
    h = vertex_distance(points, width, start, goal, metric)
    heap = np.empty((1024, 3), np.float64)
    heap_push(heap, 0, weight * h, 0.0, start)
    logged = note(log, 0, GENERATE, start, -1, 0.0, h)
    size, expanded, generated = 1, 0, 1
    mark[start], g[start], parent[start] = now, 0.0, -1
    while size:
        key = heap[0, 0]
        v = heap_pop(heap, size)
        size -= 1
        if mark[v] > now:
            continue  # closed already, by a shorter way
        if v == goal:
            row[STATUS], row[COST] = SOLVED, g[v]
            break
        if limit and expanded == limit:
            row[STATUS], row[OPEN] = LIMIT, key
            break
        mark[v] = now + 1
        expanded += 1
        logged = note(log, logged, EXPAND, v, parent[v], g[v], vertex_distance(points, width, v, goal, metric))
        if size + degree > len(heap):
            heap = heap_grown(heap, size, degree)
        for k in range(arcs_out(arcs, v, heads, steps)):
            w, way = heads[k], g[v] + steps[k]
            if mark[w] > now or (mark[w] == now and g[w] <= way):
                continue
            h = vertex_distance(points, width, w, goal, metric)
            logged = note(log, logged, UPDATE if mark[w] == now else GENERATE, w, v, way, h)
            mark[w], g[w], parent[w] = now, way, v
            heap_push(heap, size, way + weight * h, -way, w)  # of equal keys the one with the longer way first
            size += 1
            generated += 1
    row[EXPANDED], row[GENERATED] = expanded, generated
