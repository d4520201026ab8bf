"""Wall: the nearest wall to a continuous position, on a clearance map (see `ray`)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import leaf

__all__ = ["wall_gap"]


@leaf
def wall_gap(walls: NDArray[np.uint8], x: float, y: float, radius: float) -> tuple[float, float, float]:
    """Return the vector to the nearest point of a wall and its length, if nearer than the radius; else radius."""
    best, best_x, best_y = radius * radius, 0.0, 0.0
    left, top = math.floor(x - radius), math.floor(y - radius)
    for cy in range(max(top, -1), min(math.floor(y + radius) + 1, walls.shape[0] - 1)):
        for cx in range(max(left, -1), min(math.floor(x + radius) + 1, walls.shape[1] - 1)):
            if walls[cy + 1, cx + 1] == 0:
                dx = min(max(x, cx + 0.0), cx + 1.0) - x
                dy = min(max(y, cy + 0.0), cy + 1.0) - y
                square = dx * dx + dy * dy
                if square < best:
                    best, best_x, best_y = square, dx, dy
    return best_x, best_y, math.sqrt(best)
