"""Ranges: how large the random offsets of fractal heights are, and how fast they shrink.

A. Fournier, D. Fussell, L. Carpenter, "Computer rendering of stochastic models", 1982.
"""

from __future__ import annotations

import numpy as np

from anabasis.errors import InputError
from anabasis.noun import freeze
from anabasis.options import check_choice, check_share

__all__ = ["SCHEDULES", "offset_ranges"]

SCHEDULES = ("plain", "compounding")
_MOST = 1e9  # so that truncated heights fit 64 bits, with room to spare


def offset_ranges(iterations: int, *, amplitude: float, roughness: float, schedule: str = "plain") -> list[float]:
    """Return the range of the random offsets at each iteration.

    That is amplitude · roughness^k with *plain*, amplitude · roughness^(k(k + 1)/2) with *compounding*. Raises
    InputError for an amplitude that is not from 0 to 10⁹, a roughness that is no share, an unknown schedule.
    """
    reach = float(freeze(amplitude, np.float64, (), "amplitude"))
    if not 0 <= reach <= _MOST:
        raise InputError("amplitude", found=f"{amplitude}", expected="a number from 0 to 10⁹")
    share = check_share(roughness, "roughness")
    check_choice(schedule, "schedule", SCHEDULES)
    ranges, factor = [reach], share
    for _ in range(1, iterations):
        ranges.append(ranges[-1] * factor)
        factor *= share if schedule == "compounding" else 1.0
    return ranges[:iterations]
