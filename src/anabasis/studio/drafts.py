"""Drafts: what is being edited in the page, plain JSON, as the nouns that planners take.

Whatever is wrong with a draft is an InputError whose `where` leads to it, such as `agents[2].goal`; places inside
`scenario` are named as in a scenario file.
"""

from __future__ import annotations

from collections.abc import Mapping
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

__all__ = ["Ends", "ends_of", "grid_of", "instance_of", "manoeuvre_of", "scenario_of"]

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
    """Return the scenario of a draft, with at least one group."""
    document = _document(draft)
    _check_scale(document)
    return _guarded(lambda: scenario_from_dict(document))


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
