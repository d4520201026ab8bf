"""ECBS and EECBS: never above their bounds, the optimum at weight 1, valid plans under all rules they know."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from joint_search import joint_search

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.mapf import focal_run, focal_tree
from anabasis.mapf.cbs import Cbs
from anabasis.mapf.ecbs import Ecbs, ecbs
from anabasis.mapf.eecbs import Eecbs, eecbs
from anabasis.mapf.space_time import SpaceTime
from anabasis.metrics.plans import plan_faults
from anabasis.plan import Plan
from anabasis.result import Result, Status

Solver = Callable[..., Result[Plan]]
SOLVERS: list[Solver] = [ecbs, eecbs]
WEIGHTS = (1.0, 1.05, 1.2, 1.5, 2.0)
RULES = [
    CLASSIC,
    CLASSIC,
    Rules(swap=False),
    Rules(following=True),
    Rules(stay=False),
    Rules(stay=False, following=True),
    Rules(wait=False),
    Rules(wait=False, stay=False),
]


def some_instance(rng: np.random.Generator) -> Instance | None:
    if rng.random() < 0.25:
        n = int(rng.integers(2, 9))
        tails, heads = rng.integers(0, n, (2, 3 * n))
        apart = tails != heads
        space = Graph.from_arcs(np.zeros((n, 2)), tails[apart], heads[apart], np.ones(apart.sum()))
        free = np.arange(n)
    else:
        space = Grid.from_free(rng.random(rng.integers(2, 6, 2)) < 0.8)
        free = np.flatnonzero(space.free)
    agents = int(rng.integers(0, 4 if free.size > 12 else 5))
    if agents > free.size:
        return None
    starts, goals = rng.permutation(free)[:agents], rng.permutation(free)[:agents]
    rules = RULES[int(rng.integers(len(RULES)))]
    if not rules.stay and agents > 1:
        goals[0] = goals[1]
    times = np.sort(rng.integers(0, 6, rng.integers(0, 4) if rng.random() < 0.3 else 0))
    vertices = rng.choice(free, times.size) if free.size else times
    return Instance(space, starts, goals, times, vertices, rng.random(times.size) < 0.6, rules)


def compare(first: int, last: int) -> dict[Status, int]:
    """Solve random instances and the joint search's; return how often each status came, for solvable instances."""
    seen: dict[Status, int] = {}
    for seed in range(first, last):
        rng = np.random.default_rng(seed)
        instance = some_instance(rng)
        if instance is None:
            continue
        objective = "makespan" if rng.random() < 0.25 else "sum"
        weight = WEIGHTS[int(rng.integers(len(WEIGHTS)))]
        optimum = joint_search(instance, objective)
        for solver in SOLVERS:
            result = solver(instance, weight=weight, objective=objective, limit=300)
            name = f"{solver} {seed=} {weight=} {objective} {result.reason}"
            if optimum is None:
                assert result.status is Status.NO_SOLUTION, name
                continue
            seen[result.status] = seen.get(result.status, 0) + 1
            assert result.status is not Status.NO_SOLUTION, name
            assert result.bound <= optimum.cost, name
            if result.value is None:
                continue
            assert not plan_faults(instance, result.value), name
            cost = result.stats["makespan" if objective == "makespan" else "sum_of_costs"]
            assert optimum.cost <= cost <= weight * result.bound + 1e-9, name
            if weight == 1:
                assert cost == optimum.cost == result.bound, name
            if result.bound:
                assert result.stats["bound_ratio"] == cost / result.bound
    return seen


def test_bounds_hold_against_the_joint_search() -> None:
    seen = compare(0, 150)
    assert seen[Status.SOLVED] > 200
    assert seen.get(Status.LIMIT, 0) < 0.03 * seen[Status.SOLVED]


def test_bounds_hold_with_conflict_based_search_beside_from_the_first_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound that it proves lets ways be longer, and its answer may come first; both must stay within the weight."""
    refits, answers = [0], [0]
    refit, prove = focal_tree.FocalTree.refit, focal_run.FocalRun._prove  # pyright: ignore[reportPrivateUsage]

    def counted(tree: focal_tree.FocalTree, node: focal_tree.Node) -> None:
        refits[0] += 1
        refit(tree, node)
        assert not tree.over(node)

    def answered(run: focal_run.FocalRun) -> bool:
        found = prove(run)
        answers[0] += found and run.result.value is not None
        return found

    monkeypatch.setattr(focal_run, "_ALONE", 0)
    monkeypatch.setattr(focal_run, "_EACH", 2)
    monkeypatch.setattr(focal_tree.FocalTree, "refit", counted)
    monkeypatch.setattr(focal_run.FocalRun, "_prove", answered)
    seen = Counter[Status]()
    for seed in (5000, 5038, 5072, 5087, 5313):
        seen.update(compare(seed, seed + 20))
    assert seen[Status.SOLVED] > 130
    assert seen[Status.LIMIT] < 0.03 * seen[Status.SOLVED]
    assert refits[0] > 0 and answers[0] > 0


def test_bounds_hold_where_conflict_based_search_gives_up_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(focal_run, "_ALONE", 0)
    monkeypatch.setattr(focal_run, "_EACH", 1)
    monkeypatch.setattr(SpaceTime, "most_states", 6)
    gave_up = [0]
    advance = Cbs.advance

    def counted(search: Cbs, count: int) -> bool:
        over = advance(search, count)
        gave_up[0] += search.gave_up
        return over

    monkeypatch.setattr(Cbs, "advance", counted)
    seen = compare(150, 200)
    assert seen[Status.SOLVED] > 60
    assert gave_up[0] > 0


@pytest.mark.long
def test_bounds_hold_beside_conflict_based_search_on_thousands_of_instances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(focal_run, "_ALONE", 0)
    monkeypatch.setattr(focal_run, "_EACH", 2)
    seen = compare(5000, 8000)
    assert seen[Status.SOLVED] > 3500
    assert seen.get(Status.LIMIT, 0) < 0.03 * seen[Status.SOLVED]


@pytest.mark.long
def test_bounds_hold_on_thousands_of_instances() -> None:
    seen = compare(1000, 5000)
    assert seen[Status.SOLVED] > 5000
    assert seen.get(Status.LIMIT, 0) < 0.03 * seen[Status.SOLVED]


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_smallest_instances(solver: Solver) -> None:
    one = Grid.from_free(np.ones((1, 1), bool))
    for agents in ([], [0]):
        result = solver(Instance.of(one, agents, agents))
        assert result.status is Status.SOLVED
        assert result.value is not None
        assert result.value.vertices.shape == (1, len(agents))
        assert result.bound == 0 and result.stats["bound_ratio"] == 1


@pytest.mark.parametrize("solver", SOLVERS)
def test_who_is_cut_off_and_who_cannot_pass(solver: Solver) -> None:
    row = Grid.from_free(np.array([[True, True, False, True]]))
    lost = solver(Instance.of(row, [0], [3]))
    assert lost.status is Status.NO_SOLUTION
    assert lost.reason.startswith("agent 0 can't get from x=0 (column), y=0 (row)")
    passing = Instance.of(row, [0, 1], [1, 0])  # two who can't pass each other
    stopped = solver(passing, limit=50)
    assert stopped.status is Status.LIMIT
    assert stopped.reason == "no solution was found in 50 nodes"
    assert stopped.bound > 2
    proved = solver(passing)
    assert proved.status is Status.NO_SOLUTION
    assert proved.reason.startswith("none of the configurations that the agents can reach")


@pytest.mark.parametrize("search", [Ecbs, Eecbs])
def test_a_run_can_be_stopped_and_gives_the_same(search: type[Ecbs] | type[Eecbs]) -> None:
    rng = np.random.default_rng(5)
    free = np.ones((12, 12), bool)
    free[1::3, 1::2] = False
    grid = Grid.from_free(free)
    instance = Instance.of(grid, *(rng.permutation(np.flatnonzero(free))[:20] for _ in range(2)))
    whole = search(instance, weight=1.02)
    whole.advance(5000)
    parts = search(instance, weight=1.02)
    while not parts.advance(1):
        assert parts.result.status is Status.LIMIT
        assert parts.result.bound <= whole.result.bound
    assert whole.result.status is Status.SOLVED
    assert whole.result.value is not None and parts.result.value is not None
    assert (whole.result.value.vertices == parts.result.value.vertices).all()
    assert dict(whole.result.stats) == dict(parts.result.stats)
    assert not plan_faults(instance, whole.result.value)


@pytest.mark.parametrize("solver", SOLVERS)
def test_wrong_options_are_named(solver: Solver) -> None:
    grid = Grid.from_free(np.ones((2, 2), bool))
    with pytest.raises(InputError, match=r"weight; found 0\.9; expected a factor from 1 to 1000"):
        solver(Instance.of(grid, [0], [1]), weight=0.9)
    with pytest.raises(InputError, match="unknown objective; found 'fuel'; expected sum or makespan"):
        solver(Instance.of(grid, [0], [1]), objective="fuel")
    with pytest.raises(InputError, match="can't solve this instance; found an agent covers more than one cell"):
        solver(Instance.of(grid, [0], [0], sizes=2))
