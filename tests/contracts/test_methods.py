"""Every row of the table of methods keeps its promises."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from contract_cases import RULES, graphs, grids, groups, model

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.methods import METHODS, Method
from anabasis.metrics.paths import group_faults, path_faults, step_counts
from anabasis.noun import state_hash
from anabasis.result import Result, Status
from anabasis.scenario import Group, Target

SEARCH = [pytest.param(row, id=row.name) for row in METHODS if row.family == "search"]
GROUP = [pytest.param(row, id=row.name) for row in METHODS if row.family == "group"]
WALLED = Grid.from_text("..#..\n..#..\n..#..")


def test_the_table_itself() -> None:
    assert len({(row.family, row.name) for row in METHODS}) == len(METHODS)
    for row in METHODS:
        assert row.family in ("search", "group")
        assert row.spaces
        assert set(row.spaces) <= {"grid", "graph"}
        assert callable(row.load())
        assert row.load().__doc__
        assert row.summary and row.source


def check_search(row: Method, space: Grid | Graph, start: int, goal: int, **options) -> bool:
    """Check one answer against networkx and the validator; return whether there was a way."""
    run = row.load()
    result: Result = run(space, start, goal, **options)
    assert state_hash(result) == state_hash(run(space, start, goal, **options)), "the same twice"
    graph = model(space, **options)
    if start not in graph or goal not in graph or not nx.has_path(graph, start, goal):
        assert result.status is Status.NO_SOLUTION
        assert result.value is None
        assert result.reason
        assert ("nearest_x" in result.stats) == (start in graph)
        return False
    best = nx.shortest_path_length(graph, start, goal, "weight")
    if result.status is not Status.SOLVED:
        assert not row.complete, "complete: there is a way"
        return True
    path = result.value
    assert path is not None
    assert path_faults(space, path, start=start, goal=goal, **options) == []
    assert path.cost >= best * (1 - 1e-12), "the validator or the oracle is wrong"
    assert result.bound <= best * (1 + 1e-12), "a bound is a bound"
    if row.optimal:
        assert path.cost == pytest.approx(best, rel=1e-12)
        assert result.bound == path.cost
    if isinstance(space, Grid) and space.uniform and path.vertices.size:
        straight, diagonal = step_counts(space, path)
        assert path.cost == straight + diagonal * 2**0.5, "costs come from whole numbers of steps"
    return True


@pytest.mark.parametrize("row", [p for p in SEARCH if "grid" in p.values[0].spaces])
def test_search_methods_on_grids(row: Method) -> None:
    rng = np.random.default_rng(1)
    solved = [
        check_search(row, grid, *rng.integers(grid.cost.size, size=2).tolist(), neighbours=n, corners=c)
        for grid in grids(25)
        for n, c in RULES
    ]
    assert 0.2 < np.mean(solved) < 0.9


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        ("misprices", "cost: the path says"),
        ("goes_round", "a bound is a bound"),
        ("overstates", "a bound is a bound"),
        ("gives_up", "complete: there is a way"),
        ("wavers", "the same twice"),
    ],
)
def test_the_checks_find_broken_promises(function: str, complaint: str) -> None:
    row = replace(SEARCH[0].values[0], function=f"contract_cases:{function}")
    rng = np.random.default_rng(1)
    with pytest.raises(AssertionError, match=complaint):
        for grid in grids(25):
            check_search(row, grid, *rng.integers(grid.cost.size, size=2).tolist(), neighbours=8, corners="strict")


@pytest.mark.parametrize("row", [p for p in SEARCH if "graph" in p.values[0].spaces])
def test_search_methods_on_graphs(row: Method) -> None:
    rng = np.random.default_rng(2)
    solved = [check_search(row, graph, *rng.integers(graph.size, size=2).tolist()) for graph in graphs(80)]
    assert 0.2 < np.mean(solved) < 0.95


@pytest.mark.parametrize("row", SEARCH)
def test_search_methods_say_why_there_is_no_way(row: Method) -> None:
    run = row.load()
    result = run(WALLED, 0, 4)
    assert result.status is Status.NO_SOLUTION
    assert result.reason
    assert (result.stats["nearest_x"], result.stats["nearest_y"]) == (1, 0)
    assert run(WALLED, 0, 2).reason != result.reason, "a blocked goal is another reason"
    assert run(WALLED, 0, 0).value.cost == 0


@pytest.mark.parametrize("row", SEARCH)
def test_search_methods_refuse_bad_input(row: Method) -> None:
    run = row.load()
    for start, goal in ((-1, 0), (0, 15), (15, 0), (0, -1)):
        with pytest.raises(InputError, match="outside the map"):
            run(WALLED, start, goal)
    for option in ({"neighbours": 5}, {"corners": "sharp"}):
        with pytest.raises(InputError):
            run(WALLED, 0, 1, **option)


@pytest.mark.parametrize("row", GROUP)
def test_group_methods_make_valid_plans(row: Method) -> None:
    run, rng = row.load(), np.random.default_rng(5)
    solved = 0
    for grid in grids(60):
        group = groups(grid, rng)
        result: Result = run(grid, group, seed=1)
        assert state_hash(result) == state_hash(run(grid, group, seed=1)), "the same twice"
        reach = nx.node_connected_component(model(grid).to_undirected(), grid.vertex(*group.target.cell))
        cells = np.floor(group.positions).astype(int)
        ways = [grid.vertex(x, y) in reach for x, y in cells.tolist()]
        if not any(ways):
            assert result.status is Status.NO_SOLUTION
            assert result.reason
            assert grid.is_free(int(result.stats["nearest_x"]), int(result.stats["nearest_y"]))
            continue
        if result.status is not Status.SOLVED:
            assert not row.complete, "complete: there is a way"
            continue
        assert result.value is not None
        assert group_faults(grid, group, result.value) == []
        assert (result.value.route >= 0).tolist() == ways
        solved += 1
    assert solved > 20


@pytest.mark.parametrize("row", GROUP)
def test_group_methods_say_why_and_refuse_bad_input(row: Method) -> None:
    run = row.load()
    result = run(WALLED, Group([[0.5, 0.5]], Target(4.5, 0.5)), seed=0)
    assert result.status is Status.NO_SOLUTION
    assert (result.stats["nearest_x"], result.stats["nearest_y"]) == (1, 0)
    for group in (
        Group([[0.5, 0.5]], Target(2.5, 0.5)),
        Group([[0.5, 0.5]], Target(9.5, 0.5)),
        Group([[2.5, 0.5]], Target(0.5, 0.5)),
        Group([[-0.5, 0.5]], Target(0.5, 0.5)),
    ):
        with pytest.raises(InputError, match=r"in a wall or outside the map; found x=.* \(column\)"):
            run(WALLED, group, seed=0)
