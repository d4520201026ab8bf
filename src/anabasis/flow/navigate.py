"""Navigate: split a group over routes through the gates of a map so that the last unit arrives soonest.

J. Pacovský, "Navigation of units in video games using flow networks", 2019: the map is cut into regions and gates; they
become a flow network; successive shortest routes give sets of routes that can be used at once; the fastest set and the
number of units on each of its routes are chosen; each unit gets a route, and a path along it. The methods: Flow 1 on
the Centre graph, Flow 2 on the Gate graph, both through the centres of the gates, and, beyond the source, Flow 2 along
taut ways.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.decompose.regions import decompose, without_inner_gates
from anabasis.flow.choice import Choice, choose
from anabasis.flow.network import Passages, centre_network, gate_network, parts_of
from anabasis.flow.order import Order
from anabasis.flow.quickest import quickest_time
from anabasis.grid import Grid
from anabasis.network import FlowNetwork
from anabasis.plan import GroupPlan
from anabasis.result import Result, Status
from anabasis.scenario import Group
from anabasis.search.uncoordinated import plan_astar

__all__ = ["FlowPlan", "Navigator", "plan_flow_centres", "plan_flow_gates", "plan_flow_taut"]


@dataclass(frozen=True, eq=False)
class FlowPlan:
    """What was decided for a group, stage by stage; see `Choice` for legs and counts.

    network: None if all units stand in the target's region and the Centre graph has no use. steps: the predicted
    arrival of the last unit, bound: a lower bound of it in the network, both 0 without one. plan: the paths; their
    route numbers are those of the legs.
    """

    passages: Passages
    network: FlowNetwork | None
    choice: Choice
    bound: int
    plan: GroupPlan


def plan_flow_centres(grid: Grid, group: Group, *, seed: int = 0) -> Result[GroupPlan]:
    """Return paths through the centres of gates, the flow found in the Centre graph; see `Navigator.plan`."""
    return _paths(Navigator(grid, graph="centres").plan(group, seed=seed))


def plan_flow_gates(grid: Grid, group: Group, *, seed: int = 0) -> Result[GroupPlan]:
    """Return paths through the centres of gates, the flow found in the Gate graph; see `Navigator.plan`."""
    return _paths(Navigator(grid, graph="gates").plan(group, seed=seed))


def plan_flow_taut(grid: Grid, group: Group, *, seed: int = 0) -> Result[GroupPlan]:
    """Return taut paths through the gates, the flow found in the Gate graph; see `Navigator.plan`."""
    return _paths(Navigator(grid, graph="gates", ways="taut").plan(group, seed=seed))


def _paths(result: Result[FlowPlan]) -> Result[GroupPlan]:
    plan = None if result.value is None else result.value.plan
    return Result(result.status, plan, result.reason, result.bound, result.stats)


class Navigator:
    """Plans for groups on one map, which is decomposed once.

    parameters: of the decomposition, a number of the table 0 to 10 or a triple. graph: "gates" or "centres".
    ways: through the "centres" of the gates, or "taut". assignment: a strategy of `assignment.assign`. between: see
    `Passages`.
    """

    def __init__(
        self,
        grid: Grid,
        *,
        parameters: int | tuple[int, int, int] = 2,
        graph: str = "gates",
        ways: str = "centres",
        assignment: str = "shared-gates",
        between: str = "nearest",
    ) -> None:
        self.grid, self.graph, self.ways, self.assignment = grid, graph, ways, assignment
        decomposition = decompose(grid, parameters)
        if graph == "centres":
            decomposition = without_inner_gates(decomposition)
        self.passages = Passages(grid, decomposition, between=between)

    def plan(self, group: Group, *, seed: int = 0, room: NDArray[np.float64] | None = None) -> Result[FlowPlan]:
        """Return the stages of a plan for a group, from its routes to a path for each unit.

        room: float64[gates], the share of its capacity that each gate has for this group; all of it by default.

        A unit that can't reach the target gets route -1; NO_SOLUTION if none can. bound: of the quickest flow in the
        network, in steps. stats: predicted, the step at which the last unit should arrive; bound; routes; without_way;
        fallback, the number of units that take a shortest path of their own since no gate on their way is wide enough.
        Raises InputError if the target or a unit is in a wall or outside the map.
        """
        vertices, goal = group.vertices(self.grid), group.goal(self.grid)
        component, region = self.passages.components, self.passages.decomposition.region.ravel()
        able = component[region[vertices]] == component[region[goal]]
        if not able.any():
            nothing = plan_astar(self.grid, group, seed=seed)
            return Result(nothing.status, None, nothing.reason, stats=nothing.stats)
        parts = parts_of(self.passages, vertices, np.flatnonzero(able))
        order = Order(self.passages, group, parts, vertices, goal)
        network, choice = self._routes(order, room)
        if choice is None:
            return self._each_alone(group, seed, network)
        route = order.assign(choice, self.assignment, seed)
        plan = order.paths(choice.legs, route, self.ways)
        bound = 0 if network is None else quickest_time(network, sum(p.units.size for p in parts)) or 0
        stats = {
            "predicted": choice.steps,
            "bound": bound,
            "routes": int(np.count_nonzero(choice.counts)),
            "without_way": int((~able).sum()),
            "fallback": 0,
        }
        value = FlowPlan(self.passages, network, choice, bound, plan)
        return Result(Status.SOLVED, value, bound=bound, stats=stats)

    def _routes(self, order: Order, room: NDArray[np.float64] | None) -> tuple[FlowNetwork | None, Choice | None]:
        """Return the network of a group and what is chosen in it, None if a part of the group has no route."""
        if self.graph == "gates":
            network = gate_network(self.passages, order.group, order.parts, order.goal, room)
            return network, choose(
                network, [part.units.size for part in order.parts], order.walked(network, range(len(order.parts)))
            )
        near = [k for k, part in enumerate(order.parts) if part.region == order.target_region]
        far = [k for k in range(len(order.parts)) if k not in near]
        direct = [order.direct(k) for k in near]
        counts = np.array([order.parts[k].units.size for k in near], np.int64)
        there = Choice((), tuple(direct), counts, max((leg.time for leg in direct), default=0))
        if not far:
            return None, there
        network = centre_network(self.passages, order.group, [order.parts[k] for k in far], order.goal, room)
        choice = choose(network, [order.parts[k].units.size for k in far], order.walked(network, far))
        if choice is None:
            return network, None
        return network, Choice(
            choice.routes,
            choice.legs + there.legs,
            np.concatenate([choice.counts, there.counts]),
            max(choice.steps, there.steps),
        )

    def _each_alone(self, group: Group, seed: int, network: FlowNetwork | None) -> Result[FlowPlan]:
        """Return shortest paths of their own for all units, since no gate on the way of some is wide enough."""
        alone = plan_astar(self.grid, group, seed=seed)
        assert alone.value is not None  # noqa: S101 - a unit that is connected to the target has a path
        nothing = Choice((), (), np.zeros(0, np.int64), 0)
        stats = {**alone.stats, "routes": 0, "fallback": group.size - alone.stats["without_way"]}
        return Result(Status.SOLVED, FlowPlan(self.passages, network, nothing, 0, alone.value), stats=stats)
