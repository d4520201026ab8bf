"""Courses: from springs that are given, or drawn high and apart, down a drainage to its ends.

Random springs, preferably high, are those of a bachelor's thesis on terrain for strategy games, 2014; of several cells
drawn at a time the one is taken from which the way down is longest, so that rivers are worth their name.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_word, stream_key
from anabasis.errors import InputError
from anabasis.grid import cell_text
from anabasis.maps.water.filling import Filling
from anabasis.noun import freeze
from anabasis.options import check_count, check_length

__all__ = ["checked_springs", "drawn", "followed", "places"]

STREAM_SPRINGS = 201
DRAWS = 8  # a spring is that of so many cells from which the way down is longest
TRIES = 60  # times that such cells are drawn for each spring that is wanted

Bools, Ints = NDArray[np.bool_], NDArray[np.int64]


def checked_springs(springs: ArrayLike, water: Bools) -> Ints:
    """Return springs as vertices, int64[k]; raises InputError for one outside the map or in the sea."""
    height, width = water.shape
    places = freeze(springs, np.int64, (None, 2), "springs")
    for x, y in places.tolist():
        if not (0 <= x < width and 0 <= y < height):
            raise InputError("a spring is outside the map", found=cell_text(x, y), expected=f"{width} × {height} cells")
        if water[y, x]:
            raise InputError("a spring lies in the water", found=cell_text(x, y), expected="a cell of land")
    return places[:, 1] * width + places[:, 0]


def followed(filling: Filling, springs: Ints) -> list[Ints]:
    """Return the vertices of each river from its spring to its end, or to the first cell of an earlier one."""
    receiver = filling.receiver.reshape(-1)
    taken, courses = np.zeros(receiver.size, bool), list[Ints]()
    for v in springs.tolist():
        if not taken[v]:
            courses.append(_follow(receiver, taken, v))
            taken[courses[-1]] = True
    return courses


def drawn(
    filling: Filling, candidates: Ints, *, seed: int, count: int, apart: float | None, shortest: int
) -> list[Ints]:
    """Return the courses from springs that are drawn among candidate vertices, as `rivers` says of its options."""
    count, shortest = check_count(count, "number of rivers"), check_count(shortest, "least length of a river", 1)
    width, size = filling.level.shape[1], filling.level.size
    gap = (size / max(count, 1)) ** 0.5 / 3 if apart is None else check_length(apart, "distance of springs")
    key, receiver = stream_key(seed, STREAM_SPRINGS, 0), filling.receiver.reshape(-1)
    level, steps = filling.level.reshape(-1), _steps(filling.order, receiver)
    if candidates.size:
        candidates = candidates[level[candidates] >= np.median(level[candidates])]
    taken, courses, begun = np.zeros(size, bool), list[Ints](), list[tuple[int, int]]()
    for number in range(count * TRIES if candidates.size else 0):
        draws = candidates[[random_word(key, number, k) % candidates.size for k in range(DRAWS)]]
        v = int(draws[np.argmax(steps[draws])])
        place = v % width, v // width
        if taken[v] or any((place[0] - x) ** 2 + (place[1] - y) ** 2 < gap * gap for x, y in begun):
            continue
        course = _follow(receiver, taken, v)
        if len(course) < shortest:
            continue
        taken[course] = True
        courses.append(course)
        begun.append(place)
        if len(courses) == count:
            break
    return courses


def places(courses: list[Ints], width: int) -> tuple[Ints, ...]:
    """Return courses of vertices as courses of cells x, y."""
    return tuple(np.stack([course % width, course // width], axis=1) for course in courses)


@kernel
def _steps(order: Ints, receiver: Ints) -> Ints:
    """Return how many steps each vertex is from its outlet."""
    steps = np.zeros(len(order), np.int64)
    for v in order:
        if receiver[v] >= 0:
            steps[v] = steps[receiver[v]] + 1
    return steps


@kernel
def _follow(receiver: Ints, taken: Bools, spring: int) -> Ints:
    """Walk downstream to an end or to the first cell that is taken; return the vertices."""
    course, count, v = np.empty(256, np.int64), 0, spring
    while True:
        if count == len(course):
            course = np.concatenate((course, course))
        course[count] = v
        count += 1
        if taken[v] or receiver[v] < 0:
            break
        v = receiver[v]
    return course[:count].copy()
