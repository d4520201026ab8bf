"""Layers and pages: their checks, straightened lines, parts of images, and where things go on the page."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anabasis.errors import InputError
from anabasis.view.layers import Arrows, Circles, ImageLayer, Labels, Polygons, Polylines, Scene, Swatch, dots
from anabasis.view.layout import arrange, cut_text, text_width

RED = (255, 0, 0, 255)


def test_wrong_layers_are_refused():
    with pytest.raises(InputError, match="indptr of polylines"):
        Polylines(np.zeros((3, 2)), np.array([0, 2]), RED, 1.0)
    with pytest.raises(InputError, match="indptr of polygons"):
        Polygons(np.zeros((3, 2)), np.array([0, 4, 3]), RED)
    with pytest.raises(InputError, match="pixels of an image"):
        ImageLayer(np.zeros((2, 2), np.uint8), (0, 0, 1, 1))
    with pytest.raises(InputError, match="radii"):
        Circles(np.zeros((2, 2)), np.ones(3), np.zeros((2, 4), np.uint8))
    with pytest.raises(InputError, match="points of labels"):
        Labels(np.zeros((2, 2)), ("one",), 1.0)
    with pytest.raises(InputError, match="bounds of a scene"):
        Scene((0, 0, 0, 5))


@given(st.lists(st.lists(st.sampled_from([(1, 0), (0, 1), (1, 1), (0, 0), (-1, 0)]), max_size=12), max_size=5))
def test_straightened_lines_keep_their_ends_and_their_length(steps):
    lines = [np.cumsum([(5, 5), *line], axis=0).astype(float) for line in steps]
    before = Polylines.of(lines, RED, 1.0)
    after = before.straightened()
    assert len(after.indptr) == len(before.indptr)
    for k, line in enumerate(lines):
        kept = after.points[after.indptr[k] : after.indptr[k + 1]]
        assert kept[0].tolist() == line[0].tolist()
        assert kept[-1].tolist() == line[-1].tolist()
        lengths = [np.linalg.norm(np.diff(points, axis=0), axis=1).sum() for points in (kept, line)]
        assert lengths[0] == pytest.approx(lengths[1])


def test_a_straight_line_becomes_two_points_and_an_empty_one_stays():
    lines = [np.array([[k, 0.0] for k in range(9)]), np.zeros((0, 2)), np.array([[k, k / 2] for k in range(4)])]
    assert Polylines.of(lines, RED, 1.0).straightened().indptr.tolist() == [0, 2, 2, 4]


def test_part_of_an_image_keeps_its_place():
    pixels = np.arange(6 * 8 * 3, dtype=np.uint8).reshape(6, 8, 3)
    whole = ImageLayer(pixels, (10, 20, 26, 26))  # a pixel is 2 wide and 1 high
    part = whole.within((13, 21.5, 17, 24))
    assert part.extent == (12, 21, 18, 24)
    assert np.array_equal(part.pixels, pixels[1:4, 1:4])
    assert whole.within((0, 0, 99, 99)) is whole
    assert whole.within((90, 90, 99, 99)).pixels.shape == (1, 1, 3)


def test_arrows_have_a_shaft_and_a_head_at_the_tip():
    shafts, heads = Arrows(np.array([[0.0, 0.0], [1, 1]]), np.array([[10.0, 0.0], [1, 1]]), RED, 0.4).shapes()
    assert heads.points[0].tolist() == [10, 0]
    assert shafts.points[1].tolist() == [8, 0]
    assert np.isfinite(heads.points).all()  # an arrow without length too


def test_the_head_of_a_short_arrow_is_half_of_it():
    shafts, heads = Arrows(np.array([[0.0, 0.0]]), np.array([[2.0, 0.0]]), RED, 0.4).shapes()
    assert shafts.points.tolist() == [[0, 0], [1, 0]]
    assert heads.points[:, 0].tolist() == [2, 1, 1]


@given(
    st.floats(0.5, 20_000),
    st.floats(0.5, 20_000),
    st.integers(64, 3000),
    st.text(max_size=200),
    st.lists(st.text(max_size=60), max_size=12),
)
def test_every_page_holds_its_map_and_its_legend(w, h, width, title, labels):
    scene = Scene((0, 0, w, h), legend=tuple(Swatch(label, RED) for label in labels), title=title)
    page = arrange(scene, width)
    assert page.width <= width
    assert page.left >= 0
    assert page.left + page.map_width <= page.width
    assert page.top + page.map_height <= page.height
    assert page.height <= 1.25 * width + 400 + 30 * len(labels) * max(width / 800, 1)


def test_cells_are_a_whole_number_of_pixels_on_a_small_map():
    page = arrange(Scene((0, 0, 21, 13)), 800)
    assert page.scale == int(page.scale) == page.map_width / 21 == page.map_height / 13


@given(st.text(max_size=80), st.floats(20, 400))
def test_cut_text_fits(text, width):
    cut = cut_text(text, 12, width)
    assert text_width(cut, 12) <= width
    assert "\n" not in cut


def test_a_picture_has_a_sensible_width():
    for width in (10, 10**6):
        with pytest.raises(InputError, match="width of a picture"):
            arrange(Scene((0, 0, 1, 1)), width)


def test_a_scene_grows_by_layers_on_top():
    scene = Scene((0, 0, 5, 5), title="a").over(dots([[1, 1]], 1, RED), legend=(Swatch("x", RED),))
    assert len(scene.layers) == len(scene.legend) == 1
    assert scene.title == "a"
    assert scene.over(title="b").title == "b"
    assert scene.window(1, 2, 3, 4).bounds == (1, 2, 3, 4)
