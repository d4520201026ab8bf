import inspect
import math
import os
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_oracle import all_distances, arcs_of, random_graph, random_grid, walked

from anabasis import Graph, Grid, InputError, Status
from anabasis.graph import METRICS
from anabasis.io.movingai import load_map, load_scen
from anabasis.result import TraceEvent
from anabasis.search.astar import AStar, astar
from anabasis.search.breadth_first import breadth_first
from anabasis.search.dijkstra import dijkstra
from anabasis.search.greedy import greedy
from anabasis.search.lattice import SIDE, SLANT

RULES = [(8, "strict"), (8, "loose"), (8, "none"), (4, "strict")]


def check_batch(space, rng, sources, goals, neighbours, corners, metric=None):
    """Random queries on one space: reachability and cost as SciPy's, every tenth path walked."""
    n = space.size if isinstance(space, Graph) else space.width * space.height
    start = rng.integers(0, n, sources)
    goal = rng.integers(0, n, sources * goals)
    wanted = all_distances(space, start, neighbours, corners)[np.repeat(np.arange(sources), goals), goal]
    batch = AStar(space, neighbours=neighbours, corners=corners, metric=metric).find_many(np.repeat(start, goals), goal)
    assert np.array_equal(np.isinf(batch.cost), np.isinf(wanted))
    found = np.isfinite(wanted)
    np.testing.assert_allclose(batch.cost[found], wanted[found], rtol=1e-11, atol=1e-9)
    for i in range(0, len(batch), 10):
        result = batch[i]
        if result.value:
            ends = result.value.vertices[[0, -1]].tolist()
            assert ends == [np.repeat(start, goals)[i], goal[i]]
            assert result.bound == result.value.cost
            assert walked(space, result.value.vertices, neighbours, corners) == pytest.approx(result.value.cost)
    return len(batch)


@pytest.mark.parametrize(("neighbours", "corners"), RULES)
@pytest.mark.parametrize("weighted", [False, True])
def test_cost_equals_scipy(neighbours, corners, weighted):
    rng = np.random.default_rng(10 * neighbours + weighted)
    for _ in range(12):
        grid = random_grid(rng, 64, weighted)
        for metric in (None, "zero", "euclidean", "chebyshev"):
            check_batch(grid, rng, 3, 10, neighbours, corners, metric)


@pytest.mark.long
def test_cost_equals_scipy_in_100_000_queries():
    rng, queries = np.random.default_rng(77), 0
    while queries < 100_000:
        neighbours, corners = RULES[int(rng.integers(4))]
        metric = (None, "zero", "euclidean", "chebyshev")[int(rng.integers(4))]
        queries += check_batch(random_grid(rng, 64, bool(rng.integers(2))), rng, 10, 25, neighbours, corners, metric)
        queries += check_batch(random_graph(rng), rng, 5, 10, 8, "strict")


def test_cost_on_graphs_equals_networkx():
    rng = np.random.default_rng(5)
    for k in range(60):
        graph = random_graph(rng)
        if k % 3 == 0:  # weights of zero, and no estimate
            graph = Graph(graph.indptr, graph.indices, np.floor(graph.weights / 8), graph.points, "zero")
        network = nx.MultiDiGraph()
        network.add_nodes_from(range(graph.size))
        network.add_weighted_edges_from(zip(*(a.tolist() for a in arcs_of(graph)), strict=True))
        start = int(rng.integers(graph.size))
        wanted = nx.single_source_dijkstra_path_length(network, start)
        search = AStar(graph)
        for goal in range(graph.size):
            result = search.find(start, goal)
            assert bool(result) == (goal in wanted)
            if result.value:
                assert result.value.cost == pytest.approx(wanted[goal], abs=1e-9)
                assert walked(graph, result.value.vertices) == pytest.approx(result.value.cost, abs=1e-9)


def test_published_lengths_of_moving_ai(movingai):
    for file in sorted(movingai.glob("*/*.map.scen")):
        if file.parent.name in ("mapf", "wc3maps512"):  # no lengths; lengths under other rules
            continue
        grid, scen = load_map(str(file).removesuffix(".scen")), load_scen(file)
        rows = np.linspace(0, scen.size - 1, 20).astype(int)
        starts, goals = scen.start_y * grid.width + scen.start_x, scen.goal_y * grid.width + scen.goal_x
        batch = AStar(grid).find_many(starts[rows], goals[rows])
        for cost, i in zip(batch.cost.tolist(), rows.tolist(), strict=True):
            slack = 0.02 if scen.decimals[i] < 3 else 10.0 ** -int(scen.decimals[i]) + 2e-6 * cost
            assert abs(cost - scen.length[i]) <= slack, f"{file.name} line {scen.line[i]}"


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(RULES))
def test_mirrored_rotated_and_turned_round(seed, rule):
    rng = np.random.default_rng(seed)
    neighbours, corners = rule
    free = random_grid(rng, 20).free
    height, width = free.shape
    numbers = np.arange(height * width).reshape(height, width)
    start, goal = (int(v) for v in rng.integers(0, height * width, 2))

    def cost(turn, start, goal):
        place = {int(v): i for i, v in enumerate(turn(numbers).reshape(-1).tolist())}
        result = astar(Grid.from_free(turn(free)), place[start], place[goal], neighbours=neighbours, corners=corners)
        return result.value.cost if result.value else math.inf

    plain = cost(lambda a: a, start, goal)
    assert plain == cost(lambda a: a, goal, start)
    assert plain == cost(np.fliplr, start, goal)
    assert plain == cost(np.flipud, start, goal)
    assert plain == cost(np.transpose, start, goal)
    assert plain == cost(np.rot90, start, goal)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(RULES))
def test_a_wall_more_never_shortens_the_way(seed, rule):
    rng = np.random.default_rng(seed)
    free = random_grid(rng, 20).free.copy()
    start, goal = (int(v) for v in rng.integers(0, free.size, 2))
    costs = []
    for _ in range(4):
        result = astar(Grid.from_free(free), start, goal, neighbours=rule[0], corners=rule[1])
        costs.append(result.value.cost if result.value else math.inf)
        free.reshape(-1)[rng.integers(0, free.size)] = False
    assert costs == sorted(costs)


def test_both_kernels_find_equal_costs_and_one_call_or_many_give_equal_results():
    rng = np.random.default_rng(8)
    for _ in range(10):
        grid = random_grid(rng, 40)
        n = grid.width * grid.height
        starts, goals = rng.integers(0, n, (2, 40))
        search, other = AStar(grid), AStar(grid, metric="euclidean")
        batch = search.find_many(starts, goals)
        for i, (start, goal) in enumerate(zip(starts.tolist(), goals.tolist(), strict=True)):
            alone = astar(grid, start, goal)
            for again in (batch[i], search.find(start, goal), search.find(start, goal, traced=True)):
                assert again.status is alone.status
                assert again.stats == alone.stats
                assert again.reason == alone.reason
                if alone.value:
                    assert again.value.vertices.tolist() == alone.value.vertices.tolist()
                    assert again.value.cost == alone.value.cost
            general = other.find(start, goal)
            assert (general.value and general.value.cost) == (alone.value and alone.value.cost)


def test_a_batch_is_a_sequence():
    batch = AStar(Grid.from_text("....")).find_many([0, 0, 0], [1, 2, 3])
    assert [result.value.cost for result in batch if result.value] == [1, 2, 3]
    last = batch[-1]
    assert last.value is not None and last.value.vertices.tolist() == [0, 1, 2, 3]
    for wrong in (3, -4):
        with pytest.raises(IndexError):
            batch[wrong]


def test_a_weight_bounds_the_cost():
    rng = np.random.default_rng(9)
    for weighted in (False, True) * 10:
        grid = random_grid(rng, 40, weighted)
        start, goal = (int(v) for v in rng.integers(0, grid.width * grid.height, 2))
        best = astar(grid, start, goal)
        for weight in (1.0, 1.5, 5.0):
            result = astar(grid, start, goal, weight=weight)
            assert result.status is best.status
            if best.value:
                assert best.value.cost - 1e-9 <= result.value.cost <= weight * best.value.cost + 1e-9
                assert result.value.cost / weight - 1e-9 <= result.bound <= best.value.cost + 1e-9


def test_every_metric_finds_a_way_and_claims_no_more_than_is_true():
    rng = np.random.default_rng(11)
    for _ in range(20):
        grid = random_grid(rng, 30)
        start, goal = (int(v) for v in rng.integers(0, grid.width * grid.height, 2))
        best = astar(grid, start, goal)
        for metric in METRICS:
            result = astar(grid, start, goal, metric=metric)
            assert result.status is best.status
            if best.value:
                assert result.value.cost >= best.value.cost - 1e-9
                assert result.bound <= best.value.cost + 1e-9
                if metric != "manhattan":
                    assert result.value.cost == best.value.cost == result.bound


def test_manhattan_with_eight_neighbours_may_be_longer_and_says_so():
    grid = Grid.from_text("""
        ..........
        .########.
        ........#.
        .......##.
        ..........
    """)
    for start in range(50):
        for goal in range(50):
            result, best = astar(grid, start, goal, metric="manhattan"), astar(grid, start, goal)
            if result.value and result.value.cost > best.value.cost:
                assert result.bound < result.value.cost
                return
    pytest.fail("no such pair on the map")


def test_steps_and_cost_are_counted():
    result = astar(Grid.from_text(".....\n.###.\n....."), 0, 14)
    assert (result.stats["straight"], result.stats["diagonal"]) == (6, 0)
    assert result.value.cost == 6
    result = astar(Grid.from_text("....\n....\n...."), 0, 11)
    assert (result.stats["straight"], result.stats["diagonal"]) == (1, 2)
    assert result.value.cost == 1 + 2 * math.sqrt(2)
    assert result.value.points[0].tolist() == [0.5, 0.5]


def test_a_way_of_no_step():
    for space in (Grid.from_text("..\n.."), Grid.from_text("12"), Graph.from_arcs([[0, 0], [1, 1]], [0], [1], [2])):
        result = astar(space, 1, 1)
        assert result.value.vertices.tolist() == [1]
        assert result.value.cost == result.bound == 0


def test_no_way_says_why_and_where_it_is_nearest():
    grid = Grid.from_text("""
        ..#..
        ..#..
        ..###
    """)
    blocked = astar(grid, grid.vertex(2, 0), 0)
    assert (blocked.status, blocked.reason) == (Status.NO_SOLUTION, "the start, x=2 (column), y=0 (row), is blocked")
    assert "nearest_x" not in blocked.stats
    wall = astar(grid, 0, grid.vertex(3, 2))
    assert wall.reason == "the goal, x=3 (column), y=2 (row), is blocked"
    assert (wall.stats["nearest_x"], wall.stats["nearest_y"]) == (1, 2)
    apart = astar(grid, 0, grid.vertex(4, 1))
    assert apart.reason == "the goal, x=4 (column), y=1 (row), is not connected to the start, x=0 (column), y=0 (row)"
    assert (apart.stats["nearest_x"], apart.stats["nearest_y"]) == (1, 1)
    assert not apart
    one_way = astar(Graph.from_arcs([[0, 0], [3, 4]], [0], [1], [5]), 1, 0)
    assert one_way.reason == "the goal, vertex 0, is not connected to the start, vertex 1"
    assert (one_way.stats["nearest"], one_way.stats["nearest_x"], one_way.stats["nearest_y"]) == (1, 3, 4)


def test_nearest_is_the_same_from_both_kernels_and_right():
    rng = np.random.default_rng(12)
    seen = 0
    for _ in range(40):
        grid = random_grid(rng, 15)
        start, goal = (int(v) for v in rng.integers(0, grid.width * grid.height, 2))
        result = astar(grid, start, goal)
        if result or "nearest" not in result.stats:
            continue
        reached = np.flatnonzero(np.isfinite(all_distances(grid, [start])[0]))
        away = ((grid.centres(reached) - grid.centres([goal])) ** 2).sum(axis=1)
        assert result.stats["nearest"] == reached[away.argmin()]
        assert astar(grid, start, goal, metric="euclidean").stats["nearest"] == result.stats["nearest"]
        seen += 1
    assert seen > 5


def test_limit_counts_expansions_and_leaves_a_bound():
    grid = Grid.from_text("""
        .......
        .#####.
        ......#
        ......#
    """)
    start, goal = grid.vertex(0, 0), grid.vertex(6, 1)
    for metric in (None, "euclidean"):
        best = astar(grid, start, goal, metric=metric)
        needed = int(best.stats["expanded"])
        bounds = []
        for limit in range(1, needed):
            result = astar(grid, start, goal, limit=limit, metric=metric)
            assert result.status is Status.LIMIT
            assert result.value is None
            assert result.stats["expanded"] == limit
            assert result.reason == f"gave up after {limit} expansions"
            bounds.append(result.bound)
        assert bounds == sorted(bounds)
        assert bounds[0] >= 5
        assert bounds[-1] <= best.value.cost
        assert astar(grid, start, goal, limit=needed, metric=metric).value.cost == best.value.cost


@pytest.mark.parametrize("metric", [None, "euclidean"])
def test_the_trace_tells_the_search(metric):
    grid = random_grid(np.random.default_rng(21), 30)
    free = np.flatnonzero(grid.free.reshape(-1))
    start, goal = int(free[0]), int(free[-1])
    result = astar(grid, start, goal, metric=metric, traced=True)
    trace = result.trace
    events = trace.event.tolist()
    assert events.count(TraceEvent.EXPAND.value) == result.stats["expanded"]
    assert len(events) == result.stats["expanded"] + result.stats["generated"]
    assert (trace.vertex[0], trace.parent[0], trace.g[0]) == (start, -1, 0)
    left = all_distances(grid, np.arange(grid.cost.size))[:, goal]
    assert (trace.h <= left[trace.vertex] + 1e-9).all()
    g = {}
    for event, vertex, parent, cost in zip(events, trace.vertex.tolist(), trace.parent, trace.g, strict=True):
        if event == TraceEvent.GENERATE.value:
            assert vertex not in g
        elif event == TraceEvent.UPDATE.value:
            assert cost < g[vertex]
        else:
            assert cost == g[vertex]
        g[vertex] = cost
        assert parent == -1 or parent in g
    assert astar(grid, start, goal, metric=metric).trace is None


def test_memory_that_grows_and_bases_that_run_out_change_nothing():
    rng = np.random.default_rng(13)
    grid = random_grid(rng, 60)
    n = grid.width * grid.height
    starts, goals = rng.integers(0, n, (2, 60))
    wanted = AStar(grid).find_many(starts, goals)
    small = AStar(grid)
    small._memory.pool = np.empty(8, np.int64)
    small._memory.base[0] = 3 * small._memory.span
    got = small.find_many(starts, goals)
    assert np.array_equal(got.rows, wanted.rows)
    assert np.array_equal(got.vertices, wanted.vertices)


def test_whole_numbers_order_lengths_as_they_are():
    assert SLANT**2 - 2 * SIDE**2 == -1  # Pell: the best fraction below √2 for its size
    assert SIDE > 2**26


def test_wrong_input():
    grid = Grid.from_text("...\n...")
    with pytest.raises(InputError, match="the goal is outside the map; found vertex 6; expected vertices 0 to 5"):
        astar(grid, 0, 6)
    with pytest.raises(InputError, match="the start is outside the map; found vertex -1"):
        astar(grid, -1, 0)
    with pytest.raises(InputError, match="the goal is outside the graph; found vertex 1; expected vertices 0 to 0"):
        astar(Graph.from_arcs([[0, 0]], [], [], []), 0, 1)
    with pytest.raises(InputError, match="unknown metric; found 'taxi'; expected zero or manhattan"):
        astar(grid, 0, 1, metric="taxi")
    with pytest.raises(InputError, match=r"weight of the estimate; found 0\.5; expected 1 to 1e[+]06"):
        astar(grid, 0, 1, weight=0.5)
    with pytest.raises(InputError, match="weight of the estimate; found nan"):
        astar(grid, 0, 1, weight=math.nan)
    with pytest.raises(InputError, match="limit of expansions; found -1; expected a count"):
        astar(grid, 0, 1, limit=-1)
    with pytest.raises(InputError, match="number of goals; found 1; expected 2, one for each start"):
        AStar(grid).find_many([0, 1], [2])


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"weight": None}, "weight of the estimate; found None"),
        ({"weight": "2"}, "weight of the estimate; found 2"),
        ({"weight": math.inf}, "weight of the estimate; found inf"),
        ({"limit": 1.5}, "limit of expansions must be whole numbers"),
        ({"limit": math.nan}, "limit of expansions must be whole numbers"),
        ({"limit": None}, "limit of expansions must be numbers"),
        ({"limit": [1]}, "limit of expansions has the wrong shape"),
        ({"metric": 3}, "unknown metric; found 3"),
        ({"start": 0.5}, "start must be whole numbers"),
        ({"start": math.nan}, "start must be whole numbers"),
        ({"goal": None}, "goal must be numbers"),
        ({"goal": (0, 1)}, r"goal has the wrong shape; found \[0, 1\]; expected the number of a cell"),
        ({"space": None}, "nothing that can be searched; found NoneType; expected a Grid or a Graph"),
        ({"space": np.ones((2, 2))}, "nothing that can be searched; found ndarray"),
    ],
)
def test_odd_values_are_refused_by_every_search(options, text):
    for search in (astar, dijkstra, greedy, breadth_first):
        if options.keys() <= set(inspect.signature(search).parameters):
            with pytest.raises(InputError, match=text):
                search(**{"space": Grid.from_text("..."), "start": 0, "goal": 2, **options})


def test_an_empty_batch():
    assert len(AStar(Grid.from_text("..")).find_many([], [])) == 0
    assert len(AStar(Grid.from_text("12")).find_many([], [])) == 0


def test_the_walker_of_these_tests_refuses_bad_paths():
    grid = Grid.from_text("..\n.#")
    with pytest.raises(AssertionError, match="forbidden step"):
        walked(grid, np.array([1, 2]))
    with pytest.raises(AssertionError, match="forbidden step"):
        walked(grid, np.array([0, 3]), corners="none")
    with pytest.raises(AssertionError, match="jump"):
        walked(Grid.from_text("..."), np.array([0, 2]))
    with pytest.raises(AssertionError, match="no arc"):
        walked(Graph.from_arcs([[0, 0], [1, 1]], [0], [1], [2]), np.array([1, 0]))


REPEATABLE = """
import hashlib, sys
import numpy as np
from anabasis import Graph, Grid
from anabasis.search.astar import AStar
from anabasis.search.dijkstra import dijkstra, distances
from anabasis.search.greedy import greedy

rng, digest = np.random.default_rng(3), hashlib.sha256()
for k in range(6):
    grid = Grid.from_free(rng.random((12, 13)) > 0.3)
    priced = Grid(np.where(grid.free, 1 + rng.integers(0, 3, grid.cost.shape), np.inf), grid.terrain)
    graph = Graph.from_arcs(rng.random((20, 2)), *rng.integers(0, 20, (2, 60)), 2 + rng.random(60))
    for space in (grid, priced, graph):
        n = 20 if space is graph else 156
        starts, goals = rng.integers(0, n, (2, 10))
        batch = AStar(space).find_many(starts, goals)
        digest.update(batch.rows.tobytes() + batch.vertices.tobytes())
        digest.update(b"".join(a.tobytes() for a in distances(space, starts)))
        for search in (dijkstra, greedy):
            result = search(space, int(starts[0]), int(goals[0]), traced=True)
            digest.update(repr((result.status, result.bound, sorted(result.stats.items()))).encode())
            if result.trace:
                digest.update(result.trace.vertex.tobytes() + result.trace.g.tobytes() + result.trace.h.tobytes())
print(digest.hexdigest())
"""


def test_the_same_bytes_in_every_process_and_without_the_compiler():
    def run(**variables):
        command = [sys.executable, "-W", "error", "-c", REPEATABLE]
        done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run(PYTHONHASHSEED="0") == run(PYTHONHASHSEED="7") == run(NUMBA_DISABLE_JIT="1")
