"""What every search has to keep, whatever it promises of its cost: checked against SciPy and the validator of paths."""

import numpy as np
import pytest
from search_oracle import all_distances, random_graph, random_grid

from anabasis import Graph, Grid, Status
from anabasis.metrics.paths import path_faults
from anabasis.noun import state_hash
from anabasis.result import TraceEvent
from anabasis.search.astar import astar

RULES = [(8, "strict"), (8, "loose"), (8, "none"), (4, "strict")]


def worlds(count, seed=1, side=24, kinds="ugw"):
    """Random spaces with options and a query: u maps of equal prices, w maps with prices, g graphs."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        kind = kinds[k % len(kinds)]
        space = random_graph(rng) if kind == "g" else random_grid(rng, side, kind == "w")
        size = space.size if isinstance(space, Graph) else space.cost.size
        start, goal = rng.integers(0, size, 2).tolist()
        neighbours, corners = RULES[k // len(kinds) % 4]
        yield space, start, goal, {"neighbours": neighbours, "corners": corners}


def check(run, space, start, goal, options, **more):
    """Check one answer; return it with the cost of the best way, inf without one."""
    result = run(space, start, goal, **options, **more)
    best = float(all_distances(space, [start], *options.values())[0][goal])
    if result.value:
        rules = {} if isinstance(space, Graph) else options
        assert path_faults(space, result.value, start=start, goal=goal, **rules) == []
        assert result.status is Status.SOLVED
        assert result.value.cost >= best * (1 - 1e-12)
        assert result.bound <= best * (1 + 1e-12)
        assert result.bound <= result.value.cost
    elif np.isinf(best):
        plain = astar(space, start, goal, **options)
        assert result.status is Status.NO_SOLUTION
        assert result.reason == plain.reason
        assert result.stats.get("nearest") == plain.stats.get("nearest")
    else:
        assert result.status is Status.LIMIT
        assert result.reason
        assert result.bound <= best * (1 + 1e-12)
    return result, best


def check_traced(run, space, start, goal, options, **more):
    """A recorded search does the same, and records each of its steps."""
    plain = run(space, start, goal, **options, **more)
    traced = run(space, start, goal, **options, **more, traced=True)
    assert traced.stats == plain.stats
    assert state_hash(traced.value) == state_hash(plain.value)
    if traced.trace:
        assert len(traced.trace.vertex) == plain.stats["expanded"] + plain.stats["generated"]
        assert np.count_nonzero(traced.trace.event == TraceEvent.EXPAND.value) == plain.stats["expanded"]


def check_optimal(run, count=120, kinds="ugw", **more):
    """The cost is the least possible and proved; return how many queries had a way."""
    solved = 0
    for space, start, goal, options in worlds(count, kinds=kinds):
        result, best = check(run, space, start, goal, options, **more)
        assert bool(result) == np.isfinite(best)
        if result.value:
            assert result.value.cost == pytest.approx(best, rel=1e-12)
            assert result.bound == result.value.cost
            solved += 1
    return solved


U_TRAP = Grid.from_text("""
    ..........
    .#######..
    .......#..
    .......#..
    .......#..
    .#######..
    ..........
""")
