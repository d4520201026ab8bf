"""The command `validate`."""

from pathlib import Path

import pytest

from anabasis.cli.files import example, examples


def test_the_examples_are_valid(call_json):
    assert len(examples()) >= 4
    code, data = call_json("validate", "scenario", *map(example, examples()))
    assert code == 0
    assert data["ok"] == len(examples())


def test_a_folder_stands_for_its_files(call_json):
    code, data = call_json("validate", "scenario", example("chokepoint").parent)
    assert code == 0
    assert len(data["files"]) == len(examples())


def test_a_group_that_is_cut_off_is_invalid(call, gap):
    gap.write_text(gap.read_text().replace(".............", "......#......"))
    result = call("validate", "scenario", gap)
    assert result.exit_code == 1
    assert "6 of 6 units can't reach the target" in result.stdout


def test_every_file_is_looked_at_after_a_bad_one(call_json, small_map, tmp_path):
    (tmp_path / "bad.txt").write_text("..\n.\n")
    code, data = call_json("validate", "map", tmp_path / "bad.txt", small_map)
    assert code == 3
    assert [row["readable"] for row in data["files"]] == [False, True]
    assert (data["ok"], data["bad"]) == (1, 1)
    assert "line 2" in data["files"][0]["faults"][0]


def test_traces_and_archives(call, call_json, gap, tmp_path):
    run = tmp_path / "run.npz"
    assert call("run", gap, "--out", run).exit_code == 0
    assert call_json("validate", "archive", run)[0] == 0
    assert call_json("validate", "trace", run, "--scenario", gap)[0] == 0
    # the same run in a world in which no unit may walk so fast
    slow = tmp_path / "slow.scenario.toml"
    slow.write_text(gap.read_text().replace("speed = 0.15", "speed = 0.01"))
    code, data = call_json("validate", "trace", run, "--scenario", slow)
    assert code == 1
    assert data["files"][0]["faults"]


def test_a_changed_archive_is_found(call, gap, tmp_path):
    run = tmp_path / "run.npz"
    call("run", gap, "--out", run)
    data = bytearray(run.read_bytes())
    data[len(data) // 2] ^= 1
    run.write_bytes(data)
    assert call("validate", "archive", run).exit_code == 3


@pytest.fixture
def scen(tmp_path) -> Path:
    (tmp_path / "small.map").write_text("type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n")
    file = tmp_path / "small.map.scen"
    file.write_text(
        "version 1\n0\tsmall.map\t5\t3\t0\t0\t4\t2\t6.00000000\n0\tsmall.map\t5\t3\t0\t0\t4\t0\t4.00000000\n"
    )
    return file


def test_scen_rows_agree(call_json, call, scen):
    code, data = call_json("validate", "scen", scen)
    assert code == 0
    assert (data["files"], data["rows"], data["agreed"]) == (1, 2, 2)
    assert data["faulty"] == data["disagreeing"] == []
    assert "2 rows of 1 files: 2 agreed, 0 faulty, 0 disagree" in call("validate", "scen", scen.parent).stdout


def test_a_scen_row_that_disagrees_is_named(call_json, call, scen):
    scen.write_text(scen.read_text().replace("4.00000000", "4.50000000"))
    code, data = call_json("validate", "scen", scen)
    assert code == 1
    assert (data["rows"], data["agreed"], len(data["disagreeing"])) == (2, 1, 1)
    text = call("validate", "scen", scen).stdout
    assert "line 3" in text
    assert "published 4.5" in text


def test_a_scen_row_that_is_proved_wrong_is_listed_and_no_failure(call_json, scen):
    scen.write_text(scen.read_text().replace("4\t0\t4.00000000", "3\t1\t4.00000000"))  # a goal in a wall
    code, data = call_json("validate", "scen", scen)
    assert code == 0
    assert (data["agreed"], len(data["faulty"])) == (1, 1)


@pytest.mark.long
def test_all_benchmark_scenarios(call_json, movingai):
    code, data = call_json("validate", "scen", movingai)
    assert code == 0
    assert data["agreed"] + len(data["faulty"]) == data["rows"] > 10_000


def test_an_empty_folder_and_a_missing_file_do_not_stop_the_rest(call_json, small_map, tmp_path):
    (tmp_path / "empty").mkdir()
    code, data = call_json("validate", "map", tmp_path / "empty", tmp_path / "none.map", small_map)
    assert code == 3
    assert [row["readable"] for row in data["files"]] == [False, False, True]
    assert "holds nothing to check" in data["files"][0]["faults"][0]
