"""Simplex noise: random slopes at the points of a lattice of triangles (or their like in space), each seen near by.

K. Perlin, "Noise Hardware", in M. Olano's course "Real-Time Shading", SIGGRAPH 2001; S. Gustavson, "Simplex Noise
Demystified", 2005. In d dimensions a value is made of d + 1 slopes, not of 2^d. In the plane the triangles stand on
rows, so that a map can repeat; in space the lattice is Perlin's, a cubic one pushed together along its diagonal.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.lattice import DIRECTIONS, lattice_word
from anabasis._kernel.random import mix, random_word
from anabasis.errors import InputError
from anabasis.maps.terrain.octaves import Noise, Octaves, noise_at, noise_grid

__all__ = ["simplex_noise", "simplex_noise_at"]

_STREAM = 122
_ROW = math.sqrt(0.75)  # the height of a triangle of edge 1; a slope is seen as far
_SLOPES = DIRECTIONS * 16.0  # the most that unit slopes make is 1/16, in the middle of an edge
_SIZES = {3: 76.88, 4: 62.77}  # in space: 1 by the most, found by search over the simplex, rounded down


def simplex_noise(
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
    """Return float64[height, width], simplex noise in -1 … 1 (0 … 1 if ridged or billow) at the centres of cells.

    scale: the edge of a triangle in cells. The octaves, their roughness, lacunarity, kind and warp, and the errors are
    those of `octaves.Octaves`; seamless (with an even number of rows of triangles) and offset those of
    `octaves.noise_grid`.
    """
    way = Octaves(seed, scale, octaves, roughness, lacunarity, kind, warp)
    return noise_grid(_NOISE, width, height, way, seamless=seamless, offset=offset)


def simplex_noise_at(
    points: ArrayLike,
    *,
    seed: int,
    scale: float = 64.0,
    octaves: int = 1,
    roughness: float = 0.5,
    lacunarity: float = 2.0,
    kind: str = "sum",
    warp: float = 0.0,
    period: tuple[float, float] | None = None,
) -> NDArray[np.float64]:
    """Return float64[n], the noise at float64[n, d], places in cells, in 2, 3 or 4 dimensions.

    At the centres of cells, in two dimensions, it is what `simplex_noise` returns, to the last bit. In three and four
    dimensions an edge of the lattice is a little shorter than `scale`, and a period raises InputError.
    """
    way = Octaves(seed, scale, octaves, roughness, lacunarity, kind, warp, period)
    if period is not None and np.shape(points)[-1:] != (2,):
        hint = "gradient_noise_at repeats in any dimension"
        raise InputError("simplex noise repeats in the plane alone", found=f"a period of {period}", hint=hint)
    return noise_at(_NOISE, points, way, (2, 3, 4))


def _points(out: Any, places: Any, key: int, periods: Any) -> None:
    if len(places) == 2:
        _plane(out, places, key, periods)
    else:
        axes = len(places)
        _space(out, places, key, (math.sqrt(axes + 1) - 1) / axes, (1 - 1 / math.sqrt(axes + 1)) / axes, _SIZES[axes])


@kernel
def _slopes(x: Any, y: Any, first: int, row: int, key: int, periods: Any) -> None:
    """Write the slopes of a row of lattice points, from column `first` on."""
    for i in range(x.shape[0]):
        number = lattice_word(key, first + i, row, periods[0], periods[1]) & 15
        x[i], y[i] = _SLOPES[number, 0], _SLOPES[number, 1]


@kernel
def _near(x: float, y_squared: float, slope: Any, rise: Any) -> float:
    """Return what a lattice point adds x to its right: its rise up to there, faded to 0 at the height of a triangle."""
    part = max(0.0, 0.75 - x * x - y_squared)
    part *= part
    return part * part * (slope * x + rise)


@kernel
def _grid(out: Any, xs: Any, ys: Any, key: int, periods: Any) -> None:
    """Write the noise of columns, in edges, and rows, in heights of triangles.

    The points of odd rows lie half an edge to the right. A row of triangles is pushed to the left, as far as it is
    down, so that pairs of triangles become squares; of the corners of a square, the one that is no corner of the own
    triangle is out of sight and adds 0: four are looked at so that there is no branch.
    """
    first = math.floor(xs[0]) - 1
    count = math.floor(xs[xs.shape[0] - 1]) - first + 3
    upper_x, upper_y, lower_x, lower_y = np.empty(count), np.empty(count), np.empty(count), np.empty(count)
    upper_rise, lower_rise = np.empty(count), np.empty(count)
    row = math.floor(ys[0])
    _slopes(upper_x, upper_y, first, row, key, periods)
    _slopes(lower_x, lower_y, first, row + 1, key, periods)
    for r in range(ys.shape[0]):
        line = math.floor(ys[r])
        if line != row:
            row = line
            _slopes(upper_x, upper_y, first, row, key, periods)
            _slopes(lower_x, lower_y, first, row + 1, key, periods)
        below = ys[r] - line
        odd = row & 1
        down, up = below * _ROW, (below - 1.0) * _ROW
        for i in range(count):
            upper_rise[i], lower_rise[i] = upper_y[i] * down, lower_y[i] * up
        start, push = 0.5 * odd, 0.5 * below
        down, up = down * down, up * up
        for c in range(xs.shape[0]):
            x = xs[c] - start
            column = math.floor(x - push)
            d, i = x - column, column - first
            j = i + odd
            near = _near(d, down, upper_x[i], upper_rise[i]) + _near(d - 1.0, down, upper_x[i + 1], upper_rise[i + 1])
            far = _near(d - 0.5, up, lower_x[j], lower_rise[j]) + _near(d - 1.5, up, lower_x[j + 1], lower_rise[j + 1])
            out[r, c] = near + far


@kernel
def _plane(out: Any, places: Any, key: int, periods: Any) -> None:
    """Write the noise at places of the plane, in the very operations of `_grid`."""
    for n in range(out.shape[0]):
        row = math.floor(places[1, n])
        below = places[1, n] - row
        odd = row & 1
        x = places[0, n] - 0.5 * odd
        column = math.floor(x - 0.5 * below)
        d = x - column
        total = 0.0
        for side in range(2):
            y, aside, shift = (below - side) * _ROW, 0.5 * side, odd * side
            pair = 0.0
            for i in range(2):
                number = lattice_word(key, column + i + shift, row + side, periods[0], periods[1]) & 15
                pair += _near(d - (aside + i), y * y, _SLOPES[number, 0], _SLOPES[number, 1] * y)
            total += pair
        out[n] = total


@kernel
def _space(out: Any, places: Any, key: int, skew: float, unskew: float, size: float) -> None:
    """Write the noise at places of d dimensions; slopes have one part 0 and the others ±1, of random signs.

    From the lower corner of the cube around the skewed place the walk to its upper corner takes the axes in the order
    of the parts of the place: so it visits the corners of the own simplex. The word of a corner is made of those of its
    lines, of which a step changes one.
    """
    axes = places.shape[0]
    corner: Any = np.empty(axes, np.int64)
    lines: Any = np.empty(axes, np.int64)
    order, part = np.empty(axes, np.int64), np.empty(axes)
    for n in range(out.shape[0]):
        total = 0.0
        for k in range(axes):
            total += places[k, n]
        steps = 0
        for k in range(axes):
            corner[k] = math.floor(places[k, n] + total * skew)
            steps += corner[k]
        word = 0
        for k in range(axes):
            lines[k] = random_word(key, corner[k], k)
            word ^= lines[k]
            part[k] = places[k, n] - corner[k] + steps * unskew
            j = k
            while j > 0 and part[order[j - 1]] < part[k]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = k
        value = 0.0
        for number in range(axes + 1):
            if number > 0:
                last = order[number - 1]
                for k in range(axes):
                    part[k] += unskew
                part[last] -= 1.0
                word ^= lines[last] ^ random_word(key, corner[last] + 1, last)
            near = 0.5
            for k in range(axes):
                near -= part[k] * part[k]
            if near > 0.0:
                signs = mix(word)
                rise, flat = 0.0, signs % axes
                for k in range(axes):
                    if k != flat:
                        rise += part[k] if signs >> (8 + k) & 1 else -part[k]
                near *= near
                value += near * near * rise
        out[n] = size * value


_NOISE = Noise(_STREAM, _grid, _points, row=_ROW, rows=2)
