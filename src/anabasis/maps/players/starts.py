"""Starts: fair start positions, far apart by foot and with as much around, for any map.

Sites all over the map are joined to a small graph by the ways between them, on which sets of starts are searched; what
is found is measured on the map itself, and corrects the search. After J. Togelius et al., "Controllable procedural map
generation via multiobjective evolution", 2013, whose maps are for two and three players.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.random import stream_key
from anabasis.errors import InputError
from anabasis.maps.parts import sized_parts
from anabasis.maps.players.distances import check_cost
from anabasis.maps.players.fairness import TOLERANCE, Fairness, mean_times, measure
from anabasis.maps.players.start_search import anneal, controlled, spread_out
from anabasis.maps.players.start_sites import rooms, site_graph, start_sites
from anabasis.noun import freeze
from anabasis.options import check_count, check_length, check_seed

__all__ = ["Starts", "starts"]

STREAM = 262
STEPS, ROUNDS, NEIGHBOURS = 10000, 3, 17
TOGETHER = 2  # searches whose results are tried in the order of their scores
SAFE = 0.6  # of the tolerance, what the small graph is asked for, since it is not exact


@dataclass(frozen=True, eq=False)
class Starts:
    """Start positions: cells int64[players, 2], and how fair they are, with each player's territory."""

    cells: NDArray[np.int64]
    fairness: Fairness

    @property
    def territory(self) -> NDArray[np.int64]:
        """int64[height, width]: the number of the nearest player by foot, -1 where none gets to."""
        return self.fairness.territory


def starts(
    cost: ArrayLike,
    players: int,
    *,
    seed: int = 0,
    where: ArrayLike | None = None,
    margin: int | None = None,
    clearing: int = 2,
    tolerance: float = TOLERANCE,
    tries: int = 6,
) -> Starts:
    """Return fair start positions on a map of prices, float64[height, width], inf where blocked.

    They lie in the largest part of the map that hangs together, in cells of `where` (bool[height, width], default:
    everywhere), at least `margin` cells from the border of the map (default: an eighth of its shorter side, at most
    12), with free ground `clearing` cells around, less where there isn't enough of that. The least way between two of
    them is made great, and territory, room, and the distances between them are evened out until each spread is within
    the tolerance. Of `tries` local searches the first that is measured to be fair is taken, or else the fairest: look
    at `fairness.ok` and `fairness.reason`.

    Raises InputError, with a reason, where the map can't hold so many players.
    """
    prices = check_cost(cost)
    check_count(players, "players", 1, 64)
    check_seed(seed)
    check_count(clearing, "clearing")
    check_count(tries, "tries", 1)
    check_length(tolerance, "tolerance")
    height, width = prices.shape
    edge = min(12, min(height, width) // 8) if margin is None else check_count(margin, "margin")
    allowed = np.isfinite(prices)
    if where is not None:
        allowed &= freeze(where, np.bool_, prices.shape, "where")
    part, inside = _largest_part(prices, allowed)
    inside &= _within(prices.shape, edge)
    _check_ground(int(inside.sum()), players, clearing)
    sites, chosen = start_sites(prices, part, inside, clearing, players, seed)
    return _best(prices, sites, chosen, players, seed, tolerance, tries)


def _largest_part(
    prices: NDArray[np.float64], allowed: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the part of the map with the most allowed cells, and which of its cells are allowed."""
    label, sizes = sized_parts(np.isfinite(prices))
    if not sizes.size or not allowed.any():
        raise InputError("start positions", found="no free cell", expected="a map with free ground")
    part = label == int(np.argmax(np.bincount(label[allowed], minlength=len(sizes))))
    return part, part & allowed


def _within(shape: tuple[int, ...], edge: int) -> NDArray[np.bool_]:
    """Return which cells are at least so far from the border."""
    inner = np.zeros(shape, np.bool_)
    inner[edge : shape[0] - edge, edge : shape[1] - edge] = True
    return inner


def _check_ground(free: int, players: int, clearing: int) -> None:
    """Raise InputError if there can't be room for all."""
    least = players * (2 * clearing + 1) ** 2
    if free < least:
        raise InputError(
            f"the map can't hold {players} players",
            found=f"{free} free cells that hang together, away from the border",
            expected=f"at least {least}",
            hint="fewer players, a larger map, more land, or a smaller margin or clearing",
        )


def _best(
    prices: NDArray[np.float64],
    sites: NDArray[np.int64],
    chosen: NDArray[np.int64],
    players: int,
    seed: int,
    tolerance: float,
    tries: int,
) -> Starts:
    """Search on the graph of the sites, measure what is found on the map, and return the fairest.

    What the map says of the ground they control corrects the areas of the sites, and the search goes on from there.
    """
    ways, area = site_graph(prices, sites, chosen)
    room = rooms(prices, sites[chosen])
    between = ways[:, chosen]
    near = np.argsort(between, axis=1, kind="stable")[:, min(1, len(chosen) - 1) : NEIGHBOURS]
    graph = ways, chosen, area, room, np.ascontiguousarray(near)
    limits = SAFE * tolerance * np.array([1.0, mean_times(players), 1.0, 1.0, 2.0])
    best: Starts | None = None
    found: list[tuple[float, NDArray[np.int64]]] = []
    for number in range(tries):
        if number % TOGETHER == 0:
            for one in range(number, min(tries, number + TOGETHER)):
                first, key = spread_out(between, players, seed, one), stream_key(seed, STREAM, one)
                found.append(anneal(graph, first, limits, key=key, steps=STEPS, heat=0.5))
            found.sort(key=lambda one: one[0])  # stable
        picks, worth = found.pop()[1], area.copy()
        for turn in range(ROUNDS):
            vertices = sites[chosen[picks]]
            cells = np.stack((vertices % prices.shape[1], vertices // prices.shape[1]), axis=1)
            now = Starts(cells, measure(prices, cells, tolerance=tolerance))
            if best is None or _badness(now) < _badness(best):
                best = now
            if best.fairness.ok or players == 1:
                return best
            share = now.fairness.criterion("control").values / np.maximum(controlled(ways[picks], worth), 1.0)
            worth *= share[np.argmin(ways[picks], axis=0)]
            corrected = ways, chosen, worth, room, graph[4]
            key = stream_key(seed, STREAM + 1, number * ROUNDS + turn)
            picks = anneal(corrected, picks, limits, key=key, steps=STEPS // 4, heat=0.1)[1]
    assert best is not None  # noqa: S101 - there is at least one try
    return best


def _badness(starts: Starts) -> float:
    """Return the worst spread as a share of its tolerance."""
    return starts.fairness.worst.spread / starts.fairness.worst.tolerance
