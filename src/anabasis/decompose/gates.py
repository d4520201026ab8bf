"""Gates: straight lines from wall to wall where the lakes of a flooding meet.

The border of a lake is cut into pieces that lead from one wall to another; the ends of each piece slide along their
walls while the line between them gets shorter. Of lines that cross, the shorter one stays. After D. Halldórsson and
Y. Björnsson, "Automated decomposition of game maps", 2015, as told by J. Pacovský, "Navigation of units in video games
using flow networks", 2019.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.decompose.borders import borders

__all__ = ["find_gates"]

SLIDE = 8  # cells that an end may slide from where the lakes met


def find_gates(lake: NDArray[np.int32]) -> list[NDArray[np.int64]]:
    """Return the gates between lakes, int32[height, width] with -1 in walls: int64[c] each, vertices in a line.

    Each is a line of free cells, neighbours by side or corner, whose ends touch walls or the map's edge by side or
    corner; no two share a cell, cross, or run side by side. The shortest come first.
    """
    padded = np.pad(lake, 1, constant_values=-1)
    lines = np.unique(_narrowed(padded, _wall_contacts(padded), borders(padded), SLIDE), axis=0)
    square = (lines[:, 0] - lines[:, 2]) ** 2 + (lines[:, 1] - lines[:, 3]) ** 2
    indptr, cells = _chosen(lines[np.argsort(square, kind="stable")], np.zeros(padded.shape, bool))
    x, y = cells % padded.shape[1] - 1, cells // padded.shape[1] - 1
    return np.split(y * lake.shape[1] + x, indptr[1:-1]) if len(indptr) > 1 else []


@kernel
def _narrowed(lake: Any, contacts: Any, pieces: Any, most: int) -> Any:
    """Return int64[k, 4]: the lines that pieces of borders become when their ends slide, the end with less x first."""
    lines, count = np.empty((len(pieces), 4), np.int64), 0
    for k in range(len(pieces)):
        x0, y0, x1, y1, own = pieces[k]
        x0, y0, x1, y1 = _slide(lake, contacts, x0, y0, x1, y1, own, most)
        if x0 >= 0:
            if (x1, y1) < (x0, y0):
                x0, y0, x1, y1 = x1, y1, x0, y0
            lines[count, 0], lines[count, 1], lines[count, 2], lines[count, 3] = x0, y0, x1, y1
            count += 1
    return lines[:count].copy()


@kernel
def _chosen(lines: Any, taken: Any) -> Any:
    """Return indptr and cells of those lines that can be gates beside the ones before them."""
    width = taken.shape[1]
    indptr, cells = np.zeros(len(lines) + 1, np.int64), np.empty(256, np.int64)
    count = 0
    for k in range(len(lines)):
        x0, y0, x1, y1 = lines[k]
        steps, start, beside, free = max(abs(x1 - x0), abs(y1 - y0), 1), indptr[count], 0, True
        while len(cells) < start + steps + 1:
            cells = np.concatenate((cells, cells))
        end = start
        last_x, last_y = x0, y0
        for step in range(steps + 1 if (x0, y0) != (x1, y1) else 1):
            x = (2 * x0 * steps + 2 * step * (x1 - x0) + steps) // (2 * steps)
            y = (2 * y0 * steps + 2 * step * (y1 - y0) + steps) // (2 * steps)
            # a line may not slip through a diagonal step of another one
            crossed = x != last_x and y != last_y and taken[y, last_x] and taken[last_y, x]
            free = free and not taken[y, x] and not crossed
            beside += taken[y - 1, x] or taken[y + 1, x] or taken[y, x - 1] or taken[y, x + 1]
            cells[end] = y * width + x
            last_x, last_y, end = x, y, end + 1
        if free and 2 * beside <= end - start:
            for i in range(start, end):
                taken[cells[i] // width, cells[i] % width] = True
            count += 1
            indptr[count] = end
    return indptr[: count + 1].copy(), cells[: indptr[count]].copy()


@kernel
def _wall_contacts(lake: Any) -> Any:
    """Return int64[height, width]: 1 for a cell that touches a wall, and 1 more for each side with a wall; else 0."""
    height, width = lake.shape
    contacts = np.zeros((height, width), np.int64)
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            if lake[y, x] < 0:
                continue
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    if lake[y + dy, x + dx] < 0:
                        contacts[y, x] = max(contacts[y, x], 1) + (dx == 0 or dy == 0)
    return contacts


@kernel
def _clear(lake: Any, x0: int, y0: int, x1: int, y1: int) -> bool:
    """Whether all cells of the line are free (as in `_chosen`)."""
    if (x1, y1) < (x0, y0):
        x0, y0, x1, y1 = x1, y1, x0, y0
    steps = max(abs(x1 - x0), abs(y1 - y0), 1)
    for k in range(steps + 1):
        x = (2 * x0 * steps + 2 * k * (x1 - x0) + steps) // (2 * steps)
        y = (2 * y0 * steps + 2 * k * (y1 - y0) + steps) // (2 * steps)
        if lake[y, x] < 0:
            return False
    return True


@kernel
def _parts(lake: Any, x0: int, y0: int, x1: int, y1: int, own: int) -> bool:
    """Whether the line parts what lies right beside it, and has the lake on one side and another one on the other.

    The cells beside the line, but for it, have to be at least two pieces by sides of cells, so that the line leads from
    wall to wall and not along one. Near its middle, across it, the lake has to be found in the one direction, and
    another one in the other, or beyond the lake.
    """
    if (x1, y1) < (x0, y0):
        x0, y0, x1, y1 = x1, y1, x0, y0
    if (x1, y1) != (x0, y0) and not _between(lake, x0, y0, x1, y1, own):
        return False
    left, top = min(x0, x1) - 1, min(y0, y1) - 1
    width, height = abs(x1 - x0) + 3, abs(y1 - y0) + 3
    beside = np.zeros((height, width), np.uint8)  # 1 beside the line, 2 on it, 3 counted
    steps = max(abs(x1 - x0), abs(y1 - y0), 1)
    for on in range(2):
        for k in range(steps + 1):
            x = (2 * x0 * steps + 2 * k * (x1 - x0) + steps) // (2 * steps) - left
            y = (2 * y0 * steps + 2 * k * (y1 - y0) + steps) // (2 * steps) - top
            if on:
                beside[y, x] = 2
                continue
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    if lake[top + y + dy, left + x + dx] >= 0:
                        beside[y + dy, x + dx] = 1
    pieces = 0
    waiting = np.empty((beside.size, 2), np.int64)
    for y in range(height):
        for x in range(width):
            if beside[y, x] != 1:
                continue
            pieces += 1
            beside[y, x] = 3
            waiting[0, 0], waiting[0, 1] = x, y
            size = 1
            while size:
                size -= 1
                px, py = waiting[size, 0], waiting[size, 1]
                for k in range(4):
                    nx, ny = px + (k == 0) - (k == 2), py + (k == 1) - (k == 3)
                    if 0 <= nx < width and 0 <= ny < height and beside[ny, nx] == 1:
                        beside[ny, nx] = 3
                        waiting[size, 0], waiting[size, 1] = nx, ny
                        size += 1
    return pieces >= 2


@kernel
def _between(lake: Any, x0: int, y0: int, x1: int, y1: int, own: int) -> bool:
    """Whether near the middle of the line the lake is found on one side of it, and another one on the other."""
    length = np.sqrt(float((x1 - x0) ** 2 + (y1 - y0) ** 2))
    away_x, away_y = (y0 - y1) / length, (x1 - x0) / length
    middle_x, middle_y = (x0 + x1) / 2 + 0.5, (y0 + y1) / 2 + 0.5
    seen, strange = 0, 0  # bits: on the one side, on the other
    for step in range(1, 5):
        for side in range(2):
            way = (step - 0.25) * (1 if side else -1)
            x, y = int(np.floor(middle_x + way * away_x)), int(np.floor(middle_y + way * away_y))
            if 0 <= x < lake.shape[1] and 0 <= y < lake.shape[0] and lake[y, x] >= 0:
                if lake[y, x] == own:
                    seen |= 1 << side
                else:
                    strange |= 1 << side
    return bool((seen & 1 and strange & 2) or (seen & 2 and strange & 1))


@kernel
def _slide(lake: Any, contacts: Any, x0: int, y0: int, x1: int, y1: int, own: int, most: int) -> Any:
    """Return the ends of a piece of border, slid along their walls while the line falls; x0 = -1 if no line will do.

    Of lines of one length the one whose ends have more walls beside them is taken, so that a gate stands in its door.
    The line must stay between the lake and another one, so that ends don't slide together into a corner.
    """
    start_x, start_y, end_x, end_y = x0, y0, x1, y1
    good = _clear(lake, x0, y0, x1, y1) and _parts(lake, x0, y0, x1, y1, own)
    best = 16 * ((x1 - x0) ** 2 + (y1 - y0) ** 2) - contacts[y0, x0] - contacts[y1, x1] if good else 2**60
    while True:
        found = best
        to_x0, to_y0, to_x1, to_y1 = x0, y0, x1, y1
        for ay in range(y0 - 1, y0 + 2):
            for ax in range(x0 - 1, x0 + 2):
                if contacts[ay, ax] == 0 or max(abs(ax - start_x), abs(ay - start_y)) > most:
                    continue
                for by in range(y1 - 1, y1 + 2):
                    for bx in range(x1 - 1, x1 + 2):
                        if contacts[by, bx] == 0 or max(abs(bx - end_x), abs(by - end_y)) > most:
                            continue
                        score = 16 * ((bx - ax) ** 2 + (by - ay) ** 2) - contacts[ay, ax] - contacts[by, bx]
                        if score < found and _clear(lake, ax, ay, bx, by) and _parts(lake, ax, ay, bx, by, own):
                            found = score
                            to_x0, to_y0, to_x1, to_y1 = ax, ay, bx, by
        if found == best:
            break
        best = found
        x0, y0, x1, y1 = to_x0, to_y0, to_x1, to_y1
    if best == 2**60:
        return -1, -1, -1, -1
    return x0, y0, x1, y1
