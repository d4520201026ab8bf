"""Making: a map from a recipe, by the family of its generator.

A structured map becomes ground and walls; a height field becomes the five kinds of land of the source by the shares of
its cells; a world is a map already.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from anabasis.gamemap import GameMap, Recipe
from anabasis.generators import Generator
from anabasis.maps.land.levels import levels, thresholds
from anabasis.maps.land.palettes import PALETTES, paint

__all__ = ["make_heights", "make_structured", "make_world", "normalised"]


def make_world(recipe: Recipe, row: Generator) -> GameMap:
    """Return the map of a generator that makes all of it."""
    made = row.load()(recipe.width, recipe.height, seed=recipe.seed, **recipe.parameters, **dict(row.fixed))
    return replace(made, recipe=recipe)


def make_structured(recipe: Recipe, row: Generator) -> GameMap:
    """Return ground `.` where the generator leaves cells free, walls `@` elsewhere; the land is flat."""
    free = row.load()(recipe.width, recipe.height, seed=recipe.seed, **recipe.parameters, **dict(row.fixed))
    terrain = np.where(free, np.uint8(ord(".")), np.uint8(ord("@")))
    return GameMap(terrain, np.zeros(free.shape), recipe=recipe)


def make_heights(recipe: Recipe, row: Generator) -> GameMap:
    """Return the land of a height field, heights brought to 0 … 1: the lowest half is sea, the highest part snow."""
    heights = normalised(
        row.load()(recipe.width, recipe.height, seed=recipe.seed, **recipe.parameters, **dict(row.fixed))
    )
    palette = PALETTES["temperate"]
    bounds = thresholds(heights, palette.shares)
    return GameMap(paint(levels(heights, bounds), palette), heights, float(bounds[0]), recipe=recipe)


def normalised(heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a height field brought to 0 … 1; a flat one is 0."""
    low, high = float(heights.min()), float(heights.max())
    return np.zeros_like(heights) if high == low else (heights - low) / (high - low)
