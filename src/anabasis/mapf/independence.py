"""Independence detection: agents are planned for together only if no cheapest paths of theirs keep apart.

T. Standley, "Finding Optimal Solutions to Cooperative Pathfinding Problems", 2010, with its attempt to plan one group
at the same cost out of the way of the other before both are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from anabasis.instance import Instance
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.conflicts import Conflicts
from anabasis.mapf.gave_up import TOO_LARGE, GaveUpError
from anabasis.mapf.priced_search import PricedSearch, Row, timetable, ways_around
from anabasis.options import check_choice, check_count
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["SOLVERS", "independence"]

Solver = Callable[..., Result[Plan]]

SOLVERS = ("cbs", "priced_cbs")
"""The solvers of groups that are known by name."""

_CAN = ("changes", "directed", "following", "vanish")
_WITH_OTHERS = (*_CAN, "swaps")  # what "cbs" can't do, whoever else solves groups


def independence(instance: Instance, *, solver: str | Solver = "cbs", limit: int = 100_000) -> Result[Plan]:
    """Find a plan of the least sum of costs, solving small groups of agents one by one.

    solver: of groups of two and more: "cbs", where each step costs 1; "priced_cbs", where it costs the price of the
    cell entered or the weight of the arc; or a function of an instance and `limit` that does what "cbs" does. limit: of
    its work, for each group.

    stats: cost (in the solver's terms), sum_of_costs, makespan, groups, largest_group, merges, avoided (conflicts that
    another path of the same cost resolved), solved (calls of the solver), expanded (its sum). NO_SOLUTION is proved, as
    a part of the agents has no plan. With LIMIT the bound is proved, and the plan None. Raises InputError for rules
    that the solver can't do.
    """
    priced = solver == "priced_cbs"
    board = Board(instance, "independence", _CAN if solver == "cbs" else _WITH_OTHERS)
    detection = _Detection(board, _named(solver), check_count(limit, "limit", 1), priced=priced)
    try:
        return detection.run()
    except GaveUpError:
        return detection.stopped(Status.LIMIT, TOO_LARGE)


def _named(solver: str | Solver) -> Solver:
    if callable(solver):
        return solver
    check_choice(solver, "solver", SOLVERS)
    return getattr(import_module(f"anabasis.mapf.{solver}"), solver)


class _Detection:
    """One call of `independence`: paths and costs by agent, groups of agents, what was counted."""

    def __init__(self, board: Board, solver: Solver, limit: int, *, priced: bool) -> None:
        self.board, self.instance, self.solver, self.limit = board, board.instance, solver, limit
        ones = [np.ones(board.indices.size)] * board.agents
        steps = [np.where(row < FAR, row, np.inf) for row in board.distances()]
        self.search = PricedSearch(board) if priced else PricedSearch(board, steps, ones)
        rules = self.instance.rules
        self.conflicts = Conflicts(board.count, board.agents, following=rules.following, swap=rules.swap)
        self.paths: list[Row] = [np.empty(0, np.int32)] * board.agents
        self.groups: list[tuple[int, ...]] = [(agent,) for agent in range(board.agents)]
        self.bounds: dict[tuple[int, ...], float] = {}
        self.tried: set[tuple[int, int]] = set()
        self.counts = {"merges": 0, "avoided": 0, "solved": 0, "expanded": 0}

    def run(self) -> Result[Plan]:
        """Solve each agent alone, then resolve conflicts until there is none."""
        for agent in range(self.instance.size):
            found = self.search.path(agent, others=timetable(self.paths[:agent], stay=self.instance.rules.stay))
            if found is None:
                return self.search.no_way(agent)
            self.paths[agent], self.bounds[agent,] = found
        while True:
            pair = self._conflict()
            if pair is None:
                return self._answer()
            first, second = (next(g for g in self.groups if agent in g) for agent in pair)
            if self._avoid(pair, first, second) or self._avoid((pair[1], pair[0]), second, first):
                self.counts["avoided"] += 1
                continue
            self.counts["merges"] += 1
            merged = tuple(sorted(first + second))
            self.groups = [g for g in self.groups if g not in (first, second)] + [merged]
            failed = self._solve(merged)
            if failed is not None:
                return failed

    def _part(self, group: Sequence[int]) -> Instance:
        agents = list(group)
        whole = self.instance
        return replace(whole, starts=whole.starts[agents], goals=whole.goals[agents], sizes=whole.sizes[agents])

    def _solve(self, group: tuple[int, ...]) -> Result[Plan] | None:
        """Give a group its cheapest paths; returns the result of the whole if there are none."""
        result = self.solver(self._part(group), limit=self.limit)
        self.counts["solved"] += 1
        self.counts["expanded"] += int(result.stats.get("expanded", 0))
        self.bounds[group] = result.bound
        if result.status is Status.SOLVED and result.value is not None:
            self._install(group, result.value.vertices)
            return None
        who = f"agents {', '.join(map(str, group))}"
        return self.stopped(result.status, f"{who} of the whole, alone on the map: {result.reason}")

    def stopped(self, status: Status, reason: str) -> Result[Plan]:
        """Return the result without a plan, with what is proved of the groups so far."""
        bound = sum(self.bounds.get(group, 0.0) for group in self.groups)
        return Result(status, reason=reason, bound=bound, stats=self._stats())

    def _install(self, group: Sequence[int], rows: NDArray[np.int64]) -> None:
        stay = self.instance.rules.stay
        for agent, column in zip(group, rows.T, strict=True):
            goal = self.instance.goals[agent]
            there = column == goal
            last = int(there.argmax()) if not stay else len(there) - int((~there[::-1]).argmax())
            last = 0 if there.all() else last
            self.paths[agent] = self.board.number[column[: last + 1]]

    def _conflict(self) -> tuple[int, int] | None:
        """Return the first two agents, of two groups, whose paths conflict."""
        _, first = self.conflicts.first(timetable(self.paths, stay=self.instance.rules.stay))
        return None if first is None else (min(first[:2]), max(first[:2]))

    def _avoid(self, pair: tuple[int, int], group: tuple[int, ...], other: tuple[int, ...]) -> bool:
        """Try to give a single agent another path of the same cost, out of the way of the group that it has met.

        As published, no two agents try twice, so that this ends.
        """
        if len(group) > 1 or pair in self.tried:
            return False
        self.tried.add(pair)
        agent = pair[0]
        rules = self.instance.rules
        there = [self.paths[a] for a in other]
        bans, parked = ways_around(there, stay=rules.stay, swap=rules.swap, following=rules.following)
        others = timetable(self.paths[:agent] + self.paths[agent + 1 :], stay=rules.stay)
        found = self.search.path(agent, bans, others, parked)
        if found is None or found[1] > self.bounds[group]:
            return False
        self.paths[agent] = found[0]
        return True

    def _stats(self) -> dict[str, float]:
        largest = max((len(group) for group in self.groups), default=0)
        return {"groups": len(self.groups), "largest_group": largest, **self.counts}

    def _answer(self) -> Result[Plan]:
        made = self.board.solved(timetable(self.paths) if self.paths else np.zeros((1, 0), np.int32))
        bound = float(sum(self.bounds[group] for group in self.groups))
        return Result(Status.SOLVED, made.value, "", bound, {"cost": bound, **made.stats, **self._stats()})
