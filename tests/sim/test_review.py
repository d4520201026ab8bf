"""Reviews of a run: asked when they should be, told the truth, and what they give is taken."""

from dataclasses import replace

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.plan import GroupPlan
from anabasis.scenario import Group, Scenario, Steering, Target
from anabasis.sim.review import REVIEW_EVERY
from anabasis.sim.simulate import Simulation, simulate
from anabasis.trace import Cause, Event

START = np.array([[2.5, 2.5], [2.5, 6.5]])


def scene(groups=1):
    free = np.ones((12, 80), bool)
    free[:, 40] = False
    free[1:4, 40] = free[9:11, 40] = True
    return Scenario(
        Grid.from_free(free), tuple(Group(START + np.array([g, 0]), Target(76.5, 2.5, 1.5)) for g in range(groups))
    )


def straight(group):
    return GroupPlan.of_paths([np.array([p, [40.5, 2.5], [76.5, 2.5]]) for p in group.positions], [0, 0])


def test_a_review_sees_every_group_every_hundred_steps():
    scenario, seen = scene(2), []

    def review(now, crews):
        seen.append((now, [c.group for c in crews]))
        for crew in crews:
            assert crew.units.tolist() == [2 * crew.group, 2 * crew.group + 1]
            assert crew.route.tolist() == [0, 0]
            assert crew.grid.width == 80 and (crew.rest < 76).all() and (crew.rest > 0).all()
        return []

    plans = [straight(group) for group in scenario.groups]
    trace = simulate(scenario, plans, seed=0, review=review)
    assert [now for now, _ in seen] == list(range(REVIEW_EVERY, trace.steps, REVIEW_EVERY))
    assert seen[0][1] == [0, 1]
    assert trace.hash == simulate(scenario, plans, seed=0).hash, "to look changes nothing"


def test_a_new_plan_is_followed_and_told():
    scenario = scene()

    def review(now, crews):
        if now != REVIEW_EVERY:
            return []
        crew = crews[0]
        detour = [np.array([p, [40.5, 10.5], [76.5, 2.5]]) for p in crew.positions]
        return [(crew.units, GroupPlan.of_paths(detour, [3, 4]))]

    trace = simulate(scenario, [straight(scenario.groups[0])], seed=0, review=review)
    told = trace.event_kind == Event.REPLANNED
    assert trace.event_step[told].tolist() == [REVIEW_EVERY] * 2
    assert trace.event_cause[told].tolist() == [Cause.BETTER_SPLIT] * 2
    assert trace.route.tolist() == [3, 4] and trace.counters.replans.tolist() == [1, 1]
    assert trace.positions[:, :, 1].max() > 9.0
    assert trace.finished == 2


def test_who_has_arrived_is_told_with_step_and_route():
    scenario, arrived = scene(), []

    def review(now, crews):
        arrived.extend(zip(crews[0].arrived_route.tolist(), crews[0].arrival.tolist(), strict=True))
        return []

    near = Group(np.array([[70.5, 2.5], [2.5, 6.5]]), scenario.groups[0].target)
    scenario = Scenario(scenario.grid, (near,))
    trace = simulate(scenario, [straight(near)], seed=0, review=review)
    assert arrived and set(arrived) == {(0, int(trace.arrival[0]))}


def test_a_plan_of_the_wrong_size_is_refused():
    scenario = scene()
    with pytest.raises(InputError, match="wrong size"):
        simulate(
            scenario,
            [straight(scenario.groups[0])],
            seed=0,
            review=lambda now, crews: [(crews[0].units, GroupPlan.of_paths([np.array([[1.5, 1.5], [3.5, 3.5]])]))],
        )


def test_a_resumed_run_is_reviewed_as_if_it_had_never_stopped():
    scenario = scene()

    def review(now, crews):
        crew = crews[0]
        detour = [np.array([p, [40.5, 10.5], [76.5, 2.5]]) for p in crew.positions]
        return [(crew.units, GroupPlan.of_paths(detour))] if now == 2 * REVIEW_EVERY else []

    whole = simulate(scenario, [straight(scenario.groups[0])], seed=0, review=review)
    run = Simulation(scenario, [straight(scenario.groups[0])], seed=0, review=review)
    run.step(150)
    again = Simulation.from_state(scenario, run.state(), review=review)
    again.step(10_000)
    assert again.trace().hash == whole.hash


def test_who_is_lost_keeps_its_route():
    scenario = scene()

    def replan(grid, number, units, positions, cause, target):
        assert cause in {Cause.PLAN_OUT_OF_SIGHT, Cause.STUCK}
        return GroupPlan.of_paths([np.array([p, [40.5, 2.5], [76.5, 2.5]]) for p in positions])

    blind = [np.array([p, [41.5, 0.5], [76.5, 2.5]]) for p in scenario.groups[0].positions]
    trace = simulate(scenario, [GroupPlan.of_paths(blind, [5, 6])], seed=0, replan=replan)
    assert trace.counters.replans.sum() > 0 and trace.route.tolist() == [5, 6]


def test_no_review_where_replanning_is_off():
    scenario = replace(scene(), steering=Steering(replanning=False))

    def review(now, crews):
        raise AssertionError("asked though nobody may plan anew")

    assert simulate(scenario, [straight(scenario.groups[0])], seed=0, review=review).finished == 2
