"""Anya: the lengths of brute force, in every position, and valid paths."""

import sys
from itertools import pairwise
from math import inf, isclose
from pathlib import Path as FilePath

import numpy as np
import pytest
from lattice_oracle import LatticeOracle, free_cells, seen
from search_oracle import random_grid

from anabasis.decompose.outline import grid_world
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.io.movingai import load_map, load_scen
from anabasis.metrics.paths import path_faults
from anabasis.metrics.polylines import world_faults
from anabasis.noun import state_hash
from anabasis.result import Status, TraceEvent
from anabasis.search.anya import Anya, anya
from anabasis.search.corner_rows import (
    ALONG_EAST,
    ALONG_WEST,
    BEGIN,
    END,
    NUMBER,
    ROWS_NORTH,
    ROWS_SOUTH,
    flooded,
    survey,
)
from anabasis.search.dijkstra import dijkstra
from anabasis.search.polyanya import Polyanya
from anabasis.search.theta import theta
from anabasis.search.visibility_graph import VisibilityGraph

sys.path.insert(0, str(FilePath(__file__).parents[2] / "benchmarks"))
import maps


def length(result):
    return result.value.cost if result.value is not None else inf


def check_worlds(count, side, queries, seed):
    """Compare with brute force; return how many queries had an answer."""
    rng, solved = np.random.default_rng(seed), 0
    for _ in range(count):
        height, width = rng.integers(1, side + 1, 2)
        grid = Grid.from_free(rng.random((height, width)) >= rng.uniform(0, 0.5))
        search, oracle = Anya(grid), LatticeOracle(grid)
        for start, goal in rng.integers(grid.cost.size, size=(queries, 2)).tolist():
            result = search.find(start, goal)
            best = oracle.length(grid.cell(start), grid.cell(goal))
            assert isclose(length(result), best, rel_tol=1e-12), (grid.free.astype(int), start, goal)
            if result:
                assert path_faults(grid, result.value, start=start, goal=goal, corners="loose") == []
                assert result.bound == result.value.cost
                points = result.value.points.tolist()
                assert all(seen(oracle.free, a, b) for a, b in pairwise(points))
                solved += 1
    return solved


def test_as_short_as_brute_force():
    assert check_worlds(80, 7, 3, 1) > 90


@pytest.mark.long
def test_as_short_as_brute_force_on_two_thousand_worlds():
    assert check_worlds(2000, 9, 3, 2) > 2500


def test_as_short_as_the_visibility_graph():
    rng = np.random.default_rng(6)
    for number in range(8):
        grid = random_grid(rng, 32) if number % 2 else maps.rooms(33, number, room=8)
        world = grid_world(grid)
        search, graph = Anya(grid), VisibilityGraph(world)
        free = np.flatnonzero(grid.free)
        for start, goal in rng.choice(free, (8, 2)).tolist():
            result = search.find(start, goal)
            ends = [tuple(p) for p in grid.centres([start, goal]).tolist()]
            assert isclose(length(result), length(graph.find(*ends)), rel_tol=1e-9)
            if result:
                assert world_faults(world, result.value, start=ends[0], goal=ends[1]) == []


@pytest.mark.parametrize("name", ["dao/arena", "cities/Berlin_1_256", "mazes/maze512-8-0", "random/random512-35-0"])
def test_benchmark_maps(movingai, name):
    file = movingai / f"{name}.map"
    grid, scen = load_map(file), load_scen(f"{file}.scen")
    search, other = Anya(grid), Polyanya(grid_world(grid))
    for k in np.linspace(0, scen.size - 1, 25).astype(int).tolist():
        cells = (scen.start_x[k], scen.start_y[k]), (scen.goal_x[k], scen.goal_y[k])
        start, goal = (grid.vertex(int(x), int(y)) for x, y in cells)
        result = search.find(start, goal)
        assert path_faults(grid, result.value, start=start, goal=goal, corners="loose") == []
        assert result.value.cost <= scen.length[k] + 1e-4  # printed with few decimals
        ends = [tuple(p) for p in grid.centres([start, goal]).tolist()]
        assert result.value.cost == pytest.approx(other.find(*ends).value.cost, rel=1e-12)
    assert search.stats["states"] == len(search.corners)


def test_the_same_length_in_every_position():
    rng = np.random.default_rng(7)
    for _ in range(25):
        grid = random_grid(rng, 40)
        number = np.arange(grid.cost.size).reshape(grid.cost.shape)
        start, goal = rng.integers(grid.cost.size, size=2).tolist()
        best = length(Anya(grid).find(start, goal))
        assert isclose(length(Anya(grid).find(goal, start)), best, rel_tol=1e-12)
        for turn in range(4):
            for mirror in (False, True):
                free, places = np.rot90(grid.free, turn), np.rot90(number, turn)
                if mirror:
                    free, places = free[:, ::-1], places[:, ::-1]
                at = [int(np.flatnonzero(places.reshape(-1) == v)[0]) for v in (start, goal)]
                assert isclose(length(anya(Grid.from_free(free.copy()), *at)), best, rel_tol=1e-12)


def test_a_wall_more_never_shortens_and_steps_are_never_shorter():
    rng = np.random.default_rng(8)
    for _ in range(30):
        grid = random_grid(rng, 30)
        start, goal = rng.integers(grid.cost.size, size=2).tolist()
        before = length(Anya(grid).find(start, goal))
        free = grid.free.copy()
        free[rng.random(free.shape) < 0.05] = False
        assert length(Anya(Grid.from_free(free)).find(start, goal)) >= before * (1 - 1e-12)
        steps = dijkstra(grid, start, goal, corners="loose")
        assert (steps.value is None) == (before == inf)
        assert length(steps) >= before * (1 - 1e-12)


def test_two_obstacles_that_touch_let_nobody_through():
    grid = Grid.from_text("...#\n..#.\n.#..\n#...")
    assert anya(grid, 0, 15).status is Status.NO_SOLUTION
    assert anya(grid, 0, 15).stats["nearest"] in (5, 2, 8)
    around = Grid.from_text("....\n.#..\n..#.\n....")
    path = anya(around, 0, 15).value
    assert path.points.tolist() in ([[0.5, 0.5], [2, 1], [3, 2], [3.5, 3.5]], [[0.5, 0.5], [1, 2], [2, 3], [3.5, 3.5]])


def test_turns_of_a_spiral():
    grid = Grid.from_text(
        """
        .......
        .#####.
        .#...#.
        .#.#.#.
        .#.###.
        .#.....
        .#####.
        """
    )
    start, goal = grid.vertex(0, 6), grid.vertex(4, 3)
    result = anya(grid, start, goal)
    assert result.value.cost == pytest.approx(LatticeOracle(grid).length((0, 6), (4, 3)), rel=1e-12)
    assert len(result.value.points) == 8


def test_reports():
    grid = Grid.from_text("....\n.##.\n....")
    assert anya(grid, 5, 0).reason == "the start, x=1 (column), y=1 (row), is blocked"
    assert anya(grid, 0, 5).reason == "the goal, x=1 (column), y=1 (row), is blocked"
    assert "nearest_x" not in anya(grid, 5, 0).stats
    walled = Grid.from_text("..#..\n..#..")
    away = anya(walled, 0, 4)
    assert away.status is Status.NO_SOLUTION
    assert (away.stats["nearest_x"], away.stats["nearest_y"]) == (1, 0)
    assert anya(grid, 4, 4).value.points.tolist() == [[0.5, 1.5]]
    result = anya(grid, 4, 7, limit=1)
    assert result.status is Status.LIMIT
    assert 3 <= result.bound <= anya(grid, 4, 7).value.cost
    with pytest.raises(InputError, match="knows no prices"):
        anya(Grid.from_text("12"), 0, 1)
    with pytest.raises(InputError, match="not from neighbour to neighbour; found neighbours=4"):
        anya(grid, 0, 1, neighbours=4)
    with pytest.raises(InputError, match="corner rule of anya; found 'strict'"):
        anya(grid, 0, 1, corners="strict")
    with pytest.raises(InputError, match="outside the map"):
        anya(grid, 0, 12)
    with pytest.raises(InputError, match="needs a map of cells"):
        Anya(Graph.from_arcs([(0, 0), (1, 0)], [0], [1], [1]))


def test_traces_and_many_queries():
    grid = maps.random_obstacles(60, 2, 0.25)
    queries = np.array(maps.queries(grid, 10, 4))
    search = Anya(grid)
    many = search.find_many(queries[:, 0], queries[:, 1])
    for result, (start, goal) in zip(many, queries.tolist(), strict=True):
        traced = search.find(start, goal, traced=True)
        assert state_hash(traced.value) == state_hash(result.value)
        assert traced.stats == result.stats
        trace = traced.trace
        assert (trace.event == TraceEvent.EXPAND.value).sum() == result.stats["expanded"]
        assert (trace.event == TraceEvent.GENERATE.value).sum() == result.stats["generated"]
        assert grid.free.reshape(-1)[trace.vertex].all()
        keys = (trace.g + trace.h)[trace.event == TraceEvent.EXPAND.value]
        assert (np.diff(keys) >= -1e-9).all(), "lower bounds never fall"
        assert result.value.cost <= theta(grid, start, goal, corners="loose").value.cost * (1 + 1e-12)


def test_tables_are_what_they_say():
    rng = np.random.default_rng(10)
    for _ in range(20):
        grid = random_grid(rng, 12)
        free = free_cells(grid)
        chart, count = survey(grid)
        along, number = chart[:, :, [ALONG_WEST, ALONG_EAST]], chart[:, :, NUMBER]
        for y, x in np.ndindex(grid.cost.shape):
            first, end = chart[y, x, [BEGIN, END]].tolist()
            row = grid.free[y]
            assert (end > 0) == row[x]
            end = abs(end)
            for layer, step in ((ROWS_NORTH, -1), (ROWS_SOUTH, 1)):
                far = y + step * int(chart[y, x, layer])
                runs = chart[min(y, far - step) : max(y, far - step) + 1, x, [BEGIN, END]]
                assert (runs == chart[y, x, [BEGIN, END]]).all()
                assert not 0 <= far < grid.height or (chart[far, x, [BEGIN, END]] != chart[y, x, [BEGIN, END]]).any()
            assert (row[first:end] == row[x]).all()
            assert first == 0 or row[first - 1] != row[x]
            assert end == grid.width or row[end] != row[x]
        ids = sorted((number[number >= 0] // 4).tolist())
        assert ids == list(range(count))
        for y, x in np.ndindex(number.shape):
            cells = [(x - 1 + (q & 1), y - 1 + (q >> 1)) for q in range(4)]
            blocked = [q for q in range(4) if cells[q] not in free]
            assert (number[y, x] >= 0) == (len(blocked) == 1)
            if len(blocked) == 1:
                assert number[y, x] & 3 == blocked[0]
            for way, step in enumerate((-1, 1)):
                target, at = int(along[y, x, way]), x
                while target >= 0 and at != target:
                    assert seen(free, (x, y), (at + step, y))
                    at += step
                if target >= 0:
                    assert number[y, target] >= 0
                    assert (number[y, target] & 1) == (step < 0), "its wall is behind"
        start = int(rng.integers(grid.cost.size))
        if start in np.flatnonzero(grid.free):
            reached = flooded(grid.cost, start)
            assert reached[start]
            for goal in range(grid.cost.size):
                assert reached[goal] == bool(dijkstra(grid, start, goal, neighbours=4))
