"""Combined search space: a commander's way on which its subordinates, at their offsets, have good ground, too.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011. A step costs what it costs the
commander, and the mean of what the same step costs each subordinate where it stands; for that what can't be walked
counts as twice the dearest step, else much of the map would be closed though only a few would have to deviate.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.heap import heap_grown, heap_pop, heap_push
from anabasis._kernel.tree import walk
from anabasis.formation.ground import EUCLIDEAN, HEXAGONAL, OCTILE, Ground
from anabasis.noun import freeze
from anabasis.options import check_count, check_switch

__all__ = ["Pathfinder"]

Floats, Longs = NDArray[np.float64], NDArray[np.int64]
_NOBODY = np.zeros((0, 2), np.int64)
_ALIKE = np.zeros(0)
_SAME = 1e-9  # costs that differ by this share or less are not told apart


class Pathfinder:
    """A* on a ground, alone or in the combined space; keeps its arrays from one search to the next.

    expanded: vertices expanded so far, in all searches.
    """

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        n = ground.size
        self._room = (np.zeros(n), np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n))
        self._heap = np.empty((1024, 3))
        self._mark = 0
        self.expanded = 0

    def path(
        self,
        start: int,
        goal: int,
        offsets: ArrayLike = (),
        weights: ArrayLike = (),
        *,
        straight: bool = False,
        radius: float = 0.0,
    ) -> Longs | None:
        """Return the vertices of the cheapest path, or None; raises InputError for vertices that don't exist.

        offsets float64[m, 2], weights float64[m]: where the subordinates are, seen from the searching unit, and how
        much each counts; none for a path of its own. straight: of the cheapest paths the one whose vertices are nearest
        to the line from start to goal, by the sum of squares; else the one found first. It expands more vertices.
        radius: only steps that leave a unit of this one room.
        """
        for vertex, name in ((start, "start of a path"), (goal, "goal of a path")):
            check_count(vertex, name, 0, self.ground.size - 1)
        radius = float(freeze(radius, np.float64, (), "radius"))
        shifts, shares = _NOBODY, _ALIKE
        given = freeze(offsets, np.float64, (None, 2), "offsets of subordinates")
        counts = freeze(weights, np.float64, (len(given),), "weights of subordinates")
        if len(given):
            shifts = self.ground.shifts(given)
            shares = counts / counts.sum()
        ground = self.ground
        self._mark += 2  # one to mark vertices seen, one for those expanded
        path, expanded, self._heap = _combined(
            ground.indptr,
            ground.indices,
            ground.weights,
            ground.points,
            ground.raster,
            ground.at,
            ground.measure,
            # a subordinate's steps are as long as the commander's, but on a graph
            ground.rate * (2 if len(shifts) and ground.measure != EUCLIDEAN else 1),
            2 * ground.dearest,
            shifts,
            shares,
            start,
            goal,
            check_switch(straight, "straight"),
            ground.clearance if ground.is_wide(radius) else _ALIKE,
            radius,
            self._room,
            self._heap,
            self._mark,
        )
        self.expanded += expanded
        return path if len(path) else None

    def reached(self, start: int, radius: float = 0.0) -> NDArray[np.bool_]:
        """Return bool[n]: which vertices have a path from this one that leaves a unit of this radius room."""
        ground, radius = self.ground, float(freeze(radius, np.float64, (), "radius"))
        check_count(start, "start of a path", 0, ground.size - 1)
        seen = np.zeros(ground.size, bool)
        clear = ground.clearance if ground.is_wide(radius) else _ALIKE
        _flood(ground.indptr, ground.indices, clear, radius, start, seen, np.empty(ground.size, np.int64))
        return seen


@leaf
def _estimate(points: Any, at: Any, measure: int, rate: float, a: int, b: int) -> float:
    """Return the seconds from a to b at the least."""
    if measure == HEXAGONAL:
        dx, dy = abs(at[a, 0] - at[b, 0]), abs(at[a, 1] - at[b, 1])
        return rate * max((dx + dy) // 2, dy)
    dx, dy = abs(points[a, 0] - points[b, 0]), abs(points[a, 1] - points[b, 1])
    if measure == OCTILE:
        return rate * (max(dx, dy) + (2**0.5 - 1) * min(dx, dy))
    return rate * (dx * dx + dy * dy) ** 0.5


@leaf
def _off_line(points: Any, start: int, goal: int, v: int) -> float:
    """Return the square of a vertex's distance from the line from start to goal."""
    ax, ay = points[goal, 0] - points[start, 0], points[goal, 1] - points[start, 1]
    bx, by = points[v, 0] - points[start, 0], points[v, 1] - points[start, 1]
    length = ax * ax + ay * ay
    across = ax * by - ay * bx
    return across * across / length if length > 0 else bx * bx + by * by


@leaf
def _vertex_at(raster: Any, at: Any, v: int, column: int, row: int) -> int:
    """Return the vertex at an offset from v, or -1."""
    x, y = at[v, 0] + column, at[v, 1] + row
    if x < 0 or y < 0 or y >= raster.shape[0] or x >= raster.shape[1]:
        return -1
    return raster[y, x]


@leaf
def _shifted(
    indptr: Any, indices: Any, weights: Any, raster: Any, at: Any, a: int, b: int, own: float, dear: float, shift: Any
) -> float:
    """Return the seconds of the step from a to b at an offset: `own` if both ends fall on one vertex, else its own."""
    p = _vertex_at(raster, at, a, shift[0], shift[1])
    q = _vertex_at(raster, at, b, shift[0], shift[1])
    if p < 0 or q < 0:
        return dear
    if p == q:
        return own
    for k in range(indptr[p], indptr[p + 1]):
        if indices[k] == q:
            return weights[k]
    return dear


@kernel
def _combined(
    indptr: Any,
    indices: Any,
    weights: Any,
    points: Any,
    raster: Any,
    at: Any,
    measure: int,
    rate: float,
    dear: float,
    shifts: Any,
    shares: Any,
    start: int,
    goal: int,
    straight: bool,
    clear: Any,
    radius: float,
    room: Any,
    heap: Any,
    mark: int,
) -> Any:
    """Search; return (the path, empty if there is none, expanded, heap).

    clear: the greatest radius on each step, empty if all have room. room: cost, parent and mark of each vertex, and how
    far the way to it is off the line, if it shall be straight. Then of equal estimates the vertex nearer to the start
    comes first, so that whatever leads to one as cheaply is known when it is expanded.
    """
    cost, parent, seen, away = room
    cost[start], parent[start], seen[start], away[start] = 0.0, -1, mark - 1, 0.0
    guess = _estimate(points, at, measure, rate, start, goal)
    heap_push(heap, 0, guess, guess, start)
    size, expanded = 1, 0
    while size > 0:
        v = heap_pop(heap, size)
        size -= 1
        if seen[v] == mark:
            continue
        if v == goal:
            return walk(parent, goal), expanded, heap
        seen[v] = mark
        expanded += 1
        for k in range(indptr[v], indptr[v + 1]):
            u, own = indices[k], weights[k]
            if seen[u] == mark or (len(clear) > 0 and clear[k] < radius):
                continue
            step = own
            if len(shares) > 0:
                # differences are added: where all cost the same, no rounding tells steps apart
                step = 2 * own
                for i in range(len(shares)):
                    there = _shifted(indptr, indices, weights, raster, at, v, u, own, dear, shifts[i])
                    step += shares[i] * (there - own)
            there, off = cost[v] + step, 0.0
            if straight:
                off = away[v] + _off_line(points, start, goal, u)
                if seen[u] == mark - 1 and abs(there - cost[u]) <= _SAME * there:
                    if off < away[u]:
                        parent[u], away[u] = v, off
                    continue
            if seen[u] != mark - 1 or there < cost[u]:
                cost[u], parent[u], seen[u] = there, v, mark - 1
                if size >= len(heap):
                    heap = heap_grown(heap, size, 1)
                guess = _estimate(points, at, measure, rate, u, goal)
                tie = guess
                if straight:
                    away[u], tie = off, there
                heap_push(heap, size, there + guess, tie, u)
                size += 1
    return np.zeros(0, np.int64), expanded, heap


@kernel
def _flood(indptr: Any, indices: Any, clear: Any, radius: float, start: int, seen: Any, queue: Any) -> None:
    """Mark whatever has a path from the start."""
    seen[start] = True
    queue[0] = start
    first, last = 0, 1
    while first < last:
        v = queue[first]
        first += 1
        for k in range(indptr[v], indptr[v + 1]):
            if not seen[indices[k]] and (len(clear) == 0 or clear[k] >= radius):
                seen[indices[k]] = True
                queue[last] = indices[k]
                last += 1
