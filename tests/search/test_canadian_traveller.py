"""Canadian traveller: every journey is possible, none beats the optimum by dynamic programming, thinking pays."""

from functools import cache
from itertools import pairwise, product

import networkx as nx
import numpy as np
import pytest

from anabasis import Graph, Grid, InputError, Status
from anabasis.search.canadian_traveller import POLICIES, canadian_traveller, draw_blocked, journeys


def roads_of(n, roads, one_way=()):
    """A graph of roads (u, v, weight, chance), both ways but for those of `one_way`, with the chances of its arcs."""
    points = np.zeros((n, 2))
    back = [r for r in roads if r not in one_way]
    tails = [r[0] for r in roads] + [r[1] for r in back]
    heads = [r[1] for r in roads] + [r[0] for r in back]
    weights = [r[2] for r in (*roads, *back)]
    graph = Graph.from_arcs(points, tails, heads, weights, "zero")
    chance = {frozenset(r[:2]): r[3] for r in roads}
    ends = zip(np.repeat(np.arange(n), np.diff(graph.indptr)).tolist(), graph.indices.tolist(), strict=True)
    return graph, np.array([chance[frozenset(pair)] for pair in ends])


def random_roads(rng, sure=True):
    """A few vertices, at most seven roads that may be blocked, and if `sure` a dear road to the goal that never is."""
    n = int(rng.integers(3, 6))
    pairs = [(u, v) for u in range(n) for v in range(u + 1, n)]
    chosen = rng.permutation(len(pairs))[: int(rng.integers(2, 8))]
    roads = [(*pairs[k], float(rng.integers(1, 10)), float(rng.choice([0.0, 0.2, 0.5, 0.9]))) for k in chosen.tolist()]
    if sure:
        roads = [r for r in roads if r[:2] != (0, n - 1)] + [(0, n - 1, 25.0, 0.0)]
    return n, roads


def worlds_of(roads):
    """All worlds, as sets of blocked roads, with their probabilities."""
    doubtful = [r for r in roads if 0 < r[3] < 1]
    for shut in product((False, True), repeat=len(doubtful)):
        weight = np.prod([r[3] if s else 1 - r[3] for r, s in zip(doubtful, shut, strict=True)])
        yield {frozenset(r[:2]) for r, s in zip(doubtful, shut, strict=True) if s}, float(weight)


def mask_of(graph, shut):
    ends = zip(np.repeat(np.arange(graph.size), np.diff(graph.indptr)).tolist(), graph.indices.tolist(), strict=True)
    return np.array([frozenset(pair) in shut for pair in ends], bool)


def best_of_all(n, roads, one_way=(), *, walking=1.0, arrived=0.0, stuck=np.inf):
    """The least value to be expected of any policy: dynamic programming over places and knowledge.

    walking, arrived, stuck: what one unit of length, the goal, and having no way to anything new are worth.
    """
    chance = {frozenset(r[:2]): r[3] for r in roads}
    arcs = [(u, v, w) for u, v, w, _ in roads]
    arcs += [(v, u, w) for u, v, w, p in roads if (u, v, w, p) not in one_way]

    def out(v):
        return [frozenset(a[:2]) for a in arcs if a[0] == v]

    @cache
    def least(here, known):
        if here == n - 1:
            return arrived
        state = dict(known)
        model = nx.DiGraph()
        model.add_nodes_from(range(n))
        model.add_weighted_edges_from((u, v, walking * w) for u, v, w in arcs if state[frozenset((u, v))] == "open")
        far = nx.single_source_dijkstra_path_length(model, here)
        prospects = [stuck]
        for v, length in far.items():
            doubtful = sorted(tuple(sorted(r)) for r in out(v) if state[r] == "?")
            if v == n - 1:
                prospects.append(length + arrived)
            elif doubtful:
                expected = 0.0
                for shut in product((False, True), repeat=len(doubtful)):
                    after, share = dict(state), 1.0
                    for road, s in zip(map(frozenset, doubtful), shut, strict=True):
                        after[road] = "shut" if s else "open"
                        share *= chance[road] if s else 1 - chance[road]
                    expected += share * least(v, frozenset(after.items()))
                prospects.append(length + expected)
        return min(prospects)

    def seen_at_start():
        before = {r: "open" if chance[r] == 0 else "?" for r in chance}
        doubtful = [r for r in out(0) if before[r] == "?"]
        for shut in product((False, True), repeat=len(doubtful)):
            after, share = dict(before), 1.0
            for road, s in zip(doubtful, shut, strict=True):
                after[road] = "shut" if s else "open"
                share *= chance[road] if s else 1 - chance[road]
            yield share, frozenset(after.items())

    return sum(share * least(0, known) for share, known in seen_at_start())


def check_journey(graph, roads, shut, result):
    """The walk uses open roads only and costs what it says."""
    weight = {frozenset(r[:2]): r[2] for r in roads}
    vertices = result.value.vertices.tolist()
    used = [frozenset(pair) for pair in pairwise(vertices)]
    assert not any(road in shut for road in used)
    assert result.value.cost == pytest.approx(sum(weight[road] for road in used))
    model = nx.Graph()
    model.add_nodes_from(range(graph.size))
    model.add_weighted_edges_from((*road, weight[road]) for road in weight if road not in shut)
    assert result.bound == pytest.approx(nx.dijkstra_path_length(model, vertices[0], vertices[-1]))
    assert result.bound <= result.value.cost


def test_no_policy_beats_the_best_there_is_and_thinking_comes_close():
    rng = np.random.default_rng(1)
    totals = dict.fromkeys(POLICIES, 0.0)
    best_total = 0.0
    for _ in range(25):
        n, roads = random_roads(rng)
        graph, chances = roads_of(n, roads)
        best = best_of_all(n, roads)
        best_total += best
        for policy in POLICIES:
            expected = 0.0
            for shut, share in worlds_of(roads):
                blocked = mask_of(graph, shut)
                result = canadian_traveller(graph, 0, n - 1, chances, blocked, policy=policy, samples=40)
                check_journey(graph, roads, shut, result)
                expected += share * result.value.cost
            assert expected >= best * (1 - 1e-9)
            totals[policy] += expected
    assert totals["rollout"] <= totals["optimistic"]
    assert totals["rollout"] <= 1.02 * best_total
    assert totals["hindsight"] <= 1.05 * best_total


def random_ways(rng):
    """A few vertices and roads, most of which lead one way only; and those."""
    n = int(rng.integers(4, 6))
    pairs = [(u, v) for u in range(n - 1) for v in range(1, n) if u != v]
    roads = {}
    for k in rng.permutation(len(pairs))[: int(rng.integers(6, 9))].tolist():
        price, chance = float(rng.integers(1, 10)), float(rng.choice([0.0, 0.2, 0.5, 0.9]))
        roads.setdefault(frozenset(pairs[k]), (*pairs[k], price, chance))
    roads = list(roads.values())
    return n, roads, [r for r in roads if rng.random() < 0.7]


def test_along_roads_of_one_way_every_journey_is_possible_and_none_beats_the_best_there_is():
    rng, costs, arrivals, lost = np.random.default_rng(4), dict.fromkeys(POLICIES, 0.0), dict.fromkeys(POLICIES, 0.0), 0
    best_cost = best_arrivals = 0.0
    for number in range(60):
        n, roads, one_way = random_ways(rng)
        if number % 2:  # a dear sure road from everywhere: no traps, and costs can be compared
            roads = [r for r in roads if n - 1 not in r[:2]]
            one_way = [r for r in one_way if r in roads] + [(v, n - 1, 25.0, 0.0) for v in range(n - 1)]
            roads += one_way[-n + 1 :]
            best = best_of_all(n, roads, one_way)
            best_cost += best
        else:
            best = -best_of_all(n, roads, one_way, walking=0.0, arrived=-1.0, stuck=0.0)
            best_arrivals += best
        graph, chances = roads_of(n, roads, one_way)
        tails = np.repeat(np.arange(n), np.diff(graph.indptr))
        for policy in POLICIES:
            expected = 0.0
            for shut, share in worlds_of(roads):
                blocked = mask_of(graph, shut)
                result = canadian_traveller(graph, 0, n - 1, chances, blocked, policy=policy, samples=40)
                model = nx.DiGraph()
                model.add_nodes_from(range(n))
                there = zip(tails[~blocked], graph.indices[~blocked], graph.weights[~blocked], strict=True)
                model.add_weighted_edges_from((int(u), int(v), float(w)) for u, v, w in there)
                if not result:
                    at = int(result.reason.split()[-4])
                    assert not nx.has_path(model, at, n - 1)
                    lost += nx.has_path(model, 0, n - 1)
                    continue
                ways = list(pairwise(result.value.vertices.tolist()))
                assert all(model.has_edge(*way) for way in ways)
                assert result.value.cost == sum(model.edges[way]["weight"] for way in ways)
                assert result.bound == nx.dijkstra_path_length(model, 0, n - 1) <= result.value.cost
                expected += share * (result.value.cost if number % 2 else 1.0)
            assert expected >= best * (1 - 1e-9) if number % 2 else expected <= best + 1e-9
            (costs if number % 2 else arrivals)[policy] += expected
    assert lost > 10, "some are caught in traps"
    assert costs["rollout"] <= 1.02 * best_cost
    assert costs["rollout"] <= costs["optimistic"]
    assert arrivals["rollout"] >= 0.98 * best_arrivals
    assert arrivals["optimistic"] < min(arrivals["hindsight"], arrivals["rollout"])


def test_who_thinks_goes_where_the_goal_is_reached_most_often():
    """Two roads of one way, each to a road that may be blocked: the one of smaller number and cost is the worse."""
    roads = [(0, 1, 1.0, 0.0), (1, 3, 1.0, 0.8), (0, 2, 5.0, 0.0), (2, 3, 5.0, 0.2)]
    graph, chances = roads_of(4, roads, roads)
    none = np.zeros(4, bool)
    assert canadian_traveller(graph, 0, 3, chances, none).value.vertices.tolist() == [0, 1, 3]
    for policy in ("hindsight", "rollout"):
        assert canadian_traveller(graph, 0, 3, chances, none, policy=policy).value.vertices.tolist() == [0, 2, 3]
    shut = mask_of(graph, {frozenset((1, 3))})
    caught = canadian_traveller(graph, 0, 3, chances, shut)
    assert caught.reason == "the goal, vertex 3, is cut off from vertex 1 by blocked roads"


@pytest.mark.parametrize("policy", POLICIES)
def test_nobody_looks_at_more_once_the_goal_is_cut_off(policy):
    graph, chances = roads_of(4, [(0, 1, 1.0, 0.0), (1, 2, 1.0, 0.5), (0, 3, 1.0, 0.5)])
    result = canadian_traveller(graph, 0, 3, chances, mask_of(graph, {frozenset((0, 3))}), policy=policy)
    assert result.reason == "the goal, vertex 3, is cut off from vertex 0 by blocked roads"
    assert result.stats["seen"] == 1


def test_an_optimist_is_led_astray_where_the_others_are_not():
    """One short way ends at a road that is mostly blocked; the sure one is hardly longer."""
    graph, chances = roads_of(4, [(0, 1, 5.0, 0.0), (1, 3, 1.0, 0.9), (0, 2, 5.0, 0.0), (2, 3, 3.0, 0.0)])
    shut = mask_of(graph, {frozenset((1, 3))})
    assert canadian_traveller(graph, 0, 3, chances, shut).value.vertices.tolist() == [0, 1, 0, 2, 3]
    for policy in ("hindsight", "rollout"):
        assert canadian_traveller(graph, 0, 3, chances, shut, policy=policy).value.vertices.tolist() == [0, 2, 3]


def test_who_is_cut_off_is_told_and_only_then():
    rng, cut = np.random.default_rng(2), 0
    for number in range(60):
        n, roads = random_roads(rng, sure=False)
        graph, chances = roads_of(n, roads)
        blocked = draw_blocked(graph, chances, seed=3, number=number)
        tails = np.repeat(np.arange(n), np.diff(graph.indptr))
        model = nx.Graph()
        model.add_nodes_from(range(n))
        model.add_edges_from(zip(tails[~blocked].tolist(), graph.indices[~blocked].tolist(), strict=True))
        for policy in POLICIES:
            result = canadian_traveller(graph, 0, n - 1, chances, blocked, policy=policy, samples=10)
            assert bool(result) == nx.has_path(model, 0, n - 1)
            if not result:
                assert result.status is Status.NO_SOLUTION
                assert "is cut off from vertex" in result.reason
                cut += 1
    assert cut > 30


def test_worlds_follow_their_chances_and_repeat():
    graph, chances = roads_of(3, [(0, 1, 1.0, 0.2), (1, 2, 1.0, 0.7)])
    drawn = np.array([draw_blocked(graph, chances, seed=5, number=k) for k in range(2000)])
    assert drawn.mean(axis=0) == pytest.approx(chances, abs=0.04)
    assert (draw_blocked(graph, chances, seed=5, number=7) == drawn[7]).all()
    assert (drawn[:, [0, 1]] == drawn[:, [2, 3]]).all(), "both directions of a road"


def test_an_experiment_compares_policies_on_the_same_worlds():
    roads = [(0, 1, 5.0, 0.0), (1, 3, 1.0, 0.9), (0, 2, 5.0, 0.0), (2, 3, 3.0, 0.0)]
    graph, chances = roads_of(4, roads)
    runs = {policy: journeys(graph, 0, 3, chances, policy=policy, count=60, samples=30) for policy in POLICIES}
    for run in runs.values():
        assert run.numbers.tolist() == list(range(60))
        assert (run.ratios >= 1).all()
        assert (run.best == runs["optimistic"].best).all()
    assert runs["rollout"].ratios.mean() < runs["optimistic"].ratios.mean()
    assert runs["optimistic"].ratios.max() == pytest.approx(18 / 8)
    again = journeys(graph, 0, 3, chances, policy="rollout", count=60, samples=30)
    assert (again.costs == runs["rollout"].costs).all()
    same = journeys(graph, 1, 1, chances, count=2)
    assert same.ratios.tolist() == [1, 1]
    never, always = roads_of(2, [(0, 1, 1.0, 1.0)])
    assert journeys(never, 0, 1, always, count=3).ratios.size == 0


def test_wrong_input_is_refused():
    graph, chances = roads_of(3, [(0, 1, 1.0, 0.0), (1, 2, 1.0, 0.5)])
    none = np.zeros(4, bool)
    for values, complaint in (
        (chances[:3], "chances has the wrong shape"),
        (chances + 0.6, "chance that an arc is blocked; found 1.1"),
        (np.array([0.0, 0.0, 0.1, 0.5]), "between vertex .* are one road; found chances"),
    ):
        with pytest.raises(InputError, match=complaint):
            canadian_traveller(graph, 0, 2, values, none)
    with pytest.raises(InputError, match="unknown policy; found 'bold'; expected optimistic or hindsight or rollout"):
        canadian_traveller(graph, 0, 2, chances, none, policy="bold")
    with pytest.raises(InputError, match="a blocked arc of chance 0"):
        canadian_traveller(graph, 0, 2, chances, ~none)
    with pytest.raises(InputError, match="the arcs of a road are blocked together"):
        canadian_traveller(graph, 0, 2, chances, mask_of(graph, {frozenset((1, 2))}) & (np.arange(4) < 3))
    with pytest.raises(InputError, match="number of samples; found 0"):
        canadian_traveller(graph, 0, 2, chances, none, policy="rollout", samples=0)
    with pytest.raises(InputError, match="number of worlds; found 0"):
        journeys(graph, 0, 2, chances, count=0)


def test_a_map_of_cells_has_no_roads():
    grid, none = Grid.from_text(".."), np.zeros(2)
    for act in (lambda: draw_blocked(grid, none), lambda: canadian_traveller(grid, 0, 1, none, none)):
        with pytest.raises(InputError, match="this needs roads; found Grid; expected a Graph"):
            act()


@pytest.mark.parametrize("policy", POLICIES)
def test_roads_of_length_zero_are_refused_by_the_optimist_alone(policy):
    places = [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]
    graph = Graph.from_arcs(places, [0, 1, 1, 2], [1, 0, 2, 1], [0.0, 0.0, 1.0, 1.0])
    if policy == "optimistic":
        with pytest.raises(InputError, match="can't follow arcs of weight 0"):
            canadian_traveller(graph, 0, 2, np.zeros(4), np.zeros(4, bool), policy=policy)
    else:
        assert canadian_traveller(graph, 0, 2, np.zeros(4), np.zeros(4, bool), policy=policy).value.cost == 1
