"""Start search: candidates for starts exchanged until what the players have is even and they are far apart.

Simulated annealing, S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, 1983, from sets spread out by T. F. Gonzalez,
"Clustering to minimize the maximum intercluster distance", 1985.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, random_word, stream_key
from anabasis.maps.players.fairness import CONTROL

__all__ = ["anneal", "controlled", "spread_out"]

STREAM = 261
BLUR = 0.3
LEAST, CLOSE = 0.7, 10.0  # of the side of each one's share of the land, how near is too near; and what that costs
APART, LAND = 0.3, 0.1  # what distance and even shares of the whole land are worth beside fairness

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


def anneal(
    graph: tuple[Floats, Ints, Floats, Floats, Ints],
    picks: Ints,
    limits: Floats,
    *,
    key: int,
    steps: int,
    heat: float,
) -> tuple[float, Ints]:
    """Move the starts `picks` from candidate to candidate, at first also for the worse; return a score and the best.

    graph: ways[candidate, site], the sites of the candidates, area[site], room[candidate], and near[candidate, k], the
    candidates around each. limits: what the spreads of nearest and mean distance, room, control and land may be.
    """
    ways, chosen, area, room, near = graph
    scale = float((area.sum() / len(picks)) ** 0.5)
    return _anneal(ways, chosen, area, room, near, picks, scale, limits, key, steps, heat)


def controlled(rows: Floats, area: Floats) -> Floats:
    """Return how much ground each player controls, float64[players]; rows[player, site] are the ways to the sites."""
    return _controlled(rows, area)[0]


def spread_out(between: NDArray[np.float64], players: int, seed: int, number: int) -> NDArray[np.int64]:
    """Return the numbers of candidates: one at random, then always the one that is farthest from those before."""
    key = stream_key(seed, STREAM, number)
    picks = [random_word(key, 0, 0) % len(between)]
    nearest = between[picks[0]].copy()
    for _ in range(players - 1):
        nearest[picks] = -1.0
        picks.append(int(np.argmax(nearest)))
        nearest = np.minimum(nearest, between[picks[-1]])
    return np.array(picks, np.int64)


@kernel
def _anneal(
    ways: Any,
    chosen: Any,
    area: Any,
    room: Any,
    near: Any,
    picks: Any,
    scale: float,
    limits: Any,
    key: int,
    steps: int,
    heat: float,
) -> tuple[float, Any]:
    """Move starts from candidate to candidate, at first also for the worse.

    ways[candidate, site], area[site], room[candidate], near[candidate, k] the candidates around. Returns the best
    score and its picks.
    """
    players = len(picks)
    now, best, rows = picks.copy(), picks.copy(), np.empty((players, len(area)))
    score = best_score = -np.inf
    for step in range(steps):
        warm = heat * (1.0 - step / steps) * (1.0 - step / steps)
        i = random_word(key, step, 0) % players
        old, c = now[i], now[i]
        if step:
            word = random_word(key, step, 1)
            c = near[old, word // 4 % near.shape[1]] if word % 4 else word // 4 % len(chosen)
        used = False
        for j in range(players):
            used = used or (j != i and now[j] == c)
        if used:
            continue
        now[i] = c
        for j in range(players):
            rows[j] = ways[now[j]]
        taken = _controlled(rows, area)
        new = _score(ways, chosen, room, now, taken, scale, limits)
        if new >= score or new > score - warm * random_fraction(key, step, 2):
            score = new
            if score > best_score:
                best[:], best_score = now, score
        else:
            now[i] = old
    return best_score, best


@kernel
def _score(ways: Any, chosen: Any, room: Any, picks: Any, taken: Any, scale: float, limits: Any) -> float:
    """Return how good a set of starts is: the least way between two of them, less by how much spreads are too great."""
    players = len(picks)
    if players == 1:
        return room[picks[0]]
    nearest, mean, rooms = np.full(players, np.inf), np.zeros(players), np.empty(players)
    for i in range(players):
        rooms[i] = room[picks[i]]
        for j in range(players):
            if i != j:
                way = ways[picks[i], chosen[picks[j]]]
                nearest[i] = min(nearest[i], way)
                mean[i] += way
    over = CLOSE * max(0.0, 1.0 - nearest.min() / (LEAST * scale))
    for k in range(5):
        values = nearest if k == 0 else mean if k == 1 else rooms if k == 2 else taken[k - 3]
        low, high, total = values[0], values[0], 0.0
        for i in range(players):
            low, high, total = min(low, values[i]), max(high, values[i]), total + values[i]
        excess = max(0.0, (high - low) * players / max(total, 1e-9) / limits[k] - 1.0)
        over += excess if k < 4 else LAND * excess
    return APART * nearest.min() / scale - over


@kernel
def _controlled(rows: Any, area: Any) -> Any:
    """Return float64[2, players]: how much ground each controls, and how much is nearest to it.

    rows[player, site] are the ways to the sites. The border between controlled and not is blurred, since a site is many
    cells.
    """
    players, sites = rows.shape
    taken = np.zeros((2, players))
    for k in range(sites):
        first, second, owner = np.inf, np.inf, 0
        for j in range(players):
            way = rows[j, k]
            if way < first:
                first, second, owner = way, first, j
            elif way < second:
                second = way
        blur = (second - (CONTROL - BLUR) * first) / (2 * BLUR * max(first, 1.0))
        taken[0, owner] += area[k] * min(1.0, max(0.0, blur))
        taken[1, owner] += area[k]
    return taken
