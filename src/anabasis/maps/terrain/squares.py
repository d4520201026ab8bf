"""Squares: the least grid of squares of 2ˣ cells that holds a map, and how a map lies on them.

Diamond-square fills grids of (a · 2ˣ + 1) × (b · 2ˣ + 1) points. A map of any other size is cut out of the least one
that holds it, or spread over it: when the squares have become small, their heights move to whole cells of the map.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.grid import MAX_CELLS, MAX_SIDE
from anabasis.maps.shape import check_shape
from anabasis.noun import freeze
from anabasis.options import check_count

__all__ = [
    "FITS",
    "Axis",
    "Squares",
    "axis",
    "fit_squares",
    "force",
    "halved",
    "moved",
    "predefined_heights",
    "square_side",
]

FITS = ("spread", "cut")
_EVEN = 128  # intervals of an axis, so many that moving them by less than one leaves the shape of the land
_MOST_HEIGHT = 1e12  # sums of such heights stay finite


@dataclass(frozen=True)
class Squares:
    """A grid of columns × rows squares of `side` cells, a power of two."""

    columns: int
    rows: int
    side: int


def fit_squares(
    width: int, height: int, *, square: int | None = None, cut: bool = False, seamless: bool = False
) -> Squares:
    """Return the least grid of squares that holds a map of width × height cells.

    square: the side of a square, a power of two; by default the least that spans the shorter side of the map and an
    eighth of the longer one. Raises InputError for sides that are not from 1 to 16384, more than 2²⁶ cells, another
    side of a square, or, where the map is cut from it, a grid of more than 2²⁷ points.
    """
    height, width = check_shape(width, height)
    spans = [n if seamless else max(n - 1, 1) for n in (width, height)]
    side = square_side(square, max(min(spans), (max(spans) + 7) // 8))
    columns, rows = (-(-span // side) for span in spans)
    if cut and (columns * side + 1) * (rows * side + 1) > 2 * MAX_CELLS:
        raise InputError(
            f"squares of {side} make a grid that is too large to be cut",
            found=f"{columns * side + 1} × {rows * side + 1} points",
            expected=f"at most {2 * MAX_CELLS}",
            hint=f"square={side // 2}, or a map that is spread",
        )
    return Squares(columns, rows, side)


def square_side(square: int | None, least: int) -> int:
    """Return the side of a square that a caller gives, or the least power of two that isn't below `least`."""
    if square is None:
        return 1 << (least - 1).bit_length()
    side = check_count(square, "square", 1, MAX_SIDE, expected="a power of two from 1 to 16384")
    if side & (side - 1):
        raise InputError("square", found=f"{square}", expected="a power of two from 1 to 16384")
    return side


@dataclass(frozen=True)
class Axis:
    """The columns (or rows) of lines through a grid of squares, level by level as the squares are halved.

    cells: the map's column on which each line of a level lies, -1 beyond the map; kept: how many lines stay after each
    level; level: the one after which the lines move to `places`, in intervals of that level (if there is such a level).
    """

    cells: tuple[NDArray[np.int64], ...]
    kept: tuple[int, ...]
    level: int
    places: NDArray[np.float64]


def axis(cells: int, squares: int, side: int, *, seamless: bool = False, cut: bool = False) -> Axis:
    """Return the lines of each level for so many columns (or rows) of a map, spread over the squares or cut from them.

    A map that the squares don't fit is spread as early as details allow, at 128 intervals or the next level at which a
    seamless map is a whole number of intervals; from then on lines lie on multiples of whole cells.
    """
    span, last = (cells if seamless else max(cells - 1, 1)), side.bit_length() - 1
    level, places = last + 1, np.zeros(0)
    if not cut and squares * side != span:
        fitting = [k for k in range(last) if squares << k >= _EVEN and not (seamless and span % (side >> k))]
        level = fitting[0] if fitting else last
        step = side >> level
        places = np.minimum(np.arange(-(-span // step) + 1) * step / span, 1.0) * (squares << level)
    found: list[NDArray[np.int64]] = []
    kept: list[int] = []
    for k in range(last + 1):
        step, intervals = side >> k, squares << k
        if k <= level < last + 1:
            place = (2 * np.arange(intervals + 1) * span + intervals) // (2 * intervals)
        else:
            place = step * np.arange(2 * kept[-1] - 1 if kept else squares + 1)
        found.append(np.where(place < cells, place, -1))
        kept.append(place.size if k < level else -(-span // step) + 1)
    return Axis(tuple(found), tuple(kept), level, places)


def force(
    heights: NDArray[np.float64],
    level: int,
    axes: tuple[Axis, ...],
    places: NDArray[np.int64],
    given: NDArray[np.float64],
) -> None:
    """Write the heights that are given before at those places, int64[n, d] by axis, for which a level has lines."""
    if not given.size:
        return
    lines: list[NDArray[np.int64]] = []
    for each, cells in zip(axes, places.T, strict=True):
        on_map = np.flatnonzero(each.cells[level] >= 0)
        line = np.full(max(int(each.cells[level].max()), int(cells.max())) + 1, -1)
        line[each.cells[level][on_map]] = on_map
        lines.append(line[cells])
    there = np.all(np.array(lines) >= 0, axis=0)
    heights[tuple(line[there] for line in lines)] = given[there]


def halved(coarse: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the heights with a new line of NaN, no height yet, between any two."""
    heights = np.full([2 * n - 1 for n in coarse.shape], np.nan)
    heights[(slice(None, None, 2),) * coarse.ndim] = coarse
    return heights


def moved(heights: NDArray[np.float64], level: int, *axes: Axis) -> NDArray[np.float64]:
    """Return the heights on the lines that stay after a level, between old lines where lines move."""
    for n, each in enumerate(axes):
        if level == each.level:
            low = np.minimum(each.places.astype(np.int64), heights.shape[n] - 2)
            part = (each.places - low).reshape(-1, *[1] * (len(axes) - n - 1))
            heights = heights.take(low, axis=n) * (1 - part) + heights.take(low + 1, axis=n) * part
    return heights[tuple(slice(each.kept[level]) for each in axes)]


def predefined_heights(
    predefined: ArrayLike | None, width: int, height: int, *, whole: bool
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return int64[n, 2], the cells (y, x), and float64[n], the heights that are given before a map is made.

    Raises InputError for cells outside the map, a cell with two heights, and heights that can't be: no whole numbers
    from -128 to 127 (whole), or beyond ±10¹².
    """
    rows = freeze(np.zeros((0, 3)) if predefined is None else predefined, np.float64, (None, 3), "predefined heights")
    cells, heights = rows[:, :2], rows[:, 2]
    wrong = ~((cells == np.floor(cells)) & (cells >= 0) & (cells < [width, height])).all(axis=1)
    _refuse(rows, wrong, "a predefined cell lies outside the map", f"x from 0 to {width - 1}, y from 0 to {height - 1}")
    if whole:
        wrong = (heights != np.floor(heights)) | (np.abs(heights + 0.5) > 128)
        _refuse(rows, wrong, "a predefined height", "a whole number from -128 to 127")
    _refuse(rows, ~(np.abs(heights) <= _MOST_HEIGHT), "a predefined height", "a number from -10¹² to 10¹²")
    places = cells.astype(np.int64)
    key = places[:, 1] * width + places[:, 0]
    order = np.argsort(key, kind="stable")
    twice = np.zeros(len(rows), bool)
    twice[order[1:]] = (np.diff(key[order]) == 0) & (np.diff(heights[order]) != 0)
    _refuse(rows, twice, "a predefined cell has two heights", "one height for each cell")
    return places[:, ::-1], heights


def _refuse(rows: NDArray[np.float64], wrong: NDArray[np.bool_], problem: str, expected: str) -> None:
    if wrong.any():
        n = int(np.argmax(wrong))
        x, y, height = rows[n]
        raise InputError(problem, where=f"predefined[{n}]", found=f"({x:g}, {y:g}): {height:g}", expected=expected)
