"""Regions: cut a map along its gates.

D. Halldórsson and Y. Björnsson, "Automated decomposition of game maps", 2015, as told by J. Pacovský, "Navigation of
units in video games using flow networks", 2019. The regions are what is connected when the gates are closed, so that
whoever walks from one region to another crosses a gate; what the flooding knew of lakes serves only to find gates.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.decompose.flooding import flood
from anabasis.decompose.gates import find_gates
from anabasis.decomposition import Decomposition
from anabasis.errors import InputError
from anabasis.grid import Grid

__all__ = ["PARAMETERS", "decompose", "triple", "without_inner_gates"]

PARAMETERS: tuple[tuple[int, int, int], ...] = (
    (4, 1, 1),
    (5, 1, 2),
    (5, 1, 3),
    (5, 1, 4),
    (5, 1, 6),
    (5, 1, 8),
    (10, 1, 5),
    (10, 2, 6),
    (10, 2, 8),
    (10, 2, 11),
    (10, 2, 15),
)
"""Sets 0 (finest) to 10 (coarsest) of distance denominator, wall threshold and depth threshold, see `flood`. How much
deeper than its outlet a lake must be, in cells: 0.4, 1, 1.5, 2, 3, 4, 5, 6, 8, 11, 15."""

SMALL = 8  # a region of so few cells beside a gate is given to the neighbour


def triple(parameters: int | tuple[int, int, int]) -> tuple[int, int, int]:
    """Return the three numbers of a parameter set, given by its number or as they are; raises InputError."""
    if isinstance(parameters, (int, np.integer)) and not isinstance(parameters, bool):
        if not 0 <= parameters < len(PARAMETERS):
            raise InputError("parameter set of a decomposition", found=f"{parameters}", expected="0 (finest) to 10")
        return PARAMETERS[parameters]
    numbers = tuple(parameters) if isinstance(parameters, (tuple, list)) else ()
    if len(numbers) != 3 or not all(isinstance(n, (int, np.integer)) for n in numbers):
        raise InputError(
            "parameters of a decomposition",
            found=repr(parameters),
            expected="a number from 0 to 10, or three whole numbers",
        )
    denominator, walls, threshold = (int(n) for n in numbers)
    if not (1 <= denominator <= 1000 and 0 <= walls <= 1000 and 0 <= threshold <= 100_000):
        raise InputError(
            "parameters of a decomposition",
            found=f"{denominator}, {walls}, {threshold}",
            expected="a distance denominator of 1 to 1000, a wall threshold of 0 to 1000, a depth threshold from 0",
        )
    return denominator, walls, threshold


def decompose(grid: Grid, parameters: int | tuple[int, int, int] = 5) -> Decomposition:
    """Return the regions and gates of a map; raises InputError for parameters that there are not.

    parameters: a set of PARAMETERS, 0 finest to 10 coarsest, or three numbers of one's own (see `flood`). Prices don't
    matter, only walls. Each region is connected by steps along the sides of cells; with strict corners no step leads
    from one region to another except from or to a cell of a gate between.
    """
    numbers = triple(parameters)
    gates = find_gates(flood(grid, numbers).lake)
    return _cut(grid, gates, numbers)


def without_inner_gates(decomposition: Decomposition) -> Decomposition:
    """Return the decomposition without the gates that have the same region on both sides."""
    kept = np.flatnonzero(~decomposition.inner).tolist()
    cells = [decomposition.gate(gate) for gate in kept]
    return _made(
        decomposition.region, cells, [tuple(decomposition.sides[k].tolist()) for k in kept], decomposition.parameters
    )


def _cut(grid: Grid, gates: list[NDArray[np.int64]], parameters: tuple[int, int, int]) -> Decomposition:
    """Close all gates, take what is connected as regions, open needless gates again, and tell the sides of the rest."""
    while True:
        gate_of = np.full(grid.cost.size, -1, np.int64)
        for number, cells in enumerate(gates):
            gate_of[cells] = number
        region = _connected(grid.free, gate_of.reshape(grid.cost.shape))
        sides = [_sides(region, cells) for cells in gates]
        area = np.bincount(region[region >= 0], minlength=1)
        needless = _needless(gates, sides, area)
        if not needless:
            break
        gates = [cells for number, cells in enumerate(gates) if number not in needless]
    _give_gates_away(region, gates, sides)
    return _made(region, gates, [(min(s), max(s)) for s in sides], parameters)


def _connected(free: NDArray[np.bool_], gate_of: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return int32[height, width]: the number of each piece that is connected by sides of cells, -1 in walls, gates."""
    from scipy import ndimage

    pieces, _ = ndimage.label(free & (gate_of < 0))
    return pieces.astype(np.int32) - 1


def _sides(region: NDArray[np.int32], cells: NDArray[np.int64]) -> tuple[int, int]:
    """Return the regions to the left and to the right of a gate, -1 for a side that has none."""
    height, width = region.shape
    x, y = cells % width, cells // width
    nx = np.concatenate([x + 1, x - 1, x, x])
    ny = np.concatenate([y, y, y + 1, y - 1])
    inside = (nx >= 0) & (nx < width) & (ny >= 0) & (ny < height)
    nx, ny = nx[inside], ny[inside]
    label = region[ny, nx]
    if cells.size == 1:
        beside = label[label >= 0].tolist()
        names = list(dict.fromkeys(beside))
        return (names[0], names[1 if len(names) > 1 else 0]) if len(beside) > 1 else (*names, -1, -1)[:2]
    cross = (x[-1] - x[0]) * (ny - y[0]) - (y[-1] - y[0]) * (nx - x[0])
    found = [label[(np.sign(cross) == side) & (label >= 0)] for side in (-1, 1)]
    left, right = (int(np.bincount(names).argmax()) if names.size else -1 for names in found)
    return left, right


def _needless(gates: list[NDArray[np.int64]], sides: list[tuple[int, int]], area: NDArray[np.int64]) -> set[int]:
    """Return gates that had better be open: those with nothing behind them, and the widest one of a tiny region.

    Of gates that meet in one region only one goes at a time, since the other may be needed then.
    """
    needless: set[int] = set()
    touched: set[int] = set()
    for number in sorted(range(len(gates)), key=lambda g: (-gates[g].size, g)):
        a, b = sides[number]
        lone = min(a, b) < 0
        tiny = any(r >= 0 and area[r] <= SMALL for r in (a, b)) and a != b
        if (lone or tiny) and not touched & {a, b}:
            needless.add(number)
            touched |= {a, b}
    return needless


def _give_gates_away(region: NDArray[np.int32], gates: list[NDArray[np.int64]], sides: list[tuple[int, int]]) -> None:
    """Write the cells of each gate to one of its two regions, so that both stay connected by sides of cells."""
    _give(
        region,
        np.concatenate([*gates, np.zeros(0, np.int64)]),
        np.repeat(np.array(sides, np.int64).reshape(-1, 2), [cells.size for cells in gates], axis=0),
    )


@kernel
def _give(region: Any, cells: Any, sides: Any) -> None:
    """Give each cell to its first region if it touches that, else to the second, else to that of a cell beside."""
    height, width = region.shape
    chosen = np.full(len(cells), -1, np.int32)
    for i in range(len(cells)):
        y, x = cells[i] // width, cells[i] % width
        for k in range(4):
            ny, nx = y + (k == 3) - (k == 0), x + (k == 2) - (k == 1)
            if 0 <= ny < height and 0 <= nx < width:
                if region[ny, nx] == sides[i, 0]:
                    chosen[i] = sides[i, 0]
                elif region[ny, nx] == sides[i, 1] and chosen[i] < 0:
                    chosen[i] = sides[i, 1]
    for i in range(len(cells)):
        region[cells[i] // width, cells[i] % width] = chosen[i]
    left = True
    while left:
        left = False
        for i in range(len(cells)):
            y, x = cells[i] // width, cells[i] % width
            if region[y, x] >= 0:
                continue
            for k in range(4):
                ny, nx = y + (k == 3) - (k == 0), x + (k == 2) - (k == 1)
                if 0 <= ny < height and 0 <= nx < width and region[ny, nx] >= 0:
                    region[y, x] = region[ny, nx]
                    left = True
                    break


def _made(
    region: NDArray[np.int32],
    gates: list[NDArray[np.int64]],
    sides: list[tuple[int, int]],
    parameters: tuple[int, int, int],
) -> Decomposition:
    """Return the noun, the gates in the order of their first cells."""
    width = region.shape[1]
    order = sorted(range(len(gates)), key=lambda g: int(gates[g].min()))
    cells = [gates[g] for g in order]
    first = np.array([c[0] for c in cells], np.int64)
    last = np.array([c[-1] for c in cells], np.int64)
    ends = np.stack([first % width, first // width, last % width, last // width], axis=1)
    return Decomposition(
        region,
        ends,
        np.array([sides[g] for g in order], np.int64).reshape(-1, 2),
        np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1]) + 1.0,
        np.concatenate([[0], np.cumsum([c.size for c in cells])]).astype(np.int64),
        np.concatenate([*cells, np.zeros(0, np.int64)]),
        parameters,
    )
