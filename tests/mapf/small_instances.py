"""Small random instances of every feature, and what must hold of any solver's answer to them."""

from collections.abc import Iterator

import numpy as np
from joint_search import joint_search

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.metrics.plan_review import review_plan
from anabasis.metrics.plans import plan_faults
from anabasis.plan import Plan
from anabasis.result import Result, Status

RULES = (CLASSIC, CLASSIC, Rules(stay=False), Rules(following=True), Rules(cycle=True), Rules(swap=False))


def small_instances(seed: int, count: int, *, agents: int = 4, sized: bool = False) -> Iterator[Instance]:
    """Yield instances on small grids and graphs of one direction, some with changes, other rules, large agents."""
    rng = np.random.default_rng(seed)
    while count:
        if rng.random() < 0.2 and not sized:
            n = int(rng.integers(2, 9))
            tails, heads = rng.integers(0, n, (2, 3 * n))
            keep = tails != heads
            space = Graph.from_arcs(np.zeros((n, 2)), tails[keep], heads[keep], np.ones(keep.sum()))
            free = np.arange(n)
        else:
            shape = rng.integers(3, 7, 2) if sized else rng.integers(1, 5, 2)
            space = Grid.from_free(rng.random(shape) < (0.95 if sized else 0.85))
            free = np.flatnonzero(space.free)
        k = int(rng.integers(0, agents + 1))
        if k > free.size or not free.size:
            continue
        starts, goals = rng.permutation(free)[:k], rng.permutation(free)[:k]
        times = np.sort(rng.integers(0, 7, rng.integers(1, 5) if rng.random() < 0.4 else 0))
        rules, blocked = RULES[int(rng.integers(len(RULES)))], rng.random(times.size) < 0.5
        sizes = np.ones(k, np.int64)
        if sized and isinstance(space, Grid):
            for a in range(k):
                side = int(rng.integers(1, 3))
                sizes[a] = side if _room(space, int(starts[a]), side) and _room(space, int(goals[a]), side) else 1
        count -= 1
        yield Instance(space, starts, goals, times, rng.choice(free, times.size), blocked, rules, sizes)


def _room(grid: Grid, vertex: int, side: int) -> bool:
    x, y = grid.cell(vertex)
    under = grid.free[y : y + side, x : x + side]
    return under.shape == (side, side) and bool(under.all())


def check_answer(instance: Instance, result: Result[Plan], *, compare: bool = True) -> int | None:
    """Check a result: a valid plan not below the joint optimum, or no solution only where there is none.

    compare: look for the joint optimum, which is slow for more than three agents. Returns the plan's sum of costs.
    """
    if result.status is not Status.SOLVED:
        assert result.reason
        if result.status is Status.NO_SOLUTION and instance.size < 3:
            assert joint_search(instance) is None
        return None
    assert result.value is not None
    assert plan_faults(instance, result.value) == []
    assert review_plan(instance, result.value) == []
    arrivals = result.value.arrivals(instance.goals, stay=instance.rules.stay)
    assert (arrivals >= 0).all()
    cost = int(arrivals.sum())
    assert result.stats["sum_of_costs"] == cost >= result.bound
    if compare:
        answer = joint_search(instance)
        assert answer is not None and result.bound <= answer.cost <= cost
    return cost


def room_instance(side: int, blocked: float, agents: int, seed: int) -> Instance:
    """Return an instance of agents on the largest connected part of a random square map."""
    rng = np.random.default_rng(seed)
    free = rng.random((side, side)) >= blocked
    grid = Grid.from_free(free)
    mark = np.full(side * side, -1)
    for cell in np.flatnonzero(free.ravel()).tolist():
        if mark[cell] >= 0:
            continue
        stack = [cell]
        mark[cell] = cell
        while stack:
            x, y = grid.cell(stack.pop())
            for u, v in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if grid.is_free(u, v) and mark[v * side + u] < 0:
                    mark[v * side + u] = cell
                    stack.append(v * side + u)
    names, counts = np.unique(mark[mark >= 0], return_counts=True)
    cells = np.flatnonzero(mark == names[counts.argmax()])
    return Instance.of(grid, rng.permutation(cells)[:agents], rng.permutation(cells)[:agents])
