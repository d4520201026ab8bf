"""Heights: ramps from low to high, and arrows that point downhill, the longer the steeper."""

import numpy as np
import pytest

from anabasis import InputError
from anabasis.view.heights import heights_scene, slope_scene
from anabasis.view.layers import Arrows, ImageLayer
from anabasis.view.palette import RAMP
from anabasis.view.raster import render


def arrows_of(scene):
    (layer,) = [layer for layer in scene.layers if isinstance(layer, Arrows)]
    return layer.tails, layer.tips - layer.tails


def test_the_higher_the_darker():
    heights = np.arange(256.0).reshape(16, 16) * 3 - 100
    scene = heights_scene(heights, title="A slope")
    (image,) = scene.layers
    assert isinstance(image, ImageLayer)
    assert np.array_equal(image.pixels.reshape(256, 4), RAMP)
    assert (scene.legend[0].label, scene.legend[0].low, scene.legend[0].high) == ("height", "-100", "665")
    assert scene.bounds == (0, 0, 16, 16)


@pytest.mark.parametrize("shape", [(60, 90), (90, 60), (29, 31)])
def test_arrows_on_a_plane_all_point_down(shape):
    y, x = np.mgrid[: shape[0], : shape[1]]
    scene = slope_scene(3.0 * x - 4.0 * y)
    tails, way = arrows_of(scene)
    inside = (tails + way / 2 > 0).all(axis=1) & (tails + way / 2 < shape[::-1]).all(axis=1)
    assert inside.all()
    direction = way / np.linalg.norm(way, axis=1)[:, None]
    assert direction == pytest.approx(np.tile([-0.6, 0.8], (len(way), 1)))
    assert len(way) > 200
    assert (scene.legend[0].low, scene.legend[0].high) == ("0", "5")


def test_the_steeper_the_darker_and_the_longer():
    y, x = np.mgrid[:80, :80]
    scene = slope_scene(0.01 * x**2 + 0.0 * y)
    lightness = scene.layers[0].pixels[40, 1:-1, :3].astype(int).sum(axis=1)
    assert (np.diff(lightness) <= 0).all()
    assert lightness[0] - lightness[-1] > 200
    tails, way = arrows_of(scene)
    order = np.argsort(tails[:, 0], kind="stable")
    length = np.linalg.norm(way, axis=1)[order]
    assert length[-10:].mean() > 1.5 * length[:10].mean()
    assert (way[:, 0] < 0).all()
    assert len(slope_scene(0.01 * x**2, arrows=False).layers) == 1


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (3, 3)])
def test_small_and_level_fields(shape):
    for heights in (np.zeros(shape), np.random.default_rng(1).normal(size=shape)):
        for scene in (heights_scene(heights), slope_scene(heights)):
            assert scene.layers[0].pixels.shape == (*shape, 4)
    assert len(arrows_of(slope_scene(np.zeros(shape)))[0]) == 0
    assert render(slope_scene(np.zeros((3, 3))), pixels=100).size[0] <= 100


def test_wrong_heights_are_refused():
    for call in (heights_scene, slope_scene):
        with pytest.raises(InputError, match="heights must be finite"):
            call([[0.0, np.inf]])
