"""Space and time: the shortest way of one agent under constraints, and all its shortest ways (a decision diagram).

D. Silver, "Cooperative Pathfinding", 2005 (A* in space and time); G. Sharon et al., "The increasing cost tree search
for optimal multi-agent pathfinding", 2013 (multi-valued decision diagrams); J. Li et al., "Disjoint Splitting for
Multi-Agent Path Finding with Conflict-Based Search", 2019 (landmarks).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.key_heap import key_pop, key_push
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.gave_up import MOST_STEPS, GaveUpError

__all__ = ["Diagram", "SpaceTime"]

Shorts, Ints = NDArray[np.int32], NDArray[np.int64]

_NONE = np.zeros((0, 0), np.int32)
_MOST_NUMBERS = 2**30  # of states, since the working memory was last emptied
_MOST_MARKS = 2**31  # vertices times steps for which there is working memory; what isn't looked at takes none
_FIRST_STEPS = 256  # for which there is working memory though nothing but known changes goes on so long
_ENDED, _NO_MARKS, _GAVE_UP = range(3)  # how a search ended


class Diagram:
    """All ways of an agent that reach its goal in a number of steps: the vertices it may be at in each step.

    - indptr int32[steps + 2], vertices: in step t those of vertices[indptr[t]:indptr[t + 1]];
    - single: int32[steps + 1], the only vertex of each step, -1 where there are more;
    - links: indptr and indices of what follows each of the vertices, once `Barriers` has asked for them.
    """

    __slots__ = ("indptr", "links", "single", "vertices")

    def __init__(self, indptr: Shorts, vertices: Shorts) -> None:
        """Find the steps with one vertex."""
        self.indptr, self.vertices = indptr, vertices
        self.links: tuple[Shorts, Shorts] | None = None
        self.single: Shorts = np.where(np.diff(indptr) == 1, vertices[indptr[:-1]], -1).astype(np.int32)


class SpaceTime:
    """Ways of single agents on a board, step by step; it keeps its working memory, so threads must not share one.

    Memory goes by the steps that a search looks at, not by the time of the last known change. A search of more than
    `most_states`, or that has to go on behind step `gave_up.MOST_STEPS`, raises GaveUpError.
    """

    most_states: int = 2**25

    def __init__(self, board: Board) -> None:
        """Take over the arcs and the closed spans of a board."""
        rules = board.instance.rules
        self.board, self.stay, self.wait = board, rules.stay, rules.wait
        changes = "changes" in board.instance.features
        none = np.zeros(1, np.int32)
        closed = board.closed if changes else (none, none, none)
        self.horizon = int(closed[2][closed[2] < FAR].max(initial=0)) if changes else 0
        if changes:
            self.horizon = max(self.horizon, int(closed[1].max(initial=0)))
        self._arcs = board.indptr, board.indices, *closed
        self._head: Shorts = np.full(board.count, -1, np.int32)
        self._mark: Shorts = np.zeros(0, np.int32)
        self._now = np.array([1, 0, _ENDED], np.int64)  # the next number of a state, states expanded, how it ended
        self._levels: Shorts = np.zeros(board.count, np.int32)

    @property
    def expanded(self) -> int:
        """States expanded so far."""
        return int(self._now[1])

    def way(
        self,
        ends: tuple[int, int],
        distance: Shorts,
        constraints: Shorts,
        horizon: int,
        others: Shorts = _NONE,
        agent: int = -1,
        *,
        steps: int = 0,
        least: int = 0,
    ) -> Shorts | None:
        """Return the shortest way between two ends, int32[steps + 1], or None if the constraints leave none.

        distance: int32[n], steps to the goal from everywhere. horizon: the last step that constraints speak of. Of ways
        of equal length, and of all that are no longer than `least`, it is one with fewest conflicts with the columns of
        others[:steps] (int32[t, k], as in `Conflicts.find`) but that of `agent`.
        """
        flags = [self.stay, self.wait, 0, agent, steps, max(horizon, steps), least, FAR, -1, self.most_states]
        path = self._search(ends, distance, constraints, others, flags)
        return path if path.size else None

    def arrival(
        self, ends: tuple[int, int], distance: Shorts, constraints: Shorts, horizon: int, goal: int, most: int
    ) -> int:
        """Return the first step in which an agent can be at another vertex than its goal, FAR if after `most`."""
        avoided = -1 if self.stay or goal == ends[1] else goal
        flags = [0, self.wait, 1, -1, 0, horizon, 0, most, avoided, self.most_states]
        path = self._search(ends, distance, constraints, _NONE, flags)
        return len(path) - 1 if path.size else FAR

    def _search(
        self, ends: tuple[int, int], distance: Shorts, constraints: Shorts, others: Shorts, flags: list[int]
    ) -> Shorts:
        """Search with as much working memory as it takes; flags: as of `_way`, without the known changes."""
        times = max(flags[5] + 3, _FIRST_STEPS)
        flags[5] = max(flags[5], self.horizon)
        fit = max(_FIRST_STEPS, _MOST_MARKS // (2 * max(1, self.board.count)))
        times, given = min(times, flags[5] + 3, fit), np.array(flags, np.int64)
        while True:
            self._make_room(times)
            path = _way(self._arcs, distance, *ends, constraints, others, given, self._head, self._mark, self._now)
            if self._now[2] == _ENDED:
                return path
            if self._now[2] == _GAVE_UP or 2 * self._mark.size > _MOST_MARKS:
                raise GaveUpError
            times = self._mark.size // self.board.count + 1

    def diagram(
        self, ends: tuple[int, int], distance: Shorts, constraints: Shorts, cost: int, *, exact: bool = True
    ) -> Diagram:
        """Return all ways that arrive in step `cost`, or not later unless `exact`; without steps if there are none."""
        indptr, vertices = self._diagram(ends, distance, constraints, cost, exact, True)
        return Diagram(indptr, vertices)

    def within(
        self, ends: tuple[int, int], distance: Shorts, constraints: Shorts, cost: int, *, exact: bool = True
    ) -> bool:
        """Tell whether there are such ways."""
        return self._diagram(ends, distance, constraints, cost, exact, False)[0].size > 0

    def _diagram(
        self, ends: tuple[int, int], distance: Shorts, constraints: Shorts, cost: int, exact: bool, whole: bool
    ) -> tuple[Shorts, Shorts]:
        rules = self.stay, self.wait, exact, whole, self.most_states
        made = _diagram(self._arcs, distance, *ends, constraints, cost, *rules, self._head, self._levels, self._now)
        if self._now[2] == _GAVE_UP:
            raise GaveUpError
        return made

    def _make_room(self, times: int) -> None:
        needed = times * self.board.count
        if self._mark.size < needed or self._now[0] > _MOST_NUMBERS:
            self._mark = np.zeros(max(needed + needed // 2, self._mark.size), np.int32)
            self._now[0] = 1


@leaf
def _linked(rows: Any, head: Any, after: Any) -> None:
    """Chain the rows that forbid a vertex or a move into it: head[v] is the last of them, after[r] the one before."""
    for r in range(len(rows)):
        if rows[r, 0] >= -1:
            after[r], head[rows[r, 1]] = head[rows[r, 1]], r


@leaf
def _unlinked(rows: Any, head: Any) -> None:
    """Forget the chains."""
    for r in range(len(rows)):
        if rows[r, 0] >= -1:
            head[rows[r, 1]] = -1


@leaf
def _forbidden(rows: Any, after: Any, head: Any, closed: Any, first: Any, last: Any, u: int, v: int, t: int) -> bool:
    """Tell whether an agent that comes from u may not be at v in step t."""
    r = head[v]
    while r >= 0:
        if (rows[r, 0] == -1 or rows[r, 0] == u) and rows[r, 2] <= t <= rows[r, 3]:
            return True
        r = after[r]
    if len(closed) > 1:
        for s in range(closed[v], closed[v + 1]):
            if first[s] <= t <= last[s]:
                return True
    return False


@leaf
def _missed(rows: Any, marks: Any, distance: Any, v: int, t: int) -> bool:
    """Tell whether an agent at v in step t is, or will be, late for a vertex where it must be; marks: those rows."""
    for k in range(len(marks)):
        left = rows[marks[k], 2] - t
        w = rows[marks[k], 1]
        if left == 0 and v != w:
            return True
        if left > 0 and distance[v] - distance[w] > left:
            return True
    return False


@kernel
def _bounds(
    rows: Any, closed: Any, first: Any, last: Any, distance: Any, goal: int, stay: bool, musts: Any
) -> tuple[int, int, int, int]:
    """Return from when on an agent may rest, the first and last step of arrival, and how many rows are in musts."""
    rest, least, most, count = 0, 0, FAR, 0
    for r in range(len(rows)):
        kind, v = rows[r, 0], rows[r, 1]
        if kind == -3:
            least, most = max(least, rows[r, 2]), min(most, rows[r, 3])
        elif kind == -2:
            musts[count] = r
            count += 1
            if v != goal or not stay:
                least = max(least, rows[r, 2] + distance[v])
        elif v == goal and stay and kind == -1:
            rest = max(rest, rows[r, 3] + 1)
    if len(closed) > 1 and stay:
        for s in range(closed[goal], closed[goal + 1]):
            rest = max(rest, last[s] + 1)
    return rest, least, most, count


@leaf
def _clashes(others: Any, steps: int, agent: int, u: int, v: int, t: int) -> int:
    """Count the agents that are at v in step t, or change places with one that comes from u."""
    count = 0
    if steps == 0:
        return 0
    row = others[min(t, steps - 1)]
    for a in range(len(row)):
        count += row[a] == v
    if 0 < t < steps and u != v:
        before = others[t - 1]
        for a in range(len(row)):
            count += (row[a] == u) & (before[a] == v)
        if agent >= 0:
            count -= (row[agent] == u) & (before[agent] == v)
    if agent >= 0:
        count -= row[agent] == v
    return count


@leaf
def _clashes_at_rest(others: Any, steps: int, agent: int, v: int, t: int) -> int:
    """Count how often others come to v after step t."""
    count = 0
    for s in range(t + 1, steps):
        row = others[s]
        for a in range(len(row)):
            count += (row[a] == v) & (a != agent)
    return count


@kernel
def _way(
    arcs: Any,
    distance: Any,
    start: int,
    goal: int,
    rows: Any,
    others: Any,
    flags: Any,
    head: Any,
    mark: Any,
    now: Any,
) -> Any:
    """Search best first for the shortest way, of equal ones the one with fewest clashes; empty if there is none.

    flags: stay, wait, anything but the first arrival is without interest, agent, steps of others, horizon, least length
    of interest, most length, a vertex that must not be entered, most states. mark: which state was met, as now[0] + its
    number, for as many steps as it has room for. now: see `SpaceTime`; it tells how the search ended.
    """
    indptr, indices, closed, first, last = arcs
    stay, wait, only_first, agent, steps = flags[0] != 0, flags[1] != 0, flags[2] != 0, flags[3], flags[4]
    horizon, avoided, n = flags[5] + 1, flags[8], len(head)
    after, musts = np.empty(len(rows), np.int32), np.empty(len(rows), np.int32)
    _linked(rows, head, after)
    rest, least, most, count = _bounds(rows, closed, first, last, distance, goal, stay, musts)
    musts = musts[:count]
    if only_first:
        rest, least, most = 0, 0, FAR
    most, least = min(most, flags[7]), max(least, rest)
    lower = max(least, flags[6])
    room, farther, now[2] = len(mark) // n, False, _ENDED
    latest = min(most, MOST_STEPS)  # keys have no room for later ones
    # a state is (vertex, step, state before, clashes so far, 0 open or 1 closed); a final one has the vertex -1
    state = np.empty((256, 5), np.int32)
    heap = np.empty(256, np.int64)
    size, made, base, found, expanded = 0, 0, now[0], -1, 0
    blocked = _forbidden(rows, after, head, closed, first, last, -1, start, 0)
    if not blocked and not _missed(rows, musts, distance, start, 0) and distance[start] < FAR:
        at_rest = start == goal and least <= 0
        clash = _clashes_at_rest(others, steps, agent, goal, 0) if at_rest and stay else 0
        state[0, 0], state[0, 1], state[0, 2], state[0, 3], state[0, 4] = -1 if at_rest else start, 0, -1, clash, 0
        made = 1
        if least <= most and (at_rest or stay or start != goal):
            key = int(max(distance[start], lower))
            farther = latest < key <= most
            if key <= latest:
                size = key_push(heap, 0, (key << 43) + 2**31 - 1)
    while size:
        i = 2**31 - 1 - (heap[0] & (2**31 - 1))
        size = key_pop(heap, size)
        if state[i, 4]:
            continue
        state[i, 4] = 1
        if state[i, 0] < 0:
            found = i
            break
        expanded += 1
        v, t, clash = state[i, 0], state[i, 1] + 1, state[i, 3]
        if min(t, horizon) >= room or made > flags[9]:
            now[2] = _GAVE_UP if made > flags[9] else _NO_MARKS
            break
        if made + indptr[v + 1] - indptr[v] + 2 > len(state):
            longer = np.empty((2 * len(state) + indptr[v + 1] - indptr[v], 5), np.int32)
            longer[:made] = state[:made]
            state = longer
        if size + indptr[v + 1] - indptr[v] + 2 > len(heap):
            more = np.empty(2 * len(heap) + indptr[v + 1] - indptr[v], np.int64)
            more[:size] = heap[:size]
            heap = more
        for e in range(indptr[v] - 1, indptr[v + 1]):
            if e < indptr[v] and not wait:
                continue
            w = v if e < indptr[v] else indices[e]
            key = int(max(t + distance[w], lower))
            if key > latest or w == avoided or distance[w] >= FAR:
                farther = farther or latest < key <= most
                continue
            final = w == goal and w != v and t >= least
            if not stay and w == goal and not final:
                continue
            place = min(t, horizon) * n + w
            met = mark[place] - base
            if not final and met >= 0 and state[met, 4]:
                continue
            if _forbidden(rows, after, head, closed, first, last, v, w, t):
                continue
            if count and _missed(rows, musts, distance, w, t):
                continue
            clashes = clash + _clashes(others, steps, agent, v, w, t)
            if final and stay:
                clashes += _clashes_at_rest(others, steps, agent, w, t)
            if not final:
                if met >= 0 and (state[met, 1] < t or (state[met, 1] == t and state[met, 3] <= clashes)):
                    continue
                if met >= 0:
                    state[met, 4] = 1
                mark[place] = base + made
            state[made, 0], state[made, 1], state[made, 2] = -1 if final else w, t, i
            state[made, 3], state[made, 4] = clashes, 0
            size = key_push(heap, size, (key << 43) + (int(min(clashes, 4095)) << 31) + 2**31 - 1 - made)
            made += 1
    _unlinked(rows, head)
    now[0], now[1] = base + made + 1, now[1] + expanded
    if found < 0 and farther and now[2] == _ENDED:
        now[2] = _GAVE_UP
    if found < 0:
        return np.empty(0, np.int32)
    path = np.empty(state[found, 1] + 1, np.int32)
    for t in range(len(path) - 1, -1, -1):
        path[t] = goal if state[found, 0] < 0 else state[found, 0]
        found = state[found, 2]
    return path


@kernel
def _diagram(
    arcs: Any,
    distance: Any,
    start: int,
    goal: int,
    rows: Any,
    cost: int,
    stay: bool,
    wait: bool,
    exact: bool,
    whole: bool,
    most_places: int,
    head: Any,
    level: Any,
    now: Any,
) -> tuple[Any, Any]:
    """Return indptr and vertices of a Diagram, empty if there is no way; unless `whole`, indptr only tells that.

    level: int32[n], all 0, as it is left; now[2]: how it ended.
    """
    indptr, indices, closed, first, last = arcs
    after, musts = np.empty(len(rows), np.int32), np.empty(len(rows), np.int32)
    _linked(rows, head, after)
    rest, least, most, count = _bounds(rows, closed, first, last, distance, goal, stay, musts)
    musts = musts[:count]
    pointer, vertices = np.zeros(cost + 2, np.int32), np.empty(4 * cost + 64, np.int32)
    made, now[2] = 0, _ENDED
    blocked = _forbidden(rows, after, head, closed, first, last, -1, start, 0)
    if not blocked and not _missed(rows, musts, distance, start, 0):
        vertices[0], made = start, 1
    if (
        distance[start] > cost
        or cost < max(rest, least)
        or cost > most
        or (start == goal and ((not stay and cost > 0) or (exact and cost == 1)))
    ):
        made = 0
    pointer[1] = made
    for t in range(1, cost + 1):
        if made > most_places:
            now[2] = _GAVE_UP
            break
        for k in range(pointer[t - 1], pointer[t]):
            v = vertices[k]
            if made + indptr[v + 1] - indptr[v] + 1 > len(vertices):
                longer = np.empty(2 * len(vertices) + indptr[v + 1] - indptr[v], np.int32)
                longer[:made] = vertices[:made]
                vertices = longer
            for e in range(indptr[v] - 1, indptr[v + 1]):
                if e < indptr[v] and not wait:
                    continue
                w = v if e < indptr[v] else indices[e]
                if level[w] == t or distance[w] > cost - t or (not stay and w == goal and t < cost):
                    continue
                if exact and t == cost - 1 and w == goal:
                    continue  # it would have arrived before
                if _forbidden(rows, after, head, closed, first, last, v, w, t):
                    continue
                if count and _missed(rows, musts, distance, w, t):
                    continue
                level[w] = t
                vertices[made] = w
                made += 1
        pointer[t + 1] = made
    there = pointer[cost + 1] > pointer[cost]
    for k in range(made):
        level[vertices[k]] = 0
    kept = np.zeros(made if whole and there else 0, np.bool_)
    if whole and there:
        kept[made - 1] = True
        level[goal] = cost + 1
        for t in range(cost - 1, -1, -1):  # level: t + 2 for what is kept in step t + 1
            for k in range(pointer[t], pointer[t + 1]):
                v = vertices[k]
                for e in range(indptr[v] - 1, indptr[v + 1]):
                    if e < indptr[v] and not wait:
                        continue
                    w = v if e < indptr[v] else indices[e]
                    if level[w] == t + 2 and not _forbidden(rows, after, head, closed, first, last, v, w, t + 1):
                        kept[k] = True
                        break
            for k in range(pointer[t + 1], pointer[t + 2]):
                level[vertices[k]] = 0
            for k in range(pointer[t], pointer[t + 1]):
                if kept[k]:
                    level[vertices[k]] = t + 1
        for k in range(pointer[0], pointer[1]):
            level[vertices[k]] = 0
    _unlinked(rows, head)
    if not there:
        return np.empty(0, np.int32), np.empty(0, np.int32)
    if not whole:
        return pointer, np.empty(0, np.int32)
    return _kept(pointer, vertices, kept)


@kernel
def _kept(pointer: Any, vertices: Any, kept: Any) -> tuple[Any, Any]:
    """Leave out of the levels what is not kept."""
    left = np.empty(len(kept), np.int32)
    short = np.zeros(len(pointer), np.int32)
    count = 0
    for t in range(len(pointer) - 1):
        for k in range(pointer[t], pointer[t + 1]):
            if kept[k]:
                left[count] = vertices[k]
                count += 1
        short[t + 1] = count
    return short, left[:count].copy()
