"""`--replay` of the commands that move units: one page that plays, or a word why not, before any work."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anabasis.studio import bundle
from anabasis.studio.wire import Message, unpack

SCENARIO = """schema = "anabasis/scenario"
schema_version = 1
name = "</script><b>small"
[map]
text = '''
..........
...##.....
..........
'''
[[groups]]
positions = [[0.5, 0.5], [0.5, 2.5]]
target = { x = 8.5, y = 1.5 }
radius = 0.3
"""
MANOEUVRE = """schema = "anabasis/manoeuvre"
schema_version = 1
name = "walk"
limit = 60
[map]
{}
[[formation]]
shape = "column"
units = 2
spacing = 1.0
start = [1.5, 1.5]
[[formation.order]]
places = [[7.5, 1.5]]
"""
MAP = "type octile\nheight 3\nwidth 10\nmap\n" + 3 * "..........\n"
SCEN = "version 1\n0\ta.map\t10\t3\t0\t0\t9\t2\t9\n0\ta.map\t10\t3\t0\t1\t9\t1\t9\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "static").mkdir()
    for name in ("replay.js", "LICENSES.txt"):
        (tmp_path / "static" / name).write_text("play()")
    monkeypatch.setattr(bundle, "STATIC", tmp_path / "static")
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text(SCENARIO)
    Path("a.map").write_text(MAP)
    Path("a.scen").write_text(SCEN)
    Path("a.manoeuvre.toml").write_text(MANOEUVRE.format('file = "a.map"'))
    Path("b.manoeuvre.toml").write_text(MANOEUVRE.format("width = 12\nheight = 4"))
    return tmp_path


def messages() -> list[Message]:
    page = Path("a.html").read_text()
    assert page.lower().count("<script") == 3 and "<b>" not in page
    raw, found = zlib.decompress(base64.b64decode(page.split('base64">')[1].split("<")[0])), []
    while raw:
        (length,) = struct.unpack("<Q", raw[:8])
        found.append(unpack(raw[8 : 8 + length]))
        raw = raw[8 + length :]
    return found


@pytest.mark.parametrize(
    ("words", "units", "name"),
    [
        (("run", "a.toml", "--method", "astar"), 2, "</script><b>small, astar"),
        (("formation", "run", "a.manoeuvre.toml"), 2, "walk"),
        (("mapf", "solve", "a.map", "a.scen", "--method", "pibt"), 2, "a, pibt"),
    ],
)
def test_a_page_that_plays(
    words: tuple[str, ...], units: int, name: str, call_json: Callable[..., tuple[int, Any]]
) -> None:
    code, told = call_json(*words, "--replay", "a.html")
    assert code == 0 and told["replay"] == str(Path("a.html").resolve())
    (draft, _), (run, arrays), (frames, _) = messages()
    assert [draft["kind"], run["kind"], frames["kind"]] == ["draft", "run", "frames"]
    assert run["units"] == units and run["title"] == name and (arrays["arrival"] >= 0).all()
    rows = draft["draft"]["scenario"]["map"]["text"].splitlines()
    assert len(rows) == 3 and {len(row) for row in rows} == {10}


def test_what_can_not_be_played_is_refused_before_the_work(call: Callable[..., Any]) -> None:
    result = call("formation", "run", "b.manoeuvre.toml", "--replay", "a.html")
    assert result.exit_code in (2, 3) and "a map of triangles" in result.output
    Path("static/replay.js").unlink()
    result = call("run", "a.toml", "--replay", "a.html")
    assert result.exit_code in (2, 3) and "not built into this installation" in " ".join(result.output.split())
    result = call("run", "a.toml", "--replay", "a.pdf")
    assert result.exit_code == 2 and not Path("a.html").exists()
