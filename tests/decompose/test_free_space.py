"""Free space: its boundary, sight and place in it, against exact rationals and against Shapely; faults of worlds."""

import numpy as np
import pytest
import shapely
from polygon_cases import worlds

from anabasis.decompose.free_space import FreeSpace, free_space
from anabasis.decompose.growing import deaccon, space_filling_volumes
from anabasis.decompose.merging import merging
from anabasis.decompose.mesh_graph import mesh_graph
from anabasis.decompose.polygons import blocked_of, check_world
from anabasis.decompose.triangulation import triangulation
from anabasis.decompose.visibility import visibility
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.metrics.polylines import polyline_length, world_faults
from anabasis.plan import Path
from anabasis.world import World

SQUARE = [[1, 1], [3, 1], [3, 3], [1, 3]]


def sectors(space: FreeSpace) -> list[tuple[float, ...]]:
    """The free sectors: each a corner between the corner before and the corner after it."""
    rows = np.concatenate([space.corners, space.corners[space.before], space.corners[space.after]], axis=1)
    return sorted(map(tuple, rows.tolist()))


def places(space: FreeSpace, rng: np.random.Generator, count: int) -> np.ndarray:
    """Half-integer places in and around the bounds, corners, and places on edges."""
    x0, y0, x1, y1 = space.bounds
    some = np.stack([rng.integers(2 * x0 - 1, 2 * x1 + 2, count), rng.integers(2 * y0 - 1, 2 * y1 + 2, count)], 1) / 2
    if not space.size:
        return some
    i, j = rng.integers(0, space.size, (2, count))
    on_edges = (space.corners[i] + space.corners[space.after[i]]) / 2
    found = np.concatenate([some, space.corners[j], on_edges])
    return found[rng.permutation(len(found))[:count]]


def test_sight_and_place_are_those_of_exact_rationals() -> None:
    counts = {True: 0, False: 0}
    for world, rng in worlds(120):
        space = free_space(world)
        a, b = places(space, rng, 20), places(space, rng, 20)
        seen = space.see(a, b)
        assert (seen == space.see(b, a)).all()
        for k in range(20):
            segment = Path([], [a[k], b[k]], polyline_length([a[k], b[k]]))
            faults = world_faults(world, segment, start=a[k], goal=b[k])
            assert seen[k] == (not faults), (world, a[k], b[k], faults)
            stand = world_faults(world, Path([], [a[k]], 0), start=a[k], goal=a[k])
            assert space.free([a[k]])[0] == (not stand), (world, a[k], stand)
            counts[bool(seen[k])] += 1
    assert min(counts.values()) > 300


def test_sight_between_random_places_is_that_of_shapely() -> None:
    rng = np.random.default_rng(3)
    for _ in range(15):
        discs = shapely.buffer(shapely.points(rng.uniform(0, 90, (30, 2))), rng.uniform(1, 9, 30), quad_segs=3)
        rings = [r for p in shapely.get_parts(shapely.union_all(discs)) for r in shapely.get_rings(p)]
        world = World.of((0, 0, 90, 90), [shapely.get_coordinates(r)[:-1] for r in rings])
        space, blocked = free_space(world), blocked_of(world)
        a, b = rng.uniform(0, 90, (2, 300, 2))
        lines = shapely.linestrings(np.stack([a, b], axis=1))
        assert (space.see(a, b) == ~shapely.intersects(lines, blocked)).all()
        assert (space.free(a) == ~shapely.intersects(shapely.points(a), blocked)).all()
        parts = shapely.get_parts(shapely.difference(shapely.box(0, 0, 90, 90), blocked))
        assert space.parts == len(parts)
        inside = shapely.STRtree(parts).query(shapely.points(a), predicate="within")
        number = np.full(300, -1)
        number[inside[0]] = inside[1]
        mine = np.array([space.part(p) for p in a])
        assert len({*zip(number.tolist(), mine.tolist(), strict=True)}) == len({*mine.tolist()})


def test_boundary_is_a_whole_and_bounds_the_free_area() -> None:
    for world, _ in worlds(90, seed=8):
        space = free_space(world)
        k = np.arange(space.size)
        assert (space.after[space.before] == k).all()
        assert (space.before[space.after] == k).all()
        assert (space.component == space.component[space.after]).all()
        assert (space.corners[space.twin] == space.corners).all()
        ends = space.corners[space.after]
        area = float((space.corners[:, 0] * ends[:, 1] - space.corners[:, 1] * ends[:, 0]).sum() / 2)
        free = shapely.difference(shapely.box(*world.bounds), blocked_of(world))
        assert area == pytest.approx(free.area, abs=1e-9)


def test_corners_between_touching_obstacles_are_one_for_each_sector() -> None:
    world = World.of((0, 0, 6, 6), [SQUARE, [[3, 3], [5, 3], [5, 5], [3, 5]]])
    space = free_space(world)
    both = np.flatnonzero((space.corners == [3, 3]).all(axis=1))
    assert len(both) == 2
    assert not space.turning[both].any()
    assert space.turning.sum() == 6
    assert not space.sees((2, 4), (4, 2))  # between the two is no width
    assert not space.sees((3, 4), (4, 3))
    assert space.sees((3, 4), (3, 3))
    assert space.sees((0, 3), (3, 3))
    assert not space.sees((0, 3), (4, 3))
    assert space.sees((1, 0), (1, 6))  # along an edge
    assert space.sees((0, 2), (2, 0))  # through a corner
    assert free_space(World.of((0, 0, 6, 6), [SQUARE, [[1, 3], [3, 3], [2, 5]]])).turning.sum() == 5


def test_an_obstacle_that_touches_the_bounds_is_passed_nowhere() -> None:
    space = free_space(World.of((0, 0, 4, 4), [[[0, 2], [2, 1], [2, 3]]]))
    assert not space.sees((0, 1), (0, 3))
    assert space.sees((0, 1), (0, 2))
    assert space.parts == 1
    walled = free_space(World.of((0, 0, 4, 4), [[[0, 2], [4, 1], [4, 3]]]))
    assert walled.parts == 2
    assert walled.part((1, 1)) != walled.part((1, 3)) != -1
    assert walled.part((3, 2)) == -1
    assert walled.part((5, 5)) == -1


def test_holes_and_islands() -> None:
    rings = [[[0, 0], [8, 0], [8, 8], [0, 8]], [[1, 1], [7, 1], [7, 7], [1, 7]], [[3, 3], [5, 3], [5, 5], [3, 5]]]
    space = free_space(World.of((0, 0, 8, 8), rings))
    assert space.parts == 1
    assert space.free([[0.5, 4], [2, 4], [4, 4], [3, 4], [8, 8]]).tolist() == [False, True, False, True, False]
    assert free_space(World.of((0, 0, 8, 8), rings[:1])).size == 0
    assert free_space(World.of((0, 0, 8, 8), [])).size == 4


def test_the_same_world_has_one_free_space() -> None:
    world = World.of((0, 0, 6, 6), [SQUARE])
    assert free_space(world) is free_space(world)


BOW = [[1, 1], [4, 4], [4, 1], [1, 4]]


@pytest.mark.parametrize(
    ("rings", "text"),
    [
        ([SQUARE, BOW], r"obstacle ring 1 crosses or touches itself; found self-intersection at \(2.5, 2.5\)"),
        ([[[1, 1], [2, 2], [3, 3]]], "obstacle ring 0 has no area"),
        ([[[1, 1], [1, 1], [1, 1]]], "obstacle ring 0 has no area"),
        ([SQUARE, [[2, 2], [4, 2], [4, 4], [2, 4]]], "obstacle rings 0 and 1 overlap; found .* lies in both"),
        ([SQUARE, SQUARE[::-1]], "obstacle rings 0 and 1 overlap"),
        ([[[0, 0], [4, 0], [4, 4], [2, 0], [0, 4]]], "obstacle ring 0 crosses or touches itself"),
    ],
)
def test_rings_that_are_no_polygons(rings: list, text: str) -> None:
    world = World.of((0, 0, 9, 9), rings)
    with pytest.raises(InputError, match=text):
        check_world(world)
    with pytest.raises(InputError, match="expected"):
        free_space(world)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_coordinates_that_are_not_finite(value: float) -> None:
    with pytest.raises(InputError, match=r"corner 1 of obstacle ring 1; found \(.*; expected finite"):
        World.of((0, 0, 9, 9), [SQUARE, [[5, 5], [value, 6], [7, 7]]])
    with pytest.raises(InputError, match=r"corner 1 of obstacle ring 1; found"):
        World((0, 0, 9, 9), [*SQUARE, [5, 5], [value, 6], [7, 7]], [0, 4, 7])
    with pytest.raises(InputError, match="NaN"):
        free_space(World.of((0, 0, 9, 9), [])).sees((np.nan, 1), (1, 1))


@pytest.mark.parametrize("thing", [Grid.from_text("..\n.."), None, [1, 2]])
def test_what_is_no_world_is_refused(thing):
    makers = [free_space, check_world, visibility, triangulation, merging, deaccon, space_filling_volumes, mesh_graph]
    for make in makers:
        with pytest.raises(InputError, match="no world of polygons; found"):
            make(thing)
