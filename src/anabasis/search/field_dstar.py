"""Field D*: a way of any angle over ground of different prices, mended as they change.

D. Ferguson and A. Stentz, "The Field D* Algorithm for Improved Path Planning and Replanning in Uniform and Non-Uniform
Cost Environments", 2005. The search runs from the goal to the unit over the corners of the cells, which `field_repair`
does; the way is sought in the distances that it finds, by `field_way`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.report import COST, EXPANDED, GENERATED, LIMIT, NO_SOLUTION, SOLVED, STATUS
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.plan import Path
from anabasis.result import Result, SearchTrace
from anabasis.search.any_angle import polyline_result
from anabasis.search.field_repair import FieldRepair
from anabasis.search.field_way import way_down
from anabasis.search.moves import Space
from anabasis.search.outcome import blank_report, check_limit, log_for, trace_of
from anabasis.search.price_limit import are_prices, check_map, price_limit, wrong_price
from anabasis.search.reach import settle

__all__ = ["FieldDStar", "field_dstar"]

Floats = NDArray[np.float64]


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

        Raises InputError for a Graph, a vertex outside the map, or a price so great that steps would be lost in sums.
        """
        self.space = Space(grid, 8, "loose")
        self.grid = self.space.grid
        self.start, self.goal = self.space.ends(start, goal)
        self._limit = price_limit((1.0, 2**0.5), (grid.width + 1) * (grid.height + 1))
        check_map(self.grid, self._limit)
        self._search = FieldRepair(grid.cost, grid.cell(self.start), grid.cell(self.goal))
        self.price = self._search.price
        self._told = 0, 0

    @property
    def expanded(self) -> int:
        """How many vertices were expanded so far."""
        return self._search.expanded

    @property
    def updated(self) -> int:
        """How often a vertex was put into the queue or moved there so far."""
        return self._search.updated

    def change(self, vertices: ArrayLike, costs: ArrayLike) -> int:
        """Give cells new prices, inf to block them; return how many differ from what was known.

        Of several prices of a cell the last one counts. Raises InputError, and changes nothing, for a vertex outside
        the map, a price below 1, or one so great that steps would be lost in sums.
        """
        cells, news = self.space.check(vertices, "changed vertex"), freeze(costs, np.float64, (None,), "prices")
        if len(news) != len(cells):
            raise InputError("number of prices", found=f"{len(news)}", expected=f"{len(cells)}, one for each vertex")
        wrong = np.flatnonzero(~are_prices(news, self._limit))
        if wrong.size:
            k = int(wrong[0])
            raise wrong_price(f"price of {self.space.name(int(cells[k]))}", float(news[k]), self._limit)
        cells, last = np.unique(cells[::-1], return_index=True)
        news = news[::-1][last]
        y, x = np.divmod(cells, self.grid.width)
        changed = self.price[y + 1, x + 1] != news
        self._search.alter(x[changed], y[changed], news[changed])
        return int(changed.sum())

    def move_to(self, vertex: int) -> None:
        """Tell in which cell the unit is now."""
        self.start = int(self.space.check([vertex], "place of the unit")[0])
        self._search.move_to(*self.grid.cell(self.start))

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
        return self._search.g.reshape(self.grid.height + 1, self.grid.width + 1).copy()

    def answer(self, limit: int = 0, log: Floats | None = None) -> Result[Path]:
        """Return what `path` does, after at most `limit` expansions unless it is 0; log: what happens, in rows."""
        limit = check_limit(limit)
        row, points, lines = blank_report(7), np.empty((0, 2)), log_for() if log is None else log
        space, cells = self.space, (self.grid.cell(self.start), self.grid.cell(self.goal))
        if all(self.price[y + 1, x + 1] < np.inf for x, y in cells):
            if not self._search.repair(limit, lines):
                row[STATUS] = LIMIT
            else:
                points, cost = way_down(self.price, self._search.g, *cells)
                if len(points):
                    row[STATUS], row[COST] = SOLVED, cost
        row[EXPANDED], row[GENERATED] = self.expanded - self._told[0], self.updated - self._told[1]
        self._told = self.expanded, self.updated
        if row[STATUS] == NO_SOLUTION:  # only then the map as it is now is needed, which is a copy
            space = Space(Grid(self.price[1:-1, 1:-1], self.grid.terrain, self.grid.side), 8, "loose")
            if not space.blocked(self.start):
                settle(space, self.start, self.goal, row)
        return self._with_places(polyline_result(space, self.start, self.goal, row, points, log_for()), lines)

    def _with_places(self, result: Result[Path], log: Floats) -> Result[Path]:
        trace = trace_of(log)
        if trace is None:
            return result
        corner = np.arange(self._search.g.size)
        places = np.stack([corner % (self.grid.width + 1), corner // (self.grid.width + 1)], axis=1).astype(np.float64)
        trace = SearchTrace(trace.event, trace.vertex, trace.parent, trace.g, trace.h, places)
        return Result(result.status, result.value, result.reason, result.bound, result.stats, trace)
