"""Flows: pictures of a flow network on its map: edges, what flows on them, and the routes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.network import PERIOD, FlowNetwork, Route
from anabasis.plan import GroupPlan
from anabasis.result import Result
from anabasis.scenario import Scenario
from anabasis.view.decomposition import regions_scene
from anabasis.view.ground import bulls_eye, map_scene, pen
from anabasis.view.labelling import beside
from anabasis.view.layers import ImageLayer, Labels, Layer, LegendItem, Polygons, Polylines, Scene, Swatch, dots
from anabasis.view.layout import text_width
from anabasis.view.palette import FREE, GROUP_COLOURS, INK, PAPER, Colour, group_colour, with_alpha
from anabasis.view.plans import plan_scene

if TYPE_CHECKING:
    from anabasis.flow.navigate import FlowPlan

__all__ = ["STAGES", "flow_scene", "network_scene", "routes_scene"]

STAGES = ("regions", "network", "routes")
"""What there is to see of the plan of a flow."""

_UNIT = 100  # steps, of the rates in pictures
_FLOW = GROUP_COLOURS[0]
_GROUP = GROUP_COLOURS[1]
_REGION = GROUP_COLOURS[2]
_PALE = with_alpha(PAPER, 0.85)
_PALE_WALL: Colour = (186, 189, 193, 255)  # lines and numbers stand out from it, in print too


def flow_scene(scenario: Scenario, results: Sequence[Result[FlowPlan]], stage: str, *, title: str = "") -> Scene:
    """Return the picture of one of the STAGES: of the first group that has it, or the routes of all.

    results: a plan with its stages for each group. Raises InputError if no group has such a stage.
    """
    if stage == "routes":
        nothing = [np.zeros((0, 2))]
        plans = [
            GroupPlan.of_paths([*nothing * group.size]) if result.value is None else result.value.plan
            for group, result in zip(scenario.groups, results, strict=True)
        ]
        return plan_scene(scenario.grid, scenario, plans, title=title)
    for group, result in zip(scenario.groups, results, strict=True):
        plan, grid = result.value, scenario.grid.with_movement(group.movement)
        if plan is not None and stage == "regions":
            return regions_scene(grid, plan.passages.decomposition, title=title)
        if plan is not None and plan.network is not None:
            used = [r for r, count in zip(plan.choice.routes, plan.choice.counts, strict=False) if count]
            return network_scene(grid, plan.network, used, title=title)
    raise InputError(f"there is no {stage} to draw", hint="no group has a plan, or all stand in their target's region")


def network_scene(grid: Grid, network: FlowNetwork, routes: Sequence[Route] = (), *, title: str = "") -> Scene:
    """Return a network on its map; edges that the routes use are the wider the more flows, and unused ones are faint.

    Arrows point where the flow goes. Beside each gate stands what flows through it, beside each edge in a network
    without gates. The ground is pale, since only walls matter to a flow.
    """
    line = pen(grid.width, grid.height)
    flow = _flow(network, routes)
    ends = network.points[np.stack([network.tail, network.head], axis=1)]
    used = np.flatnonzero(flow)
    ways = np.where((flow[used] < 0)[:, None, None], ends[used][:, ::-1], ends[used])  # as the flow goes
    amounts = np.abs(flow[used])
    widths = line * (1.0 + 4.0 * amounts / max(int(amounts.max(initial=0)), 1))
    gates, others = _places(network)
    source, sink = network.points[network.source], network.points[network.sink]
    marks = [*((*place, 1.4 * line) for place in gates.values()), (*source, 3 * line), (*sink, 4 * line)]

    quiet = ends[flow == 0]
    layers: list[Layer] = [
        Polylines(quiet.reshape(-1, 2), 2 * np.arange(len(quiet) + 1), with_alpha(INK, 0.2), 0.5 * line)
    ]
    layers += [Polylines.of([way], _PALE, width + 1.4 * line) for way, width in zip(ways, widths, strict=True)]
    layers += [Polylines.of([way], _FLOW, width) for way, width in zip(ways, widths, strict=True)]
    numbers = _numbers(network, flow, gates)
    size = 6 * line
    half = np.array([(text_width(text, size) / 2 + 0.2 * size, 0.6 * size) for _, text in numbers]).reshape(-1, 2)
    places = beside([place for place, _ in numbers], half, ways, marks, (grid.width, grid.height))
    layers += _heads(ways, widths, places, half, line)
    of_regions = bool(gates) and int(np.bincount(network.gate[network.gate >= 0]).max()) > 1  # a Centre graph
    layers += [dots(others, 1.7 * line, _REGION if of_regions else _GROUP, outline=PAPER, width=0.4 * line)]
    layers += [dots([*gates.values()], 1.4 * line, INK, outline=PAPER, width=0.4 * line)]
    layers += [dots(source, 3 * line, _GROUP, outline=PAPER, width=0.6 * line)]
    layers += [bulls_eye(float(sink[0]), float(sink[1]), 4 * line, INK)]
    if numbers:
        corners = places[:, None] + half[:, None] * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        layers += [Polygons(corners.reshape(-1, 2), 4 * np.arange(len(places) + 1), _PALE)]
        layers += [Labels(places, tuple(text for _, text in numbers), size, bold=True)]

    legend: list[LegendItem] = [Swatch("group", _GROUP, "dot"), Swatch("target", INK, "target")]
    if gates:
        legend.append(Swatch("gate", INK, "dot"))
    if of_regions:
        legend.append(Swatch("region", _REGION, "dot"))
    if len(quiet):
        legend.append(Swatch("edge without flow", with_alpha(INK, 0.25), "line"))
    if used.size:
        legend.append(Swatch(f"flow, units in {_UNIT} steps", _FLOW, "line"))
    bounds = (0, 0, grid.width, grid.height)
    ground = np.where(grid.free[:, :, None], np.array(FREE[:3], np.uint8), np.array(_PALE_WALL[:3], np.uint8))
    return Scene(bounds, (ImageLayer(ground, bounds), *layers), tuple(legend), title)


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


def _flow(network: FlowNetwork, routes: Sequence[Route]) -> NDArray[np.int64]:
    """Return int64[m]: what the routes carry along each edge, positive from tail to head."""
    flow = np.zeros(network.tail.size, np.int64)
    for route in routes:
        forward = network.tail[route.edges] == route.vertices[:-1]
        np.add.at(flow, route.edges, np.where(forward, route.amount, -route.amount))
    return flow


def _places(network: FlowNetwork) -> tuple[dict[int, NDArray[np.float64]], NDArray[np.float64]]:
    """Return where each gate is, and where the other vertices are that are neither source nor sink.

    In a Gate graph one edge leads through a gate, from side to side, and the others are parts of the group; in a Centre
    graph two edges meet in a gate, and the others are regions.
    """
    places: dict[int, NDArray[np.float64]] = {}
    other = np.ones(network.size, bool)
    other[[network.source, network.sink]] = False
    for gate in np.unique(network.gate[network.gate >= 0]).tolist():
        mine = np.flatnonzero(network.gate == gate)
        meet = set.intersection(*({int(network.tail[edge]), int(network.head[edge])} for edge in mine.tolist()))
        places[gate] = network.points[sorted(meet)].mean(axis=0)
        other[sorted(meet)] = False
    return places, network.points[other]


def _numbers(
    network: FlowNetwork, flow: NDArray[np.int64], gates: dict[int, NDArray[np.float64]]
) -> list[tuple[NDArray[np.float64], str]]:
    """Return what flows, and where: through each gate with flow, or along each edge where there are no gates."""
    if gates:
        through = {int(network.gate[edge]): int(flow[edge]) for edge in np.flatnonzero(flow) if network.gate[edge] >= 0}
        found = [(gates[gate], amount) for gate, amount in through.items()]
    else:
        ends = network.points[np.stack([network.tail, network.head], axis=1)].mean(axis=1)
        found = [(ends[edge], int(flow[edge])) for edge in np.flatnonzero(flow)]
    return [(place, f"{_UNIT * abs(amount) / PERIOD:.1f}") for place, amount in found]


def _heads(
    ways: NDArray[np.float64],
    widths: NDArray[np.float64],
    plates: NDArray[np.float64],
    half: NDArray[np.float64],
    line: float,
) -> list[Layer]:
    """Return the heads of arrows near the middles of lines, clear of plates; lines too short for one have none."""
    heads: list[NDArray[np.float64]] = []
    for (tail, tip), width in zip(ways, widths.tolist(), strict=True):
        length = float(np.hypot(*(tip - tail)))
        side = width / 2 + 1.8 * line
        if length < 8 * side:
            continue
        along = (tip - tail) / length
        across = np.array([-along[1], along[0]])
        middles = tail + (tip - tail) * np.array([0.5, 0.6, 0.4, 0.7, 0.3])[:, None]
        covered = (np.abs(middles[:, None] - plates) < half + side).all(axis=2).any(axis=1)
        middle = middles[int(np.argmin(covered))]
        heads.append(
            np.array([middle + 1.2 * side * along, middle - side * (along - across), middle - side * (along + across)])
        )
    if not heads:
        return []
    return [Polygons(np.concatenate(heads), 3 * np.arange(len(heads) + 1), _FLOW, PAPER, 0.5 * line)]
