"""Anya: shortest paths of any angle on a grid, without preparation of any graph.

D. Harabor, A. Grastien, D. Öz and V. Aksakalli, "Optimal Any-Angle Pathfinding In Practice", 2016.

The search goes from row to row of the lattice. A node is a root, the last turning point, with the interval of a row
that the root sees; it is opened into the intervals that are seen behind it. Shortest paths turn at corners of blocked
cells only, so a node of the second kind is such a corner, reached from a root and to be turned around.

Start and goal are centres of cells, turning points are lattice points, so all places are counted in half cells and
are whole numbers. The ends of an interval are kept as the directions of two rays from the root to lattice points, never
as coordinates: every decision is a comparison of products of whole numbers. Only lengths are floating point.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.heap import heap_grown, heap_pop, heap_push
from anabasis._kernel.line import SIGHT
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
    note,
)
from anabasis._kernel.sight import visible
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.any_angle import pairs_of, polyline_result
from anabasis.search.corner_rows import flooded, survey
from anabasis.search.moves import Space
from anabasis.search.outcome import check_limit, log_for

__all__ = ["Anya", "anya"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

CONE, TURN = 0, 1  # kinds of node
ALONG, AGAINST = 0, 1  # a corner is turned into the row that its cell is not in, or into the row that it is in
NODES, HEAP, ROOTS, MADE, LAST, LOGGED = range(6)  # counters; LAST is the root from which the goal is reached
_EQUAL = 1e-12  # lengths that differ by less are equal but for rounding


def anya(
    space: Grid,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "loose",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a shortest path of any angle from the centre of cell `start` to that of cell `goal`.

    Of all ways on the map: a path may touch corners of blocked cells and run along their sides, but not pass between
    two that touch, which is the corner rule "loose"; under "strict" there is no shortest one, and `corners` takes no
    other rule. neighbours has no effect, for there are no steps. limit: most expansions, 0 for none. traced: record the
    search; a node is told by a cell at it.

    The path has points and no vertices; its cost is its length, and also the bound. Complete. stats: expanded,
    generated, and nearest as in `astar`. Raises InputError for a map with prices, a graph, an unknown option or a
    vertex outside the map. For many queries on one map make one `Anya`.
    """
    return Anya(space, neighbours=neighbours, corners=corners).find(start, goal, limit=limit, traced=traced)


class Anya:
    """Anya for many queries on one map; it keeps its memory, so threads must not share one."""

    def __init__(self, space: Grid, *, neighbours: int = 8, corners: str = "loose") -> None:
        """Check the options, and number the corners and the runs of free cells of the map."""
        self.net = Space(space, neighbours, corners)
        if corners != "loose":
            raise InputError(
                "corner rule of anya", found=repr(corners), expected="'loose', for shortest paths touch corners"
            )
        if not self.net.grid.uniform:
            raise InputError("anya knows no prices", found="a map with prices", hint="theta heeds them")
        *tables, count = survey(self.net.grid)
        self.tables = tuple(tables)
        self.memory = np.zeros(count, np.int64), np.empty(count), np.empty((count, 2, 2), np.int64)
        self.now = 0

    def find(self, start: int, goal: int, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a shortest path from the centre of cell `start` to that of cell `goal`, exactly as `anya` does."""
        start, goal = int(self.net.check([start], "start")[0]), int(self.net.check([goal], "goal")[0])
        limit, log = check_limit(limit), log_for()
        row = np.zeros(7)
        row[STATUS], row[COST], row[NEAREST] = NO_SOLUTION, np.inf, -1
        points = np.empty((0, 2))
        if not self.net.blocked(start):
            points = self._search(start, goal, limit, row, log)
            if traced:  # a search repeats itself exactly, so the first run tells how much there is to record
                log = log_for(row)
                points = self._search(start, goal, limit, row, log)
            if row[STATUS] == NO_SOLUTION:
                row[NEAREST] = self.net.nearest(flooded(self.net.grid.cost, start), goal)
        return polyline_result(self.net, start, goal, row, points, log, optimal=True)

    def find_many(self, starts: ArrayLike, goals: ArrayLike, *, limit: int = 0) -> list[Result[Path]]:
        """Find a shortest path for each pair of cells, exactly as one `find` after the other would."""
        return [self.find(u, v, limit=limit) for u, v in pairs_of(self.net, starts, goals)]

    def _search(self, start: int, goal: int, limit: int, row: Floats, log: Floats) -> Floats:
        self.now += 1
        return _anya(self.tables, self.memory, self.now, start, goal, limit, row, log)


@kernel
def _anya(tables: Any, memory: Any, now: int, start: int, goal: int, limit: int, row: Floats, log: Floats) -> Floats:
    """Search once; leave the outcome in row and return the points of the path.

    nodes: int64[·, 8]; a cone is CONE, root, row, way (1 south, -1 north), left ray, right ray; a turn is TURN, root,
    corner, vector from the root, sense. roots: int64[·, 4], its place in half cells, the root before, its corner or
    -1 for the start; length: float64[·], how far it is. counts and best hold single numbers that the kernels change.
    """
    cost = tables[0]
    width = cost.shape[1]
    room = 2 * width + 8  # more than one expansion can make
    nodes, heap = np.empty((room + 1024, 8), np.int64), np.empty((room + 1024, 3), np.float64)
    roots, length = np.empty((1024, 4), np.int64), np.empty(1024, np.float64)
    counts, best = np.zeros(6, np.int64), np.full(1, np.inf)
    ends = np.array(
        [2 * (start % width) + 1, 2 * (start // width) + 1, 2 * (goal % width) + 1, 2 * (goal // width) + 1]
    )
    roots[0, 0], roots[0, 1], roots[0, 2], roots[0, 3], length[0] = ends[0], ends[1], -1, -1, 0.0
    counts[ROOTS], counts[MADE], counts[LAST] = 1, 1, 0
    straight = _distance(ends[2] - ends[0], ends[3] - ends[1])
    counts[LOGGED] = note(log, 0, GENERATE, start, -1, 0.0, straight)
    if visible(cost, start % width, start // width, goal % width, goal // width, 1):
        best[0] = straight
    else:
        store = nodes, heap, roots, length, counts, best, ends, log
        _open_start(tables, store)
    expanded, key = 0, straight
    row[STATUS] = NO_SOLUTION
    while counts[HEAP]:
        key = heap[0, 0]
        if key >= best[0]:
            break
        if limit and expanded == limit:
            row[STATUS], row[OPEN] = LIMIT, key
            break
        k = heap_pop(heap, counts[HEAP])
        counts[HEAP] -= 1
        if not _worth(nodes[k], roots, length, memory):
            continue
        expanded += 1
        if log.shape[0]:
            v, origin = _cells(nodes[k], roots, tables)
            g = float(length[nodes[k, 1]])
            counts[LOGGED] = note(log, counts[LOGGED], EXPAND, v, origin, g, key - g)
        if counts[NODES] + room > len(nodes):
            nodes = np.concatenate((nodes, np.empty_like(nodes)))
        if counts[HEAP] + room > len(heap):
            heap = heap_grown(heap, counts[HEAP], room)
        if counts[ROOTS] == len(roots):
            roots, length = (
                np.concatenate((roots, np.empty_like(roots))),
                np.concatenate((length, np.empty_like(length))),
            )
        store = nodes, heap, roots, length, counts, best, ends, log
        if nodes[k, 0] == CONE:
            _open_cone(tables, memory, now, store, k)
        else:
            _open_turn(tables, memory, now, store, k)
    row[EXPANDED], row[GENERATED], row[SIGHT] = expanded, counts[MADE], 1
    if row[STATUS] == LIMIT or best[0] == np.inf:
        return np.empty((0, 2), np.float64)
    row[STATUS], row[COST] = SOLVED, best[0]
    return _points(roots, counts[LAST], ends)


@kernel
def _distance(dx: int, dy: int) -> float:
    """Return a length in cells; dx and dy count half cells."""
    return 0.5 * math.sqrt(float(dx * dx + dy * dy))


@kernel
def _points(roots: Ints, last: int, ends: Ints) -> Floats:
    """Return the path through a root and those before it to the goal; float64[k, 2], in cells."""
    count, root = 1, last
    while root >= 0:
        count += 1
        root = roots[root, 2]
    if ends[0] == ends[2] and ends[1] == ends[3]:
        count = 1
    points = np.empty((count, 2), np.float64)
    points[count - 1, 0], points[count - 1, 1] = 0.5 * ends[2], 0.5 * ends[3]
    root = last
    for k in range(count - 2, -1, -1):
        points[k, 0], points[k, 1] = 0.5 * roots[root, 0], 0.5 * roots[root, 1]
        root = roots[root, 2]
    return points


@kernel
def _worth(node: Ints, roots: Ints, length: Floats, memory: Any) -> bool:
    """Whether no shorter way to the root of a cone, or the corner of a turn, has been found since."""
    corner = roots[node[1], 3] if node[0] == CONE else node[7] >> 1
    if corner < 0:
        return True
    g = length[node[1]]
    if node[0] == TURN:
        g += _distance(node[4], node[5])
    return g <= memory[1][corner] * (1.0 + _EQUAL)


@kernel
def _cells(node: Ints, roots: Ints, tables: Any) -> tuple[int, int]:
    """Return a cell at a node and a cell at its root, for the record of the search."""
    width = tables[0].shape[1]
    root = node[1]
    if node[0] == TURN:
        x, y = node[2], node[3]
        v = _cell_at(tables, x, y)
    else:
        rise = abs(2 * node[2] - roots[root, 1])
        left, right = node[4] * rise / abs(node[5]), node[6] * rise / abs(node[7])
        x = int(min(max(math.floor((roots[root, 0] + 0.5 * (left + right)) / 2.0), 0), width - 1))
        v = (node[2] - (1 if node[3] > 0 else 0)) * width + x
    if roots[root, 3] < 0:
        return v, (roots[root, 1] // 2) * width + roots[root, 0] // 2
    return v, _cell_at(tables, roots[root, 0] // 2, roots[root, 1] // 2)


@kernel
def _cell_at(tables: Any, x: int, y: int) -> int:
    """Return the free cell at a corner that is opposite to its blocked one."""
    q = tables[3][y, x] & 3
    return int((y - (q >> 1)) * tables[0].shape[1] + x - (q & 1))


@kernel
def _open_start(tables: Any, store: Any) -> None:
    """Make the cones that begin with the two sides of the run of cells in which the start lies."""
    ends = store[6]
    x, y = ends[0] // 2, ends[1] // 2
    left, right = 2 * tables[1][0, y, x] - ends[0], 2 * tables[1][1, y, x] - ends[0]
    _add_cone(tables, store, 0, y + 1, 1, left, 1, right, 1)
    _add_cone(tables, store, 0, y, -1, left, -1, right, -1)


@kernel
def _open_cone(tables: Any, memory: Any, now: int, store: Any, k: int) -> None:
    """Make what follows a cone: cones through each run of free cells ahead, turns at its ends and at those of runs."""
    cost, runs, number = tables[0], tables[1], tables[3]
    node, roots, ends = store[0][k], store[2], store[6]
    root, y, s, lx, ly, rx, ry = node[1], node[2], node[3], node[4], node[5], node[6], node[7]
    x0, y0 = roots[root, 0], roots[root, 1]
    rise = abs(2 * y - y0)
    low, low_part = x0 * abs(ly) + lx * rise, 2 * abs(ly)  # where the interval begins, as a fraction; and where it ends
    high, high_part = x0 * abs(ry) + rx * rise, 2 * abs(ry)
    behind = 2 if s < 0 else 0
    if lx <= 0 and low % low_part == 0:
        x = low // low_part
        if number[y, x] >= 0 and number[y, x] & 3 == behind:
            _add_turn(tables, memory, now, store, root, x, y, 2 * x - x0, 2 * y - y0, ALONG)
    if rx >= 0 and high % high_part == 0:
        x = high // high_part
        if number[y, x] >= 0 and number[y, x] & 3 == behind + 1:
            _add_turn(tables, memory, now, store, root, x, y, 2 * x - x0, 2 * y - y0, ALONG)
    row = y if s > 0 else y - 1
    x = low // low_part
    while x * high_part < high:
        begin, end = int(runs[0, row, x]), int(runs[1, row, x])
        x = end
        if cost[row, begin] == np.inf:
            continue
        ax, ay, bx, by = lx, ly, rx, ry
        if begin * low_part >= low:
            ax, ay = 2 * begin - x0, 2 * y - y0
            if ax > 0 and number[y, begin] >= 0 and number[y, begin] & 3 == 2 - behind:
                _add_turn(tables, memory, now, store, root, begin, y, ax, ay, AGAINST)
        if end * high_part <= high:
            bx, by = 2 * end - x0, 2 * y - y0
            if bx < 0 and number[y, end] >= 0 and number[y, end] & 3 == 3 - behind:
                _add_turn(tables, memory, now, store, root, end, y, bx, by, AGAINST)
        if ends[3] // 2 == row and begin <= ends[2] // 2 < end:
            to_x, to_y = ends[2] - x0, abs(ends[3] - y0)
            if ax * to_y <= to_x * abs(ay) and to_x * abs(by) <= bx * to_y:
                _reach(store, root)
        wall, on = 2 * begin - x0, rise + 2
        if ax * on < wall * abs(ay):
            ax, ay = wall, s * on
        wall = 2 * end - x0
        if bx * on > wall * abs(by):
            bx, by = wall, s * on
        _add_cone(tables, store, root, y + s, s, ax, ay, bx, by)


@kernel
def _open_turn(tables: Any, memory: Any, now: int, store: Any, k: int) -> None:
    """Make what follows a turn: the corner becomes a root, with a cone and perhaps a turn farther along its row."""
    runs, along, number = tables[1], tables[2], tables[3]
    node, roots, length, counts, ends = store[0][k], store[2], store[3], store[4], store[6]
    origin, x, y, vx, vy, sense = node[1], node[2], node[3], node[4], node[5], node[7] & 1
    root = counts[ROOTS]
    counts[ROOTS] += 1
    roots[root, 0], roots[root, 1], roots[root, 2], roots[root, 3] = 2 * x, 2 * y, origin, node[7] >> 1
    length[root] = length[origin] + _distance(vx, vy)
    east, south = number[y, x] & 1, (number[y, x] >> 1) & 1  # where the blocked cell is
    toward = east if sense == ALONG else 1 - east  # to which side of the corner the cone opens
    s = (-1 if south else 1) if sense == ALONG else (1 if south else -1)
    row, near = (y if s > 0 else y - 1), (x if toward else x - 1)
    begin, end = int(runs[0, row, near]), int(runs[1, row, near])
    far, step = 2 * ((end if toward else begin) - x), 2 * s
    if ends[3] // 2 == row and begin <= ends[2] // 2 < end:
        _reach(store, root)
    if sense == ALONG:
        ax, ay, bx, by = vx, vy, far, step
        target = int(along[east, y, x])
        if target >= 0:
            _add_turn(tables, memory, now, store, root, target, y, 2 * (target - x), 0, AGAINST)
    else:
        ax, ay, bx, by = 0, step, far, step
        if vy != 0 and abs(vx) * 2 < abs(far) * abs(vy):
            bx, by = vx, vy
        target = int(along[1 if vx > 0 else 0, y, x])
        if vy == 0 and target >= 0:  # straight on: no turn here
            _add_turn(tables, memory, now, store, origin, target, y, 2 * target - roots[origin, 0], 0, AGAINST)
    if toward:
        _add_cone(tables, store, root, y + s, s, ax, ay, bx, by)
    else:
        _add_cone(tables, store, root, y + s, s, bx, by, ax, ay)


@kernel
def _reach(store: Any, root: int) -> None:
    """Take the straight way from a root to the goal if no shorter path to the goal is known."""
    _nodes, _heap, roots, length, counts, best, ends, _log = store
    g = length[root] + _distance(ends[2] - roots[root, 0], ends[3] - roots[root, 1])
    if g < best[0]:
        best[0], counts[LAST] = g, root


@kernel
def _add_cone(tables: Any, store: Any, root: int, y: int, s: int, lx: int, ly: int, rx: int, ry: int) -> None:
    """Add the node of what a root sees of row y between two rays, unless that is nothing or leads nowhere."""
    cost, runs, number = tables[0], tables[1], tables[3]
    nodes, _heap, roots, length, counts, _best, ends, _log = store
    if lx * abs(ry) >= rx * abs(ly) or y == 0 or y == cost.shape[0]:
        return
    x0, y0 = roots[root, 0], roots[root, 1]
    rise = abs(2 * y - y0)
    low, low_part = x0 * abs(ly) + lx * rise, 2 * abs(ly)
    high, high_part = x0 * abs(ry) + rx * rise, 2 * abs(ry)
    row, first = (y if s > 0 else y - 1), low // low_part
    if cost[row, first] == np.inf and runs[1, row, first] * high_part >= high:
        turns = lx <= 0 and low % low_part == 0 and number[y, first] >= 0
        last = high // high_part
        if not turns and not (rx >= 0 and high % high_part == 0 and number[y, last] >= 0):
            return
    k = counts[NODES]
    nodes[k, 0], nodes[k, 1], nodes[k, 2], nodes[k, 3] = CONE, root, y, s
    nodes[k, 4], nodes[k, 5], nodes[k, 6], nodes[k, 7] = lx, ly, rx, ry
    # the goal, mirrored in the row if it lies on the root's side of it
    left, right, up = lx * rise / abs(ly), rx * rise / abs(ry), float(rise)
    to_x, to_y = float(ends[2] - x0), float(rise + abs(ends[3] - 2 * y))
    through = min(max(to_x * up / to_y, left), right)
    bend = math.sqrt(through * through + up * up) + math.sqrt((to_x - through) ** 2 + (to_y - up) ** 2)
    _add(tables, store, length[root] + 0.5 * bend)


@kernel
def _add_turn(
    tables: Any,
    memory: Any,
    now: int,
    store: Any,
    root: int,
    x: int,
    y: int,
    vx: int,
    vy: int,
    sense: int,
) -> None:
    """Add the node of a turn at corner (x, y), unless a shorter way there is known or one that opens as wide."""
    mark, best, ways = memory
    nodes, _heap, _roots, length, counts, _best, ends, _log = store
    corner = tables[3][y, x] >> 2
    g = length[root] + _distance(vx, vy)
    if mark[corner] == now and g > best[corner] * (1.0 + _EQUAL):
        return
    if mark[corner] != now or g < best[corner] * (1.0 - _EQUAL):
        mark[corner], best[corner] = now, g
        ways[corner] = 0
    ox, oy = abs(ways[corner, sense, 0]), abs(ways[corner, sense, 1])
    if ox + oy > 0:
        wide, wider = (oy * abs(vx), abs(vy) * ox) if sense == ALONG else (ox * abs(vy), abs(vx) * oy)
        if wider <= wide:
            return
    ways[corner, sense, 0], ways[corner, sense, 1] = vx, vy
    k = counts[NODES]
    nodes[k, 0], nodes[k, 1], nodes[k, 2], nodes[k, 3] = TURN, root, x, y
    nodes[k, 4], nodes[k, 5], nodes[k, 6], nodes[k, 7] = vx, vy, 0, 2 * corner + sense
    _add(tables, store, g + _distance(ends[2] - 2 * x, ends[3] - 2 * y))


@kernel
def _add(tables: Any, store: Any, key: float) -> None:
    """Put the node that has just been written into the queue, unless the goal is known to be as near."""
    nodes, heap, roots, length, counts, best, _ends, log = store
    if key >= best[0]:
        return
    k = counts[NODES]
    g = length[nodes[k, 1]]
    if log.shape[0]:
        v, origin = _cells(nodes[k], roots, tables)
        counts[LOGGED] = note(log, counts[LOGGED], GENERATE, v, origin, g, key - g)
    heap_push(heap, counts[HEAP], key, -g, k)
    counts[NODES] += 1
    counts[HEAP] += 1
    counts[MADE] += 1
