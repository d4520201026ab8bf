"""Every row of the table of methods keeps its promises."""

from dataclasses import replace
from functools import partial
from inspect import signature
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
import shapely
from contract_cases import (
    RULES,
    cells_world,
    ends,
    graphs,
    grids,
    groups,
    model,
    obeys,
    options_for,
    worlds,
)
from polygon_worlds import HAIR, OracleGraph, solid_of

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.methods import METHODS, Method
from anabasis.metrics.kinematics import trajectory_faults
from anabasis.metrics.paths import group_faults, path_faults, step_counts
from anabasis.metrics.polylines import world_faults
from anabasis.noun import state_hash
from anabasis.result import Result, Status
from anabasis.scenario import Group, Target
from anabasis.trajectory import Kinematics
from anabasis.world import World

SEARCH = [pytest.param(row, id=row.name) for row in METHODS if row.family == "search"]
SPACE = [pytest.param(row, id=row.name) for row in METHODS if row.family == "space"]
DRIVE = [pytest.param(row, id=row.name) for row in METHODS if row.family == "drive"]
GROUP = [pytest.param(row, id=row.name) for row in METHODS if row.family == "group"]
WALLED = Grid.from_text("..#..\n..#..\n..#..")


def test_the_table_itself() -> None:
    assert len({(row.family, row.name) for row in METHODS}) == len(METHODS)
    for row in METHODS:
        assert row.family in ("search", "space", "drive", "mapf", "group")
        assert row.spaces
        assert set(row.spaces) <= {"grid", "graph", "world"}
        assert row.family == "group" or row.when
        assert callable(row.load())
        assert row.load().__doc__
        assert row.summary and row.source


def ask(row: Method, space: Grid | Graph, start: int, goal: int, **rule) -> Result:
    """Return a method's answer, which has to be the same twice."""
    options = options_for(row, **rule)
    result = row.load()(space, start, goal, **options)
    assert state_hash(result) == state_hash(row.load()(space, start, goal, **options)), "the same twice"
    return result


def check_search(row: Method, space: Grid | Graph, start: int, goal: int, **rule) -> bool:
    """Check one answer against networkx and the validator; return whether there was a way."""
    result = ask(row, space, start, goal, **rule)
    graph = model(space, **rule)
    if start not in graph or goal not in graph or not nx.has_path(graph, start, goal):
        assert result.status in ((Status.NO_SOLUTION,) if row.complete else (Status.NO_SOLUTION, Status.LIMIT))
        assert result.value is None
        assert result.reason
        if row.complete:
            assert ("nearest_x" in result.stats) == (start in graph)
        return False
    if result.status is not Status.SOLVED:
        assert not row.complete, "complete: there is a way"
        return True
    path = result.value
    assert path is not None
    assert path_faults(space, path, start=start, goal=goal, **rule) == []
    if row.any_angle:
        check_length(row, result, space, start, goal, **rule)
        return True
    best = nx.shortest_path_length(graph, start, goal, "weight")
    assert path.cost >= best * (1 - 1e-12), "the validator or the oracle is wrong"
    assert result.bound <= best * (1 + 1e-12), "a bound is a bound"
    if row.optimal:
        assert path.cost == pytest.approx(best, rel=1e-12)
        assert result.bound == path.cost
    if isinstance(space, Grid) and space.uniform and path.vertices.size:
        straight, diagonal = step_counts(space, path)
        assert path.cost == straight + diagonal * 2**0.5, "costs come from whole numbers of steps"
    return True


def check_length(row: Method, result: Result, space: Grid | Graph, start: int, goal: int, **rule) -> None:
    """Check the length of an any-angle path on a map: of polygons, if its rule is theirs."""
    if not isinstance(space, Grid) or not space.uniform or rule["corners"] != "loose":
        assert result.bound <= result.value.cost * (1 + 1e-12)
        return
    oracle = OracleGraph(cells_world(space))
    best = oracle.length(*map(tuple, space.centres([start, goal]).tolist()))
    assert result.value.cost >= best * (1 - 1e-5), "shorter than the shortest"
    assert result.bound <= best * (1 + 1e-5), "a bound is a bound"
    if row.optimal:
        assert result.value.cost == pytest.approx(best, rel=1e-5)


@pytest.mark.parametrize("row", [p for p in SEARCH if "grid" in p.values[0].spaces])
def test_search_methods_on_grids(row: Method) -> None:
    rng = np.random.default_rng(1)
    solved: list[bool] = []
    for grid in grids(25):
        for n, c in RULES:
            start, goal = rng.integers(grid.cost.size, size=2).tolist()
            if obeys(row, n, c) and (row.priced or grid.uniform):
                solved.append(check_search(row, grid, start, goal, neighbours=n, corners=c))
            else:
                with pytest.raises(InputError):
                    row.load()(grid, start, goal, neighbours=n, corners=c)
    assert 0.2 < np.mean(solved) < 0.95


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


@pytest.mark.parametrize("row", [p for p in SEARCH if "world" in p.values[0].spaces])
def test_search_methods_in_worlds(row: Method) -> None:
    rng = np.random.default_rng(4)
    run, solved = row.load(), 0
    for world in worlds(16):
        start, goal = ends(world, rng)
        options = options_for(row)
        result: Result = run(world, start, goal, **options)
        assert state_hash(result) == state_hash(run(world, start, goal, **options)), "the same twice"
        best = OracleGraph(world).length(start, goal)
        if best == np.inf:
            assert result.status in ((Status.NO_SOLUTION,) if row.complete else (Status.NO_SOLUTION, Status.LIMIT))
            assert result.value is None
            assert result.reason
            continue
        if result.status is not Status.SOLVED:
            assert not row.complete, "complete: there is a way"
            continue
        assert world_faults(world, result.value, start=start, goal=goal) == []
        assert result.value.cost >= best * (1 - 1e-5), "shorter than the shortest"
        assert result.bound <= best * (1 + 1e-5), "a bound is a bound"
        if row.optimal:
            assert result.value.cost == pytest.approx(best, rel=1e-5)
        solved += 1
    assert solved > 3


@pytest.mark.parametrize("row", [p for p in SEARCH if "world" in p.values[0].spaces])
def test_search_methods_in_worlds_answer_wrong_questions(row: Method) -> None:
    run = row.load()
    world = World.of((0, 0, 9, 9), [[[3, 0], [5, 0], [5, 9], [3, 9]]])
    options = options_for(row)
    for start, goal, reason in (((1, 1), (4, 4), "goal"), ((4, 4), (1, 1), "start")):
        result = run(world, start, goal, **options)
        assert result.status is Status.NO_SOLUTION
        assert reason in result.reason
    parted = run(world, (1, 1), (8, 8), **options)
    assert parted.status in ((Status.NO_SOLUTION,) if row.complete else (Status.NO_SOLUTION, Status.LIMIT))
    for start, goal in (((float("nan"), 1), (1, 1)), ((1, 1), (10, 1)), ((-1, 1), (1, 1)), ((1, 1, 1), (2, 2))):
        with pytest.raises(InputError):
            run(world, start, goal, **options)
    with pytest.raises(InputError, match="crosses"):
        run(World.of((0, 0, 9, 9), [[[1, 1], [4, 4], [4, 1], [1, 4]]]), (8, 8), (8, 7), **options)
    with pytest.raises(InputError, match="no area"):
        run(World.of((0, 0, 9, 9), [[[1, 1], [4, 4], [2, 2]]]), (8, 8), (8, 7), **options)
    alone = run(World.of((0, 0, 9, 9), []), (2, 3), (2, 3), **options)
    assert alone.value.cost == 0


@pytest.mark.parametrize("row", DRIVE)
def test_drives(row: Method) -> None:
    world = World.of((0, 0, 40, 30), [[[15, 0], [20, 0], [20, 18], [15, 18]]])
    car = Kinematics.car(axle=1.0, steering=0.6)
    start, goal = (5.0, 5.0, 0.0), (33.0, 6.0)
    small = {"population": 4, "extra": 3} if "population" in signature(row.load()).parameters else {}
    run = partial(row.load(), seed=3, **small)
    result = run(world, start, goal, car)
    assert state_hash(result) == state_hash(run(world, start, goal, car)), "the same twice"
    assert result.status is Status.SOLVED
    assert trajectory_faults(result.value, car, world=world, start=start, goal=goal) == []
    assert run(world, start, (17.0, 5.0), car).status is Status.NO_SOLUTION
    for wrong in ((-1.0, 5.0, 0.0), (float("nan"), 1.0, 0.0), (5.0,)):
        with pytest.raises(InputError):
            run(world, wrong, goal, car)


@pytest.mark.parametrize("row", SPACE)
def test_discretisations(row: Method) -> None:
    run = row.load()
    for world in worlds(6):
        made = run(world)
        assert state_hash(made) == state_hash(run(world)), "the same twice"
        solid = solid_of(world)
        walls, room = solid.buffer(-HAIR), shapely.box(*world.bounds).buffer(HAIR)
        if isinstance(made, Graph):
            tails = np.repeat(np.arange(made.size), np.diff(made.indptr))
            lines = shapely.linestrings(np.stack([made.points[tails], made.points[made.indices]], axis=1))
            assert room.covers(shapely.multipoints(made.points))
            if row.name == "mesh-graph-centres":  # whose arcs bend in the side that two polygons share
                assert (made.weights >= shapely.length(lines) * (1 - 1e-12)).all()
                continue
            assert not shapely.intersects(lines, walls).any(), "an arc leads through an obstacle"
            assert np.allclose(made.weights, shapely.length(lines), rtol=1e-12)
            assert not row.complete or made.size
            continue
        cells = [made.points[made.corners[a:b]] for a, b in pairwise(made.indptr.tolist())]
        areas = [shapely.Polygon(cell) for cell in cells]
        assert all(area.is_valid for area in areas)
        assert all(area.convex_hull.area == pytest.approx(area.area, rel=1e-9) for area in areas), "not convex"
        union = shapely.union_all(areas)
        assert sum(area.area for area in areas) == pytest.approx(union.area, rel=1e-9), "polygons overlap"
        free = shapely.box(*world.bounds).difference(solid).area
        assert union.intersection(walls).area < 1e-6 * free, "a polygon reaches into an obstacle"
        if row.complete:
            assert union.area == pytest.approx(free, rel=1e-9), "the free space is not covered"


@pytest.mark.parametrize("row", [p for p in SEARCH if "grid" in p.values[0].spaces])
def test_search_methods_say_why_there_is_no_way(row: Method) -> None:
    run, options = row.load(), options_for(row)
    result = run(WALLED, 0, 4, **options)
    assert result.status in ((Status.NO_SOLUTION,) if row.complete else (Status.NO_SOLUTION, Status.LIMIT))
    assert result.reason
    if result.status is Status.NO_SOLUTION:
        assert (result.stats["nearest_x"], result.stats["nearest_y"]) == (1, 0)
    assert run(WALLED, 0, 2, **options).reason != result.reason, "a blocked goal is another reason"
    assert run(WALLED, 0, 0, **options).value.cost == 0
    assert run(Grid.from_text("."), 0, 0, **options).value.cost == 0, "a map of one cell"
    assert run(Grid.from_text("#"), 0, 0, **options).status is Status.NO_SOLUTION


@pytest.mark.parametrize("row", [p for p in SEARCH if "grid" in p.values[0].spaces])
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
