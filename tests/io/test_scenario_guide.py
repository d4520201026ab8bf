"""The guide to scenario files names every key of the format, with its type and its default."""

from __future__ import annotations

import re
import types
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import pytest

from anabasis.io import scenario_tables
from anabasis.io.scenario import load_scenario

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "guides" / "scenario.md").read_text("utf-8")
TABLES = {
    "The top of the file": scenario_tables.Document,
    "`[map]`": scenario_tables.MapTable,
    "`map.generate`": scenario_tables.GenerateTable,
    "`[[groups]]`": scenario_tables.GroupTable,
    "`groups.target`": scenario_tables.TargetTable,
    "`groups.rectangle`": scenario_tables.RectangleTable,
    "`groups.disc`": scenario_tables.DiscTable,
    "`[[changes]]`": scenario_tables.ChangeTable,
    "`changes.rectangle`": scenario_tables.CellsTable,
    "`[limits]`": scenario_tables.LimitsTable,
    "`[steering]`": scenario_tables.SteeringTable,
}
KINDS = {float: "number", int: "whole number", str: "text", bool: "true or false"}


def documented(guide: str, heading: str) -> dict[str, tuple[str, str]]:
    """Key → type and default, of the table below a heading."""
    below = re.split(r"^#+ ", guide.split(f" {heading}\n")[1], flags=re.MULTILINE)[0]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in below.splitlines() if row.startswith("|")]
    assert rows[0] == ["key", "type", "default", "meaning"]
    return {row[0].strip("`"): (row[1], row[2]) for row in rows[2:]}


def expected(struct: type[msgspec.Struct]) -> dict[str, tuple[str, str]]:
    """The same from the schema that reads the files."""
    return {f.encode_name: (_kind(f.type), _default(f)) for f in msgspec.structs.fields(struct)}


def _kind(kind: Any) -> str:
    if isinstance(kind, types.UnionType):
        kind = next(k for k in get_args(kind) if k is not types.NoneType)
    if get_origin(kind) is list:
        return "list of [x, y]" if get_origin(get_args(kind)[0]) is tuple else "list of tables"
    return KINDS.get(kind, "table")


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.default_factory is not msgspec.NODEFAULT:
        return "`[]`" if field.default_factory is list else "the defaults"
    if field.default is msgspec.NODEFAULT:
        return "*needed*"
    if field.default is None:
        return "*none*"
    text = {str: f'"{field.default}"', bool: str(field.default).lower()}.get(type(field.default), repr(field.default))
    return f"`{text}`"


@pytest.mark.parametrize("heading", TABLES)
def test_every_key_is_documented_with_type_and_default(heading: str) -> None:
    assert documented(GUIDE, heading) == expected(TABLES[heading])


def test_a_wrong_default_and_a_missing_key_are_seen() -> None:
    for wrong in (
        GUIDE.replace("| `5` | number of rays", "| `6` | number of rays"),
        re.sub(r"\| `rays`.*\n", "", GUIDE),
    ):
        assert wrong != GUIDE
        assert documented(wrong, "`[steering]`") != expected(scenario_tables.SteeringTable)


def test_no_table_of_the_format_is_left_out() -> None:
    structs = {
        value
        for value in vars(scenario_tables).values()
        if isinstance(value, type) and issubclass(value, msgspec.Struct) and msgspec.structs.fields(value)
    }
    assert structs == set(TABLES.values())


def test_every_option_that_is_named_can_be_set(tmp_path: Path) -> None:
    file = tmp_path / "gap.toml"
    file.write_text(GUIDE.split("```toml\n")[1].split("```")[0])
    part = GUIDE.split("## Setting options from outside")[1].split("\n## ")[0]
    names = [name for name in re.findall(r"`([a-z_.0-9]+)`", part) if "." in name or name == "seed"]
    assert {"seed", "groups.0.speed", "limits.steps", "changes.0.step"} <= set(names)
    for name in names:
        value = 0.2 if name.endswith("speed") else 2
        assert load_scenario(file, [f"{name}={value}"]).size >= 1
