"""Ways: from a route, which is a list of gates, to a path of points for each unit that takes it.

By the centres of the gates as in J. Pacovský, "Navigation of units in video games using flow networks", 2019, or taut:
the shortest way that passes the gates of the route in any of their cells, which the source could not do, since regions
are not convex. Either way the part up to the first gate is planned, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.sight import clear
from anabasis.flow.network import Passages
from anabasis.flow.rooms import Room, Spread

__all__ = ["Ways", "corridor", "gathered", "placed", "regions_along", "through"]

SPACING = 16.0  # cells; who is pushed out of sight of a far point needs one that is nearer

Ways = tuple[NDArray[np.int64], NDArray[np.float64]]
"""indptr int64[k + 1] and points float64[·, 2]: the way of each of k units, empty where there is none."""


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
    straight: bool = False,
) -> Ways:
    """Return ways from the centres of `cells`, all in region `start`, through one cell of each gate to vertex `goal`.

    spots: int64[gates], vertices; the source takes the middle of each gate. Between two of them all go the same way.
    straight: to the first of them, whether it is seen or not, as in the source if regions are taken to be convex.
    """
    stops = [*spots.tolist(), goal]
    regions = regions_along(passages, start, gates)
    rest = [passages.way(*leg)[1:] for leg in zip(regions[1:], stops[:-1], stops[1:], strict=True)]
    heads = passages.spread_to(start, stops[0]).ways(cells)
    if straight:
        lines = np.stack(
            [passages.grid.centres(cells), np.broadcast_to(passages.grid.centres(stops[0]), (len(cells), 2))]
        )
        heads = 2 * np.arange(len(cells) + 1), lines.transpose(1, 0, 2).reshape(-1, 2)
    return _joined(*heads, np.concatenate([np.zeros((0, 2)), *rest]))


def corridor(passages: Passages, start: int, gates: Sequence[int], goal: int, *, narrow: float = 0.0) -> Spread:
    """Return the ways to `goal` inside the regions of a route, through its gates and no other between them.

    A gate narrower than `narrow` cells is open in its middle cell alone, so that nobody squeezes past its ends.
    """
    d, width = passages.decomposition, passages.grid.width
    regions = sorted(set(regions_along(passages, start, gates)))
    rooms = [passages.rooms[r] for r in regions]
    left, top = min(r.left for r in rooms), min(r.top for r in rooms)
    right, bottom = max(r.left + r.width for r in rooms), max(r.top + r.height for r in rooms)
    inside = np.zeros((bottom - top, right - left), bool)
    for room in rooms:
        y, x = room.top - top, room.left - left
        inside[y : y + room.height, x : x + room.width] |= room.grid.free
    here = np.unique(np.concatenate([passages.gates_of[r] for r in regions]))
    shut = [d.gate(gate) for gate in here[~d.inner[here]].tolist()]
    open_ = [d.gate(gate) if d.width[gate] >= narrow else passages.centre[gate : gate + 1] for gate in gates]
    for cells, free in ((shut, False), ([*open_, np.array([goal])], True)):
        vertices = np.concatenate([np.zeros(0, np.int64), *cells])
        inside[vertices // width - top, vertices % width - left] = free
    return Room(passages.grid, inside, (left, top)).spread(np.array([goal]))


def gathered(pieces: Sequence[Ways], members: Sequence[NDArray[np.int64]], size: int) -> Ways:
    """Return the ways of `size` units in their order; pieces[i] has those of the units members[i]."""
    count = np.zeros(size, np.int64)
    for (indptr, _), units in zip(pieces, members, strict=True):
        count[units] = np.diff(indptr)
    indptr = np.concatenate([[0], np.cumsum(count)])
    whole = np.empty((int(indptr[-1]), 2))
    for (own, points), units in zip(pieces, members, strict=True):
        _copy(own, points, units, indptr, whole)
    return indptr, whole


def placed(
    cost: NDArray[np.float64],
    ways: Ways,
    starts: NDArray[np.float64],
    end: tuple[float, float],
    *,
    spacing: ArrayLike = SPACING,
) -> Ways:
    """Return the ways from the places of units, float64[k, 2], to a place, with points at most `spacing` apart.

    The ways lead from the centres of the cells of units to that of the place; these centres are left out wherever the
    way is clear without them. cost: of the map's cells. spacing: in cells, one number for all or float64[k].
    """
    return _placed(cost, *ways, starts, *end, np.broadcast_to(np.asarray(spacing, np.float64), len(starts)).copy())


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
def _copy(own: Any, points: Any, units: Any, indptr: Any, whole: Any) -> None:
    """Write the ways of some units to their places among those of all."""
    for i in range(units.size):
        to = indptr[units[i]]
        whole[to : to + own[i + 1] - own[i]] = points[own[i] : own[i + 1]]


@kernel
def _placed(
    cost: Any, indptr: Any, points: Any, starts: Any, end_x: float, end_y: float, spacing: Any
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Begin each way at the start and end it at the end, without a detour by the first and last points; put points
    into long pieces."""
    k = indptr.size - 1
    longer = np.zeros(k + 1, np.int64)
    pieces = np.zeros(len(points) + k, np.int64)  # into how many the way to each point is cut, 0 where it is left out
    for i in range(k):
        first, last = indptr[i], indptr[i + 1] - 1
        count = 1 if last >= first else 0
        x, y = starts[i, 0], starts[i, 1]
        for p in range(first, last + 2 if last >= first else first):
            to_x, to_y = (end_x, end_y) if p > last else (points[p, 0], points[p, 1])
            if p in (first, last):
                after_x, after_y = (end_x, end_y) if p == last else (points[p + 1, 0], points[p + 1, 1])
                if clear(cost, x, y, after_x, after_y):
                    continue
            dx, dy = to_x - x, to_y - y
            pieces[p + i] = max(1, int(np.ceil(np.sqrt(dx * dx + dy * dy) / spacing[i])))
            count += pieces[p + i]
            x, y = to_x, to_y
        longer[i + 1] = longer[i] + count
    result = np.empty((longer[-1], 2))
    for i in range(k):
        at, last = longer[i], indptr[i + 1] - 1
        if longer[i + 1] == at:
            continue
        x, y = starts[i, 0], starts[i, 1]
        result[at, 0], result[at, 1] = x, y
        for p in range(indptr[i], last + 2):
            to_x, to_y = (end_x, end_y) if p > last else (points[p, 0], points[p, 1])
            parts = pieces[p + i]
            if parts == 0:
                continue
            for part in range(1, parts):
                share = part / parts
                result[at + part, 0], result[at + part, 1] = x + share * (to_x - x), y + share * (to_y - y)
            at += parts
            result[at, 0], result[at, 1] = to_x, to_y
            x, y = to_x, to_y
    return longer, result
