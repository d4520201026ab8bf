"""Field D*: a way of any angle over ground of different prices, mended as they change.

D. Ferguson and A. Stentz, "The Field D* Algorithm for Improved Path Planning and Replanning in Uniform and Non-Uniform
Cost Environments", 2005. The vertices of the search are the corners of the cells. A way crosses a cell to any point of
its border, where the distance to the goal is taken to lie on a straight line between those of the two corners beside.
The search runs from the goal to the unit like D* Lite, with one vertex's pair of neighbours instead of a neighbour.

Three things differ. Between interpolated distances the straight line is no consistent estimate: what a vertex gains
over the nearer of its two neighbours may be as little as 1 / √2 of the way between them. Estimates are straight lines
times that, so a mended search knows just what a new one would. Corners where two blocked cells touch are left out, so
no way squeezes through; they lie on no side between two free cells, so no way is lost. And the corners around the goal,
which lies in the middle of a cell, know the best way that bends on a side of that cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.key_queue import queue_put, queue_remove
from anabasis._kernel.report import (
    COST,
    EXPAND,
    EXPANDED,
    GENERATE,
    GENERATED,
    LIMIT,
    NO_SOLUTION,
    SOLVED,
    STATUS,
    UPDATE,
    note,
)
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.plan import Path
from anabasis.result import Result, SearchTrace
from anabasis.search.any_angle import polyline_result
from anabasis.search.field_way import bend, way_down
from anabasis.search.moves import Space
from anabasis.search.outcome import blank_report, check_limit, log_for, trace_of
from anabasis.search.reach import settle

__all__ = ["FieldDStar", "field_dstar"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

_HALF = 0.5**0.5
_SLACK = 1e-10
# book, int64[9]: cells of goal and unit; length of the queue; ages; counts; rows of the log
_GOAL_X, _GOAL_Y, _START_X, _START_Y, _SIZE, _AGE, _EXPANDED, _UPDATED, _LOGGED = range(9)


def field_dstar(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "loose",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a cheap path of any angle from the centre of cell `start` to that of cell `goal` by one search of Field D*.

    Only for Grids. A path may touch corners of blocked cells and run along their sides, but not pass between two that
    touch, which is the corner rule "loose"; `corners` takes no other, and `neighbours` none but 8, for there are no
    steps. limit: most expansions, 0 for none. traced: record the search, whose vertices are corners of cells.

    The path has points and no vertices, and its cost is exactly the integral of the price along it. It is no cheapest
    path in general, and the bound is the straight distance. Complete: a path is found if there is one. stats: expanded,
    generated, sight (0), and nearest as in `astar`.

    Raises InputError for a Graph, an unknown option or a vertex outside the map. For a way that is mended as the world
    changes make a `FieldDStar`.
    """
    search = FieldDStar(_checked(space, neighbours, corners), start, goal)
    result, log = search.answer(limit), log_for()
    if traced and result.stats["generated"]:  # a search repeats itself exactly
        row = blank_report()
        row[EXPANDED], row[GENERATED] = result.stats["expanded"], result.stats["generated"]
        log = log_for(row)
        result = FieldDStar(search.grid, start, goal).answer(limit, log)
    return result


def _checked(space: Grid | Graph, neighbours: int, corners: str) -> Grid:
    grid = Space(space, neighbours, corners).grid
    if corners != "loose":
        raise InputError("corner rule of field-dstar", found=repr(corners), expected="'loose'")
    if neighbours != 8:
        raise InputError("number of neighbours of field-dstar", found=f"{neighbours}", expected="8")
    return grid


class FieldDStar:
    """A unit's way of any angle to its goal over ground that changes. It keeps its memory: threads must not share one.

    Every answer is that of a search from scratch. `start` is where the unit is, `goal` where it goes; `grid` is the map
    as it was at the beginning; `expanded` and `updated` count the vertices expanded and the changes of the queue so
    far.
    """

    def __init__(self, grid: Grid, start: int, goal: int) -> None:
        """Take the world as it is now; nothing is searched before the first question.

        Raises InputError for a Graph or a vertex outside the map.
        """
        self.space = Space(grid, 8, "loose")
        self.grid = self.space.grid
        self.start, self.goal = self.space.ends(start, goal)
        self.price = np.pad(grid.cost, 1, constant_values=np.inf)
        size = (grid.width + 1) * (grid.height + 1)
        self._g, self._rhs = np.full(size, np.inf), np.full(size, np.inf)
        self._place, self._rows = np.zeros(size, np.int32), np.empty((min(size, 1024) + 16, 4))
        self._book, self._raised, self._told = np.zeros(9, np.int64), np.zeros(1), (0, 0)
        self._seeds = np.full((4, 4), np.inf)
        self._book[:4] = *grid.cell(self.goal), *grid.cell(self.start)
        goal_x, goal_y = grid.cell(self.goal)
        self._alter(np.array([goal_x]), np.array([goal_y]), grid.cost[goal_y, goal_x : goal_x + 1])
        self._book[_UPDATED] = self._book[_SIZE]  # a corner at the goal that was put twice begins once

    @property
    def expanded(self) -> int:
        """How many vertices were expanded so far."""
        return int(self._book[_EXPANDED])

    @property
    def updated(self) -> int:
        """How often a vertex was put into the queue or moved there so far."""
        return int(self._book[_UPDATED])

    def change(self, vertices: ArrayLike, costs: ArrayLike) -> int:
        """Give cells new prices, inf to block them; return how many differ from what was known.

        Of several prices of a cell the last one counts. Raises InputError, and changes nothing, for a vertex outside
        the map or a price below 1.
        """
        cells, news = self.space.check(vertices, "changed vertex"), freeze(costs, np.float64, (None,), "prices")
        if len(news) != len(cells):
            raise InputError("number of prices", found=f"{len(news)}", expected=f"{len(cells)}, one for each vertex")
        if (news < 1).any():
            k = int(np.flatnonzero(news < 1)[0])
            name = self.space.name(int(cells[k]))
            raise InputError(f"price of {name}", found=f"{news[k]:g}", expected="at least 1, or inf for blocked")
        cells, last = np.unique(cells[::-1], return_index=True)
        news = news[::-1][last]
        y, x = np.divmod(cells, self.grid.width)
        changed = self.price[y + 1, x + 1] != news
        self._alter(x[changed], y[changed], news[changed])
        return int(changed.sum())

    def move_to(self, vertex: int) -> None:
        """Tell in which cell the unit is now."""
        self.start = int(self.space.check([vertex], "place of the unit")[0])
        x, y = self.grid.cell(self.start)
        self._raised[0] += _HALF * np.hypot(x - self._book[_START_X], y - self._book[_START_Y])
        self._book[_START_X], self._book[_START_Y] = x, y

    def path(self) -> Result[Path]:
        """Return a cheap path of any angle from where the unit is to the goal, at the prices known now.

        stats: expanded, generated (changes of the queue) and sight (0) of this repair with the changes before it.
        Without a way, which is also so if an end is blocked: NO_SOLUTION and the reason.
        """
        return self.answer()

    def field(self) -> Floats:
        """Return float64[height + 1, width + 1]: the distances to the goal that the search gives corners of cells.

        inf where it has not been; exact for what a path needs, otherwise they may be out of date.
        """
        return self._g.reshape(self.grid.height + 1, self.grid.width + 1).copy()

    def answer(self, limit: int = 0, log: Floats | None = None) -> Result[Path]:
        """Return what `path` does, after at most `limit` expansions unless it is 0; log: what happens, in rows."""
        limit = check_limit(limit)
        row, points, lines = blank_report(7), np.empty((0, 2)), log_for() if log is None else log
        current = Grid(self.price[1:-1, 1:-1], self.grid.terrain, self.grid.side)
        space = Space(current, 8, "loose")
        if not space.blocked(self.start) and not space.blocked(self.goal):
            known = self._repair(limit, lines)
            if not known:
                row[STATUS] = LIMIT
            else:
                points, cost = way_down(self.price, self._g, current.cell(self.start), current.cell(self.goal))
                if len(points):
                    row[STATUS], row[COST] = SOLVED, cost
        row[EXPANDED], row[GENERATED] = self.expanded - self._told[0], self.updated - self._told[1]
        self._told = self.expanded, self.updated
        if row[STATUS] == NO_SOLUTION and not space.blocked(self.start):
            settle(space, self.start, self.goal, row)
        return self._with_places(polyline_result(space, self.start, self.goal, row, points, log_for()), lines)

    def _with_places(self, result: Result[Path], log: Floats) -> Result[Path]:
        trace = trace_of(log)
        if trace is None:
            return result
        corner = np.arange(self._g.size)
        places = np.stack([corner % (self.grid.width + 1), corner // (self.grid.width + 1)], axis=1).astype(np.float64)
        trace = SearchTrace(trace.event, trace.vertex, trace.parent, trace.g, trace.h, places)
        return Result(result.status, result.value, result.reason, result.bound, result.stats, trace)

    def _repair(self, limit: int, log: Floats) -> bool:
        """Expand until the way of the unit is known; return False if the limit came first."""
        self._book[_LOGGED] = self._rest_of(log)
        last = self.expanded + limit if limit else -1
        while True:
            self._reserve(len(self._rows))
            end = _mend(*self._all, last, log)
            if end >= 0:
                return end == 1

    def _rest_of(self, log: Floats) -> int:
        """Write into the log that the corners of the goal wait in the queue; return how many rows that took."""
        count = int(self._book[_SIZE]) if len(log) else 0
        for k in range(count):
            log[k] = GENERATE, self._rows[k, 3], -1, self._rows[k, 1], self._rows[k, 0] - self._rows[k, 1]
        return count

    def _sow(self) -> None:
        """Compute how far the 16 corners around the goal's cell are by a way that bends on a side of it."""
        x, y = self.grid.cell(self.goal)
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

    def _alter(self, x: Ints, y: Ints, news: Floats) -> None:
        """Give cells their new prices and renew their corners, and those around the goal if its distances change."""
        goal_x, goal_y = self.grid.cell(self.goal)
        self.price[y + 1, x + 1] = news
        self._sow()
        if ((x == goal_x) & (y == goal_y)).any():
            beside = [
                (goal_x + dx, goal_y + dy)
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
                if 0 <= goal_x + dx < self.grid.width and 0 <= goal_y + dy < self.grid.height
            ]
            x, y = np.append(x, [a for a, _ in beside]), np.append(y, [b for _, b in beside])
        self._reserve(4 * len(x))
        _renew_around(*self._all, x.astype(np.int64), y.astype(np.int64))

    @property
    def _all(self) -> tuple[Any, Any, Any, Any, Any, Any, Any, Any]:
        """What the kernels need."""
        return (
            self.price,
            self._seeds,
            self._g,
            self._rhs,
            self._place,
            self._rows,
            self._book,
            self._raised,
        )

    def _reserve(self, more: int) -> None:
        """Make room in the queue for so many more."""
        needed = min(int(self._book[_SIZE]) + more, len(self._g)) + 16
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
