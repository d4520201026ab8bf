import numpy as np
import pytest
from search_oracle import all_distances
from way_checks import U_TRAP, check_optimal, check_traced, worlds

from anabasis import Graph, Grid, InputError, Status
from anabasis.graph import METRICS
from anabasis.search.astar import astar
from anabasis.search.ida_star import ida_star


@pytest.mark.parametrize("metric", [None, "zero", "euclidean"])
def test_cost_is_the_least_on_maps_with_and_without_prices(metric):
    assert check_optimal(ida_star, kinds="uw", metric=metric) > 20


def test_cost_is_the_least_on_directed_graphs():
    assert check_optimal(ida_star, count=200, kinds="g") > 40
    loops = Graph.from_arcs([[0, 0], [1, 0], [2, 0]], [0, 1, 0, 1], [1, 0, 2, 2], [0, 0, 1, 0], "zero")
    assert ida_star(loops, 0, 2).value.vertices.tolist() == [0, 1, 2]
    assert ida_star(loops, 2, 0).status is Status.NO_SOLUTION


@pytest.mark.long
def test_cost_is_the_least_in_5_000_queries():
    assert check_optimal(ida_star, count=5_000) > 1_000


def test_recording_changes_nothing():
    for space, start, goal, options in worlds(60, seed=4, side=12):
        check_traced(ida_star, space, start, goal, options)


def test_a_metric_that_overestimates_still_finds_a_way():
    for space, start, goal, options in worlds(40, seed=5, kinds="uw", side=12):
        best = all_distances(space, [start], *options.values())[0][goal]
        for metric in METRICS:
            result = ida_star(space, start, goal, **options, metric=metric)
            assert bool(result) == np.isfinite(best)
            assert result.bound <= best * (1 + 1e-12)


def test_rounds_rise_only_where_the_estimate_was_too_low():
    ground = Grid.from_free(np.ones((20, 20), bool))
    result = ida_star(ground, 0, 399)
    assert (result.stats["rounds"], result.stats["expanded"]) == (1, 19)
    trapped = ida_star(U_TRAP, U_TRAP.vertex(6, 3), U_TRAP.vertex(9, 3))
    assert trapped.stats["rounds"] > 1
    assert trapped.value.cost == astar(U_TRAP, U_TRAP.vertex(6, 3), U_TRAP.vertex(9, 3)).value.cost


def test_limit_and_wrong_input():
    result = ida_star(U_TRAP, U_TRAP.vertex(6, 3), U_TRAP.vertex(9, 3), limit=30)
    assert (result.status, result.stats["expanded"]) == (Status.LIMIT, 30)
    assert 3 < result.bound < 16
    with pytest.raises(InputError, match="unknown metric"):
        ida_star(U_TRAP, 0, 4, metric="taxi")
    with pytest.raises(InputError, match="the start is outside the map"):
        ida_star(U_TRAP, 400, 4)
