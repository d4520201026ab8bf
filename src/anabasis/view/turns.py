"""Turns: a picture of a session of turn-based play: the ground, units, their next steps and goals, what a search knows.

White discs are units, and their names stand in the corners of their goals; the colours of tiles are those of `tiles`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from anabasis.options import check_kind
from anabasis.view.layers import ImageLayer, Labels, Layer, Polygons, Polylines, Scene, dots
from anabasis.view.palette import INK, PAPER, with_alpha
from anabasis.view.tiles import GOAL, NEXT, tile_colours, tile_legend

if TYPE_CHECKING:
    from anabasis.mapf.turn_based import Session

__all__ = ["session_scene"]

_CORNER = (0.43, 0.27)  # where the name of a unit ends in its goal, from the middle of the tile
_BEYOND = 1 / 6  # how far hexagons reach beyond their rows, which are 1 apart
_HEXAGON = np.array([(0.0, -2 / 3), (0.5, -1 / 3), (0.5, 1 / 3), (0.0, 2 / 3), (-0.5, 1 / 3), (-0.5, -1 / 3)])
_LANE = 0.2  # how far apart, in tiles, ways of units are spread


def session_scene(session: Session, *, unit: str | None = None, title: str = "") -> Scene:
    """Return the picture of a session.

    unit: show what this unit's D* Lite knows too, as texts "cost, g, rhs" on the tiles where it has been. Raises
    InputError for an unknown unit.
    """
    from anabasis.mapf.turn_based import Session, processed

    check_kind(session, Session, "a session to draw", "new_session() or session_of(grid)")
    check_kind(title, str, "title of a picture")
    colours = tile_colours(session.prices)
    lines: list[Layer] = []
    for one in session.units:
        if one.goal is not None:
            colours[one.goal] = GOAL
    for k, one in enumerate(session.units):
        if len(one.path) > 1 and one.path[1][0] not in (one.place, one.goal):
            colours[one.path[1][0]] = NEXT
        if one.ahead:
            way = _centres(session, np.array([one.place, *one.ahead])) + _LANE * (k * 0.618033988749895 % 1)
            lines.append(Polylines(way, np.array([0, len(way)]), with_alpha(INK, 0.47), 0.06))
    places = np.array([one.place for one in session.units], np.int64)
    centres = _centres(session, places)
    layers: list[Layer] = [*_tiles(session, colours), *lines]
    if places.size:
        layers.append(dots(centres, 0.36, PAPER, outline=INK, width=0.05))
        layers.append(Labels(centres, tuple(one.name for one in session.units), 0.4, bold=True))
        layers.append(_goals(session))
    known = None if unit is None else processed(session, unit)
    if known is not None:
        shown = ~np.isin(known.vertices, places)
        numbers = zip(known.price[shown], known.g[shown], known.rhs[shown], strict=True)
        texts = tuple(", ".join("∞" if np.isinf(v) else f"{v:g}" for v in row) for row in numbers)
        layers.append(Labels(_centres(session, known.vertices[shown]), texts, 0.22))
    legend = tile_legend(session.prices)
    width = session.width + (0.5 if session.neighbours == 6 else 0.0)
    beyond = _BEYOND if session.neighbours == 6 else 0.0
    bounds = (0.0, -beyond, width, session.height + beyond)
    return Scene(bounds, tuple(layers), legend, title or f"turn {session.turn}")


def _goals(session: Session) -> Labels:
    """Return at the bottom right of each goal the name of the unit that goes there."""
    going = {one.goal: one.name for one in session.units if one.goal is not None}
    corners = _centres(session, np.array([*going], np.int64)) + _CORNER
    return Labels(corners, tuple(going.values()), 0.4, anchor="end", bold=True)


def _centres(session: Session, places: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return float64[k, 2]: the middles of tiles; odd rows of hexagons lie half a tile to the right."""
    y, x = np.divmod(places, session.width)
    return np.stack([x + 0.5 + (0.5 * (y % 2) if session.neighbours == 6 else 0), y + 0.5], axis=-1).astype(float)


def _tiles(session: Session, colours: NDArray[np.uint8]) -> list[Layer]:
    """Return the ground: a picture, or hexagons, a layer for each colour."""
    if session.neighbours != 6:
        extent = (0.0, 0.0, float(session.width), float(session.height))
        return [ImageLayer(colours.reshape(session.height, session.width, 4)[..., :3].copy(), extent)]
    corners = _centres(session, np.arange(session.width * session.height))[:, None] + _HEXAGON
    layers: list[Layer] = []
    for colour in np.unique(colours, axis=0):
        some = corners[(colours == colour).all(axis=1)]
        r, g, b, a = colour.tolist()
        rings = np.arange(len(some) + 1) * len(_HEXAGON)
        layers.append(Polygons(some.reshape(-1, 2), rings, (r, g, b, a), PAPER, 0.03))
    return layers
