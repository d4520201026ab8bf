"""Pictures of a decomposition: what they promise to the eye, checked on the pixels and lines of their scenes."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import ndimage

from anabasis.decompose.flooding import flood
from anabasis.decompose.regions import decompose
from anabasis.decomposition import Decomposition
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.view.decomposition import STAGES
from anabasis.view.layers import Circles, ImageLayer, Labels, Polygons, Polylines
from anabasis.view.layout import text_width
from anabasis.view.palette import BLOCKED, GROUP_COLOURS, RAMP
from anabasis.view.raster import render
from anabasis.view.scene import clearance_scene, flooding_scene, gates_scene, regions_scene, stage_scene
from anabasis.view.svg import to_svg

ROOMS = "\n".join(["." * 40 if y in (9, 10, 30) else "." * 19 + "##" + "." * 19 for y in range(40)])


def caves(side: int = 120, seed: int = 4) -> Grid:
    return Grid.from_free(ndimage.gaussian_filter(np.random.default_rng(seed).random((side, side)), 2.5) > 0.485)


def of_kind(scene, kind):
    return [layer for layer in scene.layers if isinstance(layer, kind)]


def pixels(scene):
    return of_kind(scene, ImageLayer)[0].pixels


def legend(scene):
    return [item.label for item in scene.legend]


def luminance(colour):
    part = np.asarray(colour[..., :3], float) / 255
    return np.where(part <= 0.03928, part / 12.92, ((part + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722)


@pytest.mark.parametrize("parameters", [0, 2, 5])
def test_neighbouring_regions_differ_in_colour(parameters):
    grid = caves()
    d = decompose(grid, parameters)
    image = pixels(regions_scene(grid, d)).astype(int)
    for a, b, one, two in (
        (d.region[:, 1:], d.region[:, :-1], image[:, 1:], image[:, :-1]),
        (d.region[1:], d.region[:-1], image[1:], image[:-1]),
    ):
        free = (a >= 0) & (b >= 0)
        same = (one == two).all(axis=-1)
        assert np.array_equal(same[free], (a == b)[free])
    colours = np.unique(image[d.region >= 0], axis=0)
    assert len(colours) <= 6
    assert (image[d.region < 0] == BLOCKED[:3]).all()


def test_a_region_is_one_colour_and_no_colour_is_much_more_frequent():
    grid = caves()
    d = decompose(grid, 0)
    image = pixels(regions_scene(grid, d))
    first = np.unique(d.region[d.region >= 0], return_index=True)[1]
    of_region = image[d.region >= 0][first]
    assert (image[d.region >= 0] == of_region[d.region[d.region >= 0]]).all()
    counts = np.unique(of_region, axis=0, return_counts=True)[1]
    assert counts.max() <= 2 * counts.min()


def test_units_and_walls_stand_out_from_every_tint():
    grid = caves()
    tints = np.unique(pixels(regions_scene(grid, decompose(grid, 0)))[grid.free], axis=0)
    assert len(tints) == 6
    for dark in (*GROUP_COLOURS[:2], BLOCKED):  # units are blue first; contrast as in WCAG 2.1, at least 1:2
        assert ((luminance(tints) + 0.05) / (luminance(np.array(dark)) + 0.05)).min() > 2
    assert min(np.abs(a.astype(int) - b.astype(int)).sum() for a, b in combinations(tints, 2)) > 50


def test_gates_are_drawn_from_end_to_end_with_their_widths():
    grid = Grid.from_text(ROOMS)
    d = decompose(grid, 2)
    scene = gates_scene(grid, d)
    assert sorted(of_kind(scene, Labels)[0].texts) == ["1", "2"]
    assert legend(scene) == ["gates: 2", "number: width in cells"]
    lines = of_kind(scene, Polylines)[-1]
    assert lines.colour == GROUP_COLOURS[1]
    points = lines.points.reshape(-1, 2, 2)
    lengths = np.hypot(*(points[:, 1] - points[:, 0]).T)
    assert lengths.tolist() == pytest.approx(d.width.tolist())
    assert (points[:, 0, 0] == points[:, 1, 0]).all()  # both stand upright in the wall, that of one cell too
    assert points.mean(axis=1).tolist() == (d.ends.reshape(-1, 2, 2).mean(axis=1) + 0.5).tolist()


def test_gates_inside_a_region_look_different():
    grid = Grid.from_text(ROOMS)
    d = decompose(grid, 2)
    inner = Decomposition(d.region, d.ends, np.zeros_like(d.sides), d.width, d.indptr, d.cells, d.parameters)
    for make in (regions_scene, gates_scene):
        scene = make(grid, inner)
        assert "gates inside a region: 2" in legend(scene)
        assert "gates: 2" not in legend(scene)
        assert of_kind(scene, Polylines)[-1].colour == GROUP_COLOURS[0]


def test_widths_lie_on_no_gate_and_on_no_other_width():
    grid = caves(200)
    d = decompose(grid, 0)
    labels = of_kind(gates_scene(grid, d), Labels)[0]
    assert 10 < len(labels.texts) < d.gates
    gates = np.zeros(grid.free.shape, bool)
    gates.reshape(-1)[d.cells] = True
    boxes = [
        (
            x - text_width(t, labels.size) / 2,
            y - labels.size / 2,
            x + text_width(t, labels.size) / 2,
            y + labels.size / 2,
        )
        for (x, y), t in zip(labels.points.tolist(), labels.texts, strict=True)
    ]
    for left, top, right, bottom in boxes:
        assert left + 0.5 >= 0
        assert right - 0.5 <= grid.width
        assert not gates[round(top) : round(bottom), round(left) : round(right)].any()
    for a, b in combinations(boxes, 2):
        assert min(a[2], b[2]) - max(a[0], b[0]) < 0.5 or min(a[3], b[3]) - max(a[1], b[1]) < 0.5


def test_clearance_grows_darker_from_the_walls():
    grid = Grid.from_free(np.ones((31, 31), bool))
    scene = clearance_scene(grid, flood(grid, (1, 1, 1)))
    row = luminance(pixels(scene)[15, :16])
    assert (np.diff(row) < 0).all()
    assert tuple(pixels(scene)[15, 15]) == tuple(RAMP[255, :3])
    assert (scene.legend[0].low, scene.legend[0].high) == ("0", "16")


def test_equal_levels_look_equal():
    grid = caves()
    flooding = flood(grid, (10, 2, 6))
    image = pixels(clearance_scene(grid, flooding))
    for level in range(1, 4):
        assert len(np.unique(image[flooding.level == level], axis=0)) == 1


def test_flooding_shows_lakes_sources_and_merged_springs():
    grid = caves()
    flooding = flood(grid, (5, 1, 4))
    scene = flooding_scene(grid, flooding)
    image = pixels(scene).astype(int)
    beside = (flooding.lake[:, 1:] >= 0) & (flooding.lake[:, :-1] >= 0)
    changed = (image[:, 1:] != image[:, :-1]).any(axis=-1)
    assert np.array_equal(changed[beside], (flooding.lake[:, 1:] != flooding.lake[:, :-1])[beside])
    dots = of_kind(scene, Circles)[0].centres
    assert dots.tolist() == grid.centres(flooding.source).tolist()
    merged = of_kind(scene, Polylines)[0]
    inside = flooding.spring[1:] != flooding.spring[:-1]
    upright = flooding.spring[:, 1:] != flooding.spring[:, :-1]
    same = (flooding.lake[1:] == flooding.lake[:-1]) & inside, (flooding.lake[:, 1:] == flooding.lake[:, :-1]) & upright
    assert len(merged.indptr) - 1 == sum(int(s.sum()) for s in same)
    assert legend(scene) == [f"lakes, each with a source: {len(flooding.source)}", "springs merged"]


def test_without_merging_no_line_is_explained():
    grid = Grid.from_text(ROOMS)
    assert legend(flooding_scene(grid, flood(grid, (1, 1, 0))))[1:] == []


@pytest.mark.parametrize("text", [".", "#", "..\n#.", "." * 50])
@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_of_a_tiny_map_can_be_drawn(text, stage):
    grid = Grid.from_text(text)
    scene = stage_scene(grid, decompose(grid), stage, title="tiny")
    assert render(scene, pixels=200).width <= 200
    assert "tiny" in to_svg(scene)


@pytest.mark.parametrize("stage", STAGES)
def test_the_same_decomposition_gives_the_same_picture(stage):
    grid = caves(60)
    texts = {to_svg(stage_scene(grid, decompose(grid, 1), stage)) for _ in range(2)}
    assert len(texts) == 1


def test_an_unknown_stage_is_refused():
    grid = Grid.from_text("..")
    with pytest.raises(InputError, match="clearance, flooding, regions, gates"):
        stage_scene(grid, decompose(grid), "rivers")


def test_plates_stand_behind_the_widths():
    grid = Grid.from_text(ROOMS)
    scene = gates_scene(grid, decompose(grid, 2))
    plates, labels = of_kind(scene, Polygons)[0], of_kind(scene, Labels)[0]
    assert np.allclose(plates.points.reshape(-1, 4, 2).mean(axis=1), labels.points)
    assert scene.layers.index(plates) < scene.layers.index(labels)
