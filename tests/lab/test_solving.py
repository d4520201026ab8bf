"""Solvers in the lab: the clock stops them from outside, plans are validated twice, results are rows of a folder."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anabasis import methods
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.lab import solver_trial, solving
from anabasis.lab.compare import read_comparison
from anabasis.lab.solver_report import HEAD, line_cells, lines_of, write_solver_report
from anabasis.lab.solver_suite import SolverRun, Task, read_solver_runs, run_solvers, solver_suite
from anabasis.lab.solver_trial import run_solver_trial
from anabasis.lab.solving import solve_within
from anabasis.lab.trial import unpack
from anabasis.mapf.board import Board
from anabasis.plan import Plan
from anabasis.result import Result, Status

GRID = Grid.from_text(".....\n.#.#.\n.....")
INSTANCE = Instance.of(GRID, [0, 14], [14, 0])


class Slow:
    """Finds a worse plan first, a better one later, and never ends by itself."""

    def __init__(self, instance: Instance, *, seed: int = 0) -> None:
        del seed
        self.board, self.work = Board(instance, "slow"), 0

    def advance(self, count: int) -> bool:
        time.sleep(0.001)
        self.work += count
        return False

    @property
    def result(self) -> Result[Plan]:
        if self.work < 3:
            return Result(Status.LIMIT, reason="nothing yet")
        along, across = [0, 1, 2, 3, 4, 9, 14], [14, 13, 12, 11, 10, 5, 0]
        start = [[0, 14]] * (1 if self.work > 20 else 2)
        numbers = self.board.number[np.array([*start, *zip(along[1:], across[1:], strict=True)])]
        return self.board.solved(numbers, bound=12.0, status=Status.LIMIT, reason="not proved", expanded=self.work)


def faulty(instance: Instance) -> Result[Plan]:
    """Claims a plan in which an agent jumps."""
    board = Board(instance, "faulty")
    return board.solved(np.array([board.starts, board.goals]))


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two solvers above in the table."""
    made = {
        "slow": {"function": f"{__name__}:Slow", "stepwise": f"{__name__}:Slow"},
        "faulty": {"function": f"{__name__}:faulty"},
    }
    table: dict[str, Any] = {
        name: methods.Method(
            name=name, family="mapf", spaces=("grid",), optimal=False, complete=False, summary="", source="", **places
        )
        for name, places in made.items()
    }
    for module in (solving, solver_trial):
        monkeypatch.setattr(module, "method", lambda _, name: table[name])


@pytest.mark.usefixtures("rows")
def test_the_clock_stops_a_solver_from_outside() -> None:
    told: list[float] = []
    attempt = solve_within(INSTANCE, "slow", seconds=0.1, progress=lambda now, _: told.append(now))
    assert attempt.result.status is Status.LIMIT
    assert attempt.result.reason == "stopped after 0.1 s: not proved"
    assert 0.1 <= attempt.seconds < 5
    assert attempt.curve[:, 1].tolist() == [14.0, 12.0]
    assert attempt.curve[:, 2].tolist() == [12.0, 12.0]
    assert attempt.first_seconds == attempt.curve[0, 0] > 0
    assert told == sorted(told) and len(told) > 3
    assert attempt.faults == ()


@pytest.mark.usefixtures("rows")
def test_ctrl_c_keeps_the_best_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Slow.advance

    def interrupted(solver: Slow, count: int) -> bool:
        if solver.work > 20:
            raise KeyboardInterrupt
        return work(solver, count)

    monkeypatch.setattr(Slow, "advance", interrupted)
    attempt = solve_within(INSTANCE, "slow", seconds=60.0)
    assert attempt.interrupted and attempt.result.value is not None
    assert attempt.result.reason.startswith("interrupted after") and attempt.curve[-1, 1] == 12.0

    def in_a_kernel(solver: Slow, count: int) -> bool:
        try:
            try:
                return interrupted(solver, count)
            except KeyboardInterrupt as error:
                raise SystemError("a function returned a result with an exception set") from error
        except SystemError as error:
            raise SystemError("a kernel returned a result with an exception set") from error

    monkeypatch.setattr(Slow, "advance", in_a_kernel)
    assert solve_within(INSTANCE, "slow", seconds=60.0).interrupted

    def broken(solver: Slow, count: int) -> bool:
        if solver.work > 20:
            raise SystemError("a fault")
        return work(solver, count)

    monkeypatch.setattr(Slow, "advance", broken)
    with pytest.raises(SystemError, match="a fault"):
        solve_within(INSTANCE, "slow", seconds=60.0)

    def at_once(solver: Slow, count: int) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(Slow, "advance", at_once)
    with pytest.raises(KeyboardInterrupt):
        solve_within(INSTANCE, "slow", seconds=60.0)


@pytest.mark.usefixtures("rows")
def test_a_plan_that_is_not_valid_is_found_out(tmp_path: Path) -> None:
    outcome = run_solver_trial(INSTANCE, "faulty", 0, tmp_path / "plan.npz", 1.0)
    assert outcome.status == "invalid"
    assert "which no step leads to" in outcome.reason


def tasks() -> list[Task]:
    return [
        Task("tiny", "tiny-1", INSTANCE),
        Task("tiny", "tiny-2", Instance.of(GRID, [0, 4], [4, 0])),
        Task("tiny", "tiny-1", Instance.of(GRID, [0], [14])),
        Task("wall", "wall-1", Instance.of(Grid.from_text("...#."), [0, 1], [4, 0])),
    ]


def shown(runs: list[SolverRun]) -> list[tuple[object, ...]]:
    return [(r.map_name, r.scenario, r.agents, r.method, r.ending, r.sum_of_costs, r.makespan) for r in runs]


def test_runs_are_kept_resumed_and_reported(tmp_path: Path) -> None:
    suite = solver_suite(tasks(), ["eecbs", "ecbs"], [0], 2.0)
    runs = run_solvers(suite, tmp_path / "all", seconds=2.0)
    assert [run.ending for run in runs] == ["solved"] * 6 + ["no solution"] * 2
    assert [run.distances for run in runs] == [12, 12, 8, 8, 6, 6, None, None]
    assert all(run.ratio is None or run.ratio >= 1 for run in runs)
    assert shown(run_solvers(suite, tmp_path / "all", seconds=2.0, resume=True)) == shown(runs)
    with pytest.raises(InputError, match="exists already"):
        run_solvers(suite, tmp_path / "all", seconds=2.0)
    two = run_solvers(suite, tmp_path / "two", seconds=2.0, workers=2)
    assert shown(two) == shown(runs)
    assert (tmp_path / "two" / "timings.csv").read_text().startswith("scenario,method,seed,seconds,first_plan_seconds")
    assert (tmp_path / "two" / "table.csv").read_bytes() == (tmp_path / "all" / "table.csv").read_bytes()

    lines = lines_of(runs)
    assert [(line.map_name, line.agents, line.method, line.solved, line.runs) for line in lines] == [
        ("tiny", 1, "eecbs", 1, 1),
        ("tiny", 1, "ecbs", 1, 1),
        ("tiny", 2, "eecbs", 2, 2),
        ("tiny", 2, "ecbs", 2, 2),
        ("wall", 2, "eecbs", 0, 1),
        ("wall", 2, "ecbs", 0, 1),
    ]
    gave_up = [replace(run, ending="limit reached") for run in runs[-1:]]
    mixed = lines_of([*runs, *gave_up])
    assert [line_cells(line)[HEAD.index("not solved")] for line in mixed] == [
        *["–"] * 4,
        "1 no solution",
        "1 no solution, 1 limit reached",
    ]
    page = write_solver_report([*runs, *gave_up], tmp_path / "all", title="Tiny <maps>").read_text()
    assert "9 runs; 6 solved, 2 proved to have no solution; every" in page
    assert page.count("1 no solution, 1 limit reached") == 1
    assert "1 no solution, 1 limit reached" in (tmp_path / "all" / "lines.csv").read_text()
    assert "Tiny &lt;maps&gt;" in page and "can&#x27;t get from" in page and "<svg" in page
    assert (tmp_path / "all" / "lines.csv").read_text().count("\n") == 7


def test_results_of_another_kind_are_refused(tmp_path: Path) -> None:
    suite = solver_suite(tasks()[:1], ["eecbs"], [0], 2.0)
    run_solvers(suite, tmp_path, seconds=2.0)
    with pytest.raises(InputError, match="found runs of solvers"):
        read_comparison(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["task"] = "other:task"
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match="results of another kind"):
        read_solver_runs(tmp_path)


def test_times_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="time for a run"):
        run_solvers(solver_suite(tasks(), ["eecbs"], [0], 1.0), tmp_path, seconds=0)


def test_what_a_solver_can_not_do_is_a_row_not_a_crash() -> None:
    outcome = run_solver_trial(INSTANCE, "ecbs", 0, None, 1.0)
    assert outcome.status == "ok" and unpack(outcome.arrivals).tolist() == [6, 6]


def test_a_plan_without_proof_is_no_success_of_a_solver_that_promises_the_best() -> None:
    rows = "\n".join([".........", ".#.#.#.#.", ".........", ".#.#.#.#.", "........."])
    grid = Grid.from_text(rows)
    free = np.flatnonzero(grid.free)
    rng = np.random.default_rng(2)
    crowd = Instance.of(grid, rng.permutation(free)[:14], rng.permutation(free)[:14])
    stopped = run_solver_trial(crowd, "cbs", 0, None, 0.02)
    assert stopped.values["ending"] == "limit reached"
    assert stopped.values["solved"] is False and stopped.values["sum_of_costs"] is None
    assert stopped.execution_seconds is None  # no other solver's plan is timed as its own
