"""Gradient noise: random slopes at the points of a square lattice, faded into each other (Perlin noise).

K. Perlin, "An Image Synthesizer", 1985, with the fade of "Improving Noise", 2002. On a lattice of d dimensions a value
is made of 2^d slopes; `simplex_noise` takes d + 1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.lattice import DIRECTIONS, fade, lattice_word, wrapped
from anabasis._kernel.random import mix, random_word
from anabasis.maps.terrain.octaves import Noise, Octaves, noise_at, noise_grid

__all__ = ["GRADIENT", "gradient_noise", "gradient_noise_at"]

_STREAM = 121
_SLOPES = DIRECTIONS * np.sqrt(2)  # the most that unit slopes make is √½, in the middle of a cell


def gradient_noise(
    width: int,
    height: int,
    *,
    seed: int,
    scale: float = 64.0,
    octaves: int = 1,
    roughness: float = 0.5,
    lacunarity: float = 2.0,
    kind: str = "sum",
    warp: float = 0.0,
    seamless: bool = False,
    offset: tuple[float, float] = (0.0, 0.0),
) -> NDArray[np.float64]:
    """Return float64[height, width], gradient noise in -1 … 1 (0 … 1 if ridged or billow) at the centres of cells.

    scale: cells in a lattice step. The octaves, their roughness, lacunarity, kind and warp, and the errors are those of
    `octaves.Octaves`; seamless and offset those of `octaves.noise_grid`.
    """
    way = Octaves(seed, scale, octaves, roughness, lacunarity, kind, warp)
    return noise_grid(GRADIENT, width, height, way, seamless=seamless, offset=offset)


def gradient_noise_at(
    points: ArrayLike,
    *,
    seed: int,
    scale: float = 64.0,
    octaves: int = 1,
    roughness: float = 0.5,
    lacunarity: float = 2.0,
    kind: str = "sum",
    warp: float = 0.0,
    period: tuple[float, ...] | None = None,
) -> NDArray[np.float64]:
    """Return float64[n], the noise at float64[n, d], places in cells, in 2, 3 or 4 dimensions.

    At the centres of cells, in two dimensions, it is what `gradient_noise` returns, to the last bit.
    """
    way = Octaves(seed, scale, octaves, roughness, lacunarity, kind, warp, period)
    return noise_at(GRADIENT, points, way, (2, 3, 4))


def _points(out: Any, places: Any, key: int, periods: Any) -> None:
    if len(places) == 2:
        _plane(out, places, key, periods)
    else:
        _space(out, places, key, periods)


@kernel
def _slopes(x: Any, y: Any, first: int, row: int, key: int, periods: Any) -> None:
    """Write the slopes of a row of lattice points, from column `first` on."""
    for i in range(x.shape[0]):
        number = lattice_word(key, first + i, row, periods[0], periods[1]) & 15
        x[i], y[i] = _SLOPES[number, 0], _SLOPES[number, 1]


@kernel
def _grid(out: Any, xs: Any, ys: Any, key: int, periods: Any) -> None:
    """Write the noise of columns and rows given in lattice steps.

    On a row of cells the two lattice rows around it merge into one line of slopes and heights, a value a column: so
    each cell blends two of them, and random words are asked for once for each lattice point.
    """
    first = math.floor(xs[0])
    count = math.floor(xs[xs.shape[0] - 1]) - first + 2
    left, right = np.empty(xs.shape[0], np.int64), np.empty(xs.shape[0])
    weight = np.empty(xs.shape[0])
    for c in range(xs.shape[0]):
        column = math.floor(xs[c])
        left[c], right[c] = int(column) - first, xs[c] - column
        weight[c] = fade(right[c])
    upper_x, upper_y, lower_x, lower_y = np.empty(count), np.empty(count), np.empty(count), np.empty(count)
    slope, level = np.empty(count), np.empty(count)
    row = math.floor(ys[0])
    _slopes(upper_x, upper_y, first, row, key, periods)
    _slopes(lower_x, lower_y, first, row + 1, key, periods)
    for r in range(ys.shape[0]):
        line = math.floor(ys[r])
        if line != row:
            row = line
            _slopes(upper_x, upper_y, first, row, key, periods)
            _slopes(lower_x, lower_y, first, row + 1, key, periods)
        below = ys[r] - math.floor(ys[r])
        share = fade(below)
        for i in range(count):
            slope[i] = upper_x[i] + share * (lower_x[i] - upper_x[i])
            high, low = upper_y[i] * below, lower_y[i] * (below - 1.0)
            level[i] = high + share * (low - high)
        for c in range(xs.shape[0]):
            i, d = left[c], right[c]
            near = slope[i] * d + level[i]
            far = slope[i + 1] * (d - 1.0) + level[i + 1]
            out[r, c] = near + weight[c] * (far - near)


@kernel
def _plane(out: Any, places: Any, key: int, periods: Any) -> None:
    """Write the noise at places of the plane, in the very operations of `_grid`."""
    for n in range(out.shape[0]):
        column, row = math.floor(places[0, n]), math.floor(places[1, n])
        d, below = places[0, n] - column, places[1, n] - row
        share = fade(below)
        near = far = 0.0
        for i in range(2):
            upper = lattice_word(key, column + i, row, periods[0], periods[1]) & 15
            lower = lattice_word(key, column + i, row + 1, periods[0], periods[1]) & 15
            slope = _SLOPES[upper, 0] + share * (_SLOPES[lower, 0] - _SLOPES[upper, 0])
            high, low = _SLOPES[upper, 1] * below, _SLOPES[lower, 1] * (below - 1.0)
            level = high + share * (low - high)
            near, far = far, slope * (d - i) + level
        out[n] = near + fade(d) * (far - near)


@kernel
def _space(out: Any, places: Any, key: int, periods: Any) -> None:
    """Write the noise at places of d dimensions; slopes have one part 0 and the others ±1, of random signs.

    The word of a lattice point is made of those of its lines, which are asked for once for all points on them.
    """
    axes = places.shape[0]
    size = 2.0 / np.sqrt(float(axes * (axes - 1)))
    lines: Any = np.empty((axes, 2), np.int64)
    part, weight = np.empty(axes), np.empty(axes)
    for n in range(out.shape[0]):
        for k in range(axes):
            line = math.floor(places[k, n])
            part[k] = places[k, n] - line
            weight[k] = fade(part[k])
            for far in range(2):
                lines[k, far] = random_word(key, wrapped(line + far, periods[k]), k)
        total = 0.0
        for number in range(1 << axes):
            word = 0
            for k in range(axes):
                word ^= lines[k, number >> k & 1]
            word = mix(word)
            share, rise, flat = 1.0, 0.0, word % axes
            for k in range(axes):
                far = number >> k & 1
                share *= weight[k] if far else 1.0 - weight[k]
                if k != flat:
                    d = part[k] - far
                    rise += d if word >> (8 + k) & 1 else -d
            total += share * rise
        out[n] = size * total


GRADIENT = Noise(_STREAM, _grid, _points)
