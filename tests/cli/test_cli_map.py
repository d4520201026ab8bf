"""The command `map`."""

import pytest

from anabasis.io.maps import load_grid


def test_info_counts(call_json, call, small_map):
    code, data = call_json("map", "info", small_map)
    assert code == 0
    assert (data["width"], data["height"], data["free"], data["parts"]) == (10, 5, 34, 1)
    assert data["terrain"] == {".": 34, "@": 16}
    assert "10 × 5" in call("map", "info", small_map).stdout


def test_info_sees_the_map_as_the_movement_class_does(call_json, tmp_path):
    file = tmp_path / "pond.txt"
    file.write_text("..WW..\n")
    assert call_json("map", "info", file)[1]["parts"] == 2
    assert call_json("map", "info", file, "--movement", "water")[1]["free"] == 2
    assert call_json("map", "info", file, "--movement", "amphibious")[1]["parts"] == 1


def test_show_draws_the_rows(call, small_map):
    rows = call("map", "show", small_map).stdout.split()
    assert rows == ["..........", ".@@@@@@@@.", ".......@..", ".@@@@@@.@.", ".........."]


def test_show_makes_a_large_map_smaller(call, tmp_path):
    file = tmp_path / "large.txt"
    file.write_text("\n".join(["." * 400] * 300))
    text = call("map", "show", file).stdout
    assert "400 × 300" in text
    assert max(map(len, text.splitlines())) <= 100


def test_show_writes_a_picture(call_json, small_map, tmp_path):
    picture = tmp_path / "map.png"
    code, data = call_json("map", "show", small_map, "--picture", picture)
    assert code == 0
    assert data["picture"] == str(picture.resolve())
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("suffix", [".map", ".txt", ".png", ".npz"])
def test_convert_keeps_the_walls(call_json, small_map, tmp_path, suffix):
    target = tmp_path / f"copy{suffix}"
    assert call_json("map", "convert", small_map, target)[0] == 0
    assert (load_grid(target).free == load_grid(small_map).free).all()


def test_convert_scales(call_json, small_map, tmp_path):
    target = tmp_path / "large.map"
    assert call_json("map", "convert", small_map, target, "--scale", 2)[1]["width"] == 20
    assert load_grid(target).free.shape == (10, 20)


def test_an_archive_keeps_its_prices_unless_a_movement_class_is_named(call_json, tmp_path):
    from anabasis import Grid
    from anabasis.io.archive import save

    save(Grid.from_text("..WW", "water"), tmp_path / "sea.npz")
    assert call_json("map", "info", tmp_path / "sea.npz")[1]["free"] == 2
    assert call_json("map", "info", tmp_path / "sea.npz", "--movement", "amphibious")[1]["free"] == 4
    assert call_json("path", tmp_path / "sea.npz", "2,0", "3,0")[0] == 0
