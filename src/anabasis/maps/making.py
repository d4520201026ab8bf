"""Making: a map from a recipe, by the family of its generator.

A structured map becomes ground and walls; a height field becomes land by a palette; a world is a map already.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.gamemap import GameMap, Recipe
from anabasis.maps.land.bands import coast, smoothed, transition_bands, without_specks
from anabasis.maps.land.climate import strips
from anabasis.maps.land.hydraulic_erosion import hydraulic_erosion
from anabasis.maps.land.levels import levels, thresholds
from anabasis.maps.land.palettes import paint, palette
from anabasis.maps.land.thermal_erosion import thermal_erosion

__all__ = ["make_heights", "make_structured", "make_world"]

_WAVER = 0.15  # how far the borders of strips stray
_SHORES = "^*=+~@O"  # what doesn't become a beach


def make_world(recipe: Recipe, made: GameMap) -> GameMap:
    """Return the map of a generator that makes all of it."""
    return replace(made, recipe=recipe)


def make_structured(recipe: Recipe, free: NDArray[np.bool_]) -> GameMap:
    """Return ground `.` where the generator leaves cells free, walls `@` elsewhere; the land is flat."""
    terrain = np.where(free, np.uint8(ord(".")), np.uint8(ord("@")))
    return GameMap(terrain, np.zeros(free.shape), recipe=recipe)


def make_heights(recipe: Recipe, field: NDArray[np.float64], sea: float | None) -> GameMap:
    """Return the land of a height field, painted by a palette; the lowest level is the sea if it is water.

    A field with a level of the sea by itself, `sea`, keeps it, and the other levels move with it, but for strips of
    climate. The stages are those of the parameters that all height fields share: rain, slides, levels by palette,
    climate, smoothing, specks, bands, beach. Raises InputError for a palette that is none, or beside strips.
    """
    of = recipe.parameters
    seamless = bool(of["seamless"])
    if of["rain"]:
        field = hydraulic_erosion(field, seed=recipe.seed, rain=float(of["rain"]), seamless=seamless)
    if of["slides"]:
        field = thermal_erosion(field, rounds=int(of["slides"]), seamless=seamless)
    colours, striped, cut = palette(str(of["palette"])), of["climate"] == "strips", str(of["cut"])
    if striped and colours.name != "temperate":
        raise InputError(
            "strips of climate have palettes of their own",
            found=f"palette={colours.name}",
            hint="leave out one of the two",
        )
    bounds = thresholds(field, colours.shares, by=cut)  # all strips have the share of water of the temperate palette
    if sea is not None and bounds.size and not striped:
        bounds = np.concatenate([[sea], sea + (bounds[1:] - bounds[0])])
    if striped:
        terrain = strips(field, by=cut, waver=_WAVER, seed=recipe.seed)
    else:
        terrain = paint(levels(field, bounds), colours)
    if of["smooth"]:
        terrain = smoothed(terrain, rounds=int(of["smooth"]))
    if of["specks"]:
        terrain = without_specks(terrain, least=int(of["specks"]))
    if of["bands"]:
        terrain = transition_bands(terrain)
    if of["beach"]:
        terrain = coast(terrain, width=float(of["beach"]), keep=_SHORES)
    shore = float(bounds[0]) if colours.letters.startswith("W") and bounds.size else -np.inf
    return GameMap(terrain, field, shore, recipe=recipe)
