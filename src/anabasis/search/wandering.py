"""Wandering: what the searches that walk about without a tree have in common: checks before, a path made of a walk.

Loops are cut out of the walk, so that no vertex is passed twice; what remains still consists of steps that were made.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.report import COST, NO_SOLUTION, SOLVED, STATUS
from anabasis._kernel.ways import cut_loops, walked_cost
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space
from anabasis.search.outcome import blank_report, check_limit, log_for, outcome
from anabasis.search.reach import settle

__all__ = ["wander"]

Walk = Callable[[int, int, int, int, NDArray[np.float64], NDArray[np.float64]], NDArray[np.int64]]


def wander(net: Space, start: int, goal: int, metric: str | None, limit: int, traced: bool, walk: Walk) -> Result[Path]:
    """Return the path that is left of a walk; without one, whether the search gave up or there is no way.

    walk: called with start, goal, number of the metric, limit, report and log; it returns the vertices walked. Without
    a limit it is called only if there is a way.
    """
    start, goal = net.ends(start, goal)
    number, _ = net.estimate(metric)
    limit, log = check_limit(limit), log_for()
    row = blank_report()
    vertices = np.empty(0, np.int64)
    if net.blocked(start):
        return outcome(net, start, goal, row, vertices, log, np.inf)
    if not limit:
        settle(net, start, goal, row)
        if row[STATUS] == NO_SOLUTION:
            return outcome(net, start, goal, row, vertices, log, np.inf)
    walked = walk(start, goal, number, limit, row, log)
    if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
        log = log_for(row)
        walk(start, goal, number, limit, row, log)
    if row[STATUS] == SOLVED:
        vertices = cut_loops(walked, net.size)
        row[COST] = walked_cost(net.arcs, vertices)
    else:
        settle(net, start, goal, row)
    return outcome(net, start, goal, row, vertices, log, np.inf)
