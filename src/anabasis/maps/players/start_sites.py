"""Start sites: cells all over a map, the ways between them as a small graph, and at which of them players may start."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_word, stream_key
from anabasis.errors import InputError
from anabasis.maps.players.contacts import contacts
from anabasis.maps.players.distances import walk
from anabasis.maps.players.fairness import AROUND

__all__ = ["rooms", "site_graph", "start_sites"]

STREAM = 260
SITES, CANDIDATES = 600, 240


def start_sites(
    prices: NDArray[np.float64],
    part: NDArray[np.bool_],
    inside: NDArray[np.bool_],
    clearing: int,
    players: int,
    seed: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the vertices of sites over the whole part, and the numbers of those at which a player may start."""
    openness = np.where(inside, _box_sums(part & (prices < 2), clearing) + 1, 0)
    side = max(1, int((part.sum() / SITES) ** 0.5))
    key = stream_key(seed, STREAM, 0)
    while True:
        sites = _best_of_blocks(part, openness, side, key)
        if len(sites) <= 2 * SITES:
            break
        side += max(1, side // 4)
    free = openness.reshape(-1)[sites]
    order = np.argsort(-free, kind="stable")
    few = order[: np.count_nonzero(free)][: max(4 * players, 40)]
    chosen = order[: max(len(few), np.count_nonzero(free == (2 * clearing + 1) ** 2 + 1))]
    words = np.array([random_word(key, int(sites[i]), 1) for i in chosen], np.int64)
    chosen = np.sort(chosen[np.argsort(words, kind="stable")[: 2 * CANDIDATES]])
    room = rooms(prices, sites[chosen])
    chosen = chosen[np.sort(np.argsort(-room, kind="stable")[:CANDIDATES])]  # the narrowest go
    if len(chosen) < players:
        raise InputError(
            f"the map can't hold {players} players",
            found=f"{len(chosen)} places apart from each other",
            expected=f"at least {players}",
            hint="fewer players or a larger map",
        )
    return sites, chosen


def site_graph(
    prices: NDArray[np.float64], sites: NDArray[np.int64], chosen: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ways from the chosen sites, float64[candidates, sites], and how many cells each site is nearest to."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import dijkstra

    found = walk(prices, sites)
    met = contacts(found, prices)
    size = len(sites)
    graph = coo_array((met.way, (met.pair[:, 0], met.pair[:, 1])), shape=(size, size)).tocsr()
    ways = dijkstra(graph, directed=False, indices=chosen)
    return np.ascontiguousarray(ways), np.bincount(found.owner[found.owner >= 0], minlength=size).astype(np.float64)


def rooms(prices: NDArray[np.float64], vertices: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return how many cells are within the walking distance AROUND of each of some vertices."""
    height, width = prices.shape
    reach = int(AROUND)
    room = np.empty(len(vertices))
    for i, (y, x) in enumerate(zip((vertices // width).tolist(), (vertices % width).tolist(), strict=True)):
        top, left = max(0, y - reach), max(0, x - reach)
        window = np.ascontiguousarray(prices[top : min(height, y + reach + 1), left : min(width, x + reach + 1)])
        here = np.array([(y - top) * window.shape[1] + x - left], np.int64)
        room[i] = np.count_nonzero(walk(window, here).distance <= AROUND)
    return room


def _box_sums(mask: NDArray[np.bool_], reach: int) -> NDArray[np.int64]:
    """Return how many cells of a mask lie in the square of 2 · reach + 1 cells around each; outside there are none."""
    sums = np.cumsum(np.cumsum(np.pad(mask.astype(np.int64), ((reach + 1, reach), (reach + 1, reach))), axis=0), axis=1)
    n = 2 * reach + 1
    return sums[n:, n:] - sums[:-n, n:] - sums[n:, :-n] + sums[:-n, :-n]


@kernel
def _best_of_blocks(part: Any, openness: Any, side: int, key: int) -> Any:
    """Return the vertex of the most open cell of the part in each square block that has one, at random among equals."""
    height, width = part.shape
    across = (width + side - 1) // side
    best = np.full(across * ((height + side - 1) // side), -1, np.int64)
    for y in range(height):
        for x in range(width):
            if not part[y, x]:
                continue
            block, v = y // side * across + x // side, y * width + x
            old = best[block]
            if old < 0:
                best[block] = v
                continue
            now, before = openness[y, x], openness[old // width, old % width]
            if now > before or (now == before and random_word(key, v, 0) > random_word(key, int(old), 0)):
                best[block] = v
    return best[best >= 0]
