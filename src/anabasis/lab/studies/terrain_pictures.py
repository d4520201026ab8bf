"""Pictures of the study of generated terrain: its maps, what becomes of them without fading or offsets, its ways.

The source, a Czech bachelor's thesis on generated terrain for strategy games, 2014, shows what it claims in such
figures; the numbers of its figures stand in the captions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.random import stream_key
from anabasis.grid import Grid
from anabasis.lab.page import figure, section, text
from anabasis.lab.studies.planning_charts import log_chart
from anabasis.lab.studies.planning_record import Table
from anabasis.lab.studies.terrain_claims import number, pick
from anabasis.lab.studies.terrain_lines import best_corners, polyline_length
from anabasis.lab.studies.terrain_presets import PRESETS, heights_of, land_of
from anabasis.lab.studies.terrain_queries import CORNERS, RATIO, nodes_of, pairs_of
from anabasis.lab.studies.terrain_trials import ABLATION
from anabasis.maps.land.palettes import Palette
from anabasis.maps.terrain.diamond_square import diamond_square
from anabasis.maps.terrain.midpoint import midpoint_displacement
from anabasis.maps.worlds.land import Land, painted
from anabasis.search.coarse_fine import CoarseFine, Route
from anabasis.view.ground import bulls_eye
from anabasis.view.layers import ImageLayer, Labels, Layer, Polylines, Scene, dots
from anabasis.view.palette import GROUP_COLOURS, INK, PAPER, Colour, with_alpha
from anabasis.view.relief import relief_colours
from anabasis.view.svg import to_svg

__all__ = ["chart_section", "land_section", "way_section"]

_SIDE, _GAP, _TITLE = 129, 6.0, 14.0
_PAIRS = 426  # a stream of random numbers
_RAW, _SMOOTH, _BEST = INK, GROUP_COLOURS[1], GROUP_COLOURS[2]


def _sheet(lands: list[list[tuple[str, Land]]], *, width: int, detail: int = 2) -> str:
    """Return maps in rows, each under its title, as an SVG document."""
    high = _SIDE + _TITLE + _GAP
    layers: list[Layer] = []
    for row, of in enumerate(lands):
        for column, (title, land) in enumerate(of):
            x, y = _GAP + column * (_SIDE + _GAP), row * high + _TITLE
            sea = land.sea if np.isfinite(land.sea) else None
            pixels = relief_colours(land.terrain, land.heights, sea=sea, detail=detail)
            layers.append(ImageLayer(pixels, (x, y, x + _SIDE, y + _SIDE)))
            layers.append(Labels(np.array([[x, y - _TITLE / 2]]), (title,), 8.0, INK, "start"))
    columns = max(map(len, lands))
    bounds = (0.0, 0.0, columns * (_SIDE + _GAP) + _GAP, len(lands) * high)
    return to_svg(Scene(bounds, tuple(layers), background=PAPER), width=width)


def land_section() -> str:
    """Return the section of maps: the presets by several seeds, ablation, overflow, squares."""
    presets = [[(f"{name}, seed {seed}", land_of(name, _SIDE, seed)) for seed in range(5)] for name in PRESETS]
    island = Palette("island", "W,G^*", PRESETS["island"].shares)
    ablation = [
        (title, painted(heights_of("island", _SIDE, 3, amplitude=amplitude, increment=increment), island))
        for title, (amplitude, increment) in ABLATION.items()
    ]
    overflow = [
        (f"{name}, heights that {word}", land_of(name, _SIDE, 1, arithmetic=rule))
        for name in ("lake", "random")
        for rule, word in (("wrap", "wrap"), ("clamp", "stay"))
    ]
    grass = Palette("grass", "G", ())
    squares = [
        (title, painted(make(_SIDE, _SIDE, seed=5, roughness=0.5), grass))
        for title, make in (("midpoint displacement", midpoint_displacement), ("diamond-square", diamond_square))
    ]
    return section(
        "Maps",
        figure(_sheet(presets, width=1080, detail=1), "The three presets, a row each.", look="map"),
        figure(
            _sheet([ablation], width=660),
            "The same island without fading of the offsets, as it is, and without offsets (figure 13).",
            look="map wide",
        ),
        figure(
            _sheet([overflow], width=860),
            "The same heights where 8 bits overflow: going on at the other end, and staying at the ends.",
            look="map",
        ),
        figure(
            _sheet([squares], width=440),
            "The same offsets by both algorithms, lit from one side: creases along old squares on the left (figure 3).",
            look="map wide",
        ),
    )


def way_section() -> str:
    """Return the section of ways: before and after smoothing on each preset, and a flaw that is left."""
    figures = [_ways(name) for name in PRESETS]
    return section("Ways", f'<div class="row">{"".join(figures)}</div>', _flaw())


def _search(name: str, seed: int) -> tuple[Land, CoarseFine, list[tuple[int, int]]]:
    """Return a land, the search over its fine cells, and a few queries of a land unit."""
    land = land_of(name, _SIDE, seed)
    grid = Grid.from_terrain(land.terrain)
    search = CoarseFine(grid.scaled(RATIO), ratio=RATIO, metric="manhattan", corners=CORNERS)
    middle, key = RATIO // 2, int(stream_key(seed, _PAIRS, 0))

    def fine(vertex: int) -> int:
        x, y = grid.cell(vertex)
        return search.space.grid.vertex(x * RATIO + middle, y * RATIO + middle)

    return land, search, [(fine(start), fine(goal)) for start, goal in pairs_of(grid, key)]


def _longest(search: CoarseFine, queries: list[tuple[int, int]]) -> tuple[int, int]:
    found = [(route.result.value.cost if route.result.value else 0.0) for route in (search.route(*q) for q in queries)]
    return queries[int(np.argmax(found))]


def _ways(name: str) -> str:
    land, search, queries = _search(name, 2)
    start, goal = _longest(search, queries)
    raw, smooth = (search.route(start, goal, ahead=ahead) for ahead in (None, 10))
    lengths = [polyline_length(route.corners) / RATIO for route in (raw, smooth)]
    scene = _scene(land, (0, 0, _SIDE, _SIDE), [(raw, _RAW, 0.9), (smooth, _SMOOTH, 0.9)])
    caption = (
        f"{name}: A* over terrain, {lengths[0]:.0f} cells long in {raw.result.stats['lines']:.0f} lines (black); "
        f"smoothed, {lengths[1]:.0f} in {smooth.result.stats['lines']:.0f} (figures 12, 20 and 21)"
    )
    return figure(to_svg(scene, width=520), text(caption), look="map")


def _flaw() -> str:
    """Return the worst case in which all nodes are looked at and a better choice is left."""
    worst, case = 0.0, None
    for seed in range(3):
        land, search, queries = _search("random", seed)
        free = search.space.grid.free
        for start, goal in queries:
            route, raw = (search.route(start, goal, ahead=ahead) for ahead in (-1, None))
            if len(raw.blocks) < 3:
                continue
            nodes = nodes_of(raw)
            best = nodes[best_corners(free, nodes)]
            excess = polyline_length(route.corners) / polyline_length(best) - 1
            if excess > worst:
                worst, case = excess, (land, route, best)
    if case is None:
        return ""
    land, route, best = case
    points = np.concatenate([route.corners, best + 0.5]) / RATIO
    low = np.maximum(np.floor(points.min(axis=0)) - 4, 0)
    high = np.minimum(np.ceil(points.max(axis=0)) + 4, _SIDE)
    scene = _scene(land, (*low.tolist(), *high.tolist()), [(route, _SMOOTH, 0.28)], best / RATIO + 0.5 / RATIO)
    caption = (
        f"A flaw that is left (figure 16): smoothed with all nodes ahead, and in green the shortest choice of the same "
        f"nodes, {100 * worst:.1f} % shorter. A line would have to end while further nodes can still be seen."
    )
    return figure(to_svg(scene, width=760), text(caption), look="map wide")


def _scene(
    land: Land,
    bounds: tuple[float, float, float, float],
    routes: list[tuple[Route, Colour, float]],
    best: NDArray[np.float64] | None = None,
) -> Scene:
    """Return routes over a land, and one choice of nodes beside them; lengths in cells of terrain."""
    sea = land.sea if np.isfinite(land.sea) else None
    pixels = relief_colours(land.terrain, land.heights, sea=sea, detail=3)
    layers: list[Layer] = [ImageLayer(pixels, (0, 0, _SIDE, _SIDE))]
    lines = [(route.corners / RATIO, colour, width) for route, colour, width in routes]
    lines += [(best, _BEST, 0.14)] if best is not None else []
    for points, colour, width in lines:
        layers.append(Polylines.of([points], with_alpha(PAPER, 0.85), 1.8 * width))
        layers.append(Polylines.of([points], colour, width))
    ends = lines[0][0]
    radius = 2.2 * lines[0][2]
    layers.append(dots(ends[:1], radius, GROUP_COLOURS[0], outline=PAPER, width=0.3 * radius))
    layers.append(bulls_eye(float(ends[-1, 0]), float(ends[-1, 1]), 1.4 * radius, INK))
    return Scene(bounds, tuple(layers))


def chart_section(ratios: Table, searches: Table) -> str:
    """Return the section of charts: two resolutions, and the weight of H."""
    sides = [number(row, "ratio R") for row in pick(ratios, map="island")]
    series = {
        name: (sides, [number(row, "fine / coarse") for row in pick(ratios, map=name)])
        for name in PRESETS
        if pick(ratios, map=name)
    }
    two = log_chart({**series, "R²": (sides, [r * r for r in sides])}, across="R", up="times")
    names = {0.5: "weight 0.5", 1.0: "A*, octile", 1.5: "weight 1.5", 2.0: "weight 2", 5.0: "weight 5"}
    weights = {
        name: (
            list(names),
            [number(row, "expanded") for method in names.values() for row in pick(searches, map=name, method=method)],
        )
        for name in PRESETS
        if pick(searches, map=name)
    }
    weighed = log_chart(weights, across="weight of H", up="expanded")
    charts = (
        figure(two, "Expansions over fine cells, R of them along a side of terrain, in times of those on it (C16)."),
        figure(weighed, "Expansions by the weight of H (C20)."),
    )
    return section("Charts", f'<div class="pair">{"".join(charts)}</div>')
