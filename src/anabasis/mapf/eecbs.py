"""EECBS: plans of many agents that cost at most a chosen factor more than the best, by explicit estimation.

J. Li, W. Ruml, S. Koenig, "EECBS: A Bounded-Suboptimal Search for Multi-Agent Path Finding", 2021; J. Thayer, W. Ruml,
"Bounded Suboptimal Search: A Direct Approach Using Inadmissible Estimates", 2011 (explicit estimation search).
"""

from __future__ import annotations

from heapq import heappop, heappush

from anabasis.instance import Instance
from anabasis.mapf.focal_run import FocalRun, stale
from anabasis.mapf.focal_tree import Node
from anabasis.plan import Plan
from anabasis.result import Result

__all__ = ["Eecbs", "eecbs"]


def eecbs(instance: Instance, *, weight: float = 1.2, objective: str = "sum", limit: int = 100_000) -> Result[Plan]:
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
    search = Eecbs(instance, weight=weight, objective=objective, limit=limit)
    while not search.advance(1000):
        pass
    return search.result


class Eecbs(FocalRun):
    """A run of `eecbs` that can be stopped.

    What a node will cost, and over how many nodes, is estimated from its conflicts and from how wrong such estimates
    were so far. Of the nodes that may cost at most weight times the best estimate, the nearest to a solution comes
    first if its cost is allowed by the bound; else the one of the best estimate; else the one of the least bound,
    which raises it.
    """

    name = "eecbs"

    def __init__(self, instance: Instance, *, weight: float = 1.2, objective: str = "sum", limit: int = 2**62) -> None:
        super().__init__(instance, weight=weight, objective=objective, limit=limit)
        self._open: list[tuple[float, int, Node]] = []
        self._focal: list[tuple[float, float, int, Node]] = []
        self._waiting: list[tuple[float, int, Node]] = []
        self._seen = 0
        self._dearer = 0.0  # what a step towards a solution adds to the cost, on average
        self._missed = 0.0  # by how many conflicts such a step fails to settle one

    def _add(self, node: Node) -> None:
        away = len(node.conflicts) / max(0.05, 1 - self._missed)
        guess = node.cost + max(0.0, self._dearer) * away
        heappush(self._open, (guess, node.number, node))
        heappush(self._waiting, (guess, node.number, node))

    def _learn(self, node: Node, children: list[Node]) -> None:
        best = min(children, key=lambda child: (child.cost + max(0.0, self._dearer) * len(child.conflicts), child.cost))
        self._seen += 1
        self._dearer += (best.cost - node.cost - self._dearer) / self._seen
        self._missed += (len(best.conflicts) - len(node.conflicts) + 1 - self._missed) / self._seen

    def _next(self) -> Node:
        while stale(self._open[0]):
            heappop(self._open)
        near = self._tree.weight * self._open[0][0]
        while self._waiting and self._waiting[0][0] <= near:
            guess, number, node = heappop(self._waiting)
            heappush(self._focal, (len(node.conflicts), guess, number, node))
        while stale(self._focal[0]) or self._focal[0][1] > near:
            entry = heappop(self._focal)
            if not stale(entry):
                heappush(self._waiting, entry[1:])
        for node in (self._focal[0][-1], self._open[0][-1]):
            if node.cost <= self._most or self._tree.over(node):
                return node
        return self._cleanup[0][-1]
