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

from anabasis.bound.burying import over_time
from anabasis.bound.cuts import fewest_cells
from anabasis.bound.gaps import Gap
from anabasis.bound.packing import kept_apart
from anabasis.bound.parting import Parting
from anabasis.bound.passing import HAIR, Cut, Passing
from anabasis.bound.reach import Reach
from anabasis.grid import Grid
from anabasis.noun import freeze, set_field, summary
from anabasis.result import Result, Status
from anabasis.scenario import Change, Group, Steering

__all__ = ["Bound", "grid_bound"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_SHARES = (0.0, 0.4, 0.7)  # of the units, nearest first, that a cut need not part from the target
_HORIZONS = (1.02, 1.15)  # times the best bound so far
_MATTER = 0.02  # a cut of so many cells that this share of the time would be enough is too large to matter
_EACH = 4  # gaps up to which each unit's way through each of them is looked at
_NEAR = 0.8  # of the best bound so far, below which a cut is not worth that
_FAR = 1.3  # times the bound; ways are not looked at beyond


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
    walking = math.ceil(float(reach.walk.max()) / group.speed - HAIR)
    if walking >= closing:
        rest = (float(reach.walk.max()) - jump) / group.speed if jump < math.inf else 0.0
        walking = max(int(closing), math.ceil(rest - HAIR))
    nothing = np.zeros((0, 2), np.int64)
    best = Bound(walking, walking, nothing, "the farthest unit's way to the target")
    apart = kept_apart(group, steering or Steering(), tuple(others), _least_apart([group, *others]))
    if apart > 0.0:
        best = _Search(reach, apart, Passing(group.speed, closing, jump), best).run()
    return Result(Status.SOLVED, best, bound=float(best.steps))


def _least_apart(groups: Sequence[Group]) -> float:
    """Return the least distance of any two units at the start, inf for one unit."""
    places = np.concatenate([g.positions for g in groups])
    if len(places) < 2:
        return math.inf
    near, _ = KDTree(places).query(places, k=2)
    return float(near[:, 1].min())


class _Search:
    """The search for the cut that gives the largest bound."""

    def __init__(self, reach: Reach, apart: float, passing: Passing, best: Bound) -> None:
        self.reach, self.apart, self.passing, self.best = reach, apart, passing, best
        self.speed = passing.speed
        self._cells = np.floor(reach.group.positions).astype(np.int64)
        self._own: dict[tuple[object, bytes], tuple[float, Floats]] = {}

    def run(self) -> Bound:
        """Look at smallest cuts of the whole map, then of the map within horizons beyond the best bound so far."""
        self._look(self.reach.free, math.inf)
        for factor in _HORIZONS:
            latest = min(math.ceil(self.best.steps * factor), self.passing.closing - 1)
            if latest < self.best.steps:
                break
            self._look(self.reach.horizon(self.speed * latest), latest)
        return self.best

    def _look(self, free: Bools, latest: float) -> None:
        """Try the smallest cuts of a map that holds for all T up to `latest`; look at the best of them closely."""
        walk = self.reach.walk
        tried: dict[bytes, tuple[int, Cut]] = {}
        parting = Parting(self.reach, free, self.apart)
        for share in _SHARES:
            for cells in self._smallest(free, walk >= np.quantile(walk, share)):
                if not cells.any():  # no way is short enough for `latest`
                    self.best = replace(self.best, steps=int(latest) + 1)
                    return
                if cells.tobytes() not in tried:
                    cut = self._cut(*parting.gaps(cells))
                    tried[cells.tobytes()] = (self.passing.least_steps(cut, cut.rough), cut)
        if not tried:
            return
        steps, cut = max(tried.values(), key=lambda entry: entry[0])
        if len(cut.gaps) <= _EACH and steps > _NEAR * self.best.steps:
            steps = max(steps, self.passing.least_steps(cut, self._own_ways(cut, max(steps, self.best.steps))))
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
        return fewest_cells(free, source, sink, math.ceil(self.reach.group.size / (_MATTER * hold + HAIR))) or ()

    def _cut(self, gaps: list[Gap], behind: Bools) -> Cut:
        """Return the cut of gaps and the units behind them, with its ways.

        First a unit is as near to a gap as the nearest of all; or, since all points of a line are as near to each other
        as it is long, as its own way to the target says.
        """
        ways = [self.reach.to_gap(gap) for gap in gaps]
        walk = self.reach.walk[behind]
        rough = [
            np.maximum(near + far, walk - (math.inf if gap.line is None else gap.width))
            for gap, (near, far) in zip(gaps, ways, strict=True)
        ]
        timely = [gap.before(far) for gap, (_, far) in zip(gaps, ways, strict=True)]
        return Cut(timely, behind, ways, rough)

    def _take(self, steps: int, cut: Cut) -> None:
        wide = sum(gap.width for gap in cut.gaps)
        places = "one place" if len(cut.gaps) == 1 else f"{len(cut.gaps)} places"
        why = f"{cut.behind.sum()} units have to get through {places} with a width of {wide:g} cells in all"
        self.best = Bound(steps, self.best.walking, np.concatenate([gap.cells for gap in cut.gaps]), why)

    def _own_ways(self, cut: Cut, steps: int) -> list[Floats]:
        """Return for each gap float64[units behind]: each one's way through it, up to a limit."""
        own: list[Floats] = []
        for gap, (_, far), rough in zip(cut.gaps, cut.ways, cut.rough, strict=True):
            limit = max(_FAR * self.speed * steps - far, 1.0)
            key = (gap.line, gap.cells.tobytes())
            if key not in self._own or self._own[key][0] < limit:
                self._own[key] = (limit, self.reach.units_to_gap(gap, limit))
            own.append(np.maximum(self._own[key][1][cut.behind] + far, rough))
        return own
