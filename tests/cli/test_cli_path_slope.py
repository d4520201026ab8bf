"""Paths with prices of slopes: against networkx by the rule in plain Python, and what the command says of them."""

import json
import math
import re
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from scipy import ndimage

import anabasis
from anabasis.gamemap import GameMap
from anabasis.methods import METHODS
from anabasis.movement import movement_class

SIDE, START, GOAL = 33, (2, 3), (30, 28)
RELIEF = 32
ON_GRAPHS = [row for row in METHODS if row.family == "search" and "graph" in row.spaces]


@pytest.fixture(scope="module")
def hills():
    """Hilly land with woods, rocks and a pond; one cell of grass is closed in by rock."""
    rng = np.random.default_rng(4)
    heights = ndimage.gaussian_filter(rng.normal(size=(SIDE, SIDE)), 4)
    terrain = rng.choice(np.frombuffer(b"GGGGfh^", np.uint8), (SIDE, SIDE))
    terrain[14:20, 6:12] = ord("W")
    terrain[0:3, 30:33] = ord("^")
    for x, y in (START, GOAL, (31, 1)):
        terrain[y, x] = ord("G")
    return GameMap(terrain, heights)


@pytest.fixture(scope="module")
def file(hills, tmp_path_factory):
    path = tmp_path_factory.mktemp("slopes") / "hills.npz"
    anabasis.save(hills, path)
    return path


def plain_net(land, uphill, downhill, *, neighbours=8, corners="strict", steepest=math.inf, movement="land"):
    """The steps between cells with their prices, by the rule."""
    cost = movement_class(movement).cost[land.terrain]
    level = np.isin(land.terrain, np.frombuffer(b"W~+", np.uint8))
    heights = (land.heights - land.heights.min()) / np.ptp(land.heights) * RELIEF
    net = nx.DiGraph()
    net.add_nodes_from((x, y) for y in range(SIDE) for x in range(SIDE))
    for x, y in list(net):
        for i, j in [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]:
            if (i, j) not in net or math.isinf(cost[y, x]) or math.isinf(cost[j, i]):
                continue
            length = math.hypot(i - x, j - y)
            beside = [math.isfinite(cost[y, i]), math.isfinite(cost[j, x])]
            if length > 1 and (neighbours == 4 or not {"strict": all, "loose": any, "none": len}[corners](beside)):
                continue
            slope = 0.0 if level[y, x] or level[j, i] else (heights[j, i] - heights[y, x]) / length
            if abs(slope) <= steepest:
                dear = 1 + max(slope, 0) * uphill + max(-slope, 0) * downhill
                net.add_edge((x, y), (i, j), price=length * cost[j, i] * dear)
    return net


def cell(place):
    return f"{place[0]},{place[1]}"


def cost_along(net, cells):
    return sum(net[tuple(a)][tuple(b)]["price"] for a, b in pairwise(cells))


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        ({"uphill": 4}, {"uphill": 4, "downhill": 1}),
        ({"downhill": 0.5}, {"uphill": 2, "downhill": 0.5}),
        ({"steepest": 2.5}, {"uphill": 2, "downhill": 1, "steepest": 2.5}),
        ({"uphill": 3, "downhill": 0, "neighbours": 4}, {"uphill": 3, "downhill": 0, "neighbours": 4}),
        ({"uphill": 3, "corners": "none"}, {"uphill": 3, "downhill": 1, "corners": "none"}),
        ({"uphill": 1, "movement": "amphibious"}, {"uphill": 1, "downhill": 1, "movement": "amphibious"}),
    ],
)
def test_there_and_back_are_the_cheapest_ways_of_networkx(call_json, hills, file, asked, rule):
    net = plain_net(hills, **rule)
    options = [text for name, value in asked.items() for text in (f"--{name}", value)]
    costs = []
    for start, goal in ((START, GOAL), (GOAL, START)):
        code, data = call_json("path", file, cell(start), cell(goal), *options)
        assert (code, data["method"]) == (0, "astar")
        assert data["cost"] == pytest.approx(nx.dijkstra_path_length(net, start, goal, weight="price"), rel=1e-12)
        assert data["cells"][0] == list(start) and data["cells"][-1] == list(goal)
        assert data["cost"] == pytest.approx(cost_along(net, data["cells"]), rel=1e-12)
        assert data["points"] == [[x + 0.5, y + 0.5] for x, y in data["cells"]]
        said = {name: rule[name] for name in ("uphill", "downhill")}
        assert data["slopes"] == {**said, "steepest": rule.get("steepest"), "relief": RELIEF}
        costs.append(data["cost"])
    assert rule["uphill"] == rule["downhill"] or abs(costs[0] - costs[1]) > 0.1


@pytest.mark.parametrize("name", [row.name for row in ON_GRAPHS])
def test_every_search_that_takes_graphs(call_json, hills, file, name):
    net = plain_net(hills, 3, 1)
    near = (6, 6)  # iterating searches are slow where hardly two ways cost the same
    best = nx.dijkstra_path_length(net, START, near, weight="price")
    code, data = call_json("path", file, cell(START), cell(near), "--uphill", 3, "--method", name)
    assert (code, data["status"], data["method"]) == (0, "solved", name)
    assert data["cost"] == pytest.approx(cost_along(net, data["cells"]), rel=1e-12)
    assert data["cost"] >= best * (1 - 1e-12)
    assert data["bound"] <= best * (1 + 1e-12)
    if next(row for row in ON_GRAPHS if row.name == name).optimal:
        assert data["cost"] == pytest.approx(best, rel=1e-12)


def test_rules_of_steps_may_also_be_set_as_options_of_the_method(call_json, file):
    ends = cell(START), cell(GOAL), "--uphill", 3
    one = call_json("path", file, *ends, "--set", "neighbours=4")[1]
    assert one == call_json("path", file, *ends, "--neighbours", 4)[1]
    assert one["cost"] > call_json("path", file, *ends)[1]["cost"]


def test_a_person_is_told_that_slopes_are_in_the_cost(call, call_json, file):
    ends = cell(START), cell(GOAL)
    text = call("path", file, *ends, "--uphill", 3, "--steepest", 9.5).stdout
    told = re.search(r"cost ([\d.]+) with slopes \(uphill 3, downhill 1, steepest 9.5\), (\d+) cells, \d+ exp", text)
    data = call_json("path", file, *ends, "--uphill", 3, "--steepest", 9.5)[1]
    assert told and (float(told[1]), int(told[2])) == (pytest.approx(data["cost"], abs=1e-6), len(data["cells"]))
    assert text.count("*") == len(data["cells"])
    assert "with slopes (uphill 2, downhill 0.25), " in call("path", file, *ends, "--downhill", 0.25).stdout
    weighted = call("path", file, *ends, "--uphill", 3, "--weight", 4).stdout
    assert re.search(r"downhill 1\), at most [\d.]+ % above the shortest from cell to cell, ", weighted)
    plain = call_json("path", file, *ends)[1]
    assert plain["slopes"] is None and plain["cost"] < data["cost"]
    assert "slopes" not in call("path", file, *ends).stdout


def test_the_path_is_drawn_on_the_lit_land(call, hills, file, tmp_path):
    from anabasis.plan import Path
    from anabasis.view.scene import game_map_scene, path_scene
    from anabasis.view.show import save_picture

    for more in ((), ("--movement", "land")):
        picture = tmp_path / "called.png"
        result = call("path", file, cell(START), cell(GOAL), "--uphill", 3, *more, "--picture", picture, "--json")
        points = np.array(json.loads(result.stdout)["points"])
        way = Path(np.empty(0, np.int64), points, 1.0)
        save_picture(path_scene(game_map_scene(hills), way), tmp_path / "own.png")
        assert picture.read_bytes() == (tmp_path / "own.png").read_bytes()


def test_what_was_searched_is_shown_on_the_map(call_json, file, tmp_path):
    from anabasis.io.posthoc import read_posthoc

    picture, trace = tmp_path / "a.svg", tmp_path / "a.trace.json"
    shown = "--picture", picture, "--searched", "--trace", trace
    code, data = call_json("path", file, cell(START), cell(GOAL), "--uphill", 3, *shown)
    assert code == 0
    assert "order of expansion" in picture.read_text()
    assert (read_posthoc(trace).event == 1).sum() == data["stats"]["expanded"]


def test_why_there_is_no_path_names_cells(call, call_json, hills, file):
    def answer(*arguments):
        code, data = call_json("path", file, *arguments)
        assert (code, data["status"], data["cost"]) == (1, "no_solution", None)
        return data

    assert hills.terrain[16, 8] == ord("W")
    pond, closed = "8,16", "31,1"
    assert answer(cell(START), pond, "--uphill", 3)["reason"] == "the goal, x=8 (column), y=16 (row), is blocked"
    shut = answer(cell(START), closed, "--uphill", 3)
    assert shut["reason"].endswith("is not connected to the start, x=2 (column), y=3 (row)")
    assert shut["nearest"] == answer(cell(START), closed)["nearest"]
    for goal in (pond, cell(GOAL)):
        start = answer(pond, goal, "--uphill", 3)
        assert (start["reason"], start["nearest"]) == ("the start, x=8 (column), y=16 (row), is blocked", None)
    gentle = answer(cell(START), cell(GOAL), "--steepest", 0.05)
    assert gentle["reason"].endswith("y=3 (row) by slopes of at most 0.05")
    net = plain_net(hills, 2, 1, steepest=0.05)
    reached = {START} | nx.descendants(net, START)
    assert tuple(gentle["nearest"]) in reached and GOAL not in reached
    least = min(math.dist(GOAL, place) for place in reached)
    assert math.dist(GOAL, gentle["nearest"]) == pytest.approx(least)
    x, y = gentle["nearest"]
    text = call("path", file, cell(START), cell(GOAL), "--steepest", 0.05).stdout
    assert f"the reachable cell nearest to the goal is {x},{y}" in text


def test_which_maps_have_heights(call, file, tmp_path):
    land = anabasis.load(file)
    anabasis.save(land, tmp_path / "hills.txt")
    anabasis.save(land.grid(), tmp_path / "grid.npz")
    anabasis.save(GameMap(land.terrain, np.full(land.terrain.shape, 3.0)), tmp_path / "level.npz")
    (tmp_path / "room.wkt").write_text("POLYGON ((0 0, 40 0, 40 40, 0 40, 0 0))")
    for name, problem in (
        ("hills.txt", "the map has no heights"),
        ("grid.npz", "the map has no heights"),
        ("room.wkt", "the map has no heights"),
        ("level.npz", "the map is level"),
    ):
        result = call("path", tmp_path / name, cell(START), cell(GOAL), "--downhill", 1)
        assert result.exit_code == 2, name
        assert f"--downhill: {problem}; found {tmp_path / name}; expected the archive (.npz) of a" in result.stderr
        again = f"map generate --again {tmp_path / name} -o NAME.npz"
        assert (again in result.stderr) == (name != "level.npz")


def test_what_slopes_do_not_go_with_is_refused(call, file):
    for arguments, complaint in (
        (("--uphill", 3, "--shorten"), "--uphill: prices of slopes are for steps from cell to cell"),
        (("--downhill", 1, "--polygons"), "--downhill: prices of slopes are for steps"),
        (("--steepest", 1, "--space", "square-8"), "--steepest: prices of slopes are for steps"),
        (("--uphill", 3, "--scale", 2), "found --scale. Hint: leave one of the two out"),
        (("--uphill", 3, "--ends", "nearest"), "no discretisation was chosen"),
        (("--uphill", 3, "--method", "jps"), "the method jps heeds no slopes; expected astar or dijkstra or"),
        (("--uphill", 3, "--method", "theta"), "the method theta heeds no slopes"),
        (("--uphill", 3, "--method", "polyanya"), "the method polyanya heeds no slopes"),
        (("--uphill", 3, "--method", "dijkstra", "--weight", 2), "has no option --weight"),
        (("--uphill", 3, "--neighbours", 6), "number of neighbours; found 6"),
        (("--uphill", 3, "--corners", "round"), "unknown corner rule"),
        (("--uphill", 0.5), "--uphill: prices of slopes; found uphill 0.5, downhill 1; expected uphill at least"),
        (("--uphill", 0.5), "Hint: --downhill has its default, say it too"),
        (("--downhill", 3), "--downhill: prices of slopes; found uphill 2, downhill 3; expected"),
        (("--uphill", 1, "--downhill", 2), "--uphill: prices of slopes; found uphill 1, downhill 2"),
        (("--uphill", -1), "--uphill: prices of slopes; found uphill -1"),
        (("--uphill", 3, "--downhill", -1), "--downhill: prices of slopes; found uphill 3, downhill -1"),
        (("--uphill", "nan"), "--uphill: prices of slopes; found uphill nan"),
        (("--uphill", "inf"), "--uphill: prices of slopes; found uphill inf"),
        (("--downhill", "nan"), "--downhill: prices of slopes; found uphill 2, downhill nan"),
        (("--steepest", 0), "--steepest: steepest slope; found 0; expected a positive slope"),
        (("--steepest", "nan"), "--steepest: steepest slope; found nan"),
    ):
        result = call("path", file, cell(START), cell(GOAL), *arguments)
        assert result.exit_code == 2, (arguments, result.stderr)
        assert complaint in result.stderr, (arguments, result.stderr)
    assert "outside the map" in call("path", file, "33,0", cell(GOAL), "--uphill", 3).stderr
