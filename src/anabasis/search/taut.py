"""Taut: pull a path tight like a string, without lifting it over an obstacle.

The shortest way that leaves every obstacle on the same side (in the same homotopy class) bends only at corners of
obstacles and only around them. So a point of the path that is no such bend is replaced: inside the triangle with its
two neighbours in the path the string comes to rest on the convex hull of the corners in it. J. Hershberger and
J. Snoeyink, "Computing minimum length paths of a given homotopy class", 1994, is the problem; the hull is found by gift
wrapping (R. Jarvis, "On the identification of the convex hull of a finite set of points in the plane", 1973).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.free_space import sees
from anabasis._kernel.geometry import orient
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.world import World

__all__ = ["taut"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


def taut(space: Grid | World, path: Path) -> Path:
    """Return the shortest way that can be made of a path by pulling at its ends; no vertices, cost = its length.

    It passes every obstacle on the side on which `path` does, bends only at corners of obstacles, and is never longer;
    to pull it again changes nothing. On a Grid it touches the corners of blocked cells, so it is valid under the corner
    rule "loose" and in general not under "strict"; for many paths on one Grid hand over its `grid_world`, which is made
    anew for each otherwise. Raises InputError for a map with prices, and for a path that is not free or leads between
    two obstacles that touch.
    """
    from anabasis.decompose.free_space import free_space
    from anabasis.decompose.outline import grid_world

    if isinstance(space, Grid) and not space.uniform:
        raise InputError("a string knows no prices", found="a map with prices", hint="shorten heeds them")
    around = free_space(grid_world(space) if isinstance(space, Grid) else space)
    points = path.points
    if len(points) == 1 and not around.free(points).all():
        raise InputError("the path stands in an obstacle", found=f"({points[0, 0]:g}, {points[0, 1]:g})")
    seen = around.see(points[:-1], points[1:])
    if not seen.all():
        k = int(np.flatnonzero(~seen)[0])
        raise InputError(
            "the path leads through an obstacle or between two that touch",
            found=f"from ({points[k, 0]:g}, {points[k, 1]:g}) to ({points[k + 1, 0]:g}, {points[k + 1, 1]:g})",
        )
    pulled = _pull(around.arrays, around.turning, points)
    cost = float(np.hypot(*np.diff(pulled, axis=0).T).sum()) if len(pulled) > 1 else 0.0
    return Path(np.zeros(0, np.int64), pulled, cost)


@kernel
def _pull(space: Any, turning: Any, points: Floats) -> Floats:
    """Return the points of the taut string.

    The way is kept in two stacks: what is known to be taut, and what is still to come, last point first.
    """
    n, corners = len(points), len(turning)
    done, ahead = np.empty((n + corners + 2, 2), np.float64), np.empty((2 * n + corners + 2, 2), np.float64)
    near, hull = np.empty(corners, np.int64), np.empty(corners, np.int64)
    size, left = 0, 0
    for k in range(n - 1, -1, -1):
        if left == 0 or points[k, 0] != ahead[left - 1, 0] or points[k, 1] != ahead[left - 1, 1]:
            ahead[left] = points[k]
            left += 1
    while left:
        left -= 1
        if size == len(done):
            done = np.concatenate((done, np.empty_like(done)))
        done[size] = ahead[left]
        size += 1
        if size < 3:
            continue
        ax, ay, bx, by = done[size - 3, 0], done[size - 3, 1], done[size - 2, 0], done[size - 2, 1]
        cx, cy = done[size - 1, 0], done[size - 1, 1]
        side = orient(ax, ay, bx, by, cx, cy)
        count = 0
        if side == 0.0:
            if not sees(space, ax, ay, cx, cy):
                continue
        else:
            side = 1.0 if side > 0.0 else -1.0
            count = _corners_in(space, turning, ax, ay, bx, by, cx, cy, side, near)
            if count < 0:
                continue  # taut already
            count = _wrap(space[0], near, count, ax, ay, cx, cy, side, hull)
        # a and what was before it stay done; the bends and c come again
        size -= 2
        if len(ahead) < left + count + 2:
            ahead = np.concatenate((ahead, np.empty_like(ahead)))
        ahead[left, 0], ahead[left, 1] = cx, cy
        left += 1
        for k in range(count - 1, -1, -1):
            ahead[left, 0], ahead[left, 1] = space[0][hull[k], 0], space[0][hull[k], 1]
            left += 1
        if ax == ahead[left - 1, 0] and ay == ahead[left - 1, 1]:
            left -= 1  # there and back again
        if size > 1:  # what comes now changes whether a is taut
            size -= 1
            ahead[left, 0], ahead[left, 1] = ax, ay
            left += 1
    return done[:size].copy()


@kernel
def _corners_in(
    space: Any,
    turning: Any,
    ax: float,
    ay: float,
    bx: float,
    by: float,
    cx: float,
    cy: float,
    side: float,
    near: Ints,
) -> int:
    """List the corners of obstacles inside the triangle a, b, c; return how many, or -1 if the string lies on one at b.

    side: the sign of the triangle's area. A corner on a, b or b, c counts if its obstacle is inside, and one on a, c
    does not.
    """
    corners, after, before, _twin, starts, items, frame, shape = space
    low_x, low_y, size = frame[0], frame[1], frame[4]
    left, right = _bucket(low_x, size, shape[0], min(ax, bx, cx)), _bucket(low_x, size, shape[0], max(ax, bx, cx))
    top, bottom = _bucket(low_y, size, shape[1], min(ay, by, cy)), _bucket(low_y, size, shape[1], max(ay, by, cy))
    count = 0
    for bucket in range(top * shape[0] + left, bottom * shape[0] + right + 1):
        row, column = bucket // shape[0], bucket % shape[0]
        if column < left or column > right:
            continue
        for at in range(starts[bucket], starts[bucket + 1]):
            k = items[at]
            x, y = corners[k, 0], corners[k, 1]
            if (
                not turning[k]
                or _bucket(low_x, size, shape[0], x) != column
                or _bucket(low_y, size, shape[1], y) != row
            ):
                continue  # no bend, or the edge that begins at it only passes through the bucket
            first, second = side * orient(ax, ay, bx, by, x, y), side * orient(bx, by, cx, cy, x, y)
            if first < 0.0 or second < 0.0 or side * orient(cx, cy, ax, ay, x, y) <= 0.0:
                continue
            inside = True
            for other in (before[k], after[k]):
                ox, oy = corners[other, 0], corners[other, 1]
                if first == 0.0 and side * orient(ax, ay, bx, by, ox, oy) < 0.0:
                    inside = False
                if second == 0.0 and side * orient(bx, by, cx, cy, ox, oy) < 0.0:
                    inside = False
            if not inside:
                continue
            if first == 0.0 and second == 0.0:
                return -1
            near[count] = k
            count += 1
    return count


@kernel
def _bucket(low: float, side: float, most: int, value: float) -> int:
    """Return the column, or row, of buckets in which a coordinate lies."""
    return min(max(math.floor((value - low) / side), 0), most - 1)


@kernel
def _wrap(
    corners: Floats, near: Ints, count: int, ax: float, ay: float, cx: float, cy: float, side: float, hull: Ints
) -> int:
    """Write the bends of a string from a to c around corners on one side of it; return how many there are."""
    size = 0
    px, py = ax, ay
    while True:
        best, qx, qy = -1, cx, cy
        for k in range(count):
            x, y = corners[near[k], 0], corners[near[k], 1]
            if x == px and y == py:
                continue
            turn = side * orient(px, py, qx, qy, x, y)
            farther = abs(x - px) + abs(y - py) > abs(qx - px) + abs(qy - py)
            if turn < 0.0 or (turn == 0.0 and farther):
                best, qx, qy = near[k], x, y
        if best < 0:
            return size
        hull[size] = best
        size += 1
        px, py = qx, qy
