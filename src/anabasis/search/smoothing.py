"""Smoothing: shorten a path by straight ways between points of it that see each other.

Three ways to choose the points, all greedy, none of which leaves the points of the path (`taut` does):

- `shorten`: from each point on to the farthest one in sight, as in the edge lengths of J. Pacovský, "Navigation of
  units in video games using flow networks", 2019; A. Botea, M. Müller and J. Schaeffer, "Near optimal hierarchical
  path-finding", 2004, smooth their paths in the same way;
- `post_smooth`: on until the next point is out of sight, the smoothing of A* PS in A. Nash, K. Daniel, S. Koenig and
  A. Felner, "Theta*: Any-Angle Path Planning on Grids", 2007;
- `look_ahead`: the same, but a few more points are tried before giving up, as in a Czech bachelor's thesis of 2014
  about a generator of terrain and a path finder for strategy games.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.line import line_price, line_sees
from anabasis.errors import InputError
from anabasis.grid import Grid, cell_text
from anabasis.options import check_count
from anabasis.plan import Path
from anabasis.search.any_angle import lines_in, lines_of
from anabasis.search.moves import Space
from anabasis.world import World

__all__ = ["look_ahead", "post_smooth", "shorten"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


def shorten(space: Grid | World, path: Path, *, corners: str = "strict") -> Path:
    """Return the path shortened by straight ways between its points; no vertices, cost = the price along the polyline.

    On a Grid the points of `path` must be centres of free cells; in a World any free places, and corners has no effect.
    The cost of the result is its walked cost: its Euclidean length where all cells cost 1, else the exact integral of
    the price along it, so that each cell is paid for by the length inside it. (A step along a grid is priced by the
    cell that it enters alone; on a map with prices the two measures differ even on the same way.) By that measure the
    result is never dearer than `path`, and to shorten it again changes nothing. Two neighbouring points of `path` that
    don't see each other are kept. Raises InputError for points that are no centres of free cells, or in an obstacle,
    and for an unknown corner rule.
    """
    return _Smoother(space, path, corners).path(_shorten)[0]


def post_smooth(space: Grid | World, path: Path, *, corners: str = "strict") -> Path:
    """Return the path without the points that the last point kept sees past: at most one test of sight a point.

    What is promised, and the errors, are those of `shorten`, but to do it again may shorten the path further.
    """
    return _Smoother(space, path, corners).path(_look_ahead, 0)[0]


def look_ahead(space: Grid | World, path: Path, *, nodes: int = 5, corners: str = "strict") -> Path:
    """Return the path smoothed like `post_smooth`, with `nodes` more points tried where one is out of sight.

    So a corner that hides one point only does not end a segment. With nodes=0 it is `post_smooth`. Raises InputError as
    `shorten` does, and for a number of nodes below 0.
    """
    count = check_count(nodes, "nodes to look ahead")
    return _Smoother(space, path, corners).path(_look_ahead, count)[0]


def post_smoothed(space: Grid | World, path: Path, corners: str) -> tuple[Path, int]:
    """Return what `post_smooth` does, and the number of tests of sight."""
    return _Smoother(space, path, corners).path(_look_ahead, 0)


class _Smoother:
    """A path, as the kernels see it: vertices between which there are lines, and the price of the path up to each."""

    def __init__(self, space: Grid | World, path: Path, corners: str) -> None:
        self.points = path.points
        if isinstance(space, World):
            _check_places(space, path.points)
            self.lines, self.vertices = lines_in(space, path.points), np.arange(len(path.points))
        else:
            net = Space(space, corners=corners)
            cells = _cells(net.grid, path)
            self.lines, self.vertices = lines_of(net, None), cells[:, 1] * net.width + cells[:, 0]
        self.along = np.zeros(len(self.vertices))
        _add_up(self.lines, self.vertices, self.along)

    def path(self, choose: Any, *options: int) -> tuple[Path, int]:
        """Return the path along the points that a kernel chooses, and how many tests of sight that took."""
        if not len(self.points):
            return Path(np.zeros(0, np.int64), self.points, 0.0), 0
        kept = np.zeros(len(self.points), np.int64)
        count, sight = choose(self.lines, self.vertices, self.along, *options, kept)
        cost = np.zeros(count)
        _add_up(self.lines, self.vertices[kept[:count]], cost)
        return Path(np.zeros(0, np.int64), self.points[kept[:count]], float(cost[-1])), int(sight)


def _check_places(world: World, points: Floats) -> None:
    """Raise InputError if a point lies in an obstacle or outside of the world."""
    from anabasis.decompose.free_space import free_space

    free = free_space(world).free(points)
    if not free.all():
        x, y = points[int(np.flatnonzero(~free)[0])].tolist()
        raise InputError("the path leads through an obstacle or leaves the world", found=f"({x:g}, {y:g})")


def _cells(grid: Grid, path: Path) -> NDArray[np.int64]:
    """Return int64[k, 2]: the cells (x, y) whose centres are the points of the path."""
    cells = np.floor(path.points).astype(np.int64)
    if (cells + 0.5 != path.points).any():
        x, y = path.points[(cells + 0.5 != path.points).any(axis=1)][0].tolist()
        raise InputError("a point of the path is not the centre of a cell", found=f"({x:g}, {y:g})")
    for x, y in cells.tolist():
        if not grid.is_free(x, y):
            raise InputError("the path leads through a wall or leaves the map", found=cell_text(x, y))
    return cells


@kernel
def _add_up(lines: Any, vertices: Ints, along: Floats) -> None:
    """Write the price of the path up to each of its points."""
    for k in range(1, len(vertices)):
        along[k] = along[k - 1] + line_price(lines, vertices[k - 1], vertices[k])


@kernel
def _straight(lines: Any, vertices: Ints, along: Floats, i: int, j: int) -> bool:
    """Whether point i of a path sees point j, and the straight way is not dearer than the path."""
    if not line_sees(lines, vertices[i], vertices[j]):
        return False
    priced = lines[4]
    return not priced or line_price(lines, vertices[i], vertices[j]) <= (along[j] - along[i]) * (1.0 + 1e-9)


@kernel
def _shorten(lines: Any, vertices: Ints, along: Floats, kept: Ints) -> tuple[int, int]:
    """Write the numbers of the points kept; return how many there are, and the number of tests of sight."""
    last, here, count, sight = len(vertices) - 1, 0, 1, 0
    while here < last:
        to = last
        while to > here + 1:
            sight += 1
            if _straight(lines, vertices, along, here, to):
                break
            to -= 1
        kept[count] = to
        count += 1
        here = to
    return count, sight


@kernel
def _look_ahead(lines: Any, vertices: Ints, along: Floats, nodes: int, kept: Ints) -> tuple[int, int]:
    """Write the numbers of the points kept; return how many there are, and the number of tests of sight."""
    last, here, count, sight = len(vertices) - 1, 0, 1, 0
    while here < last:
        to, tried = here + 1, here + 1
        while tried < min(last, to + 1 + nodes):
            tried += 1
            sight += 1
            if _straight(lines, vertices, along, here, tried):
                to = tried
        kept[count] = to
        count += 1
        here = to
    return count, sight
