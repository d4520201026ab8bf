"""Focal run: the loop that ECBS and EECBS share: take a node, stop if its ways don't conflict, else expand it.

M. Barer, G. Sharon, R. Stern, A. Felner, 2014; J. Li, W. Ruml, S. Koenig, 2021. That conflict-based search goes on
beside it, to raise the bound, is our own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from heapq import heappop, heappush

from anabasis.instance import Instance
from anabasis.mapf import cbs
from anabasis.mapf.focal_tree import FocalTree, Node
from anabasis.mapf.gave_up import TOO_LARGE
from anabasis.mapf.solvability import NO_CONFIGURATION, solvable
from anabasis.options import check_count
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["FocalRun", "stale"]

_DOUBTFUL = 200  # nodes expanded before it is asked whether there is a solution at all
_LOOKED_AT = 200_000  # configurations looked at to answer that
_ALONE = 200  # nodes expanded before conflict-based search begins beside them
_EACH = 20  # nodes expanded for each piece of its work


class FocalRun(ABC):
    """A search that can be stopped: `advance` it, look at its `result`. limit: of nodes, by default none."""

    name: str

    def __init__(self, instance: Instance, *, weight: float = 1.2, objective: str = "sum", limit: int = 2**62) -> None:
        self._limit = check_count(limit, "limit", 1)
        self._tree = FocalTree(instance, self.name, weight, objective)
        self._cleanup: list[tuple[int, int, int, Node]] = []  # all open nodes, by their bounds
        self._begun = False
        self._number = 0
        self._bound = 0
        self._done: Result[Plan] | None = None
        self._proof: cbs.Cbs | None = None
        self._helps = instance.features <= set(cbs.CAN)  # conflict-based search can, and has not given up

    @property
    def result(self) -> Result[Plan]:
        """The solution, or that there is none; LIMIT until then, with the bound proved so far."""
        if self._done is not None:
            return self._done
        reason = f"no solution was found in {self._tree.stats['expanded']} nodes"
        return Result(Status.LIMIT, None, reason, float(self._bound), self._stats())

    def advance(self, count: int) -> bool:
        """Expand up to `count` nodes; True once the search has ended or its limit is reached."""
        check_count(count, "count")
        if not self._begun:
            self._begun = True
            root = self._tree.root()
            if self._tree.exhausted:
                self._done = self._too_large()
            elif isinstance(root, Result):
                self._done = root
            else:
                self._enter(root, 0)
        while self._done is None:
            node = self._first()
            if node is None:
                self._done = self._none()
            elif node.cost > self._most:
                self._tree.refit(node)
                self._enter(node, node.bound)
                if self._tree.exhausted:
                    self._done = self._too_large()
            elif not len(node.conflicts):
                self._done = self._solution(node)
            elif count == 0 or self._spent:
                break
            else:
                count -= 1
                if self._tree.stats["expanded"] == _DOUBTFUL and solvable(self._tree.board, limit=_LOOKED_AT) is False:
                    self._done = Result(Status.NO_SOLUTION, reason=NO_CONFIGURATION, stats=self._stats())
                    break
                if self._prove():
                    break
                children = self._tree.expand(node, self._most)
                if self._tree.exhausted:
                    self._done = self._too_large()
                    break
                node.closed = not (children and children[0] is node)
                if node.closed and children:
                    self._learn(node, children)
                for child in children:
                    self._enter(child, node.bound)
        return self._done is not None or self._spent

    def _prove(self) -> bool:
        """Let conflict-based search do its next piece of work if it is its turn; tell whether it has the answer."""
        turn, rest = divmod(self._tree.stats["expanded"] - _ALONE, _EACH)
        if not self._helps or turn < 0 or rest:
            return False
        if self._proof is None:
            objective = "makespan" if self._tree.makespan else "sum"
            self._proof = cbs.Cbs(self._tree.board.instance, objective=objective, limit=2**62)
        self._helps = not self._proof.advance(1)
        if self._helps or self._proof.gave_up:
            self._bound = self._tree.proved = max(self._bound, self._proof.bound)
            return False
        found = self._proof.result
        costs = {name: found.stats[name] for name in ("sum_of_costs", "makespan") if found.value is not None}
        ratio = {"bound_ratio": 1.0} if found.value is not None else {}
        stats = {**ratio, **costs, **self._stats()}
        self._done = Result(found.status, found.value, found.reason, found.bound, stats)
        return True

    @property
    def _spent(self) -> bool:
        return self._tree.stats["expanded"] >= self._limit

    @property
    def _most(self) -> float:
        """The greatest cost that may be accepted."""
        return self._tree.weight * self._bound + 1e-9

    def _enter(self, node: Node, bound: int) -> None:
        node.bound = max(node.bound, bound)
        self._number += 1
        node.number = self._number
        heappush(self._cleanup, (node.bound, len(node.conflicts), node.number, node))
        self._add(node)

    def _first(self) -> Node | None:
        """Raise the bound to the least of the open nodes, and return which to expand."""
        while self._cleanup and stale(self._cleanup[0]):
            heappop(self._cleanup)
        if not self._cleanup:
            return None
        self._bound = max(self._bound, self._cleanup[0][0])
        return self._next()

    def _solution(self, node: Node) -> Result[Plan]:
        tree = self._tree
        if node.cost > self._bound:
            tree.shorten(node)
        ratio = node.cost / self._bound if self._bound else 1.0
        stats: dict[str, float] = {"bound_ratio": ratio, **self._stats()}
        plan = tree.board.solved(tree.rows_of(node), bound=float(self._bound))
        return Result(plan.status, plan.value, bound=plan.bound, stats={**plan.stats, **stats})

    def _too_large(self) -> Result[Plan]:
        """Stop where a child is missing from the open nodes, so that their bounds prove no more."""
        return Result(Status.LIMIT, None, TOO_LARGE, float(self._bound), self._stats())

    def _none(self) -> Result[Plan]:
        reason = "every way to settle the conflicts leaves an agent without a way to its goal"
        return Result(Status.NO_SOLUTION, reason=reason, stats=self._stats())

    def _stats(self) -> dict[str, float]:
        return {name: float(value) for name, value in self._tree.stats.items()}

    @abstractmethod
    def _add(self, node: Node) -> None:
        """Put a node among the open ones."""

    @abstractmethod
    def _next(self) -> Node:
        """Return the open node to expand; there is one."""

    def _learn(self, node: Node, children: list[Node]) -> None:  # noqa: B027 - only some orders learn
        """Look at what expanding a node has shown."""


def stale(entry: tuple[object, ...]) -> bool:
    """Tell whether an entry (..., number, node) is of a node that was expanded, or changed since."""
    node = entry[-1]
    return isinstance(node, Node) and (node.closed or node.number != entry[-2])
