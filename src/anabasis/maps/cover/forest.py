"""Forest: trees as obstacle, closed woods that stop a unit and open woods that slow it, by how much lies under crowns.

The classes are those of forestry: closed where crowns cover at least so much of the ground, open where they cover less
(FAO, "Global forest resources assessment 2000": from 40 % and from 10 %; the defaults here are for cells of a game).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.maps.cover.site import FERTILE
from anabasis.maps.cover.trees import Trees
from anabasis.noun import freeze
from anabasis.options import check_share

__all__ = ["canopy", "clear_ring", "forest_land"]

_FAR = 100.0  # the largest radius, in cells


def forest_land(
    land: NDArray[np.uint8],
    trees: Trees,
    *,
    crown: float = 1.0,
    radius: float = 2.0,
    closed: float = 0.6,
    open_wood: float = 0.25,
    keep: NDArray[np.bool_] | None = None,
) -> NDArray[np.uint8]:
    """Return uint8[height, width], the land with `T` in closed woods and `f` in open woods.

    A cell is closed or open wood where `canopy` (crown, radius) is at least `closed` or `open_wood`. Only terrain on
    which trees may stand changes, and no cell of keep, bool[height, width]: give the starts, roads and passages that
    must stay as they are, with a clear ring around them (see `clear_ring`). Raises InputError for another size, options
    out of range, and open_wood above closed.
    """
    letters = freeze(land, np.uint8, (trees.height, trees.width), "land")
    thick, thin = check_share(closed, "share of closed wood"), check_share(open_wood, "share of open wood")
    if thin > thick:
        raise InputError("share of open wood", found=f"{open_wood}", expected=f"at most that of closed wood, {closed}")
    may = np.isin(letters, np.frombuffer(FERTILE.encode(), np.uint8))
    if keep is not None:
        may = may & ~freeze(keep, np.bool_, letters.shape, "cells to keep free of trees")
    cover = canopy(trees, crown=crown, radius=radius)
    made = letters.copy()
    made[may & (cover >= thin) & (cover > 0)] = ord("f")
    made[may & (cover >= thick) & (cover > 0)] = ord("T")
    return made


def canopy(trees: Trees, *, crown: float = 1.0, radius: float = 2.0) -> NDArray[np.float64]:
    """Return float64[height, width]: the share of the cells within `radius` of each cell that lie under a crown.

    A cell lies under a crown if a tree stands at most `crown` cells away. Cells outside the map don't count. Work grows
    with the cells times the radius, and with the trees times the crown.
    """
    covered = np.zeros((trees.height, trees.width), bool)
    cells = np.array(trees.cells)
    _spread(cells, _half_widths(crown, "radius of a crown"), covered)
    share = np.empty(covered.shape)
    _count(covered, _half_widths(radius, "radius of the canopy"), share)
    return share


def clear_ring(width: int, height: int, cells: NDArray[np.int64], radius: float = 3.0) -> NDArray[np.bool_]:
    """Return bool[height, width]: the cells at most `radius` cells away from any of cells, int64[n, 2] of (x, y)."""
    around = np.zeros((height, width), bool)
    given = freeze(cells, np.int64, (None, 2), "cells to keep clear")
    if ((given < 0) | (given >= (width, height))).any():
        raise InputError("a cell to keep clear lies outside the map", expected=f"cells of {width}×{height}")
    _spread(np.array(given), _half_widths(radius, "radius of a clear ring"), around)
    return around


def _half_widths(radius: float, name: str) -> NDArray[np.int64]:
    """Return int64[k]: how far a disc of that radius reaches to each side in the rows 0, 1, 2 … from its centre."""
    if not 0 <= radius <= _FAR:
        raise InputError(name, found=f"{radius}", expected=f"cells from 0 to {_FAR:g}")
    return np.array([math.floor(math.sqrt(radius * radius - j * j)) for j in range(math.floor(radius) + 1)], np.int64)


@kernel
def _spread(cells: NDArray[np.int64], half: NDArray[np.int64], covered: NDArray[np.bool_]) -> None:
    """Mark the disc around each cell."""
    height, width = covered.shape
    for n in range(len(cells)):
        x, y = cells[n, 0], cells[n, 1]
        for j in range(max(0, y - len(half) + 1), min(height, y + len(half))):
            wide = half[abs(j - y)]
            for i in range(max(0, x - wide), min(width, x + wide + 1)):
                covered[j, i] = True


@kernel
def _count(covered: NDArray[np.bool_], half: NDArray[np.int64], share: NDArray[np.float64]) -> None:
    """Write the share of marked cells in the disc around each cell, by sums along rows."""
    height, width = covered.shape
    sums = np.zeros((height, width + 1), np.int64)
    for y in range(height):
        for x in range(width):
            sums[y, x + 1] = sums[y, x] + covered[y, x]
    for y in range(height):
        for x in range(width):
            met, cells = 0, 0
            for j in range(max(0, y - len(half) + 1), min(height, y + len(half))):
                wide = half[abs(j - y)]
                left, right = max(0, x - wide), min(width, x + wide + 1)
                met += sums[j, right] - sums[j, left]
                cells += right - left
            share[y, x] = met / cells
