"""Rooms: shortest ways inside one region of a decomposition, between its gates, places and units.

The measure of J. Pacovský, "Navigation of units in video games using flow networks", 2019: a shortest path on the grid
that doesn't leave the region, straightened greedily by line of sight, and its Euclidean length.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.sight import shorten_path
from anabasis.decomposition import Decomposition
from anabasis.grid import Grid
from anabasis.search.integration import TARGET, integrate
from anabasis.search.moves import Space

__all__ = ["Room", "Spread", "lengths_of", "rooms_of"]


class Room:
    """Some regions of a map and the gates that are open in it, as a map of their own."""

    def __init__(self, grid: Grid, inside: NDArray[np.bool_], corner: tuple[int, int]) -> None:
        """Cut out the part of `grid` that starts at cell `corner` (x, y); `inside`, bool[h, w], says what belongs."""
        self.left, self.top = corner
        self.height, self.width = inside.shape
        part = np.s_[self.top : self.top + self.height, self.left : self.left + self.width]
        self.map_width = grid.width
        self.grid = Grid(np.where(inside, grid.cost[part], np.inf), grid.terrain[part])
        self.space = Space(self.grid)

    def here(self, vertices: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the room's vertices of vertices of the map, all of which must lie in its frame."""
        return (vertices // self.map_width - self.top) * self.width + vertices % self.map_width - self.left

    def spread(self, cells: NDArray[np.int64]) -> Spread:
        """Return the ways to the nearest of `cells` (vertices of the map) from everywhere in the room."""
        distance, entered = integrate(self.space, np.unique(self.here(cells)))
        return Spread(self, distance.reshape(-1), entered)


class Spread:
    """The shortest ways from everywhere in a room to the nearest of some cells."""

    def __init__(self, room: Room, distance: NDArray[np.float64], entered: NDArray[np.uint8]) -> None:
        self.room, self._distance, self._entered = room, distance, entered

    def distance(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return float64[k]: the costs from vertices of the map, inf where there is no way."""
        return self._distance[self.room.here(cells)]

    def nearest(self, cells: NDArray[np.int64]) -> int:
        """Return that vertex of the map, of `cells`, from which the way is cheapest (of equals the first)."""
        return int(cells[np.argmin(self.distance(cells))])

    def ways(self, cells: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the straightened ways from vertices of the map: indptr int64[k + 1] and the points float64[·, 2].

        A way begins and ends in the centres of cells, and is empty where there is none.
        """
        room = self.room
        indptr, points = _ways(room.grid.cost, self._entered, room.here(cells), DX, DY, room.space.unit_cost)
        points += (room.left + 0.5, room.top + 0.5)
        return indptr, points

    def lengths(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return float64[k]: the lengths of the straightened ways, inf where there is none."""
        indptr, points = self.ways(cells)
        return np.where(np.diff(indptr) > 0, lengths_of(indptr, points), np.inf)


def lengths_of(indptr: NDArray[np.int64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[k]: the lengths of lines points[indptr[i]:indptr[i + 1]], float64[·, 2]; 0 without points."""
    steps = np.hypot(*np.diff(points, axis=0).T) if len(points) else np.zeros(0)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    empty = indptr[1:] == indptr[:-1]
    return np.where(empty, 0.0, along[np.where(empty, 0, indptr[1:] - 1)] - along[np.where(empty, 0, indptr[:-1])])


def rooms_of(grid: Grid, decomposition: Decomposition) -> list[Room]:
    """Return a room for each region: its own cells and those of its gates."""
    region, width = decomposition.region, grid.width
    number = np.repeat(np.arange(decomposition.gates), np.diff(decomposition.indptr))
    cells = np.concatenate([np.flatnonzero(region >= 0), decomposition.cells, decomposition.cells])
    owner = np.concatenate([region[region >= 0], *decomposition.sides[number].T])
    order = np.argsort(owner, kind="stable")
    ends = np.searchsorted(owner[order], np.arange(decomposition.regions + 1))
    rooms: list[Room] = []
    for r in range(decomposition.regions):
        mine = cells[order[ends[r] : ends[r + 1]]]
        x, y = mine % width, mine // width
        left, top = int(x.min()), int(y.min())
        inside = np.zeros((int(y.max()) - top + 1, int(x.max()) - left + 1), bool)
        inside[y - top, x - left] = True
        rooms.append(Room(grid, inside, (left, top)))
    return rooms


@kernel
def _ways(
    cost: Any, entered: Any, cells: Any, dx: Any, dy: Any, uniform: bool
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Walk from each cell back to where the search began; return indptr and the cells of the straightened ways."""
    width = cost.shape[1]
    indptr = np.zeros(cells.size + 1, np.int64)
    points = np.empty((4 * cells.size + 16, 2))
    xs, ys, kept = np.empty(cost.size, np.int64), np.empty(cost.size, np.int64), np.empty(cost.size, np.int64)
    for i in range(cells.size):
        x, y = cells[i] % width, cells[i] // width
        count, before = 0, -1
        while entered[y * width + x] < TARGET:
            d = np.int64(entered[y * width + x])
            if d != before:  # only where the way turns can a straight piece begin or end
                xs[count], ys[count] = x, y
                count += 1
            before = d
            x, y = x - dx[d], y - dy[d]
        if entered[y * width + x] == TARGET:
            xs[count], ys[count] = x, y
            count = shorten_path(cost, xs[: count + 1], ys[: count + 1], 0, uniform, kept)
        at = indptr[i]
        while at + count > len(points):
            points = np.concatenate((points, points))
        for k in range(count):
            points[at + k, 0], points[at + k, 1] = xs[kept[k]], ys[kept[k]]
        indptr[i + 1] = at + count
    return indptr, points[: indptr[-1]].copy()
