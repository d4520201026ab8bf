"""Diamond-square: fractal heights by halving squares, shaped by heights that are given before.

A. Fournier, D. Fussell, L. Carpenter, "Computer rendering of stochastic models", 1982; the step at 45° that hides the
grid: G. Miller, "The definition and rendering of terrain maps", 1986.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.maps.terrain.ranges import offset_ranges
from anabasis.maps.terrain.squares import FITS, axis, fit_squares, force, halved, moved, predefined_heights
from anabasis.options import check_choice, check_seed

__all__ = ["ARITHMETICS", "BORDERS", "diamond_square", "grow", "overflow_counts"]

BORDERS = ("average", "random", "wrap", "mirror")
ARITHMETICS = ("real", "wrap", "clamp")
_AVERAGE, _RANDOM, _WRAP, _, _ENDS = range(5)
_REAL, _WRAPPED, _ = range(3)
_OFFSETS, _CORNERS, _HIDDEN = 100, 101, 102  # streams of random numbers


def diamond_square(
    width: int,
    height: int,
    *,
    seed: int,
    amplitude: float = 100.0,
    roughness: float = 0.6,
    schedule: str = "plain",
    border: str = "average",
    arithmetic: str = "real",
    predefined: ArrayLike | None = None,
    square: int | None = None,
    fit: str = "spread",
    interleaved: bool = False,
    seamless: bool = False,
) -> NDArray[np.float64]:
    """Return float64[height, width], fractal heights around those of random corners from -128 to 127.

    Iteration k gives the centre of each square the mean of its corners, then the middle of each edge the mean of its
    ends and of the two centres beside it, each with a random offset of at most ± its range, and halves the squares.

    - amplitude: the range of the first iteration; roughness: what remains of it after each further one, from 0 to 1;
      that is 2^-Δh for the roughness increment Δh. schedule: with *plain* the range at iteration k is amplitude ·
      roughness^k, with *compounding* amplitude · roughness^(k(k + 1)/2).
    - border: what the middle of an edge at the border takes for the centre that is missing: nothing (*average* of the
      three), its ends' mean with an offset of its own (*random*), the centre on the opposite side (*wrap*), the centre
      inside once more (*mirror*).
    - arithmetic: *real* numbers, or whole ones of 8 bits, cut off towards zero, that go on at the other end (*wrap*)
      or stay at the end (*clamp*) where they would leave -128 … 127.
    - predefined: rows (x, y, height) that are kept and shape what lies around them, the more so the earlier their turn
      comes: at multiples of `square`, then of its half, and so on.
    - square: the side of the first squares, a power of two: smaller ones make smaller features (`fit_squares` says the
      default). fit: a map that doesn't end where squares end is *spread* over them, so that it shows the same world as
      other sizes, or *cut* from their upper left part.
    - interleaved: each square's middles come right after its centre, with the mean of what is there by then.
    - seamless: copies side by side join, with the last row and column as neighbours of the first, not their repetition;
      there is no border then, and the map is always spread.

    Each offset depends on the seed, the iteration and the point among those of the iteration alone. Time and memory
    grow with the number of cells. Raises InputError for sides not from 1 to 16384, unknown rules, wrong numbers.
    """
    return grow(
        width,
        height,
        seed=seed,
        amplitude=amplitude,
        roughness=roughness,
        schedule=schedule,
        border=border,
        arithmetic=arithmetic,
        predefined=predefined,
        square=square,
        fit=fit,
        interleaved=interleaved,
        seamless=seamless,
    )[0]


def overflow_counts(width: int, height: int, *, seed: int, **options: Any) -> NDArray[np.int64]:
    """Return int64[iterations], how many points of the squares left the 8 bits, by iteration, in `diamond_square`.

    The options, their defaults and the errors are those of `diamond_square`; real heights never leave.
    """
    return grow(width, height, seed=seed, **{**(diamond_square.__kwdefaults__ or {}), **options})[1]


def grow(
    width: int,
    height: int,
    *,
    seed: int,
    amplitude: float,
    roughness: float,
    schedule: str,
    border: str,
    arithmetic: str,
    predefined: ArrayLike | None,
    square: int | None,
    fit: str,
    interleaved: bool,
    seamless: bool,
    ends: bool = False,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the heights and the overflows by iteration; ends: the middles of edges look at no centre."""
    check_seed(seed)
    seamless, cut = bool(seamless), check_choice(fit, "fit", FITS) == FITS.index("cut") and not seamless
    rule = check_choice(border, "border rule", BORDERS)
    rule = _ENDS if ends else _WRAP if seamless else rule
    number = check_choice(arithmetic, "arithmetic", ARITHMETICS)
    grid = fit_squares(width, height, square=square, cut=cut, seamless=seamless)
    iteration = _interleaved if interleaved else _two_passes
    sides = (height, grid.rows), (width, grid.columns)
    axes = tuple(axis(cells, squares, grid.side, seamless=seamless, cut=cut) for cells, squares in sides)
    places, given = predefined_heights(predefined, width, height, whole=number != _REAL)
    ranges = offset_ranges(grid.side.bit_length() - 1, amplitude=amplitude, roughness=roughness, schedule=schedule)
    overflows = np.zeros(len(ranges), np.int64)
    heights = np.full((grid.rows + 1, grid.columns + 1), np.nan)  # NaN: not made yet
    for k in range(len(ranges) + 1):
        heights = halved(heights) if k > 0 else heights
        force(heights, k, axes, places, given)
        if k == 0:
            _corners(heights, stream_key(seed, _CORNERS, 0), number)
        else:
            keys = stream_key(seed, _OFFSETS, k - 1), stream_key(seed, _HIDDEN, k - 1)
            overflows[k - 1] = iteration(heights, *keys, ranges[k - 1], rule, number, seamless)
        if seamless:
            heights[-1] = heights[0]
            heights[:, -1] = heights[:, 0]
        heights = moved(heights, k, *axes)
        if number != _REAL and any(k == each.level for each in axes):
            heights = np.trunc(heights)
    heights = np.ascontiguousarray(heights[:height, :width])
    heights[places[:, 0], places[:, 1]] = given
    return heights, overflows


@kernel
def _corners(heights: Any, key: int, arithmetic: int) -> None:
    """Give each corner of the first squares that has no height yet a random one."""
    rows, columns = heights.shape
    for y in range(rows):
        for x in range(columns):
            if np.isnan(heights[y, x]):
                value = random_fraction(key, y * 65536 + x, 0) * 256 - 128
                heights[y, x] = value if arithmetic == _REAL else np.floor(value)


@kernel
def _two_passes(heights: Any, key: int, hidden: int, reach: float, border: int, arithmetic: int, seamless: bool) -> int:
    """Make one iteration, all centres before all middles of edges (row by row, as soon as they can be)."""
    rows, columns = heights.shape
    overflows = 0
    for y in range(1, rows, 2):
        for x in range(1, columns, 2):
            overflows += _centre(heights, y, x, key, reach, arithmetic)
        for x in range(0, columns - seamless, 2):
            overflows += _middle(heights, y, x, 0, key, hidden, reach, border, arithmetic)
        if y > 1:
            for x in range(1, columns, 2):
                overflows += _middle(heights, y - 1, x, 1, key, hidden, reach, border, arithmetic)
    for x in range(1, columns, 2):  # the first row may look at the last centres
        overflows += _middle(heights, 0, x, 1, key, hidden, reach, border, arithmetic)
        if not seamless:
            overflows += _middle(heights, rows - 1, x, 1, key, hidden, reach, border, arithmetic)
    return overflows


@kernel
def _interleaved(
    heights: Any, key: int, hidden: int, reach: float, border: int, arithmetic: int, seamless: bool
) -> int:
    """Make one iteration square by square: its centre, then those middles of its edges that are still missing."""
    rows, columns = heights.shape
    overflows = 0
    for y in range(1, rows, 2):
        for x in range(1, columns, 2):
            overflows += _centre(heights, y, x, key, reach, arithmetic)
            overflows += _middle(heights, y - 1, x, 1, key, hidden, reach, border, arithmetic)
            overflows += _middle(heights, y, x - 1, 0, key, hidden, reach, border, arithmetic)
            if not seamless or x < columns - 2:
                overflows += _middle(heights, y, x + 1, 0, key, hidden, reach, border, arithmetic)
            if not seamless or y < rows - 2:
                overflows += _middle(heights, y + 1, x, 1, key, hidden, reach, border, arithmetic)
    return overflows


@kernel
def _centre(heights: Any, y: int, x: int, key: int, reach: float, arithmetic: int) -> int:
    """Give a centre its height, if it has none, and return 1 if that left the 8 bits."""
    if not np.isnan(heights[y, x]):
        return 0
    above = heights[y - 1, x - 1] + heights[y - 1, x + 1]
    mean = (above + heights[y + 1, x - 1] + heights[y + 1, x + 1]) / 4
    return _set(heights, y, x, mean, key, reach, arithmetic)


@kernel
def _middle(
    heights: Any, y: int, x: int, along: int, key: int, hidden: int, reach: float, border: int, arithmetic: int
) -> int:
    """Give the middle of an edge its height, if it has none; the edge lies along a row (1) or a column (0)."""
    if not np.isnan(heights[y, x]):
        return 0
    across = 1 - along
    rows, columns = heights.shape
    ends = heights[y - across, x - along] + heights[y + across, x + along]
    if border == _ENDS:
        return _set(heights, y, x, ends / 2, key, reach, arithmetic)
    total, count = ends, 2
    for side in (-1, 1):
        y_c, x_c = y + side * along, x + side * across
        if y_c < 0 or y_c >= rows or x_c < 0 or x_c >= columns:
            if border == _AVERAGE:
                continue
            if border == _RANDOM:
                total += ends / 2 + (random_fraction(hidden, y * 65536 + x, 0) * 2 - 1) * reach
                count += 1
                continue
            if border == _WRAP:
                y_c, x_c = y_c - side * along * (rows - 1), x_c - side * across * (columns - 1)
            else:
                y_c, x_c = y - side * along, x - side * across
        value = heights[y_c, x_c]
        if not np.isnan(value):
            total += value
            count += 1
    return _set(heights, y, x, total / count, key, reach, arithmetic)


@kernel
def _set(heights: Any, y: int, x: int, mean: float, key: int, reach: float, arithmetic: int) -> int:
    """Write a mean with its random offset, and return 1 if it left the 8 bits."""
    value = mean + (random_fraction(key, y * 65536 + x, 0) * 2 - 1) * reach
    if arithmetic == _REAL:
        heights[y, x] = value
        return 0
    whole = int(value)
    if -128 <= whole <= 127:
        heights[y, x] = whole
        return 0
    heights[y, x] = (whole + 128) % 256 - 128 if arithmetic == _WRAPPED else max(-128, min(127, whole))
    return 1
