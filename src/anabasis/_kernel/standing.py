"""Standing: whether somebody can stand at a place of a map that formations march over.

A map is told as (raster int64[rows, columns], walkable bool[n], frame float64[5], triangles): the vertex at each place
of the raster, or -1; which vertices have steps; x and y of the raster's origin, width and height of a place, and how
far from a vertex of a map of triangles the ground reaches; whether it is one, whose vertices are at corners of places.
"""

from __future__ import annotations

import math
from typing import Any

from anabasis._kernel import leaf

__all__ = ["holds", "room_beside"]


@leaf
def holds(land: Any, x: float, y: float) -> bool:
    """Tell whether a place is on ground where somebody can walk.

    On a map of triangles the nearest vertex must have steps, and be one of the place's own triangle; else the vertex of
    the raster's place that it is in.
    """
    raster, walkable, frame, triangles = land
    rows, columns = raster.shape
    px, py = (x - frame[0]) / frame[2], (y - frame[1]) / frame[3]
    if not triangles:
        column, row = math.floor(px), math.floor(py)
        if not (0 <= column < columns and 0 <= row < rows):
            return False
        return raster[row, column] >= 0 and walkable[raster[row, column]]
    free = closed = math.inf
    first = math.floor(py)
    for row in range(first, first + 2):
        left = row + 2 * math.floor((px - row) / 2)  # columns and rows of one parity
        for column in range(left, left + 3, 2):
            if 0 <= column < columns and 0 <= row < rows and raster[row, column] >= 0:
                dx, dy = (column - px) * frame[2], (row - py) * frame[3]
                apart = math.sqrt(dx * dx + dy * dy)
                if walkable[raster[row, column]]:
                    free = min(free, apart)
                else:
                    closed = min(closed, apart)
    return free <= frame[4] * (1 + 1e-9) and free <= closed


@leaf
def room_beside(land: Any, x: float, y: float, dx: float, dy: float, step: float, most: float) -> float:
    """Return how far ground goes on from a place in the direction of the unit vector (dx, dy), at most so far.

    It is looked at every `step`; what is narrower than that may be passed over.
    """
    far = 0.0
    while far < most:
        further = min(far + step, most)
        if not holds(land, x + further * dx, y + further * dy):
            return far
        far = further
    return most
