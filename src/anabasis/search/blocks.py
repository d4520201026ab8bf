"""Blocks: a map in coarser cells, and A* over them in whole numbers.

Prices in whole numbers, √2 scaled and rounded, as in the path finder of a Czech thesis on generated terrain for
strategy games, 2014.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import arcs_out
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
    SOLVED,
    STATUS,
    UPDATE,
    note,
)
from anabasis._kernel.tree import walk
from anabasis.errors import InputError
from anabasis.graph import METRICS
from anabasis.grid import Grid
from anabasis.options import check_count
from anabasis.search.moves import Space

__all__ = ["Blocks"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

_FINEST, _HEAVIEST = 10**6, 1e6  # beyond them products leave the whole numbers that a float holds exactly


class Blocks:
    """The blocks of ratio × ratio cells of a map.

    coarse: the Grid of the blocks. whole: whether no block is free in part, so that a search over blocks proves that
    there is no way. A block is free if all its cells are; its price is their mean.
    """

    def __init__(self, space: Space, ratio: int, unit: int, metric: str | None, weight: float) -> None:
        """Make the coarse map; for the options and errors see `CoarseFine`."""
        self._fine = space.grid
        self.ratio = check_count(ratio, "ratio", 1, expected="at least 1 cell a block")
        self.unit = check_count(unit, "unit of prices", 1, _FINEST)
        if not 0 <= weight <= _HEAVIEST:
            raise InputError("weight of the estimate", found=f"{weight}", expected=f"0 to {_HEAVIEST:g}")
        self.coarse, self.whole = _blocks(self._fine, self.ratio)
        self._net = Space(self.coarse, space.neighbours, space.corners)
        self.metric = self._net.best_metric() if metric is None else metric
        self._net.admissible(self.metric)  # refuses a metric that does not exist
        self.weight = float(weight)

    def block(self, vertex: int) -> int:
        """Return the number of the block in which a vertex lies."""
        width = self._fine.width
        return vertex // width // self.ratio * self.coarse.width + vertex % width // self.ratio

    def middles(self, blocks: Ints) -> Ints:
        """Return the vertices in the middles of blocks; -1 stays."""
        columns, half = self.coarse.width, self.ratio // 2
        x = np.minimum(blocks % columns * self.ratio + half, self._fine.width - 1)
        y = np.minimum(blocks // columns * self.ratio + half, self._fine.height - 1)
        return np.where(blocks < 0, -1, y * self._fine.width + x)

    def search(self, start: int, goal: int, limit: int, row: Floats, log: Floats) -> Ints:
        """Return the blocks of a path from one vertex to another; row[NEAREST] is the one nearest to the goal."""
        ends = self.block(start), self.block(goal)
        if self._net.blocked(ends[0]):
            return np.empty(0, np.int64)
        steps = self.unit, round(2**0.5 * self.unit)
        return _search(self._net.arcs, *ends, METRICS.index(self.metric), self.weight, *steps, limit, row, log)


def _blocks(grid: Grid, ratio: int) -> tuple[Grid, bool]:
    """Return the coarse map, and whether no block is free in part."""
    rows, columns = np.arange(0, grid.height, ratio), np.arange(0, grid.width, ratio)

    def summed(values: Any) -> Any:
        return np.add.reduceat(np.add.reduceat(values, rows, axis=0), columns, axis=1)

    cells, free = summed(np.ones(grid.cost.shape)), summed(grid.free.astype(np.float64))
    cost = np.where(free == cells, summed(grid.cost), np.inf) / cells  # inf + inf is inf
    terrain = grid.terrain[np.ix_(rows, columns)]
    return Grid(np.maximum(cost, 1.0), terrain, grid.side * ratio), bool(((free == 0) | (free == cells)).all())


@kernel
def _search(
    arcs: Any,
    start: int,
    goal: int,
    metric: int,
    weight: float,
    straight: int,
    diagonal: int,
    limit: int,
    row: Floats,
    log: Floats,
) -> Ints:
    """Search over blocks in whole numbers, and return the path, empty without one; no closed block is opened again."""
    width, cost = arcs[0], arcs[5]
    heads, steps = np.empty(8, np.int64), np.empty(8, np.float64)
    g, parent = np.full(len(cost), -1, np.int64), np.full(len(cost), -1, np.int64)
    closed = np.zeros(len(cost), np.bool_)
    heap = np.empty((1024, 3), np.float64)
    h = _estimate(metric, straight, diagonal, start % width - goal % width, start // width - goal // width)
    g[start] = 0
    heap_push(heap, 0, float(int(weight * h)), 0.0, start)
    logged = note(log, 0, GENERATE, start, -1, 0.0, float(h))
    size, expanded, generated, least = 1, 0, 1, -1
    row[STATUS] = NO_SOLUTION
    while size:
        v = heap_pop(heap, size)
        size -= 1
        if closed[v]:
            continue
        if v == goal:
            row[STATUS], row[COST] = SOLVED, g[v]
            break
        if limit and expanded == limit:
            row[STATUS] = LIMIT
            break
        closed[v] = True
        expanded += 1
        h = _estimate(metric, straight, diagonal, v % width - goal % width, v // width - goal // width)
        logged = note(log, logged, EXPAND, v, int(parent[v]), float(g[v]), float(h))
        if least < 0 or h < least or (h == least and g[v] < g[int(row[NEAREST])]):
            least, row[NEAREST] = h, v
        if size + 8 > len(heap):
            heap = heap_grown(heap, size, 8)
        for k in range(arcs_out(arcs, v, heads, steps)):
            w = heads[k]
            slant = v % width != w % width and v // width != w // width
            way = int(g[v]) + int(np.rint((diagonal if slant else straight) * cost[w]))
            if closed[w] or (g[w] >= 0 and g[w] <= way):
                continue
            h = _estimate(metric, straight, diagonal, w % width - goal % width, w // width - goal // width)
            logged = note(log, logged, UPDATE if g[w] >= 0 else GENERATE, w, v, float(way), float(h))
            g[w], parent[w] = way, v
            heap_push(heap, size, float(way + int(weight * h)), -float(way), w)
            size += 1
            generated += 1
    row[EXPANDED], row[GENERATED] = expanded, generated
    return walk(parent, goal) if row[STATUS] == SOLVED else np.empty(0, np.int64)


@kernel
def _estimate(metric: int, straight: int, diagonal: int, dx: int, dy: int) -> int:
    """Return the price of (dx, dy) in whole numbers: 0 zero, 1 Manhattan, 2 octile, 3 Euclidean, 4 Chebyshev.

    The Euclidean one is scaled by the rounded diagonal and rounded down: else it would overestimate where √2 was
    rounded down.
    """
    dx, dy = abs(dx), abs(dy)
    if metric == 0:
        return 0
    if metric == 1:
        return straight * (dx + dy)
    if metric == 2:
        return straight * abs(dx - dy) + diagonal * min(dx, dy)
    if metric == 3:
        return int(min(float(straight), diagonal / math.sqrt(2.0)) * math.sqrt(float(dx * dx + dy * dy)))
    return straight * max(dx, dy)
