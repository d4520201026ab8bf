"""Collision: how far each unit gets in a step, between units in touch and along walls.

Each of two units may close at most half of the gap between them, so no order of moving matters and a step can't make
them overlap; the velocities are projected onto these half-planes one after the other (as in position-based dynamics:
M. Müller, B. Heidelberger, M. Hennix, J. Ratcliff, Position Based Dynamics, 2007). Discs may reach into walls;
centres never do.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.wall import wall_gap
from anabasis.sim.neighbours import CellList
from anabasis.sim.steering import CONTACTS, Forces
from anabasis.sim.units import Units

__all__ = ["move"]

_PASSES = 5  # times that the half-planes of all neighbours are gone through
_PUSH = 0.4  # a pushing unit closes in by at most this share of its greatest speed
_SQUEEZE = 0.5  # and down to this share of the deepest overlap


def move(cells: CellList, forces: Forces, units: Units, layers: NDArray[np.uint8], overlap: float) -> None:
    """Move every unit as far along its new velocity as neighbours and walls let it."""
    _move(
        cells.size,
        cells.order,
        cells.body,
        forces.velocity,
        forces.contact,
        forces.contacts,
        np.empty((CONTACTS, 4)),
        layers,
        overlap,
        units.position,
        units.velocity,
        units.facing,
        units.target,
        units.layer,
    )


@kernel
def _move(
    size: int,
    order: NDArray[np.int64],
    body: NDArray[np.float64],
    new: NDArray[np.float64],
    contact: NDArray[np.int32],
    contacts: NDArray[np.int64],
    bounds: NDArray[np.float64],
    layers: NDArray[np.uint8],
    overlap: float,
    position: NDArray[np.float64],
    velocity: NDArray[np.float64],
    facing: NDArray[np.float64],
    target: NDArray[np.float64],
    layer: NDArray[np.int64],
) -> None:
    for k in range(size):
        i = order[k]
        x, y, radius, speed = body[k, 0], body[k, 1], body[k, 4], body[k, 5]
        go_x, go_y = target[i, 0] - x, target[i, 1] - y
        if go_x * go_x + go_y * go_y < target[i, 2] * target[i, 2]:  # began inside the target: done where it stands
            velocity[i, 0] = 0.0
            velocity[i, 1] = 0.0
            continue
        walls = layers[layer[i]]
        _bounds(k, body, contact, contacts[k], overlap, bounds)
        vx, vy = _yield(bounds, contacts[k], new[k, 0], new[k, 1])
        if walls[math.floor(y) + 1, math.floor(x) + 1] - 1.0 < radius:
            vx, vy = _shun_walls(walls, x, y, radius, speed, vx, vy)
        fast = math.sqrt(vx * vx + vy * vy)
        if fast > speed:
            vx, vy = vx * (speed / fast), vy * (speed / fast)
        to_x, to_y = _walk(walls, x, y, vx, vy, radius)
        share = _free_share(bounds, contacts[k], to_x - x, to_y - y)
        if share < 1.0:
            to_x, to_y = x + (to_x - x) * share, y + (to_y - y) * share
            if walls[math.floor(to_y) + 1, math.floor(to_x) + 1] == 0:
                to_x, to_y = x, y
        vx, vy = to_x - x, to_y - y
        position[i, 0] = to_x
        position[i, 1] = to_y
        velocity[i, 0] = vx
        velocity[i, 1] = vy
        fast = math.sqrt(vx * vx + vy * vy)
        if fast > 0.1 * speed:  # who is pushed about hardly turns
            facing[i, 0] = vx / fast
            facing[i, 1] = vy / fast


@kernel
def _bounds(
    k: int,
    body: NDArray[np.float64],
    contact: NDArray[np.int32],
    contacts: int,
    overlap: float,
    bounds: NDArray[np.float64],
) -> None:
    """Write for each contact of a unit: the direction to it, how far to move that way, and how far at the very most.

    Each of two may close half of the gap. Who has the shorter way left may push a little into the other, who makes all
    the room: so two can't block a door.
    """
    for c in range(contacts):
        j = contact[k, c]
        dx, dy = body[j, 0] - body[k, 0], body[j, 1] - body[k, 1]
        d = math.sqrt(dx * dx + dy * dy) + 1e-12  # units may stand on one point
        touch = body[k, 4] + body[j, 4]
        most = 0.5 * (d - touch)
        if body[k, 6] < body[j, 6]:
            deep = (touch - d) / (_SQUEEZE * overlap * touch + 1e-12)
            most = max(most, _PUSH * body[k, 5] * (1.0 - deep))
        elif body[j, 6] < body[k, 6]:
            most = min(most, d - touch)
        bounds[c, 0] = dx / d
        bounds[c, 1] = dy / d
        bounds[c, 2] = most
        bounds[c, 3] = max(0.5 * (d - (1.0 - overlap) * touch), 0.0)


@kernel
def _yield(bounds: NDArray[np.float64], contacts: int, vx: float, vy: float) -> tuple[float, float]:
    """Return the velocity with its share toward each contact cut to the bound."""
    for _ in range(_PASSES):
        cut = False
        for c in range(contacts):
            beyond = vx * bounds[c, 0] + vy * bounds[c, 1] - bounds[c, 2]
            if beyond > 0.0:
                vx -= beyond * bounds[c, 0]
                vy -= beyond * bounds[c, 1]
                cut = True
        if not cut:
            break
    return vx, vy


@kernel
def _free_share(bounds: NDArray[np.float64], contacts: int, go_x: float, go_y: float) -> float:
    """Return what share of a move keeps the overlap with everyone in bounds, whatever the others do."""
    share = 1.0
    for c in range(contacts):
        toward = go_x * bounds[c, 0] + go_y * bounds[c, 1]
        if toward > bounds[c, 3]:
            share = min(share, bounds[c, 3] / toward)
    return share


@kernel
def _shun_walls(
    walls: NDArray[np.uint8], x: float, y: float, radius: float, speed: float, vx: float, vy: float
) -> tuple[float, float]:
    """Turn a disc that reaches into a wall aside, along the wall or around its corner, and let it drift out."""
    dx, dy, d = wall_gap(walls, x, y, radius)
    if 1e-9 < d < radius:
        dx, dy = dx / d, dy / d
        toward = vx * dx + vy * dy
        drift = min(0.1 * speed, 0.2 * (radius - d))
        if toward > 0.0:
            fast = math.sqrt(vx * vx + vy * vy)
            vx -= 0.8 * toward * dx
            vy -= 0.8 * toward * dy
            along = vx * dy - vy * dx
            if abs(along) > 0.02 * fast:
                more = math.copysign(0.8 * toward, along)
                vx += more * dy
                vy -= more * dx
        vx -= drift * dx
        vy -= drift * dy
    return vx, vy


@kernel
def _walk(walls: NDArray[np.uint8], x: float, y: float, vx: float, vy: float, radius: float) -> tuple[float, float]:
    """Return where a step ends: at its aim if the way is free, else slid along the wall or around its corner."""
    cx, cy = math.floor(x), math.floor(y)
    to_x, to_y = math.floor(x + vx), math.floor(y + vy)
    free_x = walls[cy + 1, to_x + 1] != 0
    free_y = walls[to_y + 1, cx + 1] != 0
    if walls[to_y + 1, to_x + 1] != 0:
        if to_x == cx or to_y == cy:
            return x + vx, y + vy
        at_x, at_y = max(cx, to_x), max(cy, to_y)  # the corner: through which side cell does the line pass it?
        cross = (vx * (at_y - y) - vy * (at_x - x)) * (to_x - cx) * (to_y - cy)
        if (free_x and free_y) or (cross > 0.0 and free_x) or (cross < 0.0 and free_y):
            return x + vx, y + vy
    if free_x and free_y:  # only the cell across the corner is a wall
        if abs(vx) > abs(vy):
            return x + vx, y
        return x, y + vy
    if free_x and to_y != cy:
        return _around(walls, x, cx, cy, to_y, vx, vy, radius), y
    if free_y and to_x != cx:
        return x, _around(walls.T, y, cy, cx, to_x, vy, vx, radius)
    return x, y


@kernel
def _around(
    walls: NDArray[np.uint8], x: float, cx: int, cy: int, to_y: int, vx: float, vy: float, radius: float
) -> float:
    """Return the new x of a unit that a wall stops in y: it slides, or cuts the corner to a free cell nearby."""
    side = 0
    gap = radius
    for s in (-1, 1):  # the nearer end of the wall cell, if a free way leads around it
        d = x - cx if s < 0 else cx + 1.0 - x
        if d < gap and walls[cy + 1, cx + s + 1] != 0 and walls[to_y + 1, cx + s + 1] != 0:
            side, gap = s, d
    if side != 0 and (vx * side > 0.0 or abs(vx) < 0.5 * abs(vy)):
        return x + side * math.sqrt(vx * vx + vy * vy)
    if walls[cy + 1, math.floor(x + vx) + 1] == 0:
        return x
    return x + vx
