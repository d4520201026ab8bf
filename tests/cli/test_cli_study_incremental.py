"""The command `study incremental`."""

import pytest

from anabasis.lab.studies import incremental_study


@pytest.mark.long  # the study itself is run by the tests of `lab`
def test_the_study_of_incremental_search_from_end_to_end(call, call_json, tmp_path, monkeypatch):
    run, made = incremental_study.run_incremental, []

    def once(**options):
        made.append(run(**options) if not made else made[0])
        return made[0]

    monkeypatch.setattr(incremental_study, "run_incremental", once)  # once for all calls of this test
    folder = tmp_path / "i.run"
    code, data = call_json("study", "incremental", "--quick", "--out", folder)
    assert code == 0  # though not all is reproduced
    assert data["quick"] is True
    assert data["report"] == str(folder / "report.html")
    verdicts = {finding["claim"]: finding["verdict"] for finding in data["findings"]}
    assert verdicts["mended ways cost as much as those from scratch and those of A*, at each step"] == "reproduced"
    assert (
        verdicts["later searches of a unit are up to 16 times faster with reuse, without the compiler"] == "not tested"
    )
    assert [row["map"] for row in data["tables"]["crossing"]][:2] == ["empty", "20 % blocked"]
    assert data["times"]["times_crossing"][0]["best step least"] <= data["times"]["times_crossing"][0]["best step"]
    names = {"report.html", "report.txt", "times.txt", *(f"{name}.csv" for name in [*data["tables"], *data["times"]])}
    assert {file.name for file in folder.iterdir()} == names

    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    text = call("study", "incremental", "--quick", "--out", folder).stdout
    assert "reproduced: mended ways cost as much" in text
    assert "The source's experiment: expansions" in text
    assert str(folder / "report.html") in text
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    assert len(made) == 2


def test_wrong_options_of_the_study_are_told(call, tmp_path):
    (tmp_path / "file").write_text("")
    result = call("study", "incremental", "--quick", "--out", tmp_path / "file")
    assert result.exit_code in (2, 3)
    assert "no folder" in result.stderr
    assert "four units cross a small map" in " ".join(call("study", "incremental", "--help").stdout.split())
