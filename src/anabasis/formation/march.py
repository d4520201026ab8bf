"""March: carries a manoeuvre out: all units walk as their commanders decide, and step aside where they shall.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: execution. A unit's logical position is
on the map's vertices and steps; its physical one may be beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.formation.beside import displaced
from anabasis.formation.combined import Pathfinder
from anabasis.formation.commander import Commander, Stand
from anabasis.formation.ground import Ground
from anabasis.formation.passing import Swerving
from anabasis.manoeuvre import Formation, Manoeuvre
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_count
from anabasis.result import Result, Status
from anabasis.trace import Cause, Counters, Ending, Event, Trace, UnitState, chained, headings_of

__all__ = ["RADIUS", "March", "march"]

RADIUS = 0.25
"""Of a unit, in steps of the map: two that walk along neighbouring vertices don't touch."""

Floats, Longs = NDArray[np.float64], NDArray[np.int64]
Frame = tuple[int, Floats, Floats, NDArray[np.uint8], int]
"""A step, physical and logical positions, states, and the hash up to it."""


@dataclass(frozen=True, eq=False)
class March:
    """What happened.

    - trace: its group is the formation of each unit, its positions are the physical ones; units have arrived once they
      stand and their formation has nothing left to do; planned_length is that of their ways in the first fragment;
    - tick: seconds of a step of the trace;
    - logical float64[T, n, 2]: where the units are on their ways, in the frames of the trace;
    - trouble: what each formation could not do as ordered, "" for nothing.
    """

    trace: Trace
    tick: float
    logical: Floats
    trouble: tuple[str, ...]

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "logical", freeze(self.logical, np.float64, self.trace.positions.shape, "logical positions"))

    @property
    def seconds(self) -> Floats:
        """float64[T]: the time of each frame."""
        return self.trace.times * np.float64(self.tick)

    def units(self, formation: int) -> Longs:
        """Return the units of a formation, spot by spot."""
        return np.flatnonzero(self.trace.group == formation)


def march(manoeuvre: Manoeuvre, *, tick: float = 0.05, every: int = 1) -> Result[March]:
    """Carry a manoeuvre out.

    - tick: seconds of a step; every: record each so many of them.

    SOLVED once all orders are given and all units stand; LIMIT at the manoeuvre's limit, with what happened until then.
    stats: expanded, vertices in all searches; decisions, ways that were given to a unit.
    Everybody who starts stands at the nearest vertex to its place that nobody has taken. Raises InputError if there are
    fewer vertices than units, or if tick is not above 0.
    """
    step = float(freeze(tick, np.float64, (), "tick"))
    if not 0 < step <= manoeuvre.limit:
        raise InputError("tick", found=f"{step:g}", expected=f"seconds above 0, at most {manoeuvre.limit:g}, the limit")
    check_count(every, "every", 1)
    run = _Run(manoeuvre, step)
    frames, last = [run.frame()], int(np.ceil(manoeuvre.limit / step - 1e-9))
    while run.step < last and not run.over:
        run.advance()
        if run.step % every == 0 or run.over or run.step == last:
            frames.append(run.frame())
    return run.result(frames)


class _Run:
    """The state of all units as it goes on; step: ticks that have passed."""

    def __init__(self, manoeuvre: Manoeuvre, tick: float) -> None:
        self.tick, self.manoeuvre, self.step = tick, manoeuvre, 0
        self.ground = Ground.of(manoeuvre.space)
        self.finder = Pathfinder(self.ground)
        self.commanders = [Commander(self.ground, self.finder, formation) for formation in manoeuvre.formations]
        sizes = [formation.schema.spots for formation in manoeuvre.formations]
        self.first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        n = int(self.first[-1])
        if n > self.ground.size:
            raise InputError("a manoeuvre", found=f"{n} units", expected=f"at most {self.ground.size}, one a vertex")
        self.group = np.repeat(np.arange(len(sizes)), sizes)
        starts = self._starts(manoeuvre.formations)
        self.way = starts[:, None].copy()  # each row the vertices of a unit's way
        self.logical_way = self.ground.points[self.way]  # their places
        self.track = self.logical_way.copy()  # and where it passes them
        self.cost = np.zeros((n, 1))  # and the seconds of its steps
        self.length = np.ones(n, np.int64)
        self.place = np.zeros(n, np.int64)  # on which vertex of its way, or on the step out of it
        self.spent = np.zeros(n)  # seconds on that step
        self.due = np.full(len(sizes), -1, np.int64)  # where on its way a leader decides again; -1: nowhere
        self.given = np.zeros(len(sizes), np.int64)  # orders
        self.logical, self.walking = self.ground.points[starts].copy(), self.ground.points[starts].copy()
        self.swerving = Swerving(self.ground, manoeuvre.formations, self.group, self.walking)
        self.trouble: list[dict[str, None]] = [{} for _ in sizes]  # each once, in order
        self.walked, self.planned = np.zeros(n), np.zeros(n)
        self.arrived = np.full(n, -1, np.int64)
        self.stood, self.replans, self.bumps, self.outside = (np.zeros(n, np.int64) for _ in range(4))
        self.digest = bytes(8)
        self._order()
        self._settle()
        self._chain(np.zeros_like(self.walking))

    def _starts(self, formations: tuple[Formation, ...]) -> Longs:
        """Return int64[n]: a vertex for each unit, the nearest that is left, formation by formation down the ranks.

        All but leaders stand where their leader's vertex can be reached from, if there is such a vertex left.
        """
        taken: set[int] = set()
        rows: list[Longs] = []
        for formation in formations:
            places = np.array(formation.start) + formation.schema.turned(formation.azimuth)
            row = np.zeros(len(places), np.int64)
            for spot in formation.schema.order.tolist():
                near = self.ground.untaken(places[spot], taken)
                if not near:
                    raise InputError("starts of a manoeuvre", found="no vertex left", expected="one for each unit")
                part = self.ground.part[row[formation.schema.leader]] if spot != formation.schema.leader else None
                same = [vertex for vertex in near if part is None or self.ground.part[vertex] == part]
                row[spot] = (same or near)[0]
                taken.add(int(row[spot]))
            rows.append(row)
        return np.concatenate(rows) if rows else np.zeros(0, np.int64)

    @property
    def over(self) -> bool:
        """Whether all units have arrived."""
        return bool((self.arrived >= 0).all())

    def _order(self) -> None:
        """Give the orders that are due, and plan for them."""
        for i, formation in enumerate(self.manoeuvre.formations):
            n = int(self.given[i])
            while n < len(formation.orders) and formation.orders[n].time <= self.step * self.tick + 1e-9:
                n += 1
            if n == self.given[i]:
                continue
            self.given[i] = n
            stands = self._stands(i)
            self.commanders[i].begin(formation.orders[n - 1].places, stands, self._ends(i))
            self._take(i, stands)

    def _stands(self, i: int) -> list[Stand]:
        """Return where the units of a formation are planned from: the ends of the steps that they are on."""
        stands: list[Stand] = []
        for unit in range(self.first[i], self.first[i + 1]):
            place, spent = int(self.place[unit]), float(self.spent[unit])
            on_step = spent > 0
            rest = float(self.cost[unit, place]) - spent if on_step else 0.0
            stands.append(Stand(int(self.way[unit, place + on_step]), rest))
        return stands

    def _ends(self, i: int) -> set[int]:
        """Return the vertices at which units of other formations will stand in the end, as far as that is decided."""
        units = np.flatnonzero(self._decided()[self.group] & (self.group != i))
        leaders = {commander.goal for j, commander in enumerate(self.commanders) if j != i}
        return {*self.way[units, self.length[units] - 1].tolist(), *leaders} - {-1}

    def _decided(self) -> NDArray[np.bool_]:
        """Return bool[formations]: which have all their orders, and decide no more."""
        orders = np.array([len(formation.orders) for formation in self.manoeuvre.formations], np.int64)
        return (self.due < 0) & (self.given == orders)

    def _take(self, i: int, stands: list[Stand]) -> None:
        """Give the units of a formation the ways in `stands`, behind the steps that they are on."""
        first, commander = int(self.first[i]), self.commanders[i]
        self._widen(max(len(stand.way) for stand in stands) + 1)
        for spot, (stand, track) in enumerate(zip(stands, self._tracks(i, stands), strict=True)):
            unit, m, before = first + spot, len(stand.way), 0
            if self.spent[unit] > 0:
                place = int(self.place[unit])
                for array in (self.way, self.cost, self.track, self.logical_way):
                    array[unit, 0] = array[unit, place]
                before = 1
            self.way[unit, before : before + m] = stand.way
            self.logical_way[unit, before : before + m] = self.ground.points[stand.way]
            self.track[unit, before : before + m] = track
            self.cost[unit, before : before + m - 1] = stand.steps
            self.place[unit], self.length[unit] = 0, before + m
            self.replans[unit] += 1
            if self.replans[unit] == 1:
                self.planned[unit] = float(np.hypot(*np.diff(track, axis=0).T).sum())
            if spot == commander.schema.leader:
                self.due[i] = -1 if commander.due is None else before + commander.due
        self.trouble[i].update(dict.fromkeys(commander.trouble))

    def _widen(self, longest: int) -> None:
        """Make room for ways of so many vertices."""
        more = 2 * longest - self.way.shape[1]
        if longest > self.way.shape[1]:
            self.way, self.cost = (np.pad(array, ((0, 0), (0, more))) for array in (self.way, self.cost))
            wider = (np.pad(array, ((0, 0), (0, more), (0, 0))) for array in (self.track, self.logical_way))
            self.track, self.logical_way = wider

    def _tracks(self, i: int, stands: list[Stand]) -> list[Floats]:
        """Return where the units of a formation will pass the vertices of their ways in `stands`."""
        units = np.arange(self.first[i], self.first[i + 1])
        # a unit that is on a step ends it where it was going to
        first = self.track[units, self.place[units] + (self.spent[units] > 0)]
        ways = [stand.way for stand in stands]
        if self.commanders[i].modules.passing == "vertex":
            times = [stand.seconds + np.concatenate(([0.0], np.cumsum(stand.steps))) for stand in stands]
            return displaced(ways, times, first, self.ground.points)
        tracks = [self.ground.points[way] for way in ways]
        for track, start in zip(tracks, first, strict=True):
            track[0] = start
        return tracks

    def advance(self) -> None:
        """Let a tick pass."""
        self.step += 1
        before = self.swerving.aside + self.walking
        for i in range(len(self.commanders)):
            self._march(i)
        self._order()
        for places, out in ((self.logical_way, self.logical), (self.track, self.walking)):
            _stand(places, self.cost, self.length, self.place, self.spent, out)
        self.swerving.advance(self.walking, self.tick)
        now = self.swerving.aside + self.walking
        self._count(np.hypot(*(now - before).T), now)
        self._settle()
        self._chain(now - before)

    def _march(self, i: int) -> None:
        """Let a formation walk for a tick; it decides anew just when its leader comes to where that is due."""
        commander, first, last = self.commanders[i], int(self.first[i]), int(self.first[i + 1])
        leader = first + commander.schema.leader
        left = self.tick
        while True:
            due = int(self.due[i])
            until = np.inf
            if due >= 0:
                until = float(self.cost[leader, self.place[leader] : due].sum()) - float(self.spent[leader])
            _walk(self.cost, self.length, self.place, self.spent, first, last, min(left, until))
            if until > left:
                return
            left -= until
            stands = self._stands(i)
            commander.decide(stands, self._ends(i))
            self._take(i, stands)

    def _count(self, moved: Floats, places: Floats) -> None:
        """Count what the units that have not arrived did in this tick."""
        from scipy.spatial import KDTree

        under_way = self.arrived < 0
        self.walked += np.where(under_way, moved, 0.0)
        self.stood += under_way & (moved == 0)
        self.outside += under_way & ~self.ground.holds(places)
        if len(places) > 1:
            pairs = KDTree(places).query_pairs(2 * RADIUS * self.ground.spacing - 1e-9, output_type="ndarray")
            touching = np.zeros(len(places), bool)
            touching[pairs.reshape(-1)] = True
            self.bumps += touching & under_way

    def _settle(self) -> None:
        """Note who stands at its place for good: its formation has nothing left to do, and it isn't aside."""
        there = self._decided()[self.group] & (self.place == self.length - 1) & self.swerving.home
        self.arrived[there & (self.arrived < 0)] = self.step

    def _states(self) -> NDArray[np.uint8]:
        return np.where(self.arrived >= 0, UnitState.ARRIVED, UnitState.MOVING).astype(np.uint8)

    def _chain(self, velocity: Floats) -> None:
        self.digest = chained(self.digest, self.walking + self.swerving.aside, velocity, self._states())

    def frame(self) -> Frame:
        """Return how things stand."""
        number = int.from_bytes(self.digest, "little")
        return self.step, self.walking + self.swerving.aside, self.logical.copy(), self._states(), number

    def result(self, frames: list[Frame]) -> Result[March]:
        """Return what happened."""
        times, places, logical, state, hashes = zip(*frames, strict=True)
        n, positions = len(self.place), np.array(places)
        events = self._events()
        trace = Trace(
            times=np.array(times),
            positions=positions,
            headings=headings_of(positions),
            state=np.array(state),
            hashes=np.array(hashes, np.uint64),
            group=self.group,
            radius=np.full(n, RADIUS * self.ground.spacing),
            route=np.zeros(n, np.int64),
            arrival=self.arrived,
            planned_length=self.planned,
            event_step=events[:, 0],
            event_kind=events[:, 1],
            event_unit=events[:, 2],
            event_cause=events[:, 3],
            counters=Counters(
                wall_collisions=self.outside,
                unit_collisions=self.bumps,
                updates=np.where(self.arrived >= 0, self.arrived, self.step),
                not_full_move=self.stood,  # a step has no greatest speed here
                cant_move=self.stood,
                distance_travelled=self.walked,
                replans=np.maximum(self.replans - 1, 0),
            ),
            ending=Ending.ALL_DONE if self.over else Ending.STEP_LIMIT,
            seed=0,
        )
        found = March(trace, self.tick, np.array(logical), tuple("; ".join(trouble) for trouble in self.trouble))
        stats = {"expanded": float(self.finder.expanded), "decisions": float(self.replans.sum())}
        if self.over:
            return Result(Status.SOLVED, found, stats=stats)
        return Result(Status.LIMIT, found, self._reason(), stats=stats)

    def _events(self) -> Longs:
        """Return int64[E, 4]: (step, kind, unit, cause) of arrivals in order, and of the end."""
        rows = [(int(t), Event.ARRIVED, u, Cause.TARGET_REACHED) for u, t in enumerate(self.arrived) if t >= 0]
        ending = Cause.ALL_DONE if self.over else Cause.STEP_LIMIT
        return np.array([*sorted(rows), (self.step, Event.ENDED, -1, ending)], np.int64)

    def _reason(self) -> str:
        """Return why the march ended at its limit."""
        given = sum(len(formation.orders) for formation in self.manoeuvre.formations) - int(self.given.sum())
        waiting = f", {given} orders were not given yet" if given else ""
        under_way = int((self.place < self.length - 1).sum())
        units, limit = len(self.place), self.manoeuvre.limit
        return f"{under_way} of {units} units were under way after {limit:g} seconds, the limit{waiting}"


@kernel
def _walk(cost: Any, length: Any, place: Any, spent: Any, first: int, last: int, seconds: float) -> None:
    """Let the units from `first` to before `last` walk for so long along their ways."""
    for u in range(first, last):
        left = seconds
        while place[u] < length[u] - 1:
            rest = cost[u, place[u]] - spent[u]
            if rest > left + 1e-9:  # seconds; ticks don't add up to whole steps exactly
                spent[u] += left
                break
            # what is left is rounding where a step ends with the tick
            left = left - rest if left - rest > 1e-9 else 0.0
            spent[u] = 0.0
            place[u] += 1
            if left == 0:
                break


@kernel
def _stand(places: Any, cost: Any, length: Any, place: Any, spent: Any, out: Any) -> None:
    """Write where each unit is; places: of the vertices of its way."""
    for u in range(len(place)):
        i = place[u]
        share = spent[u] / cost[u, i] if i < length[u] - 1 and spent[u] > 0 else 0.0
        for axis in range(2):
            out[u, axis] = places[u, i, axis]
            if share > 0:
                out[u, axis] = (1 - share) * places[u, i, axis] + share * places[u, i + 1, axis]
