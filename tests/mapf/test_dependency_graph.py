"""Dependency graph: whatever the delays, executed plans are valid, all arrive, and nobody is late without need."""

import numpy as np
import pytest
from joint_search import joint_search

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.mapf.dependency_graph import dependency_graph, execute_with_delays
from anabasis.mapf.errands import warehouse_errands
from anabasis.mapf.lifelong import lifelong
from anabasis.metrics.plan_review import review_plan
from anabasis.metrics.plans import plan_faults
from anabasis.plan import Plan

RULES = [
    CLASSIC,
    Rules(following=True),
    Rules(cycle=True),
    Rules(stay=False),
    Rules(swap=False),
    Rules(following=True, stay=False),
]


def plan_of(rows: list[list[int]]) -> Plan:
    return Plan(np.array(rows, np.int64))


def tiny(rng: np.random.Generator, rules: Rules) -> Instance:
    free = rng.random((3, 4)) > 0.2
    free[0, :] = True
    grid = Grid.from_free(free)
    cells = np.flatnonzero(grid.free)
    return Instance.of(grid, rng.permutation(cells)[:3], rng.permutation(cells)[:3], rules=rules)


def slow_times(instance: Instance, plan: Plan, late: list[int]) -> list[int]:
    """Return when each move ends, from the definitions: the least times that keep every pair of visits in order."""
    rules, rows = instance.rules, plan.vertices.tolist()
    arrivals = plan.arrivals(instance.goals, stay=rules.stay).tolist()
    chain: list[int] = []  # the move before of the same agent
    visits: dict[int, list[tuple[int, int, int | None, int]]] = {}  # vertex: step, enters, leaves, agent
    for agent in range(instance.size):
        steps = [t for t in range(1, arrivals[agent] + 1) if rows[t][agent] != rows[t - 1][agent]]
        first = len(chain)
        chain += [-1 if i == 0 else first + i - 1 for i in range(len(steps))]
        for i, t in enumerate([0, *steps]):
            leaves = first + i if i < len(steps) else None
            visits.setdefault(rows[t][agent], []).append((t, first + i - 1 if i else -1, leaves, agent))
    times = [0] * len(chain)
    while True:
        new = [(times[before] if before >= 0 else 0) + 1 + late[m] for m, before in enumerate(chain)]
        for stays in visits.values():
            for earlier in stays:
                for later in stays:
                    if earlier[0] >= later[0] or earlier[3] == later[3]:
                        continue
                    if earlier[2] is not None:
                        free = times[earlier[2]] + rules.following
                    else:  # it vanishes
                        assert not rules.stay
                        free = (times[earlier[1]] if earlier[1] >= 0 else 0) + 1 + rules.following
                    new[later[1]] = max(new[later[1]], free)
        if new == times:
            return times
        times = [max(a, b) for a, b in zip(new, times, strict=True)]


def test_any_delays_keep_plans_valid_and_no_one_waits_without_need() -> None:
    rng = np.random.default_rng(12)
    seen = rings = 0
    for number in range(96):
        instance = tiny(rng, RULES[number % len(RULES)])
        answer = joint_search(instance, "makespan" if number % 2 else "sum")
        if answer is None:
            continue
        plan = Plan(answer.rows)
        graph = dependency_graph(instance, plan)
        seen += graph.size
        rings += len(graph.rings)
        for round_ in range(4):
            late = rng.integers(0, 1 + 3 * round_, graph.size)
            execution = execute_with_delays(instance, plan, delays=late)
            assert not plan_faults(instance, execution.plan) and not review_plan(instance, execution.plan)
            times = graph.times(late)
            assert times.tolist() == slow_times(instance, plan, late.tolist())
            for agent in range(instance.size):  # the same way
                ways = [p.vertices[:, agent] for p in (plan, execution.plan)]
                ends = plan.arrivals(instance.goals, stay=instance.rules.stay)[agent] + 1
                short = [way[np.r_[True, np.diff(way) != 0]].tolist() for way in (ways[0][:ends], ways[1])]
                assert short[0] == short[1]
            if not round_:
                assert execution.cost <= execution.planned_cost and (times <= graph.step).all()
    assert seen > 500 and rings > 2


def test_an_agent_that_is_late_holds_up_those_behind_it_alone() -> None:
    grid = Grid.from_text("......\n......")
    instance = Instance.of(grid, [1, 0, 6], [5, 4, 11])
    plan = Plan(np.array([[1 + t, t, 6 + t] for t in range(5)] + [[5, 4, 11]]))
    assert not plan_faults(instance, plan)
    graph = dependency_graph(instance, plan)
    late = np.zeros(graph.size, int)
    late[1] = 7  # the second move of agent 0
    rows = execute_with_delays(instance, plan, delays=late).plan
    assert rows.arrivals(instance.goals).tolist() == [11, 11, 5]
    assert graph.times().tolist() == graph.step.tolist()
    apart = Instance.of(grid, [1, 0], [5, 4], rules=Rules(following=True))
    spaced = plan_of([[1 + min(t, 4), max(0, min(t - 1, 4))] for t in range(6)])
    late = np.zeros(8, int)
    late[1] = 7
    assert execute_with_delays(apart, spaced, delays=late).plan.arrivals(apart.goals).tolist() == [11, 12]


def test_agents_that_rotate_move_together_when_the_last_is_ready() -> None:
    grid = Grid.from_text("..\n..")
    instance = Instance.of(grid, [0, 1, 3, 2], [1, 3, 2, 0])
    plan = plan_of([[0, 1, 3, 2], [1, 3, 2, 0]])
    graph = dependency_graph(instance, plan)
    assert graph.rings == [[0, 1, 2, 3]]
    assert graph.times([0, 4, 2, 0]).tolist() == [5] * 4
    execution = execute_with_delays(instance, plan, delays=[0, 4, 2, 0])
    assert (execution.cost, execution.planned_cost, execution.stretch) == (20, 4, 5.0)
    assert not plan_faults(instance, execution.plan)


def test_waits_that_nobody_needs_are_left_out() -> None:
    instance = Instance.of(Grid.from_text("..."), [0], [2])
    assert execute_with_delays(instance, plan_of([[0], [0], [1], [1], [2]])).plan.vertices.ravel().tolist() == [0, 1, 2]


def test_drawn_delays_are_of_the_seed_and_as_frequent_as_asked_for() -> None:
    instance = Instance.of(Grid.from_free(np.ones((1, 400))), [0], [399])
    plan = Plan(np.arange(400)[:, None])
    walks = [execute_with_delays(instance, plan, chance=0.3, seed=seed) for seed in (1, 1, 2)]
    assert (walks[0].delays == walks[1].delays).all() and (walks[0].delays != walks[2].delays).any()
    assert abs(walks[0].stretch - 1 / 0.7) < 0.15
    assert execute_with_delays(instance, plan).stretch == 1


def test_a_busy_warehouse_with_delays() -> None:
    grid = Grid.from_text("\n".join([".........", ".@@@.@@@.", "........."] * 3))
    run = lifelong(grid, warehouse_errands(np.flatnonzero(grid.free), 14, 5, seed=1)).value
    assert run is not None
    instance = Instance.of(grid, run.vertices[0], run.vertices[-1])
    for seed in range(5):
        execution = execute_with_delays(instance, run.plan, chance=0.4, seed=seed)
        assert not plan_faults(instance, execution.plan) and execution.stretch > 1
    graph = dependency_graph(instance, run.plan)
    late = np.arange(graph.size) % 5
    assert graph.times(late).tolist() == slow_times(instance, run.plan, late.tolist())


def test_nobody_and_nobody_moves() -> None:
    grid = Grid.from_text("...")
    assert execute_with_delays(Instance.of(grid, [], []), Plan(np.zeros((1, 0), int))).stretch == 1
    execution = execute_with_delays(Instance.of(grid, [1], [1]), plan_of([[1]]), delays=3)
    assert execution.plan.vertices.tolist() == [[1]] and execution.delays.size == 0


def test_what_cannot_be_delayed_is_refused() -> None:
    grid = Grid.from_text("....")
    none = np.zeros(0, np.int64)
    shut = Instance(grid, np.array([0]), np.array([1]), np.array([9]), np.array([3]), np.array([True]))
    with pytest.raises(InputError, match="plans of this instance can't be delayed; found places are blocked and freed"):
        dependency_graph(shut, plan_of([[0], [1]]))
    with pytest.raises(InputError, match="an agent may not wait before it has arrived"):
        dependency_graph(Instance(grid, none, none, none, none, none.astype(bool), Rules(wait=False)), plan_of([[]]))
    instance = Instance.of(grid, [0], [1])
    with pytest.raises(InputError, match="a plan to execute must be valid; found step 1: agent 0"):
        dependency_graph(instance, plan_of([[0], [2]]))
    with pytest.raises(InputError, match="delays; found -1; expected numbers of steps from 0"):
        execute_with_delays(instance, plan_of([[0], [1]]), delays=-1)
    with pytest.raises(InputError, match="chance of not being ready; found 1; expected a share below 1"):
        execute_with_delays(instance, plan_of([[0], [1]]), chance=1)


def test_delays_of_another_shape_or_without_end_are_refused() -> None:
    two = Instance.of(Grid.from_text("....\n...."), [0, 4], [2, 6])
    plan = plan_of([[0, 4], [1, 5], [2, 6]])
    for delays, message in (
        ([1, 2], "delays has the wrong shape; found 2; expected 4"),
        ([[1]], "delays has the wrong shape; found 1×1; expected 4"),
        (0.5, "delays must be whole numbers"),
        ("late", "delays must be numbers"),
        (10**12, "delays; found 1000000000000; expected numbers of steps from 0 to 67108864"),
        ([0, 0, -3, 0], "delays; found -3"),
        (2**24, "the plan would be too long; found 33554434 steps of 2 agents; expected at most 33554432 steps"),
    ):
        with pytest.raises(InputError, match=message):
            execute_with_delays(two, plan, delays=delays)
    graph = dependency_graph(two, plan)
    with pytest.raises(InputError, match="times has the wrong shape; found 1; expected 4"):
        graph.plan([1])
    for wrong in ((two, None), (None, plan)):
        with pytest.raises(InputError, match="a plan; found NoneType; expected"):
            execute_with_delays(*wrong)  # pyright: ignore[reportArgumentType]


def test_a_chance_that_would_hold_agents_up_for_ever_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anabasis.mapf.dependency_graph._MOST", 1000)
    instance = Instance.of(Grid.from_text(".."), [0], [1])
    with pytest.raises(InputError, match=r"chance of not being ready; found 0\.999999; expected one farther from 1"):
        execute_with_delays(instance, plan_of([[0], [1]]), chance=0.999999)
