"""Ground: a map as formations see it: steps with their seconds, and which vertex lies at an offset from another.

Offsets are counted on a raster over the map: for a map of triangles that of its logical coordinates, for cells the
cells themselves, so that what is shifted falls on vertices again; for any other graph a fine one, each place with its
nearest vertex.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.decompose.lattices import square_lattice
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lattice import Lattice

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
    - pitch: width and height of a place of the raster; spacing: the length of a step, the shortest on a graph;
    - measure, rate: the seconds to a goal are at least rate times the distance by this measure;
    - dearest: seconds of the dearest step.
    """

    indptr: Longs
    indices: Longs
    weights: Floats
    points: Floats
    raster: Longs
    at: Longs
    pitch: tuple[float, float]
    spacing: float
    measure: int
    rate: float
    dearest: float
    tree: Any

    @classmethod
    def of(cls, space: Lattice | Grid | Graph) -> Ground:
        """Return the ground of a map; raises InputError for one on which nobody can take a step."""
        from scipy.spatial import cKDTree

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
            raster, at, spacing = _fine(graph)
            pitch = (spacing / 2, spacing / 2)
        if not graph.weights.size:
            raise InputError("map of a manoeuvre", found="no step that can be taken", expected="ground to march on")
        if measure != EUCLIDEAN:
            raster[at[:, 1], at[:, 0]] = np.arange(graph.size)
        rate = _rate(graph, measure)
        walkable = np.zeros(graph.size, bool)
        walkable[graph.indices] = True
        walkable |= np.diff(graph.indptr) > 0
        stood = np.flatnonzero(walkable)
        tree = (cKDTree(graph.points[stood]), stood)
        return cls(
            graph.indptr,
            graph.indices,
            graph.weights,
            graph.points,
            raster,
            np.ascontiguousarray(at),
            pitch,
            spacing,
            measure,
            rate,
            float(graph.weights.max()),
            tree,
        )

    @property
    def size(self) -> int:
        """Number of vertices."""
        return len(self.points)

    def nearest(self, places: ArrayLike, count: int = 1) -> Longs:
        """Return int64[m, count]: the vertices nearest to each place that have a step, nearest first."""
        tree, stood = self.tree
        count = min(count, len(stood))
        found = tree.query(np.asarray(places, np.float64).reshape(-1, 2), k=count)[1]
        return stood[np.asarray(found, np.int64).reshape(-1, count)]

    def shift(self, offset: ArrayLike) -> tuple[int, int]:
        """Return an offset (x, y) in columns and rows of the raster, the nearest that joins two vertices."""
        x, y = (np.asarray(offset, np.float64) / self.pitch).tolist()
        if self.measure != HEXAGONAL:
            return round(x), round(y)
        best = None
        for row in (math.floor(y), math.floor(y) + 1):
            column = 2 * round((x - row) / 2) + row  # columns and rows of one parity
            apart = math.hypot((column - x) * self.pitch[0], (row - y) * self.pitch[1])
            if best is None or apart < best[0] - 1e-9:
                best = apart, column, row
        assert best is not None  # noqa: S101 - two rows were tried
        return best[1], best[2]

    def seconds(self, path: Longs) -> Floats:
        """Return float64[m - 1]: how long each step of a path takes; raises InputError where there is none."""
        cost = np.empty(max(0, len(path) - 1))
        for i, (u, v) in enumerate(zip(path[:-1].tolist(), path[1:].tolist(), strict=True)):
            row = slice(self.indptr[u], self.indptr[u + 1])
            found = self.weights[row][self.indices[row] == v]
            if not found.size:
                raise InputError(
                    "a path of a formation", found=f"no step from vertex {u} to {v}", expected="steps of the map"
                )
            cost[i] = found.min()
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


def _fine(graph: Graph) -> tuple[Longs, Longs, float]:
    """Return raster, places on it, and spacing of any graph: as fine as half its shortest arc, if it isn't too big."""
    from scipy.spatial import cKDTree

    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    length = np.hypot(*(graph.points[graph.indices] - graph.points[tails]).T)
    spacing = float(length[length > 0].min(initial=np.inf))
    spacing = spacing if math.isfinite(spacing) else 1.0
    low, high = (graph.points.min(0), graph.points.max(0)) if graph.size else (np.zeros(2), np.zeros(2))
    spacing = max(spacing, 2 * math.sqrt(float(np.prod(high - low + spacing)) / _MOST_CELLS))
    pitch = spacing / 2
    columns, rows = (np.floor((high - low) / pitch).astype(int) + 1).tolist()
    x, y = np.meshgrid(np.arange(columns), np.arange(rows))
    centres = low + (np.stack((x.ravel(), y.ravel()), 1) + 0.5) * pitch
    reach = np.full(graph.size, spacing)  # how far a vertex stands for the ground around it
    np.maximum.at(reach, tails, length)
    apart, nearest = cKDTree(graph.points).query(centres) if graph.size else (np.zeros(0), np.zeros(0, int))
    raster = np.where(apart <= reach[nearest], nearest, -1).reshape(rows, columns).astype(np.int64)
    return raster, np.floor((graph.points - low) / pitch).astype(np.int64), spacing
