"""Turns: where a unit that walks on in one direction may have to turn, so that a jump point search stops there.

D. Harabor and A. Grastien, "Online Graph Pruning for Pathfinding on Grid Maps", 2011 (forced neighbours), read off the
canonical table of steps (see `moves`) for every corner rule.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.search.moves import move_table

__all__ = ["turns"]

Bytes = NDArray[np.uint8]


def turns(corners: str) -> tuple[Bytes, Bytes]:
    """Return what a walk may do in a cell of each of the 256 surroundings, under a corner rule, as two tables.

    uint8[256]: bit i is set if who walks in direction 2i may turn here. uint8[8, 256]: bit 0 is set if a step in that
    direction is allowed, bit 1 if who walks in it diagonally may turn here to anything but its own two components.
    """
    allowed, canonical = move_table(8, corners, False)[8], move_table(8, corners, True)
    stop, step = np.zeros(256, np.uint8), np.zeros((8, 256), np.uint8)
    for around in range(256):
        for d in range(8):
            natural = (d,) if d % 2 == 0 else (d, d - 1, (d + 1) % 8)
            turn = any(way not in natural for way in _directions(int(canonical[d, around])))
            step[d, around] = (d in _directions(int(allowed[around]))) | turn << 1
            if d % 2 == 0:
                stop[around] |= turn << (d // 2)
    return stop, step


def _directions(word: int) -> list[int]:
    """Return the list of directions that a number of a table of moves stands for."""
    return [(word >> shift & 15) - 1 for shift in range(0, 32, 4) if word >> shift & 15]
