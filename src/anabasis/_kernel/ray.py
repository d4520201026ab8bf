"""Ray: the way of a straight line from cell to cell, for continuous positions.

The walk visits the cells of a line in order by comparing the next crossing in x with the next in y (J. Amanatides,
A. Woo, A Fast Voxel Traversal Algorithm for Ray Tracing, 1987). The map is a clearance map with a border of walls:
uint8[height + 2, width + 2], 0 = wall, cell (x, y) at [y + 1, x + 1]; c > 0: the next wall cell is c cells away,
counted like a king's steps, so a circle of radius c - 1 around any point of the cell is free. The walk jumps over
such circles.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import leaf

__all__ = ["cast_ray", "in_sight"]


@leaf
def cast_ray(clearance: NDArray[np.uint8], x: float, y: float, dx: float, dy: float, length: float) -> float:
    """Return how far a ray from (x, y) along the unit vector (dx, dy) gets before it enters a wall, at most `length`.

    Where it passes exactly through a corner, it is stopped only if the cell behind or both cells beside are walls.
    """
    done = 0.0
    while True:
        cx, cy = math.floor(x), math.floor(y)
        room = clearance[cy + 1, cx + 1]
        if room == 0:
            return done
        if room > 2:
            jump = room - 1.0
            done += jump
            if done >= length:
                return length
            x += dx * jump
            y += dy * jump
            continue
        step_x, next_x, delta_x = 0, np.inf, np.inf
        if dx > 0.0:
            step_x, next_x, delta_x = 1, (cx + 1 - x) / dx, 1.0 / dx
        elif dx < 0.0:
            step_x, next_x, delta_x = -1, (cx - x) / dx, -1.0 / dx
        step_y, next_y, delta_y = 0, np.inf, np.inf
        if dy > 0.0:
            step_y, next_y, delta_y = 1, (cy + 1 - y) / dy, 1.0 / dy
        elif dy < 0.0:
            step_y, next_y, delta_y = -1, (cy - y) / dy, -1.0 / dy
        while True:
            at = min(next_x, next_y)
            if done + at >= length:
                return length
            if next_x < next_y:
                cx += step_x
                next_x += delta_x
            elif next_y < next_x:
                cy += step_y
                next_y += delta_y
            else:
                if clearance[cy + 1, cx + 1 + step_x] == 0 and clearance[cy + 1 + step_y, cx + 1] == 0:
                    return done + at
                cx += step_x
                cy += step_y
                next_x += delta_x
                next_y += delta_y
            room = clearance[cy + 1, cx + 1]
            if room == 0:
                return done + at
            if room > 4:
                at += 1e-9  # a hair beyond the edge, so that rounding can't fall back into the cell before
                done += at
                x += dx * at
                y += dy * at
                break


@leaf
def in_sight(clearance: NDArray[np.uint8], x: float, y: float, to_x: float, to_y: float) -> bool:
    """Whether the straight line between two points meets no wall."""
    dx, dy = to_x - x, to_y - y
    length = math.sqrt(dx * dx + dy * dy)
    if length < 1e-12:
        return True
    return cast_ray(clearance, x, y, dx / length, dy / length, length) >= length
