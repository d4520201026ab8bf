"""Rivers: from springs along the steepest descent, through lakes that overflow, to the sea.

The method "physical rivers" of a bachelor's thesis on terrain for strategy games, 2014: random springs, preferably
high; always the steepest descent; where nothing descends a lake rises until it flows over, or ends the river. Which
way is down, and how high lakes stand, says `filling` for the whole map at once. The width of a river grows with the
square root of its discharge: L. Leopold and T. Maddock, "The hydraulic geometry of stream channels", 1953.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.errors import InputError
from anabasis.maps.water.courses import checked_springs, drawn, followed, places
from anabasis.maps.water.filling import Filling, accumulated, checked_heights
from anabasis.maps.water.lakes import end_lakes, hollows
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_count, check_seed, check_share

__all__ = ["ENDS", "Rivers", "river_mask", "rivers"]

STREAM_WAVER = 202
ENDS = ("sea", "border", "river", "lake")
WAVES = ((12, 0.7), (5, 0.3))  # cells from one bend to the next, and its share of the noise

Bools, Ints, Floats = NDArray[np.bool_], NDArray[np.int64], NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rivers:
    """The rivers and lakes of a map.

    - courses: int64[k, 2] for each river, the cells x, y from its spring to its end; the last one lies in what it ends
      in, so a tributary's is a cell of the river that it joins. A course leads through the lakes on its way.
    - ends: in what each river ends: *sea*, *border* of the map, another *river*, or a *lake* without an outflow.
    - discharge: float64[height, width], the water that passes each cell of a course; 0 elsewhere.
    - surface: float64[height, width], how high water stands in rivers and lakes, and the ground elsewhere. It never
      rises along a course.
    - lake: int64[height, width], the number from 0 of each lake that a river enters, -1 elsewhere; levels: float64[l].
    - dry: int64[m, 2], springs from which no way leads to an end.
    """

    courses: tuple[Ints, ...]
    ends: tuple[str, ...]
    discharge: Floats
    surface: Floats
    lake: Ints
    levels: Floats
    dry: Ints

    __repr__ = summary

    def __post_init__(self) -> None:
        discharge = freeze(self.discharge, np.float64, (None, None), "discharge")
        set_field(self, "courses", tuple(freeze(course, np.int64, (None, 2), "course") for course in self.courses))
        set_field(self, "discharge", discharge)
        set_field(self, "surface", freeze(self.surface, np.float64, discharge.shape, "surface"))
        set_field(self, "lake", freeze(self.lake, np.int64, discharge.shape, "lake"))
        set_field(self, "levels", freeze(self.levels, np.float64, (None,), "levels"))
        set_field(self, "dry", freeze(self.dry, np.int64, (None, 2), "dry springs"))

    @property
    def springs(self) -> Ints:
        """int64[n, 2], the first cell of each river."""
        return np.array([course[0] for course in self.courses], np.int64).reshape(-1, 2)


def rivers(
    heights: ArrayLike,
    sea: ArrayLike | None = None,
    *,
    seed: int,
    count: int = 8,
    springs: ArrayLike | None = None,
    apart: float | None = None,
    shortest: int = 12,
    between: bool = True,
    waver: float = 0.02,
    least_lake: int = 25,
    deepest: float | None = None,
    largest: int | None = None,
) -> Rivers:
    """Let rivers flow down a height field, float64[height, width], to the sea, bool[height, width].

    - count: rivers wanted; there are fewer where no more places for springs are found. springs: int64[k, 2], cells x, y
      to begin at instead of drawn ones; one on an earlier river is left out.
    - apart: the least distance of two drawn springs, by default a third of the side of the square that each would have
      to itself. shortest: the least number of cells of a drawn river.
    - between: as for `fill`; without it, each step is the steepest of eight, and rivers on smooth slopes run straight.
    - waver: how far small random waves shift the ground before water flows over it, as a share of the range of
      heights. `surface` is of the shifted ground.
    - least_lake: hollows of fewer cells are no lakes; the river cuts through them.
    - deepest, largest: a lake that would be deeper, or of more cells, ends its rivers (see `end_lakes`).

    Discharge is the number of cells that drain through a cell. Raises InputError for heights that are empty or not
    finite, a sea of another shape, springs outside the map or in the sea, and options out of range.
    """
    seed = check_seed(seed)
    given = checked_heights(heights)
    water = np.zeros(given.shape, bool) if sea is None else freeze(sea, np.bool_, given.shape, "sea")
    span = check_share(waver, "waver") * float(given.max() - given.min())
    ground = given.copy()
    if span > 0:
        _wave(ground, water, span, stream_key(seed, STREAM_WAVER, 0))
    ends, end_levels, filling = end_lakes(ground, water, deepest=deepest, largest=largest, seed=seed, between=between)
    closed = water | (ends >= 0)
    if springs is None:
        dry = np.flatnonzero(~closed & (filling.level == ground))
        courses = drawn(filling, dry, seed=seed, count=count, apart=apart, shortest=shortest)
    else:
        courses = followed(filling, checked_springs(springs, water))
    return _recorded(ground, water, filling, ends, end_levels, courses, least_lake)


def river_mask(rivers: Rivers, *, widest: int = 3, neighbours: int = 4) -> Bools:
    """Return bool[height, width]: the cells of the rivers and their lakes.

    A river is one cell wide at its spring and `widest` where the discharge is greatest. With neighbours=4 each course
    is joined through sides of cells, so that no unit slips through it whatever the corner rule; with 8 through corners
    too. Raises InputError for a width below 1 and other neighbours.
    """
    if neighbours not in (4, 8):
        raise InputError("neighbours of a river's cells", found=f"{neighbours}", expected="4 or 8")
    mask = rivers.lake >= 0
    most = max(float(rivers.discharge.max(initial=0)), 1.0)
    for course in rivers.courses:
        _widen(mask, course, rivers.discharge, check_count(widest, "greatest width of a river", 1) / most**0.5)
        if neighbours == 4:
            _join_sides(mask, course)
    return mask


def _recorded(
    ground: Floats,
    water: Bools,
    filling: Filling,
    ends: Ints,
    end_levels: Floats,
    courses: list[Ints],
    least_lake: int,
) -> Rivers:
    """Return the record of rivers along those courses."""
    on_course = np.zeros(ground.size, bool)
    kind = np.where(ends >= 0, 3, np.where(water, 0, np.where(filling.receiver < 0, 1, 2))).reshape(-1)
    for course in courses:
        on_course[course] = True
    lake, levels = _lakes(ground, filling, ends, end_levels, on_course, check_count(least_lake, "least area of a lake"))
    entered = on_course.reshape(ground.shape)
    surface = np.where(entered | (lake >= 0), filling.level, ground)
    surface[lake >= 0] = levels[lake[lake >= 0]]
    return Rivers(
        places(courses, ground.shape[1]),
        tuple(ENDS[kind[course[-1]]] for course in courses),
        np.where(entered, accumulated(filling), 0.0),
        surface,
        lake,
        levels,
        np.empty((0, 2), np.int64),
    )


def _lakes(
    ground: Floats, filling: Filling, ends: Ints, end_levels: Floats, on_course: Bools, least: int
) -> tuple[Ints, Floats]:
    """Return the numbers of the lakes that rivers enter, in the order of their first cells, and their levels."""
    label = hollows(np.where(ends >= 0, filling.level, ground), filling)
    number = np.where(ends >= 0, ends, np.where(label >= 0, label + len(end_levels), -1)).reshape(-1)
    wet = np.flatnonzero(number >= 0)
    area = np.bincount(number[wet], minlength=1)
    entered = np.zeros(len(area), bool)
    entered[number[on_course & (number >= 0)]] = True
    entered[len(end_levels) :] &= area[len(end_levels) :] >= least
    kept = wet[entered[number[wet]]]
    old, first = np.unique(number[kept], return_index=True)
    by_place = np.argsort(first)
    renumbered = np.full(len(area), -1, np.int64)
    renumbered[old[by_place]] = np.arange(len(old))
    lake = np.where(number >= 0, renumbered[np.maximum(number, 0)], -1)
    return lake.reshape(ground.shape), filling.level.reshape(-1)[kept[first[by_place]]]


@kernel
def _wave(ground: Floats, water: Bools, span: float, key: int) -> None:
    """Shift the ground outside the water by up to `span` / 2 up or down, by random values at the knots of two nets."""
    height, width = ground.shape
    for net in range(len(WAVES)):
        spacing, share = WAVES[net]
        across = width // spacing + 2
        for y in range(height):
            row, part_y = y // spacing, (y % spacing) / spacing
            part_y = part_y * part_y * (3 - 2 * part_y)
            for x in range(width):
                if water[y, x]:
                    continue
                knot, part_x = row * across + x // spacing, (x % spacing) / spacing
                part_x = part_x * part_x * (3 - 2 * part_x)
                a, b = random_fraction(key, knot, net), random_fraction(key, knot + 1, net)
                c, d = random_fraction(key, knot + across, net), random_fraction(key, knot + across + 1, net)
                above, below = a + (b - a) * part_x, c + (d - c) * part_x
                ground[y, x] += (above + (below - above) * part_y - 0.5) * share * span


@kernel
def _widen(mask: Bools, course: Ints, discharge: Floats, factor: float) -> None:
    """Mark discs around the cells of a course, as wide as the root of the discharge times `factor`."""
    height, width = mask.shape
    for k in range(len(course)):
        x, y = course[k, 0], course[k, 1]
        breadth = max(int(factor * discharge[y, x] ** 0.5 + 0.5), 1)
        first = -((breadth - 1) // 2)
        middle = 0.5 * (breadth - 1) + first  # between two cells if the breadth is even
        for y_2 in range(max(y + first, 0), min(y + first + breadth, height)):
            for x_2 in range(max(x + first, 0), min(x + first + breadth, width)):
                if 4 * ((y_2 - y - middle) ** 2 + (x_2 - x - middle) ** 2) <= breadth * breadth:
                    mask[y_2, x_2] = True


@kernel
def _join_sides(mask: Bools, course: Ints) -> None:
    """Mark one cell beside each diagonal step of a course that isn't yet joined through sides."""
    for k in range(len(course) - 1):
        x, y, x_2, y_2 = course[k, 0], course[k, 1], course[k + 1, 0], course[k + 1, 1]
        if x != x_2 and y != y_2 and not mask[y, x_2] and not mask[y_2, x]:
            if (x + y) & 1:
                mask[y, x_2] = True
            else:
                mask[y_2, x] = True
