"""Flows: pictures of a flow network on its map: edges, what flows on them, and the routes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from anabasis.grid import Grid
from anabasis.network import PERIOD, FlowNetwork, Route
from anabasis.view.ground import bulls_eye, map_scene, pen
from anabasis.view.layers import Labels, Layer, LegendItem, Polygons, Polylines, Scene, Swatch, dots
from anabasis.view.layout import text_width
from anabasis.view.palette import GROUP_COLOURS, INK, PAPER, group_colour, with_alpha

__all__ = ["network_scene", "routes_scene"]

_UNIT = 100  # steps, of the rates in pictures
_FLOW = GROUP_COLOURS[0]


def network_scene(grid: Grid, network: FlowNetwork, routes: Sequence[Route] = (), *, title: str = "") -> Scene:
    """Return a network on its map; edges that the routes use are the wider the more flows, with the flow beside them.

    A flow is positive from the vertex with the lower number to that with the higher one. Gates are the edges that lead
    through one; unused edges are faint.
    """
    line = pen(grid.width, grid.height)
    flow = _flow(network, routes)
    lines = network.points[np.stack([network.tail, network.head], axis=1)]
    used, gates = flow != 0, network.gate >= 0
    quiet = lines[~used]
    layers: list[Layer] = [
        Polylines(quiet.reshape(-1, 2), 2 * np.arange(len(quiet) + 1), with_alpha(INK, 0.25), 0.6 * line)
    ]
    most = max(int(np.abs(flow).max(initial=0)), 1)
    for edge in np.flatnonzero(used).tolist():
        width = line * (1.0 + 4.0 * abs(int(flow[edge])) / most)
        layers.append(Polylines.of([lines[edge]], _FLOW, width))
    at_gates = np.unique(np.concatenate([network.tail[gates], network.head[gates]]))
    layers.append(dots(network.points[at_gates], 1.4 * line, PAPER, outline=INK, width=0.5 * line))
    source, sink = network.points[network.source], network.points[network.sink]
    layers += [dots(source, 3 * line, GROUP_COLOURS[1], outline=PAPER, width=0.6 * line)]
    layers += [bulls_eye(float(sink[0]), float(sink[1]), 4 * line, INK)]
    named = np.flatnonzero(used & (gates | ~gates.any()))
    if named.size:
        texts = tuple(f"{_UNIT * _signed(network, flow, e) / PERIOD:+.1f}" for e in named.tolist())
        layers += _plated(lines[named].mean(axis=1) - (0, 7.0 * line), texts, 6 * line)
    legend: list[LegendItem] = [
        Swatch("group", GROUP_COLOURS[1], "dot"),
        Swatch("edge without flow", with_alpha(INK, 0.25), "line"),
    ]
    if used.any():
        legend.append(Swatch(f"flow, units in {_UNIT} steps", _FLOW, "line"))
    return map_scene(grid, title=title).over(*layers, legend=tuple(legend))


def routes_scene(
    grid: Grid, ways: Sequence[NDArray[np.float64]], labels: Sequence[str], counts: Sequence[int], *, title: str = ""
) -> Scene:
    """Return routes as lines, each float64[k, 2], in the colours of routes, the wider the more units take them."""
    line = pen(grid.width, grid.height)
    most = max([*counts, 1])
    layers: list[Layer] = []
    legend: list[LegendItem] = []
    for k, (way, label, count) in enumerate(zip(ways, labels, counts, strict=True)):
        width = line * (1.2 + 2.8 * count / most)
        layers.append(Polylines.of([way], with_alpha(PAPER, 0.9), width + 1.4 * line))
        layers.append(Polylines.of([way], group_colour(k), width))
        legend.append(Swatch(label, group_colour(k), "line"))
    return map_scene(grid, title=title).over(*layers, legend=tuple(legend))


def _plated(places: NDArray[np.float64], texts: tuple[str, ...], size: float) -> list[Layer]:
    """Return texts on pale plates, which keep them readable over lines."""
    half = np.array([(text_width(text, size) / 2 + 0.2 * size, 0.6 * size) for text in texts])
    corners = places[:, None] + half[:, None] * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    plates = Polygons(corners.reshape(-1, 2), 4 * np.arange(len(texts) + 1), with_alpha(PAPER, 0.85))
    return [plates, Labels(places, texts, size, bold=True)]


def _flow(network: FlowNetwork, routes: Sequence[Route]) -> NDArray[np.int64]:
    """Return int64[m]: what the routes carry along each edge, positive from tail to head."""
    flow = np.zeros(network.tail.size, np.int64)
    for route in routes:
        forward = network.tail[route.edges] == route.vertices[:-1]
        np.add.at(flow, route.edges, np.where(forward, route.amount, -route.amount))
    return flow


def _signed(network: FlowNetwork, flow: NDArray[np.int64], edge: int) -> int:
    return int(flow[edge]) if network.tail[edge] < network.head[edge] else -int(flow[edge])
