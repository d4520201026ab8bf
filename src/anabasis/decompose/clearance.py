"""Clearance: how far each cell is from the walls, which is the relief that is flooded.

The octile distance, straight steps 10 and diagonal ones 14, to the nearest wall, or to the k-th nearest, so that single
walls in a wide place don't count: D. Halldórsson and Y. Björnsson, "Automated decomposition of game maps", 2015, as
told by J. Pacovský, "Navigation of units in video games using flow networks", 2019. The two passes are those of
G. Borgefors, "Distance transformations in digital images", 1986.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.grid import Grid

__all__ = ["STRAIGHT", "clearance"]

STRAIGHT, DIAGONAL = 10, 14


def clearance(grid: Grid, walls: int = 1) -> NDArray[np.int32]:
    """Return int32[height, width]: the least octile radius within which each cell has `walls` wall cells, 0 in walls.

    Cells outside the map are walls. The unit is a tenth of a cell.
    """
    free = np.pad(grid.free, 1)
    depth = np.where(free, np.int32(2**30), np.int32(0))
    _two_passes(depth)
    if walls > 1:
        _to_kth_wall(free, depth, walls)
    return depth[1:-1, 1:-1].copy()


@kernel
def _two_passes(depth: Any) -> None:
    """Write the distance to the nearest cell of depth 0; the border cells are of depth 0."""
    height, width = depth.shape
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            if depth[y, x]:
                straight = min(depth[y - 1, x], depth[y, x - 1])
                diagonal = min(depth[y - 1, x - 1], depth[y - 1, x + 1])
                depth[y, x] = min(depth[y, x], straight + STRAIGHT, diagonal + DIAGONAL)
    for y in range(height - 2, 0, -1):
        for x in range(width - 2, 0, -1):
            if depth[y, x]:
                straight = min(depth[y + 1, x], depth[y, x + 1])
                diagonal = min(depth[y + 1, x - 1], depth[y + 1, x + 1])
                depth[y, x] = min(depth[y, x], straight + STRAIGHT, diagonal + DIAGONAL)


@kernel
def _to_kth_wall(free: Any, depth: Any, walls: int) -> None:
    """Raise the distance to the nearest wall to that to the k-th nearest, counting what lies outside as walls."""
    height, width = free.shape
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            if not free[y, x]:
                continue
            length = depth[y, x]
            met = _walls_at(free, y, x, length)
            while met < walls:
                length += 2
                met += _walls_at(free, y, x, length)
            depth[y, x] = length


@kernel
def _walls_at(free: Any, y: int, x: int, length: int) -> int:
    """Return how many walls lie exactly so far from a cell: `far` cells along one axis and `near` along the other."""
    height, width = free.shape
    met, near = 0, (length // 2 * 3) % 5  # the first with which 10 · far + 4 · near can be the length
    while length >= DIAGONAL * near:
        far = (length - (DIAGONAL - STRAIGHT) * near) // STRAIGHT
        for turn in range(8):
            dx, dy = (far, near) if turn < 4 else (near, far)
            if (turn & 1 and dx == 0) or (turn & 2 and dy == 0) or (turn >= 4 and near == far):
                continue  # the same cell as without this turn
            dx, dy = -dx if turn & 1 else dx, -dy if turn & 2 else dy
            inside = 0 < y + dy < height - 1 and 0 < x + dx < width - 1
            if not inside or not free[y + dy, x + dx]:
                met += 1
        near += 5
    return met
