"""Hydraulic erosion: drops of rain run downhill, carve the slopes, and leave what they carry where they slow down.

H. T. Beyer, "Implementation of a method for hydraulic erosion", 2015. A drop moves one cell a step, turns towards the
steepest way down with some inertia, and can carry the more sediment the steeper it falls, the faster it is and the more
water it still has. With less than that it takes ground from a disc around it, with more it drops ground on the corners
of its cell, as it does when its way climbs, up to the height of the climb. Drops run one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.errors import InputError
from anabasis.noun import freeze, summary
from anabasis.options import check_count, check_length, check_seed, check_share

__all__ = ["Sediment", "hydraulic_erosion", "moved_sediment"]

_STREAM = 160
_INERTIA = 0.05  # the part of its direction that a drop keeps in a step
_CAPACITY = 4.0  # sediment for each unit of fall, speed and water
_LEAST_CAPACITY = 0.01  # so that a drop on level ground goes on working
_GRAVITY = 4.0
_DEPOSITION = 0.3  # the part of what is too much that is dropped in a step
_SIDE = 256.0  # cells: the constants are for a map of this side whose heights go from 0 to 1
_SHOWERS, _TILE = 4, 64  # the rain falls on tile after tile, whose ground stays in the cache, in so many rounds
_ERODED, _DEPOSITED, _CARRIED = range(3)


@dataclass(frozen=True, eq=False)
class Sediment:
    """Heights after the rain, and where the ground went, in units of height times cells.

    eroded − deposited is what the heights have lost, and carried_off, what drops took over the border, is as much.
    """

    heights: NDArray[np.float64]
    eroded: float
    deposited: float
    carried_off: float

    __repr__ = summary


def hydraulic_erosion(
    heights: ArrayLike,
    *,
    seed: int,
    rain: float = 0.25,
    steps: int = 64,
    radius: int = 3,
    strength: float = 0.3,
    seamless: bool = False,
) -> NDArray[np.float64]:
    """Return float64[height, width], the heights after the rain; options and errors are those of `moved_sediment`."""
    return moved_sediment(
        heights, seed=seed, rain=rain, steps=steps, radius=radius, strength=strength, seamless=seamless
    ).heights


def moved_sediment(
    heights: ArrayLike,
    *,
    seed: int,
    rain: float = 0.25,
    steps: int = 64,
    radius: int = 3,
    strength: float = 0.3,
    seamless: bool = False,
) -> Sediment:
    """Return the heights after the rain, and an account of the ground that was moved.

    - heights: float64[height, width], of any unit and range; only their shares of the relief count.
    - rain: drops for each cell of the map.
    - steps: how many cells far a drop runs at most, drying up all along; on a large map more make longer valleys.
    - radius: of the disc that a drop takes ground from, in cells.
    - strength: the part of what a drop could still carry that it takes in a step.
    - seamless: drops run over the left border to the right one, and over the upper to the lower; else they leave.

    Work grows with drops times steps times the disc. Raises InputError for an option out of its range and heights that
    are no finite numbers.
    """
    before = freeze(heights, np.float64, (None, None), "heights")
    if before.size == 0 or not (np.abs(before) < 1e150).all():  # so that differences are finite, too
        raise InputError("heights", found=f"shape {before.shape}", expected="at least one cell, all of finite height")
    key = stream_key(check_seed(seed), _STREAM, 0)
    drops = ceil(check_length(rain, "rain") * before.size)
    part = check_share(strength, "strength")
    life, reach = check_count(steps, "steps", 1, 100_000), check_count(radius, "radius", 1, 64)
    relief = float(before.max() - before.min())
    if relief < 1e-150:
        return Sediment(before.copy(), 0.0, 0.0, 0.0)
    scale = max(before.shape) / _SIDE / relief
    ground = (before - before.min()) * scale
    account = np.zeros(3)
    _rain(ground, key, drops, life, *_disc(reach), part, bool(seamless), account)
    eroded, deposited, carried = (float(amount) / scale for amount in account)
    return Sediment(before.min() + ground / scale, eroded, deposited, carried)


def _disc(radius: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return int64[k, 2], the cells (dy, dx) nearer than the radius, and float64[k], their parts, which add up to 1."""
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    weights = radius - np.sqrt(x * x + y * y)
    near = weights > 0
    return np.stack([y[near], x[near]], axis=1).astype(np.int64), weights[near] / weights[near].sum()


@kernel
def _rain(
    ground: Any, key: int, drops: int, steps: int, disc: Any, parts: Any, strength: float, seamless: bool, account: Any
) -> None:
    """Let all drops run, one after the other, over ground[y, x]; cells are points, between which ground is bilinear."""
    rows, columns = ground.shape
    span_y, span_x = (rows, columns) if seamless else (rows - 1, columns - 1)
    tiles_x, tiles_y = (columns + _TILE - 1) // _TILE, (rows + _TILE - 1) // _TILE
    for drop in range(drops):
        tile = drop * _SHOWERS * tiles_x * tiles_y // drops
        x = (tile % tiles_x + random_fraction(key, drop, 0)) / tiles_x * span_x
        y = (tile // tiles_x % tiles_y + random_fraction(key, drop, 1)) / tiles_y * span_y
        dx, dy, speed, load = 0.0, 0.0, 1.0, 0.0
        for step in range(steps):
            i, j = int(x), int(y)
            right, below = i + 1 if i + 1 < columns else 0, j + 1 if j + 1 < rows else 0
            u, v = x - i, y - j
            a, b, c, d = ground[j, i], ground[j, right], ground[below, i], ground[below, right]
            dx = dx * _INERTIA - ((b - a) * (1 - v) + (d - c) * v) * (1 - _INERTIA)
            dy = dy * _INERTIA - ((c - a) * (1 - u) + (d - b) * u) * (1 - _INERTIA)
            length = np.sqrt(dx * dx + dy * dy)
            if length < 1e-12:
                break
            dx, dy = dx / length, dy / length
            here = a * (1 - u) * (1 - v) + b * u * (1 - v) + c * (1 - u) * v + d * u * v
            x, y = x + dx, y + dy
            if seamless:
                x, y = _wrapped(x, columns), _wrapped(y, rows)
            elif not (0 <= x < span_x and 0 <= y < span_y):
                account[_CARRIED] += load
                load = 0.0
                break
            rise = _height(ground, x, y) - here
            water = 1 - step / steps  # so that little is left to carry, and to leave in a heap, where the drop ends
            capacity = max(-rise * speed * _CAPACITY, _LEAST_CAPACITY) * water
            if rise > 0 or load > capacity:
                amount = min(rise, load) if rise > 0 else (load - capacity) * _DEPOSITION
                load -= amount
                _drop(ground, i, j, u, v, amount)
                account[_DEPOSITED] += amount
            else:
                amount = min((capacity - load) * strength, -rise)
                amount = _take(ground, i, j, disc, parts, amount, seamless)
                load += amount
                account[_ERODED] += amount
            speed = np.sqrt(max(0.0, speed * speed - rise * _GRAVITY))
        if load > 0:
            i, j = int(x), int(y)
            _drop(ground, i, j, x - i, y - j, load)
            account[_DEPOSITED] += load


@kernel
def _wrapped(place: float, side: int) -> float:
    """Return the place on a ring of so many cells, for one at most a cell beyond it; never the side itself."""
    place = place + side if place < 0 else place
    place = place - side if place >= side else place
    return max(place, 0.0)


@kernel
def _height(ground: Any, x: float, y: float) -> float:
    rows, columns = ground.shape
    i, j = int(x), int(y)
    right, below = i + 1 if i + 1 < columns else 0, j + 1 if j + 1 < rows else 0
    u, v = x - i, y - j
    upper = ground[j, i] * (1 - u) + ground[j, right] * u
    lower = ground[below, i] * (1 - u) + ground[below, right] * u
    return upper * (1 - v) + lower * v


@kernel
def _drop(ground: Any, i: int, j: int, u: float, v: float, amount: float) -> None:
    """Leave sediment on the four corners around a place, the nearer the more."""
    rows, columns = ground.shape
    right, below = i + 1 if i + 1 < columns else 0, j + 1 if j + 1 < rows else 0
    ground[j, i] += amount * (1 - u) * (1 - v)
    ground[j, right] += amount * u * (1 - v)
    ground[below, i] += amount * (1 - u) * v
    ground[below, right] += amount * u * v


@kernel
def _take(ground: Any, i: int, j: int, disc: Any, parts: Any, amount: float, seamless: bool) -> float:
    """Take ground from the disc around a cell and return how much; what of the disc lies off the map gives none."""
    rows, columns = ground.shape
    reach = disc[-1, 0]
    if reach <= i < columns - reach and reach <= j < rows - reach:
        for k in range(len(parts)):
            ground[j + disc[k, 0], i + disc[k, 1]] -= amount * parts[k]
        return amount
    taken = 0.0
    for k in range(len(parts)):
        y, x = j + disc[k, 0], i + disc[k, 1]
        if seamless:
            y, x = y % rows, x % columns
        if 0 <= y < rows and 0 <= x < columns:
            ground[y, x] -= amount * parts[k]
            taken += amount * parts[k]
    return taken
