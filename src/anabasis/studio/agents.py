"""Plans of agents as runs: each agent is a group of its own, with a colour and a goal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf.execution import plan_trace
from anabasis.plan import Plan
from anabasis.trace import Trace

__all__ = ["run_of_agents"]


_RADIUS = 0.42  # of an agent of one cell, which leaves room for its number


def run_of_agents(instance: Instance, plan: Plan) -> tuple[Trace, dict[str, Any]]:
    """Return a plan as a trace, and what the message `run` shall hold besides."""
    trace = replace(plan_trace(instance, plan), group=np.arange(instance.size))
    if isinstance(instance.space, Grid):
        goals = instance.space.centres(instance.goals) + (instance.sizes[:, None] - 1) / 2
        trace = replace(trace, radius=_RADIUS * instance.sizes)
    else:
        goals = instance.space.points[instance.goals]
    head = {
        "groups": [f"agent {agent}" for agent in range(instance.size)],
        "targets": [[x, y, size / 2] for (x, y), size in zip(goals.tolist(), instance.sizes.tolist(), strict=True)],
        "stays": instance.rules.stay,
    }
    return trace, head
