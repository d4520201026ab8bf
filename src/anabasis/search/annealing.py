"""Simulated annealing: a walk that takes every step towards the goal, and steps away from it the less often the colder.

S. Kirkpatrick, C. Gelatt and M. Vecchi, "Optimization by Simulated Annealing", 1983, with the rule of acceptance of
N. Metropolis et al., "Equation of State Calculations by Fast Computing Machines", 1953. The state is the vertex where
the walk is, its energy the estimated distance from the goal.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import arcs_out
from anabasis._kernel.metric import vertex_distance
from anabasis._kernel.random import random_fraction, random_word, stream_key
from anabasis._kernel.report import EXPAND, EXPANDED, GENERATE, GENERATED, LIMIT, SOLVED, STATUS, note
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.options import check_count
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space
from anabasis.search.wandering import wander

__all__ = ["annealing"]

_COLD = 0.1  # of a step: below it a step back is as good as never made, and the walk is heated again
_HOME = 8  # so many times it is heated where it is, then once at the start: no part of a graph is a prison


def annealing(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    metric: str | None = None,
    temperature: float = 4.0,
    cooling: float = 0.999,
    seed: int = 0,
    limit: int = 100_000,
    traced: bool = False,
) -> Result[Path]:
    """Find some path from vertex `start` to vertex `goal` by a walk at random that cools down.

    A step drawn at random is made if it leads nearer, else with the probability exp(-(e' - e) / T), e and e' the
    distances from the goal before and after. temperature: T at the beginning, in lengths of a step (on a graph, of its
    mean arc), at least 0.1; T is multiplied by `cooling`, 0 to 1, after each trial, and below 0.1 it is set back. The
    other options and the errors are those of `astar`; the limit counts trials, 0 for no limit. Not complete: with a
    limit it may give up (LIMIT) although there is a way; NO_SOLUTION is proved by flooding. Nothing is promised of the
    cost; loops are cut out of the path. stats: expanded (trials), generated (steps made), restarts.
    """
    if not 0.1 <= temperature < np.inf:
        raise InputError("temperature", found=f"{temperature}", expected="at least 0.1 steps")
    if not 0 < cooling < 1:
        raise InputError("cooling", found=f"{cooling}", expected="a factor between 0 and 1")
    seed, restarts = check_count(seed, "seed"), np.zeros(1, np.int64)
    net = Space(space, neighbours, corners)
    step = float(space.weights.mean()) if isinstance(space, Graph) and space.weights.any() else 1.0
    heat = (temperature * step, cooling, _COLD * step)

    def walk(start: int, goal: int, metric: int, limit: int, row: Any, log: Any) -> NDArray[np.int64]:
        return _walk(net.arcs, start, goal, metric, limit, stream_key(seed, 0, 0), *heat, row, restarts, log)

    result = wander(net, start, goal, metric, limit, traced, walk)
    return replace(result, stats={**result.stats, "restarts": int(restarts[0])})


@kernel
def _walk(
    arcs: Any,
    start: int,
    goal: int,
    metric: int,
    limit: int,
    key: int,
    hot: float,
    cooling: float,
    cold: float,
    row: NDArray[np.float64],
    restarts: NDArray[np.int64],
    log: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Walk until the goal or the limit; return the vertices walked since the start was left last."""
    width, points = arcs[0], arcs[9]
    heads, steps = np.empty(arcs[10], np.int64), np.empty(arcs[10], np.float64)
    walked = np.empty(256, np.int64)
    walked[0], count, heat, again = start, 1, hot, 0
    energy = vertex_distance(points, width, start, goal, metric)
    logged = note(log, 0, GENERATE, start, -1, 0.0, energy)
    expanded, generated = 0, 1
    row[STATUS] = LIMIT
    while True:
        v = walked[count - 1]
        if v == goal:
            row[STATUS] = SOLVED
            break
        if limit and expanded == limit:
            break
        logged = note(log, logged, EXPAND, v, walked[count - 2] if count > 1 else -1, float(count - 1), energy)
        degree = arcs_out(arcs, v, heads, steps)
        if degree:
            w = heads[random_word(key, 0, expanded) % degree]
            e = vertex_distance(points, width, w, goal, metric)
            if e <= energy or random_fraction(key, 1, expanded) < math.exp((energy - e) / heat):
                if count == len(walked):
                    walked = np.concatenate((walked, walked))
                walked[count], energy = w, e
                count += 1
                generated += 1
                logged = note(log, logged, GENERATE, w, v, float(count - 1), energy)
        expanded += 1
        heat *= cooling
        if heat < cold or degree == 0:
            heat = hot
            again += 1
            if degree == 0 or again % _HOME == 0:
                count = 1
                energy = vertex_distance(points, width, start, goal, metric)
    row[EXPANDED], row[GENERATED], restarts[0] = expanded, generated, again
    return walked[:count].copy()
