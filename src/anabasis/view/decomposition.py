"""Decomposition: pictures of its stages: the relief of clearance, the flooding, the regions, the gates with widths.

Six tints are enough for neighbours to differ: on a map some region always has at most five neighbours, so they are
taken away one by one, that with the fewest first, and coloured in the reverse order: D. Matula and L. Beck,
"Smallest-last ordering and clustering and graph coloring algorithms", 1983.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from anabasis.decomposition import Decomposition
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.view.ground import map_scene, pen, quiet_colours
from anabasis.view.layers import (
    ImageLayer,
    Labels,
    Layer,
    LegendItem,
    Polygons,
    Polylines,
    Ramp,
    Scene,
    Swatch,
    dots,
)
from anabasis.view.layout import text_width
from anabasis.view.palette import GROUP_COLOURS, INK, PAPER, RAMP, Colour, with_alpha

if TYPE_CHECKING:
    from anabasis.decompose.flooding import Flooding

__all__ = ["STAGES", "Stage", "clearance_scene", "flooding_scene", "gates_scene", "regions_scene", "stage_scene"]

Stage = Literal["clearance", "flooding", "regions", "gates"]
STAGES: tuple[Stage, ...] = get_args(Stage)

_GATE, _INNER = GROUP_COLOURS[1], GROUP_COLOURS[0]
_TEXT = 4.6  # height of a width's text in pens
_TINTS: tuple[Colour, ...] = (  # paler than anything that is drawn on them; told apart by lightness too
    (176, 199, 249, 255),  # blue
    (252, 237, 180, 255),  # yellow
    (175, 228, 185, 255),  # green
    (252, 192, 186, 255),  # rose
    (190, 243, 249, 255),  # cyan
    (240, 210, 247, 255),  # lilac
)


def stage_scene(grid: Grid, decomposition: Decomposition, stage: Stage, *, title: str = "") -> Scene:
    """Return the picture of a stage of the decomposition of a map; raises InputError for a stage that there is not.

    Of the first two stages a decomposition keeps nothing but its parameters, so the map is flooded again.
    """
    if stage not in STAGES:
        raise InputError("stage of a decomposition", found=repr(stage), expected=f"one of {', '.join(STAGES)}")
    if stage == "regions":
        return regions_scene(grid, decomposition, title=title)
    if stage == "gates":
        return gates_scene(grid, decomposition, title=title)
    from anabasis.decompose.flooding import flood  # compiled code, which no other picture needs

    flooding = flood(grid, decomposition.parameters)
    return (clearance_scene if stage == "clearance" else flooding_scene)(grid, flooding, title=title)


def clearance_scene(grid: Grid, flooding: Flooding, *, title: str = "") -> Scene:
    """Return the relief that is flooded: the darker, the farther from walls; equal levels look equal."""
    known = flooding.level > 0
    high = int(flooding.level.max(initial=0))
    pixels = quiet_colours(grid)
    pixels[known] = RAMP[np.round(255 * flooding.level[known] / max(high, 1)).astype(np.int64), :3]
    bounds = (0, 0, grid.width, grid.height)
    legend = Ramp("cells to the walls", RAMP, "0", f"{flooding.depth.max(initial=0) / 10:.3g}")
    return Scene(bounds, (ImageLayer(pixels, bounds),), (legend,), title)


def flooding_scene(grid: Grid, flooding: Flooding, *, title: str = "") -> Scene:
    """Return the flooding: lakes in colours, a line where springs met that were merged, a dot at each lake's source."""
    lake, spring = flooding.lake, flooding.spring
    line = pen(grid.width, grid.height)
    kept = dots(grid.centres(flooding.source), 1.6 * line, INK, outline=PAPER, width=0.4 * line)
    merged = _edges((spring[:, 1:] != spring[:, :-1]) & (lake[:, 1:] == lake[:, :-1]), across=False)
    merged += _edges((spring[1:] != spring[:-1]) & (lake[1:] == lake[:-1]), across=True)
    legend: list[LegendItem] = [Swatch(f"lakes, each with a source: {len(flooding.source)}", INK, "dot")]
    if merged:
        legend.append(Swatch("springs merged", with_alpha(INK, 0.5), "line"))
    return _coloured(grid, lake, title).over(
        Polylines.of(merged, with_alpha(INK, 0.5), line / 2), kept, legend=tuple(legend)
    )


def regions_scene(grid: Grid, decomposition: Decomposition, *, title: str = "") -> Scene:
    """Return the regions in colours, none like its neighbours, and the gates as lines."""
    layers, legend = _gate_layers(grid, decomposition)
    return _coloured(grid, decomposition.region, title).over(
        *layers, legend=(Swatch(f"regions: {decomposition.regions}", _TINTS[0]), *legend)
    )


def gates_scene(grid: Grid, decomposition: Decomposition, *, title: str = "") -> Scene:
    """Return the gates on the map, with their widths in cells where there is room for the text, narrow gates first."""
    layers, legend = _gate_layers(grid, decomposition)
    places, named = _room_for_widths(grid, decomposition)
    texts = tuple(_width_text(w) for w in decomposition.width[named].tolist())
    size = _TEXT * pen(grid.width, grid.height)
    half = np.array([_half_plate(text, size) for text in texts]).reshape(-1, 1, 2)
    corners = places[:, None] + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    plates = Polygons(corners.reshape(-1, 2), 4 * np.arange(len(texts) + 1), with_alpha(PAPER, 0.85))
    widths: list[LegendItem] = [Swatch("number: width in cells", PAPER)] if texts else []
    return map_scene(grid, title=title).over(
        plates, *layers, Labels(places, texts, size, bold=True), legend=(*legend, *widths)
    )


def _width_text(width: float) -> str:
    return f"{width:.1f}".removesuffix(".0")


def _half_plate(text: str, size: float) -> tuple[float, float]:
    """Return half the width and half the height of the plate under a text."""
    return text_width(text, size) / 2 + 0.2 * size, 0.55 * size


def _room_for_widths(grid: Grid, decomposition: Decomposition) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return where the widths of gates can stand, float64[n, 2], and of which gates, int64[n].

    A text stands beside the middle of its gate, on the one side or the other, off all gates and other texts.
    """
    line = pen(grid.width, grid.height)
    size = _TEXT * line
    taken = np.zeros((grid.height, grid.width), bool)
    taken.reshape(-1)[decomposition.cells] = True
    places: list[tuple[float, float]] = []
    named: list[int] = []
    for gate in np.argsort(decomposition.width, kind="stable").tolist():
        x0, y0, x1, y1 = (int(v) for v in decomposition.ends[gate])
        half_width, half_height = _half_plate(_width_text(float(decomposition.width[gate])), size)
        long = float(np.hypot(x1 - x0, y1 - y0))
        across_x, across_y = ((y1 - y0) / long, (x0 - x1) / long) if long else (1.0, 0.0)
        away = abs(across_x) * half_width + abs(across_y) * half_height + max(1.6 * line, 0.6)
        for side in (1, -1):
            x, y = (x0 + x1 + 1) / 2 + side * away * across_x, (y0 + y1 + 1) / 2 + side * away * across_y
            left, right = round(x - half_width), round(x + half_width)
            top, bottom = round(y - half_height), round(y + half_height)
            if min(left, top) < 0 or right > grid.width or bottom > grid.height:
                continue
            plate = taken[top : max(bottom, top + 1), left : max(right, left + 1)]
            if not plate.any():
                plate[:] = True
                places.append((x, y))
                named.append(gate)
                break
    return np.array(places).reshape(-1, 2), np.array(named, np.int64)


def _gate_layers(grid: Grid, decomposition: Decomposition) -> tuple[list[Layer], list[LegendItem]]:
    """Return the gates as lines from end to end, cells included, those inside one region in another colour."""
    line = pen(grid.width, grid.height)
    ends = decomposition.ends.reshape(-1, 2, 2) + 0.5
    half = _half_cell(grid, decomposition)
    ends = np.stack([ends[:, 0] - half, ends[:, 1] + half], axis=1)
    layers: list[Layer] = []
    legend: list[LegendItem] = []
    kinds: tuple[tuple[str, Colour, NDArray[np.bool_]], ...] = (
        ("gates", _GATE, ~decomposition.inner),
        ("gates inside a region", _INNER, decomposition.inner),
    )
    for name, colour, chosen in kinds:
        if chosen.any():
            points, indptr = ends[chosen].reshape(-1, 2), 2 * np.arange(int(chosen.sum()) + 1)
            layers.append(Polylines(points, indptr, PAPER, 2.6 * line))
            layers.append(Polylines(points, indptr, colour, 1.6 * line))
            legend.append(Swatch(f"{name}: {int(chosen.sum())}", colour, "line"))
    return layers, legend


def _half_cell(grid: Grid, decomposition: Decomposition) -> NDArray[np.float64]:
    """Return float64[k, 2]: half a cell along each gate; a gate of one cell runs from wall to wall, or slants."""
    x0, y0, x1, y1 = decomposition.ends.T
    wall = ~np.pad(grid.free, 1)
    level, upright = wall[y0 + 1, x0] & wall[y0 + 1, x0 + 2], wall[y0, x0 + 1] & wall[y0 + 2, x0 + 1]
    one = (x0 == x1) & (y0 == y1)
    along = np.stack([x1 - x0 + (one & (level | ~upright)), y1 - y0 + (one & (upright | ~level))], axis=1)
    return along / (2 * np.hypot(along[:, 0], along[:, 1])[:, None])


def _coloured(grid: Grid, label: NDArray[np.int32], title: str) -> Scene:
    """Return the map with each label in a tint that no neighbour by side has."""
    pixels = quiet_colours(grid)
    known = label >= 0
    pixels[known] = np.array(_TINTS, np.uint8)[_colouring(label)[label[known]], :3]
    bounds = (0, 0, grid.width, grid.height)
    return Scene(bounds, (ImageLayer(pixels, bounds),), (), title)


def _colouring(label: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return int64[labels]: a number from 0 to 5 for each label, unlike its neighbours', the least used one first."""
    beside: list[set[int]] = [set() for _ in range(int(label.max(initial=-1)) + 1)]
    for a, b in ((label[:, 1:], label[:, :-1]), (label[1:], label[:-1])):
        differ = (a != b) & (a >= 0) & (b >= 0)
        for one, other in np.unique(np.stack([a[differ], b[differ]], axis=1), axis=0).tolist():
            beside[one].add(other)
            beside[other].add(one)
    degree = [len(others) for others in beside]
    queue = [(count, number) for number, count in enumerate(degree)]
    heapify(queue)
    order: list[int] = []
    gone = [False] * len(beside)
    while queue:
        count, number = heappop(queue)
        if gone[number] or count != degree[number]:
            continue
        gone[number] = True
        order.append(number)
        for other in beside[number]:
            degree[other] -= 1
            heappush(queue, (degree[other], other))
    chosen = np.full(len(beside), -1, np.int64)
    used = [0] * len(_TINTS)
    for number in reversed(order):
        taken = {int(chosen[other]) for other in beside[number]}
        free = [k for k in range(len(_TINTS)) if k not in taken]  # empty only if a label is in several pieces
        tint = min(free or range(len(_TINTS)), key=lambda k: (used[k], k))
        chosen[number] = tint
        used[tint] += 1
    return chosen


def _edges(changes: NDArray[np.bool_], *, across: bool) -> list[NDArray[np.float64]]:
    """Return the sides between cells and those to the right of them (or below, with `across`), where `changes`."""
    y, x = np.nonzero(changes)
    if across:
        return list(np.stack([np.stack([x, y + 1], 1), np.stack([x + 1, y + 1], 1)], axis=1).astype(np.float64))
    return list(np.stack([np.stack([x + 1, y], 1), np.stack([x + 1, y + 1], 1)], axis=1).astype(np.float64))
