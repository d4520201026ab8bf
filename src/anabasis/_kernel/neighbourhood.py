"""Neighbourhoods of agents to be planned anew together: who is met on a random walk, who is drawn.

J. Li, Z. Chen, D. Harabor, P. Stuckey, S. Koenig, "Anytime Multi-Agent Path Finding via Large Neighborhood Search",
2021. Random numbers are counted: `dice` holds a stream's key and how many have been drawn.
"""

from __future__ import annotations

from typing import Any

from anabasis._kernel import leaf
from anabasis._kernel.random import random_fraction
from anabasis._kernel.traffic import AFTER, CELL, FIRST, LAST, NEXT, WHO

__all__ = ["add_agent", "draw", "shuffle", "spin", "walk_from", "way_length", "weigh"]


@leaf
def draw(dice: Any, below: int) -> int:
    """Return a random whole number from 0 to below - 1."""
    dice[1] += 1
    return min(int(random_fraction(dice[0], 0, dice[1]) * below), below - 1)


@leaf
def shuffle(dice: Any, items: Any, count: int) -> None:
    """Put the first `count` items into a random order."""
    for i in range(count - 1, 0, -1):
        j = draw(dice, i + 1)
        items[i], items[j] = items[j], items[i]


@leaf
def spin(dice: Any, weights: Any) -> int:
    """Return a random place of the weights, by their shares."""
    dice[1] += 1
    left = random_fraction(dice[0], 0, dice[1]) * weights.sum()
    for i in range(len(weights) - 1):
        left -= weights[i]
        if left < 0:
            return i
    return len(weights) - 1


@leaf
def weigh(weights: Any, which: int, gain: float) -> None:
    """Move the weight of a choice towards what it gained: fast if it gained, slowly if not."""
    pace = 0.1 if gain > 0 else 0.01
    weights[which] = max((1 - pace) * weights[which] + pace * gain, 1e-4)


@leaf
def add_agent(chosen: Any, count: int, agent: int) -> int:
    """Append an agent to the first `count` of chosen unless it is there or they are full; return how many there are."""
    if count == len(chosen):
        return count
    for i in range(count):
        if chosen[i] == agent:
            return count
    chosen[count] = agent
    return count + 1


@leaf
def way_length(chain: Any, spans: Any, agent: int) -> int:
    """Return the step at which an agent's way comes to its last vertex."""
    row, last = chain[agent], 0
    while row >= 0:
        last = spans[row, FIRST]
        row = spans[row, NEXT]
    return last


@leaf
def walk_from(
    ground: Any, head: Any, chain: Any, spans: Any, to_goal: Any, agent: int, steps: int, most: int, dice: Any,
    chosen: Any, count: int,
) -> int:  # fmt: skip
    """Add whom an agent would meet on a random walk that leaves its way somewhere and could arrive before step `most`.

    steps: how long the walk is at most.

    Returns how many are chosen.
    """
    indptr, indices = ground[0], ground[1]
    step, row = draw(dice, way_length(chain, spans, agent) + 1), chain[agent]
    while spans[row, LAST] < step:
        row = spans[row, NEXT]
    at = spans[row, CELL]
    for _ in range(steps):
        if count == len(chosen):
            break
        step += 1
        first, degree = indptr[at], indptr[at + 1] - indptr[at]
        shift, to = draw(dice, degree + 1), -1
        for i in range(degree + 1):  # the first in a random turn that is not too far from the goal; staying is one
            a = (shift + i) % (degree + 1)
            v = at if a == degree else indices[first + a]
            if step + to_goal[v] < most:
                to = v
                break
        if to < 0:
            break
        row = head[to]
        while row >= 0 and spans[row, FIRST] <= step:
            if spans[row, LAST] >= step and spans[row, WHO] != agent:
                count = add_agent(chosen, count, spans[row, WHO])
            row = spans[row, AFTER]
        if to != at:
            row = head[at]
            while row >= 0 and spans[row, FIRST] <= step:
                if spans[row, FIRST] == step and spans[row, WHO] != agent:
                    count = add_agent(chosen, count, spans[row, WHO])
                row = spans[row, AFTER]
        at = to
    return count
