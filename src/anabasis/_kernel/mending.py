"""Mending: the search that outlives a query, on arrays; `anabasis.search.repair` runs it.

The algorithm is that of S. Koenig and M. Likhachev, "D* Lite", 2002, in both its versions, in both directions: from
the goal (D* Lite) or from the start (S. Koenig, M. Likhachev and D. Furcy, "Lifelong Planning A*", 2004). What it
remembers are arrays that every kernel is given: `book` and `reals`, numbers by the names below; `prices` of the cells
as they were at the beginning; `net`, the arcs of a graph (see `Repair`); `points` of its vertices; `cells`, a row for
each vertex; the queue `rows` with `place` (see `key_queue`). `book`, `reals`, `cells` and `place` are parts of one
array, `memory`. What a change does to them is told in `alteration`.

A call of a kernel counts every array up and down that it is given, so the innermost loops do by themselves what
others call `touch` and `settle` for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis._kernel import kernel, leaf
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.key_queue import queue_put, queue_remove
from anabasis._kernel.metric import distance
from anabasis._kernel.report import EXPAND, GENERATE, UPDATE, note

__all__ = [
    "AGE",
    "AROUND",
    "BACKWARD",
    "CELLS",
    "COSTS",
    "DEAREST",
    "DEGREE",
    "DIAGONAL",
    "DONE",
    "ENDS",
    "EUCLIDEAN",
    "EXPANDED",
    "EXPANDED_ALL",
    "EXPANDED_BEFORE",
    "FLOOR",
    "FOCUS",
    "FULL",
    "HEIGHT",
    "INVERSE",
    "MARK",
    "METRIC",
    "MOVES",
    "NOW",
    "NO_FLOATS",
    "NO_INTS",
    "NO_POINTS",
    "OFFSET",
    "OPTIMIZED",
    "PRICE",
    "PRICED",
    "RAISED",
    "REALS",
    "RHS",
    "ROOT",
    "ROUGH",
    "SIZE",
    "STRIDE",
    "UNSEEN",
    "UPDATED",
    "UPDATED_ALL",
    "UPDATED_BEFORE",
    "WIDTH",
    "G",
    "estimate",
    "exits",
    "follow",
    "graph_arcs",
    "is_price",
    "least_way",
    "matters",
    "mend",
    "nearest_way",
    "plant",
    "repair",
    "set_price",
    "settle",
    "touch",
    "walked",
]

# book, int64[288]: the space; this search; its queue; counts of all repairs; rows of the log; tables of a map
WIDTH, HEIGHT, STRIDE, METRIC, BACKWARD, OPTIMIZED, DEGREE = range(7)
NOW, ROOT, FOCUS, ROUGH, SIZE, AGE, EXPANDED, UPDATED, LOGGED = range(7, 16)
OFFSET, MOVES = 16, 32
EXPANDED_ALL, EXPANDED_BEFORE, UPDATED_ALL, UPDATED_BEFORE = range(24, 28)  # counts as they were at the last questions
RAISED, INVERSE, DEAREST = range(3)  # reals, float64[4]: k_m; 1 / width, as products are quicker; limit of prices
G, RHS, PRICE, MARK = range(4)  # the columns of cells
DONE, FULL, STOPPED = range(3)  # how a kernel ends
REALS, ENDS, COSTS, AROUND, CELLS = 288, 292, 300, 308, 320  # where in memory what begins, after the book
UNSEEN, PRICED = 0, 1  # marks below that of every search
SLACK = 1e-10  # share of a key that rounding may have added or taken away
DIAGONAL = 2**0.5
NO_INTS, NO_FLOATS, NO_POINTS = np.empty((2, 0), np.int64), np.empty(0), np.empty((0, 2))  # instead of arcs on a map
NO_INTS.flags.writeable = NO_FLOATS.flags.writeable = NO_POINTS.flags.writeable = False
EUCLIDEAN, FLOOR = 3, 5  # numbers of metrics; the latter is the whole part of the former


@leaf
def is_price(reals: Any, price: float) -> bool:
    """Whether a vertex may have a price: blocked, or no dearer than sums stay exact enough to tell a step from none."""
    return 1 <= price <= reals[DEAREST] or price == np.inf


@leaf
def set_price(book: Any, cells: Any, v: int, price: float) -> None:
    """Give a vertex a price; one that is no whole number makes the search compare keys within rounding."""
    cells[v, PRICE] = price
    if price != np.floor(price):
        book[ROUGH] = 1


@leaf
def touch(book: Any, prices: Any, cells: Any, v: int) -> None:
    """Begin with a vertex if this search has not seen it."""
    if cells[v, MARK] != book[NOW]:
        if cells[v, MARK] == UNSEEN:
            set_price(book, cells, v, prices[v] if book[WIDTH] > 0 else 1.0)
        cells[v, MARK] = book[NOW]
        cells[v, G] = cells[v, RHS] = np.inf


@leaf
def _arcs(book: Any, reals: Any, prices: Any, net: Any, cells: Any, v: int, into: bool, ends: Any, costs: Any) -> int:
    """Touch all around a vertex; write the other ends and the costs of the arcs into it, or out of it; count them.

    An arc is closed if either end is blocked, so the blocked have none.
    """
    if book[WIDTH] > 0:
        return _cell_arcs(book, reals, prices, cells, v, into, ends, costs)
    return graph_arcs(book, net, cells, v, into, ends, costs)


@leaf
def _cell_arcs(book: Any, reals: Any, prices: Any, cells: Any, v: int, into: bool, ends: Any, costs: Any) -> int:
    """Do on a map what `_arcs` does."""
    width, height, here, now = book[WIDTH], book[HEIGHT], cells[v, PRICE], book[NOW]
    y = int((v + 0.5) * reals[INVERSE])
    x = v - y * width
    free = 0
    for d in range(0, 8, book[STRIDE]):
        if 0 <= x + DX[d] < width and 0 <= y + DY[d] < height:
            w = v + book[OFFSET + d]
            if cells[w, MARK] != now:  # as touch does; a call would cost more than the rest of this loop
                if cells[w, MARK] == UNSEEN:
                    cells[w, PRICE] = prices[w]
                    if prices[w] != np.floor(prices[w]):
                        book[ROUGH] = 1
                cells[w, MARK] = now
                cells[w, G] = cells[w, RHS] = np.inf
            if cells[w, PRICE] < np.inf:
                free |= 1 << d
    todo = book[MOVES + free] if here < np.inf else 0
    count = 0
    while todo:
        d = (todo & 15) - 1
        todo >>= 4
        w = v + book[OFFSET + d]
        ends[count], costs[count] = w, (DIAGONAL if d & 1 else 1.0) * (here if into else cells[w, PRICE])
        count += 1
    return count


@leaf
def graph_arcs(book: Any, net: Any, cells: Any, v: int, into: bool, ends: Any, costs: Any) -> int:
    """Do on a graph what `_arcs` does."""
    rows, others, numbers, weights = net
    here, side, count = cells[v, PRICE], 1 if into else 0, 0
    for k in range(rows[side, v], rows[side, v + 1]):
        w = others[side, k]
        touch(book, weights, cells, w)
        weight, there = weights[numbers[k] if into else k], cells[w, PRICE]
        if w != v and weight < np.inf and here < np.inf and there < np.inf:
            ends[count], costs[count] = w, weight * (here if into else there)
            count += 1
    return count


@kernel
def exits(book: Any, reals: Any, prices: Any, net: Any, cells: Any, v: int, ends: Any, costs: Any) -> int:
    """Write the ends and the costs of the arcs out of a vertex as if it were free; return how many there are."""
    touch(book, prices, cells, v)
    price = cells[v, PRICE]
    cells[v, PRICE] = 1.0
    count = _arcs(book, reals, prices, net, cells, v, False, ends, costs)
    cells[v, PRICE] = price
    return count


@kernel
def walked(book: Any, reals: Any, prices: Any, net: Any, cells: Any, vertices: Any) -> float:
    """Return the cost of a walk; what goes straight and what goes diagonally are added up apart and so are exact."""
    width, ends, costs = book[WIDTH], np.empty(book[DEGREE], np.int64), np.empty(book[DEGREE])
    straight, diagonal = 0.0, 0.0
    for i in range(len(vertices) - 1):
        u, v = vertices[i], vertices[i + 1]
        least = np.inf
        for k in range(exits(book, reals, prices, net, cells, u, ends, costs)):
            if ends[k] == v:
                least = min(least, costs[k])
        if width > 0 and u % width != v % width and u // width != v // width:
            diagonal += cells[v, PRICE]
        else:
            straight += least
    return straight + diagonal * DIAGONAL


@leaf
def estimate(book: Any, reals: Any, points: Any, v: int) -> float:
    """Return what the way between a vertex and the focus costs at least."""
    width, metric, focus = book[WIDTH], book[METRIC], book[FOCUS]
    if width > 0:
        y, down = int((v + 0.5) * reals[INVERSE]), int((focus + 0.5) * reals[INVERSE])
        dx, dy = float((v - y * width) - (focus - down * width)), float(y - down)
        return distance(metric, dx, dy) if metric != FLOOR else np.floor(distance(EUCLIDEAN, dx, dy))
    return distance(metric, points[v, 0] - points[focus, 0], points[v, 1] - points[focus, 1])


@leaf
def settle(
    book: Any, reals: Any, points: Any, cells: Any, place: Any, rows: Any, v: int, parent: int, log: Any
) -> None:
    """Put a vertex into the queue, move it there, or take it out, as its two distances ask."""
    g, rhs = cells[v, G], cells[v, RHS]
    if g != rhs:
        least, h = min(g, rhs), estimate(book, reals, points, v)
        book[LOGGED] = note(log, book[LOGGED], UPDATE if place[v] else GENERATE, v, parent, least, h)
        book[SIZE] = queue_put(rows, place, book[SIZE], v, least + h + reals[RAISED], least, float(book[AGE]))
        book[AGE] += 1
        book[UPDATED] += 1
    elif place[v]:
        book[SIZE] = queue_remove(rows, place, book[SIZE], v)


@leaf
def nearest_way(
    book: Any, reals: Any, prices: Any, net: Any, cells: Any, v: int, ends: Any, costs: Any
) -> tuple[int, float]:
    """Return the neighbour through which the root is nearest, -1 for none, and how far it is that way."""
    best, least = -1, np.inf
    if book[WIDTH] > 0:
        count = _cell_arcs(book, reals, prices, cells, v, book[BACKWARD] == 0, ends, costs)
    else:
        count = graph_arcs(book, net, cells, v, book[BACKWARD] == 0, ends, costs)
    for k in range(count):
        way = costs[k] + cells[ends[k], G]
        if way < least:
            best, least = ends[k], way
    return best, least


@leaf
def least_way(book: Any, reals: Any, prices: Any, cells: Any, v: int) -> float:
    """Return how far the root is from a cell by what its neighbours know, as `nearest_way` does, with fewer arrays."""
    width, height, here, now = book[WIDTH], book[HEIGHT], cells[v, PRICE], book[NOW]
    if here == np.inf:
        return np.inf
    backward, stride, least = book[BACKWARD] == 1, book[STRIDE], np.inf
    y = int((v + 0.5) * reals[INVERSE])
    x = v - y * width
    free = 0
    for d in range(0, 8, stride):
        if 0 <= x + DX[d] < width and 0 <= y + DY[d] < height:
            w = v + book[OFFSET + d]
            if cells[w, MARK] != now:
                touch(book, prices, cells, w)
            if cells[w, PRICE] < np.inf:
                free |= 1 << d
    todo = book[MOVES + free]
    while todo:
        d = (todo & 15) - 1
        todo >>= 4
        w = v + book[OFFSET + d]
        way = (DIAGONAL if d & 1 else 1.0) * (cells[w, PRICE] if backward else here) + cells[w, G]
        least = min(least, way)
    return least


@kernel
def plant(
    book: Any, reals: Any, prices: Any, net: Any, points: Any, cells: Any, place: Any, rows: Any, root: int, focus: int
) -> None:
    """Empty the queue and put the root into it, which nothing but the prices outlives."""
    for i in range(book[SIZE]):
        place[int(rows[i, 3])] = 0
    book[NOW] = max(book[NOW], PRICED) + 1
    book[SIZE], book[ROOT], book[FOCUS], reals[RAISED] = 0, root, focus, 0.0
    touch(book, prices, cells, root)
    cells[root, RHS] = 0.0
    settle(book, reals, points, cells, place, rows, root, -1, np.empty((0, 5)))


@kernel
def repair(
    book: Any,
    reals: Any,
    prices: Any,
    net: Any,
    points: Any,
    cells: Any,
    place: Any,
    rows: Any,
    target: int,
    last: int,
    log: Any,
) -> int:
    """Expand the first in the queue while it may matter for the target; return how that ended.

    last: how many vertices are expanded at most, with all before; -1 for any number.
    """
    degree = book[DEGREE]
    ends, costs = np.empty((2, degree), np.int64), np.empty((2, degree), np.float64)
    return mend(
        book, reals, prices, net, points, cells, place, rows, target, last, log, ends[0], costs[0], ends[1], costs[1]
    )


@leaf
def mend(
    book: Any,
    reals: Any,
    prices: Any,
    net: Any,
    points: Any,
    cells: Any,
    place: Any,
    rows: Any,
    target: int,
    last: int,
    log: Any,
    ends: Any,
    costs: Any,
    others: Any,
    steps: Any,
) -> int:
    """Repair in room that the caller gives for the arcs of two vertices, or of one, on a map and without a record."""
    width, root, degree = book[WIDTH], book[ROOT], book[DEGREE]
    optimized, backward = book[OPTIMIZED] == 1, book[BACKWARD] == 1
    if book[LOGGED] == 0:  # it waits in the queue
        book[LOGGED] = note(log, 0, GENERATE, root, -1, 0.0, estimate(book, reals, points, root))
    touch(book, prices, cells, target)
    more = estimate(book, reals, points, target) + reals[RAISED]
    while book[SIZE] > 0:
        g, rhs = cells[target, G], cells[target, RHS]
        if not matters(g, rhs, rhs + more, rows[0, 0], rows[0, 1], optimized, book[ROUGH] == 1):
            break
        if book[SIZE] + degree + 1 > len(rows):
            return FULL
        u = int(rows[0, 3])
        g, rhs = cells[u, G], cells[u, RHS]
        least = min(g, rhs)
        if reals[RAISED] > 0 and rows[0, 0] < least + estimate(book, reals, points, u) + reals[RAISED]:
            settle(book, reals, points, cells, place, rows, u, -1, log)  # put when the unit was elsewhere
            continue
        if book[EXPANDED] == last:
            return STOPPED
        book[EXPANDED] += 1
        if len(log):
            parent = nearest_way(book, reals, prices, net, cells, u, others, steps)[0]
            h = estimate(book, reals, points, u)
            book[LOGGED] = note(log, book[LOGGED], EXPAND, u, parent, least, h)
        falls = g > rhs
        cells[u, G] = rhs if falls else np.inf
        if falls or rhs == np.inf:
            book[SIZE] = queue_remove(rows, place, book[SIZE], u)
        else:
            settle(book, reals, points, cells, place, rows, u, -1, log)
        if width > 0:
            count = _cell_arcs(book, reals, prices, cells, u, backward, ends, costs)
        else:
            count = graph_arcs(book, net, cells, u, backward, ends, costs)
        for k in range(count):
            v, way, before = ends[k], costs[k] + least, cells[ends[k], RHS]
            if v == root or (optimized and (way >= before if falls else way > before * (1 + 1e-12))):
                continue
            if not (falls and optimized):  # the best way may have been this one: look at all
                if width > 0:
                    way = least_way(book, reals, prices, cells, v)
                else:
                    way = nearest_way(book, reals, prices, net, cells, v, others, steps)[1]
            cells[v, RHS] = way
            g = cells[v, G]
            if way == g or len(log):
                settle(book, reals, points, cells, place, rows, v, u, log)
                continue
            nearer = min(way, g)  # as settle does
            key = nearer + estimate(book, reals, points, v) + reals[RAISED]
            book[SIZE] = queue_put(rows, place, book[SIZE], v, key, nearer, float(book[AGE]))
            book[AGE] += 1
            book[UPDATED] += 1
    return DONE


@leaf
def matters(g: float, rhs: float, bound: float, key: float, tie: float, optimized: bool, rough: bool) -> bool:
    """Whether the first in the queue, by its key, may matter for a target with these distances and this key."""
    if rhs > g or (rhs < g and not optimized):
        return True  # it is not known, whatever waits in the queue
    return key <= bound * (1 + SLACK) if rough else key < bound or (key == bound and tie < rhs)


@kernel
def follow(
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
    if repair(book, reals, prices, net, points, cells, place, rows, start, -1, np.empty((0, 5))) == FULL:
        return -1
    if cells[start, RHS] == np.inf:
        return 0
    ends, costs = np.empty(book[DEGREE], np.int64), np.empty(book[DEGREE], np.float64)
    trail[0] = start
    count = 1
    while count < len(trail) and trail[count - 1] != book[ROOT]:
        trail[count] = nearest_way(book, reals, prices, net, cells, trail[count - 1], ends, costs)[0]
        count += 1
    return count
