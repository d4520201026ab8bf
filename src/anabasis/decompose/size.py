"""Size: how many states and arcs a graph has, and how much memory it takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anabasis.graph import Graph

__all__ = ["GraphSize", "graph_size"]


@dataclass(frozen=True)
class GraphSize:
    """What a discretisation made: counts, arcs out of a state in the mean and at most, bytes of its arrays."""

    states: int
    arcs: int
    mean_degree: float
    max_degree: int
    bytes: int


def graph_size(graph: Graph) -> GraphSize:
    """Return the size of a graph; each direction of a way counts as an arc of its own."""
    degree = np.diff(graph.indptr)
    used = sum(array.nbytes for array in (graph.indptr, graph.indices, graph.weights, graph.points))
    mean = graph.indices.size / graph.size if graph.size else 0.0
    return GraphSize(graph.size, int(graph.indices.size), mean, int(degree.max(initial=0)), used)
