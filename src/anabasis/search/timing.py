"""Timing: a path gets the speeds that the limits of a unit allow, and becomes a trajectory.

The speed along a given way is greatest everywhere if it is cut first by what each place allows, then forwards by how
fast the unit can speed up, then backwards by how fast it can brake: J. E. Bobrow, S. Dubowsky, J. S. Gibson,
"Time-optimal control of robotic manipulators along specified paths", 1985, here for limits that no place changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, degrees, isinf, sin, sqrt, tan

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.dubins import arc_end
from anabasis.errors import InputError
from anabasis.metrics.kinematics import corner_angles
from anabasis.noun import freeze
from anabasis.plan import Path
from anabasis.result import Result, Status
from anabasis.trajectory import Kinematics, Trajectory

__all__ = ["retimed", "timed"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Way:
    """m pieces with their signed lengths, steering angles and greatest speeds, and the m + 1 nodes between them."""

    lengths: Floats
    steering: Floats
    caps: Floats
    points: Floats
    headings: Floats  # where each piece begins, and at the end
    nodes: Floats  # the greatest speeds there


def timed(
    path: Path, unit: Kinematics, *, start_speed: float = 0.0, goal_speed: float = 0.0, within: float = 0.0
) -> Result[Trajectory]:
    """Return the fastest motion along a path that keeps all limits of a unit.

    The unit starts with exactly `start_speed` and ends with at most `goal_speed`. At each corner it is no faster than
    its turn allows (see `Kinematics.turns`); corners nearer than `within` to one another, along the path, are one turn.
    A car follows only a path without corners. NO_SOLUTION names the corner that is too sharp, or says that the unit is
    too fast to brake. The bound is the time that the whole way takes at full speed; `stats` has `time` and `entries`.
    """
    if not isinstance(path, Path):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError("no path to be timed", found=repr(path), expected="a Path", hint="is there a way at all?")
    if not len(path.points):
        raise InputError("a path without points can't be timed", expected="at least one point")
    near = float(freeze(within, np.float64, (), "within"))
    if near < 0:
        raise InputError("within", found=f"{within}", expected="a length, or 0 for each corner by itself")
    points = path.points[np.concatenate(([True], (np.diff(path.points, axis=0) != 0).any(axis=1)))]
    steps = np.diff(points, axis=0)
    headings = np.arctan2(steps[:, 1], steps[:, 0])
    nodes = np.full(len(points), unit.speed)
    for k, angle in enumerate(corner_angles(points, near).tolist()):
        nodes[k + 1] = unit.speed_for(angle) if not unit.axle else (unit.speed if angle < 1e-9 else -1.0)
        if nodes[k + 1] < 0:
            x, y = points[k + 1].tolist()
            turn = f"the turn by {degrees(angle):.4g}° at ({x:g}, {y:g})"
            return Result(Status.NO_SOLUTION, None, f"{turn} is more than the unit can do at any speed")
    headings = np.append(headings, headings[-1:] if len(headings) else 0.0)
    lengths = np.hypot(*steps.T)
    return _fastest(
        _Way(lengths, 0 * lengths, 0 * lengths + unit.speed, points, headings, nodes), unit, start_speed, goal_speed
    )


def retimed(
    trajectory: Trajectory, unit: Kinematics, *, start_speed: float = 0.0, goal_speed: float = 0.0
) -> Result[Trajectory]:
    """Return the fastest motion of a car along the way of a trajectory that keeps all limits of the car.

    On each arc the car is no faster than its steering angle allows, and it stands still where it changes direction.
    Speeds at the ends, NO_SOLUTION and stats are as those of `timed`.
    """
    spent = np.diff(trajectory.times)
    signed = (trajectory.speeds[1:] + trajectory.speeds[:-1]) / 2 * spent
    pieces = np.flatnonzero(signed)
    at = np.append(pieces, pieces[-1] + 1) if pieces.size else np.array([len(trajectory.times) - 1])
    lengths, steering = signed[pieces], trajectory.steering[pieces]
    caps = np.array([unit.speed_for(float(angle)) for angle in steering])
    for k in np.flatnonzero(caps <= 0)[:1]:
        where = f"the steering angle {steering[k]:.4g} at time {trajectory.times[pieces[k]]:g}"
        return Result(Status.NO_SOLUTION, None, f"{where} is more than the car can do at any speed")
    nodes = np.full(len(at), unit.speed)
    nodes[1:-1][lengths[1:] * lengths[:-1] < 0] = 0.0
    way = _Way(lengths, steering, caps, trajectory.points[at], trajectory.headings[at], nodes)
    return _fastest(way, unit, start_speed, goal_speed)


def _fastest(way: _Way, unit: Kinematics, start_speed: float, goal_speed: float) -> Result[Trajectory]:
    """Find the speeds at the ends of the pieces and write the entries."""
    for value, end in ((start_speed, "start"), (goal_speed, "goal")):
        if not 0 <= float(freeze(value, np.float64, (), f"speed at the {end}")) <= unit.speed:
            raise InputError(f"speed at the {end}", found=f"{value}", expected=f"0 to the unit's {unit.speed:g}")
    room = 2 * unit.acceleration * np.abs(way.lengths)
    speeds = way.nodes.copy()
    speeds[0], speeds[-1] = min(speeds[0], start_speed), min(speeds[-1], goal_speed)
    speeds[:-1] = np.minimum(speeds[:-1], way.caps)
    speeds[1:] = np.minimum(speeds[1:], way.caps)
    for k in range(len(room)):
        speeds[k + 1] = min(speeds[k + 1], sqrt(speeds[k] ** 2 + room[k]))
    for k in range(len(room) - 1, -1, -1):
        speeds[k] = min(speeds[k], sqrt(speeds[k + 1] ** 2 + room[k]))
    if len(room) and speeds[0] < start_speed * (1 - 1e-12):
        reason = f"the unit starts with speed {start_speed:g} and can brake in time from at most {speeds[0]:.6g}"
        return Result(Status.NO_SOLUTION, None, reason)
    trajectory = _written(way, speeds, unit)
    least = float(np.abs(way.lengths).sum()) / unit.speed
    stats = {"time": trajectory.duration, "entries": float(trajectory.times.size)}
    return Result(Status.SOLVED, trajectory, "", least, stats)


def _written(way: _Way, speeds: Floats, unit: Kinematics) -> Trajectory:
    """Return the entries: one where a piece begins, one wherever the change of the speed changes."""
    time, rows = 0.0, list[list[float]]()
    for k, length in enumerate(way.lengths.tolist()):
        sign, steering, heading = (1.0 if length > 0 else -1.0), float(way.steering[k]), float(way.headings[k])
        x, y = (way.points[k] - unit.reference * np.array([cos(heading), sin(heading)])).tolist()  # the rear axle
        here = [time, *way.points[k].tolist(), heading, sign * float(speeds[k]), steering]
        if rows and abs(rows[-1][3] - heading) < 1e-12 and rows[-1][4] == here[4]:
            rows.pop()
        rows.append(here)
        done, before = 0.0, float(speeds[k])
        for part, speed in _phases(abs(length), before, float(way.caps[k]), float(speeds[k + 1]), unit.acceleration):
            done += part
            time += 2 * part / (before + speed) if part else 0.0
            curvature = tan(steering) / unit.axle if unit.axle else 0.0
            px, py, angle = arc_end(x, y, heading, curvature, sign * done)
            px, py = px + unit.reference * cos(angle), py + unit.reference * sin(angle)
            rows.append([time, px, py, angle, sign * speed, steering])
            before = speed
        rows[-1][1:3] = way.points[k + 1].tolist()  # not what rounding has made of it
    if not rows:
        rows = [[0.0, *way.points[0].tolist(), float(way.headings[0]), float(speeds[0]), 0.0]]
    table = np.array(rows)
    return Trajectory(table[:, 0], table[:, 1:3], table[:, 3], table[:, 4], table[:, 5])


def _phases(length: float, first: float, cap: float, last: float, acceleration: float) -> list[tuple[float, float]]:
    """Return (length, speed at its end) of the parts of a piece: speed up, keep on, brake; a jump has no length."""
    if isinf(acceleration):
        top, up, down = cap, 0.0, 0.0
    else:
        # Not below the ends, as rounding might put it: a part of negative length would turn time back.
        top = min(cap, max(first, last, sqrt((2 * acceleration * length + first**2 + last**2) / 2)))
        up, down = ((top**2 - v**2) / (2 * acceleration) for v in (first, last))
    parts = [(up, top), (max(0.0, length - up - down), top), (down, last)]
    changed = [first != top, True, last != top]
    kept = [(part, speed) for (part, speed), change in zip(parts, changed, strict=True) if change and part + change]
    return [(p, v) for k, (p, v) in enumerate(kept) if p > 0 or v != (kept[k - 1][1] if k else first)]
