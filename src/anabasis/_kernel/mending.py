"""Mending: the loops of a search that outlives a query, on arrays; `anabasis.search.repair` runs them.

The algorithm is that of S. Koenig and M. Likhachev, "D* Lite", 2002, in both its versions, in both directions: from
the goal (D* Lite) or from the start (S. Koenig, M. Likhachev and D. Furcy, "Lifelong Planning A*", 2004). What it
remembers are arrays that every kernel is given: `book` and `reals`, numbers by the names below; `prices` of the cells
as they were at the beginning; `net`, the arcs of a graph (see `Repair`); `points` of its vertices; `cells`, a row for
each vertex; the queue `rows` with `place` (see `key_queue`). `book`, `reals`, `cells` and `place` are parts of one
array, `memory`, so that `step`, the call that is made most, is given few.

A call of a kernel counts every array up and down that it is given, so the innermost loops do by themselves what
others call `_touch` and `_settle` for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.key_queue import queue_put, queue_remove
from anabasis._kernel.metric import distance, vertex_distance
from anabasis._kernel.report import EXPAND, GENERATE, UPDATE, note

__all__ = [
    "AGAIN",
    "BACKWARD",
    "CELLS",
    "DONE",
    "EUCLIDEAN",
    "EXPANDED",
    "EXPANDED_ALL",
    "EXPANDED_BEFORE",
    "FLOOR",
    "FULL",
    "LONG_WAY",
    "MARK",
    "MOVES",
    "NOW",
    "OFFSET",
    "PRICE",
    "RAISED",
    "REALS",
    "RHS",
    "ROUGH",
    "SIZE",
    "UNSEEN",
    "UPDATED",
    "UPDATED_ALL",
    "UPDATED_BEFORE",
    "G",
    "alter",
    "alter_arcs",
    "exits",
    "follow",
    "plant",
    "repair",
    "step",
    "walked",
]

# book, int64[288]: the space; this search; its queue; counts of all repairs; rows of the log; tables of a map
WIDTH, HEIGHT, STRIDE, METRIC, BACKWARD, OPTIMIZED, DEGREE = range(7)
NOW, ROOT, FOCUS, ROUGH, SIZE, AGE, EXPANDED, UPDATED, LOGGED = range(7, 16)
OFFSET, MOVES = 16, 32
EXPANDED_ALL, EXPANDED_BEFORE, UPDATED_ALL, UPDATED_BEFORE = range(24, 28)  # counts as they were at the last questions
RAISED, INVERSE = range(2)  # reals, float64[2]: k_m; 1 / width, since a product is quicker than a division
G, RHS, PRICE, MARK = range(4)  # the columns of cells
DONE, FULL, STOPPED = range(3)  # how a kernel ends
LONG_WAY, AGAIN = -2, -3  # why `step` does not know: nothing is done yet; the changes are made, the rest is left
REALS, ENDS, COSTS, AROUND, CELLS = 288, 290, 298, 306, 320  # where in memory what begins, after the book
UNSEEN, PRICED = 0, 1  # marks below that of every search
SLACK = 1e-10  # share of a key that rounding may have added or taken away
DIAGONAL = 2**0.5
NO_INTS, NO_FLOATS, NO_POINTS = np.empty((2, 0), np.int64), np.empty(0), np.empty((0, 2))  # instead of arcs on a map
NO_INTS.flags.writeable = NO_FLOATS.flags.writeable = NO_POINTS.flags.writeable = False
EUCLIDEAN, FLOOR = 3, 5  # numbers of metrics; the latter is the whole part of the former


@kernel
def _set_price(book: Any, cells: Any, v: int, price: float) -> None:
    cells[v, PRICE] = price
    if price != np.floor(price):
        book[ROUGH] = 1


@kernel
def _touch(book: Any, prices: Any, cells: Any, v: int) -> None:
    """Begin with a vertex if this search has not seen it."""
    if cells[v, MARK] != book[NOW]:
        if cells[v, MARK] == UNSEEN:
            _set_price(book, cells, v, prices[v] if book[WIDTH] > 0 else 1.0)
        cells[v, MARK] = book[NOW]
        cells[v, G] = cells[v, RHS] = np.inf


@kernel
def _arcs(book: Any, reals: Any, prices: Any, net: Any, cells: Any, v: int, into: bool, ends: Any, costs: Any) -> int:
    """Touch all around a vertex; write the other ends and the costs of the arcs into it, or out of it; count them.

    An arc is closed if either end is blocked, so the blocked have none.
    """
    if book[WIDTH] > 0:
        return _cell_arcs(book, reals, prices, cells, v, into, ends, costs)
    return _graph_arcs(book, net, cells, v, into, ends, costs)


@kernel
def _cell_arcs(book: Any, reals: Any, prices: Any, cells: Any, v: int, into: bool, ends: Any, costs: Any) -> int:
    """Do on a map what `_arcs` does."""
    width, height, here, now = book[WIDTH], book[HEIGHT], cells[v, PRICE], book[NOW]
    y = int((v + 0.5) * reals[INVERSE])
    x = v - y * width
    free = 0
    for d in range(0, 8, book[STRIDE]):
        if 0 <= x + DX[d] < width and 0 <= y + DY[d] < height:
            w = v + book[OFFSET + d]
            if cells[w, MARK] != now:  # as _touch does; a call would cost more than the rest of this loop
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


@kernel
def _graph_arcs(book: Any, net: Any, cells: Any, v: int, into: bool, ends: Any, costs: Any) -> int:
    """Do on a graph what `_arcs` does."""
    rows, others, numbers, weights = net
    here, side, count = cells[v, PRICE], 1 if into else 0, 0
    for k in range(rows[side, v], rows[side, v + 1]):
        w = others[side, k]
        _touch(book, weights, cells, w)
        weight, there = weights[numbers[k] if into else k], cells[w, PRICE]
        if w != v and weight < np.inf and here < np.inf and there < np.inf:
            ends[count], costs[count] = w, weight * (here if into else there)
            count += 1
    return count


@kernel
def exits(book: Any, reals: Any, prices: Any, net: Any, cells: Any, v: int, ends: Any, costs: Any) -> int:
    """Write the ends and the costs of the arcs out of a vertex as if it were free; return how many there are."""
    _touch(book, prices, cells, v)
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


@kernel
def _estimate(book: Any, reals: Any, points: Any, v: int) -> float:
    """Return what the way between a vertex and the focus costs at least."""
    width, metric, focus = book[WIDTH], book[METRIC], book[FOCUS]
    if width > 0:
        y, down = int((v + 0.5) * reals[INVERSE]), int((focus + 0.5) * reals[INVERSE])
        dx, dy = float((v - y * width) - (focus - down * width)), float(y - down)
        return distance(metric, dx, dy) if metric != FLOOR else np.floor(distance(EUCLIDEAN, dx, dy))
    return distance(metric, points[v, 0] - points[focus, 0], points[v, 1] - points[focus, 1])


@kernel
def _settle(
    book: Any, reals: Any, points: Any, cells: Any, place: Any, rows: Any, v: int, parent: int, log: Any
) -> None:
    """Put a vertex into the queue, move it there, or take it out, as its two distances ask."""
    g, rhs = cells[v, G], cells[v, RHS]
    if g != rhs:
        least, h = min(g, rhs), _estimate(book, reals, points, v)
        book[LOGGED] = note(log, book[LOGGED], UPDATE if place[v] else GENERATE, v, parent, least, h)
        book[SIZE] = queue_put(rows, place, book[SIZE], v, least + h + reals[RAISED], least, float(book[AGE]))
        book[AGE] += 1
        book[UPDATED] += 1
    elif place[v]:
        book[SIZE] = queue_remove(rows, place, book[SIZE], v)


@kernel
def _next(book: Any, reals: Any, prices: Any, net: Any, cells: Any, v: int, ends: Any, costs: Any) -> tuple[int, float]:
    """Return the neighbour through which the root is nearest, -1 for none, and how far it is that way."""
    best, least = -1, np.inf
    if book[WIDTH] > 0:
        count = _cell_arcs(book, reals, prices, cells, v, book[BACKWARD] == 0, ends, costs)
    else:
        count = _graph_arcs(book, net, cells, v, book[BACKWARD] == 0, ends, costs)
    for k in range(count):
        way = costs[k] + cells[ends[k], G]
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
    """Compute rhs of a vertex of a graph from all its neighbours."""
    rhs = _next(book, reals, prices, net, cells, v, ends, costs)[1]
    if v != book[ROOT] and rhs != cells[v, RHS]:
        cells[v, RHS] = rhs
        _settle(book, reals, points, cells, place, rows, v, parent, log)


@kernel
def _least(book: Any, reals: Any, prices: Any, cells: Any, v: int) -> float:
    """Return how far the root is from a cell by what its neighbours know, as `_next` does, with fewer arrays."""
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
                _touch(book, prices, cells, w)
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
    _touch(book, prices, cells, root)
    cells[root, RHS] = 0.0
    _settle(book, reals, points, cells, place, rows, root, -1, np.empty((0, 5)))


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
    limit: int,
    log: Any,
) -> int:
    """Expand the first in the queue while it may matter for the target; return how that ended."""
    width, root, degree = book[WIDTH], book[ROOT], book[DEGREE]
    optimized, backward = book[OPTIMIZED] == 1, book[BACKWARD] == 1
    ends, costs = np.empty(degree, np.int64), np.empty(degree, np.float64)
    others, steps = np.empty(degree, np.int64), np.empty(degree, np.float64)
    last = book[EXPANDED] + limit
    book[LOGGED] = note(log, 0, GENERATE, root, -1, 0.0, _estimate(book, reals, points, root))  # it waits in the queue
    _touch(book, prices, cells, target)
    more = _estimate(book, reals, points, target) + reals[RAISED]
    while book[SIZE] > 0:
        g, rhs = cells[target, G], cells[target, RHS]
        if not _matters(g, rhs, rhs + more, rows[0, 0], rows[0, 1], optimized, book[ROUGH] == 1):
            break
        if book[SIZE] + degree + 1 > len(rows):
            return FULL
        u = int(rows[0, 3])
        g, rhs = cells[u, G], cells[u, RHS]
        least = min(g, rhs)
        if reals[RAISED] > 0 and rows[0, 0] < least + _estimate(book, reals, points, u) + reals[RAISED]:
            _settle(book, reals, points, cells, place, rows, u, -1, log)  # put when the unit was elsewhere
            continue
        if limit and book[EXPANDED] == last:
            return STOPPED
        book[EXPANDED] += 1
        if len(log):
            parent = _next(book, reals, prices, net, cells, u, others, steps)[0]
            h = _estimate(book, reals, points, u)
            book[LOGGED] = note(log, book[LOGGED], EXPAND, u, parent, least, h)
        falls = g > rhs
        cells[u, G] = rhs if falls else np.inf
        if falls or rhs == np.inf:
            book[SIZE] = queue_remove(rows, place, book[SIZE], u)
        else:
            _settle(book, reals, points, cells, place, rows, u, -1, log)
        if width > 0:
            count = _cell_arcs(book, reals, prices, cells, u, backward, ends, costs)
        else:
            count = _graph_arcs(book, net, cells, u, backward, ends, costs)
        for k in range(count):
            v, way, before = ends[k], costs[k] + least, cells[ends[k], RHS]
            if v == root or (optimized and (way >= before if falls else way > before * (1 + 1e-12))):
                continue
            if not (falls and optimized):  # the best way may have been this one: look at all
                if width > 0:
                    way = _least(book, reals, prices, cells, v)
                else:
                    way = _next(book, reals, prices, net, cells, v, others, steps)[1]
            cells[v, RHS] = way
            g = cells[v, G]
            if way == g or len(log):
                _settle(book, reals, points, cells, place, rows, v, u, log)
                continue
            nearer = min(way, g)  # as _settle does
            key = nearer + _estimate(book, reals, points, v) + reals[RAISED]
            book[SIZE] = queue_put(rows, place, book[SIZE], v, key, nearer, float(book[AGE]))
            book[AGE] += 1
            book[UPDATED] += 1
    return DONE


@kernel
def _matters(g: float, rhs: float, bound: float, key: float, tie: float, optimized: bool, rough: bool) -> bool:
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
    if repair(book, reals, prices, net, points, cells, place, rows, start, 0, np.empty((0, 5))) == FULL:
        return -1
    if cells[start, RHS] == np.inf:
        return 0
    ends, costs = np.empty(book[DEGREE], np.int64), np.empty(book[DEGREE], np.float64)
    trail[0] = start
    count = 1
    while count < len(trail) and trail[count - 1] != book[ROOT]:
        trail[count] = _next(book, reals, prices, net, cells, trail[count - 1], ends, costs)[0]
        count += 1
    return count


@kernel
def _refocus(book: Any, reals: Any, points: Any, start: int) -> None:
    """Let the estimates lead to where the unit is now: raise all keys to come instead of lowering all there are."""
    if start != book[FOCUS]:
        reals[RAISED] += _estimate(book, reals, points, start)
        if book[METRIC] == FLOOR:
            reals[RAISED] += 1  # whole parts of two lengths may add up to one less than that of their sum
        book[FOCUS] = start


@kernel
def alter(
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
    ends, costs, log = np.empty(book[DEGREE], np.int64), np.empty(book[DEGREE], np.float64), np.empty((0, 5))
    around = np.empty(book[DEGREE] + 1, np.int64)
    count = 0
    for i in range(len(vertices)):
        v, new = vertices[i], news[i]
        if _differs(book, prices, cells, v, new):
            count += 1
            if count == 1:
                _refocus(book, reals, points, start)
            if cells[v, MARK] != book[NOW]:  # where the search has not been, nothing depends on it
                _set_price(book, cells, v, new)
            elif book[WIDTH] > 0:
                _alter_cell(book, reals, prices, cells, place, rows, v, new, around)
            else:
                _alter_vertex(book, reals, prices, net, points, cells, place, rows, v, new, ends, costs, around, log)
    return count


@kernel
def _differs(book: Any, prices: Any, cells: Any, v: int, new: float) -> bool:
    """Whether a price is another one than that known now."""
    if cells[v, MARK] == UNSEEN:
        _set_price(book, cells, v, prices[v] if book[WIDTH] > 0 else 1.0)
        cells[v, MARK] = PRICED
    return cells[v, PRICE] != new


@kernel
def _alter_vertex(
    book: Any,
    reals: Any,
    prices: Any,
    net: Any,
    points: Any,
    cells: Any,
    place: Any,
    rows: Any,
    v: int,
    new: float,
    ends: Any,
    costs: Any,
    around: Any,
    log: Any,
) -> None:
    """Do on a graph what `_alter_cell` does."""
    old, into, todo = cells[v, PRICE], book[BACKWARD] == 1, 0
    closed = (old == np.inf) != (new == np.inf)
    touched = (into or closed) and cells[v, G] < np.inf
    if touched and new > old:
        for k in range(_graph_arcs(book, net, cells, v, into, ends, costs)):
            if costs[k] + cells[v, G] <= cells[ends[k], RHS] * (1 + 1e-12):
                around[todo] = ends[k]
                todo += 1
    _set_price(book, cells, v, new)
    if touched and new < old:
        for k in range(_graph_arcs(book, net, cells, v, into, ends, costs)):
            if costs[k] + cells[v, G] < cells[ends[k], RHS]:
                around[todo] = ends[k]
                todo += 1
    if closed or not into:
        around[todo] = v
        todo += 1
    for k in range(todo):
        _renew(book, reals, prices, net, points, cells, place, rows, around[k], -1, ends, costs, log)


@kernel
def _alter_cell(
    book: Any, reals: Any, prices: Any, cells: Any, place: Any, rows: Any, v: int, new: float, around: Any
) -> None:
    """Give a cell where the search has been another price and renew what depends on it.

    A distance is the least of its terms. Where a term falls it becomes the lesser of what it was and that term; where
    a term rises it stays, unless it was that term. The terms of the same step are always computed alike, so the rest
    need no look. What is closed or opened may also stand beside diagonal steps.
    """
    now, width, stride = book[NOW], book[WIDTH], book[STRIDE]
    old, g, into, root = cells[v, PRICE], cells[v, G], book[BACKWARD] == 1, book[ROOT]
    closed = (old == np.inf) != (new == np.inf)
    falls, corners = new < old, closed and stride == 1
    _set_price(book, cells, v, new)
    todo = 0
    if (closed or not into) and v != root:
        around[0] = v
        todo = 1
    if corners or (g < np.inf and (into or closed)):
        price = min(old, new)  # that of the steps which may be shorter now, or were before
        y = int((v + 0.5) * reals[INVERSE])
        x = v - y * width
        for d in range(0, 8, stride):
            if 0 <= x + DX[d] < width and 0 <= y + DY[d] < book[HEIGHT]:
                w = v + book[OFFSET + d]
                rhs = cells[w, RHS]
                if cells[w, MARK] == now and w != root and (falls or rhs < np.inf):
                    way = (DIAGONAL if d & 1 else 1.0) * (price if into else cells[w, PRICE]) + g
                    if corners or (way < rhs if falls else way <= rhs * (1 + 1e-12)):
                        around[todo] = w
                        todo += 1
    for k in range(todo):
        w = around[k]
        rhs = _least(book, reals, prices, cells, w)
        if rhs != cells[w, RHS]:
            cells[w, RHS] = rhs
            _settle_cell(book, reals, cells, place, rows, w)


@kernel
def _settle_cell(book: Any, reals: Any, cells: Any, place: Any, rows: Any, v: int) -> None:
    """Do on a map what `_settle` does, with fewer arrays and without a record."""
    g, rhs = cells[v, G], cells[v, RHS]
    if g != rhs:
        least = min(g, rhs)
        key = least + _estimate(book, reals, NO_POINTS, v) + reals[RAISED]
        book[SIZE] = queue_put(rows, place, book[SIZE], v, key, least, float(book[AGE]))
        book[AGE] += 1
        book[UPDATED] += 1
    elif place[v]:
        book[SIZE] = queue_remove(rows, place, book[SIZE], v)


@kernel
def step(memory: Any, rows: Any, prices: Any, start: int, vertices: Any, news: Any) -> int:
    """Do on a map what `alter` and `follow` do, in one call; return the next vertex from `start`, -1 for none.

    LONG_WAY if that has to be asked step by step, and nothing is changed; AGAIN if the changes are made and the rest
    has to be asked.
    """
    book, reals = memory[:REALS].view(np.int64), memory[REALS:ENDS]
    ends, costs = memory[ENDS:COSTS].view(np.int64), memory[COSTS:AROUND]
    around, log, size = memory[AROUND:CELLS].view(np.int64), rows[:0], book[WIDTH] * book[HEIGHT]
    cells, place = memory[CELLS : CELLS + 4 * size].reshape((size, 4)), memory[CELLS + 4 * size :].view(np.int32)
    net = NO_INTS, NO_INTS, NO_INTS[0], NO_FLOATS
    if start == book[ROOT] or book[SIZE] + 9 * (len(vertices) + 1) + 2 > len(rows) or len(vertices) != len(news):
        return LONG_WAY
    for i in range(len(vertices)):
        if not (0 <= vertices[i] < size and news[i] >= 1):
            return LONG_WAY
    refocused = False
    for i in range(len(vertices)):
        v, new = vertices[i], news[i]
        if _differs(book, prices, cells, v, new):
            if not refocused:
                _refocus(book, reals, NO_POINTS, start)
                refocused = True
            if cells[v, MARK] == book[NOW]:
                _alter_cell(book, reals, prices, cells, place, rows, v, new, around)
            else:
                _set_price(book, cells, v, new)
    _touch(book, prices, cells, start)
    if cells[start, PRICE] == np.inf:
        return AGAIN
    if _waits(book, reals, NO_POINTS, cells, rows, start) and (
        repair(book, reals, prices, net, NO_POINTS, cells, place, rows, start, 0, log) == FULL
    ):
        return AGAIN
    book[EXPANDED_BEFORE], book[EXPANDED_ALL] = book[EXPANDED_ALL], book[EXPANDED]
    book[UPDATED_BEFORE], book[UPDATED_ALL] = book[UPDATED_ALL], book[UPDATED]
    if cells[start, RHS] == np.inf:
        return -1
    return int(_next(book, reals, prices, net, cells, start, ends, costs)[0])  # a plain number without a compiler too


@kernel
def _waits(book: Any, reals: Any, points: Any, cells: Any, rows: Any, target: int) -> bool:
    """Whether anything in the queue may matter for a target."""
    if book[SIZE] == 0:
        return False
    g, rhs = cells[target, G], cells[target, RHS]
    bound = rhs + (_estimate(book, reals, points, target) + reals[RAISED])
    return _matters(g, rhs, bound, rows[0, 0], rows[0, 1], book[OPTIMIZED] == 1, book[ROUGH] == 1)


@kernel
def alter_arcs(
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
    ends, costs, log = np.empty(book[DEGREE], np.int64), np.empty(book[DEGREE], np.float64), np.empty((0, 5))
    for i in range(len(tails)):
        found = False
        for k in range(indptr[0, tails[i]], indptr[0, tails[i] + 1]):
            found = found or indices[0, k] == heads[i]
        if not found:
            return -2 * i - 1
        least = vertex_distance(points, 0, tails[i], heads[i], book[METRIC])
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
            v = tails[i] if book[BACKWARD] else heads[i]
            if cells[v, MARK] == book[NOW]:
                _renew(book, reals, prices, net, points, cells, place, rows, v, -1, ends, costs, log)
    return count
