"""Packing: how many units can be in a place at once at the most, when their centres keep a least distance.

In a convex set of area A and perimeter P there is room for at most 2A / (√3 d²) + P / 2d + 1 points that are d apart
(N. Oler, An inequality in the geometry of numbers, 1961; H. Groemer, Über die Einlagerung von Kreisen in einen konvexen
Bereich, 1960). In any set, the part of a point's Voronoi cell that is nearer than d/√3 has at least the area √3/2 d² of
a regular hexagon (L. Fejes Tóth, Lagerungen in der Ebene, 1953), so the set's parallel body at d/√3 bounds the number.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis.scenario import Group, Steering

__all__ = ["HEEDED", "in_convex", "in_corner", "kept_apart", "near_chain"]

Floats = NDArray[np.float64]

HEEDED = 24  # of so many others in reach the simulator keeps a unit apart
_HAIR = 1e-9  # against rounding, on the safe side
_ROUNDING = 1.0 - 1e-6  # of a distance that rounding of many steps can't use up


def kept_apart(group: Group, steering: Steering, others: tuple[Group, ...] = (), start: float = math.inf) -> float:
    """Return the distance that the centres of a group's units never fall below, 0 if none is guaranteed.

    In a step each of two units comes nearer to the other by at most half of what they have above (1 - overlap) of
    touch, and by nothing below it, at no moment of the step; so the least distance never falls below that, or below
    what it was at the `start` (the least distance of any two units of all groups) if that was less. This needs every
    unit to heed every other in reach, which holds as long as no more than HEEDED others can be there; who is beyond
    the distance that units watch is not heeded, and may come nearer by both speeds.
    """
    crowd = (group, *others)
    least = min(start, *(_pair(a, b, steering) for a in crowd for b in crowd))
    if least <= 0.0:
        return 0.0
    reach = max(a.radius + b.radius + a.speed + b.speed for a in crowd for b in crowd)
    if in_convex(math.pi * reach * reach, 2.0 * math.pi * reach, least * _ROUNDING) > HEEDED + 1:
        return 0.0
    return min(_pair(group, group, steering), start) * _ROUNDING


def _pair(a: Group, b: Group, steering: Steering) -> float:
    """Return how near units of two groups can come that heed each other."""
    touch, both = a.radius + b.radius, a.speed + b.speed
    watched = steering.avoidance_distance * touch
    return min((1.0 - steering.overlap) * touch, math.inf if watched >= touch + both else watched - both)


def in_convex(area: float | Floats, perimeter: float | Floats, apart: float) -> Floats:
    """Return at most how many points `apart` from each other lie in a convex set, or in each of several."""
    room = 2.0 / math.sqrt(3.0) / apart**2 * np.asarray(area) + np.asarray(perimeter) / (2.0 * apart) + 1.0
    return np.asarray(np.floor(room + _HAIR), np.float64)


def in_corner(radius: Floats, apart: float) -> Floats:
    """Return the same for quarters of discs; none in one of radius 0, for the walls own its corner."""
    many = in_convex(math.pi / 4.0 * radius**2, (2.0 + math.pi / 2.0) * radius, apart)
    few = np.where(radius > 0.0, 1.0, 0.0)
    return np.where(radius * math.sqrt(2.0) < apart, few, many)


def near_chain(length: float, reach: Floats, apart: float) -> Floats:
    """Return the same for all that is within `reach` of a connected line of a length."""
    body = reach + apart / math.sqrt(3.0)
    area = 2.0 * length * body + math.pi * body**2
    return np.asarray(np.floor(area / (math.sqrt(3.0) / 2.0 * apart**2) + _HAIR), np.float64)
