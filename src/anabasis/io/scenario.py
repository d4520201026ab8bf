"""Scenario files (`.scenario.toml`): a map, groups with targets, timed changes, limits and steering, to write by hand.

Places and lengths on the map (positions, rectangles, discs, targets with their radius, changed cells) are in cells of
the map as it is drawn and are multiplied by `map.scale`; radius and speed of units are in cells of the scaled map, so
units keep their size while the map grows around them (the GridSize of the source). Files that a scenario names lie in
its own folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from anabasis.errors import InputError
from anabasis.io.atomic import decode, read_bytes
from anabasis.io.document import convert, line_of, override, parse_path, parse_toml, path_text
from anabasis.io.scenario_build import build
from anabasis.io.scenario_tables import SCHEMA, SCHEMA_VERSION, Document
from anabasis.io.scenario_text import save_scenario
from anabasis.scenario import Scenario

__all__ = ["MAX_UNITS", "SCHEMA", "SCHEMA_VERSION", "load_scenario", "save_scenario", "scenario_from_dict"]

MAX_UNITS = 1_000_000


def load_scenario(
    path: str | os.PathLike[str], overrides: Sequence[str] = (), *, max_units: int = MAX_UNITS
) -> Scenario:
    """Read a scenario file; each override such as `groups.0.speed=0.15` replaces one value before it is checked.

    Raises InputError with file, line and path of the fault.
    """
    text = decode(read_bytes(path), path)
    document = parse_toml(text, path)
    try:
        return scenario_from_dict(document, overrides, folder=Path(path).parent, file=path, max_units=max_units)
    except InputError as error:
        if error.file != str(path) or not isinstance(error.where, str):
            raise
        line = line_of(text, parse_path(error.where))
        where = error.where if line is None else f"line {line}, {error.where}"
        raise InputError(
            error.problem, file=path, where=where, found=error.found, expected=error.expected, hint=error.hint
        ) from None


def scenario_from_dict(
    document: Mapping[str, Any],
    overrides: Sequence[str] = (),
    *,
    folder: str | os.PathLike[str] | None = None,
    file: object = None,
    max_units: int = MAX_UNITS,
) -> Scenario:
    """Make a scenario from a parsed document.

    folder: where a map file may lie; without it the map must be embedded. file: named in errors.
    """
    raw = deepcopy(dict(document))
    _check_schema(raw, file)
    places = [path_text(override(raw, text, Document, "groups.0.speed=0.15")) for text in overrides]
    try:
        return build(convert(raw, Document, file), None if folder is None else Path(folder), file, max_units)
    except InputError as error:
        direct = [k for k, place in enumerate(places) if re.match(re.escape(place) + r"($|[.\[])", str(error.where))]
        guilty = direct[-1] if direct else _first_fault(document, overrides, folder, max_units)
        if guilty is None:
            raise error.at(file) from None
        raise InputError(
            error.problem,
            file=f"--set {overrides[guilty]}",
            where=error.where,
            found=error.found,
            expected=error.expected,
            hint=error.hint,
        ) from None


def _first_fault(
    document: Mapping[str, Any], overrides: Sequence[str], folder: str | os.PathLike[str] | None, max_units: int
) -> int | None:
    """Return which override first breaks a document that is sound without them; None if it isn't sound itself."""
    for k in range(len(overrides)):
        try:
            scenario_from_dict(document, overrides[:k], folder=folder, max_units=max_units)
        except InputError:
            return k - 1 if k else None
    return len(overrides) - 1 if overrides else None


def _check_schema(raw: dict[str, Any], file: object) -> None:
    if raw.get("schema") != SCHEMA:
        raise InputError(
            "not a scenario",
            file=file,
            where="schema",
            found=repr(raw.get("schema")) if "schema" in raw else "no schema",
            expected=f'schema = "{SCHEMA}"',
        )
    if raw.get("schema_version") != SCHEMA_VERSION:
        raise InputError(
            "unknown version of the scenario format",
            file=file,
            where="schema_version",
            found=repr(raw.get("schema_version")) if "schema_version" in raw else "none",
            expected=f"schema_version = {SCHEMA_VERSION}",
        )
