"""Search in the visibility graph: as short as the oracle's ways, valid, and the same however it is asked."""

import numpy as np
import pytest
from polygon_worlds import OracleGraph, free_places, loose_polygons, touching_triangles

from anabasis.decompose.outline import grid_world
from anabasis.decompose.visibility import visibility
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.metrics.polylines import world_faults
from anabasis.noun import state_hash
from anabasis.result import Status
from anabasis.search.anya import Anya
from anabasis.search.astar import astar
from anabasis.search.polyanya import Polyanya
from anabasis.search.visibility_graph import VisibilityGraph, visibility_graph
from anabasis.world import World

SQUARE = [(2, 2), (4, 2), (4, 4), (2, 4)]


def worlds(count, seed, kinds=("loose", "touching", "cells")):
    """Random worlds, each with some pairs of free places."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        if kinds[number % len(kinds)] == "loose":
            world = loose_polygons(rng, int(rng.integers(1, 12)))
        elif kinds[number % len(kinds)] == "cells":
            world = grid_world(Grid.from_free(rng.random(rng.integers(2, 9, 2)) >= rng.uniform(0.1, 0.5)))
        else:
            world = touching_triangles(rng, int(rng.integers(2, 14)), int(rng.integers(3, 12)), rng.uniform(0.1, 0.6))
        places = free_places(rng, world, 6)
        if len(places) == 6:
            yield world, list(zip(places[::2], places[1::2], strict=True))


def check_against_oracle(count, seed):
    """Lengths of the oracle, both kinds of graphs, valid ways; returns how many queries had a way."""
    found = 0
    for world, pairs in worlds(count, seed):
        oracle, tangent, full = OracleGraph(world), VisibilityGraph(world), VisibilityGraph(world, tangent=False)
        for start, goal in pairs:
            length, result, same = oracle.length(start, goal), tangent.find(start, goal), full.find(start, goal)
            assert bool(result) == np.isfinite(length) == bool(same)
            if not result:
                assert result.status is Status.NO_SOLUTION
                continue
            found += 1
            path = result.value
            assert path.cost == pytest.approx(length, abs=1e-4)
            assert path.cost == pytest.approx(same.value.cost, abs=1e-9)
            assert path.cost == result.bound == pytest.approx(np.hypot(*np.diff(path.points, axis=0).T).sum(), abs=1e-9)
            assert tuple(path.points[0]) == start
            assert tuple(path.points[-1]) == goal
            assert world_faults(world, path, start=start, goal=goal) == []
            assert tangent.find(goal, start).value.cost == pytest.approx(path.cost, abs=1e-9)
    return found


def test_shortest_ways_are_those_of_the_oracle():
    assert check_against_oracle(60, 1) > 80


@pytest.mark.long
def test_shortest_ways_are_those_of_the_oracle_in_many_worlds():
    assert check_against_oracle(1500, 2) > 2000


def check_agreement(count, seed):
    """Polyanya and, on cells, Anya find ways as long; returns the number of queries."""
    rng = np.random.default_rng(seed)
    queries = 0
    for number, (world, pairs) in enumerate(worlds(count, seed)):
        search, mesh = VisibilityGraph(world), Polyanya(world)
        for start, goal in pairs:
            results = search.find(start, goal), mesh.find(start, goal)
            assert bool(results[0]) == bool(results[1])
            if results[0]:
                assert results[0].value.cost == pytest.approx(results[1].value.cost, abs=1e-9)
            queries += 1
        grid = Grid.from_free(rng.random(rng.integers(2, 20, 2)) >= rng.uniform(0.05, 0.5))
        cells = np.flatnonzero(grid.free)
        if number % 2 or len(cells) < 2:
            continue
        search, anya = VisibilityGraph(grid_world(grid)), Anya(grid)
        for u, v in rng.choice(cells, (3, 2)).tolist():
            results = search.find(*map(tuple, grid.centres([u, v]).tolist())), anya.find(u, v)
            assert bool(results[0]) == bool(results[1])
            if results[0]:
                assert results[0].value.cost == pytest.approx(results[1].value.cost, abs=1e-9)
            queries += 1
    return queries


def test_all_that_find_shortest_ways_agree():
    assert check_agreement(60, 11) > 150


@pytest.mark.long
def test_all_that_find_shortest_ways_agree_in_two_thousand_worlds():
    assert check_agreement(2000, 12) > 6000


def test_astar_on_the_graph_with_places_finds_the_same():
    for world, pairs in worlds(20, 3):
        for start, goal in pairs:
            result = visibility_graph(world, start, goal)
            for tangent in (False, True):
                graph = visibility(world, tangent=tangent, places=[start, goal])
                other = astar(graph, graph.size - 2, graph.size - 1)
                assert bool(other) == bool(result)
                if result:
                    assert other.value.cost == pytest.approx(result.value.cost, abs=1e-9)


def test_turned_and_mirrored_worlds_have_the_same_lengths():
    for world, pairs in worlds(20, 4):
        x0, y0, x1, y1 = world.bounds
        mirrored = World((x0, -y1, x1, -y0), world.points * (1, -1), world.rings)
        turned = World((y0, x0, y1, x1), world.points[:, ::-1], world.rings)
        for (sx, sy), (gx, gy) in pairs:
            result = visibility_graph(world, (sx, sy), (gx, gy))
            for other in (
                visibility_graph(mirrored, (sx, -sy), (gx, -gy)),
                visibility_graph(turned, (sy, sx), (gy, gx)),
            ):
                assert bool(other) == bool(result)
                if result:
                    assert other.value.cost == pytest.approx(result.value.cost, abs=1e-9)


def test_ends_at_corners_and_on_edges():
    world = World.of((0, 0, 9, 9), [SQUARE])
    search = VisibilityGraph(world)
    assert search.find((2, 2), (4, 4)).value.cost == 4
    assert search.find((2, 2), (4, 2)).value.points.tolist() == [[2, 2], [4, 2]]
    assert search.find((2, 3), (3, 4)).value.cost == 2
    assert search.find((2, 2), (2, 2)).value.cost == 0
    assert search.find((0, 3), (9, 3)).value.cost == pytest.approx(np.hypot(2, 1) + 2 + np.hypot(5, 1))


def test_a_wall_from_bound_to_bound_parts_the_world():
    world = World.of((0, 0, 9, 9), [[(4, 0), (5, 0), (5, 9), (4, 9)]])
    result = visibility_graph(world, (1, 1), (8, 8))
    assert result.status is Status.NO_SOLUTION
    assert "not connected" in result.reason
    assert (result.stats["nearest_x"], result.stats["nearest_y"]) == (1, 1)


def test_obstacles_that_touch_are_no_passage():
    diagonal = [[(2, 2), (4, 2), (4, 4), (2, 4)], [(4, 4), (6, 4), (6, 6), (4, 6)]]
    world = World.of((0, 0, 9, 9), diagonal)
    result = visibility_graph(world, (5, 3.5), (3.5, 5))
    assert result.value.cost > 5
    assert (4.0, 4.0) not in {tuple(p) for p in result.value.points.tolist()}
    closed = World.of((2, 2, 6, 6), diagonal)
    assert visibility_graph(closed, (5, 3.5), (3.5, 5)).status is Status.NO_SOLUTION
    # who stands in the point itself may leave on either side
    assert visibility_graph(closed, (4, 4), (3.5, 5)).value.cost == pytest.approx(np.hypot(0.5, 1))
    assert visibility_graph(closed, (5, 3.5), (4, 4)).value.cost == pytest.approx(np.hypot(1, 0.5))


def test_an_end_inside_an_obstacle():
    search = VisibilityGraph(World.of((0, 0, 9, 9), [SQUARE]))
    result = search.find((3, 3), (8, 8))
    assert (result.status, result.reason) == (Status.NO_SOLUTION, "the start, (3, 3), is inside an obstacle")
    assert "the goal, (3, 3), is inside" in search.find((8, 8), (3, 3)).reason


def test_worlds_without_obstacles_and_without_room():
    for tangent in (True, False):
        assert visibility_graph(World.of((0, 0, 4, 3), []), (0, 0), (4, 3), tangent=tangent).value.cost == 5
        full = World.of((0, 0, 2, 2), [[(0, 0), (2, 0), (2, 2), (0, 2)]])
        assert "inside an obstacle" in visibility_graph(full, (1, 1), (1, 2), tangent=tangent).reason


@pytest.mark.parametrize("place", [(np.nan, 1), (1,), (1, 2, 3), ("a", 1), (10, 1), (1, -0.5)])
def test_a_wrong_place_is_an_error(place):
    search = VisibilityGraph(World.of((0, 0, 9, 9), [SQUARE]))
    with pytest.raises(InputError, match="start"):
        search.find(place, (1, 1))
    with pytest.raises(InputError, match="goal"):
        search.find((1, 1), place)


def test_limit_and_trace():
    world = loose_polygons(np.random.default_rng(5), 12)
    search = VisibilityGraph(world)
    start, goal = free_places(np.random.default_rng(6), world, 2)
    whole = search.find(start, goal, traced=True)
    assert state_hash(whole.value) == state_hash(search.find(start, goal).value)
    assert (whole.trace.event == 1).sum() == whole.stats["expanded"]
    assert (whole.trace.event != 1).sum() == whole.stats["generated"]
    assert len(whole.trace.points) == whole.stats["states"] + 2
    here = search.find(start, start, traced=True)
    assert (here.value.cost, here.stats["generated"], len(here.trace.event)) == (0, 1, 1)
    short = search.find(start, goal, limit=1)
    assert short.status is Status.LIMIT or whole.stats["expanded"] == 1
    assert short.bound <= whole.value.cost + 1e-9
    with pytest.raises(InputError):
        search.find(start, goal, limit=-1)


def test_many_queries_are_as_one_after_the_other():
    world = loose_polygons(np.random.default_rng(7), 12)
    places = free_places(np.random.default_rng(8), world, 20)
    search = VisibilityGraph(world)
    many = search.find_many(places[:10], places[10:])
    one = [search.find(s, g) for s, g in zip(places[:10], places[10:], strict=True)]
    assert [state_hash(r) for r in many] == [state_hash(r) for r in one]
