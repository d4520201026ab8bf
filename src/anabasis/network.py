"""FlowNetwork and Route: what a group flows through, and the ways in which it does.

Everything is a whole number, so that flows and times are exact. Time is counted in steps of the simulator; a capacity
is the number of units that can pass in PERIOD steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary

__all__ = ["PERIOD", "FlowNetwork", "Route"]

PERIOD = 10_000


@dataclass(frozen=True, eq=False)
class FlowNetwork:
    """An undirected network with a source and a sink; an edge carries up to its capacity in either direction.

    - points: float64[v, 2], the place of each vertex (x, y in cell units).
    - tail, head: int64[m], the ends of each edge, different vertices; there may be several edges between two.
    - capacity: int64[m] ≥ 0, units in PERIOD steps. length: int64[m] ≥ 0, steps to walk along the edge at full speed.
    - gate: int64[m], the gate of the decomposition that an edge leads through, -1 for none.
    """

    points: NDArray[np.float64]
    tail: NDArray[np.int64]
    head: NDArray[np.int64]
    capacity: NDArray[np.int64]
    length: NDArray[np.int64]
    gate: NDArray[np.int64]
    source: int
    sink: int

    __repr__ = summary

    def __post_init__(self) -> None:
        points = freeze(self.points, np.float64, (None, 2), "points")
        tail = freeze(self.tail, np.int64, (None,), "tail")
        set_field(self, "points", points)
        set_field(self, "tail", tail)
        for name in ("head", "capacity", "length", "gate"):
            set_field(self, name, freeze(getattr(self, name), np.int64, tail.shape, name))
        n = len(points)
        for name, value in (("source", self.source), ("sink", self.sink)):
            if not 0 <= value < n:
                raise InputError(f"{name} of a network", found=f"vertex {value}", expected=f"0 to {n - 1}")
        if self.source == self.sink:
            raise InputError("source and sink of a network", found=f"both vertex {self.sink}", expected="two vertices")
        if tail.size:
            if min(tail.min(), self.head.min()) < 0 or max(tail.max(), self.head.max()) >= n:
                raise InputError("an edge of a network leads nowhere", expected=f"vertices 0 to {n - 1}")
            if (tail == self.head).any():
                raise InputError("an edge of a network leads from a vertex to itself", expected="two vertices")
            if min(self.capacity.min(), self.length.min()) < 0:
                raise InputError("capacities and lengths of a network", found="a negative one", expected="at least 0")

    @property
    def size(self) -> int:
        """Number of vertices."""
        return len(self.points)


@dataclass(frozen=True, eq=False)
class Route:
    """A way from source to sink: vertices int64[k + 1], edges int64[k] between them, each walked forward.

    amount: the units that it carries in PERIOD steps. length: the steps from source to sink.
    """

    vertices: NDArray[np.int64]
    edges: NDArray[np.int64]
    amount: int
    length: int

    __repr__ = summary

    def __post_init__(self) -> None:
        edges = freeze(self.edges, np.int64, (None,), "edges")
        set_field(self, "edges", edges)
        set_field(self, "vertices", freeze(self.vertices, np.int64, (edges.size + 1,), "vertices"))
        if self.amount <= 0 or self.length < 0:
            raise InputError(
                "a route", found=f"amount {self.amount}, length {self.length}", expected="an amount above 0"
            )
