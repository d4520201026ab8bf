"""Compare: run a suite into a results folder and read back what it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anabasis.errors import InputError
from anabasis.lab.comparison import Comparison
from anabasis.lab.manifest import read_manifest
from anabasis.lab.ranking import summarise
from anabasis.lab.runner import SOLVER_TASK, TASK, Job, check_limits, run_jobs
from anabasis.lab.store import Store, read_rows
from anabasis.lab.suite import Run, Suite
from anabasis.lab.trial import Outcome, warm_up

__all__ = ["Progress", "compare", "read_comparison", "run_suite"]


@dataclass(frozen=True)
class Progress:
    """How far a comparison is: `done` of `total` runs have a row; `run` and `status` are of the last one, if any."""

    done: int
    total: int
    run: Run | None = None
    status: str = ""


def compare(
    suite: Suite,
    out: str | Path,
    *,
    workers: int = 1,
    timeout: float = 3600.0,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    task: str = TASK,
) -> Comparison:
    """Run a suite into the results folder `out` and return what it found.

    workers: processes. timeout: seconds of wall clock for one run. resume: go on with a folder that was begun for the
    same suite; only what is missing is run. task: what a worker calls for a run (see `runner.run_jobs`). Raises
    InputError for an unknown method or a folder that holds something else. Interrupted, it leaves a folder that can be
    resumed.
    """
    if task == TASK:
        from anabasis.methods import method

        for name in suite.methods:
            method("group", name)
    run_suite(suite, out, workers=workers, timeout=timeout, resume=resume, progress=progress, task=task)
    return read_comparison(out)


def run_suite(
    suite: Suite,
    out: str | Path,
    *,
    workers: int,
    timeout: float,
    resume: bool,
    progress: Callable[[Progress], None] | None,
    task: str,
    options: tuple[Any, ...] = (),
) -> None:
    """Run a suite into the results folder `out`, as `compare` does; options: what the task gets for each run."""
    folder = Path(out)
    check_limits(workers, timeout)
    with Store.open(folder, suite, task=task, resume=resume) as store:
        missing = {run.position: run for run in store.missing()}
        total, done = len(suite.runs), len(suite.runs) - len(missing)
        if progress:
            progress(Progress(done, total))

        def finished(job: Job, outcome: Outcome) -> None:
            nonlocal done
            run = missing[job.number]
            store.add(run, outcome)
            done += 1
            if progress:
                progress(Progress(done, total, run, outcome.status))

        if missing:
            if task == TASK:
                warm_up(suite.methods)
            run_jobs(
                [_job(folder, store, run, options) for run in missing.values()],
                finished,
                task=task,
                workers=min(workers, len(missing)),
                timeout=timeout,
            )
        store.finish()


def _job(folder: Path, store: Store, run: Run, options: tuple[Any, ...]) -> Job:
    keep = folder / "traces" / f"{run.stem}.npz" if run.seed == store.manifest.seeds[0] else None
    archive = folder / store.manifest.scenarios[run.case].file
    return Job(run.position, archive, run.scenario_hash, run.method, run.seed, keep, options)


def read_comparison(folder: str | Path) -> Comparison:
    """Return what the finished runs of a results folder show, also while others are missing."""
    manifest = read_manifest(Path(folder))
    if manifest.task == SOLVER_TASK:
        raise InputError("results of another kind", file=folder, found="runs of solvers", expected="runs of groups")
    rows = read_rows(Path(folder))
    scenarios = [entry.name for entry in manifest.scenarios]
    return summarise(rows, scenarios, manifest.methods, manifest.seeds)
