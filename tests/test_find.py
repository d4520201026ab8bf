"""Three lines to a path."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import anabasis as a
from anabasis.metrics.paths import path_faults

MAP = """
..........
.########.
.......#..
.######.#.
..........
"""


@pytest.fixture
def grid() -> a.Grid:
    return a.Grid.from_text(MAP)


def test_a_path_and_its_answer(grid: a.Grid) -> None:
    answer = a.find_path(grid, (0, 2), (9, 2))
    assert answer and answer.path is not None
    assert answer.cells[0] == (0, 2) and answer.cells[-1] == (9, 2)
    assert answer.cost == 13.0
    assert answer.reason == "" and answer.nearest is None
    assert repr(answer) == "<path from (0, 2) to (9, 2): cost 13.000000, 14 cells>"
    assert path_faults(grid, answer.path, start=grid.vertex(0, 2), goal=grid.vertex(9, 2)) == []


def test_no_path_is_an_answer_that_says_why(grid: a.Grid) -> None:
    walled = grid.with_terrain([[0, 1], [0, 3]], "@")
    answer = a.find_path(walled, (0, 2), (9, 2))
    assert not answer and answer.path is None and answer.cells == [] and answer.cost == float("inf")
    assert "not connected" in answer.reason and answer.nearest == (6, 2)
    assert repr(answer).startswith("<no path from (0, 2) to (9, 2): the goal")


def test_options_reach_the_method(grid: a.Grid) -> None:
    costs = {m: a.find_path(grid, (0, 2), (9, 2), method=m, neighbours=4).cost for m in ("astar", "dijkstra", "greedy")}
    assert costs["astar"] == costs["dijkstra"] <= costs["greedy"]
    assert a.find_path(grid, (0, 2), (9, 2), corners="none").cost < 13.0
    assert a.find_path(grid, (0, 2), (9, 2), traced=True).result.trace is not None


def test_a_shortened_path_is_no_longer_and_meets_no_wall() -> None:
    grid = a.Grid.from_text("......\n......\n...#..\n......\n......")
    straight = a.find_path(grid, (0, 0), (5, 4), shorten=True)
    stepwise = a.find_path(grid, (0, 0), (5, 4))
    assert straight.path is not None
    assert straight.result.bound <= straight.cost < stepwise.cost
    assert straight.cells == [] and "corners>" in repr(straight)
    assert path_faults(grid, straight.path, start=0, goal=grid.vertex(5, 4)) == []


def test_a_path_in_a_world_of_polygons(tmp_path: Path) -> None:
    world = a.World.of((0, 0, 10, 10), [[[4, 0], [6, 0], [6, 7], [4, 7]]])
    answer = a.find_path(world, (1, 1), (9, 1.5), method="visibility-graph")
    assert answer and answer.path is not None and answer.cells == []
    assert [tuple(p) for p in answer.path.points.tolist()] == [(1, 1), (4, 7), (6, 7), (9, 1.5)]
    assert "4 corners" in repr(answer)
    answer.save(tmp_path / "way.png")
    inside = a.find_path(world, (1, 1), (5, 5), method="visibility-graph")
    assert not inside and "goal" in inside.reason


def test_a_map_of_cells_is_a_world_too() -> None:
    grid = a.Grid.from_text(".....\n..#..\n.....")
    answer = a.find_path(grid, (0, 1), (4, 1), method="polyanya")
    assert answer.path is not None
    assert answer.cost == pytest.approx(2 * (1.5**2 + 0.5**2) ** 0.5 + 1)
    assert answer.path.points[0].tolist() == [0.5, 1.5]
    assert answer.start == (0, 1)


def test_it_can_be_looked_at(grid: a.Grid, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[object] = []
    monkeypatch.setattr("anabasis.view.show.show", shown.append)
    for goal in ((9, 2), (1, 1)):  # with a path and without
        answer = a.find_path(grid, (0, 2), goal)
        answer.show()
        answer.save(tmp_path / "path.png")
        assert (tmp_path / "path.png").read_bytes().startswith(b"\x89PNG")
        assert ElementTree.fromstring(answer._repr_svg_()).tag.endswith("svg")  # noqa: S314 - our own text
    assert len(shown) == 2


def test_load_takes_maps_scenarios_and_saved_nouns(grid: a.Grid, tmp_path: Path) -> None:
    a.save(grid, tmp_path / "m.map")
    assert a.state_hash(a.load(tmp_path / "m.map")) == a.state_hash(grid)
    assert not a.load(tmp_path / "m.map", movement="water").free.any()
    a.save(a.find_path(grid, (0, 2), (9, 2)).path, tmp_path / "p.npz")
    assert a.load(tmp_path / "p.npz").cost == 13.0
    scenario = a.Scenario(grid, (a.Group([[0.5, 2.5]], a.Target(9.5, 2.5)),))
    for name in ("s.toml", "s.npz"):
        a.save(scenario, tmp_path / name)
        assert a.state_hash(a.load(tmp_path / name)) == a.state_hash(scenario)
    with pytest.raises(a.InputError, match=r"unknown format; found '.map'; expected .npz for a Scenario"):
        a.save(scenario, tmp_path / "s.map")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: a.find_path(g, (0, 0), (10, 0)), r"cell x=10 \(column\), y=0 \(row\) is outside the map"),
        (lambda g: a.find_path(g, (0, 0), (1, 0), method="magic"), "unknown search method; found 'magic'"),
        (lambda g: a.find_path(g, (0, 0, 0), (1, 0)), "start of a path"),
        (lambda g: a.find_path(g, (0.5, 0), (1, 0)), "start of a path"),
        (lambda g: a.find_path(g, 7, (1, 0)), "start of a path"),
        (lambda g: a.find_path("arena.map", (0, 0), (1, 0)), "no map to find a path on; found 'arena.map'"),
        (lambda g: a.find_path(g, (0, 0), (1, 0), weight=1e308), "weight of the estimate; found 1e[+]308"),
        (lambda g: a.find_path(g, (0, 0), (1, 0), weight=float("nan")), "weight of the estimate; found nan"),
        (lambda g: a.find_path(g, (0, 0), (1, 0), speed=3), "no option 'speed'"),
        (lambda g: a.find_path(g, (0, 0), (1, 0), method="theta", shorten=True), "straight already"),
        (
            lambda g: a.find_path(a.World.of((0, 0, 9, 9), []), (0, 0), (1, 0), method="jps"),
            "takes no world of polygons",
        ),
        (lambda g: a.find_path(a.World.of((0, 0, 9, 9), []), 4, (1, 0), method="polyanya"), "start of a path"),
        (
            lambda g: a.find_path(a.Grid(g.cost * 2, g.terrain), (0, 0), (1, 0), method="polyanya"),
            "the method polyanya knows no prices",
        ),
    ],
)
def test_a_wrong_question_is_an_error(grid: a.Grid, call: object, message: str) -> None:
    with pytest.raises(a.InputError, match=message):
        call(grid)
