"""Growing: navigation meshes of regions that grow from seeds until they meet obstacles or each other.

Every region begins as a point and grows to all four sides alike. Where a side meets a corner or a parallel edge, it
stops. Where a corner of the region meets an edge, SFV stops too (space-filling volumes: P. Tozour, "Search space
representations", 2003), DEACCON gives the region a side along that edge and goes on (D. H. Hale, G. M. Youngblood and
P. N. Dixit, "Automatically-generated convex region decomposition for real-time spatial agent navigation in virtual
worlds", 2008). What is left is seeded again. Growth is not by steps here: the next contact is calculated.
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.decompose.free_space import free_space
from anabasis.decompose.joining import joined_regions
from anabasis.decompose.merging import merging
from anabasis.decompose.polygons import free_shape
from anabasis.errors import InputError
from anabasis.navmesh import NavMesh
from anabasis.world import World

__all__ = ["coverage", "deaccon", "space_filling_volumes"]

_NEAR = 1e-10  # shares of the world's size: what touches,
_SAME = 1e-9  # and what is the same point


def space_filling_volumes(world: World, *, least: float = 1.0, limit: int = 100_000) -> NavMesh:
    """Return a mesh of axis-parallel rectangles that are grown in free space (SFV).

    least: the shortest side of a rectangle that is taken; what is too narrow for one stays uncovered, as along every
    slanted edge: see `coverage`. It covers all if obstacles are axis-parallel and nothing is narrower than `least`.
    limit: how many rectangles are grown at most.
    """
    return _grown(world, False, least, limit)


def deaccon(world: World, *, limit: int = 100_000) -> NavMesh:
    """Return a mesh of convex regions that are grown in free space until it is covered, and merged (DEACCON).

    It covers all but slivers of a billionth of the area: see `coverage`; less if `limit` of
    them do not suffice. Exact searches find shortest ways in it, but for rounding: no region reaches into an obstacle.
    """
    return merging(_grown(world, True, 0.0, limit))


def coverage(world: World, mesh: NavMesh) -> float:
    """Return the share of the free area that a mesh covers, 1 if there is none."""
    free = shapely.area(free_shape(world))
    return float(mesh.areas.sum() / free) if free > 0 else 1.0


def _grown(world: World, slanted: bool, least: float, limit: int) -> NavMesh:
    if limit < 1:
        raise InputError("limit of regions", found=f"{limit}", expected="at least 1")
    if not (np.isfinite(least) and least >= 0):
        raise InputError("shortest side of a rectangle", found=f"{least}", expected="a length of at least 0")
    shape = free_shape(world)
    x0, y0, x1, y1 = world.bounds
    size = max(x1 - x0, y1 - y0)
    grid = 2.0 ** (np.floor(np.log2(size)) - 50)  # a power of two, which whole numbers are multiples of
    regions: list[NDArray[np.float64]] = []
    heap: list[tuple[float, int, Any]] = []
    made = 0

    def keep(pieces: Any) -> None:
        nonlocal made
        for piece in shapely.get_parts(pieces):
            area = shapely.area(piece)
            if area > 1e-12 * size * size and area > _SAME * size * shapely.length(piece):
                made += 1
                heapq.heappush(heap, (-area, made, piece))  # the largest piece is seeded first

    keep(shape)
    while heap and len(regions) < limit:
        piece = heapq.heappop(heap)[2]
        region = _region(piece, size, slanted)
        if region is None or np.ptp(region, axis=0).min() < least - _NEAR * size:
            continue
        regions.append(region)
        keep(_without(piece, shapely.polygons(region), grid))
    return joined_regions(regions, free_space(world), _SAME * size)


def _without(piece: Any, region: Any, grid: float) -> Any:
    """Return a piece without a region, on a grid of places; on a coarser one, or none, where GEOS gets lost."""
    for size in (grid, 0.0, 16 * grid):
        try:
            return shapely.difference(piece, region, grid_size=size)
        except shapely.GEOSException:
            continue
    return shapely.difference(shapely.make_valid(piece), region.buffer(grid))


def _region(piece: Any, size: float, slanted: bool) -> NDArray[np.float64] | None:
    """Return the region that grows in a piece of free space from its most spacious place, None if none can."""
    near = _NEAR * size
    outline = shapely.simplify(piece, near)
    rings = [shapely.get_coordinates(ring) for ring in shapely.get_rings(outline)]
    edges = np.concatenate([np.concatenate([ring[:-1], ring[1:]], axis=1) for ring in rings])
    circle = shapely.maximum_inscribed_circle(outline, tolerance=shapely.area(outline) ** 0.5 / 50)
    x, y = shapely.get_coordinates(circle)[0]
    planes = _planes(edges, float(x), float(y), near, slanted)
    left, top, right, bottom = shapely.bounds(piece)
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    for nx, ny, most in planes.tolist():
        corners = _clipped(corners, nx, ny, most)
    ring = np.array(
        [p for k, p in enumerate(corners) if max(abs(p[0] - corners[k - 1][0]), abs(p[1] - corners[k - 1][1])) > near]
    )
    return ring if len(ring) >= 3 else None


def _clipped(corners: list[tuple[float, float]], nx: float, ny: float, most: float) -> list[tuple[float, float]]:
    """Return the part of a convex polygon where nx · x + ny · y is at most `most`."""
    out: list[tuple[float, float]] = []
    for k, (x, y) in enumerate(corners):
        px, py = corners[k - 1]
        here, before = nx * x + ny * y - most, nx * px + ny * py - most
        if (here > 0) != (before > 0):
            t = before / (before - here)
            # exact along an axis: neighbours must get the very same coordinate
            out.append((most * nx if ny == 0 else px + (x - px) * t, most * ny if nx == 0 else py + (y - py) * t))
        if here <= 0:
            out.append((x, y))
    return out


@kernel
def _planes(edges: NDArray[np.float64], x: float, y: float, near: float, slanted: bool) -> NDArray[np.float64]:
    """Return the half planes (nx, ny, most) that bound the region grown from a point, in the order of contacts.

    edges: float64[e, 4]. The parts of edges inside of all half planes so far are from[e] to to[e], shares of the edge.
    """
    count = len(edges)
    first, last = np.zeros(count), np.ones(count)
    grows = np.ones(4, np.bool_)  # to the right, left, down, up
    planes = np.empty((count + 4, 3))
    found = 0
    while grows.any() and found < len(planes):
        soonest, edge, share = np.inf, -1, 0.0
        for e in range(count):
            if first[e] < last[e]:
                time, at = _contact(edges, e, first[e], last[e], x, y, grows)
                if time < soonest:
                    soonest, edge, share = time, e, at
        if edge < 0:
            break
        ax, ay, bx, by = edges[edge, 0], edges[edge, 1], edges[edge, 2], edges[edge, 3]
        px, py = ax + (bx - ax) * share, ay + (by - ay) * share
        side, least = -1, np.inf
        for k in range(4):  # of the sides that touch, the one whose way along the edge is the least
            gap, slope = _gap(k, px - x, py - y), abs(_gap(k, bx - ax, by - ay))
            if grows[k] and gap >= soonest - near and slope < least:
                side, least = k, slope
        length = np.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
        at_end = min(share, 1.0 - share) * length <= near
        by_corner = not at_end  # whether a corner of the region touches it, and no corner of the edge a side
        for k in range(found):
            by_corner |= abs(planes[k, 0] * px + planes[k, 1] * py - planes[k, 2]) <= near
        along = slanted and by_corner and least > near
        if along:
            nx, ny = (by - ay) / length, (ax - bx) / length
            if nx * (x - ax) + ny * (y - ay) > 0.0:
                nx, ny = -nx, -ny
            planes[found, 0], planes[found, 1], planes[found, 2] = nx, ny, nx * ax + ny * ay
        else:
            grows[side] = False
            nx, ny = _gap(side, 1.0, 0.0), _gap(side, 0.0, 1.0)
            end_x, end_y = (ax, ay) if share < 0.5 else (bx, by)  # its own coordinate, not a rounded one
            stop_x, stop_y = (end_x, end_y) if at_end or least <= near else (px, py)
            planes[found, 0], planes[found, 1], planes[found, 2] = nx, ny, nx * stop_x + ny * stop_y
        for e in range(count):
            _cut(edges, e, planes[found, 0], planes[found, 1], planes[found, 2], near, first, last)
        first[edge] = last[edge] if along else first[edge]
        found += 1
    return planes[:found].copy()


@kernel
def _gap(side: int, dx: float, dy: float) -> float:
    """Return how far (dx, dy) is out to the right, left, down or up."""
    return dx if side == 0 else -dx if side == 1 else dy if side == 2 else -dy


@kernel
def _contact(edges: Any, e: int, first: float, last: float, x: float, y: float, grows: Any) -> tuple[float, float]:
    """Return when growing sides reach a part of an edge, and at which share of the edge.

    The time at which a place is reached is the greatest of its distances beyond the sides: convex along the edge, so
    the least is at an end of the part or where two distances are the same.
    """
    ax, ay = edges[e, 0] - x, edges[e, 1] - y
    dx, dy = edges[e, 2] - edges[e, 0], edges[e, 3] - edges[e, 1]
    soonest, share = np.inf, first
    for k in range(-1, 4):
        for m in range(k, 4):
            if k >= 0 and not (grows[k] and grows[m]):
                continue
            if m == -1:
                at = first
            elif k == m:
                at = last
            elif k == -1:
                slope = _gap(m, dx, dy)
                at = -_gap(m, ax, ay) / slope if slope != 0.0 else first
            else:
                slope = _gap(k, dx, dy) - _gap(m, dx, dy)
                at = (_gap(m, ax, ay) - _gap(k, ax, ay)) / slope if slope != 0.0 else first
            if not first <= at <= last:
                continue
            time = 0.0
            for side in range(4):
                if grows[side]:
                    time = max(time, _gap(side, ax + dx * at, ay + dy * at))
            if time < soonest:
                soonest, share = time, at
    return soonest, share


@kernel
def _cut(edges: Any, e: int, nx: float, ny: float, most: float, near: float, first: Any, last: Any) -> None:
    """Keep the part of an edge where nx · x + ny · y is at most `most`; none if it comes no deeper than `near`."""
    if first[e] >= last[e]:
        return
    start = nx * edges[e, 0] + ny * edges[e, 1] - most
    slope = nx * (edges[e, 2] - edges[e, 0]) + ny * (edges[e, 3] - edges[e, 1])
    at_first, at_last = start + slope * first[e], start + slope * last[e]
    if min(at_first, at_last) >= -near:
        last[e] = first[e]
    elif at_last > 0.0:
        last[e] = max(-start / slope, first[e])
    elif at_first > 0.0:
        first[e] = min(-start / slope, last[e])
