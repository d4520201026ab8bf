"""RRT-Connect: two trees, from the start and from the goal, each of which reaches for what the other has just gained.

J. J. Kuffner, S. M. LaValle, "RRT-Connect: an efficient approach to single-query path planning", 2000.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from anabasis._kernel import kernel
from anabasis._kernel.free_space import sees
from anabasis._kernel.nearest import cells_for, enter_point, nearest_point
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.options import check_count
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.sampling import Ends, check_samples, default_step, path_of, tree_result, tree_trace
from anabasis.world import World

__all__ = ["rrt_connect"]

_STREAM = 42


def rrt_connect(
    world: World,
    start: Sequence[float],
    goal: Sequence[float],
    *,
    seed: int = 0,
    step: float | None = None,
    limit: int = 100_000,
    traced: bool = False,
) -> Result[Path]:
    """Find some path between two places (x, y) quickly, another one with each seed.

    One tree takes a step toward a random place; the other then goes straight for the new place, step by step, until
    it is there or an obstacle is in the way; then they change parts. step: the greatest length of a segment, by default
    a fifth of the diagonal of the world. limit: samples in all. Nothing is promised of the length.

    LIMIT, NO_SOLUTION, the bound and the errors are those of `rrt`. stats: `states` of both trees, `generated` the
    same, `expanded` = `iterations`. The trace holds both trees, with the start and the goal as their roots.
    """
    ends = Ends(world, start, goal)
    step = default_step(world, step, 0.2)
    seed, limit = check_count(seed, "seed"), check_samples(limit)
    if ends.closed is not None:
        return ends.closed
    met, points, parent, iterations = _rrt_connect(
        ends.free.arrays, world.bounds, (*ends.start, *ends.goal, step), seed, limit
    )
    way = points[:0]
    if met[0] >= 0:
        way = np.concatenate([path_of(points, parent, met[0]), path_of(points, parent, met[1])[::-1]])
    trace = tree_trace(points, parent, ends.goal) if traced else None
    stats: dict[str, float] = {"states": len(parent), "generated": len(parent), "expanded": iterations}
    stats["iterations"] = iterations
    return tree_result(ends, way, f"gave up after {iterations} samples", stats, trace)


@kernel
def _rrt_connect(space: Any, bounds: Any, numbers: Any, seed: int, limit: int) -> tuple[Any, Any, Any, int]:
    """Grow both trees; return the places of each where they meet (-1: nowhere), points, parents, samples.

    The two trees share the arrays; place 0 is the start, place 1 the goal.
    """
    x0, y0, x1, y1 = bounds
    start_x, start_y, goal_x, goal_y, step = numbers
    key = stream_key(seed, _STREAM, 0)
    points, parent, after = np.empty((64, 2)), np.full(64, -1, np.int64), np.empty(64, np.int64)
    tree = np.zeros(64, np.int64)
    points[0, 0], points[0, 1], points[1, 0], points[1, 1], tree[1] = start_x, start_y, goal_x, goal_y, 1
    heads, frame = _cells(points, tree, 2, after, x0, y0, x1, y1)
    met, size, iteration = np.array([-1, -1]), 2, 0
    if sees(space, start_x, start_y, goal_x, goal_y):
        met[0], met[1] = 0, 1
    while met[0] < 0 and iteration < limit:
        to_x = x0 + (x1 - x0) * random_fraction(key, iteration, 0)
        to_y = y0 + (y1 - y0) * random_fraction(key, iteration, 1)
        first = iteration % 2  # the tree that takes the step
        iteration += 1
        gained = -1  # its new place, for which the other tree goes straight
        near = nearest_point(points, heads[first], after, frame, to_x, to_y)
        while True:
            k = first if gained < 0 else 1 - first
            x, y = points[near, 0], points[near, 1]
            dx, dy = to_x - x, to_y - y
            length = math.sqrt(dx * dx + dy * dy)
            there = length <= step
            if length > 0.0:
                if not there:
                    dx, dy = x + dx * (step / length), y + dy * (step / length)
                else:
                    dx, dy = to_x, to_y
                if not sees(space, x, y, dx, dy):
                    break
                if size == len(parent):
                    points, parent, after = np.concatenate((points, points)), _twice(parent), _twice(after)
                    tree = _twice(tree)
                points[size, 0], points[size, 1], parent[size], tree[size] = dx, dy, near, k
                enter_point(points, heads[k], after, frame, size)
                near = size
                size += 1
            elif gained < 0:
                break
            if gained < 0:
                gained, to_x, to_y = near, points[near, 0], points[near, 1]
                near = nearest_point(points, heads[1 - first], after, frame, to_x, to_y)
            elif there:
                met[first], met[1 - first] = gained, near
                break
        if size > 2 * heads.shape[1]:
            heads, frame = _cells(points, tree, size, after, x0, y0, x1, y1)
    return met, points[:size], parent[:size], iteration


@kernel
def _cells(
    points: Any, tree: Any, size: int, after: Any, x0: float, y0: float, x1: float, y1: float
) -> tuple[Any, Any]:
    """Return heads, a row for each tree, and the frame of both."""
    both, frame = cells_for(points, size, after, x0, y0, x1, y1)
    heads = np.full((2, len(both)), -1, np.int64)
    for i in range(size):
        enter_point(points, heads[tree[i]], after, frame, i)
    return heads, frame


@kernel
def _twice(array: Any) -> Any:
    return np.concatenate((array, array))
