"""Decomposition: a map in regions that are joined by gates.

A region is a set of free cells; a gate is a straight line of cells between two walls, and who walks from one region to
another has to cross one. As in J. Pacovský, "Navigation of units in video games using flow networks", 2019.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary

__all__ = ["Decomposition"]


@dataclass(frozen=True, eq=False)
class Decomposition:
    """Regions and gates of a map.

    - region: int32[height, width], the number of each free cell's region, 0 to regions - 1; -1 where a cell is blocked.
    - ends: int64[k, 4], the end cells x0, y0, x1, y1 of each gate; both are free and touch a wall or the map's edge.
    - sides: int64[k, 2], the two regions of each gate, the lower number first; equal for a gate inside one region.
    - width: float64[k], the distance of the centres of the end cells plus 1: a gate of one cell has width 1.
    - indptr: int64[k + 1] and cells: int64[·]: cells[indptr[g]:indptr[g + 1]] are the vertices of gate g, in order.
    - parameters: distance denominator, wall threshold, depth threshold of the flooding.
    """

    region: NDArray[np.int32]
    ends: NDArray[np.int64]
    sides: NDArray[np.int64]
    width: NDArray[np.float64]
    indptr: NDArray[np.int64]
    cells: NDArray[np.int64]
    parameters: tuple[int, int, int]

    __repr__ = summary

    def __post_init__(self) -> None:
        region = freeze(self.region, np.int32, (None, None), "region")
        ends = freeze(self.ends, np.int64, (None, 4), "ends")
        gates = len(ends)
        sides = freeze(self.sides, np.int64, (gates, 2), "sides")
        cells = freeze(self.cells, np.int64, (None,), "cells of gates")
        indptr = freeze(self.indptr, np.int64, (gates + 1,), "indptr")
        if indptr[0] != 0 or indptr[-1] != cells.size or (np.diff(indptr) < 1).any():
            raise InputError(
                "indptr of a decomposition",
                found=f"from {indptr[0]} to {indptr[-1]}",
                expected=f"rising from 0 to the {cells.size} cells of gates",
            )
        if cells.size and (cells.min() < 0 or cells.max() >= region.size or (region.ravel()[cells] < 0).any()):
            raise InputError("a cell of a gate", found="blocked or outside the map", expected="a free cell")
        if gates and (sides.min() < 0 or sides.max() > region.max() or (sides[:, 0] > sides[:, 1]).any()):
            raise InputError("sides of a gate", expected="two regions of the map, the lower number first")
        for name, value in (
            ("region", region),
            ("ends", ends),
            ("sides", sides),
            ("width", freeze(self.width, np.float64, (gates,), "width")),
            ("indptr", indptr),
            ("cells", cells),
            ("parameters", tuple(int(p) for p in self.parameters)),
        ):
            set_field(self, name, value)

    @property
    def regions(self) -> int:
        """Number of regions."""
        return int(self.region.max(initial=-1)) + 1

    @property
    def gates(self) -> int:
        """Number of gates."""
        return len(self.ends)

    @property
    def inner(self) -> NDArray[np.bool_]:
        """bool[k]: gates that have the same region on both sides."""
        return self.sides[:, 0] == self.sides[:, 1]

    def gate(self, number: int) -> NDArray[np.int64]:
        """Return int64[c]: the vertices of a gate's cells from end to end."""
        return self.cells[self.indptr[number] : self.indptr[number + 1]]
