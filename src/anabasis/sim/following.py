"""Following: the tactical phase: where each unit wants to go now, from its points or its group's field.

Path following steers to the farthest visible point of the plan instead of along a tube (C. W. Reynolds, Steering
Behaviors For Autonomous Characters, 1999, has the tube). A point counts as passed when the distance to it has been
falling and rises again beside its neighbours; a later point that is nearer is skipped to. Flow following takes the
vector of the cell under the unit's centre.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.ray import in_sight
from anabasis.plan import FlowField, GroupPlan
from anabasis.sim.units import Units
from anabasis.trace import UnitState

__all__ = ["LOOK_EVERY", "Note", "Plans", "follow_field", "follow_path", "judge"]

LOOK_EVERY = 4  # a unit looks for plan points in every fourth step, different units in different steps
_TRIES = 8  # so many points are tried in one look


class Note(IntEnum):
    """What the tactical phase notes about a unit."""

    NONE = 0
    LOST = 1
    WANTS_PLAN = 2
    STUCK = 3
    STUCK_FOR_GOOD = 4


class Plans:
    """What all units follow: points, of which each unit has a stretch, and fields by number.

    points: float64[k, 3]: x, y and the length of the stretch from there to its end.
    """

    def __init__(self) -> None:
        self.points = np.zeros((0, 3))
        self.fields: dict[int, FlowField] = {}

    def take(self, units: Units, which: NDArray[np.int64], plan: GroupPlan) -> None:
        """Give units (int64[k], their numbers) the plan of k units; a path ends in the target's centre."""
        units.route[which] = plan.route
        number = -1
        if plan.field is not None:
            number = max(self.fields, default=-1) + 1
            self.fields[number] = plan.field
        pieces = [self.points]
        total = len(self.points)
        for k, unit in enumerate(which.tolist()):
            path, target = plan.path(k), units.target[unit, :2]
            units.first[unit] = total
            if len(path):
                pieces.append(_with_rests(path if (path[-1] == target).all() else np.vstack([path, target])))
                total += len(pieces[-1])
            units.end[unit] = total
            units.field[unit] = -1 if len(path) else number
        self.points = np.concatenate(pieces)
        for memory in (units.near, units.farthest, units.goal):
            memory[which] = units.first[which]
        units.apart[which] = 0.0
        units.falling[which] = 0
        units.reach[which] = np.inf
        units.lost[which] = 0
        units.best[which] = np.inf
        units.look[which] = 1
        units.note[which] = Note.NONE
        self._forget(units)

    def _forget(self, units: Units) -> None:
        """Drop fields and points that nobody follows any more."""
        moving = units.state <= UnitState.LOST
        used = set(units.field[moving].tolist())
        self.fields = {number: field for number, field in self.fields.items() if number in used}
        kept = np.where(moving, units.end - units.first, 0)
        if len(self.points) < 2 * kept.sum() + 1000:
            return
        pieces = [self.points[a : a + k] for a, k in zip(units.first.tolist(), kept.tolist(), strict=True)]
        self.points = np.concatenate(pieces)
        start = np.cumsum(kept) - kept
        shift = start - units.first
        for memory in (units.first, units.near, units.farthest, units.goal):
            memory[:] += shift
        units.end[:] = start + kept

    def missing(self, units: Units) -> NDArray[np.bool_]:
        """Return bool[n]: units with neither points nor field."""
        return (units.field < 0) & (units.first == units.end)

    def lengths(self, units: Units) -> NDArray[np.float64]:
        """Return float64[n]: the lengths of the plans from where the units are; 0 where there is none."""
        lengths = np.zeros(units.state.size)
        for unit, (x, y) in enumerate(units.position.tolist()):
            number = int(units.field[unit])
            if number >= 0:
                lengths[unit] = self.fields[number].distance[int(y), int(x)]
            elif units.first[unit] < units.end[unit]:
                lengths[unit] = self.points[units.first[unit], 2]
        return np.where(np.isfinite(lengths), lengths, 0.0)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays by name."""
        fields = self.fields.items()
        return {
            "points": self.points,
            **{f"distance.{number}": field.distance for number, field in fields},
            **{f"direction.{number}": field.direction for number, field in fields},
        }

    @classmethod
    def of_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Plans:
        """Return plans from what `arrays` returned."""
        plans = cls()
        plans.points = arrays["points"].copy()
        for name, distance in arrays.items():
            if name.startswith("distance."):
                number = name.removeprefix("distance.")
                plans.fields[int(number)] = FlowField(distance, arrays[f"direction.{number}"])
        return plans


def _with_rests(path: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points with the length of the rest of the way beside each."""
    steps = np.diff(path, axis=0)
    lengths = np.sqrt((steps * steps).sum(axis=1))
    rests = np.append(np.cumsum(lengths[::-1])[::-1], 0.0)
    return np.column_stack([path, rests])


def follow_path(units: Units, points: NDArray[np.float64], layers: NDArray[np.uint8], step: int) -> None:
    """Let the units that have points look for the way and want to go to their goals."""
    _follow_path(
        layers,
        points,
        step,
        units.state,
        units.field,
        units.position,
        units.radius,
        units.layer,
        units.key,
        units.first,
        units.end,
        units.near,
        units.farthest,
        units.goal,
        units.apart,
        units.falling,
        units.reach,
        units.lost,
        units.look,
        units.rest,
        units.best,
        units.idle,
        units.wanted,
    )


def follow_field(units: Units, number: int, field: FlowField) -> None:
    """Let the units of field `number` want what it says at their places."""
    _follow_field(
        field.distance,
        field.direction,
        number,
        units.state,
        units.field,
        units.position,
        units.radius,
        units.target,
        units.lost,
        units.rest,
        units.best,
        units.idle,
        units.wanted,
    )


def judge(units: Units, lost_steps: int, stuck_steps: int) -> bool:
    """Note who got lost, wants a new plan or is stuck; return whether there was anyone."""
    return _judge(units.state, units.lost, units.idle, units.note, lost_steps, stuck_steps) > 0


@kernel
def _follow_path(
    layers: NDArray[np.uint8],
    points: NDArray[np.float64],
    step: int,
    state: NDArray[np.uint8],
    field: NDArray[np.int64],
    position: NDArray[np.float64],
    radius: NDArray[np.float64],
    layer: NDArray[np.int64],
    key: NDArray[np.int64],
    first: NDArray[np.int64],
    end: NDArray[np.int64],
    near: NDArray[np.int64],
    farthest: NDArray[np.int64],
    goal: NDArray[np.int64],
    apart: NDArray[np.float64],
    falling: NDArray[np.uint8],
    reach: NDArray[np.float64],
    lost: NDArray[np.int64],
    look: NDArray[np.uint8],
    rest: NDArray[np.float64],
    best: NDArray[np.float64],
    idle: NDArray[np.int64],
    wanted: NDArray[np.float64],
) -> None:
    for i in range(state.size):
        if state[i] > 1 or field[i] >= 0:
            continue
        x, y = position[i, 0], position[i, 1]
        idle[i] += 1
        if look[i] == 1 or (step + key[i]) % LOOK_EVERY == 0:
            look[i] = 0
            walls = layers[layer[i]]
            _pass_points(walls, points, i, x, y, radius[i], first[i], end[i], near, farthest, apart, falling)
            before = goal[i]
            found = _look(walls, points, x, y, radius[i], first[i], end[i], i, near, farthest, goal)
            gap = math.sqrt(_square(points, goal[i], x, y))
            if goal[i] != before:
                reach[i] = gap
            if found == 0 or gap > 1.5 * reach[i] + 20.0 * radius[i]:  # out of sight or carried off too far
                lost[i] += LOOK_EVERY
            elif found == 2:
                lost[i] = 0
        dx, dy = points[goal[i], 0] - x, points[goal[i], 1] - y
        gap = math.sqrt(dx * dx + dy * dy)
        rest[i] = gap + points[goal[i], 2]
        if best[i] == np.inf:  # the first look at a plan is no progress yet
            best[i] = rest[i]
        elif rest[i] < best[i] - radius[i]:
            best[i] = rest[i]
            idle[i] = 0
        if gap > 1e-9:
            wanted[i, 0] = dx / gap
            wanted[i, 1] = dy / gap
        else:
            wanted[i, 0] = 0.0
            wanted[i, 1] = 0.0


@kernel
def _pass_points(
    walls: NDArray[np.uint8],
    points: NDArray[np.float64],
    i: int,
    x: float,
    y: float,
    radius: float,
    first: int,
    end: int,
    near: NDArray[np.int64],
    farthest: NDArray[np.int64],
    apart: NDArray[np.float64],
    falling: NDArray[np.uint8],
) -> None:
    """Move `near` on when its point was passed, or when a later point is nearer and in sight."""
    at = near[i]
    d = _square(points, at, x, y)
    if at + 1 < end:
        beside = _square(points, at + 1, x, y)
        if at > first:
            beside = max(beside, _square(points, at - 1, x, y))
        passed = falling[i] == 1 and d > apart[i] and d <= beside
        if d < 0.25 * radius * radius or (passed and in_sight(walls, x, y, points[at + 1, 0], points[at + 1, 1])):
            near[i] = at + 1
        else:
            for q in range(at + 1, min(at + 1 + _TRIES, end)):
                dq = _square(points, q, x, y)
                if dq < d and in_sight(walls, x, y, points[q, 0], points[q, 1]):
                    near[i] = q
                    d = dq
    if near[i] != at:
        apart[i] = _square(points, near[i], x, y)
        falling[i] = 0
        farthest[i] = max(farthest[i], near[i])
    else:
        falling[i] = 1 if d < apart[i] else falling[i] if d == apart[i] else 0
        apart[i] = d


@kernel
def _look(
    walls: NDArray[np.uint8],
    points: NDArray[np.float64],
    x: float,
    y: float,
    radius: float,
    first: int,
    end: int,
    i: int,
    near: NDArray[np.int64],
    farthest: NDArray[np.int64],
    goal: NDArray[np.int64],
) -> int:
    """Choose the goal: the farthest point in sight, else the farthest remembered.

    Returns 2 if that is as far as was ever seen, 1 if it is a point on the way back there, 0 if none is in sight.
    """
    far = farthest[i]
    goal[i] = far
    if in_sight(walls, x, y, points[far, 0], points[far, 1]):
        for q in range(far + 1, min(far + 1 + _TRIES, end)):
            if not in_sight(walls, x, y, points[q, 0], points[q, 1]):
                break
            farthest[i] = q
            goal[i] = q
        return 2
    for back in range(1, _TRIES + 1):  # some points before the farthest, then some around the one approached last
        q = far - back if 2 * back <= _TRIES else near[i] + _TRIES - back - 1
        if first <= q < far and in_sight(walls, x, y, points[q, 0], points[q, 1]):
            if _square(points, q, x, y) < radius * radius:
                return 0  # there already, and the way on is still hidden
            goal[i] = q
            return 1
    return 0


@kernel
def _square(points: NDArray[np.float64], k: int, x: float, y: float) -> float:
    dx, dy = points[k, 0] - x, points[k, 1] - y
    return dx * dx + dy * dy


@kernel
def _follow_field(
    distance: NDArray[np.float64],
    direction: NDArray[np.float64],
    number: int,
    state: NDArray[np.uint8],
    field: NDArray[np.int64],
    position: NDArray[np.float64],
    radius: NDArray[np.float64],
    target: NDArray[np.float64],
    lost: NDArray[np.int64],
    rest: NDArray[np.float64],
    best: NDArray[np.float64],
    idle: NDArray[np.int64],
    wanted: NDArray[np.float64],
) -> None:
    for i in range(state.size):
        if state[i] > 1 or field[i] != number:
            continue
        cx, cy = math.floor(position[i, 0]), math.floor(position[i, 1])
        idle[i] += 1
        lost[i] = 0
        dx, dy = direction[cy, cx, 0], direction[cy, cx, 1]
        rest[i] = distance[cy, cx] - (position[i, 0] - cx - 0.5) * dx - (position[i, 1] - cy - 0.5) * dy
        if best[i] == np.inf:  # the first look at a plan is no progress yet
            best[i] = rest[i]
        elif rest[i] < best[i] - radius[i]:
            best[i] = rest[i]
            idle[i] = 0
        if dx == 0.0 and dy == 0.0:  # the target's cell, or one that the field doesn't reach
            if math.floor(target[i, 0]) == cx and math.floor(target[i, 1]) == cy:
                dx, dy = target[i, 0] - position[i, 0], target[i, 1] - position[i, 1]
                gap = math.sqrt(dx * dx + dy * dy)
                if gap > 1e-9:
                    dx, dy = dx / gap, dy / gap
            else:
                lost[i] += 1
        wanted[i, 0] = dx
        wanted[i, 1] = dy


@kernel
def _judge(
    state: NDArray[np.uint8],
    lost: NDArray[np.int64],
    idle: NDArray[np.int64],
    note: NDArray[np.uint8],
    lost_steps: int,
    stuck_steps: int,
) -> int:
    noted = 0
    for i in range(state.size):
        note[i] = 0
        if state[i] > 1:
            continue
        if idle[i] >= stuck_steps:
            note[i] = 4  # STUCK_FOR_GOOD
        elif idle[i] == stuck_steps // 2:
            note[i] = 3  # STUCK
        elif lost[i] >= lost_steps:
            note[i] = 2  # WANTS_PLAN
        elif lost[i] > 0 and state[i] == 0:
            note[i] = 1  # LOST
        elif lost[i] == 0:
            state[i] = 0
        if note[i] != 0:
            noted += 1
    return noted
