"""Levels: the thresholds and the levels against sorting and counting in plain Python."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from anabasis import InputError
from anabasis.maps.land.levels import levels, thresholds

SHARES = (0.5, 0.56, 0.85, 0.95)


def field(seed, width=60, height=40, whole=False):
    heights = np.random.default_rng(seed).normal(0, 40, (height, width))
    return np.floor(heights) if whole else heights


def plain_levels(heights, bounds):
    """The first type whose threshold lies above the cell, the highest if none does."""
    rows = []
    for row in np.asarray(heights).tolist():
        rows.append([next((k for k, bound in enumerate(bounds) if h < bound), len(bounds)) for h in row])
    return np.array(rows)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_by_cells_it_is_the_value_at_that_place_of_the_sorted_list(seed, whole):
    heights = field(seed, 7 + 13 * seed, 11, whole)
    ordered = sorted(heights.ravel().tolist())
    n = len(ordered)
    texts = ("0", "0.01", "0.29", "0.5", "0.57", "0.999", "1")
    wanted = [ordered[min(n - 1, Fraction(text) * n // 1)] for text in texts]
    assert thresholds(heights, [float(text) for text in texts]).tolist() == wanted


def test_shares_of_cells_are_exact_to_the_cell():
    heights = np.random.default_rng(3).permutation(100).reshape(10, 10)
    for hundredths in range(1, 100):
        level = levels(heights, thresholds(heights, [hundredths / 100]))
        assert (level == 0).sum() == hundredths


@settings(max_examples=150, deadline=None)
@given(
    arrays(np.int8, array_shapes(min_dims=2, max_dims=2, max_side=8)),
    st.lists(st.integers(0, 20).map(lambda k: k / 20), max_size=6),
)
def test_no_level_has_more_cells_below_it_than_asked(heights, shares):
    bounds = thresholds(heights, shares)
    level = levels(heights, bounds)
    assert np.array_equal(level, plain_levels(heights, bounds.tolist()))
    for k, share in enumerate(np.maximum.accumulate(shares) if shares else []):
        assert (level <= k).sum() <= share * heights.size + 1e-6


def test_the_real_share_of_a_level_is_near_the_asked_one_in_8_bits():
    heights = np.clip(field(5, 257, 257, whole=True), -128, 127)
    for share in (0.2, 0.5, 0.8):
        real = (levels(heights, thresholds(heights, [share])) == 0).mean()
        assert share - 0.015 <= real <= share


def test_by_range_and_by_height():
    heights = np.array([[-100.0, 0.0, 60.0, 100.0]])
    assert thresholds(heights, [0.0, 0.1, 0.5, 1.0], by="range").tolist() == [-100, -80, 0, 100]
    assert levels(heights, thresholds(heights, [0.1, 0.5], by="range")).tolist() == [[0, 2, 2, 2]]
    assert thresholds(heights, [-20, 60], by="absolute").tolist() == [-20, 60]
    assert levels(heights, [-20, 60]).tolist() == [[0, 1, 2, 2]]


def test_the_same_heights_give_other_maps_by_cells_and_by_range():
    heights = field(2) ** 2
    by_cells, by_range = (levels(heights, thresholds(heights, SHARES, by=way)) for way in ("cells", "range"))
    assert (by_cells != by_range).mean() > 0.2


def test_a_level_that_does_not_rise_never_appears():
    heights = field(7)
    for bounds in ([0, 0, 20], [0, -5, 20], [20, 0, 0, 40]):
        level = levels(heights, bounds)
        assert np.array_equal(level, plain_levels(heights, bounds))
        for k in range(1, len(bounds)):
            assert (level == k).any() == (bounds[k] > max(bounds[:k]))
    flat = np.zeros((5, 5))
    assert (levels(flat, thresholds(flat, SHARES)) == 4).all()  # nothing lies strictly below


def test_any_number_of_levels():
    heights = np.arange(65536.0).reshape(256, 256)
    level = levels(heights, thresholds(heights, np.arange(1, 256) / 256))
    assert np.array_equal(level, np.arange(65536).reshape(256, 256) // 256)
    assert thresholds(heights, []).size == 0
    assert not levels(heights, []).any()


def test_only_the_order_of_heights_counts_by_cells():
    heights = field(11)
    level = levels(heights, thresholds(heights, SHARES))
    risen = heights**3 + 5
    assert np.array_equal(levels(risen, thresholds(risen, SHARES)), level)
    mirrored = heights[:, ::-1]
    assert np.array_equal(levels(mirrored, thresholds(mirrored, SHARES)), level[:, ::-1])


def test_one_cell_is_a_field():
    assert levels([[3.0]], thresholds([[3.0]], SHARES)).tolist() == [[4]]


def test_wrong_input_is_refused():
    heights = field(1)
    with pytest.raises(InputError, match=r"unknown way to cut levels; .* expected cells or range or absolute"):
        thresholds(heights, SHARES, by="cell")
    for way in ("cells", "range"):
        with pytest.raises(InputError, match="share of a level; found 50; expected a cumulative share from 0 to 1"):
            thresholds(heights, [0.2, 50], by=way)
    for call in (thresholds, levels):
        with pytest.raises(InputError, match="number of levels; found 257; expected at most 256"):
            call(heights, np.zeros(256))
        with pytest.raises(InputError, match="heights must be finite"):
            call([[0, np.inf]], [0.5])
        with pytest.raises(InputError, match=r"heights must not be so large; found -1e\+200 to 0"):
            call([[0, -1e200]], [0.5])
        with pytest.raises(InputError, match="heights holds NaN"):
            call([[0, np.nan]], [0.5])
        with pytest.raises(InputError, match="heights has the wrong shape; found 3"):
            call([0, 1, 2], [0.5])
        with pytest.raises(InputError, match="size of heights; found 0 cells"):
            call(np.zeros((0, 4)), [0.5])
