"""Overlays: layers for any scene: cell borders, unit numbers, lines to the targets, one unit's plan and trail."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.plan import GroupPlan
from anabasis.scenario import Scenario
from anabasis.trace import Trace, UnitState
from anabasis.view.layers import Circles, Labels, Layer, Polygons, Polylines
from anabasis.view.palette import GROUP_COLOURS, INK, PAPER, with_alpha

__all__ = ["cell_lines", "chosen_unit", "goal_lines", "unit_numbers"]


def cell_lines(grid: Grid) -> Polylines:
    """Return the borders between cells."""
    w, h = grid.width, grid.height
    x, y = np.arange(w + 1.0), np.arange(h + 1.0)
    upright = np.stack([np.stack([x, 0 * x], axis=1), np.stack([x, 0 * x + h], axis=1)], axis=1).reshape(-1, 2)
    level = np.stack([np.stack([0 * y, y], axis=1), np.stack([0 * y + w, y], axis=1)], axis=1).reshape(-1, 2)
    return Polylines(np.concatenate([upright, level]), 2 * np.arange(w + h + 3), with_alpha(INK, 0.2), 0.02)


def _shown(trace: Trace, frame: int) -> NDArray[np.int64]:
    state = trace.state[frame]
    return np.flatnonzero((state == UnitState.MOVING) | (state == UnitState.LOST))


def unit_numbers(trace: Trace, frame: int) -> Labels:
    """Return the number of each unit that is on the map, on the unit."""
    units = _shown(trace, frame)
    size = 1.1 * float(trace.radius.min(initial=0.5))
    return Labels(trace.positions[frame, units], tuple(map(str, units.tolist())), size, PAPER)


def goal_lines(scenario: Scenario, trace: Trace, frame: int) -> Polylines:
    """Return a straight line from each unit on the map to its group's target."""
    units = _shown(trace, frame)
    targets = np.array([(group.target.x, group.target.y) for group in scenario.groups])[trace.group[units]]
    ends = np.stack([trace.positions[frame, units], targets], axis=1).reshape(-1, 2)
    return Polylines(ends, 2 * np.arange(units.size + 1), with_alpha(INK, 0.35), 0.06)


def chosen_unit(trace: Trace, frame: int, unit: int, plan: GroupPlan | None = None) -> tuple[Layer, ...]:
    """Return the marks of one unit: a ring, the trail behind it, and its first plan with a triangle at each point."""
    if not 0 <= unit < trace.size:
        raise InputError("unit to mark", found=f"{unit}", expected=f"0 to {trace.size - 1}")
    place, radius = trace.positions[frame, unit], float(trace.radius[unit])
    layers: list[Layer] = []
    if plan is not None and len(plan.path(unit)):
        points = plan.path(unit)
        corner = 0.45 * radius * np.array([[0.0, -1.0], [0.87, 0.5], [-0.87, 0.5]])
        triangles = (points[:, None, :] + corner).reshape(-1, 2)
        layers.append(Polylines.of([points], INK, 0.2 * radius))
        layers.append(Polygons(triangles, 3 * np.arange(len(points) + 1), GROUP_COLOURS[4], INK, 0.06 * radius))
    end = len(trace.times) + frame + 1 if frame < 0 else frame + 1
    layers.append(Polylines.of([trace.positions[:end, unit]], GROUP_COLOURS[3], 0.3 * radius))
    ring = Circles(place[None], np.array([1.7 * radius]), np.zeros((1, 4), np.uint8), GROUP_COLOURS[3], 0.35 * radius)
    return (*layers, ring)
