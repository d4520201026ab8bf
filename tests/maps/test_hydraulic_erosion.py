"""Hydraulic erosion: the account of the ground is complete, water finds its way better, and nothing grows spikes."""

import numpy as np
import pytest

from anabasis import InputError
from anabasis.maps.land.hydraulic_erosion import hydraulic_erosion, moved_sediment
from anabasis.maps.terrain.hills import hills

SIZES = ((1, 1), (1, 30), (30, 1), (2, 2), (3, 5), (33, 20), (70, 40))


def land(width=128, height=128, seed=1):
    return hills(width, height, seed=seed, roughness=0.5, seamless=True)


def lakes(heights):
    """How much water stands on the land after long rain, when what reaches the border runs off: by repeated sweeps."""
    level = np.full_like(heights, np.inf)
    level[[0, -1]], level[:, [0, -1]] = heights[[0, -1]], heights[:, [0, -1]]
    rows, columns = heights.shape
    while True:
        padded = np.pad(level, 1, constant_values=np.inf)
        lowest = np.min([padded[y : y + rows, x : x + columns] for y in range(3) for x in range(3)], axis=0)
        sunk = np.minimum(level, np.maximum(heights, lowest))
        if np.array_equal(sunk, level):
            return float((level - heights).sum())
        level = sunk


def bend(heights):
    """How far each cell lies from the mean of its four neighbours, on a map that wraps."""
    around = sum(np.roll(heights, shift, axis) for shift in (-1, 1) for axis in (0, 1))
    return np.abs(around / 4 - heights)


@pytest.mark.parametrize("seamless", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_the_account_is_complete(size, seamless):
    heights = land(*size, seed=2) * 40 - 9
    made = moved_sediment(heights, seed=3, rain=2.0, steps=30, strength=0.7, seamless=seamless)
    assert made.heights.shape == heights.shape and np.isfinite(made.heights).all()
    lost = heights.sum() - made.heights.sum()
    assert lost == pytest.approx(made.eroded - made.deposited, abs=1e-9 * (1 + made.eroded))
    assert made.carried_off == pytest.approx(lost, abs=1e-9 * (1 + made.eroded))
    if seamless:
        assert made.carried_off == 0
    if min(size) > 2:
        assert made.eroded > 0
        assert seamless or made.carried_off > 0


def test_water_finds_its_way_better():
    for seed in range(3):
        heights = land(seed=seed)
        assert lakes(hydraulic_erosion(heights, seed=seed)) < 0.75 * lakes(heights)
        assert lakes(hydraulic_erosion(heights, seed=seed, rain=1.0)) < 0.45 * lakes(heights)


def test_more_rain_moves_more_ground():
    heights = land()
    eroded = [moved_sediment(heights, seed=1, rain=rain, seamless=True).eroded for rain in (0.1, 0.25, 0.5, 1.0)]
    assert eroded == sorted(eroded) and eroded[-1] > 2 * eroded[0]


def test_nothing_grows_spikes():
    for seed in range(3):
        heights = land(seed=seed)
        made = hydraulic_erosion(heights, seed=seed, rain=1.0, strength=0.6, seamless=True)
        assert bend(made).max() < 2.5 * bend(heights).max()
        assert bend(made).mean() < bend(heights).mean()
        assert made.min() > -0.02 and made.max() < 1.02


def test_valleys_run_down_a_slope():
    """On a rough plane that falls to the right, the ground comes to differ more across the slope than along it."""
    grain = np.random.default_rng(5).random((128, 128)) * 0.01
    heights = np.linspace(1, 0, 128)[None, :] + grain
    made = hydraulic_erosion(heights, seed=1, rain=1.0)[16:-16, 16:-16]
    made = made - made.mean(axis=0)
    across, along = np.abs(np.diff(made, axis=0)).mean(), np.abs(np.diff(made, axis=1)).mean()
    assert across > 1.5 * along


def test_one_drop_changes_only_what_it_passes():
    heights = np.tile(np.linspace(1, 0, 64), (64, 1))
    made = moved_sediment(heights, seed=4, rain=1 / 64**2, steps=20, radius=3)
    rows, columns = np.nonzero(np.abs(made.heights - heights) > 1e-12)
    assert len(rows) and made.eroded > 0
    assert np.ptp(rows) <= 5 and np.ptp(columns) <= 20 + 5


def test_the_seed_is_the_map():
    heights = land(50, 40)
    first = hydraulic_erosion(heights, seed=7)
    assert np.array_equal(first, hydraulic_erosion(heights, seed=7))
    assert not np.array_equal(first, hydraulic_erosion(heights, seed=8))
    assert np.array_equal(first, moved_sediment(heights, seed=7).heights)


def test_no_unit_of_height_counts():
    heights = land(50, 40)
    made = hydraulic_erosion(heights, seed=7)
    assert np.array_equal(hydraulic_erosion(heights * 256, seed=7), made * 256)


def test_a_seamless_map_has_no_seam():
    made = hydraulic_erosion(land(), seed=1, rain=1.0, seamless=True)
    inside = np.abs(np.diff(made, axis=1)).mean()
    assert np.abs(made[:, 0] - made[:, -1]).mean() < 2 * inside


def test_ground_that_no_drop_can_change():
    flat = np.full((9, 12), 2.5)
    assert np.array_equal(hydraulic_erosion(flat, seed=1, rain=3.0), flat)
    heights = land(40, 40)
    assert np.allclose(hydraulic_erosion(heights, seed=1, strength=0.0), heights, rtol=0, atol=1e-14)


def test_the_heights_given_stay_as_they_are():
    heights = land(30, 30)
    before = heights.copy()
    hydraulic_erosion(heights, seed=1)
    assert np.array_equal(heights, before)


@pytest.mark.parametrize(
    ("heights", "options", "text"),
    [
        (np.zeros(4), {}, "heights has the wrong shape"),
        (np.zeros((0, 4)), {}, "at least one cell"),
        (np.full((2, 2), np.nan), {}, "NaN"),
        (np.full((2, 2), np.inf), {}, "finite"),
        (np.array([[-1e308, 1e308]]), {}, "finite"),
        (np.zeros((2, 2)), {"seed": -1}, "seed"),
        (np.zeros((2, 2)), {"rain": 0}, "rain"),
        (np.zeros((2, 2)), {"steps": 0}, "steps"),
        (np.zeros((2, 2)), {"radius": 0}, "radius"),
        (np.zeros((2, 2)), {"strength": 1.5}, "strength"),
    ],
)
def test_wrong_input(heights, options, text):
    with pytest.raises(InputError, match=text):
        hydraulic_erosion(heights, **{"seed": 1, **options})
