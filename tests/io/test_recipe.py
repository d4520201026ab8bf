"""The recipe of a generated map survives in each kind of file, and changes nothing for other readers."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from anabasis import GameMap, Grid, InputError, Recipe
from anabasis.io.heightmap import save_heightmap
from anabasis.io.maps import load_grid, save_grid
from anabasis.io.recipe import load_recipe, recipe_text, split_recipe, with_recipe

RECIPE = Recipe("rooms", 4, 2, 2**63 - 1, {"door": 2, "extra": 0.5, "tall": True, "style": "ä\n# anabasis {"})
LAND = np.frombuffer(b"W,G^.T*=", np.uint8).reshape(2, 4)
MAP = GameMap(LAND, np.arange(8.0).reshape(2, 4), 1.5, recipe=RECIPE)


@pytest.mark.parametrize("name", ["a.map", "a.txt", "a.npz", "a.png"])
def test_each_kind_of_file_keeps_the_recipe(tmp_path: Path, name: str) -> None:
    save_grid(MAP, tmp_path / name)
    assert load_recipe(tmp_path / name) == RECIPE
    assert np.array_equal(load_grid(tmp_path / name).free, MAP.grid().free)


def test_other_readers_see_the_rows_first(tmp_path: Path) -> None:
    save_grid(MAP, tmp_path / "a.map")
    save_grid(MAP.grid(), tmp_path / "b.map")
    plain = (tmp_path / "b.map").read_bytes()
    data = (tmp_path / "a.map").read_bytes()
    assert data.startswith(plain) and data.count(b"\n") == plain.count(b"\n") + 1
    assert split_recipe(data) == (plain, recipe_text(RECIPE).encode())
    windows = tmp_path / "c.map"
    windows.write_bytes(data.replace(b"\n", b"\r\n"))
    assert load_recipe(windows) == RECIPE and np.array_equal(
        load_grid(windows).terrain, load_grid(tmp_path / "a.map").terrain
    )


def test_pillow_reads_the_recipe_of_pictures(tmp_path: Path) -> None:
    save_grid(MAP, tmp_path / "a.png")
    save_heightmap(MAP.heights, tmp_path / "h.png", recipe=RECIPE)
    for name in ("a.png", "h.png"):
        with Image.open(tmp_path / name) as image:
            image.load()
            assert json.loads(image.text["anabasis"])["seed"] == 2**63 - 1
        assert load_recipe(tmp_path / name) == RECIPE


def test_with_recipe_leaves_the_pixels(tmp_path: Path) -> None:
    pixels = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)
    Image.fromarray(pixels).save(tmp_path / "p.png")
    (tmp_path / "q.png").write_bytes(with_recipe((tmp_path / "p.png").read_bytes(), RECIPE))
    with Image.open(tmp_path / "q.png") as image:
        assert np.array_equal(np.asarray(image), pixels)


FAULTS = {
    "no recipe": (b"type octile\nheight 1\nwidth 1\nmap\n.\n", "the file holds no recipe of a map"),
    "not JSON": (b"..\n# anabasis {x\n", "the recipe of the map is damaged; found b'{x'; expected JSON"),
    "a list": (b"..\n# anabasis []\n", "the recipe of the map is damaged; found b'\\[\\]'"),
    "no seed": (b'..\n# anabasis {"generator": "rooms", "version": 1, "width": 1, "height": 1}\n', "no proper 'seed'"),
    "odd value": (
        b'..\n# anabasis {"generator": "a", "version": 1, "width": 1, "height": 1, "seed": 1, "parameters": {"a": []}}',
        "has an odd 'a'; found \\[\\]",
    ),
    "no width": (
        b'..\n# anabasis {"generator": "a", "version": 1, "width": 0, "height": 1, "seed": 1, "parameters": {}}\n',
        "width of a recipe; found 0; expected a whole number from 1",
    ),
    "truth for a number": (
        b'..\n# anabasis {"generator": "a", "version": 1, "width": 1, "height": 1, "seed": true, "parameters": {}}\n',
        "no proper 'seed'; found True",
    ),
    "cut PNG": (b"\x89PNG\r\n\x1a\n\0\0", "the file holds no recipe of a map"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_name_the_file(tmp_path: Path, name: str) -> None:
    data, message = FAULTS[name]
    (tmp_path / "bad.map").write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        load_recipe(tmp_path / "bad.map")
    assert "bad.map" in str(caught.value)


def test_a_changed_or_cut_recipe_of_a_picture_is_refused(tmp_path: Path) -> None:
    save_grid(MAP, tmp_path / "a.png")
    whole = (tmp_path / "a.png").read_bytes()
    changed, cut = whole.replace(b'"door": 2', b'"door": 3'), whole[: whole.index(b'"door"')]
    assert changed != whole
    for data in (changed, cut):
        (tmp_path / "b.png").write_bytes(data)
        with pytest.raises(InputError, match=r"b\.png: the recipe of the map is damaged"):
            load_recipe(tmp_path / "b.png")


def test_a_grid_has_no_recipe(tmp_path: Path) -> None:
    save_grid(Grid.from_text(".@"), tmp_path / "a.npz")
    with pytest.raises(InputError, match="no recipe"):
        load_recipe(tmp_path / "a.npz")
