"""What whoever planned sees of a run under way."""

import numpy as np
import pytest

import anabasis as a
from anabasis.crew import Crew
from anabasis.errors import InputError
from anabasis.plan import GroupPlan
from anabasis.sim.review import REVIEW_EVERY
from anabasis.sim.simulate import Simulation, simulate
from anabasis.trace import Cause, Event, UnitState

GRID = a.Grid.from_text("\n".join(["." * 60] * 12))


def scenario():
    near = a.Group([[2.5, 2.5], [40.5, 2.5]], a.Target(45.5, 2.5, 1.0))
    far = a.Group([[2.5, 8.5]], a.Target(57.5, 8.5, 1.0))
    return a.Scenario(GRID, (near, far), limits=a.Limits(steps=2000))


def plans(s, route=3):
    return [
        GroupPlan.of_paths([[p, (g.target.x, g.target.y)] for p in g.positions.tolist()], np.full(g.size, route))
        for g in s.groups
    ]


def never(*_):
    raise AssertionError("nobody is lost on an open map")


def watched(s, review, **options):
    return simulate(s, plans(s), seed=1, replan=never, review=review, **options)


def test_a_review_sees_who_is_under_way_and_who_has_arrived():
    s, seen = scenario(), []

    def review(now, crews):
        seen.append((now, crews))
        return []

    trace = watched(s, review)
    assert [now for now, _ in seen] == list(range(REVIEW_EVERY, trace.steps, REVIEW_EVERY))
    for now, crews in seen:
        frame = now - 1  # the review stands at the beginning of a step
        state = trace.state[frame]
        assert [crew.group for crew in crews] == [
            g for g in (0, 1) if ((trace.group == g) & (state <= UnitState.LOST)).any()
        ]
        for crew in crews:
            mine = np.flatnonzero((trace.group == crew.group) & (state <= UnitState.LOST))
            assert crew.units.tolist() == mine.tolist()
            assert (crew.positions == trace.positions[frame, mine]).all()
            assert (crew.route == 3).all()
            there = np.flatnonzero((trace.group == crew.group) & (state == UnitState.ARRIVED))
            assert crew.arrival.tolist() == trace.arrival[there].tolist()
            assert crew.arrived_route.tolist() == [3] * there.size
            target = s.groups[crew.group].target
            away = np.hypot(*(crew.positions - (target.x, target.y)).T)
            assert crew.rest == pytest.approx(away, abs=1.0), "the way is straight"
    assert any(crew.arrival.size for _, crews in seen for crew in crews)


def test_a_review_that_changes_nothing_leaves_the_run_as_it_is():
    s = scenario()
    assert watched(s, lambda now, crews: []).hash == watched(s, None).hash


def test_new_plans_of_a_review_are_followed():
    s, seen = scenario(), []

    def review(now, crews):
        seen.append({crew.group: crew.route.tolist() for crew in crews})
        if now != REVIEW_EVERY:
            return []
        crew = next(crew for crew in crews if crew.group == 1)
        here = crew.positions[0].tolist()
        return [(crew.units, GroupPlan.of_paths([[here, (here[0], 4.5), (57.5, 8.5)]], np.array([7])))]

    trace = watched(s, review, record_every=20)
    assert trace.finished == 3
    assert [routes[1] for routes in seen[:3]] == [[3], [7], [7]]
    assert all(routes[0] == [3] * len(routes[0]) for routes in seen if 0 in routes)
    split = (trace.event_kind == Event.REPLANNED) & (trace.event_cause == Cause.BETTER_SPLIT)
    assert trace.event_unit[split].tolist() == [2] and trace.event_step[split].tolist() == [REVIEW_EVERY]


def test_a_crew_is_checked():
    one = np.array([1])
    place, float_one = np.zeros((1, 2)), np.ones(1)
    crew = Crew(GRID, 0, one, place, one, float_one, one, one)
    assert "Crew" in repr(crew) and not crew.units.flags.writeable
    for wrong in (
        (one, np.zeros((2, 2)), one, float_one, one, one),
        (one, place, np.array([1, 2]), float_one, one, one),
        (one, place, one, np.ones(2), one, one),
        (one, place, one, float_one, one, np.array([1, 2])),
    ):
        with pytest.raises(InputError):
            Crew(GRID, 0, *wrong)


def test_nobody_is_reviewed_when_all_are_done():
    s = scenario()
    calls = []
    run = Simulation(s, plans(s), seed=1, replan=never, review=lambda now, crews: calls.append(now) or [])
    while run.ending is None:
        run.step(50)
    before = len(calls)
    assert before
    run.step(2 * REVIEW_EVERY)
    assert len(calls) == before
