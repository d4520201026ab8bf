"""Batch: many queries on one map, checked and answered at once.

A prepared search whose kernel answers many queries is a `Searcher`; `answer` makes its batches. The others answer one
query after the other, and their `find_many` returns a list of Results.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.report import COST
from anabasis.errors import InputError
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space
from anabasis.search.outcome import check_limit, log_for, outcome

__all__ = ["Batch", "Searcher", "answer", "check_pairs", "pairs_of"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


class Searcher(Protocol):
    """A search that is prepared for one map and answers many queries in one call."""

    @property
    def space(self) -> Space:
        """The map."""
        ...

    @property
    def factor(self) -> float:
        """A path costs at most so many times the optimum; inf without a promise."""
        ...

    def run(self, starts: Ints, goals: Ints, limit: int, log: Floats) -> tuple[Floats, Ints, Ints]:
        """Answer queries; return rows, indptr and vertices of a Batch."""
        ...


@dataclass(frozen=True, eq=False)
class Batch:
    """The answers to k queries; `batch[i]` is the Result of query i, and the arrays hold the same for all at once.

    The vertices of path i are vertices[indptr[i]:indptr[i + 1]], none if there is no way.
    rows: float64[k, 6], for each query the status (0 solved, 1 no solution, 2 limit), expansions, generations, cost
    (inf without a way), least open key at a limit, vertex nearest to an unreachable goal.
    """

    search: Searcher
    starts: Ints
    goals: Ints
    rows: Floats
    indptr: Ints
    vertices: Ints
    log: Floats

    @property
    def cost(self) -> Floats:
        """float64[k]: the cost of each path, inf where there is none."""
        return self.rows[:, COST]

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, query: int) -> Result[Path]:
        query = range(len(self))[query]  # so that -1 is the last one, and the end is found
        start, goal = int(self.starts[query]), int(self.goals[query])
        vertices = self.vertices[self.indptr[query] : self.indptr[query + 1]]
        return outcome(self.search.space, start, goal, self.rows[query], vertices, self.log, self.search.factor)


def check_pairs(starts: NDArray[np.generic], goals: NDArray[np.generic]) -> None:
    """Raise InputError if there are not as many goals as starts."""
    if len(starts) != len(goals):
        raise InputError("number of goals", found=f"{len(goals)}", expected=f"{len(starts)}, one for each start")


def pairs_of(space: Space, starts: ArrayLike, goals: ArrayLike) -> list[tuple[int, int]]:
    """Return pairs of vertices; raises InputError if one does not exist or there are not as many of both."""
    pairs = space.check(starts, "start"), space.check(goals, "goal")
    check_pairs(*pairs)
    return list(zip(pairs[0].tolist(), pairs[1].tolist(), strict=True))


def answer(search: Searcher, starts: ArrayLike, goals: ArrayLike, limit: int, traced: bool) -> Batch:
    """Check queries and answer them. Raises InputError as `pairs_of` does, and for a limit that is no count."""
    pairs = search.space.check(starts, "start"), search.space.check(goals, "goal")
    check_pairs(*pairs)
    limit, log = check_limit(limit), log_for()
    rows, indptr, vertices = search.run(*pairs, limit, log)
    if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
        log = log_for(rows[0])
        search.run(*pairs, limit, log)
    for array in (rows, vertices):
        array.flags.writeable = False
    return Batch(search, *pairs, rows, indptr, vertices, log)
