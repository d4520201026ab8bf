"""Conflicts of a plan: every pair of agents in one place, changing places, or one close behind the other.

R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks", 2019.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel

__all__ = ["FOLLOWS", "MEETS", "Conflicts"]

MEETS, FOLLOWS = -1, -2

Shorts = NDArray[np.int32]


class Conflicts:
    """Finds the conflicts of plans on one board; it keeps its working memory."""

    def __init__(self, count: int, agents: int, *, following: bool = False) -> None:
        """Make room for `count` vertices and `agents` agents; following: that is forbidden too."""
        self.following = following
        self._memory = np.full((2, count), -1, np.int32), np.empty((2, agents), np.int32)

    def find(self, rows: Shorts, steps: int) -> Shorts:
        """Return int32[c, 5]: a row (agent, other, origin, vertex, step) for each conflict in rows[:steps], by step.

        rows: int32[t, k], where each agent is, -1 for one that is gone. An origin of MEETS: both are at the vertex in
        that step, agent < other; FOLLOWS: the agent is at the vertex in that step, where the other was one step before;
        from 0 on: the agent goes from there to the vertex and the other the opposite way, agent < other. FOLLOWS is
        looked for only if following is forbidden, and then covers all changes of places.
        """
        return _find(rows, steps, self.following, *self._memory)


@kernel
def _find(rows: Any, steps: int, following: bool, holder: Any, behind: Any) -> Any:
    """Return the conflicts. holder: int32[2, n], all -1, as it is left; behind: int32[2, k]."""
    agents = rows.shape[1]
    found = np.empty((32, 5), np.int32)
    count = 0
    for t in range(steps):
        now, then = holder[t & 1], holder[1 - (t & 1)]
        after, before = behind[t & 1], behind[1 - (t & 1)]
        for a in range(agents):
            v = rows[t, a]
            if v < 0:
                continue
            if count + 2 * agents > len(found):
                longer = np.empty((2 * (count + 2 * agents), 5), np.int32)
                longer[:count] = found[:count]
                found = longer
            b = now[v]
            while b >= 0:  # the agents at v so far
                found[count, 0], found[count, 1], found[count, 2] = b, a, -1
                found[count, 3], found[count, 4] = v, t
                count += 1
                b = after[b]
            after[a], now[v] = now[v], a
            b = then[v] if t else -1
            while b >= 0:  # the agents that were at v
                u = rows[t - 1, a]
                kind = -3
                if b != a and u != v and following and rows[t, b] != v:
                    kind = -2
                elif b > a and u >= 0 and u != v and not following and rows[t, b] == u:
                    kind = u
                if kind > -3:
                    found[count, 0], found[count, 1], found[count, 2], found[count, 3], found[count, 4] = (
                        a,
                        b,
                        kind,
                        v,
                        t,
                    )
                    count += 1
                b = before[b]
        if t:
            for a in range(agents):
                if rows[t - 1, a] >= 0:
                    then[rows[t - 1, a]] = -1
    for a in range(agents):
        if steps and rows[steps - 1, a] >= 0:
            holder[(steps - 1) & 1, rows[steps - 1, a]] = -1
    return found[:count].copy()
