"""Lanes: where they run is looked at place by place, on drawings, random maps and real ones."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from flow_cases import THREE_ROOMS, block, crossings, decomposed, group, walls_met
from scipy import ndimage
from scipy.sparse.csgraph import dijkstra

from anabasis._kernel.sight import visible
from anabasis.flow.choice import Leg
from anabasis.flow.lanes import APART, CUT, LANE, MOST_LANES, in_lanes, lane_points, side_by_side, tightened
from anabasis.flow.navigate import Navigator
from anabasis.flow.network import Passages, parts_of
from anabasis.flow.order import Order
from anabasis.flow.rooms import Room
from anabasis.flow.ways import placed
from anabasis.grid import Grid
from anabasis.io.movingai import load_map
from anabasis.search.astar import astar

CORNER = Grid.from_text("\n".join(["." * 20] * 8 + ["#" * 8 + "." * 12] * 16))
"""From the left to the bottom: a turn to the right around the wall's corner at (8, 8)."""


def caves(seed: int, side: int = 60) -> Grid:
    free = ndimage.gaussian_filter(np.random.default_rng(seed).random((side, side)), 1.6) > 0.48
    labels, _ = ndimage.label(free)
    return Grid.from_free(labels == np.bincount(labels[labels > 0]).argmax())


def length(way):
    return float(np.hypot(*np.diff(way, axis=0).T).sum())


def lanes_along(grid, base, lanes, width=LANE, radius=0.5):
    return [lane_points(grid.cost, base, lane, lanes, width, radius) for lane in range(lanes)]


def test_the_looking_at_places_finds_walls_and_cut_corners():
    grid = Grid.from_text("....\n.##.\n....")
    assert walls_met(grid, np.array([[0.5, 0.5], [3.5, 0.5]])) == []
    assert walls_met(grid, np.array([[0.5, 0.5], [3.5, 2.5]]))  # straight through
    assert walls_met(grid, np.array([[0.5, 1.5], [1.5, 2.5]]))  # past the corner exactly


def test_crossings_are_counted():
    one = np.array([[0.0, 0.0], [2.0, 2.0], [4.0, 0.0]])
    assert crossings(one, np.array([[0.0, 1.0], [4.0, 1.0]])) == 2
    assert crossings(one, one + np.array([0, 1])) == 0


@pytest.mark.parametrize("seed", range(12))
def test_a_tightened_way_is_not_longer_keeps_its_ends_and_sees_its_way(seed):
    grid = caves(seed)
    room = Room(grid, grid.free, (0, 0))
    rng = np.random.default_rng(seed)
    cells = np.flatnonzero(grid.free)
    shorter = 0
    for start, goal in rng.choice(cells, (15, 2)).tolist():
        way = room.spread(np.array([goal])).ways(np.array([start]))[1]
        tight = tightened(room, way)
        assert length(tight) <= length(way) + 1e-9
        assert {tuple(p) for p in tight[[0, -1]].tolist()} == {tuple(p) for p in way[[0, -1]].tolist()}
        assert (tight[0] == way[0]).all(), "it leads from start to goal as before"
        assert walls_met(grid, tight) == []
        assert (tight % 1 == 0.5).all()
        shorter += length(tight) < length(way) - 1e-6
    assert shorter, "some are shorter"


def any_angle(grid, pairs):
    """The lengths of the shortest ways over centres of cells at any angle: Dijkstra's search among all that see."""
    beside = ndimage.maximum_filter(~grid.free, 3) & grid.free
    cells = np.unique(np.concatenate([np.flatnonzero(beside), np.ravel(pairs)]))
    x, y = cells % grid.width, cells // grid.width
    points = grid.centres(cells)
    away = np.full((cells.size, cells.size), np.inf)
    for a, b in combinations(range(cells.size), 2):
        if visible(grid.cost, x[a], y[a], x[b], y[b], 0):
            away[a, b] = away[b, a] = np.hypot(*(points[a] - points[b]))
    start, goal = np.searchsorted(cells, pairs).T
    return dijkstra(np.where(np.isfinite(away), away, 0.0), indices=start)[np.arange(len(pairs)), goal]


@pytest.mark.parametrize("seed", range(3))
def test_tightened_ways_are_close_to_the_shortest_at_any_angle(seed):
    grid = caves(seed, 30)
    room = Room(grid, grid.free, (0, 0))
    pairs = np.random.default_rng(seed).choice(np.flatnonzero(grid.free), (20, 2))
    ways = [room.spread(goal[None]).ways(start[None])[1] for start, goal in pairs]
    least = any_angle(grid, pairs)
    before = np.array([length(way) for way in ways]) / least
    after = np.array([length(tightened(room, way)) for way in ways]) / least
    assert after.min() >= 0.998  # only cells beside walls are turned at in the comparison
    assert after.mean() <= 1.02 and after.max() <= 1.08
    assert after.mean() < before.mean()


def test_a_way_of_one_or_two_points_is_tight():
    room = Room(CORNER, CORNER.free, (0, 0))
    for way in (np.zeros((0, 2)), np.array([[1.5, 1.5]]), np.array([[1.5, 1.5], [9.5, 3.5]])):
        assert tightened(room, way).tolist() == way.tolist()


@pytest.mark.parametrize("lanes", [2, 4, 6])
@pytest.mark.parametrize("turned", [False, True])
def test_lanes_keep_their_order_at_a_corner_and_do_not_cross(lanes, turned):
    base = np.array([[1.5, 7.5], [8.5, 7.5], [8.5, 23.5]])[:: -1 if turned else 1]
    ways = lanes_along(CORNER, base, lanes)
    at_corner = np.array([way[0] for way in ways])
    away = np.hypot(*(at_corner - base[1]).T)
    near_first = away if turned else away[::-1]  # turning right, the rightmost lane is the inner one
    assert near_first[0] == pytest.approx(0.0, abs=1e-9)
    assert (np.diff(near_first) > 0.5).all(), "side by side, none on another"
    for way in ways:
        assert walls_met(CORNER, way) == []
        assert (way[-1] == base[-1]).all()
    for a, b in combinations(ways, 2):
        assert crossings(a, b) == 0
    crowd = [np.concatenate([[base[0] - np.array([0, k])], way]) for k, way in enumerate(ways[::-1])]
    if not turned:  # units that come from behind in the order of the lanes
        assert all(crossings(a, b) == 0 for a, b in combinations(crowd, 2))


def test_lanes_are_no_wider_than_asked_and_stay_off_the_far_wall():
    base = np.array([[1.5, 7.5], [8.5, 7.5], [8.5, 23.5]])
    for lanes, width in ((3, 1.0), (5, 1.4), (16, 1.4)):
        places = np.array([way[0] for way in lanes_along(CORNER, base, lanes, width)])
        gaps = np.hypot(*np.diff(places, axis=0).T)
        assert (gaps <= width + 1e-9).all()
        assert places[:, 1].min() >= 0.5 and places[:, 0].max() <= 19.5
    single = lane_points(CORNER.cost, base, 0, 1, 1.4, 0.5)
    assert single.tolist() == base[1:].tolist()


def test_lanes_in_a_narrow_corridor_share_the_room_there_is():
    grid = Grid.from_text("\n".join(["#" * 12, "." * 12, "." * 12, "#" * 9 + "...", "#" * 9 + "...", "#" * 9 + "..."]))
    base = np.array([[0.5, 2.5], [9.5, 2.5], [9.5, 5.5]])
    ways = lanes_along(grid, base, 4)
    for way in ways:
        assert walls_met(grid, way) == []
    away = [np.hypot(*(way[0] - base[1])) for way in ways]
    assert away[0] <= 3 and sorted(away, reverse=True) == away


@pytest.mark.parametrize("seed", range(8))
def test_each_point_of_a_lane_sees_the_next(seed):
    grid = caves(seed)
    room = Room(grid, grid.free, (0, 0))
    for start, goal in np.random.default_rng(seed).choice(np.flatnonzero(grid.free), (10, 2)).tolist():
        base = tightened(room, room.spread(np.array([goal])).ways(np.array([start]))[1])
        if len(base) < 3:
            continue
        for way in lanes_along(grid, base, 5):
            assert (way[-1] == base[-1]).all()
            for a, b in pairwise(way):
                assert walls_met(grid, np.array([a, b])) == []


def passing(drawing, gates, units, goal, diameter=1.0):
    grid, d = decomposed(drawing)
    passages = Passages(grid, d)
    crowd = group(units, *goal, radius=diameter / 2)
    (part,) = parts_of(passages, crowd.vertices(grid), np.arange(crowd.size))
    cells = crowd.vertices(grid)
    ways, _ = in_lanes(passages, part, gates, cells, crowd.goal(grid), crowd.positions, diameter)
    return grid, [ways[1][a:b] for a, b in pairwise(ways[0])], placed(grid.cost, ways, crowd.positions, goal)


BEND = "\n".join(["#" * 40, *["#" + "a" * 14 + "b" * 24 + "#"] * 12, *["#" * 20 + "b" * 19 + "#"] * 14, "#" * 40])


def with_gate(top, rows):
    lines = [list(line) for line in BEND.splitlines()]
    for y in range(1, 13):
        lines[y][15] = "0" if top <= y < top + rows else "#"
    return "\n".join("".join(line) for line in lines)


@pytest.mark.parametrize("rows", [1, 2, 3, 6, 9, 12])
@pytest.mark.parametrize("diameter", [0.8, 1.0, 1.6])
def test_no_more_lanes_than_fit_through_the_narrowest_gate(rows, diameter):
    _, ways, _ = passing(with_gate(1, rows), [0], block(2, 2, 10, 8), (25.5, 24.5), diameter)
    assert len(ways) == 80 and all(len(way) for way in ways)
    ends = {tuple(map(tuple, way[-2:].tolist())) for way in ways}
    most = max(1, int(rows / (LANE * diameter)))
    assert len(ends) <= min(most, MOST_LANES)
    if rows >= 9 and diameter <= 1.0:
        assert len(ends) > 1, "a wide gate is passed side by side"


def test_units_keep_their_side():
    grid, ways, _ = passing(with_gate(1, 12), [0], block(2, 1, 4, 12), (25.5, 24.5))
    inner, outer = [], []
    corner = np.array([20.5, 12.5])
    for way in ways:
        near = np.abs(way - corner).sum(axis=1).min()
        (inner if near < 2 else outer).append(way[0, 1])
        assert walls_met(grid, way) == []
    assert np.mean(inner) > np.mean(outer), "who comes along the lower wall passes close to the corner"


def beside(grid, units, goal, width):
    """Ways in lanes on a whole map, and which of the units keep to them."""
    end = int(goal[1]) * grid.width + int(goal[0])
    cells = group(units, *goal).vertices(grid)
    passage = Room(grid, grid.free, (0, 0)).spread(np.array([end]))
    (indptr, points), kept = side_by_side(grid, passage, width, cells, units, 1.0)
    return [points[a:b] for a, b in pairwise(indptr)], kept, [astar(grid, c, end).value.cost for c in cells.tolist()]


T_ROOM = Grid.from_text("\n".join([*["." * 41] * 12, "#" * 18 + "....." + "#" * 18, *["." * 41] * 10]))


@pytest.mark.parametrize("right", [0, 8, 32, 40])
def test_units_that_come_from_two_sides_have_lanes_of_their_own(right):
    units = np.concatenate([block(2, 8, 10, 4), block(29, 8, 10, 4)[:right]])
    ways, kept, shortest = beside(T_ROOM, units, (20.5, 21.5), 5.0)
    assert kept.any()
    for way, least in zip(ways, shortest, strict=True):
        assert length(way) < least + 8, "nobody walks to the other side first"
        assert walls_met(T_ROOM, way) == []


def test_who_is_past_the_corner_is_not_sent_back_to_it():
    units = np.concatenate([block(1, 1, 5, 7), block(12, 12, 3, 4)])  # the last ones are around the corner already
    ways, kept, shortest = beside(CORNER, units, (12.5, 22.5), 8.0)
    assert kept[:35].all() and not kept[35:].any()
    for way, least in zip(ways[35:], shortest[35:], strict=True):
        assert len(way) == 2 and length(way) <= least + 1e-9


def test_without_a_gate_there_are_lanes_too():
    crowd = group(block(1, 1, 6, 7), 12.5, 22.5)
    plan = Navigator(CORNER, ways="taut").plan(crowd).value.plan
    at_wall = {round(float(np.interp(12.0, *plan.path(unit).T[::-1])), 3) for unit in range(crowd.size)}
    assert len(at_wall) > 2, "side by side past the corner"


@pytest.mark.parametrize("seed", range(3))
def test_the_numbers_of_units_do_not_matter(seed):
    units = block(1, 1, 6, 6)
    order = np.random.default_rng(seed).permutation(36)
    ways, kept, _ = beside(CORNER, units, (12.5, 22.5), 8.0)
    mixed, kept_too, _ = beside(CORNER, units[order], (12.5, 22.5), 8.0)
    assert (kept_too == kept[order]).all()
    assert all(np.array_equal(mixed[k], ways[unit]) for k, unit in enumerate(order.tolist()))


def test_on_a_map_with_prices_ways_lead_around_dear_ground():
    cost = CORNER.cost.copy()
    cost[4:12, 9:14] = 9.0
    priced = Grid(cost, CORNER.terrain)
    ways, kept, shortest = beside(priced, block(1, 1, 6, 6), (12.5, 22.5), 8.0)
    assert not kept.any()
    for way, least in zip(ways, shortest, strict=True):
        fine = np.concatenate([a + (b - a) * np.linspace(0, 1, 40, endpoint=False)[:, None] for a, b in pairwise(way)])
        step = length(way) / len(fine)
        x, y = np.floor(fine).astype(int).T
        assert cost[y, x].sum() * step < 1.5 * least


def test_a_plan_lets_units_cut_their_ways_short_only_where_they_walk_straight_on():
    grid, d = decomposed(with_gate(1, 12))
    crowd = group(np.concatenate([block(2, 3, 6, 8), block(24, 16, 3, 4)]), 25.5, 24.5)
    passages = Passages(grid, d)
    order = Order(
        passages, crowd, parts_of(passages, crowd.vertices(grid), np.arange(60)), crowd.vertices(grid), crowd.goal(grid)
    )
    plan = order.paths([Leg(0, (0,), 100, 1), Leg(1, (), 10, 1)], np.repeat([0, 1], [48, 12]), "taut")
    assert plan.cut.tolist() == [CUT] * 48 + [np.inf] * 12
    steps = np.hypot(*np.diff(plan.path(0), axis=0).T)
    assert steps.max() <= APART + 1e-9


def test_a_cell_that_shut_gates_cut_off_is_left_for_the_nearest_one():
    _, ways, plan = passing(THREE_ROOMS, [0, 1], np.array([[6.5, 2.5], [2.5, 5.5], [7.5, 7.5]]), (20.5, 5.5))
    assert all(len(way) for way in ways)
    assert plan[1][plan[0][2]].tolist() == [7.5, 7.5], "it starts where the unit stands, on the shut gate"


REAL = [("wc3maps512/battleground.map", 2), ("dao/den520d.map", 2), ("bg512/AR0602SR.map", 2)]


@pytest.mark.parametrize(("name", "parameters"), REAL)
def test_ways_on_real_maps_lead_from_each_unit_to_the_target_and_meet_no_wall(movingai, name, parameters):
    grid = load_map(movingai / name)
    navigator = Navigator(grid, parameters=parameters, ways="taut")
    labels, _ = ndimage.label(grid.free)
    main = np.flatnonzero(labels.ravel() == np.bincount(labels[labels > 0]).argmax())
    rng = np.random.default_rng(3)
    for _ in range(4):
        start, goal = rng.choice(main, 2).tolist()
        order = main[np.argsort(((grid.centres(main) - grid.centres(start)) ** 2).sum(axis=1), kind="stable")]
        units = grid.centres(order[:60])
        crowd = group(units, *grid.centres(goal).tolist())
        result = navigator.plan(crowd)
        assert result and result.stats["fallback"] == 0
        met = 0
        for unit in range(crowd.size):
            way = result.value.plan.path(unit)
            assert (way[0] == units[unit]).all() and (way[-1] == grid.centres(goal)).all()
            met += bool(walls_met(grid, way))
            shortest = astar(grid, int(order[unit]), goal).value.cost if unit % 20 == 0 else 0.0
            assert length(way) >= shortest / 1.0824 - 1.0
        assert met == 0, f"{met} of {crowd.size} ways"
