"""Motions checked: trajectories against what a unit can do and against the world, turns of paths.

The motion is integrated anew from the controls in an entry, by the equations of the car and the classical method of
Runge and Kutta, and must arrive at the next entry; nothing here is used by those who plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, cos, degrees, dist, hypot, isinf, pi, remainder, sin, tan

import numpy as np
from numpy.typing import NDArray

from anabasis.plan import Path
from anabasis.trajectory import Kinematics, Trajectory
from anabasis.world import World

__all__ = ["corner_angles", "driven", "trajectory_faults", "turn_faults"]

_STEP = 0.01  # radians of the heading, or of a whole straight piece, in one step of the integration
_Pose = tuple[float, float, float]


def corner_angles(points: NDArray[np.float64], within: float = 0.0) -> NDArray[np.float64]:
    """Return float64[k - 2]: by how much (radians, never below 0) a polyline turns at each corner between its ends.

    Corners nearer than `within` to one another, along the polyline, count together. Points must not be repeated.
    """
    steps = np.diff(points, axis=0)
    headings = np.arctan2(steps[:, 1], steps[:, 0])
    turns = np.abs((np.diff(headings) + pi) % (2 * pi) - pi)
    if within <= 0 or len(turns) < 2:
        return turns
    along = np.cumsum(np.hypot(*steps.T))[:-1]
    total = np.concatenate(([0.0], np.cumsum(turns)))
    first, last = np.searchsorted(along, along - within, "right"), np.searchsorted(along, along + within, "left")
    return total[last] - total[first]


def turn_faults(path: Path, unit: Kinematics, speed: float, within: float = 0.0) -> list[str]:
    """Return the corners of a path that a unit can't turn at that speed, a sentence each; of a car every corner."""
    if not len(path.points):
        return []
    points = path.points[np.concatenate(([True], (np.diff(path.points, axis=0) != 0).any(axis=1)))]
    limit = 1e-9 if unit.axle else unit.turn(speed) + 1e-9
    faults: list[str] = []
    for (x, y), angle in zip(points[1:-1].tolist(), corner_angles(points, within).tolist(), strict=True):
        if angle > limit:
            allowed = "a car can't turn on the spot" if unit.axle else f"at most {degrees(unit.turn(speed)):.4g}°"
            faults.append(f"turn: by {degrees(angle):.4g}° at ({x:g}, {y:g}), at speed {speed:g} {allowed}")
    return faults


def trajectory_faults(
    trajectory: Trajectory,
    unit: Kinematics,
    *,
    world: World | None = None,
    start: Sequence[float] | None = None,
    goal: Sequence[float] | None = None,
    within: float = 0.0,
    tolerance: float = 1e-6,
) -> list[str]:
    """Return what is wrong with a motion, a sentence each; empty if nothing is.

    Checked are speeds, their changes, driving backwards, turns and steering at the speed, that each entry follows from
    the one before, and with a world that the way of the reference point keeps out of its obstacles and in its bounds,
    all to `tolerance`. start and goal: (x, y) or (x, y, heading).
    """
    faults = [
        *_limit_faults(trajectory, unit),
        *_turn_on_the_spot_faults(trajectory, unit, within),
        *_motion_faults(trajectory, unit, tolerance),
    ]
    for place, k, name in ((start, 0, "start"), (goal, -1, "goal")):
        if place is not None:
            faults += _end_faults(trajectory, k, [float(v) for v in place], name, tolerance)
    if world is not None and not faults:
        faults += _world_faults(trajectory, unit, world, tolerance)
    return faults


def _limit_faults(trajectory: Trajectory, unit: Kinematics) -> Iterator[str]:
    """Check speeds, accelerations and steering angles."""
    times, speeds = trajectory.times.tolist(), trajectory.speeds.tolist()
    for time, speed in zip(times, speeds, strict=True):
        if abs(speed) > unit.speed * (1 + 1e-9):
            yield f"speed: {speed:g} at time {time:g}, the unit's greatest is {unit.speed:g}"
        if speed < -1e-12 and not unit.backward:
            yield f"backwards: speed {speed:g} at time {time:g}, the unit moves forwards only"
    for k, ((t, u), (v, w)) in enumerate(zip(pairwise(times), pairwise(speeds), strict=True)):
        if not isinf(unit.acceleration) and abs(w - v) > unit.acceleration * (u - t) * (1 + 1e-6) + 1e-9:
            yield f"acceleration: from speed {v:g} to {w:g} between time {t:g} and {u:g}"
        angle = abs(float(trajectory.steering[k]))
        if u > t and angle > 0 and not unit.axle:
            yield f"steering: {angle:g} at time {t:g}, the unit has nothing to steer with"
        elif u > t and angle > unit.turn(max(abs(v), abs(w))) * (1 + 1e-9) + 1e-12:
            limit = unit.turn(max(abs(v), abs(w)))
            yield f"steering: {angle:.6g} at time {t:g}, at that speed at most {limit:.6g}"


def _turn_on_the_spot_faults(trajectory: Trajectory, unit: Kinematics, within: float) -> Iterator[str]:
    """Check jumps of the heading."""
    turns = [abs(remainder(b - a, 2 * pi)) for a, b in pairwise(trajectory.headings.tolist())]
    jumps = np.flatnonzero((np.diff(trajectory.times) == 0) & (np.array(turns) > 1e-12))
    steps = np.hypot(*np.diff(trajectory.points, axis=0).T)
    along = np.concatenate(([0.0], np.cumsum(steps)))
    for k in jumps.tolist():
        near = [j for j in jumps.tolist() if j == k or abs(along[j] - along[k]) < within]
        angle = sum(turns[j] for j in near)
        speed = max(abs(float(v)) for v in trajectory.speeds[k : k + 2])
        if unit.axle or angle > unit.turn(speed) + 1e-9:
            allowed = "a car can't" if unit.axle else f"at most {degrees(unit.turn(speed)):.4g}°"
            turn = f"turn: by {degrees(angle):.4g}° on the spot at time {trajectory.times[k]:g}"
            yield f"{turn}, at speed {speed:g} {allowed}"


def _motion_faults(trajectory: Trajectory, unit: Kinematics, tolerance: float) -> Iterator[str]:
    """Check that each entry follows from the one before."""
    for k in range(len(trajectory.times) - 1):
        x, y, heading = driven(trajectory, unit, k)[-1]
        to_x, to_y = trajectory.points[k + 1].tolist()
        still = trajectory.times[k + 1] == trajectory.times[k]
        turned = 0.0 if still else abs(remainder(heading - float(trajectory.headings[k + 1]), 2 * pi))
        if hypot(x - to_x, y - to_y) > tolerance or turned > tolerance:
            yield (
                f"motion: from the entry at time {trajectory.times[k]:g} the unit comes to ({x:.9g}, {y:.9g}) with "
                f"heading {heading:.9g}, the next entry says ({to_x:.9g}, {to_y:.9g}) "
                f"with heading {trajectory.headings[k + 1]:.9g}"
            )


def driven(trajectory: Trajectory, unit: Kinematics, k: int) -> list[_Pose]:
    """Return poses (x, y, heading) of the reference point on the way from entry k to entry k + 1, both included."""
    times, speeds = trajectory.times[k : k + 2].tolist(), trajectory.speeds[k : k + 2].tolist()
    (x, y), heading = trajectory.points[k].tolist(), float(trajectory.headings[k])
    span, bend = times[1] - times[0], tan(float(trajectory.steering[k])) / unit.axle if unit.axle else 0.0
    rate = (speeds[1] - speeds[0]) / span if span else 0.0
    parts = ceil(abs(bend) * max(map(abs, speeds)) * span / _STEP) or 1
    h, ahead = span / parts, unit.reference
    rear = (x - ahead * cos(heading), y - ahead * sin(heading))
    poses = [(x, y, heading)]
    for part in range(parts if span else 0):
        # Over the length, not the time: a speed that grows from 0 would cost Simpson's rule its digits.
        length = (speeds[0] + rate * (part + 0.5) * h) * h
        middle, end = heading + bend * length / 2, heading + bend * length
        rear = (
            rear[0] + length * (cos(heading) + 4 * cos(middle) + cos(end)) / 6,
            rear[1] + length * (sin(heading) + 4 * sin(middle) + sin(end)) / 6,
        )
        heading = end
        poses.append((rear[0] + ahead * cos(heading), rear[1] + ahead * sin(heading), heading))
    return poses


def _end_faults(trajectory: Trajectory, k: int, place: list[float], name: str, tolerance: float) -> list[str]:
    x, y = trajectory.points[k].tolist()
    heading, faults = float(trajectory.headings[k]), list[str]()
    if dist((x, y), place[:2]) > tolerance:
        faults.append(f"wrong {name}: ({x:g}, {y:g}), not ({place[0]:g}, {place[1]:g})")
    if len(place) > 2 and abs(remainder(heading - place[2], 2 * pi)) > tolerance:
        faults.append(f"wrong {name}: heading {heading:g}, not {place[2]:g}")
    return faults


def _world_faults(trajectory: Trajectory, unit: Kinematics, world: World, tolerance: float) -> Iterator[str]:
    """Check that the way keeps out of obstacles, up to the tolerance and the flatness of the chords of an arc."""
    import shapely

    rings = [shapely.Polygon(ring) for ring in np.split(world.points, world.rings[1:-1]) if len(ring)]
    blocked = shapely.Polygon()
    for ring in rings:
        blocked = blocked.symmetric_difference(ring)  # inside an odd number of rings
    x0, y0, x1, y1 = world.bounds
    for k in range(len(trajectory.times) - 1):
        poses = driven(trajectory, unit, k)
        places = [pose[:2] for pose in poses]
        # a chord of length c between headings that differ by a is c a / 8 off its arc; the speed may change
        bends = [dist(a[:2], b[:2]) * abs(b[2] - a[2]) for a, b in pairwise(poses)]
        slack = tolerance + max(bends, default=0.0) / 4
        shape = shapely.LineString(places) if len(places) > 1 else shapely.Point(places[0])
        inside = shapely.intersection(shape, blocked.buffer(-slack)) if rings else shapely.Point()
        out = [p for p in places if not (x0 - slack <= p[0] <= x1 + slack and y0 - slack <= p[1] <= y1 + slack)]
        if out:
            yield f"outside: the way leaves the world at ({out[0][0]:g}, {out[0][1]:g})"
        elif not inside.is_empty:
            x, y = shapely.get_coordinates(inside)[0].tolist()
            yield f"obstacle: the way after time {trajectory.times[k]:g} leads through an obstacle at ({x:g}, {y:g})"
