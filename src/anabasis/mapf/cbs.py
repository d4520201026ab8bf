"""Conflict-based search: optimal plans for many agents, with symmetries broken and costs foreseen (CBSH2-RTC).

G. Sharon, R. Stern, A. Felner and N. Sturtevant, "Conflict-based search for optimal multi-agent pathfinding", 2015;
J. Li et al., "Pairwise symmetry reasoning for multi-agent path finding search", 2021; what else it uses is named in
`constraint_tree`, `conflict_choice`, `cbs_heuristics`, `symmetry` and `barriers`.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from anabasis.instance import Instance
from anabasis.mapf.board import Board
from anabasis.mapf.conflict_choice import KINDS, Splits
from anabasis.mapf.constraint_tree import ConstraintTree, TreeOptions
from anabasis.mapf.gave_up import TOO_LARGE, GaveUpError
from anabasis.mapf.prioritized import prioritized
from anabasis.mapf.reservation import FEATURES_OF_INTERVALS
from anabasis.mapf.single_agents import SingleAgents, Way
from anabasis.mapf.solvability import NO_CONFIGURATION, solvable
from anabasis.options import check_choice, check_count, check_switch
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["CAN", "HEURISTICS", "OBJECTIVES", "SPLITTING", "Cbs", "cbs"]

CAN = ("following", "vanish", "changes", "directed", "no wait")
"""What it handles."""

OBJECTIVES = ("sum", "makespan")
"""What may be minimised."""

HEURISTICS = ("none", "cg", "dg", "wdg")
"""No heuristic; the conflict graph; the dependency graph; the weighted dependency graph."""

SPLITTING = ("standard", "disjoint")
"""One agent or the other gives way; or one does as it does now, or not."""

_COUNTS = ("expanded", "generated", "bypassed", "weighed", "pairs", "pair_nodes")
_DOUBT = 64  # nodes after which it is asked whether there is a solution at all
_CONFIGURATIONS = 100_000  # looked at for that
_FEW = 10_000  # if there are no more of them it is asked at once


def cbs(
    instance: Instance,
    *,
    objective: str = "sum",
    limit: int = 100_000,
    splitting: str = "standard",
    prioritize: bool = True,
    bypass: bool = True,
    heuristic: str = "wdg",
    rectangle: bool = True,
    corridor: bool = True,
    target: bool = True,
    barrier: bool = True,
) -> Result[Plan]:
    """Return a plan of least sum of costs or makespan.

    limit: pieces of work: nodes of the constraint tree to expand, or some dozen of those of two agents. LIMIT then
    tells in its bound what is proved, and has a plan that is not proved if one is found agent by agent. The others
    switch parts off, all of them without loss of the optimum: splitting, one of `SPLITTING`; prioritize, conflicts that
    are sure to raise the cost come first; bypass, ways of a child that conflict less replace those of its parent where
    they cost the same; heuristic, one of `HEURISTICS`; rectangle, corridor, target and barrier, symmetries of two
    agents. Heuristics, targets and barriers are for the sum of costs, rectangles for grids, corridors for spaces
    without arcs of one direction, targets for agents that stay; elsewhere they do nothing. Of equal nodes that with
    fewer conflicts comes first, then that made first.

    NO_SOLUTION: no configuration with all agents at their goals can be reached (looked for at once where there are but
    few, else after some dozen nodes if there are few agents), or no node is left. Else an instance without a solution
    ends at the limit. stats: expanded, generated, bypassed, weighed (nodes whose bound the heuristic raised), pairs and
    pair_nodes (problems of two agents solved for it, and their nodes), target, corridor, rectangle, barrier, plain
    (splits), low_level_expanded.
    """
    search = Cbs(
        instance,
        objective=objective,
        limit=limit,
        splitting=splitting,
        prioritize=prioritize,
        bypass=bypass,
        heuristic=heuristic,
        rectangle=rectangle,
        corridor=corridor,
        target=target,
        barrier=barrier,
    )
    while not search.advance(1000):
        pass
    return search.result


class Cbs:
    """Conflict-based search that can be stopped and looked at between nodes; options as those of `cbs`.

    gave_up: the search for one agent's way grew too large, so that this one can't go on.
    """

    def __init__(
        self,
        instance: Instance,
        *,
        objective: str = "sum",
        limit: int = 100_000,
        splitting: str = "standard",
        prioritize: bool = True,
        bypass: bool = True,
        heuristic: str = "wdg",
        rectangle: bool = True,
        corridor: bool = True,
        target: bool = True,
        barrier: bool = True,
    ) -> None:
        """Check the options and find the way of each agent by itself."""
        makespan = check_choice(objective, "objective", OBJECTIVES) == 1
        disjoint = check_choice(splitting, "splitting", SPLITTING) == 1
        check_choice(heuristic, "heuristic", HEURISTICS)
        switches = {"prioritize": prioritize, "bypass": bypass, "rectangle": rectangle, "corridor": corridor}
        for name, value in {**switches, "target": target, "barrier": barrier}.items():
            check_switch(value, name)
        self._limit = check_count(limit, "limit", 1)
        self._grown = 0
        self.gave_up = False  # the search of a single agent: what the tree lacks by it proves nothing
        self._board = Board(instance, "cbs", can=CAN)
        self._single = SingleAgents(self._board)
        self._tree: ConstraintTree | None = None
        ways = self._first_ways()
        if isinstance(ways, Result):
            self._failure = ways
            return
        self._single.floor = max((way.cost for way in ways), default=0) if makespan else 0
        splits = Splits(
            self._single,
            disjoint=disjoint,
            prioritize=prioritize,
            rectangle=rectangle,
            corridor=corridor,
            target=target and not makespan,
            barrier=barrier and not makespan,
        )
        options = TreeOptions(makespan=makespan, disjoint=disjoint, bypass=bypass, heuristic=heuristic)
        self._tree = ConstraintTree(self._single, splits, options, tuple(range(self._board.agents)), ways)
        self._failure: Result[Plan] | None = None
        if self._board.count**self._board.agents <= _FEW:
            self._ask_solvable(self._tree, _FEW)

    def _first_ways(self) -> list[Way] | Result[Plan]:
        """Return the way of each agent by itself, or the reason why one has none."""
        single, board = self._single, self._board
        to_goal = np.array([single.distances[a, start] for a, (start, _) in enumerate(single.ends)], np.int32)
        lost = board.out_of_reach(to_goal)
        if lost is not None:
            return lost
        ways: list[Way] = []
        for agent in range(board.agents):
            try:
                way = single.way(agent, single.free[agent])
            except GaveUpError:
                self.gave_up = True
                return Result(Status.LIMIT, reason=TOO_LARGE, stats={"agent": agent})
            if way is None:
                return board.no_way(agent, changing=True)
            ways.append(way)
        return ways

    def advance(self, count: int) -> bool:
        """Do at most `count` pieces of work, most of them nodes; return whether the search is over."""
        check_count(count, "count")
        tree = self._tree
        if tree is None or self._failure is not None or tree.finished or self._grown >= self._limit:
            return True
        doubtful = self._grown < _DOUBT
        count = min(count, self._limit - self._grown, _DOUBT - self._grown if doubtful else count)
        try:
            tree.grow(count)
        except GaveUpError:
            self.gave_up, self._limit = True, self._grown
            return True
        self._grown += count
        if doubtful and self._grown >= _DOUBT:
            self._ask_solvable(tree, _CONFIGURATIONS)
        return self._failure is not None or tree.finished or self._grown >= self._limit

    def _ask_solvable(self, tree: ConstraintTree, configurations: int) -> None:
        """Fail if a look at so many configurations proves that none of them will do."""
        if not tree.finished and solvable(self._board, limit=configurations) is False:
            self._failure = Result(Status.NO_SOLUTION, reason=NO_CONFIGURATION, stats=self._stats(tree))

    @property
    def bound(self) -> int:
        """What every plan costs at least, as far as is proved."""
        return 0 if self._tree is None else self._tree.bound

    @property
    def result(self) -> Result[Plan]:
        """The optimal plan, or what is known so far; a plan without proof only once the limit is reached."""
        tree = self._tree
        if self._failure is not None or tree is None:
            assert self._failure is not None  # noqa: S101 - where there is no tree there is a failure
            return self._failure
        stats = self._stats(tree)
        if tree.solution is not None:
            steps = max((len(way.path) for way in tree.solution), default=1)
            rows = np.zeros((steps, self._board.agents), np.int32)
            for agent, way in enumerate(tree.solution):
                rows[:, agent] = np.pad(way.path, (0, steps - len(way.path)), mode="edge")
            return self._board.solved(rows, bound=float(tree.bound), status=Status.SOLVED, reason="", **stats)
        if tree.finished and not self.gave_up:
            reason = "every way to settle the conflicts of the agents ends where one of them has no way left"
            return Result(Status.NO_SOLUTION, reason=reason, stats=stats)
        reason = f"no plan was proved to be the best within {self._grown} pieces of work"
        reason = TOO_LARGE if self.gave_up else reason
        first = self._first if self._grown >= self._limit else None
        if first is None or first.value is None:
            return Result(Status.LIMIT, reason=reason, bound=float(tree.bound), stats=stats)
        stats |= {name: first.stats[name] for name in ("sum_of_costs", "makespan")}
        reason += "; this one was made for one agent after the other"
        return Result(Status.LIMIT, first.value, reason, float(tree.bound), stats)

    @cached_property
    def _first(self) -> Result[Plan] | None:
        """A plan that needs no proof, None where there is no simple way to one."""
        instance = self._board.instance
        return prioritized(instance, restarts=10) if instance.features <= FEATURES_OF_INTERVALS else None

    def _stats(self, tree: ConstraintTree) -> dict[str, float]:
        counts = {name: float(tree.counts[name]) for name in (*_COUNTS, *KINDS)}
        return {**counts, "low_level_expanded": float(self._single.space_time.expanded)}
