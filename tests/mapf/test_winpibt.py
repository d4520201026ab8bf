"""winPIBT: valid plans for any window, agents come to their goals, limits say so."""

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.winpibt import winpibt
from anabasis.metrics.plans import plan_faults
from anabasis.result import Status


def random_instance(rng: np.random.Generator, share: float) -> Instance:
    terrain = np.where(rng.random((9, 10)) < 0.15, ord("@"), ord(".")).astype(np.uint8)
    free = np.flatnonzero(terrain.ravel() == ord("."))
    k = max(1, int(share * free.size))
    return Instance.of(Grid.from_terrain(terrain), rng.permutation(free)[:k], rng.permutation(free)[:k])


@pytest.mark.parametrize("window", [1, 2, 5, 12])
def test_plans_are_valid_and_their_status_is_true(window: int) -> None:
    rng = np.random.default_rng(window)
    solved = 0
    for seed in range(40):
        instance = random_instance(rng, float(rng.random()) * 0.9 if seed % 4 else 0.1)
        result = winpibt(instance, window=window, seed=seed, limit=150)
        if result.status is Status.NO_SOLUTION:
            assert (Board(instance, "test").shortest() == FAR).any()
            continue
        assert result.value is not None
        faults = plan_faults(instance, result.value)
        if result:
            solved += 1
            assert faults == []
            assert result.bound <= result.stats["sum_of_costs"]
        else:
            assert {f.kind for f in faults} == {"goal"}
            assert "are not at their goals" in result.reason
    assert solved >= 3


def test_arcs_of_one_direction() -> None:
    rng = np.random.default_rng(6)
    for seed in range(40):
        n = int(rng.integers(4, 9))
        pairs = [(i, (i + 1) % n) for i in range(n)]
        pairs += [(i, j) for i in range(n) for j in range(n) if i != j and rng.random() < 0.2]
        graph = Graph.from_arcs(np.zeros((n, 2)), [p[0] for p in pairs], [p[1] for p in pairs], [1.0] * len(pairs))
        k = int(rng.integers(1, n))
        instance = Instance.of(graph, rng.permutation(n)[:k], rng.permutation(n)[:k])
        result = winpibt(instance, window=3, seed=seed, limit=100)
        assert result.value is not None
        assert {f.kind for f in plan_faults(instance, result.value)} <= ({"goal"} if not result else set())


def test_a_full_ring_turns() -> None:
    grid = Grid.from_terrain(np.array([[ord(c) for c in row] for row in ("...", ".@.", "...")], np.uint8))
    ring = [0, 1, 2, 5, 8, 7, 6, 3]
    for window in (1, 4):
        result = winpibt(Instance.of(grid, ring, ring[2:] + ring[:2]), window=window)
        assert result and result.value is not None
        assert result.stats["sum_of_costs"] == 16


def test_one_agent_walks_straight_and_nobody_is_solved() -> None:
    grid = Grid.from_terrain(np.full((4, 9), ord("."), np.uint8))
    assert winpibt(Instance.of(grid, [0], [35])).stats["sum_of_costs"] == 11
    none = np.zeros(0, np.int64)
    assert winpibt(Instance.of(grid, none, none))
    assert winpibt(Instance.of(grid, [4], [4])).stats["sum_of_costs"] == 0


def test_same_seed_same_plan() -> None:
    instance = random_instance(np.random.default_rng(1), 0.4)
    plans = [winpibt(instance, seed=seed).value for seed in (1, 1, 2)]
    assert plans[0] is not None and plans[1] is not None and plans[2] is not None
    assert plans[0].vertices.tobytes() == plans[1].vertices.tobytes() != plans[2].vertices.tobytes()


def test_limits_and_wrong_options() -> None:
    grid = Grid.from_terrain(np.full((1, 4), ord("."), np.uint8))
    result = winpibt(Instance.of(grid, [0, 3], [3, 0]), limit=9)
    assert result.status is Status.LIMIT
    assert result.reason == "after 9 steps 2 of 2 agents are not at their goals"
    with pytest.raises(InputError, match="window; found 0"):
        winpibt(Instance.of(grid, [0], [3]), window=0)
    with pytest.raises(InputError, match="winpibt can't solve this instance"):
        winpibt(Instance.of(grid, [0], [3], rules=Rules(stay=False)))
