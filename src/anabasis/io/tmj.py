"""Tiled maps in JSON (`.tmj`): orthogonal ones, as terrain.

T. Lindeijer and others, "Tiled Map Editor", doc.mapeditor.org: JSON map format, global tile ids. What is blocked is
said by the first of these that a map has: the layer that is asked for; tile or object layers named `collision`,
`collisions`, `walls`, `blocked` or `navmesh`, or with a property of that name; one named `walkable`, which says what is
free; tiles with `collides`, `solid`, `blocked` or `walkable=false`; tiles with collision shapes; tiles with a `cost` or
`move_cost`. Pictures are never opened, and other files only in the map's folder.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import MAX_CELLS, MAX_SIDE
from anabasis.io.json_checks import json_list, json_needed, json_number, json_object, json_text, json_whole
from anabasis.io.size import check_size
from anabasis.io.tile_maps import GROUND, WALL, Item, TileMap, covered, item_kind
from anabasis.io.tmj_layers import Layer, layers_of, tile_ids
from anabasis.io.tmj_tiles import Tiles, tiles_of

__all__ = ["tmj_map"]

_WALLS = ("collision", "collisions", "walls", "blocked", "navmesh")
_FREE = "walkable"
_HINT = "name a layer collision or walls, or give its tiles the property collides"


def tmj_map(
    text: str,
    path: str | os.PathLike[str],
    *,
    layer: str | None = None,
    max_side: int = MAX_SIDE,
    max_cells: int = MAX_CELLS,
) -> TileMap:
    """Read the text of a `.tmj` file.

    layer: the name of the layer whose tiles or shapes are walls. Raises InputError with the path of the fault, such as
    `layers[2].data`.
    """
    data = json_object(text, path)
    if data.get("type") != "map":
        raise InputError(
            "not a map of Tiled", file=path, where="type", found=repr(data.get("type"))[:60], expected="map"
        )
    if data.get("orientation") != "orthogonal":
        found = repr(data.get("orientation"))[:60]
        raise InputError(
            "the map has no square cells", file=path, where="orientation", found=found, expected="orthogonal"
        )
    width, height = (json_whole(json_needed(data, name, path), name, path) for name in ("width", "height"))
    tile_w, tile_h = (json_whole(json_needed(data, name, path), name, path, 1) for name in ("tilewidth", "tileheight"))
    layers = layers_of(data, path)
    box = (0, 0, width, height) if not data.get("infinite") else _box(layers, path)
    x0, y0, width, height = box
    check_size(width, height, path, max_side=max_side, max_cells=max_cells)

    def place(x: float, y: float) -> tuple[float, float]:
        return x / tile_w - x0, y / tile_h - y0

    rules = _Rules(path, data, layers, box, place)
    terrain, rule = rules.asked(layer) if layer is not None else rules.first()
    items, templates = rules.items()
    notes = (f"left out: objects of templates, {templates}",) if templates else ()
    return TileMap(terrain, rule, items, notes)


def _box(layers: Sequence[Layer], path: object) -> tuple[int, int, int, int]:
    """Return x, y, width and height of the rectangle of all chunks of an infinite map."""
    parts = [part for layer in layers if layer.kind == "tilelayer" for part in layer.parts]
    if not parts:
        raise InputError("an infinite map without tiles", file=path, where="layers", expected="a chunk of tiles")
    x0, y0 = min(part.x for part in parts), min(part.y for part in parts)
    return x0, y0, max(part.x + part.width for part in parts) - x0, max(part.y + part.height for part in parts) - y0


class _Rules:
    """The ways in which a map can say what is blocked."""

    def __init__(self, path: Any, data: dict[str, Any], layers: Sequence[Layer], box: Any, place: Any) -> None:
        self.path, self.data, self.layers, self.box, self.place = path, data, layers, box, place
        self.shape = (box[3], box[2])

    def asked(self, name: str) -> tuple[NDArray[np.uint8], str]:
        """Return the terrain by the layer of that name."""
        found = [layer for layer in self.layers if layer.name == name and layer.kind in ("tilelayer", "objectgroup")]
        if not found:
            raise InputError("the map has no such layer", file=self.path, found=repr(name), expected=self._names())
        return self._walls(found[:1], free=False), f"what is in the layer {name!r}"

    def first(self) -> tuple[NDArray[np.uint8], str]:
        """Return the terrain by the first rule that finds something."""
        for names, free in ((_WALLS, False), ((_FREE,), True)):
            found = [layer for layer in self.layers if self._called(layer, names)]
            if found:
                said = " and ".join(repr(layer.name) for layer in found)
                what = "all but what is in" if free else "what is in"
                return self._walls(found, free=free), f"{what} the layer{'s' * (len(found) > 1)} {said}"
        tiles = tiles_of(self.data, self.path)
        seen = [layer for layer in self.layers if layer.kind == "tilelayer" and layer.visible]
        for flags, rule in (
            (tiles.blocked, "tiles with the property {}"),
            (tiles.shaped, "tiles with collision shapes"),
        ):
            if flags:
                walls = np.zeros(self.shape, np.bool_)
                for layer in seen:
                    walls |= np.isin(tiles.known(tile_ids(layer, self.box, self.path), layer, self.path), list(flags))
                said = ", ".join(sorted({why for why in flags.values() if why}))
                return np.where(walls, WALL, GROUND).astype(np.uint8), rule.format(said)
        if tiles.prices:
            return self._prices(tiles, seen), "walls: none; prices by the property of the tiles"
        raise InputError(
            "nothing in the map says what is blocked", file=self.path, found=self._names(), expected="walls", hint=_HINT
        )

    def items(self) -> tuple[tuple[Item, ...], int]:
        """Return the objects of a class of ours, and how many objects are of templates, which are not opened."""
        found: list[Item] = []
        templates = 0
        for layer in self.layers:
            for at, thing in self._objects(layer):
                templates += "template" in thing
                kind = item_kind(thing.get("type") or thing.get("class"))
                if kind is not None:
                    x, y, w, h = (
                        json_number(thing.get(n, 0), f"{at}.{n}", self.path) for n in ("x", "y", "width", "height")
                    )
                    y -= h if "gid" in thing else 0.0  # of a tile as an object, y is the bottom
                    (left, top), (right, low) = (
                        self.place(x + layer.dx, y + layer.dy),
                        self.place(x + layer.dx + w, y + layer.dy + h),
                    )
                    name = json_text(thing.get("name", ""), f"{at}.name", self.path)
                    found.append(Item(kind, name, left, top, right - left, low - top))
        return tuple(found), templates

    def _called(self, layer: Layer, names: Sequence[str]) -> bool:
        if layer.kind not in ("tilelayer", "objectgroup"):
            return False
        return layer.name.strip().lower() in names or any(layer.properties.get(name) is True for name in names)

    def _walls(self, layers: Sequence[Layer], *, free: bool) -> NDArray[np.uint8]:
        inside = np.zeros(self.shape, np.bool_)
        for layer in layers:
            inside |= tile_ids(layer, self.box, self.path) != 0 if layer.kind == "tilelayer" else self._shapes(layer)
        return np.where(inside != free, WALL, GROUND).astype(np.uint8)

    def _shapes(self, layer: Layer) -> NDArray[np.bool_]:
        """Return the cells in the shapes of an object layer."""
        found = np.zeros(self.shape, np.bool_)
        for at, thing in self._objects(layer):
            if thing.get("point") or any(name in thing for name in ("polyline", "text", "template")):
                continue
            corners, round_ = self._corners(layer, at, thing)
            found |= covered(self.shape, corners, ellipse=round_)
        return found

    def _corners(self, layer: Layer, at: str, thing: dict[str, Any]) -> tuple[list[tuple[float, float]], bool]:
        """Return the corners of an object in cells, turned about its place, and whether it is an ellipse in them."""
        x, y, w, h, turn = (
            json_number(thing.get(n, 0), f"{at}.{n}", self.path) for n in ("x", "y", "width", "height", "rotation")
        )
        if "polygon" in thing:
            points = json_list(thing["polygon"], f"{at}.polygon", self.path)
            own = [
                tuple(
                    json_number(p.get(c) if isinstance(p, dict) else None, f"{at}.polygon[{i}].{c}", self.path)
                    for c in "xy"
                )
                for i, p in enumerate(points)
            ]
            if len(own) < 3:
                raise InputError(
                    "a polygon",
                    file=self.path,
                    where=f"{at}.polygon",
                    found=f"{len(own)} corners",
                    expected="3 or more",
                )
        else:
            up = h if "gid" in thing else 0.0
            own = [(0.0, -up), (w, -up), (w, h - up), (0.0, h - up)]
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        placed = [self.place(x + layer.dx + px * c - py * s, y + layer.dy + px * s + py * c) for px, py in own]
        return placed, bool(thing.get("ellipse") or thing.get("capsule"))

    def _objects(self, layer: Layer) -> list[tuple[str, dict[str, Any]]]:
        """Return the objects of a layer with their places; none of another kind of layer."""
        if layer.kind != "objectgroup":
            return []
        at = f"{layer.at}.objects"
        found: list[tuple[str, dict[str, Any]]] = []
        for i, thing in enumerate(json_list(layer.data.get("objects", []), at, self.path)):
            if not isinstance(thing, dict):
                raise InputError("a wrong value", file=self.path, where=f"{at}[{i}]", expected="an object")
            found.append((f"{at}[{i}]", thing))
        return found

    def _prices(self, tiles: Tiles, layers: Sequence[Layer]) -> NDArray[np.uint8]:
        """Return the terrain by the prices of tiles; of several in a cell the highest counts."""
        highest = np.ones(self.shape, np.int64)
        for layer in layers:
            ids = tiles.known(tile_ids(layer, self.box, self.path), layer, self.path)
            for gid, price in tiles.prices.items():
                highest[ids == gid] = np.maximum(highest[ids == gid], price)
        return (highest + ord("0")).astype(np.uint8)

    def _names(self) -> str:
        return "layers " + ", ".join(repr(layer.name) for layer in self.layers[:8]) if self.layers else "no layer"
