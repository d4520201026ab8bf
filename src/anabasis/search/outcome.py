"""Outcome: what a search reports, turned into a Result."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.report import COST, EXPANDED, GENERATED, LIMIT, NEAREST, NO_SOLUTION, OPEN, SOLVED, STATUS
from anabasis.options import check_count
from anabasis.plan import Path
from anabasis.result import Result, SearchTrace, Status
from anabasis.search.moves import Space

__all__ = ["blank_report", "check_limit", "log_for", "outcome", "trace_of"]


def check_limit(limit: int) -> int:
    """Return the limit; raises InputError if it is no count."""
    return check_count(limit, "limit of expansions", expected="a count, or 0 for no limit")


def log_for(row: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Return an empty log, or one with room for all that a search with this report did, NaN until it is written."""
    return np.full((0 if row is None else int(row[EXPANDED] + row[GENERATED]), 5), np.nan)


def blank_report(size: int = 6) -> NDArray[np.float64]:
    """Return the report of a search that has not begun: no solution, nothing expanded, no nearest vertex."""
    row = np.zeros(size)
    row[STATUS], row[COST], row[NEAREST] = NO_SOLUTION, np.inf, -1
    return row


def trace_of(log: NDArray[np.float64]) -> SearchTrace | None:
    """Return the log of a search, float64[k, 5], as a trace, None if nothing was recorded."""
    if not len(log):
        return None
    event, vertex, parent, g, h = log.T
    return SearchTrace(event.astype(np.int8), vertex.astype(np.int64), parent.astype(np.int64), g, h)


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
    trace = trace_of(log)
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
