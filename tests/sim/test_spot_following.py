"""A group moves in formation: it keeps its shape, is drawn in where it must, waits, turns, and closes its ranks."""

from itertools import combinations

import numpy as np
import pytest
from formation_scenes import GATE, OPEN, RADIUS, TOLERANCE, formation, run, scene, turned

from anabasis import Change, Grid, Group, GroupPlan, InputError, Scenario, Target, state_hash
from anabasis.formation.shapes import schema_of
from anabasis.formation.slots import close_ranks
from anabasis.metrics.traces import trace_faults
from anabasis.plan import FormationPlan
from anabasis.search.flow_field import flow_field
from anabasis.sim.simulate import Simulation, simulate
from anabasis.trace import Cause, Ending, Event, UnitState, first_divergence

SHAPES = [("column", 4), ("line", 5), ("wedge", 7), ("diamond", 9), ("square", 8), ("box", 9), ("circle", 8)]


def least_gap(positions):
    """Return how near any two of the units come, over all frames."""
    pairs = combinations(range(positions.shape[1]), 2)
    return min(float(np.hypot(*(positions[:, i] - positions[:, j]).T).min()) for i, j in pairs)


@pytest.mark.parametrize(("shape", "units"), SHAPES)
@pytest.mark.parametrize("orientation", ["whole", "track"])
def test_a_formation_gets_to_its_target_and_stands_in_shape(shape, units, orientation):
    way = [(10.5, 32.5), (10.5, 18.5), (24.5, 11.5)]  # the last leg: 63.4° clockwise from north
    group, plan = formation(shape, units, way, orientation=orientation)
    trace = run(OPEN, (group, plan))
    assert trace.ending is Ending.ALL_DONE and trace.finished == units
    azimuth = np.degrees(np.arctan2(14, 7))
    wanted = np.array(way[-1]) + turned(plan.schema.places, azimuth)
    assert np.hypot(*(trace.positions[-1] - wanted).T).max() <= TOLERANCE
    assert np.unique(trace.arrival).size == 1  # nobody stands while others still walk
    assert least_gap(trace.positions) > 2 * RADIUS
    assert trace.counters.unit_collisions.sum() == 0


def test_the_shape_is_kept_under_way():
    group, plan = formation("wedge", 7, [(20.5, 34.0), (20.5, 4.0)])
    trace = run(OPEN, (group, plan))
    seen = trace.positions - trace.positions[:, :1]
    assert np.hypot(*(seen - plan.schema.places).T).max() < 0.3
    # 30 cells at 0.15 a step are 200 steps; a unit needs some more to start and to stand
    assert 200 <= trace.steps < 240


@pytest.mark.parametrize("orientation", ["whole", "track"])
@pytest.mark.parametrize(("shape", "units"), [("wedge", 7), ("box", 9), ("line", 5)])
def test_a_formation_squeezes_through_a_gate_and_is_in_shape_again(shape, units, orientation):
    group, plan = formation(shape, units, [(19.5, 30.5), (19.5, 6.5)], orientation=orientation)
    scenario, plans = scene(GATE, (group, plan))
    trace = simulate(scenario, plans, seed=2)
    assert trace_faults(scenario, trace, np.array([19.5, 6.5]) + plan.schema.places) == []
    assert trace.finished == units
    rows = GATE.split("\n")
    for x, y in trace.positions.reshape(-1, 2).tolist():
        assert rows[int(y)][int(x)] == "."
    inside = (trace.positions[..., 1] >= 19) & (trace.positions[..., 1] < 21)
    assert inside.any(axis=0).all()  # everybody went through the gate, which is 3 cells wide
    assert np.ptp(trace.positions[0, :, 0]) > 3
    seen = trace.positions[-1] - trace.positions[-1, 0]
    assert np.hypot(*(seen - plan.schema.places).T).max() <= 2 * TOLERANCE
    assert least_gap(trace.positions) >= 2 * RADIUS * (1 - scenario.steering.overlap) - 1e-9


def test_nobody_is_sent_through_a_gate_that_the_formation_fits_through():
    """Where there is room, the walls change nothing: the run is that in open ground but for the feelers."""
    wide = "\n".join("." * 40 if y not in (19, 20) else "#" * 9 + "." * 21 + "#" * 10 for y in range(40))
    group, plan = formation("wedge", 5, [(19.5, 30.5), (19.5, 6.5)])
    trace = run(wide, (group, plan))
    seen = trace.positions - trace.positions[:, :1]
    assert np.hypot(*(seen - plan.schema.places).T).max() < 0.3


def test_formations_that_cross_all_arrive_and_do_not_overlap():
    wide = "\n".join(["." * 60] * 60)
    one = formation("wedge", 5, [(15.5, 30.5), (50.5, 30.5)], 90.0, spacing=3.0)
    two = formation("column", 5, [(30.5, 45.5), (30.5, 10.5)], spacing=3.0)
    three = formation("diamond", 4, [(42.5, 42.5), (17.5, 17.5)], 315.0, spacing=3.0)
    scenario, plans = scene(wide, one, two, three)
    trace = simulate(scenario, plans, seed=0)
    ends = ((50.5, 30.5, 90.0), (30.5, 10.5, 0.0), (17.5, 17.5, 315.0))
    places = [
        np.array((x, y)) + turned(f[1].schema.places, a) for f, (x, y, a) in zip((one, two, three), ends, strict=True)
    ]
    assert trace_faults(scenario, trace, np.concatenate(places)) == []
    assert trace.finished == 14 and trace.ending is Ending.ALL_DONE
    for at in range(len(trace.times)):
        moving = trace.positions[at, trace.state[at] == UnitState.MOVING]
        if len(moving) > 1:
            assert least_gap(moving[None]) >= 2 * RADIUS * (1 - scenario.steering.overlap) - 1e-9


def test_the_slowest_sets_the_speed_or_the_mean_does():
    way = [(20.5, 36.5), (20.5, 6.5)]
    pace = [1, 1, 1, 1, 2]
    slowest = run(OPEN, formation("wedge", 5, way, pace=pace))
    weighted = run(OPEN, formation("wedge", 5, way, speed="weighted", pace=pace))
    even = run(OPEN, formation("wedge", 5, way))
    assert slowest.finished == weighted.finished == even.finished == 5
    # 30 cells at half of 0.15 a step are 400 steps; the fastest would need 200
    assert 400 <= slowest.steps < 440
    assert 200 <= even.steps < 240
    # the leader's spot goes ahead of the slow unit, and its shape is paid for it
    half = slowest.times.size // 4
    assert weighted.positions[half, 0, 1] < slowest.positions[half, 0, 1] - 1
    places = formation("wedge", 5, way)[1].schema.places

    def off(trace):
        return np.hypot(*(trace.positions - trace.positions[:, :1] - places).T).max()

    assert off(slowest) < 0.3
    assert off(weighted) > 1


def test_a_unit_that_is_held_does_not_hold_the_others():
    group, plan = formation("wedge", 5, [(20.5, 30.5), (20.5, 6.5)], spacing=4.0)
    rows = [list(row) for row in OPEN.split("\n")]
    x, y = np.floor(group.positions[4]).astype(int).tolist()
    for at in [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]:
        rows[at[1]][at[0]] = "#"
    trace = run("\n".join("".join(row) for row in rows), (group, plan), steps=3000)
    assert (trace.arrival[:4] >= 0).all()
    assert trace.arrival[:4].max() < 900
    gone = trace.event_kind == Event.REMOVED
    assert trace.event_unit[gone].tolist() == [4] and trace.event_cause[gone].tolist() == [Cause.STUCK]


@pytest.mark.parametrize("fallen", [[3], [0], [0, 1, 4]])
def test_ranks_close_when_units_fall(fallen):
    group, plan = formation("wedge", 7, [(20.5, 33.5), (20.5, 6.5)])
    scenario, plans = scene(OPEN, (group, plan))
    run = Simulation(scenario, plans, seed=0)
    run.step(60)
    run.remove(fallen, close_ranks)
    run.step(4000)
    trace = run.trace()
    left = [unit for unit in range(7) if unit not in fallen]
    assert trace.finished == len(left) and (trace.arrival[left] >= 0).all()
    assert trace.event_cause[trace.event_kind == Event.REMOVED].tolist() == [Cause.CASUALTY] * len(fallen)
    # who is left stands in the foremost spots, the leader's among them: those of a smaller wedge
    places = np.array([20.5, 6.5]) + plan.schema.places[: len(left)]
    apart = np.hypot(*(trace.positions[-1, left][:, None] - places).transpose(2, 0, 1))
    assert (apart.min(1) <= TOLERANCE).all() and np.unique(apart.argmin(1)).size == len(left)


def test_without_closing_the_holes_stay():
    group, plan = formation("wedge", 5, [(20.5, 33.5), (20.5, 20.5)])
    run = Simulation(*scene(OPEN, (group, plan)), seed=0)
    run.step(10)
    run.remove([0])
    run.step(4000)
    last = run.trace().positions[-1, 1:]
    assert np.hypot(*(last - (20.5, 20.5) - plan.schema.places[1:]).T).max() <= TOLERANCE


@pytest.mark.parametrize("at", [0, 1, 77, 150])
def test_a_formation_that_was_saved_goes_on_as_if_never_stopped(at, tmp_path):
    def begin():
        group, plan = formation("wedge", 7, [(19.5, 30.5), (19.5, 6.5)], pace=[1, 1, 1, 1, 1, 1, 1.5])
        scenario, plans = scene(GATE, (group, plan))
        return scenario, Simulation(scenario, plans, seed=4)

    def go_on(run, until):
        for stop in (40, until):
            run.step(max(stop - run.now, 0))
            if run.now == 40:
                run.remove([2], close_ranks)

    _, whole = begin()
    go_on(whole, 4000)
    scenario, run = begin()
    go_on(run, at) if at >= 40 else run.step(at)
    np.savez(tmp_path / "state.npz", **run.state())
    with np.load(tmp_path / "state.npz", allow_pickle=False) as saved:
        again = Simulation.from_state(scenario, dict(saved))
    go_on(again, 4000)
    assert first_divergence(whole.trace(), again.trace()) is None
    assert state_hash(whole.trace()) == state_hash(again.trace())
    assert whole.trace().finished == 6


def test_a_wall_that_comes_narrows_the_way():
    group, plan = formation("line", 5, [(20.5, 34.5), (20.5, 6.5)])
    cells = [(x, y) for y in (18, 19) for x in range(40) if not 18 <= x <= 22]
    scenario, plans = scene(OPEN, (group, plan))
    changed = type(scenario)(scenario.grid, scenario.groups, (Change(20, cells, "@"),), scenario.limits)
    trace = simulate(changed, plans, seed=0)
    assert trace_faults(changed, trace, np.array([20.5, 6.5]) + plan.schema.places) == []
    assert trace.finished == 5
    passing = trace.positions[
        (trace.positions[..., 1] > 18) & (trace.positions[..., 1] < 20) & (trace.times > 25)[:, None]
    ]
    assert len(passing) and (np.abs(passing[:, 0] - 20.5) < 2.5).all()


@pytest.mark.parametrize(
    ("shape", "units", "orientation"), [("line", 9, "track"), ("line", 9, "whole"), ("box", 16, "files")]
)
def test_nobody_goes_back_for_a_wall_that_comes_behind_a_formation(shape, units, orientation):
    group, plan = formation(shape, units, [(20.5, 34.5), (20.5, 4.5)], orientation=orientation, spacing=1.5)
    cells = [(x, y) for y in (24, 25) for x in range(40) if x != 20]
    scenario, plans = scene(OPEN, (group, plan))
    changed = Scenario(scenario.grid, scenario.groups, (Change(115, cells, "@"),), scenario.limits)
    before, after = simulate(scenario, plans, seed=0), simulate(changed, plans, seed=0)
    at = np.searchsorted(after.times, 115)
    assert after.positions[at, :, 1].max() < 24
    assert after.positions[at:, :, 1].max() < 24
    assert after.steps < 1.1 * before.steps


def test_a_wall_that_comes_between_ranks_is_passed_by_those_behind_it():
    group, plan = formation("box", 16, [(20.5, 34.5), (20.5, 6.5)], orientation="files", spacing=1.5)
    cells = [(x, y) for y in (24, 25) for x in range(40) if x != 20]
    scenario, plans = scene(OPEN, (group, plan), steps=8000)
    changed = Scenario(scenario.grid, scenario.groups, (Change(75, cells, "@"),), scenario.limits)
    trace = simulate(changed, plans, seed=0)
    at = int(np.searchsorted(trace.times, 75))
    ahead = trace.positions[at, :, 1] < 24
    assert ahead.any() and not ahead.all()
    assert trace.positions[at:, ahead, 1].max() < 24.5
    assert trace_faults(changed, trace, np.array([20.5, 6.5]) + plan.schema.places) == []
    assert trace.finished == 16


@pytest.mark.parametrize("saved", [False, True])
def test_the_map_changes_after_all_of_a_formation_have_fallen(saved):
    fallen, walking = (
        formation("line", 5, [(20.5, 34.5), (20.5, 6.5)], orientation="files"),
        formation("column", 2, [(5.5, 36.5), (5.5, 24.5)]),
    )
    scenario, plans = scene(GATE, fallen, walking)
    changed = Scenario(scenario.grid, scenario.groups, (Change(15, [(30, 30)], "@"),), scenario.limits)
    run = Simulation(changed, plans, seed=0)
    run.step(10)
    run.remove(range(5), close_ranks)
    if saved:
        run = Simulation.from_state(changed, run.state())
    run.step(4000)
    assert run.trace().finished == 2


def test_a_formation_beside_a_crowd_changes_no_number_of_it():
    """Fields and formations share their numbers; a group on paths is left alone."""
    group, plan = formation("column", 3, [(5.5, 30.5), (5.5, 10.5)])
    crowd, way = formation("column", 3, [(35.5, 30.5), (35.5, 10.5)])
    paths = GroupPlan.of_paths([[p, (35.5, 10.5)] for p in crowd.positions.tolist()])
    scenario, _ = scene(OPEN, (group, plan), (crowd, way))
    trace = simulate(scenario, [GroupPlan.of_formation(plan), paths], seed=0)
    alone = run(OPEN, (group, plan))
    assert trace.finished == 6
    assert np.array_equal(trace.positions[: alone.times.size - 1, :3], alone.positions[:-1])


def test_plans_that_can_not_be_are_refused():
    _, plan = formation("wedge", 3, [(5.5, 5.5)])
    schema = plan.schema
    for wrong, said in (
        (lambda: FormationPlan(schema, np.zeros((0, 2)), [0, 1, 2]), "way of a formation plan"),
        (lambda: FormationPlan(schema, [(1, 1)], [0, 1, 3]), "a spot in a formation plan; found 3; expected 0 to 2"),
        (lambda: FormationPlan(schema, [(1, 1)], [0, 1, 1]), "found spot 1 twice"),
        (lambda: FormationPlan(schema, [(1, 1)], [0, 1, 2], speed="quick"), "slowest or weighted"),
        (lambda: FormationPlan(schema, [(1, 1)], [0, 1, 2], orientation="split"), "whole or track"),
        (lambda: FormationPlan(schema, [(1, 1)], [0, 1, 2], azimuth=np.inf), "a number that is not finite"),
        (lambda: GroupPlan([0, 0], np.zeros((0, 2)), [0], formation=plan), "found 3 spots for 1 units"),
        (lambda: close_ranks(schema, [0, 3]), "a spot that is held; found 3"),
    ):
        with pytest.raises(InputError, match=said):
            wrong()


def test_casualties_that_can_not_be_are_refused():
    run = Simulation(*scene(OPEN, formation("wedge", 3, [(20.5, 20.5), (20.5, 10.5)])), seed=0)
    with pytest.raises(InputError, match="found unit 3; expected a unit from 0 to 2"):
        run.remove([3])
    with pytest.raises(InputError, match="spots of closed ranks"):
        run.remove([0], lambda schema, held: np.array([1, 1]))


def test_who_gets_a_field_goes_to_the_target_of_its_group():
    """A wall comes, and a field takes the place of the formation: nobody is still bound to a spot."""
    group, plan = formation("wedge", 5, [(20.5, 34.5), (20.5, 6.5)])
    group = Group(group.positions, Target(20.5, 6.5, 2.5), RADIUS, 0.15)
    scenario, plans = scene(OPEN, (group, plan))
    cells = [(x, 20) for x in range(40) if not 18 <= x <= 22]
    changed = Scenario(scenario.grid, scenario.groups, (Change(60, cells, "@"),), scenario.limits)
    asked = []

    def replan(grid, number, units, positions, cause, target):
        asked.append((units.tolist(), cause))
        return GroupPlan.of_field(flow_field(grid, [grid.vertex(20, 6)]).value, units.size)

    trace = simulate(changed, plans, seed=0, replan=replan)
    assert asked == [([0, 1, 2, 3, 4], Cause.MAP_CHANGE)]
    assert trace_faults(changed, trace) == []  # arrived within the target, not in spots
    assert trace.finished == 5


def test_once_somebody_has_arrived_ranks_do_not_close():
    group, plan = formation("line", 3, [(20.5, 20.5), (20.5, 12.5)])
    run = Simulation(*scene(OPEN, (group, plan)), seed=0)
    run.step(4000)
    (spots,) = Simulation(*scene(OPEN, (group, plan)), seed=0).plans.formations.values()
    spots.close(run.units, 0, lambda schema, held: pytest.fail("asked who has arrived to move up"))
    assert spots.holder.tolist() == [0, 1, 2]


def test_who_is_lost_after_ranks_have_closed_is_sent_to_the_spot_that_it_holds_then():
    """The unit that moved up into the spot of a fallen one is walled off: its new way ends at that spot."""
    group, plan = formation("column", 3, [(20.5, 30.5), (20.5, 6.5)])
    wall = [(x, 25) for x in range(40)]
    scenario, plans = scene(OPEN, (group, plan))
    changed = Scenario(scenario.grid, scenario.groups, (Change(40, wall, "@"),), scenario.limits)
    ways = []

    def replan(grid, number, units, positions, cause, target):
        (spots,) = run.plans.formations.values()
        place = {unit: spots.last[k] for k, unit in enumerate(spots.holder.tolist())}
        ways.extend((unit, place[unit].round(6).tolist()) for unit in units.tolist())
        return GroupPlan.of_paths([[at, place[unit]] for unit, at in zip(units.tolist(), positions, strict=True)])

    run = Simulation(changed, plans, seed=0, replan=replan)
    run.step(20)
    run.remove([0], close_ranks)
    run.step(30)
    assert dict(ways) == {1: [20.5, 6.5], 2: [20.5, 8.5]}


def test_a_way_that_leaves_the_map_is_refused():
    grid = Grid.from_text("\n".join(["." * 20] * 20))
    schema = schema_of("column", 2, spacing=2.0)
    for end in ((10.5, 3e7), (10.5, -300.0), (20.0, 5.5)):
        plan = FormationPlan(schema, [(10.5, 10.5), end], [0, 1])
        group = Group(np.array([(10.5, 10.5), (10.5, 12.5)]), Target(10.5, 5.5, 1.0))
        with pytest.raises(InputError, match="way of group 0"):
            Simulation(Scenario(grid, (group,)), [GroupPlan.of_formation(plan)], seed=1)
