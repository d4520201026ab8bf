"""Building: the nouns of a scenario from the tables of its file; every fault is an error that names its place.

Units are placed group after group, so a group that is packed into a shape keeps clear of those before it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.gamemap import GameMap
from anabasis.generators import generate, generator
from anabasis.grid import Grid, cell_text
from anabasis.io.maps import load_grid, map_beside
from anabasis.io.placement import Disc, Rectangle, pack
from anabasis.io.scenario_tables import ChangeTable, Document, GenerateTable, GroupTable, MapTable
from anabasis.io.size import check_size
from anabasis.movement import TERRAIN_LETTERS, movement_class
from anabasis.scenario import Change, Group, Limits, Scenario, Steering, Target

__all__ = ["build", "build_grid"]


def build(document: Document, folder: Path | None, file: object, max_units: int) -> Scenario:
    """Return the scenario of a document.

    folder: where its map file lies, None if it may name none. file: named where the map's size is at fault. Raises
    InputError, whose `where` is a path such as `groups[0].speed`.
    """
    grid = build_grid(document.map, folder, file)
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
                hint="the cap is set by --max-units, in Python by max_units",
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


def build_grid(table: MapTable, folder: Path | None = None, file: object = None) -> Grid:
    """Return the map of a scenario's table, as `build` does, without the rest of the scenario."""
    named = [name for name in ("file", "text", "generate") if getattr(table, name) is not None]
    if len(named) != 1:
        raise InputError(
            "the map has no single source",
            where="map",
            found=" and ".join(named) or "none",
            expected="one of file, text and generate",
        )
    if table.scale < 1:
        raise InputError("scale of the map", where="map.scale", found=f"{table.scale}", expected="at least 1")
    if table.movement is not None:
        try:
            movement_class(table.movement)
        except InputError as error:
            raise error.at(None, "map.movement") from None
    if table.file is not None:
        if folder is None:
            found = repr(table.file)
            raise InputError("a map file without a folder", where="map.file", found=found, expected="map.text")
        file = map_beside(folder, table.file, "scenario")
        return load_grid(file, table.movement, threshold=table.threshold, scale=table.scale)
    try:
        if table.generate is not None:
            grid = _generated(table.generate).grid(table.movement or "land")
        else:
            grid = Grid.from_text(table.text or "", table.movement or "land")
    except InputError as error:
        row = f" row {error.where}" if error.where is not None else ""
        place = "map.generate" if table.generate is not None else f"map.text{row}"
        raise InputError(
            error.problem, where=place, found=error.found, expected=error.expected, hint=error.hint
        ) from None
    check_size(grid.width * table.scale, grid.height * table.scale, file)
    return grid.scaled(table.scale)


def _generated(table: GenerateTable) -> GameMap:
    values = generator(table.generator).values(table.parameters)  # which also knows a size or a seed among them
    return generate(table.generator, table.width, table.height, seed=table.seed, **values)


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
    cells = _changed_cells(table, place, grid.width // scale, grid.height // scale)
    parts = np.stack(np.meshgrid(np.arange(scale), np.arange(scale)), -1).reshape(1, -1, 2)
    finer = (cells[:, None, :] * scale + parts).reshape(-1, 2)
    return _noun(place, Change, {"step": table.step, "cells": finer, "letter": letter})


def _changed_cells(table: ChangeTable, place: str, width: int, height: int) -> NDArray[np.int64]:
    """Return int64[k, 2], the cells of a change on the map as it is drawn; raises InputError for one outside."""
    if (r := table.rectangle) is None:
        ends = np.array(table.cells, np.int64).reshape(-1, 2)
    elif r.width < 1 or r.height < 1:
        raise InputError(
            "an empty rectangle", where=f"{place}.rectangle", found=f"{r.width} × {r.height}", expected="sides from 1"
        )
    else:
        ends = np.array([(r.x, r.y), (r.x + r.width - 1, r.y + r.height - 1)])
    outside = np.flatnonzero(((ends < 0) | (ends >= (width, height))).any(axis=1))
    if outside.size:
        raise InputError(
            "a changed cell is outside the map",
            where=f"{place}.{'cells' if r is None else 'rectangle'}",
            found=cell_text(*ends[outside[0]].tolist()),
            expected=f"x below {width}, y below {height}",
        )
    if r is None:
        return ends
    return np.stack(np.meshgrid(np.arange(r.x, r.x + r.width), np.arange(r.y, r.y + r.height)), -1).reshape(-1, 2)
