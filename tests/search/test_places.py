"""Searches on the graphs of discretisations, from place to place."""

import numpy as np
import pytest

import anabasis as a
from anabasis.decompose.lattices import hexagonal_lattice, square_lattice
from anabasis.decompose.roadmap import prm
from anabasis.errors import InputError
from anabasis.metrics.polylines import world_faults
from anabasis.search.astar import astar
from anabasis.search.places import search_places
from anabasis.search.theta import theta

WALL = [(4, 2), (6, 2), (6, 8), (4, 8)]
START, GOAL = (1.25, 5.0), (8.5, 5.5)


@pytest.fixture
def world() -> a.World:
    return a.World.of((0, 0, 10, 10), [WALL])


def test_joined_ends_are_the_places_themselves(world):
    found = search_places(astar, hexagonal_lattice(world, edge=0.5), world, START, GOAL)
    path = found.result.value
    assert path is not None
    assert tuple(path.points[0]) == START and tuple(path.points[-1]) == GOAL
    assert world_faults(world, path, start=START, goal=GOAL) == []
    shortest = a.find_path(world, START, GOAL, method="polyanya").cost
    assert shortest <= path.cost <= 1.3 * shortest


def test_ends_moved_to_the_nearest_state_are_told(world):
    graph = square_lattice(world, edge=1.0)
    found = search_places(astar, graph, world, START, GOAL, ends="nearest")
    assert (found.start, found.goal) == ((1.5, 4.5), (8.5, 5.5))
    assert found.graph is graph
    assert found.result.value is not None and found.result.value.points[0].tolist() == [1.5, 4.5]


def test_a_search_for_lines_of_sight_gets_the_world(world):
    for seed in range(5):
        graph = prm(world, samples=60, seed=seed)
        found = search_places(theta, graph, world, START, GOAL)
        plain = search_places(astar, graph, world, START, GOAL)
        assert found.result.value is not None and plain.result.value is not None
        assert found.result.value.cost <= plain.result.value.cost + 1e-9
        assert world_faults(world, found.result.value, start=START, goal=GOAL) == []


def test_places_that_see_each_other_need_no_graph(world):
    found = search_places(astar, prm(world, samples=5, seed=1), world, (1, 1), (9, 1))
    assert found.result.value is not None and found.result.value.cost == 8


def test_why_there_is_no_way(world):
    graph = square_lattice(world, edge=1.0)
    for start, goal, reason in ((START, (5, 5), "the goal (5, 5) lies in an obstacle"), ((5, 4), GOAL, "the start (5")):
        result = search_places(astar, graph, world, start, goal).result
        assert result.status is a.Status.NO_SOLUTION and reason in result.reason
    walled = a.World.of((0, 0, 10, 10), [[(4, 0), (6, 0), (6, 10), (4, 10)]])
    result = search_places(astar, square_lattice(walled), walled, START, GOAL).result
    assert result.status is a.Status.NO_SOLUTION and "not connected" in result.reason
    narrow = a.World.of((0, 0, 10, 10), [[(4, 0), (6, 0), (6, 9.7), (4, 9.7)]])
    result = search_places(astar, square_lattice(narrow), narrow, START, GOAL).result
    assert result.status is a.Status.NO_SOLUTION and "too coarse somewhere" in result.reason
    nothing = search_places(astar, square_lattice(world, edge=9.0), world, START, GOAL).result
    assert nothing.status is a.Status.NO_SOLUTION and "sees no state" in nothing.reason
    none = search_places(astar, square_lattice(world, edge=20.0), world, START, GOAL, ends="nearest").result
    assert none.status is a.Status.NO_SOLUTION and "no states" in none.reason
    here = search_places(astar, graph, world, START, START).result
    assert here.value is not None and here.value.cost == 0


def test_wrong_places(world):
    graph = square_lattice(world)
    for place, problem in (((11, 1), "outside the world"), ((np.nan, 1), "the start"), ((1, 2, 3), "the start")):
        with pytest.raises(InputError, match=problem):
            search_places(astar, graph, world, place, GOAL)
    with pytest.raises(InputError, match="joined or nearest"):
        search_places(astar, graph, world, START, GOAL, ends="there")


def test_find_path_on_the_graph_of_a_map_and_of_a_world(world):
    grid = a.Grid.from_text("......\n..@@..\n..@@..\n......\n")
    answer = a.find_path(grid, (0, 1), (5, 2), graph=hexagonal_lattice(grid, edge=0.25))
    assert answer and answer.graph is not None and answer.cells == []
    assert (answer.start, answer.goal) == ((0.5, 1.5), (5.5, 2.5))
    short = a.find_path(grid, (0, 1), (5, 2), graph=hexagonal_lattice(grid, edge=0.25), shorten=True)
    assert short.result.bound <= short.cost <= answer.cost
    for method in ("jps", "polyanya"):
        with pytest.raises(InputError, match="takes no graph"):
            a.find_path(world, START, GOAL, graph=square_lattice(world), method=method)
    with pytest.raises(InputError, match="straight already"):
        a.find_path(world, START, GOAL, graph=square_lattice(world), method="theta", shorten=True)


def test_what_was_searched_on_a_graph_can_be_seen(world):
    answer = a.find_path(world, START, GOAL, graph=square_lattice(world), traced=True)
    assert len(answer.picture(searched=True).layers) > len(answer.picture().layers)
    assert answer.picture().bounds == (0, 0, 10, 10)
