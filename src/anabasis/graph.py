"""Graph: vertices with places and directed, weighted arcs, in compressed rows.

The arcs out of u are indices[indptr[u]:indptr[u + 1]] with weights[...]; weights may differ by direction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary

__all__ = ["METRICS", "Graph"]

METRICS = ("zero", "manhattan", "octile", "euclidean", "chebyshev")


@dataclass(frozen=True, eq=False)
class Graph:
    """A directed weighted graph.

    indptr: int64[n + 1]; indices: int64[m], the heads of the arcs; weights: float64[m], ≥ 0 and finite.
    points: float64[n, 2], the place (x, y) of each vertex.
    metric: the distance between points that never overestimates the cost on this graph (one of METRICS).
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int64]
    weights: NDArray[np.float64]
    points: NDArray[np.float64]
    metric: str = "euclidean"

    __repr__ = summary

    def __post_init__(self) -> None:
        points = freeze(self.points, np.float64, (None, 2), "points")
        n = points.shape[0]
        indptr = freeze(self.indptr, np.int64, (n + 1,), "indptr")
        indices = freeze(self.indices, np.int64, (None,), "indices")
        weights = freeze(self.weights, np.float64, indices.shape, "weights")
        if indptr[0] != 0 or indptr[-1] != indices.size or (np.diff(indptr) < 0).any():
            raise InputError(
                "indptr of a graph",
                found=f"from {indptr[0]} to {indptr[-1]}",
                expected=f"rising from 0 to the {indices.size} arcs",
            )
        if indices.size and (indices.min() < 0 or indices.max() >= n):
            raise InputError(
                "an arc of a graph leads nowhere",
                found=f"vertex {indices.min()} to {indices.max()}",
                expected=f"vertices 0 to {n - 1}",
            )
        if weights.size and not (np.isfinite(weights).all() and weights.min() >= 0):
            raise InputError(
                "weights of a graph",
                found=f"a weight of {weights.min() if np.isfinite(weights).all() else 'inf'}",
                expected="finite weights of at least 0",
            )
        if not np.isfinite(points).all():
            raise InputError("points of a graph", found="inf", expected="finite coordinates")
        if self.metric not in METRICS:
            raise InputError("unknown metric", found=repr(self.metric), expected=" or ".join(METRICS))
        for name, value in (("points", points), ("indptr", indptr), ("indices", indices), ("weights", weights)):
            set_field(self, name, value)

    @property
    def size(self) -> int:
        """Number of vertices."""
        return int(self.points.shape[0])

    @property
    def symmetric(self) -> bool:
        """Whether there is an arc back for each arc, whatever it weighs."""
        tails = np.repeat(np.arange(self.size), np.diff(self.indptr))
        there, back = np.unique(tails * self.size + self.indices), np.unique(self.indices * self.size + tails)
        return bool(np.array_equal(there, back))

    @classmethod
    def from_arcs(
        cls, points: ArrayLike, tails: ArrayLike, heads: ArrayLike, weights: ArrayLike, metric: str = "euclidean"
    ) -> Graph:
        """Make a graph from its arcs (tail, head, weight); arcs keep their order within a vertex."""
        places = freeze(points, np.float64, (None, 2), "points")
        tail = freeze(tails, np.int64, (None,), "tails")
        head = freeze(heads, np.int64, tail.shape, "heads")
        weight = freeze(weights, np.float64, tail.shape, "weights")
        n = places.shape[0]
        if tail.size and (tail.min() < 0 or tail.max() >= n):
            raise InputError(
                "an arc of a graph starts nowhere",
                found=f"vertex {tail.min()} to {tail.max()}",
                expected=f"vertices 0 to {n - 1}",
            )
        order = np.argsort(tail, kind="stable")
        indptr = np.zeros(n + 1, np.int64)
        np.cumsum(np.bincount(tail, minlength=n), out=indptr[1:])
        return cls(indptr, head[order], weight[order], places, metric)
