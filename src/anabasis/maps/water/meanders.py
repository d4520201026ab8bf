"""Meanders: bends to this side and that which leave the course of a river and return to it.

"Add bends that leave and return" is how a bachelor's thesis on terrain for strategy games, 2014, makes rivers on a
plane natural. Bends follow each other on alternate sides, half a wavelength each, with parabolas in place of the
sine-generated curve of W. Langbein and L. Leopold, "River meanders: theory of minimum variance", 1966; a loop is wider
in its middle than at its neck. Each bend is tried at several sizes and taken only if it fits, so the result is valid
however tight the country is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.errors import InputError
from anabasis.grid import cell_text
from anabasis.maps.water.rivers import Rivers
from anabasis.noun import freeze
from anabasis.options import check_length, check_seed

__all__ = ["meander", "meandered"]

STREAM_BENDS = 210
NEW = 2**40  # marks a cell that a bend has taken; below it stand places on the old courses, -1 is free
SIZES = (1.0, 0.75, 0.5, 0.3, -0.75, -0.5, -0.3, 0.0)  # of the amplitude; below 0 on the other side, 0 only smooths
SHORTEST = 6  # steps; a shorter stretch isn't bent
SMOOTH = 4  # cells on each side that are averaged, so that the steps of the old course don't show

Bools, Ints, Floats = NDArray[np.bool_], NDArray[np.int64], NDArray[np.float64]


def meander(
    course: ArrayLike,
    allowed: ArrayLike,
    *,
    seed: int,
    amplitude: float = 4.0,
    wavelength: float = 24.0,
    levels: ArrayLike | None = None,
    cut: float = 0.0,
) -> Ints:
    """Return a course, int64[k, 2] of neighbouring cells x, y, with bends added, from the same start to the same end.

    - allowed: bool[height, width], the cells that bends may take; those of the old course always may.
    - amplitude: how far a bend leads away, wavelength: how long two are along the course, both in cells.
    - levels: float64[height, width]; a bend is taken only if no level along it is more than `cut` above the lowest one
      before it, nor below that of its end. With cut=0 a course that never rises keeps to that.

    No bend shares a cell with the rest of the course or crosses it, nor touches it but near the bend's own ends. Raises
    InputError for a course that leaves the map or jumps, and options out of range.
    """
    free = freeze(allowed, np.bool_, (None, None), "allowed cells")
    cells = _checked_course(course, free)
    level = _checked_levels(levels, free)
    taken = np.full(free.shape, -1, np.int64)
    taken[cells[:, 1], cells[:, 0]] = np.arange(len(cells))
    stand = np.minimum.accumulate(level[cells[:, 1], cells[:, 0]])
    lengths = check_length(amplitude, "amplitude"), check_length(wavelength, "wavelength")
    key = stream_key(check_seed(seed), STREAM_BENDS, 0)
    fixed = np.zeros(len(cells), bool)
    return _meander(cells, fixed, stand, 0, taken, free, level, _checked_cut(cut), *lengths, key)[0]


def meandered(
    rivers: Rivers,
    allowed: ArrayLike,
    *,
    seed: int,
    amplitude: float = 4.0,
    wavelength: float = 24.0,
    levels: ArrayLike | None = None,
    cut: float = 0.0,
) -> Rivers:
    """Return rivers with bends added to every course; springs, lakes, ends and the places where rivers meet stay.

    allowed: where bends may lead, such as land without rocks; the other options are those of `meander`. No bend crosses
    another river. Discharge and surface are carried along, so water still never rises. Raises
    what `meander` does, and InputError for fields of another shape.
    """
    free = np.array(freeze(allowed, np.bool_, rivers.discharge.shape, "allowed cells")) & (rivers.lake < 0)
    level = _checked_levels(levels, free)
    lengths = check_length(amplitude, "amplitude"), check_length(wavelength, "wavelength")
    seed, cut = check_seed(seed), _checked_cut(cut)
    taken, kept = np.full(free.shape, -1, np.int64), rivers.lake >= 0
    first = np.cumsum([0, *map(len, rivers.courses)])
    for number, course in enumerate(rivers.courses):
        taken[course[:, 1], course[:, 0]] = first[number] + np.arange(len(course))
        kept[course[-1, 1], course[-1, 0]] = True
    surface, discharge = rivers.surface.copy(), np.zeros(free.shape)
    courses = list[Ints]()
    for number, course in enumerate(rivers.courses):
        x, y = course.T
        stand = rivers.surface[y, x]
        key, start = stream_key(seed, STREAM_BENDS, number), int(first[number])
        cells, place = _meander(course, kept[y, x], stand, start, taken, free, level, cut, *lengths, key)
        places = np.arange(len(course))
        surface[cells[:, 1], cells[:, 0]] = np.interp(place, places, stand)
        discharge[cells[:, 1], cells[:, 0]] = np.interp(place, places, rivers.discharge[y, x])
        courses.append(cells)
    return replace(rivers, courses=tuple(courses), discharge=discharge, surface=surface)


def _checked_course(course: ArrayLike, free: Bools) -> Ints:
    cells, (height, width) = freeze(course, np.int64, (None, 2), "course"), free.shape
    if not len(cells):
        raise InputError("a course is empty", expected="at least one cell")
    outside = (cells < 0).any(axis=1) | (cells[:, 0] >= width) | (cells[:, 1] >= height)
    if outside.any():
        x, y = cells[outside.argmax()].tolist()
        raise InputError("a course leaves the map", found=cell_text(x, y), expected=f"{width} × {height} cells")
    jump = np.abs(np.diff(cells, axis=0)).max(axis=1, initial=0) != 1
    if jump.any():
        x, y = cells[jump.argmax()].tolist()
        raise InputError("a course jumps", found=f"a step from {cell_text(x, y)}", expected="steps to a neighbour")
    return cells


def _checked_levels(levels: ArrayLike | None, free: Bools) -> Floats:
    return np.zeros(free.shape) if levels is None else freeze(levels, np.float64, free.shape, "levels")


def _checked_cut(cut: float) -> float:
    if not 0 <= cut < np.inf:
        raise InputError("cut of bends into the ground", found=f"{cut}", expected="a depth from 0")
    return float(cut)


@kernel
def _meander(
    course: Ints,
    fixed: Bools,
    stand: Floats,
    first: int,
    taken: Ints,
    free: Bools,
    level: Floats,
    cut: float,
    amplitude: float,
    wavelength: float,
    key: int,
) -> tuple[Ints, Floats]:
    """Bend a course, and mark its cells in taken, where its own stand as first + place.

    Returns the new cells and where on the old course each of them is, float64[m]. stand is how high its water is.
    """
    count, size, number = len(course), 1, 0
    side = 1.0 if random_fraction(key, 0, 0) < 0.5 else -1.0
    cells, place = np.empty((4 * count + 64, 2), np.int64), np.empty(4 * count + 64, np.float64)
    bend = np.empty((int(8 * (amplitude + wavelength)) + 64, 2), np.int64)
    cells[0], place[0] = course[0], 0.0
    i = 0
    while i < count - 1:
        number += 1
        steps = max(int(wavelength / 2 * (0.7 + 0.6 * random_fraction(key, number, 1))), 2)
        j = i + 1
        while j < count - 1 and j < i + steps and not fixed[j]:
            j += 1
        if count - 1 - j < SHORTEST and j - i < steps + SHORTEST and not fixed[j:].any():
            j = count - 1  # no stretch too short for a bend is left over
        if j - i >= len(bend):
            bend = np.empty((2 * (j - i), 2), np.int64)
        swing = side * amplitude * min((j - i) / steps, 1.0) * (0.6 + 0.4 * random_fraction(key, number, 2))
        skew = random_fraction(key, number, 3)
        more = _bend(course, i, j, swing, skew, stand, first, taken, free, level, cut, bend)
        for k in range(i + 1, j):
            taken[course[k, 1], course[k, 0]] = -1
        while size + more > len(cells):
            cells, place = np.concatenate((cells, cells)), np.concatenate((place, place))
        for k in range(more - 1):
            taken[bend[k, 1], bend[k, 0]] = NEW
            cells[size], place[size] = bend[k + 1], i + (k + 1) * (j - i) / (more - 1)
            size += 1
        side = -side
        i = j
    return cells[:size].copy(), place[:size].copy()


@kernel
def _bend(
    course: Ints,
    i: int,
    j: int,
    swing: float,
    skew: float,
    stand: Floats,
    first: int,
    taken: Ints,
    free: Bools,
    level: Floats,
    cut: float,
    bend: Ints,
) -> int:
    """Write the largest bend from place i to place j that fits, or the course as it was; return how many cells."""
    if j - i >= SHORTEST:
        for k in range(len(SIZES)):
            size = _curve(course, i, j, swing * SIZES[k], skew, bend)
            if size > 0 and _fits(bend, size, first + i, first + j, stand[i], stand[j], taken, free, level, cut):
                return size
    for k in range(i, j + 1):
        bend[k - i] = course[k]
    return j - i + 1


@kernel
def _curve(course: Ints, i: int, j: int, swing: float, skew: float, bend: Ints) -> int:
    """Write the cells of one bend from place i to place j of a course; return how many, or -1 if there are too many."""
    x_0, y_0, x_1, y_1 = course[i, 0], course[i, 1], course[j, 0], course[j, 1]
    along_x, along_y = float(x_1 - x_0), float(y_1 - y_0)
    chord = (along_x * along_x + along_y * along_y) ** 0.5
    if 2 * chord < j - i:
        return -1  # bent enough
    along_x, along_y = along_x / chord, along_y / chord
    parts = 4 * int((j - i) + 3 * abs(swing)) + 4
    bend[0], size = course[i], 1
    for part in range(1, parts + 1):
        t = part / parts
        middle = i + int(t * (j - i) + 0.5)
        reach = min(SMOOTH, middle - i, j - middle)
        x, y = 0.0, 0.0
        for k in range(middle - reach, middle + reach + 1):
            x += course[k, 0]
            y += course[k, 1]
        x, y = x / (2 * reach + 1), y / (2 * reach + 1)
        away = 4 * t * (1 - t) * swing
        back = 4 * t * (1 - t) * (1 - 2 * t) * abs(swing) * skew
        x, y = x - along_y * away - along_x * back, y + along_x * away - along_y * back
        size = _append(bend, size, int(np.floor(x + 0.5)), int(np.floor(y + 0.5)))
        if size < 0:
            return -1
    size = _append(bend, size, x_1, y_1)
    return size if size > 1 and bend[size - 1, 0] == x_1 and bend[size - 1, 1] == y_1 else -1


@kernel
def _append(bend: Ints, size: int, x: int, y: int) -> int:
    """Lead a bend on to a cell, by diagonal steps first, leaving out corners; return its new size, -1 if it is full."""
    while bend[size - 1, 0] != x or bend[size - 1, 1] != y:
        if size == len(bend):
            return -1
        x_2 = bend[size - 1, 0] + min(max(x - bend[size - 1, 0], -1), 1)
        y_2 = bend[size - 1, 1] + min(max(y - bend[size - 1, 1], -1), 1)
        if size > 2 and abs(bend[size - 2, 0] - x_2) <= 1 and abs(bend[size - 2, 1] - y_2) <= 1:
            size -= 1
        bend[size, 0], bend[size, 1] = x_2, y_2
        size += 1
    return size


@kernel
def _fits(
    bend: Ints,
    size: int,
    first: int,
    last: int,
    high: float,
    low: float,
    taken: Ints,
    free: Bools,
    level: Floats,
    cut: float,
) -> bool:
    """Return whether a bend keeps to what is allowed, to the levels, and off itself and all that is taken.

    first and last are the marks of the cells that it joins; those between them will be given back.
    """
    height, width = free.shape
    for k in range(1, size - 1):
        x, y = bend[k, 0], bend[k, 1]
        if not (0 <= x < width and 0 <= y < height):
            return False
        mine = first < taken[y, x] < last
        if not (mine or (free[y, x] and taken[y, x] < 0)) or level[y, x] > high + cut or level[y, x] < low - cut:
            return False
        high = min(high, float(level[y, x]))
        for other in range(k - 2):
            if abs(bend[other, 0] - x) <= 1 and abs(bend[other, 1] - y) <= 1:
                return False
        if min(_apart(bend, k, 0), _apart(bend, k, size - 1)) <= 2:
            continue  # near its ends it may touch what goes on from there
        for j in range(max(y - 1, 0), min(y + 2, height)):
            for i in range(max(x - 1, 0), min(x + 2, width)):
                if taken[j, i] >= 0 and not first < taken[j, i] < last:
                    return False
    for k in range(1, size):
        x, y, x_2, y_2 = bend[k - 1, 0], bend[k - 1, 1], bend[k, 0], bend[k, 1]
        if x != x_2 and y != y_2:  # a diagonal step: nothing may cross it
            one, two = taken[y, x_2], taken[y_2, x]
            if one >= 0 and two >= 0 and not first < one < last and not first < two < last:
                return False
    return True


@kernel
def _apart(bend: Ints, k: int, other: int) -> int:
    """Return how many steps of eight directions two cells of a bend are apart."""
    return max(abs(bend[k, 0] - bend[other, 0]), abs(bend[k, 1] - bend[other, 1]))
