"""Hub labels on a subgoal graph: the length of a shortest way is the least sum of two entries of sorted lists.

I. Abraham, D. Delling, A. Goldberg and R. Werneck, "A Hub-Based Labeling Algorithm for Shortest Paths in Road
Networks", 2011; the labels are made by pruned searches: T. Akiba, Y. Iwata and Y. Yoshida, "Fast Exact Shortest-Path
Distance Queries on Large Networks by Pruned Landmark Labeling", 2013. Each subgoal keeps its distance to some hubs, so
that any two subgoals share one that is on a shortest way between them. An entry knows the entry of the next subgoal on
the way to its hub. A query looks up the labels of the subgoals that start and goal see (see `subgoal`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.bit_rows import drop_stop, set_stop
from anabasis._kernel.heap import heap_first, heap_lift
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
from anabasis._kernel.subgoals import direct_subgoals
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.astar import Batch
from anabasis.search.hub_order import hub_order
from anabasis.search.lattice import SIDE, SLANT
from anabasis.search.moves import Space
from anabasis.search.queries import answer, uniform_space
from anabasis.search.subgoal import subgoal_graph

__all__ = ["HubLabels", "hub_labels"]

Bytes, Shorts, Ints, Floats = NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64], NDArray[np.float64]

_FAR = 2**61  # longer than any way; two of them don't overflow


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
    labels were looked up, generated the entries in them; a trace has those of the start's side first, with their
    distance from the start, then those of the goal's side, with their distance from the goal. Complete.

    Raises InputError for a graph, a map with prices, four neighbours, another corner rule than "strict", and what
    `astar` refuses. The preparation is far longer than a search: make one `HubLabels` for many queries on one map.
    """
    return HubLabels(space, neighbours=neighbours, corners=corners).find(start, goal, limit=limit, traced=traced)


class HubLabels:
    """Hub labels for many queries on one map; it keeps working memory, so threads must not share one."""

    factor = 1.0

    def __init__(
        self, space: Grid | Graph, *, neighbours: int = 8, corners: str = "strict", most_entries: int = 2**25
    ) -> None:
        """Check the options, which are those of `hub_labels`, and label all subgoals of the map.

        Raises InputError if that takes more than `most_entries` entries, of 20 bytes each.
        """
        self.space: Space = uniform_space("hub_labels", space, neighbours, corners, ("strict",))
        net, width, size = subgoal_graph(self.space), self.space.width, self.space.size
        order = hub_order(net.indptr, net.heads, net.lengths)
        indptr, hub, far, way = _label(net.indptr, net.heads, net.lengths, order, most_entries)
        if len(hub) > most_entries:
            raise InputError(
                "the map has too many corners for hub labels",
                found=f"{len(net.cells)} subgoals, whose labels have more than {most_entries} entries",
                expected="labels that fit in memory",
                hint="a greater most_entries, or jps, which needs no preparation",
            )
        up, owner = _link(indptr, hub, way)
        near = np.full(len(net.cells), _FAR, np.int64), np.empty(len(net.cells), np.int64)
        seen = np.empty((2, 8 * (width + size // width)), np.int64)
        ground = (width, self.space.around, self.space.cost, net.cells, net.cells[order], net.number)
        self.tables = (*ground, net.rows, net.lines, indptr, hub, far, up, owner, *near, seen)

    def find(self, start: int, goal: int, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a path from cell `start` to cell `goal`, exactly as `hub_labels` does."""
        return answer(self, [start], [goal], limit, traced)[0]

    def find_many(self, starts: ArrayLike, goals: ArrayLike, *, limit: int = 0) -> Batch:
        """Find a path for each pair of cells, exactly as one `find` after the other would."""
        return answer(self, starts, goals, limit, False)

    def run(self, starts: Ints, goals: Ints, limit: int, log: Floats) -> tuple[Floats, Ints, Ints]:
        """Answer queries; return rows, indptr and vertices of an `astar.Batch`."""
        return _answer_all(starts, goals, limit, *self.tables, log)


@kernel
def _label(indptr: Ints, heads: Shorts, lengths: Ints, order: Ints, most: int) -> tuple[Ints, Shorts, Ints, Shorts]:
    """Return the labels: those of u are entries label[u] to label[u + 1] - 1 of hub, far and way.

    hub: the number in the order, ascending; far: the distance; way: the next vertex towards the hub, itself at the hub.
    Gives up when there are more than `most` entries, and returns those.
    """
    size = len(indptr) - 1
    first, count, room = np.empty(size, np.int64), np.zeros(size, np.int64), np.full(size, 4, np.int64)
    for u in range(size):
        first[u] = 4 * u
    used, total = 4 * size, 0
    hub, far, way = np.empty(used, np.int32), np.empty(used, np.int64), np.empty(used, np.int32)
    mine = np.full(size, _FAR, np.int64)  # the distance of the root to the hubs in its label
    distance, parent = np.full(size, _FAR, np.int64), np.empty(size, np.int64)
    keys, queue, place = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    seen = np.empty(size, np.int64)
    for k in range(size):
        root = order[k]
        for e in range(first[root], first[root] + count[root]):
            mine[hub[e]] = far[e]
        heap_lift(keys, queue, place, 0, 0, root)
        distance[root], parent[root], seen[0] = 0, root, root
        waiting, met = 1, 1
        while waiting:
            v = heap_first(keys, queue, place, waiting)
            waiting -= 1
            d, known = distance[v], False
            for e in range(first[v], first[v] + count[v]):
                if mine[hub[e]] + far[e] <= d:
                    known = True
                    break
            if known:
                continue  # an earlier hub is on a shortest way
            if count[v] == room[v]:
                if used + 2 * room[v] > len(hub):
                    hub, far, way = np.concatenate((hub, hub)), np.concatenate((far, far)), np.concatenate((way, way))
                for e in range(count[v]):
                    hub[used + e], far[used + e] = hub[first[v] + e], far[first[v] + e]
                    way[used + e] = way[first[v] + e]
                first[v] = used
                room[v] *= 2
                used += room[v]
            e = first[v] + count[v]
            hub[e], far[e], way[e] = k, d, parent[v]
            count[v] += 1
            total += 1
            for a in range(indptr[v], indptr[v + 1]):
                w, reach = heads[a], d + lengths[a]
                if reach < distance[w]:
                    if distance[w] == _FAR:
                        seen[met] = w
                        met += 1
                        place[w] = waiting
                        waiting += 1
                    distance[w], parent[w] = reach, v
                    heap_lift(keys, queue, place, int(place[w]), reach, w)
        for e in range(first[root], first[root] + count[root]):
            mine[hub[e]] = _FAR
        for j in range(met):
            distance[seen[j]] = _FAR
        if total > most:
            break
    label = np.zeros(size + 1, np.int64)
    for u in range(size):
        label[u + 1] = label[u] + count[u]
    hubs, distances, ways = np.empty(total, np.int32), np.empty(total, np.int64), np.empty(total, np.int32)
    for u in range(size):
        for e in range(count[u]):
            hubs[label[u] + e], distances[label[u] + e] = hub[first[u] + e], far[first[u] + e]
            ways[label[u] + e] = way[first[u] + e]
    return label, hubs, distances, ways


@kernel
def _link(label: Ints, hub: Shorts, way: Shorts) -> tuple[Shorts, Shorts]:
    """Return for each entry the entry with the same hub of the next vertex (-1 at the hub), and the vertex it is of."""
    up, owner = np.full(len(hub), -1, np.int32), np.empty(len(hub), np.int32)
    for u in range(len(label) - 1):
        for e in range(label[u], label[u + 1]):
            owner[e] = u
            if way[e] != u:
                low, high = label[way[e]], label[way[e] + 1]
                while low < high:
                    middle = (low + high) // 2
                    if hub[middle] < hub[e]:
                        low = middle + 1
                    else:
                        high = middle
                up[e] = low
    return up, owner


@kernel
def _answer_all(
    starts: Ints,
    goals: Ints,
    limit: int,
    width: int,
    around: Bytes,
    cost: Floats,
    cells: Ints,
    hubs: Ints,
    number: Shorts,
    rows: Ints,
    lines: Ints,
    label: Ints,
    hub: Shorts,
    far: Ints,
    up: Shorts,
    owner: Shorts,
    near: Ints,
    entry: Ints,
    seen: Ints,
    log: Floats,
) -> tuple[Floats, Ints, Ints]:
    """Answer each pair of start and goal; return rows, indptr and vertices of an `astar.Batch`."""
    report = np.zeros((len(starts), 6), np.float64)
    indptr = np.zeros(len(starts) + 1, np.int64)
    vertices = np.empty(1024, np.int64)
    for q in range(len(starts)):
        row, start, goal, count = report[q], starts[q], goals[q], indptr[q]
        row[STATUS], row[COST], row[NEAREST] = NO_SOLUTION, np.inf, -1
        if cost[start] < np.inf and cost[goal] < np.inf:
            from_start, from_goal = _search(
                start,
                goal,
                limit,
                width,
                around,
                hubs,
                number,
                rows,
                lines,
                label,
                hub,
                far,
                near,
                entry,
                seen,
                row,
                log,
            )
            if row[STATUS] == SOLVED:
                steps, diagonal = _measure(start, goal, from_start, from_goal, width, cells, up, owner)
                row[COST] = (steps - diagonal) + diagonal * 2**0.5
                while count + steps + 1 > len(vertices):
                    vertices = np.concatenate((vertices, vertices))
                first, count = count, count + steps + 1
                _unroll(start, goal, from_start, from_goal, width, cells, up, owner, vertices, first, count - 1)
        indptr[q + 1] = count
    return report, indptr, vertices[: indptr[-1]].copy()


@kernel
def _search(
    start: int,
    goal: int,
    limit: int,
    width: int,
    around: Bytes,
    hubs: Ints,
    number: Shorts,
    rows: Ints,
    lines: Ints,
    label: Ints,
    hub: Shorts,
    far: Ints,
    near: Ints,
    entry: Ints,
    seen: Ints,
    row: Floats,
    log: Floats,
) -> tuple[int, int]:
    """Answer one query; leave the outcome in row.

    Returns the entries by which the way goes from the start and from the goal to their hub, -1 if it is one leg.
    hubs: the cell of each hub. near, entry: for each hub the length of the way from the start and its entry; near is
    left infinite, as it was.
    """
    if start == goal:
        row[STATUS] = SOLVED
        return -1, -1
    x, y, goal_x, goal_y = start % width, start // width, goal % width, goal // width
    new = set_stop(rows, lines, goal_x, goal_y)
    counts = np.zeros(2, np.int64)
    counts[0] = direct_subgoals(x, y, goal, width, around, number, rows, lines, seen[0])
    drop_stop(rows, lines, goal_x, goal_y, new)
    for k in range(counts[0]):
        if seen[0, k] == goal:
            row[STATUS] = SOLVED
            return -1, -1
    if number[goal] < 0:
        counts[1] = direct_subgoals(goal_x, goal_y, -1, width, around, number, rows, lines, seen[1])
    for side in range(2):
        here, there = (goal, start) if side else (start, goal)
        if number[here] >= 0:
            seen[side, 0], counts[side] = here, 1
        for k in range(1, counts[side]):  # the most promising one first
            if _bound(here, seen[side, k], there, width) < _bound(here, seen[side, 0], there, width):
                seen[side, 0], seen[side, k] = seen[side, k], seen[side, 0]
    best, from_start, from_goal, read, expanded, generated, logged = _FAR, -1, -1, 0, 0, 0, 0
    for stage in range(4):  # one label of each side gives a length that most others can't better
        side = stage & 1
        here, there = (goal, start) if side else (start, goal)
        first = 1 if stage == 2 else 0
        for k in range(first, min(counts[side], 1 if stage < 2 else counts[side])):
            cell = seen[side, k]
            if _bound(here, cell, there, width) >= best:
                continue
            if limit and expanded == limit:
                row[STATUS], row[OPEN] = LIMIT, _octile(start, goal, width) / SIDE
                break
            u, d = number[cell], _octile(here, cell, width)
            expanded += 1
            generated += label[u + 1] - label[u]
            if log.shape[0]:
                own = slice(label[u], label[u + 1])
                logged = _note_label(cell, here, there, d, width, hubs, hub[own], far[own], log, logged)
            if side == 0:
                seen[0, read] = cell
                read += 1
                for e in range(label[u], label[u + 1]):
                    way = d + far[e]
                    if way < near[hub[e]]:
                        near[hub[e]], entry[hub[e]] = way, e
            else:
                for e in range(label[u], label[u + 1]):
                    way = d + far[e] + near[hub[e]]
                    if way < best:
                        best, from_start, from_goal = way, int(entry[hub[e]]), int(e)
    for k in range(read):
        u = number[seen[0, k]]
        for e in range(label[u], label[u + 1]):
            near[hub[e]] = _FAR
    if best < _FAR and row[STATUS] != LIMIT:
        row[STATUS] = SOLVED
    row[EXPANDED], row[GENERATED] = expanded, generated
    return from_start, from_goal


@kernel
def _octile(u: int, v: int, width: int) -> int:
    """Return the length of the way between two cells of an empty map."""
    return leg_length(SIDE, SLANT, u % width - v % width, u // width - v // width)


@kernel
def _bound(u: int, over: int, v: int, width: int) -> int:
    """Return the length of the way from one cell over another to a third on an empty map."""
    return _octile(u, over, width) + _octile(over, v, width)


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
def _measure(
    start: int, goal: int, from_start: int, from_goal: int, width: int, cells: Ints, up: Shorts, owner: Shorts
) -> tuple[int, int]:
    """Return the number of steps of a way, and how many of them are diagonal."""
    if from_start < 0:
        return leg_steps(start, goal, width)
    steps, diagonal = 0, 0
    for side in range(2):
        v, e = (goal, from_goal) if side else (start, from_start)
        while e >= 0:
            u = int(cells[owner[e]])
            more, slanted = leg_steps(u, v, width)
            steps += more
            diagonal += slanted
            v, e = u, int(up[e])
    return steps, diagonal


@kernel
def _unroll(
    start: int,
    goal: int,
    from_start: int,
    from_goal: int,
    width: int,
    cells: Ints,
    up: Shorts,
    owner: Shorts,
    vertices: Ints,
    first: int,
    last: int,
) -> None:
    """Write the cells of a way, from the start at place first to the goal at place last."""
    vertices[first] = start
    if from_start < 0:
        write_leg(vertices, last, start, goal, width)
    v, e, at = start, from_start, first
    while e >= 0:
        u = int(cells[owner[e]])
        at += leg_steps(v, u, width)[0]
        write_leg(vertices, at, v, u, width)
        v, e = u, int(up[e])
    v, e, at = goal, from_goal, last
    while e >= 0:
        u = int(cells[owner[e]])
        at = write_leg(vertices, at, u, v, width)
        v, e = u, int(up[e])
