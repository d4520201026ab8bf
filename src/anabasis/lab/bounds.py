"""Bounds: before which step no method can bring in the last unit of a scenario, and how far a run is from that.

The bound is that of `bound.grid`: proved for any plan whatever, with no decomposition, network or planner in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from anabasis.noun import state_hash
from anabasis.scenario import Scenario

__all__ = ["gap_text", "proved_bound"]


@dataclass(frozen=True)
class _Case:
    """A scenario that is known again by its state, however often it was loaded."""

    state: str
    scenario: Scenario = field(compare=False)


def proved_bound(scenario: Scenario) -> int | None:
    """Return the step before which the last unit can't arrive, whatever the method; None if some unit never can.

    Of several groups it is the greatest. It is computed once for a scenario in a process.
    """
    return _proved_bound(_Case(state_hash(scenario), scenario))


@lru_cache(maxsize=128)
def _proved_bound(case: _Case) -> int | None:
    from anabasis.bound.grid import grid_bound

    scenario, steps = case.scenario, 0
    for number, group in enumerate(scenario.groups):
        others = [*scenario.groups[:number], *scenario.groups[number + 1 :]]
        grid = scenario.grid.with_movement(group.movement)
        result = grid_bound(grid, group, steering=scenario.steering, changes=scenario.changes, others=others)
        if result.value is None:
            return None
        steps = max(steps, result.value.steps)
    return steps


def gap_text(steps: float | None, bound: float | None) -> str:
    """Return by how much steps exceed a bound, such as `43 %`; `–` without either."""
    return "–" if not bound or steps is None else f"{100 * (steps / bound - 1):,.0f} %"
