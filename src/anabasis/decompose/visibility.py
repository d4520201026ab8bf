"""Visibility: the corners of obstacles, joined wherever one sees the other.

T. Lozano-Pérez and M. Wesley, "An Algorithm for Planning Collision-Free Paths among Polyhedral Obstacles", 1979. With
only those arcs that are tangent to the obstacles at both ends: Y.-H. Liu and S. Arimoto, "Path Planning Using a Tangent
Graph for Mobile Robots among Polygonal and Curved Obstacles", 1992.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.corner import open_to
from anabasis._kernel.free_space import sees
from anabasis.decompose.free_space import FreeSpace, free_space
from anabasis.graph import Graph
from anabasis.noun import freeze
from anabasis.world import World

__all__ = ["corner_arcs", "visibility"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


def visibility(world: World, *, tangent: bool = False, places: ArrayLike = ()) -> Graph:
    """Return the visibility graph of a world: a state at each corner of an obstacle, an arc both ways where two see
    each other, as long as their distance.

    Who touches a corner or runs along an edge sees on, and nobody sees through a point in which obstacles touch; a
    corner point at which free sectors meet is a state for each of them. The four corners of the bounds are no states
    unless an obstacle makes them one. tangent: keep only corners that a shortest way can bend around, and arcs that
    touch the obstacles at both ends without pointing into them; shortest ways between `places` stay the same. places:
    float64[k, 2], more states behind those of the corners (start and goal, say), joined to everything that they see;
    one inside an obstacle sees nothing.
    """
    free = free_space(world)
    extra = freeze(places, np.float64, (None, 2), "places")
    chosen, indptr, indices = corner_arcs(world, free, tangent=tangent, places=extra)
    points = np.concatenate((free.corners[chosen], extra))
    tails = np.repeat(np.arange(len(points)), np.diff(indptr))
    return Graph(indptr, indices, np.hypot(*(points[tails] - points[indices]).T), points)


def corner_arcs(
    world: World, free: FreeSpace, *, tangent: bool, places: Floats | None = None
) -> tuple[Ints, Ints, Ints]:
    """Return which corners of the free space are states of its visibility graph, and its arcs as indptr and indices.

    The heads of each state's arcs rise. Further `places` have the numbers behind those of the corners.
    """
    corners, before, after = free.corners, free.corners[free.before], free.corners[free.after]
    chosen = np.flatnonzero(free.turning if tangent else _of_obstacles(world, free))
    more = np.zeros((0, 2)) if places is None else places
    is_free = free.free(more) if len(more) else np.zeros(0, bool)
    here = np.concatenate((corners[chosen], more))
    # a place has no edges: both its neighbours are where it is itself
    ends = np.concatenate((before[chosen], more)), np.concatenate((after[chosen], more))
    part = np.concatenate((free.component[chosen], np.where(is_free, -1, -2)))
    pairs = _visible_pairs(free.arrays, here, *ends, part, tangent)
    return chosen, *_arcs(len(here), pairs)


def _of_obstacles(world: World, free: FreeSpace) -> NDArray[np.bool_]:
    """Whether each corner is one of an obstacle: not one of the four of the bounds with the bounds on both sides."""
    x0, y0, x1, y1 = world.bounds
    corners, before, after = free.corners, free.corners[free.before], free.corners[free.after]
    at_x, at_y = np.isin(corners[:, 0], (x0, x1)), np.isin(corners[:, 1], (y0, y1))
    along_x = (before[:, 1] == corners[:, 1]) | (after[:, 1] == corners[:, 1])
    along_y = (before[:, 0] == corners[:, 0]) | (after[:, 0] == corners[:, 0])
    return ~(at_x & at_y & along_x & along_y)


@kernel
def _visible_pairs(arrays: Any, here: Floats, before: Floats, after: Floats, part: Ints, tangent: bool) -> Ints:
    """Return the pairs of states that see each other, int64[k, 2], the smaller number first, in rising order.

    part: the connected part of each state, -1 unknown, -2 none.
    """
    pairs, count = np.empty((1024, 2), np.int64), 0
    for i in range(len(here)):
        for j in range(i + 1, len(here)):
            if part[i] == -2 or part[j] == -2 or (part[i] != part[j] and part[i] != -1 and part[j] != -1):
                continue
            if here[i, 0] == here[j, 0] and here[i, 1] == here[j, 1]:
                continue
            if not open_to(here, before, after, i, here[j, 0], here[j, 1], tangent):
                continue
            if not open_to(here, before, after, j, here[i, 0], here[i, 1], tangent):
                continue
            if not sees(arrays, here[i, 0], here[i, 1], here[j, 0], here[j, 1]):
                continue
            if count == len(pairs):
                pairs = np.concatenate((pairs, np.empty_like(pairs)))
            pairs[count, 0], pairs[count, 1] = i, j
            count += 1
    return pairs[:count].copy()


@kernel
def _arcs(size: int, pairs: Ints) -> tuple[Ints, Ints]:
    """Return indptr and indices of the arcs both ways between pairs that rise."""
    indptr = np.zeros(size + 1, np.int64)
    for k in range(len(pairs)):
        indptr[pairs[k, 0] + 1] += 1
        indptr[pairs[k, 1] + 1] += 1
    for v in range(size):
        indptr[v + 1] += indptr[v]
    place, indices = indptr.copy(), np.empty(2 * len(pairs), np.int64)
    for k in range(len(pairs)):
        i, j = pairs[k, 0], pairs[k, 1]
        indices[place[i]], indices[place[j]] = j, i
        place[i] += 1
        place[j] += 1
    return indptr, indices
