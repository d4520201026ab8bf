"""Decomposition: pictures of its stages: the relief of clearance, the flooding, the regions, the gates with widths."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from anabasis.decompose.flooding import Flooding, flood
from anabasis.decomposition import Decomposition
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.view.ground import map_scene, pen, quiet_colours
from anabasis.view.layers import ImageLayer, Labels, Layer, LegendItem, Polylines, Ramp, Scene, Swatch, dots
from anabasis.view.palette import GROUP_COLOURS, INK, PAPER, RAMP, Colour, with_alpha

__all__ = ["STAGES", "Stage", "clearance_scene", "flooding_scene", "gates_scene", "regions_scene", "stage_scene"]

Stage = Literal["clearance", "flooding", "regions", "gates"]
STAGES: tuple[Stage, ...] = get_args(Stage)

_GATE, _INNER = GROUP_COLOURS[1], GROUP_COLOURS[0]
_TINT = 0.55  # share of white in the colours of regions
_MOST_LABELS = 250


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
    legend: list[LegendItem] = [Swatch(f"{len(flooding.source)} lakes with a source each", INK, "dot")]
    if merged:
        legend.append(Swatch("springs merged", with_alpha(INK, 0.5), "line"))
    return _coloured(grid, lake, title).over(
        Polylines.of(merged, with_alpha(INK, 0.5), line / 2), kept, legend=tuple(legend)
    )


def regions_scene(grid: Grid, decomposition: Decomposition, *, title: str = "") -> Scene:
    """Return the regions in colours, none like its neighbours, and the gates as lines."""
    layers, legend = _gate_layers(grid, decomposition)
    return _coloured(grid, decomposition.region, title).over(
        *layers, legend=(Swatch(f"regions: {decomposition.regions}", _tints()[0]), *legend)
    )


def gates_scene(grid: Grid, decomposition: Decomposition, *, title: str = "") -> Scene:
    """Return the gates on the map with their widths in cells; beyond 250 gates, the widths of the widest 250."""
    layers, legend = _gate_layers(grid, decomposition)
    line = pen(grid.width, grid.height)
    named = np.sort(np.argsort(-decomposition.width, kind="stable")[:_MOST_LABELS])
    ends = decomposition.ends[named].reshape(-1, 2, 2) + 0.5
    along = ends[:, 1] - ends[:, 0]
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1)[:, None]
    away = np.where(
        np.abs(along).sum(axis=1)[:, None] > 0, np.stack([along[:, 1], -along[:, 0]], axis=1) / length, (1.0, 0.0)
    )
    places = ends.mean(axis=1) + 4.5 * line * away
    texts = tuple(f"{width:.3g}" for width in decomposition.width[named].tolist())
    return map_scene(grid, title=title).over(*layers, Labels(places, texts, 5 * line, bold=True), legend=tuple(legend))


def _gate_layers(grid: Grid, decomposition: Decomposition) -> tuple[list[Layer], list[LegendItem]]:
    """Return the gates as lines from end to end, cells included, those inside one region in another colour."""
    line = pen(grid.width, grid.height)
    ends = decomposition.ends.reshape(-1, 2, 2) + 0.5
    along = (ends[:, 1] - ends[:, 0]).astype(np.float64)
    length = np.hypot(along[:, 0], along[:, 1])[:, None]
    half = np.where(length > 0, along / np.maximum(length, 1), (0.7, 0.7)) / 2
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


def _coloured(grid: Grid, label: NDArray[np.int32], title: str) -> Scene:
    """Return the map with each label in a tint that no neighbour by side has, as far as the eight go."""
    pixels = quiet_colours(grid)
    known = label >= 0
    pixels[known] = np.array(_tints(), np.uint8)[_colouring(label)[label[known]], :3]
    bounds = (0, 0, grid.width, grid.height)
    return Scene(bounds, (ImageLayer(pixels, bounds),), (), title)


def _tints() -> list[Colour]:
    return [
        (*(round(255 * _TINT + part * (1 - _TINT)) for part in colour[:3]), 255)  # pyright: ignore[reportReturnType]
        for colour in GROUP_COLOURS
    ]


def _colouring(label: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return int64[labels]: a number from 0 to 7 for each label, unlike its neighbours', the least used one first."""
    pairs = np.concatenate(
        [
            np.stack([a.ravel(), b.ravel()], axis=1)[((a != b) & (a >= 0) & (b >= 0)).ravel()]
            for a, b in ((label[:, 1:], label[:, :-1]), (label[1:], label[:-1]))
        ]
    )
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    count = int(label.max(initial=-1)) + 1
    beside: list[list[int]] = [[] for _ in range(count)]
    for low, high in pairs.tolist():
        beside[high].append(low)
    chosen = np.zeros(count, np.int64)
    used = [0] * len(GROUP_COLOURS)
    for number in range(count):
        taken = {int(chosen[other]) for other in beside[number]}
        may = [k for k in range(len(used)) if k not in taken] or list(range(len(used)))
        chosen[number] = min(may, key=lambda k: (used[k], k))
        used[chosen[number]] += 1
    return chosen


def _edges(changes: NDArray[np.bool_], *, across: bool) -> list[NDArray[np.float64]]:
    """Return the sides between cells and those to the right of them (or below, with `across`), where `changes`."""
    y, x = np.nonzero(changes)
    if across:
        return list(np.stack([np.stack([x, y + 1], 1), np.stack([x + 1, y + 1], 1)], axis=1).astype(np.float64))
    return list(np.stack([np.stack([x + 1, y], 1), np.stack([x + 1, y + 1], 1)], axis=1).astype(np.float64))
