"""The command `calibrate`, on fewer widths than it has."""

import pytest

from anabasis.lab import calibration


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(calibration, "QUICK_WIDTHS", (1.0,))


@pytest.mark.long
def test_it_shows_and_writes_what_it_measured(call, tmp_path):
    pytest.importorskip("matplotlib")
    table, picture = tmp_path / "t.csv", tmp_path / "c.svg"
    result = call("calibrate", "--quick", "--workers", 1, "--out", table, "--picture", picture)
    assert result.exit_code == 0
    assert "Units that pass in one slice" in result.stdout
    assert str(table.resolve()) in result.stdout
    assert len([line for line in table.read_text().splitlines() if not line.startswith("#")]) == 1 + 3 * 5
    assert picture.read_bytes().startswith(b"<?xml")
    written = table.read_bytes()
    code = call("calibrate", "--quick", "--workers", 1, "--out", table, "--quiet")
    assert (code.exit_code, code.stdout) == (0, "")
    assert table.read_bytes() == written


def test_json_has_every_run(call_json):
    code, answer = call_json("calibrate", "--quick", "--seeds", 1, "--workers", 1)
    assert code == 0
    assert answer["measurements"][0].keys() == {"passage", "follows", "width", "seed", "rate"}
    assert len(answer["measurements"]) == 15


@pytest.mark.parametrize("arguments", [("--out", "t.txt"), ("--picture", "c.gif"), ("--seeds", "0")])
def test_wrong_arguments_are_refused_before_the_work(call, arguments):
    assert call("calibrate", *arguments).exit_code in (2, 3)
