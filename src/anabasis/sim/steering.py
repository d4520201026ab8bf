"""Steering: the forces of the operational phase: what velocity each unit takes, walls and touch aside.

Seek, separation, alignment, obstacle avoidance by rays and collision avoidance after C. W. Reynolds, Steering
Behaviors For Autonomous Characters, 1999; the side-step before a collision is shared by both units as in J. van den
Berg, M. Lin, D. Manocha, Reciprocal Velocity Obstacles for Real-Time Multi-Agent Navigation, 2008.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.random import random_fraction
from anabasis._kernel.ray import cast_ray
from anabasis.scenario import Steering
from anabasis.sim.neighbours import CellList
from anabasis.sim.units import Units

__all__ = ["CONTACTS", "NOTHING", "Felt", "Forces"]

_PATIENCE = 100  # steps without getting on after which a unit sometimes steps back, which loosens a jam
_MARGIN = 1.25  # a miss by less than this share of touch is a coming collision
CONTACTS = 24  # a unit heeds so many others that it could touch in this step


class Weights(NamedTuple):
    """The numbers of a `Steering` as the kernel takes them; `ray_length` is in radii."""

    seek: float
    separation: float
    alignment: float
    obstacle_avoidance: float
    random_feeler: float
    collision_avoidance: float
    separation_distance: float
    avoidance_distance: float
    avoidance_steps: float
    ray_length: float
    force: float


class Felt(NamedTuple):
    """What one unit felt in a step.

    forces: float64[2] each, by name, in shares of its speed; their sum is the velocity that it wanted. rays:
    float64[r, 2, 2], from where it looked for walls, and how far it saw; the last one is the random feeler.
    """

    forces: dict[str, NDArray[np.float64]]
    rays: NDArray[np.float64]


NOTHING = Felt({}, np.zeros((0, 2, 2)))


class Forces:
    """The forces of a steering, and what they leave for the movement.

    velocity: float64[n, 2], the new velocities, in the order of the cell list. contact: int32[n, CONTACTS], places in
    that list of those that the unit could touch in this step; contacts: int64[n], their numbers. rays: float64[rays,
    2], their directions as seen from a unit that faces +x.
    """

    def __init__(self, steering: Steering, units: int) -> None:
        numbers = {name: float(getattr(steering, name)) for name in Weights.__annotations__}
        self.weights = Weights(**{**numbers, "ray_length": 2.0 * steering.ray_length})
        spread = math.radians(steering.ray_spread)
        angles = [0.0] if steering.rays == 1 else np.linspace(-spread, spread, int(steering.rays)).tolist()
        self.rays = np.array([(math.cos(a), math.sin(a)) for a in angles]).reshape(-1, 2)
        self.velocity = np.zeros((units, 2))
        self.contact = np.zeros((units, CONTACTS), np.int32)
        self.contacts = np.zeros(units, np.int64)

    def apply(self, cells: CellList, units: Units, layers: NDArray[np.uint8], random_key: int, slow_key: int) -> None:
        """Find the neighbours of every unit and its new velocity; `slow_key` of the random numbers changes rarely."""
        _steer(
            cells.size,
            cells.columns,
            cells.mask,
            cells.start,
            cells.bins,
            cells.order,
            cells.body,
            units.wanted,
            units.facing,
            units.key,
            units.layer,
            layers,
            self.weights,
            self.rays,
            random_key,
            slow_key,
            self.velocity,
            self.contact,
            self.contacts,
        )

    def felt(
        self,
        cells: CellList,
        units: Units,
        layers: NDArray[np.uint8],
        keys: tuple[int, int],
        unit: int,
        facing: NDArray[np.float64],
    ) -> Felt:
        """Return what one unit felt in the step that was just made; one that was not on the move felt nothing.

        keys: both keys of that step; facing float64[2]: where the unit faced before it.
        """
        places = np.flatnonzero(cells.order[: cells.size] == unit)
        if not places.size:
            return NOTHING
        k, (random_key, slow_key), unit_key = int(places[0]), keys, int(units.key[unit])
        x, y, vx, vy, radius, speed, _, idle = cells.body[k].tolist()
        to = units.wanted[unit].copy()
        if idle > _PATIENCE and random_fraction(slow_key, unit_key, 5) < 0.25:
            to = -to
        none = self.weights._replace(separation=0.0, alignment=0.0, collision_avoidance=0.0)
        parts = {"way": self.weights.seek * to}
        for name in ("separation", "alignment", "collision_avoidance"):
            only = none._replace(**{name: getattr(self.weights, name)})
            near = self.contact.copy(), self.contacts.copy()
            crowd = cells.bins, cells.columns, cells.mask, cells.start, cells.body
            parts[name] = np.array(_crowd(k, *crowd, unit_key, only, random_key, *near))
        walls = layers[units.layer[unit]]
        length = _reach(self.weights, radius, math.hypot(vx, vy) / speed)
        fan = float(facing[0]), float(facing[1]), length, self.rays, random_key, unit_key
        turn = np.array(_feel(walls, x, y, radius, self.weights, *fan))
        turn -= min(float(turn @ to), 0.0) * to
        rays = np.full((len(self.rays) + 1, 2, 2), (x, y))
        for r in range(len(rays)):
            dx, dy, long = _ray(r, *fan)
            rays[r, 1] += np.array((dx, dy)) * cast_ray(walls, x, y, dx, dy, long)
        return Felt({**parts, "walls": turn}, rays)


@kernel
def _steer(
    size: int,
    columns: int,
    mask: int,
    start: NDArray[np.int64],
    bins: NDArray[np.int64],
    order: NDArray[np.int64],
    body: NDArray[np.float64],
    wanted: NDArray[np.float64],
    facing: NDArray[np.float64],
    key: NDArray[np.int64],
    layer: NDArray[np.int64],
    layers: NDArray[np.uint8],
    weights: Weights,
    rays: NDArray[np.float64],
    random_key: int,
    slow_key: int,
    velocity: NDArray[np.float64],
    contact: NDArray[np.int32],
    contacts: NDArray[np.int64],
) -> None:
    for k in range(size):
        i = order[k]
        unit_key = int(key[i])
        x, y, vx, vy, radius, speed = body[k, 0], body[k, 1], body[k, 2], body[k, 3], body[k, 4], body[k, 5]
        to_x, to_y = wanted[i, 0], wanted[i, 1]
        if body[k, 7] > _PATIENCE and random_fraction(slow_key, unit_key, 5) < 0.25:
            to_x, to_y = -to_x, -to_y
        push_x, push_y = _crowd(k, bins, columns, mask, start, body, unit_key, weights, random_key, contact, contacts)
        walls = layers[layer[i]]
        if walls[math.floor(y) + 1, math.floor(x) + 1] - 1.0 < 2.0 * weights.ray_length * radius:
            face_x, face_y = facing[i, 0], facing[i, 1]
            length = _reach(weights, radius, math.sqrt(vx * vx + vy * vy) / speed)
            turn_x, turn_y = _feel(walls, x, y, radius, weights, face_x, face_y, length, rays, random_key, unit_key)
            back = turn_x * to_x + turn_y * to_y
            if back < 0.0:  # walls turn a unit aside; they don't stop it, for it knows that its way is free
                turn_x -= back * to_x
                turn_y -= back * to_y
            push_x += turn_x
            push_y += turn_y
        to_x = weights.seek * to_x + push_x
        to_y = weights.seek * to_y + push_y
        length = math.sqrt(to_x * to_x + to_y * to_y)
        share = speed if length <= 1.0 else speed / length
        change_x, change_y = to_x * share - vx, to_y * share - vy
        change = math.sqrt(change_x * change_x + change_y * change_y)
        most = weights.force * speed
        share = 1.0 if change <= most else most / change
        velocity[k, 0] = vx + change_x * share
        velocity[k, 1] = vy + change_y * share


@kernel
def _crowd(
    k: int,
    bins: NDArray[np.int64],
    columns: int,
    mask: int,
    start: NDArray[np.int64],
    body: NDArray[np.float64],
    unit_key: int,
    weights: Weights,
    random_key: int,
    contact: NDArray[np.int32],
    contacts: NDArray[np.int64],
) -> tuple[float, float]:
    """Return the sum of separation, alignment and collision avoidance of one unit; list whom it could touch."""
    x, y, vx, vy, radius, speed = body[k, 0], body[k, 1], body[k, 2], body[k, 3], body[k, 4], body[k, 5]
    apart_x, apart_y, mean_x, mean_y, dodge_x, dodge_y = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    seen, touching = 0, 0
    for row in range(-1, 2):
        low = bins[k] + row * columns - 1
        first, last = start[low & mask], start[((low + 2) & mask) + 1]
        parts = 1 if (low & mask) <= ((low + 2) & mask) else 2
        for part in range(parts):
            if parts == 2:  # the three slots go over the end of the table
                first = start[low & mask] if part == 0 else 0
                last = start[mask + 1] if part == 0 else start[((low + 2) & mask) + 1]
            for j in range(first, last):
                if bins[j] < low or bins[j] > low + 2 or j == k:
                    continue
                dx, dy = x - body[j, 0], y - body[j, 1]
                square = dx * dx + dy * dy
                touch = radius + body[j, 4]
                reach = weights.avoidance_distance * touch
                if square >= reach * reach:
                    continue
                if touching < contact.shape[1] and square < (touch + speed + body[j, 5]) ** 2:
                    contact[k, touching] = j
                    touching += 1
                if square < 1e-18:  # on one point: away in a random direction
                    dx = random_fraction(random_key, unit_key, 1) - 0.5
                    dy = random_fraction(random_key, unit_key, 2) - 0.5
                    d = math.sqrt(dx * dx + dy * dy) + 1e-9
                    apart_x += 4.0 * dx / d
                    apart_y += 4.0 * dy / d
                    continue
                near = weights.separation_distance * touch
                if square < near * near:
                    d = math.sqrt(square)
                    share = min(touch / d - 1.0 / weights.separation_distance, 1.0) / d
                    apart_x += share * dx
                    apart_y += share * dy
                seen += 1
                mean_x += body[j, 2]
                mean_y += body[j, 3]
                go_x, go_y = vx - body[j, 2], vy - body[j, 3]
                closing = -(dx * go_x + dy * go_y)
                if closing > 0.0 and square > touch * touch:
                    side_x, side_y = _sidestep(dx, dy, go_x, go_y, closing, touch, weights.avoidance_steps)
                    dodge_x += side_x
                    dodge_y += side_y
    contacts[k] = touching
    push_x = weights.separation * apart_x + weights.collision_avoidance * dodge_x
    push_y = weights.separation * apart_y + weights.collision_avoidance * dodge_y
    if seen > 0:
        push_x += weights.alignment * (mean_x / seen - vx) / speed
        push_y += weights.alignment * (mean_y / seen - vy) / speed
    return push_x, push_y


@kernel
def _sidestep(
    dx: float, dy: float, go_x: float, go_y: float, closing: float, touch: float, horizon: float
) -> tuple[float, float]:
    """Return the force aside from another unit at (-dx, -dy), relative to which this one moves by (go_x, go_y).

    It is zero unless they will come near to touching within `horizon` steps, and grows as that comes closer.
    """
    relative = go_x * go_x + go_y * go_y
    if closing >= horizon * relative:
        return 0.0, 0.0
    time = closing / relative
    at_x, at_y = dx + go_x * time, dy + go_y * time
    miss = math.sqrt(at_x * at_x + at_y * at_y)
    if miss >= _MARGIN * touch:
        return 0.0, 0.0
    share = (1.0 - time / horizon) * min(1.0, (_MARGIN - miss / touch) / (_MARGIN - 1.0))
    if miss > 0.05 * touch:
        return share * at_x / miss, share * at_y / miss
    relative = math.sqrt(relative)  # head-on: each to its own right
    return -share * go_y / relative, share * go_x / relative


@leaf
def _reach(weights: Weights, radius: float, pace: float) -> float:
    """Return how far the rays of a unit look that goes at a share of its speed: who is slow looks less far ahead."""
    return weights.ray_length * radius * max(min(pace, 1.0), 0.2)


@leaf
def _ray(
    r: int,
    face_x: float,
    face_y: float,
    length: float,
    rays: NDArray[np.float64],
    random_key: int,
    unit_key: int,
) -> tuple[float, float, float]:
    """Return direction and length of a ray; the one after the last of `rays` is the random feeler.

    Its length changes in every step, so what it adds near walls is noise.
    """
    if r < rays.shape[0]:
        return face_x * rays[r, 0] - face_y * rays[r, 1], face_x * rays[r, 1] + face_y * rays[r, 0], length
    side = random_fraction(random_key, unit_key, 4) - 0.5
    dx, dy = face_x - 2.0 * side * face_y, face_y + 2.0 * side * face_x
    norm = math.sqrt(dx * dx + dy * dy)
    return dx / norm, dy / norm, 2.0 * length * random_fraction(random_key, unit_key, 3)


@kernel
def _feel(
    walls: NDArray[np.uint8],
    x: float,
    y: float,
    radius: float,
    weights: Weights,
    face_x: float,
    face_y: float,
    length: float,
    rays: NDArray[np.float64],
    random_key: int,
    unit_key: int,
) -> tuple[float, float]:
    """Return the sum of the forces of all rays that hit: against the ray, inverse to the distance of the hit."""
    turn_x, turn_y = 0.0, 0.0
    for r in range(rays.shape[0] + 1):
        dx, dy, long = _ray(r, face_x, face_y, length, rays, random_key, unit_key)
        hit = cast_ray(walls, x, y, dx, dy, long)
        if hit < long:
            near = radius / max(hit, 1e-9)
            if r < rays.shape[0]:
                force = weights.obstacle_avoidance * min(near - radius / length, 2.0)
            else:
                force = weights.random_feeler * min(near, 1.0)
            turn_x -= force * dx
            turn_y -= force * dy
    return turn_x, turn_y
