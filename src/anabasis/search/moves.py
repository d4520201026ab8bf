"""Moves: which steps a map or a graph allows, as tables that every search reads.

What a cell allows depends on its eight neighbours alone, so a byte for each cell (which neighbours are free) and a
table of 256 entries hold the whole rule. The canonical table also knows from where the cell was entered and leaves out
every step that is as short without this cell: D. Harabor and A. Grastien, "Online Graph Pruning for Pathfinding on Grid
Maps", 2011; N. Sturtevant and S. Rabin, "Canonical Orderings on Grids", 2016.
"""

from __future__ import annotations

from functools import cache, cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.metric import vertex_distance
from anabasis.errors import InputError
from anabasis.graph import METRICS, Graph
from anabasis.grid import Grid, cell_text
from anabasis.noun import array_of, freeze
from anabasis.options import check_choice, check_count
from anabasis.plan import Path

__all__ = ["CORNERS", "Space", "move_table", "surroundings"]

CORNERS = ("strict", "loose", "none")
_LENGTH = freeze([1.0, 2**0.5] * 4, np.float64, (8,), "length")
_BYTES = np.arange(256)
_RISING = ("zero", "chebyshev", "euclidean", "octile", "manhattan")  # each at most the next, everywhere


def surroundings(grid: Grid) -> NDArray[np.uint8]:
    """Return uint8[height · width]: bit d of a cell is set if its neighbour in direction d is free."""
    around = np.empty(grid.cost.shape, np.uint8)
    _surroundings(grid.cost, around)
    around.flags.writeable = False
    return around.reshape(-1)


@kernel
def _surroundings(cost: Any, around: Any) -> None:
    """Write the bits of every cell, one whole row after the other; bits are counted from east, clockwise."""
    height, width = cost.shape
    free = np.zeros((height + 2, width + 2), np.uint8)
    for y in range(height):
        for x in range(width):
            free[y + 1, x + 1] = cost[y, x] < np.inf
    for y in range(height):
        up, here, down, row = free[y], free[y + 1], free[y + 2], around[y]
        for x in range(width):
            east, west = here[x + 2] | down[x + 2] << 1 | up[x + 2] << 7, down[x] << 3 | here[x] << 4 | up[x] << 5
            row[x] = east | down[x + 1] << 2 | west | up[x + 1] << 6


def _allowed(corners: str, a: tuple[int, int], b: tuple[int, int]) -> NDArray[np.bool_]:
    """Return bool[256]: whether the step from a to b, two cells around the origin, is allowed, for each surrounding."""

    def free(x: int, y: int) -> NDArray[np.bool_]:
        if (x, y) == (0, 0):
            return np.ones(256, bool)  # the cell itself, on which we stand
        d = next(d for d in range(8) if (DX[d], DY[d]) == (x, y))
        return (_BYTES >> d & 1).astype(bool)

    if a[0] == b[0] or a[1] == b[1]:
        return free(*b)
    sides = free(a[0], b[1]), free(b[0], a[1])
    if corners == "strict":
        return free(*b) & sides[0] & sides[1]
    return free(*b) & (sides[0] | sides[1]) if corners == "loose" else free(*b)


@cache
def move_table(neighbours: int, corners: str, canonical: bool) -> NDArray[np.int64]:
    """Return int64[9, 256]: the directions to try from a cell entered in that direction (8 = the start), so surrounded.

    A list of directions is one number: direction + 1 in every four bits, lowest first, 0 at the end. Without
    `canonical` all nine rows are the same: every allowed step.

    With it a step from the cell to n is left out if some way from the cell before to n, not through this cell, is
    shorter, or as long with its diagonal step first. Of all shortest ways that leaves the one whose diagonals come
    first, and A* on a map of equal prices still finds a shortest way to every cell: if x was entered from p and x → n
    is left out, then p → y → n (diagonal, then straight) is as short, and a straight step after any other is never
    left out for the sake of a way of equal length.
    """
    rows = np.zeros((9, 256), np.int64)
    ring = [(int(x), int(y)) for x, y in zip(DX, DY, strict=True)]
    directions = range(0, 8, 2) if neighbours == 4 else range(8)

    def step(a: tuple[int, int], b: tuple[int, int]) -> tuple[float, NDArray[np.bool_]] | None:
        size = abs(a[0] - b[0]), abs(a[1] - b[1])
        if max(size) != 1 or (neighbours == 4 and sum(size) == 2):
            return None
        return (1.0 if sum(size) == 1 else 2**0.5), _allowed(corners, a, b)

    for entered in range(9):
        for d in reversed(directions):
            n = ring[d]
            keep = _allowed(corners, (0, 0), n)
            if canonical and entered < 8:
                p = (-ring[entered][0], -ring[entered][1])
                if n == p:
                    continue
                straight_first = entered % 2 == 0 and d % 2 == 1
                whole = float(_LENGTH[entered] + _LENGTH[d])
                for way in [(p, n), *((p, m, n) for m in ring if m not in (p, n))]:
                    parts = [step(a, b) for a, b in pairwise(way)]
                    if any(part is None for part in parts):
                        continue
                    around = sum(part[0] for part in parts if part)
                    first = parts[0][0] if parts[0] else 0.0
                    tie = abs(around - whole) < 1e-9 and straight_first and first > 1
                    if around < whole - 1e-9 or tie:
                        keep = keep & ~np.logical_and.reduce([part[1] for part in parts if part])
            rows[entered] = np.where(keep, rows[entered] << 4 | (d + 1), rows[entered])
    rows.flags.writeable = False
    return rows


def _check_shape(vertices: ArrayLike, role: str, cells: bool) -> None:
    """Raise InputError for places (x, y) instead of the numbers of vertices."""
    given = array_of(vertices, role)
    shape = given.shape
    if len(shape) == 2:
        raise InputError(
            f"{role} has the wrong shape",
            found=f"{given[0].tolist()}" if shape[0] else "×".join(map(str, shape)),
            expected="the number of a cell" if cells else "the number of a vertex",
            hint="grid.vertex(x, y) gives it" if cells else None,
        )


class Space:
    """A Grid or a Graph as the searches see it: checked options, and the arrays of its arcs for the kernels."""

    def __init__(self, space: Grid | Graph, neighbours: int = 8, corners: str = "strict") -> None:
        if not isinstance(space, (Grid, Graph)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError("nothing that can be searched", found=type(space).__name__, expected="a Grid or a Graph")
        if check_count(neighbours, "number of neighbours", 4, 8, expected="4 or 8") not in (4, 8):
            raise InputError("number of neighbours", found=f"{neighbours}", expected="4 or 8")
        check_choice(corners, "corner rule", CORNERS)
        self.space, self.neighbours, self.corners = space, neighbours, corners
        self.size = space.size if isinstance(space, Graph) else space.width * space.height
        self.width = 0 if isinstance(space, Graph) else space.width
        self.unit_cost = isinstance(space, Grid) and space.uniform

    @property
    def grid(self) -> Grid:
        """The map; raises InputError on a graph, for what needs cells."""
        if isinstance(self.space, Graph):
            raise InputError("this needs a map of cells", found="a Graph", expected="a Grid")
        return self.space

    @cached_property
    def around(self) -> NDArray[np.uint8]:
        """The free neighbours of each cell as bits (empty on a graph)."""
        return surroundings(self.space) if isinstance(self.space, Grid) else freeze([], np.uint8, (0,), "around")

    @cached_property
    def offset(self) -> NDArray[np.int64]:
        """int64[8]: what each direction adds to a vertex."""
        return freeze(DY * self.width + DX, np.int64, (8,), "offset")

    @cached_property
    def arcs(self) -> tuple[Any, ...]:
        """The tuple that `arcs_out` reads."""
        no_ints, no_floats = freeze([], np.int64, (0,), "none"), freeze([], np.float64, (0,), "none")
        no_points = freeze([], np.float64, (0, 2), "none")
        moves = move_table(self.neighbours, self.corners, False)[8]
        if isinstance(self.space, Grid):
            degree, graph = 8, (no_ints, no_ints, no_floats, no_points)
        else:
            degree = int(np.diff(self.space.indptr).max(initial=0))
            graph = (self.space.indptr, self.space.indices, self.space.weights, self.space.points)
        return (self.width, self.around, moves, self.offset, _LENGTH, self.cost, *graph, degree)

    @property
    def cost(self) -> NDArray[np.float64]:
        """The price of each cell, inf where blocked (empty on a graph)."""
        return self.space.cost.reshape(-1) if isinstance(self.space, Grid) else freeze([], np.float64, (0,), "cost")

    def best_metric(self) -> str:
        """The greatest metric that never overestimates a way here."""
        if isinstance(self.space, Graph):
            return self.space.metric
        return "octile" if self.neighbours == 8 else "manhattan"

    def admissible(self, metric: str) -> bool:
        """Whether a metric never overestimates a way here; raises InputError if there is none of that name."""
        check_choice(metric, "metric", METRICS)
        return _RISING.index(metric) <= _RISING.index(self.best_metric())

    def estimate(self, metric: str | None) -> tuple[int, float]:
        """Return the number of a metric, None for the best one, and 1 if it never overestimates, else inf.

        Raises InputError if there is none of that name.
        """
        name = self.best_metric() if metric is None else metric
        factor = 1.0 if self.admissible(name) else np.inf
        return METRICS.index(name), factor

    def distance(self, u: int, v: int) -> float:
        """Return the distance of two vertices by the best metric, at most the cost of any way between them."""
        points = self.arcs[9]
        return float(vertex_distance(points, self.width, u, v, METRICS.index(self.best_metric())))

    def check(self, vertices: ArrayLike, role: str) -> NDArray[np.int64]:
        """Return vertices as int64[k]; raises InputError that names the first that does not exist."""
        _check_shape(vertices, role, bool(self.width))
        given = freeze(vertices, np.int64, (None,), role)
        wrong = given[(given < 0) | (given >= self.size)]
        if wrong.size:
            raise InputError(
                f"the {role} is outside the {'map' if self.width else 'graph'}",
                found=f"vertex {wrong[0]}",
                expected=f"vertices 0 to {self.size - 1}",
            )
        return given

    def ends(self, start: int, goal: int) -> tuple[int, int]:
        """Return start and goal of a query; raises InputError that names the one that does not exist."""
        return int(self.check([start], "start")[0]), int(self.check([goal], "goal")[0])

    def blocked(self, vertex: int) -> bool:
        """Whether nobody can stand on the vertex."""
        return isinstance(self.space, Grid) and bool(np.isinf(self.cost[vertex]))

    def name(self, vertex: int) -> str:
        """Name a vertex in a sentence."""
        return cell_text(*self.space.cell(vertex)) if isinstance(self.space, Grid) else f"vertex {vertex}"

    def points(self, vertices: ArrayLike) -> NDArray[np.float64]:
        """Return float64[k, 2]: the places (x, y) of vertices; cells stand for their centres."""
        return self.space.centres(vertices) if isinstance(self.space, Grid) else self.space.points[np.asarray(vertices)]

    def path(self, vertices: NDArray[np.int64], cost: float) -> tuple[Path, dict[str, float]]:
        """Return the path along vertices, walked at that cost, and its numbers of straight and diagonal steps.

        The numbers are empty but on a map whose free cells all cost 1; there the cost is their exact sum instead.
        """
        points = self.points(vertices)
        steps: dict[str, float] = {}
        if self.unit_cost:
            diagonal = int(np.count_nonzero((points[1:] != points[:-1]).all(axis=1)))
            steps = {"straight": len(points) - 1 - diagonal, "diagonal": diagonal}
            cost = steps["straight"] + steps["diagonal"] * 2**0.5
        return Path(vertices, points, cost), steps

    def nearest(self, reached: NDArray[np.bool_], goal: int) -> int:
        """Return the reached vertex nearest to the goal as the crow flies, of equals the smallest."""
        vertices = np.flatnonzero(reached)
        return int(vertices[((self.points(vertices) - self.points([goal])) ** 2).sum(axis=1).argmin()])

    def no_way(self, start: int, goal: int, nearest: int) -> tuple[str, dict[str, float]]:
        """Return why there is no way, and the reached vertex nearest to the goal with its place, as stats."""
        if self.blocked(start):
            return f"the start, {self.name(start)}, is blocked", {}
        x, y = self.space.cell(nearest) if isinstance(self.space, Grid) else self.space.points[nearest].tolist()
        stats: dict[str, float] = {"nearest": nearest, "nearest_x": x, "nearest_y": y}
        if self.blocked(goal):
            return f"the goal, {self.name(goal)}, is blocked", stats
        return f"the goal, {self.name(goal)}, is not connected to the start, {self.name(start)}", stats
