"""Plans: both validators find the same faults in good plans and in thousands of spoilt ones, and name the one made."""

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.metrics.plan_measures import at_goals_by, measure
from anabasis.metrics.plan_review import review_plan
from anabasis.metrics.plans import FAULTS, Fault, plan_faults
from anabasis.plan import Plan

NO_CHANGE = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, bool)
EVERY_RULE = [
    CLASSIC,
    Rules(swap=False),
    Rules(following=True),
    Rules(cycle=True),
    Rules(vertex=False, edge=True, swap=False),
    Rules(vertex=False, edge=False, cycle=True),
    Rules(stay=False),
    Rules(stay=False, following=True),
    Rules(wait=False),
    Rules(wait=False, stay=False, vertex=False, following=True),
]


def key(faults: list[Fault]) -> list[tuple[str, int, tuple[int, ...]]]:
    return sorted((fault.kind, fault.step, fault.agents) for fault in faults)


def judged(instance: Instance, plan: Plan) -> list[tuple[str, int, tuple[int, ...]]]:
    """Return what both validators say, which must be the same."""
    found = key(plan_faults(instance, plan))
    assert found == key(review_plan(instance, plan))
    assert bool(plan_faults(instance, plan, limit=1)) == bool(found)
    return found


def some_space(rng: np.random.Generator) -> Grid | Graph:
    if rng.random() < 0.3:
        n = int(rng.integers(2, 12))
        tails, heads = rng.integers(0, n, (2, 3 * n))
        keep = tails != heads
        return Graph.from_arcs(rng.random((n, 2)), tails[keep], heads[keep], np.ones(int(keep.sum())))
    height, width = rng.integers(1, 7, 2)
    free = rng.random((height, width)) < 0.85
    free[0, 0] = True
    return Grid.from_free(free)


def some_walk(rng: np.random.Generator, space: Grid | Graph, start: int, steps: int) -> list[int]:
    """Return a walk of an agent alone: to neighbours, or waiting."""
    walk = [start]
    for _ in range(steps):
        v = walk[-1]
        if isinstance(space, Graph):
            around = space.indices[space.indptr[v] : space.indptr[v + 1]].tolist()
        else:
            x, y = space.cell(v)
            beside = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            around = [space.vertex(*cell) for cell in beside if space.is_free(*cell)]
        walk.append(int(rng.choice([v, *around])))
    return walk


def some_case(rng: np.random.Generator) -> tuple[Instance, Plan]:
    """Return an instance by some rules, and a plan whose agents don't look at each other."""
    space = some_space(rng)
    rules = EVERY_RULE[int(rng.integers(len(EVERY_RULE)))]
    free = np.arange(space.size) if isinstance(space, Graph) else np.flatnonzero(space.free)
    agents, steps = int(rng.integers(0, min(8, free.size) + 1)), int(rng.integers(0, 7))
    starts = rng.permutation(free)[:agents]
    walks = [some_walk(rng, space, int(start), steps) for start in starts]
    rows = np.array(walks, np.int64).reshape(agents, steps + 1).T
    goals = rows[-1].copy()
    taken = set[int]()
    for a in range(agents):  # no goal twice
        if int(goals[a]) in taken:
            goals[a] = rng.choice([v for v in free.tolist() if v not in taken])
        taken.add(int(goals[a]))
    changes = NO_CHANGE
    if rng.random() < 0.3:
        count = int(rng.integers(1, 6))
        size = space.size if isinstance(space, Graph) else space.width * space.height
        times = np.sort(rng.integers(0, steps + 4, count))
        changes = times, rng.integers(0, size, count), rng.random(count) < 0.6
    sizes = np.ones(agents, np.int64)
    if isinstance(space, Grid) and rng.random() < 0.4:
        for a in range(agents):
            sizes[a] = 2 if room(space, int(starts[a]), 2) and room(space, int(goals[a]), 2) else 1
    return Instance(space, starts, goals, *changes, rules, sizes), Plan(rows)


def room(grid: Grid, vertex: int, side: int) -> bool:
    x, y = grid.cell(vertex)
    under = grid.free[y : y + side, x : x + side]
    return under.shape == (side, side) and bool(under.all())


def test_both_validators_agree_on_plans_of_agents_that_do_not_look() -> None:
    agree(900, 1)


@pytest.mark.long
def test_both_validators_agree_on_thousands_of_plans() -> None:
    agree(5000, 2)


def agree(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    seen = dict.fromkeys(FAULTS, 0)
    valid = 0
    for _ in range(count):
        instance, plan = some_case(rng)
        rows = plan.vertices.copy()
        if rows.size and rng.random() < 0.3:  # any vertex at any place, seldom one that is none
            t, a = rng.integers(len(rows)), rng.integers(rows.shape[1])
            rows[t, a] = rng.integers(0, instance.vertex_count + (rng.random() < 0.1))
        if rng.random() < 0.02:
            rows = rows[:, :-1] if rows.shape[1] else np.zeros((1, 1), np.int64)
        if rng.random() < 0.02:
            rows = rows[:0]
        found = judged(instance, Plan(rows))
        valid += not found
        for kind, _, _ in found:
            seen[kind] += 1
    assert valid > count // 20
    assert min(seen.values()) >= 3, seen


GRID = Grid.from_text("....\n.@..\n....")
BASE = [[0, 6, 11], [1, 7, 10], [2, 11, 9], [3, 11, 8]]  # three agents without a fault


def changed(*cells: tuple[int, int, int], rules: Rules = CLASSIC) -> tuple[Instance, Plan]:
    """Return the plan with other vertices at (row, agent)."""
    rows = np.array(BASE)
    for t, a, v in cells:
        rows[t, a] = v
    return Instance.of(GRID, BASE[0], [3, 11, 8], rules=rules), Plan(rows)


@pytest.mark.parametrize(
    ("cells", "rules", "kind", "sentence"),
    [
        ([(1, 1, 1)], CLASSIC, "vertex", "step 1: agents 0 and 1 are both at x=1 (column), y=0 (row)"),
        ([(0, 0, 1)], CLASSIC, "start", "step 0: agent 0 is at x=1 (column), y=0 (row), not at its start"),
        ([(3, 0, 2)], CLASSIC, "goal", "step 3: agent 0 ends at x=2 (column), y=0 (row), not at its goal, x=3"),
        (
            [(1, 0, 5), (2, 0, 9)],
            CLASSIC,
            "obstacle",
            "step 1: agent 0 is at x=1 (column), y=1 (row), which is",
        ),
        ([(1, 0, 3)], CLASSIC, "jump", "goes from x=0 (column), y=0 (row) to x=3 (column), y=0 (row), which no step"),
        ([(1, 0, 12)], CLASSIC, "unknown", "step 1: agent 0 is at vertex 12, and there is no such vertex"),
        ([(2, 1, 7), (3, 1, 11)], Rules(wait=False), "wait", "step 2: agent 1 waits at x=3 (column), y=1 (row) before"),
        ([(1, 2, 11), (2, 2, 7)], CLASSIC, "swap", "step 2: agents 1 and 2 change places"),
    ],
)
def test_each_change_is_named(cells: list[tuple[int, int, int]], rules: Rules, kind: str, sentence: str) -> None:
    assert judged(*changed(rules=rules)) == []
    instance, plan = changed(*cells, rules=rules)
    judged(instance, plan)
    faults = {fault.kind: str(fault) for fault in plan_faults(instance, plan)}
    assert sentence in faults[kind]


def test_following_a_ring_and_sharing_are_named_where_they_are_forbidden() -> None:
    square = Grid.from_text("..\n..")
    turn = Plan(np.array([[0, 1, 3, 2], [1, 3, 2, 0]]))
    ends = [0, 1, 3, 2], [1, 3, 2, 0]
    assert judged(Instance.of(square, *ends), turn) == []
    assert judged(Instance.of(square, *ends, rules=Rules(cycle=True)), turn) == [("cycle", 1, (0, 1, 2, 3))]
    following = Instance.of(square, *ends, rules=Rules(following=True))
    assert judged(following, turn) == [
        ("cycle", 1, (0, 1, 2, 3)),
        *(("following", 1, pair) for pair in [(0, 1), (1, 2), (2, 3), (3, 0)]),
    ]
    texts = [str(fault) for fault in plan_faults(following, turn)]
    assert texts[0].startswith("step 1: agent 0 enters x=1 (column), y=0 (row), where agent 1 was one step before")
    assert texts[-1] == "step 1: agents 0, 1, 2, 3 move round in a ring"
    together = Plan(np.array([[0, 0], [1, 1]]))
    may_share = Instance.of(square, [0, 0], [1, 1], rules=Rules(vertex=False, edge=True))
    assert judged(may_share, together) == [("edge", 1, (0, 1))]
    assert str(plan_faults(may_share, together)[0]).startswith("step 1: agents 0 and 1 go together from x=0")


def test_rings_of_agents_that_share_places_are_found_whatever_the_limit() -> None:
    square = Grid.from_text("..\n..")
    rules = Rules(vertex=False, edge=False, cycle=True)
    ends = np.repeat([0, 1, 3, 2], 3), np.repeat([1, 3, 2, 0], 3)
    instance, ring = Instance.of(square, *ends, rules=rules), Plan(np.array(ends))
    for limit in (1, 2, 40):
        assert key(plan_faults(instance, ring, limit=limit)) == [("cycle", 1, tuple(range(12)))]
    assert judged(instance, ring) == [("cycle", 1, tuple(range(12)))]
    line, steps = Grid.from_text("......"), np.arange(5)
    behind = np.stack([steps, steps + 1, steps + 1], axis=1)  # the first enters the places of two, step by step
    behind[-1, 0] = 0
    jump = Instance.of(line, behind[0], [4, 5, 5], rules=rules)
    assert judged(jump, Plan(behind)) == [("goal", 4, (0,)), ("jump", 4, (0,))]
    door = np.array([4]), np.array([4]), np.array([True])
    closed = Instance(line, behind[0], np.array([4, 5, 5]), *door, rules)
    behind[-1, 0] = 4
    assert key(plan_faults(closed, Plan(behind), limit=1)) == [("obstacle", 4, (0,))]


def test_a_fault_as_a_row_of_a_plan_file() -> None:
    instance = Instance.of(GRID, [0, 1], [1, 0])
    swap = plan_faults(instance, Plan(np.array([[0, 1], [1, 0]])))[0]
    assert swap.record == (0, 1, 1, str(swap)) and "change places" in str(swap)
    assert plan_faults(instance, Plan(np.zeros((1, 3))))[0].record == (-1, -1, 0, FAULTS["agents"])


def test_what_is_no_instance_or_no_plan_is_refused() -> None:
    instance, plan = changed()
    for judge in (plan_faults, review_plan, measure):
        for wrong, found in ((None, "NoneType"), (plan.vertices, "ndarray"), (instance, "Instance")):
            with pytest.raises(InputError, match=f"a plan; found {found}; expected Plan. Hint: `value` of a solver"):
                judge(instance, wrong)  # pyright: ignore[reportArgumentType]
        with pytest.raises(InputError, match="the instance of a plan; found Grid; expected Instance"):
            judge(GRID, plan)  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="a plan; found NoneType"):
        at_goals_by(instance, None, 3)  # pyright: ignore[reportArgumentType]


def test_two_rings_in_one_step_are_two_faults() -> None:
    grid = Grid.from_text("....\n....")
    ends = [0, 1, 5, 4, 2, 3, 7, 6], [1, 5, 4, 0, 3, 7, 6, 2]
    turn = Plan(np.array(ends))
    assert judged(Instance.of(grid, *ends, rules=Rules(cycle=True)), turn) == [
        ("cycle", 1, (0, 1, 2, 3)),
        ("cycle", 1, (4, 5, 6, 7)),
    ]


def test_large_agents_share_cells_change_places_and_leave_the_map() -> None:
    grid = Grid.from_free(np.ones((3, 5), bool))
    rules = Rules(following=True)
    sized = Instance.of(grid, [0, 3], [1, 8], sizes=[2, 2], rules=rules)
    assert judged(sized, Plan(np.array([[0, 3], [1, 8]]))) == []
    assert judged(sized, Plan(np.array([[0, 3], [2, 8]]))) == [
        ("following", 1, (0, 1)),
        ("goal", 1, (0,)),
        ("jump", 1, (0,)),
        ("vertex", 1, (0, 1)),
    ]
    beyond = judged(sized, Plan(np.array([[0, 3], [0, 4], [1, 8]])))
    assert ("outside", 1, (1,)) in beyond
    mixed = Instance.of(Grid.from_free(np.ones((2, 3), bool)), [0, 2], [1, 0], sizes=[2, 1])
    assert judged(mixed, Plan(np.array([[0, 2], [1, 1], [1, 0]]))) == [("swap", 1, (0, 1)), ("vertex", 1, (0, 1))]


def test_known_changes_block_places_during_the_plan_and_after_it() -> None:
    times, vertices, blocked = np.array([1, 2, 9]), np.array([1, 1, 3]), np.array([True, False, True])
    instance = Instance(GRID, np.array([0]), np.array([3]), times, vertices, blocked)
    through = Plan(np.array([[0], [1], [2], [3]]))
    assert judged(instance, through) == [("obstacle", 1, (0,)), ("obstacle", 9, (0,))]
    gone = Instance(GRID, np.array([0]), np.array([3]), times, vertices, blocked, Rules(stay=False))
    assert judged(gone, through) == [("obstacle", 1, (0,))]


def test_one_that_has_vanished_is_in_nobodys_way() -> None:
    rows = Plan(np.array([[1, 0], [2, 1], [2, 2], [2, 3]]))
    ends = [1, 0], [2, 3]
    assert judged(Instance.of(GRID, *ends), rows) == [("vertex", 2, (0, 1))]
    assert judged(Instance.of(GRID, *ends, rules=Rules(stay=False)), rows) == []


def test_the_first_faults_are_told_when_there_are_too_many() -> None:
    grid = Grid.from_free(np.ones((4, 4), bool))
    instance = Instance.of(grid, range(16), range(16))
    every = plan_faults(instance, Plan(np.zeros((9, 16), np.int64)))
    assert len(every) == 15 + 15 + 9 * 120 == len(review_plan(instance, Plan(np.zeros((9, 16), np.int64))))
    few = plan_faults(instance, Plan(np.zeros((9, 16), np.int64)), limit=40)
    assert len(few) == 40 and set(few) < set(every) and {fault.step for fault in few} == {0}
    with pytest.raises(InputError, match="limit; found 0; expected a whole number from 1"):
        plan_faults(instance, Plan(np.zeros((9, 16), np.int64)), limit=0)
    with pytest.raises(InputError, match="limit; found 1000000000000; expected a whole number from 1 to 10000000"):
        plan_faults(instance, Plan(np.zeros((9, 16), np.int64)), limit=10**12)


def test_empty_instances_and_plans() -> None:
    nobody = Instance.of(GRID, [], [])
    assert judged(nobody, Plan(np.zeros((1, 0), np.int64))) == []
    assert judged(nobody, Plan(np.zeros((0, 0), np.int64))) == []
    one = Instance.of(GRID, [2], [2])
    assert judged(one, Plan(np.array([[2]]))) == []
    assert judged(one, Plan(np.zeros((0, 1), np.int64))) == [("start", 0, (0,))]
    assert str(plan_faults(one, Plan(np.zeros((1, 2), np.int64)))[0]).startswith("the plan does not have one column")
