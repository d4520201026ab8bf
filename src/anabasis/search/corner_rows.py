"""Corner rows: runs of cells and walls row by row, and the corners around which a shortest path may turn.

Tables of a map for `anya`. A lattice point is such a corner if exactly one of its four cells is blocked (what lies
outside the map is blocked): with two it lies on a straight wall or between cells that touch, with three in a nook.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.grid import Grid

__all__ = ["flooded", "survey"]


def survey(grid: Grid) -> tuple[NDArray[np.float64], NDArray[np.int16], NDArray[np.int16], NDArray[np.int32], int]:
    """Return cost, runs, along, number and the number of corners.

    - runs: int16[2, height, width], the first cell, and the one after the last, of the run of free or blocked cells in
      which a cell lies.
    - along: int16[2, height + 1, width + 1], from each lattice point to the west and to the east the next one in its
      row at which a wall beside the row ends; -1 if the way along the row is blocked before.
    - number: int32[height + 1, width + 1], 4 k + q for corner k, else -1; its blocked cell is to the east if q & 1, to
      the south if q & 2.
    """
    height, width = grid.cost.shape
    runs = np.empty((2, height, width), np.int16)
    along = np.empty((2, height + 1, width + 1), np.int16)
    number = np.empty((height + 1, width + 1), np.int32)
    _runs(grid.cost, runs)
    _along(grid.cost, along)
    return grid.cost, runs, along, number, _number(grid.cost, number)


def flooded(cost: NDArray[np.float64], start: int) -> NDArray[np.bool_]:
    """Return bool[height · width]: the cells that are connected with cell `start` by sides."""
    reached = np.zeros(cost.size, np.bool_)
    _flood(cost, start, reached)
    return reached


@kernel
def _runs(cost: Any, runs: Any) -> None:
    height, width = cost.shape
    for y in range(height):
        runs[0, y, 0], runs[1, y, width - 1] = 0, width
        for x in range(1, width):
            same = (cost[y, x] == np.inf) == (cost[y, x - 1] == np.inf)
            runs[0, y, x] = runs[0, y, x - 1] if same else x
        for x in range(width - 2, -1, -1):
            same = (cost[y, x] == np.inf) == (cost[y, x + 1] == np.inf)
            runs[1, y, x] = runs[1, y, x + 1] if same else x + 1


@kernel
def _free(cost: Any, x: int, y: int) -> bool:
    height, width = cost.shape
    return 0 <= x < width and 0 <= y < height and cost[y, x] < np.inf


@kernel
def _along(cost: Any, along: Any) -> None:
    height, width = cost.shape
    for y in range(height + 1):
        for way in range(2):
            step = 1 if way else -1
            for i in range(width, -1, -1):
                x = i if way else width - i  # the farthest first; the side of the cell ahead runs from x to x + step
                ahead, beyond = (x, x + 1) if way else (x - 1, x - 2)
                up, down = _free(cost, ahead, y - 1), _free(cost, ahead, y)
                next_up, next_down = _free(cost, beyond, y - 1), _free(cost, beyond, y)
                if (not up and not down) or (not next_up and not next_down):
                    along[way, y, x] = -1
                elif next_up and next_down and not (up and down):
                    along[way, y, x] = x + step
                elif (up and next_up) or (down and next_down):
                    along[way, y, x] = along[way, y, x + step]
                else:  # from one side to the other between two cells that touch
                    along[way, y, x] = -1


@kernel
def _number(cost: Any, number: Any) -> int:
    height, width = cost.shape
    count = 0
    for y in range(height + 1):
        for x in range(width + 1):
            number[y, x] = -1
            blocked, where = 0, 0
            for q in range(4):
                if not _free(cost, x - 1 + (q & 1), y - 1 + (q >> 1)):
                    blocked += 1
                    where = q
            if blocked == 1:
                number[y, x] = 4 * count + where
                count += 1
    return count


@kernel
def _flood(cost: Any, start: int, reached: Any) -> None:
    width = cost.shape[1]
    stack = np.empty(cost.size, np.int64)
    stack[0], size = start, 1
    reached[start] = True
    while size:
        size -= 1
        v = stack[size]
        x, y = v % width, v // width
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            w = v + dy * width + dx
            if _free(cost, x + dx, y + dy) and not reached[w]:
                reached[w] = True
                stack[size] = w
                size += 1
