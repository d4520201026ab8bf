"""Trial: one run from order to numbers: plan, execute, validate, measure.

Every trace is validated, by code that shares nothing with the simulator; an invalid one is a row that says so. The
numbers are those of Pacovský: Navigation of units in video games using flow networks, 2019, chapter on the outputs of
the simulator: counters with nine statistics each, the arrivals of the first, the middle and the last unit.
"""

from __future__ import annotations

import io
import math
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.lab.bounds import proved_bound
from anabasis.lab.suite import Run
from anabasis.lab.ways import plan_file, planned_ways
from anabasis.metrics import crowds
from anabasis.plan import GroupPlan
from anabasis.result import Result
from anabasis.scenario import Scenario
from anabasis.trace import COUNTERS, Trace

__all__ = [
    "VALUES",
    "Outcome",
    "Row",
    "Value",
    "forecast",
    "measure",
    "pack",
    "record_every",
    "run_trial",
    "unpack",
    "warm_up",
]

Value = int | float | str | None  # a truth value is an int here

DENSITY_SIDE = 128

VALUES: dict[str, type] = {
    "steps": int,
    "ending": str,
    "units": int,
    "finished": int,
    "not_finished": int,
    "timer_cutoff": bool,
    "first_arrival": int,
    "middle_arrival": int,
    "last_arrival": int,
    "replans": int,
    "routes": int,
    "planned_length_mean": float,
    "planned_length_maximum": float,
    "predicted_steps": float,
    "bound_steps": int,
    "network_bound_steps": float,
    "trace_hash": str,
} | {f"{counter}_{statistic}": float for counter in COUNTERS for statistic in crowds.STATISTICS}


@dataclass(frozen=True)
class Outcome:
    """What a run leaves: a status with its reason, and of an ok or invalid run the numbers.

    status: ok, invalid (the validator found a fault in its trace), timeout, memory or crash.
    values: the columns of the table, which depend on nothing but the run. arrivals: packed int64[n], the step of
    arrival of each unit, -1 for none. density: packed float32[h, w], the mean number of units in each block of cells.
    detail: a traceback, for whoever mends the program. The seconds are wall-clock.
    """

    status: str
    reason: str = ""
    values: dict[str, Value] = field(default_factory=dict[str, Value])
    arrivals: bytes = b""
    density: bytes = b""
    detail: str = ""
    planning_seconds: float | None = None
    execution_seconds: float | None = None


@dataclass(frozen=True)
class Row:
    """A finished run."""

    run: Run
    outcome: Outcome


def run_trial(scenario: Scenario, method: str, seed: int, keep: Path | None) -> Outcome:
    """Run one method on a scenario with one seed.

    With `keep` the recorded trace is saved there as an archive, and what was planned for some units beside it.
    """
    from anabasis.metrics.traces import trace_faults
    from anabasis.orders import execute, plan_groups

    start = time.perf_counter()
    plans = plan_groups(scenario, method, seed=seed)
    planned = time.perf_counter()
    trace = execute(scenario, method, plans, seed=seed, record_every=record_every(scenario))
    done = time.perf_counter()
    faults = trace_faults(scenario, trace)
    if keep is not None:
        from anabasis.io.archive import save

        keep.parent.mkdir(parents=True, exist_ok=True)
        save(trace, keep)
        save(planned_ways(scenario, plans), plan_file(keep))
    return Outcome(
        status="invalid" if faults else "ok",
        reason=_first(faults),
        values=measure(trace) | forecast(plans) | {"bound_steps": proved_bound(scenario)},
        arrivals=pack(trace.arrival),
        density=pack(density(scenario, trace)),
        planning_seconds=planned - start,
        execution_seconds=done - planned,
    )


def _first(faults: list[str]) -> str:
    more = f" (and {len(faults) - 1} more fault{'s' if len(faults) > 2 else ''})" if len(faults) > 1 else ""
    return faults[0] + more if faults else ""


def record_every(scenario: Scenario) -> int:
    """Return how many steps apart frames are recorded: 5, and more for very many units, to bound memory."""
    return max(5, scenario.size // 100)


def measure(trace: Trace) -> dict[str, Value]:
    """Return the columns of one run (VALUES), None where there is no value.

    `steps` is the arrival of the last unit; with unfinished units it is the step at which the run ended, which says
    only that the run would have taken at least so long: such rows are flagged wherever they are compared.
    """
    first, middle, last = crowds.first_middle_last(trace) or (None, None, None)
    values: dict[str, Value] = {
        "steps": last if trace.finished == trace.size else trace.steps,
        "ending": trace.ending.name.lower(),
        "units": trace.size,
        "finished": trace.finished,
        "not_finished": trace.size - trace.finished,
        "timer_cutoff": trace.timer_cutoff,
        "first_arrival": first,
        "middle_arrival": middle,
        "last_arrival": last,
        "replans": int(trace.counters.replans.sum()),
        "routes": len(set(trace.route[trace.route >= 0].tolist())),
        "planned_length_mean": float(trace.planned_length.mean()),
        "planned_length_maximum": float(trace.planned_length.max()),
        "predicted_steps": None,
        "bound_steps": None,
        "network_bound_steps": None,
        "trace_hash": trace.hash,
    }
    counters = crowds.counter_columns(trace).items()
    return values | {name: None if math.isnan(value) else value for name, value in counters}


def forecast(plans: Sequence[Result[GroupPlan]]) -> dict[str, Value]:
    """Return what the plans say of the last arrival, in steps: a prediction, and the quickest flow in the network.

    They are the `predicted` and `bound` of the plans' stats, of several groups the greatest; None if a group's plan
    says nothing, which for a bound is 0 too. The quickest flow goes by the network's lengths and the rates that gates
    were measured to have. What the simulator can do is another matter: see `bounds.proved_bound`.
    """
    found: dict[str, Value] = {}
    for name, column in (("predicted", "predicted_steps"), ("bound", "network_bound_steps")):
        said = [plan.stats.get(name) or math.inf for plan in plans]
        found[column] = float(max(said)) if all(map(math.isfinite, said)) else None
    return found


def density(scenario: Scenario, trace: Trace) -> NDArray[np.float32]:
    """Return float32[h, w]: the number of units under way in each block of cells, mean over the run.

    A block is one cell, or k × k cells of a map with a side above 128, so that the grid stays small.
    """
    fine = crowds.density(trace, scenario.grid) / max(1, trace.steps)
    block = -(-max(fine.shape) // DENSITY_SIDE)
    rows = np.add.reduceat(fine, np.arange(0, fine.shape[0], block), axis=0)
    return np.add.reduceat(rows, np.arange(0, fine.shape[1], block), axis=1).astype(np.float32)


def warm_up(methods: tuple[str, ...]) -> None:
    """Run every method on a tiny scenario, so that all kernels are compiled before several processes need them."""
    from anabasis.grid import Grid
    from anabasis.scenario import Group, Limits, Target

    grid = Grid.from_text("........\n...#....\n...#....\n........")
    group = Group(np.array([[1.5, 1.5], [1.5, 2.5]]), Target(6.5, 2.5, 1.0))
    scenario = Scenario(grid, (group,), limits=Limits(steps=60), name="warm-up")
    for method in dict.fromkeys((*methods, "astar")):  # lost units of every method replan by A*
        run_trial(scenario, method, 0, None)


def pack(array: NDArray[Any]) -> bytes:
    """Return an array as compressed bytes."""
    buffer = io.BytesIO()
    np.save(buffer, np.ascontiguousarray(array), allow_pickle=False)
    return zlib.compress(buffer.getvalue(), 6)


def unpack(data: bytes) -> NDArray[Any]:
    """Return the array of `pack`."""
    return np.load(io.BytesIO(zlib.decompress(data)), allow_pickle=False)
