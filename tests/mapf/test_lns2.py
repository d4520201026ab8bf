"""MAPF-LNS2: valid plans, collisions counted right, improvements that never make it worse, the same on every run."""

import numpy as np
import pytest
from small_instances import check_answer, room_instance, small_instances

from anabasis._kernel.safe_intervals import LATEST, SOFT
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf.board import Board
from anabasis.mapf.collision_repair import Collisions
from anabasis.mapf.lns2 import LNS2, lns2
from anabasis.mapf.reservation import Reservation
from anabasis.metrics.plans import plan_faults
from anabasis.result import Status


def test_plans_are_valid_and_never_below_the_joint_optimum() -> None:
    solved = 0
    for i, instance in enumerate(small_instances(31, 250)):
        result = lns2(instance, limit=60, improvements=30, seed=i)
        cost = check_answer(instance, result, compare=i % 3 == 0 and instance.size < 3)
        solved += cost is not None
        if cost is not None:
            assert cost <= result.stats["first_cost"] or not instance.size
    assert solved > 130


def _colliding_pairs(instance: Instance, ways: Reservation) -> set[tuple[int, int]]:
    """Return the pairs that collide, from the definitions, step by step."""
    rows = ways.rows()
    pairs: set[tuple[int, int]] = set()
    for t in range(len(rows)):
        for a in range(instance.size):
            for b in range(a):
                same = rows[t, a] == rows[t, b]
                swap = t and rows[t, a] == rows[t - 1, b] and rows[t, b] == rows[t - 1, a] and not same
                if same or swap:
                    pairs.add((a, b))
    return pairs


@pytest.mark.parametrize("seed", range(6))
def test_collisions_are_those_of_the_ways(seed: int) -> None:
    instance = room_instance(9, 0.15, 30, seed)
    ways = Reservation(Board(instance, "test"))
    ways.heed[:] = SOFT
    collisions = Collisions(ways, np.arange(instance.size))
    dice = np.array([seed, 0])
    for _ in range(25):
        pairs = _colliding_pairs(instance, ways)
        assert collisions.pairs == len(pairs) == int(collisions.degree.sum()) // 2
        assert {(int(a), int(b)) for a, b in np.argwhere(collisions.meets) if b < a} == pairs
        before = collisions.pairs
        if not collisions.repair(1, 5, dice):
            break
        assert collisions.pairs <= before


def test_a_way_that_comes_later_than_asked_is_not_found() -> None:
    later = 0
    for seed in range(5):
        ways = Reservation(Board(room_instance(9, 0.15, 25, seed), "test"))
        for agent in range(25):
            way = ways.way(agent)
            if way is None:
                continue
            arrival = int(way[-1, 1])
            ways.counts[LATEST] = arrival
            assert np.array_equal(ways.way(agent), way)
            if arrival > 1:
                ways.counts[LATEST] = arrival - 1
                assert ways.way(agent) is None
                later += 1
            ways.counts[LATEST] = 0
            ways.lay(agent, way)
    assert later > 80


def test_crowded_rooms_are_solved_and_get_cheaper() -> None:
    for seed in range(3):
        instance = room_instance(16, 0.1, 90, seed)
        first = lns2(instance, seed=seed)
        better = lns2(instance, seed=seed, improvements=200)
        cost = check_answer(instance, first, compare=False)
        less = check_answer(instance, better, compare=False)
        assert cost is not None and less is not None
        assert less < cost == better.stats["first_cost"]


def test_pieces_give_the_same_plan_as_the_whole() -> None:
    instance = room_instance(14, 0.15, 60, 8)
    whole = lns2(instance, improvements=40, seed=5)
    search = LNS2(instance, improvements=40, seed=5)
    last = np.inf
    while not search.advance(3):
        result = search.result
        assert result.status is Status.LIMIT and result.reason
        if result.value is not None:
            assert plan_faults(instance, result.value) == []
            assert result.stats["sum_of_costs"] <= last
            last = result.stats["sum_of_costs"]
    assert whole.value is not None and search.result.value is not None
    assert np.array_equal(whole.value.vertices, search.result.value.vertices)
    assert dict(whole.stats) == dict(search.result.stats)
    other = lns2(instance, improvements=40, seed=6)
    assert other.value is not None and not np.array_equal(whole.value.vertices, other.value.vertices)


def test_what_has_no_plan_ends() -> None:
    corridor = lns2(Instance.of(Grid.from_text("...."), [0, 3], [3, 0]), limit=50)
    assert corridor.status is Status.LIMIT and corridor.bound == 6
    assert corridor.reason == "after 50 rounds of repair 1 pairs of agents still collide"
    assert lns2(Instance.of(Grid.from_text(".#."), [0], [2])).status is Status.NO_SOLUTION
    empty = lns2(Instance.of(Grid.from_text("."), [], []))
    assert empty.value is not None and empty.value.vertices.shape == (1, 0)
    door = np.array([1]), np.array([1]), np.array([True])
    shut = lns2(Instance(Grid.from_text("..."), np.array([0]), np.array([2]), *door))
    assert shut.status is Status.NO_SOLUTION and "between the known changes" in shut.reason


def test_what_it_refuses() -> None:
    grid = Grid.from_text("....\n....")
    with pytest.raises(InputError, match="lns2 can't solve this instance; found an agent covers more than one cell"):
        lns2(Instance.of(grid, [0], [2], sizes=2))
    with pytest.raises(InputError, match="size of a neighbourhood; found 0"):
        lns2(Instance.of(grid, [0], [2]), size=0)
    search = LNS2(Instance.of(grid, [0, 3], [3, 0]))
    with pytest.raises(InputError, match="count; found -1"):
        search.advance(-1)
