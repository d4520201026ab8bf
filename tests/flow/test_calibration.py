"""The calibration: its scenes, a rate that is known, the shipped table measured again."""

import csv
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from anabasis import GroupPlan, __version__
from anabasis.flow.lanes import CUT, LANE
from anabasis.flow.throughput import FOLLOWS, PASSAGES, TABLE, measured_rates
from anabasis.lab.calibration import WIDTHS, Measurement, calibrate, gate_plan, gate_task, measure, table

SHIPPED = (files("anabasis") / "data" / TABLE).read_text(encoding="utf-8")


@pytest.mark.parametrize("passage", PASSAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_gate_is_as_wide_as_said_and_the_only_way(passage, width):
    task = gate_task(width, passage)
    group, free = task.scenario.groups[0], task.scenario.grid.free
    assert (task.bottom - task.top) / (2 * group.radius) == width
    for x in range(task.left, task.right):
        assert np.flatnonzero(free[:, x]).tolist() == list(range(task.top, task.bottom))
    assert group.speed / (2 * group.radius) == pytest.approx(0.15)
    assert (group.positions[:, 0] < task.left - group.radius).all()
    gaps = np.hypot(*(group.positions[:, None] - group.positions[None]).transpose(2, 0, 1))
    assert gaps[np.triu_indices(group.size, 1)].min() > 2 * group.radius
    assert np.hypot(*(group.target.x - task.right, group.target.y - task.ends[1, 1])) == pytest.approx(
        80 * group.radius
    )


@pytest.mark.parametrize("passage", PASSAGES)
@pytest.mark.parametrize("follows", [name for name in FOLLOWS if name != "field"])
def test_paths_lead_from_every_unit_through_the_gate_to_the_target(passage, follows):
    task = gate_task(3.0, passage)
    group, plan = task.scenario.groups[0], gate_plan(task, follows)
    assert plan.size == group.size
    for unit in range(group.size):
        path = plan.path(unit)
        assert path[0].tolist() == group.positions[unit].tolist()
        assert path[-1].tolist() == [group.target.x, group.target.y]
        at_gate = np.interp(task.left + 0.5, path[:, 0], path[:, 1])
        assert task.top < at_gate < task.bottom


def test_lanes_are_used_evenly():
    task = gate_task(8.0, "bend")
    plan = gate_plan(task, "lanes")
    lane = np.array([np.interp(task.right + 6.0, *plan.path(unit).T) for unit in range(plan.size)]).round(6)
    values, units = np.unique(lane, return_counts=True)
    assert len(values) == int(8 / LANE)
    assert np.median(units) == pytest.approx(plan.size / len(values), abs=2)
    assert (plan.cut == CUT).all(), "and their lanes"


def test_a_narrow_gate_is_passed_in_its_middle():
    task = gate_task(3.0, "bend")
    plan = gate_plan(task, "lanes")
    passed = np.array([np.interp(task.left + 0.5, *plan.path(unit).T) for unit in range(plan.size)])
    assert ((task.top < passed) & (passed < task.bottom)).all()
    assert np.mean(np.abs(passed - (task.top + 1.5)) <= 0.75) > 0.8, (
        "but for who stands before it and walks straight on"
    )


@pytest.mark.parametrize("spacing", [2.0, 4.0])
def test_units_that_walk_in_file_pass_at_the_rate_of_their_spacing(spacing):
    task = gate_task(1.0, "gap")
    wide = gate_task(60.0, "gap")  # a long room
    y = wide.ends[0, 1]
    x = wide.left - 2 - spacing * np.arange(12)
    group = replace(wide.scenario.groups[0], positions=np.stack([x, np.full(12, y)], axis=1))
    file = replace(wide, scenario=replace(wide.scenario, groups=(group,)))
    straight = GroupPlan.of_paths([np.array([place, [group.target.x, group.target.y]]) for place in group.positions])
    assert measure(file, straight, seed=0) == pytest.approx(1 / spacing, rel=0.03)
    assert task.bottom - task.top == 1


def test_nobody_passes_a_gate_far_narrower_than_a_unit():
    task = gate_task(1 / 3, "gap")
    assert measure(task, gate_plan(task, "field"), seed=0) == 0


@pytest.mark.parametrize(("passage", "follows"), [("gap", "paths"), ("bend", "lanes")])
def test_a_tiny_calibration_is_near_the_shipped_table(passage, follows):
    measured = calibrate(widths=(1.0, 2.0), seeds=1, passages=(passage,), follows=(follows,))
    width, rate = measured_rates(passage, follows)
    for m in measured:
        assert m.rate == pytest.approx(rate[width.tolist().index(m.width)], rel=0.2)


def test_the_order_is_fixed_and_progress_is_told():
    seen = []
    measured = calibrate(
        widths=(1.0, 2.0), seeds=2, passages=("gap",), follows=("field",), progress=lambda *now: seen.append(now)
    )
    assert [(m.width, m.seed) for m in measured] == [(1.0, 0), (1.0, 1), (2.0, 0), (2.0, 1)]
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_several_workers_measure_the_same():
    asked = {"widths": (1.0, 2.0), "seeds": 1, "passages": ("gap",), "follows": ("field",)}
    assert calibrate(**asked, workers=2) == calibrate(**asked)


def test_the_table_holds_medians_and_says_where_it_is_from():
    rates = {0: 0.5, 1: 0.9, 2: 0.4}
    text = table([Measurement("gap", "field", 1.0, seed, rate) for seed, rate in rates.items()], version="9.9")
    assert text.endswith("passage,follows,width,rate\ngap,field,1,0.5000\n")
    assert "--seeds 3 (seeds 0 to 2), Anabasis 9.9" in text


def test_the_shipped_table_is_whole():
    rows = list(csv.DictReader(line for line in SHIPPED.splitlines() if not line.startswith("#")))
    kinds = [(row["passage"], row["follows"], float(row["width"])) for row in rows]
    assert kinds == [(p, f, w) for p in PASSAGES for f in FOLLOWS for w in WIDTHS]


@pytest.mark.long
@pytest.mark.parametrize(("passage", "follows"), [("gap", "paths"), ("corridor", "lanes"), ("bend", "field")])
def test_the_shipped_table_is_what_the_command_writes(passage, follows):
    text = table(calibrate(widths=(0.5, 1.0, 4.0, 8.0), passages=(passage,), follows=(follows,)), version=__version__)
    head = [line for line in text.splitlines() if line.startswith("#")]
    assert head == [line for line in SHIPPED.splitlines() if line.startswith("#")]
    rows = text.splitlines()[len(head) + 1 :]
    assert len(rows) == 4
    assert set(rows) <= set(SHIPPED.splitlines())


@pytest.mark.long
@pytest.mark.parametrize("follows", ["paths", "lanes"])
def test_the_rate_depends_on_widths_in_diameters(follows):
    rates = []
    for radius in (0.25, 0.5, 1.0):
        task = gate_task(6.0, "gap", radius=radius)
        rates.append(np.median([measure(task, gate_plan(task, follows), seed=seed) for seed in range(3)]))
    assert max(rates) < 1.3 * min(rates)


@pytest.mark.long
@pytest.mark.parametrize(("width", "follows"), [(4.0, "paths"), (8.0, "lanes")])
def test_twice_as_many_units_pass_no_faster(width, follows):
    rates = []
    for factor in (1, 2):
        task = gate_task(width, "gap", units=round(factor * (100 + 50 * width)))
        rates.append(measure(task, gate_plan(task, follows), seed=0))
    assert max(rates) < 1.15 * min(rates)


def test_the_picture_is_the_same_twice_and_says_what_it_shows():
    pytest.importorskip("matplotlib")
    from anabasis.lab.calibration_chart import calibration_chart

    measured = [
        Measurement(passage, follows, width, seed, width / 2 + 0.1 * seed)
        for passage in PASSAGES
        for follows in FOLLOWS
        for width in (1.0, 2.0, 4.0)
        for seed in (0, 1)
    ]
    svg = calibration_chart(measured, kind="svg")
    assert svg == calibration_chart(measured, kind="svg")
    assert b"full speed" in svg
    assert calibration_chart(measured[:6], kind="png").startswith(b"\x89PNG")
    assert calibration_chart(measured, kind="pdf").startswith(b"%PDF")
