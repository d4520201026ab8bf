"""Optimal methods of the table against the published lengths of Moving AI; those of any angle against each other.

That A* agrees with every row of every scenario is what `anabasis validate` proves (tests/cli/test_cli_validate.py);
here the others have to give what A* gives, to the bit.
"""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from contract_cases import ends, worlds

from anabasis.decompose.outline import grid_world
from anabasis.grid import Grid
from anabasis.io.movingai import load_map, load_scen
from anabasis.methods import METHODS, Method
from anabasis.search.anya import Anya
from anabasis.search.astar import AStar
from anabasis.search.polyanya import Polyanya
from anabasis.search.visibility_graph import VisibilityGraph

OPTIMAL = [
    row for row in METHODS if row.family == "search" and row.optimal and not row.any_angle and row.name != "astar"
]
FAST = ("jps", "jps-plus", "hub-labels")  # in a moment through all rows; the others answer a sample


def queries(file: Path) -> tuple[Grid, np.ndarray, np.ndarray]:
    """The map of a scenario file and the ends of its rows that lie on free ground of one rule."""
    grid, scen = load_map(str(file).removesuffix(".scen")), load_scen(file)
    starts, goals = scen.start_y * grid.width + scen.start_x, scen.goal_y * grid.width + scen.goal_x
    free = grid.free.ravel()
    known = free[starts] & free[goals]
    return grid, starts[known], goals[known]


def answers(row: Method, grid: Grid, starts: np.ndarray, goals: np.ndarray) -> np.ndarray:
    prepared = row.load_prepared()
    if row.name in FAST:
        return prepared(grid).find_many(starts, goals).cost
    find = partial(row.load(), grid) if prepared is None else prepared(grid).find
    results = [find(s, g) for s, g in zip(starts.tolist(), goals.tolist(), strict=True)]
    return np.array([np.inf if result.value is None else result.value.cost for result in results])


@pytest.mark.long
@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in OPTIMAL if row.name in FAST])
def test_all_rows_of_all_scenarios(row: Method, movingai: Path) -> None:
    count = 0
    for file in sorted(movingai.glob("*/*.map.scen")):
        grid, starts, goals = queries(file)
        assert np.array_equal(answers(row, grid, starts, goals), AStar(grid).find_many(starts, goals).cost), file.name
        count += len(starts)
    assert count > 40_000


@pytest.mark.long
@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in OPTIMAL if row.name not in FAST])
def test_a_sample_of_all_scenarios(row: Method, movingai: Path) -> None:
    for file in sorted(movingai.glob("*/*.map.scen")):
        grid, starts, goals = queries(file)
        chosen = np.linspace(0, len(starts) // 4, 4).astype(int)  # the easier quarter: some of these take seconds
        starts, goals = starts[chosen], goals[chosen]
        assert np.array_equal(answers(row, grid, starts, goals), AStar(grid).find_many(starts, goals).cost), file.name


@pytest.mark.long
def test_shortest_ways_of_any_angle_agree_in_2000_worlds() -> None:
    rng, solved = np.random.default_rng(11), 0
    for world in worlds(2000, seed=11):
        start, goal = ends(world, rng)
        exact, other = VisibilityGraph(world).find(start, goal), Polyanya(world).find(start, goal)
        assert exact.status is other.status
        if exact.value is not None and other.value is not None:
            assert other.value.cost == pytest.approx(exact.value.cost, rel=1e-9, abs=1e-9)
            solved += 1
    assert solved > 1500


@pytest.mark.long
def test_shortest_ways_of_any_angle_agree_on_2000_maps() -> None:
    rng, solved = np.random.default_rng(12), 0
    for _ in range(2000):
        height, width = rng.integers(2, 20, 2)
        grid = Grid.from_free(rng.random((height, width)) > rng.uniform(0, 0.5))
        if grid.free.sum() < 2:
            continue
        start, goal = rng.choice(np.flatnonzero(grid.free), 2).tolist()
        a, b = map(tuple, grid.centres([start, goal]).tolist())
        world = grid_world(grid)
        found = [VisibilityGraph(world).find(a, b), Polyanya(world).find(a, b), Anya(grid).find(start, goal)]
        assert len({result.status for result in found}) == 1
        lengths = [result.value.cost for result in found if result.value is not None]
        if lengths:
            assert max(lengths) - min(lengths) < 1e-9
            solved += 1
    assert solved > 800
