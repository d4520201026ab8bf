"""Files of sessions: turn-based games saved as JSON and loaded again, exactly as they were left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from anabasis.errors import InputError
from anabasis.io.atomic import decode, read_bytes, write_atomic
from anabasis.io.document import convert
from anabasis.io.json_checks import json_object
from anabasis.mapf.turn_based import Memory, Session, Unit
from anabasis.options import check_kind

__all__ = ["load_session", "save_session", "session_data", "session_from"]

SCHEMA, VERSION = "anabasis/session", 1
_MOST = 2**25  # bytes


class _Unit(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    place: int
    points: int
    goal: int | None
    held: bool
    path: list[tuple[int, int]]
    tiles: list[int]
    changed: list[int]


class _Feature(msgspec.Struct, forbid_unknown_fields=True):
    place: int
    name: str


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    turn: int
    text: str


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    schema: str
    schema_version: int
    width: int
    height: int
    neighbours: int
    turns: bool
    turn: int
    terrain: list[str]
    costs: dict[str, float | None]
    features: list[_Feature]
    units: list[_Unit]
    groups: list[list[str]]
    log: list[_Entry]


def session_data(session: Session) -> dict[str, Any]:
    """Return a session as plain data that JSON knows: rows of terrain, null for an infinite cost."""
    check_kind(session, Session, "a session to save")
    width = session.width
    return {
        "schema": SCHEMA,
        "schema_version": VERSION,
        "width": width,
        "height": session.height,
        "neighbours": session.neighbours,
        "turns": session.turns,
        "turn": session.turn,
        "terrain": [session.terrain[y * width : (y + 1) * width] for y in range(session.height)],
        "costs": {name: cost if cost < np.inf else None for name, cost in session.costs},
        "features": [{"place": place, "name": name} for place, name in session.features],
        "units": [
            {
                "name": unit.name,
                "place": unit.place,
                "points": unit.points,
                "goal": unit.goal,
                "held": unit.held,
                "path": [list(element) for element in unit.path],
                "tiles": list(unit.tiles),
                "changed": list(unit.changed),
            }
            for unit in session.units
        ],
        "groups": [list(group) for group in session.groups],
        "log": [{"turn": turn, "text": text} for turn, text in session.log],
    }


def session_from(data: dict[str, Any], file: object = None) -> Session:
    """Return the session of plain data; raises InputError, with the path inside, for what `session_data` never makes.

    Paths are checked too: they lead from the units to their goals by moves that there are, and conflict nowhere.
    """
    check_kind(data, dict, "the data of a session")
    for name, value in (("schema", SCHEMA), ("schema_version", VERSION)):
        if data.get(name) != value:
            found = repr(data[name])[:60] if name in data else "nothing"
            raise InputError("not a session", file=file, where=name, found=found, expected=repr(value))
    document = convert(data, _Document, file)
    for y, row in enumerate(document.terrain):
        if len(row) != document.width:
            raise InputError(
                "a row has the wrong length",
                file=file,
                where=f"terrain[{y}]",
                found=f"{len(row)} tiles",
                expected=f"{document.width}",
            )
    costs = tuple((name, np.inf if cost is None else float(cost)) for name, cost in document.costs.items())
    try:
        session = Session(
            document.width,
            document.height,
            "".join(document.terrain),
            tuple((feature.place, feature.name) for feature in document.features),
            costs,
            document.neighbours,
            document.turns,
            tuple(_unit(unit, document) for unit in document.units),
            tuple(tuple(group) for group in document.groups),
            document.turn,
            tuple((entry.turn, entry.text) for entry in document.log),
        )
        sound = Memory().recall(session).sound()
    except InputError as error:
        raise error.at(file) from None
    if not sound:
        raise InputError(
            "the units, their paths and groups don't fit together",
            file=file,
            where="units",
            expected="what was saved by `save_session`",
        )
    return session


def _unit(unit: _Unit, document: _Document) -> Unit:
    """Return a unit; raises InputError for a place outside the map or a wrong name."""
    size = document.width * document.height
    places = [unit.place, *unit.tiles, *unit.changed, *(place for place, _ in unit.path)]
    for place in places if unit.goal is None else [unit.goal, *places]:
        if not 0 <= place < size:
            raise InputError(
                f"unit {unit.name}: a place outside the map", where="units", found=f"{place}", expected=f"below {size}"
            )
    if not unit.name.isalnum():
        raise InputError("name of a unit", where="units", found=repr(unit.name), expected="letters and digits")
    path, tiles, changed = tuple(unit.path), tuple(unit.tiles), tuple(unit.changed)
    return Unit(unit.name, unit.place, unit.points, unit.goal, unit.held, path, tiles, changed)


def save_session(session: Session, path: str | Path) -> None:
    """Write a session as a JSON file, whole or not at all."""
    text = json.dumps(session_data(session), ensure_ascii=False, indent=1, allow_nan=False)
    write_atomic(path, (text + "\n").encode())


def load_session(path: str | Path) -> Session:
    """Read a session that `save_session` has written; raises InputError with the file and the place of a fault."""
    return session_from(json_object(decode(read_bytes(path, _MOST), path), path), path)
