"""Ways: from a route, which is a list of gates, to a path of points for each unit that takes it.

By the centres of the gates as in J. Pacovský, "Navigation of units in video games using flow networks", 2019, or taut:
the shortest way that passes the gates of the route in any of their cells, which the source could not do, since regions
are not convex. Either way the part up to the first gate is planned, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.flow.network import Part, Passages
from anabasis.flow.rooms import Room, Spread

__all__ = ["Ways", "corridor", "gathered", "in_lanes", "regions_along", "spaced", "through"]

Ways = tuple[NDArray[np.int64], NDArray[np.float64]]
"""indptr int64[k + 1] and points float64[·, 2]: the way of each of k units, empty where there is none."""

LANE = 1.2  # width of a lane in diameters
MOST_LANES = 6
SPACING = 1.0  # cells between the points of a path, as in a path from cell to cell


def regions_along(passages: Passages, start: int, gates: Sequence[int]) -> list[int]:
    """Return the regions of a route from region `start` through its gates: one more than there are gates."""
    regions = [start]
    for gate in gates:
        a, b = passages.decomposition.sides[gate].tolist()
        regions.append(b if regions[-1] == a else a)
    return regions


def through(
    passages: Passages,
    start: int,
    gates: Sequence[int],
    spots: NDArray[np.int64],
    cells: NDArray[np.int64],
    goal: int,
) -> Ways:
    """Return ways from the centres of `cells`, all in region `start`, through one cell of each gate to vertex `goal`.

    spots: int64[gates], vertices; the source takes the middle of each gate. Between two of them all go the same way.
    """
    stops = [*spots.tolist(), goal]
    regions = regions_along(passages, start, gates)
    rest = [passages.way(*leg)[1:] for leg in zip(regions[1:], stops[:-1], stops[1:], strict=True)]
    heads = passages.spread_to(start, stops[0]).ways(cells)
    return _joined(*heads, np.concatenate([np.zeros((0, 2)), *rest]))


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

    The lanes lie side by side around the shortest way inside the route's regions, as many as the narrowest gate has
    room for; each unit takes that lane which lies on the side from where it comes, so that ways neither cross nor merge
    into one file. positions: float64[k, 2], of the units. diameter: of a unit.
    """
    if not gates:
        return through(passages, part.region, gates, np.zeros(0, np.int64), cells, goal)
    rows = _oriented(passages, part.region, gates)
    crossing = _crossings(passages, part, gates, rows, goal)
    narrowest = min(float(passages.decomposition.width[gate]) for gate in gates)
    lanes = int(min(MOST_LANES, max(1, narrowest // (LANE * diameter)), max(1, len(cells) // 4)))
    lane = np.empty(len(cells), np.int64)
    order = _bearings(passages.grid.centres(rows[0]), positions)
    lane[np.argsort(order, kind="stable")] = np.arange(len(cells)) * lanes // len(cells)
    pieces: list[Ways] = []
    members = [np.flatnonzero(lane == number) for number in range(lanes)]
    for number, units in enumerate(members):
        off = (number - (lanes - 1) / 2) * LANE * diameter
        spots = [row[_spot(row.size, at, off, lanes, diameter)] for row, at in zip(rows, crossing, strict=True)]
        pieces.append(through(passages, part.region, gates, np.array(spots), cells[units], goal))
    return gathered(pieces, members, len(cells))


def _spot(cells: int, at: int, off: float, lanes: int, diameter: float) -> int:
    """Return which cell of a gate a lane passes that lies `off` cells to the right of the middle one.

    The middle one, at cell `at`, is moved so far from the ends that all lanes fit; too narrow a gate is shared evenly.
    """
    half = (lanes - 1) / 2 * LANE * diameter + (diameter - 1) / 2
    if half > (cells - 1) / 2:
        return round((cells - 1) / 2 * (1 + off / half)) if half else (cells - 1) // 2
    return round(min(max(at, half), cells - 1 - half) + off)


def _crossings(
    passages: Passages, part: Part, gates: Sequence[int], rows: Sequence[NDArray[np.int64]], goal: int
) -> list[int]:
    """Return in which of its cells the shortest way of a route, from the middle of a part on, passes each gate."""
    _, way = corridor(passages, part.region, gates, goal).ways(np.array([part.middle]))
    if not len(way):
        return [row.size // 2 for row in rows]
    _, fine = _spaced(np.array([0, len(way)]), way, way[:1], *way[-1].tolist(), 0.5)
    here = [passages.grid.centres(row) for row in rows]
    return [int(((row[:, None] - fine[None]) ** 2).sum(axis=2).min(axis=1).argmin()) for row in here]


def corridor(passages: Passages, start: int, gates: Sequence[int], goal: int) -> Spread:
    """Return the ways to `goal` inside the regions of a route, through its gates and no other between them."""
    d = passages.decomposition
    regions = sorted(set(regions_along(passages, start, gates)))
    rooms = [passages.rooms[r] for r in regions]
    left, top = min(r.left for r in rooms), min(r.top for r in rooms)
    right, bottom = max(r.left + r.width for r in rooms), max(r.top + r.height for r in rooms)
    inside = np.zeros((bottom - top, right - left), bool)
    for room in rooms:
        y, x = room.top - top, room.left - left
        inside[y : y + room.height, x : x + room.width] |= room.grid.free
    here = np.unique(np.concatenate([passages.gates_of[r] for r in regions]))
    for shut, which in ((True, here[~d.inner[here]]), (False, np.array(gates))):
        cells = np.concatenate([d.gate(gate) for gate in which.tolist()])
        inside[cells // passages.grid.width - top, cells % passages.grid.width - left] = not shut
    inside[goal // passages.grid.width - top, goal % passages.grid.width - left] = True
    return Room(passages.grid, inside, (left, top)).spread(np.array([goal]))


def _oriented(passages: Passages, start: int, gates: Sequence[int]) -> list[NDArray[np.int64]]:
    """Return the cells of each gate from the left to the right of who walks along the route."""
    d, grid = passages.decomposition, passages.grid
    rows: list[NDArray[np.int64]] = []
    for region, gate in zip(regions_along(passages, start, gates), gates, strict=False):
        row = d.gate(gate)
        x0, y0, x1, y1 = d.ends[gate].tolist()
        away = np.array([y0 - y1, x1 - x0], np.float64)  # to the right of who looks from the first end to the last
        away /= max(float(np.hypot(*away)), 1.0) if (x0, y0) != (x1, y1) else 1.0
        middle = grid.centres(passages.centre[gate : gate + 1])[0]
        behind = 0
        for reach in (1.0, 1.5, 2.0, 3.0):
            for side in (1, -1):
                x, y = np.floor(middle + side * reach * away).astype(int).tolist()
                inside = 0 <= x < grid.width and 0 <= y < grid.height
                behind += side if inside and d.region[y, x] == region else 0
        # who comes from the right of the line from the first end to the last has the first end to the right
        rows.append(row[::-1] if behind > 0 else row)
    return rows


def _bearings(row: NDArray[np.float64], positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[k]: under which angle the middle of a gate sees each position, from its left end on."""
    middle = row.mean(axis=0)
    left = row[0] - middle if len(row) > 1 else np.array([-1.0, 0.0])
    to = positions - middle
    return np.arctan2(-(left[0] * to[:, 1] - left[1] * to[:, 0]), to @ left)


def gathered(pieces: Sequence[Ways], members: Sequence[NDArray[np.int64]], size: int) -> Ways:
    """Return the ways of `size` units in their order; pieces[i] has those of the units members[i]."""
    count = np.zeros(size, np.int64)
    for (indptr, _), units in zip(pieces, members, strict=True):
        count[units] = np.diff(indptr)
    indptr = np.concatenate([[0], np.cumsum(count)])
    whole = np.empty((int(indptr[-1]), 2))
    for (own, points), units in zip(pieces, members, strict=True):
        whole[np.repeat(indptr[units] - own[:-1], count[units]) + np.arange(len(points))] = points
    return indptr, whole


def spaced(ways: Ways, starts: NDArray[np.float64], end: tuple[float, float]) -> Ways:
    """Return the ways from where units stand, float64[k, 2], to a place, with points at most SPACING cells apart."""
    return _spaced(*ways, starts, *end, SPACING)


@kernel
def _joined(indptr: Any, points: Any, tail: Any) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Append the same points to each way that is not empty."""
    k = indptr.size - 1
    longer = np.zeros(k + 1, np.int64)
    for i in range(k):
        count = indptr[i + 1] - indptr[i]
        longer[i + 1] = longer[i] + (count + len(tail) if count else 0)
    joined = np.empty((longer[-1], 2))
    for i in range(k):
        count = indptr[i + 1] - indptr[i]
        if count:
            joined[longer[i] : longer[i] + count] = points[indptr[i] : indptr[i + 1]]
            joined[longer[i] + count : longer[i + 1]] = tail
    return longer, joined


@kernel
def _spaced(
    indptr: Any, points: Any, starts: Any, end_x: float, end_y: float, spacing: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Replace the first point of each way by the start and the last by the end; put points into long pieces."""
    k = indptr.size - 1
    result_indptr = np.zeros(k + 1, np.int64)
    result = np.empty((16 + 4 * len(points), 2))
    for i in range(k):
        at = result_indptr[i]
        first, last = indptr[i], indptr[i + 1] - 1
        if last >= first:
            x, y = starts[i, 0], starts[i, 1]
            if at + 2 > len(result):
                result = np.concatenate((result, result))
            result[at, 0], result[at, 1] = x, y
            at += 1
            for p in range(first + 1, max(last, first + 1) + 1):
                to_x, to_y = (end_x, end_y) if p >= last else (points[p, 0], points[p, 1])
                pieces = max(1, int(np.ceil(np.hypot(to_x - x, to_y - y) / spacing)))
                while at + pieces > len(result):
                    result = np.concatenate((result, result))
                for piece in range(1, pieces + 1):
                    share = piece / pieces
                    result[at, 0], result[at, 1] = x + share * (to_x - x), y + share * (to_y - y)
                    at += 1
                x, y = to_x, to_y
        result_indptr[i + 1] = at
    return result_indptr, result[: result_indptr[-1]].copy()
