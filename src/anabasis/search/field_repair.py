"""Field repair: the search of Field D*, over the corners of cells; it outlives a query and mends what a change touched.

D. Ferguson and A. Stentz, "The Field D* Algorithm for Improved Path Planning and Replanning in Uniform and Non-Uniform
Cost Environments", 2005. A way crosses a cell to any point of its border, where the distance to the goal is taken to
lie on a straight line between those of the two corners beside. What a change has touched is mended as by S. Koenig and
M. Likhachev, "D* Lite", 2002: for each corner g is the distance as known before and rhs the one that the neighbours' g
give, here two of them at a time; the queue holds the corners where both differ.

Three things differ from the paper. Between interpolated distances the straight line is no consistent estimate: what a
vertex gains over the nearer of its two neighbours may be as little as 1 / √2 of the way between them. Estimates are
straight lines times that, so a mended search knows just what a new one would. Corners where two blocked cells touch are
left out, so no way squeezes through; they lie on no side between two free cells, so no way is lost. And the corners
around the goal, which lies in the middle of a cell, know the best way that bends on a side of that cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.key_queue import queue_put, queue_remove
from anabasis._kernel.report import EXPAND, GENERATE, UPDATE, note
from anabasis.search.field_way import bend

__all__ = ["FieldRepair"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

_HALF = 0.5**0.5
_SLACK = 1e-10
# book, int64[9]: cells of goal and unit; length of the queue; ages; counts; rows of the log
_GOAL_X, _GOAL_Y, _START_X, _START_Y, _SIZE, _AGE, _EXPANDED, _UPDATED, _LOGGED = range(9)


class FieldRepair:
    """What one search remembers: prices, two distances and a place in the queue for each corner, and the queue.

    price: float64[height + 2, width + 2], as it is, blocked all around; g: float64[(height + 1) · (width + 1)], the
    distances of the corners to the goal as known, row by row.
    """

    def __init__(self, cost: Floats, start: tuple[int, int], goal: tuple[int, int]) -> None:
        """Begin at the goal's cell (x, y); the estimates lead to the unit's."""
        height, width = cost.shape
        self.price, self.goal = np.pad(cost, 1, constant_values=np.inf), goal
        size = (width + 1) * (height + 1)
        self.g, self._rhs = np.full(size, np.inf), np.full(size, np.inf)
        self._place, self._rows = np.zeros(size, np.int32), np.empty((min(size, 1024) + 16, 4))
        self._book, self._raised = np.zeros(9, np.int64), np.zeros(1)
        self._seeds = np.full((4, 4), np.inf)
        self._book[:4] = *goal, *start
        x, y = goal
        self.alter(np.array([x]), np.array([y]), cost[y, x : x + 1])
        self._book[_UPDATED] = self._book[_SIZE]  # a corner at the goal that was put twice begins once

    @property
    def expanded(self) -> int:
        """How many vertices were expanded so far."""
        return int(self._book[_EXPANDED])

    @property
    def updated(self) -> int:
        """How often a vertex was put into the queue or moved there so far."""
        return int(self._book[_UPDATED])

    def move_to(self, x: int, y: int) -> None:
        """Let the estimates lead to another cell: keys to come are raised instead of lowering all there are."""
        self._raised[0] += _HALF * np.hypot(x - self._book[_START_X], y - self._book[_START_Y])
        self._book[_START_X], self._book[_START_Y] = x, y

    def alter(self, x: Ints, y: Ints, news: Floats) -> None:
        """Give cells their new prices and renew their corners, and those around the goal if its distances change."""
        (goal_x, goal_y), height, width = self.goal, self.price.shape[0] - 2, self.price.shape[1] - 2
        self.price[y + 1, x + 1] = news
        self._sow()
        if ((x == goal_x) & (y == goal_y)).any():
            beside = [
                (goal_x + dx, goal_y + dy)
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
                if 0 <= goal_x + dx < width and 0 <= goal_y + dy < height
            ]
            x, y = np.append(x, [a for a, _ in beside]), np.append(y, [b for _, b in beside])
        self._reserve(4 * len(x))
        _renew_around(*self._all, x.astype(np.int64), y.astype(np.int64))

    def repair(self, limit: int, log: Floats) -> bool:
        """Expand until the way of the unit is known; return False if the limit came first."""
        self._book[_LOGGED] = self._rest_of(log)
        last = self.expanded + limit if limit else -1
        while (end := int(_mend(*self._all, last, log))) < 0:
            self._reserve(len(self._rows))
        return end == 1

    def _rest_of(self, log: Floats) -> int:
        """Write into the log that the corners of the goal wait in the queue; return how many rows that took."""
        count = int(self._book[_SIZE]) if len(log) else 0
        for k in range(count):
            log[k] = GENERATE, self._rows[k, 3], -1, self._rows[k, 1], self._rows[k, 0] - self._rows[k, 1]
        return count

    def _sow(self) -> None:
        """Compute how far the 16 corners around the goal's cell are by a way that bends on a side of it."""
        x, y = self.goal
        around, last = self.price[y : y + 3, x : x + 3], float(self.price[y + 1, x + 1])
        self._seeds[:] = np.inf
        if last == np.inf:
            return
        self._seeds[1:3, 1:3] = last * _HALF
        for turned in range(4):  # the cell above, in each of four views of the map
            c = float(np.rot90(around, turned)[0, 1])
            seeds = np.rot90(self._seeds, turned)
            for across, along, price in ((0, 0, min(c, last)), (0, 1, min(c, last)), (1, 0, c), (1, 1, c)):
                t = bend(price, float(along), float(across), last) if price < np.inf else 0.0
                way = price * np.hypot(t - along, across) + last * np.hypot(t - 0.5, 0.5)
                seeds[1 - across, 1 + along] = min(seeds[1 - across, 1 + along], way)

    @property
    def _all(self) -> tuple[Any, Any, Any, Any, Any, Any, Any, Any]:
        """What the kernels need."""
        return (
            self.price,
            self._seeds,
            self.g,
            self._rhs,
            self._place,
            self._rows,
            self._book,
            self._raised,
        )

    def _reserve(self, more: int) -> None:
        """Make room in the queue for so many more."""
        needed = min(int(self._book[_SIZE]) + more, len(self.g)) + 16
        if needed > len(self._rows):
            longer = np.empty((max(needed, 2 * len(self._rows)), 4))
            longer[: len(self._rows)] = self._rows
            self._rows = longer


@kernel
def _crossed(c: float, b: float, near: float, far: float) -> float:
    """Return the least distance of a corner through one half of a cell.

    near, far: those of the corners at the other end of a side and of the diagonal; c: price of the cell; b: of the cell
    on the other side of the side.
    """
    if c == np.inf or near <= far:
        return min(c, b) + near
    fall = near - far
    if fall <= b:  # straight to a point between the two
        if c <= fall:
            return c * np.sqrt(2.0) + far
        t = min(fall / np.sqrt(c * c - fall * fall), 1.0)
        return c * np.sqrt(1.0 + t * t) + fall * (1.0 - t) + far
    if c <= b:
        return c * np.sqrt(2.0) + far
    t = min(b / np.sqrt(c * c - b * b), 1.0)  # along the side for a while, then across the cell
    return c * np.sqrt(1.0 + t * t) + b * (1.0 - t) + far


@kernel
def _through(price: Any, g: Any, i: int, j: int, k: int) -> float:
    """Return the distance of corner (i, j) by a way between the neighbours in directions k and k + 1."""
    straight, diagonal = (k, k + 1) if k % 2 == 0 else ((k + 1) % 8, k)
    width, height = price.shape[1] - 2, price.shape[0] - 2
    dx, dy = DX[diagonal], DY[diagonal]
    if not (0 <= i + DX[straight] <= width and 0 <= j + DY[straight] <= height):
        return np.inf
    x, y = i + (1 if dx > 0 else 0), j + (1 if dy > 0 else 0)
    c = price[y, x]
    b = price[2 * j + 1 - y, x] if DY[straight] == 0 else price[y, 2 * i + 1 - x]
    near = g[(j + DY[straight]) * (width + 1) + i + DX[straight]]
    if not (0 <= i + dx <= width and 0 <= j + dy <= height):
        return min(c, b) + near
    return _crossed(c, b, near, g[(j + dy) * (width + 1) + i + dx])


@kernel
def _pinched(price: Any, i: int, j: int) -> bool:
    """Whether two blocked cells touch in a corner and nothing else is blocked around it."""
    a, b, c, d = price[j, i] < np.inf, price[j, i + 1] < np.inf, price[j + 1, i] < np.inf, price[j + 1, i + 1] < np.inf
    return (a and d and not b and not c) or (b and c and not a and not d)


@kernel
def _best(price: Any, seeds: Any, g: Any, book: Any, i: int, j: int) -> float:
    """Return the distance of a corner by its neighbours."""
    if _pinched(price, i, j):
        return np.inf
    best = np.inf
    if -1 <= i - book[_GOAL_X] <= 2 and -1 <= j - book[_GOAL_Y] <= 2:
        best = seeds[j - book[_GOAL_Y] + 1, i - book[_GOAL_X] + 1]
    for k in range(8):
        best = min(best, _through(price, g, i, j, k))
    return best


@kernel
def _settle(
    g: Any, rhs: Any, place: Any, rows: Any, book: Any, raised: Any, v: int, i: int, j: int, u: int, log: Any
) -> None:
    """Put a corner into the queue, move it there, or take it out, as its two distances ask."""
    if g[v] != rhs[v]:
        dx, dy = i - book[_START_X] - 0.5, j - book[_START_Y] - 0.5
        least, h = min(g[v], rhs[v]), np.sqrt(dx * dx + dy * dy) * _HALF
        book[_LOGGED] = note(log, book[_LOGGED], UPDATE if place[v] else GENERATE, v, u, least, h)
        book[_SIZE] = queue_put(rows, place, book[_SIZE], v, least + h + raised[0], least, float(book[_AGE]))
        book[_AGE] += 1
        book[_UPDATED] += 1
    elif place[v]:
        book[_SIZE] = queue_remove(rows, place, book[_SIZE], v)


@kernel
def _renew_around(
    price: Any, seeds: Any, g: Any, rhs: Any, place: Any, rows: Any, book: Any, raised: Any, x: Any, y: Any
) -> None:
    """Renew the corners of cells."""
    width, log = price.shape[1] - 1, np.empty((0, 5))
    for k in range(len(x)):
        for j in range(y[k], y[k] + 2):
            for i in range(x[k], x[k] + 2):
                v = j * width + i
                rhs[v] = _best(price, seeds, g, book, i, j)
                _settle(g, rhs, place, rows, book, raised, v, i, j, -1, log)


@kernel
def _from_centre(price: Any, g: Any, book: Any) -> float:
    """Return the distance of the unit, whose cell is free, by the sides of its cell."""
    x, y, width = book[_START_X], book[_START_Y], price.shape[1] - 1
    c = price[y + 1, x + 1]
    if x == book[_GOAL_X] and y == book[_GOAL_Y]:
        return 0.0
    v, best = y * width + x, np.inf
    for one, other in ((v, v + 1), (v + width, v + width + 1), (v, v + width), (v + 1, v + width + 1)):
        low, high = min(g[one], g[other]), max(g[one], g[other])
        best = min(best, c * _HALF + low)
        if high < np.inf and high - low < c * _HALF:
            t = 0.5 * (high - low) / np.sqrt(c * c - (high - low) * (high - low))
            best = min(best, c * np.sqrt(0.25 + t * t) + low + (high - low) * (0.5 - t))
    return best


@kernel
def _mend(
    price: Any,
    seeds: Any,
    g: Any,
    rhs: Any,
    place: Any,
    rows: Any,
    book: Any,
    raised: Any,
    last: int,
    log: Any,
) -> int:
    """Expand while it may matter for the unit; return 1 if its way is known, 0 at the limit, -1 for a full queue."""
    width, height = price.shape[1] - 1, price.shape[0] - 1
    while book[_SIZE] > 0:
        # a corner of the unit's own cell may be as much as its estimate, 1/2, behind the unit
        bound = _from_centre(price, g, book) + raised[0] + 0.5
        if rows[0, 0] > bound * (1 + _SLACK):
            break
        if book[_SIZE] + 9 > len(rows):
            return -1
        u = int(rows[0, 3])
        j = u // width
        i = u - j * width
        dx, dy = i - book[_START_X] - 0.5, j - book[_START_Y] - 0.5
        h = np.sqrt(dx * dx + dy * dy) * _HALF
        if rows[0, 0] < min(g[u], rhs[u]) + h + raised[0]:
            _settle(g, rhs, place, rows, book, raised, u, i, j, -1, log)  # put when the unit was elsewhere
            continue
        if book[_EXPANDED] == last:
            return 0
        book[_EXPANDED] += 1
        book[_LOGGED] = note(log, book[_LOGGED], EXPAND, u, -1, min(g[u], rhs[u]), h)
        falls = g[u] > rhs[u]
        g[u] = rhs[u] if falls else np.inf
        _settle(g, rhs, place, rows, book, raised, u, i, j, -1, log)
        for d in range(8):
            x, y = i + DX[d], j + DY[d]
            if 0 <= x < width and 0 <= y < height:
                v, back = y * width + x, (d + 4) % 8
                if not falls:
                    rhs[v] = _best(price, seeds, g, book, x, y)
                elif not _pinched(price, x, y):
                    way = min(_through(price, g, x, y, back), _through(price, g, x, y, (back + 7) % 8))
                    if way >= rhs[v]:
                        continue
                    rhs[v] = way
                _settle(g, rhs, place, rows, book, raised, v, x, y, u, log)
    return 1
