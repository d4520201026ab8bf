"""Climate: zones by latitude, temperature by latitude and height, and the land that grows there.

Strips with palettes of their own, as generators of strategy maps have them; and without strips after R. H. Whittaker,
"Communities and Ecosystems", 2nd edition, 1975, who orders the kinds of land by temperature and rain.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.random import stream_key
from anabasis.errors import InputError
from anabasis.maps.land.levels import check_field, levels, thresholds
from anabasis.maps.land.palettes import Palette, check_letters, paint_heights
from anabasis.maps.shape import check_shape
from anabasis.maps.terrain.gradient_noise import gradient_noise
from anabasis.noun import freeze
from anabasis.options import check_seed, check_share

__all__ = ["WHITTAKER", "biomes", "latitude", "strips", "temperature"]

_STREAM = 180
_WARMTH = (-8.0, 3.0, 13.0, 22.0)  # °C between the rows of the table
_RAIN = (0.18, 0.42, 0.66, 0.92)  # cumulative shares of the cells, from dry to wet, between its columns
WHITTAKER = ("ttiii", "ttffS", ".GGfS", "d.GGf", "dGjjS")
"""Terrain letters by temperature (frozen, cold, mild, warm, hot) and by moisture (from dry to wet)."""


def latitude(width: int, height: int, *, waver: float = 0.0, seed: int = 0) -> NDArray[np.float64]:
    """Return float64[height, width]: 0 at the upper border, 1 at the lower one, at the centres of the cells.

    waver: how far lines of latitude may stray, as a share of the map's height, by gradient noise with a step of a
    quarter of the map's longer side; the result stays within 0 to 1. Raises InputError for a share outside 0 to 1.
    """
    height, width = check_shape(width, height)
    stray = check_share(waver, "waver of the latitude")
    key = stream_key(check_seed(seed), _STREAM, 0)
    lines = np.repeat(((np.arange(height) + 0.5) / height)[:, None], width, axis=1)
    if stray:
        scale = max(width, height, 16) / 4
        lines += stray * gradient_noise(width, height, seed=int(key), scale=scale, octaves=4)
        np.clip(lines, 0, 1, out=lines)
    return lines


def strips(
    heights: ArrayLike,
    palettes: Sequence[str | Palette] = ("arctic", "temperate", "tropical"),
    *,
    bounds: Sequence[float] | None = None,
    waver: float = 0.0,
    seed: int = 0,
    by: str = "cells",
) -> NDArray[np.uint8]:
    """Return uint8[height, width]: land painted in horizontal strips, from above, each with a palette of its own.

    The levels of a palette are cut on the whole map, so palettes of equal shares have the same coast: at one level
    grass becomes tundra where it is arctic.

    - bounds: rising latitudes (0 above, 1 below) between the strips; equal strips by default.
    - waver, seed: how the borders of the strips stray, see `latitude`; by: how levels are cut, see `levels.thresholds`.

    Raises InputError for no palette, bounds that are not one fewer or don't rise, and the errors of those functions.
    """
    field = check_field(heights)
    count = len(palettes)
    if count == 0:
        raise InputError("palettes of the strips", found="none", expected="at least one palette")
    between = [k / count for k in range(1, count)] if bounds is None else list(bounds)
    if len(between) != count - 1 or between != sorted(between) or not all(0 <= bound <= 1 for bound in between):
        raise InputError(
            "bounds of the strips",
            found=f"{tuple(between)}",
            expected=f"{count - 1} rising latitudes from 0 to 1, one fewer than palettes",
        )
    painted = np.stack([paint_heights(field, colours, by=by) for colours in palettes])
    height, width = field.shape
    strip = levels(latitude(width, height, waver=waver, seed=seed), between)
    return np.take_along_axis(painted, strip[None].astype(np.intp), axis=0)[0]


def temperature(
    heights: ArrayLike,
    *,
    sea: float | None = None,
    above: float = -12.0,
    below: float = 28.0,
    lapse: float = 22.0,
    waver: float = 0.0,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Return float64[height, width] in °C: by latitude, and colder upward.

    - above, below: at the upper and the lower border of the map, at the level of the sea.
    - sea: that level, as a height; None: the least height. What lies lower is as warm as the sea.
    - lapse: how much colder the highest cell is than the sea; in between it is in proportion.
    - waver, seed: see `latitude`, whose errors are raised. Raises InputError for heights that are not finite.
    """
    field = check_field(heights)
    height, width = field.shape
    lowest, highest = float(field.min()) if sea is None else float(sea), float(field.max())
    degrees = above + (below - above) * latitude(width, height, waver=waver, seed=seed)
    if highest > lowest:
        degrees -= np.maximum((field - lowest) / (highest - lowest), 0.0) * lapse
    if not np.isfinite(degrees).all():
        raise InputError(
            "temperatures", found=f"{above:g} to {below:g}, lapse {lapse:g}, sea {sea}", expected="numbers"
        )
    return degrees


def biomes(
    terrain: ArrayLike,
    warmth: ArrayLike,
    moisture: ArrayLike,
    *,
    over: str = ".G",
    table: Sequence[str] = WHITTAKER,
    warmth_bounds: Sequence[float] = _WARMTH,
    moisture_shares: Sequence[float] = _RAIN,
    snow: float = -4.0,
    freeze_sea: float | None = None,
) -> NDArray[np.uint8]:
    """Return the land with what grows at each temperature (°C) and moisture, in any unit: both float64[height, width].

    Only letters in `over` change, to the letter in the row of the temperature and the column of the moisture; rock and
    snow are snow where it is colder than `snow`; water colder than `freeze_sea` is ice.

    - table: rows from cold to warm, of letters from dry to wet; warmth_bounds: the temperatures between rows.
    - moisture_shares: cumulative shares of the cells that change, between columns.

    Raises InputError for fields of another shape, letters that don't exist and a table that is no such rectangle.
    """
    land = freeze(terrain, np.uint8, (None, None), "terrain")
    degrees = check_field(warmth, "temperature", land.shape)
    wet = check_field(moisture, "moisture", land.shape)
    if len(table) != len(warmth_bounds) + 1 or any(len(row) != len(moisture_shares) + 1 for row in table):
        raise InputError(
            "table of biomes",
            found=f"{len(table)} rows of {sorted({len(row) for row in table})} letters",
            expected=f"{len(warmth_bounds) + 1} rows of {len(moisture_shares) + 1} letters",
        )
    codes = np.stack([check_letters(row, "letter in the table of biomes") for row in table])
    grown = land.copy()
    may = np.isin(land, check_letters(over, "letter that a biome covers"))
    if may.any():
        inside = wet[may][None]
        column = levels(inside, thresholds(inside, moisture_shares))
        grown[may] = codes[levels(degrees[may][None], warmth_bounds), column][0]
    high = (land == ord("^")) | (land == ord("*"))
    grown[high] = np.where(degrees[high] < snow, ord("*"), ord("^"))
    if freeze_sea is not None:
        grown[(land == ord("W")) & (degrees < freeze_sea)] = ord("i")
    return grown
