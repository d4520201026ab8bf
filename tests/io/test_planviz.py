"""PlanViz: three layouts, written and read byte for byte; actions are carried out, and what disagrees is noted."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plan_cases import GRID, PLAN, SMALL, some_plan

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.io.loaded_plan import LoadedPlan
from anabasis.io.movingai import load_map
from anabasis.io.planviz import YEARS, Replay, load_planviz
from anabasis.io.planviz_write import replay_of, save_planviz, save_planviz_map
from anabasis.io.robot_actions import with_turns
from anabasis.metrics.plans import plan_faults
from anabasis.plan import Plan

CASES = [(2023, False), (2023, True), (2024, False), (2024, True), (2026, True)]
TABLES = ("tasks", "errands", "events", "schedule", "delays", "errors", "times")


def changed(path: Path, **values: Any) -> Path:
    """Change values at the root of a file; a name of a value that is None is taken out."""
    data = {**json.loads(path.read_text()), **values}
    path.write_text(json.dumps({name: value for name, value in data.items() if value is not None}))
    return path


@pytest.mark.parametrize(("year", "turns"), CASES)
def test_replays_come_back_as_they_were(year: int, turns: bool, tmp_path: Path) -> None:
    file, again = tmp_path / "a.json", tmp_path / "b.json"
    rng = np.random.default_rng(year)
    for instance, plan in [(SMALL, PLAN), *(some_plan(rng) for _ in range(30))]:
        grid = instance.space
        assert isinstance(grid, Grid)
        errors = [(0 if instance.size else -1, -1, 2, "late")]
        replay = replay_of(instance, plan, year=year, turns=turns, errors=errors)
        save_planviz(replay, file, grid)
        found = load_planviz(file, instance)
        assert (found.year, found.model, found.loaded.ticks) == (replay.year, replay.model, replay.loaded.ticks)
        assert np.array_equal(found.loaded.plan.vertices, replay.loaded.plan.vertices)
        assert np.array_equal(found.loaded.headings, replay.loaded.headings)
        for name in TABLES:
            assert np.array_equal(getattr(found, name), getattr(replay, name)), name
        assert found.error_texts == ("late",) and found.actual == found.planned == replay.actual
        assert not any("disagree" in note or "events" in note or "snapshots" in note for note in found.loaded.notes)
        save_planviz(found, again, grid)
        assert again.read_bytes() == file.read_bytes()


def test_a_plain_plan_in_the_layout_of_2023(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    save_planviz(replay_of(SMALL, PLAN, errors=[]), file, GRID)
    assert json.loads(file.read_text()) == {
        "actionModel": "MAPF",
        "teamSize": 3,
        "AllValid": "Yes",
        "numTaskFinished": 3,
        "makespan": 5,
        "sumOfCost": 12,
        "start": [[0, 0, "N/A"], [0, 4, "N/A"], [2, 4, "N/A"]],
        "actualPaths": ["U,W,U,W,W", "U,U,L,W,L", "L,L,D,D,W"],
        "plannerPaths": ["U,W,U,W,W", "U,U,L,W,L", "L,L,D,D,W"],
        "plannerTimes": [],
        "errors": [],
        "events": [
            [[0, 0, "assigned"], [0, 3, "finished"]],
            [[1, 0, "assigned"], [1, 5, "finished"]],
            [[2, 0, "assigned"], [2, 4, "finished"]],
        ],
        "tasks": [[0, 2, 0], [1, 2, 2], [2, 0, 2]],
    }


@pytest.mark.parametrize(("year", "turns"), CASES)
def test_a_file_says_that_a_plan_is_valid_only_if_that_was_checked(year: int, turns: bool, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    name = "numPlannerErrors" if year == 2026 else "AllValid"
    said = {0: 0, 1: 1} if year == 2026 else {0: "Yes", 1: "No"}
    for errors, answer in ((None, None), ([], said[0]), ([(0, 1, 2, "a crash")], said[1])):
        save_planviz(replay_of(SMALL, PLAN, year=year, turns=turns, errors=errors), file, GRID)
        data = json.loads(file.read_text())
        assert data.get(name) == answer and len(data["errors"]) == (errors != [] and errors is not None)


@pytest.mark.parametrize(("year", "turns"), CASES)
def test_an_error_is_told_when_it_happens_however_often_agents_turn_before(year: int, turns: bool) -> None:
    for step in range(PLAN.makespan + 3):
        replay = replay_of(SMALL, PLAN, year=year, turns=turns, errors=[(0, 1, step, "a crash")])
        rows, time = replay.loaded.plan.vertices, int(replay.errors[0, 3])
        assert (rows[min(time, len(rows) - 1)] == PLAN.vertices[min(step, PLAN.makespan)]).all()
        if not turns:
            assert time == step
        assert step == 0 or time > int(
            replay_of(SMALL, PLAN, year=year, turns=turns, errors=[(0, 1, step - 1, "")]).errors[0, 3]
        )


def test_what_the_viewer_needs_is_there(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    for year, turns in CASES:
        save_planviz(replay_of(SMALL, PLAN, year=year, turns=turns), file, GRID)
        data = json.loads(file.read_text())
        assert {"teamSize", "makespan", "actionModel", "start"} <= set(data)
        assert data.get("version", "") == YEARS[year]
        if year > 2023:
            assert data["tasks"] and data["events"] and data["actualPaths"] and data["plannerPaths"]
            known = {task[0] for task in data["tasks"]}
            assert {int(part.split(":")[1]) for text in data["actualSchedule"] for part in text.split(",")} <= known


def test_turning_keeps_a_plan_valid_and_counts_the_turns() -> None:
    rng = np.random.default_rng(8)
    for instance, plan in [some_plan(rng) for _ in range(200)]:
        grid = instance.space
        assert isinstance(grid, Grid)
        longer, headings, actions = with_turns(grid, plan)
        assert plan_faults(instance, longer) == []
        assert plan.makespan <= longer.makespan <= 3 * plan.makespan
        for a in range(instance.size):
            place, heading = int(plan.vertices[0, a]), int(headings[0, a]) if longer.vertices.size else 0
            for t, action in enumerate(actions[:, a].tolist()):  # one cell ahead, or a quarter turn
                x, y = grid.cell(place)
                if action == 1:
                    x, y = [(x + 1, y), (x, y - 1), (x - 1, y), (x, y + 1)][heading]
                    place = grid.vertex(x, y)
                heading = (heading + {2: 3, 3: 1}.get(action, 0)) % 4
                assert (place, heading) == (longer.vertices[t + 1, a], headings[t + 1, a])


def test_turns_of_one_agent_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    instance = Instance.of(GRID, [0], [12])
    plan = Plan(np.array([[0], [5], [10], [11], [12]]))
    save_planviz(replay_of(instance, plan, turns=True), file, GRID)
    data = json.loads(file.read_text())
    assert data["start"] == [[0, 0, "S"]] and data["actualPaths"] == ["F,F,C,F,F"] and data["makespan"] == 5
    save_planviz(replay_of(instance, plan, year=2026), file, GRID)
    data = json.loads(file.read_text())
    assert data["actualPaths"] == ["[(0,0,0,3,0):(F 20,C 10,F 20)]"] and data["agentMaxCounter"] == 10
    found = load_planviz(file, instance).loaded
    assert found.plan.vertices.ravel().tolist() == [0] * 10 + [5] * 10 + [10] * 20 + [11] * 10 + [12]
    stepwise = found.in_steps()
    assert stepwise.plan.vertices.ravel().tolist() == [0, 5, 10, 10, 11, 12] and stepwise.unit == "steps"
    assert stepwise.headings.ravel().tolist() == [3, 3, 3, 0, 0, 0]


def test_delays_interrupt_an_action_and_snapshots_are_not_believed(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    instance = Instance.of(GRID, [10], [12])
    save_planviz(replay_of(instance, Plan(np.array([[10], [11], [12]])), year=2026), file, GRID)
    text = "[(0,2,0,0,0):(F 4)][(4,2,0,0,0):(W 3,F 6)][(13,2,1,0,0):(F 2,R 5,F 10)]"
    found = load_planviz(changed(file, actualPaths=[text], events=[[29, 0, 0, 1]]), instance).loaded
    assert found.plan.vertices.ravel().tolist() == [10] * 13 + [11] * 17 + [12]
    assert found.notes == (
        "2 actions were broken off before they were complete",
        "1 of 3 snapshots are not what the actions lead to, the first of agent 0 in tick 4",
        "1 of 1 events are not where the agent is",
    )
    ticks = found.in_steps()
    assert ticks.plan == found.plan and ticks.unit == "ticks"
    assert ticks.notes[3:] == ("agents move between steps, so times are ticks, 10 a step",)


def test_letters_of_the_shipped_example_mean_the_row_above(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    save_planviz(replay_of(SMALL, PLAN), file, GRID)
    paths = ["D,W,D", "D,D,L,W,L", "L,L,U,U"]
    found = load_planviz(changed(file, actualPaths=paths), SMALL).loaded
    assert np.array_equal(found.plan.vertices, PLAN.vertices)
    assert found.notes[0].startswith("u is read as the row above, with 0 places on walls and 3 of 3 agents")


def test_the_least_that_a_file_of_2023_may_hold(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    start = [[0, 0, "N"], [0, 4, "E"], [2, 4, "W"]]
    file.write_text(json.dumps({"actionModel": "MAPF_T", "teamSize": 3, "makespan": 0, "start": start}))
    found = load_planviz(file, SMALL)
    assert found.loaded.plan.vertices.tolist() == [[0, 4, 14]] and found.loaded.headings.tolist() == [[1, 0, 2]]
    assert not found.tasks.size and not found.actual[0]


def test_delay_intervals_errors_and_times_of_a_run_are_kept(tmp_path: Path) -> None:
    file, again = tmp_path / "a.json", tmp_path / "b.json"
    save_planviz(replay_of(SMALL, PLAN, year=2026), file, GRID)
    changed(
        file,
        delayIntervals=[[[3, 5], [8, 9]], [], [[1, 2]]],
        errors=[[-1, 0, 2, 7, "collision"]],
        scheduleErrors=[[1, 0, -1, 3, "unknown task"]],
        plannerTimes=[0.25, 1],
    )
    found = load_planviz(file, SMALL)
    assert found.delays.tolist() == [[0, 3, 5], [0, 8, 9], [2, 1, 2]]
    assert found.errors.tolist() == [[-1, 0, 2, 7], [1, 0, -1, 3]]
    assert found.error_texts == ("collision", "unknown task") and found.times.tolist() == [0.25, 1.0]
    save_planviz(found, again, GRID)
    kept = load_planviz(again, SMALL)
    assert np.array_equal(kept.errors, found.errors) and np.array_equal(kept.delays, found.delays)


def test_tasks_of_several_errands(tmp_path: Path) -> None:
    file, again = tmp_path / "a.json", tmp_path / "b.json"
    save_planviz(replay_of(SMALL, PLAN, year=2024), file, GRID)
    tasks = [[7, 0, [1, 0, 2, 0]], [8, 2, [2, 2]]]
    events = [[1, 0, 7, 1], [3, 0, 7, 2], [5, 1, 8, 1]]
    changed(file, tasks=tasks, events=events, actualSchedule=["0:7", "2:8,5:-1,", ""])  # a last comma is usual
    found = load_planviz(file, SMALL)
    assert found.tasks.tolist() == [[7, 0], [8, 2]] and found.errands.tolist() == [[0, 5], [0, 10], [1, 12]]
    assert found.schedule.tolist() == [[0, 0, 7], [1, 2, 8], [1, 5, -1]] and len(found.loaded.notes) == 1
    save_planviz(found, again, GRID)
    data = json.loads(again.read_text())
    assert data["tasks"] == tasks and data["events"] == events and data["actualSchedule"] == ["0:7", "2:8,5:-1", ""]


def test_maps_for_the_viewer_have_its_letters_only(tmp_path: Path) -> None:
    grid = Grid.from_terrain(np.array([[ord(c) for c in ".GSWT@OE"]], np.uint8))
    save_planviz_map(grid, tmp_path / "a.map")
    assert (tmp_path / "a.map").read_text() == "type octile\nheight 1\nwidth 8\nmap\n..S@T@@E\n"
    assert np.array_equal(load_map(tmp_path / "a.map", dialect="lorr").free, grid.free)


def test_what_cannot_be_a_replay_is_refused() -> None:
    with pytest.raises(InputError, match="year of the layout; found 2025; expected 2023 or 2024 or 2026"):
        replay_of(SMALL, PLAN, year=2025)
    with pytest.raises(InputError, match="a file of 2026; found agents that do not turn"):
        replay_of(SMALL, PLAN, year=2026, turns=False)
    with pytest.raises(InputError, match="a plan without a row"):
        replay_of(SMALL, Plan(np.zeros((0, 3), np.int64)))
    with pytest.raises(InputError, match="agents of several cells"):
        replay_of(Instance.of(Grid.from_text("..\n.."), [0], [0], sizes=2), Plan(np.array([[0]])))
    for errors, message in (
        ([(0, 1, 2)], r"an error of a plan; found \(0, 1, 2\); expected \(agent, agent or -1, step, text\)"),
        ([(0, 3, 2, "")], "agent of an error; found 3; expected a whole number from -1 to 2"),
        ([(0, 1, -2, "")], "step of an error; found -2"),
        ([(0, 1, 2, None)], "text of an error; found NoneType; expected str"),
    ):
        with pytest.raises(InputError, match=message):
            replay_of(SMALL, PLAN, errors=errors)
    loaded = LoadedPlan(PLAN)
    for tables, message in (
        ({"delays": [[3, 0, 1]]}, "delays of a replay, column 0; found 3 to 3; expected numbers below 3"),
        ({"errands": [[0, 0]]}, "errands of a replay, column 0; found 0 to 0; expected numbers below 0"),
        ({"errors": [[0, 0, 1, 1]]}, "error_texts of a replay; found 0 texts; expected 1"),
        ({"actual": ("U",)}, "actual of a replay; found 1 texts; expected 3"),
    ):
        with pytest.raises(InputError, match=message):
            Replay(loaded, **tables)
    assert isinstance(replay_of(Instance.of(GRID, [], []), Plan(np.zeros((1, 0), np.int64)), year=2026), Replay)
