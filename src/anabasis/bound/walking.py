"""Walking: how far it is at least for a point that may go in any direction through the free cells.

The shortest way around walls is a chain of straight lines between corners of cells. Each line is followed here by steps
along short lattice vectors, so Dijkstra over the corners of cells gives a length that is at most STRETCH times the
true one, and divided by STRETCH never more than it (E. W. Dijkstra, A Note on Two Problems in Connexion with Graphs,
1959; N. Rivera, C. Hernández, N. Hormazábal, J. A. Baier, The 2^k Neighborhoods for Grid Path Planning, 2020).

Proof. The vectors between (1, 0) and (1, 1) are the top of the Stern-Brocot tree: any two neighbours in angle, u below
v, span the lattice. So a line from corner to corner is a sum of u's and v's, and the staircase of cell edges and
diagonals just below it (a Christoffel word) falls into the staircases of u's and v's in some order. In each column the
line of a piece lies between the staircase and the whole line, so it passes only cells that the whole line passes, which
are free. For a direction between unit vectors at an angle γ the sum of both shares is at most 1 / cos(γ / 2), at the
bisector. Where two free cells touch only at a corner nobody can pass: such a corner counts as two vertices, one for the
upper cell and one for the lower.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.heap import heap_first, heap_lift

__all__ = ["STRETCH", "Walks"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_OCTANT = [(1, 0), (5, 1), (4, 1), (3, 1), (2, 1), (3, 2), (1, 1)]
_BORDER = 6  # wall cells around the map, more than a vector is long
_ANGLES = sorted(math.atan2(q, p) for p, q in _OCTANT)
STRETCH = 1.0 / math.cos(max(b - a for a, b in pairwise(_ANGLES)) / 2.0)
_SAFE = 1.0 - 1e-9  # more than rounding can add up to


class Walks:
    """Least lengths of ways over a map of free cells (bool[height, width])."""

    def __init__(self, free: NDArray[np.bool_]) -> None:
        height, width = free.shape
        self.free = np.zeros((height + 2 * _BORDER, width + 2 * _BORDER), np.uint8)
        self.free[_BORDER:-_BORDER, _BORDER:-_BORDER] = free
        self._stride = width + 2 * _BORDER
        self._moves = _move_table(self._stride)
        cell = self.free != 0
        pinched = np.zeros(cell.shape, bool)
        a, b, c, d = cell[:-1, :-1], cell[:-1, 1:], cell[1:, :-1], cell[1:, 1:]
        pinched[1:, 1:] = (a == d) & (b == c) & (a != b)
        self._pinched = pinched.reshape(-1)

    def vertices(self, x: ArrayLike, y: ArrayLike, row: ArrayLike) -> Ints:
        """Return the vertices of corners (x, y) as they are seen from cells of rows y (below them) or y - 1."""
        at = (np.asarray(y, np.int64) + _BORDER) * self._stride + np.asarray(x, np.int64) + _BORDER
        return np.asarray(2 * at + (self._pinched[at] & (np.asarray(row) == np.asarray(y))), np.int64)

    def from_seeds(self, vertices: ArrayLike, values: ArrayLike, limit: float = math.inf) -> Floats:
        """Return float64[vertices]: the least of value + length over all seeds, for every vertex; inf = no way.

        What is not below the limit is the limit.
        """
        steps, cells = self._moves
        seeds = np.ascontiguousarray(vertices, np.int64)
        start = np.ascontiguousarray(values, np.float64)
        distance = np.full(2 * self.free.size, np.inf)
        _spread(self.free.reshape(-1), self._stride, steps, cells, _LENGTHS, seeds, start, limit, distance)
        return np.minimum(distance, limit)

    def around(self, places: NDArray[np.floating[Any]]) -> tuple[Ints, Floats]:
        """Return int64[k, 4], the corners of the cells that hold places (x, y), and float64[k, 4], how far they are."""
        cell = np.floor(places).astype(np.int64)
        x = cell[:, :1] + np.array([0, 1, 0, 1])
        y = cell[:, 1:] + np.array([0, 0, 1, 1])
        return self.vertices(x, y, cell[:, 1:]), np.hypot(x - places[:, :1], y - places[:, 1:])

    def at(self, distance: Floats, places: Floats) -> Floats:
        """Return float64[k]: at least how far it is to places (x, y in free cells), by the triangle inequality."""
        corners, apart = self.around(places)
        return np.asarray((distance[corners] - apart).max(axis=1), np.float64)

    def by_corner(self, distance: Floats) -> Floats:
        """Return float64[height + 1, width + 1]: the distance of each corner, the less where two cells pinch it."""
        least = distance.reshape(-1, 2).min(axis=1).reshape(self.free.shape)
        return np.ascontiguousarray(least[_BORDER : 1 - _BORDER, _BORDER : 1 - _BORDER])


def _vectors() -> list[tuple[int, int]]:
    """Return all vectors, those along an axis twice: with the cell on one side of them, then on the other."""
    vectors: list[tuple[int, int]] = []
    for p, q in _OCTANT:
        for x, y in ((p, q), (q, p)) if p != q else ((p, q),):
            vectors += sorted({(sx * x, sy * y) for sx in (1, -1) for sy in (1, -1)})
    return [*vectors, (1, 0), (-1, 0), (0, 1), (0, -1)]


_VECTORS = _vectors()
_LENGTHS = np.array([math.hypot(x, y) / STRETCH * _SAFE for x, y in _VECTORS])


def _passed(dx: int, dy: int) -> list[tuple[int, int]]:
    """Return the cells (x, y) that the line from corner (0, 0) to corner (dx, dy) passes, in order; both not 0."""
    cuts = sorted({i * abs(dy) for i in range(abs(dx) + 1)} | {j * abs(dx) for j in range(abs(dy) + 1)})
    area = abs(dx * dy)
    middle = [(a + b) / 2 / area for a, b in pairwise(cuts)]
    return [(math.floor(t * dx), math.floor(t * dy)) for t in middle]


def _move_table(stride: int) -> tuple[Ints, Ints]:
    """Return int64[moves, 3], the step in corners and the rows of the first and last cell as seen from both ends
    (0 = below, -1 = above), and int64[moves, cells], the cells that must be free, the last one repeated."""
    steps, cells = [], []
    for number, (dx, dy) in enumerate(_VECTORS):
        if dx and dy:
            passed = _passed(dx, dy)
        else:
            side = -1 if number >= len(_VECTORS) - 4 else 0
            passed = [(min(dx, 0) if dx else side, min(dy, 0) if dy else side)]
        steps.append((dy * stride + dx, passed[0][1], passed[-1][1] - dy))
        flat = [y * stride + x for x, y in passed]
        cells.append(flat + flat[-1:] * (6 - len(flat)))
    return np.array(steps, np.int64), np.array(cells, np.int64)


@kernel
def _vertex(free: NDArray[np.uint8], stride: int, at: int, row: int) -> int:
    """Return the number of a corner as seen from a cell below it (row 0) or above (row -1): mostly the same."""
    above, left, under = free[at - stride], free[at - 1], free[at]
    if free[at - stride - 1] == under and above == left and above != under and row == 0:
        return 2 * at + 1
    return 2 * at


@kernel
def _spread(
    free: NDArray[np.uint8],
    stride: int,
    steps: Ints,
    cells: Ints,
    lengths: Floats,
    seeds: Ints,
    start: Floats,
    limit: float,
    distance: Floats,
) -> None:
    n = distance.size
    keys = np.empty(n, np.float64)
    order = np.empty(n, np.int64)
    place = np.full(n, -1, np.int64)
    size = 0
    for s in range(seeds.size):
        v = seeds[s]
        if start[s] < distance[v]:
            distance[v] = start[s]
            i = int(place[v])
            if i < 0:
                i = size
                size += 1
            heap_lift(keys, order, place, i, start[s], v)
    while size > 0:
        v = heap_first(keys, order, place, size)
        size -= 1
        here = distance[v]
        if here >= limit:
            return
        at = v >> 1
        for m in range(steps.shape[0]):
            if free[at + cells[m, 0]] == 0 or free[at + cells[m, 5]] == 0:
                continue
            to = at + steps[m, 0]
            reach = here + lengths[m]
            if reach >= distance[2 * to] and reach >= distance[2 * to + 1]:
                continue
            if free[at + cells[m, 1]] == 0 or free[at + cells[m, 2]] == 0:
                continue
            if free[at + cells[m, 3]] == 0 or free[at + cells[m, 4]] == 0:
                continue
            if _vertex(free, stride, at, steps[m, 1]) != v:
                continue
            w = _vertex(free, stride, to, steps[m, 2])
            if reach < distance[w]:
                distance[w] = reach
                i = int(place[w])
                if i < 0:
                    i = size
                    size += 1
                heap_lift(keys, order, place, i, reach, w)
