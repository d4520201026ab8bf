"""Orders: the strategic level: plan for every group of a scenario, carry the plans out, replan when asked.

Plan with any group method of the table; execution is the same for all of them. A lost unit gets a path of its own by
uncoordinated A*, whatever the method, as in Pacovský: Navigation of units in video games using flow networks, 2019,
except that a unit that follows a field can't get lost. When the map changes, every group is planned for afresh with its
own method, and so are units that get an order; from stop to stop of an order each goes on by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from anabasis.grid import Grid
from anabasis.methods import method
from anabasis.plan import GroupPlan
from anabasis.result import Result
from anabasis.scenario import Scenario, Target, UnitOrder
from anabasis.trace import Cause, Trace

if TYPE_CHECKING:
    from anabasis.flow.navigate import FlowPlan
    from anabasis.sim.review import Review

__all__ = ["FLOW_METHODS", "Strategy", "carried_out", "execute", "plan_groups", "plan_stages"]

FLOW_METHODS = {
    "flow-taut": ("gates", "taut"),
    "flow-gates": ("gates", "centres"),
    "flow-centres": ("centres", "centres"),
}
"""The methods whose plans come with their stages: the graph in which flow is found, and the kind of ways."""


def plan_groups(scenario: Scenario, name: str, *, seed: int) -> tuple[Result[GroupPlan], ...]:
    """Return a plan for each group by the group method of that name; raises InputError for an unknown method."""
    row = method("group", name)
    plan, together = row.load(), row.load_together()
    plans: dict[int, Result[GroupPlan]] = {}
    for movement, numbers in scenario.classes().items():
        grid, groups = scenario.grid.with_movement(movement), [scenario.groups[number] for number in numbers]
        found = (
            [plan(grid, group, seed=seed) for group in groups]
            if together is None
            else together(grid, groups, seed=seed)
        )
        plans |= dict(zip(numbers, found, strict=True))
    return tuple(plans[number] for number in range(len(scenario.groups)))


def plan_stages(scenario: Scenario, name: str, *, seed: int, **options: Any) -> list[Result[FlowPlan]]:
    """Return the plans of one of FLOW_METHODS with their stages, one a group; the ways are those of `plan_groups`.

    options: those of `Navigator`. A map is cut once for all groups that see it alike.
    """
    from anabasis.flow.navigate import Navigator

    graph, ways = FLOW_METHODS[name]
    results: dict[int, Result[FlowPlan]] = {}
    for movement, numbers in scenario.classes().items():
        navigator = Navigator(scenario.grid.with_movement(movement), graph=graph, ways=ways, **options)
        found = navigator.plan_together([scenario.groups[number] for number in numbers], seed=seed)
        results |= dict(zip(numbers, found, strict=True))
    return [results[number] for number in range(len(scenario.groups))]


def execute(
    scenario: Scenario,
    name: str,
    plans: Sequence[Result[GroupPlan]],
    *,
    seed: int,
    orders: Sequence[UnitOrder] = (),
    record_every: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Trace:
    """Carry out the plans of `plan_groups` in the simulator and return what happened.

    A group without a plan stays where it is, and its units are removed as unreachable, each with an event. `orders`
    send units elsewhere on the way. `progress(units done, units)` is called now and then.
    """
    from anabasis.sim.simulate import simulate

    strategy = Strategy(scenario, name, seed=seed)
    return simulate(
        scenario,
        carried_out(scenario, plans),
        seed=seed,
        replan=strategy.replan,
        review=strategy.review,
        orders=orders,
        record_every=record_every,
        progress=progress,
    )


def carried_out(scenario: Scenario, plans: Sequence[Result[GroupPlan]]) -> list[GroupPlan]:
    """Return a plan for each group as the simulator takes it; a group without one has no way."""
    return [
        result.value if result.value is not None else _no_way(group.size)
        for result, group in zip(plans, scenario.groups, strict=True)
    ]


class Strategy:
    """Whoever plans during one run by one method: for the lost, after changes of the map, and when orders come."""

    def __init__(self, scenario: Scenario, name: str, *, seed: int) -> None:
        row = method("group", name)
        self.scenario, self.seed = scenario, seed
        self._method, self._alone = row.load(), method("group", "astar").load()
        self._watcher = row.load_watcher(scenario, seed)

    @property
    def review(self) -> Review | None:
        """What looks at the groups under way (see `sim.review.Review`), None for a method whose plans stay."""
        return None if self._watcher is None else self._watcher.review

    def replan(
        self,
        grid: Grid,
        number: int,
        units: NDArray[np.int64],
        positions: NDArray[np.float64],
        cause: Cause,
        target: Target,
    ) -> GroupPlan:
        """Return new plans for units of a group; see `sim.simulate.Replan`."""
        if not grid.is_free(*target.cell):
            return _no_way(len(units))  # the target has been walled in: no fault of whoever asks
        group = self.scenario.groups[number]
        part = replace(group, positions=positions, target=target, pace=np.zeros(0))
        if cause not in (Cause.MAP_CHANGE, Cause.ORDER):
            result = self._alone(grid, part, seed=self.seed)
        elif self._watcher is not None and target is group.target:  # not of an order to the same place
            result = self._watcher.plan(grid, number, part)
        else:
            result = self._method(grid, part, seed=self.seed)
        return result.value if result.value is not None else _no_way(len(units))

    def copy(self) -> Strategy:
        """Return one that remembers the same, and from now on remembers for itself."""
        other = copy(self)
        other._watcher = None if self._watcher is None else self._watcher.copy()
        return other


def _no_way(units: int) -> GroupPlan:
    """Return the plan of units that can't reach their target: no path, route -1."""
    return GroupPlan.of_paths([np.zeros((0, 2))] * units)
