"""Every Python example of the README and of the guides runs, one after the other within a page."""

import re
import shlex
from pathlib import Path

import matplotlib as mpl
import pytest
from typer.testing import CliRunner

import anabasis
from anabasis.cli.app import app

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mpl.use("Agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("anabasis.view.show.show", lambda scene: None)  # no window in a test
    walls = [[0] * 34 for _ in range(34)]
    rows = "\n".join("".join("@" if c else "." for c in row) for row in walls)
    Path("arena.map").write_text(f"type octile\nheight 34\nwidth 34\nmap\n{rows}\n", encoding="ascii")
    for scenario in blocks(page, "toml"):
        Path("gap.toml").write_text(scenario, encoding="utf-8")
    names: dict[str, object] = {}
    examples = blocks(page, "python")
    assert examples
    for example in examples:
        exec(compile(example, f"{page.name}", "exec"), names)  # noqa: S102 - our own pages


def commands(page: Path) -> list[list[str]]:
    """Return the arguments of each indented line that calls the command line."""
    found = re.findall(r"^    anabasis (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [shlex.split(line) for line in found]


def call(arguments: list[str]) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, f"{' '.join(arguments)}: {result.output}"
    return result.stdout


def test_commands_of_the_guide_to_flow_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but those that take minutes and have tests of their own; of these, the options exist."""
    page = ROOT / "docs" / "guides" / "flow.md"
    monkeypatch.chdir(tmp_path)
    Path("gap.toml").write_text(blocks(page, "toml")[0], encoding="utf-8")
    anabasis.save(anabasis.load("gap.toml").grid, "pass.map")  # as the page's Python does
    for arguments in commands(page):
        if arguments[0] not in ("calibrate", "study"):
            call(arguments)
            continue
        options = [word for word in arguments if word.startswith("--")]
        name = arguments[: 1 + (arguments[0] == "study")]
        assert set(options) <= set(call([*name, "--help"]).split())
    assert {"field.png", "split.png", "gates.png", "gap.run"} <= {file.name for file in tmp_path.iterdir()}
