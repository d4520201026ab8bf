"""Dijkstra: shortest ways in the order of their cost, to one vertex or to all.

E. W. Dijkstra, "A Note on Two Problems in Connexion with Graphs", 1959.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.heap import heap_first, heap_lift
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.astar import AStar
from anabasis.search.integration import TARGET, integrate
from anabasis.search.moves import Space

__all__ = ["dijkstra", "distances"]


def dijkstra(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a shortest path from vertex `start` to vertex `goal`, without an estimate of what is left.

    It is A* with the estimate zero: the options, the stats and the errors are those of `astar`; the path is always a
    shortest one and its cost the bound. The search ends as soon as the goal is settled. Vertices are expanded in the
    order of their distance; on a map of equal prices only up to 0.3 of a side, which is less than any step, so no
    distance changes once its vertex is expanded.
    """
    search = AStar(space, neighbours=neighbours, corners=corners, metric="zero")
    return search.find(start, goal, limit=limit, traced=traced)


def distances(
    space: Grid | Graph,
    sources: ArrayLike,
    *,
    targets: ArrayLike | None = None,
    neighbours: int = 8,
    corners: str = "strict",
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the distance of every vertex from the nearest source, and the vertex before it on the way.

    distance: float64[n], inf where no way leads; parent: int64[n], -1 there and at the sources. With targets the search
    ends when all of them are reached, and what is farther than the farthest of them counts as without a way. On a map
    of equal prices a distance is a + b√2 from whole numbers, rounded once. Blocked sources lead nowhere. Raises
    InputError for an unknown option or a vertex outside the map.
    """
    net = Space(space, neighbours, corners)
    origins = np.unique(net.check(sources, "source"))
    wanted = net.check([] if targets is None else targets, "target")
    if isinstance(space, Graph):
        distance, parent = np.full(net.size, np.inf), np.full(net.size, -1, np.int64)
        _dijkstra(space.indptr, space.indices, space.weights, origins, wanted, distance, parent)
    else:
        origins = origins[np.isfinite(net.cost[origins])]
        field, entered = integrate(net, origins, forward=True, wanted=wanted)
        distance, parent = field.reshape(-1), _parents(entered, net.offset)
    if targets is not None:
        beyond = distance > distance[wanted].max(initial=-1.0)
        distance[beyond], parent[beyond] = np.inf, -1
    return distance, parent


@kernel
def _dijkstra(indptr: Any, indices: Any, weights: Any, sources: Any, wanted: Any, distance: Any, parent: Any) -> None:
    """Settle vertices, nearest first, until all that are no farther than the farthest wanted one are settled."""
    keys, order = np.empty(distance.size), np.empty(distance.size, np.int32)
    place = np.full(distance.size, -1, np.int32)
    size, missing = 0, len(wanted)
    for source in sources:
        distance[source] = 0.0
        heap_lift(keys, order, place, size, 0.0, source)
        size += 1
    while size:
        u = np.int64(heap_first(keys, order, place, size))
        size -= 1
        here = distance[u]
        while missing and distance[wanted[missing - 1]] < here:
            missing -= 1
        if wanted.size and not missing:
            break
        for k in range(indptr[u], indptr[u + 1]):
            v, way = indices[k], here + weights[k]
            if way < distance[v]:
                distance[v], parent[v] = way, u
                i = int(place[v])
                if i < 0:
                    i = size
                    size += 1
                heap_lift(keys, order, place, i, way, v)


@kernel
def _parents(entered: Any, offset: Any) -> Any:
    """Return int64[n]: the vertex from which each one was entered, -1 for none."""
    parent = np.empty(entered.size, np.int64)
    for v in range(entered.size):
        parent[v] = v - offset[entered[v] & 7] if entered[v] < TARGET else -1
    return parent
