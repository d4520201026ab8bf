"""Species: trees by kind, each where its temperature, moisture and height suit it, placed by local probability.

Random scattering of natural objects by suitability: M. West, "Random scattering: creating realistic landscapes", 2008.
What suits a species least decides, the law of the minimum (J. von Liebig, 1840). Woods and clearings, and stands of one
species within a wood, are cluster processes (see `groves`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.errors import InputError
from anabasis.maps.cover.groves import groves
from anabasis.maps.cover.site import Site, site
from anabasis.maps.cover.trees import Trees, trees_of
from anabasis.maps.shape import check_shape
from anabasis.options import check_count, check_seed

__all__ = ["SPECIES", "Species", "draw_species", "site_of", "species_forest", "suitability", "tree_probability"]

_STREAM = 231
_FADE = 0.1  # how far outside its range a species still grows, ever worse


@dataclass(frozen=True)
class Species:
    """What a species likes, ranges of shares from 0 to 1, how common it is, and how it lives.

    - temperature: 0 coldest, 1 hottest; moisture: 0 driest, 1 wettest; height: 0 lowest, 1 highest of the map.
    - abundance: the probability of a tree in a cell that suits it wholly; spacing: no other tree nearer, in cells.
    - growth: years from seedling to full size where all suits it; life: the most years a tree lives.
    - seeds: seeds a year of a full-grown tree; reach: the distance that half of them stay within, in cells.
    - hardiness: 1 lives as long on poor ground, 0 hardly at all; shade: 1 grows as well under others, 0 not at all.
    """

    name: str
    temperature: tuple[float, float]
    moisture: tuple[float, float]
    height: tuple[float, float]
    abundance: float
    spacing: float
    growth: int
    life: int
    seeds: float
    reach: float
    hardiness: float
    shade: float

    def __post_init__(self) -> None:
        where = f"species {self.name!r}"
        for name in ("temperature", "moisture", "height"):
            low, high = getattr(self, name)
            if not 0 <= low <= high <= 1:
                raise InputError(f"{where}: {name}", found=f"{low} to {high}", expected="a range within 0 to 1")
        for name in ("abundance", "hardiness", "shade"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{where}: {name}", found=f"{getattr(self, name)}", expected="a share from 0 to 1")
        for name in ("spacing", "seeds", "reach"):
            if not 0 <= getattr(self, name) <= 1000:
                raise InputError(f"{where}: {name}", found=f"{getattr(self, name)}", expected="0 to 1000")
        check_count(self.growth, f"{where}: growth", 1, 1000)
        check_count(self.life, f"{where}: life", 1, 10000)


SPECIES = (
    Species("pine", (0.10, 0.55), (0.10, 0.60), (0.30, 0.90), 0.7, 1.5, 8, 60, 1.0, 3.0, 0.8, 0.3),
    Species("spruce", (0.00, 0.40), (0.35, 0.90), (0.25, 1.00), 0.8, 1.5, 12, 90, 1.0, 3.0, 0.6, 0.9),
    Species("birch", (0.10, 0.60), (0.25, 0.80), (0.10, 0.80), 0.4, 1.5, 5, 24, 1.4, 5.0, 0.7, 0.0),
    Species("oak", (0.35, 0.70), (0.30, 0.75), (0.00, 0.60), 0.7, 2.0, 12, 120, 0.9, 3.0, 0.5, 0.9),
    Species("alder", (0.20, 0.65), (0.75, 1.00), (0.00, 0.50), 0.6, 1.5, 6, 40, 1.0, 3.0, 0.7, 0.4),
    Species("acacia", (0.65, 1.00), (0.05, 0.45), (0.00, 0.70), 0.2, 3.0, 9, 50, 0.5, 4.0, 0.9, 0.0),
    Species("palm", (0.65, 1.00), (0.40, 1.00), (0.00, 0.40), 0.6, 1.5, 8, 60, 0.8, 3.0, 0.5, 0.4),
    Species("mangrove", (0.60, 1.00), (0.75, 1.00), (0.00, 0.12), 0.9, 1.0, 6, 50, 0.9, 2.0, 0.7, 0.6),
)


def suitability(kind: Species, ground: Site) -> NDArray[np.float64]:
    """Return float64[height, width] from 0 to 1: how well each cell suits a species; 0 where no tree may stand.

    1 inside its ranges of temperature, moisture and height, falling to 0 at 0.1 outside; the worst of the three counts.
    The density of the site isn't in it.
    """
    suits = np.empty(ground.ground.shape)
    ranges = np.array([kind.temperature, kind.moisture, kind.height], np.float64)
    _suit(np.array(ground.temperature), np.array(ground.moisture), np.array(ground.heights), ranges, suits)
    suits[~ground.ground] = 0
    return suits


def tree_probability(ground: Site, species: Sequence[Species] = SPECIES) -> NDArray[np.float64]:
    """Return float64[height, width], the probability of a tree: density times the sum of abundance times suitability.

    The sum counts as 1 where it is more. The density is that of the site, 1 if it has none.
    """
    total = np.zeros(ground.ground.shape)
    for kind in species:
        total += kind.abundance * suitability(kind, ground)
    total = np.minimum(total, 1.0)
    return total if ground.density is None else total * ground.density


def draw_species(
    ground: Site, *, seed: int, species: Sequence[Species] = SPECIES, stands: float = 12.0
) -> NDArray[np.int64]:
    """Return int64[height, width]: the species drawn for each cell, -1 for no tree, as `tree_probability` says.

    Which species is drawn goes by abundance times suitability; with stands above 0 also by random groves of that size,
    in cells, one field for each species, so that neighbours are mostly of one species.
    """
    seed = check_seed(seed)
    if not 0 <= stands <= 2**14:
        raise InputError("size of stands", found=f"{stands}", expected="cells from 0 to 16384")
    height, width = ground.ground.shape
    key, drawn = stream_key(seed, _STREAM, 0), np.full((height, width), -1, np.int64)
    cells = _stand(np.ascontiguousarray(tree_probability(ground, species)).reshape(-1), key)
    sums, kinds = np.zeros(len(cells)), np.full(len(cells), -1, np.int64)
    for number, kind in enumerate(species):
        weight = kind.abundance * suitability(kind, ground).reshape(-1)[cells]
        if not weight.any():
            continue
        if stands:
            weight *= (
                0.02 + groves(width, height, seed=seed, size=stands, share=0.5, layer=number + 1).reshape(-1)[cells]
            )
        _choose(cells, weight, sums, kinds, key, number)
    drawn.reshape(-1)[cells] = kinds
    return drawn


def species_forest(
    width: int,
    height: int,
    *,
    seed: int,
    ground: Site | None = None,
    species: Sequence[Species] = SPECIES,
    stands: float = 12.0,
) -> Trees:
    """Return trees placed at random by the local probability of each species.

    ground: see `site`; without a density in it, trees stand in groves with clearings between. stands: see
    `draw_species`. Work grows with the cells times the species.
    """
    drawn = draw_species(site_of(width, height, ground, seed), seed=seed, species=species, stands=stands)
    return trees_of(drawn, [kind.name for kind in species])


def site_of(width: int, height: int, ground: Site | None, seed: int) -> Site:
    """Return the site, a plain one for None, with the density of groves if it has none; InputError for another size."""
    shape = check_shape(width, height)
    made = site(width, height) if ground is None else ground
    if made.ground.shape != shape:
        found = "{1}×{0}".format(*made.ground.shape)
        raise InputError("the site is of another size than the map", found=found, expected=f"{width}×{height}")
    if made.density is not None:
        return made
    density = groves(width, height, seed=seed)
    return Site(made.ground, made.temperature, made.moisture, made.heights, density)


@kernel
def _suit(
    temperature: NDArray[np.float64],
    moisture: NDArray[np.float64],
    heights: NDArray[np.float64],
    ranges: NDArray[np.float64],
    suits: NDArray[np.float64],
) -> None:
    """Write how well each cell suits; a field of one cell stands for all cells."""
    rows, columns = suits.shape
    whole_t, whole_m, whole_h = int(temperature.size > 1), int(moisture.size > 1), int(heights.size > 1)
    for y in range(rows):
        for x in range(columns):
            t = temperature[y * whole_t, x * whole_t]
            m = moisture[y * whole_m, x * whole_m]
            h = heights[y * whole_h, x * whole_h]
            outside = max(ranges[0, 0] - t, t - ranges[0, 1], ranges[1, 0] - m, m - ranges[1, 1])
            outside = max(outside, ranges[2, 0] - h, h - ranges[2, 1], 0.0)
            suits[y, x] = max(0.0, 1 - outside / _FADE)


@kernel
def _stand(chance: NDArray[np.float64], key: int) -> NDArray[np.int64]:
    """Return the cells for which a tree is drawn."""
    cells, count = np.empty(len(chance), np.int64), 0
    for cell in range(len(chance)):
        cells[count] = cell
        count += int(random_fraction(key, cell, 0) < chance[cell])
    return cells[:count].copy()


@kernel
def _choose(
    cells: NDArray[np.int64],
    weight: NDArray[np.float64],
    sums: NDArray[np.float64],
    kinds: NDArray[np.int64],
    key: int,
    number: int,
) -> None:
    """Let one more species contend for each tree: it wins with its share of the weights so far."""
    for n in range(len(cells)):
        if weight[n] > 0:
            sums[n] += weight[n]
            if random_fraction(key, cells[n], number + 1) * sums[n] < weight[n]:
                kinds[n] = number
