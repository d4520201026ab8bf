"""Parting: gaps in the place of a cut's cells, straight lines wherever these part the same units from the target.

A line is better than a chain of cells, since fewer cross it in a time: a chain is crossed by who enters a cell of it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis.bound.cuts import chains, side_of
from anabasis.bound.gaps import Gap, chain_gap, line_gap, most_crossing
from anabasis.bound.reach import Reach

__all__ = ["Parting"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_TRIES = 6  # lines that are tried in the place of a chain of cells


class Parting:
    """The search for gaps on one map of free cells, whose lines it keeps."""

    def __init__(self, reach: Reach, free: Bools, apart: float) -> None:
        self.reach, self.free, self.apart = reach, free, apart
        self._units = np.floor(reach.group.positions).astype(np.int64)
        self._known: dict[tuple[int, int, bool, bool], Gap | None] = {}

    def gaps(self, cut: Bools) -> tuple[list[Gap], Bools]:
        """Return the gaps of a cut, straight lines where these part as well, and which units are behind them."""
        parts = chains(cut)
        gaps = [chain_gap(part, self.apart) for part in parts]
        behind = self._behind(gaps)
        slack = self.reach.group.size * self.apart**2 / (1.2 * cut.sum())
        for number, part in enumerate(parts):
            for line in self._lines(part, slack)[:_TRIES]:
                other = [*gaps[:number], line, *gaps[number + 1 :]]
                now = self._behind(other)
                if now[behind].all():
                    gaps, behind = other, now
                    break
        return gaps, behind

    def _lines(self, part: Ints, slack: float) -> list[Gap]:
        """Return straight lines through a chain of cells and others near by in the corridor, fewest crossing first."""
        found: dict[tuple[bool, int, int, int], tuple[float, Gap]] = {}

        def look(x: int, y: int, upright: bool, after: bool = False) -> float:
            key = (x, y, upright, after)
            if key not in self._known:
                self._known[key] = line_gap(self.free, (x, y), upright, after, self.apart)
            gap = self._known[key]
            if gap is None or gap.line is None:
                return math.inf
            if gap.line not in found:
                found[gap.line] = (float(most_crossing(gap, slack)), gap)
            return found[gap.line][0]

        for x, y in part[:: max(1, len(part) // 6)].tolist():
            for upright in (True, False):
                for after in (False, True):
                    look(x, y, upright, after)
        for upright, at, low, high in sorted(found, key=lambda line: (found[line][0], line))[:2]:
            place, least, shift = at, found[upright, at, low, high][0], 8
            while shift:
                row = (low + high) // 2
                to = min(
                    (place - shift, place + shift), key=lambda to: look(*((to, row) if upright else (row, to)), upright)
                )
                crossing = look(*((to, row) if upright else (row, to)), upright)
                if crossing < least:
                    place, least = to, crossing
                else:
                    shift //= 2
        return [found[line][1] for line in sorted(found, key=lambda line: (found[line][0], line))]

    def _behind(self, gaps: list[Gap]) -> Bools:
        """Return which units can't reach the target without crossing a gap."""
        lines = [gap.line for gap in gaps if gap.line is not None]
        cells = [gap.cells for gap in gaps if gap.line is None]
        shut = np.concatenate([np.zeros((0, 2), np.int64), *cells])
        side = side_of(self.free, self.reach.goal, lines, shut)
        return ~side[self._units[:, 1], self._units[:, 0]]
