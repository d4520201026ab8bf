"""Bit rows: where a unit that walks straight on stops next, 31 cells or more at a look.

D. Harabor and A. Grastien, "Improving Jump Point Search", 2014 (block-based scanning). For each of the four straight
directions the lines of the map are laid along the way, so that every walk goes to higher places; word k of a line holds
the places 32k to 32k + 62, so that one word shows at least 31 places from any place on. rows: int64[words, 2], bits of
the stops and of the walls among them; lines: int64[4, 8], for each direction how its words are found.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf

__all__ = ["BASE", "FROM", "PLACE_X", "PLACE_Y", "ROW_X", "ROW_Y", "drop_stop", "lay_rows", "next_stop", "set_stop"]

Ints = NDArray[np.int64]

# The columns of lines: the line of cell (x, y) begins at word BASE + ROW_X · x + ROW_Y · y, and the cell stands at its
# place FROM + PLACE_X · x + PLACE_Y · y.
BASE, ROW_X, ROW_Y, FROM, PLACE_X, PLACE_Y = range(6)


@kernel
def lay_rows(stop: NDArray[np.uint8], free: NDArray[np.bool_], width: int, height: int) -> tuple[Ints, Ints]:
    """Return rows and lines.

    stop: uint8[height · width], bit i set where who walks in direction 2i stops. Walls, and what is behind the border,
    are stops for all.
    """
    wide, high = (width >> 5) + 2, (height >> 5) + 2
    lines = np.zeros((4, 8), np.int64)
    lines[0, ROW_Y], lines[0, PLACE_X] = wide, 1
    lines[1, BASE], lines[1, ROW_X], lines[1, PLACE_Y] = 2 * wide * height, high, 1
    lines[2, BASE], lines[2, ROW_Y], lines[2, FROM], lines[2, PLACE_X] = wide * height, wide, width - 1, -1
    lines[3, BASE], lines[3, ROW_X] = 2 * wide * height + high * width, high
    lines[3, FROM], lines[3, PLACE_Y] = height - 1, -1
    rows = np.zeros((2 * wide * height + 2 * high * width, 2), np.int64)
    for i in range(4):
        base, row_x, row_y, place_0 = lines[i, BASE], lines[i, ROW_X], lines[i, ROW_Y], lines[i, FROM]
        place_x, place_y = lines[i, PLACE_X], lines[i, PLACE_Y]
        for y in range(height):
            for x in range(width):
                v = y * width + x
                wall = not free[v]
                if wall or stop[v] >> i & 1:
                    _mark(rows, base + row_x * x + row_y * y, place_0 + place_x * x + place_y * y, wall)
        for line in range(height if i % 2 == 0 else width):
            _mark(rows, base + line * max(row_x, row_y), width if i % 2 == 0 else height, True)
    return rows, lines


@leaf
def _mark(rows: Ints, row: int, place: int, wall: bool) -> None:
    """Set the bit of a place, in both words that hold it."""
    k, bit = row + (place >> 5), place & 31
    rows[k, 0] |= 1 << bit
    if wall:
        rows[k, 1] |= 1 << bit
    if place >= 32 and bit < 31:
        rows[k - 1, 0] |= 1 << (bit + 32)
        if wall:
            rows[k - 1, 1] |= 1 << (bit + 32)


@leaf
def next_stop(rows: Ints, row: int, place: int) -> int:
    """Return the first stop of a line at this place or behind it; ~ of it if it is a wall."""
    k, shift = row + (place >> 5), place & 31
    word = rows[k, 0] >> shift
    while word == 0:
        k += 1
        shift = 0
        word = rows[k, 0]
    low = word & -word & 0x7FFFFFFFFFFFFFFF
    wall = rows[k, 1] >> shift & low
    place = ((k - row) << 5) + shift - 1
    while low:  # the compiler makes one instruction of this loop
        low >>= 1
        place += 1
    return ~place if wall else place


@kernel
def set_stop(rows: Ints, lines: Ints, x: int, y: int) -> int:
    """Make a free cell a stop for every direction; return bits of the directions for which it was none before."""
    new = 0
    for i in range(4):
        row = lines[i, BASE] + lines[i, ROW_X] * x + lines[i, ROW_Y] * y
        place = lines[i, FROM] + lines[i, PLACE_X] * x + lines[i, PLACE_Y] * y
        if not rows[row + (place >> 5), 0] >> (place & 31) & 1:
            _mark(rows, row, place, False)
            new |= 1 << i
    return new


@leaf
def drop_stop(rows: Ints, lines: Ints, x: int, y: int, new: int) -> None:
    """Undo a `set_stop` that returned `new`."""
    for i in range(4):
        if new >> i & 1:
            row = lines[i, BASE] + lines[i, ROW_X] * x + lines[i, ROW_Y] * y
            place = lines[i, FROM] + lines[i, PLACE_X] * x + lines[i, PLACE_Y] * y
            k, bit = row + (place >> 5), place & 31
            rows[k, 0] ^= 1 << bit
            if place >= 32 and bit < 31:
                rows[k - 1, 0] ^= 1 << (bit + 32)
