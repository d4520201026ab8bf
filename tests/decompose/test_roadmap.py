"""Roadmaps: random, but the same for the same seed; joined where one place sees the other; nearly shortest ways."""

import math
from itertools import pairwise

import numpy as np
import pytest
from lattice_worlds import arcs_of, blocked, polygon_worlds

from anabasis.decompose.free_space import free_space
from anabasis.decompose.nearest import joined
from anabasis.decompose.roadmap import prm, prm_star, random_places, star_radius
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.noun import state_hash
from anabasis.result import Status
from anabasis.search.astar import astar
from anabasis.world import World

ROUND = World.of((0, 0, 30, 20), [[(10, 0), (12, 0), (12, 16), (10, 16)], [(20, 4), (22, 4), (22, 20), (20, 20)]])
ENDS = [(2.0, 2.0), (28.0, 18.0)]
BENDS = [ENDS[0], (10, 16), (12, 16), (20, 4), (22, 4), ENDS[1]]
SHORTEST = sum(math.dist(a, b) for a, b in pairwise(BENDS))


@pytest.mark.parametrize("make", [prm, prm_star])
def test_same_seed_same_bytes_another_seed_another_map(make: object) -> None:
    assert callable(make)
    for world in polygon_worlds(3):
        hashes = [state_hash(make(world, samples=80, seed=seed)) for seed in (0, 0, 1, 2**40)]
        assert hashes[0] == hashes[1]
        assert len(set(hashes)) == 3


def test_every_place_is_free_and_every_arc_seen() -> None:
    for world in polygon_worlds(6):
        for graph in (prm(world, samples=120, neighbours=6), prm_star(world, samples=120)):
            assert graph.size == 120
            assert free_space(world).free(graph.points).all()
            arcs = arcs_of(graph)
            assert arcs == {(v, u): w for (u, v), w in arcs.items()}
            tail, head = np.array(list(arcs), np.int64).T
            assert free_space(world).see(graph.points[tail], graph.points[head]).all()
            assert graph.weights.tolist() == np.hypot(*(graph.points[tail] - graph.points[head]).T).tolist()


def test_nearest_places_are_joined_and_no_others() -> None:
    for world in polygon_worlds(4, seed=9):
        graph, sight = prm(world, samples=60, neighbours=5), free_space(world)
        away = np.hypot(*(graph.points[:, None] - graph.points).transpose(2, 0, 1))
        near = np.argsort(away, axis=1)[:, 1:6]
        pairs = {(u, int(v)) for u in range(60) for v in near[u]}
        pairs = {(u, v) for u, v in pairs | {(v, u) for u, v in pairs} if sight.sees(graph.points[u], graph.points[v])}
        assert set(arcs_of(graph)) == pairs


def test_places_within_the_radius_are_joined_and_no_others() -> None:
    for world in polygon_worlds(4, seed=10):
        graph, sight = prm_star(world, samples=60), free_space(world)
        area = np.prod(np.subtract(world.bounds[2:], world.bounds[:2])) - blocked(world).area
        radius = star_radius(sight, 60)
        assert radius == pytest.approx(1.1 * 2 * (1.5 * area / np.pi) ** 0.5 * (np.log(60) / 60) ** 0.5)
        away = np.hypot(*(graph.points[:, None] - graph.points).transpose(2, 0, 1))
        pairs = {(u, v) for u, v in np.argwhere((away <= radius) & (away > 0)).tolist()}
        assert set(arcs_of(graph)) == {p for p in pairs if sight.sees(graph.points[p[0]], graph.points[p[1]])}


def test_places_are_spread_evenly() -> None:
    places = random_places(ROUND, 6000, 1)
    counts = np.histogram2d(*places.T, bins=[15, 10], range=[[0, 30], [0, 20]])[0]
    free = counts > 0
    assert free.sum() == 150 - 16  # cells of 2 × 2 that are free
    expected = 6000 / free.sum()
    assert ((counts[free] - expected) ** 2 / expected).sum() < 133 + 4 * (2 * 133) ** 0.5


def test_ways_come_near_to_the_shortest_with_more_places() -> None:
    mean = {}
    for samples in (100, 400, 1600):
        costs = []
        for seed in range(3):
            graph = joined(prm_star(ROUND, samples=samples, seed=seed), ROUND, ENDS)
            result = astar(graph, samples, samples + 1)
            assert result.status is Status.SOLVED
            assert result.value
            assert result.value.cost >= SHORTEST
            costs.append(result.value.cost / SHORTEST)
        mean[samples] = np.mean(costs)
    assert mean[1600] < 1.05
    assert mean[1600] < mean[400] < mean[100]


def test_prices_of_the_ground_count() -> None:
    grid = Grid.from_text("1162\n1922\n@@33")
    graph = prm(grid, samples=40, seed=3)
    for (u, v), weight in arcs_of(graph).items():
        steps = graph.points[u] + (np.arange(4000)[:, None] + 0.5) / 4000 * (graph.points[v] - graph.points[u])
        x, y = np.floor(steps).astype(int).T
        length = np.hypot(*(graph.points[u] - graph.points[v]))
        assert weight == pytest.approx(length * grid.cost[y, x].mean(), rel=5e-3)


def test_a_full_world_and_tiny_ones_end() -> None:
    full = World.of((0, 0, 5, 5), [[(-1, -1), (6, -1), (6, 6), (-1, 6)]])
    for make in (prm, prm_star):
        assert make(full, samples=10).size == 0
        one = make(ROUND, samples=1)
        assert (one.size, one.indices.size) == (1, 0)
        assert make(ROUND, samples=2).size == 2
    assert prm(ROUND, samples=5, neighbours=100).size == 5
    nook = World.of((0, 0, 100, 100), [[(0, 0), (100, 0), (100, 100), (0, 100), (0, 99), (99, 99), (99, 1), (0, 1)]])
    assert prm(nook, samples=20).size == 20


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"samples": 0}, "number of samples; found 0; expected a whole number from 1 to"),
        ({"samples": 2.5}, "number of samples must be whole numbers"),
        ({"neighbours": 0}, "number of neighbours; found 0"),
        ({"seed": -1}, "seed; found -1; expected a whole number from 0"),
    ],
)
def test_wrong_options_are_told(options: dict[str, int], text: str) -> None:
    with pytest.raises(InputError, match=text):
        prm(ROUND, **options)
