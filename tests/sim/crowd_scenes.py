"""Small scenes with plans made by hand, for the tests of the simulator."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis import FlowField, Grid, Group, GroupPlan, Scenario, Target


def block(x: float, y: float, columns: int, rows: int, gap: float = 1.1) -> NDArray[np.float64]:
    """A rectangle of units whose first stands at (x, y)."""
    ys, xs = np.divmod(np.arange(columns * rows), columns)
    return np.stack([x + xs * gap, y + ys * gap], axis=1)


def open_scene(positions: Any, target: tuple[float, float], size: int = 30, **options: Any) -> Scenario:
    radius = options.pop("target_radius", 0.5)
    group = {k: options.pop(k) for k in ("radius", "speed", "movement") if k in options}
    return Scenario(
        Grid.from_free(np.ones((size, size), bool)), (Group(positions, Target(*target, radius), **group),), **options
    )


def straight(scenario: Scenario, group: int = 0, *via: tuple[float, float]) -> GroupPlan:
    """Everyone goes from where he stands over the points `via` to the target."""
    g = scenario.groups[group]
    points = [*via, (g.target.x, g.target.y)]
    return GroupPlan.of_paths([np.array([p, *points]) for p in g.positions.tolist()])


def gap_scene(width: int, units: int, **options: Any) -> tuple[Scenario, GroupPlan]:
    """A crowd before a wall with one gap of `width` cells, the target behind it."""
    free = np.ones((30, 60), bool)
    free[:, 34] = False
    top = (30 - width) // 2
    free[top : top + width, 34] = True
    rows = int(np.ceil(units / 20))
    positions = block(8.0, 15.0 - rows * 0.55, 20, rows)[:units]
    scenario = Scenario(Grid.from_free(free), (Group(positions, Target(50.0, 15.0)),), **options)
    return scenario, straight(scenario, 0, (34.5, top + width / 2))


def field_to_target(scenario: Scenario, group: int = 0) -> GroupPlan:
    """A breadth-first field over 4 neighbours."""
    g = scenario.groups[group]
    grid = scenario.grid.with_movement(g.movement)
    distance = np.full(grid.cost.shape, np.inf)
    direction = np.zeros((*grid.cost.shape, 2))
    x, y = g.target.cell
    distance[y, x] = 0.0
    queue = deque([(x, y)])
    while queue:
        x, y = queue.popleft()
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            if grid.is_free(x + dx, y + dy) and np.isinf(distance[y + dy, x + dx]):
                distance[y + dy, x + dx] = distance[y, x] + 1
                direction[y + dy, x + dx] = (-dx, -dy)
                queue.append((x + dx, y + dy))
    return GroupPlan.of_field(FlowField(distance, direction), g.size)
