"""Outline: the exact world of polygons that a grid is.

Every run of cell sides between a blocked and a free cell is one edge. Cells that touch only at a corner don't let
anybody through between them. Boundary runs are linked in one sweep over the lattice points, which needs no walk along
the boundary; only the rings of the world are walked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.decompose.free_space import FreeSpace, known
from anabasis.grid import Grid
from anabasis.world import World

__all__ = ["grid_world", "outline"]


def grid_world(grid: Grid) -> World:
    """Return the world whose obstacles are exactly the blocked cells of a grid, in its frame (a cell is 1 × 1).

    Prices of free cells are lost. Its free space is known at once: `free_space` takes no time for it.
    """
    free = grid.free
    bounds = (0.0, 0.0, float(grid.width), float(grid.height))
    world = World(bounds, *outline(~free))
    known[world] = _free_space_of(free, bounds)
    return world


def outline(mask: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the outlines of the True cells of bool[height, width]: points float64[n, 2] and the starts of rings.

    The rings are simple, cross nowhere and touch at most in points; the cells inside an odd number of them are the
    True ones.
    """
    corners, after, _, twin = _corners_of(np.pad(np.asarray(mask, bool), 1))
    points, rings = np.empty_like(corners), np.zeros(len(corners) // 4 + 1, np.int64)
    count = _rings(corners, after, twin, points, rings)
    return points, rings[: count + 1].copy()


def _free_space_of(free: NDArray[np.bool_], bounds: tuple[float, float, float, float]) -> FreeSpace:
    """Return the free space of a grid without polygons: its parts are those of cells joined by sides."""
    from scipy import ndimage

    label = np.zeros((free.shape[0] + 2, free.shape[1] + 2), np.int32)
    ndimage.label(free, output=label[1:-1, 1:-1])
    corners, after, before, twin = _corners_of(label > 0)
    component = np.empty(len(corners), np.int64)
    _parts(label, corners, after, component)
    return FreeSpace(bounds, corners, after, before, component, twin)


def _corners_of(
    mask: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return corners, after, before, twin of the boundary of the True cells; the border of the mask is False."""
    number = _count(mask)
    corners = np.empty((number, 2))
    after, before, twin = (np.empty(number, np.int64) for _ in range(3))
    _link(mask, corners, after, before, twin)
    return corners, after, before, twin


@kernel
def _count(mask: Any) -> int:
    """Return the number of corners: places where a boundary turns, two where True cells touch at a corner only."""
    height, width = mask.shape
    number = 0
    for y in range(height - 1):
        for x in range(width - 1):
            nw, ne, sw, se = mask[y, x], mask[y, x + 1], mask[y + 1, x], mask[y + 1, x + 1]
            if (nw != ne or sw != se) and (nw != sw or ne != se):
                number += 2 if nw == se and ne == sw else 1
    return number


@kernel
def _link(mask: Any, corners: Any, after: Any, before: Any, twin: Any) -> None:
    """Number the corners row by row and link each to the one at the other end of its runs.

    True cells are on the side where orient is positive: below a run to the east, left of a run to the south.
    """
    height, width = mask.shape
    above = np.empty(width, np.int64)  # the corner from which a vertical run comes down in each column
    number = 0
    for y in range(height - 1):
        left = -1  # the corner from which a horizontal run comes
        for x in range(width - 1):
            nw, ne, sw, se = mask[y, x], mask[y, x + 1], mask[y + 1, x], mask[y + 1, x + 1]
            if not ((nw != ne or sw != se) and (nw != sw or ne != se)):
                continue
            double = nw == se and ne == sw
            # which corner the runs to the west, north, east and south belong to: two corners, one for each True cell
            west = north = east = south = number
            if double:
                if nw:
                    east = south = number + 1
                else:
                    east = north = number + 1
            for k in range(number, number + (2 if double else 1)):
                corners[k, 0], corners[k, 1], twin[k] = x, y, k
            if double:
                twin[number], twin[number + 1] = number + 1, number
            if nw != sw:
                tail, head = (left, west) if sw else (west, left)
                after[tail], before[head] = head, tail
            if nw != ne:
                tail, head = (above[x], north) if nw else (north, above[x])
                after[tail], before[head] = head, tail
            left, above[x] = east, south
            number += 2 if double else 1


@kernel
def _parts(label: Any, corners: Any, after: Any, component: Any) -> None:
    """Write the part of each corner: one less than the label of the cell beside the run that leaves it."""
    for i in range(len(corners)):
        j = after[i]
        x, y = int(corners[i, 0]), int(corners[i, 1])  # in the mask's frame, cell (x, y) is below on the right of it
        if corners[i, 1] == corners[j, 1]:
            east = corners[j, 0] > corners[i, 0]
            cell = label[y + 1, x + 1] if east else label[y, x]
        else:
            south = corners[j, 1] > corners[i, 1]
            cell = label[y + 1, x] if south else label[y, x + 1]
        component[i] = cell - 1


@kernel
def _rings(corners: Any, after: Any, twin: Any, points: Any, rings: Any) -> int:
    """Write the boundary as simple rings, cut where it comes back to a point; return how many there are."""
    n = len(corners)
    seen, place, stack = np.zeros(n, np.bool_), np.full(n, -1), np.empty(n, np.int64)
    count, written = 0, 0
    for first in range(n):
        if seen[first]:
            continue
        size, i = 0, first
        while not seen[i]:
            seen[i] = True
            back = place[twin[i]] if twin[i] != i else -1
            if back >= 0:  # the way since then is a ring of its own
                place[stack[back]] = -1
                for k in range(back, size):
                    points[written, 0], points[written, 1] = corners[stack[k], 0], corners[stack[k], 1]
                    place[stack[k]] = -1
                    written += 1
                count += 1
                rings[count] = written
                size = back
            stack[size], place[i] = i, size
            size += 1
            i = after[i]
        for k in range(size):
            points[written, 0], points[written, 1] = corners[stack[k], 0], corners[stack[k], 1]
            place[stack[k]] = -1
            written += 1
        count += 1
        rings[count] = written
    return count
