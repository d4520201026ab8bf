"""Single agents: the ways and decision diagrams of each agent of a conflict-based search, remembered by constraints.

G. Sharon et al., "Conflict-based search for optimal multi-agent pathfinding", 2015.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from anabasis.mapf.board import Board
from anabasis.mapf.constraints import Constraints, Row
from anabasis.mapf.space_time import Diagram, SpaceTime

__all__ = ["SingleAgents", "Way"]

Shorts = NDArray[np.int32]

_NO_OTHERS = np.zeros((0, 0), np.int32)
_MOST_KEPT = 2**26  # numbers in what is remembered; then all of it is forgotten
_ANSWER = 64  # numbers that a short answer takes, and so do constraints


class Way:
    """A way of one agent: the vertices of its path, int32[cost + 1], and the constraints that it keeps.

    number: another one for each way.
    """

    __slots__ = ("constraints", "cost", "number", "path")

    def __init__(self, path: Shorts, constraints: Constraints, number: int) -> None:
        """Keep what a way is."""
        self.path, self.constraints, self.number = path, constraints, number
        self.cost = len(path) - 1


class SingleAgents:
    """Each agent of a board by itself.

    floor: ways no longer than that are as good as each other (for the makespan); 0 where the shortest are wanted.
    What is found is remembered by constraints, which are one object as long as they are. Raises GaveUpError where a
    search grows too large.
    """

    def __init__(self, board: Board) -> None:
        """Measure the distances to all goals."""
        self.board = board
        self.stay, self.wait = board.instance.rules.stay, board.instance.rules.wait
        self.distances = board.distances()
        self.ends: list[tuple[int, int]] = list(zip(board.starts.tolist(), board.goals.tolist(), strict=True))
        self.space_time = SpaceTime(board)
        self.free = [Constraints() for _ in range(board.agents)]
        self.floor = 0
        self.ways_made = 0
        self._known: list[dict[frozenset[Row], Constraints]] = [{} for _ in range(board.agents)]
        self._diagrams: dict[tuple[Constraints, int], Diagram] = {}
        self._blocked: dict[tuple[Constraints, int], bool] = {}
        self._arrivals: dict[tuple[Constraints, int, int], int] = {}
        self._kept = 0
        self._to: dict[int, Shorts] = {}

    def constraints(self, agent: int, before: Constraints, rows: Iterable[Row]) -> Constraints:
        """Return the constraints with more rows; the same object for equal ones of an agent, while it is remembered."""
        kept = before.kept.union(rows)
        if len(kept) == len(before.kept):
            return before
        known = self._known[agent]
        if kept not in known:
            self._keep(_ANSWER)
            known[kept] = Constraints(kept)
        return known[kept]

    def _keep(self, numbers: int) -> None:
        """Count what is remembered in addition; forget all before it if that is too much."""
        self._kept += numbers
        if self._kept > _MOST_KEPT:
            for table in (*self._known, self._diagrams, self._blocked, self._arrivals):
                table.clear()
            self._kept = numbers

    def way(
        self, agent: int, constraints: Constraints, others: Shorts = _NO_OTHERS, column: int = -1, steps: int = 0
    ) -> Way | None:
        """Return a shortest way, of equals the one with fewest conflicts with the other columns of others[:steps]."""
        path = self.space_time.way(
            self.ends[agent],
            self.distances[agent],
            constraints.rows,
            constraints.horizon,
            others,
            column,
            steps=steps,
            least=self.floor,
        )
        return None if path is None else self.same(path, constraints)

    def same(self, path: Shorts, constraints: Constraints) -> Way:
        """Return a way of a path that keeps these constraints."""
        self.ways_made += 1
        return Way(path, constraints, self.ways_made)

    def diagram(self, agent: int, way: Way) -> Diagram:
        """Return all ways as good as this one."""
        cost, exact = self._cost(way)
        key = way.constraints, cost
        found = self._diagrams.get(key)
        if found is None:
            query = self.ends[agent], self.distances[agent], way.constraints.rows, cost
            found = self.space_time.diagram(*query, exact=exact)
            self._keep(_ANSWER + 8 * found.vertices.size)  # links take most
            self._diagrams[key] = found
        return found

    def blocked(self, agent: int, way: Way, rows: Iterable[Row]) -> bool:
        """Tell whether more rows leave no way as good as this one."""
        cost, exact = self._cost(way)
        more = self.constraints(agent, way.constraints, rows)
        key = more, cost
        found = self._blocked.get(key)
        if found is None:
            query = self.ends[agent], self.distances[agent], more.rows, cost
            found = not self.space_time.within(*query, exact=exact)
            self._keep(_ANSWER)
            self._blocked[key] = found
        return found

    def _cost(self, way: Way) -> tuple[int, bool]:
        if self.floor > way.cost and self.stay and self.wait:
            return self.floor, False
        return way.cost, self.floor == 0

    def arrival(self, agent: int, way: Way, vertex: int, rows: Iterable[Row], most: int) -> int:
        """Return the first step in which an agent can be at a vertex, with more rows; FAR if after `most`."""
        more = self.constraints(agent, way.constraints, rows)
        key = more, vertex, most
        found = self._arrivals.get(key)
        if found is None:
            if vertex not in self._to:
                if len(self._to) * self.board.count > 2**25:
                    self._to.clear()
                self._to[vertex] = self.board.distances([vertex])[0]
            start, goal = self.ends[agent]
            query = (start, vertex), self._to[vertex], more.rows, more.horizon
            found = self.space_time.arrival(*query, goal, most)
            self._keep(_ANSWER)
            self._arrivals[key] = found
        return found
