"""Reach: whether there is a way at all, for searches that may miss one, and a space with every arc turned round."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.report import LIMIT, NEAREST, NO_SOLUTION, STATUS
from anabasis._kernel.ways import flood
from anabasis.graph import Graph
from anabasis.search.moves import Space

__all__ = ["arcs_against", "settle", "turned_round"]


def settle(space: Space, start: int, goal: int, row: NDArray[np.float64]) -> None:
    """Write into the report of a search that found nothing whether it gave up or there is no way; start is free.

    All that can be reached is flooded, so "no solution" is proved, and the reached vertex nearest to the goal known.
    """
    reached = np.zeros(space.size, bool)
    flood(space.arcs, start, reached)
    row[STATUS] = LIMIT if reached[goal] else NO_SOLUTION
    if not reached[goal]:
        row[NEAREST] = space.nearest(reached, goal)


def turned_round(graph: Graph) -> Graph:
    """Return the graph with every arc turned round."""
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    return Graph.from_arcs(graph.points, graph.indices, tails, graph.weights, graph.metric)


def arcs_against(space: Space) -> tuple[Any, ...]:
    """Return what the kernel `arcs_into` reads: the arcs of a graph turned round; of a grid the arcs themselves."""
    return Space(turned_round(space.space)).arcs if isinstance(space.space, Graph) else space.arcs
