"""Placement of units in a shape without overlap: the densest of three lattices that the free cells admit.

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
    """Return the points of the square lattice and of the two hexagonal ones over the part of the shape on the map."""
    left, top, right, bottom = shape.box
    x0, y0 = max(left, 0.0) + radius, max(top, 0.0) + radius
    x1, y1 = min(right, float(grid.width)) - radius, min(bottom, float(grid.height)) - radius
    step = 2 * radius * (1 + 1e-12)
    row = step * math.sqrt(3) / 2
    across, down = max(x1 - x0, 0.0), max(y1 - y0, 0.0)
    if (across / step + 1) * (down / row + 1) > _MOST_PLACES:
        raise InputError(
            "too many places for units",
            found=f"a shape of {right - left:g} × {bottom - top:g} cells for units of radius {radius:g}",
            expected=f"at most {_MOST_PLACES} places",
            hint="make the shape smaller or the units larger",
        )
    low, high = np.array([x0, y0]), np.array([x1, y1])
    square = _rows(low, high, step, step, shift=0.0)
    lying = _rows(low, high, step, row, shift=step / 2)
    standing = _rows(low[::-1], high[::-1], step, row, shift=step / 2)[:, ::-1]
    return [square, lying, standing]


def _rows(
    low: NDArray[np.float64], high: NDArray[np.float64], step: float, row: float, *, shift: float
) -> NDArray[np.float64]:
    """Return points in rows along the first axis from corner to corner, every second row shifted."""
    if (high < low - _SLACK).any():
        return np.zeros((0, 2))
    along, down = np.floor((high - low) / (step, row) + _SLACK).astype(np.int64)
    u, v = np.meshgrid(low[0] + step * np.arange(along + 1), low[1] + row * np.arange(down + 1))
    u[1::2] += shift
    points = np.column_stack([u.ravel(), v.ravel()]).astype(np.float64)
    return points[points[:, 0] <= high[0] + _SLACK]


def _clear_of_walls(points: NDArray[np.float64], free: NDArray[np.bool_], radius: float) -> NDArray[np.bool_]:
    """bool[k]: which circles touch no blocked cell and stay on the map."""
    height, width = free.shape
    x, y = points.T
    clear = np.ones(len(points), bool)
    reach = math.ceil(radius)
    column, row = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            cx, cy = column + dx, row + dy
            inside = (cx >= 0) & (cx < width) & (cy >= 0) & (cy < height)
            blocked = ~inside
            blocked[inside] = ~free[cy[inside], cx[inside]]
            gap_x = np.maximum(np.maximum(cx - x, x - (cx + 1)), 0)
            gap_y = np.maximum(np.maximum(cy - y, y - (cy + 1)), 0)
            clear &= ~(blocked & (np.hypot(gap_x, gap_y) < radius - _SLACK))
            if dx == 0 and dy == 0:
                clear &= ~blocked
    return clear


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
