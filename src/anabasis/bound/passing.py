"""Passing: the step before which the units behind a cut can't all be through its gaps and at the target.

Each of them takes one of the gaps. How long its way is through each gap is given, and how many get through a gap in the
time that is left over is known from `gaps`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.bound.gaps import Gap, most_crossing

__all__ = ["HAIR", "Cut", "Passing"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

HAIR = 1e-6  # of a step; rounding is far below


@dataclass(frozen=True, eq=False)
class Cut:
    """Gaps that part units from the target.

    behind: bool[n], which units. ways: how far it is to each gap from the nearest unit, and on to the target.
    rough: for each gap, float64[units behind], at least how long the way of each is through it.
    """

    gaps: list[Gap]
    behind: Bools
    ways: list[tuple[float, float]]
    rough: list[Floats]


@dataclass(frozen=True)
class Passing:
    """What holds for all cuts of a map: the units' speed in cells a step, and the first wall that buries units.

    closing: its step. jump: how far it may put a unit.
    """

    speed: float
    closing: float
    jump: float

    def least_steps(self, cut: Cut, units: list[Floats]) -> int:
        """Return the step before which not all units behind a cut can have arrived, by its units' ways."""
        if not cut.behind.any():
            return 0
        least = self._steps_for(cut.gaps, units)
        if least < self.closing:
            return least
        last = self.speed * (self.closing - 1.0)  # who is through before a wall comes is free of the cut
        through = sum(float(most_crossing(g, last - near)) for g, (near, _) in zip(cut.gaps, cut.ways, strict=True))
        if through >= cut.behind.sum():
            return int(self.closing)
        rest = max((min(far for _, far in cut.ways) - self.jump) / self.speed, 0.0)
        return min(least, max(int(self.closing), math.ceil(self.closing - 1 + rest - HAIR)))

    def _steps_for(self, gaps: list[Gap], ways: list[Floats]) -> int:
        """Return the smallest step at which all units can be through, whose ways through each gap are given.

        This must hold for all of them, and for those alone that are farther away than others. Of any units, the
        k nearest to a gap and what has room in the time of the others are the most that get through it.
        """
        nearest = np.argsort(np.minimum.reduce(ways), kind="stable")
        size, least = nearest.size, 0
        for first in sorted({int(k * size / 16) for k in range(16)}):
            part = [np.sort(way[nearest[first:]]) for way in ways]
            least = self._first_step(gaps, part, size - first, least)
        return least

    def _first_step(self, gaps: list[Gap], ways: list[Floats], units: int, least: int) -> int:
        """Return the smallest step from `least` on at which so many units can be through; ways are in order."""
        some = np.array(sorted({int(k * units / 24) for k in range(24)}))

        def enough(steps: int) -> bool:
            length = self.speed * steps * (1.0 + 1e-9)
            through = [(some + most_crossing(g, length - w[some])).min() for g, w in zip(gaps, ways, strict=True)]
            return sum(through) >= units

        if enough(least):
            return least
        low, high = least, max(2 * least, 64)
        while not enough(high):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high
