"""Beyond the source's experiment: maps to 1024 × 1024 with 1 to 1,000 changed cells a step, and many units at once.

D* Lite (S. Koenig and M. Likhachev, 2002) for a unit that crosses the map, LPA* (S. Koenig, M. Likhachev and D. Furcy,
2004) for fixed ends, both against A* from scratch at each step. Half of the changed cells become blocked, half free.
The tables that A* makes of a map are made before its clock runs, which is in its favour. Times are processor time.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.random import random_fraction, stream_key
from anabasis.generators import generate
from anabasis.grid import Grid
from anabasis.lab.studies.incremental_crossing import SETTINGS, crossing_map
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.astar import AStar
from anabasis.search.dstar_lite import DStarLite
from anabasis.search.integration import integrate
from anabasis.search.lpa_star import LPAStar
from anabasis.search.moves import Space

__all__ = ["MAPS", "PLACES", "Run", "changed_world", "fixed_ends", "many_units", "moving_unit", "ratios", "world"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]
Row = Mapping[str, Any]

MAPS: dict[str, tuple[str, dict[str, object]]] = {
    "random 20 %": ("obstacles", {"share": 0.2}),
    "rooms": ("rooms", {}),
    "caves": ("caves", {}),
    "island": ("island", {"rivers": 0, "bridges": False, "forest": 0.0, "players": 0, "towns": 0, "roads": False}),
}
"""Maps by their names here: a generator and its parameters."""
PLACES = ("anywhere", "near the start", "near the goal")
"""Where cells change; a unit's start is where it is."""
_SEED, _CHANGES, _ENDS = 11, 4273, 4283
_ROOM = 8  # near: in a square of so many times the changed cells


@dataclass(frozen=True)
class Run:
    """What one run is: a map, the length of its side, how many cells change at each step and where, how many steps."""

    map: str
    side: int
    changes: int
    place: str
    steps: int


@lru_cache(maxsize=1)
def world(name: str, side: int) -> tuple[Grid, int, int]:
    """Return a map with a start and a goal, the first and the last cell by x + y of its largest part."""
    generator, parameters = MAPS[name]
    grid = generate(generator, side, side, seed=_SEED, **parameters).grid()
    reach = _largest_part(grid)
    down, right = np.nonzero(reach)
    first, last = int(np.argmin(down + right)), int(np.argmax(down + right))
    return grid, int(down[first] * side + right[first]), int(down[last] * side + right[last])


def _largest_part(grid: Grid) -> NDArray[np.bool_]:
    left, largest = grid.free.copy(), np.zeros(grid.cost.shape, np.bool_)
    while left.sum() > largest.sum():
        part = np.isfinite(integrate(Space(grid, 8, "strict"), np.flatnonzero(left)[:1])[0])
        left &= ~part
        if part.sum() > largest.sum():
            largest = part
    return largest


def changed_world(cost: Floats, run: Run, step: int, start: int, goal: int) -> tuple[Ints, Floats]:
    """Return cells and new prices: half of them blocked from now on, half free, as far as there are such cells.

    cost: float64[height · width], as it is. Neither the start nor the goal changes. Near a place: in a square around it
    of eight times as many cells.
    """
    side = run.side
    if run.place == "anywhere":
        low, high = np.zeros(2, np.int64), np.full(2, side)
    else:
        at = start if run.place == "near the start" else goal
        half = max(4, int(np.ceil((_ROOM * run.changes) ** 0.5 / 2)))
        middle = np.array([at % side, at // side])
        low, high = np.maximum(middle - half, 0), np.minimum(middle + half + 1, side)
    wide, deep = (high - low).tolist()
    key = int(stream_key(_SEED, _CHANGES, step))
    count = min(16 * run.changes + 64, 4 * wide * deep)
    drawn = np.array([random_fraction(key, number, 0) for number in range(count)])
    places = (drawn * wide * deep).astype(np.int64)
    cells = (low[1] + places // wide) * side + low[0] + places % wide
    cells = cells[np.sort(np.unique(cells, return_index=True)[1])]
    cells = cells[(cells != start) & (cells != goal)]
    free = np.isfinite(cost[cells])
    rising = run.changes // 2 if run.changes > 1 else step % 2  # one cell: in turn
    rise, fall = cells[free][:rising], cells[~free][: run.changes - rising]
    return np.concatenate([rise, fall]), np.concatenate([np.full(len(rise), np.inf), np.ones(len(fall))])


class _Clock:
    """Times of several lines over steps, in ms of processor time."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}

    def start(self) -> None:
        self.begin = time.process_time_ns()

    def stop(self, line: str) -> None:
        self.times.setdefault(line, []).append((time.process_time_ns() - self.begin) / 1e6)


def _ground(cost: Floats, side: int) -> Grid:
    return Grid(cost.reshape(-1, side), np.where(np.isinf(cost), ord("@"), ord(".")).astype(np.uint8).reshape(-1, side))


def _cost(result: Result[Path]) -> float:
    return np.inf if result.value is None else result.value.cost


def _equal(some: float, other: float) -> bool:
    return some == other or abs(some - other) <= 1e-9 * abs(other)


def moving_unit(run: Run) -> Row:
    """Return what a unit's searches cost that crosses a map in some steps, and whether all ways are as short.

    The last of its steps is at the goal. Counts, and under "times" ms of each step: "mended" by D* Lite, "anew" by the
    same search begun anew, "A*".
    """
    grid, start, goal = world(run.map, run.side)
    cost = grid.cost.reshape(-1).copy()
    mended, anew = DStarLite(grid, start, goal), DStarLite(grid, start, goal)
    clock, counts, place = _Clock(), _Counts(), start
    for step in range(run.steps):
        cells, prices = changed_world(cost, run, step, place, goal) if step else (np.empty(0, np.int64), np.empty(0))
        cost[cells] = prices
        astar = AStar(_ground(cost, run.side))
        for search in (mended, anew):
            search.move_to(place)
        before = mended.total_expanded, anew.total_expanded
        clock.start()
        mended.change(cells, prices)
        mended.next_step()
        clock.stop("mended")
        clock.start()
        anew.change(cells, prices)
        anew.set_goal(goal)
        anew.next_step()
        clock.stop("anew")
        clock.start()
        other = astar.find(place, goal)
        clock.stop("A*")
        way = mended.path()
        costs = _cost(way), _cost(anew.path()), _cost(other)
        spent = mended.total_expanded - before[0], anew.total_expanded - before[1], int(other.stats["expanded"])
        counts.add(step, len(cells), costs, spent)
        if way.value is not None:
            vertices = way.value.vertices
            place = int(vertices[min(max(1, (len(vertices) - 1) // (run.steps - step)), len(vertices) - 1)])
            if place == goal:  # all that is left are questions at the goal
                break
    return {**_row("D* Lite", run), **counts.row(), "times": clock.times}


def fixed_ends(run: Run) -> Row:
    """Return the same of LPA* between the fixed ends of a map; "anew" is a new search of the same kind."""
    grid, start, goal = world(run.map, run.side)
    cost = grid.cost.reshape(-1).copy()
    mended = LPAStar(grid, start, goal)
    clock, counts = _Clock(), _Counts()
    for step in range(run.steps):
        cells, prices = changed_world(cost, run, step, start, goal) if step else (np.empty(0, np.int64), np.empty(0))
        cost[cells] = prices
        now = _ground(cost, run.side)
        astar, anew = AStar(now), LPAStar(now, start, goal)
        clock.start()
        mended.change(cells, prices)
        way = mended.path()
        clock.stop("mended")
        clock.start()
        fresh = anew.path()
        clock.stop("anew")
        clock.start()
        other = astar.find(start, goal)
        clock.stop("A*")
        costs = _cost(way), _cost(fresh), _cost(other)
        counts.add(step, len(cells), costs, (mended.expanded, anew.expanded, int(other.stats["expanded"])))
    return {**_row("LPA*", run), **counts.row(), "times": clock.times}


def _row(method: str, run: Run) -> dict[str, object]:
    return {"method": method, "map": run.map, "side": run.side, "changes": run.changes, "where": run.place}


class _Counts:
    """What does not differ from run to run."""

    def __init__(self) -> None:
        self.steps = self.equal = self.changed = self.cut_off = 0
        self.first, self.later = np.zeros(3, np.int64), np.zeros(3, np.int64)

    def add(self, step: int, changed: int, costs: tuple[float, ...], expanded: tuple[int, int, int]) -> None:
        self.steps += 1
        self.changed += changed
        self.equal += all(_equal(value, costs[0]) for value in costs)
        self.cut_off += costs[0] == np.inf
        if step:
            self.later += expanded
        else:
            self.first += expanded

    def row(self) -> dict[str, object]:
        return {
            "steps": self.steps,
            "changed a step": self.changed / max(self.steps - 1, 1),
            "equal costs": self.equal,
            "without a way": self.cut_off,
            "expanded first": int(self.first[0]),
            "expanded": int(self.later[0]),
            "expanded anew": int(self.later[1]),
            "expanded by A*": int(self.later[2]),
        }


def many_units(units: int, side: int, steps: int) -> Row:
    """Return what the searches of all units of a step cost that cross a map of which 20 % is blocked.

    Each is a moving obstacle to the others, but on their goals; it starts at a random cell and goes to the cell
    opposite through the middle, or the next free one. Counts, and under "times" ms of each step for all units.
    """
    grid = crossing_map(SETTINGS[1], _SEED, 0, side)
    places, goals = _opposites(grid, units)
    base, seen = grid.cost.reshape(-1), [grid.cost.reshape(-1)] * units
    mended = [DStarLite(grid, place, goal, neighbours=4) for place, goal in zip(places, goals, strict=True)]
    anew = [DStarLite(grid, place, goal, neighbours=4) for place, goal in zip(places, goals, strict=True)]
    clock, counts = _Clock(), _Counts()
    for step in range(steps):
        sums, total, same, cut, changed = dict.fromkeys(("mended", "anew", "A*"), 0.0), np.zeros(3, np.int64), 0, 0, 0
        for unit, goal in enumerate(goals):
            if places[unit] == goal:
                continue
            cost = base.copy()
            cost[[place for other, place in enumerate(places) if other != unit and place != goal]] = np.inf
            cells = np.flatnonzero(cost != seen[unit])
            seen[unit] = cost
            row, move = _one_of_many(mended[unit], anew[unit], cells, cost, side, goal)
            for line in sums:
                sums[line] += row[line]
            total += row["expanded"]
            same += row["equal"]
            cut += row["cut off"]
            changed += len(cells)
            if move is not None and move not in places:
                mended[unit].move_to(move)
                anew[unit].move_to(move)
                places[unit] = move
            counts.steps += 1
        for line, value in sums.items():
            clock.times.setdefault(line, []).append(value)
        counts.equal += same
        counts.cut_off += cut
        counts.changed += changed
        if step:
            counts.later += total
        else:
            counts.first += total
    row = {"units": units, "side": side, **counts.row(), "times": clock.times}
    row["changed a step"] = counts.changed / max(counts.steps, 1)
    row["searches"] = row.pop("steps")
    return row


def _one_of_many(
    mended: DStarLite, anew: DStarLite, cells: Ints, cost: Floats, side: int, goal: int
) -> tuple[dict[str, Any], int | None]:
    """Search for one unit in three ways; return what it cost and its next step."""
    prices, clock = cost[cells], _Clock()
    astar, before = AStar(_ground(cost, side), neighbours=4), (mended.total_expanded, anew.total_expanded)
    clock.start()
    mended.change(cells, prices)
    move = mended.next_step()
    clock.stop("mended")
    clock.start()
    anew.change(cells, prices)
    anew.set_goal(goal)
    anew.next_step()
    clock.stop("anew")
    clock.start()
    other = astar.find(mended.start, goal)
    clock.stop("A*")
    costs = _cost(mended.path()), _cost(anew.path()), _cost(other)
    expanded = mended.total_expanded - before[0], anew.total_expanded - before[1], int(other.stats["expanded"])
    times = {line: values[0] for line, values in clock.times.items()}
    return {
        **times,
        "expanded": np.array(expanded),
        "equal": all(_equal(value, costs[0]) for value in costs),
        "cut off": costs[0] == np.inf,
    }, move


def _opposites(grid: Grid, units: int) -> tuple[list[int], list[int]]:
    """Return different free starts, and for each a goal across the middle, all in one part of the map."""
    side, key = grid.width, int(stream_key(_SEED, _ENDS, units))
    free = np.flatnonzero(grid.free)
    centre = int(free[np.argmin(np.abs(free % side - side // 2) + np.abs(free // side - side // 2))])
    reach = np.flatnonzero(np.isfinite(integrate(Space(grid, 4, "strict"), np.array([centre]))[0]))
    order = np.argsort([random_fraction(key, int(cell), 0) for cell in reach], kind="stable")
    starts = reach[order[:units]]
    goals: list[int] = []
    for start in starts.tolist():
        x, y = side - 1 - start % side, side - 1 - start // side
        far = np.abs(reach % side - x) + np.abs(reach // side - y)
        taken = set(goals)
        goals.append(next(int(reach[k]) for k in np.argsort(far, kind="stable") if int(reach[k]) not in taken))
    return starts.tolist(), goals


def ratios(times: Mapping[str, Sequence[float]], line: str) -> dict[str, float]:
    """Return by how much mending is faster than a line: at each step after the first, and over all steps."""
    own, other = np.array(times["mended"]), np.array(times[line])
    each = other[1:] / own[1:]
    return {
        "median": float(np.median(each)),
        "best": float(each.max()),
        "worst": float(each.min()),
        "slower": int((each < 1).sum()),
        "later": float(other[1:].sum() / own[1:].sum()),
        "total": float(other.sum() / own.sum()),
    }
