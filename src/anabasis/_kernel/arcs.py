"""The arcs out of a vertex, the same way for a grid and for a graph.

A space is a tuple (width, around, moves, offset, length, cost, indptr, indices, weights, points,
degree), made by
`anabasis.search.moves.Space`; on a graph `width` is 0 and the grid's arrays are empty, on a grid the graph's are.
degree is the greatest number of arcs out of a vertex.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis._kernel import leaf

__all__ = ["DX", "DY", "arcs_out"]

DX = np.array([1, 1, 0, -1, -1, -1, 0, 1])  # the eight directions, clockwise on the screen from east; odd = diagonal
DY = np.array([0, 1, 1, 1, 0, -1, -1, -1])


@leaf
def arcs_out(space: Any, v: int, heads: Any, steps: Any) -> int:
    """Write the heads and the costs of the arcs out of `v` into `heads` and `steps`; return how many there are."""
    width, around, moves, offset, length, cost, indptr, indices, weights, _points, _degree = space
    count = 0
    if width > 0:
        todo = moves[around[v]]  # one direction in every four bits, plus one; zero ends the list
        while todo:
            direction = (todo & 15) - 1
            todo >>= 4
            heads[count] = v + offset[direction]
            steps[count] = length[direction] * cost[heads[count]]
            count += 1
    else:
        for k in range(indptr[v], indptr[v + 1]):
            heads[count] = indices[k]
            steps[count] = weights[k]
            count += 1
    return count
