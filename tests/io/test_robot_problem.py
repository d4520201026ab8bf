"""Problems of the League of Robot Runners: written and read back; what is wrong is named with file and line."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.io.robot_problem import RobotDelays, RobotProblem, load_robot_problem, save_robot_problem

GRID = Grid.from_terrain(np.array([list(b".S.E"), list(b".@T.")], np.uint8))


def problem(delays: RobotDelays | None = None) -> RobotProblem:
    tasks = np.array([0, 2, 3]), np.array([1, 3, 7])
    return RobotProblem(GRID, np.array([0, 4]), *tasks, reveal=1.5, size=0.8, ticks=5, delays=delays)


@pytest.mark.parametrize("delays", [None, RobotDelays(7, 2, 9, "poisson", 0.02, "gaussian", 0.4, 0.1)])
def test_problems_come_back_as_they_were(delays: RobotDelays | None, tmp_path: Path) -> None:
    save_robot_problem(problem(delays), tmp_path / "a.json")
    found = load_robot_problem(tmp_path / "a.json")
    assert np.array_equal(found.grid.terrain, GRID.terrain) and found.starts.tolist() == [0, 4]
    assert found.indptr.tolist() == [0, 2, 3] and found.errands.tolist() == [1, 3, 7]
    assert (found.reveal, found.size, found.ticks, found.delays) == (1.5, 0.8, 5, delays)
    (tmp_path / "b").mkdir()
    save_robot_problem(found, tmp_path / "b" / "a.json")
    for name in ("a.json", "a.map", "a.agents", "a.tasks"):
        assert (tmp_path / "b" / name).read_bytes() == (tmp_path / name).read_bytes()
    assert (tmp_path / "a.tasks").read_text() == "2\n1,3\n7\n" and (tmp_path / "a.agents").read_text() == "2\n0\n4\n"


def test_files_of_older_years_say_less(tmp_path: Path) -> None:
    save_robot_problem(problem(), tmp_path / "a.json")
    (tmp_path / "a.agents").write_text("# version for LoRR\n3\n0\n4\n7\n")
    (tmp_path / "a.tasks").write_bytes(b"2\r\n1 3 \r\n7,\r\n")
    data = {"mapFile": "a.map", "agentFile": "a.agents", "taskFile": "a.tasks", "teamSize": 2}
    (tmp_path / "a.json").write_text(json.dumps({**data, "numTasksReveal": 1, "taskAssignmentStrategy": "roundrobin"}))
    found = load_robot_problem(tmp_path / "a.json")
    assert found.starts.tolist() == [0, 4] and found.errands.tolist() == [1, 3, 7]
    assert (found.reveal, found.size, found.ticks, found.delays) == (1.0, 1.0, 10, None)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"mapFile": "../a.map"},
            r"a.json: mapFile: a file that the problem names must lie in its folder; found '../a",
        ),
        ({"agentFile": "/etc/passwd"}, "agentFile: a file that the problem names must lie in its folder"),
        ({"taskFile": "b.tasks"}, "b.tasks: the file can't be read"),
        ({"taskFile": None}, "a.json: the file has no 'taskFile'"),
        ({"teamSize": "two"}, 'teamSize: a wrong value; found "two"; expected a whole number'),
        ({"teamSize": 3}, "a.agents: too few starts; found 2; expected 3, the teamSize"),
        ({"numTasksReveal": 0}, "numTasksReveal: a wrong value; found 0; expected a number above 0"),
        ({"agentCounter": 0}, "agentCounter: a wrong value; found 0; expected a whole number from 1"),
        ({"delayConfig": []}, r"delayConfig: a wrong value; found \[\]; expected an object"),
        ({"delayConfig": {"eventModel": "never"}}, "delayConfig.eventModel: unknown model; found 'never'"),
        ({"delayConfig": {"pDelay": 2}}, "delayConfig.pDelay: a wrong value; found 2; expected a share from 0 to 1"),
        ({"delayConfig": {"minDelay": 4}}, "delayConfig.maxDelay: delays; found 1; expected at least minDelay, 4"),
    ],
)
def test_a_wrong_value_is_named(changes: dict[str, object], message: str, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    save_robot_problem(problem(), file)
    data = {**json.loads(file.read_text()), **changes}
    file.write_text(json.dumps({name: value for name, value in data.items() if value is not None}))
    with pytest.raises(InputError, match=message):
        load_robot_problem(file)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.agents", "", "a.agents: line 1: no number of lines; found an empty file; expected a count"),
        ("a.agents", "two\n0\n4\n", "line 1: no number of lines; found 'two'"),
        ("a.agents", "3\n0\n4\n", "a.agents: number of lines; found 2; expected 3, as in the first line"),
        ("a.agents", "2\n0\n0\n", r"line 3: two robots start in one place; found x=0 .*, as in line 2"),
        ("a.agents", "2\n0\n1,2\n", "line 3: start of a robot; expected one place a line"),
        ("a.agents", "2\n0\n5\n", r"line 3: a place is blocked; found 5: x=1 \(column\), y=1 \(row\)"),
        ("a.tasks", "1\n1,8\n", "a.tasks: line 2: not a place; found '8'; expected a number below 8"),
        ("a.tasks", "1\n1,-1\n", "line 2: not a place; found '-1'"),
        ("a.tasks", "1\n1,,2\n\n# end\n1\n", "number of lines; found 2; expected 1"),
    ],
)
def test_a_wrong_line_is_named(name: str, text: str, message: str, tmp_path: Path) -> None:
    save_robot_problem(problem(), tmp_path / "a.json")
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        load_robot_problem(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"grid": None}, "the map of a problem; found NoneType; expected Grid"),
        ({"indptr": []}, "indptr of a problem; found no number; expected numbers that rise from 0 to 3"),
        (
            {"indptr": [0, 2]},
            "indptr of a problem; found 2 numbers from 0 to 2; expected numbers that rise from 0 to 3",
        ),
        ({"indptr": [1, 3]}, "indptr of a problem; found 2 numbers from 1 to 3"),
        ({"indptr": [0, 2, 2, 3]}, "at least one of the 3 errands for each task"),
        ({"indptr": [0, -1, 3]}, "indptr of a problem"),
        ({"starts": [8]}, "starts of a problem; found vertex 8; expected vertices 0 to 7"),
        ({"starts": [5]}, r"starts of a problem: a place is blocked; found x=1 \(column\), y=1 \(row\)"),
        ({"starts": [0, 0]}, "two robots start in one place"),
        ({"errands": [1, 3, -1]}, "errands of a problem; found vertex -1"),
        ({"reveal": 0}, "reveal of a problem; found 0; expected a positive length"),
        ({"ticks": 0}, "ticks of a problem; found 0; expected a whole number from 1"),
        ({"delays": 3}, "delays of a problem; found int; expected RobotDelays"),
    ],
)
def test_what_is_no_problem_is_refused(fields: dict[str, Any], message: str) -> None:
    parts = {"grid": GRID, "starts": [0, 4], "indptr": [0, 2, 3], "errands": [1, 3, 7]}
    with pytest.raises(InputError, match=message):
        RobotProblem(**{**parts, **fields})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"least": 3, "most": 2}, "delays; found at most 2; expected at least 3, the least"),
        ({"events": "never"}, "unknown events of delays; found 'never'; expected bernoulli or poisson"),
        ({"chance": 1.5}, "chance of delays; found 1.5; expected a share from 0 to 1"),
        ({"mean_ratio": -1}, "mean_ratio of delays; found -1"),
        ({"seed": -1}, "seed of delays; found -1"),
    ],
)
def test_what_are_no_delays_is_refused(fields: dict[str, Any], message: str) -> None:
    assert RobotDelays(chance=0, mean_ratio=0, spread_ratio=0).chance == 0
    with pytest.raises(InputError, match=message):
        RobotDelays(**fields)


def test_a_problem_does_not_overwrite_itself(tmp_path: Path) -> None:
    for name in ("a.map", "a.agents", "a.tasks"):
        with pytest.raises(InputError, match=f"name of a problem; found '{name}'; expected a name such as NAME.json"):
            save_robot_problem(problem(), tmp_path / name)
    assert not list(tmp_path.iterdir())
