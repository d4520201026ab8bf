"""Anonymous agents and teams against every assignment, solved by the joint search."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from joint_search import joint_search
from small_instances import room_instance
from tiny_instances import tiny_instance

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf.anonymous import anonymous, teams
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.cbs import cbs
from anabasis.metrics.plans import plan_faults
from anabasis.result import Result, Status


def corridor(cells: int, starts: list[int], goals: list[int]) -> Instance:
    return Instance.of(Grid.from_free(np.ones((1, cells), bool)), starts, goals)


@pytest.mark.parametrize("features", [(), ("directed",)])
def test_makespan_is_the_least_of_all_assignments(features: tuple[str, ...]) -> None:
    solved = 0
    for seed in range(24):
        instance = tiny_instance(seed, features, most=3)
        costs = [
            answer.cost
            for order in permutations(range(instance.size))
            if (answer := joint_search(replace(instance, goals=instance.goals[list(order)]), "makespan"))
        ]
        found = anonymous(instance)
        if not costs:
            assert found.result.status is Status.NO_SOLUTION
            assert "can't be shared out" in found.result.reason
            continue
        assert found.result.value is not None
        assert found.result.stats["makespan"] == found.result.bound == min(costs)
        assert sorted(found.instance.goals) == sorted(instance.goals)
        assert plan_faults(found.instance, found.result.value) == []
        solved += 1
    assert solved > 12


def test_agents_that_meet_take_each_others_way() -> None:
    found = anonymous(corridor(6, [0, 5], [5, 0]))
    assert found.result.value is not None
    assert found.instance.goals.tolist() == [0, 5]
    assert found.result.bound == 0
    found = anonymous(corridor(6, [2, 3], [0, 5]))
    assert found.instance.goals.tolist() == [0, 5]
    assert found.result.bound == 2


def test_a_crowd_moves_through_a_door() -> None:
    free = np.ones((5, 9), bool)
    free[:, 4] = False
    free[2, 4] = True
    grid = Grid.from_free(free)
    starts = [y * 9 + x for y in range(5) for x in range(2)]
    goals = [y * 9 + x for y in range(5) for x in range(7, 9)]
    found = anonymous(Instance.of(grid, starts, goals))
    assert found.result.value is not None
    assert plan_faults(found.instance, found.result.value) == []
    # one agent a step comes through the door: the nearest start and the nearest goal are 3 steps from it
    least = int(found.result.bound)
    assert least >= 3 + 9 + 3
    # the limit is that of the network of the answer, however far the search for it would step
    count = int(free.sum())
    assert anonymous(Instance.of(grid, starts, goals), limit=(least + 1) * count).result.bound == least
    short = anonymous(Instance.of(grid, starts, goals), limit=(least + 1) * count - 1).result
    assert short.status is Status.LIMIT and short.bound == least
    assert short.reason.startswith(f"a plan of {least} steps needs more than")


def test_agents_of_a_dense_crowd_do_not_change_places() -> None:
    # in each of these the flow itself makes two agents change places
    for seed in range(4):
        found = anonymous(room_instance(12, 0.2, 40, seed))
        assert found.result.value is not None
        assert plan_faults(found.instance, found.result.value) == []


@pytest.mark.parametrize("k", [0, 1])
def test_few_agents(k: int) -> None:
    found = anonymous(corridor(1, [0] * k, [0] * k))
    assert found.result.value is not None
    assert found.result.value.vertices.shape == (1, k)


def test_limit_and_refusal() -> None:
    found = anonymous(corridor(9, [0], [8]), limit=10)
    assert found.result.status is Status.LIMIT
    assert found.result.bound == 8
    assert "8 steps" in found.result.reason
    with pytest.raises(InputError, match="anonymous can't solve this instance; found an agent is gone"):
        anonymous(replace(corridor(3, [0], [2]), rules=Rules(stay=False)))


@pytest.mark.parametrize("objective", ["sum", "makespan"])
def test_teams_get_the_best_assignment(objective: str) -> None:
    measure = sum if objective == "sum" else max
    for seed in range(40):
        instance = tiny_instance(seed, ("directed",), most=4)
        team = np.arange(instance.size) % 2
        steps = Board(instance, "test", can=("directed",)).distances()[:, instance.starts].T
        best = FAR
        for order in permutations(range(instance.size)):
            if (team[list(order)] == team).all():
                best = min(best, measure(int(steps[a, g]) for a, g in enumerate(order)))
        found = teams(instance, team, cbs, objective=objective)
        if best >= FAR:
            assert found.result.status is Status.NO_SOLUTION
            continue
        assert found.result.bound == best
        for name in range(2):
            assert sorted(found.instance.goals[team == name]) == sorted(instance.goals[team == name])
        if found.result.value is not None:
            assert plan_faults(found.instance, found.result.value) == []


def test_what_no_solver_can_do_with_these_goals_is_no_proof() -> None:
    found = teams(corridor(2, [0, 1], [1, 0]), [0, 1], lambda _: Result(Status.NO_SOLUTION, reason="too narrow"))
    assert found.result.status is Status.LIMIT
    assert found.result.reason.endswith("with others there may be: too narrow")
    assert found.result.bound == 2


def test_teams_refuses() -> None:
    with pytest.raises(InputError, match="unknown objective"):
        teams(corridor(2, [0], [1]), [0], cbs, objective="fuel")
    with pytest.raises(InputError, match="team"):
        teams(corridor(2, [0], [1]), [0, 1], cbs)
    with pytest.raises(InputError, match="teams can't solve this instance; found an agent covers"):
        teams(Instance.of(Grid.from_free(np.ones((2, 2), bool)), [0], [0], sizes=2), [0], cbs)


def test_an_arc_of_one_direction_can_leave_a_goal_out() -> None:
    graph = Graph.from_arcs(np.zeros((3, 2)), [0, 0], [1, 2], [1.0, 1.0])
    found = anonymous(Instance.of(graph, [0, 1], [1, 2]))
    assert found.instance.goals.tolist() == [2, 1]
    assert anonymous(Instance.of(graph, [1, 2], [0, 1])).result.status is Status.NO_SOLUTION
