"""What belongs to a file and lies beside it: the scenario of a trace, the map of a `.scen`, the agents of a plan."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from anabasis.errors import InputError
from anabasis.gamemap import GameMap
from anabasis.grid import Grid
from anabasis.io.archive import load
from anabasis.io.kinds import kind_of
from anabasis.io.maps import MAP_SUFFIXES, load_grid
from anabasis.io.movingai import load_scen
from anabasis.scenario import Scenario

__all__ = ["agents_beside", "map_of_scen", "scenario_beside", "scenario_of_run", "space_beside"]

_MOST = 200  # files that are looked at


def scenario_beside(file: Path, units: int) -> Scenario | None:
    """Return the scenario of a trace or plan of so many units: of the results it is kept in, or named as it is."""
    found = scenario_of_run(file)
    for path in (_like(file, ".scenario.toml", ".toml", ".scenario.npz"), [file.parent / "scenario.npz"]):
        for place in path:
            if found is None and place != file and place.is_file():
                found = _scenario(place)
    return found if found is not None and found.size == units else None


def scenario_of_run(file: Path) -> Scenario | None:
    """Return the scenario of a trace in the folder `traces` of a results folder, None if it is not in one."""
    from anabasis.lab.manifest import read_manifest
    from anabasis.lab.store import read_scenario

    folder = file.parent.parent
    if file.parent.name != "traces" or not (folder / "manifest.json").is_file():
        return None
    try:
        case = next((run.case for run in read_manifest(folder).runs() if run.stem == file.stem), None)
        return None if case is None else read_scenario(folder, case)
    except InputError:  # what can't be read beside a file is as good as not there
        return None


def map_of_scen(file: Path) -> Path:
    """Return the map that the rows of a `.scen` name, beside it; raises InputError that says which is missing."""
    rows = load_scen(file)
    name = rows.maps[0].replace("\\", "/").rsplit("/", 1)[-1] if rows.size else ""
    if not name:
        raise InputError("a scenario without rows", file=file, expected="at least one")
    place = file.parent / name
    if not place.is_file():
        raise InputError(
            "the map of this scenario is not beside it",
            file=file,
            found=f"no {name}",
            expected=f"{name} in the same folder",
            hint="put both into the workspace and open the scenario there",
        )
    return place


def agents_beside(file: Path) -> Path | None:
    """Return the `.scen` that is named like a plan, else the only one in its folder; None if there is none."""
    named = [place for place in _like(file, ".scen") if place.is_file()]
    scens = named[:1] or sorted(file.parent.glob("*.scen"))[:2]
    return scens[0] if len(scens) == 1 else None


def space_beside(file: Path) -> tuple[Grid, Path] | None:
    """Return the map that is named like a file, else the only map in its folder; None if there is none."""
    places = [place for place in _like(file, *MAP_SUFFIXES) if place.is_file() and place != file]
    for candidates in (places, _maps_in(file)):
        grids = [(grid, place) for place in candidates if (grid := _grid(place)) is not None]
        if len(grids) == 1:
            return grids[0]
    return None


def _like(file: Path, *suffixes: str) -> list[Path]:
    """Return the names that a file's companion may have: its own with another suffix, or a first part of it."""
    parts = file.name.split(".")
    stems = [".".join(parts[:k]) for k in range(len(parts) - 1, 0, -1)]
    return [file.parent / f"{stem}{suffix}" for stem in stems for suffix in suffixes]


def _maps_in(file: Path) -> Sequence[Path]:
    places = sorted(file.parent.iterdir())[:_MOST]
    return [place for place in places if place != file and place.suffix.lower() in MAP_SUFFIXES and place.is_file()]


def _grid(place: Path) -> Grid | None:
    """Return the map in a file, None if it holds anything else."""
    try:
        kind = kind_of(place)
        if kind == "archive":
            noun = load(place)
            return noun.grid() if isinstance(noun, GameMap) else noun if isinstance(noun, Grid) else None
        return load_grid(place) if kind == "map" else None
    except InputError:
        return None


def _scenario(place: Path) -> Scenario | None:
    from anabasis.io.scenario import load_scenario

    try:
        noun: Any = load(place) if place.suffix == ".npz" else load_scenario(place)
    except InputError:
        return None
    return noun if isinstance(noun, Scenario) else None
