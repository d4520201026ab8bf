"""Alteration: what new prices of vertices and new weights of arcs do to a search that is mended, on its arrays.

S. Koenig and M. Likhachev, "D* Lite", 2002: distances of the neighbours are renewed and wait in the queue where they no
longer fit, and the estimates lead to where the unit is now. The arrays are those of `mending`; `step`, the call that is
made most, is given the one of which they are parts, and so few, and counts none of them, which would take as long as
the rest of a call in which nothing has to be mended.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis._kernel import kernel, leaf
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.key_queue import queue_put, queue_remove
from anabasis._kernel.mending import (
    AGE,
    AROUND,
    BACKWARD,
    CELLS,
    COSTS,
    DEGREE,
    DIAGONAL,
    ENDS,
    EXPANDED,
    EXPANDED_ALL,
    EXPANDED_BEFORE,
    FLOOR,
    FOCUS,
    FULL,
    HEIGHT,
    INVERSE,
    MARK,
    METRIC,
    NO_FLOATS,
    NO_INTS,
    NO_POINTS,
    NOW,
    OFFSET,
    OPTIMIZED,
    PRICE,
    PRICED,
    RAISED,
    REALS,
    RHS,
    ROOT,
    ROUGH,
    SIZE,
    STRIDE,
    UNSEEN,
    UPDATED,
    UPDATED_ALL,
    UPDATED_BEFORE,
    WIDTH,
    G,
    estimate,
    graph_arcs,
    is_price,
    least_way,
    matters,
    mend,
    nearest_way,
    set_price,
    settle,
    touch,
)
from anabasis._kernel.metric import vertex_distance

__all__ = ["AGAIN", "LONG_WAY", "alter", "alter_arcs", "step"]

LONG_WAY, AGAIN = -2, -3  # why `step` does not know: nothing is done yet; the changes are made, the rest is left


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
        if not (0 <= vertices[i] < len(cells) and is_price(reals, news[i])):
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
                set_price(book, cells, v, new)
            elif book[WIDTH] > 0:
                _alter_cell(book, reals, prices, cells, place, rows, v, new, around)
            else:
                _alter_vertex(book, reals, prices, net, points, cells, place, rows, v, new, ends, costs, around, log)
    return count


@leaf
def _differs(book: Any, prices: Any, cells: Any, v: int, new: float) -> bool:
    """Whether a price is another one than that known now."""
    if cells[v, MARK] == UNSEEN:
        set_price(book, cells, v, prices[v] if book[WIDTH] > 0 else 1.0)
        cells[v, MARK] = PRICED
    return cells[v, PRICE] != new


@leaf
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
        for k in range(graph_arcs(book, net, cells, v, into, ends, costs)):
            if costs[k] + cells[v, G] <= cells[ends[k], RHS] * (1 + 1e-12):
                around[todo] = ends[k]
                todo += 1
    set_price(book, cells, v, new)
    if touched and new < old:
        for k in range(graph_arcs(book, net, cells, v, into, ends, costs)):
            if costs[k] + cells[v, G] < cells[ends[k], RHS]:
                around[todo] = ends[k]
                todo += 1
    if closed or not into:
        around[todo] = v
        todo += 1
    for k in range(todo):
        _renew(book, reals, prices, net, points, cells, place, rows, around[k], -1, ends, costs, log)


@leaf
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
    rhs = nearest_way(book, reals, prices, net, cells, v, ends, costs)[1]
    if v != book[ROOT] and rhs != cells[v, RHS]:
        cells[v, RHS] = rhs
        settle(book, reals, points, cells, place, rows, v, parent, log)


@leaf
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
    set_price(book, cells, v, new)
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
        rhs = least_way(book, reals, prices, cells, w)
        if rhs != cells[w, RHS]:
            cells[w, RHS] = rhs
            _settle_cell(book, reals, cells, place, rows, w)


@leaf
def _settle_cell(book: Any, reals: Any, cells: Any, place: Any, rows: Any, v: int) -> None:
    """Do on a map what `settle` does, with fewer arrays and without a record."""
    g, rhs = cells[v, G], cells[v, RHS]
    if g != rhs:
        least = min(g, rhs)
        key = least + estimate(book, reals, NO_POINTS, v) + reals[RAISED]
        book[SIZE] = queue_put(rows, place, book[SIZE], v, key, least, float(book[AGE]))
        book[AGE] += 1
        book[UPDATED] += 1
    elif place[v]:
        book[SIZE] = queue_remove(rows, place, book[SIZE], v)


@leaf
def _refocus(book: Any, reals: Any, points: Any, start: int) -> None:
    """Let the estimates lead to where the unit is now: raise all keys to come instead of lowering all there are."""
    if start != book[FOCUS]:
        reals[RAISED] += estimate(book, reals, points, start)
        if book[METRIC] == FLOOR:
            reals[RAISED] += 1  # whole parts of two lengths may add up to one less than that of their sum
        book[FOCUS] = start


@leaf
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
        if not (0 <= vertices[i] < size and is_price(reals, news[i])):
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
                set_price(book, cells, v, new)
    touch(book, prices, cells, start)
    if cells[start, PRICE] == np.inf:
        return AGAIN
    if _waits(book, reals, NO_POINTS, cells, rows, start) and (
        mend(book, reals, prices, net, NO_POINTS, cells, place, rows, start, -1, log, ends, costs, ends, costs) == FULL
    ):
        return AGAIN
    book[EXPANDED_BEFORE], book[EXPANDED_ALL] = book[EXPANDED_ALL], book[EXPANDED]
    book[UPDATED_BEFORE], book[UPDATED_ALL] = book[UPDATED_ALL], book[UPDATED]
    if cells[start, RHS] == np.inf:
        return -1
    # a plain number without a compiler too
    return int(nearest_way(book, reals, prices, net, cells, start, ends, costs)[0])


@leaf
def _waits(book: Any, reals: Any, points: Any, cells: Any, rows: Any, target: int) -> bool:
    """Whether anything in the queue may matter for a target."""
    if book[SIZE] == 0:
        return False
    g, rhs = cells[target, G], cells[target, RHS]
    bound = rhs + (estimate(book, reals, points, target) + reals[RAISED])
    return matters(g, rhs, bound, rows[0, 0], rows[0, 1], book[OPTIMIZED] == 1, book[ROUGH] == 1)


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
