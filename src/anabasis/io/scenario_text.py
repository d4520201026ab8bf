"""Writing scenario files: a scenario as TOML that reads back to an equal one."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import numpy as np

import anabasis
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.io.atomic import write_atomic
from anabasis.io.maps import save_grid
from anabasis.io.movingai import DIALECTS
from anabasis.io.scenario_tables import SCHEMA, SCHEMA_VERSION
from anabasis.io.text import grid_text
from anabasis.io.toml_text import toml_text
from anabasis.movement import MOVEMENT_CLASSES, TERRAIN_LETTERS
from anabasis.scenario import Scenario

__all__ = ["class_of_costs", "save_scenario", "scenario_tables"]

_EMBEDDED_CELLS = 2**16


def save_scenario(scenario: Scenario, path: str | os.PathLike[str]) -> None:
    """Write a scenario file that loads to an equal scenario: explicit positions, the map as it is, scale 1.

    A map of at most 65,536 cells stands in the file as text. A larger one is written beside it as NAME.map, one whose
    prices do not follow from its letters as NAME.npz.
    """
    document = {"producer": "anabasis", "producer_version": anabasis.__version__, **scenario_tables(scenario)}
    document["map"] = _map_table(scenario.grid, Path(path))
    try:
        text = toml_text(document)
    except InputError as error:
        raise error.at(path) from None
    write_atomic(path, text.encode())


def scenario_tables(scenario: Scenario) -> dict[str, Any]:
    """Return the document of a scenario file, all but the map: explicit positions, every value."""
    return {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "name": scenario.name,
        "note": scenario.note,
        "seed": scenario.seed,
        "map": {},
        "groups": [
            {
                **{name: getattr(group, name) for name in ("name", "radius", "speed", "movement")},
                "target": dataclasses.asdict(group.target),
                "positions": group.positions.tolist(),
            }
            for group in scenario.groups
        ],
        "changes": [
            {"step": change.step, "terrain": change.letter, "cells": change.cells.tolist()}
            for change in scenario.changes
        ],
        "limits": dataclasses.asdict(scenario.limits),
        "steering": dataclasses.asdict(scenario.steering),
    }


def class_of_costs(grid: Grid) -> str | None:
    """Return the name of a movement class that sees a map's terrain at its prices, None if there is none."""
    return next((n for n, m in MOVEMENT_CLASSES.items() if np.array_equal(m.cost[grid.terrain], grid.cost)), None)


def _map_table(grid: Grid, path: Path) -> dict[str, Any]:
    """Return the table `[map]`; writes the map beside the scenario if it does not fit in."""
    known = bool(np.isin(grid.terrain, np.frombuffer(TERRAIN_LETTERS.encode(), np.uint8)).all())
    movement = class_of_costs(grid)
    stem = path.name.removesuffix(".toml").removesuffix(".scenario")
    if movement is None or grid.side != 1.0 or not known:
        beside = path.with_name(f"{stem}.npz")
    elif grid.width * grid.height <= _EMBEDDED_CELLS:
        return {"movement": movement, "text": grid_text(grid)}
    else:
        letters = np.frombuffer(DIALECTS["movingai"].encode(), np.uint8)
        suffix = ".map" if np.isin(grid.terrain, letters).all() else ".txt"
        beside = path.with_name(stem + suffix)
    save_grid(grid, beside)
    return {"file": beside.name, "movement": None if beside.suffix == ".npz" else movement}
