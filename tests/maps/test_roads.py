"""Roads: they join what can be joined, can be walked, come together, and spare long ways round."""

import networkx as nx
import numpy as np
import pytest
from player_worlds import SHIP, WALKER, land, largest_part, part_count

from anabasis import InputError
from anabasis.maps.players.roads import roads
from anabasis.maps.players.towns import towns
from anabasis.movement import MovementClass


def made(seed, count=8, size=90, **options):
    terrain = land(size, size, seed, water=0.2)
    places = towns(terrain, count, seed=seed, movement=WALKER).cells
    return terrain, places, roads(terrain, places, movement=WALKER, **options)


def test_roads_join_all_places_and_can_be_walked():
    for seed in range(8):
        terrain, places, found = made(seed)
        graph = nx.Graph(found.joins.tolist())
        assert set(graph.nodes) == set(range(len(places)))
        assert nx.is_connected(graph)
        free = np.isfinite(WALKER.cost[found.terrain])
        for (one, other), course in zip(found.joins, found.courses, strict=True):
            assert course[0].tolist() == places[one].tolist()
            assert course[-1].tolist() == places[other].tolist()
            x, y = course.T
            assert np.abs(np.diff(course, axis=0)).max() <= 1
            assert np.isin(found.terrain[y, x], [ord(letter) for letter in "=+~"]).all()
            assert (free[y[:-1], x[1:]] & free[y[1:], x[:-1]]).all(), "a corner is cut"
        changed = found.terrain != terrain
        on_course = np.zeros(terrain.shape, bool)
        for course in found.courses:
            on_course[course[:, 1], course[:, 0]] = True
        assert not (changed & ~on_course).any()
        assert (found.terrain[changed & (terrain == ord("W"))] == ord("+")).all()
        assert np.isfinite(WALKER.cost[terrain[changed & (terrain != ord("W"))]]).all()


def test_roads_come_together():
    shared = 0
    for seed in range(6):
        _, _, found = made(seed)
        cells = sum(len(course) for course in found.courses)
        shared += cells - len(np.unique(np.concatenate(found.courses), axis=0))
    assert shared > 100


def test_a_smaller_detour_gives_more_roads_and_shorter_ways():
    for seed in range(4):
        _, places, tree = made(seed, detour=1e9)
        _, _, net = made(seed, detour=1.2)
        assert len(tree.joins) == len(places) - 1
        assert len(net.joins) > len(tree.joins)


def test_bridges_only_where_they_are_allowed():
    terrain = np.full((21, 41), ord("."), np.uint8)
    terrain[:, 19:22] = ord("W")
    found = roads(terrain, [[5, 10], [35, 10]], movement=WALKER)
    assert (found.terrain == ord("+")).sum() == 3
    assert part_count(np.isfinite(WALKER.cost[found.terrain])) == 1
    none = roads(terrain, [[5, 10], [35, 10]], movement=WALKER, bridge=None)
    assert none.joins.tolist() == []
    assert np.array_equal(none.terrain, terrain)
    terrain[20, 19:22] = ord("~")
    assert not (roads(terrain, [[5, 10], [35, 10]], movement=WALKER, bridge=30.0).terrain == ord("+")).any()
    assert (roads(terrain, [[5, 10], [35, 10]], movement=WALKER, bridge=3.0).terrain == ord("+")).sum() == 3


def test_roads_go_round_hills():
    terrain = np.full((31, 41), ord("."), np.uint8)
    terrain[8:22, 13:28] = ord("h")
    found = roads(terrain, [[2, 15], [38, 15]], movement=WALKER)
    assert (found.terrain[8:22, 13:28] == ord("h")).all()


def test_what_is_apart_stays_apart():
    terrain = np.full((9, 30), ord("."), np.uint8)
    terrain[:, 14] = ord("^")
    found = roads(terrain, [[2, 2], [10, 6], [18, 2], [28, 6]], movement=WALKER)
    assert found.joins.tolist() == [[2, 3], [0, 1]] or found.joins.tolist() == [[0, 1], [2, 3]]


def test_ships_have_courses_and_no_roads():
    terrain = np.full((9, 30), ord("W"), np.uint8)
    found = roads(terrain, [[2, 2], [25, 6]], movement=SHIP)
    assert np.array_equal(found.terrain, terrain)
    assert len(found.courses[0]) == 24
    terrain[:, 10:20] = ord(".")
    swimmer = MovementClass.of("swimmer", {"W": 1.0, ".=+": 1.0})
    both = roads(terrain, [[2, 2], [25, 6]], movement=swimmer).terrain
    assert (both == ord("=")).sum() == 10
    assert not (both == ord("+")).any()


def test_few_places_and_small_maps():
    terrain = np.full((1, 1), ord("."), np.uint8)
    assert roads(terrain, [[0, 0]]).joins.shape == (0, 2)
    assert roads(terrain, np.zeros((0, 2))).courses == ()
    assert roads(np.full((1, 2), ord("."), np.uint8), [[0, 0], [1, 0]]).terrain.tolist() == [[ord("=")] * 2]


def test_wrong_options_are_refused():
    terrain = land(30, 30, 1)
    x, y = np.argwhere(largest_part(np.isfinite(WALKER.cost[terrain])))[0][::-1].tolist()
    with pytest.raises(InputError, match=r"detour; found 0.5; expected at least 1"):
        roads(terrain, [[x, y]], detour=0.5)
    with pytest.raises(InputError, match=r"a place of roads; found x=40 \(column\)"):
        roads(terrain, [[40, 0]])
    with pytest.raises(InputError, match="a place named twice"):
        roads(terrain, [[x, y], [x, y]], movement=WALKER)
    with pytest.raises(InputError, match="bridge"):
        roads(terrain, [[x, y]], movement=WALKER, bridge=-1.0)
