"""Opening files: whatever Anabasis reads, as messages for the page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.io.atomic import check_readable, decode, read_bytes
from anabasis.io.json_checks import json_object
from anabasis.io.kinds import Kind, kind_of
from anabasis.io.movingai import Scen, load_scen
from anabasis.io.tile_maps import TileMap
from anabasis.scenario import Group, Target
from anabasis.studio.beside import agents_beside, map_of_scen, space_beside
from anabasis.studio.channel import Channel
from anabasis.studio.documents import Draft, canonical, draft_of_instance, draft_of_map, draft_of_scenario
from anabasis.studio.drafts import grid_of
from anabasis.studio.nouns import say_noun, say_plan
from anabasis.studio.results import say_results
from anabasis.studio.saying import say_draft

__all__ = ["opened"]

_MOST_AGENTS = 10_000
_RADIUS, _SPEED = Group.radius, Group.speed  # of units that a map says nothing about


def opened(path: Path, name: str, out: Channel) -> None:
    """Say what a file, or a results folder, holds: a `draft`, a `run` with `frames`, `scene`s, or a `table`; `facts`.

    name: what the user calls it. Raises InputError that names the file so, for one that can't be read, or that needs
    another one which is not beside it.
    """
    try:
        if path.is_dir():
            say_results(path, name, out)
        else:
            check_readable(path)
            if name.lower().endswith(".draft.json"):
                _draft(path, name, out)
                return
            _OPENERS[kind_of(path)](path, name, out)
    except InputError as error:
        raise _renamed(error, path, name) from None


def _map(path: Path, name: str, out: Channel) -> None:
    from anabasis.io.maps import MAP_SUFFIXES, TILE_MAPS, file_kind, load_grid, load_tile_map

    kind, suffix = file_kind(path), Path(name).suffix.lower()
    if kind == "text" and suffix not in MAP_SUFFIXES:  # many a word is a row of terrain letters
        hint = "a map that is drawn as text is called NAME.txt"
        raise InputError("unknown kind of file", file=name, found=suffix or "no ending", hint=hint)
    facts: list[tuple[str, Any]] = [("file", name), ("holds", "a map")]
    if kind not in TILE_MAPS:
        draft, lost = draft_of_map(load_grid(path), _title(name))
    else:
        drawn = load_tile_map(path)
        draft, lost = draft_of_map(Grid.from_terrain(drawn.terrain), _title(name))
        facts += [("walls", drawn.rule), *(("note", note) for note in drawn.notes)]
        facts += _place_items(draft, drawn)
    say_draft(out, draft, lost, facts)


def _place_items(draft: Draft, drawn: TileMap) -> list[tuple[str, Any]]:
    """Put what stands on a tile map into a draft: spawn and goal as ends, units as a group; return what was done."""
    free = Grid.from_terrain(drawn.terrain).is_free
    middles = [(item, item.x + item.width / 2, item.y + item.height / 2) for item in drawn.items]
    placed = [(item, x, y) for item, x, y in middles if free(math.floor(x), math.floor(y))]
    ends = {
        end: [[math.floor(x), math.floor(y)] for item, x, y in placed if item.kind == end] for end in ("spawn", "goal")
    }
    start, goal = (cells[0] if cells else None for cells in ends.values())
    draft["ends"] = {"start": start, "goal": goal}
    units = [[x, y] for item, x, y in placed if item.kind == "unit"]
    aims = [(x, y) for item, x, y in placed if item.kind == "goal"]
    if units and aims:
        target = {"x": aims[0][0], "y": aims[0][1], "radius": Target(0, 0).radius}
        group = {"name": "units", "radius": _RADIUS, "speed": _SPEED, "target": target, "positions": units}
        draft["scenario"]["groups"] = [group]
    counts = Counter(item.kind for item in drawn.items)
    walled = len(middles) - len(placed)
    told: list[tuple[str, Any]] = [(kind, count) for kind, count in sorted(counts.items())]
    return [*told, *([("left out", f"{walled} objects in walls or outside the map")] if walled else [])]


def _draft(path: Path, name: str, out: Channel) -> None:
    """Say a draft as the page writes it."""
    draft = json_object(decode(read_bytes(path), path), path)
    grid_of(draft)
    say_draft(out, canonical(draft), [], [("file", name), ("holds", "a draft")])


def _archive(path: Path, name: str, out: Channel) -> None:
    from anabasis.io.archive import load

    say_noun(load(path), path, name, out)


def _scenario(path: Path, name: str, out: Channel) -> None:
    from anabasis.io.scenario import load_scenario

    draft, lost = draft_of_scenario(load_scenario(path))
    say_draft(out, draft, lost, [("file", name), ("holds", "a scenario")])


def _manoeuvre(path: Path, name: str, out: Channel) -> None:
    from anabasis.formation.files import load_tables
    from anabasis.io.document import plain_tables

    document, manoeuvre = load_tables(path)
    facts: list[tuple[str, Any]] = [("file", name), ("holds", "a manoeuvre"), ("limit, seconds", document.limit)]
    if not isinstance(manoeuvre.space, Grid):
        say_noun(manoeuvre, path, name, out)
        return
    draft, lost = draft_of_map(manoeuvre.space, document.name or _title(name))
    draft["scenario"]["note"] = document.note
    draft["formations"] = [plain_tables(table) for table in document.formation]
    say_draft(out, draft, lost, facts)


def _area(path: Path, name: str, out: Channel) -> None:
    from anabasis.io.areas import load_area

    say_noun(load_area(path, several=True), path, name, out)


def _scen(path: Path, name: str, out: Channel) -> None:
    from anabasis.io.maps import load_grid

    place = map_of_scen(path)
    scen, grid = load_scen(path), load_grid(place)
    draft, lost = draft_of_map(grid, _title(name))
    agents = _agents(path, scen, place, draft)
    width, height = int(scen.width[0]), int(scen.height[0])
    if (width, height) != (grid.width, grid.height):
        raise InputError(
            "a scenario for a map of another size",
            file=path,
            where=int(scen.line[0]),
            found=f"{width} × {height}",
            expected=f"{grid.width} × {grid.height}, as {place.name} has",
        )
    start, goal = ([int(getattr(scen, f"{end}_{c}")[0]) for c in "xy"] for end in ("start", "goal"))
    draft["ends"] = {"start": start, "goal": goal}
    rows = f"{agents} of {scen.size} rows; from row {agents + 1} on starts or goals come again" * (agents < scen.size)
    say_draft(
        out,
        draft,
        lost,
        [("file", name), ("holds", "starts and goals"), ("map", place.name), ("agents", rows or agents)],
    )


def _agents(path: Path, scen: Scen, place: Path, draft: Draft) -> int:
    """Put the rows of a `.scen` into a draft as agents, so long as none has a start or goal of one before."""
    from anabasis.io.mapf_scen import load_instance

    starts, goals = (
        list(zip(getattr(scen, f"{end}_x").tolist(), getattr(scen, f"{end}_y").tolist(), strict=True))
        for end in ("start", "goal")
    )
    agents = next(
        (k for k in range(scen.size) if starts[k] in starts[:k] or goals[k] in goals[:k] or k == _MOST_AGENTS),
        scen.size,
    )
    made, _ = draft_of_instance(load_instance(place, path, agents=agents), "")
    draft["agents"] = made["agents"]
    return agents


def _plan(path: Path, name: str, out: Channel) -> None:
    from anabasis.instance import Instance
    from anabasis.io.maps import load_grid
    from anabasis.io.plan_files import load_plan, plan_and_agents

    scen = agents_beside(path)
    if scen is not None:
        instance, loaded = plan_and_agents(load_grid(map_of_scen(scen)), scen, path)
    else:
        space = space_beside(path)
        if space is None:
            raise InputError(
                "whose plan this is can't be told",
                file=path,
                found="no scenario and no map beside it",
                expected="a .scen named like it, and its map",
                hint="put both into the workspace, beside the plan",
            )
        loaded = load_plan(path, space[0]).in_steps()
        rows = loaded.plan.vertices
        instance = Instance.of(space[0], rows[0], rows[-1])
    facts = [("scenario", scen.name if scen else "none: the map beside it"), *(("note", note) for note in loaded.notes)]
    say_plan(instance, loaded.plan, name, out, facts)


def _title(name: str) -> str:
    """Return what a draft of a file is called: its name without what tells the kind."""
    parts = Path(name).name.split(".")
    return parts[0] or name


def _renamed(error: InputError, path: Path, name: str) -> InputError:
    """Return an error in which the file is called as the user calls it."""
    told = {str(path): name, None: name}.get(error.file, error.file)
    texts = {part: getattr(error, part) for part in ("found", "expected", "hint")}
    plain = {part: text.replace(str(path), name) if isinstance(text, str) else text for part, text in texts.items()}
    return InputError(error.problem.replace(str(path), name), file=told, where=error.where, **plain)


_OPENERS: dict[Kind, Callable[[Path, str, Channel], None]] = {
    "map": _map,
    "archive": _archive,
    "scenario": _scenario,
    "manoeuvre": _manoeuvre,
    "area": _area,
    "scen": _scen,
    "plan": _plan,
}
