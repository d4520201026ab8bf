"""Progress: who gets on, who has lost the way, and who is stuck.

A unit gets on when the way that it has left becomes shorter than ever before by its radius. Who has not seen its plan
for some steps is lost; who does not get on for very many steps is stuck: half of them bring it a new plan, all of them
the end of its way.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.sim.units import Units

__all__ = ["Note", "judge"]


class Note(IntEnum):
    """What the strategic phase must hear about a unit."""

    NONE = 0
    LOST = 1
    WANTS_PLAN = 2
    STUCK = 3
    STUCK_FOR_GOOD = 4


def judge(units: Units, lost_steps: int, stuck_steps: int) -> bool:
    """Note who got on, and who got lost, wants a new plan or is stuck; return whether there is anyone of these."""
    return (
        _judge(
            units.state,
            units.radius,
            units.rest,
            units.best,
            units.idle,
            units.lost,
            units.note,
            lost_steps,
            stuck_steps,
        )
        > 0
    )


@kernel
def _judge(
    state: NDArray[np.uint8],
    radius: NDArray[np.float64],
    rest: NDArray[np.float64],
    best: NDArray[np.float64],
    idle: NDArray[np.int64],
    lost: NDArray[np.int64],
    note: NDArray[np.uint8],
    lost_steps: int,
    stuck_steps: int,
) -> int:
    noted = 0
    for i in range(state.size):
        note[i] = 0
        if state[i] > 1:
            continue
        idle[i] += 1
        if best[i] == np.inf:  # the first look at a plan is no progress yet
            best[i] = rest[i]
        elif rest[i] < best[i] - radius[i]:
            best[i] = rest[i]
            idle[i] = 0
        if idle[i] >= stuck_steps:
            note[i] = 4  # STUCK_FOR_GOOD
        elif idle[i] == stuck_steps // 2:
            note[i] = 3  # STUCK
        elif lost[i] >= lost_steps:
            note[i] = 2  # WANTS_PLAN
        elif lost[i] > 0 and state[i] == 0:
            note[i] = 1  # LOST
        elif lost[i] == 0:
            state[i] = 0
        if note[i] != 0:
            noted += 1
    return noted
