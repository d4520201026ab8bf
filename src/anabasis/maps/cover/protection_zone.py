"""Protection zone: trees with no other tree nearer than their radius, as many as fit.

Poisson-disc sampling by dart throwing: R. L. Cook, "Stochastic sampling in computer graphics", 1986; the darts are all
cells in random order, and what each tree covers is marked on the map, so that the result is maximal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_word, stream_key
from anabasis.errors import InputError
from anabasis.maps.cover.site import Site
from anabasis.maps.cover.species import SPECIES, Species, draw_species, site_of
from anabasis.maps.cover.trees import Trees
from anabasis.maps.shape import check_shape
from anabasis.noun import freeze
from anabasis.options import check_seed

__all__ = ["poisson_disc", "protection_zone_forest"]

_STREAM = 232


def poisson_disc(
    width: int,
    height: int,
    *,
    seed: int,
    radius: float | NDArray[np.float64] = 2.0,
    ground: NDArray[np.bool_] | None = None,
) -> NDArray[np.int64]:
    """Return int64[n, 2], cells (x, y) row by row, any two of them at least the radius of each apart.

    No further cell of the ground could be added. radius: in cells, one number or float64[height, width]; ground:
    bool[height, width], the cells to choose from. Work grows with the cells; where radii differ, with the square of
    the radius too. Raises InputError for radii that are not from 0 to 1000.
    """
    shape = check_shape(width, height)
    key = stream_key(check_seed(seed), _STREAM, 0)
    free = np.ones(shape, bool) if ground is None else freeze(ground, np.bool_, shape, "ground")
    one = np.ndim(radius) == 0
    given, size = (np.reshape(radius, (1, 1)), (1, 1)) if one else (radius, shape)
    zone = freeze(given, np.float64, size, "radius of a zone")
    if not (zone.min() >= 0 and zone.max() <= 1000):
        raise InputError("radius of a zone", found=f"{zone.min()} to {zone.max()}", expected="cells from 0 to 1000")
    chosen = np.zeros(shape, bool)
    darts = _darts(np.flatnonzero(free), key)
    darts.sort()  # no two are equal, so every way of sorting gives the same
    _throw(darts & (2**28 - 1), np.array(zone), float(zone.min()), chosen)
    y, x = np.nonzero(chosen)
    return np.stack((x, y), axis=1)


def protection_zone_forest(
    width: int,
    height: int,
    *,
    seed: int,
    ground: Site | None = None,
    species: Sequence[Species] = SPECIES,
    stands: float = 12.0,
    radius: float | None = None,
) -> Trees:
    """Return trees placed as in `species_forest`, of which no two are nearer than the spacing of either's species.

    radius: one spacing for all species. No tree that was drawn could be added.
    """
    drawn = draw_species(site_of(width, height, ground, seed), seed=seed, species=species, stands=stands)
    spacing = np.array([kind.spacing for kind in species] + [0.0])  # the last is that of no tree, -1
    zone = spacing[drawn] if radius is None else radius
    cells = poisson_disc(width, height, seed=seed, radius=zone, ground=drawn >= 0)
    kinds = drawn[cells[:, 1], cells[:, 0]]
    return Trees(width, height, cells, kinds, tuple(kind.name for kind in species))


@kernel
def _darts(cells: NDArray[np.int64], key: int) -> NDArray[np.int64]:
    """Return the cells with a random word each in front."""
    darts = np.empty(len(cells), np.int64)
    for i in range(len(cells)):
        darts[i] = int(random_word(key, cells[i], 0)) << 28 | int(cells[i])
    return darts


@kernel
def _throw(darts: NDArray[np.int64], zone: NDArray[np.float64], least: float, chosen: NDArray[np.bool_]) -> None:
    """Choose each dart that lies in no zone of one before it and has none of them in its own."""
    height, width = chosen.shape
    covered = np.zeros((height, width), np.bool_)
    whole = int(zone.size > 1)
    for dart in darts:
        x, y = dart % width, dart // width
        if covered[y, x]:
            continue
        radius = zone[y * whole, x * whole]
        square, reach = radius * radius, math.ceil(radius)
        top, bottom = max(0, y - reach), min(height, y + reach + 1)
        left, right = max(0, x - reach), min(width, x + reach + 1)
        near = False
        if radius > least:  # an earlier one with a smaller zone may lie in this one's
            for j in range(top, bottom):
                for i in range(left, right):
                    near = near or (chosen[j, i] and (i - x) * (i - x) + (j - y) * (j - y) < square)
                if near:
                    break
        if near:
            continue
        chosen[y, x] = True
        for j in range(top, bottom):
            for i in range(left, right):
                if (i - x) * (i - x) + (j - y) * (j - y) < square:
                    covered[j, i] = True
