"""Graphs of way-points: links that can be walked, faults that name file, line and place."""

import numpy as np
import pytest
from lattice_worlds import arcs_of

from anabasis.decompose.waypoints import waypoint_graph
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.io.waypoints import waypoints_of_text
from anabasis.search.astar import astar
from anabasis.world import World

WALL = World.of((0, 0, 10, 10), [[(4, 0), (6, 0), (6, 8), (4, 8)]])
HEAD = "anabasis way-points 1\n"
WAY = HEAD + "place a 1 1\nplace b 4 8\nplace c 6 8\nplace d 9 1\nlink a b\nlink b c\nlink c d\none-way d a 2\n"


def test_links_along_an_obstacle_can_be_walked() -> None:
    graph = waypoint_graph(WALL, waypoints_of_text(WAY.replace("one-way d a 2\n", "")))
    assert graph.metric == "euclidean"
    assert graph.points.tolist() == [[1, 1], [4, 8], [6, 8], [9, 1]]
    result = astar(graph, 0, 3)
    assert result.value
    assert result.value.cost == pytest.approx(2 * np.hypot(3, 7) + 2)
    assert result.value.vertices.tolist() == [0, 1, 2, 3]


def test_a_link_through_the_wall_is_told() -> None:
    with pytest.raises(InputError, match=r"^map\.way: line 9: the link from 'd' to 'a' is blocked; found an obstacle"):
        waypoint_graph(WALL, waypoints_of_text(WAY, "map.way"))


def test_costs_and_directions_are_those_of_the_file() -> None:
    empty = World.of((0, 0, 10, 10), [])
    graph = waypoint_graph(empty, waypoints_of_text(WAY))
    arcs = arcs_of(graph)
    assert arcs[3, 0] == 2
    assert (0, 3) not in arcs
    assert arcs[0, 1] == arcs[1, 0] == np.hypot(3, 7)
    assert graph.metric == "zero"  # one is there faster than as the crow flies
    dear = waypoint_graph(empty, waypoints_of_text(HEAD + "place a 1 1\nplace b 4 5\nlink a b 7\n"))
    assert dear.metric == "manhattan"
    assert dear.weights.tolist() == [7, 7]


def test_prices_of_the_ground_count_unless_the_file_says_otherwise() -> None:
    grid = Grid.from_text("13")
    text = HEAD + "place a 0.5 0.5\nplace b 1.5 0.5\nlink a b"
    assert waypoint_graph(grid, waypoints_of_text(text)).weights.tolist() == [2, 2]
    assert waypoint_graph(grid, waypoints_of_text(text + " 5")).weights.tolist() == [5, 5]


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("place a 5 5", r"m\.way: line 2: place 'a' is in an obstacle; found \(5, 5\); expected a free place"),
        ("place a 11 5", r"m\.way: line 2: place 'a' is outside the world; found \(11, 5\); expected x from 0 to 10"),
        ("place a 5 -1", r"m\.way: line 2: place 'a' is outside the world"),
    ],
)
def test_places_must_be_free(row: str, text: str) -> None:
    with pytest.raises(InputError, match=text):
        waypoint_graph(WALL, waypoints_of_text(HEAD + row, "m.way"))


def test_no_places_make_an_empty_graph() -> None:
    assert waypoint_graph(WALL, waypoints_of_text(HEAD)).size == 0
