"""Steps to goals: two bits a place where every arc may be gone both ways; a goal gets its row when first asked for.

Breadth-first search from the goal. Neighbours differ by at most one step in an undirected graph, so the steps modulo 3
tell which is nearer; arcs of one direction need the numbers themselves, four bytes a place.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.pibt import fill_rows
from anabasis.mapf.board import FAR, Board

__all__ = ["GoalSteps"]

Shorts = NDArray[np.int32]


class GoalSteps:
    """A table with a row for each goal in use; a goal keeps its row as long as there is room.

    - table: uint8[rows, bytes]: what `anabasis._kernel.pibt.toward` reads;
    - wide: whether it holds whole numbers.
    """

    def __init__(self, board: Board, room: int) -> None:
        """Make an empty table for `room` goals at a time."""
        self._board = board
        self.wide = "directed" in board.instance.features
        width = 4 * board.count if self.wide else (board.count + 3) // 4
        self.table: NDArray[np.uint8] = np.empty((room, max(1, width)), np.uint8)
        self._row = np.full(board.count, -1, np.int32)  # of each place as a goal
        self._goal = np.full(room, -1, np.int32)  # of each row
        self._used = self._turn = 0

    def rows(self, goals: Shorts) -> Shorts:
        """Return int32[k], the row of each goal; rows of goals that are not among these may be given to others."""
        lost = np.unique(goals[self._row[goals] < 0])
        if lost.size:
            self._fill(lost, np.full(lost.size, -1, np.int32), self._fresh(lost.size, goals))
        return self._row[goals]

    def measured(self, starts: Shorts, goals: Shorts) -> NDArray[np.int64]:
        """Return int64[k]: the steps from each start to its goal, FAR if there is no way; no goal may occur twice."""
        return self._fill(goals, starts, self._fresh(goals.size, goals[:0]))

    def _fill(self, goals: Shorts, starts: Shorts, rows: Shorts) -> NDArray[np.int64]:
        self._row[goals], self._goal[rows] = rows, goals
        return fill_rows(self._board.near, *self._board.back, goals, starts, self.wide, self.table, rows, FAR)

    def _fresh(self, size: int, wanted: Shorts) -> Shorts:
        """Return rows for new goals: unused ones first, then in turn those of goals that are not wanted now."""
        room = self._goal.size
        fresh = np.arange(self._used, min(self._used + size, room), dtype=np.int32)
        self._used += fresh.size
        if fresh.size == size:
            return fresh
        keep = np.zeros(room, bool)
        keep[self._row[wanted[self._row[wanted] >= 0]]] = True
        keep[fresh] = True
        turn = (np.arange(room) + self._turn) % room
        again = turn[~keep[turn]][: size - fresh.size].astype(np.int32)
        self._turn = int(again[-1]) + 1
        self._row[self._goal[again]] = -1
        return np.concatenate([fresh, again])
