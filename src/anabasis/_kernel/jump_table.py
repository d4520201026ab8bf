"""Jump table: how far the next jump point is from each cell in each direction, and walks by it.

D. Harabor and A. Grastien, "Improving Jump Point Search", 2014 (JPS+). A straight step is `side` long and a diagonal
one `slant`; places and ways of reaching them are written as in `jump_queue`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.jump_queue import COORDINATE_BITS, PLACE_BITS

__all__ = ["jump_table", "jump_walk"]

Bytes, Halves = NDArray[np.uint8], NDArray[np.int16]
Ints, Floats = NDArray[np.int64], NDArray[np.float64]


@kernel
def jump_table(width: int, height: int, around: Bytes, cost: Floats, stop: Bytes, step: Bytes) -> Halves:
    """Return int16[cells, 8]: how far the next jump point is in each direction, or if there is none -1 times the wall.

    stop, step: see `anabasis.search.jps.turns`. In a diagonal direction a jump point is a cell where the walk may turn,
    or from which a straight walk in one of the two components finds a jump point.
    """
    jumps = np.zeros((width * height, 8), np.int16)
    for d in (0, 2, 4, 6, 1, 3, 5, 7):
        dx, dy = int(DX[d]), int(DY[d])
        offset, left, right = dy * width + dx, d - 1, (d + 1) & 7
        for i in range(height):
            y = height - 1 - i if dy > 0 else i  # the cell that is walked to comes before
            for j in range(width):
                x = width - 1 - j if dx > 0 else j
                v = y * width + x
                if not (cost[v] < np.inf and step[d, around[v]] & 1):
                    continue
                w = v + offset
                if d & 1:
                    here = bool(step[d, around[w]] & 2) or jumps[w, left] > 0 or jumps[w, right] > 0
                else:
                    here = bool(stop[around[w]] >> (d >> 1) & 1)
                jumps[v, d] = 1 if here else (jumps[w, d] + 1 if jumps[w, d] > 0 else jumps[w, d] - 1)
    return jumps


@leaf
def jump_walk(
    d: int,
    x: int,
    y: int,
    g: int,
    goal_x: int,
    goal_y: int,
    width: int,
    side: int,
    slant: int,
    around: Bytes,
    step: Bytes,
    jumps: Halves,
    found: Ints,
    count: int,
) -> int:
    """Walk from (x, y) in direction d by the table, to jump points or to the goal.

    Appends them to found, int64[k, 2]: the length of the way there, and how it is reached, as in the tree of
    `jump_queue`, but with its own place. Returns their new count.
    """
    dx, dy = int(DX[d]), int(DY[d])
    v, here, add = y * width + x, y << COORDINATE_BITS | x, (dy << COORDINATE_BITS) + dx
    if d & 1 == 0:
        far = int(jumps[v, d])
        rest = (goal_x - x) * dx + (goal_y - y) * dy
        if 0 < rest <= abs(far) and (goal_y == y if dx else goal_x == x):
            far = rest
        if far > 0:
            found[count, 0], found[count, 1] = g + far * side, d << PLACE_BITS | (here + add * far)
            count += 1
        return count
    left, right, offset = d - 1, (d + 1) & 7, dy * width + dx
    add_1, add_2 = (
        int(DY[left] << COORDINATE_BITS) + int(DX[left]),
        int(DY[right] << COORDINATE_BITS) + int(DX[right]),
    )
    rest_x, rest_y = (goal_x - x) * dx, (goal_y - y) * dy
    turn = min(rest_x, rest_y)  # so far on, the goal lies straight ahead or is reached
    while True:
        far = int(jumps[v, d])
        if 0 < turn <= abs(far):
            w, ahead, beside = v + offset * turn, here + add * turn, max(rest_x, rest_y) - min(rest_x, rest_y)
            way = g + turn * slant + beside * side
            last = left if (DX[left] != 0) == (rest_x > rest_y) else right
            if beside == 0:
                found[count, 0], found[count, 1] = way, d << PLACE_BITS | ahead
                return count + 1
            if beside <= abs(jumps[w, last]):
                found[count, 0], found[count, 1] = way, last << PLACE_BITS | (goal_y << COORDINATE_BITS | goal_x)
                count += 1
        if far <= 0:
            return count
        v += offset * far
        here += add * far
        g += far * slant
        turn -= far
        if step[d, around[v]] & 2:
            found[count, 0], found[count, 1] = g, d << PLACE_BITS | here
            return count + 1
        far = int(jumps[v, left])
        if far > 0:
            found[count, 0], found[count, 1] = g + far * side, left << PLACE_BITS | (here + add_1 * far)
            count += 1
        far = int(jumps[v, right])
        if far > 0:
            found[count, 0], found[count, 1] = g + far * side, right << PLACE_BITS | (here + add_2 * far)
            count += 1
