"""RRT: a tree that grows from the start toward random places until the goal can be attached to it.

S. M. LaValle, "Rapidly-exploring random trees: a new tool for path planning", 1998. A
tree that takes long may be given up for another one: the time has a heavy tail where the nearest place is looked for
one by one. Here places are kept in square cells (`_kernel.nearest`), and a restart shortens ways more than times.
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
from anabasis.options import check_count, check_share
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.sampling import Ends, check_samples, default_step, path_of, tree_result, tree_trace
from anabasis.world import World

__all__ = ["rrt"]

_STREAM = 41


def rrt(
    world: World,
    start: Sequence[float],
    goal: Sequence[float],
    *,
    seed: int = 0,
    step: float | None = None,
    bias: float = 0.0,
    restart: int = 0,
    limit: int = 100_000,
    traced: bool = False,
) -> Result[Path]:
    """Find some path between two places (x, y), another one with each seed, through a tree of straight segments.

    step: the greatest length of a segment, by default a fiftieth of the diagonal of the world; the goal is attached to
    a place that sees it within a step. bias: the share of samples that are the goal itself. restart: after so many
    samples without success a new tree is begun, which gets as many more than the one before, for else a goal that needs
    more might never be reached; 0 for never. limit: samples in all. Nothing is promised of the length; the bound is
    the straight line. A way through a passage narrower than a step is found late, one without width is none.

    LIMIT after `limit` samples; NO_SOLUTION if an end lies in an obstacle or no way joins the two, which is known
    beforehand. stats: `states` of the last tree, `generated` in all trees, `expanded` = `iterations`, `restarts`.
    Raises InputError for an end that is no place of the world, and for options that are none.
    """
    ends = Ends(world, start, goal)
    step, bias = default_step(world, step, 0.02), check_share(bias, "bias")
    seed, limit = check_count(seed, "seed"), check_samples(limit)
    restart = check_count(restart, "samples before a restart") or limit
    if ends.closed is not None:
        return ends.closed
    points, parent = np.empty((limit + 2, 2)), np.empty(limit + 2, np.int64)
    numbers = (*ends.start, *ends.goal, step, bias)
    solved, size, iterations, restarts, generated = _rrt(
        ends.free.arrays, world.bounds, numbers, seed, restart, limit, points, parent
    )
    points, parent = points[:size], parent[:size]
    stats: dict[str, float] = {"states": size, "generated": generated, "expanded": iterations}
    stats |= {"iterations": iterations, "restarts": restarts}
    way = path_of(points, parent, size - 1) if solved else points[:0]
    trace = tree_trace(points, parent, ends.goal) if traced else None
    return tree_result(ends, way, f"gave up after {iterations} samples", stats, trace)


@kernel
def _rrt(
    space: Any, bounds: Any, numbers: Any, seed: int, restart: int, limit: int, points: Any, parent: Any
) -> tuple[bool, int, int, int, int]:
    """Grow trees; return whether the last place is the goal, its number of places, samples, restarts, all places."""
    x0, y0, x1, y1 = bounds
    start_x, start_y, goal_x, goal_y, step, bias = numbers
    key = stream_key(seed, _STREAM, 0)
    after = np.empty(len(parent), np.int64)
    size, generated, restarts, iteration, solved = 0, 0, 0, 0, False
    heads, frame = cells_for(points, 0, after, x0, y0, x1, y1)
    x, y, near, since = start_x, start_y, -1, 0
    while True:
        # (x, y) is a new place, reached from `near`
        points[size, 0], points[size, 1], parent[size] = x, y, near
        enter_point(points, heads, after, frame, size)
        size += 1
        generated += 1
        dx, dy = goal_x - x, goal_y - y
        if dx * dx + dy * dy <= step * step and sees(space, x, y, goal_x, goal_y):
            points[size, 0], points[size, 1], parent[size] = goal_x, goal_y, size - 1
            size, generated, solved = size + 1, generated + 1, True
            break
        if size > 2 * len(heads):
            heads, frame = cells_for(points, size, after, x0, y0, x1, y1)
        seen = False
        while not seen and iteration < limit and since < restart * (restarts + 1):
            to_x, to_y = goal_x, goal_y
            if bias == 0.0 or random_fraction(key, iteration, 2) >= bias:
                to_x = x0 + (x1 - x0) * random_fraction(key, iteration, 0)
                to_y = y0 + (y1 - y0) * random_fraction(key, iteration, 1)
            iteration += 1
            since += 1
            near = nearest_point(points, heads, after, frame, to_x, to_y)
            x, y = points[near, 0], points[near, 1]
            dx, dy = to_x - x, to_y - y
            length = math.sqrt(dx * dx + dy * dy)
            if length == 0.0:
                continue
            if length > step:
                to_x, to_y = x + dx * (step / length), y + dy * (step / length)
            seen = sees(space, x, y, to_x, to_y)
            x, y = to_x, to_y
        if not seen:
            if iteration == limit:
                break
            heads, frame = cells_for(points, 0, after, x0, y0, x1, y1)
            x, y, near, since, size, restarts = start_x, start_y, -1, 0, 0, restarts + 1
    return solved, size, iteration, restarts, generated
