"""Exact line of sight between cell centres, in integers alone.

The cells that a segment passes are found by comparing where it crosses the next vertical and the next horizontal
lattice line; scaled by twice the product of its extents both places are integers (the crossings of J. Amanatides and
A. Woo, "A fast voxel traversal algorithm for ray tracing", 1987). So a passage exactly through a lattice corner is
known for certain, and the corner rule decides it: 0 strict = both cells beside the corner must be free, 1 loose = at
least one, 2 none = no condition.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf

__all__ = ["clear", "segment_cost", "shorten_path", "visible"]


@leaf
def visible(cost: NDArray[np.float64], x0: int, y0: int, x1: int, y1: int, corners: int) -> bool:
    """Whether the segment between the centres of cells (x0, y0) and (x1, y1) passes no blocked cell (cost inf)."""
    if cost[y0, x0] == np.inf or cost[y1, x1] == np.inf:
        return False
    dx, dy = abs(x1 - x0), abs(y1 - y0)
    sx = 1 if x1 > x0 else -1
    sy = 1 if y1 > y0 else -1
    x, y = x0, y0
    # next crossings at (2i + 1) / 2dx and (2j + 1) / 2dy of the way: `ahead` compares them, times 2·dx·dy
    ahead = dy - dx
    for _ in range(dx + dy):
        if x == x1 and y == y1:
            break
        if ahead < 0:
            x += sx
            ahead += 2 * dy
        elif ahead > 0:
            y += sy
            ahead -= 2 * dx
        else:
            if corners != 2:
                side, other = cost[y, x + sx] == np.inf, cost[y + sy, x] == np.inf
                if (side and other) or (corners == 0 and (side or other)):
                    return False
            x += sx
            y += sy
            ahead += 2 * dy - 2 * dx
        if cost[y, x] == np.inf:
            return False
    return True


@leaf
def clear(cost: NDArray[np.float64], x0: float, y0: float, x1: float, y1: float) -> bool:
    """Whether who walks straight from any place to another stays in free cells and cuts no corner.

    For places that are not centres of cells; what passes a lattice corner up to rounding counts as passing through it.
    """
    height, width = cost.shape
    x, y, end_x, end_y = int(np.floor(x0)), int(np.floor(y0)), int(np.floor(x1)), int(np.floor(y1))
    if min(x, y, end_x, end_y) < 0 or max(x, end_x) >= width or max(y, end_y) >= height or cost[y, x] == np.inf:
        return False
    dx, dy = x1 - x0, y1 - y0
    sx, sy = (1 if end_x > x else -1), (1 if end_y > y else -1)
    while x != end_x or y != end_y:
        # how far along the way the next line between columns, and between rows, is crossed
        column = (x + (1 if sx > 0 else 0) - x0) / dx if x != end_x else np.inf
        row = (y + (1 if sy > 0 else 0) - y0) / dy if y != end_y else np.inf
        if abs(column - row) * max(abs(dx), abs(dy)) < 1e-9:
            if cost[y, x + sx] == np.inf or cost[y + sy, x] == np.inf:
                return False
            x += sx
            y += sy
        elif column < row:
            x += sx
        else:
            y += sy
        if cost[y, x] == np.inf:
            return False
    return True


@leaf
def segment_cost(cost: NDArray[np.float64], x0: int, y0: int, x1: int, y1: int) -> float:
    """Return the integral of the price along the segment between two centres (all cells on it are free)."""
    dx, dy = abs(x1 - x0), abs(y1 - y0)
    if dx + dy == 0:
        return 0.0
    sx = 1 if x1 > x0 else -1
    sy = 1 if y1 > y0 else -1
    x, y = x0, y0
    i = j = at = 0  # crossings passed of either kind; `at` and `end` count in 2·dx·dy-ths of the way
    whole = 2 * max(dx, 1) * max(dy, 1)
    total = 0.0
    while x != x1 or y != y1:
        vertical = (2 * i + 1) * max(dy, 1) if x != x1 else whole + 1
        horizontal = (2 * j + 1) * max(dx, 1) if y != y1 else whole + 1
        end = min(vertical, horizontal)
        total += (end - at) * cost[y, x]
        at = end
        if vertical == end:
            x += sx
            i += 1
        if horizontal == end:
            y += sy
            j += 1
    total += (whole - at) * cost[y, x]
    return total / whole * np.sqrt(float(dx * dx + dy * dy))


@kernel
def shorten_path(
    cost: NDArray[np.float64],
    xs: NDArray[np.int64],
    ys: NDArray[np.int64],
    corners: int,
    uniform: bool,
    kept: NDArray[np.int64],
) -> int:
    """Keep the first and last point of a path over cell centres, and between them only those that are needed.

    xs, ys: int64[k] cells. From each kept point on the next one is the farthest along the path that it sees, and to
    which the straight way is not dearer than the path (on a `uniform` map it never is). Writes the numbers of the kept
    points to kept, int64[k], and returns how many there are.
    """
    k = xs.size
    along = np.zeros(k)  # price of the path up to each point
    if not uniform:
        for p in range(1, k):
            along[p] = along[p - 1] + segment_cost(cost, xs[p - 1], ys[p - 1], xs[p], ys[p])
    count = 1
    kept[0] = 0
    here = 0
    while here < k - 1:
        to = k - 1
        while to > here + 1:
            if visible(cost, xs[here], ys[here], xs[to], ys[to], corners):
                price = 0.0 if uniform else segment_cost(cost, xs[here], ys[here], xs[to], ys[to])
                if uniform or price <= (along[to] - along[here]) * (1 + 1e-9):
                    break
            to -= 1
        kept[count] = to
        count += 1
        here = to
    return count
