"""Manoeuvre files (`.manoeuvre.toml`): a map painted with costs, formations, orders and modules, to write by hand.

Places are logical coordinates on a map of triangles. On a map of cells they are places, too: (x + 0.5, y + 0.5) is the
middle of cell (x, y). Spots are as far from one another as on the map, in its units, not in coordinates. Strokes are
painted one after the other, each on all vertices within its width of its line; what a step costs is the mean of its
two ends.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import msgspec
import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.formation.shapes import schema_of
from anabasis.grid import Grid
from anabasis.io.atomic import decode, read_bytes
from anabasis.io.document import convert, line_of, override, parse_path, parse_toml
from anabasis.io.maps import load_grid, map_beside
from anabasis.io.size import check_size
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre, Modules, Order
from anabasis.schema import Schema

__all__ = [
    "SCHEMA",
    "SCHEMA_VERSION",
    "FormationTable",
    "example",
    "examples",
    "formations_of",
    "load_manoeuvre",
    "load_tables",
]

SCHEMA = "anabasis/manoeuvre"
SCHEMA_VERSION = 1
_ENDING = ".manoeuvre.toml"
_OPERATIONS = ("set", "add", "multiply")
_MOST_UNITS = 1_000_000

Place = Annotated[tuple[float, float], msgspec.Meta(description="[x, y]")]
Numbers = Annotated[list[float], msgspec.Meta(description="[number, …], a list, one for each unit")]
Places = Annotated[list[Place], msgspec.Meta(description="[[x, y], …]")]


class _Strict(msgspec.Struct, forbid_unknown_fields=True):
    """A table in which every name must be known."""


if TYPE_CHECKING:

    class ModulesTable(_Strict):
        """`[formation.modules]`: the fields of `Modules`."""
else:
    ModulesTable = msgspec.defstruct(
        "ModulesTable",
        [(f.name, get_type_hints(Modules)[f.name], f.default) for f in dataclasses.fields(Modules)],
        forbid_unknown_fields=True,
    )


class StrokeTable(_Strict):
    """`[[map.paint]]`: a line of places, `width` steps wide, on which the cost is set, added to or multiplied.

    One place alone paints a disc. Without line the whole map is painted. blocked: nobody can stand there.
    """

    line: Places = []
    width: float = 1.0
    cost: float | None = None
    operation: str = "set"
    blocked: bool = False


class MapTable(_Strict):
    """`[map]`: width and height of a map of triangles, or the file of one of cells."""

    width: int | None = None
    height: int | None = None
    spacing: float = 20.0
    cost: float = 1.0
    paint: list[StrokeTable] = []
    file: str | None = None
    movement: str | None = None


class OrderTable(_Strict):
    """`[[formation.order]]`: where to go from a time on; the last place is the target."""

    places: Places
    time: float = 0.0


class FormationTable(_Strict):
    """`[[formation]]`: a shape and its number of units, or spots with their commanders.

    pace, radius, classes: of each unit, where not all are alike; falls: units and the seconds at which they fall.
    """

    start: Place
    order: list[OrderTable]
    shape: str | None = None
    units: int | None = None
    spacing: float | None = None
    area: Annotated[tuple[float, float], msgspec.Meta(description="[width, depth]")] | None = None
    spots: Places | None = None
    commander: Annotated[list[int], msgspec.Meta(description="[spot, …], a list, one for each spot")] | None = None
    bound: Annotated[list[tuple[int, int]], msgspec.Meta(description="[[spot, spot], …]")] = []
    azimuth: float = 0.0
    pace: Numbers = []
    radius: Numbers = []
    classes: Annotated[list[int], msgspec.Meta(description="[class, …], a list, one for each unit")] = []
    falls: Annotated[list[tuple[int, float]], msgspec.Meta(description="[[unit, seconds], …]")] = []
    name: str = ""
    modules: ModulesTable = msgspec.field(default_factory=ModulesTable)


class Document(_Strict):
    """The whole file."""

    schema: str
    schema_version: int
    map: MapTable
    formation: list[FormationTable]
    name: str = ""
    note: str = ""
    limit: float = 3600.0


def examples() -> list[str]:
    """Return the names of the manoeuvres that ship with the package."""
    folder = files("anabasis") / "data" / "manoeuvres"
    return sorted(file.name.removesuffix(_ENDING) for file in folder.iterdir() if file.name.endswith(_ENDING))


def example(name: str) -> Path:
    """Return the file of a manoeuvre that ships with the package."""
    return Path(str(files("anabasis") / "data" / "manoeuvres" / f"{name}{_ENDING}"))


def load_manoeuvre(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> Manoeuvre:
    """Read a manoeuvre file; each override such as `formation.0.modules.planning="bends"` replaces one value first.

    Raises InputError with file, line and path of the fault.
    """
    return load_tables(path, overrides)[1]


def load_tables(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> tuple[Document, Manoeuvre]:
    """Read a manoeuvre file as `load_manoeuvre` does; return its tables, too, with what the overrides have changed."""
    text = decode(read_bytes(path), path)
    raw = parse_toml(text, path)
    for name, wanted in (("schema", SCHEMA), ("schema_version", SCHEMA_VERSION)):
        if raw.get(name) != wanted:
            said = f'"{wanted}"' if isinstance(wanted, str) else f"{wanted}"
            found = repr(raw[name]) if name in raw else f"no {name}"
            raise InputError("not a manoeuvre", file=path, where=name, found=found, expected=f"{name} = {said}")
    changed = [override(raw, said, Document, "formation.0.units=8") for said in overrides]
    try:
        document = convert(raw, Document, path)
        return document, _manoeuvre(document, Path(path).parent)
    except InputError as error:
        if error.file not in (None, str(path)):
            raise
        where = error.where if isinstance(error.where, str) else ""
        place = parse_path(where)
        # the last override in the table, or of the value, that is at fault
        near = [said for path, said in zip(changed, overrides, strict=True) if _within(path, place)]
        guilty = near[-1] if near else None
        line = None if guilty else line_of(text, parse_path(where))
        raise InputError(
            error.problem,
            file=f"--set {guilty}" if guilty else path,
            where=where if line is None else f"line {line}, {where}",
            found=error.found,
            expected=error.expected,
            hint=error.hint,
        ) from None


def _within(path: tuple[str | int, ...], place: tuple[str | int, ...]) -> bool:
    """Tell whether one of two paths leads to the other."""
    shorter = min(len(path), len(place))
    return bool(shorter) and path[:shorter] == place[:shorter]


def _manoeuvre(document: Document, folder: Path) -> Manoeuvre:
    if not document.formation:
        hint = "each is a table [[formation]]"
        raise InputError("a manoeuvre", where="formation", found="no formation", expected="one or more", hint=hint)
    space = _at("map", lambda: _space(document.map, folder))
    formations = formations_of(document.formation, space)
    return _at("limit", lambda: Manoeuvre(space, formations, document.limit, document.name))


def formations_of(
    tables: Sequence[FormationTable], space: Lattice | Grid, name: str = "formation"
) -> tuple[Formation, ...]:
    """Return the formations of their tables on a map. name: of the list that they stand in, for errors."""
    formations = tuple(
        _at(f"{name}[{i}]", lambda table=table, i=i: _formation(table, space, f"{name}[{i}]"))
        for i, table in enumerate(tables)
    )
    units = sum(formation.schema.spots for formation in formations)
    if units > _MOST_UNITS:
        raise InputError("too many units", where=name, found=f"{units}", expected=f"at most {_MOST_UNITS}")
    return formations


def _at(place: str, make: Any) -> Any:
    """Return what is made; an error that names no place gets this one."""
    try:
        return make()
    except InputError as error:
        raise error if error.where is not None or error.file is not None else error.at(None, place) from None


def _space(table: MapTable, folder: Path) -> Lattice | Grid:
    if table.file is not None:
        if drawn := _set(table, "width", "height", "paint", "spacing", "cost"):
            found = f"{', '.join(drawn)} besides file"
            raise InputError("a map of a file", found=found, expected="file, and movement at most")
        return load_grid(map_beside(folder, table.file, "manoeuvre"), movement=table.movement or "land")
    if table.movement is not None:
        raise InputError("a map of triangles", found="movement", expected="costs that are painted")
    if table.width is None or table.height is None:
        raise InputError("a map", found="neither file nor both width and height", expected="one of them")
    check_size(table.width, table.height, None)
    plain = Lattice.uniform(table.width, table.height, 1.0, table.spacing)
    ground = np.full(plain.size, table.cost)
    for i, stroke in enumerate(table.paint):
        _at(f"map.paint[{i}]", lambda stroke=stroke: _paint(plain, ground, stroke))
    if not (ground > 0).all():
        raise InputError("costs of a map", found=f"{ground.min():g} somewhere", expected="costs above 0")
    return Lattice.from_ground(ground.reshape(table.height, table.width), table.spacing)


def _set(table: msgspec.Struct, *names: str) -> list[str]:
    """Return those of the fields that differ from what they are if nothing is said."""
    defaults = {f.name: f.default_factory() if callable(f.default_factory) else f.default for f in _fields(table)}
    return [name for name in names if getattr(table, name) != defaults[name]]


def _fields(table: msgspec.Struct) -> tuple[Any, ...]:
    return msgspec.structs.fields(table)


def _paint(lattice: Lattice, ground: NDArray[np.float64], stroke: StrokeTable) -> None:
    """Change the costs of the vertices that a stroke covers."""
    if (stroke.cost is None) != stroke.blocked:
        found = "both cost and blocked" if stroke.blocked else "neither cost nor blocked"
        raise InputError("a stroke", found=found, expected="one of them")
    if not stroke.width > 0:
        raise InputError("width of a stroke", found=f"{stroke.width:g}", expected="steps above 0")
    if stroke.cost is not None and stroke.operation == "multiply" and not stroke.cost > 0:
        raise InputError("a factor of costs", found=f"{stroke.cost:g}", expected="a number above 0")
    if stroke.operation not in _OPERATIONS:
        raise InputError("operation of a stroke", found=repr(stroke.operation), expected=" or ".join(_OPERATIONS))
    covered = np.ones(lattice.size, bool)
    if stroke.line:
        line = np.array(stroke.line) * _scale(lattice)
        reach = stroke.width / 2 * lattice.spacing + 1e-6 * lattice.spacing
        covered = _apart(lattice.points, line) <= reach
    if stroke.cost is None:
        ground[covered] = np.inf
    elif stroke.operation == "set":
        ground[covered] = stroke.cost
    elif stroke.operation == "add":
        ground[covered] += stroke.cost
    else:
        ground[covered] *= stroke.cost


def _apart(points: NDArray[np.float64], line: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[n]: how far points are from a line of places."""
    least = np.hypot(*(points - line[0]).T)
    for a, b in pairwise(line):
        along = b - a
        share = np.clip((points - a) @ along / max(float(along @ along), 1e-300), 0.0, 1.0)
        least = np.minimum(least, np.hypot(*(points - a - share[:, None] * along).T))
    return least


def _scale(space: Lattice | Grid) -> NDArray[np.float64]:
    """Return what places in a file are multiplied by."""
    if isinstance(space, Grid):
        return np.ones(2)
    return np.array((0.5, 3**0.5 / 2)) * space.spacing


def _formation(table: FormationTable, space: Lattice | Grid, place: str) -> Formation:
    scale = _scale(space)
    start = (np.array(table.start) * scale).tolist()
    orders = tuple(
        _at(f"{place}.order[{i}]", lambda order=order: Order(np.array(order.places).reshape(-1, 2) * scale, order.time))
        for i, order in enumerate(table.order)
    )
    modules = _at(f"{place}.modules", lambda: Modules(**msgspec.structs.asdict(table.modules)))
    schema = _schema(table, space)
    if table.classes:
        classes = np.array(table.classes)
        schema = Schema(schema.places, schema.ancestor, schema.bindings, schema.weights, classes)
    falls = np.full(schema.spots if table.falls else 0, np.inf)
    for unit, seconds in table.falls:
        if not 0 <= unit < schema.spots:
            raise InputError("a unit that falls", found=f"unit {unit}", expected=f"0 to {schema.spots - 1}")
        if np.isfinite(falls[unit]):
            raise InputError("a unit that falls", found=f"unit {unit} twice", expected="each at most once")
        falls[unit] = seconds
    return Formation(
        schema,
        (start[0], start[1]),
        table.azimuth,
        orders,
        modules,
        np.array(table.pace),
        np.array(table.radius),
        falls,
        table.name,
    )


def _schema(table: FormationTable, space: Lattice | Grid) -> Schema:
    if (table.shape is None) == (table.spots is None):
        found = "neither shape nor spots" if table.shape is None else "both shape and spots"
        raise InputError("a formation", found=found, expected="exactly one of them")
    others = ("units", "spacing", "area") if table.shape is None else ("commander", "bound")
    if found := ", ".join(_set(table, *others)):
        raise InputError("a formation of spots" if table.shape is None else "a formation of a shape", found=found)
    if table.shape is None:
        if table.commander is None:
            raise InputError("a formation of spots", found="no commander", expected="that of each spot")
        return Schema.of(np.array(table.spots), table.commander, np.array(table.bound).reshape(-1, 2))
    if table.units is None:
        raise InputError("a formation of a shape", found="no units", expected="their number")
    spacing = table.spacing
    if spacing is None and table.area is None:
        spacing = 2 * (1.0 if isinstance(space, Grid) else space.spacing)
    return schema_of(table.shape, table.units, spacing=spacing, area=table.area)
