"""Random obstacles: single cells or rectangles, strewn until a share of the map is blocked.

The random maps of N. R. Sturtevant, "Benchmarks for Grid-Based Pathfinding", 2012: 10 to 40 % of the cells are blocked,
and of the others only the largest part stays free. The cells are drawn one after the other with the right chance for an
exact number: D. E. Knuth, "The Art of Computer Programming", volume 2, section 3.4.2, algorithm S.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_word, stream_key
from anabasis.errors import InputError
from anabasis.maps.parts import largest_part
from anabasis.maps.shape import check_shape
from anabasis.options import check_count, check_seed, check_share

__all__ = ["random_obstacles"]

_STREAM = 300


def random_obstacles(
    width: int,
    height: int,
    *,
    seed: int = 0,
    share: float = 0.2,
    least: int = 1,
    most: int = 1,
    connected: bool = True,
) -> NDArray[np.bool_]:
    """Return bool[height, width], True where free: exactly round(share · cells) cells are blocked, then the islands.

    Obstacles are rectangles, each side drawn from `least` to `most` cells; the last ones are cut off to make the number
    exact. connected: block every part but the largest too, so that straight steps lead from each free cell to each
    other, and more than the share is blocked (at 0.2 a fiftieth of it more; above 0.4 most of the map).

    Raises InputError for a size, a share or sides that can't be.
    """
    check_shape(width, height)
    check_seed(seed)
    blocked = round(check_share(share, "share of blocked cells") * width * height)
    check_count(least, "least side of an obstacle", 1)
    check_count(most, "greatest side of an obstacle", 1)
    if most < least:
        raise InputError("greatest side of an obstacle", found=f"{most}", expected=f"at least the least side, {least}")
    free = np.ones((height, width), np.bool_)
    key = stream_key(seed, _STREAM, 0)
    if most == 1:
        _block_cells(key, blocked, free)
    else:
        _block_rectangles(key, blocked, least, most, free)
    return largest_part(free) if connected else free


@kernel
def _block_cells(key: int, blocked: int, free: Any) -> None:
    """Block so many cells, every choice of them equally likely."""
    height, width = free.shape
    left = height * width
    for y in range(height):
        for x in range(width):
            if random_word(key, y, x) * left >> 32 < blocked:
                free[y, x] = False
                blocked -= 1
            left -= 1


@kernel
def _block_rectangles(key: int, blocked: int, least: int, most: int, free: Any) -> None:
    """Block rectangles at random places, which may stick out of the map, until so many cells are blocked."""
    height, width = free.shape
    for number in range(64 * height * width):
        if not blocked:
            return
        wide = least + (random_word(key, number, 0) * (most - least + 1) >> 32)
        high = least + (random_word(key, number, 1) * (most - least + 1) >> 32)
        left = (random_word(key, number, 2) * (width + wide - 1) >> 32) - wide + 1
        top = (random_word(key, number, 3) * (height + high - 1) >> 32) - high + 1
        for y in range(max(top, 0), min(top + high, height)):
            for x in range(max(left, 0), min(left + wide, width)):
                if free[y, x] and blocked:
                    free[y, x] = False
                    blocked -= 1
    for y in range(height):  # a few last cells that no rectangle met
        for x in range(width):
            if free[y, x] and blocked:
                free[y, x] = False
                blocked -= 1
