"""Solver suite: instances from maps and scenarios × solvers × seeds, run into a results folder and read back.

The procedure is that of R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks", 2019: the
first k lines of a scenario are an instance of k agents; what counts is how many instances are solved in a given time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.instance import Instance
from anabasis.lab.compare import Progress, run_suite
from anabasis.lab.manifest import read_manifest
from anabasis.lab.runner import SOLVER_TASK
from anabasis.lab.solver_trial import warm_up
from anabasis.lab.store import read_rows
from anabasis.lab.suite import Case, Suite
from anabasis.lab.trial import unpack
from anabasis.noun import state_hash

__all__ = ["SolverRun", "Task", "read_solver_runs", "run_solvers", "solver_suite"]

_ALLOWANCE = 2.0  # a solver that doesn't stop in so many times its time is killed
_LEAST_ALLOWANCE = 20.0  # seconds on top, for distances on large maps and for validation


@dataclass(frozen=True, eq=False)
class Task:
    """An instance with its place in a table: the map's name, the scenario's, and which agents of it are taken."""

    map_name: str
    scenario: str
    instance: Instance


@dataclass(frozen=True, eq=False)
class SolverRun:
    """A finished run: its task, solver and seed, what the solver reached and in what time.

    ending: solved, no solution, limit reached; or timeout, crash, memory, invalid. Costs are None without a plan.
    distances: the sum of the agents' shortest ways, nobody in the way: a lower bound of the sum of costs.
    curve: float64[n, 3], see `solving.Attempt`.
    """

    map_name: str
    scenario: str
    agents: int
    method: str
    seed: int
    ending: str
    reason: str
    solved: bool
    optimal: bool
    sum_of_costs: int | None
    makespan: int | None
    distances: int | None
    bound: float
    seconds: float | None
    first_seconds: float | None
    curve: NDArray[np.float64]

    @property
    def ratio(self) -> float | None:
        """The sum of costs over the sum of distances."""
        if self.sum_of_costs is None or not self.distances:
            return None
        return self.sum_of_costs / self.distances


def solver_suite(
    tasks: Sequence[Task],
    methods: Sequence[str],
    seeds: Sequence[int],
    seconds: float,
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> Suite:
    """Return the suite of tasks × methods × seeds, with so many seconds for a run; raises InputError if it is empty.

    options: of the solvers, by their names.
    """
    cases = tuple(
        Case(
            f"{task.scenario} with {task.instance.size} agents",
            task.instance,
            state_hash(task.instance),
            json.dumps([task.map_name, task.scenario, task.instance.size]),
        )
        for task in tasks
    )
    given = [f"{name}.{key}={value}" for name, chosen in (options or {}).items() for key, value in chosen.items()]
    return Suite(cases, tuple(methods), tuple(seeds), (f"seconds={seconds:g}", *given))


def run_solvers(
    suite: Suite,
    out: str | Path,
    *,
    seconds: float,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    workers: int = 1,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> list[SolverRun]:
    """Run a suite into the results folder `out` and return its runs; more than one worker disturbs the times.

    seconds, options: those of the suite.
    What a solver has reached when its time is over depends on the machine; only the rows of those that end by
    themselves are the same again. Raises InputError for a time that makes no sense or a folder that holds something
    else.
    """
    if not 0 < seconds <= 1e5:
        raise InputError("time for a run", found=f"{seconds:g}", expected="seconds above 0, at most 100000")
    warm_up(suite.methods)
    timeout = _ALLOWANCE * seconds + _LEAST_ALLOWANCE
    run_suite(
        suite,
        out,
        workers=workers,
        timeout=timeout,
        resume=resume,
        progress=progress,
        task=SOLVER_TASK,
        options=(seconds, {name: dict(chosen) for name, chosen in (options or {}).items()}),
    )
    return read_solver_runs(out)


def read_solver_runs(folder: str | Path) -> list[SolverRun]:
    """Return the finished runs of a results folder in the suite's order; raises InputError if it is of another kind."""
    manifest = read_manifest(Path(folder))
    if manifest.task != SOLVER_TASK:
        raise InputError("results of another kind", file=folder, found=manifest.task, expected=SOLVER_TASK)
    places = [json.loads(entry.source) for entry in manifest.scenarios]
    found: list[SolverRun] = []
    for row in read_rows(Path(folder)):
        name, scenario, agents = places[row.run.case]
        outcome, values = row.outcome, row.outcome.values
        ok = outcome.status == "ok"

        def whole(column: str, values: dict[str, object] = dict(values)) -> int | None:  # noqa: B006
            value = values.get(column)
            return value if isinstance(value, int) else None

        found.append(
            SolverRun(
                map_name=name,
                scenario=scenario,
                agents=agents,
                method=row.run.method,
                seed=row.run.seed,
                ending=str(values.get("ending", "")) if ok else outcome.status,
                reason=outcome.reason,
                solved=ok and bool(values.get("solved")),
                optimal=ok and bool(values.get("optimal")),
                sum_of_costs=whole("sum_of_costs") if ok else None,
                makespan=whole("makespan") if ok else None,
                distances=whole("distances"),
                bound=float(values.get("proved_bound") or 0.0),
                seconds=outcome.planning_seconds,
                first_seconds=outcome.execution_seconds,
                curve=unpack(outcome.density) if outcome.density else np.zeros((0, 3)),
            )
        )
    return found
