"""Documents checked against a schema: dotted paths, overrides, and errors that name the place.

A path such as `groups[0].speed` leads from the root of a TOML document to a value; an override `groups.0.speed=0.15`
replaces that value before the schema is applied. How a value is written, such as `[x, y]`, a schema says where it likes
by `Annotated[..., msgspec.Meta(description="[x, y]")]`: errors repeat it.
"""

from __future__ import annotations

import difflib
import math
import re
import tomllib
import types
from collections.abc import Iterable
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin

import msgspec

from anabasis.errors import InputError

__all__ = ["convert", "line_of", "override", "parse_path", "parse_toml", "path_text", "plain_tables"]

Place = tuple[str | int, ...]
T = TypeVar("T", bound=msgspec.Struct)

_KINDS = {
    "float": "a number",
    "int": "a whole number",
    "str": "a text in quotes",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}


def parse_toml(text: str, file: object) -> dict[str, Any]:
    """Return the document of a TOML text; raises InputError with the line of a fault in its syntax."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError("the file is nested too deeply", file=file) from None
    except ValueError as error:
        found = re.search(r"\(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
        line = int(found[1]) if found and found[1] else text.count("\n") + 1
        problem = re.sub(r"\s*\(at .*\)$", "", str(error))
        column = f" in column {found[2]}" if found and found[2] else ""
        raise InputError(
            f"not valid TOML: {problem[:1].lower()}{problem[1:]}{column}",
            file=file,
            where=line,
            found=repr(text.split("\n")[line - 1].strip()[:60]),
            hint="texts stand in quotes, lists in square brackets: see toml.io",
        ) from None


def plain_tables(table: msgspec.Struct) -> dict[str, Any]:
    """Return a table of a schema as plain values, as a file would hold them: without what is as is usual."""
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(table):
        value = getattr(table, field.name)
        usual = field.default_factory() if callable(field.default_factory) else field.default
        if value != usual:
            found[field.encode_name] = _plain_value(value)
    return found


def _plain_value(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return plain_tables(value)
    return [_plain_value(part) for part in value] if isinstance(value, (list, tuple)) else value


def path_text(path: Iterable[str | int]) -> str:
    """Write a path: `groups[0].speed`."""
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).removeprefix(".")


def parse_path(text: str) -> Place:
    """Return the path that `path_text` has written."""
    return tuple(int(index) if index else name for name, index in re.findall(r"([^.\[\]\s]+)|\[(\d+)\]", text))


def line_of(text: str, path: Place) -> int | None:
    """Return the line of a TOML text on which the value of a path (or the nearest table around it) begins."""
    table: Place = ()
    counts: dict[Place, int] = {}
    best, line, open_string = 0, None, ""
    for number, row in enumerate(text.split("\n"), 1):
        if open_string:
            open_string = "" if open_string in row else open_string
            continue
        header = re.match(r"\s*(\[\[?)\s*([\w.\s-]+?)\s*\]", row)
        key = re.match(r"\s*([\w-]+(?:\s*\.\s*[\w-]+)*)\s*=", row)
        here: Place = ()
        if header:
            here = tuple(part.strip() for part in header[2].split("."))
            if header[1] == "[[":
                counts[here] = counts.get(here, -1) + 1
            table = here = tuple(p for k in range(len(here)) for p in _numbered(here[: k + 1], counts))
        elif key:
            here = (*table, *(part.strip() for part in key[1].split(".")))
        if here and here == path[: len(here)] and len(here) > best:
            best, line = len(here), number
        for quotes in ('"""', "'''"):
            if row.count(quotes) % 2:
                open_string = quotes
    return line


def _numbered(name: Place, counts: dict[Place, int]) -> Place:
    return (name[-1], counts[name]) if name in counts else (name[-1],)


def override(document: dict[str, Any], text: str, schema: type[msgspec.Struct], such_as: str) -> Place:
    """Set one value of a document as `path=value` says and return the path; checks the names, not the value's type.

    The value is read as TOML; what TOML doesn't know as a value is a text. such_as: an override for a hint. Raises
    InputError for what is no override, and for the format of the file, which stays what it is.
    """
    file = f"--set {text}"
    name, equals, value = text.partition("=")
    parts = [p for p in re.split(r"[.\[\]]+", name.strip()) if p]
    if not equals or not parts:
        raise InputError("not an override", file=file, expected="path=value", hint=f"such as {such_as}")
    if parts in (["schema"], ["schema_version"]):
        raise InputError("the format of a file can't be overridden", file=file)
    node: Any = document
    kind: Any = schema
    path: list[str | int] = []
    for i, part in enumerate(parts):
        last = i == len(parts) - 1
        kind = _bare(kind)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            fields = {f.encode_name: f.type for f in msgspec.structs.fields(kind)}
            if not isinstance(node, dict):
                raise InputError(f"{path_text(path)} is no table in the file", file=file, found=repr(node)[:60])
            if part not in fields:
                raise _unknown_name(part, fields, path, file)
            path.append(part)
            kind = fields[part]
            if last:
                node[part] = _value(value)
            elif part not in node:
                node[part] = [] if get_origin(_bare(kind)) in (list, tuple) else {}
            node = node[part]
        elif get_origin(kind) is dict and isinstance(node, dict):
            path.append(part)
            kind = get_args(kind)[1]
            if last:
                node[part] = _value(value)
            node = node.get(part, {})
        elif get_origin(kind) in (list, tuple) and isinstance(node, list):
            items = cast("list[Any]", node)
            if not (part.isascii() and part.isdigit() and int(part) < len(items)):
                raise InputError(
                    f"{path_text(path)} has no such entry",
                    file=file,
                    found=repr(part),
                    expected=f"a number below {len(items)}" if items else "entries in the file",
                )
            path.append(int(part))
            kind = get_args(kind)[0]
            if last:
                items[int(part)] = _value(value)
            node = items[int(part)]
        else:
            raise InputError(f"{path_text(path)} has no parts", file=file, found=repr(part), expected="a shorter path")
    return tuple(path)


def _value(text: str) -> Any:
    try:
        parsed = tomllib.loads(f"value = {text.strip()}")
    except (ValueError, RecursionError):
        return text.strip()
    return parsed["value"] if len(parsed) == 1 else text.strip()


def _bare(kind: Any) -> Any:
    """Return a type without `| None` and what is annotated."""
    if get_origin(kind) in (types.UnionType, Union):
        kind = next(k for k in get_args(kind) if k is not type(None))
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def convert(document: dict[str, Any], schema: type[T], file: object) -> T:
    """Return a document as its schema's struct; raises InputError with the path of the fault."""
    _refuse_odd_numbers(document, (), file)
    try:
        return msgspec.convert(document, schema)
    except msgspec.ValidationError as error:
        raise _schema_error(str(error), document, schema, file) from None


def _refuse_odd_numbers(value: object, path: Place, file: object) -> None:
    """Raise InputError for the first number that is inf, nan or a whole number that TOML does not allow."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise InputError("a whole number out of range", file=file, where=path_text(path), expected="64 bits")
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError("not a finite number", file=file, where=path_text(path), found=str(value))
    if isinstance(value, dict):
        for key, item in cast("dict[str, object]", value).items():
            _refuse_odd_numbers(item, (*path, key), file)
    elif isinstance(value, list):
        for i, item in enumerate(cast("list[object]", value)):
            _refuse_odd_numbers(item, (*path, i), file)


def _schema_error(message: str, document: dict[str, Any], schema: type[msgspec.Struct], file: object) -> InputError:
    """Return the error for what the schema found wrong, with the value that stands there."""
    problem, _, place = message.partition(" - at `$")
    path = parse_path(place.rstrip("`"))
    where = path_text(path) or None
    field = re.search(r"(unknown|missing required) field `(.*)`$", problem)
    if field and field[1] == "unknown":
        names = [f.encode_name for f in msgspec.structs.fields(_bare(_kind_at(schema, path)))]
        return _unknown_name(field[2], names, path, file)
    if field:
        expected = _written(schema, (*path, field[2])) or f"{field[2]} = …"
        return InputError(f"{field[2]!r} is missing", file=file, where=where, expected=expected)
    value: Any = document
    for part in path:
        value = value[part]
    found = repr(value)
    length = re.match(r"Expected `array` of length (\d+)", problem)
    kinds = re.match(r"Expected `([\w |]+)", problem)
    expected = f"a list of {length[1]}" if length else _kinds(kinds[1]) if kinds else problem.lower()
    return InputError(
        "wrong kind of value",
        file=file,
        where=where,
        found=found if len(found) < 60 else found[:57] + "…",
        expected=expected,
        hint=_written(schema, path) or None,
    )


def _kinds(union: str) -> str:
    """Return in words what a union of the schema's kinds takes, such as `int | float | null`."""
    kinds = [kind for kind in union.split(" | ") if kind != "null"]
    return " or ".join(_KINDS.get(kind, kind) for kind in kinds if not (kind == "int" and "float" in kinds))


def _kind_at(schema: Any, path: Iterable[str | int]) -> Any:
    """Return the type that a schema has for what a path leads to."""
    kind = schema
    for part in path:
        kind = _bare(kind)
        if isinstance(part, int):
            kind = get_args(kind)[0]
        else:
            kind = {f.encode_name: f.type for f in msgspec.structs.fields(kind)}[part]
    return kind


def _written(schema: Any, path: Place) -> str:
    """Return how a file says the value, or the whole list, that a path leads to; "" if its schema doesn't tell."""
    while path and isinstance(path[-1], int):
        path = path[:-1]
    kind = _kind_at(schema, path)
    bare = _bare(kind)
    several = get_origin(bare) is list
    table = _bare(get_args(bare)[0]) if several else bare
    if path and isinstance(table, type) and issubclass(table, msgspec.Struct):
        header = path_text(part for part in path if isinstance(part, str))
        needed = [f.encode_name for f in msgspec.structs.fields(table) if f.required]
        return (f"[[{header}]]" if several else f"[{header}]") + (f" with {' and '.join(needed)}" if needed else "")
    several_kinds = get_origin(kind) in (types.UnionType, Union)
    said = [one for one in (get_args(kind) if several_kinds else (kind,)) if get_origin(one) is Annotated]
    return f"{path[-1]} = {get_args(said[0])[1].description}" if said else ""


def _unknown_name(name: str, known: Iterable[str], path: Iterable[str | int], file: object) -> InputError:
    names = list(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    return InputError(
        f"unknown name {name!r}",
        file=file,
        where=path_text((*path, name)),
        expected="one of " + ", ".join(names),
        hint="did you mean " + " or ".join(near) + "?" if near else None,
    )
