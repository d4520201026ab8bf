import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis import Grid, InputError, state_hash
from anabasis.io.movingai import DIALECTS, Scen, load_map, load_scen, save_map, save_scen

SMALL = "type octile\nheight 2\nwidth 4\nmap\n.GST\n@OW.\n"


def written(tmp_path: Path, text: str, name: str = "a.map") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    ("movement", "free"),
    [("land", "1110/0001"), ("water", "0000/0010"), ("amphibious", "1110/0011")],
)
def test_movement_classes(tmp_path: Path, movement: str, free: str) -> None:
    grid = load_map(written(tmp_path, SMALL), movement)
    assert "/".join("".join(str(int(c)) for c in row) for row in grid.free) == free
    assert bytes(grid.terrain).decode() == ".GST@OW."
    assert grid.uniform


@pytest.mark.parametrize(
    "text",
    [
        SMALL,
        SMALL.replace("\n", "\r\n"),
        SMALL[:-1],
        SMALL.replace("\n", "\r\n")[:-2],
        SMALL + "\n\n \r\n",
        "\ufeff" + SMALL,
        SMALL.replace(".GST\n", ".GST\r\n"),
        "width 4\n\nheight   2\ntype octile_unicost\nmap\n.GST\n@OW.\n",
        "height 2\ntype tile\nwidth 4\nmap \n.GST\n@OW.\n",
    ],
)
def test_layouts_that_are_accepted(tmp_path: Path, text: str) -> None:
    assert bytes(load_map(written(tmp_path, text)).terrain).decode() == ".GST@OW."


def test_the_land_of_generated_maps_is_written_as_what_units_on_land_see_alike(tmp_path: Path) -> None:
    grid = Grid.from_text(".,Gdt=+fhji~SWT^*@O")
    save_map(grid, tmp_path / "land.map")
    again = load_map(tmp_path / "land.map")
    assert bytes(again.terrain).decode() == "..G........SSWT@O@O"
    assert (again.free == grid.free).all()


def test_dialects(tmp_path: Path) -> None:
    path = written(tmp_path, SMALL.replace("W", "E"))
    grid = load_map(path, dialect="lorr")
    assert grid.is_free(2, 1) and grid.is_free(2, 0)
    save_map(grid, tmp_path / "b.map", dialect="lorr")
    assert (tmp_path / "b.map").read_bytes() == path.read_bytes()
    with pytest.raises(InputError, match=r"no letter in a .map file of dialect 'movingai'; found 'E'"):
        save_map(grid, tmp_path / "c.map")
    assert not (tmp_path / "c.map").exists()
    lenient = load_map(written(tmp_path, SMALL.replace("W", "x")), dialect="lenient")
    assert bytes(lenient.terrain).decode() == ".GST@O@."
    with pytest.raises(InputError, match=r"unknown map dialect; found 'dao'; expected movingai or lorr or lenient"):
        load_map(path, dialect="dao")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_map_comes_back(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    width, height = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 9))
    letters = data.draw(st.text(DIALECTS["movingai"], min_size=width * height, max_size=width * height))
    movement = data.draw(st.sampled_from(["land", "water", "amphibious"]))
    grid = Grid.from_terrain(np.frombuffer(letters.encode(), np.uint8).reshape(height, width), movement)
    path = tmp_path_factory.getbasetemp() / "any.map"
    save_map(grid, path)
    assert state_hash(load_map(path, movement)) == state_hash(grid)
    first = path.read_bytes()
    save_map(load_map(path), path)
    assert path.read_bytes() == first


def test_every_benchmark_map_comes_back_letter_by_letter(movingai: Path, tmp_path: Path) -> None:
    maps = sorted(movingai.rglob("*.map"))
    assert len(maps) == 33
    for path in maps:
        save_map(load_map(path), tmp_path / "copy.map")
        original = path.read_bytes().replace(b"\r\n", b"\n").split(b"map\n", 1)[1].rstrip(b"\n")
        assert (tmp_path / "copy.map").read_bytes().split(b"map\n", 1)[1].rstrip(b"\n") == original, path


def test_every_benchmark_scenario_comes_back(movingai: Path, tmp_path: Path) -> None:
    scens = sorted(movingai.rglob("*.scen"))
    assert len(scens) == 95
    for path in scens:
        scen = load_scen(path)
        save_scen(scen, tmp_path / "copy.scen")
        again = load_scen(tmp_path / "copy.scen")
        assert state_hash(again) == state_hash(dataclasses.replace(scen, line=again.line))
        rows = [line.split() for line in path.read_text().splitlines()[1:] if line.strip()]
        assert [r.split() for r in (tmp_path / "copy.scen").read_text().splitlines()[1:]] == rows, path


def test_scenario_fields(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "version 1.0\r\n7 maps/x/a.map 32 30 5 16 31 24 31.31370850\r\n\r\n0\tmy map.map\t32\t30\t0\t0\t1\t0\t1\r\n",
        "a.scen",
    )
    scen = load_scen(path)
    assert scen.maps == ("maps/x/a.map", "my map.map")
    assert (scen.width[0], scen.height[0], scen.start_x[0], scen.start_y[0]) == (32, 30, 5, 16)
    assert (scen.goal_x[0], scen.goal_y[0], scen.bucket[0]) == (31, 24, 7)
    assert scen.length.tolist() == [31.31370850, 1.0]
    assert scen.decimals.tolist() == [8, 0]
    assert scen.line.tolist() == [2, 4]
    assert not scen.length.flags.writeable


def test_an_empty_scenario_and_a_wrong_one(tmp_path: Path) -> None:
    scen = load_scen(written(tmp_path, "version 1\n", "a.scen"))
    assert scen.size == 0
    save_scen(scen, tmp_path / "b.scen")
    assert (tmp_path / "b.scen").read_text() == "version 1\n"
    ones = np.ones(1, np.int64)
    with pytest.raises(InputError, match=r"map name of a query"):
        save_scen(Scen(ones, ("a\tb",), *[ones] * 6, ones * 1.0, ones, ones), tmp_path / "c.scen")


def test_caps(tmp_path: Path) -> None:
    path = written(tmp_path, SMALL)
    with pytest.raises(InputError, match=r"found 4 × 2 cells; expected at most 3 cells a side. Hint: crop or shrink"):
        load_map(path, max_side=3)
    with pytest.raises(InputError, match=r"found 4 × 2 cells = 8; expected at most 7 cells. Hint: crop or shrink"):
        load_map(path, max_cells=7)
    assert load_map(path, max_side=4, max_cells=8).width == 4


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blanks_at_the_end_of_a_row_are_a_wrong_length(tmp_path: Path, end: str) -> None:
    (tmp_path / "a.map").write_bytes(f"type octile\nheight 2\nwidth 3\nmap\n...{end}... {end}".encode())
    with pytest.raises(InputError, match=r"line 6: a row of the map has the wrong length; found 4 letters"):
        load_map(tmp_path / "a.map")
