"""Widths: how wide the widest way from a place to a target is.

A way is as wide as the largest disc that can be moved along it. It is measured at the corners, the middles of sides and
the centres of cells, so a gap along the rows or columns is exact and a slanting one is a little wider than told. The
distances to walls are those of the exact Euclidean transform; the widest way is that of M. Pollack, "The maximum
capacity through a network", 1960.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.scenario import Target

__all__ = ["widest_ways"]

_EIGHT = np.ones((3, 3), np.int64)


def widest_ways(grid: Grid, places: ArrayLike, target: Target, *, radius: float = 0.5) -> NDArray[np.float64]:
    """Return float64[n]: for each place (x, y) the width, in cells, of the widest way into the target's circle.

    radius: of the disc that stands at each place; its way may begin anywhere within it, since a place beside a wall is
    no narrow way. 0 where walls part a place from the target. What lies outside the map is wall; prices don't matter.
    """
    starts = np.asarray(places, np.float64)
    if starts.ndim != 2 or starts.shape[1] != 2:
        raise InputError("places to find ways from", found=f"shape {starts.shape}", expected="[n, 2]")
    room = _room(grid.free)
    goal = _within(room, (target.x, target.y), target.radius)
    begins = [_within(room, (x, y), radius) for x, y in starts.tolist()]
    widths = np.unique(room)  # the first is 0, of walls
    low, high = np.zeros(len(starts), np.int64), np.full(len(starts), widths.size, np.int64)
    while (high - low > 1).any():
        middle = (low + high) // 2
        for step in np.unique(middle[high - low > 1]).tolist():
            label, _ = ndimage.label(room >= widths[step], _EIGHT)  # pyright: ignore[reportGeneralTypeIssues]
            there = np.unique(label[goal])
            for k in np.flatnonzero((middle == step) & (high - low > 1)).tolist():
                reaches = np.isin(label[begins[k]], there[there > 0]).any()
                low[k], high[k] = (step, high[k]) if reaches else (low[k], step)
    return 2.0 * widths[low]


def _room(free: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return float64[2 · height + 1, 2 · width + 1]: how far each half cell's point is from the nearest wall.

    Walls have sides and corners, which are points too; no point of a wall is nearer than the nearest of these.
    """
    height, width = free.shape
    open_ = np.zeros((2 * height + 1, 2 * width + 1), bool)
    padded = np.pad(free, 1)
    open_[1::2, 1::2] = free
    open_[::2, 1::2] = padded[:-1, 1:-1] & padded[1:, 1:-1]
    open_[1::2, ::2] = padded[1:-1, :-1] & padded[1:-1, 1:]
    open_[::2, ::2] = padded[:-1, :-1] & padded[:-1, 1:] & padded[1:, :-1] & padded[1:, 1:]
    return 0.5 * np.asarray(ndimage.distance_transform_edt(open_))


def _within(room: NDArray[np.float64], centre: tuple[float, float], radius: float) -> tuple[NDArray[np.int64], ...]:
    """Return rows and columns of the points within a circle, at least the one nearest to its centre."""
    x, y = 2.0 * centre[0], 2.0 * centre[1]
    reach = 2.0 * radius
    rows = np.arange(max(int(np.ceil(y - reach)), 0), min(int(np.floor(y + reach)) + 1, room.shape[0]))
    columns = np.arange(max(int(np.ceil(x - reach)), 0), min(int(np.floor(x + reach)) + 1, room.shape[1]))
    inside = np.argwhere((rows[:, None] - y) ** 2 + (columns - x) ** 2 <= reach**2)
    if not len(inside):
        return np.array([round(y)]), np.array([round(x)])
    return rows[inside[:, 0]], columns[inside[:, 1]]
