"""Polyanya on meshes of every kind: with corners of 180°, bent by rounding, with thin walls, flat: exact, no crash."""

import sys
from pathlib import Path

import numpy as np
import pytest

from anabasis import InputError, NavMesh
from anabasis.decompose.convex_parts import convex_parts
from anabasis.decompose.growing import coverage, deaccon, space_filling_volumes
from anabasis.decompose.merging import ORDERS, merging
from anabasis.decompose.triangulation import triangulation
from anabasis.search.mesh_search import MeshSearch
from anabasis.search.polyanya import Polyanya
from anabasis.search.visibility_graph import VisibilityGraph

sys.path.insert(0, str(Path(__file__).parents[1] / "decompose"))
from mesh_cases import worlds
from mesh_variants import queries, with_straight_corners


def meshes(rng, world, number):
    """Meshes of one world that cover all of it, each also with more corners."""
    triangles = triangulation(world)
    found = [triangles, *(merging(triangles, order=order) for order in ORDERS)]
    found.append(deaccon(world))
    if number % 3 == 0:  # a world of cells
        boxes = space_filling_volumes(world, least=1e-3)
        found += [boxes] if abs(coverage(world, boxes) - 1) < 1e-12 else []
    cut = [with_straight_corners(rng, mesh) for mesh in found]
    return [*found, *cut, merging(cut[0])]


def check_all_meshes(count, seed):
    """Compare the meshes of worlds with the visibility graph; return how many ways were compared."""
    found = 0
    for number, world in enumerate(worlds(count, seed)):
        rng, oracle = np.random.default_rng([seed, number]), VisibilityGraph(world)
        searches = [Polyanya(mesh) for mesh in meshes(rng, world, number)]
        for start, goal in queries(rng, world, 6):
            best = oracle.find(start, goal)
            for search in searches:
                try:
                    result = search.find(start, goal)
                except InputError:  # a mesh doesn't know the bounds of its world
                    continue
                if "inside" in result.reason + best.reason:  # rounding has moved a wall over a place on it
                    continue
                assert bool(result) == bool(best), (number, start, goal)
                if result:
                    assert result.value.cost == pytest.approx(best.value.cost, abs=1e-9), (number, start, goal)
                    found += 1
    return found


def test_ways_are_as_short_on_every_mesh():
    assert check_all_meshes(36, 1) > 600


@pytest.mark.long
def test_ways_are_as_short_on_every_mesh_of_many_worlds():
    assert check_all_meshes(2000, 2) > 40_000


ALONG = (
    [(13, 10), (13, 8), (13, 7.5), (13, 0), (10, 0), (27, 8), (27, 0), (13, 14), (7.5, 14), (27, 14)],
    [[9, 7, 0, 1, 5], [3, 6, 5, 1, 2], [4, 3, 2], [0, 7, 8]],
)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_way_turns_behind_a_wall_along_which_it_came(mirrored, swapped):
    points, rings = np.array(ALONG[0], float), ALONG[1]
    way = np.array([(8, 14), (13, 10), (13, 7.5), (11, 1)], float)
    if mirrored:
        points, way, rings = points * (-1, 1), way * (-1, 1), [ring[::-1] for ring in rings]
    if swapped:
        way = way[::-1]
    search = Polyanya(NavMesh.of(points, rings))
    assert search.find(tuple(way[0]), tuple(way[-1])).value.points.tolist() == way.tolist()


def test_meshes_bent_by_a_hair_are_searched():
    cut, found = 0, 0
    for number, world in enumerate(worlds(60, 3)):
        rng = np.random.default_rng(number)
        mesh = merging(world)
        if not mesh.size:
            continue
        try:
            bent = with_straight_corners(rng, mesh, wobble=10.0 ** -rng.integers(11, 17))
        except InputError:  # bent by more than rounding
            continue
        exact, search, other = Polyanya(mesh), Polyanya(bent), MeshSearch(bent)
        cut += search.mesh.size > bent.size
        for start, goal in queries(rng, world, 6):
            try:
                results = [s.find(start, goal) for s in (exact, search, other)]
            except InputError:
                continue
            if any("inside" in result.reason for result in results):
                continue
            assert len({bool(result) for result in results}) == 1
            if results[0]:
                assert results[1].value.cost == pytest.approx(results[0].value.cost, abs=1e-8)
                assert results[2].value.cost >= results[1].value.cost - 1e-8
                found += 1
    assert cut > 20
    assert found > 60


def test_parts_are_exactly_convex_and_cover_the_same():
    mesh = NavMesh.of(
        [(0, 0), (1, 1e-11), (3, 0), (3, 3), (1, 3 - 1e-11), (0, 3), (5, 0), (5, 3)], [[0, 1, 2, 3, 4, 5], [2, 6, 7, 3]]
    )
    parts = convex_parts(mesh)
    assert parts.size == 4
    assert parts.areas.sum() == pytest.approx(mesh.areas.sum(), abs=1e-12)
    assert np.array_equal(parts.points, mesh.points)
    assert (parts.neighbours < 0).sum() == (mesh.neighbours < 0).sum()
    assert convex_parts(parts) is parts


def test_a_polygon_as_thin_as_rounding_is_refused_if_it_is_bent():
    mesh = NavMesh.of([(2, -2e-12), (3, 2e-12), (4, 3e-12), (0, -2e-12)], [[0, 1, 2, 3]])
    with pytest.raises(InputError, match="polygon 0 of a mesh is as thin as rounding"):
        Polyanya(mesh)


@pytest.mark.parametrize("x", [2.0, 2 + 1e-15, 2 - 1e-15])
def test_ways_go_around_the_end_of_a_wall_of_no_thickness(x):
    points = [(0, 0), (2, 0), (4, 0), (4, 2), (4, 4), (0, 4), (0, 2), (2, 2), (x, 0)]
    for rings in (
        [[0, 1, 7, 6], [8, 2, 3, 7], [6, 7, 3, 4, 5]],
        [[0, 1, 7], [6, 0, 7], [8, 2, 7], [2, 3, 7], [3, 4, 7], [4, 5, 7], [5, 6, 7]],
    ):
        mesh = NavMesh.of(points, rings)
        assert mesh.points[mesh.turns].tolist() == [[2, 2]]
        assert Polyanya(mesh).find((1, 1), (3, 1)).value.points.tolist() == [[1, 1], [2, 2], [3, 1]]


def test_a_closed_door_is_a_wall():
    points = [(0, 0), (6, 0), (6, 4), (0, 4), (2, 2), (4, 2)]
    mesh = NavMesh.of(points, [[0, 1, 5, 4], [1, 2, 5], [2, 3, 4, 5], [3, 0, 4]])
    door = (mesh.points[mesh.corners][:, 1] == 2) & (mesh.points[mesh.ends][:, 1] == 2)
    closed = NavMesh(mesh.points, mesh.indptr, mesh.corners, np.where(door, -1, mesh.neighbours))
    assert (closed.twins[door] == -1).all()
    assert Polyanya(mesh).find((3, 1), (3, 3)).value.cost == 2
    assert Polyanya(closed).find((3, 1), (3, 3)).value.cost == pytest.approx(8**0.5)
    bent = closed.points.copy()
    bent[(bent == (2, 2)).all(axis=1), 1] -= 1e-10
    assert Polyanya(NavMesh(bent, mesh.indptr, mesh.corners, closed.neighbours)).find((3, 1), (3, 3)).value.cost > 2.8


def test_a_flat_polygon_does_no_harm():
    mesh = NavMesh.of([(0, 0), (1, 0), (2, 0)], [[0, 1, 2]])
    assert Polyanya(mesh).find((0.5, 0), (1.5, 0)).value.cost == 1
    assert mesh.centres.tolist() == [[1, 0]]


@pytest.mark.parametrize("scale", [1e-160, 1e-90, 1e-60, 1e60, 1e99])
def test_no_mesh_is_too_large_or_too_small_for_an_answer(scale):
    for number, world in enumerate(worlds(9, 4)):
        rng = np.random.default_rng(number)
        mesh = merging(world)
        if not mesh.size:
            continue
        cut = with_straight_corners(rng, mesh)
        try:
            search = Polyanya(NavMesh(cut.points * scale, cut.indptr, cut.corners, cut.neighbours))
        except InputError:
            continue
        for _ in range(6):
            start, goal = search.mesh.points[rng.integers(len(cut.points), size=2)]
            search.find(start, goal)


def test_larger_coordinates_are_refused():
    with pytest.raises(InputError, match="finite coordinates of at most 1e\\+100"):
        NavMesh.of([(0, 0), (1e101, 0), (0, 1)], [[0, 1, 2]])
