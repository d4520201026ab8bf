"""A* on a map whose free cells all cost 1, in whole numbers and with a queue of buckets.

A way with a straight and b diagonal steps has the length a + b√2; the kernel counts it as a · SIDE + b · SLANT, so that
lengths are compared exactly. It makes only the steps of the canonical table (see `moves`). Buckets: R. Dial, "Shortest-
Path Forest with Topological Ordering", 1969; E. Denardo and B. Fox, "Shortest-Route Methods", 1979. A heap with four
children a node on the same keys, ties to the longer way, took about twice as long on five of six benchmark maps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.report import (
    COST,
    EXPAND,
    EXPANDED,
    GENERATE,
    GENERATED,
    LIMIT,
    NEAREST,
    NO_SOLUTION,
    OPEN,
    SOLVED,
    STATUS,
    UPDATE,
    note,
)
from anabasis.search.moves import Space, move_table

__all__ = ["CHARGE", "Lattice"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

# SLANT / SIDE is a convergent of √2 (Pell numbers), from below. No fraction with a smaller denominator lies between the
# two, so a · SIDE + b · SLANT orders all lengths a + b√2 with |b| < SIDE as they are; no map has that many cells.
SIDE, SLANT = 225_058_681, 318_281_039
_STEP = np.array([SIDE, SLANT] * 4)
# What a metric charges for the longer and for the shorter of |dx| and |dy|.
CHARGE = {"zero": (0, 0), "manhattan": (SIDE, SIDE), "octile": (SIDE, SLANT - SIDE), "chebyshev": (SIDE, 0)}

# A cell's state is one number: base + 32 · length + 16 if expanded + the direction in which it was entered (8: start).
# Each query has a base so far below the last one's that all that older queries wrote is greater, so "not seen in this
# query, or seen with a longer way" is one comparison, and nothing is cleared between queries.
_CELL, _DONE, _START = 32, 16, 8
_UNSEEN = 2**62
_SHIFT = 26  # keys that agree without their last 26 bits share a bucket: it spans 0.3 of a side
_RING = 16  # so many buckets hold every open key: no step raises a key by more than 2√2, 10 buckets


class Lattice:
    """A map of equal prices, and what the kernel keeps between queries on it."""

    def __init__(self, space: Space, metric: str) -> None:
        self.space, self.charge = space, CHARGE[metric]
        self.moves = move_table(space.neighbours, space.corners, True)
        self.state = np.full(space.size, _UNSEEN, np.int64)
        self.pool = np.empty(1024 + space.size // 8, np.int64)
        self.span = _CELL * (space.size + 1) * SLANT  # no way is longer than all cells crossed diagonally
        self.base = np.array([_UNSEEN], np.int64)

    def run(self, starts: Ints, goals: Ints, limit: int, log: Floats) -> tuple[Floats, Ints, Ints]:
        """Answer queries; return rows, indptr and vertices of a Batch."""
        space = self.space
        return _search_all(
            starts,
            goals,
            *self.charge,
            limit,
            space.width,
            space.cost,
            space.around,
            self.moves,
            self.state,
            self.base,
            self.span,
            self.pool,
            log,
        )


@kernel
def _search_all(
    starts: Ints,
    goals: Ints,
    far: int,
    near: int,
    limit: int,
    width: int,
    cost: Floats,
    around: NDArray[np.uint8],
    moves: Ints,
    state: Ints,
    base: Ints,
    span: int,
    pool: Ints,
    log: Floats,
) -> tuple[Floats, Ints, Ints]:
    """Search for each pair of start and goal; return rows, indptr and vertices of a Batch."""
    rows = np.zeros((len(starts), 6), np.float64)
    indptr = np.zeros(len(starts) + 1, np.int64)
    vertices = np.empty(256, np.int64)
    for q in range(len(starts)):
        row, start, goal, count = rows[q], starts[q], goals[q], indptr[q]
        row[STATUS], row[COST], row[NEAREST] = NO_SOLUTION, np.inf, -1
        if cost[start] < np.inf:
            if base[0] < span:  # every base is used up
                state[:] = _UNSEEN
                base[0] = _UNSEEN
            base[0] -= span
            _search(start, goal, far, near, limit, width, around, moves, state, base[0], span, pool, row, log)
            if row[STATUS] == SOLVED:
                steps, diagonal = _walk(state, base[0], goal, width, vertices[:0])
                row[COST] = (steps - diagonal) + diagonal * 2**0.5
                while count + steps + 1 > len(vertices):
                    vertices = np.concatenate((vertices, vertices))
                _walk(state, base[0], goal, width, vertices[count : count + steps + 1])
                count += steps + 1
            elif row[STATUS] == NO_SOLUTION:
                row[NEAREST] = _nearest(state, base[0], span, goal, width)
        indptr[q + 1] = count
    return rows, indptr, vertices[: indptr[-1]].copy()


@kernel
def _search(
    start: int,
    goal: int,
    far: int,
    near: int,
    limit: int,
    width: int,
    around: NDArray[np.uint8],
    moves: Ints,
    state: Ints,
    base: int,
    span: int,
    pool: Ints,
    row: Floats,
    log: Floats,
) -> None:
    """Search once; leave the tree in state and the outcome in row.

    The queue is a ring of buckets, each a linked list of entries (next entry << 32 | y << 16 | x) in the pool, whose
    first two places hold the first of a list of spare entries (0: none) and how much of the pool is in use. Inside a
    bucket the last one in is the first one out, whatever its key; a cell whose way is shortened later is opened again,
    and the search ends when no bucket is left that could hold a shorter way than the best one to the goal.
    """
    goal_x, goal_y = goal % width, goal // width
    key = _estimate(far, near, start % width - goal_x, start // width - goal_y)
    bucket = key >> _SHIFT
    head = np.zeros(_RING, np.int64)
    pool[0], pool[1] = 0, 2
    _put(pool, head, bucket % _RING, start % width, start // width)
    state[start] = base + _START
    size, best, expanded, generated = 1, _UNSEEN, 0, 1
    logged = note(log, 0, GENERATE, start, -1, 0.0, key / SIDE)
    while size and bucket <= best >> _SHIFT:
        if head[bucket % _RING] == 0:
            bucket += 1
            continue
        x, y = _take(pool, head, bucket % _RING)
        size -= 1
        v = y * width + x
        if state[v] & _DONE:
            continue  # by a way as short
        g = int(state[v] - base) // _CELL
        if v == goal:
            best = g
        h = _estimate(far, near, x - goal_x, y - goal_y)
        if g + h >= best:
            continue
        if limit and expanded == limit:
            row[STATUS], row[OPEN] = LIMIT, (bucket << _SHIFT) / SIDE
            break
        entered = int(state[v] & 15)
        state[v] |= _DONE
        expanded += 1
        if log.shape[0]:
            parent = -1 if entered == _START else v - int(DY[entered]) * width - int(DX[entered])
            logged = note(log, logged, EXPAND, v, parent, g / SIDE, h / SIDE)
        if pool[1] + 8 > len(pool):  # room for every step of this cell, so that `_put` need not ask
            pool = np.concatenate((pool, pool))
        todo = moves[entered, around[v]]
        while todo:
            d = int(todo & 15) - 1
            todo >>= 4
            way = g + int(_STEP[d])
            w = v + int(DY[d]) * width + int(DX[d])
            word = base + way * _CELL
            if word + _CELL > state[w]:
                continue  # seen, with a way as short
            x1, y1 = x + int(DX[d]), y + int(DY[d])
            key = way + _estimate(far, near, x1 - goal_x, y1 - goal_y)
            if log.shape[0]:
                event = UPDATE if state[w] < base + span else GENERATE
                logged = note(log, logged, event, w, v, way / SIDE, (key - way) / SIDE)
            state[w] = word + d
            _put(pool, head, (key >> _SHIFT) % _RING, x1, y1)
            size += 1
            generated += 1
    if best < _UNSEEN and row[STATUS] != LIMIT:
        row[STATUS] = SOLVED
    row[EXPANDED], row[GENERATED] = expanded, generated


@kernel
def _estimate(far: int, near: int, dx: int, dy: int) -> int:
    """Return what a metric charges for (dx, dy)."""
    dx, dy = abs(dx), abs(dy)
    return far * max(dx, dy) + near * min(dx, dy)


@kernel
def _put(pool: Ints, head: Ints, k: int, x: int, y: int) -> None:
    """Put a cell into bucket k."""
    entry = pool[0]
    if entry:
        pool[0] = pool[entry]
    else:
        entry = pool[1]
        pool[1] = entry + 1
    pool[entry] = head[k] << 32 | y << 16 | x
    head[k] = entry


@kernel
def _take(pool: Ints, head: Ints, k: int) -> tuple[int, int]:
    """Take the cell that was put last into bucket k, which has some, and return it as x and y."""
    entry = head[k]
    word = pool[entry]
    head[k] = word >> 32
    pool[entry] = pool[0]
    pool[0] = entry
    return int(word & 0xFFFF), int(word >> 16 & 0xFFFF)


@kernel
def _walk(state: Ints, base: int, goal: int, width: int, vertices: Ints) -> tuple[int, int]:
    """Walk back from the goal and write the vertices, from start to goal, unless there are none to write to.

    Returns the number of steps and how many of them are diagonal.
    """
    v, steps, diagonal = goal, 0, 0
    while True:
        if len(vertices):
            vertices[len(vertices) - 1 - steps] = v
        direction = (state[v] - base) & 15
        if direction == _START:
            return steps, diagonal
        v -= int(DY[direction]) * width + int(DX[direction])
        steps += 1
        diagonal += direction & 1


@kernel
def _nearest(state: Ints, base: int, span: int, goal: int, width: int) -> int:
    """Return the cell seen in this query that is nearest to the goal as the crow flies, of equals the smallest."""
    nearest, least = -1, _UNSEEN
    for v in range(len(state)):
        if state[v] < base + span:
            x, y = v % width - goal % width, v // width - goal // width
            if x * x + y * y < least:
                nearest, least = v, x * x + y * y
    return nearest
