"""Priority inheritance with backtracking: one step of many agents, who push one another out of the way.

K. Okumura, M. Machida, X. Défago and Y. Tamura, "Priority Inheritance with Backtracking for Iterative Multi-agent Path
Finding", 2022; the swap: K. Okumura, "Improving LaCAM for Scalable Eventually Optimal Multi-Agent Pathfinding", 2023;
the order of places that are equally near: K. Okumura and H. Nagai, "Lightweight and Effective Preference Construction
in PIBT for Large-Scale Multi-Agent Pathfinding", 2025.

Places that are neighbours differ in their steps to a goal by -1, 0 or 1 where every arc may be gone both ways, so the
steps modulo 3, two bits a place, say exactly which is nearer: a sixteenth of the memory of whole numbers.

- field: (indptr, indices) of the arcs; table uint8[·, ·], a row for each goal; rows and goals int32[k], each agent's
  row and goal; wide: whether the table holds whole numbers, four bytes each, as arcs of one direction need; guide:
  indptr int64[k + 1], places and nexts int32[m], agent i would go from places[j], rising, to nexts[j] for each j from
  indptr[i] to indptr[i + 1] - 1, and elsewhere nearer to its goal; NO_GUIDE without one.
- scene: start int32[k]; end int32[k], -1 for who has not decided; now and then int32[count], who is there, -1 for none.
- stack: who pushes whom: agents, offsets, cursors and pulled int32[k + 1], candidates int32[m + count] and their keys
  int64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis._kernel import kernel, leaf
from anabasis._kernel.random import mix

__all__ = ["NEVER", "NO_GUIDE", "fill_rows", "pibt_move", "pibt_order", "toward"]

NEVER = 1 << 30
"""Of `toward`: the goal can't be reached from there."""
NO_GUIDE = (np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32))
"""Nobody is told where to go."""
_WORD = 0xFFFFFFFF


@kernel
def fill_rows(
    near: Any,
    back_indptr: Any,
    back_indices: Any,
    goals: Any,
    sources: Any,
    wide: bool,
    table: Any,
    rows: Any,
    far: int,
) -> Any:
    """Write the steps to each goal into its row of the table; return int64[k], the steps from its source, or far.

    near: int32[count, 4], the first four from which each place is entered, itself where there are fewer. What is seen
    is put behind the queue's end in any case and counts only if it is new: no branch to be mispredicted.
    """
    count, more = near.shape[0], False
    for u in range(count):
        more = more or back_indptr[u + 1] - back_indptr[u] > 4
    steps = np.full(goals.size, far, np.int64)
    code = np.empty(4 * ((count + 3) // 4), np.uint8)
    queue = np.empty(count + 1, np.int32)
    for k in range(goals.size):
        row = table[rows[k]]
        code[:] = 3
        if wide:
            row[:] = 255
        code[goals[k]] = 0
        queue[0] = goals[k]
        first, last, level = 0, 1, 0
        while first < last:
            end, after = last, np.uint8((level + 1) % 3)
            for i in range(first, end):
                u = np.uint32(queue[i])
                for a in range(4):
                    v = near[u, a]
                    seen = code[np.uint32(v)]
                    queue[np.uint32(last)] = v
                    last += seen == 3
                    code[np.uint32(v)] = after if seen == 3 else seen
            if more:
                last = _further(back_indptr, back_indices, code, queue, first, end, last, after)
            if wide:
                for i in range(first, end):
                    for byte in range(4):
                        row[4 * queue[i] + byte] = (level >> (8 * byte)) & 255
            first, level = end, level + 1
        if not wide:
            for i in range(row.size):
                row[i] = code[4 * i] | (code[4 * i + 1] << 2) | (code[4 * i + 2] << 4) | (code[4 * i + 3] << 6)
        if sources[k] >= 0 and code[sources[k]] < 3:
            steps[k] = _descent(back_indptr, back_indices, row, code, wide, sources[k], goals[k])
    return steps


@leaf
def _further(
    back_indptr: Any, back_indices: Any, code: Any, queue: Any, first: int, end: int, last: int, after: Any
) -> int:
    """Add to the queue whoever leads to the places from first to end - 1 of it, beyond the first four each."""
    for i in range(first, end):
        for a in range(back_indptr[queue[i]] + 4, back_indptr[queue[i] + 1]):
            v = back_indices[a]
            if code[v] == 3:
                code[v] = after
                queue[last] = v
                last += 1
    return last


@leaf
def _descent(back_indptr: Any, back_indices: Any, row: Any, code: Any, wide: bool, source: int, goal: int) -> int:
    """Return the steps from a source that has a way to the goal, walking down where only their rest by 3 is known."""
    steps, at = 0, source
    if wide:
        for byte in range(4):
            steps |= int(row[4 * source + byte]) << (8 * byte)
        return steps
    while at != goal:
        a = back_indptr[at]
        while (code[back_indices[a]] + 1) % 3 != code[at]:
            a += 1
        at = back_indices[a]
        steps += 1
    return steps


@leaf
def toward(table: Any, row: int, wide: bool, u: int, v: int) -> int:
    """Return how many steps more it is to the goal from v than from u, neighbours or the same, or NEVER."""
    if wide:
        here, there = 0, 0
        for byte in range(4):
            here |= int(table[row, 4 * u + byte]) << (8 * byte)
            there |= int(table[row, 4 * v + byte]) << (8 * byte)
        if there == _WORD:
            return 0 if here == _WORD else NEVER
        return there - here if here != _WORD else -1
    before = (int(table[row, u >> 2]) >> ((int(u) & 3) * 2)) & 3
    after = (int(table[row, v >> 2]) >> ((int(v) & 3) * 2)) & 3
    if before == 3 or after == 3:
        return 0
    return (after - before + 4) % 3 - 1


@leaf
def pibt_order(order: Any, place: Any, goals: Any, new: Any) -> None:
    """Write the next order of the agents into `new`: who is at the goal goes behind the others."""
    behind = 0
    for a in range(place.size):
        behind += place[a] == goals[a]
    front, behind = 0, place.size - behind
    for i in range(order.size):
        a = order[i]
        if place[a] == goals[a]:
            new[behind] = a
            behind += 1
        else:
            new[front] = a
            front += 1


@leaf
def pibt_move(field: Any, scene: Any, stack: Any, order: Any, key: int, swap: bool) -> bool:
    """Decide where all agents go whose end is -1, in this order; False if those who have decided leave no way.

    now and then must be -1 everywhere, and are so again afterwards.
    """
    start, end, now, then = scene
    for a in range(start.size):
        now[start[a]] = a
    good = True
    for a in range(start.size):
        v = end[a]
        if v >= 0:
            other = now[v]
            if then[v] >= 0 or (other >= 0 and other != a and end[other] == start[a]):
                good = False
                break
            then[v] = a
    if good:
        for i in range(order.size):
            if end[order[i]] < 0 and not _decide(field, scene, stack, order[i], key, swap):
                good = False
                break
    for a in range(start.size):
        now[start[a]] = -1
        if end[a] >= 0:
            then[end[a]] = -1
    return good


@leaf
def _decide(field: Any, scene: Any, stack: Any, agent: int, key: int, swap: bool) -> bool:
    """Let one agent decide, and all whom it pushes; False if it can neither go nor stay."""
    start, end, now, then = scene
    agents, offsets, cursors, pulled, candidates, _ = stack
    depth = 0
    offsets[0] = 0
    _enter(field, scene, stack, 0, agent, key, swap)
    while True:
        a = agents[depth]
        here, goes, other = start[a], -1, -1
        c = cursors[depth]
        while c < offsets[depth + 1]:
            v = candidates[c]
            c += 1
            other = now[v]
            if then[v] < 0 and (other < 0 or other == a or end[other] != here):
                goes = v
                break
        cursors[depth] = c
        if goes < 0:  # it stays, and whoever pushed it looks for another place
            then[here] = a
            end[a] = here
            depth -= 1
            if depth < 0:
                return False
            continue
        then[goes] = a
        end[a] = goes
        if other >= 0 and other != a and end[other] < 0:
            depth += 1
            _enter(field, scene, stack, depth, other, key, swap)
            continue
        while depth >= 0:  # all on the stack go where they wanted
            a, follower = agents[depth], pulled[depth]
            if follower >= 0 and cursors[depth] == offsets[depth] + 1 and end[follower] < 0 and then[start[a]] < 0:
                then[start[a]] = follower
                end[follower] = start[a]
            depth -= 1
        return True


@leaf
def _enter(field: Any, scene: Any, stack: Any, depth: int, a: int, key: int, swap: bool) -> None:
    """Put an agent on the stack with its places in order: as guided, nearest to its goal, least in the way, free."""
    indptr, indices, table, rows, _, wide, guide = field
    start, _, now, _ = scene
    agents, offsets, cursors, pulled, candidates, keys = stack
    here, first = start[a], offsets[depth]
    guided = _guided(guide, a, here)
    last = first
    for i in range(indptr[here], indptr[here + 1] + 1):
        v = indices[i] if i < indptr[here + 1] else here
        farther = toward(table, rows[a], wide, here, v)
        if farther == NEVER:
            continue
        other = now[v]
        rank = (min(farther, 2) + 1) << 41 | mix((key + int(a) * 0x9E3779 + int(v)) & _WORD)
        rank += _hindered(field, scene, a, here, v) << 33 | int(other >= 0 and other != a) << 32
        if v == guided:
            rank = -1
        at = last
        while at > first and keys[at - 1] > rank:
            keys[at], candidates[at] = keys[at - 1], candidates[at - 1]
            at -= 1
        keys[at], candidates[at] = rank, v
        last += 1
    agents[depth], cursors[depth], offsets[depth + 1], pulled[depth] = a, first, last, -1
    if swap:
        partner = _partner(field, scene, a, candidates[first])
        pulled[depth] = partner
        if partner >= 0:  # back, the farther the better, whoever is in the way
            for at in range(first, last):
                keys[at] = (3 - (keys[at] >> 41)) << 41 | (keys[at] & _WORD)
            for i in range(first + 1, last):
                rank, v, at = keys[i], candidates[i], i
                while at > first and keys[at - 1] > rank:
                    keys[at], candidates[at] = keys[at - 1], candidates[at - 1]
                    at -= 1
                keys[at], candidates[at] = rank, v


@leaf
def _guided(guide: Any, a: int, here: int) -> int:
    """Return the place to which the guide sends an agent from here, -1 if it says nothing."""
    indptr, places, nexts = guide
    if not places.size:
        return -1
    low, high = indptr[a], indptr[a + 1]
    while low < high:
        middle = (low + high) >> 1
        if places[middle] < here:
            low = middle + 1
        else:
            high = middle
    return nexts[low] if low < indptr[a + 1] and places[low] == here else -1


@leaf
def _hindered(field: Any, scene: Any, a: int, here: int, v: int) -> int:
    """Return how many of the agents around want to be where this one would go."""
    indptr, indices, table, rows, _, wide, _ = field
    start, _, now, _ = scene
    found = 0
    for i in range(indptr[here], indptr[here + 1]):
        other = now[indices[i]]
        if other >= 0 and other != a and start[other] != v:
            row = rows[other]
            found += toward(table, row, wide, start[other], here) + toward(table, row, wide, here, v) < 0
    return min(found, 255)


@leaf
def _partner(field: Any, scene: Any, a: int, wanted: int) -> int:
    """Return the agent to change places with, for which this one makes room, or -1."""
    indptr, indices = field[0], field[1]
    start, end, now, _ = scene
    here, other = start[a], now[wanted]
    if (
        other >= 0
        and other != a
        and end[other] < 0
        and _must_swap(field, now, a, other, here, wanted)
        and _can_swap(field, now, wanted, here)
    ):
        return other
    if wanted != here:
        for i in range(indptr[here], indptr[here + 1]):
            other = now[indices[i]]
            if (
                other >= 0
                and other != a
                and start[other] != wanted
                and _must_swap(field, now, other, a, here, wanted)
                and _can_swap(field, now, wanted, here)
            ):
                return other
    return -1


@leaf
def _passage(field: Any, now: Any, behind: int, v: int) -> int:
    """Return the only place to go on to from v, coming from behind; -1 if there are several, -2 if there is none.

    A dead end whose agent is at its goal is no place to go to.
    """
    indptr, indices, goals = field[0], field[1], field[4]
    found = -2
    for i in range(indptr[v], indptr[v + 1]):
        u = indices[i]
        if u in (behind, v):
            continue
        who = now[u]
        if indptr[u + 1] - indptr[u] == 1 and who >= 0 and goals[who] == u:
            continue
        if found >= 0:
            return -1
        found = u
    return found


@leaf
def _must_swap(field: Any, now: Any, pusher: int, puller: int, behind: int, ahead: int) -> bool:
    """Whether the pusher, behind, can't pass the puller, ahead, in the passage that leads to the pusher's goal."""
    table, rows, goals, wide = field[2], field[3], field[4], field[5]
    while toward(table, rows[pusher], wide, behind, ahead) < 0:
        further = _passage(field, now, behind, ahead)
        if further == -1:
            return False
        if further == -2:
            break
        behind, ahead = ahead, further
    return toward(table, rows[puller], wide, ahead, behind) < 0 and (
        goals[pusher] == behind or toward(table, rows[pusher], wide, behind, ahead) < 0
    )


@leaf
def _can_swap(field: Any, now: Any, pusher: int, puller: int) -> bool:
    """Whether the passage in which the puller would draw back, before the pusher, leads to a fork."""
    behind, ahead = pusher, puller
    for _ in range(now.size):
        if ahead == pusher:
            return False
        further = _passage(field, now, behind, ahead)
        if further < 0:
            return further == -1
        behind, ahead = ahead, further
    return False
