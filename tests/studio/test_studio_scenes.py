from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from anabasis.grid import Grid
from anabasis.studio import scenes
from anabasis.studio.channel import Channel
from anabasis.studio.scenes import said_scene, say_scene
from anabasis.studio.wire import Message, unpack
from anabasis.view.ground import map_scene, quiet_colours
from anabasis.view.layers import (
    Arrows,
    Circles,
    ImageLayer,
    Labels,
    Layer,
    Polygons,
    Polylines,
    Ramp,
    Scene,
    Swatch,
    dots,
)
from anabasis.view.palette import RAMP

RED, HALF = (200, 0, 0, 255), (0, 0, 200, 128)
POINTS = np.array([[0.5, 0.25], [1.0, 2.0], [3.0, 1.5], [2.0, 0.5], [0.125, 1.0]])
ROWS = np.array([0, 2, 5])
LAYERS: tuple[Layer, ...] = (
    ImageLayer(np.arange(36, dtype=np.uint8).reshape(3, 4, 3), (0, 0, 4, 3)),
    ImageLayer(np.arange(48, dtype=np.uint8).reshape(3, 4, 4), (0.5, 0, 4, 2)),
    Polylines(POINTS, ROWS, HALF, 0.25),
    Circles(POINTS, np.arange(5) / 4, np.arange(20, dtype=np.uint8).reshape(5, 4), RED, 0.125),
    dots(POINTS, 0.5, RED),
    Polygons(POINTS, ROWS, HALF, RED, 0.5),
    Polygons(POINTS, ROWS, HALF),
    Arrows(POINTS, POINTS[::-1], RED, 0.125),
    Labels(POINTS[:2], ("<b>&amp;", "two\nlines"), 0.75, RED, "start", True),
)


def _said(scene: Scene, grid: Grid | None = None) -> Message:
    sent: list[bytes] = []
    say_scene(Channel("j", sent.append), "a name", scene, grid=grid)
    (data,) = sent
    return unpack(data)


def test_each_type_of_layer_comes_back() -> None:
    legend = (Swatch("a dot", RED, "dot"), Ramp("much", RAMP, "0", "12"))
    scene = Scene((-1, 0, 5, 4), LAYERS, legend, "a title", HALF, "step", 2.5)
    message = _said(scene)
    assert message[0]["name"] == "a name"
    back = said_scene(message)
    assert (back.bounds, back.title, back.background, back.measure, back.pitch) == (
        (-1, 0, 5, 4),
        "a title",
        HALF,
        "step",
        2.5,
    )
    assert [type(layer) for layer in back.layers] == [type(layer) for layer in LAYERS]
    for layer, same in zip(LAYERS, back.layers, strict=True):
        for field in fields(layer):
            ours, theirs = getattr(layer, field.name), getattr(same, field.name)
            assert np.array_equal(ours, theirs) if isinstance(ours, np.ndarray) else ours == theirs, field.name
    assert back.legend[0] == legend[0]
    ramp = back.legend[1]
    assert isinstance(ramp, Ramp) and np.array_equal(ramp.colours, RAMP) and (ramp.low, ramp.high) == ("0", "12")


def test_arrays_are_of_the_types_that_are_written_down() -> None:
    _, arrays = _said(Scene((0, 0, 4, 3), LAYERS))
    kinds = {name.partition(".")[2]: array.dtype.str for name, array in arrays.items()}
    assert kinds == {
        **dict.fromkeys(("points", "centres", "radii", "tails", "tips"), "<f4"),
        "indptr": "<i4",
        "pixels": "|u1",
        "colours": "|u1",
    }


def test_the_map_below_is_left_out_and_seen_through_pictures_of_cells() -> None:
    grid = Grid.from_text("..#\n.G.")
    over = map_scene(grid).over(LAYERS[2])
    assert [layer["type"] for layer in _said(over, grid)[0]["layers"]] == ["polylines"]
    assert [layer["type"] for layer in _said(over)[0]["layers"]] == ["image", "polylines"]
    pixels = quiet_colours(grid)
    pixels[1, 2] = (1, 2, 3)
    _, arrays = _said(Scene((0, 0, 3, 2), (ImageLayer(pixels, (0, 0, 3, 2)),)), grid)
    assert arrays["0.pixels"][..., 3].tolist() == [[0, 0, 0], [0, 0, 255]]
    assert arrays["0.pixels"][1, 2].tolist() == [1, 2, 3, 255]


def test_large_images_become_smaller_and_cover_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenes, "MAX_SIDE", 4)
    pixels = np.zeros((9, 3, 3), np.uint8)
    pixels[::3] = 7
    head, arrays = _said(Scene((0, 0, 3, 9), (ImageLayer(pixels, (0, 0, 3, 9)),)))
    assert arrays["0.pixels"].shape == (3, 1, 3) and (arrays["0.pixels"] == 7).all()
    assert head["layers"][0]["extent"] == [0, 0, 3, 9]
