"""What happens when output can't be written as it should be, and other edges of the process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCENARIO = """
schema = "anabasis/scenario"
schema_version = 1
[map]
text = "......"
[[groups]]
positions = [[0.5, 0.5]]
target = { x = 5.5, y = 0.5, radius = 1 }
"""


def anabasis(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from anabasis.cli import main; main()", *arguments]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 120} | options
    return subprocess.run(command, check=False, **options)


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    file = tmp_path / "s.toml"
    file.write_text(SCENARIO)
    return file


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_full_disk_under_stdout_is_no_traceback(options: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = anabasis("methods", *options, stdout=full)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr and "fault in Anabasis" not in done.stderr


def test_letters_that_the_terminal_lacks_are_replaced() -> None:
    done = anabasis("methods", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert "astar" in done.stdout


def test_a_name_can_not_steer_the_terminal(scenario: Path) -> None:
    scenario.write_text('name = "a\\u001b[31mb"\n' + SCENARIO)
    done = anabasis("run", str(scenario))
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout and "a\N{REPLACEMENT CHARACTER}[31mb" in done.stdout


@pytest.mark.parametrize("timeout", ["inf", "nan", "1e300", "3e6", "0", "-1"])
def test_a_senseless_time_limit_begins_nothing(scenario: Path, tmp_path: Path, timeout: str) -> None:
    done = anabasis("compare", str(scenario), "--timeout", timeout, "--out", str(tmp_path / "x.run"))
    assert done.returncode == 2
    assert "time limit of a run" in done.stderr
    assert not (tmp_path / "x.run").exists()


def test_methods_without_a_name_are_an_error(scenario: Path) -> None:
    done = anabasis("compare", str(scenario), "--methods", ",")
    assert done.returncode == 2
    assert "--methods names no method; found ','; expected astar," in done.stderr


def test_a_broken_journal_is_named(scenario: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.run"
    assert anabasis("compare", str(scenario), "--seeds", "1", "--workers", "1", "--out", str(out)).returncode == 0
    (out / "runs.sqlite").write_bytes(b"no database" * 100)
    done = anabasis("compare", str(scenario), "--seeds", "1", "--out", str(out), "--resume")
    assert done.returncode == 3
    assert "runs.sqlite: the journal can't be read" in done.stderr and "new folder" in done.stderr


def test_the_format_can_not_be_overridden(scenario: Path) -> None:
    done = anabasis("run", str(scenario), "--set", "schema_version=2")
    assert done.returncode == 2
    assert "--set schema_version=2: the format of a file can't be overridden" in done.stderr


def test_a_run_in_which_nothing_arrived_shows_no_statistics(scenario: Path) -> None:
    done = anabasis("run", str(scenario), "--set", "limits.steps=1")
    assert done.returncode == 4
    assert "nan" not in done.stdout and "0 of 1 units arrived" in done.stdout


def test_a_shortened_path(tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text("......\n......\n...#..\n......\n......\n")
    whole = anabasis("path", str(tmp_path / "m.txt"), "0,0", "5,4", "--json")
    short = anabasis("path", str(tmp_path / "m.txt"), "0,0", "5,4", "--json", "--shorten", "--metric", "euclidean")
    assert json.loads(short.stdout)["cost"] < json.loads(whole.stdout)["cost"]
    assert json.loads(short.stdout)["cells"] == [] and json.loads(short.stdout)["points"][0] == [0.5, 0.5]
    assert "corners" in anabasis("path", str(tmp_path / "m.txt"), "0,0", "5,4", "--shorten").stdout
