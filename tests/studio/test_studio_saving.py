from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anabasis.errors import InputError
from anabasis.studio.channel import Channel
from anabasis.studio.documents import canonical
from anabasis.studio.opening import opened
from anabasis.studio.saving import save_draft
from anabasis.studio.wire import unpack
from anabasis.studio.workspace import SAVED

TEXT = "............\n..@@....S...\n....f.......\n............\n............\n............"


def draft(**parts: Any) -> dict[str, Any]:
    """A draft with a map and whatever else is given."""
    scenario = {"name": "six rows", "note": 'a "note"\nof two lines \\', "seed": 7, "map": {"text": TEXT}}
    scenario |= parts.pop("scenario", {})
    return json.loads(json.dumps(canonical({"scenario": scenario, **parts})))


GROUPS = [
    {"name": "blue ]", "positions": [[1.5, 1.5], [1, 3.25]], "target": {"x": 9.5, "y": 3, "radius": 1.5}},
    {"name": "", "positions": [[5.5, 4.5]], "target": {"x": 1, "y": 1, "radius": 2}, "movement": "amphibious"},
]
for _group in GROUPS:
    _group |= {"radius": 0.4, "speed": 0.12}
CHANGES = [{"step": 30, "terrain": "@", "cells": [[5, 0], [5, 1]]}, {"step": 60, "terrain": ".", "cells": [[5, 0]]}]
WHOLE = draft(
    scenario={
        "groups": GROUPS,
        "changes": CHANGES,
        "limits": {"steps": 900},
        "steering": {"rays": 7, "replanning": False},
    }
)
AGENTS = [{"start": [0, 0], "goal": [9, 5]}, {"start": [1, 0], "goal": [8, 5]}]
FORMATION = {
    "name": "wedge ]]",
    "shape": "column",
    "units": 4,
    "spacing": 1.5,
    "start": [3.5, 4.5],
    "azimuth": 90,
    "order": [{"places": [[6.5, 4.5], [9.5, 4.5]]}, {"places": [[2.5, 2.5]], "time": 20.5}],
    "modules": {"planning": "bends", "bend": 15.0},
}


def reopened(path: Path) -> dict[str, Any]:
    sent: list[bytes] = []
    opened(path, path.name, Channel("j", sent.append))
    return next(head["draft"] for head, _ in map(unpack, sent) if head["kind"] == "draft")


@pytest.mark.parametrize("name", ["a.scenario.toml", "a.npz"])
def test_a_scenario_comes_back(name: str, tmp_path: Path) -> None:
    assert save_draft(WHOLE, tmp_path / name) == []
    assert reopened(tmp_path / name) == WHOLE


@pytest.mark.parametrize("ending", SAVED)
def test_every_ending_of_the_page_is_written(ending: str, tmp_path: Path) -> None:
    save_draft({**WHOLE, "agents": AGENTS, "formations": [FORMATION]}, tmp_path / f"a{ending}")
    rows = reopened(tmp_path / f"a{ending}")["scenario"]["map"]["text"].split()
    assert [[cell in "@#" for cell in row] for row in rows] == [[cell == "@" for cell in row] for row in TEXT.split()]


def test_what_a_scenario_file_has_no_room_for_is_said(tmp_path: Path) -> None:
    told = save_draft(
        {**WHOLE, "agents": AGENTS, "ends": {"start": [0, 0], "goal": None}}, tmp_path / "a.scenario.toml"
    )
    assert told == ["start and goal of the one unit", "the agents"]
    assert reopened(tmp_path / "a.scenario.toml") == WHOLE


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("six rows.txt", TEXT, ["the note"]),
        ("six rows.npz", TEXT, ["the note"]),
        (
            "six rows.map",
            TEXT.replace("f", "."),
            ["the note", "terrain other than of Moving AI maps: the nearest that they have stands there"],
        ),
        ("six rows.png", TEXT.replace("f", ".").replace("S", "."), ["the note", "terrain other than ground and wall"]),
    ],
)
def test_a_map_comes_back(name: str, text: str, told: list[str], tmp_path: Path) -> None:
    assert save_draft(draft(), tmp_path / name) == told
    back = reopened(tmp_path / name)
    assert back == draft(scenario={"map": {"text": text}, "note": "", "seed": 0})


def test_agents_come_back_with_their_map(tmp_path: Path) -> None:
    plain = draft(scenario={"map": {"text": TEXT.replace("f", ".")}, "note": "", "seed": 0}, agents=AGENTS)
    plain["ends"] = {"start": [0, 0], "goal": [9, 5]}
    assert save_draft(plain, tmp_path / "six rows.scen") == []
    assert (tmp_path / "six rows.map").is_file()
    assert reopened(tmp_path / "six rows.scen") == plain
    rows = (tmp_path / "six rows.scen").read_text().splitlines()
    assert rows[1].split("\t")[-1] == f"{5 * 2**0.5 + 4:.8f}"


def test_ends_alone_are_a_row_and_a_goal_out_of_reach_is_refused(tmp_path: Path) -> None:
    walled = draft(scenario={"map": {"text": ".@.\n.@."}, "note": ""}, ends={"start": [0, 0], "goal": [0, 1]})
    assert save_draft(walled, tmp_path / "a.scen") == []
    assert reopened(tmp_path / "a.scen")["ends"] == walled["ends"]
    walled["ends"]["goal"] = [2, 0]
    with pytest.raises(InputError, match="can't be reached"):
        save_draft(walled, tmp_path / "b.scen")
    assert not (tmp_path / "b.scen").exists()


def test_formations_come_back_with_their_map(tmp_path: Path) -> None:
    plain = draft(formations=[FORMATION], scenario={"seed": 0})
    assert save_draft(plain, tmp_path / "a.manoeuvre.toml") == []
    assert (tmp_path / "a.txt").read_text().startswith("......")
    assert reopened(tmp_path / "a.manoeuvre.toml") == plain


@pytest.mark.parametrize(
    ("name", "given", "problem"),
    [
        ("a.scenario.toml", draft(), "a scenario without groups"),
        ("a.scen", draft(), "neither agents nor start and goal"),
        ("a.manoeuvre.toml", draft(), "no formation"),
        ("a.tmj", WHOLE, "unknown kind of file"),
        ("a.map", {"scenario": {"map": {"text": "..\n."}}}, "wrong length"),
        ("a.map", [], "not a draft"),
    ],
)
def test_what_can_not_be_saved_is_refused_and_nothing_is_written(
    name: str, given: Any, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=problem):
        save_draft(given, tmp_path / name)
    assert not list(tmp_path.iterdir())
