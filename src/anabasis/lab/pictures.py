"""Pictures: what a method planned and did on a scenario, as maps for a report: ways, crowding, one moment.

Every picture of a scenario has the same scale, so methods can be compared side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from anabasis.grid import Grid
from anabasis.plan import GroupPlan
from anabasis.scenario import Scenario
from anabasis.trace import Trace, UnitState
from anabasis.view.ground import map_scene, pen, quiet_colours, target_layers
from anabasis.view.layers import Circles, ImageLayer, Layer, Polylines, Scene
from anabasis.view.palette import GROUP_COLOURS, HEAT, INK, Colour, group_colour, with_alpha
from anabasis.view.runs import frame_scene, ground_at
from anabasis.view.svg import to_svg

__all__ = [
    "density_block",
    "density_pictures",
    "density_top",
    "moment_picture",
    "route_colours",
    "routes_picture",
    "ways_picture",
]

_SHEETS = 8  # ways are laid over one another in so many sheets: where many pass it is darker


def ways_picture(scenario: Scenario, ways: Sequence[NDArray[np.float64]], number: int, *, width: int) -> str:
    """Return ways, each float64[k, 2], in the colour of the method at place `number`, and the targets."""
    sheets = _sheets(scenario.grid, ways, group_colour(number))
    return to_svg(_bare(map_scene(scenario.grid)).over(*sheets, *target_layers(scenario, INK)), width=width)


def _sheets(grid: Grid, ways: Sequence[NDArray[np.float64]], colour: Colour) -> list[Polylines]:
    """Return ways in several layers, so that it is darker where many pass."""
    shade = with_alpha(colour, 0.4 if len(ways) > 1 else 1.0)
    return [
        Polylines.of(list(ways[sheet::_SHEETS]), shade, pen(grid.width, grid.height)).straightened()
        for sheet in range(min(_SHEETS, len(ways)))
    ]


def route_colours(route: NDArray[np.int64]) -> dict[int, Colour]:
    """Return the colour of each route of a plan, most used first; none if there is one route or more than eight."""
    numbers, counts = np.unique(route[route >= 0], return_counts=True)
    if not 1 < numbers.size <= len(GROUP_COLOURS):
        return {}
    order = np.lexsort((numbers, -counts))
    return {int(numbers[k]): group_colour(place) for place, k in enumerate(order.tolist())}


def routes_picture(scenario: Scenario, plan: GroupPlan, colours: Mapping[int, Colour], *, width: int) -> str:
    """Return the ways of a plan of all units, and the units at their starts, in the colours of their routes."""
    layers: list[Layer] = []
    for number, colour in reversed(list(colours.items())):
        mine = np.flatnonzero(plan.route == number).tolist()
        layers += _sheets(scenario.grid, [way for unit in mine if len(way := plan.path(unit))], colour)
    starts = np.concatenate([group.positions for group in scenario.groups])
    radius = np.repeat([group.radius for group in scenario.groups], [group.size for group in scenario.groups])
    shades = np.array([colours.get(number, with_alpha(INK, 0.4)) for number in plan.route.tolist()], np.uint8)
    units = Circles(starts, radius, shades, with_alpha(INK, 0.5), 0.05)
    return to_svg(_bare(map_scene(scenario.grid)).over(*layers, units, *target_layers(scenario, INK)), width=width)


def density_top(densities: Mapping[str, NDArray[np.float64]]) -> float:
    """Return the end of the one scale of several density pictures: the 99th percentile of what is above 0."""
    used = np.concatenate([values[values > 0] for values in densities.values()] or [np.zeros(0)])
    return float(np.quantile(used, 0.99)) if used.size else 1.0


def density_block(grid: Grid, values: NDArray[np.float64]) -> int:
    """Return how many cells along a side one value of a density stands for (see `trial.density`)."""
    return -(-max(grid.width, grid.height) // max(values.shape))


def density_pictures(scenario: Scenario, densities: Mapping[str, NDArray[np.float64]], *, width: int) -> dict[str, str]:
    """Return a heat map for each method of units per block of cells (float64[h, w]), all on one scale."""
    grid = scenario.grid
    top = density_top(densities)
    pictures: dict[str, str] = {}
    for method, values in densities.items():
        block = density_block(grid, values)
        fine = np.kron(values, np.ones((block, block)))[: grid.height, : grid.width]
        pixels = quiet_colours(grid)
        used = (fine > 0.005 * top) & grid.free
        share = np.sqrt(np.minimum(fine[used] / top, 1.0))  # a square root, so that thin streams are seen as well
        pixels[used] = HEAT[np.round(255 * share).astype(np.int64), :3]
        extent = (0.0, 0.0, float(grid.width), float(grid.height))
        pictures[method] = to_svg(Scene(extent, (ImageLayer(pixels, extent),)), width=width)
    return pictures


def moment_picture(scenario: Scenario, trace: Trace, number: int, step: int, *, width: int) -> tuple[str, int]:
    """Return the units at the recorded frame nearest to `step`, and how many have arrived by then.

    One group is drawn in the colours of its routes where it has a few, as in `routes_picture`, else in that of the
    method at place `number`; several groups in colours of their own.
    """
    frame = int(np.abs(trace.times - step).argmin())
    if len(scenario.groups) > 1:
        scene = _bare(frame_scene(scenario.grid, scenario, trace, frame))
    else:
        units = np.flatnonzero((trace.state[frame] == UnitState.MOVING) | (trace.state[frame] == UnitState.LOST))
        shades, own = route_colours(trace.route), group_colour(number)
        colours = np.array([shades.get(r, own) for r in trace.route[units].tolist()], np.uint8).reshape(-1, 4)
        outline = with_alpha(INK, 0.9)
        circles = Circles(trace.positions[frame, units], trace.radius[units], colours, outline, 0.08)
        ground = map_scene(ground_at(scenario.grid, scenario, int(trace.times[frame])))
        scene = _bare(ground).over(*target_layers(scenario), circles)
    return to_svg(scene, width=width), int((trace.state[frame] == UnitState.ARRIVED).sum())


def _bare(scene: Scene) -> Scene:
    """Leave title and legend away: the page's captions say it."""
    return Scene(scene.bounds, scene.layers, (), "", scene.background)
