"""Gaps: straight lines between walls, and how many units can be so near to one that they cross it within a time.

Who crosses a line within a time in which nobody walks farther than y was, in the middle of that time, at most y/2 from
where he crosses. So no more cross than have room within y/2 of the line, which `packing` bounds. What is within y/2 is
looked at in three ways, of which the least counts. (Who arrives is taken away, so y/2 must not be longer than the way
from the line to the target, or he may be gone by then: see `before`.)

- the part of the map between two parallels of the line that hangs together with it, in its bounding rectangle;
- where walls go on behind both ends of the line as in a corridor: a strip as wide as the line, and beyond the two
  mouths of the corridor what is nearer to a mouth than the rest of y/2: a rectangle and two quarters of a disc;
- for a line without such walls: a rectangle and two halves of a disc.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis.bound.packing import in_convex, in_corner, near_chain

__all__ = ["SPANS", "Gap", "chain_gap", "line_gap", "most_crossing"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_DEEP = 24  # cells to either side of a line up to which is looked
SPANS = np.concatenate([np.arange(0, 4, 0.0625), np.arange(4, 16, 0.25), np.arange(16, 2 * _DEEP + 0.5)])
"""The walking distances y for which a gap says how many can cross."""


@dataclass(frozen=True, eq=False)
class Gap:
    """A part of a cut.

    - cells: int64[k, 2], the free cells x, y along it, for drawing. width: its length in cells.
    - room: float64[k ≤ SPANS], at most how many units cross while nobody walks farther than each of SPANS.
    - upright, at, low, high: a line at x = at (y = at if not upright) from y = low to high. None for a chain of cells,
      which is crossed by who enters one of them.
    """

    cells: Ints
    width: float
    room: Floats
    line: tuple[bool, int, int, int] | None

    def before(self, far: float) -> Gap:
        """Return the gap without the walking distances of which the half is longer than `far`."""
        return replace(self, room=self.room[: np.searchsorted(SPANS, 2.0 * far, side="right")])


def most_crossing(gap: Gap, slack: ArrayLike) -> Floats:
    """Return at most how many units cross while each could walk `slack` cells, for each of these; 0 below 0.

    The time is cut into windows of equal length and what is left over, for each of many lengths.
    """
    time = np.asarray(slack, np.float64)[..., None]
    spans = SPANS[1 : gap.room.size]
    if not spans.size:
        return np.where(time[..., 0] < 0.0, 0.0, np.inf)
    times = np.floor(np.maximum(time, 0.0) / spans)
    rest = np.clip(time - times * spans, 0.0, spans)
    most = (times * gap.room[1:] + gap.room[np.searchsorted(SPANS, rest)]).min(axis=-1)
    return np.where(time[..., 0] < 0.0, 0.0, most)


def line_gap(free: Bools, cell: tuple[int, int], upright: bool, after: bool, apart: float) -> Gap | None:
    """Return the gap on the straight line along the left or upper side of a cell (after: right or lower), or None.

    The line reaches as far as there are free cells on both sides of it.
    """
    field = free if upright else free.T
    x, y = cell if upright else cell[::-1]
    at = x + after
    if not (0 < at < field.shape[1] and 0 <= y < field.shape[0]):
        return None
    open_ = field[:, at - 1] & field[:, at]
    if not open_[y]:
        return None
    low = y + 1 - int(np.argmin(np.append(open_[: y + 1][::-1], False)))
    high = y + int(np.argmin(np.append(open_[y:], False)))
    lowest, highest = np.full((2, _DEEP + 1), -1, np.int64)
    width = high - low
    lowest[0], highest[0] = low, high
    _slabs(np.ascontiguousarray(np.pad(field, 1), np.uint8), at, low, high, 4 * width + 8, lowest, highest)
    room = _room(width, lowest, highest, _corridor(field, at, low, high), apart)
    rows = np.arange(low, high)
    cells = np.column_stack([np.full(rows.size, at), rows])
    return Gap(cells if upright else cells[:, ::-1], float(width), room, (upright, at, low, high))


def chain_gap(cells: Ints, apart: float) -> Gap:
    """Return the gap that is crossed by entering one of the cells, which hang together over sides and corners."""
    steps = np.abs(cells[:, None] - cells[None]).max(axis=2)
    joined, length = [0], 0.0
    left = set(range(1, len(cells)))
    while left:  # a spanning tree; steps over corners are the longer ones
        near = steps[np.ix_(joined, sorted(left))]
        far = np.abs(cells[joined][:, None] - cells[sorted(left)][None]).sum(axis=2)
        cost = np.where(near == 1, np.sqrt(far), np.inf)
        a, b = np.unravel_index(int(np.argmin(cost)), cost.shape)
        length += float(cost[a, b])
        other = sorted(left)[int(b)]
        joined.append(other)
        left.remove(other)
    room = near_chain(length, SPANS / 2.0 + np.sqrt(0.5), apart)
    return Gap(cells, float(len(cells)), room, None)


def _room(width: int, lowest: Ints, highest: Ints, corridor: tuple[Ints, Ints], apart: float) -> Floats:
    """Return float64[SPANS]: the least that the ways of counting say."""
    half = SPANS / 2.0
    deep = np.ceil(half).astype(np.int64)
    wide = np.where(lowest[deep] >= 0, highest[deep] - lowest[deep], np.inf)
    room = in_convex(wide * SPANS, 2.0 * (wide + SPANS), apart)
    walls, beside = corridor
    beyond = np.maximum(half[:, None] - walls, 0.0)
    strip = in_convex(width * SPANS, 2.0 * (width + SPANS), apart) + 2.0 * in_corner(beyond, apart).sum(axis=1)
    room = np.minimum(room, np.where((beyond <= beside).all(axis=1), strip, np.inf))
    ends = np.pi * half
    disc = in_convex(width * SPANS + ends * half, 2.0 * (width + ends), apart)
    return np.minimum(room, disc)


def _corridor(field: Bools, at: int, low: int, high: int) -> tuple[Ints, Ints]:
    """Return int64[2] for the two sides: columns in which both ends of the line have walls; walls beside the mouth."""
    height, width = field.shape
    upper = ~field[low - 1] if low > 0 else np.ones(width, bool)
    lower = ~field[high] if high < height else np.ones(width, bool)
    both = upper & lower
    walls = [int(np.argmin(np.append(part, False))) for part in (both[:at][::-1], both[at:])]
    beside: list[int] = []
    for side, count in ((-1, walls[0]), (1, walls[1])):
        column = at - count if side < 0 else at + count - 1
        if count == 0:  # the mouth is the line itself: the wall next to it stands on the other side
            column = at if side < 0 else at - 1
        up = np.append(~field[:low, column][::-1], False)
        down = np.append(~field[high:, column], False)
        up_free = low if up[:-1].all() else int(np.argmin(up))
        down_free = height - high if down[:-1].all() else int(np.argmin(down))
        # a wall up to the edge of the map has no end to walk around
        beside.append(
            min(up_free if up_free < low else 2 * _DEEP, down_free if down_free < height - high else 2 * _DEEP)
        )
    return np.array(walls), np.array(beside)


@kernel
def _slabs(field: NDArray[np.uint8], at: int, low: int, high: int, widest: int, lowest: Ints, highest: Ints) -> None:
    """Write for each depth up to `_DEEP` which rows are reached between the columns that lie so deep on both sides.

    The field has a border of walls. A part of more than `widest` rows is left at -1.
    """
    width = field.shape[1]
    top = max(low - widest, 0)
    seen = np.zeros((min(high + widest, field.shape[0] - 2) + 2 - top, 2 * lowest.size), np.uint8)
    stack = np.empty((seen.size, 2), np.int64)
    for deep in range(1, lowest.size):
        left, right = max(at - deep, 0), min(at + deep, width - 2)  # columns left + 1 … right of the field
        seen[:] = 0
        size = 0
        first, last = low, high
        for y in range(low, high):
            for x in range(at, at + 2):
                if seen[y + 1 - top, x - left] == 0:
                    seen[y + 1 - top, x - left] = 1
                    stack[size, 0], stack[size, 1] = y + 1, x
                    size += 1
        while size > 0 and last - first <= widest:
            size -= 1
            y, x = stack[size]
            first, last = min(first, y - 1), max(last, y)
            for side in range(4):
                to_x = x + (1 if side == 0 else -1 if side == 1 else 0)
                to_y = y + (1 if side == 2 else -1 if side == 3 else 0)
                if left < to_x <= right and field[to_y, to_x] != 0 and seen[to_y - top, to_x - left] == 0:
                    seen[to_y - top, to_x - left] = 1
                    stack[size, 0], stack[size, 1] = to_y, to_x
                    size += 1
        if last - first > widest:
            return
        lowest[deep], highest[deep] = first, last
