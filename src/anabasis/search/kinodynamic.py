"""Kinodynamic RRT: a tree of arcs that a car can drive, which grows until a way for the car joins it to the goal.

S. M. LaValle, J. J. Kuffner, "Randomized kinodynamic planning", 2001. The controls are a few steering angles, forwards
and, if the car can, backwards; each is tried at most once from each place. A place is joined to the goal by the
shortest way of a car (`_kernel.dubins`), so that the goal is reached exactly, heading included.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import atan, cos, dist, inf, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.dubins import arc_end, dubins
from anabasis._kernel.free_space import sees
from anabasis._kernel.nearest import cells_for, enter_point, nearest_point
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.errors import InputError
from anabasis.noun import freeze
from anabasis.result import Result, Status
from anabasis.search.sampling import Ends, check_count, check_share, default_step, tree_trace
from anabasis.search.timing import retimed
from anabasis.trajectory import Kinematics, Trajectory
from anabasis.world import World

__all__ = ["Drive", "kinodynamic_rrt", "merged"]

Floats = NDArray[np.float64]
_STREAM = 44
_CHORD = 0.2  # radians of an arc that are tested by one chord and the two tangents at its ends
_ENTRY = 0.25  # radians of an arc between two entries of a trajectory


def kinodynamic_rrt(
    world: World,
    start: Sequence[float],
    goal: Sequence[float],
    car: Kinematics,
    *,
    seed: int = 0,
    step: float | None = None,
    bias: float = 0.05,
    attach: float = inf,
    pace: float = 0.25,
    limit: int = 20_000,
    traced: bool = False,
) -> Result[Trajectory]:
    """Find some motion of a car from a place and heading (x, y, radians) to a place (x, y) or place and heading.

    The places are those of the car's reference point, whose way keeps out of the obstacles; a car with a width needs a
    world with obstacles grown by half of it. The motion is the fastest along its way (`timing.retimed`), at rest at
    both ends; the way itself is none of the shortest. step: length of an arc, by default a fiftieth of the diagonal of
    the world. bias: share of samples that are the goal. attach: only places from which the way to the goal is at most
    that long are joined to it. pace: turns are those that the car can do at this share of its greatest speed.

    LIMIT after `limit` samples; NO_SOLUTION and the errors are those of `rrt`. stats: `states`, `generated`, `expanded`
    = `iterations`, `time`, `length`, `entries`. The bound is the time of the straight line at full speed.
    """
    drive = Drive(world, start, goal, car, step, pace)
    bias, seed, limit = check_share(bias, "bias"), check_count(seed, "seed"), check_count(limit, "limit of samples", 1)
    if drive.closed is not None:
        return drive.closed
    pieces, tree, iterations = drive.link(drive.start, drive.goal, seed, limit, bias=bias, attach=attach)
    stats: dict[str, float] = {"states": len(tree[1]), "generated": len(tree[1]), "expanded": iterations}
    stats["iterations"] = iterations
    trace = tree_trace(tree[0][:, :2].copy(), tree[1], drive.ends.goal) if traced else None
    if pieces is None:
        reason = f"gave up after {iterations} samples"
        if iterations < limit:
            reason = f"every arc from each of {len(tree[1])} places was tried; shorter ones (`step`) may lead on"
        return Result(Status.LIMIT, None, reason, drive.least, stats, trace)
    return drive.result(pieces, stats, trace)


@dataclass(frozen=True)
class _Goal:
    x: float
    y: float
    heading: float | None


class Drive:
    """A query for a car, checked, with what it takes to join poses (x, y, heading) of the rear axle by arcs.

    `closed` is the Result where no search is needed; arcs are rows (curvature, signed length).
    """

    def __init__(
        self,
        world: World,
        start: Sequence[float],
        goal: Sequence[float],
        car: Kinematics,
        step: float | None,
        pace: float,
    ) -> None:
        if not car.axle:
            raise InputError(
                "this needs a car", found="a unit without axles", expected="Kinematics with an axle above 0"
            )
        first, last = (
            freeze(v, np.float64, (None,), f"the {r}").tolist() for v, r in ((start, "start"), (goal, "goal"))
        )
        if len(first) != 3 or len(last) not in (2, 3):
            raise InputError(
                "ends of a drive",
                found=f"{len(first)} and {len(last)} numbers",
                expected="(x, y, heading) and (x, y) or so",
            )
        if not np.isfinite([*first, *last]).all():
            raise InputError("ends of a drive", found="inf", expected="finite numbers")
        self.ends, self.car = Ends(world, first[:2], last[:2]), car
        self.start = self.rear(*first)
        self.goal = _Goal(last[0], last[1], last[2] if len(last) == 3 else None)
        self.step = default_step(world, step, 0.02)
        steering = car.turn(check_share(pace, "pace") * car.speed)
        if steering <= 0:
            raise InputError("pace", found=f"{pace}", expected="a share of the speed at which the car can steer")
        self.tightest = math.tan(steering) / car.axle
        self.curvatures = np.array([math.tan(steering * share) / car.axle for share in (0.0, -1.0, 1.0, -0.5, 0.5)])
        self.least = dist(self.ends.start, self.ends.goal) / car.speed
        self.closed: Result[Trajectory] | None = None
        closed = self.ends.closed
        if closed is not None and closed.status is not Status.SOLVED:
            self.closed = Result(closed.status, None, closed.reason, closed.bound, closed.stats)
        elif closed is not None and self.goal.heading in (None, first[2]):
            self.closed = self.result(np.empty((0, 2)), dict(closed.stats), None)

    def rear(self, x: float, y: float, heading: float) -> tuple[float, float, float]:
        """Return the pose of the rear axle for one of the reference point."""
        return x - self.car.reference * cos(heading), y - self.car.reference * sin(heading), heading

    def link(
        self,
        start: Sequence[float],
        goal: _Goal | Sequence[float],
        seed: int,
        limit: int,
        *,
        bias: float = 0.05,
        attach: float = inf,
        checked: bool = True,
    ) -> tuple[Floats | None, tuple[Floats, NDArray[np.int64]], int]:
        """Join a pose of the rear axle to another one, or to a place of the reference point with or without heading.

        Returns the arcs (None: gave up), the tree as poses and parents, and the samples. checked: keep off obstacles.
        """
        heading = None
        if isinstance(goal, _Goal):
            heading = goal.heading
            x, y, angle = (goal.x, goal.y, 0.0) if heading is None else self.rear(goal.x, goal.y, heading)
        else:
            x, y, angle = (float(v) for v in goal)
            heading = angle
        numbers = (self.step, bias, attach, 1.0 / self.tightest, self.car.reference)
        poses, parent, drives = np.empty((limit + 1, 3)), np.empty(limit + 1, np.int64), np.zeros((limit + 1, 2))
        size, iterations, last, way = _grow(
            self.ends.free.arrays,
            checked,
            self.ends.world.bounds,
            (float(start[0]), float(start[1]), float(start[2])),
            (float(x), float(y), float(angle)),
            1 if heading is not None else 8,
            numbers,
            self.curvatures,
            2 if self.car.backward else 1,
            seed,
            limit,
            poses,
            parent,
            drives,
        )
        tree = poses[:size], parent[:size]
        if last < 0:
            return None, tree, iterations
        chain: list[int] = []
        while last > 0:
            chain.append(last)
            last = int(parent[last])
        arcs = np.concatenate([drives[chain[::-1]], way[1:].reshape(3, 2)])
        return merged(arcs), tree, iterations

    def free(self, pose: Sequence[float], arcs: Floats) -> NDArray[np.bool_]:
        """Return bool[k]: which of the arcs driven one after the other from a pose are free."""
        out = np.empty(len(arcs), bool)
        _free(self.ends.free.arrays, (float(pose[0]), float(pose[1]), float(pose[2])), arcs, self.car.reference, out)
        return out

    def result(self, arcs: Floats, stats: dict[str, float], trace: Any) -> Result[Trajectory]:
        """Return the Result for arcs driven from the start, as fast as the car can."""
        way = _trajectory(self.start, arcs, self.car)
        points = way.points.copy()
        points[0] = self.ends.start  # not what the way to the rear axle and back has made of it
        if len(arcs):
            points[-1] = self.ends.goal
        done = retimed(Trajectory(way.times, points, way.headings, way.speeds, way.steering), self.car)
        if done.value is None:
            return Result(Status.NO_SOLUTION, None, done.reason, 0.0, stats, trace)
        stats = stats | {"time": done.value.duration, "length": way.length, "entries": float(done.value.times.size)}
        return Result(Status.SOLVED, done.value, "", min(self.least, done.value.duration), stats, trace)


def merged(arcs: Floats) -> Floats:
    """Return the arcs without empty ones, those of one curvature and direction as one."""
    rows: list[list[float]] = []
    for curvature, length in arcs.tolist():
        if abs(length) < 1e-12:
            continue
        if rows and rows[-1][0] == curvature and rows[-1][1] * length > 0:
            rows[-1][1] += length
        else:
            rows.append([curvature, length])
    return np.array(rows).reshape(-1, 2)


def _trajectory(start: tuple[float, float, float], arcs: Floats, car: Kinematics) -> Trajectory:
    """Return arcs driven at full speed from a pose of the rear axle; entries lie near enough for drawing."""
    time, pose, rows = 0.0, start, list[list[float]]()
    for curvature, length in arcs.tolist():
        parts = max(1, math.ceil(abs(curvature * length) / _ENTRY))
        speed = car.speed if length > 0 else -car.speed
        for _ in range(parts):
            after = arc_end(*pose, curvature, length / parts)
            for (x, y, heading), at in ((pose, time), (after, time + abs(length) / parts / car.speed)):
                place = x + car.reference * cos(heading), y + car.reference * sin(heading)
                rows.append([at, *place, heading, speed, atan(curvature * car.axle)])
            pose, time = after, rows[-1][0]
    x, y, heading = start
    table = np.array(rows or [[0.0, x + car.reference * cos(heading), y + car.reference * sin(heading), heading, 0, 0]])
    return Trajectory(table[:, 0], table[:, 1:3], table[:, 3], table[:, 4], table[:, 5])


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
