"""Conflicts of a plan: every pair of agents in one place, changing places, or one close behind the other.

R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks", 2019.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf

__all__ = ["FOLLOWS", "MEETS", "Ban", "Conflict", "Conflicts", "ways_out"]

MEETS, FOLLOWS = -1, -2

Ban = tuple[int, int, int]
"""What is forbidden to one agent: to be at a vertex at a time (vertex, -1, time), or to move (tail, head, time)."""

Conflict = tuple[int, int, int, int, int]
"""A row of `Conflicts.find`: agent, other, origin, vertex, step."""

Shorts = NDArray[np.int32]


class Conflicts:
    """Finds the conflicts of plans on one board; it keeps its working memory."""

    def __init__(self, count: int, agents: int, *, following: bool = False, swap: bool = True) -> None:
        """Make room for `count` vertices and `agents` agents; following, swap: that is forbidden too."""
        self._forbidden = following, swap and not following
        self._memory = np.full((2, count), -1, np.int32), np.empty((2, agents), np.int32)

    def find(self, rows: Shorts, steps: int) -> Shorts:
        """Return int32[c, 5]: a row (agent, other, origin, vertex, step) for each conflict in rows[:steps], by step.

        rows: int32[t, k], where each agent is, -1 for one that is gone. An origin of MEETS: both are at the vertex in
        that step, agent < other; FOLLOWS: the agent is at the vertex in that step, where the other was one step before;
        from 0 on: the agent goes from there to the vertex and the other the opposite way, agent < other. FOLLOWS is
        looked for only if following is forbidden, and then covers all changes of places.
        """
        return _find(rows, steps, *self._forbidden, *self._memory)

    def first(self, rows: Shorts) -> tuple[int, Conflict | None]:
        """Return the number of conflicts in all rows, and of those in the first step that has any the first pair's."""
        count, *first = _first(rows, *self._forbidden, *self._memory)
        return count, (first[0], first[1], first[2], first[3], first[4]) if count else None


def ways_out(conflict: Conflict) -> list[tuple[int, Ban]]:
    """Return the two ways out of a conflict: whom to forbid what."""
    agent, other, origin, vertex, step = conflict
    if origin >= 0:
        return [(agent, (origin, vertex, step)), (other, (vertex, origin, step))]
    return [(agent, (vertex, -1, step)), (other, (vertex, -1, step - (origin == FOLLOWS)))]


@kernel
def _find(rows: Any, steps: int, following: bool, swap: bool, holder: Any, behind: Any) -> Any:
    """Return the conflicts. holder: int32[2, n], all -1, as it is left; behind: int32[2, k]."""
    found = np.empty((32, 5), np.int32)
    count = _look(rows, steps, following, swap, holder, behind, found)
    if count > found.shape[0]:
        found = np.empty((count, 5), np.int32)
        _look(rows, steps, following, swap, holder, behind, found)
    return found[:count].copy()


@leaf
def _look(rows: Any, steps: int, following: bool, swap: bool, holder: Any, behind: Any, found: Any) -> int:
    """Return the number of conflicts; those for which there is room are written.

    Who is at a vertex in this step or the one before hangs in a chain: the last in `holder`, the others in `behind`.
    """
    agents = rows.shape[1]
    count = 0
    for t in range(steps):
        now, then = t & 1, 1 - (t & 1)
        for a in range(agents):
            v = rows[t, a]
            if v < 0:
                continue
            b = holder[now, v]
            behind[now, a], holder[now, v] = b, a
            while b >= 0:  # the agents at v so far
                count = _tell(found, count, b, a, MEETS, v, t)
                b = behind[now, b]
            u = rows[t - 1, a] if t else v
            b = holder[then, v] if u != v else -1
            while b >= 0:  # the agents that were at v
                if following and rows[t, b] != v:
                    count = _tell(found, count, a, b, FOLLOWS, v, t)
                elif swap and b > a and u >= 0 and rows[t, b] == u:
                    count = _tell(found, count, a, b, u, v, t)
                b = behind[then, b]
        if t:
            for a in range(agents):
                if rows[t - 1, a] >= 0:
                    holder[then, rows[t - 1, a]] = -1
    for a in range(agents):
        if steps and rows[steps - 1, a] >= 0:
            holder[(steps - 1) & 1, rows[steps - 1, a]] = -1
    return count


@leaf
def _tell(found: Any, count: int, agent: int, other: int, origin: int, vertex: int, step: int) -> int:
    """Write a conflict if there is room; return the number of conflicts."""
    if count < found.shape[0]:
        found[count, 0], found[count, 1], found[count, 2] = agent, other, origin
        found[count, 3], found[count, 4] = vertex, step
    return count + 1


@kernel
def _first(rows: Any, following: bool, swap: bool, holder: Any, behind: Any) -> tuple[int, int, int, int, int, int]:
    """Return the number of conflicts, and the first pair's in the first step; of two of a pair that found first."""
    found = _find(rows, rows.shape[0], following, swap, holder, behind)
    if len(found) == 0:
        return 0, 0, 0, 0, 0, 0
    best, least, most = found[0], min(found[0, 0], found[0, 1]), max(found[0, 0], found[0, 1])
    for row in found:
        low, high = min(row[0], row[1]), max(row[0], row[1])
        if row[4] == best[4] and (low < least or (low == least and high < most)):
            best, least, most = row, low, high
    return len(found), best[0], best[1], best[2], best[3], best[4]
