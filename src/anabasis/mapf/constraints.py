"""Constraints: what the high level of a conflict-based search forbids one agent, as rows of four numbers.

G. Sharon et al., "Conflict-based search for optimal multi-agent pathfinding", 2015; J. Li et al., "Disjoint Splitting
for Multi-Agent Path Finding with Conflict-Based Search", 2019 (what an agent must do); J. Li et al., "New Techniques
for Pairwise Symmetry Breaking in Multi-Agent Path Finding", 2020 (spans of time, lengths).

A row is (origin, vertex, first, last), in numbers of a `Board` and steps of time, both ends included:

- origin ANYWHERE: the agent may not be at the vertex in the steps first to last (last may be FAR);
- an origin from 0 on: it may not go from there to the vertex so that it is there in one of these steps;
- origin MUST: it has to be at the vertex in step first (= last);
- origin LENGTH: its final arrival is in the steps first to last (vertex -1).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from anabasis.mapf.board import FAR

__all__ = ["ANYWHERE", "LENGTH", "MUST", "Constraints", "Row", "never", "not_at", "not_moving"]

ANYWHERE, MUST, LENGTH = -1, -2, -3

Row = tuple[int, int, int, int]


def not_at(vertex: int, step: int) -> Row:
    """Forbid to be at a vertex in one step."""
    return (ANYWHERE, vertex, step, step)


def never(vertex: int, first: int, last: int = FAR) -> Row:
    """Forbid to be at a vertex in the steps first to last."""
    return (ANYWHERE, vertex, first, last)


def not_moving(origin: int, vertex: int, step: int) -> Row:
    """Forbid to go from origin to a vertex so that the agent is there in that step."""
    return (origin, vertex, step, step)


class Constraints:
    """The constraints of one agent in one node of a constraint tree; never changed.

    - rows: int32[m, 4], in rising order;
    - horizon: the last step in which anything changes: later ones are all alike.
    """

    __slots__ = ("horizon", "kept", "rows")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        """Keep the rows, each once."""
        self.kept = frozenset(rows)
        self.rows: NDArray[np.int32] = np.array(sorted(self.kept), np.int32).reshape(-1, 4)
        self.horizon = max((last if last < FAR else first for _, _, first, last in self.kept), default=0)

    def breaks(self, path: NDArray[np.int32], *, stay: bool = True) -> bool:
        """Tell whether a path, int32[steps + 1], breaks a constraint; with `stay` it rests at its end for ever."""
        return any(breaks(row, path, stay=stay) for row in self.kept)


def breaks(row: Row, path: NDArray[np.int32], *, stay: bool = True) -> bool:
    """Tell whether a path breaks one constraint."""
    origin, vertex, first, last = row
    arrival = len(path) - 1
    if origin == LENGTH:
        return not first <= arrival <= last
    if origin == MUST:
        return int(path[min(first, arrival)]) != vertex if stay or first <= arrival else True
    if origin == ANYWHERE:
        if (path[first : last + 1] == vertex).any():
            return True
        return stay and last > arrival and int(path[-1]) == vertex
    before = max(first - 1, 0)
    left, entered = path[before:-1] == origin, path[before + 1 : last + 1] == vertex
    return bool((left[: entered.size] & entered).any())
