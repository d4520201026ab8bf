"""Caves: noise that a cellular automaton smooths, and tunnels between the caves that it leaves.

L. Johnson, G. N. Yannakakis and J. Togelius, "Cellular Automata for Real-time Generation of Infinite Cave Levels",
2010. The tunnels are a shortest spanning tree of the caves, found by one search from all of them at once: K. Mehlhorn,
"A Faster Approximation Algorithm for the Steiner Problem in Graphs", 1988.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, random_word, stream_key
from anabasis.maps.parts import largest_part, parts
from anabasis.maps.shape import check_shape
from anabasis.options import check_choice, check_count, check_seed, check_share

__all__ = ["JOINS", "caves"]

JOINS = ("tunnels", "largest", "none")
"""tunnels: caves are joined by tunnels; largest: only the largest cave is kept; none: they stay as they are."""

_STREAM = 325
_NOISE, _WAYS = range(2)


def caves(
    width: int,
    height: int,
    *,
    seed: int = 0,
    share: float = 0.48,
    birth: int = 5,
    survival: int = 4,
    rounds: int = 5,
    least: int = 12,
    join: str = "tunnels",
    tunnel: int = 2,
) -> NDArray[np.bool_]:
    """Return bool[height, width], True where free.

    Each cell is rock by chance, a share of them. In each of `rounds` rounds, all cells at once, a free cell with at
    least `birth` rock cells among its eight neighbours becomes rock, and rock with fewer than `survival` becomes free;
    what lies outside is rock. Pillars of fewer than `least` cells are cleared, then caves of fewer filled. join: one of
    JOINS. tunnel: width of the tunnels in cells; they are the shortest that connect all caves, counted in rock cells to
    be dug for one of width 1, and wind where several ways are as short.

    With tunnels or the largest cave straight steps lead from each free cell to each other. No cell may be free, if the
    share is high. Raises InputError for an unknown `join`, and counts that can't be.
    """
    check_shape(width, height)
    check_seed(seed)
    check_count(birth, "birth limit", 0, 9, expected="0 to 9 of eight neighbours")
    check_count(survival, "survival limit", 0, 9, expected="0 to 9 of eight neighbours")
    check_count(rounds, "number of rounds", most=1000)
    check_count(least, "least cave", 1)
    check_count(tunnel, "width of a tunnel", 1)
    check_choice(join, "way to join caves", JOINS)
    rock = np.empty((height, width), np.bool_)
    _noise(stream_key(seed, _STREAM, _NOISE), check_share(share, "share of rock"), rock)
    for _ in range(rounds):
        rock = _smoothed(rock, birth, survival)
    free = _without_small(~_without_small(rock, least), least)
    if join == "largest":
        return largest_part(free)
    if join == "tunnels":
        _dig(free, tunnel, stream_key(seed, _STREAM, _WAYS))
    return free


@kernel
def _noise(key: int, share: float, rock: Any) -> None:
    """Make each cell rock by chance."""
    height, width = rock.shape
    for y in range(height):
        for x in range(width):
            rock[y, x] = random_fraction(key, y, x) < share


def _smoothed(rock: NDArray[np.bool_], birth: int, survival: int) -> NDArray[np.bool_]:
    """Return the rock after one round."""
    cells = np.pad(rock, 1, constant_values=True).view(np.uint8)
    rows = cells[:-2] + cells[1:-1] + cells[2:]
    around = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]  # the cell itself is counted too
    return around >= np.where(rock, survival + 1, birth).astype(np.uint8)


def _without_small(cells: NDArray[np.bool_], least: int) -> NDArray[np.bool_]:
    """Return the cells of those parts that have at least so many."""
    label = parts(cells)
    return cells & (np.bincount(label.reshape(-1)) >= least)[label]


def _dig(free: NDArray[np.bool_], tunnel: int, key: int) -> None:
    """Join all caves by the shortest tunnels."""
    cave = np.pad(parts(free), 1, constant_values=-1)
    before, depth = np.full(cave.size, -1, np.int32), np.zeros(cave.size, np.int32)
    _spread(key, cave, before, depth)
    ends, length = _meetings(cave, depth)
    order = np.argsort(length, kind="stable")
    _dig_shortest(ends[order], int(cave.max()), tunnel, cave.reshape(-1), before, free)


def _meetings(cave: NDArray[np.int32], depth: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where two caves meet, int64[n, 2], two neighbouring cells, and int64[n], how much rock is between them."""
    flat, ends = cave.reshape(-1), list[NDArray[np.int64]]()
    for step in (1, cave.shape[1]):
        one, other = flat[:-step], flat[step:]
        v = np.flatnonzero((one != other) & (one > 0) & (other > 0))
        ends.append(np.stack((v, v + step), axis=1))
    both = np.concatenate(ends)
    return both, depth[both].sum(axis=1, dtype=np.int64)


@kernel
def _spread(key: int, cave: Any, before: Any, depth: Any) -> None:
    """Search from all caves at once, and give each rock cell to the first cave that comes to it.

    cave: the number of each cell's cave, -1 beyond the border; for rock, 0, it is written, and so are before, the
    neighbour by which a cell was reached, and depth, how far it is from its cave.
    """
    steps = (1, cave.shape[1], -1, -cave.shape[1])
    flat = cave.reshape(-1)
    queue, count, done = np.empty(flat.size, np.int32), 0, 0
    for v in range(flat.size):
        if flat[v] > 0 and (flat[v + 1] == 0 or flat[v - 1] == 0 or flat[v + steps[1]] == 0 or flat[v + steps[3]] == 0):
            queue[count] = v
            count += 1
    while done < count:
        v = int(queue[done])
        done += 1
        for direction in range(4):
            w = v + steps[direction]
            if flat[w] == 0:
                flat[w], before[w], depth[w] = flat[v], v, depth[v] + 1
                queue[count] = w
                count += 1
            elif depth[w] == depth[v] + 1 and flat[w] == flat[v] and random_word(key, w, direction) & 1:
                before[w] = v  # as short, and else all tunnels would run straight and turn once


@kernel
def _dig_shortest(ends: Any, count: int, tunnel: int, cave: Any, before: Any, free: Any) -> None:
    """Dig from each meeting back to its two caves, the shortest first, unless these are joined already."""
    height, width = free.shape
    parent = np.arange(count + 1)
    for meeting in range(len(ends)):
        one, other = int(cave[ends[meeting, 0]]), int(cave[ends[meeting, 1]])
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = int(parent[one])
        while parent[other] != other:
            parent[other] = parent[parent[other]]
            other = int(parent[other])
        if one == other:
            continue
        parent[max(one, other)] = min(one, other)
        for end in range(2):
            v = int(ends[meeting, end])
            while before[v] >= 0:
                top, left = v // (width + 2) - 1 - (tunnel - 1) // 2, v % (width + 2) - 1 - (tunnel - 1) // 2
                for y in range(max(top, 0), min(top + tunnel, height)):
                    for x in range(max(left, 0), min(left + tunnel, width)):
                        free[y, x] = True
                v = int(before[v])
