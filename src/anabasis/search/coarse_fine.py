"""Coarse to fine: a search over blocks of cells in whole numbers, refined to cells and straightened in one pass.

The path finder for two maps of different resolution of a Czech thesis on generated terrain for strategy games, 2014:
units stand on fine cells, terrain is coarse, so A* needs to look at the coarse map alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.report import COST, EXPANDED, GENERATED, LIMIT, NEAREST, NO_SOLUTION, SOLVED, STATUS
from anabasis._kernel.ways import cut_loops, walked_cost
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result, SearchTrace, Status
from anabasis.search.astar import AStar
from anabasis.search.blocks import Blocks
from anabasis.search.moves import Space
from anabasis.search.outcome import blank_report, check_limit, log_for, outcome
from anabasis.search.reach import settle
from anabasis.search.refinement import refine

__all__ = ["CoarseFine", "Route", "coarse_fine"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

_COUNTS = {"expanded": EXPANDED, "generated": GENERATED}


def coarse_fine(
    grid: Grid,
    start: int,
    goal: int,
    *,
    ratio: int = 4,
    unit: int = 1000,
    metric: str | None = None,
    weight: float = 1.0,
    ahead: int | None = 10,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a path from vertex `start` to vertex `goal` over blocks of ratio × ratio cells; see `CoarseFine.route`."""
    search = CoarseFine(
        grid, ratio=ratio, unit=unit, metric=metric, weight=weight, neighbours=neighbours, corners=corners
    )
    return search.route(start, goal, ahead=ahead, limit=limit, traced=traced).result


@dataclass(frozen=True)
class Route:
    """An answer with what led to it.

    - result: the path over fine cells, each next to the one before, from the start to `goal`.
    - blocks: float64[k, 2], the middles (x, y) of the blocks of the coarse path; empty if there was none.
    - corners: float64[m, 2], the ends of the straight lines of the path.
    - goal: the vertex to which the path leads, another one than asked for only if that can't be reached (`approach`).
    """

    result: Result[Path]
    blocks: Floats
    corners: Floats
    goal: int


class CoarseFine:
    """A map in two resolutions, for many queries; `blocks` is the coarse one (see `blocks.Blocks`).

    A block is free if all its cells are, and its price is their mean; blocks at the right and lower edge may be cut. If
    blocks are free in part, a query that the coarse map can't answer is answered by A* on the fine one, so that a path
    is found whenever there is one.
    """

    def __init__(
        self,
        grid: Grid,
        *,
        ratio: int = 4,
        unit: int = 1000,
        metric: str | None = None,
        weight: float = 1.0,
        neighbours: int = 8,
        corners: str = "strict",
    ) -> None:
        """Make the coarse map.

        unit: the price of a straight step in whole numbers, a diagonal one costs √2 · unit, rounded (10: 14; 1000:
        1414), both times the price of the block. metric: one of `graph.METRICS`, by default octile, or Manhattan for 4
        neighbours; Manhattan with 8 is that of the original, which overestimates: fewer blocks are searched for paths
        that are now and then longer. weight ≥ 0 multiplies the estimate. Raises InputError for an unknown option.
        """
        self.space = Space(grid, neighbours, corners)
        self.blocks = Blocks(self.space, ratio, unit, metric, weight)

    def find(
        self, start: int, goal: int, *, ahead: int | None = 10, limit: int = 0, traced: bool = False
    ) -> Result[Path]:
        """Find a path from vertex `start` to vertex `goal`; without a way there is none, and a unit stays in place."""
        return self.route(start, goal, ahead=ahead, limit=limit, traced=traced).result

    def route(self, start: int, goal: int, *, ahead: int | None = 10, limit: int = 0, traced: bool = False) -> Route:
        """Find a path from vertex `start` to vertex `goal`, and say how.

        A* over the blocks, which opens none again; then one pass makes a path over cells and straightens it (`refine`,
        also for `ahead`). The cost is that of the steps from cell to cell; nothing is promised of it, and the bound is
        the distance by the default metric. stats: expanded and generated count blocks; price, the whole number that the
        coarse path costs; lines, its straight lines; tests, the lines tried; onesteps, steps between blocks that only
        lead through their corner; fine: 1 if A* on the fine map had to answer, whose counts are then added. Without a
        way: NO_SOLUTION and the nearest reached vertex as in `astar`. A recorded search shows the middles of blocks.
        """
        net = self.space
        start, goal = net.ends(start, goal)
        limit, log = check_limit(limit), log_for()
        row = blank_report()
        blocks = self.blocks.search(start, goal, limit, row, log)
        if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
            log = log_for(row)
            self.blocks.search(start, goal, limit, row, log)
            log[:, 1:3] = self.blocks.middles(log[:, 1:3].astype(np.int64))
        if row[STATUS] == SOLVED:
            return self._walk(blocks, start, goal, ahead, row, log)
        nothing = np.empty((0, 2))
        if row[STATUS] == NO_SOLUTION and not self.blocks.whole and not net.blocked(start):
            left = max(0, limit - int(row[EXPANDED]))
            if limit and not left:
                row[STATUS] = LIMIT
            else:
                search = AStar(net.space, neighbours=net.neighbours, corners=net.corners)
                result = search.find(start, goal, limit=left, traced=traced)
                counts = {name: result.stats[name] + int(row[column]) for name, column in _COUNTS.items()}
                trace = _joined(log, result.trace) if result.trace else None
                result = replace(result, stats={**result.stats, **counts, "fine": 1}, trace=trace)
                return Route(result, nothing, result.value.points if result.value else nothing, goal)
        if row[STATUS] == NO_SOLUTION and not net.blocked(start):
            settle(net, start, goal, row)
        return Route(outcome(net, start, goal, row, blocks, log, np.inf), nothing, nothing, goal)

    def approach(self, start: int, goal: int, *, ahead: int | None = 10, limit: int = 0, traced: bool = False) -> Route:
        """Find a path to vertex `goal`, or if there is none to where the search came nearest to it.

        That is the middle of the block with the least estimate among those that were searched, of equals the one with
        the shorter way; `Route.goal` is then that vertex. A unit that is told to go somewhere always reacts.
        """
        found = self.route(start, goal, ahead=ahead, limit=limit, traced=traced)
        if found.result.status is not Status.NO_SOLUTION or self.space.blocked(start):
            return found
        if not self.blocks.whole:
            return self.route(start, int(found.result.stats["nearest"]), ahead=ahead)
        row = blank_report()
        self.blocks.search(int(start), int(goal), 0, row, log_for())
        nearest = int(row[NEAREST])
        if nearest == self.blocks.block(int(start)):
            return self.route(start, start, ahead=ahead)
        return self.route(start, int(self.blocks.middles(np.array([nearest]))[0]), ahead=ahead)

    def _walk(self, blocks: Ints, start: int, goal: int, ahead: int | None, row: Floats, log: Floats) -> Route:
        """Return the route along the blocks of a path."""
        net = self.space
        middles, size = self.blocks.middles(blocks), (self.blocks.coarse.width, self.blocks.ratio)
        made = refine(net, blocks, middles, *size, start, goal, ahead)
        vertices, price = cut_loops(made.cells, net.size), int(row[COST])
        row[COST] = walked_cost(net.arcs, vertices)
        result = outcome(net, start, goal, row, vertices, log, np.inf)
        counts = {"price": price, "lines": len(made.corners) - 1, "tests": made.tests, "onesteps": made.onesteps}
        result = replace(result, stats={**result.stats, **counts, "fine": 0})
        return Route(result, net.points(middles), net.points(made.corners), goal)


def _joined(log: Floats, trace: SearchTrace) -> SearchTrace:
    """Return what the search over blocks and, after it, the one over cells did."""
    event, vertex, parent, g, h = log.T
    return SearchTrace(
        np.concatenate([event.astype(np.int8), trace.event]),
        np.concatenate([vertex.astype(np.int64), trace.vertex]),
        np.concatenate([parent.astype(np.int64), trace.parent]),
        np.concatenate([g, trace.g]),
        np.concatenate([h, trace.h]),
    )
