"""Generated maps as pictures: the lit land with the players' starts, towns and resources; many maps on one sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.gamemap import GameMap, Site
from anabasis.options import check_count
from anabasis.view.layers import Circles, ImageLayer, Labels, Layer, LegendItem, Polygons, Polylines, Scene, Swatch
from anabasis.view.palette import BLOCKED, FREE, INK, PAPER, Colour, group_colour
from anabasis.view.relief import LAND_COLOURS, relief_colours, relief_scene

__all__ = ["game_map_scene", "sheet_scene", "site_scene"]

_TOWN: Colour = (150, 60, 50, 255)
_UNIT: Colour = (86, 60, 130, 255)
_PASS: Colour = (255, 240, 150, 255)
_CASING: Colour = (92, 58, 34, 170)
_OTHERS: tuple[Colour, ...] = (
    (240, 228, 66, 255),
    (213, 94, 0, 255),
    (204, 121, 167, 255),
    (86, 180, 233, 255),
    (0, 158, 115, 255),
)
_NAMED: dict[str, Colour] = {"gold": (250, 214, 40, 255), "stone": (196, 200, 206, 255), "wood": (150, 98, 52, 255)}
_TOWN_SHAPE = ((-0.85, 0.8), (-0.85, -0.1), (0.0, -0.95), (0.85, -0.1), (0.85, 0.8))  # a house
_RESOURCE_SHAPE = ((0.0, -0.8), (0.8, 0.0), (0.0, 0.8), (-0.8, 0.0))
_UNIT_SHAPE = ((0.0, -1.0), (0.9, 0.7), (-0.9, 0.7))
_PASS_SHAPE = ((-0.9, -0.55), (0.0, 0.1), (0.9, -0.55), (0.9, 0.05), (0.0, 0.7), (-0.9, 0.05))
_GAP = 0.06  # between the maps of a sheet, in shares of a map's longer side
_TEXT = 0.085
_FINE = 260  # pixels of a map on a sheet, about


def game_map_scene(game_map: GameMap, *, title: str = "") -> Scene:
    """Return a generated map: its land lit from one side, and on it what its sites are.

    Starts are discs with the player's number in the player's colour; towns are houses; resources are diamonds in a
    colour for each name, with a rim in the colour of the player they belong to. Roads are drawn so wide that they can
    be seen on large maps.
    """
    scene = relief_scene(game_map.terrain, game_map.heights, sea=game_map.sea, title=title)
    sites = site_scene(game_map)
    return scene.over(*_roads(game_map, 0.0032), *sites.layers, legend=sites.legend)


def site_scene(game_map: GameMap) -> Scene:
    """Return the sites of a map alone, as `game_map_scene` draws them."""
    layers, legend = _sites(game_map, max(1.1, 0.0125 * max(game_map.width, game_map.height)))
    return Scene((0.0, 0.0, float(game_map.width), float(game_map.height)), tuple(layers), legend)


def sheet_scene(maps: Sequence[GameMap | None], titles: Sequence[str], *, columns: int = 4) -> Scene:
    """Return a contact sheet: maps in rows of `columns`, each with its title above it.

    The place of a None stays empty; with a title it is framed. Raises InputError without any map.
    """
    check_count(columns, "columns of a sheet", 1)
    there = [game_map for game_map in maps if game_map is not None]
    if not there or len(maps) != len(titles):
        raise InputError(
            "maps of a sheet", found=f"{len(there)} maps, {len(titles)} titles", expected="maps, and a title for each"
        )
    width, height = max(m.width for m in there), max(m.height for m in there)
    side = max(width, height)
    gap, text = _GAP * side, _TEXT * side
    across, down = width + gap, height + gap + text
    layers: list[Layer] = []
    for number, (game_map, title) in enumerate(zip(maps, titles, strict=True)):
        x, y = gap + number % columns * across, gap / 2 + text + number // columns * down
        if game_map is not None:
            layers += _thumbnail(game_map, x, y)
        elif title:
            layers += _refused(x, y, width, height)
        if title:
            layers.append(Labels(np.array([[x, y - 0.6 * text]]), (title,), 0.75 * text, INK, "start"))
    rows = -(-len(maps) // columns)
    bounds = (0.0, 0.0, gap + min(columns, len(maps)) * across, gap / 2 + rows * down)
    return Scene(bounds, tuple(layers))


def _thumbnail(game_map: GameMap, x: float, y: float) -> list[Layer]:
    """Return a small picture of a map with its left upper corner at a place."""
    side = max(game_map.width, game_map.height)
    detail = min(max(round(2 * _FINE / side), 1), 8)
    pixels = relief_colours(game_map.terrain, game_map.heights, sea=game_map.sea, detail=detail)
    image = ImageLayer(pixels, (x, y, x + game_map.width, y + game_map.height))
    marks = [*_roads(game_map, 0.006), *_sites(game_map, 0.026 * side)[0]]
    return [image, *(_moved(layer, x, y) for layer in marks)]


def _refused(x: float, y: float, width: float, height: float) -> list[Layer]:
    """Return an empty frame with a word in it."""
    corners = np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    middle = np.array([[x + width / 2, y + height / 2]])
    frame = Polygons(corners, np.array([0, 4]), FREE, BLOCKED, 0.004 * max(width, height))
    return [frame, Labels(middle, ("refused",), 0.07 * min(width, height), BLOCKED)]


def _roads(game_map: GameMap, share: float) -> list[Layer]:
    """Return lines along roads and bridges, that share of the map wide; none where cells can be seen."""
    width = share * max(game_map.width, game_map.height)
    if width < 0.6:
        return []
    road, bridge = (game_map.terrain == ord(letter) for letter in "=+")
    layers: list[Layer] = []
    for colour, thick in ((_CASING, 1.5 * width), ((*LAND_COLOURS["="], 255), width)):
        layers.append(_steps(road | bridge, colour, thick))
    layers.append(_steps(bridge, (*LAND_COLOURS["+"], 255), width))
    return layers


def _steps(cells: NDArray[np.bool_], colour: Colour, width: float) -> Polylines:
    """Return lines from each cell to those of its neighbours that are there too; no diagonal beside a straight way."""
    height, across = cells.shape
    lines: list[NDArray[np.float64]] = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        left, right = slice(max(-dx, 0), across - max(dx, 0)), slice(max(dx, 0), across - max(-dx, 0))
        joined = cells[: height - dy, left] & cells[dy:, right]
        if dx and dy:
            joined &= ~cells[: height - dy, right] & ~cells[dy:, left]
        y, x = np.nonzero(joined)
        start = np.column_stack([x + max(-dx, 0) + 0.5, y + 0.5])
        end = np.add(start, (dx, dy))
        lines.append(np.column_stack([start, end]).astype(np.float64).reshape(-1, 2))
    points = np.concatenate(lines)
    return Polylines(points, np.arange(0, len(points) + 1, 2), colour, width)


def _sites(game_map: GameMap, size: float) -> tuple[list[Layer], tuple[LegendItem, ...]]:
    """Return what is drawn for the sites of a map, marks of that radius, and the legend's lines for it."""
    layers: list[Layer] = []
    legend: list[LegendItem] = []
    kinds = ("pass", "town", "resource", "unit", "start")
    passes, towns, resources, units, starts = (game_map.places(kind) for kind in kinds)
    if passes:
        layers.append(_marks(passes, _PASS_SHAPE, 1.2 * size, _PASS, INK))
        legend.append(Swatch("pass", _PASS))
    if towns:
        layers.append(_marks(towns, _TOWN_SHAPE, size, _TOWN, PAPER))
        legend.append(Swatch("town", _TOWN))
    for number, name in enumerate(sorted({site.name for site in resources})):
        colour = _NAMED.get(name, _OTHERS[number % len(_OTHERS)])
        for owner in sorted({site.owner for site in resources if site.name == name}):
            own = [site for site in resources if site.name == name and site.owner == owner]
            layers.append(_marks(own, _RESOURCE_SHAPE, size, colour, INK if owner < 0 else group_colour(owner)))
        legend.append(Swatch(name, colour))
    if units:
        layers.append(_marks(units, _UNIT_SHAPE, size, _UNIT, PAPER))
        legend.append(Swatch(" and ".join(site.name or "unit" for site in units), _UNIT))
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


def _marks(sites: Sequence[Site], shape: ArrayLike, size: float, fill: Colour, rim: Colour) -> Polygons:
    corners = np.array(shape) * size
    points = (_centres(sites)[:, None, :] + corners).reshape(-1, 2)
    return Polygons(points, np.arange(len(sites) + 1) * len(corners), fill, rim, size * 0.22)


def _moved(layer: Layer, x: float, y: float) -> Layer:
    """Return marks at another place."""
    offset = np.array((x, y))
    if isinstance(layer, Circles):
        return replace(layer, centres=layer.centres + offset)
    assert isinstance(layer, Polygons | Polylines | Labels)  # noqa: S101
    return replace(layer, points=layer.points + offset)
