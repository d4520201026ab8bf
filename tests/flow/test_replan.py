"""Units under way that are split anew: when the map changes, a gate clogs or others take it; never without need."""

from dataclasses import replace

import numpy as np
import pytest
from flow_cases import block

import anabasis as a
from anabasis.crew import Crew
from anabasis.flow.navigate import plan_flow_taut
from anabasis.flow.replan import CLOGGED, FEW, WINDOW, Replanner, _last, plan_flow_replan
from anabasis.metrics.traces import trace_faults
from anabasis.network import PERIOD
from anabasis.orders import execute, plan_groups
from anabasis.trace import Event


def walled(width, height, *walls):
    free = np.ones((height, width), bool)
    for x, rows in walls:
        free[:, x] = False
        free[list(rows), x] = True
    return a.Grid.from_free(free)


GRID = walled(60, 40, (30, (8, 9, 31, 32)))
UPPER, LOWER = [[30, 8], [30, 9]], [[30, 31], [30, 32]]
CROWD = a.Group(block(4, 8, 8, 8), a.Target(52.5, 12.5, 3.0), radius=0.4)


def run(method, s, seed=1):
    return execute(s, method, plan_groups(s, method, seed=seed), seed=seed)


def at_wall(trace, unit):
    """The height at which a unit passed the wall."""
    x, y = trace.positions[:, unit].T
    return float(y[np.flatnonzero(x < 30.5)[-1]])


def test_the_first_plan_is_that_of_flow_taut():
    one, two = plan_flow_replan(GRID, CROWD, seed=3), plan_flow_taut(GRID, CROWD, seed=3)
    assert one.value.points.tobytes() == two.value.points.tobytes()
    assert one.value.route.tolist() == two.value.route.tolist() and dict(one.stats) == dict(two.stats)


def test_without_trouble_nothing_changes():
    s = a.Scenario(GRID, (replace(CROWD, positions=block(4, 8, 5, 4)),), limits=a.Limits(steps=4000))
    plain, watched = run("flow-taut", s), run("flow-replan", s)
    assert watched.finished == 20
    assert watched.hash == plain.hash
    assert Event.REPLANNED not in watched.event_kind.tolist()


def test_a_gate_that_closes_is_left_for_the_other_one():
    s = a.Scenario(GRID, (CROWD,), (a.Change(150, UPPER, "@"),), a.Limits(steps=8000))
    before = plan_flow_replan(GRID, CROWD, seed=1)
    crossing = [np.interp(30.5, *before.value.path(unit).T) for unit in range(CROWD.size)]
    assert np.count_nonzero(np.array(crossing) < 20) > CROWD.size // 2, "most would have gone by the upper gate"
    trace = run("flow-replan", s)
    assert trace.finished == CROWD.size
    assert trace_faults(s, trace) == []
    late = [unit for unit in range(CROWD.size) if trace.positions[150, unit, 0] < 30]
    assert late and all(at_wall(trace, unit) > 30 for unit in late)


def test_a_gate_that_opens_is_used():
    shut = GRID.with_terrain(UPPER, "@")
    s = a.Scenario(shut, (CROWD,), (a.Change(100, UPPER, "."),), a.Limits(steps=8000))
    trace = run("flow-replan", s)
    assert trace.finished == CROWD.size
    assert sum(at_wall(trace, unit) < 20 for unit in range(CROWD.size)) > CROWD.size // 2


def test_two_runs_are_the_same_to_the_byte():
    s = a.Scenario(GRID, (CROWD,), (a.Change(150, UPPER, "@"),), a.Limits(steps=8000))
    assert run("flow-replan", s).hash == run("flow-replan", s).hash


def crew_of(group, *, number=0, route=0, rest=50.0, positions=None, arrived=(), first=0):
    n = group.size
    return Crew(
        GRID,
        number,
        np.arange(first, first + n),
        group.positions if positions is None else positions,
        np.full(n, route) if np.isscalar(route) else route,
        np.full(n, float(rest)) if np.isscalar(rest) else rest,
        np.full(len(arrived), 0),
        np.array(arrived, np.int64),
    )


def routes_and_rest(group, grid=GRID):
    plan = plan_flow_taut(grid, group).value
    rest = [np.hypot(*np.diff(plan.path(unit), axis=0).T).sum() for unit in range(plan.size)]
    return plan, np.array(rest)


def replanner(*groups):
    return Replanner(a.Scenario(GRID, groups), seed=0)


def shares(plan, upper=True):
    """How many units a plan sends by the upper gate, or by the lower one."""
    y = np.array([np.interp(30.5, *plan.path(unit).T) for unit in range(plan.size)])
    return int(np.count_nonzero((y < 20) == upper))


def test_a_crew_that_is_on_its_way_as_planned_is_left_alone():
    plan, rest = routes_and_rest(CROWD)
    assert replanner(CROWD).review(100, [crew_of(CROWD, route=plan.route, rest=rest)]) == []


def test_a_clogged_gate_is_left():
    """For hundreds of steps nearly nobody has come through the gate that most were to take."""
    plan, rest = routes_and_rest(CROWD)
    busiest = int(np.bincount(plan.route).argmax())
    watcher = replanner(CROWD)
    assert watcher.review(100, [crew_of(CROWD, route=plan.route, rest=rest)]) == []
    stuck = np.full(CROWD.size, busiest)
    now = 100 + 3 * WINDOW
    crew = Crew(GRID, 0, np.arange(64), CROWD.positions, stuck, rest, np.array([busiest]), np.array([200]))
    ((units, anew),) = watcher.review(now, [crew])
    assert units.tolist() == list(range(64)) and anew.size == 64
    upper = shares(plan, True) > shares(plan, False)
    assert shares(anew, upper) < shares(anew, not upper), "more go by the gate that is not clogged"


def test_arrivals_as_promised_are_no_clog():
    plan, rest = routes_and_rest(CROWD)
    watcher = replanner(CROWD)
    watcher.review(100, [crew_of(CROWD, route=plan.route, rest=rest)])
    rate = max(leg.rate for leg in watcher._legs[0])
    now = 2000
    every = PERIOD / rate * (CLOGGED - 0.1)  # hardly slower than promised
    arrival = np.arange(now, now - 3 * WINDOW, -every)[::-1].astype(int)
    for leg in range(len(watcher._legs[0])):
        crew = Crew(GRID, 0, np.arange(64), CROWD.positions, plan.route, rest, np.full(arrival.size, leg), arrival)
        rates = np.array([leg.rate for leg in watcher._legs[0]], float)
        assert (watcher._measured(now, crew, rates) == rates).all()


OTHERS = a.Group(block(14, 2, 15, 12), a.Target(52.5, 5.5, 3.0), radius=0.4)


def test_a_gate_that_another_group_takes_is_left_to_it():
    """All of a crew are to take the upper gate, which is quickest for them; then others come to it."""
    few = replace(CROWD, positions=block(4, 8, 6, 4))
    beyond = replace(OTHERS, positions=block(40, 2, 15, 12))
    plan, rest = routes_and_rest(few)
    assert shares(plan, True) > 20
    mine = crew_of(few, route=np.full(24, np.bincount(plan.route).argmax()), rest=rest)

    def then(their_rest):
        watcher = replanner(few, beyond)
        assert watcher.review(100, [mine, crew_of(beyond, number=1, rest=5.0, first=24)]) == []
        theirs = watcher.plan(GRID, 1, OTHERS).value  # they turn round, and now stand on this side
        upper = int(np.bincount(theirs.route).argmax())
        return watcher.review(
            200, [mine, crew_of(OTHERS, number=1, route=np.full(180, upper), rest=their_rest, first=24)]
        )

    units, anew = then(200.0)[0]
    assert units.tolist() == list(range(24)) and shares(anew, False) > 0
    assert [u for u, _ in then(5.0) if u[0] == 0] == [], "who is past the gate takes nothing of it"


def test_two_groups_do_not_both_leave_a_gate_to_each_other():
    plan, rest = routes_and_rest(CROWD)
    upper = int(np.argmax([shares_of(plan, route) for route in range(plan.route.max() + 1)]))
    crews = [crew_of(CROWD, number=k, route=np.full(64, upper), rest=rest, first=64 * k) for k in (0, 1)]
    watcher = replanner(CROWD, CROWD)
    changes = watcher.review(100, crews)
    by_upper = [64, 64]
    for units, anew in changes:
        by_upper[int(units[0]) // 64] = shares(anew, True)
    assert 0 < sum(by_upper) < 128, "some stay, some leave"


def shares_of(plan, route):
    y = [np.interp(30.5, *plan.path(unit).T) for unit in np.flatnonzero(plan.route == route)]
    return float(np.mean(np.array(y) < 20)) if y else 0.0


def test_a_few_units_are_not_split_anew():
    few = replace(CROWD, positions=block(4, 8, FEW - 1, 1))
    plan, rest = routes_and_rest(few)
    crew = crew_of(few, route=plan.route, rest=rest * 50)
    assert replanner(few).review(1000, [crew]) == []


@pytest.mark.parametrize("seed", range(5))
def test_the_last_arrival_is_that_of_units_one_behind_the_other(seed):
    rng = np.random.default_rng(seed)
    walk, route = rng.random(40) * 100, rng.integers(-1, 3, 40)
    rates = rng.integers(500, 3000, 3).astype(float)
    last = 0.0
    for leg in range(3):  # the way of a queue: each unit comes when it is there and its turn has come
        free = -np.inf
        for steps in sorted(walk[route == leg]):
            free = max(free + PERIOD / rates[leg], steps)
        last = max(last, free)
    assert _last(route, walk, rates) == pytest.approx(last)


def test_who_is_through_the_gate_waits_for_nobody():
    s = a.Scenario(GRID, (CROWD,), limits=a.Limits(steps=8000))
    watcher = Replanner(s, seed=1)
    plan = watcher.plan(GRID, 0, CROWD).value
    beyond = replace(CROWD, positions=block(34, 8, 8, 8))
    none = np.zeros(0, np.int64)
    crew = Crew(GRID, 0, np.arange(64), beyond.positions, plan.route, np.full(64, 12.0), none, none)
    assert watcher._through(crew).all()
    assert not watcher._through(replace(crew, rest=np.full(64, 100.0))).any()
    # all 64 are a few steps from home, and no new plan is better than to walk on
    assert watcher.review(100, [crew]) == []
    assert watcher.review(200, [crew]) == []


def test_of_two_equal_gates_in_a_row_the_last_is_waited_for():
    grid = walled(60, 12, (20, (5, 6)), (40, (5, 6)))
    crowd = replace(CROWD, positions=block(2, 2, 8, 8), target=a.Target(55.5, 5.5, 2.0))
    watcher = Replanner(a.Scenario(grid, (crowd,)), seed=1)
    plan = watcher.plan(grid, 0, crowd).value
    assert [len(leg.gates) for leg in watcher._legs[0]] == [2]
    none = np.zeros(0, np.int64)
    between = replace(crowd, positions=block(25, 2, 8, 8))
    crew = Crew(grid, 0, np.arange(64), between.positions, plan.route, np.full(64, 28.0), none, none)
    assert not watcher._through(crew).any()
    assert watcher._through(replace(crew, rest=np.full(64, 10.0))).all()


def test_two_groups_that_cross_all_arrive():
    back = a.Group(block(46, 8, 6, 6), a.Target(6.5, 30.5, 3.0), radius=0.4)
    s = a.Scenario(GRID, (replace(CROWD, positions=block(4, 8, 6, 6)), back), limits=a.Limits(steps=8000))
    trace = run("flow-replan", s)
    assert trace.finished == 72
    assert trace_faults(s, trace) == []
    assert run("flow-replan", s).hash == trace.hash
