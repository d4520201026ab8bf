"""Convex parts: a mesh whose polygons are convex but for rounding, cut so that they are exactly convex.

Corners that rounding has bent inwards are cut off, one after the other, each by a line to a corner from which it is
convex on both sides: B. Chazelle and D. P. Dobkin, "Optimal convex decompositions", 1985.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.geometry import orient
from anabasis.errors import InputError
from anabasis.navmesh import NavMesh, twin_edges

__all__ = ["convex_parts"]

Ints = NDArray[np.int64]


def convex_parts(mesh: NavMesh) -> NavMesh:
    """Return a mesh of the same points and walls of exactly convex polygons; the mesh itself if it is one already.

    Raises InputError for a polygon that can't be cut so because it is as thin as rounding.
    """
    bent = np.zeros(mesh.size, np.bool_)
    _mark_bent(mesh.points, mesh.indptr, mesh.corners, bent)
    if not bent.any():
        return mesh
    rings: list[Ints] = []
    for p in range(mesh.size):
        ring = mesh.corners[mesh.indptr[p] : mesh.indptr[p + 1]]
        rings += _cut(mesh, p, ring.tolist()) if bent[p] else [ring]
    lengths = np.array([len(ring) for ring in rings])
    corners, indptr = np.concatenate(rings), np.append(0, np.cumsum(lengths))
    after = np.arange(1, corners.size + 1)
    after[indptr[1:] - 1] = indptr[:-1]
    n, ends = len(mesh.points), corners[after]
    twins = twin_edges(corners, ends, n)
    walls = mesh.neighbours < 0
    wall = np.isin(corners * n + ends, mesh.corners[walls] * n + mesh.ends[walls])
    owner = np.repeat(np.arange(len(rings)), lengths)
    return NavMesh(mesh.points, indptr, corners, np.where(wall | (twins < 0), -1, owner[twins]))


def _cut(mesh: NavMesh, p: int, ring: list[int]) -> list[Ints]:
    """Return a polygon as exactly convex ones."""
    parts, whole = [ring], []
    while parts:
        ring = parts.pop()
        n = len(ring)
        places = mesh.points[ring].tolist()
        k = next((k for k in range(n) if orient(*places[k - 1], *places[k], *places[(k + 1) % n]) < 0.0), -1)
        if k < 0:
            whole.append(np.array(ring, np.int64))
            continue
        places, ring = places[k:] + places[:k], ring[k:] + ring[:k]  # the corner that is bent inwards comes first
        room = [
            min(orient(*places[-1], *places[0], *places[m]), orient(*places[0], *places[1], *places[m]))
            for m in range(2, n - 1)
        ]
        if max(room, default=0.0) <= 0.0:
            raise InputError(
                f"polygon {p} of a mesh is as thin as rounding",
                found=f"{mesh.polygon(p).tolist()[:8]}",
                expected="convex polygons",
                hint="leave it out, or merge it with its neighbours",
            )
        m = room.index(max(room)) + 2
        parts += [ring[: m + 1], [*ring[m:], ring[0]]]
    return whole


@kernel
def _mark_bent(points: Any, indptr: Ints, corners: Ints, bent: NDArray[np.bool_]) -> None:
    """Mark the polygons that are bent inwards at a corner."""
    for p in range(len(bent)):
        a, b = corners[indptr[p + 1] - 2], corners[indptr[p + 1] - 1]
        for i in range(indptr[p], indptr[p + 1]):
            c = corners[i]
            if orient(points[a, 0], points[a, 1], points[b, 0], points[b, 1], points[c, 0], points[c, 1]) < 0.0:
                bent[p] = True
                break
            a, b = b, c
