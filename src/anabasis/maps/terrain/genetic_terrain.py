"""Genetic terrain: landforms on a lattice, bred until the terrain is like what was asked for.

After T. J. Ong, R. Saunders, J. Keyser and J. J. Leggett, "Terrain Generation Using Genetic Algorithms", 2005, who
breed arrangements of pieces from a database of terrains. Here each place of the lattice holds a landform of its own
making, a mountain, ridge or basin, so no database is needed: the example, if there is one, enters as its traits. Better
terrains mate more often, two parents exchange a rectangle of the lattice, landforms mutate, and the best stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, random_word, stream_key
from anabasis.maps.shape import check_shape
from anabasis.maps.terrain.gradient_noise import gradient_noise
from anabasis.maps.terrain.traits import TerrainTraits, likeness, sampled_cells, terrain_traits
from anabasis.noun import freeze, summary
from anabasis.options import check_count, check_seed, check_share

__all__ = ["Evolution", "evolve_terrain", "genetic_terrain"]

_FIRST, _BREED, _NOISE = 170, 171, 172  # streams
_SHORT, _LONG = 5, 40  # landforms along the shorter side, and at most along the longer one
_X, _Y, _RADIUS, _TOP, _TURN_X, _TURN_Y, _SHARP, _GENES = range(8)  # each gene is a share from 0 to 1
_REACH = 2.7  # lattice steps from the middle of a landform to its farthest foot
_WARP, _GRAIN = 0.6, 0.5  # at roughness 1: how far coasts are moved, in lattice steps, and how high the noise stands

Floats = NDArray[np.float64]
_Ground = tuple[Floats, Floats, Floats]


@dataclass(frozen=True, eq=False)
class Evolution:
    """A bred terrain: float64[height, width] with the sea at 0, its traits, how much it is like the target (0 to 1).

    history: float64[k], the likeness of the best after k - 1 rounds of breeding; it never falls.
    """

    heights: Floats
    traits: TerrainTraits
    score: float
    history: Floats

    __repr__ = summary


def genetic_terrain(
    width: int,
    height: int,
    *,
    seed: int,
    water: float | None = 0.4,
    lands: int | None = 3,
    ruggedness: float | None = None,
    population: int = 32,
    generations: int = 40,
    roughness: float = 0.6,
    seamless: bool = False,
) -> Floats:
    """Return float64[height, width], a terrain bred towards those traits (see `TerrainTraits`), with the sea at 0.

    The other options and the errors are those of `evolve_terrain`.
    """
    return evolve_terrain(
        width,
        height,
        seed=seed,
        target=TerrainTraits(water, lands, ruggedness),
        population=population,
        generations=generations,
        roughness=roughness,
        seamless=seamless,
    ).heights


def evolve_terrain(
    width: int,
    height: int,
    *,
    seed: int,
    target: TerrainTraits,
    population: int = 32,
    generations: int = 40,
    enough: float = 0.99,
    roughness: float = 0.6,
    seamless: bool = False,
) -> Evolution:
    """Breed a terrain that is like the target, which may be what `terrain_traits` says of an example.

    - population: terrains at a time; the first are random. generations: rounds of breeding at most.
    - enough: breeding ends when the best has this likeness.
    - roughness: how ragged coasts are and how much grain all ground has, from 0 to 1.
    - seamless: the left border goes on at the right one, and the upper at the lower.

    Terrains are judged by a sample of their cells, and only the best is made whole. Raises InputError for a wrong size
    or option.
    """
    height, width = check_shape(width, height)
    number = check_seed(seed)
    size, rounds = (
        check_count(population, "population", 2, 100_000),
        check_count(generations, "generations", 0, 100_000),
    )
    goal, wraps = check_share(enough, "enough"), bool(seamless)
    ground = _ground(width, height, number, check_share(roughness, "roughness"), wraps)
    shorter, longer = min(width, height), max(width, height)
    across = min(_LONG, max(_SHORT, round(_SHORT * longer / shorter)))
    lattice = (_SHORT, across) if height <= width else (across, _SHORT)
    old = np.empty((size, lattice[0] * lattice[1] + 1, _GENES))
    _random(old, stream_key(number, _FIRST, 0))
    new = np.empty_like(old)
    rows, columns = sampled_cells(height, width)
    x, y, grain = (np.ascontiguousarray(field[np.ix_(rows, columns)]) for field in ground)
    some = x, y, grain
    scores = _scores(old, lattice, some, target, wraps)
    history = [float(scores.max())]
    while history[-1] < goal and len(history) <= rounds:
        _breed(old, scores, stream_key(number, _BREED, len(history)), *lattice, new)
        old, new = new, old
        scores = _scores(old, lattice, some, target, wraps)
        history.append(float(scores.max()))
    heights = np.empty((height, width))
    _raise_land(old[int(scores.argmax())], *lattice, *ground, wraps, heights)
    traits = terrain_traits(heights, seamless=wraps)
    return Evolution(heights, traits, history[-1], freeze(history, np.float64, (None,), "history"))


def _ground(width: int, height: int, seed: int, roughness: float, seamless: bool) -> _Ground:
    """Return what all terrains of a run share: where each cell is moved to, x and y in shares of the map, and grain."""
    scale = max(2.0, min(width, height) / 4)
    octaves = max(1, int(scale).bit_length() - 1)  # down to two cells
    x, y, grain = (
        gradient_noise(
            width,
            height,
            seed=stream_key(seed, _NOISE, field),
            scale=scale,
            octaves=octaves,
            roughness=0.5,
            seamless=seamless,
        )
        for field in range(3)
    )
    step = _WARP * roughness * min(width, height) / _SHORT
    places_x, places_y = (np.arange(width) + 0.5)[None, :], (np.arange(height) + 0.5)[:, None]
    return (places_x + step * x) / width, (places_y + step * y) / height, _GRAIN * roughness * grain


def _scores(
    genomes: Floats,
    lattice: tuple[int, int],
    some: tuple[Floats, Floats, Floats],
    target: TerrainTraits,
    seamless: bool,
) -> Floats:
    scores, heights = np.empty(len(genomes)), np.empty_like(some[0])
    for k, genome in enumerate(genomes):
        _raise_land(genome, *lattice, *some, seamless, heights)
        scores[k] = likeness(terrain_traits(heights, seamless=seamless), target)
    return scores


@kernel
def _random(genomes: Any, key: int) -> None:
    for k in range(genomes.shape[0]):
        for place in range(genomes.shape[1]):
            for gene in range(_GENES):
                genomes[k, place, gene] = random_fraction(key, k, place * _GENES + gene)


@kernel
def _breed(old: Any, scores: Any, key: int, rows: int, columns: int, new: Any) -> None:
    """Write the next generation: the best as it is, and children of parents of which each won over two others."""
    size, places = old.shape[0], old.shape[1]
    new[0] = old[scores.argmax()]
    for child in range(1, size, 2):
        mother, father = _winner(scores, key, child, 0), _winner(scores, key, child, 3)
        twin = child + 1 if child + 1 < size else child  # the last one may be alone
        top, left = random_word(key, child, 6) % rows, random_word(key, child, 7) % columns
        tall, wide = random_word(key, child, 8) % rows + 1, random_word(key, child, 9) % columns + 1
        for place in range(places):
            inside = (place // columns - top) % rows < tall and (place % columns - left) % columns < wide
            if place == places - 1:
                inside = random_fraction(key, child, 10) < 0.5
            new[twin, place] = old[mother if inside else father, place]
            new[child, place] = old[father if inside else mother, place]
    for child in range(1, size):
        for place in range(places):
            base = 16 + place * (2 * _GENES + 1)
            if random_fraction(key, child, base) * places < 2 or (place == places - 1 and child % 4 == 0):
                for gene in range(_GENES):
                    first, second = base + 1 + 2 * gene, base + 2 + 2 * gene
                    change = random_fraction(key, child, first) + random_fraction(key, child, second) - 1
                    new[child, place, gene] = min(max(new[child, place, gene] + 0.5 * change, 0.0), 1.0)


@kernel
def _winner(scores: Any, key: int, unit: int, number: int) -> int:
    """Return the best of three terrains drawn at random, of equal ones the first drawn."""
    best = random_word(key, unit, number) % scores.shape[0]
    for k in range(1, 3):
        other = random_word(key, unit, number + k) % scores.shape[0]
        if scores[other] > scores[best]:
            best = other
    return best


@kernel
def _raise_land(
    genome: Any, rows: int, columns: int, xs: Any, ys: Any, grain: Any, seamless: bool, heights: Any
) -> None:
    """Write the heights that a genome makes of cells at (x, y), shares of the map.

    The last place of a genome holds no landform, but the level of the land and how much of the grain it has.
    """
    level, share = 0.6 * genome[rows * columns, 0] - 0.3, 3 * genome[rows * columns, 1] * genome[rows * columns, 1]
    for y in range(heights.shape[0]):
        for x in range(heights.shape[1]):
            heights[y, x] = level + share * grain[y, x]
    around = 1 if seamless else 0
    for place in range(rows * columns):
        row, column = place // columns, place % columns
        for j in range(-around, around + 1):
            for i in range(-around, around + 1):
                middle_x = column + 2 * genome[place, _X] - 0.5 + i * columns
                middle_y = row + 2 * genome[place, _Y] - 0.5 + j * rows
                _raise_form(genome[place], middle_x, middle_y, rows, columns, xs, ys, heights)


@kernel
def _raise_form(genes: Any, x: float, y: float, rows: int, columns: int, xs: Any, ys: Any, heights: Any) -> None:
    """Add one landform with its middle at (x, y), in lattice steps: an ellipse, round or sharp on top, up or down."""
    along_x, along_y = 2 * genes[_TURN_X] - 1, 2 * genes[_TURN_Y] - 1
    length = np.sqrt(along_x * along_x + along_y * along_y)
    if length > 0:
        along_x, along_y = along_x / length, along_y / length
    radius = 0.5 + 1.0 * genes[_RADIUS]
    stretch = 1 + 0.7 * min(1.0, length)
    along, across = 1 / (radius * stretch), stretch / radius
    top, sharp = 2 * genes[_TOP] - 1, genes[_SHARP]
    height, width = heights.shape
    reach = _REACH + _WARP
    upper, lower = max(0, int((y - reach) / rows * height)), min(height, int((y + reach) / rows * height) + 2)
    left, right = max(0, int((x - reach) / columns * width)), min(width, int((x + reach) / columns * width) + 2)
    for j in range(upper, lower):
        for i in range(left, right):
            dx, dy = xs[j, i] * columns - x, ys[j, i] * rows - y
            u, v = (dx * along_x + dy * along_y) * along, (dy * along_x - dx * along_y) * across
            square = u * u + v * v
            if square < 1:
                cone, bowl = 1 - np.sqrt(square), 1 - square
                heights[j, i] += top * (sharp * cone * cone + (1 - sharp) * bowl * bowl)
