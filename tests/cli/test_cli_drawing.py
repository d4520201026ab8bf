"""Maps drawn in the terminal."""

import sys

import numpy as np
import pytest
from rich.color import Color

from anabasis.cli import drawing
from anabasis.cli.output import Output
from anabasis.gamemap import GameMap, Recipe, Site
from anabasis.grid import Grid
from anabasis.io.archive import save


def test_a_way_is_told_from_snow(call, tmp_path):
    plain, snowy = tmp_path / "plain.txt", tmp_path / "snowy.txt"
    plain.write_text("....\n.^^.\n")
    snowy.write_text("....\n.**.\n")
    assert call("path", plain, "0,0", "3,0").stdout.splitlines()[:2] == ["****", ".^^."]
    assert call("path", snowy, "0,0", "3,0").stdout.splitlines()[:2] == ["oooo", ".**."]
    assert call("map", "show", snowy).stdout.splitlines() == ["....", ".**."]


def test_colours_of_terrain_are_colours_and_the_way_has_one_of_its_own(monkeypatch, capsys):
    for name in drawing._COLOURS.values():
        Color.parse(name)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    grid = Grid.from_text("..*W\n^^TT")
    drawing.draw_map(Output(), grid)
    plain = capsys.readouterr().out
    drawing.draw_map(Output(), grid, [(0, 0), (1, 0)])
    marked = capsys.readouterr().out
    assert "▀" in plain and plain != marked


@pytest.mark.parametrize(("width", "height"), [(3, 5000), (5000, 3), (1, 900)])
def test_a_long_narrow_map_is_drawn(width, height, capsys):
    drawing.draw_map(Output(), Grid.from_free(np.ones((height, width), np.bool_)), reduce=True)
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith(f"{width} × {height} cells, one in ")
    assert rows and all(set(row) == {"."} for row in rows) and max(len(rows), len(rows[0])) <= 100


@pytest.fixture
def archive(tmp_path):
    """A generated map with hills, and its file."""
    terrain = np.full((20, 30), ord("G"), np.uint8)
    terrain[8:, 14] = ord("^")
    heights = np.add.outer(np.linspace(0, 1, 20), np.sin(np.arange(30.0)))
    made = GameMap(terrain, heights, sites=(Site("start", 2, 2, 0),), recipe=Recipe("plains", 30, 20, 0, {}))
    save(made, tmp_path / "m.npz")
    return made, tmp_path / "m.npz"


def test_a_path_on_a_generated_map_is_drawn_on_its_land(archive, call, tmp_path):
    from anabasis import find_path
    from anabasis.view.scene import game_map_scene, path_scene
    from anabasis.view.show import save_picture

    made, file = archive
    answer = find_path(made, (3, 15), (25, 15))
    assert answer.land is made and isinstance(answer.space, Grid)
    assert answer.path is not None
    save_picture(path_scene(game_map_scene(made), answer.path), tmp_path / "own.png")
    answer.save(tmp_path / "answer.png")
    assert call("path", file, "3,15", "25,15", "--picture", tmp_path / "called.png").exit_code == 0
    own = (tmp_path / "own.png").read_bytes()
    assert (tmp_path / "answer.png").read_bytes() == own == (tmp_path / "called.png").read_bytes()
    for more in (["--movement", "land"], ["--scale", "2"]):
        assert call("path", file, "3,15", "25,15", *more, "--picture", tmp_path / "flat.png").exit_code == 0
        assert (tmp_path / "flat.png").read_bytes() != own
    assert call("path", file, "3,15", "14,15", "--picture", tmp_path / "none.png").exit_code == 1
    assert call("path", file, "3,15", "25,15", "--searched", "--picture", tmp_path / "s.png").exit_code == 0
