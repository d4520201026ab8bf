"""Searches: pictures of a path and of what a search did, on a map, a graph or a world of polygons."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import SearchTrace, TraceEvent
from anabasis.view.ground import bulls_eye, graph_scene, map_scene, pen, quiet_colours, world_scene
from anabasis.view.layers import Circles, ImageLayer, Layer, LegendItem, Polylines, Ramp, Scene, Swatch, dots
from anabasis.view.palette import GROUP_COLOURS, INK, PAPER, RAMP, Colour, with_alpha
from anabasis.world import World

__all__ = ["ground_scene", "path_scene", "search_scene"]

_PATH: Colour = GROUP_COLOURS[1]
_OPEN: Colour = (240, 200, 214, 255)
_BANDS = 24  # shades of the edges of a tree
_DARK = RAMP[64:]  # in which thin lines stand out from pale ground
_FEW = 0.03  # share of the free cells


def ground_scene(space: Grid | Graph | World, *, title: str = "") -> Scene:
    """Return the picture of what is searched: a map, a graph, or obstacles."""
    if isinstance(space, Grid):
        return map_scene(space, title=title)
    return graph_scene(space, title=title) if isinstance(space, Graph) else world_scene(space, title=title)


def path_scene(space: Grid | Graph | World | Scene, path: Path, *, title: str = "") -> Scene:
    """Return a path on its map, or over another scene: start as a dot, end as a bull's-eye."""
    ground = space if isinstance(space, Scene) else ground_scene(space)
    return ground.over(*path_layers(ground, path.points), title=title)


def path_layers(ground: Scene, points: NDArray[np.float64]) -> list[Layer]:
    """Return the layers of a path over a scene, nothing for a path without points."""
    line = pen(ground.width, ground.height)
    if not len(points):
        return []
    way = Polylines.of([points], with_alpha(PAPER, 0.9), 3.6 * line).straightened()
    return [
        way,
        Polylines(way.points, way.indptr, _PATH, 2 * line),
        bulls_eye(float(points[-1, 0]), float(points[-1, 1]), 4 * line, INK),
        dots(points[:1], 3 * line, GROUP_COLOURS[0], outline=PAPER, width=0.6 * line),
    ]


def search_scene(
    space: Grid | Graph | World,
    trace: SearchTrace,
    path: Path | None = None,
    *,
    ground: Scene | None = None,
    title: str = "",
) -> Scene:
    """Return what a search did: what it expanded by order (the first expansion counts), what it only saw, the path.

    On a map the cells are coloured; elsewhere, where the search made its own vertices, and where it looked at few cells
    far apart, the edges of its tree. A search that never expands, such as one that grows a tree of samples, is shown
    by the order of generation.
    ground: the scene to draw a tree upon, by default that of the space.
    """
    kind = TraceEvent.EXPAND if (trace.event == TraceEvent.EXPAND.value).any() else TraceEvent.GENERATE
    own = len(trace.points) > 0 or ground is not None
    if isinstance(space, Grid) and not own and len(np.unique(trace.vertex)) > _FEW * space.free.sum():
        scene, count, waiting = _cells(space, trace, kind)
        shades = RAMP
    else:
        below = ground if ground is not None else ground_scene(space)
        places = trace.points if len(trace.points) or isinstance(space, World) else _places(space)
        scene, count, waiting = _tree(below, places, trace, kind)
        shades = _DARK
    word = "expansion" if kind is TraceEvent.EXPAND else "generation"
    legend: list[LegendItem] = [Ramp(f"order of {word}", shades, "1", f"{count}")]
    if waiting:
        legend.append(Swatch(f"generated only: {waiting}", _OPEN))
    if path is not None:
        legend.append(Swatch("path", _PATH, "line"))
    layers = path_layers(scene, path.points) if path is not None else []
    return scene.over(*layers, legend=tuple(legend), title=title)


def _places(space: Grid | Graph) -> NDArray[np.float64]:
    return space.points if isinstance(space, Graph) else space.centres(np.arange(space.cost.size))


def _order(trace: SearchTrace, kind: TraceEvent) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Return the vertices of the events of that kind, when each first was (0 to 1), and those only generated."""
    chosen = trace.vertex[(trace.event == kind.value) & (trace.vertex >= 0)]
    generated = trace.vertex[(trace.event == TraceEvent.GENERATE.value) & (trace.vertex >= 0)]
    vertices, first = np.unique(chosen, return_index=True)
    return vertices, np.argsort(np.argsort(first)) / max(len(vertices) - 1, 1), np.setdiff1d(generated, chosen)


def _cells(grid: Grid, trace: SearchTrace, kind: TraceEvent) -> tuple[Scene, int, int]:
    """Colour the cells of a map; return the scene and the numbers of vertices that were expanded or only generated."""
    vertices, order, waiting = _order(trace, kind)
    pixels = quiet_colours(grid)
    flat = pixels.reshape(-1, 3)
    flat[vertices] = RAMP[np.round(255 * order).astype(np.int64), :3]
    flat[waiting] = _OPEN[:3]
    bounds = (0, 0, grid.width, grid.height)
    return Scene(bounds, (ImageLayer(pixels, bounds),)), len(vertices), len(waiting)


def _tree(ground: Scene, places: NDArray[np.float64], trace: SearchTrace, kind: TraceEvent) -> tuple[Scene, int, int]:
    """Draw the edges of the tree and its vertices; return the scene and the same numbers."""
    vertices, order, waiting = _order(trace, kind)
    parent = np.full(len(places), -1, np.int64)
    parent[trace.vertex] = trace.parent  # the last parent stands
    line = pen(ground.width, ground.height)
    band = np.minimum((order * _BANDS).astype(np.int64), _BANDS - 1)
    layers: list[Layer] = []
    open_edges = waiting[parent[waiting] >= 0]
    layers.append(_edges(places, open_edges, parent, _OPEN, 0.6 * line))
    for k in range(_BANDS):
        r, g, b, a = (int(c) for c in _DARK[round((len(_DARK) - 1) * (k + 0.5) / _BANDS)])
        mine = vertices[band == k]
        layers.append(_edges(places, mine[parent[mine] >= 0], parent, (r, g, b, a), 0.8 * line))
    colours = _DARK[np.round((len(_DARK) - 1) * order).astype(np.int64)]
    layers.append(Circles(places[vertices], np.full(len(vertices), 0.9 * line), colours))
    return ground.over(*(layer for layer in layers if len(_drawn(layer)))), len(vertices), len(waiting)


def _drawn(layer: Layer) -> NDArray[np.float64]:
    return layer.points if isinstance(layer, Polylines) else layer.centres if isinstance(layer, Circles) else np.ones(1)


def _edges(
    places: NDArray[np.float64], vertices: NDArray[np.int64], parent: NDArray[np.int64], colour: Colour, width: float
) -> Polylines:
    ends = np.stack([places[parent[vertices]], places[vertices]], axis=1).reshape(-1, 2)
    return Polylines(ends, 2 * np.arange(len(vertices) + 1), colour, width)
