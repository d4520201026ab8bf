"""Uncoordinated A*: each unit its own shortest path."""

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.noun import state_hash
from anabasis.result import Status
from anabasis.scenario import Group, Target
from anabasis.search.flow_field import flow_field
from anabasis.search.uncoordinated import plan_astar


def test_every_unit_has_a_shortest_path_of_cell_centres() -> None:
    rng = np.random.default_rng(3)
    grid = Grid.from_free(rng.random((40, 50)) >= 0.25)
    cells = rng.choice(np.flatnonzero(grid.free), 60)
    positions = grid.centres(cells) + rng.uniform(-0.4, 0.4, (60, 2))
    goal = int(np.flatnonzero(grid.free)[900])
    x, y = grid.centres(goal)
    result = plan_astar(grid, Group(positions, Target(float(x) + 0.2, float(y) - 0.1)))
    field = flow_field(grid, goal).value
    assert result.value is not None and field is not None
    assert result.stats["without_way"] == np.isinf(field.distance.ravel()[cells]).sum()
    for unit, cell in enumerate(cells.tolist()):
        path = result.value.path(unit)
        if np.isinf(field.distance.ravel()[cell]):
            assert not len(path)
            assert result.value.route[unit] == -1
            continue
        assert result.value.route[unit] == unit
        assert (path[0] == positions[unit]).all()
        assert (path[-1] == (x + 0.2, y - 0.1)).all()
        centres = np.floor(path) + 0.5
        assert (path[1:-1] == centres[1:-1]).all()
        length = np.hypot(*np.diff(centres, axis=0).T).sum()
        assert length == pytest.approx(field.distance.ravel()[cell], abs=1e-9)


def test_a_unit_in_the_target_cell_goes_straight_to_the_target() -> None:
    plan = plan_astar(Grid.from_text("..."), Group([[2.1, 0.3], [1.5, 0.5]], Target(2.9, 0.5))).value
    assert plan is not None
    assert plan.path(0).tolist() == [[2.1, 0.3], [2.9, 0.5]]
    assert plan.path(1).tolist() == [[1.5, 0.5], [2.9, 0.5]]


def test_seeds_change_nothing() -> None:
    group = Group([[0.5, 0.5], [0.6, 0.5]], Target(3.5, 2.5))
    grid = Grid.from_free(np.ones((4, 5), bool))
    assert state_hash(plan_astar(grid, group, seed=1)) == state_hash(plan_astar(grid, group, seed=2))


def test_without_a_way_the_nearest_cell_is_named() -> None:
    grid = Grid.from_text("...#.\n...#.\n...##")
    result = plan_astar(grid, Group([[0.5, 0.5], [4.5, 1.5]], Target(4.5, 0.5)))
    assert result.status is Status.SOLVED
    assert result.value.route.tolist() == [-1, 1]
    result = plan_astar(grid, Group([[0.5, 0.5], [1.5, 1.5]], Target(4.5, 1.5)))
    assert result.status is Status.NO_SOLUTION
    assert "the nearest cell that a unit can reach is x=2 (column), y=1 (row)" in result.reason
    assert (result.stats["nearest_x"], result.stats["nearest_y"]) == (2, 1)


def test_wrong_input_is_named() -> None:
    grid = Grid.from_text("..#")
    with pytest.raises(InputError, match=r"unit 1 stands in a wall or outside the map; found x=2 \(column\)"):
        plan_astar(grid, Group([[0.5, 0.5], [2.5, 0.5]], Target(1.5, 0.5)))
    with pytest.raises(InputError, match="the target lies in a wall or outside the map"):
        plan_astar(grid, Group([[0.5, 0.5]], Target(2.5, 0.5)))
