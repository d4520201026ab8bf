"""Jump point search: A* on a map of equal prices that walks on without the queue until the way can turn.

D. Harabor and A. Grastien, "Online Graph Pruning for Pathfinding on Grid Maps", 2011, and "Improving Jump Point
Search", 2014: straight walks go by blocks of cells (see `_kernel.bit_rows`), and a diagonal walk puts not its own cells
into the queue but what is found on the straight walks from them. Where a way can turn is read from the canonical table
of steps (see `moves`), so every corner rule is served. Lengths are counted as in `lattice`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.bit_rows import (
    BASE,
    FROM,
    PLACE_X,
    PLACE_Y,
    ROW_X,
    ROW_Y,
    drop_stop,
    lay_rows,
    next_stop,
    set_stop,
)
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

__all__ = ["JPS", "jps"]

Bytes, Ints, Floats = NDArray[np.uint8], NDArray[np.int64], NDArray[np.float64]


def jps(
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

    Raises InputError for a graph, a map with prices, four neighbours, and what `astar` refuses. For many queries on one
    map make one `JPS`.
    """
    return JPS(space, neighbours=neighbours, corners=corners).find(start, goal, limit=limit, traced=traced)


class JPS(UniformSearch):
    """Jump point search for many queries on one map; it keeps its working memory, so threads must not share one."""

    def __init__(self, space: Grid | Graph, *, neighbours: int = 8, corners: str = "strict") -> None:
        """Check the options, which are those of `jps`, and lay the bit rows of the map, in one pass over its cells."""
        self.space = uniform_space("jps", space, neighbours, corners)
        grid = self.space.grid
        stop, step = turns(corners)
        rows, lines = lay_rows(stop[self.space.around], grid.free.reshape(-1), grid.width, grid.height)
        state, base = np.full((self.space.size, 2), UNSEEN, np.int64), np.array([UNSEEN], np.int64)
        found = np.empty((8 * (grid.width + grid.height), 2), np.int64)  # more than one cell can lead to
        heap = np.empty(4 * len(found), np.int64)
        ground = (grid.width, self.space.around, self.space.cost, move_table(8, corners, True), step, rows, lines)
        self.tables = (*ground, state, base, found, heap)

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
    rows: Ints,
    lines: Ints,
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
            new = set_stop(rows, lines, goal % width, goal // width)
            heap = _search(
                start, goal, limit, width, around, moves, step, rows, lines, state, base[0], found, heap, row, log
            )
            drop_stop(rows, lines, goal % width, goal // width, new)
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
    rows: Ints,
    lines: Ints,
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
        count, todo = 0, moves[entered, around[v]]
        while todo:
            d = int(todo & 15) - 1
            todo >>= 4
            if d & 1:
                count = _slant(d, x, y, g, goal_x, goal_y, width, around, step, rows, lines, found, count)
            else:
                count = _straight(d, x, y, g, rows, lines, found, count)
        here = entry & PLACE
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


@kernel
def _straight(d: int, x: int, y: int, g: int, rows: Ints, lines: Ints, found: Ints, count: int) -> int:
    """Walk from (x, y) in the straight direction d; return count, one more if a jump point was found."""
    line = lines[d >> 1]
    place = line[FROM] + line[PLACE_X] * x + line[PLACE_Y] * y
    stop = next_stop(rows, line[BASE] + line[ROW_X] * x + line[ROW_Y] * y, place + 1)
    if stop < 0:
        return count
    x, y = x + int(DX[d]) * (stop - place), y + int(DY[d]) * (stop - place)
    found[count, 0], found[count, 1] = g + (stop - place) * SIDE, d << PLACE_BITS | y << COORDINATE_BITS | x
    return count + 1


@kernel
def _slant(
    d: int,
    x: int,
    y: int,
    g: int,
    goal_x: int,
    goal_y: int,
    width: int,
    around: Bytes,
    step: Bytes,
    rows: Ints,
    lines: Ints,
    found: Ints,
    count: int,
) -> int:
    """Walk from (x, y) in the diagonal direction d, and from each cell of that walk straight on in both components.

    Appends the jump points to found, int64[k, 2]: the length of the way to it, and how it is reached, as in the tree
    of `_kernel.jump_queue`, but with its own place. Returns their new count.
    """
    dx, dy, left, right = int(DX[d]), int(DY[d]), d - 1, (d + 1) & 7
    one, two = lines[left >> 1], lines[right >> 1]
    row_1, place_1 = one[BASE] + one[ROW_X] * x + one[ROW_Y] * y, one[FROM] + one[PLACE_X] * x + one[PLACE_Y] * y
    row_2, place_2 = two[BASE] + two[ROW_X] * x + two[ROW_Y] * y, two[FROM] + two[PLACE_X] * x + two[PLACE_Y] * y
    next_1, next_2 = one[ROW_X] * dx + one[ROW_Y] * dy, two[ROW_X] * dx + two[ROW_Y] * dy
    add_1, add_2 = int(DY[left] << COORDINATE_BITS) + int(DX[left]), int(DY[right] << COORDINATE_BITS) + int(DX[right])
    here, add = y << COORDINATE_BITS | x, (dy << COORDINATE_BITS) + dx
    v, offset, allowed = y * width + x, dy * width + dx, step[d]
    goal = goal_y << COORDINATE_BITS | goal_x
    while allowed[around[v]] & 1:
        v += offset
        here += add
        g += SLANT
        row_1 += next_1
        row_2 += next_2
        place_1 += 1  # a line is laid along its way, so each step on leads to the next place
        place_2 += 1
        if allowed[around[v]] & 2 or here == goal:
            found[count, 0], found[count, 1] = g, d << PLACE_BITS | here
            return count + 1
        far = next_stop(rows, row_1, place_1 + 1) - place_1
        if far > 0:
            found[count, 0], found[count, 1] = g + far * SIDE, left << PLACE_BITS | (here + add_1 * far)
            count += 1
        far = next_stop(rows, row_2, place_2 + 1) - place_2
        if far > 0:
            found[count, 0], found[count, 1] = g + far * SIDE, right << PLACE_BITS | (here + add_2 * far)
            count += 1
    return count
