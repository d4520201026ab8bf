"""Triangulation: the free space of a world cut into triangles, constrained Delaunay, as a navigation mesh.

A line sweeps over the corners from left to right. Before each stretch of free space that it crosses there is a chain of
corners that bulges forward; a new corner is joined to whatever of the chain it sees (S. Hertel and K. Mehlhorn, "Fast
Triangulation of Simple Polygons", 1983). Then diagonals are exchanged until each triangle's circle holds no corner that
the triangle sees (D. T. Lee and A. K. Lin, "Generalized Delaunay triangulation for planar graphs", 1986; the exchange
is C. L. Lawson's, 1977). Whether three corners turn left is decided exactly, so the triangles fit together without
gaps; whether a circle holds a corner is decided with a margin, so that no exchange is undone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.geometry import orient
from anabasis.decompose.free_space import free_space
from anabasis.navmesh import NavMesh, twin_edges
from anabasis.world import World

__all__ = ["triangulation"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


def triangulation(world: World, *, delaunay: bool = True) -> NavMesh:
    """Return the free space of a world as triangles whose corners are those of the obstacles and of the bounds.

    The triangles cover the closed free space exactly and overlap nowhere; no point is added. Where free space touches
    itself in a single point, that point is there once for each side. delaunay: exchange diagonals for rounder
    triangles; without it many are long and thin.

    Raises InputError for obstacles that are no polygons (`free_space.check_world`).
    """
    free = free_space(world)
    corners, after, before = free.corners, free.after, free.before
    kind = np.empty(len(corners), np.int64)
    _kinds(corners, after, before, kind)
    order = np.lexsort((kind, corners[:, 1], corners[:, 0]))
    triangles = np.empty((2 * len(corners) + 4, 3), np.int64)
    count = _sweep(corners, after, before, kind, order, triangles)
    triangles = triangles[:count].copy()
    starts = triangles.reshape(-1)
    ends = triangles[:, [1, 2, 0]].reshape(-1)
    twins = twin_edges(starts, ends, len(corners))
    if delaunay:
        _exchange(corners, starts, twins)
    neighbours = np.where(twins >= 0, twins // 3, -1)
    return NavMesh(corners, np.arange(0, 3 * count + 1, 3), starts, neighbours)


# What the sweep does at a corner, in the order in which corners at the same place are taken.
_END, _BOTTOM, _TOP, _MERGE, _SPLIT, _START = range(6)
_MARGIN = 1e-14  # more than rounding can make of a corner on the circle


@kernel
def _kinds(corners: Floats, after: Ints, before: Ints, kind: Ints) -> None:
    """Write what kind of event each corner is: by which of its two edges lie on the left, and its angle."""
    for i in range(len(corners)):
        a, c = before[i], after[i]
        x, y = corners[i, 0], corners[i, 1]
        came = corners[a, 0] < x or (corners[a, 0] == x and corners[a, 1] < y)
        goes = corners[c, 0] < x or (corners[c, 0] == x and corners[c, 1] < y)
        if came != goes:
            kind[i] = _BOTTOM if came else _TOP
        else:
            wide = orient(corners[a, 0], corners[a, 1], x, y, corners[c, 0], corners[c, 1]) < 0.0
            if came:
                kind[i] = _MERGE if wide else _END
            else:
                kind[i] = _SPLIT if wide else _START


@kernel
def _sweep(corners: Floats, after: Ints, before: Ints, kind: Ints, order: Ints, triangles: Ints) -> int:
    """Write the triangles and return how many there are.

    A stretch of free space has a lowest edge and a highest one, known by their left corners, and a chain: nodes linked
    upwards from the left corner of the lowest edge to that of the highest. The node added last is the foremost one.
    """
    n = len(corners)
    node = np.empty((3 * n + 4, 3), np.int64)  # corner, next node below, next node above
    stretch = np.empty((n + 1, 4), np.int64)  # left corner of the lowest edge; first, last and foremost node
    line = np.empty(n + 1, np.int64)  # the stretches that the sweep line crosses, upwards
    of_bottom, of_top = np.full(n, -1), np.full(n, -1)
    nodes, stretches, crossed, count = 0, 0, 0, 0
    for k in range(n):
        p = order[k]
        a, c = before[p], after[p]
        if kind[p] == _BOTTOM or kind[p] == _TOP:
            s = of_bottom[a] if kind[p] == _BOTTOM else of_top[c]
            if kind[p] == _BOTTOM:
                count = _push(corners, node, nodes, stretch[s], p, 0, triangles, count)
                of_bottom[p], stretch[s, 0] = s, p
            else:
                count = _push(corners, node, nodes, stretch[s], p, 1, triangles, count)
                of_top[p] = s
            nodes += 1
        elif kind[p] == _END:
            s = of_bottom[a]
            count = _close(corners, node, stretch[s], p, triangles, count)
            crossed = _leave(corners, after, stretch, line, crossed, p, int(s))
        elif kind[p] == _MERGE:
            low, high = of_top[c], of_bottom[a]
            count = _push(corners, node, nodes, stretch[low], p, 1, triangles, count)
            count = _push(corners, node, nodes + 1, stretch[high], p, 0, triangles, count)
            crossed = _leave(corners, after, stretch, line, crossed, p, int(high))
            above = node[nodes + 1, 2]  # the second node of p is left out
            node[nodes, 2], node[above, 1] = above, nodes
            stretch[low, 2] = stretch[high, 2]
            of_top[node[stretch[low, 2], 0]] = low
            nodes += 2
        else:
            at = _place(corners, after, stretch, line, crossed, p, int(c))
            s, stretches = stretches, stretches + 1
            of_bottom[p] = s
            for i in range(crossed, at, -1):
                line[i] = line[i - 1]
            line[at] = s
            crossed += 1
            stretch[s, 0] = p
            if kind[p] == _START:
                node[nodes, 0], node[nodes, 1], node[nodes, 2] = p, -1, -1
                stretch[s, 1] = stretch[s, 2] = stretch[s, 3] = nodes
                of_top[p] = s
                nodes += 1
            else:
                low = line[at - 1]
                middle = stretch[low, 3]
                # the foremost node is cut in two: the upper one begins the chain of the new stretch
                node[nodes, 0], node[nodes, 1], node[nodes, 2] = node[middle, 0], -1, node[middle, 2]
                if node[middle, 2] >= 0:
                    node[node[middle, 2], 1] = nodes
                    stretch[s, 2] = stretch[low, 2]
                else:
                    stretch[s, 2] = nodes
                stretch[s, 1], stretch[low, 2], node[middle, 2] = nodes, middle, -1
                of_top[node[stretch[s, 2], 0]] = s
                count = _push(corners, node, nodes + 1, stretch[low], p, 1, triangles, count)
                count = _push(corners, node, nodes + 2, stretch[s], p, 0, triangles, count)
                of_top[p] = low
                nodes += 3
    return count


@kernel
def _place(corners: Any, after: Ints, stretch: Ints, line: Ints, crossed: int, p: int, c: int) -> int:
    """Return how many stretches begin below the edge p, c that begins at the sweep line."""
    x, y = corners[p, 0], corners[p, 1]
    low, high = 0, crossed
    while low < high:
        middle = (low + high) // 2
        a = stretch[line[middle], 0]
        b = after[a]
        side = orient(corners[a, 0], corners[a, 1], corners[b, 0], corners[b, 1], x, y)
        if side == 0.0:  # that edge begins at p too
            side = orient(x, y, corners[b, 0], corners[b, 1], corners[c, 0], corners[c, 1])
        if side > 0.0:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _leave(corners: Any, after: Ints, stretch: Ints, line: Ints, crossed: int, p: int, s: int) -> int:
    """Take a stretch that ends at corner p off the sweep line; return how many are left."""
    x, y = corners[p, 0], corners[p, 1]
    low, high = 0, crossed
    while low < high:
        middle = (low + high) // 2
        a = stretch[line[middle], 0]
        b = after[a]
        if orient(corners[a, 0], corners[a, 1], corners[b, 0], corners[b, 1], x, y) > 0.0:
            low = middle + 1
        else:
            high = middle
    while line[low] != s:
        low += 1
    for i in range(low, crossed - 1):
        line[i] = line[i + 1]
    return crossed - 1


@kernel
def _seen(corners: Floats, p: int, a: int, b: int) -> bool:
    """Whether the corners p, a, b are a triangle in this order."""
    return orient(corners[p, 0], corners[p, 1], corners[a, 0], corners[a, 1], corners[b, 0], corners[b, 1]) > 0.0


@kernel
def _push(corners: Floats, node: Ints, new: int, stretch: Ints, p: int, top: int, triangles: Ints, count: int) -> int:
    """Join corner p, as a new node, to what it sees from one end of a chain; return the number of triangles."""
    back, on = (1, 2) if top else (2, 1)  # the columns of the way from that end into the chain, and out of it
    here = stretch[2] if top else stretch[1]
    while node[here, back] >= 0:
        other = node[here, back]
        a, b = (node[here, 0], node[other, 0]) if top else (node[other, 0], node[here, 0])
        if not _seen(corners, p, a, b):
            break
        triangles[count, 0], triangles[count, 1], triangles[count, 2] = p, a, b
        count += 1
        here = other
    node[new, 0], node[new, back], node[new, on] = p, here, -1
    node[here, on] = new
    stretch[2 if top else 1] = new
    stretch[3] = new
    return count


@kernel
def _close(corners: Floats, node: Ints, stretch: Ints, p: int, triangles: Ints, count: int) -> int:
    """Join corner p, where a stretch ends, to its whole chain; return the number of triangles.

    Nodes at the ends of the chain may lie on the edges to p; they must not be left inside a triangle's side.
    """
    low, high = stretch[1], stretch[2]
    first, last = low, high
    while not _seen(corners, p, node[node[low, 2], 0], node[low, 0]):
        low = node[low, 2]
    while not _seen(corners, p, node[high, 0], node[node[high, 1], 0]):
        high = node[high, 1]
    single = node[low, 2] == high  # one triangle, with nodes on two sides
    here = low
    while here != high:
        on = node[here, 2]
        if (here != low or low == first) and (on != high or high == last):
            triangles[count, 0], triangles[count, 1], triangles[count, 2] = p, node[on, 0], node[here, 0]
            count += 1
        here = on
    if low != first:
        apex = node[last if single else node[low, 2], 0]
        count = _fan(node, p, apex, first, low, 2, triangles, count)
    if high != last:
        if single and low != first:
            count = _fan(node, -1, node[low, 0], last, high, 1, triangles, count)
        else:
            count = _fan(node, p, node[node[high, 1], 0], last, high, 1, triangles, count)
    return count


@kernel
def _fan(node: Ints, p: int, apex: int, first: int, last: int, column: int, triangles: Ints, count: int) -> int:
    """Join an apex to the nodes from `first` to `last`, and to p before them unless p is -1."""
    before, here = p, first
    while True:
        c = node[here, 0]
        if before >= 0:
            one, two = (apex, c) if column == 2 else (c, apex)
            triangles[count, 0], triangles[count, 1], triangles[count, 2] = before, one, two
            count += 1
        if here == last:
            return count
        before, here = c, node[here, column]


@kernel
def _exchange(corners: Floats, starts: Ints, twins: Ints) -> None:
    """Exchange diagonals until the triangulation is Delaunay: edge e of triangle e // 3 starts in corner starts[e]."""
    stack = np.empty(len(starts) + 8, np.int64)
    waiting = np.zeros(len(starts), np.bool_)
    size = 0
    for e in range(len(starts)):
        if twins[e] > e:
            stack[size], waiting[e] = e, True
            size += 1
    while size:
        size -= 1
        e = int(stack[size])
        waiting[e] = False
        t = int(twins[e])
        if t < 0 or not _worse(corners, starts, e, t):
            continue
        # triangles (a, b, c) and (b, a, d) become (a, d, c) and (b, c, d)
        e1, e2, t1, t2 = _after(e), _after(_after(e)), _after(t), _after(_after(t))
        starts[e1], starts[t1] = starts[t2], starts[e2]
        beside_e, beside_t = twins[t1], twins[e1]  # what lies beyond a → d and beyond b → c
        twins[e], twins[t], twins[e1], twins[t1] = beside_e, beside_t, t1, e1
        if beside_e >= 0:
            twins[beside_e] = e
        if beside_t >= 0:
            twins[beside_t] = t
        for f in (e, e2, t, t2):
            least = f if twins[f] < 0 or f < twins[f] else twins[f]
            if twins[f] >= 0 and not waiting[least]:
                stack[size], waiting[least] = least, True
                size += 1


@kernel
def _after(edge: int) -> int:
    """Return the next edge of the same triangle."""
    return edge - 2 if edge % 3 == 2 else edge + 1


@kernel
def _worse(corners: Floats, starts: Ints, e: int, t: int) -> bool:
    """Whether the diagonal e, with its twin t, should give way to the other one of its quadrangle."""
    a, b = starts[e], starts[t]
    c, d = starts[_after(_after(e))], starts[_after(_after(t))]
    if not (_seen(corners, a, d, c) and _seen(corners, b, c, d)):
        return False
    ax, ay = corners[a, 0] - corners[d, 0], corners[a, 1] - corners[d, 1]
    bx, by = corners[b, 0] - corners[d, 0], corners[b, 1] - corners[d, 1]
    cx, cy = corners[c, 0] - corners[d, 0], corners[c, 1] - corners[d, 1]
    aa, bb, cc = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    inside = aa * (bx * cy - by * cx) + bb * (cx * ay - cy * ax) + cc * (ax * by - ay * bx)
    size = aa * (abs(bx * cy) + abs(by * cx)) + bb * (abs(cx * ay) + abs(cy * ax)) + cc * (abs(ax * by) + abs(ay * bx))
    return inside > _MARGIN * size
