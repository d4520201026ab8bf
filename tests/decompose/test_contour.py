"""Outlines of grey pictures: true corners from anti-aliased drawings, topology, the border, what counts as grey."""

from itertools import combinations, pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image, ImageDraw

from anabasis.decompose.contour import contour, is_grey
from anabasis.decompose.free_space import free_space
from anabasis.decompose.obstacles import world_of_picture
from anabasis.decompose.polygons import blocked_of, check_world, polygons_of

SIZE = 140
FINER = 8


def drawn(polygons: list[np.ndarray]) -> np.ndarray:
    """Black polygons on white, drawn eight times as fine and reduced."""
    picture = Image.new("L", (SIZE * FINER, SIZE * FINER), 255)
    for polygon in polygons:
        ImageDraw.Draw(picture).polygon([tuple(p) for p in (polygon * FINER - 0.5).tolist()], fill=0)
    return np.array(picture.reduce(FINER))


def sampled(polygons: list[np.ndarray]) -> np.ndarray:
    """The same, black where the centre of a fine pixel lies inside: Pillow also draws the outline, 1/16 pixel wide."""
    y, x = (np.mgrid[: SIZE * FINER, : SIZE * FINER] + 0.5) / FINER
    inside = np.zeros(x.shape, bool)
    for polygon in map(shapely.Polygon, polygons):
        shapely.prepare(polygon)
        inside |= shapely.contains_xy(polygon, x, y)
    return np.round(255 * (1 - inside.reshape(SIZE, FINER, SIZE, FINER).mean(axis=(1, 3)))).astype(np.uint8)


def turned(corners: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    a = rng.uniform(0, np.pi)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return corners @ turn + SIZE / 2 + rng.uniform(-3, 3, 2)


def rectangle(rng: np.random.Generator) -> np.ndarray:
    return turned(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * rng.uniform(5, 40, 2), rng)


def octagon(rng: np.random.Generator) -> np.ndarray:
    (x, y), cut = rng.uniform(3, 20, 2), rng.uniform(3, 12)
    corners = [(-x, -y - cut), (x, -y - cut), (x + cut, -y), (x + cut, y)]
    corners += [(x, y + cut), (-x, y + cut), (-x - cut, y), (-x - cut, -y)]
    return turned(np.array(corners), rng)


def rings_of(points: np.ndarray, rings: np.ndarray) -> list[shapely.Polygon]:
    return [shapely.Polygon(points[a:b]) for a, b in pairwise(rings)]


@pytest.mark.parametrize(("make", "corners"), [(rectangle, 4), (octagon, 8)])
@pytest.mark.parametrize(("draw", "mean", "most", "wider"), [(drawn, 0.22, 0.35, 0.1), (sampled, 0.12, 0.32, 0.02)])
def test_slanted_shapes_come_back_with_their_corners(make, corners, draw, mean, most, wider) -> None:
    rng, distances = np.random.default_rng(1), []
    for _ in range(40):
        truth = make(rng)
        world = world_of_picture(draw([truth]))
        assert len(world.points) == corners
        old, new = shapely.Polygon(truth), polygons_of(world)[0]
        distances.append(shapely.hausdorff_distance(old.boundary, new.boundary, densify=0.02))
        assert abs(new.area - old.area) < wider * old.length
    assert np.mean(distances) < mean
    assert np.max(distances) < most


def test_holes_and_islands_of_grey_pictures() -> None:
    rng = np.random.default_rng(3)
    shape = turned(np.array([[-40, -40], [40, -40], [40, 40], [-40, 40]]), rng)
    centre = shape.mean(axis=0)
    hole, island = ((shape - centre) * share + centre for share in (0.7, 0.3))
    outer, inner = drawn([shape]).astype(int), drawn([hole]).astype(int)
    picture = (outer + 255 - inner - (255 - drawn([island]).astype(int))).clip(0, 255).astype(np.uint8)
    world = world_of_picture(picture)
    check_world(world)
    assert np.diff(world.rings).tolist() == [4, 4, 4]
    assert blocked_of(world).area == pytest.approx(6400 * (1 - 0.49 + 0.09), rel=0.01)
    assert len(shapely.get_parts(blocked_of(world))) == 2


def test_a_slanted_wall_through_the_picture_meets_the_border_where_it_should() -> None:
    for angle in (0.1, 0.4, 0.8, 1.2):
        way, side = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        wall = np.array([way * a * 200 + side * b * 6 + SIZE / 2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        world = world_of_picture(sampled([wall]))
        truth = shapely.Polygon(wall) & shapely.box(0, 0, SIZE, SIZE)
        found = polygons_of(world)[0]
        assert len(world.points) == len(shapely.get_coordinates(truth)) - 1
        assert shapely.hausdorff_distance(found.boundary, truth.boundary, densify=0.01) < 0.15
        at_border = ((world.points == 0) | (world.points == SIZE)).any(axis=1)
        assert at_border.sum() >= 4


def test_a_notch_at_the_border_stays_free() -> None:
    picture = np.zeros((12, 30), np.uint8)
    picture[0, 10:15] = (100, 140, 200, 140, 100)  # shallower than the tolerance
    assert is_grey(picture, 128)
    assert free_space(world_of_picture(picture, tolerance=3)).parts == 1


PICTURES = arrays(np.uint8, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.integers(0, 255))


@given(PICTURES, st.integers(1, 255))
@settings(max_examples=150, deadline=None)
def test_the_contour_holds_the_centres_of_dark_pixels_and_reaches_the_border(picture, threshold) -> None:
    dark = picture < threshold
    height, width = dark.shape
    rings = rings_of(*contour(picture, threshold))
    assert shapely.is_valid(rings).all()
    assert not any(a.exterior.intersects(b.exterior) for a, b in combinations(rings, 2))
    y, x = np.mgrid[:height, :width] + 0.5
    inside = np.zeros(dark.shape, int)
    for ring in rings:
        inside += shapely.contains_xy(ring, x, y)
    assert (inside % 2 == dark).all()
    edges = shapely.union_all([r.exterior for r in rings])
    for pixels, place in (
        (dark[0], lambda k: (k + 0.5, 0)),
        (dark[-1], lambda k: (k + 0.5, height)),
        (dark[:, 0], lambda k: (0, k + 0.5)),
        (dark[:, -1], lambda k: (width, k + 0.5)),
    ):
        for k, is_dark in enumerate(pixels):
            assert (edges.distance(shapely.Point(place(k))) < 1e-9) == is_dark


@given(PICTURES, st.integers(1, 255), st.sampled_from([0.0, 0.5, 1.0, 4.0]))
@settings(max_examples=100, deadline=None)
def test_noise_keeps_its_topology(picture, threshold, tolerance) -> None:
    world, exact = (world_of_picture(picture, threshold=threshold, tolerance=t) for t in (tolerance, 0.0))
    check_world(world)
    assert len(world.rings) == len(exact.rings)
    for new, old in zip(polygons_of(world), polygons_of(exact), strict=True):
        assert shapely.hausdorff_distance(new.boundary, old.boundary, densify=0.05) <= tolerance + 1e-9
    height, width = picture.shape
    frame = shapely.box(0, 0, width, height)
    assert blocked_of(world).difference(frame).is_empty
    now, before = (shapely.get_parts(shapely.difference(frame, blocked_of(w))) for w in (world, exact))
    assert len(now) == len(before)


@pytest.mark.parametrize(("middle", "number"), [(60, 1), (200, 2)])
def test_dark_corners_that_touch_are_joined_by_a_dark_middle(middle: int, number: int) -> None:
    picture = np.full((9, 9), 255, np.uint8)
    picture[2:4, 2:4] = picture[4:6, 4:6] = 0
    picture[3, 4] = picture[4, 3] = 128 + middle // 2
    picture[3, 3] = picture[4, 4] = middle // 3
    assert is_grey(picture, 128)
    assert len(world_of_picture(picture, tolerance=0).rings) - 1 == number


def test_only_soft_edges_are_grey() -> None:
    picture = np.full((40, 40), 250, np.uint8)
    picture[5:20, 5:20] = 3
    assert not is_grey(picture, 128)
    picture[25:35, 5:20] = 90  # another grey, with hard edges
    picture += np.random.default_rng(2).integers(0, 5, picture.shape).astype(np.uint8)
    assert not is_grey(picture, 128)
    assert world_of_picture(picture).points.tolist() == np.round(world_of_picture(picture).points).tolist()
    assert is_grey(drawn([rectangle(np.random.default_rng(0))]), 128)
    assert not is_grey(np.full((3, 3), 9, np.uint8), 128)
