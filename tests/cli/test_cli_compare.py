"""The commands `compare` and `report`."""

import json


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


def test_a_run_over_its_time_is_a_row_and_code_4(shell, gap, tmp_path):
    done = shell(
        "compare", gap, "--methods", "astar", "--seeds", 1, "--out", tmp_path / "x.run", "--timeout", 1, "--json",
        "--set", "limits.steps=2000000000", "--set", "groups.0.speed=1e-9", "--set", "limits.stall_steps=2000000000",
        "--set", "steering.stuck_steps=2000000000",
    )  # fmt: skip
    assert done.returncode == 4, done.stderr
    assert json.loads(done.stdout)["failures"][0]["status"] == "timeout"
