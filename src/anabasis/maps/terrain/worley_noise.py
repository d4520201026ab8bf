"""Worley noise: distances to the nearest, second nearest … of random feature points, and what is made of two of them.

S. Worley, "A Cellular Texture Basis Function", 1996. Each cell of a square lattice holds the same number of points at
random places; cells are looked at ring by ring until no point farther out can be among the nearest, so that distances
are exact.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.lattice import wrapped
from anabasis._kernel.random import random_fraction, random_word
from anabasis.maps.terrain.gradient_noise import GRADIENT
from anabasis.maps.terrain.octaves import Noise, Octaves, noise_at, noise_grid
from anabasis.options import check_choice, check_count, check_share

__all__ = ["COMBINATIONS", "DISTANCES", "worley_noise", "worley_noise_at"]

_STREAM = 123
DISTANCES = ("euclidean", "manhattan", "chebyshev")
COMBINATIONS = ("nth", "difference", "product", "sum")
NEAREST = 8  # at most


def worley_noise(
    width: int,
    height: int,
    *,
    seed: int,
    scale: float = 64.0,
    nearest: int = 1,
    combine: str = "nth",
    distance: str = "euclidean",
    points: int = 1,
    jitter: float = 1.0,
    octaves: int = 1,
    roughness: float = 0.5,
    lacunarity: float = 2.0,
    warp: float = 0.0,
    seamless: bool = False,
    offset: tuple[float, float] = (0.0, 0.0),
) -> NDArray[np.float64]:
    """Return float64[height, width], distances in lattice steps, at least 0, from the centres of cells.

    - scale: cells in a lattice step, a square of which holds so many `points` (1 to 8).
    - nearest: n, so that F_n is the distance to the n-th nearest point (1 to 8).
    - combine: *nth* F_n, *difference* F_n - F_(n-1), *product* F_n · F_(n-1), *sum* F_n + F_(n-1); all
      but the first from n = 2 on.
    - distance: euclidean, manhattan or chebyshev.
    - jitter: the part of its square in which a point may lie, around the middle: 0 sets all points on a lattice.

    Octaves are a mean weighted by their amplitudes, each with distances in its own steps; gradient noise warps them.
    Octaves, roughness, lacunarity and warp, and the errors, are those of `octaves.Octaves`; seamless and offset those
    of `octaves.noise_grid`.
    """
    way = Octaves(seed, scale, octaves, roughness, lacunarity, "sum", warp)
    noise = _noise(nearest, combine, distance, points, jitter)
    return noise_grid(noise, width, height, way, seamless=seamless, offset=offset)


def worley_noise_at(
    places: ArrayLike,
    *,
    seed: int,
    scale: float = 64.0,
    nearest: int = 1,
    combine: str = "nth",
    distance: str = "euclidean",
    points: int = 1,
    jitter: float = 1.0,
    octaves: int = 1,
    roughness: float = 0.5,
    lacunarity: float = 2.0,
    warp: float = 0.0,
    period: tuple[float, float] | None = None,
) -> NDArray[np.float64]:
    """Return float64[n], what `worley_noise` returns at the centres of cells, at float64[n, 2], places in cells."""
    way = Octaves(seed, scale, octaves, roughness, lacunarity, "sum", warp, period)
    return noise_at(_noise(nearest, combine, distance, points, jitter), places, way, (2,))


def _noise(nearest: int, combine: str, distance: str, points: int, jitter: float) -> Noise:
    rule, metric = check_choice(combine, "combination", COMBINATIONS), check_choice(distance, "distance", DISTANCES)
    count = check_count(nearest, "nearest", least=1 if combine == "nth" else 2, most=NEAREST)
    crowd = check_count(points, "points", least=1, most=8)
    given = (count, rule, metric, crowd, check_share(jitter, "jitter"))
    return Noise(_STREAM, partial(_on_grid, given), partial(_at, given), warped_by=GRADIENT)


Kind = tuple[int, int, int, int, float]  # nearest, combination, distance, points, jitter


def _reach(kind: Kind) -> int:
    """Return how many rings of squares hold the nearest points for sure.

    The least block of squares around the own one that holds enough points bounds the distance, which bounds the rings.
    """
    count, _, metric, crowd, _ = kind
    ring = 0
    while (2 * ring + 1) ** 2 * crowd < count:
        ring += 1
    return math.ceil((ring + 1) * (math.sqrt(2), 2.0, 1.0)[metric])


def _on_grid(kind: Kind, out: Any, xs: Any, ys: Any, key: int, periods: Any) -> None:
    *way, crowd, jitter = kind
    reach = _reach(kind)
    left, top = math.floor(xs[0]) - reach, math.floor(ys[0]) - reach
    size = math.floor(ys[-1]) + reach + 1 - top, math.floor(xs[-1]) + reach + 1 - left
    features = np.empty((size[0], crowd, 2, size[1]))
    _scatter(features, left, top, key, periods, jitter)
    _grid(out, xs, ys, features, left, top, np.array(way))


def _at(kind: Kind, out: Any, places: Any, key: int, periods: Any) -> None:
    *way, crowd, jitter = kind
    side = 2 * _reach(kind) + 1
    _points(out, places, np.empty((side, crowd, 2, side)), key, periods, jitter, np.array(way))


@kernel
def _scatter(features: Any, left: int, top: int, key: int, periods: Any, jitter: float) -> None:
    """Write the feature points of squares, each as parts of its square."""
    for j in range(features.shape[0]):
        for i in range(features.shape[3]):
            square = random_word(key, wrapped(left + i, periods[0]), wrapped(top + j, periods[1]))
            for k in range(features.shape[1]):
                for axis in range(2):
                    features[j, k, axis, i] = 0.5 + jitter * (random_fraction(key, square, 2 * k + axis) - 0.5)


@kernel
def _length(across: float, down: float, metric: int) -> float:
    """Return a distance, squared if it is euclidean."""
    if metric == 0:
        return across * across + down * down
    return across + down if metric == 1 else max(across, down)


@kernel
def _value(x: float, y: float, features: Any, i: int, j: int, best: Any, combine: int, metric: int) -> float:
    """Return what the nearest points make at a place, given as parts of the square (i, j)."""
    count = best.shape[0]
    for n in range(count):
        best[n] = math.inf
    margin = min(x, 1.0 - x, y, 1.0 - y)
    for ring in range(features.shape[0]):
        gap = ring - 1 + margin if ring > 0 else 0.0
        if _length(gap, 0.0, metric) >= best[count - 1]:
            break
        for b in range(-ring, ring + 1):
            aside = max(0.0, b - y, y - 1.0 - b)
            if _length(0.0, aside, metric) >= best[count - 1]:
                continue
            step = 1 if abs(b) == ring else 2 * ring
            for a in range(-ring, ring + 1, step):
                if _length(max(0.0, a - x, x - 1.0 - a), aside, metric) >= best[count - 1]:
                    continue
                for k in range(features.shape[1]):
                    across, down = features[j + b, k, 0, i + a] - x, features[j + b, k, 1, i + a] - y
                    far = _length(abs(a + across), abs(b + down), metric)
                    n = count - 1
                    if far < best[n]:
                        while n > 0 and best[n - 1] > far:
                            best[n] = best[n - 1]
                            n -= 1
                        best[n] = far
    return _combined(best[count - 1], best[count - 2] if count > 1 else 0.0, combine, metric)


@kernel
def _combined(last: float, before: float, combine: int, metric: int) -> float:
    """Return what the two farthest of the nearest points make."""
    if metric == 0:
        last, before = math.sqrt(last), math.sqrt(before)
    if combine == 1:
        return last - before
    if combine == 2:
        return last * before
    return last + before if combine == 3 else last


@kernel
def _take(nearest: Any, far: Any, x: Any, left: Any, shift: int, across: Any, down: Any, metric: int) -> None:
    """Take one point of each square into account, for all columns: `nearest` stays sorted."""
    for c in range(far.shape[0]):
        i = left[c] + shift
        far[c] = _length(abs(shift + (across[i] - x[c])), down[i], metric)
    for n in range(nearest.shape[0]):
        for c in range(far.shape[0]):
            less, more = nearest[n, c], far[c]
            nearest[n, c] = less if less < more else more
            far[c] = more if less < more else less


@kernel
def _grid(out: Any, xs: Any, ys: Any, features: Any, left: int, top: int, way: Any) -> None:
    """Write the noise of columns and rows given in lattice steps.

    A whole row of cells looks at the own square and its eight neighbours at once; where a point of another square may
    be as near, the search starts anew.
    """
    columns, count, combine, metric = xs.shape[0], way[0], way[1], way[2]
    square, x = np.empty(columns, np.int64), np.empty(columns)
    for c in range(columns):
        square[c] = math.floor(xs[c]) - left
        x[c] = xs[c] - math.floor(xs[c])
    nearest, far, best = np.empty((count, columns)), np.empty(columns), np.empty(count)
    down = np.empty(features.shape[3])
    for r in range(ys.shape[0]):
        row = math.floor(ys[r]) - top
        y = ys[r] - math.floor(ys[r])
        nearest[:] = math.inf
        for b in range(-1, 2):
            for k in range(features.shape[1]):
                for i in range(down.shape[0]):
                    down[i] = abs(b + (features[row + b, k, 1, i] - y))
                for a in range(-1, 2):
                    _take(nearest, far, x, square, a, features[row + b, k, 0], down, metric)
        for c in range(columns):
            gap = 1.0 + min(x[c], 1.0 - x[c], y, 1.0 - y)
            if nearest[count - 1, c] > _length(gap, 0.0, metric):
                out[r, c] = _value(x[c], y, features, square[c], row, best, way[1], way[2])
            else:
                before = nearest[count - 2, c] if count > 1 else 0.0
                out[r, c] = _combined(nearest[count - 1, c], before, combine, metric)


@kernel
def _points(out: Any, places: Any, features: Any, key: int, periods: Any, jitter: float, way: Any) -> None:
    """Write the noise at places of the plane; the points around are scattered anew where the square changes."""
    best, reach = np.empty(way[0]), features.shape[0] // 2
    row = column = 0
    for n in range(out.shape[0]):
        i, j = math.floor(places[0, n]), math.floor(places[1, n])
        if n == 0 or i != column or j != row:
            column, row = i, j
            _scatter(features, column - reach, row - reach, key, periods, jitter)
        out[n] = _value(places[0, n] - column, places[1, n] - row, features, reach, reach, best, way[1], way[2])
