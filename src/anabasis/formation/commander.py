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


@dataclass
class Stand:
    """Where a unit is to be planned from: a vertex, and the seconds until it gets there.

    way and steps: what the commander has decided from there on, vertices (the first is `vertex`) and seconds of steps.
    """

    vertex: int
    seconds: float = 0.0
    way: Longs = field(default_factory=lambda: np.zeros(0, np.int64))
    steps: Floats = field(default_factory=lambda: np.zeros(0))


class Commander:
    """The plan of one formation as it goes on; `begin` an order, and call `decide` for each further fragment.

    - azimuth: where the formation faces, in degrees clockwise from north;
    - due: after how many of the leader's steps the next fragment is to be decided, None when none is left;
    - goal: the vertex that the leader goes to, -1 before the first order;
    - trouble: what of the last order can't be done, a sentence each.
    """

    def __init__(self, ground: Ground, finder: Pathfinder, formation: Formation) -> None:
        self.ground, self.finder, self.formation = ground, finder, formation
        self.schema, self.modules = formation.schema, formation.modules
        self.azimuth = formation.azimuth
        self.due: int | None = None
        self.goal = -1
        self.trouble: list[str] = []
        self._lead: Longs = np.zeros(0, np.int64)  # the leader's way
        self._done = 0  # of its steps, those in fragments that are behind
        self._ends: list[int] = []  # where fragments end, for bends
        schema = self.schema
        weight = {(s, t): w for (s, t), w in zip(schema.bindings.tolist(), schema.weights.tolist(), strict=True)}
        self._below: list[list[int]] = [[] for _ in range(schema.spots)]
        for spot, above in enumerate(schema.ancestor.tolist()):
            if spot != above:
                self._below[above].append(spot)
        self._weights = [[weight[s, t] for t in below] for s, below in enumerate(self._below)]

    def begin(self, places: Floats, stands: list[Stand], ends: set[int]) -> None:
        """Plan the leader's way through places to the last of them, and everybody's to the end of the first fragment.

        With trivial planning everybody's whole way is planned. ends: where others will stand.
        """
        self.trouble = []
        if self.modules.planning == "trivial":
            self._everybody(places, stands, ends)
            return
        leader = self.schema.leader
        way = [np.array([stands[leader].vertex])]
        for i, place in enumerate(places):
            last = i == len(places) - 1
            way.append(self._path(leader, int(way[-1][-1]), place, ends if last else set(), last)[1:])
        self._lead, self._done, self.due = np.concatenate(way), 0, 0
        self.goal = int(self._lead[-1])
        if self.modules.planning == "bends":
            runs = fragments(self.ground.points[self._lead], bend=self.modules.bend, shortest=self.modules.shortest)
            self._ends = [last for _, last in runs]
        self.decide(stands, ends)

    def decide(self, stands: list[Stand], ends: set[int]) -> None:
        """Plan everybody's way to the end of the next fragment; the leader stands where this one was due."""
        self._done += self.due or 0
        end, self.due = self._fragment()
        lead = self._lead[self._done : end + 1]
        here, there = self.ground.points[lead[0]], self.ground.points[lead[-1]]
        before = self.azimuth
        if (here != there).any():
            self.azimuth = _azimuth(there - here)
        goals = self._goals(here, there, before)
        last = self.due is None
        taken = {int(lead[-1]), *(ends if last else ())}
        for spot in self.schema.order.tolist():
            stand = stands[spot]
            if spot == self.schema.leader:
                stand.way = lead
                continue
            stand.way = self._path(spot, stand.vertex, goals[spot], taken, last)
            taken.add(int(stand.way[-1]))
        self._synchronise(stands)

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

    def _everybody(self, places: Floats, stands: list[Stand], ends: set[int]) -> None:
        """Plan everybody's way to a place of its own around each place, without any fragments."""
        at = self.ground.points[stands[self.schema.leader].vertex]
        ways = [[np.array([stand.vertex])] for stand in stands]
        for i, place in enumerate(places):
            if (place != at).any():
                self.azimuth = _azimuth(place - at)
            at, last = place, i == len(places) - 1
            goals = place + self.schema.turned(self.azimuth)
            taken = set(ends) if last else set[int]()
            for spot in self.schema.order.tolist():
                leg = self._path(spot, int(ways[spot][-1][-1]), goals[spot], taken, last)
                ways[spot].append(leg[1:])
                taken.add(int(leg[-1]))
        for stand, way in zip(stands, ways, strict=True):
            stand.way = np.concatenate(way)
        self._synchronise(stands)
        self.due, self.goal = None, int(stands[self.schema.leader].way[-1])

    def _path(self, spot: int, start: int, place: Floats, taken: set[int], last: bool) -> Longs:
        """Return the spot's way to the vertex nearest to a place that nobody has taken and that it can reach.

        last: it is to stay there, so that it is trouble if it can't.
        """
        offsets, weights = self._subordinates(spot, place - self.ground.points[start])
        near = self.ground.untaken(place, taken)
        path = self.finder.path(start, near[0], offsets, weights) if near else None
        if path is not None:
            return path
        reached = np.flatnonzero(self.finder.reached(start))
        free = reached[~np.isin(reached, list(taken))]
        if last:
            who = "the leader" if spot == self.schema.leader else f"unit {spot}"
            self.trouble.append(f"{who} can't reach its place; it goes to the nearest that it can reach")
        if not free.size:
            return np.array([start])
        apart = ((self.ground.points[free] - place) ** 2).sum(1)
        path = self.finder.path(start, int(free[apart.argmin()]), offsets, weights)
        assert path is not None  # noqa: S101 - it was reached
        return path

    def _subordinates(self, spot: int, move: Floats) -> tuple[list[Floats], list[float]]:
        """Return offsets and weights of those below a spot that goes that way; none if it looks at its own way only."""
        if self.modules.paths == "simple":
            return [], []
        azimuth = _azimuth(move) if move.any() else self.azimuth
        places = self.schema.places
        return [turn(places[t] - places[spot], azimuth) for t in self._below[spot]], self._weights[spot]

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
