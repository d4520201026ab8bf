"""Every request in words does what its job did: both texts are executed."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from studio_cases import Said
from typer.testing import CliRunner

from anabasis.cli.app import app
from anabasis.errors import InputError
from anabasis.studio import jobs
from anabasis.studio.channel import Channel
from anabasis.studio.commands import as_command
from anabasis.studio.programs import as_python
from anabasis.studio.wire import Message, unpack
from anabasis.studio.words import files_for

TEXT = "................\n....@@..........\n....@@...S......\n.........S......\n....@@..........\n................"
DRAFT: dict[str, Any] = {
    "scenario": {
        "schema": "anabasis/scenario",
        "schema_version": 1,
        "name": "it's a $(draft) `x`",
        "note": "",
        "seed": 4,
        "map": {"text": TEXT},
        "groups": [
            {
                "name": "",
                "positions": [[1.5, 1.5], [1.5, 3.5], [2.5, 2.5]],
                "target": {"x": 13.5, "y": 3.5, "radius": 1.5},
                "radius": 0.4,
                "speed": 0.2,
            }
        ],
        "changes": [],
        "limits": {"steps": 3000},
        "steering": {},
    },
    "ends": {"start": [1, 2], "goal": [14, 3]},
    "agents": [{"start": [0, k], "goal": [15, 5 - k]} for k in range(4)],
    "formations": [
        {
            "shape": "column",
            "units": 3,
            "spacing": 1.0,
            "start": [3.5, 3.5],
            "azimuth": 90,
            "order": [{"places": [[12.5, 3.5]]}],
            "modules": {},
        }
    ],
}
CASES = [
    ("group", {"method": "astar", "seed": 7}, "hash"),
    ("group", {}, "hash"),
    ("search", {"method": "astar", "options": {"weight": 1.5, "corners": "loose"}}, "cost"),
    ("search", {"method": "astar", "options": {"shorten": True}}, "cost"),
    (
        "search",
        {"method": "astar", "options": {"space": "square-8", "ends": "nearest"}, "space_options": {"edge": 0.5}},
        "cost",
    ),
    ("search", {"method": "rrt", "options": {"step": 1.0}, "seed": 3}, "cost"),
    ("space", {"method": "square-8", "options": {"edge": 0.5, "radius": 0.25}}, "states"),
    (
        "drive",
        {"options": {"axle": 0.5, "heading": 0.0, "heading_at_goal": 90.0, "radius": 0.2}, "seed": 5},
        "duration",
    ),
    ("mapf", {"method": "pibt", "options": {"vanish": True}}, "sum of costs"),
    ("mapf", {"method": "cbs", "options": {"corridor": False}}, "sum of costs"),
    ("formation", {"options": {"limit": 60.0}}, "hash"),
    ("formation", {"method": "simulate", "options": {"divide": True, "limit": 90.0}}, "hash"),
]
JSON = {"hash": "hash", "cost": "cost", "duration": "duration", "sum of costs": "sum_of_costs", "states": "states"}


def fact(do: str, args: dict[str, Any], name: str) -> Any:
    sent: list[bytes] = []
    jobs.job(do).run(args, Channel("j", sent.append))
    messages: list[Message] = [unpack(data) for data in sent]
    rows = [row for head, _ in messages if head["kind"] == "facts" for row in head["rows"]]
    return next(row[1] for row in rows if row[0] == name)


@pytest.mark.parametrize(("do", "request_", "name"), CASES, ids=[f"{do}-{k}" for k, (do, _, _) in enumerate(CASES)])
def test_both_texts_give_what_the_job_gave(
    do: str, request_: dict[str, Any], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    args = {"draft": DRAFT, **request_}
    expected = fact(do, args, name)
    monkeypatch.chdir(tmp_path)
    words = shlex.split(as_command(do, args))
    assert words[0] == "anabasis"
    stem = files_for(do, DRAFT)[0].split(".")[0]
    for file in files_for(do, DRAFT):
        head, arrays = Said("export", {"draft": DRAFT, "format": "draft", "name": file}).one("file")
        assert head["name"] == file
        assert file in words or (do, file[-4:]) == ("formation", ".txt")  # the manoeuvre file names its map
        assert head["notes"][:1] == [f"the map, which it reads from {stem}.txt"] or not file.endswith(".manoeuvre.toml")
        (tmp_path / file).write_bytes(arrays["data"].tobytes())
    result = CliRunner().invoke(app, [*words[1:], "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    found |= found.get("stats", {}) | (found["spaces"][0] if "spaces" in found else {})
    assert found[JSON[name]] == expected
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(as_python(do, args), "words.py", "exec"), {"__name__": "__main__"})  # noqa: S102
    assert re.search(rf"\b{re.escape(str(expected))}\b", printed.getvalue()), printed.getvalue()


@pytest.mark.parametrize("name", ["'; import os #", '"""', "$(touch x)", "a/../../b", "", "ü\n\x00"])
def test_no_name_gets_into_the_texts(name: str) -> None:
    draft = {**DRAFT, "scenario": {**DRAFT["scenario"], "name": name}}
    for do in ("group", "search", "mapf"):
        assert re.fullmatch(r"[A-Za-z0-9_-]+(\.scenario\.toml|\.txt|\.scen)", files_for(do, draft)[-1])
        compile(as_python(do, {"draft": draft}), "words.py", "exec")
        assert "\n" not in as_command(do, {"draft": draft})


def test_options_are_checked_as_the_job_does() -> None:
    with pytest.raises(InputError, match="unknown option"):
        as_command("search", {"draft": DRAFT, "options": {"wait": 3}})
    with pytest.raises(InputError, match="what can be said in words"):
        as_python("live", {"draft": DRAFT})


def test_the_job_gives_both() -> None:
    sent: list[bytes] = []
    args = {"do": "group", "request": {"method": "astar", "seed": 2}, "draft": DRAFT}
    jobs.job("words").run(args, Channel("j", sent.append))
    (head, _) = unpack(sent[0])
    assert head["kind"] == "words" and head["command"] == f"anabasis run {head['files'][0]} --method astar --seed 2"
    assert head["python"].count(repr(head["files"][0])) == 1
