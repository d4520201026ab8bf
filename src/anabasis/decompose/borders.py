"""Borders: the lines between lakes, cut into pieces that lead from one wall to another.

Part of the decomposition after D. Halldórsson and Y. Björnsson, "Automated decomposition of game maps", 2015.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel

__all__ = ["borders"]


def borders(lake: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return int64[k, 5]: the pieces of the borders of lakes from wall to wall: x0, y0, x1, y1, lake.

    lake: int32[height, width], -1 in walls, which are all around. A border runs between cells, the lake to its left; a
    piece begins and ends at corners of cells that touch a wall, and the cells at its ends, which are returned, are on
    the lake's own side. A border between the same two corners is returned for one of the lakes alone.
    """
    pieces = _pieces(lake, _edges(lake))
    low, high = pieces[:, 5:].min(axis=1, initial=lake.size), pieces[:, 5:].max(axis=1, initial=0)
    _, first = np.unique(low * lake.size + high, return_index=True)
    return pieces[np.sort(first), :5]


@kernel
def _edges(lake: Any) -> Any:
    """Return the edges between cells of different lakes, once for each of the two.

    A row is (lake, start corner, end corner, cell) as vertices y · width + x; a corner has the number of the cell to
    its lower right; the lake lies to the left of who goes from start to end.
    """
    height, width = lake.shape
    rows = np.empty((256, 4), np.int64)
    count = 0
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            own = lake[y, x]
            if own < 0:
                continue
            for k in range(4):
                nx, ny = x + (k == 0) - (k == 2), y + (k == 1) - (k == 3)
                if lake[ny, nx] < 0 or lake[ny, nx] == own:
                    continue
                if count == len(rows):
                    rows = np.concatenate((rows, rows))
                # the side of the cell toward its neighbour, walked so that the cell is to the left (y runs down)
                east, south = x + 1, y + 1
                if k == 0:
                    a, b = south * width + east, y * width + east
                elif k == 1:
                    a, b = south * width + x, south * width + east
                elif k == 2:
                    a, b = y * width + x, south * width + x
                else:
                    a, b = y * width + east, y * width + x
                rows[count, 0], rows[count, 1], rows[count, 2], rows[count, 3] = own, a, b, y * width + x
                count += 1
    return rows[:count].copy()


@kernel
def _pieces(lake: Any, rows: Any) -> Any:
    """Join edges end to start into pieces from wall to wall; rows (x0, y0, x1, y1, lake, first and last corner)."""
    height, width = lake.shape
    flat = lake.reshape(-1)
    first = np.full(height * width, -1, np.int64)  # edges that start in a corner, as a list
    following = np.full(len(rows), -1, np.int64)
    for e in range(len(rows) - 1, -1, -1):
        following[e] = first[rows[e, 1]]
        first[rows[e, 1]] = e
    used = np.zeros(len(rows), np.uint8)
    pieces = np.empty((len(rows), 7), np.int64)
    count = 0
    for e in range(len(rows)):
        if not _at_wall(flat, width, rows[e, 1]):
            continue
        at = e
        while True:
            used[at] = 1
            corner = rows[at, 2]
            if _at_wall(flat, width, corner):
                cell, end = rows[e, 3], rows[at, 3]
                pieces[count, 0], pieces[count, 1] = cell % width, cell // width
                pieces[count, 2], pieces[count, 3], pieces[count, 4] = end % width, end // width, rows[e, 0]
                pieces[count, 5], pieces[count, 6] = rows[e, 1], corner
                count += 1
                break
            onward, k = -1, first[corner]
            while k >= 0:
                if rows[k, 0] == rows[e, 0] and not used[k]:
                    onward = k
                    break
                k = following[k]
            if onward < 0:
                break
            at = onward
    return pieces[:count].copy()


@kernel
def _at_wall(flat: Any, width: int, corner: int) -> bool:
    """Whether one of the four cells around a corner is a wall."""
    return flat[corner] < 0 or flat[corner - 1] < 0 or flat[corner - width] < 0 or flat[corner - width - 1] < 0
