"""Maze trees: spanning trees of a grid of cells by eight algorithms, each with a look of its own.

Collected by J. Buck, "Mazes for Programmers", 2015. Prim and Kruskal: R. C. Prim, "Shortest Connection Networks and
Some Generalizations", 1957, and J. B. Kruskal, "On the Shortest Spanning Subtree of a Graph", 1956, with walls in
random order in place of lengths; Wilson: D. B. Wilson, "Generating Random Spanning Trees More Quickly than the Cover
Time", 1996.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_word, stream_key
from anabasis.options import check_choice

__all__ = ["ALGORITHMS", "EAST", "SOUTH", "spanning_tree"]

ALGORITHMS = ("depth_first", "prim", "kruskal", "wilson", "division", "eller", "binary_tree", "sidewinder")
"""depth_first: long winding corridors; prim: short dead ends; kruskal: even; wilson: every tree equally likely;
division: long straight walls; eller: row by row; binary_tree and sidewinder: a corridor along the top, and from every
cell a way up to it that never goes down."""

EAST, SOUTH = 1, 2

_STREAM = 320


def spanning_tree(columns: int, rows: int, *, algorithm: str = "depth_first", seed: int = 0) -> NDArray[np.uint8]:
    """Return uint8[rows, columns]: the bit EAST where a cell is joined to the next column, SOUTH to the next row.

    The joins are a spanning tree: one way between any two cells. Raises InputError for an algorithm that is none of
    ALGORITHMS.
    """
    check_choice(algorithm, "maze algorithm", ALGORITHMS)
    join = np.zeros((rows, columns), np.uint8)
    key = stream_key(seed, _STREAM, ALGORITHMS.index(algorithm))
    _TREES[algorithm](key, join)
    return join


@kernel
def _below(key: int, number: int, count: int) -> int:
    """Return the number-th draw of a whole number from 0 to count - 1."""
    return random_word(key, number >> 32, number & 0xFFFFFFFF) * count >> 32


@kernel
def _step(v: int, direction: int, columns: int, rows: int) -> int:
    """Return the cell one step east, south, west or north (0 to 3) of v, or -1 outside the grid."""
    if direction == 0:
        return v + 1 if v % columns < columns - 1 else -1
    if direction == 1:
        return v + columns if v // columns < rows - 1 else -1
    if direction == 2:
        return v - 1 if v % columns else -1
    return v - columns if v >= columns else -1


@kernel
def _join(flat: Any, v: int, direction: int, columns: int) -> None:
    """Join v to its neighbour in a direction."""
    if direction == 2:
        v -= 1
    elif direction == 3:
        v -= columns
    flat[v] |= SOUTH if direction & 1 else EAST


@kernel
def _depth_first(key: int, join: Any) -> None:
    """Walk on to a random unseen neighbour; where there is none, go back."""
    rows, columns = join.shape
    flat = join.reshape(-1)
    seen, back, choice = np.zeros(flat.size, np.bool_), np.empty(flat.size, np.uint8), np.empty(4, np.int64)
    draw, left = 1, flat.size - 1
    v = _below(key, 0, flat.size)
    seen[v] = True
    while left:
        count = 0
        for direction in range(4):
            w = _step(v, direction, columns, rows)
            if w >= 0 and not seen[w]:
                choice[count] = direction
                count += 1
        if count:
            direction = int(choice[_below(key, draw, count)])
            draw += 1
            _join(flat, v, direction, columns)
            v = _step(v, direction, columns, rows)
            seen[v], back[v] = True, direction ^ 2
            left -= 1
        else:
            v = _step(v, int(back[v]), columns, rows)


@kernel
def _prim(key: int, join: Any) -> None:
    """Take a random one of all walls between seen and unseen cells, and open it."""
    rows, columns = join.shape
    flat = join.reshape(-1)
    seen, walls = np.zeros(flat.size, np.bool_), np.empty(4 * flat.size, np.int64)
    v, count, draw = _below(key, 0, flat.size), 0, 1
    seen[v] = True
    for _ in range(flat.size - 1):
        for direction in range(4):
            w = _step(v, direction, columns, rows)
            if w >= 0 and not seen[w]:
                walls[count] = v << 2 | direction
                count += 1
        while True:
            k = _below(key, draw, count)
            draw += 1
            wall = int(walls[k])
            count -= 1
            walls[k] = walls[count]
            w = _step(wall >> 2, wall & 3, columns, rows)
            if not seen[w]:
                break
        _join(flat, wall >> 2, wall & 3, columns)
        v = w
        seen[v] = True


@kernel
def _root(parent: Any, v: int) -> int:
    """Return the root of the set of v, and shorten the way to it."""
    while parent[v] != v:
        parent[v] = parent[parent[v]]
        v = int(parent[v])
    return v


@kernel
def _kruskal(key: int, join: Any) -> None:
    """Go through all walls in random order, and open each that parts two sets of cells."""
    rows, columns = join.shape
    flat = join.reshape(-1)
    walls, count = np.empty(2 * flat.size, np.int64), 0
    for v in range(flat.size):
        for direction in range(2):
            if _step(v, direction, columns, rows) >= 0:
                walls[count] = v << 2 | direction
                count += 1
    parent, left, draw = np.arange(flat.size), flat.size - 1, 0
    while left:
        k = _below(key, draw, count)
        draw += 1
        wall = int(walls[k])
        count -= 1
        walls[k] = walls[count]
        one = _root(parent, wall >> 2)
        other = _root(parent, _step(wall >> 2, wall & 3, columns, rows))
        if one != other:
            parent[max(one, other)] = min(one, other)
            _join(flat, wall >> 2, wall & 3, columns)
            left -= 1


@kernel
def _wilson(key: int, join: Any) -> None:
    """Walk at random from each cell to the tree, and keep the way without its loops: the last exit of each cell."""
    rows, columns = join.shape
    flat = join.reshape(-1)
    done, exits = np.zeros(flat.size, np.bool_), np.empty(flat.size, np.uint8)
    done[_below(key, 0, flat.size)] = True
    draw = 1
    for start in range(flat.size):
        v = start
        while not done[v]:
            direction = _below(key, draw, 4)
            draw += 1
            w = _step(v, direction, columns, rows)
            if w >= 0:
                exits[v] = direction
                v = w
        v = start
        while not done[v]:
            done[v] = True
            _join(flat, v, int(exits[v]), columns)
            v = _step(v, int(exits[v]), columns, rows)


@kernel
def _division(key: int, join: Any) -> None:
    """Part a room by a wall with one opening, along its shorter side, and then both halves."""
    rows, columns = join.shape
    for y in range(rows):
        for x in range(columns):
            join[y, x] = (EAST if x < columns - 1 else 0) | (SOUTH if y < rows - 1 else 0)
    rooms, count, draw = np.empty((64, 4), np.int64), 1, 0
    rooms[0] = 0, 0, columns, rows
    while count:
        count -= 1
        x, y, wide, high = rooms[count]
        if wide < 2 or high < 2:
            continue
        upright = wide > high or (wide == high and _below(key, draw, 2) == 1)
        cut = 1 + _below(key, draw + 1, (wide if upright else high) - 1)
        opening = _below(key, draw + 2, high if upright else wide)
        draw += 3
        if count + 2 > len(rooms):
            rooms = np.concatenate((rooms, rooms))
        if upright:
            for k in range(high):
                if k != opening:
                    join[y + k, x + cut - 1] &= SOUTH
            rooms[count] = x, y, cut, high
            rooms[count + 1] = x + cut, y, wide - cut, high
        else:
            for k in range(wide):
                if k != opening:
                    join[y + cut - 1, x + k] &= EAST
            rooms[count] = x, y, wide, cut
            rooms[count + 1] = x, y + cut, wide, high - cut
        count += 2


@kernel
def _eller(key: int, join: Any) -> None:
    """Row by row: join neighbours of different sets by the toss of a coin, and send each set down at least once."""
    rows, columns = join.shape
    parent, fresh = np.arange(columns), np.empty(columns, np.int64)
    down, last = np.empty(columns, np.bool_), np.empty(columns, np.int64)
    draw = 0
    for y in range(rows):
        for x in range(columns - 1):
            one, other = _root(parent, x), _root(parent, x + 1)
            if one != other and (y == rows - 1 or _below(key, draw + x, 2) == 1):
                parent[max(one, other)] = min(one, other)
                join[y, x] |= EAST
        draw += columns
        if y == rows - 1:
            return
        last[:] = -1
        for x in range(columns):  # the last cell of a set goes down if no other did
            down[x] = _below(key, draw + x, 3) == 0
            root = _root(parent, x)
            if down[x]:
                last[root] = columns
            elif last[root] < columns:
                last[root] = x
        draw += columns
        for x in range(columns):
            down[x] = down[x] or last[_root(parent, x)] == x
        last[:] = -1
        for x in range(columns):
            fresh[x] = x
            if down[x]:
                root = _root(parent, x)
                join[y, x] |= SOUTH
                if last[root] < 0:
                    last[root] = x
                fresh[x] = last[root]
        parent[:] = fresh


@kernel
def _binary_tree(key: int, join: Any) -> None:
    """Join each cell to the one above or the one to the right of it."""
    rows, columns = join.shape
    for y in range(rows):
        for x in range(columns):
            if y and (x == columns - 1 or _below(key, y * columns + x, 2) == 1):
                join[y - 1, x] |= SOUTH
            elif x < columns - 1:
                join[y, x] |= EAST


@kernel
def _sidewinder(key: int, join: Any) -> None:
    """Cut each row at random into runs, and join a random cell of each run to the row above."""
    rows, columns = join.shape
    for x in range(columns - 1):
        join[0, x] = EAST
    for y in range(1, rows):
        begin = 0
        for x in range(columns):
            draw = 2 * (y * columns + x)
            if x == columns - 1 or _below(key, draw, 2) == 1:
                join[y - 1, begin + _below(key, draw + 1, x - begin + 1)] |= SOUTH
                begin = x + 1
            else:
                join[y, x] |= EAST


_TREES = {
    "depth_first": _depth_first,
    "prim": _prim,
    "kruskal": _kruskal,
    "wilson": _wilson,
    "division": _division,
    "eller": _eller,
    "binary_tree": _binary_tree,
    "sidewinder": _sidewinder,
}
