"""Anya: shortest paths of any angle on a grid, without preparation of any graph.

D. Harabor, A. Grastien, D. Öz and V. Aksakalli, "Optimal Any-Angle Pathfinding In Practice", 2016.

The search goes from row to row of the lattice. A node is a root, the last turning point, with the interval of a row
that the root sees; it is opened into the intervals that are seen behind it. Here rows in which a run of free cells is
the same are passed at once, for they make a rectangle in which everything sees everything. Shortest paths turn at
corners of blocked cells only, so a node of the second kind is such a corner, reached from a root and to be turned
around.

Start and goal are centres of cells, turning points are lattice points, so all places are counted in half cells and
are whole numbers. The ends of an interval are kept as the directions of two rays from the root to lattice points, never
as coordinates: every decision is a comparison of products of whole numbers. Only lengths are floating point.
"""

from __future__ import annotations

import math

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
from anabasis.search.any_angle import polyline_result
from anabasis.search.batch import pairs_of
from anabasis.search.corner_rows import (
    ALONG_EAST,
    ALONG_WEST,
    BEGIN,
    END,
    NUMBER,
    ROWS_NORTH,
    ROWS_SOUTH,
    flooded,
    survey,
)
from anabasis.search.moves import Space
from anabasis.search.outcome import blank_report, check_limit, log_for

__all__ = ["Anya", "anya"]

Ints, Floats, Chart = NDArray[np.int64], NDArray[np.float64], NDArray[np.int32]

CONE, TURN = 0, 1  # kinds of node
ALONG, AGAINST = 0, 2  # a corner is turned into the row that its cell is not in, or into the row that it is in
# What stands in `desk`: how many there are of what; the root from which the goal is reached; places in half cells.
NODES, HEAP, ROOTS, MADE, LOGGED, NOW, LAST, START_X, START_Y, GOAL_X, GOAL_Y = range(11)
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
    other rule; nor does `neighbours`, for there are no steps. limit: most expansions, 0 for none. traced: record the
    search; a node is told by a cell at it.

    The path has points and no vertices; its cost is its length, and also the bound. Complete. stats: expanded,
    generated, and nearest as in `astar`. Raises InputError for a map with prices, a graph, an unknown option or a
    vertex outside the map. For many queries on one map make one `Anya`.
    """
    return Anya(space, neighbours=neighbours, corners=corners).find(start, goal, limit=limit, traced=traced)


class Anya:
    """Anya for many queries on one map; it keeps its memory, so threads must not share one."""

    def __init__(self, space: Grid, *, neighbours: int = 8, corners: str = "loose") -> None:
        """Check the options, and number the corners and the runs of free cells of the map.

        `stats` says how much is prepared: states, the corners that a path may turn at; arcs, none; bytes.
        """
        self.net = Space(space, neighbours, corners)
        if neighbours != 8:
            raise InputError(
                "anya turns by any angle, not from neighbour to neighbour", found=f"neighbours={neighbours}"
            )
        if corners != "loose":
            raise InputError(
                "corner rule of anya", found=repr(corners), expected="'loose', for shortest paths touch corners"
            )
        if not self.net.grid.uniform:
            raise InputError("anya knows no prices", found="a map with prices", hint="theta heeds them")
        self.chart, count = survey(self.net.grid)
        self.corners = np.zeros((count, 6))
        self.stats = {"states": count, "arcs": 0, "bytes": self.chart.nbytes + self.corners.nbytes}
        self.now = 0

    def find(self, start: int, goal: int, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a shortest path from the centre of cell `start` to that of cell `goal`, exactly as `anya` does."""
        start, goal = self.net.ends(start, goal)
        limit, log = check_limit(limit), log_for()
        row = blank_report(7)
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
        cost = self.net.grid.cost
        return _anya(cost, self.chart, self.corners, self.now, start, goal, limit, row, log)


@kernel
def _anya(
    cost: Floats,
    chart: Chart,
    corners: Floats,
    now: int,
    start: int,
    goal: int,
    limit: int,
    row: Floats,
    log: Floats,
) -> Floats:
    """Search once; leave the outcome in row and return the points of the path.

    - nodes: int64[·, 8]; a cone is CONE, root, row, way (1 south, -1 north), left ray, right ray; a turn is TURN, root,
      corner's place, vector from the root, corner's number, sense.
    - roots: float64[·, 5], its place in half cells, the root before, its corner (-1 for the start), how far it is.
    - corners: float64[·, 6], the query in which the corner was last reached, how far it is, and for each sense the
      vector by which it was reached.
    """
    width = cost.shape[1]
    room = 2 * width + 8  # more than one expansion can make
    nodes, heap = np.empty((room + 1024, 8), np.int64), np.empty((room + 1024, 3), np.float64)
    roots, desk = np.empty((1024, 5), np.float64), np.zeros(11, np.int64)
    desk[ROOTS], desk[MADE], desk[NOW] = 1, 1, now
    desk[START_X], desk[START_Y] = 2 * (start % width) + 1, 2 * (start // width) + 1
    desk[GOAL_X], desk[GOAL_Y] = 2 * (goal % width) + 1, 2 * (goal // width) + 1
    roots[0, 0], roots[0, 1], roots[0, 2], roots[0, 3], roots[0, 4] = desk[START_X], desk[START_Y], -1, -1, 0.0
    key = _distance(desk[GOAL_X] - desk[START_X], desk[GOAL_Y] - desk[START_Y])
    desk[LOGGED] = note(log, 0, GENERATE, start, -1, 0.0, key)
    row[STATUS], row[COST] = NO_SOLUTION, np.inf
    if visible(cost, start % width, start // width, goal % width, goal // width, 1):
        row[COST] = key
    else:
        _open_start(chart, nodes, heap, roots, desk, row, log)
    expanded = 0
    while desk[HEAP]:
        key = float(heap[0, 0])
        if key >= row[COST]:
            break
        if limit and expanded == limit:
            row[STATUS], row[OPEN] = LIMIT, key
            break
        k = heap_pop(heap, desk[HEAP])
        desk[HEAP] -= 1
        if not _worth(corners, nodes, roots, k):
            continue
        expanded += 1
        if log.shape[0]:
            v, origin = _cells(chart, nodes, roots, k)
            g = float(roots[nodes[k, 1], 4])
            desk[LOGGED] = note(log, desk[LOGGED], EXPAND, v, origin, g, key - g)
        if desk[NODES] + room > len(nodes):
            nodes = np.concatenate((nodes, np.empty_like(nodes)))
        if desk[HEAP] + room > len(heap):
            heap = heap_grown(heap, desk[HEAP], room)
        if desk[ROOTS] == len(roots):
            roots = np.concatenate((roots, np.empty_like(roots)))
        if nodes[k, 0] == CONE:
            _open_cone(chart, corners, nodes, heap, roots, desk, row, log, k)
        else:
            _open_turn(chart, corners, nodes, heap, roots, desk, row, log, k)
    row[EXPANDED], row[GENERATED], row[SIGHT] = expanded, desk[MADE], 1
    if row[STATUS] == LIMIT or row[COST] == np.inf:
        return np.empty((0, 2), np.float64)
    row[STATUS] = SOLVED
    return _points(roots, desk)


@kernel
def _distance(dx: int, dy: int) -> float:
    """Return a length in cells; dx and dy count half cells."""
    return 0.5 * math.sqrt(float(dx * dx + dy * dy))


@kernel
def _points(roots: Floats, desk: Ints) -> Floats:
    """Return the path through the last root and those before it to the goal; float64[k, 2], in cells."""
    count, root = 1, desk[LAST]
    while root >= 0:
        count += 1
        root = int(roots[root, 2])
    if desk[START_X] == desk[GOAL_X] and desk[START_Y] == desk[GOAL_Y]:
        count = 1
    points = np.empty((count, 2), np.float64)
    points[count - 1, 0], points[count - 1, 1] = 0.5 * desk[GOAL_X], 0.5 * desk[GOAL_Y]
    root = desk[LAST]
    for k in range(count - 2, -1, -1):
        points[k, 0], points[k, 1] = 0.5 * roots[root, 0], 0.5 * roots[root, 1]
        root = int(roots[root, 2])
    return points


@kernel
def _worth(corners: Floats, nodes: Ints, roots: Floats, k: int) -> bool:
    """Whether no shorter way to the root of a cone, or the corner of a turn, has been found since."""
    root = nodes[k, 1]
    if nodes[k, 0] == TURN:
        return roots[root, 4] + _distance(nodes[k, 4], nodes[k, 5]) <= corners[nodes[k, 6], 1] * (1.0 + _EQUAL)
    corner = int(roots[root, 3])
    return corner < 0 or roots[root, 4] <= corners[corner, 1] * (1.0 + _EQUAL)


@kernel
def _cells(chart: Chart, nodes: Ints, roots: Floats, k: int) -> tuple[int, int]:
    """Return a cell at a node and a cell at its root, for the record of the search."""
    width = chart.shape[1] - 1
    root, y = nodes[k, 1], nodes[k, 3] if nodes[k, 0] == TURN else nodes[k, 2]
    if nodes[k, 0] == TURN:
        v = _cell_at(chart, nodes[k, 2], y)
    else:
        middle = 0.5 * (nodes[k, 4] / abs(nodes[k, 5]) + nodes[k, 6] / abs(nodes[k, 7]))
        middle = 0.5 * (roots[root, 0] + middle * abs(2 * y - roots[root, 1]))
        v = (y - (1 if nodes[k, 3] > 0 else 0)) * width + int(min(max(middle, 0.0), width - 1.0))
    x0, y0 = int(roots[root, 0]), int(roots[root, 1])
    return int(v), int((y0 // 2) * width + x0 // 2 if roots[root, 3] < 0 else _cell_at(chart, x0 // 2, y0 // 2))


@kernel
def _cell_at(chart: Chart, x: int, y: int) -> int:
    """Return the free cell at a corner that is opposite to its blocked one."""
    q = int(chart[y, x, NUMBER] & 3)
    return int((y - (q >> 1)) * (chart.shape[1] - 1) + x - (q & 1))


@kernel
def _open_start(chart: Chart, nodes: Ints, heap: Floats, roots: Floats, desk: Ints, row: Floats, log: Floats) -> None:
    """Make the cones that begin with the two sides of the run of cells in which the start lies."""
    x, y = desk[START_X] // 2, desk[START_Y] // 2
    left, right = 2 * int(chart[y, x, BEGIN]) - desk[START_X], 2 * int(chart[y, x, END]) - desk[START_X]
    for s in (1, -1):
        rise = 2 * int(chart[y, x, ROWS_SOUTH if s > 0 else ROWS_NORTH]) - 1
        end = (desk[START_Y] + s * rise) // 2
        _add_cone(chart, nodes, heap, roots, desk, row, log, 0, end, s, left, s * rise, right, s * rise)


@kernel
def _open_cone(
    chart: Chart,
    corners: Floats,
    nodes: Ints,
    heap: Floats,
    roots: Floats,
    desk: Ints,
    row: Floats,
    log: Floats,
    k: int,
) -> None:
    """Make what follows a cone: cones through each run of free cells ahead, turns at its ends and at those of runs."""
    root, y, s = nodes[k, 1], nodes[k, 2], nodes[k, 3]
    lx, ly, rx, ry = nodes[k, 4], nodes[k, 5], nodes[k, 6], nodes[k, 7]
    x0, y0 = int(roots[root, 0]), int(roots[root, 1])
    rise, up = abs(2 * y - y0), 2 * y - y0
    low, low_part = x0 * abs(ly) + lx * rise, 2 * abs(ly)  # where the interval begins, as a fraction; and where it ends
    high, high_part = x0 * abs(ry) + rx * rise, 2 * abs(ry)
    behind = 2 if s < 0 else 0
    first = low // low_part
    if lx <= 0 and low == first * low_part and _is_corner(chart, first, y, behind):
        _add_turn(chart, corners, nodes, heap, roots, desk, row, log, root, first, y, 2 * first - x0, up, ALONG)
    last = high // high_part
    if rx >= 0 and high == last * high_part and _is_corner(chart, last, y, behind + 1):
        _add_turn(chart, corners, nodes, heap, roots, desk, row, log, root, last, y, 2 * last - x0, up, ALONG)
    ahead = y if s > 0 else y - 1
    x = first
    while x * high_part < high:
        end = int(chart[ahead, x, END])
        if end < 0:  # a wall
            x = -end
            continue
        begin, x = int(chart[ahead, x, BEGIN]), end
        ax, ay, bx, by = lx, ly, rx, ry
        if begin * low_part >= low:
            ax, ay = 2 * begin - x0, up
            if ax > 0 and _is_corner(chart, begin, y, 2 - behind):
                _add_turn(chart, corners, nodes, heap, roots, desk, row, log, root, begin, y, ax, ay, AGAINST)
        if end * high_part <= high:
            bx, by = 2 * end - x0, up
            if bx < 0 and _is_corner(chart, end, y, 3 - behind):
                _add_turn(chart, corners, nodes, heap, roots, desk, row, log, root, end, y, bx, by, AGAINST)
        rows = int(chart[ahead, begin, ROWS_SOUTH if s > 0 else ROWS_NORTH])
        if 0 <= s * (desk[GOAL_Y] // 2 - ahead) < rows and begin <= desk[GOAL_X] // 2 < end:
            to_x, to_y = desk[GOAL_X] - x0, abs(desk[GOAL_Y] - y0)
            if ax * to_y <= to_x * abs(ay) and to_x * abs(by) <= bx * to_y:
                _reach(roots, desk, row, root)
        wall, on = 2 * begin - x0, rise + 2 * rows
        if ax * on < wall * abs(ay):
            ax, ay = wall, s * on
        wall = 2 * end - x0
        if bx * on > wall * abs(by):
            bx, by = wall, s * on
        _add_cone(chart, nodes, heap, roots, desk, row, log, root, y + s * rows, s, ax, ay, bx, by)


@kernel
def _is_corner(chart: Chart, x: int, y: int, q: int) -> bool:
    """Whether a lattice point is a corner whose blocked cell lies to the east if q & 1, to the south if q & 2."""
    number = chart[y, x, NUMBER]
    return number >= 0 and number & 3 == q


@kernel
def _open_turn(
    chart: Chart,
    corners: Floats,
    nodes: Ints,
    heap: Floats,
    roots: Floats,
    desk: Ints,
    row: Floats,
    log: Floats,
    k: int,
) -> None:
    """Make what follows a turn: the corner becomes a root, with a cone and perhaps a turn farther along its row."""
    origin, x, y, vx, vy, sense = nodes[k, 1], nodes[k, 2], nodes[k, 3], nodes[k, 4], nodes[k, 5], nodes[k, 7]
    root = desk[ROOTS]
    desk[ROOTS] += 1
    roots[root, 0], roots[root, 1], roots[root, 2], roots[root, 3] = 2 * x, 2 * y, origin, nodes[k, 6]
    roots[root, 4] = roots[origin, 4] + _distance(vx, vy)
    q = int(chart[y, x, NUMBER] & 3)
    east, south = q & 1 == 1, q & 2 == 2  # where the blocked cell is
    toward = east if sense == ALONG else not east  # to which side of the corner the cone opens
    s = 1 if south == (sense == AGAINST) else -1
    ahead, near = (y if s > 0 else y - 1), (x if toward else x - 1)
    begin, end = int(chart[ahead, near, BEGIN]), int(chart[ahead, near, END])
    rows = int(chart[ahead, near, ROWS_SOUTH if s > 0 else ROWS_NORTH])
    if 0 <= s * (desk[GOAL_Y] // 2 - ahead) < rows and begin <= desk[GOAL_X] // 2 < end:
        _reach(roots, desk, row, root)
    far, step = 2 * ((end if toward else begin) - x), 2 * s * rows
    ax, ay, bx, by = vx, vy, far, step
    target = int(chart[y, x, ALONG_EAST if (east if sense == ALONG else vx > 0) else ALONG_WEST])
    if sense == AGAINST:
        ax, ay = 0, step
        if vy != 0 and abs(vx) * abs(step) < abs(far) * abs(vy):
            bx, by = vx, vy
    if target >= 0 and (sense == ALONG or vy == 0):
        before = root if sense == ALONG else origin  # straight on along the row is no turn
        length = 2 * target - int(roots[before, 0])
        _add_turn(chart, corners, nodes, heap, roots, desk, row, log, before, target, y, length, 0, AGAINST)
    if not toward:
        ax, ay, bx, by = bx, by, ax, ay
    _add_cone(chart, nodes, heap, roots, desk, row, log, root, y + s * rows, s, ax, ay, bx, by)


@kernel
def _reach(roots: Floats, desk: Ints, row: Floats, root: int) -> None:
    """Take the straight way from a root to the goal if no shorter path to the goal is known."""
    dx, dy = desk[GOAL_X] - int(roots[root, 0]), desk[GOAL_Y] - int(roots[root, 1])
    g = roots[root, 4] + _distance(dx, dy)
    if g < row[COST]:
        row[COST], desk[LAST] = g, root


@kernel
def _add_cone(
    chart: Chart,
    nodes: Ints,
    heap: Floats,
    roots: Floats,
    desk: Ints,
    row: Floats,
    log: Floats,
    root: int,
    y: int,
    s: int,
    lx: int,
    ly: int,
    rx: int,
    ry: int,
) -> None:
    """Add the node of what a root sees of row y between two rays, unless that is nothing or leads nowhere."""
    if lx * abs(ry) >= rx * abs(ly) or y == 0 or y == chart.shape[0] - 1:
        return
    x0, y0 = int(roots[root, 0]), int(roots[root, 1])
    rise = abs(2 * y - y0)
    low, low_part = x0 * abs(ly) + lx * rise, 2 * abs(ly)
    high, high_part = x0 * abs(ry) + rx * rise, 2 * abs(ry)
    first = low // low_part
    wall = -int(chart[y if s > 0 else y - 1, first, END])
    if wall * high_part >= high:  # nothing but a wall ahead
        turns = lx <= 0 and low == first * low_part and chart[y, first, NUMBER] >= 0
        last = high // high_part
        if not turns and not (rx >= 0 and high == last * high_part and chart[y, last, NUMBER] >= 0):
            return
    k = desk[NODES]
    nodes[k, 0], nodes[k, 1], nodes[k, 2], nodes[k, 3] = CONE, root, y, s
    nodes[k, 4], nodes[k, 5], nodes[k, 6], nodes[k, 7] = lx, ly, rx, ry
    # the goal, mirrored in the row if it lies on the root's side of it
    left, right, up = lx * rise / abs(ly), rx * rise / abs(ry), float(rise)
    to_x, to_y = float(desk[GOAL_X] - x0), float(rise + abs(desk[GOAL_Y] - 2 * y))
    through = min(max(to_x * up / to_y, left), right)
    dx, dy = to_x - through, to_y - up
    bend = math.sqrt(through * through + up * up) + math.sqrt(dx * dx + dy * dy)
    _add(chart, nodes, heap, roots, desk, row, log, float(roots[root, 4] + 0.5 * bend))


@kernel
def _add_turn(
    chart: Chart,
    corners: Floats,
    nodes: Ints,
    heap: Floats,
    roots: Floats,
    desk: Ints,
    row: Floats,
    log: Floats,
    root: int,
    x: int,
    y: int,
    vx: int,
    vy: int,
    sense: int,
) -> None:
    """Add the node of a turn at corner (x, y), unless a shorter way there is known or one that opens as wide."""
    corner = int(chart[y, x, NUMBER] >> 2)
    g = float(roots[root, 4] + _distance(vx, vy))
    if corners[corner, 0] != desk[NOW] or g < corners[corner, 1] * (1.0 - _EQUAL):
        corners[corner, 0], corners[corner, 1] = desk[NOW], g
        for i in range(2, 6):
            corners[corner, i] = 0.0
    elif g > corners[corner, 1] * (1.0 + _EQUAL):
        return
    ox, oy = abs(corners[corner, 2 + sense]), abs(corners[corner, 3 + sense])
    if ox + oy > 0.0:  # whole numbers, and exact
        wide, wider = (oy * abs(vx), ox * abs(vy)) if sense == ALONG else (ox * abs(vy), oy * abs(vx))
        if wider <= wide:
            return
    corners[corner, 2 + sense], corners[corner, 3 + sense] = vx, vy
    k = desk[NODES]
    nodes[k, 0], nodes[k, 1], nodes[k, 2], nodes[k, 3] = TURN, root, x, y
    nodes[k, 4], nodes[k, 5], nodes[k, 6], nodes[k, 7] = vx, vy, corner, sense
    key = g + _distance(desk[GOAL_X] - 2 * x, desk[GOAL_Y] - 2 * y)
    _add(chart, nodes, heap, roots, desk, row, log, key)


@kernel
def _add(
    chart: Chart, nodes: Ints, heap: Floats, roots: Floats, desk: Ints, row: Floats, log: Floats, key: float
) -> None:
    """Put the node that has just been written into the queue, unless the goal is known to be as near."""
    if key >= row[COST]:
        return
    k = desk[NODES]
    g = float(roots[nodes[k, 1], 4])
    if log.shape[0]:
        v, origin = _cells(chart, nodes, roots, k)
        desk[LOGGED] = note(log, desk[LOGGED], GENERATE, v, origin, g, key - g)
    heap_push(heap, desk[HEAP], key, -g, k)
    desk[NODES] += 1
    desk[HEAP] += 1
    desk[MADE] += 1
