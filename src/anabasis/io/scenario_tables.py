"""The tables of a scenario file as schemas; numbers and their defaults come from the nouns, so they stand once."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec

from anabasis.scenario import Group, Limits, Scenario, Steering, Target

__all__ = ["SCHEMA", "SCHEMA_VERSION", "ChangeTable", "Document", "GenerateTable", "GroupTable", "MapTable"]

SCHEMA = "anabasis/scenario"
SCHEMA_VERSION = 1


def _default(noun: type, name: str) -> Any:
    return next(f.default for f in dataclasses.fields(noun) if f.name == name)


def _struct_of(noun: type) -> type[msgspec.Struct]:
    """Return the schema of a noun of plain numbers: its own fields and defaults, so nothing is written twice."""
    hints = get_type_hints(noun)
    fields = [(f.name, hints[f.name], f.default) for f in dataclasses.fields(noun)]
    return msgspec.defstruct(f"{noun.__name__}Table", fields, forbid_unknown_fields=True)


class _Strict(msgspec.Struct, forbid_unknown_fields=True):
    """A table in which every name must be known."""


if TYPE_CHECKING:

    class LimitsTable(_Strict):
        """`[limits]`: the fields of `Limits`."""

    class SteeringTable(_Strict):
        """`[steering]`: the fields of `Steering`."""
else:
    LimitsTable = _struct_of(Limits)
    SteeringTable = _struct_of(Steering)


class GenerateTable(_Strict):
    """`[map.generate]`: a row of the table of generators, a size, a seed and parameters."""

    generator: str
    width: int
    height: int | None = None
    seed: int = 0
    parameters: dict[str, bool | int | float | str] = {}


class MapTable(_Strict):
    """`[map]`: exactly one of file, text and generate."""

    file: str | None = None
    text: str | None = None
    generate: GenerateTable | None = None
    scale: int = 1
    movement: str | None = None
    threshold: int = 128


class RectangleTable(_Strict):
    """A rectangle filled with units, or with `count` of them."""

    x: float
    y: float
    width: float
    height: float
    count: int | None = None


class DiscTable(_Strict):
    """A disc filled with units, or with `count` of them."""

    x: float
    y: float
    radius: float
    count: int | None = None


class TargetTable(_Strict):
    """Where a group goes."""

    x: float
    y: float
    radius: float = _default(Target, "radius")


class GroupTable(_Strict):
    """`[[groups]]`: at least one of positions, rectangle and disc."""

    target: TargetTable
    positions: list[tuple[float, float]] | None = None
    rectangle: RectangleTable | None = None
    disc: DiscTable | None = None
    radius: float = _default(Group, "radius")
    speed: float = _default(Group, "speed")
    movement: str | None = None
    name: str = _default(Group, "name")


class CellsTable(_Strict):
    """A rectangle of whole cells."""

    x: int
    y: int
    width: int
    height: int


class ChangeTable(_Strict):
    """`[[changes]]`: exactly one of cells and rectangle."""

    step: int
    terrain: str
    cells: list[tuple[int, int]] | None = None
    rectangle: CellsTable | None = None


class Document(_Strict):
    """The whole file."""

    map: MapTable
    groups: list[GroupTable]
    schema: str
    schema_version: int
    producer: str = ""
    producer_version: str = ""
    name: str = _default(Scenario, "name")
    note: str = _default(Scenario, "note")
    seed: int = _default(Scenario, "seed")
    changes: list[ChangeTable] = []
    limits: LimitsTable = msgspec.field(default_factory=LimitsTable)
    steering: SteeringTable = msgspec.field(default_factory=SteeringTable)
