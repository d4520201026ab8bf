"""Roads: the cheapest net between places, with shortcuts where the way round is long; later roads join earlier ones.

A spanning tree over the ways between neighbouring places, and more edges wherever the way through the net is much
longer, as in the greedy spanner of I. Althöfer et al., "On sparse spanners of weighted graphs", 1993. Roads by cheapest
paths over the ground, cheap where a road is: E. Galin et al., "Procedural generation of roads", 2010.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.grid import cell_text
from anabasis.maps.players.contacts import Contacts, contacts, spanning
from anabasis.maps.players.distances import course, walk
from anabasis.movement import MovementClass, movement_class
from anabasis.noun import freeze
from anabasis.options import check_length

__all__ = ["Roads", "roads"]

# the price of a road over each letter, where a cell of road costs 1
_BUILD = {".": 2.5, "G": 2.5, "E": 2.5, ",": 3.0, "d": 3.0, "t": 3.0, "S": 6.0, "f": 4.0, "h": 5.0, "j": 5.0, "i": 5.0}
_KEPT = {"=": 1.0, "+": 1.0, "~": 1.5}


@dataclass(frozen=True, eq=False)
class Roads:
    """Roads on a map: terrain uint8[height, width] with them; joins int64[k, 2], which places each joins; courses, the
    cells int64[n, 2] of each from the one place to the other.
    """

    terrain: NDArray[np.uint8]
    joins: NDArray[np.int64]
    courses: tuple[NDArray[np.int64], ...]


def roads(
    terrain: ArrayLike,
    places: ArrayLike,
    *,
    movement: str | MovementClass = "land",
    detour: float = 1.6,
    bridge: float | None = 16.0,
) -> Roads:
    """Join places, int64[k, 2], by roads on terrain letters, uint8[height, width].

    All places are joined that can be; two neighbours get a road of their own where the way through the net is more than
    `detour` times as long. Roads (`=`) go where the class can go, and over water by bridges (`+`), a cell of which
    costs as much as `bridge` cells of road, plain ground 2.5 (None: no new bridges); existing roads, bridges and fords
    stay and are cheap, so that roads come together. A class that can't enter roads, such as ships, gets courses only.
    Raises InputError for places that are blocked or outside the map, and a detour below 1.
    """
    codes = freeze(terrain, np.uint8, (None, None), "terrain")
    unit = movement_class(movement)
    if check_length(detour, "detour") < 1:
        raise InputError("detour", found=f"{detour}", expected="at least 1")
    free = np.isfinite(unit.cost[codes])
    vertices = _places(places, free)
    build = _build_prices(unit, bridge)
    made, price = codes.copy(), build[codes]
    found = walk(price, vertices, smooth=free)
    met = contacts(found, price, smooth=free)
    joins, courses = list[NDArray[np.int64]](), list[NDArray[np.int64]]()
    for row in _net(met, len(vertices), detour):
        one, other = met.pair[row].tolist()
        way = walk(price, vertices[one : one + 1], smooth=free, goal=int(vertices[other]))
        line = course(way, int(vertices[other]))
        flat = made.reshape(-1)
        wet = flat[line] == ord("W")
        if np.isinf(unit.cost[ord("W")]):
            flat[line[wet]] = ord("+")
        if np.isfinite(unit.cost[ord("=")]):
            land = ~wet & np.isin(flat[line], [ord(letter) for letter in _KEPT], invert=True)
            flat[line[land]] = ord("=")
        price.reshape(-1)[line] = build[flat[line]]
        joins.append(met.pair[row])
        courses.append(np.stack((line % codes.shape[1], line // codes.shape[1]), axis=1))
    made.flags.writeable = False
    return Roads(made, np.array(joins, np.int64).reshape(-1, 2), tuple(courses))


def _places(places: ArrayLike, free: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the vertices of places, each once, in the order given."""
    cells = freeze(places, np.int64, (None, 2), "places")
    height, width = free.shape
    for x, y in cells.tolist():
        if not (0 <= x < width and 0 <= y < height and free[y, x]):
            raise InputError("a place of roads", found=cell_text(x, y), expected="a free cell inside the map")
    vertices = cells[:, 1] * width + cells[:, 0]
    if len(np.unique(vertices)) != len(vertices):
        raise InputError("places of roads", found="a place named twice", expected="different places")
    return vertices


def _build_prices(unit: MovementClass, bridge: float | None) -> NDArray[np.float64]:
    """Return the price of a road over each letter."""
    build = np.where(np.isfinite(unit.cost), 2.5 * unit.cost, np.inf)
    for letter, price in (_BUILD | _KEPT).items():
        if np.isfinite(unit.cost[ord(letter)]):
            build[ord(letter)] = price
    if np.isinf(unit.cost[ord("W")]) and np.isfinite(unit.cost[ord("+")]):
        build[ord("W")] = np.inf if bridge is None else max(1.0, check_length(bridge, "bridge"))
    return build


def _net(met: Contacts, count: int, detour: float) -> list[int]:
    """Return the rows of the edges to build, the tree first, then shortcuts from the shortest on."""
    tree = spanning(met, count).tolist()
    way = np.full((count, count), np.inf)
    np.fill_diagonal(way, 0.0)
    edges = list[int]()
    for row in tree + np.argsort(met.way, kind="stable").tolist():
        one, other = met.pair[row].tolist()
        length = float(met.way[row])
        if way[one, other] > detour * length:
            edges.append(row)
            through = way[:, one, None] + length + way[None, other, :]
            way = np.minimum(way, np.minimum(through, through.T))
    return edges
