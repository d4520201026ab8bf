"""Conflict choice: how each conflict of a node may be split, and which one is split first.

E. Boyarski et al., "ICBS: Improved Conflict-Based Search Algorithm for Multi-Agent Pathfinding", 2015 (cardinal
conflicts first); J. Li et al., "Disjoint Splitting for Multi-Agent Path Finding with Conflict-Based Search", 2019;
J. Li et al., "New Techniques for Pairwise Symmetry Breaking in Multi-Agent Path Finding", 2020 (targets).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from anabasis.grid import Grid
from anabasis.mapf.barriers import Barriers, Pair
from anabasis.mapf.board import FAR
from anabasis.mapf.conflicts import FOLLOWS, MEETS
from anabasis.mapf.constraints import LENGTH, MUST, Row, never, not_at, not_moving
from anabasis.mapf.single_agents import SingleAgents, Way
from anabasis.mapf.symmetry import Corridors, Rectangles

__all__ = ["KINDS", "Side", "Split", "Splits"]

KINDS = ("target", "corridor", "rectangle", "barrier", "plain")
"""What a split rests on, in the order in which splits are chosen among equally hard conflicts."""

_MOST_KEPT = 200_000


@dataclass(frozen=True)
class Side:
    """One child of a split: rows for the agent, and rows for each other agent."""

    agent: int
    rows: tuple[Row, ...]
    rest: tuple[Row, ...] = ()


@dataclass(frozen=True)
class Split:
    """Two children that leave no solution out: hard tells in how many of them the cost rises for sure."""

    kind: int
    hard: int
    sides: tuple[Side, Side]


class Splits:
    """Finds the split of each conflict of two agents and remembers it."""

    def __init__(
        self,
        single: SingleAgents,
        *,
        disjoint: bool,
        prioritize: bool,
        rectangle: bool,
        corridor: bool,
        target: bool,
        barrier: bool,
    ) -> None:
        """Switch on what the instance allows."""
        instance = single.board.instance
        space, directed = instance.space, "directed" in instance.features
        self._single, self.disjoint, self._prioritize = single, disjoint, prioritize
        self._target = target and single.stay and single.floor == 0
        self._corridors = Corridors(single) if corridor and not directed else None
        self._rectangles = Rectangles(single.board, space.width) if rectangle and isinstance(space, Grid) else None
        self._barriers = Barriers(single.board) if barrier and single.floor == 0 else None
        self._known: dict[tuple[int, ...], Split] = {}

    def best(self, conflicts: list[list[int]], agents: tuple[int, ...], ways: list[Way], *, disjoint: bool) -> Split:
        """Return the split of the conflict to settle first; conflicts: rows of `Conflicts.find` about columns."""
        splits: list[Split] = []
        for one, two, origin, vertex, step in conflicts:
            split = self.split((agents[one], agents[two]), (ways[one], ways[two]), origin, vertex, step, disjoint)
            splits.append(split)
            if not self._prioritize or (split.hard == 2 and split.kind == 0):
                break
        return min(splits, key=lambda split: (-split.hard, split.kind))

    def split(
        self, agents: tuple[int, int], ways: tuple[Way, Way], origin: int, vertex: int, step: int, disjoint: bool
    ) -> Split:
        """Return the split of one conflict."""
        key = (ways[0].number, ways[1].number, origin, vertex, step, self._single.floor, disjoint)
        found = self._known.get(key)
        if found is None:
            if len(self._known) > _MOST_KEPT:
                self._known.clear()
            found = self._find(agents, ways, origin, vertex, step, disjoint)
            self._known[key] = found
        return found

    def _find(
        self, agents: tuple[int, int], ways: tuple[Way, Way], origin: int, vertex: int, step: int, disjoint: bool
    ) -> Split:
        single = self._single
        if self._target and origin == MEETS:
            for i in (0, 1):
                if step >= ways[i].cost and vertex == single.ends[agents[i]][1]:
                    return self._target_split(agents[i], agents[1 - i], ways[1 - i], vertex, step)
        hard = self._hard(agents, ways, origin, vertex, step)
        best: Split | None = None
        for kind, pair in self._symmetries(agents, ways, (origin, vertex, step), hard):
            sides = Side(agents[0], pair[0]), Side(agents[1], pair[1])
            split = Split(kind, self._blocked(agents, ways, sides), sides)
            if split.hard == 2:
                return split
            if (kind == 1 or split.hard >= hard + (kind == 3)) and (best is None or split.hard > best.hard):
                best = split
        if best is not None:
            return best
        rows = _plain_rows(origin, vertex, step)
        sides = Side(agents[0], (rows[0],)), Side(agents[1], (rows[1],))
        return Split(4, hard, _disjoint(sides, origin, vertex, step) if disjoint else sides)

    def _symmetries(
        self, agents: tuple[int, int], ways: tuple[Way, Way], conflict: tuple[int, int, int], hard: int
    ) -> Iterator[tuple[int, Pair]]:
        """Yield rows for both agents of each symmetry that explains a conflict, with its kind."""
        origin, vertex, step = conflict
        single = self._single
        corridor = None
        if self._corridors is not None and origin != FOLLOWS:
            corridor = self._corridors.rows(agents, ways, origin, vertex, step)
            if corridor is not None:
                yield 1, corridor
        if hard == 2 and corridor is None:
            return
        diagrams = single.diagram(agents[0], ways[0]), single.diagram(agents[1], ways[1])
        if self._rectangles is not None and origin == MEETS and corridor is None:
            rectangle = self._rectangles.rows(diagrams, ways, vertex, step, stay=single.stay)
            if rectangle is not None:
                yield 2, rectangle
        if self._barriers is not None:
            for barrier in self._barriers.rows(diagrams, (ways[0].path, ways[1].path)):
                yield 3, barrier

    def _target_split(self, rests: int, passes: int, way: Way, vertex: int, step: int) -> Split:
        """Either the one that rests arrives later than the other passes, or nobody passes any more."""
        gone = (never(vertex, step),)
        later = Side(rests, ((LENGTH, -1, step + 1, FAR),))
        sooner = Side(rests, ((LENGTH, -1, 0, step),), gone)
        return Split(0, 1 + self._single.blocked(passes, way, gone), (later, sooner))

    def _blocked(self, agents: tuple[int, int], ways: tuple[Way, Way], sides: tuple[Side, Side]) -> int:
        return sum(self._single.blocked(a, w, s.rows) for a, w, s in zip(agents, ways, sides, strict=True))

    def _hard(self, agents: tuple[int, int], ways: tuple[Way, Way], origin: int, vertex: int, step: int) -> int:
        """Count the agents that have no other way as good round a plain constraint."""
        if not self._prioritize:
            return 0
        places = [[(step, vertex)], [(step, vertex)]]
        if origin == FOLLOWS:
            places[1] = [(step - 1, vertex)]
        elif origin >= 0:
            places = [[(step - 1, origin), (step, vertex)], [(step - 1, vertex), (step, origin)]]
        count = 0
        for agent, way, where in zip(agents, ways, places, strict=True):
            only = self._single.diagram(agent, way).single
            goal = self._single.ends[agent][1]
            count += all((goal if t >= len(only) else int(only[t])) == v for t, v in where)
        return count


def _plain_rows(origin: int, vertex: int, step: int) -> tuple[Row, Row]:
    if origin >= 0:
        return not_moving(origin, vertex, step), not_moving(vertex, origin, step)
    return not_at(vertex, step), not_at(vertex, step - 1 if origin == FOLLOWS else step)


def _disjoint(sides: tuple[Side, Side], origin: int, vertex: int, step: int) -> tuple[Side, Side]:
    """Either the first agent does what it does now, and nobody in its way, or it does not."""
    agent = sides[0].agent
    must: tuple[Row, ...] = ((MUST, vertex, step, step),)
    rest = sides[1].rows
    if origin >= 0:
        must += ((MUST, origin, step - 1, step - 1),)
        rest += (not_at(vertex, step), not_at(origin, step - 1))
    elif origin == FOLLOWS:
        rest += (not_at(vertex, step),)
    return sides[0], Side(agent, must, rest)
