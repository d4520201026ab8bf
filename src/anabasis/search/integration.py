"""Integration field: how far each cell is from the nearest target, and by which step the search came there.

By E. W. Dijkstra's search, "A note on two problems in connexion with graphs", 1959, or breadth-first. Where all prices
are 1 the lengths are exact: counted as whole numbers of straight and diagonal steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.heap import heap_first, heap_lift
from anabasis.noun import freeze
from anabasis.search.moves import Space, move_table

__all__ = ["TARGET", "UNREACHED", "integrate"]

# How a cell was entered: 0 to 7 the direction of the step (see `moves`; odd = diagonal), or one of these:
TARGET = 8
UNREACHED = 9
_SQRT2 = 2.0**0.5
_NONE = freeze([], np.int64, (0,), "wanted")


def integrate(
    space: Space,
    targets: NDArray[np.int64],
    *,
    count_steps: bool = False,
    forward: bool = False,
    wanted: NDArray[np.int64] = _NONE,
) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Search from target vertices (free, each once) over the whole map, against the direction of travel.

    Returns distance, float64[height, width], the cost of the cheapest way from each cell to a target (`forward`: from a
    target to each cell; to `count_steps`, the least number of steps), inf without one; and entered,
    uint8[height · width], the direction in which the search entered each cell, or TARGET or UNREACHED. A cell is
    entered by a straight step if any way of that length allows it.

    wanted: with some, and unless steps are counted, the search may end when every cell that is no farther than the
    farthest of them is done; what lies beyond is undefined then.
    """
    entered = np.full(space.size, UNREACHED, np.uint8)
    distance = np.empty(space.grid.cost.shape)
    far = distance.reshape(-1)
    moves = move_table(space.neighbours, space.corners, space.unit_cost and not count_steps)
    if count_steps:
        _breadth_first(space.around, moves[8], space.offset, targets, entered, far)
    elif space.unit_cost:
        _dijkstra_uniform(space.around, moves, space.offset, targets, wanted, entered, far)
    else:
        _dijkstra(space.cost, space.around, moves[8], space.offset, targets, wanted, forward, entered, far)
    return distance, entered


@kernel
def _dijkstra_uniform(
    around: Any,
    moves: Any,
    offset: Any,
    targets: Any,
    wanted: Any,
    entered: Any,
    distance: Any,
) -> None:
    """Search where every price is 1, with a plain queue for either kind of step instead of a heap.

    Cells are expanded by rising distance, so the distances in each queue rise as well, and the next cell is at the head
    of one of them. A cell entered by a straight step can't be improved any more; one entered by a diagonal step only by
    a straight one. Until the end `distance` holds the steps of each cell, straight · 2³² + diagonal.
    """
    steps = distance.view(np.int64)
    straight, diagonal = np.empty(distance.size, np.int32), np.empty(distance.size, np.int32)
    head, tail, diagonal_head, diagonal_tail, missing = 0, 0, 0, 0, len(wanted)
    for target in targets:
        entered[target], steps[target] = TARGET, 0
        straight[tail] = target
        tail += 1
    while True:
        while diagonal_head < diagonal_tail and not entered[diagonal[diagonal_head]] & 1:
            diagonal_head += 1  # entered again by a straight step, and no worse
        if head < tail and (
            diagonal_head == diagonal_tail or _length(steps[straight[head]]) <= _length(steps[diagonal[diagonal_head]])
        ):
            u = np.int64(straight[head])
            head += 1
        elif diagonal_head < diagonal_tail:
            u = np.int64(diagonal[diagonal_head])
            diagonal_head += 1
        else:
            break
        here = steps[u]
        while (
            missing
            and entered[wanted[missing - 1]] != UNREACHED
            and _length(steps[wanted[missing - 1]]) < _length(here)
        ):
            missing -= 1
        if wanted.size and not missing:
            break
        todo = moves[entered[u], around[u]]
        while todo:
            k = (todo & 15) - 1
            todo >>= 4
            v = u + offset[k]
            known = entered[v]
            if k & 1:
                if known == UNREACHED:
                    entered[v], steps[v] = k, here + 1
                    diagonal[diagonal_tail] = v
                    diagonal_tail += 1
            elif known & 1:  # entered by a diagonal step or not at all
                there = here + (1 << 32)
                if known == UNREACHED or _length(there) <= _length(steps[v]):
                    entered[v], steps[v] = k, there
                    straight[tail] = v
                    tail += 1
    for v in range(distance.size):
        distance[v] = np.inf if entered[v] == UNREACHED else _length(steps[v])


@kernel
def _length(steps: int) -> float:
    """Return straight + diagonal · √2 of straight · 2³² + diagonal."""
    return (steps >> 32) + (steps & 0xFFFFFFFF) * _SQRT2


@kernel
def _dijkstra(
    cost: Any,
    around: Any,
    moves: Any,
    offset: Any,
    targets: Any,
    wanted: Any,
    forward: bool,
    entered: Any,
    distance: Any,
) -> None:
    """Search where prices differ: a step costs its length times the price of the cell that a unit enters by it."""
    keys, order = np.empty(distance.size), np.empty(distance.size, np.int32)
    place = np.full(distance.size, -1, np.int32)
    distance[:] = np.inf
    size, missing = 0, len(wanted)
    for target in targets:
        entered[target], distance[target] = TARGET, 0.0
        heap_lift(keys, order, place, size, 0.0, target)
        size += 1
    while size:
        u = np.int64(heap_first(keys, order, place, size))
        size -= 1
        here = distance[u]
        while missing and distance[wanted[missing - 1]] < here:
            missing -= 1
        if wanted.size and not missing:
            break
        todo = moves[around[u]]
        while todo:
            k = (todo & 15) - 1
            todo >>= 4
            v = u + offset[k]
            price = cost[v] if forward else cost[u]
            way = here + (price * _SQRT2 if k & 1 else price)
            if way < distance[v]:
                distance[v], entered[v] = way, k
                i = int(place[v])
                if i < 0:
                    i = size
                    size += 1
                heap_lift(keys, order, place, i, way, v)
            elif way == distance[v] and not k & 1:
                entered[v] = k


@kernel
def _breadth_first(
    around: Any,
    moves: Any,
    offset: Any,
    targets: Any,
    entered: Any,
    distance: Any,
) -> None:
    """Search by numbers of steps; of several neighbours one step nearer a straight one is preferred."""
    distance[:] = np.inf
    queue = np.empty(distance.size, np.int32)
    head, tail = 0, 0
    for target in targets:
        distance[target] = 0.0
        entered[target] = TARGET
        queue[tail] = target
        tail += 1
    while head < tail:
        u = np.int64(queue[head])
        head += 1
        there = distance[u] + 1
        todo = moves[around[u]]
        while todo:
            k = (todo & 15) - 1
            todo >>= 4
            v = u + offset[k]
            if entered[v] == UNREACHED:
                entered[v] = k
                distance[v] = there
                queue[tail] = v
                tail += 1
            elif not k & 1 and entered[v] & 1 and distance[v] == there:
                entered[v] = k
