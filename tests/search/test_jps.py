"""Jump point search, JPS+ and hub labels promise the same: A*'s answers on uniform maps, to the last bit."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_oracle import all_distances, random_grid, walked

from anabasis import Graph, Grid, InputError, Status
from anabasis._kernel.jump_queue import UNSEEN
from anabasis.io.movingai import load_map, load_scen
from anabasis.metrics.paths import path_faults
from anabasis.result import TraceEvent
from anabasis.search.astar import AStar, astar
from anabasis.search.hub_labels import HubLabels, hub_labels
from anabasis.search.jps import JPS, jps
from anabasis.search.jps_plus import JPSPlus, jps_plus

RULES = ("strict", "loose", "none")
SEARCHES = {"jps": (jps, JPS, RULES), "jps_plus": (jps_plus, JPSPlus, RULES)}
SEARCHES["hub_labels"] = (hub_labels, HubLabels, RULES[:1])
JUMPS = [(name, corners) for name, (_, _, rules) in SEARCHES.items() for corners in rules]


def made(name, grid, corners="strict"):
    return SEARCHES[name][1](grid, corners=corners)


def check_map(grid, rng, count, rules=JUMPS):
    """Random queries on one map by every search: A*'s costs and nearest cells; every tenth path walked."""
    starts, goals = rng.integers(0, grid.cost.size, (2, count))
    for name, corners in rules:
        best = AStar(grid, corners=corners).find_many(starts, goals)
        batch = made(name, grid, corners).find_many(starts, goals)
        assert np.array_equal(batch.cost, best.cost), (name, corners)
        assert np.array_equal(batch.rows[:, 5], best.rows[:, 5]), "the nearest cell"
        for i in range(0, count, 10):
            found, wanted = batch[i], best[i]
            assert (found.status, found.reason, found.bound) == (wanted.status, wanted.reason, wanted.bound)
            if found.value is None:
                assert found.stats.get("nearest_x") == wanted.stats.get("nearest_x")
            if found.value:
                start, goal = int(starts[i]), int(goals[i])
                assert path_faults(grid, found.value, start=start, goal=goal, neighbours=8, corners=corners) == []
                assert walked(grid, found.value.vertices, 8, corners) == pytest.approx(found.value.cost)


def test_random_maps():
    rng = np.random.default_rng(2)
    for number in range(45):
        check_map(random_grid(rng, (6, 24, 80)[number % 3]), rng, 30)


@pytest.mark.long
def test_many_random_maps():
    rng = np.random.default_rng(3)
    for number in range(3000):
        check_map(random_grid(rng, (4, 9, 24, 80)[number % 4]), rng, 40)


def test_long_narrow_maps():
    rng = np.random.default_rng(4)
    for shape in ((1, 1), (1, 2), (2, 1), (1, 200), (200, 1), (2, 130), (130, 2), (3, 63), (3, 64), (3, 65), (31, 33)):
        for blocked in (0.0, 0.02, 0.1):
            check_map(Grid.from_free(rng.random(shape) >= blocked), rng, 20)


def test_a_map_of_one_cell():
    for name in SEARCHES:
        assert made(name, Grid.from_text(".")).find(0, 0).value.vertices.tolist() == [0]
        assert not made(name, Grid.from_text("#")).find(0, 0)


def test_every_pair_on_small_maps_with_corners():
    texts = (
        "...\n.#.\n...",
        "..#..\n.....\n..#..",
        "....\n.##.\n.#..\n...#",
        "#..#.\n.....\n.##..\n..#..",
        "....\n....\n....",
    )
    for text in texts:
        grid = Grid.from_text(text)
        n = grid.cost.size
        starts, goals = np.repeat(np.arange(n), n), np.tile(np.arange(n), n)
        for name, corners in JUMPS:
            wanted = all_distances(grid, np.arange(n), 8, corners).reshape(-1)
            batch = made(name, grid, corners).find_many(starts, goals)
            blocked = ~grid.free.reshape(-1)[goals]
            assert np.array_equal(np.isinf(batch.cost), np.isinf(wanted) | blocked)
            found = np.isfinite(batch.cost)
            np.testing.assert_allclose(batch.cost[found], wanted[found], rtol=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(JUMPS))
def test_turned_maps_have_turned_ways(seed, rule):
    rng = np.random.default_rng(seed)
    free = random_grid(rng, 20).free
    numbers = np.arange(free.size).reshape(free.shape)
    start, goal = (int(v) for v in rng.integers(0, free.size, 2))

    def cost(turn, start, goal):
        place = {int(v): i for i, v in enumerate(turn(numbers).reshape(-1).tolist())}
        result = made(rule[0], Grid.from_free(turn(free)), rule[1]).find(place[start], place[goal])
        return result.value.cost if result.value else math.inf

    plain = cost(lambda a: a, start, goal)
    assert plain == cost(lambda a: a, goal, start)
    for turn in (np.fliplr, np.flipud, np.transpose, np.rot90):
        assert plain == cost(turn, start, goal)


def scenario_files(movingai):
    """The scenarios with lengths, but those of wc3maps512: they are under other rules."""
    return [file for file in sorted(movingai.glob("*/*.map.scen")) if file.parent.name != "wc3maps512"]


def scenario_rows(file, rows):
    """The map of a scenario, starts, goals, lengths and how far they may be off, of some rows."""
    grid, scen = load_map(str(file).removesuffix(".scen")), load_scen(file)
    chosen = np.arange(scen.size) if rows is None else np.linspace(0, scen.size - 1, rows).astype(int)
    starts, goals = scen.start_y * grid.width + scen.start_x, scen.goal_y * grid.width + scen.goal_x
    slack = np.where(scen.decimals < 3, 0.02, 10.0 ** -scen.decimals.astype(float) + 2e-6 * scen.length)
    return grid, starts[chosen], goals[chosen], scen.length[chosen], slack[chosen]


def test_some_published_lengths(movingai):
    for file in scenario_files(movingai):
        grid, starts, goals, lengths, slack = scenario_rows(file, 4)
        for name in ("jps", "jps_plus"):
            assert (np.abs(made(name, grid).find_many(starts, goals).cost - lengths) <= slack).all(), file.name
        if file.parent.name in ("mazes", "rooms", "dao"):
            assert (np.abs(HubLabels(grid).find_many(starts, goals).cost - lengths) <= slack).all(), file.name


@pytest.mark.long
@pytest.mark.parametrize("name", SEARCHES)
def test_all_published_lengths(movingai, name):
    for file in scenario_files(movingai):
        if name == "hub_labels" and file.parent.name == "random":
            continue  # a corner at every third cell: minutes of preparation
        grid, starts, goals, lengths, slack = scenario_rows(file, None)
        off = np.abs(made(name, grid).find_many(starts, goals).cost - lengths) > slack
        assert not off.any(), f"{file.name} rows {np.flatnonzero(off)[:5]}"


@pytest.mark.parametrize(("name", "corners"), JUMPS)
def test_one_call_or_many_give_equal_results(name, corners):
    rng = np.random.default_rng(8)
    function, make, _ = SEARCHES[name]
    for _ in range(5):
        grid = random_grid(rng, 40)
        starts, goals = rng.integers(0, grid.cost.size, (2, 15))
        search = make(grid, corners=corners)
        batch = search.find_many(starts, goals)
        for i, (start, goal) in enumerate(zip(starts.tolist(), goals.tolist(), strict=True)):
            alone = function(grid, start, goal, corners=corners)
            for again in (batch[i], search.find(start, goal), search.find(start, goal, traced=True)):
                assert (again.status, again.reason, again.stats) == (alone.status, alone.reason, alone.stats)
                if alone.value:
                    assert again.value.vertices.tolist() == alone.value.vertices.tolist()


@pytest.mark.parametrize("name", ["jps", "jps_plus"])
def test_a_base_that_is_used_up_is_renewed(name):
    grid = random_grid(np.random.default_rng(5), 40)
    search, fresh = made(name, grid), made(name, grid)
    starts, goals = np.random.default_rng(6).integers(0, grid.cost.size, (2, 30))
    base = search.tables[-3]
    assert base.tolist() == [UNSEEN]
    wanted = fresh.find_many(starts, goals)
    base[0] = 5 * (UNSEEN - fresh.tables[-3][0]) // int(np.isfinite(wanted.cost).sum() or 1)
    search.tables[-4][:] = base[0]
    batch = search.find_many(starts, goals)
    assert np.array_equal(batch.rows, wanted.rows)
    assert np.array_equal(batch.vertices, wanted.vertices)


def test_a_queue_that_is_too_short_grows():
    grid = Grid.from_free(np.random.default_rng(5).random((60, 60)) >= 0.2)
    search = JPS(grid)
    start, goal = (int(np.flatnonzero(grid.free.reshape(-1))[i]) for i in (0, -1))
    wanted = search.find(start, goal)
    assert wanted
    *rest, found, heap = search.tables
    search.tables = (*rest, found, heap[: len(found)].copy())
    assert search.find(start, goal).value.vertices.tolist() == wanted.value.vertices.tolist()


@pytest.mark.parametrize("name", ["jps", "jps_plus"])
def test_limit_counts_expansions_and_leaves_a_bound(name):
    grid = random_grid(np.random.default_rng(17), 60)
    free = np.flatnonzero(grid.free.reshape(-1))
    search = made(name, grid)
    best = next(r for s in free for r in [search.find(int(s), int(free[-1]))] if r and r.stats["expanded"] > 20)
    start, goal = (int(v) for v in best.value.vertices[[0, -1]])
    bounds = []
    for limit in range(1, int(best.stats["expanded"])):
        result = search.find(start, goal, limit=limit)
        assert (result.status, result.value, result.stats["expanded"]) == (Status.LIMIT, None, limit)
        bounds.append(result.bound)
    assert max(bounds) <= best.value.cost
    assert bounds[0] > 0
    assert search.find(start, goal, limit=int(best.stats["expanded"])).value.cost == best.value.cost


@pytest.mark.parametrize(("name", "corners"), [rule for rule in JUMPS if rule[0] != "hub_labels"])
def test_the_trace_tells_the_search(name, corners):
    grid = random_grid(np.random.default_rng(21), 30)
    free = np.flatnonzero(grid.free.reshape(-1))
    start, goal = int(free[0]), int(free[-1])
    result = made(name, grid, corners).find(start, goal, traced=True)
    trace, events = result.trace, result.trace.event.tolist()
    assert events.count(TraceEvent.EXPAND.value) == result.stats["expanded"]
    assert len(events) == result.stats["expanded"] + result.stats["generated"]
    assert (trace.vertex[0], trace.parent[0], trace.g[0]) == (start, -1, 0)
    distances = all_distances(grid, np.arange(grid.cost.size), 8, corners)
    assert (trace.h <= distances[trace.vertex, goal] + 1e-9).all()
    assert (trace.g >= distances[start, trace.vertex] - 1e-9).all()
    g = {}
    for event, vertex, parent, cost in zip(events, trace.vertex.tolist(), trace.parent, trace.g, strict=True):
        if event == TraceEvent.EXPAND.value:
            assert g[vertex] == (parent, cost)
        else:
            assert (vertex in g) == (event == TraceEvent.UPDATE.value)
            assert parent < 0 or cost == pytest.approx(g[int(parent)][1] + distances[int(parent), vertex])
            g[vertex] = parent, cost


def test_no_way_says_why_and_where_it_is_nearest():
    grid = Grid.from_text("""
        ..#..
        ..#..
        ..###
    """)
    for name, corners in JUMPS:
        for start, goal in ((2, 0), (0, 13), (0, 9), (3, 0)):
            result, wanted = made(name, grid, corners).find(start, goal), astar(grid, start, goal, corners=corners)
            assert (result.status, result.reason) == (wanted.status, wanted.reason)
            assert result.stats.get("nearest") == wanted.stats.get("nearest")


@pytest.mark.parametrize("name", SEARCHES)
def test_what_is_no_map_for_it_is_refused(name):
    (search, _, rules), called = SEARCHES[name], name.replace("_", "-")
    grid = Grid.from_text("..\n..")
    with pytest.raises(InputError, match=f"{called} needs a map without prices; found a cell at the price 3; .*astar"):
        search(Grid.from_text("1.\n3."), 0, 1)
    with pytest.raises(InputError, match=f"{called} walks in eight directions; found 4; expected neighbours=8"):
        search(grid, 0, 1, neighbours=4)
    with pytest.raises(InputError, match=f"{called} needs a map of cells; found a Graph"):
        search(Graph.from_arcs([[0, 0], [1, 1]], [0], [1], [2]), 0, 1)
    for corners in set(RULES) - set(rules):
        with pytest.raises(InputError, match=f"{called} does not know this corner rule; found '{corners}'"):
            search(grid, 0, 1, corners=corners)
    with pytest.raises(InputError, match="unknown corner rule"):
        search(grid, 0, 1, corners="round")
    with pytest.raises(InputError, match="the goal is outside the map; found vertex 4; expected vertices 0 to 3"):
        search(grid, 0, 4)
    with pytest.raises(InputError, match="limit of expansions; found -1"):
        search(grid, 0, 1, limit=-1)
    with pytest.raises(InputError, match="number of goals; found 1; expected 2"):
        made(name, grid).find_many([0, 1], [2])
    with pytest.raises(InputError, match="start must be whole numbers"):
        search(grid, math.nan, 1)
    with pytest.raises(InputError, match="nothing that can be searched"):
        search(None, 0, 1)
    assert len(made(name, grid).find_many([], [])) == 0


REPEATABLE = """
import hashlib, sys
import numpy as np
from anabasis import Grid
from anabasis.search.hub_labels import HubLabels
from anabasis.search.jps import JPS
from anabasis.search.jps_plus import JPSPlus

rng, digest = np.random.default_rng(3), hashlib.sha256()
for k in range(5):
    grid = Grid.from_free(rng.random((12, 70 if k == 0 else 13)) > 0.25)
    starts, goals = rng.integers(0, grid.cost.size, (2, 12))
    for make in (JPS, JPSPlus, HubLabels):
        for corners in ("strict",) if make is HubLabels else ("strict", "loose"):
            search = make(grid, corners=corners)
            batch = search.find_many(starts, goals)
            digest.update(batch.rows.tobytes() + batch.vertices.tobytes())
            trace = search.find(int(starts[0]), int(goals[0]), traced=True).trace
            if trace:
                digest.update(trace.vertex.tobytes() + trace.g.tobytes() + trace.h.tobytes())
print(digest.hexdigest())
"""


def test_the_same_bytes_in_every_process_and_without_the_compiler():
    def run(**variables):
        command = [sys.executable, "-W", "error", "-c", REPEATABLE]
        done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run(PYTHONHASHSEED="0") == run(PYTHONHASHSEED="7") == run(NUMBA_DISABLE_JIT="1")
