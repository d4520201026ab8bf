"""Refinement: a path from block to block becomes one from cell to cell, in straight lines with a look ahead.

J. E. Bresenham, "Algorithm for Computer Control of a Digital Plotter", 1965 (the lines). M. Pinter, "Toward More
Realistic Pathfinding", 2001, smooths paths by leaving out points between two that can be joined by a free line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.noun import freeze
from anabasis.search.moves import CORNERS, Space

__all__ = ["Refined", "refine"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


@dataclass(frozen=True)
class Refined:
    """A path over fine cells and how it came about.

    cells: int64[k], the vertices of the path; corners: int64[m], the ends of its lines. tests: lines that were tried;
    onesteps: steps from block to block that no line could make, and that go through the corner between the two.
    """

    cells: Ints
    corners: Ints
    tests: int
    onesteps: int


def refine(
    net: Space, blocks: Ints, middles: Ints, columns: int, ratio: int, start: int, goal: int, ahead: int | None
) -> Refined:
    """Return the path over cells along `blocks`, which are free and of ratio × ratio cells, from `start` to `goal`.

    middles: int64[k], the vertices in the middles of the blocks; columns: how many blocks lie side by side. The path
    leads from the start over the middles to the goal; what lies between two of these points is left out if a line joins
    them that keeps to free cells and to the rule of corners, and costs no more than the way over the middles. ahead:
    after a line that does not, so many points further are tried: 0 for none, -1 for all that are left. None: nothing is
    left out, each point is joined with the next.
    """
    if len(blocks) == 1:
        blocks, middles = np.repeat(blocks, 2), np.repeat(middles, 2)
    points = middles.copy()
    points[0], points[-1] = start, goal
    rule = CORNERS.index(net.corners), net.neighbours == 4
    look = 0 if ahead is None else int(freeze(ahead, np.int64, (), "look ahead"))
    look = len(points) if look < 0 else look
    made = _refine(net.grid.cost, points, blocks, columns, ratio, *rule, look, ahead is None)
    return Refined(*made)


@kernel
def _refine(
    cost: Floats,
    points: Ints,
    blocks: Ints,
    columns: int,
    ratio: int,
    corners: int,
    four: bool,
    ahead: int,
    all_points: bool,
) -> tuple[Ints, Ints, int, int]:
    """Return cells, ends of lines, lines tried and steps through corners, see `refine`."""
    height, width = cost.shape
    last = len(points) - 1
    along, cells = np.zeros(last + 1), np.empty(2 * (width + height), np.int64)
    for i in range(last):  # the way from point to point, each line as it will be walked
        price = _line(cost, points[i], points[i + 1], corners, four, cells)[0]
        if price == np.inf:
            price = _dogleg(cost, points[i], points[i + 1], blocks[i], blocks[i + 1], columns, ratio, cells)[0]
        along[i + 1] = along[i] + price
    made, ends = np.empty(1024, np.int64), np.empty(last + 1, np.int64)
    made[0], ends[0] = points[0], points[0]
    count, lines, tests, onesteps, i = 1, 1, 0, 0, 0
    while i < last:
        best, misses, j = i, 0, i + 1
        while j <= last and misses <= ahead:
            tests += 1
            price = _line(cost, points[i], points[j], corners, four, cells)[0]
            if price <= (along[j] - along[i]) * (1 + 1e-9):
                best, misses = j, 0
            else:
                misses += 1
            j += 1
            if all_points:
                break
        if best == i:
            best = i + 1
            onesteps += 1
            length = _dogleg(cost, points[i], points[best], blocks[i], blocks[best], columns, ratio, cells)[1]
        else:
            length = _line(cost, points[i], points[best], corners, four, cells)[1]
        if count + length > len(made):
            made = np.concatenate((made, np.empty(len(made) + length, np.int64)))
        made[count : count + length] = cells[:length]
        count, i = count + length, best
        ends[lines] = points[i]
        lines += 1
    return made[:count].copy(), ends[:lines].copy(), tests, onesteps


@kernel
def _line(cost: Floats, a: int, b: int, corners: int, four: bool, cells: Ints) -> tuple[float, int]:
    """Write the cells of Bresenham's line from a to b without a, and return what walking it costs and their number.

    The cost is inf if a cell is blocked or a diagonal step breaks the rule (0 strict, 1 loose, 2 none). four: a
    diagonal step is made as two straight ones, over a free cell.
    """
    width = cost.shape[1]
    x, y, end_x, end_y = a % width, a // width, b % width, b // width
    dx, dy = abs(end_x - x), abs(end_y - y)
    sx, sy = (1 if end_x > x else -1), (1 if end_y > y else -1)
    error, count, total = dx - dy, 0, 0.0
    while x != end_x or y != end_y:
        twice = 2 * error
        step_x, step_y = twice > -dy, twice < dx
        if step_x and step_y:
            beside, other = cost[y, x + sx] < np.inf, cost[y + sy, x] < np.inf
            if four:
                if not (beside or other):
                    return np.inf, 0
                cells[count] = y * width + x + sx if beside else (y + sy) * width + x
                total += cost[y, x + sx] if beside else cost[y + sy, x]
                count += 1
            elif (corners == 0 and not (beside and other)) or (corners == 1 and not (beside or other)):
                return np.inf, 0
        if step_x:
            error -= dy
            x += sx
        if step_y:
            error += dx
            y += sy
        if cost[y, x] == np.inf:
            return np.inf, 0
        total += cost[y, x] * (2.0**0.5 if step_x and step_y and not four else 1.0)
        cells[count] = y * width + x
        count += 1
    return float(total), count


@kernel
def _dogleg(
    cost: Floats, a: int, b: int, block: int, other: int, columns: int, ratio: int, cells: Ints
) -> tuple[float, int]:
    """Write the way from a to b in two blocks that meet in a corner: straight to the corner, across, straight on.

    Each block is free, so each line inside is. Returns what walking it costs and the number of cells without a.
    """
    width = cost.shape[1]
    right, down = other % columns > block % columns, other // columns > block // columns
    x = (other % columns if right else block % columns) * ratio  # the lines between columns and rows that are crossed
    y = (other // columns if down else block // columns) * ratio
    leave = (y - 1 if down else y) * width + (x - 1 if right else x)
    enter = (y if down else y - 1) * width + (x if right else x - 1)
    total, count = _line(cost, a, leave, 2, False, cells)
    cells[count] = enter
    total += cost[enter // width, enter % width] * 2.0**0.5
    price, length = _line(cost, enter, b, 2, False, cells[count + 1 :])
    return total + price, count + 1 + length
