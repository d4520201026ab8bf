"""Uniform: what the searches for shortest ways share that need a map whose free cells all cost 1."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.report import NEAREST, NO_SOLUTION, STATUS
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.batch import Batch, answer
from anabasis.search.moves import CORNERS, Space, move_table

__all__ = ["UniformSearch", "uniform_space"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


class UniformSearch(ABC):
    """A search for shortest ways on a uniform map, for many queries; it keeps its memory, so threads must not share it.

    space: the map, as `uniform_space` returns it.
    """

    space: Space
    factor = 1.0

    def find(self, start: int, goal: int, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a shortest path from cell `start` to cell `goal`, exactly as the function of this search does."""
        return answer(self, [start], [goal], limit, traced)[0]

    def find_many(self, starts: ArrayLike, goals: ArrayLike, *, limit: int = 0) -> Batch:
        """Find a shortest path for each pair of cells, exactly as one `find` after the other would."""
        return answer(self, starts, goals, limit, False)

    def run(self, starts: Ints, goals: Ints, limit: int, log: Floats) -> tuple[Floats, Ints, Ints]:
        """Answer queries; return rows, indptr and vertices of a Batch."""
        rows, indptr, vertices = self._run(starts, goals, limit, log)
        space, moves = self.space, move_table(8, self.space.corners, False)[8]
        for q in np.flatnonzero(rows[:, STATUS] == NO_SOLUTION).tolist():
            if not space.blocked(start := int(starts[q])):
                rows[q, NEAREST] = _nearest(start, int(goals[q]), space.width, space.around, moves)
        return rows, indptr, vertices

    @abstractmethod
    def _run(self, starts: Ints, goals: Ints, limit: int, log: Floats) -> tuple[Floats, Ints, Ints]:
        """Answer queries; return rows, indptr and vertices of a Batch, without the nearest cells."""


def uniform_space(
    name: str, space: Grid | Graph, neighbours: int, corners: str, rules: Sequence[str] = CORNERS
) -> Space:
    """Return the map as the searches see it; raises InputError if it is none for the search of that name.

    Those take maps whose free cells all cost 1, eight neighbours, and the corner rules in `rules`.
    """
    net, name = Space(space, neighbours, corners), name.replace("_", "-")  # as the table of methods has it
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
