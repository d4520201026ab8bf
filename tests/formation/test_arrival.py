"""Synchronised arrival against the worked example, the literal procedure, and in exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anabasis.errors import InputError
from anabasis.formation.arrival import synchronised
from anabasis.manoeuvre import SYNCHRONISATION

SLOWER = tuple(method for method in SYNCHRONISATION if method != "none")

WORKED = [  # none, multiplicative, additive, adaptive; the slowest unit takes 24
    (1.30, 1.73, 1.70, 1.40),
    (1.40, 1.87, 1.80, 1.40),
    (1.20, 1.60, 1.60, 1.40),
    (0.60, 0.80, 1.00, 1.40),
    (0.60, 0.80, 1.00, 1.40),
    (0.80, 1.07, 1.20, 1.40),
    (0.60, 0.80, 1.00, 1.40),
    (0.60, 0.80, 1.00, 1.40),
    (0.90, 1.20, 1.30, 1.40),
    (1.10, 1.47, 1.50, 1.40),
    (2.60, 3.47, 3.00, 2.60),
    (3.10, 4.13, 3.50, 3.10),
    (1.50, 2.00, 1.90, 1.50),
    (1.00, 1.33, 1.40, 1.40),
    (0.70, 0.93, 1.10, 1.40),
]

costs_of_steps = st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=40)
few_values = st.lists(st.sampled_from([0.5, 1.0, 1.5, 4.0]), min_size=1, max_size=40)
paths = costs_of_steps | few_values
factors = st.floats(1.0, 50.0)


def poured(costs: list[float], total: float) -> list[Fraction]:
    """The procedure as it was published, in fractions: lift the lowest to the next higher value until it's enough."""
    d, goal = [Fraction(c) for c in costs], Fraction(total)
    while sum(d) < goal:
        m, low = sum(d), min(d)
        k = d.count(low)
        higher = [c for c in d if c > low]
        enough = not higher or m + k * (min(higher) - low) >= goal
        level = low + (goal - m) / k if enough else min(higher)
        d = [level if c == low else c for c in d]
    return d


@pytest.mark.parametrize("method", SYNCHRONISATION)
def test_worked_example(method):
    table = np.array(WORKED)
    found = synchronised(table[:, 0], 24.0, method)
    assert np.round(found, 2).tolist() == table[:, SYNCHRONISATION.index(method)].tolist()
    assert math.fsum(found) == pytest.approx(18.0 if method == "none" else 24.0, rel=1e-12)


def test_adaptive_is_what_happens_unless_told_otherwise():
    costs = [1.0, 2.0]
    assert synchronised(costs, 4.0).tolist() == [2.0, 2.0] == synchronised(costs, 4.0, "adaptive").tolist()


@given(paths, factors, st.sampled_from(SLOWER))
def test_sum_becomes_the_total_and_no_step_is_faster(costs, factor, method):
    total = sum(costs) * factor
    found = synchronised(costs, total, method)
    assert math.fsum(found) == pytest.approx(total, rel=1e-12)
    assert (found >= costs).all()


@given(paths, factors)
def test_adaptive_equals_the_literal_procedure(costs, factor):
    total = sum(costs) * factor
    expected = [float(c) for c in poured(costs, total)]
    assert synchronised(costs, total, "adaptive") == pytest.approx(expected, rel=1e-11)


@given(paths, factors)
def test_other_methods_in_fractions(costs, factor):
    total = sum(costs) * factor
    c, m = [Fraction(x) for x in costs], sum(map(Fraction, costs))
    extra = Fraction(total) - m if Fraction(total) > m else Fraction(0)
    assert synchronised(costs, total, "multiplicative") == pytest.approx(
        [float(x * (m + extra) / m) for x in c], rel=1e-12
    )
    assert synchronised(costs, total, "additive") == pytest.approx([float(x + extra / len(c)) for x in c], rel=1e-12)


@given(paths, factors, factors, st.sampled_from(SLOWER))
def test_a_larger_total_makes_no_step_faster(costs, one, other, method):
    low, high = sorted((one, other))
    assert (synchronised(costs, sum(costs) * low, method) <= synchronised(costs, sum(costs) * high, method)).all()


@given(few_values, st.sampled_from([0, 1, 2, 3]))
def test_levels_that_just_reach_a_cost_stay_in_order(costs, above):
    """At a total that lifts the lowest just to the next value, neighbours of that total don't jump."""
    level = [0.5, 1.0, 1.5, 4.0][above]
    total = math.fsum(max(c, level) for c in costs)
    totals = [math.nextafter(total, 0), total, math.nextafter(total, math.inf)]
    below, at, over = (synchronised(costs, t, "adaptive") for t in totals)
    assert (below <= at).all() and (at <= over).all()
    assert at == pytest.approx(np.maximum(costs, level), rel=1e-14)


@given(paths, st.randoms(use_true_random=False), st.sampled_from(SLOWER))
def test_the_order_of_steps_does_not_matter(costs, random, method):
    order = list(range(len(costs)))
    random.shuffle(order)
    mixed = synchronised(np.array(costs)[order], sum(costs) * 1.7, method)
    assert mixed == pytest.approx(synchronised(costs, sum(costs) * 1.7, method)[order], rel=1e-11)


@given(paths, factors)
def test_adaptive_leaves_the_most_even_path(costs, factor):
    """Whatever path has the sum and no lower cost, its least cost isn't higher and its squares don't sum to less."""
    total = sum(costs) * factor
    found = {method: synchronised(costs, total, method) for method in SLOWER}
    for method in ("multiplicative", "additive"):
        assert found["adaptive"].min() >= found[method].min() * (1 - 1e-9)
        assert (found["adaptive"] ** 2).sum() <= (found[method] ** 2).sum() * (1 + 1e-9)


@pytest.mark.parametrize("method", SYNCHRONISATION)
def test_nothing_to_do(method):
    costs = np.array([3.0, 1.0, 2.0])
    for total in (0.0, 5.0, 6.0):
        found = synchronised(costs, total, method)
        assert found.tolist() == [3.0, 1.0, 2.0]
        found[0] = 9.0
        assert costs[0] == 3.0
    assert synchronised([], 7.0, method).tolist() == []
    assert synchronised([2.0], 7.0, method).tolist() == ([2.0] if method == "none" else [7.0])


@given(paths, st.sampled_from(SLOWER))
def test_who_takes_as_long_as_the_slowest_keeps_its_costs_to_the_last_bit(costs, method):
    assert synchronised(costs, np.sum(costs), method).tolist() == costs


@given(st.lists(st.integers(1, 40).map(lambda n: n / 10), min_size=2, max_size=8))
def test_a_total_just_above_the_sum(costs):
    """So near that the sum in another order is above it, as that of 2.2, 1.4, 1.0 and 2.1 is."""
    for path in (costs, [2.2, 1.4, 1.0, 2.1]):
        found = synchronised(path, math.nextafter(np.sum(path), math.inf), "adaptive")
        assert (found >= path).all() and found == pytest.approx(path, rel=1e-14)


def test_very_large_and_very_small_costs():
    for method in SLOWER:
        assert synchronised([1e-300, 1e-300], 1e300, method) == pytest.approx([5e299, 5e299])
        assert synchronised([1e308, 1e308], 1e308, method).tolist() == [1e308, 1e308]
    assert synchronised([1e-3, 1.0, 1e308], 1.5e308, "adaptive") == pytest.approx([2.5e307, 2.5e307, 1e308])


@pytest.mark.parametrize(
    ("costs", "total", "method", "said"),
    [
        ([1.0, 0.0], 9.0, "adaptive", "cost of step 1 of a path; found 0; expected finite seconds above 0"),
        ([-1.0, 1.0], 9.0, "none", "cost of step 0 of a path; found -1"),
        ([1.0, 1.0, math.inf], 9.0, "additive", "cost of step 2 of a path; found inf"),
        ([1.0, math.nan], 9.0, "multiplicative", "costs of steps holds NaN"),
        ([[1.0]], 9.0, "adaptive", "costs of steps has the wrong shape"),
        ([1.0], math.inf, "adaptive", "total of a path; found inf"),
        ([1.0], math.nan, "adaptive", "total of a path holds NaN"),
        ([1.0], -1.0, "adaptive", "total of a path; found -1; expected finite seconds of at least 0"),
        ([1.0], 9.0, "normalizing", "unknown synchronisation; found 'normalizing'; expected none or multiplicative"),
    ],
)
def test_wrong_input(costs, total, method, said):
    with pytest.raises(InputError) as error:
        synchronised(costs, total, method)
    assert said in str(error.value)
