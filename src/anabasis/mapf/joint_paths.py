"""Joint paths of a group under bans, the cheapest together: A* where in each step the agents choose one by one.

T. Standley, "Finding Optimal Solutions to Cooperative Pathfinding Problems", 2010 (operator decomposition); it is the
low level of meta-agents: G. Sharon, R. Stern, A. Felner and N. Sturtevant, "Meta-Agent Conflict-Based Search for
Optimal Multi-Agent Path Finding", 2012.

A state is the places before the step, those chosen so far, and the time of the former; all times behind the last ban or
closing are alike and are searched as one, so that the search ends even if there is no way. A place is a vertex, or
`~vertex` for an agent that is at its goal for good: it rests there, or is gone if agents vanish.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise, product
from math import prod

import numpy as np

from anabasis.mapf.board import FAR, Board
from anabasis.mapf.conflicts import Ban
from anabasis.mapf.priced_search import Row

__all__ = ["JointPaths", "TooManyError"]

_UNIT = 100  # states that count as one unit of work

Places = tuple[int, ...]
State = tuple[Places, Places, int]


class TooManyError(Exception):
    """As many states were expanded as may be."""


class JointPaths:
    """Finds the cheapest paths of groups on a board; it counts the states that it expands."""

    def __init__(self, board: Board, steps: Row, limit: int) -> None:
        """Prepare a board. steps: its `distances`; limit: most states of all searches together."""
        self.limit, self.expanded = limit, 0
        self.board, self.steps, self.stay = board, steps, board.instance.rules.stay
        self.around: list[list[int]] = [board.indices[a:b].tolist() for a, b in pairwise(board.indptr.tolist())]
        indptr, first, last = (array.tolist() for array in board.closed)
        self.closed = [list(zip(first[a:b], last[a:b], strict=True)) for a, b in pairwise(indptr)]
        self.settled = max(
            (since if until >= FAR else until for since, until in zip(first, last, strict=True)), default=-1
        )

    def find(
        self, members: Sequence[int], bans: Sequence[Sequence[Ban]], others: Row
    ) -> Generator[None, None, list[Row] | None]:
        """Return a path for each member, of equal costs those that meet few of the others, or None: proved.

        bans: for each member; others: the timetable of those who are not members. Yields after each 100 states; raises
        TooManyError at the limit, which holds for the states to begin with too: two for each agent at its goal.
        """
        end = max([self.settled, *(time for row in bans for _, _, time in row)])
        crowd = _Crowd(others)
        agents = [_Member(self, agent, row, end) for agent, row in zip(members, bans, strict=True)]
        best: dict[State, int] = {}
        parent: dict[State, State] = {}
        heap: list[tuple[int, int, int, int, int, State]] = []  # value, meetings, minus cost, number, time, state
        beginnings = [agent.beginnings() for agent in agents]
        if prod(map(len, beginnings)) > self.limit:
            raise TooManyError
        for places in product(*beginnings):
            best[places, (), 0] = 0
            heappush(
                heap, (sum(m.left(v) for m, v in zip(agents, places, strict=True)), 0, 0, len(heap), 0, (places, (), 0))
            )
        number = len(heap)
        while heap:
            value, met, minus, _, time, state = heappop(heap)
            before, chosen, layer = state
            if best[state] < -minus:
                continue
            if not chosen and all(v < 0 for v in before):
                return self._walked(state, parent, agents)
            if self.expanded >= self.limit:
                raise TooManyError
            self.expanded += 1
            if self.expanded % _UNIT == 0:
                yield
            i = len(chosen)
            full = i + 1 == len(agents)
            for after, price, rise in agents[i].ways(before[i], layer):
                if not self._apart(before, chosen, before[i], after):
                    continue
                places = (*chosen, after)
                new = (places, (), min(layer + 1, end + 1)) if full else (before, places, layer)
                cost = price - minus
                if best.get(new, FAR) <= cost:
                    continue
                best[new], parent[new] = cost, state
                number += 1
                meetings = met + crowd.meetings(before[i], after, time + 1)
                heappush(heap, (value + rise, meetings, -cost, number, time + full, new))
        return None

    def _apart(self, before: Places, chosen: Places, start: int, after: int) -> bool:
        """Whether the next agent may go from its start to the place after it, beside those that have chosen."""
        here, there = self._spot(start), self._spot(after)
        if there < 0:
            return True
        for v, w in zip(before, chosen, strict=False):
            other = self._spot(w)
            if other == there or (other == here and self._spot(v) == there):
                return False
        return True

    def _spot(self, place: int) -> int:
        """Return the vertex of a place, negative if the agent is gone."""
        return ~place if place < 0 and self.stay else place

    def _walked(self, state: State | None, parent: dict[State, State], agents: list[_Member]) -> list[Row]:
        """Return the path of each agent until it is at its goal for good."""
        rows: list[Places] = []
        while state is not None:
            if not state[1]:
                rows.append(state[0])
            state = parent.get(state)
        rows.reverse()
        paths: list[Row] = []
        for agent, column in zip(agents, zip(*rows, strict=True), strict=True):
            arrived = next(t for t, place in enumerate(column) if place < 0)
            path = [*column[:arrived], agent.goal] if self.stay else column[:arrived]
            paths.append(np.array(path, np.int32))
        return paths


class _Member:
    """One agent of a group: its ways from each place, as far as it is alone."""

    def __init__(self, joint: JointPaths, agent: int, bans: Sequence[Ban], end: int) -> None:
        board = joint.board
        self.start, self.goal = int(board.starts[agent]), int(board.goals[agent])
        self._joint, self._steps, self._end = joint, joint.steps[agent], end
        self._bans = set(bans)
        self._hold = -1  # the last time at which it can't be at its goal
        if joint.stay:
            times = [time for tail, head, time in bans if tail == self.goal and head < 0]
            self._hold = max([-1, *times, *(last for _, last in joint.closed[self.goal])])
        self._ways: dict[tuple[int, int], list[tuple[int, int, int]]] = {}

    def beginnings(self) -> list[int]:
        """Return the places at first: the start, and resting there for good if it may."""
        rests = self._joint.stay and self.start == self.goal and self._hold < 0
        return [self.start, ~self.start] if rests else [self.start]

    def left(self, place: int) -> int:
        """Return how many steps are left at least; an agent at its goal, but not for good, must leave and return."""
        return 0 if place < 0 else 2 if place == self.goal and self._joint.stay else int(self._steps[place])

    def ways(self, place: int, time: int) -> list[tuple[int, int, int]]:
        """Return where it may go: (place after the step, price, by how much the value rises)."""
        found = self._ways.get((place, time))
        if found is None:
            found = self._ways[place, time] = [
                (after, price, price + self.left(after) - self.left(place))
                for after, price in self._options(place, time + 1)
            ]
        return found

    def _options(self, place: int, time: int) -> Iterator[tuple[int, int]]:
        """Yield the places of the step at a time and what the step costs."""
        joint = self._joint
        if place < 0 or (place == self.goal and not joint.stay):
            yield min(place, ~place), 0
            return
        for after in (*joint.around[place], place):
            shut = (after, -1, time) in self._bans or (place, after, time) in self._bans
            if shut or self._steps[after] >= FAR or any(a <= time <= b for a, b in joint.closed[after]):
                continue
            yield after, 1
            if joint.stay and after == self.goal != place and time > self._hold:
                yield ~after, 1


class _Crowd:
    """Where agents outside the group are, for counting whom a member would meet."""

    def __init__(self, others: Row) -> None:
        rows: list[list[int]] = others.tolist()
        self._there = [set(row) for row in rows] or [set[int]()]
        self._moves = [set(zip(now, before, strict=True)) for before, now in pairwise(rows)]

    def meetings(self, start: int, after: int, time: int) -> int:
        """Return whether somebody is met in a place, or changes places, as 0 or 1."""
        start, after = max(start, ~start), max(after, ~after)
        there = after in self._there[min(time, len(self._there) - 1)]
        return int(there or (0 < time <= len(self._moves) and (start, after) in self._moves[time - 1]))
