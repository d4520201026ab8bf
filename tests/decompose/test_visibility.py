"""The visibility graph: exactly the corners that see each other, in worlds full of touching edges and corners."""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from anabasis import Graph
from anabasis.decompose.free_space import free_space
from anabasis.decompose.visibility import visibility
from anabasis.noun import state_hash
from anabasis.world import World

sys.path.insert(0, str(Path(__file__).parents[1] / "search"))
from polygon_worlds import loose_polygons, oracle_sees, touching_triangles

SQUARE = [(2, 2), (4, 2), (4, 4), (2, 4)]


def arcs(graph: Graph) -> set[tuple[tuple[float, float], tuple[float, float]]]:
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    points = [tuple(p) for p in graph.points.tolist()]
    return {(points[u], points[v]) for u, v in zip(tails.tolist(), graph.indices.tolist(), strict=True)}


def tangents(world, pairs):
    """Those of the pairs of corners that a shortest way can use, both ways; all coordinates are whole numbers."""
    free = free_space(world)
    turning = {}
    for i in range(free.size):
        before, here, after = (tuple(free.corners[k].tolist()) for k in (free.before[i], i, free.after[i]))
        if cross(before, here, after) < 0:
            turning[here] = (before, after)

    def touches(u, v):
        one, other = (cross(u, v, end) for end in turning[v])
        return one * other >= 0  # both edges on one side of the line

    def between(u, v, w):
        return cross(u, v, w) == 0 and 0 < np.dot(np.subtract(w, u), np.subtract(v, u)) < np.dot(
            *2 * [np.subtract(v, u)]
        )

    found = set()
    for u, v in pairs:
        tangent = u in turning and v in turning and touches(u, v) and touches(v, u)
        if tangent and not any(between(u, v, w) for w in turning):
            found |= {(u, v), (v, u)}
    return found


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


@pytest.mark.parametrize("seed", range(40))
def test_arcs_are_those_of_exact_sight(seed):
    rng = np.random.default_rng(seed)
    world = touching_triangles(rng, int(rng.integers(2, 9)), int(rng.integers(2, 8)), rng.uniform(0.2, 0.7))
    graph = visibility(world)
    found = arcs(graph)
    assert all((v, u) in found for u, v in found)
    corners = sorted({tuple(p) for p in graph.points.tolist()})
    wanted = {(u, v) for u, v in combinations(corners, 2) if oracle_sees(world, u, v)}
    assert {(u, v) for u, v in found if u < v} == wanted
    assert arcs(visibility(world, tangent=True)) == tangents(world, wanted)


@pytest.mark.parametrize("seed", range(5))
def test_weights_are_lengths_and_places_are_joined(seed):
    rng = np.random.default_rng(seed)
    world = loose_polygons(rng, 8)
    graph = visibility(world)
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    lengths = np.hypot(*(graph.points[tails] - graph.points[graph.indices]).T)
    assert (graph.weights == lengths).all()
    assert graph.metric == "euclidean"
    assert {tuple(p) for p in graph.points.tolist()} <= {tuple(p) for p in world.points.tolist()}
    places = [(0.0, 0.0), (100.0, 100.0), (50.5, 3.25)]
    more = visibility(world, places=places)
    assert more.points[-3:].tolist() == [list(p) for p in places]
    here = arcs(more)
    assert arcs(graph) <= here
    rest = here - arcs(graph)
    assert rest
    assert all(u in places or v in places for u, v in rest)


def test_eight_corners_an_octagon():
    octagon = np.array([(1, 0), (2, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 2), (0, 1)], float)
    world = World.of((0, 0, 40, 20), [octagon + np.array((4 * i + 1, 5 + 4 * (i % 2))) for i in range(8)])
    assert visibility(world).size == 64
    assert visibility(world, tangent=True).size == 64


def test_without_obstacles_only_places():
    world = World.of((0, 0, 5, 5), [])
    assert visibility(world).size == 0
    assert arcs(visibility(world, places=[(0, 0), (5, 5)])) == {((0, 0), (5, 5)), ((5, 5), (0, 0))}


def test_a_place_inside_an_obstacle_sees_nothing():
    graph = visibility(World.of((0, 0, 9, 9), [SQUARE]), places=[(3, 3), (1, 1)])
    assert graph.indptr[5] - graph.indptr[4] == 0
    assert graph.indptr[6] - graph.indptr[5] == 3  # not the corner behind, at (4, 4)


def test_obstacles_that_touch_at_a_corner_are_not_seen_through():
    world = World.of((0, 0, 6, 6), [SQUARE, [(4, 4), (6, 4), (6, 6), (4, 6)]])
    graph = visibility(world, places=[(5.0, 3.0), (3.0, 5.0), (3.0, 1.0)])
    assert ((5.0, 3.0), (3.0, 5.0)) not in arcs(graph)
    assert ((5.0, 3.0), (4.0, 4.0)) in arcs(graph)
    at = np.flatnonzero((graph.points == (4, 4)).all(axis=1))
    assert len(at) == 2  # a state on either side
    assert not set(graph.indices[graph.indptr[at[0]] : graph.indptr[at[0] + 1]]) & set(
        graph.indices[graph.indptr[at[1]] : graph.indptr[at[1] + 1]]
    )


def test_the_same_graph_again():
    world = loose_polygons(np.random.default_rng(3), 12)
    assert state_hash(visibility(world)) == state_hash(visibility(world))
