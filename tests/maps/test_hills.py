"""Hills: a dense sum of paraboloids is the oracle, and the land around a seamless map is the map itself."""

import numpy as np
import pytest

from anabasis import InputError
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.maps.terrain.hills import hills

ODD_SIZES = ((1, 1), (1, 40), (40, 1), (2, 3), (7, 5), (64, 31))


def dense(width, height, seed, count, low, high, rough, seamless):
    """The sum over all hills of the whole map's paraboloid, by the formula, with as many images as can reach it."""
    key = stream_key(seed, 150, 0)
    low, high = max(1.0, low * min(width, height)), max(1.0, high * min(width, height))
    margin = 0.0 if seamless else high
    x, y = np.arange(width)[None, :], np.arange(height)[:, None]
    total = np.zeros((height, width))
    for hill in range(count):
        u = [random_fraction(key, hill, k) for k in range(4)]
        centre = u[0] * (width + 2 * margin) - margin - 0.5, u[1] * (height + 2 * margin) - margin - 0.5
        radius = (low**-2 - u[2] * (low**-2 - high**-2)) ** -0.5
        top = (rough**2 + (1 - rough**2) * radius**2 / high**2) * (0.5 + 0.5 * u[3])
        far_y, far_x = (int(high) // height + 2, int(high) // width + 2) if seamless else (0, 0)
        for j in range(-far_y, far_y + 1):
            for i in range(-far_x, far_x + 1):
                square = (x - centre[0] - i * width) ** 2 + (y - centre[1] - j * height) ** 2
                total += np.maximum(0, top * (1 - square / radius**2))
    total -= total.min()
    return total / total.max() if total.max() > 0 else total


@pytest.mark.parametrize("seamless", [False, True])
def test_the_dense_sum(seamless):
    for seed, (width, height) in enumerate(((30, 22), (17, 40), (9, 9), (3, 8))):
        for radius in ((0.05, 0.2), (0.3, 1.0)):
            made = hills(
                width,
                height,
                seed=seed,
                count=25,
                smallest=radius[0],
                largest=radius[1],
                roughness=0.4,
                seamless=seamless,
            )
            assert np.allclose(made, dense(width, height, seed, 25, *radius, 0.4, seamless), rtol=0, atol=1e-11)


@pytest.mark.parametrize("seamless", [False, True])
def test_every_size_has_heights_from_0_to_1(seamless):
    for width, height in ODD_SIZES:
        made = hills(width, height, seed=5, seamless=seamless)
        assert made.shape == (height, width) and made.dtype == np.float64
        assert made.min() == 0 and made.max() == (0 if width * height == 1 else 1)


def test_the_seed_is_the_map():
    first = hills(60, 40, seed=7)
    assert np.array_equal(first, hills(60, 40, seed=7))
    for other in (8, 7 + 2**32, 2**63 - 1):
        assert not np.array_equal(first, hills(60, 40, seed=other))


def test_more_hills_go_on_where_fewer_ended():
    """Counter-based draws: the first hills are the same whatever the count, so one more hill only adds."""
    few, more = (dense(40, 40, 3, count, 0.1, 0.3, 0.5, False) for count in (12, 13))
    assert np.allclose(hills(40, 40, seed=3, count=12, smallest=0.1, largest=0.3, roughness=0.5), few)
    assert np.allclose(hills(40, 40, seed=3, count=13, smallest=0.1, largest=0.3, roughness=0.5), more)
    assert not np.allclose(few, more)


def step(heights):
    return float(np.abs(np.diff(heights, axis=0)).mean() + np.abs(np.diff(heights, axis=1)).mean())


def test_roughness_makes_neighbours_differ():
    steps = [np.mean([step(hills(120, 120, seed=s, roughness=r)) for s in range(5)]) for r in (0, 0.25, 0.5, 1)]
    assert steps == sorted(steps) and steps[-1] > 1.5 * steps[0]


def test_a_seamless_map_has_no_seam():
    for seed in range(4):
        made = hills(150, 150, seed=seed, seamless=True)
        inside = np.abs(np.diff(made, axis=1)).max()
        assert np.abs(made[:, 0] - made[:, -1]).max() <= 1.5 * inside
        open_made = hills(150, 150, seed=seed)
        assert np.abs(open_made[:, 0] - open_made[:, -1]).max() > 3 * inside


def test_borders_are_as_high_as_the_middle():
    made = np.mean([hills(80, 80, seed=s) for s in range(60)], axis=0)
    border = np.concatenate([made[:8].ravel(), made[-8:].ravel()])
    assert border.mean() == pytest.approx(made[30:50, 30:50].mean(), abs=0.06)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"width": 0}, "width"),
        ({"height": 20_000}, "height; found 20000; expected a whole number from 1 to 16384"),
        ({"seed": -1}, "seed"),
        ({"count": 0}, "count of hills"),
        ({"smallest": 0.4, "largest": 0.2}, "at most the largest, 0.2"),
        ({"smallest": 0.0}, "smallest radius of hills; found 0.0; expected a positive length"),
        ({"largest": 1.2}, "largest radius of hills; found 1.2; expected a share"),
        ({"roughness": 1.5}, "roughness"),
    ],
)
def test_wrong_input(options, text):
    with pytest.raises(InputError, match=text):
        hills(**{"width": 9, "height": 9, "seed": 1, **options})
