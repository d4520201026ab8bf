"""Value noise: the blend of four random heights, by the plain formula; its range and how its heights are spread."""

import math

import numpy as np

from anabasis._kernel.lattice import lattice_word
from anabasis.maps.terrain.value_noise import _NOISE, value_noise


def height(key, x, y, periods):
    x, y = (c % p if p else c for c, p in zip((x, y), periods, strict=True))
    return lattice_word(key, x, y, 0, 0) / (2**32 - 1) * 2 - 1


def test_the_plain_formula():
    places = np.random.default_rng(3).uniform(-9, 9, (300, 2))
    for periods in ((0, 0), (3, 1)):
        out = np.empty(len(places))
        _NOISE.points(out, np.ascontiguousarray(places.T), 5, np.array(periods))
        for (x, y), found in zip(places.tolist(), out, strict=True):
            i, j = math.floor(x), math.floor(y)
            u, v = (6 * t**5 - 15 * t**4 + 10 * t**3 for t in (x - i, y - j))
            rows = [(1 - u) * height(5, i, j + b, periods) + u * height(5, i + 1, j + b, periods) for b in (0, 1)]
            assert abs((1 - v) * rows[0] + v * rows[1] - found) < 1e-13


def test_heights_of_lattice_points_are_even():
    """At lattice points the heights are themselves: even from -1 to 1, mean 0, variance 1/3."""
    out = np.empty(40000)
    grid = np.stack(np.meshgrid(np.arange(-100.0, 100), np.arange(-100.0, 100))).reshape(2, -1)
    _NOISE.points(out, grid, 9, np.zeros(2, np.int64))
    assert abs(out.mean()) < 0.015
    assert abs(out.var() - 1 / 3) < 0.01
    counts = np.histogram(out, 20, (-1, 1))[0]
    assert ((counts - 2000) ** 2 / 2000).sum() < 45  # chi square of 19 degrees: one time in a thousand


def test_the_same_seed_is_the_same_map_for_ever():
    known = ["-0x1.5761f331b304ap-3", "0x1.4e621bf730390p-3", "0x1.05fde25ced24ap-2"]
    noise = value_noise(7, 3, seed=2**40 + 5, scale=3, octaves=3)
    assert [float(v).hex() for v in noise[2, :3]] == known
