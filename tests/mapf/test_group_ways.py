"""Groups with ways that leave each other room: valid, each unit from a cell of its own, followed to the target."""

import numpy as np

from anabasis.grid import Grid
from anabasis.mapf.group_ways import plan_cooperative
from anabasis.metrics.paths import group_faults
from anabasis.orders import execute, plan_groups
from anabasis.result import Status
from anabasis.scenario import Group, Scenario, Target

HALL = "\n".join(["............", "............", ".....##.....", ".....##.....", "............"])


def group(count: int, *, radius: float = 2.0) -> tuple[Grid, Group]:
    grid = Grid.from_text(HALL)
    rng = np.random.default_rng(3)
    places = np.stack([rng.uniform(0.3, 4.5, count), rng.uniform(0.3, 4.7, count)], axis=1)
    return grid, Group(places, Target(10.5, 2.5, radius), radius=0.3)


def test_units_in_one_cell_begin_in_cells_of_their_own() -> None:
    grid = Grid.from_text(HALL)
    crowd = Group(np.full((5, 2), 1.5), Target(10.5, 2.5, 2.0), radius=0.2)
    result = plan_cooperative(grid, crowd)
    assert result.stats["cooperative"] == 1
    assert result.value is not None and group_faults(grid, crowd, result.value) == []
    first = {tuple(result.value.path(unit)[2].tolist()) for unit in range(5)}
    assert len(first) >= 3  # they part at once


def test_no_two_ways_are_in_one_cell_at_one_step() -> None:
    grid, crowd = group(14)
    result = plan_cooperative(grid, crowd, seed=1)
    assert result.status is Status.SOLVED and result.stats["cooperative"] == 1
    assert result.value is not None and group_faults(grid, crowd, result.value) == []
    assert result.stats["makespan"] >= 6


def test_the_simulator_brings_all_of_them_in() -> None:
    grid, crowd = group(14)
    scenario = Scenario(grid, (crowd,))
    trace = execute(scenario, "cooperative", plan_groups(scenario, "cooperative", seed=1), seed=1)
    assert trace.finished == 14


def test_more_units_than_cells_walk_as_if_alone() -> None:
    grid = Grid.from_text("...\n.#.\n...")
    crowd = Group(np.full((9, 2), 0.5), Target(2.5, 2.5, 0.9), radius=0.1)
    result = plan_cooperative(grid, crowd)
    assert result.status is Status.SOLVED and result.stats["cooperative"] == 0
