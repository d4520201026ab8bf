"""Field D*: valid ways with exact costs, the field by brute force, mended as new, beside octile and best ways."""

import math
from itertools import pairwise

import numpy as np
import pytest
from change_worlds import cell_changes, grid_world, ground
from way_checks import check_traced

from anabasis import Graph, Grid, InputError, Status
from anabasis._kernel.sight import segment_cost
from anabasis.metrics.paths import path_faults
from anabasis.search.anya import anya
from anabasis.search.astar import astar
from anabasis.search.field_dstar import FieldDStar, field_dstar

UNIFORM, TERRAIN, NEAR = [1.0], [1.0, 2.0, 8.0], [1.0, 1.1, 2.7]
SHARES = np.linspace(0, 1, 4001)


def octile(grid, start, goal):
    """The integral of the price along a cheapest way of steps, None without one."""
    path = astar(grid, start, goal, corners="loose").value
    if path is None:
        return None
    cells = [grid.cell(v) for v in path.vertices]
    return sum(segment_cost(grid.cost, *a, *b) for a, b in pairwise(cells))


def brute_field(grid, goal):
    """The equations of the paper, each minimum taken over many points of a side, repeated until nothing changes."""
    width, height = grid.width, grid.height
    price = np.pad(grid.cost, 1, constant_values=np.inf)
    goal_x, goal_y = grid.cell(goal)
    g = {(i, j): math.inf for j in range(height + 1) for i in range(width + 1)}

    def free(i, j):
        return [price[j + b, i + a] < np.inf for b, a in ((0, 0), (0, 1), (1, 0), (1, 1))]

    def best(i, j):
        around = free(i, j)
        if around in ([True, False, False, True], [False, True, True, False]):
            return math.inf
        found = math.inf
        last = price[goal_y + 1, goal_x + 1]
        if i - goal_x in (0, 1) and j - goal_y in (0, 1):
            found = last * math.sqrt(0.5)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):  # over a side of the goal's cell
            x, y = goal_x + dx, goal_y + dy
            if i - x in (0, 1) and j - y in (0, 1) and price[y + 1, x + 1] < np.inf:
                qx = goal_x + (1 + dx) / 2 if dx else goal_x + SHARES
                qy = goal_y + (1 + dy) / 2 if dy else goal_y + SHARES
                c = price[y + 1, x + 1]
                if i - goal_x in (0, 1) and j - goal_y in (0, 1):  # along it
                    c = min(c, last)
                way = c * np.hypot(qx - i, qy - j) + last * np.hypot(qx - goal_x - 0.5, qy - goal_y - 0.5)
                found = min(found, float(way.min()))
        for dx in (-1, 1):
            for dy in (-1, 1):
                c = price[j + (dy > 0), i + (dx > 0)]
                far = g.get((i + dx, j + dy), math.inf)
                sides = (
                    (price[j + (dy < 0), i + (dx > 0)], g.get((i + dx, j), math.inf)),
                    (price[j + (dy > 0), i + (dx < 0)], g.get((i, j + dy), math.inf)),
                )
                for b, near in sides:
                    found = min(found, min(b, c) + near)
                    if c < np.inf:
                        between = near + SHARES[:-1] * (far - near) if max(near, far) < np.inf else math.inf
                        found = min(found, float(np.min(c * np.sqrt(1 + SHARES[:-1] ** 2) + between)))
                        found = min(found, c * math.sqrt(2) + far)
                        if b < c:  # along the side first
                            found = min(found, float(np.min(b * SHARES + c * np.sqrt(1 + (1 - SHARES) ** 2))) + far)
        return found

    changed = True
    while changed:
        changed = False
        for at, old in g.items():
            new = best(*at)
            changed = changed or new < old - 1e-12
            g[at] = min(old, new)
    return np.array([[g[i, j] for i in range(width + 1)] for j in range(height + 1)])


def test_the_field_is_that_of_brute_force():
    rng, compared = np.random.default_rng(1), 0
    for number in range(24):
        grid = grid_world(rng, [UNIFORM, TERRAIN, NEAR][number % 3], side=4)
        start, goal = rng.integers(0, grid.cost.size, 2).tolist()
        unit = FieldDStar(grid, start, goal)
        if start == goal or not unit.path():
            continue
        x, y = grid.cell(start)
        found = unit.field()[y : y + 2, x : x + 2]
        exact = brute_field(grid, goal)[y : y + 2, x : x + 2]
        needed = exact < exact.min() + 0.5
        assert found[needed] == pytest.approx(exact[needed], rel=1e-6)
        compared += needed.sum()
    assert compared > 15


def compare(count, side, seed):
    """Return how many ways were checked, how much dearer than the octile way each is, and than the best one."""
    rng, beside_octile, beside_best = np.random.default_rng(seed), [], []
    for number in range(count):
        terrain = [UNIFORM, TERRAIN, NEAR][number % 3]
        grid = grid_world(rng, terrain, side)
        start, goal = rng.integers(0, grid.cost.size, 2).tolist()
        result, steps = field_dstar(grid, start, goal), octile(grid, start, goal)
        if result.value is None:
            plain = astar(grid, start, goal, corners="loose")
            assert steps is None
            assert result.reason == plain.reason
            assert result.stats.get("nearest") == plain.stats.get("nearest")
            continue
        assert path_faults(grid, result.value, start=start, goal=goal, corners="loose") == []
        assert result.bound <= result.value.cost
        if start != goal:
            beside_octile.append(result.value.cost / steps)
            if terrain is UNIFORM:
                beside_best.append(result.value.cost / anya(grid, start, goal).value.cost)
    return np.array(beside_octile), np.array(beside_best)


def test_ways_are_valid_and_cost_what_they_say_and_lie_between_the_best_and_the_octile_one():
    beside_octile, beside_best = compare(300, 20, seed=2)
    assert len(beside_octile) > 150
    assert beside_octile.mean() < 0.94
    assert beside_octile.max() < 1.001
    assert beside_best.min() > 1 - 1e-12
    assert beside_best.mean() < 1.001
    assert beside_best.max() < 1.02


@pytest.mark.long
def test_many_ways_are_valid():
    beside_octile, _ = compare(6_000, 60, seed=3)
    assert len(beside_octile) > 3_000
    assert (beside_octile > 1.001).mean() < 0.005
    assert beside_octile.max() < 1.03


def walk(rng, side, steps):
    """Change a map again and again; return how many mended ways were as cheap as new ones."""
    terrain = [UNIFORM, TERRAIN, NEAR][rng.integers(3)]
    grid, ways = grid_world(rng, terrain, side), 0
    start, goal = rng.integers(0, grid.cost.size, 2).tolist()
    unit, cost = FieldDStar(grid, start, goal), grid.cost.copy().reshape(-1)
    for _ in range(steps):
        cells, prices = cell_changes(rng, cost, terrain, int(rng.choice([1, 4, 20])))
        assert unit.change(cells, prices) == (cost[cells] != prices).sum()
        cost[cells] = prices
        if rng.random() < 0.4:
            unit.move_to(int(rng.integers(cost.size)))
        now = ground(cost.reshape(grid.cost.shape))
        fresh = FieldDStar(now, unit.start, goal)
        result, anew = unit.path(), fresh.path()
        assert result.status is anew.status
        assert result.reason == anew.reason
        if result.value and anew.value:
            assert path_faults(now, result.value, start=unit.start, goal=goal, corners="loose") == []
            x, y = grid.cell(unit.start)
            around = slice(y, y + 2), slice(x, x + 2)
            if unit.start != goal:
                assert unit.field()[around].min() == pytest.approx(fresh.field()[around].min(), rel=1e-11)
            assert result.value.cost == pytest.approx(anew.value.cost, rel=1e-9)
            ways += 1
    return ways


def test_a_mended_way_is_that_of_a_new_search():
    rng = np.random.default_rng(4)
    assert sum(walk(rng, 14, 20) for _ in range(50)) > 300


def test_little_is_done_where_little_changes():
    rng = np.random.default_rng(5)
    cost = rng.choice([1.0, 2.0], (80, 80))
    unit = FieldDStar(ground(cost), 0, 6399)
    first = unit.path().stats["expanded"]
    again = unit.path()
    assert again.stats["expanded"] == 0
    cost[3, 5] = 8.0
    assert unit.change([3 * 80 + 5], [8.0]) == 1
    assert unit.path().stats["expanded"] < first / 4
    assert unit.change([3 * 80 + 5], [8.0]) == 0


def test_any_angle_in_the_open_and_a_cheap_lane():
    empty = Grid.from_free(np.ones((12, 30), bool))
    path = field_dstar(empty, 0, empty.vertex(29, 9)).value
    assert path.cost == pytest.approx(math.hypot(29, 9), rel=0.005)
    lane = Grid.from_text("88888888\n11111111\n88888888")
    path = field_dstar(lane, 0, 7).value
    assert path.cost < octile(lane, 0, 7) + 1e-9
    assert path_faults(lane, path, start=0, goal=7, corners="loose") == []


def test_nothing_squeezes_between_two_walls_that_touch():
    assert field_dstar(Grid.from_text(".#\n#."), 0, 3).status is Status.NO_SOLUTION
    around = field_dstar(Grid.from_text("...\n.#.\n#.."), 3, 7)
    assert around.value.cost > 3


def test_a_search_can_be_traced_and_stopped():
    grid = grid_world(np.random.default_rng(8), TERRAIN, 30)
    start, goal = np.flatnonzero(grid.free)[[0, -1]].tolist()
    check_traced(field_dstar, grid, start, goal, {})
    trace = field_dstar(grid, start, goal, traced=True).trace
    assert trace is None or len(trace.points) == (grid.width + 1) * (grid.height + 1)
    result = field_dstar(Grid.from_free(np.ones((20, 20), bool)), 0, 399, limit=7)
    assert result.status is Status.LIMIT
    assert result.stats["expanded"] == 7
    assert result.bound == pytest.approx(19 * math.sqrt(2))


def test_ends_and_wrong_input():
    grid = Grid.from_text("....\n.##.\n....")
    assert field_dstar(grid, 4, 4).value.points.tolist() == [[0.5, 1.5]]
    assert field_dstar(Grid.from_text("."), 0, 0).value.cost == 0
    assert field_dstar(grid, 5, 0).reason == "the start, x=1 (column), y=1 (row), is blocked"
    assert field_dstar(grid, 0, 5).reason == "the goal, x=1 (column), y=1 (row), is blocked"
    with pytest.raises(InputError, match="corner rule of field-dstar; found 'strict'; expected 'loose'"):
        field_dstar(grid, 0, 1, corners="strict")
    with pytest.raises(InputError, match="number of neighbours of field-dstar; found 4; expected 8"):
        field_dstar(grid, 0, 1, neighbours=4)
    with pytest.raises(InputError, match="needs a map of cells"):
        field_dstar(Graph.from_arcs([(0, 0), (1, 0)], [0], [1], [1]), 0, 1)
    unit = FieldDStar(grid, 0, 11)
    for cells, prices, complaint in (
        ([12], [1.0], "the changed vertex is outside the map; found vertex 12"),
        ([1, 2], [2.0, 0.5], r"price of x=2 \(column\), y=0 \(row\); found 0.5"),
        ([1], [1.0, 1.0], "number of prices; found 2; expected 1"),
    ):
        with pytest.raises(InputError, match=complaint):
            unit.change(cells, prices)
    with pytest.raises(InputError, match="outside the map"):
        unit.move_to(12)
    assert unit.path().value.cost == field_dstar(grid, 0, 11).value.cost


def test_of_several_prices_of_a_cell_the_last_counts():
    grid = Grid.from_text("...\n...\n...")
    unit, other = FieldDStar(grid, 3, 5), FieldDStar(grid, 3, 5)
    assert unit.change([4, 1, 4, 4], [np.inf, 5.0, 7.0, 1.0]) == 1
    assert other.change([1], [5.0]) == 1
    assert (unit.price == other.price).all()
    assert unit.path().value.cost == other.path().value.cost == 2
    assert unit.change([4, 4], [1.0, np.inf]) == 1
    assert unit.path().value.cost > 2
    with pytest.raises(InputError, match="limit"):
        unit.answer(-1)
    with pytest.raises(InputError, match="this needs a map of cells; found a Graph"):
        FieldDStar(Graph.from_arcs([(0.0, 0.0), (1.0, 0.0)], [0], [1], [1.0]), 0, 1)


def test_a_question_copies_neither_the_map_nor_the_queue(monkeypatch):
    unit = FieldDStar(Grid.from_text("." * 60 + "\n" + "." * 60), 0, 119)
    cost, rows = unit.path().value.cost, unit._search._rows
    monkeypatch.setattr("anabasis.search.field_dstar.Grid", None)  # no other map can be made
    assert unit.path().value.cost == cost
    assert unit.change([20, 100], [np.inf, np.inf]) == 2
    assert unit.path().value.cost > cost
    assert unit._search._rows is rows


def test_prices_that_would_hide_a_step_are_refused():
    cost = np.ones((6, 6))
    unit = FieldDStar(Grid.from_free(cost > 0), 0, 35)
    with pytest.raises(InputError, match=r"price of .*; found 1e\+300; expected at most 6.4\d*e\+13, so that no step"):
        unit.change([7, 8], [2.0, 1e300])
    assert unit.change([7], [1.0]) == 0
    cost[2, 2] = 1e300
    with pytest.raises(InputError, match=r"a price of the map; found 1e\+300"):
        FieldDStar(Grid(cost, np.full((6, 6), ord("."), np.uint8)), 0, 35)
