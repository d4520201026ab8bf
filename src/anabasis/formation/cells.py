"""Cells: a map of a manoeuvre as a grid of cells, for what works on cells: the simulator, and flow through gates.

A map of triangles is cut into cells half a step wide. In each one can stand if the vertex nearest to its middle has
steps and is no farther than the middle of a triangle is from its corners. A price is the mean of the steps out of that
vertex, as a multiple of the least one.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.formation.ground import Ground
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lattice import Lattice

__all__ = ["Cells"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Cells:
    """A grid over a map: a place p of the map is at (p - origin) / side on it; spacing: a step of the map, in cells."""

    grid: Grid
    side: float
    origin: float
    spacing: float

    @classmethod
    def of(cls, space: Lattice | Grid | Graph) -> Cells:
        """Return the cells of a map; raises InputError for a graph, which has no ground."""
        if isinstance(space, Grid):
            return cls(space, 1.0, 0.0, 1.0)
        if isinstance(space, Graph):
            raise InputError(
                "map of cells", found=f"a graph of {space.size} vertices", expected="a map of triangles or of cells"
            )
        from scipy.spatial import KDTree

        ground = Ground.of(space)
        side = space.spacing / 2
        origin = -side
        width, height = (int(np.ceil((extent - 2 * origin) / side - 1e-9)) for extent in space.extent)
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        apart, near = KDTree(ground.points).query((np.stack((x, y), -1) + 0.5) * side + origin)
        free = ground.walkable[near] & (apart <= space.spacing * 3**-0.5 * (1 + 1e-9))
        tails = np.repeat(np.arange(ground.size), np.diff(ground.indptr))
        steps = np.maximum(np.bincount(tails, minlength=ground.size), 1)
        seconds = np.bincount(tails, ground.weights, ground.size) / steps
        price = np.maximum(seconds / seconds[ground.walkable & (seconds > 0)].min(), 1.0)
        plain = Grid.from_free(free)
        return cls(replace(plain, cost=np.where(free, price[near], np.inf)), side, origin, space.spacing / side)

    def into(self, places: ArrayLike) -> Floats:
        """Return places of the map as places of the grid."""
        return (np.asarray(places, np.float64) - self.origin) / self.side

    def out(self, places: ArrayLike) -> Floats:
        """Return places of the grid as places of the map."""
        return np.asarray(places, np.float64) * self.side + self.origin

    @cached_property
    def _part(self) -> NDArray[np.int32]:
        """int32[cells]: a number for each part of the map whose cells can be reached from one another, 0 in walls."""
        from scipy.ndimage import label

        parts: Any = label(self.grid.free)[0]  # pyright: ignore[reportIndexIssue]
        return np.ravel(parts)

    def fits(self, radius: float) -> NDArray[np.bool_]:
        """Return bool[height, width]: in which free cells a circle of this radius fits somewhere, in cells.

        Its middle is looked for in corners, and in the middles of sides and cells, which is where passages have most
        room.
        """
        from scipy.ndimage import distance_transform_edt, maximum_filter

        free = self.grid.free
        height, width = free.shape
        closed = np.zeros((2 * height + 1, 2 * width + 1), bool)  # of all those places
        closed[1::2, 1::2] = ~free
        open_ = ~np.asarray(maximum_filter(closed, 3), bool)
        apart = np.asarray(distance_transform_edt(np.pad(open_[1:-1, 1:-1], 1))) / 2  # the map's edge is closed, too
        return (np.asarray(maximum_filter(apart, 3))[1::2, 1::2] >= radius - 1e-9) & free

    def stand(self, place: Floats, taken: Set[int] = frozenset(), beside: Floats | None = None) -> Floats:
        """Return a place of the grid if its cell is free and nobody has taken it, else the middle of the nearest such.

        beside: a place that can be reached from there, as long as there is such a cell. Raises InputError if none is
        left at all.
        """
        part = 0 if beside is None else self._part[self._vertex(beside)]
        vertex = self._vertex(place)
        if vertex >= 0 and self._part[vertex] and vertex not in taken and part in (0, self._part[vertex]):
            return place
        free = np.flatnonzero(self._part)
        left = free[~np.isin(free, list(taken))]
        if not left.size:
            raise InputError("places of a manoeuvre", found="no free cell left", expected="one for each unit")
        same = left[self._part[left] == part]
        centres = self.grid.centres(same if same.size else left)
        return centres[((centres - place) ** 2).sum(1).argmin()]

    def _vertex(self, place: Floats) -> int:
        """Return the cell that a place lies in, -1 outside the map."""
        x, y = np.floor(place).astype(np.int64).tolist()
        inside = 0 <= x < self.grid.width and 0 <= y < self.grid.height
        return self.grid.vertex(x, y) if inside else -1
