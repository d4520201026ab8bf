"""Solver trial: one solver on one instance with one seed, as a row of a results folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from anabasis.instance import Instance
from anabasis.lab.solving import Attempt, arrived, solve_within
from anabasis.lab.trial import Outcome, Value, pack
from anabasis.mapf.board import Board
from anabasis.methods import method
from anabasis.metrics.plan_review import review_plan
from anabasis.noun import state_hash
from anabasis.result import Status

__all__ = ["TIMES", "VALUES", "run_solver_trial", "warm_up"]

TIMES = ("seconds", "first_plan_seconds")
"""What an outcome's planning and execution seconds are here."""

_WARM = 0.3  # seconds of work after which no kernel is new any more

VALUES: dict[str, type] = {
    "agents": int,
    "ending": str,
    "solved": bool,
    "optimal": bool,
    "sum_of_costs": int,
    "makespan": int,
    "distances": int,
    "proved_bound": float,
    "expanded": int,
    "plan_hash": str,
}


def run_solver_trial(
    instance: Instance,
    name: str,
    seed: int,
    keep: Path | None,
    seconds: float,
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> Outcome:
    """Let a solver work for so many seconds; a plan is validated by both validators, and saved as `keep`.

    options: of solvers, by their names.
    The outcome's `density` is the curve of `solving.Attempt`, its `arrivals` the arrivals of the agents.
    """
    given = dict((options or {}).get(name, {}))
    attempt = solve_within(instance, name, seconds=seconds, seed=seed, options=given)
    plan = attempt.result.value
    again = review_plan(instance, plan) if plan is not None else []
    given_up = attempt.result.status is Status.LIMIT
    faults = [*attempt.faults, *(str(fault) for fault in again if fault.kind != "goal" or not given_up)]
    if keep is not None and plan is not None:
        from anabasis.io.archive import save

        keep.parent.mkdir(parents=True, exist_ok=True)
        save(plan, keep)
    arrivals = np.zeros(0, np.int64) if plan is None else plan.arrivals(instance.goals, stay=instance.rules.stay)
    return Outcome(
        status="invalid" if faults else "ok",
        reason=faults[0] if faults else attempt.result.reason,
        values=_values(instance, name, attempt),
        arrivals=pack(arrivals),
        density=pack(attempt.curve),
        planning_seconds=attempt.seconds,
        execution_seconds=attempt.first_seconds,
    )


def _values(instance: Instance, name: str, attempt: Attempt) -> dict[str, Value]:
    """Return the columns of a run; a solver that promises a cost has solved only what it has proved."""
    result, row = attempt.result, method("mapf", name)
    proves = row.optimal or row.bounded
    solved = arrived(instance, result) and (result.status is Status.SOLVED or not proves)
    cost, makespan, expanded = (result.stats.get(name) for name in ("sum_of_costs", "makespan", "expanded"))
    alone = Board(instance, "distances", can=tuple(instance.features)).shortest()
    return {
        "agents": instance.size,
        "ending": result.status.value,
        "solved": solved,
        "optimal": solved and cost is not None and result.bound >= cost,
        "sum_of_costs": None if result.value is None or cost is None else int(cost),
        "makespan": None if result.value is None or makespan is None else int(makespan),
        "distances": int(alone.sum()) if result.status is not Status.NO_SOLUTION else None,
        "proved_bound": float(result.bound),
        "expanded": None if expanded is None else int(expanded),
        "plan_hash": "" if result.value is None else state_hash(result.value),
    }


def warm_up(methods: tuple[str, ...]) -> None:
    """Let every solver work on agents that cross a small hall and a long one, before a clock runs.

    Most kernels are loaded then; what a solver only needs after many conflicts may still be loaded in its run.
    """
    from anabasis.grid import Grid

    rows = ["........", ".#.#.#..", "........", "..#.#.#.", "........", ".#.#.#..", "........", "........"]
    x, y = np.array([(0, 0), (7, 0), (0, 7), (7, 7), (2, 2), (5, 2), (2, 4), (5, 4), (2, 6), (5, 6)]).T
    for halls in (1, 4):
        places = y * 8 * halls + x * halls
        crossing = Instance.of(Grid.from_text("\n".join(halls * row for row in rows)), places, places[::-1])
        for name in dict.fromkeys(methods):
            run_solver_trial(crossing, name, 0, None, _WARM)
