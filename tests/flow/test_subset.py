"""Choice of a sufficient subset: equal to looking at all subsets."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anabasis.flow import subset as subset_module
from anabasis.flow.subset import greedy_subset, minimal_subsets, sufficient_subset


def subsets(count):
    return [c for size in range(count + 1) for c in combinations(range(count), size)]


def is_minimal(chosen, amounts, required):
    total = sum(amounts[i] for i in chosen)
    return total >= required and all(total - amounts[i] < required for i in chosen)


cases = st.lists(st.integers(1, 12), min_size=1, max_size=7).flatmap(
    lambda amounts: st.tuples(st.just(amounts), st.integers(1, sum(amounts)))
)


@given(cases)
def test_all_minimal_subsets_are_found_and_no_other(case):
    amounts, required = case
    assert list(minimal_subsets(amounts, required)) == [
        s for s in subsets(len(amounts)) if is_minimal(s, amounts, required)
    ]


@given(cases)
def test_the_chosen_one_has_the_least_excess_then_the_fewest_members(case):
    amounts, required = case
    best = min(
        (s for s in subsets(len(amounts)) if is_minimal(s, amounts, required)),
        key=lambda s: (sum(amounts[i] for i in s), len(s), s),
    )
    assert sufficient_subset(amounts, required) == best
    assert is_minimal(greedy_subset(amounts, required), amounts, required)


def test_cases_without_a_choice():
    assert sufficient_subset([5], 3) == (0,)
    assert sufficient_subset([2, 3], 5) == (0, 1)  # all are needed, nothing is left over
    assert sufficient_subset([4, 4], 5) == (0, 1)  # no one can be spared
    assert sufficient_subset([1, 1], 5) == (0, 1)  # not even all suffice
    assert sufficient_subset([], 1) == ()


def test_examples():
    assert sufficient_subset([7, 4, 3, 2], 6) == (1, 3)  # 4 + 2, and not 7 alone
    assert sufficient_subset([3, 3, 3], 3) == (0,)
    assert list(minimal_subsets([3, 2, 1], 3)) == [(0,), (1, 2)]
    assert greedy_subset([1, 5, 4], 6) == (1, 2)
    assert greedy_subset([5, 4, 9], 9) == (2,)


def test_a_superset_of_a_sufficient_subset_is_not_looked_at():
    assert list(minimal_subsets([9] * 40, 5)) == [(i,) for i in range(40)]
    assert list(minimal_subsets([1] * 30, 5, most=10)) == []


def test_with_too_many_subsets_the_greedy_choice_stands_in(monkeypatch):
    amounts = [1000 + i for i in range(40)]
    chosen = sufficient_subset(amounts, 20_000)
    assert is_minimal(chosen, amounts, 20_000)
    assert sufficient_subset(amounts, 20_000) == chosen
    monkeypatch.setattr(subset_module, "MOST_SUBSETS", 1)
    assert sufficient_subset([7, 4, 3, 2], 6) == (0,)  # all but one unseen


@pytest.mark.parametrize(("chosen", "minimal"), [((0,), False), ((0, 1), True), ((0, 1, 2), False)])
def test_the_check_of_minimality(chosen, minimal):
    assert is_minimal(chosen, [4, 4, 4], 5) is minimal
