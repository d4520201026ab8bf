"""Plans: pictures of what was planned for groups: the routes of units, a flow field."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.plan import FlowField, GroupPlan
from anabasis.scenario import Scenario
from anabasis.view.ground import map_scene, pen, quiet_colours, target_layers
from anabasis.view.layers import Arrows, Circles, ImageLayer, Layer, LegendItem, Polylines, Ramp, Scene, Swatch
from anabasis.view.palette import (
    GROUP_COLOURS,
    INK,
    PAPER,
    RAMP,
    Colour,
    group_colour,
    with_alpha,
)

__all__ = ["field_lines", "field_scene", "plan_scene"]

_DARKEST = 0.65  # of the ramp, so that arrows stand out from the ground
_MOST_POINTS = 2_000_000  # of paths that are looked at; beyond it every k-th unit stands for k
_SHARES = ((0.0, 1.0), (0.05, 1.5), (0.2, 2.2), (0.5, 3.0))  # from this share of the units on: line width in pens


def plan_scene(
    grid: Grid, scenario: Scenario, plan: GroupPlan | Sequence[GroupPlan], *, title: str = "", ends: bool = True
) -> Scene:
    """Return the routes of a scenario's units on the map, or the flow field that all share.

    The plan is one for all units, in the order of the groups, or one for each group. Of several fields the lines along
    them are drawn.

    Units that share a stretch are drawn as one line, the wider the larger their share of all units, so hundreds of
    nearly equal paths stay readable. Up to eight routes have a colour each; more, such as a path of its own for every
    unit, and groups with one route each are drawn in the colours of groups. ends: draw the units where they start, and
    the targets, too; without them the scene fits beneath a picture of units that move.
    """
    plan = _whole(scenario, plan)
    line = pen(grid.width, grid.height)
    starts = np.concatenate([group.positions for group in scenario.groups])
    group = np.repeat(np.arange(len(scenario.groups)), [g.size for g in scenario.groups])
    radius = np.repeat([g.radius for g in scenario.groups], [g.size for g in scenario.groups])
    routes = np.unique(plan.route[plan.route >= 0])
    lines = len(plan.points) > 0
    own_colours = lines and len(scenario.groups) < routes.size <= len(GROUP_COLOURS)
    key = np.searchsorted(routes, plan.route) if own_colours else group
    names = (
        [f"route {r}" for r in routes]
        if own_colours
        else [g.name or (f"group {i}" if len(scenario.groups) > 1 else "") for i, g in enumerate(scenario.groups)]
    )
    legend: list[LegendItem] = []
    for k, name in enumerate(names):
        units = np.flatnonzero((key == k) & (plan.route >= 0))
        label = f"{name}: {_units(units.size)}" if name else _units(units.size)
        legend.append(Swatch(label, group_colour(k), "line" if lines else "dot"))
    colours = np.array(GROUP_COLOURS, np.uint8)[key % len(GROUP_COLOURS)]
    colours[plan.route < 0] = with_alpha(INK, 0.4)
    if (plan.route < 0).any():
        legend.append(Swatch(f"no way: {_units(int((plan.route < 0).sum()))}", with_alpha(INK, 0.4), "dot"))
    shown = (Circles(starts, radius, colours, PAPER, 0.08), *target_layers(scenario)) if ends else ()
    base = map_scene(grid, title=title) if plan.field is None else field_scene(grid, plan.field, title=title)
    return base.over(*_bundles(plan, key, len(names), line), *shown, legend=tuple(legend))


def _whole(scenario: Scenario, plan: GroupPlan | Sequence[GroupPlan]) -> GroupPlan:
    """Return one plan for all units: routes of groups numbered apart, lines along fields that can't share a picture."""
    plans = [plan] if isinstance(plan, GroupPlan) else list(plan)
    found = [p.size for p in plans]
    if found not in ([scenario.size], [group.size for group in scenario.groups]):
        raise InputError(
            "plans of a scenario",
            found=f"plans for {' + '.join(map(str, found))} units",
            expected=f"plans for {' + '.join(str(group.size) for group in scenario.groups)} units",
        )
    if len(plans) == 1:
        return plans[0]
    plans = [
        p if p.field is None else GroupPlan.of_paths(field_lines(p.field, group.positions), p.route)
        for p, group in zip(plans, scenario.groups, strict=True)
    ]
    indptr, route = [np.zeros(1, np.int64)], []
    points, routes = 0, 0
    for p in plans:
        indptr.append(p.indptr[1:] + points)
        route.append(np.where(p.route >= 0, p.route + routes, -1))
        points, routes = points + len(p.points), routes + int(p.route.max(initial=-1)) + 1
    return GroupPlan(np.concatenate(indptr), np.concatenate([p.points for p in plans]), np.concatenate(route))


def field_lines(field: FlowField, starts: NDArray[np.float64]) -> list[ArrayLike]:
    """Return the line along a field from each start, in steps of half a cell, until nothing points onwards."""
    height, width = field.distance.shape
    cell = np.floor(starts).astype(np.int64)
    costs = field.distance[cell[:, 1], cell[:, 0]]
    if not len(starts):
        return []
    steps = min(int(2 * costs[np.isfinite(costs)].max(initial=0.0)) + 1, _MOST_POINTS // len(starts))
    ways, moves = [starts], np.zeros(len(starts), np.int64)
    for _ in range(steps):
        x, y = np.floor(ways[-1]).astype(np.int64).T
        step = 0.5 * field.direction[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
        going = step.any(axis=1) & (moves == len(ways) - 1)
        if not going.any():
            break
        moves += going
        ways.append(ways[-1] + np.where(going[:, None], step, 0))
    way = np.stack(ways)
    return [way[: moves[unit] + 1, unit] for unit in range(len(starts))]


def _units(count: int) -> str:
    return "1 unit" if count == 1 else f"{count} units"


def _bundles(plan: GroupPlan, key: NDArray[np.int64], colours: int, line: float) -> list[Layer]:
    """Return the stretches of all paths, each drawn once for each colour that uses it, in layers of one width.

    Where several colours share a stretch, the later ones are drawn narrower upon the earlier ones, so that each is
    seen as a stripe and the whole is as wide as all together.
    """
    units = np.flatnonzero(np.diff(plan.indptr) > 1)
    units = units[:: max(1, -(-len(plan.points) // _MOST_POINTS))]
    if not units.size:
        return []
    paths = [plan.path(int(unit)) for unit in units]
    lengths = np.array([len(path) for path in paths])
    points, owner = np.concatenate(paths), np.repeat(key[units], lengths)
    # number the points by place (to 1/64 cell), then the stretches by their two ends, whichever way they are walked
    place = np.round(points * 64).astype(np.int64)
    number = np.unique(place[:, 1] * (1 << 31) + place[:, 0], return_inverse=True)[1]
    tails = np.delete(np.arange(len(points)), np.cumsum(lengths) - 1)
    a, b = number[tails], number[tails + 1]
    stretch = np.unique(np.minimum(a, b) * len(points) + np.maximum(a, b), return_inverse=True)[1]
    least = np.array([share for share, _ in _SHARES])
    pens = np.array([width for _, width in _SHARES])
    total = np.zeros(int(stretch.max()) + 1)
    layers: list[Layer] = []
    for k in range(colours - 1, -1, -1):
        mine = np.flatnonzero(owner[tails] == k)
        used, first, times = np.unique(stretch[mine], return_index=True, return_counts=True)
        total[used] += pens[np.searchsorted(least, times / units.size, side="right") - 1]
        order = np.argsort(first)
        first, width = tails[mine[first[order]]], np.round(total[used[order]], 1)
        for size in np.unique(width).tolist():
            layers.append(_chains(points, first[width == size], group_colour(k), size * line))
    return layers[::-1]


def _chains(points: NDArray[np.float64], tails: NDArray[np.int64], colour: Colour, width: float) -> Polylines:
    """Return the stretches from points[tail] to points[tail + 1], those that follow one another as one line."""
    runs = np.split(tails, np.flatnonzero(np.diff(tails) != 1) + 1)
    return Polylines.of([points[run[0] : run[-1] + 2] for run in runs], colour, width).straightened()


def _shade(grid: Grid, shares: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return a quiet ground with the colours of the ramp where `shares` (float64[height, width], 0 to 1) is not nan."""
    pixels = quiet_colours(grid)
    known = ~np.isnan(shares)
    pixels[known] = RAMP[np.round(255 * shares[known]).astype(np.int64), :3]
    return pixels


def field_scene(grid: Grid, field: FlowField, *, bands: int = 24, arrows: int = 32, title: str = "") -> Scene:
    """Return a flow field: the distance to the target in `bands` shades, so that the edges of bands are isolines.

    Arrows show the direction, at most `arrows` along the longer side. Ground from which the target can't be reached
    keeps the colour of the map.
    """
    reached = np.isfinite(field.distance) & grid.free
    high = float(field.distance[reached].max(initial=0.0))
    width = max(high, 1e-12) / bands
    band = np.minimum(np.floor(field.distance[reached] / width), bands - 1)
    shares = np.full(reached.shape, np.nan)
    shares[reached] = band / (bands - 1) * _DARKEST
    bounds = (0, 0, grid.width, grid.height)
    step = max(1, -(-max(grid.width, grid.height) // arrows))
    y, x = np.mgrid[step // 2 : grid.height : step, step // 2 : grid.width : step].reshape(2, -1)
    way = field.direction[y, x]
    shown = reached[y, x] & (np.abs(way).sum(axis=1) > 0)
    centre = np.stack([x + 0.5, y + 0.5], axis=1)[shown]
    half = 0.38 * step * way[shown]
    layers = (
        ImageLayer(_shade(grid, shares), bounds),
        Arrows(centre - half, centre + half, with_alpha(INK, 0.85), 0.07 * step),
    )
    legend = Ramp("cost to the target", RAMP[: round(256 * _DARKEST)], "0", f"{high:.4g}")
    return Scene(bounds, layers, (legend,), title)
