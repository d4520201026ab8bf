"""Random worlds for the tests of navigation meshes, and what must hold of every mesh of a world."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import shapely
from scipy.spatial import Delaunay

from anabasis.decompose.free_space import free_space
from anabasis.decompose.outline import grid_world
from anabasis.grid import Grid
from anabasis.world import World


def worlds(count, seed):
    """Worlds of three kinds: of cells, of loose polygons at any angle, of triangles that touch in every way."""
    kinds = cells, loose, touching
    for number in range(count):
        yield kinds[number % 3](np.random.default_rng([seed, number]))


def cells(rng):
    """A grid with up to 70 % blocked cells."""
    return grid_world(Grid.from_free(rng.random(rng.integers(1, 14, 2)) >= rng.uniform(0, 0.7)))


def loose(rng):
    """Star-shaped polygons that don't touch, most of them not convex, some cut off at the bounds."""
    solids = []
    for _ in range(int(rng.integers(0, 20))):
        angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 9))))
        spokes = np.stack((np.cos(angles), np.sin(angles)), 1) * rng.uniform(1, 16, len(angles))[:, None]
        solid = shapely.Polygon((rng.uniform(0, 90, 2) + spokes).clip(0, 90))
        if solid.is_valid and solid.area > 0.1 and all(solid.distance(other) > 0.01 for other in solids):
            solids.append(solid)
    return World.of((0, 0, 90, 90), [shapely.get_coordinates(solid)[:-1] for solid in solids])


def touching(rng):
    """Some of the triangles between whole-numbered places: they share sides and corners, and enclose holes."""
    side = int(rng.integers(3, 12))
    places = np.concatenate(([(0, 0), (0, side), (side, 0), (side, side)], rng.integers(0, side + 1, (14, 2))))
    places = np.unique(places[: int(rng.integers(5, 19))], axis=0)
    triangles = places[Delaunay(places).simplices].astype(float)
    flat = shapely.area(shapely.polygons(triangles)) == 0
    return World.of((0, 0, side, side), list(triangles[~flat & (rng.random(len(flat)) < rng.uniform(0.1, 0.7))]))


def area(ring):
    """The exact area of a polygon."""
    places = [(Fraction(x), Fraction(y)) for x, y in ring]
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise([*places, places[0]])) / 2


def check_mesh(world, mesh):
    """The polygons are convex, cover free space exactly once, and invent no point and no wall; all in rationals."""
    free = free_space(world)
    assert np.array_equal(mesh.points, free.corners)
    total = Fraction(0)
    for p in range(mesh.size):
        ring = mesh.polygon(p).tolist()
        for a, b, c in zip(ring, ring[1:] + ring[:1], ring[2:] + ring[:2], strict=True):
            assert area([a, b, c]) >= 0
        assert area(ring) > 0
        total += area(ring)
    boundary = Fraction(0)
    for i, j in enumerate(free.after):
        (ax, ay), (bx, by) = ((Fraction(v) for v in free.corners[k]) for k in (i, j))
        boundary += ax * by - ay * bx
    assert total == boundary / 2
    walls = np.flatnonzero(mesh.neighbours < 0)
    assert sorted(mesh.corners[walls]) == list(range(free.size))
    assert np.array_equal(mesh.ends[walls], free.after[mesh.corners[walls]])
    assert np.array_equal(mesh.turns, free.turning)
