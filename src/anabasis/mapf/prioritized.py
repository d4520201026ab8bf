"""Prioritised planning: one agent after the other takes the earliest way that meets none of those before it.

M. Erdmann and T. Lozano-Pérez, "On Multiple Moving Objects", 1987; D. Silver, "Cooperative Pathfinding", 2005
(hierarchical cooperative A*: the distances of the empty map as the estimate). Each way is found over safe intervals;
who finds none goes first in the next attempt: A. Andreychuk and K. Yakovlev, "Two Techniques That Enhance the
Performance of Multi-robot Prioritized Path Planning", 2018.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_word, stream_key
from anabasis._kernel.safe_intervals import FOREVER, NONE, STOPPED, find_way, trace_way
from anabasis._kernel.traffic import lay_way
from anabasis.instance import Instance
from anabasis.mapf.board import Board
from anabasis.mapf.reservation import FEATURES_OF_INTERVALS, STOPS, Reservation
from anabasis.options import check_choice, check_count, check_seed
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["Prioritized", "first_order", "hopeless", "prioritized", "shuffled"]

ORDERS = ("shortest", "longest", "given", "random")
_STREAM = 3101  # of the random orders


def prioritized(
    instance: Instance, *, order: str = "shortest", restarts: int = 100, labels: int = 0, seed: int = 0
) -> Result[Plan]:
    """Plan for one agent after the other.

    order: whose turn it is: the "shortest" way alone first (least sum of costs), the
    "longest" first (fewest failures), as "given", or "random", by the seed.
    restarts: how often all is planned anew if an agent finds no way: it goes first then, and after every tenth failure
    all are shuffled by the seed. labels: the most that one search takes up, 0 for as many as there is room for.

    Not complete: what no order solves ends as LIMIT, and the reason names the last agent without a way; NO_SOLUTION
    only if an agent can't get to its goal even alone. stats: expanded, restarts. The bound is the sum of the shortest
    ways alone. Obeys every feature of instances but "sharing" and "no wait"; where rings are forbidden it lets nobody
    follow closely, which forbids more.
    """
    search = Prioritized(instance, order=order, restarts=restarts, labels=labels, seed=seed)
    while not search.advance(1000):
        pass
    return search.result


class Prioritized:
    """`prioritized` in parts, so that a caller can stop by the clock; options as those of the function."""

    def __init__(
        self, instance: Instance, *, order: str = "shortest", restarts: int = 100, labels: int = 0, seed: int = 0
    ) -> None:
        """Measure all agents' steps to their goals and choose the first order."""
        self._restarts, labels = check_count(restarts, "restarts"), check_count(labels, "labels of a search")
        check_choice(order, "order", ORDERS)
        self._seed = check_seed(seed)
        board = Board(instance, "prioritized", FEATURES_OF_INTERVALS)
        self._ways = Reservation(board)
        self._ways.limit = labels
        self._hopeless = board.out_of_reach(self._ways.shortest)
        self._turns = first_order(self._ways, order, self._seed)
        self._planned = self._attempt = 0  # agents that have ways in this order; orders that failed
        self._failed = -1  # the last agent without a way

    @property
    def _over(self) -> bool:
        done = self._planned == self._turns.size
        return done or self._hopeless is not None or self._attempt > self._restarts

    def advance(self, count: int) -> bool:
        """Look for the ways of at most `count` agents; return whether the search is over."""
        count = check_count(count, "count")
        while count > 0 and not self._over:
            part = self._turns[self._planned : self._planned + count]
            failed = _plan_for(self._ways, part)
            if failed < 0:
                self._planned += part.size
                count -= part.size
            else:
                count -= int(np.flatnonzero(part == failed)[0]) + 1
                self._begin_with(failed)
        return self._over

    def _begin_with(self, failed: int) -> None:
        """Begin the next order, in which the agent without a way goes first, if that may help."""
        self._hopeless = hopeless(self._ways, failed)
        self._attempt, self._failed = self._attempt + 1, failed
        if self._over:
            return
        self._turns = np.concatenate([[failed], self._turns[self._turns != failed]])
        if self._attempt % 10 == 0:
            self._turns = shuffled(self._turns, self._seed, self._attempt)
        for agent in range(self._turns.size):
            self._ways.lift(agent)
        self._planned = 0

    @property
    def result(self) -> Result[Plan]:
        """The plan once all agents have ways, else LIMIT with the reason, or the proof that there is none."""
        ways, agents = self._ways, self._turns.size
        if self._hopeless is not None:
            return self._hopeless
        if self._planned == agents:
            return ways.solved(expanded=ways.expanded, restarts=self._attempt)
        reason = f"{self._planned} of {agents} agents have ways in this order of planning, the first"
        if self._failed >= 0:
            starts, goals = ways.board.instance.starts, ways.board.instance.goals
            start, goal = (ways.board.name(int(ends[self._failed])) for ends in (starts, goals))
            reason = (
                f"after {self._attempt} orders of planning there is still one without a way among those before it, at "
                f"last agent {self._failed}, from {start} to {goal}"
            )
        if ways.stops:
            reason += f"; {ways.stops} searches stopped at their limit"
        stats = {"expanded": float(ways.expanded), "restarts": float(min(self._attempt, self._restarts))}
        if self._failed >= 0:
            stats["agent"] = float(self._failed)
        return Result(Status.LIMIT, reason=reason, bound=float(ways.shortest.sum()), stats=stats)


def first_order(ways: Reservation, order: str, seed: int) -> NDArray[np.int64]:
    """Return int64[k]: the agents in the order in which they are to plan."""
    if order == "given":
        return np.arange(ways.board.agents)
    if order == "random":
        return shuffled(np.arange(ways.board.agents), seed, 0)
    sign = -1 if order == "longest" else 1
    return np.argsort(sign * ways.shortest.astype(np.int64), kind="stable")


def shuffled(agents: NDArray[np.int64], seed: int, step: int) -> NDArray[np.int64]:
    """Return the same agents in an order drawn from the seed."""
    key = stream_key(seed, _STREAM, step)
    return agents[np.argsort([random_word(key, int(agent), 0) for agent in agents.tolist()], kind="stable")]


def _plan_for(ways: Reservation, order: NDArray[np.int64]) -> int:
    """Plan for more agents in this order; return -1, or the first that finds no way."""
    for kind, foot in enumerate(ways.feet):
        if (ways.kind == kind).all():
            return _plan_all(ways, order, foot)
    for agent in order.tolist():
        way = ways.way(agent)
        if way is None:
            return agent
        ways.lay(agent, way)
    return -1


def _plan_all(ways: Reservation, order: NDArray[np.int64], foot: NDArray[np.int32]) -> int:
    board, rules = ways.board, (*ways.rules, ways.limit, FOREVER)
    traffic = ways.head, ways.chain, ways.spans, ways.spare
    failed, ways.spans, ways.pools = _plan_each(
        order,
        ways.ground,
        foot,
        *traffic,
        ways.heed,
        ways.to_goal,
        board.starts,
        board.goals,
        rules,
        ways.memory,
        ways.pools,
    )
    return int(failed)


def hopeless(ways: Reservation, agent: int) -> Result[Plan] | None:
    """Return NO_SOLUTION if it is proved that known changes leave an agent no way even with nobody there, else None."""
    if not ways.board.instance.change_times.size:
        return None  # without changes who is in reach has a way
    heed, stops = ways.heed.copy(), ways.stops
    ways.heed[:] = NONE
    alone = ways.way(agent)
    ways.heed[:] = heed
    return None if alone is not None or ways.stops > stops else ways.board.no_way(agent, changing=True)


@kernel
def _plan_each(
    order: Any, ground: Any, foot: Any, head: Any, chain: Any, spans: Any, spare: Any, heed: Any, to_goal: Any,
    starts: Any, goals: Any, rules: Any, memory: Any, pools: Any,
) -> Any:  # fmt: skip
    """Find and lay a way for each agent in turn; return the first without one, or -1, and what may grow."""
    for agent in order:
        start, goal = starts[agent], goals[agent]
        label, pools = find_way(ground, foot, head, spans, heed, to_goal[agent], start, goal, 0, rules, memory, pools)
        if label < 0:
            memory[3][STOPS] += label == STOPPED
            return agent, spans, pools
        way = trace_way(pools[1], label, rules[2])
        spans = lay_way(head, chain, spans, spare, agent, way, foot)
    return -1, spans, pools
