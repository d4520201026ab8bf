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
    """Return the planned way of each of the `drawn_units`: its path, or the line along the field of its group.

    Routes keep their numbers, those of each group after those of the groups before it.
    """
    units, first, numbers = drawn_units(scenario.size), 0, 0
    ways: list[ArrayLike] = []
    route: list[int] = []
    for group, result in zip(scenario.groups, plans, strict=True):
        mine = units[(units >= first) & (units < first + group.size)] - first
        first += group.size
        plan = result.value
        route += [-1 if plan is None or plan.route[u] < 0 else int(plan.route[u]) + numbers for u in mine.tolist()]
        numbers += 0 if plan is None else int(plan.route.max(initial=-1)) + 1
        if plan is None:
            ways += [np.zeros((0, 2))] * mine.size
        elif plan.field is None:
            ways += [plan.path(unit) for unit in mine.tolist()]
        else:
            ways += field_lines(plan.field, group.positions[mine])
    return GroupPlan.of_paths(ways, route)


def walked_ways(trace: Trace) -> list[NDArray[np.float64]]:
    """Return the walked way of each of the `drawn_units`, until it arrived, was removed or the run ended."""
    present = (trace.state == UnitState.MOVING) | (trace.state == UnitState.LOST)
    frames = np.minimum(present.sum(axis=0) + 1, trace.times.size)
    return [trace.positions[: frames[unit], unit] for unit in drawn_units(trace.size).tolist()]
