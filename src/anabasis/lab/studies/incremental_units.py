"""Many units that cross a map at once, each an obstacle to the others: what the source extrapolates and does not try.

The source, a Ukrainian master's thesis on path finding for several units, 2021, expects a gain of "several orders of
magnitude" if more units move at once, even on a map that changes.
"""

from __future__ import annotations

import numpy as np

from anabasis._kernel.random import random_fraction, stream_key
from anabasis.grid import Grid
from anabasis.lab.studies.incremental_crossing import SETTINGS, crossing_map
from anabasis.lab.studies.incremental_steps import Step, ground, summary, unit_step
from anabasis.search.astar import AStar
from anabasis.search.dstar_lite import DStarLite
from anabasis.search.integration import integrate
from anabasis.search.moves import Space

__all__ = ["many_units", "opposites"]

_SEED, _ENDS = 11, 4283


def many_units(units: int, side: int, steps: int) -> dict[str, object]:
    """Return what the searches of all units of a step cost that cross a map of which 20 % is blocked.

    A unit sees the others as blocked cells, but on its own goal; it stays where it is if its next cell is taken. They
    move one after the other, until all have arrived or the steps are over.
    """
    grid = crossing_map(SETTINGS[1], _SEED, 0, side)
    places, goals = opposites(grid, units)
    seen = [grid.cost.reshape(-1)] * units
    pairs = [
        tuple(DStarLite(grid, place, goal, neighbours=4) for _ in range(2))
        for place, goal in zip(places, goals, strict=True)
    ]
    made: list[list[Step]] = []
    while places != goals and len(made) < steps:
        made.append([])
        for unit, goal in enumerate(goals):
            if places[unit] == goal:
                continue
            cost = grid.cost.reshape(-1).copy()
            cost[[place for other, place in enumerate(places) if other != unit and place != goal]] = np.inf
            cells = np.flatnonzero(cost != seen[unit])
            seen[unit] = cost
            mended, anew = pairs[unit]
            astar = AStar(ground(cost, side), neighbours=4)
            made[-1].append(unit_step(mended, anew, astar, cells, cost[cells]))
            move = mended.next_step()
            if move is not None and move not in places:
                mended.move_to(move)
                anew.move_to(move)
                places[unit] = move
    return {"units": units, "side": side, **summary(made)}


def opposites(grid: Grid, units: int) -> tuple[list[int], list[int]]:
    """Return different free starts, and for each a goal across the middle, or the next cell to it that is left.

    All are in one part of the map, that around its middle.
    """
    side, key = grid.width, int(stream_key(_SEED, _ENDS, units))
    free = np.flatnonzero(grid.free)
    centre = int(free[np.argmin(np.abs(free % side - side // 2) + np.abs(free // side - side // 2))])
    reach = np.flatnonzero(np.isfinite(integrate(Space(grid, 4, "strict"), np.array([centre]))[0]))
    order = np.argsort([random_fraction(key, int(cell), 0) for cell in reach], kind="stable")
    starts = reach[order[:units]].tolist()
    left, goals = np.ones(len(reach), np.bool_), list[int]()
    for start in starts:
        x, y = side - 1 - start % side, side - 1 - start // side
        far = np.where(left, np.abs(reach % side - x) + np.abs(reach // side - y), reach.size)
        nearest = int(np.argmin(far))
        left[nearest] = False
        goals.append(int(reach[nearest]))
    return starts, goals
