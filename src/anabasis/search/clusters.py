"""Clusters: a map in squares, the entrances between them, and the ways between the entrances of each square.

A. Botea, M. Müller and J. Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import arcs_out
from anabasis._kernel.heap import heap_first, heap_lift
from anabasis._kernel.metric import vertex_distance
from anabasis._kernel.ways import arcs_into
from anabasis.graph import METRICS
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.options import check_count
from anabasis.search.moves import Space

__all__ = ["Clusters"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

_WIDE = 6  # an entrance of so many cells is crossed at both its ends, a narrower one in its middle (from the source)
# and where cells have prices, any entrance where it is cheapest: that halved what the paths cost too much


class Clusters:
    """A map in squares of side × side cells, and the graph of its entrances.

    - cell: int64[m], the cells on either side of a crossing, those of a cluster together.
    - first: int64[clusters + 1]: those of cluster c are first[c] to first[c + 1] - 1; clusters count along the rows.
    - indptr, indices, weights: the arcs between them: the step across, and the cheapest ways inside a cluster.
    """

    def __init__(self, grid: Grid, *, side: int = 16, neighbours: int = 8, corners: str = "strict") -> None:
        """Cut the map and search from each entrance through its cluster. Raises InputError for an unknown option."""
        self.space = Space(grid, neighbours, corners)
        self.grid = self.space.grid
        wanted = check_count(side, "side of a cluster", 2, expected="at least 2 cells")
        self.side = min(wanted, max(grid.width, grid.height, 2))  # a larger one would only take memory
        self.columns = -(-grid.width // self.side)
        self.metric = METRICS.index(self.space.best_metric())
        pairs = np.unique(np.concatenate([_crossings(grid, self.side), _slits(self.space, self.side)]), axis=0)
        cells = np.unique(pairs)
        self.cell = freeze(cells[np.argsort(self.cluster(cells), kind="stable")], np.int64, (None,), "cell")
        count = self.columns * -(-grid.height // self.side)
        self.first = np.searchsorted(self.cluster(self.cell), np.arange(count + 1)).astype(np.int64)
        number = np.full(self.space.size, -1, np.int64)
        number[self.cell] = np.arange(self.cell.size)
        ahead = np.concatenate([pairs, pairs[:, ::-1]])  # a crossing can be used both ways
        ahead = ahead[np.argsort(number[ahead[:, 0]], kind="stable")]
        across = np.searchsorted(number[ahead[:, 0]], np.arange(self.cell.size + 1)).astype(np.int64)
        parts = self.cell, self.first, across, number[ahead[:, 1]]
        self.indptr, self.indices, self.weights = _join(self.space.arcs, self.side, *parts)

    @property
    def bytes(self) -> int:
        """Size of what is kept beside the map."""
        return sum(a.nbytes for a in (self.cell, self.first, self.indptr, self.indices, self.weights))

    def cluster(self, cells: Any) -> Any:
        """Return the numbers of the clusters in which cells lie."""
        width = self.grid.width
        return cells // width // self.side * self.columns + cells % width // self.side

    def entrances(self, cell: int) -> tuple[int, int]:
        """Return the first of the entrances in the cluster of a cell, and the first behind them."""
        number = int(self.cluster(cell))
        return int(self.first[number]), int(self.first[number + 1])

    def ways(self, cell: int, other: int, *, backward: bool = False) -> tuple[Floats, float, int]:
        """Return the costs of the cheapest ways inside the cluster of a cell from it to the entrances, in their order.

        Also that to an other cell (inf if it is not in the cluster or not reached), and how many cells were expanded.
        backward: to the cell instead of from it.
        """
        low, high = self.entrances(cell)
        return _ways(self.space.arcs, self.side, cell, self.cell[low:high], other, backward)

    def unfold(self, outline: Ints, begin: int, end: int) -> tuple[Ints, int]:
        """Return the cells of the way along outline[begin] to outline[end] without the first, and how many it expanded.

        Of an outline, two cells in a row are in one cluster or beside one another.
        """
        return _unfold(self.space.arcs, self.side, outline, begin, end, self.metric)


def _crossings(grid: Grid, side: int) -> Ints:
    """Return int64[k, 2]: the pairs of cells, side by side, at which neighbouring clusters are crossed."""
    found = [np.empty((0, 2), np.int64)]
    numbers = np.arange(grid.width * grid.height).reshape(grid.height, grid.width)
    for cost, cell in ((grid.cost, numbers), (grid.cost.T, numbers.T)):  # borders between columns, then between rows
        edge = np.arange(side, cost.shape[1], side)
        price = (cost[:, edge] + cost[:, edge - 1]).T  # [border, place along it]
        open_ = np.isfinite(price)
        corner = np.arange(open_.shape[1]) % side == 0
        behind = np.pad(open_, ((0, 0), (1, 1)))
        border, begin = np.nonzero(open_ & (corner | ~behind[:, :-2]))
        end = np.nonzero(open_ & (np.roll(corner, -1) | ~behind[:, 2:]))[1]
        wide = end - begin + 1 >= _WIDE
        middle = (begin + end) // 2
        if not grid.uniform:
            runs = zip(border.tolist(), begin.tolist(), end.tolist(), strict=True)
            middle = begin + np.array([price[b, i : j + 1].argmin() for b, i, j in runs], np.int64)
        for chosen, at in ((wide, begin), (wide, end), (~wide | (not grid.uniform), middle)):
            across = edge[border[chosen]]
            found.append(np.stack([cell[at[chosen], across - 1], cell[at[chosen], across]], axis=1))
    return np.concatenate(found)


def _slits(space: Space, side: int) -> Ints:
    """Return int64[k, 2]: the diagonal steps between clusters that pass between two blocked cells, if they may."""
    if space.corners != "none" or space.neighbours == 4:
        return np.empty((0, 2), np.int64)
    free, width = space.grid.free, space.width
    y, x = np.nonzero(free[:-1, :-1] & free[1:, 1:] & ~free[:-1, 1:] & ~free[1:, :-1])
    falling = np.stack([y * width + x, (y + 1) * width + x + 1], axis=1)
    parted = (x // side != (x + 1) // side) | (y // side != (y + 1) // side)
    v, u = np.nonzero(free[:-1, 1:] & free[1:, :-1] & ~free[:-1, :-1] & ~free[1:, 1:])
    rising = np.stack([v * width + u + 1, (v + 1) * width + u], axis=1)
    apart = (u // side != (u + 1) // side) | (v // side != (v + 1) // side)
    return np.concatenate([falling[parted], rising[apart]]).astype(np.int64)


@kernel
def _join(arcs: Any, side: int, cell: Ints, first: Ints, across: Ints, heads: Ints) -> tuple[Ints, Ints, Floats]:
    """Return the arcs between entrances; heads[across[i]:across[i + 1]] are beside entrance i in other clusters."""
    indptr = np.zeros(len(cell) + 1, np.int64)
    indices, weights = np.empty(1024, np.int64), np.empty(1024, np.float64)
    near, steps = np.empty(8, np.int64), np.empty(8, np.float64)
    count, c = 0, 0
    for i in range(len(cell)):
        while first[c + 1] <= i:
            c += 1
        far = _ways(arcs, side, cell[i], cell[first[c] : first[c + 1]], -1, False)[0]
        room = count + len(far) + across[i + 1] - across[i]
        if room > len(indices):
            indices = np.concatenate((indices, np.empty(room, np.int64)))
            weights = np.concatenate((weights, np.empty(room, np.float64)))
        for k in range(len(far)):
            if first[c] + k != i and far[k] < np.inf:
                indices[count], weights[count] = first[c] + k, far[k]
                count += 1
        degree = arcs_out(arcs, cell[i], near, steps)
        for j in range(across[i], across[i + 1]):
            for k in range(degree):
                if near[k] == cell[heads[j]]:
                    indices[count], weights[count] = heads[j], steps[k]
                    count += 1
        indptr[i + 1] = count
    return indptr, indices[:count].copy(), weights[:count].copy()


@kernel
def _ways(arcs: Any, side: int, source: int, entrances: Ints, other: int, backward: bool) -> tuple[Floats, float, int]:
    """Return the costs of the ways from a cell to the entrances of its cluster and to an other cell; see `ways`."""
    width = arcs[0]
    far, came = np.full(side * side, np.inf), np.empty(side * side, np.int64)
    expanded = _spread(arcs, side, source, -1, 0, backward, far, came)
    costs = np.empty(len(entrances), np.float64)
    for k in range(len(entrances)):
        costs[k] = far[_place(entrances[k], width, side)]
    same = other >= 0 and other // width // side == source // width // side
    same = same and other % width // side == source % width // side
    return costs, far[_place(other, width, side)] if same else np.inf, expanded


@kernel
def _place(cell: int, width: int, side: int) -> int:
    """Return the number of a cell within its cluster."""
    return cell // width % side * side + cell % width % side


@kernel
def _spread(
    arcs: Any, side: int, source: int, target: int, metric: int, backward: bool, far: Floats, came: Ints
) -> int:
    """Search inside the cluster of a cell until the target (-1: all of it); return how many cells were expanded.

    far: by place in the cluster the cost of the way, inf before; came: the cell before.
    """
    width = arcs[0]
    left, top = source % width // side * side, source // width // side * side
    heads, steps = np.empty(8, np.int64), np.empty(8, np.float64)
    keys, order = np.empty(side * side), np.empty(side * side, np.int64)
    place = np.full(side * side, -1, np.int64)
    at = _place(source, width, side)
    far[at], came[at] = 0.0, -1
    heap_lift(keys, order, place, 0, 0.0, at)
    size, expanded = 1, 0
    while size:
        at = heap_first(keys, order, place, size)
        place[at] = -1  # so that it may come in again, should rounding make a way a hair shorter
        size -= 1
        v = (top + at // side) * width + left + at % side
        if v == target:
            break
        expanded += 1
        count = arcs_into(arcs, v, heads, steps) if backward else arcs_out(arcs, v, heads, steps)
        for k in range(count):
            x, y = heads[k] % width - left, heads[k] // width - top
            if x < 0 or y < 0 or x >= side or y >= side:
                continue
            to, way = y * side + x, far[at] + steps[k]
            if way < far[to]:
                far[to], came[to] = way, v
                key = way + (vertex_distance(arcs[9], width, heads[k], target, metric) if metric else 0.0)
                i = int(place[to])
                if i < 0:
                    i = size
                    size += 1
                heap_lift(keys, order, place, i, key, to)
    return expanded


@kernel
def _unfold(arcs: Any, side: int, outline: Ints, begin: int, end: int, metric: int) -> tuple[Ints, int]:
    """Return the way along a part of an outline, see `unfold`."""
    width = arcs[0]
    vertices = np.empty((end - begin) * side * side + 1, np.int64)
    piece, came = np.empty(side * side, np.int64), np.empty(side * side, np.int64)
    count, expanded = 0, 0
    for i in range(begin, end):
        v, goal = outline[i], outline[i + 1]
        same = v // width // side == goal // width // side and v % width // side == goal % width // side
        length = 0
        if same:
            expanded += _spread(arcs, side, v, goal, metric, False, np.full(side * side, np.inf), came)
            while goal != v:
                piece[length] = goal
                length += 1
                goal = came[_place(goal, width, side)]
        else:
            piece[0], length = goal, 1
        for k in range(length - 1, -1, -1):
            vertices[count] = piece[k]
            count += 1
    return vertices[:count].copy(), expanded
