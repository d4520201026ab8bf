"""Better starts: plans for LaCAM* to go on from, made from ways that collide little, a group of agents at a time.

The ways are repaired, as by MAPF-LNS2, see `lns2`; or, where too many collide for that, they guide a new search, whose
agents follow them where they can: K. Okumura, "Engineering LaCAM*: Towards Real-Time, Large-Scale, and Near-Optimal
Multi-Agent Pathfinding", 2024, after S. D. Han and J. Yu, "Optimizing Space Utilization for More Effective Multi-Robot
Path Planning", 2022.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.safe_intervals import HARD, SOFT
from anabasis.mapf.board import Board
from anabasis.mapf.collision_repair import Collisions
from anabasis.mapf.configuration_tree import ROOM, ConfigurationTree, Pushing
from anabasis.mapf.destroy_repair import Improvement
from anabasis.mapf.gave_up import GaveUpError
from anabasis.mapf.prioritized import first_order
from anabasis.mapf.reservation import Reservation

__all__ = ["GROUP", "GuidedPlan", "RepairedPlan"]

Shorts = NDArray[np.int32]

GROUP = 3
"""Agents planned anew at a time; here also how many ways are laid in one piece of work."""
_FEW = 8  # one pair that collides for so many agents is the most that is worth repairing
_MARGIN = 10  # steps by which a way that guides may be longer than the shortest


class _Laying:
    """Ways that may collide, laid a group at a time, those of short ways first."""

    def __init__(self, to_goal: Shorts, board: Board, margin: int) -> None:
        self.ways = Reservation(board, to_goal)
        self.ways.heed[:] = SOFT
        self._order = first_order(self.ways, "shortest", 0)
        self.collisions = Collisions(self.ways, self._order[:0])
        self._margin, self._laid = margin, 0

    @property
    def done(self) -> bool:
        """Whether all have their ways."""
        return self._laid >= self._order.size

    def advance(self) -> bool:
        """Lay the ways of a group; False if a search for one stopped at a limit."""
        try:
            self.collisions.lay(self._order[self._laid : self._laid + GROUP], self._margin)
        except GaveUpError:
            return False
        self._laid += GROUP
        return True


class RepairedPlan:
    """Ways that collide as little as possible, however long they are, repaired until nobody does."""

    def __init__(self, to_goal: Shorts, board: Board, dice: NDArray[np.int64]) -> None:
        """Begin; to_goal: see `Reservation`; dice: as in `_kernel.neighbourhood`."""
        self._laying = _Laying(to_goal, board, -1)
        self._dice, self._repairs = dice, 0

    @property
    def ways(self) -> Reservation:
        """The ways so far."""
        return self._laying.ways

    @property
    def free(self) -> bool:
        """Whether all have their ways and nobody collides."""
        return self._laying.done and self._laying.collisions.pairs == 0

    def improvement(self) -> Improvement:
        """Return the start of its improvement, once it is free of collisions."""
        self.ways.heed[:] = HARD
        return Improvement(self.ways)

    def advance(self) -> bool:
        """Lay the ways of a group, or repair one; whether there is more to do and a hope."""
        agents, collisions = self.ways.board.agents, self._laying.collisions
        if not self._laying.done:
            if not self._laying.advance():
                return False
        else:
            self._repairs += collisions.repair(1, 2 * GROUP, self._dice)
        return not self.free and collisions.pairs * _FEW <= agents and self._repairs <= agents


class GuidedPlan:
    """The first plan of a search like LaCAM's that is guided by ways hardly longer than alone.

    - rows: int32[t, k], the plan, None before it is found.
    """

    def __init__(self, to_goal: Shorts, board: Board, pushing: Pushing, most: int) -> None:
        """Begin. most: configurations tried before it is given up."""
        self._laying = _Laying(to_goal, board, _MARGIN)
        self._pushing, self._most, self._guided = pushing, most, False
        alone = self._laying.ways.shortest.astype(np.int64)
        self._tree = ConfigurationTree(board.starts, alone, int(np.diff(board.indptr).max(initial=0)))
        self.rows: Shorts | None = None

    def advance(self) -> bool:
        """Lay the ways of a group, or try a configuration; whether there is more to do."""
        if not self._laying.done:
            return self._laying.advance()
        if not self._guided:
            self._pushing = self._pushing._replace(field=(*self._pushing.field[:-1], _guide(self._laying.ways)))
            self._guided = True
        self._tree.search(self._pushing, 1, once=True)
        if self._tree.found:
            self.rows = self._tree.rows()
        tree = self._tree
        return self.rows is None and tree.open and tree.work < self._most and tree.room <= ROOM


_NOWHERE = np.zeros(0, np.int32)


def _guide(ways: Reservation) -> tuple[NDArray[np.int64], Shorts, Shorts]:
    """Return the guide of `_kernel.pibt` that leads along the ways: each place as it was left for the last time."""
    ends, places, nexts = [0], list[Shorts](), list[Shorts]()
    for agent in range(ways.board.agents):
        way = ways.lies(agent)[::-1, 0]
        place, last = np.unique(way, return_index=True)
        left = last > 0  # all but the goal, though a way may pass it before it ends there
        places.append(place[left])
        nexts.append(way[last[left] - 1])
        ends.append(ends[-1] + int(left.sum()))
    return np.array(ends, np.int64), np.concatenate([_NOWHERE, *places]), np.concatenate([_NOWHERE, *nexts])
