"""RRT*: a tree of samples that is rewired as it grows, so that its ways become the shortest; and informed RRT*.

S. Karaman, E. Frazzoli, "Sampling-based algorithms for optimal motion planning", 2011. Informed: J. D. Gammell,
S. S. Srinivasa, T. D. Barfoot, "Informed RRT*: optimal sampling-based path planning focused via direct sampling of an
admissible ellipsoidal heuristic", 2014.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from anabasis._kernel import kernel
from anabasis._kernel.free_space import sees
from anabasis._kernel.nearest import cells_for, enter_point, nearest_point, points_within
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.decompose.free_space import FreeSpace
from anabasis.options import check_count, check_share
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.sampling import Ends, check_samples, default_step, path_of, tree_result, tree_trace
from anabasis.world import World

__all__ = ["informed_rrt_star", "rrt_star"]

_STREAM = 43
_ROW = ("goal", "first", "first_cost", "rewired", "sights", "iterations")  # goal: its number in the tree, -1: none


def rrt_star(
    world: World,
    start: Sequence[float],
    goal: Sequence[float],
    *,
    seed: int = 0,
    step: float | None = None,
    bias: float = 0.05,
    corner_bias: float = 0.0,
    limit: int = 5_000,
    traced: bool = False,
) -> Result[Path]:
    """Find a path between two places (x, y) whose length falls toward the least possible as `limit` grows.

    Every sample is used up; of two limits with one seed the greater never gives the longer path. step: the greatest
    length of a segment, by default a fifth of the diagonal of the world, and the greatest radius in which the tree is
    rewired; the radius shrinks with √(log n / n). The goal is attached to any place that sees it and brings it a
    shorter way. bias: the share of samples that are the goal until it is reached. corner_bias: the share of samples
    that are corners of obstacles, where shortest ways turn; with it they are come near to far sooner.

    LIMIT if the goal was not reached; NO_SOLUTION, the bound and the errors are those of `rrt`. stats: `states` of the
    tree, `generated` the same, `expanded` = `iterations`, `first` the sample with which the goal was reached,
    `first_cost`, `rewired`, `sights` how often a segment was tested. The trace is the tree as it is in the end.
    """
    return _planned(world, start, goal, seed, step, bias, corner_bias, limit, traced, 0)


def informed_rrt_star(
    world: World,
    start: Sequence[float],
    goal: Sequence[float],
    *,
    seed: int = 0,
    step: float | None = None,
    bias: float = 0.05,
    corner_bias: float = 0.0,
    limit: int = 5_000,
    traced: bool = False,
) -> Result[Path]:
    """Find a path as `rrt_star` does, but once there is one take samples only from where a shorter one could pass.

    That is the ellipse around the two ends whose points are on ways not longer than the best path. Options, stats and
    promises are those of `rrt_star`.
    """
    return _planned(world, start, goal, seed, step, bias, corner_bias, limit, traced, 1)


def _planned(
    world: World,
    start: Sequence[float],
    goal: Sequence[float],
    seed: int,
    step: float | None,
    bias: float,
    corner_bias: float,
    limit: int,
    traced: bool,
    informed: int,
) -> Result[Path]:
    ends = Ends(world, start, goal)
    step, bias, share = (
        default_step(world, step, 0.2),
        check_share(bias, "bias"),
        check_share(corner_bias, "corner bias"),
    )
    seed, limit = check_count(seed, "seed"), check_samples(limit)
    if ends.closed is not None:
        return ends.closed
    free = ends.free
    # where parts of the free space touch in a corner, a way through it might change from one to the other
    corners = free.corners[free.turning & (free.twin == np.arange(free.size))]
    numbers = (*ends.start, *ends.goal, step, bias, share if len(corners) else 0.0, _area(free))
    points, parent, row = _rrt_star(free.arrays, world.bounds, numbers, corners, seed, limit, informed)
    counts = dict(zip(_ROW, row.tolist(), strict=True))
    stats: dict[str, float] = {"states": len(parent), "generated": len(parent), "expanded": counts["iterations"]}
    stats |= counts
    goal_number = int(stats.pop("goal"))
    way = path_of(points, parent, goal_number) if goal_number >= 0 else points[:0]
    trace = tree_trace(points, parent, ends.goal) if traced else None
    return tree_result(ends, way, f"gave up after {limit} samples", stats, trace)


def _area(free: FreeSpace) -> float:
    """Return the area of the free space, by the shoelace rule over its edges."""
    (x, y), (to_x, to_y) = free.corners.T, free.corners[free.after].T
    return abs(float((x * to_y - to_x * y).sum())) / 2


@kernel
def _rrt_star(
    space: Any, bounds: Any, numbers: Any, corners: Any, seed: int, limit: int, informed: int
) -> tuple[Any, Any, Any]:
    """Grow one tree; return its points, its parents, and the row of counts."""
    x0, y0, x1, y1 = bounds
    start_x, start_y, goal_x, goal_y, step, bias, share, area = numbers
    key = stream_key(seed, _STREAM, informed)
    room = limit + 2  # the goal may come on top of the samples
    points, parent, after = np.empty((room, 2)), np.full(room, -1, np.int64), np.empty(room, np.int64)
    cost, family = np.zeros(room), np.full((room, 3), -1, np.int64)  # first child, next and last sibling
    near, away, stack = np.empty(room, np.int64), np.empty(room), np.empty(room, np.int64)
    row = np.zeros(6)
    points[0, 0], points[0, 1] = start_x, start_y
    size, goal = 1, -1
    straight = math.sqrt((goal_x - start_x) ** 2 + (goal_y - start_y) ** 2)
    heads, frame = cells_for(points, 1, after, x0, y0, x1, y1)
    for iteration in range(limit):
        if goal >= 0 and cost[goal] <= straight * (1.0 + 1e-12):
            break  # nothing is shorter
        row[5] += 1.0
        if iteration == 0 or (goal < 0 and random_fraction(key, iteration, 2) < bias):
            x, y = goal_x, goal_y
        elif share > 0.0 and random_fraction(key, iteration, 3) < share:
            k = int(random_fraction(key, iteration, 0) * len(corners))
            x, y = corners[k, 0], corners[k, 1]
        elif informed and goal >= 0:
            x, y = _in_ellipse(key, iteration, start_x, start_y, goal_x, goal_y, straight, cost[goal], x0, y0, x1, y1)
        else:
            x = x0 + (x1 - x0) * random_fraction(key, iteration, 0)
            y = y0 + (y1 - y0) * random_fraction(key, iteration, 1)
        best = nearest_point(points, heads, after, frame, x, y)
        dx, dy = x - points[best, 0], y - points[best, 1]
        length = math.sqrt(dx * dx + dy * dy)
        if length == 0.0:
            continue
        if length > step:
            x, y = points[best, 0] + dx * (step / length), points[best, 1] + dy * (step / length)
        to_goal = math.sqrt((goal_x - x) ** 2 + (goal_y - y) ** 2)
        from_start = math.sqrt((x - start_x) ** 2 + (y - start_y) ** 2)
        if informed and goal >= 0 and from_start + to_goal >= cost[goal]:
            continue
        # with a smaller radius no tree would be sure to come near to the best way; what counts is the area of samples
        sampled = area if not informed or goal < 0 else min(area, math.pi * _axes(straight, cost[goal]))
        radius = min(step, 1.1 * math.sqrt(6.0 * sampled / math.pi * math.log(size + 1.0) / (size + 1.0)))
        count = points_within(points, heads, after, frame, x, y, radius, near)
        for i in range(count):
            dx, dy = points[near[i], 0] - x, points[near[i], 1] - y
            away[i] = math.sqrt(dx * dx + dy * dy)
        if count == 0:
            near[0], away[0], count = best, min(length, step), 1
        chosen = _best_parent(space, points, cost, near[:count], away[:count], x, y, row)
        if chosen < 0:
            continue
        new = size
        size += 1
        points[new, 0], points[new, 1], cost[new] = x, y, cost[near[chosen]] + away[chosen]
        enter_point(points, heads, after, frame, new)
        _adopt(parent, family, near[chosen], new)
        if x == goal_x and y == goal_y:
            goal, row[1], row[2] = new, float(iteration + 1), cost[new]
        _rewire(space, points, parent, family, cost, near[:count], away[:count], new, row, stack)
        if new != goal and (goal < 0 or cost[new] + to_goal < cost[goal] * (1.0 - 1e-12)):
            row[4] += 1.0
            if sees(space, x, y, goal_x, goal_y):  # straight to the goal, however far it is
                if goal < 0:
                    goal = size
                    size += 1
                    points[goal, 0], points[goal, 1], cost[goal] = goal_x, goal_y, cost[new] + to_goal
                    enter_point(points, heads, after, frame, goal)
                    row[1], row[2] = float(iteration + 1), cost[goal]
                else:
                    gain = cost[goal] - (cost[new] + to_goal)
                    _leave(parent, family, goal)
                    _shift(family, cost, goal, gain, stack)
                _adopt(parent, family, new, goal)
        if size > 2 * len(heads):
            heads, frame = cells_for(points, size, after, x0, y0, x1, y1)
    row[0] = goal
    return points[:size].copy(), parent[:size].copy(), row


@kernel
def _best_parent(space: Any, points: Any, cost: Any, near: Any, away: Any, x: float, y: float, row: Any) -> int:
    """Return which of the near places that see (x, y) has the shortest way to it, -1 if none sees it."""
    for i in np.argsort(cost[near] + away, kind="mergesort"):
        row[4] += 1.0
        if sees(space, points[near[i], 0], points[near[i], 1], x, y):
            return i
    return -1


@kernel
def _rewire(
    space: Any, points: Any, parent: Any, family: Any, cost: Any, near: Any, away: Any, new: int, row: Any, stack: Any
) -> None:
    """Lead the ways to near places through a new one where that makes them shorter."""
    for i in range(len(near)):
        other = near[i]
        gain = cost[other] - (cost[new] + away[i])
        if gain > 1e-12 * cost[other]:
            row[4] += 1.0
            if sees(space, points[new, 0], points[new, 1], points[other, 0], points[other, 1]):
                row[3] += 1.0
                _leave(parent, family, other)
                _adopt(parent, family, new, other)
                _shift(family, cost, other, gain, stack)


@kernel
def _in_ellipse(
    key: int,
    iteration: int,
    start_x: float,
    start_y: float,
    goal_x: float,
    goal_y: float,
    straight: float,
    best: float,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
) -> tuple[float, float]:
    """Return a random place of the ellipse with the ends as foci and the best length as its long axis, in the world."""
    long, wide = best / 2.0, _axes(straight, best) / (best / 2.0)
    along_x, along_y = (goal_x - start_x) / straight, (goal_y - start_y) / straight
    x, y = goal_x, goal_y
    for attempt in range(100):
        u = 2.0 * random_fraction(key, iteration, 4 + 2 * attempt) - 1.0
        v = 2.0 * random_fraction(key, iteration, 5 + 2 * attempt) - 1.0
        if u * u + v * v > 1.0:
            continue
        x = (start_x + goal_x) / 2.0 + along_x * long * u - along_y * wide * v
        y = (start_y + goal_y) / 2.0 + along_y * long * u + along_x * wide * v
        if x0 <= x <= x1 and y0 <= y <= y1:
            return x, y
    return min(max(x, x0), x1), min(max(y, y0), y1)


@kernel
def _axes(straight: float, best: float) -> float:
    """Return the product of the half axes of the ellipse of all places on ways not longer than `best`."""
    return best / 2.0 * (math.sqrt(max(best * best - straight * straight, 0.0)) / 2.0)


@kernel
def _adopt(parent: Any, family: Any, up: int, child: int) -> None:
    """Hang a place under a parent."""
    first = family[up, 0]
    parent[child], family[child, 1], family[child, 2], family[up, 0] = up, first, -1, child
    if first >= 0:
        family[first, 2] = child


@kernel
def _leave(parent: Any, family: Any, child: int) -> None:
    """Take a place away from its parent."""
    following, before = family[child, 1], family[child, 2]
    if before >= 0:
        family[before, 1] = following
    else:
        family[parent[child], 0] = following
    if following >= 0:
        family[following, 2] = before


@kernel
def _shift(family: Any, cost: Any, root: int, gain: float, stack: Any) -> None:
    """Lower the costs of a place and of all below it."""
    stack[0], size = root, 1
    while size:
        size -= 1
        place = stack[size]
        cost[place] -= gain
        child = family[place, 0]
        while child >= 0:
            stack[size] = child
            size += 1
            child = family[child, 1]
