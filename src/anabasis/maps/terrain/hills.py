"""Hills: round hills of many sizes, raised one on the other upon a plane.

The hill algorithm as told by B. Nystrom, "Terrain Generation Tutorial: Hill Algorithm", around 2000: a hill is a
paraboloid, top · (1 − d²/radius²), added inside its circle. Radii are drawn so that hills of each size cover as much
ground as those of any other, which gives slopes to look at from near and from far.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.errors import InputError
from anabasis.maps.shape import check_shape
from anabasis.options import check_count, check_length, check_seed, check_share

__all__ = ["hills"]

_STREAM = 150
_COVER = 8.0  # hills over each cell, on average, when the caller gives no count
_MOST = 10_000_000  # hills


def hills(
    width: int,
    height: int,
    *,
    seed: int,
    count: int | None = None,
    smallest: float = 0.03,
    largest: float = 0.35,
    roughness: float = 0.3,
    seamless: bool = False,
) -> NDArray[np.float64]:
    """Return float64[height, width], heights from 0, the lowest ground, to 1, the highest (all 0 if there is but one).

    - count: how many hills are raised; by default as many as cover each cell eight times on average.
    - smallest, largest: radii, as shares of the shorter side, but never below one cell.
    - roughness: 0 makes tops proportional to the square of the radius, so that small hills hardly show; 1 makes them
      independent of it, so that small hills stand as tall as large ones.
    - seamless: the left border goes on at the right one, and the upper at the lower.

    Work grows with the ground covered by all hills. Raises InputError for a wrong size or option.
    """
    height, width = check_shape(width, height)
    key = stream_key(check_seed(seed), _STREAM, 0)
    low, high = check_length(smallest, "smallest radius of hills"), check_share(largest, "largest radius of hills")
    if low > high:
        raise InputError("smallest radius of hills", found=f"{low:g}", expected=f"at most the largest, {high:g}")
    rough, shorter = check_share(roughness, "roughness"), min(width, height)
    low, high = max(1.0, low * shorter), max(1.0, high * shorter)
    margin = 0.0 if seamless else high
    if count is None:
        number = max(1, round(_COVER * (width + 2 * margin) * (height + 2 * margin) / _mean_area(low, high)))
    else:
        number = check_count(count, "count of hills", 1, _MOST)
    heights = np.zeros((height, width))
    _raise_all(heights, key, min(number, _MOST), low, high, margin, rough * rough, bool(seamless))
    heights -= heights.min()
    top = heights.max()
    return heights / top if top > 0 else heights


def _mean_area(low: float, high: float) -> float:
    """Return the mean of π · r², for radii of density r⁻³ from low to high; the logarithm is cheap enough to ask."""
    spread = (high - low) / low
    if spread < 1e-6:
        return float(np.pi * low * low)
    return float(2 * np.pi * np.log(high / low) / (1 / low**2 - 1 / high**2))


@kernel
def _raise_all(
    heights: Any, key: int, count: int, low: float, high: float, margin: float, rough: float, seamless: bool
) -> None:
    """Raise all hills; their centres lie on the map and, without wrapping, up to `margin` cells around it."""
    rows, columns = heights.shape
    most, least = 1 / (low * low), 1 / (high * high)
    for hill in range(count):
        x = random_fraction(key, hill, 0) * (columns + 2 * margin) - margin - 0.5
        y = random_fraction(key, hill, 1) * (rows + 2 * margin) - margin - 0.5
        square = 1 / (most - random_fraction(key, hill, 2) * (most - least))
        top = (rough + (1 - rough) * square * least) * (0.5 + 0.5 * random_fraction(key, hill, 3))
        if not seamless:
            _raise_hill(heights, x, y, square, top)
            continue
        reach = np.sqrt(square)
        left, upper = int(np.ceil((-reach - x) / columns)), int(np.ceil((-reach - y) / rows))
        right, lower = int(np.floor((columns - 1 + reach - x) / columns)), int(np.floor((rows - 1 + reach - y) / rows))
        for j in range(upper, lower + 1):
            for i in range(left, right + 1):
                _raise_hill(heights, x + i * columns, y + j * rows, square, top)


@kernel
def _raise_hill(heights: Any, x: float, y: float, square: float, top: float) -> None:
    """Add one hill of squared radius `square`, as far as it lies on the map; (x, y) counts in centres of cells."""
    rows, columns = heights.shape
    reach = np.sqrt(square)
    for j in range(max(0, int(np.ceil(y - reach))), min(rows - 1, int(np.floor(y + reach))) + 1):
        left = square - (j - y) * (j - y)
        span = np.sqrt(max(0.0, left))
        for i in range(max(0, int(np.ceil(x - span))), min(columns - 1, int(np.floor(x + span))) + 1):
            heights[j, i] += top * max(0.0, left - (i - x) * (i - x)) / square
