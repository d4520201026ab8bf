"""Every solver of the table keeps its promises: valid plans, optimal or bounded costs, honest endings, determinism."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "mapf"))

from joint_search import joint_search
from tiny_instances import tiny_instance

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import FEATURES, Instance
from anabasis.methods import METHODS, Method
from anabasis.metrics.plan_review import review_plan
from anabasis.metrics.plans import plan_faults
from anabasis.noun import state_hash
from anabasis.plan import Plan
from anabasis.result import Result, Status

SOLVERS = [row for row in METHODS if row.family == "mapf"]
CASES = [(row, feature) for row in SOLVERS for feature in ("", *row.can)]
SEEDS = range(12)
LIMIT = 2_000  # of bits of work, for solvers that can be stopped


@cache
def case(seed: int, feature: str) -> tuple[Instance, int | None]:
    """A tiny instance and the least sum of costs, None if it has no solution."""
    instance = tiny_instance(seed, [feature] if feature else [], most=3)
    best = joint_search(instance)
    return instance, None if best is None else best.cost


def solve(row: Method, instance: Instance, seed: int = 0) -> Result[Plan]:
    options = {"seed": seed} if row.seeded else {}
    return row.load()(instance, **options)


def check(row: Method, instance: Instance, result: Result[Plan], best: int | None) -> None:
    """Everything that a result says must be so."""
    if result.status is Status.LIMIT and result.value is not None and "sum_of_costs" not in result.stats:
        assert {fault.kind for fault in plan_faults(instance, result.value)} == {"goal"}  # the steps so far
    elif result.value is not None:
        assert plan_faults(instance, result.value) == []
        assert review_plan(instance, result.value) == []
        arrivals = result.value.arrivals(instance.goals, stay=instance.rules.stay)
        assert (arrivals >= 0).all()
        assert result.stats["sum_of_costs"] == arrivals.sum()
        assert result.stats["makespan"] == arrivals.max(initial=0)
        assert best is not None and best <= arrivals.sum()
        assert result.bound <= best + 1e-9
    if result.status is Status.SOLVED:
        assert result.value is not None
        if row.optimal:
            assert result.stats["sum_of_costs"] == best == result.bound
        if row.bounded:
            assert result.stats["sum_of_costs"] <= 1.2 * result.bound + 1e-9
    elif result.status is Status.NO_SOLUTION:
        assert best is None and result.value is None
    if row.complete and best is not None:
        assert result.status is Status.SOLVED


@pytest.mark.parametrize(("row", "feature"), CASES, ids=lambda v: v.name if isinstance(v, Method) else v or "classic")
def test_results_are_what_they_say(row: Method, feature: str) -> None:
    for seed in SEEDS:
        instance, best = case(seed, feature)
        check(row, instance, solve(row, instance), best)


@pytest.mark.parametrize("row", SOLVERS, ids=lambda row: row.name)
def test_what_a_solver_can_not_do_is_refused(row: Method) -> None:
    for feature in sorted(FEATURES.keys() - set(row.can)):
        instance, _ = case(0, feature)
        with pytest.raises(InputError, match="can't solve this instance"):
            solve(row, instance)


@pytest.mark.parametrize("row", SOLVERS, ids=lambda row: row.name)
def test_the_smallest_instances(row: Method) -> None:
    cell, corridor = Grid.from_text("."), Grid.from_text("...@.")
    for instance, cost in (
        (Instance.of(cell, [], []), 0),
        (Instance.of(cell, [0], [0]), 0),
        (Instance.of(corridor, [0], [2]), 2),
        (Instance.of(corridor, [0, 4], [2, 4]), 2),
    ):
        result = solve(row, instance)
        assert result.status is Status.SOLVED
        check(row, instance, result, cost)
    apart = solve(row, Instance.of(corridor, [0, 1], [4, 2]))
    assert apart.status is Status.NO_SOLUTION and "agent 0 can't get from x=0" in apart.reason
    blocked = solve(row, Instance.of(corridor, [0, 1], [1, 0]))  # nobody can pass
    assert blocked.reason
    check(row, instance=Instance.of(corridor, [0, 1], [1, 0]), result=blocked, best=None)
    assert blocked.status in (Status.NO_SOLUTION, Status.LIMIT)


@pytest.mark.parametrize("row", SOLVERS, ids=lambda row: row.name)
def test_the_same_seed_gives_the_same_plan(row: Method) -> None:
    grid = Grid.from_text("\n".join(["......", ".@@.@.", "......", ".@.@@.", "......"]))
    free = np.flatnonzero(grid.free)
    rng = np.random.default_rng(1)
    instance = Instance.of(grid, rng.choice(free, 5, replace=False), rng.choice(free, 5, replace=False))
    first, second = solve(row, instance, 3), solve(row, instance, 3)
    assert state_hash(first) == state_hash(second)
    assert first.value is not None or not row.complete


@pytest.mark.parametrize("row", [row for row in SOLVERS if row.stepwise], ids=lambda row: row.name)
def test_bit_by_bit_is_the_same_as_at_once(row: Method) -> None:
    make = row.load_stepwise()
    assert make is not None
    for seed in range(4):
        instance, best = case(seed, "")
        solver = make(instance)
        for bit in range(LIMIT):
            check_open(row, instance, solver.result, best)
            if solver.advance(1 if bit < 100 else 1000):
                break
        else:
            pytest.fail("it does not end")
        at_once = solve(row, instance)
        assert solver.result.status is at_once.status
        if at_once.value is not None:
            assert solver.result.stats["sum_of_costs"] == at_once.stats["sum_of_costs"]
        assert solver.advance(1)  # and stays at its end


def check_open(row: Method, instance: Instance, result: Result[Plan], best: int | None) -> None:
    """What a solver says before it has ended holds too."""
    if result.value is not None:
        assert plan_faults(instance, result.value) == []
        assert best is not None and result.bound <= best <= result.stats["sum_of_costs"]
