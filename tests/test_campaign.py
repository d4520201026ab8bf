"""Campaigns: runs that are told what to do while they go on, go back, and are repeated to the byte."""

import json

import numpy as np
import pytest

from anabasis import Grid, Group, InputError, Limits, Scenario, Target
from anabasis.campaign import Campaign, Told, told_data, told_of
from anabasis.formation.shapes import schema_of
from anabasis.methods import names
from anabasis.metrics.traces import trace_faults
from anabasis.orders import execute, plan_groups
from anabasis.plan import FlowField, FormationPlan, GroupPlan
from anabasis.scenario import Change, UnitOrder
from anabasis.trace import Cause, Event, UnitState

ROOM = """
##############################
#............#...............#
#............#...............#
#............................#
#............................#
#............#...............#
#............#####..##########
#............#...............#
#............#...............#
#............................#
#............................#
#............#...............#
##############################
"""


def scenario(**more: object) -> Scenario:
    grid = Grid.from_text(ROOM)
    first = [(2.5 + x, 2.5 + y) for x in range(4) for y in range(3)]
    second = [(2.5 + x, 8.5 + y) for x in range(3) for y in range(2)]
    groups = (
        Group(first, Target(27.5, 2.5, 2.0), radius=0.4, name="reds"),
        Group(second, Target(27.5, 10.5, 2.0), radius=0.4, name="blues"),
    )
    return Scenario(grid, groups, limits=Limits(steps=3000), **more)


def sent(method: str = "astar", seed: int = 3) -> Campaign:
    """A run in which a group is sent elsewhere, a door closes for good, another one later, and somebody falls."""
    run = Campaign(scenario(), method, seed=seed)
    run.step(40)
    run.order(range(12), [Target(16.5, 9.5, 1.5), Target(26.5, 9.5, 2.0)])
    run.step(30)
    run.change([(13, 3), (13, 4)], "@")
    run.change([(18, 6), (19, 6)], "@", step=130)
    run.step(20)
    run.remove([13])
    run.step(3000)
    return run


def check(run: Campaign) -> None:
    assert trace_faults(run.scenario, run.trace(), orders=run.orders) == []


@pytest.mark.parametrize("method", names("group"))
def test_told_one_by_one_or_in_advance_or_after_going_back_is_the_same_run(method: str) -> None:
    run = sent(method)
    check(run)
    there = run.run.units.arrival >= 0
    assert there[:12].all() and there[12:].sum() == 5
    assert (run.run.units.position[:12, 1] > 7).all()  # they went where they were sent, and not to their group's target

    told = told_of(json.loads(json.dumps(told_data(run.told))))
    again = Campaign(scenario(), method, seed=3, told=told)
    for steps in (1, 99, 7, 3000):
        again.step(steps)
    assert again.hash == run.hash

    hashes = {}
    for step in (0, 41, 40, 90, 150, 131, run.now):
        run.go(step)
        hashes[step] = run.hash
    assert hashes[run.now] == again.hash
    other = Campaign(scenario(), method, seed=3, told=told)
    for step in sorted(hashes):
        other.step(step - other.now)
        assert other.hash == hashes[step], step


def test_orders_alone_can_be_carried_out_in_one_go() -> None:
    run = Campaign(scenario(), "vector-field", seed=1)
    run.step(25)
    run.order([0, 3, 15], [Target(5.5, 10.5)])
    run.step(3000)
    s = scenario()
    trace = execute(s, "vector-field", plan_groups(s, "vector-field", seed=1), seed=1, orders=run.orders)
    assert trace.hash == run.hash
    assert trace_faults(s, trace, orders=run.orders) == []
    assert any("arrived" in fault for fault in trace_faults(s, trace))  # not in the target of their group
    assert any("not given" in fault for fault in trace_faults(s, trace))


def test_a_unit_passes_all_stops_of_its_order() -> None:
    run = Campaign(scenario(), "astar", seed=0)
    stops = [Target(10.5, 10.5, 1.0), Target(3.5, 1.5, 1.0), Target(24.5, 4.5, 1.0)]
    run.order([0], stops)
    been: list[int] = []
    while run.run.units.state[0] <= UnitState.LOST:
        run.step()
        for k, stop in enumerate(stops):
            if np.hypot(*(run.run.units.position[0] - (stop.x, stop.y))) < 1.0 and k not in been:
                been.append(k)
    assert been == [0, 1, 2]
    assert run.run.units.arrival[0] == run.now
    check(run)
    events = [(kind, cause) for _, kind, unit, cause in run.run.recording.events if unit == 0]
    assert events[:3] == [
        (Event.REPLANNED, Cause.ORDER),
        (Event.REPLANNED, Cause.STOP_REACHED),
        (Event.REPLANNED, Cause.STOP_REACHED),
    ]


def test_who_has_no_way_goes_on_as_before_and_who_is_done_stays() -> None:
    run = Campaign(scenario(), "astar", seed=0)
    island = [(x, y) for x in range(20, 25) for y in range(8, 12) if x in (20, 24) or y in (8, 11)]
    run.change(island, "@")
    run.step(5)
    run.order(range(12), [Target(22.5, 9.5)])
    run.step(1)
    assert (run.run.units.order < 0).all()
    run.step(3000)
    assert run.run.units.arrival[:12].min() > 0
    check(run)

    done = Campaign(scenario(), "astar", seed=0)
    while (done.run.units.arrival[:12] < 0).all():
        done.step()
    there = int(done.run.units.arrival[:12].argmax())
    done.order([there, 17], [Target(5.5, 4.5)])
    done.step(3000)
    assert done.run.units.order[there] == -1 and done.run.units.order[17] == 0
    check(done)


def test_telling_something_in_the_past_forgets_what_was_told_later() -> None:
    run = sent()
    run.go(60)
    run.order([12], [Target(3.5, 3.5)])
    assert [one.given for one in run.told] == [40, 60]
    assert run.scenario.changes == ()
    run.step(3000)
    check(run)
    again = Campaign(scenario(), "astar", seed=3, told=run.told)
    again.step(3000)
    assert again.hash == run.hash != sent().hash


def test_looking_at_the_past_does_not_touch_the_run() -> None:
    run = sent()
    before = run.hash
    past = run.at(77)
    assert past.now == 77 and run.hash == before
    run.go(77)
    assert past.recording.digest == run.run.recording.digest


def test_saved_states_stay_few_and_going_back_exact() -> None:
    slow = Scenario(Grid.from_text(ROOM), (Group([(2.5, 2.5)], Target(27.5, 2.5), speed=0.005),))
    run = Campaign(slow, "astar", seed=0)
    run.step(4000)
    assert len(run._saved) <= 40
    end = run.hash
    run.go(1234)
    run.step(4000 - 1234)
    assert run.hash == end


@pytest.mark.parametrize(
    ("say", "words"),
    [
        (lambda run: run.order([0], [Target(0.5, 0.5)]), "a stop of an order"),
        (lambda run: run.order([0], [Target(99.5, 0.5)]), "a stop of an order"),
        (lambda run: run.order([18], [Target(5.5, 5.5)]), "units of an order; found unit 18"),
        (lambda run: run.order([], [Target(5.5, 5.5)]), "units of an order; found none"),
        (lambda run: run.order([1], []), "stops of an order"),
        (lambda run: run.change([(50, 1)], "@"), "outside"),
        (lambda run: run.change([(5, 1)], "!"), "terrain of a change"),
        (lambda run: run.change([(5, 1)], "@", step=10), "step of a change; found 10; expected a step after 10"),
        (lambda run: run.remove([-1]), "units that are removed"),
    ],
)
def test_what_can_not_be_told_is_said_and_changes_nothing(say: object, words: str) -> None:
    run, plain = Campaign(scenario(), "astar", seed=0), Campaign(scenario(), "astar", seed=0)
    run.step(10)
    with pytest.raises(InputError, match=words):
        say(run)
    assert run.told == []
    run.step(60)
    plain.step(70)
    assert run.hash == plain.hash


def test_a_run_that_has_ended_is_told_nothing_more() -> None:
    run = sent()
    with pytest.raises(InputError, match="the run has ended"):
        run.order([0], [Target(5.5, 5.5)])
    run.go(10)
    run.order([0], [Target(5.5, 5.5)])


@pytest.mark.parametrize(
    "row", [{}, {"step": 3}, {"step": -1, "units": [1]}, {"step": 3, "order": [[1]], "units": [1]}, 7]
)
def test_bad_rows_of_what_was_told_are_named(row: object) -> None:
    good = told_data([Told(1, UnitOrder(2, [0], (Target(1, 1),))), Told(3, Change(9, [(1, 1)], "@"))])
    assert told_data(told_of(good)) == good
    with pytest.raises(InputError, match=r"orders\[2\]"):
        told_of([*good, row])


def test_a_part_of_a_plan_is_what_these_units_follow() -> None:
    ways = [[(1.5, 1.5), (2.5 + k, 1.5)] for k in range(4)]
    plan = GroupPlan(GroupPlan.of_paths(ways).indptr, GroupPlan.of_paths(ways).points, [5, 6, 7, 8], cut=[0, 1, 2, 3])
    part = plan.part([3, 1])
    assert [part.path(k).tolist() for k in (0, 1)] == [[list(p) for p in ways[k]] for k in (3, 1)]
    assert (part.route.tolist(), part.cut.tolist()) == ([8, 6], [3, 1])
    formation = FormationPlan(schema_of("line", 4), [(1.5, 1.5), (9.5, 1.5)], [3, 2, 1, 0])
    assert GroupPlan.of_formation(formation).part([0, 2]).formation.spot.tolist() == [3, 1]
    field = FlowField(np.ones((2, 2)), np.zeros((2, 2, 2)))
    part = GroupPlan.of_field(field, 3).part([2])
    assert part.field is field and part.size == 1


def test_who_is_sent_out_of_a_formation_goes_there_alone() -> None:
    from anabasis.sim.simulate import Simulation

    def replan(
        grid: Grid, group: int, units: np.ndarray, places: np.ndarray, cause: Cause, target: Target
    ) -> GroupPlan:
        return GroupPlan.of_paths([[place, (target.x, target.y)] for place in places.tolist()])

    s = Scenario(
        Grid.from_text("\n".join(["." * 30] * 20)),
        (Group([(3.5 + 2 * k, 3.5) for k in range(4)], Target(20.5, 15.5, 0.2)),),
    )
    formation = FormationPlan(schema_of("line", 4, spacing=2.0), [(6.5, 3.5), (20.5, 15.5)], range(4))
    order = UnitOrder(20, [1], (Target(4.5, 17.5, 1.0),))
    run = Simulation(s, [GroupPlan.of_formation(formation)], seed=0, replan=replan, orders=[order])
    run.step(2000)
    assert np.hypot(*(run.units.position[1] - (4.5, 17.5))) < 1.0 and run.units.arrival[1] > 0
    assert (np.hypot(*(run.units.position[[0, 2, 3]] - (20.5, 15.5)).T) < 5).all()
