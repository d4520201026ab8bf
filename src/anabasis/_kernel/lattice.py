"""Lattice: random words and directions at the points of a lattice that may repeat, and the fade between them.

The fade 6t⁵ - 15t⁴ + 10t³ is that of K. Perlin, "Improving Noise", 2002.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from anabasis._kernel import leaf
from anabasis._kernel.random import random_word

__all__ = ["DIRECTIONS", "fade", "lattice_word", "wrapped"]


def _directions() -> np.ndarray:
    """Return float64[16, 2], unit vectors at the odd multiples of 11.25°: none along an axis or a diagonal.

    Made by square roots, which every machine rounds alike.
    """
    half = sqrt(2 + sqrt(2)) / 2  # the cosine of 22.5°
    near, far = sqrt((1 + half) / 2), sqrt((1 - half) / 2)  # of 11.25° and of 78.75°
    steep = sqrt((1 + sqrt(1 - half * half)) / 2)  # of 33.75°
    flat = sqrt(1 - steep * steep)
    quarter = [(near, far), (steep, flat), (flat, steep), (far, near)]
    return np.array([(sx * x, sy * y) for sx in (1, -1) for sy in (1, -1) for x, y in quarter])


DIRECTIONS = _directions()


@leaf
def wrapped(index: int, period: int) -> int:
    """Return the number of a lattice line that repeats after `period` lines (0: never)."""
    return index % period if period > 0 else index


@leaf
def lattice_word(key: int, x: int, y: int, period_x: int, period_y: int) -> int:
    """Return the random 32-bit word of a lattice point."""
    return random_word(key, wrapped(x, period_x), wrapped(y, period_y))


@leaf
def fade(t: float) -> float:
    """Return a weight from 0 at t=0 to 1 at t=1 whose first and second derivatives are 0 at both."""
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
