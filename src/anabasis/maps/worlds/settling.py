"""Settling: fair starts on a map that hangs together, and what belongs to players: wood, resources, towns, roads.

The terrain changes while a map is settled, so how fair it is gets measured at the end, on what was made. Where that is
not within the tolerance, other starts are tried, and if none will do the map is refused with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.random import stream_key
from anabasis.errors import InputError
from anabasis.gamemap import GameMap, Site
from anabasis.maps.cover.forest import clear_ring
from anabasis.maps.cover.trees import Trees
from anabasis.maps.parts import sized_parts
from anabasis.maps.players.barriers import barriers
from anabasis.maps.players.connectivity import Change, clear_ground, connect
from anabasis.maps.players.fairness import Fairness, measure
from anabasis.maps.players.resources import KINDS, Resources, resources
from anabasis.maps.players.roads import roads
from anabasis.maps.players.starts import Starts, starts
from anabasis.maps.players.towns import towns
from anabasis.maps.worlds.wooding import thinned, wooded
from anabasis.movement import movement_class

__all__ = ["Wishes", "fairness_of", "settled"]

_STREAM = 404  # and the one after it
_LAYOUTS, _ATTEMPTS = 4, 5  # of towns and roads, and of starts on each
_BAD = 2.0  # times the tolerance: other towns and roads don't even out so much
_HOPELESS = 1.3  # times the tolerance: what comes after the starts doesn't even out so much
_CLEARING = 3  # cells around a start where nothing is in the way
_APART = 6.0  # cells from a town where nobody starts
_AFLOAT = np.frombuffer(b"W~+", np.uint8)  # where nobody starts
_SHARE = 100  # parts of the map that the dry ground of a start has at least one of
_BUILT = np.frombuffer(b"=+~W", np.uint8)  # where no resource lies
_WOODS = np.array([ord("T"), ord("f")], np.uint8)


@dataclass(frozen=True)
class Wishes:
    """What players get: see the parameters of the worlds in `generators`."""

    players: int
    tolerance: float
    resources: bool
    even_woods: bool
    towns: int
    roads: bool
    barriers: bool
    movement: str


def settled(
    terrain: NDArray[np.uint8], trees: Trees | None, wishes: Wishes, *, seed: int
) -> tuple[NDArray[np.uint8], list[Site], list[str]]:
    """Return the terrain with all that players get, the sites, and what was changed for them, in words.

    trees: that grow on the terrain, which is without them. The map hangs together for the movement class, all parts of
    at least a hundredth of it, and all starts. Towns and the roads between them come before the starts, since new
    bridges change who is near to whom. Raises InputError, with the reason, where there is no room for so many players
    or no fair starts are found.
    """
    movement = wishes.movement
    whole = connect(terrain, movement, least_part=max(16, terrain.size // 100))
    woods = whole.terrain if trees is None else wooded(whole.terrain, trees, movement=movement)
    best: _Attempt | None = None
    for layout in range(_LAYOUTS):
        land, places, sites = _towns_and_roads(woods, wishes, int(stream_key(seed, _STREAM, layout)))
        for attempt in range(_ATTEMPTS):
            key = int(stream_key(seed, _STREAM + 1, layout * _ATTEMPTS + attempt))
            tried = _attempt(land, whole.terrain, trees, places, wishes, key)
            if best is None or tried.badness < best.badness:
                best = tried
            if best.badness <= 1:
                return best.terrain, [*best.sites, *sites], [*_told(whole.changes), *best.notes]
        if best is None or best.badness > _BAD:
            break
    assert best is not None and best.fairness is not None  # noqa: S101
    raise InputError(
        f"no fair starts for {wishes.players} players",
        found=best.fairness.reason,
        expected="every spread within what is allowed",
        hint="take another seed, fewer players or a greater tolerance",
    )


def _towns_and_roads(
    land: NDArray[np.uint8], wishes: Wishes, seed: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64], list[Site]]:
    """Return the land with roads between its towns, their cells int64[k, 2], and their sites."""
    places = towns(land, wishes.towns, seed=seed, movement=wishes.movement)
    if wishes.roads and len(places.cells) > 1:
        land = roads(land, places.cells, movement=wishes.movement).terrain
    sizes = zip(places.cells.tolist(), places.size.tolist(), strict=True)
    return land, places.cells, [Site("town", x, y, amount=float(size)) for (x, y), size in sizes]


@dataclass(frozen=True, eq=False)
class _Attempt:
    """A map with the starts that one seed gave, and how fair it is; None for a single player."""

    terrain: NDArray[np.uint8]
    sites: list[Site]
    notes: list[str]
    fairness: Fairness | None

    @property
    def badness(self) -> float:
        """The worst spread as a share of what it may be."""
        return 0.0 if self.fairness is None else _badness(self.fairness)


def _badness(fairness: Fairness) -> float:
    return fairness.worst.spread / fairness.worst.tolerance


def _attempt(
    terrain: NDArray[np.uint8],
    ground: NDArray[np.uint8],
    trees: Trees | None,
    places: NDArray[np.int64],
    wishes: Wishes,
    seed: int,
) -> _Attempt:
    """Return the map with starts of one seed and all that belongs to them.

    ground: the terrain without woods; places: the towns, int64[k, 2].
    """
    unit, movement = movement_class(wishes.movement), wishes.movement
    height, width = terrain.shape
    where = _roomy(unit.cost[terrain], terrain) & ~clear_ring(width, height, places, radius=_APART)
    found = starts(unit.cost[terrain], wishes.players, seed=seed, where=where, tolerance=wishes.tolerance)
    if wishes.players > 1 and _badness(found.fairness) > _HOPELESS:
        return _Attempt(terrain, [], [], found.fairness)
    land, notes = _opened(terrain, ground, trees, found, wishes, seed)
    sites = [Site("start", x, y, owner) for owner, (x, y) in enumerate(found.cells.tolist())]
    if wishes.barriers and wishes.players > 1:
        built = barriers(land, found.cells, movement=movement)
        land = built.terrain
        sites += [Site("pass", x, y) for x, y in built.passes.tolist()]
    if wishes.roads and len(places):
        land = roads(land, np.concatenate([found.cells, places]), movement=movement, bridge=None).terrain
    stores: Resources | None = None
    if wishes.resources:
        off = np.isin(land, _BUILT) | clear_ring(width, height, places, radius=2)
        stores = resources(unit.cost[land], found.cells, seed=seed, kinds=KINDS, off=off)
        sites += _stores(stores)
        notes += stores.missing
    several = wishes.players > 1
    fairness = measure(unit.cost[land], found.cells, stores, tolerance=wishes.tolerance) if several else None
    return _Attempt(land, sites, notes, fairness)


def _roomy(cost: NDArray[np.float64], terrain: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return where players may start: dry ground that hangs together without any way through water, if large enough.

    So nobody who swims starts on an islet. Where no ground is large enough, as for ships, every cell will do.
    """
    label, sizes = sized_parts(np.isfinite(cost) & ~np.isin(terrain, _AFLOAT))
    large = np.append(sizes >= terrain.size // _SHARE, False)[label]
    return large if large.any() else np.isfinite(cost)


def _opened(
    terrain: NDArray[np.uint8],
    ground: NDArray[np.uint8],
    trees: Trees | None,
    found: Starts,
    wishes: Wishes,
    seed: int,
) -> tuple[NDArray[np.uint8], list[str]]:
    """Return the terrain with open ground at the starts, as much wood for each if wished, and all starts connected."""
    land, notes = terrain, list[str]()
    if trees is not None and wishes.even_woods:
        thin, felled = thinned(trees, _everywhere(found), wishes.players, seed=seed)
        land = np.where(np.isin(land, _WOODS), wooded(ground, thin, movement=wishes.movement), land)
        notes += [f"felled {felled} trees: so that all players have as much wood"] if felled else []
    cleared = clear_ground(land, found.cells, _CLEARING - 1, wishes.movement)
    whole = connect(cleared.terrain, wishes.movement, places=found.cells)
    return whole.terrain, notes + _told([*cleared.changes, *whole.changes])


def _stores(stores: Resources) -> list[Site]:
    rows = zip(*(a.tolist() for a in (stores.cells, stores.kind, stores.owner, stores.amount)), strict=True)
    return [Site("resource", x, y, owner, stores.kinds[kind], float(amount)) for (x, y), kind, owner, amount in rows]


def _everywhere(found: Starts) -> NDArray[np.int64]:
    """Return the territories grown over what nobody can enter, so that the inside of a wood belongs to somebody."""
    from scipy.ndimage import distance_transform_edt

    nobody = found.territory < 0
    if not nobody.any() or nobody.all():
        return found.territory
    nearest = np.zeros((2, *nobody.shape), np.int32)
    distance_transform_edt(nobody, return_distances=False, return_indices=True, indices=nearest)
    return found.territory[nearest[0], nearest[1]]


def _told(changes: Iterable[Change]) -> list[str]:
    """Return a line for each change."""
    made = {"start": "cleared ground", "filling": "filled ground"}
    return [f"{made.get(one.kind, one.kind)}, {_cells(len(one.cells))}: {one.why}" for one in changes]


def _cells(number: int) -> str:
    return f"{number} cell" + "s" * (number != 1)


def fairness_of(game_map: GameMap) -> Fairness | None:
    """Return how fair a finished map is to its players, measured anew from its terrain and sites; None below two.

    The movement class and the tolerance are those of its recipe, without one land and the default.
    """
    players = game_map.places("start")
    if len(players) < 2:
        return None
    parameters = {} if game_map.recipe is None else game_map.recipe.parameters
    cost = movement_class(str(parameters.get("movement", "land"))).cost[game_map.terrain]
    sites = game_map.places("resource")
    kinds = tuple(sorted({site.name for site in sites}))
    stores = Resources(
        np.array([(site.x, site.y) for site in sites], np.int64).reshape(-1, 2),
        np.array([kinds.index(site.name) for site in sites], np.int64),
        np.array([site.owner for site in sites], np.int64),
        np.array([int(site.amount) for site in sites], np.int64),
        kinds,
    )
    return measure(
        cost,
        np.array([(site.x, site.y) for site in players], np.int64),
        stores if sites else None,
        tolerance=float(parameters.get("tolerance", 0.25)),
    )
