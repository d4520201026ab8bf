"""The combined search space: as cheap as Dijkstra's algorithm on all its steps priced one by one in plain Python."""

import itertools
import math

import networkx as nx
import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.formation.combined import Pathfinder
from anabasis.formation.ground import Ground
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lattice import Lattice


def hills(seed: int, width: int = 9, height: int = 8) -> Lattice:
    rng = np.random.default_rng(seed)
    cost = rng.uniform(0.5, 5.0, (height, width, 6))
    cost[rng.random((height, width, 6)) < 0.15] = np.inf
    return Lattice(cost, 20.0)


def priced(lattice: Lattice, offsets: list[tuple[int, int]], weights: list[float]) -> nx.DiGraph:
    """Return every step with its cost in the combined space; offsets in logical coordinates."""
    dearest = float(lattice.cost[np.isfinite(lattice.cost)].max())
    steps: dict[tuple[tuple[int, int], tuple[int, int]], float] = {}
    for v, (x, y) in enumerate(lattice.logical.tolist()):
        for d, (dx, dy) in enumerate(((1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1))):
            cost = float(lattice.cost.reshape(-1, 6)[v, d])
            if math.isfinite(cost):
                steps[(x, y), (x + dx, y + dy)] = cost
    graph = nx.DiGraph()
    graph.add_nodes_from(map(tuple, lattice.logical.tolist()))
    for (p, q), own in steps.items():
        more = 0.0
        for (ox, oy), weight in zip(offsets, weights, strict=True):
            there = ((p[0] + ox, p[1] + oy), (q[0] + ox, q[1] + oy))
            more += weight * steps.get(there, 2 * dearest)
        graph.add_edge(p, q, weight=own + (more / sum(weights) if weights else 0.0))
    return graph


@pytest.mark.parametrize("offsets", [[], [(0, 2)], [(-3, 1), (3, 1)], [(1, 1), (2, 4), (-6, 0)]])
def test_paths_on_a_lattice_are_the_cheapest_there_are(offsets: list[tuple[int, int]]) -> None:
    weights = [1.0, 2.5, 0.5][: len(offsets)]
    compared = 0
    for seed in range(12):
        lattice = hills(seed)
        finder = Pathfinder(Ground.of(lattice))
        graph = priced(lattice, offsets, weights)
        places = [(x * 10.0, y * 20 * math.sqrt(3) / 2) for x, y in offsets]
        rng = np.random.default_rng(seed)
        for start, goal in rng.integers(0, lattice.size, (6, 2)).tolist():
            a, b = tuple(lattice.logical[start].tolist()), tuple(lattice.logical[goal].tolist())
            path = finder.path(start, goal, places, weights)
            if not nx.has_path(graph, a, b):
                assert path is None
                continue
            assert path is not None and path[0] == start and path[-1] == goal
            walked = [tuple(lattice.logical[v].tolist()) for v in path.tolist()]
            cost = sum(graph.edges[p, q]["weight"] for p, q in itertools.pairwise(walked))
            assert cost == pytest.approx(nx.dijkstra_path_length(graph, a, b), rel=1e-12)
            compared += 1
    assert compared > 40


def test_on_uniform_ground_subordinates_change_nothing() -> None:
    """Whatever a step costs: a mean that is rounded would make one step cheaper than another."""
    for cost in (0.1, 0.3, 1.0, 7.7):
        lattice = Lattice.uniform(30, 20, cost)
        finder = Pathfinder(Ground.of(lattice))
        start, goal = lattice.vertex(20, 10), lattice.vertex(33, 5)
        alone = finder.path(start, goal)
        assert alone is not None
        led = finder.path(start, goal, [[10.0, 17.3], [-10.0, 17.3], [0.0, 34.6]], [1.0, 1.0, 1.0])
        assert (alone == led).all()


def test_a_leader_keeps_to_the_middle_of_a_road() -> None:
    price = np.full((15, 20), 10.0)
    price[5:10] = 1.0  # five rows of road
    lattice = Lattice.from_ground(price)
    finder = Pathfinder(Ground.of(lattice))
    start, goal = lattice.vertex(0, 6), lattice.vertex(38, 6)
    row = 20 * math.sqrt(3) / 2
    beside = [[0.0, -2 * row], [0.0, 2 * row]]
    alone, led = finder.path(start, goal), finder.path(start, goal, beside, [1.0, 1.0])
    assert alone is not None and led is not None
    assert (lattice.logical[alone, 1] == 6).all()
    assert np.median(lattice.logical[led, 1]) == 7


def test_cells_and_graphs_are_ground_too() -> None:
    grid = Grid.from_text("......\n......\n.##...\n......\n......\n......")
    on_cells = Pathfinder(Ground.of(grid))
    ground = on_cells.ground
    assert ground.size == 34
    start, goal = (int(ground.nearest(place)[0, 0]) for place in ([0.5, 0.5], [5.5, 4.5]))
    path = on_cells.path(start, goal)
    assert path is not None
    assert ground.seconds(path).sum() == pytest.approx(3 + 3 * math.sqrt(2))
    # one to the left keeps the leader away from the left wall
    open_ = Pathfinder(Ground.of(Grid.from_free(np.ones((6, 6), bool))))
    led = open_.path(0, 30, [[-1.0, 0.0]], [1.0])
    assert led is not None
    assert open_.ground.points[led, 0].tolist() == [0.5, 1.5, 1.5, 1.5, 1.5, 0.5]
    ring = Graph.from_arcs([[0, 0], [3, 0], [3, 4]], [0, 1, 2], [1, 2, 0], [3.0, 4.0, 9.0])
    around = Pathfinder(Ground.of(ring))
    assert around.path(2, 1).tolist() == [2, 0, 1]  # pyright: ignore[reportOptionalMemberAccess]
    assert around.path(2, 1, [[3.0, 0.0]], [1.0]).tolist() == [2, 0, 1]  # pyright: ignore[reportOptionalMemberAccess]


def test_the_nearest_shift_joins_two_vertices() -> None:
    lattice = Lattice.uniform(6, 6)
    ground = Ground.of(lattice)
    rng = np.random.default_rng(0)
    moves = np.array([(x, y) for x in range(-8, 9) for y in range(-8, 9) if (x + y) % 2 == 0])
    places = moves * ground.pitch
    for offset in rng.uniform(-60, 60, (200, 2)):
        apart = np.hypot(*(places - offset).T)
        x, y = ground.shifts([offset])[0].tolist()
        assert (x + y) % 2 == 0
        assert math.hypot(x * ground.pitch[0] - offset[0], y * ground.pitch[1] - offset[1]) == pytest.approx(
            apart.min()
        )


def test_what_can_be_reached_is_what_a_path_leads_to() -> None:
    lattice = hills(3)
    finder = Pathfinder(Ground.of(lattice))
    reached = finder.reached(0)
    assert reached.sum() > 1
    for goal in range(lattice.size):
        assert (finder.path(0, goal) is not None) == reached[goal]


def test_ground_without_a_step_is_refused() -> None:
    with pytest.raises(InputError, match="no step that can be taken"):
        Ground.of(Lattice.uniform(1, 1))
    with pytest.raises(InputError, match="no step from vertex 0 to 7"):
        Ground.of(Lattice.uniform(4, 4)).seconds(np.array([0, 7]))


def test_straight_ways_are_the_nearest_to_the_line_of_all_cheapest_ones() -> None:
    """Of all cheapest paths, which networkx lists, none has a smaller sum of squares; and the cost stays the same."""
    rng = np.random.default_rng(8)
    better = 0
    for _ in range(120):
        price = rng.choice([1.0, 1.0, 1.0, 2.0], (7, 7))
        price[rng.random((7, 7)) < 0.1] = np.inf
        lattice = Lattice.from_ground(price, 20.0)
        ground = Ground.of(lattice)
        finder = Pathfinder(ground)
        start, goal = (int(v) for v in ground.nearest(rng.uniform(0, 100, (2, 2)))[:, 0])
        first, path = finder.path(start, goal), finder.path(start, goal, straight=True)
        assert (path is None) == (first is None)
        if path is None or start == goal:
            continue
        assert ground.seconds(path).sum() == ground.seconds(first).sum()
        graph = nx.DiGraph()
        for u in range(ground.size):
            for k in range(ground.indptr[u], ground.indptr[u + 1]):
                graph.add_edge(u, int(ground.indices[k]), weight=float(ground.weights[k]))
        off = [_off(ground.points[list(way)]) for way in nx.all_shortest_paths(graph, start, goal, weight="weight")]
        assert _off(ground.points[path]) == pytest.approx(min(off), abs=1e-9)
        better += _off(ground.points[path]) < _off(ground.points[first]) - 1e-9
    assert better > 10


def _off(way: np.ndarray) -> float:
    """Return the sum of squares of distances from the line between the ends."""
    ahead = way[-1] - way[0]
    across = (way - way[0]) @ np.array([-ahead[1], ahead[0]]) / np.hypot(*ahead)
    return float(across @ across)
