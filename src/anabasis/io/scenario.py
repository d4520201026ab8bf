"""Scenario files (`.scenario.toml`): a map, groups with targets, timed changes, limits and steering, to write by hand.

Places and lengths on the map (positions, rectangles, discs, targets with their radius, changed cells) are in cells of
the map as it is drawn and are multiplied by `map.scale`; radius and speed of units are in cells of the scaled map, so
units keep their size while the map grows around them (the GridSize of the source). Files that a scenario names lie in
its own folder.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid, cell_text
from anabasis.io.atomic import decode, read_bytes
from anabasis.io.document import convert, line_of, override, parse_path, parse_toml, path_text
from anabasis.io.maps import load_grid
from anabasis.io.placement import Disc, Rectangle, pack
from anabasis.io.scenario_tables import SCHEMA, SCHEMA_VERSION, ChangeTable, Document, GroupTable, MapTable
from anabasis.io.scenario_text import save_scenario
from anabasis.io.size import check_size
from anabasis.movement import MOVEMENT_CLASSES, TERRAIN_LETTERS
from anabasis.scenario import Change, Group, Limits, Scenario, Steering, Target

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
    places = [path_text(override(raw, text, Document)) for text in overrides]
    try:
        return _scenario(convert(raw, Document, file), None if folder is None else Path(folder), file, max_units)
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


def _scenario(document: Document, folder: Path | None, file: object, max_units: int) -> Scenario:
    grid = _grid(document.map, folder, file)
    scale = document.map.scale
    groups: list[Group] = []
    for g, table in enumerate(document.groups):
        groups.append(_group(table, f"groups[{g}]", grid, document.map, groups))
        units = sum(group.size for group in groups)
        if units > max_units:
            raise InputError(
                "too many units",
                where=f"groups[{g}]",
                found=f"{units}",
                expected=f"at most {max_units}",
                hint="the cap is set by --max-units",
            )
    changes = [_change(table, f"changes[{c}]", grid, scale) for c, table in enumerate(document.changes)]
    limits = _noun("limits", Limits, msgspec.structs.asdict(document.limits))
    steering = _noun("steering", Steering, msgspec.structs.asdict(document.steering))
    try:
        return Scenario(
            grid, tuple(groups), tuple(changes), limits, steering, document.seed, document.name, document.note
        )
    except InputError as error:
        group = re.search(r"(target )?of group (\d+)", error.problem)
        place = "groups" if "groups" in error.problem else "seed"
        if group:
            place = f"groups[{group[2]}]{'.target' if group[1] else ''}"
        hint = "is x the column, y the row, and both counted from 0?" if group else None
        if group and scale > 1:
            hint = f"the cell is named as on the map scaled by {scale}"
        raise InputError(
            error.problem, where=place, found=error.found, expected=error.expected, hint=error.hint or hint
        ) from None


def _noun(place: str, noun: Any, values: dict[str, Any]) -> Any:
    """Make a noun; its own checks name the field first (`speed of a group`), which completes the place."""
    try:
        return noun(**values)
    except InputError as error:
        field = "movement" if "movement class" in error.problem else error.problem.split(" of ")[0]
        raise error.at(None, f"{place}.{field}" if field in values else place) from None


def _grid(table: MapTable, folder: Path | None, file: object) -> Grid:
    if (table.file is None) == (table.text is None):
        raise InputError(
            "the map has no single source",
            where="map",
            found="both file and text" if table.file is not None else "neither file nor text",
            expected="one of them",
        )
    if table.scale < 1:
        raise InputError("scale of the map", where="map.scale", found=f"{table.scale}", expected="at least 1")
    if table.movement is not None and table.movement not in MOVEMENT_CLASSES:
        raise InputError(
            "unknown movement class",
            where="map.movement",
            found=repr(table.movement),
            expected=" or ".join(MOVEMENT_CLASSES),
        )
    if table.file is not None:
        return load_grid(_inside(folder, table.file), table.movement, threshold=table.threshold, scale=table.scale)
    try:
        grid = Grid.from_text(table.text or "", table.movement or "land")
    except InputError as error:
        row = f" row {error.where}" if error.where is not None else ""
        raise InputError(
            error.problem, where=f"map.text{row}", found=error.found, expected=error.expected, hint=error.hint
        ) from None
    check_size(grid.width * table.scale, grid.height * table.scale, file)
    return grid.scaled(table.scale)


def _inside(folder: Path | None, name: str) -> Path:
    """Return the path of a file that the scenario names; raises InputError unless it lies in the scenario's folder."""
    problem = "the map file must lie in the folder of the scenario"
    hint = "put it beside the scenario and name it by a relative path, or embed the map as text"
    if folder is None:
        raise InputError("a map file without a folder", where="map.file", found=repr(name), expected="map.text")
    try:
        path = folder / name
        inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        inside = False
        path = folder
    if not inside or Path(name).is_absolute():
        raise InputError(problem, where="map.file", found=repr(name), hint=hint)
    return path


def _group(table: GroupTable, place: str, grid: Grid, map_table: MapTable, before: Sequence[Group]) -> Group:
    scale = float(map_table.scale)
    movement = table.movement or map_table.movement or "land"
    target = _noun(
        f"{place}.target",
        Target,
        {name: getattr(table.target, name) * scale for name in ("x", "y", "radius")},
    )
    values: dict[str, Any] = {
        "positions": np.zeros((1, 2)),
        "target": target,
        "radius": table.radius,
        "speed": table.speed,
        "movement": movement,
        "name": table.name,
    }
    checked: Group = _noun(place, Group, values)
    positions = _positions(table, place, grid.with_movement(checked.movement), scale, before)
    return dataclasses.replace(checked, positions=positions)


def _positions(table: GroupTable, place: str, grid: Grid, scale: float, before: Sequence[Group]) -> NDArray[np.float64]:
    """Return the places of a group's units: those given, then those packed into the rectangle and the disc."""
    parts: list[NDArray[np.float64]] = []
    if table.positions is not None:
        parts.append(np.array(table.positions, np.float64).reshape(-1, 2) * scale)
    shapes: list[tuple[str, Rectangle | Disc, int | None]] = []
    if (r := table.rectangle) is not None:
        shape = Rectangle(r.x * scale, r.y * scale, r.width * scale, r.height * scale)
        shapes.append(("rectangle", shape, r.count))
    if (d := table.disc) is not None:
        shapes.append(("disc", Disc(d.x * scale, d.y * scale, d.radius * scale), d.count))
    for name, shape, count in shapes:
        where = f"{place}.{name}"
        if count is not None and count < 1:
            raise InputError("number of units", where=f"{where}.count", found=f"{count}", expected="at least 1")
        others = [np.column_stack([g.positions, np.full(g.size, g.radius)]) for g in before]
        own = [np.column_stack([p, np.full(len(p), table.radius)]) for p in parts]
        try:
            parts.append(
                pack(shape, grid, table.radius, count, taken=np.concatenate([np.zeros((0, 3)), *others, *own]))
            )
        except InputError as error:
            raise error.at(None, where) from None
    if not sum(map(len, parts)):
        raise InputError("a group without units", where=place, expected="positions, a rectangle or a disc")
    return np.concatenate(parts)


def _change(table: ChangeTable, place: str, grid: Grid, scale: int) -> Change:
    width, height = grid.width // scale, grid.height // scale
    if (table.cells is None) == (table.rectangle is None):
        raise InputError(
            "a change without a single place",
            where=place,
            found="both cells and rectangle" if table.cells is not None else "neither cells nor rectangle",
            expected="one of them",
        )
    letter = "@" if table.terrain == "#" else table.terrain
    if len(letter) != 1 or letter not in TERRAIN_LETTERS:
        raise InputError(
            "unknown terrain letter",
            where=f"{place}.terrain",
            found=repr(table.terrain),
            expected="one of # " + " ".join(TERRAIN_LETTERS),
        )
    if (r := table.rectangle) is not None:
        if r.width < 1 or r.height < 1:
            raise InputError(
                "an empty rectangle",
                where=f"{place}.rectangle",
                found=f"{r.width} × {r.height}",
                expected="sides from 1",
            )
        corners = [(r.x, r.y), (r.x + r.width - 1, r.y + r.height - 1)]
    else:
        corners = table.cells or []
    for x, y in corners:
        if not (0 <= x < width and 0 <= y < height):
            raise InputError(
                "a changed cell is outside the map",
                where=f"{place}.{'cells' if table.rectangle is None else 'rectangle'}",
                found=cell_text(x, y),
                expected=f"x below {width}, y below {height}",
            )
    if r is not None:
        cells = np.stack(np.meshgrid(np.arange(r.x, r.x + r.width), np.arange(r.y, r.y + r.height)), -1).reshape(-1, 2)
    else:
        cells = np.array(table.cells, np.int64).reshape(-1, 2)
    sub = np.stack(np.meshgrid(np.arange(scale), np.arange(scale)), -1).reshape(1, -1, 2)
    finer = (cells[:, None, :] * scale + sub).reshape(-1, 2)
    return _noun(place, Change, {"step": table.step, "cells": finer, "letter": letter})
