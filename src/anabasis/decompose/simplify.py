"""Simplify: outlines in pictures as polygons of few corners, within a tolerance and with the topology kept.

Of all polygons whose corners are certain places of the outline (its corners, and along pixels the middles and near-ends
of its sides) and whose edges stay within the tolerance of the stretch of outline that they replace, the one of least
cost is taken: an edge costs 1, and more the farther it is from the outline. Which edges fit is found by cones of
directions: H. Imai and M. Iri, "Computational-geometric methods for polygonal approximations of a curve", 1986; that
the best polygon of an outline of pixels is a shortest path, P. Selinger, "Potrace: a polygon-based tracing algorithm",
2003.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, cast

import numpy as np
import shapely
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.decompose.contour import straightened
from anabasis.decompose.fitting import fitted

__all__ = ["simplify_outline"]

_TRIES = 4  # how often the tolerance of an outline is halved before the outline stays as it is
# what an edge costs for its mean squared distance from the outline, by (half the tolerance, at least half a pixel)²
_ZIGZAG = 3.0  # along pixels: a zigzag of half a pixel costs as much as a corner
_ROUNDED = 0.75  # along a contour: one that comes from rounded corners costs less than a corner more
Rings = list[NDArray[np.float64]]


def simplify_outline(
    points: NDArray[np.float64], rings: NDArray[np.int64], width: int, height: int, tolerance: float, *, grey: bool
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the rings of `outline`, or for a grey picture of `contour`, with fewer corners, none removed.

    points: float64[n, 2]; rings: their starts. Every ring stays within `tolerance` of what it was, and it within that
    of the ring. Rings are simple as before, touch the same rings, lie inside the same rings, and run along the border
    of the picture as often. Corners where rings touch stay; so do those at the border, which in a grey picture may move
    along it.
    """
    old = [points[a:b] for a, b in pairwise(rings)]
    fixed = _fixed(points, width, height)
    stays = [fixed[a:b] for a, b in pairwise(rings)]
    exact = [straightened(ring) for ring in old] if grey else old
    if tolerance == 0:
        return _joined(exact)
    before = _Relations(old, width, height)

    def simpler(k: int, within: float) -> NDArray[np.float64]:
        if not grey:
            places, kind = _places(old[k], stays[k])
            places, cuts = _simplified(places, kind, within, _ZIGZAG)
            return places[cuts]
        places, cuts = _simplified(old[k], np.where(stays[k], 2, 1), within, _ROUNDED)
        return fitted(places, cuts, within, width, height)

    new = [simpler(k, tolerance) for k in range(len(old))]
    halvings = np.zeros(len(old), np.int64)
    while bad := _broken(new, before, width, height):
        for k in bad:
            halvings[k] += 1
            new[k] = simpler(k, tolerance / 2.0 ** halvings[k]) if halvings[k] <= _TRIES else exact[k]
    return _joined(new)


def _joined(rings: Rings) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return np.concatenate(rings), np.cumsum([0, *(len(ring) for ring in rings)])


def _fixed(points: NDArray[np.float64], width: int, height: int) -> NDArray[np.bool_]:
    """Return which corners lie on the border or in a corner of another ring (or of the same one)."""
    _, number, counts = np.unique(points @ np.array([1, 1j]), return_inverse=True, return_counts=True)
    border = ((points == 0) | (points == (width, height))).any(axis=1)
    return np.asarray((counts[number] > 1) | border)


class _Relations:
    """Which rings meet, and in how many points (-1: along a line), which polygon holds which, and edges at the border.

    bordering: how many edges of each ring lie in the border of the picture.
    """

    def __init__(self, rings: Rings, width: int, height: int) -> None:
        lines = _lines(rings)
        meet = np.array(sorted(_pairs(lines, "intersects")), np.int64).reshape(-1, 2)
        shared = shapely.intersection(lines[meet[:, 0]], lines[meet[:, 1]])
        points = np.where(shapely.get_dimensions(shared) == 0, shapely.get_num_geometries(shared), -1)
        self.meet = {(int(a), int(b), int(k)) for (a, b), k in zip(meet.tolist(), points, strict=True)}
        self.hold = _pairs(cast("NDArray[Any]", shapely.polygons(lines)), "covers")
        self.bordering = np.array([_bordering(ring, width, height) for ring in rings], np.int64)


def _bordering(ring: NDArray[np.float64], width: int, height: int) -> int:
    after = np.roll(ring, -1, axis=0)
    return int(np.count_nonzero((ring == after) & ((ring == 0) | (ring == (width, height)))))


def _lines(rings: Rings) -> NDArray[Any]:
    number = np.repeat(np.arange(len(rings)), [len(ring) for ring in rings])
    return cast("NDArray[Any]", shapely.linearrings(np.concatenate(rings), indices=number))


def _pairs(shapes: NDArray[Any], relation: str) -> set[tuple[int, int]]:
    first, second = shapely.STRtree(shapes).query(shapes, predicate=cast("Any", relation))
    apart = first != second
    return set(zip(first[apart].tolist(), second[apart].tolist(), strict=True))


def _broken(rings: Rings, before: _Relations, width: int, height: int) -> set[int]:
    """Return the rings that are no simple polygons, or whose relations are others than before."""
    thin = {k for k, ring in enumerate(rings) if len(ring) < 3}
    if thin:
        return thin
    wrong = set(np.flatnonzero(~shapely.is_valid(shapely.polygons(_lines(rings)))).tolist())
    if wrong:
        return wrong
    now = _Relations(rings, width, height)
    changed = {pair[:2] for pair in now.meet ^ before.meet} | (now.hold ^ before.hold)
    return {k for pair in changed for k in pair} | set(np.flatnonzero(now.bordering != before.bordering).tolist())


def _simplified(
    places: NDArray[np.float64], kind: NDArray[np.int64], tolerance: float, price: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the places, beginning at another one, and which of them are the corners of a polygon of few corners."""
    held = np.flatnonzero(kind == 2)
    start = int(held[0]) if len(held) else 0
    places, kind = np.roll(places, -start, axis=0), np.roll(kind, -start)
    chosen = _best(places, kind, tolerance, price)
    if not len(held):  # begin again at a corner that was found good, not at any
        start = int(chosen[len(chosen) // 2])
        places, kind = np.roll(places, -start, axis=0), np.roll(kind, -start)
        chosen = _best(places, kind, tolerance, price)
    return places, chosen


@kernel
def _places(ring: Any, stays: Any) -> Any:
    """Return the places where corners may be, in order, and their kinds: 0 on a side, 1 corner, 2 corner that stays."""
    n = len(ring)
    places, kind = np.empty((4 * n, 2)), np.zeros(4 * n, np.int64)
    count = 0
    for k in range(n):
        after = (k + 1) % n
        px, py, qx, qy = ring[k, 0], ring[k, 1], ring[after, 0], ring[after, 1]
        length = abs(qx - px) + abs(qy - py)
        for which in range(4 if length > 1 else 2):
            at = 0.0 if which == 0 else 0.5 if which == 1 else length / 2 if which == 2 else length - 0.5
            places[count, 0], places[count, 1] = px + (qx - px) * at / length, py + (qy - py) * at / length
            kind[count] = 0 if at > 0.0 else 2 if stays[k] else 1
            count += 1
    return places[:count].copy(), kind[:count].copy()


@kernel
def _best(places: Any, kind: Any, tolerance: float, price: float) -> Any:
    """Return which places, the first among them, are the corners of the closed polygon of least cost."""
    n = len(places)
    sums = _moments(places)
    weight = price / max(0.5, tolerance / 2.0) ** 2
    cost, back = np.full(n + 1, np.inf), np.zeros(n + 1, np.int64)
    cost[0] = 0.0
    for i in range(n):
        ix, iy = places[i, 0], places[i, 1]
        lx = ly = rx = ry = reach = 0.0  # the directions of edges that fit lie between r and l, once l is not zero
        for j in range(i + 1, n + 1):
            dx, dy = places[j % n, 0] - ix, places[j % n, 1] - iy
            far = dx * dx + dy * dy
            bounded = lx != 0.0 or ly != 0.0
            fits = not bounded or (rx * dy - ry * dx >= 0.0 and dx * ly - dy * lx >= 0.0)
            if fits and far >= reach and far > 0.0:
                total = cost[i] + 1.0 + weight * _spread(places, sums, i, j, dx, dy, far)
                if total < cost[j]:
                    cost[j], back[j] = total, i
            if kind[j % n] == 2:
                break
            reach = max(reach, far)
            if kind[j % n] == 0 or far <= tolerance * tolerance:
                continue
            sine = tolerance / np.sqrt(far)
            cosine = np.sqrt(1.0 - sine * sine)
            to_lx, to_ly = dx * cosine - dy * sine, dx * sine + dy * cosine
            to_rx, to_ry = dx * cosine + dy * sine, dy * cosine - dx * sine
            if not bounded:
                lx, ly, rx, ry = to_lx, to_ly, to_rx, to_ry
                continue
            if dx * (lx + rx) + dy * (ly + ry) <= 0.0:
                break
            if to_lx * ly - to_ly * lx > 0.0:
                lx, ly = to_lx, to_ly
            if rx * to_ry - ry * to_rx > 0.0:
                rx, ry = to_rx, to_ry
            if rx * ly - ry * lx < 0.0:
                break
    count, j = 0, n
    while j > 0:
        j = back[j]
        count += 1
    chosen = np.empty(count, np.int64)
    j = n
    for k in range(count - 1, -1, -1):
        j = back[j]
        chosen[k] = j
    return chosen


@kernel
def _moments(places: Any) -> Any:
    """Return the sums of 1, x, y, xx, xy, yy along the outline up to each place, from the first place."""
    n = len(places)
    sums = np.zeros((n + 1, 6))
    for k in range(n):
        after = (k + 1) % n
        px, py = places[k, 0] - places[0, 0], places[k, 1] - places[0, 1]
        qx, qy = places[after, 0] - places[0, 0], places[after, 1] - places[0, 1]
        length = np.sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py))
        sums[k + 1, 0] = sums[k, 0] + length
        sums[k + 1, 1] = sums[k, 1] + length * (px + qx) / 2.0
        sums[k + 1, 2] = sums[k, 2] + length * (py + qy) / 2.0
        sums[k + 1, 3] = sums[k, 3] + length * (px * px + px * qx + qx * qx) / 3.0
        sums[k + 1, 4] = sums[k, 4] + length * (2.0 * (px * py + qx * qy) + px * qy + qx * py) / 6.0
        sums[k + 1, 5] = sums[k, 5] + length * (py * py + py * qy + qy * qy) / 3.0
    return sums


@kernel
def _spread(places: Any, sums: Any, i: int, j: int, dx: float, dy: float, far: float) -> float:
    """Return the mean squared distance of the outline from place i to place j from the line through both."""
    px, py = places[i, 0] - places[0, 0], places[i, 1] - places[0, 1]
    length = sums[j, 0] - sums[i, 0]
    x, y = sums[j, 1] - sums[i, 1], sums[j, 2] - sums[i, 2]
    xx = sums[j, 3] - sums[i, 3] - 2.0 * px * x + px * px * length
    xy = sums[j, 4] - sums[i, 4] - px * y - py * x + px * py * length
    yy = sums[j, 5] - sums[i, 5] - 2.0 * py * y + py * py * length
    return max((dy * dy * xx - 2.0 * dx * dy * xy + dx * dx * yy) / (far * length), 0.0)
