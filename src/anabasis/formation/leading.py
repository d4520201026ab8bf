"""Leading: the way of a formation's leader that keeps the room which the formation needs, where there is room.

A cell costs what the cells around it cost, as far as the formation reaches, and more near walls, the more the nearer;
the cheapest way by these prices is shortened where it does not become dearer. A narrow place is taken if going around
it is much longer. The combined search space of M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles
University, 2011, looks at the spots themselves, for one direction of the march; this is the same for all directions.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.sight import clear
from anabasis.errors import InputError
from anabasis.grid import Grid, cell_text
from anabasis.noun import freeze
from anabasis.options import check_length
from anabasis.schema import Schema
from anabasis.search.astar import astar
from anabasis.search.preferences import Preferences, preference_grid
from anabasis.search.smoothing import shorten

__all__ = ["leader_way", "needed_room"]

_BESIDE_WALLS = 8.0
"""By what a cell beside a wall is dearer for a leader."""


def needed_room(schema: Schema, radius: float) -> float:
    """Return how far to the side of the leader's way a formation reaches, units of a radius included."""
    return float(np.abs(schema.places[:, 0]).max()) + radius


def leader_way(grid: Grid, places: ArrayLike, room: float) -> NDArray[np.float64] | None:
    """Return float64[m, 2]: a way through the cells of places float64[k, 2], k ≥ 1, in order; None if there is none.

    room: how far walls should be, in cells, above 0. Where the straight line between a place and the way would touch a
    wall, the way goes through the middle of its cell. Raises InputError for a place in a wall or outside the map.
    """
    through = freeze(places, np.float64, (None, 2), "places of a way")
    if not len(through):
        raise InputError("places of a way", found="none", expected="one or more")
    rules = Preferences(walls=_BESIDE_WALLS, walls_range=check_length(room, "room"), mask=_ground_around(grid, room))
    preferred = preference_grid(grid, rules)
    cells = np.floor(through).astype(np.int64).tolist()
    for x, y in cells:
        if not (0 <= x < grid.width and 0 <= y < grid.height and grid.is_free(x, y)):
            raise InputError("a place of a way", found=f"a wall at {cell_text(x, y)}", expected="a free cell")
    vertices = [grid.vertex(x, y) for x, y in cells]
    way = [through[:1]]
    for (start, goal), ends in zip(pairwise(vertices), pairwise(through), strict=True):
        path = astar(preferred, start, goal).value
        if path is None:
            return None
        leg = shorten(preferred, path).points
        if len(leg) < 3 and clear(grid.cost, *ends[0].tolist(), *ends[1].tolist()):
            leg = ends[1][None]
        else:
            first = 1 if clear(grid.cost, *ends[0].tolist(), *leg[1].tolist()) else 0
            last = -1 if clear(grid.cost, *leg[-2].tolist(), *ends[1].tolist()) else len(leg)
            if not len(leg[first:last]):
                first, last = 0, len(leg)  # else only the straight line would be left, which is not clear
            leg = np.concatenate((leg[first:last], ends[1][None]))
        way.append(leg)
    return np.concatenate(way)


def _ground_around(grid: Grid, room: float) -> NDArray[np.float64]:
    """Return by what the mean price of the ground around a cell differs from its own; nothing if all cost the same."""
    if grid.uniform:
        return np.zeros((0, 0))
    from scipy.ndimage import uniform_filter

    side = 2 * int(room) + 1
    free = grid.free
    total = uniform_filter(np.where(free, grid.cost, 0.0), side, mode="constant")
    share = uniform_filter(free.astype(np.float64), side, mode="constant")
    mean = np.divide(total, share, out=np.ones(free.shape), where=free)
    factor = np.where(free, mean / np.where(free, grid.cost, 1.0), 1.0)
    return np.asarray(np.round(factor, 9), np.float64)  # so that equal ground costs the same
