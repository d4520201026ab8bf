"""Orders: plans for every group, carried out; new plans when the map changes."""

import numpy as np
import pytest

import anabasis as a
from anabasis.methods import names
from anabasis.metrics.traces import trace_faults
from anabasis.orders import execute, plan_groups
from anabasis.trace import Cause, Event


def scenario(*changes: a.Change, target: tuple[float, float] = (17.5, 4.5)) -> a.Scenario:
    grid = a.Grid.from_text(
        """
        ####################
        #........#.........#
        #........#.........#
        #..................#
        #..................#
        #........#.........#
        #........#.........#
        #..................#
        ####################
        """
    )
    places = [(2.5 + x, 2.5 + y) for x in range(3) for y in range(3)]
    return a.Scenario(grid, (a.Group(places, a.Target(*target, 1.5), radius=0.4),), changes, a.Limits(steps=2000))


@pytest.mark.parametrize("method", names("group"))
def test_a_group_arrives(method: str) -> None:
    s = scenario()
    plans = plan_groups(s, method, seed=1)
    trace = execute(s, method, plans, seed=1)
    assert trace.finished == 9
    assert trace_faults(s, trace) == []
    assert execute(s, method, plans, seed=1).hash == trace.hash
    assert execute(s, method, plans, seed=2).size == 9


@pytest.mark.parametrize("method", names("group"))
def test_a_door_that_closes_sends_the_group_another_way(method: str) -> None:
    s = scenario(a.Change(20, [[9, 3], [9, 4]], "@"))
    trace = execute(s, method, plan_groups(s, method, seed=1), seed=1)
    assert trace.finished == 9
    assert trace_faults(s, trace) == []
    replanned = trace.event_kind == Event.REPLANNED
    assert set(trace.event_unit[replanned & (trace.event_cause == Cause.MAP_CHANGE)].tolist()) == set(range(9))
    lower = (trace.positions[:, :, 1] > 7) & (trace.positions[:, :, 0] > 8)
    assert lower.any(axis=0).all()  # everybody went through the lower gap


@pytest.mark.parametrize("method", names("group"))
@pytest.mark.parametrize("cells", [[[17, 4]], [[9, 3], [9, 4], [9, 7]]], ids=["target walled in", "way cut"])
def test_a_way_that_is_cut_for_good_removes_the_units_with_the_cause(method: str, cells: list[list[int]]) -> None:
    s = scenario(a.Change(20, cells, "@"))
    trace = execute(s, method, plan_groups(s, method, seed=1), seed=1)
    assert trace.finished == 0
    removed = trace.event_kind == Event.REMOVED
    assert sorted(trace.event_unit[removed].tolist()) == list(range(9))
    assert set(trace.event_cause[removed].tolist()) == {Cause.UNREACHABLE}
    assert trace_faults(s, trace) == []


@pytest.mark.parametrize("method", names("group"))
def test_a_group_without_any_way_is_removed_at_once(method: str) -> None:
    walled = scenario().grid.with_terrain([[9, 3], [9, 4], [9, 7]], "@")
    s = a.Scenario(walled, scenario().groups)
    (plan,) = plan_groups(s, method, seed=1)
    assert plan.status is a.Status.NO_SOLUTION and "can reach" in plan.reason
    trace = execute(s, method, (plan,), seed=1)
    assert trace.steps == 1
    assert np.all(trace.event_step[trace.event_kind == Event.REMOVED] == 1)
