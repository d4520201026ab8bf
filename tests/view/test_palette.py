"""Colours: even ramps, and colours of groups and of tiles that are told apart with any kind of sight."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from anabasis.view.palette import BLOCKED, FREE, GROUP_COLOURS, HEAT, INK, RAMP, WORTH, group_colour, with_alpha
from anabasis.view.tiles import DEAR, GOAL, IMPASSABLE, NEXT, PASSABLE, tile_colours, tile_legend

# how the world looks without red or green cones: G. Machado et al., "A physiologically-based model for simulation of
# color vision deficiency", 2009, on linear light
SIGHTS = {
    "full": np.eye(3),
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
}


def cie_lab(colours, sight="full"):
    c = np.asarray(colours, float)[:, :3] / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    linear = np.clip(linear @ np.array(SIGHTS[sight]).T, 0, 1)
    xyz = linear @ np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]).T
    t = xyz / [0.9505, 1.0, 1.089]
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("ramp", [RAMP, HEAT], ids=["ramp", "heat"])
def test_ramps_darken_evenly(ramp, sight):
    lab = cie_lab(ramp[::8], sight)
    assert (np.diff(lab[:, 0]) < 0).all()
    steps = np.linalg.norm(np.diff(lab, axis=0), axis=1)
    assert steps.min() > 1  # a 32nd of the ramp can still be seen
    if sight == "full":
        assert steps.max() / steps.min() < 4
    assert lab[0, 0] - lab[-1, 0] > 50


def test_ramps_are_read_only_and_opaque():
    for ramp in (RAMP, HEAT, WORTH):
        assert ramp.shape == (256, 4)
        assert (ramp[:, 3] == 255).all()
        assert not ramp.flags.writeable


@pytest.mark.parametrize("sight", SIGHTS)
def test_best_and_worst_and_what_is_between_are_told_apart(sight):
    lab = cie_lab(WORTH[::51], sight)
    for (i, a), (j, b) in itertools.combinations(enumerate(lab), 2):
        assert np.linalg.norm(a - b) > 10, (i, j)
    best, worst = WORTH[0].tolist(), WORTH[-1].tolist()
    assert best[2] > 2 * best[0] and worst[0] > 2 * worst[2]


@pytest.mark.parametrize("sight", SIGHTS)
def test_group_colours_are_told_apart(sight):
    lab = cie_lab([*GROUP_COLOURS, FREE, BLOCKED], sight)
    for (i, a), (j, b) in itertools.combinations(enumerate(lab), 2):
        assert np.linalg.norm(a - b) > 10, (i, j)


@pytest.mark.parametrize("sight", SIGHTS)
def test_tiles_of_any_price_are_told_from_those_that_mean_something(sight):
    ground = cie_lab(tile_colours(np.geomspace(1, 8, 15)), sight)
    others = cie_lab([IMPASSABLE, NEXT, GOAL], sight)
    for i, colour in enumerate(others):
        assert np.linalg.norm(ground - colour, axis=1).min() > 15, i
    for a, b in itertools.combinations(others, 2):
        assert np.linalg.norm(a - b) > 15
    assert (np.diff(ground[:, 0]) < 0).all()


def test_dark_letters_are_read_on_tiles_whose_legend_says_what_is_there():
    light = [cie_lab([colour])[0, 0] for colour in (PASSABLE, DEAR, IMPASSABLE, NEXT, GOAL)]
    assert min(light) - cie_lab([INK])[0, 0] > 35
    assert tile_colours([1, 8, 20, np.inf]).tolist() == [[*PASSABLE], [*DEAR], [*DEAR], [*IMPASSABLE]]
    assert [item.label for item in tile_legend([1, np.inf], step=False)] == ["passable", "impassable", "goal"]
    assert [item.label for item in tile_legend([1, 2])] == ["price", "impassable", "next step", "goal"]


def test_numbers_of_groups_repeat_the_colours():
    assert group_colour(8) == group_colour(0) != group_colour(1)
    assert with_alpha((1, 2, 3, 255), 0.5) == (1, 2, 3, 128)
