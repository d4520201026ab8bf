"""Solvability: whether an instance has a solution at all, by looking at every configuration that can be reached.

Breadth-first search over configurations, the brute force that T. Standley, "Finding Optimal Solutions to Cooperative
Pathfinding Problems", 2010, begins with. It is for proofs: searches that run for ever on an instance without solution
ask it when they have searched for a while. The number of configurations grows as vertices to the power of agents.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis._kernel import kernel, leaf
from anabasis.mapf.board import FAR, Board

__all__ = ["NO_CONFIGURATION", "solvable"]

NO_CONFIGURATION = "none of the configurations that the agents can reach has all of them at their goals"
"""The reason to give where `solvable` says no."""

_LARGEST = 2**62


def solvable(board: Board, *, limit: int = 1_000_000) -> bool | None:
    """Return whether the instance has a solution, None if more than `limit` configurations would have to be looked at.

    All rules and known changes are heeded; of agents of several cells nothing is said (None).
    """
    instance = board.instance
    rules, k = instance.rules, board.agents
    gone, parked = board.count, board.count + 1
    radix = board.count + 2
    if "sizes" in instance.features or radix**k >= _LARGEST:
        return None
    indptr, first, last = board.closed
    settled = int(max(first.max(initial=0), np.where(last < FAR, last + 1, 0).max(initial=0)))
    flags = np.array([rules.vertex, rules.edge, rules.following, rules.cycle, rules.swap, rules.wait, rules.stay])
    answer = _search(
        (board.indptr, board.indices),
        (indptr, first, last),
        board.starts.astype(np.int64),
        board.goals.astype(np.int64),
        flags,
        np.array([gone, parked, radix, settled, limit], np.int64),
    )
    return None if answer < 0 else answer == 1


@kernel
def _search(arcs: Any, closed: Any, starts: Any, goals: Any, flags: Any, sizes: Any) -> int:
    """Return 1 if a configuration with all agents at their goals for good is reached, 0 if not, -1 beyond the limit."""
    k, settled, limit = starts.size, sizes[3], sizes[4]
    layer = np.zeros(1, np.int64)
    layer[0] = _packed(starts, sizes[2])
    for i in range(k):
        if _shut(closed, starts[i], 0):
            return 0
    seen, count, time, looked = _empty(1024), 0, 0, 0
    seen, count, _ = _added(seen, count, layer[0])
    here, there = np.empty(k, np.int64), np.empty(k, np.int64)
    while layer.size:
        if time < settled:  # the same configuration later is another one while places still change
            seen, count = _empty(1024), 0
        following, found = np.empty(256, np.int64), 0
        for place in range(layer.size):
            _unpack(layer[place], sizes[2], here)
            if time >= settled and _arrived(here, goals, sizes):
                return 1
            choice = np.full(k, -1, np.int64)
            i = 0
            while i >= 0:
                if i == k:
                    if not (flags[3] and _ring(here, there)):
                        seen, count, new = _added(seen, count, _packed(there, sizes[2]))
                        if new:
                            if found == following.size:
                                following = np.concatenate((following, np.empty(found, np.int64)))
                            following[found] = _packed(there, sizes[2])
                            found += 1
                            looked += 1
                            if looked > limit:
                                return -1
                    i -= 1
                    continue
                choice[i] += 1
                code = _option(arcs, here[i], goals[i], flags, sizes, choice[i])
                if code == -1:
                    choice[i] = -1
                    i -= 1
                    continue
                if code == -2 or (code < sizes[0] and _shut(closed, code, time + 1)):
                    continue
                if code == sizes[1] and _shut(closed, goals[i], time + 1):
                    continue
                there[i] = code
                if _fits(here, there, goals, flags, sizes, i):
                    i += 1
        layer = following[:found].copy()
        time += 1
    return 0


@leaf
def _option(arcs: Any, at: int, goal: int, flags: Any, sizes: Any, number: int) -> int:
    """Return the code of an agent's choice of that number; -1 behind the last one, -2 for one that is not allowed."""
    gone, parked = sizes[0], sizes[1]
    if at >= gone or (at == goal and not flags[6]):
        if number > 0:
            return -1
        return parked if at == parked else gone
    if number == 0:  # to wait: without the right to, only for ever at the goal
        if flags[5]:
            return at
        return parked if at == goal else -2
    arc = arcs[0][at] + number - 1
    return arcs[1][arc] if arc < arcs[0][at + 1] else -1


@leaf
def _fits(here: Any, there: Any, goals: Any, flags: Any, sizes: Any, i: int) -> bool:
    """Whether the step of agent i goes with those of the agents before it."""
    gone, parked = sizes[0], sizes[1]
    a, b = (goals[i] if here[i] == parked else here[i]), (goals[i] if there[i] == parked else there[i])
    for j in range(i):
        c, d = (goals[j] if here[j] == parked else here[j]), (goals[j] if there[j] == parked else there[j])
        if gone in (b, d):  # nobody enters what another has just left by vanishing either
            if flags[2] and a != c and (b == c or d == a) and gone not in (a, c):
                return False
            continue
        if flags[0] and b == d:
            return False
        if flags[1] and a == c and b == d and a != b:
            return False
        if flags[4] and a != b and b == c and d == a:
            return False
        if flags[2] and a != c and ((a != b and b == c) or (c != d and d == a)):
            return False
    return True


@leaf
def _ring(here: Any, there: Any) -> bool:
    """Whether three or more agents move round, each into the place of the next."""
    k = here.size
    for i in range(k):
        now, steps = i, 0
        while steps <= k:
            nearest = -1
            for j in range(k):
                if j != now and there[now] == here[j] and there[now] != here[now]:
                    nearest = j
            if nearest < 0:
                break
            now, steps = nearest, steps + 1
            if now == i:
                if steps > 2:
                    return True
                break
    return False


@leaf
def _arrived(here: Any, goals: Any, sizes: Any) -> bool:
    missing = 0
    for i in range(here.size):
        missing += here[i] < sizes[0] and here[i] != goals[i]
    return missing == 0


@leaf
def _shut(closed: Any, vertex: int, time: int) -> bool:
    spans = 0
    for s in range(closed[0][vertex], closed[0][vertex + 1]):
        spans += closed[1][s] <= time <= closed[2][s]
    return spans > 0


@leaf
def _packed(codes: Any, radix: int) -> int:
    key = 0
    for i in range(codes.size):
        key = key * radix + codes[i]
    return key


@leaf
def _unpack(key: int, radix: int, codes: Any) -> None:
    for i in range(codes.size - 1, -1, -1):
        codes[i] = key % radix
        key //= radix


@kernel
def _empty(size: int) -> Any:
    return np.full(size, -1, np.int64)


@kernel
def _added(seen: Any, count: int, key: int) -> Any:
    """Add a key to the set; return the set, how many are in it, and whether the key was new."""
    mask = seen.size - 1
    at = (key ^ (key >> 21)) * 40503 % 4294967291 & mask
    while seen[at] >= 0:
        if seen[at] == key:
            return seen, count, False
        at = (at + 1) & mask
    seen[at] = key
    count += 1
    if 2 * count > seen.size:
        larger = np.full(2 * seen.size, -1, np.int64)
        mask = larger.size - 1
        for other in seen:
            if other >= 0:
                at = (other ^ (other >> 21)) * 40503 % 4294967291 & mask
                while larger[at] >= 0:
                    at = (at + 1) & mask
                larger[at] = other
        return larger, count, True
    return seen, count, True
