"""Groups: a group method plans for all groups of a draft, the simulator carries the plans out.

Said are the plan as a scene before anything moves, the run with its frames, what was measured and what it is worth:
the validator's findings, what the plan predicted, and a proved bound where that is quick to find.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from anabasis.errors import InputError
from anabasis.lab.bounds import proved_bound
from anabasis.lab.trial import forecast
from anabasis.metrics.crowds import STATISTICS, counter_statistics, first_middle_last, unfinished
from anabasis.metrics.traces import trace_faults
from anabasis.orders import FLOW_METHODS, execute, plan_groups, plan_stages
from anabasis.plan import GroupPlan
from anabasis.result import Result, Status
from anabasis.scenario import Scenario
from anabasis.studio.archives import keep_run
from anabasis.studio.asked import asked_seed
from anabasis.studio.channel import Channel
from anabasis.studio.drafts import groups_without_units, numbers_of, scenario_of
from anabasis.studio.facts import Fact, say_facts, say_table
from anabasis.studio.requests import asked_method, asked_options
from anabasis.studio.runs import say_run
from anabasis.studio.scenes import say_scene
from anabasis.trace import Trace
from anabasis.view.flows import flow_scene
from anabasis.view.plans import plan_scene

__all__ = ["record_every", "run", "say_left_out", "say_outcome"]

_MEMORY = 2**28  # bytes of recorded frames
_ROW = 25  # bytes of a unit in a frame
_QUICK = 2**16  # cells: on larger maps a proved bound takes its time


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Plan and simulate: `draft`, `method` (a group method), `seed` (by default the scenario's)."""
    scenario, numbers = scenario_of(args.get("draft")), numbers_of(args.get("draft"))
    name, seed = asked_method("group", args), asked_seed(args, scenario.seed)
    asked_options("group", name, args)  # there are none, which is told
    out.progress(0, 0, "planning")
    begin = time.perf_counter()
    plans = plan_groups(scenario, name, seed=seed)
    planned = time.perf_counter()
    _say_plan(out, scenario, name, plans, seed)
    before = time.perf_counter()
    trace = execute(
        scenario,
        name,
        plans,
        seed=seed,
        record_every=record_every(scenario),
        progress=lambda done, units: out.progress(done, units, "units done"),
    )
    done = time.perf_counter()
    if out.keep is not None:
        keep_run(out.keep, scenario, name, seed, plans, trace)
    title = f"{scenario.name or 'scenario'}, {name}"
    say_run(out, scenario, trace, title=title, head={"method": name}, numbers=numbers)
    say_left_out(out, args.get("draft"))
    faults = [str(fault) for fault in trace_faults(scenario, trace)]
    say_outcome(out, scenario, plans, trace, faults, (planned - begin, done - before))
    statuses = [plan.status for plan in plans]
    if Status.NO_SOLUTION in statuses or Status.LIMIT in statuses:
        out.end(*next((plan.status.value, plan.reason) for plan in plans if plan.value is None or plan.reason))
    elif trace.finished < trace.size:
        left = trace.size - trace.finished
        out.end(Status.LIMIT.value, f"{left} of {trace.size} units did not arrive")


def record_every(scenario: Scenario) -> int:
    """Return how many steps apart frames are recorded, so that those of the longest run still fit in memory."""
    frames = max(2, _MEMORY // (_ROW * scenario.size))
    return max(1, -(-scenario.limits.steps // frames))


def _say_plan(out: Channel, scenario: Scenario, name: str, plans: Sequence[Result[GroupPlan]], seed: int) -> None:
    """Say what was planned as scenes: the ways or the field of all groups, of a flow method its network, too."""
    whole = [
        GroupPlan.of_paths([np.zeros((0, 2))] * group.size) if plan.value is None else plan.value
        for plan, group in zip(plans, scenario.groups, strict=True)
    ]
    grid = scenario.grid.with_movement(scenario.groups[0].movement)
    say_scene(out, "plan", plan_scene(grid, scenario, whole, title=f"plan of {name}", ends=False), grid=grid)
    if name not in FLOW_METHODS:
        return
    results = plan_stages(scenario, name, seed=seed)
    for stage in ("regions", "network"):
        try:
            say_scene(out, stage, flow_scene(scenario, results, stage, title=f"{stage} of {name}"), grid=grid)
        except InputError:
            continue  # no group has it, which is no fault of whoever asks


def say_left_out(out: Channel, draft: object) -> None:
    """Say which groups of a draft a run is without, since nobody is in them."""
    if names := groups_without_units(draft):
        say_facts(out, "Left out", [("groups without units", ", ".join(names))])


def say_outcome(
    out: Channel,
    scenario: Scenario,
    plans: Sequence[Result[GroupPlan]],
    trace: Trace,
    faults: list[str],
    seconds: tuple[float, float] | None = None,
) -> None:
    """Say what came out of a run. seconds: of planning and of execution, where a clock has measured them."""
    first, middle, last = first_middle_last(trace) or (None, None, None)
    quick = scenario.grid.width * scenario.grid.height <= _QUICK
    predicted = forecast(plans)
    rows: list[Fact] = [
        ("units", trace.size),
        ("arrived", trace.finished),
        ("steps", trace.steps),
        ("ending", trace.ending.name.lower().replace("_", " ")),
        ("first arrival", first),
        ("middle arrival", middle),
        ("last arrival", last),
        ("predicted last arrival", predicted["predicted_steps"]),
        ("quickest flow in the network", predicted["network_bound_steps"]),
        ("proved: no method before step", proved_bound(scenario) if quick else None),
        ("routes", len(set(trace.route[trace.route >= 0].tolist()))),
        ("valid", not faults),
        ("hash", trace.hash),
    ]
    if seconds is not None:
        rows += [("planning", seconds[0], "seconds"), ("execution", seconds[1], "seconds")]
    say_facts(out, "Results", rows)
    say_table(
        out,
        "Counters of the units that arrived",
        ("counter", *(statistic.replace("_", " ") for statistic in STATISTICS)),
        [
            (counter.replace("_", " "), *(numbers[statistic] for statistic in STATISTICS))
            for counter, numbers in counter_statistics(trace).items()
        ],
    )
    trouble = [
        (group.name or f"group {number}", plan.reason)
        for number, (group, plan) in enumerate(zip(scenario.groups, plans, strict=True))
        if plan.reason
    ]
    causes = [(f"unit {unit}", cause.name.lower().replace("_", " ")) for unit, cause in unfinished(trace).items()]
    wrong = [("not valid", fault) for fault in faults]
    if trouble or causes or wrong:
        say_table(out, "What went wrong", ("who", "why"), [*wrong, *trouble, *causes][:1000])
