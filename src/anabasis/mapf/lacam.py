"""LaCAM: depth first from one configuration of all agents to the next, each made by PIBT under few constraints.

K. Okumura, "LaCAM: Search-Based Algorithm for Quick Multi-Agent Pathfinding", 2023: constraints are added lazily, one
agent after the other, each time a configuration is looked at again, so in the end every successor is tried. LaCAM*: K.
Okumura, "Improving LaCAM for Scalable Eventually Optimal Multi-Agent Pathfinding", 2023: when a configuration is found
again by a cheaper way, all ways that lead on from it are rewired. The refinement: K. Okumura, "Engineering LaCAM*:
Towards Real-Time, Large-Scale, and Near-Optimal Multi-Agent Pathfinding", 2024; any refiner will do there, and here it
is the improvement of MAPF-LNS, see `destroy_repair`, after the best of three starts, see `better_starts`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.pibt import NO_GUIDE
from anabasis._kernel.random import stream_key
from anabasis.instance import Instance
from anabasis.mapf.better_starts import GROUP, GuidedPlan, RepairedPlan
from anabasis.mapf.board import Board
from anabasis.mapf.configuration_tree import ROOM, ConfigurationTree, Pushing
from anabasis.mapf.destroy_repair import Improvement
from anabasis.mapf.goal_steps import GoalSteps
from anabasis.mapf.pibt import pushing_stack
from anabasis.mapf.reservation import Reservation, spans_of
from anabasis.options import check_count, check_seed
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["LaCAM", "LaCAMStar", "lacam", "lacam_star"]

_CAN = ("directed",)
_CHUNK = 256  # the most work in one call of a kernel
_SHARE = 16  # of the work for better plans, one part in so many goes to configurations, the others to groups
_NEAR = 6  # a plan whose cost is above the bound by less than one part in so many needs no guided start
_TRIES = 4  # times as many configurations as were tried before, and the guided start is given up
_STREAM = 38


def lacam(instance: Instance, *, seed: int = 0, limit: int = 1_000_000) -> Result[Plan]:
    """Find a plan fast, whatever it costs: complete, so NO_SOLUTION is proved.

    limit: most configurations tried. seed decides between steps that are equally good.

    stats: sum_of_costs, makespan, expanded (configurations tried) and nodes (different ones). The bound is the sum of
    the steps of each agent alone. Solves directed graphs; raises InputError for other rules than the classic ones.
    """
    search = LaCAM(instance, seed=seed, limit=limit)
    while not search.advance(_CHUNK):
        pass
    return search.result


def lacam_star(instance: Instance, *, seed: int = 0, limit: int = 20_000) -> Result[Plan]:
    """Find a plan as `lacam` does, then better ones; given work enough, one of least loss.

    The loss of a step is the number of agents that are not at their goals both before and after it; the loss of a plan,
    the sum over its steps, is its sum of costs less the time in which agents rest at goals that they leave again. The
    search is over when no configuration can lead to less loss. In turn with it two more plans are made and the cheapest
    of the three is gone on with: one of ways that collide as little as possible, repaired a few at a time and given up
    where there are too many collisions; and, unless the best so far is near the bound, one of a search whose agents
    follow ways hardly longer than the shortest that meet as few others as possible. Then a few agents at a time are
    planned anew among the others, for a smaller sum of costs.

    limit: most configurations tried and groups of agents planned. seed: see `lacam`.

    SOLVED: the search is over. The bound is the least loss of all plans, so no plan has a sum of costs below it; that
    of this plan may be above it. LIMIT: the plan is the best so far by the sum of costs, None if there was none yet;
    its bound is the sum of the steps of each agent alone. stats: as of `lacam`, and loss (the least found) and
    replanned (work on other plans: groups and guided configurations). See `lacam` for the rules.
    """
    search = LaCAM(instance, seed=seed, limit=limit, improve=True)
    while not search.advance(_CHUNK):
        pass
    return search.result


class LaCAM:
    """`lacam`, or `lacam_star` with improve, in parts, so that a caller can stop by the clock."""

    def __init__(self, instance: Instance, *, seed: int = 0, limit: int = 1_000_000, improve: bool = False) -> None:
        """Measure all agents' steps to their goals and begin with the starts."""
        self._board = board = Board(instance, "lacam_star" if improve else "lacam", _CAN)
        self._seed = check_seed(seed)
        self._limit = check_count(limit, "limit", 1)
        self._improve = improve
        steps = GoalSteps(board, max(1, board.agents))
        self._alone = steps.measured(board.starts, board.goals)
        self._lost = board.out_of_reach(self._alone.astype(np.int32))
        ends = steps.rows(board.goals), board.goals
        field = (board.indptr, board.indices, steps.table, *ends, steps.wide, NO_GUIDE)
        now, then = (np.full(board.count, -1, np.int32) for _ in range(2))
        swap = "directed" not in instance.features
        self._pushing = Pushing(field, pushing_stack(board, board.agents), (now, then), self._seed, swap)
        self._tree = ConfigurationTree(board.starts, self._alone, int(np.diff(board.indptr).max(initial=0)))
        self._rows: NDArray[np.int32] | None = None  # the best plan
        self._cost = 0
        self._ways: Reservation | None = None  # the best plan as the groups see it
        self._improvement: Improvement | None = None
        self._start: RepairedPlan | GuidedPlan | None = None
        self._dice: NDArray[np.int64] = np.array([stream_key(self._seed, _STREAM, 0), 0])
        self._replanned = 0
        self._ended = self._lost is not None  # the search is over, all was tried that could help
        self._full = False

    def advance(self, count: int) -> bool:
        """Try about `count` configurations, or groups of agents once there is a plan; True once it is over."""
        count = check_count(count, "count")
        while count > 0 and not self._over:
            left = self._limit - self._work
            if self._rows is None or not self._may_replan:
                part = min(count, left, _CHUNK)
                self._search(part)
            else:  # in rounds, so that the result does not depend on how often this is called
                part = min(left, _SHARE)
                if not self._full:
                    self._search(1)
                if not self._ended:
                    self._replan(part if self._full else part - 1)
            count -= part
        return self._over

    @property
    def result(self) -> Result[Plan]:
        """The best so far, with the status LIMIT until the search is over."""
        if self._lost is not None:
            return self._lost
        bound, counts = float(self._alone.sum()), self._counts
        if self._rows is None and self._ended:
            reason = "no order of steps leads from the starts to the goals: all have been tried"
            return Result(Status.NO_SOLUTION, reason=reason, stats=counts)
        tried = f"{self._work} configurations" + (" and groups of agents tried" if self._improve else " tried")
        if self._full:
            tried += ", and there is no room for more configurations"
        if self._rows is None:
            return Result(Status.LIMIT, reason=f"no plan yet; {tried}", bound=bound, stats=counts)
        if not self._ended:
            reason = f"{tried}: there may be a better plan"
            return self._with(self._rows, bound, Status.LIMIT, reason)
        least = float(self._tree.best) if self._improve else bound
        return self._with(self._rows, max(bound, least), Status.SOLVED, "")

    def _with(self, rows: NDArray[np.int32], bound: float, status: Status, reason: str) -> Result[Plan]:
        solved = self._board.solved(rows)
        return Result(status, solved.value, reason, bound, {**solved.stats, **self._counts})

    @property
    def _work(self) -> int:
        return self._tree.work + self._replanned

    @property
    def _over(self) -> bool:
        stuck = self._full and (self._rows is None or not self._may_replan)
        return self._ended or self._work >= self._limit or stuck

    @property
    def _may_replan(self) -> bool:
        """Whether there are agents to plan anew, and room for the steps to their goals."""
        return self._improve and 0 < 4 * self._board.agents * self._board.count <= ROOM

    @property
    def _counts(self) -> dict[str, float]:
        counts = {"expanded": float(self._tree.work), "nodes": float(self._tree.nodes)}
        if self._improve and self._rows is not None:
            counts |= {"loss": float(self._tree.best), "replanned": float(self._replanned)}
        return counts

    def _search(self, count: int) -> None:
        """Try configurations; a way to the goals of a smaller sum of costs is the new plan."""
        tree, loss = self._tree, self._tree.loss
        tree.search(self._pushing, count, once=self._rows is None)
        if tree.loss < loss:
            self._take(tree.rows())
        self._ended = self._ended or not tree.open or (tree.found and not self._improve)
        self._full = tree.room > ROOM

    def _replan(self, count: int) -> None:
        """Work on better starts until there are no more; then plan groups of agents anew."""
        if self._ways is None:
            self._ways = Reservation(self._board)
            self._start = RepairedPlan(self._ways.to_goal, self._board, self._dice)
        left = count
        while left > 0 and self._start is not None:
            left -= 1
            if not self._start.advance():
                self._start = self._started(self._start, self._ways)
        self._refine(left)
        self._replanned += count
        if self._improvement is not None and self._improvement.cost < self._cost:
            self._adopt(self._ways.rows(), self._improvement.cost)

    def _started(self, start: RepairedPlan | GuidedPlan, ways: Reservation) -> GuidedPlan | None:
        """Go on with a better start if it is cheaper; return the next one if that may help."""
        if isinstance(start, GuidedPlan):
            if start.rows is not None:
                self._take(start.rows)
            return None
        if start.free:
            improvement = start.improvement()
            if improvement.cost < self._cost:
                self._ways, self._improvement = start.ways, improvement
                self._adopt(start.ways.rows(), improvement.cost)
        near = _NEAR * (self._cost - int(self._alone.sum())) <= self._cost
        return None if near else GuidedPlan(ways.to_goal, self._board, self._pushing, _TRIES * self._tree.work)

    def _adopt(self, rows: NDArray[np.int32], cost: int) -> None:
        """Take a plan as the best, of which the tree learns."""
        self._rows, self._cost = rows, cost
        self._tree.learn(_loss(rows, self._board.goals))
        self._ended = self._ended or cost == int(self._alone.sum())

    def _refine(self, count: int) -> None:
        """Plan groups of the first plan anew."""
        if self._ways is not None and self._rows is not None and self._improvement is None:
            for agent in range(self._board.agents):
                self._ways.lift(agent)
                self._ways.lay(agent, spans_of(self._rows[:, agent]))
            self._improvement = Improvement(self._ways)
        if self._improvement is not None and count > 0:
            self._improvement.improve(count, GROUP, self._dice)

    def _take(self, rows: NDArray[np.int32]) -> None:
        cost = int(Plan(rows.astype(np.int64)).arrivals(self._board.goals.astype(np.int64)).sum())
        if self._rows is None or cost < self._cost:
            self._improvement = None
            self._adopt(rows, cost)


class LaCAMStar(LaCAM):
    """`lacam_star` in parts; it goes on until its search is over, a limit is reached, or the caller has enough."""

    def __init__(self, instance: Instance, *, seed: int = 0, limit: int = 2**62) -> None:
        """Measure all agents' steps to their goals and begin with the starts."""
        super().__init__(instance, seed=seed, limit=limit, improve=True)


def _loss(rows: NDArray[np.int32], goals: NDArray[np.int32]) -> int:
    """Return how often an agent is not at its goal both before and after a step."""
    there = rows == goals
    return int((~(there[:-1] & there[1:])).sum())
