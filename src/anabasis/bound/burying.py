"""Burying: what timed changes of the map can do to a bound: open ways, and put units elsewhere in no time.

The simulator puts a unit that a new wall buries onto the centre of the nearest free cell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from anabasis.bound.walking import STRETCH, Walks
from anabasis.grid import Grid
from anabasis.scenario import Change, Group

__all__ = ["over_time"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_WINDOW = 12  # cells around a buried one in which ways to where its unit may be put are looked for
_HAIR = 1e-6


def over_time(grid: Grid, group: Group, changes: Sequence[Change]) -> tuple[Bools, float, float]:
    """Return where it is free at any time, the first step in which a wall may bury units, and how far that moves them.

    The last is at most the sum, over all such changes, of the way from a buried cell to where a unit is put, or inf if
    a wall may lie between them.
    """
    free, closing, jump = grid.free, math.inf, 0.0
    for change in sorted(changes, key=lambda c: c.step):
        before = grid.free
        grid = grid.with_terrain(change.cells, change.letter, group.movement)
        free |= grid.free
        if (before & ~grid.free).any():
            closing = min(closing, change.step)
            jump += _longest_jump(before & ~grid.free, grid.free, free)
    return free, closing, jump


def _longest_jump(buried: Bools, landing: Bools, free: Bools) -> float:
    """Return how long the free way is at most from anywhere in a buried cell to the nearest free cell's centre."""
    places = np.argwhere(landing)
    if not len(places):
        return math.inf
    tree, longest = KDTree(places), 0.0
    for y, x in np.argwhere(buried):
        near = float(tree.query((y, x))[0])
        if near > _WINDOW:
            return math.inf
        ends = places[tree.query_ball_point((y, x), near + math.sqrt(2.0) + _HAIR)]  # seen from the cell's rim
        ends = ends[_nearest_to_some(ends - (y, x))]
        y0, x0 = max(y - 2 * _WINDOW, 0), max(x - 2 * _WINDOW, 0)
        ways = Walks(free[y0 : y + 2 * _WINDOW + 1, x0 : x + 2 * _WINDOW + 1])
        corners, _ = ways.around(np.array([[x - x0 + 0.5, y - y0 + 0.5]]))
        rims, _ = ways.around(ends[:, ::-1] - (x0, y0) + 0.5)
        way = ways.from_seeds(corners[0], np.zeros(4))[rims].min(axis=1)
        longest = max(longest, float(way.max()) * STRETCH * (1.0 + _HAIR) + 3.0 * math.sqrt(0.5))
    return longest


def _nearest_to_some(ends: Ints) -> Bools:
    """Return which places (row, column as seen from a cell) can be the nearest to a point of that cell.

    Which of two is nearer is told by a linear function, so its signs at the corners tell all; of the rim, only the
    upper and the left side belong to the cell.
    """
    corners = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]]) / 2.0
    apart = ((ends[:, None] - corners) ** 2).sum(axis=2)
    farther = (apart[:, None] >= apart[None]).all(axis=2) & (apart[:, None, 0] > apart[None, :, 0])
    return np.asarray(~farther.any(axis=1))
