"""Lattice: a map of triangles: six directed steps out of each vertex, each with a cost of its own.

M. Švagerka, "Adaptivní formace pro virtuální agenty" (adaptive formations for virtual agents), Charles University,
2011. Vertices have logical coordinates (x, y), whole numbers of which only those with x + y even exist: a step east is
(2, 0), one to the south-east (1, 1). A vertex's number is y · width + x // 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.noun import freeze, set_field, summary
from anabasis.options import FARTHEST, check_count, check_length

__all__ = ["STEPS", "STEP_NAMES", "Lattice"]

STEP_NAMES = ("north-east", "east", "south-east", "south-west", "west", "north-west")
"""The six directions, clockwise from 30° east of north."""

STEPS = np.array([(1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)])
"""int64[6, 2]: what each direction adds to the logical coordinates."""
STEPS.flags.writeable = False


@dataclass(frozen=True, eq=False)
class Lattice:
    """A map of height rows of width vertices each.

    cost float64[height, width, 6]: seconds that a step takes, by direction; inf where it can't be taken, as off the
    map.
    spacing: the distance of neighbours.
    """

    cost: NDArray[np.float64]
    spacing: float = 20.0

    __repr__ = summary

    def __post_init__(self) -> None:
        spacing = float(freeze(self.spacing, np.float64, (), "spacing"))
        if not 0 < spacing <= FARTHEST:
            expected = f"a length above 0, at most {FARTHEST:g}"
            raise InputError("spacing of a lattice", found=str(spacing), expected=expected)
        given = freeze(self.cost, np.float64, (None, None, 6), "cost of a lattice")
        if (given <= 0).any():
            y, x, d = (int(i) for i in np.argwhere(given <= 0)[0])
            raise InputError(
                f"the step {STEP_NAMES[d]} out of x={2 * x + y % 2} (column), y={y} (row) of a lattice",
                found=f"a cost of {given[y, x, d]:g}",
                expected="a cost above 0, inf where the step can't be taken",
            )
        height, width, _ = given.shape
        off = self._heads(width, height) < 0
        if np.isfinite(given[off]).any():
            given = given.copy()
            given[off] = np.inf
            given = freeze(given, np.float64, given.shape, "cost of a lattice")
        set_field(self, "cost", given)
        set_field(self, "spacing", spacing)

    @classmethod
    def uniform(cls, width: int, height: int, cost: float = 1.0, spacing: float = 20.0) -> Lattice:
        """Make a lattice where each step takes as long as any other; raises InputError for sides below 0."""
        for side, name in ((width, "width of a lattice"), (height, "height of a lattice")):
            check_count(side, name)
        return cls(np.full((height, width, 6), check_length(cost, "cost of a lattice")), spacing)

    @classmethod
    def from_ground(cls, ground: ArrayLike, spacing: float = 20.0) -> Lattice:
        """Make a lattice from the cost of standing at each vertex, float64[height, width]; inf where nobody can.

        A step costs the mean of the two vertices that it joins.
        """
        price = freeze(ground, np.float64, (None, None), "ground of a lattice")
        if not (price > 0).all():
            raise InputError("ground of a lattice", found=f"a cost of {price.min():g}", expected="costs above 0")
        heads = cls._heads(price.shape[1], price.shape[0])
        there = np.where(heads < 0, np.inf, price.reshape(-1)[np.maximum(heads, 0)])
        return cls((price[:, :, None] + there) / 2, spacing)

    @property
    def width(self) -> int:
        """Vertices in a row."""
        return int(self.cost.shape[1])

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.cost.shape[0])

    @property
    def size(self) -> int:
        """Number of vertices."""
        return self.width * self.height

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the rectangle that all vertices lie in."""
        height = max(0, self.height - 1) * math.sqrt(3) / 2
        return max(0.0, self.width - 0.5) * self.spacing, height * self.spacing

    @cached_property
    def heads(self) -> NDArray[np.int64]:
        """int64[height, width, 6]: where each step leads, whatever it costs; -1 off the map."""
        return freeze(self._heads(self.width, self.height), np.int64, (None, None, 6), "heads")

    @cached_property
    def logical(self) -> NDArray[np.int64]:
        """int64[n, 2]: the logical coordinates of each vertex."""
        y, column = np.divmod(np.arange(self.size), self.width)
        return freeze(np.stack((2 * column + y % 2, y), 1), np.int64, (None, 2), "logical coordinates")

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """float64[n, 2]: the place of each vertex; (0, 0) is that of vertex 0."""
        scale = np.array((0.5, math.sqrt(3) / 2)) * self.spacing
        return freeze(self.logical * scale, np.float64, (None, 2), "points")

    def vertex(self, x: int, y: int) -> int:
        """Return the vertex with these logical coordinates; raises InputError if there is none."""
        if not (0 <= y < self.height and 0 <= x - y % 2 <= 2 * (self.width - 1)):
            last = 2 * self.width - 2
            columns = f"x from 0 to {last} in even rows and 1 to {last + 1} in odd ones"
            raise InputError(
                "a vertex of a lattice",
                found=f"x={x} (column), y={y} (row)",
                expected=f"y from 0 to {self.height - 1}, {columns}",
            )
        if (x + y) % 2:
            raise InputError(
                "a vertex of a lattice", found=f"x={x} (column), y={y} (row)", expected="coordinates with an even sum"
            )
        return y * self.width + x // 2

    def graph(self) -> Graph:
        """Return the steps that can be taken as a graph, out of each vertex by direction; weights are seconds."""
        tails, direction = np.nonzero(np.isfinite(self.cost.reshape(-1, 6)))
        heads = self.heads.reshape(-1, 6)[tails, direction]
        return Graph.from_arcs(self.points, tails, heads, self.cost.reshape(-1, 6)[tails, direction], "zero")

    @staticmethod
    def _heads(width: int, height: int) -> NDArray[np.int64]:
        y, column = np.divmod(np.arange(width * height), max(width, 1))
        x = (2 * column + y % 2)[:, None] + STEPS[:, 0]
        y = y[:, None] + STEPS[:, 1]
        inside = (y >= 0) & (y < height) & (x >= y % 2) & (x - y % 2 <= 2 * (width - 1))
        return np.where(inside, y * width + x // 2, -1).reshape(height, width, 6)
