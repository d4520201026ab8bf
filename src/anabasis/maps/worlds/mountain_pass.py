"""A mountain pass: a range across the map, with passes as the only ways from one side to the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis._kernel.random import random_fraction, stream_key
from anabasis.gamemap import GameMap
from anabasis.maps.land.palettes import Palette
from anabasis.maps.worlds.land import Land, noise, painted, unit_frame
from anabasis.maps.worlds.populate import populate

__all__ = ["mountain_pass"]

_STREAM = 400


def mountain_pass(
    width: int,
    height: int,
    *,
    seed: int,
    passes: int = 2,
    breadth: float = 0.06,
    roughness: float = 0.5,
    rain: float = 0.0,
    **life: Any,
) -> GameMap:
    """Return two plains parted by a range; passes: how many lead through it, breadth: of each, a share of the side."""
    return populate(
        mountain_pass_land(width, height, seed=seed, rain=rain, passes=passes, breadth=breadth, roughness=roughness),
        seed=seed,
        **life,
    )


def mountain_pass_land(
    width: int, height: int, *, seed: int, rain: float, passes: int, breadth: float, roughness: float
) -> Land:
    """Return the land alone: a ridge across the longer side, lowered where the passes are."""
    tall = height > width
    x, y = unit_frame(width, height)
    across, along = (y, x) if tall else (x, y)
    rough = noise(width, height, seed=seed, scale=0.3, octaves=7, roughness=roughness)
    ridges = noise(width, height, seed=seed, part=5, scale=0.25, octaves=6, roughness=roughness, kind="ridged")
    bend = noise(width, height, seed=seed, part=6, scale=0.4, octaves=4)
    from_ridge = np.abs(across + 0.55 * bend)
    key = stream_key(seed, _STREAM, 0)
    gap = np.full((height, width), np.inf)
    for k in range(passes):
        place = (k + 0.25 + 0.5 * random_fraction(key, k, 0)) / passes * 2 - 1
        gap = np.minimum(gap, np.abs(along - place + 0.12 * rough))
    wall = np.clip(1 - from_ridge / 0.5 + 0.5 * rough, 0, 1)
    open_way = np.clip((gap - breadth) / 0.12, 0, 1)
    heights = 0.45 * rough + 1.2 * wall * (0.45 + 0.55 * ridges) * open_way + 0.18 * np.clip(wall * 1.4, 0, 1)
    shares = (0.04, 0.06, 0.60, 0.74, 0.92)
    return painted(heights, Palette("pass", "W,Gh^*", shares), seed=seed, rain=rain)
