"""Thermal erosion: the sum of heights stays, what is too steep falls, and nothing depends on an order of cells."""

from itertools import pairwise

import numpy as np
import pytest

from anabasis import InputError
from anabasis.maps.land.thermal_erosion import thermal_erosion

SIZES = ((1, 1), (1, 30), (30, 1), (2, 2), (3, 5), (33, 20))


def rough(shape, seed=1):
    return np.random.default_rng(seed).random(shape)


def neighbours(heights, seamless):
    """All differences of a cell to its eight neighbours, with the lengths of the steps; beyond a border lies none."""
    padded = np.pad(heights, 1, mode="wrap") if seamless else np.pad(heights, 1, constant_values=np.nan)
    rows, columns = heights.shape
    for y, x in ((0, 1), (1, 0), (1, 2), (2, 1), (0, 0), (0, 2), (2, 0), (2, 2)):
        yield padded[y : y + rows, x : x + columns] - heights, 2**0.5 if x != 1 and y != 1 else 1.0


def one_round(heights, rest, seamless):
    """One round, straight from the definition. Beyond an open border lies a mirror of the border cells."""
    padded = np.pad(heights, 1, mode="wrap" if seamless else "symmetric")
    rows, columns = heights.shape
    new = heights.copy()
    for y in (0, 1, 2):
        for x in (0, 1, 2):
            if (y, x) != (1, 1):
                length, part = (2**0.5, 1 / 16) if x != 1 and y != 1 else (1, 1 / 8)
                rise = padded[y : y + rows, x : x + columns] - heights
                new += part * np.sign(rise) * np.maximum(np.abs(rise) - rest * length, 0)
    return new


def too_much(heights, rest, seamless):
    """What the slopes have too much, squared, weighted and added up."""
    return sum(
        np.nansum(np.maximum(np.abs(rise) - rest * length, 0) ** 2) / length**2
        for rise, length in neighbours(heights, seamless)
    )


@pytest.mark.parametrize("seamless", [False, True])
def test_rounds_by_the_definition(seamless):
    for size in SIZES:
        heights = rough(size)
        rest = 3 * np.ptp(heights) / max(size)
        wanted = heights
        for rounds in range(5):
            made = thermal_erosion(heights, talus=3, rounds=rounds, seamless=seamless)
            assert np.allclose(made, wanted, rtol=0, atol=1e-14)
            wanted = one_round(wanted, rest, seamless)


@pytest.mark.parametrize("seamless", [False, True])
def test_the_sum_stays_and_no_height_leaves_the_range(seamless):
    for size in SIZES:
        heights = rough(size, 2) * 100 - 30
        made = thermal_erosion(heights, talus=0.5, rounds=200, seamless=seamless)
        assert made.sum() == pytest.approx(heights.sum(), rel=1e-12, abs=1e-9)
        assert heights.min() - 1e-12 <= made.min() and made.max() <= heights.max() + 1e-12


@pytest.mark.parametrize("seamless", [False, True])
def test_what_is_too_steep_falls_in_each_round(seamless):
    heights = rough((24, 31), 3)
    rest = 4 * np.ptp(heights) / 31
    steep = [too_much(thermal_erosion(heights, rounds=r, seamless=seamless), rest, seamless) for r in range(30)]
    assert all(b < a for a, b in pairwise(steep))
    assert steep[-1] < steep[0] / 50


def test_a_tower_falls_into_a_cone_that_rests():
    heights = np.zeros((61, 61))
    heights[30, 30] = 1.0
    rest = 1.2 / 61
    made = thermal_erosion(heights, talus=1.2, rounds=4000)
    steepest = max(np.nanmax(np.abs(rise)) / length for rise, length in neighbours(made, False))
    assert rest * 0.5 < steepest < rest * 1.01
    assert made.sum() == pytest.approx(1.0)


def test_ground_that_rests_stays_to_the_bit():
    heights = np.add.outer(np.arange(20), np.arange(20)) / 38.0
    assert np.array_equal(thermal_erosion(heights, talus=2.0, rounds=10), heights)
    flat = np.full((5, 7), 3.25)
    assert np.array_equal(thermal_erosion(flat, rounds=10), flat)


def test_mirrored_turned_and_moved_heights_give_the_same():
    heights = rough((25, 25), 4)
    made = thermal_erosion(heights, rounds=20)
    assert np.allclose(thermal_erosion(heights[:, ::-1], rounds=20), made[:, ::-1], rtol=0, atol=1e-14)
    assert np.allclose(thermal_erosion(heights.T, rounds=20), made.T, rtol=0, atol=1e-14)
    wrapped = thermal_erosion(heights, rounds=20, seamless=True)
    moved = thermal_erosion(np.roll(heights, (7, -4), (0, 1)), rounds=20, seamless=True)
    assert np.array_equal(moved, np.roll(wrapped, (7, -4), (0, 1)))


def test_no_unit_of_height_counts():
    heights = rough((25, 25), 5)
    made = thermal_erosion(heights, rounds=20)
    assert np.array_equal(thermal_erosion(heights * 256, rounds=20), made * 256)
    assert np.allclose(thermal_erosion(heights * 3 - 7, rounds=20), made * 3 - 7, rtol=0, atol=1e-12)


def test_the_heights_given_stay_as_they_are():
    heights = rough((9, 9))
    before = heights.copy()
    made = thermal_erosion(heights, rounds=0)
    assert np.array_equal(made, heights) and not np.shares_memory(made, heights)
    thermal_erosion(heights, rounds=5)
    assert np.array_equal(heights, before)


@pytest.mark.parametrize(
    ("heights", "options", "text"),
    [
        (np.zeros(4), {}, "heights has the wrong shape"),
        (np.zeros((0, 4)), {}, "at least one cell"),
        (np.full((2, 2), np.nan), {}, "NaN"),
        (np.full((2, 2), np.inf), {}, "finite"),
        (np.array([[-1e308, 1e308]]), {}, "finite"),
        (np.zeros((2, 2)), {"talus": 0}, "talus"),
        (np.zeros((2, 2)), {"rounds": -1}, "rounds"),
    ],
)
def test_wrong_input(heights, options, text):
    with pytest.raises(InputError, match=text):
        thermal_erosion(heights, **options)
