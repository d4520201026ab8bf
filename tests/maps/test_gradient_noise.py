"""Gradient noise: the textbook formula on plain numbers, in every dimension; range, zeros, work, known bytes."""

import itertools
import math
from functools import reduce
from operator import xor

import numpy as np
import pytest

from anabasis import InputError
from anabasis._kernel.lattice import DIRECTIONS, lattice_word
from anabasis._kernel.random import mix, random_word
from anabasis.maps.terrain import gradient_noise as module
from anabasis.maps.terrain.gradient_noise import GRADIENT, gradient_noise, gradient_noise_at


def smooth(t):
    return 6 * t**5 - 15 * t**4 + 10 * t**3


def slope(key, corner, periods):
    """The slope of a lattice point, from its definition, with the factor that brings the noise to -1 … 1."""
    corner = [c % p if p else c for c, p in zip(corner, periods, strict=True)]
    if len(corner) == 2:
        return DIRECTIONS[lattice_word(key, *corner, 0, 0) % 16] * math.sqrt(2)
    word = mix(reduce(xor, (random_word(key, c, k) for k, c in enumerate(corner))))
    signs = np.array([1 if word >> (8 + k) & 1 else -1 for k in range(len(corner))])
    signs[word % len(corner)] = 0
    return signs / math.sqrt(len(corner) - 1) * 2 / math.sqrt(len(corner))


def textbook(place, key, periods):
    """The rises of all corners of the cell, seen from each, blended by faded parts."""
    low = [math.floor(v) for v in place]
    total = 0.0
    for corner in itertools.product((0, 1), repeat=len(place)):
        at = [a + b for a, b in zip(low, corner, strict=True)]
        weight = math.prod(smooth(1 - abs(v - c)) for v, c in zip(place, at, strict=True))
        total += weight * float(np.dot(slope(key, at, periods), np.subtract(place, at)))
    return total


def at(places, key=77, periods=None):
    """The noise of one octave at places in lattice steps."""
    out, periods = np.empty(len(places)), np.array(periods or [0] * places.shape[1])
    GRADIENT.points(out, np.ascontiguousarray(places.T), key, periods)
    return out


@pytest.mark.parametrize("axes", [2, 3, 4])
def test_the_textbook_formula(axes):
    places = np.random.default_rng(axes).uniform(-9, 9, (150, axes))
    for periods in ([0] * axes, [1, 3, 4, 2][:axes]):
        wanted = [textbook(place, 77, periods) for place in places.tolist()]
        np.testing.assert_allclose(at(places, periods=periods), wanted, atol=1e-13)


def test_directions_are_sixteen_even_ones_off_the_axes():
    angles = np.sort(np.degrees(np.arctan2(DIRECTIONS[:, 1], DIRECTIONS[:, 0])) % 360)
    np.testing.assert_allclose(angles, 11.25 + 22.5 * np.arange(16), atol=1e-12)
    np.testing.assert_allclose(np.hypot(*DIRECTIONS.T), 1, atol=1e-15)


@pytest.mark.parametrize("axes", [2, 3, 4])
def test_the_range_is_kept_and_used(axes):
    """The bound is what slopes can make that all point at the place; random ones come near it in the plane alone."""
    places = np.random.default_rng(1).uniform(0, 1000, (60000, axes))
    noise = at(places)
    assert np.abs(noise).max() <= 1
    assert np.abs(noise).max() > (0.9, 0.6, 0.45)[axes - 2]
    parts = np.random.default_rng(2).random((20000, axes))
    reach = np.zeros(len(parts))
    for corner in itertools.product((0, 1), repeat=axes):
        reach += np.prod(smooth(1 - np.abs(parts - corner)), axis=1) * np.linalg.norm(parts - corner, axis=1)
    assert reach.max() * 2 / math.sqrt(axes) == pytest.approx(1, abs=0.02)
    assert reach.max() * 2 / math.sqrt(axes) <= 1


def test_lattice_points_are_zero_and_slopes_go_through_them():
    whole = np.array([[x, y] for x in range(-4, 5) for y in range(-4, 5)], float)
    assert (at(whole) == 0).all()
    step = 1e-7
    right, down = at(whole + np.array([step, 0])) / step, at(whole + np.array([0, step])) / step
    wanted = [slope(77, corner, (0, 0)) for corner in whole.astype(int).tolist()]
    np.testing.assert_allclose(np.transpose([right, down]), wanted, atol=1e-5)


def test_lattice_points_asked_grow_with_the_power_of_the_dimension(monkeypatch):
    count = []
    monkeypatch.setattr(module, "mix", lambda word: count.append(1) or mix(word))
    for axes in (3, 4):
        count.clear()
        space = getattr(module._space, "py_func", module._space)
        space(np.empty(1), np.full((axes, 1), 0.3), 1, np.zeros(axes, np.int64))
        assert len(count) == 2**axes


def test_the_same_seed_is_the_same_map_for_ever():
    known = ["0x1.40ca8c73ba6e4p-5", "-0x1.b1a2055e492d9p-5", "0x1.23fd101a3b9b6p-3"]
    noise = gradient_noise(7, 3, seed=2**40 + 5, scale=3, octaves=3)
    assert [float(v).hex() for v in noise[2, :3]] == known
    assert not np.array_equal(noise, gradient_noise(7, 3, seed=2**40 + 6, scale=3, octaves=3))


def test_places_that_are_none_are_refused():
    for points in ([1.0, 2.0], [[1.0]], [[1.0] * 5]):
        with pytest.raises(InputError, match=r"points; found an array of shape .*; expected n rows of 2 or 3 or 4 n"):
            gradient_noise_at(points, seed=1)
    with pytest.raises(InputError, match=r"points; found .*nan.* in row 1; expected places within"):
        gradient_noise_at([[0.0, 1.0], [math.nan, 2.0]], seed=1)
    for points in ("abc", [[1.0, 2.0], [3.0]]):
        with pytest.raises(InputError, match="points; found something else than numbers; expected n rows of 2 or 3 or"):
            gradient_noise_at(points, seed=1)
    with pytest.raises(InputError, match="period; found 2 sides; expected 3, one for each axis"):
        gradient_noise_at([[0.0, 1.0, 2.0]], seed=1, period=(4, 4))
    assert gradient_noise_at(np.empty((0, 2)), seed=1).shape == (0,)
