"""Archives of a run: what later jobs, such as `why` and `export`, want of the job that made it.

A folder holds `scenario.npz`, `trace.npz`, `plan-K.npz` for the plan of group K if there is one, and `run.json`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from anabasis.errors import InputError
from anabasis.io.archive import load, save
from anabasis.io.atomic import write_atomic
from anabasis.plan import GroupPlan
from anabasis.result import Result, Status
from anabasis.scenario import Scenario
from anabasis.trace import Trace

__all__ = ["KeptRun", "keep_run", "kept_run"]


@dataclass(frozen=True, eq=False)
class KeptRun:
    """A run as it was made: `orders.execute(scenario, method, plans, seed=seed)` makes the same trace again."""

    scenario: Scenario
    method: str
    seed: int
    plans: tuple[Result[GroupPlan], ...]
    trace: Trace


def keep_run(
    folder: Path, scenario: Scenario, method: str, seed: int, plans: Sequence[Result[GroupPlan]], trace: Trace
) -> None:
    """Write a run into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    save(scenario, folder / "scenario.npz")
    save(trace, folder / "trace.npz")
    told: list[dict[str, Any]] = []
    for number, plan in enumerate(plans):
        told.append({"status": plan.status.value, "reason": plan.reason, "planned": plan.value is not None})
        if plan.value is not None:
            save(plan.value, folder / f"plan-{number}.npz")
    write_atomic(folder / "run.json", json.dumps({"method": method, "seed": seed, "plans": told}).encode())


def kept_run(folder: Path) -> KeptRun:
    """Return the run that was written into a folder; raises InputError if there is none."""
    if not (folder / "run.json").is_file():
        raise InputError("no run was kept", hint="run it again")
    head = json.loads((folder / "run.json").read_bytes())
    plans = tuple(
        Result(
            Status(said["status"]),
            cast("GroupPlan", load(folder / f"plan-{number}.npz")) if said["planned"] else None,
            said["reason"],
        )
        for number, said in enumerate(head["plans"])
    )
    scenario, trace = cast("Scenario", load(folder / "scenario.npz")), cast("Trace", load(folder / "trace.npz"))
    return KeptRun(scenario, head["method"], head["seed"], plans, trace)
