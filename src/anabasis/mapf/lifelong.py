"""Lifelong: agents that get new tasks for ever, by plans of a few steps made anew, or by priority inheritance.

J. Li, A. Tinka, S. Kiesel, J. W. Durham, T. K. S. Kumar, S. Koenig, "Lifelong Multi-Agent Path Finding in Large-Scale
Warehouses", 2021 (rolling horizon: conflicts are solved within a window, and part of it is walked);
K. Okumura, M. Machida, X. Défago, Y. Tamura, "Priority Inheritance with Backtracking", 2022 (see `pibt`).
"""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf.board import Board
from anabasis.mapf.errand_log import ErrandLog, LifelongRun
from anabasis.mapf.errands import Errands
from anabasis.mapf.pibt import PIBT
from anabasis.mapf.timed_search import Distances, Reserved
from anabasis.options import check_choice, check_count
from anabasis.result import Result

__all__ = ["STRATEGIES", "Lifelong", "lifelong"]

STRATEGIES = ("rolling", "inheritance")
_DEAR = 10_000  # steps, more than any window
Shorts, Longs = NDArray[np.int32], NDArray[np.int64]


def lifelong(
    space: Grid | Graph,
    errands: Errands,
    *,
    steps: int = 1000,
    strategy: str = "rolling",
    window: int = 20,
    period: int = 5,
    patience: int = 200,
    seed: int = 0,
) -> Result[LifelongRun]:
    """Let the agents do their errands for at most `steps` steps; the options are those of `Lifelong`.

    SOLVED if all tasks were done; LIMIT with what was done if not, and the reason says whether it got stuck and where;
    NO_SOLUTION, too with what was done, if an agent's own task leads where it can't get.
    """
    run = Lifelong(space, errands, strategy=strategy, window=window, period=period, patience=patience, seed=seed)
    run.advance(check_count(steps, "steps"))
    return run.result


class Lifelong:
    """Agents under way with their errands; the state outlives a call.

    Nobody is ever where another is, nor do two change places. step: how many steps were walked; fallbacks: how many of
    the rolling plans were not found and replaced by steps of priority inheritance.
    """

    def __init__(
        self,
        space: Grid | Graph,
        errands: Errands,
        *,
        strategy: str = "rolling",
        window: int = 20,
        period: int = 5,
        removals: int = 2,
        patience: int = 200,
        seed: int = 0,
    ) -> None:
        """Put those agents on the map that enter in step 0.

        strategy: "rolling" plans `window` steps ahead in order of priority, without conflicts in them, and walks
        `period` of them before it plans anew; who finds no way takes those of others from them, at most `removals`
        times the number of agents in one plan, else one step of inheritance is walked. "inheritance" decides each step
        by itself, which is much faster and does a little less; in narrow places with dead ends it may go round for
        ever, which is found and told.
        patience: so many steps in which no agent gets to any place it must go to end the run: it is stuck. seed: of the
        ties of inheritance. Raises InputError if a place is blocked or the period is longer than the window.
        """
        check_choice(strategy, "strategy", STRATEGIES)
        self.strategy = strategy
        self.window = check_count(window, "window", 1)
        self.period = check_count(period, "period", 1, self.window, expected=f"1 to the window, {self.window}")
        self.removals = check_count(removals, "removals")
        self.board = Board(Instance.of(space, [], []), "lifelong", {"directed"})
        self.log = ErrandLog(self.board, errands, check_count(patience, "patience", 1))
        room = min(4 * errands.size + 64, 2**26 // max(1, self.board.count) + 64)
        self.mover = PIBT(self.board, agents=errands.size, seed=seed)
        self.distances = Distances(self.board, room)
        self.reserved = Reserved(self.board)
        self.fallbacks = 0
        self._ahead: list[Shorts] = []

    @property
    def step(self) -> int:
        """How many steps were walked."""
        return self.log.step

    @property
    def positions(self) -> Longs:
        """int64[k]: the vertex where each agent is, -1 for those not there."""
        return self.log.vertices(self.log.places)

    @property
    def result(self) -> Result[LifelongRun]:
        """What was walked and done so far: SOLVED once all is done, NO_SOLUTION if that can't be, else LIMIT."""
        stats = {"expanded": self.reserved.expanded, "fallbacks": self.fallbacks}
        return self.log.result(stats)

    def advance(self, count: int) -> bool:
        """Walk at most `count` steps; return whether it has ended: all is done, or it is stuck."""
        for _ in range(check_count(count, "count")):
            if self.log.ended:
                return True
            self.log.walk(self._after())
        return self.log.ended

    def _after(self) -> Shorts:
        """Return where everybody is one step later."""
        if self._ahead:
            return self._stay_or_gone(self._ahead.pop())
        self.log.let_in()
        if self.strategy == "inheritance":
            return self._inherit()
        rows = self._plan()
        if rows is None:
            self.fallbacks += 1
            return self._inherit()
        self._ahead = list(rows[1 : self.period + 1][::-1])
        return self._ahead.pop()

    def _stay_or_gone(self, row: Shorts) -> Shorts:
        return np.where(self.log.places >= 0, row, -1).astype(np.int32)

    def _inherit(self) -> Shorts:
        """Decide one step; who has nothing to do stays if it may, behind all others."""
        log = self.log
        goals = [(log.ahead(a) or [int(log.places[a])])[0] for a in range(log.errands.size)]
        self.mover.put_first(log.order())
        return self.mover.step(log.places, np.array(goals, np.int32))

    def _plan(self) -> Shorts | None:
        """Return int32[window + 1, k]: where everybody goes; None if not everybody found a way.

        Who finds none goes through others as few as it can, and they plan anew; whom that happens to more often costs
        more to go through, and the first of all, who has waited longest, as much as nobody pays if there is another
        way: so it gets to its place in the end.
        """
        log, reserved, window = self.log, self.reserved, self.window
        turns, left = deque(log.order().tolist()), self.removals * log.errands.size
        tolls = np.full(log.errands.size, 1, np.int32)
        rows = np.full((window + 1, log.errands.size), -1, np.int32)
        tolls[list(turns)[:1]] = _DEAR
        chains = {agent: log.chain(agent, window, self.distances) for agent in turns}
        reserved.clear()
        while turns:
            agent = turns.popleft()
            start, chain = int(log.places[agent]), chains[agent]
            way = self._way(start, chain)
            if way is None and left > 0:
                way = self._way(start, chain, tolls)
                for other in reserved.met(way, 0).tolist() if way is not None else ():
                    reserved.release(rows[:, other], 0)
                    tolls[other] += 1
                    turns.appendleft(other)
                    left -= 1
            if way is None:
                return None
            reserved.reserve(agent, way, 0)
            rows[:, agent] = way
        return rows

    def _way(self, start: int, chain: list[int], tolls: Shorts | None = None) -> Shorts | None:
        return self.reserved.way(
            start,
            0,
            chain,
            self.distances,
            until=self.window,
            rest=False,
            limit=100 * self.window,
            tolls=tolls,
        )
