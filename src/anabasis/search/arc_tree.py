"""Arc tree: poses of a car that are reached from one another by arcs, until one of them is joined to the goal.

The controls are a few steering angles, forwards and perhaps backwards; each is tried at most once from each pose. A
pose is joined to the goal by the shortest way of a car (`_kernel.dubins`), so that the goal is reached exactly. Arcs
are rows (curvature, signed length) of the rear axle; what keeps out of obstacles is the reference point of the car.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.dubins import arc_end, dubins
from anabasis._kernel.free_space import sees
from anabasis._kernel.nearest import cells_for, enter_point, nearest_point
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.decompose.free_space import FreeSpace

__all__ = ["ArcTree", "free_arcs", "grow_arcs"]

Floats = NDArray[np.float64]
Pose = tuple[float, float, float]
_STREAM = 44
_CHORD = 0.2  # radians of an arc that are tested by one chord and the two tangents at its ends


@dataclass(frozen=True)
class ArcTree:
    """What grew: poses float64[n, 3] and parents int64[n], the samples taken, the arcs to the goal (None: gave up)."""

    poses: Floats
    parent: NDArray[np.int64]
    samples: int
    arcs: Floats | None


def grow_arcs(
    free: FreeSpace,
    start: Pose,
    goal: Pose,
    headings: int,
    curvatures: Floats,
    *,
    backward: bool,
    reference: float,
    step: float,
    bias: float,
    attach: float,
    seed: int,
    limit: int,
    checked: bool,
) -> ArcTree:
    """Grow a tree from one pose of the rear axle to another one.

    headings: 1 for the very pose of the goal; else the goal is the place of the reference point, and the best of so
    many headings is taken there. attach: the greatest length of the way that joins a pose to the goal. checked: keep
    out of obstacles; else only the car is heeded.
    """
    numbers = (step, bias, attach, 1.0 / float(np.abs(curvatures).max()), reference)
    poses, parent, drives = np.empty((limit + 1, 3)), np.empty(limit + 1, np.int64), np.zeros((limit + 1, 2))
    size, samples, last, way = _grow(
        free.arrays,
        checked,
        free.bounds,
        start,
        goal,
        headings,
        numbers,
        curvatures,
        2 if backward else 1,
        seed,
        limit,
        poses,
        parent,
        drives,
    )
    arcs = None
    if last >= 0:
        chain: list[int] = []
        while last > 0:
            chain.append(last)
            last = int(parent[last])
        arcs = np.concatenate([drives[chain[::-1]], way[1:].reshape(3, 2)])
    return ArcTree(poses[:size], parent[:size], samples, arcs)


def free_arcs(free: FreeSpace, pose: Pose, arcs: Floats, reference: float) -> NDArray[np.bool_]:
    """Return bool[k]: which of the arcs float64[k, 2], driven one after the other from a pose, are free."""
    out = np.empty(len(arcs), bool)
    _free(free.arrays, pose, arcs, reference, out)
    return out


@kernel
def _grow(
    space: Any,
    checked: bool,
    bounds: Any,
    start: Any,
    goal: Any,
    headings: int,
    numbers: Any,
    curvatures: Any,
    ways: int,
    seed: int,
    limit: int,
    poses: Any,
    parent: Any,
    drives: Any,
) -> tuple[int, int, int, Any]:
    """Grow a tree of poses; return its size, the samples, the pose that was joined to the goal (-1), and that way.

    headings: 1 with the pose of the goal given, else among how many headings one is chosen at the goal's place. ways: 1
    forwards only, 2 backwards too.
    """
    x0, y0, x1, y1 = bounds
    step, bias, attach, radius, reference = numbers
    key = stream_key(seed, _STREAM, 0)
    after, used = np.empty(limit + 1, np.int64), np.zeros(limit + 1, np.int64)
    every = 2 ** (len(curvatures) * ways) - 1
    heads, frame = cells_for(poses, 0, after, x0, y0, x1, y1)
    poses[0, 0], poses[0, 1], poses[0, 2] = start
    parent[0], size, new = -1, 1, 0
    joined, way = -1, np.zeros(7)
    iteration = 0
    while True:
        if new >= 0:
            enter_point(poses, heads, after, frame, new)
            way = _way_to_goal(poses[new, 0], poses[new, 1], poses[new, 2], goal, headings, radius, reference)
            if way[0] <= attach and (not checked or _way_free(space, poses[new], way, reference)):
                joined = new
        if joined >= 0 or iteration == limit:
            break
        to_x, to_y = goal[0], goal[1]
        if random_fraction(key, iteration, 2) >= bias:
            to_x = x0 + (x1 - x0) * random_fraction(key, iteration, 0)
            to_y = y0 + (y1 - y0) * random_fraction(key, iteration, 1)
        iteration += 1
        near, new = nearest_point(poses, heads, after, frame, to_x, to_y), -1
        if near < 0:
            break  # everything has been tried
        x, y, heading = poses[near, 0], poses[near, 1], poses[near, 2]
        while used[near] != every and new < 0:
            best, least, curvature, length = -1, np.inf, 0.0, step
            for c in range(len(curvatures) * ways):
                if used[near] >> c & 1:
                    continue
                signed = step if c < len(curvatures) else -step
                end_x, end_y, _ = arc_end(x, y, heading, curvatures[c % len(curvatures)], signed)
                away = (end_x - to_x) ** 2 + (end_y - to_y) ** 2
                if away < least:
                    best, least, curvature, length = c, away, curvatures[c % len(curvatures)], signed
            used[near] |= 1 << best
            if not checked or _arc_free(space, x, y, heading, curvature, length, reference):
                new = size
                poses[new, 0], poses[new, 1], poses[new, 2] = arc_end(x, y, heading, curvature, length)
                parent[new], drives[new, 0], drives[new, 1] = near, curvature, length
                size += 1
        if used[near] == every:
            _forget(poses, heads, after, frame, near)
        if size > 2 * len(heads):
            heads, frame = cells_for(poses, size - 1 if new >= 0 else size, after, x0, y0, x1, y1)
            for i in range(size):
                if used[i] == every:
                    _forget(poses, heads, after, frame, i)
    return size, iteration, joined, way


@kernel
def _way_to_goal(x: float, y: float, heading: float, goal: Any, headings: int, radius: float, reference: float) -> Any:
    """Return the shortest way of the car to the goal, as `dubins` does."""
    if headings == 1:
        return dubins(x, y, heading, goal[0], goal[1], goal[2], radius)
    toward = math.atan2(goal[1] - y, goal[0] - x)
    best = np.full(7, np.inf)
    for k in range(headings):
        angle = toward + 2.0 * math.pi * k / headings
        rear_x, rear_y = goal[0] - reference * math.cos(angle), goal[1] - reference * math.sin(angle)
        way = dubins(x, y, heading, rear_x, rear_y, angle, radius)
        if way[0] < best[0]:
            best = way
    return best


@kernel
def _way_free(space: Any, pose: Any, way: Any, reference: float) -> bool:
    x, y, heading = pose[0], pose[1], pose[2]
    for k in range(3):
        if not _arc_free(space, x, y, heading, way[1 + 2 * k], way[2 + 2 * k], reference):
            return False
        x, y, heading = arc_end(x, y, heading, way[1 + 2 * k], way[2 + 2 * k])
    return True


@kernel
def _free(space: Any, pose: Any, arcs: Any, reference: float, out: Any) -> None:
    x, y, heading = pose
    for k in range(len(arcs)):
        out[k] = _arc_free(space, x, y, heading, arcs[k, 0], arcs[k, 1], reference)
        x, y, heading = arc_end(x, y, heading, arcs[k, 0], arcs[k, 1])


@kernel
def _arc_free(
    space: Any, x: float, y: float, heading: float, curvature: float, length: float, reference: float
) -> bool:
    """Whether the reference point keeps to free space on an arc of the rear axle.

    The arc lies between its chords and the tangents at their ends, and both are tested: an obstacle that meets the arc
    and neither of them would have to fit in between, in a two-hundredth of the radius.
    """
    parts = max(1, math.ceil(abs(curvature * length) / _CHORD))
    part, turn = length / parts, curvature * length / parts
    # the reference point moves on a circle around the same centre, by this much faster than the rear axle
    faster = math.sqrt(1.0 + (reference * curvature) ** 2)
    ahead = 0.0 if turn == 0.0 else math.tan(turn / 2.0) / curvature
    ax, ay = x + reference * math.cos(heading), y + reference * math.sin(heading)
    for _ in range(parts):
        course = heading + math.atan(reference * curvature)
        x, y, heading = arc_end(x, y, heading, curvature, part)
        bx, by = x + reference * math.cos(heading), y + reference * math.sin(heading)
        if not sees(space, ax, ay, bx, by):
            return False
        if turn != 0.0:
            px, py = ax + faster * ahead * math.cos(course), ay + faster * ahead * math.sin(course)
            if not (sees(space, ax, ay, px, py) and sees(space, px, py, bx, by)):
                return False
        ax, ay = bx, by
    return True


@kernel
def _forget(poses: Any, heads: Any, after: Any, frame: Any, i: int) -> None:
    """Take a pose out of its cell, if it is in it."""
    column = min(max(math.floor((poses[i, 0] - frame[0]) / frame[2]), 0), int(frame[3]) - 1)
    row = min(max(math.floor((poses[i, 1] - frame[1]) / frame[2]), 0), int(frame[4]) - 1)
    cell = row * int(frame[3]) + column
    p = heads[cell]
    if p == i:
        heads[cell] = after[i]
        return
    while p >= 0:
        if after[p] == i:
            after[p] = after[i]
            return
        p = after[p]
