"""The rows of a search on a navigation mesh, as Polyanya keeps them: edges, nodes, roots; and lengths between them.

See `mesh_view`, which says what is seen from a node.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.geometry import orient

__all__ = [
    "BEFORE",
    "COUNT",
    "EDGE",
    "FIRST",
    "HIGH",
    "LEFT",
    "LOW",
    "NUMBER",
    "QUERY",
    "RIGHT",
    "ROOT",
    "SLACK",
    "TURNS",
    "TWIN",
    "VERTEX",
    "WAY",
    "last_root",
    "length",
    "next_edge",
    "reach",
    "rest",
]

Floats, Small = NDArray[np.float64], NDArray[np.int32]

# The columns of the table of edges: where an edge starts, its twin, the first edge of its polygon and the one behind
# the last, where its portal leads (two columns), whether ways turn where it starts, the number of its polygon.
VERTEX, TWIN, LOW, HIGH, FIRST, COUNT, TURNS, NUMBER = range(8)
# The columns of a node: the edge of the polygon that is entered; the root; the corners that limit the view on the left
# and on the right. A limit below 0 is the straight line on from corner -1 - limit over the root: the way turns there.
# If the root is an end of the edge, it sees the whole polygon. A span is the way to the root and the two ends of what
# is seen of the edge, left and right.
EDGE, ROOT, LEFT, RIGHT = range(4)
# The columns of a root: the query in which it was reached, the way to it, the root before it.
QUERY, WAY, BEFORE = range(3)
SLACK = 1 + 1e-12  # ways to a root that are as long up to rounding are kept


@leaf
def reach(points: Floats, roots: Floats, now: int, before: int, u: int) -> bool:
    """Note the way over root `before` to corner u, unless a shorter one is known; return whether none is."""
    way = roots[before, WAY] + length(points[u, 0] - points[before, 0], points[u, 1] - points[before, 1])
    if roots[u, QUERY] == now and way > roots[u, WAY] * SLACK:
        return False
    if roots[u, QUERY] != now or way < roots[u, WAY]:
        roots[u, QUERY], roots[u, WAY], roots[u, BEFORE] = now, way, before
    return True


@leaf
def rest(table: Small, xy: Floats, span: Floats, e: int, x: float, y: float, goal_x: float, goal_y: float) -> float:
    """Return the least way from the root (x, y) through what it sees of edge e to the goal.

    A goal on this side of the edge is as far as its image on the other side.
    """
    i = table[e, TWIN]
    ax, ay = xy[i, 0], xy[i, 1]
    dx, dy = xy[e, 0] - ax, xy[e, 1] - ay
    side = dx * (goal_y - ay) - dy * (goal_x - ax)
    if side > 0.0:
        scale = 2.0 * side / (dx * dx + dy * dy)
        goal_x, goal_y = goal_x + scale * dy, goal_y - scale * dx
    gx, gy, lx, ly, rx, ry = goal_x - x, goal_y - y, span[1] - x, span[2] - y, span[3] - x, span[4] - y
    if lx * gy - ly * gx > 0.0:
        return length(lx, ly) + length(gx - lx, gy - ly)
    if rx * gy - ry * gx < 0.0:
        return length(rx, ry) + length(gx - rx, gy - ry)
    return length(gx, gy)


@kernel
def last_root(table: Small, points: Floats, node: Small, e: int, root: int) -> int:
    """Return the last root of a way that enters the goal's polygon through a node, -1 if it can't be a shortest one."""
    n = len(points) - 1
    left_end, right_end = table[e, VERTEX], table[table[e, TWIN], VERTEX]
    if root in (left_end, right_end):
        return root
    if _side(points, root, int(node[RIGHT]), points[n, 0], points[n, 1]) < 0.0:
        return right_end if node[RIGHT] == right_end and table[table[e, TWIN], TURNS] else -1
    if _side(points, root, int(node[LEFT]), points[n, 0], points[n, 1]) > 0.0:
        return left_end if node[LEFT] == left_end and table[e, TURNS] else -1
    return root


@kernel
def _side(points: Floats, root: int, limit: int, x: float, y: float) -> float:
    """Return on which side of a limit of the view a place lies: positive on the left."""
    a, b = (root, limit) if limit >= 0 else (-1 - limit, root)
    return orient(points[a, 0], points[a, 1], points[b, 0], points[b, 1], x, y)


@leaf
def next_edge(table: Small, i: int) -> int:
    """Return the next edge of the same polygon."""
    return i + 1 if i + 1 < table[i, HIGH] else int(table[i, LOW])


@leaf
def length(dx: float, dy: float) -> float:
    return float(np.sqrt(dx * dx + dy * dy))
