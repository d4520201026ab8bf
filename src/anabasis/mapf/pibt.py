"""PIBT: every agent takes its best step, pushes who is in the way, and steps back where that fails; very fast.

K. Okumura, M. Machida, X. Défago and Y. Tamura, "Priority Inheritance with Backtracking for Iterative Multi-agent Path
Finding", 2022. With the swap of K. Okumura, "Improving LaCAM for Scalable Eventually Optimal Multi-Agent Pathfinding",
2023, two agents that meet in a passage go back to a fork and change places, and with the preference of K. Okumura and
H. Nagai, 2025, of two equally good steps an agent takes that which is in fewer others' way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.pibt import NO_GUIDE, pibt_move, pibt_order
from anabasis._kernel.random import stream_key
from anabasis.instance import Instance
from anabasis.mapf.board import Board
from anabasis.mapf.goal_steps import GoalSteps
from anabasis.options import check_count, check_kind, check_seed
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["PIBT", "pibt", "pushing_stack"]

Shorts = NDArray[np.int32]
_CAN = ("directed", "vanish")
_STREAM = 31
_ROOM = 2**28  # bytes for the steps to goals that may be asked for again


def pibt(instance: Instance, *, seed: int = 0, limit: int | None = None) -> Result[Plan]:
    """Move all agents step by step until all are at their goals at once.

    limit: most steps; by default four times the longest way of an agent alone, and 100 more. seed decides between steps
    that are equally good.

    Who is longest away from a goal goes first. Where every two neighbours lie on a ring every agent comes to its goal
    at some time, but perhaps not all at once; elsewhere agents may block one another for ever: LIMIT then, with the
    steps so far (bound: the sum of the steps of each agent alone). stats: sum_of_costs, makespan, steps. NO_SOLUTION is
    proved only if an agent can't reach its goal alone. Solves directed graphs and agents that vanish; raises InputError
    for other rules.
    """
    board = Board(instance, "pibt", _CAN)
    mover = PIBT(board, seed=seed, room=board.agents)
    alone = mover.steps_of(board.starts, board.goals)
    lost = board.out_of_reach(alone.astype(np.int32))
    if lost is not None:
        return lost
    longest = int(alone.max(initial=0))
    most = 4 * longest + 100 if limit is None else check_count(limit, "limit")
    mover.put_first(np.argsort(-alone, kind="stable"))
    place, rows = board.starts, [board.starts]
    gone = np.zeros(board.agents, bool)
    while not (place == board.goals).all() and len(rows) <= most:
        if not instance.rules.stay:
            gone |= place == board.goals
        after = mover.step(np.where(gone, -1, place), board.goals)
        place = np.where(gone, board.goals, after).astype(np.int32)
        rows.append(place)
    bound, steps = float(alone.sum()), float(len(rows) - 1)
    if (place == board.goals).all():
        return board.solved(rows, bound=bound, steps=steps)
    away = int((place != board.goals).sum())
    reason = f"after {most} steps {away} of {board.agents} agents are not at their goals"
    return Result(Status.LIMIT, board.plan(rows), reason, bound, {"steps": steps, "away": away})


class PIBT:
    """Agents on a board that are told their goals anew in each step."""

    def __init__(self, board: Board, *, agents: int | None = None, seed: int = 0, room: int | None = None) -> None:
        """Make a mover of so many agents (by default the board's), all with equal rights.

        room: for how many goals the steps are kept, at least one for each agent; by default as many as fit into 256
        MiB. On maps without arcs of one direction a goal takes a byte for four places, and as long as it is kept it
        costs nothing to be asked for again; a new one costs a search of the map.
        """
        check_kind(board, Board, "PIBT moves agents on a board", "Board(instance, name); `pibt` solves instances")
        self._board = board
        self._seed = check_seed(seed)
        k = board.agents if agents is None else check_count(agents, "agents")
        self._swap = "directed" not in board.instance.features
        width = max(1, board.count // 4 if self._swap else 4 * board.count)
        wanted = min(board.count, _ROOM // width) if room is None else check_count(room, "room")
        self._steps = GoalSteps(board, max(1, wanted, k))
        self._order = np.arange(k, dtype=np.int32)
        self._goals = np.full(k, -1, np.int32)
        self._number = 0
        self._now, self._then = (np.full(board.count, -1, np.int32) for _ in range(2))
        self._stack = pushing_stack(board, k)

    def steps_of(self, places: Shorts, goals: Shorts) -> NDArray[np.int64]:
        """Return int64[k]: the steps from each place to its goal with nobody in the way, else FAR."""
        if np.unique(goals).size == goals.size and goals.size <= self._steps.table.shape[0]:
            return self._steps.measured(places, goals)
        return np.array([self._board.distances([g])[0, p] for p, g in zip(places, goals, strict=True)], np.int64)

    def put_first(self, order: NDArray[np.int64]) -> None:
        """Set who goes first now: int[m], these agents in this order, all others behind them."""
        others = np.ones(self._order.size, bool)
        others[order] = False
        self._order = np.concatenate([order, np.flatnonzero(others)]).astype(np.int32)

    def step(self, places: Shorts, goals: Shorts) -> Shorts:
        """Return int32[k], where each agent is after the next step.

        places and goals are numbers of the board; no two agents are in one place, two may have one goal, and a place of
        -1 means that the agent is not there, and stays so. Who was at its goal, or has got another, goes behind the
        others; among them the order stays, so who waits longest goes first.
        """
        order = np.empty_like(self._order)
        changed = goals != self._goals
        pibt_order(self._order, np.where(changed & (self._number > 0), goals, places), goals, order)
        self._order, self._goals = order, goals.copy()
        there = np.flatnonzero(places >= 0)
        if there.size < places.size:
            number = np.full(places.size, -1, np.int32)
            number[there] = np.arange(there.size)
            order = number[order]
            order = order[order >= 0]
        end = np.full(there.size, -1, np.int32)
        aims = goals[there]
        field = (
            self._board.indptr,
            self._board.indices,
            self._steps.table,
            self._steps.rows(aims),
            aims,
            self._steps.wide,
            NO_GUIDE,
        )
        scene = (places[there], end, self._now, self._then)
        key = stream_key(self._seed, _STREAM, self._number)
        pibt_move(field, scene, self._stack, order, key, self._swap)
        self._number += 1
        after = places.copy()
        after[there] = end
        return after


def pushing_stack(board: Board, agents: int) -> tuple[Shorts, Shorts, Shorts, Shorts, Shorts, NDArray[np.int64]]:
    """Return the arrays in which `pibt_move` keeps who pushes whom."""
    pushers, offsets, cursors, pulled = (np.empty(agents + 2, np.int32) for _ in range(4))
    room = board.indices.size + board.count
    return pushers, offsets, cursors, pulled, np.empty(room, np.int32), np.empty(room, np.int64)
