"""Judge: when the last unit would arrive, by one measure for plans that were made on different decompositions.

A coarse decomposition knows nothing of the narrow places inside its regions and promises too much. So the routes of
every plan are measured on the finest of the decompositions: how many units pass each of its gates, and how long that
takes.
"""

from __future__ import annotations

import numpy as np

from anabasis.flow.choice import Choice
from anabasis.flow.network import Passages, Rates
from anabasis.flow.order import Order
from anabasis.flow.throughput import capacity
from anabasis.network import PERIOD

__all__ = ["judged"]


def judged(choice: Choice, order: Order, finest: Passages, rates: Rates) -> int:
    """Return the step at which the last unit of a choice arrives, at the gates of the finest decomposition.

    No sooner than the units of all routes through a gate have passed it one behind the other, and the first of them has
    had the time for its way; and no sooner than each route's own time.
    """
    d, group = finest.decomposition, order.group
    load = np.zeros(d.gates, np.int64)
    soonest = np.full(d.gates, np.inf)
    last = choice.steps
    for leg, units in zip(choice.legs, choice.counts.tolist(), strict=True):
        if units:
            gates = finest.gates_met(order.line(leg))
            load[gates] += units
            soonest[gates] = np.minimum(soonest[gates], leg.time)
            last = max(last, leg.time)
    met = np.flatnonzero(load)
    rate = capacity(d.width[met], radius=group.radius, speed=group.speed, passage=rates[0], follows=rates[1])
    steps = soonest[met] + load[met] * PERIOD / np.maximum(rate, 1)
    return max(last, int(np.ceil(steps.max(initial=0))))
