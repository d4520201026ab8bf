"""Runs: pictures of what happened: one moment, the trails of the units, where they crowded."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.scenario import Scenario
from anabasis.trace import Trace, UnitState
from anabasis.view.ground import map_scene, pen, quiet_colours, target_layers
from anabasis.view.layers import Circles, ImageLayer, LegendItem, Polylines, Ramp, Scene, Swatch
from anabasis.view.palette import GROUP_COLOURS, HEAT, INK, Colour, group_colour, with_alpha

__all__ = ["Colouring", "density_scene", "frame_scene", "ground_at", "trajectory_scene"]

Colouring = Literal["group", "route", "state"]

_HEADINGS_UP_TO = 200  # cells: on a larger map a heading is too small to be seen
_BATCHES = 10  # trails are laid over one another in so many sheets
_MOST_TRAILS = 2_000


def ground_at(grid: Grid, scenario: Scenario, step: int) -> Grid:
    """Return the map as the scenario's changes have made it by `step`."""
    for change in scenario.changes:
        if change.step <= step:
            grid = grid.with_terrain(change.cells, change.letter)
    return grid


def frame_scene(
    grid: Grid,
    scenario: Scenario,
    trace: Trace,
    frame: int,
    *,
    colour: Colouring | None = None,
    title: str | None = None,
) -> Scene:
    """Return one frame of a run: the units still on the map as circles with their headings, the targets.

    Frames count from 0, with a negative number from the end. `colour` says what colours mean: by default the routes of
    one group that is split over two to eight, else the groups. Units that have arrived or were removed are not drawn;
    the title counts them, unless another is given.
    """
    if not -trace.times.size <= frame < trace.times.size:
        raise InputError("frame of a trace", found=f"{frame}", expected=f"0 to {trace.times.size - 1}")
    step = int(trace.times[frame])
    state = trace.state[frame]
    shown = (state == UnitState.MOVING) | (state == UnitState.LOST)
    key, names = _keys(scenario, trace, frame, colour)
    units = np.flatnonzero(shown)
    centres, radii = trace.positions[frame, units], trace.radius[units]
    colours = np.array(GROUP_COLOURS, np.uint8)[key[units] % len(GROUP_COLOURS)]
    circles = Circles(centres, radii, colours, with_alpha(INK, 0.9), 0.08)
    layers = [*target_layers(scenario), circles]
    if max(grid.width, grid.height) <= _HEADINGS_UP_TO:
        angle = trace.headings[frame, units]
        tips = centres + 0.9 * radii[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        noses = np.stack([centres, tips], axis=1).reshape(-1, 2)
        layers.append(Polylines(noses, 2 * np.arange(units.size + 1), INK, 0.12))
    legend: tuple[LegendItem, ...] = tuple(Swatch(name, group_colour(k), "dot") for k, name in names)
    if title is None:
        arrived = int((state == UnitState.ARRIVED).sum())
        title = f"step {step}: {arrived} of {trace.size} units arrived"
    return map_scene(ground_at(grid, scenario, step)).over(*layers, legend=legend, title=title)


def _keys(
    scenario: Scenario, trace: Trace, frame: int, colour: Colouring | None
) -> tuple[NDArray[np.int64], list[tuple[int, str]]]:
    """Return int64[n], the number of each unit's colour, and the numbers with their names for the legend."""
    if colour is None:
        colour = "route" if len(scenario.groups) == 1 and _routes_with_colours(trace) else "group"
    if colour == "state":
        return trace.state[frame].astype(np.int64), [(UnitState.MOVING, "moving"), (UnitState.LOST, "lost")]
    if colour == "route":
        routes = np.unique(trace.route[trace.route >= 0])
        if routes.size <= len(GROUP_COLOURS):
            return np.searchsorted(routes, trace.route), [(k, f"route {r}") for k, r in enumerate(routes)]
        return np.maximum(trace.route, 0), []
    if colour != "group":
        raise InputError("colouring of units", found=repr(colour), expected="group, route or state")
    names = [(g, group.name or f"group {g}") for g, group in enumerate(scenario.groups)]
    return trace.group, names if len(names) > 1 else []


def _routes_with_colours(trace: Trace) -> bool:
    """Whether there are several routes, and few enough for a colour each, as in the picture of a plan."""
    return 1 < np.unique(trace.route[trace.route >= 0]).size <= len(GROUP_COLOURS)


def density_scene(
    grid: Grid,
    density: NDArray[np.float64],
    *,
    top: float | None = None,
    label: str = "unit-steps in a cell",
    title: str = "",
) -> Scene:
    """Return a heat map of values per cell (float64[height, width]); cells at 0 keep the colour of the ground.

    The scale runs from 0 to `top`, by default the 99th percentile of what is above 0, so that one jam doesn't hide the
    rest; give one `top` to pictures that are to be compared.
    """
    values = np.asarray(density, np.float64)
    if values.shape != (grid.height, grid.width):
        raise InputError("density to draw", found=f"{values.shape}", expected=f"[{grid.height}, {grid.width}]")
    used = values > 0
    highest = float(values.max(initial=0.0))
    if top is None:
        top = float(np.quantile(values[used], 0.99)) if used.any() else 1.0
    elif top <= 0:
        raise InputError("top of a density scale", found=f"{top}", expected="a number above 0")
    pixels = quiet_colours(grid)
    share = np.minimum(values[used] / top, 1.0)
    pixels[used] = HEAT[np.round(255 * share).astype(np.int64), :3]
    bounds = (0, 0, grid.width, grid.height)
    end = f"{top:.0f}" if top >= 100 else f"{top:.3g}"
    ramp = Ramp(label, HEAT, "0", end if highest <= top else f"{end} and more")
    return Scene(bounds, (ImageLayer(pixels, bounds),), (ramp,), title)


def trajectory_scene(
    grid: Grid, scenario: Scenario, trace: Trace, *, colour: Colouring | None = None, title: str = ""
) -> Scene:
    """Return the trails of the units, from their starts to where they arrived, were removed or the run ended.

    Trails are translucent, so busy ways are darker. With more than 2000 units every k-th is drawn. `colour` as in
    `frame_scene`.
    """
    line = pen(grid.width, grid.height)
    key, names = _keys(scenario, trace, -1, colour)
    present = (trace.state == UnitState.MOVING) | (trace.state == UnitState.LOST)
    frames = np.minimum(present.sum(axis=0) + 1, trace.times.size)
    units = np.arange(0, trace.size, max(1, -(-trace.size // _MOST_TRAILS)))
    layers: list[Polylines] = []
    for k in np.unique(key[units] % len(GROUP_COLOURS)).tolist():
        mine = units[key[units] % len(GROUP_COLOURS) == k]
        shade: Colour = with_alpha(group_colour(k), 0.35 if mine.size > 1 else 1.0)
        for batch in range(min(_BATCHES, mine.size)):
            trails = [trace.positions[: frames[u], u] for u in mine[batch::_BATCHES]]
            layers.append(Polylines.of(trails, shade, 0.6 * line).straightened())
    legend: tuple[LegendItem, ...] = tuple(Swatch(name, group_colour(k), "line") for k, name in names)
    return map_scene(grid, title=title).over(*layers, *target_layers(scenario), legend=legend)
