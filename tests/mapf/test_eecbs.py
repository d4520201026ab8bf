"""EECBS on larger maps: plans within the bound, the same at every run, whatever room a search begins with."""

import numpy as np
import pytest

from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf import focal_run, focal_tree
from anabasis.mapf.ecbs import Ecbs, ecbs
from anabasis.mapf.eecbs import Eecbs, eecbs
from anabasis.mapf.focal import focal_room
from anabasis.metrics.plans import plan_faults
from anabasis.result import Status


def crowded(seed: int, side: int, agents: int, rules: Rules | None = None) -> Instance:
    """Make a map of small blocks, which never cut it, with many agents."""
    rng = np.random.default_rng(seed)
    free = np.ones((side, side), bool)
    free[1::3, 1::3] = False
    free[2::3, 1::6] = False
    ends = [rng.permutation(np.flatnonzero(free))[:agents] for _ in range(2)]
    return Instance.of(Grid.from_free(free), *ends, rules=rules or Rules())


@pytest.mark.parametrize("weight", [1.05, 1.2, 1.5])
@pytest.mark.parametrize("rules", [Rules(), Rules(stay=False), Rules(following=True)])
def test_plans_of_many_agents_are_valid_and_within_the_bound(weight: float, rules: Rules) -> None:
    instance = crowded(1, 18, 24, rules)
    for solver in (ecbs, eecbs):
        result = solver(instance, weight=weight, limit=3000)
        assert result.value is not None, result.reason
        assert not plan_faults(instance, result.value)
        assert result.stats["sum_of_costs"] <= weight * result.bound + 1e-9


def test_the_makespan_is_bounded_too() -> None:
    instance = crowded(2, 18, 40)
    result = eecbs(instance, weight=1.1, objective="makespan")
    assert result.value is not None
    assert not plan_faults(instance, result.value)
    assert result.stats["makespan"] <= 1.1 * result.bound + 1e-9
    assert result.stats["bound_ratio"] == result.stats["makespan"] / result.bound


def test_searches_that_outgrow_their_room_begin_again() -> None:
    instance = crowded(3, 18, 40)
    whole = eecbs(instance, weight=1.1)
    search = Eecbs(instance, weight=1.1)
    search._tree.room = focal_room(8)  # pyright: ignore[reportPrivateUsage]
    search.advance(10_000)
    assert len(search._tree.room[0]) > 8  # pyright: ignore[reportPrivateUsage]
    assert whole.value is not None and search.result.value is not None
    assert (search.result.value.vertices == whole.value.vertices).all()
    assert search.result.bound == whole.bound


@pytest.mark.parametrize("search", [Ecbs, Eecbs])
def test_a_search_without_room_ends_at_the_limit_and_proves_nothing(
    search: type[Ecbs] | type[Eecbs], monkeypatch: pytest.MonkeyPatch
) -> None:
    """16 states are enough for an agent alone, but not once it has to make way for the other one."""
    instance = Instance.of(Grid.from_text("....\n@.@@"), [0, 3], [3, 0])
    for room, expanded, bound in ((8, 0, 0), (16, 1, 6)):
        monkeypatch.setattr(focal_tree, "_ROOM", room)
        run = search(instance, weight=1)
        run._tree.room = focal_room(room)  # pyright: ignore[reportPrivateUsage]
        assert run.advance(1000)
        result = run.result
        assert (result.status, result.value) == (Status.LIMIT, None)
        assert result.reason == "the search for one agent's way grew too large"
        assert (result.stats["expanded"], result.bound) == (expanded, bound)


def test_a_larger_weight_never_needs_more_than_the_optimum_allows() -> None:
    instance = crowded(4, 12, 10)
    best = eecbs(instance, weight=1)
    assert best.stats["sum_of_costs"] == best.bound
    for weight in (1.02, 1.1, 2.0):
        result = eecbs(instance, weight=weight)
        assert result.bound <= best.bound <= result.stats["sum_of_costs"] <= weight * best.bound


def maze(seed: int, rooms: int) -> Grid:
    """Make a maze of corridors one cell wide without rings but for a few gaps in its walls."""
    rng = np.random.default_rng(seed)
    side = 2 * rooms - 1
    free = np.zeros((side, side), bool)
    free[::2, ::2] = True
    walls = [(y, x) for y in range(side) for x in range(side) if y % 2 != x % 2]
    parent = np.arange(rooms * rooms)

    def top(room: int) -> int:
        while parent[room] != room:
            room = int(parent[room])
        return room

    for i in rng.permutation(len(walls)).tolist():
        y, x = walls[i]
        one = top(y // 2 * rooms + x // 2)
        other = top((y + y % 2) // 2 * rooms + (x + x % 2) // 2)
        if one != other or rng.random() < 0.1:
            parent[one] = other
            free[y, x] = True
    return Grid.from_free(free)


def test_conflict_based_search_beside_it_raises_the_bound_in_a_maze(monkeypatch: pytest.MonkeyPatch) -> None:
    space = maze(0, 12)
    rng = np.random.default_rng(0)
    instance = Instance.of(space, *(rng.permutation(np.flatnonzero(space.free))[:14] for _ in range(2)))
    with_help = eecbs(instance, weight=1.1, limit=2500)
    monkeypatch.setattr(focal_run, "_ALONE", 10**9)
    alone = eecbs(instance, weight=1.1, limit=2500)
    assert with_help.status is Status.SOLVED and with_help.value is not None
    assert not plan_faults(instance, with_help.value)
    assert alone.status is Status.LIMIT
    assert alone.bound < with_help.bound <= with_help.stats["sum_of_costs"] <= 1.1 * with_help.bound + 1e-9


def test_the_bound_that_is_proved_elsewhere_lets_ways_be_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    space = maze(2, 10)
    rng = np.random.default_rng(2)
    instance = Instance.of(space, *(rng.permutation(np.flatnonzero(space.free))[:12] for _ in range(2)))
    longer = eecbs(instance, weight=1.05, limit=800)
    assert longer.status is Status.SOLVED
    assert longer.stats["sum_of_costs"] <= 1.05 * longer.bound + 1e-9
    monkeypatch.setattr(focal_tree, "_SHARE_OF_PROVED", 0.0)
    assert eecbs(instance, weight=1.05, limit=800).status is Status.LIMIT


@pytest.mark.parametrize("search", [Ecbs, Eecbs])
def test_ways_that_are_all_rounded_to_just_too_much_are_planned_anew_once(search: type[Ecbs] | type[Eecbs]) -> None:
    """Each way of 11 steps is within 1.1 - 5e-11 times 10 but for rounding; four of them together are not."""
    grid = Grid.from_free(np.ones((8, 11), bool))
    starts, goals = [0, 22, 44, 66], [10, 32, 54, 76]
    run = search(Instance.of(grid, starts, goals), weight=1.1 - 5e-11)
    tree = run._tree  # pyright: ignore[reportPrivateUsage]
    root = tree.root()
    assert isinstance(root, focal_tree.Node)
    for agent in range(4):
        way = np.r_[starts[agent], starts[agent] : goals[agent] + 1].astype(np.int32)
        root.ways[agent] = tree.keep(way, 10)
    root.cost, root.bound = tree.measures(root.ways)
    assert (root.cost, root.bound) == (44, 40)
    assert tree.over(root)
    tree.refit(root)
    assert not tree.over(root)


def test_where_conflict_based_search_can_not_help_the_search_goes_on_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(focal_run, "_ALONE", 0)
    monkeypatch.setattr(focal_run, "_EACH", 1)
    instance = crowded(5, 12, 16, Rules(swap=False))
    result = eecbs(instance, weight=1.05)
    assert result.value is not None
    assert not plan_faults(instance, result.value)
