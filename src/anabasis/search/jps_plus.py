"""JPS+: jump point search whose walks are looked up, eight distances a cell.

D. Harabor and A. Grastien, "Improving Jump Point Search", 2014. The table says for each cell and direction how far the
next jump point is, or (negative) how far the wall. A diagonal walk goes at once to the next cell from which a straight
walk finds a jump point; only there is anything put into the queue. Turns and lengths are as in `jps`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.jump_queue import (
    COORDINATE,
    COORDINATE_BITS,
    FINE,
    PLACE,
    PLACE_BITS,
    UNSEEN,
    jump_begin,
    jump_note,
    jump_steps,
    jump_unroll,
)
from anabasis._kernel.jump_table import jump_table, jump_walk
from anabasis._kernel.key_heap import key_pop, key_push
from anabasis._kernel.legs import leg_length
from anabasis._kernel.report import (
    COST,
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
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.lattice import SIDE, SLANT
from anabasis.search.moves import move_table
from anabasis.search.turns import turns
from anabasis.search.uniform import UniformSearch, uniform_space

__all__ = ["JPSPlus", "jps_plus"]

Bytes, Halves = NDArray[np.uint8], NDArray[np.int16]
Ints, Floats = NDArray[np.int64], NDArray[np.float64]


def jps_plus(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a shortest path from cell `start` to cell `goal` on a map whose free cells all cost 1.

    The options, the stats and the results are those of `astar`, and so is the cost to the last bit; expanded and
    generated count jump points, and of a traced search only those are recorded. Complete.

    Raises InputError for a graph, a map with prices, four neighbours, and what `astar` refuses. The table takes a few
    passes over the map: make one `JPSPlus` for many queries on it.
    """
    return JPSPlus(space, neighbours=neighbours, corners=corners).find(start, goal, limit=limit, traced=traced)


class JPSPlus(UniformSearch):
    """JPS+ for many queries on one map; it keeps its working memory, so threads must not share one."""

    def __init__(self, space: Grid | Graph, *, neighbours: int = 8, corners: str = "strict") -> None:
        """Check the options, which are those of `jps_plus`, and make the table: 16 bytes a cell.

        `stats` says how much is prepared: states, the cells; arcs, none; bytes.
        """
        self.space = uniform_space("jps_plus", space, neighbours, corners)
        grid = self.space.grid
        stop, step = turns(corners)
        jumps = jump_table(grid.width, grid.height, self.space.around, self.space.cost, stop, step)
        state, base = np.full((self.space.size, 2), UNSEEN, np.int64), np.array([UNSEEN], np.int64)
        found = np.empty((8 * (grid.width + grid.height), 2), np.int64)  # more than one cell can lead to
        heap = np.empty(4 * len(found), np.int64)
        ground = (grid.width, self.space.around, self.space.cost, move_table(8, corners, True), step, jumps)
        self.tables = (*ground, state, base, found, heap)
        kept = sum(table.nbytes for table in self.tables if isinstance(table, np.ndarray))
        self.stats = {"states": self.space.size, "arcs": 0, "bytes": kept}

    def _run(self, starts: Ints, goals: Ints, limit: int, log: Floats) -> tuple[Floats, Ints, Ints]:
        return _search_all(starts, goals, limit, *self.tables, log)


@kernel
def _search_all(
    starts: Ints,
    goals: Ints,
    limit: int,
    width: int,
    around: Bytes,
    cost: Floats,
    moves: Ints,
    step: Bytes,
    jumps: Halves,
    state: Ints,
    base: Ints,
    found: Ints,
    heap: Ints,
    log: Floats,
) -> tuple[Floats, Ints, Ints]:
    """Search for each pair of start and goal; return rows, indptr and vertices of a Batch."""
    report = np.zeros((len(starts), 6), np.float64)
    indptr = np.zeros(len(starts) + 1, np.int64)
    vertices = np.empty(256, np.int64)
    span = 4 * (len(around) + 1) * SLANT  # twice a way through all cells and an estimate on top
    for q in range(len(starts)):
        row, start, goal, count = report[q], starts[q], goals[q], indptr[q]
        row[STATUS], row[COST], row[NEAREST] = NO_SOLUTION, np.inf, -1
        if cost[start] < np.inf and cost[goal] < np.inf:
            if base[0] < span:  # every base is used up
                state[:] = UNSEEN
                base[0] = UNSEEN
            base[0] -= span
            heap = _search(start, goal, limit, width, around, moves, step, jumps, state, base[0], found, heap, row, log)
            if row[STATUS] == SOLVED:
                steps, diagonal = jump_steps(state, goal, width)
                row[COST] = (steps - diagonal) + diagonal * 2**0.5
                while count + steps + 1 > len(vertices):
                    vertices = np.concatenate((vertices, vertices))
                count += steps + 1
                jump_unroll(state, goal, width, vertices, count - 1)
        indptr[q + 1] = count
    return report, indptr, vertices[: indptr[-1]].copy()


@kernel
def _search(
    start: int,
    goal: int,
    limit: int,
    width: int,
    around: Bytes,
    moves: Ints,
    step: Bytes,
    jumps: Halves,
    state: Ints,
    base: int,
    found: Ints,
    heap: Ints,
    row: Floats,
    log: Floats,
) -> Ints:
    """Search once; leave the tree in state and the outcome in row; return the heap, which may have grown."""
    goal_x, goal_y = goal % width, goal // width
    first = leg_length(SIDE, SLANT, start % width - goal_x, start // width - goal_y)
    span = 2 * (len(around) + 1) * SLANT
    size, expanded, generated = jump_begin(start, width, state, base, heap), 0, 1
    logged = note(log, 0, GENERATE, start, -1, 0.0, first / SIDE)
    while size:
        entry = heap[0]
        best = (state[goal, 0] - base) >> 1
        if entry >> PLACE_BITS > (best - first) >> FINE:
            break
        x, y = int(entry & COORDINATE), int(entry >> COORDINATE_BITS & COORDINATE)
        size = key_pop(heap, size)
        v = y * width + x
        if state[v, 0] & 1:
            continue  # by a way as short
        g = int(state[v, 0] - base) >> 1
        if g + leg_length(SIDE, SLANT, x - goal_x, y - goal_y) >= best:
            continue
        if limit and expanded == limit:
            row[STATUS], row[OPEN] = LIMIT, (((entry >> PLACE_BITS) << FINE) + first) / SIDE
            break
        state[v, 0] |= 1
        expanded += 1
        entered = int(state[v, 1] >> PLACE_BITS)
        if log.shape[0]:
            logged = jump_note(v, goal, width, SIDE, SLANT, state, base, log, logged)
        if size + len(found) > len(heap):
            heap = np.concatenate((heap, heap))
        count, todo, here = 0, moves[entered, around[v]], entry & PLACE
        while todo:
            d = int(todo & 15) - 1
            todo >>= 4
            count = jump_walk(d, x, y, g, goal_x, goal_y, width, SIDE, SLANT, around, step, jumps, found, count)
        for k in range(count):
            way, place = found[k, 0], found[k, 1]
            x, y = int(place & COORDINATE), int(place >> COORDINATE_BITS & COORDINATE)
            w, word = y * width + x, base + 2 * way
            h = leg_length(SIDE, SLANT, x - goal_x, y - goal_y)
            if word + 2 > state[w, 0] or word + 2 * h >= state[goal, 0]:
                continue  # a way as short is known, or one to the goal that no way through here can better
            if log.shape[0]:
                event = UPDATE if state[w, 0] < base + span else GENERATE
                logged = note(log, logged, event, w, v, way / SIDE, h / SIDE)
            state[w, 0], state[w, 1] = word, (place >> PLACE_BITS) << PLACE_BITS | here
            size = key_push(heap, size, (way + h - first) >> FINE << PLACE_BITS | (place & PLACE))
            generated += 1
    if state[goal, 0] < base + span and row[STATUS] != LIMIT:
        row[STATUS] = SOLVED
    row[EXPANDED], row[GENERATED] = expanded, generated
    return heap
