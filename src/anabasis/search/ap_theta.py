"""Angle-propagating Theta*: Theta* that knows from angles what a parent sees, without tests of sight.

A. Nash, K. Daniel, S. Koenig and A. Felner, "Theta*: Any-Angle Path Planning on Grids", 2007 and 2010 (AP Theta*).

There vertices are corners of cells. Here they are centres, so the method runs on squares between four centres: such a
square is blocked if one of its four cells is. A line that stays clear of blocked squares touches no blocked cell, so
what is seen by angles is seen under every corner rule. The bounds of the angle at which a parent sees on past a vertex
are kept as vertices in those directions, and compared by cross products of whole numbers: no rounding anywhere.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY, arcs_out
from anabasis._kernel.heap import heap_grown, heap_pop, heap_push
from anabasis._kernel.line import SIGHT, line_length, line_place, line_price
from anabasis._kernel.report import (
    COST,
    EXPAND,
    EXPANDED,
    GENERATE,
    GENERATED,
    LIMIT,
    NO_SOLUTION,
    SOLVED,
    STATUS,
    UPDATE,
    note,
)
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.any_angle import AnyAngle
from anabasis.search.moves import Space

__all__ = ["APTheta", "ap_theta"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]


def ap_theta(
    space: Grid,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a short path from vertex `start` to vertex `goal` that may turn at any angle, without tests of sight.

    Each expansion takes constant time, however long the lines are. The angles tell less than a test would, so paths
    are a little longer than those of `theta`; options, result, promises and errors are the same, but for graphs, which
    are refused. For many queries on one map make one `APTheta`.
    """
    search = APTheta(space, neighbours=neighbours, corners=corners)
    return search.find(start, goal, limit=limit, traced=traced)


class APTheta(AnyAngle):
    """Angle-propagating Theta* for many queries on one map."""

    def __init__(self, space: Grid, *, neighbours: int = 8, corners: str = "strict") -> None:
        super().__init__(Space(space).grid, neighbours=neighbours, corners=corners)
        self.bounds = np.empty((self.net.size, 2), np.int64)
        self.narrow = np.empty(self.net.size, np.bool_)

    def _search(self, start: int, goal: int, limit: int, row: Floats, log: Floats) -> None:
        tree = self.mark, self.g, self.parent, self.bounds, self.narrow
        _ap_theta(self.net.arcs, self.lines, start, goal, limit, self.now, *tree, row, log)


@kernel
def _ap_theta(
    arcs: Any,
    lines: Any,
    start: int,
    goal: int,
    limit: int,
    now: int,
    mark: Ints,
    g: Floats,
    parent: Ints,
    bounds: Ints,
    narrow: NDArray[np.bool_],
    row: Floats,
    log: Floats,
) -> None:
    """Search once; leave the tree in parent and the outcome in row. mark: now open, now + 1 closed, less unseen.

    narrow: whether the line from the parent passes a blocked square, as a step that cuts a corner does; then the parent
    is only known to see straight on.
    """
    width: int = lines[0]
    around = arcs[1]
    priced: bool = lines[4]
    goal_x, goal_y = line_place(lines, goal)
    heads, steps = np.empty(8, np.int64), np.empty(8, np.float64)
    h = line_length(lines, start, goal)
    heap = np.empty((1024, 3), np.float64)
    heap_push(heap, 0, h, 0.0, start)
    logged = note(log, 0, GENERATE, start, -1, 0.0, h)
    size, expanded, generated = 1, 0, 1
    mark[start], g[start], parent[start], narrow[start] = now, 0.0, -1, False
    row[STATUS] = NO_SOLUTION
    while size:
        v = heap_pop(heap, size)
        size -= 1
        if mark[v] > now:
            continue  # closed already, by a shorter way
        if v == goal:
            row[STATUS], row[COST] = SOLVED, g[v]
            break
        if limit and expanded == limit:
            row[STATUS] = LIMIT
            break
        mark[v] = now + 1
        expanded += 1
        above = parent[v]
        logged = note(log, logged, EXPAND, v, above, g[v], line_length(lines, v, goal))
        v_x, v_y = line_place(lines, v)
        above_x, above_y = line_place(lines, max(above, 0))
        count = arcs_out(arcs, v, heads, steps)
        if above >= 0:
            _bound(around, width, v, now, mark, parent, bounds, narrow[v])
        if size + 8 > len(heap):
            heap = heap_grown(heap, size, 8)
        for k in range(count):
            w = heads[k]
            if mark[w] > now:
                continue
            x, y = line_place(lines, w)
            cuts = _blocked_square(int(around[v]), x - v_x, y - v_y)
            way, origin, close = float(g[v] + (line_price(lines, v, w) if priced else steps[k])), v, cuts
            if above >= 0:
                turn = _turn(width, above, v, w)
                if turn == 0 or (not cuts and _within(width, above, bounds[v, 0], bounds[v, 1], turn, w)):
                    dx, dy = x - above_x, y - above_y
                    long = line_price(lines, above, w) if priced else math.sqrt(dx * dx + dy * dy)
                    straight = float(g[above] + long)
                    if straight <= way * (1.0 + 1e-12):
                        way, origin, close = straight, above, turn == 0 and (narrow[v] or cuts)
            if mark[w] == now and way >= g[w]:
                continue
            h = math.sqrt((x - goal_x) * (x - goal_x) + (y - goal_y) * (y - goal_y))
            logged = note(log, logged, UPDATE if mark[w] == now else GENERATE, w, origin, way, h)
            mark[w], g[w], parent[w], narrow[w] = now, way, origin, close
            heap_push(heap, size, way + h, -way, w)  # of equal keys the one with the longer way first
            size += 1
            generated += 1
    row[EXPANDED], row[GENERATED], row[SIGHT] = expanded, generated, 0


@kernel
def _turn(width: int, p: int, u: int, v: int) -> int:
    """Return twice the signed area of the triangle p, u, v: positive where v lies clockwise of u as seen from p."""
    share = 1.0 / width  # as in `line_place`
    py, uy, vy = int((p + 0.5) * share), int((u + 0.5) * share), int((v + 0.5) * share)
    px, ux, vx = p - py * width, u - uy * width, v - vy * width
    return int((ux - px) * (vy - py) - (uy - py) * (vx - px))


@kernel
def _within(width: int, above: int, low: int, high: int, turn: int, w: int) -> bool:
    """Whether w, on the side `turn` of a vertex, is inside that vertex's bound on that side; -1 is no bound."""
    if turn < 0:
        return low < 0 or _turn(width, above, low, w) >= 0
    return high < 0 or _turn(width, above, w, high) >= 0


@kernel
def _blocked_square(bits: int, dx: float, dy: float) -> bool:
    """Whether one of the cells of the square on the way of a diagonal step is blocked; False for a straight step."""
    if dx == 0.0 or dy == 0.0:
        return False
    d = int(2 - dx if dy > 0.0 else 6 + dx)  # 1, 3, 5, 7: see `arcs`
    three = 7 << (d - 1)
    return (bits | bits << 8) & three != three


@kernel
def _bound(
    around: Any,
    width: int,
    v: int,
    now: int,
    mark: Ints,
    parent: Ints,
    bounds: Ints,
    narrow: bool,
) -> None:
    """Write between which directions the parent sees past v, which is being expanded.

    Blocked squares at v bound on their side; bounds of expanded neighbours with the same parent hold on; neighbours
    nearer to the parent of which nothing is known bound as if they were walls.
    """
    p = parent[v]
    bounds[v, 0], bounds[v, 1] = -1, -1
    if narrow:
        bounds[v, 0], bounds[v, 1] = v, v
        return
    x, y, px, py = v % width, v // width, p % width, p // width
    far = (x - px) * (x - px) + (y - py) * (y - py)
    bits = int(around[v])
    for d in range(8):
        three = 7 << (d - 1) if d % 2 else 1 << d
        dx, dy = int(DX[d]), int(DY[d])
        w = v + dy * width + dx
        if (bits | bits << 8) & three != three:
            if d % 2:
                low, high = _sides(x - px, y - py, dx, dy)
                if low:
                    bounds[v, 0] = v
                if high:
                    bounds[v, 1] = v
            continue
        turn = _turn(width, p, v, w)
        if mark[w] > now and parent[w] == p:
            low, high = bounds[w, 0], bounds[w, 1]
            if low >= 0 and _turn(width, p, v, low) <= 0:
                bounds[v, 0] = _inner(width, p, low, bounds[v, 0], 1)
            if high >= 0 and _turn(width, p, v, high) >= 0:
                bounds[v, 1] = _inner(width, p, high, bounds[v, 1], -1)
        elif w != p and (x + dx - px) * (x + dx - px) + (y + dy - py) * (y + dy - py) < far:
            if turn < 0:
                bounds[v, 0] = _inner(width, p, w, bounds[v, 0], 1)
            if turn > 0:
                bounds[v, 1] = _inner(width, p, w, bounds[v, 1], -1)


@kernel
def _sides(x: int, y: int, dx: int, dy: int) -> tuple[bool, bool]:
    """Whether the square from (x, y) on, towards (dx, dy), lies wholly on one or the other side of the line to (x, y).

    All is seen from the parent, (0, 0). Corners on the line count for both sides, unless they lie beyond (x, y).
    """
    low = high = True
    for cx, cy in ((x + dx, y), (x, y + dy), (x + dx, y + dy)):
        if cx == 0 and cy == 0:
            continue
        turn = x * cy - y * cx
        beyond = turn == 0 and cx * cx + cy * cy > x * x + y * y
        low = low and turn <= 0 and not beyond
        high = high and turn >= 0 and not beyond
    return low, high


@kernel
def _inner(width: int, p: int, u: int, bound: int, side: int) -> int:
    """Return that of two bounds of one side which leaves less; -1 is no bound."""
    return u if bound < 0 or side * _turn(width, p, bound, u) > 0 else bound
