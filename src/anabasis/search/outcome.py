"""Outcome: what a search reports, turned into a Result."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.report import COST, EXPANDED, GENERATED, LIMIT, NEAREST, OPEN, SOLVED, STATUS
from anabasis.errors import InputError
from anabasis.noun import freeze
from anabasis.plan import Path
from anabasis.result import Result, SearchTrace, Status
from anabasis.search.moves import Space

__all__ = ["check_limit", "log_for", "outcome"]


def check_limit(limit: int) -> int:
    """Return the limit; raises InputError if it is no count."""
    count = int(freeze(limit, np.int64, (), "limit of expansions"))
    if count < 0:
        raise InputError("limit of expansions", found=f"{limit}", expected="a count, or 0 for no limit")
    return count


def log_for(row: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Return an empty log, or one with room for all that a search with this report did."""
    return np.empty((0 if row is None else int(row[EXPANDED] + row[GENERATED]), 5))


def outcome(
    space: Space,
    start: int,
    goal: int,
    row: NDArray[np.float64],
    vertices: NDArray[np.int64],
    log: NDArray[np.float64],
    factor: float,
) -> Result[Path]:
    """Return the Result of a search for a path.

    row: float64[6], the report. vertices: the path. log: float64[k, 5], nothing without rows. factor: the search
    promises a cost of at most factor × the optimum (inf: no promise) and that of its open keys.
    """
    status, expanded, generated = int(row[STATUS]), int(row[EXPANDED]), int(row[GENERATED])
    stats: dict[str, float] = {"expanded": expanded, "generated": generated}
    trace = _trace(log) if len(log) else None
    bound = space.distance(start, goal)
    if status == SOLVED:
        path, steps = space.path(vertices, float(row[COST]))
        bound = min(max(bound, path.cost / factor), path.cost)
        return Result(Status.SOLVED, path, "", bound, {**stats, **steps}, trace)
    if status == LIMIT:
        bound = max(bound, float(row[OPEN]) / factor)
        return Result(Status.LIMIT, None, f"gave up after {expanded} expansions", bound, stats, trace)
    reason, where = space.no_way(start, goal, int(row[NEAREST]))
    return Result(Status.NO_SOLUTION, None, reason, 0.0, {**stats, **where}, trace)


def _trace(log: NDArray[np.float64]) -> SearchTrace:
    event, vertex, parent, g, h = log.T
    return SearchTrace(event.astype(np.int8), vertex.astype(np.int64), parent.astype(np.int64), g, h)
