"""Ecosystem: a few planted trees seed, sprout, shade each other and die for some years, and what stands is the forest.

Asked for by E. Cepero, "Forest", 2011, as the most lifelike way of making woods. Seeds fly by the fat-tailed kernel
2Dt: J. S. Clark et al., "Seed dispersal near and far: patterns across temperate and tropical forests", 1999. Who wins a
gap by its light is the cycle of A. S. Watt, "Pattern and process in the plant community", 1947.

One cell bears one tree. A year depends on the year before alone, and each draw on (seed, cell, year), so the order in
which cells are looked at changes nothing. Shade is the share of the eight cells around that bear a full-grown tree;
dark is shade · (1 - tolerance), what a species loses by it. In each year

- each full-grown tree drops its seeds; a seed that falls on a tree is lost, and of those that fall in one free cell the
  strongest stays: a random number times suitability · (1 - dark);
- that seed sprouts with the probability suitability · (1 - dark);
- each tree grows by suitability · (1 - dark) / years to full size, and dies with the probability 0.01 + 0.3 · (1 -
  suitability) · (1 - hardiness), 0.5 · dark more while it is small, 0.2 more in the last quarter of its life, and
  certainly beyond its life.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, random_word, stream_key
from anabasis.maps.cover.site import Site
from anabasis.maps.cover.species import SPECIES, Species, site_of, suitability
from anabasis.maps.cover.trees import Trees, trees_of
from anabasis.maps.shape import check_shape
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_count, check_seed

__all__ = ["Growth", "ecosystem", "ecosystem_forest"]

_FOUND, _SEED, _SPROUT, _DEATH = 234, 235, 236, 237
_FULL = 10000  # the size of a full-grown tree
_GROWTH, _LIFE, _SEEDS, _REACH, _HARDINESS, _TOLERANCE = 0, 1, 2, 3, 4, 5
_TRIES = 20  # cells looked at for each tree that is to be planted


@dataclass(frozen=True, eq=False)
class Growth:
    """What grew: the trees at the end, int64[n] the age of each in years, and int64[years + 1, species] how many stood.

    `counts[0]` is what was planted, `counts[t]` what stood after year t.
    """

    trees: Trees
    ages: NDArray[np.int64]
    counts: NDArray[np.int64]

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "ages", freeze(self.ages, np.int64, (len(self.trees.cells),), "ages of trees"))
        set_field(self, "counts", freeze(self.counts, np.int64, (None, len(self.trees.names)), "counts of trees"))


def ecosystem(
    width: int,
    height: int,
    *,
    seed: int,
    ground: Site | None = None,
    species: Sequence[Species] = SPECIES,
    years: int = 80,
    planted: int | None = None,
) -> Growth:
    """Return the growth of that many years from `planted` full-grown trees, by default one for 500 cells.

    ground: see `site`; its density is the worth of the soil, by which suitability is multiplied. A tree is planted in a
    random cell, of a species drawn by suitability there; where 20 cells suit none, it is left out. More years go on
    from the same states. Work grows with the cells times the years.
    """
    height, width = check_shape(width, height)
    seed, years = check_seed(seed), check_count(years, "years", most=10000)
    check_count(len(species), "number of species", most=127)
    made = site_of(width, height, ground, seed)
    wish = width * height // 500 + 1 if planted is None else check_count(planted, "trees to plant", most=width * height)
    suits = np.zeros((max(1, len(species)), height, width), np.uint8)
    for k, kind in enumerate(species):
        worth = suitability(kind, made)
        suits[k] = np.rint(255 * (worth if made.density is None else worth * made.density))
    lives = np.array([(s.growth, s.life, s.seeds, s.reach, s.hardiness, s.shade) for s in species], np.float64)
    kinds = np.full((height, width), -1, np.int8)
    ages, sizes = np.zeros((height, width), np.int16), np.zeros((height, width), np.int16)
    counts = np.zeros((years + 1, len(species)), np.int64)
    if len(species):
        _plant(kinds, sizes, suits, stream_key(seed, _FOUND, 0), wish)
        _grow(kinds, ages, sizes, suits, lives, seed, counts)
    trees = trees_of(kinds, [kind.name for kind in species])
    return Growth(trees, ages[kinds >= 0].astype(np.int64), counts)


def ecosystem_forest(
    width: int,
    height: int,
    *,
    seed: int,
    ground: Site | None = None,
    species: Sequence[Species] = SPECIES,
    years: int = 80,
    planted: int | None = None,
) -> Trees:
    """Return the trees that stand at the end of an `ecosystem`, whose options these are."""
    return ecosystem(width, height, seed=seed, ground=ground, species=species, years=years, planted=planted).trees


@kernel
def _plant(kinds: NDArray[np.int8], sizes: NDArray[np.int16], suits: NDArray[np.uint8], key: int, wish: int) -> None:
    """Plant full-grown trees in random free cells that suit one of the species."""
    height, width = kinds.shape
    for unit in range(wish):
        for t in range(_TRIES):
            cell = int(random_fraction(key, unit, 2 * t) * (width * height))
            x, y = cell % width, cell // width
            total = 0
            for k in range(len(suits)):
                total += int(suits[k, y, x])
            if total < 128 or kinds[y, x] >= 0:
                continue
            rest, k = int(random_word(key, unit, 2 * t + 1) % total), 0
            while rest >= suits[k, y, x]:
                rest -= int(suits[k, y, x])
                k += 1
            kinds[y, x], sizes[y, x] = k, _FULL
            break


@kernel
def _grow(
    kinds: NDArray[np.int8],
    ages: NDArray[np.int16],
    sizes: NDArray[np.int16],
    suits: NDArray[np.uint8],
    lives: NDArray[np.float64],
    seed: int,
    counts: NDArray[np.int64],
) -> None:
    """Let the years pass; counts[0] is written first."""
    height, width = kinds.shape
    tall = np.zeros((height, width), np.uint8)  # full-grown trees around
    best = np.zeros((height, width), np.int64)  # the strongest seed: its strength, and its species below
    for year in range(len(counts)):
        if year:
            key = stream_key(seed, _SEED, year)
            for y in range(height):
                for x in range(width):
                    if sizes[y, x] == _FULL:
                        _shade(tall, x, y)
            for y in range(height):
                for x in range(width):
                    if sizes[y, x] == _FULL:
                        _drop(kinds, suits, lives, tall, best, x, y, key)
            sprout, death = stream_key(seed, _SPROUT, year), stream_key(seed, _DEATH, year)
            _live(kinds, ages, sizes, suits, lives, tall, best, sprout, death)
        for y in range(height):
            for x in range(width):
                if kinds[y, x] >= 0:
                    counts[year, kinds[y, x]] += 1


@kernel
def _shade(tall: NDArray[np.uint8], x: int, y: int) -> None:
    """Count a full-grown tree for the cells around it."""
    height, width = tall.shape
    for j in range(max(0, y - 1), min(height, y + 2)):
        for i in range(max(0, x - 1), min(width, x + 2)):
            if i != x or j != y:
                tall[j, i] += 1


@kernel
def _drop(
    kinds: NDArray[np.int8],
    suits: NDArray[np.uint8],
    lives: NDArray[np.float64],
    tall: NDArray[np.uint8],
    best: NDArray[np.int64],
    x: int,
    y: int,
    key: int,
) -> None:
    """Drop the seeds of the tree at (x, y) for one year: the whole of `seeds`, and one more with what is left over."""
    height, width = kinds.shape
    k, unit = int(kinds[y, x]), y * width + x
    number = math.floor(lives[k, _SEEDS] + random_fraction(key, unit, 0))
    for s in range(number):
        first = 1 + 8 * s
        share = random_fraction(key, unit, first)
        u, v, length, t = 0, 0, 0, 2
        while length == 0 or (length > 2**30 and t < 8):  # a random direction: a point in the disc, if six tries do
            word = int(random_word(key, unit, first + t))
            u, v, t = 2 * (word & 0xFFFF) - 0xFFFF, 2 * (word >> 16) - 0xFFFF, t + 1
            length = u * u + v * v >> 2
        far = lives[k, _REACH] * math.sqrt(share / (1 - share)) / math.sqrt(4.0 * length)
        i, j = math.floor(x + 0.5 + u * far), math.floor(y + 0.5 + v * far)
        if 0 <= i < width and 0 <= j < height and kinds[j, i] < 0 and suits[k, j, i] > 0:
            light = int(256 * (1 - tall[j, i] / 8.0 * (1 - lives[k, _TOLERANCE]))) * int(suits[k, j, i])
            strength = int(random_word(key, unit, first + 1) >> 8) * light
            best[j, i] = max(best[j, i], strength << 8 | k)


@kernel
def _live(
    kinds: NDArray[np.int8],
    ages: NDArray[np.int16],
    sizes: NDArray[np.int16],
    suits: NDArray[np.uint8],
    lives: NDArray[np.float64],
    tall: NDArray[np.uint8],
    best: NDArray[np.int64],
    sprout: int,
    death: int,
) -> None:
    """Let each tree age, grow and perhaps die, and each seed that stayed perhaps sprout; clear tall and best."""
    height, width = kinds.shape
    for y in range(height):
        for x in range(width):
            k, unit, shade = int(kinds[y, x]), y * width + x, tall[y, x] / 8.0
            tall[y, x] = 0
            if k < 0:
                if best[y, x]:
                    k = int(best[y, x] & 255)
                    worth, dark = suits[k, y, x] / 255.0, shade * (1 - lives[k, _TOLERANCE])
                    best[y, x] = 0
                    if random_fraction(sprout, unit, 0) < worth * (1 - dark):
                        kinds[y, x], ages[y, x], sizes[y, x] = k, 0, 0
                continue
            worth, dark = suits[k, y, x] / 255.0, shade * (1 - lives[k, _TOLERANCE])
            ages[y, x] += 1
            chance = 0.01 + 0.3 * (1 - worth) * (1 - lives[k, _HARDINESS])
            if sizes[y, x] < _FULL:
                chance += 0.5 * dark
                sizes[y, x] = min(_FULL, sizes[y, x] + math.floor(_FULL * worth * (1 - dark) / lives[k, _GROWTH]))
            if ages[y, x] > 0.75 * lives[k, _LIFE]:
                chance += 0.2
            if ages[y, x] > lives[k, _LIFE] or random_fraction(death, unit, 0) < chance:
                kinds[y, x], ages[y, x], sizes[y, x] = -1, 0, 0
