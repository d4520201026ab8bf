"""Quadtree: free space in squares that are large where there is room and small beside obstacles.

H. Samet, "Neighbor finding techniques for images represented by quadtrees", 1982; S. Kambhampati and L. S. Davis,
"Multiresolution path planning for mobile robots", 1986. Balanced, so that cells side by side differ by a factor of two
at most: M. Bern, D. Eppstein, J. Gilbert, "Provably good mesh generation", 1990.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.decompose.cells import Cells, ground, prices, walk_costs
from anabasis.decompose.free_space import free_space
from anabasis.decompose.tiling import covered, tiling
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.options import check_length
from anabasis.world import World

__all__ = ["quadtree", "quadtree_cells"]


def quadtree(space: World | Grid, *, edge: float = 1.0, neighbours: int = 8) -> Graph:
    """Make the graph of the free cells of a quadtree whose smallest cells have that edge: see `quadtree_cells`."""
    return quadtree_cells(space, edge=edge, neighbours=neighbours).graph


def quadtree_cells(space: World | Grid, *, edge: float = 1.0, neighbours: int = 8) -> Cells:
    """Cut a world into free squares of edge · 2^k; their centres are the states.

    Cells are joined that share a part of a side (neighbours=4), and those that meet in a corner only (8), if all around
    it is free.

    The cells cover exactly those squares of `square_lattice` that are free at the same edge, each of them once; of two
    cells that share a part of a side one is at most twice as large as the other. Every arc can be walked, and costs its
    exact length, on a Grid the integral of the price along it. There all ground in a cell has one price (looked up at
    the centres of the smallest squares). Raises InputError for an edge that is no length, another number of neighbours,
    and more than 2^26 smallest squares.
    """
    smallest = check_length(edge, "edge of the smallest cell")
    if neighbours not in (4, 8):
        raise InputError("number of neighbours", found=f"{neighbours}", expected="4 or 8")
    world = ground(space)
    tiles = tiling("square", smallest, world.bounds)
    touched, crossed, inside = covered(tiles, world)
    free = ~inside & ~crossed
    places = tiles.centres[free]
    price = np.full(free.shape, np.inf)
    asked = prices(space, places)
    price[free] = 1.0 if asked is None else asked
    level = _leaves(price)
    _balance(level)
    owner = np.full(free.shape, -1, np.int64)
    anchors = _number(level, owner)
    reach = 2.0 ** level[anchors[:, 0], anchors[:, 1]]
    corner = tiles.centres[anchors[:, 0], anchors[:, 1]]
    points = corner + (reach[:, None] - 1) / 2 * smallest
    pairs = _pairs(level, owner, anchors, neighbours == 8)
    near = np.zeros(len(points), bool)
    near[owner[touched & free]] = True
    ask = near[pairs].any(axis=1)
    if ask.any():
        keep = np.ones(len(pairs), bool)
        keep[ask] = free_space(world).see(points[pairs[ask, 0]], points[pairs[ask, 1]])
        pairs = pairs[keep]
    graph = _joined(points, pairs, walk_costs(space, points[pairs[:, 0]], points[pairs[:, 1]]))
    return Cells(graph, "square", reach * smallest, np.zeros(len(points), bool))


def _joined(points: NDArray[np.float64], pairs: NDArray[np.int64], cost: NDArray[np.float64]) -> Graph:
    """Return the graph with arcs in both directions, the heads of each state in rising order."""
    tail, head = np.concatenate([pairs, pairs[:, ::-1]]).T
    order = np.lexsort((head, tail))
    return Graph.from_arcs(points, tail[order], head[order], np.concatenate([cost, cost])[order])


@kernel
def _leaves(price: Any) -> Any:
    """Return int64[rows, columns]: k if a cell lies in a leaf of 2^k × 2^k free cells of one price, -1 if blocked."""
    rows, columns = price.shape
    level = np.zeros((rows, columns), np.int64)  # at the first cell of a leaf, -1 elsewhere
    for j in range(rows):
        for i in range(columns):
            if price[j, i] == np.inf:
                level[j, i] = -1
    k, half = 1, 1
    while 2 * half <= min(rows, columns):
        for j in range(0, rows - 2 * half + 1, 2 * half):
            for i in range(0, columns - 2 * half + 1, 2 * half):
                y, x, p = j + half, i + half, price[j, i]
                if level[j, i] != k - 1 or level[j, x] != k - 1 or level[y, i] != k - 1 or level[y, x] != k - 1:
                    continue
                if price[j, x] == p and price[y, i] == p and price[y, x] == p:
                    level[j, i], level[j, x], level[y, i], level[y, x] = k, -1, -1, -1
        k, half = k + 1, 2 * half
    whole = np.full((rows, columns), -1, np.int64)
    for j in range(rows):
        for i in range(columns):
            if level[j, i] >= 0:
                size = 1 << level[j, i]
                whole[j : j + size, i : i + size] = level[j, i]
    return whole


@kernel
def _balance(level: Any) -> None:
    """Cut leaves until no leaf lies beside one of less than half its edge, from the smallest leaves on."""
    rows, columns = level.shape
    for k in range(level.max() - 1 if rows * columns else 0):
        for j in range(rows):
            for i in range(columns):
                if level[j, i] != k:
                    continue
                for d in range(4):
                    y, x = j + (d == 0) - (d == 1), i + (d == 2) - (d == 3)
                    if not (0 <= y < rows and 0 <= x < columns):
                        continue
                    while level[y, x] > k + 1:
                        m = level[y, x]
                        first_y, first_x = y >> m << m, x >> m << m
                        level[first_y : first_y + (1 << m), first_x : first_x + (1 << m)] = m - 1


@kernel
def _number(level: Any, owner: Any) -> Any:
    """Number the leaves by their first cells, row by row; fill in owners and return int64[n, 2], the first cells."""
    rows, columns = level.shape
    anchors, n = np.empty((rows * columns, 2), np.int64), 0
    for j in range(rows):
        for i in range(columns):
            if level[j, i] >= 0 and owner[j, i] < 0:
                size = 1 << level[j, i]
                owner[j : j + size, i : i + size] = n
                anchors[n, 0], anchors[n, 1] = j, i
                n += 1
    return anchors[:n].copy()


@kernel
def _pairs(level: Any, owner: Any, anchors: Any, corners: bool) -> Any:
    """Return int64[m, 2], each pair once: leaves that share a part of a side, and those that meet in a free corner."""
    rows, columns = level.shape
    pairs, m = np.empty((6 * len(anchors), 2), np.int64), 0  # at most two to the right, two below, two across corners
    for u in range(len(anchors)):
        j, i = anchors[u, 0], anchors[u, 1]
        size = 1 << level[j, i]
        for below in range(2):
            step = 0
            while step < size:
                y, x = (j + size, i + step) if below else (j + step, i + size)
                if y >= rows or x >= columns:
                    break
                v = owner[y, x]
                if v < 0:
                    step += 1
                    continue
                pairs[m, 0], pairs[m, 1] = u, v
                m += 1
                first = anchors[v, 1] - i if below else anchors[v, 0] - j
                step = first + (1 << level[y, x])
        for left in range(2 if corners else 0):
            y, x, inner = j + size, i - 1 if left else i + size, i if left else i + size - 1
            if y >= rows or not 0 <= x < columns or owner[y, x] < 0 or owner[y - 1, x] < 0 or owner[y, inner] < 0:
                continue
            v = owner[y, x]
            if v != owner[y - 1, x] and v != owner[y, inner]:  # else it lies beside u or below it
                pairs[m, 0], pairs[m, 1] = u, v
                m += 1
    return pairs[:m].copy()
