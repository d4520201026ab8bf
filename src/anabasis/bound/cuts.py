"""Cuts: the fewest cells that part two sets of cells of a map.

Augmenting paths over the free cells, each of which may carry one path (L. R. Ford, D. R. Fulkerson, Maximal Flow
through a Network, 1956; K. Menger, Zur allgemeinen Kurventheorie, 1927). Who walks from cell to cell through their
sides has to enter a cell of the cut.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel

__all__ = ["chains", "fewest_cells", "side_of"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def fewest_cells(free: Bools, source: Bools, sink: Bools, most: int) -> tuple[Bools, Bools] | None:
    """Return the two smallest cuts (bool[height, width]) nearest to the source and nearest to the sink.

    Cells of the source and the sink are in no cut. None if there is no cut, or none of at most `most` cells.
    """
    shape = (free.shape[0] + 2, free.shape[1] + 2)
    kind = np.zeros(shape, np.uint8)  # 0 wall, 1 free, 2 source, 3 sink
    kind[1:-1, 1:-1] = np.where(source & free, 2, np.where(sink & free, 3, free))
    if (source & sink & free).any():
        return None
    flat = kind.reshape(-1)
    before, after = np.full((2, flat.size), -1, np.int64)
    near, far = np.zeros((2, flat.size), np.uint8)
    size = _cut(flat, shape[1], before, after, most, near, far)
    if size < 0:
        return None
    return tuple((mark.reshape(shape)[1:-1, 1:-1] == 1) for mark in (near, far))  # pyright: ignore[reportReturnType]


def chains(cut: Bools) -> list[Ints]:
    """Return the cells int64[k, 2] (x, y) of each part of a cut that hangs together over sides and corners."""
    left = {(int(x), int(y)) for y, x in np.argwhere(cut)}
    parts: list[Ints] = []
    for first in sorted(left):
        if first not in left:
            continue
        left.remove(first)
        part = [first]
        for x, y in part:
            for other in [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]:
                if other in left:
                    left.remove(other)
                    part.append(other)
        parts.append(np.array(part, np.int64))
    return parts


def side_of(free: Bools, start: Ints, lines: Sequence[tuple[bool, int, int, int]], cells: Ints) -> Bools:
    """Return bool[height, width]: the free cells to which one can walk from cells `start` (int64[k, 2] as x, y).

    Nobody crosses a line (upright?, at, low, high) or enters one of the cells int64[c, 2].
    """
    shape = (free.shape[0] + 2, free.shape[1] + 2)
    walls = np.zeros(shape, np.uint8)  # bit 0: free, bit 1: closed to the left, bit 2: closed above
    walls[1:-1, 1:-1] = free
    for upright, at, low, high in lines:
        part = walls[low + 1 : high + 1, at + 1] if upright else walls[at + 1, low + 1 : high + 1]
        part |= 2 if upright else 4
    walls[cells[:, 1] + 1, cells[:, 0] + 1] = 0
    flat = walls.reshape(-1)
    reached = np.zeros(flat.size, np.uint8)
    _walk(flat, shape[1], (start[:, 1] + 1) * shape[1] + start[:, 0] + 1, reached)
    return reached.reshape(shape)[1:-1, 1:-1] == 1


@kernel
def _walk(walls: NDArray[np.uint8], stride: int, start: Ints, reached: NDArray[np.uint8]) -> None:
    queue = np.empty(walls.size, np.int64)
    tail = 0
    for c in start:
        if walls[c] & 1 and reached[c] == 0:
            reached[c] = 1
            queue[tail] = c
            tail += 1
    head = 0
    while head < tail:
        c = queue[head]
        head += 1
        for side in range(4):
            to = c + (1 if side == 0 else -1 if side == 1 else stride if side == 2 else -stride)
            shut = (
                walls[to] & 2
                if side == 0
                else walls[c] & 2
                if side == 1
                else walls[to] & 4
                if side == 2
                else walls[c] & 4
            )
            if walls[to] & 1 and shut == 0 and reached[to] == 0:
                reached[to] = 1
                queue[tail] = to
                tail += 1


@kernel
def _cut(
    kind: NDArray[np.uint8],
    stride: int,
    before: Ints,
    after: Ints,
    most: int,
    near: NDArray[np.uint8],
    far: NDArray[np.uint8],
) -> int:
    """Send paths until none is left; mark the cuts; return the number of paths, or -1 if there are too many.

    A cell has two states, entered (2c) and left (2c + 1). before and after: the neighbours on the path through a cell.
    """
    parent = np.full(2 * kind.size, -1, np.int64)
    queue = np.empty(2 * kind.size, np.int64)
    paths = 0
    while True:
        parent[:] = -1
        end = _search(kind, stride, before, parent, queue)
        if end == -2:
            return -1
        if end < 0:
            break
        paths += 1
        if paths > most:
            return -1
        _augment(kind, end, parent, before, after)
    for c in range(kind.size):
        if kind[c] == 1 and parent[2 * c] >= 0 and parent[2 * c + 1] < 0:
            near[c] = 1
    _mark_far(kind, stride, before, after, queue, far)
    return paths


@kernel
def _search(kind: NDArray[np.uint8], stride: int, before: Ints, parent: Ints, queue: Ints) -> int:
    """Return the state from which the sink is entered, -1 if it can't be, -2 if source and sink touch."""
    tail = 0
    for c in range(kind.size):
        if kind[c] == 2:
            parent[2 * c + 1] = 2 * c + 1
            queue[tail] = 2 * c + 1
            tail += 1
    head = 0
    while head < tail:
        state = queue[head]
        head += 1
        c = state >> 1
        if state & 1:
            for side in range(4):
                to = c + (1 if side == 0 else -1 if side == 1 else stride if side == 2 else -stride)
                if kind[to] == 3:
                    return -2 if kind[c] == 2 else state
                if kind[to] == 1 and parent[2 * to] < 0:
                    parent[2 * to] = state
                    queue[tail] = 2 * to
                    tail += 1
            if kind[c] == 1 and before[c] >= 0 and parent[2 * c] < 0:
                parent[2 * c] = state
                queue[tail] = 2 * c
                tail += 1
        else:
            to = 2 * c + 1 if before[c] < 0 else 2 * before[c] + 1
            if kind[to >> 1] == 1 and parent[to] < 0:
                parent[to] = state
                queue[tail] = to
                tail += 1
    return -1


@kernel
def _augment(kind: NDArray[np.uint8], end: int, parent: Ints, before: Ints, after: Ints) -> None:
    """Add the path that ends in a state, taking back what it walks against."""
    state = end
    after[state >> 1] = state >> 1  # into the sink
    while kind[state >> 1] != 2:
        previous = parent[state]
        c, p = state >> 1, previous >> 1
        if (state & 1) == 0:
            if c == p:  # against the path of the cell, which now leaves it aside
                before[c] = -1
                after[c] = -1
            else:
                before[c] = p
                after[p] = c
        state = previous


@kernel
def _mark_far(
    kind: NDArray[np.uint8], stride: int, before: Ints, after: Ints, queue: Ints, far: NDArray[np.uint8]
) -> None:
    """Mark the cells from which the sink can be reached when they are left, but not when they are entered."""
    reached = np.zeros(2 * kind.size, np.uint8)
    tail = 0
    for c in range(kind.size):
        if kind[c] == 1 and (kind[c + 1] == 3 or kind[c - 1] == 3 or kind[c + stride] == 3 or kind[c - stride] == 3):
            reached[2 * c + 1] = 1
            queue[tail] = 2 * c + 1
            tail += 1
    head = 0
    while head < tail:
        state = queue[head]
        head += 1
        c = state >> 1
        if state & 1:
            entered = c if before[c] < 0 else after[c]
            if (before[c] < 0 or entered != c) and reached[2 * entered] == 0:
                reached[2 * entered] = 1
                queue[tail] = 2 * entered
                tail += 1
        else:
            for side in range(5):
                to = c + (1 if side == 0 else -1 if side == 1 else stride if side == 2 else -stride)
                if side == 4:
                    to = c
                    if before[c] < 0:
                        continue
                if kind[to] == 1 and reached[2 * to + 1] == 0:
                    reached[2 * to + 1] = 1
                    queue[tail] = 2 * to + 1
                    tail += 1
    for c in range(kind.size):
        if kind[c] == 1 and reached[2 * c + 1] == 1 and reached[2 * c] == 0:
            far[c] = 1
