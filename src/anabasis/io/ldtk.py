"""LDtk projects (`.ldtk`, JSON 1.x): the terrain of one level, from a layer of whole numbers.

S. Bénard, "LDtk", ldtk.io/json. Names of values say what they are: those with `wall`, `solid`, `block` or `pit` in them
are walls, with `water` water, with `tree` trees, with `swamp` or `mud` swamp; all others are ground. In a layer that is
named `collision`, `collisions`, `walls` or `blocked` all values are walls but those whose names say otherwise. Levels
in files of their own are opened in the project's folder; pictures never.
"""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import MAX_CELLS, MAX_SIDE
from anabasis.io.json_checks import json_list, json_number, json_object, json_text, json_whole
from anabasis.io.size import check_size
from anabasis.io.tile_maps import GROUND, WALL, Item, TileMap, item_kind, json_beside

__all__ = ["ldtk_map"]

_WORDS = {
    "wall": WALL,
    "solid": WALL,
    "block": WALL,
    "pit": WALL,
    "water": ord("W"),
    "tree": ord("T"),
    "swamp": ord("S"),
    "mud": ord("S"),
}
_WALL_LAYERS = ("collision", "collisions", "walls", "blocked")
_HINT = "name the values of a layer in the project, such as wall and water, or the layer itself walls"


def ldtk_map(
    text: str,
    path: str | os.PathLike[str],
    *,
    layer: str | None = None,
    max_side: int = MAX_SIDE,
    max_cells: int = MAX_CELLS,
) -> TileMap:
    """Read the text of a `.ldtk` file: its first level, or another one.

    layer: `LEVEL`, `LAYER` or `LEVEL/LAYER` by their identifiers. Raises InputError with the path of the fault, such as
    `levels[0].layerInstances[1].intGridCsv`.
    """
    data = json_object(text, path)
    notes = _version(data, path)
    levels = _levels(data, path)
    wanted, inside = _wanted(layer, [str(level.get("identifier")) for _, level in levels])
    at, level = next((entry for entry in levels if entry[1].get("identifier") == wanted), levels[0])
    name = json_text(level.get("identifier"), f"{at}.identifier", path)
    file: Any = path
    if level.get("layerInstances") is None:
        if not isinstance(level.get("externalRelPath"), str):
            raise InputError(
                "a level without layers", file=path, where=at, expected="layerInstances or externalRelPath"
            )
        file, level = json_beside(path, level["externalRelPath"], f"{at}.externalRelPath")
        at = ""
    instances = [
        (f"{at}.layerInstances[{i}]".lstrip("."), one)
        for i, one in enumerate(json_list(level.get("layerInstances"), f"{at}.layerInstances".lstrip("."), file))
        if isinstance(one, dict)
    ]
    named = _value_names(data, path)
    where, chosen, meaning = _chosen(instances, named, inside, name, file)
    values = _values(where, chosen, file, max_side, max_cells)
    terrain, unknown = np.full(values.shape, GROUND, np.uint8), []
    for value in np.unique(values[values != 0]).tolist():
        terrain[values == value] = meaning.get(value, GROUND)
        unknown += [] if value in meaning else [str(named.get(chosen.get("layerDefUid"), {}).get(value) or value)]
    if unknown:
        notes.append(f"values taken for ground: {', '.join(unknown)}")
    if len(levels) > 1:
        notes.append(
            f"level {name!r} of {len(levels)}: " + ", ".join(str(one.get("identifier")) for _, one in levels[:8])
        )
    identifier = json_text(chosen.get("__identifier"), f"{where}.__identifier", file)
    rule = f"layer {identifier!r} of level {name!r}"
    return TileMap(terrain, rule, tuple(_items(instances, chosen, file)), tuple(notes))


def _version(data: dict[str, Any], path: object) -> list[str]:
    """Return what is to be said of the version; raises InputError for one that is not 1.x."""
    version = data.get("jsonVersion")
    found = re.fullmatch(r"(\d{1,4})\.(\d{1,4})(\..*)?", version) if isinstance(version, str) else None
    if found is None or found[1] != "1":
        said = "nothing" if version is None else repr(version)[:60]
        raise InputError("not a project of LDtk 1", file=path, where="jsonVersion", found=said, expected="1.x")
    return [f"written by LDtk {version}, newer than what is known here"] if int(found[2]) > 5 else []


def _levels(data: dict[str, Any], path: object) -> list[tuple[str, dict[str, Any]]]:
    """Return the levels of all worlds with their places."""
    places = [("levels", data.get("levels", []))]
    for w, world in enumerate(json_list(data.get("worlds") or [], "worlds", path)):
        if isinstance(world, dict):
            places.append((f"worlds[{w}].levels", world.get("levels", [])))
    found = [
        (f"{at}[{i}]", level)
        for at, levels in places
        for i, level in enumerate(json_list(levels, at, path))
        if isinstance(level, dict)
    ]
    if not found:
        raise InputError("a project without levels", file=path, where="levels", expected="at least one")
    return found


def _wanted(layer: str | None, levels: list[str]) -> tuple[str | None, str | None]:
    """Return the level and the layer that are asked for."""
    if layer is None:
        return None, None
    level, slash, inside = layer.partition("/")
    if slash:
        return level, inside
    return (layer, None) if layer in levels else (None, layer)


def _value_names(data: dict[str, Any], path: object) -> dict[Any, dict[int, str]]:
    """Return the names of the values of each layer, by its uid."""
    found: dict[Any, dict[int, str]] = {}
    defs = data.get("defs")
    layers = json_list(defs.get("layers", []) if isinstance(defs, dict) else [], "defs.layers", path)
    for i, layer in enumerate(layers):
        if not isinstance(layer, dict):
            continue
        at = f"defs.layers[{i}].intGridValues"
        names: dict[int, str] = {}
        for k, value in enumerate(json_list(layer.get("intGridValues") or [], at, path)):
            if isinstance(value, dict):
                number = json_whole(value.get("value"), f"{at}[{k}].value", path)
                names[number] = value["identifier"] if isinstance(value.get("identifier"), str) else ""
        uid = layer.get("uid")
        found[uid if isinstance(uid, int) else None] = names
    return found


def _chosen(
    instances: list[tuple[str, dict[str, Any]]],
    named: dict[Any, dict[int, str]],
    inside: str | None,
    level: str,
    path: object,
) -> tuple[str, dict[str, Any], dict[int, int]]:
    """Return the layer that says what is blocked, its place, and the letter of each of its values that is known."""
    grids = [entry for entry in instances if entry[1].get("__type") == "IntGrid"]
    names = ", ".join(repr(one.get("__identifier")) for _, one in grids[:8]) or "no layer of type IntGrid"
    if inside is not None:
        grids = [entry for entry in grids if entry[1].get("__identifier") == inside]
        if not grids:
            said = f"{inside!r} of level {level!r}"
            raise InputError("the level has no such layer", file=path, found=said, expected=names)
    for where, one in grids:
        uid = one.get("layerDefUid")
        values = named.get(uid if isinstance(uid, int) else None, {})
        meaning = {value: letter for value, name in values.items() if (letter := _letter(name)) is not None}
        if str(one.get("__identifier")).lower() in _WALL_LAYERS or (inside is not None and not meaning):
            used = {value for value in one.get("intGridCsv", []) if isinstance(value, int) and value}
            return where, one, {**dict.fromkeys(used, WALL), **meaning}
        if meaning:
            return where, one, meaning
    raise InputError(
        "nothing in the level says what is blocked", file=path, where=level, found=names, expected="walls", hint=_HINT
    )


def _letter(name: str) -> int | None:
    """Return the letter of terrain for a value of that name, None if it tells nothing."""
    return next((letter for word, letter in _WORDS.items() if word in name.lower()), None)


def _values(at: str, layer: dict[str, Any], path: object, max_side: int, max_cells: int) -> NDArray[np.int64]:
    width, height = (json_whole(layer.get(n), f"{at}.{n}", path) for n in ("__cWid", "__cHei"))
    check_size(width, height, path, max_side=max_side, max_cells=max_cells)
    values = json_list(layer.get("intGridCsv"), f"{at}.intGridCsv", path, width * height)
    for i, value in enumerate(values):
        if type(value) is not int or not 0 <= value < 2**31:
            json_whole(value, f"{at}.intGridCsv[{i}]", path, 0, 2**31 - 1)
    return np.array(values, np.int64).reshape(height, width)


def _items(instances: list[tuple[str, dict[str, Any]]], chosen: dict[str, Any], path: object) -> list[Item]:
    """Return the entities of a kind of ours, in cells of the layer that was chosen."""
    found: list[Item] = []
    size = json_whole(chosen.get("__gridSize"), "__gridSize", path, 1)
    for at, layer in instances:
        for i, thing in enumerate(json_list(layer.get("entityInstances") or [], f"{at}.entityInstances", path)):
            kind = item_kind(thing.get("__identifier")) if isinstance(thing, dict) else None
            if kind is None:
                continue
            place = f"{at}.entityInstances[{i}]"
            px = json_list(thing.get("px"), f"{place}.px", path, 2)
            pivot = json_list(thing.get("__pivot", [0, 0]), f"{place}.__pivot", path, 2)
            sides = [json_number(thing.get(n, 0), f"{place}.{n}", path) for n in ("width", "height")]
            x, y = (
                (
                    json_number(px[k], f"{place}.px[{k}]", path)
                    - json_number(pivot[k], f"{place}.__pivot[{k}]", path) * sides[k]
                )
                / size
                for k in (0, 1)
            )
            found.append(Item(kind, kind, x, y, sides[0] / size, sides[1] / size))
    return found
