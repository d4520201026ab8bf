"""Grid: a map of square cells, each with a terrain and a price to enter it.

The one frame of the project: origin top-left, x to the right, y down; cell (x, y) covers [x, x+1) × [y, y+1) and its
centre is (x+½, y+½); arrays are indexed [y, x]; a vertex is y · width + x. Rows and columns meet x and y in this file
alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.movement import TERRAIN_LETTERS, MovementClass, movement_class
from anabasis.noun import freeze, set_field, summary

__all__ = ["MAX_CELLS", "MAX_SIDE", "Grid", "cell_text"]

MAX_SIDE = 16_384
MAX_CELLS = 2**26


def cell_text(x: int, y: int) -> str:
    """Name a cell the way every message does: `x=3 (column), y=7 (row)`."""
    return f"x={x} (column), y={y} (row)"


@dataclass(frozen=True, eq=False)
class Grid:
    """A map of square cells.

    - cost: float64[height, width], inf = blocked, else ≥ 1: the price of one unit of length inside the cell; a step
      costs its length times the price of the cell that it enters.
    - terrain: uint8[height, width], the ASCII code of the cell's terrain letter (see `movement`).
    - side: length of a cell's side in world units.
    """

    cost: NDArray[np.float64]
    terrain: NDArray[np.uint8]
    side: float = 1.0

    __repr__ = summary

    def __post_init__(self) -> None:
        cost = freeze(self.cost, np.float64, (None, None), "cost")
        terrain = freeze(self.terrain, np.uint8, cost.shape, "terrain")
        height, width = cost.shape
        if not 1 <= width <= MAX_SIDE or not 1 <= height <= MAX_SIDE or width * height > MAX_CELLS:
            raise InputError(
                "map size",
                found=f"{width} × {height} cells",
                expected=f"sides of 1 to {MAX_SIDE} and at most {MAX_CELLS} cells",
            )
        if (cost < 1).any():
            y, x = map(int, np.argwhere(cost < 1)[0])
            raise InputError(
                f"cost of cell {cell_text(x, y)}",
                found=f"{cost[y, x]:g}",
                expected="at least 1, or inf for a blocked cell",
            )
        if not (np.isfinite(self.side) and self.side > 0):
            raise InputError("side of a cell", found=f"{self.side}", expected="a positive length")
        set_field(self, "cost", cost)
        set_field(self, "terrain", terrain)

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.cost.shape[1])

    @property
    def height(self) -> int:
        """Number of rows."""
        return int(self.cost.shape[0])

    @property
    def free(self) -> NDArray[np.bool_]:
        """bool[height, width]: where a unit may stand."""
        return np.isfinite(self.cost)

    @property
    def uniform(self) -> bool:
        """Whether every free cell costs 1, so that lengths are costs."""
        cost = self.cost
        return bool(((cost == 1) | np.isinf(cost)).all())

    @classmethod
    def from_terrain(cls, terrain: ArrayLike, movement: str | MovementClass = "land", *, side: float = 1.0) -> Grid:
        """Make a grid from terrain letters (uint8[height, width]) as a movement class sees them."""
        codes = freeze(terrain, np.uint8, (None, None), "terrain")
        return cls(movement_class(movement).cost[codes], codes, side)

    @classmethod
    def from_free(cls, free: ArrayLike, *, side: float = 1.0) -> Grid:
        """Make a grid of free (True) and blocked cells, each free cell at price 1."""
        return cls.from_terrain(np.where(np.asarray(free, bool), ord("."), ord("@")).astype(np.uint8), side=side)

    @classmethod
    def from_text(cls, text: str, movement: str | MovementClass = "land") -> Grid:
        """Make a grid from a map drawn as text, one line a row.

        `.` free, `#` or `@` blocked, digits 1 to 9 ground at that price, and the other terrain letters. Blank lines
        around the drawing and a common indentation are ignored. Raises InputError with the line of the fault.
        """
        lines = text.splitlines()
        numbered = [(i + 1, line.strip()) for i, line in enumerate(lines)]
        while numbered and not numbered[0][1]:
            numbered.pop(0)
        while numbered and not numbered[-1][1]:
            numbered.pop()
        if not numbered:
            raise InputError("the map is empty", expected="at least one row of cells")
        width = len(numbered[0][1])
        for number, row in numbered:
            if len(row) != width:
                raise InputError(
                    "a row of the map has the wrong length",
                    where=number,
                    found=f"{len(row)} cells",
                    expected=f"{width} cells, as in the first row",
                )
            for x, letter in enumerate(row):
                if letter != "#" and letter not in TERRAIN_LETTERS:
                    raise InputError(
                        f"unknown terrain letter in column {x}",
                        where=number,
                        found=repr(letter),
                        expected="one of # " + " ".join(TERRAIN_LETTERS),
                    )
        codes = np.frombuffer("".join(row.replace("#", "@") for _, row in numbered).encode("ascii"), np.uint8)
        return cls.from_terrain(codes.reshape(len(numbered), width), movement)

    def with_movement(self, movement: str | MovementClass) -> Grid:
        """Return the same terrain as another movement class sees it."""
        return replace(self, cost=movement_class(movement).cost[self.terrain])

    def with_terrain(self, cells: ArrayLike, letter: str, movement: str | MovementClass = "land") -> Grid:
        """Return a new grid in which `cells` (int[k, 2] as x, y) have another terrain; this one stays as it is."""
        places = freeze(cells, np.int64, (None, 2), "cells")
        for x, y in places:
            self.vertex(int(x), int(y))
        terrain, cost = self.terrain.copy(), self.cost.copy()
        terrain[places[:, 1], places[:, 0]] = ord(letter)
        cost[places[:, 1], places[:, 0]] = movement_class(movement).cost[ord(letter)]
        return replace(self, terrain=terrain, cost=cost)

    def scaled(self, factor: int) -> Grid:
        """Return the map with each cell cut into factor × factor cells (the thesis's GridSize)."""
        if factor < 1 or factor != int(factor):
            raise InputError("scale factor", found=f"{factor}", expected="a whole number of at least 1")
        if factor == 1:
            return self
        return replace(
            self,
            cost=np.kron(self.cost, np.ones((factor, factor))),
            terrain=np.kron(self.terrain, np.ones((factor, factor), np.uint8)),
        )

    def vertex(self, x: int, y: int) -> int:
        """Return the vertex number of cell (x, y); raises InputError outside the map or between cells."""
        if x != int(x) or y != int(y):
            raise InputError("a cell has whole numbers", found=cell_text(x, y))
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise InputError(
                f"cell {cell_text(x, y)} is outside the map", expected=f"x below {self.width}, y below {self.height}"
            )
        return int(y) * self.width + int(x)

    def cell(self, vertex: int) -> tuple[int, int]:
        """Return (x, y) of a vertex."""
        return int(vertex) % self.width, int(vertex) // self.width

    def centres(self, vertices: ArrayLike) -> NDArray[np.float64]:
        """Return float64[k, 2]: the centres (x, y) of vertices."""
        v = np.asarray(vertices, np.int64)
        centres = np.empty((*v.shape, 2))
        row = v // self.width
        centres[..., 0], centres[..., 1] = v - row * self.width + 0.5, row + 0.5
        return centres

    def is_free(self, x: int, y: int) -> bool:
        """Whether cell (x, y) lies inside the map and is not blocked."""
        return 0 <= x < self.width and 0 <= y < self.height and bool(np.isfinite(self.cost[y, x]))
