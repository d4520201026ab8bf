"""Traits: numbers that say what a terrain is like, and how much one terrain has of what another is asked to have.

Measured on a sample of at most 64 cells along the longer side, so they cost little and don't depend on the map's size.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.noun import freeze
from anabasis.options import check_count, check_share

__all__ = ["SLOPE_CLASSES", "TerrainTraits", "likeness", "sampled_cells", "terrain_traits"]

SLOPE_CLASSES = 8
_SAMPLE = 64  # cells along the longer side
_LEAST = 200  # a land part of less than a 200th of the sample is an islet and doesn't count


@dataclass(frozen=True)
class TerrainTraits:
    """What a terrain is like or, as a target, should be like; None: it doesn't matter.

    - water: the share of cells below the sea.
    - lands: the number of land parts, joined along sides, that have at least half a percent of the cells.
    - ruggedness: the mean slope between neighbours, as the number of times that it would climb from the lowest to the
      highest ground on a way as long as the map's longer side.
    - slopes: the shares of the slopes from 0 to 1, from 1 to 2 …, from 7 on, in the same unit.

    Raises InputError for values that no terrain can have.
    """

    water: float | None = None
    lands: int | None = None
    ruggedness: float | None = None
    slopes: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if self.water is not None:
            check_share(self.water, "water")
        if self.lands is not None:
            check_count(self.lands, "lands", most=_LEAST)
        if (
            self.ruggedness is not None
            and not 0 <= float(freeze(self.ruggedness, np.float64, (), "ruggedness")) < np.inf
        ):
            raise InputError("ruggedness", found=f"{self.ruggedness}", expected="a finite number from 0")
        if self.slopes is not None:
            shares = freeze(self.slopes, np.float64, (SLOPE_CLASSES,), "slopes")
            if (shares < 0).any() or abs(shares.sum() - 1) > 1e-6:
                raise InputError("slopes", found=f"{shares.tolist()}", expected="shares that add up to 1")


def terrain_traits(heights: ArrayLike, *, sea: float = 0.0, seamless: bool = False) -> TerrainTraits:
    """Return what a terrain, float64[height, width], is like; what lies below `sea` is water.

    seamless: land parts and slopes go on over the borders. On flat ground there is no slope, so ruggedness is 0.
    """
    given = freeze(heights, np.float64, (None, None), "heights")
    if given.size == 0 or not (np.abs(given) < 1e150).all():  # so that differences are finite, too
        raise InputError("heights", found=f"shape {given.shape}", expected="at least one cell, all of finite height")
    rows, columns = sampled_cells(*given.shape)
    some = given[np.ix_(rows, columns)]
    found = np.zeros(3 + SLOPE_CLASSES)
    _measure(some, float(freeze(sea, np.float64, (), "sea")), bool(seamless), found)
    return TerrainTraits(float(found[0]), int(found[1]), float(found[2]), tuple(float(share) for share in found[3:]))


def sampled_cells(height: int, width: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows and the columns of a map of that size that are measured, evenly spaced."""
    longer = max(height, width)
    counts = [side if longer <= _SAMPLE else max(1, round(side * _SAMPLE / longer)) for side in (height, width)]
    rows, columns = ((2 * np.arange(n) + 1) * side // (2 * n) for n, side in zip(counts, (height, width), strict=True))
    return rows, columns


def likeness(found: TerrainTraits, target: TerrainTraits) -> float:
    """Return how much a terrain is like the target, from 0 to 1, which is exactly: 1 less the mean error of its traits.

    The error of water is the difference, of lands and ruggedness the difference by the larger of both, and of slopes
    half the sum of the differences. A target that asks for nothing is met by all.
    """
    asked = [field.name for field in fields(target) if getattr(target, field.name) is not None]
    missing = [name for name in asked if getattr(found, name) is None]
    if missing:
        raise InputError("likeness of terrains", found=f"no {missing[0]}", expected="all traits of the target")
    errors: list[float] = []
    for name in asked:
        is_now, wanted = getattr(found, name), getattr(target, name)
        if name == "water":
            errors.append(abs(is_now - wanted))
        elif name == "slopes":
            errors.append(min(1.0, sum(abs(a - b) for a, b in zip(is_now, wanted, strict=True)) / 2))
        else:
            errors.append(abs(is_now - wanted) / max(is_now, wanted, 1e-300))
    return 1 - sum(errors) / len(errors) if errors else 1.0


@kernel
def _measure(heights: Any, sea: float, seamless: bool, found: Any) -> None:
    """Write water, lands, ruggedness and the shares of the classes of slopes."""
    rows, columns = heights.shape
    low, high, wet = heights[0, 0], heights[0, 0], 0
    for y in range(rows):
        for x in range(columns):
            low, high = min(low, heights[y, x]), max(high, heights[y, x])
            wet += 1 if heights[y, x] < sea else 0
    found[0] = wet / (rows * columns)
    found[1] = _lands(heights, sea, seamless)
    scale = max(rows, columns) / (high - low) if high > low else 0.0
    pairs, total = 0, 0.0
    for y in range(rows):
        for x in range(columns):
            for turn in range(2):
                i, j = (x + 1, y) if turn else (x, y + 1)
                if seamless:
                    i, j = i % columns, j % rows
                if i < columns and j < rows:
                    slope = abs(heights[j, i] - heights[y, x]) * scale
                    pairs += 1
                    total += slope
                    found[3 + min(SLOPE_CLASSES - 1, int(slope))] += 1
    if pairs:
        found[2] = total / pairs
        found[3:] /= pairs
    else:
        found[3] = 1.0


@kernel
def _lands(heights: Any, sea: float, seamless: bool) -> int:
    """Return the number of land parts that are large enough, each flooded from its first cell."""
    rows, columns = heights.shape
    seen = np.zeros((rows, columns), np.bool_)
    stack = np.empty(rows * columns, np.int64)
    lands = 0
    for first in range(rows * columns):
        if seen[first // columns, first % columns] or heights[first // columns, first % columns] < sea:
            continue
        seen[first // columns, first % columns] = True
        stack[0], waiting, size = first, 1, 0
        while waiting:
            waiting -= 1
            size += 1
            y, x = stack[waiting] // columns, stack[waiting] % columns
            for turn in range(4):
                j, i = y + (turn == 0) - (turn == 1), x + (turn == 2) - (turn == 3)
                if seamless:
                    j, i = j % rows, i % columns
                if 0 <= j < rows and 0 <= i < columns and not seen[j, i] and heights[j, i] >= sea:
                    seen[j, i] = True
                    stack[waiting] = j * columns + i
                    waiting += 1
        lands += 1 if size * _LEAST >= rows * columns else 0
    return lands
