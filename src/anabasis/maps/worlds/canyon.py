"""A canyon: a dry high plain, cut by valleys with walls of rock in steps; slopes of rubble lead to their floors."""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis.gamemap import GameMap
from anabasis.maps.worlds.land import Land, noise, to_unit
from anabasis.maps.worlds.populate import populate

__all__ = ["canyon"]

_WALL, _TERRACE = 0.22, 0.5  # widths in units of half a canyon's floor


def canyon(
    width: int,
    height: int,
    *,
    seed: int,
    breadth: float = 0.10,
    steps: int = 2,
    ramps: float = 0.25,
    **life: Any,
) -> GameMap:
    """Return a high plain with canyons; ramps: the share of their walls that can be climbed."""
    return populate(canyon_land(width, height, seed=seed, breadth=breadth, steps=steps, ramps=ramps), seed=seed, **life)


def canyon_land(width: int, height: int, *, seed: int, breadth: float, steps: int, ramps: float) -> Land:
    """Return the land alone: a canyon runs where noise is near 0, its floor `breadth` wide in shares of the side.

    Along the middle of the floors runs a stream with grass beside it; steps: walls one above the other.
    """
    line = noise(width, height, seed=seed, scale=0.5, octaves=5, roughness=0.45, warp=0.08)
    rough = noise(width, height, seed=seed, part=7, scale=0.12, octaves=6)
    rubble = noise(width, height, seed=seed, part=8, scale=0.15, octaves=3)
    climbed = rubble >= np.quantile(rubble, 1 - ramps) if ramps else np.zeros(line.shape, bool)
    gap = np.abs(line) / (1.6 * breadth) * (1 + 0.25 * rough)  # 1 at the foot of the lowest wall
    terrain = np.full((height, width), ord("d"), np.uint8)
    heights = 0.04 * rough + 0.02 * gap
    terrain[gap < 1] = ord(",")
    terrain[gap < 0.45] = ord("G")
    foot = 1.0
    for _ in range(steps):
        within = np.clip((gap - foot) / _WALL, 0, 1)
        heights += within / steps
        wall = (within > 0) & (within < 1)
        terrain[wall] = np.where(climbed[wall], ord("h"), ord("^"))
        foot += _WALL + _TERRACE
    heights[gap < 0.08] = heights.min() - 0.02
    terrain[gap < 0.08] = ord("W")
    high = (gap > foot) & (rough > 0.28)
    terrain[high] = ord("h")
    return Land(to_unit(heights), terrain, 0.005)
