"""Counting: what the counters say of a step, and who has arrived."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.wall import wall_gap
from anabasis.sim.neighbours import CellList
from anabasis.sim.steering import Forces
from anabasis.sim.units import Tally, Units

__all__ = ["count"]

_HARDLY = 0.02  # a step below this share of the greatest speed is no movement
_TOUCH = 1.0 - 1e-9  # rounding in resting contacts is no collision


def count(cells: CellList, forces: Forces, units: Units, layers: NDArray[np.uint8], step: int) -> bool:
    """Count what happened to every unit in this step; units in their target have arrived. Return whether any has."""
    arrived = _count(
        cells.size,
        cells.order,
        cells.body,
        forces.contact,
        forces.contacts,
        layers,
        step,
        units.state,
        units.position,
        units.velocity,
        units.target,
        units.layer,
        units.idle,
        units.tally,
    )
    return arrived > 0


@kernel
def _count(
    size: int,
    order: NDArray[np.int64],
    body: NDArray[np.float64],
    contact: NDArray[np.int32],
    contacts: NDArray[np.int64],
    layers: NDArray[np.uint8],
    step: int,
    state: NDArray[np.uint8],
    position: NDArray[np.float64],
    velocity: NDArray[np.float64],
    target: NDArray[np.float64],
    layer: NDArray[np.int64],
    idle: NDArray[np.int64],
    tally: Tally,
) -> int:
    arrived = 0
    for k in range(size):
        i = order[k]
        x, y, radius, speed = position[i, 0], position[i, 1], body[k, 4], body[k, 5]
        tally.updates[i] += 1
        fast = math.sqrt(velocity[i, 0] * velocity[i, 0] + velocity[i, 1] * velocity[i, 1])
        tally.distance_travelled[i] += fast
        if fast < speed * (1.0 - 1e-9):
            tally.not_full_move[i] += 1
            if fast < _HARDLY * speed:
                tally.cant_move[i] += 1
        collided = 0
        for c in range(contacts[k]):
            j = contact[k, c]
            dx, dy = position[order[j], 0] - x, position[order[j], 1] - y
            touch = (radius + body[j, 4]) * _TOUCH
            if dx * dx + dy * dy < touch * touch:
                collided = 1
            if body[j, 6] < body[k, 6] and body[j, 7] + 1 < idle[i]:
                idle[i] = int(body[j, 7]) + 1  # waiting behind somebody who gets on is not being stuck
        tally.unit_collisions[i] += collided
        walls = layers[layer[i]]
        if walls[math.floor(y) + 1, math.floor(x) + 1] - 1.0 < radius:
            _, _, d = wall_gap(walls, x, y, radius * _TOUCH)
            if d < radius * _TOUCH:
                tally.wall_collisions[i] += 1
        dx, dy = target[i, 0] - x, target[i, 1] - y
        if dx * dx + dy * dy < target[i, 2] * target[i, 2]:
            state[i] = 2
            tally.arrival[i] = step
            velocity[i, 0] = 0.0
            velocity[i, 1] = 0.0
            arrived += 1
    return arrived
