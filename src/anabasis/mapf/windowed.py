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

__all__ = ["Windowed", "windowed"]

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
    search = Windowed(instance, window=window, period=period, limit=limit)
    while not search.advance(100):
        pass
    return search.result


class Windowed:
    """`windowed` in parts, so that a caller can stop by the clock; options as those of the function."""

    def __init__(self, instance: Instance, *, window: int = 16, period: int = 0, limit: int = 2000) -> None:
        """Measure all agents' steps to their goals."""
        self._window = check_count(window, "window", 1)
        self._period = check_count(period, "period", most=window) or max(1, window // 2)
        limit = check_count(limit, "limit of steps", 1)
        self._board = board = Board(instance, "windowed", FEATURES_OF_INTERVALS - {"sizes"})
        self._ways = ways = Reservation(board)
        self._hopeless = board.out_of_reach(ways.shortest)
        for agent in range(board.agents):
            self._hopeless = hopeless(ways, agent) if self._hopeless is None else self._hopeless
        self._at, self._nearest, self._stalled = board.starts.copy(), ways.shortest, np.zeros(board.agents, np.int64)
        self._raised = np.full(board.agents, _NEVER)  # since which plan each goes first
        self._trouble = 0  # for how many plans anybody goes first
        self._rows, self._step, self._plans = [self._at.reshape(1, -1)], 0, 0
        self._gone = np.zeros(board.agents, np.bool_)  # vanished before this step; who does so in it is in the way
        self._quiet = _reopened(board) if instance.rules.stay else 0
        self._limit = min(limit, most_steps(board))
        self._shut = ""  # why it can't go on

    @property
    def _arrived(self) -> bool:
        return bool(((self._at == self._board.goals).all() and self._step >= self._quiet) or self._gone.all())

    @property
    def _over(self) -> bool:
        return self._hopeless is not None or bool(self._shut) or self._arrived or self._step >= self._limit

    def advance(self, count: int) -> bool:
        """Plan and walk at most `count` times; return whether the search is over."""
        for _ in range(check_count(count, "count")):
            if self._over:
                break
            self._walk_on()
        return self._over

    def _walk_on(self) -> None:
        """Plan for the next window and walk the steps of a period."""
        board, ways, step = self._board, self._ways, self._step
        order = np.lexsort((ways.to_goal[np.arange(board.agents), self._at], self._raised))
        farther = self._window << min(self._trouble // 4, 6)
        stops = ways.stops
        ahead, failed, tried = _walk(ways, order, self._at, self._gone, step, farther, self._period)
        self._plans += tried
        if failed >= 0:
            shut = f"agent {failed} is shut in by the others for {farther} steps"
            self._shut = f"at step {step} {shut if ways.stops == stops else TOO_LARGE}"
            return
        self._rows.append(ahead)
        if not board.instance.rules.stay:
            self._gone |= (self._at == board.goals) | (ahead[:-1] == board.goals).any(axis=0)
        self._at, self._step = ahead[-1].copy(), step + self._period
        left = ways.to_goal[np.arange(board.agents), self._at]
        self._stalled = np.where((left < self._nearest) | (left == 0), 0, self._stalled + 1)
        self._nearest = np.minimum(self._nearest, left)
        self._raised[(self._stalled >= _PATIENCE) & (self._raised == _NEVER)] = self._plans
        self._raised[left == 0] = _NEVER
        self._trouble = self._trouble + 1 if (self._raised != _NEVER).any() else 0

    @property
    def result(self) -> Result[Plan]:
        """The plan once all have arrived for good, else LIMIT with the reason, or the proof that there is none."""
        if self._hopeless is not None:
            return self._hopeless
        away = int((self._at != self._board.goals).sum())
        bound = float(self._ways.shortest.sum())
        counts = {"plans": self._plans, "expanded": self._ways.expanded, "arrived": self._board.agents - away}
        stats = {name: float(count) for name, count in counts.items()}
        if self._arrived and not self._shut:
            solved = self._board.solved(np.concatenate(self._rows))
            return Result(Status.SOLVED, solved.value, "", bound, {**solved.stats, **stats})
        reason = self._shut or f"after {self._step} steps {away} agents are not at their goals"
        if not self._shut and not away:
            reason = (
                f"after {self._step} steps all are at their goals, but one of these is closed until step {self._quiet}"
            )
        return Result(Status.LIMIT, reason=reason, bound=bound, stats=stats)


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
