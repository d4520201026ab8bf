"""The command `discretise`."""

from pathlib import Path

import numpy as np
import pytest

import anabasis as a
from anabasis.decompose.lattices import square_lattice
from anabasis.decompose.obstacles import grow
from anabasis.methods import names

ROOM = "POLYGON ((0 0, 10 0, 10 8, 0 8, 0 0), (4 3, 6 3, 6 5, 4 5, 4 3))"


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A room of 10 × 8 with a pillar."""
    file = tmp_path / "room.wkt"
    file.write_text(ROOM)
    return file


@pytest.fixture
def drawing(tmp_path: Path) -> Path:
    """A picture with a dark diamond, whose outline has steps."""
    from PIL import Image

    y, x = np.mgrid[:40, :60]
    file = tmp_path / "drawing.png"
    Image.fromarray(np.where(abs(x - 30) + abs(y - 20) < 12, np.uint8(0), np.uint8(255))).save(file)
    return file


def test_one_discretisation_is_measured(call_json, room):
    code, data = call_json("discretise", room, "--repeats", 1)
    assert code == 0
    assert (data["bounds"], data["rings"], data["corners"]) == ([0, 0, 10, 8], 1, 4)
    graph = square_lattice(a.load(room))
    row = data["spaces"][0]
    assert (row["space"], row["states"], row["arcs"]) == ("square-8", graph.size, graph.indices.size)
    assert row["mean_degree"] == pytest.approx(graph.indices.size / graph.size)
    assert row["bytes"] > 0 and row["seconds"] > 0


def test_all_are_compared_and_an_option_goes_to_those_that_have_it(call, call_json, room):
    code, data = call_json("discretise", room, "--all", "--repeats", 1, "--set", "edge=0.5", "--set", "samples=40")
    assert code == 0
    rows = {row["space"]: row for row in data["spaces"]}
    assert list(rows) == names("space")
    assert rows["square-4"]["options"] == {"edge": 0.5} and rows["square-4"]["states"] == 4 * 76
    assert rows["roadmap"]["states"] == 40
    assert rows["visibility"]["states"] == 4 and rows["visibility"]["options"] == {}
    text = call("discretise", room, "--all", "--repeats", 1).stdout
    assert all(name in text for name in names("space"))
    assert "room.wkt: 10 × 8, 1 ring, 4 corners" in text


def test_a_discretisation_that_fails_is_a_row(call, call_json, room):
    arguments = ("discretise", room, "--all", "--repeats", 1, "--set", "edge=1e-5")
    code, data = call_json(*arguments)
    rows = {row["space"]: row for row in data["spaces"]}
    assert code == 0
    assert "error" in rows["square-8"] and rows["mesh-merged"]["states"] > 1
    assert "square-8: " in call(*arguments).stdout
    assert call("discretise", room, "--set", "edge=1e-5").exit_code == 2


def test_obstacles_are_grown_first(call_json, room):
    code, data = call_json("discretise", room, "--radius", 0.5, "--space", "tangents", "--repeats", 1)
    grown = grow(a.load(room), 0.5)
    assert code == 0
    assert data["bounds"] == list(grown.bounds) == [0.5, 0.5, 9.5, 7.5]
    assert data["corners"] == len(grown.points)


def test_a_picture_becomes_polygons(call_json, drawing):
    corners = {t: call_json("discretise", drawing, "--repeats", 1, "--tolerance", t)[1]["corners"] for t in (0, 1)}
    assert corners[1] == 4
    assert corners[0] > 40


@pytest.mark.parametrize("kind", ["map", "archive of a world", "archive of a map"])
def test_other_files(call_json, small_map, tmp_path, kind):
    grid = a.load(small_map)
    file = small_map
    if kind != "map":
        from anabasis.decompose.outline import grid_world

        file = tmp_path / "a.npz"
        a.save(grid_world(grid) if "world" in kind else grid, file)
    code, data = call_json("discretise", file, "--repeats", 1)
    assert code == 0
    assert data["spaces"][0]["states"] == int(grid.free.sum())


@pytest.mark.parametrize("space", ["square-8", "triangular-3", "quadtree", "roadmap", "mesh-grown", "tangents"])
def test_pictures(call_json, room, tmp_path, space):
    picture = tmp_path / f"{space}.svg"
    code, data = call_json("discretise", room, "--space", space, "--repeats", 1, "--picture", picture)
    assert code == 0 and data["picture"] == str(picture.resolve())
    text = picture.read_text()
    marks = text.count("<circle") + text.count("<path") + text.count("<polygon") + text.count("<use")
    assert marks > 1, text[:500]


def test_wrong_calls(call, room, tmp_path):
    for arguments, complaint in (
        ((room, "--space", "hexagonal"), "did you mean hexagonal"),
        ((room, "--set", "egde=2"), "did you mean edge"),
        ((room, "--set", "neighbours=4"), "unknown option"),
        ((room, "--set", "edge=-1"), "edge"),
        ((room, "--all", "--set", "egde=2"), "no discretisation takes this option"),
        ((room, "--all", "--set", "edge=two"), "value of the option edge; found 'two'; expected a number"),
        ((room, "--all", "--set", "edge"), "expected NAME=VALUE"),
        ((room, "--all", "--space", "square-4"), "all discretisations or one; found 'square-4'"),
        ((room, "--all", "--picture", tmp_path / "p.png"), "one discretisation"),
        ((room, "--picture", tmp_path / "p.jpg"), ".png or .svg"),
        ((room, "--radius", 4), "less than half of 8"),
        ((room, "--radius", "nan"), "radius"),
        ((room, "--scale", 2), "neither cells nor terrain"),
        ((room, "--movement", "water"), "neither cells nor terrain"),
        ((room, "--threshold", 90), "is no picture; found 90"),
        ((room, "--tolerance", 0), "is no picture; found 0.0"),
    ):
        result = call("discretise", *arguments)
        assert result.exit_code == 2, arguments
        assert complaint in result.stderr, arguments


def test_bad_files(call, tmp_path):
    bad = {
        "none.wkt": (None, "no such file"),
        "a.wkt": ("POLYGON ((0 0, 1 0))", "line 1: a ring is too short"),
        "b.geojson": ("{", "not valid JSON"),
        "c.toml": ("", "this is a scenario"),
        "d.npz": ("nothing", "damaged"),
    }
    for name, (text, complaint) in bad.items():
        file = tmp_path / name
        if text is not None:
            file.write_text(text)
        result = call("discretise", file)
        assert result.exit_code == 3, name
        assert complaint in result.stderr, name


def test_quiet_prints_nothing(call, room):
    result = call("discretise", room, "--repeats", 1, "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    other = call("regions", room)
    assert other.exit_code == 3 and "world of polygons" in other.stderr
