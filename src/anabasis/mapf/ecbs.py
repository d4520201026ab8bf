"""ECBS: plans of many agents that cost at most a chosen factor more than the best, with few conflicts first.

M. Barer, G. Sharon, R. Stern, A. Felner, "Suboptimal Variants of the Conflict-Based Search Algorithm for the
Multi-Agent Pathfinding Problem", 2014.
"""

from __future__ import annotations

from heapq import heappop, heappush

from anabasis.instance import Instance
from anabasis.mapf.focal_run import FocalRun, stale
from anabasis.mapf.focal_tree import Node
from anabasis.plan import Plan
from anabasis.result import Result

__all__ = ["Ecbs", "ecbs"]


def ecbs(instance: Instance, *, weight: float = 1.2, objective: str = "sum", limit: int = 100_000) -> Result[Plan]:
    """Solve an instance at no more than `weight` times the least cost; with weight 1 at the least.

    - weight: from 1 to 1000;
    - objective: "sum" of the arrival times, or "makespan", the last of them;
    - limit: how many nodes of the constraint tree are expanded at most.

    The bound of the result is proved: no solution costs less, and the one found costs at most weight · bound. After 200
    nodes `cbs` goes on beside the search, a piece of its work for each 20 of them, which doesn't count towards the
    limit: its bound counts, too, and so does its answer if it comes first. It can't where agents may swap places.
    Once a solution is found, each agent's way is shortened while the others keep theirs. That an instance has no
    solution is proved for few agents on few cells; else the search ends at the limit.
    """
    search = Ecbs(instance, weight=weight, objective=objective, limit=limit)
    while not search.advance(1000):
        pass
    return search.result


class Ecbs(FocalRun):
    """A run of `ecbs` that can be stopped.

    Of the nodes whose cost is at most weight times the least bound, the one with the fewest conflicts comes first.
    """

    name = "ecbs"

    def __init__(self, instance: Instance, *, weight: float = 1.2, objective: str = "sum", limit: int = 2**62) -> None:
        super().__init__(instance, weight=weight, objective=objective, limit=limit)
        self._focal: list[tuple[int, int, int, Node]] = []
        self._waiting: list[tuple[int, int, Node]] = []

    def _add(self, node: Node) -> None:
        heappush(self._waiting, (node.cost, node.number, node))

    def _next(self) -> Node:
        while self._waiting and self._waiting[0][0] <= self._most:
            cost, number, node = heappop(self._waiting)
            heappush(self._focal, (len(node.conflicts), cost, number, node))
        while self._focal and stale(self._focal[0]):
            heappop(self._focal)
        return (self._focal or self._cleanup)[0][-1]
