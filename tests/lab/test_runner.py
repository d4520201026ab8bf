"""Every way in which a run can fail is a row with its reason, and the other runs go on."""

from __future__ import annotations

import multiprocessing
import signal
from pathlib import Path

import lab_tasks
import pytest

from anabasis import InputError
from anabasis.lab.compare import compare
from anabasis.lab.runner import run_jobs
from anabasis.lab.store import read_rows
from anabasis.lab.suite import Suite

WAYS = ["fast", "raise", "die", "exit", "hang", "memory", "left", "invalid"]


@pytest.mark.parametrize("workers", [1, 2])
def test_failures_are_rows(workers: int, tmp_path: Path) -> None:
    suite = Suite.of([lab_tasks.scenario("a")], WAYS, 2)
    found = compare(suite, tmp_path / "x.run", workers=workers, timeout=2.0, task="lab_tasks:trouble")
    assert found.complete
    assert multiprocessing.active_children() == []
    failed = {failure.method: (failure.status, failure.reason) for failure in found.failures}
    assert failed == {
        "raise": ("crash", "ValueError: no <b>such</b> thing"),
        "die": ("crash", "the worker process was killed by signal SIGKILL (perhaps the system ran out of memory)"),
        "exit": ("crash", "the worker process ended with exit code 3"),
        "hang": ("timeout", "no result after 2 s"),
        "memory": ("memory", "out of memory"),
        "invalid": ("invalid", "1 faults, the first: a unit in a wall"),
    }
    assert all(failure.seed == 1 for failure in found.failures)
    details = {row.run.method: row.outcome.detail for row in read_rows(tmp_path / "x.run") if row.run.seed == 1}
    assert "lab_tasks.py" in details["raise"]
    assert {entry.method for entry in found.entries if entry.comparable} == {"fast"}


def test_a_task_that_does_not_exist_is_a_row(tmp_path: Path) -> None:
    suite = Suite.of([lab_tasks.scenario("a")], ["fast"], 1)
    found = compare(suite, tmp_path / "x.run", task="lab_tasks:no_such_function")
    assert found.failures[0].reason.startswith("AttributeError")


def test_a_scenario_that_was_exchanged_is_noticed(tmp_path: Path) -> None:
    from anabasis.io.archive import save

    suite = Suite.of([lab_tasks.scenario("a")], ["fast"], 2)
    folder = tmp_path / "x.run"
    (folder / "scenarios").mkdir(parents=True)
    compare(suite, tmp_path / "y.run", task="lab_tasks:walk")
    (folder / "scenarios").rmdir()
    with pytest.raises(KeyboardInterrupt):
        compare(Suite.of([lab_tasks.scenario("a")], ["fast"], 4), folder, task="lab_tasks:interrupt")
    save(lab_tasks.scenario("a", 3), folder / "scenarios" / "000.npz")
    found = compare(Suite.of([lab_tasks.scenario("a")], ["fast"], 4), folder, task="lab_tasks:interrupt", resume=True)
    assert [failure.seed for failure in found.failures] == [2, 3]
    assert "not the scenario of this comparison" in found.failures[0].reason


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="number of workers"):
        run_jobs([], lambda *_: None, workers=0)
    with pytest.raises(InputError, match="time limit"):
        run_jobs([], lambda *_: None, timeout=0)


def test_unknown_methods_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    suite = Suite.of([lab_tasks.scenario("a")], ["teleport"], 1)
    with pytest.raises(InputError, match="unknown group method"):
        compare(suite, tmp_path / "x.run")
    assert not (tmp_path / "x.run").exists()


def test_an_interrupt_while_a_worker_starts_is_heard_right_after() -> None:
    from anabasis.lab.runner import interrupts_held

    heard = False
    try:
        with interrupts_held():
            signal.raise_signal(signal.SIGINT)
            heard = True
    except KeyboardInterrupt:
        assert heard
    else:
        raise AssertionError("the interrupt was lost")
