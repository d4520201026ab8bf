"""Nouns as drafts: what the page edits, made of a map, a scenario, an instance or the formations of a manoeuvre."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from anabasis.gamemap import GameMap
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.io.scenario_tables import SCHEMA, SCHEMA_VERSION
from anabasis.io.scenario_text import class_of_costs, scenario_tables
from anabasis.io.text import grid_text
from anabasis.manoeuvre import Modules
from anabasis.movement import TERRAIN_LETTERS
from anabasis.scenario import Limits, Scenario, Steering

__all__ = ["Draft", "canonical", "draft_of_instance", "draft_of_map", "draft_of_scenario", "map_table"]

Draft = dict[str, Any]
"""A draft as `docs/studio.md` describes it."""

_LAND = "land"
_MODULES = dataclasses.asdict(Modules())


def draft_of_map(land: Grid | GameMap, name: str) -> tuple[Draft, list[str]]:
    """Return a draft with nothing but a map, and what it can't hold, a sentence each."""
    table, lost = map_table(land.grid() if isinstance(land, GameMap) else land)
    if isinstance(land, GameMap):
        lost += ["the heights of the map"] if land.heights.size else []
        lost += ["its sites"] if land.sites else []
    return canonical({"scenario": {"name": name, "map": table}}), lost


def draft_of_scenario(scenario: Scenario) -> tuple[Draft, list[str]]:
    """Return a draft with a scenario, and what it can't hold, a sentence each."""
    table, lost = map_table(scenario.grid)
    if any(group.pace.size for group in scenario.groups):
        lost.append("the paces of single units")
    return canonical({"scenario": {**scenario_tables(scenario), "map": table}}), lost


def draft_of_instance(instance: Instance, name: str) -> tuple[Draft, list[str]]:
    """Return a draft with agents on the map of an instance, and what it can't hold, a sentence each."""
    assert isinstance(instance.space, Grid)  # noqa: S101
    draft, lost = draft_of_map(instance.space, name)
    starts, goals = (
        [list(instance.space.cell(v)) for v in vertices.tolist()] for vertices in (instance.starts, instance.goals)
    )
    draft["agents"] = [{"start": start, "goal": goal} for start, goal in zip(starts, goals, strict=True)]
    if starts:
        draft["ends"] = {"start": starts[0], "goal": goals[0]}
    return draft, lost


def map_table(grid: Grid) -> tuple[dict[str, Any], list[str]]:
    """Return the table `map` of a document, and what it can't hold: prices of their own, cells of another size."""
    lost: list[str] = []
    known = np.isin(grid.terrain, np.frombuffer(TERRAIN_LETTERS.encode(), np.uint8))
    movement = class_of_costs(grid)
    if movement is None or not known.all():
        digits = np.clip(np.rint(np.where(grid.free, grid.cost, 1.0)), 1, 9).astype(np.uint8) + ord("0")
        whole = bool((digits - ord("0") == np.where(grid.free, grid.cost, 1.0)).all())
        grid = Grid.from_terrain(np.where(grid.free, digits, ord("@")).astype(np.uint8))
        lost.append(
            "letters of terrain, for its prices" if whole else "prices other than 1 to 9: the nearest stand there"
        )
        movement = _LAND
    if grid.side != 1.0:
        lost.append(f"cells of side {grid.side:g}: lengths are in cells")
    return {"text": grid_text(grid), "movement": movement}, lost


def canonical(draft: Mapping[str, Any]) -> Draft:
    """Return a draft in the one form that all of equal meaning have: defaults that need not stand there are left out.

    Walls are `@`; the text of the map ends without a line end; limits and steering say what differs from the usual.
    """
    scenario: Mapping[str, Any] = draft.get("scenario") or {}
    table = dict(scenario.get("map") or {})
    table["text"] = "\n".join(row for line in str(table.get("text", "")).splitlines() if (row := line.strip()))
    table["text"] = table["text"].replace("#", "@")
    usual = table.get("movement") or _LAND
    table.pop("movement", None)
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "name": scenario.get("name", ""),
        "note": scenario.get("note", ""),
        "seed": scenario.get("seed", 0),
        "map": table if usual == _LAND else {**table, "movement": usual},
        "groups": [_without(group, {"movement": usual}) for group in _each(scenario, "groups")],
        "changes": [
            {**change, "terrain": str(change.get("terrain", "")).replace("#", "@")}
            for change in _each(scenario, "changes")
        ],
        "limits": _without(scenario.get("limits") or {}, dataclasses.asdict(Limits())),
        "steering": _without(scenario.get("steering") or {}, dataclasses.asdict(Steering())),
    }
    return {
        "scenario": document,
        "ends": draft.get("ends") or {"start": None, "goal": None},
        "agents": [dict(agent) for agent in _each(draft, "agents")],
        "formations": [_formation(table) for table in _each(draft, "formations")],
    }


def _formation(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of a formation with what the page always wants to know."""
    usual = {"name": "", "azimuth": 0.0, "modules": {}}
    if table.get("shape") is not None and table.get("area") is None:
        usual["spacing"] = 2.0  # on cells, see `formation.files`
    orders = [_without(order, {"time": 0.0}) for order in _each(table, "order")]
    return {**usual, **table, "order": orders, "modules": _without(table.get("modules") or {}, _MODULES)}


def _each(table: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    return table.get(name) or ()


def _without(table: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table without what it says as is usual."""
    return {name: value for name, value in table.items() if name not in usual or usual[name] != value}
