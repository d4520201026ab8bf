"""The recipe of a generated map inside its file, so that the map can be made again from itself.

In a map of letters it is the last line, `# anabasis {…}`, below the rows that other programs read; in a PNG it is a
text chunk named `anabasis`; an archive holds the whole noun. The recipe is one JSON object.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator
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
        text = next((value for name, value in _texts(data) if name == _KEYWORD), b"")
    else:
        text = split_recipe(data)[1]
    if not text:
        raise InputError(
            "the file holds no recipe of a map",
            file=path,
            expected="a map, picture or archive that `anabasis map generate` wrote",
        )
    return _parsed(text, path)


def _texts(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Give keyword and text of each text chunk of a PNG."""
    place = len(_PNG)
    while place + 12 <= len(png):
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        if kind == b"tEXt":
            name, _, value = png[place + 8 : place + 8 + length].partition(b"\0")
            yield name, value
        place += length + 12


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
        if not isinstance(values.get(name), kind):
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
