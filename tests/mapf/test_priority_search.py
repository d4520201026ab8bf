"""Priority-based search: valid plans, cheap ones, honest when no order will do, the same in pieces."""

import numpy as np
import pytest
from small_instances import check_answer, room_instance, small_instances

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf.prioritized import prioritized
from anabasis.mapf.priority_search import PrioritySearch, priority_search
from anabasis.result import Status


def test_plans_are_valid_and_never_below_the_joint_optimum() -> None:
    solved = 0
    for i, instance in enumerate(small_instances(61, 250)):
        result = priority_search(instance)
        cost = check_answer(instance, result, compare=i % 3 == 0 and instance.size < 3)
        solved += cost is not None
    assert solved > 130


def test_without_collisions_everybody_walks_a_shortest_way() -> None:
    grid = Grid.from_text(".....\n.....\n.....")
    result = priority_search(Instance.of(grid, [0, 5, 10], [4, 9, 14]))
    assert result.value is not None
    assert result.stats["sum_of_costs"] == 12 == result.bound and result.stats["nodes"] == 1


def test_orders_that_matter_are_found() -> None:
    """One must stop where the other passes: only the order in which the passer goes first has a plan."""
    grid = Grid.from_text("......\n##.###")
    instance = Instance.of(grid, [1, 0], [2, 5])
    result = priority_search(instance)
    cost = check_answer(instance, result)
    assert cost is not None and cost > result.bound


def test_cheaper_than_one_order_for_all() -> None:
    costs = np.zeros(2)
    for seed in range(4):
        instance = room_instance(20, 0.1, 50, seed)
        for i, solve in enumerate((priority_search, prioritized)):
            cost = check_answer(instance, solve(instance), compare=False)
            assert cost is not None
            costs[i] += cost
    assert costs[0] < costs[1]


def test_pieces_give_the_same_plan_as_the_whole() -> None:
    instance = room_instance(16, 0.1, 45, 3)
    whole, search = priority_search(instance), PrioritySearch(instance)
    while not search.advance(1):
        assert search.result.status is Status.LIMIT
        assert search.result.reason == f"gave up after {search.nodes} nodes"
    assert whole.value is not None and search.result.value is not None
    assert np.array_equal(whole.value.vertices, search.result.value.vertices)
    assert dict(whole.stats) == dict(search.result.stats) and search.nodes > 3


def test_what_has_no_plan_ends() -> None:
    corridor = priority_search(Instance.of(Grid.from_text("...."), [0, 3], [3, 0]))
    assert corridor.status is Status.LIMIT and corridor.reason == "no order of priorities will do"
    assert priority_search(Instance.of(Grid.from_text(".#."), [0], [2])).status is Status.NO_SOLUTION
    empty = priority_search(Instance.of(Grid.from_text("."), [], []))
    assert empty.value is not None and empty.value.vertices.shape == (1, 0)
    crowded = priority_search(room_instance(8, 0.1, 40, 1), limit=5)
    assert crowded.status is Status.LIMIT and crowded.reason == "gave up after 5 nodes"
    with pytest.raises(InputError, match="limit of nodes; found 0"):
        priority_search(Instance.of(Grid.from_text(".."), [0], [1]), limit=0)
    with pytest.raises(InputError, match="count; found -1"):
        PrioritySearch(Instance.of(Grid.from_text(".."), [0], [1])).advance(-1)
