"""Slope: the gradient map of a height field, how steep it is and which way is down; cliffs.

Central differences, one-sided at the borders: B. K. P. Horn, "Hill shading and the reflectance map", 1981, compares
such estimates of the slope.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.maps.land.levels import check_field, thresholds
from anabasis.maps.land.palettes import check_letters
from anabasis.noun import freeze
from anabasis.options import check_share

__all__ = ["cliffs", "downhill", "gradient", "steepness"]


def gradient(heights: ArrayLike, *, seamless: bool = False) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return two float64[height, width]: how much the height rises in a cell's side to the right, and one downwards.

    Half the difference of the two neighbours; at the border the difference from the one neighbour, but across the
    border if the field is `seamless` (its last column lies beside its first). 0 where there is no neighbour. Raises
    InputError for heights that are not finite.
    """
    field = check_field(heights)
    return _difference(field, 1, seamless), _difference(field, 0, seamless)


def steepness(heights: ArrayLike, *, seamless: bool = False) -> NDArray[np.float64]:
    """Return float64[height, width] ≥ 0: the length of the gradient, in units of height for each cell's side."""
    right, down = gradient(heights, seamless=seamless)
    right *= right
    down *= down
    right += down
    return np.sqrt(right, out=right)


def downhill(heights: ArrayLike, *, seamless: bool = False) -> NDArray[np.float64]:
    """Return float64[height, width]: the direction of the steepest descent, in radians, NaN where the land is level.

    0 is to the right, π / 2 downwards, as everywhere in the frame; above -π, at most π.
    """
    right, down = gradient(heights, seamless=seamless)
    direction = np.arctan2(0.0 - down, 0.0 - right)  # no negative zero, which would point to -π
    direction[(right == 0) & (down == 0)] = np.nan
    return direction


def cliffs(
    terrain: ArrayLike, heights: ArrayLike, *, share: float = 0.08, rock: str = "^", over: str = ".GSTfhdjt,"
) -> NDArray[np.uint8]:
    """Return the land with its steepest cells turned to rock: that share of the cells whose letter is in `over`.

    terrain: uint8[height, width], letters; cells of equal steepness stay or turn together, so that at most the share
    turns. Raises InputError for a share outside 0 to 1, letters that don't exist, and heights of another shape.
    """
    land = freeze(terrain, np.uint8, (None, None), "terrain")
    field = check_field(heights, "heights", land.shape)
    part = check_share(share, "share of cliffs")
    if len(rock) != 1:
        raise InputError("letter of cliffs", found=repr(rock), expected="one terrain letter")
    code = check_letters(rock, "letter of cliffs")
    may = np.isin(land, check_letters(over, "letter that becomes a cliff"))
    steep = steepness(field)
    if part == 0 or not may.any():
        return land.copy()
    (bound,) = thresholds(-steep[may][None], [part])
    return np.where(may & (-steep < bound), code, land)


def _difference(field: NDArray[np.float64], axis: int, seamless: bool) -> NDArray[np.float64]:
    """Return how much a field rises along an axis, for each cell."""
    along = np.moveaxis(field, axis, 0)
    if len(along) == 1:
        return np.zeros(field.shape)
    rise = np.empty(field.shape)
    steps = np.moveaxis(rise, axis, 0)
    np.subtract(along[2:], along[:-2], out=steps[1:-1])
    steps[1:-1] *= 0.5
    if seamless:
        steps[0], steps[-1] = 0.5 * (along[1] - along[-1]), 0.5 * (along[0] - along[-2])
    else:
        steps[0], steps[-1] = along[1] - along[0], along[-1] - along[-2]
    return rise
