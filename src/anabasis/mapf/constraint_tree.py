"""Constraint tree: the high level of conflict-based search, best first over what single agents are forbidden.

G. Sharon et al., "Conflict-based search for optimal multi-agent pathfinding", 2015; E. Boyarski et al., "Don't Split,
Try To Work It Out: Bypassing Conflicts in Multi-Agent Pathfinding", 2015; J. Li et al., "Improved Heuristics for
Multi-Agent Path Finding with Conflict-Based Search", 2019.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from anabasis.mapf.board import FAR
from anabasis.mapf.cbs_heuristics import cover
from anabasis.mapf.conflict_choice import KINDS, Side, Splits
from anabasis.mapf.conflicts import Conflicts
from anabasis.mapf.constraints import Constraints, Row
from anabasis.mapf.single_agents import SingleAgents, Way

__all__ = ["ConstraintTree", "TreeOptions"]

Shorts = NDArray[np.int32]

_PAIR_LIMIT = 100  # nodes that two agents by themselves may take; then what is proved by then counts
_PAIR_NODES = 32  # nodes of pairs in one piece of work; then other work may go on
_MOST_WEIGHTS = 200_000


@dataclass(frozen=True)
class TreeOptions:
    """How a tree grows: heuristic is one of none, cg, dg, wdg."""

    makespan: bool = False
    disjoint: bool = False
    bypass: bool = True
    heuristic: str = "wdg"


class _Node:
    """What a node adds to its parent: new ways of some columns, rows for all agents but one."""

    __slots__ = ("cost", "estimate", "found", "parent", "rest", "ways", "weighed")

    def __init__(
        self, parent: _Node | None, ways: dict[int, Way], rest: tuple[int, tuple[Row, ...]] | None, found: Shorts
    ) -> None:
        self.parent, self.ways, self.rest, self.found = parent, ways, rest, found
        self.cost = self.estimate = 0
        self.weighed = False


class ConstraintTree:
    """The tree of some agents; grown by `grow`.

    - bound: a lower bound of the cost of all solutions; FAR if there are none;
    - solution: the ways of the agents once found, which are optimal;
    - counts: expanded and generated nodes, and what was split, bypassed or weighed how often.
    """

    def __init__(
        self,
        single: SingleAgents,
        splits: Splits,
        options: TreeOptions,
        agents: tuple[int, ...],
        ways: list[Way],
    ) -> None:
        """Start with these ways of these agents, which keep their constraints."""
        self._single, self._splits, self._options, self.agents = single, splits, options, agents
        self._weights: dict[tuple[Constraints, Constraints], int] = {}
        rules = single.board.instance.rules
        self._conflicts = Conflicts(single.board.count, len(agents), following=rules.following)
        self._ways: list[Way] = list(ways)
        self._rest: list[tuple[int, tuple[Row, ...]]] = []
        self._rows: Shorts = np.zeros((0, len(agents)), np.int32)
        self._open: list[tuple[int, int, int, _Node]] = []
        self.counts = Counter[str]()
        self.bound = 0
        self.solution: list[Way] | None = None
        for column, way in enumerate(ways):
            self._put(column, way)
        root = _Node(None, dict(enumerate(ways)), None, self._conflicts.find(self._rows, self._steps()))
        root.cost = root.estimate = self._cost()
        self._push(root)

    @property
    def finished(self) -> bool:
        """Whether the answer is known."""
        return self.solution is not None or not self._open

    def grow(self, count: int) -> bool:
        """Do at most so many pieces of work, few of them more than the expansion of a node; return as `finished`."""
        for _ in range(count):
            if self.finished:
                break
            self._expand()
        if self.solution is None:
            self.bound = self._open[0][0] if self._open else FAR
        return self.finished

    def _push(self, node: _Node) -> None:
        self.counts["generated"] += 1
        heappush(self._open, (node.estimate, len(node.found), self.counts["generated"], node))

    def _expand(self) -> None:
        """Take the best node out of the queue: a solution, or to be weighed first, or to be split."""
        entry = heappop(self._open)
        node = entry[3]
        self.bound = node.estimate
        self._load(node)
        if self._options.makespan:
            self._single.floor = node.estimate
        if not node.weighed and len(node.found):
            weight = self._weigh(node.found)
            if weight is None:
                heappush(self._open, entry)
                return
            node.weighed = True
            estimate = node.cost + weight
            if estimate >= FAR:
                return
            if estimate > node.estimate:
                node.estimate = estimate
                self.counts["weighed"] += 1
                self._push(node)
                return
        self.counts["expanded"] += 1
        while True:
            if not len(node.found):
                self.solution = list(self._ways)
                return
            split = self._splits.best(node.found.tolist(), self.agents, self._ways, disjoint=self._options.disjoint)
            children = [child for side in split.sides if (child := self._child(node, side))]
            shorter = next((c for c in children if self._may_replace(node, c)), None) if split.hard < 2 else None
            if shorter is None:
                break
            self._replace(node, shorter)
        self.counts[KINDS[split.kind]] += 1
        for child in children:
            self._push(child)

    def _may_replace(self, node: _Node, child: _Node) -> bool:
        """Tell whether a child's ways, which keep the node's constraints, cost as much and conflict less."""
        return self._options.bypass and child.cost == node.cost and len(child.found) < len(node.found)

    def _replace(self, node: _Node, child: _Node) -> None:
        self.counts["bypassed"] += 1
        node.found = child.found
        for column, way in child.ways.items():
            own = self._single.same(way.path, self._ways[column].constraints)
            node.ways[column] = own
            self._put(column, own)

    def _child(self, node: _Node, side: Side) -> _Node | None:
        """Return the child of one side of a split, None if an agent has no way left."""
        before = list(self._ways)
        rest = [*self._rest, (side.agent, side.rest)] if side.rest else self._rest
        changed: dict[int, Way] = {}
        for column in self._touched(side):
            agent = self.agents[column]
            more = [row for but, rows in rest if but != agent for row in rows]
            own = side.rows if agent == side.agent else ()
            constraints = self._single.constraints(agent, before[column].constraints, (*more, *own))
            if constraints.breaks(before[column].path, stay=self._single.stay):
                way = self._single.way(agent, constraints, self._rows, column, self._steps())
            else:
                way = self._single.same(before[column].path, constraints)
            if way is None:
                break
            changed[column] = way
            self._put(column, way)
        else:
            found = self._conflicts.find(self._rows, self._steps())
            child = _Node(node, changed, (side.agent, side.rest) if side.rest else None, found)
            child.cost = self._cost()
            child.estimate = max(child.cost, node.estimate)
            self._restore(changed, before)
            return child
        self._restore(changed, before)
        return None

    def _touched(self, side: Side) -> list[int]:
        """Return the column of the side's agent, and of the others that break the rows for all others."""
        columns = [column for column, agent in enumerate(self.agents) if agent == side.agent]
        for origin, vertex, first, last in side.rest:
            rows = self._rows[: self._steps()]
            there = rows[first : last + 1] == vertex
            if origin >= 0:
                there = there & (rows[first - 1 : last] == origin)[: len(there)]
            for column in np.flatnonzero(there.any(axis=0)).tolist():
                if column not in columns:
                    columns.append(column)
        return columns

    def _restore(self, changed: dict[int, Way], before: list[Way]) -> None:
        for column in changed:
            self._put(column, before[column])

    def _load(self, node: _Node) -> None:
        """Make the ways of a node the current ones."""
        self._rest = []
        ways: dict[int, Way] = {}
        above: _Node | None = node
        while above is not None:
            if above.rest is not None:
                self._rest.append(above.rest)
            for column, way in above.ways.items():
                ways.setdefault(column, way)
            above = above.parent
        for column, way in ways.items():
            if way is not self._ways[column]:
                self._put(column, way)

    def _put(self, column: int, way: Way) -> None:
        """Make a way the current one of a column."""
        size = len(way.path)
        if size > len(self._rows):
            self._ways[column] = way
            self._rows = np.empty((size + size // 2, len(self.agents)), np.int32)
            for other, old in enumerate(self._ways):
                self._write(other, old)
        else:
            self._ways[column] = way
            self._write(column, way)

    def _write(self, column: int, way: Way) -> None:
        size = min(len(way.path), len(self._rows))
        self._rows[:size, column] = way.path[:size]
        self._rows[size:, column] = way.path[-1] if self._single.stay else -1

    def _steps(self) -> int:
        return max((len(way.path) for way in self._ways), default=0)

    def _cost(self) -> int:
        costs = [way.cost for way in self._ways]
        return max(costs, default=0) if self._options.makespan else sum(costs)

    def _weigh(self, found: Shorts) -> int | None:
        """Return by how much the cost must rise, from pairs of agents in conflict; FAR if a pair has no solution.

        None: only some of the pairs were looked at; they are remembered.
        """
        heuristic = self._options.heuristic
        if heuristic == "none" or self._options.makespan:
            return 0
        weights: dict[tuple[int, int], int] = {}
        most = self.counts["pair_nodes"] + _PAIR_NODES
        for row in found.tolist():
            pair = (row[0], row[1]) if row[0] < row[1] else (row[1], row[0])
            if heuristic == "cg":
                ways = self._ways[row[0]], self._ways[row[1]]
                agents = self.agents[row[0]], self.agents[row[1]]
                if self._splits.split(agents, ways, row[2], row[3], row[4], False).hard == 2:
                    weights[pair] = 1
            elif pair not in weights:
                if self.counts["pair_nodes"] >= most:
                    return None
                weights[pair] = self._weight(*pair)
                if weights[pair] >= FAR:
                    return FAR
        return cover({pair: weight for pair, weight in weights.items() if weight})

    def _weight(self, one: int, two: int) -> int:
        """Return by how much the ways of two agents must get longer, had they to heed only each other."""
        ways = [self._ways[one], self._ways[two]]
        key = (ways[0].constraints, ways[1].constraints)
        if key not in self._weights:
            if len(self._weights) > _MOST_WEIGHTS:
                self._weights.clear()
            options = TreeOptions(heuristic="none", bypass=self._options.bypass)
            tree = ConstraintTree(self._single, self._splits, options, (self.agents[one], self.agents[two]), ways)
            base, limit = ways[0].cost + ways[1].cost, _PAIR_LIMIT
            while limit and not tree.grow(1) and not (self._options.heuristic == "dg" and tree.bound > base):
                limit -= 1
            self.counts["pairs"] += 1
            self.counts["pair_nodes"] += tree.counts["expanded"]
            weight = tree.bound - base if tree.bound < FAR else FAR
            self._weights[key] = min(weight, 1) if self._options.heuristic == "dg" and weight < FAR else weight
        return self._weights[key]
