"""March trial: one choice of modules for one formation on one manoeuvre, as a row of a results folder."""

from __future__ import annotations

import dataclasses
import math
import time
from pathlib import Path
from typing import get_type_hints

from anabasis.errors import InputError
from anabasis.formation.march import march
from anabasis.lab.trial import Outcome, Value, pack
from anabasis.manoeuvre import Manoeuvre, Modules
from anabasis.metrics.marches import march_faults
from anabasis.metrics.moves import MoveMeasures, measure

__all__ = ["TIMES", "VALUES", "modules_of", "run_march_trial", "warm_up"]

TIMES = ("marching_seconds", "judging_seconds")
"""What an outcome's planning and execution seconds are here: the march, and its validation and measures."""

_MEASURES: dict[str, type] = get_type_hints(MoveMeasures)

VALUES: dict[str, type] = {
    "ending": str,
    "trouble": str,
    "units": int,
    **_MEASURES,
    "touches": int,
    "trace_hash": str,
}


def modules_of(method: str) -> Modules:
    """Return the modules that a text such as "planning=bends bend=20" sets, the others as they are by default.

    Raises InputError for a name that is unknown and a value that makes no sense.
    """
    kinds = get_type_hints(Modules)
    given: dict[str, object] = {}
    for word in method.split():
        name, _, value = word.partition("=")
        if name not in kinds:
            raise InputError("a module of a formation", found=repr(name), expected=f"one of {', '.join(kinds)}")
        try:
            given[name] = kinds[name](value)
        except ValueError:
            raise InputError(f"module {name}", found=repr(value), expected="a number") from None
    return Modules(**given)  # type: ignore[arg-type] - checked there


def run_march_trial(manoeuvre: Manoeuvre, method: str, seed: int, keep: Path | None) -> Outcome:
    """Carry out a manoeuvre of one formation with the modules that `method` names; validate and measure the march.

    A march has no chance in it, and is made again sooner than read: seed and keep are not used. The outcome's
    `arrivals` are the steps in which units arrived.
    """
    del seed, keep
    (formation,) = manoeuvre.formations
    chosen = dataclasses.replace(formation, modules=modules_of(method))
    ordered = dataclasses.replace(manoeuvre, formations=(chosen,))
    start = time.perf_counter()
    result = march(ordered)
    done = time.perf_counter()
    found = result.value
    assert found is not None  # noqa: S101 - a march has always begun
    trace = found.trace
    faults = march_faults(ordered, trace, found.logical, tick=found.tick)
    measures = measure(formation.schema, found.seconds, trace.positions, radius=trace.radius, spots=found.spot)
    judged = time.perf_counter()
    numbers = {k: v if math.isfinite(v) else None for k, v in dataclasses.asdict(measures).items()}
    values: dict[str, Value] = {
        "ending": result.status.value,
        "trouble": found.trouble[0],
        "units": manoeuvre.units,
        **numbers,
        "touches": int(trace.counters.unit_collisions.sum()),
        "trace_hash": trace.hash,
    }
    return Outcome(
        status="invalid" if faults else "ok",
        reason=faults[0] if faults else result.reason,
        values=values,
        arrivals=pack(trace.arrival),
        planning_seconds=done - start,
        execution_seconds=judged - done,
    )


def warm_up(methods: tuple[str, ...]) -> None:
    """March a few steps, so that all kernels are loaded before a clock runs."""
    from anabasis.formation.shapes import column
    from anabasis.lattice import Lattice
    from anabasis.manoeuvre import Formation

    formation = Formation.of(column(3), (90.0, 17.3), 90.0, (190.0, 17.3))
    for method in methods[:1]:
        run_march_trial(Manoeuvre(Lattice.uniform(14, 3), (formation,)), method, 0, None)
