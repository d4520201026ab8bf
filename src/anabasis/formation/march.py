"""March: carries a manoeuvre out: all units walk as their commanders decide, and step aside where they shall.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: execution. A unit's logical position is
on the map's vertices and steps; its physical one may be beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.formation.beside import displaced
from anabasis.formation.combined import Pathfinder
from anabasis.formation.commander import Commander, Stand
from anabasis.formation.ground import Ground
from anabasis.formation.narrows import Gates
from anabasis.formation.passing import Swerving, Tally
from anabasis.formation.walking import Walkers
from anabasis.manoeuvre import Formation, Manoeuvre
from anabasis.metrics.moves import formed
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_count, check_kind
from anabasis.result import Result, Status
from anabasis.trace import Cause, Counters, Ending, Event, Trace, UnitState, chained, headings_of

__all__ = ["March", "check_ticks", "march"]

_MOST_STEPS = 10_000_000
_ARRIVED, _MOVING, _FALLEN = (np.uint8(state) for state in (UnitState.ARRIVED, UnitState.MOVING, UnitState.REMOVED))

Floats, Longs = NDArray[np.float64], NDArray[np.int64]
Frame = tuple[int, Floats, Floats, Longs, NDArray[np.uint8], int]
"""A step, physical and logical positions, spots, states, and the hash up to it."""


@dataclass(frozen=True, eq=False)
class March:
    """What happened.

    - trace: its group is the formation of each unit, its positions are the physical ones; units have arrived once they
      stand and their formation has nothing left to do; those who fall are removed, and stay where they fell;
      planned_length is that of their ways in the first fragment;
    - tick: seconds of a step of the trace;
    - logical float64[T, n, 2]: where the units are on their ways, in the frames of the trace;
    - spot int64[T, n]: which spot of its formation each unit holds, -1 for none;
    - trouble: what each formation could not do as ordered, "" for nothing.
    """

    trace: Trace
    tick: float
    logical: Floats
    spot: Longs
    trouble: tuple[str, ...]

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "logical", freeze(self.logical, np.float64, self.trace.positions.shape, "logical positions"))
        set_field(self, "spot", freeze(self.spot, np.int64, self.trace.positions.shape[:2], "spots of units"))

    @property
    def seconds(self) -> Floats:
        """float64[T]: the time of each frame."""
        return self.trace.times * np.float64(self.tick)

    def units(self, formation: int) -> Longs:
        """Return the units of a formation, by their numbers."""
        return np.flatnonzero(self.trace.group == formation)

    def formed(self, formation: int, frames: slice = slice(None)) -> Floats:
        """Return float64[frames, k, 2]: where each spot of a formation is seen, nan for one that nobody holds."""
        units = self.units(formation)
        return formed(self.trace.positions[frames, units], self.spot[frames, units])


def march(manoeuvre: Manoeuvre, *, tick: float = 0.05, every: int = 1) -> Result[March]:
    """Carry a manoeuvre out.

    - tick: seconds of a step; every: record each so many of them.

    SOLVED once all units have fallen, or stand and have all their orders; LIMIT at the manoeuvre's limit, with what
    happened until then.
    stats: expanded, vertices in all searches; decisions, ways that were given to a unit.
    Everybody who starts stands at the nearest vertex to its place that nobody has taken. Raises InputError if there are
    fewer vertices than units, or if tick is not above 0.
    """
    step = check_ticks(manoeuvre, tick, every)
    run = _Run(manoeuvre, step)
    frames, last = [run.frame()], int(np.ceil(manoeuvre.limit / step - 1e-9))
    while run.step < last and not run.over:
        run.advance()
        if run.step % every == 0 or run.over or run.step == last:
            frames.append(run.frame())
    return run.result(frames)


def check_ticks(manoeuvre: Manoeuvre, tick: float, every: int) -> float:
    """Return the seconds of a step; raises InputError if they or `every` make no sense, or a march would be endless."""
    check_kind(manoeuvre, Manoeuvre, "what is carried out")
    step = float(freeze(tick, np.float64, (), "tick"))
    if not step > 0:
        raise InputError("tick", found=f"{step:g}", expected="seconds above 0")
    if not 1 <= manoeuvre.limit / step <= _MOST_STEPS:
        found = f"{manoeuvre.limit:g} seconds, and a tick of {step:g}"
        expected = f"a limit of 1 to {_MOST_STEPS} ticks"
        raise InputError("limit of a manoeuvre", found=found, expected=expected)
    check_count(every, "every", 1)
    return step


class _Run:
    """The state of all units as it goes on; step: ticks that have passed."""

    def __init__(self, manoeuvre: Manoeuvre, tick: float) -> None:
        self.tick, self.manoeuvre, self.step = tick, manoeuvre, 0
        self.ground = Ground.of(manoeuvre.space)
        self.finder = Pathfinder(self.ground)
        in_files = any(formation.modules.orientation == "files" for formation in manoeuvre.formations)
        gates = Gates.of(self.ground) if in_files else Gates.none(self.ground)
        self.commanders = [Commander(self.ground, self.finder, formation, gates) for formation in manoeuvre.formations]
        sizes = [formation.schema.spots for formation in manoeuvre.formations]
        self.first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        n = int(self.first[-1])
        if n > self.ground.size:
            raise InputError("a manoeuvre", found=f"{n} units", expected=f"at most {self.ground.size}, one a vertex")
        self.group = np.repeat(np.arange(len(sizes)), sizes)
        leaders = self.first[:-1] + [formation.schema.leader for formation in manoeuvre.formations]
        starts = self._starts(manoeuvre.formations)
        self.walkers = Walkers(self.ground, self.first, leaders.astype(np.int64), starts)
        self.orders = np.array([len(formation.orders) for formation in manoeuvre.formations], np.int64)
        self.given = np.zeros(len(sizes), np.int64)  # of them
        self.next_order = 0.0  # when the next one is to be given
        self.swerving = Swerving(self.ground, manoeuvre.formations, self.group, self.walkers.walking)
        radii = [formation.radius * self.ground.spacing for formation in manoeuvre.formations]
        self.radius = np.concatenate([*radii, np.zeros(0)])
        self.falls = np.concatenate([*(formation.falls for formation in manoeuvre.formations), np.zeros(0)])
        self.tally = Tally(self.ground, self.radius)
        self.next_fall = float(self.falls.min(initial=np.inf))  # when the next one is to fall
        self.fell, self.fallen = np.full(n, -1, np.int64), np.zeros(n, bool)  # the step; who has
        self.grave = np.zeros((2, n, 2))  # where the fallen are, on the map and on the track that they walked on
        self.trouble: list[dict[str, None]] = [{} for _ in sizes]  # each once, in order
        self.planned, self.replans = np.zeros(n), np.zeros(n, np.int64)
        self.spot = np.concatenate([np.arange(size) for size in sizes] or [np.zeros(0, np.int64)])
        self.digest = bytes(8)
        self._fall()
        self._order()
        self._settle()
        self._chain(np.zeros((n, 2)))

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
                near = self.ground.untaken(places[spot], taken, float(formation.radius[spot]) * self.ground.spacing)
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
        """Whether all units have arrived, or fallen."""
        return bool(((self.tally.arrived >= 0) | self.fallen).all())

    def _order(self) -> None:
        """Give the orders that are due, and plan for them."""
        now, later = self.step * self.tick + 1e-9, np.inf
        if self.next_order > now:
            return
        for i, formation in enumerate(self.manoeuvre.formations):
            before = n = int(self.given[i])
            while n < len(formation.orders) and formation.orders[n].time <= now:
                n += 1
            self.given[i] = n
            if n > before and self.commanders[i].holder.size:  # else all have fallen
                stands = self.walkers.stands(i)
                self.commanders[i].begin(formation.orders[n - 1].places, stands, self._ends(i))
                self._take(i, stands)
            if n < len(formation.orders):
                later = min(later, formation.orders[n].time)
        self.next_order = later

    def _ends(self, i: int) -> set[int]:
        """Return the vertices at which units of other formations will stand in the end, as far as that is decided."""
        units = np.flatnonzero(self._decided()[self.group] & (self.group != i) & ~self.fallen)
        leaders = {commander.goal for j, commander in enumerate(self.commanders) if j != i}
        return {*self.walkers.way[units, self.walkers.length[units] - 1].tolist(), *leaders} - {-1}

    def _fall(self) -> None:
        """Take out who falls now, and let the ranks close."""
        seconds = self.step * self.tick + 1e-9
        if self.next_fall > seconds:
            return
        self.walkers.stand()
        now = np.flatnonzero((self.falls <= seconds) & ~self.fallen)
        self.next_fall = float(self.falls[self.falls > seconds].min(initial=np.inf))
        self.grave[:, now] = self.walkers.logical[now], self.walkers.walking[now]
        self.fell[now], self.fallen[now], self.spot[now] = self.step, True, -1
        for unit in now.tolist():
            self.walkers.stop(unit)
        for i in np.unique(self.group[now]).tolist():
            stands = self.walkers.stands(i)
            self.commanders[i].close_ranks((now[self.group[now] == i] - self.first[i]).tolist(), stands, self._ends(i))
            self.tally.arrived[self.group == i] = -1
            self._take(i, stands)

    def _decided(self) -> NDArray[np.bool_]:
        """Return bool[formations]: which have all their orders, and decide no more."""
        return (self.walkers.due < 0) & (self.given == self.orders)

    def _take(self, i: int, stands: list[Stand]) -> None:
        """Give the units of a formation the ways in `stands`, behind the steps that they are on."""
        tracks = self._tracks(i, stands)
        commander = self.commanders[i]
        first = int(self.first[i])
        self.spot[first + commander.holder] = commander.spots
        if commander.holder.size:
            self.walkers.leaders[i] = first + commander.holder[commander.schema.leader]
        self.walkers.take(i, stands, tracks, commander.due)
        for unit, track in enumerate(tracks, first):
            self.replans[unit] += 1
            if self.replans[unit] == 1:
                self.planned[unit] = float(np.hypot(*np.diff(track, axis=0).T).sum())
        self.trouble[i].update(dict.fromkeys(commander.trouble))

    def _tracks(self, i: int, stands: list[Stand]) -> list[Floats]:
        """Return where the units of a formation will pass the vertices of their ways in `stands`."""
        first = self.walkers.tracks_from(i)
        ways = [stand.way for stand in stands]
        commander = self.commanders[i]
        if commander.modules.passing == "vertex" and not self.ground.is_wide(float(commander.radius.max())):
            times = [stand.seconds + np.concatenate(([0.0], np.cumsum(stand.steps))) for stand in stands]
            return displaced(ways, times, first, self.ground.points, self.ground.roomy)
        tracks = [self.ground.points[way] for way in ways]
        for track, start in zip(tracks, first, strict=True):
            track[0] = start
        return tracks

    def advance(self) -> None:
        """Let a tick pass; each formation decides anew just when its leader comes to where that is due."""
        self.step += 1
        before = self.swerving.aside + self.walkers.walking
        i, left = self.walkers.walk(0, self.tick, self.tick)
        while i < len(self.commanders):
            stands = self.walkers.stands(i)
            self.commanders[i].decide(stands, self._ends(i))
            self._take(i, stands)
            i, left = self.walkers.walk(i, left, self.tick)
        self._fall()
        self._order()
        self._stand()
        self.swerving.advance(self.walkers.walking, self.tick, self.fallen)
        now = self.swerving.aside + self.walkers.walking
        self.tally.count(now, now - before, self.fallen)
        self._settle()
        self._chain(now - before)

    def _stand(self) -> None:
        """Renew where all units are."""
        self.walkers.stand()
        if self.fallen.any():
            for places, grave in zip((self.walkers.logical, self.walkers.walking), self.grave, strict=True):
                places[self.fallen] = grave[self.fallen]

    def _settle(self) -> None:
        """Note who stands at its place for good: its formation has nothing left to do, and it isn't aside."""
        there, arrived = self.walkers.there & self.swerving.home & ~self.fallen, self.tally.arrived
        arrived[there & self._decided()[self.group] & (arrived < 0)] = self.step

    def _states(self) -> NDArray[np.uint8]:
        return np.where(self.fallen, _FALLEN, np.where(self.tally.arrived >= 0, _ARRIVED, _MOVING))

    def _chain(self, velocity: Floats) -> None:
        self.digest = chained(self.digest, self.walkers.walking + self.swerving.aside, velocity, self._states())

    def frame(self) -> Frame:
        """Return how things stand."""
        number = int.from_bytes(self.digest, "little")
        places, logical = self.walkers.walking + self.swerving.aside, self.walkers.logical.copy()
        return self.step, places, logical, self.spot.copy(), self._states(), number

    def result(self, frames: list[Frame]) -> Result[March]:
        """Return what happened."""
        times, places, logical, spot, state, hashes = zip(*frames, strict=True)
        positions, events, tally = np.array(places), self._events(), self.tally
        n = len(tally.arrived)
        trace = Trace(
            times=np.array(times),
            positions=positions,
            headings=headings_of(positions),
            state=np.array(state),
            hashes=np.array(hashes, np.uint64),
            group=self.group,
            radius=self.radius,
            route=np.zeros(n, np.int64),
            arrival=tally.arrived,
            planned_length=self.planned,
            event_step=events[:, 0],
            event_kind=events[:, 1],
            event_unit=events[:, 2],
            event_cause=events[:, 3],
            counters=Counters(
                wall_collisions=tally.outside,
                unit_collisions=tally.touched,
                updates=np.where(self.fallen, self.fell, np.where(tally.arrived >= 0, tally.arrived, self.step)),
                not_full_move=tally.stood,  # a step has no greatest speed here
                cant_move=tally.stood,
                distance_travelled=tally.walked,
                replans=np.maximum(self.replans - 1, 0),
            ),
            ending=Ending.ALL_DONE if self.over else Ending.STEP_LIMIT,
            seed=0,
        )
        found = March(
            trace, self.tick, np.array(logical), np.array(spot), tuple("; ".join(trouble) for trouble in self.trouble)
        )
        stats = {"expanded": float(self.finder.expanded), "decisions": float(self.replans.sum())}
        if self.over:
            return Result(Status.SOLVED, found, stats=stats)
        return Result(Status.LIMIT, found, self._reason(), stats=stats)

    def _events(self) -> Longs:
        """Return int64[E, 4]: (step, kind, unit, cause) of arrivals and falls in order, and of the end."""
        rows = [(int(t), Event.ARRIVED, u, Cause.TARGET_REACHED) for u, t in enumerate(self.tally.arrived) if t >= 0]
        rows += [(int(t), Event.REMOVED, u, Cause.CASUALTY) for u, t in enumerate(self.fell) if t >= 0]
        ending = Cause.ALL_DONE if self.over else Cause.STEP_LIMIT
        return np.array([*sorted(rows), (self.step, Event.ENDED, -1, ending)], np.int64)

    def _reason(self) -> str:
        """Return why the march ended at its limit."""
        given = sum(len(formation.orders) for formation in self.manoeuvre.formations) - int(self.given.sum())
        waiting = f", {given} orders were not given yet" if given else ""
        there, limit = self.walkers.there | self.fallen, self.manoeuvre.limit
        under_way, units = int((~there).sum()), len(there)
        return f"{under_way} of {units} units were under way after {limit:g} seconds, the limit{waiting}"
