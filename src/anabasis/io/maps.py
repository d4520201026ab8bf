"""Any map file: the reader or writer is picked by the suffix, else by what the file begins with."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path

from anabasis.errors import InputError
from anabasis.gamemap import GameMap
from anabasis.grid import MAX_CELLS, MAX_SIDE, Grid
from anabasis.io.atomic import as_path, decode, read_bytes, read_first
from anabasis.io.image import IMAGE_SUFFIXES, load_image, save_image
from anabasis.io.movingai import load_map, save_map
from anabasis.io.size import check_size
from anabasis.io.text import load_text, save_text
from anabasis.io.tile_maps import TileMap
from anabasis.movement import MovementClass

__all__ = [
    "MAP_SUFFIXES",
    "TILE_MAPS",
    "WRITTEN_SUFFIXES",
    "file_kind",
    "load_grid",
    "load_tile_map",
    "map_beside",
    "save_grid",
]

WRITTEN_SUFFIXES = {".map": "movingai", ".txt": "text", ".npz": "archive", **dict.fromkeys(IMAGE_SUFFIXES, "image")}
MAP_SUFFIXES = {**WRITTEN_SUFFIXES, ".tmj": "tiled", ".ldtk": "ldtk"}

TILE_MAPS = ("tiled", "ldtk")
"""Kinds of maps of tile editors, of which a layer is taken."""


def load_grid(
    path: str | os.PathLike[str],
    movement: str | MovementClass | None = None,
    *,
    threshold: int = 128,
    invert: bool = False,
    dialect: str = "movingai",
    scale: int = 1,
    layer: str | None = None,
    max_side: int = MAX_SIDE,
    max_cells: int = MAX_CELLS,
) -> Grid:
    """Load a map: `.map`, an image, a drawing in text, one of Tiled or LDtk, or a Grid or GameMap in an archive.

    movement: as whom to see the terrain; without it a unit on land, but the archive of a Grid keeps its prices.
    threshold, invert: see `load_image`; dialect: see `load_map`; layer: see `load_tile_map`. scale: cut each cell into
    scale × scale cells. The caps hold for the map before and after scaling.
    """
    if scale < 1:
        raise InputError("scale of a map", file=path, found=f"{scale}", expected="a whole number of at least 1")
    kind = file_kind(path)
    caps = {"max_side": max_side, "max_cells": max_cells}
    if layer is not None and kind not in TILE_MAPS:
        hint = "only maps of Tiled and LDtk have layers"
        raise InputError("a layer of a map", file=path, found=repr(layer), expected="none", hint=hint)
    if kind == "movingai":
        grid = load_map(path, movement or "land", dialect=dialect, **caps)
    elif kind == "image":
        grid = load_image(path, movement or "land", threshold=threshold, invert=invert, **caps)
    elif kind == "text":
        grid = load_text(path, movement or "land", **caps)
    elif kind in TILE_MAPS:
        grid = Grid.from_terrain(load_tile_map(path, layer=layer, **caps).terrain, movement or "land")
    elif kind == "json":
        raise InputError("no map that can be read", file=path, found="JSON", expected="a map of Tiled or LDtk")
    else:
        grid = _from_archive(path)
        check_size(grid.width, grid.height, path, **caps)
        if movement is not None:
            grid = grid.with_movement(movement)
    check_size(grid.width * scale, grid.height * scale, path, **caps)
    return grid.scaled(scale)


def load_tile_map(
    path: str | os.PathLike[str], *, layer: str | None = None, max_side: int = MAX_SIDE, max_cells: int = MAX_CELLS
) -> TileMap:
    """Load a map of Tiled or LDtk with what it says besides: by which rule walls were found, and objects.

    layer: whose tiles are walls; of LDtk `LEVEL`, `LAYER` or `LEVEL/LAYER`. Without it the map is looked through for
    what says so, see `tmj` and `ldtk`.
    """
    from anabasis.io.ldtk import ldtk_map
    from anabasis.io.tmj import tmj_map

    read = ldtk_map if file_kind(path) == "ldtk" else tmj_map
    return read(decode(read_bytes(path), path), path, layer=layer, max_side=max_side, max_cells=max_cells)


def map_beside(folder: Path, name: str, noun: str) -> Path:
    """Return the path of a map file that a document in this folder names; noun: what the document is.

    Raises InputError, whose place is `map.file`, unless the file is in the folder, or below it.
    """
    path = folder / name
    hint = f"put the map beside the {noun}, and name it by a relative path"
    try:
        inside = path.resolve().is_relative_to(folder.resolve()) and not Path(name).is_absolute()
    except (OSError, ValueError):
        inside = False
    if not inside or not Path(name).name:
        problem, expected = f"the map file must lie in the folder of the {noun}", "a relative path in it or below it"
        raise InputError(problem, where="map.file", found=repr(name), expected=expected, hint=hint)
    if not path.is_file():
        beside = path.parent.iterdir() if path.parent.is_dir() else ()
        maps = sorted(entry.name for entry in beside if entry.suffix.lower() in MAP_SUFFIXES)
        near = get_close_matches(path.name, maps, n=1, cutoff=0.6)
        raise InputError(
            "there is no such map file",
            where="map.file",
            found=repr(name),
            expected=f"a file in the folder of the {noun}",
            hint=f"there is {Path(name).with_name(near[0])}" if near else hint,
        )
    return path


def save_grid(grid: Grid | GameMap, path: str | os.PathLike[str]) -> None:
    """Write a map in the format of its suffix: `.npz` keeps all, `.map` and `.txt` the terrain, images the walls.

    All but other images than PNG keep the recipe of a generated map; images show it as units on land see it.
    """
    suffix = as_path(path).suffix
    kind = WRITTEN_SUFFIXES.get(suffix.lower())
    cells, recipe = (grid, None) if isinstance(grid, Grid) else (grid.grid(), grid.recipe)
    if kind == "movingai":
        save_map(cells, path, recipe=recipe)
    elif kind == "image":
        save_image(cells, path, recipe=recipe)
    elif kind == "text":
        save_text(cells, path, recipe=recipe)
    elif kind == "archive":
        from anabasis.io.archive import save

        save(grid, path)
    else:
        raise InputError("unknown map format", file=path, found=repr(suffix), expected=" or ".join(WRITTEN_SUFFIXES))


def _from_archive(path: str | os.PathLike[str]) -> Grid:
    from anabasis.io.archive import load as load_archive

    noun = load_archive(path)
    if isinstance(noun, GameMap):
        return noun.grid()
    if not isinstance(noun, Grid):
        raise InputError("the archive holds no map", file=path, found=f"a {type(noun).__name__}", expected="a Grid")
    return noun


def file_kind(path: str | os.PathLike[str]) -> str:
    """Return how to read a file: by its suffix, else by its first bytes."""
    source = as_path(path)
    suffix = source.suffix.lower()
    if suffix in MAP_SUFFIXES:
        return MAP_SUFFIXES[suffix]
    first = read_first(path, 16)
    if first.startswith(b"PK\x03\x04"):
        return "archive"
    if first.startswith((b"\x89PNG", b"GIF8", b"BM", b"P1", b"P2", b"P3", b"P4", b"P5", b"P6")):
        return "image"
    if first.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return _json_kind(path)
    return (
        "movingai"
        if first.removeprefix(b"\xef\xbb\xbf").split()[:1] in ([b"type"], [b"height"], [b"width"])
        else "text"
    )


def _json_kind(path: str | os.PathLike[str]) -> str:
    data = read_bytes(path)
    if b'"tilewidth"' in data:
        return "tiled"
    return "ldtk" if b'"jsonVersion"' in data else "json"
