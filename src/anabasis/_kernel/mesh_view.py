"""What is seen on a navigation mesh from the last corner of a way through one polygon after the other, exactly.

A node is an edge of the polygon that is entered, a root, from which it is looked, and the two corners that limit the
view on the left and on the right; so all that is decided is on which side of a line through two given places a third
one lies. The cases are those of M. Cui, D. Harabor and A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh",
2017, who keep the ends of what is seen as points instead.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.geometry import on_segment, orient
from anabasis._kernel.mesh_rows import (
    COUNT,
    EDGE,
    FIRST,
    HIGH,
    LEFT,
    RIGHT,
    ROOT,
    TURNS,
    TWIN,
    VERTEX,
    length,
    next_edge,
    reach,
)

__all__ = ["look_around", "look_on", "turn_on"]

Ints, Floats, Small = NDArray[np.int64], NDArray[np.float64], NDArray[np.int32]


@kernel
def look_around(
    table: Small,
    xy: Floats,
    points: Floats,
    roots: Floats,
    nodes: Small,
    spans: Floats,
    goals: Ints,
    now: int,
    low: int,
    k: int,
) -> int:
    """Write the nodes behind the portals of a polygon that holds the start, but those on which it lies."""
    n = len(points) - 2
    x, y = points[n, 0], points[n, 1]
    for i in range(low, table[low, HIGH]):
        if _leads(table, i, goals):
            j = next_edge(table, i)
            on = on_segment(xy[i, 0], xy[i, 1], xy[j, 0], xy[j, 1], x, y)
            if not on:
                k = _edge(table, xy, points, roots, nodes, spans, now, i, n, k)
    return k


@kernel
def turn_on(
    table: Small,
    xy: Floats,
    points: Floats,
    roots: Floats,
    nodes: Small,
    spans: Floats,
    goals: Ints,
    now: int,
    e: int,
    root: int,
    k: int,
) -> int:
    """Write the nodes behind a polygon that was entered through edge e, one of whose ends is the root.

    The root sees all of the polygon, and the way may turn on around it into the next one.
    """
    first = next_edge(table, e)
    at_left = root == table[e, VERTEX]
    i = first
    while i != e:
        j = next_edge(table, i)
        if _leads(table, i, goals):
            if (j == e) if at_left else (i == first):
                k = _around(points, nodes, spans, int(table[i, TWIN]), root, k)
            else:
                k = _edge(table, xy, points, roots, nodes, spans, now, i, root, k)
        i = j
    return k


@kernel
def look_on(
    table: Small,
    xy: Floats,
    points: Floats,
    roots: Floats,
    nodes: Small,
    spans: Floats,
    goals: Ints,
    now: int,
    e: int,
    root: int,
    left: int,
    right: int,
    k: int,
) -> int:
    """Write the nodes behind a polygon that was entered through edge e with a limited view.

    From the right end of the edge around to its left end: what is hidden behind its right end, if ways turn there; what
    is seen; what is hidden behind its left end. A portal that lies along a limit, behind the end of a wall, is seen
    edge-on: the way may turn around its near end. No loop passes e, whatever rounding has made of a polygon.
    """
    i = next_edge(table, e)
    a, b = (root, right) if right >= 0 else (-1 - right, root)
    rx, ry, rx1, ry1 = points[a, 0], points[a, 1], points[b, 0], points[b, 1]
    a, b = (root, left) if left >= 0 else (-1 - left, root)
    lx, ly, lx1, ly1 = points[a, 0], points[a, 1], points[b, 0], points[b, 1]
    u = int(table[i, VERTEX])
    turns = u == right and table[i, TURNS] and reach(points, roots, now, root, u)
    first, side = i, orient(rx, ry, rx1, ry1, xy[i, 0], xy[i, 1])
    while True:
        j = next_edge(table, i)
        ahead = orient(rx, ry, rx1, ry1, xy[j, 0], xy[j, 1])
        if ahead > 0.0:
            break
        if j == e:
            return k
        if turns and _leads(table, i, goals):
            if i == first:
                k = _around(points, nodes, spans, int(table[i, TWIN]), u, k)
            else:
                k = _edge(table, xy, points, roots, nodes, spans, now, i, u, k)
        elif i != first and side == 0.0 and ahead == 0.0:
            k = _turn(table, points, roots, nodes, spans, goals, now, i, i, root, k)
        i, side = j, ahead
    cut_x, cut_y, limit = xy[i, 0], xy[i, 1], int(table[i, VERTEX])
    if side < 0.0:
        part = side / (side - ahead)
        cut_x, cut_y, limit = cut_x + part * (xy[j, 0] - cut_x), cut_y + part * (xy[j, 1] - cut_y), right
        if turns and _leads(table, i, goals):
            spans[k, 1], spans[k, 2], spans[k, 3], spans[k, 4] = cut_x, cut_y, xy[i, 0], xy[i, 1]
            k = _add(nodes, k, int(table[i, TWIN]), u, -1 - root, int(table[i, VERTEX]))
    side = orient(lx, ly, lx1, ly1, xy[i, 0], xy[i, 1])
    while True:
        ahead = orient(lx, ly, lx1, ly1, xy[j, 0], xy[j, 1])
        if ahead >= 0.0 or j == e:
            break
        if _leads(table, i, goals):
            spans[k, 1], spans[k, 2], spans[k, 3], spans[k, 4] = xy[j, 0], xy[j, 1], cut_x, cut_y
            k = _add(nodes, k, int(table[i, TWIN]), root, int(table[j, VERTEX]), limit)
        i, side = j, ahead
        j = next_edge(table, i)
        cut_x, cut_y, limit = xy[i, 0], xy[i, 1], int(table[i, VERTEX])
    u = int(table[e, VERTEX])
    turns = u == left and table[e, TURNS] and reach(points, roots, now, root, u)
    along = u == left and ahead == 0.0
    if _leads(table, i, goals):
        end_x, end_y, end = xy[j, 0], xy[j, 1], int(table[j, VERTEX])
        if ahead > 0.0:
            part = side / (side - ahead)
            end_x, end_y, end = xy[i, 0] + part * (end_x - xy[i, 0]), xy[i, 1] + part * (end_y - xy[i, 1]), left
            if turns:
                spans[k, 1], spans[k, 2], spans[k, 3], spans[k, 4] = xy[j, 0], xy[j, 1], end_x, end_y
                k = _add(nodes, k, int(table[i, TWIN]), u, int(table[j, VERTEX]), -1 - root)
        spans[k, 1], spans[k, 2], spans[k, 3], spans[k, 4] = end_x, end_y, cut_x, cut_y
        k = _add(nodes, k, int(table[i, TWIN]), root, end, limit)
    while (turns or along) and j != e:
        i, j = j, next_edge(table, j)
        if turns and _leads(table, i, goals):
            if j == e:
                k = _around(points, nodes, spans, int(table[i, TWIN]), u, k)
            else:
                k = _edge(table, xy, points, roots, nodes, spans, now, i, u, k)
        elif along and j != e:
            along = orient(lx, ly, lx1, ly1, xy[j, 0], xy[j, 1]) == 0.0
            if along:
                k = _turn(table, points, roots, nodes, spans, goals, now, i, j, root, k)
    return k


@kernel
def _edge(
    table: Small,
    xy: Floats,
    points: Floats,
    roots: Floats,
    nodes: Small,
    spans: Floats,
    now: int,
    i: int,
    root: int,
    k: int,
) -> int:
    """Write what a root sees of the portal i, no end of which it is, and nothing hides it; return the number of nodes.

    If it sees the portal edge-on, the way may turn at the near end of it.
    """
    x, y, e = points[root, 0], points[root, 1], int(table[i, TWIN])
    j = next_edge(table, i)
    if orient(xy[i, 0], xy[i, 1], xy[j, 0], xy[j, 1], x, y) > 0.0:
        spans[k, 1], spans[k, 2], spans[k, 3], spans[k, 4] = xy[j, 0], xy[j, 1], xy[i, 0], xy[i, 1]
        return _add(nodes, k, e, root, int(table[j, VERTEX]), int(table[i, VERTEX]))
    near = i if length(xy[i, 0] - x, xy[i, 1] - y) < length(xy[j, 0] - x, xy[j, 1] - y) else j
    u = int(table[near, VERTEX])
    if table[near, TURNS] and reach(points, roots, now, root, u):
        return _around(points, nodes, spans, e, u, k)
    return k


@kernel
def _turn(
    table: Small,
    points: Floats,
    roots: Floats,
    nodes: Small,
    spans: Floats,
    goals: Ints,
    now: int,
    i: int,
    near: int,
    root: int,
    k: int,
) -> int:
    """Write the node behind edge i, seen edge-on, around its near end, where edge `near` starts, if ways turn there."""
    if table[near, TURNS] and _leads(table, i, goals):
        u = int(table[near, VERTEX])
        if reach(points, roots, now, root, u):
            return _around(points, nodes, spans, int(table[i, TWIN]), u, k)
    return k


@kernel
def _around(points: Floats, nodes: Small, spans: Floats, e: int, root: int, k: int) -> int:
    """Write the node behind a portal of which the root is an end; return the number of nodes."""
    spans[k, 1], spans[k, 2], spans[k, 3], spans[k, 4] = (
        points[root, 0],
        points[root, 1],
        points[root, 0],
        points[root, 1],
    )
    return _add(nodes, k, e, root, root, root)


@leaf
def _add(nodes: Small, k: int, e: int, root: int, left: int, right: int) -> int:
    """Write node k without its span; return k + 1."""
    nodes[k, EDGE], nodes[k, ROOT], nodes[k, LEFT], nodes[k, RIGHT] = e, root, left, right
    return k + 1


@leaf
def _leads(table: Small, i: int, goals: Ints) -> bool:
    """Whether edge i is a portal that may be used on the way to one of the goal's polygons."""
    if table[i, TWIN] < 0:
        return False
    first, count = table[i, FIRST], table[i, COUNT]
    for goal in goals:  # noqa: SIM110 - kernels know no generators
        if (first <= goal < first + abs(count)) == (count > 0):
            return True
    return False
