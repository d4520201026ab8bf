"""The command `regions`."""

import json

import numpy as np
import pytest

from anabasis import Grid
from anabasis.decompose.regions import PARAMETERS, decompose
from anabasis.io.maps import load_grid, save_grid

HALLS = "\n".join(["." * 40 if y in (9, 10, 30) else "." * 19 + "##" + "." * 19 for y in range(40)])


@pytest.fixture
def halls(tmp_path):
    """Two halls with a wall between, which has gaps of two cells and of one."""
    file = tmp_path / "halls.txt"
    file.write_text(HALLS)
    return file


def test_it_says_what_decompose_returns(call_json, halls):
    code, data = call_json("regions", halls, "--parameters", 2)
    d = decompose(load_grid(halls), 2)
    assert code == 0
    assert (data["set"], data["parameters"], data["picture"]) == (2, list(PARAMETERS[2]), None)
    assert (data["width"], data["height"]) == (40, 40)
    assert (data["regions"], data["gates"], data["inner_gates"]) == (d.regions, d.gates, 0) == (2, 2, 0)
    assert (data["narrowest"], data["widest"]) == (1, 2)
    assert [gate["width"] for gate in data["gate_list"]] == d.width.tolist()
    assert [[*gate["from"], *gate["to"]] for gate in data["gate_list"]] == d.ends.tolist()
    assert [gate["regions"] for gate in data["gate_list"]] == d.sides.tolist()
    assert data["smallest_region"] + data["largest_region"] == load_grid(halls).free.sum()


def test_set_5_is_the_default(call_json, halls):
    assert call_json("regions", halls)[1]["set"] == 5


def test_numbers_of_ones_own(call_json, call, halls):
    data = call_json("regions", halls, "--parameters", "3,1,7")[1]
    assert (data["set"], data["parameters"]) == (None, [3, 1, 7])
    assert "own" in call("regions", halls, "--parameters", "3, 1, 7").stdout


def test_all_sets_in_one_table(call_json, call, halls):
    grid = load_grid(halls)
    sets = call_json("regions", halls, "--all")[1]["sets"]
    assert [row["set"] for row in sets] == list(range(11))
    for number, row in enumerate(sets):
        d = decompose(grid, number)
        assert (row["regions"], row["gates"], row["inner_gates"]) == (d.regions, d.gates, int(d.inner.sum()))
        assert row["narrowest"] == (d.width.min() if d.gates else None)
        assert row["widest"] == (d.width.max() if d.gates else None)
    lines = call("regions", halls, "--all").stdout.splitlines()
    starts = [line.split()[:2] for line in lines]
    assert all([str(number), ",".join(map(str, numbers))] in starts for number, numbers in enumerate(PARAMETERS))


@pytest.mark.parametrize("stage", ["clearance", "flooding", "regions", "gates"])
def test_every_stage_has_a_picture(call_json, halls, tmp_path, stage):
    picture = tmp_path / f"{stage}.png"
    code, data = call_json("regions", halls, "--stage", stage, "--picture", picture)
    assert (code, data["picture"]) == (0, str(picture.resolve()))
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_pictures_of_stages_differ(call, halls, tmp_path):
    pictures = [tmp_path / f"{stage}.svg" for stage in ("clearance", "flooding", "regions", "gates")]
    for picture in pictures:
        result = call("regions", halls, "--parameters", 1, "--stage", picture.stem, "--picture", picture)
        assert f"picture: {picture.resolve()}" in result.stdout
    assert len({picture.read_text() for picture in pictures}) == 4


def test_walls_are_what_the_movement_class_cannot_enter(call_json, tmp_path):
    file = tmp_path / "pond.txt"
    file.write_text("\n".join(["." * 12 + "WW" + "." * 12] * 12))
    assert call_json("regions", file)[1]["regions"] == 2
    assert call_json("regions", file, "--movement", "amphibious")[1]["regions"] == 1
    assert call_json("regions", file, "--movement", "water")[1]["regions"] == 1


def test_scaled_maps_have_scaled_gates(call_json, halls):
    data = call_json("regions", halls, "--scale", 2, "--parameters", 2)[1]
    assert (data["width"], data["narrowest"], data["widest"]) == (80, 2, 4)


@pytest.mark.parametrize("text", ["#", ".", "##\n##"])
def test_maps_without_gates(call_json, call, tmp_path, text):
    file = tmp_path / "tiny.txt"
    file.write_text(text)
    code, data = call_json("regions", file)
    assert (code, data["gates"], data["narrowest"], data["gate_list"]) == (0, 0, None, [])
    assert data["regions"] == int("." in text)
    assert "none" in call("regions", file, "--all").stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--parameters", "11"], "0 (finest) to 10"),
        (["--parameters", "-1"], "0 (finest) to 10"),
        (["--parameters", "fine"], "three whole numbers"),
        (["--parameters", "5,1"], "three whole numbers"),
        (["--parameters", "5,1,2,3"], "three whole numbers"),
        (["--parameters", "0,1,1"], "distance denominator"),
        (["--parameters", ""], "three whole numbers"),
        (["--stage", "rivers"], "clearance or flooding or regions or gates"),
        (["--picture", "map.gif"], ".png"),
    ],
)
def test_wrong_words_are_answered_with_the_right_ones(call, halls, arguments, problem):
    result = call("regions", halls, *arguments)
    assert result.exit_code in (2, 3)
    assert problem in result.stderr
    assert "Traceback" not in result.stderr
    failure = call("regions", halls, *arguments, "--json")
    assert failure.exit_code == result.exit_code
    assert failure.stdout == "" or json.loads(failure.stdout)


def test_a_missing_map_and_a_missing_folder(call, halls, tmp_path):
    assert call("regions", tmp_path / "none.map").exit_code == 3
    before = sorted(tmp_path.iterdir())
    assert call("regions", halls, "--picture", tmp_path / "nowhere" / "map.png").exit_code in (2, 3)
    assert sorted(tmp_path.iterdir()) == before


def test_quiet_prints_nothing(call, halls):
    assert call("regions", halls, "--quiet").stdout == ""


def test_game_map(call_json, movingai):
    code, data = call_json("regions", movingai / "dao" / "arena.map", "--all")
    assert code == 0
    counts = [row["regions"] for row in data["sets"]]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1] == 1


def test_the_size_of_regions_is_measured_in_cells(call_json, tmp_path):
    free = np.zeros((20, 41), bool)
    free[:, :20], free[:, 21:] = True, True
    free[10, 20] = True
    file = tmp_path / "door.map"
    save_grid(Grid.from_free(free), file)
    data = call_json("regions", file, "--parameters", 3)[1]
    assert (data["smallest_region"], data["largest_region"]) == (400, 401)
    assert data["gate_list"] == [{"from": [20, 10], "to": [20, 10], "width": 1, "regions": [0, 1]}]
