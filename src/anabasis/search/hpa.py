"""HPA*: a search among the entrances of square clusters, whose answer is an outline that is unfolded when it is needed.

A. Botea, M. Müller and J. Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
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
from anabasis._kernel.ways import walked_cost
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.options import check_count
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.batch import pairs_of
from anabasis.search.clusters import Clusters
from anabasis.search.outcome import blank_report, check_limit, log_for, outcome
from anabasis.search.reach import settle

__all__ = ["HPA", "Outline", "hpa"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


def hpa(
    grid: Grid,
    start: int,
    goal: int,
    *,
    side: int = 16,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a short path from vertex `start` to vertex `goal` with clusters of side × side cells, made for this query.

    See `HPA`, of which one should be made for many queries.
    """
    return HPA(grid, side=side, neighbours=neighbours, corners=corners).find(start, goal, limit=limit, traced=traced)


class HPA:
    """Hierarchical path finding for many queries on one map; `clusters` is what it keeps.

    A path is found whenever there is one. It is a cheapest one among those that cross from cluster to cluster at the
    entrances, which are few, so it costs some per cent more than the best; `smoothing.shorten` makes up for most of it.
    On maps with prices the loss is about twice as great.
    """

    def __init__(self, grid: Grid, *, side: int = 16, neighbours: int = 8, corners: str = "strict") -> None:
        """Cut the map into clusters and search through each. Raises InputError for an unknown option."""
        self.clusters = Clusters(grid, side=side, neighbours=neighbours, corners=corners)

    def find(self, start: int, goal: int, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a short path from vertex `start` to vertex `goal`.

        The bound is the distance by the default metric. stats: expanded and generated count entrances, and so does the
        limit; cells, what was expanded inside clusters to join start and goal and to unfold the outline; pieces, its
        steps; states, arcs and bytes, what the clusters keep. Without a way: NO_SOLUTION and the nearest reached vertex
        as in `astar`. A recorded search shows the entrances. Raises InputError for a vertex outside the map.
        """
        return self.start(start, goal, limit=limit, traced=traced).result()

    def find_many(self, starts: ArrayLike, goals: ArrayLike, *, limit: int = 0) -> list[Result[Path]]:
        """Find a path for each pair of vertices, exactly as one `find` after the other would."""
        return [self.find(u, v, limit=limit) for u, v in pairs_of(self.clusters.space, starts, goals)]

    def start(self, start: int, goal: int, *, limit: int = 0, traced: bool = False) -> Outline:
        """Return the outline of a path at once; its cells are made when they are asked for. Errors as in `find`."""
        parts, net = self.clusters, self.clusters.space
        start, goal = net.ends(start, goal)
        limit, log = check_limit(limit), log_for()
        row = blank_report()
        cells, joined = np.empty(0, np.int64), 0
        if not net.blocked(start) and not net.blocked(goal):
            leave, direct, expanded = parts.ways(start, goal)
            reach, _, more = parts.ways(goal, start, backward=True)
            joined = expanded + more
            arcs = parts.indptr, parts.indices, parts.weights, parts.cell
            ends = (*parts.entrances(start), leave, *parts.entrances(goal), reach, direct)
            ask = start, goal, net.width, parts.metric, limit, row
            cells = _abstract(*arcs, *ends, *ask, log)
            if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
                log = log_for(row)
                _abstract(*arcs, *ends, *ask, log)
        if row[STATUS] == NO_SOLUTION and not net.blocked(start):
            settle(net, start, goal, row)
        return Outline(parts, start, goal, cells, row, log, joined)


class Outline:
    """A path whose entrances are known, and whose cells are made piece by piece, so that a unit can set out at once.

    - cells: int64[k], from start to goal; two in a row are in one cluster or beside one another; empty without a way.
    - cost: what the whole path will cost, up to rounding; inf without a way.
    - vertices: int64, the cells of the path made so far, the start among them.
    """

    def __init__(
        self, clusters: Clusters, start: int, goal: int, cells: Ints, row: Floats, log: Floats, joined: int
    ) -> None:
        """Keep what `HPA.start` found."""
        self._clusters, self._ends, self._row, self._log, self._count = clusters, (start, goal), row, log, joined
        self.cells = freeze(cells, np.int64, (None,), "cells")
        self.cost = float(row[COST])
        self._made = [self.cells[:1]]
        self._next = 0

    @property
    def vertices(self) -> Ints:
        """The cells of the path made so far."""
        return np.concatenate(self._made)

    @property
    def done(self) -> bool:
        """Whether the path is whole."""
        return self._next >= len(self.cells) - 1

    def refine(self, clusters: int = 1) -> Ints:
        """Make the cells of the way through the next clusters and return them; none if the path is whole.

        Raises InputError if `clusters` is no count of at least 1.
        """
        many = check_count(clusters, "number of clusters", 1)
        if self.done:
            return self.cells[:0]
        left = np.flatnonzero(np.diff(self._clusters.cluster(self.cells[self._next :])))  # steps across
        end = self._next + int(left[many - 1]) + 1 if many <= left.size else len(self.cells) - 1
        made, expanded = self._clusters.unfold(self.cells, self._next, end)
        self._next = end
        self._count += expanded
        self._made.append(made)
        return made

    def result(self) -> Result[Path]:
        """Make what is left of the path and return it, or why there is none, as `HPA.find` does."""
        if not self.done:
            self.refine(len(self.cells))
        parts, vertices = self._clusters, self.vertices
        row = self._row.copy()
        if row[STATUS] == SOLVED:
            row[COST] = walked_cost(parts.space.arcs, vertices)
        found = outcome(parts.space, *self._ends, row, vertices, self._log, np.inf)
        stats = {"cells": self._count, "pieces": max(0, len(self.cells) - 1)}
        kept = {"states": len(parts.cell), "arcs": len(parts.indices), "bytes": parts.bytes}
        return replace(found, stats={**found.stats, **stats, **kept})


@kernel
def _abstract(
    indptr: Ints,
    indices: Ints,
    weights: Floats,
    cell: Ints,
    start_low: int,
    start_high: int,
    leave: Floats,
    goal_low: int,
    goal_high: int,
    reach: Floats,
    direct: float,
    start: int,
    goal: int,
    width: int,
    metric: int,
    limit: int,
    row: Floats,
    log: Floats,
) -> Ints:
    """Search among the entrances and return the cells of the outline, empty without one.

    leave: the ways from the start to entrances start_low … start_high - 1; reach: from those of the goal; direct: from
    start to goal inside a cluster.
    """
    m = len(cell)  # the number of the start; the goal is m + 1
    places, points = np.append(cell, np.array([start, goal])), np.empty((0, 2))
    g, parent = np.full(m + 2, np.inf), np.full(m + 2, -1, np.int64)
    heap = np.empty((1024, 3), np.float64)
    h = vertex_distance(points, width, start, goal, metric)
    heap_push(heap, 0, h, 0.0, m)
    g[m] = 0.0
    logged = note(log, 0, GENERATE, start, -1, 0.0, h)
    size, expanded, generated = 1, 0, 1
    row[STATUS] = NO_SOLUTION
    while size:
        key, way = heap[0, 0], -heap[0, 1]
        v = heap_pop(heap, size)
        size -= 1
        if way > g[v]:
            continue
        if v == m + 1:
            row[STATUS], row[COST] = SOLVED, way
            break
        if limit and expanded == limit:
            row[STATUS], row[OPEN] = LIMIT, key
            break
        expanded += 1
        before = int(places[parent[v]]) if parent[v] >= 0 else -1
        logged = note(log, logged, EXPAND, places[v], before, way, key - way)
        inside = indptr[v + 1] - indptr[v] if v < m else start_high - start_low
        if size + inside + 1 > len(heap):
            heap = heap_grown(heap, size, inside + 1)
        for k in range(inside + 1):
            if k == inside:  # the way to the goal inside its cluster, if there is one
                w, far = m + 1, direct if v == m else np.inf
                if goal_low <= v < goal_high:
                    far = reach[v - goal_low]
            elif v == m:
                w, far = start_low + k, leave[k]
            else:
                w, far = indices[indptr[v] + k], weights[indptr[v] + k]
            far += way
            if far >= g[w]:
                continue
            h = vertex_distance(points, width, places[w], goal, metric)
            logged = note(log, logged, UPDATE if g[w] < np.inf else GENERATE, places[w], places[v], far, h)
            g[w], parent[w] = far, v
            heap_push(heap, size, far + h, -far, int(w))
            size += 1
            generated += 1
    row[EXPANDED], row[GENERATED] = expanded, generated
    if row[STATUS] != SOLVED:
        return np.empty(0, np.int64)
    outline = places[walk(parent, m + 1)]
    kept = np.ones(len(outline), np.bool_)  # a start or goal that is an entrance itself comes twice
    kept[1:-1] = (outline[1:-1] != start) & (outline[1:-1] != goal)
    if start == goal:
        kept[1:] = False
    return outline[kept]
