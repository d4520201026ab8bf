"""Obstacle following: straight on towards the goal, and along the wall of whatever is in the way until it is passed.

What a unit does that knows nothing but its neighbourhood, here as a bad example to compare with; after the algorithms
of V. Lumelsky and A. Stepanov, "Path-Planning Strategies for a Point Mobile Automaton Moving Amidst Unknown Obstacles
of Arbitrary Shape", 1987.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY, arcs_out
from anabasis._kernel.metric import vertex_distance
from anabasis._kernel.report import EXPAND, EXPANDED, GENERATE, GENERATED, LIMIT, SOLVED, STATUS, note
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space
from anabasis.search.wandering import wander

__all__ = ["obstacle_following"]


def obstacle_following(
    grid: Grid,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find some path from vertex `start` to vertex `goal` as a unit would that feels its way.

    It goes to the neighbour nearest to the goal; where none is nearer it follows the wall, which it keeps on its left,
    until it is nearer than where it met the wall. Not complete: if it comes round to where it met the wall it gives up
    (LIMIT); NO_SOLUTION is proved by flooding. Prices of cells are not heeded. The options and the errors are those of
    `astar`, but for a metric; nothing is promised of the cost, and loops are cut out of the path. stats: expanded, the
    steps made, and generated.
    """
    net = Space(grid, neighbours, corners)
    free = net.grid.free

    def follow(start: int, goal: int, metric: int, limit: int, row: Any, log: Any) -> NDArray[np.int64]:
        return _follow(net.arcs, free, start, goal, metric, limit, row, log)

    return wander(net, start, goal, None, limit, traced, follow)


@kernel
def _follow(
    arcs: Any,
    free: NDArray[np.bool_],
    start: int,
    goal: int,
    metric: int,
    limit: int,
    row: NDArray[np.float64],
    log: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Walk until the goal, the limit, or once round an obstacle; return the vertices walked."""
    width, points = arcs[0], arcs[9]
    heads, steps = np.empty(8, np.int64), np.empty(8, np.float64)
    walked = np.empty(256, np.int64)
    walked[0], count = start, 1
    h = vertex_distance(points, width, start, goal, metric)
    logged = note(log, 0, GENERATE, start, -1, 0.0, h)
    met, facing, first, faced = -1.0, 0, -1, 0  # how far from the goal it met the wall; the first step along it
    expanded, generated = 0, 1
    row[STATUS] = LIMIT
    while True:
        v = int(walked[count - 1])
        if v == goal:
            row[STATUS] = SOLVED
            break
        if limit and expanded == limit:
            break
        expanded += 1
        logged = note(log, logged, EXPAND, v, int(walked[count - 2]) if count > 1 else -1, float(count - 1), h)
        if h < met:
            met = -1.0
        to = -1
        if met < 0:
            least = h
            for k in range(arcs_out(arcs, v, heads, steps)):
                ahead = vertex_distance(points, width, heads[k], goal, metric)
                if ahead < least:
                    to, least = heads[k], ahead
            if to < 0:
                met, first = h, -1
                facing = _towards(goal % width - v % width, goal // width - v // width)
                facing = _along(free, v, facing, 0)
        else:
            facing = _along(free, v, facing, -1)
        if to < 0:
            if facing < 0 or (v == first and facing == faced):  # walled in, or once round
                break
            if first < 0:
                first, faced = v, facing
            to = v + int(DY[2 * facing]) * width + int(DX[2 * facing])
        if count == len(walked):
            walked = np.concatenate((walked, walked))
        walked[count] = to
        count += 1
        generated += 1
        h = vertex_distance(points, width, to, goal, metric)
        logged = note(log, logged, GENERATE, to, v, float(count - 1), h)
    row[EXPANDED], row[GENERATED] = expanded, generated
    return walked[:count].copy()


@kernel
def _towards(dx: int, dy: int) -> int:
    """Return in which of four directions, counted clockwise from east, (dx, dy) leads most."""
    if abs(dx) >= abs(dy):
        return 0 if dx > 0 else 2
    return 1 if dy > 0 else 3


@kernel
def _along(free: NDArray[np.bool_], v: int, facing: int, turn: int) -> int:
    """Return the direction of the next step along a wall on the left, -1 if there is none.

    The first direction to try is `facing` turned by `turn` quarters clockwise, then on clockwise.
    """
    height, width = free.shape
    for k in range(4):
        d = (facing + turn + k) % 4
        x, y = v % width + int(DX[2 * d]), v // width + int(DY[2 * d])
        if 0 <= x < width and 0 <= y < height and free[y, x]:
            return d
    return -1
