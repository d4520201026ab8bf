"""Plans: both validators find the same faults in good plans and in thousands of spoilt ones, and name the one made."""

import numpy as np
import pytest

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules
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
