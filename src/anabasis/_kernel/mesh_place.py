"""Which polygons of a navigation mesh hold a place, exactly, found through square buckets.

`place` is the tuple (starts, items, frame): the polygons of bucket b are items[starts[b]:starts[b + 1]], int32[·, 2],
the first edge of each and the one behind its last; frame float64[5] = x and y of the first bucket, their side, columns,
rows. xy: float64[k, 2], where each edge of the mesh starts.
"""

from __future__ import annotations

import math
from typing import Any

from anabasis._kernel import kernel
from anabasis._kernel.geometry import orient

__all__ = ["fill_mesh_buckets", "polygons_at"]


@kernel
def polygons_at(place: Any, xy: Any, x: float, y: float, found: Any) -> int:
    """Write the first edge of each polygon that holds the place, its border included; return how many there are."""
    starts, items, frame = place
    if not (frame[0] <= x and frame[1] <= y):
        return 0
    column, row = int((x - frame[0]) / frame[2]), int((y - frame[1]) / frame[2])
    if column >= frame[3] or row >= frame[4]:
        return 0
    bucket = row * int(frame[3]) + column
    count = 0
    for k in range(starts[bucket], starts[bucket + 1]):
        low, high = items[k, 0], items[k, 1]
        i, inside = high - 1, True
        for j in range(low, high):
            if orient(xy[i, 0], xy[i, 1], xy[j, 0], xy[j, 1], x, y) < 0.0:
                inside = False
                break
            i = j
        if inside:
            found[count] = low
            count += 1
    return count


@kernel
def fill_mesh_buckets(indptr: Any, xy: Any, frame: Any, starts: Any, items: Any) -> None:
    """Count (no items) or list the polygons that reach into each bucket or come very near to it.

    Called with empty items it adds the number of polygons of bucket b to starts[b + 1]; called again with starts[b + 1]
    the end of bucket b, it fills from the ends, and starts[b + 1] becomes the start.
    """
    side, columns, rows = frame[2], int(frame[3]), int(frame[4])
    hair = 1e-6 * side
    for p in range(len(indptr) - 1):
        low, high = indptr[p], indptr[p + 1]
        top = bottom = xy[low, 1]
        for i in range(low, high):
            top, bottom = min(top, xy[i, 1]), max(bottom, xy[i, 1])
        first = max(math.floor((top - hair - frame[1]) / side), 0)
        last = min(math.floor((bottom + hair - frame[1]) / side), rows - 1)
        for row in range(first, last + 1):
            # how far the polygon reaches between the two borders of the row
            above, below = frame[1] + row * side - hair, frame[1] + (row + 1) * side + hair
            left, right = math.inf, -math.inf
            i = high - 1
            for j in range(low, high):
                ax, ay, bx, by = xy[i, 0], xy[i, 1], xy[j, 0], xy[j, 1]
                i = j
                if ay > by:
                    ax, ay, bx, by = bx, by, ax, ay
                if by < above or ay > below:
                    continue
                cx, dx = ax, bx
                if ay < above:
                    cx = ax + (bx - ax) * ((above - ay) / (by - ay))
                if by > below:
                    dx = ax + (bx - ax) * ((below - ay) / (by - ay))
                left, right = min(left, cx, dx), max(right, cx, dx)
            start = max(math.floor((left - hair - frame[0]) / side), 0)
            stop = min(math.floor((right + hair - frame[0]) / side), columns - 1)
            for column in range(start, stop + 1):
                bucket = row * columns + column
                if len(items) == 0:
                    starts[bucket + 1] += 1
                else:
                    starts[bucket + 1] -= 1
                    items[starts[bucket + 1], 0], items[starts[bucket + 1], 1] = low, high
