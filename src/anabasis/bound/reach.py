"""Reach: at least how far it is from the units of a group to a place, and from there into the target's circle.

All lengths are lower bounds for ways in any direction (see `walking`), made from the lengths between corners of cells
by the triangle inequality: what lies on a straight free line with a corner is nearer by at most the line's length. The
loss is small if the corner is chosen behind the place as seen from where the way comes.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis.bound.gaps import Gap
from anabasis.bound.walking import Walks
from anabasis.scenario import Group, Target

__all__ = ["Reach", "target_cells"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_CORNER = math.sqrt(0.5) + 1e-9  # no point of a cell is farther from the nearest corner


def target_cells(free: Bools, target: Target) -> Ints:
    """Return int64[k, 2]: the free cells (x, y) that the target's circle touches; who is in the circle has arrived."""
    height, width = free.shape
    r = target.radius
    x = np.arange(max(math.floor(target.x - r), 0), min(math.floor(target.x + r) + 1, width))
    y = np.arange(max(math.floor(target.y - r), 0), min(math.floor(target.y + r) + 1, height))
    dx = np.maximum(np.maximum(x - target.x, target.x - x - 1), 0.0)
    dy = np.maximum(np.maximum(y - target.y, target.y - y - 1), 0.0)
    rows, columns = np.nonzero((dx**2 + dy[:, None] ** 2 <= r * r) & free[np.ix_(y, x)])
    return np.column_stack([x[columns], y[rows]])


class Reach:
    """Least lengths of the ways of a group on a map of free cells.

    goal: the cells that the target touches. walk: float64[n], each unit's way, inf if there is none.
    """

    def __init__(self, free: Bools, group: Group) -> None:
        self.free, self.group = free, group
        self.goal = target_cells(free, group.target)
        self._ways = Walks(free)
        self._to_target = self._from_target(None)
        self._from_units = self._behind_units()
        self._to_target = self._from_target(self._from_units)
        gaps = np.hypot(*(group.positions - (group.target.x, group.target.y)).T)
        straight = np.maximum(gaps - group.target.radius, 0.0)
        self.walk = np.maximum(self._ways.at(self._to_target, group.positions), straight)
        self.walk[gaps < group.target.radius] = 0.0
        self._corner = self._ways.by_corner(self._from_units) + self._ways.by_corner(self._to_target)

    def _from_target(self, from_units: Floats | None) -> Floats:
        """Return the distances of all corners from the circle.

        Where a cell that the circle touches is in sight of its centre, the way into the circle is the way to the
        centre without the radius; ways to all others end nearest to one of their corners.
        """
        target = self.group.target
        cells = self.goal
        vertices: list[Ints] = []
        values: list[Floats] = []
        if from_units is not None:
            hidden = ~_in_view(self.free, target, cells)
            if not hidden.all():
                behind, apart = self._ways.around(np.array([[target.x, target.y]]))
                k = int(np.argmax(from_units[behind[0]] - apart[0]))
                vertices.append(behind[0, k : k + 1])
                values.append(-apart[0, k : k + 1] - target.radius)
            cells = cells[hidden]
        corners, _ = self._ways.around(cells + 0.5)
        vertices.append(corners.ravel())
        values.append(np.full(corners.size, -_CORNER))
        return self._ways.from_seeds(np.concatenate(vertices), np.concatenate(values))

    def _behind_units(self) -> Floats:
        """Return the distances of all corners from the nearest unit, by way of the corner behind each."""
        corners, apart = self._ways.around(self.group.positions)
        k = np.argmax(np.where(np.isfinite(self._to_target[corners]), self._to_target[corners] - apart, -np.inf), 1)
        row = np.arange(len(k))
        return self._ways.from_seeds(corners[row, k], -apart[row, k])

    def horizon(self, length: float) -> Bools:
        """Return where somebody can be who walks from a unit to the target's circle in a length."""
        both = self._corner
        least = np.minimum(np.minimum(both[:-1, :-1], both[:-1, 1:]), np.minimum(both[1:, :-1], both[1:, 1:]))
        return self.free & (least - 2.0 * _CORNER <= length)

    def to_gap(self, gap: Gap) -> tuple[float, float]:
        """Return at least how far it is from the nearest unit to a gap, and from the gap into the circle."""
        if gap.line is None:
            corners, _ = self._ways.around(gap.cells + 0.5)
            near, far = self._from_units[corners] - _CORNER, self._to_target[corners] - _CORNER
        else:
            near, far = self._at_line(gap.line, self._from_units), self._far_from_line(gap.line)
        return max(float(near.min()), 0.0), max(float(far.min()), 0.0)

    def units_to_gap(self, gap: Gap, limit: float) -> Floats:
        """Return float64[n]: at least how far it is from each unit to a gap; what is not below the limit is the limit.

        It is no nearer than a corner behind the gap, less the line from there.
        """
        if gap.line is None:
            corners, _ = self._ways.around(gap.cells + 0.5)
            values = np.full(corners.shape, -_CORNER)
        else:
            corners, values = self._behind_line(gap.line)
        near = self._ways.from_seeds(corners.ravel(), values.ravel(), limit)
        return np.maximum(self._ways.at(near, self.group.positions), 0.0)

    def _behind_line(self, line: tuple[bool, int, int, int]) -> tuple[Ints, Floats]:
        """Return the corners behind each piece of a line, int64[pieces, 2], and less than 0 by how far they are from
        the nearer half of the piece."""
        upright, at, low, high = line
        field = self.free if upright else self.free.T
        rows = np.arange(low, high)
        deep = np.zeros(rows.size, np.int64)
        before, after = (self._pair(self._from_units, upright, at + k, rows).min() for k in (-1, 1))
        side = -1 if before > after else 1
        clear = np.ones(rows.size, bool)
        for k in range(1, 5):
            column = at + side * k + (0 if side < 0 else -1)
            if not 0 <= column < field.shape[1]:
                break
            clear &= field[rows, column]
            deep[clear] = k
        ends = rows[:, None] + np.array([0, 1])
        off = np.broadcast_to((at + side * deep)[:, None], ends.shape)
        x, y, row = (off, ends, rows[:, None]) if upright else (ends, off, off - (side > 0))
        values = np.broadcast_to(-np.hypot(deep, 0.5)[:, None], ends.shape)
        return self._ways.vertices(x, y, row), values

    def _far_from_line(self, line: tuple[bool, int, int, int]) -> Floats:
        """Return float64[pieces]: at least how far it is from any point of each piece of a line into the circle."""
        target, (upright, at, low, high) = self.group.target, line
        across, along = (target.x, target.y) if upright else (target.y, target.x)
        rows = np.arange(low, high)
        beside = np.maximum(np.maximum(rows - along, along - rows - 1), 0.0)
        straight = np.hypot(across - at, beside) - target.radius
        return np.maximum(np.maximum(self._at_line(line, self._to_target), straight), 0.0)

    def _at_line(self, line: tuple[bool, int, int, int], distance: Floats) -> Floats:
        """Return float64[cells of the line]: at least how far it is to any point of each piece, one cell long.

        Seen from two corners that lie k cells off both ends of a piece in free cells, the far point of the piece is
        at most √(k² + 1) away, and on average of both corners any point at most (k + √(k² + 1)) / 2.
        """
        upright, at, low, high = line
        field = self.free if upright else self.free.T
        rows = np.arange(low, high)
        best = np.full(rows.size, -np.inf)
        for side in (-1, 1):
            clear = np.ones(rows.size, bool)
            for k in range(5):
                if k > 0:
                    column = at + side * k + (0 if side < 0 else -1)
                    if not 0 <= column < field.shape[1]:
                        break
                    clear &= field[rows, column]
                off = at + side * k
                here = self._pair(distance, upright, off, rows)
                long = math.hypot(k, 1.0)
                value = np.maximum(here.mean(axis=1) - (k + long) / 2.0, here.max(axis=1) - long)
                best = np.where(clear, np.maximum(best, value), best)
        return best

    def _pair(self, distance: Floats, upright: bool, off: int, rows: Ints) -> Floats:
        """Return float64[rows, 2]: the distance at the upper and lower end of each piece, the lesser if pinched."""
        ends = rows[:, None] + np.array([0, 1])
        x, y = (np.full_like(ends, off), ends) if upright else (ends, np.full_like(ends, off))
        return np.minimum(distance[self._ways.vertices(x, y, y)], distance[self._ways.vertices(x, y, y - 1)])


def _in_view(free: Bools, target: Target, cells: Ints) -> Bools:
    """Return for which cells all cells of the rectangle between them and the target's cell are free."""
    walls = np.zeros((free.shape[0] + 1, free.shape[1] + 1), np.int64)
    walls[1:, 1:] = (~free).cumsum(axis=0).cumsum(axis=1)
    first = np.minimum(cells, target.cell)
    last = np.maximum(cells, target.cell) + 1
    x0, y0, x1, y1 = first[:, 0], first[:, 1], last[:, 0], last[:, 1]
    return np.asarray(walls[y1, x1] - walls[y0, x1] - walls[y1, x0] + walls[y0, x0] == 0)
