"""Constrained Delaunay triangulation: an exact cover by triangles, and round ones."""

from fractions import Fraction

import numpy as np
import pytest
from mesh_cases import area, check_mesh, worlds

from anabasis import Grid, InputError, World
from anabasis.decompose.free_space import free_space
from anabasis.decompose.outline import grid_world
from anabasis.decompose.triangulation import triangulation


@pytest.mark.parametrize("delaunay", [True, False])
def test_triangles_cover_free_space_exactly(delaunay):
    for world in worlds(120, 1):
        mesh = triangulation(world, delaunay=delaunay)
        assert (np.diff(mesh.indptr) == 3).all()
        check_mesh(world, mesh)


@pytest.mark.long
def test_triangles_cover_many_free_spaces_exactly():
    for world in worlds(3000, 2):
        check_mesh(world, triangulation(world))


def inside_circle(a, b, c, d):
    """How far inside the circle through a, b, c the place d lies, exactly, as a share of the sum of the products."""
    rows = [[Fraction(p[0]) - Fraction(d[0]), Fraction(p[1]) - Fraction(d[1])] for p in (a, b, c)]
    (ax, ay), (bx, by), (cx, cy) = rows
    aa, bb, cc = (x * x + y * y for x, y in rows)
    terms = aa * (bx * cy - by * cx), bb * (cx * ay - cy * ax), cc * (ax * by - ay * bx)
    return sum(terms) / max(sum(map(abs, terms)), Fraction(1, 10**30))


def test_no_circle_holds_the_corner_across():
    for world in worlds(90, 3):
        mesh = triangulation(world)
        for e in mesh.portals:
            t = mesh.twins[e]
            a, b = mesh.points[mesh.corners[e]], mesh.points[mesh.ends[e]]
            c, d = mesh.points[mesh.corners[mesh.before[e]]], mesh.points[mesh.corners[mesh.before[t]]]
            assert inside_circle(a, b, c, d) <= 1e-12


def test_the_checker_sees_a_triangle_too_many_and_one_too_few():
    world = World.of((0, 0, 9, 9), [[(2, 2), (4, 2), (4, 4), (2, 4)]])
    mesh = triangulation(world)
    check_mesh(world, mesh)
    with pytest.raises(AssertionError):
        check_mesh(World.of((0, 0, 9, 9), [[(2, 2), (4, 2), (4, 5), (2, 4)]]), mesh)
    with pytest.raises(AssertionError):
        check_mesh(World.of((0, 0, 9, 9), []), mesh)
    assert area([(0, 0), (1, 0), (0, 1)]) == Fraction(1, 2)


def test_a_world_without_room_has_no_triangles():
    assert triangulation(grid_world(Grid.from_text("##\n##"))).size == 0


def test_an_empty_world_is_two_triangles():
    assert triangulation(World.of((0, 0, 3, 2), [])).size == 2


def test_pinched_places_are_there_once_for_each_side():
    world = grid_world(Grid.from_text(".#\n#."))
    mesh = triangulation(world)
    assert mesh.size == 4
    assert (mesh.points == 1).all(axis=1).sum() == 2


def test_wrong_obstacles_are_refused():
    with pytest.raises(InputError, match="crosses or touches itself"):
        triangulation(World.of((0, 0, 9, 9), [[(1, 1), (3, 3), (3, 1), (1, 3)]]))


def test_benchmark_maps(movingai):
    from anabasis.io.movingai import load_map

    for name in ("sc1/Aftershock.map", "mazes/maze512-1-0.map"):
        grid = load_map(movingai / name)
        world = grid_world(grid)
        mesh = triangulation(world)
        assert mesh.areas.sum() == grid.free.sum()
        assert (mesh.neighbours < 0).sum() == free_space(world).size
