"""Collision repair: agents that collide are planned anew, some at a time, until nobody does.

J. Li, Z. Chen, D. Harabor, P. Stuckey, S. Koenig, "MAPF-LNS2: Fast Repairing for Multi-Agent Path Finding via Large
Neighborhood Search", 2022. Three ways to choose whom: those who collide with each other, those in the way to a goal or
from a start, or anybody, by how well each has done so far.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.neighbourhood import add_agent, draw, shuffle, spin, walk_from, weigh
from anabasis._kernel.safe_intervals import FOREVER, LATEST, find_way, trace_way
from anabasis._kernel.traffic import AFTER, CELL, NEXT, WHO, collisions_of, lay_way, lift_way, read_way
from anabasis.mapf.gave_up import GaveUpError
from anabasis.mapf.reservation import Reservation

__all__ = ["Collisions"]

_COLLIDE, _GOALS, _ANYBODY = range(3)
_WALK = 32  # steps of a walk that looks for others around those who collide


class Collisions:
    """Who collides with whom: pairs is their number, degree int32[k] those of each agent.

    Memory is a byte for each pair of agents.
    """

    def __init__(self, ways: Reservation, order: NDArray[np.int64]) -> None:
        """Plan for these agents in this order, so that each collides with as few as possible of those before."""
        self.ways = ways
        agents = ways.board.agents
        self.meets = np.zeros((agents, agents), np.uint8)
        self.degree = np.zeros(agents, np.int32)
        self.weights = np.ones(3)
        self.tally = np.zeros(1, np.int64)
        self.goal_of = np.full(ways.board.count, -1, np.int32)
        self.goal_of[ways.board.goals] = np.arange(agents, dtype=np.int32)
        self.lay(order)

    def lay(self, order: NDArray[np.int64], margin: int = -1) -> None:
        """Plan for more agents, who have no ways yet, among those who have.

        margin: nobody comes later by more steps than that than alone, whomever it meets for that; -1 for no such bound.
        Raises GaveUpError where a search stops at a limit: others may be met, so that who has a way alone has one.
        """
        failed, self.ways.spans, self.ways.pools = _begin(order, margin, *self._arrays())
        if failed >= 0:
            raise GaveUpError

    @property
    def pairs(self) -> int:
        """Number of pairs that collide."""
        return int(self.tally[0])

    def _arrays(self) -> tuple[Any, ...]:
        ways = self.ways
        traffic = ways.head, ways.chain, ways.spans, ways.spare
        ends = ways.board.starts, ways.board.goals, (*ways.rules, ways.limit, FOREVER)
        found = self.meets, self.degree, self.tally
        return (ways.ground, ways.feet[0], *traffic, ways.heed, ways.to_goal, *ends, ways.memory, ways.pools, *found)

    def repair(self, count: int, size: int, dice: NDArray[np.int64]) -> int:
        """Plan anew for `size` agents at most `count` times, until nobody collides; return how often."""
        rounds, self.ways.spans, self.ways.pools = _repair(
            count, size, dice, self.weights, self.goal_of, *self._arrays()
        )
        return int(rounds)


@kernel
def _begin(
    order: Any, margin: int, ground: Any, foot: Any, head: Any, chain: Any, spans: Any, spare: Any, heed: Any,
    to_goal: Any, starts: Any, goals: Any, rules: Any, memory: Any, pools: Any, meets: Any, degree: Any, tally: Any,
) -> Any:  # fmt: skip
    """Lay the first ways and count who collides; return the first agent without a way, or -1, spans and pools."""
    for agent in order:
        start, goal = starts[agent], goals[agent]
        memory[3][LATEST] = max(1, to_goal[agent, start] + margin) if margin >= 0 else 0  # 0: no bound
        label, pools = find_way(ground, foot, head, spans, heed, to_goal[agent], start, goal, 0, rules, memory, pools)
        memory[3][LATEST] = 0
        if label < 0:
            return agent, spans, pools
        way = trace_way(pools[1], label, rules[2])
        tally[0] += collisions_of(way, agent, head, spans, rules, meets[agent])
        spans = lay_way(head, chain, spans, spare, agent, way, foot)
        for other in range(len(starts)):
            if meets[agent, other]:
                meets[other, agent] = 1
                degree[agent] += 1
                degree[other] += 1
    return -1, spans, pools


@kernel
def _repair(
    count: int, size: int, dice: Any, weights: Any, goal_of: Any, ground: Any, foot: Any, head: Any, chain: Any,
    spans: Any, spare: Any, heed: Any, to_goal: Any, starts: Any, goals: Any, rules: Any, memory: Any, pools: Any,
    meets: Any, degree: Any, tally: Any,
) -> Any:  # fmt: skip
    """Repair at most `count` times; return how often, the spans and the pools."""
    agents = len(starts)
    chosen = np.empty(min(size, agents), np.int64)
    fresh = np.empty((len(chosen), agents), np.uint8)
    for round_ in range(count):
        if tally[0] == 0:
            return round_, spans, pools
        choice = spin(dice, weights)
        if choice == _COLLIDE:
            n = _choose_colliding(meets, degree, ground, head, chain, spans, to_goal, dice, chosen)
        elif choice == _GOALS:
            n = _choose_by_goals(degree, goal_of, starts, head, chain, spans, dice, chosen)
        else:
            n = _choose_any(degree, dice, chosen)
        shuffle(dice, chosen, n)
        old = 0
        for i in range(n):
            old += degree[chosen[i]]
            for j in range(i):
                old -= meets[chosen[i], chosen[j]]
        kept = [read_way(chain, spans, chosen[i], 1) for i in range(n)]
        for i in range(n):
            lift_way(head, chain, spans, spare, chosen[i])
        new, done = 0, 0
        while done < n and new <= old:
            agent = chosen[done]
            start, goal = starts[agent], goals[agent]
            label, pools = find_way(
                ground, foot, head, spans, heed, to_goal[agent], start, goal, 0, rules, memory, pools
            )
            if label < 0:  # the search stopped at a limit
                new = old + 1
                break
            way = trace_way(pools[1], label, rules[2])
            fresh[done] = 0
            new += collisions_of(way, agent, head, spans, rules, fresh[done])
            spans = lay_way(head, chain, spans, spare, agent, way, foot)
            done += 1
        if new <= old:
            _replace(meets, degree, chosen, n, fresh)
            tally[0] += new - old
        else:
            for i in range(done):
                lift_way(head, chain, spans, spare, chosen[i])
            for i in range(n):
                spans = lay_way(head, chain, spans, spare, chosen[i], kept[i], foot)
        weigh(weights, choice, max(old - new, 0) / n)
    return count, spans, pools


@leaf
def _replace(meets: Any, degree: Any, chosen: Any, n: int, fresh: Any) -> None:
    """Put in whom the chosen collide with now."""
    for i in range(n):
        row = meets[chosen[i]]
        for other in range(len(degree)):
            if row[other]:
                row[other] = 0
                meets[other, chosen[i]] = 0
                degree[other] -= 1
        degree[chosen[i]] = 0
    for i in range(n):
        for other in range(len(degree)):
            if fresh[i, other]:
                meets[chosen[i], other] = 1
                meets[other, chosen[i]] = 1
                degree[other] += 1
                degree[chosen[i]] += 1


@leaf
def _one_of(degree: Any, least: int, dice: Any) -> int:
    """Return a random agent, by its number of collisions plus `least`."""
    left = draw(dice, degree.sum() + least * len(degree))
    for agent in range(len(degree)):
        left -= degree[agent] + least
        if left < 0:
            return agent
    return len(degree) - 1


@leaf
def _choose_any(degree: Any, dice: Any, chosen: Any) -> int:
    count = 0
    for _ in range(4 * len(chosen)):
        count = add_agent(chosen, count, _one_of(degree, 1, dice))
    return count


@leaf
def _choose_colliding(
    meets: Any, degree: Any, ground: Any, head: Any, chain: Any, spans: Any, to_goal: Any, dice: Any, chosen: Any
) -> int:
    """Choose agents joined by collisions: all of them if they are few, and whom they meet on walks; else at random."""
    chosen[0] = _one_of(degree, 0, dice)
    count, i = 1, 0
    while i < count < len(chosen):  # everybody within reach
        for other in range(len(degree)):
            if meets[chosen[i], other]:
                count = add_agent(chosen, count, other)
        i += 1
    if count == len(chosen):  # there may be more: a walk from one to the next
        agent, count = chosen[0], 1
        for _ in range(8 * len(chosen)):
            left = draw(dice, degree[agent])
            for other in range(len(degree)):
                left -= int(meets[agent, other])  # a uint8 would wrap without the compiler
                if left < 0:
                    agent = other
                    break
            count = add_agent(chosen, count, agent)
    for _ in range(8):
        if count < len(chosen):
            agent = chosen[draw(dice, count)]
            count = walk_from(ground, head, chain, spans, to_goal[agent], agent, _WALK, FOREVER, dice, chosen, count)
    return count


@kernel
def _choose_by_goals(
    degree: Any, goal_of: Any, starts: Any, head: Any, chain: Any, spans: Any, dice: Any, chosen: Any
) -> int:
    """Choose one who collides, those who pass its start, and those whose goals are on its way and on theirs."""
    chosen[0] = _one_of(degree, 0, dice)
    count, i = 1, 0
    row = head[starts[chosen[0]]]
    around = np.empty(len(degree), np.int64)
    passing = 0
    while row >= 0:
        if spans[row, WHO] != chosen[0] and passing < len(around):
            around[passing] = spans[row, WHO]
            passing += 1
        row = spans[row, AFTER]
    if passing:
        count = add_agent(chosen, count, around[draw(dice, passing)])
    while i < count < len(chosen):
        found, row = 0, chain[chosen[i]]
        while row >= 0:
            other = goal_of[spans[row, CELL]]
            if other >= 0 and other != chosen[i] and found < len(around):
                around[found] = other
                found += 1
            row = spans[row, NEXT]
        shuffle(dice, around, found)
        for j in range(found):
            count = add_agent(chosen, count, around[j])
        i += 1
    return count
