"""Lanes: many units side by side along one way, instead of one behind the other.

Shortest ways of all units run through the same corners of walls, so that a crowd that follows them leaves a wide
passage in single file. Here a way gets lanes: at each corner the first lane passes close to the wall, the others beside
it, as far as there is room. A unit keeps its side, so lanes don't cross.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.sight import clear, shorten_path, visible
from anabasis.flow.network import Part, Passages
from anabasis.flow.rooms import Room, Spread
from anabasis.flow.ways import Ways, corridor, gathered, through

__all__ = ["LANE", "MOST_LANES", "in_lanes", "lane_points", "tightened"]

LANE = 1.4  # width of a lane in diameters
MOST_LANES = 16
NARROW = 4.5  # diameters; a gate up to that is passed in the middle

_ROUNDS = 12
_STRIDE = 3  # cells between the places where a way may be left


def in_lanes(
    passages: Passages,
    part: Part,
    gates: Sequence[int],
    cells: NDArray[np.int64],
    goal: int,
    positions: NDArray[np.float64],
    diameter: float,
) -> Ways:
    """Return taut ways from `cells`, where units of a part stand, through the gates of a route to `goal`, in lanes.

    The lanes follow the shortest way, from the middle of the part, inside the regions of the route and through its
    gates. positions: float64[k, 2], of the units. diameter: of a unit. From a cell that the route's closed gates cut
    off the way leads through the middle of each gate.
    """
    passage = corridor(passages, part.region, gates, goal, narrow=NARROW * diameter)
    within = np.isfinite(passage.distance(cells))
    if within.all():
        return _side_by_side(passages, passage, part.middle, gates, cells, positions, diameter)
    members = [np.flatnonzero(~within), np.flatnonzero(within)]
    pieces = [through(passages, part.region, gates, passages.centre[list(gates)], cells[~within], goal)]
    if members[1].size:
        inside, places = cells[within], positions[within]
        pieces.append(_side_by_side(passages, passage, part.middle, gates, inside, places, diameter))
    return gathered(pieces, members[: len(pieces)], len(cells))


def _side_by_side(
    passages: Passages,
    passage: Spread,
    middle: int,
    gates: Sequence[int],
    cells: NDArray[np.int64],
    positions: NDArray[np.float64],
    diameter: float,
) -> Ways:
    """Return ways in lanes from cells that have one in the passage; the lanes follow the one from the `middle`."""
    base = tightened(passage.room, passage.ways(np.array([middle]))[1])
    if len(base) < 3:  # nothing stands between the group and the target
        return passage.ways(cells)
    corners = base[1:-1]
    first = int(corners[0, 1]) * passages.grid.width + int(corners[0, 0])
    heads = passage.room.spread(np.array([first])).ways(cells)
    narrowest = min((float(passages.decomposition.width[gate]) for gate in gates), default=np.inf)
    lanes = int(min(MOST_LANES, max(1, narrowest // (LANE * diameter)), max(1, len(cells) // 4)))
    lane = _side(corners[0] - base[0], positions - corners[0]).argsort(kind="stable").argsort() * lanes // len(cells)
    pieces: list[Ways] = []
    members = [np.flatnonzero(lane == number) for number in range(lanes)]
    for number, units in enumerate(members):
        tail = lane_points(passages.grid.cost, base, number, lanes, LANE * diameter, diameter / 2)
        pieces.append(_headed(passages.grid.cost, _some(heads, units), tail, base[1:]))
    return gathered(pieces, members, len(cells))


def tightened(room: Room, way: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a way with hardly a corner in the open: straightened again and again from either end, float64[k, 2].

    A shortest path on the grid has bends that a straightened one may keep. The points are centres of the room's cells,
    each sees the next.
    """
    corner = np.array([room.left, room.top])
    turned, idle = False, 0  # rounds without gain; one from each end, and it is tight
    for _ in range(_ROUNDS):
        if len(way) < 3 or idle == 2:
            break
        back = way[::-1]
        shorter = _straightened(room.grid.cost, np.floor(back).astype(np.int64) - corner) + corner + 0.5
        gain = np.hypot(*np.diff(way, axis=0).T).sum() - np.hypot(*np.diff(shorter, axis=0).T).sum()
        way, idle = (shorter, 0) if gain > 1e-6 else (back, idle + 1)
        turned = not turned
    return np.ascontiguousarray(way[::-1] if turned else way)


def lane_points(
    cost: NDArray[np.float64], base: NDArray[np.float64], lane: int, lanes: int, width: float, radius: float
) -> NDArray[np.float64]:
    """Return float64[k, 2]: the points of a lane, of `lanes` from left to right, along a way from its first corner on.

    base: float64[m, 2], the points of the way, centres of cells that see each other in turn. width: of a lane, and
    radius of a unit, in cells. Who walks straight from point to point of a lane meets no wall, as on the way itself.
    """
    return _lane_points(cost, base, lane, lanes, width, radius)


def _side(ahead: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[k]: how far to the right of who comes from behind each place lies, as an angle."""
    return np.arctan2(ahead[0] * places[:, 1] - ahead[1] * places[:, 0], -(places @ ahead))


def _some(ways: Ways, which: NDArray[np.int64]) -> Ways:
    """Return some of the ways, in the order of `which`."""
    indptr, points = ways
    count = np.diff(indptr)[which]
    new = np.concatenate([[0], np.cumsum(count)])
    return new, points[np.repeat(indptr[which] - new[:-1], count) + np.arange(int(new[-1]))]


@kernel
def _straightened(cost: Any, cells: Any) -> Any:
    """Return the corners (x, y) that a way needs when it may leave its straight pieces anywhere, not at corners alone.

    Places on a piece count only if they see both its ends, so that each point of the result sees the next.
    """
    count = 0
    size = 1
    for c in range(1, len(cells)):
        size += max(abs(cells[c, 0] - cells[c - 1, 0]), abs(cells[c, 1] - cells[c - 1, 1])) // _STRIDE + 1
    xs, ys = np.empty(size, np.int64), np.empty(size, np.int64)
    for c in range(len(cells) - 1):
        x0, y0, x1, y1 = cells[c, 0], cells[c, 1], cells[c + 1, 0], cells[c + 1, 1]
        pieces = max(abs(x1 - x0), abs(y1 - y0)) // _STRIDE + 1
        xs[count], ys[count] = x0, y0
        count += 1
        for piece in range(1, pieces):
            x, y = (
                (2 * (x0 * (pieces - piece) + x1 * piece) + pieces) // (2 * pieces),
                (2 * (y0 * (pieces - piece) + y1 * piece) + pieces) // (2 * pieces),
            )
            last_x, last_y = xs[count - 1], ys[count - 1]
            if visible(cost, last_x, last_y, x, y, 0) and visible(cost, x, y, x1, y1, 0):
                xs[count], ys[count] = x, y
                count += 1
    xs[count], ys[count] = cells[-1, 0], cells[-1, 1]
    count += 1
    kept = np.empty(count, np.int64)
    kept = kept[: shorten_path(cost, xs[:count], ys[:count], 0, True, kept)]
    points = np.empty((len(kept), 2))
    for k in range(len(kept)):
        points[k, 0], points[k, 1] = xs[kept[k]], ys[kept[k]]
    return points


@kernel
def _lane_points(cost: Any, base: Any, lane: int, lanes: int, width: float, radius: float) -> Any:
    """Move each corner of the way outward, unless the next piece of the lane would then meet a wall."""
    points = np.empty((3 * len(base), 2))
    count = 0
    for c in range(1, len(base)):
        x, y = base[c, 0], base[c, 1]
        away_x, away_y, off = 0.0, 0.0, 0.0
        if c + 1 < len(base):
            in_x, in_y = x - base[c - 1, 0], y - base[c - 1, 1]
            out_x, out_y = base[c + 1, 0] - x, base[c + 1, 1] - y
            a, b = np.hypot(in_x, in_y), np.hypot(out_x, out_y)
            away_x, away_y = in_x / a - out_x / b, in_y / a - out_y / b
            size = np.hypot(away_x, away_y)
            right = in_x * out_y - in_y * out_x > 0  # the way turns to the right, around a corner on the right
            if size > 1e-9:
                away_x, away_y = away_x / size, away_y / size
                place = lanes - 1 - lane if right else lane
                off = place * min(width, max(_open(cost, x, y, away_x, away_y, width * lanes) - radius, 0.0) / lanes)
        px, py, placed = x, y, False
        for nearer in range(4 if count else 1):  # the place before is drawn in if the way on from it meets a wall
            fx, fy = x, y
            if count:
                bx, by = base[c - 1, 0], base[c - 1, 1]
                fx = bx + (points[count - 1, 0] - bx) * (4 - nearer) / 4
                fy = by + (points[count - 1, 1] - by) * (4 - nearer) / 4
                if nearer and count > 1 and not clear(cost, points[count - 2, 0], points[count - 2, 1], fx, fy):
                    continue
            for quarter in range(4, -1, -1):
                px, py = x + off * quarter / 4 * away_x, y + off * quarter / 4 * away_y
                seen = count == 0 or clear(cost, fx, fy, px, py)
                if seen and clear(cost, x, y, px, py):  # from the corner itself, too, as the next piece may need it
                    placed = True
                    break
                if off == 0.0:
                    break
            if placed:
                if nearer:
                    points[count - 1, 0], points[count - 1, 1] = fx, fy
                break
        if not placed:  # from the corner of the way everything is seen
            points[count, 0], points[count, 1] = base[c - 1, 0], base[c - 1, 1]
            count += 1
            px, py = x, y
        points[count, 0], points[count, 1] = px, py
        count += 1
    return points[:count].copy()


@kernel
def _open(cost: Any, x: float, y: float, away_x: float, away_y: float, most: float) -> float:
    """Return how far it is from a place in a direction to the next wall, in half cells, at most `most`."""
    height, width = cost.shape
    far = 0.0
    while far < most:
        cx, cy = int(np.floor(x + (far + 0.5) * away_x)), int(np.floor(y + (far + 0.5) * away_y))
        if not (0 <= cx < width and 0 <= cy < height) or cost[cy, cx] == np.inf:
            break
        far += 0.5
    return far


@kernel
def _headed(cost: Any, heads: Any, tail: Any, base: Any) -> tuple[Any, Any]:
    """Join ways to the first corner of the base and a lane; the corner is left out where the lane is seen without."""
    indptr, points = heads
    k = len(indptr) - 1
    joined_indptr = np.zeros(k + 1, np.int64)
    joined = np.empty((len(points) + k * (len(tail) + 1), 2))
    for i in range(k):
        at = joined_indptr[i]
        first, last = indptr[i], indptr[i + 1]
        for p in range(first, last):
            if p == last - 1 and p > first and clear(cost, points[p - 1, 0], points[p - 1, 1], tail[0, 0], tail[0, 1]):
                break
            joined[at, 0], joined[at, 1] = points[p, 0], points[p, 1]
            at += 1
        if last > first:
            skipped = 0  # who comes by the corner itself need not go out to the lane's place beside it
            if joined[at - 1, 0] == points[last - 1, 0] and joined[at - 1, 1] == points[last - 1, 1] and len(tail) > 1:
                skipped = 1 if clear(cost, joined[at - 1, 0], joined[at - 1, 1], tail[1, 0], tail[1, 1]) else 0
            for p in range(skipped, len(tail)):
                joined[at, 0], joined[at, 1] = tail[p, 0], tail[p, 1]
                at += 1
        joined_indptr[i + 1] = at
    return joined_indptr, joined[: joined_indptr[-1]].copy()
