"""Flow following: a unit wants what its group's field says for the cell under its centre (C. W. Reynolds, Steering
Behaviors For Autonomous Characters, 1999).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.plan import FlowField
from anabasis.sim.units import Units

__all__ = ["follow_field"]


def follow_field(units: Units, number: int, field: FlowField) -> None:
    """Let the units of field `number` want what it says at their places."""
    _follow_field(
        field.distance,
        field.direction,
        number,
        units.state,
        units.field,
        units.position,
        units.target,
        units.wanted,
        units.lost,
        units.rest,
    )


@kernel
def _follow_field(
    distance: NDArray[np.float64],
    direction: NDArray[np.float64],
    number: int,
    state: NDArray[np.uint8],
    field: NDArray[np.int64],
    position: NDArray[np.float64],
    target: NDArray[np.float64],
    wanted: NDArray[np.float64],
    lost: NDArray[np.int64],
    rest: NDArray[np.float64],
) -> None:
    for i in range(state.size):
        if state[i] > 1 or field[i] != number:
            continue
        x, y = position[i, 0], position[i, 1]
        cx, cy = math.floor(x), math.floor(y)
        lost[i] = 0
        dx, dy = direction[cy, cx, 0], direction[cy, cx, 1]
        rest[i] = distance[cy, cx] - (x - cx - 0.5) * dx - (y - cy - 0.5) * dy
        if dx == 0.0 and dy == 0.0:  # the target's cell, or one that the field doesn't reach
            if math.floor(target[i, 0]) == cx and math.floor(target[i, 1]) == cy:
                dx, dy = target[i, 0] - x, target[i, 1] - y
                gap = math.sqrt(dx * dx + dy * dy)
                if gap > 1e-9:
                    dx, dy = dx / gap, dy / gap
            else:
                lost[i] = 1
        wanted[i, 0] = dx
        wanted[i, 1] = dy
