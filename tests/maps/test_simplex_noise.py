"""Simplex noise: the sum over all lattice points around, found without walking through simplices; range and work."""

import itertools
import math
from functools import reduce
from operator import xor

import numpy as np
import pytest

from anabasis import InputError
from anabasis._kernel.lattice import DIRECTIONS, lattice_word
from anabasis._kernel.random import mix, random_word
from anabasis.maps.terrain import simplex_noise as module
from anabasis.maps.terrain.simplex_noise import _NOISE, simplex_noise, simplex_noise_at

ROW = math.sqrt(3) / 2


def at(places, key=77, periods=None):
    """The noise of one octave at places in lattice steps (in the plane: edges across, rows down)."""
    out, periods = np.empty(len(places)), np.array(periods or [0] * places.shape[1])
    _NOISE.points(out, np.ascontiguousarray(places.T), key, periods)
    return out


def all_around(x, row, key, periods):
    """The sum over every point of the triangular lattice within two rows and columns."""
    total = 0.0
    for j in range(math.floor(row) - 2, math.floor(row) + 4):
        for i in range(math.floor(x) - 3, math.floor(x) + 4):
            right, down = x - i - 0.5 * (j % 2), (row - j) * ROW
            near = max(0.0, 0.75 - right**2 - down**2)
            a, b = (c % p if p else c for c, p in zip((i, j), periods, strict=True))
            total += near**4 * float(DIRECTIONS[lattice_word(key, a, b, 0, 0) % 16] @ (right, down))
    return 16 * total


def test_the_plane():
    places = np.random.default_rng(3).uniform(-9, 9, (300, 2))
    for periods in ((0, 0), (3, 2), (1, 4)):
        wanted = [all_around(x, row, 77, periods) for x, row in places.tolist()]
        np.testing.assert_allclose(at(places, periods=list(periods)), wanted, atol=1e-12)


def all_around_in_space(place, key):
    """The sum over every point of the skewed lattice whose whole coordinates are near."""
    axes, total = len(place), 0.0
    skewed = [v + sum(place) * (math.sqrt(axes + 1) - 1) / axes for v in place]
    for step in itertools.product(range(-1, 3), repeat=axes):
        corner = [math.floor(v) + s for v, s in zip(skewed, step, strict=True)]
        apart = [v - c + sum(corner) * (1 - 1 / math.sqrt(axes + 1)) / axes for v, c in zip(place, corner, strict=True)]
        near = 0.5 - sum(d * d for d in apart)
        if near > 0:
            word = mix(reduce(xor, (random_word(key, c, k) for k, c in enumerate(corner))))
            signs = [0 if k == word % axes else 1 if word >> (8 + k) & 1 else -1 for k in range(axes)]
            total += near**4 * sum(s * d for s, d in zip(signs, apart, strict=True))
    return {3: 76.88, 4: 62.77}[axes] * total


@pytest.mark.parametrize("axes", [3, 4])
def test_space(axes):
    places = np.random.default_rng(axes).uniform(-9, 9, (100, axes))
    np.testing.assert_allclose(at(places), [all_around_in_space(p, 77) for p in places.tolist()], atol=1e-12)


@pytest.mark.parametrize("axes", [2, 3, 4])
def test_the_range_is_kept_and_used(axes):
    noise = at(np.random.default_rng(1).uniform(0, 1000, (100000, axes)))
    assert np.abs(noise).max() <= 1
    assert np.abs(noise).max() > 0.95


@pytest.mark.parametrize("axes", [2, 3, 4])
def test_no_step_where_triangles_meet(axes):
    """Along lines through many simplices neighbouring values differ by no more than slopes allow."""
    for direction in np.random.default_rng(5).normal(size=(4, axes)):
        noise = at(np.linspace(0, 20, 40001)[:, None] * direction / np.linalg.norm(direction))
        bends = np.abs(np.diff(noise, 2))
        assert bends.max() < 60 * 0.0005**2, "a second difference is a second derivative times the step squared"


def test_lattice_points_asked_are_at_most_one_more_than_dimensions(monkeypatch):
    count = []
    monkeypatch.setattr(module, "mix", lambda word: count.append(1) or mix(word))
    for axes in (3, 4):
        space, most = getattr(module._space, "py_func", module._space), 0
        for place in np.random.default_rng(2).uniform(-5, 5, (60, axes, 1)):
            count.clear()
            space(np.empty(1), place, 1, (math.sqrt(axes + 1) - 1) / axes, (1 - 1 / math.sqrt(axes + 1)) / axes, 1.0)
            most = max(most, len(count))
        assert axes <= most <= axes + 1  # some corners of a simplex are too far to be seen


def test_a_map_repeats_after_an_even_number_of_rows():
    for width, height in ((40, 30), (7, 90), (3, 3)):
        noise = simplex_noise(width, height, seed=3, scale=10, octaves=3, seamless=True)
        y, x = np.indices(noise.shape)
        places = np.stack([x.ravel() + 0.5 + 2 * width, y.ravel() + 0.5 - 3 * height], axis=1)
        again = simplex_noise_at(places, seed=3, scale=10, octaves=3, period=(width, height))
        np.testing.assert_allclose(again.reshape(noise.shape), noise, atol=1e-11)


def test_the_same_seed_is_the_same_map_for_ever():
    known = ["0x1.3b16a5dfce83ep-3", "-0x1.40b16651603a7p-1", "-0x1.fe7f3c5091f56p-4"]
    noise = simplex_noise(7, 3, seed=2**40 + 5, scale=3, octaves=3)
    assert [float(v).hex() for v in noise[2, :3]] == known


def test_space_does_not_repeat():
    with pytest.raises(InputError, match=r"simplex noise repeats in the plane alone; .*Hint: gradient_noise_at"):
        simplex_noise_at([[1.0, 2.0, 3.0]], seed=1, period=(4, 4, 4))
