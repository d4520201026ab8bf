"""Ground: a map as formations see it: steps with their seconds, and which vertex lies at an offset from another.

Offsets are counted on a raster over the map: for a map of triangles that of its logical coordinates, for cells the
cells themselves, so that what is shifted falls on vertices again; for any other graph a fine one, each place with its
nearest vertex.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.standing import room_beside
from anabasis.decompose.lattices import square_lattice
from anabasis.errors import InputError
from anabasis.formation.clearance import step_clearance
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lattice import Lattice
from anabasis.options import check_kind

__all__ = ["EUCLIDEAN", "HEXAGONAL", "OCTILE", "Ground"]

HEXAGONAL, OCTILE, EUCLIDEAN = 0, 1, 2
"""How far a goal is at least: steps on the lattice, steps on cells, or as the crow flies."""

_MOST_CELLS = 1 << 22  # of a raster

Floats, Longs = NDArray[np.float64], NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ground:
    """A map of n vertices.

    - indptr, indices, weights: the steps out of each vertex and their seconds; points float64[n, 2];
    - raster int64[rows, columns]: the vertex at each place, or -1; at int64[n, 2]: column and row of each vertex;
    - origin, pitch: where the raster begins, width and height of a place of it: vertices of triangles are at the
      corners of places, others within them; spacing: the length of a step, the shortest on a graph;
    - measure, rate: the seconds to a goal are at least rate times the distance by this measure;
    - dearest: seconds of the dearest step;
    - part int64[n]: vertices of one part can all reach one another;
    - walkable bool[n]: which vertices have steps; open: a tree of them, and their numbers.
    """

    indptr: Longs
    indices: Longs
    weights: Floats
    points: Floats
    raster: Longs
    at: Longs
    origin: tuple[float, float]
    pitch: tuple[float, float]
    spacing: float
    measure: int
    rate: float
    dearest: float
    part: Longs
    walkable: NDArray[np.bool_]
    open: tuple[Any, Longs]

    @classmethod
    def of(cls, space: Lattice | Grid | Graph) -> Ground:
        """Return the ground of a map; raises InputError for one without steps, or with one that takes no time."""
        from scipy.spatial import KDTree

        check_kind(space, (Lattice, Grid, Graph), "map of a manoeuvre")
        _check(space)
        origin = (0.0, 0.0)
        if isinstance(space, Lattice):
            graph, spacing, measure = space.graph(), space.spacing, HEXAGONAL
            pitch = (spacing / 2, spacing * math.sqrt(3) / 2)
            raster = np.full((space.height, 2 * space.width), -1, np.int64)
            at = space.logical
        elif isinstance(space, Grid):
            graph, spacing, measure = square_lattice(space), 1.0, OCTILE
            pitch = (spacing, spacing)
            raster = np.full(space.cost.shape, -1, np.int64)
            at = np.floor(graph.points).astype(np.int64)
        else:
            graph, measure = space, EUCLIDEAN
            raster, at, origin, side, spacing = _fine(graph)
            pitch = (side, side)
        if measure != EUCLIDEAN:
            raster[at[:, 1], at[:, 0]] = np.arange(graph.size)
        rate = _rate(graph, measure)
        walkable = np.zeros(graph.size, bool)
        walkable[graph.indices] = True
        walkable |= np.diff(graph.indptr) > 0
        stood = np.flatnonzero(walkable)
        if not graph.weights.size:
            raise InputError("map of a manoeuvre", found="no step that can be taken", expected="ground to march on")
        return cls(
            graph.indptr,
            graph.indices,
            graph.weights,
            graph.points,
            raster,
            np.ascontiguousarray(at),
            origin,
            pitch,
            spacing,
            measure,
            rate,
            float(graph.weights.max()),
            _parts(graph),
            walkable,
            (KDTree(graph.points[stood]), stood),
        )

    @property
    def size(self) -> int:
        """Number of vertices."""
        return len(self.points)

    @cached_property
    def land(self) -> tuple[Longs, NDArray[np.bool_], Floats, bool]:
        """The map as `_kernel.standing` wants it."""
        # from the middle of a triangle of the lattice it is 1/√3 of a step to its corners
        frame = np.array([*self.origin, *self.pitch, self.spacing * 3**-0.5])
        return self.raster, self.walkable, frame, self.measure == HEXAGONAL

    @cached_property
    def roomy(self) -> NDArray[np.bool_]:
        """bool[n]: which vertices have ground all around: the next vertices of triangles, or the eight cells; all of
        a graph, which is without walls.
        """
        if self.measure == EUCLIDEAN:
            return np.ones(self.size, bool)
        free = np.pad((self.raster >= 0) & self.walkable[self.raster], 2)
        around = [(-1, -1), (1, -1), (-2, 0), (2, 0), (-1, 1), (1, 1)]
        if self.measure == OCTILE:
            around = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
        x, y = self.at.T + 2
        return np.all([free[y + dy, x + dx] for dx, dy in around], axis=0)

    @cached_property
    def clearance(self) -> Floats:
        """float64[m]: the greatest radius that a unit can have on each step, inf on a graph, which is without walls."""
        if self.measure == EUCLIDEAN:
            return np.full(len(self.indices), np.inf)
        return step_clearance(self.indptr, self.indices, self.points, self.land)

    @cached_property
    def _widest(self) -> Floats:
        """float64[n]: the greatest radius of a unit that can come to each vertex or leave it, 0 without steps."""
        tails = np.repeat(np.arange(self.size), np.diff(self.indptr))
        widest = np.zeros(self.size)
        for ends in (tails, self.indices):
            np.maximum.at(widest, ends, self.clearance)
        return widest

    def is_wide(self, radius: float) -> bool:
        """Tell whether there may be steps that leave a unit of this radius no room."""
        # from the middle of a step between two hexagons it is as far to the corner of a closed one
        return radius > self.spacing / 12**0.5

    def fits(self, radius: float) -> NDArray[np.bool_]:
        """Return bool[n]: at which vertices a unit of this radius may stand."""
        return self._widest >= radius if self.is_wide(radius) else self.walkable

    def room(self, places: Floats, azimuths: Floats, most: float) -> Floats:
        """Return float64[m, 2]: how far the ground goes on to the left and right of places, at most so far.

        places float64[m, 2]; azimuths float64[m]: where somebody faces there, in degrees clockwise from north.
        """
        return _room(self.land, places, np.radians(azimuths), min(self.pitch) / 2, most)

    def nearest(self, places: ArrayLike, count: int = 1) -> Longs:
        """Return int64[m, count]: the vertices nearest to each place that have a step, nearest first."""
        tree, stood = self.open
        count = min(count, len(stood))
        found = tree.query(np.asarray(places, np.float64).reshape(-1, 2), k=count)[1]
        return stood[np.asarray(found, np.int64).reshape(-1, count)]

    def holds(self, place: ArrayLike) -> bool:
        """Tell whether a place is on the ground of a vertex: its cell, or a triangle at it; always so on a graph."""
        reach = {HEXAGONAL: 3**-0.5, OCTILE: 0.5**0.5, EUCLIDEAN: math.inf}[self.measure] * self.spacing
        return float(self.open[0].query(np.asarray(place, np.float64))[0]) <= reach * (1 + 1e-9)

    def untaken(self, place: ArrayLike, taken: set[int], radius: float = 0.0) -> list[int]:
        """Return some vertices that nobody has taken, the nearest to a place first; none if none is left.

        radius: of a unit that fits there.
        """
        count, fits = 16, self.fits(radius)
        while True:
            near = self.nearest(place, count)[0].tolist()
            free = [vertex for vertex in near if vertex not in taken and fits[vertex]]
            if len(free) >= 8 or len(near) < count:
                return free
            count *= 4

    def shifts(self, offsets: ArrayLike) -> Longs:
        """Return int64[m, 2]: offsets float64[m, 2] in columns and rows of the raster, the nearest that join vertices.

        Of two that are equally near it is the lower row, on other maps than triangles the even number.
        """
        x, y = (np.asarray(offsets, np.float64).reshape(-1, 2) / self.pitch).T
        if self.measure != HEXAGONAL:
            return np.stack((np.rint(x), np.rint(y)), 1).astype(np.int64)
        rows = np.floor(y) + np.array([[0.0], [1.0]])
        columns = 2 * np.rint((x - rows) / 2) + rows  # columns and rows of one parity
        apart = np.hypot((columns - x) * self.pitch[0], (rows - y) * self.pitch[1])
        second = apart[1] < apart[0] - 1e-9
        return np.where(second[:, None], *(np.stack((columns[k], rows[k]), 1) for k in (1, 0))).astype(np.int64)

    def seconds(self, path: Longs) -> Floats:
        """Return float64[m - 1]: how long each step of a path takes; raises InputError where there is none."""
        cost = _seconds(self.indptr, self.indices, self.weights, path)
        missing = np.flatnonzero(np.isinf(cost))
        if missing.size:
            u, v = path[missing[0] : missing[0] + 2].tolist()
            raise InputError(
                "a path of a formation", found=f"no step from vertex {u} to {v}", expected="steps of the map"
            )
        return cost


@kernel
def _room(land: Any, places: Any, angles: Any, step: float, most: float) -> Any:
    """See `Ground.room`; angles in radians clockwise from north."""
    room = np.empty((len(places), 2))
    for i in range(len(places)):
        # y grows downwards: to the right of north is east
        dx, dy = math.cos(angles[i]), math.sin(angles[i])
        room[i, 0] = room_beside(land, places[i, 0], places[i, 1], -dx, -dy, step, most)
        room[i, 1] = room_beside(land, places[i, 0], places[i, 1], dx, dy, step, most)
    return room


@kernel
def _seconds(indptr: Any, indices: Any, weights: Any, path: Any) -> Any:
    """Return the seconds of the quickest step between neighbours of a path, inf without one."""
    cost = np.full(max(0, len(path) - 1), math.inf)
    for i in range(len(path) - 1):
        for k in range(indptr[path[i]], indptr[path[i] + 1]):
            if indices[k] == path[i + 1]:
                cost[i] = min(cost[i], weights[k])
    return cost


def _rate(graph: Graph, measure: int) -> float:
    """Return the least seconds of a step by the length that the measure gives it."""
    if measure == HEXAGONAL:
        return float(graph.weights.min(initial=np.inf))
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    length = np.hypot(*(graph.points[graph.indices] - graph.points[tails]).T)
    long = length > 0
    # a little below, since sums of steps are rounded
    return float((graph.weights[long] / length[long]).min(initial=np.inf)) * (1 - 1e-12) if long.any() else 0.0


def _check(space: Lattice | Grid | Graph) -> None:
    """Raise InputError for a step of a graph that takes no time."""
    if isinstance(space, Graph) and not (space.weights > 0).all():
        arc = int(np.flatnonzero(space.weights <= 0)[0])
        tail = int(np.searchsorted(space.indptr, arc, side="right")) - 1
        raise InputError(
            f"the arc from vertex {tail} to {space.indices[arc]}", found="weight 0", expected="seconds above 0"
        )


def _parts(graph: Graph) -> Longs:
    """Return int64[n]: a number for each part whose vertices can all reach one another."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    shape = (graph.size, graph.size)
    arcs = csr_array((np.ones(graph.indices.size, np.int8), graph.indices, graph.indptr), shape=shape)
    return np.asarray(connected_components(arcs, connection="strong")[1], np.int64)


def _fine(graph: Graph) -> tuple[Longs, Longs, tuple[float, float], float, float]:
    """Return raster, places on it, its origin and pitch, half the shortest arc if it can be, and the shortest arc."""
    from scipy.spatial import KDTree

    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    length = np.hypot(*(graph.points[graph.indices] - graph.points[tails]).T)
    spacing = float(length[length > 0].min(initial=np.inf))
    spacing = spacing if math.isfinite(spacing) else 1.0
    low, high = (graph.points.min(0), graph.points.max(0)) if graph.size else (np.zeros(2), np.zeros(2))
    pitch = spacing / 2
    while np.prod(np.floor((high - low) / pitch) + 1) > _MOST_CELLS:
        pitch *= 2
    columns, rows = (np.floor((high - low) / pitch) + 1).tolist()
    x, y = np.meshgrid(np.arange(int(columns)), np.arange(int(rows)))
    centres = low + (np.stack((x.ravel(), y.ravel()), 1) + 0.5) * pitch
    reach = np.full(graph.size, max(spacing, pitch))  # how far a vertex stands for the ground around it
    np.maximum.at(reach, tails, length)
    origin = (float(low[0]), float(low[1]))
    if not graph.size:
        return np.full((1, 1), -1, np.int64), np.zeros((0, 2), np.int64), origin, pitch, spacing
    apart, nearest = KDTree(graph.points).query(centres)
    raster = np.where(apart <= reach[nearest], nearest, -1).reshape(int(rows), int(columns)).astype(np.int64)
    return raster, np.floor((graph.points - low) / pitch).astype(np.int64), origin, pitch, spacing
