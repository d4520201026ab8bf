"""GameMap: a generated map with its heights, its places, and the recipe by which it can be made again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid, cell_text
from anabasis.movement import MovementClass
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_choice, check_count, check_seed

__all__ = ["SITE_KINDS", "GameMap", "Recipe", "Site", "Value"]

Value = bool | int | float | str
"""What a parameter of a generator can be."""

SITE_KINDS = ("start", "town", "resource", "bridge", "ford", "pass", "spring", "unit")


@dataclass(frozen=True)
class Recipe:
    """All that a map is made from: a row of `generators.GENERATORS`, the size, a seed and every parameter, by name.

    version: of the row's algorithm. The same recipe gives the same map for ever; a change of an algorithm raises its
    version.
    """

    generator: str
    width: int
    height: int
    seed: int
    parameters: Mapping[str, Value]
    version: int = 1

    def __post_init__(self) -> None:
        for name in ("width", "height", "version"):
            set_field(self, name, check_count(getattr(self, name), f"{name} of a recipe", 1))
        set_field(self, "seed", check_seed(self.seed, "seed of a recipe"))
        set_field(self, "parameters", dict(sorted(self.parameters.items())))


@dataclass(frozen=True)
class Site:
    """A place on a map: its kind (one of SITE_KINDS), its cell, the player it belongs to (-1: nobody), and how much.

    name: of what it holds or is for, such as `gold` or `ship`; amount: of a resource, else the size of the place.
    """

    kind: str
    x: int
    y: int
    owner: int = -1
    name: str = ""
    amount: float = 1.0

    def __post_init__(self) -> None:
        check_choice(self.kind, "kind of site", SITE_KINDS)
        for name, least in (("x", 0), ("y", 0), ("owner", -1)):
            set_field(self, name, check_count(getattr(self, name), f"{name} of a site", least))


@dataclass(frozen=True, eq=False)
class GameMap:
    """A generated map.

    - terrain: uint8[height, width], the ASCII code of each cell's terrain letter (see `movement`).
    - heights: float64[height, width], the lie of the land; sea: the height below which the sea is (-inf without one).
    - sites: starts of the players, towns, resources, crossings and so on.
    - recipe: what it was made from; None for a map that somebody drew.
    - notes: what was changed to keep promises, such as a bridge that joins two parts; for people to read.
    """

    terrain: NDArray[np.uint8]
    heights: NDArray[np.float64]
    sea: float = -np.inf
    sites: tuple[Site, ...] = ()
    recipe: Recipe | None = None
    notes: tuple[str, ...] = ()

    __repr__ = summary

    def __post_init__(self) -> None:
        terrain = freeze(self.terrain, np.uint8, (None, None), "terrain")
        set_field(self, "heights", freeze(self.heights, np.float64, terrain.shape, "heights"))
        set_field(self, "terrain", terrain)
        set_field(self, "sites", tuple(self.sites))
        set_field(self, "notes", tuple(self.notes))
        for site in self.sites:
            if site.x >= self.width or site.y >= self.height:
                raise InputError(f"a {site.kind} outside the map", found=cell_text(site.x, site.y))

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.terrain.shape[1])

    @property
    def height(self) -> int:
        """Number of rows."""
        return int(self.terrain.shape[0])

    def grid(self, movement: str | MovementClass = "land") -> Grid:
        """Return the map as a movement class sees it."""
        return Grid.from_terrain(self.terrain, movement)

    def places(self, kind: str) -> tuple[Site, ...]:
        """Return the sites of a kind, those of players in the order of the players."""
        return tuple(sorted((site for site in self.sites if site.kind == kind), key=lambda site: site.owner))
