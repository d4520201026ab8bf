"""Crossing places: where straight water, not wider one way than the other, lies between two banks.

A place is a block of cells and the way over it, counted from bank to bank; with some breadth its rows all are crossed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.maps.water.rivers import Rivers
from anabasis.movement import MovementClass, movement_class

__all__ = ["BRIDGE", "FORD", "WATER", "banks_of", "checked_land", "places_to_cross", "straight_runs"]

WATER, BRIDGE, FORD = ord("W"), ord("+"), ord("~")

Bools, Bytes, Ints = NDArray[np.bool_], NDArray[np.uint8], NDArray[np.int64]


def checked_land(letters: Bytes, movement: str | MovementClass) -> Bools:
    """Return where units of a class can stand, without water; raises InputError if they can't use bridges."""
    unit = movement_class(movement)
    if not np.isfinite(unit.cost[BRIDGE]):
        raise InputError(f"movement class {unit.name!r} can't use bridges", expected="a class that can enter '+'")
    return np.isfinite(unit.cost[letters]) & (letters != WATER)


def places_to_cross(letters: Bytes, land: Bools, rivers: Rivers | None, longest: int, breadth: int) -> Ints:
    """Return int64[m, 5], blocks x0, y0, x1, y1 of water and whether it is crossed upright."""
    water = letters == WATER
    runs = straight_runs(water, land, longest, breadth, True)
    if rivers is None or not len(runs):
        return runs
    flowing = _sums((rivers.discharge > 0) & (rivers.lake < 0))
    still = _sums(rivers.lake >= 0)
    x_0, y_0, x_1, y_1, _ = runs.T
    inside = [s[y_1 + 1, x_1 + 1] - s[y_0, x_1 + 1] - s[y_1 + 1, x_0] + s[y_0, x_0] for s in (flowing, still)]
    return runs[(inside[0] > 0) & (inside[1] == 0)]


def _sums(mask: Bools) -> Ints:
    """Return int64[height + 1, width + 1], how many cells are marked above and to the left."""
    return np.pad(mask.astype(np.int64).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))


def straight_runs(water: Bools, land: Bools, longest: int, breadth: int, narrowest: bool) -> Ints:
    """Return the blocks that are crossed along x, then those along y."""
    level = _runs(water, land, longest, breadth, narrowest)
    turned = np.ascontiguousarray(water.T), np.ascontiguousarray(land.T)
    upright = _runs(*turned, longest, breadth, narrowest)[:, [1, 0, 3, 2]]
    return np.concatenate(
        [np.column_stack([runs, np.full(len(runs), way, np.int64)]) for way, runs in enumerate((level, upright))]
    )


def banks_of(places: Ints) -> tuple[Ints, Ints]:
    """Return the land cells before and behind the middle row of each block."""
    x_0, y_0, x_1, y_1, way = places.T
    x, y = (x_0 + x_1) // 2, (y_0 + y_1) // 2
    one = np.column_stack([np.where(way == 0, x_0 - 1, x), np.where(way == 0, y, y_0 - 1)])
    two = np.column_stack([np.where(way == 0, x_1 + 1, x), np.where(way == 0, y, y_1 + 1)])
    return one, two


@kernel
def _runs(water: Bools, land: Bools, longest: int, breadth: int, narrowest: bool) -> Ints:
    """Return int64[m, 4], blocks x0, y0, x1, y1 of `breadth` rows with water between land on the left and right.

    narrowest: only where the water isn't narrower from top to bottom.
    """
    height, width = water.shape
    found, count = np.empty((256, 4), np.int64), 0
    for y in range(height - breadth + 1):
        for x in range(1, width - 1):
            if not (water[y, x] and land[y, x - 1]):
                continue
            end = x
            while end + 1 < width and water[y, end + 1] and end - x < longest:
                end += 1
            if end + 1 == width or end - x >= longest or not land[y, end + 1]:
                continue
            if narrowest and _upright(water, (x + end) // 2, y, end - x + 1) < end - x + 1:
                continue
            x_0, x_1 = x, end
            changed = breadth > 1
            while changed:
                changed = False
                for row in range(y, y + breadth):
                    if x_0 > 0 and water[row, x_0 - 1]:
                        x_0, changed = x_0 - 1, True
                    if x_1 < width - 1 and water[row, x_1 + 1]:
                        x_1, changed = x_1 + 1, True
                changed = changed and x_1 - x_0 < longest
            fits = x_0 > 0 and x_1 < width - 1 and x_1 - x_0 < longest
            for row in range(y, y + breadth):
                fits = fits and land[row, x_0 - 1] and land[row, x_1 + 1]
                for column in range(x_0, x_1 + 1):
                    fits = fits and (water[row, column] or land[row, column])
            if fits:
                if count == len(found):
                    found = np.concatenate((found, found))
                found[count, 0], found[count, 1], found[count, 2], found[count, 3] = x_0, y, x_1, y + breadth - 1
                count += 1
    return found[:count].copy()


@kernel
def _upright(water: Bools, x: int, y: int, enough: int) -> int:
    """Return how many cells of water lie on top of each other at a cell, or `enough` if there are more."""
    count, above, below = 1, y - 1, y + 1
    while count < enough and above >= 0 and water[above, x]:
        count, above = count + 1, above - 1
    while count < enough and below < water.shape[0] and water[below, x]:
        count, below = count + 1, below + 1
    return count
