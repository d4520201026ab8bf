"""Wandering: what the searches that walk about without a tree have in common: checks before, a path made of a walk.

Loops are cut out of the walk, so that no vertex is passed twice; what remains still consists of steps that were made.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.report import COST, NO_SOLUTION, SOLVED, STATUS
from anabasis._kernel.ways import cut_loops, walked_cost
from anabasis.errors import InputError
from anabasis.graph import METRICS
from anabasis.noun import freeze
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space
from anabasis.search.outcome import check_limit, log_for, outcome
from anabasis.search.reach import settle

__all__ = ["check_seed", "wander"]

Walk = Callable[[int, int, int, int, NDArray[np.float64], NDArray[np.float64]], NDArray[np.int64]]


def check_seed(seed: int) -> int:
    """Return the seed; raises InputError if it is no whole number of at least 0."""
    number = int(freeze(seed, np.int64, (), "seed"))
    if number < 0:
        raise InputError("seed", found=f"{seed}", expected="a whole number from 0 to 2⁶³ - 1")
    return number


def wander(net: Space, start: int, goal: int, metric: str | None, limit: int, traced: bool, walk: Walk) -> Result[Path]:
    """Return the path that is left of a walk; without one, whether the search gave up or there is no way.

    walk: called with start, goal, number of the metric, limit, report and log; it returns the vertices walked. Without
    a limit it is called only if there is a way.
    """
    start, goal = int(net.check([start], "start")[0]), int(net.check([goal], "goal")[0])
    name = net.best_metric() if metric is None else metric
    net.admissible(name)  # refuses a metric that does not exist
    limit, log = check_limit(limit), log_for()
    row = np.array([NO_SOLUTION, 0, 0, np.inf, 0, -1], np.float64)
    vertices = np.empty(0, np.int64)
    if net.blocked(start):
        return outcome(net, start, goal, row, vertices, log, np.inf)
    if not limit:
        settle(net, start, goal, row)
        if row[STATUS] == NO_SOLUTION:
            return outcome(net, start, goal, row, vertices, log, np.inf)
    walked = walk(start, goal, METRICS.index(name), limit, row, log)
    if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
        log = log_for(row)
        walk(start, goal, METRICS.index(name), limit, row, log)
    if row[STATUS] == SOLVED:
        vertices = cut_loops(walked, net.size)
        row[COST] = walked_cost(net.arcs, vertices)
    else:
        settle(net, start, goal, row)
    return outcome(net, start, goal, row, vertices, log, np.inf)
