"""Wood: trees as a resource, how much each player reaches, and the rich thinned until all have about as much.

Shares that go by the least provided for, as in the fair placement of resources: J. Togelius et al., "Multiobjective
exploration of the StarCraft map space", 2010.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_word, stream_key
from anabasis.errors import InputError
from anabasis.maps.cover.trees import Trees
from anabasis.maps.parts import parts
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_count, check_seed, check_share

__all__ = ["Balance", "forest_balance", "wood_by_player", "wood_groves", "wood_stock"]

_STREAM = 238


@dataclass(frozen=True, eq=False)
class Balance:
    """What was evened out: the stock afterwards, wood by player before and after, and the cells (x, y) felled or cut.

    Of the cells in `felled`, int64[n, 2], all but at most one a player bear nothing any more.
    """

    stock: NDArray[np.int64]
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    felled: NDArray[np.int64]

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "stock", freeze(self.stock, np.int64, (None, None), "stock"))
        set_field(self, "before", freeze(self.before, np.int64, (None,), "wood before"))
        set_field(self, "after", freeze(self.after, np.int64, (len(self.before),), "wood after"))
        set_field(self, "felled", freeze(self.felled, np.int64, (None, 2), "cells felled"))


def wood_stock(trees: Trees, *, amount: int = 100) -> NDArray[np.int64]:
    """Return int64[height, width]: the wood of each cell, `amount` where a tree stands, else 0."""
    stock = np.zeros((trees.height, trees.width), np.int64)
    stock[trees.cells[:, 1], trees.cells[:, 0]] = check_count(amount, "wood of a tree", 1, 10**6)
    return stock


def wood_groves(stock: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return int64[height, width], the grove of each cell, -1 without wood, and int64[groves], the wood of each.

    A grove is a set of cells with wood that hang together by sides or corners, numbered by their first cell.
    """
    wood = _stock(stock)
    label = parts(wood > 0, corners=True).astype(np.int64)
    amounts = np.zeros(int(label.max(initial=0)) + 1, np.int64)
    np.add.at(amounts, label.ravel(), wood.ravel())
    return label - 1, amounts[1:]


def wood_by_player(
    stock: NDArray[np.int64], territory: NDArray[np.int64], players: int | None = None
) -> NDArray[np.int64]:
    """Return int64[players]: the wood in the territory of each player.

    territory: int64[height, width], the player within whose reach a cell lies, -1 for none. Made before trees block the
    way, else cells deep in a wood are in nobody's reach. players: by default the greatest number and one.
    """
    wood, owner = _stock(stock), freeze(territory, np.int64, np.shape(stock), "territory")
    known = int(owner.max(initial=-1)) + 1
    count = known if players is None else check_count(players, "number of players", known)
    amounts = np.zeros(count, np.int64)
    np.add.at(amounts, owner[owner >= 0], wood[owner >= 0])
    return amounts


def forest_balance(
    stock: NDArray[np.int64],
    territory: NDArray[np.int64],
    *,
    seed: int,
    tolerance: float = 0.05,
    players: int | None = None,
) -> Balance:
    """Return the stock thinned until no player has more than the poorest and `tolerance` of that on top.

    Trees of the rich are felled one by one in random order, so that woods get thinner and not smaller; the last one is
    cut in part where a whole tree is too much. The wood of the poorest and of cells in no territory stays. Raises
    InputError if a player has no wood: what all should have is nothing then.
    """
    key = stream_key(check_seed(seed), _STREAM, 0)
    share, wood = check_share(tolerance, "tolerance"), _stock(stock).copy()
    before = wood_by_player(wood, territory, players)
    if len(before) and before.min() == 0:
        raise InputError(
            f"player {int(before.argmin())} has no wood within reach",
            expected="some for each player",
            hint="let a wood grow there first, or give a larger territory",
        )
    most = int(before.min() + np.floor(before.min() * share)) if len(before) else 0
    owner, felled = np.asarray(territory).ravel(), np.zeros(wood.size, bool)
    for player, amount in enumerate(before):
        cells = np.flatnonzero((owner == player) & (wood.ravel() > 0))
        order = cells[np.argsort(_words(cells, key), kind="stable")]
        _fell(wood.reshape(-1), order, int(amount) - most, felled)
    y, x = np.nonzero(felled.reshape(wood.shape))
    return Balance(wood, before, wood_by_player(wood, territory, players), np.stack((x, y), axis=1))


def _fell(wood: NDArray[np.int64], order: NDArray[np.int64], surplus: int, felled: NDArray[np.bool_]) -> None:
    """Take the surplus away from the cells in that order, the last one in part."""
    if surplus <= 0:
        return
    last = int(np.searchsorted(np.cumsum(wood[order]), surplus))
    rest = surplus - int(wood[order[:last]].sum())
    wood[order[:last]] = 0
    wood[order[last]] -= rest
    felled[order[: last + 1]] = True


def _stock(stock: NDArray[np.int64]) -> NDArray[np.int64]:
    wood = freeze(stock, np.int64, (None, None), "stock")
    if wood.size and wood.min() < 0:
        raise InputError("stock", found=f"{wood.min()}", expected="amounts of at least 0")
    return wood


@kernel
def _words(cells: NDArray[np.int64], key: int) -> NDArray[np.int64]:
    """Return a random word for each cell."""
    words = np.empty(len(cells), np.int64)
    for n in range(len(cells)):
        words[n] = random_word(key, cells[n], 0)
    return words
