"""Generated maps as pictures: the lit land with the players' starts, towns and resources; many maps on one sheet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.gamemap import GameMap, Site
from anabasis.options import check_count
from anabasis.view.layers import Circles, ImageLayer, Labels, Layer, LegendItem, Polygons, Scene, Swatch
from anabasis.view.palette import INK, PAPER, Colour, group_colour
from anabasis.view.relief import relief_colours, relief_scene

__all__ = ["game_map_scene", "sheet_scene"]

_TOWN: Colour = (150, 60, 50, 255)
_RESOURCES: tuple[Colour, ...] = (
    (240, 228, 66, 255),
    (213, 94, 0, 255),
    (204, 121, 167, 255),
    (86, 180, 233, 255),
    (0, 158, 115, 255),
)
_GAP = 0.06  # between the maps of a sheet, in shares of a map's longer side
_TEXT = 0.07


def game_map_scene(game_map: GameMap, *, title: str = "") -> Scene:
    """Return a generated map: its land lit from one side, and on it what its sites are.

    Starts are discs with the player's number in the player's colour; towns are squares; resources are diamonds in a
    colour for each name, with a rim in the colour of the player they belong to.
    """
    scene = relief_scene(game_map.terrain, game_map.heights, sea=game_map.sea, title=title)
    size = max(1.2, 0.012 * min(game_map.width, game_map.height))
    layers, legend = _sites(game_map, size)
    return scene.over(*layers, legend=legend)


def sheet_scene(maps: Sequence[GameMap], titles: Sequence[str], *, columns: int = 4) -> Scene:
    """Return a contact sheet: maps of one size in rows of `columns`, each with its title above it."""
    check_count(columns, "columns of a sheet", 1)
    if not maps or len(maps) != len(titles):
        raise InputError(
            "maps of a sheet", found=f"{len(maps)} maps, {len(titles)} titles", expected="one title for each"
        )
    width, height = max(m.width for m in maps), max(m.height for m in maps)
    side = max(width, height)
    gap, text = _GAP * side, _TEXT * side
    across, down = width + gap, height + gap + text
    layers: list[Layer] = []
    for number, (game_map, title) in enumerate(zip(maps, titles, strict=True)):
        x, y = gap + number % columns * across, gap + text + number // columns * down
        detail = 2 if max(game_map.width, game_map.height) < 200 else 1
        pixels = relief_colours(game_map.terrain, game_map.heights, sea=game_map.sea, detail=detail)
        layers.append(ImageLayer(pixels, (x, y, x + game_map.width, y + game_map.height)))
        layers += [_moved(layer, x, y) for layer in _sites(game_map, 0.02 * side)[0]]
        layers.append(Labels(np.array([[x, y - 0.55 * text]]), (title,), 0.7 * text, INK, "start"))
    rows = -(-len(maps) // columns)
    bounds = (0.0, 0.0, gap + min(columns, len(maps)) * across, gap + rows * down)
    return Scene(bounds, tuple(layers))


def _sites(game_map: GameMap, size: float) -> tuple[list[Layer], tuple[LegendItem, ...]]:
    """Return what is drawn for the sites of a map, marks of that radius, and the legend's lines for it."""
    layers: list[Layer] = []
    legend: list[LegendItem] = []
    towns, resources, starts = (game_map.places(kind) for kind in ("town", "resource", "start"))
    if towns:
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * size * 0.8
        layers.append(_marks(towns, corners, _TOWN, PAPER, size * 0.2))
        legend.append(Swatch("town", _TOWN))
    diamond = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)]) * size * 0.75
    names = sorted({site.name for site in resources})
    for number, name in enumerate(names):
        colour = _RESOURCES[number % len(_RESOURCES)]
        for owner in sorted({site.owner for site in resources if site.name == name}):
            own = [site for site in resources if site.name == name and site.owner == owner]
            layers.append(_marks(own, diamond, colour, INK if owner < 0 else group_colour(owner), size * 0.25))
        legend.append(Swatch(name, colour))
    if starts:
        places = _centres(starts)
        colours = np.array([group_colour(site.owner) for site in starts], np.uint8)
        layers.append(Circles(places, np.full(len(places), 1.35 * size), colours, PAPER, size * 0.3))
        texts = tuple(str(site.owner + 1) for site in starts)
        layers.append(Labels(places, texts, 1.7 * size, PAPER, bold=True))
        legend.append(Swatch("start of a player", group_colour(0), "dot"))
    return layers, tuple(legend)


def _centres(sites: Sequence[Site]) -> NDArray[np.float64]:
    return np.array([(site.x + 0.5, site.y + 0.5) for site in sites])


def _marks(sites: Sequence[Site], corners: NDArray[np.float64], fill: Colour, rim: Colour, width: float) -> Polygons:
    points = (_centres(sites)[:, None, :] + corners).reshape(-1, 2)
    return Polygons(points, np.arange(len(sites) + 1) * len(corners), fill, rim, width)


def _moved(layer: Layer, x: float, y: float) -> Layer:
    """Return marks at another place."""
    offset = np.array((x, y))
    if isinstance(layer, Circles):
        return Circles(layer.centres + offset, layer.radii, layer.colours, layer.outline, layer.outline_width)
    if isinstance(layer, Polygons):
        return Polygons(layer.points + offset, layer.indptr, layer.fill, layer.outline, layer.outline_width)
    assert isinstance(layer, Labels)  # noqa: S101
    return Labels(layer.points + offset, layer.texts, layer.size, layer.colour, layer.anchor, layer.bold)
