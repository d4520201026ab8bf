"""Focal tree: the constraint tree that ECBS and EECBS grow, each in its own order.

M. Barer, G. Sharon, R. Stern, A. Felner, 2014 (ECBS); J. Li, W. Ruml, S. Koenig, "EECBS: A Bounded-Suboptimal Search
for Multi-Agent Path Finding", 2021 (bypassing conflicts, target reasoning).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.instance import Instance
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.focal import (
    FINISH,
    FOLLOW,
    FOLLOWING,
    STAY,
    SWAP,
    SWAPS,
    TARGET,
    WAIT,
    focal_room,
    focal_search,
    last_visit,
    meetings,
    set_ways,
    visitors,
)
from anabasis.noun import freeze
from anabasis.options import check_choice
from anabasis.plan import Plan
from anabasis.result import Result

__all__ = ["CAN", "FocalTree", "Node"]

CAN = ("directed", "vanish", "changes", "following", "no wait", "swaps")
"""What the low level and the detection of conflicts handle."""

Shorts = NDArray[np.int32]
Constraint = tuple[int, int, int, int, int]
_NONE = np.empty((0, 6), np.int32)
_PATIENCE = 20  # nodes split before ways may be longer at the cost of others
_SHARE = 0.1
_SHARE_OF_PROVED = 0.25  # of what a bound proved elsewhere leaves over
_ROOM = 1 << 24  # states of one search at most
_MOST_PLACES = 1 << 26  # in the table: a place for each agent in each step


def _check_weight(weight: float) -> float:
    """Return a bound of suboptimality; raises InputError unless it is from 1 to 1000."""
    value = float(freeze(weight, np.float64, (), "weight"))
    if not 1 <= value <= 1000:
        raise InputError("weight", found=f"{weight}", expected="a factor from 1 to 1000")
    return value


@dataclass(eq=False)
class Node:
    """A node of the constraint tree.

    - ways int64[k]: which way each agent goes; conflicts int32[m, 6]: rows as of `focal.meetings`;
    - head: its newest constraint, -1 for none; cost and bound: of its ways, and below which no solution under it costs.
    """

    ways: NDArray[np.int64]
    conflicts: Shorts
    head: int
    cost: int
    bound: int
    number: int = 0
    closed: bool = False


class FocalTree:
    """The ways, constraints and nodes of one run; `root` and `expand` make nodes, the order is the caller's."""

    def __init__(self, instance: Instance, name: str, weight: float, objective: str) -> None:
        self.board = board = Board(instance, name, CAN)
        self.weight = _check_weight(weight)
        self.makespan = check_choice(objective, "objective", ("sum", "makespan")) == 1
        rules = instance.rules
        self.rules = (
            STAY * rules.stay
            | SWAPS * (rules.swap and not rules.following)
            | FOLLOWING * rules.following
            | WAIT * rules.wait
        )
        k = board.agents
        self.to_goal = board.distances()
        self.least = self.to_goal[np.arange(k), board.starts]
        self.pool = np.empty(1024, np.int32)
        self.starts = np.zeros(max(2 * k, 64) + 1, np.int64)
        self.low = np.zeros(max(2 * k, 64), np.int64)
        self.count = 0  # of ways
        self.rows = np.empty((64, 6), np.int32)
        self.constraints = 0
        self.arcs = board.indptr, board.indices, int(np.diff(board.indptr).max(initial=0)) + 1
        self.room = focal_room(4096)
        self.lists = np.full(board.count, -1, np.int32)
        self.live = np.full(k, -1, np.int64)
        reach = self.least[self.least < FAR]
        self.most_steps = _MOST_PLACES // max(1, 2 * k)  # of a way; the table may get twice as long
        self._table(min(int(reach.max(initial=0)) + 16, self.most_steps))
        self.stats = {"expanded": 0, "generated": 0, "low_level_expanded": 0, "bypasses": 0, "targets": 0}
        self.proved = 0  # a bound of the whole instance, known from elsewhere
        self.exhausted = False  # a search, or the table, ran out of room: that no way was found proves nothing

    def _table(self, steps: int) -> None:
        """Make an empty table for ways of so many steps."""
        k = self.board.agents
        self.bits = int(steps + 2).bit_length()
        room = k << self.bits
        owner = np.full(self.board.count, -1, np.int32)
        if self.rules & STAY:
            owner[self.board.goals] = np.arange(k, dtype=np.int32)
        self.table = (
            np.full(1 << max(4, (2 * room - 1).bit_length()), -1, np.int32),
            np.empty(room, np.int32),
            np.empty(room, np.int32),
            np.full(k, FAR, np.int32),
            owner,
        )
        self.live[:] = -1

    def show(self, ways: NDArray[np.int64]) -> None:
        """Put these ways, one an agent or -1, into the table."""
        used = ways[ways >= 0]
        steps = int((self.starts[used + 1] - self.starts[used]).max(initial=0))
        if steps >> self.bits:
            self._table(2 * steps)
        set_ways(self.table, self.board.count, self.bits, self.live, ways, self.starts, self.pool)

    def keep(self, way: Shorts, low: int) -> int:
        """Keep a way, of which `low` is a lower bound of the steps; return its number."""
        number, start = self.count, int(self.starts[self.count])
        while start + way.size > self.pool.size:
            self.pool = np.concatenate((self.pool, np.empty_like(self.pool)))
        if number == self.low.size:
            self.low = np.concatenate((self.low, np.zeros_like(self.low)))
            self.starts = np.concatenate((self.starts, np.zeros(number, np.int64)))
        self.pool[start : start + way.size] = way
        self.starts[number + 1] = start + way.size
        self.low[number] = low
        self.count += 1
        return number

    def constrain(self, head: int, constraint: Constraint) -> int:
        """Keep a constraint that follows the row `head`; return its row."""
        row = self.constraints
        if row == len(self.rows):
            self.rows = np.concatenate((self.rows, np.empty_like(self.rows)))
        self.rows[row] = (*constraint, head)
        self.constraints += 1
        return row

    def steps(self, ways: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many steps ways have."""
        return self.starts[ways + 1] - self.starts[ways] - 1

    def measures(self, ways: NDArray[np.int64]) -> tuple[int, int]:
        """Return the cost of ways and the least that they can cost."""
        steps = self.steps(ways)
        low = self.low[ways]
        if self.makespan:
            return int(steps.max(initial=0)), int(low.max(initial=0))
        return int(steps.sum()), int(low.sum())

    def search(
        self, agent: int, head: int, least: int, fixed: int, spent: float, weight: float = 0.0
    ) -> tuple[Shorts, int]:
        """Find a way of the agent among the ways in the table; see `focal.focal_search`."""
        board, size = self.board, len(self.room[0])
        way, low, expanded = focal_search(
            self.arcs,
            board.closed,
            self.to_goal[agent],
            self.table,
            board.count,
            self.bits,
            self.rules,
            agent,
            int(board.starts[agent]),
            int(board.goals[agent]),
            self.rows,
            head,
            self.lists,
            weight or self.weight,
            least,
            fixed,
            spent,
            self.room,
        )
        self.stats["low_level_expanded"] += expanded
        if low < 0 and size < _ROOM:
            self.room = focal_room(4 * size)
            return self.search(agent, head, least, fixed, spent, weight)
        if way.size > self.most_steps:
            way, low = way[:0], -1
        self.exhausted |= low < 0
        return way, low

    def root(self) -> Node | Result[Plan]:
        """Plan one agent after the other; return the first node, or NO_SOLUTION if one has no way (see `exhausted`)."""
        lost = self.board.out_of_reach(self.least)
        if lost is not None:
            return lost
        k = self.board.agents
        ways = np.full(k, -1, np.int64)
        lows, costs = self.least.astype(np.int64), self.least.astype(np.int64)
        conflicts = _NONE
        for agent in range(k):
            way, low = self.search(agent, -1, *self.allowance(agent, lows, costs))
            if not way.size:
                return self.board.no_way(agent, changing=True)
            conflicts = meetings(self.table, self.board.count, self.bits, self.rules, agent, way, conflicts)
            ways[agent] = self.keep(way, low)
            lows[agent], costs[agent] = low, way.size - 1
            self.show(ways)
        return Node(ways, conflicts, -1, *self.measures(ways))

    def allowance(self, agent: int, lows: NDArray[np.int64], costs: NDArray[np.int64]) -> tuple[int, int, float]:
        """Return least, fixed and spent of `focal_search`, so that the cost stays within weight times the bound.

        A way is at most weight times its bound long; once the search has grown long, it may take a share of what the
        others left over, or of what the bound of the instance leaves over. If the others took more, it makes up for
        that. What a way's own bound gains while it is found may be counted twice then: `refit` mends such nodes.
        """
        if self.makespan:
            return max(int(lows.max()), self.proved), 0, 0.0
        low, cost = int(lows[agent]), int(costs[agent])
        fixed, spent = int(lows.sum()) - low, int(costs.sum()) - cost
        left = self.weight * fixed - spent
        spare = 0.0
        if self.stats["expanded"] - self.stats["bypasses"] > _PATIENCE:
            spare = max(_SHARE * left, _SHARE_OF_PROVED * (self.weight * (self.proved - low) - spent))
        if left < 0 and spare <= 0:
            return fixed + low, fixed, float(spent)
        return low, 0, -max(spare, 0.0)

    def splits(self, conflict: Shorts) -> list[tuple[list[Constraint], list[int]]]:
        """Return what is forbidden in each child, and whose ways break it; every solution obeys one of them."""
        kind, t, a, b, v, u = conflict.tolist()
        if kind == TARGET:  # a arrives after b was there, or before, and nobody comes from then on
            self.stats["targets"] += 1
            late = visitors(self.table, self.board.count, self.bits, v, t)
            early = [(a, v, 0, t, FINISH), (~a, v, t, FAR, -1)]
            return [(early, [i for i in late.tolist() if i != a]), ([(a, v, t + 1, FAR, FINISH)], [a])]
        first = (a, v, t, t, u if kind == SWAP else -1)
        second = (b, u, t, t, v) if kind == SWAP else (b, v, t, t, -1)
        if kind == FOLLOW:
            second = (b, v, t - 1, t - 1, -1)
        return [([first], [a]), ([second], [b])]

    def child(self, node: Node, constraints: list[Constraint], agents: list[int]) -> Node | None:
        """Return the node below with these constraints, for which the agents are planned anew; None if one can't."""
        head = node.head
        for constraint in constraints:
            head = self.constrain(head, constraint)
        ways, conflicts = node.ways.copy(), node.conflicts
        lows, costs = self.low[ways], self.steps(ways)
        for agent in agents:
            found = self.again(agent, head, ways, conflicts, self.allowance(agent, lows, costs))
            if found is None:
                return None
            conflicts = found
            lows[agent], costs[agent] = self.low[ways[agent]], self.steps(ways[agent])
        self.stats["generated"] += 1
        return Node(ways, conflicts, head, *self.measures(ways))

    def again(
        self,
        agent: int,
        head: int,
        ways: NDArray[np.int64],
        conflicts: Shorts,
        allowance: tuple[int, int, float],
        weight: float = 0.0,
    ) -> Shorts | None:
        """Replace the agent's way among `ways` by a new one; return the conflicts then, or None if it has none."""
        low = int(self.low[ways[agent]])
        ways[agent] = -1
        self.show(ways)
        way, found = self.search(agent, head, *allowance, weight)
        if not way.size:
            return None
        ways[agent] = self.keep(way, max(low, found))
        return meetings(self.table, self.board.count, self.bits, self.rules, agent, way, conflicts)

    def over(self, node: Node) -> bool:
        """Tell whether a node costs more than weight times the greatest bound known for it."""
        return node.cost > self.weight * max(node.bound, self.proved) + 1e-9

    def refit(self, node: Node) -> None:
        """Plan ways of a node anew, those most above their share first, until it isn't `over` any more.

        Ways within weight times their bounds are within it together, but for the rounding of each; where that is too
        much, the shortest ways will do. Nothing is done if the room for a search is exhausted.
        """
        ways, conflicts = node.ways.copy(), node.conflicts
        cost, bound = self.measures(ways)
        for weight in (self.weight, 1.0):
            for agent in np.argsort(self.weight * self.low[ways] - self.steps(ways), kind="stable").tolist():
                if cost <= self.weight * max(bound, node.bound, self.proved) + 1e-9:
                    break
                allowance = int(self.low[ways[agent]]), 0, 0.0
                found = self.again(agent, node.head, ways, conflicts, allowance, weight)
                if found is None:
                    return
                conflicts = found
                cost, bound = self.measures(ways)
        node.ways, node.conflicts, node.cost, node.bound = ways, conflicts, cost, max(node.bound, bound)

    def expand(self, node: Node, most: float) -> list[Node]:
        """Return the children of a node that has conflicts, or none of them and the node itself improved.

        A child with fewer conflicts whose cost is not above `most` gives its ways to the node without its constraints:
        so the node is bypassed rather than split.
        """
        self.stats["expanded"] += 1
        children: list[Node] = []
        self.show(node.ways)
        for constraints, agents in self.splits(self.chosen(node.conflicts)):
            least = self.least_cost(node, constraints[0])
            if any(child.cost <= least and self.bypasses(node, child, most) for child in children):
                break  # the second could not be cheaper
            self.show(node.ways)
            child = self.child(node, constraints, agents)
            if child is not None:
                children.append(child)
        better = [child for child in children if self.bypasses(node, child, most)]
        if not better:
            return children
        self.bypass(node, min(better, key=lambda child: (child.cost, len(child.conflicts))))
        return [node]

    @staticmethod
    def bypasses(node: Node, child: Node, most: float) -> bool:
        """Tell whether the ways of a child will do for the node itself."""
        return child.cost <= most and len(child.conflicts) < len(node.conflicts)

    def least_cost(self, node: Node, constraint: Constraint) -> int:
        """Return what a child with this constraint costs at least, if only its agent's way changes."""
        agent, _, first, _, source = constraint
        if agent < 0 or self.makespan:
            return 0
        way = node.ways[agent]
        return node.cost - int(self.steps(way)) + max(int(self.low[way]), first if source == FINISH else 0)

    def bypass(self, node: Node, child: Node) -> None:
        """Give the child's ways to the node, of which they prove nothing new."""
        self.stats["bypasses"] += 1
        ways = child.ways
        for agent in np.flatnonzero(ways != node.ways).tolist():
            way, low = int(ways[agent]), int(self.low[node.ways[agent]])
            ways[agent] = self.keep(self.pool[self.starts[way] : self.starts[way + 1]], low)
        node.ways, node.conflicts, node.cost = ways, child.conflicts, child.cost

    def chosen(self, conflicts: Shorts) -> Shorts:
        """Return the conflict to split on: one at a goal, else the earliest."""
        return conflicts[np.argmin(conflicts[:, 1] + np.where(conflicts[:, 0] == TARGET, 0, FAR))]

    def shorten(self, node: Node) -> None:
        """Shorten the ways of a node without conflicts, one by one while the others stay, twice round."""
        ways = node.ways.copy()
        for _ in range(0 if self.makespan else 2):
            for agent in range(self.board.agents):
                way = int(ways[agent])
                cost = int(self.steps(ways[agent]))
                if cost == self.least[agent]:
                    continue
                ways[agent] = -1
                self.show(ways)
                best = self.free_way(agent, cost)
                ways[agent] = way
                if best is not None:
                    ways[agent] = self.keep(best, int(self.low[way]))
        node.ways, (node.cost, _) = ways, self.measures(ways)

    def free_way(self, agent: int, cost: int) -> Shorts | None:
        """Return a way shorter than `cost` that conflicts with none in the table, or None."""
        table, n, goal = self.table, self.board.count, int(self.board.goals[agent])
        last = last_visit(table, n, self.bits, goal) if self.rules & STAY else -1
        if last + 1 >= cost:
            return None
        head = self.constrain(-1, (agent, goal, last + 1, cost - 1, FINISH))
        way, _ = self.search(agent, head, cost, 0, 0.0, 1.0)
        self.constraints -= 1
        if not way.size or len(meetings(table, n, self.bits, self.rules, agent, way, _NONE)):
            return None
        return way

    def rows_of(self, node: Node) -> Shorts:
        """Return int32[steps + 1, k]: where each agent is at each step."""
        starts, ends = self.starts[node.ways], self.starts[node.ways + 1] - 1
        steps = np.arange(int((ends - starts).max(initial=0)) + 1)
        return self.pool[np.minimum(starts + steps[:, None], ends)]
