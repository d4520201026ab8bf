"""Sight and place in the closed free space of a polygonal world, exactly.

The boundary is kept as corners, each one free sector of a boundary point; edge k runs from corner k to corner after[k]
with the free side where `orient` is positive. Edges are found through square buckets: every bucket lists the edges that
pass through it or come very near to it, row by row (the uniform grid of W. R. Franklin, N. Chandrasekhar,
M. Kankanhalli, M. Seshan and V. Akman, "Efficiency of uniform grids for intersection detection on serial and parallel
machines", 1988). All decisions are signs of `orient`; floating point only chooses which buckets are looked at.

`space` is the tuple (corners, after, before, twin, starts, items, frame, shape): corners float64[n, 2]; after, before,
twin int64[n], twin the next corner at the same point (itself if it is the only one); the edges of bucket b are
items[starts[b]:starts[b + 1]]; frame float64[6] = x_min, y_min, x_max, y_max, side of a bucket, margin; shape int64[2]
= columns, rows of buckets.
"""

from __future__ import annotations

import math
from typing import Any

from anabasis._kernel import kernel, leaf
from anabasis._kernel.geometry import orient

__all__ = ["fill_buckets", "in_sector", "locate", "sees"]


@kernel
def sees(space: Any, ax: float, ay: float, bx: float, by: float) -> bool:
    """Whether the whole segment a, b lies in the closed free space and passes nowhere where there is no width.

    It may touch corners and run along edges; it may not pass between two obstacles that touch.
    """
    frame, shape = space[6], space[7]
    if not (_in_frame(frame, ax, ay) and _in_frame(frame, bx, by)):
        return False
    if ax == bx and ay == by:
        return locate(space, ax, ay) >= 0
    starts, items = space[4], space[5]
    touched = False
    first, last = _row(frame, shape, ay), _row(frame, shape, by)
    down = 1 if last >= first else -1
    near, far = _rows(frame, shape, ay, by)
    if down < 0:
        near, far = far, near
    for row in range(near, far + down, down):
        left, right = _columns(frame, shape, ax, ay, bx, by, row)
        for step in range(right - left + 1):
            bucket = row * shape[0] + (left + step if bx >= ax else right - step)
            for k in range(starts[bucket], starts[bucket + 1]):
                met = _meets(space, items[k], ax, ay, bx, by)
                if met == 2:
                    return False
                if met == 1:
                    touched = True
    return touched or locate(space, ax, ay) >= 0


@kernel
def locate(space: Any, x: float, y: float) -> int:
    """Return an edge of the free part in which a point lies (the edge next to it on the left), -1 if it is blocked."""
    corners, after, starts, items, frame, shape = space[0], space[1], space[4], space[5], space[6], space[7]
    if not _in_frame(frame, x, y):
        return -1
    row, column = _row(frame, shape, y), _column(frame, shape, x)
    bucket = row * shape[0] + column
    for k in range(starts[bucket], starts[bucket + 1]):
        i = items[k]
        j = after[i]
        ax, ay, bx, by = corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1]
        if min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by) and orient(ax, ay, bx, by, x, y) == 0.0:
            return i
    best, best_column = -1, -1
    while column >= 0 and column >= best_column:
        bucket = row * shape[0] + column
        for k in range(starts[bucket], starts[bucket + 1]):
            i = items[k]
            j = after[i]
            ax, ay, bx, by = corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1]
            if (ay <= y) == (by <= y):  # the ray runs a hair below y, so it passes no corner
                continue
            side = orient(ax, ay, bx, by, x, y)
            if (by > ay) == (side > 0.0):
                continue  # on the right of the point
            if i != best and (best < 0 or _right_of(corners, i, j, best, after[best])):
                best = i
                reached = min(max(ax + (bx - ax) * ((y - ay) / (by - ay)), min(ax, bx)), max(ax, bx))
                best_column = _column(frame, shape, reached - frame[5])
        column -= 1
    if best < 0:
        return -1
    j = after[best]
    side = orient(corners[best, 0], corners[best, 1], corners[j, 0], corners[j, 1], x, y)
    return best if side > 0.0 else -1


@kernel
def in_sector(space: Any, i: int, x: float, y: float) -> bool:
    """Whether the direction from corner i to a point lies in the corner's closed free sector."""
    corners = space[0]
    before, after = space[2][i], space[1][i]
    px, py, vx, vy = corners[before, 0], corners[before, 1], corners[i, 0], corners[i, 1]
    nx, ny = corners[after, 0], corners[after, 1]
    out, back = orient(vx, vy, nx, ny, x, y), orient(px, py, vx, vy, x, y)
    if orient(px, py, vx, vy, nx, ny) >= 0.0:
        return out >= 0.0 and back >= 0.0
    return out >= 0.0 or back >= 0.0


@kernel
def _meets(space: Any, i: int, ax: float, ay: float, bx: float, by: float) -> int:
    """Return 0 if the segment a, b does not meet edge i, 1 if it only touches it, 2 if it leaves free space."""
    corners, twin = space[0], space[3]
    j = space[1][i]
    px, py, qx, qy = corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1]
    if max(px, qx) < min(ax, bx) or min(px, qx) > max(ax, bx) or max(py, qy) < min(ay, by) or min(py, qy) > max(ay, by):
        return 0
    from_a, from_b = orient(px, py, qx, qy, ax, ay), orient(px, py, qx, qy, bx, by)
    if (from_a > 0.0 and from_b > 0.0) or (from_a < 0.0 and from_b < 0.0):
        return 0
    of_p, of_q = orient(ax, ay, bx, by, px, py), orient(ax, ay, bx, by, qx, qy)
    if (of_p > 0.0 and of_q > 0.0) or (of_p < 0.0 and of_q < 0.0):
        return 0
    if from_a != 0.0 and from_b != 0.0 and of_p != 0.0 and of_q != 0.0:
        return 2
    met = 0
    if of_p == 0.0 and min(ax, bx) <= px <= max(ax, bx) and min(ay, by) <= py <= max(ay, by):
        at_a, at_b = px == ax and py == ay, px == bx and py == by
        k = i
        while True:  # one of the sectors at this point must hold the segment on both sides of it
            if (at_a or in_sector(space, k, ax, ay)) and (at_b or in_sector(space, k, bx, by)):
                break
            k = twin[k]
            if k == i:
                return 2
        met = 1
    if from_a == 0.0 and _inside(px, py, qx, qy, ax, ay):
        if from_b < 0.0:
            return 2
        met = 1
    if from_b == 0.0 and _inside(px, py, qx, qy, bx, by):
        if from_a < 0.0:
            return 2
        met = 1
    return met


@leaf
def _inside(px: float, py: float, qx: float, qy: float, x: float, y: float) -> bool:
    """Whether a point of the line p, q lies strictly between the two."""
    if px != qx:
        return min(px, qx) < x < max(px, qx)
    return min(py, qy) < y < max(py, qy)


@kernel
def _right_of(corners: Any, i: int, j: int, k: int, m: int) -> bool:
    """Whether edge i, j lies on the right of edge k, m where both cross a horizontal line; they don't cross."""
    if corners[i, 1] > corners[j, 1]:
        i, j = j, i
    if corners[k, 1] > corners[m, 1]:
        k, m = m, k
    # downwards on the screen: a point on the right of an edge has a negative area with it
    if corners[j, 1] <= corners[m, 1]:
        low = orient(corners[k, 0], corners[k, 1], corners[m, 0], corners[m, 1], corners[j, 0], corners[j, 1])
    else:
        low = -orient(corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1], corners[m, 0], corners[m, 1])
    if low != 0.0:
        return low < 0.0
    if corners[i, 1] >= corners[k, 1]:
        return orient(corners[k, 0], corners[k, 1], corners[m, 0], corners[m, 1], corners[i, 0], corners[i, 1]) < 0.0
    return orient(corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1], corners[k, 0], corners[k, 1]) > 0.0


@kernel
def fill_buckets(corners: Any, after: Any, frame: Any, shape: Any, starts: Any, items: Any) -> int:
    """Count (no items) or list the edges of each bucket; `starts` counts, then holds ends, and starts when done.

    Called with an empty `items` it adds the number of edges of bucket b to starts[b + 1] and returns the sum; called
    again with starts[b + 1] the end of bucket b and room in items, it fills from the ends.
    """
    total = 0
    for i in range(len(corners)):
        j = after[i]
        ax, ay, bx, by = corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1]
        first, last = _rows(frame, shape, ay, by)
        for row in range(first, last + 1):
            left, right = _columns(frame, shape, ax, ay, bx, by, row)
            for column in range(left, right + 1):
                bucket = row * shape[0] + column
                total += 1
                if len(items) == 0:
                    starts[bucket + 1] += 1
                else:
                    starts[bucket + 1] -= 1
                    items[starts[bucket + 1]] = i
    return total


@leaf
def _in_frame(frame: Any, x: float, y: float) -> bool:
    return frame[0] <= x <= frame[2] and frame[1] <= y <= frame[3]


@leaf
def _column(frame: Any, shape: Any, x: float) -> int:
    return min(max(math.floor((x - frame[0]) / frame[4]), 0), shape[0] - 1)


@leaf
def _row(frame: Any, shape: Any, y: float) -> int:
    return min(max(math.floor((y - frame[1]) / frame[4]), 0), shape[1] - 1)


@leaf
def _rows(frame: Any, shape: Any, ay: float, by: float) -> tuple[int, int]:
    """Return the first and the last row of buckets near a segment."""
    margin = frame[5]
    return _row(frame, shape, min(ay, by) - margin), _row(frame, shape, max(ay, by) + margin)


@leaf
def _columns(frame: Any, shape: Any, ax: float, ay: float, bx: float, by: float, row: int) -> tuple[int, int]:
    """Return the first and the last bucket of a row near a segment."""
    side, margin = frame[4], frame[5]
    if ay > by:
        ax, ay, bx, by = bx, by, ax, ay
    top, bottom = frame[1] + row * side - margin, frame[1] + (row + 1) * side + margin
    x0, x1 = ax, bx
    if ay < top:
        x0 = ax + (bx - ax) * min((top - ay) / (by - ay), 1.0)
    if by > bottom:
        x1 = ax + (bx - ax) * max((bottom - ay) / (by - ay), 0.0)
    return _column(frame, shape, min(x0, x1) - margin), _column(frame, shape, max(x0, x1) + margin)
