"""Levels: heights cut into any number of levels, by shares of the cells, by shares of the range, or at given heights.

The thresholds are those with which generators of strategy maps turn a fractal surface into terrain, the level of the
sea first: A. Fournier, D. Fussell, L. Carpenter, "Computer rendering of stochastic models", 1982; G. S. P. Miller,
"The definition and rendering of terrain maps", 1986.
"""

from __future__ import annotations

from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.grid import MAX_CELLS
from anabasis.noun import freeze
from anabasis.options import check_choice

__all__ = ["WAYS", "check_field", "levels", "thresholds"]

WAYS = ("cells", "range", "absolute")
_MOST_BOUNDS = 255
_LARGEST = 1e100  # so that squares of differences are still numbers
_ROUNDING = 1e-6  # so that 0.29 of 100 cells are 29 cells


def check_field(values: ArrayLike, name: str = "heights", shape: tuple[int, int] | None = None) -> NDArray[np.float64]:
    """Return a field as read-only float64[height, width]; raises InputError unless it fits, and is finite."""
    field = freeze(values, np.float64, shape or (None, None), name)
    if not 1 <= field.size <= MAX_CELLS:
        raise InputError(f"size of {name}", found=f"{field.size} cells", expected=f"1 to {MAX_CELLS} cells")
    least, greatest = float(field.min()), float(field.max())
    if not (isfinite(least) and isfinite(greatest)):
        raise InputError(f"{name} must be finite", found="inf", expected="numbers")
    if max(-least, greatest) > _LARGEST:
        raise InputError(f"{name} must not be so large", found=f"{least:g} to {greatest:g}", expected="at most 1e100")
    return field


def thresholds(heights: ArrayLike, shares: ArrayLike, *, by: str = "cells") -> NDArray[np.float64]:
    """Return float64[k]: the height below which each level but the highest lies, for k cumulative shares.

    By *cells* a share p is turned into the height at place min(n - 1, floor(p · n)) of all n heights in order, so at
    most p of the cells lie below it, and exactly floor(p · n) if no two heights are equal. By *range* it is p of the
    way from the least to the greatest height. By *absolute* the shares are themselves heights.

    Work grows with the number of cells; heights aren't sorted. Raises InputError for a share outside 0 to 1, more than
    255 of them, and heights that are not finite.
    """
    field = check_field(heights)
    check_choice(by, "way to cut levels", WAYS)
    given = freeze(shares, np.float64, (None,), "shares of the levels")
    if given.size > _MOST_BOUNDS:
        raise InputError("number of levels", found=f"{given.size + 1}", expected=f"at most {_MOST_BOUNDS + 1}")
    if by == "absolute":
        return given.copy()
    wrong = given[~((given >= 0) & (given <= 1))]
    if wrong.size:
        raise InputError("share of a level", found=f"{wrong[0]:g}", expected="a cumulative share from 0 to 1")
    if by == "range":
        least, greatest = field.min(), field.max()
        return least + given * (greatest - least)
    if not given.size:
        return given.copy()
    places = np.minimum(np.floor(given * field.size + _ROUNDING).astype(np.int64), field.size - 1)
    return np.partition(field.reshape(-1), np.unique(places))[places]


def levels(heights: ArrayLike, bounds: ArrayLike) -> NDArray[np.uint8]:
    """Return uint8[height, width]: the number of the first bound that lies above each cell's height, k if none does.

    bounds: up to 255 heights, from low to high. A height equal to a bound lies above it; a level whose bound does not
    exceed all those before it has no cell.
    """
    field = check_field(heights)
    given = freeze(bounds, np.float64, (None,), "bounds of the levels")
    if given.size > _MOST_BOUNDS:
        raise InputError("number of levels", found=f"{given.size + 1}", expected=f"at most {_MOST_BOUNDS + 1}")
    level = np.zeros(field.shape, np.uint8)
    if given.size:
        for bound in np.maximum.accumulate(given):
            level += field >= bound
    return level
