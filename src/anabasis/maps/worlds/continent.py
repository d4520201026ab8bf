"""A continent: one large landmass with bays, mountain ranges and hills, and sea around it."""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis.gamemap import GameMap
from anabasis.maps.land.palettes import Palette
from anabasis.maps.worlds.land import Land, falloff, noise, painted, unit_frame
from anabasis.maps.worlds.populate import populate

__all__ = ["continent"]


def continent(
    width: int,
    height: int,
    *,
    seed: int,
    water: float = 0.45,
    roughness: float = 0.5,
    warp: float = 0.12,
    rain: float = 0.0,
    **life: Any,
) -> GameMap:
    """Return one landmass; warp: how far its outline is bent, as a share of the shorter side."""
    return populate(
        continent_land(width, height, seed=seed, rain=rain, water=water, roughness=roughness, warp=warp),
        seed=seed,
        **life,
    )


def continent_land(
    width: int, height: int, *, seed: int, rain: float, water: float, roughness: float, warp: float
) -> Land:
    """Return the land alone: noise that sinks towards the border, with ranges of mountains where ridges run."""
    shape = noise(width, height, seed=seed, scale=0.45, octaves=8, roughness=roughness, warp=warp)
    ranges = noise(
        width, height, seed=seed, part=1, scale=0.35, octaves=6, roughness=roughness, kind="ridged", warp=0.05
    )
    x, y = unit_frame(width, height)
    away = x * x + y * y  # round, and below the sea along the border
    base = 1.5 * shape - 0.55 * away - 0.9 * np.clip(falloff(width, height, doublings=3), 0, 1) + 0.4
    heights = base + 0.55 * ranges * np.clip(base * 2.5, 0, 1)
    shares = water + (1 - water) * np.array([0.04, 0.58, 0.78, 0.94])
    return painted(heights, Palette("continent", "W,Gh^*", (water, *map(float, shares))), seed=seed, rain=rain)
