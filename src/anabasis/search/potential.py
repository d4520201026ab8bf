"""Potential field: downhill toward the goal and away from obstacles, with a second field to get out of traps.

O. Khatib, "Real-time obstacle avoidance for manipulators and mobile robots", 1986. The auxiliary field leads along the
obstacle until the goal is nearer than at the trap: the leave rule of V. J. Lumelsky, A. A. Stepanov, "Path-planning
strategies for a point mobile automaton moving amidst unknown obstacles of arbitrary shape", 1987.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.free_space import sees
from anabasis.decompose.free_space import FreeSpace
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.sampling import Ends, check_samples, default_step, tree_result, tree_trace
from anabasis.world import World

__all__ = ["potential_field"]

_PATIENCE = 40  # steps without coming nearer to the goal, after which the unit is stuck
_RUNNING, _ARRIVED, _STUCK = 0, 1, 2


def potential_field(
    world: World,
    start: Sequence[float],
    goal: Sequence[float],
    *,
    attraction: float = 1.0,
    repulsion: float = 1.0,
    reach: float | None = None,
    step: float | None = None,
    auxiliary: bool = True,
    ground: Grid | None = None,
    slope: float = 0.5,
    limit: int = 10_000,
    traced: bool = False,
) -> Result[Path]:
    """Find a path between two places (x, y) by following the sum of forces, step by step.

    The goal attracts with the constant force `attraction` (its potential is linear in the distance), each obstacle and
    the bounds repel by `repulsion` · (reach / distance - 1) if nearer than `reach`, the less the nearer the goal is
    (S. S. Ge, Y. J. Cui, "New potential functions for mobile robot path planning", 2000), and with `ground`, a map
    whose cells cover the world, `slope` times the fall of the price per cell draws to where walking is cheap. reach: by
    default a thirtieth of the diagonal of the world; step: by default a tenth of that.

    Who has not come nearer to the goal for 40 steps is stuck. With `auxiliary` he then goes along the obstacle, first
    round one side and when that leads back to the trap round the other, until the goal is nearer than it was in the
    trap; without, the search ends. No promise to find a path, or a short one. stats: `expanded` = `steps`, `traps`;
    LIMIT when stuck for good or after `limit` steps, then `nearest_x`, `nearest_y` tell where. NO_SOLUTION, the bound
    and the errors are those of `rrt`.
    """
    ends = Ends(world, start, goal)
    reach = default_step(world, reach, 1 / 30, "reach")
    step = default_step(world, reach / 10 if step is None else step, 1.0)
    limit = check_samples(limit, "limit of steps")
    weights = [float(freeze(w, np.float64, (), "weight of a force")) for w in (attraction, repulsion, slope)]
    if min(weights) < 0 or not np.isfinite(weights).all():
        raise InputError("weight of a force", found=f"{min(weights)}", expected="finite numbers of at least 0")
    if ends.closed is not None:
        return ends.closed
    price = np.empty((0, 0)) if ground is None else ground.cost
    numbers = (*ends.start, *ends.goal, step, reach, *weights)
    points, state, steps, traps = _potential(
        ends.free.arrays, _rings(ends.free), numbers, bool(auxiliary), price, limit
    )
    stats: dict[str, float] = {"expanded": steps, "generated": len(points), "states": len(points)}
    stats |= {"steps": steps, "traps": traps}
    trace = tree_trace(points, np.arange(len(points)) - 1, ends.goal) if traced else None
    if state == _ARRIVED:
        return tree_result(ends, points, "", stats, trace)
    x, y = points[np.hypot(*(points - np.array(ends.goal)).T).argmin()].tolist()
    stats |= {"nearest_x": x, "nearest_y": y}
    reason = f"stuck in a local minimum at ({x:g}, {y:g})" if state == _STUCK else f"gave up after {steps} steps"
    return tree_result(ends, points[:0], reason, stats, trace)


def _rings(free: FreeSpace) -> NDArray[np.int64]:
    """Return int64[n]: the number of the closed boundary that each corner belongs to."""
    ring, count = np.full(free.size, -1), 0
    after = free.after.tolist()
    for first in range(free.size):
        corner = first
        while ring[corner] < 0:
            ring[corner] = count
            corner = after[corner]
        count += ring[first] == count
    return ring


@kernel
def _potential(
    space: Any, rings: Any, numbers: Any, auxiliary: bool, price: Any, limit: int
) -> tuple[Any, int, int, int]:
    """Walk; return the points, how it ended, the steps and how often the unit was stuck."""
    start_x, start_y, goal_x, goal_y, step, reach, attraction, repulsion, slope = numbers
    points = np.empty((limit + 2, 2))
    points[0, 0], points[0, 1] = start_x, start_y
    x, y, size = start_x, start_y, 1
    around = np.empty((max(1, rings.max() + 1), 3))  # of each boundary: distance, and the way from its nearest point
    away = math.sqrt((goal_x - x) ** 2 + (goal_y - y) ** 2)
    best, since, traps, side, trapped = away, 0, 0, 0.0, np.inf
    trap_x, trap_y, turned, left = x, y, False, False
    for done in range(limit):
        if away <= step and sees(space, x, y, goal_x, goal_y):
            points[size, 0], points[size, 1] = goal_x, goal_y
            return points[: size + 1].copy(), _ARRIVED, done, traps
        _look_around(space, rings, x, y, around)
        if side == 0.0:
            fx, fy = attraction * (goal_x - x) / away, attraction * (goal_y - y) / away
            for k in range(len(around)):
                if around[k, 0] < reach:
                    push = repulsion * (reach / max(around[k, 0], 1e-9 * reach) - 1.0) * min(1.0, away / reach)
                    fx += push * around[k, 1]
                    fy += push * around[k, 2]
            rise_x, rise_y = _rise(price, x, y)
            fx, fy = fx - slope * rise_x, fy - slope * rise_y
            to_x, to_y = _stride(space, x, y, fx, fy, step)
        else:
            near = np.argmin(around[:, 0])
            out_x, out_y = around[near, 1], around[near, 2]
            pull = min(max((0.5 * reach - around[near, 0]) / (0.5 * reach), -1.0), 1.0)
            fx, fy = pull * out_x - side * out_y, pull * out_y + side * out_x
            to_x, to_y = x, y
            for turn in range(8):  # where the wall bends inwards, turn away from it until there is a way
                angle = -side * turn * math.pi / 8.0
                cos, sin = math.cos(angle), math.sin(angle)
                to_x, to_y = _stride(space, x, y, fx * cos - fy * sin, fx * sin + fy * cos, step)
                if to_x != x or to_y != y:
                    break
        if to_x != x or to_y != y:
            x, y = to_x, to_y
            points[size, 0], points[size, 1] = x, y
            size += 1
        away = math.sqrt((goal_x - x) ** 2 + (goal_y - y) ** 2)
        since += 1
        if side == 0.0:
            if away < best - 0.01 * step:
                best, since = away, 0
            if since >= _PATIENCE:  # stuck
                traps += 1
                if not auxiliary:
                    return points[:size].copy(), _STUCK, done + 1, traps
                near = np.argmin(around[:, 0])
                cross = around[near, 1] * (goal_y - y) - around[near, 2] * (goal_x - x)
                side = 1.0 if cross >= 0.0 else -1.0
                trapped, trap_x, trap_y, turned, left, since = best, x, y, False, False, 0
        elif away < trapped - step:  # out of the trap
            side, best, since = 0.0, away, 0
        else:
            from_trap = math.sqrt((x - trap_x) ** 2 + (y - trap_y) ** 2)
            left = left or from_trap > 4.0 * step
            if (left and from_trap <= step) or since > limit // 4:  # all round, or lost
                if turned:
                    return points[:size].copy(), _STUCK, done + 1, traps
                side, turned, left, since = -side, True, False, 0
    return points[:size].copy(), _RUNNING, limit, traps


@kernel
def _look_around(space: Any, rings: Any, x: float, y: float, around: Any) -> None:
    """Write the distance to each closed boundary and the unit vector away from its nearest point."""
    corners, after = space[0], space[1]
    around[:, 0] = np.inf
    around[:, 1:] = 0.0
    for i in range(len(corners)):
        ax, ay = corners[i, 0], corners[i, 1]
        dx, dy = corners[after[i], 0] - ax, corners[after[i], 1] - ay
        t = min(max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0.0), 1.0)
        px, py = x - (ax + t * dx), y - (ay + t * dy)
        length = math.sqrt(px * px + py * py)
        k = rings[i]
        if length < around[k, 0]:
            if length < 1e-12 * (abs(x) + abs(y) + 1.0):  # on the edge: away is its free side
                px, py, side = -dy, dx, math.sqrt(dx * dx + dy * dy)
                around[k, 0], around[k, 1], around[k, 2] = 0.0, px / side, py / side
            else:
                around[k, 0], around[k, 1], around[k, 2] = length, px / length, py / length


@kernel
def _rise(price: Any, x: float, y: float) -> tuple[float, float]:
    """Return by how much the price rises per cell in x and in y; walls and what lies outside are as dear as here."""
    height, width = price.shape
    rise_x, rise_y = 0.0, 0.0
    column, row = math.floor(x), math.floor(y)
    if 0 <= column < width and 0 <= row < height and price[row, column] < np.inf:
        here = price[row, column]
        for k in range(4):
            dx, dy = (1, -1, 0, 0)[k], (0, 0, 1, -1)[k]
            if 0 <= column + dx < width and 0 <= row + dy < height and price[row + dy, column + dx] < np.inf:
                rise_x += 0.5 * dx * (price[row + dy, column + dx] - here)
                rise_y += 0.5 * dy * (price[row + dy, column + dx] - here)
    return rise_x, rise_y


@kernel
def _stride(space: Any, x: float, y: float, fx: float, fy: float, step: float) -> tuple[float, float]:
    """Return where a step in the direction of a force leads, a shorter one if something is in the way."""
    force = math.sqrt(fx * fx + fy * fy)
    if force < 1e-12:
        return x, y
    for k in range(5):
        size = step / 2.0**k / force
        if sees(space, x, y, x + fx * size, y + fy * size):
            return x + fx * size, y + fy * size
    return x, y
