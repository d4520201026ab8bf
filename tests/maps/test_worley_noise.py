"""Worley noise: distances as a tree over all points around finds them; combinations, repetition, errors."""

import math

import numpy as np
import pytest
from scipy.spatial import cKDTree

from anabasis import InputError
from anabasis._kernel.random import random_fraction, random_word
from anabasis.maps.terrain.worley_noise import COMBINATIONS, DISTANCES, _noise, worley_noise, worley_noise_at

NORMS = {"euclidean": 2, "manhattan": 1, "chebyshev": np.inf}


def features(low, high, key, periods, points, jitter):
    """All points of the squares from `low` to below `high` along both axes, from their definition."""
    found = []
    for y in range(low, high):
        for x in range(low, high):
            a, b = (c % p if p else c for c, p in zip((x, y), periods, strict=True))
            square = random_word(key, a, b)
            for k in range(points):
                parts = [random_fraction(key, square, 2 * k + axis) for axis in range(2)]
                found.append([x + 0.5 + jitter * (parts[0] - 0.5), y + 0.5 + jitter * (parts[1] - 0.5)])
    return np.array(found)


def both_ways(noise, places, key, periods):
    """The noise at places, and on a grid of columns and rows."""
    at = np.empty(len(places))
    noise.points(at, np.ascontiguousarray(places.T), key, np.array(periods))
    xs, ys = np.sort(places[:40, 0]), np.sort(places[:30, 1])
    grid = np.empty((len(ys), len(xs)))
    noise.grid(grid, xs, ys, key, np.array(periods))
    return at, grid, np.array([[x, y] for y in ys for x in xs])


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize(
    ("points", "jitter", "periods"), [(1, 1.0, (0, 0)), (3, 1.0, (2, 5)), (1, 0.5, (1, 3)), (8, 0, (0, 0))]
)
def test_distances_are_those_of_a_tree(distance, points, jitter, periods):
    places = np.random.default_rng(7).uniform(-4, 4, (150, 2))
    tree = cKDTree(features(-14, 14, 31, periods, points, jitter))
    for nearest in (1, 2, 3, 8):
        at, grid, cells = both_ways(_noise(nearest, "nth", distance, points, jitter), places, 31, periods)
        for found, where in ((at, places), (grid.reshape(-1), cells)):
            wanted = tree.query(where, [nearest], p=NORMS[distance])[0][:, 0]
            np.testing.assert_allclose(found, wanted, atol=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("distance", DISTANCES)
def test_many_distances_are_those_of_a_tree(distance):
    """Enough places for the rare ones, whose nearest point lies two squares away."""
    places = np.random.default_rng(8).uniform(-40, 40, (200000, 2))
    tree = cKDTree(features(-50, 50, 32, (0, 0), 1, 1.0))
    for nearest in range(1, 9):
        at, _, _ = both_ways(_noise(nearest, "nth", distance, 1, 1.0), places, 32, (0, 0))
        wanted = tree.query(places, [nearest], p=NORMS[distance])[0][:, 0]
        np.testing.assert_allclose(at, wanted, atol=1e-12)


def test_nine_squares_are_not_always_enough():
    """The check of the check: a nearest point among the nine squares around is too far at some places."""
    places = np.random.default_rng(9).uniform(0, 30, (40000, 2))
    all_points = features(-4, 34, 31, (0, 0), 1, 1.0)
    at = np.empty(len(places))
    _noise(2, "nth", "euclidean", 1, 1.0).points(at, np.ascontiguousarray(places.T), 31, np.zeros(2, np.int64))
    square = np.floor(all_points)
    short = 0
    for place, found in zip(places[:4000], at, strict=False):
        around = all_points[np.abs(square - np.floor(place)).max(axis=1) <= 1]
        short += np.sort(np.linalg.norm(around - place, axis=1))[1] > found + 1e-9
    assert short > 0
    np.testing.assert_allclose(at, cKDTree(all_points).query(places, [2])[0][:, 0], atol=1e-12)


def test_combinations_are_made_of_two_distances():
    def made(**options):
        return worley_noise(50, 40, seed=4, scale=9, points=2, **options)

    first, second, third = (made(nearest=n) for n in (1, 2, 3))
    assert (first <= second).all()
    assert (second <= third).all()
    np.testing.assert_allclose(made(nearest=2, combine="difference"), second - first, atol=1e-12)
    np.testing.assert_allclose(made(nearest=3, combine="difference"), third - second, atol=1e-12)
    np.testing.assert_allclose(made(nearest=2, combine="product"), first * second, atol=1e-12)
    np.testing.assert_allclose(made(nearest=3, combine="sum"), second + third, atol=1e-12)


def test_no_jitter_is_a_lattice():
    noise = worley_noise(64, 64, seed=4, scale=16, jitter=0, distance="chebyshev")
    assert noise.max() <= 0.5
    np.testing.assert_allclose(noise[:, 16:], noise[:, :-16], atol=1e-12)


def test_a_map_repeats():
    for options in ({}, {"nearest": 4, "distance": "manhattan"}, {"octaves": 3, "warp": 6.0}):
        noise = worley_noise(33, 20, seed=2, scale=8, seamless=True, **options)
        y, x = np.indices(noise.shape)
        places = np.stack([x.ravel() + 0.5 - 33, y.ravel() + 0.5 + 40], axis=1)
        again = worley_noise_at(places, seed=2, scale=8, period=(33, 20), **options)
        np.testing.assert_allclose(again.reshape(noise.shape), noise, atol=1e-10)


def test_the_same_seed_is_the_same_map_for_ever():
    known = ["0x1.9c53f0f63f5d2p-2", "0x1.1a0aef2bff9fcp-1", "0x1.ff6377050517ap-2"]
    noise = worley_noise(7, 3, seed=2**40 + 5, scale=3, octaves=2)
    assert [float(v).hex() for v in noise[2, :3]] == known


def test_wrong_options():
    with pytest.raises(InputError, match=f"unknown combination; found 'F2'; expected {' or '.join(COMBINATIONS)}"):
        worley_noise(4, 4, seed=1, combine="F2")
    with pytest.raises(InputError, match=f"unknown distance; found 'city'; expected {' or '.join(DISTANCES)}"):
        worley_noise(4, 4, seed=1, distance="city")
    with pytest.raises(InputError, match="nearest; found 1; expected a whole number from 2 to 8"):
        worley_noise(4, 4, seed=1, combine="difference")
    with pytest.raises(InputError, match="nearest; found 9; expected a whole number from 1 to 8"):
        worley_noise(4, 4, seed=1, nearest=9)
    with pytest.raises(InputError, match="points; found 0"):
        worley_noise(4, 4, seed=1, points=0)
    with pytest.raises(InputError, match=r"jitter; found 1\.5; expected a share from 0 to 1"):
        worley_noise(4, 4, seed=1, jitter=1.5)
    with pytest.raises(InputError, match="expected n rows of 2 numbers"):
        worley_noise_at([[1.0, 2.0, 3.0]], seed=1)
    assert not math.isnan(worley_noise(1, 1, seed=0)[0, 0])
