"""Shapes: schemas of the usual formations, made from the number of units.

Column, diamond, wedge and square are those of M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles
University, 2011; his "line", a file of units one behind another, is `column` here, and `line` is units abreast.

What all shapes share:

- spot 0 is the leader's, at (0, 0), and nobody is in front of it; of two middle spots it holds the right one. Numbers
  rise from layer to layer, in a layer from left to right, in the first one and along a ring outwards from the leader,
  left before right;
- spacing: how far the two closest spots are apart; by default 40, two steps of a lattice. Diamond, wedge and staggered
  are then cut out of the triangles of a lattice;
- area (width, depth), in place of a spacing: the formation is stretched to fill this rectangle; where it has no extent,
  as a column in width, that side is not used;
- layers are bound to layers next to them only, each spot to the nearest in the layer before, on both sides if they are
  equally near, and to its neighbours in its layer. Its commander is the nearest spot of the layer before, the lower
  number if there are two; in the first layer and along a ring the neighbour towards the leader;
- InputError is raised for less than 1 or more than 1,000,000 units, for lengths that are not positive and finite, and
  where both spacing and area are given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze
from anabasis.options import check_choice, check_count, check_length
from anabasis.schema import Schema

__all__ = [
    "SHAPES",
    "box",
    "circle",
    "column",
    "diamond",
    "line",
    "schema_of",
    "square",
    "staggered",
    "wedge",
]

_SPACING = 40.0
_ROW_GAP = math.sqrt(3) / 2  # of rows in which all neighbours are 1 apart

_Area = tuple[float, float] | None
_Layout = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]  # places at spacing 1, commanders, pairs


def schema_of(
    shape: str, units: int, *, spacing: float | None = None, area: tuple[float, float] | None = None
) -> Schema:
    """Return the schema of one of the SHAPES for so many units; spacing and area as the module describes them.

    Raises InputError for a shape that is unknown, too.
    """
    return _MAKERS[check_choice(shape, "shape of a formation", SHAPES)](units, spacing=spacing, area=area)


def line(units: int, *, spacing: float | None = None, area: tuple[float, float] | None = None) -> Schema:
    """Return units abreast, the leader in the middle."""
    return _fitted(_layered([_row(_count(units))], 1.0), spacing, area)


def column(units: int, *, spacing: float | None = None, area: tuple[float, float] | None = None) -> Schema:
    """Return a file of units one behind another; each follows the one in front. The source calls it a line."""
    return _fitted(_layered([_row(1)] * _count(units), 1.0), spacing, area)


def diamond(units: int, *, spacing: float | None = None, area: tuple[float, float] | None = None) -> Schema:
    """Return layers of 1, 2, … n … 2, 1 units, n² in all.

    Of a number that is no square the next larger one is cut at the back; what is left of a layer is its middle.
    """
    n = math.isqrt(_count(units) - 1) + 1
    layers = (_row(min(i, 2 * n - i)) for i in range(1, 2 * n))
    return _fitted(_layered(_cut(layers, units), _ROW_GAP), spacing, area)


def wedge(units: int, *, spacing: float | None = None, area: tuple[float, float] | None = None) -> Schema:
    """Return the leader and behind it layers of 2 units, each layer wider than the one before.

    An even number leaves one unit for the last layer, on the left.
    """
    layers = (np.array((-i, i) if i else (0,)) / 2 for i in range(_count(units) // 2 + 1))
    return _fitted(_layered(_cut(layers, units), _ROW_GAP), spacing, area)


def square(units: int, *, spacing: float | None = None, area: tuple[float, float] | None = None) -> Schema:
    """Return a unit in each corner, the leader in the middle of the front, the others evenly along the sides.

    Both flanks have as many. Four units hold the corners, fewer some of them; the leader's is then the right front one.
    """
    corners = max(_count(units), 4)
    # into how many parts the spots divide each side; an even number in front, so that one spot is in the middle
    front = 1 if corners == 4 else 2 * max(1, math.ceil(corners / 8 - 0.5))
    flank = round((corners - front) / 3)
    rear = corners - front - 2 * flank
    a, b, c = np.arange(front) / front, np.arange(flank) / flank, np.arange(rear) / rear
    x = np.concatenate((a, np.ones(flank), 1 - c, np.zeros(flank)))
    y = np.concatenate((np.zeros(front), b, np.ones(rear), 1 - b))
    clockwise = np.roll(np.stack((x, y), 1), -((front + 1) // 2), axis=0)
    return _fitted(_ring(clockwise * max(front, flank, rear), units), spacing, area)


def circle(units: int, *, spacing: float | None = None, area: tuple[float, float] | None = None) -> Schema:
    """Return units evenly on a circle, the leader in front; an area makes it an ellipse."""
    turns = np.arange(_count(units)) * (2 * math.pi / units)
    radius = 0.5 / math.sin(math.pi / max(units, 2))
    return _fitted(_ring(np.stack((np.sin(turns), 1 - np.cos(turns)), 1) * radius, units), spacing, area)


def box(units: int, *, spacing: float | None = None, area: tuple[float, float] | None = None) -> Schema:
    """Return rows and columns that are filled, as near to a square as the number allows, rather wide than deep.

    The leader is in the middle of the first row. A last row that is not full stands in the middle.
    """
    wide = math.isqrt(_count(units) - 1) + 1
    full, rest = divmod(units, wide)
    return _fitted(_layered([_row(wide)] * full + [_row(rest)] * (rest > 0), 1.0), spacing, area)


def staggered(units: int, *, spacing: float | None = None, area: tuple[float, float] | None = None) -> Schema:
    """Return rows that are shifted by half a spacing: the first as wide as that of a box, every other one unit less.

    The leader is in the middle of the first row. Of a last row that is not full there is the middle.
    """
    wide = math.isqrt(_count(units) - 1) + 1
    rows = (_row(n) for n in cycle((wide, wide - 1)))
    return _fitted(_layered(_cut(rows, units), _ROW_GAP), spacing, area)


_MAKERS: tuple[Callable[..., Schema], ...] = (line, column, diamond, wedge, square, circle, box, staggered)

SHAPES = tuple(maker.__name__ for maker in _MAKERS)
"""The names that `schema_of` knows; each is a function of this module, too."""


def _count(units: int) -> int:
    return check_count(units, "units of a formation", 1, 1_000_000)


def _row(spots: int) -> NDArray[np.float64]:
    """Return the x of spots side by side, about 0; halves, so that they compare exactly."""
    return np.arange(spots, dtype=np.float64) - (spots - 1) / 2


def _cut(rows: Iterable[NDArray[np.float64]], units: int) -> list[NDArray[np.float64]]:
    """Return as many rows as there are units for; of the last one the middle, of two middles the left one."""
    kept: list[NDArray[np.float64]] = []
    left = units
    for row in rows:
        first = (len(row) - min(left, len(row))) // 2
        kept.append(row[first : first + left])
        left -= len(kept[-1])
        if not left:
            break
    return kept


def _outwards(spots: int) -> NDArray[np.int64]:
    """Return how far each spot is from the leader along a row or a ring: 0, -1, 1, -2, 2 …; left is negative."""
    number = np.arange(spots)
    return np.where(number % 2, -(number + 1), number) // 2


def _inwards(spots: int) -> NDArray[np.int64]:
    """Return the neighbour towards the leader of each spot that is numbered outwards."""
    return np.maximum(np.arange(spots) - 2, 0)


def _ring(clockwise: NDArray[np.float64], units: int) -> _Layout:
    """Return the layout of the first units of a ring, given clockwise from the leader, numbered outwards."""
    places = clockwise[_outwards(len(clockwise))][:units]
    closing = [(units - 2, units - 1)] if units > 2 else []
    return places, _inwards(units), np.array(closing, np.int64).reshape(-1, 2)


def _layered(rows: list[NDArray[np.float64]], gap: float) -> _Layout:
    """Return the layout of layers, given by the x of their spots from left to right, the front first."""
    units, front = sum(map(len, rows)), len(rows[0])
    places, commander = np.empty((units, 2)), np.empty(units, np.int64)
    commander[:front] = _inwards(front)
    names = np.empty(front, np.int64)
    names[front // 2 + _outwards(front)] = np.arange(front)
    places[names] = np.stack((rows[0], np.zeros(front)), 1)
    pairs = [np.stack((names[:-1], names[1:]), 1)]
    for depth in range(1, len(rows)):
        before, names = names, np.arange(names.max() + 1, names.max() + 1 + len(rows[depth]))
        places[names] = np.stack((rows[depth], np.full(len(names), depth * gap)), 1)
        away = np.abs(rows[depth][:, None] - rows[depth - 1])
        nearest = away == away.min(1, keepdims=True)
        commander[names] = np.where(nearest, before, units).min(1)
        behind, ahead = np.nonzero(nearest)
        pairs += [np.stack((names[:-1], names[1:]), 1), np.stack((before[ahead], names[behind]), 1)]
    return places, commander, np.concatenate(pairs)


def _fitted(layout: _Layout, spacing: float | None, area: _Area) -> Schema:
    """Return the schema of a layout, at a spacing or stretched to an area."""
    places, commander, pairs = layout
    if area is None:
        length = check_length(_SPACING if spacing is None else spacing, "spacing of a formation")
        return Schema.of(places * length, commander, pairs)
    if spacing is not None:
        raise InputError(
            "size of a formation",
            found="both a spacing and an area",
            expected="one of them",
            hint="an area stretches the formation to its own width and depth, whatever the spacing",
        )
    sides = freeze(area, np.float64, (2,), "area of a formation")
    width, depth = check_length(sides[0], "width of a formation"), check_length(sides[1], "depth of a formation")
    extent = np.ptp(places, axis=0)  # of two on a circle not quite 0 in width
    factors = np.divide((width, depth), extent, out=np.ones(2), where=extent > 1e-9)
    return Schema.of(places * factors, commander, pairs)
