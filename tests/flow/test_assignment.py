"""Who takes which route: every strategy against its words, written out again without haste."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis import InputError
from anabasis.flow.assignment import STRATEGIES, TARGET, assign
from anabasis.flow.transport import least_total

FAR_AWAY = (1000.0, 0.0)
BY_PLACE = [name for name, (_, numbered) in STRATEGIES.items() if not numbered]


@st.composite
def tasks(draw):
    """Units in a square, gates around it, routes that share gates."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    units, routes = draw(st.integers(0, 40)), draw(st.integers(1, 7))
    points = rng.random((8, 2)) * 50 - 20
    gates = [tuple(rng.permutation(8)[: rng.integers(0, 4)].tolist()) for _ in range(routes)]
    counts = np.bincount(rng.integers(0, routes, units), minlength=routes)
    return rng.random((units, 2)) * 10, counts, gates, points


def distances(positions, points):
    return np.hypot(*(positions[:, None] - np.asarray(points)[None]).transpose(2, 0, 1))


def plainly_nearest(distance, demand):
    left, choice = list(demand), []
    for row in distance:
        g = min((g for g in range(len(left)) if left[g]), key=lambda g: row[g])
        left[g] -= 1
        choice.append(g)
    return choice


def plainly_farthest(distance, demand):
    left, choice = list(demand), [-1] * len(distance)
    while -1 in choice:
        # a route without units is not used, so its gate is none
        u = min(
            (u for u in range(len(choice)) if choice[u] < 0),
            key=lambda u: min(d for d, wanted in zip(distance[u], demand, strict=True) if wanted),
        )
        choice[u] = max((g for g in range(len(left)) if left[g]), key=lambda g: distance[u][g])
        left[choice[u]] -= 1
    return choice


def plainly_in_rounds(distance, demand):
    left, choice = list(demand), [-1] * len(distance)
    while any(left):
        free = [u for u in range(len(choice)) if choice[u] < 0]
        near = [sorted(free, key=lambda u: distance[u][g])[: left[g]] for g in range(len(left))]
        for u in free:
            hits = [g for g in range(len(left)) if u in near[g]]
            if hits:
                choice[u] = min(hits, key=lambda g: distance[u][g])
        for g in range(len(left)):
            left[g] = demand[g] - choice.count(g)
    return choice


PLAINLY = {"nearest": plainly_nearest, "farthest": plainly_farthest, "shared-gates": plainly_in_rounds}


@pytest.mark.parametrize("strategy", PLAINLY)
@settings(deadline=None)
@given(seed=st.integers(0, 2**32), units=st.integers(1, 30), gates=st.integers(1, 5))
def test_one_gate_a_route_as_in_the_words_of_the_strategy(strategy, seed, units, gates):
    rng = np.random.default_rng(seed)
    positions, points = rng.random((units, 2)) * 10, rng.random((gates, 2)) * 30 - 10
    counts = np.bincount(rng.integers(0, gates, units), minlength=gates)
    got = assign(positions, counts, [(g,) for g in range(gates)], points, FAR_AWAY, strategy=strategy)
    assert got.tolist() == PLAINLY[strategy](distances(positions, points).tolist(), counts.tolist())


@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(deadline=None)
@given(task=tasks())
def test_every_unit_has_one_route_and_every_route_its_units(strategy, task):
    route = assign(*task, FAR_AWAY, strategy=strategy, seed=5)
    assert np.bincount(route, minlength=len(task[2])).tolist() == task[1].tolist()
    assert route.tolist() == assign(*task, FAR_AWAY, strategy=strategy, seed=5).tolist()


@pytest.mark.parametrize("strategy", BY_PLACE)
@settings(deadline=None)
@given(task=tasks(), seed=st.integers(0, 2**32))
def test_the_numbers_of_units_do_not_matter(strategy, task, seed):
    positions, counts, gates, points = task
    order = np.random.default_rng(seed).permutation(len(positions))
    walk = {g: np.floor(distances(positions, [points[g]])[:, 0]) for route in gates for g in route[:1]}  # many equal
    route = assign(positions, counts, gates, points, FAR_AWAY, strategy=strategy, walk=walk)
    mixed = {g: d[order] for g, d in walk.items()}
    again = assign(positions[order], counts, gates, points, FAR_AWAY, strategy=strategy, walk=mixed)
    assert again.tolist() == route[order].tolist()


@pytest.mark.parametrize("strategy", ["nearest", "shared-gates", "least-total"])
@settings(deadline=None)
@given(task=tasks())
def test_the_tree_shares_first_gates_out_as_if_there_were_no_later_ones(strategy, task):
    positions, counts, gates, points = task
    first = [route[0] if route else TARGET for route in gates]
    names = list(dict.fromkeys(g for g, c in zip(first, counts.tolist(), strict=True) if c))
    demand = [int(counts[np.array(first) == g].sum()) for g in names]
    alone = assign(positions, demand, [() if g == TARGET else (g,) for g in names], points, FAR_AWAY, strategy=strategy)
    route = assign(positions, counts, gates, points, FAR_AWAY, strategy=strategy)
    assert [first[r] for r in route.tolist()] == [names[r] for r in alone.tolist()]


def test_in_order_and_random_do_not_look_at_places():
    gates, points = [(0,), (1,), (2,)], np.zeros((3, 2))
    line = np.stack([np.arange(9.0), np.zeros(9)], axis=1)
    assert assign(line, [2, 3, 4], gates, points, FAR_AWAY, strategy="in-order").tolist() == [0] * 2 + [1] * 3 + [2] * 4
    shuffled = [assign(line, [2, 3, 4], gates, points, FAR_AWAY, strategy="random", seed=s).tolist() for s in range(9)]
    assert shuffled[1] == assign(-line, [2, 3, 4], gates, points, FAR_AWAY, strategy="random", seed=1).tolist()
    assert len({tuple(s) for s in shuffled}) > 5


def test_random_is_even():
    gates, points = [(0,), (1,)], np.zeros((2, 2))
    total = sum(
        assign(np.zeros((10, 2)), [5, 5], gates, points, FAR_AWAY, strategy="random", seed=s) for s in range(400)
    )
    assert abs(total - 200).max() < 50


def test_later_gates_part_units_as_farthest_does():
    # one first gate at x = 10; behind it one route turns up, the other down
    positions = np.array([[0.0, y] for y in (4.0, 3.0, 2.0, 1.0, -1.0, -2.0, -3.0, -4.0)])
    points = np.array([[10.0, 0.0], [12.0, 5.0], [12.0, -5.0]])
    route = assign(positions, [4, 4], [(0, 1), (0, 2)], points, FAR_AWAY, strategy="shared-gates")
    assert route.tolist() == plainly_farthest(distances(positions, points[1:]).tolist(), [4, 4])
    # a route that goes on and one that ends there part as well
    route = assign(positions, [4, 4], [(0, 1), (0,)], points, (12.0, -5.0), strategy="shared-gates")
    assert route.tolist() == plainly_farthest(distances(positions, points[1:]).tolist(), [4, 4])


def test_routes_through_the_same_gates_are_filled_in_order():
    positions = np.arange(10.0).reshape(5, 2)
    got = assign(positions, [2, 1, 2], [(0, 1), (0, 1), (0, 1)], np.zeros((2, 2)), FAR_AWAY)
    assert got.tolist() == [0, 0, 1, 2, 2]


def test_contested_units_go_to_the_nearest_gate_and_the_rest_is_taken_in_the_next_round():
    positions = np.array([[x, 0.0] for x in (1.0, 2.0, 3.0, 4.0)])
    points = np.array([[0.0, 0.0], [-1.0, 0.0]])  # both want 1 and 2 first
    assert assign(positions, [2, 2], [(0,), (1,)], points, FAR_AWAY).tolist() == [0, 0, 1, 1]


def time_of_the_last(route, *, service, far):
    """Steps until the last unit is through, of a lane in which nobody can overtake, front first.

    Route 0 is a door beside the lane's end that lets one unit through in `service` steps; route 1 goes on from the end
    of the lane and is `far` steps longer.
    """
    end_free = door_free = last = 0
    for r in route:
        step = max(end_free, door_free) if r == 0 else end_free
        end_free = step + 1
        if r == 0:
            door_free = step + service
        last = max(last, step + 1 + (far if r else 0))
    return last


def plainly_by_turns(order, counts, rates):
    """The routes of units in their order before a shared gate: each turn is for the route that has waited longest."""
    given, route = [0] * len(counts), []
    for _ in order:
        due = {r: (given[r] + 0.5) / rates[r] for r in range(len(counts)) if given[r] < counts[r]}
        route.append(min(due, key=lambda r: (due[r], r)))
        given[route[-1]] += 1
    return route


@settings(deadline=None)
@given(seed=st.integers(0, 2**32), units=st.integers(1, 40), routes=st.integers(1, 4))
def test_routes_behind_one_gate_take_units_by_turns(seed, units, routes):
    rng = np.random.default_rng(seed)
    positions = np.stack([rng.permutation(units), np.zeros(units)], axis=1).astype(float)
    counts = np.bincount(rng.integers(0, routes, units), minlength=routes)
    rates = rng.integers(1, 9, routes).astype(float)
    gates, points = [(0, 1 + r) for r in range(routes)], np.array([[-1.0, 0.0]] * (routes + 1))
    got = assign(positions, counts, gates, points, FAR_AWAY, rates=rates, strategy="by-turns")
    order = np.argsort(positions[:, 0])
    assert got[order].tolist() == plainly_by_turns(order, counts.tolist(), rates.tolist())


def test_by_turns_the_longer_route_is_done_when_the_shorter_one_is():
    # both routes pass a unit every 2 steps behind one gate that passes one a step; the second is 10 steps longer
    line = np.array([[-float(k), 0.0] for k in range(30)])
    points = np.array([[1.0, 0.0], [2.0, 0.0], [2.0, 5.0]])
    for strategy, done in (("by-turns", (30, 30)), ("nearest", (20, 40))):
        route = assign(line, [20, 10], [(0, 1), (0, 2)], points, FAR_AWAY, rates=[1, 1], strategy=strategy)
        last = [int(np.flatnonzero(route == r)[-1]) + 1 + 10 * r for r in (0, 1)]
        assert tuple(last) == done


def test_rates_are_above_0():
    with pytest.raises(InputError, match="rates of routes"):
        assign(np.zeros((1, 2)), [1], [(0,)], np.zeros((1, 2)), FAR_AWAY, rates=[0.0], strategy="by-turns")


def test_hidden_dependency_nearest_loses():
    # a lane of units; the near gate is at its end, the far one 5 beyond: who goes far must not stand behind who waits
    lane = np.array([[float(x), 0.0] for x in range(20, 0, -1)])
    points = np.array([[20.5, 0.0], [25.0, 0.0]])
    last = {
        name: time_of_the_last(
            assign(lane, [10, 10], [(0,), (1,)], points, FAR_AWAY, strategy=name).tolist(), service=3, far=20
        )
        for name in ("nearest", "farthest")
    }
    assert last["farthest"] == 10 + 9 * 3 + 1
    assert last["nearest"] == 9 * 3 + 1 + 10 + 20
    assert last["nearest"] > 1.5 * last["farthest"]


def test_nearest_by_number_sends_units_past_each_other_and_the_chosen_heuristic_does_not():
    # units at the back have the low numbers, and take the gate away from those who stand before it
    positions = np.array([[float(x), 0.0] for x in range(10)])
    points = np.array([[20.0, 0.0], [-40.0, 0.0]])  # all are nearer to gate 0
    walked = {}
    for strategy in ("nearest", "shared-gates", "least-total", "random", "farthest"):
        route = assign(positions, [5, 5], [(0,), (1,)], points, FAR_AWAY, strategy=strategy)
        walked[strategy] = distances(positions, points)[np.arange(10), route].sum()
        if strategy == "shared-gates":
            assert route.tolist() == [1] * 5 + [0] * 5
    assert walked["shared-gates"] == walked["least-total"] < walked["random"] < walked["nearest"]
    assert walked["least-total"] < walked["farthest"]


def test_farthest_starts_with_the_unit_nearest_to_any_gate():
    positions = np.array([[1.0, 0.0], [9.0, 0.0], [2.0, 0.0]])
    points = np.array([[0.0, 0.0], [12.0, 0.0]])
    # unit 0 is nearest to a gate and takes the farther one, then unit 2 has to take what is left
    assert assign(positions, [2, 1], [(0,), (1,)], points, FAR_AWAY, strategy="farthest").tolist() == [1, 0, 0]


@settings(deadline=None)
@given(task=tasks(), seed=st.integers(0, 2**32))
def test_least_total_and_least_longest_are_beaten_by_no_other(task, seed):
    positions, counts, gates, points = task
    beyond = np.random.default_rng(seed).random(len(gates)) * 20
    first = np.array([points[route[0]] if route else FAR_AWAY for route in gates])
    away = distances(positions, first) if len(positions) else np.zeros((0, len(gates)))
    every = np.arange(len(positions))
    routes = {
        name: assign(positions, counts, gates, points, FAR_AWAY, beyond=beyond, strategy=name) for name in STRATEGIES
    }
    total = {name: away[every, route].sum() for name, route in routes.items()}
    longest = {name: (away + beyond)[every, route].max(initial=0.0) for name, route in routes.items()}
    assert total["least-total"] <= min(total.values()) + 1e-9
    assert longest["least-longest"] <= min(longest.values()) + 1e-9
    assert total["least-total"] == pytest.approx(away[every, least_total(away, counts)].sum())


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_nobody_is_sent_where_he_cannot_get_without_need(strategy):
    positions = np.array([[float(x), 0.0] for x in range(6)])
    inf = np.inf
    walk = {0: [inf, inf, 1.0, 2.0, 3.0, 4.0], 1: [9.0, 1.0, 9.0, 9.0, inf, inf]}
    gates, points = [(0,), (1,)], np.zeros((2, 2))
    route = assign(positions, [3, 3], gates, points, FAR_AWAY, walk=walk, strategy=strategy, seed=4)
    assert np.isfinite(np.array([walk[r][u] for u, r in enumerate(route.tolist())])).all()
    route = assign(positions, [5, 1], gates, points, FAR_AWAY, walk=walk, strategy=strategy)  # one must
    assert sum(np.isinf(walk[r][u]) for u, r in enumerate(route.tolist())) == 1


def test_walking_distances_stand_in_for_straight_lines():
    positions, points = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[-1.0, 0.0], [2.0, 0.0]])
    assert assign(positions, [1, 1], [(0,), (1,)], points, FAR_AWAY).tolist() == [0, 1]
    walk = {0: [9.0, 2.0], 1: [1.0, 9.0]}
    assert assign(positions, [1, 1], [(0,), (1,)], points, FAR_AWAY, walk=walk).tolist() == [1, 0]
    walk = {TARGET: [0.0, 50.0]}
    assert assign(positions, [1, 1], [(), (1,)], points, (2.0, 0.0), walk=walk).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"counts": [1, 2]}, "units for each route"),
        ({"counts": [3, -1]}, "units for each route"),
        ({"counts": [2]}, "units for each route"),
        ({"gates": [(0,), (7,)]}, "gate of a route"),
        ({"strategy": "best"}, "in-order or random or nearest"),
        ({"walk": {0: [1.0]}}, "distances to gate 0"),
        ({"walk": {0: [1.0, float("nan")]}}, "NaN"),
        ({"beyond": [1.0]}, "beyond"),
    ],
)
def test_wrong_input_is_named(change, problem):
    given = {"counts": [1, 1], "gates": [(0,), (1,)], **change}
    with pytest.raises(InputError, match=problem):
        assign(np.zeros((2, 2)), given.pop("counts"), given.pop("gates"), np.zeros((2, 2)), FAR_AWAY, **given)


def test_ten_thousand_units():
    rng = np.random.default_rng(0)
    positions, points = rng.random((10_000, 2)) * 100, rng.random((10, 2)) * 300
    gates, counts = [(g % 6, g) for g in range(10)], np.full(10, 1000)
    for strategy in STRATEGIES:
        route = assign(positions, counts, gates, points, FAR_AWAY, strategy=strategy)
        assert np.bincount(route, minlength=10).tolist() == counts.tolist()
