from heapq import heappop, heappush
from itertools import count

import networkx as nx
import numpy as np
import pytest
from change_worlds import Arcs, arc_changes, cell_changes, directed_world, grid_world, ground, hexagonal_world
from search_oracle import all_distances, arcs_of, walked
from way_checks import check_optimal, check_traced, worlds

from anabasis import Graph, Grid, InputError, Status
from anabasis.result import TraceEvent
from anabasis.search.lpa_star import LPAStar, lpa_star


def check_answer(search, space, neighbours, corners):
    best = float(all_distances(space, [search.start], neighbours, corners)[0][search.goal])
    result = search.path()
    if result.value is None:
        assert np.isinf(best)
        assert result.status is Status.NO_SOLUTION
        assert result.reason
        return 0
    vertices = result.value.vertices
    assert (vertices[0], vertices[-1]) == (search.start, search.goal)
    assert walked(space, vertices, neighbours, corners) == pytest.approx(result.value.cost, rel=1e-12)
    assert result.value.cost == pytest.approx(best, rel=1e-11)
    return 1


def change_a_map(rng, neighbours, corners, steps, optimized):
    terrain = ([1.0], [1.0, 2.0, 8.0], [1.0, 1.1, 2.7])[rng.integers(3)]
    grid = grid_world(rng, terrain)
    ends = rng.integers(0, grid.cost.size, 2).tolist()
    search = LPAStar(grid, *ends, neighbours=neighbours, corners=corners, optimized=optimized)
    cost, most, ways = grid.cost.copy().reshape(-1), int(rng.choice([1, 4, 20, 60])), 0
    for _ in range(steps):
        cells, prices = cell_changes(rng, cost, terrain, most)
        cost[cells], before = prices, cost[cells]
        assert search.change(cells, prices) == (before != prices).sum()
        ways += check_answer(search, ground(cost.reshape(grid.cost.shape)), neighbours, corners)
    return ways


def change_a_graph(rng, steps, optimized, hexagons):
    graph = hexagonal_world(rng) if hexagons else directed_world(rng)
    search = LPAStar(graph, *rng.integers(0, graph.size, 2).tolist(), optimized=optimized)
    arcs, ways = Arcs(graph), 0
    for _ in range(steps):
        if len(arcs.tails) and rng.random() < 0.6:
            changes = arc_changes(rng, graph)
            search.change_arcs(*changes)
            arcs.change(*changes)
        else:
            vertices, prices = cell_changes(rng, arcs.prices, [1.0, 1.5, 8.0], 10)
            keep = (vertices != search.start) & (vertices != search.goal)
            search.change(vertices[keep], prices[keep])
            arcs.prices[vertices[keep]] = prices[keep]
        ways += check_answer(search, arcs.now(), 8, "strict")
    return ways


def compare(worlds, steps, seed):
    rng = np.random.default_rng(seed)
    ways = 0
    for k in range(worlds):
        rule = [(4, "strict"), (8, "strict"), (8, "loose"), (8, "none"), None, None][k % 6]
        if rule:
            ways += change_a_map(rng, *rule, steps, k % 3 > 0)
        else:
            ways += change_a_graph(rng, steps, k % 3 > 0, k % 12 < 6)
    return ways


def test_every_answer_is_that_of_a_search_from_scratch():
    assert compare(60, 12, seed=3) > 250


@pytest.mark.long
def test_every_answer_is_that_of_a_search_from_scratch_30_000_times():
    assert compare(2_000, 15, seed=4) > 10_000


def plain_astar(grid, start, goal):
    """The vertices that A* expands, in its order: least f, of equals the least g, of equals the first inserted."""
    tails, heads, weights = arcs_of(grid, 4)
    out = {}
    for tail, head, weight in zip(tails.tolist(), heads.tolist(), weights.tolist(), strict=True):
        out.setdefault(tail, []).append((head, weight))
    number, width = count(), grid.width

    def key(v, g):
        return g + abs(v % width - goal % width) + abs(v // width - goal // width), g, next(number)

    def clockwise(arc):  # from east, as the project's searches look around
        return [1, width, -1, -width].index(arc[0] - here)

    best, queue, order, closed = {start: 0.0}, [(*key(start, 0.0), start)], [], set()
    while queue:
        *_, here = heappop(queue)
        if here == goal:
            return order, best[goal]
        if here in closed:
            continue
        closed.add(here)
        order.append(here)
        for v, weight in sorted(out.get(here, []), key=clockwise):
            if best[here] + weight < best.get(v, np.inf):
                best[v] = best[here] + weight
                heappush(queue, (*key(v, best[v]), v))
    return order, np.inf


def test_the_first_search_expands_the_vertices_of_astar_in_its_order():
    rng = np.random.default_rng(5)
    solved = 0
    for _ in range(60):
        grid = grid_world(rng, [1.0, 2.0, 8.0], side=20)
        free = np.flatnonzero(grid.free)
        if len(free) < 2 or grid.width < 2:
            continue
        start, goal = rng.choice(free, 2, replace=False).tolist()
        order, cost = plain_astar(grid, start, goal)
        result = lpa_star(grid, start, goal, neighbours=4, traced=True)
        expanded = result.trace.vertex[result.trace.event == TraceEvent.EXPAND.value].tolist()
        assert expanded == order
        if result.value:
            assert result.value.cost == cost
            solved += len(order) > 10
    assert solved > 20


def test_the_first_search_keeps_the_promises_of_astar():
    assert check_optimal(lpa_star) > 50
    for space, start, goal, options in worlds(30, seed=4):
        check_traced(lpa_star, space, start, goal, options)
    result = lpa_star(Grid.from_free(np.ones((20, 20), bool)), 0, 399, limit=7)
    assert result.status is Status.LIMIT
    assert result.stats["expanded"] == 7


def test_a_change_far_from_the_path_costs_nothing_and_one_on_it_little():
    search = LPAStar(Grid.from_free(np.ones((60, 60), bool)), 30 * 60 + 5, 30 * 60 + 50, neighbours=4)
    assert search.path().value.cost == 45
    assert (search.expanded, search.path().stats["expanded"]) == (45, 0)
    search.change([7, 8, 9], [np.inf] * 3)
    assert search.path().stats["expanded"] == 0
    search.change([30 * 60 + 45], [np.inf])
    assert search.path().value.cost == 47
    walled = ground(np.where(np.arange(3600) == 30 * 60 + 45, np.inf, 1.0).reshape(60, 60))
    scratch = lpa_star(walled, search.start, search.goal, neighbours=4)
    assert 0 < search.expanded < scratch.stats["expanded"]


def test_it_agrees_with_networkx_as_roads_close_and_open():
    graph = hexagonal_world(np.random.default_rng(6))
    model = nx.DiGraph()
    for tail, head, weight in zip(*(a.tolist() for a in arcs_of(graph)), strict=True):
        model.add_edge(tail, head, weight=weight)
    search, rng = LPAStar(graph, 0, graph.size - 1), np.random.default_rng(7)
    for _ in range(40):
        tails, heads, weights = arc_changes(rng, graph, 20)
        search.change_arcs(tails, heads, weights)
        for tail, head, weight in zip(tails.tolist(), heads.tolist(), weights.tolist(), strict=True):
            if np.isfinite(weight):
                model.add_edge(tail, head, weight=weight)
            elif model.has_edge(tail, head):
                model.remove_edge(tail, head)
        result = search.path()
        assert bool(result) == nx.has_path(model, 0, graph.size - 1)
        if result:
            best = nx.shortest_path_length(model, 0, graph.size - 1, "weight")
            assert result.value.cost == pytest.approx(best, rel=1e-12)


def test_blocked_ends_and_the_whole_map():
    search = LPAStar(Grid.from_text("...\n..."), 0, 2, neighbours=4)
    assert search.changed_from(Grid.from_text(".#.\n.3.")) == 2
    assert search.path().value.cost == 6
    search.change([0], [np.inf])
    assert search.path().reason == "the start, x=0 (column), y=0 (row), is blocked"
    search.change([0, 2], [1.0, np.inf])
    assert search.path().reason == "the goal, x=2 (column), y=0 (row), is blocked"
    search.change([2, 4], [2.0, np.inf])
    assert search.path().reason.startswith("the goal, x=2 (column), y=0 (row), is not connected to the start")
    search.change([1], [4.0])
    assert search.path().value.cost == 6
    assert search.touched().g[search.touched().vertices == 1].tolist() == [4.0]
    same = LPAStar(Grid.from_text("."), 0, 0).path()
    assert (same.value.vertices.tolist(), same.value.cost) == ([0], 0)
    with pytest.raises(InputError, match="outside the map"):
        search.change([6], [1.0])


def test_a_path_that_no_change_has_touched_is_the_same_one():
    search = LPAStar(Grid.from_free(np.ones((9, 30), bool)), 4 * 30 + 2, 4 * 30 + 12, neighbours=4)
    path = search.path().value
    assert search.change([20, 29], [np.inf, 5.0]) == 2
    again = search.path()
    assert again.value is path
    assert again.stats == {"expanded": 0, "updated": 0}
    on_it = int(path.vertices[5])
    search.change([on_it], [3.0])
    assert search.path().value.cost == 12.0
    search.change([search.goal], [np.inf])
    assert search.path().status is Status.NO_SOLUTION
    search.change([search.goal, on_it], [1.0, 1.0])
    assert search.path().value.cost == 10.0


def test_what_is_no_map_is_refused_as_a_new_one():
    graph = Graph.from_arcs([(0.0, 0.0), (1.0, 0.0)], [0], [1], [1.0])
    with pytest.raises(InputError, match="this needs a map of cells; found a Graph"):
        LPAStar(Grid.from_text(".."), 0, 1).changed_from(graph)
