"""Preferences: rules by which a unit avoids or prefers parts of its way, as prices that every search can use.

The "smart" search that avoids or seeks parts of a way by rules set beforehand is one of soft constraints: a cell's
price is multiplied by a factor for each rule that holds there, and the cheapest way by these prices is the one
preferred. What the unit then really pays is told by the map. Rules that make cells cheaper would break the promise that
a price is at least 1, on which all estimates stand, so all prices are scaled up together: no cheapest way changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.decompose.clearance import STRAIGHT, clearance
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.movement import TERRAIN_LETTERS
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_kind, check_length, check_pairs
from anabasis.plan import Path
from anabasis.search.moves import Space

__all__ = ["Preferences", "preference_changes", "preference_factors", "preference_grid", "true_cost"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Preferences:
    """What a unit likes and dislikes: factors on the prices of cells, above 1 to avoid them, below 1 to prefer them.

    - terrain: (letters, factor) pairs: on these terrains, such as ("=+", 0.5) for roads and bridges.
    - walls: the factor of a cell beside a wall, which falls off to 1 where the nearest wall is `walls_range` cells
      away, as octile distances go; outside the map everything is wall.
    - enemies: float64[k, 3]: x and y of a point, in world coordinates, and the factor there, which falls off to 1 at
      `enemies_range` cells from it. The factors of several multiply.
    - mask: float64[height, width], a factor for each cell, or empty for none.
    """

    terrain: tuple[tuple[str, float], ...] = ()
    walls: float = 1.0
    walls_range: float = 3.0
    enemies: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    enemies_range: float = 5.0
    mask: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "enemies", freeze(self.enemies, np.float64, (None, 3), "enemies"))
        set_field(self, "mask", freeze(self.mask, np.float64, (None, None), "mask of preferences"))
        check_pairs(self.terrain, "terrain of preferences", "(letters, factor)")
        for letters, factor in self.terrain:
            check_kind(letters, str, "letters of a preference")
            strange = [letter for letter in letters if letter not in TERRAIN_LETTERS]
            if strange:
                expected = "one of " + " ".join(TERRAIN_LETTERS)
                raise InputError("unknown terrain letter of a preference", found=repr(strange[0]), expected=expected)
            _check_factors([factor], f"factor of terrain {letters!r}")
        _check_factors([self.walls], "factor of walls")
        _check_factors(self.enemies[:, 2], "factor of an enemy")
        _check_factors(self.mask.reshape(-1), "factor of the mask")
        if not np.isfinite(self.enemies).all():
            raise InputError("place of an enemy", found="inf", expected="finite coordinates")
        for name in ("walls_range", "enemies_range"):
            check_length(getattr(self, name), "range of " + name.removesuffix("_range"))

    def with_enemies(self, enemies: ArrayLike) -> Preferences:
        """Return the same preferences with the enemies elsewhere."""
        return replace(self, enemies=freeze(enemies, np.float64, (None, 3), "enemies"))

    @property
    def least(self) -> float:
        """No cell's factor is below this, wherever the enemies of these factors stand."""
        bounds = [1.0, *(factor for _, factor in self.terrain)]
        masked = min(1.0, float(self.mask.min())) if self.mask.size else 1.0
        near = float(np.minimum(1.0, self.enemies[:, 2]).prod())
        return min(bounds) * masked * near * min(1.0, self.walls)


def _check_factors(given: ArrayLike, name: str) -> None:
    factors = freeze(given, np.float64, (None,), name)
    wrong = factors[~(np.isfinite(factors) & (factors > 0))]
    if wrong.size:
        raise InputError(name, found=f"{wrong[0]:g}", expected="a positive, finite factor")


def preference_factors(grid: Grid, rules: Preferences) -> Floats:
    """Return float64[height, width]: by what the price of each cell is multiplied, before any scaling.

    This is the field to be drawn. Of several pairs of terrain that name a cell's letter the last one counts. Raises
    InputError for a mask of another size than the map.
    """
    check_kind(grid, Grid, "the map of preferences")
    check_kind(rules, Preferences, "what a unit likes")
    factors = np.ones(grid.cost.shape)
    of_letter = np.ones(256)
    for letters, factor in rules.terrain:
        of_letter[[ord(letter) for letter in letters]] = factor
    factors *= of_letter[grid.terrain]
    if rules.walls != 1.0:
        away = clearance(grid) / STRAIGHT - 1.0  # 0 beside a wall
        factors *= _falling(rules.walls, away / rules.walls_range)
    y, x = np.indices(grid.cost.shape)
    for at_x, at_y, factor in rules.enemies.tolist():
        away = np.hypot(x + 0.5 - at_x, y + 0.5 - at_y)
        factors *= _falling(factor, away / rules.enemies_range)
    if rules.mask.size:
        if rules.mask.shape != grid.cost.shape:
            height, width = rules.mask.shape
            expected = f"{grid.width} × {grid.height} cells, as the map"
            raise InputError("size of the mask of preferences", found=f"{width} × {height} cells", expected=expected)
        factors *= rules.mask
    return factors


def _falling(factor: float, share: Floats) -> Floats:
    """Return a factor that falls off in a straight line to 1 where share is 1."""
    return 1.0 + (factor - 1.0) * np.clip(1.0 - share, 0.0, 1.0)


def preference_grid(grid: Grid, rules: Preferences) -> Grid:
    """Return the map with preferred prices, all at least 1: any search on it finds the way that the unit prefers.

    All are divided by the least factor that the rules allow, which depends on the rules and their numbers of enemies
    alone, not on where these are. So prices stay comparable while enemies move.
    """
    factors = preference_factors(grid, rules) / rules.least
    prices = grid.cost * factors
    return replace(grid, cost=np.maximum(prices, 1.0))  # rounding must not take a price below 1


def preference_changes(before: Grid, after: Grid) -> tuple[NDArray[np.int64], Floats]:
    """Return what differs between two maps of one size: int64[k] cells and float64[k] new prices, inf for blocked.

    For the method `change` of a search that is mended, after an enemy has moved. Raises InputError for other sizes.
    """
    for grid in (before, after):
        check_kind(grid, Grid, "a map that has changed")
    if before.cost.shape != after.cost.shape:
        found, expected = f"{after.width} × {after.height} cells", f"{before.width} × {before.height} cells"
        raise InputError("size of the changed map", found=found, expected=expected)
    cells = np.flatnonzero(before.cost.reshape(-1) != after.cost.reshape(-1))
    return cells, after.cost.reshape(-1)[cells]


def true_cost(grid: Grid, path: Path) -> float:
    """Return what a path along cells costs by the prices of a map, whatever it was planned by.

    Raises InputError for a path without vertices, one that leaves the map, enters a blocked cell, or leaves out cells.
    """
    check_kind(grid, Grid, "the map of a path")
    check_kind(path, Path, "what is to be paid for", "`value` of a search's Result, unless it is None")
    if not path.vertices.size:
        raise InputError("a path without vertices has no steps to pay for", expected="a path along cells")
    cells = Space(grid).check(path.vertices, "path")
    prices = grid.cost.reshape(-1)[cells[1:]]
    if not np.isfinite(prices).all():
        raise InputError("the path enters a blocked cell of this map", expected="a path through free cells")
    x, y = np.diff(cells % grid.width), np.diff(cells // grid.width)
    if (np.maximum(np.abs(x), np.abs(y)) > 1).any():
        raise InputError("the path leaves out cells between its vertices", expected="a path from cell to cell")
    return float((np.hypot(x, y) * prices).sum())
