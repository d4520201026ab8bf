"""Destroy and repair: a plan without conflicts gets cheaper by planning some agents anew, again and again.

J. Li, Z. Chen, D. Harabor, P. Stuckey, S. Koenig, "Anytime Multi-Agent Path Finding via Large Neighborhood Search",
2021. Three ways to choose whom: a late agent and those who hold it up, those who pass a crossing, or anybody, by how
well each has done so far.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.neighbourhood import add_agent, draw, shuffle, spin, walk_from, way_length, weigh
from anabasis._kernel.safe_intervals import FOREVER, LATEST, find_way, trace_way
from anabasis._kernel.traffic import AFTER, WHO, lay_way, lift_way, read_way
from anabasis.mapf.reservation import Reservation

__all__ = ["Improvement"]

_LATE, _CROSSING, _ANYBODY = range(3)


class Improvement:
    """Lowers the sum of costs of conflict-free ways: arrival int64[k] and its sum, cost."""

    def __init__(self, ways: Reservation) -> None:
        self.ways = ways
        self.arrival = np.array([way_length(ways.chain, ways.spans, a) for a in range(ways.board.agents)], np.int64)
        self.tried = np.zeros(ways.board.agents, np.uint8)
        self.weights = np.ones(3)
        degree = np.diff(ways.board.indptr)
        self.crossings = np.flatnonzero(degree > 2).astype(np.int32)

    @property
    def cost(self) -> int:
        """The sum of the arrivals."""
        return int(self.arrival.sum())

    def improve(self, count: int, size: int, dice: NDArray[np.int64]) -> None:
        """Plan anew for `size` agents `count` times; what is not better is undone."""
        ways = self.ways
        traffic = ways.head, ways.chain, ways.spans, ways.spare
        ends = ways.board.starts, ways.board.goals, (*ways.rules, ways.limit, FOREVER)
        found = self.arrival, ways.shortest, self.tried, self.crossings
        ways.spans, ways.pools = _improve(
            count, size, dice, self.weights, *found, ways.ground, ways.feet[0], *traffic, ways.heed, ways.to_goal,
            *ends, ways.memory, ways.pools,
        )  # fmt: skip


@kernel
def _improve(
    count: int, size: int, dice: Any, weights: Any, arrival: Any, shortest: Any, tried: Any, crossings: Any,
    ground: Any, foot: Any, head: Any, chain: Any, spans: Any, spare: Any, heed: Any, to_goal: Any, starts: Any,
    goals: Any, rules: Any, memory: Any, pools: Any,
) -> Any:  # fmt: skip
    """Improve `count` times; return the spans and the pools, which may have grown."""
    agents = len(starts)
    chosen = np.empty(min(size, agents), np.int64)
    fresh = np.empty(len(chosen), np.int64)
    for _ in range(count):
        choice = spin(dice, weights)
        if choice == _LATE:
            n = _choose_late(arrival, shortest, tried, ground, head, chain, spans, to_goal, dice, chosen)
        elif choice == _CROSSING and len(crossings):
            n = _choose_at_crossing(crossings, ground, head, spans, dice, chosen)
        else:
            n = 0
            while n < len(chosen):
                n = add_agent(chosen, n, draw(dice, agents))
        shuffle(dice, chosen, n)
        old, least = 0, 0
        for i in range(n):
            old += arrival[chosen[i]]
            least += shortest[chosen[i]]
        kept = [read_way(chain, spans, chosen[i], 1) for i in range(n)]
        for i in range(n):
            lift_way(head, chain, spans, spare, chosen[i])
        new, done = 0, 0
        while done < n and new + least <= old:
            agent = chosen[done]
            start, goal = starts[agent], goals[agent]
            memory[3][LATEST] = max(1, old - new - least + shortest[agent])  # later is not better
            label, pools = find_way(
                ground, foot, head, spans, heed, to_goal[agent], start, goal, 0, rules, memory, pools
            )
            if label < 0:
                break
            way = trace_way(pools[1], label, rules[2])
            spans = lay_way(head, chain, spans, spare, agent, way, foot)
            fresh[done] = way[len(way) - 1, 1]
            new += fresh[done]
            least -= shortest[agent]
            done += 1
        memory[3][LATEST] = 0
        gain = old - new if done == n else 0
        if done < n or new > old:
            gain = 0
            for i in range(done):
                lift_way(head, chain, spans, spare, chosen[i])
            for i in range(n):
                spans = lay_way(head, chain, spans, spare, chosen[i], kept[i], foot)
        else:
            for i in range(n):
                arrival[chosen[i]] = fresh[i]
        weigh(weights, choice, gain / max(n, 1))
    return spans, pools


@leaf
def _choose_late(
    arrival: Any, shortest: Any, tried: Any, ground: Any, head: Any, chain: Any, spans: Any, to_goal: Any, dice: Any,
    chosen: Any,
) -> int:  # fmt: skip
    """Choose the latest agent that has not been tried since all were, and those on walks that would be shorter."""
    worst, late = -1, 0
    for agent in range(len(arrival)):
        if tried[agent] == 0 and arrival[agent] - shortest[agent] > late:
            worst, late = agent, arrival[agent] - shortest[agent]
    if worst < 0:  # everybody late was tried
        tried[:] = 0
        worst = draw(dice, len(arrival))
    tried[worst] = 1
    chosen[0] = worst
    count, agent = 1, worst
    for _ in range(10):
        steps = arrival[agent] + 1
        count = walk_from(ground, head, chain, spans, to_goal[agent], agent, steps, arrival[agent], dice, chosen, count)
        if count == len(chosen):
            break
        agent = chosen[draw(dice, count)]
    return count


@kernel
def _choose_at_crossing(crossings: Any, ground: Any, head: Any, spans: Any, dice: Any, chosen: Any) -> int:
    """Choose agents that pass a random crossing or places near it, those of a random time on first."""
    indptr, indices = ground[0], ground[1]
    queue = np.empty(64, np.int32)
    queue[0] = crossings[draw(dice, len(crossings))]
    count, i, last = 0, 0, 1
    while i < last and count < len(chosen):
        v = queue[i]
        i += 1
        passing, row = 0, head[v]
        while row >= 0:
            passing += 1
            row = spans[row, AFTER]
        skip = draw(dice, passing) if passing else 0
        for _ in range(2):
            row = head[v]
            for _ in range(skip):
                row = spans[row, AFTER]
            while row >= 0:
                count = add_agent(chosen, count, spans[row, WHO])
                row = spans[row, AFTER]
            skip = 0
        for a in range(indptr[v], indptr[v + 1]):
            known = last == len(queue)
            for j in range(last):
                known = known or queue[j] == indices[a]
            if not known:
                queue[last] = indices[a]
                last += 1
    return count
