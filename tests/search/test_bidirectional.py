import numpy as np
import pytest
from search_oracle import all_distances
from way_checks import check_optimal, check_traced, worlds

from anabasis import Graph, Grid, InputError, Status
from anabasis.graph import METRICS
from anabasis.io.movingai import load_map, load_scen
from anabasis.search.astar import astar
from anabasis.search.bidirectional import bidirectional


@pytest.mark.parametrize("metric", [None, "zero", "chebyshev"])
def test_cost_is_the_least_on_maps_with_and_without_prices(metric):
    assert check_optimal(bidirectional, kinds="uw", metric=metric) > 20


def test_cost_is_the_least_on_directed_graphs():
    assert check_optimal(bidirectional, count=200, kinds="g") > 40
    graph = Graph.from_arcs([[0, 0], [1, 0], [2, 0]], [0, 0, 1], [1, 2, 2], [0, 1, 0], "zero")
    assert bidirectional(graph, 0, 2).value.vertices.tolist() == [0, 1, 2]
    assert bidirectional(graph, 2, 0).status is Status.NO_SOLUTION


@pytest.mark.long
def test_cost_is_the_least_in_20_000_queries():
    assert check_optimal(bidirectional, count=20_000) > 5_000


def test_recording_changes_nothing():
    for space, start, goal, options in worlds(60, seed=4):
        check_traced(bidirectional, space, start, goal, options)


def test_a_metric_that_overestimates_still_finds_a_way():
    for space, start, goal, options in worlds(40, seed=5, kinds="uw"):
        best = all_distances(space, [start], *options.values())[0][goal]
        for metric in METRICS:
            result = bidirectional(space, start, goal, **options, metric=metric)
            assert bool(result) == np.isfinite(best)
            assert result.bound <= best * (1 + 1e-12)


def test_expands_less_than_astar_with_no_estimate(movingai):
    grid, scen = load_map(movingai / "mazes/maze512-8-0.map"), load_scen(movingai / "mazes/maze512-8-0.map.scen")
    rows = np.linspace(0, scen.size - 1, 12).astype(int)
    both = one = 0
    for i in rows.tolist():
        start = grid.vertex(int(scen.start_x[i]), int(scen.start_y[i]))
        goal = grid.vertex(int(scen.goal_x[i]), int(scen.goal_y[i]))
        result = bidirectional(grid, start, goal, metric="zero")
        plain = astar(grid, start, goal, metric="zero")
        assert result.value.cost == plain.value.cost
        both, one = both + result.stats["expanded"], one + plain.stats["expanded"]
    assert both < one


def test_limit_and_wrong_input():
    ground = Grid.from_free(np.ones((20, 20), bool))
    result = bidirectional(ground, 0, 399, limit=7)
    assert (result.status, result.stats["expanded"]) == (Status.LIMIT, 7)
    assert result.bound == pytest.approx(19 * 2**0.5)
    assert bidirectional(ground, 5, 5).value.cost == 0
    with pytest.raises(InputError, match="unknown metric"):
        bidirectional(ground, 0, 4, metric="taxi")
    with pytest.raises(InputError, match="the start is outside the map"):
        bidirectional(ground, 400, 4)
