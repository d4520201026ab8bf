"""Meta-agent conflict-based search: agents that conflict again and again become one, planned by a search over them all.

G. Sharon, R. Stern, A. Felner and N. Sturtevant, "Meta-Agent Conflict-Based Search for Optimal Multi-Agent Path
Finding", 2012, and "Conflict-based search for optimal multi-agent pathfinding", 2015.

A ban is on one agent because of another one. Once both are in one group it says nothing any more and is dropped, so
that the cost of a node may fall when groups merge; the bound is the greatest least cost of OPEN so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from anabasis.instance import Instance
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.conflicts import Ban, Conflict, Conflicts, ways_out
from anabasis.mapf.gave_up import TOO_LARGE, GaveUpError
from anabasis.mapf.joint_paths import JointPaths, TooManyError
from anabasis.mapf.priced_search import PricedSearch, Row, timetable
from anabasis.options import check_count
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["MetaAgentCBS", "meta_agent_cbs"]

_CAN = ("changes", "directed", "vanish")


def meta_agent_cbs(
    instance: Instance, *, merge_after: int = 5, limit: int = 10_000, joint_limit: int = 200_000
) -> Result[Plan]:
    """Find a plan of the least sum of costs; groups whose agents met often are planned as one.

    merge_after: two groups merge at a conflict between them once more than that many were seen between their agents; 0
    merges at once, -1 never. limit: most nodes of the constraint tree. joint_limit: most states that the searches over
    the agents of a group expand, all together.

    stats: sum_of_costs, makespan, expanded, merged (nodes whose groups merged), largest (agents in the largest group so
    far), joint_expanded, low_level_expanded. The bound is a proved lower bound of the sum of costs. With LIMIT the plan
    is one made agent by agent, or None if that failed too. NO_SOLUTION is proved, and found for certain only if groups
    merge. Solves: changes known beforehand, directed graphs, agents that vanish; raises InputError for other rules.
    """
    search = MetaAgentCBS(instance, merge_after=merge_after, limit=limit, joint_limit=joint_limit)
    while not search.advance(1000):
        pass
    return search.result


@dataclass(frozen=True)
class _Link:
    """A ban on an agent because of another one, and those before it on the way to the root."""

    before: _Link | None
    agent: int
    other: int
    ban: Ban


@dataclass(frozen=True)
class _Node:
    """A node of the constraint tree. groups: the least member of each agent's group; first: its first conflict."""

    link: _Link | None
    groups: tuple[int, ...]
    paths: tuple[Row, ...]
    first: Conflict | None


class MetaAgentCBS:
    """`meta_agent_cbs` in parts, so that a caller can stop by the clock, or look at how far it is."""

    def __init__(
        self, instance: Instance, *, merge_after: int = 5, limit: int = 10_000, joint_limit: int = 200_000
    ) -> None:
        """Begin with each agent's shortest path alone."""
        self._merge_after = check_count(merge_after, "merge_after", -1)
        self._limit = check_count(limit, "limit", 1)
        self._board = board = Board(instance, "meta_agent_cbs", _CAN)
        steps = board.distances()
        to_goal = np.where(steps >= FAR, np.inf, steps.astype(np.float64))
        self._search = PricedSearch(board, list(to_goal), [np.ones(board.indices.size)] * board.agents)
        self._joint = JointPaths(board, steps, check_count(joint_limit, "joint_limit", 1))
        self._conflicts = Conflicts(board.count, board.agents)
        self._met = np.zeros((board.agents, board.agents), np.int64)
        self._open: list[tuple[int, int, int, _Node]] = []
        self._seen: set[tuple[tuple[int, ...], frozenset[tuple[int, Ban]]]] = set()
        self._expanded = self._generated = self._merged = 0
        self._largest, self._bound = min(board.agents, 1), 0
        self._result = self._root()
        self._work = self._run()

    @property
    def result(self) -> Result[Plan]:
        """The result; before the end LIMIT without a plan, with the bound so far."""
        if self._result is not None:
            return self._result
        return Result(Status.LIMIT, reason="the search has not ended", bound=float(self._bound), stats=self._counts)

    def advance(self, count: int) -> bool:
        """Expand at most `count` nodes, or 100 joint states for each; True once the search has ended."""
        for _ in range(check_count(count, "count")):
            if self._result is not None:
                break
            next(self._work, None)
        return self._result is not None

    @property
    def _counts(self) -> dict[str, float]:
        return {
            "expanded": self._expanded,
            "merged": self._merged,
            "largest": self._largest,
            "joint_expanded": self._joint.expanded,
            "low_level_expanded": self._search.expanded,
        }

    def _root(self) -> Result[Plan] | None:
        """Put the root into OPEN; returns the result if an agent has no path even alone."""
        paths: list[Row] = []
        for agent in range(self._board.agents):
            try:
                found = self._search.path(agent, others=self._table(paths))
            except GaveUpError:
                return Result(Status.LIMIT, reason=TOO_LARGE, stats={"agent": agent})
            if found is None:
                return self._search.no_way(agent)
            paths.append(found[0])
        self._push(None, tuple(range(self._board.agents)), tuple(paths))
        return None

    def _table(self, paths: Sequence[Row]) -> Row:
        return timetable(paths, stay=self._board.instance.rules.stay)

    def _push(self, link: _Link | None, groups: tuple[int, ...], paths: tuple[Row, ...]) -> None:
        table = self._table(paths)
        conflicts, first = self._conflicts.first(table)
        node = _Node(link, groups, paths, first)
        heappush(self._open, (sum(path.size - 1 for path in paths), conflicts, self._generated, node))
        self._generated += 1

    def _run(self) -> Iterator[None]:
        """Expand nodes until there is a result; yields after each unit of work."""
        while self._open:
            cost, _, _, node = heappop(self._open)
            self._bound = max(self._bound, cost)
            if node.first is None:
                self._result = self._planned(node.paths)
                return
            if self._expanded >= self._limit:
                self._result = self._fallback(f"the limit of {self._limit} nodes was reached")
                return
            self._expanded += 1
            try:
                yield from self._expand(node, node.first)
            except TooManyError:
                self._result = self._fallback(f"the limit of {self._joint.limit} states of joint searches was reached")
                return
            except GaveUpError:
                self._result = self._fallback(TOO_LARGE)
                return
            yield
        reason = "every way to resolve the agents' conflicts leaves some of them without paths"
        self._result = Result(Status.NO_SOLUTION, reason=reason, stats=self._counts)

    def _expand(self, node: _Node, conflict: Conflict) -> Iterator[None]:
        """Merge the two groups of a node's first conflict, or branch on it."""
        first, second = conflict[:2]
        self._met[first, second] += 1
        one, two = ([a for a, g in enumerate(node.groups) if g == node.groups[agent]] for agent in (first, second))
        met = self._met[np.ix_(one, two)].sum() + self._met[np.ix_(two, one)].sum()
        if met > self._merge_after >= 0:
            self._merged += 1
            self._largest = max(self._largest, len(one) + len(two))
            least = min(one[0], two[0])
            groups = tuple(least if a in one or a in two else g for a, g in enumerate(node.groups))
            yield from self._replan(node.link, groups, first, node.paths)
            return
        for agent, ban in ways_out(conflict):
            other = second if agent == first else first
            yield from self._replan(_Link(node.link, agent, other, ban), node.groups, agent, node.paths)

    def _replan(
        self, link: _Link | None, groups: tuple[int, ...], agent: int, paths: tuple[Row, ...]
    ) -> Iterator[None]:
        """Put the node with these bans and groups into OPEN, where the agent's group is planned anew, if it can be.

        Merging drops bans, so that many nodes become alike: all but the first of them are left out.
        """
        members = [a for a, group in enumerate(groups) if group == groups[agent]]
        external = _external(link, groups)
        bans = [[ban for a, ban in external if a == member] for member in members]
        others = self._table([path for a, path in enumerate(paths) if groups[a] != groups[agent]])
        if len(members) == 1:
            alone = self._search.path(agent, bans[0], others)
            found = None if alone is None else [alone[0]]
        elif (groups, external) in self._seen:
            return
        else:
            self._seen.add((groups, external))
            found = yield from self._joint.find(members, bans, others)
        if found is not None:
            new = dict(zip(members, found, strict=True))
            self._push(link, groups, tuple(new.get(a, path) for a, path in enumerate(paths)))

    def _planned(self, paths: Sequence[Row], reason: str = "") -> Result[Plan]:
        """Return the result with these paths; SOLVED unless there is a reason."""
        rows = timetable(paths) if paths else np.zeros((1, 0), np.int32)
        status = Status.LIMIT if reason else Status.SOLVED
        return self._board.solved(rows, bound=float(self._bound), status=status, reason=reason, **self._counts)

    def _fallback(self, reason: str) -> Result[Plan]:
        """Give up the search for the cheapest plan; try to find any, agent by agent."""
        agents = self._board.agents
        for shift in range(agents):
            paths = self._search.in_turn([(agent + shift) % agents for agent in range(agents)])
            if paths is not None:
                return self._planned(
                    paths, f"{reason}; the plan was made agent by agent and may be dearer than need be"
                )
        return Result(Status.LIMIT, reason=reason, bound=float(self._bound), stats=self._counts)


def _external(link: _Link | None, groups: tuple[int, ...]) -> frozenset[tuple[int, Ban]]:
    """Return what is forbidden to agents because of agents of other groups: (agent, ban)."""
    found: set[tuple[int, Ban]] = set()
    while link is not None:
        if groups[link.agent] != groups[link.other]:
            found.add((link.agent, link.ban))
        link = link.before
    return frozenset(found)
