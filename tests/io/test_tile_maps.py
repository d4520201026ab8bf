"""Maps of Tiled and LDtk: by which rule walls are found, in every layout of their files."""

from __future__ import annotations

import base64
import gzip
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bad_tile_maps import LDTK, TILED, changed, packed
from shapely import Polygon, contains_xy

from anabasis import InputError
from anabasis.find import load
from anabasis.io.maps import load_grid, load_tile_map
from anabasis.io.tile_maps import Item, TileMap, covered

IDS = (0, 2, 0, 0, 0, 1)
UNNAMED = ("layers.1.name", "house")
LEVEL = "levels.0.layerInstances.0"


def tiled(folder: Path, *changes: tuple[str, Any], **more: Any) -> TileMap:
    (folder / "a.tmj").write_text(json.dumps(changed(TILED, *changes)))
    return load_tile_map(folder / "a.tmj", **more)


def ldtk(folder: Path, *changes: tuple[str, Any], **more: Any) -> TileMap:
    (folder / "a.ldtk").write_text(json.dumps(changed(LDTK, *changes)))
    return load_tile_map(folder / "a.ldtk", **more)


def rows(found: TileMap) -> list[str]:
    return [bytes(row).decode() for row in found.terrain]


def tile(number: int, **properties: Any) -> tuple[str, Any]:
    said = [{"name": name, "value": value} for name, value in properties.items()]
    return ("tilesets.0.tiles", [{"id": number, "properties": said}])


def test_a_layer_by_its_name(tmp_path: Path) -> None:
    found = tiled(tmp_path)
    assert rows(found) == [".@.", "..."] and found.rule == "what is in the layer 'Walls'"


@pytest.mark.parametrize(
    "data",
    [
        [("layers.1.data", list(IDS))],
        [("layers.1.data", packed(*IDS, squeeze=False)), ("layers.1.encoding", "base64")],
        [("layers.1.data", packed(*IDS)), ("layers.1.encoding", "base64"), ("layers.1.compression", "zlib")],
        [
            ("layers.1.data", base64.b64encode(gzip.compress(struct.pack("<6I", *IDS))).decode()),
            ("layers.1.encoding", "base64"),
            ("layers.1.compression", "gzip"),
        ],
        [("layers.1.data", [0, 0xE0000002, 0, 0, 0, 0x10000001])],
        [
            (
                "layers",
                [
                    {
                        "type": "group",
                        "name": "all",
                        "layers": [changed(TILED, ("layers.1.data", list(IDS)))["layers"][1]],
                    }
                ],
            )
        ],
    ],
    ids=["list", "base64", "zlib", "gzip", "mirrored", "in a group"],
)
def test_tiles_in_every_layout(data: list[tuple[str, Any]], tmp_path: Path) -> None:
    assert rows(tiled(tmp_path, *data)) == [".@.", "..@"]


def test_an_infinite_map_is_as_large_as_its_chunks(tmp_path: Path) -> None:
    chunks = [
        {"x": -2, "y": 0, "width": 2, "height": 2, "data": [0, 1, 0, 0]},
        {"x": 0, "y": 1, "width": 2, "height": 2, "data": [1, 0, 0, 2]},
    ]
    layers = [{"type": "tilelayer", "name": "collision", "startx": -2, "starty": 0, "chunks": chunks}]
    assert rows(tiled(tmp_path, ("infinite", True), ("layers", layers))) == [".@..", "..@.", "...@"]


def test_rules_in_their_order(tmp_path: Path) -> None:
    data = ("layers.1.data", list(IDS))
    asked = tiled(tmp_path, data, layer="ground")
    assert rows(asked) == ["@@@", "@@@"] and asked.rule == "what is in the layer 'ground'"
    free = tiled(tmp_path, data, ("layers.1.name", "Walkable"))
    assert rows(free) == ["@.@", "@@."] and free.rule == "all but what is in the layer 'Walkable'"
    by_property = tiled(tmp_path, data, UNNAMED, ("layers.1.properties", [{"name": "Collision", "value": True}]))
    assert rows(by_property) == [".@.", "..@"]
    for name, value in (("collides", True), ("solid", True), ("walkable", False)):
        flagged = tiled(tmp_path, data, UNNAMED, tile(1, **{name: value}))
        assert rows(flagged) == [".@.", "..."] and flagged.rule == f"tiles with the property {name}"
    hidden = tiled(tmp_path, data, UNNAMED, tile(1, solid=True), ("layers.1.visible", False))
    assert rows(hidden) == ["...", "..."]
    shaped = tiled(tmp_path, data, UNNAMED, ("tilesets.0.tiles", [{"id": 1, "objectgroup": {"objects": [{"x": 0}]}}]))
    assert rows(shaped) == [".@.", "..."] and shaped.rule == "tiles with collision shapes"
    priced = tiled(tmp_path, data, UNNAMED, tile(1, cost=4))
    assert rows(priced) == ["141", "111"]
    with pytest.raises(InputError, match=r"no such layer; found 'roof'; expected layers 'ground', 'Walls'"):
        tiled(tmp_path, layer="roof")


def test_a_tileset_beside_the_map(tmp_path: Path) -> None:
    (tmp_path / "sets").mkdir()
    solid = {"tiles": [{"id": 1, "properties": [{"name": "blocked", "value": True}]}]}
    (tmp_path / "sets" / "t.tsj").write_text(json.dumps(solid))
    outside = ("tilesets.0", {"firstgid": 1, "source": "sets/t.tsj"})
    assert rows(tiled(tmp_path, UNNAMED, outside)) == [".@.", "..."]
    (tmp_path / "sets" / "t.tsj").write_text('{"tiles": 3}')
    with pytest.raises(InputError, match=r"t\.tsj: tiles: a wrong value; found 3; expected a list"):
        tiled(tmp_path, UNNAMED, outside)
    (tmp_path / "sets" / "link.tsj").symlink_to("/etc/hostname")
    with pytest.raises(InputError, match="outside the folder"):
        tiled(tmp_path, UNNAMED, ("tilesets.0", {"firstgid": 1, "source": "sets/link.tsj"}))


def test_shapes_are_walls_and_objects_are_items(tmp_path: Path) -> None:
    objects = [
        {"name": "a", "type": "unit", "x": 8, "y": 24, "point": True, "width": 0, "height": 0},
        {"name": "b", "class": "Gate", "x": 16, "y": 0, "width": 16, "height": 32},
        {"name": "c", "type": "chair", "x": 0, "y": 0, "width": 16, "height": 16},
        {"name": "d", "type": "goal", "gid": 1, "x": 32, "y": 32, "width": 16, "height": 16},
        {"template": "t.tj", "x": 0, "y": 0},
    ]
    shapes = [{"x": 20, "y": 4, "width": 22, "height": 8}, {"x": 0, "y": 0, "point": True}]
    layers = [
        {"type": "objectgroup", "name": "things", "objects": objects},
        {"type": "objectgroup", "name": "walls", "objects": shapes},
    ]
    found = tiled(tmp_path, ("layers", layers))
    assert rows(found) == [".@@", "..."]
    assert found.items == (
        Item("unit", "a", 0.5, 1.5),
        Item("gate", "b", 1.0, 0.0, 1.0, 2.0),
        Item("goal", "d", 2.0, 1.0, 1.0, 1.0),
    )
    assert found.notes == ("left out: objects of templates, 1",)


def test_cells_in_a_shape_are_those_of_an_oracle() -> None:
    random = np.random.default_rng(5)
    x, y = np.meshgrid(np.arange(20) + 0.5, np.arange(15) + 0.5)
    for _ in range(200):
        corners = random.uniform(-4, 22, (int(random.integers(3, 8)), 2))
        polygon = Polygon(corners)
        found = covered((15, 20), [(float(a), float(b)) for a, b in corners])
        if polygon.is_valid:
            assert np.array_equal(found, contains_xy(polygon, x, y))
    middle, half = np.array([9.3, 7.1]), np.array([6.2, 3.4])
    box = [tuple((middle + half * s).tolist()) for s in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    inside = ((x - middle[0]) / half[0]) ** 2 + ((y - middle[1]) / half[1]) ** 2 < 1
    assert np.array_equal(covered((15, 20), box, ellipse=True), inside) and inside.sum() > 40


def test_a_level_of_whole_numbers_by_the_names_of_its_values(tmp_path: Path) -> None:
    found = ldtk(tmp_path)
    assert rows(found) == [".@.", "..."] and found.rule == "layer 'Ground' of level 'Level_0'"
    assert found.notes == ("values taken for ground: grass",)
    wet = ldtk(tmp_path, ("defs.layers.0.intGridValues.1.identifier", "Deep_Water"))
    assert rows(wet) == ["W@.", "WWW"] and wet.notes == ()


def test_levels_and_layers_are_chosen_by_name(tmp_path: Path) -> None:
    second = changed(LDTK, (f"{LEVEL}.__identifier", "Collisions"), (f"{LEVEL}.layerDefUid", 9))["levels"][0]
    second |= {"identifier": "Cave"}
    both = ("levels", [LDTK["levels"][0], second])
    first = ldtk(tmp_path, both)
    assert rows(first) == [".@.", "..."] and "level 'Level_0' of 2: Level_0, Cave" in first.notes
    for name in ("Cave", "Cave/Collisions"):
        assert rows(ldtk(tmp_path, both, layer=name)) == ["@@.", "@@@"]
    with pytest.raises(InputError, match=r"no such layer; found 'Roof' of level 'Level_0'; expected 'Ground'"):
        ldtk(tmp_path, both, layer="Roof")
    worlds = ldtk(tmp_path, ("levels", []), ("worlds", [{"levels": [second]}]))
    assert worlds.rule == "layer 'Collisions' of level 'Cave'"


def test_levels_in_files_of_their_own_and_what_stands_on_them(tmp_path: Path) -> None:
    entities = [
        {"__identifier": "Spawn", "px": [12, 16], "__pivot": [0.5, 1], "width": 8, "height": 8},
        {"__identifier": "Chest", "px": [0, 0], "width": 8, "height": 8},
    ]
    level = changed(LDTK, (f"{LEVEL}.entityInstances", entities))["levels"][0]
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "Level_0.ldtkl").write_text(json.dumps(level))
    outside = [("levels.0.layerInstances", None), ("levels.0.externalRelPath", "a/Level_0.ldtkl")]
    found = ldtk(tmp_path, *outside, ("jsonVersion", "1.6.0"))
    assert rows(found) == [".@.", "..."] and found.items == (Item("spawn", "spawn", 1.0, 1.0, 1.0, 1.0),)
    assert "written by LDtk 1.6.0, newer than what is known here" in found.notes


@pytest.mark.parametrize(("name", "document"), [("a.tmj", TILED), ("a.ldtk", LDTK), ("a.json", TILED), ("a", LDTK)])
def test_they_load_as_any_map_does(name: str, document: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / name).write_text(json.dumps(document))
    assert load(tmp_path / name).free.tolist() == [[True, False, True], [True, True, True]]
    assert load_grid(tmp_path / name, scale=2).free.shape == (4, 6)
    with pytest.raises(InputError, match="at most 2 cells a side"):
        load_grid(tmp_path / name, max_side=2)


def test_only_they_have_layers(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("..\n")
    with pytest.raises(InputError, match="only maps of Tiled and LDtk have layers"):
        load_grid(tmp_path / "a.txt", layer="walls")
