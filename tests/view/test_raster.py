"""PNG and GIF: the right colour at the right pixel, y down."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.view.layers import Arrows, ImageLayer, Labels, Polygons, Polylines, Scene, Swatch, dots
from anabasis.view.layout import arrange
from anabasis.view.palette import BLOCKED, FREE, GROUP_COLOURS, TERRAIN
from anabasis.view.raster import _letters, animate, render, to_png
from anabasis.view.scene import frame_scene, map_scene

RED, GREEN, BLUE = (255, 0, 0, 255), (0, 160, 0, 255), (0, 0, 255, 255)


class Drawn:
    """A scene as PNG, asked by places on the map."""

    def __init__(self, scene, pixels=600):
        buffer = io.BytesIO()
        to_png(scene, buffer, pixels=pixels)
        self.image = np.asarray(Image.open(buffer).convert("RGB"))
        self.page, self.bounds = arrange(scene, pixels), scene.bounds

    def at(self, x, y):
        column = self.page.left + (x - self.bounds[0]) * self.page.scale
        row = self.page.top + (y - self.bounds[1]) * self.page.scale
        return tuple(self.image[int(row), int(column)].tolist())


def near(colour, expected, tolerance=3):
    return max(abs(a - b) for a, b in zip(colour, expected[:3], strict=True)) <= tolerance


def test_every_cell_of_a_map_has_its_colour(grid):
    scene = map_scene(grid)
    drawn = Drawn(scene)
    for y in range(grid.height):
        for x in range(grid.width):
            assert drawn.at(x + 0.5, y + 0.5) == tuple(scene.layers[0].pixels[y, x].tolist()), (x, y)
    assert drawn.at(9.5, 0.5) == BLOCKED[:3]
    assert drawn.at(3.5, 2.5) == TERRAIN["W"][1][:3]


@pytest.mark.parametrize("pixels", [97, 300, 1234])
def test_edges_of_cells_lie_where_they_should(pixels):
    drawn = Drawn(map_scene(Grid.from_text("..#..\n..#..")), pixels)
    edge = 2 / drawn.page.scale
    for y in (0.3, 1.7):
        assert drawn.at(2 - edge, y) == drawn.at(3 + edge, y) == FREE[:3]
        assert drawn.at(2 + edge, y) == drawn.at(3 - edge, y) == BLOCKED[:3]


def test_unit_is_drawn_at_its_place_with_its_size(grid, scenario, trace):
    drawn = Drawn(frame_scene(grid, scenario, trace, 0, title=""))
    for (x, y), group in zip(trace.positions[0], (0, 0, 1), strict=True):
        assert near(drawn.at(x - 0.12, y - 0.12), GROUP_COLOURS[group])
    x, y = trace.positions[0, 0]
    assert near(drawn.at(x - 0.3, y), GROUP_COLOURS[0])
    assert drawn.at(x - 0.46, y) == FREE[:3]
    assert drawn.at(x, y - 0.46) == FREE[:3]
    assert not near(drawn.at(x, y + 0.2), GROUP_COLOURS[0])  # the heading, a quarter turn clockwise from +x: down
    assert near(drawn.at(x, y - 0.2), GROUP_COLOURS[0])


def test_later_layers_cover_earlier_ones_and_later_circles_too():
    scene = Scene((0, 0, 9, 9), (dots([[4, 4]], 2, RED), dots([[5, 4]], 2, GREEN), dots([[4, 6]], 1, BLUE)))
    drawn = Drawn(scene)
    assert drawn.at(2.5, 4) == RED[:3]
    assert drawn.at(4, 4) == GREEN[:3]
    assert drawn.at(4, 5.5) == BLUE[:3]


def test_translucent_lines_of_one_layer_do_not_add_up_but_layers_do():
    half = (0, 0, 0, 128)
    across = [np.array([[1.0, 5], [9, 5]]), np.array([[5.0, 1], [5, 9]])]
    one = Drawn(Scene((0, 0, 10, 10), (Polylines.of(across, half, 1.0),)))
    two = Drawn(Scene((0, 0, 10, 10), tuple(Polylines.of([line], half, 1.0) for line in across)))
    assert near(one.at(5, 5), (127, 127, 127))
    assert one.at(5, 5) == one.at(3, 5) == one.at(5, 7)
    assert one.at(2, 2) == (255, 255, 255)
    assert near(two.at(3, 5), (127, 127, 127))
    assert near(two.at(5, 5), (63, 63, 63))


def test_shapes_are_filled_and_outlined():
    ring = np.array([[2.0, 2], [8, 2], [8, 8], [2, 8]])
    scene = Scene(
        (0, 0, 20, 10),
        (
            Polygons(ring, np.array([0, 4]), RED, BLUE, 0.4),
            Arrows(np.array([[11.0, 5]]), np.array([[19.0, 5]]), GREEN, 0.5),
        ),
    )
    drawn = Drawn(scene)
    assert drawn.at(5, 5) == RED[:3]
    assert near(drawn.at(2.05, 5), BLUE, 40)
    assert drawn.at(12, 5) == drawn.at(18, 5) == GREEN[:3]
    assert drawn.at(9.5, 5) == (255, 255, 255)


def test_a_line_is_as_wide_as_it_says():
    drawn = Drawn(Scene((0, 0, 20, 20), (Polylines.of([np.array([[2.0, 10], [18, 10]])], RED, 2.0),)))
    column = drawn.image[:, drawn.page.left + drawn.page.map_width // 2]
    red = ((column[:, 0] > 128) & (column[:, 1] < 128)).sum()
    assert red == pytest.approx(2 * drawn.page.scale, abs=1.5)


@pytest.mark.parametrize(
    "way",
    [
        [(5.0, 5.0), (5.0 - 3e-13, 5.0003), (5.0 - 3e-13, 5.0003)],  # all but stands still, and then does
        [(5.0, 4.0), (5.0, 6.0), (5.0 + 2e-9, 4.0)],  # goes back by all but the same way
    ],
)
def test_a_line_that_turns_round_stays_where_it_is(way):
    scene = Scene((0, 0, 10, 10), (Polylines.of([way], (0, 0, 0, 255), 0.02),))
    page = arrange(scene, 1000)
    drawn = np.asarray(render(scene, pixels=1000).convert("L"))[page.top :, page.left :]
    inside = drawn[5 : page.map_height - 5, 5 : page.map_width - 5]  # of the frame
    places = np.argwhere(inside < 255)[:, ::-1] + 5
    assert len(places)
    assert (places >= np.min(way, 0) * page.scale - 3).all() and (places <= np.max(way, 0) * page.scale + 3).all()


def test_who_stands_still_is_a_dot():
    drawn = render(Scene((0, 0, 10, 10), (Polylines.of([[(5, 5), (5, 5)]], (0, 0, 0, 255), 0.001),)), pixels=1000)
    assert np.asarray(drawn.convert("L"))[450:550, 450:550].min() < 255


def test_image_with_transparency_lets_the_ground_through():
    pixels = np.zeros((1, 2, 4), np.uint8)
    pixels[0, 1] = BLUE
    scene = Scene((0, 0, 2, 1), (ImageLayer(pixels, (0, 0, 2, 1)),), background=(9, 99, 9, 255))
    assert Drawn(scene).at(0.5, 0.5) == (9, 99, 9)
    assert Drawn(scene).at(1.5, 0.5) == BLUE[:3]


def test_window_shows_the_part_enlarged(grid):
    drawn = Drawn(map_scene(grid).window(2, 1, 5, 3))
    assert drawn.at(3.1, 1.1) == drawn.at(3.9, 1.9) == TERRAIN["S"][1][:3]
    assert drawn.at(3.5, 2.5) == TERRAIN["W"][1][:3]
    assert drawn.page.scale > 100


def test_big_map_is_averaged_down():
    free = np.zeros((2000, 2000), bool)
    free[:, ::2] = True
    drawn = Drawn(map_scene(Grid.from_free(free)), 300)
    middle = tuple((a + b) // 2 for a, b in zip(FREE[:3], BLOCKED[:3], strict=True))
    assert near(drawn.at(1000, 1000), middle, 12)


def test_letters_that_the_font_lacks_are_replaced():
    assert _letters("Žluťoučký\n kůň") == "Zlutoucky kun"
    assert _letters("2 × 3 – 東") == "2 x 3 - ?"
    assert _letters("1/∞/10") == "1/inf/10"


def test_hostile_texts_are_drawn():
    hostile = "<b>\x00\x1b" + "x" * 500 + "\ud800"
    scene = Scene((0, 0, 9, 9), (Labels(np.ones((1, 2)), (hostile,), 1.0),), (Swatch(hostile, RED),), hostile)
    assert Drawn(scene).image.shape[1] <= 600


def test_width_is_kept_and_the_file_is_written(tmp_path, grid):
    to_png(map_scene(grid), tmp_path / "map.png", pixels=500)
    with Image.open(tmp_path / "map.png") as image:
        assert 400 < image.width <= 500
    with pytest.raises(InputError, match="can't be written"):
        to_png(map_scene(grid), tmp_path / "none" / "map.png")


def test_same_scene_gives_the_same_pixels(grid, scenario, trace):
    scene = frame_scene(grid, scenario, trace, 1)
    assert render(scene).tobytes() == render(scene).tobytes()


def test_animation_has_its_frames_and_ends_with_the_last(tmp_path, scenario, trace):
    assert animate(scenario, trace, tmp_path / "run.gif", pixels=300) == 4
    with Image.open(tmp_path / "run.gif") as image:
        assert image.n_frames == 4
        assert image.width <= 300
        assert image.info["loop"] == 0
        image.seek(3)
        last = np.asarray(image.convert("RGB")).astype(int)
    expected = np.asarray(render(frame_scene(scenario.grid, scenario, trace, 3), pixels=300)).astype(int)
    shape = expected.shape
    assert np.abs(last[: shape[0], : shape[1]] - expected).mean() < 6


def test_animation_skips_frames_and_repeats_exactly(scenario, trace):
    first, second = io.BytesIO(), io.BytesIO()
    assert animate(scenario, trace, first, pixels=200, frames=2) == 2
    assert animate(scenario, trace, second, pixels=200, frames=2) == 2
    assert first.getvalue() == second.getvalue()
    assert animate(scenario, trace, io.BytesIO(), pixels=200, frames=1) == 1


@pytest.mark.parametrize("wish", [{"pixels": 5000}, {"pixels": 10}, {"frames": 0}, {"rate": 0}, {"rate": 1000}])
def test_animation_has_limits(scenario, trace, wish):
    with pytest.raises(InputError, match="of an animation"):
        animate(scenario, trace, io.BytesIO(), **wish)
