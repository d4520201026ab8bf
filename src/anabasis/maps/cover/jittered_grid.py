"""Jittered grid: trees at regular places, each shifted at random, never so far that two come too near.

R. L. Cook, "Stochastic sampling in computer graphics", 1986 (jittering a regular grid). In squares of `spacing` cells a
tree may stand in the first `spacing - gap + 1` columns and rows, so trees of two squares are at least `gap` columns or
at least `gap` rows apart; some are exactly that.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_word, stream_key
from anabasis.maps.cover.site import Site
from anabasis.maps.cover.species import SPECIES, Species, draw_species, site_of
from anabasis.maps.cover.trees import Trees
from anabasis.maps.shape import check_shape
from anabasis.options import check_count, check_seed

__all__ = ["jittered_grid", "jittered_grid_forest"]

_STREAM = 233


def jittered_grid(width: int, height: int, *, seed: int, spacing: int = 3, gap: int = 2) -> NDArray[np.int64]:
    """Return int64[n, 2], cells (x, y) row by row: one for each square of `spacing` cells, where it lies on the map.

    Any two cells are at least `gap` columns or at least `gap` rows apart. gap: 1 (two may touch) to spacing (no shift).
    The squares begin at a random place, so no column and no row is favoured. Raises InputError for options out of
    range.
    """
    rows, columns = check_shape(width, height)
    step = check_count(spacing, "spacing", 1, 2**14)
    room = step - check_count(gap, "gap", 1, step) + 1
    key = stream_key(check_seed(seed), _STREAM, 0)
    cells = _shift(columns, rows, step, room, key)
    return cells[np.argsort(cells[:, 1] * columns + cells[:, 0])]  # no two are equal


def jittered_grid_forest(
    width: int,
    height: int,
    *,
    seed: int,
    ground: Site | None = None,
    species: Sequence[Species] = SPECIES,
    stands: float = 12.0,
    spacing: int = 2,
    gap: int = 1,
) -> Trees:
    """Return trees at the places of `jittered_grid` where one is drawn by the local probability of each species.

    ground and stands: as in `species_forest`.
    """
    cells = jittered_grid(width, height, seed=seed, spacing=spacing, gap=gap)
    drawn = draw_species(site_of(width, height, ground, seed), seed=seed, species=species, stands=stands)
    kinds = drawn[cells[:, 1], cells[:, 0]]
    stay = kinds >= 0
    return Trees(width, height, cells[stay], kinds[stay], tuple(kind.name for kind in species))


@kernel
def _shift(width: int, height: int, step: int, room: int, key: int) -> NDArray[np.int64]:
    """Return the cell of each square, by squares; a square may lie partly outside the map, and its cell with it."""
    left, top = -int(random_word(key, 0, 0) % step), -int(random_word(key, 0, 1) % step)
    columns, rows = (width - left + step - 1) // step, (height - top + step - 1) // step
    cells, count = np.empty((columns * rows, 2), np.int64), 0
    for unit in range(columns * rows):
        x = left + unit % columns * step + int(random_word(key, unit, 2) % room)
        y = top + unit // columns * step + int(random_word(key, unit, 3) % room)
        if 0 <= x < width and 0 <= y < height:
            cells[count, 0], cells[count, 1] = x, y
            count += 1
    return cells[:count]
