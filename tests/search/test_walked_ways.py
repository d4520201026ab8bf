from itertools import pairwise

import numpy as np
import pytest
from search_oracle import all_distances, arcs_of, random_graph, random_grid, walked

from anabasis import Graph
from anabasis._kernel.report import LIMIT, NEAREST, NO_SOLUTION, STATUS
from anabasis._kernel.ways import arcs_into, cut_loops, flood, walked_cost
from anabasis.search.astar import astar
from anabasis.search.moves import Space
from anabasis.search.reach import arcs_against, settle

RULES = [(8, "strict"), (8, "loose"), (8, "none"), (4, "strict")]


def spaces(count, seed=1, side=12):
    rng = np.random.default_rng(seed)
    for k in range(count):
        space = random_graph(rng) if k % 3 == 2 else random_grid(rng, side, k % 3 == 1)
        yield rng, space, Space(space, *RULES[k % 4])


def test_arcs_into_a_vertex_are_the_arcs_out_of_others():
    for _, space, net in spaces(40):
        tails, heads, weights = arcs_of(space, net.neighbours, net.corners)
        wanted = sorted(zip(heads.tolist(), tails.tolist(), weights.tolist(), strict=True))
        against, found = arcs_against(net), []
        tail, step = np.empty(against[10], np.int64), np.empty(against[10])
        for v in range(net.size):
            if not net.blocked(v):
                count = arcs_into(against, v, tail, step)
                found += [(v, int(tail[k]), float(step[k])) for k in range(count)]
        assert [a[:2] for a in sorted(found)] == [a[:2] for a in wanted]
        np.testing.assert_allclose([a[2] for a in sorted(found)], [a[2] for a in wanted], rtol=1e-15)


def test_flooding_reaches_what_scipy_reaches_and_tells_giving_up_from_no_way():
    for rng, space, net in spaces(40):
        start, goal = rng.integers(0, net.size, 2).tolist()
        if net.blocked(start):
            continue
        reached, row = np.zeros(net.size, bool), np.zeros(6)
        flood(net.arcs, start, reached)
        finite = np.isfinite(all_distances(space, [start], net.neighbours, net.corners)[0])
        assert reached.tolist() == finite.tolist()
        settle(net, start, goal, row)
        assert row[STATUS] == (LIMIT if reached[goal] else NO_SOLUTION)
        if not reached[goal]:
            wanted = astar(space, start, goal, neighbours=net.neighbours, corners=net.corners).stats["nearest"]
            assert row[NEAREST] == wanted


def test_walked_cost_is_that_of_the_cheapest_arcs():
    for rng, space, net in spaces(40):
        start, goal = rng.integers(0, net.size, 2).tolist()
        path = astar(space, start, goal, neighbours=net.neighbours, corners=net.corners).value
        if path:
            assert walked_cost(net.arcs, path.vertices) == pytest.approx(walked(space, path.vertices, 8, "none"))
    graph = Graph.from_arcs([[0, 0], [1, 0]], [0, 0], [1, 1], [5, 2])
    assert walked_cost(Space(graph).arcs, np.array([0, 1])) == 2
    assert walked_cost(Space(graph).arcs, np.array([1, 0])) == np.inf


def test_a_walk_without_its_loops_keeps_its_ends_and_visits_nothing_twice():
    rng = np.random.default_rng(2)
    for _ in range(200):
        walk = rng.integers(0, 8, rng.integers(1, 30))
        kept = cut_loops(walk, 8).tolist()
        assert (kept[0], kept[-1]) == (walk[0], walk[-1])
        assert len(set(kept)) == len(kept)
        steps = set(zip(walk[:-1].tolist(), walk[1:].tolist(), strict=True))
        assert set(pairwise(kept)) <= steps
    assert cut_loops(np.array([3, 1, 2, 1, 4]), 5).tolist() == [3, 1, 4]
