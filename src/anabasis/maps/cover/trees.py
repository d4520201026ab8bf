"""Trees: the cells that bear a tree, and of which species, the record that every forest generator makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.maps.shape import check_shape
from anabasis.noun import freeze, set_field, summary

__all__ = ["Trees", "trees_of"]


@dataclass(frozen=True, eq=False)
class Trees:
    """At most one tree a cell, row by row; `species[i]` is the place of the species of `cells[i]` in `names`."""

    width: int
    height: int
    cells: NDArray[np.int64]
    species: NDArray[np.int64]
    names: tuple[str, ...]

    __repr__ = summary

    def __post_init__(self) -> None:
        height, width = check_shape(self.width, self.height)
        set_field(self, "width", width)
        set_field(self, "height", height)
        set_field(self, "cells", freeze(self.cells, np.int64, (None, 2), "cells of trees"))
        set_field(self, "species", freeze(self.species, np.int64, (len(self.cells),), "species of trees"))
        x, y = self.cells[:, 0], self.cells[:, 1]
        outside = (x < 0) | (x >= self.width) | (y < 0) | (y >= self.height)
        if outside.any():
            first = self.cells[outside][0]
            raise InputError(
                "a tree stands outside the map",
                found=f"x={first[0]} (column), y={first[1]} (row)",
                expected=f"a cell of {self.width}×{self.height}",
            )
        if (np.diff(y * self.width + x) <= 0).any():
            raise InputError("trees must stand in different cells, row by row", found="another order or a cell twice")
        if ((self.species < 0) | (self.species >= len(self.names))).any():
            raise InputError("species of trees", expected=f"places in names, 0 to {len(self.names) - 1}")

    def field(self) -> NDArray[np.int64]:
        """Return int64[height, width]: the species of the tree of each cell, -1 where there is none."""
        field = np.full((self.height, self.width), -1, np.int64)
        field[self.cells[:, 1], self.cells[:, 0]] = self.species
        return field

    def kept(self, where: NDArray[np.bool_]) -> Trees:
        """Return the trees in the cells of a mask, bool[height, width]."""
        mask = freeze(where, np.bool_, (self.height, self.width), "mask of the cells to keep trees in")
        stay = mask[self.cells[:, 1], self.cells[:, 0]]
        return Trees(self.width, self.height, self.cells[stay], self.species[stay], self.names)


def trees_of(field: NDArray[np.integer], names: Sequence[str]) -> Trees:
    """Return the trees of a map: field[y, x] is the species of the tree in a cell, or below 0 for none."""
    y, x = np.nonzero(field >= 0)
    return Trees(field.shape[1], field.shape[0], np.stack((x, y), axis=1), field[y, x].astype(np.int64), tuple(names))
