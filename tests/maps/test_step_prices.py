"""Step prices: arcs against the rule in plain Python, shortest ways against networkx, and what slopes promise."""

import math

import networkx as nx
import numpy as np
import pytest
from scipy import ndimage

import anabasis
from anabasis import Grid, InputError
from anabasis.maps.step_prices import step_graph
from anabasis.movement import movement_class
from anabasis.search.astar import astar
from anabasis.search.dijkstra import dijkstra

LETTERS = np.frombuffer(b"GGGfh^W~+", np.uint8)
CASES = [(8, "strict"), (8, "loose"), (8, "none"), (4, "strict")]


def land(seed, width=9, height=7, letters=LETTERS):
    rng = np.random.default_rng(seed)
    return rng.choice(letters, (height, width)), rng.normal(0, 3, (height, width))


def plain_arcs(terrain, heights, movement, neighbours, corners, uphill, downhill, steepest=math.inf):
    """The arcs by the rule: {(tail, head): price}; heights are in cell sides."""
    height, width = terrain.shape
    cost = movement_class(movement).cost[terrain]
    arcs = {}
    for y in range(height):
        for x in range(width):
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    j, i = y + dy, x + dx
                    if (dx, dy) == (0, 0) or not (0 <= j < height and 0 <= i < width):
                        continue
                    if math.isinf(cost[y, x]) or math.isinf(cost[j, i]) or (neighbours == 4 and dx and dy):
                        continue
                    sides = [math.isfinite(cost[y, i]), math.isfinite(cost[j, x])]
                    if dx and dy and not {"strict": all(sides), "loose": any(sides), "none": True}[corners]:
                        continue
                    length = math.hypot(dx, dy)
                    slope = (heights[j, i] - heights[y, x]) / length
                    if {chr(terrain[y, x]), chr(terrain[j, i])} & set("W~+"):
                        slope = 0.0
                    if abs(slope) <= steepest:
                        dear = 1 + max(0, slope) * uphill + max(0, -slope) * downhill
                        arcs[y * width + x, j * width + i] = length * cost[j, i] * dear
    return arcs


def arcs_of(graph):
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    return dict(zip(zip(tails.tolist(), graph.indices.tolist(), strict=True), graph.weights.tolist(), strict=True))


@pytest.mark.parametrize(("neighbours", "corners"), CASES)
@pytest.mark.parametrize("movement", ["land", "water", "amphibious", "G:1 fh:2.5 W:3"])
def test_arcs_follow_the_rule(neighbours, corners, movement):
    terrain, heights = land(1)
    graph = step_graph(
        terrain, heights, movement, neighbours=neighbours, corners=corners, uphill=1.5, downhill=0.4, relief=None
    )
    wanted = plain_arcs(terrain, heights, movement, neighbours, corners, 1.5, 0.4)
    found = arcs_of(graph)
    assert len(found) == graph.indices.size > 0
    assert found == pytest.approx(wanted, rel=1e-12)
    assert graph.points.tolist() == [[x + 0.5, y + 0.5] for y in range(7) for x in range(9)]


@pytest.mark.parametrize(("neighbours", "corners"), CASES)
def test_shortest_ways_are_those_of_networkx(neighbours, corners):
    terrain, heights = land(2, 14, 12)
    options = {"neighbours": neighbours, "corners": corners}
    graph = step_graph(terrain, heights, "amphibious", uphill=3, downhill=1, relief=None, **options)
    net = nx.DiGraph()
    net.add_nodes_from(range(graph.size))
    arcs = plain_arcs(terrain, heights, "amphibious", neighbours, corners, 3, 1)
    net.add_weighted_edges_from((a, b, price) for (a, b), price in arcs.items())
    there_and_back = 0
    for start in (0, 50, 101):
        wanted = nx.single_source_dijkstra_path_length(net, start)
        for goal in range(0, graph.size, 3):
            for search in (astar, dijkstra):
                result = search(graph, start, goal)
                assert bool(result) == (goal in wanted)
                if result:
                    assert result.value.cost == pytest.approx(wanted[goal], rel=1e-12)
            if goal != start and goal in wanted:
                back = astar(graph, goal, start)
                there_and_back += back.value.cost != pytest.approx(wanted[goal], rel=1e-3)
    assert there_and_back > 50


def smooth_land(seed, side=60):
    rng = np.random.default_rng(seed)
    heights = ndimage.gaussian_filter(rng.normal(size=(side, side)), 5)
    terrain = np.where(rng.random((side, side)) < 0.15, ord("^"), ord("G")).astype(np.uint8)
    return terrain, heights


def test_the_metric_never_overestimates_and_the_search_opens_less():
    terrain, heights = smooth_land(3)
    graph = step_graph(terrain, heights)
    opened = [0, 0]
    rng = np.random.default_rng(4)
    for start, goal in rng.integers(0, graph.size, (60, 2)).tolist():
        with_metric, without = astar(graph, start, goal), dijkstra(graph, start, goal)
        assert bool(with_metric) == bool(without)
        if with_metric:
            assert with_metric.value.cost == pytest.approx(without.value.cost, rel=1e-12)
            opened[0] += with_metric.stats["expanded"]
            opened[1] += without.stats["expanded"]
    assert opened[0] < 0.8 * opened[1]


def test_the_way_back_differs_by_the_height_alone_on_equal_ground():
    """Up and down along a way differ by the height of its ends, so on ground of one price so do there and back."""
    terrain, heights = smooth_land(5)
    heights *= 32 / (heights.max() - heights.min())
    graph = step_graph(terrain, heights, uphill=2, downhill=0.5, relief=None)
    flat = heights.ravel()
    compared = 0
    for start, goal in np.random.default_rng(6).integers(0, graph.size, (40, 2)).tolist():
        there, back = astar(graph, start, goal), astar(graph, goal, start)
        if there:
            rise = flat[goal] - flat[start]
            assert there.value.cost - back.value.cost == pytest.approx(1.5 * rise, abs=1e-9)
            assert start == goal or rise == 0 or (there.value.cost > back.value.cost) == (rise > 0)
            compared += 1
    assert compared > 20


def test_a_pass_is_cheaper_than_the_top():
    y, x = np.mgrid[:31, :31]
    ridge = np.maximum(0, 6 - abs(x - 15)) * (1 + np.abs(y - 25) / 5)  # lowest at y = 25
    terrain = np.full((31, 31), ord("G"), np.uint8)
    straight = astar(step_graph(terrain, ridge, uphill=0, downhill=0, relief=None), 15 * 31 + 1, 15 * 31 + 29)
    around = astar(step_graph(terrain, ridge, uphill=3, downhill=1, relief=None), 15 * 31 + 1, 15 * 31 + 29)
    assert straight.value.cost == 28
    rows = around.value.vertices // 31
    assert rows.max() == 25
    assert around.value.cost > 28


@pytest.mark.parametrize(("neighbours", "corners"), CASES)
def test_level_land_is_the_grid(neighbours, corners):
    terrain, _ = land(7, 30, 20)
    grid = Grid.from_terrain(terrain, "amphibious")
    graph = step_graph(terrain, np.full((20, 30), 7.0), "amphibious", neighbours=neighbours, corners=corners)
    for start, goal in np.random.default_rng(8).integers(0, graph.size, (40, 2)).tolist():
        a, b = astar(graph, start, goal), astar(grid, start, goal, neighbours=neighbours, corners=corners)
        assert a.status == b.status
        if a:
            assert a.value.cost == b.value.cost
            assert a.value.vertices.tolist() == b.value.vertices.tolist()


def test_relief_scales_heights():
    terrain, heights = smooth_land(9, 20)
    span = heights.max() - heights.min()
    one = step_graph(terrain, heights, relief=10)
    other = step_graph(terrain, 1000 * heights + 5, relief=10)
    given = step_graph(terrain, heights * 10 / span, relief=None)
    assert one.weights == pytest.approx(other.weights, rel=1e-9)
    assert one.weights == pytest.approx(given.weights, rel=1e-9)
    dear = step_graph(terrain, heights, relief=20)
    assert (dear.weights >= one.weights).all()


@pytest.mark.parametrize("size", [1e-300, 1e100])
def test_the_unit_of_height_does_not_count(size):
    terrain, heights = smooth_land(15, 20)
    heights /= abs(heights).max()
    assert step_graph(terrain, heights * size).weights == pytest.approx(step_graph(terrain, heights).weights, rel=1e-9)


def test_what_is_too_steep_is_not_walked():
    terrain, heights = land(10, 20, 20)
    graph = step_graph(terrain, heights, "amphibious", relief=None, steepest=2.0)
    wanted = plain_arcs(terrain, heights, "amphibious", 8, "strict", 2, 1, steepest=2.0)
    assert arcs_of(graph) == pytest.approx(wanted, rel=1e-12)
    assert graph.indices.size < step_graph(terrain, heights, "amphibious", relief=None).indices.size


def test_ships_sail_on_level_water():
    terrain = np.full((8, 8), ord("W"), np.uint8)
    graph = step_graph(terrain, np.random.default_rng(11).normal(0, 50, (8, 8)), "water")
    assert set(np.round(graph.weights, 12)) == {1.0, round(2**0.5, 12)}


def test_prices_are_at_least_lengths_and_turn_with_the_land():
    terrain, heights = land(12, 15, 15)
    graph = step_graph(terrain, heights)
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    assert (graph.weights >= np.linalg.norm(graph.points[tails] - graph.points[graph.indices], axis=1) - 1e-12).all()
    turned = arcs_of(step_graph(terrain.T, heights.T))
    number = np.arange(225).reshape(15, 15).T.ravel()
    assert {(int(number[a]), int(number[b])): w for (a, b), w in turned.items()} == pytest.approx(arcs_of(graph))


def test_find_path_goes_along_the_graph():
    terrain, heights = smooth_land(13, 40)
    terrain[20, 2] = terrain[20, 37] = ord("G")
    graph, grid = step_graph(terrain, heights), Grid.from_terrain(terrain)
    there = anabasis.find_path(grid, (2, 20), (37, 20), graph=graph, ends="nearest")
    assert there.cost == astar(graph, grid.vertex(2, 20), grid.vertex(37, 20)).value.cost
    back = anabasis.find_path(grid, (37, 20), (2, 20), graph=graph, ends="nearest")
    assert back.cost != pytest.approx(there.cost, rel=1e-3)


def test_smallest_maps():
    one = step_graph(np.array([[ord("G")]]), np.zeros((1, 1)))
    assert (one.size, one.indices.size) == (1, 0)
    row = step_graph(np.array([[ord("G"), ord("f")]]), np.array([[0.0, 1.0]]), relief=None)
    assert row.weights.tolist() == [2 * 3, 1 * 2]
    assert step_graph(np.full((3, 3), ord("^")), np.zeros((3, 3))).indices.size == 0


def test_wrong_input_is_refused():
    terrain, heights = land(14)
    for options, message in (
        ({"uphill": 0.5}, "prices of slopes; found uphill 0.5, downhill 1; expected uphill at least downhill"),
        ({"downhill": -1}, "prices of slopes; found uphill 2, downhill -1"),
        ({"uphill": math.inf}, "prices of slopes; found uphill inf"),
        ({"uphill": math.nan}, "prices of slopes; found uphill nan"),
        ({"steepest": 0}, "steepest slope; found 0; expected a positive slope"),
        ({"relief": -3}, "relief; found -3; expected a positive length"),
        ({"neighbours": 6}, "number of neighbours; found 6"),
        ({"corners": "round"}, "unknown corner rule"),
        ({"movement": "air"}, "movement class"),
    ):
        with pytest.raises(InputError, match=message):
            step_graph(terrain, heights, **options)
    with pytest.raises(InputError, match="heights has the wrong shape; found 2×2; expected 7×9"):
        step_graph(terrain, np.zeros((2, 2)))
    with pytest.raises(InputError, match="heights must be finite"):
        step_graph(terrain, np.full(terrain.shape, np.inf))
