"""A river valley: a broad river winds along the map between meadows, hills and mountains."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.gamemap import GameMap
from anabasis.maps.land.palettes import Palette
from anabasis.maps.terrain.gradient_noise import gradient_noise_at
from anabasis.maps.worlds.land import Land, noise, painted
from anabasis.maps.worlds.populate import populate

__all__ = ["from_winding", "river_valley"]


def river_valley(
    width: int,
    height: int,
    *,
    seed: int,
    winding: float = 0.22,
    breadth: float = 0.02,
    roughness: float = 0.5,
    rain: float = 0.0,
    **life: Any,
) -> GameMap:
    """Return a valley along the longer side; winding: how far it winds, breadth: of its river, shares of the other."""
    return populate(
        river_valley_land(width, height, seed=seed, rain=rain, winding=winding, breadth=breadth, roughness=roughness),
        seed=seed,
        **life,
    )


def river_valley_land(
    width: int, height: int, *, seed: int, rain: float, winding: float, breadth: float, roughness: float
) -> Land:
    """Return the land alone: it rises with the distance from a winding line, which is the river."""
    side = min(width, height)
    away = from_winding(width, height, seed=seed, bends=winding) / side
    rough = noise(width, height, seed=seed, part=3, scale=0.3, octaves=7, roughness=roughness)
    rise = np.clip((away - 0.05) / 0.45, 0, None)
    heights = rise * np.sqrt(rise) + (0.25 + 0.75 * rise) * rough * np.clip(rise * 4 + 0.08, 0, 1)
    river = away <= breadth / 2
    heights[river] = heights.min() - 0.1 * (1 - 2 * away[river] / breadth) - 0.02
    water = float(river.mean())
    shares = water + (1 - water) * np.array([0.03, 0.56, 0.80, 0.95])
    return painted(heights, Palette("valley", "W,Gh^*", (water, *map(float, shares))), seed=seed, rain=rain)


def from_winding(width: int, height: int, *, seed: int, bends: float, sides: int = 96) -> NDArray[np.float64]:
    """Return float64[height, width], how far each cell is from a line that winds along the longer side through the map.

    bends: its greatest distance from the middle, as a share of the shorter side.
    """
    from scipy.spatial import KDTree

    long, short = max(width, height), min(width, height)
    t = np.linspace(-0.1, 1.1, sides * 16) * long
    places = np.column_stack([t, np.zeros_like(t)])
    offset = gradient_noise_at(places, seed=seed, scale=0.33 * short, octaves=3, roughness=0.45)
    along, across = t, short / 2 + offset * 2.2 * bends * short
    line = np.column_stack([along, across] if width >= height else [across, along])
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    return KDTree(line).query(np.column_stack([x.ravel(), y.ravel()]))[0].reshape(height, width)
