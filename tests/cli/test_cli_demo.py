"""The command `demo`, from end to end, with a small group."""

import json

from anabasis.cli.demo import METHODS
from anabasis.io.scenario import load_scenario
from anabasis.methods import names


def test_the_demo_writes_report_and_pictures(shell, tmp_path):
    done = shell("demo", "--units", 30, "--seeds", 1, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["complete"] is True
    assert [entry["method"] for entry in data["entries"]] == list(METHODS)
    assert len(METHODS) == 6
    assert set(METHODS) <= set(names("group"))
    assert {entry["bound"] for entry in data["entries"]} != {None}
    assert all(entry["bound"] <= entry["steps"] for entry in data["entries"])
    assert load_scenario(data["scenario"]).size == 30
    assert data["report"] == str(tmp_path / "demo" / "report.html")
    page = (tmp_path / "demo" / "report.html").read_text()
    assert "<html" in page
    assert "It is proved that no method can do so before step" in page
    assert "gap to the proved bound" in page
    assert data["pictures"][0] == str(tmp_path / "demo" / "plan.png")
    for method in METHODS:
        for picture in ("crowd", "ways"):
            assert (tmp_path / "demo" / f"{method}-{picture}.png").read_bytes().startswith(b"\x89PNG")

    again = shell("demo", "--units", 20, "--seeds", 1, cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert str(tmp_path / "demo" / "report.html") in again.stdout
    assert "Try next" in again.stdout
    assert "plan.png" in again.stdout
    assert "proved that no method" in again.stdout
    assert "20 units" in again.stdout
    report = (tmp_path / "demo" / "report.html").read_text()
    assert "anabasis compare demo/chokepoint.scenario.toml" in report
    assert load_scenario(tmp_path / "demo" / "chokepoint.scenario.toml").size == 20
