"""Joint search: the exact optimum of tiny multi-agent problems by A* over the places of all agents at once.

T. Standley, "Finding Optimal Solutions to Cooperative Pathfinding Problems", 2010, for the search; M. Goldenberg et
al., "Enhanced Partial Expansion A*", 2014: of a state's successors only those with the value in hand are made. Plain
Python, for tests: it knows the rules from their definitions and nothing of the solvers. Two to four agents on a few
dozen vertices take milliseconds to some tenths of a second.

A state is a tuple, a place for each agent: a vertex; `~vertex` for an agent that has arrived for good and rests there;
GONE for one that has vanished.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from anabasis.graph import Graph
from anabasis.instance import Instance

__all__ = ["Answer", "TooLargeError", "joint_search", "solvable"]

GONE = 2**40
NEVER = 10**9
State = tuple[int, ...]


class TooLargeError(Exception):
    """More states than the test asked for."""


@dataclass(frozen=True)
class Answer:
    """An optimal solution: its cost (sum of costs or makespan) and its rows, vertices of the instance (int[t, k])."""

    cost: int
    rows: NDArray[np.int64]


def joint_search(instance: Instance, objective: str = "sum", *, most: int = 2_000_000) -> Answer | None:
    """Return an optimal solution for "sum" of costs or "makespan", or None: proved to have no solution.

    Raises TooLargeError after `most` states were looked at.
    """
    return _Joint(instance, objective).search(most)


def solvable(instance: Instance, *, most: int = 2_000_000) -> bool:
    """Whether the instance has a solution."""
    return joint_search(instance, "makespan", most=most) is not None


class _Joint:
    """An instance as the search sees it."""

    def __init__(self, instance: Instance, objective: str) -> None:
        assert objective in ("sum", "makespan")
        self.rules, self.additive = instance.rules, objective == "sum"
        self.agents = range(instance.size)
        self.starts: list[int] = instance.starts.tolist()
        self.goals: list[int] = instance.goals.tolist()
        self.sides: list[int] = instance.sizes.tolist()
        self.width = 0 if isinstance(instance.space, Graph) else instance.space.width
        self.height = 0 if isinstance(instance.space, Graph) else instance.space.height
        self.around = _neighbours(instance)
        self.closed = _closed(instance)
        self.settled = len(self.closed) - 1  # nothing changes after it
        # to arrive for good is a choice of its own where that is free of cost, or where waiting is not allowed
        self.commits = self.rules.stay and (self.additive or not self.rules.wait)
        self.area = cache(self._area)
        self.may_rest = cache(self._may_rest)
        self.apart = cache(self._apart)
        self.to_goal = [self._distances(a) for a in self.agents]

    def search(self, most: int) -> Answer | None:
        """Return an optimum, None if every state that can be reached was looked at."""
        best: dict[tuple[State, int], int] = {}
        parent: dict[tuple[State, int], tuple[State, int]] = {}
        heap: list[tuple[int, int, int, State, int]] = []  # value, minus steps, number, state, cost
        for state in self._beginnings():
            best[state, 0] = 0
            heap.append((self._estimate(state), 0, len(heap), state, 0))
        heapq.heapify(heap)
        number = len(heap)
        while heap:
            value, steps, _, state, cost = heapq.heappop(heap)
            time = -steps
            key = state, min(time, self.settled)
            if value >= NEVER or best[key] < cost:
                continue
            if self._done(state, time):
                return Answer(cost, self._rows(key, parent))
            price = cost + (sum(self._pays(a, v) for a, v in enumerate(state)) if self.additive else 1)
            successors, again = self._successors(state, time + 1, value - price)
            for after in successors:
                new = after, min(time + 1, self.settled)
                if best.get(new, NEVER) > price:
                    best[new], parent[new] = price, key
                    number += 1
                    heapq.heappush(heap, (price + self._estimate(after), -time - 1, number, after, price))
            if again < NEVER:
                heapq.heappush(heap, (price + again, -time, number, state, cost))
            if len(best) > most:
                raise TooLargeError
        return None

    def _beginnings(self) -> Iterator[State]:
        """The first row, once for each choice of those who are at their goals and rest there for good."""
        start = tuple(self.starts)
        if any(self._shut(a, v, 0) for a, v in enumerate(start)):
            return
        if any(not self.apart(a, start[a], start[a], b, start[b], start[b]) for a in self.agents for b in range(a)):
            return
        choices = [
            (v, ~v) if self.commits and v == self.goals[a] and self.may_rest(a, v, 0) else (v,)
            for a, v in enumerate(start)
        ]
        yield from product(*choices)

    def _pays(self, a: int, place: int) -> bool:
        """Whether a step from this place counts for the agent."""
        return place >= 0 and place != GONE and (self.rules.stay or place != self.goals[a])

    def _estimate(self, state: State) -> int:
        return self._joined([self._left(a, v) for a, v in enumerate(state)])

    def _joined(self, parts: list[int]) -> int:
        return sum(parts) if self.additive else max(parts, default=0)

    def _left(self, a: int, place: int) -> int:
        """The steps that an agent has left at least."""
        return 0 if place < 0 or place == GONE else self.to_goal[a].get(place, NEVER)

    def _done(self, state: State, time: int) -> bool:
        if self.commits:
            return all(v < 0 for v in state)
        if not self.rules.stay:
            return all(v in (GONE, self.goals[a]) for a, v in enumerate(state))
        return all(v == self.goals[a] and self.may_rest(a, v, time) for a, v in enumerate(state))

    def _options(self, a: int, place: int, time: int) -> list[int]:
        """Where an agent may be next, in the step `time`, as far as it is alone."""
        goal = self.goals[a]
        if place < 0 or place == GONE:
            return [place]
        if not self.rules.stay and place == goal:
            return [GONE]
        options: list[int] = []
        for v in [*self.around[place], *([place] if self.rules.wait else [])]:
            if v in self.to_goal[a] and not self._shut(a, v, time):
                options.append(v)
                if self.commits and v == goal and v != place and self.may_rest(a, v, time):
                    options.append(~v)
        return options

    def _successors(self, state: State, time: int, value: int) -> tuple[list[State], int]:
        """Return the next states with exactly this estimate, and a bound of the others (NEVER: there are none)."""
        options = [
            sorted((self._left(a, after), after) for after in self._options(a, place, time))
            for a, place in enumerate(state)
        ]
        if not all(options):
            return [], NEVER
        least = [choice[0][0] for choice in options]
        found: list[State] = []
        beyond = NEVER

        def choose(chosen: State, parts: list[int]) -> None:
            nonlocal beyond
            a = len(chosen)
            if a == len(state):
                if self._joined(parts) == value and (not self.rules.cycle or not self._ring(state, chosen)):
                    found.append(chosen)
                return
            for left, after in options[a]:
                total = self._joined([*parts, left, *least[a + 1 :]])
                if total > value:
                    beyond = min(beyond, total)
                    break  # the options rise
                if all(self.apart(a, state[a], after, b, state[b], chosen[b]) for b in range(a)):
                    choose((*chosen, after), [*parts, left])

        choose((), [])
        return found, beyond

    def _apart(self, a: int, start: int, end: int, b: int, other_start: int, other_end: int) -> bool:
        """Whether two agents may move from start to end at once."""
        rules = self.rules
        both = GONE not in (end, other_end)
        if rules.vertex and both and self.area(a, end) & self.area(b, other_end):
            return False
        together = start == other_start and max(end, ~end) == max(other_end, ~other_end)
        if rules.edge and both and together and start != max(end, ~end):
            return False
        behind, ahead = self._enters(a, start, end, b, other_start), self._enters(b, other_start, other_end, a, start)
        return not (rules.following and (behind or ahead)) and not (rules.swap and both and behind and ahead)

    def _enters(self, a: int, start: int, end: int, b: int, place: int) -> bool:
        """Whether an agent enters where another was one step before."""
        return bool((self.area(a, end) - self.area(a, start)) & self.area(b, place))

    def _ring(self, state: State, after: State) -> bool:
        """Whether three or more agents move round in a ring."""
        pairs = {
            (a, b)
            for a in self.agents
            for b in self.agents
            if a != b and self._enters(a, state[a], after[a], b, state[b])
        }
        return any(
            all(pair in pairs for pair in zip(ring, ring[1:] + ring[:1], strict=True))
            for length in range(3, len(state) + 1)
            for ring in permutations(self.agents, length)
        )

    def _area(self, a: int, place: int) -> frozenset[int]:
        """The vertices that an agent covers; nothing once it is gone."""
        if place == GONE:
            return frozenset()
        corner, side = (place if place >= 0 else ~place), self.sides[a]
        return frozenset(corner + y * self.width + x for y in range(side) for x in range(side))

    def _fits(self, a: int, v: int) -> bool:
        """Whether the map has all cells that the agent would cover."""
        side = self.sides[a]
        return side == 1 or (v % self.width + side <= self.width and v // self.width + side <= self.height)

    def _shut(self, a: int, v: int, time: int) -> bool:
        return not self._fits(a, v) or bool(self.area(a, v) & self.closed[min(time, self.settled)])

    def _may_rest(self, a: int, v: int, time: int) -> bool:
        """Whether nothing that the agent covers is closed at any time from now on."""
        return not any(self._shut(a, v, t) for t in range(min(time, self.settled), self.settled + 1))

    def _distances(self, a: int) -> dict[int, int]:
        """The steps to the goal from everywhere it can be reached from, through whatever is ever open."""
        back: dict[int, list[int]] = {v: [] for v in range(len(self.around))}
        for v, heads in enumerate(self.around):
            for w in heads:
                back[w].append(v)
        steps = {self.goals[a]: 0}
        queue = deque([self.goals[a]])
        while queue:
            w = queue.popleft()
            for v in back[w]:
                if v not in steps and not all(self._shut(a, v, t) for t in range(self.settled + 1)):
                    steps[v] = steps[w] + 1
                    queue.append(v)
        return steps

    def _rows(self, key: tuple[State, int], parent: dict[tuple[State, int], tuple[State, int]]) -> NDArray[np.int64]:
        states = [key[0]]
        while key in parent:
            key = parent[key]
            states.append(key[0])
        rows = [[self.goals[a] if v < 0 or v == GONE else v for a, v in enumerate(s)] for s in reversed(states)]
        return np.array(rows, np.int64).reshape(len(states), len(self.agents))


def _neighbours(instance: Instance) -> list[list[int]]:
    """Return where the arcs from each vertex lead, walls or not."""
    space = instance.space
    if isinstance(space, Graph):
        return [space.indices[space.indptr[v] : space.indptr[v + 1]].tolist() for v in range(space.size)]
    w, h = space.width, space.height
    sides = ((0, -1), (-1, 0), (1, 0), (0, 1))
    return [
        [(y + dy) * w + x + dx for dx, dy in sides if 0 <= x + dx < w and 0 <= y + dy < h]
        for y in range(h)
        for x in range(w)
    ]


def _closed(instance: Instance) -> list[set[int]]:
    """Return the closed vertices of each step up to that of the last change."""
    space = instance.space
    now = set[int]() if isinstance(space, Graph) else set(np.flatnonzero(~space.free).tolist())
    changes = list(
        zip(
            instance.change_times.tolist(),
            instance.change_vertices.tolist(),
            instance.change_blocked.tolist(),
            strict=True,
        )
    )
    steps: list[set[int]] = []
    for t in range(max((time for time, _, _ in changes), default=0) + 1):
        for time, vertex, blocked in changes:
            if time == t:
                (now.add if blocked else now.discard)(vertex)
        steps.append(set(now))
    return steps
