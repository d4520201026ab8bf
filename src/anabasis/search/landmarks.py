"""ALT: A* whose estimate comes from distances to a few landmarks, by the triangle inequality; for many queries.

A. Goldberg and C. Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", 2005. If d is the distance,
then for every landmark L no way from v to the goal is shorter than d(L, goal) - d(L, v), nor than d(v, L) - d(goal, L).
"""

from __future__ import annotations

from dataclasses import replace
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
    NO_SOLUTION,
    OPEN,
    SOLVED,
    STATUS,
    UPDATE,
    note,
)
from anabasis._kernel.tree import walk
from anabasis._kernel.ways import flood, walked_cost
from anabasis.graph import METRICS, Graph
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.options import check_count
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.batch import pairs_of
from anabasis.search.dijkstra import distances
from anabasis.search.integration import integrate
from anabasis.search.moves import Space
from anabasis.search.outcome import blank_report, check_limit, log_for, outcome
from anabasis.search.reach import settle, turned_round

__all__ = ["Landmarks", "alt"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

_ACTIVE = 4  # so many landmarks, those that say most about start and goal, are asked in a query
_TRIES = 8  # vertices tried for a place in the largest part of the map
_SLACK = 1e-12  # of the largest distance: what rounding may have added to a difference of two


def alt(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    count: int = 8,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a shortest path from vertex `start` to vertex `goal` with `count` landmarks, made for this one query.

    See `Landmarks`, of which one should be made for many queries.
    """
    search = Landmarks(space, count=count, neighbours=neighbours, corners=corners)
    return search.find(start, goal, limit=limit, traced=traced)


class Landmarks:
    """A* with landmarks for many queries on one map or graph.

    vertices: int64[k], the landmarks, each as far as can be from those before it, in the largest part of the map that
    was found; k is less than `count` if that part has fewer vertices. bytes: the size of the tables of distances. It
    keeps its working memory, so threads must not share one.
    """

    def __init__(self, space: Grid | Graph, *, count: int = 8, neighbours: int = 8, corners: str = "strict") -> None:
        """Choose landmarks and compute their distances from and to every vertex: `count` searches over the map.

        On a map of equal prices both distances are the same and kept once. Raises InputError for an unknown option.
        """
        number = check_count(count, "number of landmarks", 1)
        self.space = Space(space, neighbours, corners)
        self.vertices, away = _choose(self.space, number)
        back = away if self.space.unit_cost else _distances_to(self.space, self.vertices)
        self._away = freeze(away.T, np.float64, (None, None), "away")  # [vertex, landmark]: what is asked together
        self._back = self._away if self.space.unit_cost else freeze(back.T, np.float64, (None, None), "back")
        self.bytes = self._away.nbytes + (0 if self._back is self._away else self._back.nbytes)
        largest = max(float(table[np.isfinite(table)].max(initial=0.0)) for table in (self._away, self._back))
        self._slack = largest * _SLACK
        size = self.space.size
        self._tree = np.zeros(size, np.int64), np.empty(size), np.empty(size), np.empty(size, np.int64)
        self._now = 0  # the mark of the last query

    def find(self, start: int, goal: int, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a shortest path from vertex `start` to vertex `goal`; its cost is the bound.

        The stats and the errors are those of `astar`, and bytes is the size of the tables. The bound at a limit is what
        the landmarks prove. That a goal in another part than a landmark can't be reached is known without a search.
        """
        net = self.space
        start, goal = net.ends(start, goal)
        limit, log = check_limit(limit), log_for()
        row = blank_report()
        vertices = np.empty(0, np.int64)
        if not net.blocked(start) and not net.blocked(goal):
            vertices = self._search(start, goal, limit, row, log)
            if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
                log = log_for(row)
                self._search(start, goal, limit, row, log)
        if row[STATUS] == SOLVED:
            row[COST] = walked_cost(net.arcs, vertices)
        elif row[STATUS] == NO_SOLUTION and not net.blocked(start):
            settle(net, start, goal, row)
        result = outcome(net, start, goal, row, vertices, log, 1.0)
        return replace(result, stats={**result.stats, "bytes": self.bytes})

    def _search(self, start: int, goal: int, limit: int, row: Floats, log: Floats) -> Ints:
        self._now += 1
        number, tables = METRICS.index(self.space.best_metric()), (self._away, self._back)
        ask = start, goal, number, self._slack, limit, self._now
        return _alt(self.space.arcs, *tables, *ask, *self._tree, row, log)

    def find_many(self, starts: ArrayLike, goals: ArrayLike, *, limit: int = 0) -> list[Result[Path]]:
        """Find a path for each pair of vertices, exactly as one `find` after the other would."""
        return [self.find(u, v, limit=limit) for u, v in pairs_of(self.space, starts, goals)]


def _choose(net: Space, count: int) -> tuple[Ints, Floats]:
    """Return the landmarks, int64[k], and the distances from them, float64[k, n]."""
    vertices = np.flatnonzero(np.isfinite(net.cost)) if net.width else np.arange(net.size)
    if not vertices.size:
        return np.empty(0, np.int64), np.empty((0, net.size))
    largest = np.zeros(net.size, bool)
    seed = int(vertices[0])
    for v in vertices[np.linspace(0, vertices.size - 1, _TRIES).astype(int)].tolist():
        if not largest[v]:
            reached = np.zeros(net.size, bool)
            flood(net.arcs, v, reached)
            if reached.sum() > largest.sum():
                largest, seed = reached, v
    nearest = np.where(largest, _distances_from(net, seed), -1.0)
    chosen, away = list[int](), list[Floats]()
    for _ in range(min(count, int(largest.sum()))):
        candidates = np.where(np.isfinite(nearest), nearest, -1.0)
        if chosen and candidates.max() <= 0:
            break
        chosen.append(int(candidates.argmax()))
        away.append(_distances_from(net, chosen[-1]))
        nearest = np.minimum(nearest, away[-1]) if len(chosen) > 1 else np.where(largest, away[-1], -1.0)
        nearest[chosen] = -1.0
    return np.array(chosen, np.int64), np.array(away)


def _distances_from(net: Space, vertex: int) -> Floats:
    """Return float64[n]: the cost of the cheapest way from a vertex to each one, inf without a way."""
    return distances(net.space, [vertex], neighbours=net.neighbours, corners=net.corners)[0]


def _distances_to(net: Space, vertices: Ints) -> Floats:
    """Return float64[k, n]: the cost of the cheapest way from each vertex to those of a list."""
    if isinstance(net.space, Grid):
        return np.array([integrate(net, np.array([v]))[0].reshape(-1) for v in vertices])
    back = turned_round(net.space)
    return np.array([distances(back, [v])[0] for v in vertices.tolist()]).reshape(len(vertices), back.size)


@kernel
def _alt(
    arcs: Any,
    away: Floats,
    back: Floats,
    start: int,
    goal: int,
    metric: int,
    slack: float,
    limit: int,
    now: int,
    mark: Ints,
    g: Floats,
    h: Floats,
    parent: Ints,
    row: Floats,
    log: Floats,
) -> Ints:
    """Search once and return the path, empty without one; a vertex whose way is shortened is opened again.

    mark: now if g, h and parent of a vertex are of this query.
    """
    width, points = arcs[0], arcs[9]
    degree: int = arcs[10]
    heads, steps = np.empty(degree, np.int64), np.empty(degree, np.float64)
    asked = _best_landmarks(away, back, start, goal)
    row[STATUS], row[EXPANDED], row[GENERATED] = NO_SOLUTION, 0, 1
    h[start] = _estimate(away, back, asked, start, goal, slack, vertex_distance(points, width, start, goal, metric))
    mark[start], g[start], parent[start] = now, 0.0, -1
    logged = note(log, 0, GENERATE, start, -1, 0.0, h[start])
    heap = np.empty((1024, 3), np.float64)
    heap_push(heap, 0, h[start], 0.0, start)
    size = 1 if h[start] < np.inf else 0
    while size:
        key, way = heap[0, 0], -heap[0, 1]
        v = heap_pop(heap, size)
        size -= 1
        if way > g[v]:
            continue
        if v == goal:
            row[STATUS] = SOLVED
            return walk(parent, goal)
        if limit and row[EXPANDED] == limit:
            row[STATUS], row[OPEN] = LIMIT, key
            break
        row[EXPANDED] += 1
        logged = note(log, logged, EXPAND, v, int(parent[v]), way, float(h[v]))
        if size + degree > len(heap):
            heap = heap_grown(heap, size, degree)
        for k in range(arcs_out(arcs, v, heads, steps)):
            w, far = heads[k], way + steps[k]
            seen = mark[w] == now
            if seen and far >= g[w]:
                continue
            if not seen:
                straight = vertex_distance(points, width, w, goal, metric)
                h[w] = _estimate(away, back, asked, w, goal, slack, straight)
                if h[w] == np.inf:
                    continue
            logged = note(log, logged, UPDATE if seen else GENERATE, w, v, far, float(h[w]))
            mark[w], g[w], parent[w] = now, far, v
            heap_push(heap, size, far + h[w], -far, w)
            size += 1
            row[GENERATED] += 1
    return np.empty(0, np.int64)


@kernel
def _best_landmarks(away: Floats, back: Floats, start: int, goal: int) -> Ints:
    """Return which landmarks say most about the way from start to goal."""
    count = away.shape[1]
    said = np.empty(count, np.float64)
    for i in range(count):
        said[i] = -max(_apart(away[start, i], away[goal, i]), _apart(back[goal, i], back[start, i]))
    return np.argsort(said, kind="mergesort")[:_ACTIVE]


@kernel
def _apart(near: float, far: float) -> float:
    """Return far - near; if far is inf nothing is known of the way unless near is finite, and then there is none."""
    if near == np.inf:
        return 0.0
    return far - near


@kernel
def _estimate(away: Floats, back: Floats, asked: Ints, v: int, goal: int, slack: float, straight: float) -> float:
    """Return a lower bound of the cost from v to the goal: inf if there is no way, else at least `straight`."""
    least = 0.0
    for i in asked:
        least = max(least, _apart(away[v, i], away[goal, i]), _apart(back[goal, i], back[v, i]))
    return max(straight, least - slack)
