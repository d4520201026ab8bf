"""Theta*, Lazy Theta*, angle-propagating Theta* and A* PS: valid, as short as published, complete."""

import sys
from itertools import pairwise
from pathlib import Path as FilePath

import networkx as nx
import numpy as np
import pytest
from lattice_oracle import free_cells, seen
from search_oracle import random_grid

from anabasis.decompose.lattices import hexagonal_lattice, square_lattice
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.metrics.paths import path_faults
from anabasis.metrics.polylines import world_faults
from anabasis.noun import state_hash
from anabasis.result import Status, TraceEvent
from anabasis.search.anya import Anya
from anabasis.search.ap_theta import APTheta, ap_theta
from anabasis.search.astar import AStar, astar
from anabasis.search.astar_ps import AStarPS, astar_ps
from anabasis.search.dijkstra import dijkstra
from anabasis.search.lazy_theta import LazyTheta, lazy_theta
from anabasis.search.theta import ThetaStar, theta
from anabasis.world import World

sys.path.insert(0, str(FilePath(__file__).parents[2] / "benchmarks"))
import maps

SEARCHES = [theta, lazy_theta, ap_theta, astar_ps]
CLASSES = [ThetaStar, LazyTheta, APTheta, AStarPS]
ON_GRAPHS = [theta, lazy_theta, astar_ps]
RULES = [(n, c) for n in (4, 8) for c in ("strict", "loose", "none")]
EMPTY = World.of((0, 0, 450, 300), [])
# Kind, edge, offset of the goal, lengths of A* and of the straight line: published experiment 1.
FIRST = [
    ("square4", 2, (428, 278), 706.0, 510.4),
    ("square4", 6, (420, 270), 690.0, 499.3),
    ("square4", 10, (420, 270), 690.0, 499.3),
    ("square8", 2, (444, 294), 565.8, 532.5),
    ("square8", 6, (432, 282), 548.8, 515.9),
    ("square8", 10, (440, 290), 560.1, 526.97),
    ("hexagonal", 2, (441, 292.7), 547.3, 529.3),
    ("hexagonal", 6, (432, 291.0), 540.4, 520.9),
    ("hexagonal", 10, (420, 277.1), 519.6, 503.2),
]


def lattice(kind, world, edge):
    if kind == "hexagonal":
        return hexagonal_lattice(world, edge=edge)
    return square_lattice(world, edge=edge, neighbours=int(kind[-1]))


def rectangles(seed, count=14):
    """A stand-in for the lost map of experiments 2 and 3: axis-aligned obstacles in 450 × 300."""
    rng = np.random.default_rng(seed)
    rings = []
    while len(rings) < count:
        w, h = rng.integers(2, 11, 2) * 10
        x, y = rng.integers(2, 44 - w // 10) * 10, rng.integers(2, 29 - h // 10) * 10
        if all(x >= b[2] + 20 or b[0] >= x + w + 20 or y >= b[3] + 20 or b[1] >= y + h + 20 for b in rings):
            rings.append((x, y, x + w, y + h))
    return World.of((0, 0, 450, 300), [[(a, b), (c, b), (c, d), (a, d)] for a, b, c, d in rings])


def askew(rng, count=10):
    """Squares at any angle in 100 × 100 that don't touch."""
    rings, discs = [], []
    while len(rings) < count:
        x, y, r, turn = rng.uniform(15, 85), rng.uniform(15, 85), rng.uniform(2, 9), rng.uniform(0, 7)
        if all(np.hypot(x - a, y - b) > r + c + 1 for a, b, c in discs):
            discs.append((x, y, r))
            rings.append(
                [(x + r * np.cos(turn + k * np.pi / 2), y + r * np.sin(turn + k * np.pi / 2)) for k in range(4)]
            )
    return World.of((0, 0, 100, 100), rings)


def near(graph, point):
    return int(((graph.points - point) ** 2).sum(axis=1).argmin())


@pytest.mark.parametrize("make", CLASSES)
def test_paths_on_grids_are_valid_and_found_when_there_is_one(make):
    rng, solved = np.random.default_rng(3), 0
    for number in range(60):
        grid = random_grid(rng, 20, weighted=number % 3 == 2)
        for neighbours, corners in RULES:
            search = make(grid, neighbours=neighbours, corners=corners)
            start, goal = rng.integers(grid.cost.size, size=2).tolist()
            result = search.find(start, goal)
            plain = dijkstra(grid, start, goal, neighbours=neighbours, corners=corners)
            assert result.status is plain.status
            assert result.reason == plain.reason
            if result.status is Status.SOLVED:
                path = result.value
                assert path_faults(grid, path, start=start, goal=goal, corners=corners) == []
                assert not path.vertices.size
                assert result.bound <= path.cost
                solved += 1
            else:
                assert {k: v for k, v in result.stats.items() if "nearest" in k} == {
                    k: v for k, v in plain.stats.items() if "nearest" in k
                }
    assert solved > 100


@pytest.mark.long
@pytest.mark.parametrize("corners", ["strict", "loose", "none"])
def test_what_angles_promise_is_seen(corners):
    rng, segments = np.random.default_rng(11), 0
    for _ in range(3000):
        grid = random_grid(rng, 30)
        search = APTheta(grid, neighbours=int(rng.choice([4, 8])), corners=corners)
        for _ in range(10):
            start, goal = rng.integers(grid.cost.size, size=2).tolist()
            result = search.find(start, goal)
            if result:
                assert path_faults(grid, result.value, start=start, goal=goal, corners=corners) == []
                segments += len(result.value.points) - 1
    assert segments > 20_000


def test_no_path_is_shorter_than_the_shortest_of_any_angle():
    rng = np.random.default_rng(5)
    for _ in range(60):
        grid = random_grid(rng, 24)
        best = Anya(grid)
        for search in [make(grid, corners="loose") for make in CLASSES]:
            start, goal = rng.integers(grid.cost.size, size=2).tolist()
            result, shortest = search.find(start, goal), best.find(start, goal)
            assert result.status is shortest.status
            if result:
                assert result.value.cost >= shortest.value.cost * (1 - 1e-12)


@pytest.mark.parametrize(("neighbours", "least"), [(4, 0.9), (8, 0.9)])
def test_theta_is_mostly_no_longer_than_smoothed_astar_and_that_never_than_astar(neighbours, least):
    ordered, exceptions = [], 0
    for number, share in enumerate((0.05, 0.1, 0.2, 0.3)):
        grid = maps.random_obstacles(80, number, share)
        searches = [make(grid, neighbours=neighbours) for make in (ThetaStar, AStarPS, AStar)]
        for start, goal in maps.queries(grid, 60, number):
            a, b, c = (search.find(start, goal).value.cost for search in searches)
            assert b <= c * (1 + 1e-12)
            ordered.append(a <= b * (1 + 1e-12))
            exceptions += a > b * (1 + 1e-12)
    assert np.mean(ordered) >= least
    assert exceptions > 0, "published: in two rows of 26 the smoothed path is the shorter one"


@pytest.mark.parametrize(("kind", "edge", "offset", "length", "straight"), FIRST)
def test_lengths_in_the_empty_map_as_published(kind, edge, offset, length, straight):
    graph = lattice(kind, EMPTY, edge)
    starts = np.flatnonzero((graph.points[:, 0] > offset[0]) & (graph.points[:, 1] < 300 - offset[1]))
    pairs = [(int(s), near(graph, graph.points[s] + (-offset[0], offset[1]))) for s in starts.tolist()]
    pairs = [
        (s, g) for s, g in pairs if np.abs(graph.points[g] - graph.points[s] - (-offset[0], offset[1])).max() < 0.1
    ]
    start, goal = pairs[0]
    assert astar(graph, start, goal).value.cost == pytest.approx(length, abs=0.1)
    for search in ON_GRAPHS:
        result = search(graph, start, goal, world=EMPTY)
        assert result.value.cost == pytest.approx(straight, abs=0.1)
        assert len(result.value.points) == 2
        assert result.bound == pytest.approx(result.value.cost, rel=1e-12)


@pytest.mark.parametrize("kind", ["square4", "square8", "hexagonal"])
def test_paths_in_worlds_are_valid(kind):
    rng = np.random.default_rng(4)
    count = 0
    for world in [*map(rectangles, range(3)), *(askew(rng) for _ in range(4))]:
        edge = 10 if world.bounds[2] > 100 else 3
        graph = lattice(kind, world, edge)
        for _ in range(6):
            start, goal = rng.integers(graph.size, size=2).tolist()
            plain = astar(graph, start, goal)
            costs = []
            for search in ON_GRAPHS:
                result = search(graph, start, goal, world=world)
                assert result.status is plain.status
                if result:
                    ends = {"start": graph.points[start], "goal": graph.points[goal]}
                    assert world_faults(world, result.value, **ends) == []
                    assert result.value.cost <= plain.value.cost * (1 + 1e-12)
                    costs.append(result.value.cost)
            count += len(costs)
    assert count > 60


def test_findings_of_the_published_experiments():
    expanded = {}
    for kind in ("square4", "square8"):
        graph = lattice(kind, EMPTY, 2)
        start, goal = near(graph, (449, 1)), near(graph, (1, 299))
        by_lines, by_steps = theta(graph, start, goal, world=EMPTY), astar(graph, start, goal, metric="euclidean")
        expanded[kind] = by_steps.stats["expanded"] / by_lines.stats["expanded"]
        assert lazy_theta(graph, start, goal, world=EMPTY).stats["sight"] <= by_lines.stats["sight"]
    assert min(expanded.values()) > 3, "where nothing is in the way, Theta* looks at several times fewer states"


def test_a_grid_and_its_graph_give_the_same_paths():
    rng = np.random.default_rng(8)
    from anabasis.decompose.outline import grid_world

    for _ in range(12):
        grid = random_grid(rng, 14)
        world = grid_world(grid)
        free = np.flatnonzero(grid.free)
        if free.size < 2:
            continue
        graph = square_lattice(world, edge=1, corners="loose")
        start, goal = rng.integers(free.size, size=2).tolist()
        for search in (theta, lazy_theta):
            on_grid = search(grid, int(free[start]), int(free[goal]), corners="loose")
            on_graph = search(graph, start, goal, world=world)
            assert on_grid.status is on_graph.status
            if on_grid:
                assert on_graph.value.cost == pytest.approx(on_grid.value.cost, rel=0.05)


def test_sight_is_what_brute_force_sees():
    rng = np.random.default_rng(9)
    for _ in range(20):
        grid = random_grid(rng, 9)
        free = free_cells(grid)
        for _ in range(5):
            start, goal = rng.integers(grid.cost.size, size=2).tolist()
            for search in SEARCHES:
                result = search(grid, start, goal, corners="loose")
                if result:
                    points = result.value.points.tolist()
                    assert all(seen(free, a, b) for a, b in pairwise(points))


@pytest.mark.parametrize("search", SEARCHES)
def test_a_trace_tells_what_was_done_and_changes_nothing(search):
    grid = maps.random_obstacles(30, 2, 0.25)
    (start, goal), *_ = maps.queries(grid, 1, 4)
    plain, traced = search(grid, start, goal), search(grid, start, goal, traced=True)
    assert state_hash(plain.value) == state_hash(traced.value)
    assert plain.stats == traced.stats
    assert plain.trace is None
    trace = traced.trace
    assert (trace.event == TraceEvent.EXPAND.value).sum() == plain.stats["expanded"]
    if search is not astar_ps:
        made = np.isin(trace.event, (TraceEvent.GENERATE.value, TraceEvent.UPDATE.value)).sum()
        assert made == plain.stats["generated"]
        on = trace.event == TraceEvent.EXPAND.value
        xs, ys = trace.vertex[on] % grid.width, trace.vertex[on] // grid.width
        px, py = trace.parent[on] % grid.width, trace.parent[on] // grid.width
        assert (np.maximum(abs(xs - px), abs(ys - py))[1:] > 1).any(), "parents are far away"


@pytest.mark.parametrize("search", SEARCHES)
def test_limits_and_ends(search):
    grid = Grid.from_text("....\n.##.\n....")
    assert search(grid, 5, 0).reason == "the start, x=1 (column), y=1 (row), is blocked"
    assert search(grid, 0, 5).reason == "the goal, x=1 (column), y=1 (row), is blocked"
    result = search(grid, 4, 7, limit=1)
    assert result.status is Status.LIMIT
    assert result.bound == 3
    same = search(grid, 4, 4)
    assert same.value.cost == 0
    assert same.value.points.tolist() == [[0.5, 1.5]]
    with pytest.raises(InputError, match="outside the map"):
        search(grid, 0, 12)
    with pytest.raises(InputError, match="unknown corner rule"):
        search(grid, 0, 1, corners="odd")


@pytest.mark.parametrize("make", CLASSES)
def test_many_queries_are_one_after_the_other(make):
    grid = maps.random_obstacles(40, 2, 0.25)
    queries = np.array(maps.queries(grid, 8, 4))
    many = make(grid).find_many(queries[:, 0], queries[:, 1])
    assert [state_hash(r) for r in many] == [state_hash(make(grid).find(*q)) for q in queries.tolist()]
    with pytest.raises(InputError, match="number of goals"):
        make(grid).find_many([0, 1], [2])


@pytest.mark.parametrize("search", ON_GRAPHS)
def test_a_graph_has_to_fit_its_world(search):
    world = World.of((0, 0, 10, 10), [[(4, 0), (6, 0), (6, 8), (4, 8)]])
    points = [(1, 1), (9, 1), (1, 9), (9, 9)]
    through = Graph.from_arcs(points, [0, 1], [1, 0], [8, 8])
    with pytest.raises(InputError, match="needs the obstacles around it"):
        search(through, 0, 1)
    with pytest.raises(InputError, match="arc from vertex 0 to vertex 1 is not its length; found 9; expected 8"):
        search(Graph.from_arcs(points, [0], [1], [9]), 0, 1, world=world)
    with pytest.raises(InputError, match="a map of cells needs no world"):
        search(Grid.from_text(".."), 0, 1, world=world)
    if search is not astar_ps:
        with pytest.raises(InputError, match=r"leads through an obstacle; found from \(1, 1\) to \(9, 1\)"):
            search(through, 0, 1, world=world)


def test_angles_are_for_grids():
    with pytest.raises(InputError, match="needs a map of cells"):
        APTheta(Graph.from_arcs([(0, 0), (1, 0)], [0], [1], [1]))


def test_prices_are_heeded():
    grid = Grid.from_text("......\n.9999.\n.9999.\n......")
    for search in SEARCHES:
        path = search(grid, 6, 11).value
        assert path_faults(grid, path, start=6, goal=11) == []
        assert path.cost < 8
    dear = Grid.from_text("1111\n1991\n1991\n1111")
    model = nx.grid_2d_graph(4, 4)
    assert theta(dear, 0, 15).value.cost <= nx.shortest_path_length(model, (0, 0), (3, 3))
