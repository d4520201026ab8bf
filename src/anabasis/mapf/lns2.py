"""MAPF-LNS2: plan for everybody at once with collisions, repair them some agents at a time, then make the plan cheaper.

J. Li, Z. Chen, D. Harabor, P. Stuckey, S. Koenig, "MAPF-LNS2: Fast Repairing for Multi-Agent Path Finding via Large
Neighborhood Search", 2022, and "Anytime Multi-Agent Path Finding via Large Neighborhood Search", 2021.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.random import stream_key
from anabasis._kernel.safe_intervals import HARD, SOFT
from anabasis.instance import Instance
from anabasis.mapf.board import Board
from anabasis.mapf.collision_repair import Collisions
from anabasis.mapf.destroy_repair import Improvement
from anabasis.mapf.gave_up import TOO_LARGE, GaveUpError
from anabasis.mapf.prioritized import first_order, hopeless
from anabasis.mapf.reservation import FEATURES_OF_INTERVALS, Reservation
from anabasis.options import check_count, check_seed
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["LNS2", "lns2"]

_STREAM = 3102


def lns2(
    instance: Instance, *, limit: int = 20_000, improvements: int = 0, size: int = 8, seed: int = 0
) -> Result[Plan]:
    """Plan for many agents by repairing collisions, then by `improvements` rounds that lower the sum of costs.

    limit: of rounds of repair; in each of them and of the improvements `size` agents are planned anew.

    Not complete: LIMIT, with the number of collisions left, if the rounds do not suffice; NO_SOLUTION only if an agent
    can't get to its goal even alone. stats: repairs, improvements, collisions, first_cost (the sum of costs before the
    improvements), expanded. The bound is the sum of the shortest ways alone. Obeys every feature of instances but
    "sharing", "no wait" and "sizes"; where rings are forbidden it lets nobody follow closely, which forbids more.
    """
    search = LNS2(instance, limit=limit, improvements=improvements, size=size, seed=seed)
    while not search.advance(1000):
        pass
    return search.result


class LNS2:
    """MAPF-LNS2 in pieces: call `advance` until it returns True, or stop when time is up and take `result`."""

    def __init__(
        self, instance: Instance, *, limit: int = 20_000, improvements: int = 0, size: int = 8, seed: int = 0
    ) -> None:
        """Find the distances and the first ways, which may collide; options as in `lns2`."""
        self.limit = check_count(limit, "limit of repairs")
        self.most = check_count(improvements, "improvements")
        self.size = check_count(size, "size of a neighbourhood", 1)
        seed = check_seed(seed)
        self.board = Board(instance, "lns2", FEATURES_OF_INTERVALS - {"sizes"})
        self.dice: NDArray[np.int64] = np.array([stream_key(seed, _STREAM, 0), 0])
        self.repairs = self.improvements = 0
        self._improvement: Improvement | None = None
        self.first_cost = 0
        ways = Reservation(self.board)
        self._over = self.board.out_of_reach(ways.shortest)
        for agent in range(self.board.agents):
            self._over = hopeless(ways, agent) if self._over is None else self._over
        if self._over is None:
            ways.heed[:] = SOFT
            try:
                self._collisions = Collisions(ways, first_order(ways, "shortest", 0))
            except GaveUpError:
                bound = float(ways.shortest.sum())
                self._over = Result(Status.LIMIT, None, TOO_LARGE, bound, {"expanded": ways.expanded})

    @property
    def collisions(self) -> int:
        """How many pairs of agents still collide."""
        return 0 if self._over is not None else self._collisions.pairs

    def advance(self, count: int) -> bool:
        """Do at most `count` rounds of repair or improvement; return whether all is done."""
        count = check_count(count, "count")
        if self._over is not None or not self.board.agents:
            return True
        if self.collisions and self.repairs < self.limit:
            done = self._collisions.repair(min(count, self.limit - self.repairs), self.size, self.dice)
            self.repairs += done
            count -= done
        if self.collisions:
            return self.repairs >= self.limit
        if self._improvement is None:
            self._collisions.ways.heed[:] = HARD
            self._improvement = Improvement(self._collisions.ways)
            self.first_cost = self._improvement.cost
        count = min(count, self.most - self.improvements)
        self._improvement.improve(count, self.size, self.dice)
        self.improvements += count
        return self.improvements >= self.most

    @property
    def result(self) -> Result[Plan]:
        """The plan so far: SOLVED when all is done, else LIMIT, with the plan as soon as nobody collides."""
        if self._over is not None:
            return self._over
        ways = self._collisions.ways
        bound = float(ways.shortest.sum())
        stats: dict[str, float] = {
            "repairs": self.repairs,
            "improvements": self.improvements,
            "collisions": self.collisions,
            "first_cost": self.first_cost,
            "expanded": ways.expanded,
        }
        if self.collisions:
            reason = f"after {self.repairs} rounds of repair {self.collisions} pairs of agents still collide"
            return Result(Status.LIMIT, reason=reason, bound=bound, stats=stats)
        left = self.most - self.improvements
        reason = f"stopped after {self.improvements} of {self.most} improvements" if left else ""
        return ways.solved(Status.LIMIT if left else Status.SOLVED, reason, **stats)
