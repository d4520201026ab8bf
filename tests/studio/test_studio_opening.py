from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import anabasis
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.io.archive import save
from anabasis.io.plan_files import save_plan
from anabasis.lab.compare import compare
from anabasis.lab.store import Store
from anabasis.lab.suite import Suite
from anabasis.mapf.prioritized import prioritized
from anabasis.orders import execute, plan_groups
from anabasis.scenario import Group, Scenario, Target
from anabasis.studio.channel import Channel
from anabasis.studio.opening import opened
from anabasis.studio.wire import Message, unpack

DATA = Path(anabasis.__file__).parent / "data"
TEXT = "........\n..@@....\n....3...\n........"
SCEN = "version 1\n" + "".join(f"0\ta.map\t8\t4\t{k}\t0\t{7 - k}\t3\t9\n" for k in (0, 1, 2, 0))


def said(path: Path, name: str | None = None) -> list[Message]:
    sent: list[bytes] = []
    opened(path, name or path.name, Channel("j", sent.append))
    return [unpack(data) for data in sent]


def kinds(messages: list[Message]) -> list[str]:
    return [head["kind"] for head, _ in messages]


def one(messages: list[Message], kind: str) -> dict[str, Any]:
    return next(head for head, _ in messages if head["kind"] == kind)


def facts(messages: list[Message]) -> dict[str, Any]:
    return {row[0]: row[1] for head, _ in messages if head["kind"] == "facts" for row in head["rows"]}


def scenario() -> Scenario:
    group = Group(np.array([[0.5, 0.5], [0.5, 2.5]]), Target(7.5, 3.5, 1.0), radius=0.3, name="two")
    return Scenario(Grid.from_text(TEXT.replace("3", ".")), (group,), name="small")


@pytest.mark.parametrize("name", ["a.map", "a.txt", "a.png", "a.npz"])
def test_maps_become_drafts(name: str, tmp_path: Path) -> None:
    grid = Grid.from_text(TEXT.replace("3", "."))
    anabasis.save(grid, tmp_path / name)
    messages = said(tmp_path / name, "<b>dropped<i>.map")
    draft = one(messages, "draft")["draft"]
    assert draft["scenario"]["map"] == {"text": TEXT.replace("3", ".")}
    assert draft["scenario"]["name"] == "<b>dropped<i>" and facts(messages)["cells"] == "8 × 4"
    assert draft["scenario"]["groups"] == draft["agents"] == draft["formations"] == []


def test_prices_that_no_letter_has_are_rounded_and_said(tmp_path: Path) -> None:
    save(Grid(np.array([[1.0, 2.4, np.inf]]), np.array([[46, 46, 64]], np.uint8)), tmp_path / "a.npz")
    messages = said(tmp_path / "a.npz")
    assert one(messages, "draft")["draft"]["scenario"]["map"]["text"] == "12@"
    assert "prices other than 1 to 9" in facts(messages)["left out"]


@pytest.mark.parametrize("file", sorted(DATA.glob("*.scenario.toml")), ids=lambda file: file.name)
def test_scenarios_that_ship_open_as_what_they_are(file: Path) -> None:
    from anabasis.io.scenario import load_scenario
    from anabasis.noun import state_hash
    from anabasis.studio.drafts import scenario_of

    assert state_hash(scenario_of(one(said(file), "draft")["draft"])) == state_hash(load_scenario(file))


@pytest.mark.parametrize("file", sorted((DATA / "manoeuvres").glob("*.toml")), ids=lambda file: file.name)
def test_manoeuvres_that_ship_open(file: Path) -> None:
    messages = said(file)
    on_cells = "file" in file.read_text().split("[[formation]]")[0].split("[map]")[1]
    assert kinds(messages) == (["draft", "facts"] if on_cells else ["facts", "scene"])


def test_starts_and_goals_with_their_map(tmp_path: Path) -> None:
    (tmp_path / "a.map").write_text("type octile\nheight 4\nwidth 8\nmap\n" + TEXT.replace("3", ".") + "\n")
    (tmp_path / "b.scen").write_text(SCEN)
    messages = said(tmp_path / "b.scen")
    draft = one(messages, "draft")["draft"]
    assert [agent["start"] for agent in draft["agents"]] == [[0, 0], [1, 0], [2, 0]]
    assert draft["ends"] == {"start": [0, 0], "goal": [7, 3]}
    assert facts(messages)["agents"].startswith("3 of 4 rows")
    (tmp_path / "a.map").unlink()
    with pytest.raises(InputError, match=r"^b\.scen: the map of this scenario is not beside it; found no a\.map"):
        said(tmp_path / "b.scen")


@pytest.mark.parametrize("name", ["plan.txt", "plan.json", "plan.csv", "plan.npz"])
def test_plans_of_the_field_are_played(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.map").write_text("type octile\nheight 4\nwidth 8\nmap\n" + TEXT.replace("3", ".") + "\n")
    (tmp_path / "b.scen").write_text("".join(SCEN.splitlines(keepends=True)[:4]))
    grid = Grid.from_text(TEXT.replace("3", "."))
    instance = Instance.of(grid, [0, 1, 2], [31, 30, 29])
    plan = prioritized(instance, seed=0).value
    assert plan is not None
    save_plan(tmp_path / name, instance, plan)
    messages = said(tmp_path / name)
    assert [kind for kind in kinds(messages) if kind != "facts"] == ["draft", "scene", "run", "frames"]
    assert one(messages, "run")["units"] == 3 and facts(messages)["faults"] == 0
    places = messages[-1][1]["positions"]
    assert places[0].tolist() == [[0.5, 0.5], [1.5, 0.5], [2.5, 0.5]] and places[-1, 0].tolist() == [7.5, 3.5]


def test_a_plan_of_nobody_is_refused(tmp_path: Path) -> None:
    (tmp_path / "plan.txt").write_text("agents=1\nsolution=\n0:(0,0),\n")
    with pytest.raises(InputError, match=r"whose plan this is can't be told.*a \.scen named like it, and its map"):
        said(tmp_path / "plan.txt")


def test_a_trace_is_played_with_the_scenario_beside_it(tmp_path: Path) -> None:
    task = scenario()
    trace = execute(task, "astar", plan_groups(task, "astar", seed=0), seed=0)
    save(trace, tmp_path / "small.npz")
    assert kinds(said(tmp_path / "small.npz")) == ["facts", "run", "frames"]
    anabasis.save(task, tmp_path / "small.toml")
    messages = said(tmp_path / "small.npz")
    assert kinds(messages) == ["draft", "facts", "run", "frames"]
    assert one(messages, "run")["targets"] == [[7.5, 3.5, 1.0]] and facts(messages)["hash"] == trace.hash


def test_results_are_a_table_also_while_they_grow(tmp_path: Path) -> None:
    folder = tmp_path / "small.run"
    suite = Suite.of([scenario()], ["astar", "vector-field"], 2)
    compare(suite, folder)
    table = one(said(folder), "table")
    assert table["columns"][:4] == ["scenario", "method", "seed", "status"] and table["columns"][-1] == "trace"
    assert (table["done"], table["total"], table["folder"]) == (4, 4, "small.run")
    traces = [row[-1] for row in table["rows"]]
    assert [trace is None for trace in traces] == [False, True, False, True]
    messages = said(folder / traces[0])
    assert kinds(messages)[:2] == ["draft", "facts"] and one(messages, "run")["steps"] > 0
    begun = tmp_path / "begun.run"
    with Store.open(begun, suite, task="anabasis.lab.trial:run_trial", resume=False) as store:
        from anabasis.lab.store import read_rows

        rows = read_rows(folder)
        store.add(rows[0].run, rows[0].outcome)
        table = one(said(begun), "table")
        assert (table["done"], table["total"], len(table["rows"])) == (1, 4, 1)


def _nouns() -> ModuleType:
    file = Path(__file__).parents[1] / "io" / "nouns.py"
    spec = importlib.util.spec_from_file_location("nouns_for_studio", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NOUNS = _nouns().examples()
PARTS = (
    "change counters formation formation_plan group kinematics limits modules order rules search_trace steering target"
)
REFUSED = {"movement_class", "plan", "recipe", "result_partial", "schema", "site", "unit_order", *PARTS.split()}
"""A plan of vertices needs its map; the others are no pictures."""


@pytest.mark.parametrize("name", sorted(NOUNS))
def test_every_noun_is_shown_or_refused_in_words(name: str, tmp_path: Path) -> None:
    save(NOUNS[name], tmp_path / f"{name}.npz")
    try:
        messages = said(tmp_path / f"{name}.npz")
    except InputError as error:
        assert str(error).startswith(f"{name}.npz: ")
        shown = False
    else:
        shown = bool({"draft", "run", "scene"} & set(kinds(messages))) or "reason" in facts(messages)
    assert shown == (name not in REFUSED)


@pytest.mark.parametrize("name", ["a.map", "a.toml", "a.npz", "a.scen", "a.wkt", "a.json", "a.csv", "a.run", "a"])
def test_errors_name_the_file_as_the_user_does(name: str, tmp_path: Path) -> None:
    place = tmp_path / f"3f2a{Path(name).suffix}"
    if name.endswith(".run"):
        place.mkdir()
    else:
        place.write_text("{}\n")
    with pytest.raises(InputError) as caught:
        said(place, name)
    assert str(caught.value).startswith(f"{name}:") and "3f2a" not in str(caught.value)
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    with pytest.raises(InputError, match=r"can't be read|no results folder"):
        said(place, name)


@pytest.mark.parametrize("name", ["README", "a.xyz", "photo.jpg"])
def test_words_are_no_map_unless_the_name_says_so(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("hi")
    with pytest.raises(InputError, match=rf"{name}: unknown kind of file; found .*NAME\.txt"):
        said(tmp_path / name)
    (tmp_path / name).with_suffix(".txt").write_text("hi")
    assert one(said((tmp_path / name).with_suffix(".txt")), "draft")["draft"]["scenario"]["map"]["text"] == "hi"


def test_a_manoeuvre_is_loaded_in_one_line(tmp_path: Path) -> None:
    file = next((DATA / "manoeuvres").glob("*.toml"))
    assert anabasis.load(file).units > 0
    (tmp_path / "a.json").write_text(json.dumps({"agents": 3}))
    with pytest.raises(InputError, match="expected a map of Tiled or LDtk"):
        anabasis.load(tmp_path / "a.json")


def test_a_draft_that_the_page_wrote_comes_back(tmp_path: Path) -> None:
    draft = one(said(next(DATA.glob("*.scenario.toml"))), "draft")["draft"]
    (tmp_path / "a.draft.json").write_text(json.dumps(draft))
    assert one(said(tmp_path / "a.draft.json"), "draft")["draft"] == draft
    (tmp_path / "a.draft.json").write_text('{"scenario": {"map": {"text": "..\\n."}}}')
    with pytest.raises(InputError, match=r"^a\.draft\.json: .*wrong length"):
        said(tmp_path / "a.draft.json")
