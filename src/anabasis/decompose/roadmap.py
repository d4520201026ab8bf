"""Roadmap: random free places, joined where one sees the other.

L. E. Kavraki, P. Svestka, J.-C. Latombe, M. H. Overmars, "Probabilistic roadmaps for path planning in high-dimensional
configuration spaces", 1996; with a radius that shrinks just slowly enough for the ways to become shortest as the number
of places grows: S. Karaman and E. Frazzoli, "Sampling-based algorithms for optimal motion planning", 2011.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.decompose.cells import ground, walk_costs
from anabasis.decompose.free_space import FreeSpace, free_space
from anabasis.graph import Graph
from anabasis.grid import MAX_CELLS, Grid
from anabasis.options import check_count
from anabasis.world import World

__all__ = ["prm", "prm_star", "random_places", "star_radius"]

_TRIES = 100  # a place, before a world counts as full
_MARGIN = 1.1  # by how much the radius is above the least one for which the promise is proved


def prm(space: World | Grid, *, samples: int = 500, neighbours: int = 10, seed: int = 0) -> Graph:
    """Make a roadmap of random free places, each joined with those of its nearest ones that it sees.

    Two places are joined in both directions if one is among the `neighbours` nearest of the other. An arc costs its
    exact length, on a Grid the integral of the price along it. There are fewer than `samples` places only if not one in
    100 tries is free. Same seed, same bytes. Raises InputError for counts below 1 or a seed that is no whole number
    from 0.
    """
    world, points = _places(space, samples, seed)
    most = check_count(neighbours, "number of neighbours", 1, MAX_CELLS)
    if len(points) < 2:
        return _roadmap(space, world, points, np.empty((0, 2), np.int64))
    from scipy.spatial import KDTree

    nearest = min(most, len(points) - 1)
    _, near = KDTree(points).query(points, k=nearest + 1)  # the nearest is the place itself
    heads = np.asarray(near, np.int64)[:, 1:]
    tails = np.repeat(np.arange(len(points)), nearest)
    return _roadmap(space, world, points, np.stack([tails, heads.reshape(-1)], axis=1))


def prm_star(space: World | Grid, *, samples: int = 500, seed: int = 0) -> Graph:
    """Make a roadmap of random free places, each joined with all that it sees within `star_radius`.

    Ways in it tend to the shortest ones as `samples` grows. Prices, seed and errors as for `prm`.
    """
    world, points = _places(space, samples, seed)
    if len(points) < 2:
        return _roadmap(space, world, points, np.empty((0, 2), np.int64))
    from scipy.spatial import KDTree

    radius = star_radius(free_space(world), len(points))
    return _roadmap(space, world, points, KDTree(points).query_pairs(radius, output_type="ndarray"))


def star_radius(free: FreeSpace, count: int) -> float:
    """Return γ · √(log n / n), with γ a tenth above 2 · √(1.5 · area / π), its least value for shortest ways."""
    a, b = free.corners, free.corners[free.after]
    area = abs(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum())) / 2
    return _MARGIN * 2 * math.sqrt(1.5 * area / math.pi) * math.sqrt(math.log(count) / count)


def random_places(world: World, count: int, seed: int) -> NDArray[np.float64]:
    """Return float64[count, 2]: places drawn evenly from the free space; fewer if not one in 100 tries is free."""
    free, key = free_space(world), stream_key(seed, 0, 0)
    x0, y0, x1, y1 = world.bounds
    parts: list[NDArray[np.float64]] = [np.empty((0, 2))]
    found = tried = 0
    while found < count and tried < _TRIES * count:
        batch = np.empty((min(count, _TRIES * count - tried), 2))
        _fractions(key, tried, batch)
        tried += len(batch)
        places = np.array([x0, y0]) + batch * np.array([x1 - x0, y1 - y0])
        parts.append(places[free.free(places)])
        found += len(parts[-1])
    return np.concatenate(parts)[:count]


@kernel
def _fractions(key: int, first: int, out: Any) -> None:
    """Fill in random fractions, those of unit first + i into row i."""
    for i in range(len(out)):
        out[i, 0] = random_fraction(key, first + i, 0)
        out[i, 1] = random_fraction(key, first + i, 1)


def _places(space: World | Grid, samples: int, seed: int) -> tuple[World, NDArray[np.float64]]:
    world, count = ground(space), check_count(samples, "number of samples", 1, MAX_CELLS)
    return world, random_places(world, count, check_count(seed, "seed"))


def _roadmap(space: World | Grid, world: World, points: NDArray[np.float64], pairs: NDArray[Any]) -> Graph:
    """Return the graph of the places and of those pairs that see each other, once in each direction."""
    ends = np.unique(np.sort(pairs.astype(np.int64), axis=1), axis=0)
    ends = ends[ends[:, 0] != ends[:, 1]]
    ends = ends[free_space(world).see(points[ends[:, 0]], points[ends[:, 1]])]
    tail, head = np.concatenate([ends, ends[:, ::-1]]).T
    order = np.lexsort((head, tail))
    tail, head = tail[order], head[order]
    return Graph.from_arcs(points, tail, head, walk_costs(space, points[tail], points[head]))
