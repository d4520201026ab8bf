"""Barriers: what two agents whose shortest ways can't all be kept apart may not both pass, on any graph.

H. Zhang, J. Li, P. Surynek, T. Kumar and S. Koenig, "Multi-agent path finding with mutex propagation", 2022: pairs of
vertices of two decision diagrams are followed step by step through what is free of conflicts. A vertex that no vertex
of the other diagram goes with is dead: who is there makes the other late. It sees what rectangles with obstacles
inside, several meetings on one way and chains of vertices have in common, without any geometry.

Two vertices exclude each other if all ways to them conflict. A barrier is a set of vertices of each diagram that all
exclude each other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis.mapf.board import Board
from anabasis.mapf.constraints import Row, not_at
from anabasis.mapf.space_time import Diagram

__all__ = ["Barriers"]

Shorts = NDArray[np.int32]
Pair = tuple[tuple[Row, ...], tuple[Row, ...]]

_MOST_PAIRS = 2_000_000  # pairs of vertices to look at; then nothing is claimed


class Barriers:
    """Finds the barriers of two diagrams on one board; it keeps its working memory."""

    def __init__(self, board: Board) -> None:
        """Take over the arcs of a board."""
        rules = board.instance.rules
        self._arcs = board.indptr, board.indices
        self._rules = rules.wait, rules.following
        self._place: Shorts = np.full(board.count, -1, np.int32)

    def rows(self, diagrams: tuple[Diagram, Diagram], paths: tuple[Shorts, Shorts]) -> list[Pair]:
        """Return barriers: where each agent may not be, such that at least one of them breaks the rows of its own.

        Both paths, which are of these diagrams, break them, and so do all ways of one of the diagrams: its cost rises.
        Empty if no vertex of the paths is dead, as far as is seen before the first of them ends.
        """
        one, two = (self._parts(diagram) for diagram in diagrams)
        found, count = _barriers(self._rules[1], *one, *two, *paths, self._place, _MOST_PAIRS)
        rows: list[tuple[list[Row], list[Row]]] = [([], []) for _ in range(int(count))]
        for barrier, agent, vertex, step in found.tolist():
            rows[barrier][agent].append(not_at(vertex, step))
        return [(tuple(first), tuple(second)) for first, second in rows]

    def _parts(self, diagram: Diagram) -> tuple[Shorts, Shorts, Shorts, Shorts]:
        if diagram.links is None:
            levels = diagram.indptr, diagram.vertices
            diagram.links = _links(*self._arcs, self._rules[0], *levels, self._place)
        return diagram.indptr, diagram.vertices, *diagram.links


@kernel
def _links(indptr: Any, indices: Any, wait: bool, pointer: Any, vertices: Any, place: Any) -> tuple[Any, Any]:
    """Return which vertices of a diagram follow each, by their index in `vertices`: indptr and indices.

    place: int32[n], all -1, as it is left.
    """
    start, after = np.zeros(len(vertices) + 1, np.int32), np.empty(4 * len(vertices) + 64, np.int32)
    made = 0
    for t in range(len(pointer) - 1):
        last = t + 2 == len(pointer)
        if not last:
            for k in range(pointer[t + 1], pointer[t + 2]):
                place[vertices[k]] = k
        for k in range(pointer[t], pointer[t + 1]):
            v = vertices[k]
            if made + indptr[v + 1] - indptr[v] + 1 > len(after):
                longer = np.empty(2 * len(after) + indptr[v + 1] - indptr[v], np.int32)
                longer[:made] = after[:made]
                after = longer
            if wait and place[v] >= 0 and not last:
                after[made], made = place[v], made + 1
            for e in range(indptr[v], indptr[v + 1]):
                if place[indices[e]] >= 0 and not last:
                    after[made], made = place[indices[e]], made + 1
            start[k + 1] = made
        if not last:
            for k in range(pointer[t + 1], pointer[t + 2]):
                place[vertices[k]] = -1
    return start, after[:made].copy()


@leaf
def _first_meeting(pointer_one: Any, vertices_one: Any, pointer_two: Any, vertices_two: Any, end: int, met: Any) -> int:
    """Return the first step with a vertex of the first diagram that the second has in it or one before; else `end`.

    met: int32[n], all -1, as it is left.
    """
    found = end
    for t in range(end):
        for k in range(pointer_two[t], pointer_two[t + 1]):
            met[vertices_two[k]] = t
        for k in range(pointer_one[t], pointer_one[t + 1]):
            if met[vertices_one[k]] >= max(t - 1, 0):
                found = t
        if found < end:
            break
    for k in range(pointer_two[end]):
        met[vertices_two[k]] = -1
    return found


@leaf
def _clash(following: bool, u_one: int, v_one: int, u_two: int, v_two: int) -> bool:
    """Tell whether two agents that go from u to v in one step are in conflict."""
    if v_one == v_two or (v_one == u_two and v_two == u_one):
        return True
    if not following:
        return False
    return (v_one == u_two and v_one != u_one) or (v_two == u_one and v_two != u_two)


@kernel
def _follow(
    following: bool,
    pointer_one: Any,
    vertices_one: Any,
    start_one: Any,
    after_one: Any,
    pointer_two: Any,
    vertices_two: Any,
    start_two: Any,
    after_two: Any,
    first: int,
    end: int,
    most: int,
) -> tuple[Any, Any, int]:
    """Return which pairs go with each other: those of step t are free[offset[t]:offset[t + 1]], and the step behind.

    All pairs of step `first` are taken to. It ends behind the first step without any.
    """
    offset = np.zeros(end + 1, np.int64)
    for t in range(first, end):
        size = (pointer_one[t + 1] - pointer_one[t]) * (pointer_two[t + 1] - pointer_two[t])
        if offset[t] + size > most:
            end = t
            break
        offset[t + 1] = offset[t] + size
    free = np.zeros(offset[end], np.bool_)
    free[: offset[min(first + 1, end)]] = True
    for t in range(first, end - 1):
        width, next_width = pointer_two[t + 1] - pointer_two[t], pointer_two[t + 2] - pointer_two[t + 1]
        alive = False
        for i in range(pointer_one[t], pointer_one[t + 1]):
            for j in range(pointer_two[t], pointer_two[t + 1]):
                if not free[offset[t] + (i - pointer_one[t]) * width + j - pointer_two[t]]:
                    continue
                for a in range(start_one[i], start_one[i + 1]):
                    p = after_one[a]
                    row = offset[t + 1] + (p - pointer_one[t + 1]) * next_width - pointer_two[t + 1]
                    for b in range(start_two[j], start_two[j + 1]):
                        q = after_two[b]
                        if not free[row + q] and not _clash(
                            following, vertices_one[i], vertices_one[p], vertices_two[j], vertices_two[q]
                        ):
                            free[row + q] = alive = True
        if not alive:
            return free, offset, t + 2
    return free, offset, end


@kernel
def _excluded(
    chosen: Any,
    free: Any,
    offset: Any,
    second: bool,
    pointer_one: Any,
    start_one: Any,
    after_one: Any,
    pointer_two: Any,
    start_two: Any,
    after_two: Any,
    first: int,
    end: int,
) -> Any:
    """Return bool for each vertex of diagram one: whether it excludes all that are chosen in diagram two.

    second: diagram one is the second index of free.
    """
    good = np.zeros(pointer_one[end], np.bool_)
    good[pointer_one[first] :] = True
    bad = np.zeros(pointer_one[end], np.bool_)  # it comes from one that goes with a chosen one
    before = np.zeros(pointer_two[end], np.bool_)  # it leads to a chosen one
    for t in range(end - 1, first - 1, -1):
        for j in range(pointer_two[t], pointer_two[t + 1]):
            before[j] = chosen[j]
            if t + 1 < end:
                for b in range(start_two[j], start_two[j + 1]):
                    before[j] |= before[after_two[b]]
    for t in range(first, end):
        rows, columns = pointer_one[t + 1] - pointer_one[t], pointer_two[t + 1] - pointer_two[t]
        for i in range(pointer_one[t], pointer_one[t + 1]):
            for j in range(pointer_two[t], pointer_two[t + 1]):
                if before[j]:
                    k, m = i - pointer_one[t], j - pointer_two[t]
                    if free[offset[t] + (m * rows + k if second else k * columns + m)]:
                        good[i] = False
                        bad[i] |= chosen[j]
            if bad[i]:
                good[i] = False
                if t + 1 < end:
                    for a in range(start_one[i], start_one[i + 1]):
                        bad[after_one[a]] = True
    return good


@kernel
def _front(chosen: Any, pointer: Any, start: Any, after: Any, first: int, end: int) -> Any:
    """Return bool: those chosen that a way may come to without another one before."""
    reached, front = np.zeros(pointer[end], np.bool_), np.zeros(pointer[end], np.bool_)
    reached[pointer[first] : pointer[first + 1]] = True
    for t in range(first, end):
        for i in range(pointer[t], pointer[t + 1]):
            if reached[i] and chosen[i]:
                front[i] = True
            elif reached[i] and t + 1 < end:
                for a in range(start[i], start[i + 1]):
                    reached[after[a]] = True
    return front


@kernel
def _dead(
    free: Any, offset: Any, second: bool, pointer: Any, vertices: Any, other: Any, path: Any, first: int, end: int
) -> tuple[Any, int]:
    """Return which vertices of a diagram are dead, and the first step in which the path is at one, -1 if never."""
    dead, step = np.zeros(pointer[end], np.bool_), -1
    for t in range(first + 1, end):
        rows, columns = pointer[t + 1] - pointer[t], other[t + 1] - other[t]
        for i in range(rows):
            alive = False
            for j in range(columns):
                if free[offset[t] + (j * rows + i if second else i * columns + j)]:
                    alive = True
                    break
            dead[pointer[t] + i] = not alive
            if not alive and step < 0 and vertices[pointer[t] + i] == path[t]:
                step = t
    return dead, step


@leaf
def _near(chosen: Any, pointer: Any, step: int, end: int) -> None:
    """Keep of those chosen what lies in the steps about one without a gap of two."""
    for way in (-1, 1):
        t, gap = step, 0
        while 0 <= t < end:
            some = False
            for i in range(pointer[t], pointer[t + 1]):
                some |= chosen[i]
                if gap > 1:
                    chosen[i] = False
            gap = 0 if some and gap < 2 else gap + 1
            t += way


@kernel
def _barriers(
    following: bool,
    pointer_one: Any,
    vertices_one: Any,
    start_one: Any,
    after_one: Any,
    pointer_two: Any,
    vertices_two: Any,
    start_two: Any,
    after_two: Any,
    path_one: Any,
    path_two: Any,
    met: Any,
    most: int,
) -> tuple[Any, int]:
    """Return int32[m, 4]: (barrier, agent, vertex, step) of up to two barriers, and how many.

    Who is at a vertex of a diagram has come by ways of it. That is not so in the step of arrival, at the goal after a
    visit before; so the last steps are left out.
    """
    rows, count, made = np.empty((64, 4), np.int32), 0, 0
    end = min(len(pointer_one), len(pointer_two)) - 2
    first = _first_meeting(pointer_one, vertices_one, pointer_two, vertices_two, max(end, 0), met)
    first = max(first - 1, 0)
    if first + 1 >= end:
        return rows[:0], 0
    one = pointer_one, vertices_one, start_one, after_one
    two = pointer_two, vertices_two, start_two, after_two
    free, offset, end = _follow(following, *one, *two, first, end, most)
    if first + 1 >= end:
        return rows[:0], 0
    all_dead = not free[offset[end - 1] :].any()
    for agent in range(2):
        mine, other = (one, two) if agent == 0 else (two, one)
        path = path_one if agent == 0 else path_two
        dead, step = _dead(free, offset, agent == 1, mine[0], mine[1], other[0], path, first, end)
        if step < 0:
            continue
        chosen = _front(dead, mine[0], mine[2], mine[3], first, end)
        if not all_dead:
            _near(chosen, mine[0], step, end)
        links_mine, links_other = (mine[0], mine[2], mine[3]), (other[0], other[2], other[3])
        theirs = _excluded(chosen, free, offset, agent == 0, *links_other, *links_mine, first, end)
        theirs = _front(theirs, *links_other, first, end)
        chosen = _excluded(theirs, free, offset, agent == 1, *links_mine, *links_other, first, end)
        chosen = _front(chosen, *links_mine, first, end)
        for side in range(2):
            flags, pointer = (chosen, mine[0]) if side == 0 else (theirs, other[0])
            vertices = mine[1] if side == 0 else other[1]
            for t in range(first, end):
                for i in range(pointer[t], pointer[t + 1]):
                    if flags[i]:
                        if count == len(rows):
                            longer = np.empty((2 * count, 4), np.int32)
                            longer[:count] = rows
                            rows = longer
                        rows[count, 0], rows[count, 1] = made, agent if side == 0 else 1 - agent
                        rows[count, 2], rows[count, 3] = vertices[i], t
                        count += 1
        made += 1
    return rows[:count].copy(), made
