"""Symmetries of two agents: what splits a conflict so that not every way round it has to be tried (CBSH2-RTC).

J. Li, D. Harabor, P. Stuckey, H. Ma and S. Koenig, "Symmetry-Breaking Constraints for Grid-Based Multi-Agent Path
Finding", 2019 (rectangles by decision diagrams); J. Li, G. Gange, D. Harabor, P. Stuckey, H. Ma and S. Koenig, "New
Techniques for Pairwise Symmetry Breaking in Multi-Agent Path Finding", 2020, and "Pairwise symmetry reasoning for
multi-agent path finding search", 2021 (corridors, targets).

Each function returns rows of constraints for both agents, such that two ways that break the rows of both always
conflict: so no solution is lost. All current paths break them: so each split moves on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.constraints import Row, breaks, never, not_at
from anabasis.mapf.single_agents import SingleAgents, Way
from anabasis.mapf.space_time import Diagram

__all__ = ["Corridors", "Rectangles"]

Shorts = NDArray[np.int32]
Pair = tuple[tuple[Row, ...], tuple[Row, ...]]

_FEW = 10  # singletons looked at on each side of a conflict, the nearest ones


class Corridors:
    """Chains of vertices with two neighbours each, on which two agents that come from both ends can't pass."""

    def __init__(self, single: SingleAgents) -> None:
        """Take over the neighbours of a board without arcs of one direction."""
        self._single = single
        self._around = single.board.around

    def rows(self, agents: tuple[int, int], ways: tuple[Way, Way], origin: int, vertex: int, step: int) -> Pair | None:
        """Return when each may be at the far end of the corridor in which they conflict, None if there is none.

        Any chain inside a corridor is one too; it is cut at the agents' starts and goals.
        """
        stops = {*self._single.ends[agents[0]], *self._single.ends[agents[1]]}
        around = self._around(vertex)
        if origin < 0 and (vertex in stops or len(around) != 2):
            return None
        first = origin if origin >= 0 else around[0]
        back = self._walk(vertex, first, stops)
        front = self._walk(first, vertex, stops)
        chain = back[::-1] + front
        if len(set(chain)) < len(chain):
            return None  # it runs in a ring
        if origin < 0 and not self._through(ways[0].path, chain, step):
            chain.reverse()
            if not self._through(ways[0].path, chain, step):
                return None
        if not self._through(ways[1].path, chain[::-1], step):
            return None
        return self._ranges(agents, ways, chain)

    def _walk(self, before: int, vertex: int, stops: set[int]) -> list[int]:
        """Return the chain that goes on from an arc, from its second vertex to the end."""
        chain, first = [vertex], before
        while vertex not in stops and vertex != first and len(around := self._around(vertex)) == 2:
            one, other = around
            before, vertex = vertex, other if one == before else one
            if vertex == chain[0]:
                break
            chain.append(vertex)
        return chain

    @staticmethod
    def _through(path: Shorts, chain: list[int], step: int) -> bool:
        """Tell whether a path comes to a chain at its first vertex before a step and leaves it at the last one after.

        A step between two vertices of the chain counts as inside.
        """
        ends = (chain[0], chain[-1])
        t = min(step, len(path) - 1)
        before = t - 1 if len(chain) == 2 else t
        if before < 0:
            return False
        while before >= 0 and int(path[before]) not in ends:
            before -= 1
        after = t
        while after < len(path) and int(path[after]) not in ends:
            after += 1
        if before == after:  # just at an end
            inner = set(chain[1:-1])
            if int(path[before]) == ends[0]:
                return False
            before -= 1
            while before >= 0 and int(path[before]) in inner:
                before -= 1
        return 0 <= before < after < len(path) and (int(path[before]), int(path[after])) == ends

    def _ranges(self, agents: tuple[int, int], ways: tuple[Way, Way], chain: list[int]) -> Pair | None:
        """Return the rows: who is first at the far end needs so many steps, who is second waits or goes round."""
        one, two = agents
        length, arrival = len(chain) - 1, self._single.arrival
        far_one, far_two = chain[-1], chain[0]
        soon_one = arrival(one, ways[0], far_one, (), ways[0].cost)
        soon_two = arrival(two, ways[1], far_two, (), ways[1].cost)
        last_one, last_two = soon_two + length, soon_one + length
        round_one = arrival(one, ways[0], far_one, ((chain[-2], far_one, 0, FAR),), last_one)
        round_two = arrival(two, ways[1], far_two, ((chain[1], far_two, 0, FAR),), last_two)
        rows = (
            never(far_one, 0, min(round_one - 1, last_one)),
            never(far_two, 0, min(round_two - 1, last_two)),
        )
        stay = self._single.stay
        for row, way in zip(rows, ways, strict=True):
            if row[3] < 0 or not breaks(row, way.path, stay=stay):
                return None
        return (rows[0],), (rows[1],)


class Rectangles:
    """Rectangles of a grid which one agent crosses from left to right, the other from top to bottom, both in haste."""

    def __init__(self, board: Board, width: int) -> None:
        """Take over the cells of a board on a grid of that width."""
        self._width, self._number = width, board.number
        self._x = (board.vertices % width).astype(np.int32)
        self._y = (board.vertices // width).astype(np.int32)

    def rows(
        self, diagrams: tuple[Diagram, Diagram], ways: tuple[Way, Way], vertex: int, step: int, *, stay: bool
    ) -> Pair | None:
        """Return the sides by which each may not leave the rectangle about a vertex conflict, None if there is none."""
        one, two = diagrams
        if step >= len(one.single) or step >= len(two.single):
            return None
        cells = self._x, self._y, self._number
        found = _rectangle(*_parts(one), *_parts(two), *cells, self._width, vertex, step)
        if not found.size:
            return None
        rows = tuple(tuple(not_at(int(v), int(t)) for side, v, t in found.tolist() if side == s) for s in (0, 1))
        for side, way in zip(rows, ways, strict=True):
            if not any(breaks(row, way.path, stay=stay) for row in side):
                return None
        return rows[0], rows[1]


def _parts(diagram: Diagram) -> tuple[Shorts, Shorts, Shorts]:
    return diagram.single, diagram.indptr, diagram.vertices


@kernel
def _singletons(single: Any, x: Any, y: Any, vertex: int, step: int, way: int) -> Any:
    """Return (x, y, step) of the nearest singletons before (way -1) or after a step from or to which there is haste."""
    found = np.empty((_FEW, 3), np.int64)
    count, t = 0, step
    while 0 <= t < len(single) and count < _FEW:
        v = single[t]
        if v >= 0 and abs(x[v] - x[vertex]) + abs(y[v] - y[vertex]) == abs(t - step):
            found[count, 0], found[count, 1], found[count, 2] = x[v], y[v], t
            count += 1
        t += way
    return found[:count]


@leaf
def _sign(a: int, b: int) -> int:
    """Return the direction of two differences, 0 if neither has one, 2 if they are opposite."""
    if a * b < 0:
        return 2
    return 1 if a + b > 0 else (-1 if a + b < 0 else 0)


@kernel
def _rectangle(
    single_one: Any,
    indptr_one: Any,
    vertices_one: Any,
    single_two: Any,
    indptr_two: Any,
    vertices_two: Any,
    x: Any,
    y: Any,
    number: Any,
    width: int,
    vertex: int,
    step: int,
) -> Any:
    """Return int64[m, 3]: (agent, vertex, step) of both sides of the best rectangle, empty if there is none.

    A way that is in haste from its singleton S on and leaves by its side has come in by the opposite one, and two that
    cross so meet, since every cell has one step. Best: it stops most ways of both agents for sure, then the largest.
    """
    from_one, to_one = _singletons(single_one, x, y, vertex, step, -1), _singletons(single_one, x, y, vertex, step, 1)
    from_two, to_two = _singletons(single_two, x, y, vertex, step, -1), _singletons(single_two, x, y, vertex, step, 1)
    best, chosen = -1, np.zeros(8, np.int64)
    for a in range(len(from_one)):
        for b in range(len(to_one)):
            for c in range(len(from_two)):
                for d in range(len(to_two)):
                    s, g, p, q = from_one[a], to_one[b], from_two[c], to_two[d]
                    i, j = _sign(g[0] - s[0], q[0] - p[0]), _sign(g[1] - s[1], q[1] - p[1])
                    if i == 2 or j == 2 or i == 0 or j == 0:
                        continue
                    if abs(g[0] - s[0]) + abs(g[1] - s[1]) != g[2] - s[2]:
                        continue
                    if abs(q[0] - p[0]) + abs(q[1] - p[1]) != q[2] - p[2]:
                        continue
                    left, top = max(i * s[0], i * p[0]), max(j * s[1], j * p[1])
                    right, bottom = min(i * g[0], i * q[0]), min(j * g[1], j * q[1])
                    across = j * s[1] == top and i * p[0] == left
                    if not across and not (i * s[0] == left and j * p[1] == top):
                        continue
                    if across:
                        sure = (j * g[1] == bottom) + (i * q[0] == right)
                    else:
                        sure = (i * g[0] == right) + (j * q[1] == bottom)
                    score = sure * 2**40 + (right - left + 1) * (bottom - top + 1)
                    if score > best:
                        best = score
                        chosen[0], chosen[1], chosen[2], chosen[3] = left, top, right, bottom
                        chosen[4], chosen[5], chosen[6] = i, j, across
                        chosen[7] = s[2] - i * s[0] - j * s[1]
    if best < 0:
        return np.empty((0, 3), np.int64)
    left, top, right, bottom = chosen[0], chosen[1], chosen[2], chosen[3]
    i, j, across, zero = chosen[4], chosen[5], chosen[6], chosen[7]
    rows = np.empty((right - left + bottom - top + 2, 3), np.int64)
    count = 0
    for agent in range(2):
        upright = (agent == 0) == (across == 1)  # the side is a column of cells
        indptr = indptr_one if agent == 0 else indptr_two
        vertices = vertices_one if agent == 0 else vertices_two
        first, last = (top, bottom) if upright else (left, right)
        for k in range(first, last + 1):
            u, v = (right, k) if upright else (k, bottom)
            t = zero + u + v
            w = number[j * v * width + i * u]
            for e in range(indptr[t], indptr[t + 1]):
                if vertices[e] == w and w >= 0:
                    rows[count, 0], rows[count, 1], rows[count, 2] = agent, w, t
                    count += 1
    return rows[:count]
