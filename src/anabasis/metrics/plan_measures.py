"""Plan measures: what a multi-agent plan costs, by every measure of the field.

R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks", 2019; agents at their goals by a
deadline: H. Ma et al., "Multi-Agent Path Finding with Deadlines", 2018.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from anabasis.errors import InputError
from anabasis.instance import Instance
from anabasis.metrics.plans import check_judged, plan_faults
from anabasis.noun import freeze, set_field
from anabasis.options import check_count
from anabasis.plan import Plan

__all__ = ["PlanMeasures", "at_goals_by", "measure"]


@dataclass(frozen=True)
class PlanMeasures:
    """What a plan costs, in steps.

    - sum_of_costs: the steps up to each agent's arrival, waits included; an agent that leaves its goal again arrives
      when it is back for good, or if agents vanish, the first time. One that does not arrive counts the whole plan.
    - makespan: the steps until the last has arrived, by the same count.
    - fuel: the steps that are no waits.
    - away: the steps that agents stand elsewhere than at their goals.
    - arrived: how many end at their goals.
    - lower_bound: the sum of the distances that were given, 0 without them; ratio: sum_of_costs by lower_bound, 1 if
      both are 0, inf if only lower_bound is, nan without distances.
    - faults: how many faults of each kind of `plans.FAULTS` are among the first 100,000; empty if the plan is valid.
    """

    sum_of_costs: int
    makespan: int
    fuel: int
    away: int
    arrived: int
    lower_bound: int
    ratio: float
    faults: Mapping[str, int] = field(default_factory=dict[str, int])

    def __post_init__(self) -> None:
        set_field(self, "faults", MappingProxyType(dict(self.faults)))

    def __reduce__(self) -> tuple[object, ...]:
        numbers = self.sum_of_costs, self.makespan, self.fuel, self.away, self.arrived, self.lower_bound, self.ratio
        return PlanMeasures, (*numbers, dict(self.faults))


def measure(instance: Instance, plan: Plan, *, distances: ArrayLike | None = None) -> PlanMeasures:
    """Return the measures of a plan; of a plan with faults too.

    distances: int[k], the steps from each start to its goal with nobody in the way. Raises InputError for a plan with
    another number of agents or without a row, and for distances that are not k whole numbers from 0.
    """
    check_judged(instance, plan)
    plan.check_fits(instance.size)
    rows, goals, steps = plan.vertices, instance.goals, plan.makespan
    arrivals = plan.arrivals(goals, stay=instance.rules.stay)
    ends = np.where(arrivals < 0, steps, arrivals)
    under_way = np.arange(steps)[:, None] < ends  # a step, by the row that it starts from
    lower = np.zeros(instance.size, np.int64)
    if distances is not None:
        lower = freeze(distances, np.int64, (instance.size,), "distances")
        if lower.size and lower.min() < 0:
            raise InputError("distances", found=f"{lower.min()}", expected="steps from 0")
    total, bound = int(ends.sum()), int(lower.sum())
    ratio = total / bound if bound else (1.0 if distances is not None and not total else np.inf)
    return PlanMeasures(
        sum_of_costs=total,
        makespan=int(ends.max(initial=0)),
        fuel=int(((rows[1:] != rows[:-1]) & under_way).sum()),
        away=int(((rows[:-1] != goals) & under_way).sum()),
        arrived=int((arrivals >= 0).sum()),
        lower_bound=bound,
        ratio=float(ratio) if distances is not None else np.nan,
        faults=Counter(fault.kind for fault in plan_faults(instance, plan, limit=100_000)),
    )


def at_goals_by(instance: Instance, plan: Plan, deadline: int) -> int:
    """Return how many agents have arrived, for good, by this step; raises InputError as `measure` does."""
    last = check_count(deadline, "deadline")
    check_judged(instance, plan)
    plan.check_fits(instance.size)
    arrivals = plan.arrivals(instance.goals, stay=instance.rules.stay)
    return int(((arrivals >= 0) & (arrivals <= last)).sum())
