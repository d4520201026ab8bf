"""Jump queue: the open list and the tree of a search over jump points, lengths counted in whole numbers.

A straight step is `side` long and a diagonal one `slant`. A place is a cell as y << 14 | x. state: int64[cells, 2], for
each cell base + 2 · length of the way to it, plus 1 if it is expanded, and how it was reached: direction << 28 | place
of the jump point before. Each query has a base so far below the last one's that all that older queries wrote is
greater, so nothing is cleared between queries. An entry of the heap is (f - f of the start) >> 20, then the place;
entries whose keys differ in the lost bits alone may come in either order, and a cell whose way is shortened later is
expanded again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import leaf
from anabasis._kernel.key_heap import key_push
from anabasis._kernel.legs import leg_length, leg_steps, write_leg
from anabasis._kernel.report import EXPAND, note

__all__ = [
    "COORDINATE",
    "COORDINATE_BITS",
    "FINE",
    "PLACE",
    "PLACE_BITS",
    "START",
    "UNSEEN",
    "jump_begin",
    "jump_note",
    "jump_steps",
    "jump_unroll",
]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

COORDINATE_BITS, PLACE_BITS = 14, 28
COORDINATE, PLACE = (1 << COORDINATE_BITS) - 1, (1 << PLACE_BITS) - 1
START = 8  # the direction in which the start was entered
UNSEEN = 2**62
FINE = 20


@leaf
def jump_begin(start: int, width: int, state: Ints, base: int, heap: Ints) -> int:
    """Put the start into an empty heap; return its size."""
    state[start, 0], state[start, 1] = base, START << PLACE_BITS
    return key_push(heap, 0, start // width << COORDINATE_BITS | start % width)


@leaf
def jump_note(
    v: int, goal: int, width: int, side: int, slant: int, state: Ints, base: int, log: Floats, logged: int
) -> int:
    """Log that a cell is expanded, unless there is no log; return the number of rows in it."""
    if log.shape[0] == 0:
        return 0
    before, g = state[v, 1], ((state[v, 0] - base) >> 1) / side
    parent = int((before >> COORDINATE_BITS & COORDINATE) * width + (before & COORDINATE))
    h = leg_length(side, slant, v % width - goal % width, v // width - goal // width) / side
    return note(log, logged, EXPAND, v, -1 if before >> PLACE_BITS == START else parent, g, h)


@leaf
def jump_steps(state: Ints, goal: int, width: int) -> tuple[int, int]:
    """Return the number of steps of the way to the goal, and how many of them are diagonal."""
    v, steps, diagonal = goal, 0, 0
    while state[v, 1] >> PLACE_BITS != START:
        u = int((state[v, 1] >> COORDINATE_BITS & COORDINATE) * width + (state[v, 1] & COORDINATE))
        more, slanted = leg_steps(u, v, width)
        steps += more
        diagonal += slanted
        v = u
    return steps, diagonal


@leaf
def jump_unroll(state: Ints, goal: int, width: int, vertices: Ints, at: int) -> None:
    """Write the cells of the way to the goal, the last one to place at."""
    v = goal
    while state[v, 1] >> PLACE_BITS != START:
        u = int((state[v, 1] >> COORDINATE_BITS & COORDINATE) * width + (state[v, 1] & COORDINATE))
        at = write_leg(vertices, at, u, v, width, False)
        v = u
    vertices[at] = v
