"""Faulty maps of Tiled and LDtk, each one change away from a sound one; for `make_bad_files` and the readers' tests."""

from __future__ import annotations

import base64
import copy
import json
import struct
import zlib
from typing import Any

TILED: dict[str, Any] = {
    "type": "map",
    "version": "1.10",
    "orientation": "orthogonal",
    "infinite": False,
    "width": 3,
    "height": 2,
    "tilewidth": 16,
    "tileheight": 16,
    "tilesets": [{"firstgid": 1, "name": "t", "tilewidth": 16, "tileheight": 16, "tiles": []}],
    "layers": [
        {"type": "tilelayer", "name": "ground", "width": 3, "height": 2, "data": [1, 1, 1, 1, 1, 1]},
        {"type": "tilelayer", "name": "Walls", "width": 3, "height": 2, "data": [0, 2, 0, 0, 0, 0]},
    ],
}
LDTK: dict[str, Any] = {
    "jsonVersion": "1.5.4",
    "externalLevels": False,
    "defs": {
        "layers": [
            {
                "uid": 3,
                "identifier": "Ground",
                "intGridValues": [{"value": 2, "identifier": "wall"}, {"value": 1, "identifier": "grass"}],
            }
        ]
    },
    "levels": [
        {
            "identifier": "Level_0",
            "layerInstances": [
                {
                    "__type": "IntGrid",
                    "__identifier": "Ground",
                    "__cWid": 3,
                    "__cHei": 2,
                    "__gridSize": 8,
                    "layerDefUid": 3,
                    "intGridCsv": [1, 2, 0, 1, 1, 1],
                    "entityInstances": [],
                }
            ],
        }
    ],
    "worlds": [],
}


def changed(document: dict[str, Any], *changes: tuple[str, Any]) -> dict[str, Any]:
    """Return a copy in which the values at paths such as `layers.0.name` are others; `...` takes one out."""
    document = copy.deepcopy(document)
    for path, value in changes:
        *before, last = (int(part) if part.isdigit() else part for part in path.split("."))
        place: Any = document
        for part in before:
            place = place[part]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return document


def packed(*ids: int, squeeze: bool = True) -> str:
    """Return tiles as Tiled packs them."""
    raw = struct.pack(f"<{len(ids)}I", *ids)
    return base64.b64encode(zlib.compress(raw) if squeeze else raw).decode()


def _tiled(*changes: tuple[str, Any]) -> str:
    return json.dumps(changed(TILED, *changes))


def _ldtk(*changes: tuple[str, Any]) -> str:
    return json.dumps(changed(LDTK, *changes))


_LAYER = "levels.0.layerInstances.0"
_BASE64 = (("layers.1.encoding", "base64"), ("layers.1.compression", "zlib"))
_UNNAMED = ("layers.1.name", "house")

BAD_TILED = {
    "empty": "",
    "not_json": '{"type": "map",',
    "no_map": json.dumps({**TILED, "type": "tileset"}),
    "isometric": _tiled(("orientation", "isometric")),
    "no_width": _tiled(("width", ...)),
    "width_half": _tiled(("width", 2.5)),
    "too_wide": _tiled(("width", 20000)),
    "no_layers": _tiled(("layers", ...)),
    "layer_of_unknown_kind": _tiled(("layers.0.type", "hexlayer")),
    "too_few_tiles": _tiled(("layers.1.data", [0, 2, 0])),
    "tile_in_words": _tiled(("layers.1.data", [0, "2", 0, 0, 0, 0])),
    "tile_negative": _tiled(("layers.1.data", [0, -2, 0, 0, 0, 0])),
    "layer_too_wide": _tiled(("layers.1.width", 4), ("layers.1.data", [0] * 8)),
    "layer_moved": _tiled(("layers.1.offsetx", 8)),
    "no_base64": _tiled(*_BASE64, ("layers.1.data", "this is none!")),
    "damaged": _tiled(*_BASE64, ("layers.1.data", base64.b64encode(b"no zlib at all").decode())),
    "packed_too_few": _tiled(*_BASE64, ("layers.1.data", packed(0, 2, 0))),
    "packed_too_many": _tiled(*_BASE64, ("layers.1.data", packed(*[0] * 1000))),
    "zstd": _tiled(*_BASE64, ("layers.1.compression", "zstd"), ("layers.1.data", packed(0, 2, 0, 0, 0, 0))),
    "nothing_blocked": _tiled(_UNNAMED),
    "tile_of_no_tileset": _tiled(
        _UNNAMED,
        ("tilesets.0.firstgid", 2),
        ("tilesets.0.tiles", [{"id": 0, "properties": [{"name": "solid", "value": True}]}]),
    ),
    "price_too_high": _tiled(
        _UNNAMED, ("tilesets.0.tiles", [{"id": 1, "properties": [{"name": "cost", "type": "float", "value": 12.5}]}])
    ),
    "tileset_outside": _tiled(_UNNAMED, ("tilesets.0", {"firstgid": 1, "source": "../planviz/empty.json"})),
    "tileset_absolute": _tiled(_UNNAMED, ("tilesets.0", {"firstgid": 1, "source": "/etc/passwd"})),
    "tileset_missing": _tiled(_UNNAMED, ("tilesets.0", {"firstgid": 1, "source": "nowhere.tsj"})),
    "tileset_in_xml": _tiled(_UNNAMED, ("tilesets.0", {"firstgid": 1, "source": "t.tsx"})),
    "polygon_of_two": _tiled(
        (
            "layers.1",
            {
                "type": "objectgroup",
                "name": "collision",
                "objects": [{"x": 0, "y": 0, "polygon": [{"x": 0, "y": 0}, {"x": 9, "y": 9}]}],
            },
        )
    ),
    "infinite_and_empty": _tiled(("infinite", True), ("layers", [])),
}
BAD_LDTK = {
    "empty": "",
    "not_json": '{"jsonVersion": "1.5.4", "levels": [',
    "version_0": _ldtk(("jsonVersion", "0.9.3")),
    "no_version": _ldtk(("jsonVersion", ...)),
    "no_levels": _ldtk(("levels", [])),
    "no_layers": _ldtk(("levels.0.layerInstances", None)),
    "too_few_values": _ldtk((f"{_LAYER}.intGridCsv", [1, 2, 0])),
    "value_in_words": _ldtk((f"{_LAYER}.intGridCsv", [1, "2", 0, 1, 1, 1])),
    "too_wide": _ldtk((f"{_LAYER}.__cWid", 20000)),
    "no_height": _ldtk((f"{_LAYER}.__cHei", ...)),
    "nothing_blocked": _ldtk(("defs.layers.0.intGridValues.0.identifier", "flowers")),
    "only_tiles": _ldtk((f"{_LAYER}.__type", "Tiles")),
    "level_outside": _ldtk(("levels.0.layerInstances", None), ("levels.0.externalRelPath", "../map/empty.map")),
    "level_absolute": _ldtk(("levels.0.layerInstances", None), ("levels.0.externalRelPath", "C:\\level.ldtkl")),
    "level_missing": _ldtk(("levels.0.layerInstances", None), ("levels.0.externalRelPath", "w/Level_0.ldtkl")),
    "level_of_an_object": _ldtk(("levels", {"0": 1})),
}
