"""Dependency graph: who must have moved on before whom, so that a plan stays free of conflicts whatever delays come.

W. Hönig, S. Kiesel, A. Tinka, J. W. Durham, N. Ayanian, "Persistent and Robust Execution of MAPF Schedules in
Warehouses", 2019 (action dependency graph); H. Ma, T. K. S. Kumar, S. Koenig, "Multi-Agent Path Finding with Delay
Probabilities", 2017.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.errors import InputError
from anabasis.instance import FEATURES, Instance
from anabasis.metrics.plans import check_judged, plan_faults
from anabasis.noun import array_of, freeze, set_field, summary
from anabasis.options import check_seed, check_share
from anabasis.plan import Plan

__all__ = ["DependencyGraph", "Execution", "dependency_graph", "execute_with_delays"]

Longs = NDArray[np.int64]
_STREAM = 3601  # of random delays
_MOST = 2**26  # places, steps times agents, of a plan that is walked late
_REFUSED = ("sharing", "sizes", "changes", "no wait")


@dataclass(frozen=True, eq=False)
class DependencyGraph:
    """The moves of a plan, waits left out, and what each has to wait for.

    - starts: int64[k], where the agents are before they move;
    - indptr: int64[k + 1]: the moves of agent a are indptr[a] to indptr[a + 1] - 1, in order: each needs the one before
      it (a dependency of type 1);
    - source, target: int64[m], the vertices; step: int64[m], the row of the plan in which the move ends;
    - before: int64[m], the move of another agent that leaves `target` before this one may enter it (a dependency of
      type 2), -1 if there is none; the others of this type follow from these;
    - lag: int64[m]: how many steps this move must end after the other, 0: both may be made in the same step; where
      there is no other, the first step in which it may end.
    """

    starts: Longs
    indptr: Longs
    source: Longs
    target: Longs
    step: Longs
    before: Longs
    lag: Longs

    __repr__ = summary

    def __post_init__(self) -> None:
        starts = freeze(self.starts, np.int64, (None,), "starts")
        set_field(self, "starts", starts)
        set_field(self, "indptr", freeze(self.indptr, np.int64, (starts.size + 1,), "indptr"))
        for name in ("source", "target", "step", "before", "lag"):
            set_field(self, name, freeze(getattr(self, name), np.int64, (max(0, int(self.indptr[-1])),), name))
        moves = self.before.size
        if self.indptr[0] != 0 or (np.diff(self.indptr) < 0).any():
            raise InputError("indptr of a dependency graph", expected=f"rising from 0 to the {moves} moves")
        if moves and not -1 <= self.before.min() <= self.before.max() < moves:
            found = f"{self.before.min()} to {self.before.max()}"
            raise InputError(
                "before of a dependency graph", found=found, expected=f"moves from 0 to {moves - 1}, or -1"
            )

    @property
    def size(self) -> int:
        """Number of moves."""
        return int(self.source.size)

    @property
    def rings(self) -> list[list[int]]:
        """The moves that wait for each other in a ring, so that they are made in the same step: agents that rotate."""
        first = _rings(self.before, self.lag)
        return [np.flatnonzero(first == move).tolist() for move in np.unique(first[first >= 0]).tolist()]

    def times(self, delays: ArrayLike = 0) -> Longs:
        """Return int64[m]: the step in which each move ends, as early as its dependencies and delays allow.

        delays: int64[m], for how many steps the agent isn't ready for each move after its last one; a number for all.
        """
        late = _delays(self, delays)
        owner = np.repeat(np.arange(self.starts.size), np.diff(self.indptr))
        previous = np.arange(self.size) - 1
        previous[self.indptr[:-1][np.diff(self.indptr) > 0]] = -1
        order = np.lexsort((owner, self.step))
        ring = _rings(self.before, self.lag)
        return _times(order, self.step, previous, self.before, self.lag, ring, late)

    def plan(self, times: ArrayLike) -> Plan:
        """Return the plan in which the moves end in these steps (int64[m]).

        Raises InputError if it has more than 2²⁶ places, steps times agents.
        """
        ends = freeze(times, np.int64, self.source.shape, "times")
        if (int(ends.max(initial=0)) + 1) * self.starts.size > _MOST:
            raise InputError(
                "the plan would be too long",
                found=f"{ends.max()} steps of {self.starts.size} agents",
                expected=f"at most {_MOST // self.starts.size} steps",
                hint="shorter delays, or a smaller chance of them",
            )
        rows = np.repeat(self.starts[None], ends.max(initial=0) + 1, axis=0)
        for agent in range(self.starts.size):
            moves = slice(int(self.indptr[agent]), int(self.indptr[agent + 1]))
            made = np.searchsorted(ends[moves], np.arange(len(rows)), side="right")
            rows[:, agent] = np.concatenate([self.starts[agent : agent + 1], self.target[moves]])[made]
        return Plan(rows)


@dataclass(frozen=True, eq=False)
class Execution:
    """What became of a plan.

    - plan: as it was walked; delays: int64[m], for how many steps the agents were not ready for each of their moves
      (`DependencyGraph`); cost and planned_cost: the sums of costs of both.
    """

    plan: Plan
    delays: Longs
    cost: int
    planned_cost: int

    __repr__ = summary

    @property
    def stretch(self) -> float:
        """The cost as it was walked over that of the plan; 1 if both are 0."""
        return self.cost / self.planned_cost if self.planned_cost else 1.0


def dependency_graph(instance: Instance, plan: Plan) -> DependencyGraph:
    """Return the dependencies of a valid plan.

    Where following is forbidden an agent may enter a place only after the step in which it was left, as in the
    original; elsewhere in the same step too, so that without delays nobody is later than in the plan, and agents that
    rotate (or change places, where the rules allow it) make that one move together.
    Raises InputError for a plan with faults, for agents of several cells, and for instances with known changes (a delay
    could meet a closed door), shared places or no waiting.
    """
    check_judged(instance, plan)
    for feature in _REFUSED:
        if feature in instance.features:
            raise InputError(
                "plans of this instance can't be delayed", found=FEATURES[feature], expected="none of that"
            )
    faults = plan_faults(instance, plan, limit=1)
    if faults:
        raise InputError("a plan to execute must be valid", found=str(faults[0]))
    rows, stay = plan.vertices, instance.rules.stay
    arrivals = plan.arrivals(instance.goals, stay=stay)
    moved = np.diff(rows, axis=0) != 0
    moved &= np.arange(len(moved))[:, None] < arrivals
    agent, row = np.nonzero(moved.T)
    source, target = rows[row, agent], rows[row + 1, agent]
    indptr = np.zeros(instance.size + 1, np.int64)
    np.cumsum(np.bincount(agent, minlength=instance.size), out=indptr[1:])
    visits = _visits(instance.starts, indptr, source, target, row + 1)
    before, lag = np.full(agent.size, -1), np.zeros(agent.size, np.int64)
    following = int(instance.rules.following)
    for (place, _, a, _, leaving, last), (other, _, b, entering, _, _) in pairwise(visits):
        if place != other or entering < 0 or a == b:
            continue
        if leaving >= 0:
            before[entering], lag[entering] = leaving, following
        else:  # it vanishes after its last move, or at once
            before[entering], lag[entering] = last, 1 + following
    return DependencyGraph(instance.starts, indptr, source, target, row + 1, before, lag)


def execute_with_delays(
    instance: Instance, plan: Plan, *, delays: ArrayLike | None = None, chance: float = 0.0, seed: int = 0
) -> Execution:
    """Walk a valid plan whose agents are late, each move as early as the dependencies allow.

    delays: int64[m] for the moves of `dependency_graph`, or one number for all; by default drawn: in each step in which
    an agent could move it is not ready with the given chance, by the seed.
    Whatever the delays, the agents walk the same ways in the same order at every place, so no two conflict that did not
    in the plan, and all arrive: every move waits only for moves with an earlier step in the plan, or of the same step,
    and those that wait for each other are made together. Raises InputError as `dependency_graph`, and for a chance of
    1, and if the plan as it is walked would be too long (`DependencyGraph.plan`).
    """
    graph = dependency_graph(instance, plan)
    if delays is None:
        late = _drawn(graph, check_share(chance, "chance of not being ready"), check_seed(seed))
    else:
        late = _delays(graph, delays)
    walked = graph.plan(graph.times(late))
    stay = instance.rules.stay
    costs = (int(p.arrivals(instance.goals, stay=stay).sum()) for p in (walked, plan))
    return Execution(walked, freeze(late, np.int64, graph.source.shape, "delays"), *costs)


def _delays(graph: DependencyGraph, delays: ArrayLike) -> Longs:
    """Return int64[m] of delays, given for each move or as one number for all."""
    shape = graph.source.shape
    given = array_of(delays, "delays")
    late = freeze(given, np.int64, shape if given.ndim else (), "delays")
    wrong = late[(late < 0) | (late > _MOST)]
    if wrong.size:
        raise InputError("delays", found=f"{wrong[0]}", expected=f"numbers of steps from 0 to {_MOST}")
    return late if late.ndim else np.full(shape, late)


def _visits(
    starts: Longs, indptr: Longs, source: Longs, target: Longs, step: Longs
) -> list[tuple[int, int, int, int, int, int]]:
    """Return (vertex, step, agent, move that enters, move that leaves, last move) of each visit, by vertex and step."""
    visits: list[tuple[int, int, int, int, int, int]] = []
    for agent, start in enumerate(starts.tolist()):
        first, end = int(indptr[agent]), int(indptr[agent + 1])
        visits.append((start, 0, agent, -1, first if first < end else -1, -1))
        for move in range(first, end):
            leaving = move + 1 if move + 1 < end else -1
            visits.append((int(target[move]), int(step[move]), agent, move, leaving, move))
    visits.sort()
    return visits


def _drawn(graph: DependencyGraph, chance: float, seed: int) -> Longs:
    """Return for each move how often its agent was not ready: a number for each agent and move."""
    if chance == 1:
        raise InputError("chance of not being ready", found="1", expected="a share below 1, or nobody ever moves")
    late, most = np.zeros(graph.size, np.int64), _MOST // max(1, graph.starts.size)
    key = stream_key(seed, _STREAM, 0)
    for agent in range(graph.starts.size):
        number = 0
        for move in range(int(graph.indptr[agent]), int(graph.indptr[agent + 1])):
            while random_fraction(key, agent, number) < chance:
                late[move] += 1
                number += 1
                if number > most:
                    raise InputError("chance of not being ready", found=f"{chance}", expected="one farther from 1")
            number += 1
    return late


@kernel
def _rings(before: Any, lag: Any) -> Any:
    """Return for each move in a ring of moves that need each other in the same step its first move, else -1."""
    first = np.full(before.size, -1, np.int64)
    mark = np.full(before.size, -1, np.int64)
    for move in range(before.size):
        i = move
        while i >= 0 and mark[i] < 0:
            mark[i] = move
            i = before[i] if lag[i] == 0 else -1
        if i < 0 or mark[i] != move:
            continue
        least, j = i, before[i]  # the walk came back to itself
        while j != i:
            least = min(least, j)
            j = before[j]
        first[i] = least
        j = before[i]
        while j != i:
            first[j] = least
            j = before[j]
    return first


@kernel
def _times(order: Any, step: Any, previous: Any, before: Any, lag: Any, ring: Any, late: Any) -> Any:
    """Return when each move ends; `order` rises in `step`."""
    times = np.full(order.size, -1, np.int64)
    stack = np.empty(order.size, np.int64)
    for move in order:
        depth, i = 0, move
        while i >= 0 and times[i] < 0 and ring[i] < 0:  # those of the same step that it needs come first
            stack[depth] = i
            depth += 1
            i = before[i] if before[i] >= 0 and step[before[i]] == step[i] else -1
        if i >= 0 and times[i] < 0:  # a ring: all at once, when the last of them is ready
            ready, j = 0, i
            while True:
                past = times[previous[j]] if previous[j] >= 0 else 0
                ready = max(ready, past + 1 + late[j])
                j = before[j]
                if j == i:
                    break
            while True:
                times[j] = ready
                j = before[j]
                if j == i:
                    break
        while depth > 0:
            depth -= 1
            i = stack[depth]
            past = times[previous[i]] if previous[i] >= 0 else 0
            times[i] = past + 1 + late[i]
            times[i] = max(times[i], (times[before[i]] if before[i] >= 0 else 0) + lag[i])
    return times
