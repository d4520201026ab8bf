"""Errand log: who is where with which task, what was done when, and whether anything still moves on.

It serves every method of lifelong planning: they decide the steps, the log applies them and deals out the tasks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.errands import ANYBODY, Errands
from anabasis.mapf.timed_search import Distances
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_kind
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["ErrandLog", "LifelongRun", "check_errands"]

Shorts, Longs = NDArray[np.int32], NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LifelongRun:
    """What was walked and done.

    - vertices: int64[steps + 1, k], where each agent was, -1 while it is not there;
    - task, agent, taken, done: int64[f] for each finished task, in the order of finishing: its number, who did it, the
      steps in which it was taken up and finished;
    - release: int64[f], the step from which it was known.
    """

    vertices: Longs
    task: Longs
    agent: Longs
    taken: Longs
    done: Longs
    release: Longs

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "vertices", freeze(self.vertices, np.int64, (None, None), "vertices"))
        task = freeze(self.task, np.int64, (None,), "task")
        for name in ("task", "agent", "taken", "done", "release"):
            set_field(self, name, freeze(getattr(self, name), np.int64, task.shape, name))

    @property
    def steps(self) -> int:
        """Number of steps walked."""
        return max(0, len(self.vertices) - 1)

    @property
    def throughput(self) -> float:
        """Tasks finished a step."""
        return self.task.size / self.steps if self.steps else 0.0

    @property
    def service_times(self) -> Longs:
        """int64[f]: the steps from the release of each finished task to its end."""
        return self.done - self.release

    @property
    def plan(self) -> Plan:
        """The plan that was walked; raises InputError if an agent was not there all the time."""
        if (self.vertices < 0).any():
            raise InputError("agents enter or leave, so there is no plan of all", expected="a run of the same agents")
        return Plan(self.vertices)


class ErrandLog:
    """The state of agents with errands.

    places: int32[k] numbers of the board, -1 for those not there. task: int64[k], -1 for none; stage: int64[k], how
    many of its places are passed.
    """

    def __init__(self, board: Board, errands: Errands, patience: int, *, deals: bool = True) -> None:
        """Put everybody who enters in step 0 on the map; raises InputError if a place is blocked or does not exist.

        patience: see `lifelong`. deals: whether the log gives the tasks of the stream to those who are free.
        """
        self.board, self.errands, self.patience, self.deals = board, errands, patience, deals
        check_errands(board, errands)
        _check_free(board, errands)
        k = errands.size
        self.starts: Shorts = board.number[errands.starts]
        self.targets: list[list[int]] = [board.number[errands.task(i)].tolist() for i in range(errands.tasks)]
        self.places: Shorts = np.full(k, -1, np.int32)
        self.task: Longs = np.full(k, -1, np.int64)
        self.stage: Longs = np.zeros(k, np.int64)
        self.since: Longs = np.zeros(k, np.int64)  # the step of the last place reached, or of entering
        self.taken: Longs = np.zeros(k, np.int64)
        self.outside: list[int] = np.argsort(errands.enter, kind="stable").tolist()
        self.own: list[list[int]] = [[] for _ in range(k)]
        for number in range(errands.tasks - 1, -1, -1):
            if errands.agent[number] != ANYBODY:
                self.own[errands.agent[number]].append(number)
        self.stream: list[int] = np.flatnonzero(errands.agent == ANYBODY).tolist()
        self.step, self.moved_on, self.open = 0, 0, errands.tasks
        self.cause, self.hopeless = "", False
        self.finished: list[tuple[int, int, int, int, int]] = []
        self.rows: list[Longs] = []
        self.let_in()

    @property
    def ended(self) -> bool:
        """Whether all is done, or it is stuck."""
        return self.open == 0 or bool(self.cause)

    def vertices(self, places: Shorts) -> Longs:
        """Return the vertices of the instance of these numbers; -1 stays."""
        return np.where(places >= 0, self.board.vertices[places], -1)

    def let_in(self) -> None:
        """Let those enter whose time has come and whose start is free."""
        taken = set(self.places.tolist())
        waiting: list[int] = []
        for agent in self.outside:
            start = int(self.starts[agent])
            if self.errands.enter[agent] <= self.step and start not in taken:
                taken.add(start)
                self.places[agent], self.since[agent] = start, self.step
                self.moved_on = self.step
            else:
                waiting.append(agent)
        entered = len(waiting) < len(self.outside)
        self.outside = waiting
        if not self.rows:
            self.rows.append(self.vertices(self.places))
        elif entered:
            self.rows[-1] = self.vertices(self.places)
        self._settle()

    def walk(self, after: Shorts) -> None:
        """Move everybody; deal with what was reached, and see whether anything still moves on."""
        for agent in np.flatnonzero(self.places >= 0).tolist():
            if self.errands.leave and self.task[agent] < 0 and not self.own[agent]:
                after[agent] = -1
        self.places = after
        self.step += 1
        self.rows.append(self.vertices(after))
        self._settle()
        if self.open and not self.cause and self.step - self.moved_on >= self.patience:
            self._stuck()

    def order(self) -> Longs:
        """Return int64: those who are there, the ones with a task first, and of them who waits longest."""
        there = np.flatnonzero(self.places >= 0)
        busy = self.task[there] < 0
        return there[np.lexsort((there, self.since[there], busy))]

    def ahead(self, agent: int) -> list[int]:
        """Return the places of its task that an agent has still to pass, empty without a task."""
        number = int(self.task[agent])
        return self.targets[number][int(self.stage[agent]) :] if number >= 0 else []

    def chain(self, agent: int, window: int, distances: Distances) -> list[int]:
        """Return the places to plan for: of the task, and of further tasks of its own until the window is filled.

        Who has none has its own place.
        """
        chain = list(self.ahead(agent))
        here = int(self.places[agent])
        if not chain:
            return [here]
        length, at = 0, here
        following = [t for t in self.own[agent][::-1] if self.errands.release[t] <= self.step][:8]
        for place in chain:
            length += int(distances.table[distances.rows([place])[0], at])
            at = place
        for number in following:
            if length >= window:
                break
            for place in self.targets[number]:
                length += int(distances.table[distances.rows([place])[0], at])
                chain.append(place)
                at = place
        return chain

    def give(self, agent: int, number: int) -> None:
        """Give a task of the stream to an agent without one; it passes the places of it where it is."""
        self.stream.remove(number)
        self._take(agent, number)
        while self._pass(agent):
            pass

    def _take(self, agent: int, number: int) -> None:
        self.task[agent], self.stage[agent], self.taken[agent] = number, 0, self.step
        self.moved_on = self.step

    def _settle(self) -> None:
        """Let agents pass the places where they are and take up what comes next, until nothing changes."""
        for agent in np.flatnonzero(self.places >= 0).tolist():
            while self._pass(agent) or self._next(agent):
                pass

    def _pass(self, agent: int) -> bool:
        """Whether the agent is where it has to be; then it has passed that place."""
        number, here = int(self.task[agent]), int(self.places[agent])
        if number < 0 or self.targets[number][int(self.stage[agent])] != here:
            return False
        self.stage[agent] += 1
        self.since[agent] = self.moved_on = self.step
        if self.stage[agent] == len(self.targets[number]):
            release = int(self.errands.release[number])
            self.finished.append((number, agent, int(self.taken[agent]), self.step, release))
            self.task[agent] = -1
            self.open -= 1
        return True

    def _next(self, agent: int) -> bool:
        """Whether an agent without a task took one: its own next, else the nearest of the stream."""
        if self.task[agent] >= 0:
            return False
        own = self.own[agent]
        if own and self.errands.release[own[-1]] <= self.step:
            self._take(agent, own.pop())
            self._check_reach(agent)
            return True
        if own or not self.deals or not self.stream or self.errands.release[self.stream[0]] > self.step:
            return False
        number = self.nearest(agent, [t for t in self.stream if self.errands.release[t] <= self.step])
        if number < 0:
            return False
        self.give(agent, number)
        return True

    def nearest(self, agent: int, numbers: list[int]) -> int:
        """Return the task whose first place is nearest to an agent, the first of equals; -1 if it can reach none."""
        if not numbers:
            return -1
        steps = self.board.steps_from(int(self.places[agent]))
        away = steps[[self.targets[number][0] for number in numbers]]
        for best in np.argsort(away, kind="stable").tolist():
            if away[best] >= FAR:
                return -1
            if self._lost_leg(self.targets[numbers[best]]) is None:
                return numbers[best]
        return -1

    def _lost_leg(self, chain: list[int]) -> tuple[int, int] | None:
        """Return the first two places of a chain between which there is no way, None if it can be gone."""
        for here, there in pairwise(chain):
            if self.board.steps_from(here)[there] >= FAR:
                return here, there
        return None

    def _check_reach(self, agent: int) -> None:
        """End the run if an agent's own task leads where it can't get."""
        lost = self._lost_leg([int(self.places[agent]), *self.ahead(agent)])
        if lost is not None and not self.cause:
            here, there = (self.board.name(int(self.board.vertices[place])) for place in lost)
            self.hopeless = True
            self.cause = (
                f"task {int(self.task[agent])} of agent {agent} is hopeless: no way leads from {here} to {there}"
            )

    def _stuck(self) -> None:
        """End the run, unless all wait for a task to be released."""
        waiting = self._waiting()
        if waiting:
            self.cause = f"stuck: in {self.patience} steps no agent got to any place it must go to; {waiting}"
        else:
            self.moved_on = self.step

    def _waiting(self) -> str:
        """Return who has waited longest and what is in its way, "" if all wait for a task to be released."""
        board = self.board
        there = np.flatnonzero(self.places >= 0).tolist()
        busy = [agent for agent in there if self.ahead(agent)]
        if not busy:
            if self.stream and self.errands.release[self.stream[0]] <= self.step:
                return f"nobody can take task {self.stream[0]}: no agent has a free way to its places"
            if self.outside:
                start = board.name(int(self.errands.starts[self.outside[0]]))
                return f"agent {self.outside[0]} can't enter at {start}"
            return ""
        agent = min(busy, key=lambda one: int(self.since[one]))
        here, goal = int(self.places[agent]), self.ahead(agent)[0]
        steps = board.distances([goal])[0]
        around = board.indices[board.indptr[here] : board.indptr[here + 1]]
        nearer = around[np.argmin(steps[around])]
        other = np.flatnonzero(self.places == nearer)
        names = (board.name(int(board.vertices[place])) for place in (here, goal))
        text = "agent {} at {} wants to {}, {} away".format(agent, *names, _steps(int(steps[here])))
        if other.size:
            idle = "has nothing to do" if self.task[other[0]] < 0 else "has a task too"
            text += f", and in its way is agent {other[0]}, which {idle}"
        return text

    def result(self, stats: Mapping[str, float]) -> Result[LifelongRun]:
        """Return what was walked and done so far, also if an interrupt came in the middle of a step."""
        table = np.array(self.finished, np.int64).reshape(-1, 5)
        run = LifelongRun(np.array(self.rows), *(np.ascontiguousarray(column) for column in table.T))
        measures = {"tasks_done": len(table), "steps": run.steps, "throughput": run.throughput, **stats}
        if not self.open:
            return Result(Status.SOLVED, run, stats=measures)
        status = Status.NO_SOLUTION if self.hopeless else Status.LIMIT
        reason = self.cause or f"{len(table)} of {self.errands.tasks} tasks are done after {_steps(run.steps)}"
        if not self.finished and not self.cause:
            reason += f"; {self._waiting() or 'all wait for a task to be released'}"
        return Result(status, run, reason, stats=measures)


def _steps(number: int) -> str:
    return f"{number} step" + ("" if number == 1 else "s")


def check_errands(board: Board, errands: Errands) -> None:
    """Raise InputError for what is no Errands, and for places that the map does not have."""
    check_kind(errands, Errands, "what agents have to do", "warehouse_errands(places, agents, tasks)")
    for name, vertices in _places(errands):
        wrong = vertices[(vertices < 0) | (vertices >= board.number.size)]
        if wrong.size:
            raise InputError(name, found=f"vertex {wrong[0]}", expected=f"vertices 0 to {board.number.size - 1}")


def _check_free(board: Board, errands: Errands) -> None:
    """Raise InputError for a place where nobody can be."""
    for name, vertices in _places(errands):
        wrong = vertices[board.number[vertices] < 0]
        if wrong.size:
            raise InputError(f"the {name} is blocked", found=board.name(int(wrong[0])), expected="a free place")


def _places(errands: Errands) -> tuple[tuple[str, Longs], ...]:
    return ("start of an agent", errands.starts), ("place of a task", errands.places)
