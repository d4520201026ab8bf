"""Midpoint displacement: the ancestor of diamond-square, on a line, and on a plane, where it shows its squares.

A. Fournier, D. Fussell, L. Carpenter, "Computer rendering of stochastic models", 1982; what it leaves visible: G.
Miller, "The definition and rendering of terrain maps", 1986.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.grid import MAX_SIDE
from anabasis.maps.terrain.diamond_square import grow
from anabasis.maps.terrain.ranges import offset_ranges
from anabasis.maps.terrain.squares import FITS, axis, force, halved, moved, predefined_heights, square_side
from anabasis.noun import freeze
from anabasis.options import check_choice, check_count, check_seed

__all__ = ["midpoint_displacement", "midpoint_line"]

_OFFSETS, _ENDS = 103, 104  # streams of random numbers


def midpoint_displacement(
    width: int,
    height: int,
    *,
    seed: int,
    amplitude: float = 100.0,
    roughness: float = 0.6,
    schedule: str = "plain",
    arithmetic: str = "real",
    predefined: ArrayLike | None = None,
    square: int | None = None,
    fit: str = "spread",
    seamless: bool = False,
) -> NDArray[np.float64]:
    """Return float64[height, width], fractal heights around those of random corners from -128 to 127.

    As `diamond_square`, with the same random offsets for the same seed, but the middle of an edge has the mean of its
    two ends alone; so creases stay along the edges of the early squares. Options and errors are those of
    `diamond_square`.
    """
    heights, _ = grow(
        width,
        height,
        seed=seed,
        amplitude=amplitude,
        roughness=roughness,
        schedule=schedule,
        border="average",
        arithmetic=arithmetic,
        predefined=predefined,
        square=square,
        fit=fit,
        interleaved=False,
        seamless=seamless,
        ends=True,
    )
    return heights


def midpoint_line(
    length: int,
    *,
    seed: int,
    amplitude: float = 100.0,
    roughness: float = 0.6,
    schedule: str = "plain",
    predefined: ArrayLike | None = None,
    square: int | None = None,
    fit: str = "spread",
    seamless: bool = False,
) -> NDArray[np.float64]:
    """Return float64[length], a fractal line of real heights around random ones from -128 to 127; diamond-square in 1D.

    Iteration k gives the middle of each part the mean of its two ends with a random offset, and halves the parts.
    predefined: rows (x, height); square: the length of the first parts, a power of two. The other options and the
    errors are those of `diamond_square`.
    """
    check_seed(seed)
    cells = check_count(length, "length of a line", 1, MAX_SIDE)
    cut = check_choice(fit, "fit", FITS) == FITS.index("cut") and not seamless
    span = cells if seamless else max(cells - 1, 1)
    side = square_side(square, span)
    along = axis(cells, -(-span // side), side, seamless=bool(seamless), cut=cut)
    rows = freeze(np.zeros((0, 2)) if predefined is None else predefined, np.float64, (None, 2), "predefined heights")
    places, given = predefined_heights(np.insert(rows, 1, 0, axis=1), cells, 1, whole=False)
    ranges = offset_ranges(side.bit_length() - 1, amplitude=amplitude, roughness=roughness, schedule=schedule)
    heights = np.full(along.cells[0].size, np.nan)  # NaN: not made yet
    for k in range(len(ranges) + 1):
        heights = halved(heights) if k > 0 else heights
        force(heights, k, (along,), places[:, 1:], given)
        if k == 0:
            _ends(heights, stream_key(seed, _ENDS, 0))
        else:
            _middles(heights, stream_key(seed, _OFFSETS, k - 1), ranges[k - 1])
        if seamless:
            heights[-1] = heights[0]
        heights = moved(heights, k, along)
    heights = np.array(heights[:cells])
    heights[places[:, 1]] = given
    return heights


@kernel
def _ends(heights: Any, key: int) -> None:
    """Give each end of the first parts that has no height yet a random one."""
    for x in range(heights.size):
        if np.isnan(heights[x]):
            heights[x] = random_fraction(key, x, 0) * 256 - 128


@kernel
def _middles(heights: Any, key: int, reach: float) -> None:
    """Give each middle that has no height yet the mean of its ends with a random offset."""
    for x in range(1, heights.size, 2):
        if np.isnan(heights[x]):
            heights[x] = (heights[x - 1] + heights[x + 1]) / 2 + (random_fraction(key, x, 0) * 2 - 1) * reach
