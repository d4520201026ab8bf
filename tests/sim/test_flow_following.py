import numpy as np
import pytest
from crowd_scenes import field_to_target

from anabasis import FlowField, Grid, Group, GroupPlan, Scenario, Target
from anabasis.sim.simulate import Simulation, simulate
from anabasis.trace import Event


def one(text: str, start: tuple[float, float], target: tuple[float, float], radius: float = 0.4) -> Scenario:
    return Scenario(Grid.from_text(text), (Group([start], Target(*target, radius)),))


def test_the_field_is_followed_from_any_place() -> None:
    text = "#########\n#...#...#\n#.#.#.#.#\n#.#...#.#\n#########"
    grid = Grid.from_text(text)
    places = grid.centres(np.flatnonzero(grid.free.ravel()))
    for place in places.tolist():
        scenario = Scenario(grid, (Group([place], Target(7.5, 3.5, 0.4), radius=0.3),))
        assert simulate(scenario, [field_to_target(scenario)], seed=0).finished == 1


@pytest.mark.parametrize("target", [(6.9, 1.9), (6.1, 1.1), (6.5, 1.9)])
def test_in_the_cell_of_the_target_a_unit_goes_to_its_centre(target: tuple[float, float]) -> None:
    scenario = one(".........\n" * 4, (1.5, 1.5), target, 0.15)
    trace = simulate(scenario, [field_to_target(scenario)], seed=0)
    assert trace.finished == 1
    assert trace.steps < 60


def test_a_unit_off_the_field_is_lost() -> None:
    scenario = one("...#...", (0.5, 0.5), (6.5, 0.5))
    run = Simulation(scenario, [field_to_target(scenario)], seed=0)
    run.step(3)
    assert run.trace().event_kind.tolist() == [Event.LOST]


def test_the_vector_of_the_cell_is_followed_where_the_field_ends() -> None:
    scenario = one("....\n....", (0.5, 0.5), (3.5, 0.5))
    direction = np.zeros((2, 4, 2))
    direction[:, :, 0] = 1
    run = Simulation(scenario, [GroupPlan.of_field(FlowField(np.full((2, 4), np.inf), direction), 1)], seed=0)
    run.step(10)
    assert run.units.position[0, 0] > 1.0
