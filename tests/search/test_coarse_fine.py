import numpy as np
import pytest
from search_oracle import all_distances
from way_checks import RULES, check, check_traced, worlds

from anabasis import Graph, Grid, InputError, Status
from anabasis.metrics.paths import path_faults
from anabasis.noun import state_hash
from anabasis.search.astar import astar
from anabasis.search.coarse_fine import CoarseFine, coarse_fine


def terrain(rng, side=24, share=0.3, ratio=4):
    """A map of free and blocked blocks, as fine cells."""
    return Grid.from_free(rng.random((side, side)) > share).scaled(ratio)


@pytest.mark.parametrize("ratio", [1, 2, 3, 4])
def test_a_real_way_is_found_whenever_there_is_one(ratio):
    solved = fine = 0
    for space, start, goal, options in worlds(120, seed=ratio, kinds="uw"):
        result, best = check(coarse_fine, space, start, goal, options, ratio=ratio)
        assert bool(result) == np.isfinite(best)
        solved += bool(result)
        fine += result.stats.get("fine", 0)
        check_traced(coarse_fine, space, start, goal, options, ratio=ratio)
    assert solved > 25
    assert (fine > 5) == (ratio > 1)


@pytest.mark.parametrize("ahead", [None, 0, 3, -1])
def test_on_maps_of_blocks_the_coarse_map_is_enough(ahead):
    rng, solved = np.random.default_rng(2), 0
    for k in range(40):
        grid, options = terrain(rng, 10), {"neighbours": RULES[k % 4][0], "corners": RULES[k % 4][1]}
        start, goal = rng.choice(np.flatnonzero(grid.free), 2).tolist()
        result, best = check(coarse_fine, grid, start, goal, options, ahead=ahead)
        assert bool(result) == np.isfinite(best)
        assert result.stats.get("fine", 0) == 0
        solved += bool(result)
    assert solved > 15


@pytest.mark.parametrize(("unit", "diagonal"), [(10, 14), (1000, 1414), (1, 1)])
def test_prices_are_whole_numbers_and_the_least_ones(unit, diagonal):
    rng = np.random.default_rng(4)
    for metric in (None, "zero", "euclidean", "chebyshev"):
        grid = terrain(rng, 20)
        search = CoarseFine(grid, unit=unit, metric=metric)
        coarse = search.blocks.coarse
        scaled = np.flatnonzero(coarse.free)
        for start, goal in rng.choice(scaled, (10, 2)).tolist():
            found = search.find(*search.blocks.middles(np.array([start, goal])).tolist())
            wanted = integer_prices(coarse, start, unit, diagonal)[goal]
            assert found.stats.get("price", np.inf) == wanted


def integer_prices(coarse, start, straight, diagonal):
    """Bellman and Ford, in whole numbers."""
    price = np.full(coarse.cost.shape, np.inf)
    price.reshape(-1)[start] = 0
    free = np.pad(coarse.free, 1)
    height, width = coarse.cost.shape
    while True:
        before, padded = price.copy(), np.pad(price, 1, constant_values=np.inf)
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                sides = free[1:-1, 1 + dx : 1 + dx + width] & free[1 + dy : 1 + dy + height, 1:-1]
                step = padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width] + (
                    diagonal if dx and dy else straight if dx or dy else 0
                )
                price = np.minimum(price, np.where(coarse.free & (sides | (dx * dy == 0)), step, np.inf))
        if np.array_equal(before, price):
            return price.reshape(-1)


def test_open_ground_is_crossed_in_one_line():
    grid = Grid.from_free(np.ones((40, 60), bool))
    for start, goal in ((0, 2399), (61, 1337), (2340, 59), (5, 5)):
        route = CoarseFine(grid).route(start, goal)
        assert route.result.stats["lines"] == 1
        assert route.corners.tolist() == grid.centres([start, goal]).tolist()
        cells = grid.centres(route.result.value.vertices)
        ends, far = cells[-1] - cells[0], max(1.0, np.abs(cells[-1] - cells[0]).max())
        off = (cells - cells[0]) - np.abs(cells - cells[0]).max(axis=1)[:, None] * ends / far
        assert np.abs(off).max() <= 0.5  # of the straight line, so it is Bresenham's
        assert route.result.value.cost == pytest.approx(astar(grid, start, goal).value.cost)


def test_a_far_look_ahead_makes_fewer_lines_and_none_makes_one_a_block():
    rng = np.random.default_rng(5)
    lines = dict.fromkeys((None, 0, 2, 10, -1), 0)
    costs = dict.fromkeys(lines, 0.0)
    for _ in range(25):
        grid = terrain(rng, 30, 0.2)
        start, goal = rng.choice(np.flatnonzero(grid.free), 2).tolist()
        search = CoarseFine(grid)
        for ahead in lines:
            route = search.route(start, goal, ahead=ahead)
            if route.result:
                lines[ahead] += route.result.stats["lines"]
                costs[ahead] += route.result.value.cost
                assert len(route.corners) == route.result.stats["lines"] + 1
                if ahead is None:
                    assert route.result.stats["lines"] == max(1, len(route.blocks) - 1)
    assert lines[None] > lines[0] > lines[2] >= lines[10] >= lines[-1]
    assert costs[-1] <= costs[None]


def test_a_step_through_a_corner_between_blocks_is_a_real_one():
    grid = Grid.from_text(".#\n#.").scaled(4)
    start, goal = grid.vertex(0, 3), grid.vertex(4, 7)
    route = CoarseFine(grid, corners="none").route(start, goal)
    assert route.result.stats["onesteps"] == 1
    assert path_faults(grid, route.result.value, start=start, goal=goal, corners="none") == []
    assert CoarseFine(grid, corners="loose").find(start, goal).status is Status.NO_SOLUTION


def test_an_unreachable_goal_is_approached_as_near_as_can_be():
    rng, approached = np.random.default_rng(6), 0
    for k in range(60):
        grid = terrain(rng, 12, 0.45)
        start = int(rng.choice(np.flatnonzero(grid.free)))
        goal = int(rng.integers(grid.cost.size))
        metric = ("manhattan", None)[k % 2]
        search = CoarseFine(grid, metric=metric)
        coarse, block = search.blocks.coarse, search.blocks.block
        way = all_distances(coarse, [block(start)])[0]
        route = search.approach(start, goal)
        assert route.result
        assert path_faults(grid, route.result.value, start=start, goal=route.goal) == []
        if np.isfinite(way[block(goal)]):
            assert route.goal == goal
            continue
        assert search.find(start, goal).status is Status.NO_SOLUTION
        numbers = np.arange(coarse.cost.size)
        dx = abs(numbers % 12 - block(goal) % 12)
        dy = abs(numbers // 12 - block(goal) // 12)
        estimate = dx + dy if metric else 1000 * abs(dx - dy) + 1414 * np.minimum(dx, dy)
        least = estimate[np.isfinite(way)].min()
        assert estimate[block(route.goal)] == least
        approached += 1
    assert approached > 15


def test_approaching_where_blocks_are_free_in_part():
    grid = Grid.from_text("...#.\n...#.\n...#.")
    route = CoarseFine(grid, ratio=2).approach(0, 4)
    assert (route.goal, route.result.value.cost) == (2, 2)
    blocked = Grid.from_text("#..")
    assert CoarseFine(blocked).approach(0, 2).result.status is Status.NO_SOLUTION


def test_few_blocks_are_searched_and_fewer_still_in_the_way_of_the_original():
    rng = np.random.default_rng(7)
    fine = coarse = original = quick = 0
    for _ in range(12):
        grid = terrain(rng, 40, 0.25)
        start, goal = rng.choice(np.flatnonzero(grid.free), 2).tolist()
        plain = astar(grid, start, goal)
        if plain:
            fine += plain.stats["expanded"]
            coarse += coarse_fine(grid, start, goal).stats["expanded"]
            original += coarse_fine(grid, start, goal, metric="manhattan").stats["expanded"]
            quick += coarse_fine(grid, start, goal, weight=2).stats["expanded"]
    assert fine > 8 * coarse
    assert original < coarse
    assert quick < coarse


def test_weights_trade_price_for_expansions():
    rng = np.random.default_rng(8)
    rows = []
    for _ in range(12):
        grid = terrain(rng, 30, 0.3)
        start, goal = rng.choice(np.flatnonzero(grid.free), 2).tolist()
        if astar(grid, start, goal):
            stats = [coarse_fine(grid, start, goal, weight=w).stats for w in (0, 1, 1.5, 1000)]
            rows.append([(s["expanded"], s["price"]) for s in stats])
    expanded, price = np.array(rows, float).sum(axis=0).T
    assert expanded[0] > expanded[1] > expanded[2]
    assert price[0] == price[1] <= price[2] < price[3]


def test_dear_ground_is_not_crossed_to_make_a_line_straighter():
    free = np.ones((40, 40), bool)
    cost = np.where(free, 1.0, np.inf)
    cost[12:28, 4:36] = 9.0
    grid = Grid(cost, np.full((40, 40), ord("."), np.uint8))
    start, goal = grid.vertex(20, 2), grid.vertex(20, 38)
    assert coarse_fine(grid, start, goal).value.cost < 1.2 * astar(grid, start, goal).value.cost


def test_limit_recording_and_wrong_input():
    grid = Grid.from_free(np.ones((40, 40), bool))
    stopped = coarse_fine(grid, 0, 1599, limit=3)
    assert (stopped.status, stopped.stats["expanded"]) == (Status.LIMIT, 3)
    trace = coarse_fine(grid, 0, 1599, traced=True).trace
    assert set(trace.vertex.tolist()) <= set(CoarseFine(grid).blocks.middles(np.arange(100)).tolist())
    assert state_hash(coarse_fine(grid, 0, 1599)) == state_hash(CoarseFine(grid).find(0, 1599))
    for options in ({"ratio": 0}, {"unit": 0}, {"unit": 1.5}, {"weight": -1}, {"metric": "taxi"}, {"ahead": 0.5}):
        with pytest.raises(InputError):
            coarse_fine(grid, 0, 1599, **options)
    with pytest.raises(InputError, match="found a Graph"):
        coarse_fine(Graph.from_arcs([[0, 0]], [], [], []), 0, 0)
