"""Plains with forests: gentle ground, ponds, a few hills and much wood."""

from __future__ import annotations

from typing import Any

from anabasis.gamemap import GameMap
from anabasis.maps.land.palettes import Palette
from anabasis.maps.worlds.land import Land, noise, painted
from anabasis.maps.worlds.populate import populate

__all__ = ["plains"]


def plains(
    width: int,
    height: int,
    *,
    seed: int,
    water: float = 0.05,
    hills: float = 0.12,
    roughness: float = 0.45,
    rain: float = 0.0,
    **life: Any,
) -> GameMap:
    """Return gentle ground; water: share of ponds, hills: share of hilly ground."""
    return populate(
        plains_land(width, height, seed=seed, rain=rain, water=water, hills=hills, roughness=roughness),
        seed=seed,
        **life,
    )


def plains_land(
    width: int, height: int, *, seed: int, rain: float, water: float, hills: float, roughness: float
) -> Land:
    """Return the land alone: smooth noise, low ground under water, the highest part hills with some rock."""
    heights = noise(width, height, seed=seed, scale=0.3, octaves=7, roughness=roughness, warp=0.08)
    shares = (water, water + 0.01 * (water > 0), 1 - hills, 1 - hills / 10)
    return painted(heights, Palette("plains", "W,Gh^", shares), seed=seed, rain=rain)
