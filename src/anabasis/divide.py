"""Divide: formations before a bottleneck go by several routes, each in parts of its own, and form up again behind it.

How many units take each route is decided by flow, as for any group (`flow.navigate`; J. Pacovský, "Navigation of units
in video games using flow networks", 2019), how the parts march by their commanders (M. Švagerka, "Adaptivní formace pro
virtuální agenty", Charles University, 2011). Neither source joins the two.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.decomposition import Decomposition
from anabasis.errors import InputError
from anabasis.flow.choice import Leg
from anabasis.flow.distribution import route_steps
from anabasis.flow.navigate import FlowPlan, Navigator
from anabasis.formation.cells import Cells
from anabasis.formation.ground import Ground
from anabasis.formation.march import March
from anabasis.grid import Grid
from anabasis.lattice import STEPS, Lattice
from anabasis.manoeuvre import Formation, Manoeuvre
from anabasis.network import PERIOD
from anabasis.noun import summary
from anabasis.options import check_kind
from anabasis.result import Result
from anabasis.scenario import Group, Target
from anabasis.schema import turn
from anabasis.trace import COUNTERS, Counters

__all__ = ["GAIN", "Branch", "Division", "divided"]

Floats, Longs = NDArray[np.float64], NDArray[np.int64]

GAIN = 0.1
"""By which share sooner the last one has to be there for a formation to be divided."""

_MORE = 2  # steps of the last straight piece beyond those that the last fragment may have


@dataclass(frozen=True, eq=False)
class Branch:
    """A route of a formation: who takes it, spots int64[m], and the gates, the middle of each, float64[g, 2].

    seconds: until somebody who stands where the leader does is at the target, if alone; rate: how many units it lets
    pass in a second.
    """

    spots: Longs
    gates: Floats
    seconds: float
    rate: float

    __repr__ = summary


@dataclass(frozen=True, eq=False)
class Division:
    """A manoeuvre whose formations are divided.

    - whole: the manoeuvre as it was; parts: the same one with a formation for each branch;
    - branches: of each formation of the whole, from left to right; none where it goes undivided;
    - why: a sentence on each formation of the whole: who goes where, or why it stays together;
    - formation int64[p]: which formation of the whole each one of the parts is of;
    - spot int64[n]: which spot of that one each unit of the parts holds.
    """

    whole: Manoeuvre
    parts: Manoeuvre
    branches: tuple[tuple[Branch, ...], ...]
    why: tuple[str, ...]
    formation: Longs
    spot: Longs

    __repr__ = summary

    def reunited(self, march: March) -> March:
        """Return a march of the parts as one of the whole: units in its order, each in its spot of the whole.

        It can be measured, logged and drawn as if nothing had been divided. Raises InputError for a march of others.
        """
        trace = march.trace
        sizes = [formation.schema.spots for formation in self.parts.formations]
        if not np.array_equal(trace.group, np.repeat(np.arange(len(sizes)), sizes)):
            raise InputError(
                "march of a division", found=f"{trace.size} units", expected=f"the {sum(sizes)} units of its parts"
            )
        group = self.formation[trace.group]
        order = np.lexsort((self.spot, group))  # the unit of the parts that is each unit of the whole
        first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)[trace.group]
        spot = np.where(march.spot < 0, -1, self.spot[first + march.spot])  # the fallen hold none
        counters = {name: getattr(trace.counters, name)[order] for name in COUNTERS}
        number = np.append(np.argsort(order), -1)  # -1: an event of nobody
        again = replace(
            trace,
            positions=trace.positions[:, order],
            headings=trace.headings[:, order],
            state=trace.state[:, order],
            group=group[order],
            radius=trace.radius[order],
            route=trace.group[order],
            arrival=trace.arrival[order],
            planned_length=trace.planned_length[order],
            event_unit=number[trace.event_unit],
            counters=Counters(**counters),
        )
        trouble = [[] for _ in self.whole.formations]
        for own, i, said in zip(self.parts.formations, self.formation.tolist(), march.trouble, strict=True):
            if said:  # units are told by their numbers in the part
                trouble[i].append(f"{own.name}: {said}" if self.branches[i] else said)
        return March(
            again, march.tick, march.logical[:, order], spot[:, order], tuple("; ".join(said) for said in trouble)
        )


def divided(manoeuvre: Manoeuvre) -> Division:
    """Divide the formations of a manoeuvre where their last one is then there clearly sooner, as flow says.

    - Flow starts where the leader stands. Units are as wide as the nearest two of the formation are apart: as many
      pass a gate side by side as do without closing up. Several formations share the gates that they meet at.
    - The files on the left take the left route, and so on; what a file is says the schema, whatever direction it faces.
    - A part goes through the gates of its route, and then straight on along the map's steps to its place, all parts
      from one direction, so that they face the same way. The whole stands at the target as it was drawn.
    - Left whole are formations with several orders or way-points, and those that gain nothing or find no room.

    Raises InputError for a manoeuvre on a graph, which has no gates.
    """
    check_kind(manoeuvre, Manoeuvre, "manoeuvre to divide")
    if not isinstance(manoeuvre.space, (Grid, Lattice)):
        raise InputError(
            "manoeuvre to divide",
            found=f"a graph of {manoeuvre.space.size} vertices",
            expected="a map of cells or of triangles, which has gates",
        )
    land = _Land(manoeuvre.space)
    shares = [_Share((formation,), _unsuitable(formation)) for formation in manoeuvre.formations]
    sent = [i for i, share in enumerate(shares) if not share.why]
    for i, plan in zip(sent, land.plans([manoeuvre.formations[i] for i in sent]), strict=True):
        shares[i] = _share(manoeuvre.formations[i], plan, land)
    spots = [spots for share in shares for spots in share.spots]
    return Division(
        manoeuvre,
        replace(manoeuvre, formations=tuple(part for share in shares for part in share.parts)),
        tuple(share.branches for share in shares),
        tuple(share.why for share in shares),
        np.repeat(np.arange(len(shares)), [len(share.parts) for share in shares]),
        np.concatenate(spots) if spots else np.zeros(0, np.int64),
    )


@dataclass(frozen=True)
class _Share:
    """What becomes of one formation: its parts, itself if it stays whole; why; and the branches that they take."""

    parts: tuple[Formation, ...]
    why: str
    branches: tuple[Branch, ...] = ()

    @property
    def spots(self) -> list[Longs]:
        """Of each part the spots of the formation."""
        return [branch.spots for branch in self.branches] or [np.arange(self.parts[0].schema.spots)]


class _Land:
    """A map with its gates, which flow sees as a grid of cells."""

    def __init__(self, space: Grid | Lattice) -> None:
        self.ground, self.cells = Ground.of(space), Cells.of(space)
        self.grid = self.cells.grid
        if isinstance(space, Grid):
            self.steps: Floats = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y], np.float64)
        else:
            self.steps = STEPS * (space.spacing / 2, space.spacing / 2 * math.sqrt(3))
        self.navigator = Navigator(self.grid, graph="gates", ways="taut")

    def ends(self, formation: Formation) -> Floats:
        """Return float64[2, 2]: where a formation's leader starts and where it is to go, in cells, as it marches."""
        near = self.ground.nearest([formation.start, formation.orders[0].places[-1]])[:, 0]
        return self.cells.into(self.ground.points[near])

    def second(self, formation: Formation) -> float:
        """Return the seconds of a step of flow, which counts with the best ground."""
        return Group.speed * self.cells.side * self.ground.rate / self.ground.spacing * float(formation.pace.max())

    def places(self, vertices: ArrayLike) -> Floats:
        """Return where the middles of cells are on the map."""
        return self.cells.out(self.grid.centres(vertices))

    def plans(self, formations: Sequence[Formation]) -> list[Result[FlowPlan]]:
        """Return what flow says for formations that march at once, each as if all stood where its leader does."""
        groups: list[Group] = []
        for formation in formations:
            start, target = self.ends(formation)
            apart = formation.schema.spacing / self.cells.side
            positions = np.tile(start, (formation.schema.spots, 1))
            # a cell each, however near they are meant to be
            groups.append(Group(positions, Target(*target.tolist()), radius=max(1.0, apart) / 2))
        return self.navigator.plan_together(groups)

    def last_pieces(
        self, target: Floats, heads: Floats, plan: FlowPlan, legs: Sequence[Leg], steps: int
    ) -> Floats | None:
        """Return float64[p, 2, 2]: where the last straight piece of each part's way begins and ends.

        All lead in one direction of the map's steps, of those that have room behind the gates the one nearest to that
        from the gates to the target. None where there is none. heads float64[p, 2]: the places of the parts' leaders.
        """
        from scipy.ndimage import label

        decomposition = plan.passages.decomposition
        gates = np.zeros(self.grid.cost.size, bool)
        for leg in legs:
            gates[np.concatenate([decomposition.gate(gate) for gate in leg.gates])] = True
        side: Any = label(self.grid.free & ~gates.reshape(self.grid.cost.shape))[0]  # pyright: ignore[reportIndexIssue]
        behind = self.places(plan.passages.centre[[leg.gates[-1] for leg in legs]]).mean(0)
        ahead = self.steps @ (target - behind) / np.hypot(*self.steps.T)
        there = self._at(side, self.ground.points[self.ground.nearest(target)[:, 0]])
        for step in self.steps[np.argsort(-ahead, kind="stable")]:
            ends = target + turn(heads, math.degrees(math.atan2(step[0], -step[1])))
            stood = self.ground.points[self.ground.nearest(ends)[:, 0]]
            back = np.linspace(0, steps, 4 * steps + 1)[:, None, None] * step
            if there and (self._at(side, np.concatenate((ends[None], stood - back))) == there).all():
                return np.stack((stood - steps * step, ends), 1)
        return None

    def _at(self, values: Any, places: Floats) -> Any:
        """Return what cells hold at places, float64[..., 2]; 0 outside the map."""
        x, y = np.moveaxis(np.floor(self.cells.into(places)).astype(np.int64), -1, 0)
        inside = (x >= 0) & (y >= 0) & (x < self.grid.width) & (y < self.grid.height)
        return np.where(inside, values[np.where(inside, y, 0), np.where(inside, x, 0)], 0)

    def way(self, decomposition: Decomposition, leg: Leg, start: Floats, last: Floats, across: Floats) -> Floats:
        """Return float64[g + 2, 2]: the way of a part's leader through the gates of a leg, and along the last piece.

        In a gate it keeps so far from the ends as its part needs, and goes through the middle with a part that is too
        wide. across float64[m]: how far to the right of it the units of its part are.
        """
        gates = [self.places(decomposition.gate(gate)) for gate in leg.gates]
        line = [start, *(cells.mean(0) for cells in gates), last[0]]
        way: list[Floats] = []
        for i, cells in enumerate(gates):
            before, behind = way[-1] if way else start, line[i + 2]
            ahead = behind - before
            right = (cells - cells.mean(0)) @ (np.array((-ahead[1], ahead[0])) / max(float(np.hypot(*ahead)), 1e-9))
            fits = (right + across.min() >= right.min()) & (right + across.max() <= right.max())
            off = np.abs(right + (across.min() + across.max()) / 2)
            if fits.any():
                off = np.where(fits, np.hypot(*(cells - before).T) + np.hypot(*(behind - cells).T), np.inf)
            way.append(cells[int(off.argmin())])
        return np.array([*way, *last])


def _unsuitable(formation: Formation) -> str:
    """Return why a formation is none to be divided, "" if it may be."""
    if formation.schema.spots == 1:
        return "not divided: a single unit"
    if len(formation.orders) != 1 or len(formation.orders[0].places) != 1:
        return "not divided: it is not ordered to one place alone"
    return ""


def _share(formation: Formation, plan: Result[FlowPlan], land: _Land) -> _Share:
    """Return a formation in parts, as flow says."""
    if plan.value is None:
        return _Share((formation,), "not divided: its target can't be reached")
    legs, counts, alone = _legs(plan.value, land.ends(formation), formation.schema.spots)
    alone *= land.second(formation)
    if not legs:
        return _Share((formation,), "not divided: the gates on its way are too narrow for its units")
    together = plan.value.choice.steps * land.second(formation)
    if len(legs) > 1 and together > (1 - GAIN) * alone:
        said = f"flow expects the last after {alone:.0f} s, by {len(legs)} after {together:.0f} s"
        return _Share((formation,), f"not divided: one route is as good; {said}")
    if len(legs) == 1 or not all(leg.gates for leg in legs):
        return _Share(
            (formation,), f"not divided: one route is best for all; flow expects the last after {alone:.0f} s"
        )
    places, target = formation.schema.places, formation.orders[0].places[0]
    files = np.round(places[:, 0] / land.ground.spacing, 6)  # which differ by more than rounding
    spots = [np.sort(mine) for mine in np.split(np.lexsort((places[:, 1], files)), np.cumsum(counts)[:-1])]
    schemas = [formation.schema.part(mine) for mine in spots]
    heads = np.array([places[mine[schema.leader]] for mine, schema in zip(spots, schemas, strict=True)])
    steps = formation.modules.fragment + formation.modules.shortest + _MORE
    last = land.last_pieces(target, heads, plan.value, legs, steps)
    if last is None:
        return _Share((formation,), f"not divided: no room to form up in the last {steps} steps before the target")
    starts = np.array(formation.start) + turn(heads, formation.azimuth)
    parts: list[Formation] = []
    branches: list[Branch] = []
    for i, (leg, mine, schema) in enumerate(zip(legs, spots, schemas, strict=True)):
        way = land.way(plan.value.passages.decomposition, leg, starts[i], last[i], schema.places[:, 0])
        each = {f.name: getattr(formation, f.name) for f in fields(formation)}
        own = {name: value[mine] for name, value in each.items() if isinstance(value, np.ndarray)}
        parts.append(
            replace(
                formation,
                schema=schema,
                start=(float(starts[i, 0]), float(starts[i, 1])),
                orders=(replace(formation.orders[0], places=way),),
                name=f"{formation.name or 'part'} {i + 1}",
                **own,  # a number for each unit
            )
        )
        gates = land.places(plan.value.passages.centre[list(leg.gates)])
        second = land.second(formation)
        branches.append(Branch(mine, gates, leg.time * second, leg.rate / (PERIOD * second)))
    said = ", ".join(
        f"{len(branch.spots)} through " + " and ".join(f"({x:.4g}, {y:.4g})" for x, y in branch.gates.tolist())
        for branch in branches
    )
    expected = f"flow expects the last after {together:.0f} s, by one route alone after {alone:.0f} s"
    why = f"{len(legs)} routes, {said}; {expected}"
    return _Share(tuple(parts), why, tuple(branches))


def _legs(plan: FlowPlan, ends: Floats, units: int) -> tuple[list[Leg], list[int], float]:
    """Return the legs that units take, from left to right, how many take each, and the steps of all by one of them.

    ends float64[2, 2]: start and target, in cells.
    """
    centres = plan.passages.grid.centres(plan.passages.centre)

    def leftness(gates: tuple[int, ...]) -> float:
        """Return twice the area between a way and the straight line, above 0 on the left: y grows downwards."""
        x, y = np.array([ends[0], *centres[list(gates)], ends[1]]).T
        return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())

    taken: dict[tuple[int, ...], tuple[Leg, int]] = {}  # by gates: who goes through the same ones goes together
    for leg, count in zip(plan.choice.legs, plan.choice.counts.tolist(), strict=True):
        before, more = taken.get(leg.gates, (replace(leg, rate=0), 0))
        taken[leg.gates] = replace(leg, time=min(leg.time, before.time), rate=leg.rate + before.rate), count + more
    alone = min((route_steps(leg.time, leg.rate, units) for leg, _ in taken.values()), default=0)
    used = [(leg, count) for leg, count in taken.values() if count]
    used.sort(key=lambda one: leftness(one[0].gates), reverse=True)
    return [leg for leg, _ in used], [count for _, count in used], float(alone)
