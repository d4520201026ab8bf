"""Joining: the mesh of convex regions that were cut out one by one, with corners rounded each for itself.

Corners that are almost the same become one, and a corner that lies almost on another region's side becomes a corner of
that region too. Then all is made exact: no corner lies outside of free space, and a region that is bent inwards at a
corner by rounding is cut in two there (as every corner of that kind is, in B. Chazelle and D. P. Dobkin, "Optimal
convex decompositions", 1985). So what is exact in free space is exact in the mesh.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from anabasis._kernel import kernel
from anabasis._kernel.geometry import orient
from anabasis.decompose.free_space import FreeSpace
from anabasis.navmesh import NavMesh

__all__ = ["joined_regions"]


def joined_regions(regions: list[NDArray[np.float64]], space: FreeSpace, same: float) -> NavMesh:
    """Return the mesh of regions, float64[k, 2] each, that are convex and apart but for rounding.

    same: how far what is the same place may differ. Places that are corners of the free space become these exactly.
    Every region of the mesh is exactly convex and, along straight walls, exactly in free space.
    """
    if not regions:
        return NavMesh.of(np.zeros((0, 2)), [])
    rounded = np.concatenate(regions)
    aligned = [_aligned(rounded[:, k], space.corners[:, k], same / 1000) for k in (0, 1)]
    points, number = _merged(np.concatenate([space.corners, np.stack(aligned, axis=1)]), same)
    own = number[space.size :]  # the point of each corner of each region, one region after the other
    lengths = np.array([len(region) for region in regions])
    starts = np.cumsum(lengths) - lengths
    after = np.arange(1, len(own) + 1)
    after[starts + lengths - 1] = starts
    points = _pushed(points, space, same)
    edge, between = _between(points, own, own[after], same)
    rings: list[list[int]] = []
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        ring: list[int] = []
        for e in range(start, start + length):
            ring += [int(own[e]), *between[np.searchsorted(edge, e) : np.searchsorted(edge, e + 1)].tolist()]
        ring = [p for k, p in enumerate(ring) if p != ring[k - 1]]
        if len(set(ring)) >= 3:
            rings += _convex(points, ring)
    return NavMesh.of(points, [*rings])


def _aligned(values: NDArray[np.float64], known: NDArray[np.float64], same: float) -> NDArray[np.float64]:
    """Return coordinates of which those that are the same but for rounding are equal, to a known one if there is one.

    So the sides along the axes are straight, whatever corners lie on them.
    """
    both = np.concatenate([known, values])
    order = np.argsort(both, kind="stable")
    run = np.cumsum(np.diff(both[order], prepend=both[order[0]]) > same)
    first = np.full(run[-1] + 1, len(both))
    np.minimum.at(first, run, order)
    out = np.empty_like(both)
    out[order] = both[first[run]]
    return out[len(known) :]


def _merged(places: NDArray[np.float64], same: float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the places that differ, each the first of those that are the same, and which of them each place is."""
    pairs = KDTree(places).query_pairs(same, output_type="ndarray")
    links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(places), len(places)))
    _, label = connected_components(links, directed=False)
    _, first, number = np.unique(label, return_index=True, return_inverse=True)
    return places[first], number


def _pushed(points: NDArray[np.float64], space: FreeSpace, same: float) -> NDArray[np.float64]:
    """Return the points, those that lie beyond a wall by rounding moved inside by as little as possible."""
    walls = shapely.linestrings(np.stack([space.corners, space.corners[space.after]], axis=1))
    places = cast("NDArray[Any]", shapely.points(points))
    wall, point = shapely.STRtree(places).query(walls, predicate="dwithin", distance=same)
    inside = points.copy()
    _push(inside, space.corners, space.after, wall, point, float(np.spacing(np.abs(points).max())))
    return inside


@kernel
def _push(points: Any, corners: Any, after: Any, wall: Any, point: Any, least: float) -> None:
    for k in range(len(wall)):
        i, p = wall[k], point[k]
        ax, ay, bx, by = corners[i, 0], corners[i, 1], corners[after[i], 0], corners[after[i], 1]
        length = np.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
        x, y, step = points[p, 0], points[p, 1], least
        while orient(ax, ay, bx, by, points[p, 0], points[p, 1]) < 0.0:
            points[p, 0], points[p, 1] = x - (by - ay) / length * step, y + (bx - ax) / length * step
            step *= 2.0


def _between(
    points: NDArray[np.float64], tails: NDArray[np.int64], heads: NDArray[np.int64], same: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the points on the sides from tails to heads but for their ends: side and point, in order along it."""
    lines = shapely.linestrings(np.stack([points[tails], points[heads]], axis=1))
    used = np.unique(tails)  # a corner of an obstacle that no region has is no point of the mesh
    places = cast("NDArray[Any]", shapely.points(points[used]))
    side, found = shapely.STRtree(places).query(lines, predicate="dwithin", distance=same)
    point = used[found]
    along = ((points[point] - points[tails[side]]) * (points[heads] - points[tails])[side]).sum(axis=1)
    order = np.lexsort((along, side))
    side, point = side[order], point[order]
    inner = (point != tails[side]) & (point != heads[side])
    return side[inner], point[inner]


def _convex(points: NDArray[np.float64], ring: list[int]) -> list[list[int]]:
    """Return a region as exactly convex ones: itself, or parts of it cut at corners where it is bent inwards."""
    n = len(ring)
    for k in range(n):
        before, at, after = ring[k - 1], ring[k], ring[(k + 1) % n]
        if orient(*points[before], *points[at], *points[after]) >= 0:
            continue
        best, cut = 0.0, -1
        for m in range(k + 2, k + n - 1):
            other = ring[m % n]
            turn = min(
                orient(*points[before], *points[at], *points[other]),
                orient(*points[at], *points[after], *points[other]),
            )
            if turn > best:
                best, cut = turn, m
        if cut < 0:
            break  # a region as thin as rounding: the mesh will refuse it
        first = [ring[m % n] for m in range(k, cut + 1)]
        second = [ring[m % n] for m in range(cut, k + n + 1)]
        return _convex(points, first) + _convex(points, second)
    return [ring]
