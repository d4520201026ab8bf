"""Making: a map from a recipe, by the family of its generator.

A structured map becomes ground and walls; a height field becomes the five kinds of land of the source by the shares of
its cells; a world is a map already.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from anabasis.gamemap import GameMap, Recipe
from anabasis.generators import Generator
from anabasis.maps.land.levels import levels, thresholds
from anabasis.maps.land.palettes import PALETTES, paint

__all__ = ["make_heights", "make_structured", "make_world"]


def make_world(recipe: Recipe, row: Generator) -> GameMap:
    """Return the map of a generator that makes all of it."""
    made = row.run(recipe)
    return replace(made, recipe=recipe)


def make_structured(recipe: Recipe, row: Generator) -> GameMap:
    """Return ground `.` where the generator leaves cells free, walls `@` elsewhere; the land is flat."""
    free = row.run(recipe)
    terrain = np.where(free, np.uint8(ord(".")), np.uint8(ord("@")))
    return GameMap(terrain, np.zeros(free.shape), recipe=recipe)


def make_heights(recipe: Recipe, row: Generator) -> GameMap:
    """Return the land of a height field: the lowest half of the cells is sea, the highest twentieth snow.

    A field with a level of the sea by itself keeps it, and the other levels move with it.
    """
    field, palette = row.run(recipe), PALETTES["temperate"]
    bounds = thresholds(field, palette.shares)
    if row.sea is not None:
        bounds = np.concatenate([[row.sea], row.sea + (bounds[1:] - bounds[0])])
    return GameMap(paint(levels(field, bounds), palette), field, float(bounds[0]), recipe=recipe)
