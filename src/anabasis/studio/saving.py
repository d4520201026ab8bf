"""Saving drafts: as the files that others read, each with what it has room for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance
from anabasis.io.archive import save
from anabasis.io.atomic import write_atomic
from anabasis.io.maps import save_grid
from anabasis.io.movingai import DIALECTS
from anabasis.io.toml_text import toml_text
from anabasis.studio.documents import Draft, canonical
from anabasis.studio.drafts import (
    grid_of,
    groups_without_units,
    instance_of,
    manoeuvre_of,
    scenario_of,
    without_empty_groups,
)
from anabasis.studio.workspace import SAVED, files_of

__all__ = ["save_draft"]

_PARTS = {
    "groups": "the groups",
    "changes": "changes of the map",
    "ends": "start and goal of the one unit",
    "agents": "the agents",
    "formations": "the formations",
    "limits": "limits of the run",
    "steering": "how units steer",
    "note": "the note",
}


def save_draft(draft: object, path: Path) -> list[str]:
    """Write a draft in the format of a file's name; return what the file doesn't hold, a text each.

    `.scenario.toml`: the scenario; `.manoeuvre.toml`: the formations, and NAME.txt with the map;
    `.scen`: the agents, and NAME.map; `.npz`: the scenario, without groups the map; `.map`, `.txt`, `.png`: the map.
    Raises InputError for a draft that is wrong, or has nothing that such a file needs, or another name.
    """
    ending = next((ending for ending in SAVED if path.name.lower().endswith(ending)), None)
    if ending is None:
        raise InputError("unknown kind of file", file=path.name, expected="a name in " + ", ".join(SAVED))
    grid = grid_of(draft)  # which also sees that it is a draft
    assert isinstance(draft, dict)  # noqa: S101
    return _WRITERS[ending](canonical(draft), grid, path)


def _scenario(draft: Draft, grid: Grid, path: Path) -> list[str]:
    if not draft["scenario"]["groups"]:
        raise InputError("a scenario without groups", where="groups", hint="place units, or save the map as .map")
    scenario_of(draft)
    document = without_empty_groups(draft["scenario"])
    document["map"] = {**document["map"], "text": document["map"]["text"] + "\n"}
    write_atomic(path, toml_text(document).encode())
    return [*_empty(draft), *_left(draft, "ends", "agents", "formations")]


def _manoeuvre(draft: Draft, grid: Grid, path: Path) -> list[str]:
    manoeuvre_of(draft)
    _, beside = files_of(path)
    scenario = draft["scenario"]
    document = {
        "schema": "anabasis/manoeuvre",
        "schema_version": 1,
        "name": scenario["name"],
        "note": scenario["note"],
        "map": {"file": beside.name, "movement": scenario["map"].get("movement")},
        "formation": draft["formations"],
    }
    save_grid(grid, beside)
    write_atomic(path, toml_text(document).encode())
    return _left(draft, "groups", "changes", "ends", "agents", "limits", "steering")


def _scen(draft: Draft, grid: Grid, path: Path) -> list[str]:
    from anabasis.io.mapf_scen import save_instance
    from anabasis.search.jps import JPS

    _, beside = files_of(path)
    if draft["agents"] or draft["scenario"]["groups"]:  # whose units are taken as agents
        instance = instance_of(draft, CLASSIC)
    else:
        start, goal = (draft["ends"].get(end) for end in ("start", "goal"))
        if start is None or goal is None:
            raise InputError("neither agents nor start and goal", where="agents", hint="place them on the map")
        instance = Instance.of(grid, [grid.vertex(*start)], [grid.vertex(*goal)])
    seen = grid.with_movement("land")
    lengths = JPS(Grid.from_free(seen.free)).find_many(instance.starts, instance.goals).cost
    apart = np.flatnonzero(~np.isfinite(lengths))
    if apart.size:
        raise InputError(
            "a goal that can't be reached",
            where=f"agents[{apart[0]}].goal",
            hint="the format gives the length of each way",
        )
    first = [list(grid.cell(int(ends[0]))) for ends in (instance.starts, instance.goals)]  # opening gives it as ends
    ends = [draft["ends"].get(end) for end in ("start", "goal")]
    told = _map(draft, grid, beside, "agents", *(["ends"] if ends in (first, [None, None]) else []))
    save_instance(instance, path, map=beside.name, lengths=lengths)
    return told


def _archive(draft: Draft, grid: Grid, path: Path) -> list[str]:
    if not draft["scenario"]["groups"]:
        save(grid, path)
        return _left(draft, "changes", "ends", "agents", "formations", "limits", "steering", "note")
    save(scenario_of(draft), path)
    return [*_empty(draft), *_left(draft, "ends", "agents", "formations")]


def _map(draft: Draft, grid: Grid, path: Path, *held: str) -> list[str]:
    save_grid(grid, path)
    told = _left(draft, *(part for part in _PARTS if part not in held))
    suffix = path.suffix.lower()
    letters = set(np.unique(grid.terrain).tolist())
    if suffix == ".map" and letters - set(DIALECTS["movingai"].encode()):
        told.append("terrain other than of Moving AI maps: the nearest that they have stands there")
    if suffix == ".png" and letters - set(b".@"):
        told.append("terrain other than ground and wall")
    if "movement" in draft["scenario"]["map"]:
        told.append("the movement class")
    return told


def _empty(draft: Draft) -> list[str]:
    return ["groups without units"] if groups_without_units(draft) else []


def _left(draft: Draft, *parts: str) -> list[str]:
    """Return what of these parts a draft has."""
    scenario: Mapping[str, Any] = draft["scenario"]

    def there(part: str) -> bool:
        if part == "ends":
            return any(draft["ends"].get(end) is not None for end in ("start", "goal"))
        return bool(draft[part] if part in draft else scenario[part])

    return [_PARTS[part] for part in parts if there(part)]


_WRITERS: dict[str, Callable[[Draft, Grid, Path], list[str]]] = {
    ".scenario.toml": _scenario,
    ".manoeuvre.toml": _manoeuvre,
    ".map": _map,
    ".txt": _map,
    ".png": _map,
    ".npz": _archive,
    ".scen": _scen,
}
"""How each of `SAVED` is written."""
