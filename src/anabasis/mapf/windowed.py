"""Windowed planning: agents heed each other for some steps ahead only, and plan anew before these are over.

D. Silver, "Cooperative Pathfinding", 2005 (WHCA*: windowed hierarchical cooperative A*), over safe intervals. The
nearest to its goal goes first; who gets no nearer for some plans goes before all others until it arrives, and if that
takes long all look farther ahead.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.safe_intervals import STOPPED, find_way, trace_way
from anabasis._kernel.traffic import lay_way, lift_way
from anabasis.instance import Instance
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.gave_up import TOO_LARGE, most_steps
from anabasis.mapf.prioritized import hopeless
from anabasis.mapf.reservation import FEATURES_OF_INTERVALS, STOPS, Reservation
from anabasis.options import check_count
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["windowed"]

_ATTEMPTS = 30  # orders tried for one window
_NEVER = 2**40
_PATIENCE = 2  # plans without getting nearer before one goes first


def windowed(instance: Instance, *, window: int = 16, period: int = 0, limit: int = 2000) -> Result[Plan]:
    """Plan again and again for the next `window` steps, and walk `period` of them each time, until all have arrived.

    period: by default half of the window, at most the whole. limit: of steps.

    Not complete: LIMIT if not everybody has arrived for good by then or somebody is shut in by the others; NO_SOLUTION
    only if an agent can't get to its goal even alone. stats: plans, expanded, arrived. The bound is the sum of the
    shortest ways alone. Obeys every feature of instances but "sharing", "no wait" and "sizes"; where rings are
    forbidden it lets nobody follow closely, which forbids more.
    """
    window = check_count(window, "window", 1)
    period = check_count(period, "period", most=window) or max(1, window // 2)
    limit = check_count(limit, "limit of steps", 1)
    board = Board(instance, "windowed", FEATURES_OF_INTERVALS - {"sizes"})
    ways = Reservation(board)
    lost = board.out_of_reach(ways.shortest)
    for agent in range(board.agents):
        lost = hopeless(ways, agent) if lost is None else lost
    if lost is not None:
        return lost
    at, nearest, stalled = board.starts.copy(), ways.shortest, np.zeros(board.agents, np.int64)
    raised, trouble = np.full(board.agents, _NEVER), 0  # since which plan each goes first; for how many plans any does
    rows, step, plans, reason = [at.reshape(1, -1)], 0, 0, ""
    gone = np.zeros(board.agents, np.bool_)  # who vanished before this step: who does so in it is still in the way
    quiet = _reopened(board) if instance.rules.stay else 0
    limit = min(limit, most_steps(board))
    while not ((at == board.goals).all() and step >= quiet) and not gone.all():
        if step >= limit:
            away = int((at != board.goals).sum())
            reason = f"after {step} steps {away} agents are not at their goals"
            if not away:
                reason = f"after {step} steps all are at their goals, but one of these is closed until step {quiet}"
            break
        order = np.lexsort((ways.to_goal[np.arange(board.agents), at], raised))
        farther = window << min(trouble // 4, 6)
        stops = ways.stops
        ahead, failed, tried = _walk(ways, order, at, gone, step, farther, period)
        plans += tried
        if failed >= 0:
            shut = f"agent {failed} is shut in by the others for {farther} steps"
            reason = f"at step {step} {shut if ways.stops == stops else TOO_LARGE}"
            break
        rows.append(ahead)
        if not instance.rules.stay:
            gone |= (at == board.goals) | (ahead[:-1] == board.goals).any(axis=0)
        at, step = ahead[-1].copy(), step + period
        left = ways.to_goal[np.arange(board.agents), at]
        stalled = np.where((left < nearest) | (left == 0), 0, stalled + 1)
        nearest = np.minimum(nearest, left)
        raised[(stalled >= _PATIENCE) & (raised == _NEVER)] = plans
        raised[left == 0] = _NEVER
        trouble = trouble + 1 if (raised != _NEVER).any() else 0
    bound = float(ways.shortest.sum())
    stats: dict[str, float] = {"plans": plans, "expanded": ways.expanded, "arrived": int((at == board.goals).sum())}
    if reason:
        return Result(Status.LIMIT, reason=reason, bound=bound, stats=stats)
    solved = board.solved(np.concatenate(rows))
    return Result(Status.SOLVED, solved.value, "", bound, {**solved.stats, **stats})


def _reopened(board: Board) -> int:
    """Return the first step from which on no goal is closed any more, but for ever."""
    indptr, _, last = board.closed
    spans = [last[indptr[goal] : indptr[goal + 1]] for goal in board.goals.tolist()]
    return max((int(row[row < FAR].max(initial=-1)) + 1 for row in spans), default=0)


def _walk(
    ways: Reservation,
    order: NDArray[np.int64],
    at: NDArray[np.int32],
    gone: NDArray[np.bool_],
    step: int,
    window: int,
    period: int,
) -> tuple[NDArray[np.int32], int, int]:
    """Return the next places, int32[period, k], who is shut in (-1: nobody), and how many orders were tried."""
    board, rules = ways.board, (*ways.rules, ways.limit, step + window + 1)
    rows, failed = np.empty((period, board.agents), np.int32), -1
    for attempt in range(_ATTEMPTS):
        traffic = ways.head, ways.chain, ways.spans, ways.spare
        failed, ways.spans, ways.pools = _plan_window(
            order, at, gone, step, window, rows, ways.ground, ways.feet[0], *traffic, ways.heed, ways.to_goal,
            board.goals, rules, ways.memory, ways.pools,
        )  # fmt: skip
        if failed < 0:
            return rows, -1, attempt + 1
        order = np.concatenate([[failed], order[order != failed]])
    return rows, int(failed), _ATTEMPTS


@kernel
def _plan_window(
    order: Any, at: Any, gone: Any, begin: int, window: int, rows: Any, ground: Any, foot: Any, head: Any, chain: Any,
    spans: Any, spare: Any, heed: Any, to_goal: Any, goals: Any, rules: Any, memory: Any, pools: Any,
) -> Any:  # fmt: skip
    """Plan from step `begin` on for each agent in turn and write its next places into rows.

    Returns the first without a way, or -1, the spans and the pools, which may have grown.
    """
    for agent in range(len(chain)):
        lift_way(head, chain, spans, spare, agent)
    for agent in order:
        if gone[agent]:
            rows[:, agent] = at[agent]
            continue
        goal = goals[agent]
        label, pools = find_way(
            ground, foot, head, spans, heed, to_goal[agent], at[agent], goal, begin, rules, memory, pools
        )
        if label < 0:
            memory[3][STOPS] += label == STOPPED
            return agent, spans, pools
        way = trace_way(pools[1], label, rules[2])
        count = 0
        while count < len(way) and way[count, 1] <= begin + window:
            way[count, 2] = min(way[count, 2], begin + window)
            count += 1
        spans = lay_way(head, chain, spans, spare, agent, way[:count], foot)
        i = 0
        for t in range(len(rows)):
            while i + 1 < count and way[i + 1, 1] <= begin + 1 + t:
                i += 1
            rows[t, agent] = way[i, 0]
    return -1, spans, pools
