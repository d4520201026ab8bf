"""Tilesets of Tiled maps: which tiles are blocked, have collision shapes, or a price."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.io.json_checks import json_list, json_number, json_text, json_whole
from anabasis.io.tile_maps import json_beside
from anabasis.io.tmj_layers import Layer, properties_of

__all__ = ["Tiles", "tiles_of"]

_BLOCKING = ("collides", "solid", "blocked")
_PRICES = ("cost", "move_cost")


@dataclass
class Tiles:
    """Tiles by their global ids: why they are blocked, which have shapes, their prices; the lowest id of all."""

    blocked: dict[int, str] = field(default_factory=dict[int, str])
    shaped: dict[int, str] = field(default_factory=dict[int, str])
    prices: dict[int, int] = field(default_factory=dict[int, int])
    first: int = 2**32

    def known(self, ids: NDArray[np.uint32], layer: Layer, path: object) -> NDArray[np.uint32]:
        """Return the ids of a layer; raises InputError for a tile of no tileset."""
        strange = ids[(ids != 0) & (ids < self.first)]
        if strange.size:
            expected = f"from {self.first} on" if self.first < 2**32 else "a tileset"
            raise InputError(
                "a tile of no tileset", file=path, where=layer.at, found=f"tile {strange[0]}", expected=expected
            )
        return ids


def tiles_of(data: dict[str, Any], path: str | os.PathLike[str]) -> Tiles:
    """Return what the tilesets of a map say of their tiles; those in other files are opened in the map's folder."""
    tiles = Tiles()
    for i, given in enumerate(json_list(data.get("tilesets", []), "tilesets", path)):
        at, file, tileset = f"tilesets[{i}]", path, given
        if not isinstance(tileset, dict):
            raise InputError("a wrong value", file=path, where=at, expected="a tileset: an object")
        first = json_whole(tileset.get("firstgid"), f"{at}.firstgid", path, 1, 2**28)
        tiles.first = min(tiles.first, first)
        if "source" in tileset:
            name = json_text(tileset["source"], f"{at}.source", path)
            if name.lower().endswith((".tsx", ".xml")):
                raise InputError(
                    "a tileset in XML",
                    file=path,
                    where=f"{at}.source",
                    found=repr(name[:80]),
                    expected="one in JSON, .tsj, or in the map itself",
                    hint="embed the tilesets when the map is exported",
                )
            file, tileset = json_beside(path, name, f"{at}.source")
            at = ""
        _read(tiles, tileset, first, f"{at}.tiles".lstrip("."), file)
    return tiles


def _read(tiles: Tiles, tileset: dict[str, Any], first: int, at: str, path: object) -> None:
    for i, tile in enumerate(json_list(tileset.get("tiles", []), at, path)):
        here = f"{at}[{i}]"
        if not isinstance(tile, dict):
            raise InputError("a wrong value", file=path, where=here, expected="a tile: an object")
        gid = first + json_whole(tile.get("id"), f"{here}.id", path, 0, 2**28)
        said = properties_of(tile, here, path)
        why = [name for name in _BLOCKING if said.get(name) is True] + ["walkable"] * (said.get("walkable") is False)
        if why:
            tiles.blocked[gid] = why[0]
        shapes = tile.get("objectgroup")
        if isinstance(shapes, dict) and shapes.get("objects"):
            tiles.shaped[gid] = ""
        for name in _PRICES:
            if name in said:
                price = json_number(said[name], f"{here}.properties", path)
                if price != int(price) or not 1 <= price <= 9:
                    raise InputError(
                        f"the {name} of a tile",
                        file=path,
                        where=here,
                        found=f"{price:g}",
                        expected="a whole number from 1 to 9",
                    )
                tiles.prices[gid] = int(price)
