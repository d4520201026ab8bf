"""Monotone rivers: from a spring by the shortest way to the nearest water that never leads to a higher level.

The method "simple rivers" of a bachelor's thesis on terrain for strategy games, 2014. One search upstream from all
water at once (E. Dijkstra, "A note on two problems in connexion with graphs", 1959) serves every spring, so rivers that
meet stay together. Straight and diagonal steps are counted apart, which makes lengths exact; among the many ways of one
length each river takes one whose diagonal steps are spread at random, not all at its beginning.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.heap import heap_grown, heap_pop, heap_push
from anabasis._kernel.random import random_fraction, random_word, stream_key
from anabasis.errors import InputError
from anabasis.maps.water.courses import checked_springs, drawn, followed, places
from anabasis.maps.water.filling import Filling, accumulated
from anabasis.maps.water.rivers import ENDS, Rivers
from anabasis.noun import freeze
from anabasis.options import check_seed

__all__ = ["monotone_rivers", "monotone_ways"]

STREAM_WAYS = 205

Bools, Bytes, Ints, Floats = NDArray[np.bool_], NDArray[np.uint8], NDArray[np.int64], NDArray[np.float64]


def monotone_rivers(
    levels: ArrayLike,
    sea: ArrayLike | None = None,
    *,
    seed: int,
    count: int = 8,
    springs: ArrayLike | None = None,
    apart: float | None = None,
    shortest: int = 12,
    border: bool = True,
) -> Rivers:
    """Let rivers take the shortest ways over levels, uint8[height, width], that never rise.

    - sea: bool[height, width], the cells where they end; border: whether they may also leave the map at its border.
    - count, springs, apart, shortest: as for `rivers`. Springs from which no way leads down are the record's `dry`.

    Discharge is the number of cells whose shortest ways lead through a cell; `surface` is the level, and there are no
    lakes. Raises InputError for levels that aren't whole numbers from 0 to 255, a sea of another shape, and springs
    outside the map or in the sea.
    """
    seed = check_seed(seed)
    terraces = _checked_levels(levels)
    water = np.zeros(terraces.shape, bool) if sea is None else freeze(sea, np.bool_, terraces.shape, "sea")
    ends = _ends(water, border)
    length, ways = monotone_ways(terraces, ends, seed=seed)
    dry = np.empty(0, np.int64)
    if springs is None:
        inland = np.flatnonzero(np.isfinite(length) & ~ends)
        courses = drawn(ways, inland, seed=seed, count=count, apart=apart, shortest=shortest)
    else:
        given = checked_springs(springs, water)
        led = np.isfinite(length.reshape(-1)[given])
        dry = given[~led]
        courses = followed(ways, given[led])
    on_course = np.zeros(terraces.size, bool)
    for course in courses:
        on_course[course] = True
    kind = np.where(water, 0, np.where(ends, 1, 2)).reshape(-1)
    width = terraces.shape[1]
    return Rivers(
        places(courses, width),
        tuple(ENDS[kind[course[-1]]] for course in courses),
        np.where(on_course.reshape(terraces.shape), accumulated(ways), 0.0),
        ways.level,
        np.full(terraces.shape, -1, np.int64),
        np.empty(0, np.float64),
        places([dry], width)[0],
    )


def monotone_ways(levels: ArrayLike, ends: ArrayLike, *, seed: int = 0) -> tuple[Floats, Filling]:
    """Return the shortest ways from all cells that never rise to the cells marked in ends, bool[height, width].

    float64[height, width] is their length, inf where there is none; the `Filling` has the next cell as the receiver,
    -1 also where there is no way. The seed decides among ways of one length.
    """
    terraces = _checked_levels(levels)
    height, width = terraces.shape
    marked = freeze(ends, np.bool_, terraces.shape, "ends")
    seed = check_seed(seed)
    length, slants, order, met = _upstream(terraces.reshape(-1), marked.reshape(-1), width)
    receiver = np.full(height * width, -1, np.int64)
    key = stream_key(seed, STREAM_WAYS, 0)
    _choose(terraces.reshape(-1), length, slants, order[:met], width, key, receiver)
    order[met:] = np.flatnonzero(np.isinf(length))
    ways = Filling(terraces.astype(np.float64), receiver.reshape(height, width), order)
    return length.reshape(height, width), ways


def _checked_levels(levels: ArrayLike) -> Bytes:
    terraces = freeze(levels, np.uint8, (None, None), "levels")
    if not terraces.size:
        raise InputError("levels are empty", expected="at least one cell")
    return terraces


def _ends(water: Bools, border: bool) -> Bools:
    """Return where rivers may end."""
    ends = water.copy()
    if border:
        ends[[0, -1]] = True
        ends[:, [0, -1]] = True
    return ends


@kernel
def _upstream(level: Bytes, ends: Bools, width: int) -> tuple[Floats, Ints, Ints, int]:
    """Return the lengths of the ways, their diagonal steps, the vertices from near to far, and how many there are."""
    count = len(level)
    height = count // width
    length, slants, steps = np.full(count, np.inf), np.zeros(count, np.int64), np.zeros(count, np.int64)
    order, done, met = np.empty(count, np.int64), np.zeros(count, np.bool_), 0
    heap, size = np.empty((1024, 3), np.float64), 0
    for v in range(count):
        if ends[v]:
            length[v] = 0.0
            if size == len(heap):
                heap = heap_grown(heap, size, 1)
            heap_push(heap, size, 0.0, float(v), v)
            size += 1
    while size > 0:
        v = heap_pop(heap, size)
        size -= 1
        if done[v]:
            continue
        done[v], order[met] = True, v
        met += 1
        if size + 8 > len(heap):
            heap = heap_grown(heap, size, 8)
        y, x = v // width, v % width
        for d in range(8):
            y_2, x_2 = y + DY[d], x + DX[d]
            w = y_2 * width + x_2
            if not (0 <= y_2 < height and 0 <= x_2 < width) or done[w] or level[w] < level[v]:
                continue
            slant, step = slants[v] + (d & 1), steps[v] + 1
            way = (step - slant) + slant * 2.0**0.5
            if way < length[w]:
                length[w], slants[w], steps[w] = way, slant, step
                heap_push(heap, size, way, float(w), w)
                size += 1
    return length, slants, order, met


@kernel
def _choose(level: Bytes, length: Floats, slants: Ints, order: Ints, width: int, key: int, receiver: Ints) -> None:
    """Draw for each vertex one of the neighbours on a shortest way, diagonal ones as often as they are in the rest."""
    height = len(level) // width
    for v in order:
        if length[v] == 0.0:
            continue
        y, x = v // width, v % width
        straight = int(np.rint(length[v] - slants[v] * 2.0**0.5))
        met_0, met_1, next_0, next_1 = 0, 0, -1, -1  # straight and diagonal ones
        for d in range(8):
            y_2, x_2 = y + DY[d], x + DX[d]
            if not (0 <= y_2 < height and 0 <= x_2 < width):
                continue
            w, slant = y_2 * width + x_2, d & 1
            if level[w] > level[v] or length[w] != (straight - 1 + slant) + (slants[v] - slant) * 2.0**0.5:
                continue
            if slant == 0:
                met_0 += 1
                next_0 = w if random_word(key, v, d) % met_0 == 0 else next_0
            else:
                met_1 += 1
                next_1 = w if random_word(key, v, d) % met_1 == 0 else next_1
        slanting = random_fraction(key, v, 8) * (straight + slants[v]) < slants[v]
        receiver[v] = next_1 if met_0 == 0 or (slanting and met_1 > 0) else next_0
