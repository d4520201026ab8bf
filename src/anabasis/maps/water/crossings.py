"""Crossings: fords and bridges where they save land units the most detour, or evenly along each river.

A crossing is a straight run of water between two banks, the narrowest way over. Those that save most are taken one
after the other; as each only lessens what the others save, an old figure is a bound, and few have to be counted anew
(M. Minoux, "Accelerated greedy algorithms for maximizing submodular set functions", 1978).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.grid import cell_text
from anabasis.maps.parts import parts
from anabasis.maps.water.crossing_places import (
    BRIDGE,
    FORD,
    WATER,
    banks_of,
    checked_land,
    places_to_cross,
    straight_runs,
)
from anabasis.maps.water.rivers import Rivers
from anabasis.movement import MovementClass, movement_class
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_choice, check_count, check_length, check_share

__all__ = ["CHOICES", "Crossing", "bridge_between", "crossings"]

CHOICES = ("detour", "even")
NARROW = 2  # cells, the widest water that is forded

Bools, Bytes, Ints = NDArray[np.bool_], NDArray[np.uint8], NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Crossing:
    """A way over water.

    - kind: *ford* or *bridge*; cells: int64[k, 2], the cells x, y that were water.
    - saved: how many steps through sides of cells the way from bank to bank was longer without it; inf where there
      was none, NaN where it wasn't counted.
    """

    kind: str
    cells: Ints
    saved: float

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "cells", freeze(self.cells, np.int64, (None, 2), "cells of a crossing"))


def crossings(
    terrain: ArrayLike,
    *,
    rivers: Rivers | None = None,
    movement: str | MovementClass = "land",
    choice: str = "detour",
    count: int | None = None,
    spacing: float | None = None,
    least: int = 24,
    longest: int = 5,
    breadth: int = 1,
    ford: float = 0.25,
) -> tuple[Bytes, tuple[Crossing, ...]]:
    """Make fords `~` and bridges `+` over the water of terrain letters, uint8[height, width].

    Returns the changed letters and the crossings in the order in which they were chosen.

    - rivers: where given, only their courses are crossed, not lakes or the sea.
    - choice: *detour*, where a unit of the movement class is saved most steps; *even*, at equal distances along each
      of the `rivers`. count: at most so many, by default any number; spacing: how far from each other, in cells, by
      default a sixteenth of the sides' mean, at least 8.
    - least: a detour of so many steps is worth a crossing, and so is a part of the land that has none, if it has four
      times as many cells.
    - longest: cells of water from bank to bank; breadth: cells across, so that a group can pass.
    - ford: narrow crossings, of one or two cells, are fords where the discharge is at most this share of the greatest;
      without rivers all narrow ones are unless it is 0.

    Raises InputError for options out of range, rivers of another map, and a class that can't use bridges.
    """
    letters = np.array(freeze(terrain, np.uint8, (None, None), "terrain"))
    check_choice(choice, "choice of crossings", CHOICES)
    if choice == "even" and rivers is None:
        raise InputError("crossings evenly along rivers need rivers", hint="give rivers, or choose by detour")
    if rivers is not None and rivers.discharge.shape != letters.shape:
        shapes = ("×".join(map(str, shape)) for shape in (rivers.discharge.shape, letters.shape))
        raise InputError("rivers of another map", found=next(shapes), expected=next(shapes))
    land = checked_land(letters, movement)
    most = letters.size if count is None else check_count(count, "number of crossings")
    gap = max(sum(letters.shape) / 32, 8.0) if spacing is None else check_length(spacing, "spacing of crossings")
    gap = max(gap, float(check_count(breadth, "breadth of a crossing", 1)) + 1)
    places = places_to_cross(letters, land, rivers, check_count(longest, "longest crossing", 1), breadth)
    if choice == "even" and rivers is not None:
        taken = _evenly(places, rivers, gap, most)
    else:
        taken = _by_detour(places, land, gap, most, check_count(least, "least detour", 1))
    forded = bool(np.isfinite(movement_class(movement).cost[FORD]))
    share = check_share(ford, "ford")
    return letters, tuple(_built(letters, place, saved, rivers, share if forded else 0.0) for place, saved in taken)


def bridge_between(
    terrain: ArrayLike,
    first: tuple[int, int],
    second: tuple[int, int],
    *,
    movement: str | MovementClass = "land",
    longest: int | None = None,
) -> tuple[Bytes, Crossing | None]:
    """Join the parts of the land in which cells `first` and `second` (x, y) lie by the shortest straight bridge.

    Returns the changed letters and the bridge; without change and None where the two are one part, or no straight run
    of at most `longest` cells of water lies between them. Raises InputError for cells that aren't land.
    """
    letters = np.array(freeze(terrain, np.uint8, (None, None), "terrain"))
    land = checked_land(letters, movement)
    part = parts(land).astype(np.int64)
    ends = list[int]()
    for x, y in (first, second):
        if not (0 <= y < letters.shape[0] and 0 <= x < letters.shape[1]) or not land[y, x]:
            raise InputError("a bridge must lead to land", found=cell_text(x, y), expected="a cell a unit can enter")
        ends.append(int(part[y, x]))
    most = max(letters.shape) if longest is None else check_count(longest, "longest bridge", 1)
    runs = straight_runs(letters == WATER, land, most, 1, False)
    one, two = banks_of(runs)
    one, two = part[one[:, 1], one[:, 0]], part[two[:, 1], two[:, 0]]
    joins = np.flatnonzero(((one == ends[0]) & (two == ends[1])) | ((one == ends[1]) & (two == ends[0])))
    if ends[0] == ends[1] or not joins.size:
        return letters, None
    x_0, y_0, x_1, y_1, _ = runs[joins[np.argmin((runs[joins, 2:4] - runs[joins, :2]).sum(axis=1))]].tolist()
    letters[y_0 : y_1 + 1, x_0 : x_1 + 1] = BRIDGE
    cells = np.array([[x, y] for y in range(y_0, y_1 + 1) for x in range(x_0, x_1 + 1)])
    return letters, Crossing("bridge", cells, np.inf)


def _thinned(places: Ints, gap: float) -> Ints:
    """Return the narrowest block of each square of half the spacing."""
    x, y = (places[:, 0] + places[:, 2]) // 2, (places[:, 1] + places[:, 3]) // 2
    square = max(int(gap / 2), 1)
    long = np.where(places[:, 4] == 0, places[:, 2] - places[:, 0], places[:, 3] - places[:, 1])
    order = np.lexsort((np.arange(len(places)), long, x // square, y // square))
    where = np.column_stack([x // square, y // square])[order]
    new = np.any(np.diff(where, axis=0, prepend=-1) != 0, axis=1) if len(where) else np.empty(0, bool)
    return places[order[new]]


def _by_detour(places: Ints, land: Bools, gap: float, most: int, least: int) -> list[tuple[list[int], float]]:
    """Return the blocks that save most, and what each saves."""
    places = _thinned(places, gap)
    ground, width = np.pad(land, 1), land.shape[1] + 2
    part = parts(land).astype(np.int64)
    cells = np.bincount(part.reshape(-1))
    one, two = banks_of(places)
    part_1, part_2 = part[one[:, 1], one[:, 0]], part[two[:, 1], two[:, 0]]
    root = np.arange(len(cells))
    seen, queue = np.zeros(ground.size, np.int64), np.empty(ground.size, np.int64)
    asked = 0

    def saving(k: int) -> tuple[float, int]:
        nonlocal asked
        a, b = int(root[part_1[k]]), int(root[part_2[k]])
        if a != b:
            return np.inf, int(min(cells[a], cells[b]))
        asked += 1
        start, goal = ((y + 1) * width + x + 1 for x, y in (one[k].tolist(), two[k].tolist()))
        around = _steps_between(ground.reshape(-1), width, start, goal, asked, seen, queue)
        return float(around - np.abs(two[k] - one[k]).sum()), 0

    saved = [saving(k) for k in range(len(places))]
    waiting = [(-steps, -size, k, 0) for k, (steps, size) in enumerate(saved)]
    heapq.heapify(waiting)
    taken = list[tuple[list[int], float]]()
    while waiting and len(taken) < most:
        _, _, k, known = heapq.heappop(waiting)
        x_0, y_0, x_1, y_1, _ = place = places[k].tolist()
        if not _has_room(place, taken, gap):
            continue
        if known < len(taken):
            saved[k] = saving(k)
            heapq.heappush(waiting, (-saved[k][0], -saved[k][1], k, len(taken)))
            continue
        steps, size = saved[k]
        if steps < least or (size and size < 4 * least):
            continue
        taken.append((place, steps))
        ground[y_0 + 1 : y_1 + 2, x_0 + 1 : x_1 + 2] = True
        beside = part[y_0 : y_1 + 1, max(x_0 - 1, 0) : x_1 + 2], part[max(y_0 - 1, 0) : y_1 + 2, x_0 : x_1 + 1]
        joined = sorted({int(root[p]) for cells_of in beside for p in cells_of.flat if p > 0})
        for other in joined[1:]:
            cells[joined[0]] += cells[other]
            root[root == other] = joined[0]
    return taken


def _evenly(places: Ints, rivers: Rivers, gap: float, most: int) -> list[tuple[list[int], float]]:
    """Return the narrowest block near each of equally spaced cells of each river; what they save isn't counted."""
    middle = (places[:, :2] + places[:, 2:4]) / 2
    long = np.where(places[:, 4] == 0, places[:, 2] - places[:, 0], places[:, 3] - places[:, 1])
    taken = list[tuple[list[int], float]]()
    for course in rivers.courses:
        for cell in course[int(gap / 2) :: max(int(gap), 1)]:
            away = np.hypot(*(middle - cell).T)
            near = np.flatnonzero(away <= gap / 4)
            for k in near[np.lexsort((near, away[near], long[near]))][:1]:
                place = places[k].tolist()
                if len(taken) < most and _has_room(place, taken, gap / 2):
                    taken.append((place, np.nan))
    return taken


def _has_room(place: list[int], taken: list[tuple[list[int], float]], gap: float) -> bool:
    """Return whether a block lies apart from those that are taken, and doesn't touch them."""
    x_0, y_0, x_1, y_1, _ = place
    for (i_0, j_0, i_1, j_1, _), _ in taken:
        between = max(x_0 - i_1, i_0 - x_1, y_0 - j_1, j_0 - y_1)
        if between < 2 or (x_0 + x_1 - i_0 - i_1) ** 2 + (y_0 + y_1 - j_0 - j_1) ** 2 < 4 * gap * gap:
            return False
    return True


def _built(letters: Bytes, place: list[int], saved: float, rivers: Rivers | None, share: float) -> Crossing:
    """Change the water of a block into a ford or a bridge."""
    x_0, y_0, x_1, y_1, way = place
    y, x = np.nonzero(letters[y_0 : y_1 + 1, x_0 : x_1 + 1] == WATER)
    y, x = y + y_0, x + x_0
    length = y_1 - y_0 + 1 if way else x_1 - x_0 + 1
    shallow = share > 0 and (rivers is None or rivers.discharge[y, x].max() <= share * rivers.discharge.max())
    fords = length <= NARROW and shallow
    letters[y, x] = FORD if fords else BRIDGE
    return Crossing("ford" if fords else "bridge", np.column_stack([x, y]), saved)


@kernel
def _steps_between(ground: Bools, width: int, start: int, goal: int, mark: int, seen: Ints, queue: Ints) -> int:
    """Return how many steps through sides lead from start to goal, which are joined; the border is no ground."""
    queue[0], seen[start] = start, mark
    head, tail, steps = 0, 1, 0
    while head < tail:
        last = tail
        while head < last:
            v = queue[head]
            head += 1
            if v == goal:
                return steps
            for w in (v + 1, v - 1, v + width, v - width):
                if ground[w] and seen[w] != mark:
                    seen[w] = mark
                    queue[tail] = w
                    tail += 1
        steps += 1
    return -1
