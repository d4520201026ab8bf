"""Writing scenario files: a scenario as TOML that reads back to an equal one."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import anabasis
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.io.atomic import write_atomic
from anabasis.io.maps import save_grid
from anabasis.io.movingai import DIALECTS
from anabasis.io.scenario_tables import SCHEMA, SCHEMA_VERSION
from anabasis.io.text import grid_text
from anabasis.movement import MOVEMENT_CLASSES, TERRAIN_LETTERS
from anabasis.scenario import Scenario

__all__ = ["save_scenario"]

_EMBEDDED_CELLS = 2**16


def save_scenario(scenario: Scenario, path: str | os.PathLike[str]) -> None:
    """Write a scenario file that loads to an equal scenario: explicit positions, the map as it is, scale 1.

    A map of at most 65,536 cells stands in the file as text. A larger one is written beside it as NAME.map, one whose
    prices do not follow from its letters as NAME.npz.
    """
    head: list[tuple[str, Any]] = [
        ("schema", SCHEMA),
        ("schema_version", SCHEMA_VERSION),
        ("producer", "anabasis"),
        ("producer_version", anabasis.__version__),
        ("name", scenario.name),
        ("note", scenario.note),
        ("seed", scenario.seed),
    ]
    lines = [*_pairs(head), "", "[map]", *_map_lines(scenario.grid, Path(path))]
    for group in scenario.groups:
        target = ", ".join(_pairs(dataclasses.asdict(group.target).items()))
        fields = [(name, getattr(group, name)) for name in ("name", "radius", "speed", "movement")]
        lines += ["", "[[groups]]", *_pairs(fields), f"target = {{ {target} }}"]
        lines += ["positions = [", *_rows(group.positions), "]"]
    for change in scenario.changes:
        lines += ["", "[[changes]]", *_pairs([("step", change.step), ("terrain", change.letter)])]
        lines += ["cells = [", *_rows(change.cells), "]"]
    for name in ("limits", "steering"):
        lines += ["", f"[{name}]", *_pairs(dataclasses.asdict(getattr(scenario, name)).items())]
    try:
        data = ("\n".join(lines) + "\n").encode()
    except UnicodeEncodeError as error:
        raise InputError("a text that can't be written", file=path, found=repr(error.object[error.start])) from None
    write_atomic(path, data)


def _map_lines(grid: Grid, path: Path) -> list[str]:
    """Return the lines of the table `[map]`; writes the map beside the scenario if it does not fit in."""
    known = bool(np.isin(grid.terrain, np.frombuffer(TERRAIN_LETTERS.encode(), np.uint8)).all())
    movement = next((n for n, m in MOVEMENT_CLASSES.items() if np.array_equal(m.cost[grid.terrain], grid.cost)), None)
    stem = path.name.removesuffix(".toml").removesuffix(".scenario")
    if movement is None or grid.side != 1.0 or not known:
        beside = path.with_name(f"{stem}.npz")
    elif grid.width * grid.height <= _EMBEDDED_CELLS:
        return [*_pairs([("movement", movement)]), 'text = """', *grid_text(grid).splitlines(), '"""']
    else:
        letters = np.frombuffer(DIALECTS["movingai"].encode(), np.uint8)
        suffix = ".map" if np.isin(grid.terrain, letters).all() else ".txt"
        beside = path.with_name(stem + suffix)
    save_grid(grid, beside)
    named = [("file", beside.name)]
    return list(_pairs(named if beside.suffix == ".npz" or movement is None else [*named, ("movement", movement)]))


def _pairs(items: Iterable[tuple[str, Any]]) -> list[str]:
    return [f"{name} = {_value(value)}" for name, value in items]


def _rows(array: NDArray[Any]) -> list[str]:
    return [f"  [{_value(x)}, {_value(y)}]," for x, y in array.tolist()]


def _value(value: Any) -> str:
    """Write a text, a truth value or a number in TOML."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return repr(value.item() if isinstance(value, np.generic) else value)
