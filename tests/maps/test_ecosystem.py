"""Ecosystem: the rules of a year against a plain reading of them in any order of cells, and what must hold for ever."""

import dataclasses
import math

import numpy as np
import pytest

from anabasis import InputError
from anabasis._kernel.random import random_fraction, random_word, stream_key
from anabasis.maps.cover.ecosystem import ecosystem, ecosystem_forest
from anabasis.maps.cover.groves import groves
from anabasis.maps.cover.site import site
from anabasis.maps.cover.species import SPECIES, suitability

BY_NAME = {kind.name: kind for kind in SPECIES}


def varied(width, height, seed=0):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width]
    ground = rng.random((height, width)) < 0.9
    return site(width, height, ground=ground, temperature=(y + 0.5) / height, moisture=(x + 0.5) / width)


def soil(width, height, **options):
    return site(width, height, density=np.ones((height, width)), **options)


def oracle(start, suits, kinds, years, seed, shape, rng):
    """Let years pass over {(x, y): (species, age, size)}, cells taken in a random order, one rule after the other."""
    height, width = shape
    trees = dict(start)
    for year in range(1, years + 1):
        key, sprout, death = (stream_key(seed, stream, year) for stream in (235, 236, 237))

        def dark(x, y, k, full):
            around = sum((x + i, y + j) in full for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
            return around / 8.0 * (1 - kinds[k].shade)

        full = {cell for cell, (_, _, size) in trees.items() if size == 10000}
        seeds = {}
        for x, y in rng.permutation(sorted(full)).tolist():
            k, unit = trees[x, y][0], y * width + x
            for s in range(math.floor(kinds[k].seeds + random_fraction(key, unit, 0))):
                first = 1 + 8 * s
                share = random_fraction(key, unit, first)
                for t in range(2, 99):
                    word = random_word(key, unit, first + t)
                    u, v = 2 * (word % 65536) - 65535, 2 * (word // 65536) - 65535
                    length = (u * u + v * v) // 4
                    if length and (length <= 2**30 or t >= 7):
                        break
                far = kinds[k].reach * math.sqrt(share / (1 - share)) / math.sqrt(4.0 * length)
                to = (math.floor(x + 0.5 + u * far), math.floor(y + 0.5 + v * far))
                if not (0 <= to[0] < width and 0 <= to[1] < height) or to in trees or not suits[k][to[1]][to[0]]:
                    continue
                light = int(256 * (1 - dark(*to, k, full))) * int(suits[k][to[1]][to[0]])
                strength = (random_word(key, unit, first + 1) // 256) * light
                seeds.setdefault(to, []).append((strength, k))
        later = {}
        for x, y in rng.permutation([(x, y) for x in range(width) for y in range(height)]).tolist():
            unit = y * width + x
            if (x, y) in trees:
                k, age, size = trees[x, y]
                worth, d = suits[k][y][x] / 255.0, dark(x, y, k, full)
                chance = 0.01 + 0.3 * (1 - worth) * (1 - kinds[k].hardiness)
                if size < 10000:
                    chance += 0.5 * d
                    size = min(10000, size + math.floor(10000 * worth * (1 - d) / kinds[k].growth))
                chance += 0.2 if age + 1 > 0.75 * kinds[k].life else 0.0
                if age + 1 <= kinds[k].life and random_fraction(death, unit, 0) >= chance:
                    later[x, y] = (k, age + 1, size)
            elif (x, y) in seeds:
                _, k = max(seeds[x, y])
                worth = suits[k][y][x] / 255.0
                if random_fraction(sprout, unit, 0) < worth * (1 - dark(x, y, k, full)):
                    later[x, y] = (k, 0, 0)
        trees = later
    return trees


@pytest.mark.parametrize("seed", [1, 2, 2**40])
def test_against_a_plain_reading_in_any_order(seed):
    check_plain_reading(26, 22, seed, (1, 2, 12, 30))


@pytest.mark.long
def test_many_seeds_against_a_plain_reading():
    for seed in range(60):
        check_plain_reading(20 + seed % 13, 33 - seed % 11, seed, (70,))


def check_plain_reading(width, height, seed, all_years):
    ground = varied(width, height, seed % 97)
    ground = dataclasses.replace(ground, density=np.full((height, width), 0.9))
    kinds = [dataclasses.replace(kind, seeds=kind.seeds * 2) for kind in SPECIES]
    suits = [np.rint(255 * 0.9 * suitability(kind, ground)).astype(np.int64).tolist() for kind in kinds]
    options = {"seed": seed, "ground": ground, "species": kinds, "planted": 40}
    planted = ecosystem(width, height, years=0, **options)
    start = {
        (x, y): (int(k), 0, 10000)
        for (x, y), k in zip(planted.trees.cells.tolist(), planted.trees.species, strict=True)
    }
    assert len(start) > 30
    for years in all_years:
        grown = ecosystem(width, height, years=years, **options)
        wanted = oracle(start, suits, kinds, years, seed, (height, width), np.random.default_rng(years))
        found = {
            (x, y): (int(k), int(age))
            for (x, y), k, age in zip(grown.trees.cells.tolist(), grown.trees.species, grown.ages, strict=True)
        }
        assert found == {cell: tree[:2] for cell, tree in wanted.items()}
        assert len(set(grown.trees.species)) > 3


def check_growth(grown, ground, species):
    """What holds after any number of years."""
    trees = grown.trees
    x, y = trees.cells[:, 0], trees.cells[:, 1]
    assert ground.ground[y, x].all()
    assert len(np.unique(y * trees.width + x)) == len(trees.cells)
    assert np.array_equal(np.bincount(trees.species, minlength=len(species)), grown.counts[-1])
    assert (grown.counts.sum(axis=1) <= ground.ground.sum()).all()
    for k, kind in enumerate(species):
        own = trees.species == k
        assert (grown.ages[own] <= kind.life).all() and (grown.ages[own] >= 0).all()
        assert (suitability(kind, ground)[y[own], x[own]] > 0).all()


@pytest.mark.parametrize("years", [0, 1, 7, 60, 200])
def test_what_always_holds(years):
    ground = varied(70, 50)
    grown = ecosystem(70, 50, seed=3, ground=ground, years=years, planted=60)
    assert grown.counts.shape == (years + 1, len(SPECIES))
    check_growth(grown, ground, SPECIES)
    assert grown.counts[-1].sum() > 0


def test_more_years_go_on_from_the_same_states():
    short, long = (ecosystem(60, 40, seed=5, years=years) for years in (20, 50))
    assert np.array_equal(short.counts, long.counts[:21])


def test_without_seeds_it_dies_out():
    kinds = [dataclasses.replace(kind, seeds=0.0) for kind in SPECIES]
    grown = ecosystem(60, 60, seed=1, ground=soil(60, 60), species=kinds, years=121, planted=300)
    assert grown.counts[0].sum() == 300
    assert (np.diff(grown.counts, axis=0) <= 0).all(), "none is born"
    assert grown.counts[-1].sum() == 0 and len(grown.trees.cells) == 0
    for k, kind in enumerate(kinds):
        assert grown.counts[kind.life + 1 :, k].sum() == 0


def test_nothing_grows_on_hostile_ground():
    hostile = soil(50, 50, ground=np.zeros((50, 50), bool))
    assert ecosystem(50, 50, seed=1, ground=hostile).counts.sum() == 0
    cold = soil(50, 50, temperature=np.zeros((50, 50)))
    assert ecosystem(50, 50, seed=1, ground=cold, species=[BY_NAME["palm"]]).counts.sum() == 0
    poor = site(50, 50, density=np.zeros((50, 50)))
    assert ecosystem(50, 50, seed=1, ground=poor).counts.sum() == 0
    assert ecosystem(50, 50, seed=1, planted=0).counts.sum() == 0


def test_nothing_crosses_to_where_it_cannot_live():
    """Half of the map is too hot for what is planted: seeds fly there, none sprouts."""
    x = np.arange(60) + np.zeros((60, 1))
    ground = soil(60, 60, temperature=np.where(x < 30, 0.4, 1.0))
    grown = ecosystem(60, 60, seed=2, ground=ground, species=[BY_NAME["pine"]], years=80, planted=30)
    assert grown.trees.cells[:, 0].max() == 29 and len(grown.trees.cells) > 500


def test_succession():
    """Pioneers come first and yield to those that bear shade."""
    names = [kind.name for kind in SPECIES]
    counts = ecosystem(100, 100, seed=4, ground=soil(100, 100), years=260, planted=40).counts
    birch, oak = counts[:, names.index("birch")], counts[:, names.index("oak")]
    assert birch[30] > 3 * oak[30]
    assert oak[260] > 5 * birch[260]
    assert birch.max() > 4 * birch[260]


def test_seeds_fly_as_far_as_the_kernel_says():
    """One tree in the middle, many years of one harvest: half of the seedlings within the reach."""
    kind = dataclasses.replace(BY_NAME["pine"], reach=6.0, seeds=1.0, hardiness=1.0)
    within, far, count = 0, 0, 0
    for seed in range(300):
        ground = soil(101, 101)
        grown = ecosystem(101, 101, seed=seed, ground=ground, species=[kind], years=1, planted=1)
        young, old = grown.ages == 0, grown.ages == 1
        if young.any() and old.any():
            away = np.hypot(*(grown.trees.cells[young][0] - grown.trees.cells[old][0]))
            within, far, count = within + (away <= 6), far + (away > 18), count + 1
    assert count > 200
    assert 0.4 < within / count < 0.65
    assert 0.02 < far / count < 0.15, "the fat tail: one in ten beyond three times the reach, less what leaves the map"


def test_plain_forest_has_woods_and_clearings():
    trees = ecosystem_forest(150, 120, seed=3).field() >= 0
    woods = groves(150, 120, seed=3) > 0
    assert 0.1 < trees.mean() < 0.35
    assert not trees[~woods].any()
    assert trees[woods].mean() > 0.4


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (3, 2)])
def test_small_maps(shape):
    ground = soil(*shape)
    check_growth(ecosystem(*shape, seed=1, ground=ground, years=50, planted=1), ground, SPECIES)


def test_no_species_and_wrong_options():
    grown = ecosystem(9, 8, seed=1, species=(), years=4)
    assert grown.counts.shape == (5, 0) and len(grown.trees.cells) == 0
    with pytest.raises(InputError, match="years; found -1"):
        ecosystem(9, 8, seed=1, years=-1)
    with pytest.raises(InputError, match="trees to plant; found 73; expected a whole number from 0 to 72"):
        ecosystem(9, 8, seed=1, planted=73)
    with pytest.raises(InputError, match="number of species; found 128"):
        ecosystem(9, 8, seed=1, species=SPECIES * 16)
    with pytest.raises(InputError, match="another size than the map"):
        ecosystem(9, 8, seed=1, ground=soil(8, 9))
