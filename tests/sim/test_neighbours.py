import numpy as np
import pytest
from scipy.spatial import cKDTree

from anabasis import Grid, Group, Scenario, Steering, Target
from anabasis.sim.neighbours import CellList
from anabasis.sim.steering import Forces
from anabasis.sim.units import Units
from anabasis.sim.walls import clearance_map


def contacts_of(positions: np.ndarray, width: int, height: int, steering: Steering) -> tuple[list, list]:
    """Pairs that the cell list finds within touch and two steps, and those that a k-d tree finds."""
    n = len(positions)
    scenario = Scenario(
        Grid.from_free(np.ones((height, width), bool)), (Group(positions, Target(1, 1), speed=0.5),), steering=steering
    )
    units = Units.of_scenario(scenario, [0])
    cells, forces = CellList(n, width, height, 2.5), Forces(steering, n)
    cells.sort(units)
    forces.apply(cells, units, clearance_map(scenario.grid.free)[None], 1, 1)
    order = cells.order[: cells.size]
    found = [(int(order[k]), int(order[j])) for k in range(n) for j in forces.contact[k, : forces.contacts[k]].tolist()]
    close = cKDTree(positions).query_pairs(2.0 - 1e-12)
    return sorted(found), sorted(close | {(j, i) for i, j in close})


@pytest.mark.parametrize(("width", "height", "n"), [(10, 10, 40), (60, 3, 90), (500, 700, 50), (40, 40, 800)])
def test_the_cell_list_finds_what_a_tree_finds(width: int, height: int, n: int) -> None:
    for seed in range(5):
        positions = np.random.default_rng(seed).random((n, 2)) * (width, height)
        found, expected = contacts_of(positions, width, height, Steering())
        assert found == expected


def test_slots_that_rows_share_show_nobody_twice() -> None:
    places = 600 + np.random.default_rng(0).random((50, 2)) * 12
    assert CellList(50, 1275, 1275, 2.5).columns % 512 == 1  # so the three rows of bins overlap in the table
    found, expected = contacts_of(places, 1275, 1275, Steering())
    assert found == expected
    assert len(found) > 20


def test_few_units_far_apart_with_some_in_a_cluster() -> None:
    rng = np.random.default_rng(4)
    positions = np.concatenate([rng.random((20, 2)) * 3 + 1500, rng.random((30, 2)) * 2000])
    found, expected = contacts_of(positions, 2000, 2000, Steering())
    assert found == expected
    assert len(found) > 20


def test_memory_goes_with_the_units_and_not_with_the_map() -> None:
    assert CellList(50, 4096, 4096, 2.5).start.size <= 2 * (4 * 50 + 64) + 1
    assert CellList(10**5, 30, 30, 2.5).start.size <= 513


def test_units_that_are_done_are_left_out() -> None:
    scenario = Scenario(Grid.from_free(np.ones((9, 9), bool)), (Group([(1, 1), (2, 2), (3, 3), (4, 4)], Target(5, 5)),))
    units = Units.of_scenario(scenario, [0])
    units.state[:] = [0, 2, 1, 3]
    cells = CellList(4, 9, 9, 2.5)
    cells.sort(units)
    assert sorted(cells.order[: cells.size].tolist()) == [0, 2]
