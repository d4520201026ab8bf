"""Merging of polygons: still an exact cover, convex, nothing left to merge, and as few as promised."""

from itertools import pairwise

import numpy as np
import pytest
from mesh_cases import area, check_mesh, worlds

from anabasis import InputError, NavMesh
from anabasis.decompose.free_space import free_space
from anabasis.decompose.merging import ORDERS, merging
from anabasis.decompose.triangulation import triangulation


@pytest.mark.parametrize("order", ORDERS)
def test_polygons_cover_free_space_exactly(order):
    for world in worlds(60, 1):
        check_mesh(world, merging(world, order=order))


@pytest.mark.parametrize("order", ORDERS)
def test_no_side_is_needless_and_none_but_wide_corners_need_them(order):
    for world in worlds(60, 2):
        mesh, free = merging(world, order=order), free_space(world)
        for e in mesh.portals:
            t = mesh.twins[e]
            bends = (mesh.before[e], mesh.after[t]), (mesh.before[t], mesh.after[e])
            places = [mesh.points[[mesh.corners[i], mesh.corners[j], mesh.ends[j]]] for i, j in bends]
            assert any(area(corner) < 0 for corner in places)
        # a wide corner needs at most two sides; in any division it needs one, which serves at most two such corners:
        # that is the factor 4 of Hertel and Mehlhorn
        assert len(mesh.portals) <= 2 * np.count_nonzero(free.turning)


def test_a_mesh_by_hand_is_merged():
    mesh = NavMesh.of([[0, 0], [1, 0], [2, 0], [2, 1], [1, 1], [0, 1]], [[0, 1, 4, 5], [1, 2, 3, 4]])
    assert merging(mesh).size == 1
    assert [len(merging(mesh).polygon(0)), merging(mesh).areas.tolist()] == [6, [2.0]]


def test_polygons_that_share_several_sides_in_a_row_are_merged():
    points = [[0, 0], [2, 0], [2, 1], [2, 2], [2, 3], [0, 3], [4, 0], [4, 3]]
    mesh = NavMesh.of(points, [[0, 1, 2, 3, 4, 5], [1, 6, 7, 4, 3, 2]])
    for order in ORDERS:
        merged = merging(mesh, order=order)
        assert merged.size == 1
        assert merged.areas.tolist() == [12]
        assert len(merged.polygon(0)) == 6


def test_merging_again_changes_nothing():
    for world in worlds(12, 3):
        mesh = merging(world)
        assert merging(mesh).size == mesh.size


def test_parts_stay_apart():
    for world in worlds(30, 4):
        for mesh in (triangulation(world), merging(world)):
            parts = free_space(world).component[mesh.corners]
            for p, (low, high) in enumerate(pairwise(mesh.indptr)):
                assert len(set(parts[low:high])) == 1, p


def test_unknown_orders_are_refused():
    with pytest.raises(InputError, match="unknown order of merging"):
        merging(NavMesh.of([], []), order="size")
