"""Solving: one solver on one instance within a time of the wall clock, its plan validated, its progress recorded.

Solvers have no clock: they stop after a count. Those that can run long are classes that work bit by bit, so that the
clock can be looked at from outside between two bits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.instance import Instance
from anabasis.methods import method
from anabasis.metrics.plans import plan_faults
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["Attempt", "arrived", "solve_within"]

_BIT = 0.02  # seconds of work between two looks at the clock


@dataclass(frozen=True, eq=False)
class Attempt:
    """What a solver reached.

    - result: of the solver; faults: what the validator found wrong with its plan, empty without one. That agents of a
      plan that was given up have not arrived is none.
    - seconds: wall clock until the solver ended; first_seconds: until its first plan, None without one.
    - interrupted: whether somebody pressed Ctrl-C; the best plan so far is there all the same.
    - curve: float64[n, 3], a row (seconds, sum of costs, proved bound) whenever a better plan or bound was there.
    """

    result: Result[Plan]
    faults: tuple[str, ...]
    seconds: float
    first_seconds: float | None
    curve: NDArray[np.float64]
    interrupted: bool = False


def solve_within(
    instance: Instance,
    name: str,
    *,
    seconds: float,
    seed: int = 0,
    options: dict[str, Any] | None = None,
    progress: Callable[[float, Result[Plan]], object] | None = None,
) -> Attempt:
    """Let the solver `name` of the table work on an instance for about so many seconds.

    A solver that works bit by bit is stopped when the time is over, or before by an option `limit`, and has the best
    plan that it found so far; another one ends by itself. progress: is told the seconds and the result after every bit.
    Raises InputError for an unknown method or an instance that it can't solve.
    """
    row = method("mapf", name)
    given, interrupted = dict(options or {}), False
    if row.seeded:
        given.setdefault("seed", seed)
    stepwise = row.load_stepwise()
    begin = time.perf_counter()
    if stepwise is None:
        result: Result[Plan] = row.load()(instance, **given)
        curve = [(time.perf_counter() - begin, _cost(result), result.bound)] if arrived(instance, result) else []
    else:
        result, curve, interrupted = _bit_by_bit(instance, stepwise(instance, **given), begin, seconds, progress)
    spent = time.perf_counter() - begin
    found = plan_faults(instance, result.value) if result.value is not None else []
    faults = tuple(str(fault) for fault in found if fault.kind != "goal" or result.status is not Status.LIMIT)
    return Attempt(result, faults, spent, curve[0][0] if curve else None, np.array(curve).reshape(-1, 3), interrupted)


def arrived(instance: Instance, result: Result[Plan]) -> bool:
    """Return whether there is a plan that brings every agent to its goal, be it the best or not."""
    plan = result.value
    return plan is not None and bool((plan.arrivals(instance.goals, stay=instance.rules.stay) >= 0).all())


def _bit_by_bit(
    instance: Instance,
    solver: Any,
    begin: float,
    seconds: float,
    progress: Callable[[float, Result[Plan]], object] | None,
) -> tuple[Result[Plan], list[tuple[float, float, float]], bool]:
    """Advance a solver until it ends, its time is over or Ctrl-C stops it while it has a plan.

    Return its result, the curve of what it reached, and whether it was Ctrl-C.
    """
    count, finished = 1, False
    result: Result[Plan] = solver.result
    curve: list[tuple[float, float, float]] = []
    while True:
        before = time.perf_counter()
        try:
            finished = finished or solver.advance(count)
        except (KeyboardInterrupt, SystemError) as stop:
            if not curve or not _is_interrupt(stop):
                raise
            reason = f"interrupted after {before - begin:.3g} s: {result.reason}"
            return replace(result, reason=reason), curve, True
        now = time.perf_counter()
        result = solver.result
        if arrived(instance, result):
            row = (now - begin, _cost(result), result.bound)
            if not curve or row[1:] != curve[-1][1:]:
                curve.append(row)
        if progress is not None:
            progress(now - begin, result)
        if finished:
            return result, curve, False
        if now - begin >= seconds:
            return replace(result, reason=f"stopped after {seconds:g} s: {result.reason}"), curve, False
        spent = now - before
        if spent < _BIT / 2:
            count *= 2
        elif spent > 2 * _BIT:
            count = max(1, count // 2)


def _is_interrupt(error: BaseException | None) -> bool:
    """Return whether it was Ctrl-C: while a kernel is called it becomes the cause of one SystemError or several."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error is not None


def _cost(result: Result[Plan]) -> float:
    return float(result.stats.get("sum_of_costs", np.nan))
