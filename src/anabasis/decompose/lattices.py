"""Lattices: free space in equal cells, square, hexagonal or triangular, whose centres are the states of a graph.

Squares with 4 or 8 neighbours, hexagons with 6 or 12 and triangles with 3 or 12: P. Yap, "Grid-Based Path-Finding",
2002; B. Nagy, "Shortest paths in triangular grids with neighbourhood sequences", 2003.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.decompose.cells import Cells, ground, prices, walk_costs
from anabasis.decompose.free_space import free_space
from anabasis.decompose.tiling import NEIGHBOURS, Steps, Tiling, covered, steps, tiling
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.options import check_length
from anabasis.world import World

__all__ = ["CORNERS", "OVERLAP", "hexagonal_lattice", "lattice_cells", "square_lattice", "triangular_lattice"]

CORNERS = ("strict", "loose", "none")
OVERLAP = ("any", "centre")
_METRIC = {("square", 4): "manhattan", ("square", 8): "octile"}


def square_lattice(
    space: World | Grid, *, edge: float = 1.0, neighbours: int = 8, corners: str = "strict", overlap: str = "any"
) -> Graph:
    """Make the graph of the free squares of a world, of that edge, with 4 or 8 neighbours.

    In bounds of width W and height H lie floor(W / edge) · floor(H / edge) squares, from the upper left corner. On a
    Grid at edge 1 it is the Grid itself, as a graph. Options, promises and errors are those of `lattice_cells`.
    """
    return lattice_cells(space, "square", edge=edge, neighbours=neighbours, corners=corners, overlap=overlap).graph


def hexagonal_lattice(
    space: World | Grid,
    *,
    edge: float = 1.0,
    neighbours: int = 6,
    corners: str = "strict",
    overlap: str = "any",
    overhang: float = 0.3,
) -> Graph:
    """Make the graph of the free flat-topped hexagons of a world, with 6 neighbours at √3 edges or 6 more at 3 edges.

    Columns are 1.5 edges apart, odd ones half a cell lower; the last cell of a column may reach over the lower bound by
    `overhang` of its height (0: whole cells only). Options, promises and errors are those of `lattice_cells`.
    """
    return lattice_cells(
        space, "hexagonal", edge=edge, neighbours=neighbours, corners=corners, overlap=overlap, overhang=overhang
    ).graph


def triangular_lattice(
    space: World | Grid, *, edge: float = 1.0, neighbours: int = 3, corners: str = "strict", overlap: str = "any"
) -> Graph:
    """Make the graph of the free equilateral triangles of a world, with 3 neighbours across sides or 12 around corners.

    Options, promises and errors are those of `lattice_cells`.
    """
    return lattice_cells(space, "triangular", edge=edge, neighbours=neighbours, corners=corners, overlap=overlap).graph


def lattice_cells(
    space: World | Grid,
    kind: str,
    *,
    edge: float = 1.0,
    neighbours: int | None = None,
    corners: str = "strict",
    overlap: str = "any",
    overhang: float = 0.0,
) -> Cells:
    """Make the free cells of a world, whole cells inside its bounds, row by row; their centres are the states.

    - kind: square, hexagonal or triangular; edge: the length of a side; neighbours: by default those across sides.
    - corners: when a step to a neighbour that isn't across a side is made: *strict* if all cells that it passes are
      states, *loose* if at least one is, *none* always.
    - overlap: a cell is left out with *any* overlap with an obstacle, or only if its *centre* lies in one.

    Every arc can be walked: its segment is free. It costs its exact length, on a Grid the integral of the price along
    it; squares of edge 1 are the Grid's own cells, and cost as there the price of the cell that is entered. Work and
    memory grow with the number of cells and of obstacle edges. Raises InputError for unknown options, an edge that is
    no length, and more than 2^26 cells.
    """
    length = check_length(edge, "edge of a cell")
    table = steps(kind, min(NEIGHBOURS.get(kind, (0,))) if neighbours is None else neighbours)
    for name, value, known in (("corner rule", corners, CORNERS), ("overlap rule", overlap, OVERLAP)):
        if value not in known:
            raise InputError(f"unknown {name}", found=repr(value), expected=" or ".join(known))
    if not 0 <= overhang < 0.5:
        raise InputError("overhang of hexagons", found=f"{overhang}", expected="a part of a cell from 0 to below 0.5")
    world = ground(space)
    tiles = tiling(kind, length, world.bounds, overhang)
    touched, crossed, inside = covered(tiles, world)
    state = tiles.exists & ~inside & ~crossed
    if overlap == "centre" and crossed.any():
        where = np.nonzero(crossed & tiles.exists)
        state[where] = free_space(world).free(tiles.centres[where])
    points = tiles.centres[state]
    heads, lengths = _arcs(world, tiles, state, touched, table, CORNERS.index(corners))
    there = heads >= 0
    indices, weights = heads[there], (lengths * length)[there]
    if isinstance(space, Grid) and not space.uniform:
        weights = _priced(space, kind, length, points, np.nonzero(there)[0], indices, weights)
    indptr = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    graph = Graph(indptr, indices, weights, points, _METRIC.get((kind, table.step.shape[1]), "euclidean"))
    turned = tiles.parity[state] == 1 if kind == "triangular" else np.zeros(graph.size, bool)
    return Cells(graph, kind, np.full(graph.size, length), turned)


def _priced(
    grid: Grid,
    kind: str,
    edge: float,
    points: NDArray[np.float64],
    tails: NDArray[np.int64],
    heads: NDArray[np.int64],
    lengths: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return float64[m], what arcs cost on ground with prices."""
    own = prices(grid, points) if kind == "square" and edge == 1 else None
    return walk_costs(grid, points[tails], points[heads]) if own is None else lengths * own[heads]


def _arcs(
    world: World, tiles: Tiling, state: NDArray[np.bool_], touched: NDArray[np.bool_], table: Steps, rule: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return int64[n, k], the heads of all arcs (-1: none), and float64[n, k], their lengths at edge 1."""
    n, k = int(state.sum()), table.step.shape[1]
    number = np.full(state.shape, -1, np.int64)
    number[state] = np.arange(n)
    heads, ask = np.full((n, k), -1, np.int64), np.zeros((n, k), bool)
    _link(number, tiles.parity, touched, table.step, table.between, table.passed, rule, heads, ask)
    parity, points = tiles.parity[state], tiles.centres[state]
    tail, step = np.nonzero(ask & (heads > np.arange(n)[:, None]))
    if tail.size:  # an obstacle is near: look whether the segment is free, once for both directions
        head = heads[tail, step]
        hidden = ~free_space(world).see(points[tail], points[head])
        tail, step, head = tail[hidden], step[hidden], head[hidden]
        heads[tail, step] = -1
        heads[head, table.back[parity[tail], step]] = -1
    return heads, table.length[parity]


@kernel
def _link(
    number: Any, parity: Any, touched: Any, step: Any, between: Any, passed: Any, rule: int, heads: Any, ask: Any
) -> None:
    """Write the heads of the arcs out of each state that the corner rule allows, and which have to be looked at."""
    rows, columns = number.shape
    for j in range(rows):
        for i in range(columns):
            u, kind = number[j, i], parity[j, i]
            if u < 0:
                continue
            for k in range(step.shape[1]):
                y, x = j + step[kind, k, 0], i + step[kind, k, 1]
                if not (0 <= y < rows and 0 <= x < columns) or number[y, x] < 0:
                    continue
                near, free, count = touched[j, i] or touched[y, x], 0, passed[kind, k]
                for b in range(count):
                    y_b, x_b = j + between[kind, k, b, 0], i + between[kind, k, b, 1]
                    if 0 <= y_b < rows and 0 <= x_b < columns and number[y_b, x_b] >= 0:
                        free += 1
                        near = near or touched[y_b, x_b]
                    else:
                        near = True
                if (rule == 0 and free < count) or (rule == 1 and count > 0 and free == 0):
                    continue
                heads[u, k], ask[u, k] = number[y, x], near
