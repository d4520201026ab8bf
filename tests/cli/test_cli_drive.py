"""The command `drive`."""

import math

import numpy as np
import pytest

import anabasis as a
from anabasis.metrics.kinematics import trajectory_faults
from anabasis.trajectory import Kinematics, Trajectory

ROOM = "POLYGON ((0 0, 20 0, 20 12, 0 12, 0 0), (8 3, 12 3, 12 9, 8 9, 8 3))"


@pytest.fixture
def room(tmp_path):
    """A room of 20 × 12 with a pillar."""
    file = tmp_path / "room.wkt"
    file.write_text(ROOM)
    return file


def motion(data):
    return Trajectory(*(np.array(data[name], float) for name in ("times", "points", "headings", "speeds", "steering")))


@pytest.mark.parametrize("method", ["kinodynamic-rrt", "genetic-drive"])
def test_a_car(call_json, room, method):
    more = ("--set", "extra=5", "--set", "limit=40", "--set", "population=6") if method == "genetic-drive" else ()
    code, data = call_json("drive", room, "3,6,0", "17,6,0", "--method", method, "--set", "seed=2", *more)
    assert code == 0 and data["faults"] == []
    car = Kinematics.car(1.0, math.radians(35))
    assert trajectory_faults(motion(data), car, world=a.load(room), start=(3, 6, 0), goal=(17, 6, 0)) == []
    assert data["duration"] == pytest.approx(data["length"]) and data["length"] > 14
    assert 0 < data["greatest_steering"] <= math.radians(35) + 1e-9
    again = call_json("drive", room, "3,6,0", "17,6,0", "--method", method, "--set", "seed=2", *more)[1]
    assert again == data


def test_options_of_the_car(call_json, room):
    options = ("--speed", 2, "--acceleration", 0.5, "--axle", 0.5, "--steering", 45)
    code, data = call_json("drive", room, "3,6,90", "17,6", *options)
    assert code == 0
    assert max(data["speeds"]) <= 2 and data["speeds"][0] == data["speeds"][-1] == 0
    assert data["headings"][0] == pytest.approx(math.pi / 2)
    assert data["points"][-1] == [17, 6]


def test_without_a_heading_the_car_looks_at_the_goal(call, call_json, room):
    assert call_json("drive", room, "3,6", "3,11")[1]["headings"][0] == pytest.approx(math.pi / 2)
    assert "nose toward the goal, 90°" in call("drive", room, "3,6", "3,11").stderr


def test_on_foot(call_json, room):
    code, data = call_json("drive", room, "3,6", "17,6", "--method", "timed")
    assert code == 0 and data["greatest_steering"] == 0
    shortest = a.find_path(a.load(room), (3, 6), (17, 6), method="polyanya").cost
    assert data["length"] == pytest.approx(shortest)
    corner = min(data["speeds"][1:-1])
    assert 0 < corner < 1  # two turns of 31° each, where 30° are allowed at full speed
    wide = call_json("drive", room, "3,6", "17,6", "--method", "timed", "--turns", "0:180,1:90")[1]
    assert wide["duration"] == pytest.approx(shortest)
    other = call_json("drive", room, "3,6", "17,6", "--method", "timed", "--space", "square-8", "--path", "theta")[1]
    assert shortest <= other["length"] <= 1.1 * shortest


def test_turns_that_are_too_sharp_are_no_solution(call, call_json, room):
    arguments = ("drive", room, "3,6", "17,6", "--method", "timed", "--turns", "0:20,1:5")
    code, data = call_json(*arguments)
    assert code == 1 and data["status"] == "no_solution" and data["times"] is None
    assert "more than the unit can do" in data["reason"]
    assert "no motion: the turn by" in call(*arguments).stdout


def test_obstacles_are_grown(call, call_json, room):
    code, data = call_json("drive", room, "3,6", "17,6", "--radius", 1)
    assert code == 0
    gaps = [math.hypot(max(8 - x, 0, x - 12), max(3 - y, 0, y - 9)) for x, y in data["points"]]
    assert min(gaps) > 1 - 1e-6
    assert call("drive", room, "3,6", "17,6", "--radius", 3).exit_code == 1


def test_no_drive(call, call_json, room):
    code, data = call_json("drive", room, "3,6", "10,6")
    assert code == 1 and "obstacle" in data["reason"]
    code, data = call_json("drive", room, "3,6,0", "17,6,0", "--set", "limit=1")
    assert code == 4 and data["status"] == "limit"
    assert "no motion" in call("drive", room, "3,6,0", "17,6,0", "--set", "limit=1").stdout


def test_a_fault_of_a_motion_is_told(call, call_json, room, monkeypatch):
    monkeypatch.setattr("anabasis.metrics.kinematics.trajectory_faults", lambda *_, **__: ["speed: too fast"])
    code, data = call_json("drive", room, "3,6", "17,6")
    assert code == 1 and data["faults"] == ["speed: too fast"]
    assert "not valid: speed: too fast" in call("drive", room, "3,6", "17,6").stdout


def test_a_picture(call_json, room, tmp_path):
    for name, more in (("car.svg", ()), ("foot.svg", ("--method", "timed")), ("none.svg", ("--set", "limit=1"))):
        code, data = call_json("drive", room, "3,6", "17,6", *more, "--picture", tmp_path / name)
        assert data["picture"] == str((tmp_path / name).resolve())
        assert ("speed" in (tmp_path / name).read_text()) == (code == 0)


def test_wrong_calls(call, room, tmp_path):
    for arguments, complaint in (
        (("3", "17,6"), "a place x,y or a pose"),
        (("3,6,0,1", "17,6"), "a place x,y or a pose"),
        (("3,nan", "17,6"), "a place x,y or a pose"),
        (("3,6", "27,6"), "outside the world"),
        (("3,6", "17,6", "--method", "rrt"), "kinodynamic-rrt"),
        (("3,6", "17,6", "--axle", -1), "axle"),
        (("3,6", "17,6", "--steering", 90), "turns of a unit"),
        (("3,6", "17,6", "--speed", 0), "speed"),
        (("3,6", "17,6", "--turns", "0:90"), "a car does not have this option"),
        (("3,6", "17,6", "--path", "rrt"), "a car does not have this option"),
        (("3,6", "17,6", "--method", "timed", "--axle", 3), "somebody on foot does not have this option"),
        (("3,6", "17,6", "--method", "timed", "--steering", 30), "--steering"),
        (("3,6", "17,6", "--method", "timed", "--backward"), "are for a car"),
        (("3,6", "17,6", "--method", "timed", "--turns", "0-90"), "SPEED:DEGREES"),
        (("3,6", "17,6", "--method", "timed", "--turns", "0:90,1:120"), "angles falling"),
        (("3,6", "17,6", "--method", "timed", "--path", "astar"), "takes no world"),
        (("3,6", "17,6", "--method", "timed", "--space", "mesh-merged"), "makes no graph"),
        (("3,6", "17,6", "--set", "sead=1"), "did you mean seed"),
        (("3,6", "17,6", "--picture", tmp_path / "a.gif"), ".png or .svg"),
    ):
        result = call("drive", room, *arguments)
        assert result.exit_code == 2, (arguments, result.stderr)
        assert complaint in result.stderr, (arguments, result.stderr)
    assert call("drive", tmp_path / "none.wkt", "3,6", "17,6").exit_code == 3


def test_quiet_prints_nothing(call, room):
    result = call("drive", room, "3,6", "17,6", "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
