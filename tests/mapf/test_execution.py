"""Execution: a trace is where the plan says at each step, straight between, and counts what the plan costs."""

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf.dependency_graph import execute_with_delays
from anabasis.mapf.errands import warehouse_errands
from anabasis.mapf.execution import RADIUS, plan_places, plan_trace
from anabasis.mapf.lifelong import lifelong
from anabasis.plan import Plan
from anabasis.trace import Cause, Ending, Event, UnitState, first_divergence

SQUARE = Grid.from_text("...\n...")


def plan_of(rows: list[list[int]]) -> Plan:
    return Plan(np.array(rows, np.int64))


def test_places_are_those_of_the_plan_and_straight_between() -> None:
    instance = Instance.of(SQUARE, [0, 2], [4, 2])
    trace = plan_trace(instance, plan_of([[0, 2], [1, 2], [1, 2], [4, 2]]), frames=4)
    assert trace.times.tolist() == list(range(13))
    assert trace.positions[::4, 0].tolist() == [[0.5, 0.5], [1.5, 0.5], [1.5, 0.5], [1.5, 1.5]]
    assert trace.positions[:5, 0, 0].tolist() == [0.5, 0.75, 1.0, 1.25, 1.5]
    assert (trace.positions[:, 1] == [2.5, 0.5]).all()
    assert trace.headings[[0, 3, 8, 12], 0].tolist() == [0, 0, 0, np.pi / 2] and not trace.headings[:, 1].any()
    assert trace.arrival.tolist() == [12, 0] and trace.ending is Ending.ALL_DONE
    assert trace.counters.distance_travelled.tolist() == [2, 0] and trace.planned_length.tolist() == [2, 0]
    assert trace.counters.updates.tolist() == [12, 0] and trace.counters.cant_move.tolist() == [4, 0]
    events = zip(trace.event_step, trace.event_kind, trace.event_unit, trace.event_cause, strict=True)
    assert [tuple(map(int, event)) for event in events] == [
        (0, Event.ARRIVED, 1, Cause.TARGET_REACHED),
        (12, Event.ARRIVED, 0, Cause.TARGET_REACHED),
        (12, Event.ENDED, -1, Cause.ALL_DONE),
    ]


def test_who_vanishes_is_removed_one_step_later() -> None:
    instance = Instance.of(SQUARE, [0, 1], [1, 2], rules=Rules(stay=False))
    trace = plan_trace(instance, plan_of([[0, 1], [1, 2], [1, 2]]), frames=2)
    assert trace.state[:, 0].tolist() == [UnitState.MOVING] * 2 + [UnitState.ARRIVED] * 2 + [UnitState.REMOVED]
    assert Event.REMOVED in trace.event_kind


def test_no_two_overlap_unless_they_change_places() -> None:
    ring = Instance.of(SQUARE, [0, 1, 4, 3], [1, 4, 3, 0])
    trace = plan_trace(ring, plan_of([[0, 1, 4, 3], [1, 4, 3, 0]]), frames=16)
    assert not trace.counters.unit_collisions.any()
    swap = Instance.of(SQUARE, [0, 1], [1, 0], rules=Rules(swap=False))
    trace = plan_trace(swap, plan_of([[0, 1], [1, 0]]), frames=4)
    assert trace.counters.unit_collisions.tolist() == [3, 3]  # all but the end
    wrong = Instance.of(SQUARE, [0, 1, 3], [1, 0, 3])  # the same, where it is a fault
    trace = plan_trace(wrong, plan_of([[0, 1, 3], [1, 0, 3]]), frames=4)
    assert trace.counters.unit_collisions.tolist() == [3, 3, 0]
    graph = Graph.from_arcs(np.array([[0, 0], [1, 0], [0.1, 0.5]]), [0, 1], [1, 0], [1.0, 1.0])
    near = Instance.of(graph, [0, 2], [1, 2])  # ways may pass close by on a graph
    assert plan_trace(near, plan_of([[0, 2], [1, 2]]), frames=4).counters.unit_collisions.tolist() == [2, 0]


def test_a_busy_hall_on_time_and_late() -> None:
    grid = Grid.from_text("\n".join([".........", ".@@@.@@@.", "........."] * 2))
    run = lifelong(grid, warehouse_errands(np.flatnonzero(grid.free), 12, 5, seed=1)).value
    assert run is not None
    instance = Instance.of(grid, run.vertices[0], run.vertices[-1])
    late = execute_with_delays(instance, run.plan, chance=0.3, seed=2)
    for plan in (run.plan, late.plan):
        trace = plan_trace(instance, plan, frames=3)
        cells = np.floor(trace.positions[::3]).astype(int)
        assert (cells[..., 1] * 9 + cells[..., 0] == plan.vertices).all()
        step = np.abs(np.diff(trace.positions, axis=0)).sum(axis=-1)
        assert (np.isclose(step, 0) | np.isclose(step, 1 / 3)).all()
        assert trace.counters.updates.sum() == 3 * plan.arrivals(instance.goals).sum()
        assert not trace.counters.unit_collisions.any()
        assert trace.hash == plan_trace(instance, plan, frames=3).hash
        assert first_divergence(trace, plan_trace(instance, plan, frames=3)) is None
    assert plan_trace(instance, run.plan).hash != plan_trace(instance, late.plan).hash


def test_graphs_and_large_agents_have_their_own_places() -> None:
    graph = Graph.from_arcs(np.array([[0, 0], [0.5, 0], [3, 4]]), [0, 1], [1, 2], [1.0, 1.0])
    instance = Instance.of(graph, [0], [2])
    trace = plan_trace(instance, plan_of([[0], [1], [2]]))
    assert trace.positions[:, 0].tolist() == [[0, 0], [0.5, 0], [3, 4]] and trace.radius[0] == RADIUS / 2
    large = Instance.of(SQUARE, [0], [1], sizes=2)
    assert plan_places(large, plan_of([[0], [1]])).tolist() == [[[1, 1]], [[2, 1]]]
    assert plan_trace(large, plan_of([[0], [1]])).radius[0] == 2 * RADIUS


def test_plans_that_do_not_arrive_or_do_not_move() -> None:
    instance = Instance.of(SQUARE, [0], [2])
    trace = plan_trace(instance, plan_of([[0], [1]]))
    assert trace.ending is Ending.STEP_LIMIT and trace.arrival.tolist() == [-1] and trace.finished == 0
    rest = plan_trace(Instance.of(SQUARE, [2], [2]), plan_of([[2]]), frames=5)
    assert rest.steps == 0 and rest.arrival.tolist() == [0]
    assert plan_trace(Instance.of(SQUARE, [], []), Plan(np.zeros((1, 0), np.int64))).size == 0
    with pytest.raises(InputError, match="number of agents; found 2; expected 1, as in the instance"):
        plan_trace(instance, plan_of([[0, 1]]))
    for show in (plan_trace, plan_places):
        with pytest.raises(InputError, match="vertices of a plan; found 9; expected up to 5"):
            show(instance, plan_of([[0], [9]]))
        with pytest.raises(InputError, match="frames; found 1000000000000; expected a whole number from 1 to"):
            show(instance, plan_of([[0], [1]]), frames=10**12)
        for wrong in ((instance, None), (None, plan_of([[0]]))):
            with pytest.raises(InputError, match="a plan; found NoneType"):
                show(*wrong)  # pyright: ignore[reportArgumentType]
