"""Rasterize: the grid of square cells of a polygonal world.

Whether an edge passes through the inside of a cell is decided exactly, by the theorem of separating axes: the open cell
and the edge are apart if their shadows are apart on the x axis, on the y axis, or across the edge.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.free_space import locate
from anabasis._kernel.geometry import orient
from anabasis.decompose.free_space import free_space
from anabasis.errors import InputError
from anabasis.grid import MAX_CELLS, MAX_SIDE, Grid
from anabasis.world import World

__all__ = ["rasterize"]

_RULES = ("touched", "centre")


def rasterize(world: World, *, side: float, rule: str = "touched") -> Grid:
    """Return the grid of the cells of a given side that lie wholly within the bounds of a world.

    Cell (x, y) covers x_min + [x, x + 1] · side by y_min + [y, y + 1] · side; what is left of the bounds at the right
    and at the bottom belongs to no cell. rule "touched": a cell is blocked if the inside of an obstacle overlaps the
    inside of the cell; "centre": if its centre lies inside an obstacle. Both are exact for the corners of cells as
    floating-point numbers. Raises InputError for a side that gives no cell or too many.
    """
    if rule not in _RULES:
        raise InputError("unknown rule for cells", found=repr(rule), expected=" or ".join(_RULES))
    if not (np.isfinite(side) and side > 0):
        raise InputError("side of a cell", found=f"{side}", expected="a positive length")
    x0, y0, x1, y1 = world.bounds
    width, height = _whole((x1 - x0) / side), _whole((y1 - y0) / side)
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE and width * height <= MAX_CELLS):
        raise InputError(
            "side of a cell",
            found=f"{side:g}, which makes {width} × {height} cells of a world of {x1 - x0:g} × {y1 - y0:g}",
            expected=f"1 to {MAX_SIDE} cells along each side, and at most {MAX_CELLS}",
        )
    space = free_space(world)
    xs = np.asarray(x0 + side * np.arange(width + 1), np.float64)
    ys = np.asarray(y0 + side * np.arange(height + 1), np.float64)
    blocked = np.zeros((height, width), bool)
    if rule == "touched":
        _mark(space.corners, space.after, xs, ys, side, blocked)
    centres = (np.minimum(xs[:-1] + side / 2, x1), np.minimum(ys[:-1] + side / 2, y1))
    _fill(space.arrays, *centres, blocked)
    return Grid.from_free(~blocked, side=side)


def _whole(cells: float) -> int:
    """Return how many whole cells there are, however the division was rounded."""
    return int(np.floor(cells * (1 + 1e-12)))


@kernel
def _mark(
    corners: NDArray[np.float64],
    after: NDArray[np.int64],
    xs: NDArray[np.float64],
    ys: NDArray[np.float64],
    side: float,
    blocked: NDArray[np.bool_],
) -> None:
    """Mark the cells through whose inside an edge passes."""
    height, width = blocked.shape
    for i in range(len(corners)):
        j = after[i]
        px, py, qx, qy = corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1]
        for row in range(_cell(min(py, qy), ys[0], side) - 1, _cell(max(py, qy), ys[0], side) + 2):
            if row < 0 or row >= height:
                continue
            near, far = px, qx  # where the edge comes into the row and leaves it, roughly
            if py != qy:
                near = px + (qx - px) * min(max((ys[row] - py) / (qy - py), 0.0), 1.0)
                far = px + (qx - px) * min(max((ys[row + 1] - py) / (qy - py), 0.0), 1.0)
            first = max(_cell(min(near, far), xs[0], side) - 1, 0)
            for column in range(first, min(_cell(max(near, far), xs[0], side) + 2, width)):
                if not blocked[row, column]:
                    blocked[row, column] = _passes(xs, ys, row, column, px, py, qx, qy)


@kernel
def _cell(place: float, origin: float, side: float) -> int:
    return int(np.floor((place - origin) / side))


@kernel
def _passes(xs: Any, ys: Any, row: int, column: int, px: float, py: float, qx: float, qy: float) -> bool:
    """Whether an edge passes through the inside of a cell."""
    left, right, top, bottom = xs[column], xs[column + 1], ys[row], ys[row + 1]
    if max(px, qx) <= left or min(px, qx) >= right or max(py, qy) <= top or min(py, qy) >= bottom:
        return False
    a, b = orient(px, py, qx, qy, left, top), orient(px, py, qx, qy, right, top)
    c, d = orient(px, py, qx, qy, left, bottom), orient(px, py, qx, qy, right, bottom)
    return max(a, b, c, d) > 0.0 and min(a, b, c, d) < 0.0


@kernel
def _fill(space: Any, centre_x: NDArray[np.float64], centre_y: NDArray[np.float64], blocked: NDArray[np.bool_]) -> None:
    """Mark the cells whose centre is not in free space."""
    height, width = blocked.shape
    for y in range(height):
        for x in range(width):
            if not blocked[y, x]:
                blocked[y, x] = locate(space, centre_x[x], centre_y[y]) < 0
