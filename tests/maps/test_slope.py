"""Slope: the gradient against NumPy's and against planes and hills whose slope is known; cliffs by rank."""

import math

import numpy as np
import pytest

from anabasis import InputError
from anabasis.maps.land.slope import cliffs, downhill, gradient, steepness

SHAPES = [(2, 2), (2, 9), (3, 3), (17, 30)]


def field(seed, shape=(20, 33)):
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize("shape", SHAPES)
def test_it_is_the_gradient_of_numpy(shape):
    heights = field(1, shape)
    right, down = gradient(heights)
    wanted_down, wanted_right = np.gradient(heights)
    assert np.array_equal(right, wanted_right)
    assert np.array_equal(down, wanted_down)
    assert np.allclose(steepness(heights), np.hypot(wanted_right, wanted_down), rtol=1e-14)


@pytest.mark.parametrize("shape", SHAPES)
def test_seamless_it_is_the_gradient_of_the_tiled_field(shape):
    heights = field(2, shape)
    height, width = shape
    wanted_down, wanted_right = (
        a[height : 2 * height, width : 2 * width] for a in np.gradient(np.tile(heights, (3, 3)))
    )
    right, down = gradient(heights, seamless=True)
    assert np.array_equal(right, wanted_right)
    assert np.array_equal(down, wanted_down)
    rolled = np.roll(heights, (3, 5), (0, 1))
    assert np.array_equal(steepness(rolled, seamless=True), np.roll(steepness(heights, seamless=True), (3, 5), (0, 1)))
    assert np.array_equal(
        downhill(rolled, seamless=True), np.roll(downhill(heights, seamless=True), (3, 5), (0, 1)), equal_nan=True
    )


def test_a_plane_has_one_slope_everywhere():
    y, x = np.mgrid[:12, :15]
    heights = 3.0 * x - 4.0 * y
    assert np.allclose(steepness(heights), 5)
    assert np.allclose(downhill(heights), math.atan2(4, -3))


def test_from_a_hilltop_every_way_leads_down():
    y, x = np.mgrid[-10:11, -10:11]
    direction = downhill(-(x**2.0) - y**2.0)
    assert np.isnan(direction[10, 10])
    inside = np.hypot(x, y) > 0
    inside[[0, -1]] = inside[:, [0, -1]] = False  # one-sided differences lean
    assert np.allclose(direction[inside], np.arctan2(y, x)[inside])


@pytest.mark.parametrize("turn", [np.fliplr, np.flipud, np.transpose])
def test_steepness_turns_with_the_land(turn):
    heights = field(4)
    assert np.array_equal(steepness(turn(heights)), turn(steepness(heights)))


def test_single_rows_and_cells_have_slopes():
    assert steepness([[5.0]]).tolist() == [[0]]
    assert np.isnan(downhill([[5.0]])).all()
    right, down = gradient([[1.0, 3.0, 9.0]])
    assert (right.tolist(), down.tolist()) == ([[2, 4, 6]], [[0, 0, 0]])
    right, down = gradient([[1.0], [3.0], [9.0]], seamless=True)
    assert (right.ravel().tolist(), down.ravel().tolist()) == ([0, 0, 0], [-3, 4, -1])


@pytest.mark.parametrize("share", [0, 0.01, 0.1, 0.5, 1])
def test_cliffs_are_the_steepest_cells_that_may_turn(share):
    heights = field(5, (40, 50))
    terrain = np.random.default_rng(6).choice(np.frombuffer(b"WGGf*", np.uint8), (40, 50))
    land, steep = cliffs(terrain, heights, share=share), steepness(heights)
    may = np.isin(terrain, list(b"Gf"))
    turned = land != terrain
    assert not (turned & ~may).any()
    assert (land[turned] == ord("^")).all()
    assert abs(int(turned.sum()) - share * may.sum()) <= 1
    if turned.any() and (may & ~turned).any():
        assert steep[turned].min() > steep[may & ~turned].max()


def test_level_land_has_no_cliffs():
    land = np.full((5, 6), ord("G"), np.uint8)
    assert np.array_equal(cliffs(land, np.zeros((5, 6)), share=0.9), land)
    water = np.full((5, 6), ord("W"), np.uint8)
    assert np.array_equal(cliffs(water, field(7, (5, 6))), water)


def test_wrong_input_is_refused():
    land = np.full((2, 3), ord("G"), np.uint8)
    for call in (gradient, steepness, downhill):
        with pytest.raises(InputError, match="heights must be finite"):
            call([[0.0, np.inf]])
        with pytest.raises(InputError, match="heights has the wrong shape"):
            call([0.0, 1.0])
    with pytest.raises(InputError, match="heights has the wrong shape; found 3×2; expected 2×3"):
        cliffs(land, np.zeros((3, 2)))
    with pytest.raises(InputError, match="share of cliffs; found 2"):
        cliffs(land, np.zeros((2, 3)), share=2)
    with pytest.raises(InputError, match=r"letter of cliffs; found '\^\^'; expected one terrain letter"):
        cliffs(land, np.zeros((2, 3)), rock="^^")
    with pytest.raises(InputError, match="letter that becomes a cliff; found 'q'"):
        cliffs(land, np.zeros((2, 3)), over="Gq")
