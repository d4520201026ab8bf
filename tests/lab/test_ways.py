"""The planned and the walked ways that pictures show."""

from __future__ import annotations

import lab_tasks
import numpy as np
import pytest

from anabasis import Grid, Group, GroupPlan, Result, Scenario, Status, Target
from anabasis.lab.ways import DRAWN_UNITS, drawn_units, planned_ways, walked_ways
from anabasis.orders import plan_groups


def test_few_units_are_all_drawn_and_many_evenly() -> None:
    assert drawn_units(3).tolist() == [0, 1, 2]
    many = drawn_units(10_001)
    assert (many.size, many[0], many[-1]) == (DRAWN_UNITS, 0, 10_000)
    assert set(np.diff(many).tolist()) <= {50, 51}


def test_planned_ways_lead_from_the_units_to_their_targets() -> None:
    grid = Grid.from_free(np.ones((20, 30), bool))
    left = Group(np.array([[2.5, 2.5], [2.5, 4.5]]), Target(25.5, 3.5))
    down = Group(np.array([[15.5, 1.5]]), Target(15.5, 17.5))
    scenario = Scenario(grid, (left, down))
    for method in ("astar", "vector-field"):
        plan = planned_ways(scenario, plan_groups(scenario, method, seed=0))
        assert plan.size == 3
        starts = np.concatenate([left.positions, down.positions])
        targets = np.array([[25.5, 3.5], [25.5, 3.5], [15.5, 17.5]])
        for unit in range(3):
            way = plan.path(unit)
            assert np.hypot(*(way[0] - starts[unit])) < 1.5
            assert np.hypot(*(way[-1] - targets[unit])) < 2.5


def test_a_group_without_a_plan_has_empty_ways_and_small_groups_may_be_left_out() -> None:
    grid = Grid.from_free(np.ones((5, 5), bool))
    crowd = Group(np.full((1000, 2), 1.5), Target(3.5, 3.5))
    alone = Group(np.array([[2.5, 2.5]]), Target(3.5, 3.5))
    scenario = Scenario(grid, (crowd, alone, crowd))
    nothing = Result[GroupPlan](Status.NO_SOLUTION, reason="no way")
    found = plan_groups(scenario, "vector-field", seed=0)
    plan = planned_ways(scenario, (nothing, *found[1:]))
    assert plan.size == scenario.size
    drawn = [unit for unit in range(plan.size) if len(plan.path(unit))]
    assert drawn == [unit for unit in drawn_units(scenario.size).tolist() if unit >= crowd.size]
    assert len(drawn) == DRAWN_UNITS // 2
    assert plan.route.tolist() == [-1] * 1000 + [0] + [1] * 1000


def test_a_walked_way_ends_where_the_unit_arrived() -> None:
    trace = lab_tasks.made_up_trace(lab_tasks.scenario(), "fast", 3, left=2)
    ways = walked_ways(trace)
    assert len(ways) == trace.size
    for unit, way in enumerate(ways):
        end = trace.arrival[unit] if trace.arrival[unit] >= 0 else trace.steps
        frame = int(np.searchsorted(trace.times, end))
        assert way[-1] == pytest.approx(trace.positions[frame, unit])
        assert len(way) == frame + 1
