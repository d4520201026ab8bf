"""Resources: the same kinds and amounts for every player at like walking distances, and contested ones between them.

The demand is that of start positions in strategy games: J. Togelius et al., "Controllable procedural map generation via
multiobjective evolution", 2013. Here it is met by construction and measured by `fairness`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_word, stream_key
from anabasis.errors import InputError
from anabasis.maps.players.distances import check_cells, check_cost, walk
from anabasis.noun import freeze
from anabasis.options import check_count, check_seed, check_share

__all__ = ["KINDS", "ResourceKind", "Resources", "resources"]

STREAM = 270
BAND = 0.05  # of the way to a resource, how far it may be off at first
SAFE = 1.25  # so many times as far are others from what is a player's own
_ROUNDS = 6


@dataclass(frozen=True)
class ResourceKind:
    """A kind of resource.

    count: how many each player gets, at `distance`, a share of half the way between the two nearest players; amount: of
    each; contested: how many lie between each two neighbours, as far from the one as from the other.
    """

    name: str
    count: int = 1
    distance: float = 0.4
    amount: int = 1000
    contested: int = 0


KINDS = (
    ResourceKind("wood", count=2, distance=0.3, amount=1000),
    ResourceKind("stone", count=1, distance=0.45, amount=1500),
    ResourceKind("gold", count=1, distance=0.6, amount=2000, contested=1),
)


@dataclass(frozen=True, eq=False)
class Resources:
    """Resources on a map: cells int64[k, 2], kind int64[k] as a number in `kinds`, amount int64[k], and owner int64[k],
    the player whose it is by its place, -1 if it is contested. missing: what found no place, in words.
    """

    cells: NDArray[np.int64]
    kind: NDArray[np.int64]
    owner: NDArray[np.int64]
    amount: NDArray[np.int64]
    kinds: tuple[str, ...]
    missing: tuple[str, ...] = ()


def resources(
    cost: ArrayLike,
    starts: ArrayLike,
    *,
    seed: int = 0,
    kinds: Sequence[ResourceKind] = KINDS,
    spacing: int = 4,
    off: ArrayLike | None = None,
) -> Resources:
    """Place resources for every player on a map of prices, float64[height, width], inf where blocked.

    Each player's are nearer to it than to any other by a quarter at least; places are drawn among those whose way is
    within 5 % of the wanted one, a band that is doubled until a place is found for all. spacing: between two resources,
    and from a start, in cells along the longer axis, at least 3. off: bool[height, width], where none may lie, such as
    on roads. No way goes through a resource only: were every one of them an obstacle, units would still get to all the
    others. Raises InputError for wrong starts and options.
    """
    prices = check_cost(cost)
    cells = check_cells(starts, prices, "starts")
    check_seed(seed)
    check_count(spacing, "spacing", 3)
    for kind in kinds:
        check_count(kind.count, f"count of {kind.name}")
        check_count(kind.contested, f"contested {kind.name}")
        check_count(kind.amount, f"amount of {kind.name}", 1)
        check_share(kind.distance, f"distance of {kind.name}")
    if not len(cells):
        raise InputError("starts", found="none", expected="at least one")
    barred = np.zeros(prices.shape, np.bool_) if off is None else freeze(off, np.bool_, prices.shape, "off")
    return _placed(prices, cells, seed, kinds, spacing, barred)


def _placed(
    prices: NDArray[np.float64],
    starts: NDArray[np.int64],
    seed: int,
    kinds: Sequence[ResourceKind],
    spacing: int,
    off: NDArray[np.bool_],
) -> Resources:
    """Place kind after kind, for one player after the other."""
    width, players = prices.shape[1], len(starts)
    vertices = starts[:, 1] * width + starts[:, 0]
    fields = [walk(prices, vertices[player : player + 1]).distance for player in range(players)]
    between = np.array([field.reshape(-1)[vertices] for field in fields])
    reach = _reach(between, prices.shape)
    nearest, second = _two_least(fields)
    blocking = _blocking(np.isfinite(prices)) | off
    taken, rows, missing = starts.tolist(), list[tuple[int, int, int, int, int]](), list[str]()

    def place(field: NDArray[np.float64], wanted: float, own: bool, name: str, row: tuple[int, int, int]) -> None:
        key = stream_key(seed, STREAM, len(rows) + len(missing))
        for turn in range(_ROUNDS):
            band = max(0.6, BAND * wanted) * 2.0**turn
            v = _choose(field, nearest, second, blocking, wanted, band, own, np.array(taken, np.int64), spacing, key)
            if v >= 0:
                taken.append([v % width, v // width])
                rows.append((v % width, v // width, *row))
                return
        missing.append(name)

    for number, kind in enumerate(kinds):
        for _ in range(kind.count):
            for player in range(players):
                name = f"no place for {kind.name} of player {player + 1}"
                place(fields[player], kind.distance * reach, True, name, (number, player, kind.amount))
    for number, kind in enumerate(kinds):
        for one, other in _neighbours(between) if kind.contested else []:
            apart = _evenly(fields[one], fields[other])
            for _ in range(kind.contested):
                name = f"no place for {kind.name} between players {one + 1} and {other + 1}"
                place(apart, float(between[one, other]) / 2, False, name, (number, -1, kind.amount))
    table = np.array(rows, np.int64).reshape(-1, 5)
    names = tuple(kind.name for kind in kinds)
    places, kind, owner, amount = table[:, :2].copy(), table[:, 2].copy(), table[:, 3].copy(), table[:, 4].copy()
    return Resources(places, kind, owner, amount, names, tuple(missing))


def _reach(between: NDArray[np.float64], shape: tuple[int, ...]) -> float:
    """Return half the way between the two nearest players; of a single player, a quarter of the map's shorter side."""
    apart = between[~np.eye(len(between), dtype=np.bool_)]
    finite = apart[np.isfinite(apart)]
    return float(finite.min()) / 2 if finite.size else min(shape) / 4


def _neighbours(between: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return the pairs of players with no third one that is nearer to both of them than they are to each other.

    G. T. Toussaint, "The relative neighbourhood graph of a finite planar set", 1980.
    """
    players = len(between)
    return [
        (one, other)
        for one in range(players)
        for other in range(one + 1, players)
        if np.isfinite(between[one, other])
        and not any(
            max(between[one, third], between[other, third]) < between[one, other]
            for third in range(players)
            if third not in (one, other)
        )
    ]


def _evenly(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the longer of two ways and what it is longer than the shorter, inf where one is missing."""
    longer, shorter = np.maximum(one, other), np.minimum(one, other)
    both = np.isfinite(longer)
    longer[~both] = shorter[~both] = 0.0
    return np.where(both, 2 * longer - shorter, np.inf)


def _two_least(fields: list[NDArray[np.float64]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the least and the second least of the fields in each cell."""
    nearest, second = np.full(fields[0].shape, np.inf), np.full(fields[0].shape, np.inf)
    for field in fields:
        np.minimum(second, np.maximum(field, nearest), out=second)
        np.minimum(nearest, field, out=nearest)
    return nearest, second


@kernel
def _blocking(free: Any) -> Any:
    """Return uint8[height, width]: where an obstacle would cut off one side of a free cell from another, nearby.

    That is where the free cells at its sides are not all joined through the eight cells around it.
    """
    height, width = free.shape
    blocking = np.zeros((height, width), np.uint8)
    for y in range(height):
        for x in range(width):
            if not free[y, x]:
                continue
            runs, before = 0, False
            for k in range(9):  # the cells around, and the first once more; even ones are at the sides
                nx = x + (1 if k in (0, 1, 7, 8) else -1 if 3 <= k <= 5 else 0)
                ny = y + (1 if 1 <= k <= 3 else -1 if 5 <= k <= 7 else 0)
                here = 0 <= nx < width and 0 <= ny < height and free[ny, nx]
                if k and k % 2 == 0 and here and not before:
                    runs += 1  # a side that the side before is not joined to
                before = here if k % 2 == 0 else before and here
            blocking[y, x] = runs > 1
    return blocking


@kernel
def _choose(
    field: Any,
    nearest: Any,
    second: Any,
    blocking: Any,
    wanted: float,
    band: float,
    own: bool,
    taken: Any,
    spacing: int,
    key: int,
) -> int:
    """Return a random cell whose value in the field is about as wanted, -1 if there is none.

    Every cell has a random word, and the least one of those that are allowed is taken.
    """
    height, width = field.shape
    best, least = -1, 1 << 40
    for y in range(height):
        for x in range(width):
            if abs(field[y, x] - wanted) > band or blocking[y, x]:
                continue
            if own and (field[y, x] > nearest[y, x] or second[y, x] < SAFE * field[y, x]):
                continue
            if not own and field[y, x] > SAFE * nearest[y, x]:
                continue
            v = y * width + x
            word = random_word(key, v, 0)
            if word >= least:
                continue
            apart = True
            for i in range(len(taken)):
                apart = apart and max(abs(taken[i, 0] - x), abs(taken[i, 1] - y)) >= spacing
            if apart:
                best, least = v, word
    return best
