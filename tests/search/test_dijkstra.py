import numpy as np
import pytest
from search_oracle import all_distances, random_graph, random_grid, walked

from anabasis import Graph, Grid, InputError, Status
from anabasis.search.astar import astar
from anabasis.search.dijkstra import dijkstra, distances

RULES = [(8, "strict"), (8, "loose"), (8, "none"), (4, "strict")]


def spaces(rng, count):
    for k in range(count):
        yield (random_graph(rng) if k % 3 == 2 else random_grid(rng, 40, k % 3 == 1)), *RULES[k % 4]


def size(space):
    return space.size if isinstance(space, Graph) else space.width * space.height


def test_distances_equal_scipy_and_parents_lead_back():
    rng = np.random.default_rng(1)
    for space, neighbours, corners in spaces(rng, 48):
        sources = rng.integers(0, size(space), int(rng.integers(1, 4)))
        wanted = all_distances(space, sources, neighbours, corners).min(axis=0)
        distance, parent = distances(space, sources, neighbours=neighbours, corners=corners)
        assert np.array_equal(np.isinf(distance), np.isinf(wanted))
        np.testing.assert_allclose(distance[np.isfinite(wanted)], wanted[np.isfinite(wanted)], rtol=1e-11, atol=1e-12)
        for v in np.flatnonzero(parent >= 0)[:50].tolist():
            step = walked(space, np.array([parent[v], v]), neighbours, corners)
            assert distance[v] == pytest.approx(distance[parent[v]] + step)
        rooted = np.flatnonzero((parent < 0) & np.isfinite(distance))
        assert set(rooted.tolist()) <= set(sources.tolist())


def test_with_targets_everything_up_to_the_farthest_is_right_and_the_rest_left_out():
    rng = np.random.default_rng(2)
    stopped = 0
    for space, neighbours, corners in spaces(rng, 60):
        source = [int(rng.integers(0, size(space)))]
        targets = rng.integers(0, size(space), int(rng.integers(1, 4)))
        whole, before = distances(space, source, neighbours=neighbours, corners=corners)
        part, parent = distances(space, source, targets=targets, neighbours=neighbours, corners=corners)
        settled = whole <= whole[targets].max()
        settled &= np.isfinite(whole)
        assert np.array_equal(part, np.where(settled, whole, np.inf))
        assert np.array_equal(parent, np.where(settled, before, -1))
        stopped += settled.sum() < np.isfinite(whole).sum()
    assert stopped > 15


def test_arcs_without_cost():
    graph = Graph.from_arcs(np.zeros((5, 2)), [0, 1, 2, 1, 3], [1, 2, 1, 3, 4], [0, 0, 0, 2, 0], "zero")
    distance, parent = distances(graph, [0], targets=[2])
    assert distance.tolist() == [0, 0, 0, np.inf, np.inf]
    assert parent.tolist() == [-1, 0, 1, -1, -1]
    assert distances(graph, [0])[0].tolist() == [0, 0, 0, 2, 2]


def test_a_step_is_paid_for_by_the_cell_that_it_enters():
    grid = Grid.from_text("159")
    assert distances(grid, [0])[0].tolist() == [0, 5, 14]
    assert distances(grid, [2])[0].tolist() == [6, 5, 0]


def test_no_targets_and_no_sources_reach_nothing():
    grid = Grid.from_text("..#")
    assert np.isinf(distances(grid, [0], targets=[])[0]).all()
    assert np.isinf(distances(grid, [])[0]).all()
    assert np.isinf(distances(grid, [2])[0]).all()
    assert distances(grid, [0, 0])[0].tolist() == [0, 1, np.inf]


def test_dijkstra_finds_what_astar_finds():
    rng = np.random.default_rng(3)
    for space, neighbours, corners in spaces(rng, 45):
        start, goal = (int(v) for v in rng.integers(0, size(space), 2))
        options = {"neighbours": neighbours, "corners": corners}
        result, other = dijkstra(space, start, goal, **options), astar(space, start, goal, **options)
        assert result.status is other.status
        assert result.reason == other.reason
        assert result.stats.get("nearest") == other.stats.get("nearest")
        if result.value:
            assert result.value.cost == pytest.approx(other.value.cost, abs=1e-9)
            assert result.bound == result.value.cost
            assert walked(space, result.value.vertices, neighbours, corners) == pytest.approx(result.value.cost)
        traced = dijkstra(space, start, goal, traced=True, **options)
        assert traced.stats == result.stats
        if traced.trace:
            assert len(traced.trace.vertex) == result.stats["expanded"] + result.stats["generated"]
            expanded = traced.trace.g[traced.trace.event == 1]
            lattice = isinstance(space, Grid) and space.uniform
            assert (expanded >= np.maximum.accumulate(expanded) - 0.3 * lattice).all()
            assert len(set(traced.trace.vertex[traced.trace.event == 1].tolist())) == len(expanded)


def test_limit():
    grid = Grid.from_text(".....\n.....")
    needed = int(dijkstra(grid, 0, 9).stats["expanded"])
    result = dijkstra(grid, 0, 9, limit=needed - 1)
    assert (result.status, result.value) == (Status.LIMIT, None)
    assert 0 < result.bound <= dijkstra(grid, 0, 9, limit=needed).value.cost


def test_wrong_input():
    grid = Grid.from_text("..")
    with pytest.raises(InputError, match="the source is outside the map; found vertex 2; expected vertices 0 to 1"):
        distances(grid, [2])
    with pytest.raises(InputError, match="the target is outside the map; found vertex -1"):
        distances(grid, [0], targets=[-1])
    with pytest.raises(InputError, match="the start is outside the map"):
        dijkstra(grid, 5, 0)
    with pytest.raises(InputError, match="limit of expansions"):
        dijkstra(grid, 0, 1, limit=-2)
