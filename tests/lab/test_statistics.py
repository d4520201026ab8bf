"""Ratios, bands and intervals against brute force, known values, and the aggregates of the thesis."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anabasis.lab.statistics import (
    BANDS,
    Interval,
    band,
    geometric_mean,
    geometric_mean_interval,
    interval_text,
    ratio_interval,
    ratio_text,
)


@pytest.mark.parametrize(
    ("ratio", "place"),
    [(1.0, 0), (1.01, 0), (1.0101, 1), (1.1, 1), (1.1001, 2), (1.5, 2), (1.5001, 3), (5.9, 3), (0.97, 0)],
)
def test_bands_have_the_edges_of_the_thesis(ratio: float, place: int) -> None:
    assert band(ratio) == BANDS[place]


def test_bands_are_exact_at_ratios_of_whole_steps() -> None:
    assert [band(steps / 1000) for steps in (1010, 1011, 1100, 1101, 1500, 1501)] == [
        BANDS[i] for i in (0, 1, 1, 2, 2, 3)
    ]


def test_ratios_are_printed_as_in_the_thesis() -> None:
    assert ratio_text(1.0, best=True) == "1"
    assert ratio_text(1.001, best=False) == "1.00"
    assert ratio_text(2.214, best=False) == "2.21"


def test_geometric_mean() -> None:
    assert geometric_mean([1, 4]) == pytest.approx(2)
    assert geometric_mean([1.28, 1.0, 1.03]) == pytest.approx((1.28 * 1.03) ** (1 / 3))
    for bad in ([], [1.0, 0.0]):
        with pytest.raises(ValueError, match="above 0"):
            geometric_mean(bad)


def percentile_by_enumeration(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """The bootstrap distribution of five pairs in full: all 5^5 resamples."""
    picks = np.array(list(itertools.product(range(len(a)), repeat=len(a))))
    ratios = np.median(a[picks], axis=1) / np.median(b[picks], axis=1)
    return float(np.quantile(ratios, 0.025)), float(np.quantile(ratios, 0.975))


def test_interval_of_few_pairs_equals_the_enumerated_one() -> None:
    random = np.random.default_rng(3)
    for _ in range(5):
        a, b = random.integers(900, 1300, 5).astype(float), random.integers(900, 1300, 5).astype(float)
        found = ratio_interval(a, b)
        assert found is not None
        assert found.kind == "percentile"
        low, high = percentile_by_enumeration(a, b)
        assert found.low == pytest.approx(low, abs=0.012)
        assert found.high == pytest.approx(high, abs=0.012)


def test_bca_interval_equals_the_formula() -> None:
    """Efron's formula written out, with its own resamples."""
    from scipy.stats import norm

    random = np.random.default_rng(8)
    b = random.lognormal(7, 0.1, 25)
    a = b * random.lognormal(0.1, 0.1, 25)
    found = ratio_interval(a, b)
    assert found is not None
    assert found.kind == "BCa"
    picks = random.integers(0, 25, (40_000, 25))
    spread = np.median(a[picks], axis=1) / np.median(b[picks], axis=1)
    here = np.median(a) / np.median(b)
    bias = norm.ppf(((spread < here).mean() + (spread <= here).mean()) / 2)
    left = np.array([np.median(np.delete(a, i)) / np.median(np.delete(b, i)) for i in range(25)])
    turn = left.mean() - left
    speed = (turn**3).sum() / (6 * (turn**2).sum() ** 1.5)
    ends = [norm.cdf(bias + (bias + z) / (1 - speed * (bias + z))) for z in norm.ppf([0.025, 0.975])]
    assert [found.low, found.high] == pytest.approx(np.quantile(spread, ends), abs=0.01)


def test_degenerate_data() -> None:
    assert ratio_interval([5.0] * 4, [4.0] * 4) is None  # too few
    assert ratio_interval([12.0] * 6, [10.0] * 6) == Interval(1.2, 1.2, "constant")
    same = ratio_interval([10.0] * 6, [10.0] * 6)
    assert same is not None
    assert same.holds_one
    one_off = ratio_interval([10.0] * 19 + [11.0], [10.0] * 20)
    assert one_off is not None
    assert one_off.holds_one
    with pytest.raises(ValueError, match="equal lengths"):
        ratio_interval([1.0] * 6, [1.0] * 5)


def test_pairs_are_kept_together() -> None:
    """Seeds that are hard for both methods cancel out only if pairs stay pairs."""
    random = np.random.default_rng(1)
    hard = random.uniform(500, 2000, 15)
    paired = ratio_interval(1.05 * hard, hard)
    crossed = ratio_interval(1.05 * hard, random.permutation(hard))
    assert paired is not None
    assert crossed is not None
    assert paired.high - paired.low < 0.01 < crossed.high - crossed.low
    assert not paired.holds_one
    assert crossed.holds_one


@given(st.lists(st.tuples(st.integers(1, 5000), st.integers(1, 5000)), min_size=5, max_size=12))
def test_intervals_are_finite_ordered_and_repeat(pairs: list[tuple[int, int]]) -> None:
    a, b = zip(*pairs, strict=True)
    found = ratio_interval(a, b)
    assert found is not None
    assert 0 < found.low <= found.high < float("inf")
    assert found == ratio_interval(a, b)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    random = np.random.default_rng(4)
    for pairs, at_least in ((5, 0.88), (11, 0.92), (12, 0.88)):
        hits = 0
        for _ in range(100):
            hard = random.normal(0, 0.03, pairs)
            a, b = (1000 * np.exp(hard + random.normal(0, 0.05, pairs)) for _ in "ab")
            found = ratio_interval(a, b)
            assert found is not None
            hits += found.holds_one
        assert hits / 100 >= at_least


def test_interval_text_never_hides_the_side_of_one() -> None:
    assert interval_text(Interval(1.04, 1.1, "BCa")) == "1.04 to 1.10"
    assert interval_text(Interval(1.003, 1.1, "BCa")) == "1.003 to 1.10"
    assert interval_text(Interval(0.98, 0.9997, "BCa")) == "0.98 to 0.9997"
    assert interval_text(Interval(1.0, 1.0, "constant")) == "1.00 to 1.00"


def test_the_interval_of_a_geometric_mean_against_brute_force() -> None:
    values = [1.0, 1.2, 1.1, 2.0, 1.5]
    found = geometric_mean_interval(values)
    assert found is not None
    assert found.kind == "percentile"
    means = sorted(geometric_mean(sample) for sample in itertools.product(values, repeat=5))
    assert found.low == pytest.approx(means[round(0.025 * len(means))], rel=0.02)
    assert found.high == pytest.approx(means[round(0.975 * len(means))], rel=0.02)


def test_the_interval_of_a_geometric_mean_needs_numbers_and_scales_with_them() -> None:
    assert geometric_mean_interval([1.0, 2.0, 3.0, 4.0]) is None
    assert geometric_mean_interval([1.3] * 6) == Interval(1.3, 1.3, "constant")
    many = [1 + k / 10 for k in range(15)]
    one, two = geometric_mean_interval(many), geometric_mean_interval([2 * value for value in many])
    assert one is not None
    assert two is not None
    assert one.kind == "BCa"
    assert two.low == pytest.approx(2 * one.low)
    assert one.low < geometric_mean(many) < one.high
