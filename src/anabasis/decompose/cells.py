"""Cells: a graph whose states are cells of space, with their outlines; and the ground that cells are laid on."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from anabasis.decompose.outline import grid_world
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.noun import freeze, set_field, summary
from anabasis.world import World

__all__ = ["SHAPES", "Cells", "check_length", "ground", "prices"]

_SIXTHS = np.arange(6) * (np.pi / 3)
_HEIGHT = 3**0.5 / 2  # of a triangle of edge 1

# The corners of a cell of edge 1 around its centre, clockwise on the screen.
SHAPES = {
    "square": freeze([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], np.float64, (4, 2), "square"),
    "hexagonal": freeze(np.stack([np.cos(_SIXTHS), np.sin(_SIXTHS)], axis=1), np.float64, (6, 2), "hexagon"),
    "triangular": freeze([(0, -_HEIGHT * 2 / 3), (0.5, _HEIGHT / 3), (-0.5, _HEIGHT / 3)], np.float64, (3, 2), "cell"),
}


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a discretisation: state i of the graph is a regular polygon with its centre at graph.points[i].

    kind: square, hexagonal or triangular. edge: float64[n], the length of a side. turned: bool[n], whether the cell
    stands on its head (triangles).
    """

    graph: Graph
    kind: str
    edge: NDArray[np.float64]
    turned: NDArray[np.bool_]

    __repr__ = summary

    def __post_init__(self) -> None:
        if self.kind not in SHAPES:
            raise InputError("unknown kind of cell", found=repr(self.kind), expected=" or ".join(SHAPES))
        set_field(self, "edge", freeze(self.edge, np.float64, (self.graph.size,), "edge"))
        set_field(self, "turned", freeze(self.turned, np.bool_, (self.graph.size,), "turned"))

    @property
    def outlines(self) -> NDArray[np.float64]:
        """float64[n, corners, 2]: the corners (x, y) of each cell."""
        signed = np.where(self.turned, -self.edge, self.edge)
        return self.graph.points[:, None, :] + signed[:, None, None] * SHAPES[self.kind]


_outlined: WeakKeyDictionary[Grid, World] = WeakKeyDictionary()


def ground(space: World | Grid) -> World:
    """Return the world itself, or that of a map of cells, whose obstacles are outlined exactly."""
    if isinstance(space, Grid):
        if space not in _outlined:
            _outlined[space] = grid_world(space)
        return _outlined[space]
    if not isinstance(space, World):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(
            "nothing that can be discretised", found=type(space).__name__, expected="a World or a Grid of cells"
        )
    return space


def prices(space: World | Grid, points: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return float64[n], the price of the ground at free places; None if every way costs its length.

    On the border of cells the least price of a free one counts.
    """
    if not isinstance(space, Grid) or space.uniform:
        return None
    found = np.full(len(points), np.inf)
    top = (space.width - 1, space.height - 1)
    for low_x in (True, False):
        for low_y in (True, False):
            x = np.floor(points[:, 0]) if low_x else np.ceil(points[:, 0]) - 1
            y = np.floor(points[:, 1]) if low_y else np.ceil(points[:, 1]) - 1
            cost = space.cost[np.clip(y, 0, top[1]).astype(np.int64), np.clip(x, 0, top[0]).astype(np.int64)]
            found = np.minimum(found, cost)
    return found


def check_length(value: float, name: str) -> float:
    """Return a length as a float; raises InputError unless it is positive and finite."""
    length = float(freeze(value, np.float64, (), name))
    if not (np.isfinite(length) and length > 0):
        raise InputError(name, found=f"{value}", expected="a positive length")
    return length
