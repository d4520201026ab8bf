"""Ways: the planned and the walked ways of some units of a run, for pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.plan import GroupPlan
from anabasis.result import Result
from anabasis.scenario import Scenario
from anabasis.trace import Trace, UnitState
from anabasis.view.plans import field_lines

__all__ = ["DRAWN_UNITS", "drawn_units", "plan_file", "planned_ways", "walked_ways"]

DRAWN_UNITS = 200  # more lines make a picture heavy, not clearer


def plan_file(trace: Path) -> Path:
    """Return where the plans stand that belong to a saved trace."""
    return trace.with_suffix(".plan.npz")


def drawn_units(size: int) -> NDArray[np.int64]:
    """Return the units of whom pictures show the ways: all, or DRAWN_UNITS of them, evenly chosen."""
    return np.unique(np.linspace(0, size - 1, min(size, DRAWN_UNITS)).round().astype(np.int64))


def planned_ways(scenario: Scenario, plans: Sequence[Result[GroupPlan]]) -> GroupPlan:
    """Return the plan of all units, with the ways of the `drawn_units` alone: paths, or lines along a group's field.

    Routes keep their numbers, those of each group after those of the groups before it.
    """
    drawn = np.zeros(scenario.size, bool)
    drawn[drawn_units(scenario.size)] = True
    ways: list[ArrayLike] = [np.zeros((0, 2))] * scenario.size
    route = np.full(scenario.size, -1)
    first = numbers = 0
    for group, result in zip(scenario.groups, plans, strict=True):
        mine = np.flatnonzero(drawn[first : first + group.size])
        plan = result.value
        if plan is not None:
            lines = field_lines(plan.field, group.positions[mine]) if plan.field else map(plan.path, mine.tolist())
            for unit, way in zip(mine.tolist(), lines, strict=True):
                ways[first + unit] = way
            route[first : first + group.size] = np.where(plan.route < 0, -1, plan.route + numbers)
            numbers += int(plan.route.max(initial=-1)) + 1
        first += group.size
    return GroupPlan.of_paths(ways, route)


def walked_ways(trace: Trace) -> list[NDArray[np.float64]]:
    """Return the walked way of each of the `drawn_units`, until it arrived, was removed or the run ended."""
    present = (trace.state == UnitState.MOVING) | (trace.state == UnitState.LOST)
    frames = np.minimum(present.sum(axis=0) + 1, trace.times.size)
    return [trace.positions[: frames[unit], unit] for unit in drawn_units(trace.size).tolist()]
