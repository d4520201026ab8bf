import numpy as np
import pytest
from search_oracle import all_distances, random_graph, random_grid, walked

from anabasis import Graph, Grid, InputError, Status
from anabasis.graph import METRICS
from anabasis.search.astar import astar
from anabasis.search.greedy import greedy

RULES = [(8, "strict"), (8, "loose"), (8, "none"), (4, "strict")]


def test_finds_a_real_way_whenever_there_is_one_and_claims_nothing_false():
    rng = np.random.default_rng(1)
    for k in range(60):
        space = random_graph(rng) if k % 3 == 2 else random_grid(rng, 40, k % 3 == 1)
        neighbours, corners = RULES[k % 4]
        start, goal = (int(v) for v in rng.integers(0, space.size if k % 3 == 2 else space.cost.size, 2))
        best = all_distances(space, [start], neighbours, corners)[0][goal]
        options = {"neighbours": neighbours, "corners": corners}
        for metric in METRICS:
            result = greedy(space, start, goal, metric=metric, **options)
            assert bool(result) == np.isfinite(best)
            if result.value:
                assert walked(space, result.value.vertices, neighbours, corners) == pytest.approx(result.value.cost)
                assert result.bound <= best + 1e-9 <= result.value.cost + 2e-9
        traced = greedy(space, start, goal, traced=True, **options)
        plain = greedy(space, start, goal, **options)
        assert traced.stats == plain.stats
        assert traced.reason == plain.reason == (astar(space, start, goal, **options).reason)
        assert traced.stats.get("nearest") == astar(space, start, goal, **options).stats.get("nearest")
        if traced.trace:
            assert len(traced.trace.vertex) == plain.stats["expanded"] + plain.stats["generated"]


def test_runs_into_a_pocket_that_astar_goes_round():
    grid = Grid.from_text("""
        ........
        ......#.
        ......#.
        .######.
        ........
    """)
    start, goal = grid.vertex(0, 4), grid.vertex(7, 1)
    assert greedy(grid, start, goal).value.cost >= astar(grid, start, goal).value.cost
    open_ground = Grid.from_free(np.ones((20, 20), bool))
    assert greedy(open_ground, 0, 399).stats["expanded"] == 19


def test_cheapest_of_two_arcs_between_the_same_vertices_counts():
    graph = Graph.from_arcs([[0, 0], [1, 0]], [0, 0], [1, 1], [5, 2])
    assert greedy(graph, 0, 1).value.cost == 2


def test_limit_and_wrong_input():
    grid = Grid.from_text(".....")
    result = greedy(grid, 0, 4, limit=2)
    assert (result.status, result.stats["expanded"]) == (Status.LIMIT, 2)
    assert result.bound == 4
    with pytest.raises(InputError, match="unknown metric"):
        greedy(grid, 0, 4, metric="taxi")
    with pytest.raises(InputError, match="the goal is outside the map"):
        greedy(grid, 0, 5)
