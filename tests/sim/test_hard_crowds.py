"""Crowds that have it hard: each run ends in bounded time, and everyone who does not arrive has a cause."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from crowd_scenes import block, field_to_target, open_scene, straight

from anabasis import Grid, Group, GroupPlan, Limits, Scenario, Steering, Target, Trace
from anabasis.metrics.crowds import overlap, unfinished
from anabasis.metrics.traces import trace_faults
from anabasis.sim.simulate import simulate
from anabasis.trace import Cause, Ending


def corridor(**options: object) -> Scenario:
    """Two groups face each other in a corridor of one cell; the discs are too large to pass each other."""
    free = np.zeros((3, 40), bool)
    free[1] = True
    places = np.stack([2.0 + 1.7 * np.arange(5), np.full(5, 1.5)], axis=1)
    there, back = Target(38.5, 1.5, 1.0), Target(1.5, 1.5, 1.0)
    groups = (Group(places, there, radius=0.8), Group([40.0, 3.0] - places, back, radius=0.8))
    return Scenario(Grid.from_free(free), groups, **options)


def meet(scenario: Scenario, by_field: bool) -> Trace:
    def plan(group: int) -> GroupPlan:
        return field_to_target(scenario, group) if by_field else straight(scenario, group)

    def replan(
        grid: Grid, group: int, units: np.ndarray, places: np.ndarray, cause: Cause, target: Target
    ) -> GroupPlan:
        target = scenario.groups[group].target
        return GroupPlan.of_paths([[p, (target.x, target.y)] for p in places.tolist()])

    return simulate(scenario, [plan(0), plan(1)], seed=1, replan=replan, record_every=10)


@pytest.mark.parametrize("by_field", [False, True])
def test_groups_that_can_not_pass_each_other_are_removed_as_stuck(by_field: bool) -> None:
    scenario = corridor(steering=Steering(stuck_steps=200), limits=Limits(stall_steps=10**6))
    trace = meet(scenario, by_field)
    assert trace_faults(scenario, trace) == []
    assert trace.ending is Ending.ALL_DONE
    assert trace.steps <= 300 + scenario.size * 400  # each removal may let the others get on for a while
    causes = unfinished(trace)
    assert set(causes.values()) == {Cause.STUCK}
    assert len(causes) >= 5  # at least one side had to go
    assert (trace.counters.replans[list(causes)] >= 1).all()  # after a new plan had not helped


@pytest.mark.parametrize(
    ("limits", "ending", "cause"),
    [
        (Limits(steps=700), Ending.STEP_LIMIT, Cause.STEP_LIMIT),
        (Limits(stall_steps=300, stall_units=10), Ending.STALL, Cause.STALL),
    ],
)
def test_groups_that_can_not_pass_each_other_end_a_run_by_its_limits(
    limits: Limits, ending: Ending, cause: Cause
) -> None:
    scenario = corridor(limits=limits, steering=Steering(stuck_steps=10**6))
    trace = meet(scenario, False)
    assert trace_faults(scenario, trace) == []
    assert (trace.ending, trace.finished) == (ending, 0)
    assert trace.steps <= 2000
    assert unfinished(trace) == dict.fromkeys(range(10), cause)


@pytest.mark.parametrize("spread", [0.0, 0.2])
def test_a_heap_of_hundreds_comes_apart(spread: float) -> None:
    places = 40.3 + np.random.default_rng(0).normal(size=(300, 2)) * spread
    scenario = open_scene(places, (75.0, 40.0), 80, target_radius=3.0)
    trace = simulate(scenario, [straight(scenario)], seed=1, record_every=10)
    assert trace_faults(scenario, trace) == []
    assert trace.finished == 300
    deepest = overlap(trace)
    assert deepest[0] > 0.9
    assert deepest[trace.times >= 600].max() <= scenario.steering.overlap + 1e-6


def test_crowds_pass_through_each_other_in_the_open() -> None:
    grid = Grid.from_free(np.ones((30, 60), bool))
    groups = (Group(block(4, 6, 6, 15, 1.2), Target(54, 15, 3.0)), Group(block(48, 6, 6, 15, 1.2), Target(6, 15, 3.0)))
    scenario = Scenario(grid, groups)
    for plans in ([straight(scenario, g) for g in (0, 1)], [field_to_target(scenario, g) for g in (0, 1)]):
        trace = simulate(scenario, plans, seed=0, record_every=10)
        assert trace_faults(scenario, trace) == []
        assert trace.finished == 180
        assert overlap(trace).max() <= scenario.steering.overlap + 1e-6


def test_a_unit_in_its_target_needs_no_plan() -> None:
    scenario = open_scene([(10.0, 10.0)], (10.0, 10.0))
    for route in (-1, 0):
        trace = simulate(scenario, [GroupPlan.of_paths([np.zeros((0, 2))], route=[route])], seed=0)
        assert (trace.finished, trace.steps) == (1, 1)


def test_a_unit_in_its_target_needs_no_plan_without_compilation() -> None:
    """A kernel that reads beyond the points shows only where indices are checked."""
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import test_hard_crowds as t; t.test_a_unit_in_its_target_needs_no_plan()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "NUMBA_DISABLE_JIT": "1"})
