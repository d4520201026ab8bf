"""Visibility: the corners of obstacles, joined wherever one sees the other.

T. Lozano-Pérez and M. Wesley, "An Algorithm for Planning Collision-Free Paths among Polyhedral Obstacles", 1979. With
only those arcs that are tangent to the obstacles at both ends: Y.-H. Liu and S. Arimoto, "Path Planning Using a Tangent
Graph for Mobile Robots among Polygonal and Curved Obstacles", 1992; they are found by spreading sight through a
triangulation, see `_kernel.view`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.corner import open_to
from anabasis._kernel.free_space import sees
from anabasis._kernel.view import view_from_corner, view_from_place
from anabasis.decompose.free_space import FreeSpace, free_space
from anabasis.decompose.triangulation import triangulation
from anabasis.graph import Graph
from anabasis.navmesh import twin_edges
from anabasis.noun import freeze
from anabasis.world import World

__all__ = ["full_arcs", "sight_mesh", "states_of", "tangent_arcs", "visibility"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


def visibility(world: World, *, tangent: bool = False, places: ArrayLike = ()) -> Graph:
    """Return the visibility graph of a world: a state at each corner of an obstacle, an arc both ways where two see
    each other, as long as their distance.

    Who touches a corner or runs along an edge sees on, and nobody sees through a point in which obstacles touch; a
    corner point at which free sectors meet is a state for each of them. The four corners of the bounds are no states
    unless an obstacle makes them one. tangent: keep only corners that a shortest way can bend around, and arcs that
    touch the obstacles at both ends without pointing into them and pass over no other state; shortest ways between
    `places` stay the same. It takes time in proportion to what is seen, the whole graph to the square of the corners.
    places: float64[k, 2], more states behind those of the corners (start and goal, say), joined to what they see; one
    inside an obstacle sees nothing.
    """
    free, extra = free_space(world), freeze(places, np.float64, (None, 2), "places")
    corner = states_of(world, free, tangent=tangent)
    points = np.concatenate((free.corners[corner], extra))
    pairs = _tangent_pairs(world, free, corner, extra) if tangent else _pairs(free, corner, extra)
    indptr, indices = _both_ways(len(points), pairs)
    tails = np.repeat(np.arange(len(points)), np.diff(indptr))
    return Graph(indptr, indices, np.hypot(*(points[tails] - points[indices]).T), points)


def states_of(world: World, free: FreeSpace, *, tangent: bool) -> Ints:
    """Return the corners of the free space that are states of the visibility graph, or of the tangent graph."""
    if tangent:
        return np.flatnonzero(free.turning)
    x0, y0, x1, y1 = world.bounds
    corners, before, after = free.corners, free.corners[free.before], free.corners[free.after]
    at_x, at_y = np.isin(corners[:, 0], (x0, x1)), np.isin(corners[:, 1], (y0, y1))
    along_x = (before[:, 1] == corners[:, 1]) | (after[:, 1] == corners[:, 1])
    along_y = (before[:, 0] == corners[:, 0]) | (after[:, 0] == corners[:, 0])
    return np.flatnonzero(~(at_x & at_y & along_x & along_y))


def sight_mesh(world: World, free: FreeSpace) -> tuple[Any, ...]:
    """Return the triangulated free space as `_kernel.view` reads it."""
    starts = triangulation(world).corners
    ends = starts.reshape(-1, 3)[:, [1, 2, 0]].reshape(-1)
    twins = twin_edges(starts, ends, free.size)
    first = np.full(free.size, -1)
    first[starts[twins < 0]] = np.flatnonzero(twins < 0)
    ends_of = free.corners[free.before], free.corners[free.after]
    mesh = (free.corners, starts, twins, first, *ends_of, free.turning)
    for array in mesh:
        array.flags.writeable = False
    return mesh


def tangent_arcs(mesh: tuple[Any, ...], corner: Ints) -> tuple[Ints, Ints]:
    """Return the arcs of the tangent graph as indptr and indices; the heads of each state rise."""
    return _tangent_arcs(mesh, corner)


def full_arcs(free: FreeSpace, corner: Ints) -> tuple[Ints, Ints]:
    """Return the arcs of the whole visibility graph as indptr and indices; the heads of each state rise."""
    return _both_ways(len(corner), _pairs(free, corner, np.zeros((0, 2))))


def _tangent_pairs(world: World, free: FreeSpace, corner: Ints, extra: Floats) -> Ints:
    """Return the pairs of the tangent graph with further places, int64[k, 2], each pair once."""
    mesh = sight_mesh(world, free)
    indptr, indices = _tangent_arcs(mesh, corner)
    tails = np.repeat(np.arange(len(corner)), np.diff(indptr))
    pairs = np.stack((tails, indices), axis=1)[tails < indices]
    return np.concatenate((pairs, _pairs_of_places(mesh, free.arrays, corner, extra))) if len(extra) else pairs


def _pairs(free: FreeSpace, corner: Ints, extra: Floats) -> Ints:
    """Return the pairs of states and places that see each other, int64[k, 2], each pair once."""
    here = np.concatenate((free.corners[corner], extra))
    # a place has no edges: both its neighbours are where it is itself
    before = np.concatenate((free.corners[free.before[corner]], extra))
    after = np.concatenate((free.corners[free.after[corner]], extra))
    part = np.concatenate((free.component[corner], np.where(free.free(extra), -1, -2)))
    return _visible_pairs(free.arrays, here, before, after, part)


@kernel
def _tangent_arcs(mesh: Any, corner: Ints) -> tuple[Ints, Ints]:
    """See from every state; the arcs as indptr and indices."""
    n = len(mesh[0])
    number, mark, seen = np.full(n, -1, np.int64), np.full(n, -1, np.int64), np.empty(n, np.int64)
    for v in range(len(corner)):
        number[corner[v]] = v
    indptr, indices = np.zeros(len(corner) + 1, np.int64), np.empty(16 * len(corner) + 16, np.int64)
    for v in range(len(corner)):
        count, arcs = view_from_corner(mesh, corner[v], True, mark, v, seen, 0), indptr[v]
        while arcs + count > len(indices):
            indices = np.concatenate((indices, np.empty_like(indices)))
        for k in range(count):
            indices[arcs + k] = number[seen[k]]
        indices[arcs : arcs + count].sort()
        indptr[v + 1] = arcs + count
    return indptr, indices[: indptr[-1]].copy()


@kernel
def _pairs_of_places(mesh: Any, space: Any, corner: Ints, places: Floats) -> Ints:
    """Return the pairs of a state that a place sees, or an earlier place, and the place."""
    n, m = len(mesh[0]), len(corner)
    number, mark, seen = np.full(n, -1, np.int64), np.full(n, -1, np.int64), np.empty(n, np.int64)
    for v in range(m):
        number[corner[v]] = v
    pairs, size = np.empty((1024, 2), np.int64), 0
    for i in range(len(places)):
        x, y = places[i, 0], places[i, 1]
        count = view_from_place(mesh, space, x, y, mark, i, seen)
        while size + count + i + 1 > len(pairs):
            pairs = np.concatenate((pairs, np.empty_like(pairs)))
        for k in range(count):
            pairs[size, 0], pairs[size, 1] = number[seen[k]], m + i
            size += 1
        for j in range(i):
            if count >= 0 and sees(space, places[j, 0], places[j, 1], x, y):
                pairs[size, 0], pairs[size, 1] = m + j, m + i
                size += 1
    return pairs[:size].copy()


@kernel
def _visible_pairs(space: Any, here: Floats, before: Floats, after: Floats, part: Ints) -> Ints:
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
            if not open_to(here, before, after, i, here[j, 0], here[j, 1], False):
                continue
            if not open_to(here, before, after, j, here[i, 0], here[i, 1], False):
                continue
            if not sees(space, here[i, 0], here[i, 1], here[j, 0], here[j, 1]):
                continue
            if count == len(pairs):
                pairs = np.concatenate((pairs, np.empty_like(pairs)))
            pairs[count, 0], pairs[count, 1] = i, j
            count += 1
    return pairs[:count].copy()


@kernel
def _both_ways(size: int, pairs: Ints) -> tuple[Ints, Ints]:
    """Return indptr and indices of the arcs both ways between pairs; the heads of each state rise."""
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
    for v in range(size):
        indices[indptr[v] : indptr[v + 1]].sort()
    return indptr, indices
