"""Orders: the strategic level: plan for every group of a scenario, carry the plans out, replan when asked.

Plan with any group method of the table; execution is the same for all of them. A lost unit gets a path of its own by
uncoordinated A*, whatever the method, as in Pacovský: Navigation of units in video games using flow networks, 2019,
except that a unit that follows a field can't get lost. When the map changes, every group is planned for afresh with its
own method.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from anabasis.grid import Grid
from anabasis.methods import method
from anabasis.plan import GroupPlan
from anabasis.result import Result
from anabasis.scenario import Scenario
from anabasis.trace import Cause, Trace

if TYPE_CHECKING:
    from anabasis.flow.navigate import FlowPlan

__all__ = ["FLOW_METHODS", "execute", "plan_groups", "plan_stages"]

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
    record_every: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Trace:
    """Carry out the plans of `plan_groups` in the simulator and return what happened.

    A group without a plan stays where it is, and its units are removed as unreachable, each with an event.
    `progress(units done, units)` is called now and then.
    """
    from anabasis.sim.simulate import simulate

    carried_out = [
        result.value if result.value is not None else _no_way(group.size)
        for result, group in zip(plans, scenario.groups, strict=True)
    ]
    row = method("group", name)
    whole_group, watcher = row.load(), row.load_watcher(scenario, seed)
    alone = method("group", "astar").load()

    def replan(
        grid: Grid, number: int, units: NDArray[np.int64], positions: NDArray[np.float64], cause: Cause
    ) -> GroupPlan:
        if not grid.is_free(*scenario.groups[number].target.cell):
            return _no_way(len(units))  # the target has been walled in: no fault of whoever asks
        part = replace(scenario.groups[number], positions=positions, pace=np.zeros(0))
        if cause is not Cause.MAP_CHANGE:
            result = alone(grid, part, seed=seed)
        elif watcher is not None:
            result = watcher.plan(grid, number, part)
        else:
            result = whole_group(grid, part, seed=seed)
        return result.value if result.value is not None else _no_way(len(units))

    review = None if watcher is None else watcher.review
    return simulate(
        scenario, carried_out, seed=seed, replan=replan, review=review, record_every=record_every, progress=progress
    )


def _no_way(units: int) -> GroupPlan:
    """Return the plan of units that can't reach their target: no path, route -1."""
    return GroupPlan.of_paths([np.zeros((0, 2))] * units)
