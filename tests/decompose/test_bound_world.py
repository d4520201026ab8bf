"""Obstacles that reach beyond the bounds at a slant: their corners on the bounds are places of the free space."""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from scipy.spatial import Delaunay

from anabasis.decompose.free_space import free_space
from anabasis.decompose.polygons import blocked_of, bound_world
from anabasis.metrics.polylines import polyline_length, world_faults
from anabasis.plan import Path
from anabasis.search.visibility_graph import visibility_graph
from anabasis.world import World


def triangles(seed: int) -> tuple[World, np.random.Generator]:
    """Triangles that share corners and edges, some beyond bounds that are no round numbers."""
    rng = np.random.default_rng(seed)
    bounds = (rng.uniform(0.5, 3.5), rng.uniform(1, 2), rng.uniform(6, 7), rng.uniform(5, 7.3))
    points = rng.uniform(0, 9, (14, 2)) if seed % 2 else np.unique(rng.integers(0, 9, (14, 2)), axis=0).astype(float)
    corners = Delaunay(points).simplices
    return World.of(bounds, [points[k] for k in corners[rng.random(len(corners)) < 0.5]]), rng


def faults(world: World, *points) -> list[str]:
    path = Path([], np.array(points, float), polyline_length(points))
    return world_faults(world, path, start=points[0], goal=points[-1])


def test_sight_between_corners_is_that_of_exact_rationals() -> None:
    counts = {True: 0, False: 0}
    for seed in range(60):
        world, rng = triangles(seed)
        space = free_space(world)
        for k in range(25 if space.size else 0):
            i, j = rng.integers(0, space.size, 2)
            a, b = space.corners[i], space.corners[space.after[i] if k % 2 else j]
            b = (a + b) / 2 if k % 5 == 0 else b
            seen = space.sees(a, b)
            assert seen == (not faults(world, a, b)), (seed, a, b)
            counts[seen] += 1
    assert min(counts.values()) > 150


def test_an_edge_that_ends_on_one_that_crosses_the_bounds_still_does() -> None:
    # a wall of two obstacles: the corner (3, 1) of the second lies in the middle of an edge of the first
    world = World.of((0, 0, 10.1, 4), [[[0, 0], [30, 10], [30, 11], [0, 1]], [[3, 1], [6, 2], [6, -1]]])
    inner = bound_world(world)
    assert [3.0, 1.0] in inner.points[: inner.rings[1]].tolist()
    assert free_space(world).parts == 3
    assert not free_space(world).sees((2, 0.1), (8, 0.1))
    assert faults(world, (2, 0.1), (3, 1), (6.5, 0.1))


def test_corners_on_the_bounds_are_the_nearest_places() -> None:
    for seed in range(40):
        world, _ = triangles(seed)
        inner = bound_world(world)
        assert inner.bounds == world.bounds
        assert len(inner.rings) == len(world.rings)
        old, new = (set(map(tuple, w.points.tolist())) for w in (world, inner))
        assert old <= new
        lines = shapely.boundary(shapely.box(*world.bounds))
        assert all(lines.distance(shapely.Point(p)) == 0 for p in new - old)
        assert shapely.symmetric_difference(blocked_of(world), blocked_of(inner)).area < 1e-13
        assert bound_world(inner).points.tolist() == inner.points.tolist()
    edge = World.of((0, 0, 4, 4), [[[1, -1], [3, 2], [1, 2]]])
    place = [p for p in bound_world(edge).points.tolist() if p[1] == 0 and p[0] != 1]
    assert place == [[float(Fraction(5, 3)), 0.0]]


def test_worlds_within_their_bounds_stay() -> None:
    inside = World.of((0, 0, 9, 9), [[[1, 1], [5, 2], [3, 4]]])
    upright = World.of((0, 0, 9, 9), [[[-1, 1], [10, 1], [10, 4], [-1, 4]]])
    assert bound_world(inside) is inside
    assert bound_world(upright) is upright


@pytest.mark.parametrize("bounds", [(0, 0, 10, 7), (0.1, 0.3, 9.7, 7.1), (1 / 3, 1 / 7, 10, 7)])
def test_a_way_to_the_corner_on_the_bounds_is_valid_and_one_beyond_it_is_not(bounds: tuple) -> None:
    world = World.of(bounds, [[[4, 3], [7, -5], [9.3, -4]], [[3, 6], [6, 6.5], [5, 12]]])
    space = free_space(world)
    top, low = ([p for p in space.corners.tolist() if p[1] == bounds[k] and 2 < p[0] < 9] for k in (1, 3))
    assert len(top) == len(low) == 2
    start = (1.5, 3.0)
    for goal in (*top, *low):
        result = visibility_graph(world, start, goal)
        assert world_faults(world, result.value, start=start, goal=goal) == []
    left, right = sorted(top)
    assert faults(world, (1.5, bounds[1]), left) == []
    assert faults(world, (1.5, bounds[1]), (np.nextafter(left[0], 9), bounds[1]))[0].startswith("obstacle")
    assert faults(world, left, right)[0].startswith("obstacle")
