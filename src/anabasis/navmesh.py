"""NavMesh: convex polygons that cover free space, who is whose neighbour, and the portals between them.

A mesh is stored by its edges: edge i of a polygon runs from corners[i] to the polygon's next corner (the last one to
its first), and neighbours[i] lies beyond it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary

__all__ = ["NavMesh"]

_ROUNDING = 1e-9  # how far a corner may lie inside of the line through its neighbours, as a share of their distances
_LARGEST = 1e100  # what can be raised to the third power


@dataclass(frozen=True, eq=False)
class NavMesh:
    """A navigation mesh of m polygons with k edges in all.

    - points: float64[n, 2]. Where two parts of the free space touch in a single point, each part has a point of its
      own, so that nobody slips through.
    - indptr: int64[m + 1] and corners: int64[k]: polygon p has the corners corners[indptr[p]:indptr[p + 1]], at least
      3, with the inside where (b - a) × (c - a) > 0 for an edge a → b. Corners of 180° are allowed.
    - neighbours: int64[k]: the polygon beyond each edge, -1 for a wall. The neighbour has the same edge, reversed.
    """

    points: NDArray[np.float64]
    indptr: NDArray[np.int64]
    corners: NDArray[np.int64]
    neighbours: NDArray[np.int64]

    __repr__ = summary

    def __post_init__(self) -> None:
        points = freeze(self.points, np.float64, (None, 2), "points")
        indptr = freeze(self.indptr, np.int64, (None,), "indptr")
        corners = freeze(self.corners, np.int64, (None,), "corners")
        neighbours = freeze(self.neighbours, np.int64, corners.shape, "neighbours")
        if not (np.abs(points) <= _LARGEST).all():
            raise InputError(
                "points of a mesh",
                found=f"{np.abs(points).max()}",
                expected=f"finite coordinates of at most {_LARGEST:g}",
            )
        if not indptr.size or indptr[0] != 0 or indptr[-1] != corners.size or (np.diff(indptr) < 3).any():
            raise InputError(
                "indptr of a mesh",
                found=f"{indptr.tolist()[:8]}",
                expected=f"rising from 0 to the {corners.size} corners, at least 3 a polygon",
            )
        for name, ids, least, most in (
            ("corners", corners, 0, len(points)),
            ("neighbours", neighbours, -1, indptr.size - 1),
        ):
            if ids.size and (ids.min() < least or ids.max() >= most):
                raise InputError(
                    f"{name} of a mesh", found=f"{ids.min()} to {ids.max()}", expected=f"{least} to {most - 1}"
                )
        for name, value in (("points", points), ("indptr", indptr), ("corners", corners), ("neighbours", neighbours)):
            set_field(self, name, value)
        self._check_polygons()
        self._check_neighbours()

    def _check_polygons(self) -> None:
        """Raise InputError for a polygon that is not convex."""
        a, b, c = self.points[self.corners[self.before]], self.points[self.corners], self.points[self.ends]
        one, two = b - a, c - b
        cross = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
        size = np.hypot(*one.T) * np.hypot(*two.T)
        turn = np.arctan2(cross.clip(0), (one * two).sum(axis=1))  # what rounding makes of a thin tip is no turn back
        around = np.add.reduceat(turn, self.indptr[:-1]) if self.corners.size else np.zeros(0)
        wrong = np.flatnonzero((cross < -_ROUNDING * size) | (size == 0))
        wrong = np.concatenate((self.owner[wrong], np.flatnonzero(np.abs(around - 2 * np.pi) > 1e-3)))
        if wrong.size:
            ring = self.polygon(int(wrong[0])).tolist()
            raise InputError(
                f"polygon {wrong[0]} of a mesh is not convex",
                found=f"{ring[:8]}",
                expected="corners in order, with the inside on the positive side of each edge",
            )

    def _check_neighbours(self) -> None:
        """Raise InputError unless neighbours share an edge, and no edge occurs twice."""
        n = max(1, len(self.points))
        key = self.corners * n + self.ends
        if np.unique(key).size != key.size:
            raise InputError("an edge of a mesh occurs twice in the same direction", expected="polygons side by side")
        inner = np.flatnonzero(self.neighbours >= 0)
        twin = self.twins[inner]
        good = (self.neighbours[twin] == self.owner[inner]) & (self.owner[twin] == self.neighbours[inner])
        wrong = inner[~(good & (twin >= 0))]
        if wrong.size:
            raise InputError(
                f"polygon {self.owner[wrong[0]]} of a mesh has a neighbour that does not share its edge",
                found=f"neighbour {self.neighbours[wrong[0]]}",
                expected="the same edge, reversed, with the polygon as its neighbour",
            )
        walls = self.corners[self.neighbours < 0]
        if np.unique(walls).size != walls.size:
            raise InputError(
                "parts of a mesh touch in a point that they share", expected="a point for each (NavMesh.of does that)"
            )

    @classmethod
    def of(cls, points: ArrayLike, polygons: list[ArrayLike]) -> NavMesh:
        """Make a mesh from points (float[n, 2], each place once) and polygons, lists of their numbers.

        Neighbours are the polygons that have the same edge in the other direction; edges that only overlap are walls.
        A point in which parts of the mesh touch, without an edge between them, becomes one for each part.
        """
        rings = [freeze(ring, np.int64, (None,), "polygon") for ring in polygons]
        corners = np.concatenate(rings) if rings else np.zeros(0, np.int64)
        indptr = np.cumsum([0, *(len(ring) for ring in rings)])
        places = freeze(points, np.float64, (None, 2), "points")
        if corners.size and (corners.min() < 0 or corners.max() >= len(places)):
            raise InputError(
                "corners of a mesh", found=f"{corners.min()} to {corners.max()}", expected=f"0 to {len(places) - 1}"
            )
        after = np.arange(1, corners.size + 1)
        after[indptr[1:] - 1] = indptr[:-1]
        twins = twin_edges(corners, corners[after], len(places))
        owner = np.repeat(np.arange(len(rings)), np.diff(indptr))
        neighbours = np.where(twins >= 0, owner[twins], -1)
        part = np.arange(corners.size)  # edges that start in the same point of the same part get the same number
        rows = np.flatnonzero(twins >= 0)
        while True:
            least = part.copy()
            np.minimum.at(least, after[twins[rows]], part[rows])
            np.minimum.at(least, rows, part[after[twins[rows]]])
            if (least == part).all():
                break
            part = least
        first, number = np.unique(part, return_inverse=True)
        return cls(places[corners[first]], indptr, number, neighbours)

    @property
    def size(self) -> int:
        """Number of polygons."""
        return int(self.indptr.size - 1)

    def polygon(self, p: int) -> NDArray[np.float64]:
        """Return float64[c, 2]: the corners of polygon p."""
        return self.points[self.corners[self.indptr[p] : self.indptr[p + 1]]]

    @cached_property
    def owner(self) -> NDArray[np.int64]:
        """int64[k]: the polygon of each edge."""
        return np.repeat(np.arange(self.size), np.diff(self.indptr))

    @cached_property
    def after(self) -> NDArray[np.int64]:
        """int64[k]: the next edge of the same polygon."""
        after = np.arange(1, self.corners.size + 1)
        after[self.indptr[1:] - 1] = self.indptr[:-1]
        return after

    @cached_property
    def before(self) -> NDArray[np.int64]:
        """int64[k]: the edge before, of the same polygon."""
        before = np.arange(-1, self.corners.size - 1)
        before[self.indptr[:-1]] = self.indptr[1:] - 1
        return before

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """int64[k]: the point in which each edge ends; it starts in corners."""
        return self.corners[self.after]

    @cached_property
    def twins(self) -> NDArray[np.int64]:
        """int64[k]: the same edge in the polygon beyond it, -1 for a wall."""
        return np.where(self.neighbours < 0, -1, twin_edges(self.corners, self.ends, len(self.points)))

    @cached_property
    def portals(self) -> NDArray[np.int64]:
        """int64[p]: the edges that lead to another polygon, each pair of twins once (the lesser number)."""
        edges = np.flatnonzero(self.neighbours >= 0)
        return edges[edges < self.twins[edges]]

    @cached_property
    def turns(self) -> NDArray[np.bool_]:
        """bool[n]: the points at which a shortest path may turn: the free angle between their walls is above 180°.

        Exactly, so one bent by no more than rounding counts; and so does the end of a wall of no thickness, with 360°.
        """
        walls = np.flatnonzero(self.neighbours < 0)
        enters = np.full(len(self.points), -1)
        enters[self.ends[walls]] = self.corners[walls]
        a, b, c = (self.points[i] for i in (enters[self.corners[walls]], self.corners[walls], self.ends[walls]))
        turns = np.zeros(len(self.points), bool)
        turns[self.corners[walls]] = (_sides(a, b, c) < 0) | (self._around[self.corners[walls]] > 1.5 * np.pi)
        return turns

    @property
    def _around(self) -> NDArray[np.float64]:
        """float64[n]: the free angle around each point."""
        one = self.points[self.corners[self.before]] - self.points[self.corners]
        two = self.points[self.ends] - self.points[self.corners]
        cross, dot = two[:, 0] * one[:, 1] - two[:, 1] * one[:, 0], (one * two).sum(axis=1)
        return np.bincount(self.corners, np.abs(np.arctan2(cross, dot)), len(self.points)).astype(np.float64)

    @cached_property
    def centres(self) -> NDArray[np.float64]:
        """float64[m, 2]: the centre of gravity of each polygon; the mean of the corners of one too thin to have any."""
        middle = self.points[self.corners[self.indptr[:-1]]]
        a, b = self.points[self.corners] - middle[self.owner], self.points[self.ends] - middle[self.owner]
        cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
        if not self.size:
            return middle
        weight = (np.add.reduceat(cross, self.indptr[:-1]) * 3)[:, None]
        mean = np.add.reduceat(a, self.indptr[:-1], axis=0) / np.diff(self.indptr)[:, None]
        moment = np.add.reduceat((a + b) * cross[:, None], self.indptr[:-1], axis=0)
        return middle + np.divide(moment, weight, out=mean, where=weight > 0)

    @cached_property
    def areas(self) -> NDArray[np.float64]:
        """float64[m]: the area of each polygon."""
        middle = self.points[self.corners[self.indptr[:-1]]]
        a, b = self.points[self.corners] - middle[self.owner], self.points[self.ends] - middle[self.owner]
        cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
        return np.add.reduceat(cross, self.indptr[:-1]) / 2 if self.size else np.zeros(0)


def _sides(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[k] of exact sign: on which side of the lines a → b the places c lie, all float64[k, 2]."""
    left, right = ((b - a) * (c - a)[:, ::-1]).T
    side = left - right
    unsure = (left != 0) & (right != 0) & (np.abs(side) <= 1e-15 * np.abs(left + right))
    for k in np.flatnonzero(unsure).tolist():
        (ax, ay), (bx, by), (cx, cy) = (map(Fraction, place[k].tolist()) for place in (a, b, c))
        exact = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        side[k] = (exact > 0) - (exact < 0)
    return side


def twin_edges(starts: NDArray[np.int64], ends: NDArray[np.int64], points: int) -> NDArray[np.int64]:
    """Return int64[k]: for each edge the one that runs from its end to its start, -1 for none."""
    if not starts.size:
        return np.zeros(0, np.int64)
    key = starts * points + ends
    order = np.argsort(key)
    back = ends * points + starts
    found = np.minimum(np.searchsorted(key, back, sorter=order), key.size - 1)
    return np.where(key[order[found]] == back, order[found], -1)
