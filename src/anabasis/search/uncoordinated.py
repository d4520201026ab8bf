"""Uncoordinated A*: each unit of a group takes its own shortest path and knows nothing of the others.

The method A* of J. Pacovský, "Navigation of units in video games using flow networks", 2019: octile lengths, no corner
cutting, the radius of the units left out of account.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from anabasis._kernel.report import EXPANDED, GENERATED, NEAREST
from anabasis.grid import Grid, cell_text
from anabasis.plan import GroupPlan
from anabasis.result import Result, Status
from anabasis.scenario import Group
from anabasis.search.astar import AStar

__all__ = ["plan_astar"]


def plan_astar(grid: Grid, group: Group, *, seed: int = 0) -> Result[GroupPlan]:
    """Return a plan in which each unit follows a shortest path of its own from where it stands to the target.

    A path leads from the unit's position through the centres of the cells between to the centre of the target; it is
    empty, and its route -1, for a unit that has no way. NO_SOLUTION if none has one. Units that stand in one cell share
    the path of that cell. stats: expanded, generated, and without_way, the number of units without one. Deterministic:
    `seed` changes nothing. Raises InputError if the target or a unit is in a wall or outside the map.
    """
    goal = group.goal(grid)
    starts, query = np.unique(group.vertices(grid), return_inverse=True)
    answers = AStar(grid).find_many(starts, np.full(starts.size, goal))
    found = np.isfinite(answers.cost)[query]
    stats: dict[str, float] = {
        "expanded": int(answers.rows[:, EXPANDED].sum()),
        "generated": int(answers.rows[:, GENERATED].sum()),
        "without_way": int((~found).sum()),
    }
    if not found.any():
        reached = answers.rows[:, NEAREST].astype(np.int64)
        away = ((grid.centres(reached) - grid.centres(goal)) ** 2).sum(axis=1)
        x, y = grid.cell(int(reached[away.argmin()]))
        reason = (
            f"no unit can reach the target at {cell_text(*group.target.cell)}: walls part them; "
            f"the nearest cell that a unit can reach is {cell_text(x, y)}"
        )
        return Result(Status.NO_SOLUTION, None, reason, stats={**stats, "nearest_x": x, "nearest_y": y})
    end = np.array([[group.target.x, group.target.y]])
    paths: list[ArrayLike] = []
    for unit, q in enumerate(query.tolist()):
        between = answers.vertices[answers.indptr[q] + 1 : answers.indptr[q + 1] - 1]
        path = [group.positions[unit : unit + 1], grid.centres(between), end]
        paths.append(np.concatenate(path) if found[unit] else np.zeros((0, 2)))
    return Result(Status.SOLVED, GroupPlan.of_paths(paths), stats=stats)
