"""Obstacles from pictures: within the tolerance, valid, of the same topology, few corners; and grown obstacles."""

import numpy as np
import pytest
import shapely
from PIL import Image, ImageDraw
from polygon_cases import worlds
from scipy import ndimage

from anabasis.decompose.free_space import free_space
from anabasis.decompose.obstacles import grow, grow_grid, merged_world, world_of_picture
from anabasis.decompose.polygons import blocked_of, check_world
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.world import World


def octagons(seed: int, count: int) -> np.ndarray:
    """A picture of 450 × 300 pixels with octagons that are apart, of edges parallel to the axes and the diagonals."""
    rng = np.random.default_rng(seed)
    picture = Image.new("L", (450, 300), 255)
    for k in range(count):
        cut = int(rng.integers(2, 9))
        x0, y0 = k % 11 * 40 + 4, k // 11 * 36 + 4
        x1, y1 = x0 + 2 * cut + int(rng.integers(2, 16)), y0 + 2 * cut + int(rng.integers(2, 14))
        corners = [(x0 + cut, y0), (x1 - cut, y0), (x1, y0 + cut), (x1, y1 - cut)]
        corners += [(x1 - cut, y1), (x0 + cut, y1), (x0, y1 - cut), (x0, y0 + cut)]
        ImageDraw.Draw(picture).polygon(corners, fill=0)
    return np.array(picture)


def cave(seed: int, size: int = 90, blur: float = 2.0) -> np.ndarray:
    """A picture of grey clouds."""
    clouds = ndimage.gaussian_filter(np.random.default_rng(seed).random((size, size + 20)), blur)
    return np.round((clouds - clouds.min()) / (clouds.max() - clouds.min()) * 255).astype(np.uint8)


def numbers(world: World) -> tuple[int, int, int]:
    """How many rings, obstacles and free parts there are."""
    return len(world.rings) - 1, len(shapely.get_parts(blocked_of(world))), free_space(world).parts


@pytest.mark.parametrize("count", [16, 24, 42, 74, 86])
@pytest.mark.parametrize("tolerance", [0.5, 1.0])
def test_octagons_have_eight_corners(count: int, tolerance: float) -> None:
    world = world_of_picture(octagons(count, count), tolerance=tolerance)
    assert np.diff(world.rings).tolist() == [8] * count
    assert free_space(world).turning.sum() == 8 * count
    ways = np.roll(world.points.reshape(-1, 8, 2), -1, axis=1) - world.points.reshape(-1, 8, 2)
    straight, slanted = (ways == 0).any(axis=2), abs(ways[..., 0]) == abs(ways[..., 1])
    assert (straight | slanted).all()  # edges at 0°, 45° and 90° come back as such


def test_rectangles_come_back_as_they_are() -> None:
    picture = np.full((40, 60), 255, np.uint8)
    picture[3:9, 5:30] = picture[20:21, 20:21] = picture[30:40, 50:60] = 0
    picture[5:7, 10:20] = 255
    world = world_of_picture(picture)
    assert sorted(np.diff(world.rings).tolist()) == [4, 4, 4, 4]
    assert blocked_of(world).equals(blocked_of(world_of_picture(picture, tolerance=0)))


def test_slanted_rectangles_have_few_corners() -> None:
    rng, corners = np.random.default_rng(5), []
    for _ in range(20):
        a, half = rng.uniform(0, np.pi), rng.uniform(20, 60, 2)
        y, x = np.mgrid[:200, :200] - 99.5
        inside = (abs(x * np.cos(a) + y * np.sin(a)) < half[0]) & (abs(y * np.cos(a) - x * np.sin(a)) < half[1])
        world = world_of_picture(np.where(inside, 0, 255).astype(np.uint8))
        corners.append(len(world.points))
        assert blocked_of(world).area == pytest.approx(4 * half.prod(), rel=0.02)
    assert min(corners) == 4
    assert np.mean(corners) < 5.5


@pytest.mark.parametrize("tolerance", [0.4, 0.75, 1.0, 2.0, 6.0])
def test_outlines_stay_within_the_tolerance_and_keep_their_topology(tolerance: float) -> None:
    for seed, blur, hard in ((1, 2.0, False), (2, 1.0, False), (3, 0.6, False), (1, 2.0, True), (2, 0.6, True)):
        picture = cave(seed, 60, blur)
        if hard:
            picture = np.where(picture < 120, 0, 255).astype(np.uint8)
        exact = world_of_picture(picture, tolerance=0, threshold=120)
        world = world_of_picture(picture, tolerance=tolerance, threshold=120)
        check_world(world)
        assert numbers(world) == numbers(exact)
        assert len(world.points) <= len(exact.points)
        for k in range(len(world.rings) - 1):  # rings keep their numbers
            old, new = (shapely.LinearRing(w.points[w.rings[k] : w.rings[k + 1]]) for w in (exact, world))
            assert shapely.hausdorff_distance(old, new, densify=0.02) <= tolerance + 1e-9


def test_dark_pixels_are_the_obstacles_without_tolerance() -> None:
    picture = np.where(cave(4, 40, 1.0) < 130, 100, 200).astype(np.uint8)
    world = world_of_picture(picture, threshold=130, tolerance=0)
    y, x = np.nonzero(picture < 130)
    dark = shapely.union_all(shapely.box(x, y, x + 1, y + 1))
    assert shapely.symmetric_difference(dark, blocked_of(world)).area == 0
    assert len(world_of_picture(np.full((4, 5), 255, np.uint8)).points) == 0
    assert free_space(world_of_picture(np.zeros((4, 5), np.uint8))).size == 0


def test_what_touches_the_border_still_does() -> None:
    picture = np.full((30, 30), 255, np.uint8)
    for k in range(30):
        picture[k, max(0, 14 - k // 3) : 16 + k // 4] = 0  # a wedge from the upper border to the lower one
    world = world_of_picture(picture, tolerance=3)
    assert len(world.points) <= 8
    assert free_space(world).parts == 2
    assert {0.0, 30.0} <= set(world.points[:, 1].tolist())


@pytest.mark.parametrize(
    ("picture", "options", "text"),
    [
        (np.zeros((0, 3), np.uint8), {}, "the picture is empty"),
        (np.zeros((3, 3, 3), np.uint8), {}, "picture has the wrong shape"),
        (np.full((3, 3), 300), {}, "picture is out of range"),
        (np.zeros((3, 3), np.uint8), {"threshold": 0}, "threshold of a picture"),
        (np.zeros((3, 3), np.uint8), {"tolerance": -1}, "tolerance of outlines"),
    ],
)
def test_wrong_pictures(picture: np.ndarray, options: dict, text: str) -> None:
    with pytest.raises(InputError, match=text):
        world_of_picture(picture, **options)


@pytest.mark.parametrize("error", [0.1, 0.01, 0.0001])
def test_grown_obstacles_hold_the_true_sum_and_little_more(error: float) -> None:
    for world, _ in worlds(30, seed=12):
        radius = 0.3
        grown, blocked = grow(world, radius, error=error), blocked_of(world)
        x0, y0, x1, y1 = world.bounds
        assert grown.bounds == (x0 + radius, y0 + radius, x1 - radius, y1 - radius)
        check_world(grown)
        if blocked.is_empty:
            continue
        true = shapely.buffer(blocked, radius, quad_segs=2000)  # a hair within the true one
        assert shapely.difference(true, blocked_of(grown)).area < 1e-9
        assert (
            shapely.difference(blocked_of(grown), shapely.buffer(true, radius * error + 1e-6, quad_segs=500)).area
            < 1e-9
        )


def test_mitred_corners_stay_corners() -> None:
    octagon = [[3, 1], [5, 1], [7, 3], [7, 5], [5, 7], [3, 7], [1, 5], [1, 3]]
    grown = grow(World.of((-2, -2, 10, 10), [octagon]), 1.0, error=0.1)
    assert len(grown.points) == 8
    assert grown.points.min() == pytest.approx(0)
    square = World.of((0, 0, 9, 9), [[[3, 3], [5, 3], [5, 5], [3, 5]]])
    assert blocked_of(grow(square, 1.0, error=0.5)).equals(shapely.box(2, 2, 6, 6))
    assert len(grow(square, 1.0, error=0.1).points) == 8
    world = World.of((0, 0, 9, 9), [octagon])
    assert grow(world, 0) is world


def test_overlapping_polygons_are_merged() -> None:
    rng = np.random.default_rng(8)
    shapes = [rng.uniform(0, 20, (3, 2)) for _ in range(25)]
    world = merged_world((0, 0, 20, 20), [*shapes, [[9, 9], [11, 9], [11, 11], [9, 11]]])
    check_world(world)
    points = rng.uniform(0, 20, (500, 2))
    inside = shapely.intersects(shapely.points(points)[:, None], [shapely.Polygon(s) for s in shapes]).any(axis=1)
    square = (abs(points - 10) < 1).all(axis=1)
    assert (free_space(world).free(points) == ~(inside | square)).all()
    assert len(merged_world((0, 0, 9, 9), []).points) == 0
    with pytest.raises(InputError, match="obstacle ring 1 crosses or touches itself"):
        merged_world((0, 0, 9, 9), [[[0, 0], [1, 0], [1, 1]], [[1, 1], [4, 4], [4, 1], [1, 4]]])


@pytest.mark.parametrize("radius", [0, 0.3, 0.5, 0.5000001, 0.75, 1, 1.5, 2.2, 2.5**0.5, 40])
def test_cells_for_a_disc_are_those_of_plain_distances(radius: float) -> None:
    rng = np.random.default_rng(6)
    for _ in range(12):
        free = rng.random(rng.integers(1, 14, 2)) < 0.85
        found = grow_grid(Grid.from_free(free), radius)
        ys, xs = np.nonzero(~np.pad(free, 1))
        for y, x in np.ndindex(*free.shape):
            gaps = [np.maximum(2 * abs(v - c) - 1, 0) for v, c in ((xs, x + 1), (ys, y + 1))]
            near = (gaps[0] ** 2 + gaps[1] ** 2).min()
            assert found.is_free(x, y) == (free[y, x] and near >= 4 * radius**2)


def test_growing_a_grid_keeps_prices() -> None:
    grid = Grid.from_text("2345\n3456\n456#")
    grown = grow_grid(grid, 0.5)
    assert (grown.cost == grid.cost).all()
    grown = grow_grid(grid, 0.6)
    assert grown.cost[1, 1] == 4
    assert chr(grown.terrain[0, 0]) == "@"
    assert grown.free.sum() == 2


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda w: grow(w, -1), "radius of a unit"),
        (lambda w: grow(w, 2), "radius of a unit; found 2; expected less than half of 4"),
        (lambda w: grow(w, 1, error=0), "error of a grown obstacle"),
        (lambda _: grow_grid(Grid.from_text("."), float("inf")), "radius of a unit"),
    ],
)
def test_wrong_options_of_growing(call, text: str) -> None:
    with pytest.raises(InputError, match=text):
        call(World.of((0, 0, 9, 4), []))
