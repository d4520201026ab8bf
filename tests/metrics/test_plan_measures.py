"""Plan measures: counted by hand, and against a walk along each path in plain Python."""

import copy

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.metrics.plan_measures import PlanMeasures, at_goals_by, measure
from anabasis.plan import Plan

GRID = Grid.from_text("....\n....")


def test_leaving_the_goal_again_counts_until_the_return() -> None:
    # agent 0 is at its goal at once, waits there, leaves and is back in step 4; agent 1 waits once and arrives in 3
    plan = Plan(np.array([[1, 4], [1, 4], [5, 0], [5, 0], [1, 0], [1, 0]]))
    found = measure(Instance.of(GRID, [1, 4], [1, 0]), plan, distances=[0, 1])
    assert found == PlanMeasures(4 + 2, 4, 2 + 1, 2 + 2, 2, 1, 6.0)
    assert copy.deepcopy(found) == found
    vanish = measure(Instance.of(GRID, [1, 4], [1, 0], rules=Rules(stay=False)), plan, distances=[0, 1])
    assert (vanish.sum_of_costs, vanish.makespan, vanish.fuel, vanish.away, vanish.ratio) == (2, 2, 1, 2, 2.0)


def test_those_who_do_not_arrive_count_the_whole_plan() -> None:
    plan = Plan(np.array([[0, 7], [1, 7], [2, 6]]))
    found = measure(Instance.of(GRID, [0, 7], [3, 6]), plan)
    assert (found.sum_of_costs, found.makespan, found.arrived, found.away) == (4, 2, 1, 4)
    assert np.isnan(found.ratio) and dict(found.faults) == {"goal": 1}
    assert [at_goals_by(Instance.of(GRID, [0, 7], [3, 6]), plan, t) for t in range(4)] == [0, 0, 1, 1]


def test_measures_of_random_walks_are_those_of_a_walk_along_each_path() -> None:
    rng = np.random.default_rng(1)
    for stay in (True, False):
        for _ in range(200):
            steps, k = int(rng.integers(0, 8)), int(rng.integers(0, 5))
            rows = rng.integers(0, 4, (steps + 1, k))
            goals = rng.permutation(4)[:k]
            found = measure(Instance.of(GRID, rng.permutation(4)[:k], goals, rules=Rules(stay=stay)), Plan(rows))
            costs, fuel, away = [], 0, 0
            for a in range(k):
                path, goal = rows[:, a].tolist(), int(goals[a])
                if stay:
                    end = next((t for t in range(steps + 1) if set(path[t:]) == {goal}), steps)
                else:
                    end = path.index(goal) if goal in path else steps
                costs.append(end)
                fuel += sum(path[t] != path[t + 1] for t in range(end))
                away += sum(path[t] != goal for t in range(end))
            assert (found.sum_of_costs, found.makespan) == (sum(costs), max(costs, default=0))
            assert (found.fuel, found.away) == (fuel, away)


def test_what_cannot_be_measured_is_refused() -> None:
    instance = Instance.of(GRID, [0], [1])
    with pytest.raises(InputError, match="number of agents; found 2; expected 1, as in the instance"):
        measure(instance, Plan(np.zeros((1, 2), np.int64)))
    with pytest.raises(InputError, match="a plan without a row; expected a row or more"):
        at_goals_by(instance, Plan(np.zeros((0, 1), np.int64)), 3)
    with pytest.raises(InputError, match="deadline; found -1"):
        at_goals_by(instance, Plan(np.zeros((1, 1), np.int64)), -1)
    with pytest.raises(InputError, match="distances; found -2; expected steps from 0"):
        measure(instance, Plan(np.zeros((1, 1), np.int64)), distances=[-2])
