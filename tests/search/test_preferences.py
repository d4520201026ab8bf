"""Preferences: prices by rules, checked cell by cell; ways that keep away; changes that mend as a new search finds."""

import math
from itertools import product

import networkx as nx
import numpy as np
import pytest
from change_worlds import ground

from anabasis import Grid, InputError
from anabasis.metrics.paths import path_faults
from anabasis.plan import Path
from anabasis.search.astar import astar
from anabasis.search.dstar_lite import DStarLite
from anabasis.search.preferences import (
    Preferences,
    preference_changes,
    preference_factors,
    preference_grid,
    true_cost,
)

LETTERS = list(".GT=8@")


def random_map(rng):
    height, width = rng.integers(1, 14, 2)
    terrain = np.array([ord(c) for c in LETTERS], np.uint8)[rng.integers(0, len(LETTERS), (height, width))]
    return Grid.from_terrain(terrain)


def random_rules(rng, grid):
    shape = grid.cost.shape
    return Preferences(
        terrain=(("=", float(rng.choice([0.25, 1.0]))), ("GT", float(rng.choice([1.0, 3.0])))),
        walls=float(rng.choice([0.5, 1.0, 4.0])),
        walls_range=float(rng.uniform(0.5, 4)),
        enemies=np.column_stack([rng.uniform(0, 14, (3, 2)), rng.choice([0.5, 2, 9], 3)])[: rng.integers(0, 4)],
        enemies_range=float(rng.uniform(1, 6)),
        mask=rng.choice([0.5, 1.0, 2.0], shape) if rng.random() < 0.5 else np.zeros((0, 0)),
    )


def to_wall(grid, x, y):
    """The octile distance to the nearest wall, straight 1 and diagonal 1.4, the frame of the map being one."""
    cells = product(range(-1, grid.width + 1), range(-1, grid.height + 1))
    ways = [(abs(a - x), abs(b - y)) for a, b in cells if not grid.is_free(a, b)]
    return min(max(way) + 0.4 * min(way) for way in ways)


def factor_of(grid, rules, x, y):
    factor = dict.fromkeys("=", rules.terrain[0][1]) | dict.fromkeys("GT", rules.terrain[1][1])
    value = factor.get(chr(grid.terrain[y, x]), 1.0)
    if grid.is_free(x, y):
        share = (to_wall(grid, x, y) - 1) / rules.walls_range
        value *= 1 + (rules.walls - 1) * max(0, 1 - share)
    for a, b, at in rules.enemies.tolist():
        value *= 1 + (at - 1) * max(0, 1 - math.hypot(x + 0.5 - a, y + 0.5 - b) / rules.enemies_range)
    return value * (rules.mask[y, x] if rules.mask.size else 1)


def test_every_factor_is_what_the_rules_say():
    rng = np.random.default_rng(1)
    for _ in range(40):
        grid = random_map(rng)
        rules = random_rules(rng, grid)
        factors, preferred = preference_factors(grid, rules), preference_grid(grid, rules)
        assert np.array_equal(preferred.free, grid.free)
        for y, x in np.argwhere(grid.free).tolist():
            assert factors[y, x] == pytest.approx(factor_of(grid, rules, x, y))
            assert preferred.cost[y, x] == pytest.approx(grid.cost[y, x] * factors[y, x] / rules.least)
            assert preferred.cost[y, x] >= 1


def test_the_way_is_the_cheapest_by_factors_without_any_scaling():
    rng, ways = np.random.default_rng(2), 0
    for _ in range(60):
        grid = random_map(rng)
        rules = random_rules(rng, grid)
        prices = grid.cost * preference_factors(grid, rules)
        start, goal = rng.integers(0, grid.cost.size, 2).tolist()
        result = astar(preference_grid(grid, rules), start, goal, neighbours=4)
        if not result:
            continue
        model = nx.DiGraph()
        for (u, (ux, uy)), (v, (vx, vy)) in product(
            [(grid.vertex(x, y), (x, y)) for y, x in np.argwhere(grid.free).tolist()], repeat=2
        ):
            if abs(ux - vx) + abs(uy - vy) == 1:
                model.add_edge(u, v, weight=prices[vy, vx])
        best = nx.dijkstra_path_length(model, start, goal) if start != goal else 0.0
        assert result.value.cost * rules.least == pytest.approx(best)
        true = astar(grid, start, goal, neighbours=4).value.cost
        assert true_cost(grid, result.value) >= true * (1 - 1e-12)
        ways += 1
    assert ways > 15


def test_a_unit_goes_round_an_enemy_along_roads_and_away_from_walls():
    field = Grid.from_text("\n".join(["." * 15] * 9))
    start, goal = field.vertex(0, 4), field.vertex(14, 4)
    straight = astar(field, start, goal).value
    shy = Preferences(enemies=[[7.5, 4.5, 20.0]], enemies_range=3.5)
    round_it = astar(preference_grid(field, shy), start, goal).value
    away = np.hypot(*(round_it.points - [7.5, 4.5]).T)
    assert away.min() >= 3
    assert straight.cost < true_cost(field, round_it) < round_it.cost * shy.least + 1e-9 + 0.5
    bold = astar(preference_grid(field, shy.with_enemies([[7.5, 4.5, 1.0]])), start, goal).value
    assert true_cost(field, bold) == straight.cost

    road = Grid.from_text(".......\n.......\n=======")
    along = astar(preference_grid(road, Preferences(terrain=(("=+", 0.25),))), 0, 6).value
    assert sum(chr(road.terrain.flat[v]) == "=" for v in along.vertices) >= 4
    assert path_faults(preference_grid(road, Preferences(terrain=(("=+", 0.25),))), along, start=0, goal=6) == []

    middle = astar(preference_grid(field, Preferences(walls=10.0, walls_range=4.0)), field.vertex(0, 0), 14).value
    assert (middle.points[:, 1] > 3).any(), "the edge of the map is a wall"


def test_moves_of_an_enemy_mend_the_way_to_what_a_new_search_finds():
    rng, changed = np.random.default_rng(3), 0
    for _ in range(6):
        cost = np.where(rng.random((24, 24)) < 0.15, np.inf, rng.choice([1.0, 2.0], (24, 24)))
        cost[0, 0] = cost[-1, -1] = 1.0
        grid = ground(cost)
        rules = Preferences(enemies=[[5.5, 5.5, 8.0], [12.5, 12.5, 0.5]], enemies_range=6.0, walls=1.5)
        now = preference_grid(grid, rules)
        unit = DStarLite(now, 0, 24 * 24 - 1)
        for _ in range(12):
            places = np.column_stack([rng.uniform(0, 24, (2, 2)), rules.enemies[:, 2]])
            after = preference_grid(grid, rules.with_enemies(places))
            cells, prices = preference_changes(now, after)
            assert 0 < len(cells) < 24 * 24
            assert unit.change(cells, prices) == len(cells)
            fresh = astar(after, 0, 24 * 24 - 1)
            mended = unit.path()
            assert bool(mended) == bool(fresh)
            if fresh:
                assert mended.value.cost == pytest.approx(fresh.value.cost, rel=1e-11)
                changed += 1
            now = after
    assert changed > 20


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"terrain": (("?", 2.0),)}, "unknown terrain letter of a preference; found '\\?'"),
        ({"terrain": (("G", 0.0),)}, "factor of terrain 'G'; found 0; expected a positive, finite factor"),
        ({"walls": np.inf}, "factor of walls; found inf"),
        ({"walls": "high"}, "factor of walls must be numbers"),
        ({"terrain": ((".", "dear"),)}, "factor of terrain .* must be numbers"),
        ({"enemies_range": "far"}, "range of enemies must be numbers"),
        ({"walls_range": 0.0}, "range of walls; found 0.0; expected a positive length"),
        ({"enemies": [[1, 1, -1]]}, "factor of an enemy; found -1"),
        ({"enemies": [[np.inf, 1, 1]]}, "place of an enemy; found inf"),
        ({"enemies": [[1, 1]]}, "enemies has the wrong shape"),
        ({"mask": [[0.0]]}, "factor of the mask; found 0"),
    ],
)
def test_wrong_rules_are_refused(options, complaint):
    with pytest.raises(InputError, match=complaint):
        Preferences(**options)


def test_maps_and_paths_have_to_fit():
    grid = Grid.from_text("..\n.#")
    with pytest.raises(InputError, match="size of the mask of preferences; found 1 × 1 cells; expected 2 × 2 cells"):
        preference_factors(grid, Preferences(mask=[[2.0]]))
    with pytest.raises(InputError, match="size of the changed map; found 1 × 1 cells"):
        preference_changes(grid, Grid.from_text("."))
    path = astar(Grid.from_text("..\n.."), 0, 3, neighbours=4).value
    with pytest.raises(InputError, match="enters a blocked cell"):
        true_cost(grid, path)
    from anabasis.search.anya import anya

    with pytest.raises(InputError, match="has no steps to pay for"):
        true_cost(grid, anya(grid, 0, 1).value)


def test_only_a_way_from_cell_to_cell_of_this_map_has_a_true_cost():
    grid = Grid.from_text("...\n...")
    for cells, complaint in (
        ([0, 6], "the path is outside the map; found vertex 6"),
        ([0, -1], "the path is outside the map; found vertex -1"),
        ([0, 2], "the path leaves out cells"),
    ):
        with pytest.raises(InputError, match=complaint):
            true_cost(grid, Path(np.array(cells), np.zeros((2, 2)), 1.0))
