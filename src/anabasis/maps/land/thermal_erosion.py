"""Thermal erosion: on slopes steeper than the angle of rest, rubble slides down until none is.

F. K. Musgrave, C. E. Kolb and R. S. Mace, "The Synthesis and Rendering of Eroded Fractal Terrains", 1989. Between each
two neighbours flows a fixed part of what their difference has too much; all flows of a round are taken from the heights
before it, so no order of cells shows in the result. The parts of a cell add up to less than one, so new heights are
means of old ones: nothing overshoots, and what the slopes have too much, squared and added up, falls in each round.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.noun import freeze
from anabasis.options import check_count, check_length

__all__ = ["thermal_erosion"]

_STRAIGHT = 0.125  # the parts of a cell that may flow to each of its neighbours add up to 3/4
_DIAGONAL = 0.0625


def thermal_erosion(
    heights: ArrayLike, *, talus: float = 4.0, rounds: int = 40, seamless: bool = False
) -> NDArray[np.float64]:
    """Return float64[height, width], the heights after `rounds` rounds of sliding; their sum stays the same.

    - heights: float64[height, width], of any unit and range.
    - talus: the slope at which rubble rests, as the number of times that it would climb from the lowest to the highest
      ground of the map on a way as long as the map's longer side.
    - seamless: the left border goes on at the right one, and the upper at the lower; else nothing crosses a border.

    No height rises above the highest or falls below the lowest. Raises InputError for an option out of its range and
    heights that are no finite numbers.
    """
    before = freeze(heights, np.float64, (None, None), "heights")
    if before.size == 0 or not (np.abs(before) < 1e150).all():  # so that differences are finite, too
        raise InputError("heights", found=f"shape {before.shape}", expected="at least one cell, all of finite height")
    slope = check_length(talus, "talus")
    count = check_count(rounds, "rounds", most=100_000)
    relief = float(before.max() - before.min())
    rest = slope * relief / max(before.shape)
    padded, after = np.pad(before, 1), before.copy()
    for _ in range(count):
        _lay(after, padded, bool(seamless))
        _slide(padded, after, rest, rest * 2**0.5)
    return after


@kernel
def _lay(heights: Any, padded: Any, seamless: bool) -> None:
    """Copy heights into the middle of `padded`, and around them what lies beyond the border, mirrored or wrapped."""
    rows, columns = heights.shape
    for y in range(rows + 2):
        row = (y - 1) % rows if seamless else min(max(y - 1, 0), rows - 1)
        for x in range(columns):
            padded[y, x + 1] = heights[row, x]
        padded[y, 0] = heights[row, columns - 1 if seamless else 0]
        padded[y, columns + 1] = heights[row, 0 if seamless else columns - 1]


@kernel
def _slide(old: Any, new: Any, rest: float, slant: float) -> None:
    """Write the heights after one round. Both ends of a flow count the same amount, so that none is lost."""
    rows, columns = new.shape
    for y in range(rows):
        for x in range(columns):
            here = old[y + 1, x + 1]
            a, b = old[y, x + 1] - here, old[y + 2, x + 1] - here
            c, d = old[y + 1, x] - here, old[y + 1, x + 2] - here
            e, f = old[y, x] - here, old[y + 2, x + 2] - here
            g, h = old[y, x + 2] - here, old[y + 2, x] - here
            straight = (a - min(max(a, -rest), rest)) + (b - min(max(b, -rest), rest))
            straight += (c - min(max(c, -rest), rest)) + (d - min(max(d, -rest), rest))
            diagonal = (e - min(max(e, -slant), slant)) + (f - min(max(f, -slant), slant))
            diagonal += (g - min(max(g, -slant), slant)) + (h - min(max(h, -slant), slant))
            new[y, x] = here + (_STRAIGHT * straight + _DIAGONAL * diagonal)
