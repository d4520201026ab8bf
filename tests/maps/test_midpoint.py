"""Midpoint displacement equals its definition, on a line and a plane, and shows squares that diamond-square hides."""

import numpy as np
import pytest
from scipy import stats
from squares_oracle import power, slow_heights

from anabasis import InputError
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.maps.terrain.diamond_square import diamond_square
from anabasis.maps.terrain.midpoint import midpoint_displacement, midpoint_line
from anabasis.maps.terrain.spectrum import spectral_slope


def slow_line(parts, side, seed, amplitude, roughness, given, seamless):
    span = parts * side
    known = dict(given)

    def at(x):
        return known[x % span if seamless else x]

    for n in range(parts + 1 - seamless):
        known.setdefault(n * side, random_fraction(stream_key(seed, 104, 0), n, 0) * 256 - 128)
    k, half = 0, side // 2
    while half:
        for x in range(half, span, 2 * half):
            drawn = (random_fraction(stream_key(seed, 103, k), x // half, 0) * 2 - 1) * amplitude * roughness**k
            known.setdefault(x, (at(x - half) + at(x + half)) / 2 + drawn)
        k, half = k + 1, half // 2
    return np.array([known[x] for x in range(span + 1 - seamless)])


def test_a_line_equals_its_definition():
    for parts, side in ((1, 1), (1, 16), (3, 8), (5, 2)):
        for seamless in (False, True):
            for given in ({}, {0: 5.0}, {0: 5.0, 1: -70.0}):
                if len(given) > parts * side:
                    continue
                wanted = slow_line(parts, side, 11, 90.0, 0.7, given, seamless)
                made = midpoint_line(
                    wanted.size,
                    seed=11,
                    amplitude=90,
                    roughness=0.7,
                    square=side,
                    predefined=list(given.items()) or None,
                    seamless=seamless,
                )
                assert np.allclose(made, wanted, rtol=0, atol=1e-9)


def test_a_plane_equals_its_definition():
    for seed, (a, b, side) in enumerate(((1, 1, 8), (2, 1, 4), (3, 2, 4))):
        for arithmetic in ("real", "wrap"):
            for seamless in (False, True):
                options = {"seed": seed, "amplitude": 120.0, "roughness": 0.7, "arithmetic": arithmetic}
                given = [(1, 1, 90), (2, 0, -100)]
                wanted, _ = slow_heights(a, b, side, predefined=given, seamless=seamless, ends=True, **options)
                made = midpoint_displacement(
                    *wanted.shape[::-1], predefined=given, seamless=seamless, square=side, **options
                )
                assert np.allclose(made, wanted, rtol=0, atol=1e-9)


def test_edges_of_squares_depend_on_their_ends_alone():
    """The cause of the artefacts: nothing beside a square's edge reaches it; with diamond-square everything does."""
    corners = [(0, 0, 1), (64, 0, 2), (0, 32, 3), (64, 32, 4), (32, 0, 5), (32, 32, 6)]
    moved = [*corners[:2], (0, 32, 200), *corners[3:]]
    for make, same in ((midpoint_displacement, True), (diamond_square, False)):
        base, other = (make(65, 33, seed=1, square=32, predefined=given) for given in (corners, moved))
        assert np.array_equal(base[:, 32], other[:, 32]) == same
        assert np.array_equal(base[:, 33:], other[:, 33:]) == same
        assert not np.array_equal(base[:, :32], other[:, :32])


def axis_to_diagonal(make):
    """Power along the axes over power along the diagonals, 1 if no direction is favoured."""
    spectrum, axis = power([make(129, 129, seed=seed, roughness=0.5) for seed in range(6)])
    radius, angle = np.hypot(axis[:, None], axis), np.degrees(np.arctan2(axis[:, None], axis)) % 90
    ring, level = (radius > 12) & (radius < 50), np.log(spectrum * np.maximum(radius, 1) ** 3.7)
    along, between = level[ring & (np.minimum(angle, 90 - angle) < 6)], level[ring & (np.abs(angle - 45) < 6)]
    return np.exp(along.mean() - between.mean())


def creases(make):
    """Mean curvature across the edges of early squares over that across other lines, 1 if no line stands out."""
    ratios = []
    for seed in range(6):
        heights = make(129, 129, seed=seed, roughness=0.5)
        across = np.abs(np.diff(heights, 2, axis=1)).mean(axis=0)
        early = np.arange(1, 128) % 16 == 0
        ratios.append(across[early].mean() / across[~early].mean())
    return np.mean(ratios)


def test_diamond_square_hides_the_squares_of_midpoint_displacement():
    assert axis_to_diagonal(midpoint_displacement) > 1.4
    assert 0.8 < axis_to_diagonal(diamond_square) < 1.25
    assert creases(midpoint_displacement) > 1.15 * creases(diamond_square)


def test_lines_of_any_length():
    for length in (*range(1, 20), 100, 1000, 16384):
        for fit, seamless in (("spread", False), ("cut", False), ("spread", True)):
            made = midpoint_line(length, seed=3, fit=fit, seamless=seamless, predefined=[(length - 1, 7.5)])
            assert made.shape == (length,) and np.isfinite(made).all() and made[-1] == 7.5
    whole = midpoint_line(65, seed=3)
    assert np.array_equal(midpoint_line(50, seed=3, fit="cut"), whole[:50])
    other = midpoint_line(150, seed=3)
    assert np.corrcoef(np.interp(np.linspace(0, 64, 150), np.arange(65), whole), other)[0, 1] > 0.97
    assert not np.array_equal(midpoint_line(65, seed=4), whole)
    assert midpoint_displacement(37, 5, seed=1).shape == (5, 37)


def test_offsets_of_a_line_are_uniform_and_shrink():
    line = midpoint_line(4097, seed=5, square=4, amplitude=8, roughness=0.25)
    first = line[2::4] - (line[:-4:4] + line[4::4]) / 2
    second = line[1::2] - (line[:-1:2] + line[2::2]) / 2
    for offsets, reach in ((first, 8), (second, 2)):
        assert np.abs(offsets).max() <= reach + 1e-9
        assert stats.kstest(offsets, stats.uniform(-reach, 2 * reach).cdf).pvalue > 0.01


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"length": 0}, "length of a line; found 0"),
        ({"seed": 1.5}, "seed must be whole numbers"),
        ({"square": 3}, "square; found 3; expected a power of two"),
        ({"fit": "x"}, "unknown fit"),
        ({"schedule": "x"}, "unknown schedule"),
        ({"predefined": [(9, 1)]}, "a predefined cell lies outside the map"),
        ({"predefined": [(1, 1, 1)]}, "wrong shape"),
    ],
)
def test_wrong_options_are_told(options, words):
    given = {"length": 9, "seed": 1, **options}
    with pytest.raises(InputError) as caught:
        midpoint_line(given.pop("length"), **given)
    assert words in str(caught.value)


@pytest.mark.parametrize("roughness", [0.5, 0.6, 0.7, 0.8, 0.9])
def test_roughness_sets_the_slope_of_the_spectrum_of_both(roughness):
    """Power falls with the frequency to the exponent 2 · log2(roughness) - 2, as that of fractional Brownian motion."""
    stated = 2 * np.log2(roughness) - 2
    for make in (midpoint_displacement, diamond_square):
        slope = np.mean([spectral_slope(make(257, 257, seed=seed, roughness=roughness)) for seed in range(4)])
        assert abs(slope - stated) < 0.25, make.__name__
