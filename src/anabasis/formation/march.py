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
from anabasis.trace import Cause, Counters, Ending, Event, Trace, UnitState, hashes_of, headings_of

__all__ = ["RADIUS", "March", "march"]

RADIUS = 0.25
"""Of a unit, in steps of the map: two that walk along neighbouring vertices don't touch."""

Floats, Longs = NDArray[np.float64], NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class March:
    """What happened.

    - trace: a `Trace`; its group is the formation of each unit, its positions are the physical ones;
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
        return self.trace.times * self.tick

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
    times, at = [0], 0
    while at < last and not run.over:
        at += 1
        run.advance(at)
        if at % every == 0 or run.over or at == last:
            times.append(at)
            frames.append(run.frame())
    return run.result(times, frames, step)


class _Run:
    """The state of all units as it goes on."""

    def __init__(self, manoeuvre: Manoeuvre, tick: float) -> None:
        self.tick, self.manoeuvre = tick, manoeuvre
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
        self.cost = np.zeros((n, 1))  # and the seconds of its steps
        self.beside = self.ground.points[self.way]  # and where it passes them
        self.length = np.ones(n, np.int64)
        self.place = np.zeros(n, np.int64)  # on which vertex of its way, or on the step out of it
        self.spent = np.zeros(n)  # seconds on that step
        self.stop = np.full(n, -1, np.int64)  # where on its way a leader waits for the next decision; -1: nowhere
        self.spare = np.zeros(n)  # seconds left when it came there
        self.logical, self.walking = self.ground.points[starts].copy(), self.ground.points[starts].copy()
        self.swerving = Swerving(manoeuvre, self.group, self.ground.spacing)
        self.given = [0] * len(sizes)  # orders
        self.walked, self.planned = np.zeros(n), np.zeros(n)
        self.moving_steps, self.replans, self.arrived = (np.zeros(n, np.int64) for _ in range(3))
        self.bumps = np.zeros(n, np.int64)
        self.orders(0)

    def _starts(self, formations: tuple[Formation, ...]) -> Longs:
        """Return int64[n]: a vertex for each unit, the nearest that is left, formation by formation down the ranks."""
        taken: set[int] = set()
        rows: list[Longs] = []
        for formation in formations:
            places = np.array(formation.start) + formation.schema.turned(formation.azimuth)
            row = np.zeros(len(places), np.int64)
            for spot in formation.schema.order.tolist():
                count = 8
                while True:
                    near = [v for v in self.ground.nearest(places[spot], count)[0].tolist() if v not in taken]
                    if near or count >= self.ground.size:
                        break
                    count *= 8
                if not near:
                    raise InputError("starts of a manoeuvre", found="no vertex left", expected="one for each unit")
                row[spot] = near[0]
                taken.add(near[0])
            rows.append(row)
        return np.concatenate(rows) if rows else np.zeros(0, np.int64)

    @property
    def over(self) -> bool:
        """Whether all orders are given and all units stand at the ends of their ways."""
        waiting = any(n < len(f.orders) for n, f in zip(self.given, self.manoeuvre.formations, strict=True))
        return not waiting and bool((self.place == self.length - 1).all()) and bool((self.stop < 0).all())

    def orders(self, at: int) -> None:
        """Give the orders that are due, and plan for them."""
        for i, formation in enumerate(self.manoeuvre.formations):
            n, due = self.given[i], None
            while n < len(formation.orders) and formation.orders[n].time <= at * self.tick + 1e-9:
                due = formation.orders[n]
                n += 1
            self.given[i] = n
            if due is None:
                continue
            stands = self._stands(i)
            self.commanders[i].begin(due.places, stands)
            if self.commanders[i].due is None:
                self._take(i, stands)
            else:
                self._decide(i, stands)

    def _stands(self, formation: int) -> list[Stand]:
        """Return where the units of a formation are planned from: the ends of the steps that they are on."""
        stands: list[Stand] = []
        for unit in range(self.first[formation], self.first[formation + 1]):
            place, spent = int(self.place[unit]), float(self.spent[unit])
            if spent > 0:
                stands.append(Stand(int(self.way[unit, place + 1]), float(self.cost[unit, place]) - spent))
            else:
                stands.append(Stand(int(self.way[unit, place]), -float(self.spare[unit])))
        return stands

    def _decide(self, i: int, stands: list[Stand]) -> None:
        self.commanders[i].decide(stands)
        self._take(i, stands)

    def _take(self, i: int, stands: list[Stand]) -> None:
        """Give the units of a formation the ways in `stands`, behind the steps that they are on."""
        first = int(self.first[i])
        longest = max(len(stand.way) for stand in stands) + 1
        if longest > self.way.shape[1]:
            more = ((0, 0), (0, 2 * longest - self.way.shape[1]))
            self.way, self.cost = np.pad(self.way, more), np.pad(self.cost, more)
            self.beside = np.pad(self.beside, (*more, (0, 0)))
        places = self._beside(i, stands)
        for spot, stand in enumerate(stands):
            unit, m = first + spot, len(stand.way)
            lead = 0
            if self.spent[unit] > 0:
                place = self.place[unit]
                self.way[unit, 0], self.cost[unit, 0] = self.way[unit, place], self.cost[unit, place]
                self.beside[unit, 0] = self.beside[unit, place]
                lead = 1
            self.way[unit, lead : lead + m] = stand.way
            self.beside[unit, lead : lead + m] = places[spot]
            self.cost[unit, lead : lead + m - 1] = stand.steps
            self.place[unit], self.length[unit] = 0, lead + m
            self.replans[unit] += 1
            if self.planned[unit] == 0 and m > 1:
                points = self.ground.points[stand.way]
                self.planned[unit] = float(np.hypot(*np.diff(points, axis=0).T).sum())
        due, leader = self.commanders[i].due, first + self.commanders[i].schema.leader
        lead = int(self.spent[leader] > 0)
        self.stop[leader] = -1 if due is None else lead + due

    def _beside(self, i: int, stands: list[Stand]) -> list[Floats]:
        """Return where the units of a formation will pass the vertices of their ways in `stands`."""
        units = np.arange(self.first[i], self.first[i + 1])
        # a unit that is on a step ends it where it was going to
        first = self.beside[units, self.place[units] + (self.spent[units] > 0)]
        ways = [stand.way for stand in stands]
        if self.commanders[i].modules.passing == "vertex":
            times = [stand.seconds + np.concatenate(([0.0], np.cumsum(stand.steps))) for stand in stands]
            return displaced(ways, times, first, self.ground.points)
        places = [self.ground.points[way] for way in ways]
        for place, start in zip(places, first, strict=True):
            place[0] = start
        return places

    def advance(self, at: int) -> None:
        """Let a tick pass, the step number `at`."""
        before = self.swerving.beside + self.walking
        budget = np.full(len(self.place), self.tick)
        self._walk(budget)
        while (self.spare > 0).any() or ((self.stop >= 0) & (self.place >= self.stop)).any():
            budget[:] = 0
            for i, commander in enumerate(self.commanders):
                leader = int(self.first[i]) + commander.schema.leader
                if self.stop[leader] < 0 or self.place[leader] < self.stop[leader]:
                    continue
                stands = self._stands(i)
                budget[leader], self.spare[leader] = self.spare[leader], 0.0
                self._decide(i, stands)
            self._walk(budget)
        self.orders(at)
        for places, out in ((self.ground.points[self.way], self.logical), (self.beside, self.walking)):
            _stand(places, self.cost, self.length, self.place, self.spent, out)
        self.swerving.advance(self.logical, self.tick)
        now = self.swerving.beside + self.walking
        moved = np.hypot(*(now - before).T)
        self.walked += moved
        self.moving_steps += moved > 0
        standing = self.place == self.length - 1
        self.arrived[~standing] = 0
        self.arrived[standing & (self.arrived == 0)] = at
        self.bumps += self._touching(now)

    def _walk(self, budget: Floats) -> None:
        _walk(self.cost, self.length, self.place, self.spent, self.stop, self.spare, budget)

    def _touching(self, places: Floats) -> NDArray[np.bool_]:
        """Return bool[n]: who overlaps another."""
        from scipy.spatial import cKDTree

        touching = np.zeros(len(places), bool)
        if len(places) > 1:
            pairs = cKDTree(places).query_pairs(2 * RADIUS * self.ground.spacing - 1e-9, output_type="ndarray")
            touching[pairs.reshape(-1)] = True
        return touching

    def frame(self) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """Return the physical and the logical positions, and the states."""
        state = np.where(self.place == self.length - 1, UnitState.ARRIVED, UnitState.MOVING).astype(np.uint8)
        return self.walking + self.swerving.beside, self.logical.copy(), state

    def result(
        self, times: list[int], frames: list[tuple[Floats, Floats, NDArray[np.uint8]]], tick: float
    ) -> Result[March]:
        """Return what happened."""
        places, logical, state = (np.array(part) for part in zip(*frames, strict=True))
        ended, n = self.over, len(self.place)
        arrival = np.where(self.place == self.length - 1, self.arrived, -1)
        events = [(int(t), Event.ARRIVED, u, Cause.TARGET_REACHED) for u, t in enumerate(arrival.tolist()) if t >= 0]
        events.sort()
        events.append((times[-1], Event.ENDED, -1, Cause.ALL_DONE if ended else Cause.STEP_LIMIT))
        rows = np.array(events, np.int64)
        zero = np.zeros(n, np.int64)
        trace = Trace(
            times=np.array(times),
            positions=places,
            headings=headings_of(places),
            state=state,
            hashes=hashes_of(places, state),
            group=self.group,
            radius=np.full(n, RADIUS * self.ground.spacing),
            route=zero,
            arrival=arrival,
            planned_length=self.planned,
            event_step=rows[:, 0],
            event_kind=rows[:, 1],
            event_unit=rows[:, 2],
            event_cause=rows[:, 3],
            counters=Counters(
                wall_collisions=zero,
                unit_collisions=self.bumps,
                updates=np.where(arrival >= 0, arrival, times[-1]),
                not_full_move=times[-1] - self.moving_steps,
                cant_move=times[-1] - self.moving_steps,
                distance_travelled=self.walked,
                replans=np.maximum(self.replans - 1, 0),
            ),
            ending=Ending.ALL_DONE if ended else Ending.STEP_LIMIT,
            seed=0,
        )
        found = March(trace, tick, logical, tuple(commander.trouble for commander in self.commanders))
        stats = {"expanded": float(self.finder.expanded), "decisions": float(self.replans.sum())}
        if ended:
            return Result(Status.SOLVED, found, stats=stats)
        under_way = int((self.place < self.length - 1).sum())
        reason = f"{under_way} of {n} units were under way after {self.manoeuvre.limit:g} seconds, the limit"
        return Result(Status.LIMIT, found, reason, stats=stats)


@kernel
def _walk(cost: Any, length: Any, place: Any, spent: Any, stop: Any, spare: Any, budget: Any) -> None:
    """Let each unit walk for its seconds along its way; a leader stops where it is to decide, with what is left."""
    for u in range(len(place)):
        left = budget[u]
        while left > 0 and place[u] < length[u] - 1 and place[u] != stop[u]:
            rest = cost[u, place[u]] - spent[u]
            if rest > left + 1e-9:  # seconds; ticks don't add up to whole steps exactly
                spent[u] += left
                left = 0.0
            else:
                left = max(0.0, left - rest)
                spent[u] = 0.0
                place[u] += 1
        spare[u] = left if stop[u] >= 0 and place[u] == stop[u] else 0.0


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
