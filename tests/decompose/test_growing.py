"""Grown meshes: regions in free space, convex, apart, and all of it covered where that is promised."""

from itertools import islice

import mesh_cases
import numpy as np
import pytest
import shapely
from polygon_cases import of_cells, worlds
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from anabasis._kernel.geometry import orient
from anabasis.decompose.free_space import free_space
from anabasis.decompose.growing import coverage, deaccon, space_filling_volumes
from anabasis.decompose.outline import grid_world
from anabasis.decompose.polygons import free_shape
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.navmesh import NavMesh
from anabasis.world import World

SLANTED = World.of((0, 0, 20, 20), [[[4, 6], [11, 3], [15, 9], [8, 14]], [[16, 13], [19, 17], [13, 18]]])


def parts(mesh: NavMesh) -> int:
    """How many parts of the mesh there are from which no portal leads to another."""
    edges = np.flatnonzero(mesh.neighbours >= 0)
    pairs = (mesh.owner[edges], mesh.neighbours[edges])
    return int(connected_components(coo_array((np.ones(len(edges)), pairs), shape=(mesh.size, mesh.size)))[0])


def exact_faults(mesh: NavMesh, world: World) -> list[str]:
    """Corners that are bent inwards, and corners and sides that are not in free space, however little."""
    before, at, after = (mesh.points[k] for k in (mesh.corners[mesh.before], mesh.corners, mesh.ends))
    bent = [f"corner {k}" for k in range(mesh.corners.size) if orient(*before[k], *at[k], *after[k]) < 0]
    return bent + [f"side {k}" for k in np.flatnonzero(~free_space(world).see(at, after))]


def shapes(mesh: NavMesh) -> np.ndarray:
    return np.array([shapely.Polygon(mesh.polygon(p)) for p in range(mesh.size)])


def test_regions_of_deaccon_cover_free_space_once() -> None:
    for world, _ in worlds(60, seed=31):
        mesh, free = deaccon(world), free_shape(world)
        assert coverage(world, mesh) == pytest.approx(1, abs=1e-7)
        assert parts(mesh) == free_space(world).parts
        assert exact_faults(mesh, world) == []
        if mesh.size:
            assert shapely.union_all(shapes(mesh)).area == pytest.approx(free.area, rel=1e-7)  # none lies on another
            assert shapely.difference(shapely.union_all(shapes(mesh)), free).area < 1e-7
    mesh = deaccon(SLANTED)
    assert coverage(SLANTED, mesh) == pytest.approx(1, abs=1e-9)
    sides = mesh.points[mesh.ends] - mesh.points[mesh.corners]
    assert ((abs(sides) > 1e-6).all(axis=1) & (mesh.neighbours < 0)).sum() >= 7  # along the slanted obstacles


def test_rectangles_are_axis_parallel_and_lie_in_free_space() -> None:
    for world, _ in [*worlds(30, seed=32), (SLANTED, None)]:
        mesh = space_filling_volumes(world, least=0.25)
        assert coverage(world, mesh) <= 1 + 1e-9
        sides = mesh.points[mesh.ends] - mesh.points[mesh.corners]
        assert (np.sort(abs(sides), axis=1)[:, 0] < 1e-7).all()
        assert exact_faults(mesh, world) == []
        if mesh.size:
            extent = np.array([np.ptp(mesh.polygon(p), axis=0) for p in range(mesh.size)])
            assert extent.min() >= 0.25 - 1e-6
    assert 0.7 < coverage(SLANTED, space_filling_volumes(SLANTED)) < 0.99
    finer = space_filling_volumes(SLANTED, least=0.1)
    assert coverage(SLANTED, finer) > coverage(SLANTED, space_filling_volumes(SLANTED)) + 0.01


def test_both_cover_a_grid_exactly() -> None:
    for k in range(20):
        world = of_cells(np.random.default_rng([9, k]))
        for mesh in (deaccon(world), space_filling_volumes(world)):
            assert coverage(world, mesh) == 1
            assert parts(mesh) == free_space(world).parts
            assert (mesh.points == np.round(mesh.points)).all()


def test_an_open_world_is_one_region() -> None:
    world = World.of((0, 0, 7, 5), [])
    for mesh in (deaccon(world), space_filling_volumes(world)):
        assert mesh.size == 1
        assert mesh.areas.tolist() == [35]
    triangle = World.of((0, 0, 8, 8), [[[0, 0], [8, 0], [8, 8]]])
    assert deaccon(triangle).size == 1
    full = grid_world(Grid.from_text("#"))
    assert deaccon(full).size == 0
    assert coverage(full, deaccon(full)) == 1


def test_a_limit_is_kept() -> None:
    assert deaccon(SLANTED, limit=3).size < 6  # one may be cut in two to be exactly convex
    assert coverage(SLANTED, deaccon(SLANTED, limit=3)) < 1
    with pytest.raises(InputError, match="limit of regions"):
        deaccon(SLANTED, limit=0)
    with pytest.raises(InputError, match="shortest side"):
        space_filling_volumes(SLANTED, least=-1)


def test_a_world_in_which_geos_gets_lost_is_covered_too():
    world = next(islice(mesh_cases.worlds(2000, 2), 1942, None))
    mesh = deaccon(world)
    assert coverage(world, mesh) == pytest.approx(1, abs=1e-6)
