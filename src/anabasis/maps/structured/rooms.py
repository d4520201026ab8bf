"""Rooms: equal rooms in rows and columns, or rooms of all sizes by halving, with doors in the walls between them.

Equal rooms are those of N. R. Sturtevant, "Benchmarks for Grid-Based Pathfinding", 2012, of 8 to 64 cells a side; there
five walls of six have a door. Halving is binary space partitioning: H. Fuchs, Z. M. Kedem and B. F. Naylor, "On Visible
Surface Generation by a Priori Tree Structures", 1980.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, random_word, stream_key
from anabasis.errors import InputError
from anabasis.maps.shape import check_shape
from anabasis.maps.structured.maze_trees import EAST, SOUTH, spanning_tree
from anabasis.options import check_count, check_seed, check_share

__all__ = ["room_grid", "room_partition"]

_STREAM = 305
_DOORS, _WALLS, _HALVES, _GATES = range(4)


def room_grid(
    width: int,
    height: int,
    *,
    seed: int = 0,
    pitch: int = 16,
    door: int = 1,
    wall: int = 1,
    extra: float = 0.6,
) -> NDArray[np.bool_]:
    """Return bool[height, width], True where free: rooms `pitch` cells from wall to wall, all connected by doors.

    Doors are `door` cells wide at a random place of the wall between two rooms: one in each wall that a random spanning
    tree of the rooms crosses, every such tree equally likely, and one in a share `extra` of the other walls, by chance.
    The map begins with a wall at the top and left; the last rooms, and doors in their walls, may be cut narrower by its
    end.

    Raises InputError for a size below one wall and one free cell, and a door wider than a room.
    """
    check_count(wall, "thickness of the walls", 1)
    check_count(pitch, "side of a room with its wall", wall + 1)
    check_count(door, "width of a door", 1, pitch - wall, expected=f"1 to {pitch - wall}, the free side of a room")
    share = check_share(extra, "share of other walls with a door")
    check_shape(width, height, least_width=wall + 1, least_height=wall + 1)
    check_seed(seed)
    columns, rows = -((wall - width) // pitch), -((wall - height) // pitch)
    join = spanning_tree(columns, rows, algorithm="wilson", seed=seed)
    free = np.zeros((height, width), np.bool_)
    x_inside, y_inside = (np.arange(width) % pitch >= wall), (np.arange(height) % pitch >= wall)
    free[np.ix_(y_inside, x_inside)] = True
    keys = stream_key(seed, _STREAM, _DOORS), stream_key(seed, _STREAM, _WALLS)
    _cut_doors(*keys, join, pitch, door, wall, share, free)
    return free


@kernel
def _cut_doors(
    place_key: int, extra_key: int, join: Any, pitch: int, door: int, wall: int, extra: float, free: Any
) -> None:
    """Cut a door into each wall that the tree crosses and, by chance, into others."""
    rows, columns = join.shape
    height, width = free.shape
    for row in range(rows):
        for column in range(columns):
            v, left, top = row * columns + column, wall + column * pitch, wall + row * pitch
            wide, high = min(pitch - wall, width - left), min(pitch - wall, height - top)
            if column < columns - 1 and (join[row, column] & EAST or random_fraction(extra_key, v, 0) < extra):
                size = min(door, high)
                y = top + (random_word(place_key, v, 0) * (high - size + 1) >> 32)
                free[y : y + size, left + pitch - wall : left + pitch] = True
            if row < rows - 1 and (join[row, column] & SOUTH or random_fraction(extra_key, v, 1) < extra):
                size = min(door, wide)
                x = left + (random_word(place_key, v, 1) * (wide - size + 1) >> 32)
                free[top + pitch - wall : top + pitch, x : x + size] = True


def room_partition(
    width: int,
    height: int,
    *,
    seed: int = 0,
    least: int = 6,
    most: int = 20,
    door: int = 1,
    wall: int = 1,
    extra: float = 0.1,
) -> NDArray[np.bool_]:
    """Return bool[height, width], True where free: rooms with sides of `least` to `most` cells, all connected by doors.

    The map is parted by walls again and again, across the longer side, while a side is longer than `most`. Each of
    these walls gets a door at a random place where it parts two rooms, which connects all; every other stretch of it
    that parts two rooms and is long enough gets one by chance, a share `extra`. Around everything stands a wall. In a
    map that is narrower inside than `least`, rooms and doors are no wider than it.

    Raises InputError for a size without a free cell, doors wider than the least side, and a greatest side from which a
    longer one could not be parted.
    """
    check_count(wall, "thickness of the walls", 1)
    check_count(least, "least side of a room", 1)
    check_count(most, "greatest side of a room", 1)
    check_count(door, "width of a door", 1, least, expected=f"1 to {least}, the least side of a room")
    share = check_share(extra, "share of other walls with a door")
    check_shape(width, height, least_width=2 * wall + 1, least_height=2 * wall + 1)
    check_seed(seed)
    if most < 2 * least + wall - 1:
        raise InputError(
            "greatest side of a room",
            found=f"{most}",
            expected=f"at least {2 * least + wall - 1}, so that a longer side has room for two rooms and a wall",
        )
    room = np.zeros((height, width), np.int32)
    room[wall : height - wall, wall : width - wall] = 1
    walls = _part(stream_key(seed, _STREAM, _HALVES), least, most, wall, room)
    free = room > 0
    size = min(door, width - 2 * wall, height - 2 * wall)
    _cut_gates(stream_key(seed, _STREAM, _GATES), walls, room, size, wall, share, free)
    return free


@kernel
def _part(key: int, least: int, most: int, wall: int, room: Any) -> NDArray[np.int64]:
    """Part the map into rooms, numbered in `room`, 0 in walls; return upright, x, y and length of each wall."""
    height, width = room.shape
    todo, walls = np.empty((64, 4), np.int64), np.empty((64, 4), np.int64)
    todo[0] = wall, wall, width - 2 * wall, height - 2 * wall
    size, count, number = 1, 0, 0
    while size:
        size -= 1
        x, y, wide, high = todo[size]
        upright = wide > high or (wide == high and random_word(key, count, 0) & 1 == 1)
        side = wide if upright else high
        if side <= most:
            number += 1
            room[y : y + high, x : x + wide] = number
            continue
        cut = least + (random_word(key, count, 1) * (side - 2 * least - wall + 1) >> 32)
        if count == len(walls):
            walls = np.concatenate((walls, walls))
        if size + 2 > len(todo):
            todo = np.concatenate((todo, todo))
        if upright:
            room[y : y + high, x + cut : x + cut + wall] = 0
            walls[count] = 1, x + cut, y, high
            todo[size] = x, y, cut, high
            todo[size + 1] = x + cut + wall, y, wide - cut - wall, high
        else:
            room[y + cut : y + cut + wall, x : x + wide] = 0
            walls[count] = 0, x, y + cut, wide
            todo[size] = x, y, wide, cut
            todo[size + 1] = x, y + cut + wall, wide, high - cut - wall
        size += 2
        count += 1
    return walls[:count]


@kernel
def _cut_gates(key: int, walls: Any, room: Any, door: int, wall: int, extra: float, free: Any) -> None:
    """Cut doors into each wall: one into a random stretch that parts two rooms, and by chance one into each other."""
    stretches = np.empty((max(room.shape), 2), np.int64)
    for number in range(len(walls)):
        upright, x, y, length = walls[number]
        count, begin = 0, 0
        for k in range(1, length + 1):
            same = False
            if k < length:
                if upright:
                    same = room[y + k, x - 1] == room[y + begin, x - 1]
                    same = same and room[y + k, x + wall] == room[y + begin, x + wall]
                else:
                    same = room[y - 1, x + k] == room[y - 1, x + begin]
                    same = same and room[y + wall, x + k] == room[y + wall, x + begin]
            if not same:
                if upright:
                    parts = room[y + begin, x - 1] > 0 and room[y + begin, x + wall] > 0
                else:
                    parts = room[y - 1, x + begin] > 0 and room[y + wall, x + begin] > 0
                if parts and k - begin >= door:
                    stretches[count] = begin, k - begin
                    count += 1
                begin = k
        chosen = random_word(key, number, 0) * count >> 32
        for s in range(count):
            if s == chosen or random_fraction(key, number, 1 + 2 * s) < extra:
                begin, span = stretches[s]
                begin += random_word(key, number, 2 + 2 * s) * (span - door + 1) >> 32
                if upright:
                    free[y + begin : y + begin + door, x : x + wall] = True
                else:
                    free[y : y + wall, x + begin : x + begin + door] = True
