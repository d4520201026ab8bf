"""Maps with decompositions drawn by hand: what a test expects of them can be counted on the drawing."""

from __future__ import annotations

import itertools

import numpy as np

from anabasis.decomposition import Decomposition
from anabasis.grid import Grid
from anabasis.scenario import Group, Target


def decomposed(drawing: str) -> tuple[Grid, Decomposition]:
    """Return the map and decomposition of a drawing: a letter a region, `#` walls, digits the cells of gates.

    The cells of a gate belong to the region to the left of it or above, and lie in one row or one column.
    """
    rows = [line.strip() for line in drawing.strip().splitlines()]
    letters = np.array([list(row) for row in rows])
    grid = Grid.from_free(letters != "#")
    names = sorted({c for c in letters.ravel().tolist() if c.isalpha()})
    region = np.full(letters.shape, -1, np.int32)
    for number, name in enumerate(names):
        region[letters == name] = number
    ends, sides, width, indptr, cells = [], [], [], [0], []
    for gate in sorted({c for c in letters.ravel().tolist() if c.isdigit()}):
        y, x = np.nonzero(letters == gate)
        dx, dy = (1, 0) if np.ptp(x) == 0 and (len(x) > 1 or letters[y[0], x[0] - 1].isalpha()) else (0, 1)
        before, after = letters[y[0] - dy, x[0] - dx], letters[y[0] + dy, x[0] + dx]
        region[y, x] = names.index(before)
        ends.append((x[0], y[0], x[-1], y[-1]))
        sides.append(sorted((names.index(before), names.index(after))))
        width.append(float(np.hypot(x[-1] - x[0], y[-1] - y[0]) + 1))
        cells += (y * grid.width + x).tolist()
        indptr.append(len(cells))
    return grid, Decomposition(
        region,
        np.array(ends, np.int64).reshape(-1, 4),
        np.array(sides, np.int64).reshape(-1, 2),
        np.array(width),
        np.array(indptr),
        np.array(cells, np.int64),
        (1, 1, 1),
    )


TWO_DOORS = """
    ###################
    #aaaaaaaa#bbbbbbbb#
    #aaaaaaaa0bbbbbbbb#
    #aaaaaaaa0bbbbbbbb#
    #aaaaaaaa#bbbbbbbb#
    #aaaaaaaa#bbbbbbbb#
    #aaaaaaaa#bbbbbbbb#
    #aaaaaaaa#bbbbbbbb#
    #aaaaaaaa#bbbbbbbb#
    #aaaaaaaa#bbbbbbbb#
    #aaaaaaaa1bbbbbbbb#
    #aaaaaaaa#bbbbbbbb#
    ###################
"""

THREE_ROOMS = """
    #########################
    #aaaaaa#bbbbbbb#cccccccc#
    #aaaaaa0bbbbbbb1cccccccc#
    #aaaaaa0bbbbbbb#cccccccc#
    #aaaaaa#bbbbbbb#cccccccc#
    #aaaaaa#bbbbbbb#cccccccc#
    #aaaaaa#bbbbbbb2cccccccc#
    #aaaaaa3bbbbbbb2cccccccc#
    #aaaaaa#bbbbbbb#cccccccc#
    #########################
"""


def block(left: int, top: int, columns: int, rows: int) -> np.ndarray:
    """Return the centres of a block of cells, one unit in each."""
    y, x = np.mgrid[top : top + rows, left : left + columns]
    return np.stack([x.ravel() + 0.5, y.ravel() + 0.5], axis=1)


def group(units: np.ndarray, x: float, y: float, **options: float) -> Group:
    return Group(units, Target(x, y, 1.5), **options)


def walls_met(grid: Grid, way: np.ndarray, step: float = 0.1) -> list[tuple[float, float]]:
    """Return the places at which who walks straight from point to point of a way stands in a wall or cuts a corner.

    The way is looked at every `step` cells, and just beside each line between cells that it crosses.
    """
    met: list[tuple[float, float]] = []
    cell = tuple(np.floor(way[0]).astype(int).tolist())
    for a, b in itertools.pairwise(way):
        length = float(np.hypot(*(b - a)))
        shares = [np.arange(0.0, 1.0, step / max(length, step)), [1.0]]
        for k in (0, 1):
            low, high = sorted((a[k], b[k]))
            if high > low:
                cross = (np.arange(np.ceil(low), np.floor(high) + 1) - a[k]) / (b[k] - a[k])
                shares += [cross - 1e-7, cross + 1e-7]
        share = np.sort(np.clip(np.concatenate(shares), 0.0, 1.0))[:, None]
        for x, y in (a + share * (b - a)).tolist():
            here = int(np.floor(x)), int(np.floor(y))
            if here == cell:
                continue
            corner = abs(here[0] - cell[0]) + abs(here[1] - cell[1]) > 1
            beside = [(here[0], cell[1]), (cell[0], here[1])] if corner else []
            if not all(grid.is_free(*c) for c in (here, *beside)):
                met.append((x, y))
            cell = here
    return met


def crossings(one: np.ndarray, two: np.ndarray) -> int:
    """Return how many pieces of two ways cross each other."""

    def side(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
        return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

    return sum(
        side(a, b, c) * side(a, b, d) < -1e-9 and side(c, d, a) * side(c, d, b) < -1e-9
        for a, b in itertools.pairwise(one)
        for c, d in itertools.pairwise(two)
    )
