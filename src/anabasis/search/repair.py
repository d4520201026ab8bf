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

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.key_queue import queue_put, queue_remove
from anabasis._kernel.metric import vertex_distance
from anabasis._kernel.report import EXPAND, GENERATE, UPDATE, note
from anabasis.errors import InputError
from anabasis.graph import METRICS, Graph
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.search.moves import Space, move_table

__all__ = ["FLOOR", "Repair"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

FLOOR = "floor-euclidean"
_WIDTH, _HEIGHT, _STRIDE, _METRIC, _BACKWARD, _OPTIMIZED, _DEGREE = range(7)  # rule, int64[7]
_G, _RHS, _PRICE = range(3)  # the columns of cells
# book, float64[10]: the queue; this search's mark, ends, k_m; counts of all repairs; rows of the log; 1 if sums round
_SIZE, _AGE, _NOW, _ROOT, _FOCUS, _RAISED, _EXPANDED, _UPDATED, _LOGGED, _ROUGH = range(10)
_DONE, _FULL, _STOPPED = range(3)  # how a kernel ends
_UNSEEN, _PRICED = 0, 1  # marks below that of every search
_SLACK = 1e-10  # share of a key that rounding may have added or taken away
_LENGTHS = np.array([1.0, 2**0.5] * 4)
_EUCLIDEAN = METRICS.index("euclidean")
_NO_LOG = np.empty((0, 5))
_AGAINST: WeakKeyDictionary[Graph, tuple[Ints, Ints, Ints]] = WeakKeyDictionary()


def _against(graph: Graph) -> tuple[Ints, Ints, Ints]:
    """Return the arcs into each vertex: indptr, tails, and their numbers among the arcs; made once for each graph.

    Raises InputError for an arc of weight 0 between two vertices.
    """
    known = _AGAINST.get(graph)
    if known is None:
        order = np.argsort(graph.indices, kind="stable")
        tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
        idle = np.flatnonzero((graph.weights == 0) & (tails != graph.indices))
        if idle.size:
            raise InputError(
                "a search that is mended can't follow arcs of weight 0",
                found=f"one from vertex {tails[idle[0]]} to vertex {graph.indices[idle[0]]}",
                expected="positive weights",
            )
        indptr = np.zeros(graph.size + 1, np.int64)
        np.cumsum(np.bincount(graph.indices, minlength=graph.size), out=indptr[1:])
        known = _AGAINST[graph] = (indptr, tails[order], order)
    return known


def _plain(values: ArrayLike, dtype: Any, name: str) -> NDArray[Any]:
    """Return values as an array; one that is of that kind already goes through unchecked, which saves microseconds."""
    if isinstance(values, np.ndarray) and values.dtype == dtype and values.ndim == 1 and values.flags.c_contiguous:
        return values
    return freeze(values, dtype, (None,), name)


def _check_lengths(some: NDArray[Any], name: str, others: NDArray[Any], of: str) -> None:
    if len(some) != len(others):
        raise InputError(f"number of {name}", found=f"{len(some)}", expected=f"{len(others)}, one for each of the {of}")


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
        size, degree = self.space.size, 8
        no_ints, no_floats = np.empty(0, np.int64), np.empty(0)
        arcs = (no_ints, no_ints, no_floats, no_ints, no_ints, no_ints, np.empty((0, 2)))
        if graph is not None:
            against = _against(graph)
            degree = int(max(np.diff(graph.indptr).max(initial=0), np.diff(against[0]).max(initial=0)))
            arcs = (graph.indptr, graph.indices, graph.weights, *against, graph.points)
        height = size // max(self.space.width, 1)
        numbers = (self.space.width, height, 8 // neighbours, self._metric(metric), backward, optimized, degree)
        rule = np.array(numbers, np.int64)
        moves = move_table(neighbours, corners, False)[8]
        self.prices = self.space.cost  # as given, empty on a graph, whose vertices cost 1
        self.world = (rule, moves, self.space.offset, _LENGTHS, self.prices, *arcs)
        self.book = np.zeros(10)
        name = "manhattan" if metric is None else metric
        self.book[_ROUGH] = graph is not None or neighbours == 8 or name in ("euclidean", "octile")
        self.memory = (
            np.zeros(size, np.int32),
            np.empty(size, np.int32),
            np.empty((size, 3)),
            np.empty((min(size, 64) + degree + 2, 4)),
            self.book,
        )
        self.degree, self.own_weights = degree, False
        self.restart(self.root, self.focus)

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
        self.book[_NOW] = max(self.book[_NOW], _PRICED) + 1
        self.book[_SIZE] = self.book[_RAISED] = 0
        self.book[_ROOT], self.book[_FOCUS] = root, focus
        _plant(self.world, self.memory)

    def repair(self, target: int, limit: int = 0, log: Floats = _NO_LOG) -> bool:
        """Expand until the distance of `target` is known; return False if the limit of expansions came first.

        log: what happens is written there, which takes a search that has not begun.
        """
        while True:
            end = _repair(self.world, self.memory, target, limit, log)
            if end != _FULL:
                return end == _DONE
            self._reserve(len(self.memory[3]))

    def follow(self, start: int, trail: Ints) -> int:
        """Repair for `start` and write the way from there to the root into `trail`, as far as it fits.

        Return how many vertices were written, 0 if there is no way.
        """
        while True:
            count = _follow(self.world, self.memory, start, trail)
            if count >= 0:
                return count
            self._reserve(len(self.memory[3]))

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
        return _walked(self.world, self.memory, vertices)

    def exits(self, vertex: int) -> tuple[Ints, Floats]:
        """Return where steps out of a vertex lead, and what they cost, even if the vertex is blocked."""
        ends, costs = np.empty(self.degree, np.int64), np.empty(self.degree)
        count = _exits(self.world, self.memory, vertex, ends, costs)
        return ends[:count], costs[:count]

    def change(self, start: int, vertices: ArrayLike, prices: ArrayLike) -> int:
        """Give vertices new prices; return how many differ from before. start: where the unit stands.

        Raises InputError, and then changes nothing, for a vertex that does not exist or a price below 1.
        """
        places, news = _plain(vertices, np.int64, "vertices"), _plain(prices, np.float64, "prices")
        _check_lengths(news, "prices", places, "vertices")
        self._reserve((self.degree + 1) * len(places))
        count = _alter(self.world, self.memory, start, places, news)
        if count < 0:
            self.space.check(places, "changed vertex")
            raise InputError(
                f"price of {self.space.name(int(places[-1 - count]))}",
                found=f"{news[-1 - count]:g}",
                expected="at least 1, or inf for blocked",
            )
        return count

    def change_arcs(self, start: int, tails: ArrayLike, heads: ArrayLike, weights: ArrayLike) -> int:
        """Give arcs of a graph new weights, inf to remove them; return how many differ; of parallel arcs all change.

        Raises InputError, and then changes nothing, for an arc that the graph never had or a weight too small.
        """
        if self.space.width:
            raise InputError("arcs of a map of cells can't change", expected="a Graph", hint="change prices of cells")
        ends = self.space.check(tails, "tail of an arc"), self.space.check(heads, "head of an arc")
        news = _plain(weights, np.float64, "weights")
        _check_lengths(ends[1], "heads", ends[0], "tails")
        _check_lengths(news, "weights", ends[0], "tails")
        if not self.own_weights:
            self.world = (*self.world[:7], self.world[7].copy(), *self.world[8:])
            self.own_weights = True
        self._reserve(len(news))
        count = _alter_arcs(self.world, self.memory, start, *ends, news)
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
        rows = self.memory[3]
        needed = min(int(self.book[_SIZE]) + more, self.space.size) + self.degree + 2
        if needed > len(rows):
            longer = np.empty((max(needed, 2 * len(rows)), 4))
            longer[: len(rows)] = rows
            self.memory = (*self.memory[:3], longer, self.book)

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
        return float(self.memory[3][0, 0] - self.book[_RAISED])

    def price(self, vertex: int) -> float:
        """Return the price of a vertex as it stands."""
        if self.memory[0][vertex] != _UNSEEN:
            return float(self.memory[2][vertex, _PRICE])
        return float(self.prices[vertex]) if self.space.width else 1.0

    def all_prices(self) -> Floats:
        """Return float64[n]: the price of every vertex as it stands."""
        given = self.prices if self.space.width else np.ones(self.space.size)
        return np.where(self.memory[0] != _UNSEEN, self.memory[2][:, _PRICE], given)

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

    def touched(self) -> tuple[Ints, Floats, Floats, Floats]:
        """Return the vertices where this search has been, and their prices, g and rhs."""
        mark, _place, cells, _rows, book = self.memory
        vertices = np.flatnonzero(mark == book[_NOW])
        return vertices, cells[vertices, _PRICE], cells[vertices, _G], cells[vertices, _RHS]

    def why_not(self, start: int, goal: int) -> str:
        """Return the reason why there is no way."""
        name = self.space.name
        if self.price(goal) == np.inf:
            return f"the goal, {name(goal)}, is blocked"
        return f"the goal, {name(goal)}, is not connected to the start, {name(start)}"

    def value(self, vertex: int) -> float:
        """Return rhs of a vertex: its distance, once it was the target of a repair."""
        return float(self.memory[2][vertex, _RHS]) if self.memory[0][vertex] == self.book[_NOW] else np.inf


@kernel
def _set_price(memory: Any, v: int, price: float) -> None:
    memory[2][v, _PRICE] = price
    if price != np.floor(price):
        memory[4][_ROUGH] = 1


@kernel
def _touch(world: Any, memory: Any, v: int) -> None:
    """Begin with a vertex if this search has not seen it."""
    mark, place, cells, _rows, book = memory
    now = int(book[_NOW])
    if mark[v] != now:
        if mark[v] == _UNSEEN:
            _set_price(memory, v, world[4][v] if world[0][_WIDTH] > 0 else 1.0)
        mark[v], place[v] = now, -1
        cells[v, _G] = cells[v, _RHS] = np.inf


@kernel
def _arcs(world: Any, memory: Any, v: int, into: bool, ends: Any, costs: Any) -> int:
    """Touch all around a vertex; write the other ends and the costs of the arcs into it, or out of it; count them.

    An arc is closed if either end is blocked, so the blocked have none.
    """
    rule, moves, offset, lengths, _prices, indptr, heads, weights, indptr_in, tails, numbers, _points = world
    cells = memory[2]
    width, here = rule[_WIDTH], cells[v, _PRICE]
    count = 0
    if width > 0:
        y = v // width
        x = v - y * width
        free = 0
        for d in range(0, 8, rule[_STRIDE]):
            if 0 <= x + DX[d] < width and 0 <= y + DY[d] < rule[_HEIGHT]:
                _touch(world, memory, v + offset[d])
                if cells[v + offset[d], _PRICE] < np.inf:
                    free |= 1 << d
        todo = moves[free] if here < np.inf else 0
        while todo:
            d = (todo & 15) - 1
            todo >>= 4
            ends[count] = v + offset[d]
            costs[count] = lengths[d] * (here if into else cells[v + offset[d], _PRICE])
            count += 1
        return count
    rows, others = (indptr_in, tails) if into else (indptr, heads)
    for k in range(rows[v], rows[v + 1]):
        w = others[k]
        _touch(world, memory, w)
        weight, there = weights[numbers[k] if into else k], cells[w, _PRICE]
        if w != v and weight < np.inf and here < np.inf and there < np.inf:
            ends[count], costs[count] = w, weight * (here if into else there)
            count += 1
    return count


@kernel
def _exits(world: Any, memory: Any, v: int, ends: Any, costs: Any) -> int:
    """Write the ends and the costs of the arcs out of a vertex as if it were free; return how many there are."""
    cells = memory[2]
    _touch(world, memory, v)
    price = cells[v, _PRICE]
    cells[v, _PRICE] = 1.0
    count = _arcs(world, memory, v, False, ends, costs)
    cells[v, _PRICE] = price
    return count


@kernel
def _walked(world: Any, memory: Any, vertices: Any) -> float:
    """Return the cost of a walk; what goes straight and what goes diagonally are added up apart and so are exact."""
    width, ends, costs = world[0][_WIDTH], np.empty(world[0][_DEGREE], np.int64), np.empty(world[0][_DEGREE])
    straight, diagonal = 0.0, 0.0
    for i in range(len(vertices) - 1):
        u, v = vertices[i], vertices[i + 1]
        least = np.inf
        for k in range(_exits(world, memory, u, ends, costs)):
            if ends[k] == v:
                least = min(least, costs[k])
        if width > 0 and u % width != v % width and u // width != v // width:
            diagonal += memory[2][v, _PRICE]
        else:
            straight += least
    return straight + diagonal * 2**0.5


@kernel
def _estimate(world: Any, u: int, v: int) -> float:
    """Return what the way between two vertices costs at least."""
    rule, points = world[0], world[11]
    if rule[_METRIC] == len(METRICS):
        return np.floor(vertex_distance(points, rule[_WIDTH], u, v, _EUCLIDEAN))
    return vertex_distance(points, rule[_WIDTH], u, v, rule[_METRIC])


@kernel
def _settle(world: Any, memory: Any, v: int, parent: int, log: Any) -> None:
    """Put a vertex into the queue, move it there, or take it out, as its two distances ask."""
    _mark, place, cells, rows, book = memory
    size, g, rhs = int(book[_SIZE]), cells[v, _G], cells[v, _RHS]
    if g != rhs:
        least, h = min(g, rhs), _estimate(world, int(book[_FOCUS]), v)
        event = GENERATE if place[v] < 0 else UPDATE
        book[_LOGGED] = note(log, int(book[_LOGGED]), event, v, parent, least, h)
        book[_SIZE] = queue_put(rows, place, size, v, least + h + book[_RAISED], least, book[_AGE])
        book[_AGE] += 1
        book[_UPDATED] += 1
    elif place[v] >= 0:
        book[_SIZE] = queue_remove(rows, place, size, v)


@kernel
def _next(world: Any, memory: Any, v: int, ends: Any, costs: Any) -> tuple[int, float]:
    """Return the neighbour through which the root is nearest, -1 for none, and how far it is that way."""
    cells = memory[2]
    best, least = -1, np.inf
    for k in range(_arcs(world, memory, v, not world[0][_BACKWARD], ends, costs)):
        way = costs[k] + cells[ends[k], _G]
        if way < least:
            best, least = ends[k], way
    return best, least


@kernel
def _renew(world: Any, memory: Any, v: int, parent: int, ends: Any, costs: Any, log: Any) -> None:
    """Compute rhs of a vertex from all its neighbours."""
    book = memory[4]
    if v != book[_ROOT]:
        memory[2][v, _RHS] = _next(world, memory, v, ends, costs)[1]
        _settle(world, memory, v, parent, log)


@kernel
def _plant(world: Any, memory: Any) -> None:
    """Put the root into the empty queue."""
    root = int(memory[4][_ROOT])
    _touch(world, memory, root)
    memory[2][root, _RHS] = 0.0
    _settle(world, memory, root, -1, np.empty((0, 5)))


@kernel
def _before(world: Any, memory: Any, target: int) -> bool:
    """Whether the first in the queue may matter for the target."""
    _mark, _place, cells, rows, book = memory
    g, rhs = cells[target, _G], cells[target, _RHS]
    if rhs > g or (rhs != g and not world[0][_OPTIMIZED]):
        return True
    least = min(g, rhs)
    if least == np.inf:
        return True
    key = least + _estimate(world, int(book[_FOCUS]), target) + book[_RAISED]
    if book[_ROUGH]:
        return rows[0, 0] <= key * (1 + _SLACK)
    return rows[0, 0] < key or (rows[0, 0] == key and rows[0, 1] < least)


@kernel
def _repair(world: Any, memory: Any, target: int, limit: int, log: Any) -> int:
    """Expand the first in the queue while it may matter for the target; return how that ended."""
    _mark, _place, cells, rows, book = memory
    rule = world[0]
    into, optimized, degree = rule[_BACKWARD] == 1, rule[_OPTIMIZED] == 1, rule[_DEGREE]
    ends, costs = np.empty(degree, np.int64), np.empty(degree, np.float64)
    others, prices = np.empty(degree, np.int64), np.empty(degree, np.float64)
    focus, last = int(book[_FOCUS]), book[_EXPANDED] + limit
    root = int(book[_ROOT])
    book[_LOGGED] = note(log, 0, GENERATE, root, -1, 0.0, _estimate(world, focus, root))  # it waits in the queue
    _touch(world, memory, target)
    while book[_SIZE] > 0 and _before(world, memory, target):
        if book[_SIZE] + degree + 1 > len(rows):
            return _FULL
        u = int(rows[0, 3])
        g, rhs = cells[u, _G], cells[u, _RHS]
        least, h = min(g, rhs), _estimate(world, focus, u)
        if rows[0, 0] < least + h + book[_RAISED]:
            _settle(world, memory, u, -1, log)  # put when the unit was elsewhere
            continue
        if limit and book[_EXPANDED] == last:
            return _STOPPED
        book[_EXPANDED] += 1
        parent = _next(world, memory, u, others, prices)[0] if len(log) else -1
        book[_LOGGED] = note(log, int(book[_LOGGED]), EXPAND, u, parent, least, h)
        falls = g > rhs
        cells[u, _G] = rhs if falls else np.inf
        _settle(world, memory, u, parent, log)
        for k in range(_arcs(world, memory, u, into, ends, costs)):
            v = ends[k]
            way = costs[k] + least
            if v == book[_ROOT]:
                continue
            if not optimized or (not falls and way <= cells[v, _RHS] * (1 + 1e-12)):
                _renew(world, memory, v, u, others, prices, log)
            elif falls and way < cells[v, _RHS]:
                cells[v, _RHS] = way
                _settle(world, memory, v, u, log)
    return _DONE


@kernel
def _follow(world: Any, memory: Any, start: int, trail: Any) -> int:
    """Repair for `start`; write the way from there to the root; return its length, 0 for none, -1 for a full queue."""
    rule, cells, root = world[0], memory[2], int(memory[4][_ROOT])
    if _repair(world, memory, start, 0, np.empty((0, 5))) == _FULL:
        return -1
    if cells[start, _RHS] == np.inf:
        return 0
    ends, costs = np.empty(rule[_DEGREE], np.int64), np.empty(rule[_DEGREE], np.float64)
    trail[0] = start
    count = 1
    while count < len(trail) and trail[count - 1] != root:
        trail[count] = _next(world, memory, trail[count - 1], ends, costs)[0]
        count += 1
    return count


@kernel
def _refocus(world: Any, memory: Any, start: int) -> None:
    """Let the estimates lead to where the unit is now: raise all keys to come instead of lowering all there are."""
    book = memory[4]
    if start != book[_FOCUS]:
        book[_RAISED] += _estimate(world, int(book[_FOCUS]), start)
        if world[0][_METRIC] == len(METRICS):
            book[_RAISED] += 1  # whole parts of two lengths may add up to one less than that of their sum
        book[_FOCUS] = start


@kernel
def _alter(world: Any, memory: Any, start: int, vertices: Any, prices: Any) -> int:
    """Give vertices new prices and renew all around; return how many were changed, or below 0 which one is wrong."""
    mark, _place, cells, _rows, book = memory
    rule, offset, indptr, heads = world[0], world[2], world[5], world[6]
    indptr_in, tails = world[8], world[9]
    width, into, now, log = rule[_WIDTH], rule[_BACKWARD] == 1, int(book[_NOW]), np.empty((0, 5))
    ends, costs = np.empty(rule[_DEGREE], np.int64), np.empty(rule[_DEGREE], np.float64)
    changed = np.zeros(len(vertices), np.bool_)
    count = 0
    for i in range(len(vertices)):
        if not (0 <= vertices[i] < len(mark) and prices[i] >= 1):
            return -1 - i
    for i in range(len(vertices)):
        v = vertices[i]
        if mark[v] == _UNSEEN:
            _set_price(memory, v, world[4][v] if width > 0 else 1.0)
            mark[v] = _PRICED
        if cells[v, _PRICE] != prices[i]:
            _set_price(memory, v, prices[i])
            changed[i] = True
            count += 1
    if count:
        _refocus(world, memory, start)
    for i in range(len(vertices)):
        v = vertices[i]
        if not changed[i] or mark[v] != now:
            continue  # where the search has not been, nothing depends on it
        _renew(world, memory, v, -1, ends, costs, log)
        if width > 0:
            y = v // width
            x = v - y * width
            for d in range(0, 8, rule[_STRIDE]):
                w = v + offset[d]
                inside = 0 <= x + DX[d] < width and 0 <= y + DY[d] < rule[_HEIGHT]
                if inside and mark[w] == now:
                    _renew(world, memory, w, -1, ends, costs, log)
        else:
            rows, others = (indptr_in, tails) if into else (indptr, heads)
            for k in range(rows[v], rows[v + 1]):
                if mark[others[k]] == now:
                    _renew(world, memory, others[k], -1, ends, costs, log)
    return count


@kernel
def _alter_arcs(world: Any, memory: Any, start: int, tails: Any, heads: Any, news: Any) -> int:
    """Give arcs new weights; return how many were changed, or below 0 which is missing (odd) or too light (even)."""
    mark, _place, _cells, _rows, book = memory
    rule, indptr, indices, weights, log = world[0], world[5], world[6], world[7], np.empty((0, 5))
    ends, costs = np.empty(rule[_DEGREE], np.int64), np.empty(rule[_DEGREE], np.float64)
    for i in range(len(tails)):
        found = False
        for k in range(indptr[tails[i]], indptr[tails[i] + 1]):
            found = found or indices[k] == heads[i]
        if not found:
            return -2 * i - 1
        if not (news[i] > 0 and news[i] >= _estimate(world, tails[i], heads[i]) * (1 - 1e-9)):
            return -2 * i - 2
    count = 0
    for i in range(len(tails)):
        different = False
        for k in range(indptr[tails[i]], indptr[tails[i] + 1]):
            if indices[k] == heads[i] and weights[k] != news[i]:
                weights[k] = news[i]
                different = True
        if different:
            count += 1
            if count == 1:
                _refocus(world, memory, start)
            v = tails[i] if rule[_BACKWARD] else heads[i]
            if mark[v] == int(book[_NOW]):
                _renew(world, memory, v, -1, ends, costs, log)
    return count
