"""Repair: a plan under way while the world changes: who is affected plans anew among the others, who keep their ways.

J. Li, Z. Chen, D. Harabor, P. Stuckey, S. Koenig, "MAPF-LNS2: Fast Repairing for Multi-Agent Path Finding via Large
Neighborhood Search", 2022, for ways over safe intervals that meet as few others as can be; those then plan anew too.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.safe_intervals import HARD, SOFT
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.eecbs import eecbs
from anabasis.mapf.lns2 import lns2
from anabasis.mapf.prioritized import prioritized
from anabasis.mapf.reservation import Reservation, spans_of
from anabasis.metrics.plans import plan_faults
from anabasis.options import check_count
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["Repair", "Replanner"]

_CAN = frozenset({"directed", "following"})
_ROUNDS = 200  # of mending, where prioritised planning finds no order
_NODES = 500  # of the tree of constraints, where mending fails
_NO_ROOM = "an agent is cut off from its goal, and there is no place for it to wait at"
Longs, Shorts = NDArray[np.int64], NDArray[np.int32]


@dataclass(frozen=True)
class Repair:
    """What a change made necessary.

    - status: SOLVED: all who can get to their goals have a way there; LIMIT: no plan was found, so all stay where they
      are until the next change; reason: why, or who can't get to its goal now;
    - replanned: the agents whose ways changed; stranded: those that can't get to their goals, and go to the nearest
      place that is nobody's goal, until a change opens a way;
    - expanded: what the searches took up; anew: whether everybody had to plan anew;
    - cost: the sum of costs of the plan from now on.
    """

    status: Status
    reason: str
    replanned: tuple[int, ...]
    stranded: tuple[int, ...]
    expanded: int
    anew: bool
    cost: int

    def __bool__(self) -> bool:
        return self.status is Status.SOLVED


class Replanner:
    """A plan under way; the state outlives a call.

    Agents are numbered as in the first instance, later ones after them; `agents` lists those that are there, which are
    the columns of `plan`. step: how many steps were walked.
    """

    def __init__(self, instance: Instance, plan: Plan, *, restarts: int = 20) -> None:
        """Start with a valid plan.

        restarts: of prioritised planning, where all have to plan anew. Raises InputError for a plan with faults, or an
        instance of which more is asked than arcs of one direction and no following.
        """
        Board(instance, "repair", _CAN)
        faults = plan_faults(instance, plan, limit=1)
        if faults:
            raise InputError("a plan to repair must be valid", found=str(faults[0]))
        self.base, self.rules, self.restarts = instance.space, instance.rules, check_count(restarts, "restarts")
        self.blocked = np.zeros(instance.vertex_count, bool)
        if isinstance(self.base, Grid):
            self.blocked |= ~self.base.free.reshape(-1)
        self.places: dict[int, int] = dict(enumerate(instance.starts.tolist()))
        self.wanted: dict[int, int] = dict(enumerate(instance.goals.tolist()))
        self.ways: dict[int, list[int]] = dict(enumerate(plan.vertices.T.tolist()))
        self.stopped: set[int] = set()
        self.stranded: tuple[int, ...] = ()
        self.step, self._next = 0, instance.size

    @property
    def agents(self) -> list[int]:
        """The agents that are there, rising."""
        return sorted(self.places)

    @property
    def plan(self) -> Plan:
        """The plan from now on, a column for each of `agents`."""
        steps = max((len(way) for way in self.ways.values()), default=1)
        columns = [self.ways[a] + self.ways[a][-1:] * (steps - len(self.ways[a])) for a in self.agents]
        return Plan(np.array(columns, np.int64).reshape(len(columns), steps).T)

    @property
    def instance(self) -> Instance:
        """What is to be solved from now on: starts are where the agents are, goals where their ways end.

        For most that is where they want to go; who has stopped stays, who is stranded goes elsewhere.
        """
        starts = [self.places[a] for a in self.agents]
        return Instance.of(self._space(set()), starts, [self.ways[a][-1] for a in self.agents], rules=self.rules)

    def advance(self, count: int) -> bool:
        """Walk at most `count` steps of the plan; return whether all rest."""
        for _ in range(check_count(count, "count")):
            if all(len(way) == 1 for way in self.ways.values()):
                return True
            for agent, way in self.ways.items():
                del way[: len(way) > 1]
                self.places[agent] = way[0]
            self.step += 1
        return all(len(way) == 1 for way in self.ways.values())

    def close(self, vertex: int) -> Repair:
        """A door closes, or an obstacle appears, where nobody is."""
        place = self._vertex(vertex)
        for agent, here in self.places.items():
            if here == place:
                raise InputError(
                    "a place can't close while somebody is there",
                    found=f"agent {agent}",
                    expected="an empty place",
                    hint="an agent that breaks down is told by `stop`",
                )
        self.blocked[place] = True
        return self._mend(set())

    def open(self, vertex: int) -> Repair:
        """A door opens, or an obstacle is gone; who gets to its goal earlier by it does."""
        self.blocked[self._vertex(vertex)] = False
        return self._mend(set(), gain=True)

    def stop(self, agent: int) -> Repair:
        """An agent breaks down: it stays where it is, and the others go round it."""
        self._check_there(agent)
        self.stopped.add(agent)
        return self._mend(set())

    def resume(self, agent: int) -> Repair:
        """An agent that has stopped goes on."""
        self._check_there(agent)
        self.stopped.discard(agent)
        return self._mend({agent})

    def add(self, start: int, goal: int) -> Repair:
        """An agent appears at a free place; its number is the next one."""
        here, there = self._vertex(start), self._vertex(goal)
        if self.blocked[here] or here in self.places.values():
            raise InputError("start of a new agent", found=self._name(here), expected="a free place with nobody there")
        self._check_goal(there)
        agent, self._next = self._next, self._next + 1
        self.places[agent], self.wanted[agent], self.ways[agent] = here, there, [here]
        return self._mend({agent})

    def leave(self, agent: int) -> Repair:
        """An agent is gone."""
        self._check_there(agent)
        del self.places[agent], self.wanted[agent], self.ways[agent]
        self.stopped.discard(agent)
        return self._mend(set(), gain=True)

    def move_goal(self, agent: int, goal: int) -> Repair:
        """An agent has to go elsewhere."""
        self._check_there(agent)
        there = self._vertex(goal)
        if there != self.wanted[agent]:
            self._check_goal(there)
        self.wanted[agent] = there
        return self._mend({agent})

    def anew(self) -> Result[Plan]:
        """Return the plan of solving `instance` anew, to compare: stats tell its sum_of_costs and what was expanded.

        Agents that have stopped are no part of it. LIMIT if there is no place for those who are cut off.
        """
        targets = self._targets()
        if targets is None:
            return Result(Status.LIMIT, reason=_NO_ROOM, stats={"expanded": 0})
        return self._solve(self._problem(targets))

    def _vertex(self, vertex: int) -> int:
        return check_count(vertex, "vertex", most=self.blocked.size - 1)

    def _name(self, vertex: int) -> str:
        return Board(Instance.of(self.base, [], []), "repair", _CAN).name(vertex)

    def _check_there(self, agent: int) -> None:
        if check_count(agent, "agent") not in self.places:
            raise InputError("unknown agent", found=f"{agent}", expected="one that is there")

    def _check_goal(self, goal: int) -> None:
        if goal in self.wanted.values():
            raise InputError("two agents have the same goal", found=self._name(goal), expected="every goal once")

    def _space(self, more: set[int]) -> Grid | Graph:
        """Return the map as it is now, without some more places."""
        blocked = self.blocked.copy()
        blocked[list(more)] = True
        if isinstance(self.base, Grid):
            cost = np.where(np.isfinite(self.base.cost), self.base.cost, 1.0)
            cost[blocked.reshape(cost.shape)] = np.inf
            return replace(self.base, cost=cost)
        graph = self.base
        tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
        kept = ~blocked[tails] & ~blocked[graph.indices]
        arcs = tails[kept], graph.indices[kept], graph.weights[kept]
        return Graph.from_arcs(graph.points, *arcs, graph.metric)

    def _problem(self, targets: dict[int, int]) -> Instance:
        """Return the instance of those who can move, in the order of `targets`; the others are walls."""
        space = self._space({self.places[a] for a in self.stopped})
        return Instance.of(space, [self.places[a] for a in targets], list(targets.values()), rules=self.rules)

    def _targets(self) -> dict[int, int] | None:
        """Return where each agent that can move goes, and note who is stranded; None if there is no room for those."""
        movers = [a for a in self.agents if a not in self.stopped]
        walls = {self.places[a] for a in self.stopped}
        board = Board(Instance.of(self._space(walls), [], []), "repair", _CAN)
        shut = self.blocked.copy()
        shut[list(walls)] = True
        targets, taken = dict[int, int](), {self.wanted[a] for a in movers}
        lost: list[int] = []
        for agent in movers:
            goal, here = self.wanted[agent], int(board.number[self.places[agent]])
            if shut[goal] or board.distances([int(board.number[goal])])[0, here] >= FAR:
                lost.append(agent)
            targets[agent] = goal
        self.stranded = tuple(lost)
        for agent in lost:
            place = _nearest(board, self.places[agent], taken)
            if place < 0:
                return None
            targets[agent] = place
            taken.add(place)
        return targets

    def _mend(self, affected: set[int], *, gain: bool = False) -> Repair:
        """Plan anew for the agents named, for those whose ways are blocked, and for those who are in their way."""
        before = {agent: list(way) for agent, way in self.ways.items()}
        for agent in self.stopped:
            self.ways[agent] = [self.places[agent]]
        targets = self._targets()
        if targets is None:
            return self._stand(before, 0, _NO_ROOM)
        problem = self._problem(targets)
        numbers = list(targets)
        ways = Reservation(Board(problem, "repair", _CAN))
        turns = [i for i, a in enumerate(numbers) if a in affected or self._broken(problem, i, a)]
        for i, agent in enumerate(numbers):
            if i not in turns:
                ways.lay(i, spans_of(ways.board.number[self.ways[agent]]))
        done = _plan_turns(ways, turns)
        if done and gain:
            _shorten(ways)
        if done:
            for i, agent in enumerate(numbers):
                self.ways[agent] = _row(ways.board, ways.lies(i))
            return self._told(before, ways.expanded, anew=False)
        solved = self._solve(problem)
        expanded = ways.expanded + int(solved.stats.get("expanded", 0))
        if solved.value is None or not solved:
            return self._stand(before, expanded, solved.reason)
        for i, agent in enumerate(numbers):
            self.ways[agent] = _trimmed(solved.value.vertices[:, i].tolist())
        return self._told(before, expanded, anew=True)

    def _broken(self, problem: Instance, i: int, agent: int) -> bool:
        """Whether a way leads through a wall, or not to the agent's goal."""
        way = np.array(self.ways[agent])
        shut = self.blocked.copy()
        shut[[self.places[a] for a in self.stopped]] = True
        return bool(shut[way].any()) or int(way[-1]) != int(problem.goals[i])

    def _solve(self, problem: Instance) -> Result[Plan]:
        """Solve an instance anew: in order of priority, else by mending collisions, else with a bound of the cost."""
        result = prioritized(problem, restarts=self.restarts)
        expanded = result.stats.get("expanded", 0)
        if result.status is Status.LIMIT:
            result = lns2(problem, limit=_ROUNDS)
            expanded += result.stats.get("expanded", 0)
        if result.status is Status.LIMIT:
            result = eecbs(problem, weight=2.0, limit=_NODES)
            expanded += result.stats.get("low_level_expanded", 0)
        return replace(result, stats={**result.stats, "expanded": expanded})

    def _stand(self, before: dict[int, list[int]], expanded: int, reason: str) -> Repair:
        """Let everybody stay where it is."""
        for agent, place in self.places.items():
            self.ways[agent] = [place]
        changed = tuple(a for a in self.agents if self.ways[a] != before.get(a))
        return Repair(Status.LIMIT, reason, changed, self.stranded, expanded, True, 0)

    def _told(self, before: dict[int, list[int]], expanded: int, *, anew: bool) -> Repair:
        changed = tuple(a for a in self.agents if a not in before or _trimmed(before[a]) != _trimmed(self.ways[a]))
        reason = ""
        if self.stranded:
            names = ", ".join(map(str, self.stranded))
            reason = f"no way leads to the goal of agent{'s' * (len(self.stranded) > 1)} {names} now"
        cost = sum(len(_trimmed(way)) - 1 for way in self.ways.values())
        return Repair(Status.SOLVED, reason, changed, self.stranded, expanded, anew, cost)


def _plan_turns(ways: Reservation, turns: list[int]) -> bool:
    """Find ways for these agents among those laid; who has none takes them from others. Whether all have one."""
    left = deque(sorted(turns, key=lambda i: (int(ways.shortest[i]), i)))
    firm = np.zeros(ways.board.agents, bool)
    while left:
        agent = left.popleft()
        way = ways.way(agent)
        if way is None:
            firm[agent] = True  # it takes ways from others once, and nobody takes its own after that
            ways.heed[:] = np.where(firm, HARD, SOFT)
            way = ways.way(agent)
            ways.heed[:] = HARD
            if way is None:
                return False
            for other in _met(ways, way):
                ways.lift(other)
                left.append(other)
        ways.lay(agent, way)
    return True


def _shorten(ways: Reservation) -> None:
    """Let each agent that may be late for no reason look for an earlier way, in order."""
    for agent in range(ways.board.agents):
        old = ways.lies(agent)
        if old[-1, 1] <= ways.shortest[agent]:
            continue
        ways.lift(agent)
        new = ways.way(agent)
        ways.lay(agent, old if new is None or new[-1, 1] >= old[-1, 1] else new)


def _met(ways: Reservation, way: Shorts) -> list[int]:
    """Return the agents that a way conflicts with."""
    mine, found = _places(way), list[int]()
    margin = ways.board.instance.rules.following
    for other in range(ways.board.agents):
        spans = ways.lies(other)
        if not len(spans):
            continue
        theirs = _places(spans)
        steps = max(len(mine), len(theirs)) + 1
        a, b = (np.concatenate([row, np.full(steps - len(row), row[-1])]) for row in (mine, theirs))
        enters, entered = a[1:] == b[:-1], a[:-1] == b[1:]
        swap = enters & entered & (a[1:] != a[:-1])
        if (a == b).any() or swap.any() or (margin and (enters | entered).any()):
            found.append(other)
    return found


def _places(way: Shorts) -> Shorts:
    """Return the numbers step by step of a way of spans, until the last begins."""
    lengths = np.append(np.diff(way[:, 1]), 1)
    return np.repeat(way[:, 0], lengths)


def _row(board: Board, way: Shorts) -> list[int]:
    return board.vertices[_places(way)].tolist()


def _trimmed(way: list[int]) -> list[int]:
    """Return a way without the waits at its end."""
    last = len(way)
    while last > 1 and way[last - 2] == way[-1]:
        last -= 1
    return way[:last]


def _nearest(board: Board, vertex: int, taken: set[int]) -> int:
    """Return the nearest vertex that is not taken, breadth first; -1 if there is none."""
    start = int(board.number[vertex])
    queue, seen = deque([start]), {start}
    while queue:
        u = queue.popleft()
        place = int(board.vertices[u])
        if place not in taken:
            return place
        for v in board.indices[board.indptr[u] : board.indptr[u + 1]].tolist():
            if v not in seen:
                seen.add(v)
                queue.append(v)
    return -1
