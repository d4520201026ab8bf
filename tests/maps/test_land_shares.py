"""The three presets of the source, painted: shares of water, indented coasts, and levels that never appear."""

import numpy as np
import pytest

from anabasis.maps.land.levels import levels, thresholds
from anabasis.maps.land.palettes import PALETTES, paint_heights
from anabasis.maps.terrain.diamond_square import diamond_square
from anabasis.maps.terrain.stencils import island_stencil, lake_stencil

PRESETS = {
    "island": (50, 0.45, island_stencil, "temperate"),
    "lake": (200, 0.95, lake_stencil, "lakeland"),
    "random": (225, 0.75, None, "ocean"),
}
SIDES = (33, 65, 129)
SEEDS = range(5)


def heights_of(name, side, seed):
    amplitude, increment, stencil, _ = PRESETS[name]
    given = None if stencil is None else stencil(side, side)
    return diamond_square(
        side, side, seed=seed, amplitude=amplitude, roughness=2**-increment, arithmetic="wrap", predefined=given
    )


def border_length(mask):
    return int((mask[1:] != mask[:-1]).sum() + (mask[:, 1:] != mask[:, :-1]).sum())


@pytest.mark.parametrize("side", SIDES)
def test_an_island_is_about_half_of_its_map(side):
    for seed in SEEDS:
        water = paint_heights(heights_of("island", side, seed)) == ord("W")
        assert 0.48 <= water.mean() <= 0.50
        edge = np.concatenate([water[0], water[-1], water[:, 0], water[:, -1]])
        assert edge.all()  # water all around


@pytest.mark.parametrize("name", PRESETS)
def test_asked_shares_come_out_in_8_bits(name):
    shares = np.array(PALETTES[PRESETS[name][3]].shares)
    for side in SIDES:
        for seed in SEEDS:
            heights = heights_of(name, side, seed)
            real = np.cumsum(np.bincount(levels(heights, thresholds(heights, shares)).ravel(), minlength=5))[:4]
            deficit = shares - real / heights.size
            assert deficit.min() >= 0
            assert deficit.max() <= 0.015


def test_random_maps_have_the_most_indented_coast_at_an_equal_share_of_water():
    def coasts(name):
        fields = (heights_of(name, 129, seed) for seed in SEEDS)
        return [border_length(levels(heights, thresholds(heights, [0.5])) == 0) for heights in fields]

    island, lake, random = (coasts(name) for name in PRESETS)
    assert min(random) > max(*island, *lake)


def test_a_level_that_asks_for_no_more_than_the_one_before_has_no_cell():
    heights = heights_of("random", 65, 1)
    bounds = thresholds(heights, [0.4, 0.4, 0.7, 0.65])
    counts = np.bincount(levels(heights, bounds).ravel(), minlength=5)
    assert counts[1] == counts[3] == 0
    assert (counts[[0, 2, 4]] > 0).all()
