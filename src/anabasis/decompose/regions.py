"""Regions: cut a map along its gates.

D. Halldórsson and Y. Björnsson, "Automated decomposition of game maps", 2015, as told by J. Pacovský, "Navigation of
units in video games using flow networks", 2019. The regions are what is connected when the gates are closed, so that
whoever walks from one region to another crosses a gate; what the flooding knew of lakes serves only to find gates.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.decompose.cutting import cut
from anabasis.decompose.flooding import flood
from anabasis.decompose.gates import find_gates
from anabasis.decomposition import Decomposition
from anabasis.errors import InputError
from anabasis.grid import Grid

__all__ = ["DEFAULT", "PARAMETERS", "decompose", "decompose_again", "triple", "without_inner_gates"]

DEFAULT = 4  # the parameter set that is used if nothing is said
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


def triple(parameters: object) -> tuple[int, int, int]:
    """Return the three numbers of a parameter set, given by its number or as they are; raises InputError."""
    if isinstance(parameters, (int, np.integer)) and not isinstance(parameters, bool):
        if not 0 <= parameters < len(PARAMETERS):
            raise InputError("parameter set of a decomposition", found=f"{parameters}", expected="0 (finest) to 10")
        return PARAMETERS[int(parameters)]
    numbers: tuple[object, ...] = tuple(parameters) if isinstance(parameters, (tuple, list)) else ()
    whole = [int(n) for n in numbers if isinstance(n, (int, np.integer)) and not isinstance(n, bool)]
    if len(numbers) != 3 or len(whole) != 3:
        raise InputError(
            "parameters of a decomposition",
            found=repr(parameters),
            expected="a number from 0 to 10, or three whole numbers",
        )
    denominator, walls, threshold = whole
    if not (1 <= denominator <= 1000 and 0 <= walls <= 100 and 0 <= threshold <= 100_000):
        raise InputError(
            "parameters of a decomposition",
            found=f"{denominator}, {walls}, {threshold}",
            expected="a distance denominator of 1 to 1000, a wall threshold of 0 to 100, a depth threshold from 0",
        )
    return denominator, walls, threshold


def decompose(grid: Grid, parameters: int | tuple[int, int, int] = DEFAULT) -> Decomposition:
    """Return the regions and gates of a map; raises InputError for parameters that there are not.

    parameters: a set of PARAMETERS, 0 finest to 10 coarsest, or three numbers of one's own (see `flood`). Prices don't
    matter, only walls. Each region is connected by steps along the sides of cells; with strict corners no step leads
    from one region to another except onto, off or slanting between cells of a gate that has these two sides.
    """
    numbers = triple(parameters)
    lake = flood(grid, numbers).lake
    gates = find_gates(lake)
    region, kept, sides = cut(lake, gates)
    return _made(region, [gates[g] for g in kept], [(int(a), int(b)) for a, b in sides.tolist()], numbers)


def decompose_again(old: Decomposition, before: Grid, after: Grid) -> Decomposition:
    """Return the decomposition of a map that has changed, equal to `decompose(after, old.parameters)`.

    old: the decomposition of `before`. Where only terrain and prices changed it is returned as it is; else all is done
    anew, in about 0.03 s for 512 × 512 cells. Nothing is patched, because how far a change reaches isn't known before:
    on three game maps a new wall of one cell changed the flooding of up to 7 % of the cells, up to 229 cells away.
    Raises InputError if `old` is not of a map of that size.
    """
    if old.region.shape != before.free.shape:
        raise InputError(
            "decomposition of another map",
            found="×".join(map(str, old.region.shape[::-1])),
            expected=f"{before.width}×{before.height} cells",
        )
    if before.free.shape == after.free.shape and (before.free == after.free).all():
        return old
    return decompose(after, old.parameters)


def without_inner_gates(decomposition: Decomposition) -> Decomposition:
    """Return the decomposition without the gates that have the same region on both sides."""
    kept = np.flatnonzero(~decomposition.inner).tolist()
    cells = [decomposition.gate(gate) for gate in kept]
    return _made(
        decomposition.region, cells, [tuple(decomposition.sides[k].tolist()) for k in kept], decomposition.parameters
    )


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
