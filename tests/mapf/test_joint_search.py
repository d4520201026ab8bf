"""The joint search that judges solvers is judged itself: known optima, and all short plans there are, one by one."""

from itertools import product

import numpy as np
import pytest
from joint_search import TooLargeError, joint_search, solvable

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.metrics.plan_review import review_plan
from anabasis.metrics.plans import plan_faults
from anabasis.plan import Plan

RULES = [
    CLASSIC,
    Rules(swap=False),
    Rules(following=True),
    Rules(cycle=True),
    Rules(vertex=False, edge=True, swap=False),
    Rules(vertex=False, edge=False, following=True),
    Rules(stay=False),
    Rules(stay=False, following=True),
    Rules(wait=False),
    Rules(wait=False, stay=False),
]


def some_instance(rng: np.random.Generator, most: int = 6) -> Instance | None:
    if rng.random() < 0.3:
        n = int(rng.integers(2, most))
        tails, heads = rng.integers(0, n, (2, 2 * n))
        space = Graph.from_arcs(
            np.zeros((n, 2)), tails[tails != heads], heads[tails != heads], np.ones((tails != heads).sum())
        )
        free = np.arange(n)
    else:
        space = Grid.from_free(rng.random((2, int(rng.integers(1, most // 2 + 2)))) < 0.9)
        free = np.flatnonzero(space.free)
    agents = int(rng.integers(0, 4))
    if agents > free.size:
        return None
    starts, goals = rng.permutation(free)[:agents], rng.permutation(free)[:agents]
    times = np.sort(rng.integers(0, 5, rng.integers(0, 3) if rng.random() < 0.4 else 0))
    vertices = rng.choice(free, times.size)
    rules = RULES[int(rng.integers(len(RULES)))]
    sizes = np.ones(agents, np.int64)
    if isinstance(space, Grid) and rng.random() < 0.5:
        for a in range(agents):
            sizes[a] = 2 if has_room(space, int(starts[a])) and has_room(space, int(goals[a])) else 1
    return Instance(space, starts, goals, times, vertices, rng.random(times.size) < 0.6, rules, sizes)


def has_room(grid: Grid, vertex: int) -> bool:
    x, y = grid.cell(vertex)
    return all(grid.is_free(u, v) for u in (x, x + 1) for v in (y, y + 1))


def costs(instance: Instance, plan: Plan, objective: str) -> int:
    arrivals = plan.arrivals(instance.goals, stay=instance.rules.stay)
    return int(arrivals.sum() if objective == "sum" else arrivals.max(initial=0))


def best_short(instance: Instance, objective: str, steps: int) -> int | None:
    """Return the least cost of all valid plans of so many steps, tried one by one; None if there is none."""
    space = instance.space
    if isinstance(space, Graph):
        around = [space.indices[space.indptr[v] : space.indptr[v + 1]].tolist() for v in range(space.size)]
    else:
        cells = [space.cell(v) for v in range(instance.vertex_count)]
        around = [[w for w, (p, q) in enumerate(cells) if abs(x - p) + abs(y - q) == 1] for x, y in cells]
    changes = instance.change_times, instance.change_vertices, instance.change_blocked
    walks: list[list[list[int]]] = []
    for a, start in enumerate(instance.starts.tolist()):
        single = Instance(
            space,
            instance.starts[a : a + 1],
            instance.goals[a : a + 1],
            *changes,
            instance.rules,
            instance.sizes[a : a + 1],
        )
        ways = [[start]]
        for _ in range(steps):
            ways = [[*way, v] for way in ways for v in [way[-1], *around[way[-1]]]]
        walks.append([way for way in ways if not plan_faults(single, Plan(np.array([way]).T))])
    best = None
    for choice in product(*walks):
        plan = Plan(np.array(choice, np.int64).reshape(len(choice), steps + 1).T)
        cost = costs(instance, plan, objective)
        if (best is None or cost < best) and not plan_faults(instance, plan):
            best = cost
    return best


def prove(count: int, seed: int) -> None:
    """Joint plans are valid and cost what is said, and no short plan costs less."""
    rng = np.random.default_rng(seed)
    none = same = 0
    for _ in range(count):
        instance = some_instance(rng)
        if instance is None:
            continue
        for objective in ("sum", "makespan"):
            answer = joint_search(instance, objective)
            assert solvable(instance) == (answer is not None)
            short = best_short(instance, objective, 3 if instance.size == 3 else 4)
            if answer is None:
                assert short is None
                none += 1
                continue
            plan = Plan(answer.rows)
            assert not review_plan(instance, plan)
            assert costs(instance, plan, objective) == answer.cost
            assert short is None or answer.cost <= short
            same += short == answer.cost
    assert none > count // 10 and same > count // 4, (none, same)


def test_no_short_plan_is_better_and_every_plan_is_valid() -> None:
    prove(120, 1)


@pytest.mark.long
def test_no_short_plan_is_better_in_many_cases() -> None:
    prove(1500, 2)


def test_a_head_on_meeting_needs_the_bay() -> None:
    grid = Grid.from_text(".....\n@@.@@")
    answer = joint_search(Instance.of(grid, [0, 4], [4, 0]))
    assert answer is not None and answer.cost == 4 + 4 + 2 + 1  # one goes aside and back, and waits once
    assert not solvable(Instance.of(Grid.from_text("....."), [0, 4], [4, 0]))


def test_rotation_of_a_full_square_depends_on_the_rule() -> None:
    grid = Grid.from_text("..\n..")
    ends = [0, 1, 3, 2], [1, 3, 2, 0]
    free = joint_search(Instance.of(grid, *ends), "makespan")
    assert free is not None and free.cost == 1
    assert joint_search(Instance.of(grid, *ends, rules=Rules(cycle=True))) is None
    assert joint_search(Instance.of(grid, *ends, rules=Rules(following=True))) is None


def test_sum_and_makespan_differ_where_one_must_make_way() -> None:
    # the first agent is at its goal and lets the second through
    grid = Grid.from_text("...\n@.@")
    answer = joint_search(Instance.of(grid, [1, 0], [1, 2]))
    assert answer is not None and answer.cost == 2 + 2  # down and up again while the other follows
    vanish = joint_search(Instance.of(grid, [1, 0], [1, 2], rules=Rules(stay=False)))
    assert vanish is not None and vanish.cost == 0 + 2


def test_a_goal_closed_later_is_no_place_to_rest() -> None:
    grid = Grid.from_text("..")
    late = Instance(grid, np.array([0]), np.array([1]), np.array([3, 5]), np.array([1, 1]), np.array([True, False]))
    answer = joint_search(late)
    assert answer is not None and answer.cost == 5
    forever = Instance(grid, np.array([0]), np.array([1]), np.array([3]), np.array([1]), np.array([True]))
    assert joint_search(forever) is None


def test_large_agents_keep_clear_of_each_other() -> None:
    grid = Grid.from_text("....\n....\n....\n....")
    answer = joint_search(Instance.of(grid, [0, 10], [10, 0], sizes=2))
    assert answer is not None and not review_plan(Instance.of(grid, [0, 10], [10, 0], sizes=2), Plan(answer.rows))
    assert answer.cost == 8  # both round the middle, in the same sense


def test_too_large_problems_are_given_up() -> None:
    grid = Grid.from_free(np.ones((5, 5), bool))
    with pytest.raises(TooLargeError):
        joint_search(Instance.of(grid, range(0, 4), range(24, 20, -1)), "makespan", most=50)
