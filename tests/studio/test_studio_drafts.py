from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from studio_cases import draft

from anabasis.errors import InputError
from anabasis.instance import Rules
from anabasis.studio.drafts import (
    ends_of,
    grid_of,
    groups_without_units,
    instance_of,
    manoeuvre_of,
    numbers_of,
    scenario_of,
)

ALL: tuple[Callable[[Any], object], ...] = (
    scenario_of,
    grid_of,
    lambda said: ends_of(said, grid_of(said)),
    lambda said: instance_of(said, Rules()),
    manoeuvre_of,
)


def test_a_draft_as_nouns() -> None:
    said = draft()
    scenario, grid = scenario_of(said), grid_of(said)
    assert (scenario.name, scenario.size, scenario.seed, grid.width, grid.height) == ("wall", 12, 3, 24, 12)
    assert not grid.is_free(11, 5) and grid.is_free(11, 7)
    ends = ends_of(said, grid)
    assert (ends.start, ends.goal) == ((2, 9), (20, 9))
    instance = instance_of(said, Rules())
    assert instance.starts.tolist() == [grid.vertex(1, 1), grid.vertex(20, 1), grid.vertex(2, 8)]
    assert instance.goals.tolist() == [grid.vertex(20, 1), grid.vertex(1, 1), grid.vertex(21, 8)]
    manoeuvre = manoeuvre_of(said, limit=12.0)
    assert (manoeuvre.units, manoeuvre.limit, manoeuvre.formations[0].name) == (6, 12.0, "f")
    assert manoeuvre.formations[0].start == (4.5, 6.5)


def test_units_become_agents_where_there_are_none() -> None:
    said = draft()
    said["agents"] = []
    said["scenario"]["groups"] = [
        {"target": {"x": 20.5, "y": 6.5}, "positions": [[2.2, 2.2], [2.8, 2.8], [3.5, 2.5]], "radius": 0.2},
        {"target": {"x": 20.5, "y": 6.5}, "positions": [[5.5, 5.5]]},
    ]
    instance, grid = instance_of(said, Rules()), grid_of(said)
    starts = [grid.cell(vertex) for vertex in instance.starts.tolist()]
    assert starts[0] == (2, 2) and starts[2:] == [(3, 2), (5, 5)] and len(set(starts)) == 4
    assert abs(starts[1][0] - 2) + abs(starts[1][1] - 2) == 1
    goals = [grid.cell(vertex) for vertex in instance.goals.tolist()]
    assert goals[0] == (20, 6) and len(set(goals)) == 4
    assert all(abs(x - 20) + abs(y - 6) <= 1 for x, y in goals)


def test_cells_around_a_target_are_those_in_reach() -> None:
    said = draft()
    said["agents"] = []
    said["scenario"]["map"]["text"] = "....#.\n....#.\n....##\n......"
    said["scenario"]["groups"] = [{"target": {"x": 5.5, "y": 0.5, "radius": 1}, "positions": [[0.5, 0.5], [1.5, 0.5]]}]
    assert sorted(instance_of(said, Rules()).goals.tolist()) == [5, 11]
    said["scenario"]["groups"][0]["positions"].append([2.5, 0.5])
    with pytest.raises(InputError, match=r"too few cells around a target") as error:
        instance_of(said, Rules())
    assert error.value.where == "groups[0].target"


def _without(path: str) -> Callable[[dict[str, Any]], None]:
    def change(said: dict[str, Any]) -> None:
        *way, last = path.split(".")
        for part in way:
            said = said[part]
        del said[last]

    return change


def _with(path: str, value: object) -> Callable[[dict[str, Any]], None]:
    def change(said: Any) -> None:
        *way, last = (int(part) if part.isdigit() else part for part in path.split("."))
        for part in way:
            said = said[part]
        said[last] = value

    return change


WRONG: tuple[tuple[Callable[[Any], object], Callable[[dict[str, Any]], None], str, str | None], ...] = (
    (scenario_of, _without("scenario"), "without a scenario", "scenario"),
    (scenario_of, _with("scenario.schema", "x"), "not a scenario", "schema"),
    (scenario_of, _with("scenario.groups", []), "without groups", "groups"),
    (scenario_of, _with("scenario.groups.0.speed", "fast"), "wrong kind of value", "groups[0].speed"),
    (scenario_of, _with("scenario.groups.0.target.x", 11.5), "lies in a wall", "groups[0].target"),
    (scenario_of, _with("scenario.map.scale", 2), "scale of the map", "map.scale"),
    (grid_of, _with("scenario.map.file", "../x.map"), "no single source", "map"),
    (grid_of, _with("scenario.map.text", "..\n.!"), "unknown terrain letter", "map.text row 2"),
    (grid_of, _with("scenario.map", 7), "wrong kind of value", "map"),
    (ALL[2], _with("ends.goal", None), "no goal", "ends.goal"),
    (ALL[2], _without("ends"), "no start", "ends.start"),
    (ALL[2], _with("ends.start", [24, 0]), "outside the map", "ends.start"),
    (ALL[2], _with("ends.start", [0.5, 0]), "wrong kind of value", "ends.start[0]"),
    (ALL[3], _with("agents.1.start", [1, 1]), "the same start", "agents[1].start"),
    (ALL[3], _with("agents.1.goal", [20, 1]), "the same goal", "agents[1].goal"),
    (ALL[3], _with("agents.0.start", [11, 5]), "is blocked", "agents[0].start"),
    (ALL[3], _with("agents.2", {"start": [1, 1]}), "'goal' is missing", "agents[2]"),
    (manoeuvre_of, _with("formations", []), "no formation", "formations"),
    (manoeuvre_of, _with("formations.0.shape", "heart"), "unknown shape", "formations[0]"),
    (manoeuvre_of, _with("formations.0.modules", {"paths": "none"}), "unknown paths", "formations[0].modules"),
)


@pytest.mark.parametrize(("make", "change", "problem", "where"), WRONG)
def test_what_is_wrong_is_named(make: Any, change: Any, problem: str, where: str | None) -> None:
    said = draft()
    change(said)
    with pytest.raises(InputError) as error:
        make(said)
    assert problem in str(error.value) and error.value.where == where


def test_two_agents_may_share_a_goal_where_they_vanish() -> None:
    said = draft()
    said["agents"][1]["goal"] = [20, 1]
    said["agents"][1]["start"] = [19, 2]
    assert instance_of(said, Rules(stay=False)).goals.tolist()[:2] == [44, 44]


ODD = (None, True, -1, 0, 1e300, float("nan"), 2**70, "", "x\0y", [], {}, [[]], [1, 2, 3], {"a": 1}, "<b>", "9" * 50)


def test_no_draft_whatever_makes_a_traceback() -> None:
    rng = random.Random(7)
    refused = 0
    for _ in range(400):
        said: Any = draft()
        for _ in range(rng.randint(1, 2)):
            _spoil(said, rng)
        for make in ALL:
            try:
                make(deepcopy(said))
            except InputError:
                refused += 1
    assert refused > 400


def _spoil(said: Any, rng: random.Random) -> None:
    """Put something odd in a random place of a draft."""
    while True:
        keys: list[Any] = list(said) if isinstance(said, dict) else list(range(len(said)))
        if not keys:
            return
        key = rng.choice(keys)
        if isinstance(said[key], (dict, list)) and rng.random() < 0.75:
            said = said[key]
            continue
        said[key] = rng.choice(ODD)
        return


@pytest.mark.parametrize("said", [None, 3, "x", [], [1]])
def test_what_is_no_draft_is_refused(said: object) -> None:
    for make in ALL:
        with pytest.raises(InputError):
            make(said)


def test_deep_nests_are_refused() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    said = draft()
    said["formations"] = deep
    with pytest.raises(InputError, match="nested too deeply"):
        manoeuvre_of(said)
    assert np.isfinite(scenario_of(draft()).groups[0].positions).all()


def test_groups_without_units_are_left_out_and_numbers_stay_those_of_the_draft() -> None:
    said = draft()
    group, empty = said["scenario"]["groups"][0], {"name": "b", "target": {"x": 3, "y": 3}, "positions": []}
    said["scenario"]["groups"] = [empty, group]
    assert [one.name for one in scenario_of(said).groups] == ["a"] and numbers_of(said) == [1]
    assert groups_without_units(said) == ["b"]
    group["speed"] = -1
    with pytest.raises(InputError) as error:
        scenario_of(said)
    assert error.value.where == "groups[1].speed"
    said["scenario"]["groups"] = [empty, {**empty, "name": ""}]
    with pytest.raises(InputError, match=r"^groups: no group has units; found none in b, group 2\. Hint: place units"):
        scenario_of(said)
    said["agents"] = []
    with pytest.raises(InputError, match=r"^agents: there are no agents; .*Hint: place some, under Edit"):
        instance_of(said, Rules())


def test_what_can_be_done_about_units_and_targets_in_walls_is_said() -> None:
    said = draft()
    group = said["scenario"]["groups"][0]
    said["scenario"]["groups"] = [{**group, "disc": None, "positions": []}, group]
    del group["disc"]
    group["positions"] = [[11.5, 5.5]]
    with pytest.raises(InputError, match=r"^groups\[1\]: unit 0 of group 1 stands in a wall.*Hint: Move out, under"):
        scenario_of(said)
    group["positions"], group["target"] = [[1.5, 1.5]], {"x": 11.5, "y": 5.5}
    with pytest.raises(
        InputError, match=r"^groups\[1\]\.target: the target of group 1 lies in a wall.*the target else"
    ):
        scenario_of(said)
