"""LaCAM finds a plan wherever there is one and proves that there is none; LaCAM* ends with the least loss."""

import os
import subprocess
import sys
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from joint_search import joint_search, solvable

import anabasis
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf.lacam import LaCAM, LaCAMStar, lacam, lacam_star
from anabasis.mapf.lns2 import lns2
from anabasis.metrics.plans import plan_faults
from anabasis.result import Status


def random_instance(rng: np.random.Generator, most: int = 3) -> Instance:
    """Return one to `most` agents on a few cells, often in each other's way, often without a solution."""
    while True:
        height, width = rng.integers(1, 4), rng.integers(2, 5)
        terrain = np.where(rng.random((height, width)) < 0.3, ord("@"), ord(".")).astype(np.uint8)
        free = np.flatnonzero(terrain.ravel() == ord("."))
        k = int(rng.integers(1, most + 1))
        if free.size >= k:
            return Instance.of(Grid.from_terrain(terrain), rng.permutation(free)[:k], rng.permutation(free)[:k])


def random_graph(rng: np.random.Generator) -> Instance:
    """Return agents on a small graph with arcs of one direction."""
    n, k = int(rng.integers(3, 7)), int(rng.integers(1, 4))
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j and rng.random() < 0.35]
    tails, heads = [p[0] for p in pairs], [p[1] for p in pairs]
    graph = Graph.from_arcs(np.zeros((n, 2)), tails, heads, [1.0] * len(pairs))
    return Instance.of(graph, rng.permutation(n)[:k], rng.permutation(n)[:k])


def least_loss(instance: Instance) -> int | None:
    """The least sum of agents not at their goals before and after a step, by Dijkstra over configurations."""
    around = neighbours(instance)
    goals = tuple(instance.goals.tolist())
    start = tuple(instance.starts.tolist())
    best, heap = {start: 0}, [(0, start)]
    while heap:
        loss, state = heappop(heap)
        if state == goals:
            return loss
        if loss > best[state]:
            continue
        for after in product(*([v, *around[v]] for v in state)):
            if len(set(after)) < len(after):
                continue
            if any(after[a] == state[b] and after[b] == state[a] for a in range(len(after)) for b in range(a)):
                continue
            total = loss + sum((v, w) != (g, g) for v, w, g in zip(state, after, goals, strict=True))
            if total < best.get(after, 10**9):
                best[after] = total
                heappush(heap, (total, after))
    return None


def neighbours(instance: Instance) -> list[list[int]]:
    space = instance.space
    if isinstance(space, Graph):
        return [space.indices[space.indptr[v] : space.indptr[v + 1]].tolist() for v in range(space.size)]
    out: list[list[int]] = [[] for _ in range(space.width * space.height)]
    for v in np.flatnonzero(space.free).tolist():
        x, y = space.cell(v)
        out[v] = [
            space.vertex(x + dx, y + dy)
            for dx, dy in ((0, -1), (-1, 0), (1, 0), (0, 1))
            if 0 <= x + dx < space.width and 0 <= y + dy < space.height and space.is_free(x + dx, y + dy)
        ]
    return out


def check(instance: Instance, seed: int) -> bool:
    """Solve or prove; return whether there is a solution."""
    result = lacam(instance, seed=seed)
    assert (result.status is Status.SOLVED) == solvable(instance), result.reason
    assert result.status is not Status.LIMIT
    if result.value is not None:
        assert plan_faults(instance, result.value) == []
        assert result.bound <= result.stats["sum_of_costs"]
    return bool(result)


def test_solved_exactly_where_there_is_a_solution() -> None:
    rng = np.random.default_rng(5)
    solved = [check(random_instance(rng), seed) for seed in range(200)]
    assert 20 < sum(solved) < 180


def test_arcs_of_one_direction() -> None:
    rng = np.random.default_rng(6)
    solved = [check(random_graph(rng), seed) for seed in range(150)]
    assert 20 < sum(solved) < 130


@pytest.mark.long
def test_solved_exactly_where_there_is_a_solution_many_times() -> None:
    rng = np.random.default_rng(7)
    for seed in range(3000):
        check(random_instance(rng, 4) if seed % 2 else random_graph(rng), seed)


@pytest.mark.parametrize("kind", [random_instance, random_graph])
def test_the_ended_search_has_the_least_loss(kind: Callable[[np.random.Generator], Instance]) -> None:
    rng = np.random.default_rng(8)
    solved = 0
    for seed in range(60):
        instance = kind(rng)
        expected = least_loss(instance)
        result = lacam_star(instance, seed=seed, limit=2_000_000)
        if expected is None:
            assert result.status is Status.NO_SOLUTION
            continue
        solved += 1
        assert result.value is not None and plan_faults(instance, result.value) == []
        optimum = joint_search(instance)
        assert optimum is not None
        assert result.status is Status.SOLVED
        assert result.stats["loss"] == expected == result.bound
        assert result.bound <= optimum.cost <= result.stats["sum_of_costs"]
    assert solved > 20


def test_two_agents_change_places_at_a_fork() -> None:
    grid = Grid.from_terrain(np.array([[ord(c) for c in row] for row in ("@@.@@", ".....")], np.uint8))
    instance = Instance.of(grid, [5, 9], [9, 5])
    result = lacam(instance)
    assert result.value is not None and plan_faults(instance, result.value) == []
    corridor = Instance.of(Grid.from_terrain(np.full((1, 5), ord("."), np.uint8)), [0, 4], [4, 0])
    assert lacam(corridor).status is Status.NO_SOLUTION
    assert "all have been tried" in lacam_star(corridor).reason


def test_nobody_one_agent_and_who_is_there_already() -> None:
    grid = Grid.from_terrain(np.full((2, 3), ord("."), np.uint8))
    for starts, goals in (([], []), ([0], [5]), ([4], [4]), ([1, 2], [1, 2])):
        instance = Instance.of(grid, np.array(starts, np.int64), np.array(goals, np.int64))
        for solve in (lacam, lacam_star):
            result = solve(instance)
            assert result and result.value is not None
            assert result.stats["sum_of_costs"] == result.bound == (3 if starts == [0] else 0)
            assert result.value.vertices.shape == ((4 if starts == [0] else 1), len(starts))
    one = Instance.of(Grid.from_terrain(np.full((1, 1), ord("."), np.uint8)), [0], [0])
    assert lacam_star(one).status is Status.SOLVED


def test_who_cannot_reach_its_goal_is_named() -> None:
    grid = Grid.from_terrain(np.array([[ord(c) for c in ".@."]], np.uint8))
    result = lacam(Instance.of(grid, [0], [2]))
    assert result.status is Status.NO_SOLUTION
    assert "agent 0 can't get from" in result.reason


def test_limits_and_wrong_options() -> None:
    rng = np.random.default_rng(1)
    grid = Grid.from_terrain(np.full((6, 6), ord("."), np.uint8))
    instance = Instance.of(grid, rng.permutation(36)[:20], rng.permutation(36)[:20])
    result = lacam(instance, limit=2)
    assert result.status is Status.LIMIT and result.value is None
    assert result.reason == "no plan yet; 2 configurations tried"
    result = lacam_star(instance, limit=400)
    assert result.status is Status.LIMIT and result.value is not None
    assert "there may be a better plan" in result.reason
    assert plan_faults(instance, result.value) == []
    with pytest.raises(InputError, match="limit; found 0"):
        lacam(instance, limit=0)
    with pytest.raises(InputError, match="seed"):
        lacam(instance, seed=-1)
    swaps = Instance.of(grid, [0], [1], rules=Rules(swap=False))
    with pytest.raises(InputError, match="lacam_star can't solve this instance; found two agents may change places"):
        lacam_star(swaps)


def test_pieces_are_counted_in_whole_numbers() -> None:
    search = LaCAMStar(Instance.of(Grid.from_text("..."), [0], [2]))
    with pytest.raises(InputError, match="count must be whole numbers"):
        search.advance(1.5)  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="count; found -1"):
        search.advance(-1)


def test_without_room_for_constraints_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two agents have few places in a configuration, but the constraints and ways to others count too."""
    grid = Grid.from_text("\n".join(["......"] * 6))
    instance = Instance.of(grid, [0, 35], [35, 0])
    assert lacam(instance).status is Status.SOLVED
    monkeypatch.setattr("anabasis.mapf.lacam.ROOM", 500)
    search = LaCAM(instance)
    while not search.advance(2):
        pass
    assert search.result.status is Status.LIMIT
    assert search.result.reason.endswith("and there is no room for more configurations")
    assert search.result.stats["nodes"] < 10


def test_the_best_plan_is_known_as_such_though_there_is_no_room_for_configurations() -> None:
    rng = np.random.default_rng(3)
    grid = Grid.from_terrain(np.full((14, 14), ord("."), np.uint8))
    instance = Instance.of(grid, rng.permutation(196)[:16], rng.permutation(196)[:16])
    search = LaCAM(instance, improve=True, limit=3000)
    while search.result.value is None:
        search.advance(1)
    assert search.result.stats["sum_of_costs"] > search.result.bound
    search._full = True  # from now on groups of agents are planned anew and nothing else
    while not search.advance(16):
        pass
    assert search.result.status is Status.SOLVED
    assert search.result.stats["sum_of_costs"] == search.result.bound


def test_better_plans_with_more_work() -> None:
    rng = np.random.default_rng(4)
    grid = Grid.from_terrain(np.where(rng.random((14, 14)) < 0.1, ord("@"), ord(".")).astype(np.uint8))
    free = np.flatnonzero(grid.free.ravel())
    instance = Instance.of(grid, rng.permutation(free)[:60], rng.permutation(free)[:60])
    search, costs = LaCAM(instance, limit=4000, improve=True), list[float]()
    while True:
        over = search.advance(500)
        result = search.result
        if result.value is not None:
            assert plan_faults(instance, result.value) == []
            costs.append(result.stats["sum_of_costs"])
        if over:
            break
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]
    again = lacam_star(instance, limit=4000)
    assert again.value is not None and search.result.value is not None
    assert again.value.vertices.tobytes() == search.result.value.vertices.tobytes()


def test_the_second_plan_takes_the_place_of_a_dearer_one() -> None:
    """Where the shortest ways hardly collide the repair of MAPF-LNS2 is cheaper than what LaCAM finds first."""
    rng = np.random.default_rng(9)
    grid = Grid.from_terrain(np.full((30, 30), ord("."), np.uint8))
    instance = Instance.of(grid, rng.permutation(900)[:120], rng.permutation(900)[:120])
    repaired, first = lns2(instance), lacam(instance)
    assert repaired.stats["repairs"] == 0 and first.stats["sum_of_costs"] > 1.1 * repaired.stats["first_cost"]
    configurations = int(first.stats["expanded"])
    result = lacam_star(instance, limit=configurations + 120)  # without it 2658
    assert result.value is not None and plan_faults(instance, result.value) == []
    assert result.stats["sum_of_costs"] <= repaired.stats["first_cost"]


@pytest.mark.parametrize("agents", [30, 110])
def test_better_plans_do_not_depend_on_the_size_of_the_parts(agents: int) -> None:
    """With room the second plan is chosen, in a crowd it is given up."""
    rng = np.random.default_rng(10)
    grid = Grid.from_terrain(np.full((12, 12), ord("."), np.uint8))
    instance = Instance.of(grid, rng.permutation(144)[:agents], rng.permutation(144)[:agents])
    found: set[bytes] = set()
    for part in (3, 64, 1000):
        search = LaCAM(instance, limit=700, improve=True)
        while not search.advance(part):
            pass
        assert search.result.value is not None and plan_faults(instance, search.result.value) == []
        found.add(search.result.value.vertices.tobytes())
    assert len(found) == 1


def test_benchmark_maps(movingai: Path) -> None:
    for name, kind, agents in (("random-32-32-20", "random", 400), ("maze-32-32-4", "even", 100)):
        grid = anabasis.load(movingai / "mapf" / f"{name}.map")
        assert isinstance(grid, Grid)
        text = (movingai / "mapf" / f"scen-{kind}" / f"{name}-{kind}-1.scen").read_text().splitlines()[1 : agents + 1]
        ends = np.array([[int(part) for part in line.split()[4:8]] for line in text])
        starts, goals = ends[:, 1] * grid.width + ends[:, 0], ends[:, 3] * grid.width + ends[:, 2]
        instance = Instance.of(grid, starts, goals)
        result = lacam(instance)
        assert result.value is not None and plan_faults(instance, result.value) == []


def test_the_same_without_the_compiler() -> None:
    code = """
import numpy as np
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf.lacam import lacam
grid = Grid.from_terrain(np.full((4, 4), ord("."), np.uint8))
rng = np.random.default_rng(2)
result = lacam(Instance.of(grid, rng.permutation(16)[:9], rng.permutation(16)[:9]), seed=3)
print(result.value.vertices.tolist(), dict(result.stats))
"""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True, env={**os.environ, **more}
        ).stdout
        for more in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]
    assert outputs[0] == outputs[1] != ""
