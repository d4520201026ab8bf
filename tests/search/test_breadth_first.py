"""Breadth-first search: fewest steps, as networkx counts them."""

from itertools import pairwise, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.result import Status, TraceEvent
from anabasis.search.breadth_first import breadth_first, breadth_first_steps


def steps_of(grid: Grid, neighbours: int, corners: str) -> nx.DiGraph:
    graph = nx.DiGraph()
    for y, x, dx, dy in product(range(grid.height), range(grid.width), (-1, 0, 1), (-1, 0, 1)):
        if grid.is_free(x, y):
            graph.add_node(grid.vertex(x, y))
        if (dx, dy) == (0, 0) or not (grid.is_free(x, y) and grid.is_free(x + dx, y + dy)):
            continue
        sides = grid.is_free(x + dx, y) + grid.is_free(x, y + dy)
        if not (dx and dy) or (neighbours == 8 and sides >= {"strict": 2, "loose": 1, "none": 0}[corners]):
            cost = grid.cost[y + dy, x + dx] * float(np.hypot(dx, dy))
            graph.add_edge(grid.vertex(x, y), grid.vertex(x + dx, y + dy), cost=cost)
    return graph


@settings(deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(1, 12),
    st.integers(1, 12),
    st.floats(0, 0.45),
    st.sampled_from([4, 8]),
    st.sampled_from(["strict", "loose", "none"]),
)
def test_on_grids(seed: int, width: int, height: int, share: float, neighbours: int, corners: str) -> None:
    rng = np.random.default_rng(seed)
    cost = rng.integers(1, 4, (height, width)).astype(float)
    cost[rng.random(cost.shape) < share] = np.inf
    grid = Grid(cost, np.full(cost.shape, ord("."), np.uint8))
    graph = steps_of(grid, neighbours, corners)
    start, goal = rng.integers(cost.size, size=2).tolist()
    expected = nx.single_source_shortest_path_length(graph, start) if start in graph else {}
    steps = breadth_first_steps(grid, start, neighbours=neighbours, corners=corners)
    assert dict(enumerate(steps.tolist())) == {v: expected.get(v, -1) for v in range(cost.size)}
    result = breadth_first(grid, start, goal, neighbours=neighbours, corners=corners)
    if goal in expected:
        path = result.value
        assert path is not None
        assert len(path.vertices) - 1 == expected[goal] == result.stats["steps"]
        walked = sum(graph.edges[u, v]["cost"] for u, v in pairwise(path.vertices.tolist()))
        assert path.cost == pytest.approx(walked, rel=1e-12)
        assert result.bound <= path.cost
    else:
        assert result.status is Status.NO_SOLUTION
        assert result.reason
        assert ("nearest_x" in result.stats) == (start in graph)


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 20), st.integers(0, 60))
def test_on_graphs(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    tails, heads, weights = rng.integers(n, size=m), rng.integers(n, size=m), rng.random(m)
    graph = Graph.from_arcs(rng.random((n, 2)), tails, heads, weights, "zero")
    model = nx.MultiDiGraph()
    model.add_nodes_from(range(n))
    model.add_edges_from(zip(tails.tolist(), heads.tolist(), strict=True))
    expected = nx.single_source_shortest_path_length(model, 0)
    assert breadth_first_steps(graph, [0]).tolist() == [expected.get(v, -1) for v in range(n)]
    assert bool(breadth_first(graph, 0, n - 1)) == (n - 1 in expected)


def test_several_starts_and_blocked_ones() -> None:
    grid = Grid.from_text(".....#.")
    assert breadth_first_steps(grid, [0, 4, 5]).tolist() == [0, 1, 2, 1, 0, -1, -1]


def test_limit_and_wrong_input() -> None:
    grid = Grid.from_text(".....#.")
    result = breadth_first(grid, 0, 4, limit=2)
    assert result.status is Status.LIMIT
    assert result.stats["expanded"] == 2
    assert "not connected" in breadth_first(grid, 0, 6).reason
    assert "the start, x=5 (column), y=0 (row), is blocked" in breadth_first(grid, 5, 0).reason
    with pytest.raises(InputError, match="the goal is outside the map; found vertex 7"):
        breadth_first(grid, 0, 7)
    with pytest.raises(InputError, match="number of neighbours"):
        breadth_first_steps(grid, 0, neighbours=5)


def test_a_trace_has_the_fewest_steps_first():
    grid = Grid.from_text(".....\n.###.\n.....")
    result = breadth_first(grid, 0, 14, traced=True)
    plain = breadth_first(grid, 0, 14)
    assert result.value.vertices.tolist() == plain.value.vertices.tolist()
    expanded = result.trace.event == TraceEvent.EXPAND.value
    assert expanded.sum() == result.stats["expanded"]
    steps = breadth_first_steps(grid, [0])[result.trace.vertex[expanded]]
    assert (np.diff(steps) >= 0).all()
    assert plain.trace is None
