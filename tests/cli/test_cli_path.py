"""The command `path`."""

import pytest


def test_the_path_is_the_shortest(call_json, small_map):
    code, data = call_json("path", small_map, "0,0", "9,4")
    assert code == 0
    assert data["status"] == "solved"
    assert data["cost"] == pytest.approx(13.0)
    assert data["cells"][0] == [0, 0]
    assert data["cells"][-1] == [9, 4]
    assert data["stats"]["expanded"] >= 1


def test_options_reach_the_method(call_json, small_map):
    cost = {
        corners: call_json("path", small_map, "0,2", "9,2", "--corners", corners)[1]["cost"]
        for corners in ("strict", "loose", "none")
    }
    assert cost["strict"] > cost["loose"] >= cost["none"]
    four = call_json("path", small_map, "0,2", "9,2", "--neighbours", 4)[1]["cost"]
    assert four == int(four)
    assert four >= cost["strict"]


def test_every_search_method_of_the_table(call_json, small_map):
    from anabasis.methods import METHODS

    for row in METHODS:
        if row.family == "search":
            code, data = call_json("path", small_map, "0,0", "9,4", "--method", row.name)
            assert code == 0, row.name
            if row.any_angle:
                assert data["cost"] >= 4 * 2**0.5 + 5 - 2 and data["points"], row.name
            elif row.optimal:
                assert data["cost"] == pytest.approx(13.0), row.name
            else:
                assert data["cost"] >= 13 - 1e-9, row.name


def test_scaled_map(call_json, small_map):
    assert call_json("path", small_map, "0,0", "27,0", "--scale", 3)[1]["cost"] == pytest.approx(27.0)


def test_a_person_sees_the_path_drawn(call, small_map):
    text = call("path", small_map, "0,0", "9,4").stdout
    assert "*" in text
    assert "cost 13.000000" in text


def test_quiet_prints_nothing(call, small_map):
    result = call("path", small_map, "0,0", "9,4", "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_no_path_is_code_1_with_the_nearest_cell(call, call_json, tmp_path):
    file = tmp_path / "walled.txt"
    file.write_text("...#.\n...#.\n...#.\n")
    code, data = call_json("path", file, "0,0", "4,2")
    assert code == 1
    assert data["status"] == "no_solution"
    assert data["reason"]
    assert data["nearest"] == [2, 2]
    assert data["cost"] is None
    text = call("path", file, "0,0", "4,2").stdout
    assert "no path" in text
    assert "2,2" in text


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_picture_is_written(call_json, small_map, tmp_path, suffix):
    picture = tmp_path / f"way{suffix}"
    code, data = call_json("path", small_map, "0,0", "9,4", "--picture", picture)
    assert code == 0
    assert data["picture"] == str(picture.resolve())
    assert picture.read_bytes()[:4] in (b"\x89PNG", b"<svg", b"<?xm")
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".tmp"] == []


def test_what_was_searched_can_be_seen(call, small_map, tmp_path):
    plain, searched = tmp_path / "plain.png", tmp_path / "searched.png"
    assert call("path", small_map, "0,2", "9,2", "--picture", plain).exit_code == 0
    assert call("path", small_map, "0,2", "9,2", "--picture", searched, "--searched").exit_code == 0
    assert plain.read_bytes() != searched.read_bytes()


def test_what_was_searched_is_written_for_posthoc(call, call_json, small_map, tmp_path):
    from anabasis.io.posthoc import read_posthoc

    code, data = call_json("path", small_map, "0,0", "9,4", "--trace", tmp_path / "a.trace.json")
    assert code == 0
    assert data["trace"] == str((tmp_path / "a.trace.json").resolve())
    assert (read_posthoc(tmp_path / "a.trace.json").event == 1).sum() == data["stats"]["expanded"]
    assert call("path", small_map, "0,0", "9,4", "--trace", tmp_path / "a.json").exit_code == 2


def test_options_of_one_method_alone(call, call_json, small_map):
    code, data = call_json("path", small_map, "0,0", "9,4", "--set", "limit=3")
    assert (code, data["status"]) == (4, "limit")
    wrong = call("path", small_map, "0,0", "9,4", "--set", "lmit=3")
    assert wrong.exit_code == 2
    assert "did you mean limit" in wrong.stderr
    for text, complaint in (("limit", "NAME=VALUE"), ("limit=many", "a whole number"), ("traced=perhaps", "yes or no")):
        assert complaint in call("path", small_map, "0,0", "9,4", "--set", text).stderr
