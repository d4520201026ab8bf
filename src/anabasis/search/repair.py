"""Repair: the search that LPA* and D* Lite share: it outlives a query and mends only what a change has touched.

S. Koenig, M. Likhachev and D. Furcy, "Lifelong Planning A*", 2004; S. Koenig and M. Likhachev, "D* Lite", 2002. For
each vertex g is the distance to the root of the search as known before and rhs the one that the neighbours' g give; the
queue holds the vertices where both differ.

Equal terms are always computed alike, so rhs is exactly the least of its terms. What rounding can do is to put keys in
the wrong order that are equal by rights, and a search that stops by such a key misses a block on its path. It therefore
goes on while the first part of a key is at most that of the target *within rounding*; where all sums are whole numbers
keys are compared as published.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import alteration, mending
from anabasis._kernel.report import COST, EXPANDED, GENERATED, LIMIT, NO_SOLUTION, OPEN, SOLVED, STATUS
from anabasis.errors import InputError
from anabasis.graph import METRICS, Graph
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space, move_table
from anabasis.search.outcome import blank_report, check_limit, log_for, outcome
from anabasis.search.price_limit import Spread, check_map, price_limit, spread_of, too_dear, wrong_price
from anabasis.search.reach import settle

__all__ = ["FLOAT", "FLOOR", "INT", "Repair", "Touched", "one_search"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

FLOOR = "floor-euclidean"
_NO_LOG = np.empty((0, 5))
_PARTS = "book", "reals", "cells", "place"
INT, FLOAT = np.dtype(np.int64), np.dtype(np.float64)
_NETS: WeakKeyDictionary[Graph, tuple[tuple[Any, ...], Spread]] = WeakKeyDictionary()


def _net(graph: Graph) -> tuple[tuple[Any, ...], Spread]:
    """Return the arcs of a graph in both directions, and the least and the greatest weight, once for each graph.

    rows int64[2, n + 1] and ends int64[2, m]: arcs out of a vertex, arcs into it; numbers int64[m] of the latter among
    the former; weights. Raises InputError for an arc of weight 0 between two vertices.
    """
    known = _NETS.get(graph)
    if known is None:
        tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
        idle = np.flatnonzero((graph.weights == 0) & (tails != graph.indices))
        if idle.size:
            raise InputError(
                "a search that is mended can't follow arcs of weight 0",
                found=f"one from vertex {tails[idle[0]]} to vertex {graph.indices[idle[0]]}",
                expected="positive weights",
            )
        numbers = np.argsort(graph.indices, kind="stable")
        into = np.searchsorted(graph.indices[numbers], np.arange(graph.size + 1))
        rows, ends = np.stack([graph.indptr, into]), np.stack([graph.indices, tails[numbers]])
        net = (*map(_sealed, (rows, ends, numbers)), graph.weights)
        known = _NETS[graph] = net, spread_of(graph.weights[tails != graph.indices])
    return known


def _sealed(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view, so that kernels are compiled for one kind of array alone."""
    view = array.view()
    view.flags.writeable = False
    return view


_NO_NET: tuple[Any, ...] = mending.NO_INTS, mending.NO_INTS, mending.NO_INTS[0], mending.NO_FLOATS


def _plain(values: ArrayLike, dtype: Any, name: str) -> NDArray[Any]:
    """Return values as an array; one that is of that kind already goes through unchecked, which saves microseconds."""
    if isinstance(values, np.ndarray) and values.dtype == dtype and values.ndim == 1 and values.flags.c_contiguous:
        return _sealed(values)
    return freeze(values, dtype, (None,), name)


def _check_lengths(some: NDArray[Any], name: str, others: NDArray[Any], of: str) -> None:
    if len(some) != len(others):
        raise InputError(f"number of {name}", found=f"{len(some)}", expected=f"{len(others)}, one for each of the {of}")


@dataclass(frozen=True, eq=False)
class Touched:
    """What a search knows of the vertices where it has been.

    vertices: int64[k], ascending; price (inf: blocked), g (distance to the root as known before the last change) and
    rhs (as the neighbours say): float64[k].
    """

    vertices: Ints
    price: Floats
    g: Floats
    rhs: Floats


class Repair:
    """What one search remembers: 36 bytes a vertex, written only where it has been, and the queue.

    Making one costs the same on every map but for the reservation of that memory, and for a look at its prices once for
    all searches; on a Graph the arcs are turned round once for all searches, and copied (8 bytes an arc) by the first
    search whose arcs change.
    """

    def __init__(
        self,
        space: Grid | Graph,
        root: int,
        focus: int,
        *,
        neighbours: int,
        corners: str,
        backward: bool,
        metric: str | None = None,
        optimized: bool = True,
    ) -> None:
        """Check the options and begin at `root`; the estimates lead to `focus`. backward: the root is the goal."""
        self.space = Space(space, neighbours, corners)
        self.focus, self.root = self.space.ends(focus, root)
        graph = space if isinstance(space, Graph) else None
        size, self.degree, self.on_map = self.space.size, 8, graph is None
        steps = 1.0, mending.DIAGONAL if neighbours == 8 else 1.0
        self.net, self._spread = (_NO_NET, steps) if graph is None else _net(graph)
        limit = price_limit(self._spread, size)
        if graph is None:
            check_map(self.space.grid, limit)
        self.points = mending.NO_POINTS if graph is None else graph.points
        if graph is not None:
            self.degree = int(np.diff(self.net[0], axis=1).max(initial=0))
        self.prices = self.space.cost  # as given, empty on a graph, whose vertices cost 1
        self.memory = np.zeros(mending.CELLS + 4 * size + (size + 1) // 2)
        self._divide()
        self.reals[:3] = 0.0, 1.0 / max(self.space.width, 1), limit
        height = size // max(self.space.width, 1)
        number = self._metric(metric)
        self.book[: mending.NOW] = self.space.width, height, 8 // neighbours, number, backward, optimized, self.degree
        self.book[mending.ROUGH] = (
            graph is not None or neighbours == 8 or number in (METRICS.index("octile"), mending.EUCLIDEAN)
        )
        self.book[mending.OFFSET : mending.OFFSET + 8] = self.space.offset
        self.book[mending.MOVES :] = move_table(neighbours, corners, False)[8]
        self.rows = np.empty((min(size, 256) + self.degree + 2, 4))  # so that few searches have to make it longer
        self.own_weights: Floats | None = None
        self.restart(self.root, self.focus)

    def _divide(self) -> None:
        """Find the parts of the memory."""
        memory, size = self.memory, self.space.size
        rest = mending.CELLS + 4 * size
        self.book, self.reals = memory[: mending.REALS].view(np.int64), memory[mending.REALS : mending.ENDS]
        self.cells = memory[mending.CELLS : rest].reshape(size, 4)
        self.place = memory[rest:].view(np.int32)

    def __getstate__(self) -> dict[str, Any]:
        """Copy the memory once: its parts are views of it."""
        return {name: value for name, value in vars(self).items() if name not in _PARTS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Find the parts of the copied memory."""
        vars(self).update(state)
        self._divide()
        if self.own_weights is not None:
            self.net = (*self.net[:3], _sealed(self.own_weights))

    @property
    def _all(self) -> tuple[Any, Any, Any, Any, Any, Any, Any, Any]:
        """What every kernel needs."""
        return self.book, self.reals, self.prices, self.net, self.points, self.cells, self.place, self.rows

    def _metric(self, metric: str | None) -> int:
        """Return the number of a metric; raises InputError for one that may overestimate."""
        name = self.space.best_metric() if metric is None else metric
        if name == FLOOR and self.space.width and self.space.neighbours == 4:
            return mending.FLOOR
        if not self.space.admissible(name):
            raise InputError(
                "metric of a search that is mended", found=repr(name), expected="one that never overestimates"
            )
        return METRICS.index(name)

    def restart(self, root: int, focus: int) -> None:
        """Forget everything but the prices and begin at `root`."""
        self.root, self.focus = root, focus
        mending.plant(*self._all, root, focus)

    def repair(self, target: int, limit: int = 0, log: Floats = _NO_LOG) -> bool:
        """Expand until the distance of `target` is known; return False if the limit of expansions came first.

        log: what happens is written there, which takes a search that has not begun.
        """
        last = self.expanded + limit if limit else -1
        while True:
            end = mending.repair(*self._all, target, last, log)
            if end != mending.FULL:
                return end == mending.DONE
            self._reserve(len(self.rows))

    def follow(self, start: int, trail: Ints) -> int:
        """Repair for `start` and write the way from there to the root into `trail`, as far as it fits.

        Return how many vertices were written, 0 if there is no way.
        """
        while True:
            count = mending.follow(*self._all, start, trail)
            if count >= 0:
                return count
            self._reserve(len(self.rows))

    def way(self, start: int) -> Ints:
        """Return the vertices from `start` to the root, or none if there is no way."""
        parts, trail = [np.empty(0, np.int64)], np.empty(256, np.int64)
        while (count := self.follow(start, trail)) > 0:
            start = int(trail[count - 1])
            if start == self.root:
                return np.concatenate((*parts, trail[:count]))
            parts.append(trail[: count - 1].copy())
        return parts[0]

    def cost(self, vertices: Ints) -> float:
        """Return what it costs to walk along vertices; the first one may be blocked."""
        return float(mending.walked(self.book, self.reals, self.prices, self.net, self.cells, vertices))

    def exits(self, vertex: int) -> tuple[Ints, Floats]:
        """Return where steps out of a vertex lead, and what they cost, even if the vertex is blocked."""
        ends, costs = np.empty(self.degree, np.int64), np.empty(self.degree)
        count = mending.exits(self.book, self.reals, self.prices, self.net, self.cells, vertex, ends, costs)
        return ends[:count], costs[:count]

    def change(self, start: int, vertices: ArrayLike, prices: ArrayLike) -> int:
        """Give vertices new prices; return how many differ.

        start: where the unit stands, to which the estimates lead from now on.

        Raises InputError, and then changes nothing, for a vertex that does not exist, a price below 1, or one so great
        that steps would be lost in sums.
        """
        places, news = _plain(vertices, INT, "vertices"), _plain(prices, FLOAT, "prices")
        _check_lengths(news, "prices", places, "vertices")
        self._reserve((self.degree + 1) * len(places))
        count = alteration.alter(*self._all, start, places, news)
        if count < 0:
            self.space.check(places, "changed vertex")
            what, found = f"price of {self.space.name(int(places[-1 - count]))}", float(news[-1 - count])
            raise wrong_price(what, found, float(self.reals[mending.DEAREST]))
        return count

    def change_arcs(self, start: int, tails: ArrayLike, heads: ArrayLike, weights: ArrayLike) -> int:
        """Give arcs of a graph new weights, inf to remove them, parallel ones alike; return how many differ.

        Raises InputError, and then changes nothing, for an arc that the graph never had, a weight too small, or one
        with which steps would be lost in sums.
        """
        if self.space.width:
            raise InputError("arcs of a map of cells can't change", expected="a Graph", hint="change prices of cells")
        ends = self.space.check(tails, "tail of an arc"), self.space.check(heads, "head of an arc")
        news = _plain(weights, FLOAT, "weights")
        _check_lengths(ends[1], "heads", ends[0], "tails")
        _check_lengths(news, "weights", ends[0], "tails")
        # it becomes wider and never narrower, for that would take a look at all weights
        spread = spread_of(np.append(self._spread, news[ends[0] != ends[1]]))
        limit = price_limit(spread, self.space.size)
        if limit < self.reals[mending.DEAREST]:
            prices = self.all_prices()
            dearest = float(np.max(prices, where=prices < np.inf, initial=1.0))
            if dearest > limit:
                raise too_dear("a price beside new weights", dearest, limit)
        if self.own_weights is None:
            self.own_weights = np.array(self.net[3])
            self.net = (*self.net[:3], _sealed(self.own_weights))
        self._reserve(len(news))
        count = alteration.alter_arcs(*self._all, self.own_weights, start, *ends, news)
        if count < 0:
            k = -1 - count // 2
            arc = f"from vertex {ends[0][k]} to vertex {ends[1][k]}"
            if count % 2:
                raise InputError("no such arc", found=f"one {arc}", expected="one that the graph had from the start")
            raise InputError(
                f"weight of the arc {arc}",
                found=f"{news[k]:g}",
                expected="a positive weight, not less than the distance of its ends by the metric",
            )
        self._spread, self.reals[mending.DEAREST] = spread, limit
        return count

    def _reserve(self, more: int) -> None:
        """Make room in the queue for so many more."""
        needed = min(int(self.book[mending.SIZE]) + more, self.space.size) + self.degree + 2
        if needed > len(self.rows):
            longer = np.empty((max(needed, 2 * len(self.rows)), 4))
            longer[: len(self.rows)] = self.rows
            self.rows = longer

    @property
    def expanded(self) -> int:
        """How many vertices were expanded so far."""
        return int(self.book[mending.EXPANDED])

    @property
    def updated(self) -> int:
        """How often a vertex was put into the queue or moved there so far."""
        return int(self.book[mending.UPDATED])

    def ask(self) -> None:
        """Note the counts, as after every question."""
        book = self.book
        book[mending.EXPANDED_BEFORE], book[mending.EXPANDED_ALL] = book[mending.EXPANDED_ALL], book[mending.EXPANDED]
        book[mending.UPDATED_BEFORE], book[mending.UPDATED_ALL] = book[mending.UPDATED_ALL], book[mending.UPDATED]

    @property
    def least_step(self) -> float:
        """The least cost of a step at the price 1."""
        return self._spread[0]

    @property
    def state(self) -> tuple[int, int]:
        """What stays as it is while no distance changes: every change puts a vertex into the queue or takes one out."""
        return self.updated, int(self.book[mending.SIZE])

    @property
    def least(self) -> float:
        """A lower bound of the distance of the focus when a repair gave up."""
        return float(self.rows[0, 0] - self.reals[mending.RAISED])

    def price(self, vertex: int) -> float:
        """Return the price of a vertex as it stands."""
        if self.cells[vertex, mending.MARK] != mending.UNSEEN:
            return float(self.cells[vertex, mending.PRICE])
        return float(self.prices[vertex]) if self.space.width else 1.0

    def all_prices(self) -> Floats:
        """Return float64[n]: the price of every vertex as it stands."""
        given = self.prices if self.space.width else np.ones(self.space.size)
        return np.where(self.cells[:, mending.MARK] != mending.UNSEEN, self.cells[:, mending.PRICE], given)

    def change_to(self, start: int, grid: Grid) -> int:
        """Take over the prices of a map of the same size; return how many differ."""
        known = self.space.grid
        grid = Space(grid).grid
        if grid.cost.shape != known.cost.shape:
            raise InputError(
                "size of the changed map",
                found=f"{grid.width} × {grid.height} cells",
                expected=f"{known.width} × {known.height} cells, as at the beginning",
            )
        prices = grid.cost.reshape(-1)
        different = np.flatnonzero(self.all_prices() != prices)
        return self.change(start, different, prices[different])

    def touched(self) -> Touched:
        """Return what this search knows of the vertices where it has been."""
        vertices = np.flatnonzero(self.cells[:, mending.MARK] == self.book[mending.NOW])
        known = self.cells[vertices]
        return Touched(vertices, known[:, mending.PRICE], known[:, mending.G], known[:, mending.RHS])

    def why_not(self, start: int, goal: int) -> str:
        """Return the reason why there is no way; a unit may leave a blocked start, a path from there is none."""
        name = self.space.name
        if self.price(start) == np.inf and not self.book[mending.BACKWARD]:
            return f"the start, {name(start)}, is blocked"
        if self.price(goal) == np.inf:
            return f"the goal, {name(goal)}, is blocked"
        return f"the goal, {name(goal)}, is not connected to the start, {name(start)}"

    def value(self, vertex: int) -> float:
        """Return rhs of a vertex: its distance, once it was the target of a repair."""
        known = self.cells[vertex, mending.MARK] == self.book[mending.NOW]
        return float(self.cells[vertex, mending.RHS]) if known else np.inf


def one_search(
    space: Grid | Graph,
    start: int,
    goal: int,
    neighbours: int,
    corners: str,
    limit: int,
    traced: bool,
    *,
    backward: bool,
) -> Result[Path]:
    """Search once from the start, or backward from the goal."""
    ends = (goal, start) if backward else (start, goal)
    begin = partial(Repair, space, *ends, neighbours=neighbours, corners=corners, backward=backward)
    limit, search = check_limit(limit), begin()
    net, row, vertices, log = search.space, blank_report(), np.empty(0, np.int64), log_for()
    if not net.blocked(start) and not net.blocked(goal):
        known = search.repair(search.focus, limit)
        row[EXPANDED], row[GENERATED] = search.expanded, search.updated
        if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
            log = log_for(row)
            search = begin()
            search.repair(search.focus, limit, log)
        if not known:
            row[STATUS], row[OPEN] = LIMIT, search.least
        elif search.value(search.focus) < np.inf:
            vertices = search.way(search.focus)[:: 1 if backward else -1]
            row[STATUS], row[COST] = SOLVED, search.cost(vertices)
    if row[STATUS] == NO_SOLUTION and not net.blocked(start):
        settle(net, start, goal, row)
    return outcome(net, start, goal, row, vertices, log, 1.0)
