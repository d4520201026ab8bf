"""Examples and commands of the README and of the guides run, in the order of the page, and give its numbers."""

import json
import re
import shlex
import shutil
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import matplotlib as mpl
import pytest
from typer.testing import CliRunner

import anabasis
from anabasis.cli.app import app
from anabasis.cli.files import example
from anabasis.generators import FAMILIES, GENERATORS
from anabasis.instance import FEATURES
from anabasis.lab.compare import read_comparison
from anabasis.mapf.turn_files import load_session
from anabasis.methods import METHODS
from anabasis.studio.workspace import KINDS, SAVED

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]

_SIDE, _TILES = {"width": 48, "height": 24}, {"tilewidth": 8, "tileheight": 8}
_WALLS = {"type": "tilelayer", "name": "walls", **_SIDE, "data": [0] * (48 * 24)}
_LEVEL = {"__type": "IntGrid", "__identifier": "walls", "__cWid": 48, "__cHei": 24, "__gridSize": 8}
TOWNS = {
    "town.tmj": {
        "type": "map",
        "orientation": "orthogonal",
        **_SIDE,
        "tilewidth": 8,
        "tileheight": 8,
        "layers": [_WALLS],
    },
    "town.ldtk": {
        "jsonVersion": "1.5.4",
        "levels": [{"identifier": "Town", "layerInstances": [{**_LEVEL, "intGridCsv": [0] * (48 * 24)}]}],
    },
}


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def save_files(page: Path) -> None:
    """Write the files that a page asks for, as it says: a scenario, the same with more lines, and a map of its own."""
    gap, *more = blocks(page, "toml") or [""]
    Path("gap.toml").write_text(gap, encoding="utf-8")
    for lines in more:
        Path("two.toml").write_text(f"{gap}\n{lines}", encoding="utf-8")
    rows = "\n".join(["." * 34] * 34)
    Path("arena.map").write_text(f"type octile\nheight 34\nwidth 34\nmap\n{rows}\n", encoding="ascii")
    for name, town in TOWNS.items():
        Path(name).write_text(json.dumps(town), encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mpl.use("Agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("anabasis.view.show.show", lambda scene: None)  # no window in a test
    save_files(page)
    names: dict[str, object] = {}
    examples = blocks(page, "python")
    assert examples
    for code in examples:
        exec(compile(code, f"{page.name}", "exec"), names)  # noqa: S102 - our own pages


def test_the_manoeuvre_of_the_guide_is_the_one_that_ships() -> None:
    (text,) = blocks(ROOT / "docs" / "guides" / "formations.md", "toml")
    assert text == (ROOT / "src" / "anabasis" / "data" / "manoeuvres" / "gate.manoeuvre.toml").read_text("utf-8")


def commands(page: Path) -> list[list[str]]:
    """Return the arguments of each line that calls the command line: indented, or in a block without a language."""
    text = page.read_text(encoding="utf-8")
    lines = re.findall(r"^    anabasis (.*)$", text, re.MULTILINE)
    for block in re.findall(r"^```\n(.*?)^```", re.sub(r"^```\w+\n.*?^```", "", text, flags=re.M | re.S), re.M | re.S):
        lines += re.findall(r"^anabasis (.*)$", block, re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines]


def call(arguments: list[str], script: str = "") -> str:
    result = CliRunner().invoke(app, arguments, input=script)
    assert result.exit_code == 0, f"{' '.join(arguments)}: {result.output}"
    return result.stdout


def run_commands(page: Path, script: str = "") -> None:
    """Run all commands but those that take minutes, or go on until Ctrl-C, and have tests of their own.

    Of these, the options exist.

    script: what is typed where a command asks.
    """
    for arguments in commands(page):
        if arguments[0] not in ("calibrate", "study", "demo", "gallery", "studio", "view"):
            call(arguments, script)
            continue
        options = [word for word in arguments if word.startswith("--")]
        name = arguments[: 1 + (arguments[0] == "study")]
        assert set(options) <= set(call([*name, "--help"]).split())


def steps_of(folder: str) -> dict[str, float]:
    """Return the median arrival of the last unit for each method of a comparison."""
    return {entry.method: entry.steps for entry in read_comparison(folder).entries if entry.steps is not None}


def number(text: str) -> float:
    return float(text.replace(",", ""))


def test_commands_of_the_guide_to_flow_run_and_give_its_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ROOT / "docs" / "guides" / "flow.md"
    monkeypatch.chdir(tmp_path)
    save_files(page)
    anabasis.save(anabasis.load("gap.toml").grid, "pass.map")  # as the page's Python does
    run_commands(page)
    assert {"field.png", "split.png", "gates.png", "network.png"} <= {file.name for file in tmp_path.iterdir()}
    told = re.findall(r"^\| `([\w-]+)` \| ([\d,]+) \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    for rows, folder in ((told[:-2], "gap.run"), (told[-2:], "two.run")):
        found = steps_of(folder)
        assert {method for method, _ in rows} == set(found)
        for method, steps in rows:
            assert found[method] == pytest.approx(number(steps), rel=0.03), f"{method} in {folder}"


def test_commands_of_the_guide_to_planning_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs" / "guides" / "planning.md"
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks(page, "python")[0], page.name, "exec"), {})  # noqa: S102 - makes the picture of the page
    run_commands(page)
    assert {"steps.png", "theta.trace.json"} <= {file.name for file in tmp_path.iterdir()}


def test_commands_of_the_guide_to_maps_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs" / "guides" / "maps.md"
    monkeypatch.chdir(tmp_path)
    save_files(page)
    run_commands(page)
    written = {"island.map", "island.png", "zones.png", "sheet.png", "heights.png", "maze.map.scen", "path.png"}
    assert written <= {file.name for file in tmp_path.iterdir()}


def test_commands_of_the_guide_to_many_agents_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs" / "guides" / "many-agents.md"
    monkeypatch.chdir(tmp_path)
    run_commands(page)
    written = {"plan.txt", "agents.gif", "ways.png", "traffic.png"}
    assert written <= {file.name for file in tmp_path.iterdir()}
    assert (tmp_path / "halls.run" / "report.html").exists()


def test_commands_of_the_guide_to_changing_worlds_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs" / "guides" / "changing-worlds.md"
    monkeypatch.chdir(tmp_path)
    run_commands(page, "move A 19 19\nend\nsave game.json\nquit\n")
    session = load_session("game.json")
    assert session.turn == 1
    assert session.unit("A").place != session.place(0, 0)


def test_commands_of_the_guide_to_formations_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs" / "guides" / "formations.md"
    run_commands(page)
    made = {"canyon.png", "march.png", "march.gif", "bend.csv", "bend.png", "integral.csv", "wedge.png"}
    assert made <= {file.name for file in tmp_path.iterdir()}
    (gate,) = blocks(page, "toml")
    (tmp_path / "gate.toml").write_text(gate, encoding="utf-8")
    assert "gate: 9 of 9 units have arrived" in call(["formation", "run", "gate.toml"])


def test_the_guide_to_the_studio_is_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs" / "guides" / "studio.md"
    monkeypatch.chdir(tmp_path)
    run_commands(page)
    text = page.read_text(encoding="utf-8")
    pictures = re.findall(r"\]\(\.\./images/(studio-[\w-]+\.png)\)", text)
    assert sorted(pictures) == sorted(file.name for file in (ROOT / "docs" / "images").glob("studio-*.png"))
    endings = set(re.findall(r"`(\.[\w.]+)`", text.split("### Files")[1].split("\n## ")[0]))
    assert set(SAVED) <= endings <= {*KINDS, ".csv"}


def test_the_guide_to_maps_names_all_generators_by_family_and_their_modules() -> None:
    text = (ROOT / "docs" / "guides" / "maps.md").read_text(encoding="utf-8")
    for family in FAMILIES:
        row = re.search(rf"^\| `{family}` \| .*? \| (.*) \|$", text, re.MULTILINE)
        assert row
        assert re.findall(r"`([\w-]+)`", row[1]) == [one.name for one in GENERATORS if one.family == family]
    folder = ROOT / "src" / "anabasis" / "maps"
    rows = re.search(r"functions in `anabasis\.maps` \|\n(.*?)\n\n", text, re.DOTALL)
    assert rows
    for line in rows[1].splitlines()[1:]:
        package = ""
        for name in re.findall(r"`([\w.]+)`", line):
            *before, module = name.split(".")
            package = before[0] if before else package
            assert (folder / package / f"{module}.py").is_file(), name


def test_cards_name_all_methods_by_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import_module("method_cards").write_cards(SimpleNamespace(srcdir=str(tmp_path)))
    _, *cards = (tmp_path / "methods.md").read_text(encoding="utf-8").split("\n### ")
    families = list(dict.fromkeys(row.family for row in METHODS))
    rows = [row for family in families for row in METHODS if row.family == family]
    assert [card.split("\n")[0] for card in cards] == [row.name for row in rows]
    for row, text in zip(rows, cards, strict=True):
        card = text.split("\n## ")[0]
        assert row.source in card
        assert ("bit by bit" in card) == bool(row.stepwise)
        assert ("times the best" in card) == row.bounded
        assert all(FEATURES[name] in card for name in row.can), row.name


def test_cards_name_all_generators_with_their_parameters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import_module("generator_cards").write_cards(SimpleNamespace(srcdir=str(tmp_path)))
    head, *cards = (tmp_path / "generators.md").read_text(encoding="utf-8").split("\n### ")
    assert [card.split("\n")[0] for card in cards] == [row.name for row in GENERATORS]
    shared = re.findall(r"^\| `(\w+)` \| `", head, re.MULTILINE)
    for row, card in zip(GENERATORS, cards, strict=True):
        own = re.findall(r"^\| `(\w+)` \| `", card.split("\n## ")[0], re.MULTILINE)
        assert sorted([*own, *(shared if row.family == "world" else [])]) == sorted(p.name for p in row.parameters)
        assert row.source in card
        for name, value in re.findall(r"`(\w+)=([\w.]+)`", "".join(re.findall(r"other defaults: (.*)", card))):
            parameter = next(p for p in row.parameters if p.name == name)
            assert parameter.check(value, row.name) == parameter.default


def test_commands_of_the_readme_run_and_give_its_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "README.md"
    monkeypatch.chdir(tmp_path)
    mpl.use("Agg")
    save_files(page)
    Path("demo").mkdir()
    shutil.copy(example("chokepoint"), "demo/chokepoint.scenario.toml")  # as `make demo` does
    run_commands(page)
    assert {"gap.png", "split.png", "path.png", "routes.png"} <= {file.name for file in tmp_path.iterdir()}
    assert (tmp_path / "gap.run" / "report.html").exists()
    told = re.search(
        r"at step (\d+), the median of ten\s+seeds; with `flow-taut`.*?at step (\d+)\.", page.read_text(), re.S
    )
    assert told
    found = steps_of("gap.run")
    assert (found["astar"], found["flow-taut"]) == (
        pytest.approx(number(told[1]), rel=0.03),
        pytest.approx(number(told[2]), rel=0.03),
    )
