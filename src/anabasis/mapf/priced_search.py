"""Space-time A* where steps cost the price of their arcs and a wait costs 1: the low level of priced search.

D. Silver, "Cooperative Pathfinding", 2005 (A* on places and times); the estimate is the cost to the goal with nobody
in the way, as D* Lite keeps it: S. Koenig and M. Likhachev, "D* Lite", 2002.

Behind the last time at which anything is forbidden all times are alike and are searched as one, so that the search ends
even if there is no way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.heap import heap_grown, heap_pop, heap_push
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.conflicts import Ban
from anabasis.mapf.gave_up import GaveUpError
from anabasis.noun import freeze
from anabasis.options import check_kind
from anabasis.plan import Plan
from anabasis.result import Result
from anabasis.search.dijkstra import distances

__all__ = ["Floats", "PricedSearch", "Row", "timetable", "ways_around"]

Row = NDArray[np.int32]
Floats = NDArray[np.float64]

_NOBODY = np.empty((0, 0), np.int32)


class PricedSearch:
    """Ways of single agents on a board under bans, cheapest first.

    to_goal: for each agent float64[count], the cost from everywhere to its goal, inf where it must never be; its start
    may have inf: it leaves it and doesn't come back. By default the cost with nobody in the way.
    weights: for each agent float64[m], what each arc of the board costs it, inf where it can't go. By default the
    weight of the arc on a Graph and the price of the cell entered on a Grid (1 for a cell that is blocked at first and
    freed later).
    A search that needs room for more than `most_states` raises GaveUpError.
    """

    most_states: int = 2**24

    def __init__(
        self, board: Board, to_goal: Sequence[Floats] | None = None, weights: Sequence[Floats] | None = None
    ) -> None:
        """Take over the rows; raises InputError unless there is one for each agent, as long as it has to be."""
        self.board = board
        common = _weights(board)
        each = [common] * board.agents if weights is None else weights
        self.weights = _checked(each, board.agents, board.indices.size, "weights")
        made = _to_goal(board, common) if to_goal is None else to_goal
        self.to_goal = _checked(made, board.agents, board.count, "to_goal")
        self.expanded = 0
        closed = board.closed
        self._closed_last = _last_times(closed, board.count)
        self._closed_end = int(np.where(closed[2] < FAR, closed[2], closed[1]).max(initial=-1))

    def path(
        self, agent: int, bans: Iterable[Ban] = (), others: Row = _NOBODY, parked: Sequence[tuple[int, int]] = ()
    ) -> tuple[Row, float] | None:
        """Return an agent's cheapest path (int32[steps + 1], numbers) and its cost, or None: there is none, proved.

        Of equal costs one that meets few of the `others` (a timetable). parked: (vertex, time), closed from that time
        on for ever.
        """
        board, instance = self.board, self.board.instance
        places, moves = _keys(bans, board.count)
        goal = int(board.goals[agent])
        stay = instance.rules.stay
        hold = int(self._closed_last[goal])
        hold = max([hold, *(FAR for vertex, _ in parked if vertex == goal)]) if stay else -1
        end = max([self._closed_end, *(time for _, time in parked)])
        if places.size:
            times = places // board.count
            end = max(end, int(times[-1]))
            hold = max(hold, int(times[places % board.count == goal].max(initial=-1))) if stay else -1
        if moves.size:
            end = max(end, int(moves[-1] // board.count**2))
        if hold >= FAR:
            return None
        path, cost, expanded = _search(
            board.indptr,
            board.indices,
            self.weights[agent],
            self.to_goal[agent],
            int(board.starts[agent]),
            goal,
            places,
            moves,
            *self._closed(parked),
            others,
            hold,
            end,
            instance.rules.wait,
            self.most_states,
        )
        self.expanded += int(expanded)
        if np.isnan(cost):
            raise GaveUpError
        return (path, float(cost)) if path.size else None

    def cost(self, agent: int, path: Row) -> float:
        """Return what a path costs to its end, of several arcs between two vertices by the cheapest."""
        board = self.board
        total = 0.0
        for v, w in zip(path[:-1].tolist(), path[1:].tolist(), strict=True):
            row = slice(board.indptr[v], board.indptr[v + 1])
            total += 1.0 if v == w else float(self.weights[agent][row][board.indices[row] == w].min())
        return total

    def no_way(self, agent: int) -> Result[Plan]:
        """Return the result for an agent that has no path even alone."""
        return self.board.no_way(agent, changing="changes" in self.board.instance.features)

    def in_turn(self, order: Iterable[int]) -> list[Row] | None:
        """Plan agents one after the other, each out of the way of those before; None if one of them is found no way.

        Returns a path for each agent, by its number: sound for the rules, not the cheapest together.
        """
        board, rules = self.board, self.board.instance.rules
        paths: list[Row] = [np.empty(0, np.int32)] * board.agents
        done: list[int] = []
        for agent in order:
            bans, parked = ways_around(
                [paths[a] for a in done], stay=rules.stay, swap=rules.swap, following=rules.following
            )
            try:
                found = self.path(agent, bans, parked=parked)
            except GaveUpError:
                return None
            if found is None:
                return None
            paths[agent] = found[0]
            done.append(agent)
        return paths

    def _closed(self, parked: Sequence[tuple[int, int]]) -> tuple[Row, Row, Row]:
        indptr, first, last = self.board.closed
        if not parked:
            return indptr, first, last
        vertices = np.repeat(np.arange(self.board.count), np.diff(indptr))
        where, since = (np.array(column) for column in zip(*parked, strict=True))
        vertices = np.concatenate([vertices, where])
        order = np.argsort(vertices, kind="stable")
        longer = np.zeros(self.board.count + 1, np.int32)
        np.cumsum(np.bincount(vertices, minlength=self.board.count), out=longer[1:])
        first = np.concatenate([first, since]).astype(np.int32)[order]
        return longer, first, np.concatenate([last, np.full(where.size, FAR)]).astype(np.int32)[order]


def timetable(paths: Sequence[Row], *, stay: bool = True) -> Row:
    """Return int32[steps + 1, k]: where each agent is at each time; behind its path at its end, or -1 (gone)."""
    longest = max((path.size for path in paths), default=0)
    table = np.empty((longest, len(paths)), np.int32)
    for i, path in enumerate(paths):
        table[: path.size, i] = path
        table[path.size :, i] = path[-1] if stay else -1
    return table


def _checked(rows: Sequence[Floats], agents: int, size: int, name: str) -> list[Floats]:
    """Return float64[size] of each agent, which kernels read without a look at the length."""
    check_kind(rows, (list, tuple, np.ndarray), f"{name} of the agents")
    if len(rows) != agents:
        raise InputError(f"{name} of the agents", found=f"{len(rows)} rows", expected=f"{agents}, one for each agent")
    return [np.array(freeze(row, np.float64, (size,), f"{name} of agent {a}")) for a, row in enumerate(rows)]


def _weights(board: Board) -> Floats:
    """Return float64[m]: what each arc of the board costs."""
    space = board.instance.space
    if isinstance(space, Graph):
        return np.array(space.weights)
    price = space.cost.reshape(-1)[board.vertices]
    return np.where(np.isfinite(price), price, 1.0)[board.indices]


def _to_goal(board: Board, weights: Floats) -> list[Floats]:
    """Return for each agent float64[count]: the cost to its goal with nobody in the way."""
    tails = np.repeat(np.arange(board.count), np.diff(board.indptr))
    back = Graph.from_arcs(np.zeros((board.count, 2)), board.indices, tails, weights)
    return [distances(back, [goal])[0] for goal in board.goals.tolist()]


def _last_times(closed: tuple[Row, Row, Row], count: int) -> Row:
    """Return int32[count]: the last time at which each vertex is closed, -1 for never."""
    indptr, _, last = closed
    times = np.full(count, -1, np.int32)
    np.maximum.at(times, np.repeat(np.arange(count), np.diff(indptr)), last)
    return times


def _keys(bans: Iterable[Ban], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the bans of places and of moves as rising numbers, in the order of their times."""
    places: list[int] = []
    moves: list[int] = []
    for tail, head, time in bans:
        if head < 0:
            places.append(time * count + tail)
        else:
            moves.append((time * count + tail) * count + head)
    return np.array(sorted(places), np.int64), np.array(sorted(moves), np.int64)


def ways_around(
    paths: Sequence[Row], *, stay: bool, swap: bool, following: bool
) -> tuple[list[Ban], list[tuple[int, int]]]:
    """Return what keeps out of the way of these paths: bans, and where their agents park since when."""
    bans: list[Ban] = []
    for path in paths:
        steps = path.tolist()
        for time, vertex in enumerate(steps):
            bans.append((vertex, -1, time))
            if following:
                bans += [(vertex, -1, time + 1)] + ([(vertex, -1, time - 1)] if time else [])
            elif swap and time:
                bans.append((vertex, steps[time - 1], time))
    return bans, [(int(path[-1]), path.size - 1) for path in paths] if stay else []


@kernel
def _search(
    indptr: Any,
    indices: Any,
    weights: Any,
    to_goal: Any,
    start: int,
    goal: int,
    places: Any,
    moves: Any,
    closed_row: Any,
    closed_first: Any,
    closed_last: Any,
    others: Any,
    hold: int,
    end: int,
    wait: bool,
    most: int,
) -> Any:
    """Return path, cost and number of expansions; an empty path if there is none, of cost nan if it gave up.

    A state is a vertex and a time, all times behind `end` being one; the goal counts only behind the time `hold`.
    """
    count = len(indptr) - 1
    state = np.empty((256, 5), np.int64)  # vertex, time, parent, meetings with others, whether it is done with
    g = np.empty(256, np.float64)
    table = np.full(1024, -1, np.int64)
    heap = np.empty((256, 3), np.float64)
    rows, size, expanded = 1, 1, 0
    state[0, 0], state[0, 1], state[0, 2], state[0, 3], state[0, 4], g[0] = start, 0, -1, 0, 0, 0.0
    if _shut(start, 0, count, places, closed_row, closed_first, closed_last):
        return np.empty(0, np.int32), np.inf, expanded
    table[_place(table, state, start, 0, count, end)] = 0
    heap_push(heap, 0, 0.0, 0.0, 0)
    while size:
        i = heap_pop(heap, size)
        size -= 1
        if state[i, 4]:
            continue
        v, time = state[i, 0], state[i, 1]
        if v == goal and time > hold:
            return _walked(state, i), g[i], expanded
        state[i, 4] = 1
        expanded += 1
        for a in range(indptr[v] - 1, indptr[v + 1]):
            staying = a < indptr[v]
            if staying and not wait:
                continue
            w = v if staying else int(indices[a])  # int32 would overflow below
            cost = g[i] + (1.0 if staying else weights[a])
            estimate = to_goal[w]
            if cost == np.inf:
                continue
            if estimate == np.inf:
                if not (staying and v == start):
                    continue
                estimate = 0.0  # nothing is known of a start that must be left
            if _shut(w, time + 1, count, places, closed_row, closed_first, closed_last):
                continue
            if not staying and _among(moves, ((time + 1) * count + v) * count + w):
                continue
            if 2 * rows >= len(table):
                table = _rehashed(table, state, rows, count, end)
            place = _place(table, state, w, time + 1, count, end)
            j = table[place]
            if j >= 0 and (state[j, 4] or g[j] <= cost):
                continue
            if j >= 0:
                state[j, 4] = 1  # a dearer way to the same state
            if rows == len(g):
                if rows >= most:
                    return np.empty(0, np.int32), np.nan, expanded
                g = np.concatenate((g, g))
                state = np.concatenate((state, state))
            if size + 1 >= len(heap):
                heap = heap_grown(heap, size, 1)
            table[place] = rows
            met = state[i, 3] + _meetings(others, v, w, time + 1)
            state[rows, 0], state[rows, 1], state[rows, 2], state[rows, 3] = w, time + 1, i, met
            state[rows, 4], g[rows] = 0, cost
            heap_push(heap, size, cost + estimate, met * 1048576.0 - cost, rows)
            rows += 1
            size += 1
    return np.empty(0, np.int32), np.inf, expanded


@kernel
def _walked(state: Any, i: int) -> Any:
    """Return the vertices on the way to a state."""
    path = np.empty(state[i, 1] + 1, np.int32)
    while i >= 0:
        path[state[i, 1]] = state[i, 0]
        i = state[i, 2]
    return path


@leaf
def _place(table: Any, state: Any, v: int, time: int, count: int, end: int) -> int:
    """Return the place in the hash table of the state (v, time), or the empty place where it belongs."""
    layer = min(time, end + 1)
    mask = len(table) - 1
    place = ((layer * count + v) * 0x9E3779B1) >> 7 & mask
    while table[place] >= 0:
        row = table[place]
        if state[row, 0] == v and min(state[row, 1], end + 1) == layer:
            break
        place = (place + 1) & mask
    return place


@kernel
def _rehashed(table: Any, state: Any, rows: int, count: int, end: int) -> Any:
    """Return a hash table twice as long with all states; of two rows of one state the later."""
    longer = np.full(2 * len(table), -1, np.int64)
    for row in range(rows):
        longer[_place(longer, state, state[row, 0], state[row, 1], count, end)] = row
    return longer


@kernel
def _shut(v: int, time: int, count: int, places: Any, row: Any, first: Any, last: Any) -> bool:
    """Whether a vertex is banned or closed at a time."""
    for k in range(row[v], row[v + 1]):
        if first[k] <= time <= last[k]:
            return True
    return _among(places, time * count + v)


@kernel
def _among(keys: Any, key: int) -> bool:
    """Whether a number is among rising ones."""
    k = np.searchsorted(keys, key)
    return bool(k < len(keys) and keys[k] == key)


@leaf
def _meetings(others: Any, v: int, w: int, time: int) -> int:
    """Return how many of the others an agent meets that comes from v to w at a time."""
    if len(others) == 0:
        return 0
    now, before = others[min(time, len(others) - 1)], others[min(time - 1, len(others) - 1)]
    met = 0
    for k in range(len(now)):
        if now[k] == w or (now[k] == v and before[k] == w):
            met += 1
    return met
