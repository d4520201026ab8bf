"""The table of coverage names modules, tests, pages, commands and options that exist, and leaves no cell blank."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anabasis.cli.app import app
from anabasis.methods import METHODS

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "coverage.md"


def tables(text: str) -> list[list[list[str]]]:
    """Return the rows of each table as cells, without the two lines at its top."""
    found = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    return [[re.split(r"\s*\|\s*", line.strip("| ")) for line in table.splitlines()[2:]] for table in found]


def faults(text: str) -> list[str]:
    """Return what is wrong with the table: blank cells, modules, tests, pages and commands that there are not."""
    wrong: list[str] = []
    for row in [row for table in tables(text) for row in table]:
        *_, modules, shown, tests = row
        wrong += [f"blank cell: {row}" for cell in row if not cell]
        for cell, folder in ((modules, "src/anabasis"), (tests, "tests")):
            files = re.findall(r"`([\w/]+\.py)`", cell)
            wrong += [f"no file {folder}/{file}" for file in files if not (ROOT / folder / file).is_file()]
            wrong += [f"neither file nor issue: {cell}"] if not files and not re.search(r"issue \d", cell) else []
        wrong += [f"no page {page}" for page in re.findall(r"\]\((.+?)\)", shown) if not (PAGE.parent / page).is_file()]
        for command in re.findall(r"`anabasis ?([^`]*)`", shown):
            words = command.split()
            options = [word for word in words if word.startswith("--")]
            result = CliRunner().invoke(app, [word for word in words if word not in options] + ["--help"])
            wrong += [f"no command {command}"] if result.exit_code else []
            wrong += [f"no option {option} of {command}" for option in options if option not in result.stdout.split()]
        known = {row.name for row in METHODS}
        named = re.findall(r"`([\w-]+)`", "".join(re.findall(r"methods? (`.*)", shown)))
        wrong += [f"no method {name}" for name in named if name not in known]
    return wrong


def test_whatever_is_named_exists() -> None:
    assert not faults(PAGE.read_text(encoding="utf-8"))


def test_every_number_of_the_checklist_has_its_row() -> None:
    flow = tables(PAGE.read_text(encoding="utf-8"))[0]
    assert [int(row[0]) for row in flow] == list(range(1, 40))


@pytest.mark.parametrize(
    "row",
    [
        "| 1 | a | `grid.py` | `anabasis run` | |",
        "| 1 | a | `nowhere.py` | `anabasis run` | `test_find.py` |",
        "| 1 | a | `grid.py` | `anabasis run` | `test_nowhere.py` |",
        "| 1 | a | later | `anabasis run` | `test_find.py` |",
        "| 1 | a | `grid.py` | `anabasis fly` | `test_find.py` |",
        "| 1 | a | `grid.py` | `anabasis run --wings` | `test_find.py` |",
        "| 1 | a | `grid.py` | [page](guides/nowhere.md) | `test_find.py` |",
        "| 1 | a | `grid.py` | method `magic` | `test_find.py` |",
    ],
)
def test_the_check_finds_what_is_wrong(row: str) -> None:
    head = "| nr | capability | module | shown by | tests |\n|---|---|---|---|---|\n"
    assert not faults(f"{head}| 1 | a | `grid.py` | `anabasis run --set`, method `astar` | `test_find.py` |\n")
    assert faults(f"{head}{row}\n")
