"""Moves of one turn: where a unit with so many movement points can be when its turn ends, and what the way costs.

A tile is entered if the points left are at least its price, or if the unit has not moved yet in this turn: then it may
be dearer, and ends the turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis.graph import Graph

__all__ = ["turn_moves", "turn_route"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


def turn_moves(graph: Graph, prices: Floats, held: NDArray[np.bool_], points: int) -> tuple[Ints, Ints, Floats]:
    """Return the moves of one turn: tails, heads and costs, by rising tails and for each by rising heads.

    prices: float64[n], what it costs to enter each vertex, inf where it is blocked; a unit may leave such a vertex.
    held: bool[n], where somebody stands for good: a turn may end there, but no way leads on. The cost is the least sum
    of prices.
    """
    return _all_moves(graph.indptr, graph.indices, prices, held, points)


def turn_route(
    graph: Graph, prices: Floats, held: NDArray[np.bool_], points: int, tail: int, head: int
) -> tuple[list[int], float]:
    """Return the tiles of the cheapest way of one turn, both ends included, and the points left after it.

    The way is empty if there is none.
    """
    n = graph.size
    cost, parent, order = np.full(n, np.inf), np.full(n, -1, np.int64), np.empty(n, np.int64)
    _reach(graph.indptr, graph.indices, prices, held, points, tail, cost, parent, order)
    if cost[head] == np.inf:
        return [], float(points)
    tiles = [head]
    while tiles[-1] != tail:
        tiles.append(int(parent[tiles[-1]]))
    return tiles[::-1], max(0.0, points - float(cost[head]))


@kernel
def _all_moves(indptr: Any, indices: Any, prices: Any, held: Any, points: int) -> Any:
    """Return tails, heads and costs of the moves of one turn."""
    n = len(prices)
    cost, parent, order = np.full(n, np.inf), np.full(n, -1, np.int64), np.empty(n, np.int64)
    tails, heads, costs = np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty(1024, np.float64)
    size = 0
    for source in range(n):
        count = _reach(indptr, indices, prices, held, points, source, cost, parent, order)
        while size + count > len(tails):
            tails, heads, costs = (
                np.concatenate((tails, tails)),
                np.concatenate((heads, heads)),
                np.concatenate((costs, costs)),
            )
        reached = np.sort(order[:count])
        for k in range(count):
            if reached[k] != source:
                tails[size], heads[size], costs[size] = source, reached[k], cost[reached[k]]
                size += 1
        cost[reached], parent[reached] = np.inf, -1
    return tails[:size], heads[:size], costs[:size]


@leaf
def _reach(
    indptr: Any,
    indices: Any,
    prices: Any,
    held: Any,
    points: int,
    source: int,
    cost: Any,
    parent: Any,
    order: Any,
) -> int:
    """Find the tiles that one turn reaches from a source, nearest first; return how many stand in `order`.

    cost and parent must be inf and -1 everywhere.
    """
    cost[source], order[0] = 0.0, source
    count, done = 1, 0
    while done < count:
        least = done  # few tiles are open at a time, so the cheapest is looked up
        for k in range(done + 1, count):
            if cost[order[k]] < cost[order[least]]:
                least = k
        v = order[least]
        order[least], order[done] = order[done], v
        done += 1
        left = points - cost[v]
        if left <= 0 or (held[v] and v != source):
            continue
        for a in range(indptr[v], indptr[v + 1]):
            w = indices[a]
            way = cost[v] + prices[w]
            if prices[w] == np.inf or way >= cost[w] or (prices[w] > left and v != source):
                continue
            if cost[w] == np.inf:
                order[count] = w
                count += 1
            cost[w], parent[w] = way, v
    return count
