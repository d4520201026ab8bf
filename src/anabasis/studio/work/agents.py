"""Agents: a solver's plan for many agents, each with a goal of its own, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.lab.solver_trial import warm_up
from anabasis.lab.solving import Attempt, arrived, solve_within
from anabasis.metrics.plan_measures import measure
from anabasis.metrics.plan_review import review_plan
from anabasis.plan import Plan
from anabasis.result import Result, Status
from anabasis.studio.agents import run_of_agents
from anabasis.studio.asked import asked_seed
from anabasis.studio.channel import Channel
from anabasis.studio.drafts import instance_of
from anabasis.studio.facts import Fact, say_facts, say_table
from anabasis.studio.requests import asked_method, asked_options, rules_of
from anabasis.studio.runs import say_run
from anabasis.studio.scenes import say_scene
from anabasis.view.agents import instance_scene, traffic_scene, ways_scene

__all__ = ["run"]

_FEW = 60  # agents: their numbers, and who is where when, can be read
_ROWS = 2_000  # of the table of reservations


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Solve: `draft`, `method`, `options`, `seed`. A solver that can be stopped is, when its `seconds` are over."""
    name = asked_method("mapf", args)
    options, beside = asked_options("mapf", name, args)
    instance = instance_of(args.get("draft"), Rules(**rules_of(beside)))
    grid = instance.space
    assert isinstance(grid, Grid)  # noqa: S101 - a draft has a map of cells
    say_scene(out, "agents", instance_scene(instance), grid=grid)
    seconds: float = beside["seconds"]

    def moved(now: float, result: Result[Plan]) -> None:
        cost = result.stats.get("sum_of_costs")
        text = "solving" if cost is None or not arrived(instance, result) else f"improving: sum of costs {cost:g}"
        out.progress(min(now, seconds), seconds, text)

    out.progress(0, 0, "loading")
    warm_up((name,))  # the time is for solving, not for loading kernels
    attempt = solve_within(instance, name, seconds=seconds, seed=asked_seed(args), options=options, progress=moved)
    result, plan = attempt.result, attempt.result.value
    if plan is not None:
        _say_plan(out, instance, grid, plan, name)
    _say_facts(out, instance, attempt, name)
    if not arrived(instance, result):
        out.end(result.status.value if result.status is not Status.SOLVED else Status.LIMIT.value, result.reason)


def _say_plan(out: Channel, instance: Instance, grid: Grid, plan: Plan, name: str) -> None:
    """Say a plan as a run, as scenes, and as a table of who is where when."""
    say_scene(out, "agents", instance_scene(instance, starts=False), grid=grid)  # the agents are those of the run
    say_scene(out, "ways", ways_scene(instance, plan, starts=False), grid=grid)
    say_scene(out, "traffic", traffic_scene(instance, plan), grid=grid)
    trace, head = run_of_agents(instance, plan)
    say_run(out, None, trace, title=f"{instance.size} agents, {name}", head={"method": name, **head})
    faults = review_plan(instance, plan)
    if faults:
        say_table(out, "Conflicts", ("step", "what"), [(fault.step, str(fault)) for fault in faults[:1000]])
    if instance.size <= _FEW:
        rows = plan.vertices[:_ROWS]
        cells = np.stack([rows % grid.width, rows // grid.width], axis=-1).tolist()
        columns = ("step", *(f"agent {agent}" for agent in range(instance.size)))
        table = [(step, *(f"{x}, {y}" for x, y in row)) for step, row in enumerate(cells)]
        say_table(out, "Reservations: who has which cell when", columns, table)


def _say_facts(out: Channel, instance: Instance, attempt: Attempt, name: str) -> None:
    """Say what the plan costs and what is proved."""
    result, plan = attempt.result, attempt.result.value
    rows: list[Fact] = [
        ("agents", instance.size),
        ("status", result.status.value),
        ("reason", result.reason or None),
    ]
    if plan is not None:
        costs = measure(instance, plan)
        rows += [
            ("arrived", costs.arrived),
            ("sum of costs", costs.sum_of_costs),
            ("makespan", costs.makespan),
            ("steps that are no waits", costs.fuel),
            ("valid", arrived(instance, result) and not attempt.faults),
            *(("not valid", fault) for fault in attempt.faults[:5]),
        ]
    rows += [("proved: at least", result.bound if result.bound > 0 else None)]
    known = ("sum_of_costs", "makespan")
    rows += [(key.replace("_", " "), value) for key, value in result.stats.items() if key not in known]
    rows += [("solving", attempt.seconds, "seconds"), ("first plan", attempt.first_seconds, "seconds")]
    say_facts(out, f"Plan by {name}", rows)
