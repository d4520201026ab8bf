"""The state that a place belongs to, and places as states, against looking at all of them."""

import numpy as np
import pytest
from lattice_worlds import arcs_of, polygon_worlds

from anabasis.decompose.free_space import free_space
from anabasis.decompose.lattices import square_lattice
from anabasis.decompose.nearest import joined, nearest_state
from anabasis.decompose.size import graph_size
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.world import World

WALL = World.of((0, 0, 10, 10), [[(4.6, 0), (5.4, 0), (5.4, 9), (4.6, 9)]])


def test_the_nearest_one_in_sight() -> None:
    rng = np.random.default_rng(1)
    for world in polygon_worlds(6, seed=50):
        graph, sight = square_lattice(world, edge=1.5), free_space(world)
        for place in rng.uniform(world.bounds[:2], world.bounds[2:], (40, 2)):
            away = np.hypot(*(graph.points - place).T)
            seen = np.array([sight.sees(place, p) for p in graph.points])
            found = nearest_state(graph, world, place)
            assert found == (np.argmin(np.where(seen, away, np.inf)) if seen.any() else np.argmin(away))


def test_a_wall_between_matters() -> None:
    graph = square_lattice(WALL, edge=3)
    place = (5.4, 1.5)
    assert graph.points[np.argmin(((graph.points - place) ** 2).sum(axis=1))].tolist() == [7.5, 1.5]
    assert graph.points[nearest_state(graph, WALL, (4.5, 1.5))].tolist() == [1.5, 1.5]
    assert graph.points[nearest_state(graph, WALL, (5.1, 1.5))].tolist() == [7.5, 1.5]  # in the wall: the nearest


def test_on_a_grid_it_is_the_own_cell() -> None:
    grid = Grid.from_text("..@.\n.@..\n....")
    graph = square_lattice(grid)
    for k, point in enumerate(graph.points):
        assert nearest_state(graph, grid, point + 0.3) == k


def test_joined_places_have_arcs_to_what_they_see() -> None:
    rng = np.random.default_rng(2)
    for world in polygon_worlds(4, seed=51):
        graph, sight = square_lattice(world, edge=2), free_space(world)
        places = rng.uniform(world.bounds[:2], world.bounds[2:], (3, 2))
        more, n = joined(graph, world, places, neighbours=5), graph.size
        assert more.metric == "euclidean"
        arcs = arcs_of(more)
        assert {a: w for a, w in arcs.items() if max(a) < n} == arcs_of(graph)
        for k, place in enumerate(places):
            order = np.argsort(np.hypot(*(graph.points - place).T), kind="stable")
            seen = [v for v in order if sight.sees(place, graph.points[v])]
            others = [n + j for j in range(3) if j != k and sight.sees(place, places[j])]
            expected = {int(v) for v in seen[:5]} | set(others)
            assert {v for u, v in arcs if u == n + k} == expected == {u for u, v in arcs if v == n + k}
            for v in expected:
                assert arcs[n + k, v] == arcs[v, n + k] == np.hypot(*(place - more.points[v]))


def test_prices_count_along_the_way() -> None:
    grid = Grid.from_text("19")
    graph = joined(square_lattice(grid), grid, [(0.25, 0.5)])
    arcs = arcs_of(graph)
    assert (arcs[2, 0], arcs[0, 2], arcs[2, 1], arcs[1, 2]) == (0.25, 0.25, 0.75 + 0.5 * 9, 0.75 + 0.5 * 9)


def test_a_place_in_an_obstacle_stays_alone() -> None:
    graph = joined(square_lattice(WALL), WALL, [(5, 5), (1, 1)])
    assert np.diff(graph.indptr)[-2:].tolist() == [0, 8]


def test_wrong_places_are_told() -> None:
    graph = square_lattice(WALL)
    with pytest.raises(InputError, match="place holds NaN"):
        nearest_state(graph, WALL, (float("nan"), 0))
    with pytest.raises(InputError, match="place has the wrong shape"):
        nearest_state(graph, WALL, (1, 2, 3))
    with pytest.raises(InputError, match="the graph has no states"):
        nearest_state(Graph.from_arcs(np.zeros((0, 2)), [], [], []), WALL, (1, 2))
    with pytest.raises(InputError, match="number of neighbours; found 0"):
        joined(graph, WALL, [(1, 1)], neighbours=0)
    with pytest.raises(InputError, match="number of neighbours must be whole"):
        joined(graph, WALL, [(1, 1)], neighbours=1.5)


def test_the_size_of_a_graph() -> None:
    size = graph_size(square_lattice(World.of((0, 0, 3, 2), [])))
    assert (size.states, size.arcs, size.max_degree) == (6, 2 * (7 + 4), 5)
    assert size.mean_degree == pytest.approx(22 / 6)
    assert size.bytes == 8 * (7 + 22 + 22 + 12)
    empty = graph_size(Graph.from_arcs(np.zeros((0, 2)), [], [], []))
    assert (empty.states, empty.arcs, empty.mean_degree, empty.max_degree) == (0, 0, 0.0, 0)


def test_memory_a_state_stays_the_same_and_grows_with_neighbours() -> None:
    """Published: 32 to 33 bytes a state with four neighbours, 58 to 59 with eight, whatever the edge."""
    world = World.of((0, 0, 450, 300), [])
    ratios = []
    for edge in (2, 5, 10):
        four, eight = (graph_size(square_lattice(world, edge=edge, neighbours=n)) for n in (4, 8))
        ratios.append(eight.bytes / four.bytes)
        assert 80 < four.bytes / four.states < 90
    assert all(1.6 < ratio < 1.8 for ratio in ratios)
