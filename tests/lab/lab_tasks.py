"""Stand-ins for a run: made-up traces that depend on the seed alone, and every way to fail."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np

from anabasis import Grid, Group, Limits, Scenario, Target, Trace
from anabasis.io.archive import save
from anabasis.lab.trial import Outcome, density, measure, pack
from anabasis.trace import Counters, Ending

MAP = """
####################
#..................#
#..................#
#.......####.......#
#.......####.......#
#..................#
#.......####.......#
#.......####.......#
#..................#
####################
"""


def scenario(name: str = "bridge", units: int = 12) -> Scenario:
    positions = np.array([[1.5 + i % 5, 1.5 + i // 5] for i in range(units)])
    group = Group(positions, Target(17.5, 5.5, 1.5), radius=0.3)
    return Scenario(Grid.from_text(MAP), (group,), limits=Limits(steps=400), name=name)


def made_up_trace(scenario: Scenario, method: str, seed: int, *, left: int = 0) -> Trace:
    """A straight walk of every unit, at a pace that depends on the seed and the method; `left` units stay behind."""
    random = np.random.default_rng([seed, *method.encode()])
    n, slow = scenario.size, 1.0 + 0.4 * (method != "fast")
    arrival = np.sort(np.round(slow * random.uniform(60, 110, n)).astype(np.int64))
    end = int(arrival.max()) if not left else 400
    arrival[n - left :] = -1
    times = np.unique(np.append(np.arange(0, end, 5), end))
    start = scenario.groups[0].positions
    target = np.array([scenario.groups[0].target.x, scenario.groups[0].target.y])
    finish = np.where(arrival >= 0, arrival, 2 * end)
    share = np.clip(times[:, None] / finish[None, :], 0, 1)
    positions = start + share[:, :, None] * (target - start)
    state = np.where((arrival >= 0) & (times[:, None] >= arrival), 2, 0).astype(np.uint8)
    updates = np.where(arrival >= 0, arrival, end)
    zero = np.zeros(n, np.int64)
    none = np.zeros(0, np.int64)
    return Trace(
        times=times,
        positions=positions,
        headings=np.zeros((times.size, n)),
        state=state,
        hashes=random.integers(0, 2**63, times.size).astype(np.uint64),
        group=zero,
        radius=np.full(n, 0.3),
        route=zero,
        arrival=arrival,
        planned_length=np.hypot(*(target - start).T),
        event_step=none,
        event_kind=none,
        event_unit=none,
        event_cause=none,
        counters=Counters(zero, random.integers(0, 9, n), updates, updates // 2, updates // 5, 0.15 * updates, zero),
        ending=Ending.STEP_LIMIT if left else Ending.ALL_DONE,
        seed=seed,
    )


def outcome_of(scenario: Scenario, trace: Trace) -> Outcome:
    return Outcome(
        "ok",
        values=measure(trace),
        arrivals=pack(trace.arrival),
        density=pack(density(scenario, trace)),
        planning_seconds=time.perf_counter() % 1,
        execution_seconds=time.perf_counter() % 7,
    )


def walk(scenario: Scenario, method: str, seed: int, keep: Path | None) -> Outcome:
    trace = made_up_trace(scenario, method, seed)
    if keep is not None:
        save(trace, keep)
    return outcome_of(scenario, trace)


def slow_walk(scenario: Scenario, method: str, seed: int, keep: Path | None) -> Outcome:
    time.sleep(0.02)
    return walk(scenario, method, seed, keep)


def trouble(scenario: Scenario, method: str, seed: int, keep: Path | None) -> Outcome:
    """Each method fails in its own way, with seed 1 alone."""
    if seed == 1:
        match method:
            case "raise":
                raise ValueError("no <b>such</b> thing")
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "exit":
                os._exit(3)
            case "hang":
                time.sleep(600)
            case "memory":
                raise MemoryError
            case "left":
                return outcome_of(scenario, made_up_trace(scenario, method, seed, left=2))
            case "invalid":
                values = outcome_of(scenario, made_up_trace(scenario, method, seed))
                return Outcome("invalid", "1 faults, the first: a unit in a wall", values.values)
            case _:
                pass
    return walk(scenario, method, seed, keep)


def interrupt(scenario: Scenario, method: str, seed: int, keep: Path | None) -> Outcome:
    """With seed 2, press Ctrl-C in the parent."""
    if seed == 2:
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(600)
    return walk(scenario, method, seed, keep)


def wait_for_ever(scenario: Scenario, method: str, seed: int, keep: Path | None) -> Outcome:
    """Leave the process number beside the trace, then never end."""
    assert keep is not None
    keep.with_suffix(".pid").write_text(str(os.getpid()))
    time.sleep(600)
    return Outcome("ok")
