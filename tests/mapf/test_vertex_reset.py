"""vertex_reset_cbs: where the scheme fails and where it works, beside conflict-based search as it should be."""

import numpy as np
import pytest
from small_instances import room_instance

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf.priced_cbs import priced_cbs
from anabasis.mapf.vertex_reset import vertex_reset_cbs
from anabasis.metrics.plans import plan_faults
from anabasis.result import Status


def test_it_fails_on_the_worked_example_which_one_wait_would_solve() -> None:
    """S1-A1-D-G1 and S2-B1-D-G2: both ways lead through D, and no unit can wait."""
    arcs = [(0, 1), (1, 2), (2, 3), (4, 5), (5, 2), (2, 6)]
    tails, heads = zip(*arcs, *((b, a) for a, b in arcs), strict=True)
    graph = Graph.from_arcs(np.zeros((7, 2)), np.array(tails), np.array(heads), np.ones(12))
    instance = Instance.of(graph, [0, 4], [3, 6])
    result = vertex_reset_cbs(instance)
    assert result.status is Status.LIMIT
    assert "does not prove" in result.reason
    assert (result.value, result.bound, result.stats["expanded"]) == (None, 6.0, 1)
    assert priced_cbs(instance).stats["sum_of_costs"] == 7


def test_it_works_where_the_search_knew_a_detour() -> None:
    """On an open map one of two units with diagonal ways goes round the tile in which they would meet."""
    instance = Instance.of(Grid.from_text("...\n...\n..."), [0, 2], [8, 6])
    result = vertex_reset_cbs(instance)
    assert result.status is Status.SOLVED
    assert result.value is not None
    assert plan_faults(instance, result.value) == []
    assert (result.stats["sum_of_costs"], result.bound) == (8, 8)
    assert result.stats["expanded"] >= 1


def test_it_fails_where_only_an_unknown_detour_helps() -> None:
    """Units that cross the middle straight could go round it, but the searches ended before they knew the ways."""
    instance = Instance.of(Grid.from_text("...\n...\n..."), [1, 3], [7, 5])
    assert vertex_reset_cbs(instance).status is Status.LIMIT
    assert priced_cbs(instance).stats["sum_of_costs"] == 5


def test_it_stops_at_the_limit() -> None:
    result = vertex_reset_cbs(Instance.of(Grid.from_text("....\n....\n....\n...."), [0, 3, 1], [15, 12, 14]), limit=1)
    assert result.status is Status.LIMIT
    assert "the limit of 1 nodes" in result.reason


def test_it_finds_fewer_plans_than_conflict_based_search_and_none_that_is_cheaper() -> None:
    """Of 100 instances on 5 × 5 maps with 4 units it solves 39, conflict-based search 96 in 300 nodes."""
    found = proper = 0
    for seed in range(100):
        instance = room_instance(5, 0.15, 4, seed)
        result, best = vertex_reset_cbs(instance, limit=100), priced_cbs(instance, limit=300)
        proper += best.status is Status.SOLVED
        if result.status is not Status.SOLVED:
            assert (result.status, result.value) == (Status.LIMIT, None)
            continue
        found += 1
        assert result.value is not None
        assert plan_faults(instance, result.value) == []
        assert result.bound <= result.stats["sum_of_costs"]
        assert best.bound <= result.stats["sum_of_costs"]
    assert 10 < found < proper - 20


def test_the_smallest_instances_and_the_refusals() -> None:
    row = Grid.from_text("..")
    assert vertex_reset_cbs(Instance.of(row, [], [])).status is Status.SOLVED
    assert vertex_reset_cbs(Instance.of(Grid.from_text("."), [0], [0])).stats["sum_of_costs"] == 0
    assert vertex_reset_cbs(Instance.of(row, [0, 1], [1, 0])).status is Status.LIMIT
    assert vertex_reset_cbs(Instance.of(Grid.from_text(".@."), [0], [2])).status is Status.NO_SOLUTION
    with pytest.raises(InputError, match="vertex_reset_cbs can't solve this instance"):
        vertex_reset_cbs(Instance.of(row, [0], [1], rules=Rules(stay=False)))
