"""Writing TOML: a document of tables as text that reads back to an equal one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from anabasis.errors import InputError

__all__ = ["toml_text"]

Table = Mapping[str, Any]

_DRAWING = re.compile(r"(?:[!#-\[\]-~ ]+\n)+")  # lines that need no escapes, the last one ended, too


def toml_text(document: Table) -> str:
    """Return a document as TOML.

    Tables at its root, and lists of tables anywhere, have heads of their own; other tables stand in one line, lists of
    pairs have a line for each. Names without a value (None) are left out. Raises InputError for a text that no UTF-8
    holds or a value that TOML doesn't have.
    """
    text = "\n".join(_lines(document, "")) + "\n"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError("a text that can't be written", found=repr(error.object[error.start])) from None
    return text


def _lines(table: Table, name: str) -> Iterator[str]:
    """Yield the lines of a table: its plain values, then what has a head of its own."""
    later: list[tuple[str, Any]] = []
    for key, value in table.items():
        if value is None:
            continue
        if _tables(value) or (isinstance(value, Mapping) and not name):
            later.append((key, value))
        elif isinstance(value, str) and _DRAWING.fullmatch(value):
            yield f'{_key(key)} = """\n{value}"""'
        elif _rows(value):
            yield f"{_key(key)} = ["
            yield from (f"  {_value(row)}," for row in value)
            yield "]"
        else:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in later:
        full = f"{name}.{_key(key)}" if name else _key(key)
        for part in [value] if isinstance(value, Mapping) else value:
            yield ""
            yield f"[{full}]" if isinstance(value, Mapping) else f"[[{full}]]"
            yield from _lines(part, full)


def _tables(value: Any) -> bool:
    return isinstance(value, Sequence) and len(value) > 0 and all(isinstance(part, Mapping) for part in value)


def _rows(value: Any) -> bool:
    return isinstance(value, Sequence) and len(value) > 1 and all(isinstance(part, (list, tuple)) for part in value)


def _key(name: str) -> str:
    plain = name and name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if plain else _value(name)


def _value(value: Any) -> str:
    """Return a value in one line."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        parts = [f"{_key(name)} = {_value(v)}" for name, v in cast("Table", value).items() if v is not None]
        return f"{{ {', '.join(parts)} }}" if parts else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, cast('list[Any]', value)))}]"
    if isinstance(value, (int, float, np.number)):
        return repr(value.item() if isinstance(value, np.generic) else value)
    raise InputError("a value that TOML doesn't have", found=type(value).__name__, expected="texts, numbers, lists")
