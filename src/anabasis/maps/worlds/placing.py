"""Placing: units on a finished map, each at random in the largest part that its movement class has to itself."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.random import random_fraction, stream_key
from anabasis.gamemap import Site
from anabasis.maps.parts import largest_part
from anabasis.movement import movement_class
from anabasis.options import check_seed

__all__ = ["UNITS", "place_units"]

_STREAM = 403
UNITS: Mapping[str, str] = MappingProxyType({"ship": "water", "land unit": "land"})
"""The two units of the source with their movement classes."""


def place_units(terrain: NDArray[np.uint8], *, seed: int, units: Mapping[str, str] = UNITS) -> list[Site]:
    """Return a site of kind `unit` for each name and movement class, no two on one cell.

    A class that can stand nowhere gets none. Raises InputError for an unknown class.
    """
    check_seed(seed)
    placed: list[Site] = []
    taken = np.zeros(terrain.shape, bool)
    for number, (name, movement) in enumerate(units.items()):
        free = np.isfinite(movement_class(movement).cost[terrain])
        cells = np.flatnonzero(largest_part(free) & ~taken)
        if not cells.size:
            continue
        pick = int(random_fraction(stream_key(seed, _STREAM, number), 0, 0) * cells.size)
        y, x = divmod(int(cells[pick]), terrain.shape[1])
        taken[y, x] = True
        placed.append(Site("unit", x, y, name=name))
    return placed
