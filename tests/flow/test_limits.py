"""Limits: at most so many routes, none too long; one route exactly, more with a measured gap to trying everything."""

import numpy as np
import pytest
from flow_networks import best_few, check_set, network, random_network, simple_routes

from anabasis import InputError
from anabasis.flow.distribution import distribute, fastest
from anabasis.flow.limits import _room_left, best_of_set, limited_routes, single_route
from anabasis.flow.quickest import quickest_time
from anabasis.flow.routes import successive_routes
from anabasis.network import PERIOD, Route


def tiny(seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(4, 6)), int(rng.integers(5, 9))
    tail = rng.integers(0, n, m)
    head = (tail + rng.integers(1, n, m)) % n
    rows = np.stack([tail, head, rng.integers(1, 4, m), rng.integers(0, 6, m)], axis=1)
    return network(rows, 0, n - 1, n)


def check(net, found, units, most, longest, period):
    assert found.distribution.counts.sum() == units and (found.distribution.counts > 0).all()
    check_set(net, found.routes)
    assert most is None or len(found.routes) <= most
    assert longest is None or all(route.length <= longest for route in found.routes)
    again = distribute([r.length for r in found.routes], [r.amount for r in found.routes], units, period=period)
    assert again.steps == found.distribution.steps
    assert found.distribution.steps >= quickest_time(net, units, period=period)


def gap(most, longest_of, seeds):
    """Valid always; return the ratios to the best by trying everything."""
    ratios = []
    for seed in seeds:
        net, units = tiny(seed), seed % 10 + 1
        lengths = sorted(r.length for r in simple_routes(net))
        longest = longest_of(lengths) if lengths else None
        best = best_few(net, units, most, longest)
        found = limited_routes(net, units, most=most, longest=longest, period=1)
        if best is None:
            assert found is None
            continue
        check(net, found, units, most, longest, 1)
        assert found.distribution.steps >= best
        ratios.append(found.distribution.steps / best)
    return np.array(ratios)


def test_one_route_is_exact():
    assert (gap(1, lambda lengths: None, range(400)) == 1).all()


def test_one_route_of_bounded_length_is_exact():
    assert (gap(1, lambda lengths: lengths[len(lengths) // 3], range(400)) == 1).all()


def test_two_routes_are_nearly_always_the_best():
    ratios = gap(2, lambda lengths: None, range(300))
    assert (ratios == 1).mean() > 0.97 and ratios.max() < 1.3


def test_two_routes_of_bounded_length_are_nearly_always_the_best():
    ratios = gap(2, lambda lengths: lengths[len(lengths) // 2], range(300))
    assert (ratios == 1).mean() > 0.97 and ratios.max() < 1.3


@pytest.mark.long
def test_three_routes_are_nearly_always_the_best():
    ratios = gap(3, lambda lengths: None, range(300))
    assert (ratios == 1).mean() > 0.97 and ratios.max() < 1.3


@pytest.mark.parametrize(("most", "share"), [(None, None), (1, None), (2, None), (3, 0.5), (None, 0.4)])
def test_greater_networks_keep_the_limits(most, share):
    for seed in range(60):
        net = random_network(seed, sizes=(10, 40), capacities=(9000,), lengths=(300,))
        sets = successive_routes(net)
        if not sets.snapshots[-1]:
            continue
        lengths = [n for n, _ in sets.augmentations]
        longest = None if share is None else int(lengths[0] + share * (lengths[-1] - lengths[0]))
        found = limited_routes(net, 50, most=most, longest=longest)
        check(net, found, 50, most, longest, PERIOD)
        if most is None and longest is None:
            assert found.distribution.steps == fastest(sets.snapshots, 50)[1].steps
        if most is not None and most > 1:
            assert found.distribution.steps <= limited_routes(net, 50, most=1, longest=longest).distribution.steps


def test_a_wide_detour_beats_a_narrow_short_cut_for_many_units():
    net = network([(0, 2, 1, 3), (0, 1, 5, 4), (1, 2, 5, 4)], 0, 2)
    assert limited_routes(net, 2, most=1, period=1).routes[0].length == 3
    many = limited_routes(net, 20, most=1, period=1)
    assert (many.routes[0].length, many.distribution.steps) == (8, 12)
    assert limited_routes(net, 20, most=1, longest=7, period=1).distribution.steps == 23
    assert limited_routes(net, 20, longest=2) is None
    assert len(limited_routes(net, 20, period=1).routes) == 2


def test_a_dropped_route_leaves_its_room_to_the_kept_ones():
    # the short way takes 1 of the 6 at the start; without it the other one there carries 6
    net = network([(0, 1, 6, 1), (1, 3, 1, 1), (1, 3, 6, 2), (0, 3, 6, 3)], 0, 3)
    found = limited_routes(net, 120, most=2, period=1)
    assert sorted(route.amount for route in found.routes) == [6, 6] and found.distribution.steps == 3 + 10


def test_no_two_routes_use_an_edge_in_opposite_directions():
    # the best single way leads from 1 to 2; what is left is a way from 2 to 1
    net = network([(0, 1, 2, 1), (1, 2, 2, 1), (2, 3, 2, 1), (0, 2, 1, 1), (1, 3, 1, 1)], 0, 3)
    for units in range(1, 40):
        check(net, limited_routes(net, units, most=2, period=1), units, 2, None, 1)
    left = _room_left(net, [Route(np.array([0, 1, 2, 3]), np.array([0, 1, 2]), 1, 3)])
    assert left.tolist() == [1, 0, 1, 0, 1, 0, 1, 1, 1, 1]


@pytest.mark.long
def test_any_number_of_short_routes_is_nearly_always_the_best():
    ratios = gap(4, lambda lengths: lengths[len(lengths) // 2], range(200))
    assert (ratios == 1).mean() > 0.97 and ratios.max() < 1.3


def test_the_best_of_a_set():
    routes = [Route(np.array([0, 1]), np.array([e]), a, n) for e, (n, a) in enumerate([(3, 1), (4, 5), (9, 9), (5, 2)])]
    assert best_of_set(routes, 1, 1, period=1) == [routes[0]]
    assert best_of_set(routes, 1, 30, period=1) == [routes[1]]
    assert best_of_set(routes, 2, 30, period=1) == [routes[1], routes[3]]
    assert best_of_set(routes, 2, 300, period=1) == [routes[1], routes[2]]


def test_a_single_route_in_the_room_that_is_left():
    net = network([(0, 1, 5, 1), (0, 1, 2, 3)], 0, 1)
    assert single_route(net, np.array([5, 5, 2, 2]), 3, period=1).length == 1
    assert single_route(net, np.array([0, 5, 2, 2]), 3, period=1).length == 3
    assert single_route(net, np.array([0, 5, 0, 2]), 3, period=1) is None


def test_no_way_and_wrong_input():
    assert limited_routes(network([], 0, 1), 5) is None
    for units, most in ((0, 1), (5, 0)):
        with pytest.raises(InputError, match="units and routes"):
            limited_routes(network([(0, 1, 1, 1)], 0, 1), units, most=most)


def test_trying_everything_by_hand():
    net = network([(0, 2, 1, 3), (0, 1, 5, 4), (1, 2, 5, 4)], 0, 2)
    assert [best_few(net, 20, most) for most in (1, 2)] == [12, 11]
    assert best_few(net, 20, 2, longest=7) == 23
    assert best_few(net, 20, 2, longest=1) is None
