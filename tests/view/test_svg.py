"""SVG: well-formed for any text, the right elements at the right places, the same bytes every time."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anabasis.grid import Grid
from anabasis.view.layers import Arrows, Circles, ImageLayer, Labels, Polygons, Polylines, Ramp, Scene, Swatch, dots
from anabasis.view.layout import arrange
from anabasis.view.palette import RAMP
from anabasis.view.scene import frame_scene, map_scene
from anabasis.view.svg import to_svg

SVG = "{http://www.w3.org/2000/svg}"
RED = (255, 0, 0, 255)


def parse(svg):
    return ElementTree.fromstring(svg)  # noqa: S314 - our own document


def inner(svg):
    """The nested element that holds the map."""
    return parse(svg).find(f"{SVG}svg")


def decode(image):
    from PIL import Image

    data = base64.b64decode(image.get("href").removeprefix("data:image/png;base64,"))
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))


def test_units_are_circles_at_their_places(grid, scenario, trace):
    scene = frame_scene(grid, scenario, trace, 1)
    page, found = arrange(scene, 800), inner(to_svg(scene))
    circles = found.findall(f".//{SVG}circle")
    assert len(circles) == 2 * 3 + 3  # two bull's-eyes of three rings, three units
    for circle, (x, y), radius in zip(circles[-3:], trace.positions[1], trace.radius, strict=True):
        assert float(circle.get("cx")) == pytest.approx(x * page.scale, abs=0.01)
        assert float(circle.get("cy")) == pytest.approx(y * page.scale, abs=0.01)
        assert float(circle.get("r")) == pytest.approx(radius * page.scale, abs=0.01)


def test_map_is_embedded_cell_for_cell(grid):
    scene = map_scene(grid)
    image = inner(to_svg(scene)).find(f"{SVG}image")
    assert np.array_equal(decode(image)[:, :, :3], scene.layers[0].pixels)
    assert image.get("image-rendering") == "pixelated"


def test_image_with_transparency_and_many_colours_survives():
    pixels = np.random.default_rng(0).integers(0, 256, (9, 40, 4)).astype(np.uint8)
    scene = Scene((0, 0, 40, 9), (ImageLayer(pixels, (0, 0, 40, 9)),))
    assert np.array_equal(decode(inner(to_svg(scene)).find(f"{SVG}image")), pixels)


def test_big_map_is_embedded_smaller():
    rng = np.random.default_rng(1)
    scene = map_scene(Grid.from_free(rng.random((3000, 4000)) < 0.7))
    svg = to_svg(scene, width=400)
    image = inner(svg).find(f"{SVG}image")
    assert max(decode(image).shape) <= 800
    assert image.get("image-rendering") is None
    assert len(svg) < 600_000


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=20))
def test_any_text_gives_a_well_formed_document(title, label, name):
    scene = Scene(
        (0, 0, 9, 9),
        (Labels(np.array([[1.0, 1.0]]), (name,), 1.0),),
        (Swatch(label, RED), Ramp(name, RAMP, label, title)),
        title,
    )
    texts = [element.text for element in parse(to_svg(scene)).iter(f"{SVG}text")]
    assert len(texts) >= 4


def test_markup_in_texts_stays_text():
    hostile = '<script>alert("1")</script> & \x00\x1b]]>'
    scene = Scene((0, 0, 99, 9), (Labels(np.zeros((1, 2)), (hostile,), 1.0),), (Swatch(hostile, RED),), hostile)
    svg = to_svg(scene)
    assert "<script" not in svg
    root = parse(svg)
    assert not root.findall(f".//{SVG}script")
    assert root.find(f"{SVG}title").text == '<script>alert("1")</script> & \ufffd\ufffd]]>'


def test_documents_hold_no_identifiers_scripts_or_links(grid, scenario, trace):
    svg = to_svg(frame_scene(grid, scenario, trace, 0))
    assert not re.search(r'\bid=|style=|url\(|on\w+=|href="(?!data:image/png;base64,)', svg)


def every_layer():
    return Scene(
        (0, 0, 20, 10),
        (
            Polylines.of([np.array([[1.0, 1], [5, 1], [5, 4]]), np.array([[7.0, 7]])], (0, 128, 0, 128), 0.2),
            dots([[2, 8], [3, 8]], 0.5, RED, outline=(0, 0, 0, 255), width=0.1),
            Polygons(np.array([[10.0, 1], [14, 1], [12, 4]]), np.array([0, 3]), (0, 0, 255, 255), RED, 0.1),
            Arrows(np.array([[10.0, 8]]), np.array([[14.0, 8]]), RED, 0.2),
            Labels(np.array([[16.0, 5]]), ("a & b",), 1.0, anchor="end"),
        ),
        (Swatch("dot", RED, "dot"), Swatch("line", RED, "line"), Swatch("target", RED, "target")),
        "All",
    )


def test_every_layer_becomes_its_element():
    found = inner(to_svg(every_layer()))
    paths = [p.get("d") for p in found.findall(f".//{SVG}path")]
    # 38 px a cell: the line with two corners and the point, the triangle, the arrow's shaft and head
    assert paths[0] == "M38 38l152 0 0 114M266 266h0"
    assert paths[1] == "M380 38l152 0 -76 114z"
    assert len(paths) == 4
    assert len(found.findall(f".//{SVG}circle")) == 2
    text = found.find(f".//{SVG}text")
    assert (text.text, text.get("x")) == ("a & b", "608")


def test_same_scene_gives_the_same_bytes():
    svg = to_svg(every_layer())
    assert svg == to_svg(every_layer())
    golden = "d4b2354cdbe837dc0dc9070b42af9c48f2265e64f313602718e65c3c3f202dab"
    assert hashlib.sha256(svg.encode()).hexdigest() == golden


def test_empty_layers_leave_no_trace():
    none = np.zeros((0, 2))
    layers = (
        Polylines(none, np.array([0]), RED, 1),
        Polygons(none, np.array([0]), RED),
        Circles(none, np.zeros(0), np.zeros((0, 4))),
        Arrows(none, none, RED, 1),
        Labels(none, (), 1.0),
    )
    assert len(list(inner(to_svg(Scene((0, 0, 3, 3), layers))))) == 1


def test_nothing_small_vanishes():
    scene = Scene((0, 0, 4000, 4000), (dots([[9, 9]], 0.5, RED), Polylines.of([np.eye(2)], RED, 0.1)))
    found = inner(to_svg(scene))
    assert float(found.find(f".//{SVG}circle").get("r")) == 1.5
    assert float(found.find(f".//{SVG}path").get("stroke-width")) == 0.75


def test_window_cuts_the_image(grid):
    image = inner(to_svg(map_scene(grid).window(2, 1, 5, 3))).find(f"{SVG}image")
    assert decode(image).shape == (2, 3, 4)
    assert float(image.get("x")) == float(image.get("y")) == 0
