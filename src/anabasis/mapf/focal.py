"""Focal search: one agent's way through space and time, never longer than allowed, that meets few others.

M. Barer, G. Sharon, R. Stern, A. Felner, "Suboptimal Variants of the Conflict-Based Search Algorithm for the
Multi-Agent Pathfinding Problem", 2014 (the low level of ECBS); S.-H. Chan et al., "Flex Distribution for
Bounded-Suboptimal Multi-Agent Path Finding", 2022 (how much longer a way may be).

The others' ways stand in a table: (buckets, chain, places, arrive, owner). Step t of agent a has the number
e = a << bits | t; places[e] is where it is then, up to step arrive[a] (FAR: its way is not in the table);
buckets[(t * n + v) & mask] begins a chain of numbers, ended by -1, among them all that are at v at step t; owner[v] is
the agent that rests at v once it has arrived, -1 for none.

A constraint is a row (agent, vertex, first, last, source, before). From step first to step last, both included, the
agent must not be at the vertex; with a source ≥ 0 it must not arrive there from the source; with source FINISH it must
arrive for good in these steps and no others. An agent below 0 means all but agent ~agent. before is the row of the
constraint that was set before, -1 for none: so the constraints of a node of the tree are a chain.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.key_heap import key_pop, key_push
from anabasis.mapf.board import FAR

__all__ = [
    "FINISH",
    "FOLLOW",
    "FOLLOWING",
    "STAY",
    "SWAP",
    "SWAPS",
    "TARGET",
    "VERTEX",
    "WAIT",
    "focal_room",
    "focal_search",
    "last_visit",
    "meetings",
    "set_ways",
    "visitors",
]

STAY, SWAPS, FOLLOWING, WAIT = 1, 2, 4, 8
"""Bits of the rules: agents stay at their goals; swaps, following is forbidden; waiting is allowed."""

VERTEX, SWAP, FOLLOW, TARGET = 0, 1, 2, 3
"""Kinds of conflicts."""

FINISH = -2
_ID = (1 << 24) - 1
_PLACE, _TIME, _PARENT, _MET, _NEXT, _OPEN, _SLOT = range(7)


def set_ways(table: Any, n: int, bits: int, live: Any, wanted: Any, starts: Any, pool: Any) -> None:
    """Put the ways `wanted` into the table in place of `live`: way w is pool[starts[w]:starts[w + 1]], -1 for none."""
    _set_ways(table, n, bits, live, wanted, starts, pool)


@kernel
def _set_ways(table: Any, n: int, bits: int, live: Any, wanted: Any, starts: Any, pool: Any) -> None:
    """See `set_ways`."""
    buckets, chain, places, arrive = table[0], table[1], table[2], table[3]
    mask = buckets.size - 1
    for a in range(live.size):
        if live[a] == wanted[a]:
            continue
        if live[a] >= 0:
            for t in range(arrive[a] + 1):
                e = (a << bits) | t
                b = (t * n + places[e]) & mask
                if buckets[b] == e:
                    buckets[b] = chain[e]
                else:
                    f = buckets[b]
                    while chain[f] != e:
                        f = chain[f]
                    chain[f] = chain[e]
            arrive[a] = FAR
        w = wanted[a]
        live[a] = w
        if w >= 0:
            arrive[a] = starts[w + 1] - starts[w] - 1
            for t in range(arrive[a] + 1):
                e = (a << bits) | t
                places[e] = pool[starts[w] + t]
                b = (t * n + places[e]) & mask
                chain[e], buckets[b] = buckets[b], e


@leaf
def _there(buckets: Any, chain: Any, places: Any, n: int, bits: int, v: int, t: int) -> int:
    """Count who is at v at step t on the way."""
    found, low = 0, (1 << bits) - 1
    e = buckets[(t * n + v) & (buckets.size - 1)]
    while e >= 0:
        found += places[e] == v and (e & low) == t
        e = chain[e]
    return found


@leaf
def _met(
    buckets: Any,
    chain: Any,
    places: Any,
    arrive: Any,
    owner: Any,
    n: int,
    bits: int,
    rules: int,
    last: int,
    u: int,
    v: int,
    t: int,
) -> int:
    """Count with whom one conflicts who goes from u to v (or waits there) and is there at step t."""
    found = 0
    if owner[v] >= 0 and arrive[owner[v]] < t:
        found += 1
    if t > last:
        return found
    found += _there(buckets, chain, places, n, bits, v, t)
    if u != v and rules & FOLLOWING:
        found += _there(buckets, chain, places, n, bits, v, t - 1) + _there(buckets, chain, places, n, bits, u, t)
    elif u != v and rules & SWAPS:
        low = (1 << bits) - 1
        e = buckets[((t - 1) * n + v) & (buckets.size - 1)]
        while e >= 0:
            found += places[e] == v and (e & low) == t - 1 and arrive[e >> bits] >= t and places[e + 1] == u
            e = chain[e]
    return found


def visitors(table: Any, n: int, bits: int, v: int, first: int) -> NDArray[np.int64]:
    """Return who is at v at step `first` or later on the way, rising; who rests there is not told."""
    return _visitors(table, n, bits, v, first)


@kernel
def _visitors(table: Any, n: int, bits: int, v: int, first: int) -> Any:
    """See `visitors`."""
    arrive = table[3]
    found = np.zeros(arrive.size, np.bool_)
    for a in range(arrive.size):
        if arrive[a] < FAR:
            for t in range(first, arrive[a] + 1):
                if table[2][(a << bits) | t] == v:
                    found[a] = True
    return np.flatnonzero(found)


def last_visit(table: Any, n: int, bits: int, v: int) -> int:
    """Return the last step in which anybody is at v on the way, -1 for none; who rests there is not told."""
    return _last_visit(table, n, bits, v)


@kernel
def _last_visit(table: Any, n: int, bits: int, v: int) -> int:
    """See `last_visit`."""
    t = _last(table[3])
    while t >= 0 and _there(table[0], table[1], table[2], n, bits, v, t) == 0:
        t -= 1
    return t


@leaf
def _last(arrive: Any) -> int:
    """Return the last step of any way in the table."""
    last = 0
    for a in range(arrive.size):
        if arrive[a] < FAR:
            last = max(last, int(arrive[a]))
    return last


@kernel
def _note(rows: Any, count: int, kind: int, t: int, a: int, b: int, v: int, u: int) -> Any:
    if count == len(rows):
        more = np.empty((2 * count + 8, 6), np.int32)
        more[:count] = rows
        rows = more
    row = rows[count]
    row[0], row[1], row[2], row[3], row[4], row[5] = kind, t, a, b, v, u
    return rows


def meetings(table: Any, n: int, bits: int, rules: int, agent: int, way: Any, known: Any) -> NDArray[np.int32]:
    """Return the conflicts int32[m, 6] when `agent`, not in the table, goes this way.

    known: the conflicts before, of which those of the agent are left out. A row is (kind, step, a, b, v, u):

    - VERTEX: a and b are at v;
    - SWAP: a goes from u to v, b from v to u, and they are there at that step;
    - FOLLOW: a is at v, where b was one step before;
    - TARGET: a rests at v, b passes.
    """
    return _meetings(table, n, bits, rules, agent, way, known)


@kernel
def _meetings(table: Any, n: int, bits: int, rules: int, agent: int, way: Any, known: Any) -> Any:
    """See `meetings`."""
    buckets, chain, places, arrive, owner = table
    mask, low = buckets.size - 1, (1 << bits) - 1
    rows = np.empty((len(known) + 16, 6), np.int32)
    count = 0
    for i in range(len(known)):
        if known[i, 2] != agent and known[i, 3] != agent:
            rows[count] = known[i]
            count += 1
    last = _last(arrive)
    end = way.size - 1
    for t in range(max(end, last if rules & STAY else min(last, end + 1)) + 1):
        v = way[min(t, end)]
        gone = t > end and not rules & STAY
        if owner[v] >= 0 and arrive[owner[v]] < t:
            rows = _note(rows, count, TARGET, t, owner[v], agent, v, -1)
            count += 1
        e = buckets[(t * n + v) & mask]
        while e >= 0:
            if places[e] == v and (e & low) == t and not gone:
                kind = VERTEX if t <= end else TARGET
                rows = _note(rows, count, kind, t, agent, e >> bits, v, -1)
                count += 1
            e = chain[e]
        if t == 0 or not rules & (FOLLOWING | SWAPS):
            continue
        u = way[min(t - 1, end)]
        if u == v and not gone:
            continue
        e = buckets[((t - 1) * n + v) & mask]
        while e >= 0 and not gone:
            if places[e] == v and (e & low) == t - 1:
                if rules & FOLLOWING:
                    rows = _note(rows, count, FOLLOW, t, agent, e >> bits, v, u)
                    count += 1
                elif arrive[e >> bits] >= t and places[e + 1] == u:
                    rows = _note(rows, count, SWAP, t, agent, e >> bits, v, u)
                    count += 1
            e = chain[e]
        e = buckets[(t * n + u) & mask]
        while e >= 0 and rules & FOLLOWING:
            if places[e] == u and (e & low) == t:
                rows = _note(rows, count, FOLLOW, t, e >> bits, agent, u, v)
                count += 1
            e = chain[e]
    return rows[:count].copy()


@kernel
def _gathered(pool: Any, head: int, agent: int, goal: int, lists: Any, spans: Any, rules: int) -> Any:
    """Hang the agent's constraints on their vertices.

    Return links int32[m, 2] (row of the pool, next), the first and last step in which it may arrive for good, and the
    last step in which a constraint or a closing of its own begins or ends.
    """
    links = np.empty((16, 2), np.int32)
    count, earliest, latest, horizon = 0, 0, FAR, 0
    row = head
    while row >= 0:
        who, v, first, last, source = pool[row, 0], pool[row, 1], pool[row, 2], pool[row, 3], pool[row, 4]
        if who == agent or (who < 0 and ~who != agent):
            horizon = max(horizon, last + 1 if last < FAR else first)
            if source == FINISH:
                earliest, latest = max(earliest, first), min(latest, last)
            else:
                if count == len(links):
                    more = np.empty((2 * count, 2), np.int32)
                    more[:count] = links
                    links = more
                links[count, 0], links[count, 1] = row, lists[v]
                lists[v] = count
                count += 1
                if v == goal and source < 0 and rules & STAY:
                    earliest = max(earliest, last + 1)
        row = pool[row, 5]
    if rules & STAY:
        for i in range(spans[0][goal], spans[0][goal + 1]):
            earliest = max(earliest, spans[2][i] + 1)
    return links[:count], earliest, latest, horizon


@leaf
def _forbidden(pool: Any, links: Any, lists: Any, rows: Any, firsts: Any, lasts: Any, u: int, v: int, t: int) -> bool:
    """Tell whether one must not be at v, come from u, at step t."""
    for i in range(rows[v], rows[v + 1]):
        if firsts[i] <= t <= lasts[i]:
            return True
    i = lists[v]
    while i >= 0:
        row = links[i, 0]
        if pool[row, 2] <= t <= pool[row, 3] and (pool[row, 4] < 0 or pool[row, 4] == u):
            return True
        i = links[i, 1]
    return False


@leaf
def _slot(slots: Any, nodes: Any, n: int, horizon: int, place: int, t: int) -> int:
    """Return the slot of a place at a step: its node stands there, or it is empty (-1)."""
    mask, place, t = slots.size - 1, int(place), int(min(t, horizon))
    i = ((t * n + place) * 0x9E3779B1 >> 7) & mask
    while slots[i] >= 0 and (nodes[slots[i], _PLACE] != place or min(nodes[slots[i], _TIME], horizon) != t):
        i = (i + 1) & mask
    return i


@leaf
def _key(met: int, f: int, h: int, node: int) -> int:
    """Return the entry of a node in FOCAL: few conflicts first, then small f, then small h, then the later node."""
    return (min(int(met), 0xFFF) << 51) | (min(int(f), 0x1FFF) << 38) | (min(int(h), 0x3FFF) << 24) | (_ID - int(node))


def focal_room(size: int) -> tuple[NDArray[np.int32], Any, Any, Any, Any]:
    """Return working memory for searches of up to `size` nodes.

    The nodes; the slots in which they are found; FOCAL; by f, the chains of those not yet in FOCAL; by f, how many are
    open.
    """
    return (
        np.empty((size, 7), np.int32),
        np.full(4 * size, -1, np.int32),
        np.empty(4 * size, np.int64),
        np.full(size, -1, np.int32),
        np.zeros(size, np.int32),
    )


def focal_search(
    arcs: Any,
    spans: Any,
    to_goal: Any,
    table: Any,
    n: int,
    bits: int,
    rules: int,
    agent: int,
    start: int,
    goal: int,
    pool: Any,
    head: int,
    lists: Any,
    weight: float,
    least: int,
    fixed: int,
    spent: float,
    room: Any,
) -> tuple[NDArray[np.int32], int, int]:
    """Return (the way int32[t + 1], a proved lower bound of its steps, expanded); an empty way if there is none.

    The bound is -1 if the room was too small.
    The way has at most weight · max(least, fixed + bound) - spent steps.

    - arcs: indptr, indices, and one more than the most arcs out of a vertex; spans: as `Board.closed`;
    - to_goal int32[n]: steps to the goal;
    - table, n, bits: the others' ways; rules: bits;
    - pool int32[m, 6] and head: the constraints; lists int32[n]: all -1, and so again when it returns;
    - room: see `focal_room`.
    """
    return _focal_search(
        arcs,
        spans,
        to_goal,
        table,
        n,
        bits,
        rules,
        agent,
        start,
        goal,
        pool,
        head,
        lists,
        weight,
        least,
        fixed,
        spent,
        room,
    )


@kernel
def _focal_search(
    arcs: Any,
    spans: Any,
    to_goal: Any,
    table: Any,
    n: int,
    bits: int,
    rules: int,
    agent: int,
    start: int,
    goal: int,
    pool: Any,
    head: int,
    lists: Any,
    weight: float,
    least: int,
    fixed: int,
    spent: float,
    room: Any,
) -> Any:
    """See `focal_search`."""
    links, earliest, latest, horizon = _gathered(pool, head, agent, goal, lists, spans, rules)
    indptr, indices, degree = arcs
    rows, firsts, lasts = spans
    buckets, chain, places, arrive, owner = table
    last = _last(arrive)
    # behind the horizon nothing changes any more, and a place is one state whatever the time
    for i in range(firsts.size):
        horizon = max(horizon, firsts[i], lasts[i] + 1 if lasts[i] < FAR else 0)
    horizon = max(horizon, last) + 2
    stride = n + 1  # place n: at the goal, but having waited there, so not arriving
    nodes, slots, heap, waiting, opened = room
    zero = max(int(to_goal[start]), earliest)
    count, size, alive, least_f, expanded, end = 0, 0, 0, zero, 0, -1
    bound = max(least_f, int(np.floor(weight * max(least, fixed + least_f) - spent + 1e-9)))
    if zero <= latest and zero < FAR and not _forbidden(pool, links, lists, rows, firsts, lasts, -1, start, 0):
        nodes[0, _PLACE], nodes[0, _TIME], nodes[0, _PARENT], nodes[0, _OPEN] = start, 0, -1, 1
        nodes[0, _MET] = _met(
            buckets, chain, places, arrive, owner, n, bits, rules & ~(SWAPS | FOLLOWING), last, start, start, 0
        )
        nodes[0, _SLOT] = _slot(slots, nodes, stride, horizon, start, 0)
        slots[nodes[0, _SLOT]] = 0
        size = key_push(heap, size, _key(nodes[0, _MET], 0, 0, 0))
        opened[0] = 1
        count, alive = 1, 1
    most = zero  # the greatest f of any node
    while alive and count + degree <= len(nodes) and size + count + degree <= heap.size and most - zero < waiting.size:
        while opened[least_f - zero] == 0:
            least_f += 1
        now = max(least_f, int(np.floor(weight * max(least, fixed + least_f) - spent + 1e-9)))
        while bound < now:  # more fits into FOCAL
            bound += 1
            if 0 <= bound - zero < waiting.size:
                i = waiting[bound - zero]
                while i >= 0:
                    if nodes[i, _OPEN]:
                        v = nodes[i, _PLACE]
                        h = to_goal[v] if v < n else 2
                        size = key_push(heap, size, _key(nodes[i, _MET], bound - zero, h, i))
                    i = nodes[i, _NEXT]
                waiting[bound - zero] = -1
        entry = heap[0]
        size = key_pop(heap, size)
        i = _ID - (entry & _ID)
        if not nodes[i, _OPEN] or min(nodes[i, _MET], 0xFFF) != entry >> 51:
            continue
        u, t = int(nodes[i, _PLACE]), int(nodes[i, _TIME]) + 1
        if u == goal and t > earliest:
            end = i
            break
        nodes[i, _OPEN] = 0
        opened[max(t - 1 + (to_goal[u] if u < n else 2), earliest) - zero] -= 1
        alive -= 1
        expanded += 1
        at = goal if u == n else u
        for k in range(indptr[at], indptr[at + 1] + (1 if rules & WAIT else 0)):
            v = at if k == indptr[at + 1] else indices[k]
            if to_goal[v] >= FAR or _forbidden(pool, links, lists, rows, firsts, lasts, at, v, t):
                continue
            place = n if v == goal and at == goal else v
            h = 2 if place == n else to_goal[v]
            f = max(t + h, earliest)
            if f > latest:
                continue
            met = nodes[i, _MET] + _met(buckets, chain, places, arrive, owner, n, bits, rules, last, at, v, t)
            s = _slot(slots, nodes, stride, horizon, place, t)
            j = slots[s]
            if j >= 0 and nodes[j, _TIME] <= t:
                if not nodes[j, _OPEN] or nodes[j, _TIME] < t or nodes[j, _MET] <= met:
                    continue
                nodes[j, _MET], nodes[j, _PARENT] = met, i  # the same place and step with fewer conflicts
            else:
                if j >= 0 and nodes[j, _OPEN]:  # behind the horizon, later than now: it gives way
                    nodes[j, _OPEN] = 0
                    opened[max(nodes[j, _TIME] + h, earliest) - zero] -= 1
                    alive -= 1
                j = count
                count += 1
                nodes[j, _PLACE], nodes[j, _TIME], nodes[j, _PARENT], nodes[j, _MET] = place, t, i, met
                nodes[j, _NEXT], nodes[j, _OPEN] = -1, 1
                nodes[j, _SLOT], slots[s] = s, j
                alive += 1
                most = max(most, f)
                if most - zero >= waiting.size:
                    break
                opened[f - zero] += 1
                if f > bound:
                    nodes[j, _NEXT] = waiting[f - zero]
                    waiting[f - zero] = j
            if f <= bound:
                size = key_push(heap, size, _key(met, f - zero, h, int(j)))
    for i in range(len(links)):
        lists[pool[links[i, 0], 1]] = -1
    for i in range(count):
        slots[nodes[i, _SLOT]] = -1
    for i in range(min(most - zero + 1, waiting.size)):
        waiting[i], opened[i] = -1, 0
    if end < 0:
        return np.empty(0, np.int32), -1 if alive else least_f, expanded
    way = np.empty(nodes[end, _TIME] + 1, np.int32)
    for t in range(way.size - 1, -1, -1):
        way[t] = goal if nodes[end, _PLACE] == n else nodes[end, _PLACE]
        end = nodes[end, _PARENT]
    return way, least_f, expanded
