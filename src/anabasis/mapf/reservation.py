"""Reservation: who has which places when, of a Board, and the earliest way of one more agent among them.

D. Silver, "Cooperative Pathfinding", 2005 (the reservation table); here it is spans of time, see `_kernel.traffic`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.neighbourhood import way_length
from anabasis._kernel.safe_intervals import EXPANDED, FOREVER, HARD, blank_pools, find_way, trace_way
from anabasis._kernel.traffic import lay_way, lift_way, read_rows, read_way
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.gave_up import most_steps
from anabasis.plan import Plan
from anabasis.result import Result, Status
from anabasis.search.sipp import unproved

__all__ = ["FEATURES_OF_INTERVALS", "STOPS", "Reservation", "spans_of"]

FEATURES_OF_INTERVALS = frozenset({"following", "cycle", "swaps", "vanish", "sizes", "changes", "directed"})
"""The features of instances that ways over safe intervals obey; where rings are forbidden, so is following."""

STOPS = 7
"""The place in `Reservation.counts` behind those of `find_way`: how many searches stopped at a limit."""

Shorts, Ways = NDArray[np.int32], NDArray[np.int32]


class Reservation:
    """The ways of some agents of a board, and what is needed to find those of the others.

    - to_goal: int32[k, n], the steps from everywhere to each agent's goal, alone, FAR if there is no way;
    - heed: uint8[k], how much `way` heeds each agent: NONE, SOFT or HARD (`_kernel.safe_intervals`), at first HARD;
    - limit: of labels that one search takes up, at first 0, for as many as there is room for.
    """

    limit: int = 0

    def __init__(self, board: Board, to_goal: Shorts | None = None) -> None:
        """Find the distances, one pass over the map for each agent, unless they are given."""
        self.board = board
        rules, agents, n = board.instance.rules, board.agents, board.count
        sides, self.kind = np.unique(board.instance.sizes, return_inverse=True)
        self.feet = [_foot(board, side) for side in sides.tolist() or [1]]
        self.areas: NDArray[np.int64] = (sides[self.kind] ** 2).astype(np.int64)
        self.to_goal: Shorts = _to_goal(board, sides, self.kind, self.feet) if to_goal is None else to_goal
        self.heed: NDArray[np.uint8] = np.full(agents, HARD, np.uint8)
        self.ground = board.indptr, board.indices, *board.closed
        self.rules = int(rules.following or rules.cycle), rules.swap, rules.stay
        self.head: Shorts = np.full(n, -1, np.int32)
        self.chain: Shorts = np.full(agents, -1, np.int32)
        self.spans: Shorts = np.zeros((0, 8), np.int32)
        self.spare: NDArray[np.int64] = np.array([-1, 0])
        self.counts: NDArray[np.int64] = np.zeros(STOPS + 1, np.int64)
        stamps = np.zeros(n, np.int64), np.zeros(n, np.int32), np.zeros(n, np.int32)
        self.memory = (*stamps, self.counts, np.zeros(2 * int(self.areas.max(initial=1)), np.int32))
        self.pools = blank_pools()

    @property
    def expanded(self) -> int:
        """How many labels all searches so far took up."""
        return int(self.counts[EXPANDED])

    @property
    def stops(self) -> int:
        """How many searches so far stopped at a limit: that they found no way proves nothing."""
        return int(self.counts[STOPS])

    @property
    def shortest(self) -> Shorts:
        """int32[k]: the steps of each agent alone, FAR if it has no way."""
        return self.to_goal[np.arange(self.board.agents), self.board.starts]

    def way(self, agent: int, *, start: int = -1, begin: int = 0) -> Ways | None:
        """Return the earliest way of an agent among the traffic, None if there is none or the search stopped (`stops`).

        Ways that are later than alone by 2^18 steps or more count as equally late.
        It is int32[m, 3] of (number, first step, last step), whose last step is FAR if the agent stays at its goal.
        start: where the agent is, by default its start. begin: the step of the traffic at which it is there.
        """
        board, foot, rules = self.board, self.feet[self.kind[agent]], (*self.rules, self.limit, FOREVER)
        at, goal = int(board.starts[agent]) if start < 0 else start, int(board.goals[agent])
        label, self.pools = find_way(
            self.ground, foot, self.head, self.spans, self.heed, self.to_goal[agent], at, goal, begin, rules,
            self.memory, self.pools,
        )  # fmt: skip
        self.counts[STOPS] += unproved(label, self.counts)
        return trace_way(self.pools[1], label, rules[2]) if label >= 0 else None

    def lay(self, agent: int, way: Ways) -> None:
        """Give an agent that has no way this one."""
        foot = self.feet[self.kind[agent]]
        self.spans = lay_way(self.head, self.chain, self.spans, self.spare, agent, way, foot)

    def lift(self, agent: int) -> None:
        """Take an agent's way out, if it has one."""
        lift_way(self.head, self.chain, self.spans, self.spare, agent)

    def lies(self, agent: int) -> Ways:
        """Return the way that an agent has, without rows if it has none."""
        return read_way(self.chain, self.spans, agent, int(self.areas[agent]))

    def rows(self) -> Shorts:
        """Return int32[steps + 1, k], where everybody is until the last one has arrived; all agents must have ways."""
        return read_rows(self.chain, self.spans, self.areas)

    def solved(self, status: Status = Status.SOLVED, reason: str = "", **stats: float) -> Result[Plan]:
        """Return the result with the plan of all agents' ways, LIMIT without it if it is too long to be written down.

        The bound is the sum of the shortest ways alone.
        """
        board, bound = self.board, float(self.shortest.sum())
        arrivals = [way_length(self.chain, self.spans, agent) for agent in range(board.agents)]
        last = max(arrivals, default=0)
        if last > most_steps(board):
            most, agent = most_steps(board), arrivals.index(last)
            reason = f"agent {agent} would arrive in step {last}, and plans of more than {most} steps are not made"
            return Result(Status.LIMIT, None, reason, bound, stats)
        return board.solved(self.rows(), bound=bound, status=status, reason=reason, **stats)


def spans_of(places: Shorts) -> Ways:
    """Return the way, int32[m, 3] of (number, first step, last step), of numbers step by step; the last is for ever."""
    first = np.flatnonzero(np.diff(places, prepend=-1))
    last = np.append(first[1:] - 1, FAR)
    return np.ascontiguousarray(np.stack([places[first], first, last], axis=1).astype(np.int32))


def _foot(board: Board, side: int) -> Shorts:
    """Return int32[n, side²]: the numbers covered by one who stands at each, -1 in the first column without room."""
    space = board.instance.space
    if side == 1 or not isinstance(space, Grid):
        return np.arange(board.count, dtype=np.int32).reshape(-1, 1)
    number = np.full((space.height + side, space.width + side), -1, np.int32)
    number[: space.height, : space.width] = board.number.reshape(space.height, space.width)
    y, x = np.divmod(board.vertices, space.width)
    foot = np.stack([number[y + dy, x + dx] for dy in range(side) for dx in range(side)], axis=-1)
    foot[(foot < 0).any(axis=1), 0] = -1
    return np.ascontiguousarray(foot)


def _to_goal(board: Board, sides: NDArray[np.int64], kind: NDArray[np.int64], feet: list[Shorts]) -> Shorts:
    """Return int32[k, n]: the steps to each agent's goal through places where it has room."""
    if (sides == 1).all():
        return board.distances()
    table = np.full((board.agents, board.count), FAR, np.int32)
    space = board.instance.space
    for i, foot in enumerate(feet):
        agents = np.flatnonzero(kind == i)
        room = foot[:, 0] >= 0
        if not isinstance(space, Grid) or not agents.size or not room.any():
            continue
        free = np.zeros(space.width * space.height, bool)
        free[board.vertices[room]] = True
        goals = board.instance.goals[agents]
        of_size = Board(Instance.of(Grid.from_free(free.reshape(space.height, space.width)), [], []), "room")
        table[np.ix_(agents, np.flatnonzero(room))] = of_size.distances(of_size.number[goals])
    return table
