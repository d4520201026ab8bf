"""The command `run`."""

import json

import pytest

from anabasis.io.archive import load
from anabasis.methods import names
from anabasis.trace import Trace


@pytest.mark.parametrize("method", names("group"))
def test_every_group_method_brings_the_units_home(call_json, gap, method):
    code, data = call_json("run", gap, "--method", method)
    assert code == 0
    assert (data["units"], data["finished"], data["unfinished"], data["faults"]) == (6, 6, {}, [])
    assert all(0 < step <= data["steps"] for step in data["arrival"])
    assert data["plans"] == [{"status": "solved", "reason": ""}]


def test_the_same_seed_is_the_same_run_in_any_process(call_json, shell, gap):
    here = call_json("run", gap, "--seed", 7)[1]["hash"]
    for hash_seed in ("0", "1"):
        done = shell("run", gap, "--seed", 7, "--json", PYTHONHASHSEED=hash_seed)
        assert json.loads(done.stdout)["hash"] == here


def test_the_seed_is_the_scenarios_unless_given(call_json, gap):
    assert call_json("run", gap)[1]["seed"] == 1
    assert call_json("run", gap, "--set", "seed=5")[1]["seed"] == 5


def test_options_of_the_scenario_are_set_by_name(call_json, gap):
    slow = call_json("run", gap, "--set", "groups.0.speed=0.05")[1]["steps"]
    fast = call_json("run", gap, "--set", "groups.0.speed=0.3")[1]["steps"]
    assert slow > 2 * fast


def test_a_person_reads_what_happened(call, gap):
    text = call("run", gap).stdout
    assert "the gap, vector-field, seed 1: 6 of 6 units arrived" in text
    assert "distance travelled" in text


@pytest.mark.parametrize("method", ["astar", "flow-taut"])
def test_prediction_bound_and_gap_are_told(call_json, call, gap, method):
    data = call_json("run", gap, "--method", method)[1]
    assert 0 < data["bound_steps"] <= max(data["arrival"])
    assert (data["predicted_steps"] is None) == (data["network_bound_steps"] is None) == (method == "astar")
    text = call("run", gap, "--method", method).stdout
    assert f"not before step {data['bound_steps']}; this run is" in text
    assert ("predicted arrival of the last unit" in text) == (method == "flow-taut")


def test_quiet_prints_nothing(call, gap):
    result = call("run", gap, "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_the_recording_and_the_picture_are_written(call_json, gap, tmp_path):
    out, picture = tmp_path / "run.npz", tmp_path / "ways.svg"
    code, data = call_json("run", gap, "--out", out, "--picture", picture)
    assert code == 0
    trace = load(out)
    assert isinstance(trace, Trace)
    assert trace.hash == data["hash"]
    assert "<svg" in picture.read_text()


def test_a_limit_is_code_4(call_json, call, gap):
    code, data = call_json("run", gap, "--set", "limits.steps=10")
    assert code == 4
    assert data["ending"] == "step_limit"
    assert set(data["unfinished"].values()) == {"step_limit"}
    assert "not arrived: 6 (step limit)" in call("run", gap, "--set", "limits.steps=10").stdout


def test_no_way_is_code_1(call_json, gap):
    gap.write_text(gap.read_text().replace(".............", "......#......"))
    code, data = call_json("run", gap)
    assert code == 1
    assert data["finished"] == 0
    assert data["plans"][0]["status"] == "no_solution"


def test_units_are_counted_at_a_line(call, call_json, gap):
    code, data = call_json("run", gap, "--line", "6.5,4,6.5,0")
    assert code == 0
    line = data["line"]
    assert sum(line["crossed"]) + sum(line["back"]) >= 6
    assert sum(line["crossed"]) - sum(line["back"]) == 6  # everybody is on the other side in the end
    assert len(line["rate"]) == len(line["times"]) == data["steps"] + 1
    assert max(line["rate"]) > 0
    assert all(0.5 < ratio < 2 for ratio in data["detour"])
    assert "6 crossed from its left to its right" in call("run", gap, "--line", "6.5,4,6.5,0").stdout


@pytest.mark.parametrize("line", ["1,2,3", "a,b,c,d", ""])
def test_a_line_that_is_none(call, gap, line):
    result = call("run", gap, "--line", line)
    assert result.exit_code == 2
    assert "expected two points as x0,y0,x1,y1" in result.stderr


def _wide(file, gaps, radius):
    """Three wide units before a wall with gaps of these heights."""
    column = "#".join("." * gap for gap in gaps).center(17, "#")
    rows = "\n".join("." * 14 + cell + "." * 15 for cell in column)
    file.write_text(
        f'schema = "anabasis/scenario"\nschema_version = 1\nname = "wide"\n[map]\ntext = """\n{rows}\n"""\n'
        f"[[groups]]\nrectangle = {{ x = 1, y = 1, width = 12, height = 15, count = 3 }}\n"
        f"target = {{ x = 24, y = 8, radius = 2 }}\nradius = {radius}\n[limits]\nsteps = 150\n"
    )
    return file


def test_units_too_wide_for_every_way_are_told_so(call, call_json, tmp_path):
    file = _wide(tmp_path / "wide.toml", (2, 1), 2)
    wide = call_json("run", file)[1]["too_wide"]
    assert [(row["group"], row["units"], row["width"], row["widest_way"]) for row in wide] == [("group 0", 3, 4, 2)]
    text = call("run", file).stdout
    assert "too wide: 3 units of group 0, each 4 cells wide; the widest way from there to the target is 2 wide" in text


def test_units_left_behind_where_one_of_two_ways_is_too_narrow(call, call_json, tmp_path):
    file = _wide(tmp_path / "wide.toml", (5, 1), 2)
    wide = call_json("run", file)[1]["too_wide"]
    assert [(row["units"], row["widest_way"], row["narrow"], row["gates"]) for row in wide] == [(0, 5, 1, 2)]
    text = call("run", file).stdout
    assert "4 cells wide, and 1 of the 2 gates of the map is narrower, down to 1; there is a way 5 wide" in text


def test_nothing_is_said_of_widths_where_there_is_room_or_all_arrived(call_json, call, tmp_path, gap):
    room = _wide(tmp_path / "room.toml", (5, 4), 0.5)
    data = call_json("run", room, "--set", "limits.steps=20")[1]
    assert (data["finished"], data["too_wide"]) == (0, [])  # the limit alone ended it
    assert call_json("run", gap)[1]["too_wide"] == []
    assert "wide" not in call("run", gap).stdout


def test_a_way_that_a_change_has_closed_counts_no_more(call_json, tmp_path):
    file = _wide(tmp_path / "door.toml", (5, 2), 2)
    file.write_text(
        file.read_text()
        + '[[changes]]\nstep = 5\nterrain = "#"\nrectangle = { x = 14, y = 3, width = 1, height = 8 }\n'
    )
    (row,) = call_json("run", file)[1]["too_wide"]
    assert (row["units"], row["widest_way"]) == (3, 2)


def test_why_there_is_no_plan_is_told(call, gap):
    gap.write_text(gap.read_text().replace(".............", "......#......"))
    assert "no plan for group 0: no unit can reach the target" in call("run", gap).stdout


@pytest.mark.parametrize("command", ["run", "flow"])
def test_no_percentage_of_a_bound_of_nothing(call, gap, command):
    start = ("groups.0.rectangle.x=10", "groups.0.rectangle.width=2", "groups.0.rectangle.y=2")
    options = [
        word
        for value in (*start, "groups.0.rectangle.height=2", "groups.0.rectangle.count=2")
        for word in ("--set", value)
    ]
    text = call(command, gap, *options).stdout
    assert "not before step 0, of which no percentage can be told" in text
    assert "–" not in text
