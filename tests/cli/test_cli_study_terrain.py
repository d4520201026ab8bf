"""The command `study terrain`."""

import json

import pytest

from anabasis.lab.studies import terrain_study


@pytest.mark.long  # the study itself is run by the tests of `lab`
def test_the_study_of_terrain_from_end_to_end(call, call_json, tmp_path, monkeypatch):
    run, made = terrain_study.run_terrain, []

    def once(**options):
        made.append(run(**options) if not made else made[0])
        return made[0]

    monkeypatch.setattr(terrain_study, "run_terrain", once)  # once for all calls of this test
    folder = tmp_path / "t.run"
    code, data = call_json("study", "terrain", "--quick", "--out", folder)
    assert code == 0  # though not all is reproduced
    claims = [finding["claim"].partition(":")[0] for finding in data["findings"]]
    assert [c for c in claims if c.startswith("C")] == [f"C{k}" for k in range(1, 25)]
    assert {finding["verdict"] for finding in data["findings"]} == {"reproduced", "not reproduced"}
    assert data["quick"] is True
    assert data["report"] == str(folder / "report.html")
    assert {row["map"] for row in data["tables"]["presets"]} == {"island", "lake", "random"}
    assert data["times"][0]["gradient ns least"] <= data["times"][0]["gradient ns"]
    names = {"report.html", "report.txt", "times.txt", *(f"{name}.csv" for name in data["tables"])}
    assert {file.name for file in folder.iterdir()} == names

    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    text = call("study", "terrain", "--quick", "--out", folder).stdout
    assert "not reproduced: Beside C18" in text
    assert "Maps of the presets" in text
    assert str(folder / "report.html") in text
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    assert len(made) == 2
    assert json.dumps(data["findings"][0]["measured"])[1:-1] in json.dumps(before["report.txt"].decode())


def test_wrong_options_of_the_study_are_told(call, tmp_path):
    (tmp_path / "file").write_text("")
    result = call("study", "terrain", "--quick", "--out", tmp_path / "file")
    assert result.exit_code in (2, 3)
    assert "no folder" in result.stderr
    assert call("study", "terrain", "--workers", 0, "--out", tmp_path / "x.run").exit_code == 2
    assert not (tmp_path / "x.run").exists()
    assert "C1 to C24" in call("study", "terrain", "--help").stdout
