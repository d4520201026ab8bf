"""Drive: a query for a car, checked; arcs become the motion of the car along them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import atan, cos, dist, inf, sin

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.dubins import arc_end
from anabasis.errors import InputError
from anabasis.noun import freeze
from anabasis.options import check_share
from anabasis.result import Result, SearchTrace, Status
from anabasis.search.arc_tree import ArcTree, Pose, free_arcs, grow_arcs
from anabasis.search.sampling import Ends, default_step
from anabasis.search.timing import retimed
from anabasis.trajectory import Kinematics, Trajectory
from anabasis.world import World

__all__ = ["Drive", "Goal", "merged"]

Floats = NDArray[np.float64]
_ENTRY = 0.25  # radians of an arc between two entries of a trajectory


@dataclass(frozen=True)
class Goal:
    """A place of the reference point, with a heading or with any."""

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
        self.goal = Goal(last[0], last[1], last[2] if len(last) == 3 else None)
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
        start: Pose,
        goal: Goal | Pose,
        seed: int,
        limit: int,
        *,
        bias: float = 0.05,
        attach: float = inf,
        checked: bool = True,
    ) -> ArcTree:
        """Grow a tree from a pose of the rear axle to another one, or to the goal of the query."""
        headings = 1
        if isinstance(goal, Goal):
            headings = 8 if goal.heading is None else 1
            goal = (goal.x, goal.y, 0.0) if goal.heading is None else self.rear(goal.x, goal.y, goal.heading)
        return grow_arcs(
            self.ends.free,
            start,
            goal,
            headings,
            self.curvatures,
            backward=self.car.backward,
            reference=self.car.reference,
            step=self.step,
            bias=bias,
            attach=attach,
            seed=seed,
            limit=limit,
            checked=checked,
        )

    def free(self, arcs: Floats) -> NDArray[np.bool_]:
        """Return bool[k]: which of the arcs driven one after the other from the start are free."""
        return free_arcs(self.ends.free, self.start, arcs, self.car.reference)

    def result(self, arcs: Floats, stats: dict[str, float], trace: SearchTrace | None) -> Result[Trajectory]:
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
