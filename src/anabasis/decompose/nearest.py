"""Nearest: the state of a graph that a place belongs to, and places as further states of a graph."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.decompose.cells import ground, walk_costs
from anabasis.decompose.free_space import free_space
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.options import check_count
from anabasis.world import World

__all__ = ["joined", "nearest_state"]

_BATCH = 32  # so many states are looked at before the next farther ones


def nearest_state(graph: Graph, space: World | Grid, point: ArrayLike) -> int:
    """Return the nearest state that the place (x, y) sees, or simply the nearest one if it sees none.

    Of equally near ones the first counts. Raises InputError if the place is no pair of numbers or the graph is empty.
    """
    place = freeze(point, np.float64, (2,), "place")
    if not graph.size:
        raise InputError("the graph has no states", expected="a graph of at least one")
    for states in _seen(graph, ground(space), place):
        if states.size:
            return int(states[0])
    return int(np.argmin(((graph.points - place) ** 2).sum(axis=1)))


def joined(graph: Graph, space: World | Grid, places: ArrayLike, *, neighbours: int = 8) -> Graph:
    """Return the graph with places (float[k, 2]) as states n … n + k - 1, each joined to states that it sees.

    Each is joined in both directions with the `neighbours` nearest states that it sees, and with all other places that
    it sees. What is joined costs its length, on a Grid the integral of the price along it. A place in an obstacle gets
    no arcs. Raises InputError if the places are no pairs of numbers, or for a count below 1.
    """
    added = freeze(places, np.float64, (None, 2), "places")
    world, n = ground(space), graph.size
    neighbours = check_count(neighbours, "number of neighbours", 1)
    points = np.concatenate([graph.points, added])
    tails, heads = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for k, place in enumerate(added):
        found: list[int] = []
        for states in _seen(graph, world, place):
            found += states.tolist()
            if len(found) >= neighbours:
                break
        if k:
            others = added[:k]
            met = free_space(world).see(np.repeat(place[None], k, axis=0), others)
            found = found[:neighbours] + (n + np.flatnonzero(met)).tolist()
        tails.append(np.full(len(found[: neighbours + k]), n + k))
        heads.append(np.array(found[: neighbours + k], np.int64))
    tail, head = np.concatenate(tails), np.concatenate(heads)
    tail, head = np.concatenate([tail, head]), np.concatenate([head, tail])
    order = np.argsort(tail, kind="stable")
    tail, head = tail[order], head[order]
    metric = "euclidean" if graph.metric in ("manhattan", "octile") else graph.metric
    ends = np.concatenate([graph.indptr, np.full(len(added), graph.indptr[-1])])
    at = ends[tail + 1]  # behind the arcs that each state has already
    ends[1:] += np.cumsum(np.bincount(tail, minlength=len(points)))
    costs = walk_costs(space, points[tail], points[head])
    return Graph(ends, np.insert(graph.indices, at, head), np.insert(graph.weights, at, costs), points, metric)


def _seen(graph: Graph, world: World, place: NDArray[np.float64]) -> Iterator[NDArray[np.int64]]:
    """Yield the states that a place sees, from the nearest on, in batches."""
    away = ((graph.points - place) ** 2).sum(axis=1)
    sight, size, past = free_space(world), _BATCH, -1.0
    while past < np.inf:
        limit = np.partition(away, size)[size] if size < len(away) else np.inf
        states = np.flatnonzero((away > past) & (away <= limit))
        states = states[np.argsort(away[states], kind="stable")]
        yield states[sight.see(np.repeat(place[None], len(states), axis=0), graph.points[states])]
        size, past = size * 4, limit
