"""Replan: distribute the units that are under way anew when another split would bring the last one home sooner.

Beyond J. Pacovský, "Navigation of units in video games using flow networks", 2019, whose plans never change. Every so
many steps the arrival of the last unit is estimated for the routes that the units follow, at the rates at which they
really arrive, and for a new plan. A gate that lets fewer units through than it should counts with what it lets through
(a clog), and one that another group uses counts in proportion to the units that use it. The new plan is taken if it is
better by a margin, since each change costs the units that turn round.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from anabasis.crew import Crew
from anabasis.flow.choice import Leg
from anabasis.flow.navigate import FlowPlan, Navigator, plan_flow_taut, together_flow_taut
from anabasis.flow.network import Passages
from anabasis.flow.order import left_at
from anabasis.flow.rooms import lengths_of
from anabasis.grid import Grid
from anabasis.network import PERIOD
from anabasis.plan import GroupPlan
from anabasis.result import Result
from anabasis.scenario import Group, Scenario

__all__ = ["Replanner", "plan_flow_replan", "together_flow_replan"]

MARGIN = 1.15  # how many times later the last unit must arrive by the old plan than by the new one
CLOGGED = 1.5  # a route is clogged if it promised so many times more units than arrive
WINDOW = 300  # steps over which arrivals are counted
FEW = 10  # units for which a new split is not worth while


def plan_flow_replan(grid: Grid, group: Group, *, seed: int = 0) -> Result[GroupPlan]:
    """Return the first plan of the method, which is that of `flow-taut`; see `Replanner`."""
    return plan_flow_taut(grid, group, seed=seed)


def together_flow_replan(grid: Grid, groups: Sequence[Group], *, seed: int = 0) -> list[Result[GroupPlan]]:
    """Return the first plans of the method for several groups, which are those of `flow-taut`."""
    return together_flow_taut(grid, groups, seed=seed)


class Replanner:
    """Watches over the groups of one run; it knows what the route numbers of each group stand for."""

    def __init__(self, scenario: Scenario, *, seed: int) -> None:
        self.scenario, self.seed = scenario, seed
        self._navigators: dict[str, Navigator] = {}  # of each movement class, on the map that it saw last
        self._first: dict[str, dict[int, FlowPlan | None]] = {}  # of each movement class, the plans at the start
        self._legs: dict[int, tuple[Leg, ...]] = {}
        self._on: dict[int, Passages] = {}  # the decomposition whose gates the legs name
        self._ahead: dict[int, list[NDArray[np.float64]]] = {}  # of each leg, the way left at each of its gates
        self._share: dict[int, NDArray[np.float64]] = {}  # of each gate, what the legs count on beside other groups
        self._since: dict[int, int] = {}  # the step at which a group took its plan

    def copy(self) -> Replanner:
        """Return one that knows the same, and from now on learns for itself."""
        other = copy(self)
        for name in ("_navigators", "_first", "_legs", "_on", "_ahead", "_share", "_since"):
            setattr(other, name, dict(getattr(self, name)))
        other._first = {movement: dict(plans) for movement, plans in self._first.items()}
        return other

    def plan(self, grid: Grid, number: int, group: Group) -> Result[GroupPlan]:
        """Return a plan for (a part of) group `number` from where it stands now."""
        result = self._navigator(grid, group.movement).plan(group, seed=self.seed)
        if result.value is None:
            return Result(result.status, None, result.reason, stats=result.stats)
        self._follow(number, group.goal(grid), result.value)
        self._since.pop(number, None)  # it will be seen at the next review
        return Result(result.status, result.value.plan, stats=result.stats)

    def review(self, now: int, crews: Sequence[Crew]) -> list[tuple[NDArray[np.int64], GroupPlan]]:
        """Return new plans for the groups that had better split otherwise; see `sim.review.Review`."""
        changes: list[tuple[NDArray[np.int64], GroupPlan]] = []
        crews = list(crews)
        new_ones = [crew for crew in crews if crew.group not in self._legs]
        for crew in new_ones:
            self._as_at_the_start(crew)
        for crew in new_ones:
            if crew.group in self._legs:
                self._share[crew.group] = self._share_of(crew, crews)
        for place, crew in enumerate(crews):
            self._since.setdefault(crew.group, now)
            if crew.units.size < FEW or not self._legs.get(crew.group):
                continue  # or they follow no routes
            new = self._better(now, crew, crews)
            if new is not None:
                changes.append((crew.units, new.plan))
                self._follow(crew.group, self.scenario.groups[crew.group].goal(crew.grid), new)
                self._share[crew.group], self._since[crew.group] = self._share_of(crew, crews), now
                crews[place] = replace(
                    crew, route=new.plan.route, rest=lengths_of(new.plan.indptr, new.plan.points)
                )  # for those who look next
        return changes

    def _follow(self, number: int, goal: int, plan: FlowPlan) -> None:
        """Note what the routes of a group stand for from now on."""
        self._legs[number], self._on[number] = plan.choice.legs, plan.passages
        region = int(plan.passages.decomposition.region.ravel()[goal])
        to_goal = plan.passages.lengths_from(region, np.array([goal]))
        self._ahead[number] = [left_at(plan.passages, leg.gates, region, to_goal) for leg in plan.choice.legs]
        self._share[number] = np.ones(plan.passages.decomposition.gates)

    def _as_at_the_start(self, crew: Crew) -> None:
        """Remember what the route numbers of the first plan stand for."""
        group = self.scenario.groups[crew.group]
        if group.movement not in self._first:
            numbers = self.scenario.classes()[group.movement]
            navigator = self._navigator(crew.grid, group.movement)
            results = navigator.plan_together([self.scenario.groups[number] for number in numbers], seed=self.seed)
            self._first[group.movement] = {n: result.value for n, result in zip(numbers, results, strict=True)}
        self._since[crew.group] = 0
        plan = self._first[group.movement][crew.group]
        if plan is not None:
            self._follow(crew.group, group.goal(crew.grid), plan)

    def _navigator(self, grid: Grid, movement: str) -> Navigator:
        known = self._navigators.get(movement)
        if known is None or not (known.grid is grid or np.array_equal(known.grid.cost, grid.cost)):
            known = self._navigators[movement] = Navigator(grid, graph="gates", ways="taut")
        return known

    def _better(self, now: int, crew: Crew, crews: Sequence[Crew]) -> FlowPlan | None:
        """Return a plan by which the last unit of a crew arrives clearly sooner than by the one that it follows."""
        legs, speed = self._legs[crew.group], self.scenario.groups[crew.group].speed
        rates = np.array([leg.rate for leg in legs], np.float64)
        real = self._measured(now, crew, rates)
        share = self._share_of(crew, crews)
        less = np.minimum(1.0, share / self._share[crew.group])  # than the legs count on
        slowed = np.array([less[self._gates_before(crew, leg)].min(initial=1.0) for leg in range(len(legs))])
        queued = np.where(self._through(crew), -1, crew.route)
        old = max(float(crew.rest.max(initial=0)) / speed, _last(queued, crew.rest / speed, real * slowed))
        navigator = self._navigator(crew.grid, self.scenario.groups[crew.group].movement)
        room = self._room(crew, rates, real) * share
        group = replace(self.scenario.groups[crew.group], positions=crew.positions, pace=np.zeros(0))
        result = navigator.plan(group, seed=self.seed, on=self._on[crew.group], room=room)
        if result.value is None or not result.value.choice.legs:
            return None
        new = result.value
        promised = np.array([leg.rate for leg in new.choice.legs], np.float64)
        return (
            new
            if old > MARGIN * _last(new.plan.route, lengths_of(new.plan.indptr, new.plan.points) / speed, promised)
            else None
        )

    def _measured(self, now: int, crew: Crew, rates: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return float64[m]: the rate of each leg, lowered where clearly fewer units arrive than it promised."""
        real = rates.copy()
        if now - self._since.get(crew.group, 0) < WINDOW:
            return real
        for leg in range(rates.size):
            mine = crew.arrival[(crew.arrived_route == leg) & (crew.arrival > self._since.get(crew.group, 0))]
            if mine.size and mine.min() <= now - WINDOW:
                rate = np.count_nonzero(mine > now - WINDOW) * PERIOD / WINDOW
                if rate * CLOGGED < rates[leg] and np.count_nonzero(crew.route == leg) > FEW:
                    real[leg] = max(rate, rates[leg] / 20)
        return real

    def _room(self, crew: Crew, rates: NDArray[np.float64], real: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return float64[gates]: the share of each gate's capacity that a clog has left."""
        d = self._on[crew.group].decomposition
        room = np.ones(d.gates)
        for leg, share in zip(self._legs[crew.group], real / rates, strict=True):
            if share < 1 and leg.gates:
                gates = list(leg.gates)
                narrowest = gates[int(np.argmin(d.width[gates]))]
                room[narrowest] = min(room[narrowest], share)
        return room

    def _share_of(self, crew: Crew, crews: Sequence[Crew]) -> NDArray[np.float64]:
        """Return float64[gates]: the share of each gate that other groups, by the units still before it, leave."""
        on = self._on[crew.group]
        taken = np.zeros(on.decomposition.gates)
        for other in crews:
            if other.group != crew.group and self._on.get(other.group) is on:
                for number, leg in enumerate(self._legs[other.group]):
                    rest = other.rest[other.route == number]
                    for gate, left in zip(leg.gates, self._ahead[other.group][number].tolist(), strict=True):
                        taken[gate] += np.count_nonzero(rest > left)
        return crew.units.size / (crew.units.size + taken)

    def _through(self, crew: Crew) -> NDArray[np.bool_]:
        """Return bool[k]: which units are through the narrowest gate of their leg, so that they wait for no others."""
        width = self._on[crew.group].decomposition.width
        through = np.zeros(crew.units.size, bool)
        for number, leg in enumerate(self._legs[crew.group]):
            if leg.gates:
                widths = width[list(leg.gates)]
                last = np.flatnonzero(widths == widths.min())[-1]  # of several such gates
                left = self._ahead[crew.group][number][last]
                through |= (crew.route == number) & (crew.rest <= left)
        return through

    def _gates_before(self, crew: Crew, leg: int) -> list[int]:
        """Return the gates of a leg that some unit on it has not passed yet."""
        farthest = crew.rest[crew.route == leg].max(initial=0.0)
        ahead = zip(self._legs[crew.group][leg].gates, self._ahead[crew.group][leg].tolist(), strict=True)
        return [gate for gate, left in ahead if farthest > left]


def _last(route: NDArray[np.int64], walk: NDArray[np.float64], rates: NDArray[np.float64]) -> float:
    """Return the steps until the last unit arrives, if each route lets units pass one behind the other at its rate.

    walk: float64[n], the steps of each unit alone. Behind unit j of a route, in the order of arrival, the others need
    their turns, however near they are.
    """
    last = 0.0
    for leg in np.unique(route[(route >= 0) & (route < rates.size)]).tolist():
        mine = np.sort(walk[route == leg])
        behind = np.arange(mine.size - 1, -1, -1) * PERIOD / rates[leg]
        last = max(last, float((mine + behind).max()))
    return last
