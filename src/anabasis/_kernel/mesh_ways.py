"""Shortest ways over a navigation mesh from root to root: the search of Polyanya, for many queries in a row.

M. Cui, D. Harabor and A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh", 2017.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.geometry import orient
from anabasis._kernel.heap import heap_pop, heap_push
from anabasis._kernel.mesh_place import polygons_at
from anabasis._kernel.mesh_rows import (
    BEFORE,
    EDGE,
    LEFT,
    NUMBER,
    QUERY,
    RIGHT,
    ROOT,
    SLACK,
    TWIN,
    VERTEX,
    WAY,
    last_root,
    length,
    next_edge,
    reach,
    rest,
)
from anabasis._kernel.mesh_view import look_around, look_on, turn_on
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

__all__ = ["search_all"]

Ints, Floats, Small = NDArray[np.int64], NDArray[np.float64], NDArray[np.int32]

FULL = 3  # a status: no room for more nodes


@kernel
def search_all(
    table: Small,
    xy: Floats,
    part: Small,
    place: Any,
    points: Floats,
    roots: Floats,
    nodes: Small,
    spans: Floats,
    heap: Floats,
    found: Ints,
    most: int,
    now: int,
    limit: int,
    starts: Floats,
    goals: Floats,
    log: Floats,
) -> tuple[Floats, Ints, Floats, bool]:
    """Answer each query; return rows, indptr and points of a batch, and whether there was no room to end."""
    rows = np.zeros((len(starts), 6), np.float64)
    indptr = np.zeros(len(starts) + 1, np.int64)
    corners, n = np.empty((64, 2), np.float64), len(points) - 2
    for q in range(len(starts)):
        row, count = rows[q], indptr[q]
        row[STATUS], row[COST], row[NEAREST] = NO_SOLUTION, np.inf, -1
        points[n, 0], points[n, 1] = starts[q, 0], starts[q, 1]
        points[n + 1, 0], points[n + 1, 1] = goals[q, 0], goals[q, 1]
        last = _search(
            table, xy, part, place, points, roots, nodes, spans, heap, found, most, now + q + 1, limit, row, log
        )
        if row[STATUS] == FULL:
            return rows, indptr, corners, True
        if row[STATUS] == SOLVED:
            size, v = 2, last
            while v != n:
                size, v = size + 1, int(roots[v, BEFORE])
            while count + size > len(corners):
                corners = np.concatenate((corners, corners))
            size = _corners(points, roots, last, corners[count : count + size])
            cost = 0.0
            for k in range(count, count + size - 1):
                cost += length(corners[k + 1, 0] - corners[k, 0], corners[k + 1, 1] - corners[k, 1])
            row[COST] = cost
            count += size
        indptr[q + 1] = count
    return rows, indptr, corners[: indptr[-1]].copy(), False


@kernel
def _corners(points: Floats, roots: Floats, last: int, corners: Floats) -> int:
    """Write the places at which the way turns, with its start and goal; return how many there are."""
    n = len(points) - 2
    size, v = 0, n + 1
    while v >= 0:
        x, y = points[v, 0], points[v, 1]
        v = last if v == n + 1 else int(roots[v, BEFORE])
        if size and corners[size - 1, 0] == x and corners[size - 1, 1] == y:
            continue
        while size > 1:
            ax, ay, bx, by = corners[size - 2, 0], corners[size - 2, 1], corners[size - 1, 0], corners[size - 1, 1]
            if orient(ax, ay, bx, by, x, y) != 0.0:
                break
            size -= 1
        corners[size, 0], corners[size, 1] = x, y
        size += 1
    for k in range(size // 2):
        x, y = corners[k, 0], corners[k, 1]
        corners[k, 0], corners[k, 1] = corners[size - 1 - k, 0], corners[size - 1 - k, 1]
        corners[size - 1 - k, 0], corners[size - 1 - k, 1] = x, y
    return size


@kernel
def _search(
    table: Small,
    xy: Floats,
    part: Small,
    place: Any,
    points: Floats,
    roots: Floats,
    nodes: Small,
    spans: Floats,
    heap: Floats,
    found: Ints,
    most: int,
    now: int,
    limit: int,
    row: Floats,
    log: Floats,
) -> int:
    """Search once; return the last root of a shortest way, from which the column BEFORE leads back to the start.

    Each expansion writes what is seen from a node behind the last node; of that the nodes are kept. The best of them is
    held back: if none in the queue is better it is expanded next.
    """
    n, last, best = len(points) - 2, -1, np.inf
    x, y, goal_x, goal_y = points[n, 0], points[n, 1], points[n + 1, 0], points[n + 1, 1]
    sources = polygons_at(place, xy, x, y, found[0])
    targets = polygons_at(place, xy, goal_x, goal_y, found[1])
    goals = found[1, :targets]
    roots[n, QUERY], roots[n, WAY], roots[n, BEFORE] = now, 0.0, -1
    joined = False
    for j in range(targets):
        for k in range(sources):
            if found[0, k] == goals[j]:
                row[STATUS] = SOLVED
                return n
            joined = joined or part[found[0, k]] == part[goals[j]]
        goals[j] = table[goals[j], NUMBER]
    if not joined:
        return last
    count, queued, made, expanded, logged = 0, 0, 0, 0, 0
    held, held_key = -1, np.inf
    source = 0
    while True:
        if count + most > len(nodes):
            row[STATUS] = FULL
            break
        if source < sources:
            root, e = n, -1
            seen = look_around(table, xy, points, roots, nodes, spans, goals, now, found[0, source], count)
            source += 1
        else:
            node, key = held, held_key
            if queued and (node < 0 or heap[0, 0] < key):
                first = heap[0, 0]
                if node >= 0:
                    heap_push(heap, queued, key, -spans[node, 0], node)
                    queued += 1
                key = first
                node = heap_pop(heap, queued)
                queued -= 1
            held, held_key = -1, np.inf
            if node < 0 or key >= best:
                break
            root, e = int(nodes[node, ROOT]), int(nodes[node, EDGE])
            if spans[node, 0] > roots[root, WAY] * SLACK:
                continue  # a shorter way to the root was found since
            if limit and expanded == limit:
                row[STATUS], row[OPEN] = LIMIT, key
                break
            expanded += 1
            logged = note(log, logged, EXPAND, e, table[e, TWIN], spans[node, 0], key - spans[node, 0])
            if root == table[e, VERTEX] or root == table[next_edge(table, e), VERTEX]:
                seen = turn_on(table, xy, points, roots, nodes, spans, goals, now, e, root, count)
            else:
                left, right = int(nodes[node, LEFT]), int(nodes[node, RIGHT])
                seen = look_on(table, xy, points, roots, nodes, spans, goals, now, e, root, left, right, count)
        for k in range(count, seen):
            e = int(nodes[k, EDGE])
            root = int(nodes[k, ROOT])
            way = roots[root, WAY]
            reached = False
            for j in range(targets):
                reached = reached or table[e, NUMBER] == goals[j]
            if reached:
                u = last_root(table, points, nodes[k], e, root)
                if u < 0:
                    continue
                whole = way + length(goal_x - points[u, 0], goal_y - points[u, 1])
                if u != root:
                    whole += length(points[u, 0] - points[root, 0], points[u, 1] - points[root, 1])
                if whole < best and (u == root or reach(points, roots, now, root, u)):
                    best, last = whole, u
                continue
            ahead = rest(table, xy, spans[k], e, points[root, 0], points[root, 1], goal_x, goal_y)
            key = way + ahead
            if key >= best:
                continue
            if count != k:
                for j in range(4):
                    nodes[count, j] = nodes[k, j]
            spans[count, 0] = way
            logged = note(log, logged, GENERATE, e, table[e, TWIN], way, ahead)
            made += 1
            if key < held_key:
                if held >= 0:
                    heap_push(heap, queued, held_key, -spans[held, 0], held)
                    queued += 1
                held, held_key = count, key
            else:
                heap_push(heap, queued, key, -way, count)
                queued += 1
            count += 1
    row[EXPANDED], row[GENERATED] = expanded, made
    if last >= 0 and row[STATUS] == NO_SOLUTION:
        row[STATUS] = SOLVED
    return last
