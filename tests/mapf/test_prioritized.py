"""Prioritised planning: valid plans under every rule, honest about what it can't do, the same on every run."""

import numpy as np
import pytest
from small_instances import check_answer, room_instance, small_instances

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf.prioritized import prioritized
from anabasis.metrics.plans import plan_faults
from anabasis.result import Status


@pytest.mark.parametrize("order", ["shortest", "longest", "given", "random"])
def test_plans_are_valid_and_never_below_the_joint_optimum(order: str) -> None:
    seed = sum(map(ord, order))
    solved = [
        check_answer(instance, prioritized(instance, order=order, seed=seed), compare=i % 3 == 0 and instance.size < 3)
        for i, instance in enumerate(small_instances(seed, 120))
    ]
    assert sum(cost is not None for cost in solved) > 60


def test_agents_of_many_cells() -> None:
    solved = 0
    for i, instance in enumerate(small_instances(5, 200, agents=3, sized=True)):
        cost = check_answer(instance, prioritized(instance), compare=i % 5 == 0 and instance.size < 3)
        solved += cost is not None and bool((instance.sizes > 1).any())
    assert solved > 20


def test_one_agent_is_optimal_and_knows_when_there_is_no_way() -> None:
    no = 0
    for instance in small_instances(23, 150, agents=1):
        result = prioritized(instance)
        cost = check_answer(instance, result)
        assert result.status is not Status.LIMIT
        if cost is not None and instance.size:
            assert result.bound <= cost
        no += result.status is Status.NO_SOLUTION
    assert no > 5


def test_a_door_that_opens_is_waited_for() -> None:
    grid = Grid.from_text(".#.")
    door = np.array([4, 7]), np.array([1, 1]), np.array([False, True])
    result = prioritized(Instance(grid, np.array([0]), np.array([2]), *door))
    assert result.value is not None
    assert result.value.vertices[:, 0].tolist() == [0, 0, 0, 0, 1, 2]
    shut = prioritized(Instance(grid, np.array([0]), np.array([1]), *door))
    assert shut.status is Status.NO_SOLUTION
    assert shut.reason == (
        "agent 0 can't get from x=0 (column), y=0 (row) to its goal, x=1 (column), y=0 (row), between the known "
        "changes, even with nobody else there"
    )


def test_two_large_agents_pass_in_a_bay() -> None:
    grid = Grid.from_text("............\n............\n########..##\n########..##")
    instance = Instance.of(grid, [0, 10], [10, 0], sizes=2)
    result = prioritized(instance)
    assert result.value is not None and plan_faults(instance, result.value) == []
    assert result.stats["sum_of_costs"] > 20


def test_a_corridor_without_a_bay_is_beyond_it() -> None:
    result = prioritized(Instance.of(Grid.from_text("...."), [0, 3], [3, 0]), restarts=7)
    assert result.status is Status.LIMIT and result.value is None and result.bound == 6
    assert result.reason.startswith("after 8 orders of planning there is still one without a way among those before it")
    assert result.stats["restarts"] == 7


def test_cut_off_and_trivial_instances() -> None:
    assert prioritized(Instance.of(Grid.from_text(".#."), [0], [2])).status is Status.NO_SOLUTION
    empty = prioritized(Instance.of(Grid.from_text("."), [], []))
    assert empty.value is not None and empty.value.vertices.shape == (1, 0)
    alone = prioritized(Instance.of(Grid.from_text("."), [0], [0]))
    assert alone.value is not None and alone.value.vertices.tolist() == [[0]]


def test_whoever_vanishes_frees_its_goal() -> None:
    instance = Instance.of(Grid.from_text("...."), [0, 1, 2], [3, 3, 3], rules=Rules(stay=False))
    result = prioritized(instance)
    assert check_answer(instance, result) == 3 + 2 + 1


def test_restarts_help_and_runs_repeat() -> None:
    instance = room_instance(16, 0.2, 60, 4)
    first, again = (prioritized(instance, order="random", seed=9) for _ in range(2))
    assert check_answer(instance, first, compare=False) is not None
    assert first.value is not None and again.value is not None
    assert (first.value.vertices == again.value.vertices).all() and dict(first.stats) == dict(again.stats)
    other = prioritized(instance, order="random", seed=10)
    assert other.value is not None and not np.array_equal(other.value.vertices, first.value.vertices)
    rooms = [room_instance(12, 0.15, 40, seed) for seed in range(12)]
    at_once, later = (sum(bool(prioritized(room, restarts=n)) for room in rooms) for n in (0, 100))
    assert at_once + 3 <= later >= 10


def test_what_it_refuses() -> None:
    grid = Grid.from_text("..")
    with pytest.raises(
        InputError, match="unknown order; found 'best'; expected shortest or longest or given or random"
    ):
        prioritized(Instance.of(grid, [0], [1]), order="best")
    with pytest.raises(InputError, match="prioritized can't solve this instance; found an agent may not wait"):
        prioritized(Instance.of(grid, [0], [1], rules=Rules(wait=False)))
    with pytest.raises(InputError, match="restarts; found -1"):
        prioritized(Instance.of(grid, [0], [1]), restarts=-1)
