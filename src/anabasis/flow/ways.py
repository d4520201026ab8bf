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
from anabasis.flow.network import Passages
from anabasis.flow.rooms import Room, Spread

__all__ = ["Ways", "by_centres", "corridor", "gathered", "regions_along", "spaced", "taut"]

Ways = tuple[NDArray[np.int64], NDArray[np.float64]]
"""indptr int64[k + 1] and points float64[·, 2]: the way of each of k units, empty where there is none."""

LANE = 1.2  # width of a lane in diameters
MOST_LANES = 6
SPACING = 1.0  # cells between the points of a path, as in a path from cell to cell


def regions_along(passages: Passages, start: int, gates: list[int]) -> list[int]:
    """Return the regions of a route from region `start` through its gates: one more than there are gates."""
    regions = [start]
    for gate in gates:
        a, b = passages.decomposition.sides[gate].tolist()
        regions.append(b if regions[-1] == a else a)
    return regions


def by_centres(passages: Passages, start: int, gates: list[int], cells: NDArray[np.int64], goal: int) -> Ways:
    """Return ways from the centres of `cells`, all in region `start`, through the centres of the gates to `goal`."""
    stops = [*passages.centre[gates].tolist(), goal]
    regions = regions_along(passages, start, gates)
    rest: list[NDArray[np.float64]] = []
    for region, a, b in zip(regions[1:], stops[:-1], stops[1:], strict=True):
        _, points = passages.rooms[region].spread(np.array([b])).ways(np.array([a]))
        rest.append(points[1:])
    heads = passages.rooms[start].spread(np.array(stops[:1])).ways(cells)
    tail = np.concatenate([np.zeros((0, 2)), *rest])
    return _joined(*heads, tail)


def taut(
    passages: Passages,
    start: int,
    gates: list[int],
    cells: NDArray[np.int64],
    goal: int,
    positions: NDArray[np.float64],
    diameter: float,
) -> Ways:
    """Return the shortest ways from `cells`, all in region `start`, to `goal` through the gates of a route, in lanes.

    Where several units fit through a gate side by side, its width is cut into lanes, and each unit takes that lane of
    every gate which lies on the side from where it comes, so that ways neither cross nor merge into one file.
    positions: float64[k, 2], of the units. diameter: of a unit. A cell on a gate that is closed to the route is left
    straight for the nearest cell of the corridor.
    """
    if not gates:
        return passages.rooms[start].spread(np.array([goal])).ways(cells)
    rows = _oriented(passages, start, gates)
    widest = max(float(passages.decomposition.width[gate]) for gate in gates)
    lanes = int(min(MOST_LANES, max(1, widest // (LANE * diameter)), max(1, len(cells) // 4)))
    order = _bearings(passages.grid.centres(rows[0]), positions)
    lane = np.empty(len(cells), np.int64)
    lane[np.argsort(order, kind="stable")] = np.arange(len(cells)) * lanes // len(cells)
    pieces: list[Ways] = []
    for number in range(lanes):
        spots = [row[_spot(row.size, (number + 0.5) / lanes, diameter)] for row in rows]
        spread = corridor(passages, start, gates, goal, np.array(spots))
        pieces.append(_entering(passages, spread, cells[lane == number], goal))
    return gathered(pieces, [np.flatnonzero(lane == number) for number in range(lanes)], len(cells))


def _spot(cells: int, share: float, diameter: float) -> int:
    """Return which of the cells of a gate lies at that share of its width, the discs of units kept off its ends."""
    margin = min((diameter - 1.0) / 2, (cells - 1) / 2)
    return round(min(max(share * cells - 0.5, margin), cells - 1 - margin))


def _oriented(passages: Passages, start: int, gates: list[int]) -> list[NDArray[np.int64]]:
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


def _entering(passages: Passages, spread: Spread, cells: NDArray[np.int64], goal: int) -> Ways:
    """Return the ways from cells; who stands outside the corridor goes straight to its nearest cell with a unit."""
    open_ = np.isfinite(spread.distance(cells))
    if open_.all():
        return spread.ways(cells)
    inside = cells[open_] if open_.any() else np.array([goal])
    here, there = passages.grid.centres(cells[~open_]), passages.grid.centres(inside)
    entry = cells.copy()
    entry[~open_] = inside[((here[:, None] - there[None]) ** 2).sum(axis=2).argmin(axis=1)]
    return spread.ways(entry)


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


def corridor(
    passages: Passages, start: int, gates: list[int], goal: int, spots: NDArray[np.int64] | None = None
) -> Spread:
    """Return the ways to `goal` inside the regions of a route, through its gates and no other.

    spots: int64[gates], the one cell in which to pass each gate; any by default.
    """
    d, grid = passages.decomposition, passages.grid
    mine = np.zeros(d.regions, bool)
    mine[regions_along(passages, start, gates)] = True
    inside = mine[d.region] & (d.region >= 0)
    shut = inside.ravel()
    for gate in np.flatnonzero(mine[d.sides].any(axis=1) & ~d.inner).tolist():
        shut[d.gate(gate)] = False
    shut[np.concatenate([d.gate(gate) for gate in gates]) if spots is None else spots] = True
    shut[goal] = True
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    room = Room(grid, inside[top:bottom, left:right], (int(left), int(top)))
    return room.spread(np.array([goal]))


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
