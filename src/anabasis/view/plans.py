"""Plans: pictures of what was planned: a path, the plan of a group, a flow field, the order of a search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.grid import Grid
from anabasis.plan import FlowField, GroupPlan, Path
from anabasis.result import SearchTrace, TraceEvent
from anabasis.scenario import Scenario
from anabasis.view.ground import bulls_eye, map_colours, map_scene, pen, target_layers
from anabasis.view.layers import Arrows, Circles, ImageLayer, Layer, LegendItem, Polylines, Ramp, Scene, Swatch, dots
from anabasis.view.palette import (
    GROUP_COLOURS,
    INK,
    PAPER,
    RAMP,
    Colour,
    group_colour,
    with_alpha,
)

__all__ = ["field_scene", "path_scene", "plan_scene", "search_scene"]

_PATH: Colour = GROUP_COLOURS[1]
_OPEN: Colour = (240, 200, 214, 255)
_DARKEST = 0.85  # of the ramp, so that arrows stand out from the ground
_MOST_POINTS = 2_000_000  # of paths that are looked at; beyond it every k-th unit stands for k
_SHARES = ((0.0, 1.0), (0.05, 1.8), (0.2, 2.8), (0.5, 4.0))  # from this share of the units on: line width in pens


def path_scene(grid: Grid, path: Path, *, title: str = "") -> Scene:
    """Return a path on its map: start as a dot, end as a bull's-eye."""
    return map_scene(grid, title=title).over(*_path_layers(grid, path.points))


def _path_layers(grid: Grid, points: NDArray[np.float64]) -> list[Layer]:
    line = pen(grid.width, grid.height)
    if not len(points):
        return []
    way = Polylines.of([points], with_alpha(PAPER, 0.9), 3 * line).straightened()
    return [
        way,
        Polylines(way.points, way.indptr, _PATH, 1.6 * line),
        bulls_eye(float(points[-1, 0]), float(points[-1, 1]), 4 * line, INK),
        dots(points[:1], 2.5 * line, GROUP_COLOURS[0], outline=PAPER, width=0.6 * line),
    ]


def plan_scene(grid: Grid, scenario: Scenario, plan: GroupPlan, *, title: str = "") -> Scene:
    """Return the routes of a group on the map, or its flow field.

    Units that share a stretch are drawn as one line, the wider the larger their share, so hundreds of nearly equal
    paths stay readable. Up to eight routes have a colour each; more, such as a path of its own for every unit, are
    drawn in the colours of their groups.
    """
    line = pen(grid.width, grid.height)
    starts = np.concatenate([group.positions for group in scenario.groups])
    group = np.repeat(np.arange(len(scenario.groups)), [g.size for g in scenario.groups])
    radius = np.repeat([g.radius for g in scenario.groups], [g.size for g in scenario.groups])
    routes = np.unique(plan.route[plan.route >= 0])
    own_colours = plan.field is None and 1 < routes.size <= len(GROUP_COLOURS)
    key = np.searchsorted(routes, plan.route) if own_colours else group
    names = (
        [f"route {r}" for r in routes]
        if own_colours
        else [g.name or f"group {i}" for i, g in enumerate(scenario.groups)]
    )
    layers: list[Layer] = []
    legend: list[LegendItem] = []
    for k, name in enumerate(names):
        units = np.flatnonzero((key == k) & (plan.route >= 0))
        legend.append(Swatch(f"{name}: {units.size} units", group_colour(k), "line" if plan.field is None else "dot"))
        if plan.field is None:
            layers += _bundle(plan, units, group_colour(k), line)
    colours = np.array(GROUP_COLOURS, np.uint8)[key % len(GROUP_COLOURS)]
    colours[plan.route < 0] = with_alpha(INK, 0.4)
    if (plan.route < 0).any():
        legend.append(Swatch(f"no way: {int((plan.route < 0).sum())} units", with_alpha(INK, 0.4), "dot"))
    units_layer = Circles(starts, radius, colours, PAPER, 0.08)
    base = map_scene(grid, title=title) if plan.field is None else field_scene(grid, plan.field, title=title)
    return base.over(*layers, units_layer, *target_layers(scenario), legend=tuple(legend))


def _bundle(plan: GroupPlan, units: NDArray[np.int64], colour: Colour, line: float) -> list[Layer]:
    """Return the stretches of units' paths, each once, in one layer for each width, the wide ones first."""
    counts = np.diff(plan.indptr)[units]
    stride = max(1, -(-int(counts.sum()) // _MOST_POINTS))
    paths = [plan.path(int(u)) for u in units[::stride]]
    paths = [p for p in paths if len(p) > 1]
    if not paths:
        return []
    points = np.concatenate(paths)
    last = np.cumsum([len(p) for p in paths]) - 1
    # number the points by place (to 1/64 cell), then the stretches by their two ends, whichever way they are walked
    place = np.round(points * 64).astype(np.int64)
    number = np.unique(place[:, 1] * (1 << 31) + place[:, 0], return_inverse=True)[1]
    tails = np.delete(np.arange(len(points)), last)
    a, b = number[tails], number[tails + 1]
    stretch = np.minimum(a, b) * len(points) + np.maximum(a, b)
    first, shared = np.unique(stretch, return_index=True, return_counts=True)[1:]
    order = np.argsort(first)
    first, shared = tails[first[order]], shared[order]
    level = np.searchsorted([s for s, _ in _SHARES], shared / len(paths), side="right") - 1
    layers: list[Layer] = []
    for k in range(len(_SHARES) - 1, -1, -1):
        mine = first[level == k]
        if mine.size:
            # a new line begins where a stretch does not follow the one before it
            new = np.flatnonzero(np.diff(mine, prepend=-2) != 1)
            runs = np.split(mine, new[1:])
            lines = [points[run[0] : run[-1] + 2] for run in runs]
            layers.append(Polylines.of(lines, with_alpha(colour, 0.85), _SHARES[k][1] * line).straightened())
    return layers


def _shade(grid: Grid, shares: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the map's colours, with those of the ramp where `shares` (float64[height, width], 0 to 1) is not nan."""
    pixels = map_colours(grid)
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
    base = map_scene(grid, title=title)
    step = max(1, -(-max(grid.width, grid.height) // arrows))
    y, x = np.mgrid[step // 2 : grid.height : step, step // 2 : grid.width : step].reshape(2, -1)
    way = field.direction[y, x]
    shown = reached[y, x] & (np.abs(way).sum(axis=1) > 0)
    centre = np.stack([x + 0.5, y + 0.5], axis=1)[shown]
    half = 0.38 * step * way[shown]
    layers = (
        ImageLayer(_shade(grid, shares), base.bounds),
        Arrows(centre - half, centre + half, with_alpha(INK, 0.85), 0.07 * step),
    )
    legend = Ramp("cost to the target", RAMP[: round(256 * _DARKEST)], "0", f"{high:.4g}")
    return Scene(base.bounds, layers, (*base.legend, legend), title)


def search_scene(grid: Grid, trace: SearchTrace, path: Path | None = None, *, title: str = "") -> Scene:
    """Return what a search did: expanded cells by order (the first expansion counts), generated ones pale, the path."""
    expanded = trace.vertex[(trace.event == TraceEvent.EXPAND.value) & (trace.vertex >= 0)]
    generated = trace.vertex[(trace.event == TraceEvent.GENERATE.value) & (trace.vertex >= 0)]
    vertices, first = np.unique(expanded, return_index=True)
    order = np.full(grid.width * grid.height, np.nan)
    order[vertices] = np.argsort(np.argsort(first)) / max(len(vertices) - 1, 1)
    waiting = np.setdiff1d(generated, expanded)
    pixels = _shade(grid, order.reshape(grid.height, grid.width))
    pixels.reshape(-1, 3)[waiting] = _OPEN[:3]
    base = map_scene(grid, title=title)
    legend: list[LegendItem] = [*base.legend, Ramp("expanded", RAMP, "1st", f"{len(vertices)}th")]
    if waiting.size:
        legend.append(Swatch(f"generated only: {waiting.size}", _OPEN))
    if path is not None:
        legend.append(Swatch("path", _PATH, "line"))
    layers = (ImageLayer(pixels, base.bounds), *(_path_layers(grid, path.points) if path is not None else ()))
    return Scene(base.bounds, layers, tuple(legend), title)
