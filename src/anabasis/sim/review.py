"""Review: every so many steps, whoever planned may look at the groups under way and give some units new plans."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from anabasis.crew import Crew
from anabasis.grid import Grid
from anabasis.plan import GroupPlan
from anabasis.sim.units import Units
from anabasis.trace import UnitState

__all__ = ["REVIEW_EVERY", "Review", "crews"]

REVIEW_EVERY = 100  # steps

Review = Callable[[int, Sequence[Crew]], Sequence[tuple[NDArray[np.int64], GroupPlan]]]
"""(step, the crews with units under way) → new plans: the numbers of units in the run, and the plan of just these."""


def crews(units: Units, grids: Sequence[Grid]) -> list[Crew]:
    """Return the crew of each group that has units under way; `grids` are the maps as each group sees them.

    Who follows an order of its own is not looked at.
    """
    under_way = units.state <= UnitState.LOST
    result: list[Crew] = []
    for group, grid in enumerate(grids):
        mine = (units.group == group) & (units.order < 0)
        now = np.flatnonzero(mine & under_way)
        there = np.flatnonzero(mine & (units.state == UnitState.ARRIVED))
        if now.size:
            who = (now, units.position[now], units.route[now], units.rest[now])
            result.append(Crew(grid, group, *who, units.route[there], units.arrival[there]))
    return result
