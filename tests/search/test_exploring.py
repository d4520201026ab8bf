"""Exploring: each step is a shortest one by what is known, endings are proved, everything in reach is mapped."""

from itertools import pairwise, product

import networkx as nx
import numpy as np
import pytest
from change_worlds import grid_world, ground
from lattice_oracle import free_cells, seen
from search_oracle import all_distances, walked

from anabasis import Graph, Grid, InputError, Status
from anabasis.search.exploring import explore_to, greedy_mapping

RULES = [(4, "strict"), (8, "strict"), (8, "loose")]


def in_sight(grid, at, cell, radius, walls_hide):
    """Whether a cell is seen from another."""
    (x, y), (a, b) = at, cell
    away = max(abs(x - a), abs(y - b))
    if away > radius:
        return False
    if away <= 1 or not walls_hide:
        return True
    cost = grid.cost.copy()
    cost[b, a] = 1.0
    return seen(free_cells(ground(cost)), (x + 0.5, y + 0.5), (a + 0.5, b + 0.5))


def check_seen(grid, trip, radius, walls_hide):
    """What was seen after each step is what was in sight from a cell walked so far."""
    assert len(trip.seen_until) == len(trip.path.vertices)
    assert len(np.unique(trip.seen)) == len(trip.seen)
    known = np.zeros(grid.cost.size, bool)
    for step, v in enumerate(trip.path.vertices.tolist()):
        for x, y in product(range(grid.width), range(grid.height)):
            if in_sight(grid, grid.cell(v), (x, y), radius, walls_hide):
                known[grid.vertex(x, y)] = True
        assert (trip.known(step, grid.cost.size) == known).all()


def test_each_step_is_on_a_shortest_way_by_what_is_known():
    rng, arrived, cut_off = np.random.default_rng(1), 0, 0
    for number in range(60):
        grid = grid_world(rng, [1.0] if number % 2 else [1.0, 2.0, 8.0], side=10)
        neighbours, corners = RULES[number % 3]
        start, goal = rng.integers(0, grid.cost.size, 2).tolist()
        if np.isinf(grid.cost.flat[start]):
            continue
        radius, walls_hide = int(rng.integers(1, 4)), bool(rng.integers(2))
        trip = explore_to(
            grid, start, goal, radius=radius, walls_hide=walls_hide, neighbours=neighbours, corners=corners
        )
        check_seen(grid, trip, radius, walls_hide)
        vertices = trip.path.vertices
        assert walked(grid, vertices, neighbours, corners) == pytest.approx(trip.path.cost)
        for step, (u, v) in enumerate(zip(vertices[:-1].tolist(), vertices[1:].tolist(), strict=True)):
            belief = np.where(trip.known(step, grid.cost.size), grid.cost.reshape(-1), 1.0)
            ways = all_distances(ground(belief.reshape(grid.cost.shape)), [u, v], neighbours, corners)
            length = walked(ground(belief.reshape(grid.cost.shape)), np.array([u, v]), neighbours, corners)
            rest = 0.0 if v == goal else ways[1][goal]
            assert length + rest == pytest.approx(ways[0][goal])
        truly = start == goal or np.isfinite(all_distances(grid, [start], neighbours, corners)[0][goal])
        assert bool(trip) == truly
        if truly:
            assert vertices[-1] == goal
            assert trip.reason == ""
            arrived += 1
        else:
            assert trip.status is Status.NO_SOLUTION
            assert "is not connected" in trip.reason or "is blocked" in trip.reason
            cut_off += 1
    assert arrived > 15
    assert cut_off > 5


def test_who_knows_the_map_walks_the_shortest_way_and_a_wide_view_helps():
    rng = np.random.default_rng(2)
    known, far, near = [], [], []
    for _ in range(25):
        cost = np.where(rng.random((30, 30)) < 0.3, np.inf, 1.0)
        cost[0, 0] = cost[-1, -1] = 1.0
        grid = ground(cost)
        best = all_distances(grid, [0])[0][899]
        if np.isinf(best):
            continue
        told = explore_to(grid, 0, 899, believed=grid)
        assert told.path.cost == pytest.approx(best)
        assert (told.surprises, told.replans) == (0, 0)
        known.append(best)
        far.append(explore_to(grid, 0, 899, radius=10).path.cost)
        near.append(explore_to(grid, 0, 899).path.cost)
    assert len(known) > 8
    assert sum(known) < sum(far) < sum(near)


def test_a_wrong_map_misleads_until_it_is_seen():
    grid = Grid.from_text(".....\n.###.\n.....")
    trip = explore_to(grid, 5, 9, believed=Grid.from_text(".....\n.....\n.###."), neighbours=4)
    assert trip
    assert trip.surprises >= 1
    assert trip.path.vertices[1] == 0
    assert trip.path.cost == 6
    closed = explore_to(grid, 5, 9, believed=Grid.from_text("..#..\n..#..\n..#.."), neighbours=4)
    assert closed.status is Status.NO_SOLUTION, "it does not look for what it believes not to exist"
    assert explore_to(grid, 5, 9, limit=2, neighbours=4).reason == "gave up after 2 steps"
    assert explore_to(grid, 5, 5).path.vertices.tolist() == [5]


def reach_of(grid, start):
    model = nx.Graph()
    model.add_node(start)
    for y, x in np.argwhere(grid.free).tolist():
        for a, b in ((x + 1, y), (x, y + 1)):
            if grid.is_free(a, b):
                model.add_edge(grid.vertex(x, y), grid.vertex(a, b))
    return model


def test_greedy_mapping_goes_to_the_nearest_unseen_cell_until_all_is_seen():
    rng, trips = np.random.default_rng(3), 0
    for _ in range(40):
        grid = grid_world(rng, [1.0], side=10)
        start = int(rng.integers(grid.cost.size))
        if np.isinf(grid.cost.flat[start]):
            with pytest.raises(InputError, match="the start of an exploration is blocked; found x="):
                greedy_mapping(grid, start)
            continue
        radius, walls_hide = int(rng.integers(1, 3)), bool(rng.integers(2))
        trip = greedy_mapping(grid, start, radius=radius, walls_hide=walls_hide)
        check_seen(grid, trip, radius, walls_hide)
        assert trip
        assert walked(grid, trip.path.vertices, 4) == pytest.approx(trip.path.cost)
        reached = nx.node_connected_component(reach_of(grid, start), start)
        assert set(reached) <= set(trip.seen.tolist())
        vertices = trip.path.vertices.tolist()
        for step, (u, v) in enumerate(pairwise(vertices)):
            known = trip.known(step, grid.cost.size)
            belief = ground(np.where(known, grid.cost.reshape(-1), 1.0).reshape(grid.cost.shape))
            ways = all_distances(belief, [u, v], 4)
            assert ways[1][~known].min() + 1 == ways[0][~known].min()
        trips += 1
    assert trips > 20


def test_an_empty_hall_is_mapped_in_about_the_least_time_and_a_limit_holds():
    hall = Grid.from_free(np.ones((9, 9), bool))
    trip = greedy_mapping(hall, 0)
    assert len(trip.seen) == 81
    assert trip.surprises == 0
    assert 81 / 3 - 3 <= trip.path.cost <= 81
    stopped = greedy_mapping(hall, 0, limit=5)
    assert stopped.status is Status.LIMIT
    assert len(stopped.path.vertices) == 6
    one = greedy_mapping(Grid.from_text("."), 0)
    assert one
    assert one.seen.tolist() == [0]


@pytest.mark.parametrize("radius", [8, 9, 10**9, 2**63 - 1])
def test_a_radius_beyond_the_map_sees_all_of_it(radius):
    grid = Grid.from_text(".........\n.#######.\n.........")
    for start in (0, 8, 18, 26):
        trip = explore_to(grid, start, 26, radius=radius)
        assert trip.seen_until[0] == 27
        assert trip.path.cost == all_distances(grid, [start])[0][26]
        assert greedy_mapping(grid, start, radius=radius).path.cost == 0


def test_wrong_input_is_refused():
    grid = Grid.from_text("..\n.#")
    with pytest.raises(InputError, match="radius of sight; found 0"):
        explore_to(grid, 0, 1, radius=0)
    with pytest.raises(InputError, match=r"the start of an exploration is blocked; found x=1 \(column\), y=1 \(row\)"):
        explore_to(grid, 3, 0)
    with pytest.raises(InputError, match="size of the believed map; found 2 × 1 cells; expected 2 × 2 cells"):
        explore_to(grid, 0, 1, believed=Grid.from_text(".."))
    with pytest.raises(InputError, match="the goal is outside the map"):
        explore_to(grid, 0, 4)
    with pytest.raises(InputError, match="nothing that can be searched; found str; expected a Grid"):
        explore_to(grid, 0, 1, believed="x")
    graph = Graph.from_arcs([(0.0, 0.0), (1.0, 0.0)], [0], [1], [1.0])
    with pytest.raises(InputError, match="this needs a map of cells; found a Graph"):
        explore_to(grid, 0, 1, believed=graph)
    for search in (lambda: explore_to(graph, 0, 1), lambda: greedy_mapping(graph, 0)):
        with pytest.raises(InputError, match="this needs a map of cells; found a Graph"):
            search()
    with pytest.raises(InputError, match="number of steps; found 2; expected a whole number from 0 to 1"):
        explore_to(grid, 0, 1).known(2, 4)
    with pytest.raises(InputError, match="limit of steps; found -1"):
        greedy_mapping(grid, 0, limit=-1)
