"""Value noise: random heights at the points of a square lattice, faded into each other.

The first of the lattice noises, often taken for Perlin's: its octaves are the random array read at ever wider steps and
blended. K. Perlin and E. Hoffert, "Hypertexture", 1989; D. Ebert and others, "Texturing and Modeling", 2003. The
lattice shows: fine structure lies along the axes, which the test of the directional spectrum measures.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.lattice import fade, lattice_word
from anabasis.maps.terrain.octaves import Noise, Octaves, noise_at, noise_grid

__all__ = ["value_noise", "value_noise_at"]

_STREAM = 120
_HALF = 2147483647.5  # half of the largest word, so that heights reach from -1 to 1


def value_noise(
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
    """Return float64[height, width], value noise in -1 … 1 (0 … 1 if ridged or billow) at the centres of cells.

    scale: cells in a lattice step. The octaves, their roughness, lacunarity, kind and warp, and the errors are those of
    `octaves.Octaves`; seamless and offset those of `octaves.noise_grid`.
    """
    way = Octaves(seed, scale, octaves, roughness, lacunarity, kind, warp)
    return noise_grid(_NOISE, width, height, way, seamless=seamless, offset=offset)


def value_noise_at(
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
    """Return float64[n], the noise at float64[n, 2], places in cells.

    At the centres of cells it is what `value_noise` returns, to the last bit.
    """
    way = Octaves(seed, scale, octaves, roughness, lacunarity, kind, warp, period)
    return noise_at(_NOISE, points, way, (2,))


@kernel
def _heights(out: Any, first: int, row: int, key: int, periods: Any) -> None:
    """Write the heights of a row of lattice points, from column `first` on."""
    for i in range(out.shape[0]):
        out[i] = lattice_word(key, first + i, row, periods[0], periods[1]) / _HALF - 1.0


@kernel
def _grid(out: Any, xs: Any, ys: Any, key: int, periods: Any) -> None:
    """Write the noise of columns and rows given in lattice steps."""
    first = math.floor(xs[0])
    count = math.floor(xs[xs.shape[0] - 1]) - first + 2
    left, weight = np.empty(xs.shape[0], np.int64), np.empty(xs.shape[0])
    for c in range(xs.shape[0]):
        column = math.floor(xs[c])
        left[c], weight[c] = column - first, fade(xs[c] - column)
    upper, lower, level = np.empty(count), np.empty(count), np.empty(count)
    row = math.floor(ys[0])
    _heights(upper, first, row, key, periods)
    _heights(lower, first, row + 1, key, periods)
    for r in range(ys.shape[0]):
        line = math.floor(ys[r])
        if line != row:
            row = line
            _heights(upper, first, row, key, periods)
            _heights(lower, first, row + 1, key, periods)
        share = fade(ys[r] - line)
        for i in range(count):
            level[i] = upper[i] + share * (lower[i] - upper[i])
        for c in range(xs.shape[0]):
            near, far = level[left[c]], level[left[c] + 1]
            out[r, c] = near + weight[c] * (far - near)


@kernel
def _points(out: Any, places: Any, key: int, periods: Any) -> None:
    """Write the noise at places of the plane, in the very operations of `_grid`."""
    for n in range(out.shape[0]):
        column, row = math.floor(places[0, n]), math.floor(places[1, n])
        share = fade(places[1, n] - row)
        near = far = 0.0
        for i in range(2):
            upper = lattice_word(key, column + i, row, periods[0], periods[1]) / _HALF - 1.0
            lower = lattice_word(key, column + i, row + 1, periods[0], periods[1]) / _HALF - 1.0
            near, far = far, upper + share * (lower - upper)
        out[n] = near + fade(places[0, n] - column) * (far - near)


_NOISE = Noise(_STREAM, _grid, _points)
