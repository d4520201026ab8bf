"""Bound: before which step the last unit of a group can't have arrived, whatever the method and however the map is cut.

No decomposition, network or planner goes into it, only what the simulator lets a unit do. The bound is the largest of
several, each of which is proved:

Walking. A unit's centre stays in free cells and moves at most `speed` a step, so it needs at least the length of the
shortest way to the target's circle, divided by the speed (`walking` has lower bounds of such lengths).

Cuts. Let lines j in free cells part all of a set of n units from the target. Each of these units crosses one of the
lines. If a unit that has arrived at step T crosses line j, it does so no earlier than d(units, j) / speed and no later
than T - d(j, target) / speed: in a time in which one walks no farther than

    slack(j) = speed · T - d(units, j) - d(j, target).

So at most X_j(slack(j)) units cross line j, with X_j from `gaps`, and n <= sum of X_j(slack(j)); the bound is the
smallest T for which this holds. It also holds for any part of the units; and of those that go through line j, the i
nearest to it and as many as X_j says for the slack of the others are the most.
This is the dual of a quickest flow (L. R. Ford, D. R. Fulkerson, Constructing Maximal Dynamic Flows from Static Flows,
1958; R. E. Burkard, K. Dlaska, B. Klinz, The Quickest Flow Problem, 1993): any cut gives a valid bound, and a good one
is searched for.

Horizon. To be there at step T, a unit can only walk through places with d(units, p) + d(p, target) <= speed · T. So if
cuts of the map without all other cells give a bound above T, then T is not enough. On a plain without walls this is
what makes a cut short.

Changes of the map. All cells count as free that are so at any time. A unit that a new wall buries is put onto the
nearest free cell, which may be any distance away in no time: from the first such change on, nothing is claimed for
units that are not yet through the cut, except that they still have the rest of the way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from anabasis.flow.burying import over_time
from anabasis.flow.cuts import chains, fewest_cells, side_of
from anabasis.flow.gaps import Gap, chain_gap, line_gap, most_crossing
from anabasis.flow.packing import kept_apart
from anabasis.flow.reach import Reach
from anabasis.grid import Grid
from anabasis.noun import freeze, set_field, summary
from anabasis.result import Result, Status
from anabasis.scenario import Change, Group, Steering

__all__ = ["Bound", "grid_bound"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_HAIR = 1e-6  # of a step; rounding is far below
_SHARES = (0.0, 0.4, 0.7)  # of the units, nearest first, that a cut need not part from the target
_HORIZONS = (1.02, 1.15)  # times the best bound so far
_MATTER = 0.02  # a cut of so many cells that this share of the time would be enough is too large to matter
_EACH = 4  # gaps up to which each unit's way through each of them is looked at
_NEAR = 0.8  # of the best bound so far, below which a cut is not worth that
_FAR = 1.3  # times the bound; ways are not looked at beyond
_TRIES = 6  # lines that are tried in the place of a chain of cells


@dataclass(frozen=True, eq=False)
class Bound:
    """A proved lower bound of the step at which the last unit arrives.

    - steps: no method can bring the last unit to the target before this step.
    - walking: the part of it that the longest way of one unit alone would need.
    - cells: int64[k, 2], the free cells (x, y) along the cut that proves it; empty if walking alone does.
    - why: one sentence for a person.
    """

    steps: int
    walking: int
    cells: NDArray[np.int64]
    why: str

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "cells", freeze(self.cells, np.int64, (None, 2), "cells of a bound"))


def grid_bound(
    grid: Grid,
    group: Group,
    *,
    steering: Steering | None = None,
    changes: Sequence[Change] = (),
    others: Sequence[Group] = (),
) -> Result[Bound]:
    """Return a lower bound of the step at which the last unit of a group can have arrived.

    `grid` is the map as the group sees it, at the start; `changes` are those of the scenario and `others` its other
    groups, who are in the way at best. NO_SOLUTION if a unit can't reach the target at any time. Raises InputError for
    units or a target in a wall.
    """
    free, closing, jump = over_time(grid, group, changes)
    group.vertices(grid)
    group.goal(grid)
    reach = Reach(free, group)
    if not np.isfinite(reach.walk).all():
        lost = np.flatnonzero(~np.isfinite(reach.walk))
        return Result(Status.NO_SOLUTION, reason=f"no way leads from unit {lost[0]} to the target")
    walking = math.ceil(float(reach.walk.max()) / group.speed - _HAIR)
    if walking >= closing:
        rest = (float(reach.walk.max()) - jump) / group.speed if jump < math.inf else 0.0
        walking = max(int(closing), math.ceil(rest - _HAIR))
    nothing = np.zeros((0, 2), np.int64)
    best = Bound(walking, walking, nothing, "the farthest unit's way to the target")
    apart = kept_apart(group, steering or Steering(), tuple(others), _least_apart([group, *others]))
    if apart > 0.0:
        best = _Search(reach, apart, closing, jump, best).run()
    return Result(Status.SOLVED, best, bound=float(best.steps))


def _least_apart(groups: Sequence[Group]) -> float:
    """Return the least distance of any two units at the start, inf for one unit."""
    places = np.concatenate([g.positions for g in groups])
    if len(places) < 2:
        return math.inf
    near, _ = KDTree(places).query(places, k=2)
    return float(near[:, 1].min())


@dataclass(frozen=True, eq=False)
class _Cut:
    """Gaps that part units from the target.

    behind: bool[n], which units. ways: how far it is to each gap from the nearest unit, and on to the target.
    rough: for each gap, float64[units behind], at least how long the way of each is through it.
    """

    gaps: list[Gap]
    behind: Bools
    ways: list[tuple[float, float]]
    rough: list[Floats]


class _Search:
    """The search for the cut that gives the largest bound."""

    def __init__(self, reach: Reach, apart: float, closing: float, jump: float, best: Bound) -> None:
        self.reach, self.apart, self.closing, self.jump, self.best = reach, apart, closing, jump, best
        self.speed = reach.group.speed
        self._cells = np.floor(reach.group.positions).astype(np.int64)
        self._known: dict[tuple[int, int, bool, bool], Gap | None] = {}  # lines of the map that is looked at
        self._own: dict[tuple[object, bytes], tuple[float, Floats]] = {}

    def run(self) -> Bound:
        """Look at smallest cuts of the whole map, then of the map within horizons beyond the best bound so far."""
        self._look(self.reach.free, math.inf)
        for factor in _HORIZONS:
            latest = min(math.ceil(self.best.steps * factor), self.closing - 1)
            if latest < self.best.steps:
                break
            self._look(self.reach.horizon(self.speed * latest), latest)
        return self.best

    def _look(self, free: Bools, latest: float) -> None:
        """Try the smallest cuts of a map that holds for all T up to `latest`; look at the best of them closely."""
        walk = self.reach.walk
        tried: dict[bytes, tuple[int, _Cut]] = {}
        self._known.clear()
        for share in _SHARES:
            for cells in self._smallest(free, walk >= np.quantile(walk, share)):
                if not cells.any():  # no way is short enough for `latest`
                    self.best = replace(self.best, steps=int(latest) + 1)
                    return
                if cells.tobytes() not in tried:
                    cut = self._cut(free, cells)
                    tried[cells.tobytes()] = (self._least_steps(cut, cut.rough), cut)
        if not tried:
            return
        steps, cut = max(tried.values(), key=lambda entry: entry[0])
        if len(cut.gaps) <= _EACH and steps > _NEAR * self.best.steps:
            steps = max(steps, self._least_steps(cut, self._own_ways(cut, max(steps, self.best.steps))))
        steps = int(min(steps, latest + 1))
        if steps > self.best.steps:
            self._take(steps, cut)

    def _smallest(self, free: Bools, which: Bools) -> tuple[Bools, ...]:
        """Return the smallest cuts between some of the units and the target, none if they are too large to matter."""
        source, sink = np.zeros((2, *free.shape), bool)
        cells = self._cells[which]
        source[cells[:, 1], cells[:, 0]] = True
        sink[self.reach.goal[:, 1], self.reach.goal[:, 0]] = True
        source &= ~sink
        if not source.any():
            return ()
        hold = self.speed * self.best.steps / self.apart**2  # so many pass a cell until the best bound, and more
        return fewest_cells(free, source, sink, math.ceil(self.reach.group.size / (_MATTER * hold + _HAIR))) or ()

    def _cut(self, free: Bools, cells: Bools) -> _Cut:
        """Return the cut with its ways.

        First a unit is as near to a gap as the nearest of all; or, since all points of a line are as near to each other
        as it is long, as its own way to the target says.
        """
        gaps, behind = self._gaps(free, cells)
        ways = [self.reach.to_gap(gap) for gap in gaps]
        walk = self.reach.walk[behind]
        rough = [
            np.maximum(near + far, walk - (math.inf if gap.line is None else gap.width))
            for gap, (near, far) in zip(gaps, ways, strict=True)
        ]
        timely = [gap.before(far) for gap, (_, far) in zip(gaps, ways, strict=True)]
        return _Cut(timely, behind, ways, rough)

    def _take(self, steps: int, cut: _Cut) -> None:
        wide = sum(gap.width for gap in cut.gaps)
        places = "one place" if len(cut.gaps) == 1 else f"{len(cut.gaps)} places"
        why = f"{cut.behind.sum()} units have to get through {places} with a width of {wide:g} cells in all"
        self.best = Bound(steps, self.best.walking, np.concatenate([gap.cells for gap in cut.gaps]), why)

    def _gaps(self, free: Bools, cut: Bools) -> tuple[list[Gap], Bools]:
        """Return the gaps of a cut, straight lines where these part as well, and which units are behind them."""
        parts = chains(cut)
        gaps = [chain_gap(part, self.apart) for part in parts]
        behind = self._behind(free, gaps)
        slack = self.reach.group.size * self.apart**2 / (1.2 * cut.sum())
        for number, part in enumerate(parts):
            for line in self._lines(free, part, slack)[:_TRIES]:
                other = [*gaps[:number], line, *gaps[number + 1 :]]
                now = self._behind(free, other)
                if now[behind].all():
                    gaps, behind = other, now
                    break
        return gaps, behind

    def _lines(self, free: Bools, part: Ints, slack: float) -> list[Gap]:
        """Return straight lines through a chain of cells and others near by in the corridor, fewest crossing first."""
        found: dict[tuple[bool, int, int, int], tuple[float, Gap]] = {}

        def look(x: int, y: int, upright: bool, after: bool = False) -> float:
            key = (x, y, upright, after)
            if key not in self._known:
                self._known[key] = line_gap(free, (x, y), upright, after, self.apart)
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

    def _behind(self, free: Bools, gaps: list[Gap]) -> Bools:
        """Return which units can't reach the target without crossing a gap."""
        lines = [gap.line for gap in gaps if gap.line is not None]
        cells = [gap.cells for gap in gaps if gap.line is None]
        shut = np.concatenate([np.zeros((0, 2), np.int64), *cells])
        side = side_of(free, self.reach.goal, lines, shut)
        return ~side[self._cells[:, 1], self._cells[:, 0]]

    def _least_steps(self, cut: _Cut, units: list[Floats]) -> int:
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
        return min(least, max(int(self.closing), math.ceil(self.closing - 1 + rest - _HAIR)))

    def _own_ways(self, cut: _Cut, steps: int) -> list[Floats]:
        """Return for each gap float64[units behind]: each one's way through it, up to a limit."""
        own: list[Floats] = []
        for gap, (_, far), rough in zip(cut.gaps, cut.ways, cut.rough, strict=True):
            limit = max(_FAR * self.speed * steps - far, 1.0)
            key = (gap.line, gap.cells.tobytes())
            if key not in self._own or self._own[key][0] < limit:
                self._own[key] = (limit, self.reach.units_to_gap(gap, limit))
            own.append(np.maximum(self._own[key][1][cut.behind] + far, rough))
        return own

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
