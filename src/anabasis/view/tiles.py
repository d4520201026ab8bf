"""Tiles: the colours in which games in turns and searches among changes are drawn, and what they mean.

The hues are those of the system described in the thesis on path finding for several units in changing worlds (2021):
green can be entered, red can't, blue is the next step, yellow the goal. Their lightness is chosen so that they are told
apart without red or green cones too, and dark letters can be read on all of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.view.layers import LegendItem, Ramp, Swatch
from anabasis.view.palette import Colour

__all__ = ["DEAR", "GOAL", "IMPASSABLE", "NEXT", "PASSABLE", "tile_colours", "tile_legend"]

PASSABLE: Colour = (210, 234, 202, 255)
DEAR: Colour = (150, 194, 120, 255)
IMPASSABLE: Colour = (204, 92, 110, 255)
NEXT: Colour = (116, 168, 226, 255)
GOAL: Colour = (252, 210, 70, 255)

_DEAREST = 8.0  # the price from which on a tile is as dark as any


def tile_colours(prices: ArrayLike) -> NDArray[np.uint8]:
    """Return uint8[n, 4]: the colour of each tile by its price, a step darker for each doubling; inf is impassable."""
    flat = np.asarray(prices, np.float64).reshape(-1)
    share = np.clip(np.log(np.where(np.isinf(flat), 1.0, flat)) / np.log(_DEAREST), 0, 1)[:, None]
    colours = np.array(PASSABLE) * (1 - share) + np.array(DEAR) * share
    colours[np.isinf(flat)] = IMPASSABLE
    return colours.round().astype(np.uint8)


def tile_legend(prices: ArrayLike, *, step: bool = True) -> tuple[LegendItem, ...]:
    """Return what the colours mean on tiles of such prices; step: whether there is a next step."""
    flat = np.asarray(prices, np.float64).reshape(-1)
    ground: LegendItem = Swatch("passable", PASSABLE)
    if (np.isfinite(flat) & (flat > 1)).any():
        ground = Ramp("price", tile_colours(np.geomspace(1, _DEAREST, 32)), "1", f"{_DEAREST:g}")
    items = [ground, Swatch("impassable", IMPASSABLE), *([Swatch("next step", NEXT)] if step else [])]
    return (*items, Swatch("goal", GOAL))
