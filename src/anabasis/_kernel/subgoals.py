"""Subgoals: the free cells at convex corners of walls, and which of them a unit sees from a cell without passing one.

T. Uras, S. Koenig and C. Hernández, "Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor Grids", 2013. Seen means
direct-h-reachable: reached by diagonal and then straight steps of one direction each, where no shortest way that is as
long leads through another subgoal. Steps as with the corner rule "strict".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.bit_rows import BASE, FROM, PLACE_X, PLACE_Y, ROW_X, ROW_Y, next_stop

__all__ = ["direct_subgoals"]

Ints = NDArray[np.int64]


@kernel
def direct_subgoals(
    x: int,
    y: int,
    width: int,
    around: NDArray[np.uint8],
    number: NDArray[np.int32],
    rows: Ints,
    lines: Ints,
    seen: Ints,
) -> int:
    """Write the cells of the subgoals seen from the free cell (x, y) into seen; return how many there are.

    number: its subgoal for each cell, -1 if it is none.
    """
    count, start = 0, y * width + x
    room = np.empty(4, np.int64)  # how far one can walk straight on, short of a wall or a subgoal
    for i in range(4):
        place = lines[i, FROM] + lines[i, PLACE_X] * x + lines[i, PLACE_Y] * y
        stop = next_stop(rows, lines[i, BASE] + lines[i, ROW_X] * x + lines[i, ROW_Y] * y, place + 1)
        room[i] = max(stop, ~stop) - place - 1
        if stop >= 0:
            seen[count] = start + (int(DY[2 * i]) * width + int(DX[2 * i])) * (stop - place)
            count += 1
    for i in range(4):
        d, j = 2 * i + 1, (i + 1) & 3  # the diagonal between the straight directions i and j
        need = 1 << d | 1 << (d - 1) | 1 << ((d + 1) & 7)
        dx, dy = int(DX[d]), int(DY[d])
        place_1 = lines[i, FROM] + lines[i, PLACE_X] * x + lines[i, PLACE_Y] * y
        place_2 = lines[j, FROM] + lines[j, PLACE_X] * x + lines[j, PLACE_Y] * y
        row_1 = lines[i, BASE] + lines[i, ROW_X] * x + lines[i, ROW_Y] * y
        row_2 = lines[j, BASE] + lines[j, ROW_X] * x + lines[j, ROW_Y] * y
        next_1, next_2 = lines[i, ROW_X] * dx + lines[i, ROW_Y] * dy, lines[j, ROW_X] * dx + lines[j, ROW_Y] * dy
        step, along_1 = dy * width + dx, int(DY[d - 1]) * width + int(DX[d - 1])
        along_2 = int(DY[(d + 1) & 7]) * width + int(DX[(d + 1) & 7])
        room_1, room_2, v = room[i], room[j], start
        while around[v] & need == need:
            v += step
            if number[v] >= 0:
                seen[count] = v
                count += 1
                break
            row_1 += next_1
            row_2 += next_2
            place_1 += 1
            place_2 += 1
            if room_1 > 0:
                stop = next_stop(rows, row_1, place_1 + 1)
                far = max(stop, ~stop) - place_1
                if stop >= 0 and far <= room_1:
                    seen[count] = v + along_1 * far
                    count += 1
                room_1 = min(room_1, far - 1)
            if room_2 > 0:
                stop = next_stop(rows, row_2, place_2 + 1)
                far = max(stop, ~stop) - place_2
                if stop >= 0 and far <= room_2:
                    seen[count] = v + along_2 * far
                    count += 1
                room_2 = min(room_2, far - 1)
    return count
