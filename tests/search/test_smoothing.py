"""Shortening by line of sight: valid, never dearer, idempotent."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_oracle import random_grid

from anabasis._kernel.sight import segment_cost, visible
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.metrics.paths import path_faults
from anabasis.metrics.polylines import world_faults
from anabasis.plan import Path
from anabasis.search.astar import astar
from anabasis.search.smoothing import look_ahead, post_smooth, post_smoothed, shorten
from anabasis.world import World


def shortest(grid: Grid, start: int, goal: int) -> Path | None:
    """A shortest 8-connected path by networkx, without corner cutting; its cost is that of the polyline."""
    graph = nx.Graph()
    for y in range(grid.height):
        for x in range(grid.width):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                near = [(x, y), (x + dx, y), (x, y + dy), (x + dx, y + dy)]
                if all(grid.is_free(*c) for c in near):
                    price = segment_cost(grid.cost, x, y, x + dx, y + dy)
                    graph.add_edge(grid.vertex(x, y), grid.vertex(x + dx, y + dy), weight=price)
    if start not in graph or goal not in graph or not nx.has_path(graph, start, goal):
        return None
    vertices = nx.shortest_path(graph, start, goal, "weight")
    return Path(vertices, grid.centres(vertices), nx.path_weight(graph, vertices, "weight"))


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 12), st.integers(1, 12), st.floats(0, 0.4), st.integers(1, 5))
def test_the_shortened_path_is_valid_no_dearer_and_stays_so(
    seed: int, width: int, height: int, share: float, price: int
) -> None:
    rng = np.random.default_rng(seed)
    cost = rng.integers(1, price + 1, (height, width)).astype(float)
    cost[rng.random(cost.shape) < share] = np.inf
    grid = Grid(cost, np.full(cost.shape, ord("."), np.uint8))
    path = shortest(grid, int(rng.integers(cost.size)), int(rng.integers(cost.size)))
    if path is None:
        return
    short = shorten(grid, path)
    assert short.cost <= path.cost * (1 + 1e-12)
    assert (short.points[[0, -1]] == path.points[[0, -1]]).all()
    assert {tuple(p) for p in short.points} <= {tuple(p) for p in path.points}
    cells = np.floor(short.points).astype(int).tolist()
    assert all(visible(grid.cost, *a, *b, 0) for a, b in pairwise(cells))
    if grid.uniform:
        assert short.cost == pytest.approx(short.length, rel=1e-12)
    again = shorten(grid, short)
    assert (again.points == short.points).all()
    assert again.cost == short.cost


def test_an_open_field_needs_one_straight_way() -> None:
    grid = Grid.from_free(np.ones((5, 9), bool))
    path = shortest(grid, 0, grid.vertex(8, 3))
    assert path is not None
    short = shorten(grid, path)
    assert short.points.tolist() == [[0.5, 0.5], [8.5, 3.5]]
    assert short.cost == pytest.approx(np.hypot(8, 3), rel=1e-15)
    assert not short.vertices.size


def test_a_dear_ford_is_not_entered_for_a_shorter_way() -> None:
    grid = Grid.from_text("....\n.99.\n....")
    cells = [[0, 1], [0, 0], [1, 0], [2, 0], [3, 0], [3, 1]]
    path = Path([], np.array(cells) + 0.5, 5.0)
    assert shorten(grid, path).points.tolist() == [[0.5, 1.5], [1.5, 0.5], [3.5, 0.5], [3.5, 1.5]]


def test_the_corner_rule_decides_what_is_seen() -> None:
    grid = Grid.from_text("..\n#.")
    path = Path([], [[0.5, 0.5], [1.5, 0.5], [1.5, 1.5]], 2.0)
    assert len(shorten(grid, path).points) == 3
    assert len(shorten(grid, path, corners="loose").points) == 2


def test_short_paths_stay() -> None:
    grid = Grid.from_text("..")
    assert shorten(grid, Path([], [[1.5, 0.5]], 0)).points.tolist() == [[1.5, 0.5]]
    assert shorten(grid, Path([], np.zeros((0, 2)), 0)).points.shape == (0, 2)


def test_wrong_input_is_named() -> None:
    grid = Grid.from_text("..#")
    with pytest.raises(InputError, match=r"not the centre of a cell; found \(1, 0.5\)"):
        shorten(grid, Path([], [[0.5, 0.5], [1.0, 0.5]], 1))
    with pytest.raises(InputError, match=r"a wall or leaves the map; found x=2 \(column\), y=0 \(row\)"):
        shorten(grid, Path([], [[0.5, 0.5], [2.5, 0.5]], 1))
    with pytest.raises(InputError, match="unknown corner rule"):
        shorten(grid, Path([], [[0.5, 0.5]], 1), corners="odd")


SMOOTHERS = [shorten, post_smooth, look_ahead]


@pytest.mark.parametrize("smooth", SMOOTHERS)
def test_every_smoother_keeps_points_that_see_each_other(smooth) -> None:
    rng = np.random.default_rng(1)
    for number in range(60):
        grid = random_grid(rng, 24, weighted=number % 2 == 1)
        start, goal = rng.integers(grid.cost.size, size=2).tolist()
        for corners in ("strict", "loose", "none"):
            result = astar(grid, start, goal, corners=corners)
            if result.value is None:
                continue
            before, after = Path([], result.value.points, 0.0), smooth(grid, result.value, corners=corners)
            assert path_faults(grid, after, start=start, goal=goal, corners=corners) == []
            cells = np.floor(before.points).astype(int).tolist()
            walked = sum(segment_cost(grid.cost, *a, *b) for a, b in pairwise(cells))
            assert after.cost <= walked * (1 + 1e-12)
            places = [tuple(p) for p in before.points.tolist()]
            order = [places.index(tuple(p)) for p in after.points.tolist()]
            assert order == sorted(order)


def by_the_book(grid: Grid, path: Path) -> tuple[list[list[float]], int]:
    """The published smoothing, word by word."""
    s = np.floor(path.points).astype(int).tolist()
    n, kept, tests = len(s) - 1, [s[0]], 0
    for i in range(1, n):
        tests += 1
        if not visible(grid.cost, *kept[-1], *s[i + 1], 0):
            kept.append(s[i])
    return (np.array([*kept, s[n]] if n else kept) + 0.5).tolist(), tests


def test_post_smoothing_is_the_published_one() -> None:
    rng, tests = np.random.default_rng(2), 0
    for _ in range(80):
        grid = random_grid(rng, 24)
        start, goal = rng.integers(grid.cost.size, size=2).tolist()
        path = astar(grid, start, goal).value
        if path is not None:
            points, count = by_the_book(grid, path)
            after, sight = post_smoothed(grid, path, "strict")
            assert after.points.tolist() == points
            assert sight == count <= max(0, len(path.points) - 1)
            assert look_ahead(grid, path, nodes=0).points.tolist() == points
            tests += count
    assert tests > 200


def test_looking_farther_ahead_leaves_fewer_segments() -> None:
    rng = np.random.default_rng(3)
    segments = dict.fromkeys((0, 2, 5, 10, 1000), 0)
    for _ in range(150):
        grid = random_grid(rng, 40)
        start, goal = rng.integers(grid.cost.size, size=2).tolist()
        path = astar(grid, start, goal).value
        for nodes in segments if path is not None else ():
            segments[nodes] += len(look_ahead(grid, path, nodes=nodes).points) - 1
            if nodes == 1000:
                assert look_ahead(grid, path, nodes=nodes).points.tolist() == shorten(grid, path).points.tolist()
    counts = list(segments.values())
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 1.1 * counts[-1]


@pytest.mark.parametrize("smooth", SMOOTHERS)
def test_paths_in_worlds_are_smoothed(smooth) -> None:
    world = World.of((0, 0, 10, 10), [[(4, 0), (6, 0), (5, 8)]])
    points = [(1, 1), (1, 5), (2, 8), (5, 9), (8, 8), (8, 5), (9, 1)]
    path = Path([], points, float(np.hypot(*np.diff(np.array(points), axis=0).T).sum()))
    after = smooth(world, path)
    assert world_faults(world, after, start=points[0], goal=points[-1]) == []
    assert after.cost < path.cost
    assert len(after.points) == 3
    with pytest.raises(InputError, match=r"through an obstacle or leaves the world; found \(5, 1\)"):
        smooth(world, Path([], [(1, 1), (5, 1)], 4))


def test_looking_back_is_refused() -> None:
    with pytest.raises(InputError, match="nodes to look ahead; found -1"):
        look_ahead(Grid.from_text(".."), Path([], [[0.5, 0.5]], 0), nodes=-1)
