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

__all__ = ["borders", "find_gates", "line_cells"]

SLIDE = 8  # cells that an end may slide from where the lakes met


def find_gates(lake: NDArray[np.int32]) -> list[NDArray[np.int64]]:
    """Return the gates between lakes, int32[height, width] with -1 in walls: int64[c] each, vertices in a line.

    Each is a line of free cells, neighbours by side or corner, whose ends touch walls or the map's edge by side or
    corner; no two share a cell, cross, or run side by side.
    """
    padded = np.pad(lake, 1, constant_values=-1)
    _height, width = lake.shape
    lines: dict[tuple[int, int, int, int], NDArray[np.int64]] = {}
    contacts = _wall_contacts(padded)
    for start, end, own in borders(padded):
        x0, y0, x1, y1 = _slide(padded, contacts, *start, *end, own, SLIDE)
        if x0 < 0:
            continue
        first, last = min((x0, y0), (x1, y1)), max((x0, y0), (x1, y1))
        lines.setdefault((*first, *last), line_cells(*first, *last))
    taken = np.zeros(padded.shape, bool)
    gates: list[NDArray[np.int64]] = []
    for ends in sorted(lines, key=lambda e: ((e[0] - e[2]) ** 2 + (e[1] - e[3]) ** 2, e)):
        cells = lines[ends]
        x, y = cells[:, 0], cells[:, 1]
        slants = (x[1:] != x[:-1]) & (y[1:] != y[:-1])  # a line may not slip through a diagonal step of another one
        crossed = taken[y[1:][slants], x[:-1][slants]] & taken[y[:-1][slants], x[1:][slants]]
        beside = taken[y - 1, x] | taken[y + 1, x] | taken[y, x - 1] | taken[y, x + 1]
        if taken[y, x].any() or crossed.any() or 2 * np.count_nonzero(beside) > len(cells):
            continue
        taken[y, x] = True
        gates.append((y - 1) * width + x - 1)
    return gates


def line_cells(x0: int, y0: int, x1: int, y1: int) -> NDArray[np.int64]:
    """Return int64[k, 2]: the cells of the line between two cells, both included, the same ones from either end."""
    steps = max(abs(x1 - x0), abs(y1 - y0), 1)
    k = np.arange(steps + 1) if (x0, y0) != (x1, y1) else np.zeros(1, np.int64)
    return np.stack(
        [
            (2 * x0 * steps + 2 * k * (x1 - x0) + steps) // (2 * steps),
            (2 * y0 * steps + 2 * k * (y1 - y0) + steps) // (2 * steps),
        ],
        axis=1,
    )


def borders(lake: NDArray[np.int32]) -> list[tuple[tuple[int, int], tuple[int, int], int]]:
    """Return the pieces of the borders of lakes from wall to wall: the cells (x, y) at both ends, and the lake.

    `lake` has walls all around. A border runs between cells, the lake to its left; a piece begins and ends at corners
    of cells that touch a wall, and has its end cells on the lake's own side. A border between the same two corners is
    returned for one of the lakes alone.
    """
    rows = _edges(lake)
    if not len(rows):
        return []
    pieces: dict[frozenset[int], tuple[tuple[int, int], tuple[int, int], int]] = {}
    for x0, y0, x1, y1, own, start, end in _pieces(lake, rows).tolist():
        pieces.setdefault(frozenset((start, end)), ((x0, y0), (x1, y1), own))
    return list(pieces.values())


@kernel
def _edges(lake: Any) -> Any:
    """Return the edges between cells of different lakes, once for each of the two.

    A row is (lake, start corner, end corner, cell) as vertices y · width + x; a corner has the number of the cell to
    its lower right; the lake lies to the left of who goes from start to end.
    """
    height, width = lake.shape
    rows = np.empty((256, 4), np.int64)
    count = 0
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            own = lake[y, x]
            if own < 0:
                continue
            for k in range(4):
                nx, ny = x + (k == 0) - (k == 2), y + (k == 1) - (k == 3)
                if lake[ny, nx] < 0 or lake[ny, nx] == own:
                    continue
                if count == len(rows):
                    rows = np.concatenate((rows, rows))
                # the side of the cell toward its neighbour, walked so that the cell is to the left (y runs down)
                east, south = x + 1, y + 1
                if k == 0:
                    a, b = south * width + east, y * width + east
                elif k == 1:
                    a, b = south * width + x, south * width + east
                elif k == 2:
                    a, b = y * width + x, south * width + x
                else:
                    a, b = y * width + east, y * width + x
                rows[count, 0], rows[count, 1], rows[count, 2], rows[count, 3] = own, a, b, y * width + x
                count += 1
    return rows[:count].copy()


@kernel
def _pieces(lake: Any, rows: Any) -> Any:
    """Join edges end to start into pieces from wall to wall; rows (x0, y0, x1, y1, lake, first and last corner)."""
    height, width = lake.shape
    flat = lake.reshape(-1)
    first = np.full(height * width, -1, np.int64)  # edges that start in a corner, as a list
    following = np.full(len(rows), -1, np.int64)
    for e in range(len(rows) - 1, -1, -1):
        following[e] = first[rows[e, 1]]
        first[rows[e, 1]] = e
    used = np.zeros(len(rows), np.uint8)
    pieces = np.empty((len(rows), 7), np.int64)
    count = 0
    for e in range(len(rows)):
        if not _at_wall(flat, width, rows[e, 1]):
            continue
        at = e
        while True:
            used[at] = 1
            corner = rows[at, 2]
            if _at_wall(flat, width, corner):
                cell, end = rows[e, 3], rows[at, 3]
                pieces[count, 0], pieces[count, 1] = cell % width, cell // width
                pieces[count, 2], pieces[count, 3], pieces[count, 4] = end % width, end // width, rows[e, 0]
                pieces[count, 5], pieces[count, 6] = rows[e, 1], corner
                count += 1
                break
            onward, k = -1, first[corner]
            while k >= 0:
                if rows[k, 0] == rows[e, 0] and not used[k]:
                    onward = k
                    break
                k = following[k]
            if onward < 0:
                break
            at = onward
    return pieces[:count].copy()


@kernel
def _at_wall(flat: Any, width: int, corner: int) -> bool:
    """Whether one of the four cells around a corner is a wall."""
    return flat[corner] < 0 or flat[corner - 1] < 0 or flat[corner - width] < 0 or flat[corner - width - 1] < 0


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
    """Whether all cells of the line are free (the cells of `line_cells`)."""
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
