"""Sharing units out over places: equal to SciPy's assignment and to trying everything."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from anabasis import InputError
from anabasis.flow.transport import least_longest, least_total


@st.composite
def tasks(draw, most_units=30):
    units, places = draw(st.integers(1, most_units)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    cost = rng.integers(0, 6, (units, places)).astype(float) if draw(st.booleans()) else rng.random((units, places))
    cost[rng.random(cost.shape) < draw(st.sampled_from((0.0, 0.0, 0.3)))] = np.inf
    return cost, np.bincount(rng.integers(0, places, units), minlength=places)


def columns(counts):
    return np.repeat(np.arange(counts.size), counts)


def sum_of(cost, place):
    """The number of impossible pairs, and the sum of the others."""
    chosen = cost[np.arange(len(place)), place]
    return int(np.isinf(chosen).sum()), float(chosen[np.isfinite(chosen)].sum())


def by_scipy(cost, counts):
    dear = np.where(np.isinf(cost), 1e6, cost)[:, columns(counts)]
    rows, chosen = linear_sum_assignment(dear)
    place = np.empty(len(cost), np.int64)
    place[rows] = columns(counts)[chosen]
    return place


@settings(deadline=None)
@given(tasks())
def test_least_total_is_that_of_scipy(task):
    cost, counts = task
    place = least_total(cost, counts)
    assert np.bincount(place, minlength=counts.size).tolist() == counts.tolist()
    assert sum_of(cost, place) == pytest.approx(sum_of(cost, by_scipy(cost, counts)), abs=1e-9)


@settings(deadline=None)
@given(tasks(6))
def test_least_longest_is_that_of_trying_everything(task):
    cost, counts = task

    def worth(place):
        chosen = cost[np.arange(len(place)), np.array(place)]
        walked = chosen[np.isfinite(chosen)]
        return int(np.isinf(chosen).sum()), float(walked.max(initial=-1.0)), float(walked.sum())

    best = min(worth(place) for place in set(permutations(columns(counts).tolist())))
    place = least_longest(cost, counts)
    assert np.bincount(place, minlength=counts.size).tolist() == counts.tolist()
    assert worth(place) == pytest.approx(best, abs=1e-9)


def test_the_two_differ_where_they_should():
    # the sum wants 0 + 10, the longest 6 + 6
    cost, counts = np.array([[0.0, 6.0], [6.0, 10.0]]), np.array([1, 1])
    assert least_total(cost, counts).tolist() == [0, 1]
    assert least_longest(cost, counts).tolist() == [1, 0]


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1.0, 1e9, 1e200])
def test_any_unit_of_length_will_do(scale):
    rng = np.random.default_rng(3)
    cost, counts = rng.integers(0, 50, (40, 4)) * 1.0, np.array([10, 0, 25, 5])
    assert sum_of(cost, least_total(cost * scale, counts)) == sum_of(cost, by_scipy(cost, counts))


@pytest.mark.long
@pytest.mark.parametrize("places", [2, 10])
@pytest.mark.parametrize("balanced", [True, False])
def test_many_units_as_scipy(places, balanced):
    rng = np.random.default_rng(places)
    cost = np.hypot(*(rng.random((3000, 1, 2)) - rng.random((1, places, 2)) * 3).transpose(2, 0, 1))
    counts = np.full(places, 3000 // places) if balanced else np.array([3000 - places + 1] + [1] * (places - 1))
    assert sum_of(cost, least_total(cost, counts)) == pytest.approx(sum_of(cost, by_scipy(cost, counts)), rel=1e-12)


@pytest.mark.parametrize("share_out", [least_total, least_longest])
def test_small_cases_and_wrong_numbers(share_out):
    assert share_out(np.zeros((0, 3)), np.zeros(3, np.int64)).size == 0
    assert share_out(np.full((3, 1), np.inf), np.array([3])).tolist() == [0, 0, 0]
    assert sorted(share_out(np.full((3, 2), 7.0), np.array([1, 2])).tolist()) == [0, 1, 1]
    for counts in ([1, 1], [4, -1], [1, 1, 1]):
        with pytest.raises(InputError, match="units for each place"):
            share_out(np.zeros((3, 2)), np.array(counts))
    with pytest.raises(InputError, match="costs"):
        share_out(np.full((1, 1), np.nan), np.array([1]))
