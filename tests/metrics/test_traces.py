from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from anabasis import Change, Grid, Group, GroupPlan, Scenario, Target, Trace
from anabasis.metrics.traces import trace_faults
from anabasis.sim.simulate import simulate
from anabasis.trace import Cause, Ending, Event, UnitState

EVENTS = ("event_step", "event_kind", "event_unit", "event_cause")


@pytest.fixture(scope="module")
def sound() -> tuple[Scenario, Trace]:
    """Four units on a small map, one without a way; a wall appears at step 20."""
    grid = Grid.from_free(np.ones((12, 24), bool))
    group = Group([(2.5, 3.5), (2.5, 5.5), (2.5, 7.5), (2.5, 9.5)], Target(20.5, 6.5, 2.0))
    scenario = Scenario(grid, (group,), (Change(20, [(12, 0), (12, 1), (5, 3)], "@"),))
    paths = [[(20.5, 6.5)], [(20.5, 6.5)], [(20.5, 6.5)], np.zeros((0, 2))]
    trace = simulate(scenario, [GroupPlan.of_paths(paths)], seed=0)
    assert trace_faults(scenario, trace) == []
    return scenario, trace


def changed(trace: Trace, **arrays: Callable[[Any], Any]) -> Trace:
    """The trace with some arrays edited in place by functions."""
    new = {}
    for name, edit in arrays.items():
        new[name] = getattr(trace, name).copy()
        edit(new[name])
    return replace(trace, **new)


def put(*index: Any, to: Any) -> Callable[[Any], None]:
    def edit(array: Any) -> None:
        array[index] = to

    return edit


def without_event(trace: Trace, kind: Event, unit: int) -> Trace:
    kept = ~((trace.event_kind == kind) & (trace.event_unit == unit))
    return replace(trace, **{name: getattr(trace, name)[kept] for name in EVENTS})


def with_event(trace: Trace, *event: int) -> Trace:
    return replace(
        trace, **{name: np.append(getattr(trace, name), value) for name, value in zip(EVENTS, event, strict=True)}
    )


def counters(trace: Trace, **values: Any) -> Trace:
    return replace(trace, counters=replace(trace.counters, **values))


FAULTS: dict[str, Callable[[Trace], Trace]] = {
    "is no number": lambda t: changed(t, positions=put(4, 1, to=np.inf)),
    "starts in the wrong place": lambda t: changed(t, positions=put(0, 1, 0, to=2.6)),
    "unit 1 moved": lambda t: changed(t, positions=lambda p: p.__setitem__((slice(9, None), 1), p[9:, 1] + (0, 0.4))),
    "in a wall or off the map: x=5": lambda t: changed(t, positions=put(slice(20, 24), 2, to=(5.5, 3.5))),
    "in a wall or off the map: x=-1": lambda t: changed(t, positions=put(30, 2, to=(-0.5, 3.5))),
    "cells from its target": lambda t: changed(t, positions=put(slice(int(t.arrival[0]), None), 0, to=(9.0, 9.0))),
    "was done and goes on": lambda t: changed(t, state=put(slice(5, 9), 3, to=UnitState.MOVING)),
    "stands after step": lambda t: changed(t, event_step=put(0, to=t.steps)),
    "outside the run": lambda t: changed(t, event_step=put(-1, to=t.steps + 5)),
    "does not exist": lambda t: changed(t, event_unit=put(1, to=17)),
    "has another event": lambda t: with_event(t, t.steps, Event.LOST, 0, Cause.PLAN_OUT_OF_SIGHT),
    "not its last event": lambda t: replace(t, ending=Ending.STALL),
    "disagree on its arrival": lambda t: without_event(t, Event.ARRIVED, 1),
    "disagree on its removal": lambda t: without_event(t, Event.REMOVED, 3),
    "its event says": lambda t: changed(t, arrival=put(1, to=t.arrival[1] - 1)),
    "both arrived and was removed": lambda t: with_event(t, t.steps, Event.REMOVED, 1, Cause.STUCK),
    "removed without a cause": lambda t: changed(t, event_cause=put(t.event_kind == Event.REMOVED, to=Cause.NONE)),
    "under way": lambda t: changed(t, state=put(slice(-5, None), 0, to=UnitState.LOST), arrival=put(0, to=-1)),
    "not its step of arrival": lambda t: counters(t, updates=t.counters.updates + 1),
    "more updates than steps": lambda t: counters(t, updates=t.counters.updates + t.steps),
    "more steps cut short": lambda t: counters(t, not_full_move=t.counters.updates + 1),
    "more steps without movement": lambda t: counters(t, cant_move=t.counters.not_full_move + 1),
    "more wall collisions": lambda t: counters(t, wall_collisions=t.counters.updates + 1),
    "more unit collisions": lambda t: counters(t, unit_collisions=t.counters.updates + 1),
    "wrong group": lambda t: changed(t, group=put(2, to=1)),
}


@pytest.mark.parametrize("words", FAULTS)
def test_every_fault_is_found(words: str, sound: tuple[Scenario, Trace]) -> None:
    scenario, trace = sound
    faults = trace_faults(scenario, FAULTS[words](trace))
    assert any(words in fault for fault in faults), faults


def test_another_number_of_units_is_found(sound: tuple[Scenario, Trace]) -> None:
    scenario, trace = sound
    more = replace(scenario, groups=(*scenario.groups, *scenario.groups))
    assert trace_faults(more, trace) == ["the trace has 4 units, the scenario 8"]


def test_a_wall_counts_from_the_step_of_its_change_on(sound: tuple[Scenario, Trace]) -> None:
    scenario, trace = sound
    stands = changed(trace, positions=put(slice(1, 20), 2, to=(5.5, 3.5)))
    assert not any("wall" in fault for fault in trace_faults(scenario, stands))
    late = changed(trace, positions=put(slice(1, 21), 2, to=(5.5, 3.5)))
    assert any("step 20" in fault and "wall" in fault for fault in trace_faults(scenario, late))


def test_displacement_excuses_speed_and_nothing_else_does(sound: tuple[Scenario, Trace]) -> None:
    grid = Grid.from_free(np.ones((12, 24), bool))
    cells = [(x, y) for x in range(6) for y in range(12)]
    scenario = Scenario(grid, (Group([(2.5, 3.5)], Target(20.5, 6.5)),), (Change(5, cells, "@"),))
    trace = simulate(scenario, [GroupPlan.of_paths([[(20.5, 6.5)]])], seed=0, record_every=2)
    assert trace_faults(scenario, trace) == []
    assert any("moved" in fault for fault in trace_faults(scenario, without_event(trace, Event.DISPLACED, 0)))
