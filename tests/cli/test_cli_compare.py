"""The commands `compare` and `report`."""

import json
from dataclasses import replace

import pytest
import typer

from anabasis.cli.compare import finish
from anabasis.lab.comparison import Failure
from anabasis.lab.ranking import summarise


def test_compare_and_report(call, call_json, shell, gap, tmp_path):
    done = shell("compare", gap, "--methods", "astar,vector-field", "--seeds", 2, "--workers", 2, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "vector-field" in done.stdout
    folder = tmp_path / "gap.run"
    assert str(folder) in done.stdout
    table = (folder / "table.csv").read_bytes()

    words = ["compare", gap, "--methods", "astar,vector-field", "--seeds", 2, "--out", folder]
    again = call(*words)
    assert again.exit_code == 3
    assert "--resume" in again.stderr

    code, data = call_json(*words, "--resume")
    assert code == 0
    assert (data["runs"], data["done"], data["complete"], data["failures"]) == (4, 4, True, [])
    assert {entry["method"] for entry in data["entries"]} == {"astar", "vector-field"}
    assert (folder / "table.csv").read_bytes() == table

    code, data = call_json("report", folder)
    assert code == 0
    assert "<html" in (folder / "report.html").read_text()
    assert data["report"] == str(folder / "report.html")
    assert call("report", folder, "-o", tmp_path / "other.html", "--quiet").stdout == ""
    assert (tmp_path / "other.html").exists()


def test_overrides_reach_every_scenario(call_json, gap, tmp_path):
    code, data = call_json(
        "compare", gap, "--methods", "astar", "--seeds", 1, "--workers", 1, "--out", tmp_path / "slow.run",
        "--set", "limits.steps=10",
    )  # fmt: skip
    assert code == 0
    assert data["entries"][0]["comparable"] is False
    assert data["entries"][0]["steps"] == 10


def test_units_left_behind_are_said_clearly(call, gap, tmp_path):
    result = call("compare", gap, "--methods", "astar", "--seeds", 2, "--workers", 1, "--out", tmp_path / "x.run",
                  "--set", "limits.steps=10")  # fmt: skip
    assert result.exit_code == 0
    assert "left behind: the gap, astar: 100.0% of the units, in 2 of 2 runs" in result.stdout
    assert "2 runs: 1 scenario × 1 method × 2 seeds; all valid, 2 left units behind." in result.stdout
    assert "≥ 10" in result.stdout
    assert call("report", tmp_path / "x.run").exit_code == 0
    report = (tmp_path / "x.run" / "report.html").read_text()
    assert "≥ 10 steps" in report
    assert "100.0 %" in report


def test_too_many_units_are_refused_and_the_flag_that_allows_them_is_named(call, gap, tmp_path):
    result = call("compare", gap, "--max-units", 5, "--out", tmp_path / "x.run")
    assert result.exit_code == 3
    assert "--max-units" in result.stderr


def test_a_run_over_its_time_is_a_row_and_code_4(shell, gap, tmp_path):
    done = shell(
        "compare", gap, "--methods", "astar", "--seeds", 1, "--out", tmp_path / "x.run", "--timeout", 1, "--json",
        "--set", "limits.steps=2000000000", "--set", "groups.0.speed=1e-9", "--set", "limits.stall_steps=2000000000",
        "--set", "steering.stuck_steps=2000000000",
    )  # fmt: skip
    assert done.returncode == 4, done.stderr
    assert json.loads(done.stdout)["failures"][0]["status"] == "timeout"


@pytest.mark.parametrize(
    ("statuses", "code"), [([], None), (["timeout"], 4), (["memory"], 4), (["invalid"], 1), (["timeout", "crash"], 1)]
)
def test_the_exit_code_says_how_runs_failed(statuses, code):
    found = summarise([], ["a"], ["x"], [0])
    failed = replace(found, failures=tuple(Failure("a", "x", 0, status, "because") for status in statuses))
    if code is None:
        finish(failed)
        return
    with pytest.raises(typer.Exit) as end:
        finish(failed)
    assert end.value.exit_code == code
