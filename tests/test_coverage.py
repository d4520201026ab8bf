"""The tables of coverage name modules, tests, pages, commands and options that exist, and leave no cell blank."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anabasis.cli.app import app
from anabasis.generators import GENERATORS
from anabasis.methods import METHODS

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "coverage.md"
CONTROLS = "## Keys and controls"
BUILT = {"methods.md": "method_cards.py", "generators.md": "generator_cards.py"}  # pages that building writes


def tables(text: str) -> list[list[list[str]]]:
    """Return the rows of each table of capabilities as cells, without the two lines at its top."""
    text = text.split(CONTROLS, maxsplit=1)[0]
    found = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    return [[re.split(r"\s*\|\s*", line.strip("| ")) for line in table.splitlines()[2:]] for table in found]


def after(word: str, text: str) -> list[str]:
    """Return the names that follow a word or its plural."""
    return re.findall(r"`([\w-]+)`", "".join(re.findall(rf"{word}s? (`.*)", text)))


def faults(text: str) -> list[str]:
    """Return what is wrong with the table: blank cells, modules, tests, pages and commands that there are not."""
    wrong: list[str] = []
    for row in [row for table in tables(text) for row in table]:
        *_, modules, shown, tests = row
        wrong += [f"blank cell: {row}" for cell in row if not cell]
        for cell, folder in ((modules, "src/anabasis"), (tests, "tests")):
            files = [f"{folder}/{file}" for file in re.findall(r"`([\w/]+\.py)`", cell)]
            files += re.findall(r"`(studio/src/[\w/-]+\.tsx?)`", cell)
            wrong += [f"no file {file}" for file in files if not (ROOT / file).is_file()]
            wrong += [f"neither file nor issue: {cell}"] if not files and not re.search(r"issue \d", cell) else []
        pages = [BUILT.get(page, page) for page in re.findall(r"\]\((.+?)\)", shown)]
        wrong += [f"no page {page}" for page in pages if not (PAGE.parent / page).is_file()]
        for command in re.findall(r"`anabasis ?([^`]*)`", shown):
            words = command.split()
            options = [word for word in words if word.startswith("--")]
            result = CliRunner().invoke(app, [word for word in words if word not in options] + ["--help"])
            wrong += [f"no command {command}"] if result.exit_code else []
            wrong += [f"no option {option} of {command}" for option in options if option not in result.stdout.split()]
        known = {row.name for row in METHODS}
        wrong += [f"no method {name}" for name in after("method", shown) if name not in known]
        parameters = {parameter.name for row in GENERATORS for parameter in row.parameters}
        wrong += [f"no parameter {name}" for name in after("parameter", shown) if name not in parameters]
    return wrong


def test_whatever_is_named_exists() -> None:
    assert not faults(PAGE.read_text(encoding="utf-8"))


def numbers(table: list[list[str]]) -> list[int]:
    """Return the numbers of a table's rows; a row may stand for several, as in 1-21."""
    ends = [[int(number) for number in row[0].split("-")] for row in table]
    return [number for first, *last in ends for number in range(first, (last or [first])[0] + 1)]


def test_every_number_of_a_checklist_has_its_row() -> None:
    flow, _, planning, terrain, dynamic, formations = tables(PAGE.read_text(encoding="utf-8"))
    assert numbers(flow) == list(range(1, 40))
    assert numbers(planning) == list(range(1, 87))
    assert numbers(terrain) == list(range(1, 90))
    assert numbers(dynamic) == list(range(1, 43))
    assert numbers(formations) == list(range(1, 38))


def test_every_control_of_the_five_systems_says_where_it_is_now() -> None:
    _, text = PAGE.read_text(encoding="utf-8").split(CONTROLS)
    found = tables(text)
    assert len(found) == 5
    for row in [row for table in found for row in table]:
        assert len(row) == 2 and all(row), row
    flow = " ".join(row[0] for row in found[0])
    for key in [*"0123456789ADFHNOPRSW", "F1", "F5", "F6", "F7", "F9", "F11", "Esc", "Enter", "Space", "CapsLock"]:
        assert re.search(rf"(?<!\w){key}(?!\w)", flow), key


def test_every_method_and_generator_is_named_or_its_module_is() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for row in (*METHODS, *GENERATORS):
        module = row.function.split(":")[0].removeprefix("anabasis.").replace(".", "/")
        folder = module.rsplit("/", 1)[0]
        assert any(f"`{name}`" in text for name in (row.name, f"{module}.py", f"{folder}/")), row.name


@pytest.mark.parametrize(
    "row",
    [
        "| 1 | a | `grid.py` | `anabasis run` | |",
        "| 1 | a | `nowhere.py` | `anabasis run` | `test_find.py` |",
        "| 1 | a | `grid.py` | `anabasis run` | `test_nowhere.py` |",
        "| 1 | a | `grid.py`, `studio/src/nowhere.ts` | `anabasis run` | `test_find.py` |",
        "| 1 | a | later | `anabasis run` | `test_find.py` |",
        "| 1 | a | `grid.py` | `anabasis fly` | `test_find.py` |",
        "| 1 | a | `grid.py` | `anabasis run --wings` | `test_find.py` |",
        "| 1 | a | `grid.py` | [page](guides/nowhere.md) | `test_find.py` |",
        "| 1 | a | `grid.py` | method `magic` | `test_find.py` |",
        "| 1 | a | `grid.py` | parameters `rivers`, `magic` | `test_find.py` |",
    ],
)
def test_the_check_finds_what_is_wrong(row: str) -> None:
    head = "| nr | capability | module | shown by | tests |\n|---|---|---|---|---|\n"
    assert not faults(f"{head}| 1 | a | `grid.py` | `anabasis run --set`, method `astar` | `test_find.py` |\n")
    assert faults(f"{head}{row}\n")
