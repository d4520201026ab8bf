"""One run with the real planners and the real simulator."""

from __future__ import annotations

from pathlib import Path

import lab_tasks
import numpy as np
import pytest

from anabasis import Grid, Group, GroupPlan, Limits, Result, Scenario, Status, Target
from anabasis.bound.grid import grid_bound
from anabasis.io.archive import load
from anabasis.lab import bounds
from anabasis.lab.bounds import gap_text, proved_bound
from anabasis.lab.compare import compare
from anabasis.lab.report import write_report
from anabasis.lab.suite import Suite
from anabasis.lab.trial import VALUES, density, forecast, measure, pack, record_every, run_trial, unpack
from anabasis.methods import names


def scenario(target: tuple[float, float] = (17.5, 5.5)) -> Scenario:
    grid = Grid.from_text(lab_tasks.MAP)
    positions = np.array([[1.5 + x, 1.5 + y] for y in range(3) for x in range(4)])
    group = Group(positions, Target(*target, 1.5), radius=0.4, speed=0.2)
    return Scenario(grid, (group,), limits=Limits(steps=1500), name="small")


@pytest.mark.long
def test_comparison_of_all_group_methods_is_the_same_with_any_number_of_workers(tmp_path: Path) -> None:
    suite = Suite.of([scenario()], names("group"), 2)
    tables = []
    for workers in (1, 2):
        folder = tmp_path / f"{workers}.run"
        found = compare(suite, folder, workers=workers, timeout=300)
        assert not found.failures
        assert all(entry.comparable for entry in found.entries)
        tables.append((folder / "table.csv").read_bytes() + (folder / "results.parquet").read_bytes())
        for kept in ("*0.npz", "*0.plan.npz"):
            assert sorted(p.name.split("_")[2] for p in folder.glob(f"traces/{kept}")) == sorted(names("group"))
    assert tables[0] == tables[1]
    write_report(folder, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert ("Planned routes" in page, "Ways walked" in page) == (True, True)
    assert page.count("<figure") == 1 + 4 * len(names("group")) + 3  # planned, walked, crowding, moment by method


def test_a_run_and_its_numbers(tmp_path: Path) -> None:
    outcome = run_trial(scenario(), "astar", 3, tmp_path / "trace.npz")
    trace = load(tmp_path / "trace.npz")
    assert outcome.status == "ok"
    assert set(outcome.values) == set(VALUES)
    arrivals = unpack(outcome.arrivals)
    assert arrivals.tolist() == trace.arrival.tolist()  # type: ignore[attr-defined]
    assert outcome.values["steps"] == outcome.values["last_arrival"] == arrivals.max()
    assert outcome.values["middle_arrival"] == np.sort(arrivals)[5]
    assert outcome.values["updates_sum"] == pytest.approx(arrivals.sum(), rel=0.02)
    assert outcome.planning_seconds is not None
    assert outcome.planning_seconds > 0
    assert run_trial(scenario(), "astar", 3, None).values == outcome.values


def test_the_bound_is_proved_for_the_scenario_whatever_the_method_and_computed_once() -> None:
    case = scenario()
    group = case.groups[0]
    bound = grid_bound(case.grid, group, steering=case.steering).value
    assert bound is not None
    before = bounds._proved_bound.cache_info().misses
    values = [run_trial(scenario(), method, 1, None).values for method in ("astar", "flow-taut")]  # loaded twice
    assert bounds._proved_bound.cache_info().misses <= before + 1
    assert [v["bound_steps"] for v in values] == [bound.steps] * 2
    assert all(bound.steps <= v["steps"] for v in values)
    assert (values[0]["predicted_steps"], values[0]["network_bound_steps"]) == (None, None)
    assert values[1]["network_bound_steps"]


def test_the_bound_of_several_groups_is_the_greatest() -> None:
    one = scenario().groups[0]
    near = Group(one.positions[:4], Target(6.5, 2.5, 1.5), radius=0.4, speed=0.2)
    far = Group(one.positions[4:], Target(17.5, 7.5, 1.5), radius=0.4, speed=0.2)
    grid = scenario().grid
    alone = [proved_bound(Scenario(grid, (group,))) for group in (near, far)]
    both = proved_bound(Scenario(grid, (near, far)))
    assert alone[0] < alone[1] <= both  # type: ignore[operator]
    assert gap_text(150, 100) == "50 %"
    assert gap_text(150, None) == gap_text(None, 100) == "–"


def test_a_faulty_trace_is_a_row_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anabasis.metrics.traces.trace_faults", lambda *_: ["unit 3 stands in a wall", "unit 4 jumps"])
    outcome = run_trial(scenario(), "astar", 0, None)
    assert outcome.status == "invalid"
    assert outcome.reason == "unit 3 stands in a wall (and 1 more fault)"
    assert outcome.values["units"] == 12


def test_a_target_that_no_unit_can_reach_leaves_all_units_behind() -> None:
    walled = Grid.from_text("......\n......\n####..\n.#....\n##....")
    group = Group(np.array([[1.5, 0.5], [3.5, 0.5]]), Target(0.5, 3.5, 0.4), radius=0.3)
    outcome = run_trial(Scenario(walled, (group,), limits=Limits(steps=300)), "astar", 0, None)
    assert outcome.status == "ok"
    assert (outcome.values["finished"], outcome.values["not_finished"]) == (0, 2)
    assert outcome.values["last_arrival"] is None
    assert outcome.values["bound_steps"] is None
    assert outcome.values["updates_mean"] is None
    assert isinstance(outcome.values["steps"], int)


def test_units_left_behind_count_with_the_step_of_the_end() -> None:
    case = lab_tasks.scenario()
    values = measure(lab_tasks.made_up_trace(case, "fast", 0, left=3))
    assert values["steps"] == 400
    assert values["not_finished"] == 3
    assert values["timer_cutoff"] is True
    last = values["last_arrival"]
    assert isinstance(last, int)
    assert last < 400


def test_density_of_a_large_map_is_taken_together_in_blocks() -> None:
    grid = Grid.from_free(np.ones((200, 300), bool))
    group = Group(np.array([[10.5, 10.5], [290.5, 190.5]]), Target(150.5, 100.5))
    large = Scenario(grid, (group,))
    trace = lab_tasks.made_up_trace(large, "slow", 1)
    blocks = density(large, trace)
    assert blocks.shape == (67, 100)
    assert blocks.dtype == np.float32
    assert blocks.sum() == pytest.approx(trace.arrival.sum() / trace.steps, rel=0.05)


def test_more_units_are_recorded_more_rarely() -> None:
    assert record_every(lab_tasks.scenario(units=12)) == 5
    crowd = Group(np.full((3000, 2), 1.5), Target(3.5, 3.5))
    assert record_every(Scenario(Grid.from_free(np.ones((5, 5), bool)), (crowd,))) == 30


def test_packed_arrays_come_back() -> None:
    for array in (np.arange(5), np.zeros((0,), np.int64), np.ones((2, 3), np.float32)):
        back = unpack(pack(array))
        assert back.dtype == array.dtype
        assert back.tolist() == array.tolist()


def test_what_plans_say_of_the_last_arrival_is_kept() -> None:
    def plan(**stats: float) -> Result[GroupPlan]:
        return Result(Status.SOLVED, GroupPlan.of_paths([np.zeros((1, 2))]), stats=stats)

    assert forecast([plan(predicted=120, bound=100), plan(predicted=90, bound=110)]) == {
        "predicted_steps": 120.0,
        "network_bound_steps": 110.0,
    }
    assert forecast([plan(predicted=5, bound=0)]) == {"predicted_steps": 5.0, "network_bound_steps": None}
    assert forecast([plan(predicted=120), plan(bound=3)]) == {"predicted_steps": None, "network_bound_steps": None}
