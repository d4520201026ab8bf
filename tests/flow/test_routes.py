"""Sets of routes: a maximum flow of least cost by OR-Tools and networkx, valid at every crossing, equal when pruned."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from flow_networks import (
    check_set,
    least_cost_by_networkx,
    least_cost_by_ortools,
    network,
    random_network,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis import InputError
from anabasis.flow.distribution import fastest
from anabasis.flow.residual import Residual
from anabasis.flow.routes import forward_routes, net_flow, successive_routes
from anabasis.network import FlowNetwork, Route

S, A, B, T = range(4)
CROSSING = network([(S, A, 1, 1), (A, B, 1, 1), (B, T, 1, 1), (S, B, 1, 4), (A, T, 1, 4)], S, T)
# routes S b x T and S x a T; the third way goes back along a x b, which no route walks as a whole
SPLIT = network(
    [(0, 3, 1, 1), (3, 2, 1, 1), (2, 4, 1, 1), (0, 2, 1, 4), (2, 1, 1, 1), (1, 4, 1, 1), (0, 1, 1, 9), (3, 4, 1, 9)],
    0,
    4,
)
# the second way makes a route that goes a w and w a
LOOP = network([(0, 3, 1, 0), (3, 2, 1, 0), (2, 1, 1, 0), (1, 4, 1, 0), (0, 1, 1, 1), (1, 2, 1, 0), (3, 4, 1, 1)], 0, 4)
# the second way goes back along two pieces of the one route, in such an order that its rest meets itself
AFRESH = network(
    [(0, 1, 1, 0), (1, 2, 1, 0), (2, 3, 1, 0), (3, 4, 1, 0), (4, 5, 1, 0), (0, 4, 1, 1), (3, 2, 1, 0), (1, 5, 1, 1)],
    0,
    5,
)


def edges_of(routes):
    return [(r.edges.tolist(), r.amount, r.length) for r in routes]


def check(net: FlowNetwork):
    """Check all sets of a network; return them."""
    sets = successive_routes(net)
    values = [check_set(net, routes)[0] for routes in sets.snapshots]
    assert values == sorted(values)
    units, cost, flow = check_set(net, sets.snapshots[-1])
    assert flow == sets.flow.tolist()
    assert (units, cost) == (sum(a for _, a in sets.augmentations), sum(n * a for n, a in sets.augmentations))
    assert [n for n, _ in sets.augmentations] == sorted(n for n, _ in sets.augmentations)
    assert (units, cost) == least_cost_by_ortools(net)
    return sets


def test_4000_random_networks_carry_a_maximum_flow_of_least_cost():
    happened = Counter()
    for seed in range(4000):
        sets = check(random_network(seed))
        happened.update(k for k in ("crossings", "splittings", "merges") if getattr(sets, k))
    assert happened["crossings"] > 200 and happened["merges"] > 100 and happened["splittings"] >= 3


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_greater_networks(first):
    for seed in range(first, first + 100):
        check(random_network(seed, sizes=(10, 60), lengths=(3, 100, 10_000), capacities=(1, 20, 100_000)))


@pytest.mark.long
def test_100000_more_networks_also_those_on_which_rare_things_happen():
    happened = Counter()
    for seed in range(10_000, 110_000):
        sets = check(random_network(seed, sizes=(4, 14)))
        happened.update(k for k in ("crossings", "splittings", "merges", "loops") if getattr(sets, k))
    assert min(happened[k] for k in ("crossings", "splittings", "merges", "loops")) > 0


def test_networkx_agrees():
    for seed in range(200):
        net = random_network(seed)
        units, cost, _ = check_set(net, successive_routes(net).snapshots[-1])
        assert (units, cost) == least_cost_by_networkx(net)


def networks():
    """Any small network, edges of capacity and length 0 included."""

    def made(rows):
        return network([(a, (a + b) % 6, c, n) for a, b, c, n in rows], 0, 5, 6)

    edge = st.tuples(st.integers(0, 5), st.integers(1, 5), st.integers(0, 4), st.integers(0, 5))
    return st.lists(edge, max_size=16).map(made)


@settings(deadline=None, max_examples=300)
@given(networks())
def test_any_network(net):
    check(net)


@settings(deadline=None)
@given(networks(), st.randoms(use_true_random=False))
def test_numbers_of_vertices_and_directions_of_edges_change_no_value(net, random):
    order = list(range(net.size))
    random.shuffle(order)
    turned = np.array([random.random() < 0.5 for _ in range(net.tail.size)], bool)
    number = np.array(order)
    tail, head = number[np.where(turned, net.head, net.tail)], number[np.where(turned, net.tail, net.head)]
    other = FlowNetwork(net.points, tail, head, net.capacity, net.length, net.gate, order[0], order[5])
    assert check_set(net, check(net).snapshots[-1])[:2] == check_set(other, check(other).snapshots[-1])[:2]


def test_crossing_example_and_which_set_is_faster():
    sets = check(CROSSING)
    assert sets.augmentations == ((3, 1), (7, 1))
    assert [edges_of(s) for s in sets.snapshots] == [[([0, 1, 2], 1, 3)], [([0, 4], 1, 5), ([3, 2], 1, 5)]]
    assert sets.crossings == 1 and sets.flow.tolist() == [1, 0, 1, 1, 1]
    for units in range(1, 30):
        assert fastest(sets.snapshots[:1], units, period=1)[1].steps == units + 3
        assert fastest(sets.snapshots[1:], units, period=1)[1].steps == -(-units // 2) + 5
        assert fastest(sets.snapshots, units, period=1)[0] == (0 if units <= 5 else 1)  # 4 and 5 are ties


def test_a_run_is_split_where_no_route_walks_all_of_it():
    sets = check(SPLIT)
    assert (sets.crossings, sets.splittings) == (2, 1)
    assert len(sets.snapshots[-1]) == 3


def test_a_loop_is_cut_out_and_its_flow_is_dropped():
    sets = check(LOOP)
    assert sets.loops == 1 and edges_of(sets.snapshots[-1]) == [([0, 6], 1, 1), ([4, 3], 1, 1)]
    assert sets.flow.tolist() == [1, 0, 0, 1, 1, 0, 1]


def test_a_route_that_meets_itself_has_the_net_flow_decomposed_afresh():
    sets = check(AFRESH)
    assert sets.afresh == 1 and edges_of(sets.snapshots[-1]) == [([0, 7], 1, 1), ([5, 4], 1, 1)]
    assert edges_of(sets.snapshots[0]) == [([0, 1, 2, 3, 4], 1, 0)]


def test_equal_routes_are_merged():
    for seed in range(2000):
        sets = successive_routes(random_network(seed))
        if sets.merges:
            routes = sets.snapshots[-1]
            assert len({tuple(r.edges.tolist()) for r in routes}) == len(routes)
            return
    pytest.fail("no merge in 2000 networks")


def test_decomposing_afresh_drops_what_circulates_and_takes_the_shortest_first():
    net = network([(0, 1, 5, 1), (1, 2, 5, 1), (2, 0, 5, 1), (1, 3, 5, 1), (0, 3, 5, 1), (2, 3, 5, 9)], 0, 3)
    circling = np.array([4, 3, 2, 1, 2, 1])  # 2 around 0 1 2, and 2 + 1 + 1 to the sink
    routes = forward_routes(net, circling)
    assert [(w.vertices, amount) for w, amount in routes.items()] == [((0, 3), 2), ((0, 1, 3), 1), ((0, 1, 2, 3), 1)]
    assert net_flow(net, routes).tolist() == [2, 1, 0, 1, 2, 1]
    backward = network([(3, 0, 7, 2)], 0, 3)  # an edge that the route walks from head to tail
    assert net_flow(backward, forward_routes(backward, np.array([-4]))).tolist() == [-4]


def test_no_way_and_no_edges():
    for net in (network([], 0, 1), network([(0, 1, 3, 1)], 0, 2), network([(0, 1, 0, 1)], 0, 1)):
        sets = successive_routes(net)
        assert sets.snapshots == ((),) and sets.augmentations == () and not sets.flow.any()


def test_numbers_too_large_to_add_exactly_are_refused():
    for edge in ((0, 1, 2**52, 1), (0, 1, 1, 2**52)):
        with pytest.raises(InputError, match="too large"):
            successive_routes(network([edge], 0, 1))
    assert check_set(NEARLY, successive_routes(NEARLY).snapshots[-1])[0] == 2**51


NEARLY = network([(0, 1, 2**51, 2**51 - 1)], 0, 1)


@pytest.mark.parametrize("period", [1, 7, 10_000])
def test_pruned_search_has_the_same_fastest_time(period):
    pruned = fewer = 0
    for seed in range(400):
        net = random_network(seed, sizes=(4, 12))
        whole = successive_routes(net)
        if not whole.snapshots[-1]:
            continue
        for units in (1, 4, 30):
            sets = successive_routes(net, units=units, period=period)
            for routes in sets.snapshots:
                check_set(net, routes)
            steps = fastest(whole.snapshots, units, period=period)[1].steps
            assert fastest(sets.snapshots, units, period=period)[1].steps == steps
            assert sets.augmentations == whole.augmentations[: len(sets.augmentations)]
            assert sets.pruned == (len(sets.augmentations) < len(whole.augmentations))
            pruned += sets.pruned
            fewer += len(whole.augmentations) - len(sets.augmentations)
    assert pruned > {1: 300, 7: 30, 10_000: 1}[period] and fewer >= pruned


@pytest.mark.parametrize("slack", [20, 60])
def test_with_slack_more_is_pruned_and_no_more_than_the_slack_is_lost(slack):
    pruned = lost = 0
    for seed in range(150):
        net = random_network(seed, sizes=(8, 30), capacities=(900,), lengths=(300,))
        if not successive_routes(net).snapshots[-1]:
            continue
        steps = [fastest(successive_routes(net, units=40, slack=s).snapshots, 40)[1].steps for s in (0, slack)]
        assert 0 <= steps[1] - steps[0] <= slack
        lost += steps[1] > steps[0]
        pruned += successive_routes(net, units=40, slack=slack).pruned
    assert pruned > {20: 10, 60: 50}[slack] and lost > 0


def test_of_equally_short_ways_one_that_takes_nothing_back_is_found():
    # after 0 1 2 3 there are 0 2 1 3 (back along 1 2) and 0 4 5 3, both of length 5
    net = network(
        [
            (0, 1, 1, 1),
            (1, 2, 1, 1),
            (2, 3, 1, 1),
            (0, 2, 1, 3),
            (1, 3, 1, 3),
            (0, 4, 1, 1),
            (4, 5, 1, 2),
            (5, 3, 1, 2),
        ],
        0,
        3,
    )
    assert successive_routes(net).augmentations[:2] == ((3, 1), (5, 1))
    residual = Residual(net)
    residual.send(residual.shortest())
    assert residual.shortest().edges == (5, 6, 7)


def test_an_augmentation_takes_back_no_more_than_there_is():
    net = network([(0, 1, 2, 1), (1, 2, 9, 1), (2, 3, 2, 1), (0, 2, 9, 5), (1, 3, 9, 5)], 0, 3)
    assert successive_routes(net).augmentations == ((3, 2), (9, 2), (11, 7))
    check(net)


def test_equal_without_compilation():
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from flow_networks import random_network\n"
        "from anabasis.flow.routes import successive_routes\n"
        "for seed in range(25):\n"
        "    sets = successive_routes(random_network(seed))\n"
        "    print([[(r.vertices.tolist(), r.edges.tolist(), r.amount) for r in s] for s in sets.snapshots])\n"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
        ).stdout
        for off in ("0", "1")
    ]
    assert outputs[0] == outputs[1] and outputs[0].count("\n") == 25


GOOD = [Route(np.array([0, 1, 3]), np.array([0, 4]), 1, 5), Route(np.array([0, 2, 3]), np.array([3, 2]), 1, 5)]


@pytest.mark.parametrize(
    ("routes", "words"),
    [
        ([Route(np.array([0, 1]), np.array([0]), 1, 1)], "does not lead"),
        ([Route(np.array([0, 1, 0, 2, 3]), np.array([0, 0, 3, 2]), 1, 7)], "twice"),
        ([GOOD[0], GOOD[0]], "there twice"),
        ([Route(np.array([0, 2, 3]), np.array([0, 2]), 1, 2)], "does not join"),
        ([Route(np.array([0, 1, 3]), np.array([0, 4]), 1, 4)], "length"),
        ([Route(np.array([0, 1, 3]), np.array([0, 4]), 2, 5)], "more than it can"),
        (
            [
                Route(np.array([0, 1, 2, 3]), np.array([0, 1, 2]), 1, 3),
                Route(np.array([0, 2, 1, 3]), np.array([3, 1, 4]), 1, 9),
            ],
            "both directions",
        ),
    ],
)
def test_the_check_finds_each_fault(routes, words):
    assert check_set(CROSSING, GOOD) == (2, 10, [1, 0, 1, 1, 1])
    with pytest.raises(ValueError, match=words):
        check_set(CROSSING, routes)


def test_the_oracles_notice_a_dearer_or_smaller_flow():
    assert least_cost_by_ortools(CROSSING) == least_cost_by_networkx(CROSSING) == (2, 10)
    assert least_cost_by_ortools(CROSSING) != check_set(CROSSING, GOOD[:1])[:2]
