import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from crowd_scenes import block, field_to_target, gap_scene, open_scene, straight

from anabasis import Change, Grid, Group, GroupPlan, Limits, Scenario, Steering, Target, Trace, state_hash
from anabasis.metrics.traces import trace_faults
from anabasis.sim.simulate import Simulation, simulate
from anabasis.trace import Cause, Ending, Event, UnitState, first_divergence


def removals(trace: Trace) -> list[tuple[int, int]]:
    gone = trace.event_kind == Event.REMOVED
    return list(zip(trace.event_unit[gone].tolist(), trace.event_cause[gone].tolist(), strict=True))


def mixed_scene() -> tuple[Scenario, list[GroupPlan]]:
    """Three groups of different sizes, speeds and movement classes, a gap, and two changes of the map."""
    text = [["."] * 40 for _ in range(24)]
    for y in range(24):
        text[y][20] = "." if 9 <= y <= 14 else "#"
    for y in range(18, 24):
        for x in range(40):
            text[y][x] = "W"
    grid = Grid.from_text("\n".join("".join(row) for row in text), "amphibious")
    groups = (
        Group(block(3, 7, 6, 9), Target(35.5, 12.5), movement="land"),
        Group(block(30, 8, 3, 3, 1.7), Target(4.5, 12.5), radius=0.8, speed=0.1, movement="amphibious"),
        Group(block(3, 19, 5, 4, 0.9), Target(36.5, 21.5), radius=0.4, speed=0.25, movement="water"),
    )
    changes = (Change(60, [(20, 9), (20, 10)], "@"), Change(150, [(20, 9)], "."), Change(90, [(10, 21)], "T"))
    scenario = Scenario(grid, groups, changes, Limits(steps=3000), seed=5)
    return scenario, [
        straight(scenario, 0, (20.5, 12.5)),
        straight(scenario, 1, (20.5, 12.5)),
        field_to_target(scenario, 2),
    ]


def to_target(scenario: Scenario):
    def replan(
        grid: Grid, group: int, units: np.ndarray, places: np.ndarray, cause: Cause, target: Target
    ) -> GroupPlan:
        moved = replace(scenario.groups[group], positions=places)
        if group == 2:
            return field_to_target(replace(scenario, grid=grid, groups=(moved,), changes=()))
        target = (moved.target.x, moved.target.y)
        return GroupPlan.of_paths([[p, (20.5, 12.5), target] for p in places.tolist()])

    return replan


def test_a_crowd_goes_through_a_gap_and_everyone_arrives() -> None:
    for width, most in ((3, 2000), (6, 1300)):
        scenario, plan = gap_scene(width, 300)
        for way in (plan, field_to_target(scenario)):
            trace = simulate(scenario, [way], seed=1, record_every=10)
            assert trace.finished == 300
            assert trace.ending is Ending.ALL_DONE
            assert trace_faults(scenario, trace) == []
            if way is plan:
                assert trace.steps < most


@pytest.mark.parametrize("seed", range(3))
def test_invariants_of_a_mixed_run(seed: int) -> None:
    scenario, plans = mixed_scene()
    trace = simulate(scenario, plans, seed=seed, replan=to_target(scenario))
    assert trace_faults(scenario, trace) == []
    assert trace.finished == scenario.size
    assert (trace.event_kind == Event.MAP_CHANGED).sum() == 3
    assert (trace.counters.replans[trace.group == 0] >= 2).all()
    assert (np.bincount(trace.event_unit[trace.event_kind == Event.ARRIVED], minlength=scenario.size) == 1).all()


def test_a_unit_inside_the_target_is_done_after_one_update() -> None:
    scenario = open_scene([(10.0, 10.0), (11.5, 10.0), (20.0, 10.0)], (10.5, 10.0), target_radius=2.0)
    nowhere = GroupPlan.of_paths([np.zeros((0, 2)), [(1.0, 10.0)], np.zeros((0, 2))])
    trace = simulate(scenario, [nowhere], seed=0)
    assert trace.counters.updates.tolist() == [1, 1, 0]
    assert trace.arrival.tolist() == [1, 1, -1]
    assert removals(trace) == [(2, Cause.UNREACHABLE)]
    assert trace.counters.distance_travelled.tolist() == [0, 0, 0]


def test_removal_says_why() -> None:
    scenario = open_scene([(2.0, 2.0), (5.0, 2.0)], (20.0, 2.0))
    plan = GroupPlan.of_paths([np.zeros((0, 2)), np.zeros((0, 2))], route=[-1, 0])
    assert removals(simulate(scenario, [plan], seed=0)) == [(0, Cause.UNREACHABLE), (1, Cause.NO_PLAN)]


def test_units_that_are_done_do_not_push_others() -> None:
    alone = open_scene([(5.0, 10.0)], (25.0, 10.0))
    others = open_scene([(5.0, 10.0), (15.0, 10.1)], (25.0, 10.0))
    blocked = GroupPlan.of_paths([[(25.0, 10.0)], np.zeros((0, 2))])
    a = simulate(alone, [straight(alone)], seed=0)
    b = simulate(others, [blocked], seed=0)
    assert np.array_equal(a.positions[5:, 0], b.positions[5:, 0])


def test_equal_runs_have_equal_hashes_and_other_seeds_others() -> None:
    scenario, plans = mixed_scene()
    traces = [simulate(scenario, plans, seed=s, replan=to_target(scenario)) for s in (7, 7, 7, 8)]
    assert len({state_hash(t) for t in traces[:3]}) == 1
    assert traces[0].hash == traces[1].hash == traces[2].hash != traces[3].hash
    assert first_divergence(traces[0], traces[2]) is None


def test_numbering_the_units_otherwise_changes_nothing_else() -> None:
    scenario, plan = gap_scene(3, 120)
    new = np.random.default_rng(0).permutation(120)
    other = replace(scenario, groups=(replace(scenario.groups[0], positions=scenario.groups[0].positions[new]),))
    a = Simulation(scenario, [plan], seed=3)
    b = Simulation(other, [GroupPlan.of_paths([plan.path(k) for k in new.tolist()])], seed=3, keys=new)
    a.step(400)
    b.step(400)
    for name, array in a.units.arrays().items():
        if name not in ("by_key", "key", "first", "end", "near", "farthest", "goal", "route"):
            assert np.array_equal(array[new], getattr(b.units, name)), name


@pytest.mark.parametrize("at", [0, 1, 59, 60, 61, 133, 500])
def test_saved_loaded_and_gone_on_is_as_never_stopped(at: int, tmp_path: Path) -> None:
    scenario, plans = mixed_scene()
    whole = simulate(scenario, plans, seed=2, replan=to_target(scenario), record_every=3)
    run = Simulation(scenario, plans, seed=2, replan=to_target(scenario), record_every=3)
    run.step(at)
    np.savez(tmp_path / "state.npz", **run.state())
    with np.load(tmp_path / "state.npz", allow_pickle=False) as saved:
        again = Simulation.from_state(scenario, dict(saved), replan=to_target(scenario))
    assert again.trace().steps == at
    again.step(10**6)
    assert first_divergence(whole, again.trace()) is None
    assert state_hash(whole) == state_hash(again.trace())


def test_how_often_frames_are_recorded_changes_no_hash() -> None:
    scenario, plan = gap_scene(5, 40)
    a, b = (simulate(scenario, [plan], seed=1, record_every=k) for k in (1, 7))
    assert a.hash == b.hash
    assert (np.diff(b.times)[:-1] == 7).all()
    assert a.steps == b.steps
    assert np.array_equal(a.positions[b.times], b.positions)


SMALL = """
import sys; sys.path.insert(0, sys.argv[1])
from crowd_scenes import gap_scene, field_to_target
from formation_scenes import GATE, formation, scene
from test_simulate import mixed_scene, to_target
from anabasis import state_hash
from anabasis.sim.simulate import Simulation
for width in (1, 3):
    scenario, plan = gap_scene(width, 12)
    for way in (plan, field_to_target(scenario)):
        run = Simulation(scenario, [way], seed=1)
        run.units.position[:, 0] += 24.0
        run.step(45)
        print(state_hash(run.trace()))
scenario, plans = mixed_scene()
run = Simulation(scenario, plans, seed=1, replan=to_target(scenario))
run.step(62)  # over the first change of the map
print(state_hash(run.trace()))
run = Simulation(*scene(GATE, formation("wedge", 5, [(19.5, 24.5), (19.5, 12.5)], orientation="track")), seed=1)
run.step(90)
print(state_hash(run.trace()))
"""


def test_interpreted_and_compiled_steps_are_equal_to_the_byte() -> None:
    hashes = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", SMALL, str(Path(__file__).parent)],
            env={**os.environ, "NUMBA_DISABLE_JIT": off, "PYTHONHASHSEED": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for off in ("0", "1")
    ]
    assert hashes[0] == hashes[1]
    assert len(set(hashes[0].split())) == 6


def test_a_wall_that_falls_on_a_unit_moves_it_to_the_nearest_free_cell() -> None:
    cells = [(x, y) for x in range(4, 9) for y in range(8, 13)]
    scenario = open_scene([(4.5, 10.5), (20.5, 10.5)], (25.5, 10.5), changes=(Change(3, cells, "@"),))
    asked = []

    def replan(
        grid: Grid, group: int, units: np.ndarray, places: np.ndarray, cause: Cause, target: Target
    ) -> GroupPlan:
        asked.append((units.tolist(), places.tolist(), cause, grid.is_free(4, 10)))
        return GroupPlan.of_paths([[p, (3.5, 14.5), (25.5, 10.5)] for p in places.tolist()])

    trace = simulate(scenario, [straight(scenario)], seed=0, replan=replan)
    assert trace_faults(scenario, trace) == []
    assert trace.positions[3, 0] == pytest.approx((3.5, 10.5), abs=0.1)
    assert [(units, cause, free) for units, _, cause, free in asked] == [([0, 1], Cause.MAP_CHANGE, False)]
    events = list(zip(trace.event_step.tolist(), trace.event_kind.tolist(), trace.event_unit.tolist(), strict=True))
    assert events[:4] == [
        (3, Event.MAP_CHANGED, -1),
        (3, Event.DISPLACED, 0),
        (3, Event.REPLANNED, 0),
        (3, Event.REPLANNED, 1),
    ]
    assert trace.finished == 2


def test_a_change_that_cuts_the_way_removes_the_group() -> None:
    wall = [(15, y) for y in range(30)]
    scenario = open_scene([(4.5, 10.5), (20.5, 10.5)], (25.5, 10.5), changes=(Change(10, wall, "@"),))

    def replan(
        grid: Grid, group: int, units: np.ndarray, places: np.ndarray, cause: Cause, target: Target
    ) -> GroupPlan:
        return GroupPlan.of_paths([[p, (25.5, 10.5)] if p[0] > 15 else np.zeros((0, 2)) for p in places.tolist()])

    trace = simulate(scenario, [straight(scenario)], seed=0, replan=replan)
    assert removals(trace) == [(0, Cause.UNREACHABLE)]
    assert trace.arrival[1] > 0


def test_a_map_of_walls_leaves_nobody() -> None:
    cells = [(x, y) for x in range(30) for y in range(30)]
    scenario = open_scene([(4.5, 10.5)], (25.5, 10.5), changes=(Change(10, cells, "@"),))
    assert removals(simulate(scenario, [straight(scenario)], seed=0)) == [(0, Cause.MAP_CHANGE)]


def test_a_group_that_does_not_feel_a_change_keeps_its_plan() -> None:
    text = "....\n" * 4 + "WWWW\n" * 2
    grid = Grid.from_text(text, "amphibious")
    scenario = Scenario(
        grid,
        (
            Group([(0.5, 0.5)], Target(3.5, 0.5, 0.3), movement="land"),
            Group([(0.5, 5.5)], Target(3.5, 5.5, 0.3), movement="water"),
        ),
        (Change(2, [(2, 4)], "@"),),
    )
    groups = []

    def replan(
        grid: Grid, group: int, units: np.ndarray, places: np.ndarray, cause: Cause, target: Target
    ) -> GroupPlan:
        groups.append((group, units.tolist()))
        return GroupPlan.of_paths([[(3.5, 5.5)]])

    trace = simulate(scenario, [straight(scenario, g) for g in (0, 1)], seed=0, replan=replan)
    assert groups == [(1, [1])]
    assert trace.counters.replans.tolist() == [0, 1]


def test_the_step_limit_ends_a_run() -> None:
    scenario = open_scene([(2.0, 2.0)], (25.0, 2.0), limits=Limits(steps=50))
    trace = simulate(scenario, [straight(scenario)], seed=0, record_every=40)
    assert (trace.ending, trace.steps, trace.times.tolist()) == (Ending.STEP_LIMIT, 50, [0, 40, 50])
    assert trace.timer_cutoff
    assert trace.state[-1].tolist() == [UnitState.MOVING]
    assert (trace.event_kind[-1], trace.event_cause[-1]) == (Event.ENDED, Cause.STEP_LIMIT)


def test_a_stall_ends_a_run_but_a_long_march_does_not() -> None:
    free = np.ones((5, 60), bool)
    limits = Limits(stall_steps=100)
    march = Scenario(Grid.from_free(free), (Group([(2.0, 2.5)], Target(57, 2.5)),), limits=limits)
    assert simulate(march, [straight(march)], seed=0).ending is Ending.ALL_DONE
    free[:, 30] = False
    stuck = Scenario(Grid.from_free(free), (Group([(2.0, 2.5)], Target(57, 2.5)),), limits=limits)
    trace = simulate(stuck, [straight(stuck, 0, (20.0, 2.5))], seed=0)
    assert trace.ending is Ending.STALL
    assert 150 < trace.steps < 400


def test_a_stall_is_called_only_when_few_are_left() -> None:
    free = np.ones((5, 60), bool)
    free[:, 30] = False
    places, limits = [(2.0, 2.5), (2.0, 4.0)], Limits(steps=600, stall_steps=50, stall_units=1)
    stuck = Scenario(Grid.from_free(free), (Group(places, Target(57, 2.5)),), limits=limits)
    assert simulate(stuck, [straight(stuck, 0, (20.0, 2.5))], seed=0).ending is Ending.STEP_LIMIT


def test_a_stall_counts_from_the_last_arrival_also_after_loading() -> None:
    free = np.ones((5, 60), bool)
    free[:, 30] = False
    groups = (Group([(25.0, 2.5)], Target(57, 2.5)), Group([(2.0, 4.0)], Target(20.0, 4.0)))
    scenario = Scenario(Grid.from_free(free), groups, limits=Limits(stall_steps=100))
    plans = [straight(scenario, 0), straight(scenario, 1)]
    whole = simulate(scenario, plans, seed=0)
    assert (whole.ending, whole.steps) == (Ending.STALL, whole.arrival[1] + 100)
    run = Simulation(scenario, plans, seed=0)
    run.step(int(whole.arrival[1]) + 10)
    again = Simulation.from_state(scenario, run.state())
    again.step(10**6)
    assert again.trace().steps == whole.steps


def test_progress_is_told() -> None:
    told = []
    scenario = open_scene(block(3, 3, 4, 4), (25.0, 5.0), target_radius=2.0)
    simulate(scenario, [straight(scenario)], seed=0, progress=lambda done, units: told.append((done, units)))
    assert told == sorted(told)
    assert told[-1] == (16, 16)


def test_first_divergence_names_step_unit_and_field() -> None:
    scenario, plan = gap_scene(4, 20)
    a = simulate(scenario, [plan], seed=1)
    moved = a.positions.copy()
    moved[17:, 3, 0] += 1e-12
    text = first_divergence(a, replace(a, positions=moved))
    assert text is not None
    assert text.startswith("step 17, unit 3, field positions")
    states = a.state.copy()
    states[40, 5] = UnitState.LOST
    assert "step 40, unit 5, field state" in str(first_divergence(a, replace(a, state=states)))
    hashes = a.hashes.copy()
    hashes[30] += np.uint64(1)
    assert "step 30, field hash" in str(first_divergence(a, replace(a, hashes=hashes)))
    short = simulate(replace(scenario, limits=Limits(steps=30)), [plan], seed=1)
    assert "one run ends here" in str(first_divergence(short, a))
    faster = Scenario(scenario.grid, scenario.groups, steering=Steering(force=0.26))
    assert "step 1, unit 0" in str(first_divergence(a, simulate(faster, [plan], seed=1)))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_random_maps_lose_nobody(seed: int) -> None:
    rng = np.random.default_rng(seed)
    free = rng.random((40, 40)) < rng.uniform(0.55, 0.95)
    free[18:22, 18:22] = True
    grid = Grid.from_free(free)
    places = grid.centres(rng.permutation(np.flatnonzero(free.ravel()))[:150])
    walls = [tuple(c) for c in rng.integers(0, 40, (60, 2)).tolist() if max(abs(c[0] - 20), abs(c[1] - 20)) > 3]
    scenario = Scenario(grid, (Group(places, Target(20.0, 20.0)),), (Change(100, walls, "@"),), Limits(steps=8000))

    def plan(grid: Grid, units: np.ndarray) -> GroupPlan:
        moved = (replace(scenario.groups[0], positions=units),)
        made = field_to_target(replace(scenario, grid=grid, groups=moved, changes=()))
        assert made.field is not None
        cells = np.floor(units).astype(int)
        way = np.isfinite(made.field.distance[cells[:, 1], cells[:, 0]])
        return replace(made, route=np.where(way, 0, -1))

    trace = simulate(scenario, [plan(grid, places)], seed=seed, replan=lambda g, _, __, p, ___, ____: plan(g, p))
    assert trace_faults(scenario, trace) == []
    assert (trace.state[-1] >= UnitState.ARRIVED).all()
