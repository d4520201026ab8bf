"""Fairness: what each player of a map has, measured by walking, and how far that is apart.

Balance of start positions and of resources after A. Liapis, G. Yannakakis and J. Togelius, "Towards a generic method of
evaluating game levels", 2013: a player controls the ground that is much nearer to it than to any opponent. Ways are
taken as they are walked.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, isnan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.maps.players.distances import check_cells, check_cost, walk
from anabasis.maps.players.resources import Resources
from anabasis.options import check_length

__all__ = ["AROUND", "CONTESTED", "CONTROL", "TOLERANCE", "Criterion", "Fairness", "mean_times", "measure", "spread"]

TOLERANCE = 0.25
_WEALTH = 0.15  # the tolerance of resources
CONTROL = 2.0  # so many times as far is it for an opponent to ground that a player controls, at least
AROUND = 12.0  # how far the room of a start reaches
CONTESTED = 1.25  # a resource is contested if another's way is less than so many times as long
NEAREST = 3  # resources whose ways are taken together


@dataclass(frozen=True)
class Criterion:
    """One criterion: its name, values float64[players], their spread, (greatest - least) / mean, and what it may be."""

    name: str
    values: NDArray[np.float64]
    spread: float
    tolerance: float

    @property
    def ok(self) -> bool:
        """Whether the spread is within the tolerance."""
        return self.spread <= self.tolerance


@dataclass(frozen=True, eq=False)
class Fairness:
    """What each player has.

    criteria: "control" (cells from which every opponent is at least twice as far), "room" (cells within the walking
    distance AROUND of the start), "nearest opponent" and "mean distance" (to the others), then with resources, for each
    kind, "amount of KIND" (without what is contested), and "way to resources" (to the three nearest, their mean).
    land: float64[players], the cells that are nearer to this start than to any other; it is told and not judged, since
    whose the far ends of the land are is for its shape to say. territory: int64[height, width], the number of that
    player, the lower of equals, -1 where none gets to. distances: float64[players, players], the walk from each start
    to each other.
    """

    criteria: tuple[Criterion, ...]
    land: NDArray[np.float64]
    territory: NDArray[np.int64]
    distances: NDArray[np.float64]

    @property
    def ok(self) -> bool:
        """Whether every spread is within its tolerance."""
        return all(criterion.ok for criterion in self.criteria)

    @property
    def worst(self) -> Criterion:
        """The criterion that comes nearest to its tolerance, or exceeds it most."""
        return max(self.criteria, key=lambda one: one.spread / one.tolerance)

    @property
    def reason(self) -> str:
        """What is not balanced, in words, or an empty text."""
        return "; ".join(
            f"{one.name}: {one.values.min():.4g} to {one.values.max():.4g}, a spread of {one.spread:.3f} where "
            f"{one.tolerance:g} is allowed"
            for one in self.criteria
            if not one.ok
        )

    def criterion(self, name: str) -> Criterion:
        """Return the criterion of that name; raises InputError that lists the names."""
        for one in self.criteria:
            if one.name == name:
                return one
        raise InputError("criterion", found=repr(name), expected=" or ".join(one.name for one in self.criteria))


def measure(
    cost: ArrayLike,
    starts: ArrayLike,
    resources: Resources | None = None,
    *,
    tolerance: float = TOLERANCE,
) -> Fairness:
    """Return what each player has on a map of prices, float64[height, width], inf where blocked.

    starts: int64[players, 2]. tolerance: of control, room and distances, but half the number of players times that for
    the mean distance; that of amounts and of the ways to resources is 0.15. Units cut no corners. One search of the map
    for each player. Raises InputError for starts that are blocked, outside or equal, and without a start.
    """
    prices = check_cost(cost)
    cells = check_cells(starts, prices, "starts")
    if not len(cells):
        raise InputError("starts", found="none", expected="at least one")
    check_length(tolerance, "tolerance")
    width = prices.shape[1]
    vertices = cells[:, 1] * width + cells[:, 0]
    places = np.zeros(0, np.int64) if resources is None else resources.cells[:, 1] * width + resources.cells[:, 0]
    nearest, second = np.full(prices.shape, np.inf), np.full(prices.shape, np.inf)
    territory = np.full(prices.shape, -1, np.int64)
    players = len(cells)
    distances, ways, room = np.empty((players, players)), np.empty((players, len(places))), np.empty(players)
    for player in range(players):
        field = walk(prices, vertices[player : player + 1]).distance
        _take(player, field, nearest, second, territory)
        distances[player], ways[player] = field.reshape(-1)[vertices], field.reshape(-1)[places]
        room[player] = np.count_nonzero(field <= AROUND)
    land, control = _areas(nearest, second, territory, players)
    values: list[tuple[str, NDArray[np.float64], float]] = [
        ("control", control, tolerance),
        ("room", room, tolerance),
        *((name, way, tolerance * times) for name, way, times in _between(distances)),
        *((name, wealth, _WEALTH) for name, wealth in _wealth(ways, resources)),
    ]
    criteria = tuple(Criterion(name, each, spread(each), allowed) for name, each, allowed in values)
    return Fairness(criteria, land, territory, distances)


def mean_times(players: int) -> float:
    """Return how many times the tolerance is allowed of the mean distance: of many players some start in the middle."""
    return max(1.0, min(4.0, players / 2))


def spread(values: NDArray[np.float64]) -> float:
    """Return (greatest - least) / mean: 0 if all are equal, inf if some are infinite or the mean is 0."""
    low, high = float(values.min()), float(values.max())
    if low == high and isfinite(low):
        return 0.0
    share = (high - low) / float(values.mean()) if isfinite(high) and values.mean() > 0 else float("inf")
    return float("inf") if isnan(share) else share


def _between(distances: NDArray[np.float64]) -> list[tuple[str, NDArray[np.float64], float]]:
    """Return the criteria between players, none for a single one: name, values, times the tolerance that is allowed."""
    players = len(distances)
    if players == 1:
        return []
    others = distances[~np.eye(players, dtype=np.bool_)].reshape(players, players - 1)
    return [("nearest opponent", others.min(axis=1), 1.0), ("mean distance", others.mean(axis=1), mean_times(players))]


def _wealth(ways: NDArray[np.float64], resources: Resources | None) -> list[tuple[str, NDArray[np.float64]]]:
    """Return the values of the criteria of resources: ways[player, resource]."""
    if resources is None or not len(resources.cells):
        return []
    near = ways.min(axis=0)
    sharing = (ways <= CONTESTED * near) & np.isfinite(near)
    share = np.where(sharing & (sharing.sum(axis=0) == 1), resources.amount, 0.0)
    found: list[tuple[str, NDArray[np.float64]]] = []
    for number, kind in enumerate(resources.kinds):
        of_kind = resources.kind == number
        if of_kind.any():
            found.append((f"amount of {kind}", share[:, of_kind].sum(axis=1)))
    found.append(("way to resources", np.sort(ways, axis=1)[:, :NEAREST].mean(axis=1)))
    return found


@kernel
def _take(player: int, field: Any, nearest: Any, second: Any, territory: Any) -> None:
    """Add the distances from one more start to the two least of each cell."""
    height, width = field.shape
    for y in range(height):
        for x in range(width):
            way = field[y, x]
            if way < nearest[y, x]:
                second[y, x], nearest[y, x], territory[y, x] = nearest[y, x], way, player
            elif way < second[y, x]:
                second[y, x] = way


@kernel
def _areas(nearest: Any, second: Any, territory: Any, players: int) -> tuple[Any, Any]:
    """Return how many cells each player is nearest to, and how many of these it controls."""
    height, width = territory.shape
    land, control = np.zeros(players), np.zeros(players)
    for y in range(height):
        for x in range(width):
            player = territory[y, x]
            if player >= 0:
                land[player] += 1.0
                if second[y, x] >= CONTROL * nearest[y, x]:
                    control[player] += 1.0
    return land, control
