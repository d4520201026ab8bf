"""Navigate: split a group over routes through the gates of a map so that the last unit arrives soonest.

J. Pacovský, "Navigation of units in video games using flow networks", 2019: the map is cut into regions and gates; they
become a flow network; successive shortest routes give sets of routes that can be used at once; the fastest set and the
number of units on each of its routes are chosen; each unit gets a route, and a path along it. The methods: Flow 1 on
the Centre graph, Flow 2 on the Gate graph, both through the centres of the gates, and, beyond the source, Flow 2 along
taut ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from anabasis.decompose.regions import DEFAULT, decompose, without_inner_gates
from anabasis.errors import InputError
from anabasis.flow.assignment import STRATEGIES
from anabasis.flow.choice import Choice, Leg, choose, only_part
from anabasis.flow.judge import judged
from anabasis.flow.network import Passages, Rates, centre_network, gate_network, parts_of
from anabasis.flow.order import Order
from anabasis.flow.quickest import quickest_time
from anabasis.grid import Grid
from anabasis.network import FlowNetwork, Route
from anabasis.plan import GroupPlan
from anabasis.result import Result, Status
from anabasis.scenario import Group
from anabasis.search.uncoordinated import plan_astar

__all__ = [
    "FlowPlan",
    "Navigator",
    "group_plans",
    "plan_flow_centres",
    "plan_flow_gates",
    "plan_flow_taut",
    "together_flow_centres",
    "together_flow_gates",
    "together_flow_taut",
]


@dataclass(frozen=True, eq=False)
class FlowPlan:
    """What was decided for a group, stage by stage.

    passages: the prepared map. network: None if all units stand in the target's region and the Centre graph has no use.
    choice: routes, as walked, the units on each and the predicted arrival of the last unit; empty if no gate is wide
    enough and all take shortest ways of their own. bound: of the quickest flow in a Gate graph, in steps, else 0.
    plan: the paths; their route numbers are those of the choice's legs.
    """

    passages: Passages
    network: FlowNetwork | None
    choice: Choice
    bound: int
    plan: GroupPlan


def plan_flow_centres(grid: Grid, group: Group, *, seed: int = 0) -> Result[GroupPlan]:
    """Return paths through the centres of gates, the flow found in the Centre graph; see `Navigator.plan`."""
    return together_flow_centres(grid, [group], seed=seed)[0]


def together_flow_centres(grid: Grid, groups: Sequence[Group], *, seed: int = 0) -> list[Result[GroupPlan]]:
    """Return such paths for several groups at once; see `Navigator.plan_together`."""
    return group_plans(Navigator(grid, graph="centres").plan_together(groups, seed=seed))


def plan_flow_gates(grid: Grid, group: Group, *, seed: int = 0) -> Result[GroupPlan]:
    """Return paths through the centres of gates, the flow found in the Gate graph; see `Navigator.plan`."""
    return together_flow_gates(grid, [group], seed=seed)[0]


def together_flow_gates(grid: Grid, groups: Sequence[Group], *, seed: int = 0) -> list[Result[GroupPlan]]:
    """Return such paths for several groups at once; see `Navigator.plan_together`."""
    return group_plans(Navigator(grid, graph="gates").plan_together(groups, seed=seed))


def plan_flow_taut(grid: Grid, group: Group, *, seed: int = 0) -> Result[GroupPlan]:
    """Return taut paths through the gates, the flow found in the Gate graph; see `Navigator.plan`."""
    return together_flow_taut(grid, [group], seed=seed)[0]


def together_flow_taut(grid: Grid, groups: Sequence[Group], *, seed: int = 0) -> list[Result[GroupPlan]]:
    """Return such paths for several groups at once; see `Navigator.plan_together`."""
    return group_plans(Navigator(grid, graph="gates", ways="taut").plan_together(groups, seed=seed))


def group_plans(results: Sequence[Result[FlowPlan]]) -> list[Result[GroupPlan]]:
    """Return the paths alone of plans with their stages."""
    plans = [None if result.value is None else result.value.plan for result in results]
    return [Result(r.status, plan, r.reason, stats=r.stats) for r, plan in zip(results, plans, strict=True)]


AUTO = (1, 2, 3, 4, 6)  # the parameter sets among which is chosen; the first one judges
_FINER = (2, 1, 0)  # sets that are tried where the usual one finds no gate
FIRST_LEGS = ("planned", "straight")
GRAPHS = ("gates", "centres")
WAYS: dict[str, Rates] = {"centres": ("bend", "paths"), "taut": ("bend", "lanes")}
"""The kinds of ways, and what was measured of units that follow them around a bend behind a gate."""
ASSIGNMENT = {"centres": "shared-gates", "taut": "by-turns"}


class Navigator:
    """Plans for groups on one map, which is decomposed once. maps: the prepared decompositions, the finest first.

    parameters: of the decomposition, a number of the table 0 to 10, a triple, or "auto": that set by which the last
    unit should arrive first; by default set DEFAULT, or, where that finds no gate, a finer one. graph: "gates" or
    "centres". ways: through the "centres" of the gates, or "taut". assignment: a strategy of `assignment.assign`,
    by default the source's for ways through centres, and "by-turns" for taut ones.
    between: see `Passages`. rates: which measured rates are the capacities of gates, by default those of the ways.
    most: of routes, for each part of a group that stands in a region of its own. detour: by which share of the shortest
    way a route may be longer. first_leg: ways through centres of gates are "planned" up to the first gate, or
    "straight", which suits convex regions.
    """

    def __init__(
        self,
        grid: Grid,
        *,
        parameters: int | tuple[int, int, int] | str | None = None,
        graph: str = "gates",
        ways: str = "centres",
        assignment: str | None = None,
        between: str = "nearest",
        rates: Rates | None = None,
        most: int | None = None,
        detour: float | None = None,
        first_leg: str = "planned",
    ) -> None:
        assignment = ASSIGNMENT.get(ways, "shared-gates") if assignment is None else assignment
        for what, value, known in (
            ("graph", graph, GRAPHS),
            ("ways", ways, tuple(WAYS)),
            ("first leg", first_leg, FIRST_LEGS),
            ("assignment", assignment, tuple(STRATEGIES)),
        ):
            if value not in known:
                raise InputError(f"{what} of a navigator", found=repr(value), expected=" or ".join(known))
        if most is not None and most < 1:
            raise InputError("the most routes of a group", found=f"{most}", expected="at least 1")
        if detour is not None and not 0 <= detour < np.inf:
            raise InputError("the longest detour", found=f"{detour}", expected="a share of at least 0, such as 0.5")
        self.grid, self.graph, self.ways, self.assignment = grid, graph, ways, assignment
        self.rates, self.most, self.detour = rates or WAYS[ways], most, detour
        self.first_leg = first_leg
        if isinstance(parameters, str) and parameters != "auto":
            raise InputError("parameters of a navigator", found=repr(parameters), expected="auto, 0 to 10 or a triple")
        if isinstance(parameters, str):
            self.maps = [self._prepared(numbers, between) for numbers in AUTO]
        elif parameters is not None:
            self.maps = [self._prepared(parameters, between)]
        else:
            for numbers in (DEFAULT, *_FINER):
                self.maps = [self._prepared(numbers, between)]
                if self.maps[0].decomposition.gates:
                    break

    def _prepared(self, parameters: int | tuple[int, int, int], between: str) -> Passages:
        decomposition = decompose(self.grid, parameters)
        if self.graph == "centres":
            decomposition = without_inner_gates(decomposition)
        return Passages(self.grid, decomposition, between=between)

    def plan(
        self,
        group: Group,
        *,
        seed: int = 0,
        on: Passages | None = None,
        room: NDArray[np.float64] | None = None,
    ) -> Result[FlowPlan]:
        """Return the stages of a plan for a group, from its routes to a path for each unit.

        on: the decomposition to plan on, one of `maps`; by default that on which the last unit arrives first, as judged
        by the finest of them. room: float64[gates of that], the share of its capacity that each gate has for this
        group; all of it by default.

        A unit that can't reach the target gets route -1; NO_SOLUTION if none can. stats: predicted, the step at which
        the last unit should arrive; bound, of the quickest flow in a Gate graph at the measured rates, 0 where it is
        not known; routes; without_way; fallback, the number of units that take shortest paths of their own since some
        of them can't pass any gate on their way: then nothing is predicted.
        Raises InputError if the target or a unit is in a wall or outside the map.
        """
        vertices, goal = group.vertices(self.grid), group.goal(self.grid)
        component, region = self.maps[0].components, self.maps[0].decomposition.region.ravel()
        able = np.flatnonzero(component[region[vertices]] == component[region[goal]])
        if not able.size:
            nothing = plan_astar(self.grid, group, seed=seed)
            return Result(nothing.status, None, nothing.reason, stats=nothing.stats)
        order, network, choice = self._best(group, vertices, goal, able, on, room)
        if choice is None:
            return self._each_alone(group, seed, order.passages, network)
        route = order.assign(choice, self.assignment, seed)
        plan = order.paths(choice.legs, route, self.ways, straight=self.first_leg == "straight")
        # in the Centre graph lengths are those by the centres of regions, so its quickest flow bounds no walk
        # and neither does one in which other groups have a share of the gates
        whole = network is not None and self.graph == "gates" and room is None
        bound = self._bound(network, [part.units.size for part in order.parts]) if network is not None and whole else 0
        stats = {
            "predicted": choice.steps,
            "bound": bound,
            "routes": int(np.count_nonzero(choice.counts)),
            "without_way": group.size - able.size,
            "fallback": 0,
        }
        value = FlowPlan(order.passages, network, choice, bound, plan)
        return Result(Status.SOLVED, value, stats=stats)

    def _bound(self, network: FlowNetwork, sizes: Sequence[int]) -> int:
        """Return the step before which no flow can bring all parts home: all as one, or one part without the others."""
        alone = [quickest_time(only_part(network, part), size) or 0 for part, size in enumerate(sizes)]
        return max([quickest_time(network, sum(sizes)) or 0, *alone])

    def plan_together(self, groups: Sequence[Group], *, seed: int = 0) -> list[Result[FlowPlan]]:
        """Return a plan for each of several groups, which share the map and start at the same time.

        All are planned for alone at first; a gate that several would use then counts for each of them in proportion to
        its units.
        """
        alone = [self.plan(group, seed=seed) for group in groups]
        return [self._beside(number, groups, alone, seed) for number in range(len(groups))]

    def _beside(
        self, number: int, groups: Sequence[Group], alone: Sequence[Result[FlowPlan]], seed: int
    ) -> Result[FlowPlan]:
        """Return the plan of a group for the share of each gate that is left to it."""
        own, group = alone[number].value, groups[number]
        if own is None or len(groups) == 1:
            return alone[number]
        loads = np.zeros(own.passages.decomposition.gates)
        for k, other in enumerate(groups):
            theirs = alone[k].value
            if k != number and theirs is not None:
                if theirs.passages is not own.passages:  # its legs name the gates of another decomposition
                    theirs = self.plan(other, seed=seed, on=own.passages).value
                for leg, units in zip(theirs.choice.legs, theirs.choice.counts, strict=True) if theirs else ():
                    loads[list(leg.gates)] += units
        if not loads.any():
            return alone[number]
        return self.plan(group, seed=seed, on=own.passages, room=group.size / (group.size + loads))

    def _best(
        self,
        group: Group,
        vertices: NDArray[np.int64],
        goal: int,
        able: NDArray[np.int64],
        on: Passages | None,
        room: NDArray[np.float64] | None,
    ) -> tuple[Order, FlowNetwork | None, Choice | None]:
        """Return the order, network and choice on the map by which the last of the able units arrives first."""
        best: tuple[Order, FlowNetwork | None, Choice | None] | None = None
        least = np.inf
        if on is not None and on not in self.maps:
            raise InputError("decomposition to plan on", found="one of another navigator", expected="one of its maps")
        for passages in self.maps if on is None else [on]:
            order = Order(passages, group, parts_of(passages, vertices, able), vertices, goal)
            network, choice = self._routes(order, room)
            steps = np.inf
            if choice is not None:
                alone = len(self.maps) == 1 or on is not None
                steps = choice.steps if alone else judged(choice, order, self.maps[0], self.rates)
            if best is None or steps < least:
                best, least = (order, network, choice), steps
        assert best is not None  # noqa: S101 - there is at least one map
        return best

    def _routes(self, order: Order, room: NDArray[np.float64] | None) -> tuple[FlowNetwork | None, Choice | None]:
        """Return the network of a group and what is chosen in it, None if a part of the group has no route."""
        if self.graph == "gates":
            network = gate_network(order.passages, order.group, order.parts, order.goal, self.rates, room)
            sizes = [part.units.size for part in order.parts]
            return network, self._choose(network, sizes, order.walked(network, range(len(sizes))))
        near = [k for k, part in enumerate(order.parts) if part.region == order.target_region]
        far = [k for k in range(len(order.parts)) if k not in near]
        direct = tuple(order.direct(k) for k in near)
        counts = np.array([order.parts[k].units.size for k in near], np.int64)
        there = Choice((), direct, counts, max((leg.time for leg in direct), default=0))
        if not far:
            return None, there
        network = centre_network(
            order.passages, order.group, [order.parts[k] for k in far], order.goal, self.rates, room
        )
        choice = self._choose(network, [order.parts[k].units.size for k in far], order.walked(network, far))
        if choice is None:
            return network, None
        legs = tuple(replace(leg, part=far[leg.part]) for leg in choice.legs) + there.legs
        counts = np.concatenate([choice.counts, there.counts])
        return network, Choice(choice.routes, legs, counts, max(choice.steps, there.steps))

    def _choose(self, network: FlowNetwork, sizes: Sequence[int], walk: Callable[[Route], Leg]) -> Choice | None:
        return choose(network, sizes, walk, most=self.most, detour=self.detour)

    def _each_alone(self, group: Group, seed: int, passages: Passages, network: FlowNetwork | None) -> Result[FlowPlan]:
        """Return shortest paths of their own for all units, since no gate on the way of some is wide enough."""
        alone = plan_astar(self.grid, group, seed=seed)
        assert alone.value is not None  # noqa: S101 - a unit that is connected to the target has a path
        nothing = Choice((), (), np.zeros(0, np.int64), 0)
        stats = {**alone.stats, "routes": 0, "fallback": group.size - alone.stats["without_way"]}
        return Result(Status.SOLVED, FlowPlan(passages, network, nothing, 0, alone.value), stats=stats)
