"""independence: the same total as one search over all agents, and no larger groups than conflicts force."""

import numpy as np
import pytest
from joint_search import joint_search
from small_instances import check_answer, room_instance

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.mapf.independence import independence
from anabasis.mapf.priced_cbs import priced_cbs
from anabasis.metrics.plans import plan_faults
from anabasis.plan import Plan
from anabasis.result import Result, Status


def joint(instance: Instance, *, limit: int) -> Result[Plan]:
    """A solver of groups that needs nothing but the joint search."""
    answer = joint_search(instance, most=limit)
    if answer is None:
        return Result(Status.NO_SOLUTION, reason="no joint plan")
    return Result(Status.SOLVED, Plan(answer.rows), bound=answer.cost, stats={"expanded": 1})


def check_small(seed: int, count: int) -> tuple[int, float]:
    """Compare with the joint search over all; return how many were solved, and how many merges were made."""
    rng = np.random.default_rng(seed)
    solved, merges = 0, 0.0
    for number in range(count):
        grid = Grid.from_free(rng.random((3, 3)) < 0.9)
        free = np.flatnonzero(grid.free)
        k = min(3, free.size - 1)
        rules = (CLASSIC, Rules(stay=False), Rules(following=True), Rules(swap=False))[number % 4]
        instance = Instance.of(grid, rng.permutation(free)[:k], rng.permutation(free)[:k], rules=rules)
        result, whole = independence(instance, solver=joint), joint_search(instance)
        cost = check_answer(instance, result, compare=False)
        assert (cost is None) == (whole is None)
        if cost is not None and whole is not None:
            assert cost == whole.cost == result.bound == result.stats["cost"]
            solved += 1
            merges += result.stats["merges"]
    return solved, merges


def test_the_total_is_that_of_the_joint_search() -> None:
    solved, merges = check_small(21, 60)
    assert solved > 30 and merges > 10


@pytest.mark.long
def test_the_total_is_that_of_the_joint_search_many() -> None:
    assert check_small(22, 1000)[0] > 500


def test_one_search_over_all_costs_the_same_on_larger_maps() -> None:
    compared = avoided = 0
    for seed in range(10):
        instance = room_instance(10, 0.15, 6, seed)
        parts, whole = independence(instance), independence(instance, solver="priced_cbs")
        together = priced_cbs(instance, limit=3000)
        if not (parts and whole and together):
            continue
        assert parts.value is not None and plan_faults(instance, parts.value) == []
        assert parts.stats["sum_of_costs"] == whole.stats["cost"] == together.stats["cost"]
        assert parts.stats["largest_group"] <= 6
        compared += 1
        avoided += int(parts.stats["avoided"])
    assert compared > 6 and avoided > 2


def test_prices_count_with_the_priced_solver() -> None:
    rng = np.random.default_rng(3)
    merged = 0
    for _ in range(30):
        cost = rng.choice([1.0, 1, 2, 8], (4, 4))
        grid = Grid(cost, np.full((4, 4), ord("."), np.uint8))
        instance = Instance.of(grid, rng.permutation(16)[:3], rng.permutation(16)[:3])
        result, whole = independence(instance, solver="priced_cbs"), priced_cbs(instance)
        assert result.stats["cost"] == whole.stats["cost"] == result.bound
        assert result.value is not None and plan_faults(instance, result.value) == []
        merged += int(result.stats["merges"])
    assert merged > 3


def test_a_way_of_the_same_cost_is_preferred_to_a_larger_group() -> None:
    grid = Grid.from_text("...\n...\n...")
    apart = independence(Instance.of(grid, [0, 6], [8, 2]), solver=joint)
    assert dict(apart.stats)["groups"] == 2 and apart.stats["merges"] == 0 and apart.bound == 8
    cross = independence(Instance.of(Grid.from_text("@.@\n...\n@.@"), [1, 3], [7, 5]), solver=joint)
    assert cross.stats["largest_group"] == 2 and cross.stats["merges"] == 1 and cross.bound == 5


def test_what_has_no_plan_and_what_reaches_the_limit() -> None:
    walled = independence(Instance.of(Grid.from_text(".@."), [0], [2]), solver=joint)
    assert walled.status is Status.NO_SOLUTION and "agent 0 can't get from x=0" in walled.reason
    corridor = Instance.of(Grid.from_text("...@.."), [0, 2, 4], [2, 0, 5])
    proved = independence(corridor, solver=joint)
    assert proved.status is Status.NO_SOLUTION
    assert proved.reason == "agents 0, 1 of the whole, alone on the map: no joint plan"
    given_up = independence(corridor, solver="priced_cbs", limit=20)
    assert given_up.status is Status.LIMIT and given_up.value is None and given_up.bound >= 5
    assert "the limit of 20 nodes" in given_up.reason


def test_nobody_and_one() -> None:
    grid = Grid.from_text(".")
    assert independence(Instance.of(grid, [], []), solver=joint).stats["groups"] == 0
    assert independence(Instance.of(grid, [0], [0]), solver=joint).bound == 0


def test_wrong_options_are_refused() -> None:
    instance = Instance.of(Grid.from_text(".."), [0], [1])
    with pytest.raises(InputError, match="unknown solver; found 'a'; expected cbs or priced_cbs"):
        independence(instance, solver="a")
    with pytest.raises(InputError, match="unknown solver; found 5; expected cbs or priced_cbs"):
        independence(instance, solver=5)  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="limit; found 0"):
        independence(instance, limit=0)
    with pytest.raises(InputError, match="independence can't solve this instance"):
        independence(Instance.of(instance.space, [0], [1], rules=Rules(cycle=True)))
