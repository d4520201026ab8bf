"""Lanes: many units side by side along one way, instead of one behind the other.

Shortest ways of all units run through the same corners of walls, so that a crowd that follows them leaves a wide
passage in single file. Here a way gets lanes: at each corner the first lane passes close to the wall, the others beside
it, as far as there is room; where it leads through the middle of a narrow place, they share the room on both sides.
A unit keeps its side, so lanes don't cross, and it may hardly cut its way short, so it stays in its lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.sight import clear, shorten_path, visible
from anabasis.flow.network import OPEN_WIDTH, Part, Passages
from anabasis.flow.rooms import Room, Spread, lengths_of
from anabasis.flow.ways import Ways, corridor, gathered, through
from anabasis.grid import Grid

__all__ = ["APART", "CUT", "LANE", "MOST_LANES", "NARROW", "in_lanes", "lane_points", "side_by_side", "tightened"]

LANE = 1.2  # width of a lane in diameters
MOST_LANES = 16
CUT = 0.1  # diameters by which a unit may cut short its lane
APART = 1.5  # diameters from point to point of a lane; a unit looks a few points ahead, so fewer would be too far apart
NARROW = 3.5  # diameters; a gate up to that is passed in the middle

_BUNDLES = 4  # of lanes; the units left then join the last one
_DETOUR = (2.0, 0.1)  # diameters, and share of the way to the first corner, that a unit goes farther by it
_BEND = 0.05  # how much longer than the straight line a way may be that needs no lanes
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
) -> tuple[Ways, NDArray[np.bool_]]:
    """Return taut ways from `cells`, where units of a part stand, through the gates of a route to `goal`, in lanes.

    And bool[k]: which units are in a lane, which they have to keep, see CUT. The lanes follow shortest ways inside the
    regions of the route and through its gates. positions: float64[k, 2], of the units. diameter: of a unit. From a cell
    that the route's closed gates cut off the way leads through the middle of each gate.
    """
    passage = corridor(passages, part.region, gates, goal, narrow=NARROW * diameter)
    width = float(passages.decomposition.width[list(gates)].min(initial=OPEN_WIDTH))
    kept = np.isfinite(passage.distance(cells))
    members = [np.flatnonzero(~kept), np.flatnonzero(kept)]
    pieces: list[Ways] = []
    if members[0].size:
        spots = passages.centre[list(gates)]
        pieces.append(through(passages, part.region, gates, spots, cells[members[0]], goal))
    if members[1].size:
        ways, kept[members[1]] = side_by_side(
            passages.grid, passage, width, cells[members[1]], positions[members[1]], diameter
        )
        pieces.append(ways)
    return gathered(pieces, [units for units in members if units.size], len(cells)), kept


def side_by_side(
    grid: Grid,
    passage: Spread,
    width: float,
    cells: NDArray[np.int64],
    positions: NDArray[np.float64],
    diameter: float,
) -> tuple[Ways, NDArray[np.bool_]]:
    """Return ways in lanes from cells that have one in the passage, and bool[k], which units have to keep to them.

    The lanes follow the way of the middle unit; whoever would make a detour by its first corner is left out, and those
    get lanes of their own in the same way. Who has no corner on the way walks straight on; on a map with prices all go
    their own shortest ways. width: of the narrowest
    place of the passage.
    """
    kept = np.zeros(len(cells), bool)
    if not passage.room.space.unit_cost:  # beside a way around dear ground a lane would lead over it
        return passage.ways(cells), kept
    pieces: list[Ways] = []
    members: list[NDArray[np.int64]] = []
    left = np.lexsort(positions.T)  # by place, so that the numbers of units don't matter
    while left.size:
        middle = left[np.argmin(((positions[left] - positions[left].mean(axis=0)) ** 2).sum(axis=1))]
        base = tightened(passage.room, passage.ways(cells[middle : middle + 1])[1])
        if len(base) < 3:  # nothing stands between it and the target
            ways = passage.ways(cells[left])
            straight = np.hypot(*(positions[left] - base[-1]).T)
            hardly_bent = lengths_of(*ways) <= (1 + _BEND) * straight + diameter
            with_it = np.flatnonzero(hardly_bent | (left == middle) | (len(pieces) >= _BUNDLES))
            pieces.append(_some(ways, with_it))
        else:
            first = np.floor(base[1]).astype(np.int64) @ (1, grid.width)
            heads = passage.room.spread(np.array([first]))
            ahead = heads.distance(cells[left])
            detour = ahead + passage.distance(np.array([first])) - passage.distance(cells[left])
            by_it = (detour <= _DETOUR[0] * diameter + _DETOUR[1] * ahead) | (left == middle)
            with_it = np.flatnonzero(by_it | (len(pieces) >= _BUNDLES))
            units = left[with_it]
            pieces.append(_bundle(grid, base, heads.ways(cells[units]), positions[units], width, diameter))
            kept[units] = True
        members.append(left[with_it])
        left = np.delete(left, with_it)
    return gathered(pieces, members, len(cells)), kept


def _bundle(
    grid: Grid, base: NDArray[np.float64], heads: Ways, positions: NDArray[np.float64], width: float, diameter: float
) -> Ways:
    """Return ways in lanes beside the way `base`: `heads` to its first corner, and on. positions: of the units."""
    k = len(positions)
    lanes = int(min(MOST_LANES, max(1, width // (LANE * diameter)), max(1, k // 4)))
    lane = _side(base[1] - base[0], positions - base[1]).argsort(kind="stable").argsort() * lanes // k
    pieces: list[Ways] = []
    members = [np.flatnonzero(lane == number) for number in range(lanes)]
    for number, units in enumerate(members):
        tail = lane_points(grid.cost, base, number, lanes, LANE * diameter, diameter / 2)
        pieces.append(_headed(grid.cost, _some(heads, units), tail))
    return gathered(pieces, members, k)


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
    """Move each corner of the way outward, or inward where there is more room, as far as no piece then meets a wall."""
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
                all_, gap = width * (lanes - 1), 1.5 * radius  # aslant, a wall is nearer than it is ahead
                outer = max(_open(cost, x, y, away_x, away_y, all_ + gap) - gap, 0.0)
                inner = max(_open(cost, x, y, -away_x, -away_y, all_ + gap) - gap, 0.0)
                span = min(all_, outer + inner)  # the room inside the corner is used if that outside is too little
                off = (place * span / (lanes - 1) if lanes > 1 else 0.0) - min(inner, max(span - outer, 0.0))
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
def _headed(cost: Any, heads: Any, tail: Any) -> tuple[Any, Any]:
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
