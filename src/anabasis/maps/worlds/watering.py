"""Watering: rivers on a land, and the fords and bridges over them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.gamemap import Site
from anabasis.maps.water.crossings import Crossing, crossings
from anabasis.maps.water.meanders import meandered
from anabasis.maps.water.monotone_rivers import monotone_rivers
from anabasis.maps.water.rivers import Rivers, river_mask, rivers
from anabasis.maps.worlds.land import Land

__all__ = ["bridged", "watered"]

_WIDEN = 256  # cells of the shorter side for each cell by which the widest river is wider
_BARREN = "^*@O"
_LEVELS = 24  # of heights from 0 to 1, for rivers that never rise


def watered(land: Land, *, seed: int, count: int, courses: str, bends: bool) -> tuple[NDArray[np.uint8], Rivers | None]:
    """Return the terrain with rivers and lakes as water `W`, and the rivers; None if none was asked for.

    courses: *steepest* down the heights, or *monotone*, the shortest way that never rises from one of some levels to a
    higher one. bends: let the rivers meander where there is neither rock nor snow.
    """
    if not count:
        return land.terrain, None
    sea = land.terrain == ord("W")
    if courses == "monotone":
        levels, cut = np.floor(land.heights * _LEVELS), 0.0
        flow = monotone_rivers(levels.astype(np.uint8), sea, seed=seed, count=count)
    else:
        flow = rivers(land.heights, sea, seed=seed, count=count)
        levels, cut = flow.surface, 0.01
    if bends:
        side = min(land.terrain.shape)
        open_ground = ~sea & ~np.isin(land.terrain, np.frombuffer(_BARREN.encode(), np.uint8))
        flow = meandered(
            flow, open_ground, seed=seed, amplitude=max(2.0, side / 90), wavelength=max(12.0, side / 14),
            levels=levels, cut=cut,
        )  # fmt: skip
    terrain = land.terrain.copy()
    terrain[river_mask(flow, widest=1 + side_steps(land.terrain))] = ord("W")
    return terrain, flow


def side_steps(terrain: NDArray[np.uint8]) -> int:
    """Return by how many cells the widest river of a map is wider than one cell."""
    return min(1 + min(terrain.shape) // _WIDEN, 4)


def bridged(terrain: NDArray[np.uint8], flow: Rivers | None, *, movement: str) -> tuple[NDArray[np.uint8], list[Site]]:
    """Return the terrain with fords and bridges where they save most of the way, and a site for each of them."""
    made, built = crossings(terrain, rivers=flow, movement=movement, longest=3 + 2 * side_steps(terrain))
    return made, [_site(crossing) for crossing in built]


def _site(crossing: Crossing) -> Site:
    x, y = crossing.cells[len(crossing.cells) // 2].tolist()
    return Site(crossing.kind, x, y, amount=float(len(crossing.cells)))
