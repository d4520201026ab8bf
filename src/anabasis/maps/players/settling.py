"""Settling: a land made ready for players, and tried anew from other starts while it is not fair.

The parts of the land are joined, starts are sought and their ground cleared, then come barriers, towns, roads and
resources, and all is measured as it stands at the end, since each of them changes the ways that units walk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.random import stream_key
from anabasis.maps.players.barriers import Barriers, barriers
from anabasis.maps.players.connectivity import Change, clear_ground, connect
from anabasis.maps.players.fairness import TOLERANCE, Fairness, measure
from anabasis.maps.players.resources import KINDS, ResourceKind, Resources, resources
from anabasis.maps.players.roads import Roads, roads
from anabasis.maps.players.starts import starts
from anabasis.maps.players.towns import Towns, towns
from anabasis.movement import MovementClass, movement_class
from anabasis.noun import freeze
from anabasis.options import check_count

__all__ = ["Settled", "settle"]

STREAM = 290


@dataclass(frozen=True, eq=False)
class Settled:
    """A map for players.

    terrain: uint8[height, width]. starts: int64[players, 2]. changes: what joined the land and cleared the starts.
    barriers: None if none were asked for. roads join starts and towns, numbered in this order. fairness: of the map as
    it is; `fairness.ok` and `fairness.reason`.
    """

    terrain: NDArray[np.uint8]
    starts: NDArray[np.int64]
    changes: tuple[Change, ...]
    barriers: Barriers | None
    towns: Towns
    roads: Roads
    resources: Resources
    fairness: Fairness


def settle(
    terrain: ArrayLike,
    players: int,
    *,
    seed: int = 0,
    movement: str | MovementClass = "land",
    clearing: int = 3,
    barrier: str | None = None,
    passes: int = 2,
    gap: int = 5,
    town_count: int = 6,
    detour: float = 1.6,
    kinds: Sequence[ResourceKind] = KINDS,
    tolerance: float = TOLERANCE,
    attempts: int = 5,
) -> Settled:
    """Return terrain letters, uint8[height, width], settled for players of a movement class.

    clearing: free cells around a start. barrier: the letter of barriers between the players, `^` or `T`, None for none;
    passes and gap are those of `barriers`, with one more pass in each further attempt, since long ways round favour one
    of two players; detour is that of `roads`, kinds are those of `resources`. All starts get to each other. Of up to
    `attempts` attempts the first is taken that is fair within the tolerance, or else the fairest.

    Raises InputError, with a reason, where the land can't hold so many players.
    """
    codes = freeze(terrain, np.uint8, (None, None), "terrain")
    unit = movement_class(movement)
    check_count(seed, "seed", most=2**63 - 1)
    check_count(attempts, "attempts", 1)
    check_count(clearing, "clearing")
    joined = connect(codes, unit)
    best: Settled | None = None
    for attempt in range(attempts):
        key = stream_key(seed, STREAM, attempt) if attempt else seed
        cells = starts(unit.cost[joined.terrain], players, seed=key, clearing=clearing, tolerance=tolerance).cells
        cleared = clear_ground(joined.terrain, cells, clearing, unit)
        made, walls = cleared.terrain, None
        if barrier is not None:
            walls = barriers(
                made, cells, movement=unit, letter=barrier, passes=passes + attempt, gap=gap, clear=max(8, 2 * clearing)
            )
            made = walls.terrain
        sites = towns(made, town_count, seed=key, movement=unit, avoid=cells)
        net = roads(made, np.concatenate((cells, sites.cells)), movement=unit, detour=detour)
        off = np.isin(net.terrain, [ord(letter) for letter in "=+~"])
        for x, y in sites.cells.tolist():
            off[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3] = True
        cost = unit.cost[net.terrain]
        placed = resources(cost, cells, seed=key, kinds=kinds, off=off)
        fair = measure(cost, cells, placed, tolerance=tolerance)
        changes = joined.changes + cleared.changes
        now = Settled(net.terrain, cells, changes, walls, sites, net, placed, fair)
        if best is None or _worst(fair) < _worst(best.fairness):
            best = now
        if fair.ok:
            break
    assert best is not None  # noqa: S101 - there is at least one attempt
    return best


def _worst(fairness: Fairness) -> float:
    """Return the worst spread as a share of its tolerance."""
    return fairness.worst.spread / fairness.worst.tolerance
