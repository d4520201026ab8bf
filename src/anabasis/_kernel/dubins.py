"""Arcs of a car: where an arc ends, and the shortest way of a car from one place and heading to another.

L. E. Dubins, "On curves of minimal length with a constraint on average curvature", 1957; the formulas for the six kinds
of way are those of A. M. Shkel, V. Lumelsky, "Classification of the Dubins set", 2001.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from anabasis._kernel import kernel, leaf

__all__ = ["arc_end", "dubins", "turned"]

_TURN = 2.0 * math.pi
_SLACK = 1e-10  # circles that touch but for rounding do touch


@leaf
def turned(angle: float) -> float:
    """Return an angle in [0, 2π); what is a rounding error below a whole turn counts as none."""
    angle -= _TURN * math.floor(angle / _TURN)
    return 0.0 if angle > _TURN - 1e-9 else angle


@leaf
def arc_end(x: float, y: float, heading: float, curvature: float, length: float) -> tuple[float, float, float]:
    """Return place and heading at the end of an arc; a negative length goes backwards, curvature 0 straight on.

    A positive curvature raises the heading: to the right on a screen whose y points down.
    """
    turn = curvature * length
    half = turn / 2.0
    # the chord: length · sin(half) / half, at the middle heading
    chord = length if abs(half) < 1e-12 else length * (math.sin(half) / half)
    return x + chord * math.cos(heading + half), y + chord * math.sin(heading + half), heading + turn


@kernel
def dubins(x: float, y: float, heading: float, to_x: float, to_y: float, to_heading: float, radius: float) -> Any:
    """Return float64[7]: the length of the shortest way forwards, then curvature and length of its three arcs.

    radius: of the tightest turn. The headings are radians.
    """
    best = np.zeros(7)
    best[0] = np.inf
    dx, dy = (to_x - x) / radius, (to_y - y) / radius
    d, toward = math.sqrt(dx * dx + dy * dy), math.atan2(dy, dx)
    a, b = heading - toward, to_heading - toward
    sin_a, cos_a, sin_b, cos_b, cos_ab = math.sin(a), math.cos(a), math.sin(b), math.cos(b), math.cos(a - b)
    for kind in range(6):  # LSL RSR LSR RSL RLR LRL, L raises the heading
        t, p, q = 0.0, -1.0, 0.0
        if kind == 0:
            square = 2.0 + d * d - 2.0 * cos_ab + 2.0 * d * (sin_a - sin_b)
            at = math.atan2(cos_b - cos_a, d + sin_a - sin_b)
            t, p, q = at - a, math.sqrt(max(square, 0.0)), b - at
        elif kind == 1:
            square = 2.0 + d * d - 2.0 * cos_ab + 2.0 * d * (sin_b - sin_a)
            at = math.atan2(cos_a - cos_b, d - sin_a + sin_b)
            t, p, q = a - at, math.sqrt(max(square, 0.0)), at - b
        elif kind == 2:
            square = d * d - 2.0 + 2.0 * cos_ab + 2.0 * d * (sin_a + sin_b)
            if square >= -_SLACK:
                p = math.sqrt(max(square, 0.0))
                at = math.atan2(-cos_a - cos_b, d + sin_a + sin_b) - math.atan2(-2.0, p)
                t, q = at - a, at - b
        elif kind == 3:
            square = d * d - 2.0 + 2.0 * cos_ab - 2.0 * d * (sin_a + sin_b)
            if square >= -_SLACK:
                p = math.sqrt(max(square, 0.0))
                at = math.atan2(cos_a + cos_b, d - sin_a - sin_b) - math.atan2(2.0, p)
                t, q = a - at, b - at
        else:
            side = 1.0 if kind == 4 else -1.0
            cosine = (6.0 - d * d + 2.0 * cos_ab + 2.0 * side * d * (sin_a - sin_b)) / 8.0
            if abs(cosine) <= 1.0 + _SLACK:
                p = _TURN - math.acos(min(max(cosine, -1.0), 1.0))
                at = math.atan2(side * (cos_a - cos_b), d - side * (sin_a - sin_b))
                t = side * (a - at) + p / 2.0
                q = side * (a - b) - t + p
        if p < 0.0:
            continue
        t, q = turned(t), turned(q)
        if (t + p + q) * radius < best[0]:
            first = 1.0 if kind in (0, 2, 5) else -1.0
            last = 1.0 if kind in (0, 3, 5) else -1.0
            middle = 0.0 if kind < 4 else -first
            best[0] = (t + p + q) * radius
            best[1], best[3], best[5] = first / radius, middle / radius, last / radius
            best[2], best[4], best[6] = t * radius, p * radius, q * radius
    return best
