"""Spoilt plans: a valid plan in which one thing is made wrong; both validators agree and name that fault."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.metrics.plan_review import review_plan
from anabasis.metrics.plans import FAULTS, plan_faults
from anabasis.plan import Plan

Ints = np.ndarray
RULES = {
    "following": Rules(following=True),
    "cycle": Rules(cycle=True),
    "edge": Rules(vertex=False, edge=True, swap=False),
    "wait": Rules(wait=False),
}


def valid_rows(rng: np.random.Generator, grid: Grid, agents: int, waits: bool) -> Ints:
    """Return a plan of agents that never enter where another is or was a step before."""
    rows = [rng.permutation(np.flatnonzero(grid.free))[:agents]]
    for _ in range(int(rng.integers(2, 9))):
        before, after = rows[-1], rows[-1].copy()
        for a, v in enumerate(before.tolist()):
            x, y = grid.cell(v)
            beside = [(x, y)] * waits + [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            ends = [grid.vertex(*cell) for cell in beside if grid.is_free(*cell)]
            end = int(rng.choice(ends)) if ends else v
            if end not in before and end not in after:
                after[a] = end
        rows.append(after)
    return np.array(rows)


def spoilt(rng: np.random.Generator, kind: str, grid: Grid, rows: Ints) -> Ints | None:
    """Return the rows with a fault of this kind, None where the plan has no place for it."""
    rows = rows.copy()
    steps, agents = rows.shape
    t, a = int(rng.integers(1, steps)), int(rng.integers(agents))
    b = (a + 1 + int(rng.integers(max(1, agents - 1)))) % agents
    free, walls = np.flatnonzero(grid.free), np.flatnonzero(~grid.free)
    x, y = grid.cell(int(rows[t - 1, a]))
    far = [v for v in free.tolist() if abs(v % grid.width - x) + abs(v // grid.width - y) > 1]
    moved = rows[t, a] != rows[t - 1, a]
    if kind == "agents":
        return rows[:, 1:]
    if kind == "unknown":
        rows[t, a] = grid.cost.size + int(rng.integers(5))
    elif kind in ("start", "goal"):
        row = 0 if kind == "start" else -1
        rows[row, a] = rng.choice(free[free != rows[row, a]])
    elif kind == "jump" and far:
        rows[t, a] = rng.choice(far)
    elif kind == "obstacle" and walls.size:
        rows[t, a] = rng.choice(walls)
    elif kind == "vertex" and a != b:
        rows[t, a] = rows[t, b]
    elif kind == "edge" and a != b and moved:
        rows[t - 1 : t + 1, b] = rows[t - 1 : t + 1, a]
    elif kind == "swap" and a != b and moved:
        rows[t, b], rows[t - 1, b] = rows[t - 1, a], rows[t, a]
    elif kind == "following" and a != b and moved:
        rows[t - 1, b] = rows[t, a]
    elif kind == "cycle" and agents >= 4:
        corners = [v for v in free.tolist() if (v + 1) % grid.width and v + grid.width + 1 < grid.cost.size]
        if not corners:
            return None
        v = int(rng.choice(corners))
        ring = np.array([v, v + 1, v + grid.width + 1, v + grid.width])
        who = rng.permutation(agents)[:4]
        rows[t - 1, who], rows[t, who] = ring, np.roll(ring, int(rng.choice([1, -1])))
    elif kind == "wait" and moved:
        return np.insert(rows, t, rows[t - 1], axis=0)
    elif kind == "outside":
        rows[t, a] = rows[t, a] // grid.width * grid.width + grid.width - 1
    else:
        return None
    return rows


def cases(rng: np.random.Generator, count: int) -> Iterator[tuple[str, Instance, Ints, Ints]]:
    """Yield so many spoilt plans: the kind of the fault, the instance, the rows before and after."""
    made = 0
    while made < count:
        kind = list(FAULTS)[made % len(FAULTS)]
        height, width = rng.integers(3, 9, 2)
        free = rng.random((height, width)) < (0.85 if kind != "outside" else 1.0)
        if free.sum() < 6:
            continue
        grid = Grid.from_free(free)
        large = kind == "outside"
        rows = valid_rows(rng, grid, 1 if kind in ("wait", "outside") else int(rng.integers(2, 6)), kind != "wait")
        if kind == "wait" and (rows[1:] == rows[:-1]).any():
            continue
        if large and ((rows % width == width - 1) | (rows // width == height - 1)).any():
            continue
        after = spoilt(rng, kind, grid, rows)
        if after is None:
            continue
        made += 1
        rules = RULES.get(kind, CLASSIC)
        yield kind, Instance.of(grid, rows[0], rows[-1], rules=rules, sizes=2 if large else 1), rows, after


def judge(count: int, seed: int) -> None:
    seen: Counter[str] = Counter()
    for kind, instance, rows, after in cases(np.random.default_rng(seed), count):
        assert plan_faults(instance, Plan(rows)) == review_plan(instance, Plan(rows)) == []
        found = sorted((f.kind, f.step, f.agents) for f in plan_faults(instance, Plan(after)))
        assert found == sorted((f.kind, f.step, f.agents) for f in review_plan(instance, Plan(after)))
        assert kind in {name for name, _, _ in found}, (kind, rows, after)
        seen[kind] += 1
    assert set(seen) == set(FAULTS) and sum(seen.values()) == count


def test_the_fault_of_each_spoilt_plan_is_named() -> None:
    judge(520, 1)


@pytest.mark.long
def test_the_fault_of_each_of_5000_spoilt_plans_is_named() -> None:
    judge(5000, 2)
