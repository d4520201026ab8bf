"""Hill climbing: always on to the best neighbour, everything else forgotten; from where it is stuck, anew at random.

The gradient search of the textbooks, as in S. Russell and P. Norvig, "Artificial Intelligence: A Modern Approach",
1995. How far it strays before it climbs again follows the sequence of M. Luby, A. Sinclair and D. Zuckerman, "Optimal
Speedup of Las Vegas Algorithms", 1993, which costs little whatever length would have been the right one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import arcs_out
from anabasis._kernel.metric import vertex_distance
from anabasis._kernel.random import random_word, stream_key
from anabasis._kernel.report import EXPAND, EXPANDED, GENERATE, GENERATED, LIMIT, SOLVED, STATUS, note
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.options import check_count
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space
from anabasis.search.wandering import wander

__all__ = ["hill_climbing"]

_STRAY = 4  # steps at random for each unit of Luby's sequence; 1 and 16 needed more expansions on most random maps
_HOME = 64  # so many restarts begin where the last climb ended, then one at the start: no part of a graph is a prison


def hill_climbing(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    metric: str | None = None,
    seed: int = 0,
    limit: int = 100_000,
    traced: bool = False,
) -> Result[Path]:
    """Find some path from vertex `start` to vertex `goal` by going downhill: to the neighbour nearest to the goal.

    Where no neighbour is nearer, a walk at random of growing length is the restart. The options and the errors are
    those of `astar`, but for the limit, which counts the vertices looked around from: 0 for none, and then the search
    ends, if there is a way, with probability 1. Not complete: with a limit it may give up (LIMIT) although there is a
    way; NO_SOLUTION is proved by flooding what can be reached. Nothing is promised of the cost; loops are cut out of
    the path. stats: expanded, generated, and restarts. The same seed gives the same path.
    """
    seed, restarts = check_count(seed, "seed"), np.zeros(1, np.int64)
    net = Space(space, neighbours, corners)

    def climb(start: int, goal: int, metric: int, limit: int, row: Any, log: Any) -> NDArray[np.int64]:
        return _climb(net.arcs, start, goal, metric, limit, stream_key(seed, 0, 0), row, restarts, log)

    result = wander(net, start, goal, metric, limit, traced, climb)
    return replace(result, stats={**result.stats, "restarts": int(restarts[0])})


@kernel
def _climb(
    arcs: Any,
    start: int,
    goal: int,
    metric: int,
    limit: int,
    key: int,
    row: NDArray[np.float64],
    restarts: NDArray[np.int64],
    log: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Climb and stray until the goal or the limit; return the vertices walked since the start was left last."""
    width, points = arcs[0], arcs[9]
    heads, steps = np.empty(arcs[10], np.int64), np.empty(arcs[10], np.float64)
    walked = np.empty(256, np.int64)
    walked[0], count, stray, drawn = start, 1, 0, 0
    least = vertex_distance(points, width, start, goal, metric)
    logged = note(log, 0, GENERATE, start, -1, 0.0, least)
    expanded, generated, again = 0, 1, 0
    row[STATUS] = LIMIT
    while True:
        v = walked[count - 1]
        if v == goal:
            row[STATUS] = SOLVED
            break
        if limit and expanded == limit:
            break
        logged = note(log, logged, EXPAND, v, walked[count - 2] if count > 1 else -1, float(count - 1), least)
        expanded += 1
        degree, to = arcs_out(arcs, v, heads, steps), -1
        if stray and degree:
            to = heads[random_word(key, 0, drawn) % degree]
            drawn, stray = drawn + 1, stray - 1
            least = vertex_distance(points, width, to, goal, metric)
        elif not stray:
            for k in range(degree):
                h = vertex_distance(points, width, heads[k], goal, metric)
                if h < least:
                    to, least = heads[k], h
        if to < 0:  # stuck
            again += 1
            stray = _STRAY * _luby(again)
            if degree == 0 or again % _HOME == 0:
                count = 1
                least = vertex_distance(points, width, start, goal, metric)
            continue
        if count == len(walked):
            walked = np.concatenate((walked, walked))
        walked[count] = to
        count += 1
        generated += 1
        logged = note(log, logged, GENERATE, to, v, float(count - 1), least)
    row[EXPANDED], row[GENERATED], restarts[0] = expanded, generated, again
    return walked[:count].copy()


@kernel
def _luby(i: int) -> int:
    """Return number i, from 1 on, of the sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …"""
    while True:
        power = 1
        while 2 * power - 1 < i:
            power *= 2
        if 2 * power - 1 == i:
            return power
        i -= power - 1
