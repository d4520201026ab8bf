"""Quickest flow: equal to the maximum flow of the time-expanded network, and never above what routes can do."""

import pytest
from flow_networks import most_over_time, network, random_network
from hypothesis import given
from hypothesis import strategies as st

from anabasis import InputError
from anabasis.flow.distribution import fastest
from anabasis.flow.quickest import quickest_time
from anabasis.flow.routes import successive_routes
from anabasis.network import PERIOD

CROSSING = network([(0, 1, 1, 1), (1, 2, 1, 1), (2, 3, 1, 1), (0, 2, 1, 4), (1, 3, 1, 4)], 0, 3)


def small(seed):
    return random_network(seed, sizes=(3, 7), capacities=(1, 2, 3), lengths=(1, 3, 5))


def check_against_time_expansion(seed):
    """Whether there is a way at all; the least time is one at which enough arrive, and one step less is too short."""
    net, units = small(seed), seed % 13 + 1
    steps = quickest_time(net, units, period=1)
    if steps is None:
        assert most_over_time(net, net.size * 5 + 1) == 0
        return False
    assert most_over_time(net, steps) >= units
    assert most_over_time(net, steps - 1) < units
    return True


def test_1000_small_networks_equal_the_time_expanded_maximum_flow():
    assert sum(check_against_time_expansion(seed) for seed in range(1000)) > 900


@pytest.mark.long
def test_20000_more_small_networks_equal_the_time_expanded_maximum_flow():
    assert sum(check_against_time_expansion(seed) for seed in range(1000, 21_000)) > 18_000


def test_the_time_expanded_network_by_hand():
    assert [most_over_time(CROSSING, steps) for steps in range(9)] == [0, 0, 0, 0, 1, 2, 3, 4, 6]
    assert [most_over_time(network([(0, 1, 2, 0), (2, 1, 1, 2)], 0, 2), steps) for steps in range(5)] == [0, 0, 0, 1, 2]


def test_crossing_example():
    assert [quickest_time(CROSSING, n, period=1) for n in range(9)] == [0, 4, 5, 6, 7, 8, 8, 9, 9]


@pytest.mark.parametrize("period", [1, 10, PERIOD])
def test_no_set_of_routes_is_faster_and_the_gap_is_rounding(period):
    """With m routes, rounding withholds less than m units from what the best set would deliver as a fluid."""
    equal = total = 0
    for seed in range(300):
        net = random_network(seed, capacities=(3, 9, 999, 9000))
        sets = successive_routes(net)
        for units in (1, 7, 100):
            steps = quickest_time(net, units, period=period)
            if not sets.snapshots[-1]:
                assert steps is None
                continue
            best = fastest(sets.snapshots, units, period=period)[1].steps
            most = max(len(routes) for routes in sets.snapshots)
            assert steps <= best <= quickest_time(net, units + most - 1, period=period)
            equal += steps == best
            total += 1
    assert total > 800 and equal > {1: total - 1, 10: 300, PERIOD: 30}[period]


def test_ends_early_and_needs_no_route_when_there_is_nobody():
    assert quickest_time(network([], 0, 1), 0) == 0
    assert quickest_time(network([], 0, 1), 1) is None
    assert quickest_time(network([(0, 1, 0, 1)], 0, 1), 1) is None
    assert quickest_time(network([(0, 1, PERIOD, 9), (0, 1, 1, 10**6)], 0, 1), 100) == 109
    assert quickest_time(network([(0, 1, 1, 9), (0, 1, 1, 10)], 0, 1), 2**40, period=1) == 2**39 + 10
    for units, period in ((-1, 1), (1, 0)):
        with pytest.raises(InputError):
            quickest_time(CROSSING, units, period=period)


@given(st.integers(0, 300), st.integers(1, 500), st.integers(1, 50))
def test_more_units_or_less_room_take_no_less_time(seed, units, period):
    net = random_network(seed)
    steps = quickest_time(net, units, period=period)
    if steps is not None:
        assert steps <= quickest_time(net, units + 1, period=period)
        assert steps <= quickest_time(net, units, period=period + 1)
