"""The three maps of the source: an island, a lake in the centre, and land at random.

Heights of 8 bits that wrap around, grown by diamond-square from given points; terrain by shares of the cells. The
numbers are those of a Czech bachelor's thesis on generated terrain for strategy games, 2014; where it gives none
(points, some shares) they are ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.gamemap import GameMap
from anabasis.maps.land.palettes import Palette
from anabasis.maps.terrain.diamond_square import diamond_square
from anabasis.maps.terrain.stencils import island_stencil, lake_stencil
from anabasis.maps.worlds.land import Land, painted
from anabasis.maps.worlds.populate import populate

__all__ = ["central_lake", "island", "random_land", "source_land"]

_KINDS = "W,G^*"


def source_land(
    width: int,
    height: int,
    *,
    seed: int,
    stencil: str,
    amplitude: float,
    increment: float,
    shares: tuple[float, ...],
    schedule: str = "plain",
    arithmetic: str = "wrap",
) -> Land:
    """Return the land of a preset of the source.

    stencil: island, lake or none, the points given beforehand. amplitude: the greatest random offset, in steps of the
    8 bits; increment: by how much the exponent of its fading grows in each iteration. shares: cumulative, of water,
    coast, grass and rock; the rest is snow.
    """
    points: dict[str, NDArray[np.float64] | None] = {
        "island": island_stencil(width, height),
        "lake": lake_stencil(width, height),
        "none": None,
    }
    heights = diamond_square(
        width,
        height,
        seed=seed,
        amplitude=amplitude,
        roughness=2.0**-increment,
        schedule=schedule,
        arithmetic=arithmetic,
        predefined=points[stencil],
    )
    return painted(heights, Palette("source", _KINDS, shares))


def island(
    width: int,
    height: int,
    *,
    seed: int,
    amplitude: float = 50.0,
    increment: float = 0.45,
    water: float = 0.5,
    schedule: str = "plain",
    arithmetic: str = "wrap",
    **life: Any,
) -> GameMap:
    """Return an island with mountains in its middle that leave two ways round, for two to four players."""
    land = source_land(
        width,
        height,
        seed=seed,
        stencil="island",
        amplitude=amplitude,
        increment=increment,
        shares=_above(water, 0.06, 0.29, 0.10, 0.05),
        schedule=schedule,
        arithmetic=arithmetic,
    )
    return populate(land, seed=seed, **life)


def central_lake(
    width: int,
    height: int,
    *,
    seed: int,
    amplitude: float = 200.0,
    increment: float = 0.95,
    water: float = 0.2,
    schedule: str = "plain",
    arithmetic: str = "wrap",
    **life: Any,
) -> GameMap:
    """Return land around a lake, smooth and with much variety, for games of building."""
    land = source_land(
        width,
        height,
        seed=seed,
        stencil="lake",
        amplitude=amplitude,
        increment=increment,
        shares=_above(water, 0.10, 0.50, 0.10, 0.10),
        schedule=schedule,
        arithmetic=arithmetic,
    )
    return populate(land, seed=seed, **life)


def random_land(
    width: int,
    height: int,
    *,
    seed: int,
    amplitude: float = 225.0,
    increment: float = 0.75,
    water: float = 0.5,
    schedule: str = "plain",
    arithmetic: str = "wrap",
    **life: Any,
) -> GameMap:
    """Return rugged land as if seen from far above, with indented coasts, for games of civilisations."""
    land = source_land(
        width,
        height,
        seed=seed,
        stencil="none",
        amplitude=amplitude,
        increment=increment,
        shares=_above(water, 0.03, 0.32, 0.10, 0.05),
        schedule=schedule,
        arithmetic=arithmetic,
    )
    return populate(land, seed=seed, **life)


def _above(water: float, *parts: float) -> tuple[float, ...]:
    """Return the cumulative shares of all levels but the last: water, then parts of the rest in their proportions."""
    rest = (1 - water) / sum(parts)
    return water, *(water + rest * float(end) for end in np.cumsum(parts)[:-1])
