"""Cells: a graph whose states are cells of space, with their outlines; and the ground that cells are laid on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.decompose.free_space import free_space
from anabasis.decompose.outline import grid_world
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.noun import freeze, set_field, summary
from anabasis.world import World

__all__ = ["SHAPES", "Cells", "ground", "prices", "walk_costs"]

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
    """Return the world itself, or that of a map of cells, whose obstacles are outlined exactly.

    Raises InputError for obstacles that are no polygons (see `free_space.check_world`), and for anything else.
    """
    if isinstance(space, Grid):
        if space not in _outlined:
            _outlined[space] = grid_world(space)
        return _outlined[space]
    if not isinstance(space, World):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(
            "nothing that can be discretised", found=type(space).__name__, expected="a World or a Grid of cells"
        )
    free_space(space)
    return space


def prices(space: World | Grid, points: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return float64[n], the price of the ground at free places; None if every way costs its length.

    On the border of cells the least price of a free one counts.
    """
    if not isinstance(space, Grid) or space.uniform:
        return None
    found = np.empty(len(points))
    _prices(space.cost, points, found)
    return found


def walk_costs(space: World | Grid, a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[k], what it costs to walk straight from each row of a to that of b, which see each other.

    That is the length, on a Grid the integral of the price along the way; along the border of two cells the lesser
    price counts.
    """
    if isinstance(space, Grid) and not space.uniform:
        out = np.empty(len(a))
        _integrate(space.cost, np.ascontiguousarray(a), np.ascontiguousarray(b), out)
        return out
    return np.hypot(*(a - b).T)


@kernel
def _integrate(cost: Any, a: Any, b: Any, out: Any) -> None:
    """Add up price times length over the pieces between the lines of the grid, for each row."""
    for k in range(len(out)):
        x, y, dx, dy = a[k, 0], a[k, 1], b[k, 0] - a[k, 0], b[k, 1] - a[k, 1]
        line_x, line_y = (
            (math.floor(x) + 1 if dx > 0 else math.ceil(x) - 1),
            (math.floor(y) + 1 if dy > 0 else math.ceil(y) - 1),
        )
        t, total, price = 0.0, 0.0, 1.0
        while t < 1.0:
            at_x = (line_x - x) / dx if dx != 0 else np.inf
            at_y = (line_y - y) / dy if dy != 0 else np.inf
            end = min(at_x, at_y, 1.0)
            found = _price(cost, x + (t + end) / 2 * dx, y + (t + end) / 2 * dy)
            if found < np.inf:  # else rounding led beside the way, for no length to speak of
                price = found
            total += max(end - t, 0.0) * price
            t = max(t, end)
            if at_x <= end:
                line_x += 1 if dx > 0 else -1
            if at_y <= end:
                line_y += 1 if dy > 0 else -1
        out[k] = total * math.sqrt(dx * dx + dy * dy)


@kernel
def _price(cost: Any, x: float, y: float) -> float:
    """Return the least price of the cells that a place lies in or on the border of."""
    height, width = cost.shape
    least = np.inf
    for j in range(max(math.ceil(y) - 1, 0), min(math.floor(y), height - 1) + 1):
        for i in range(max(math.ceil(x) - 1, 0), min(math.floor(x), width - 1) + 1):
            least = min(least, cost[j, i])
    return least


@kernel
def _prices(cost: Any, points: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = _price(cost, points[k, 0], points[k, 1])
