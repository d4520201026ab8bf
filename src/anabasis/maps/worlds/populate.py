"""Populate: what flows, grows and stands on a land, stage by stage; each stage sees what those before it made.

climate → rivers → fords and bridges → woods → for players: connection, towns, roads, starts, barriers, resources
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.gamemap import GameMap, Site
from anabasis.maps.land.climate import biomes, temperature
from anabasis.maps.worlds.land import Land, noise
from anabasis.maps.worlds.placing import place_units
from anabasis.maps.worlds.settling import Wishes, settled
from anabasis.maps.worlds.watering import bridged, watered
from anabasis.maps.worlds.wooding import grown, wooded
from anabasis.movement import movement_class

__all__ = ["CLIMATES", "populate"]

CLIMATES = {"painted": None, "zones": (-12.0, 28.0), "cold": (-14.0, 4.0), "hot": (24.0, 32.0)}
"""Temperatures at the upper and the lower border, °C; *painted* leaves the land as its preset painted it."""


def populate(
    land: Land,
    *,
    seed: int,
    climate: str = "painted",
    rivers: int = 6,
    courses: str = "steepest",
    meanders: bool = True,
    bridges: bool = True,
    forest: float = 0.35,
    woods: str = "species",
    players: int = 2,
    tolerance: float = 0.25,
    resources: bool = True,
    even_woods: bool = False,
    towns: int = 3,
    roads: bool = True,
    barriers: bool = False,
    movement: str = "land",
    units: bool = False,
) -> GameMap:
    """Return the map of a land with all that is asked for; `generators` says what each parameter means.

    Raises InputError where there is no room for so many players, or no starts are fair to them.
    """
    terrain, warmth, moisture = _climate(land, seed, climate)
    dry = Land(land.heights, terrain, land.sea)
    terrain, flow = watered(dry, seed=seed, count=rivers, courses=courses, bends=meanders)
    sites: list[Site] = []
    if bridges and np.isfinite(movement_class(movement).cost[ord("+")]):
        terrain, sites = bridged(terrain, flow, movement=movement)
    trees = None
    if forest:
        trees = grown(terrain, land.heights, seed=seed, share=forest, woods=woods, warmth=warmth, moisture=moisture)
    notes: list[str] = []
    if players:
        wishes = Wishes(players, tolerance, resources, even_woods, towns, roads, barriers, movement)
        terrain, more, notes = settled(terrain, trees, wishes, seed=seed)
        sites = [*more, *(site for site in sites if chr(terrain[site.y, site.x]) in "+~")]  # not those under a barrier
    elif trees is not None:
        terrain = wooded(terrain, trees, movement=movement)
    if units:
        sites += place_units(terrain, seed=seed)
    return GameMap(terrain, land.heights, land.sea, tuple(sites), notes=tuple(notes))


def _climate(
    land: Land, seed: int, climate: str
) -> tuple[NDArray[np.uint8], NDArray[np.float64] | None, NDArray[np.float64] | None]:
    """Return the terrain as a climate has it, and warmth and moisture from 0 to 1, None if all places are alike."""
    ends = CLIMATES[climate]
    if ends is None:
        return land.terrain, None, None
    height, width = land.terrain.shape
    degrees = temperature(
        land.heights,
        sea=land.sea if np.isfinite(land.sea) else None,
        above=ends[0],
        below=ends[1],
        waver=0.1,
        seed=seed,
    )
    moisture = 0.5 + 0.5 * noise(width, height, seed=seed, part=17, scale=0.4, octaves=4)
    terrain = biomes(land.terrain, degrees, moisture, freeze_sea=-8.0)
    return terrain, np.clip((degrees + 15) / 45, 0, 1), np.clip(moisture, 0, 1)
