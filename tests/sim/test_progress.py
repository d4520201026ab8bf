import numpy as np
import pytest
from crowd_scenes import open_scene

from anabasis.sim.progress import Note, judge
from anabasis.sim.units import Units
from anabasis.trace import UnitState


def one(**numbers: float) -> Units:
    units = Units.of_scenario(open_scene([(5.0, 5.0)], (25.0, 5.0)), [0])
    units.best[:] = units.rest[:] = 10.0
    for name, number in numbers.items():
        getattr(units, name)[:] = number
    return units


@pytest.mark.parametrize(
    ("numbers", "note", "state"),
    [
        ({}, Note.NONE, UnitState.MOVING),
        ({"lost": 1}, Note.LOST, UnitState.MOVING),
        ({"lost": 1, "state": UnitState.LOST}, Note.NONE, UnitState.LOST),
        ({"lost": 0, "state": UnitState.LOST}, Note.NONE, UnitState.MOVING),
        ({"lost": 49}, Note.LOST, UnitState.MOVING),
        ({"lost": 50}, Note.WANTS_PLAN, UnitState.MOVING),
        ({"idle": 98}, Note.NONE, UnitState.MOVING),
        ({"idle": 99}, Note.STUCK, UnitState.MOVING),
        ({"idle": 100}, Note.NONE, UnitState.MOVING),
        ({"idle": 199}, Note.STUCK_FOR_GOOD, UnitState.MOVING),
        ({"idle": 199, "rest": 9.4}, Note.NONE, UnitState.MOVING),
        ({"idle": 999, "state": UnitState.ARRIVED}, Note.NONE, UnitState.ARRIVED),
    ],
)
def test_what_is_noted_of_a_unit(numbers: dict[str, float], note: Note, state: UnitState) -> None:
    units = one(**numbers)
    assert judge(units, lost_steps=50, stuck_steps=200) == (note is not Note.NONE)
    assert (units.note[0], units.state[0]) == (note, state)


def test_getting_on_means_nearer_than_ever_by_a_radius() -> None:
    units = one(rest=9.6, idle=7)
    judge(units, 50, 200)
    assert (units.best[0], units.idle[0]) == (10.0, 8)
    units.rest[0] = 9.4
    judge(units, 50, 200)
    assert (units.best[0], units.idle[0]) == (9.4, 0)
    units.rest[0], units.best[0] = 5.0, np.inf  # a new plan
    judge(units, 50, 200)
    assert (units.best[0], units.idle[0]) == (5.0, 1)
