"""Commander: plans the march of one formation: the leader's way, in fragments, and goals and ways of all the others.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: trivial planning, periodic replanning,
fragmentation by bends, and the orientation of long formations in bends.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from anabasis.formation.arrival import synchronised
from anabasis.formation.combined import Pathfinder
from anabasis.formation.ground import Ground
from anabasis.formation.straight import fragments
from anabasis.manoeuvre import Formation
from anabasis.schema import turn

__all__ = ["Commander", "Stand"]

Floats, Longs = NDArray[np.float64], NDArray[np.int64]
_NEAR = 64  # vertices looked at to find one that nobody has taken, before all are


@dataclass
class Stand:
    """Where a unit is to be planned from: a vertex, and the seconds until it gets there (below 0: since it was there).

    way and seconds: what the commander has decided from there on, vertices (the first is `vertex`) and steps.
    """

    vertex: int
    seconds: float = 0.0
    way: Longs = field(default_factory=lambda: np.zeros(0, np.int64))
    steps: Floats = field(default_factory=lambda: np.zeros(0))


class Commander:
    """The plan of one formation as it goes on; `begin` an order, and call `decide` for each fragment.

    - azimuth: where the formation faces, in degrees clockwise from north;
    - due: after how many of the leader's steps the next fragment is to be decided, None when none is left;
    - trouble: why an order can't be carried out as it was given, else "".
    """

    def __init__(self, ground: Ground, finder: Pathfinder, formation: Formation) -> None:
        self.ground, self.finder, self.formation = ground, finder, formation
        self.schema, self.modules = formation.schema, formation.modules
        self.azimuth = formation.azimuth
        self.due: int | None = None
        self.trouble = ""
        self._lead: Longs = np.zeros(0, np.int64)  # the leader's way
        self._done = 0  # of its steps, those in fragments that are behind
        self._ends: list[int] = []  # where fragments end, for bends
        schema = self.schema
        weight = {(s, t): w for (s, t), w in zip(schema.bindings.tolist(), schema.weights.tolist(), strict=True)}
        self._below = [[t for t in range(schema.spots) if schema.ancestor[t] == s != t] for s in range(schema.spots)]
        self._weights = [[weight[s, t] for t in below] for s, below in enumerate(self._below)]

    def begin(self, places: Floats, stands: list[Stand]) -> bool:
        """Plan the leader's way through places to the last of them; return whether there is one, at least part of it.

        With trivial planning everybody's way is planned here.
        """
        self.trouble = ""
        if self.modules.planning == "trivial":
            self._everybody(places, stands)
            return True
        leader = self.schema.leader
        way = [np.array([stands[leader].vertex])]
        for place in places:
            leg = self._path(leader, int(way[-1][-1]), place, set())
            way.append(leg[1:])
        self._lead, self._done = np.concatenate(way), 0
        if self.modules.planning == "bends":
            ends = fragments(self.ground.points[self._lead], bend=self.modules.bend, shortest=self.modules.shortest)
            self._ends = [last for _, last in ends]
        self.due = 0
        return True

    def decide(self, stands: list[Stand]) -> None:
        """Plan everybody's way to the end of the next fragment; the leader stands where this one was due."""
        self._done += self.due or 0
        end, due = self._fragment()
        lead = self._lead[self._done : end + 1]
        here, there = self.ground.points[lead[0]], self.ground.points[lead[-1]]
        before = self.azimuth
        if (here != there).any():
            self.azimuth = _azimuth(there - here)
        goals = self._goals(here, there, before)
        taken: set[int] = set()
        for spot in self.schema.order.tolist():
            stand = stands[spot]
            if spot == self.schema.leader:
                stand.way = lead
            else:
                stand.way = self._path(spot, stand.vertex, goals[spot], taken)
            taken.add(int(stand.way[-1]))
        self._synchronise(stands)
        self.due = due

    def _fragment(self) -> tuple[int, int | None]:
        """Return where on the leader's way the fragment ends, and after how many steps the next one is due."""
        last, modules = len(self._lead) - 1, self.modules
        if modules.planning == "bends":
            end = next(end for end in [*self._ends, last] if end > self._done or end == last)
            return end, (None if end >= last else end - self._done)
        end = self._done + modules.fragment
        if last - end < modules.shortest:
            return last, None
        return end, min(modules.period, modules.fragment)

    def _goals(self, here: Floats, there: Floats, before: float) -> Floats:
        """Return float64[k, 2]: everybody's goal at the end of a fragment from here to there."""
        goals = there + self.schema.turned(self.azimuth)
        ahead = there - here
        if self.modules.orientation == "split" and ahead.any():
            rear = (goals - here) @ ahead <= 0
            # as if the leader had gone on in the old direction
            old = here + turn((0.0, -math.hypot(*ahead.tolist())), before) + self.schema.turned(before)
            goals[rear] = old[rear]
        return goals

    def _everybody(self, places: Floats, stands: list[Stand]) -> None:
        """Plan everybody's way to a place of its own around each place, without any fragments."""
        at = self.ground.points[stands[self.schema.leader].vertex]
        ways = [[np.array([stand.vertex])] for stand in stands]
        for place in places:
            if (place != at).any():
                self.azimuth = _azimuth(place - at)
            at = place
            goals = place + self.schema.turned(self.azimuth)
            taken: set[int] = set()
            for spot in self.schema.order.tolist():
                leg = self._path(spot, int(ways[spot][-1][-1]), goals[spot], taken)
                ways[spot].append(leg[1:])
                taken.add(int(leg[-1]))
        for stand, way in zip(stands, ways, strict=True):
            stand.way = np.concatenate(way)
        self._synchronise(stands)
        self.due = None

    def _path(self, spot: int, start: int, place: Floats, taken: set[int]) -> Longs:
        """Return the spot's way to the vertex nearest to a place that nobody has taken and that it can reach."""
        offsets: list[Floats] = []
        below = self._below[spot] if self.modules.paths == "combined" else []
        if below:
            move = place - self.ground.points[start]
            azimuth = _azimuth(move) if move.any() else self.azimuth
            offsets = [turn(self.schema.places[t] - self.schema.places[spot], azimuth) for t in below]
        weights = self._weights[spot] if below else []
        near = self.ground.nearest(place, _NEAR)[0].tolist()
        goal = next((vertex for vertex in near if vertex not in taken), None)
        path = None if goal is None else self.finder.path(start, goal, offsets, weights)
        if path is not None:
            return path
        reached = np.flatnonzero(self.finder.reached(start))
        free = np.array([vertex for vertex in reached.tolist() if vertex not in taken], np.int64)
        if not free.size:
            self.trouble = self.trouble or f"unit {spot} has no vertex left that it can reach"
            return np.array([start])
        apart = ((self.ground.points[free] - place) ** 2).sum(1)
        if spot == self.schema.leader:
            self.trouble = "the leader can't reach its target; it goes to the nearest vertex that it can reach"
        path = self.finder.path(start, int(free[apart.argmin()]), offsets, weights)
        assert path is not None  # noqa: S101 - it was reached
        return path

    def _synchronise(self, stands: list[Stand]) -> None:
        """Set the seconds of all steps, so that all arrive with the last of them, by the method chosen."""
        pace = self.formation.pace
        costs = [self.ground.seconds(stand.way) * pace[i] for i, stand in enumerate(stands)]
        total = max((stand.seconds + float(cost.sum()) for stand, cost in zip(stands, costs, strict=True)), default=0.0)
        for stand, cost in zip(stands, costs, strict=True):
            stand.steps = synchronised(cost, total - stand.seconds, self.modules.synchronisation)


def _azimuth(vector: Floats) -> float:
    """Return the direction of a vector, in degrees clockwise from north."""
    return math.degrees(math.atan2(vector[0], -vector[1])) % 360
