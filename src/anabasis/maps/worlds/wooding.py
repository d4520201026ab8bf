"""Wooding: forests on a land, by one of four ways of growing, thinned so that no player has more wood than others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.maps.cover.ecosystem import ecosystem_forest
from anabasis.maps.cover.forest import clear_ring, forest_land
from anabasis.maps.cover.groves import groves
from anabasis.maps.cover.jittered_grid import jittered_grid_forest
from anabasis.maps.cover.passages import open_passages
from anabasis.maps.cover.protection_zone import protection_zone_forest
from anabasis.maps.cover.site import site
from anabasis.maps.cover.species import species_forest
from anabasis.maps.cover.trees import Trees
from anabasis.maps.cover.wood import forest_balance, wood_by_player, wood_stock
from anabasis.maps.worlds.land import to_unit

__all__ = ["WOODS", "grown", "thinned", "wooded"]

_CROSSINGS = np.frombuffer(b"+~", np.uint8)
_SHORE = 3.0  # cells
WOODS = {
    "species": species_forest,
    "protection-zone": protection_zone_forest,
    "jittered-grid": jittered_grid_forest,
    "ecosystem": ecosystem_forest,
}


def grown(
    terrain: NDArray[np.uint8],
    heights: NDArray[np.float64],
    *,
    seed: int,
    share: float,
    woods: str,
    warmth: NDArray[np.float64] | None,
    moisture: NDArray[np.float64] | None,
) -> Trees:
    """Return the trees of a land; share: of the map that lies in woods where trees can grow, woods: one of WOODS.

    warmth and moisture are from 0 to 1; without them every place is alike.
    """
    height, width = terrain.shape
    side = min(width, height)
    ground = site(
        width,
        height,
        land=terrain,
        temperature=warmth,
        moisture=moisture,
        heights=to_unit(heights),
        density=groves(width, height, seed=seed, size=max(4.0, side / 18), share=share),
    )
    return WOODS[woods](width, height, seed=seed, ground=ground)


def wooded(terrain: NDArray[np.uint8], trees: Trees, *, movement: str) -> NDArray[np.uint8]:
    """Return the terrain with closed woods `T` and open woods `f`; what hung together still does.

    Around bridges and fords nothing grows.
    """
    crossings = np.argwhere(np.isin(terrain, _CROSSINGS))[:, ::-1]
    keep = clear_ring(trees.width, trees.height, crossings, radius=_SHORE)
    return open_passages(terrain, forest_land(terrain, trees, keep=keep), movement=movement)


def thinned(trees: Trees, territory: NDArray[np.int64], players: int, *, seed: int) -> tuple[Trees, int]:
    """Return the trees thinned until all players have as much wood, and how many were felled; none if one has none."""
    stock = wood_stock(trees)
    if players < 2 or wood_by_player(stock, territory, players).min() == 0:
        return trees, 0
    balance = forest_balance(stock, territory, seed=seed, players=players)
    return trees.kept(balance.stock > 0), len(balance.felled)
