"""Tiling: the plane in equal squares, hexagons or triangles, and which of them an obstacle touches.

Squares and flat-topped hexagons as in A. Patel, "Hexagonal Grids", 2013; all three regular tilings and their
neighbours in B. Nagy, "Shortest paths in triangular grids with neighbourhood sequences", 2003.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.decompose.cells import SHAPES
from anabasis.errors import InputError
from anabasis.grid import MAX_CELLS
from anabasis.world import World

__all__ = ["NEIGHBOURS", "Steps", "Tiling", "covered", "steps", "tiling"]

NEIGHBOURS = {"square": (4, 8), "hexagonal": (6, 12), "triangular": (3, 12)}
_REACH = {"square": (1.1, 1.5), "hexagonal": (1.8, 3.1), "triangular": (0.6, 1.2)}  # of both kinds of neighbours
_ROW = 3**0.5  # the height of a hexagon of edge 1, and twice that of a triangle

# A cell is taken for free if an obstacle reaches into it by less than this part of its edge, which is rounding.
_SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class Tiling:
    """Cells in rows and columns.

    centres: float64[rows, columns, 2]. parity: int64[rows, columns], 0 or 1, of which two kinds a cell is: upright or
    turned triangles, even or odd columns of hexagons, 0 for squares. exists: bool[rows, columns]. frame: x of the first
    column and from one to the next, least y of the first row and from one to the next, and how far y varies in a row.
    """

    kind: str
    edge: float
    centres: NDArray[np.float64]
    parity: NDArray[np.int64]
    exists: NDArray[np.bool_]
    frame: tuple[float, float, float, float, float]


def tiling(kind: str, edge: float, bounds: tuple[float, float, float, float], overhang: float = 0.0) -> Tiling:
    """Lay whole cells of that edge into bounds, from the upper left corner.

    overhang: by how much of its height the last hexagon of a column may reach over the lower bound. Raises InputError
    when there are more than 2^26 cells.
    """
    x, y = bounds[0], bounds[1]
    wide, high = (bounds[2] - x) / edge, (bounds[3] - y) / edge
    if kind == "square":
        even = odd = _whole(high)
        across = _whole(wide)
        frame = (0.5, 1.0, 0.5, 1.0, 0.0)
    elif kind == "hexagonal":
        even, odd = _whole(high / _ROW + overhang), _whole(high / _ROW - 0.5 + overhang)
        across = _whole((wide - 2) / 1.5) + 1
        frame = (1.0, 1.5, _ROW / 2, _ROW, _ROW / 2)
    else:
        even = odd = _whole(high * 2 / _ROW)
        across = _whole((wide - 1) * 2) + 1
        frame = (0.5, 0.5, _ROW / 6, _ROW / 2, _ROW / 6)
    rows, columns = max(even, odd, 0), max(across, 0)
    if rows * columns > MAX_CELLS:
        raise InputError(
            "too many cells", found=f"{columns} × {rows}", expected=f"at most {MAX_CELLS}", hint="take a longer edge"
        )
    j, i = np.indices((rows, columns))
    parity = {"square": 0 * i, "hexagonal": i & 1, "triangular": (i + j) & 1}[kind]
    lower = 1 - parity if kind == "triangular" else parity  # the base of an upright triangle is below
    centres = np.empty((rows, columns, 2))
    centres[:, :, 0] = x + (frame[0] + i * frame[1]) * edge
    centres[:, :, 1] = y + (frame[2] + j * frame[3] + lower * frame[4]) * edge
    exists = j < np.where(parity == 0, even, odd)
    first_x, step_x, first_y, step_y, spread = (float(f * edge) for f in frame)
    return Tiling(kind, edge, centres, parity, exists, (first_x + x, step_x, first_y + y, step_y, spread))


def _whole(ratio: float) -> int:
    """Return how many whole cells fit, where a billionth too little is rounding; 2^40 stands for anything above."""
    return math.floor(min(ratio + 1e-9 * max(1.0, abs(ratio)), 2.0**40))


def _sides(kind: str) -> tuple[NDArray[np.float64], float]:
    """Return float64[2, sides, 2], the outward normals of both kinds of cells, and how far sides are from centres."""
    if kind == "square":
        normals, apothem = np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]), 0.5
    else:
        corners = SHAPES[kind]
        middles = (corners + np.roll(corners, -1, axis=0)) / 2
        apothem = _ROW / 2 if kind == "hexagonal" else _ROW / 6
        normals = middles / apothem
    return np.stack([normals, -normals]), apothem


def covered(tiles: Tiling, world: World) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return three times bool[rows, columns]: cells that obstacles touch, that their edges cross, that they cover.

    Touched: an edge of an obstacle meets the closed cell; crossed: the open cell, so that the cell overlaps an
    obstacle; covered: the centre lies in an obstacle (of a crossed cell only to within rounding).
    """
    shape = tiles.parity.shape
    marks, inside = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    if len(world.points) and tiles.parity.size:
        after = np.arange(1, len(world.points) + 1)
        after[world.rings[1:] - 1] = world.rings[:-1]
        edges = np.hstack([world.points, world.points[after]])
        normals, apothem = _sides(tiles.kind)
        size = max(np.abs(world.points).max(), np.abs(world.bounds).max())
        slack = tiles.edge * _SLACK + 4e-16 * float(size)
        _mark(edges, tiles.frame, tiles.centres, tiles.parity, normals, apothem * tiles.edge, slack, marks)
        _cross_columns(edges, tiles.frame, tiles.centres, inside)
        np.bitwise_xor.accumulate(inside, axis=0, out=inside)
    return marks > 0, marks > 1, inside > 0


@dataclass(frozen=True, eq=False)
class Steps:
    """The steps from a cell of each parity (k of them) and the cells that a step to a farther neighbour passes.

    step: int64[2, k, 2], rows and columns to go; length: float64[2, k], at edge 1; back: int64[2, k], the number of the
    opposite step; between: int64[2, k, 4, 2], as steps from the cell, of which the first passed[parity, k] count.
    """

    step: NDArray[np.int64]
    length: NDArray[np.float64]
    back: NDArray[np.int64]
    between: NDArray[np.int64]
    passed: NDArray[np.int64]


@cache
def steps(kind: str, neighbours: int) -> Steps:
    """Return the steps of a kind of cells to its neighbours across sides, or to the farther ones as well."""
    if kind not in NEIGHBOURS:
        raise InputError("unknown kind of cell", found=repr(kind), expected=" or ".join(NEIGHBOURS))
    if neighbours not in NEIGHBOURS[kind]:
        expected = " or ".join(map(str, NEIGHBOURS[kind]))
        raise InputError("number of neighbours", found=f"{neighbours}", expected=f"{expected} for {kind} cells")
    near, far = _REACH[kind]
    patch = tiling(kind, 1.0, (0.0, 0.0, 12.0, 12.0))
    normals, apothem = _sides(kind)
    step, length = np.zeros((2, neighbours, 2), np.int64), np.zeros((2, neighbours))
    between, passed = np.zeros((2, neighbours, 4, 2), np.int64), np.zeros((2, neighbours), np.int64)
    for parity in (0, 1) if kind != "square" else (0,):
        home = np.array([3, 3 if patch.parity[3, 3] == parity else 4])
        a = patch.centres[tuple(home)]
        away = np.hypot(*np.moveaxis(patch.centres - a, 2, 0))
        for k, cell in enumerate(
            np.argwhere((away > 0) & (away < (near if neighbours == min(NEIGHBOURS[kind]) else far)))
        ):
            b = patch.centres[tuple(cell)]
            step[parity, k], length[parity, k] = cell - home, _length(kind, float(away[tuple(cell)]))
            if away[tuple(cell)] > near:
                marks = np.zeros(patch.parity.shape, np.uint8)
                line = np.array([[*a, *b]])
                _mark(line, patch.frame, patch.centres, patch.parity, normals, apothem, 1e-6, marks)
                marks[tuple(home)] = marks[tuple(cell)] = 0
                others = np.argwhere(marks)
                passed[parity, k] = len(others)
                between[parity, k, : len(others)] = others - home
    back = np.zeros((2, neighbours), np.int64)
    for parity, k in np.ndindex(2, neighbours):
        there = _parity_after(kind, parity, step[parity, k])
        back[parity, k] = int(np.argmax((step[there] == -step[parity, k]).all(axis=1)))
    return Steps(step, length, back, between, passed)


def _parity_after(kind: str, parity: int, step: NDArray[np.int64]) -> int:
    """Return the parity of the cell to which a step leads."""
    moved = 0 if kind == "square" else int(step[1]) if kind == "hexagonal" else int(step.sum())
    return (parity + moved) & 1


def _length(kind: str, measured: float) -> float:
    """Return the length of a step at edge 1, rounded once: the root of a whole number, or of a third of one."""
    return math.sqrt(round(measured**2)) if kind != "triangular" else math.sqrt(round(measured**2 * 3) / 3)


@kernel
def _mark(
    edges: Any, frame: Any, centres: Any, parity: Any, normals: Any, apothem: float, slack: float, marks: Any
) -> None:
    """Mark cells (uint8): 1 if an edge meets the cell grown by the slack, 2 if it meets the cell shrunk by it."""
    first_x, step_x, first_y, step_y, spread = frame
    rows, columns = parity.shape
    reach = 2.0 * apothem + slack  # no corner is farther from its centre
    for e in range(len(edges)):
        ax, ay, bx, by = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
        j_low = int(max(0.0, math.floor((min(ay, by) - reach - spread - first_y) / step_y)))
        j_high = int(min(rows - 1.0, math.ceil((max(ay, by) + reach - first_y) / step_y)))
        for j in range(j_low, j_high + 1):
            top = first_y + j * step_y - reach
            bottom = first_y + j * step_y + spread + reach
            left, right = min(ax, bx), max(ax, bx)
            if ay != by:  # only the part of the edge that lies in the row's band
                u = min(max((top - ay) / (by - ay), 0.0), 1.0)
                v = min(max((bottom - ay) / (by - ay), 0.0), 1.0)
                left, right = min(ax + u * (bx - ax), ax + v * (bx - ax)), max(ax + u * (bx - ax), ax + v * (bx - ax))
            i_low = int(max(0.0, math.floor((left - reach - first_x) / step_x)))
            i_high = int(min(columns - 1.0, math.ceil((right + reach - first_x) / step_x)))
            for i in range(i_low, i_high + 1):
                if marks[j, i] == 2:
                    continue
                x, y, sides = centres[j, i, 0], centres[j, i, 1], normals[parity[j, i]]
                if _meets(sides, apothem + slack, ax - x, ay - y, bx - x, by - y):
                    marks[j, i] = 2 if _meets(sides, apothem - slack, ax - x, ay - y, bx - x, by - y) else 1


@kernel
def _meets(normals: Any, apothem: float, ax: float, ay: float, bx: float, by: float) -> bool:
    """Whether a segment meets the convex polygon whose sides are so far from the origin."""
    enter, leave = 0.0, 1.0
    for k in range(len(normals)):
        a = normals[k, 0] * ax + normals[k, 1] * ay - apothem
        b = normals[k, 0] * bx + normals[k, 1] * by - apothem
        if a > 0 and b > 0:
            return False
        if a > 0:
            enter = max(enter, a / (a - b))
        elif b > 0:
            leave = min(leave, a / (a - b))
        if enter > leave:
            return False
    return True


@kernel
def _cross_columns(edges: Any, frame: Any, centres: Any, inside: Any) -> None:
    """Flip, for each edge and each column that it crosses, the first cell whose centre lies below the crossing."""
    first_x, step_x, first_y, step_y, _spread = frame
    rows, columns = inside.shape
    for e in range(len(edges)):
        ax, ay, bx, by = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
        low, high = min(ax, bx), max(ax, bx)
        i_low = int(max(0.0, math.floor((low - first_x) / step_x)))
        i_high = int(min(columns - 1.0, math.ceil((high - first_x) / step_x)))
        for i in range(i_low, i_high + 1):
            x = centres[0, i, 0]
            if not low <= x < high:
                continue
            y = ay + (x - ax) * (by - ay) / (bx - ax)
            j = int(min(max(math.floor((y - first_y) / step_y), 0.0), float(rows)))
            while j > 0 and centres[j - 1, i, 1] > y:
                j -= 1
            while j < rows and centres[j, i, 1] <= y:
                j += 1
            if j < rows:
                inside[j, i] ^= 1
