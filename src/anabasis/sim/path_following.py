"""Path following: a unit wants to go to the farthest point of its plan that it sees.

The field's usual way is a tube around the path (C. W. Reynolds, Steering Behaviors For Autonomous Characters, 1999);
here points are steered to, as in J. Pacovský, Navigation of units in video games using flow networks, 2019. Beyond the
source, a plan may say by how much it may be shortened that way, so that units that walk side by side around a corner
don't all press to its inside.

A point counts as passed when the distance to it has been falling and rises again beside its neighbours; a later point
that is nearer is skipped to.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.ray import in_sight
from anabasis.sim.units import Track, Units

__all__ = ["LOOK_EVERY", "follow_path"]

LOOK_EVERY = 4  # a unit looks for plan points in every fourth step, different units in different steps
_TRIES = 8  # so many points are tried in one look
_AHEAD, _BACK, _NOWHERE = 2, 1, 0  # what a look finds: the farthest point ever seen, one on the way back to it, none


def follow_path(units: Units, points: NDArray[np.float64], layers: NDArray[np.uint8], step: int) -> None:
    """Let the units that have points look for the way and want to go to their goals."""
    _follow_path(
        layers,
        points,
        step,
        units.state,
        units.position,
        units.radius,
        units.layer,
        units.key,
        units.wanted,
        units.lost,
        units.rest,
        units.track,
    )


@kernel
def _follow_path(
    layers: NDArray[np.uint8],
    points: NDArray[np.float64],
    step: int,
    state: NDArray[np.uint8],
    position: NDArray[np.float64],
    radius: NDArray[np.float64],
    layer: NDArray[np.int64],
    key: NDArray[np.int64],
    wanted: NDArray[np.float64],
    lost: NDArray[np.int64],
    rest: NDArray[np.float64],
    track: Track,
) -> None:
    goal, reach = track.goal, track.reach
    for i in range(state.size):
        if state[i] > 1 or track.first[i] == track.end[i]:
            continue
        x, y = position[i, 0], position[i, 1]
        if track.look[i] == 1 or (step + key[i]) % LOOK_EVERY == 0:
            track.look[i] = 0
            walls = layers[layer[i]]
            _pass_points(walls, points, track, i, x, y, radius[i])
            before = goal[i]
            found = _look(walls, points, track, i, x, y, radius[i])
            gap = math.sqrt(_square(points, goal[i], x, y))
            if goal[i] != before:
                reach[i] = gap
            if found == _NOWHERE or gap > 1.5 * reach[i] + 20.0 * radius[i]:  # out of sight or carried off too far
                lost[i] += LOOK_EVERY
            elif found == _AHEAD:
                lost[i] = 0
        dx, dy = points[goal[i], 0] - x, points[goal[i], 1] - y
        gap = math.sqrt(dx * dx + dy * dy)
        rest[i] = gap + points[goal[i], 2]
        if gap > 1e-9:
            wanted[i, 0] = dx / gap
            wanted[i, 1] = dy / gap
        else:
            wanted[i, 0] = 0.0
            wanted[i, 1] = 0.0


@kernel
def _pass_points(
    walls: NDArray[np.uint8], points: NDArray[np.float64], track: Track, i: int, x: float, y: float, radius: float
) -> None:
    """Move `near` on when its point was passed, or when a later point is nearer and in sight."""
    near, apart, falling, end = track.near, track.apart, track.falling, track.end[i]
    at = near[i]
    d = _square(points, at, x, y)
    if at + 1 < end:
        beside = _square(points, at + 1, x, y)
        if at > track.first[i]:
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
        track.farthest[i] = max(track.farthest[i], near[i])
    else:
        falling[i] = 1 if d < apart[i] else falling[i] if d == apart[i] else 0
        apart[i] = d


@kernel
def _look(
    walls: NDArray[np.uint8], points: NDArray[np.float64], track: Track, i: int, x: float, y: float, radius: float
) -> int:
    """Choose the goal: the farthest point in sight, else the farthest remembered. Return what was found."""
    farthest, goal, first, near = track.farthest, track.goal, track.first[i], track.near[i]
    far = farthest[i]
    goal[i] = far
    if in_sight(walls, x, y, points[far, 0], points[far, 1]):
        for q in range(far + 1, min(far + 1 + _TRIES, track.end[i])):
            straight = math.sqrt(_square(points, near, points[q, 0], points[q, 1]))
            if points[near, 2] - points[q, 2] - straight > track.cut[i]:
                break
            if not in_sight(walls, x, y, points[q, 0], points[q, 1]):
                break
            farthest[i] = q
            goal[i] = q
        return _AHEAD
    for back in range(1, _TRIES + 1):  # some points before the farthest, then some around the one approached last
        q = far - back if 2 * back <= _TRIES else track.near[i] + _TRIES - back - 1
        if first <= q < far and in_sight(walls, x, y, points[q, 0], points[q, 1]):
            if _square(points, q, x, y) < radius * radius:
                return _NOWHERE  # there already, and the way on is still hidden
            goal[i] = q
            return _BACK
    return _NOWHERE


@kernel
def _square(points: NDArray[np.float64], k: int, x: float, y: float) -> float:
    dx, dy = points[k, 0] - x, points[k, 1] - y
    return dx * dx + dy * dy
