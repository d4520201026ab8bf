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

__all__ = ["ALONG_EAST", "ALONG_WEST", "BEGIN", "END", "NUMBER", "ROWS_NORTH", "ROWS_SOUTH", "flooded", "survey"]

BEGIN, END, ROWS_NORTH, ROWS_SOUTH, ALONG_WEST, ALONG_EAST, NUMBER = range(7)  # the last axis of a chart


def survey(grid: Grid) -> tuple[NDArray[np.int32], int]:
    """Return the chart of a map, int32[height + 1, width + 1, 7], and its number of corners.

    Of the cell (x, y), at [y, x]:

    - BEGIN, END: the first cell, and the one after the last, of the run of free or blocked cells in which it lies; END
      is negative in a run of blocked cells.
    - ROWS_NORTH, ROWS_SOUTH: in how many rows, this one included, there is the same run one after the other.

    Of the lattice point (x, y):

    - ALONG_WEST, ALONG_EAST: the next one in its row, on that side, at which a wall beside the row ends; -1 if the way
      along the row is blocked before.
    - NUMBER: 4 k + q for corner k, else -1; its blocked cell is to the east if q & 1, to the south if q & 2.
    """
    chart = np.full((grid.height + 1, grid.width + 1, 7), -1, np.int32)
    _runs(grid.cost, chart)
    _along(grid.cost, chart)
    return chart, _number(grid.cost, chart)


def flooded(cost: NDArray[np.float64], start: int) -> NDArray[np.bool_]:
    """Return bool[height · width]: the cells that are connected with cell `start` by sides."""
    reached = np.zeros(cost.size, np.bool_)
    _flood(cost, start, reached)
    return reached


@kernel
def _runs(cost: Any, chart: Any) -> None:
    height, width = cost.shape
    for y in range(height):
        begin = 0
        for x in range(1, width + 1):
            if x < width and (cost[y, x] == np.inf) == (cost[y, begin] == np.inf):
                continue
            end = x if cost[y, begin] < np.inf else -x
            for i in range(begin, x):
                chart[y, i, BEGIN], chart[y, i, END] = begin, end
            begin = x
    for way in range(2):
        for i in range(height):
            y, step = (i, -1) if way == 0 else (height - 1 - i, 1)
            for x in range(width):
                same = i > 0 and chart[y + step, x, BEGIN] == chart[y, x, BEGIN]
                same = same and chart[y + step, x, END] == chart[y, x, END]
                chart[y, x, ROWS_NORTH + way] = chart[y + step, x, ROWS_NORTH + way] + 1 if same else 1


@kernel
def _free(cost: Any, x: int, y: int) -> bool:
    height, width = cost.shape
    return 0 <= x < width and 0 <= y < height and cost[y, x] < np.inf


@kernel
def _along(cost: Any, chart: Any) -> None:
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
                    chart[y, x, ALONG_WEST + way] = -1
                elif next_up and next_down and not (up and down):
                    chart[y, x, ALONG_WEST + way] = x + step
                elif (up and next_up) or (down and next_down):
                    chart[y, x, ALONG_WEST + way] = chart[y, x + step, ALONG_WEST + way]
                else:  # from one side to the other between two cells that touch
                    chart[y, x, ALONG_WEST + way] = -1


@kernel
def _number(cost: Any, chart: Any) -> int:
    height, width = cost.shape
    count = 0
    for y in range(height + 1):
        for x in range(width + 1):
            blocked, where = 0, 0
            for q in range(4):
                if not _free(cost, x - 1 + (q & 1), y - 1 + (q >> 1)):
                    blocked += 1
                    where = q
            if blocked == 1:
                chart[y, x, NUMBER] = 4 * count + where
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
