"""The way down a field of distances at the corners of cells, of any angle, and pulled tight.

D. Ferguson and A. Stentz, "The Field D* Algorithm", 2005: from a point the way goes on to the point of a border of the
cells around it that makes the rest cheapest, where the rest is not taken from the line between two corners but looked
up one step further. Here the interpolated distance falls in each step, so a way can't run in a circle, and afterwards
each point is left out without which the way is no dearer, prices being integrated exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel

__all__ = ["bend", "way_down"]

_EPSILON, _NEAR = 1e-9, 1e-7


def way_down(
    price: NDArray[np.float64], g: NDArray[np.float64], start: tuple[int, int], goal: tuple[int, int]
) -> tuple[NDArray[np.float64], float]:
    """Return the points, float64[k, 2], and the cost of a way from the centre of one cell to that of another.

    price: float64[height + 2, width + 2], blocked all around; g: float64[(height + 1) · (width + 1)], the distances of
    the corners, inf where unknown. No points if no way leads down.
    """
    points = np.empty((256, 2))
    while (count := _descend(price, g, *start, *goal, points)) < 0:
        points = np.empty((2 * len(points), 2))
    kept = _pulled(price, points, count) if count else 0
    return points[:kept].copy(), _length(price, points, kept)


def bend(c: float, along: float, across: float, last: float) -> float:
    """Return where a way bends that leads over a side of the goal's cell to its middle: a share of the side.

    It comes from a point so far along the side and so far off, over ground of price c; the goal's cell costs `last`.
    """
    return float(_bend(c, along, across, last))


@kernel
def _bend(c: float, along: float, across: float, last: float) -> float:
    """Do what `bend` does."""
    low, high = 0.0, 1.0
    for _ in range(50):  # the cost is convex, so its slope tells on which side the least is
        t = 0.5 * (low + high)
        off, rest = np.sqrt((t - along) * (t - along) + across * across), np.sqrt((t - 0.5) * (t - 0.5) + 0.25)
        slope = last * (t - 0.5) / rest + (c * (t - along) / off if off > 0.0 else 0.0)
        if slope > 0.0:
            high = t
        else:
            low = t
    return 0.5 * (low + high)


@kernel
def _cells(price: Any, x: float, y: float, found: Any) -> int:
    """Write the free cells (x, y) around a point; return how many there are."""
    right, below, count = int(np.floor(x)), int(np.floor(y)), 0
    for row in range(below - 1 if y == below else below, below + 1):
        for column in range(right - 1 if x == right else right, right + 1):
            if price[row + 1, column + 1] < np.inf:
                found[count, 0], found[count, 1] = column, row
                count += 1
    return count


@kernel
def _choices(
    price: Any, g: Any, x: float, y: float, level: float, goal_x: int, goal_y: int, corners: bool, rows: Any
) -> int:
    """Write the points to which a way may go on from (x, y); return how many there are.

    rows, float64[64, 5]: x, y, interpolated distance (below `level`; -1 for the goal), cost of the way there, cost of
    the rest. corners: take only the goal and corners of cells.
    """
    width, count = price.shape[1] - 1, 0
    found = np.empty((4, 2), np.int64)
    for k in range(_cells(price, x, y, found)):
        left, top = found[k, 0], found[k, 1]
        c = price[top + 1, left + 1]
        if left == goal_x and top == goal_y:
            dx, dy = goal_x + 0.5 - x, goal_y + 0.5 - y
            rows[count, 0], rows[count, 1], rows[count, 2] = goal_x + 0.5, goal_y + 0.5, -1.0
            rows[count, 3], rows[count, 4] = c * np.sqrt(dx * dx + dy * dy), 0.0
            count += 1
        for side in range(4):  # above, below, left, right
            flat, far = side < 2, side % 2
            line = float(top + far if flat else left + far)
            first = (top + far) * width + left if flat else top * width + left + far
            a, b = g[first], g[first + (1 if flat else width)]
            along, across = (x - left, y - line) if flat else (y - top, x - line)
            here = c
            if across == 0.0:  # along the side itself, on its cheaper bank
                here = min(c, price[top + 2 * far, left + 1] if flat else price[top + 1, left + 2 * far])
            beside_x, beside_y = (left, top + 2 * far - 1) if flat else (left + 2 * far - 1, top)
            last = price[goal_y + 1, goal_x + 1]
            for choice in range(4):
                t, rest = 0.5 * choice, a if choice == 0 else b
                if choice == 3:
                    if corners or beside_x != goal_x or beside_y != goal_y:
                        continue
                    t = _bend(here, along, abs(across), last)
                    rest = last * np.sqrt(0.25 + (t - 0.5) * (t - 0.5))
                elif choice == 1:
                    if corners or across == 0.0 or max(a, b) == np.inf or abs(b - a) >= c:
                        continue
                    fall = b - a
                    t = along - fall * abs(across) / np.sqrt(c * c - fall * fall)
                    if t < _EPSILON or t > 1.0 - _EPSILON:
                        continue
                    rest = a + t * fall
                if rest < level:
                    rows[count, 0], rows[count, 1] = (left + t, line) if flat else (line, top + t)
                    rows[count, 2], rows[count, 4] = rest, rest
                    rows[count, 3] = here * np.sqrt((along - t) * (along - t) + across * across)
                    count += 1
    return count


@kernel
def _descend(price: Any, g: Any, x: int, y: int, goal_x: int, goal_y: int, points: Any) -> int:
    """Write the points of a way down; return how many there are, 0 without a way, -1 if there is no room."""
    points[0, 0], points[0, 1] = x + 0.5, y + 0.5
    if x == goal_x and y == goal_y:
        return 1
    rows, further = np.empty((64, 5)), np.empty((64, 5))
    count, level = 1, np.inf
    most = 4 * price.size  # of steps to anywhere; from there on by corners alone, of which there are few
    while level >= 0.0:
        here_x, here_y = points[count - 1, 0], points[count - 1, 1]
        best, chosen = np.inf, -1
        for k in range(_choices(price, g, here_x, here_y, level, goal_x, goal_y, count > most, rows)):
            to_x, to_y, rest = rows[k, 0], rows[k, 1], rows[k, 4]
            if rows[k, 2] > 0.0 and (to_x != np.floor(to_x) or to_y != np.floor(to_y)):
                rest = np.inf
                for m in range(_choices(price, g, to_x, to_y, rows[k, 2], goal_x, goal_y, False, further)):
                    rest = min(rest, further[m, 3] + further[m, 4])
            if rows[k, 3] + rest < best:
                best, chosen = rows[k, 3] + rest, k
        if chosen < 0:
            return 0
        if count == len(points):
            return -1
        points[count, 0], points[count, 1], level = rows[chosen, 0], rows[chosen, 1], rows[chosen, 2]
        count += 1
    return count


@kernel
def _pulled(price: Any, points: Any, count: int) -> int:
    """Leave out points of a way while it becomes no dearer; return how many are left."""
    before = count + 1
    while count < before:
        before, kept, k = count, 1, 0
        while k < count - 1:
            through, to = _line(price, points, k, k + 1), k + 1
            while to + 1 < count:
                longer = through + _line(price, points, to, to + 1)
                straight = _line(price, points, k, to + 1)
                if straight > longer * (1.0 + 1e-12):
                    break
                through, to = longer if straight == np.inf else straight, to + 1
            points[kept, 0], points[kept, 1] = points[to, 0], points[to, 1]
            kept, k = kept + 1, to
        count = kept
    return count


@kernel
def _length(price: Any, points: Any, count: int) -> float:
    """Return the cost of a polyline."""
    total = 0.0
    for k in range(count - 1):
        total += _line(price, points, k, k + 1)
    return total


@kernel
def _line(price: Any, points: Any, one: int, other: int) -> float:
    """Return the integral of the price along the straight way between two points, inf if it is not free.

    Where rounding could decide on which side of a wall's corner the way passes it is not free.
    """
    x0, y0, x1, y1 = points[one, 0], points[one, 1], points[other, 0], points[other, 1]
    dx, dy = x1 - x0, y1 - y0
    length, total, t = np.sqrt(dx * dx + dy * dy), 0.0, 0.0
    step_x, step_y = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    next_x = np.floor(x0) + 1 if dx > 0 else np.ceil(x0) - 1  # the next lines to be crossed
    next_y = np.floor(y0) + 1 if dy > 0 else np.ceil(y0) - 1
    while t < 1.0:
        at_x = (next_x - x0) / dx if dx != 0.0 else np.inf
        at_y = (next_y - y0) / dy if dy != 0.0 else np.inf
        end = min(at_x, at_y, 1.0)
        x, y = x0 + 0.5 * (t + end) * dx, y0 + 0.5 * (t + end) * dy
        column, row = int(np.floor(x)), int(np.floor(y))
        here = price[row + 1, column + 1]
        if dx == 0.0 and x0 == column:
            here = min(here, price[row + 1, column])
        if dy == 0.0 and y0 == row:
            here = min(here, price[row, column + 1])
        total += (end - t) * here
        if total == np.inf:
            return np.inf
        if end < 1.0:
            x, y = x0 + end * dx, y0 + end * dy
            i, j = int(np.rint(x)), int(np.rint(y))
            if abs(x - i) < _NEAR and abs(y - j) < _NEAR and not _open(price, i, j, dx == 0.0 or dy == 0.0):
                return np.inf
        if at_x <= end:
            next_x += step_x
        if at_y <= end:
            next_y += step_y
        t = end
    return total * length


@kernel
def _open(price: Any, i: int, j: int, along: bool) -> bool:
    """Whether a way may pass a corner: nothing is blocked around it, or for one along a line no two that touch."""
    a, b, c, d = price[j, i] < np.inf, price[j, i + 1] < np.inf, price[j + 1, i] < np.inf, price[j + 1, i + 1] < np.inf
    if along:
        return not ((a and d and not b and not c) or (b and c and not a and not d))
    return a and b and c and d
