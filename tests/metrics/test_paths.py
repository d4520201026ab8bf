"""The checks of paths: each fault is found and named, valid paths pass."""

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.metrics.paths import group_faults, path_faults, step_counts
from anabasis.plan import FlowField, GroupPlan, Path
from anabasis.scenario import Group, Target

GRID = Grid.from_text("....\n.#..\n..3.")
ROOT = 2**0.5


def steps(cells: list[tuple[int, int]], cost: float) -> Path:
    vertices = [GRID.vertex(x, y) for x, y in cells]
    return Path(vertices, GRID.centres(vertices), cost)


def faults(path: Path, **options) -> list[str]:
    return [fault.split(":")[0] for fault in path_faults(GRID, path, start=0, goal=11, **options)]


def test_valid_steps_pass() -> None:
    down = [(0, 0), (1, 0), (2, 0), (3, 1), (3, 2)]
    assert faults(steps(down, 3 + ROOT)) == []
    assert faults(steps([(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (3, 2)], 7)) == []
    assert faults(steps([(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2)], 5), neighbours=4) == []
    assert step_counts(GRID, steps(down, 0)) == (3, 1)
    assert path_faults(GRID, Path([5], [[1.5, 1.5]], 0), start=5, goal=5) == [
        "obstacle: the path stands on x=1 (column), y=1 (row)"
    ]


@pytest.mark.parametrize(
    ("kind", "cells", "cost", "options"),
    [
        ("wrong start", [(1, 0), (2, 0), (3, 1), (3, 2)], 2 + ROOT, {}),
        ("wrong goal", [(0, 0), (1, 0), (2, 0), (3, 1)], 2 + ROOT, {}),
        ("late goal", [(0, 0), (1, 0), (2, 0), (3, 1), (3, 2), (3, 1), (3, 2)], 5 + ROOT, {}),
        ("jump", [(0, 0), (2, 0), (3, 1), (3, 2)], 3 + ROOT, {}),
        ("jump", [(0, 0), (0, 0), (1, 0), (2, 0), (3, 1), (3, 2)], 3 + ROOT, {}),
        ("jump", [(0, 0), (1, 0), (2, 0), (3, 1), (3, 2)], 3 + ROOT, {"neighbours": 4}),
        ("corner cut", [(0, 0), (1, 0), (2, 1), (3, 1), (3, 2)], 3 + ROOT, {}),
        ("cost", [(0, 0), (1, 0), (2, 0), (3, 1), (3, 2)], 4 + ROOT, {}),
        ("obstacle", [(0, 0), (0, 1), (1, 1), (2, 1), (3, 1), (3, 2)], 5, {}),
    ],
)
def test_each_fault_of_steps_is_named(kind: str, cells: list, cost: float, options: dict) -> None:
    assert faults(steps(cells, cost), **options) == [kind]


def test_other_faults() -> None:
    assert faults(Path([0, 12], [[0.5, 0.5], [0.5, 3.5]], 1)) == ["outside"]
    assert faults(Path([], np.zeros((0, 2)), 0)) == ["empty"]
    assert faults(Path([0, 1, 2, 7, 11], np.zeros((5, 2)), 3 + ROOT)) == ["points"]
    assert faults(steps([(0, 0), (1, 0), (2, 1), (3, 1), (3, 2)], 3 + ROOT), corners="loose") == []
    with pytest.raises(InputError, match="unknown corner rule"):
        faults(steps([(0, 0)], 0), corners="sharp")


def line(points: list[tuple[float, float]], cost: float) -> Path:
    return Path([], points, cost)


def test_polylines_are_checked_exactly() -> None:
    around = [(0.5, 0.5), (2.0, 1.0), (3.5, 2.5)]  # touches the corner of the wall
    length = np.hypot(1.5, 0.5) + np.hypot(1.5, 1.5)
    assert faults(line(around, length)) == []
    cut = [(0.5, 0.5), (3.5, 2.5)]
    assert faults(line(cut, np.hypot(3, 2))) == ["obstacle"]
    assert faults(line([(0.5, 0.5), (2.0, 0.999999), (3.5, 2.5)], 0)) == ["cost"]
    assert faults(line([(0.5, 0.5), (2.0, 1.000001), (3.5, 2.5)], 0)) == ["obstacle"]
    assert faults(line(around, length + 1e-6)) == ["cost"]
    assert faults(line([(0.5, 0.6), *around[1:]], length)) == ["wrong start", "cost"]
    assert faults(line([*around[:2], (3.5, 2.25)], 0)) == ["wrong goal", "cost"]
    assert faults(line([*around[:2], (4.5, 1.5), (3.5, 2.5)], 0)) == ["obstacle", "obstacle"]


def test_polylines_obey_the_corner_rule_and_may_run_along_walls() -> None:
    grid = Grid.from_text("..\n#.")
    cut = line([(0.5, 0.5), (1.5, 1.5)], ROOT)
    kinds = [path_faults(grid, cut, start=0, goal=3, corners=rule) for rule in ("strict", "loose", "none")]
    assert [len(k) for k in kinds] == [1, 0, 0]
    assert kinds[0] == ["corner cut: a cell beside the corner (1, 1) is blocked, in segment 0"]
    along = line([(0.5, 0.5), (1.0, 1.0), (1.0, 2.0), (1.5, 1.5)], 1 + np.hypot(0.5, 0.5) * 2)
    assert path_faults(grid, along, start=0, goal=3) == []
    grid = Grid.from_text("#.\n.#")
    between = line([(1.5, 0.5), (0.5, 1.5)], ROOT)
    assert [len(path_faults(grid, between, start=1, goal=2, corners=rule)) for rule in ("loose", "none")] == [1, 0]


def test_the_price_of_a_polyline_is_the_integral() -> None:
    grid = Grid.from_text("135")
    assert path_faults(grid, line([(0.5, 0.5), (2.5, 0.5)], 0.5 + 3 + 2.5), start=0, goal=2) == []
    assert path_faults(grid, line([(0.5, 0.5), (0.5, 0.5)], 0), start=0, goal=0) == []


def test_graphs() -> None:
    graph = Graph.from_arcs([[0, 0], [1, 0], [2, 0]], [0, 1, 1], [1, 2, 2], [1.0, 5.0, 2.0])
    assert path_faults(graph, Path([0, 1, 2], graph.points, 3), start=0, goal=2) == []
    assert path_faults(graph, Path([0, 2], graph.points[[0, 2]], 3), start=0, goal=2) == [
        "jump: there is no such arc, in step 0 from vertex 0 to vertex 2"
    ]
    assert "says 8" in path_faults(graph, Path([0, 1, 2], graph.points, 8), start=0, goal=2)[0]
    assert path_faults(graph, Path([], graph.points, 8), start=0, goal=2)[0].startswith("empty")


GROUP = Group([[0.5, 0.5], [3.25, 0.5]], Target(3.5, 2.25))


def paths_plan(first: list, second: list) -> GroupPlan:
    return GroupPlan.of_paths([first, second])


def test_group_plans_of_paths() -> None:
    good = [[0.5, 0.5], [2.5, 0.5], [3.5, 2.25]]
    near = [[3.25, 0.5], [3.5, 2.25]]
    assert group_faults(GRID, GROUP, paths_plan(good, near)) == []
    cases = {
        "has no way in the plan": (good, []),
        "does not start where it stands": (good, [[3.5, 0.5], [3.5, 2.25]]),
        "does not end at the target": (good, [[3.25, 0.5], [3.5, 2.5]]),
        "obstacle: the way leads through x=1 (column), y=1 (row), in segment 0": ([[0.5, 0.5], [3.5, 2.25]], near),
    }
    for text, plan in cases.items():
        found = group_faults(GRID, GROUP, paths_plan(*plan))
        assert len(found) == 1
        assert text in found[0]
    walled = Grid.from_text("..#.\n..#.\n..#.")
    assert group_faults(walled, GROUP, paths_plan([], near)) == []
    assert "but there is none" in group_faults(walled, GROUP, paths_plan(good, near))[0]
    assert "for 1 units" in group_faults(GRID, GROUP, GroupPlan.of_paths([good]))[0]


def test_group_plans_of_fields() -> None:
    grid = Grid.from_text("...\n.#.")
    group = Group([[0.5, 0.25], [2.5, 1.5]], Target(2.5, 0.5))
    distance = [[2, 1, 0], [3, np.inf, 1]]

    def plan(*vectors: tuple[float, float]) -> GroupPlan:
        direction = [[vectors[0], vectors[1], (0, 0)], [(0, -1), (0, 0), (0, -1)]]
        return GroupPlan.of_field(FlowField(distance, direction), 2)

    assert group_faults(grid, group, plan((1, 0), (1, 0))) == []
    assert group_faults(grid, group, plan((1, 0), (-1, 0))) == ["unit 0: the field leads round in a circle"]
    assert "leads into x=1 (column), y=1 (row)" in group_faults(grid, group, plan((1, 0), (0, 1)))[0]
    assert "leads into x=-1 (column)" in group_faults(grid, group, plan((-1, 0), (0, 1)))[0]
    assert "stands still in x=1" in group_faults(grid, group, plan((1, 0), (0, 0)))[0]
