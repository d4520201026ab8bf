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

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.key_queue import queue_put, queue_remove
from anabasis._kernel.metric import distance, vertex_distance
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
from anabasis.errors import InputError
from anabasis.graph import METRICS, Graph
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space, move_table
from anabasis.search.outcome import blank_report, check_limit, log_for, outcome
from anabasis.search.reach import settle

__all__ = ["FLOOR", "Repair", "Touched", "one_search"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

FLOOR = "floor-euclidean"
# book, int64[288]: the space; this search; its queue; counts of all repairs; rows of the log; tables of a map
_WIDTH, _HEIGHT, _STRIDE, _METRIC, _BACKWARD, _OPTIMIZED, _DEGREE = range(7)
_NOW, _ROOT, _FOCUS, _ROUGH, _SIZE, _AGE, _EXPANDED, _UPDATED, _LOGGED = range(7, 16)
_OFFSET, _MOVES = 16, 32
_RAISED, _INVERSE = range(2)  # reals, float64[2]: k_m; 1 / width, since a product is quicker than a division
_G, _RHS, _PRICE, _MARK = range(4)  # the columns of cells
_DONE, _FULL, _STOPPED = range(3)  # how a kernel ends
_UNSEEN, _PRICED = 0, 1  # marks below that of every search
_SLACK = 1e-10  # share of a key that rounding may have added or taken away
_DIAGONAL = 2**0.5
_EUCLIDEAN = METRICS.index("euclidean")
_NO_LOG = np.empty((0, 5))
_NETS: WeakKeyDictionary[Graph, tuple[Any, ...]] = WeakKeyDictionary()


def _net(graph: Graph) -> tuple[Any, ...]:
    """Return the arcs of a graph in both directions, made once for each graph, for all searches.

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
        known = _NETS[graph] = (*map(_sealed, (rows, ends, numbers)), graph.weights)
    return known


def _sealed(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view, so that kernels are compiled for one kind of array alone."""
    view = array.view()
    view.flags.writeable = False
    return view


_NO_INTS, _NO_FLOATS = _sealed(np.empty((2, 0), np.int64)), _sealed(np.empty(0))
_NO_NET, _NO_POINTS = (_NO_INTS, _NO_INTS, _NO_INTS[0], _NO_FLOATS), _sealed(np.empty((0, 2)))


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
    """What one search remembers: 32 bytes a vertex, written only where it has been, and the queue.

    Making one costs the same on every map but for the reservation of that memory; on a Graph the arcs are turned round
    once for all searches, and copied (8 bytes an arc) by the first search whose arcs change.
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
        size, self.degree = self.space.size, 8
        self.net = _NO_NET if graph is None else _net(graph)
        self.points = _NO_POINTS if graph is None else graph.points
        if graph is not None:
            self.degree = int(np.diff(self.net[0], axis=1).max(initial=0))
        self.prices = self.space.cost  # as given, empty on a graph, whose vertices cost 1
        self.book = np.zeros(288, np.int64)
        self.reals = np.array([0.0, 1.0 / max(self.space.width, 1)])
        height = size // max(self.space.width, 1)
        number = self._metric(metric)
        self.book[:_NOW] = self.space.width, height, 8 // neighbours, number, backward, optimized, self.degree
        self.book[_ROUGH] = graph is not None or neighbours == 8 or number in (METRICS.index("octile"), _EUCLIDEAN)
        self.book[_OFFSET : _OFFSET + 8] = self.space.offset
        self.book[_MOVES:] = move_table(neighbours, corners, False)[8]
        self.cells, self.place = np.zeros((size, 4)), np.zeros(size, np.int32)
        self.rows = np.empty((min(size, 64) + self.degree + 2, 4))
        self.own_weights: Floats | None = None
        self.restart(self.root, self.focus)

    @property
    def _all(self) -> tuple[Any, Any, Any, Any, Any, Any, Any, Any]:
        """What every kernel needs."""
        return self.book, self.reals, self.prices, self.net, self.points, self.cells, self.place, self.rows

    def _metric(self, metric: str | None) -> int:
        """Return the number of a metric; raises InputError for one that may overestimate."""
        name = self.space.best_metric() if metric is None else metric
        if name == FLOOR and self.space.width and self.space.neighbours == 4:
            return len(METRICS)
        if not self.space.admissible(name):
            raise InputError(
                "metric of a search that is mended", found=repr(name), expected="one that never overestimates"
            )
        return METRICS.index(name)

    def restart(self, root: int, focus: int) -> None:
        """Forget everything but the prices and begin at `root`."""
        self.root, self.focus = root, focus
        _plant(*self._all, root, focus)

    def repair(self, target: int, limit: int = 0, log: Floats = _NO_LOG) -> bool:
        """Expand until the distance of `target` is known; return False if the limit of expansions came first.

        log: what happens is written there, which takes a search that has not begun.
        """
        while True:
            end = _repair(*self._all, target, limit, log)
            if end != _FULL:
                return end == _DONE
            self._reserve(len(self.rows))

    def follow(self, start: int, trail: Ints) -> int:
        """Repair for `start` and write the way from there to the root into `trail`, as far as it fits.

        Return how many vertices were written, 0 if there is no way.
        """
        while True:
            count = _follow(*self._all, start, trail)
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
        return _walked(self.book, self.reals, self.prices, self.net, self.cells, vertices)

    def exits(self, vertex: int) -> tuple[Ints, Floats]:
        """Return where steps out of a vertex lead, and what they cost, even if the vertex is blocked."""
        ends, costs = np.empty(self.degree, np.int64), np.empty(self.degree)
        count = _exits(self.book, self.reals, self.prices, self.net, self.cells, vertex, ends, costs)
        return ends[:count], costs[:count]

    def change(self, start: int, vertices: ArrayLike, prices: ArrayLike) -> int:
        """Give vertices new prices; return how many differ.

        start: where the unit stands, to which the estimates lead from now on.

        Raises InputError, and then changes nothing, for a vertex that does not exist or a price below 1.
        """
        places, news = _plain(vertices, np.int64, "vertices"), _plain(prices, np.float64, "prices")
        _check_lengths(news, "prices", places, "vertices")
        self._reserve((self.degree + 1) * len(places))
        count = _alter(*self._all, start, places, news)
        if count < 0:
            self.space.check(places, "changed vertex")
            raise InputError(
                f"price of {self.space.name(int(places[-1 - count]))}",
                found=f"{news[-1 - count]:g}",
                expected="at least 1, or inf for blocked",
            )
        return count

    def change_arcs(self, start: int, tails: ArrayLike, heads: ArrayLike, weights: ArrayLike) -> int:
        """Give arcs of a graph new weights, inf to remove them, parallel ones alike; return how many differ.

        Raises InputError, and then changes nothing, for an arc that the graph never had or a weight too small.
        """
        if self.space.width:
            raise InputError("arcs of a map of cells can't change", expected="a Graph", hint="change prices of cells")
        ends = self.space.check(tails, "tail of an arc"), self.space.check(heads, "head of an arc")
        news = _plain(weights, np.float64, "weights")
        _check_lengths(ends[1], "heads", ends[0], "tails")
        _check_lengths(news, "weights", ends[0], "tails")
        if self.own_weights is None:
            self.own_weights = np.array(self.net[3])
            self.net = (*self.net[:3], _sealed(self.own_weights))
        self._reserve(len(news))
        count = _alter_arcs(*self._all, self.own_weights, start, *ends, news)
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
        return count

    def _reserve(self, more: int) -> None:
        """Make room in the queue for so many more."""
        needed = min(int(self.book[_SIZE]) + more, self.space.size) + self.degree + 2
        if needed > len(self.rows):
            longer = np.empty((max(needed, 2 * len(self.rows)), 4))
            longer[: len(self.rows)] = self.rows
            self.rows = longer

    @property
    def expanded(self) -> int:
        """How many vertices were expanded so far."""
        return int(self.book[_EXPANDED])

    @property
    def updated(self) -> int:
        """How often a vertex was put into the queue or moved there so far."""
        return int(self.book[_UPDATED])

    @property
    def least(self) -> float:
        """A lower bound of the distance of the focus when a repair gave up."""
        return float(self.rows[0, 0] - self.reals[_RAISED])

    def price(self, vertex: int) -> float:
        """Return the price of a vertex as it stands."""
        if self.cells[vertex, _MARK] != _UNSEEN:
            return float(self.cells[vertex, _PRICE])
        return float(self.prices[vertex]) if self.space.width else 1.0

    def all_prices(self) -> Floats:
        """Return float64[n]: the price of every vertex as it stands."""
        given = self.prices if self.space.width else np.ones(self.space.size)
        return np.where(self.cells[:, _MARK] != _UNSEEN, self.cells[:, _PRICE], given)

    def change_to(self, start: int, grid: Grid) -> int:
        """Take over the prices of a map of the same size; return how many differ."""
        known = self.space.grid
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
        vertices = np.flatnonzero(self.cells[:, _MARK] == self.book[_NOW])
        known = self.cells[vertices]
        return Touched(vertices, known[:, _PRICE], known[:, _G], known[:, _RHS])

    def why_not(self, start: int, goal: int) -> str:
        """Return the reason why there is no way; a unit may leave a blocked start, a path from there is none."""
        name = self.space.name
        if self.price(start) == np.inf and not self.book[_BACKWARD]:
            return f"the start, {name(start)}, is blocked"
        if self.price(goal) == np.inf:
            return f"the goal, {name(goal)}, is blocked"
        return f"the goal, {name(goal)}, is not connected to the start, {name(start)}"

    def value(self, vertex: int) -> float:
        """Return rhs of a vertex: its distance, once it was the target of a repair."""
        known = self.cells[vertex, _MARK] == self.book[_NOW]
        return float(self.cells[vertex, _RHS]) if known else np.inf


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


@kernel
def _set_price(book: Any, cells: Any, v: int, price: float) -> None:
    cells[v, _PRICE] = price
    if price != np.floor(price):
        book[_ROUGH] = 1


@kernel
def _touch(book: Any, prices: Any, cells: Any, v: int) -> None:
    """Begin with a vertex if this search has not seen it."""
    if cells[v, _MARK] != book[_NOW]:
        if cells[v, _MARK] == _UNSEEN:
            _set_price(book, cells, v, prices[v] if book[_WIDTH] > 0 else 1.0)
        cells[v, _MARK] = book[_NOW]
        cells[v, _G] = cells[v, _RHS] = np.inf


@kernel
def _arcs(book: Any, reals: Any, prices: Any, net: Any, cells: Any, v: int, into: bool, ends: Any, costs: Any) -> int:
    """Touch all around a vertex; write the other ends and the costs of the arcs into it, or out of it; count them.

    An arc is closed if either end is blocked, so the blocked have none.
    """
    if book[_WIDTH] > 0:
        return _cell_arcs(book, reals, prices, cells, v, into, ends, costs)
    return _graph_arcs(book, net, cells, v, into, ends, costs)


@kernel
def _cell_arcs(book: Any, reals: Any, prices: Any, cells: Any, v: int, into: bool, ends: Any, costs: Any) -> int:
    """Do on a map what `_arcs` does."""
    width, height, here, now = book[_WIDTH], book[_HEIGHT], cells[v, _PRICE], book[_NOW]
    y = int((v + 0.5) * reals[_INVERSE])
    x = v - y * width
    free = 0
    for d in range(0, 8, book[_STRIDE]):
        if 0 <= x + DX[d] < width and 0 <= y + DY[d] < height:
            w = v + book[_OFFSET + d]
            if cells[w, _MARK] != now:  # as _touch does; a call would cost more than the rest of this loop
                if cells[w, _MARK] == _UNSEEN:
                    cells[w, _PRICE] = prices[w]
                    if prices[w] != np.floor(prices[w]):
                        book[_ROUGH] = 1
                cells[w, _MARK] = now
                cells[w, _G] = cells[w, _RHS] = np.inf
            if cells[w, _PRICE] < np.inf:
                free |= 1 << d
    todo = book[_MOVES + free] if here < np.inf else 0
    count = 0
    while todo:
        d = (todo & 15) - 1
        todo >>= 4
        w = v + book[_OFFSET + d]
        ends[count], costs[count] = w, (_DIAGONAL if d & 1 else 1.0) * (here if into else cells[w, _PRICE])
        count += 1
    return count


@kernel
def _graph_arcs(book: Any, net: Any, cells: Any, v: int, into: bool, ends: Any, costs: Any) -> int:
    """Do on a graph what `_arcs` does."""
    rows, others, numbers, weights = net
    here, side, count = cells[v, _PRICE], 1 if into else 0, 0
    for k in range(rows[side, v], rows[side, v + 1]):
        w = others[side, k]
        _touch(book, weights, cells, w)
        weight, there = weights[numbers[k] if into else k], cells[w, _PRICE]
        if w != v and weight < np.inf and here < np.inf and there < np.inf:
            ends[count], costs[count] = w, weight * (here if into else there)
            count += 1
    return count


@kernel
def _exits(book: Any, reals: Any, prices: Any, net: Any, cells: Any, v: int, ends: Any, costs: Any) -> int:
    """Write the ends and the costs of the arcs out of a vertex as if it were free; return how many there are."""
    _touch(book, prices, cells, v)
    price = cells[v, _PRICE]
    cells[v, _PRICE] = 1.0
    count = _arcs(book, reals, prices, net, cells, v, False, ends, costs)
    cells[v, _PRICE] = price
    return count


@kernel
def _walked(book: Any, reals: Any, prices: Any, net: Any, cells: Any, vertices: Any) -> float:
    """Return the cost of a walk; what goes straight and what goes diagonally are added up apart and so are exact."""
    width, ends, costs = book[_WIDTH], np.empty(book[_DEGREE], np.int64), np.empty(book[_DEGREE])
    straight, diagonal = 0.0, 0.0
    for i in range(len(vertices) - 1):
        u, v = vertices[i], vertices[i + 1]
        least = np.inf
        for k in range(_exits(book, reals, prices, net, cells, u, ends, costs)):
            if ends[k] == v:
                least = min(least, costs[k])
        if width > 0 and u % width != v % width and u // width != v // width:
            diagonal += cells[v, _PRICE]
        else:
            straight += least
    return straight + diagonal * _DIAGONAL


@kernel
def _estimate(book: Any, reals: Any, points: Any, v: int) -> float:
    """Return what the way between a vertex and the focus costs at least."""
    width, metric, focus = book[_WIDTH], book[_METRIC], book[_FOCUS]
    if width > 0:
        y, down = int((v + 0.5) * reals[_INVERSE]), int((focus + 0.5) * reals[_INVERSE])
        dx, dy = float((v - y * width) - (focus - down * width)), float(y - down)
        return distance(metric, dx, dy) if metric < len(METRICS) else np.floor(distance(_EUCLIDEAN, dx, dy))
    return distance(metric, points[v, 0] - points[focus, 0], points[v, 1] - points[focus, 1])


@kernel
def _settle(
    book: Any, reals: Any, points: Any, cells: Any, place: Any, rows: Any, v: int, parent: int, log: Any
) -> None:
    """Put a vertex into the queue, move it there, or take it out, as its two distances ask."""
    g, rhs = cells[v, _G], cells[v, _RHS]
    if g != rhs:
        least, h = min(g, rhs), _estimate(book, reals, points, v)
        book[_LOGGED] = note(log, book[_LOGGED], UPDATE if place[v] else GENERATE, v, parent, least, h)
        book[_SIZE] = queue_put(rows, place, book[_SIZE], v, least + h + reals[_RAISED], least, float(book[_AGE]))
        book[_AGE] += 1
        book[_UPDATED] += 1
    elif place[v]:
        book[_SIZE] = queue_remove(rows, place, book[_SIZE], v)


@kernel
def _next(book: Any, reals: Any, prices: Any, net: Any, cells: Any, v: int, ends: Any, costs: Any) -> tuple[int, float]:
    """Return the neighbour through which the root is nearest, -1 for none, and how far it is that way."""
    best, least = -1, np.inf
    for k in range(_arcs(book, reals, prices, net, cells, v, book[_BACKWARD] == 0, ends, costs)):
        way = costs[k] + cells[ends[k], _G]
        if way < least:
            best, least = ends[k], way
    return best, least


@kernel
def _renew(
    book: Any,
    reals: Any,
    prices: Any,
    net: Any,
    points: Any,
    cells: Any,
    place: Any,
    rows: Any,
    v: int,
    parent: int,
    ends: Any,
    costs: Any,
    log: Any,
) -> None:
    """Compute rhs of a vertex from all its neighbours."""
    if v != book[_ROOT]:
        cells[v, _RHS] = _next(book, reals, prices, net, cells, v, ends, costs)[1]
        _settle(book, reals, points, cells, place, rows, v, parent, log)


@kernel
def _plant(
    book: Any, reals: Any, prices: Any, net: Any, points: Any, cells: Any, place: Any, rows: Any, root: int, focus: int
) -> None:
    """Empty the queue and put the root into it, which nothing but the prices outlives."""
    for i in range(book[_SIZE]):
        place[int(rows[i, 3])] = 0
    book[_NOW] = max(book[_NOW], _PRICED) + 1
    book[_SIZE], book[_ROOT], book[_FOCUS], reals[_RAISED] = 0, root, focus, 0.0
    _touch(book, prices, cells, root)
    cells[root, _RHS] = 0.0
    _settle(book, reals, points, cells, place, rows, root, -1, np.empty((0, 5)))


@kernel
def _repair(
    book: Any,
    reals: Any,
    prices: Any,
    net: Any,
    points: Any,
    cells: Any,
    place: Any,
    rows: Any,
    target: int,
    limit: int,
    log: Any,
) -> int:
    """Expand the first in the queue while it may matter for the target; return how that ended."""
    width, root, degree = book[_WIDTH], book[_ROOT], book[_DEGREE]
    optimized, backward = book[_OPTIMIZED] == 1, book[_BACKWARD] == 1
    ends, costs = np.empty(degree, np.int64), np.empty(degree, np.float64)
    others, steps = np.empty(degree, np.int64), np.empty(degree, np.float64)
    last = book[_EXPANDED] + limit
    book[_LOGGED] = note(log, 0, GENERATE, root, -1, 0.0, _estimate(book, reals, points, root))  # it waits in the queue
    _touch(book, prices, cells, target)
    more = _estimate(book, reals, points, target) + reals[_RAISED]
    while book[_SIZE] > 0:
        g, rhs = cells[target, _G], cells[target, _RHS]
        if not _matters(g, rhs, rhs + more, rows[0, 0], rows[0, 1], optimized, book[_ROUGH] == 1):
            break
        if book[_SIZE] + degree + 1 > len(rows):
            return _FULL
        u = int(rows[0, 3])
        g, rhs = cells[u, _G], cells[u, _RHS]
        least = min(g, rhs)
        if reals[_RAISED] > 0 and rows[0, 0] < least + _estimate(book, reals, points, u) + reals[_RAISED]:
            _settle(book, reals, points, cells, place, rows, u, -1, log)  # put when the unit was elsewhere
            continue
        if limit and book[_EXPANDED] == last:
            return _STOPPED
        book[_EXPANDED] += 1
        if len(log):
            parent = _next(book, reals, prices, net, cells, u, others, steps)[0]
            h = _estimate(book, reals, points, u)
            book[_LOGGED] = note(log, book[_LOGGED], EXPAND, u, parent, least, h)
        falls = g > rhs
        if falls:
            cells[u, _G] = rhs
            book[_SIZE] = queue_remove(rows, place, book[_SIZE], u)
        else:
            cells[u, _G] = np.inf
            _settle(book, reals, points, cells, place, rows, u, -1, log)
        if width > 0:
            count = _cell_arcs(book, reals, prices, cells, u, backward, ends, costs)
        else:
            count = _graph_arcs(book, net, cells, u, backward, ends, costs)
        for k in range(count):
            v = ends[k]
            way = costs[k] + least
            if v == root:
                continue
            if not optimized or (not falls and way <= cells[v, _RHS] * (1 + 1e-12)):
                _renew(book, reals, prices, net, points, cells, place, rows, v, u, others, steps, log)
            elif falls and way < cells[v, _RHS]:
                cells[v, _RHS] = way
                if way == cells[v, _G] or len(log):
                    _settle(book, reals, points, cells, place, rows, v, u, log)
                    continue
                least_v = min(way, cells[v, _G])  # as _settle does; this is where most of the time goes
                key = least_v + _estimate(book, reals, points, v) + reals[_RAISED]
                book[_SIZE] = queue_put(rows, place, book[_SIZE], v, key, least_v, float(book[_AGE]))
                book[_AGE] += 1
                book[_UPDATED] += 1
    return _DONE


@kernel
def _matters(g: float, rhs: float, bound: float, key: float, tie: float, optimized: bool, rough: bool) -> bool:
    """Whether the first in the queue, by its key, may matter for a target with these distances and this key."""
    if rhs > g or (rhs < g and not optimized):
        return True  # it is not known, whatever waits in the queue
    return key <= bound * (1 + _SLACK) if rough else key < bound or (key == bound and tie < rhs)


@kernel
def _follow(
    book: Any,
    reals: Any,
    prices: Any,
    net: Any,
    points: Any,
    cells: Any,
    place: Any,
    rows: Any,
    start: int,
    trail: Any,
) -> int:
    """Repair for `start`; write the way from there to the root; return its length, 0 for none, -1 for a full queue."""
    if _repair(book, reals, prices, net, points, cells, place, rows, start, 0, np.empty((0, 5))) == _FULL:
        return -1
    if cells[start, _RHS] == np.inf:
        return 0
    ends, costs = np.empty(book[_DEGREE], np.int64), np.empty(book[_DEGREE], np.float64)
    trail[0] = start
    count = 1
    while count < len(trail) and trail[count - 1] != book[_ROOT]:
        trail[count] = _next(book, reals, prices, net, cells, trail[count - 1], ends, costs)[0]
        count += 1
    return count


@kernel
def _refocus(book: Any, reals: Any, points: Any, start: int) -> None:
    """Let the estimates lead to where the unit is now: raise all keys to come instead of lowering all there are."""
    if start != book[_FOCUS]:
        reals[_RAISED] += _estimate(book, reals, points, start)
        if book[_METRIC] == len(METRICS):
            reals[_RAISED] += 1  # whole parts of two lengths may add up to one less than that of their sum
        book[_FOCUS] = start


@kernel
def _alter(
    book: Any,
    reals: Any,
    prices: Any,
    net: Any,
    points: Any,
    cells: Any,
    place: Any,
    rows: Any,
    start: int,
    vertices: Any,
    news: Any,
) -> int:
    """Give vertices new prices and renew all around; return how many were changed, or below 0 which one is wrong."""
    for i in range(len(vertices)):
        if not (0 <= vertices[i] < len(cells) and news[i] >= 1):
            return -1 - i
    changed = np.zeros(len(vertices), np.bool_)
    count = 0
    for i in range(len(vertices)):
        v = vertices[i]
        if cells[v, _MARK] == _UNSEEN:
            _set_price(book, cells, v, prices[v] if book[_WIDTH] > 0 else 1.0)
            cells[v, _MARK] = _PRICED
        if cells[v, _PRICE] != news[i]:
            _set_price(book, cells, v, news[i])
            changed[i] = True
            count += 1
    if not count:
        return 0
    _refocus(book, reals, points, start)
    ends, costs, log = np.empty(book[_DEGREE], np.int64), np.empty(book[_DEGREE], np.float64), np.empty((0, 5))
    around = np.empty(book[_DEGREE] + 1, np.int64)
    for i in range(len(vertices)):
        if changed[i] and cells[vertices[i], _MARK] == book[_NOW]:  # elsewhere nothing depends on it
            for k in range(_dependants(book, net, vertices[i], around)):
                if cells[around[k], _MARK] == book[_NOW]:
                    _renew(book, reals, prices, net, points, cells, place, rows, around[k], -1, ends, costs, log)
    return count


@kernel
def _dependants(book: Any, net: Any, v: int, around: Any) -> int:
    """Write the vertices whose rhs depends on the price of a vertex, whatever is blocked; return how many."""
    width = book[_WIDTH]
    around[0] = v
    count = 1
    if width > 0:
        y = v // width
        x = v - y * width
        for d in range(0, 8, book[_STRIDE]):
            if 0 <= x + DX[d] < width and 0 <= y + DY[d] < book[_HEIGHT]:
                around[count] = v + book[_OFFSET + d]
                count += 1
        return count
    rows, others, side = net[0], net[1], book[_BACKWARD]
    for k in range(rows[side, v], rows[side, v + 1]):
        around[count] = others[side, k]
        count += 1
    return count


@kernel
def _alter_arcs(
    book: Any,
    reals: Any,
    prices: Any,
    net: Any,
    points: Any,
    cells: Any,
    place: Any,
    rows: Any,
    weights: Any,
    start: int,
    tails: Any,
    heads: Any,
    news: Any,
) -> int:
    """Give arcs new weights; return how many were changed, or below 0 which is missing (odd) or too light (even)."""
    indptr, indices = net[0], net[1]
    ends, costs, log = np.empty(book[_DEGREE], np.int64), np.empty(book[_DEGREE], np.float64), np.empty((0, 5))
    for i in range(len(tails)):
        found = False
        for k in range(indptr[0, tails[i]], indptr[0, tails[i] + 1]):
            found = found or indices[0, k] == heads[i]
        if not found:
            return -2 * i - 1
        least = vertex_distance(points, 0, tails[i], heads[i], book[_METRIC])
        if not (news[i] > 0 and news[i] >= least * (1 - 1e-9)):
            return -2 * i - 2
    count = 0
    for i in range(len(tails)):
        different = False
        for k in range(indptr[0, tails[i]], indptr[0, tails[i] + 1]):
            if indices[0, k] == heads[i] and weights[k] != news[i]:
                weights[k] = news[i]
                different = True
        if different:
            count += 1
            if count == 1:
                _refocus(book, reals, points, start)
            v = tails[i] if book[_BACKWARD] else heads[i]
            if cells[v, _MARK] == book[_NOW]:
                _renew(book, reals, prices, net, points, cells, place, rows, v, -1, ends, costs, log)
    return count
