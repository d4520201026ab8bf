"""The command `path`."""

import re

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


ROOM = "POLYGON ((0 0, 10 0, 10 8, 0 8, 0 0), (4 3, 6 3, 6 5, 4 5, 4 3))"
AROUND = 2 * 10**0.5 + 2  # from (1, 4) to (9, 4) past two corners of the pillar


@pytest.fixture
def room(tmp_path):
    """A room of 10 × 8 with a pillar."""
    file = tmp_path / "room.wkt"
    file.write_text(ROOM)
    return file


@pytest.mark.parametrize("kind", ["wkt", "geojson", "npz"])
def test_a_path_among_polygons_from_any_file(call, call_json, room, tmp_path, kind):
    import anabasis as a

    file = tmp_path / f"w.{kind}"
    a.save(a.load(room), file)
    code, data = call_json("path", file, "1,4", "9,4.0")
    assert (code, data["method"], data["cells"]) == (0, "polyanya", [])
    assert data["cost"] == pytest.approx(AROUND)
    assert data["points"][0] == [1, 4] and data["points"][-1] == [9, 4] and len(data["points"]) == 4
    assert "4 corners" in call("path", file, "1,4", "9,4").stdout


def test_a_picture_as_polygons(call_json, tmp_path):
    import numpy as np
    from PIL import Image

    y, x = np.mgrid[:40, :60]
    Image.fromarray(np.where(abs(x - 30) + abs(y - 20) < 12, np.uint8(0), np.uint8(255))).save(tmp_path / "a.png")
    cells = call_json("path", tmp_path / "a.png", "5,20", "55,20")[1]["cost"]
    code, data = call_json("path", tmp_path / "a.png", "5.5,20.5", "55.5,20.5", "--polygons")
    assert code == 0
    assert 50 < data["cost"] < cells
    assert len(data["points"]) == 3


def test_every_method_for_worlds(call_json, room):
    from anabasis.methods import METHODS

    for row in METHODS:
        if row.family == "search" and "world" in row.spaces:
            code, data = call_json("path", room, "1,4", "9,4", "--method", row.name, "--set", "traced=yes")
            assert code == 0, row.name
            assert data["cost"] >= AROUND - 1e-9, row.name
            assert not row.optimal or data["cost"] == pytest.approx(AROUND), row.name


def test_what_was_searched_among_polygons(call, room, tmp_path):
    from anabasis.io.posthoc import read_posthoc

    plain, searched, trace = tmp_path / "plain.svg", tmp_path / "searched.svg", tmp_path / "a.trace.json"
    assert call("path", room, "1,4", "9,4", "--picture", plain).exit_code == 0
    assert call("path", room, "1,4", "9,4", "--picture", searched, "--searched", "--trace", trace).exit_code == 0
    assert "order of expansion" in searched.read_text() and "order of expansion" not in plain.read_text()
    assert len(read_posthoc(trace).event)


def test_a_search_on_the_graph_of_a_discretisation(call, call_json, room, tmp_path):
    fine = ("--space", "hexagonal-12", "--set-space", "edge=0.2")
    code, data = call_json("path", room, "1,4", "9,4", *fine)
    assert (code, data["method"], data["space"], data["moved"]) == (0, "astar", "hexagonal-12", {})
    assert data["points"][0] == [1, 4] and data["points"][-1] == [9, 4]
    assert AROUND <= data["cost"] <= 1.1 * AROUND
    theta = call_json("path", room, "1,4", "9,4", *fine, "--method", "theta")[1]
    assert AROUND <= theta["cost"] <= data["cost"]
    short = call_json("path", room, "1,4", "9,4", *fine, "--shorten")[1]
    assert AROUND <= short["cost"] <= data["cost"]
    exact = call_json("path", room, "1,4", "9,4", "--space", "tangents", "--method", "dijkstra")[1]
    assert exact["cost"] == pytest.approx(AROUND)
    picture, trace = tmp_path / "p.svg", tmp_path / "p.trace.json"
    text = call("path", room, "1,4", "9,4", *fine, "--picture", picture, "--searched", "--trace", trace).stdout
    assert " states" in text and "order of expansion" in picture.read_text() and trace.stat().st_size


def test_ends_that_are_moved_to_the_graph_are_named(call, call_json, room):
    arguments = ("path", room, "1.2,4", "8.5,4.5", "--space", "square-8", "--ends", "nearest")
    code, data = call_json(*arguments)
    assert code == 0
    assert data["moved"] == {"start": [1.5, 3.5]}
    assert data["points"][0] == [1.5, 3.5]
    assert "the start was moved to the nearest state, 1.5,3.5" in call(*arguments).stdout


def test_a_map_of_cells_on_another_graph_keeps_its_cells_as_ends(call, call_json, small_map):
    arguments = ("path", small_map, "0,0", "9,4", "--space", "mesh-graph-sides")
    code, data = call_json(*arguments)
    assert code == 0
    assert data["points"][0] == [0.5, 0.5] and data["points"][-1] == [9.5, 4.5]
    assert "*" in call(*arguments).stdout


def test_why_there_is_no_path_among_polygons(call, call_json, room, tmp_path):
    code, data = call_json("path", room, "1,4", "5,4")
    assert (code, data["status"]) == (1, "no_solution")
    assert "the goal" in data["reason"] and "an obstacle" in data["reason"]
    apart = tmp_path / "apart.wkt"
    apart.write_text("MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)), ((5 0, 9 0, 9 4, 5 4, 5 0)))")
    for more in ((), ("--space", "square-8")):
        code, data = call_json("path", apart, "1,1", "6,2", *more)
        assert code == 1 and "not connected" in data["reason"] and data["nearest"][0] == 4
        assert "the reachable place known nearest to the goal is 4," in call("path", apart, "1,1", "6,2", *more).stdout
    code, data = call_json("path", room, "1,4", "9,4", "--space", "square-8", "--set-space", "edge=9")
    assert code == 1 and "too coarse" in data["reason"]


def test_wrong_calls_among_polygons(call, room, small_map):
    for arguments, complaint in (
        ((room, "11,4", "9,4"), "outside the world"),
        ((room, "nan,4", "9,4"), "a place as x,y"),
        ((room, "1;4", "9,4"), "a place as x,y"),
        ((small_map, "1.5,4", "9,4"), "among polygons"),
        ((room, "1,4", "9,4", "--method", "astar"), "takes no world"),
        ((room, "1,4", "9,4", "--method", "jps", "--space", "square-8"), "takes no graph"),
        ((room, "1,4", "9,4", "--method", "polyanya", "--space", "square-8"), "takes no graph"),
        ((room, "1,4", "9,4", "--space", "mesh-merged"), "makes no graph"),
        ((room, "1,4", "9,4", "--space", "squares"), "did you mean square-"),
        ((room, "1,4", "9,4", "--set-space", "edge=2"), "no discretisation was chosen"),
        ((room, "1,4", "9,4", "--space", "square-8", "--ends", "near"), "did you mean nearest"),
        ((room, "1,4", "9,4", "--space", "square-8", "--set-space", "edgy=2"), "did you mean edge"),
        ((room, "1,4", "9,4", "--weight", "2"), "has no option --weight; expected --set limit="),
        ((small_map, "0,0", "9,4", "--method", "jps", "--weight", "2"), "expected --neighbours or --corners or"),
        ((room, "1,4", "9,4", "--method", "theta"), "--space NAME"),
        ((small_map, "0,0", "9,4", "--polygons", "--method", "jps"), "--space NAME"),
        ((room, "1,4", "9,4", "--method", "jps", "--space", "square-8"), "or theta or lazy-theta or astar-ps"),
        ((room, "1,4", "9,4", "--space", "square-8", "--neighbours", "4"), "Hint: --space square-4"),
        ((room, "1,4", "9,4", "--space", "square-8", "--set", "neighbours=4"), "Hint: --space square-4"),
        ((room, "1,4", "9,4", "--space", "hexagonal-12", "--neighbours", "8"), "--space hexagonal-6 or hexagonal-12"),
        ((room, "1,4", "9,4", "--space", "quadtree", "--neighbours", "8"), "leave it out"),
        ((room, "1,4", "9,4", "--space", "square-8", "--corners", "loose"), "--set-space corners=loose"),
        ((room, "1,4", "9,4", "--space", "tangents", "--corners", "loose"), "leave it out"),
        ((room, "1,4", "9,4", "--space", "square-8", "--method", "dijkstra", "--metric", "zero"), "no option --metric"),
        ((small_map, "0,0", "9,4", "--method", "anya", "--neighbours", "4"), "not from neighbour to neighbour"),
        ((small_map, "0,0", "9,4", "--searched"), "nothing shows what was searched"),
        ((small_map, "0,0", "9,4", "--ends", "nearest"), "no discretisation was chosen"),
        ((small_map, "-1,0", "9,4"), "outside"),
        ((room, "1,4", "9,4", "--shorten"), "straight already"),
    ):
        result = call("path", *arguments)
        assert result.exit_code == 2, (arguments, result.stderr)
        assert complaint in result.stderr, (arguments, result.stderr)


def test_places_below_zero(call_json, tmp_path):
    file = tmp_path / "own.wkt"
    file.write_text("POLYGON ((-5 -5, 25 -5, 25 5, -5 5, -5 -5))")
    assert call_json("path", file, "-1,1", "-.5,-2.5")[1]["points"] == [[-1, 1], [-0.5, -2.5]]
    assert call_json("path", file, "20,2", "-1,1", "--space", "visibility")[1]["points"][-1] == [-1, 1]
    code, data = call_json("drive", file, "-1,1,-90", "20,2", "--method", "timed")
    assert code == 0 and data["points"][0] == [-1, 1]


def test_how_far_a_path_may_be_from_a_shortest_is_told(call, call_json, small_map, tmp_path):
    arguments = ("path", small_map, "0,2", "9,2")
    exact = call_json(*arguments)[1]
    assert exact["bound"] == exact["cost"]
    assert "above" not in call(*arguments).stdout
    for more in (("--weight", "3"), ("--metric", "manhattan"), ("--method", "greedy")):
        data = call_json(*arguments, *more)[1]
        assert 0 < data["bound"] < exact["cost"] + 1e-9
        if data["bound"] < data["cost"]:
            text = call(*arguments, *more).stdout
            percent = float(re.search(r"at most ([\d.]+) % above the shortest from cell to cell", text)[1])
            assert 0 <= percent - 100 * (data["cost"] / data["bound"] - 1) <= 0.1
    text = call(*arguments, "--weight", "3", "--space", "square-8").stdout
    assert "above the shortest on this graph" in text
    walled = tmp_path / "walled.txt"
    walled.write_text("...#.\n...#.\n")
    assert call_json("path", walled, "0,0", "4,1")[1]["cost"] is None


def test_the_place_of_a_trace_is_printed(call, call_json, small_map, room, tmp_path):
    trace = tmp_path / "a.trace.json"
    assert f"trace: {trace.resolve()}" in call("path", small_map, "0,0", "9,4", "--trace", trace).stdout
    near = ("path", room, "1,1", "1.5,1", "--trace", tmp_path / "b.trace.json")
    assert "no trace is written" in call(*near).stdout and call_json(*near)[1]["trace"] is None


def test_the_graph_of_a_picture_is_that_of_discretise(call_json, call, tmp_path):
    import numpy as np
    from PIL import Image

    y, x = np.mgrid[:40, :60]
    Image.fromarray(np.where(abs(x - 30) + abs(y - 20) < 12, np.uint8(0), np.uint8(255))).save(tmp_path / "a.png")
    for space, name in (("visibility", None), ("hexagonal-12", "edge=2.5")):
        options = () if name is None else ("--set", name)
        made = call_json("discretise", tmp_path / "a.png", "--space", space, *options)[1]["spaces"][0]["states"]
        options = () if name is None else ("--set-space", name)
        text = call("path", tmp_path / "a.png", "5.25,20", "55,20", "--space", space, *options).stdout
        assert int(re.search(r"of (\d+) states", text)[1]) == made + 2  # start and goal are joined to it
