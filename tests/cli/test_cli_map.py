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


@pytest.fixture
def generated(call, tmp_path):
    """The files of a generated map, by suffix; the picture to look at is "picture"."""
    files = {suffix: tmp_path / f"a b.{suffix}" for suffix in ("npz", "txt", "map", "png")}
    files["picture"] = tmp_path / "look.png"
    make = ("map", "generate", "--preset", "plains", "--size", 40, "--seed", 3, "--players", 1)
    for suffix in ("npz", "txt", "map", "png"):
        assert call(*make, "-o", files[suffix], "--picture", files["picture"]).exit_code == 0
    return files


def test_info_says_what_a_generated_map_was_made_from(generated, call, call_json, small_map):
    for suffix in ("npz", "txt", "map", "png"):
        code, told = call_json("map", "info", generated[suffix])
        assert code == 0
        assert (told["recipe"]["generator"], told["recipe"]["seed"], told["width"]) == ("plains", 3, 40)
        text = call("map", "info", generated[suffix]).stdout
        assert "made from: plains, seed 3, 40 × 40 cells" in text and "picture" not in text
        assert "a picture" not in call("map", "info", generated[suffix], "--scale", 2).stdout
    assert call_json("map", "info", generated["npz"])[1]["sites"]["start"] == 1
    assert call_json("map", "info", small_map)[1]["recipe"] is None


def test_info_warns_of_a_picture_that_is_no_map(generated, call):
    text = call("map", "info", generated["picture"]).stdout
    assert "this is a picture of that map; the map itself: anabasis map generate --again" in text


def test_info_of_a_map_whose_recipe_is_damaged(generated, call_json):
    text = generated["txt"].read_text()
    generated["txt"].write_text(text.replace('"seed"', '"sod"'))
    code, told = call_json("map", "info", generated["txt"])
    assert code == 0 and told["recipe"] is None and told["width"] == 40


@pytest.mark.parametrize("suffix", [".map", ".txt", ".png", ".npz"])
def test_convert_keeps_the_recipe_of_a_generated_map(generated, call, tmp_path, suffix):
    from anabasis.io.recipe import load_recipe

    target = tmp_path / f"copy{suffix}"
    assert call("map", "convert", generated["npz"], target).exit_code == 0
    assert load_recipe(target) == load_recipe(generated["npz"])
    assert target.read_bytes() == generated[suffix[1:]].read_bytes()


def test_a_scaled_map_has_no_recipe(generated, call_json, tmp_path):
    target = tmp_path / "large.npz"
    assert call_json("map", "convert", generated["npz"], target, "--scale", 2)[1]["width"] == 80
    assert call_json("map", "info", target)[1]["recipe"] is None
