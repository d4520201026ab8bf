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
nearest to it and as many as X_j says for the slack of the others are the most. This is the dual of a quickest flow (L. R. Ford, D. R. Fulkerson, Constructing Maximal
Dynamic Flows from Static Flows, 1958; R. E. Burkard, K. Dlaska, B. Klinz, The Quickest Flow Problem, 1993): any cut
gives a valid bound, and a good one is searched for.

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
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scipy.spatial import KDTree

from anabasis.flow.cuts import chains, fewest_cells, side_of
from anabasis.flow.gaps import Gap, chain_gap, line_gap, most_crossing
from anabasis.flow.packing import kept_apart
from anabasis.flow.reach import Reach
from anabasis.flow.walking import STRETCH, Walks
from anabasis.grid import Grid
from anabasis.noun import freeze, set_field, summary
from anabasis.result import Result, Status
from anabasis.scenario import Change, Group, Steering

__all__ = ["Bound", "grid_bound"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_HAIR = 1e-6  # of a step; rounding is far below
_SHARES = (0.0, 0.25, 0.5, 0.75)  # of the units, nearest first, that a cut need not part from the target
_HORIZONS = (1.02, 1.1, 1.3)
_WINDOW = 12  # cells around a buried one in which ways to where its unit may be put are looked for
_EACH = 8  # gaps up to which each unit's way through each of them is looked at
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
    free, closing, jump = _over_time(grid, group, changes)
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


def _over_time(grid: Grid, group: Group, changes: Sequence[Change]) -> tuple[Bools, float, float]:
    """Return where it is free at any time, the first step in which a wall may bury units, and how far that moves them.

    The last is at most the sum, over all such changes, of the way from a buried cell to where a unit is put, or inf if
    a wall may lie between them.
    """
    free, closing, jump = grid.free, math.inf, 0.0
    for change in sorted(changes, key=lambda c: c.step):
        before = grid.free
        grid = grid.with_terrain(change.cells, change.letter, group.movement)
        free |= grid.free
        if (before & ~grid.free).any():
            closing = min(closing, change.step)
            jump += _longest_jump(before & ~grid.free, grid.free, free)
    return free, closing, jump


def _longest_jump(buried: Bools, landing: Bools, free: Bools) -> float:
    """Return how long the free way is at most from anywhere in a buried cell to the nearest free cell's centre."""
    places = np.argwhere(landing)
    if not len(places):
        return math.inf
    tree, longest = KDTree(places), 0.0
    for y, x in np.argwhere(buried):
        near, _ = tree.query((y, x))
        far = float(near) + math.sqrt(2.0) + _HAIR  # from the cell's middle to where it may be put from its rim
        y0, x0 = max(y - _WINDOW, 0), max(x - _WINDOW, 0)
        ways = Walks(free[y0 : y + _WINDOW + 1, x0 : x + _WINDOW + 1])
        corners, _ = ways.around(np.array([[x - x0 + 0.5, y - y0 + 0.5]]))
        way = ways.from_seeds(corners[0], np.zeros(4))
        ends = places[tree.query_ball_point((y, x), far)]
        if far > _WINDOW or not len(ends):
            return math.inf
        ends, _ = ways.around(ends[:, ::-1] - (x0, y0) + 0.5)
        longest = max(longest, float(way[ends].min(axis=1).max()) * STRETCH * (1.0 + _HAIR) + 3.0 * math.sqrt(0.5))
    return longest


class _Search:
    """The search for the cut that gives the largest bound."""

    def __init__(self, reach: Reach, apart: float, closing: float, jump: float, best: Bound) -> None:
        self.reach, self.apart, self.closing, self.jump, self.best = reach, apart, closing, jump, best
        self.speed = reach.group.speed
        self._cells = np.floor(reach.group.positions).astype(np.int64)

    def run(self) -> Bound:
        """Look at smallest cuts of the whole map, then of the map within ever tighter horizons."""
        walk = self.reach.walk
        everywhere = self.reach.free
        self._seen: set[bytes] = set()
        self._own: dict[tuple[object, bytes], tuple[float, Floats]] = {}
        for share in _SHARES:
            self._cuts(everywhere, walk >= np.quantile(walk, share), math.inf)
        for factor in _HORIZONS:
            latest = min(math.ceil(self.best.steps * factor), self.closing - 1)
            if latest < self.best.steps:
                return self.best
            within = self.reach.horizon(self.speed * latest)
            self._seen.clear()
            for share in _SHARES:
                self._cuts(within, walk >= np.quantile(walk, share), latest)
        return self.best

    def _cuts(self, free: Bools, which: Bools, latest: float) -> None:
        """Try the smallest cuts between some of the units and the target on a map that holds for T up to `latest`."""
        source, sink = np.zeros((2, *free.shape), bool)
        cells = self._cells[which]
        source[cells[:, 1], cells[:, 0]] = True
        sink[self.reach.goal[:, 1], self.reach.goal[:, 0]] = True
        if not (source & ~sink).any():
            return
        most = math.ceil(self.reach.group.size * self.apart**2 / (self.speed * 0.02 * (self.best.steps + 1)))
        found = fewest_cells(free, source & ~sink, sink, most)
        for cut in () if found is None else found:
            if cut.tobytes() in self._seen:
                continue
            self._seen.add(cut.tobytes())
            if not cut.any():  # no way is short enough for `latest`
                self._take(int(latest) + 1, [], 0)
                return
            gaps, behind = self._gaps(free, cut)
            steps = self._least_steps(gaps, behind)
            if steps > latest:
                steps = int(latest) + 1
            if steps > self.best.steps:
                self._take(steps, gaps, int(behind.sum()))

    def _take(self, steps: int, gaps: list[Gap], units: int) -> None:
        if not gaps:
            nothing = np.zeros((0, 2), np.int64)
            self.best = Bound(steps, steps, nothing, self.best.why)
            return
        wide = sum(gap.width for gap in gaps)
        places = "one place" if len(gaps) == 1 else f"{len(gaps)} places"
        why = f"{units} units have to get through {places} with a width of {wide:g} cells in all"
        cells = np.concatenate([gap.cells for gap in gaps])
        self.best = Bound(steps, self.best.walking, cells, why)

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

        def look(x: int, y: int, upright: bool, after: bool) -> float:
            gap = line_gap(free, (x, y), upright, after, self.apart)
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
            least, shift = found[upright, at, low, high][0], 8
            while shift:
                for to in (at - shift, at + shift):
                    x, y = (to, (low + high) // 2) if upright else ((low + high) // 2, to)
                    crossing = look(x, y, upright, False)
                    if crossing < least:
                        at, least = to, crossing
                        break
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

    def _least_steps(self, gaps: list[Gap], behind: Bools) -> int:
        """Return the step before which not all units behind a cut can have arrived."""
        if not behind.any():
            return 0
        ways = [self.reach.to_gap(gap) for gap in gaps]
        gaps = [gap.before(far) for gap, (_, far) in zip(gaps, ways, strict=True)]
        least = self._least_in_time(gaps, ways, behind)
        if least < self.closing:
            return least
        last = self.speed * (self.closing - 1.0)  # who is through before a wall comes is free of the cut
        through = sum(float(most_crossing(g, last - near)) for g, (near, _) in zip(gaps, ways, strict=True))
        if through >= behind.sum():
            return int(self.closing)
        rest = max((min(far for _, far in ways) - self.jump) / self.speed, 0.0)
        return min(least, max(int(self.closing), math.ceil(self.closing - 1 + rest - _HAIR)))

    def _least_in_time(self, gaps: list[Gap], ways: list[tuple[float, float]], behind: Bools) -> int:
        """Return the smallest step at which as many units can be through as the cut parts from the target.

        First a unit is as near to a gap as the nearest of all; or, since all points of a line are as near to each other
        as it is long, as its own way to the target says. If the step comes near to the best bound so far, each unit's
        own way to each gap is looked at.
        """
        walk = self.reach.walk[behind]
        rough = [
            np.maximum(near + far, walk - (math.inf if g.line is None else g.width))
            for g, (near, far) in zip(gaps, ways, strict=True)
        ]
        least = self._steps_for(gaps, rough)
        if len(gaps) > _EACH or least < 0.8 * self.best.steps or least >= self.closing:
            return least
        limit = 2.0 * self.speed * max(least, self.best.steps)
        own: list[Floats] = []
        for gap, (_, far), other in zip(gaps, ways, rough, strict=True):
            key = (gap.line, gap.cells.tobytes())
            if key not in self._own or self._own[key][0] < limit:
                self._own[key] = (limit, self.reach.units_to_gap(gap, limit))
            own.append(np.maximum(self._own[key][1][behind] + far, other))
        return self._steps_for(gaps, own)

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
