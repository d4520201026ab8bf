"""Any angle: what the searches share whose paths leave the grid or graph wherever two vertices see each other.

A path is a polyline: it has points and no vertices, and its cost is the length of its segments, on a map with prices
their exact integral along them (a step along a grid is priced by the cell entered alone; the two measures differ).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.line import SIGHT
from anabasis._kernel.report import COST, EXPANDED, GENERATED, LIMIT, NEAREST, NO_SOLUTION, OPEN, SOLVED, STATUS
from anabasis._kernel.tree import walk
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.plan import Path
from anabasis.result import Result, Status
from anabasis.search.batch import pairs_of
from anabasis.search.moves import CORNERS, Space
from anabasis.search.outcome import blank_report, check_limit, log_for, trace_of
from anabasis.world import World

__all__ = ["AnyAngle", "lines_in", "lines_of", "polyline_result"]


class AnyAngle(ABC):
    """An any-angle search for many queries on one map; it keeps its memory, so threads must not share one."""

    def __init__(
        self, space: Grid | Graph, *, neighbours: int = 8, corners: str = "strict", world: World | None = None
    ) -> None:
        """Check the options and prepare the map. A Graph needs the world around it, and a Grid takes none."""
        self.net = Space(space, neighbours, corners)
        self.lines = lines_of(self.net, world)
        self.world = world
        self.mark = np.zeros(self.net.size, np.int64)  # now: open, now + 1: closed, less: not seen in this query
        self.parent = np.empty(self.net.size, np.int64)
        self.g = np.empty(self.net.size)
        self.now = 0

    def find(self, start: int, goal: int, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a path from vertex `start` to vertex `goal`."""
        start, goal = self.net.ends(start, goal)
        limit, log = check_limit(limit), log_for()
        row = blank_report(7)
        points = np.empty((0, 2))
        if not self.net.blocked(start):
            self._again(start, goal, limit, row, log)
            if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
                log = log_for(row)
                self._again(start, goal, limit, row, log)
            if row[STATUS] == SOLVED:
                points = self.net.points(walk(self.parent, goal))
                self._check(points)
            elif row[STATUS] == NO_SOLUTION:
                row[NEAREST] = self.net.nearest(self.mark >= self.now, goal)
        return polyline_result(self.net, start, goal, row, points, log)

    def find_many(self, starts: ArrayLike, goals: ArrayLike, *, limit: int = 0) -> list[Result[Path]]:
        """Find a path for each pair of vertices, exactly as one `find` after the other would."""
        return [self.find(u, v, limit=limit) for u, v in pairs_of(self.net, starts, goals)]

    def _again(self, start: int, goal: int, limit: int, row: NDArray[np.float64], log: NDArray[np.float64]) -> None:
        self.now += 2
        self._search(start, goal, limit, row, log)

    @abstractmethod
    def _search(self, start: int, goal: int, limit: int, row: NDArray[np.float64], log: NDArray[np.float64]) -> None:
        """Search once; leave the tree in parent and the outcome in row, float64[7]."""

    def _check(self, points: NDArray[np.float64]) -> None:
        """Raise InputError if an arc of the graph leads through an obstacle of its world."""
        if self.world is None or len(points) < 2:
            return
        from anabasis.decompose.free_space import free_space

        seen = free_space(self.world).see(points[:-1], points[1:])
        if not seen.all():
            k = int(np.flatnonzero(~seen)[0])
            raise InputError(
                "the graph does not fit its world: an arc leads through an obstacle",
                found=f"from ({points[k, 0]:g}, {points[k, 1]:g}) to ({points[k + 1, 0]:g}, {points[k + 1, 1]:g})",
            )


def lines_of(net: Space, world: World | None) -> tuple[Any, ...]:
    """Return the tuple that the kernels in `_kernel.line` read.

    Raises InputError for a Graph without a World, a Grid with one, and a Graph whose weights are not its lengths.
    """
    if isinstance(net.space, Grid):
        if world is not None:
            raise InputError("a map of cells needs no world", found="a Grid and a World", expected="one of the two")
        cost = net.space.cost
        rule = CORNERS.index(net.corners)
        return net.width, 1.0 / net.width, cost, rule, not net.unit_cost, net.arcs[9], _NOWHERE
    if world is None:
        raise InputError(
            "sight on a graph needs the obstacles around it",
            found="a Graph without a World",
            expected="the option `world`",
        )
    graph = net.space
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    lengths = np.hypot(*(graph.points[tails] - graph.points[graph.indices]).T)
    wrong = np.abs(graph.weights - lengths) > 1e-9 * (1 + lengths)
    if wrong.any():
        k = int(np.flatnonzero(wrong)[0])
        raise InputError(
            f"the weight of the arc from vertex {tails[k]} to vertex {graph.indices[k]} is not its length",
            found=f"{graph.weights[k]:g}",
            expected=f"{lengths[k]:g}: any-angle search goes by lengths",
        )
    return lines_in(world, graph.points)


def lines_in(world: World, points: NDArray[np.float64]) -> tuple[Any, ...]:
    """Return the tuple that the kernels in `_kernel.line` read, for points float64[n, 2] in a World."""
    from anabasis.decompose.free_space import free_space

    return 0, 0.0, freeze(np.empty((0, 0)), np.float64, (0, 0), "cost"), 0, False, points, free_space(world).arrays


def _nowhere() -> tuple[Any, ...]:
    """Return a free space without anything, of the types that kernels expect."""
    ints, points = freeze([], np.int64, (0,), "none"), freeze(np.empty((0, 2)), np.float64, (0, 2), "none")
    frame, shape = freeze(np.zeros(6), np.float64, (6,), "frame"), freeze([0, 0], np.int64, (2,), "shape")
    return points, ints, ints, ints, ints, ints, frame, shape


_NOWHERE = _nowhere()


def polyline_result(
    net: Space,
    start: int,
    goal: int,
    row: NDArray[np.float64],
    points: NDArray[np.float64],
    log: NDArray[np.float64],
    *,
    optimal: bool = False,
) -> Result[Path]:
    """Return the Result of a search for a polyline.

    row: float64[7], the report, with the number of tests of sight at its end. log: float64[k, 5], nothing without rows.
    The bound is the cost of an `optimal` path and at a limit its least open key, else the straight distance.
    """
    status, expanded = int(row[STATUS]), int(row[EXPANDED])
    stats: dict[str, float] = {"expanded": expanded, "generated": int(row[GENERATED]), "sight": int(row[SIGHT])}
    trace = trace_of(log)
    bound = float(np.hypot(*(net.points([start])[0] - net.points([goal])[0])))
    if status == SOLVED:
        path = Path(np.empty(0, np.int64), points, float(row[COST]))
        return Result(Status.SOLVED, path, "", path.cost if optimal else min(bound, path.cost), stats, trace)
    if status == LIMIT:
        bound = max(bound, float(row[OPEN])) if optimal else bound
        return Result(Status.LIMIT, None, f"gave up after {expanded} expansions", bound, stats, trace)
    reason, where = net.no_way(start, goal, int(row[NEAREST]))
    return Result(Status.NO_SOLUTION, None, reason, 0.0, {**stats, **where}, trace)
