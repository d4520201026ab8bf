"""Pickup and delivery by token passing: who is free takes the nearest task and a way among the ways of all others.

H. Ma, J. Li, T. K. S. Kumar, S. Koenig, "Lifelong Multi-Agent Path Finding for Online Pickup and Delivery Tasks", 2017
(token passing, TP; well-formed instances).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.errand_log import ErrandLog, LifelongRun, check_errands
from anabasis.mapf.errands import ANYBODY, Errands
from anabasis.mapf.timed_search import Distances, Reserved
from anabasis.options import check_count
from anabasis.result import Result

__all__ = ["TokenPassing", "token_passing", "well_formed"]

Shorts = NDArray[np.int32]


def well_formed(space: Grid | Graph, errands: Errands) -> str:
    """Return why errands are not well-formed, in one sentence; "" if they are.

    They are if between any two endpoints (starts of agents and places of tasks) there is a way that passes no other
    endpoint, and no start is a place of a task, so that there is a place to wait for everybody. Then token passing
    does every task. Raises InputError for a place that the map does not have.
    """
    board = Board(Instance.of(space, [], []), "token passing", {"directed"})
    check_errands(board, errands)
    ends = np.unique(np.concatenate([errands.starts, errands.places]))
    numbers = board.number[ends]
    if (numbers < 0).any():
        return f"{board.name(int(ends[numbers < 0][0]))} is blocked"
    shared = np.intersect1d(errands.starts, errands.places)
    if shared.size:
        return f"a task leads to the start of an agent, {board.name(int(shared[0]))}"
    first, second = _parted(board.indptr, board.indices, numbers)
    if first < 0:
        return ""
    names = (board.name(int(board.vertices[place])) for place in (first, second))
    return "no way leads from {} to {} but through other endpoints".format(*names)


def token_passing(
    space: Grid | Graph, errands: Errands, *, steps: int = 10_000, limit: int = 200_000
) -> Result[LifelongRun]:
    """Let agents do the tasks of a common stream for at most `steps` steps.

    SOLVED if all were done, which is certain for well-formed errands (`well_formed`) with steps and limit large enough;
    others are tried as well, and LIMIT tells where they got stuck. limit: nodes of one search. The rules are that no
    two agents are in one place or change places.
    """
    run = TokenPassing(space, errands, limit=limit)
    run.advance(check_count(steps, "steps"))
    return run.result


class TokenPassing:
    """Agents under way with pickups and deliveries; the state outlives a call.

    ways: where each agent will be from this step on (numbers of the board); it rests at the end of it.
    """

    def __init__(self, space: Grid | Graph, errands: Errands, *, limit: int = 200_000, patience: int = 1000) -> None:
        """Put everybody at its start.

        patience: so many steps without anybody getting to a place of its task end the run. Raises InputError for
        errands in which agents enter later, leave, or have tasks of their own.
        """
        self.board = Board(Instance.of(space, [], []), "token passing", {"directed"})
        check_errands(self.board, errands)
        if errands.leave or errands.enter.any() or (errands.agent != ANYBODY).any():
            raise InputError(
                "token passing can't do these errands",
                found="agents that enter later, leave or have tasks of their own",
                expected="a stream of tasks for agents that are there from step 0 on",
                hint="`lifelong` can",
            )
        self.limit = check_count(limit, "limit", 1)
        self.reserved = Reserved(self.board)
        self.distances = Distances(self.board, 64)
        self.ends = np.unique(self.board.number[np.concatenate([errands.starts, errands.places])])
        self.log = ErrandLog(self.board, errands, check_count(patience, "patience", 1), deals=False)
        self.ways: list[Shorts] = []
        self.waits = 0  # how many searches found no way
        for agent, place in enumerate(self.log.places.tolist()):
            self.ways.append(np.array([place], np.int32))
            self.reserved.reserve(agent, self.ways[agent], 0, rest=True)
        self._longest = self.board.count

    @property
    def result(self) -> Result[LifelongRun]:
        """What was walked and done so far: SOLVED once all is done, else LIMIT."""
        return self.log.result({"expanded": self.reserved.expanded, "waits": self.waits})

    def advance(self, count: int) -> bool:
        """Walk at most `count` steps; return whether it has ended: all is done, or it is stuck."""
        for _ in range(check_count(count, "count")):
            if self.log.ended:
                return True
            self._pass_token()
            for agent, way in enumerate(self.ways):
                if len(way) > 1:
                    self.ways[agent] = way[1:]
            self.log.walk(np.array([way[0] for way in self.ways], np.int32))
            if self.log.step % 256 == 0:
                self.reserved.forget(self.log.step)
        return self.log.ended

    def _pass_token(self) -> None:
        """Let each agent at the end of its way, in order, take a task or make room."""
        ends = {int(way[-1]) for way in self.ways}
        for agent, way in enumerate(self.ways):
            if len(way) > 1 or self.log.task[agent] >= 0:
                continue
            here = int(way[-1])
            ends.discard(here)
            self._take(agent, here, ends)
            ends.add(int(self.ways[agent][-1]))

    def _take(self, agent: int, here: int, ends: set[int]) -> None:
        """Give an agent the nearest task at whose places no other way ends, or a place where it is in nobody's way."""
        log = self.log
        known = [number for number in log.stream if log.errands.release[number] <= log.step]
        fit = [number for number in known if not ends.intersection(log.targets[number])]
        number = log.nearest(agent, fit)
        if number >= 0:
            if self._go(agent, here, log.targets[number]):
                log.give(agent, number)
            return
        deliveries = {log.targets[number][-1] for number in known}
        if here not in deliveries:
            return
        steps = self.board.steps_from(here)[self.ends]
        for i in np.argsort(steps, kind="stable").tolist():
            place = int(self.ends[i])
            if steps[i] < FAR and place not in ends and place not in deliveries and self._go(agent, here, [place]):
                return

    def _go(self, agent: int, here: int, places: list[int]) -> bool:
        """Whether there is a way through the places; then the agent goes it."""
        now, rests = self.log.step, int(self.reserved.rests[here])
        self.reserved.rests[here] = FAR
        until = max(now, int(self.reserved.last.max(initial=0))) + (len(places) + 1) * self._longest
        way = self.reserved.way(here, now, places, self.distances, until=until, rest=True, limit=self.limit)
        if way is None:
            self.reserved.rests[here] = rests
            self.waits += 1
            return False
        self.ways[agent] = way
        self.reserved.reserve(agent, way, now, rest=True)
        return True


@kernel
def _parted(indptr: Any, indices: Any, ends: Any) -> Any:
    """Return the first two endpoints between which there is no way but through others, or (-1, -1)."""
    n = indptr.size - 1
    kind = np.zeros(n, np.uint8)
    kind[ends] = 1
    queue, seen = np.empty(n, np.int32), np.full(n, -1, np.int32)
    for start in ends:
        queue[0], seen[start] = start, start
        first, last = 0, 1
        while first < last:
            u = queue[first]
            first += 1
            if kind[u] == 1 and u != start:
                continue
            for a in range(indptr[u], indptr[u + 1]):
                v = indices[a]
                if seen[v] != start:
                    seen[v] = start
                    queue[last] = v
                    last += 1
        for end in ends:
            if seen[end] != start:
                return start, end
    return -1, -1
