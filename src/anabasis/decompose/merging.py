"""Merging: convex polygons made of the triangles of a mesh, by taking out the sides that none of their corners needs.

A side may go if both its ends keep at most 180° in the merged polygon. Whatever the order, at most four times the
least possible number of polygons is left: S. Hertel and K. Mehlhorn, "Fast Triangulation of Simple Polygons", 1983.
Making the largest polygons first, for quick searches, is from M. Cui, D. Harabor and A. Grastien, "Compromise-free
Pathfinding on a Navigation Mesh", 2017; taking the longest side first was found to be as good or better here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.geometry import orient
from anabasis._kernel.heap import heap_grown, heap_pop, heap_push
from anabasis.decompose.triangulation import triangulation
from anabasis.errors import InputError
from anabasis.navmesh import NavMesh
from anabasis.world import World

__all__ = ["ORDERS", "merging"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

ORDERS = ("length", "area", "number")


def merging(space: World | NavMesh, *, order: str = "length") -> NavMesh:
    """Return a mesh of convex polygons: the triangulation of a world, or a mesh, with sides taken out.

    No side of the result can be taken out any more. order: which sides go first: "length", the longest; "area", those
    whose two polygons have the largest area together; "number", in the order of the mesh.

    Raises InputError for an unknown order, and what `triangulation` raises.
    """
    if order not in ORDERS:
        raise InputError("unknown order of merging", found=repr(order), expected=" or ".join(ORDERS))
    mesh = space if isinstance(space, NavMesh) else triangulation(space)
    edges = mesh.corners.size
    after, before, gone = mesh.after.copy(), mesh.before.copy(), np.zeros(edges, bool)
    areas = mesh.areas.copy()
    _merge(mesh.points, mesh.corners, mesh.twins, mesh.owner, after, before, areas, ORDERS.index(order), gone)
    ring, indptr = np.empty(edges - np.count_nonzero(gone), np.int64), np.empty(mesh.size + 1, np.int64)
    size = _collect(after, gone, ring, indptr)
    number = np.empty(edges, np.int64)
    number[ring] = np.repeat(np.arange(size), np.diff(indptr[: size + 1]))
    twins = mesh.twins[ring]
    neighbours = np.where(twins >= 0, number[twins], -1)
    merged = NavMesh(mesh.points, indptr[: size + 1], mesh.corners[ring], neighbours)
    # what has points inside may have become fit for more, by polygons that now share several sides in a row
    return merged if space is not mesh or size == mesh.size else merging(merged, order=order)


@kernel
def _merge(
    points: Floats,
    corners: Ints,
    twins: Ints,
    owner: Ints,
    after: Ints,
    before: Ints,
    areas: Floats,
    order: int,
    gone: NDArray[np.bool_],
) -> None:
    """Take sides out of the linked edges of a mesh, and mark them as gone; areas become those of the polygons left."""
    root = np.arange(len(areas))  # the polygon into which each was merged
    heap = np.empty((len(corners) + 16, 3), np.float64)
    size = 0
    for e in range(len(corners)):
        if twins[e] > e:
            heap_push(heap, size, _key(points, corners, twins, owner, after, areas, root, order, e), float(e), e)
            size += 1
    while size:
        key = heap[0, 0]
        e = heap_pop(heap, size)
        size -= 1
        if gone[e]:
            continue
        first, last = e, e  # the two polygons may share several sides in a row
        while twins[before[first]] >= 0 and twins[before[first]] == after[twins[first]]:
            first = int(before[first])
        while twins[after[last]] >= 0 and twins[after[last]] == before[twins[last]]:
            last = int(after[last])
        # the edges that follow each other then, at both ends
        one, two, three, four = before[first], after[twins[first]], before[twins[last]], after[last]
        fits = _convex(points, corners, after, int(one), int(two))
        if not (fits and _convex(points, corners, after, int(three), int(four))):
            continue  # and never will: angles only grow
        now = _key(points, corners, twins, owner, after, areas, root, order, e)
        if now < key:  # the polygons have grown since
            heap_push(heap, size, now, float(e), e)
            size += 1
            continue
        p, q = _root(root, int(owner[e])), _root(root, int(owner[twins[e]]))
        f = first
        while True:
            gone[f] = gone[twins[f]] = True
            if f == last:
                break
            f = int(after[f])
        after[one], before[two], after[three], before[four] = two, one, four, three
        root[q] = p
        areas[p] += areas[q]
        if order == 1:
            f = int(two)
            while True:
                if twins[f] >= 0:
                    if size + 1 > len(heap):
                        heap = heap_grown(heap, size, 1)
                    heap_push(
                        heap,
                        size,
                        _key(points, corners, twins, owner, after, areas, root, order, int(f)),
                        float(f),
                        int(f),
                    )
                    size += 1
                f = int(after[f])
                if f == two:
                    break


@kernel
def _convex(points: Any, corners: Ints, after: Ints, e: int, f: int) -> bool:
    """Whether edge f may follow edge e, at whose end it starts, in a convex polygon."""
    a, b, c = corners[e], corners[f], corners[after[f]]
    return orient(points[a, 0], points[a, 1], points[b, 0], points[b, 1], points[c, 0], points[c, 1]) >= 0.0


@kernel
def _key(
    points: Floats,
    corners: Ints,
    twins: Ints,
    owner: Ints,
    after: Ints,
    areas: Floats,
    root: Ints,
    order: int,
    e: int,
) -> float:
    """Return what sides are sorted by: the least goes first."""
    if order == 1:
        return -(areas[_root(root, int(owner[e]))] + areas[_root(root, int(owner[twins[e]]))])
    if order == 0:
        a, b = corners[e], corners[twins[e]]
        dx, dy = points[a, 0] - points[b, 0], points[a, 1] - points[b, 1]
        return -(dx * dx + dy * dy)
    return 0.0


@kernel
def _root(root: Ints, p: int) -> int:
    """Return the polygon into which polygon p was merged."""
    while root[p] != p:
        root[p] = root[root[p]]
        p = root[p]
    return p


@kernel
def _collect(after: Ints, gone: NDArray[np.bool_], ring: Ints, indptr: Ints) -> int:
    """Write the edges that are left polygon by polygon; return the number of polygons."""
    done = gone.copy()
    count, size = 0, 0
    indptr[0] = 0
    for first in range(len(after)):
        if done[first]:
            continue
        e = first
        while not done[e]:
            done[e] = True
            ring[count] = e
            count += 1
            e = after[e]
        size += 1
        indptr[size] = count
    return size
