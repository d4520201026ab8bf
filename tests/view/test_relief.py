"""Relief: light and shadow on hills of known slope, depth, rivers, the legend, and colours that can be told apart."""

import itertools

import numpy as np
import pytest
from scipy import ndimage
from test_palette import cie_lab

from anabasis import InputError
from anabasis.maps.land.palettes import PALETTES, paint_heights
from anabasis.movement import TERRAIN_LETTERS, TERRAIN_NAMES
from anabasis.view.layers import ImageLayer, Ramp, Swatch
from anabasis.view.palette import BLOCKED, FREE, TERRAIN
from anabasis.view.raster import render
from anabasis.view.relief import LAND_COLOURS, relief_colours, relief_scene

SUNS = [0.0, 90.0, 180.0, 225.0, 315.0]


def land(letter, height=30, width=40):
    return np.full((height, width), ord(letter), np.uint8)


def field(seed, height=60, width=80):
    return ndimage.gaussian_filter(np.random.default_rng(seed).normal(size=(height, width)), 4)


def brightness(pixels):
    return pixels.astype(float).sum(axis=2)


def labels(scene):
    return [item.label for item in scene.legend]


def test_level_land_has_its_own_colours():
    for letter, colour in LAND_COLOURS.items():
        pixels = relief_colours(land(letter), np.full((30, 40), 3.0))
        assert pixels.shape == (30, 40, 3)
        assert pixels.mean(axis=(0, 1)) == pytest.approx(np.array(colour), abs=2)  # the grain evens out
    for letter in "=+@*":
        assert (relief_colours(land(letter), np.zeros((30, 40))) == LAND_COLOURS[letter]).all()


def test_every_letter_has_a_colour_and_its_name():
    assert set(LAND_COLOURS) | set("123456789") == set(TERRAIN_LETTERS)
    terrain = np.frombuffer(TERRAIN_LETTERS.encode(), np.uint8)[None]
    scene = relief_scene(terrain, np.zeros(terrain.shape))
    assert sorted(labels(scene)) == sorted(["river or lake", *(n for k, n in TERRAIN_NAMES.items() if k != "W")])
    for letter, (name, _) in TERRAIN.items():
        assert name == TERRAIN_NAMES[letter]


def test_colours_are_told_apart():
    relief = {letter: colour for letter, colour in LAND_COLOURS.items() if letter != "E"}  # an emitter is ground
    quiet = {".": FREE, "@": BLOCKED, **{letter: colour for letter, (_, colour) in TERRAIN.items()}}
    for colours, least in ((relief, 9), (quiet, 6)):
        lab = cie_lab(list(colours.values()))
        for (a, first), (b, second) in itertools.combinations(zip(colours, lab, strict=True), 2):
            assert np.linalg.norm(first - second) > least, (a, b)


@pytest.mark.parametrize("sun", SUNS)
def test_slopes_towards_the_sun_are_bright(sun):
    y, x = np.mgrid[-30:31, -30:31]
    cone = -np.hypot(x, y)
    light = brightness(relief_colours(land(",", 61, 61), cone, sun=sun))
    towards = x * np.sin(np.radians(sun)) - y * np.cos(np.radians(sun))
    ring = (np.hypot(x, y) > 8) & (np.hypot(x, y) < 25)
    angle = np.abs(np.angle(np.exp(1j * (np.arctan2(x, -y) - np.radians(sun)))))
    level = sum(LAND_COLOURS[","])
    assert (light[ring & (angle < 0.5)] > level).all()
    assert (light[ring & (angle > np.pi - 0.5)] < level).all()
    assert np.corrcoef(light[ring], towards[ring] / np.hypot(x, y)[ring])[0, 1] > 0.95


def test_mirrored_land_under_a_mirrored_sun():
    heights = field(1)
    pixels = relief_colours(land(",", 60, 80), heights, sun=300)
    assert np.array_equal(relief_colours(land(",", 60, 80), heights[:, ::-1], sun=60), pixels[:, ::-1])
    for unit, shift in ((1000, 77), (1e-200, 0), (1e90, 0)):  # the unit of height does not count
        again = relief_colours(land(",", 60, 80), unit * heights + shift, sun=300)
        assert abs(again.astype(int) - pixels).max() <= 1


def test_the_sea_is_darker_the_deeper():
    heights = np.repeat(np.linspace(-1, 1, 200)[None], 5, axis=0)
    terrain = np.where(heights < 0, ord("W"), ord(",")).astype(np.uint8)
    for sea in (None, 0.0):
        row = relief_colours(terrain, heights, sea=sea)[2].astype(int)
        sea_row = row[:98].sum(axis=1)
        assert (np.diff(sea_row) >= 0).all()
        assert sea_row[-1] - sea_row[0] > 150
        assert (row[:100, 2] > row[:100, 0]).all()  # blue


@pytest.mark.parametrize("name", ["temperate", "woodland", "arid"])
def test_the_level_of_the_sea_is_found(name):
    heights = field(2, 120, 150)
    terrain = paint_heights(heights, name)
    river = np.zeros(terrain.shape, bool)
    river[60, np.flatnonzero(heights[60] > np.quantile(heights, 0.8))] = True
    terrain[river] = ord("W")
    scene = relief_scene(terrain, heights)
    assert labels(scene)[:2] == ["sea", "river or lake"]
    pixels = relief_colours(terrain, heights)
    share = PALETTES[name].shares[0]
    known = relief_colours(terrain, heights, sea=float(np.quantile(heights, share)))
    assert (abs(pixels.astype(int) - known).max(axis=2) <= 4).mean() > 0.99
    blue = np.array(LAND_COLOURS["W"])
    assert abs(pixels[river].mean(axis=0) - blue).max() < 12


def test_a_picture_of_land_with_a_legend():
    heights = field(3)
    terrain = paint_heights(heights)
    scene = relief_scene(terrain, heights, title="An island")
    assert scene.bounds == scene.layers[0].extent == (0, 0, 80, 60)
    assert isinstance(scene.layers[0], ImageLayer)
    assert labels(scene) == ["sea", "grass", "coast", "rock", "snow"]
    assert isinstance(scene.legend[0], Ramp)
    assert all(isinstance(item, Swatch) for item in scene.legend[1:])
    picture = render(scene, pixels=300)
    assert picture.size[0] <= 300


def test_the_same_picture_each_time_and_in_any_part():
    heights = field(4)
    terrain = paint_heights(heights, "woodland")
    assert np.array_equal(relief_colours(terrain, heights), relief_colours(terrain.copy(), heights.copy()))
    trees = relief_colours(land("T"), np.zeros((30, 40)))
    assert len(np.unique(trees.reshape(-1, 3), axis=0)) > 10  # a wood is no flat area
    assert np.array_equal(trees[:10, :10], relief_colours(land("T", 10, 10), np.zeros((10, 10))))


def test_more_detail_keeps_the_cells():
    heights = field(7, 20, 30)
    terrain = paint_heights(heights, "W30 ,40 =80 *")
    coarse, fine = relief_colours(terrain, heights), relief_colours(terrain, heights, detail=6)
    assert fine.shape == (120, 180, 3)
    blocks = fine.reshape(20, 6, 30, 6, 3).astype(float)
    assert abs(blocks.mean(axis=(1, 3)) - coarse).mean() < 12
    red, blue = blocks[..., 0], blocks[..., 2]
    sea, road = (terrain == ord(letter) for letter in "W=")
    assert (blue > red).transpose(0, 2, 1, 3)[sea].all()
    assert (red > blue).transpose(0, 2, 1, 3)[road].mean() > 0.99
    assert np.array_equal(relief_colours(terrain, heights, detail=1), coarse)


def test_small_maps_are_drawn_in_more_detail():
    for side, pixels in ((1, 8), (65, 8 * 65), (257, 2 * 257), (400, 400)):
        scene = relief_scene(land("G", side, side), np.zeros((side, side)))
        assert scene.layers[0].pixels.shape == (pixels, pixels, 3)
        assert scene.layers[0].extent == (0, 0, side, side)


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (2, 2)])
@pytest.mark.parametrize("letters", ["W", "G", "WG^*"])
def test_small_and_uniform_land(shape, letters):
    terrain = np.random.default_rng(5).choice(np.frombuffer(letters.encode(), np.uint8), shape)
    for heights in (np.zeros(shape), np.random.default_rng(6).normal(size=shape)):
        for sea in (None, -np.inf, 0.0, 100.0):
            assert relief_colours(terrain, heights, sea=sea).shape == (*shape, 3)
            assert relief_colours(terrain, heights, sea=sea, detail=2).shape == (2 * shape[0], 2 * shape[1], 3)


def test_wrong_input_is_refused():
    with pytest.raises(InputError, match="heights has the wrong shape; found 2×2; expected 30×40"):
        relief_colours(land("G"), np.zeros((2, 2)))
    with pytest.raises(InputError, match="heights must be finite"):
        relief_scene(land("G", 1, 2), [[0, np.inf]])
    with pytest.raises(InputError, match="direction of the sun; found nan"):
        relief_colours(land("G", 1, 1), [[0.0]], sun=float("nan"))
    for detail in (0, 17):
        with pytest.raises(InputError, match=f"detail of a relief; found {detail}; expected a whole number"):
            relief_colours(land("G", 1, 1), [[0.0]], detail=detail)
    with pytest.raises(InputError, match="level of the sea; found nan"):
        relief_colours(land("G", 1, 1), [[0.0]], sea=float("nan"))
