"""The two graphs of a decomposition, counted and measured on drawings."""

from itertools import pairwise

import networkx
import numpy as np
import pytest
from flow_cases import THREE_ROOMS, TWO_DOORS, block, decomposed, group

from anabasis.decomposition import Decomposition
from anabasis.errors import InputError
from anabasis.flow.network import Passages, centre_network, gate_network, gates_of_route, parts_of
from anabasis.flow.throughput import capacity
from anabasis.grid import Grid


def prepared(drawing, **options):
    grid, d = decomposed(drawing)
    return grid, Passages(grid, d, **options)


def setting(drawing, units, goal, **options):
    grid, passages = prepared(drawing, **options)
    crowd = group(units, *goal)
    parts = parts_of(passages, crowd.vertices(grid), np.arange(crowd.size))
    return passages, crowd, parts, crowd.goal(grid)


RATES = ("gap", "paths")


def rate(width):
    return int(capacity(width, radius=0.5, speed=0.15))


def graph_of(network):
    graph = networkx.MultiGraph()
    for e, (u, v) in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
        graph.add_edge(u, v, key=e, weight=int(network.length[e]), capacity=int(network.capacity[e]))
    return graph


def test_gate_graph_of_two_doors():
    passages, crowd, parts, goal = setting(TWO_DOORS, block(2, 2, 3, 3), (15.5, 6.5))
    network = gate_network(passages, crowd, parts, goal, RATES)
    source, sink = network.source, network.sink
    assert network.size == 2 * 2 + 1 + 2
    edges = {frozenset(pair) for pair in zip(network.tail.tolist(), network.head.tolist(), strict=True)}
    part = 4
    assert edges == {
        frozenset(pair)
        for pair in [(0, 1), (2, 3), (0, 2), (1, 3), (part, 0), (part, 2), (sink, 1), (sink, 3), (source, part)]
    }
    gates = {int(g): int(c) for g, c in zip(network.gate, network.capacity, strict=True) if g >= 0}
    assert gates == {0: rate(2.0), 1: rate(1.0)}
    assert gates[1] > 0, "a gate of one cell has capacity"


def test_an_edge_inside_a_region_is_as_wide_as_the_narrower_gate_and_as_long_as_the_way():
    passages, crowd, parts, goal = setting(TWO_DOORS, block(2, 2, 3, 3), (15.5, 6.5))
    network = gate_network(passages, crowd, parts, goal, RATES)
    between = next(e for e in range(network.tail.size) if {int(network.tail[e]), int(network.head[e])} == {0, 2})
    assert network.capacity[between] == rate(1.0)
    assert network.length[between] == round(
        9 / 0.15
    )  # from cell (9, 3) into the room, 7 cells along the wall, and out to (9, 10)


def test_centre_graph_of_two_doors():
    passages, crowd, parts, goal = setting(TWO_DOORS, block(2, 2, 3, 3), (15.5, 6.5))
    network = centre_network(passages, crowd, parts, goal, RATES)
    a, b, first, second = 0, 1, 2, 3
    edges = {frozenset(pair) for pair in zip(network.tail.tolist(), network.head.tolist(), strict=True)}
    assert edges == {frozenset(p) for p in [(a, first), (a, second), (b, first), (b, second), (network.source, a)]}
    assert network.sink == b
    assert set(network.capacity[network.gate == 0].tolist()) == {rate(2.0)}


@pytest.mark.parametrize("between", ["nearest", "centres"])
def test_legs_are_symmetric_and_at_least_as_long_as_the_straight_line(between):
    grid, passages = prepared(THREE_ROOMS, between=between)
    for region, gates in enumerate(passages.gates_of):
        legs = passages.legs[region]
        assert (legs == legs.T).all() and (np.diag(legs) == 0).all()
        for i, a in enumerate(gates.tolist()):
            for j, b in enumerate(gates.tolist()):
                here, there = (grid.centres(passages.stations(g)) for g in (a, b))
                air = np.hypot(*(here[:, None] - there[None]).transpose(2, 0, 1)).min()
                assert legs[i, j] >= air - 1e-9


def test_nearest_points_are_never_farther_than_centres():
    near, middle = (prepared(THREE_ROOMS, between=b)[1] for b in ("nearest", "centres"))
    assert all((a <= b * 1.09 + 1e-9).all() for a, b in zip(near.legs, middle.legs, strict=True))


def test_a_group_in_two_regions_has_two_parts_and_one_source():
    units = np.concatenate([block(2, 2, 3, 3), block(10, 4, 2, 2)])
    passages, crowd, parts, goal = setting(THREE_ROOMS, units, (20.5, 5.5))
    assert [part.region for part in parts] == [0, 1]
    assert [part.units.tolist() for part in parts] == [list(range(9)), [9, 10, 11, 12]]
    for make in (gate_network, centre_network):
        network = make(passages, crowd, parts, goal, RATES)
        assert np.count_nonzero(network.tail == network.source) == 2
        assert networkx.has_path(graph_of(network), network.source, network.sink)


def test_units_in_the_region_of_the_target_have_a_direct_edge():
    passages, crowd, parts, goal = setting(TWO_DOORS, block(11, 2, 2, 2), (15.5, 6.5))
    network = gate_network(passages, crowd, parts, goal, RATES)
    part = 4
    direct = (network.tail == part) & (network.head == network.sink)
    assert np.count_nonzero(direct) == 1
    assert network.capacity[direct][0] > 10 * rate(2.0)


def test_the_room_that_another_group_leaves_narrows_gates():
    passages, crowd, parts, goal = setting(TWO_DOORS, block(2, 2, 3, 3), (15.5, 6.5))
    for make in (gate_network, centre_network):
        network = make(passages, crowd, parts, goal, RATES, np.array([0.5, 0.0]))
        assert set(network.capacity[network.gate == 0].tolist()) == {rate(2.0) // 2}
        assert not (network.gate == 1).any(), "a gate without room is no gate"


def test_the_gates_of_a_route_in_order():
    passages, crowd, parts, goal = setting(THREE_ROOMS, block(2, 2, 3, 3), (20.5, 2.5))
    network = gate_network(passages, crowd, parts, goal, RATES)
    path = networkx.shortest_path(networkx.Graph(graph_of(network)), network.source, network.sink, "weight")
    ends = [set(pair) for pair in zip(network.tail.tolist(), network.head.tolist(), strict=True)]
    assert gates_of_route(network, np.array([ends.index(set(pair)) for pair in pairwise(path)])) == [0, 1]


def test_region_centres_lie_in_their_regions():
    _, passages = prepared("#######\n#aaaaa#\n#a###a#\n#a#b#a#\n#a###a#\n#aaaaa#\n#######")
    region = passages.decomposition.region.ravel()
    assert region[passages.region_centre].tolist() == [0, 1]


def test_unknown_measure_is_refused():
    grid, d = decomposed(TWO_DOORS)
    with pytest.raises(InputError, match="measured between"):
        Passages(grid, d, between="corners")


def test_the_gates_that_a_line_leads_over():
    _, passages = prepared(THREE_ROOMS)
    across = np.array([[2.5, 2.5], [20.5, 2.5]])
    assert passages.gates_met(across).tolist() == [0, 1]
    assert passages.gates_met(across[:, ::-1] * [0, 1] + [3.5, 0]).tolist() == []
    assert passages.gates_met(np.array([[2.5, 2.5], [2.5, 7.5], [20.5, 7.5]])).tolist() == [2, 3]


def test_a_line_between_two_cells_of_a_slanting_gate_leads_over_it():
    free = np.ones((8, 8), bool)
    cells = np.array([k * 8 + 7 - k for k in range(8)])  # from corner to corner
    region = np.where(np.add.outer(np.arange(8), np.arange(8)) <= 7, 0, 1).astype(np.int32)
    sides, ends = np.array([[0, 1]]), np.array([[7, 0, 0, 7]])
    slant = Decomposition(region, ends, sides, np.array([11.0]), np.array([0, 8]), cells, (1, 1, 1))
    passages = Passages(Grid.from_free(free), slant)
    for start in ((0.5, 0.5), (1.5, 0.5), (2.5, 2.5)):
        line = np.array([start, [7.5, 7.5]])
        assert passages.gates_met(line).tolist() == [0]
    between = np.array([[2.5, 3.5], [3.5, 4.5], [4.5, 5.5]])  # past the corner that two cells of the gate share
    assert passages.gates_met(between).tolist() == [0]
    assert passages.gates_met(np.array([[0.5, 0.5], [2.5, 0.5]])).tolist() == []
