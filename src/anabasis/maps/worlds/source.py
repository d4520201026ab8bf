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

__all__ = ["PRESETS", "source_land", "source_world"]

_KINDS = "W,G^*"
PRESETS = {
    "island": (0.06, 0.29, 0.10, 0.05),
    "lake": (0.10, 0.50, 0.10, 0.10),
    "none": (0.03, 0.32, 0.10, 0.05),
}
"""By the points given beforehand, the shares of coast, grass, rock and snow; they keep their ratio above any water."""


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


def source_world(
    width: int,
    height: int,
    *,
    seed: int,
    preset: str,
    amplitude: float,
    increment: float,
    water: float,
    schedule: str = "plain",
    arithmetic: str = "wrap",
    **life: Any,
) -> GameMap:
    """Return a map of a preset of the source: one of PRESETS, with its numbers in the table of generators.

    - island: mountains in its middle leave two ways round, for two to four players;
    - lake: smooth land with much variety around water, for games of building;
    - none: rugged land as if seen from far above, with indented coasts, for games of civilisations.
    """
    parts = PRESETS[preset]
    rest = (1 - water) / sum(parts)
    land = source_land(
        width,
        height,
        seed=seed,
        stencil=preset,
        amplitude=amplitude,
        increment=increment,
        shares=(water, *(water + rest * float(end) for end in np.cumsum(parts)[:-1])),
        schedule=schedule,
        arithmetic=arithmetic,
    )
    return populate(land, seed=seed, **life)
