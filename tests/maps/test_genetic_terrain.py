"""Genetic terrain: breeding beats as many random terrains, never loses the best, and meets what was asked for."""

import numpy as np
import pytest

from anabasis import InputError
from anabasis.maps.terrain.genetic_terrain import _WARP, _ground, _raise_land, evolve_terrain, genetic_terrain
from anabasis.maps.terrain.hills import hills
from anabasis.maps.terrain.traits import TerrainTraits, likeness, terrain_traits

ARCHIPELAGO = TerrainTraits(0.7, 12, 1.0)
HIGHLAND = TerrainTraits(0.2, 1, 3.0)


def dense(genome, rows, columns, xs, ys, grain, seamless):
    """The heights of a genome, each landform over the whole map, with all images."""
    level, share = genome[-1, 0] * 0.6 - 0.3, 3 * genome[-1, 1] ** 2
    total = level + share * grain
    for place, (x, y, radius, top, turn_x, turn_y, sharp) in enumerate(genome[:-1]):
        for j in (-1, 0, 1) if seamless else (0,):
            for i in (-1, 0, 1) if seamless else (0,):
                dx = xs * columns - (place % columns + 2 * x - 0.5 + i * columns)
                dy = ys * rows - (place // columns + 2 * y - 0.5 + j * rows)
                way = np.array([2 * turn_x - 1, 2 * turn_y - 1])
                length = np.hypot(*way)
                stretch = 1 + 0.7 * min(1, length)
                along, across = (dx * way[0] + dy * way[1]) / length, (dy * way[0] - dx * way[1]) / length
                far = np.hypot(along / stretch, across * stretch) / (0.5 + radius)
                form = sharp * (1 - far) ** 2 + (1 - sharp) * (1 - far**2) ** 2
                total = total + np.where(far < 1, (2 * top - 1) * form, 0)
    return total


@pytest.mark.parametrize("seamless", [False, True])
@pytest.mark.parametrize(
    ("height", "width", "lattice"), [(40, 40, (5, 5)), (40, 44, (5, 6)), (64, 30, (11, 5)), (1, 9, (5, 40))]
)
def test_landforms_by_the_definition(height, width, lattice, seamless):
    for seed in range(3):
        genome = np.random.default_rng(seed).random((lattice[0] * lattice[1] + 1, 7))
        genome[0, 2] = genome[0, 4] = genome[0, 5] = 1.0  # as long as can be
        ground = _ground(width, height, seed, 1.0, seamless)
        made = np.empty((height, width))
        _raise_land(genome, *lattice, *ground, seamless, made)
        assert np.allclose(made, dense(genome, *lattice, *ground, seamless), rtol=0, atol=1e-11)


def test_no_cell_is_moved_farther_than_landforms_are_looked_for():
    for seed in range(5):
        x, y, _ = _ground(90, 60, seed, 1.0, False)
        middle_x, middle_y = np.meshgrid((np.arange(90) + 0.5) / 90, (np.arange(60) + 0.5) / 60)
        assert np.abs(x - middle_x).max() * 90 <= _WARP * 60 / 5
        assert np.abs(y - middle_y).max() * 60 <= _WARP * 60 / 5


def test_breeding_beats_as_many_random_terrains():
    for target in (ARCHIPELAGO, HIGHLAND):
        bred, drawn = [], []
        for seed in range(3):
            bred.append(evolve_terrain(48, 48, seed=seed, target=target, population=24, generations=19).score)
            drawn.append(evolve_terrain(48, 48, seed=seed, target=target, population=24 * 20, generations=0).score)
        assert min(bred) > max(drawn), (bred, drawn)
        assert np.mean(bred) > np.mean(drawn) + 0.03


def test_the_best_is_never_lost():
    for seed in range(3):
        made = evolve_terrain(40, 30, seed=seed, target=HIGHLAND, population=9, generations=25, enough=1.0)
        assert (np.diff(made.history) >= 0).all() and made.history[-1] > made.history[0]
        assert len(made.history) == 26
        assert made.score == made.history[-1]


def test_breeding_ends_when_it_is_enough():
    made = evolve_terrain(48, 48, seed=1, target=ARCHIPELAGO, enough=0.9, generations=60)
    assert made.score >= 0.9 and len(made.history) < 61
    assert (made.history[:-1] < 0.9).all()
    assert len(evolve_terrain(48, 48, seed=1, target=TerrainTraits()).history) == 1


@pytest.mark.parametrize("seamless", [False, True])
@pytest.mark.parametrize(("width", "height"), [(30, 20), (100, 100), (70, 201)])
def test_the_whole_map_is_what_was_judged(width, height, seamless):
    made = evolve_terrain(width, height, seed=2, target=ARCHIPELAGO, generations=3, population=8, seamless=seamless)
    assert made.heights.shape == (height, width)
    assert made.traits == terrain_traits(made.heights, seamless=seamless)
    assert made.score == likeness(made.traits, ARCHIPELAGO)


def test_what_is_asked_for_is_met():
    for water, lands in ((0.2, 1), (0.5, 2), (0.6, 6)):
        for seed in range(4):
            made = genetic_terrain(120, 120, seed=seed, water=water, lands=lands)
            found = terrain_traits(made)
            assert found.lands == lands
            assert (made < 0).mean() == pytest.approx(water, abs=0.04)


def test_an_example_is_met():
    example = hills(100, 100, seed=4, roughness=0.1) - 0.35
    target = terrain_traits(example)
    scores = [evolve_terrain(64, 64, seed=seed, target=target).score for seed in range(3)]
    assert min(scores) > 0.97


def test_the_seed_is_the_map():
    first = genetic_terrain(40, 30, seed=7)
    assert np.array_equal(first, genetic_terrain(40, 30, seed=7))
    assert not np.array_equal(first, genetic_terrain(40, 30, seed=8))
    assert np.array_equal(first, evolve_terrain(40, 30, seed=7, target=TerrainTraits(0.4, 3)).heights)


def test_a_seamless_map_has_no_seam():
    for seed in range(3):
        made = genetic_terrain(120, 90, seed=seed, seamless=True)
        for axis in (0, 1):
            inside = np.abs(np.diff(made, axis=axis)).mean()
            assert np.abs(np.take(made, 0, axis) - np.take(made, -1, axis)).mean() < 1.5 * inside
        across = genetic_terrain(120, 90, seed=seed)
        assert np.abs(across[:, 0] - across[:, -1]).mean() > 3 * np.abs(np.diff(across, axis=1)).mean()


def test_roughness_makes_ragged_coasts():
    def coast(roughness):
        lands = [genetic_terrain(128, 128, seed=s, roughness=roughness, water=0.5, lands=None) < 0 for s in range(5)]
        return sum((land[1:] != land[:-1]).sum() + (land[:, 1:] != land[:, :-1]).sum() for land in lands)

    assert coast(0.0) < coast(0.5) < coast(1.0)


@pytest.mark.parametrize("seamless", [False, True])
def test_every_size(seamless):
    for width, height in ((1, 1), (1, 40), (40, 1), (2, 3), (7, 5), (3, 200)):
        made = genetic_terrain(width, height, seed=5, population=4, generations=2, seamless=seamless)
        assert made.shape == (height, width) and np.isfinite(made).all()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"width": 0}, "width"),
        ({"height": 20_000}, "height; found 20000; expected a whole number from 1 to 16384"),
        ({"seed": -1}, "seed"),
        ({"population": 1}, "population"),
        ({"generations": -1}, "generations"),
        ({"water": 1.5}, "water"),
        ({"lands": -2}, "lands"),
        ({"roughness": 1.5}, "roughness"),
    ],
)
def test_wrong_input(options, text):
    with pytest.raises(InputError, match=text):
        genetic_terrain(**{"width": 9, "height": 9, "seed": 1, **options})
    with pytest.raises(InputError, match="enough"):
        evolve_terrain(9, 9, seed=1, target=TerrainTraits(), enough=2.0)
