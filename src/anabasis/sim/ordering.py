"""Ordering: the orders of a run: which of them are due, who has come to a stop on its way, and where each unit goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from anabasis.scenario import Scenario, Target, UnitOrder
from anabasis.sim.plans import Plans
from anabasis.sim.units import Units
from anabasis.trace import UnitState

__all__ = ["Orders"]

Ints = NDArray[np.int64]


class Orders:
    """Orders by their steps; which of them a unit follows, and which stop is its next, stands in `Units`."""

    def __init__(self, orders: Iterable[UnitOrder] = ()) -> None:
        self.orders = sorted(orders, key=lambda order: order.step)

    def add(self, order: UnitOrder) -> None:
        """Take one more, of a step to come, so that those which units follow keep their numbers."""
        self.orders = sorted([*self.orders, order], key=lambda known: known.step)

    def due(self, units: Units, now: int) -> Iterator[tuple[int, Target, Ints]]:
        """Say of each order that is due (number, first stop, units under way), once for each group."""
        for number, order in enumerate(self.orders):
            if order.step == now:
                who = order.units[units.state[order.units] <= UnitState.LOST]
                for group in np.unique(units.group[who]).tolist():
                    yield number, order.stops[0], who[units.group[who] == group]

    def reached(self, units: Units, now: int) -> Iterator[tuple[int, int, Target, Ints]]:
        """Say who goes on from a stop on the way: (order, number of the next stop, that, units), for each group."""
        for number, order in enumerate(self.orders):
            if order.step >= now or len(order.stops) == 1:
                continue
            stops = np.array([(stop.x, stop.y, stop.radius) for stop in order.stops])
            last = len(stops) - 1
            who = np.flatnonzero((units.order == number) & (units.stop < last) & (units.state <= UnitState.LOST))
            gap = stops[units.stop[who], :2] - units.position[who]
            who = who[(gap * gap).sum(axis=1) < stops[units.stop[who], 2] ** 2]
            kinds = np.stack([units.group[who], units.stop[who]], axis=1)
            for kind in np.unique(kinds, axis=0):
                stop = int(kind[1]) + 1
                yield number, stop, order.stops[stop], who[(kinds == kind).all(axis=1)]

    def aim(self, units: Units, plans: Plans, who: Ints, number: int, stop: int) -> None:
        """Make a stop of an order the target of units; they arrive only at the last one."""
        target, last = self.orders[number].stops[stop], len(self.orders[number].stops) - 1
        units.order[who] = number
        units.stop[who] = stop
        units.idle[who] = 0
        plans.aim(units, who, target.x, target.y, target.radius if stop == last else 0.0)

    def target(self, scenario: Scenario, units: Units, unit: int) -> Target:
        """Return where a unit goes next: a stop of its order, or the target of its group."""
        number = int(units.order[unit])
        if number < 0:
            return scenario.groups[int(units.group[unit])].target
        return self.orders[number].stops[int(units.stop[unit])]
