"""Least walking lengths: against shortest ways by visibility, brute force."""

import itertools
import math

import networkx as nx
import numpy as np
import pytest
from numpy.typing import NDArray

from anabasis.bound.reach import Reach, target_cells
from anabasis.bound.walking import STRETCH, Walks
from anabasis.scenario import Group, Target

Place = tuple[float, float]


def sees(free: NDArray[np.bool_], a: Place, b: Place) -> bool:
    """Whether the open line between two points stays in free cells; along a side of cells one of two is enough."""
    (x0, y0), (x1, y1) = a, b
    cuts = {0.0, 1.0}
    for p, q in ((x0, x1), (y0, y1)):
        if p != q:
            cuts |= {(k - p) / (q - p) for k in range(math.ceil(min(p, q)), math.floor(max(p, q)) + 1)}
    ts = sorted(t for t in cuts if 0.0 <= t <= 1.0)
    for s, t in itertools.pairwise(ts):
        if t - s < 1e-9:
            continue
        m = (s + t) / 2
        x, y = x0 + m * (x1 - x0), y0 + m * (y1 - y0)
        columns = {math.floor(x - 1e-7), math.floor(x + 1e-7)}
        rows = {math.floor(y - 1e-7), math.floor(y + 1e-7)}
        if not any(0 <= j < free.shape[0] and 0 <= i < free.shape[1] and free[j, i] for i in columns for j in rows):
            return False
    return True


def shortest(free: NDArray[np.bool_], start: Place, end: Place) -> float:
    """Return the length of the shortest way by a graph of all corners that see each other (pinches are passed)."""
    corners = [(float(x), float(y)) for y in range(free.shape[0] + 1) for x in range(free.shape[1] + 1)]
    graph = nx.Graph()
    for a, b in itertools.combinations([start, end, *corners], 2):
        if sees(free, a, b):
            graph.add_edge(a, b, weight=math.dist(a, b))
    try:
        return float(nx.shortest_path_length(graph, start, end, "weight"))
    except (nx.NetworkXNoPath, nx.NodeNotFound):
        return math.inf


def test_stretch_is_below_half_a_percent() -> None:
    assert 1.0 < STRETCH < 1.005


def test_all_directions_of_an_open_field() -> None:
    ways = Walks(np.ones((40, 40), bool))
    distance = ways.from_seeds(ways.vertices([0], [0], [0]), [0.0])
    y, x = np.mgrid[0:40, 0:40]
    found, true = distance[ways.vertices(x, y, y)], np.hypot(x, y)
    assert (found <= true).all()
    assert (found >= true / STRETCH * (1 - 1e-8)).all()


@pytest.mark.parametrize("seed", range(25))
def test_never_longer_than_the_shortest_way_and_nearly_as_long(seed: int) -> None:
    draw = np.random.default_rng(seed)
    free = draw.random((6, 8)) > 0.3
    free[0, 0] = free[5, 7] = True
    true = shortest(free, (0.0, 0.0), (8.0, 6.0))
    ways = Walks(free)
    distance = ways.from_seeds(ways.vertices([0], [0], [0]), [0.0])
    found = float(distance[ways.vertices(8, 6, 5)])
    if math.isfinite(found):  # a way that squeezes through touching corners is no way
        assert found >= true / STRETCH * (1 - 1e-8)
    pinched = any(
        free[y, x] == free[y + 1, x + 1] and free[y + 1, x] == free[y, x + 1] and free[y, x] != free[y, x + 1]
        for y in range(5)
        for x in range(7)
    )
    if not pinched:
        assert found <= true or (math.isinf(found) and math.isinf(true))


def test_touching_corners_let_nobody_through() -> None:
    free = np.array([[True, False], [False, True]])
    ways = Walks(free)
    distance = ways.from_seeds(ways.vertices([0], [0], [0]), [0.0])
    assert distance[ways.vertices(1, 1, 0)] < 1.5
    assert np.isinf(distance[ways.vertices(1, 1, 1)])
    assert np.isinf(distance[ways.vertices(2, 2, 1)])


def test_a_limit_cuts_lengths() -> None:
    ways = Walks(np.ones((5, 60), bool))
    seeds = ways.vertices([0], [0], [0])
    full, cut = ways.from_seeds(seeds, [0.0]), ways.from_seeds(seeds, [0.0], 20.0)
    assert (cut == np.minimum(full, 20.0)).all()


@pytest.mark.parametrize("seed", range(15))
def test_ways_of_units_are_lower_bounds_and_close(seed: int) -> None:
    draw = np.random.default_rng(100 + seed)
    free = np.ones((7, 9), bool)
    free[draw.integers(0, 5) : 7 if draw.random() < 0.5 else 6, 4] = False
    start = (float(draw.uniform(0.1, 3.9)), float(draw.uniform(0.1, 6.9)))
    target = Target(float(draw.uniform(6.0, 8.9)), float(draw.uniform(0.1, 6.9)), 0.5)
    reach = Reach(free, Group(np.array([start]), target))
    true = shortest(free, start, (target.x, target.y)) - target.radius
    assert true - 1.0 <= reach.walk[0] <= true + 1e-9


def test_cells_that_the_target_touches() -> None:
    free = np.ones((5, 5), bool)
    free[2, 3] = False
    cells = {tuple(c) for c in target_cells(free, Target(2.5, 2.5, 0.6)).tolist()}
    assert cells == {(2, 2), (1, 2), (2, 1), (2, 3)}
    assert len(target_cells(np.ones((3, 3), bool), Target(0.5, 0.5, 9.0))) == 9
