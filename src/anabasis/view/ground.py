"""Ground: pictures of the world itself: a map with its terrain and prices, polygonal obstacles, a graph, targets."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.scenario import Scenario
from anabasis.view.layers import Circles, ImageLayer, Layer, LegendItem, Polygons, Polylines, Scene, Swatch, dots
from anabasis.view.palette import BLOCKED, FREE, INK, PAPER, PRICE, TERRAIN, Colour, group_colour, with_alpha
from anabasis.world import World

__all__ = [
    "arc_lines",
    "bulls_eye",
    "graph_scene",
    "map_colours",
    "map_scene",
    "pen",
    "quiet_colours",
    "target_layers",
    "world_scene",
]

_DEAR = 9.0  # the price drawn darkest; dearer ground looks the same


def pen(width: float, height: float) -> float:
    """Return the width, in cells, of a line that is well readable (2 px of 800) on a map of that size."""
    return max(width, height) / 400


def map_colours(grid: Grid) -> NDArray[np.uint8]:
    """Return uint8[height, width, 3]: the colour of each cell: its terrain, shaded by its price."""
    table = np.tile(np.array(FREE[:3], np.uint8), (256, 1))
    for letter in "@O":
        table[ord(letter)] = BLOCKED[:3]
    for letter, (_, colour) in TERRAIN.items():
        table[ord(letter)] = colour[:3]
    pixels = table[grid.terrain]
    dear = np.isfinite(grid.cost) & (grid.cost > 1)
    if dear.any():
        share = np.minimum(np.log(grid.cost[dear]) / np.log(_DEAR), 1.0)[:, None]
        pixels[dear] = np.round(pixels[dear] * (1 - 0.85 * share) + np.array(PRICE[:3]) * (0.85 * share))
    named = np.zeros(256, bool)
    named[[ord(letter) for letter in TERRAIN]] = True
    pixels[np.isinf(grid.cost) & ~named[grid.terrain]] = BLOCKED[:3]
    return pixels


def quiet_colours(grid: Grid) -> NDArray[np.uint8]:
    """Return uint8[height, width, 3]: free cells pale, blocked ones grey, for pictures that colour the cells."""
    return np.where(grid.free[:, :, None], np.array(FREE[:3], np.uint8), np.array(BLOCKED[:3], np.uint8))


def map_scene(grid: Grid, *, title: str = "") -> Scene:
    """Return the map: walls dark, ground pale, water, trees and swamp in their colours, dear ground brown.

    The legend names what is more than ground and wall.
    """
    image = ImageLayer(map_colours(grid), (0, 0, grid.width, grid.height))
    present = np.bincount(grid.terrain.ravel(), minlength=256)
    legend: list[LegendItem] = [
        Swatch(name, colour) for letter, (name, colour) in TERRAIN.items() if present[ord(letter)]
    ]
    highest = float(grid.cost[grid.free].max(initial=1.0))
    if highest > 1:
        legend.append(Swatch(f"price up to {highest:g}", PRICE))
    if legend:
        ground, wall = Swatch("ground", FREE), Swatch("wall", BLOCKED)
        legend = [ground, *legend, *([wall] if present[ord("@")] + present[ord("O")] else [])]
    return Scene((0, 0, grid.width, grid.height), (image,), tuple(legend), title)


def bulls_eye(x: float, y: float, radius: float, colour: Colour, *, least: float = 0.0) -> Layer:
    """Return the mark of a target: rings out to its radius, but at least `least`."""
    outer = max(radius, least)
    white = with_alpha(PAPER, 0.9)
    rings = [(outer, with_alpha(colour, 0.45)), (outer * 0.7, white), (outer * 0.4, colour)]
    radii, colours = np.array([r for r, _ in rings]), np.array([c for _, c in rings], np.uint8)
    return Circles(np.array([[x, y]] * 3), radii, colours, with_alpha(INK, 0.8), outer * 0.06)


def target_layers(scenario: Scenario, colour: Colour | None = None) -> tuple[Layer, ...]:
    """Return the targets of a scenario as bull's-eyes, in `colour` or in that of the group if there are several."""
    grid = scenario.grid
    least = 4 * pen(grid.width, grid.height)
    several = len(scenario.groups) > 1
    return tuple(
        bulls_eye(
            group.target.x,
            group.target.y,
            group.target.radius,
            colour or (group_colour(g) if several else INK),
            least=least,
        )
        for g, group in enumerate(scenario.groups)
    )


def world_scene(world: World, *, title: str = "") -> Scene:
    """Return the obstacles of a continuous world as filled polygons; holes in them, and islands in holes, are seen."""
    x0, y0, x1, y1 = world.bounds
    line = pen(x1 - x0, y1 - y0) / 2
    layers: list[Layer] = []
    for depth, rings in enumerate(_by_depth(world)):
        indptr = np.cumsum([0, *(len(ring) for ring in rings)])
        layers.append(Polygons(np.concatenate(rings), indptr, FREE if depth % 2 else BLOCKED, INK, line))
    return Scene(world.bounds, tuple(layers), (), title, FREE)


def _by_depth(world: World) -> list[list[NDArray[np.float64]]]:
    """Return the rings of a world in lists: those inside no other ring, those inside one, and so on."""
    import shapely

    rings = [world.points[a:b] for a, b in pairwise(world.rings.tolist())]
    if not rings:
        return []
    areas: Any = np.array([shapely.Polygon(ring) for ring in rings], object)
    inside = shapely.STRtree(areas).query(shapely.point_on_surface(areas), predicate="within")
    size: Any = shapely.area(areas)
    larger = size[inside[1]] > size[inside[0]]  # a ring inside this one may hold the same point
    depth = np.bincount(inside[0][larger], minlength=len(rings))
    return [[rings[k] for k in np.flatnonzero(depth == d)] for d in range(int(depth.max()) + 1)]


def graph_scene(graph: Graph, *, ground: Scene | None = None, title: str = "") -> Scene:
    """Return a graph: arcs as lines, vertices as dots, over another scene or over nothing.

    Arcs in both directions look like one.
    """
    if ground is None:
        if graph.size:
            low, high = graph.points.min(axis=0), graph.points.max(axis=0)
        else:
            low, high = np.zeros(2), np.ones(2)
        edge = max(0.5, 0.05 * float((high - low).max()))
        ground = Scene((low[0] - edge, low[1] - edge, high[0] + edge, high[1] + edge))
    line = pen(ground.width, ground.height)
    lines = arc_lines(graph, with_alpha(group_colour(0), 0.7), line / 2)
    return ground.over(lines, dots(graph.points, 1.6 * line, group_colour(1)), title=title)


def arc_lines(graph: Graph, colour: Colour, width: float) -> Polylines:
    """Return the arcs of a graph as lines, one for both directions."""
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    pairs = np.unique(np.sort(np.stack([tails, graph.indices], axis=1), axis=1), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    return Polylines(graph.points[pairs].reshape(-1, 2), 2 * np.arange(len(pairs) + 1), colour, width)
