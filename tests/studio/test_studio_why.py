"""Why a unit is where it is: queues, blockers, forces and history, of kept runs and of live ones."""

from pathlib import Path

import numpy as np
import pytest
from talk import Talk
from test_studio_live import ARGS

from anabasis import Grid, Group, InputError, Scenario, Steering, Target
from anabasis.campaign import Campaign
from anabasis.orders import execute, plan_groups
from anabasis.studio.archives import keep_run
from anabasis.studio.reasons import reasons
from anabasis.studio.scenes import said_scene
from anabasis.studio.work.why import CAUSES, FORCES
from anabasis.trace import Cause, UnitState
from anabasis.view.layers import Arrows, Circles, Polylines

HALLS = """
#####################
#.........#.........#
#.........#.........#
#.........#.........#
#...................#
#.........#.........#
#.........#.........#
#.........#.........#
#####################
"""


def queue(method: str = "astar") -> Campaign:
    """Six units in a row before a door, the first of them nearest."""
    places = [(8.5 - k, 4.5) for k in range(6)]
    return Campaign(Scenario(Grid.from_text(HALLS), (Group(places, Target(18.5, 4.5)),)), method, seed=0)


@pytest.mark.parametrize("method", ["astar", "vector-field", "flow-taut"])
def test_the_place_in_a_queue_is_known(method: str) -> None:
    run = queue(method)
    run.step(3)
    for unit in (0, 2, 5):
        gate = reasons(run, unit).gate
        assert gate is not None
        assert gate.before.tolist() == list(range(unit))
        assert gate.cells.tolist() == [[10, 4]] and gate.width == 1.0
        assert gate.distance == pytest.approx(10 - run.run.units.position[unit, 0], abs=0.5)


def test_who_is_through_has_no_gate_before_it() -> None:
    run = queue()
    while run.run.units.position[0, 0] < 12:
        run.step()
    assert reasons(run, 0).gate is None
    assert reasons(run, 5).gate.before.tolist() != list(range(5))  # unit 0 is no more in the queue


def test_forces_add_up_to_the_velocity_that_was_wanted() -> None:
    places = [(4.5 + x, 2.5 + y) for x in range(4) for y in range(4)]
    run = Campaign(Scenario(Grid.from_text(HALLS), (Group(places, Target(18.5, 4.5)),)), "astar", seed=2)
    seen: set[str] = set()
    for step in (1, 9, 25, 40):
        run.step(step - run.now)
        for unit in range(16):
            before = run.at(step - 1)
            old = before.units.velocity[unit].copy()
            parts = before.step_watching(unit).forces
            assert before.recording.digest == run.run.recording.digest  # it is the same step
            if not parts:
                continue
            seen |= {name for name, force in parts.items() if np.hypot(*force) > 0}
            speed, most = 0.15, 0.25 * 0.15
            wanted = sum(parts.values())
            wanted *= speed / max(1.0, float(np.hypot(*wanted)))
            change = wanted - old
            change *= min(1.0, most / max(float(np.hypot(*change)), 1e-12))
            k = int(np.flatnonzero(before.cells.order[: before.cells.size] == unit)[0])
            assert before.forces.velocity[k] == pytest.approx(old + change, abs=1e-12)
    assert seen == set(FORCES)


def test_rays_end_where_they_hit_and_make_the_force_of_walls() -> None:
    grid = Grid.from_text(HALLS)
    places = [(4.5 + x, 2.5 + y) for x in range(4) for y in range(4)]
    steering = Steering(rays=5, ray_spread=60.0, ray_length=3.0, random_feeler=0.0)
    run = Campaign(Scenario(grid, (Group(places, Target(18.5, 4.5)),), steering=steering), "astar", seed=2)
    hits = 0
    for step in range(1, 80, 9):
        run.step(step - run.now)
        for unit in range(16):
            before = run.at(step - 1)
            units = before.units
            (x, y), velocity, facing = units.position[unit], units.velocity[unit], units.facing[unit].copy()
            reach = 6.0 * units.radius[unit] * np.clip(np.hypot(*velocity) / 0.15, 0.2, 1.0)
            x, y = float(x), float(y)
            felt = before.step_watching(unit)
            if not felt.forces:
                continue
            assert felt.rays.shape == (6, 2, 2)
            assert (felt.rays[:, 0] == (x, y)).all()
            ways = felt.rays[:, 1] - felt.rays[:, 0]
            lengths = np.hypot(*ways.T)
            angles = np.degrees(np.arctan2(facing[0] * ways[:, 1] - facing[1] * ways[:, 0], ways @ facing))
            assert angles[:5] == pytest.approx([-60, -30, 0, 30, 60], abs=1e-6)
            assert lengths[:5].max() <= reach + 1e-9 and lengths[5] <= 2 * reach and abs(angles[5]) <= 45
            force = np.zeros(2)
            for way, length in zip(ways[:5], lengths[:5], strict=True):
                free = [grid.is_free(*np.floor((x, y) + way * share).astype(int)) for share in (0.5, 0.999)]
                assert all(free)
                if length < reach - 1e-9:
                    hits += 1
                    end = np.floor((x, y) + way * (1 + 1e-6 / length)).astype(int)
                    assert not grid.is_free(*end)
                    strength = min(units.radius[unit] / length - units.radius[unit] / reach, 2.0)
                    force -= steering.obstacle_avoidance * strength * way / length
            wanted = units.wanted[unit]
            force -= min(force @ wanted, 0.0) * wanted
            assert felt.forces["walls"] == pytest.approx(force, abs=1e-9)
    assert hits > 50


def test_a_row_of_units_that_wait_is_named_to_its_head() -> None:
    grid = Grid.from_text("############\n#..........#\n############")
    rows = [(3.5, 1.5), (2.5, 1.5), (1.5, 1.5)]
    groups = (Group(rows, Target(10.5, 1.5, 0.5)), Group([(10.5, 1.5)], Target(1.5, 1.5, 0.5)))
    run = Campaign(Scenario(grid, groups), "astar", seed=0)
    run.step(80)
    assert [reasons(run, unit).blockers[:3] for unit in (2, 1, 0)] == [(1, 0, 3), (0, 3), (3,)]
    assert [reasons(run, unit).against for unit in (2, 1, 0)] == [False, False, True]


def test_two_that_meet_in_a_corridor_are_said_to() -> None:
    grid = Grid.from_text("##########\n#........#\n##########")
    groups = (Group([(1.5, 1.5)], Target(8.5, 1.5, 0.5)), Group([(8.5, 1.5)], Target(1.5, 1.5, 0.5)))
    run = Campaign(Scenario(grid, groups), "astar", seed=0)
    run.step(100)
    found = reasons(run, 0)
    assert found.blockers == (1,) and found.against


def test_a_way_that_is_too_narrow_is_said_to_be() -> None:
    big = Group([(4.5, 4.5)], Target(18.5, 4.5), radius=1.2)
    run = Campaign(Scenario(Grid.from_text(HALLS), (big,)), "astar", seed=0)
    run.step(150)
    assert reasons(run, 0).narrow
    run = queue()
    run.step(20)
    assert not any(reasons(run, unit).narrow for unit in range(6))


def kept(folder: Path) -> Scenario:
    places = [(2.5 + x, 2.5 + y) for x in range(5) for y in range(5)]
    scenario = Scenario(Grid.from_text(HALLS), (Group(places, Target(18.5, 4.5), name="reds"),), seed=1)
    plans = plan_groups(scenario, "flow-replan", seed=1)
    trace = execute(scenario, "flow-replan", plans, seed=1, record_every=7)
    keep_run(folder, scenario, "flow-replan", 1, plans, trace)
    return scenario


def test_of_a_kept_run_every_frame_can_be_asked_about(tmp_path: Path) -> None:
    kept(tmp_path)
    for frame, unit in ((0, 3), (1, 3), (12, 3), (12, 24)):
        with Talk("why", {"folder": str(tmp_path), "unit": unit, "step": 7 * frame + frame % 5, "of": "x"}) as talk:
            why, _ = talk.wait("why")
            scene = said_scene(talk.wait("scene"))
        assert (why["unit"], why["step"], why["state"]) == (unit, 7 * frame, "moving")
        assert why["sentences"][0].startswith(f"Unit {unit} of reds is ")
        assert all((text[0].isupper() or text[0].isdigit()) and text.endswith(".") for text in why["sentences"])
        assert set(why["forces"]) == (set(FORCES) if frame else set())
        assert any(isinstance(layer, Circles) for layer in scene.layers)
        assert any(isinstance(layer, Polylines) for layer in scene.layers)
        assert any(isinstance(layer, Arrows) for layer in scene.layers) == bool(frame)
        assert any(item.label.startswith("rays") for item in scene.legend) == bool(frame)
    queueing = [text for text in why["sentences"] if "in the queue" in text]
    assert len(queueing) == 1 and f"{len(why['before'])} units will be there before it" in queueing[0]


def test_who_is_done_has_a_fate(tmp_path: Path) -> None:
    kept(tmp_path)
    with Talk("why", {"folder": str(tmp_path), "unit": 20, "step": 0}) as talk:
        talk.wait("why")
    from anabasis.studio.archives import kept_run

    run = kept_run(tmp_path)
    with Talk("why", {"folder": str(tmp_path), "unit": 20, "step": run.trace.steps}) as talk:
        why, _ = talk.wait("why")
    assert why["sentences"][0] == f"Unit 20 of reds arrived at step {run.trace.arrival[20]}."


@pytest.mark.parametrize(
    ("more", "problem"),
    [({"unit": 25}, "unit"), ({"step": 10**6}, "step"), ({"folder": "/nowhere"}, "no run was kept")],
)
def test_what_is_not_there_is_an_error(more: dict, problem: str, tmp_path: Path) -> None:
    kept(tmp_path)
    with pytest.raises(InputError, match=problem):  # noqa: SIM117 - the job's own error
        with Talk("why", {"folder": str(tmp_path), "unit": 0, "step": 0, **more}) as talk:
            talk.wait("why")


def test_in_a_live_run_it_is_a_word_and_leaves_the_run_alone() -> None:
    with Talk("live", ARGS) as talk:
        talk.wait("counters")
        talk.tell("step", "counters", steps=25)
        talk.tell("order", "told", units=[4], target=[20.5, 9.5], through=[[10.5, 3.5]])
        talk.tell("step", "counters", steps=5)
        why, _ = talk.tell("why", "why", unit=4)
        assert "It follows a way of its own to stop 1 of its order." in why["sentences"]
        assert "At step 26 it got a new plan, because it was sent elsewhere." in why["sentences"]
        talk.tell("remove", "told", units=[4])
        talk.tell("step", "counters")
        why, _ = talk.tell("why", "why", unit=4)
        assert why["sentences"][0] == "Unit 4 of reds was removed at step 30: it was taken out."
        asked = talk.tell("step", "counters", steps=20)[0]["hash"]
        record, _ = talk.tell("record", "orders")
    with Talk("live", {**ARGS, "orders": record["orders"]}) as talk:
        talk.wait("counters")
        assert talk.tell("step", "counters", steps=51)[0]["hash"] == asked


def test_every_cause_has_its_words() -> None:
    assert set(CAUSES) == set(Cause)
    assert UnitState.LOST == 1
