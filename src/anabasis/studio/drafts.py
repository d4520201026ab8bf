"""Drafts: what is being edited in the page, plain JSON, as the nouns that planners take.

Whatever is wrong with a draft is an InputError whose `where` leads to it, such as `agents[2].goal`; places inside
`scenario` are named as in a scenario file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.formation.files import FormationTable, formations_of
from anabasis.grid import Grid, cell_text
from anabasis.instance import Instance, Rules
from anabasis.io.document import convert
from anabasis.io.scenario import scenario_from_dict
from anabasis.io.scenario_build import build_grid
from anabasis.io.scenario_tables import MapTable
from anabasis.manoeuvre import Manoeuvre
from anabasis.mapf.group_ways import own_cells
from anabasis.scenario import Scenario

__all__ = [
    "Ends",
    "ends_of",
    "grid_of",
    "groups_without_units",
    "instance_of",
    "manoeuvre_of",
    "numbers_of",
    "scenario_of",
    "without_empty_groups",
]

_PLACE = "place units, under Edit with a tool for units"
_MOVE = "Move out, under Edit with a tool for units, brings units in walls and outside the map to free ground"
_AIM = "place the target elsewhere, under Edit with the tool for targets"

Cell = Annotated[tuple[int, int], msgspec.Meta(description="[x, y]")]


class _Strict(msgspec.Struct, forbid_unknown_fields=True):
    """A table in which every name must be known."""


class _EndsTable(_Strict):
    start: Cell | None = None
    goal: Cell | None = None


class Ends(msgspec.Struct, frozen=True):
    """`ends`: the cells where one unit starts and where it goes."""

    start: tuple[int, int]
    goal: tuple[int, int]


class _Agent(_Strict):
    start: Cell
    goal: Cell


class _OnlyEnds(msgspec.Struct):
    ends: _EndsTable = msgspec.field(default_factory=_EndsTable)


class _OnlyAgents(msgspec.Struct):
    agents: list[_Agent] = []


class _OnlyFormations(msgspec.Struct):
    formations: list[FormationTable] = []


class _OnlyMap(msgspec.Struct):
    map: MapTable


def scenario_of(draft: object) -> Scenario:
    """Return the scenario of a draft with those of its groups that have units, at least one."""
    document, numbers = _document(draft), numbers_of(draft)
    _check_scale(document)
    try:
        return _guarded(lambda: scenario_from_dict(without_empty_groups(document)))
    except InputError as error:
        raise _for_the_page(error, numbers) from None


def numbers_of(draft: object) -> list[int]:
    """Return the numbers of the groups with units, as the scenario of a draft has them; others are left out of it.

    Raises InputError if none has any.
    """
    tables = _groups(draft)
    numbers = [number for number, table in enumerate(tables) if not _is_empty(table)]
    if tables and not numbers:
        problem = "the group has no units" if len(tables) == 1 else "no group has units"
        found = f"none in {', '.join(groups_without_units(draft))}"[:200]
        raise InputError(problem, where="groups", found=found, hint=_PLACE)
    return numbers


def groups_without_units(draft: object) -> list[str]:
    """Return the names of the groups that the scenario of a draft is without."""
    empty = [(number, table) for number, table in enumerate(_groups(draft)) if _is_empty(table)]
    return [str(cast("Any", table).get("name") or f"group {number + 1}") for number, table in empty]


def without_empty_groups(document: dict[str, Any]) -> dict[str, Any]:
    """Return a scenario document with those of its groups that have units."""
    groups: object = document.get("groups")
    if not isinstance(groups, list):
        return document  # which is told where it is read
    return {**document, "groups": [table for table in cast("list[object]", groups) if not _is_empty(table)]}


def grid_of(draft: object, movement: str | None = None) -> Grid:
    """Return the map of a draft as its movement class sees it, or as another one does."""
    document = _document(draft)
    _check_scale(document)
    table = _guarded(lambda: convert(document, _OnlyMap, None)).map
    grid = build_grid(table)
    return grid if movement is None else grid.with_movement(movement)


def ends_of(draft: object, grid: Grid) -> Ends:
    """Return where one unit starts and goes; raises InputError for ends outside the map, or when there are none."""
    ends = _part(draft, _OnlyEnds).ends
    if ends.start is None or ends.goal is None:
        missing = "start" if ends.start is None else "goal"
        raise InputError(f"no {missing}", where=f"ends.{missing}", hint="place a start and a goal on the map")
    for name, cell in (("start", ends.start), ("goal", ends.goal)):
        _on_map(grid, cell, f"ends.{name}")
    return Ends(ends.start, ends.goal)


def instance_of(draft: object, rules: Rules) -> Instance:
    """Return the agents of a draft; of one without agents the units of its groups are taken as such.

    A unit then starts in its own cell, or the nearest that nobody has, and goes to one of the cells nearest to its
    target, each of them one unit's. Raises InputError for two agents with the same start or goal, for ends in walls,
    and where there are fewer cells around a target than units.
    """
    grid = grid_of(draft)
    agents = _part(draft, _OnlyAgents).agents
    if not agents and all(map(_is_empty, _groups(draft))):
        hint = "place some, under Edit with the tool for agents; units of groups are taken as agents, too"
        raise InputError("there are no agents", where="agents", found="none, and no units", hint=hint)
    if not agents:
        return _units_as_agents(scenario_of(draft), rules)
    starts: list[int] = []
    goals: list[int] = []
    for number, agent in enumerate(agents):
        for name, cell, vertices in (("start", agent.start, starts), ("goal", agent.goal, goals)):
            place = f"agents[{number}].{name}"
            _on_map(grid, cell, place)
            vertex = grid.vertex(*cell)
            if not grid.is_free(*cell):
                raise InputError(f"the {name} of an agent is blocked", where=place, found=cell_text(*cell))
            if vertex in vertices and (name == "start" or rules.stay):
                other = f"agent {vertices.index(vertex)}"
                raise InputError(f"two agents have the same {name}", where=place, found=f"that of {other}")
            vertices.append(vertex)
    return Instance.of(grid, starts, goals, rules=rules)


def manoeuvre_of(draft: object, *, limit: float = 3600.0) -> Manoeuvre:
    """Return the formations of a draft on its map. limit: seconds after which they are stopped."""
    grid = grid_of(draft)
    tables = _part(draft, _OnlyFormations).formations
    if not tables:
        raise InputError("no formation", where="formations", expected="one or more", hint="draw one on the map")
    formations = _guarded(lambda: formations_of(tables, grid, "formations"))
    return Manoeuvre(grid, formations, limit, str(_document(draft).get("name", "")))


def _groups(draft: object) -> list[object]:
    """Return the tables of a draft's groups, whatever they are; what is no list is told where it is read."""
    groups: object = _document(draft).get("groups", [])
    return cast("list[object]", groups) if isinstance(groups, list) else [groups]


def _is_empty(table: object) -> bool:
    """Tell whether a table is that of a group into which nobody has been put."""
    return isinstance(table, dict) and not any(table.get(part) for part in ("positions", "rectangle", "disc"))


def _for_the_page(error: InputError, numbers: list[int]) -> InputError:
    """Return an error in a scenario with the group's number in the draft, and what can be done about it in the page."""
    where = re.match(r"groups\[(\d+)\](.*)", error.where if isinstance(error.where, str) else "", re.DOTALL)
    said = partial(InputError, file=error.file, found=error.found, expected=error.expected)
    hint = _PLACE if "without groups" in error.problem else error.hint
    if where is None or int(where[1]) >= len(numbers):
        return said(error.problem, where=error.where, hint=hint)
    number, rest = numbers[int(where[1])], where[2]
    problem = re.sub(r"of group \d+", f"of group {number}", error.problem)
    if f"of group {number}" in problem:  # what its error is about: where a unit stands, or its target
        hint = _AIM if rest == ".target" else _MOVE
    return said(problem, where=f"groups[{number}]{rest}", hint=hint)


def _document(draft: object) -> dict[str, Any]:
    """Return the scenario's document as it stands in a draft."""
    document = _mapping(draft).get("scenario")
    if not isinstance(document, dict):
        found = "none" if document is None else type(document).__name__
        raise InputError("a draft without a scenario", where="scenario", found=found, expected="a scenario document")
    return cast("dict[str, Any]", document)


def _mapping(draft: object) -> Mapping[str, Any]:
    if not isinstance(draft, dict):
        raise InputError("not a draft", where="draft", found=type(draft).__name__, expected="an object")
    return cast("dict[str, Any]", draft)


def _check_scale(document: dict[str, Any]) -> None:
    """Raise InputError for a map that is finer than it is drawn: the page shows cells as they are simulated."""
    table: Any = document.get("map")
    scale: object = cast("dict[str, object]", table).get("scale", 1) if isinstance(table, dict) else 1
    if scale != 1:
        hint = "write the map as it is when it is scaled"
        raise InputError("scale of the map of a draft", where="map.scale", found=repr(scale), expected="1", hint=hint)


def _part(draft: object, schema: Any) -> Any:
    """Return one part of a draft, whose other parts are not looked at; what is missing is empty."""
    name: str = schema.__struct_fields__[0]
    part = _mapping(draft).get(name)
    return schema() if part is None else _guarded(lambda: convert({name: part}, schema, None))


def _guarded(make: Any) -> Any:
    """Return what is made of a document; one that is nested too deeply is an InputError, too."""
    try:
        return make()
    except RecursionError:
        raise InputError("the draft is nested too deeply") from None


def _on_map(grid: Grid, cell: tuple[int, int], place: str) -> None:
    try:
        grid.vertex(*cell)
    except InputError as error:
        raise error.at(None, place) from None


def _units_as_agents(scenario: Scenario, rules: Rules) -> Instance:
    """Return the units of all groups as agents on the map of the first group's movement class."""
    classes = scenario.classes()
    if len(classes) > 1:
        raise InputError(
            "agents of different movement classes",
            where="groups",
            found=" and ".join(classes),
            expected="one class for all groups",
            hint="place agents on the map instead",
        )
    grid = scenario.grid.with_movement(next(iter(classes)))
    cells = np.concatenate([group.vertices(grid) for group in scenario.groups])
    starts = own_cells(grid, cells)
    if starts is None:
        raise InputError("more units than cells", where="groups", found=f"{len(cells)} units")
    goals: list[int] = []
    taken = np.zeros(grid.width * grid.height, bool)
    for number, group in enumerate(scenario.groups):
        near = _nearest_cells(grid, group.goal(grid), taken, group.size)
        if len(near) < group.size:
            raise InputError(
                "too few cells around a target",
                where=f"groups[{number}].target",
                found=f"{len(near)} free cells for {group.size} units",
                expected="a cell for each",
            )
        taken[near] = True
        goals += near.tolist()
    return Instance.of(grid, starts, goals, rules=rules)


def _nearest_cells(grid: Grid, goal: int, taken: NDArray[np.bool_], count: int) -> NDArray[np.int64]:
    """Return the vertices in reach of a goal that nobody has, the nearest first, at most `count` of them."""
    from scipy.ndimage import label

    parts: NDArray[np.int32] = cast("Any", label(grid.free))[0].ravel()
    vertices = np.flatnonzero((parts == parts[goal]) & ~taken)
    gap = grid.centres(vertices) - grid.centres([goal])
    return vertices[np.lexsort((vertices, (gap * gap).sum(axis=1)))[:count]]
