"""The solvers of the table on more than 80,000 random instances: no plan is ever invalid, no promise broken.

- 6,000 tiny instances, with any of the features that a solver can handle: every solver beside the joint search.
- 2,000 crowded ones of 5 to 30 agents, too large for it: every solver.
- Of 80,000 tiny ones, those that differ from each other (by their state hash): the solvers that take about a
  millisecond. At least 50,000 of them are solved, each by two solvers or more, with plans that both validators accept;
  an instance for which only one solver has a plan, or none, does not count.

Everywhere the solvers are compared with each other: no proved bound is above any plan's cost, those that prove an
optimum agree, and where one proves that there is no solution nobody has a plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pytest
from joint_search import TooLargeError, joint_search
from small_instances import room_instance
from tiny_instances import tiny_instance

from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.methods import METHODS, Method
from anabasis.metrics.plan_review import review_plan
from anabasis.metrics.plans import plan_faults
from anabasis.noun import state_hash
from anabasis.plan import Plan
from anabasis.result import Result, Status

SOLVERS = [row for row in METHODS if row.family == "mapf"]
FEATURES = ((), (), ("directed",), ("changes",), ("vanish",), ("following",), ("changes", "vanish"), ("swaps",))
SELDOM = (("cycle",), ("no wait",), ("sharing",), ("sizes",), ("changes", "directed"), ("following", "vanish"))
LIMITS = {  # of work on a crowded instance, so that all of them end within some tenths of a second
    "cbs": 40,
    "meta-agent-cbs": 40,
    "independence": 40,
    "ecbs": 100,
    "eecbs": 100,
    "pbs": 60,
    "lns2": 60,
    "lacam": 20_000,
    "lacam-star": 300,
}
LITTLE = {"cbs": 300, "independence": 300, "ecbs": 3_000, "eecbs": 3_000, "lacam-star": 500}  # on a tiny one
TINY, CROWDED = 30, 20  # parts
TINY_EACH, CROWDED_EACH = 200, 100  # instances of a part
FAST = ("prioritized", "whca-star", "pbs", "pibt", "lacam", "ecbs", "eecbs")
MANY, MANY_PARTS = 80_000, 16  # tiny instances for the fast solvers, some of them equal
SOLVED = 50_000  # at least, of those that differ
WEIGHT = 1.2


@dataclass
class Seen:
    """What all solvers said of one instance."""

    least: float = np.inf  # sum of costs of a plan
    bound: float = 0.0
    optima: set[float] = field(default_factory=set[float])
    impossible: list[str] = field(default_factory=list[str])
    found: list[str] = field(default_factory=list[str])  # who has a plan


def solve(row: Method, instance: Instance, seed: int, limits: dict[str, int]) -> Result[Plan]:
    options = {"seed": seed} if row.seeded else {}
    if row.name in limits:
        options["limit"] = limits[row.name]
    return row.load()(instance, **options)


def look(row: Method, instance: Instance, result: Result[Plan], seen: Seen) -> None:
    """Check what a result says by itself, and add it to what was seen."""
    seen.bound = max(seen.bound, result.bound)
    assert bool(result.reason) == (result.status is not Status.SOLVED)
    if result.status is Status.NO_SOLUTION:
        assert result.value is None
        seen.impossible.append(row.name)
    if result.value is None:
        return
    faults = plan_faults(instance, result.value)
    assert faults == review_plan(instance, result.value)
    if result.status is Status.LIMIT and not is_whole(instance, result.value):
        assert {fault.kind for fault in faults} == {"goal"}  # the steps so far
        return
    assert faults == []
    arrivals = result.value.arrivals(instance.goals, stay=instance.rules.stay)
    cost = float(arrivals.sum())
    assert result.stats["sum_of_costs"] == cost and result.stats["makespan"] == arrivals.max(initial=0)
    seen.found.append(row.name)
    seen.least = min(seen.least, cost)
    if row.bounded and result.status is Status.SOLVED:
        assert cost <= WEIGHT * result.bound + 1e-9
    if row.optimal and result.status is Status.SOLVED:
        assert cost == result.bound
        seen.optima.add(cost)


def is_whole(instance: Instance, plan: Plan) -> bool:
    """Whether every agent ends at its goal."""
    return bool((plan.arrivals(instance.goals, stay=instance.rules.stay) >= 0).all())


def look_at_all(
    instance: Instance, seed: int, limits: dict[str, int], solvers: Sequence[Method] = tuple(SOLVERS)
) -> Seen:
    """Let every solver that can handle the instance solve it, and compare what they say."""
    seen = Seen()
    for row in solvers:
        if instance.features <= set(row.can):
            result = solve(row, instance, seed, limits)
            try:
                look(row, instance, result, seen)
            except AssertionError as fault:
                raise AssertionError(f"{row.name}, instance {seed} {sorted(instance.features)}: {fault}") from fault
    told = f"instance {seed} {sorted(instance.features)}: {seen}"
    assert seen.bound <= seen.least + 1e-9, told
    assert len(seen.optima) <= 1 and seen.optima <= {seen.least}, told
    assert not (seen.impossible and seen.found), told
    return seen


def some_tiny_instance(seed: int) -> Instance:
    """Return a tiny instance with the features that the number stands for."""
    features = SELDOM[seed // 8 % len(SELDOM)] if seed % 8 == 7 else FEATURES[seed % 8]
    return tiny_instance(seed, features, most=4 if seed % 4 == 0 else 3)


@cache
def different() -> list[int]:
    """Return the numbers of tiny instances of which no two are equal."""
    first: dict[str, int] = {}
    for seed in range(1_000_000, 1_000_000 + MANY):
        first.setdefault(state_hash(some_tiny_instance(seed)), seed)
    return list(first.values())


def crowded_instance(seed: int) -> Instance:
    """Return 5 to 30 agents on a map of 8 × 8 to 16 × 16 cells, every second time with changes or other rules."""
    rng = np.random.default_rng([seed, 7])
    side, agents = int(rng.integers(8, 17)), int(rng.integers(5, 31))
    made = room_instance(side, float(rng.uniform(0, 0.25)), agents, seed)
    rules = (Rules(), Rules(), Rules(), Rules(stay=False), Rules(following=True))[rng.integers(5)]
    times = np.sort(rng.integers(1, 20, rng.integers(1, 12) if rng.random() < 0.3 else 0))
    assert isinstance(made.space, Grid)
    cells = np.setdiff1d(np.flatnonzero(made.space.free), made.goals)
    if not cells.size:
        return made
    changes = times, rng.choice(cells, times.size), rng.random(times.size) < 0.6
    return Instance(made.space, made.starts, made.goals, *changes, rules)


@pytest.mark.long
@pytest.mark.parametrize("part", range(TINY))
def test_tiny_instances_beside_the_joint_search(part: int) -> None:
    plans, gave_up, optima, endings = 0, 0, 0, Counter[str]()
    for seed in range(100_000 + TINY_EACH * part, 100_000 + TINY_EACH * (part + 1)):
        instance = some_tiny_instance(seed)
        seen = look_at_all(instance, seed, LITTLE)
        plans += len(seen.found)
        try:
            best = joint_search(instance, most=50_000)
        except TooLargeError:
            endings["too large"] += 1
            continue
        told = f"instance {seed} {sorted(instance.features)}: {seen}"
        if best is None:
            assert not seen.found, told
            endings["no solution"] += 1
        else:
            assert not seen.impossible and seen.bound <= best.cost <= seen.least, told
            assert seen.optima <= {best.cost}, told
            able = {row.name for row in SOLVERS if row.complete and instance.features <= set(row.can)}
            gave_up += len(able - set(seen.found))
            assert able - set(seen.found) <= LITTLE.keys() - {"lacam-star"}, told
            optima += bool(seen.optima)
            endings["solved"] += 1
    assert endings["no solution"] > TINY_EACH // 20 and endings["solved"] > TINY_EACH // 2
    assert optima > TINY_EACH // 2
    assert gave_up < TINY_EACH // 10  # puzzles that ask for many detours, where conflicts are settled one by one
    print(f"tiny, part {part}: {plans} plans, {optima} optima, {gave_up} given up, {dict(endings)}")


@pytest.mark.long
@pytest.mark.parametrize("part", range(MANY_PARTS))
def test_fast_solvers_agree_on_tens_of_thousands_of_instances(part: int) -> None:
    solvers = [row for row in SOLVERS if row.name in FAST]
    assert len(solvers) == len(FAST)
    seeds = different()
    plans, solved = 0, 0
    for seed in seeds[len(seeds) * part // MANY_PARTS : len(seeds) * (part + 1) // MANY_PARTS]:
        found = look_at_all(some_tiny_instance(seed), seed, LITTLE, solvers).found
        plans, solved = plans + len(found), solved + (len(found) >= 2)
    assert solved * MANY_PARTS >= SOLVED
    print(f"many, part {part}: {plans} plans, {solved} instances solved by two or more")


@pytest.mark.long
@pytest.mark.parametrize("part", range(CROWDED))
def test_solvers_agree_on_crowded_instances(part: int) -> None:
    plans, optima = 0, 0
    for seed in range(500_000 + CROWDED_EACH * part, 500_000 + CROWDED_EACH * (part + 1)):
        seen = look_at_all(crowded_instance(seed), seed, LIMITS)
        plans, optima = plans + len(seen.found), optima + len(seen.optima)
    assert plans > 3 * CROWDED_EACH and optima > 0
    print(f"crowded, part {part}: {plans} plans, {optima} optima")
