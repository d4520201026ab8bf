"""Mesh blocks: which portals of a navigation mesh can be of any use on the way to a polygon.

A block is a set of polygons that stays connected when any one of them is taken out (J. Hopcroft and R. Tarjan,
"Algorithm 447: efficient algorithms for graph manipulation", 1973). A shortest way enters no convex polygon twice, so
it leaves a polygon only into the one block that leads to the goal: dead ends and rooms aside are never looked into.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.navmesh import NavMesh

__all__ = ["Blocks", "mesh_blocks"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Blocks:
    """Numbers that tell where the portals of a mesh of m polygons lead.

    - number: int64[m], a new number for each polygon; part: int64[m], the connected part in which it lies.
    - first, count: int64[k]: as far as blocks tell, the portal i may be used on the way to a polygon of the same part
      whose number is first[i] or one of the count[i] - 1 next ones; if count[i] < 0, of all others than the -count[i]
      from first[i] on. 0 at walls.
    """

    number: Ints
    part: Ints
    first: Ints
    count: Ints


def mesh_blocks(mesh: NavMesh) -> Blocks:
    """Return the blocks of a mesh as numbers."""
    m, k = mesh.size, mesh.corners.size
    tree = np.empty((m, 4), np.int64)
    part, order = np.empty(m, np.int64), np.empty(m, np.int64)
    _descend(mesh.indptr, mesh.neighbours, tree, order, part)
    number, size, inner = np.empty(m, np.int64), np.ones(m, np.int64), np.zeros(m, np.int64)
    _count(tree, order, number, size, inner)
    first, count = np.zeros(k, np.int64), np.zeros(k, np.int64)
    _portals(mesh.owner, mesh.neighbours, tree, number, size, inner, first, count)
    return Blocks(number, part, first, count)


_ENTERED, _LOW, _PARENT, _HEAD = range(4)  # columns: see below


@kernel
def _descend(indptr: Ints, neighbours: Ints, tree: Ints, order: Ints, part: Ints) -> None:
    """Walk each part depth first; write the polygons in the order in which they were entered, and a row for each.

    A row: when it was entered; the first entered polygon that its subtree has an edge to; its parent, -1 for none;
    and whether it is the head of a block: the first one of it below the polygon from which the block hangs.
    """
    m = len(part)
    stack, edge = np.empty(m, np.int64), np.empty(m, np.int64)
    tree[:, 0] = -1
    entered, parts = 0, 0
    for root in range(m):
        if tree[root, 0] >= 0:
            continue
        size = 0
        p, parent = root, -1
        while True:
            if tree[p, 0] < 0:
                tree[p, 0] = tree[p, 1] = entered
                tree[p, 2], tree[p, 3] = parent, 0
                order[entered], part[p], edge[p] = p, parts, indptr[p]
                entered += 1
                stack[size] = p
                size += 1
            down = False
            while edge[p] < indptr[p + 1]:
                q = neighbours[edge[p]]
                edge[p] += 1
                if q < 0:
                    continue
                if tree[q, 0] < 0:
                    p, parent, down = q, p, True
                    break
                tree[p, 1] = min(tree[p, 1], tree[q, 0])
            if down:
                continue
            size -= 1
            if size == 0:
                break
            above = stack[size - 1]
            tree[above, 1] = min(tree[above, 1], tree[p, 1])
            tree[p, 3] = tree[p, 1] >= tree[above, 0]
            p = above
        parts += 1


@kernel
def _count(tree: Ints, order: Ints, number: Ints, size: Ints, inner: Ints) -> None:
    """Number the polygons so that a subtree has numbers in a row, and what hangs from a polygon in blocks comes first.

    size: polygons in each subtree; inner: those of them, the polygon aside, that hang from it in blocks of their own.
    """
    m = len(order)
    for k in range(m - 1, -1, -1):
        p = order[k]
        above = tree[p, 2]
        if above >= 0:
            size[above] += size[p]
            if tree[p, 3]:
                inner[above] += size[p]
    heads, others = np.empty(m, np.int64), np.empty(m, np.int64)  # the next free number for a child of either kind
    free = 0
    for k in range(m):
        p = order[k]
        above = tree[p, 2]
        if above < 0:
            number[p] = free
            free += size[p]
        elif tree[p, 3]:
            number[p] = heads[above]
            heads[above] += size[p]
        else:
            number[p] = others[above]
            others[above] += size[p]
        heads[p] = number[p] + 1
        others[p] = heads[p] + inner[p]


@kernel
def _portals(
    owner: Ints, neighbours: Ints, tree: Ints, number: Ints, size: Ints, inner: Ints, first: Ints, count: Ints
) -> None:
    """Write the numbers to which each portal may lead."""
    m = len(number)
    for i in range(len(owner)):
        p, q = owner[i], neighbours[i]
        if q < 0:
            continue
        below = q  # the child of p, if the portal leads down into a block that hangs from p
        if tree[q, 0] > tree[p, 0]:
            while tree[below, 2] != p:
                below = tree[below, 2]
        if tree[q, 0] > tree[p, 0] and tree[below, 3]:
            first[i], count[i] = number[below], size[below]
        elif inner[p]:  # not into what hangs from p
            first[i], count[i] = number[p] + 1, -inner[p]
        else:
            first[i], count[i] = 0, m
