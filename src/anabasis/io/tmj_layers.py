"""Layers of Tiled maps: in groups or not, and the tiles of one, from lists, base64 or chunks."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import MAX_CELLS
from anabasis.io.json_checks import json_list, json_number, json_text, json_whole

__all__ = ["Layer", "Part", "layers_of", "properties_of", "tile_ids"]

_KINDS = ("tilelayer", "objectgroup", "imagelayer", "group")
_FLAGS = 0xF0000000  # mirrored, turned
_DEEPEST = 32
_WIDEST = 16384


@dataclass(frozen=True)
class Part:
    """A rectangle of tiles: a layer's own, or a chunk of an infinite map; `at`: its place in the file."""

    at: str
    x: int
    y: int
    width: int
    height: int
    data: Any


@dataclass(frozen=True)
class Layer:
    """A layer, out of its groups; dx, dy: how far it is moved, in pixels; parts: of a tile layer."""

    at: str
    kind: str
    name: str
    visible: bool
    dx: float
    dy: float
    properties: dict[str, Any]
    data: dict[str, Any]
    parts: tuple[Part, ...] = ()


def layers_of(data: dict[str, Any], path: object) -> list[Layer]:
    """Return all layers, those in groups too, from the lowest up; raises InputError with the place of a fault."""
    found: list[Layer] = []
    _collect(data, "layers", path, found, (True, 0.0, 0.0), 0)
    return found


def _collect(
    holder: dict[str, Any], at: str, path: object, found: list[Layer], above: tuple[bool, float, float], depth: int
) -> None:
    if depth > _DEEPEST:
        raise InputError("groups of layers within groups", file=path, where=at, expected=f"at most {_DEEPEST} deep")
    for i, layer in enumerate(json_list(holder.get("layers"), at, path)):
        here = f"{at}[{i}]"
        if not isinstance(layer, dict) or layer.get("type") not in _KINDS:
            kind = repr(layer.get("type"))[:60] if isinstance(layer, dict) else "no object"
            raise InputError(
                "kind of a layer", file=path, where=f"{here}.type", found=kind, expected=" or ".join(_KINDS)
            )
        name = json_text(layer.get("name", ""), f"{here}.name", path)
        seen = above[0] and layer.get("visible", True) is not False
        dx, dy = (
            above[k + 1] + json_number(layer.get(f"offset{c}", 0), f"{here}.offset{c}", path)
            for k, c in enumerate("xy")
        )
        if layer["type"] == "group":
            _collect(layer, f"{here}.layers", path, found, (seen, dx, dy), depth + 1)
            continue
        properties = properties_of(layer, here, path)
        parts = _parts(layer, here, path) if layer["type"] == "tilelayer" else ()
        found.append(Layer(here, layer["type"], name, seen, dx, dy, properties, layer, parts))


def properties_of(thing: dict[str, Any], at: str, path: object) -> dict[str, Any]:
    """Return the properties of a layer or tile, their names in small letters."""
    found: dict[str, Any] = {}
    for i, one in enumerate(json_list(thing.get("properties", []), f"{at}.properties", path)):
        place = f"{at}.properties[{i}]"
        if not isinstance(one, dict):
            raise InputError("a wrong value", file=path, where=place, expected="a property: an object")
        found[json_text(one.get("name"), f"{place}.name", path).lower()] = one.get("value")
    return found


def _parts(layer: dict[str, Any], at: str, path: object) -> tuple[Part, ...]:
    if "chunks" not in layer:
        width, height = (json_whole(layer.get(n), f"{at}.{n}", path, 0, _WIDEST) for n in ("width", "height"))
        return (Part(f"{at}.data", 0, 0, width, height, layer.get("data")),)
    found: list[Part] = []
    for i, chunk in enumerate(json_list(layer["chunks"], f"{at}.chunks", path)):
        here = f"{at}.chunks[{i}]"
        if not isinstance(chunk, dict):
            raise InputError("a wrong value", file=path, where=here, expected="a chunk: an object")
        x, y = (json_whole(chunk.get(n), f"{here}.{n}", path, -(10**6), 10**6) for n in "xy")
        width, height = (json_whole(chunk.get(n), f"{here}.{n}", path, 1, _WIDEST) for n in ("width", "height"))
        found.append(Part(f"{here}.data", x, y, width, height, chunk.get("data")))
    return tuple(found)


def tile_ids(layer: Layer, box: tuple[int, int, int, int], path: object) -> NDArray[np.uint32]:
    """Return uint32[height, width]: the global id of each tile of a layer in a box of the map; 0 where there is none.

    Raises InputError for a layer that is moved, or whose data do not fit their size.
    """
    if layer.dx or layer.dy:
        raise InputError(
            "the layer of the walls is moved",
            file=path,
            where=layer.at,
            found=f"{layer.dx:g}, {layer.dy:g} pixels",
            expected="0, 0",
        )
    x0, y0, width, height = box
    ids = np.zeros((height, width), np.uint32)
    for part in layer.parts:
        if part.width * part.height > MAX_CELLS:
            raise InputError("a layer of too many tiles", file=path, where=part.at, expected=f"at most {MAX_CELLS}")
        left, top = part.x - x0, part.y - y0
        if left < 0 or top < 0 or left + part.width > width or top + part.height > height:
            raise InputError(
                "a layer of another size than the map",
                file=path,
                where=layer.at,
                found=f"{part.width} × {part.height}",
                expected=f"{width} × {height}",
            )
        ids[top : top + part.height, left : left + part.width] = _decoded(layer.data, part, path)
    return ids & np.uint32(~_FLAGS & 0xFFFFFFFF)


def _decoded(layer: dict[str, Any], part: Part, path: object) -> NDArray[np.uint32]:
    count = part.width * part.height
    if isinstance(part.data, list):
        values = json_list(part.data, part.at, path, count, expected=f"a list of {count} tiles")
        for i, value in enumerate(values):
            if type(value) is not int or not 0 <= value < 2**32:
                json_whole(value, f"{part.at}[{i}]", path, 0, 2**32 - 1)
        return np.array(values, np.uint32).reshape(part.height, part.width)
    text = json_text(part.data, part.at, path, expected=f"a list of {count} tiles, or a text in base64")
    if layer.get("encoding") != "base64":
        found = repr(layer.get("encoding"))[:60]
        raise InputError("encoding of the tiles of a layer", file=path, where=part.at, found=found, expected="base64")
    try:
        packed = base64.b64decode(text, validate=True)
    except ValueError:
        raise InputError("the tiles of a layer are damaged", file=path, where=part.at, expected="base64") from None
    raw = _unpacked(packed, layer.get("compression") or "", 4 * count, part.at, path)
    if len(raw) != 4 * count:
        found = f"more than {4 * count}" if len(raw) > 4 * count else f"{len(raw)}"
        raise InputError(
            "the tiles of a layer",
            file=path,
            where=part.at,
            found=f"{found} bytes",
            expected=f"{4 * count}, for {count} tiles",
        )
    return np.frombuffer(raw, "<u4").reshape(part.height, part.width)


def _unpacked(packed: bytes, how: object, size: int, at: str, path: object) -> bytes:
    """Return the bytes of packed tiles, at most one more than the size that is expected."""
    if not how:
        return packed[: size + 1]
    if how not in ("zlib", "gzip"):
        raise InputError(
            "compression of the tiles of a layer",
            file=path,
            where=at,
            found=repr(how)[:60],
            expected="none, zlib or gzip",
            hint="choose another tile layer format in the properties of the map, and save it again",
        )
    stream = zlib.decompressobj(47)  # either of the two
    try:
        raw = stream.decompress(packed, size + 1)
    except zlib.error:
        raise InputError("the tiles of a layer are damaged", file=path, where=at, expected=str(how)) from None
    if len(raw) <= size and not stream.eof:
        raise InputError("the tiles of a layer end too soon", file=path, where=at, found=f"{len(raw)} bytes")
    return raw
