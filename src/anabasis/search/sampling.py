"""Sampling: what the planners share that grow trees of sampled places in a world: checked ends, reports, results.

A tree is an array of places, the root first, and the number of each place's parent, -1 for a root.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, hypot

import numpy as np
from numpy.typing import NDArray

from anabasis.decompose.free_space import FreeSpace, free_space
from anabasis.errors import InputError
from anabasis.options import check_count, check_length
from anabasis.plan import Path
from anabasis.result import Result, SearchTrace, Status
from anabasis.world import World, check_place

__all__ = ["Ends", "check_samples", "default_step", "path_of", "tree_result", "tree_trace"]

_HINT = "decompose.outline.grid_world makes a World of a Grid"
_LEAST = 1e-6  # of the diagonal of a world: the shortest step
_MOST = 2**26  # samples
Floats, Ints = NDArray[np.float64], NDArray[np.int64]


class Ends:
    """A world with a start and a goal, checked; `closed` is the Result where no search is needed to tell it."""

    def __init__(self, world: World, start: Sequence[float], goal: Sequence[float]) -> None:
        if not isinstance(world, World):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError("nothing that can be searched", found=type(world).__name__, expected="a World", hint=_HINT)
        self.world = world
        self.start, self.goal = check_place(world.bounds, start, "start"), check_place(world.bounds, goal, "goal")
        self.free: FreeSpace = free_space(world)
        self.closed: Result[Path] | None = self._closed()

    def _closed(self) -> Result[Path] | None:
        for place, role in ((self.start, "start"), (self.goal, "goal")):
            if self.free.part(place) < 0:
                return self.none(f"the {role} ({place[0]:g}, {place[1]:g}) lies in an obstacle")
        if self.start == self.goal:
            path = Path(np.empty(0, np.int64), np.array([self.start]), 0.0)
            return Result(Status.SOLVED, path, "", 0.0, {"expanded": 0, "generated": 1, "states": 1})
        here = self._parts(self.start)
        if here & self._parts(self.goal):
            return None
        places = np.concatenate([[self.start], self.free.corners[np.isin(self.free.component, list(here))]])
        x, y = places[np.hypot(*(places - np.array(self.goal)).T).argmin()].tolist()
        reason = "no way: the start and the goal lie in parts of the free space that are not connected"
        return self.none(reason, {"nearest_x": x, "nearest_y": y})

    def _parts(self, place: tuple[float, float]) -> set[int]:
        """Return the numbers of the free parts in which a free place lies: several where they touch in it."""
        here = (self.free.corners == np.array(place)).all(axis=1)
        return {self.free.part(place), *self.free.component[here].tolist()}

    def none(self, reason: str, nearest: dict[str, float] | None = None) -> Result[Path]:
        """Return the Result of a query that has no solution; nearest: the corner nearest to the goal, if known."""
        stats: dict[str, float] = {"expanded": 0, "generated": 0, "states": 0}
        return Result(Status.NO_SOLUTION, None, reason, 0.0, stats | (nearest or {}))


def default_step(world: World, step: float | None, share: float, name: str = "step") -> float:
    """Return a step: the one given, else that share of the diagonal of the world.

    Raises InputError for less than a millionth of the diagonal: a walk in such steps would never end.
    """
    x0, y0, x1, y1 = world.bounds
    diagonal = hypot(x1 - x0, y1 - y0)
    length = diagonal * share if step is None else check_length(step, name)
    if length < diagonal * _LEAST:
        raise InputError(name, found=f"{length:g}", expected=f"at least {diagonal * _LEAST:g} in this world")
    return length


def check_samples(limit: int, name: str = "limit of samples") -> int:
    """Return a limit of samples (or steps): at least 1, and no more than there is memory for."""
    return check_count(limit, name, 1, _MOST)


def path_of(points: Floats, parent: Ints, last: int) -> Floats:
    """Return float64[k, 2]: the places from the root of a tree to one of its places."""
    chain: list[int] = []
    while last >= 0:
        chain.append(last)
        last = int(parent[last])
    return points[chain[::-1]]


def tree_result(
    ends: Ends, way: Floats, gave_up: str, stats: dict[str, float], trace: SearchTrace | None
) -> Result[Path]:
    """Return the Result of a search that found a way (float64[k, 2], without rows if it found none) or gave up."""
    bound = dist(ends.start, ends.goal)
    if not len(way):
        return Result(Status.LIMIT, None, gave_up, bound, stats, trace)
    keep = np.concatenate(([True], (np.diff(way, axis=0) != 0).any(axis=1)))
    way = way[keep]
    cost = float(np.hypot(*np.diff(way, axis=0).T).sum())
    return Result(Status.SOLVED, Path(np.empty(0, np.int64), way, cost), "", min(bound, cost), stats, trace)


def tree_trace(points: Floats, parent: Ints, goal: tuple[float, float]) -> SearchTrace:
    """Return a tree as the trace of a search: its places in order, as they were added, with their own points.

    g is the length of the way from the root; parents may come later than their children, where a tree was rewired.
    """
    count = len(parent)
    g, known = np.zeros(count), parent < 0
    step = np.where(known, 0.0, np.hypot(*(points - points[parent]).T))
    while not known.all():
        ready = ~known & known[parent]
        g[ready] = g[parent[ready]] + step[ready]
        known |= ready
    h = np.hypot(*(points - np.array(goal)).T)
    return SearchTrace(np.zeros(count, np.int8), np.arange(count), parent, g, h, points)
