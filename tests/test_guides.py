"""Every Python example of the README and of the guides runs, one after the other within a page."""

import re
from pathlib import Path

import matplotlib as mpl
import pytest

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
