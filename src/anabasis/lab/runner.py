"""Runner: many runs in worker processes, with a time limit for each; a failure is an outcome, never a lost run.

The pool is our own because the one of the standard library can't end a run that takes too long: here every worker is a
process with a pipe; one that runs over time is killed, one that dies is noticed by its closed pipe, and both are
replaced.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from anabasis.errors import InputError
from anabasis.lab.trial import Outcome

__all__ = ["SOLVER_TASK", "TASK", "Job", "check_limits", "follow_parent", "interrupts_held", "run_jobs"]

TASK = "anabasis.lab.trial:run_trial"
SOLVER_TASK = "anabasis.lab.solver_trial:run_solver_trial"
LONGEST = 1e6  # seconds; what waits on pipes counts milliseconds in 32 bits
START_ALLOWANCE = 120.0  # seconds that a worker may take to get ready; not part of a run's time


@dataclass(frozen=True)
class Job:
    """One run for a worker: `scenario` is the archive to load, `keep` where the trace is saved (None: nowhere).

    options: what the task gets besides.
    """

    number: int
    scenario: Path
    scenario_hash: str
    method: str
    seed: int
    keep: Path | None
    options: tuple[Any, ...] = ()


class _Worker:
    """A process that runs one job after another."""

    def __init__(self, task: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, task), daemon=True)
        try:
            with interrupts_held():  # the process inherits it: Ctrl-C is for the parent, which ends its workers
                self.process.start()
        except KeyboardInterrupt:
            self.end()
            raise
        theirs.close()
        self.job: Job | None = None
        self.deadline = 0.0

    def give(self, job: Job, timeout: float) -> None:
        self.job = job
        self.deadline = time.monotonic() + timeout + START_ALLOWANCE
        with suppress(OSError):  # a dead worker shows itself when it is read
            self.pipe.send(job)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def check_limits(workers: int, timeout: float) -> None:
    """Raise InputError for a number of workers or seconds of a run that make no sense."""
    if workers < 1:
        raise InputError("number of workers", found=f"{workers}", expected="at least 1")
    if not 0 < timeout <= LONGEST:
        raise InputError("time limit of a run", found=f"{timeout}", expected=f"seconds above 0, at most {LONGEST:g}")


def run_jobs(
    jobs: Sequence[Job],
    finished: Callable[[Job, Outcome], None],
    *,
    task: str = TASK,
    workers: int = 1,
    timeout: float = 3600.0,
) -> None:
    """Run all jobs and call `finished` with each outcome, in the order in which they end.

    task: "module:function" of the function that a worker calls, `(scenario, method, seed, keep, *options) -> Outcome`.
    timeout:
    seconds of wall clock for one run. Whatever interrupts this call, no worker stays behind.
    """
    check_limits(workers, timeout)
    waiting = deque(jobs)
    pool: list[_Worker] = []
    try:
        while waiting or any(worker.job for worker in pool):
            _hand_out(waiting, pool, task, workers, timeout)
            busy = [worker for worker in pool if worker.job]
            pause = max(0.0, min(worker.deadline for worker in busy) - time.monotonic())
            heard = wait([worker.pipe for worker in busy], timeout=pause)
            for worker in busy:
                outcome = _hear(worker, timeout) if worker.pipe in heard else _over_time(worker, timeout)
                if outcome is None or worker.job is None:
                    continue
                job, worker.job = worker.job, None
                if outcome.status in ("timeout", "crash", "memory"):  # its state can't be trusted any more
                    worker.end()
                    pool.remove(worker)
                finished(job, outcome)
    finally:
        for worker in pool:
            worker.end()


def _hand_out(waiting: deque[Job], pool: list[_Worker], task: str, workers: int, timeout: float) -> None:
    """Give a job to every idle worker; start workers while there are fewer than wanted."""
    idle = [worker for worker in pool if worker.job is None]
    while waiting and (idle or len(pool) < workers):
        if not idle:
            pool.append(_Worker(task))
            idle = [pool[-1]]
        idle.pop().give(waiting.popleft(), timeout)


def _hear(worker: _Worker, timeout: float) -> Outcome | None:
    """Read what a worker says: None when its job has begun, else the outcome; a closed pipe is a death."""
    try:
        message = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        code = worker.process.exitcode or 0
        if code >= 0:
            return Outcome("crash", f"the worker process ended with exit code {code}")
        hint = " (perhaps the system ran out of memory)" if -code == signal.SIGKILL else ""
        return Outcome("crash", f"the worker process was killed by signal {signal.Signals(-code).name}{hint}")
    if isinstance(message, Outcome):
        return message
    worker.deadline = time.monotonic() + timeout
    return None


def _over_time(worker: _Worker, timeout: float) -> Outcome | None:
    """Return the outcome of a worker whose time is up."""
    if time.monotonic() < worker.deadline:
        return None
    return Outcome("timeout", f"no result after {timeout:g} s")


@contextmanager
def interrupts_held() -> Generator[None]:
    """While a process starts, Ctrl-C waits, to be heard right after; the new process never hears it."""
    if hasattr(signal, "pthread_sigmask"):
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    else:
        yield


def _serve(pipe: Connection, task: str) -> None:
    """A worker's life: read a job, say that it begins, run it, send the outcome."""
    follow_parent()
    warm: set[str] = set()
    with suppress(EOFError, OSError):
        while True:
            job: Job = pipe.recv()
            if job.method not in warm:
                warm.add(job.method)
                with suppress(Exception):  # a method that fails will fail again in its run, and be a row
                    _warm_up(task, job.method)  # loading compiled kernels is no part of a run's time
            pipe.send("begun")
            pipe.send(_attempt(task, job))


def _warm_up(task: str, method: str) -> None:
    """Let a task's module get a method ready, if it has a way to."""
    warm_up = getattr(import_module(task.split(":", maxsplit=1)[0]), "warm_up", None)
    if warm_up is not None:
        warm_up((method,))


def follow_parent() -> None:
    """Leave Ctrl-C to this process's parent, and end when it is gone: what a worker does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    """End this process as soon as its parent is gone, even in the middle of a run."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _attempt(task: str, job: Job) -> Outcome:
    """Run one job; whatever goes wrong becomes an outcome."""
    try:
        from anabasis.io.archive import load
        from anabasis.noun import state_hash

        scenario = load(job.scenario)
        if state_hash(scenario) != job.scenario_hash:
            raise InputError("not the scenario of this comparison", file=job.scenario, expected=job.scenario_hash)
        module, function = task.split(":")
        return getattr(import_module(module), function)(scenario, job.method, job.seed, job.keep, *job.options)
    except MemoryError:
        return Outcome("memory", "out of memory", detail=traceback.format_exc())
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        return Outcome("crash", text[:500], detail=traceback.format_exc())
