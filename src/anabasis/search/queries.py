"""Queries: what the searches for shortest ways on uniform maps share: checks, batches of answers, the nearest cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.report import NEAREST, NO_SOLUTION, STATUS
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.search.astar import AStar, Batch
from anabasis.search.moves import CORNERS, Space, move_table
from anabasis.search.outcome import check_limit, log_for

__all__ = ["Searcher", "answer", "uniform_space"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


class Searcher(Protocol):
    """A search for shortest ways that is prepared for one map."""

    @property
    def space(self) -> Space:
        """The map."""
        ...

    @property
    def factor(self) -> float:
        """1: ways are shortest."""
        ...

    def run(self, starts: Ints, goals: Ints, limit: int, log: Floats) -> tuple[Floats, Ints, Ints]:
        """Answer queries; return rows, indptr and vertices of an `astar.Batch`, without the nearest vertices."""
        ...


def uniform_space(
    name: str, space: Grid | Graph, neighbours: int, corners: str, rules: Sequence[str] = CORNERS
) -> Space:
    """Return the map as the searches see it; raises InputError if it is none for the search of that name.

    Those take maps whose free cells all cost 1, eight neighbours, and the corner rules in `rules`.
    """
    net = Space(space, neighbours, corners)
    if isinstance(space, Graph):
        raise InputError(f"{name} needs a map of cells", found="a Graph", expected="a Grid", hint="astar takes graphs")
    if not net.unit_cost:
        raise InputError(
            f"{name} needs a map without prices",
            found=f"a cell at the price {float(net.cost[np.isfinite(net.cost) & (net.cost != 1)][0]):g}",
            expected="price 1 in every free cell",
            hint="astar heeds prices",
        )
    if neighbours != 8:
        raise InputError(
            f"{name} walks in eight directions", found=f"{neighbours}", expected="neighbours=8", hint="astar takes both"
        )
    if corners not in rules:
        raise InputError(
            f"{name} does not know this corner rule",
            found=repr(corners),
            expected=" or ".join(rules),
            hint="astar takes each of them",
        )
    return net


def answer(search: Searcher, starts: ArrayLike, goals: ArrayLike, limit: int, traced: bool) -> Batch:
    """Check queries and answer them."""
    space = search.space
    pairs = space.check(starts, "start"), space.check(goals, "goal")
    if len(pairs[0]) != len(pairs[1]):
        raise InputError("number of goals", found=f"{len(pairs[1])}", expected=f"{len(pairs[0])}, one for each start")
    limit, log = check_limit(limit), log_for()
    rows, indptr, vertices = search.run(*pairs, limit, log)
    if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
        log = log_for(rows[0])
        search.run(*pairs, limit, log)
    moves = move_table(space.neighbours, space.corners, False)[8]
    for q in np.flatnonzero(rows[:, STATUS] == NO_SOLUTION):
        start, goal = int(pairs[0][q]), int(pairs[1][q])
        if not space.blocked(start):
            rows[q, NEAREST] = _nearest(start, goal, space.width, space.around, moves)
    for array in (rows, vertices):
        array.flags.writeable = False
    return Batch(cast(AStar, search), *pairs, rows, indptr, vertices, log)  # a Batch asks for space and factor only


@kernel
def _nearest(start: int, goal: int, width: int, around: NDArray[np.uint8], moves: Ints) -> int:
    """Return the cell connected to the start that is nearest to the goal as the crow flies, of equals the smallest."""
    seen = np.zeros(len(around), np.uint8)
    queue = np.empty(len(around), np.int32)
    queue[0], seen[start] = start, 1
    count, done = 1, 0
    nearest, least = start, 2**62
    while done < count:
        v = int(queue[done])
        done += 1
        x, y = v % width - goal % width, v // width - goal // width
        away = x * x + y * y
        if away < least or (away == least and v < nearest):
            nearest, least = v, away
        todo = int(moves[around[v]])
        while todo:
            d = (todo & 15) - 1
            todo >>= 4
            w = v + int(DY[d]) * width + int(DX[d])
            if not seen[w]:
                seen[w] = 1
                queue[count] = w
                count += 1
    return nearest
