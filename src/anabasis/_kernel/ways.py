"""Ways: what a list of vertices costs, the same without its loops, what can be reached, arcs walked backwards."""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis._kernel import kernel, leaf
from anabasis._kernel.arcs import arcs_out

__all__ = ["arcs_into", "cut_loops", "flood", "walked_cost"]


@kernel
def walked_cost(arcs: Any, vertices: Any) -> float:
    """Return what it costs to walk along vertices, by the cheapest arc of each step; inf if an arc is missing."""
    heads, steps = np.empty(arcs[10], np.int64), np.empty(arcs[10], np.float64)
    total = 0.0
    for i in range(len(vertices) - 1):
        least = np.inf
        for k in range(arcs_out(arcs, vertices[i], heads, steps)):
            if heads[k] == vertices[i + 1]:
                least = min(least, steps[k])
        total += least
    return total


@kernel
def cut_loops(vertices: Any, size: int) -> Any:
    """Return a walk among `size` vertices without its loops: after a vertex it goes on as after the last visit."""
    place = np.zeros(size, np.int64)  # of a vertex among those that are kept, counted from 1
    kept = np.empty(len(vertices), np.int64)
    count = 0
    for i in range(len(vertices)):
        v = vertices[i]
        if place[v]:
            for k in range(place[v], count):
                place[kept[k]] = 0
            count = place[v]
        else:
            kept[count] = v
            count += 1
            place[v] = count
    return kept[:count].copy()


@kernel
def flood(arcs: Any, start: int, reached: Any) -> None:
    """Set reached, bool[n], for every vertex to which a way leads from `start`; it is False before."""
    heads, steps = np.empty(arcs[10], np.int64), np.empty(arcs[10], np.float64)
    queue = np.empty(len(reached), np.int64)
    queue[0], reached[start] = start, True
    done, size = 0, 1
    while done < size:
        for k in range(arcs_out(arcs, queue[done], heads, steps)):
            if not reached[heads[k]]:
                reached[heads[k]] = True
                queue[size] = heads[k]
                size += 1
        done += 1


@leaf
def arcs_into(against: Any, v: int, tails: Any, steps: Any) -> int:
    """Write the tails and the costs of the arcs that lead to `v`; return how many there are.

    against: on a grid the space of `arcs_out` itself, since a step may be made in both directions or in none and costs
    what the cell does that it enters; on a graph the space with every arc turned round.
    """
    count = arcs_out(against, v, tails, steps)
    width, length, cost = against[0], against[4], against[5]
    if width > 0:
        for k in range(count):
            diagonal = tails[k] % width != v % width and tails[k] // width != v // width
            steps[k] = (length[1] if diagonal else length[0]) * cost[v]
    return count
