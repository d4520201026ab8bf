"""An archipelago: many islands of all sizes in a warm sea."""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis.gamemap import GameMap
from anabasis.maps.land.palettes import Palette
from anabasis.maps.worlds.land import Land, falloff, noise, painted
from anabasis.maps.worlds.populate import populate

__all__ = ["archipelago"]


def archipelago(
    width: int,
    height: int,
    *,
    seed: int,
    water: float = 0.66,
    roughness: float = 0.52,
    islands: float = 0.25,
    rain: float = 0.0,
    **life: Any,
) -> GameMap:
    """Return islands; islands: how far they lie apart, as a share of the shorter side."""
    return populate(
        archipelago_land(width, height, seed=seed, rain=rain, water=water, roughness=roughness, islands=islands),
        seed=seed,
        **life,
    )


def archipelago_land(
    width: int, height: int, *, seed: int, rain: float, water: float, roughness: float, islands: float
) -> Land:
    """Return the land alone: noise with lattice steps of the islands' distance, the border in the sea."""
    shape = noise(width, height, seed=seed, scale=islands, octaves=7, roughness=roughness, warp=0.06)
    peaks = noise(width, height, seed=seed, part=2, scale=islands / 2, octaves=5, roughness=roughness, kind="ridged")
    border = np.clip(falloff(width, height, doublings=3), 0, 1)
    heights = shape + 0.25 * peaks * np.clip(shape * 3 + 0.3, 0, 1) - 0.9 * border
    shares = water + (1 - water) * np.array([0.14, 0.62, 0.86, 0.98])
    return painted(heights, Palette("archipelago", "W,Gj^*", (water, *map(float, shares))), seed=seed, rain=rain)
