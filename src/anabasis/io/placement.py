"""Placement of units in a shape without overlap: the fullest of a few lattices that the free cells admit.

Equal circles lie densest in a hexagonal lattice (density π/√12); in corridors of whole cells a square one often holds
more. Units are taken from the centre of the shape outward, so the same input always gives the same places.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid

__all__ = ["Disc", "Rectangle", "pack"]

_SLACK = 1e-9
_MOST_PLACES = 4_000_000


@dataclass(frozen=True)
class Rectangle:
    """The shape [x, x + width] × [y, y + height], in cell units."""

    x: float
    y: float
    width: float
    height: float

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        return self.x, self.y, self.x + self.width, self.y + self.height

    def holds(self, points: NDArray[np.float64], radius: float) -> NDArray[np.bool_]:
        """bool[k]: which circles of that radius lie inside."""
        left, top, right, bottom = self.box
        x, y = points.T
        r = radius - _SLACK
        return (x - r >= left) & (x + r <= right) & (y - r >= top) & (y + r <= bottom)


@dataclass(frozen=True)
class Disc:
    """The disc of `radius` around (x, y), in cell units."""

    x: float
    y: float
    radius: float

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        return self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius

    def holds(self, points: NDArray[np.float64], radius: float) -> NDArray[np.bool_]:
        """bool[k]: which circles of that radius lie inside."""
        return np.hypot(points[:, 0] - self.x, points[:, 1] - self.y) + radius <= self.radius + _SLACK


def pack(
    shape: Rectangle | Disc,
    grid: Grid,
    radius: float,
    count: int | None = None,
    *,
    taken: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return float64[count, 2], the centres of circles of `radius` inside `shape`, clear of walls and of each other.

    taken: float64[k, 3], circles (x, y, radius) that are already there. Without a count as many as fit. Raises
    InputError, which says how many would fit, when there are fewer places than asked for.
    """
    best = np.zeros((0, 2))
    for points in _lattices(shape, grid, radius):
        inside = points[shape.holds(points, radius)]
        places = inside[_clear_of_walls(inside, grid.free, radius)]
        places = places[_clear_of_units(places, taken, radius)]
        if len(places) > len(best):
            best = places
    if count is None:
        count = len(best)
    if len(best) < count or not count:
        raise InputError(
            "the units don't fit",
            found=f"room for {len(best)} of radius {radius:g}",
            expected=f"room for {max(count, 1)}",
            hint="ask for fewer, enlarge the shape or move it away from walls and other units",
        )
    left, top, right, bottom = shape.box
    far = np.round(np.hypot(best[:, 0] - (left + right) / 2, best[:, 1] - (top + bottom) / 2), 9)
    order = np.lexsort((best[:, 0], best[:, 1], far))[:count]
    return best[np.sort(order)]


def _lattices(shape: Rectangle | Disc, grid: Grid, radius: float) -> list[NDArray[np.float64]]:
    """Return the points of a square and two hexagonal lattices over the part of the shape on the map.

    They begin in the corner; for a disc there are also those with a point in its centre.
    """
    left, top, right, bottom = shape.box
    low = np.array([max(left, 0.0), max(top, 0.0)]) + radius
    high = np.array([min(right, float(grid.width)), min(bottom, float(grid.height))]) - radius
    step = 2 * radius
    row = step * math.sqrt(3) / 2
    if np.prod(np.maximum(high - low, 0) / row + 1) > _MOST_PLACES:
        raise InputError(
            "too many places for units",
            found=f"a shape of {right - left:g} × {bottom - top:g} cells for units of radius {radius:g}",
            expected=f"at most {_MOST_PLACES} places",
            hint="make the shape smaller or the units larger",
        )
    anchors = [low, np.array([shape.x, shape.y])] if isinstance(shape, Disc) else [low]
    lattices: list[NDArray[np.float64]] = []
    for anchor in anchors:
        lattices.append(_rows(low, high, anchor, step, step, shift=0.0))
        lattices.append(_rows(low, high, anchor, step, row, shift=radius))
        lattices.append(_rows(low[::-1], high[::-1], anchor[::-1], step, row, shift=radius)[:, ::-1])
    return lattices


def _rows(
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    anchor: NDArray[np.float64],
    step: float,
    row: float,
    *,
    shift: float,
) -> NDArray[np.float64]:
    """Return the points between two corners that lie in rows along the first axis, every second row shifted.

    The anchor is a point of an unshifted row.
    """
    if (high < low - _SLACK).any():
        return np.zeros((0, 2))
    start = anchor - np.ceil((anchor - low) / (step, 2 * row)) * (step, 2 * row)
    along, down = np.floor((high - start) / (step, row) + _SLACK).astype(np.int64)
    u, v = np.meshgrid(start[0] + step * np.arange(along + 1), start[1] + row * np.arange(down + 1))
    u[1::2] += shift
    points = np.column_stack([u.ravel(), v.ravel()]).astype(np.float64)
    return points[((points >= low - _SLACK) & (points <= high + _SLACK)).all(axis=1)]


def _clear_of_walls(points: NDArray[np.float64], free: NDArray[np.bool_], radius: float) -> NDArray[np.bool_]:
    """bool[k]: which circles touch no blocked cell and stay on the map.

    In each row of cells that a circle may reach only the nearest blocked cells to its left and right matter; they are
    known from one sweep over the rows.
    """
    clear = np.ones(len(points), bool)
    if not len(points):
        return clear
    reach = math.ceil(radius)
    column, row = np.floor(points).astype(np.int64).T
    left, top = int(column.min()) - reach - 1, int(row.min()) - reach - 1
    blocked = _blocked_window(free, left, top, int(column.max()) + reach + 2, int(row.max()) + reach + 2)
    index = np.arange(blocked.shape[1])
    before = np.maximum.accumulate(np.where(blocked, index, -(2**40)), axis=1)
    after = np.minimum.accumulate(np.where(blocked, index, 2**40)[:, ::-1], axis=1)[:, ::-1]
    x, y = (points - (left, top)).T
    c, r = column - left, row - top
    for dy in range(-reach, reach + 1):
        gap_y = np.maximum(np.maximum(r + dy - y, y - (r + dy + 1)), 0)
        gap_x = np.minimum(np.maximum(x - before[r + dy, c] - 1, 0), np.maximum(after[r + dy, c] - x, 0))
        clear &= np.hypot(gap_x, gap_y) >= radius - _SLACK
    return clear


def _blocked_window(free: NDArray[np.bool_], left: int, top: int, right: int, bottom: int) -> NDArray[np.bool_]:
    """Return bool[bottom - top, right - left]: what is blocked in a window of the map; outside the map all is."""
    blocked = np.ones((bottom - top, right - left), bool)
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(right, free.shape[1]), min(bottom, free.shape[0])
    blocked[y0 - top : y1 - top, x0 - left : x1 - left] = ~free[y0:y1, x0:x1]
    return blocked


def _clear_of_units(points: NDArray[np.float64], taken: NDArray[np.float64], radius: float) -> NDArray[np.bool_]:
    """bool[k]: which circles overlap none of those already there; those are looked up in square bins."""
    clear = np.ones(len(points), bool)
    if not len(taken) or not len(points):
        return clear
    side = radius + float(taken[:, 2].max())
    bins: dict[tuple[int, int], list[int]] = {}
    for i, (bx, by) in enumerate(np.floor(taken[:, :2] / side).astype(np.int64).tolist()):
        bins.setdefault((bx, by), []).append(i)
    for k, (bx, by) in enumerate(np.floor(points / side).astype(np.int64).tolist()):
        near = [i for dy in (-1, 0, 1) for dx in (-1, 0, 1) for i in bins.get((bx + dx, by + dy), ())]
        if near:
            gap = np.hypot(*(taken[near, :2] - points[k]).T) - taken[near, 2]
            clear[k] = bool((gap >= radius - _SLACK).all())
    return clear
