"""A*: best-first search by cost so far plus estimated cost to go, on a grid or a graph.

P. Hart, N. Nilsson and B. Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968;
weighted: I. Pohl, "Heuristic Search Viewed as Path Finding in a Graph", 1970. Queue of buckets: R. Dial, 1969.

Two kernels. `_astar` does everything: any costs, graphs, any metric, weights. `_lattice` does the common case fast:
a map whose free cells all cost 1. There a way has a straight and b diagonal steps and the length a + b√2, and the
kernel counts in whole numbers, a · SIDE + b · SLANT.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY, arcs_out
from anabasis._kernel.heap import heap_pop, heap_push
from anabasis._kernel.metric import vertex_distance
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
from anabasis._kernel.tree import walk
from anabasis.errors import InputError
from anabasis.graph import METRICS, Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.moves import Space, move_table
from anabasis.search.outcome import check_limit, log_for, outcome

__all__ = ["AStar", "Batch", "astar"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

# SLANT / SIDE is a convergent of √2 (Pell numbers), from below. No fraction with a smaller denominator lies between the
# two, so a · SIDE + b · SLANT orders all lengths a + b√2 with |b| < SIDE as they are; no map has that many cells.
SIDE, SLANT = 225_058_681, 318_281_039
_STEP = np.array([SIDE, SLANT] * 4)
# What a metric charges for the longer and for the shorter of |dx| and |dy|.
_CHARGE = {"zero": (0, 0), "manhattan": (SIDE, SIDE), "octile": (SIDE, SLANT - SIDE), "chebyshev": (SIDE, 0)}

# A cell's state is one number: base + 32 · length + 16 if expanded + the direction in which it was entered (8: start).
# Each query has a base so far below the last one's that all that older queries wrote is greater, so "not seen in this
# query, or seen with a longer way" is one comparison, and nothing is cleared between queries.
_CELL, _DONE, _START = 32, 16, 8
_UNSEEN = 2**62
_SHIFT = 26  # keys that agree without their last 26 bits share a bucket: it spans 0.3 of a side
_RING = 16  # so many buckets hold every open key: no step raises a key by more than 2√2, 10 buckets


def astar(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    metric: str | None = None,
    weight: float = 1.0,
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a path from vertex `start` to vertex `goal`.

    On a Grid a step goes to one of 4 or 8 neighbours and costs its length (1 or √2) times the price of the cell that
    it enters. corners: when a diagonal step is allowed: "strict" if both cells beside it are free, "loose" if at
    least one is, "none" always. metric: one of `graph.METRICS`; by default octile for 8 neighbours, Manhattan for 4,
    and the graph's own. weight ≥ 1 multiplies the estimate. limit: most expansions, 0 for no limit. traced: record
    the search.

    The path is a shortest one if the weight is 1 and the metric never overestimates (the default never does; Manhattan
    with 8 neighbours may); its cost is then also the bound. With a greater weight the cost is at most weight × the
    optimum and the bound at least cost / weight. With a metric that may overestimate nothing is promised, and the
    bound is the distance by the default metric. stats: expanded, generated, and on a map of equal prices straight and
    diagonal, the steps of the path. Without a way: NO_SOLUTION, the reason, and nearest, nearest_x, nearest_y in
    stats, the reached vertex nearest to the goal as the crow flies (of equals the smallest; absent if the start is
    blocked).

    Raises InputError for an unknown option or a vertex outside the map. For many queries on one map make one `AStar`.
    """
    search = AStar(space, neighbours=neighbours, corners=corners, metric=metric, weight=weight)
    return search.find(start, goal, limit=limit, traced=traced)


class AStar:
    """A* for many queries on one map or graph; it keeps its working memory, so threads must not share one."""

    def __init__(
        self,
        space: Grid | Graph,
        *,
        neighbours: int = 8,
        corners: str = "strict",
        metric: str | None = None,
        weight: float = 1.0,
    ) -> None:
        """Check the options, which are those of `astar`, and prepare the tables of the map."""
        if not (np.isfinite(weight) and weight >= 1):
            raise InputError("weight of the estimate", found=f"{weight}", expected="a number of at least 1")
        self.space = Space(space, neighbours, corners)
        self.metric = self.space.best_metric() if metric is None else metric
        self.factor = float(weight) if self.space.admissible(self.metric) else np.inf
        exact = self.space.unit_cost and self.factor == 1 and self.metric in _CHARGE
        self._memory = _LatticeMemory(self.space, self.metric) if exact else _Memory(self.space, self.metric, weight)

    def find(self, start: int, goal: int, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a path from vertex `start` to vertex `goal`, exactly as `astar` does."""
        return self._run([start], [goal], limit, traced)[0]

    def find_many(self, starts: ArrayLike, goals: ArrayLike, *, limit: int = 0) -> Batch:
        """Find a path for each pair of vertices, exactly as one `find` after the other would."""
        return self._run(starts, goals, limit, False)

    def _run(self, starts: ArrayLike, goals: ArrayLike, limit: int, traced: bool) -> Batch:
        pairs = self.space.check(starts, "start"), self.space.check(goals, "goal")
        if len(pairs[0]) != len(pairs[1]):
            raise InputError(
                "number of goals", found=f"{len(pairs[1])}", expected=f"{len(pairs[0])}, one for each start"
            )
        limit, log = check_limit(limit), log_for()
        rows, indptr, vertices = self._memory.run(*pairs, limit, log)
        if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
            log = log_for(rows[0])
            self._memory.run(*pairs, limit, log)
        return Batch(self, *pairs, rows, indptr, vertices, log)


@dataclass(frozen=True, eq=False)
class Batch:
    """The answers to k queries; `batch[i]` is the Result of query i, and the arrays hold the same for all at once.

    The vertices of path i are vertices[indptr[i]:indptr[i + 1]], none if there is no way.
    rows: float64[k, 6], for each query the status (0 solved, 1 no solution, 2 limit), expansions, generations, cost
    (inf without a way), least open key at a limit, vertex nearest to an unreachable goal.
    """

    search: AStar
    starts: NDArray[np.int64]
    goals: NDArray[np.int64]
    rows: NDArray[np.float64]
    indptr: NDArray[np.int64]
    vertices: NDArray[np.int64]
    log: NDArray[np.float64]

    @property
    def cost(self) -> NDArray[np.float64]:
        """float64[k]: the cost of each path, inf where there is none."""
        return self.rows[:, COST]

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, query: int) -> Result[Path]:
        start, goal = int(self.starts[query]), int(self.goals[query])
        vertices = self.vertices[self.indptr[query] : self.indptr[query + 1]]
        return outcome(self.search.space, start, goal, self.rows[query], vertices, self.log, self.search.factor)


class _Memory:
    """What `_astar` keeps between queries."""

    def __init__(self, space: Space, metric: str, weight: float) -> None:
        self.space, self.metric, self.weight = space, METRICS.index(metric), float(weight)
        self.mark = np.zeros(space.size, np.int64)
        self.parent = np.empty(space.size, np.int64)
        self.g = np.empty(space.size)
        self.now = 0

    def run(self, starts: Ints, goals: Ints, limit: int, log: Floats) -> tuple[Floats, Ints, Ints]:
        """Answer queries; return rows, indptr and vertices of a Batch."""
        rows, paths = np.zeros((len(starts), 6)), [np.empty(0, np.int64)]
        tree = self.mark, self.g, self.parent
        for row, start, goal in zip(rows, starts.tolist(), goals.tolist(), strict=True):
            row[:] = NO_SOLUTION, 0, 0, np.inf, 0, -1
            self.now += 2
            if not self.space.blocked(start):
                _astar(self.space.arcs, start, goal, self.metric, self.weight, limit, self.now, *tree, row, log)
                if row[STATUS] == NO_SOLUTION:
                    row[NEAREST] = self.space.nearest(self.mark >= self.now, goal)
            paths.append(walk(self.parent, goal) if row[STATUS] == SOLVED else paths[0])
        vertices = np.concatenate(paths)
        vertices.flags.writeable = False
        return rows, np.cumsum([len(path) for path in paths]), vertices


class _LatticeMemory:
    """What `_lattice` keeps between queries."""

    def __init__(self, space: Space, metric: str) -> None:
        self.space, self.charge = space, _CHARGE[metric]
        self.moves = move_table(space.neighbours, space.corners, True)
        self.state = np.full(space.size, _UNSEEN, np.int64)
        self.pool = np.empty(1024 + space.size // 8, np.int64)
        free = int(np.count_nonzero(np.isfinite(space.cost)))
        self.span = _CELL * (free + 1) * SLANT  # no way is longer than all cells crossed diagonally
        self.base = np.array([_UNSEEN], np.int64)

    def run(self, starts: Ints, goals: Ints, limit: int, log: Floats) -> tuple[Floats, Ints, Ints]:
        """Answer queries; return rows, indptr and vertices of a Batch."""
        space = self.space
        rows, indptr, vertices = _lattice_many(
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
        vertices.flags.writeable = False
        return rows, indptr, vertices


@kernel
def _astar(
    arcs: Any,
    start: int,
    goal: int,
    metric: int,
    weight: float,
    limit: int,
    now: int,
    mark: Ints,
    g: Floats,
    parent: Ints,
    row: Floats,
    log: Floats,
) -> None:
    """Search once; leave the tree in parent and the outcome in row. mark: now open, now + 1 closed, less unseen."""
    width, points = arcs[0], arcs[9]
    degree: int = arcs[10]
    heads, steps = np.empty(degree, np.int64), np.empty(degree, np.float64)
    h = vertex_distance(points, width, start, goal, metric)
    heap = heap_push(np.empty((1024, 3), np.float64), 0, weight * h, 0.0, start)
    logged = note(log, 0, GENERATE, start, -1, 0.0, h)
    size, expanded, generated = 1, 0, 1
    mark[start], g[start], parent[start] = now, 0.0, -1
    while size:
        key = heap[0, 0]
        v = heap_pop(heap, size)
        size -= 1
        if mark[v] > now:
            continue  # closed already, by a shorter way
        if v == goal:
            row[STATUS], row[COST] = SOLVED, g[v]
            break
        if limit and expanded == limit:
            row[STATUS], row[OPEN] = LIMIT, key
            break
        mark[v] = now + 1
        expanded += 1
        logged = note(log, logged, EXPAND, v, parent[v], g[v], vertex_distance(points, width, v, goal, metric))
        for k in range(arcs_out(arcs, v, heads, steps)):
            w, way = heads[k], g[v] + steps[k]
            if mark[w] > now or (mark[w] == now and g[w] <= way):
                continue
            h = vertex_distance(points, width, w, goal, metric)
            logged = note(log, logged, UPDATE if mark[w] == now else GENERATE, w, v, way, h)
            mark[w], g[w], parent[w] = now, way, v
            heap = heap_push(heap, size, way + weight * h, -way, w)  # of equal keys the one with the longer way first
            size += 1
            generated += 1
    row[EXPANDED], row[GENERATED] = expanded, generated


@kernel
def _lattice_many(
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
            _lattice(start, goal, far, near, limit, width, around, moves, state, base[0], span, pool, row, log)
            if row[STATUS] == SOLVED:
                steps, diagonal = _lattice_walk(state, base[0], goal, width, vertices[:0])
                row[COST] = (steps - diagonal) + diagonal * 2**0.5
                while count + steps + 1 > len(vertices):
                    vertices = np.concatenate((vertices, vertices))
                _lattice_walk(state, base[0], goal, width, vertices[count : count + steps + 1])
                count += steps + 1
            elif row[STATUS] == NO_SOLUTION:
                row[NEAREST] = _lattice_nearest(state, base[0], span, goal, width)
        indptr[q + 1] = count
    return rows, indptr, vertices[: indptr[-1]].copy()


@kernel
def _lattice(
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

    The queue is a ring of buckets, each a linked list of entries (next entry << 32 | y << 16 | x) in the pool. Inside a
    bucket the last one in is the first one out, whatever its key; a cell whose way is shortened later is opened again,
    and the search ends when no bucket is left that could hold a shorter way than the best one to the goal.
    """
    goal_x, goal_y = goal % width, goal // width
    x, y = abs(start % width - goal_x), abs(start // width - goal_y)
    key = far * max(x, y) + near * min(x, y)
    bucket = key >> _SHIFT
    head = np.full(_RING, -1, np.int64)
    head[bucket % _RING] = 0
    pool[0] = -1 << 32 | start // width << 16 | start % width
    state[start] = base + _START
    size, used, spare, best, expanded, generated = 1, 1, -1, _UNSEEN, 0, 1
    logged = note(log, 0, GENERATE, start, -1, 0.0, key / SIDE)
    while size and bucket <= best >> _SHIFT:
        entry = head[bucket % _RING]
        if entry < 0:
            bucket += 1
            continue
        x, y = int(pool[entry] & 0xFFFF), int(pool[entry] >> 16 & 0xFFFF)
        head[bucket % _RING] = pool[entry] >> 32
        pool[entry] = spare
        spare = entry
        size -= 1
        v = y * width + x
        if state[v] & _DONE:
            continue  # by a way as short
        g = int(state[v] - base) // _CELL
        if v == goal:
            best = g
        x1, y1 = abs(x - goal_x), abs(y - goal_y)
        h = far * max(x1, y1) + near * min(x1, y1)
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
        todo = moves[entered, around[v]]
        while todo:
            d = int(todo & 15) - 1
            todo >>= 4
            way = g + int(_STEP[d])
            w = v + int(DY[d]) * width + int(DX[d])
            word = base + way * _CELL
            if word + _CELL > state[w]:
                continue  # seen, with a way as short
            x1, y1 = abs(x + int(DX[d]) - goal_x), abs(y + int(DY[d]) - goal_y)
            key = way + far * max(x1, y1) + near * min(x1, y1)
            if log.shape[0]:
                event = UPDATE if state[w] < base + span else GENERATE
                logged = note(log, logged, event, w, v, way / SIDE, (key - way) / SIDE)
            state[w] = word + d
            entry = spare
            if entry >= 0:
                spare = pool[entry]
            else:
                if used == len(pool):
                    pool = np.concatenate((pool, pool))
                entry = used
                used += 1
            k = (key >> _SHIFT) % _RING
            pool[entry] = head[k] << 32 | (y + DY[d]) << 16 | x + DX[d]
            head[k] = entry
            size += 1
            generated += 1
    if best < _UNSEEN and row[STATUS] != LIMIT:
        row[STATUS] = SOLVED
    row[EXPANDED], row[GENERATED] = expanded, generated


@kernel
def _lattice_walk(state: Ints, base: int, goal: int, width: int, vertices: Ints) -> tuple[int, int]:
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
def _lattice_nearest(state: Ints, base: int, span: int, goal: int, width: int) -> int:
    """Return the cell seen in this query that is nearest to the goal as the crow flies, of equals the smallest."""
    nearest, least = -1, _UNSEEN
    for v in range(len(state)):
        if state[v] < base + span:
            x, y = v % width - goal % width, v // width - goal // width
            if x * x + y * y < least:
                nearest, least = v, x * x + y * y
    return nearest
