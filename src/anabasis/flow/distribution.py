"""Distribution: how many of n units take each of several routes so that the last one arrives soonest, exactly.

The virtual routes of J. Pacovský, "Navigation of units in video games using flow networks", 2019. A route of time t and
rate p delivers T(i) = (i - t) · p / period units up to step i, nothing before t; routes that are in use together act
like one route that had delivered some units already when the last of them came into use. Beyond the source, only whole
units count on each route, T(i) rounded down, and the least step is exact with that, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.network import PERIOD, Route
from anabasis.noun import summary

__all__ = [
    "Distribution",
    "VirtualRoute",
    "distribute",
    "fastest",
    "fluid_steps",
    "merged",
    "route_steps",
    "transit",
    "virtual_route",
    "without_excess",
]

Numbers = Sequence[int] | NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Distribution:
    """The units on each route, int64[m], and the step at which the last of them arrives."""

    steps: int
    counts: NDArray[np.int64]

    __repr__ = summary


class VirtualRoute(NamedTuple):
    """Routes in use together: rate p from time t on, when `delivered` had arrived, in units times the period."""

    time: int
    rate: int
    delivered: int

    def transit(self, step: int) -> int:
        """Return what has arrived up to a step, in units times the period."""
        return (step - self.time) * self.rate + self.delivered if step >= self.time else 0

    def steps(self, wanted: int) -> int:
        """Return the first step at which `wanted` has arrived, in units times the period."""
        missing = wanted - self.delivered
        return self.time if missing <= 0 else self.time + _ceil(missing, self.rate)


def distribute(times: Numbers, rates: Numbers, units: int, *, period: int = PERIOD) -> Distribution:
    """Return how many units take each of m routes so that the last one arrives soonest; no other way is faster.

    - times: int64[m] ≥ 0, the steps of each route. rates: int64[m] ≥ 0, the units that it carries in `period` steps;
      a route of rate 0 gets no unit.
    - Of equally fast distributions the one is returned that fills all routes up to the last step and then takes units
      off the most numerous ones. Without units, or if nobody has to walk at all, it takes 0 steps.

    Raises InputError for a number below 0, lists of different length, or units for which there is no route at all.
    """
    t, p = _checked(times, rates, units, period)
    if units == 0:
        return Distribution(0, np.zeros(len(t), np.int64))
    step = _whole_steps(t, p, units, period)
    full = [transit(time, rate, step, period=period) for time, rate in zip(t, p, strict=True)]
    return Distribution(step, np.array(without_excess(full, units), np.int64))


def fastest(snapshots: Sequence[Sequence[Route]], units: int, *, period: int = PERIOD) -> tuple[int, Distribution]:
    """Return the number of the set of routes that brings units to the sink soonest, the first of equals, and how.

    Raises InputError if there are units and no set has a route.
    """
    best: tuple[int, Distribution] | None = None
    for number, routes in enumerate(snapshots):
        if units > 0 and not routes:
            continue
        split = distribute([r.length for r in routes], [r.amount for r in routes], units, period=period)
        if best is None or split.steps < best[1].steps:
            best = number, split
    if best is None:
        raise InputError("units to distribute", found=f"{units} and no route", expected="a set with a route")
    return best


def transit(time: int, rate: int, step: int, *, period: int = PERIOD) -> int:
    """Return how many whole units a route has delivered up to a step."""
    return (step - time) * rate // period if step >= time else 0


def route_steps(time: int, rate: int, units: int, *, period: int = PERIOD) -> int:
    """Return the step at which a route alone, of a rate above 0, has delivered so many units."""
    return time + _ceil(units * period, rate)


def merged(times: Sequence[int], rates: Sequence[int]) -> list[tuple[int, int]]:
    """Return (time, rate) by growing time, routes of equal time as one, those of rate 0 left out."""
    total: dict[int, int] = {}
    for time, rate in zip(times, rates, strict=True):
        if rate:
            total[time] = total.get(time, 0) + rate
    return sorted(total.items())


def virtual_route(times: Sequence[int], rates: Sequence[int], wanted: int) -> VirtualRoute:
    """Return the virtual route of those routes that are in use before `wanted` has arrived, in units times the period.

    A route comes into use if the others have not delivered enough by the time at which its first unit could arrive.
    """
    virtual = VirtualRoute(0, 0, 0)
    for time, rate in merged(times, rates):
        before = virtual.transit(time)
        if before >= wanted:
            break
        virtual = VirtualRoute(time, virtual.rate + rate, before)
    return virtual


def fluid_steps(times: Sequence[int], rates: Sequence[int], units: int, *, period: int = PERIOD) -> int:
    """Return the first step at which routes have delivered so many units in all if parts of units count as well.

    At least one rate must be above 0 if there are units.
    """
    return virtual_route(times, rates, units * period).steps(units * period) if units else 0


def without_excess(counts: Sequence[int], units: int) -> list[int]:
    """Return counts with the sum `units`: those of a greater sum, with units taken one by one off the most numerous.

    Of equally numerous ones the last gives first.
    """
    low, high = 0, max(counts, default=0)  # the lowest level to which all can be cut so that enough are left
    while low < high:
        level = (low + high) // 2
        if sum(min(count, level) for count in counts) >= units:
            high = level
        else:
            low = level + 1
    result = [min(count, low) for count in counts]
    excess = sum(result) - units
    for i in reversed(range(len(result))):
        if excess > 0 and result[i] == low:
            result[i] -= 1
            excess -= 1
    return result


def _whole_steps(times: Sequence[int], rates: Sequence[int], units: int, period: int) -> int:
    """Return the first step at which routes have delivered so many units if only whole ones count on each.

    Rounding down loses less than one unit a route, so that step lies between the fluid ones for so many units and for
    so many more; in between the sum of whole units never falls.
    """
    used = sum(rate > 0 for rate in rates)
    low = fluid_steps(times, rates, units, period=period)
    high = low if period == 1 else fluid_steps(times, rates, units + used, period=period)
    while low < high:
        step = (low + high) // 2
        if sum(transit(t, p, step, period=period) for t, p in zip(times, rates, strict=True)) >= units:
            high = step
        else:
            low = step + 1
    return low


def _checked(times: Numbers, rates: Numbers, units: int, period: int) -> tuple[list[int], list[int]]:
    t, p = [int(time) for time in times], [int(rate) for rate in rates]
    if len(t) != len(p):
        raise InputError("times and rates of routes", found=f"{len(t)} and {len(p)}", expected="as many of both")
    if min(t, default=0) < 0 or min(p, default=0) < 0 or units < 0:
        raise InputError("times, rates and units to distribute", found="one below 0", expected="at least 0")
    if period <= 0:
        raise InputError("the period of rates", found=period, expected="at least 1 step")
    if units and not any(p):
        raise InputError("units to distribute", found=f"{units} and no route of a rate above 0")
    return t, p


def _ceil(a: int, b: int) -> int:
    return -(-a // b)
