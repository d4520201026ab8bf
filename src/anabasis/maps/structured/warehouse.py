"""Warehouse: rows and columns of shelves with aisles between them, and room for stations at both ends.

The layout of the map `warehouse-10-20-10-2-1` (10 columns and 20 rows of shelves, each 10 long and 2 deep, aisles of 1)
of R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks", 2019.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_word, stream_key
from anabasis.maps.shape import check_shape
from anabasis.options import check_count, check_seed, check_share

__all__ = ["warehouse"]

_STREAM = 310


def warehouse(
    width: int = 161,
    height: int = 63,
    *,
    seed: int = 0,
    shelf_length: int = 10,
    shelf_depth: int = 2,
    aisle: int = 1,
    cross_aisle: int = 1,
    stations: int | None = None,
    wall: int = 1,
    missing: float = 0.0,
) -> NDArray[np.bool_]:
    """Return bool[height, width], True where free: as many whole shelves as there is room for, in the middle.

    Shelves are `shelf_length` wide and `shelf_depth` high, with aisles `aisle` wide between rows and at top and bottom,
    and aisles `cross_aisle` wide between columns. At least `stations` free columns lie left and right of all shelves,
    by default a seventh of the width, and around everything a wall. missing: the share of shelves left out, drawn by
    the seed; nothing else is random. The free cells are one part. The defaults make the map warehouse-10-20-10-2-1,
    and with 321 × 123 cells they make warehouse-20-40-10-2-1.

    Raises InputError with the least size for a map that has not room for one shelf.
    """
    for value, name in ((shelf_length, "length of a shelf"), (shelf_depth, "depth of a shelf")):
        check_count(value, name, 1)
    for value, name in ((aisle, "width of the aisles"), (cross_aisle, "width of the cross aisles")):
        check_count(value, name, 1)
    check_count(wall, "thickness of the wall")
    if stations is None:
        stations = max(1, min(width // 7, (width - 2 * wall - shelf_length) // 2))
    check_count(stations, "width of the stations", 1)
    absent = check_share(missing, "share of missing shelves")
    side, top = wall + stations, wall + aisle
    check_shape(width, height, least_width=2 * side + shelf_length, least_height=2 * top + shelf_depth)
    check_seed(seed)
    columns = _numbers(width, side, shelf_length, cross_aisle)
    rows = _numbers(height, top, shelf_depth, aisle)
    shelves = np.zeros((rows.max() + 2, columns.max() + 2), np.bool_)  # the last row and column stand for the aisles
    present = np.zeros(shelves[1:, 1:].size, np.bool_)
    # each shelf has its own word, so the same ones go first however many are left out
    words = _words(stream_key(seed, _STREAM, 0), present.size)
    present[np.argsort(words, kind="stable")[round(absent * present.size) :]] = True
    shelves[:-1, :-1] = present.reshape(shelves[1:, 1:].shape)
    free = np.zeros((height, width), np.bool_)
    inside = slice(wall, height - wall), slice(wall, width - wall)
    free[inside] = ~shelves[rows[:, None], columns][inside]
    return free


def _numbers(span: int, margin: int, side: int, gap: int) -> NDArray[np.int64]:
    """Return int64[span]: the number of the shelf at each place, -1 between them.

    As many shelves of one side as fit between the margins stand in the middle.
    """
    count = (span - 2 * margin + gap) // (side + gap)
    place = np.arange(span) - (span - count * (side + gap) + gap) // 2
    number = place // (side + gap)
    return np.where((number >= 0) & (number < count) & (place % (side + gap) < side), number, -1)


@kernel
def _words(key: int, count: int) -> NDArray[np.int64]:
    """Return a random word for each shelf."""
    words = np.empty(count, np.int64)
    for shelf in range(count):
        words[shelf] = random_word(key, shelf, 0)
    return words
