"""A step of a changing world, searched in three ways: by mending, by the same search begun anew, by A* from scratch.

D* Lite (S. Koenig and M. Likhachev, 2002) for a unit, LPA* (S. Koenig, M. Likhachev and D. Furcy, 2004) for fixed ends.
Times are processor time. Of a unit's search the next step is asked, mended and begun anew by the very same call,
`DStarLite.step_after`; that the latter forgets what it knew, and that A* makes its tables of a map, is done before the
clock runs, in their favour. A* gives whole ways, so it is held against the mended search that is asked for its whole
way after the step. Between fixed ends all three give whole ways, the mended search in two calls and the others in one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.astar import AStar
from anabasis.search.dstar_lite import DStarLite
from anabasis.search.lpa_star import LPAStar

__all__ = ["WAYS", "Step", "ends_step", "ground", "ratios", "summary", "unit_step"]

T = TypeVar("T")
Ints, Floats = NDArray[np.int64], NDArray[np.float64]

WAYS = ("mended", "anew", "whole way", "A*")
"""What is timed. Whole way: of the mended search, with the step before it."""


@dataclass(frozen=True)
class Step:
    """What one search cost: ms by WAYS; mended, anew and by A* the cost of the way, inf without one, and expansions.

    way: that of the mended search.
    """

    changed: int
    times: tuple[float, float, float, float]
    costs: tuple[float, float, float]
    expanded: tuple[int, int, int]
    way: Result[Path]

    @property
    def equal(self) -> bool:
        """Whether all ways cost the same, but for rounding."""
        own = self.costs[0]
        return all(cost == own or abs(cost - own) <= 1e-9 * own < np.inf for cost in self.costs)


def ground(cost: Floats, side: int) -> Grid:
    """Return the map of side columns with these prices."""
    return Grid(cost.reshape(-1, side), np.where(np.isinf(cost), ord("@"), ord(".")).astype(np.uint8).reshape(-1, side))


def _timed(action: Callable[[], T]) -> tuple[T, float]:
    begin = time.process_time_ns()
    value = action()
    return value, (time.process_time_ns() - begin) / 1e6


def _cost(result: Result[Path]) -> float:
    return np.inf if result.value is None else result.value.cost


def unit_step(mended: DStarLite, anew: DStarLite, astar: AStar, cells: Ints, prices: Floats) -> Step:
    """Tell both searches of a unit what has changed and ask for its next step; A* knows the map as it is now."""
    anew.set_goal(mended.goal)  # which forgets all but the prices
    before = mended.total_expanded, anew.total_expanded
    first = _timed(lambda: mended.step_after(cells, prices))[1]
    second = _timed(lambda: anew.step_after(cells, prices))[1]
    other, last = _timed(lambda: astar.find(mended.start, mended.goal))
    spent = mended.total_expanded - before[0], anew.total_expanded - before[1], int(other.stats["expanded"])
    way, rest = _timed(mended.path)
    costs = _cost(way), _cost(anew.path()), _cost(other)
    return Step(len(cells), (first, second, first + rest, last), costs, spent, way)


def ends_step(mended: LPAStar, anew: LPAStar, astar: AStar, cells: Ints, prices: Floats) -> Step:
    """Tell the search between fixed ends what has changed; the others know the map as it is now. Ask for whole ways."""

    def mend() -> Result[Path]:
        mended.change(cells, prices)
        return mended.path()

    way, first = _timed(mend)
    fresh, second = _timed(anew.path)
    other, last = _timed(lambda: astar.find(mended.start, mended.goal))
    spent = mended.expanded, anew.expanded, int(other.stats["expanded"])
    return Step(len(cells), (first, second, first, last), (_cost(way), _cost(fresh), _cost(other)), spent, way)


def summary(steps: Sequence[Sequence[Step]]) -> dict[str, object]:
    """Return the sums over steps, each of one search a unit; under "times" ms of each step by the names of WAYS."""
    every = [search for step in steps for search in step]
    later = [search for step in steps[1:] for search in step]
    expanded = np.array([search.expanded for search in later]).reshape(-1, 3).sum(axis=0).tolist()
    return {
        "steps": len(steps),
        "searches": len(every),
        "changed a step": sum(search.changed for search in later) / max(len(later), 1),
        "equal costs": sum(search.equal for search in every),
        "without a way": sum(search.costs[0] == np.inf for search in every),
        "expanded first": sum(search.expanded[0] for search in steps[0]),
        **dict(zip(("expanded", "expanded anew", "expanded by A*"), expanded, strict=True)),
        "times": {name: [sum(s.times[k] for s in step) for step in steps] for k, name in enumerate(WAYS)},
    }


def ratios(times: Mapping[str, Sequence[float]], own: str, line: str) -> dict[str, float]:
    """Return by how much one of WAYS is faster than another: at each step after the first, and over all steps."""
    ours, other = np.array(times[own]), np.array(times[line])
    each = other[1:] / ours[1:]
    return {
        "median": float(np.median(each)),
        "best": float(each.max()),
        "worst": float(each.min()),
        "slower": int((each < 1).sum()),
        "later": float(other[1:].sum() / ours[1:].sum()),
        "total": float(other.sum() / ours.sum()),
    }
