"""Priority-based search: who goes before whom is decided only where two collide, depth first.

H. Ma, D. Harabor, P. Stuckey, J. Li, S. Koenig, "Searching with Consistent Prioritization for Multi-Agent Path
Finding", 2019. Ways are the earliest that meet nobody of higher priority, and of those such as meet fewest others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.safe_intervals import EARLY, FOREVER, HARD, SOFT
from anabasis._kernel.traffic import collisions_of
from anabasis.instance import Instance
from anabasis.mapf.board import Board
from anabasis.mapf.gave_up import TOO_LARGE
from anabasis.mapf.prioritized import first_order, hopeless
from anabasis.mapf.reservation import FEATURES_OF_INTERVALS, Reservation
from anabasis.options import check_count
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["PrioritySearch", "priority_search"]

_MOST_PAIRS = 2**29  # of agents, two bytes each, in all open nodes


@dataclass(frozen=True, eq=False)
class _Node:
    """An order in part: above[i, j]: i goes before j. The way of each agent, and who collides."""

    above: NDArray[np.bool_]
    ways: tuple[NDArray[np.int32], ...]
    meets: NDArray[np.uint8]
    cost: int


def priority_search(instance: Instance, *, limit: int = 2000) -> Result[Plan]:
    """Plan by searching for an order of priorities, of which only what is needed is decided.

    limit: of nodes of the search.

    Not complete, and not optimal: LIMIT at the limit, if the open nodes fill the memory or if no order will do;
    NO_SOLUTION only if an agent can't get to its goal even alone. stats: nodes, made, expanded. The bound is the sum of
    the shortest ways alone. Obeys every feature of instances but "sharing", "no wait" and "sizes"; where rings are
    forbidden it lets nobody follow closely, which forbids more.
    """
    search = PrioritySearch(instance, limit=limit)
    while not search.advance(100):
        pass
    return search.result


class PrioritySearch:
    """Priority-based search in pieces: call `advance` until it returns True, or stop and take `result`."""

    def __init__(self, instance: Instance, *, limit: int = 2000) -> None:
        """Find the distances and everybody's way alone; options as in `priority_search`."""
        self.limit = check_count(limit, "limit of nodes", 1)
        self.board = Board(instance, "priority_search", FEATURES_OF_INTERVALS - {"sizes"})
        self.nodes, self.made = 0, 1
        self._ways = Reservation(self.board)
        self._ways.counts[EARLY] = 1
        self._solved: _Node | None = None
        self._open: list[_Node] = []
        over = self.board.out_of_reach(self._ways.shortest)
        for agent in range(self.board.agents):
            over = hopeless(self._ways, agent) if over is None else over
        self._laid: list[NDArray[np.int32] | None] = [None] * self.board.agents
        root = self._root() if over is None else over
        if isinstance(root, _Node):
            self._open.append(root)
        self._over = root if isinstance(root, Result) else None

    def _root(self) -> _Node | Result[Plan]:
        agents = self.board.agents
        self._ways.heed[:] = SOFT
        meets = np.zeros((agents, agents), np.uint8)
        for agent in first_order(self._ways, "shortest", 0).tolist():
            way = self._ways.way(agent)
            if way is None:  # whoever has none alone was found before
                bound = float(self._ways.shortest.sum())
                return Result(Status.LIMIT, None, TOO_LARGE, bound, {"agent": agent})
            self._put(agent, way)
        for agent in range(agents):
            self._count(agent, meets)
        return self._node(np.zeros((agents, agents), np.bool_), meets)

    def _put(self, agent: int, way: NDArray[np.int32]) -> None:
        self._ways.lift(agent)
        self._ways.lay(agent, way)
        self._laid[agent] = way

    def _count(self, agent: int, meets: NDArray[np.uint8]) -> None:
        """Write down with whom an agent collides."""
        ways, way = self._ways, self._laid[agent]
        row = np.zeros(self.board.agents, np.uint8)
        collisions_of(way, agent, ways.head, ways.spans, (*ways.rules, 0, FOREVER), row)
        meets[agent], meets[:, agent] = row, row

    def _node(self, above: NDArray[np.bool_], meets: NDArray[np.uint8]) -> _Node:
        laid = tuple(way for way in self._laid if way is not None)
        return _Node(above, laid, meets, sum(int(way[-1, 1]) for way in laid))

    def advance(self, count: int) -> bool:
        """Take up at most `count` nodes; return whether the search has ended."""
        for _ in range(check_count(count, "count")):
            if self._ended:
                return True
            node = self._open.pop()
            self.nodes += 1
            pairs = np.argwhere(node.meets)
            if not len(pairs):
                self._solved = node
                return True
            first, second = (int(a) for a in pairs[0])
            children = [self._child(node, first, second), self._child(node, second, first)]
            found = [child for child in children if child is not None]
            self.made += len(found)
            self._open += sorted(found, key=lambda child: (-child.cost, -np.count_nonzero(child.meets)))
        return self._ended

    @property
    def _ended(self) -> bool:
        over = self._over is not None or self._solved is not None or not self._open
        return over or self.nodes >= self.limit or self._full

    @property
    def _full(self) -> bool:
        return len(self._open) * self.board.agents**2 > _MOST_PAIRS

    def _child(self, node: _Node, high: int, low: int) -> _Node | None:
        """Return the node in which one goes before the other as well, None if somebody is left without a way."""
        for agent, way in enumerate(node.ways):
            if self._laid[agent] is not way:
                self._put(agent, way)
        above, meets = node.above.copy(), node.meets.copy()
        before, after = above[:, high].copy(), above[low].copy()
        before[high] = after[low] = True
        above |= before[:, None] & after[None, :]
        below = np.flatnonzero(after)
        for agent in below[np.argsort(above[:, below].sum(axis=0), kind="stable")].tolist():
            if agent != low and not (meets[agent] & above[:, agent]).any():
                continue
            self._ways.heed[:] = np.where(above[:, agent], HARD, SOFT)
            self._ways.lift(agent)
            self._laid[agent] = None
            way = self._ways.way(agent)
            if way is None:
                return None
            self._put(agent, way)
            self._count(agent, meets)
        return self._node(above, meets)

    @property
    def result(self) -> Result[Plan]:
        """The plan, or LIMIT with the reason why there is none yet."""
        if self._over is not None:
            return self._over
        bound = float(self._ways.shortest.sum())
        stats: dict[str, float] = {"nodes": self.nodes, "made": self.made, "expanded": self._ways.expanded}
        if self._solved is None:
            reason = f"gave up after {self.nodes} nodes"
            if self._full:
                reason += f", as {len(self._open)} open ones fill the memory"
            elif not self._open:
                reason = TOO_LARGE if self._ways.stops else "no order of priorities will do"
            return Result(Status.LIMIT, reason=reason, bound=bound, stats=stats)
        for agent, way in enumerate(self._solved.ways):
            self._put(agent, way)
        return self._ways.solved(Status.SOLVED, "", **stats)
