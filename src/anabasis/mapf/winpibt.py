"""winPIBT: priority inheritance with backtracking for several steps ahead.

K. Okumura, Y. Tamura and X. Défago, "winPIBT: Extended Prioritized Algorithm for Iterative Multi-agent Path Finding",
2019. In the order of priority each agent lays its way for a whole window. Whoever stands on it, its own way laid up to
an earlier step only, is brought up to that step (retroactive inheritance) and has to move away in time, pushing others
as in PIBT; where that fails the agent takes another step and looks for a new way. Where an agent's way ends nobody else
has laid a later one, so it can always stay.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.pibt import NEVER, pibt_order, toward
from anabasis._kernel.random import mix, stream_key
from anabasis.instance import Instance
from anabasis.mapf.board import Board
from anabasis.mapf.goal_steps import GoalSteps
from anabasis.options import check_count, check_seed
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["winpibt"]

Shorts = NDArray[np.int32]
_CAN = ("directed",)
_STREAM = 39


def winpibt(instance: Instance, *, window: int = 5, seed: int = 0, limit: int | None = None) -> Result[Plan]:
    """Move all agents until all are at their goals at once, each planning `window` steps ahead (1: much like `pibt`).

    limit: most steps; by default four times the longest way of an agent alone, and 100 more. seed decides between steps
    that are equally good.

    Like `pibt` it brings every agent to its goal at some time where every two neighbours lie on a ring, and may fail to
    bring all there at once: LIMIT then, with the steps so far. Longer windows cost more work, and on the maps measured,
    passages among them, their plans are no cheaper than those of `pibt`; where it is crowded they are dearer. stats:
    sum_of_costs, makespan, steps. The bound is the sum of the steps of each agent alone. NO_SOLUTION is proved only if
    an agent can't reach its goal alone. Solves directed graphs; raises InputError for other rules.
    """
    board = Board(instance, "winpibt", _CAN)
    check_count(window, "window", 1, 1000)
    check_seed(seed)
    steps = GoalSteps(board, max(1, board.agents))
    alone = steps.measured(board.starts, board.goals)
    lost = board.out_of_reach(alone.astype(np.int32))
    if lost is not None:
        return lost
    most = 4 * int(alone.max(initial=0)) + 100 if limit is None else check_count(limit, "limit")
    rows = _rows(board, steps, alone, window, seed, most)
    bound, done = float(alone.sum()), len(rows) - 1
    if (rows[-1] == board.goals).all():
        return board.solved(rows, bound=bound, steps=float(done))
    away = int((rows[-1] != board.goals).sum())
    reason = f"after {done} steps {away} of {board.agents} agents are not at their goals"
    return Result(Status.LIMIT, board.plan(rows), reason, bound, {"steps": float(done), "away": float(away)})


def _rows(
    board: Board, steps: GoalSteps, alone: NDArray[np.int64], window: int, seed: int, most: int
) -> NDArray[np.int32]:
    """Return where everybody is, up to the step at which all are at their goals, or to the last one allowed."""
    k, n = board.agents, board.count
    field = board.indptr, board.indices, steps.table, steps.rows(board.goals), board.goals, steps.wide
    taken = np.full((window + 2, n), -1, np.int32)  # who is where at the steps from now on, in turn
    owner = np.full(n, -1, np.int32)  # whose laid way ends there
    # where and when each agent's laid way ends, where it would like to go on to, where it is about to go
    ends = board.starts.copy(), np.zeros(k, np.int64), np.full(k, -1, np.int32), np.full(k, -1, np.int32)
    taken[0, board.starts] = owner[board.starts] = np.arange(k, dtype=np.int32)
    room = board.indices.size + n
    stack = (*(np.empty(k + 2, np.int32) for _ in range(3)), np.empty(room, np.int32), np.empty(room, np.int64))
    ahead = np.full(n, -1, np.int64), np.full(window + 1, -1, np.int32)
    order = np.argsort(-alone, kind="stable").astype(np.int32)
    rows, place = [board.starts], board.starts
    while not (place == board.goals).all() and len(rows) <= most:
        now = len(rows) - 1
        after = np.empty_like(order)
        pibt_order(order, place, board.goals, after)
        order, place = after, np.empty_like(place)
        _round(field, (taken, owner, *ends), stack, ahead, order, now, window, stream_key(seed, _STREAM, now), place)
        rows.append(place)
    return np.array(rows)


@kernel
def _round(
    field: Any, ways: Any, stack: Any, ahead: Any, order: Any, now: int, window: int, key: int, place: Any
) -> None:
    """Lay ways until everybody has one beyond now; write where all are one step later."""
    taken, _, ends, last, wish, _ = ways
    turn = taken.shape[0]
    for i in range(order.size):
        a = order[i]
        if last[a] > now:
            continue
        _seek(field, ways, ahead, a, now, key)
        for step in range(now + 1, now + window + 1):
            wish[a] = ahead[1][step - now]
            _push(field, ways, stack, a, step, now + window, key)
            if ends[a] != wish[a]:  # it looks for a new way when the others have laid theirs
                break
        wish[a] = -1
    for v in range(taken.shape[1]):
        if taken[(now + 1) % turn, v] >= 0:
            place[taken[(now + 1) % turn, v]] = v
        taken[now % turn, v] = -1


@leaf
def _free(ways: Any, a: int, here: int, v: int, step: int, end: int) -> bool:
    """Whether an agent may be at v in this step, coming from here, and stay, as far as ways are laid."""
    taken = ways[0]
    turn = taken.shape[0]
    for later in range(step, end + 1):
        if taken[later % turn, v] >= 0:
            return False
    other = taken[(step - 1) % turn, v]
    return other < 0 or other == a or taken[step % turn, here] != other


@kernel
def _seek(field: Any, ways: Any, ahead: Any, a: int, now: int, key: int) -> None:
    """Write the way of an agent to the end of the window that ends nearest to its goal, and is in the way of few.

    Breadth first, a layer a step, with the least sum over the steps of what is left and of agents to be pushed.
    """
    indptr, indices, table, rows, _, wide = field
    _, owner, ends, last, _, _ = ways
    known, way = ahead
    window = way.size - 1
    places, froms, lefts, costs = [int(ends[a])], [-1], [0], [0]
    first = 0
    for step in range(now + 1, now + window + 1):
        after = len(places)
        for state in range(first, after):
            u = places[state]
            begin = mix((key + int(a) * 0x9E3779 + u + step) & 0xFFFFFFFF) % int(indptr[u + 1] - indptr[u] + 1)
            for i in range(indptr[u + 1] - indptr[u] + 1):
                at = indptr[u] + (begin + i) % (indptr[u + 1] - indptr[u] + 1)
                v = int(indices[at]) if at < indptr[u + 1] else u
                farther = toward(table, rows[a], wide, u, v)
                if farther == NEVER or not _free(ways, a, u, v, step, now + window):
                    continue
                other = owner[v]
                pushes = int(other >= 0 and other != a and last[other] < step)
                cost = costs[state] + lefts[state] + farther + pushes
                if known[v] < 0:
                    known[v] = len(places)
                    places.append(v)
                    froms.append(state)
                    lefts.append(lefts[state] + farther)
                    costs.append(cost)
                elif cost < costs[known[v]]:
                    costs[known[v]], froms[known[v]] = cost, state
        for state in range(after, len(places)):
            known[places[state]] = -1
        first = after
    best = first
    for state in range(first + 1, len(places)):
        if lefts[state] < lefts[best] or (lefts[state] == lefts[best] and costs[state] < costs[best]):
            best = state
    for step in range(window, -1, -1):
        way[step] = places[best]
        best = froms[best]


@kernel
def _push(field: Any, ways: Any, stack: Any, a: int, step: int, end: int, key: int) -> None:
    """Lay one more step of an agent's way, and of the ways of all whom it pushes."""
    taken, owner, ends, last, _, going = ways
    agents, offsets, cursors, places, _ = stack
    turn, depth = taken.shape[0], 0
    offsets[0] = 0
    _enter(field, ways, stack, 0, a, key + step)
    while depth >= 0:
        b = agents[depth]
        here, goes, c = ends[b], -1, cursors[depth]
        while c < offsets[depth + 1] and goes < 0:
            v = places[c]
            c += 1
            if _free(ways, b, here, v, step, end):
                goes = v
        cursors[depth] = c
        if goes < 0:  # it stays, and whoever pushed it looks for another place
            taken[step % turn, here] = b
            last[b] = step
            going[b] = -1
            depth -= 1
            continue
        taken[step % turn, goes] = b
        going[b] = goes
        other = owner[goes]
        if other >= 0 and other != b and going[other] < 0 and last[other] < step:
            for before in range(last[other] + 1, step):
                taken[before % turn, goes] = other
            last[other] = step - 1
            depth += 1
            _enter(field, ways, stack, depth, other, key + step)
            continue
        while depth >= 0:  # all on the stack go where they wanted
            b = agents[depth]
            if owner[ends[b]] == b:
                owner[ends[b]] = -1
            ends[b] = going[b]
            owner[ends[b]] = b
            last[b] = step
            going[b] = -1
            depth -= 1


@leaf
def _enter(field: Any, ways: Any, stack: Any, depth: int, a: int, key: int) -> None:
    """Put an agent on the stack with its places in order: what it wishes, then nearest to its goal, then free."""
    indptr, indices, table, rows, _, wide = field
    _, owner, ends, _, wish, _ = ways
    agents, offsets, cursors, places, keys = stack
    here, first = ends[a], offsets[depth]
    last = first
    for i in range(indptr[here], indptr[here + 1] + 1):
        v = indices[i] if i < indptr[here + 1] else here
        farther = toward(table, rows[a], wide, here, v)
        if farther == NEVER:
            continue
        rank = (min(farther, 2) + 1) << 41 | mix((key + int(a) * 0x9E3779 + int(v)) & 0xFFFFFFFF)
        rank += int(owner[v] >= 0 and owner[v] != a) << 40
        if v == wish[a]:
            rank = -1
        at = last
        while at > first and keys[at - 1] > rank:
            keys[at], places[at] = keys[at - 1], places[at - 1]
            at -= 1
        keys[at], places[at] = rank, v
        last += 1
    agents[depth], cursors[depth], offsets[depth + 1] = a, first, last
