import numpy as np
import pytest
from crowd_scenes import field_to_target, open_scene

from anabasis import FlowField, Grid, Group, GroupPlan, InputError, Scenario, Target
from anabasis.sim.plans import Plans
from anabasis.sim.simulate import simulate
from anabasis.sim.units import Units


def test_old_points_are_forgotten() -> None:
    scenario = Scenario(Grid.from_free(np.ones((9, 9), bool)), (Group([(1, 1), (2, 2)], Target(8, 8)),))
    units, plans = Units.of_scenario(scenario, [0]), Plans()
    rng = np.random.default_rng(0)
    for _ in range(50):
        unit = int(rng.integers(2))
        path = rng.random((int(rng.integers(1, 60)), 2)) * 9
        plans.take(units, np.array([unit]), GroupPlan.of_paths([path]))
        held = plans.points[units.first[unit] : units.end[unit]]
        assert np.array_equal(held[:-1, :2], path)
        assert held[-1].tolist() == [8, 8, 0]
        assert held[0, 2] == pytest.approx(np.hypot(*np.diff(held[:, :2], axis=0).T).sum())
    assert len(plans.points) < 1300


def test_old_fields_are_forgotten() -> None:
    scenario = open_scene([(5.0, 5.0), (6.0, 6.0)], (20.0, 5.0))
    units, plans, field = Units.of_scenario(scenario, [0]), Plans(), field_to_target(scenario).field
    assert field is not None
    for _ in range(5):
        plans.take(units, np.arange(2), GroupPlan.of_field(field, 2))
    assert len(plans.fields) == 1
    plans.take(units, np.array([0]), GroupPlan.of_paths([[(5.0, 5.0)]]))
    assert list(plans.fields) == [units.field[1]]
    plans.take(units, np.array([1]), GroupPlan.of_paths([[(6.0, 6.0)]]))
    assert plans.fields == {}
    assert not plans.missing(units).any()


def test_plans_that_do_not_fit_are_refused() -> None:
    scenario = Scenario(Grid.from_text("...."), (Group([(0.5, 0.5)], Target(3.5, 0.5, 0.4)),))
    good = GroupPlan.of_paths([[(0.5, 0.5)]])
    small = GroupPlan.of_field(FlowField(np.ones((1, 3)), np.zeros((1, 3, 2))), 1)
    for plans in ([], [good, good], [GroupPlan.of_paths([[(0, 0)], [(0, 0)]])], [small]):
        with pytest.raises(InputError):
            simulate(scenario, plans, seed=0)
    for options in ({"seed": -1}, {"seed": 0, "record_every": 0}):
        with pytest.raises(InputError):
            simulate(scenario, [good], **options)
