"""The choice of routes for one or several parts of a group, against everything else that could be done."""

from itertools import product

import numpy as np
import pytest

from anabasis.flow.choice import Leg, choose
from anabasis.flow.distribution import fastest, route_steps
from anabasis.flow.quickest import quickest_time
from anabasis.flow.routes import successive_routes
from anabasis.network import PERIOD, FlowNetwork


def network(edges, source, sink, size):
    """edges: (tail, head, units in a step, steps); all that does not touch the source or the sink is a gate."""
    tail, head, rate, steps = np.array(edges).T
    inner = (tail != source) & (head != source) & (tail != sink) & (head != sink)
    gate = np.where(inner, np.arange(tail.size), -1)
    return FlowNetwork(np.zeros((size, 2)), tail, head, rate * PERIOD, steps, gate, source, sink)


def walker(net):
    """A route is walked as long as it is; the part is told by the edge from the source."""
    starts = net.head[net.tail == net.source].tolist()

    def walk(route):
        gates = tuple(g for g in net.gate[route.edges].tolist() if g >= 0)
        return Leg(starts.index(int(route.vertices[1])), gates, route.length, route.amount)

    return walk


def steps_of(legs, counts):
    return max((route_steps(leg.time, leg.rate, int(n)) for leg, n in zip(legs, counts, strict=True) if n), default=0)


def checked(net, sizes, choice):
    """The units of each part are on its own legs, the routes coexist, and the steps are what the counts take."""
    used = np.zeros(net.tail.size)
    for route in choice.routes:
        used[route.edges] += route.amount
    assert (used <= net.capacity).all()
    for part, units in enumerate(sizes):
        mine = [k for k, leg in enumerate(choice.legs) if leg.part == part]
        assert choice.counts[mine].sum() == units
    assert steps_of(choice.legs, choice.counts) == choice.steps
    assert [leg.rate for leg in choice.legs] == [route.amount for route in choice.routes]


def layered(seed, parts):
    """Random: the source to the starts of parts, two layers of three vertices, the sink."""
    rng = np.random.default_rng(seed)
    source, sink = 0, 1
    starts = [2 + k for k in range(parts)]
    one, two = [2 + parts + k for k in range(3)], [5 + parts + k for k in range(3)]
    edges = [(source, start, 50, 0) for start in starts]
    for a, b in [*product(starts, one), *product(one, two), *product(two, [sink])]:
        if rng.random() < 0.8:
            edges.append((a, b, int(rng.integers(1, 4)), int(rng.integers(1, 12))))
    return network(edges, source, sink, 8 + parts)


@pytest.mark.parametrize("seed", range(40))
def test_one_part_gets_the_fastest_set_of_routes(seed):
    net = layered(seed, 1)
    sets = successive_routes(net).snapshots
    for units in (1, 3, 10, 40):
        choice = choose(net, [units], walker(net))
        if not sets[-1]:
            assert choice is None
            continue
        checked(net, [units], choice)
        number, split = fastest(sets, units)
        assert choice.steps == split.steps
        assert choice.counts.tolist() == split.counts.tolist() and len(choice.routes) == len(sets[number])
        assert quickest_time(net, units) <= choice.steps


def all_splits(units, legs):
    if legs == 1:
        yield (units,)
        return
    for first in range(units + 1):
        for rest in all_splits(units - first, legs - 1):
            yield (first, *rest)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("sizes", [(4, 4), (1, 7), (6, 2)])
def test_no_other_split_over_the_chosen_routes_is_faster(seed, sizes):
    net = layered(seed, 2)
    choice = choose(net, sizes, walker(net))
    if choice is None:
        reached = {int(r.vertices[1]) for k in (0, 1) for r in _alone(net, k)}
        assert len(reached) < 2
        return
    checked_loosely(net, sizes, choice)
    least = [
        min(
            (steps_of([choice.legs[k] for k in mine], split) for split in all_splits(units, len(mine))),
        )
        for part, units in enumerate(sizes)
        if (mine := [k for k, leg in enumerate(choice.legs) if leg.part == part])
    ]
    assert choice.steps == max(least)


def _alone(net, part):
    """The routes of one part when no other is there."""
    first = np.flatnonzero(net.tail == net.source)
    room = net.capacity.copy()
    room[np.delete(first, part)] = 0
    alone = FlowNetwork(net.points, net.tail, net.head, room, net.length, net.gate, net.source, net.sink)
    return successive_routes(alone).snapshots[-1]


def checked_loosely(net, sizes, choice):
    for part, units in enumerate(sizes):
        assert choice.counts[[k for k, leg in enumerate(choice.legs) if leg.part == part]].sum() == units
    assert steps_of(choice.legs, choice.counts) == choice.steps


@pytest.mark.parametrize("seed", range(30))
def test_with_one_gate_for_all_no_choice_of_shares_is_much_faster(seed):
    """Two parts before one gate: against every way to share its rate between them."""
    rng = np.random.default_rng(seed)
    near, far = sorted(rng.integers(1, 30, 2).tolist())
    rate = int(rng.integers(2, 9))
    sizes = rng.integers(1, 60, 2).tolist()
    net = network(
        [(0, 2, 99, 0), (0, 3, 99, 0), (2, 4, 99, near), (3, 4, 99, far), (4, 5, rate, 2), (5, 1, 99, 3)], 0, 1, 6
    )
    choice = choose(net, sizes, walker(net))
    checked(net, sizes, choice)
    least = min(
        max(near + 5 + -(-sizes[0] * 100 // share), far + 5 + -(-sizes[1] * 100 // (100 * rate - share)))
        for share in range(1, 100 * rate)
    )
    assert choice.steps >= quickest_time(net, sum(sizes))
    assert choice.steps <= 1.5 * least + 1
    if near == far:
        assert choice.steps <= least + 1


def test_a_near_part_leaves_room_for_a_far_one():
    """Without shares the nearer part takes all of the gate, and the other has no route."""
    net = network([(0, 2, 99, 0), (0, 3, 99, 0), (2, 4, 99, 1), (3, 4, 99, 9), (4, 5, 2, 1), (5, 1, 99, 1)], 0, 1, 6)
    assert [int(r.vertices[1]) for r in successive_routes(net).snapshots[-1]] == [2]
    choice = choose(net, [10, 10], walker(net))
    checked(net, [10, 10], choice)
    assert sorted(leg.part for leg in choice.legs) == [0, 1]
    assert [leg.rate for leg in choice.legs] == [PERIOD, PERIOD]
    assert choice.steps == 11 + 10


def test_a_part_that_needs_no_gate_takes_no_share_from_the_others():
    """The second part stands beside the target, so that the first one may have all of the gate."""
    net = network([(0, 2, 99, 0), (0, 3, 99, 0), (2, 4, 99, 1), (4, 5, 2, 1), (5, 1, 99, 1), (3, 1, 99, 1)], 0, 1, 6)
    choice = choose(net, [20, 50], walker(net))
    checked(net, [20, 50], choice)
    assert choice.steps == 3 + 10


def test_a_part_without_any_route_leaves_nothing_to_choose():
    net = network([(0, 2, 99, 0), (0, 3, 99, 0), (2, 4, 5, 1), (4, 1, 5, 1)], 0, 1, 5)
    assert choose(net, [5, 5], walker(net)) is None
    assert choose(net, [5, 5], walker(net), most=1) is None


def test_the_time_is_that_of_the_way_as_it_is_walked():
    """Of two routes the network's shorter one takes longer to walk."""
    net = network([(0, 2, 99, 0), (2, 3, 9, 2), (3, 1, 9, 1), (2, 4, 9, 3), (4, 1, 9, 1)], 0, 1, 5)
    plain = walker(net)

    def walk(route):
        leg = plain(route)
        return Leg(leg.part, leg.gates, 40 if leg.gates == (1,) else leg.time, leg.rate)

    choice = choose(net, [18], walk)
    assert choice.steps == 4 + 2
    assert [(leg.gates, int(n)) for leg, n in zip(choice.legs, choice.counts, strict=True)] == [((1,), 0), ((3,), 18)]


@pytest.mark.parametrize("seed", range(20))
def test_limits_on_the_number_and_the_length_of_routes_are_kept(seed):
    net = layered(seed, 1)
    free = choose(net, [40], walker(net))
    if free is None:
        return
    before = None
    for most in (1, 2, 3, 9):
        choice = choose(net, [40], walker(net), most=most)
        checked(net, [40], choice)
        assert np.count_nonzero(choice.counts) <= most
        assert choice.steps >= quickest_time(net, 40)
        assert before is None or choice.steps <= before
        before = choice.steps
    shortest = min(route.length for route in successive_routes(net).snapshots[0])
    for detour in (0.0, 0.3, 1.0):
        choice = choose(net, [40], walker(net), detour=detour)
        checked(net, [40], choice)
        assert max(route.length for route in choice.routes) <= shortest * (1 + detour)
    assert {route.length for route in choose(net, [40], walker(net), detour=0.0).routes} == {shortest}


def test_limits_hold_for_each_part():
    net = network(
        [
            (0, 2, 99, 0),
            (0, 3, 99, 0),
            *((a, b, 2, 1 + b) for a in (2, 3) for b in (4, 5, 6)),
            *((b, 1, 9, 1) for b in (4, 5, 6)),
        ],
        0,
        1,
        7,
    )
    choice = choose(net, [30, 30], walker(net), most=1)
    assert [
        np.count_nonzero([n for leg, n in zip(choice.legs, choice.counts, strict=True) if leg.part == p])
        for p in (0, 1)
    ] == [1, 1]
