"""Mazes: a spanning tree of corridors of a given width, and loops where dead ends are opened.

With corridors of 1 to 32 cells and walls of 1 these are the mazes of N. R. Sturtevant, "Benchmarks for Grid-Based
Pathfinding", 2012: walls at the top and left, and cut off at the right and bottom where the map ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_word, stream_key
from anabasis.maps.shape import check_shape
from anabasis.maps.structured.maze_trees import EAST, SOUTH, spanning_tree
from anabasis.options import check_count, check_seed, check_share

__all__ = ["maze"]

_STREAM = 321


def maze(
    width: int,
    height: int,
    *,
    seed: int = 0,
    algorithm: str = "depth_first",
    corridor: int = 1,
    wall: int = 1,
    loops: float = 0.0,
) -> NDArray[np.bool_]:
    """Return bool[height, width], True where free: corridors `corridor` cells wide between walls of `wall` cells.

    algorithm: one of `maze_trees.ALGORITHMS`. The maze begins with a wall at the top and left and covers the whole map;
    the last corridors may be cut narrower by the end of the map. loops: the share of dead ends that get a second exit,
    of all as they are counted before the first is opened. Without loops there is one way between any two places, and
    the free cells of a maze with corridor=1 are a tree; with loops=1 there is no dead end where the maze is at least
    two corridors wide and high.

    Raises InputError for a size below one wall and one free cell, and an unknown algorithm.
    """
    check_count(corridor, "width of the corridors", 1)
    check_count(wall, "thickness of the walls", 1)
    share = check_share(loops, "share of dead ends opened")
    check_shape(width, height, least_width=wall + 1, least_height=wall + 1)
    check_seed(seed)
    pitch = corridor + wall
    columns, rows = -((wall - width) // pitch), -((wall - height) // pitch)
    join = spanning_tree(columns, rows, algorithm=algorithm, seed=seed)
    if share:
        _open_dead_ends(stream_key(seed, _STREAM, 0), share, join)
    free = np.zeros((height, width), np.bool_)
    _draw(join, corridor, wall, free)
    return free


@kernel
def _exits(join: Any, x: int, y: int) -> int:
    """Return the exits of a cell as bits: east, south, west, north."""
    exits = int(join[y, x]) & 3
    if x and join[y, x - 1] & EAST:
        exits |= 4
    if y and join[y - 1, x] & SOUTH:
        exits |= 8
    return exits


@kernel
def _open_dead_ends(key: int, share: float, join: Any) -> None:
    """Give a share of the dead ends an exit more, to another dead end if there is one, else to any neighbour."""
    rows, columns = join.shape
    ends, count = np.empty(rows * columns, np.int64), 0
    for v in range(rows * columns):
        if _exits(join, v % columns, v // columns) in (1, 2, 4, 8):
            ends[count] = v
            count += 1
    choice = np.empty((3, 2), np.int64)
    for number in range(round(share * count)):  # a shuffle that ends as soon as there are enough
        k = number + (random_word(key, number, 0) * (count - number) >> 32)
        v = int(ends[k])
        ends[k] = ends[number]
        x, y = v % columns, v // columns
        exits = _exits(join, x, y)
        if exits not in (1, 2, 4, 8):
            continue  # opened from the other side
        found, dead = 0, False
        for direction in range(4):
            dx, dy = (1, 0, -1, 0)[direction], (0, 1, 0, -1)[direction]
            if exits >> direction & 1 or not (0 <= x + dx < columns and 0 <= y + dy < rows):
                continue
            is_dead = _exits(join, x + dx, y + dy) in (1, 2, 4, 8)
            if is_dead and not dead:
                found, dead = 0, True
            if is_dead == dead:
                choice[found] = dx, dy
                found += 1
        if found:
            dx, dy = choice[random_word(key, number, 1) * found >> 32]
            join[min(y, y + dy), min(x, x + dx)] |= EAST if dx else SOUTH


@kernel
def _draw(join: Any, corridor: int, wall: int, free: Any) -> None:
    """Draw the cells and the openings between them; what lies beyond the map is cut off."""
    rows, columns = join.shape
    height, width = free.shape
    pitch = corridor + wall
    for row in range(rows):
        top = wall + row * pitch
        for y in range(top, min(top + pitch, height)):
            beside = y >= top + corridor
            for column in range(columns):
                joined = int(join[row, column])
                left = wall + column * pitch
                if not beside:
                    end = left + (pitch if joined & EAST else corridor)
                elif joined & SOUTH:
                    end = left + corridor
                else:
                    continue
                for x in range(left, min(end, width)):
                    free[y, x] = True
