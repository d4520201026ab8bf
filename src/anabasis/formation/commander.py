"""Commander: plans the march of one formation: the leader's way, in fragments, and goals and ways of all the others.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: trivial planning, periodic replanning,
fragmentation by bends, and the orientation of long formations in bends.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from anabasis.formation.arrival import raised
from anabasis.formation.combined import Pathfinder
from anabasis.formation.ground import Ground
from anabasis.formation.narrows import Gates, Narrow, narrows
from anabasis.formation.slots import assign, close_ranks
from anabasis.formation.straight import WINDOW, directions, fragments
from anabasis.manoeuvre import Formation
from anabasis.schema import Schema, outermost, turn

__all__ = ["Commander", "Stand"]

_NEAREST = 16  # vertices that are looked up for each goal at once

Floats, Longs = NDArray[np.float64], NDArray[np.int64]


@dataclass
class Stand:
    """Where a unit is to be planned from: a vertex, and the seconds until it gets there.

    done: how many steps of the way that it was given last are behind it then; way and steps: what the commander has
    decided from there on, vertices (the first is `vertex`) and seconds of steps.
    """

    vertex: int
    seconds: float = 0.0
    done: int = 0
    way: Longs = field(default_factory=lambda: np.zeros(0, np.int64))
    steps: Floats = field(default_factory=lambda: np.zeros(0))


class Commander:
    """The plan of one formation as it goes on; `begin` an order, and call `decide` for each further fragment.

    - azimuth: where the formation faces, in degrees clockwise from north;
    - due: after how many of the leader's steps the next fragment is to be decided, None when none is left;
    - goal: the vertex that the leader goes to, -1 before the first order;
    - schema: what is left of the formation's; spots int64[k]: the numbers of its spots in that one;
    - holder int64[k]: the unit in each spot, at first the one of the same number;
    - trouble: what of the last order can't be done, a sentence each.

    Where units stand is told in the order of units, of the fallen, too.
    """

    def __init__(self, ground: Ground, finder: Pathfinder, formation: Formation, gates: Gates) -> None:
        self.ground, self.finder, self.formation, self.gates = ground, finder, formation, gates
        self.modules = formation.modules
        self.azimuth = formation.azimuth
        self.radius = formation.radius * ground.spacing
        self.due: int | None = None
        self.goal = -1
        self.spots: Longs = np.arange(formation.schema.spots)
        self.holder: Longs = self.spots.copy()
        self.trouble: list[str] = []
        self._lead: Longs = np.zeros(0, np.int64)  # the leader's way
        self._done = 0  # of its steps, those in fragments that are behind
        self._ends: list[int] = []  # where fragments end, for bends
        self._track: Floats = np.zeros((0, 2))  # what the leader has behind it when it gets an order
        self._narrows: list[Narrow] = []  # on its way
        self._places: Floats = np.zeros((0, 2))  # of the order
        self._stops: list[int] = []  # after how many steps of its way the leader comes to each of them
        self._turns = True  # whether the formation faces where it goes
        self._take_over(formation.schema)

    def _take_over(self, schema: Schema) -> None:
        """Command a formation of this schema from now on."""
        self.schema = schema
        weight = {(s, t): w for (s, t), w in zip(schema.bindings.tolist(), schema.weights.tolist(), strict=True)}
        self._below: list[list[int]] = [[] for _ in range(schema.spots)]
        self._weights: list[list[float]] = [[] for _ in range(schema.spots)]
        for spot in schema.order.tolist()[1:]:
            above = int(schema.ancestor[spot])
            count = weight[above, spot]
            while True:
                self._below[above].append(spot)
                self._weights[above].append(count)
                if self.modules.paths != "whole" or above == schema.leader:
                    break
                above = int(schema.ancestor[above])

    def begin(self, places: Floats, stands: list[Stand], ends: set[int]) -> None:
        """Plan the leader's way through places to the last of them, and everybody's to the end of the first fragment.

        With trivial planning everybody's whole way is planned. ends: where others will stand.
        """
        self.trouble, self._turns = [], True
        if self.modules.slots != "own":
            self._give_out(places[0], stands)
        self._set_out(places, stands, ends)

    def close_ranks(self, fallen: list[int], stands: list[Stand], ends: set[int]) -> None:
        """Go on without the units that have fallen: the others move up, so that only spots in the rear are left empty.

        What is left of the order, a new leader carries on.
        """
        whole = self.formation.schema
        old = stands[int(self.holder[self.schema.leader])]
        there = ~np.isin(self.holder, fallen)
        left, held = self.holder[there], self.spots[there]
        if not left.size:
            self.holder, self.spots, self.due, self.goal = left, left, None, -1
            self._synchronise(stands)
            return
        taken = close_ranks(whole, held)
        at = self._done + old.done
        places = self._places[sum(stop < at for stop in self._stops[:-1]) :]
        if not len(places):
            places = self.ground.points[[old.vertex]]
        self._turns = bool(self._stops) and at < self._stops[-1]
        self.holder, self.spots = left[np.argsort(taken)], np.sort(taken)
        self._take_over(whole.part(self.spots))
        self._set_out(places, stands, ends)

    def _set_out(self, places: Floats, stands: list[Stand], ends: set[int]) -> None:
        """Plan the ways of an order; who is in which spot is decided."""
        self._places = places
        self.trouble += [
            f"({x:g}, {y:g}) is off the ground; the leader goes to the nearest place"
            for x, y in places.tolist()
            if not self.ground.holds((x, y))
        ]
        if self.modules.planning == "trivial":
            self._done = 0
            self._everybody(places, stands, ends)
            return
        leader = self.schema.leader
        at = self._stand(leader, stands).vertex
        way = [np.array([at])]
        for i, place in enumerate(places):
            last = i == len(places) - 1
            leg = self._path(leader, at, place, ends if last else set(), last)
            way.append(leg[1:])
            at = int(leg[-1])
        lead = np.concatenate(way)
        self._stops = np.cumsum([len(leg) for leg in way[1:]]).tolist()
        if self.modules.orientation == "files":
            self._narrows = narrows(lead, self.ground, self.gates, self.schema, float(self.radius[self.holder].max()))
        if self._in_ranks:
            self._track = self._behind(int(lead[0]))
        self._lead, self._done, self.due = lead, 0, 0
        self.goal = int(lead[-1])
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
        if self._turns and (here != there).any():
            self.azimuth = _azimuth(there - here)
            if self.modules.facing == "way":
                near = self.ground.points[self._lead[max(0, end - WINDOW) : end + WINDOW + 1]]
                self.azimuth = float(directions(near)[min(end, WINDOW)])
        last = self.due is None
        # in the end it stands as it was drawn
        goals = self._on_track(end) if self._in_ranks and not last else self._goals(here, there, before)
        taken = {int(lead[-1]), *(ends if last else ())}
        near = self.ground.nearest(goals, _NEAREST).tolist()
        for spot in self.schema.order.tolist():
            stand = self._stand(spot, stands)
            if spot == self.schema.leader:
                stand.way = lead
                continue
            stand.way = self._path(spot, stand.vertex, goals[spot], taken, last, near[spot])
            taken.add(int(stand.way[-1]))
        self._synchronise(stands)

    def _stand(self, spot: int, stands: list[Stand]) -> Stand:
        """Return where the unit in a spot is planned from."""
        return stands[int(self.holder[spot])]

    def _give_out(self, place: Floats, stands: list[Stand]) -> None:
        """Give out the spots anew, to those who are nearest once the formation has turned towards a place."""
        units, leader = np.sort(self.holder), self.schema.leader
        here = self.ground.points[[stands[unit].vertex for unit in units.tolist()]]
        ahead = place - self.ground.points[self._stand(leader, stands).vertex]
        there = self.schema.turned(_azimuth(ahead) if ahead.any() else self.azimuth)
        there = there - there.mean(0) + here.mean(0)
        kinds = self.formation.schema.classes[units]
        spot = assign(here, there, classes=kinds, spot_classes=self.schema.classes, objective=self.modules.slots)
        taken = np.argsort(spot)
        if (place - here[taken[leader]]) @ ahead > 0:  # else its new leader would have to turn back
            self.holder = units[taken]

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

    def _behind(self, start: int) -> Floats:
        """Return float64[m, 2]: the track of a leader that begins a new way at a vertex, as long as its formation.

        Where it has not come along its own way, as a new leader hasn't, the track is what would be straight behind it.
        """
        here = self.ground.points[start]
        passed = np.flatnonzero(self._lead[self._done :] == start)
        track = np.zeros((0, 2))
        if passed.size:
            track = np.concatenate((self._track, self.ground.points[self._lead[: self._done + passed[0]]]))
        forms = [self.schema.places, *(narrow.places for narrow in self._narrows)]
        depth = max(float(places[:, 1].max()) for places in forms) + WINDOW * self.ground.spacing
        if _length(np.concatenate((track, here[None]))) >= depth:
            return track
        first = track[0] if len(track) else here
        return np.concatenate(((first + turn((0.0, depth), self.azimuth))[None], track))

    @property
    def _in_ranks(self) -> bool:
        """Whether ranks follow the leader's track."""
        return self.modules.orientation in ("track", "files")

    def _drawn_up(self, end: int) -> Floats:
        """Return float64[k, 2]: places for a march to the north while the leader is at `end` of its way."""
        near = [narrow.places for narrow in self._narrows if narrow.first <= end <= narrow.last]
        return max(near, key=lambda places: float(places[:, 1].max()), default=self.schema.places)

    def _on_track(self, end: int) -> Floats:
        """Return float64[k, 2]: everybody's goal if ranks are to stand on the leader's track, behind `end` of its way.

        Where the ground beside the track is narrower than a rank, the rank is drawn in on that side.
        """
        way = self.ground.points[self._lead[: end + 1]]
        line = np.concatenate((self._track, way))
        steps = np.hypot(*np.diff(line, axis=0).T)
        along = np.concatenate(([0.0], np.cumsum(steps)))
        places, faces = self._drawn_up(end), np.radians(directions(line))
        at = np.clip(along[-1] - places[:, 1], 0.0, along[-1])
        centre = np.stack([np.interp(at, along, line[:, axis]) for axis in range(2)], 1)
        east, north = (np.interp(at, along, component) for component in (np.sin(faces), np.cos(faces)))
        azimuth = np.degrees(np.arctan2(east, north))
        most = float(np.abs(places[:, 0]).max(initial=0.0))
        room = self.ground.room(centre, azimuth, most) if most else np.zeros((len(places), 2))
        side = np.where(places[:, 0] < 0, room[:, 0], room[:, 1])
        needed = outermost(places)
        share = np.minimum(1.0, np.divide(side, needed, out=np.ones(len(places)), where=needed > 0))
        ahead = np.minimum(places[:, 1], 0.0)  # spots in front of the leader are on the way straight on
        beside = np.stack((places[:, 0] * share, ahead), 1)
        turned = np.array([turn(one, angle) for one, angle in zip(beside, azimuth.tolist(), strict=True)])
        return centre + turned

    def _everybody(self, places: Floats, stands: list[Stand], ends: set[int]) -> None:
        """Plan everybody's way to a place of its own around each place, without any fragments."""
        at = self.ground.points[self._stand(self.schema.leader, stands).vertex]
        ways = [[np.array([stand.vertex])] for stand in stands]
        reached = [stand.vertex for stand in stands]
        for i, place in enumerate(places):
            if self._turns and (place != at).any():
                self.azimuth = _azimuth(place - at)
            at, last = place, i == len(places) - 1
            goals = place + self.schema.turned(self.azimuth)
            taken = set(ends) if last else set[int]()
            for spot in self.schema.order.tolist():
                unit = int(self.holder[spot])
                leg = self._path(spot, reached[unit], goals[spot], taken, last)
                ways[unit].append(leg[1:])
                reached[unit] = int(leg[-1])
                taken.add(reached[unit])
        for stand, way in zip(stands, ways, strict=True):
            stand.way = np.concatenate(way)
        self._stops = np.cumsum([len(leg) for leg in ways[int(self.holder[self.schema.leader])][1:]]).tolist()
        self._synchronise(stands)
        self.due, self.goal = None, int(self._stand(self.schema.leader, stands).way[-1])

    def _path(
        self, spot: int, start: int, place: Floats, taken: set[int], last: bool, near: list[int] | None = None
    ) -> Longs:
        """Return the spot's way to the vertex nearest to a place that nobody has taken and that it can reach.

        A leader goes where the widest of its units has room, if it can. last: the unit is to stay there, so that it is
        trouble if it can't. near: the vertices nearest to the place.
        """
        radius = float(self.radius[self.holder[spot]])
        widest = float(self.radius[self.holder].max()) if spot == self.schema.leader else radius
        who = "the leader" if spot == self.schema.leader else f"unit {self.holder[spot]}"
        goal = self._nearest(place, taken, near, radius)
        path = None if goal < 0 else self._way(spot, start, goal, place, widest)
        if path is None and goal >= 0 and widest > radius:
            path = self._way(spot, start, goal, place, radius)
            if path is not None:
                wide = self.holder[self.radius[self.holder] == widest][0]
                self.trouble.append(f"a way is too narrow for unit {wide} of radius {widest:g}, the leader takes it")
        if path is not None:
            if last and self.ground.is_wide(radius) and goal != self._nearest(place, taken, near, 0.0):
                self.trouble.append(f"{who} has no room for its radius of {radius:g} at its place; it stands beside it")
            return path
        within = self.finder.reached(start, radius)
        reached = np.flatnonzero(within)
        left = reached[~np.isin(reached, list(taken))]
        if last:
            narrow = (self.finder.reached(start) & ~within).any() and self.ground.is_wide(radius)
            why = f", the way is too narrow for its radius of {radius:g}" if narrow else ""
            self.trouble.append(f"{who} can't reach its place{why}; it goes to the nearest that it can reach")
        if not left.size:
            return np.array([start])
        apart = ((self.ground.points[left] - place) ** 2).sum(1)
        path = self._way(spot, start, int(left[apart.argmin()]), place, radius)
        assert path is not None  # noqa: S101 - it was reached
        return path

    def _nearest(self, place: Floats, taken: set[int], near: list[int] | None, radius: float) -> int:
        """Return the vertex nearest to a place that is left for a unit of this radius, -1 if there is none."""
        fits = self.ground.fits(radius)
        free = [vertex for vertex in near or () if vertex not in taken and fits[vertex]]
        free = free or self.ground.untaken(place, taken, radius)
        return free[0] if free else -1

    def _way(self, spot: int, start: int, goal: int, place: Floats, radius: float) -> Longs | None:
        """Return the spot's way from a vertex to another one, near a place, if there is one."""
        offsets, weights = self._subordinates(spot, place - self.ground.points[start])
        straight = self.modules.ties == "straight"
        return self.finder.path(start, goal, offsets, weights, straight=straight, radius=radius)

    def _subordinates(self, spot: int, move: Floats) -> tuple[Floats, list[float]]:
        """Return offsets and weights of those below a spot that goes that way; none if it looks at its own way only."""
        below = self._below[spot]
        if self.modules.paths == "simple" or not below:
            return np.zeros((0, 2)), []
        azimuth = _azimuth(move) if move.any() else self.azimuth
        places = self.schema.places
        return turn(places[below] - places[spot], azimuth), self._weights[spot]

    def _synchronise(self, stands: list[Stand]) -> None:
        """Set the seconds of all steps, so that all arrive with the last of them, by the method chosen."""
        pace = self._pace()
        for stand in stands:
            if not len(stand.way):  # of one who has fallen
                stand.way = np.array([stand.vertex])
        costs = [self.ground.seconds(stand.way) * pace[i] for i, stand in enumerate(stands)]
        total = max((stand.seconds + float(cost.sum()) for stand, cost in zip(stands, costs, strict=True)), default=0.0)
        for stand, cost in zip(stands, costs, strict=True):
            stand.steps = raised(cost, total - stand.seconds, self.modules.synchronisation)

    def _pace(self) -> Floats:
        """Return float64[n]: by what each unit's seconds are multiplied, so that none is faster than all shall be."""
        pace, held = self.formation.pace, self.formation.pace[self.holder]
        if self.modules.speed == "own" or not held.size:
            return pace
        # the average is that of speeds, not of seconds
        average = 1 / float(np.average(1 / held, weights=self.schema.loads))
        return np.maximum(pace, held.max() if self.modules.speed == "slowest" else average)


def _length(line: Floats) -> float:
    """Return the length of a line float64[m, 2]."""
    return float(np.hypot(*np.diff(line, axis=0).T).sum())


def _azimuth(vector: Floats) -> float:
    """Return the direction of a vector, in degrees clockwise from north."""
    return math.degrees(math.atan2(vector[0], -vector[1])) % 360
