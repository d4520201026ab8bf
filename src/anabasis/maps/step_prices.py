"""Step prices: terrain and slope as a graph of cells whose arcs cost more uphill than downhill.

Ways over ground whose price depends on the direction: N. C. Rowe, R. S. Ross, "Optimal grid-free path planning across
arbitrarily contoured terrain with anisotropic friction and gravity effects", 1990.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.maps.land.levels import check_field
from anabasis.movement import MovementClass
from anabasis.options import check_length
from anabasis.search.moves import Space, move_table

__all__ = ["step_graph"]

_LEVEL = "W~+"  # whose surface is not that of the ground
_LENGTH = np.array([1.0, 2**0.5] * 4)


def step_graph(
    terrain: ArrayLike,
    heights: ArrayLike,
    movement: str | MovementClass = "land",
    *,
    neighbours: int = 8,
    corners: str = "strict",
    uphill: float = 2.0,
    downhill: float = 1.0,
    relief: float | None = 32.0,
    steepest: float = float("inf"),
) -> Graph:
    """Return the directed graph of all cells: vertex y · width + x, arcs between cells that a movement class enters.

    An arc costs its length, times the price of the cell that is entered, times 1 + `uphill` · slope where it rises and
    1 + `downhill` · slope where it falls; slope is the difference of the heights over the length. So on ground of one
    price a climb costs the same in any number of steps. Nothing is cheaper than its length: octile distance (Manhattan
    with 4 neighbours) never overestimates. A step into or out of water, a ford or a bridge is level.

    - terrain: uint8[height, width], letters; heights: float64[height, width].
    - relief: heights are scaled so that the highest cell lies so many cell sides above the lowest; None: they are in
      cell sides already.
    - steepest: the greatest slope that can be walked, up or down.

    A cell takes 24 bytes, and each of its arcs 16. Raises InputError for heights of another shape, an unknown movement
    class or corner rule, `downhill` below 0, `uphill` below `downhill`, and a relief or slope that is not positive.
    """
    grid = Grid.from_terrain(terrain, movement)
    field = check_field(heights, "heights", (grid.height, grid.width))
    if not 0 <= downhill <= uphill or not isfinite(uphill):
        raise InputError(
            "prices of slopes",
            found=f"uphill {uphill:g}, downhill {downhill:g}",
            expected="uphill at least downhill, and that at least 0",
        )
    if not steepest > 0:
        raise InputError("steepest slope", found=f"{steepest:g}", expected="a positive slope")
    space = Space(grid, neighbours, corners)
    level = np.isin(grid.terrain, np.frombuffer(_LEVEL.encode(), np.uint8))
    moves = move_table(neighbours, corners, False)[8]
    most = int(_count(moves)[space.around].sum())
    indptr = np.zeros(grid.cost.size + 1, np.int64)
    indices, weights = np.empty(most, np.int64), np.empty(most)
    made = _arcs(
        (space.around, moves, space.offset, _LENGTH, space.cost, _scaled(field, relief), level.reshape(-1)),
        float(uphill),
        float(downhill),
        float(steepest),
        (indptr, indices, weights),
    )
    points = grid.centres(np.arange(grid.cost.size))
    for array in (indptr, indices, weights, points):
        array.flags.writeable = False  # so that the graph need not copy them
    return Graph(indptr, indices[:made], weights[:made], points, "octile" if neighbours == 8 else "manhattan")


def _scaled(field: NDArray[np.float64], relief: float | None) -> NDArray[np.float64]:
    """Return the heights in cell sides, one after the other."""
    if relief is None:
        return field.reshape(-1)
    tall, low, high = check_length(relief, "relief"), float(field.min()), float(field.max())
    return ((field - low) / (high - low if high > low else 1.0) * tall).reshape(-1)


def _count(moves: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many directions each list of a move table holds."""
    return sum(((moves >> 4 * place & 15) > 0).astype(np.int64) for place in range(8)) + np.zeros(256, np.int64)


@kernel
def _arcs(ground: Any, uphill: float, downhill: float, steepest: float, graph: Any) -> int:
    """Write the arcs out of each cell, in the order of a grid's; return how many there are."""
    around, moves, offset, length, cost, heights, level = ground
    indptr, indices, weights = graph
    made = 0
    for v in range(cost.size):
        todo = moves[around[v]] if cost[v] < np.inf else 0
        while todo:  # one direction in every four bits, plus one
            direction = (todo & 15) - 1
            todo >>= 4
            head = v + offset[direction]
            slope = 0.0
            if not (level[v] or level[head]):
                slope = (heights[head] - heights[v]) / length[direction]
            if abs(slope) > steepest:
                continue
            dear = 1.0 + (uphill * slope if slope > 0 else -downhill * slope)
            indices[made], weights[made] = head, length[direction] * cost[head] * dear
            made += 1
        indptr[v + 1] = made
    return made
