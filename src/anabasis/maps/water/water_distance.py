"""Water distance: how far a land unit walks to the nearest water, so that rivers handicap no player.

Fair water is item 13 of the survey in a bachelor's thesis on terrain for strategy games, 2014: where water matters in
play, its place must not favour anyone. Counted by breadth-first search (E. Moore, "The shortest path through a maze",
1959) from all banks at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis.movement import MovementClass, movement_class
from anabasis.noun import freeze

__all__ = ["water_distance"]

Bools, Ints = NDArray[np.bool_], NDArray[np.int64]


def water_distance(terrain: ArrayLike, *, movement: str | MovementClass = "land") -> Ints:
    """Return int64[height, width]: the steps through sides of cells from each to the nearest beside water.

    0 on a bank, -1 in the water, where units of the movement class can't stand, and where no way leads to water.
    """
    letters = freeze(terrain, np.uint8, (None, None), "terrain")
    water = letters == ord("W")
    ground = np.isfinite(movement_class(movement).cost[letters]) & ~water
    around = np.pad(water, 1)
    bank = ground & (around[:-2, 1:-1] | around[2:, 1:-1] | around[1:-1, :-2] | around[1:-1, 2:])
    return _spread(ground, bank)


@kernel
def _spread(ground: Bools, bank: Bools) -> Ints:
    """Return the steps from the bank over the ground, -1 where none lead."""
    height, width = ground.shape
    steps, queue, tail = np.full((height, width), -1, np.int64), np.empty((height * width, 2), np.int64), 0
    for y in range(height):
        for x in range(width):
            if bank[y, x]:
                queue[tail, 0], queue[tail, 1], steps[y, x] = x, y, 0
                tail += 1
    head = 0
    while head < tail:
        x, y = queue[head, 0], queue[head, 1]
        head += 1
        for d in range(4):
            x_2, y_2 = x + (1 - d if d & 1 == 0 else 0), y + (2 - d if d & 1 else 0)
            if 0 <= x_2 < width and 0 <= y_2 < height and ground[y_2, x_2] and steps[y_2, x_2] < 0:
                steps[y_2, x_2] = steps[y, x] + 1
                queue[tail, 0], queue[tail, 1] = x_2, y_2
                tail += 1
    return steps
