"""Hub labels on a subgoal graph: the length of a shortest way is the least sum of two entries of sorted lists.

I. Abraham, D. Delling, A. Goldberg and R. Werneck, "A Hub-Based Labeling Algorithm for Shortest Paths in Road
Networks", 2011. Each subgoal of the map (see `subgoal`) keeps its distance to some hubs (see `pruned_labels`), so that
any two subgoals share one that is on a shortest way between them. A query looks up the labels of the jump points next
to start and goal (see `jps_plus`), all of which are subgoals: some shortest way from either end first turns there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.jump_queue import COORDINATE, COORDINATE_BITS
from anabasis._kernel.jump_table import jump_table, jump_walk
from anabasis._kernel.legs import leg_length, leg_steps, write_leg
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
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.lattice import SIDE, SLANT
from anabasis.search.pruned_labels import FAR, pruned_labels
from anabasis.search.subgoal import subgoal_graph
from anabasis.search.turns import turns
from anabasis.search.uniform import UniformSearch, uniform_space

__all__ = ["HubLabels", "hub_labels"]

Bytes, Halves, Shorts = NDArray[np.uint8], NDArray[np.int16], NDArray[np.int32]
Ints, Floats = NDArray[np.int64], NDArray[np.float64]

_OVER_HUB, _FROM_START, _FROM_GOAL = range(3)  # how the two ends of a way meet: over a hub, or one sees the other


def hub_labels(
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

    The results are those of `astar`, and so is the cost to the last bit. stats: expanded counts the subgoals whose
    labels were looked up, generated the start and the entries in them. A trace has the start, the labels on its side,
    with their distance from the start, and those on the goal's side, with their distance from the goal. Complete.

    Raises InputError for a graph, a map with prices, four neighbours, another corner rule than "strict", and what
    `astar` refuses. The preparation is far longer than a search: make one `HubLabels` for many queries on one map.
    """
    return HubLabels(space, neighbours=neighbours, corners=corners).find(start, goal, limit=limit, traced=traced)


class HubLabels(UniformSearch):
    """Hub labels for many queries on one map; it keeps working memory, so threads must not share one."""

    def __init__(
        self, space: Grid | Graph, *, neighbours: int = 8, corners: str = "strict", most_entries: int = 2**25
    ) -> None:
        """Check the options, which are those of `hub_labels`, and label all subgoals of the map.

        `stats` says how much is prepared: states, the subgoals; arcs between those that see each other; bytes. Raises
        InputError if that takes more than `most_entries` entries, of 20 bytes each.
        """
        self.space = uniform_space("hub_labels", space, neighbours, corners, ("strict",))
        net, width, size = subgoal_graph(self.space), self.space.width, self.space.size
        labels = pruned_labels(net.indptr, net.heads, net.lengths, most_entries)
        near = np.full(len(net.cells), FAR, np.int64), np.empty(len(net.cells), np.int64)
        found = np.empty((2, 8 * (width + size // width), 2), np.int64)  # more than one cell can lead to
        around, cost, (stop, step) = self.space.around, self.space.cost, turns(corners)
        jumps = jump_table(width, size // width, around, cost, stop, step)
        ground = (width, around, cost, step, jumps, net.cells, net.cells[labels.order], net.number)
        self.tables = (*ground, labels.first, labels.hub, labels.distance, labels.up, labels.owner, *near, found)
        kept = sum(table.nbytes for table in self.tables if isinstance(table, np.ndarray))
        self.stats = {"states": len(net.cells), "arcs": len(net.heads), "bytes": kept}

    def _run(self, starts: Ints, goals: Ints, limit: int, log: Floats) -> tuple[Floats, Ints, Ints]:
        return _answer_all(starts, goals, limit, *self.tables, log)


@kernel
def _answer_all(
    starts: Ints,
    goals: Ints,
    limit: int,
    width: int,
    around: Bytes,
    cost: Floats,
    step: Bytes,
    jumps: Halves,
    cells: Ints,
    hubs: Ints,
    number: Shorts,
    label: Ints,
    hub: Shorts,
    far: Ints,
    up: Shorts,
    owner: Shorts,
    near: Ints,
    entry: Ints,
    found: Ints,
    log: Floats,
) -> tuple[Floats, Ints, Ints]:
    """Answer each pair of start and goal; return rows, indptr and vertices of a Batch."""
    report = np.zeros((len(starts), 6), np.float64)
    indptr = np.zeros(len(starts) + 1, np.int64)
    vertices = np.empty(1024, np.int64)
    way = np.empty(3, np.int64)
    for q in range(len(starts)):
        row, start, goal, count = report[q], starts[q], goals[q], indptr[q]
        row[STATUS], row[COST], row[NEAREST] = NO_SOLUTION, np.inf, -1
        if cost[start] < np.inf and cost[goal] < np.inf:
            row[GENERATED] = 1
            note(log, 0, GENERATE, start, -1, 0.0, _octile(start, goal, width) / SIDE)
            for side in range(2):
                here, there = (goal, start) if side else (start, goal)
                way[side] = _look(here, there, width, around, step, jumps, number, found[side])
            if way[0] < 0 or way[1] < 0:  # one end is seen from the other
                way[2] = _FROM_START if way[0] < 0 else _FROM_GOAL
                way[0], way[1] = -1, -1
                row[STATUS] = SOLVED
            else:
                _meet(
                    start, goal, limit, width, jumps, hubs, number, label, hub, far, near, entry, found, way, row, log
                )
            if row[STATUS] == SOLVED:
                steps, diagonal = _measure(start, goal, way, width, cells, up, owner)
                row[COST] = (steps - diagonal) + diagonal * 2**0.5
                while count + steps + 1 > len(vertices):
                    vertices = np.concatenate((vertices, vertices))
                first, count = count, count + steps + 1
                _unroll(start, goal, way, width, cells, up, owner, vertices, first, count - 1)
        indptr[q + 1] = count
    return report, indptr, vertices[: indptr[-1]].copy()


@kernel
def _look(
    here: int, there: int, width: int, around: Bytes, step: Bytes, jumps: Halves, number: Shorts, found: Ints
) -> int:
    """Write the jump points next to a cell, on the way to another, into found: the cell and its distance.

    Returns how many there are, -1 if the other cell is reached without a turn. A subgoal stands for itself.
    """
    if here == there:
        return -1
    x, y, to_x, to_y = here % width, here // width, there % width, there // width
    count = 0
    for d in range(8):
        count = jump_walk(d, x, y, 0, to_x, to_y, width, SIDE, SLANT, around, step, jumps, found, count)
    for k in range(count):
        length, place = found[k, 0], found[k, 1]
        cell = (place >> COORDINATE_BITS & COORDINATE) * width + (place & COORDINATE)
        if cell == there:
            return -1
        found[k, 0], found[k, 1] = cell, length
    if number[here] >= 0:
        found[0, 0], found[0, 1] = here, 0
        return 1
    return count


@kernel
def _meet(
    start: int,
    goal: int,
    limit: int,
    width: int,
    jumps: Halves,
    hubs: Ints,
    number: Shorts,
    label: Ints,
    hub: Shorts,
    far: Ints,
    near: Ints,
    entry: Ints,
    found: Ints,
    way: Ints,
    row: Floats,
    log: Floats,
) -> None:
    """Find the shortest way over a jump point next to the start and one next to the goal; leave the outcome in row.

    way: how many jump points are next to the start and to the goal; then the entries by which the way goes from the
    start and from the goal to their hub, and from where the leg between the two is seen. hubs: the cell of each hub.
    near, entry: for each hub the length of the way from the start and its entry; near is left infinite, as it was.
    """
    best, kind, read, expanded, generated, logged = FAR, _OVER_HUB, 0, 0, 1, 1
    counts, ends = (way[0], way[1]), (start, goal)
    from_start, from_goal = -1, -1
    for side in range(2):  # the most promising one first
        points, there = found[side], ends[1 - side]
        for k in range(1, counts[side]):
            if points[k, 1] + _octile(points[k, 0], there, width) < points[0, 1] + _octile(points[0, 0], there, width):
                for c in range(2):
                    points[0, c], points[k, c] = points[k, c], points[0, c]
    if number[goal] < 0:
        for k in range(counts[0]):
            cell = found[0, k, 0]
            whole = found[0, k, 1] + _octile(cell, goal, width)
            if whole < best and _is_seen(goal, cell, width, jumps):
                best, kind, from_start = whole, _FROM_GOAL, label[number[cell] + 1] - 1  # its own entry is the last
    for stage in range(4):  # one label of each side gives a length that most others can't better
        side = stage & 1
        points, here, there = found[side], ends[side], ends[1 - side]
        for k in range(1 if stage == 2 else 0, min(counts[side], 1 if stage < 2 else counts[side])):
            cell, d = points[k, 0], points[k, 1]
            if d + _octile(cell, there, width) >= best:
                continue
            if limit and expanded == limit:
                row[STATUS], row[OPEN] = LIMIT, _octile(start, goal, width) / SIDE
                break
            u = number[cell]
            expanded += 1
            generated += label[u + 1] - label[u]
            if log.shape[0]:
                own = slice(label[u], label[u + 1])
                logged = _note_label(cell, here, there, d, width, hubs, hub[own], far[own], log, logged)
            if side == 0:
                points[read, 0] = cell
                read += 1
                for e in range(label[u], label[u + 1]):
                    length = d + far[e]
                    if length < near[hub[e]]:
                        near[hub[e]], entry[hub[e]] = length, e
            else:
                for e in range(label[u], label[u + 1]):
                    length = d + far[e] + near[hub[e]]
                    if length < best:
                        best, kind, from_start, from_goal = length, _OVER_HUB, entry[hub[e]], e
    for k in range(read):
        u = number[found[0, k, 0]]
        for e in range(label[u], label[u + 1]):
            near[hub[e]] = FAR
    if best < FAR and row[STATUS] != LIMIT:
        row[STATUS] = SOLVED
    row[EXPANDED], row[GENERATED] = expanded, generated
    way[0], way[1], way[2] = from_start, from_goal, kind


@kernel
def _octile(u: int, v: int, width: int) -> int:
    """Return the length of the way between two cells of an empty map."""
    return leg_length(SIDE, SLANT, u % width - v % width, u // width - v // width)


@kernel
def _is_seen(u: int, v: int, width: int, jumps: Halves) -> bool:
    """Whether cell v is reached from cell u by diagonal and then straight steps, and no jump point before it."""
    dx, dy = v % width - u % width, v // width - u // width
    slanted = min(abs(dx), abs(dy))
    level = max(abs(dx), abs(dy)) - slanted
    right, down = 0 if dx > 0 else 4, 2 if dy > 0 else 6
    diagonal = 7 if right == 0 and down == 6 else (right + down) // 2
    while slanted > 0:
        far = int(jumps[u, diagonal])
        if far <= 0 and slanted > -far:
            return False
        far = min(abs(far), slanted)
        u += (int(DY[diagonal]) * width + int(DX[diagonal])) * far
        slanted -= far
    return level <= abs(jumps[u, right if abs(dx) > abs(dy) else down])


@kernel
def _note_label(
    cell: int, here: int, there: int, d: int, width: int, hubs: Ints, hub: Shorts, far: Ints, log: Floats, logged: int
) -> int:
    """Log that a label was looked up at distance d from one end of the way."""
    logged = note(log, logged, EXPAND, cell, here if cell != here else -1, d / SIDE, _octile(cell, there, width) / SIDE)
    for e in range(len(hub)):
        place = int(hubs[hub[e]])
        way = (d + far[e]) / SIDE
        logged = note(log, logged, GENERATE, place, cell, way, _octile(place, there, width) / SIDE)
    return logged


@kernel
def _measure(start: int, goal: int, way: Ints, width: int, cells: Ints, up: Shorts, owner: Shorts) -> tuple[int, int]:
    """Return the number of steps of a way, and how many of them are diagonal."""
    steps, diagonal = 0, 0
    v, w = start, goal
    for side in range(2):
        e = int(way[side])
        while e >= 0:
            u = int(cells[owner[e]])
            more, slanted = leg_steps(u, w if side else v, width)
            steps += more
            diagonal += slanted
            e = int(up[e])
            if side:
                w = u
            else:
                v = u
    more, slanted = leg_steps(v, w, width)
    return steps + more, diagonal + slanted


@kernel
def _unroll(
    start: int,
    goal: int,
    way: Ints,
    width: int,
    cells: Ints,
    up: Shorts,
    owner: Shorts,
    vertices: Ints,
    first: int,
    last: int,
) -> None:
    """Write the cells of a way, from the start at place first to the goal at place last.

    A leg is free in the order in which it was found: seen from the start or from the goal, diagonal steps first. The
    legs between subgoals are free in either order.
    """
    vertices[first] = start
    v, e, at = start, int(way[0]), first
    while e >= 0:
        u = int(cells[owner[e]])
        at += leg_steps(v, u, width)[0]
        write_leg(vertices, at, v, u, width, False)
        v, e = u, int(up[e])
    w, e, at = goal, int(way[1]), last
    while e >= 0:
        u = int(cells[owner[e]])
        at = write_leg(vertices, at, u, w, width, w == goal)
        w, e = u, int(up[e])
    if way[2] != _OVER_HUB:
        write_leg(vertices, last, v, goal, width, way[2] == _FROM_GOAL)
