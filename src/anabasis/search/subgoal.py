"""Subgoal graph: the corners of a map and the ways between those that see each other; A* on it, to the cell exact.

T. Uras, S. Koenig and C. Hernández, "Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor Grids", 2013 (simple
subgoal graphs). A shortest way leads from the start over subgoals to the goal, each seen from the one before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.bit_rows import lay_rows
from anabasis._kernel.subgoals import direct_subgoals
from anabasis.search.lattice import SIDE, SLANT
from anabasis.search.moves import Space

__all__ = ["SubgoalGraph", "subgoal_graph"]

Bytes, Ints = NDArray[np.uint8], NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SubgoalGraph:
    """The subgoals of a map, by number, and which see each other.

    cells: int64[m], ascending; number: int32[n], the subgoal of each cell or -1. Those that subgoal u sees are
    heads[indptr[u]:indptr[u + 1]] (int32), at the distances lengths[indptr[u]:indptr[u + 1]] (int64, as in `lattice`).
    """

    cells: Ints
    number: NDArray[np.int32]
    indptr: Ints
    heads: NDArray[np.int32]
    lengths: Ints


def subgoal_graph(space: Space) -> SubgoalGraph:
    """Return the subgoal graph of a uniform map under the corner rule "strict"."""
    around, grid = space.around, space.grid
    free = grid.free.reshape(-1)
    corner = np.zeros(256, np.bool_)
    for d in (1, 3, 5, 7):
        bits = np.arange(256)
        corner |= (bits >> d & 1 == 0) & (bits >> (d - 1) & 1 == 1) & (bits >> (d + 1) % 8 & 1 == 1)
    is_subgoal = corner[around] & free
    rows, lines = lay_rows(is_subgoal.astype(np.uint8) * np.uint8(15), free, grid.width, grid.height)
    cells = np.flatnonzero(is_subgoal)
    number = np.full(space.size, -1, np.int32)
    number[cells] = np.arange(len(cells), dtype=np.int32)
    indptr, heads = _arcs(cells, grid.width, grid.height, around, number, rows, lines)
    tails = np.repeat(cells, np.diff(indptr))
    dx, dy = (
        np.abs(tails % grid.width - cells[heads] % grid.width),
        np.abs(tails // grid.width - cells[heads] // grid.width),
    )
    lengths = SIDE * np.maximum(dx, dy) + (SLANT - SIDE) * np.minimum(dx, dy)
    return SubgoalGraph(cells, number, indptr, heads, lengths)


@kernel
def _arcs(
    cells: Ints, width: int, height: int, around: Bytes, number: NDArray[np.int32], rows: Ints, lines: Ints
) -> tuple[Ints, NDArray[np.int32]]:
    """Return indptr and heads of a subgoal graph."""
    indptr = np.zeros(len(cells) + 1, np.int64)
    heads = np.empty(8 * len(cells) + 16, np.int32)
    seen = np.empty(8 * (width + height), np.int64)
    count = 0
    for u in range(len(cells)):
        found = direct_subgoals(cells[u] % width, cells[u] // width, width, around, number, rows, lines, seen)
        if count + found > len(heads):
            heads = np.concatenate((heads, heads[:found], heads))
        for k in range(found):
            heads[count + k] = number[seen[k]]
        count += found
        indptr[u + 1] = count
    return indptr, heads[:count].copy()
