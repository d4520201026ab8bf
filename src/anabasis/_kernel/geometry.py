"""Exact predicates of plane geometry: on which side of a line a point lies, whether it lies on a segment.

The side is taken from floating point where the rounding error can't change its sign, else from an exact sum of
products: J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997; the
exact products are those of T. J. Dekker, "A floating-point technique for extending the available precision", 1971.
Exact for coordinates that are 0 or between 1e-70 and 1e150 in size.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf

__all__ = ["on_segment", "orient"]

_SPLITTER = 134217729.0  # 2²⁷ + 1
_FILTER = 3.3306690738754716e-16  # (3 + 16 u) u with u = 2⁻⁵³


@kernel
def orient(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> float:
    """Return twice the signed area of the triangle a, b, c: its sign is exact, its size is rounded.

    Positive where c is clockwise of a → b on the screen (x right, y down), zero where the three lie on one line.
    """
    left, right = (bx - ax) * (cy - ay), (by - ay) * (cx - ax)
    area = left - right
    if left == 0.0 or right == 0.0 or (left > 0.0) != (right > 0.0):
        return area
    bound = _FILTER * abs(left + right)
    if area > bound or -area > bound:
        return area
    return _orient_exactly(ax, ay, bx, by, cx, cy)


@kernel
def _orient_exactly(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> float:
    """Return the greatest part of the exact double area."""
    ux, ux_low = _difference(bx, ax)
    uy, uy_low = _difference(by, ay)
    vx, vx_low = _difference(cx, ax)
    vy, vy_low = _difference(cy, ay)
    if ux_low == 0.0 and uy_low == 0.0 and vx_low == 0.0 and vy_low == 0.0:
        left, left_low = _product(ux, vy)
        right, right_low = _product(uy, vx)
        if left_low == 0.0 and right_low == 0.0:  # whole numbers, mostly
            return left - right
    parts = np.zeros(16)
    count = _add_product(parts, 0, ux, vy)
    count = _add_product(parts, count, ux, vy_low)
    count = _add_product(parts, count, ux_low, vy)
    count = _add_product(parts, count, ux_low, vy_low)
    count = _add_product(parts, count, -uy, vx)
    count = _add_product(parts, count, -uy, vx_low)
    count = _add_product(parts, count, -uy_low, vx)
    count = _add_product(parts, count, -uy_low, vx_low)
    for k in range(count - 1, -1, -1):  # parts rise in size and don't overlap: the last one that is not 0 has the sign
        if parts[k] != 0.0:
            return float(parts[k])
    return 0.0


@leaf
def _difference(a: float, b: float) -> tuple[float, float]:
    """Return a - b rounded, and the exact error."""
    high = a - b
    b_seen = a - high
    a_seen = high + b_seen
    return high, (a - a_seen) + (b_seen - b)


@leaf
def _product(a: float, b: float) -> tuple[float, float]:
    """Return a · b rounded, and the exact error."""
    high = a * b
    c = _SPLITTER * a
    a_high = c - (c - a)
    a_low = a - a_high
    c = _SPLITTER * b
    b_high = c - (c - b)
    b_low = b - b_high
    return high, a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low)


@kernel
def _add_product(parts: NDArray[np.float64], count: int, a: float, b: float) -> int:
    """Add a · b exactly to a sum of `count` parts that don't overlap; return the new number of parts."""
    high, low = _product(a, b)
    return _add(parts, _add(parts, count, low), high)


@leaf
def _add(parts: NDArray[np.float64], count: int, value: float) -> int:
    """Add one number exactly to a sum of `count` parts, in order of size; return the new number of parts."""
    rest = value
    for k in range(count):
        total = rest + parts[k]
        seen = total - rest
        parts[k] = (rest - (total - seen)) + (parts[k] - seen)
        rest = total
    parts[count] = rest
    return count + 1


@kernel
def on_segment(ax: float, ay: float, bx: float, by: float, px: float, py: float) -> bool:
    """Whether p lies on the closed segment a, b, exactly."""
    if px < min(ax, bx) or px > max(ax, bx) or py < min(ay, by) or py > max(ay, by):
        return False
    return orient(ax, ay, bx, by, px, py) == 0.0
