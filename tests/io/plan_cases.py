"""A small instance and random valid plans, for the tests of plan files."""

import numpy as np

from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.plan import Plan

GRID = Grid.from_text(".....\n.@.@.\n.....\n.@...")
STARTS, GOALS = [0, 4, 14], [10, 12, 2]
SMALL = Instance.of(GRID, STARTS, GOALS)
PLAN = Plan(
    np.array(
        [
            [0, 4, 14],
            [5, 9, 13],
            [5, 14, 12],
            [10, 13, 7],
            [10, 13, 2],
            [10, 12, 2],
        ]
    )
)
"""Agent 0 goes down, waits, goes on; agent 1 comes by the right side and waits once; agent 2 goes left and up."""


def some_plan(rng: np.random.Generator) -> tuple[Instance, Plan]:
    """Return an instance and a plan of agents that walk at random, but never onto each other or through."""
    height, width = rng.integers(1, 9, 2)
    free = rng.random((height, width)) < 0.85
    free[0, 0] = True
    grid = Grid.from_free(free)
    cells = np.flatnonzero(grid.free)
    row = rng.permutation(cells)[: int(rng.integers(0, min(6, cells.size) + 1))]
    rows = [row.copy()]
    for _ in range(int(rng.integers(0, 12))):
        before, after = rows[-1], rows[-1].copy()
        for a, v in enumerate(before.tolist()):
            x, y = grid.cell(v)
            u, w = [(x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)][int(rng.integers(5))]
            if grid.is_free(u, w):
                end = grid.vertex(u, w)
                if end not in before and end not in after:
                    after[a] = end
        rows.append(after)
    while len(rows) > 1 and (rows[-1] == rows[-2]).all():
        rows.pop()
    plan = Plan(np.array(rows).reshape(len(rows), row.size))
    return Instance.of(grid, plan.vertices[0], plan.vertices[-1]), plan
