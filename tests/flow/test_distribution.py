"""Distribution of units over routes: equal to trying every split, and what it does at the edges."""

from itertools import combinations_with_replacement, pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from anabasis import InputError
from anabasis.flow.distribution import (
    VirtualRoute,
    distribute,
    fastest,
    fluid_steps,
    merged,
    route_steps,
    transit,
    virtual_route,
    without_excess,
)
from anabasis.network import PERIOD, Route


def arrival(time, rate, count, period):
    """The step at which `count` units are through: found by counting up."""
    step = time
    while (step - time) * rate < count * period:
        step += 1
    return step


def splits(units, routes):
    """All ways to write `units` as an ordered sum of so many numbers ≥ 0."""
    for bars in combinations_with_replacement(range(units + 1), routes - 1):
        edges = (0, *bars, units)
        yield tuple(b - a for a, b in pairwise(edges))


def least_steps(times, rates, units, period):
    """The least last arrival over all splits, by trying each."""
    best = None
    table = [
        [0, *(arrival(t, p, x, period) if p else None for x in range(1, units + 1))]
        for t, p in zip(times, rates, strict=True)
    ]
    for split in splits(units, len(times)):
        ends = [table[i][x] for i, x in enumerate(split)]
        if None not in ends and (best is None or max(ends) < best):
            best = max(ends)
    return best


def last_arrival(times, rates, counts, period):
    return max([arrival(t, p, x, period) for t, p, x in zip(times, rates, counts, strict=True) if x], default=0)


def instance(rng):
    routes = int(rng.integers(1, 5))
    period = int(rng.choice([1, 1, 1, 2, 3, 10]))
    rates = rng.integers(0 if rng.random() < 0.2 else 1, 6, routes)
    rates[rng.integers(routes)] += not rates.any()
    times = rng.integers(0, [2, 6, 20][rng.integers(3)], routes)
    return times.tolist(), rates.tolist(), int(rng.integers(0, 9)), period


def test_20000_small_instances_equal_trying_every_split():
    rng = np.random.default_rng(3)
    for _ in range(20_000):
        times, rates, units, period = instance(rng)
        split = distribute(times, rates, units, period=period)
        counts = split.counts.tolist()
        assert sum(counts) == units and min(counts) >= 0
        assert split.steps == last_arrival(times, rates, counts, period)
        assert split.steps == least_steps(times, rates, units, period), (times, rates, units, period)


def test_trying_every_split_tells_better_from_worse():
    assert least_steps([3, 5], [1, 2], 6, 1) == 7
    assert last_arrival([3, 5], [1, 2], (4, 2), 1) == 7
    assert last_arrival([3, 5], [1, 2], (5, 1), 1) == 8  # one unit misplaced is seen
    assert len(list(splits(3, 3))) == len(set(splits(3, 3))) == 10


TABLE = [
    (10, 25, (10, 0, 0), (10, 0, 0)),
    (21, 31, (22, 3, 0), (18, 3, 0)),
    (60, 38, (36, 24, 0), (36, 24, 0)),
    (170, 60, (80, 90, 0), (80, 90, 0)),
    (171, 61, (82, 93, 4), (82, 85, 4)),
    (300, 75, (110, 135, 60), (110, 130, 60)),
]


@pytest.mark.parametrize(("units", "steps", "full", "counts"), TABLE)
def test_published_table(units, steps, full, counts):
    times, rates = (20, 30, 60), (2, 3, 4)
    split = distribute(times, rates, units, period=1)
    assert (split.steps, tuple(split.counts.tolist())) == (steps, counts)
    assert tuple(transit(t, p, steps, period=1) for t, p in zip(times, rates, strict=True)) == full
    assert sum(transit(t, p, steps - 1, period=1) for t, p in zip(times, rates, strict=True)) < units
    order = np.array([2, 0, 1])  # in any order of the routes
    assert distribute(np.array(times)[order], np.array(rates)[order], units, period=1).steps == steps


def test_stages_of_the_procedure():
    assert [transit(20, 2, i, period=1) for i in (0, 20, 21, 25)] == [0, 0, 2, 10]
    assert [transit(20, 3, i, period=2) for i in (21, 22)] == [1, 3]  # whole units only
    assert [route_steps(20, 3, x, period=1) for x in (0, 1, 3, 4)] == [20, 21, 21, 22]
    assert merged([30, 20, 30, 5], [1, 2, 4, 0]) == [(20, 2), (30, 5)]
    assert virtual_route([20, 30, 60], [2, 3, 4], 20) == VirtualRoute(20, 2, 0)  # the second would come too late
    assert virtual_route([20, 30, 60], [2, 3, 4], 21) == VirtualRoute(30, 5, 20)
    assert virtual_route([20, 30, 60], [2, 3, 4], 171) == VirtualRoute(60, 9, 170)
    virtual = VirtualRoute(30, 5, 20)
    assert [virtual.transit(i) for i in (29, 30, 31)] == [0, 20, 25]
    assert [virtual.steps(x) for x in (19, 20, 21, 25, 26)] == [30, 30, 31, 31, 32]
    assert fluid_steps([20, 30, 60], [2, 3, 4], 171, period=1) == 61
    assert fluid_steps([], [], 0) == 0


def test_rounding_to_whole_units_is_corrected():
    # two routes of half a unit a step: together one unit a step, but each delivers one at every other step only
    assert fluid_steps([0, 0], [1, 1], 1, period=2) == 1
    assert distribute([0, 0], [1, 1], 1, period=2).steps == 2
    assert distribute([0, 1], [1, 1], 3, period=2).steps == 4


def test_excess_is_taken_off_the_most_numerous():
    assert without_excess([5, 5, 5], 13) == [5, 4, 4]
    assert without_excess([9, 2, 7], 12) == [5, 2, 5]
    assert without_excess([9, 2, 7], 11) == [5, 2, 4]
    assert without_excess([4], 0) == [0]
    assert without_excess([], 0) == []


@given(st.lists(st.integers(0, 60), max_size=6), st.data())
def test_taking_off_one_by_one_gives_the_same(counts, data):
    units = data.draw(st.integers(0, sum(counts)))
    one_by_one = list(counts)
    while sum(one_by_one) > units:
        top = max(one_by_one)
        one_by_one[len(counts) - 1 - one_by_one[::-1].index(top)] -= 1
    assert without_excess(counts, units) == one_by_one


def test_nobody_no_routes_and_routes_that_carry_nothing():
    assert distribute([], [], 0).counts.tolist() == [] and distribute([], [], 0).steps == 0
    nobody = distribute([5, 6], [1, 0], 0)
    assert (nobody.steps, nobody.counts.tolist()) == (0, [0, 0])
    one = distribute([5, 6], [2, 0], 7, period=1)
    assert (one.steps, one.counts.tolist()) == (9, [7, 0])
    assert distribute([5], [3], 1, period=PERIOD).steps == 5 + 3334
    assert distribute([2**40], [1], 2**40, period=2**20).steps == 2**40 + 2**60  # larger than int64 in between


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([], [], 1), "1 and no route"),
        (([3, 4], [0, 0], 5), "5 and no route"),
        (([3], [1, 2], 5), "1 and 2"),
        (([-1], [1], 5), "below 0"),
        (([1], [-1], 5), "below 0"),
        (([1], [1], -5), "below 0"),
    ],
)
def test_wrong_input_is_named(arguments, words):
    with pytest.raises(InputError, match=words):
        distribute(*arguments)
    with pytest.raises(InputError, match="period"):
        distribute([1], [1], 1, period=0)


routes_strategy = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**5)), min_size=1, max_size=12)


@given(routes_strategy, st.integers(1, 10**5), st.integers(1, PERIOD), st.data())
def test_laws(routes, units, period, data):
    assume(any(p for _, p in routes))
    times, rates = zip(*routes, strict=True)
    split = distribute(times, rates, units, period=period)
    full = [(split.steps - t) * p // period if split.steps >= t else 0 for t, p in routes]
    before = [(split.steps - 1 - t) * p // period if split.steps > t else 0 for t, p in routes]
    assert sum(before) < units <= sum(full)  # the least step at which enough can be there
    assert split.counts.sum() == units and (split.counts <= full).all() and (split.counts >= 0).all()
    assert fluid_steps(times, rates, units, period=period) <= split.steps
    order = data.draw(st.permutations(range(len(routes))))
    turned = distribute([times[i] for i in order], [rates[i] for i in order], units, period=period)
    assert turned.steps == split.steps
    later = data.draw(st.integers(1, 1000))
    assert distribute([t + later for t in times], rates, units, period=period).steps == split.steps + later
    assert distribute([*times, 7], [*rates, 9], units, period=period).steps <= split.steps
    assert distribute(times, rates, units + 1, period=period).steps >= split.steps


def test_fastest_takes_the_first_of_equals_and_skips_sets_without_routes():
    def route(length, amount):
        return Route(np.array([0, 1]), np.array([0]), amount, length)

    sets = ((), (route(3, 1),), (route(5, 1), route(5, 1)), (route(3, 1),))
    assert fastest(sets, 3, period=1)[0] == 1
    number, split = fastest(sets, 6, period=1)
    assert (number, split.steps, split.counts.tolist()) == (2, 8, [3, 3])
    assert fastest(sets, 0)[1].steps == 0
    with pytest.raises(InputError, match="no route"):
        fastest(((),), 1)
