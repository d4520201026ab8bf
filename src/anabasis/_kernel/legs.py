"""Legs: ways of diagonal and then straight steps, from one way point of a grid to the next."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import leaf

__all__ = ["leg_length", "leg_steps", "write_leg"]


@leaf
def leg_length(side: int, slant: int, dx: int, dy: int) -> int:
    """Return the length of the leg (dx, dy), if a straight step is `side` long and a diagonal one `slant`."""
    dx, dy = abs(dx), abs(dy)
    return side * max(dx, dy) + (slant - side) * min(dx, dy)


@leaf
def leg_steps(u: int, v: int, width: int) -> tuple[int, int]:
    """Return the numbers of all steps and of diagonal steps of the leg between two cells."""
    dx, dy = abs(u % width - v % width), abs(u // width - v // width)
    return max(dx, dy), min(dx, dy)


@leaf
def write_leg(vertices: NDArray[np.int64], at: int, u: int, v: int, width: int, straight_first: bool) -> int:
    """Write the leg from cell u to cell v: v to place at, the cells before it below, not u; return the place for u.

    straight_first: whether its straight steps come before the diagonal ones.
    """
    dx, dy = u % width - v % width, u // width - v // width
    slanted = min(abs(dx), abs(dy))
    level = max(abs(dx), abs(dy)) - slanted
    sign_x, sign_y = int(dx > 0) - int(dx < 0), (int(dy > 0) - int(dy < 0)) * width
    along, across = sign_x if abs(dx) > abs(dy) else sign_y, sign_x + sign_y
    if straight_first:
        at, v = _write(vertices, at, v, across, slanted)
        return _write(vertices, at, v, along, level)[0]
    at, v = _write(vertices, at, v, along, level)
    return _write(vertices, at, v, across, slanted)[0]


@leaf
def _write(vertices: NDArray[np.int64], at: int, v: int, step: int, count: int) -> tuple[int, int]:
    """Write `count` cells, each a step from the one before, from place at down; return the next place and cell."""
    for _ in range(count):
        vertices[at] = v
        at -= 1
        v += step
    return at, v
