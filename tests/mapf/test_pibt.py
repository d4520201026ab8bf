"""PIBT: valid steps whatever the goals do, agents come to their goals, swaps in passages, many goals in little room."""

import numpy as np
import pytest
from numpy.typing import NDArray

from anabasis._kernel.pibt import NEVER, toward
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.goal_steps import GoalSteps
from anabasis.mapf.pibt import PIBT, pibt
from anabasis.metrics.plans import plan_faults
from anabasis.result import Status


def grid_of(*rows: str) -> Grid:
    return Grid.from_terrain(np.array([[ord(c) for c in row] for row in rows], np.uint8))


def check_step(board: Board, before: NDArray[np.int32], after: NDArray[np.int32]) -> None:
    """Everybody goes to a neighbour or stays, nobody meets another or changes places with it."""
    there = np.flatnonzero(before >= 0)
    assert (after[before < 0] < 0).all()
    assert len(set(after[there].tolist())) == there.size
    moves: dict[int, int] = {}
    for a in there.tolist():
        u, v = int(before[a]), int(after[a])
        assert u == v or v in board.indices[board.indptr[u] : board.indptr[u + 1]]
        moves[u] = v
    assert not any(u != v and moves.get(v) == u for u, v in moves.items())


def test_steps_are_valid_whatever_the_goals_do() -> None:
    rng = np.random.default_rng(3)
    for seed in range(12):
        terrain = np.where(rng.random((9, 11)) < 0.15, ord("@"), ord(".")).astype(np.uint8)
        free = np.flatnonzero(terrain.ravel() == ord("."))
        k = int(rng.integers(2, free.size - 1))
        instance = Instance.of(Grid.from_terrain(terrain), rng.permutation(free)[:k], rng.permutation(free)[:k])
        board = Board(instance, "test")
        mover = PIBT(board, seed=seed, room=k)
        places, goals = board.starts, board.goals.copy()
        for step in range(30):
            if step == 20:
                places = np.where(np.arange(k) == 0, -1, places).astype(np.int32)
            goals[rng.integers(0, k, 2)] = rng.integers(0, board.count, 2)  # two may want to be in one place
            after = mover.step(places, goals)
            check_step(board, places, after)
            places = after


def test_everybody_comes_to_its_goal_at_some_time_where_places_lie_on_rings() -> None:
    rng = np.random.default_rng(4)
    instance = Instance.of(grid_of(*["......"] * 5), rng.permutation(30)[:29], rng.permutation(30)[:29])
    board = Board(instance, "test")
    mover, places = PIBT(board), board.starts
    seen = np.zeros(29, bool)
    for _ in range(2000):
        seen |= places == board.goals
        places = mover.step(places, board.goals)
    assert seen.all()


def test_plans_are_valid_and_their_status_is_true() -> None:
    rng = np.random.default_rng(5)
    solved = 0
    for seed in range(60):
        terrain = np.where(rng.random((8, 8)) < 0.2, ord("@"), ord(".")).astype(np.uint8)
        free = np.flatnonzero(terrain.ravel() == ord("."))
        k = int(rng.integers(1, 14))
        rules = Rules(stay=bool(seed % 2))
        instance = Instance.of(
            Grid.from_terrain(terrain), rng.permutation(free)[:k], rng.permutation(free)[:k], rules=rules
        )
        result = pibt(instance, seed=seed)
        if result.status is Status.NO_SOLUTION:
            assert (Board(instance, "test", ("vanish",)).shortest() == FAR).any()
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
    assert solved > 20


def test_two_change_places_at_a_fork() -> None:
    instance = Instance.of(grid_of("@@@.@@@", "......."), [7, 13], [13, 7])
    result = pibt(instance)
    assert result and result.value is not None and plan_faults(instance, result.value) == []


def test_arcs_of_one_direction() -> None:
    rng = np.random.default_rng(6)
    for seed in range(40):
        n = int(rng.integers(4, 9))
        ring = [(i, (i + 1) % n) for i in range(n)]
        pairs = ring + [(i, j) for i in range(n) for j in range(n) if i != j and rng.random() < 0.2]
        graph = Graph.from_arcs(np.zeros((n, 2)), [p[0] for p in pairs], [p[1] for p in pairs], [1.0] * len(pairs))
        k = int(rng.integers(1, n))
        instance = Instance.of(graph, rng.permutation(n)[:k], rng.permutation(n)[:k])
        result = pibt(instance, seed=seed, limit=200)
        assert result.value is not None
        assert {f.kind for f in plan_faults(instance, result.value)} <= ({"goal"} if not result else set())


@pytest.mark.parametrize("directed", [False, True])
def test_two_bits_a_place_tell_who_is_nearer(directed: bool) -> None:
    rng = np.random.default_rng(7)
    for _ in range(10):
        n = int(rng.integers(4, 30))
        pairs = {(i, j) for i in range(n) for j in range(n) if i != j and rng.random() < 3 / n}
        pairs |= {(i, (i + 1) % n) for i in range(n) if rng.random() < 0.9}
        if not directed:
            pairs |= {(j, i) for i, j in pairs}
        graph = Graph.from_arcs(np.zeros((n, 2)), [p[0] for p in pairs], [p[1] for p in pairs], [1.0] * len(pairs))
        board = Board(Instance.of(graph, np.arange(n), np.arange(n)), "test", ("directed",))
        table = board.distances()
        steps = GoalSteps(board, 4)
        for first in range(0, n - 3, 3):  # in little room, so that rows change hands
            goals = np.arange(first, first + 4, dtype=np.int32)
            starts = rng.integers(0, n, 4).astype(np.int32)
            assert steps.measured(starts, goals).tolist() == table[goals, starts].tolist()
            for row, goal in zip(steps.rows(goals).tolist(), goals.tolist(), strict=True):
                for u in range(n):
                    for v in board.indices[board.indptr[u] : board.indptr[u + 1]].tolist():
                        found = toward(steps.table, row, steps.wide, u, v)
                        if table[goal, u] < FAR:
                            assert found == (table[goal, v] - table[goal, u] if table[goal, v] < FAR else NEVER)


def test_same_seed_same_steps() -> None:
    rng = np.random.default_rng(8)
    instance = Instance.of(grid_of(*["........"] * 8), rng.permutation(64)[:40], rng.permutation(64)[:40])
    plans = [pibt(instance, seed=seed).value for seed in (1, 1, 2)]
    assert plans[0] is not None and plans[1] is not None and plans[2] is not None
    assert plans[0].vertices.tobytes() == plans[1].vertices.tobytes() != plans[2].vertices.tobytes()


def test_nobody_and_limits() -> None:
    grid = grid_of("...")
    none = np.zeros(0, np.int64)
    assert pibt(Instance.of(grid, none, none))
    assert pibt(Instance.of(grid, [1], [1])).stats["sum_of_costs"] == 0
    blocked = pibt(Instance.of(grid, [0, 2], [2, 0]))
    assert blocked.status is Status.LIMIT
    assert blocked.reason == "after 108 steps 2 of 2 agents are not at their goals"
    assert pibt(Instance.of(grid, [0], [2]), limit=1).status is Status.LIMIT
    with pytest.raises(InputError, match="limit; found -1"):
        pibt(Instance.of(grid, [0], [2]), limit=-1)
    with pytest.raises(InputError, match="pibt can't solve this instance"):
        pibt(Instance.of(grid, [0], [2], rules=Rules(following=True)))
