"""Conflict-based search with prices: the cheapest plan where steps cost what the ground costs and a wait costs 1.

G. Sharon, R. Stern, A. Felner and N. Sturtevant, "Conflict-based search for optimal multi-agent pathfinding", 2015;
bypass: E. Boyarski et al., "Don't Split, Try To Work It Out: Bypassing Conflicts in Multi-Agent Pathfinding", 2015.

The cost of a plan is the sum over the agents of the prices of their steps and of 1 for each wait before the agent is at
its goal for good. `cbs` is the much stronger search for the classic problem, where every step costs 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from anabasis.instance import Instance
from anabasis.mapf.board import Board
from anabasis.mapf.conflicts import Ban, Conflict, Conflicts, ways_out
from anabasis.mapf.gave_up import TOO_LARGE, GaveUpError
from anabasis.mapf.priced_search import PricedSearch, Row, timetable
from anabasis.options import check_count
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["PricedCBS", "priced_cbs"]

_CAN = ("changes", "directed", "following", "no wait", "swaps", "vanish")


def priced_cbs(instance: Instance, *, limit: int = 10_000) -> Result[Plan]:
    """Find the cheapest plan of all agents together.

    A step costs the weight of its arc on a Graph and the price of the cell entered on a Grid, whatever its price it
    takes one time step; a wait costs 1 until the agent is at its goal for good. limit: most nodes of the constraint
    tree.

    stats: cost, sum_of_costs (time steps), makespan, expanded and generated nodes, bypassed, low_level_expanded. The
    bound is a proved lower bound of the cost. With LIMIT the plan is one made agent by agent, or None if that failed
    too. NO_SOLUTION is proved. Solves: changes known beforehand, directed graphs, following forbidden, waits forbidden,
    swaps allowed, agents that vanish; raises InputError for other rules.
    """
    search = PricedCBS(instance, limit=limit)
    while not search.advance(1000):
        pass
    return search.result


@dataclass(frozen=True)
class _Node:
    """A node of the constraint tree: the ban that it adds to its parent's, and the paths, shared with the parent."""

    parent: _Node | None
    agent: int
    ban: Ban | None
    paths: tuple[Row, ...]
    costs: tuple[float, ...]
    conflicts: int
    first: Conflict | None

    def bans(self, agent: int) -> list[Ban]:
        """Return what is forbidden to an agent, read on the way to the root."""
        found: list[Ban] = []
        node: _Node | None = self
        while node is not None:
            if node.agent == agent and node.ban is not None:
                found.append(node.ban)
            node = node.parent
        return found


class PricedCBS:
    """`priced_cbs` in parts, so that a caller can stop by the clock, or look at how far it is."""

    def __init__(
        self,
        instance: Instance,
        *,
        limit: int = 10_000,
        to_goal: Sequence[NDArray[np.float64]] | None = None,
        weights: Sequence[NDArray[np.float64]] | None = None,
    ) -> None:
        """Begin with each agent's cheapest path alone.

        to_goal: for each agent float64[count of the board], lower bounds of the cost from everywhere to its goal that
        obey the triangle inequality, inf where it must never be, such as D* Lite's distances; made here by default.
        weights: for each agent float64[arcs of the board], if the same step costs agents differently; inf where one
        can't go.
        """
        self._limit = check_count(limit, "limit", 1)
        self._board = board = Board(instance, "priced_cbs", _CAN)
        rules = instance.rules
        self._conflicts = Conflicts(board.count, board.agents, following=rules.following, swap=rules.swap)
        self._search = PricedSearch(self._board, to_goal, weights)
        self._open: list[tuple[float, int, int, _Node]] = []
        self._expanded = self._generated = self._bypassed = 0
        self._result: Result[Plan] | None = self._root()

    @property
    def result(self) -> Result[Plan]:
        """The result; before the end LIMIT without a plan, with the bound so far."""
        if self._result is not None:
            return self._result
        return Result(Status.LIMIT, reason="the search has not ended", bound=self._bound, stats=self._counts)

    def advance(self, count: int) -> bool:
        """Expand at most `count` nodes; True once the search has ended."""
        for _ in range(check_count(count, "count")):
            if self._result is not None:
                break
            if not self._open:
                reason = "every way to resolve the agents' conflicts leaves one of them without a path"
                self._result = Result(Status.NO_SOLUTION, reason=reason, stats=self._counts)
            elif self._expanded >= self._limit and self._open[0][1]:
                self._result = self._fallback(f"the limit of {self._limit} nodes was reached", self._bound)
            else:
                cost, _, _, node = heappop(self._open)
                try:
                    self._expand(node)
                except GaveUpError:
                    self._result = self._fallback(TOO_LARGE, cost)
        return self._result is not None

    @property
    def _bound(self) -> float:
        return self._open[0][0] if self._open else 0.0

    @property
    def _counts(self) -> dict[str, float]:
        return {
            "expanded": self._expanded,
            "generated": self._generated,
            "bypassed": self._bypassed,
            "low_level_expanded": self._search.expanded,
        }

    def _root(self) -> Result[Plan] | None:
        """Put the root into OPEN; returns the result if an agent has no path even alone."""
        board, rules = self._board, self._board.instance.rules
        paths: list[Row] = []
        costs: list[float] = []
        for agent in range(board.agents):
            try:
                found = self._search.path(agent, others=timetable(paths, stay=rules.stay))
            except GaveUpError:
                return Result(Status.LIMIT, reason=TOO_LARGE, stats={"agent": agent})
            if found is None:
                return self._search.no_way(agent)
            paths.append(found[0])
            costs.append(found[1])
        self._push(None, -1, None, tuple(paths), tuple(costs))
        return None

    def _found(self, paths: tuple[Row, ...]) -> tuple[int, Conflict | None]:
        return self._conflicts.first(timetable(paths, stay=self._board.instance.rules.stay))

    def _push(
        self, parent: _Node | None, agent: int, ban: Ban | None, paths: tuple[Row, ...], costs: tuple[float, ...]
    ) -> None:
        node = _Node(parent, agent, ban, paths, costs, *self._found(paths))
        heappush(self._open, (sum(costs), node.conflicts, self._generated, node))
        self._generated += 1

    def _expand(self, node: _Node) -> None:
        """Branch on a node's first conflict; without one its paths are the answer."""
        if node.first is None:
            cost = float(sum(node.costs))
            self._result = self._planned(node.paths, cost, cost)
            return
        self._expanded += 1
        children: list[tuple[int, Ban, tuple[Row, ...], tuple[float, ...]]] = []
        for agent, ban in ways_out(node.first):
            others = timetable(node.paths[:agent] + node.paths[agent + 1 :], stay=self._board.instance.rules.stay)
            found = self._search.path(agent, [ban, *node.bans(agent)], others)
            if found is None:
                continue
            paths = (*node.paths[:agent], found[0], *node.paths[agent + 1 :])
            costs = (*node.costs[:agent], found[1], *node.costs[agent + 1 :])
            if found[1] == node.costs[agent] and self._found(paths)[0] < node.conflicts:
                self._bypassed += 1  # as cheap with fewer conflicts: the node takes that path, and need not branch
                self._push(node.parent, node.agent, node.ban, paths, costs)
                return
            children.append((agent, ban, paths, costs))
        for agent, ban, paths, costs in children:
            self._push(node, agent, ban, paths, costs)

    def _planned(self, paths: Sequence[Row], cost: float, bound: float, reason: str = "") -> Result[Plan]:
        """Return the result with these paths; SOLVED unless there is a reason."""
        made = self._board.solved(timetable(paths) if paths else np.zeros((1, 0), np.int32))
        status = Status.LIMIT if reason else Status.SOLVED
        return Result(status, made.value, reason, bound, {"cost": cost, **made.stats, **self._counts})

    def _fallback(self, reason: str, bound: float) -> Result[Plan]:
        """Give up the search for the cheapest plan, for this reason; try to find any, agent by agent."""
        agents = self._board.agents
        for shift in range(agents):
            paths = self._search.in_turn([(agent + shift) % agents for agent in range(agents)])
            if paths is not None:
                reason += "; the plan was made agent by agent and may be dearer than need be"
                return self._planned(
                    paths, sum(self._search.cost(agent, path) for agent, path in enumerate(paths)), bound, reason
                )
        return Result(Status.LIMIT, reason=reason, bound=bound, stats=self._counts)
