"""Beyond the source's experiment: maps to 1024 × 1024 with 1 to 1,000 changed cells a step.

D* Lite (S. Koenig and M. Likhachev, 2002) for a unit that crosses the map, LPA* (S. Koenig, M. Likhachev and D. Furcy,
2004) for fixed ends, both against A* from scratch at each step. Half of the changed cells become blocked, half free.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.random import random_fraction, stream_key
from anabasis.generators import generate
from anabasis.grid import Grid
from anabasis.lab.studies.incremental_steps import Step, ends_step, ground, summary, unit_step
from anabasis.maps.parts import largest_part
from anabasis.search.astar import AStar
from anabasis.search.dstar_lite import DStarLite
from anabasis.search.lpa_star import LPAStar

__all__ = ["MAPS", "PLACES", "Run", "changed_world", "fixed_ends", "moving_unit", "world"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

MAPS: dict[str, tuple[str, dict[str, object]]] = {
    "random 20 %": ("obstacles", {"share": 0.2}),
    "rooms": ("rooms", {}),
    "caves": ("caves", {}),
    "island": ("island", {"rivers": 0, "bridges": False, "forest": 0.0, "players": 0, "towns": 0, "roads": False}),
}
"""Maps by their names here: a generator and its parameters."""
PLACES = ("anywhere", "near the start", "near the goal")
"""Where cells change; a unit's start is where it is."""
_SEED, _CHANGES = 11, 4273
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
    down, right = np.nonzero(largest_part(grid.free))
    first, last = int(np.argmin(down + right)), int(np.argmax(down + right))
    return grid, int(down[first] * side + right[first]), int(down[last] * side + right[last])


def changed_world(cost: Floats, run: Run, step: int, start: int, goal: int) -> tuple[Ints, Floats]:
    """Return cells and new prices: half of them blocked from now on, half free, as far as there are such cells.

    cost: float64[height · width], as it is. At step 0 nothing changes, and the start and the goal never do. Near a
    place: in a square around it of eight times as many cells.
    """
    side = run.side
    if step == 0:
        return np.empty(0, np.int64), np.empty(0)
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


def moving_unit(run: Run) -> dict[str, object]:
    """Return the sums of a unit's searches that crosses a map in some steps; its last step leads to the goal."""
    grid, start, goal = world(run.map, run.side)
    cost = grid.cost.reshape(-1).copy()
    mended, anew, made = DStarLite(grid, start, goal), DStarLite(grid, start, goal), list[Step]()
    place = start
    while place != goal and len(made) < run.steps:
        cells, prices = changed_world(cost, run, len(made), place, goal)
        cost[cells] = prices
        made.append(unit_step(mended, anew, AStar(ground(cost, run.side)), cells, prices))
        way = made[-1].way.value
        if way is not None:
            cells_left, steps_left = len(way.vertices) - 1, run.steps - len(made) + 1
            place = int(way.vertices[max(1, cells_left // steps_left)])
            mended.move_to(place)
            anew.move_to(place)
    return {**_row("D* Lite", run), **summary([[step] for step in made])}


def fixed_ends(run: Run) -> dict[str, object]:
    """Return the sums of searches between the fixed ends of a map."""
    grid, start, goal = world(run.map, run.side)
    cost = grid.cost.reshape(-1).copy()
    mended, made = LPAStar(grid, start, goal), list[Step]()
    while len(made) < run.steps:
        cells, prices = changed_world(cost, run, len(made), start, goal)
        cost[cells] = prices
        now = ground(cost, run.side)
        made.append(ends_step(mended, LPAStar(now, start, goal), AStar(now), cells, prices))
    return {**_row("LPA*", run), **summary([[step] for step in made])}


def _row(method: str, run: Run) -> dict[str, object]:
    return {"method": method, "map": run.map, "side": run.side, "changes": run.changes, "where": run.place}
