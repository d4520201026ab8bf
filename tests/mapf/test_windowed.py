"""Windowed planning: valid plans for any window and period, honest when it gives up, the same on every run."""

import numpy as np
import pytest
from small_instances import check_answer, room_instance, small_instances

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf.windowed import windowed
from anabasis.metrics.plans import plan_faults
from anabasis.result import Status


@pytest.mark.parametrize(("window", "period"), [(1, 1), (2, 1), (5, 5), (16, 0)])
def test_plans_are_valid_and_never_below_the_joint_optimum(window: int, period: int) -> None:
    solved = 0
    for i, instance in enumerate(small_instances(41 + window, 120)):
        result = windowed(instance, window=window, period=period, limit=100)
        cost = check_answer(instance, result, compare=i % 3 == 0 and instance.size < 3)
        solved += cost is not None
    assert solved > 60


def test_crowded_rooms_and_repeats() -> None:
    for seed in range(3):
        instance = room_instance(20, 0.1, 80, seed)
        first, again = windowed(instance), windowed(instance)
        assert check_answer(instance, first, compare=False) is not None
        assert first.value is not None and again.value is not None
        assert np.array_equal(first.value.vertices, again.value.vertices)
        assert dict(first.stats) == dict(again.stats)


def test_one_agent_walks_a_shortest_way_whatever_the_window() -> None:
    grid = Grid.from_text("......\n.####.\n......")
    for window in (1, 3, 50):
        result = windowed(Instance.of(grid, [6], [9 + 2]), window=window)
        assert check_answer(Instance.of(grid, [6], [11]), result) == 7


def test_what_has_no_plan_ends() -> None:
    instance = Instance.of(Grid.from_text("....."), [0, 4], [4, 0])
    result = windowed(instance, limit=40)
    assert result.status is Status.LIMIT and result.bound == 8
    assert result.value is None and result.stats["arrived"] < 2
    assert "are not at their goals" in result.reason or "is shut in by the others" in result.reason
    assert windowed(Instance.of(Grid.from_text(".#."), [0], [2])).status is Status.NO_SOLUTION
    empty = windowed(Instance.of(Grid.from_text("."), [], []))
    assert empty.value is not None and empty.value.vertices.shape == (1, 0)


def test_what_it_refuses() -> None:
    instance = Instance.of(Grid.from_text(".."), [0], [1])
    with pytest.raises(InputError, match="period; found 5; expected a whole number from 0 to 4"):
        windowed(instance, window=4, period=5)
    with pytest.raises(InputError, match="window; found 0"):
        windowed(instance, window=0)


def test_who_has_just_vanished_is_still_followed() -> None:
    """An agent is in the way in the step of its arrival, be that the first of all or the last that is walked."""
    rules = Rules(following=True, stay=False)
    at_once = Instance.of(Grid.from_text("...\n..."), [1, 5, 2], [4, 0, 2], rules=rules)
    for instance in (at_once, Instance.of(Grid.from_text("......"), [1, 0], [3, 5], rules=rules)):
        for window in (1, 2, 3, 16):
            result = windowed(instance, window=window, period=1)
            assert result.value is not None
            assert plan_faults(instance, result.value) == []
