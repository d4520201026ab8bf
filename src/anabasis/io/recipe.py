"""The recipe of a generated map inside its file, so that the map can be made again from itself.

In a map of letters it is the last line, `# anabasis {…}`, below the rows that other programs read; in a PNG it is a
text chunk named `anabasis`; an archive holds the whole noun. The recipe is one JSON object.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from typing import Any, cast

from anabasis.errors import InputError
from anabasis.gamemap import GameMap, Recipe
from anabasis.io.atomic import read_bytes

__all__ = ["load_recipe", "recipe_line", "recipe_text", "split_recipe", "with_recipe"]

_MARK = b"# anabasis "
_PNG = b"\x89PNG\r\n\x1a\n"
_KEYWORD = b"anabasis"


def recipe_text(recipe: Recipe) -> str:
    """Return a recipe as one line of JSON."""
    values = {name: getattr(recipe, name) for name in ("generator", "version", "width", "height", "seed", "parameters")}
    return json.dumps(values, allow_nan=False)


def recipe_line(recipe: Recipe | None) -> bytes:
    """Return the line that follows the rows of a map of letters, empty without a recipe."""
    return b"" if recipe is None else _MARK + recipe_text(recipe).encode() + b"\n"


def split_recipe(data: bytes) -> tuple[bytes, bytes]:
    """Return the bytes of a map of letters without the line of its recipe, and the JSON of that line, maybe empty."""
    body = data.rstrip()
    start = body.rfind(b"\n") + 1
    if not body.startswith(_MARK, start):
        return data, b""
    return data[:start], body[start + len(_MARK) :]


def with_recipe(png: bytes, recipe: Recipe) -> bytes:
    """Return the bytes of a PNG with the recipe in a text chunk after its header."""
    text = _KEYWORD + b"\0" + recipe_text(recipe).encode("ascii")
    chunk = struct.pack(">I", len(text)) + b"tEXt" + text
    header = len(_PNG) + 25  # the first chunk, IHDR, always has 13 bytes and 12 around them
    return png[:header] + chunk + struct.pack(">I", zlib.crc32(chunk[4:])) + png[header:]


def load_recipe(path: str | os.PathLike[str]) -> Recipe:
    """Read the recipe of a generated map: `.map`, text, `.png` or `.npz`.

    Raises InputError for a file that holds none, or a damaged one.
    """
    data = read_bytes(path, 2**29)
    if data.startswith(b"PK\x03\x04"):
        from anabasis.io.archive import load

        noun = load(path)
        if isinstance(noun, GameMap) and noun.recipe is not None:
            return noun.recipe
        text = b""
    elif data.startswith(_PNG):
        text = _chunk(data, path)
    else:
        text = split_recipe(data)[1]
    if not text:
        raise InputError(
            "the file holds no recipe of a map",
            file=path,
            expected="a map, picture or archive that `anabasis map generate` wrote",
        )
    return _parsed(text, path)


def _chunk(png: bytes, path: object) -> bytes:
    """Return the text of a PNG that holds the recipe, maybe empty; raises InputError if its sum is wrong."""
    place = len(_PNG)
    while place + 12 <= len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        end = place + 8 + length
        if png.startswith(b"tEXt" + _KEYWORD + b"\0", place + 4):
            if png[end : end + 4] != struct.pack(">I", zlib.crc32(png[place + 4 : end])):
                raise InputError(
                    "the recipe of the map is damaged", file=path, found="a wrong checksum", hint="save the file again"
                )
            return png[place + 9 + len(_KEYWORD) : end]
        place = end + 4
    return b""


def _parsed(text: bytes, path: object) -> Recipe:
    """Return the recipe of a JSON text."""
    fields = {"generator": str, "version": int, "width": int, "height": int, "seed": int, "parameters": dict}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError("the recipe of the map is damaged", file=path, found=f"{text[:60]!r}", expected="JSON")
    values = cast("dict[str, Any]", found)
    for name, kind in fields.items():
        if type(values.get(name)) is not kind:  # isinstance would take true for 1
            raise InputError(
                f"the recipe of the map has no proper {name!r}", file=path, found=repr(values.get(name))[:60]
            )
    for name, value in values["parameters"].items():
        if not isinstance(value, (bool, int, float, str)):
            raise InputError(f"the recipe of the map has an odd {name!r}", file=path, found=repr(value)[:60])
    try:
        return Recipe(**{name: values[name] for name in fields})
    except InputError as error:
        raise error.at(path) from None
